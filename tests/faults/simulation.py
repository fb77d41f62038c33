"""A whole service in one thread, with a clock of its own: two processes, some clients, a network and a store that fail.

Everything that is left to chance comes from one seed, so that a seed tells the same story every time it is told.
"""

from __future__ import annotations

import heapq
import json
import random
import secrets
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, Any, Literal

from passline.engine import commands as c
from passline.errors import BrokenError, FencedError, FullError, InDoubtError, JournalError, KeyTakenError
from passline.journal.contract import read_entry
from passline.journal.memory import MemoryJournal
from passline.live.books import on_the_table
from passline.pit.table import LiveTable
from tests.faults.test_kills import drawn
from tests.pit.play import KEYS, by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from passline.journal.contract import Write
    from passline.live.requests import Ask

ACTS_EACH = 10
TIMEOUT_MS = 400
ENDS_MS = 3_600_000
"""An hour of the world's time: whoever has no answer by then is stuck."""


class Crash(BaseException):
    """A process is gone."""


class Store(MemoryJournal):
    """What one process sees of the journal: it is everybody's, and it fails."""

    def __init__(self, world: World, node: Node) -> None:
        super().__init__()
        self.world, self.node = world, node
        self._streams, self._changed = world.journal._streams, world.journal._changed
        self._houses = world.journal._houses

    def append(self, *writes: Write) -> None:
        """Write, or fail before, in the middle of, or after it; others may come in between."""
        world = self.world
        if self.broken is not None:
            raise BrokenError("the journal was stopped")
        if world.chance(0.15):
            world.others_go_first(self.node)
        if world.chance(0.03):
            raise FullError("there is no room")
        if world.chance(0.03):
            raise InDoubtError("the connection was lost before it was written")
        if world.chance(0.02):
            self.broken = "a sync failed"
            raise BrokenError(self.broken)
        if world.chance(0.02):
            raise Crash
        super().append(*writes)
        if world.chance(0.02):
            raise Crash
        if world.chance(0.03):
            raise InDoubtError("the connection was lost after it was written")

    def lines(self, table: str, after: int = 0, upto: int | None = None) -> Iterator[bytes]:
        """Read, or fail."""
        if self.world.chance(0.005):
            raise BrokenError("a read failed")
        return super().lines(table, after, upto)


class Node:
    """A process that serves the table."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.table: LiveTable | None = None
        self.busy = False

    def start(self) -> None:
        """Open the table, taking it over now and then; what fails is tried again later."""
        world = self.world
        if self.busy:
            world.later(50, self.start)
            return
        owner = f"{self.name}-{world.now}" if world.chance(0.5) else ""
        self.busy = True
        try:
            self.table = LiveTable.open(Store(world, self), "t1", time=world.time(), keys=KEYS, owner=owner)
            world.note(f"{self.name} opens {owner}")
        except (Crash, JournalError) as error:
            self.crash(f"opening: {type(error).__name__}")
        finally:
            self.busy = False

    def crash(self, why: str) -> None:
        """Forget everything, and start again after a while."""
        self.world.note(f"{self.name} is gone: {why}")
        self.table = None
        self.world.later(self.world.rng.randint(10, 2_000), self.start)

    def asked(self, client: Client, command: c.Command | Literal["close", "roll"], ask: Ask) -> None:
        """Answer, unless the process is not there or goes down over it."""
        if self.table is None or self.busy:
            return
        self.busy = True
        try:
            match command:
                case "roll":
                    answer = self.table.roll(ask)
                case "close":
                    answer = self.table.close_bets(ask)
                case _:
                    answer = self.table.do(command, ask)
        except Crash:
            self.crash("in the middle of it")
        except (BrokenError, FencedError) as error:
            self.crash(type(error).__name__)
        except KeyTakenError:
            raise  # nobody here asks two things under one key
        except JournalError as error:
            self.world.note(f"{self.name} cannot: {type(error).__name__}")
        else:
            self.world.note(f"{self.name} answers {ask.key} {sha256(answer).hexdigest()[:8]}")
            self.world.send(lambda: client.answered(ask.key, answer))
        finally:
            self.busy = False


class Client:
    """A player who asks again until there is an answer, then asks for the next thing."""

    def __init__(self, world: World, seat: int) -> None:
        self.world, self.seat = world, seat
        self.left = ACTS_EACH
        self.answers: dict[str, bytes] = {}
        self.key = ""
        self.ask_next()

    def ask_next(self) -> None:
        """Think of something, and ask for it."""
        rng = self.world.rng
        if not self.left:
            self.key = ""
            return
        self.left -= 1
        self.key = f"{self.seat}-{self.left}"
        self.command: c.Command | Literal["close", "roll"] = rng.choice(
            (
                "roll",
                "roll",
                "close",
                c.Bet(self.seat, "pass", 1000),
                c.Bet(self.seat, rng.choice(("field", "place_6", "dont_pass", "any_seven")), 1000),
                c.Take(self.seat, "place_6"),
                c.BuyIn(self.seat, 5000),
            )
        )
        self.try_again(self.key)

    def try_again(self, key: str) -> None:
        """Send it, once or twice, to any process; and again when nobody answers in time."""
        world = self.world
        if key != self.key:
            return
        ask = by(f"player-{self.seat}", key, time=world.time(lying=True))
        command = self.command
        for _ in range(2 if world.chance(0.2) else 1):
            node = world.rng.choice(world.nodes)
            world.send(lambda node=node: node.asked(self, command, ask))  # type: ignore[misc]
        world.later(TIMEOUT_MS, lambda: self.try_again(key))

    def answered(self, key: str, answer: bytes) -> None:
        """The first answer is the answer; every other one must be the same."""
        assert self.answers.setdefault(key, answer) == answer, f"{key} was answered in two ways"
        if key == self.key:
            self.ask_next()


class World:
    """The clock, the network, and whatever happens next."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.now = 0
        self.calm = False
        self.story = sha256()
        self.notes = 0
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._numbers = count()
        self.journal = MemoryJournal()
        table = LiveTable.create(self.journal, "t1", time=self.time(), keys=KEYS)
        for seat in (1, 2, 3):
            table.do(c.Sit(seat, f"P{seat}", 100_000), by(f"player-{seat}", f"sit-{seat}", time=self.time()))
        self.nodes = [Node(self, "a"), Node(self, "b")]
        for node in self.nodes:
            node.start()
        self.clients = [Client(self, seat) for seat in (1, 2, 3)]

    def chance(self, probability: float) -> bool:
        """Whether something goes wrong now."""
        return not self.calm and self.rng.random() < probability

    def time(self, *, lying: bool = False) -> str:
        """The hour, or what some clock says it is."""
        seconds = self.now // 1000 + (self.rng.choice((0, 0, -3600, 7200)) if lying else 0) + 40_000
        day, rest = divmod(seconds, 86_400)
        return f"2026-11-{15 + day:02}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}Z"

    def later(self, after_ms: int, what: Callable[[], None]) -> None:
        """Have something happen in a while."""
        heapq.heappush(self._queue, (self.now + after_ms, next(self._numbers), what))

    def send(self, what: Callable[[], None]) -> None:
        """Hand something to the network: it is lost, or comes late, so that what was sent first may come last."""
        if not self.chance(0.1):
            self.later(self.rng.randint(1, 300), what)

    def note(self, what: str) -> None:
        """One more line of the story."""
        self.story.update(f"{self.now} {what}\n".encode())
        self.notes += 1

    def step(self) -> None:
        """Let the next thing happen."""
        self.now, _, what = heapq.heappop(self._queue)
        what()

    def others_go_first(self, node: Node) -> None:
        """A process is held up between deciding and writing: what is due next happens to the others meanwhile."""
        self.note(f"{node.name} is held up")
        for _ in range(self.rng.randint(1, 8)):
            if self._queue and not any(other.busy for other in self.nodes if other is not node):
                self.step()

    def play(self) -> None:
        """Until every client has all answers."""
        while any(client.key for client in self.clients):
            assert self._queue, "nothing happens any more"
            self.step()
            assert self.now < ENDS_MS, "somebody waits for ever"
        self.check()

    def check(self) -> None:
        """Everything that was answered is there, once; the dice are those of the chains; the books balance."""
        entries = [read_entry(line) for line in self.journal.lines("t1")]
        under = {entry.key: entry.line for entry in entries if entry.key is not None}
        assert len(under) == sum(entry.key is not None for entry in entries)
        for client in self.clients:
            assert len(client.answers) == ACTS_EACH
            for key, answer in client.answers.items():
                assert under[key] == answer, "an answer that the journal does not have"
        closed = False
        for entry in entries:
            if entry.kind == "rolled":
                assert closed, f"entry {entry.sequence} rolls before the close"
                assert entry.body["dice"] == drawn(self.journal, entries, entry.body["epoch"], entry.body["roll"])
            assert entry.kind != "acted" or not closed, f"entry {entry.sequence} came late"
            closed = entry.kind == "bets_closed" or (closed and entry.kind not in ("rolled", "roll_voided"))
        self.calm = True
        table = LiveTable.open(self.journal, "t1", time=self.time(), keys=KEYS)
        accounts = self.journal.balances("t1")
        assert accounts == on_the_table(table.live.table, accounts.get("breakage", 0))
        for line in self.journal.lines("t1"):
            self.story.update(line)


def told(seed: int) -> tuple[str, dict[str, Any]]:
    """The story of a seed: its digest, and how much there was in it."""
    with dealt_by(seed):
        world = World(seed)
        world.play()
    kinds = [json.loads(line)["kind"] for line in world.journal.lines("t1")]
    counts = {"entries": len(kinds), "rolls": kinds.count("rolled"), "taken_over": kinds.count("table_taken")}
    return world.story.hexdigest(), {**counts, "happenings": world.notes, "virtual_s": world.now // 1000}


@contextmanager
def dealt_by(seed: int) -> Iterator[None]:
    """Have the secrets of the house come from a seed, so that a story can be told again."""
    rng = random.Random(f"secrets of {seed}")
    was = secrets.token_bytes, secrets.token_hex
    secrets.token_bytes = lambda nbytes=None: rng.randbytes(nbytes or 32)
    secrets.token_hex = lambda nbytes=None: rng.randbytes(nbytes or 32).hex()
    try:
        yield
    finally:
        secrets.token_bytes, secrets.token_hex = was
