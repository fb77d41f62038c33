"""All the live tables of a journal as one process has them, with the people who may ask them."""

import secrets
import time
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from threading import RLock
from typing import NamedTuple

from passline import __version__
from passline.engine.table import Notice
from passline.errors import AwayError, FencedError, JournalError, KeyTakenError, PeopleError
from passline.floor.names import folded
from passline.floor.state import Promotion
from passline.journal.contract import Journal, kind_in, now
from passline.journal.heads import name_signer
from passline.live.books import CAGE
from passline.live.people import Hosted, Standing
from passline.live.state import HOUSE_FLOOR, DiceMode, check_dice
from passline.pit.housewide import HouseWide
from passline.pit.keys import Keys
from passline.pit.opening import OTHERS, HouseFile, check_name
from passline.pit.people.names import letters_of, skeleton
from passline.pit.people.people import Attempts, By, People, Person
from passline.pit.table import LiveTable

Clock = Callable[[], str]  # what time it is, as entries write it
CLOCK_JUMPS_S = 5  # from how many seconds on a clock was set, and did not just go wrong a little
TABLES_EACH_MAX = 8  # how many tables one person may have open
TABLES_MAX = 2_000  # how many tables a pit has open


class Opening(NamedTuple):
    house: str | HouseFile = "adelaide"
    dice: DiceMode = "fair"
    notice: Notice | None = None
    practice: bool = True
    listed: bool = False
    wallets: bool = False  # whether chips come out of wallets with the house; in practice they cost nothing
    staff: tuple[tuple[str, str], ...] = ()  # who is what at the table, each a person and a role; the host is its box
    company: int = 0  # how many regulars of the house play there
    countdown: int = 0  # after how many seconds the bets are closed; 0: when somebody asks


class Pit:
    """The tables of one journal; any number of threads may ask."""

    def __init__(
        self, journal: Journal, keys: Keys, people: People | None = None, *, house: str = "adelaide", clock: Clock = now
    ) -> None:
        """Know the people; tables are opened when somebody asks for them, the floor by the book of `house`.

        `clock` says what entries are dated with and signs and tokens are counted by; a test hands in one that it moves.
        """
        self.journal, self.keys, self.now = journal, keys, clock
        self.people = people or People(journal, clock())
        self.people.sign_with(keys.sign, clock())
        if journal.head(CAGE) is not None:
            name_signer(journal, CAGE, keys.sign, clock())
        self.attempts = Attempts(self.people)
        self.house_wide = HouseWide(journal, self.people, keys.sign, house)
        self._tables: dict[str, LiveTable] = {}
        self._used: set[str] = set()  # Tables that somebody asked for since it was last looked at who did
        self._over: set[str] = set()  # Tables that are known to be closed: they take no room
        self._lock = RLock()
        self._process, self._clock_off = "", 0.0

    def start(self) -> None:
        """Say that a program begins to serve the house, and look at its clock from here on."""
        self._process, self._clock_off = secrets.token_hex(4), self._wall_over_monotonic()
        self.house_wide.note("process_started", {"program": __version__, "process": self._process}, self.now())

    def stop(self) -> None:
        """Say that it ends as it was asked to; one that is cut off does not."""
        if self._process:
            self.house_wide.note("process_stopped", {"process": self._process}, self.now())

    def check_clock(self) -> None:
        """Say that the clock of the machine was set, forward or back, where it was since somebody last looked."""
        seconds = round(self._wall_over_monotonic() - self._clock_off) if self._process else 0
        if abs(seconds) >= CLOCK_JUMPS_S:
            self._clock_off += seconds
            self.house_wide.note("clock_jumped", {"seconds": seconds}, self.now())

    def _wall_over_monotonic(self) -> float:
        return datetime.fromisoformat(self.now()).timestamp() - time.monotonic()

    def table(self, name: str) -> LiveTable:
        with self._lock:
            self._used.add(name)
            table = self._tables.get(name)
            if table is None:
                if name == HOUSE_FLOOR:
                    return self.floor()
                if name in OTHERS or self.journal.head(name) is None:
                    raise JournalError(f"there is no table {name}")
                table = self._opened(name)
            return table

    def floor(self) -> LiveTable:
        """The floor of the whole house: asked as a table is, and nobody plays at it."""
        with self._lock:
            if HOUSE_FLOOR not in self._tables:
                self.house_wide.open_floor(self.now())
            return self._tables.get(HOUSE_FLOOR) or self._opened(HOUSE_FLOOR)

    def register(self) -> Mapping[str, Promotion]:
        return self.catch_up(HOUSE_FLOOR).live.floor.promotions if self.house_wide.is_open else {}

    def _opened(self, name: str) -> LiveTable:
        table = self._tables[name] = LiveTable.open(self.journal, name, time=self.now(), keys=self.keys)
        table.house_wide, table.bought = self.house_wide, self.house_wide.bought
        table.listeners.append(self.house_wide.hear)
        return table

    def is_open(self, name: str) -> bool:
        """Whether a table is in memory, so that looking at it waits for nothing."""
        return name in self._tables

    def is_over(self, name: str) -> bool:
        """Whether a table is known to be over without a look into the journal."""
        table = self._tables.get(name)
        return name in self._over if table is None else table.live.over is not None

    def again(self, name: str) -> None:
        """Forget what is known of a table that another process has taken over; it is read anew."""
        with self._lock:
            self._tables.pop(name, None)

    def let_go(self, needed: Container[str], *, idle: bool) -> None:
        """Forget tables that are over and not needed, and with `idle` those that nobody asked for since.

        Whoever still has one in hand may write to it: of two that are open the journal decides who was first.
        """
        with self._lock:
            for name, table in tuple(self._tables.items()):
                over = table.live.over is not None
                if name not in needed and name != HOUSE_FLOOR and (over or (idle and name not in self._used)):
                    del self._tables[name]
                    if table.live.over == "closed":
                        self._over.add(name)
            if idle:
                self._used.clear()

    def catch_up(self, name: str) -> LiveTable:
        table = self.table(name)
        try:
            table.catch_up()
        except FencedError:
            self.again(name)
            table = self.table(name)
        return table

    def seen(self, name: str) -> LiveTable:
        """A table to be looked at: what another process has just answered is in it, where the store can be reached."""
        if self.journal.shared:
            with suppress(AwayError):
                return self.catch_up(name)
        return self.table(name)

    def open(self, host: Person, opening: Opening, by: By, name: str | None = None) -> LiveTable:
        """A new table of somebody's; asked again under the same key, the same table."""
        check_dice(opening.dice, wallets=opening.wallets)
        named = name or _name(opening, host, by.key)
        check_name(named)
        known = self.people.hosted.get(named)
        self._room(host, known, name, practice=opening.practice)
        more = {"company": opening.company, "countdown": opening.countdown}
        hosted = Hosted(named, host.id, opening.practice, opening.listed, opening.wallets, **more)
        plays = () if opening.wallets else ((host.id, "player"),)  # who works for the house's money does not play there
        crew = () if opening.practice else ((host.id, "box"), *plays, *opening.staff)
        self.people.host(hosted, by, crew)
        with self._lock:
            if self.journal.head(named) is None:
                LiveTable.create(
                    self.journal,
                    named,
                    opening.house,
                    time=by.time,
                    dice=opening.dice,
                    keys=self.keys,
                    notice=opening.notice,
                    wallets=opening.wallets,
                )
            return self.table(named)

    def _room(self, host: Person, known: Hosted | None, named: str | None, *, practice: bool) -> None:
        if known is not None and known.host != host.id:
            raise KeyTakenError(f"there is a table {known.table} already; take another name")
        if known is not None:
            return
        there = () if named is None else (*self.people.hosted, *OTHERS)
        if alike := next((each for each in there if _looks(each) == _looks(named or "")), None):
            raise KeyTakenError(f"there is a table {alike} already, and {named} looks like it; take another name")
        up = [each for each in self.open_of(host.id) if each.practice == practice]
        if len(up) >= TABLES_EACH_MAX:
            raise PeopleError(f"Tables open for {host.name}: {len(up)}, as many as one may; close one of them first")
        if len(self.people.hosted) - len(self._over) >= TABLES_MAX:
            self._over |= {name for name in self.people.hosted.keys() - self._over if self._is_over(name)}
        if len(self.people.hosted) - len(self._over) >= TABLES_MAX:
            raise PeopleError(f"This pit has {TABLES_MAX} tables open, and no room for another")

    def _is_over(self, name: str) -> bool:
        head = self.journal.head(name)
        return head is not None and any(
            kind_in(line) == "table_closed" for line in self.journal.lines(name, head.sequence - 1)
        )

    def open_of(self, person: str) -> list[Hosted]:
        """The tables that somebody opened and nobody closed, the oldest first."""
        hosted = [each for each in tuple(self.people.hosted.values()) if each.host == person]
        return [each for each in self.not_closed(hosted) if self.table(each.table).live.over is None]

    def not_closed(self, hosted: Iterable[Hosted]) -> list[Hosted]:
        """Those of some tables that go on or were stopped, in memory or not."""
        opened = [each for each in hosted if each.table not in self._over and self.journal.head(each.table)]
        self._over |= {each.table for each in opened if not self.is_open(each.table) and self._is_over(each.table)}
        return [
            each for each in opened if each.table not in self._over and self.table(each.table).live.over != "closed"
        ]

    def seated_of(self, person: str) -> list[Hosted]:
        """The tables of others at which somebody has a seat now; of those in memory, where people come and go."""
        others = (each for each in tuple(self.people.hosted.values()) if each.host != person)
        there = ((each, self.table(each.table).live) for each in others if self.is_open(each.table))
        return [each for each, live in there if live.over is None and live.seat_of(person) is not None]

    def called(self, person: Person) -> str:
        """A guest by the name they gave: the number that tells guests of one name apart is the house's own."""
        plain, _, number = person.name.rpartition("-")
        first = self.people.persons.get(folded(plain)) if person.guest and number.isdecimal() else None
        return plain if first is not None and first.guest and first.id not in self.house_wide.barred else person.name

    def called_at(self, table: LiveTable, person: Person) -> str:
        """What somebody sits down as: unlike anybody else there, and for the house's money as the house knows them."""
        plain, seats = self.called(person), table.live.table.seats
        others = {skeleton(seats[each].name) for each in seats if table.live.owner(each) != person.id}
        return person.name if table.live.money or skeleton(plain) in others else plain

    def standing(self, person: str, table: str | None = None, *, own: bool = False) -> Standing:
        """What somebody is, in the house and at a table; the floor of the house is the whole of it."""
        return self.people.roster.standing(person, None if table == HOUSE_FLOOR else table, own=own)


_looks = lru_cache(maxsize=100_000)(letters_of)  # what people tell tables apart by, remembered: a house has many


def _name(opening: Opening, host: Person, key: str | None) -> str:
    """A name nobody has; under a key, always the same."""
    end = secrets.token_hex(6) if key is None else sha256(f"{host.id} {key}".encode()).hexdigest()[:12]
    return f"{'practice' if opening.practice else 'table'}-{end}"
