"""A room full of players: so many tables, an act a second each, every stream read and looked at for gaps."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Body = bytes
IN_AFTER_S = 5
"""When everybody listens, sits, and has acted once."""


@dataclass(slots=True)
class Run:
    """What a load came to."""

    took_ms: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    again: int = 0
    gaps: int = 0
    doubles: int = 0
    seen: int = 0
    answered_bytes: int = 0
    streamed_bytes: int = 0
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
        sizes = {"entry_bytes": self.answered_bytes // len(self.took_ms), "event_bytes": self.event_bytes}
        return {
            "acts": len(self.took_ms),
            "statuses": self.statuses,
            "sent_again": self.again,
            **spread,
            **heard,
            **sizes,
        }

    @property
    def event_bytes(self) -> int:
        """How long what a listener is sent of an entry is."""
        return self.streamed_bytes // max(1, self.seen)


@dataclass(slots=True)
class Player:
    """One client with a connection for acts and one for the stream."""

    path: str
    stream: str
    headers: bytes
    body: Callable[[int], Body]
    reads: bool = True
    every_s: float = 1.0
    """How long after its last act it asks for the next."""
    port: int = 0
    """Of the process that has its table; of the room's if not said."""


class Load:
    """So many players at a server on this machine."""

    def __init__(self, port: int, players: list[Player], seconds: float) -> None:
        """Ready."""
        self.port, self.players, self.seconds = port, players, seconds
        self.run = Run()
        self.last: dict[str, int] = {}
        self.heads: dict[str, int] = {}

    async def play(self, everybody_is_in: Callable[[int], None] = lambda _: None) -> Run:
        """Until the time is over, and then until every stream has heard everything.

        `everybody_is_in` is told how many acts there were when all have had time for their first.
        """
        until = time.monotonic() + self.seconds
        listening = [asyncio.create_task(self._listen(number, each)) for number, each in enumerate(self.players)]
        asyncio.get_running_loop().call_later(IN_AFTER_S, lambda: everybody_is_in(len(self.run.took_ms)))
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
        await asyncio.sleep(chance.random() * player.every_s)
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
                        link = await asyncio.open_connection("127.0.0.1", player.port or self.port)
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
            self.run.answered_bytes += len(answer)
            sequence = json.loads(answer).get("sequence", 0)
            self.heads[player.stream] = max(self.heads.get(player.stream, 0), sequence)
            count += 1
            await asyncio.sleep(max(0.0, player.every_s - (time.monotonic() - began)))
        if link is not None:
            link[1].close()

    async def _listen(self, number: int, player: Player) -> None:
        last: int | None = None
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", player.port or self.port, limit=2**20)
                resume = f"Last-Event-ID: {last}\r\n" if last is not None else ""
                writer.write(f"GET {player.stream} HTTP/1.1\r\nHost: t\r\n{resume}".encode() + player.headers + b"\r\n")
                if not player.reads:
                    reader._transport.pause_reading()  # type: ignore[attr-defined]
                    await asyncio.sleep(3600)
                while line := await reader.readline():
                    self.run.streamed_bytes += len(line)
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


# --- A flood --------------------------------------------------------------------------------------------------------


async def _hammer(port: int, wires: list[bytes], until: float, statuses: Counter[int]) -> None:
    """One connection that asks without pause, whatever it is answered."""
    number = 0
    while time.monotonic() < until:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
            continue
        try:
            while time.monotonic() < until:
                writer.write(wires[number % len(wires)].replace(b"KEY", secrets.token_hex(6).encode()))
                number += 1
                statuses[(await _answer(reader))[0]] += 1
        except (OSError, EOFError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.05)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


def wires_of(path: str, token: str, *bodies: bytes) -> list[bytes]:
    """Acts as they are sent, each with a key to be put in."""
    head = f"POST {path} HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nAuthorization: Bearer {token}\r\n"
    return [
        head.encode() + b"Idempotency-Key: KEY\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies
    ]


UP_AND_DOWN = (
    b'{"kind":"command.bet","wager":"field","amount":500}',
    b'{"kind":"command.take","wager":"field"}',
)


def flood(port: int, path: str, tokens: list[str], connections: int, seconds: float) -> dict[int, int]:
    """So many connections that ask without pause for so long; how often each status was answered."""
    statuses: Counter[int] = Counter()

    async def run() -> None:
        until = time.monotonic() + seconds
        wires = [wires_of(path, token, *UP_AND_DOWN) for token in tokens]
        await asyncio.gather(
            *(_hammer(port, wires[number % len(wires)], until, statuses) for number in range(connections))
        )

    asyncio.run(run())
    return dict(statuses)


if __name__ == "__main__":  # in a process of its own, so that those it disturbs do not wait for its client
    print(json.dumps(flood(int(sys.argv[1]), sys.argv[2], sys.argv[5:], int(sys.argv[3]), float(sys.argv[4]))))  # noqa: T201
