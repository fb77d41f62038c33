"""What can be done now, in a sentence that is always there."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from passline.engine import shooting
from passline.engine.commands import Bet
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.layout import Spot
from passline.engine.refusals import Refusal
from passline.engine.table import TableState
from passline.sitting import amounts
from passline.sitting.log import is_gone
from passline.sitting.talk import talk
from passline.telling.sentences import no

if TYPE_CHECKING:
    from passline.sitting.sitting import Sitting


Asks = Mapping[str, str]
HOW_TO: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("hints.toml").read_text("utf-8"))
KEYS, WORDS, PAGE = ({act: ways[at] for act, ways in HOW_TO.items()} for at in range(3))
# The page of somebody whom the dice are not sent out for.
WAITS = PAGE | dict.fromkeys(("roll", "others", "faces"), "wait for the dice")
YOU = "You throw."
LINE_MAX = 78


def what_now(sitting: Sitting, asks: Asks = KEYS, about: int = 0) -> str:
    """What the person can do now with a chip in hand, in at most a line; and what a dealer would offer, if it fits."""
    if sitting.typed and asks is not KEYS:
        asks = {**asks, "roll": asks["faces"], "others": asks["faces"]}
    hint = _what_now(sitting, asks, about)
    for offer in _offers(sitting, asks):
        # Words fold; keys have one line on the felt.
        hint = f"{hint} {offer}" if asks is not KEYS or len(hint) + 1 + len(offer) <= LINE_MAX else hint
    return hint


def _offers(sitting: Sitting, asks: Asks) -> list[str]:
    """What a dealer would say to a winner, and to somebody whose chips are gone."""
    if sitting.seat is None or sitting.left or sitting.state.phase != "betting":
        return []
    rail = sitting.at_the_rail()
    won = next((key for key, paid in rail.won.items() if paid.stays), None)
    offers = []
    if won is not None and won in sitting.felt:
        offers.append(f"{asks['press'].format(name=sitting.layout.spots[won].name, key=won)}.")
    last = sitting.settlements[-1].mine if sitting.settlements else ()
    if asks["repeat"] and any(map(is_gone, last)) and talk(rail, "same bet").commands:
        offers.append(f"{asks['repeat']}.")
    return offers


def _waits(sitting: Sitting, asks: Asks) -> str | None:
    """Why nothing is bet now: somebody has left, dice are out, nothing is left to bet."""
    state, seat = sitting.state, sitting.seat
    if seat is None or seat.away or sitting.left:
        return "You have left the table."
    if state.phase == "disputed":
        return f"A die is in doubt: {asks['rule']}."
    if state.phase == "dice out":
        return f"The dice are out: {asks['faces']}." if sitting.typed else f"The dice are in the air: {asks['land']}."
    if _is_broke(sitting) and not seat.felt:
        return f"You can't cover the minimum: {asks['thin']}."
    return None


def _is_broke(sitting: Sitting) -> bool:
    """Whether nothing on the rail makes a bet, so that none is suggested."""
    return sitting.rail < sitting.state.notice.least


def _what_now(sitting: Sitting, asks: Asks, about: int) -> str:
    state, layout = sitting.state, sitting.layout
    waits = _waits(sitting, asks)
    if waits:
        return waits
    mine, broke = shooting.has_line_bet(layout, state, sitting.me), _is_broke(sitting)
    line = layout.spots[layout.line[0]] if layout.line and not broke else None
    nobody = isinstance(shooting.who_throws(layout, state), Refusal)
    if nobody and not mine and not state.puck and sitting.alone and broke:
        way = asks["back" if talk(sitting.at_the_rail(), "take me down").commands else "thin"]
        return f"No chips are left for the line bet that rolls the dice: {way}."
    if sitting.offered:
        return _offered(sitting, line if not mine else None, asks, about)
    throws = _throws(sitting, state)
    if mine and not throws and nobody:
        return f"No one has the dice: {asks['take']}."
    if state.puck:
        behind = {layout.spots[key].odds for key in sitting.felt} - {"", *sitting.felt}
        bet = "" if broke else "bet a number or the come, or "
        if any(amounts.is_open(layout, state, sitting.me, odds) is None for odds in behind):
            bet = f"{asks['odds']} "
        head = f"The point is {state.puck}: {bet}"
    elif mine or line is None:
        head = "The puck is off and your line bet is up: "
    elif state.shooter == sitting.me:
        stick = layout.book.shooter.no_shooter.value == "stickperson"
        others = throws.replace("The ", "the ", 1) if throws.startswith("The ") else throws
        others = others or ("the stick throws, once anything is up." if stick else "")
        return f"Your dice: {_bet(sitting, line, asks, about)} to roll" + (f"; if not, {others}" if others else ".")
    else:
        throws = _throws_after(sitting, line)
        head = f"The puck is off: {_bet(sitting, line, asks, about)}, then "
    # *Roll* is said to nobody for whom another throws.
    return f"{head}{asks['roll' if throws in {YOU, ''} else 'others']}. {throws}".rstrip()


def _offered(sitting: Sitting, line: Spot | None, asks: Asks, about: int) -> str:
    """What dice on offer want of the person: an answer, or the bet on `line` that is one."""
    if line is None:
        mine = shooting.has_line_bet(sitting.layout, sitting.state, sitting.me)
        if mine and sitting.alone:  # there is nobody to decline them to
            return f"The dice are yours: {asks['roll']}."
        return f"Dice to you: {asks['shoot'] if mine else asks['offer']}."
    bet = f"{_bet(sitting, line, asks, about)} to shoot."
    return f"Dice to you: {asks['offer']}; {bet}" if sitting.undecided else f"The dice are yours: {bet}"


def _bet(sitting: Sitting, spot: Spot, asks: Asks, about: int) -> str:
    stake = sitting.layout.money(_amount(sitting, spot, about))
    return asks["bet"].format(name=spot.name, key=spot.key, amount=stake)


def _amount(sitting: Sitting, spot: Spot, about: int = 0) -> int:
    least = sitting.state.notice.least
    amount = amounts.to_bet(sitting.layout, sitting.state, sitting.me, spot.key, about or least)
    return least if isinstance(amount, Refusal) else amount


def _throws(sitting: Sitting, state: TableState) -> str:
    """Who throws when the dice go out: the person, if the dice are then theirs to take."""
    offered = shooting.offer(sitting.layout, state)
    if offered == sitting.me:
        return YOU
    thrower = shooting.who_throws(sitting.layout, state)
    if offered is not None and (isinstance(thrower, Refusal) or thrower.seat != offered):
        return f"The dice are offered to {state.seats[offered].name}."
    holder, threw = state.shooter, None if isinstance(thrower, Refusal) else thrower.seat
    if holder is not None and holder not in (sitting.me, threw) and not state.puck:
        return f"{state.seats[holder].name} holds the dice, and throws with a line bet."
    if isinstance(thrower, Refusal):
        return "" if thrower.code == "dice.no_shooter" else no(state, thrower, sitting.me)
    if thrower.seat is None:
        return "The stick throws."
    return YOU if thrower.seat == sitting.me else f"{state.seats[thrower.seat].name} throws."


def _throws_after(sitting: Sitting, line: Spot) -> str:
    """Who throws once the person has bet the line; dice that are another's to take until then are not called theirs.

    Where nobody has bet, everybody could be the first: read by all, only one of them would be told the truth.
    """
    state = sitting.state
    answer = decide(sitting.layout, state, Bet(sitting.me, line.key, _amount(sitting, line)))
    throws = _throws(sitting, state if isinstance(answer, Refusal) else evolve(state, answer))
    offered = shooting.offer(sitting.layout, state)
    if throws == YOU and offered is not None:
        return f"Until then the dice are offered to {state.seats[offered].name}."
    return throws
