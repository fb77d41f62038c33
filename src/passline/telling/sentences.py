"""What is said over the table: every event as a sentence to somebody, and why; the table in words, as it stands."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from passline.engine import events as e
from passline.engine.events import Event
from passline.engine.kinds import Fire, Repeat, Replay, Streak
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import TableState, Wager
from passline.engine.values import Role, exact_text
from passline.engine.verdicts import TALLY
from passline.floor.acts import YOU, FloorEvent, Listener
from passline.telling.card import sign
from passline.telling.figures import capital, counted, listed
from passline.telling.names import came, spoken, tally
from passline.telling.stick import call


def listener(layout: Layout, table: TableState, seat: int | None = None) -> Listener:
    return Listener(layout, table, seat, partial(sign, layout))


def say(layout: Layout, table: TableState, event: Event, to: int | None = None) -> str:
    """One event as a sentence, said to the player at seat `to`; `table` is the table as it stood before the act."""
    return capital(_sentence(_Speaker(*listener(layout, table, to)), event))


def say_floor(layout: Layout, table: TableState, event: FloorEvent, to: int | None = None) -> str:
    """One event of the floor as a sentence, said to the player at seat `to`."""
    return capital(event.say(listener(layout, table, to)))


def throwers(layout: Layout, table: TableState, seats: Iterable[int | None]) -> str:
    """Who threw a hand, by name, each once; the stick where no player did."""
    return capital(", ".join(dict.fromkeys(map(_Speaker(*listener(layout, table)).who, seats))))


def no(table: TableState, refused: Refusal, to: int | None = None) -> str:
    """Why the dealers say no, said to the player at seat `to`: other seats by their names, their own as *you*."""

    def named(match: re.Match[str]) -> str:
        seat = int(match[1])
        name = table.seats[seat].name if seat in table.seats else f"Seat {seat}"
        return _you(match) if name == YOU else f"{name} {match[2]}"

    return SEAT.sub(named, to_you(refused.message, to))


def to_you(message: str, seat: int | None) -> str:
    """Why the dealers say no, as the player at `seat` hears it: of their own seat it says *you*."""
    return SEAT.sub(lambda match: _you(match) if int(match[1]) == seat else match[0], message)


def _you(match: re.Match[str]) -> str:
    return f"You {PLURALS.get(match[2], match[2])}"


SEAT = re.compile(r"\bSeat (\d+) (\w+)")
PLURALS = {"has": "have", "holds": "hold", "throws": "throw", "does": "do"}  # what a seat does, and what you do
SINGULARS = {"are": "is", "pass": "passes"}


class _Speaker(Listener):
    """Says names in this house's words; where no player throws, the stick does."""

    __slots__ = ()

    def who(self, seat: int | None) -> str:
        return f"the {self.crew('stick')}" if seat is None else super().who(seat)

    def does(self, seat: int | None, verb: str) -> str:
        you = seat is not None and self.is_you(seat)
        return f"{self.who(seat)} {verb if you else SINGULARS.get(verb, f'{verb}s')}"

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
            spot = by.layout.spots[event.to]
            kind = "don't come bet" if spot.is_dont else "come bet"
            return f"{by.whose(event.seat)} {by.money(event.stake)} {kind} moves to the {spot.number}."
        case e.WagerTallied():
            return _tallied(by, event)
        case e.PuckTurned():
            return f"the puck is on {event.to}." if event.to else "the puck is off."
        case _:
            return FIELD.sub(filled, SENTENCES[type(event)])


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
    after += f", net {by.money(event.won - event.lost - event.commission)}" if event.stays and event.lost else ""
    paid = f"{by.name(event.wager)} pays {by.who(event.seat)} {won} at {event.price}{rounded}{fee}"
    return f"{paid}{lost}; {after}."


def _settled(by: _Speaker, event: e.WagerWon | e.WagerLost) -> str:
    """A wager that no dice decided."""
    up, back = event.stake + event.returned, event.returned
    if isinstance(event, e.WagerWon):
        up, back = event.stake, event.returned + event.won + event.tokens
    chips = f"{by.whose(event.seat)} {by.money(up)} on {by.name(event.wager)}"
    return f"{chips} is settled at what it is worth: {by.money(back)} comes back."


def _tallied(by: _Speaker, event: e.WagerTallied) -> str:
    spot, done = by.layout.spots[event.wager], (event.mark - TALLY).bit_count()
    terms = spot.rule.terms
    points = isinstance(terms, Fire | Replay) or (isinstance(terms, Streak) and terms.of == "points")
    of = counted(done, "point") if points else f"{done} of {len(spot.counts)} numbers"
    of = f"{done} of {terms.times.value[spot.number]} times" if isinstance(terms, Repeat) else of
    return f"{by.whose(event.seat)} {by.name(event.wager)} has {of}."


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


def puck_line(state: TableState) -> str:
    puck = f"ON {state.puck}" if state.puck else "OFF"
    shooter = "No shooter" if state.shooter is None else f"Shooter: {state.seats[state.shooter].name}"
    return f"Puck {puck}. {shooter}."


def seat_lines(layout: Layout, state: TableState, *, keys: bool = False) -> Iterator[str]:
    """A line for each seat: its rail, and its wagers by the house's names or by their keys."""
    for number, seat in state.seats.items():
        up = ", ".join(_wager(layout, key, wager, keys=keys) for key, wager in seat.felt.items())
        name = f"{seat.name} (away)" if seat.away else seat.name
        yield f"  {number} {name}: {layout.money(seat.rail)} on the rail; {up or 'no bets'}"


def _wager(layout: Layout, key: str, wager: Wager, *, keys: bool) -> str:
    """A wager with what the dealers see beside its chips: a button, commission held, the numbers that have come."""
    stake = layout.money(wager.stake)
    if keys:
        return f"{key} {stake}" + f" {wager.call or ''}".rstrip()
    spot = layout.spots[key]
    beside: list[str] = [wager.call] if wager.call else []
    beside += [f"commission {layout.money(wager.held)}"] if wager.held else []
    counted = tally(spot, wager.mark)
    beside += [f"has {listed(came(counted[0]))}"] if counted and counted[0] else []
    return f"{stake} on {spot.name}" + (f" ({', '.join(beside)})" if beside else "")


def readings_differ(readings: Iterable[Mapping[str, Any]]) -> str:
    read = " and ".join(f"{each['actor']} read {'-'.join(map(str, each['dice']))}" for each in readings)
    return f"{read}. The roll is held: look at the dice again, and both read them anew."
