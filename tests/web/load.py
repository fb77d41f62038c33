"""A room full of players: so many tables, one act a second each, every stream read and looked at for gaps."""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Body = bytes


@dataclass(slots=True)
class Run:
    """What a load came to."""

    took_ms: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    again: int = 0
    gaps: int = 0
    doubles: int = 0
    seen: int = 0
    short: int = 0
    """Streams that did not hear of the last entry."""

    def quantile(self, share: float) -> float:
        """How long a share of the acts took at most, in milliseconds."""
        ordered = sorted(self.took_ms)
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1) if ordered else 0.0

    def told(self) -> dict[str, object]:
        """For a record."""
        spread = {"p50_ms": self.quantile(0.5), "p99_ms": self.quantile(0.99), "max_ms": self.quantile(1)}
        heard = {"streamed": self.seen, "gaps": self.gaps, "doubles": self.doubles, "cut_short": self.short}
        return {"acts": len(self.took_ms), "statuses": self.statuses, "sent_again": self.again, **spread, **heard}


@dataclass(slots=True)
class Player:
    """One client with a connection for acts and one for the stream."""

    path: str
    stream: str
    headers: bytes
    body: Callable[[int], Body]
    reads: bool = True


class Load:
    """So many players at a server on this machine."""

    def __init__(self, port: int, players: list[Player], seconds: float, a_second: float = 1.0) -> None:
        """Ready."""
        self.port, self.players, self.seconds, self.a_second = port, players, seconds, a_second
        self.run = Run()
        self.last: dict[str, int] = {}
        self.heads: dict[str, int] = {}

    async def play(self) -> Run:
        """Until the time is over, and then until every stream has heard everything."""
        until = time.monotonic() + self.seconds
        listening = [asyncio.create_task(self._listen(number, each)) for number, each in enumerate(self.players)]
        await asyncio.sleep(1)
        await asyncio.gather(*(self._act(number, each, until) for number, each in enumerate(self.players)))
        behind: list[int] = []
        for _ in range(100):
            behind = [n for n, each in enumerate(self.players) if each.reads and self._is_behind(n, each)]
            if not behind:
                break
            await asyncio.sleep(0.1)
        self.run.short = len(behind)
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        return self.run

    def _is_behind(self, number: int, player: Player) -> bool:
        return self.last.get(str(number), 0) < self.heads.get(player.stream, 0)

    async def _act(self, number: int, player: Player, until: float) -> None:
        chance = random.Random(number)
        await asyncio.sleep(chance.random() / self.a_second)
        link: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        count, status, answer = 0, 0, b"{}"
        while time.monotonic() < until:
            began = time.monotonic()
            body = player.body(count)
            head = f"POST {player.path} HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n"
            key = f"Idempotency-Key: {number}-{count}\r\nContent-Length: {len(body)}\r\n\r\n"
            wire = head.encode() + player.headers + key.encode() + body
            while True:
                try:
                    if link is None:
                        link = await asyncio.open_connection("127.0.0.1", self.port)
                    link[1].write(wire)
                    status, answer = await _answer(link[0])
                    if status not in (429, 503):
                        break
                    self.run.again += 1
                    await asyncio.sleep(0.1)
                except (OSError, EOFError, asyncio.IncompleteReadError):
                    link = None
                    self.run.again += 1
                    await asyncio.sleep(0.05)
            self.run.took_ms.append((time.monotonic() - began) * 1000)
            self.run.statuses[status] = self.run.statuses.get(status, 0) + 1
            sequence = json.loads(answer).get("sequence", 0)
            self.heads[player.stream] = max(self.heads.get(player.stream, 0), sequence)
            count += 1
            await asyncio.sleep(max(0.0, 1 / self.a_second - (time.monotonic() - began)))
        if link is not None:
            link[1].close()

    async def _listen(self, number: int, player: Player) -> None:
        last: int | None = None
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
                resume = f"Last-Event-ID: {last}\r\n" if last is not None else ""
                writer.write(f"GET {player.stream} HTTP/1.1\r\nHost: t\r\n{resume}".encode() + player.headers + b"\r\n")
                if not player.reads:
                    reader._transport.pause_reading()  # type: ignore[attr-defined]
                    await asyncio.sleep(3600)
                while line := await reader.readline():
                    if line.startswith(b"id: "):
                        at = int(line[4:])
                        self.run.seen += 1
                        self.run.gaps += last is not None and at > last + 1
                        self.run.doubles += last is not None and at <= last
                        last = self.last[str(number)] = at
            except OSError:
                pass
            await asyncio.sleep(0.05)


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """One answer of a connection that stays open."""
    status = int((await reader.readuntil(b"\r\n"))[9:12])
    length = 0
    while (line := await reader.readuntil(b"\r\n")) != b"\r\n":
        if line.lower().startswith(b"content-length:"):
            length = int(line[15:])
    return status, await reader.readexactly(length)
