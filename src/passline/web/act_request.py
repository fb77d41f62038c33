"""One act of one person at one table, as HTTP brings it: what goes without saying, and a second person's approval."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from passline.errors import RoleError
from passline.floor.acts import FloorCommand
from passline.floor.names import folded
from passline.journal.contract import read_entry
from passline.live.people import may_approve, of_act
from passline.live.requests import Act as LiveAct
from passline.live.requests import Ask, CloseForGood, request
from passline.live.rules import SEATS_MAX, role_of
from passline.pit.people.people import By
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.web import schemas as m
from passline.web.acts import FIND_BET, FORMS, TYPES, Act, read_act
from passline.web.problems import Problem, no_approval, no_permission
from passline.web.who import Asker, by_asker

WHOLE = frozenset(
    (
        "table.void",
        "table.correct",
        "table.return_chips",
        "floor.exclude",
        "floor.readmit",
        "floor.invalidate",
        "floor.sanction",
        "floor.pay_in",
        "floor.pay_out",
        "floor.open_drawer",
        "floor.close_drawer",
        "floor.hand_drawer_over",
        "floor.count_float",
        "floor.fill_float",
        "floor.credit_float",
    )
)
"""What is decided about somebody or something: who agrees to it says to what, whole."""


# --- Approving ------------------------------------------------------------------------------------------------------


def check_kind(what: str) -> None:
    """Refuse to agree to what nobody can ask for, and say what there is."""
    if what not in FORMS:
        two = ", ".join(kind for kind in sorted(FORMS) if of_act(kind).people > 1)
        raise Problem(422, "act.unknown", f"There is no such act; two people do {two}.")


def _bound(act: Act) -> str:
    """The words of an approval of one act and no other: its kind, and the digest of its body."""
    return f"{act.kind} sha256:{sha256(act.canonical()).hexdigest()}"


def give_approval(pit: Pit, asker: Asker, asked: m.Approval, table: str) -> str:
    """A second person's word to one act of another at a table, or on the floor of the house."""
    check_kind(asked.what)
    if not may_approve(of_act(asked.what), pit.standing(asker.id, table)):
        raise Problem(403, "permission.missing", "You hold no role that may agree to this.")
    what = _agreed_to(asked)
    return pit.people.issue(asker.id, by_asker(pit, asker), "approval", table=table, what=what)


def _agreed_to(asked: m.Approval) -> str:
    """What somebody agrees to, as the approval keeps it."""
    if asked.act is None:
        if asked.what in WHOLE:
            raise Problem(422, "approval.whole", "Send the whole act that you agree to, as `act`.")
        return asked.what
    try:
        act = read_act(asked.act)
    except Problem as problem:
        detail = f"`act` is not an act as it is sent to be done. {problem.detail}"
        raise Problem(422, "body.unreadable", detail, **problem.more) from None
    if act.kind != asked.what:
        raise Problem(422, "body.unreadable", "`act` is of another kind than `what`.")
    return _bound(act)


# --- Asking ---------------------------------------------------------------------------------------------------------


class ActRequest:
    """One act of one person at one table; whether they may, and what comes of it, the table says."""

    def __init__(self, pit: Pit, asker: Asker, act: Act, key: str, approval: str | None) -> None:
        """Keep what was sent."""
        self.pit, self.act, self.approval = pit, act, approval
        self.kind = act.kind
        self.person = asker.known()
        self.key = f"{self.person.id}/{key}"

    def __call__(self, table: LiveTable) -> bytes:
        """Ask; the answer is the entry, as it is kept."""
        try:
            return self._asked(table)
        except RoleError as error:
            if self.pit.journal.shared and error.code == "permission.missing":
                table.catch_up()  # what another process wrote a moment ago
                try:
                    return self._asked(table)
                except RoleError as again:
                    error = again
            if error.code != "permission.missing":
                self.pit.attempts.count("second person refused", self.person.id, self.pit.now())
                raise
            self.pit.attempts.count("permission refused", self.person.id, self.pit.now())
            raise no_permission(of_act(self.kind)) from None

    def _asked(self, table: LiveTable) -> bytes:
        ask = Ask(self.person.id, "", self.key, self.pit.now())
        act, reason = self.filled(table, ask)
        if isinstance(act, CloseForGood) and table.live.over is not None:  # done already: the last entry says so
            return next(iter(table.journal.lines(table.name, table.head.sequence - 1)))
        return table.ask(request(ask, act, wallet=table.live.money, reason=reason))

    def filled(self, table: LiveTable, ask: Ask) -> tuple[LiveAct, str]:
        """The act with what went without saying, and why it is done for another."""
        given, seat = dict(self.act.arguments), table.live.seat_of(self.person.id)
        if "seat" in given and given["seat"] is None:
            given["seat"] = _free(table) if self.kind == "command.sit" and seat is None else seat
            if given["seat"] is None:
                self._check_may(table)
                raise Problem(409, "seat.none", "You do not sit at this table.")
        if self.kind == "command.sit":
            called = self.pit.called_at(table, self.person)
            given["name"] = given["name"] or called
            if given["name"] not in (called, self.person.name):
                raise Problem(403, "seat.name", f"You are known as {called} here.")
        if "player" in given and folded(given["player"]) not in self.pit.people.persons:
            self._check_may(table)
            raise Problem(404, "people.unknown", "Nobody here is called that.")
        make = TYPES[self.kind]
        if hasattr(make, "second"):  # nobody says for another that they agree
            given["second"] = self._second(table, ask)
        if make is CloseForGood:
            hosted = self.pit.people.hosted.get(table.name)
            given["hosted"] = hosted is not None and not hosted.practice
        reason = given.pop("reason") if self.kind == FIND_BET else ""
        return make(**given), reason

    def _check_may(self, table: LiveTable) -> None:
        """What is missing in a request is told to whoever may ask for it, and nobody else uses an approval up."""
        if role_of(table.state(), self.person.id, self.kind) is None:
            raise RoleError("", "permission.missing")

    def _second(self, table: LiveTable, ask: Ask) -> str:
        """Who agrees: another person, who may do the same, now."""
        line = table.journal.under_key(table.name, ask.key)
        if line is not None:  # asked again: whoever agreed then
            return _agreed(read_entry(line).body)
        if not self.approval and issubclass(TYPES[self.kind], FloorCommand):
            return ""  # whether it takes two, the floor says
        self._check_may(table)
        if not self.approval:
            raise no_approval()
        words = (_bound(self.act),) if self.kind in WHOLE else (_bound(self.act), self.kind)
        return self.pit.people.use(self.approval, By(ask.actor, "player", ask.time), table.name, *words)


def _agreed(body: dict[str, Any]) -> str:
    """The second person of an entry: of an act that was done, or of one that was refused."""
    asked = body.get("asked")
    parts = [body.get("command"), *(asked.values() if isinstance(asked, dict) else ())]
    seconds = [each.get("second") for each in parts if isinstance(each, dict)]
    people = body.get("people") or ()
    return next(filter(None, seconds), "") or next(iter(people[1:]), "")


def _free(table: LiveTable) -> int | None:
    seats = table.live.table.seats
    return next((number for number in range(1, SEATS_MAX + 1) if number not in seats), None)
