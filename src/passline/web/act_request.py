"""One act of one person at one table, as HTTP brings it: what goes without saying, and a second person's approval."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from pydantic import TypeAdapter

from passline.codec import from_data
from passline.codec.lines import version_of
from passline.engine.commands import Command
from passline.engine.values import Roll
from passline.errors import RoleError
from passline.floor.acts import FloorCommand
from passline.journal.entries import canonical, read_entry
from passline.live import requests as r
from passline.live.powers import may, of_act
from passline.live.requests import Ask, Own, request
from passline.live.rules import SEATS_MAX, role_of
from passline.pit.people.people import By
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.web import acts
from passline.web import schemas as m
from passline.web.acts import FOUND, MODELS, Act, AnyAct, kind_of
from passline.web.problems import Problem, no_assent, no_power
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
    )
)
"""What is decided about somebody or something: who agrees to it says to what, whole."""


# --- Approving ------------------------------------------------------------------------------------------------------


def check_kind(what: str) -> None:
    """Refuse to agree to what nobody can ask for, and say what there is."""
    kinds = sorted(kind_of(each) for each in MODELS)
    if what not in kinds:
        two = ", ".join(kind for kind in kinds if of_act(kind).people > 1)
        raise Problem(422, "act.unknown", f"There is no such act; two people do {two}.")


def _bound(act: Act) -> str:
    """The words of an approval of one act and no other: its kind, and the digest of its body."""
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
    """What somebody agrees to, as the approval keeps it."""
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


class ActRequest:
    """One act of one person at one table; whether they may, and what comes of it, the table says."""

    def __init__(self, pit: Pit, asker: Asker, act: Act, key: str, approval: str | None) -> None:
        """Keep what was sent."""
        self.pit, self.act, self.approval = pit, act, approval
        self.kind: str = act.kind  # type: ignore[attr-defined]
        self.person = asker.known()
        self.key = f"{self.person.id}/{key}"

    def __call__(self, table: LiveTable) -> bytes:
        """Ask; the answer is the entry, as it is kept."""
        try:
            return self._asked(table)
        except RoleError as error:
            if self.pit.journal.shared and error.code == "power.missing":
                table.catch_up()  # what another process wrote a moment ago
                try:
                    return self._asked(table)
                except RoleError as again:
                    error = again
            if error.code != "power.missing":
                self.pit.attempts.count("second person refused", self.person.id, self.pit.now())
                raise
            self.pit.attempts.count("power refused", self.person.id, self.pit.now())
            raise no_power(of_act(self.kind)) from None

    def _asked(self, table: LiveTable) -> bytes:
        ask = Ask(self.person.id, "", self.key, self.pit.now())
        own = self._own(table, ask)
        if own is None:
            command, reason = self._command(table, ask)
            return table.ask(request(ask, command, wallet=table.live.money, reason=reason))
        if isinstance(own, r.EndEpoch | r.CloseForGood):
            return self._last(table, own, ask)
        return table.own(own, ask)

    def _own(self, table: LiveTable, ask: Ask) -> Own | None:  # noqa: C901 - one case an act
        """One of the live table's own acts; None where it is a command."""
        match self.act:
            case acts.RollDice():
                return r.RollDice()
            case acts.CloseBets():
                return r.CloseBets()
            case acts.ReadDice(dice=dice):
                return r.ReadDice(Roll(*dice))
            case acts.Void(reason=reason, returned=returned):
                return r.Void(reason, self._second(table, ask), returned)
            case acts.Correct(reverses=reverses, reason=reason):
                return r.Correct(reverses, reason, self._second(table, ask))
            case acts.ReturnChips(reason=reason):
                return r.ReturnChips(reason, self._second(table, ask))
            case acts.CommitSeed(epoch=epoch, commitment=commitment):
                return r.CommitSeed(epoch, bytes.fromhex(commitment))
            case acts.RevealSeed(epoch=epoch, seed=seed):
                return r.RevealSeed(epoch, bytes.fromhex(seed))
            case acts.EndEpoch():
                return r.EndEpoch()
            case acts.CloseForGood():
                hosted = self.pit.people.hosted.get(table.name)
                return r.CloseForGood(hosted is not None and not hosted.practice)
            case _:
                return None

    def _last(self, table: LiveTable, act: Own, ask: Ask) -> bytes:
        """What may have been done already is answered by the last entry."""
        line = table.own(act, ask) if table.live.over is None else b""
        return line or next(iter(table.journal.lines(table.name, table.head.sequence - 1)))

    def _command(self, table: LiveTable, ask: Ask) -> tuple[Command | FloorCommand, str]:
        """A command of the game or of the floor, with what went without saying, and why it is done for another."""
        data, seat = self.act.model_dump(mode="json"), table.live.seat_of(self.person.id)
        if "seat" in data and data["seat"] is None:
            data["seat"] = _free(table) if self.kind == "command.sit" and seat is None else seat
            if data["seat"] is None:
                self._check_may(table)
                raise Problem(409, "seat.none", "You do not sit at this table.")
        if self.kind == "command.sit":
            data["name"] = data["name"] or self.person.name
            if data["name"] != self.person.name:
                raise Problem(403, "seat.name", f"You are known as {self.person.name} here.")
        if "second" in data:  # nobody says for another that they agree
            kept = table.journal.under_key(table.name, ask.key) is not None
            data["second"] = self._second(table, ask) if self.approval or kept else ""
        if isinstance(notice := data.get("notice"), dict) and notice.get("kind") == "notice":  # as GET shows it
            data["notice"] = {name: value for name, value in notice.items() if name not in ("kind", "v")}
        reason = data.pop("reason") if self.kind == FOUND else ""
        return from_data({**data, "v": version_of(self.kind)}), reason  # type: ignore[return-value]

    def _check_may(self, table: LiveTable) -> None:
        """What is missing in a request is told to whoever may ask for it, and nobody else uses an approval up."""
        if role_of(table.state(), self.person.id, self.kind) is None:
            raise RoleError("", "power.missing")

    def _second(self, table: LiveTable, ask: Ask) -> str:
        """Who agrees: another person, who may do the same, now."""
        line = table.journal.under_key(table.name, ask.key)
        if line is not None:  # asked again: whoever agreed then
            return _agreed(read_entry(line).body)
        self._check_may(table)
        if not self.approval:
            raise no_assent()
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
