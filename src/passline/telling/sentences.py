"""What the dealers say over the table: every event as a sentence, said to somebody; and why."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from passline.engine import events as e
from passline.engine.events import Event
from passline.engine.kinds import Fire, Repeat, Replay, Streak
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import TableState
from passline.engine.values import Role, exact_text
from passline.engine.verdicts import TALLY
from passline.floor.acts import YOU, Listener
from passline.telling.figures import counted
from passline.telling.names import spoken
from passline.telling.stick import call
from passline.telling.tables import listener


def say(layout: Layout, table: TableState, event: Event, to: int | None = None) -> str:
    """One event as a sentence, said to the player at seat `to`; `table` is the table as it stood before the act."""
    sentence = _sentence(_Speaker(*listener(layout, table, to)), event)
    return sentence[:1].upper() + sentence[1:]


def throwers(layout: Layout, table: TableState, seats: Iterable[int | None]) -> str:
    """Who threw a hand, by name, each once; the stick where no player did."""
    speaker = _Speaker(*listener(layout, table))
    names = dict.fromkeys(map(speaker.who, seats))
    sentence = ", ".join(names)
    return sentence[:1].upper() + sentence[1:]


def no(table: TableState, refused: Refusal, to: int | None = None) -> str:
    """Why the dealers say no, said to the player at seat `to`: other seats by their names, their own as *you*."""

    def named(match: re.Match[str]) -> str:
        seat, verb = int(match[1]), match[2]
        name = table.seats[seat].name if seat in table.seats else f"Seat {seat}"
        return f"You {PLURALS.get(verb, verb)}" if name == YOU else f"{name} {verb}"

    return SEAT.sub(named, to_you(refused.message, to))


def to_you(message: str, seat: int | None) -> str:
    """Why the dealers say no, as the player at `seat` hears it: of their own seat it says *you*."""

    def yours(match: re.Match[str]) -> str:
        return f"You {PLURALS.get(match[2], match[2])}" if int(match[1]) == seat else match[0]

    return SEAT.sub(yours, message)


SEAT = re.compile(r"\bSeat (\d+) (\w+)")
PLURALS = {"has": "have", "holds": "hold", "throws": "throw", "does": "do"}  # what a seat does, and what you do


class _Speaker(Listener):
    """Says names in this house's words; where no player throws, the stick does."""

    __slots__ = ()

    def who(self, seat: int | None) -> str:
        return f"the {self.crew('stick')}" if seat is None else super().who(seat)

    def does(self, seat: int | None, verb: str) -> str:
        return f"{self.who(seat)} {verb}s" if seat is None else f"{self.who(seat)} {self.verb(seat, verb)}"

    def passes(self, seat: int) -> str:
        return f"{self.who(seat)} {'pass' if self.is_you(seat) else 'passes'}"

    def are(self, seat: int) -> str:
        return f"{self.who(seat)} {'are' if self.is_you(seat) else 'is'}"

    def crew(self, role: Role) -> str:
        return self.layout.crew((role,))

    def name(self, wager: str) -> str:
        return spoken(self.layout, wager)


_FILE: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text("utf-8"))
SENTENCES = {getattr(e, name): sentence for name, sentence in _FILE["events"].items()}
STRIKING = _FILE["striking"]
FIELD = re.compile(r"\{(\w+):?(\w*)\}")


def _sentence(by: _Speaker, event: Event) -> str:  # noqa: C901 - one case for each event that is told in several ways
    def filled(field: re.Match[str]) -> str:
        value, word = getattr(event, field[1]), field[2]
        known = getattr(by, word, None) if word else str
        return known(value) if known else by.does(value, word)

    match event:
        case e.PlayerSat():
            sits = "you sit" if by.is_you(event.seat, event.name) else f"{event.name} sits"
            return f"{sits} at seat {event.seat} with {by.money(event.buyin)}."
        case e.WagerUp():
            return _up(by, event)
        case e.WagerDown():
            return _down(by, event)
        case e.WagerCalled():
            state = {"on": "is on", "off": "is off", None: "is back on"}[event.call]
            return f"{by.whose(event.seat)} {by.name(event.wager)} {state}."
        case e.DiceChosen():
            return f"{by.does(event.seat, 'pick')} dice {' and '.join(map(str, event.dice))}."
        case e.DieMoved():
            return f"die {event.die} is {'off the table' if event.what == 'off' else event.what}."
        case e.DiceThrown():
            return f"{by.does(event.thrower, 'throw')} {event.first}-{event.second}: {_called(by, event)}"
        case e.NoRollCalled():
            return f"no roll ({event.reason})" + (f", called by the {by.crew(event.by)}." if event.by else ".")
        case e.FaceDoubted():
            return f"one die shows {event.sure}, the other is {event.why}: the {by.crew('box')} calls it."
        case e.WagerWon() | e.WagerLost() if event.clause == by.layout.book.floor.closing.clause:
            return _settled(by, event)
        case e.WagerWon():
            return _won(by, event)
        case e.WagerLost():
            back = f"; {by.money(event.returned)} over the maximum goes back" if event.returned else ""
            return f"{by.does(event.seat, 'lose')} {by.money(event.stake)} on {by.name(event.wager)}{back}."
        case e.WagerTravelled():
            return _moved(by, event)
        case e.WagerTallied():
            return _tallied(by, event)
        case e.PuckTurned():
            return f"the puck is on {event.to}." if event.to else "the puck is off."
        case _:
            return FIELD.sub(filled, SENTENCES[type(event)])


def _moved(by: _Speaker, event: e.WagerTravelled) -> str:
    spot = by.layout.spots[event.to]
    kind = "don't come bet" if spot.is_dont else "come bet"
    return f"{by.whose(event.seat)} {by.money(event.stake)} {kind} moves to the {spot.number}."


def _called(by: _Speaker, event: e.DiceThrown) -> str:
    boxed = {key for seat in by.table.seats.values() for key in seat.felt}
    flat = (by.layout.spots[key] for key in boxed if by.layout.spots[key].is_flat)
    come = any(not spot.is_line and not spot.has_travelled and not spot.is_dont for spot in flat)
    words = call(by.layout, event, come=come)
    return words if words.endswith("!") else f"{words}."


def _up(by: _Speaker, event: e.WagerUp) -> str:
    total = "" if event.added == event.stake else f", {by.money(event.stake)} up"
    pays = "pay" if by.is_you(event.seat) else "pays"
    fee = f" and {pays} {by.money(event.commission)} commission" if event.commission else ""
    late = " with the dice in the air" if event.late else ""
    return f"{by.does(event.seat, 'bet')} {by.money(event.added)} on {by.name(event.wager)}{late}{total}{fee}."


def _down(by: _Speaker, event: e.WagerDown) -> str:
    left = f", leaving {by.money(event.left)}" if event.left else ""
    fee = f" with {by.money(event.refund)} commission" if event.refund else ""
    chips, wager = by.money(event.removed), by.name(event.wager)
    if event.why == "asked":
        return f"{by.does(event.seat, 'take')} {chips} off {wager}{left}{fee}."
    return f"{chips} of {by.whose(event.seat)} {wager} goes back{left}{fee} ({event.why})."


def _won(by: _Speaker, event: e.WagerWon) -> str:
    fee = f", less {by.money(event.commission)} commission" if event.commission else ""
    rounded = f" (rounded {event.rounding})" if event.rounding else ""
    won, stake = by.money(event.won), by.money(event.stake)
    lost = f"; the rest of it loses {by.money(event.lost)}" if event.lost else ""
    whose = "your" if by.is_you(event.seat) else "the"
    after = f"{stake} still up" if event.stays else f"{whose} {stake} comes back too"
    if event.stays and event.lost:
        after = f"{stake} still up, net {by.money(event.won - event.lost - event.commission)}"
    paid = f"{by.name(event.wager)} pays {by.who(event.seat)} {won} at {event.price}{rounded}{fee}"
    return f"{paid}{lost}; {after}."


def _settled(by: _Speaker, event: e.WagerWon | e.WagerLost) -> str:
    """A wager that no dice decided."""
    if isinstance(event, e.WagerWon):
        up, back = event.stake, event.returned + event.won + event.tokens
    else:
        up, back = event.stake + event.returned, event.returned
    chips = f"{by.whose(event.seat)} {by.money(up)} on {by.name(event.wager)}"
    return f"{chips} is settled at what it is worth: {by.money(back)} comes back."


def _tallied(by: _Speaker, event: e.WagerTallied) -> str:
    spot, done = by.layout.spots[event.wager], (event.mark - TALLY).bit_count()
    terms = spot.rule.terms
    points = isinstance(terms, Fire | Replay) or (isinstance(terms, Streak) and terms.of == "points")
    of = counted(done, "point") if points else f"{done} of {len(spot.counts)} numbers"
    if isinstance(terms, Repeat):
        of = f"{done} of {terms.times.value[spot.number]} times"
    return f"{by.whose(event.seat)} {by.name(event.wager)} has {of}."


# --- Why ------------------------------------------------------------------------------------------------------------


def clauses_of(event: Event | Refusal) -> tuple[str, ...]:
    """Every clause an event or a refusal rests on, the deciding one first."""
    named = (getattr(event, name, None) for name in ("clause", "rule", "note"))
    return tuple(dict.fromkeys(clause for clause in named if clause))


def cited_after(refusal: Refusal) -> str:
    """The house's clause behind a refusal; a decision of ours, such as P-10c, says nothing to a player."""
    return f" [{refusal.clause}]" if refusal.clause and ":" in refusal.clause else ""


def the_sum(layout: Layout, event: Event) -> str | None:
    """The arithmetic of a payment, as a dealer would say it; None where no money moved by a price."""
    if not isinstance(event, e.WagerWon) or event.clause == layout.book.floor.closing.clause:
        return None
    exact = exact_text(event.exact / layout.minor_per_unit)
    text = f"{layout.money(event.stake)} at {event.price} is {exact}"
    if event.lost:
        text = f"a share of {layout.money(event.stake)} at {event.price}; in all {exact}"
    if event.rounding:
        text += f", paid {layout.money(event.won)} (rounded {event.rounding})"
    if event.commission:
        text += f", less {layout.money(event.commission)} commission"
    return text
