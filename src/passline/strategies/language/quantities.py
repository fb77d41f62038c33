"""Every number that a condition can look at, each said once: what it is about, how it is found, how it is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from passline.strategies.language.conditions import Always, Condition, Decided, Happened, OneOf, Quantity, Sight

Of = str | int | None
"""The wager or the total that a number is about, where it is about one."""

Kept = tuple[Condition, Condition | None]
"""What adds one to a count after a roll, and what empties it."""

HAND_OVER = Happened("hand over")
"""What empties the counts of a hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What one word for a number means; it is seen on the table, or kept from roll to roll."""

    words: str
    """How it is told; `{}` is the wager or the total it is about."""
    about: Literal["wager", "total"] | None = None
    seen: Callable[[Sight, Of], Fraction | int] | None = None
    kept: Callable[[Of], Kept] | None = None
    is_money: bool = False
    """Whether it is money, in units, and so may be a fraction."""
    is_total: bool = False
    """Whether it is a total of the dice."""
    after_roll: bool = False
    """Whether only what is counted after a roll can ask for it."""


def _of_wager(how: Literal["won", "lost", "made"]) -> Callable[[Of], Kept]:
    return lambda wager: (Decided(how, str(wager)), HAND_OVER)


QUANTITIES: dict[str, Meaning] = {
    "point": Meaning(words="the point is", seen=lambda sight, _: sight.puck, is_total=True),
    "come_points": Meaning(words="come bets on numbers", seen=lambda sight, _: sight.travelled("come")),
    "dont_come_points": Meaning(words="don't come bets on numbers", seen=lambda sight, _: sight.travelled("dont_come")),
    "hand_rolls": Meaning(words="rolls in this hand", kept=lambda _: (Always(), HAND_OVER)),
    "hand_points": Meaning(words="points made in this hand", kept=lambda _: (Happened("point made"), HAND_OVER)),
    "rolls": Meaning(words="rolls this evening", kept=lambda _: (Always(), None)),
    "hands": Meaning(words="hands this evening", kept=lambda _: (HAND_OVER, None)),
    "stage": Meaning(words="the stage is", is_total=True),
    "last": Meaning(words="the last roll was", is_total=True),
    "profit": Meaning(words="units of profit", is_money=True),
    "peak": Meaning(words="units of profit at the best of the evening", is_money=True),
    "below_peak": Meaning(words="units below the best of the evening", is_money=True),
    "hand_profit": Meaning(words="units of profit in this hand", is_money=True),
    "just_won": Meaning(words="units that {} won with the last roll", about="wager", is_money=True),
    "bankroll": Meaning(words="units at hand", seen=lambda sight, _: sight.at_hand(), is_money=True),
    "rolled": Meaning(words="the roll is", seen=lambda sight, _: sight.total(), is_total=True, after_roll=True),
    "stake": Meaning(
        words="units up on {}", about="wager", seen=lambda sight, wager: sight.staked_on(str(wager)), is_money=True
    ),
    "count_up": Meaning(words="bets up on {}", about="wager", seen=lambda sight, wager: sight.bets_on(str(wager))),
    "wins": Meaning(words="wins of {} in this hand", about="wager", kept=_of_wager("won")),
    "losses": Meaning(words="losses of {} in this hand", about="wager", kept=_of_wager("lost")),
    "bets": Meaning(words="bets made on {} in this hand", about="wager", kept=_of_wager("made")),
    "hits": Meaning(
        words="rolls of {} in this hand",
        about="total",
        kept=lambda total: (OneOf(Quantity("rolled"), (int(total or 0),)), HAND_OVER),
    ),
}
"""`last`, and money but `bankroll` and `stake`, have no count of their own: the player's memory keeps them whole."""

PLAIN = tuple(name for name, meaning in QUANTITIES.items() if not (meaning.about or meaning.after_roll))
"""Numbers that need nothing more said."""

OF_WAGER = tuple(name for name, meaning in QUANTITIES.items() if meaning.about == "wager")
"""Numbers about a wager."""

OF_EVENING = tuple(name for name, meaning in QUANTITIES.items() if meaning.is_money and meaning.about is None)
"""Money that goes on from roll to roll; what ends the evening bounds it."""

OF_TOTAL = tuple(name for name, meaning in QUANTITIES.items() if meaning.about == "total")
"""Numbers about a total of the dice."""

AFTER_ROLL = tuple(name for name, meaning in QUANTITIES.items() if meaning.after_roll)
"""Numbers that only what is counted after a roll can ask for."""
