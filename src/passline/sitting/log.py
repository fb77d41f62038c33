"""What one person hears at a table: every event as a sentence, what each roll brought and why, the felt in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from passline.engine import events as e
from passline.engine.events import Event, WagerTravelled
from passline.engine.layout import Layout
from passline.engine.postings import brought, postings
from passline.engine.table import Seat, TableState
from passline.sitting import amounts
from passline.telling.card import sign
from passline.telling.figures import signed
from passline.telling.names import spoken
from passline.telling.sentences import puck_line, say, seat_lines
from passline.telling.stick import call

if TYPE_CHECKING:
    from passline.sitting.sitting import Sitting
    from passline.table import Moment, Table

# What a line of the log is about, so that a screen can colour what the words already say.
Tone = Literal["call", "win", "lose", "mine", "other", "no", "asks", "table"]
Settled = e.WagerWon | e.WagerLost | e.WagerPushed | e.WagerReturned | e.WagerTravelled
QUIET = (e.DiceSent,)  # what nobody says aloud
# What everybody must hear, what the table shows as well, and what is one's own; all else is somebody's act.
CALLED = (e.DiceThrown, e.NoRollCalled, e.FaceDoubted, e.FaceRead, e.OutcomeStruckOut)
SHOWN = (e.PuckTurned, e.SevenOut, e.ShooterLost)
TONES: dict[type, Tone] = {**dict.fromkeys(CALLED, "call"), **dict.fromkeys(SHOWN, "table")}
OWN_TONES: dict[type, Tone] = {e.WagerWon: "win", e.WagerLost: "lose"}
RESULTS_LEAST, RESULTS_MAX = 3, 5


@dataclass(frozen=True, slots=True)
class LogLine:
    text: str
    tone: Tone


class Settlement(NamedTuple):
    thrown: e.DiceThrown
    mine: tuple[Settled, ...]
    brought: int  # what the bank paid the person less what it took, in minor units
    everybody: dict[int, int]


def is_gone(event: Settled) -> bool:
    """Whether a wager is off the felt by this: it does not stay, and its chips did not go to a number."""
    return not getattr(event, "stays", isinstance(event, e.WagerTravelled))


def settlements(before: TableState, events: Iterable[Event], me: int) -> Iterator[Settlement]:
    mine = tuple(event for event in events if isinstance(event, Settled) and event.seat == me)
    for event in events:
        if isinstance(event, e.DiceThrown):
            moves = [move for each in events for move in postings(each)]
            everybody = {seat: brought(moves, seat) for seat in before.seats}
            yield Settlement(event, mine, everybody.get(me, 0), everybody)


class Log:
    """Everything said so far, as one person hears it; it reads the table's history whenever somebody looks."""

    def __init__(self, table: Table, me: int) -> None:
        self.table, self.me = table, me
        self.entries: list[LogLine] = []
        self.settlements: list[Settlement] = []
        self.decided: dict[str, int] = {}  # what the dice last took off the person's felt; a come bet as it started
        self.hardways: dict[str, int] = {}  # the hardways that the person lost, each with its last stake
        self._read = 0

    def listen(self) -> Log:
        for moment in self.table.history[self._read :]:
            self._hear(moment)
        self._read = len(self.table.history)
        return self

    def note(self, text: str, tone: Tone = "no") -> None:
        """Write down what is no act at the table; a refusal is told where it is made."""
        self.listen().entries.append(LogLine(text, tone))

    def _hear(self, moment: Moment) -> None:
        self.settlements += settlements(moment.before, moment.events, self.me)
        for event in moment.events:
            if not isinstance(event, QUIET) and not (isinstance(event, e.WagerTallied) and event.seat != self.me):
                sentence = say(self.table.house.layout, moment.before, event, self.me)
                own = OWN_TONES.get(type(event), "mine") if getattr(event, "seat", None) == self.me else "other"
                self.entries.append(LogLine(sentence, TONES.get(type(event), own)))
        mine = [event for event in moment.events if isinstance(event, Settled) and event.seat == self.me]
        gone = [(self.table.house.spots[event.wager], event.stake) for event in mine if is_gone(event)]
        decided = {spot.family if spot.has_travelled else spot.key: stake for spot, stake in gone}
        self.decided = decided or self.decided
        self.hardways |= {key: stake for key, stake in decided.items() if key.startswith("hard_")}


def felt(sitting: Sitting) -> list[str]:
    state, layout = sitting.state, sitting.layout
    lines = [f"{sitting.table.house.name}: {sign(layout, state.notice)}. {puck_line(state)}"]
    lines += seat_lines(layout, state, keys=True)
    if sitting.seat is None:
        return lines
    families: dict[str, str] = {}  # a family on many numbers in one word: `place_4/5/6`
    for spot in layout.offered():
        if amounts.is_open(layout, state, sitting.me, spot.key) is None:
            known, family = families.get(spot.family), spot.family
            families[family] = f"{known}/{spot.key.removeprefix(f'{family}_')}" if known else spot.key
    return [*lines, f"Can be bet now: {', '.join(families.values()) or 'nothing'}."]


def result(sitting: Sitting) -> str:
    """What the last roll did to the person: `6-3: you win 14 (Place 9 +14); Come 10 goes to the 9`."""
    return result_of(sitting.layout, sitting.me, sitting.settlements[-1]) if sitting.settlements else ""


def result_of(layout: Layout, me: int, settled: Settlement) -> str:
    thrown, mine, net, _ = settled
    money, spots = layout.money, layout.spots
    each = [(spoken(layout, event.wager), brought(postings(event), me)) for event in mine]
    parts = ", ".join(f"{name} {signed(layout, won)}" for name, won in _folded([one for one in each if one[1]]))
    net_result = _came_to(layout, net) if parts else "no decision for you"
    gone = [event for event in mine if isinstance(event, WagerTravelled)]
    moved = "".join(f"; {spots[go.wager].name} {money(go.stake)} goes to the {spots[go.to].number}" for go in gone)
    return f"{thrown.first}-{thrown.second}: {net_result}{f' ({parts})' if parts else ''}{moved}."


def _came_to(layout: Layout, net: int) -> str:
    return f"you win {layout.money(net)}" if net > 0 else f"you lose {layout.money(-net)}" if net else "you are even"


def at_worth(layout: Layout, net: int) -> str:
    """What a player is told whose bets no dice decided."""
    return f"Your bets are settled at what they are worth: {_came_to(layout, net)}."


def struck_out(layout: Layout, before: Seat, after: Seat) -> str:
    """What becomes of a player's chips when the last roll does not count."""
    rail, up = after.rail - before.rail, amounts.on_felt(after) - amounts.on_felt(before)
    moved = [f"{layout.money(abs(rail))} {'comes back to' if rail > 0 else 'goes back from'} your rail"] * bool(rail)
    moved += [f"{layout.money(abs(up))} {'is back on' if up > 0 else 'comes off'} the felt"] * bool(up)
    return f"That roll does not count: {' and '.join(moved) or 'nothing of yours was on it'}."


def _folded(each: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The results from the largest; of many, those that most of the money is in, and the others as one."""
    ranked, money = sorted(each, key=lambda one: -abs(one[1])), sum(abs(won) for _, won in each)
    most = RESULTS_LEAST
    while 4 * sum(abs(won) for _, won in ranked[most:]) > money and most < RESULTS_MAX:
        most += 1
    rest, others = ranked[most:], sum(won for _, won in ranked[most:])
    together = "" if others else " together"
    return ranked if len(rest) < 2 else [*ranked[:most], (f"and {len(rest)} more{together}", others)]


def why(sitting: Sitting, back: int = 0) -> list[str]:
    """The settlements of the last roll, or of so many rolls before it, each with its sum and clauses."""
    settled = sitting.settlements
    if back >= len(settled):
        return ["No roll has been settled yet."]
    thrown, events, _, _ = settled[-1 - back]
    lines = [f"Roll {len(settled) - back}, {thrown.first}-{thrown.second}: {call(sitting.layout, thrown)}."]
    for event in events:
        lines += ["", *sitting.table.explain(event, sitting.me).splitlines()]
    return lines if events else [*lines, "", "Nothing of yours was decided."]
