"""One act of one person at one table: who may, as what, who agrees to it, and how the table is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from pydantic import TypeAdapter

from passline.codec import from_data
from passline.codec.lines import version_of
from passline.engine.values import CENTS, Roll, money
from passline.errors import RoleError
from passline.floor.names import folded
from passline.journal.entries import canonical, read_entry
from passline.pit.live import HOUSE_FLOOR
from passline.pit.people.people import By
from passline.pit.people.powers import may, of_act
from passline.pit.pit import Pit
from passline.pit.plans import Ask
from passline.pit.rulings import ruled_by
from passline.pit.table import LiveTable
from passline.web import schemas as m
from passline.web.acts import (
    FOR_THE_HOUSE,
    FOUND,
    MODELS,
    Act,
    AnyAct,
    CloseBets,
    CloseForGood,
    CommitSeed,
    Correct,
    EndEpoch,
    ReadDice,
    RevealSeed,
    RollDice,
    Void,
    kind_of,
)
from passline.web.problems import Problem, no_assent, no_power
from passline.web.who import Asker, by_asker

BUYS = {"command.sit": "buyin", "command.buy_in": "amount"}
"""What chips are bought with, and the field that says how many."""

SEATS_MAX = 20
"""A tub has no more places."""

WHOLE = frozenset(
    ("table.void", "table.correct", "floor.exclude", "floor.readmit", "floor.invalidate", "floor.sanction")
)
"""What is decided about somebody or something: who agrees to it says to what, whole."""


def role_in(pit: Pit, table: LiveTable, person: str, kind: str, named: int | None = None) -> str | None:
    """As what somebody asks for this; nobody does for another, at the seat that is named, what only they may."""
    seat = pit.seat_of(table, person)
    own = kind == "command.sit" or (seat is not None and named in (None, seat))
    if kind == "table.roll":
        own = pit.throws(table, person)
    return may(of_act(kind), pit.standing(person, table.name, own=own), as_most=kind.startswith("floor."))


# --- Agreeing -------------------------------------------------------------------------------------------------------


def check_kind(what: str) -> None:
    """Refuse to agree to what nobody can ask for, and say what there is."""
    kinds = sorted(kind_of(each) for each in MODELS)
    if what not in kinds:
        two = ", ".join(kind for kind in kinds if of_act(kind).people > 1)
        raise Problem(422, "act.unknown", f"There is no such act; two people do {two}.")


def _bound(act: Act) -> str:
    """The words of an assent to one act and no other: its kind, and the digest of its body."""
    body = act.model_dump(mode="json")
    return f"{body['kind']} sha256:{sha256(canonical(body)).hexdigest()}"


def give_assent(pit: Pit, asker: Asker, asked: m.Assent, table: str) -> str:
    """A second person's word to one act of another at a table, or on the floor of the house."""
    check_kind(asked.what)
    if may(of_act(asked.what), pit.standing(asker.id, table)) is None:
        raise Problem(403, "power.missing", "You hold no role that may agree to this.")
    what = _agreed_to(asked)
    return pit.people.issue(asker.id, by_asker(pit, asker), "assent", table=table, what=what)


def _agreed_to(asked: m.Assent) -> str:
    """What somebody agrees to, as the assent keeps it."""
    if asked.act is None:
        if asked.what in WHOLE:
            raise Problem(422, "assent.whole", "Send the whole act that you agree to, as `act`.")
        return asked.what
    try:
        act = TypeAdapter[Act](AnyAct).validate_json(canonical(asked.act))
    except ValueError:
        raise Problem(422, "body.unreadable", "`act` is not an act as it is sent to be done.") from None
    if act.kind != asked.what:  # type: ignore[attr-defined]
        raise Problem(422, "body.unreadable", "`act` is of another kind than `what`.")
    return _bound(act)


# --- Asking ---------------------------------------------------------------------------------------------------------


class Asking:
    """One act of one person at one table: who may, as what, and how the table is asked."""

    def __init__(self, pit: Pit, asker: Asker, act: Act, key: str, assent: str | None) -> None:
        self.pit, self.asker, self.act, self.assent = pit, asker, act, assent
        self.kind: str = act.kind  # type: ignore[attr-defined]
        self.person = asker.known()
        self.key = f"{self.person.id}/{key}"

    def __call__(self, table: LiveTable) -> bytes:
        """Ask; the answer is the entry, as it is kept."""
        seat, role = self._standing(table)
        if (seat is None or role is None) and self.pit.journal.shared:
            table.catch_up()  # what another process wrote a moment ago
            seat, role = self._standing(table)
        if role is None:
            self.pit.attempts.count("power refused", self.person.id, self.pit.now())
            self._check_seat(table)
            raise no_power(of_act(self.kind))
        if table.name != HOUSE_FLOOR and role != "player" and self.person.id in self.pit.barred():
            raise Problem(403, "floor.barred", f"{self.person.name} may not play here, nor keep a table.")
        if table.name != HOUSE_FLOOR and self.kind in FOR_THE_HOUSE:
            raise Problem(409, "floor.house_wide", "This is for the whole house: ask it of the floor, at /floor/acts.")
        ask = Ask(self.person.id, role, self.key, self.pit.now())
        try:
            return DOES.get(type(self.act), Asking._command)(self, table, seat, ask)
        except RoleError:
            self.pit.attempts.count("second person refused", self.person.id, ask.time)
            raise

    def _standing(self, table: LiveTable) -> tuple[int | None, str | None]:
        """Where whoever asks sits, and as what they may."""
        role = role_in(self.pit, table, self.person.id, self.kind, getattr(self.act, "seat", None))
        return self.pit.seat_of(table, self.person.id), role

    def _check_seat(self, table: LiveTable) -> None:
        """Say that it is another's seat, where nothing else keeps somebody from it."""
        named: int = getattr(self.act, "seat", None) or 0
        of = table.live.table.seats.get(named)
        mine = self.pit.standing(self.person.id, table.name, own=True)
        if of is not None and self.pit.owner(table, named) != self.person.id and may(of_act(self.kind), mine):
            raise Problem(403, "table.other_seat", f"Seat {named} is {of.name}'s: you play at your own.", seat=named)

    def _second(self, table: LiveTable, ask: Ask) -> str:
        """Who agrees: another person, who may do the same, now."""
        line = table.journal.under_key(table.name, ask.key)
        if line is not None:  # asked again: whoever agreed then
            return _agreed(read_entry(line).body)
        if not self.assent:
            raise no_assent()
        words = (_bound(self.act),) if self.kind in WHOLE else (_bound(self.act), self.kind)
        return self.pit.people.use(self.assent, By(ask.actor, ask.role, ask.time), table.name, *words)

    def _command(self, table: LiveTable, seat: int | None, ask: Ask) -> bytes:
        """A command of the engine's or of the floor's, with what went without saying."""
        data = self.act.model_dump(mode="json")
        if "seat" in data and data["seat"] is None:
            data["seat"] = _free(table.live.table.seats) if self.kind == "command.sit" and seat is None else seat
            if data["seat"] is None:
                raise Problem(409, "seat.none", "You do not sit at this table.")
        if self.kind == "command.sit":
            self._sit_as_oneself(data)
        if "second" in data:  # nobody says for another that they agree
            data["second"] = self._second(table, ask) if self.assent or _is_kept(table, ask) else ""
        if isinstance(notice := data.get("notice"), dict) and notice.get("kind") == "notice":  # as GET shows it
            data["notice"] = {name: value for name, value in notice.items() if name not in ("kind", "v")}
        reason = data.pop("reason") if self.kind == FOUND else ""
        self._check_for_oneself(data, ask)
        self._check_chips(table, data)
        self._check_by(table, data.get("by"))
        self._check_there(table, data)
        self._check_review(table, data)
        command = from_data({**data, "v": version_of(self.kind)})
        return table.do(command, ask, self.pit.cage(table.name), reason)  # type: ignore[arg-type]

    def _sit_as_oneself(self, data: dict[str, Any]) -> None:
        """Whoever sits down does so by their own name, at a seat that there is."""
        if data["name"] is None:
            data["name"] = self.person.name
        if data["name"] != self.person.name:
            raise Problem(403, "seat.name", f"You are known as {self.person.name} here.")
        if not 1 <= data["seat"] <= SEATS_MAX:
            raise Problem(422, "seat.none", f"Seats have the numbers 1 to {SEATS_MAX}.")

    def _check_for_oneself(self, data: dict[str, Any], ask: Ask) -> None:
        """A player asks the floor for nobody else."""
        of = folded(data.get("person", "")) if self.kind.startswith("floor.") else ""
        if ask.role == "player" and of not in ("", self.person.id):
            raise Problem(403, "person.other", "A player speaks for themselves.")

    def _check_review(self, table: LiveTable, data: dict[str, Any]) -> None:
        """Nobody reviews what they decided themselves."""
        if self.kind == "floor.review_dispute":
            deciders = ruled_by(table.journal, table.name, data["dispute"])
            if self.person.id in deciders:
                raise Problem(403, "person.own", "Nobody reviews a ruling of their own: another person does.")

    def _check_chips(self, table: LiveTable, data: dict[str, Any]) -> None:
        """Play money costs nothing, and nobody needs more of it than any sign asks for."""
        asked, most = data.get(BUYS.get(self.kind, "")), self.pit.chips_max(table)
        seat = table.live.table.seats.get(data.get("seat", 0))
        if asked is not None and most is not None:
            check_chips(asked, most, 0 if seat is None else seat.rail)

    def _check_by(self, table: LiveTable, by: object) -> None:
        """Who confirmed something is who says so: nobody speaks for a role that is not theirs."""
        said = [] if by is None else by if isinstance(by, list) else [by]
        roles = self.pit.people.roles(self.person.id, table.name)
        if any(each not in roles for each in said):
            raise Problem(403, "power.missing", "You do not hold the role that this is said to be confirmed by.")

    def _check_there(self, table: LiveTable, data: dict[str, Any]) -> None:
        """Who is told as an inspector is one, where there are any; who comes on duty works here as the title says.

        Who works at a table for the house's money does not sit down at it.
        """
        people, titles = self.pit.people, table.layout.book.floor.titles
        hosted = people.hosted.get(table.name)
        if hosted is not None and hosted.practice:
            return  # who practises alone is everybody
        works_as = sorted(people.roles(self.person.id, table.name) & {"dealer", "stick", "box"})
        if self.kind == "command.sit" and hosted is not None and hosted.wallets and works_as:
            says = f"You are {works_as[0]} at this table for the house's money, and do not play at it."
            raise Problem(409, "floor.on_duty", says)
        if self.kind == "floor.tell_inspector":
            who, role = data["inspector"], "inspector"
            if not any(role in people.roles(each, table.name) for each in tuple(people.persons)):
                return
        elif self.kind == "floor.come_on_duty" and data["title"] in titles:
            who, role = data["person"], titles[data["title"]].value.role
        else:
            return
        if role not in people.roles(folded(who), table.name):
            raise Problem(
                409, "person.unknown", f"Nobody here called {who} is {role}: name somebody who holds the role."
            )

    def _read(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        assert isinstance(self.act, ReadDice)
        return table.read_dice(Roll(*self.act.dice), ask)

    def _commit(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        assert isinstance(self.act, CommitSeed)
        return table.commit_seed(self.act.epoch, bytes.fromhex(self.act.commitment), ask)

    def _reveal(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        assert isinstance(self.act, RevealSeed)
        return table.reveal_seed(self.act.epoch, bytes.fromhex(self.act.seed), ask)

    def _void(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        assert isinstance(self.act, Void)
        return table.void(self.act.reason, self._second(table, ask), ask, returned=self.act.returned)

    def _correct(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        assert isinstance(self.act, Correct)
        return table.correct(self.act.reverses, self.act.reason, self._second(table, ask), ask)

    def _end_epoch(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        table.rotate(ask.time)
        return next(iter(table.journal.lines(table.name, table.head.sequence - 1)))

    def _close(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        if table.live.over is None:
            of = self.pit.people.hosted.get(table.name)
            return table.close(ask.time, ask, hosted=of is not None and not of.practice)
        return next(iter(table.journal.lines(table.name, table.head.sequence - 1)))


def check_chips(asked: int, most: int, has: int = 0) -> None:
    """Refuse to sell more chips than anybody has, where they cost nothing."""
    if has + asked > most:
        up_to, there = money(most, CENTS), money(has, CENTS)
        detail = f"Chips cost nothing here, and are bought up to {up_to} on one's rail; there are {there} on yours."
        raise Problem(409, "buyin.limit", detail, buyin_max=most)


def _is_kept(table: LiveTable, ask: Ask) -> bool:
    return table.journal.under_key(table.name, ask.key) is not None


def _agreed(body: dict[str, Any]) -> str:
    """The second person of an entry: of an act that was done, or of one that was refused."""
    asked = body.get("asked")
    parts = [body.get("command"), *(asked.values() if isinstance(asked, dict) else ())]
    said = [each.get("second") for each in parts if isinstance(each, dict)]
    people = body.get("people") or ()
    return next(filter(None, said), "") or next(iter(people[1:]), "")


def _free(seats: Mapping[int, object]) -> int | None:
    return next((number for number in range(1, SEATS_MAX + 1) if number not in seats), None)


DOES: dict[type[Act], Callable[[Asking, LiveTable, int | None, Ask], bytes]] = {
    RollDice: lambda _, table, _seat, ask: table.roll(ask),
    CloseBets: lambda _, table, _seat, ask: table.close_bets(ask),
    ReadDice: Asking._read,  # noqa: SLF001 - it is this module's
    Void: Asking._void,  # noqa: SLF001 - as above
    Correct: Asking._correct,  # noqa: SLF001 - as above
    CommitSeed: Asking._commit,  # noqa: SLF001 - as above
    RevealSeed: Asking._reveal,  # noqa: SLF001 - as above
    EndEpoch: Asking._end_epoch,  # noqa: SLF001 - as above
    CloseForGood: Asking._close,  # noqa: SLF001 - as above
}
"""How each act of the live table's own is asked; everything else is a command."""
