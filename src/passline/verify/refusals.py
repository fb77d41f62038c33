"""Refusals: whoever was told no had to be, by the table as it stood then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from passline import __version__
from passline.codec import from_data
from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.events import Event, OutcomeStruckOut, SeatCleared
from passline.engine.evolve import evolve
from passline.engine.refusals import Refusal
from passline.engine.values import ROLLS, Roll
from passline.floor.signs import for_good
from passline.live.refusals import AMOUNT_MAX, SENTENCES, is_own
from passline.verify.entry import Entry
from passline.verify.people import BY_FLOOR, FLOOR, alone, is_said, same_name
from passline.verify.readings import Readings
from passline.verify.report import Complaint
from passline.verify.rolls import INSPECTING, Rolls
from passline.verify.seats import Seats
from passline.verify.seeds import Seeds

if TYPE_CHECKING:
    from passline.verify.game import Game

COMMITMENT_DIGITS = 64
CALLED = (c.CallNoRoll, c.CockedDie, c.DisputeFace, c.RuleFace)
"""What is said over dice at rest."""

UNKNOWN = "?"
"""The code where the export does not show whether anything was to be refused."""


class Short(NamedTuple):
    """Somebody was told that a wallet has less than this: the cage, which comes in a stream of its own, knows."""

    sequence: int
    player: str
    amount: int


class Refusals:
    """The refusals of one table."""

    def __init__(  # noqa: PLR0913 - whatever can be a reason
        self, counts: Counter[str], game: Game, rolls: Rolls, seeds: Seeds, readings: Readings, *, seats: Seats
    ) -> None:
        """By everything else that is known of the table."""
        self._counts, self._seats = counts, seats
        self._game, self._rolls, self._seeds, self._readings = game, rolls, seeds, readings
        self._wallets: dict[int, str] = {}
        """By seat: whose wallet its chips came from."""
        self._paid = False
        """Whether the last roll paid a wallet, and is not struck out any more."""
        self._same_words = True
        """Whether this very version opened the table: another may have said the same no in other words."""
        self.short: list[Short] = []

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """A refusal that nothing asks for, or another than is due."""
        if entry.kind != "refused":
            self._remember(entry)
            return
        refusal, data, asked = entry.body["refusal"], entry.body["command"], entry.body["asked"]
        code = refusal.get("code")
        if (data is None) == (asked is None):
            yield "body.asked", f"it says {code}, and not what was asked for: one command, or something else"
            return
        due = self._due(entry, data, asked)
        if due == UNKNOWN and code == "table.epoch":
            self._counts["taken_refusals"] += 1
            yield from self._words(entry)
            return
        if due is None and code in ("table.short_wallet", "table.other_wallet"):
            yield from self._wallet(entry, code, _command(data) if asked is None else None)
            return
        self._counts["refusals"] += 1
        if isinstance(due, Refusal):
            said = {"kind": "refusal", "v": 1, **{name: getattr(due, name) for name in Refusal.__dataclass_fields__}}
            if refusal != (said if self._same_words else said | {"message": refusal.get("message")}):
                yield "body.refusal", f"it says {code}, and the house says {due.code}, {due.message}"
        elif code == "table.bets_closed" and self._rolls.closed is None:
            yield "body.refusal", "it says that the bets are closed, and they are open"
        elif code != due:
            known = (
                "" if code in SENTENCES or not str(code).startswith("table.") else ", which is no code of a live table"
            )
            says = "the house allows it" if due in (None, UNKNOWN) else f"the table says {due}"
            yield "body.refusal", f"it says {code}{known}, and {says}"
        else:
            yield from self._words(entry, dice=_dice(asked))

    def _words(self, entry: Entry, **words: object) -> Iterator[Complaint]:
        """A refusal of the table's own says what one with its code says, and names no clause."""
        refusal, seat = entry.body["refusal"], (entry.body["command"] or {}).get("seat")
        code, message = refusal["code"], refusal["message"]
        if self._same_words and not is_own(code, message, actor=entry.data["actor"], **words):
            yield "body.refusal", f"it says {code}, and in words that nobody says then: {message!r}"
        if refusal["clause"] is not None or refusal["seat"] not in (None, seat):
            yield "body.refusal", f"it says {code}, with the clause or seat of another refusal"

    def _remember(self, entry: Entry) -> None:
        events, body = self._game.events, entry.body
        if entry.kind == "table_opened":
            self._same_words = body["program"] == __version__
        elif entry.kind == "rolled":
            self._paid = any(
                isinstance(event, SeatCleared) and event.held and event.seat in self._wallets for event in events
            )
        elif entry.kind == "acted":
            if body["command"]["kind"] == "command.sit":
                self._wallets.pop(body["command"]["seat"], None)
            if "wallet" in body:
                self._wallets[body["command"]["seat"]] = body["wallet"]

    # --- What is due, in the order a live table looks -----------------------------------------------------------------

    def _due(self, entry: Entry, data: dict[str, Any], asked: object) -> Refusal | str | None:
        """What had to be said to whoever asked: a refusal, the code of one, or nothing."""
        if asked is not None:
            return self._asked(entry, asked)
        if data["kind"].startswith("floor."):
            return self._seats.works(entry, data) or self._floor(entry, data)
        if self._rolls.dice == "none":
            return "table.no_game"
        if (plays := self._seats.works(entry, data)) is not None:
            return plays
        return "table.other_seat" if self._seats.is_others(entry, data) else self._command(entry, data)

    def _command(self, entry: Entry, data: dict[str, Any]) -> Refusal | str | None:
        """Why a command is refused."""
        command, dice = _command(data), self._rolls.dice
        if _too_large(data):
            return "table.too_large"
        if isinstance(command, c.StrikeOut) and self._paid:
            return "table.correction"
        if dice == "given":
            return self._engine([command])
        thrown = isinstance(command, c.Throw | c.WatchThrow)
        if dice == "fair" and (thrown or isinstance(command, CALLED)):
            return "table.dice_drawn"
        if thrown:
            return "table.dice_entered"
        if isinstance(command, c.StrikeOut):
            return "table.two_people"
        called = isinstance(command, CALLED)
        if self._rolls.closed is None and called:
            return "table.not_closed"
        over_dice = called or (dice == "real" and isinstance(command, c.LoseDie))
        if self._rolls.closed is not None and not over_dice:
            return "table.bets_closed"
        if data["kind"] in FLOOR and self._is_player(entry):
            return "table.role"
        return BY_FLOOR.get(data["kind"]) or self._engine([command])

    def _floor(self, entry: Entry, data: dict[str, Any]) -> Refusal | str | None:
        """Why the floor refuses, or what it asks for cannot move now."""
        if _too_large(data):
            return "table.too_large"
        if self._rolls.dice != "given" and alone(entry, data):
            return "table.two_people"
        answer = self._game.floor_answer(entry)
        if isinstance(answer, Refusal):
            return answer
        if (answer.game or data["kind"] == INSPECTING) and self._rolls.closed is not None:
            return "table.bets_closed"
        return "table.correction" if self._paid and _strikes_out(answer.game) else None

    def _is_player(self, entry: Entry) -> bool:
        """Whether a player asks at a table that has a crew."""
        return entry.data["role"] == "player" and self._rolls.dice != "given"

    def _asked(self, entry: Entry, asked: object) -> Refusal | str | None:
        """Why something else than a command is refused."""
        name, said = next(iter(asked.items())) if isinstance(asked, dict) and len(asked) == 1 else (asked, None)
        match name:
            case "roll" if self._rolls.dice != "fair":
                return "table.dice_entered"
            case "close_bets" if self._rolls.dice == "given":
                return "table.dice_entered"
            case "close_bets" if self._rolls.closed is not None:
                return "table.bets_closed"
            case "roll" | "close_bets":  # no refusal depends on the dice
                return self._seats.works(entry, {}) or self._engine([c.Throw(ROLLS[0])])
            case "read_dice":
                return self._read(entry, cast("list[Any]", said))
            case "close":
                hosted, rolling = cast("dict[str, Any]", said)["hosted"], self._rolls.closed is not None
                return for_good(self._game.layout, self._game.state, rolling=rolling, hosted=hosted)
            case "void" | "correct":
                return self._decided(entry, str(name), cast("dict[str, Any]", said))
            case "player_seed_committed" | "player_seed_revealed":
                return self._seed(entry, str(name), cast("dict[str, Any]", said))
            case _:
                raise ValueError(f"nobody can ask for {asked!r}")

    def _engine(self, commands: Iterable[Command]) -> Refusal | None:
        """The first no of the rules."""
        state = self._game.state
        for command in commands:
            answer = self._game.answer(command, state)
            if isinstance(answer, Refusal):
                return answer
            state = evolve(state, answer)
        return None

    def _read(self, entry: Entry, dice: list[Any]) -> Refusal | str | None:
        if self._rolls.dice != "real":
            return "table.dice_drawn"
        if self._is_player(entry):
            return "table.role"
        if (plays := self._seats.works(entry, {})) is not None:
            return plays
        if self._rolls.closed is None or self._game.state.phase == "disputed":
            return "table.not_closed"
        if len(dice) != 2 or any(type(face) is not int or not 1 <= face <= 6 for face in dice):
            return "table.dice_entered"
        return "table.two_people" if self._readings.has_read(entry.data["actor"]) else None

    def _decided(self, entry: Entry, name: str, said: dict[str, Any]) -> Refusal | str | None:
        """Two people would have a roll void, or an entry reversed."""
        if self._is_player(entry):
            return "table.role"
        if (plays := self._seats.works(entry, said)) is not None:
            return plays
        if not is_said(said["reason"]) or not is_said(said["second"]) or same_name(said["second"], entry.data["actor"]):
            return "table.two_people"
        if name == "void":
            if self._rolls.closed is None:
                return "table.not_closed"
            state = self._game.state
            commands: list[Command] = [c.CallNoRoll("interrupted")] if state.phase != "betting" else []
            if said["returned"] and any(seat.felt for seat in state.seats.values()):
                commands.append(c.ReturnAll(said["reason"]))
            return self._engine(commands)
        if self._rolls.closed is not None:
            return "table.bets_closed"
        if said["reverses"] == self._game.last_roll and not self._paid and said["reverses"] not in self._game.struck:
            return self._engine([c.StrikeOut(said["reason"])])
        return None if self._game.reversible(said["reverses"]) else "table.correction"

    def _seed(self, entry: Entry, name: str, said: dict[str, Any]) -> str | None:
        player = said["player"]
        if player != entry.data["actor"]:
            raise ValueError(f"{entry.data['actor']} speaks of a seed of {player}")
        epoch = self._seeds.epochs.get(said["epoch"])
        if epoch is None or self._rolls.closed is not None or epoch.mix:
            return "table.epoch"
        if name == "player_seed_committed":
            late = bool(epoch.seeds) or player in epoch.promised or player in self._seeds.barred
            return "table.epoch" if late or len(said["commitment"]) != COMMITMENT_DIGITS else None
        # Which seed it was is not written down, so that nobody learns one from a refusal.
        return "table.epoch" if player not in epoch.promised or player in epoch.seeds else UNKNOWN

    # --- Wallets ------------------------------------------------------------------------------------------------------

    def _wallet(self, entry: Entry, code: str, command: Command | None) -> Iterator[Complaint]:
        """Chips that nothing but a wallet forbids to buy."""
        actor = entry.data["actor"]
        owner = self._wallets.get(command.seat, actor) if isinstance(command, c.BuyIn) else actor
        if not isinstance(command, c.Sit | c.BuyIn):
            self._counts["refusals"] += 1
            yield "body.refusal", f"it says {code}, and no chips are bought: the house allows it"
        elif (owner != actor) != (code == "table.other_wallet"):
            self._counts["refusals"] += 1
            yield "body.refusal", f"it says {code}, and the chips at this seat are {owner}'s"
        elif code == "table.other_wallet":
            self._counts["refusals"] += 1
            yield from self._words(entry, owner=owner)
        else:
            yield from self._words(entry)
            amount = command.buyin if isinstance(command, c.Sit) else command.amount
            self.short.append(Short(entry.sequence, actor, amount))


def _command(data: object) -> Command:
    return cast("Command", from_data(data))


def _dice(asked: object) -> object:
    """The faces that somebody says dice show, as a refusal writes them."""
    said = asked.get("read_dice") if isinstance(asked, dict) else None
    return Roll(*said) if isinstance(said, list) and len(said) == 2 else ""


def _strikes_out(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, OutcomeStruckOut) for event in events)


def _too_large(data: object) -> bool:
    if isinstance(data, dict):
        return any(map(_too_large, data.values()))
    if isinstance(data, list):
        return any(map(_too_large, data))
    return type(data) is int and not -AMOUNT_MAX <= data <= AMOUNT_MAX
