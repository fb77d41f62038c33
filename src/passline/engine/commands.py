"""What people ask of a table, in the imperative; amounts are minor units, and a wager is whatever somebody named."""

from dataclasses import KW_ONLY
from typing import Literal

from passline.engine.table import DieMove, Notice
from passline.engine.values import Chips, Role, Roll, frozen

# How a bet reaches the dealers: chips to be booked, words with chips, words with cash, chips the player set down.
Tender = Literal["chips", "spoken", "cash", "self"]


@frozen
class Sit:
    """Take a seat and buy in."""

    seat: int
    name: str
    buyin: Chips


@frozen
class BuyIn:
    """Buy more chips."""

    seat: int
    amount: Chips


@frozen
class TakeTokens:
    """Change a voucher into promotional tokens of the same value."""

    seat: int
    amount: Chips
    by: Role | None = None  # who changes it; None: somebody who may
    flaw: str | None = None  # why its printed conditions do not allow it, if they do not


@frozen
class Leave:
    """Carry the rail away; wagers that cannot come down run on."""

    seat: int


@frozen
class Bet:
    """Put a wager up, or add to it."""

    seat: int
    wager: str
    amount: Chips
    _: KW_ONLY
    tender: Tender = "chips"
    by: tuple[Role, ...] | None = None  # who confirmed it, where somebody must: a spoken bet counts for nothing without
    tokens: Chips = 0  # how much of the amount is promotional tokens


@frozen
class LateBet:
    """Bet while the dice are in the air."""

    seat: int
    wager: str
    amount: Chips
    by: tuple[Role, ...]  # which of dealer and box confirmed it aloud
    tokens: Chips = 0


@frozen
class FindBet:
    """Find chips on the layout that nobody checked when they went down."""

    seat: int
    wager: str
    amount: Chips


@frozen
class Take:
    """Take a wager down, or down to what is left of it."""

    seat: int
    wager: str
    leave: Chips = 0


@frozen
class CallOn:
    """Call a wager on."""

    seat: int
    wager: str
    by: tuple[Role, ...] | None = None  # who put the button down; None: somebody who may


@frozen
class CallOff:
    """Call a wager off."""

    seat: int
    wager: str


@frozen
class Shoot:
    """Take the dice."""

    seat: int


@frozen
class Decline:
    """Say no to the dice."""

    seat: int


@frozen
class PassDice:
    """Give the dice up by choice."""

    seat: int


@frozen
class OrderPass:
    """Take the dice away from the shooter."""

    reason: str
    by: Role | None = None  # who takes them; None: somebody who may


@frozen
class ChooseDice:
    """Pick two dice of those in the bowl."""

    seat: int
    dice: tuple[int, ...]


@frozen
class LoseDie:
    """Tell what became of a die: it left the table, was found, was checked, is lost for good."""

    die: int
    what: DieMove
    by: Role | None = None


@frozen
class SendDice:
    """Send the dice out: betting is over until they rest."""


@frozen
class Throw:
    """Call the two dice as they lie."""

    roll: Roll


@frozen
class WatchThrow:
    """Call the two dice and tell what was wrong with the throw."""

    roll: Roll
    flaw: str


@frozen
class CallNoRoll:
    """Call the throw void."""

    reason: str
    by: Role | None = None  # who calls; None: somebody who may


@frozen
class CockedDie:
    """One die lies flat, the other leans with these sides against something."""

    sure: int
    leaning: tuple[int, ...]


@frozen
class DisputeFace:
    """One die lies flat, and people disagree about the other."""

    sure: int


@frozen
class RuleFace:
    """Decide a face in doubt, or have the throw repeated."""

    face: int | None  # none: void
    by: Role | None = None  # who rules; None: somebody who may


@frozen
class StrikeOut:
    """Invalidate the last outcome."""

    reason: str


@frozen
class ReturnAll:
    """Give every undecided wager back."""

    reason: str


@frozen
class PostNotice:
    """Change the sign, so many minutes after saying so."""

    notice: Notice
    minutes_ahead: int = 0


@frozen
class CloseTable:
    """Close the table, so many minutes after saying so."""

    minutes_ahead: int = 0
    told: Role | None = None  # who was told first


OfSeats = Sit | BuyIn | TakeTokens | Leave
OfWagers = Bet | LateBet | FindBet | Take | CallOn | CallOff
OfDice = Shoot | Decline | PassDice | OrderPass | ChooseDice | LoseDie
OfThrows = SendDice | Throw | WatchThrow | CallNoRoll | CockedDie | DisputeFace | RuleFace
OfTheFloor = StrikeOut | ReturnAll | PostNotice | CloseTable
Command = OfSeats | OfWagers | OfDice | OfThrows | OfTheFloor  # everything that can be asked
