"""What happened at a table, in the past tense: complete, so that a reader never works a sum out again."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

from passline.engine.table import Call, DieMove, Notice
from passline.engine.values import Chips, ClauseId, Move, Price, Role, WagerKey

# Why chips come down without a decision
WhyDown = Literal[
    "asked", "its flat bet came down", "over the odds limit", "returned by the supervisor", "its roll was struck out"
]

WhyGivenUp = Literal["by choice", "by order", "no line bet", "left the table"]  # why a shooter no longer holds the dice
RoundedTo = Literal["up", "down", "nearest"]  # which way a win that chips cannot make was paid
BOOKS = "for the books"  # marks what the books need and the printed form of an event leaves out
Booked = Annotated[int, BOOKS]  # an amount in minor units that only the books need
Puck = Annotated[int, "0 is off"]  # where the puck lies: a point, or 0 when it is off


@dataclass(frozen=True, slots=True)
class OfAWager:
    """What happens to one wager of one seat."""

    seat: int
    wager: WagerKey

    @property
    def net(self) -> int:
        """What the seat won of the house by this, less what it lost to it, in cents.

        Commission counts once it is the house's for good, tokens do not count: they are no money.
        """
        from passline.engine.postings import brought, postings

        return brought(postings(self), self.seat)  # type: ignore[arg-type] # each of them is an event


@dataclass(frozen=True, slots=True)
class PlayerSat:
    """A player took a seat and bought in."""

    seat: int
    name: str
    buyin: Chips  # chips bought with the seat


@dataclass(frozen=True, slots=True)
class ChipsBought:
    """Money became chips on a rail."""

    seat: int
    amount: Chips
    clause: ClauseId | None = None


@dataclass(frozen=True, slots=True)
class TokensGiven:
    """A voucher became promotional tokens."""

    seat: int
    amount: Chips
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player carried the rail away; with wagers up, the seat waits for them."""

    seat: int
    cashed: Chips  # chips carried away
    leaves_wagers: bool  # whether wagers of theirs are still up
    tokens: Booked = 0  # tokens carried away


@dataclass(frozen=True, slots=True)
class SeatCleared:
    """The last wager of a player who had left was decided, and what it brought is held for them."""

    seat: int
    held: Chips  # chips that the cage holds for them
    tokens: Booked = 0  # tokens held for them


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerUp(OfAWager):
    """Chips went up."""

    added: Chips  # what was put there now
    stake: Chips  # what stands there now
    commission: Chips  # paid with it, and held until the wager is decided or comes down
    clause: ClauseId
    tokens: Chips = 0  # how much of what was added is promotional tokens
    call: Call | None = None  # what its button says, where one lies on it
    late: bool = False  # whether it was made while the dice were in the air
    unchecked: bool = False  # whether it reached the layout unseen and is not what the sign allows
    warned: Annotated[bool, BOOKS] = False  # whether its owner had been told before that such stakes go back


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerDown(OfAWager):
    """Chips came down without a decision."""

    removed: Chips  # what went back to the rail
    left: Chips  # what still stands there
    refund: Chips  # commission given back
    held: Chips  # commission still held
    why: WhyDown
    clause: ClauseId
    tokens: Chips = 0  # how much of it went back as tokens
    kept: Booked = 0  # commission that was held and is now the house's
    unchecked: Annotated[bool, BOOKS] = False  # whether what is left was found and is still not what the sign allows


@dataclass(frozen=True, slots=True)
class WagerCalled(OfAWager):
    """A button went down on a wager, or came off it."""

    call: Call | None
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class ButtonsLifted:
    """On calls ran out."""

    wagers: tuple[tuple[int, WagerKey], ...]  # seat and wager of each button that came off
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class DontBetsBarred:
    """A player who lowered a don't bet may make none until a new come-out."""

    seat: int
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class DontBarLifted:
    """A new come-out: don't bets are open to the player again."""

    seat: int
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class DiceOffered:
    """The stick offered the dice."""

    seat: int
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class DiceDeclined:
    """A player did not want the dice."""

    seat: int


@dataclass(frozen=True, slots=True)
class DiceTaken:
    """A player became the shooter."""

    seat: int
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class DiceGivenUp:
    """The shooter no longer holds the dice."""

    seat: int
    why: WhyGivenUp
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class DiceChosen:
    """The shooter picked dice from the bowl."""

    seat: int
    dice: tuple[int, ...]
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class DieMoved:
    """A die left the table, or came back to it, or did not."""

    die: int
    what: DieMove
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class NewSetDue:
    """So many dice are lost that a fresh set is needed when these are given up."""

    clause: ClauseId


@dataclass(frozen=True, slots=True)
class NewSetBrought:
    """A fresh set of dice came to the table and the old one left."""

    dice: int
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class DiceSent:
    """The dice went out; betting is over until they rest."""

    thrower: int | None  # none: the stick throws
    come_only: Annotated[bool, BOOKS] = False  # thrown only to decide come bets


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceThrown:
    """A valid throw came to rest and was called."""

    first: int
    second: int
    total: int
    thrower: int | None  # none: the stick threw
    puck: Puck  # where the puck was when the dice were thrown
    come_only: bool = False  # thrown only to decide come bets: sets no point and ends no hand


@dataclass(frozen=True, slots=True)
class NoRollCalled:
    """The throw does not count, and nothing moves."""

    reason: str
    by: Role | None
    clause: ClauseId | None


@dataclass(frozen=True, slots=True)
class FaceDoubted:
    """The upper face of a die waits for the box's ruling."""

    sure: int
    why: str
    clause: ClauseId
    thrower: Annotated[int | None, BOOKS] = None  # whose throw it was; None: the stick's
    come_only: Annotated[bool, BOOKS] = False  # thrown only to decide come bets


@dataclass(frozen=True, slots=True)
class FaceRead:
    """A leaning or disputed die was read."""

    face: int
    clause: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerWon(OfAWager):
    """A wager was paid."""

    stake: Chips  # what was at risk, as settled
    price: Price  # what it was paid at
    won: Chips  # the winnings as paid, before commission on a win
    commission: Chips  # taken out of the winnings
    held: Chips  # of that, what stays the player's if the bet comes down before its next decision
    returned: Chips  # stake that went back to the rail
    lost: Chips  # stake of a split that did not win
    stays: bool  # whether its stake is still up
    exact: Fraction  # the winnings before rounding, in minor units
    rounding: RoundedTo | None  # which way it was rounded, if it was
    clause: ClauseId
    rule: ClauseId  # the clause that makes it win; `clause` is the one that prices it
    tokens: Chips = 0  # tokens that went back to the player
    collected: Chips = 0  # tokens that the house kept
    note: ClauseId | None = None  # the clause of anything unusual: rounding, a cap, a lower multiple
    kept: Booked = 0  # commission that was held for this decision and is now the house's
    refund: Booked = 0  # commission that was held for what was over the maximum, and went back with it
    tokens_over: Booked = 0  # of the tokens that went back, those that were over the maximum


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerLost(OfAWager):
    """A stake went to the bank."""

    stake: Chips  # what went to the bank
    clause: ClauseId
    returned: Chips = 0  # what was over the maximum and went back
    tokens: Chips = 0  # of the stake, tokens that the house collected
    note: ClauseId | None = None  # the clause of anything unusual: a cap
    kept: Booked = 0  # commission that was held for this decision and is now the house's
    refund: Booked = 0  # commission that was held for what was over the maximum, and went back with it
    tokens_over: Booked = 0  # of what went back, tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerPushed(OfAWager):
    """A wager stood off on its barred number."""

    stake: Chips
    stays: bool  # whether its stake is still up
    clause: ClauseId
    tokens: Chips = 0  # how much of the stake is tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerReturned(OfAWager):
    """A wager went back undecided: it was off when its flat bet was decided, or was no bet."""

    stake: Chips
    refund: Chips  # commission given back
    clause: ClauseId
    tokens: Chips = 0  # how much of the stake is tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerTravelled(OfAWager):
    """A come or don't come left its box for its number."""

    to: WagerKey  # the spot it stands on now
    stake: Chips
    clause: ClauseId
    tokens: Booked = 0  # how much of it is tokens


@dataclass(frozen=True, slots=True)
class WagerTallied(OfAWager):
    """A wager with memory remembers this roll."""

    mark: int  # what it has seen so far, a bit for each


@dataclass(frozen=True, slots=True)
class PuckTurned:
    """The puck moved: on to a point, or off."""

    to: Puck
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class SevenOut:
    """The hand ended and the dice go to the next shooter."""

    shooter: int | None
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class ShooterLost:
    """The dice pass without a seven-out, in a house where any pass loss ends a hand."""

    shooter: int | None
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class PlayerWarned:
    """A player was told that further stakes under the minimum will be given back."""

    seat: int
    wager: WagerKey
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class OutcomeStruckOut:
    """The last outcome was invalidated: the table stands as it did before that throw, but for dice touched since."""

    reason: str
    clause: ClauseId
    undone: Annotated[tuple[Move, ...], BOOKS] = ()  # what goes back to where it was


@dataclass(frozen=True, slots=True)
class NoticePosted:
    """The sign changed; wagers already up stand."""

    notice: Notice
    clause: ClauseId


@dataclass(frozen=True, slots=True)
class TableClosing:
    """The last hand was announced."""

    clause: ClauseId


# How the dice end a wager, or a winner's turn that stays up
Decision = WagerWon | WagerLost | WagerPushed | WagerReturned

OfSeats = PlayerSat | ChipsBought | TokensGiven | PlayerLeft | SeatCleared
OfWagers = WagerUp | WagerDown | WagerCalled | ButtonsLifted | DontBetsBarred | DontBarLifted
OfDice = DiceOffered | DiceDeclined | DiceTaken | DiceGivenUp | DiceChosen | DieMoved | NewSetDue | NewSetBrought
OfThrows = DiceSent | DiceThrown | NoRollCalled | FaceDoubted | FaceRead
OfRolls = Decision | WagerTravelled | WagerTallied | PuckTurned | SevenOut | ShooterLost | PlayerWarned
OfTheFloor = OutcomeStruckOut | NoticePosted | TableClosing
Event = OfSeats | OfWagers | OfDice | OfThrows | OfRolls | OfTheFloor  # everything that can have happened
