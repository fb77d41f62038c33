"""The game itself: every answer given again by the house file in the export, from the table as it then stood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, cast

from passline import __version__
from passline.codec import from_data, to_data
from passline.engine.commands import Command, StrikeOut
from passline.engine.decide import decide
from passline.engine.events import ChipsBought, Decision, Event, PlayerSat
from passline.engine.evolve import evolve
from passline.engine.layout import Layout, lay_out
from passline.engine.refusals import Answer, Refusal
from passline.engine.table import Notice, TableState, open_table
from passline.errors import HouseFileError
from passline.files.toml import tree
from passline.floor import gate
from passline.floor.acts import FloorAnswer, FloorCommand, FloorEvent, Officer
from passline.floor.gate import watch
from passline.floor.register import decide as floor_decide
from passline.floor.register import evolve as floor_after
from passline.floor.state import QUIET
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import book_of
from passline.verify.entry import Entry
from passline.verify.report import Book, Complaint


def settled_order(notice: Notice) -> Notice:
    """A notice with its odds in the order of the points."""
    return notice if notice.odds is None else notice._replace(odds=dict(sorted(notice.odds.items())))


class Game:
    """The table as it stands by the rules alone, entry after entry."""

    state: TableState
    layout: Layout

    def __init__(self, counts: Counter[str], houses: Mapping[str, str]) -> None:
        self._counts, self._houses = counts, houses
        self.floor = QUIET
        """What the people around the table have decided."""
        self.events: tuple[Event, ...] = ()
        """What the last entry says has happened."""
        self._bought: dict[int, tuple[int, int]] = {}
        """By sequence: the seat and the amount of chips bought, until it is reversed."""
        self.last_roll: object = None
        """The entry of the last roll, which alone can be struck out."""
        self.struck: set[object] = set()
        """The rolls that were."""
        self._other_program = False
        """Whether another version opened the table: it may have named another clause for the same thing."""
        self.text: str | None = None
        """The house file."""

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """Decide again what the entry says was decided."""
        self.events = tuple(cast("Event", from_data(data)) for data in entry.body.get("events", ()))
        match entry.kind:
            case "table_opened":
                yield from self._open(entry)
            case "acted" | "rolled":
                yield from self._compare([_command(entry.body["command"])])
            case "floor_acted":
                yield from self._floor(entry)
                return
            case "floor_heard":
                heard = (cast("FloorEvent", from_data(data)) for data in entry.body["floor"])
                self.floor = floor_after(self.floor, heard)
            case "roll_voided":
                yield from self._compare([_command(data) for data in entry.body["commands"]])
            case "corrected":
                yield from self._correct(entry)
            case _:
                pass
        if self.events:
            self.floor = watch(self.floor, self.state, self.events)
        self._remember(entry)

    def _open(self, entry: Entry) -> Iterator[Complaint]:
        body = entry.body
        text = body["house"] if "house" in body else self._houses[entry.data["house"]]
        self.text, self.layout = text, _layout(text, body["grain"])
        self._other_program = body["program"] != __version__
        if body["dice_set"] != (due := self.layout.book.dice.dice_set.value):
            yield "body.dice_set", f"it is {body['dice_set']}, and the house plays with {due}"
        self.state = open_table(settled_order(cast("Notice", from_data(body["notice"]))), body["dice_set"])

    @property
    def book(self) -> Book | None:
        """By which book the table is played, and whether the program has that book too, to the letter."""
        if self.text is None:
            return None
        ours = house_files().get(house := self.layout.book.id)
        same = ours is not None and ours.read_text(encoding="utf-8") == self.text
        return Book(house, sha256(self.text.encode()).hexdigest(), "as here" if same else "other" if ours else "own")

    def _compare(self, commands: list[Command]) -> Iterator[Complaint]:
        """Ask everything again, and look where the answers differ from what is written."""
        decided: list[Event] = []
        for command in commands:
            answer = self.answer(command)
            if isinstance(answer, Refusal):
                yield "body.command", f"the house refuses it: {answer.code}, {answer.message}"
                return
            decided += answer
            self.state = evolve(self.state, answer)
            self._counts["acts"] += 1
        yield from self._differ(decided)

    def answer(self, command: Command, state: TableState | None = None) -> Answer:
        """What the rules answer at the table as it stands, or will stand, with what its floor has decided."""
        state = state or self.state
        refused = gate.refused(self.layout, self.floor, state, command)
        return refused or decide(self.layout, gate.seen(self.floor, state, command), command)

    def floor_answer(self, entry: Entry) -> FloorAnswer:
        """What the floor answers to whoever asks in an entry."""
        command = cast("FloorCommand", from_data(entry.body["command"]))
        officer = Officer(entry.data["actor"], entry.data["role"], entry.data["time"])
        return floor_decide(self.layout, self.floor, self.state, command, officer)

    def _floor(self, entry: Entry) -> Iterator[Complaint]:
        """Decide again what the floor decided, and what that did to the game."""
        answer = self.floor_answer(entry)
        if isinstance(answer, Refusal):
            yield "body.command", f"the floor refuses it: {answer.code}, {answer.message}"
            return
        written = [from_data(data) for data in entry.body["floor"]]
        if written != list(answer.events):
            yield "body.floor", f"it says {written}, and by the house file it is {list(answer.events)}"
        self.state = evolve(self.state, answer.game)
        self.floor = floor_after(watch(self.floor, self.state, answer.game), answer.events)
        self._counts["floor_acts"] += 1
        yield from self._differ(list(answer.game))

    def _differ(self, decided: list[Event]) -> Iterator[Complaint]:
        for at, (written, own) in enumerate(zip(self.events, decided, strict=False)):
            if written != own and not (self._other_program and _without_clause(written) == _without_clause(own)):
                yield f"body.events[{at}]", f"it says {written}, and by the house file it is {own}"
        if len(self.events) != len(decided):
            yield "body.events", f"there are {len(self.events)}, and by the house file {len(decided)}"
        self._counts["settlements"] += sum(isinstance(event, Decision) for event in decided)

    def _correct(self, entry: Entry) -> Iterator[Complaint]:
        """A roll struck out, or chips bought that were not: nothing else is ever put right."""
        body = entry.body
        if body["command"] is not None:
            command = _command(body["command"])
            if not isinstance(command, StrikeOut) or body["reverses"] != self.last_roll:
                yield "body.reverses", f"entry {body['reverses']} is not the last roll, which alone can be struck out"
            yield from self._compare([command])
            self.struck.add(body["reverses"])
            return
        bought = self._bought.pop(body["reverses"], None)
        if bought is None:
            yield "body.reverses", f"entry {body['reverses']} bought no chips, or was reversed before"
            return
        due = ChipsBought(bought[0], -bought[1])
        yield from self._differ([due])
        self.state = evolve(self.state, (due,))

    def reversible(self, sequence: object) -> bool:
        """Whether an entry bought chips that whoever bought them still has."""
        number, amount = self._bought.get(cast("int", sequence), (0, 0))
        seat = self.state.seats.get(number)
        return seat is not None and not seat.away and 0 < amount <= seat.rail

    def _remember(self, entry: Entry) -> None:
        """What a correction may later name."""
        if entry.kind == "rolled":
            self.last_roll = entry.sequence
        if entry.kind == "acted":
            for event in self.events:
                if isinstance(event, ChipsBought):
                    self._bought[entry.sequence] = (event.seat, event.amount)
                elif isinstance(event, PlayerSat):  # what was bought at this seat before was somebody else's
                    self._bought = {at: bought for at, bought in self._bought.items() if bought[0] != event.seat}
                    self._bought[entry.sequence] = (event.seat, event.buyin)


def _without_clause(event: Event) -> dict[str, Any]:
    return {name: value for name, value in to_data(event).items() if name != "clause"}


def _command(data: object) -> Command:
    return cast("Command", from_data(data))


@lru_cache(maxsize=8)
def _layout(text: str, grain: int) -> Layout:
    """The felt of a house file; the tables of a house share one."""
    return lay_out(book_of(tree(text, "house file", "a house file", HouseFileError), "house file"), grain=grain)
