"""Everything that was decided, decided again: the live machine is asked what its entry says was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, cast

from passline import __version__
from passline.codec import from_data
from passline.engine.commands import Command
from passline.engine.events import ChipsBought, Decision, Event, PlayerSat
from passline.engine.layout import Layout, lay_out
from passline.engine.table import TableState
from passline.engine.values import Roll
from passline.errors import ChanceError, HouseFileError
from passline.files.toml import tree
from passline.floor.acts import FloorCommand
from passline.floor.state import Floor
from passline.live import requests as r
from passline.live import rules
from passline.live.answer import answer
from passline.live.books import wallet
from passline.live.drafts import refusal_data
from passline.live.entries import Entry as LiveEntry
from passline.live.people import Roster
from passline.live.rolls import SALT_BYTES
from passline.live.state import House, Live, State, after, events_of, opened
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import book_of
from passline.verify.entry import Entry
from passline.verify.report import Book, Complaint
from passline.verify.wallets import Short

HOUSE_RULES = frozenset(("buyin.limit", "seat.none", "table.house_wide", "person.barred", "person.other", "person.own"))
"""Refusals that hang on a table's being a house's, whoever holds which role in it."""

HOUSES_WORD = frozenset(("person.works", "person.unknown", "person.title", "table.confirmed_by"))
"""Refusals that hang on who held which role, as of the entry of the people's stream that they name."""

WALLETS = frozenset(("table.short_wallet", "table.other_wallet"))
ENOUGH = 10**18
READ = ("dice_entered", "dice_disagreed")


class Game:
    """One table: the live machine as it stands after each entry."""

    live: Live
    layout: Layout

    def __init__(self, counts: Counter[str], houses: Mapping[str, str]) -> None:
        self._counts, self._houses = counts, houses
        self.events: tuple[Event, ...] = ()
        """What the last entry says has happened."""
        self.short: list[Short] = []
        self.text: str | None = None
        """The house file."""
        self._other_program = False
        """Whether another version opened the table: its floor had other rules, its words and clauses may be others."""
        self._bought: dict[int, LiveEntry] = {}
        """The entries that a correction may name."""

    @property
    def state(self) -> TableState:
        return self.live.table

    @property
    def floor(self) -> Floor:
        return self.live.floor

    @property
    def book(self) -> Book | None:
        """By which book the table is played, and whether the program has that book too, to the letter."""
        if self.text is None:
            return None
        ours = house_files().get(house := self.layout.book.id)
        same = ours is not None and ours.read_text(encoding="utf-8") == self.text
        return Book(house, sha256(self.text.encode()).hexdigest(), "as here" if same else "other" if ours else "own")

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """Ask the machine what was asked, compare what it would write, and go on by what is written."""
        data = entry.data
        fields = {name: data[name] for name in LiveEntry._fields if name != "line"}
        written = LiveEntry(**fields, line=b"")
        if entry.kind == "table_opened":
            self.events = ()
            yield from self._open(entry)
            self.live = opened(written)
            return
        self.events = events_of(written)
        yield from self._decided_again(written)
        self.live = after(self.live, written)
        if any(isinstance(event, ChipsBought | PlayerSat) for event in self.events) or entry.kind == "rolled":
            self._bought[written.sequence] = written

    def _open(self, entry: Entry) -> Iterator[Complaint]:
        body = entry.body
        text = body["house"] if "house" in body else self._houses[entry.data["house"]]
        self.text, self.layout = text, _layout(text, body["grain"])
        self._other_program = body["program"] != __version__
        if body["dice_set"] != (due := self.layout.book.dice.dice_set.value):
            yield "body.dice_set", f"it is {body['dice_set']}, and the house plays with {due}"
        if body["dice"] == "given" and body.get("wallets"):
            yield "body.dice", "chips are the house's money, and whoever plays says what the dice show"

    # --- Asked again --------------------------------------------------------------------------------------------------

    def _decided_again(self, entry: LiveEntry) -> Iterator[Complaint]:
        if entry.kind == "refused" and (entry.body["command"] is None) == (entry.body["asked"] is None):
            code = entry.body["refusal"].get("code")
            yield "body.asked", f"it says {code}, and not what was asked for: one command, or something else"
            return
        request = self._request(entry)
        if request is None:
            return
        if entry.kind == "refused":
            yield from self._refused(entry, request)
            return
        if entry.kind == "floor_acted" and self._other_program:
            return  # by other rules than today's: what it did is gone by
        funds = {wallet(entry.actor): ENOUGH}
        planned = answer(State(entry.table, self.layout, self.live, wallets=funds), request)
        assert isinstance(planned, list), "without people nobody is refused unwritten"
        draft = next((each.draft for each in planned if each.draft.kind == entry.kind), planned[0].draft)
        if draft.kind == "refused":
            no = draft.body["refusal"]
            field = {"corrected": "body.reverses", "acted": "body.command", "floor_acted": "body.command"}
            about = (
                f"entry {entry.body['reverses']} is not the last roll, bought no chips, or was reversed before; "
                if entry.kind == "corrected"
                else ""
            )
            yield field.get(entry.kind, "body"), f"{about}the house refuses it: {no['code']}, {no['message']}"
            return
        if draft.kind != entry.kind:
            yield "kind", f"it is {entry.kind}, and by the house file {draft.kind}"
            return
        self._counts["floor_acts" if entry.kind == "floor_acted" else "acts"] += entry.kind not in READ
        self._counts["settlements"] += sum(isinstance(event, Decision) for event in self.events)
        yield from self._differ(entry, draft.body)

    def _differ(self, entry: LiveEntry, due: Mapping[str, Any]) -> Iterator[Complaint]:
        """Where a body is not what the machine would write; of postings the books say it, of a reading its promise."""
        for name in sorted(due.keys() - {"postings", "readings", "commitment"}):
            says, own = entry.body.get(name), due[name]
            if name in ("events", "floor"):
                yield from self._events(name, cast("list[Any]", says), own)
            elif says != own:
                yield f"body.{name}", f"it says {says}, and by the house file it is {own}"

    def _events(self, name: str, says: list[Any], own: list[Any]) -> Iterator[Complaint]:
        for at, (written, due) in enumerate(zip(says, own, strict=False)):
            if written != due and not (self._other_program and _without_clause(written) == _without_clause(due)):
                yield f"body.{name}[{at}]", f"it says {written}, and by the house file it is {due}"
        if len(says) != len(own):
            yield f"body.{name}", f"there are {len(says)}, and by the house file {len(own)}"

    # --- Refusals -----------------------------------------------------------------------------------------------------

    def _refused(self, entry: LiveEntry, request: r.Request) -> Iterator[Complaint]:
        """Whoever was told no had to be, by the table as it stood then."""
        says = entry.body["refusal"]
        code = says["code"]
        taken = (
            (isinstance(request.act, FloorCommand) and self._other_program)
            or (code in HOUSES_WORD and "roster" in entry.body)
            or code == "act.failed"
            or (code == "table.epoch" and isinstance(request.act, r.RevealSeed))
        )
        if taken:
            self._counts["taken_refusals"] += 1
            return
        own = self._due(entry, request, str(code))
        if code == "table.short_wallet" and own is not None and own["code"] == code:
            amount = request.data.get("buyin", request.data.get("amount"))
            self.short.append(Short(entry.sequence, entry.actor, cast("int", amount)))
        else:
            self._counts["refusals"] += 1
        if own is None:
            yield "body.refusal", f"it says {code}, and the house allows it"
        elif own["code"] != code or own["seat"] != says["seat"]:
            yield "body.refusal", f"it says {code}, and the house says {own['code']}, {own['message']}"
        elif not self._other_program and says != own:
            yield "body.refusal", f"it says {code}, {says['message']!r}, and the house says {own['message']!r}"

    def _due(self, entry: LiveEntry, request: r.Request, code: str) -> dict[str, Any] | None:
        """The refusal that was due, or None."""
        state = State(entry.table, self.layout, self.live)
        if code in HOUSE_RULES:
            refusal = rules.broken(state._replace(house=House(Roster())), request)
            return None if refusal is None else refusal_data(refusal)
        try:
            planned = answer(state, request)
        except ChanceError:
            return None  # nothing stood against it: the house's seed, which nobody has here, was next
        assert isinstance(planned, list), "without people nobody is refused unwritten"
        draft = next((each.draft for each in planned if each.draft.kind == "refused"), None)
        return None if draft is None else cast("dict[str, Any]", draft.body["refusal"])

    # --- What was asked -----------------------------------------------------------------------------------------------

    def _request(self, entry: LiveEntry) -> r.Request | None:  # noqa: C901 - a case for each kind
        """What somebody asked for, who got this entry; None for what the program does by itself."""
        body = entry.body
        by = r.Ask(entry.actor, entry.role, entry.key or "", entry.time)
        match entry.kind:
            case "refused" if body["command"] is None:
                return self._own(by, body["asked"])
            case "refused" | "acted" | "floor_acted":
                code = body["refusal"]["code"] if entry.kind == "refused" else ""
                from_wallet = "wallet" in body or code in WALLETS
                return _command(by, body["command"])._replace(wallet=from_wallet, reason=body.get("reason", ""))
            case "rolled" | "dice_disagreed" if body["readings"] is not None:
                first, second = body["readings"]
                reading = bytes.fromhex(first["salt"]) + bytes(first["dice"])
                material = r.Material(reading=reading, salt=bytes.fromhex(second["salt"]))
                return _own(by, r.ReadDice(Roll(*second["dice"])), material)
            case "rolled" if self.live.announced is not None and body["command"]["kind"] == "command.throw":
                return _own(by, r.SettleRoll(), r.Material(dice=Roll(*body["dice"])))
            case "rolled":
                return _command(by, body["command"])
            case "dice_entered":
                return _own(by, r.ReadDice(Roll(1, 1)), r.Material(salt=bytes(SALT_BYTES)))
            case "roll_voided" if len(body["people"]) == 1 and len(body["commands"]) == 1:
                return _command(by, body["commands"][0])
            case "roll_voided" if not body["people"]:
                whoever = by._replace(actor="", role="player")  # the house voids what somebody asked it to settle
                return _own(whoever, r.SettleRoll(), r.Material(lost=body["reason"] or "?"))
            case "roll_voided":
                return _own(by, r.Void(body["reason"], _second(entry), body["returned"]))
            case "corrected":
                act = r.Correct(body["reverses"], body["reason"], _second(entry))
                return _own(by, act, r.Material(entry=self._bought.get(body["reverses"])))
            case "chips_returned":
                return _own(by, r.ReturnChips(body["reason"], _second(entry)))
            case "bets_closed" if self.live.dice != "fair" and body["asked"] is None:
                return _own(by, r.CloseBets())
            case _:
                return None

    def _own(self, by: r.Ask, asked: Any) -> r.Request:  # noqa: ANN401, C901 - whatever stands there, a case each
        """An act of the table's own that was refused."""
        name, said = next(iter(asked.items())) if isinstance(asked, dict) and len(asked) == 1 else (asked, {})
        match name:
            case "roll":
                return _own(by, r.RollDice())
            case "close_bets":
                return _own(by, r.CloseBets())
            case "end_epoch":
                return _own(by, r.EndEpoch())
            case "read_dice":
                return _own(by, r.ReadDice(Roll(*said)))
            case "close":
                return _own(by, r.CloseForGood(said["hosted"]))
            case "void":
                return _own(by, r.Void(said["reason"], said["second"], said["returned"]))
            case "return_chips":
                return _own(by, r.ReturnChips(said["reason"], said["second"]))
            case "correct":
                act = r.Correct(said["reverses"], said["reason"], said["second"])
                return _own(by, act, r.Material(entry=self._bought.get(said["reverses"])))
            case "player_seed_committed":
                return _own(by, r.CommitSeed(said["epoch"], bytes.fromhex(said["commitment"])))
            case "player_seed_revealed":
                return _own(by, r.RevealSeed(said["epoch"], b""))
            case _:
                raise ValueError(f"nobody can ask for {asked!r}")


def _own(by: r.Ask, act: r.Own, material: r.Material = r.NO_MATERIAL) -> r.Request:
    return r.Request(by, act, {"kind": r.KINDS[type(act)]}, material=material)


def _command(by: r.Ask, data: dict[str, Any]) -> r.Request:
    return r.Request(by, cast("Command | FloorCommand", from_data(data)), data)


def _second(entry: LiveEntry) -> str:
    """Who decided it with the actor."""
    return next((str(each) for each in entry.body["people"] if each != entry.actor), "")


def _without_clause(event: Any) -> Any:  # noqa: ANN401 - whatever stands there
    return {name: value for name, value in event.items() if name != "clause"} if isinstance(event, dict) else event


@lru_cache(maxsize=8)
def _layout(text: str, grain: int) -> Layout:
    """The felt of a house file; the tables of a house share one."""
    return lay_out(book_of(tree(text, "house file", "a house file", HouseFileError), "house file"), grain=grain)
