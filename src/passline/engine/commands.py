"""What people ask of a table, in the imperative; amounts are grains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from passline.engine.table import Notice
    from passline.engine.values import Roll

Tender = Literal["chips", "spoken", "cash", "self"]
"""How a bet reaches the dealers: chips to be booked, words with chips, words with cash, chips the player set down."""


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat and buy in."""

    seat: int
    name: str
    buyin: int


@dataclass(frozen=True, slots=True)
class BuyIn:
    """Buy more chips."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class TakeTokens:
    """Change a voucher into promotional tokens of the same value."""

    seat: int
    amount: int
    by: str | None = None
    """Who changes it; None: somebody who may."""
    flaw: str | None = None
    """Why its printed conditions do not allow it, if they do not."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Carry the rail away; wagers that cannot come down run on."""

    seat: int


@dataclass(frozen=True, slots=True)
class Bet:
    """Put a wager up, or add to it."""

    seat: int
    wager: str
    amount: int
    tender: Tender = "chips"
    by: tuple[str, ...] | None = None
    """Who confirmed it; None: as the house wants it."""
    tokens: int = 0
    """How much of the amount is promotional tokens."""


@dataclass(frozen=True, slots=True)
class LateBet:
    """Bet while the dice are in the air."""

    seat: int
    wager: str
    amount: int
    by: tuple[str, ...]
    """Which of dealer and box confirmed it aloud."""
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class FindBet:
    """Find chips on the layout that nobody checked when they went down."""

    seat: int
    wager: str
    amount: int


@dataclass(frozen=True, slots=True)
class Take:
    """Take a wager down, or down to what is left of it."""

    seat: int
    wager: str
    leave: int = 0


@dataclass(frozen=True, slots=True)
class CallOn:
    """Call a wager on."""

    seat: int
    wager: str
    by: tuple[str, ...] | None = None
    """Who put the button down; None: somebody who may."""


@dataclass(frozen=True, slots=True)
class CallOff:
    """Call a wager off."""

    seat: int
    wager: str


@dataclass(frozen=True, slots=True)
class Shoot:
    """Take the dice."""

    seat: int


@dataclass(frozen=True, slots=True)
class Decline:
    """Say no to the dice."""

    seat: int


@dataclass(frozen=True, slots=True)
class PassDice:
    """Give the dice up by choice."""

    seat: int


@dataclass(frozen=True, slots=True)
class OrderPass:
    """Take the dice away from the shooter."""

    reason: str
    by: str | None = None
    """Who takes them; None: somebody who may."""


@dataclass(frozen=True, slots=True)
class ChooseDice:
    """Pick two dice of those in the bowl."""

    seat: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LoseDie:
    """Tell what became of a die: it left the table, was found, was checked, is lost for good."""

    die: int
    what: Literal["off", "found", "checked", "lost"]
    by: str | None = None


@dataclass(frozen=True, slots=True)
class SendDice:
    """Send the dice out: betting is over until they rest."""


@dataclass(frozen=True, slots=True)
class Throw:
    """Call the two dice as they lie."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class WatchThrow:
    """Call the two dice and tell what was wrong with the throw."""

    roll: Roll
    flaw: str


@dataclass(frozen=True, slots=True)
class CallNoRoll:
    """Call the throw void."""

    reason: str
    by: str | None = None
    """Who calls; None: somebody who may."""


@dataclass(frozen=True, slots=True)
class CockedDie:
    """One die lies flat, the other leans with these sides against something."""

    sure: int
    leaning: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DisputeFace:
    """One die lies flat, and people disagree about the other."""

    sure: int


@dataclass(frozen=True, slots=True)
class RuleFace:
    """Decide a face in doubt, or have the throw repeated."""

    face: int | None
    """None: void."""
    by: str | None = None
    """Who rules; None: somebody who may."""


@dataclass(frozen=True, slots=True)
class StrikeOut:
    """Invalidate the last outcome."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReturnAll:
    """Give every undecided wager back."""

    reason: str


@dataclass(frozen=True, slots=True)
class PostNotice:
    """Change the sign, so many minutes after saying so."""

    notice: Notice
    minutes_ahead: int = 0


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Close the table, so many minutes after saying so."""

    minutes_ahead: int = 0


Command = (
    Sit
    | BuyIn
    | TakeTokens
    | Leave
    | Bet
    | LateBet
    | FindBet
    | Take
    | CallOn
    | CallOff
    | Shoot
    | Decline
    | PassDice
    | OrderPass
    | ChooseDice
    | LoseDie
    | SendDice
    | Throw
    | WatchThrow
    | CallNoRoll
    | CockedDie
    | DisputeFace
    | RuleFace
    | StrikeOut
    | ReturnAll
    | PostNotice
    | CloseTable
)
"""Everything that can be asked."""
