"""What happened at a table, in the past tense: complete, so that a reader never works a sum out again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

if TYPE_CHECKING:
    from passline.engine.table import Call, Notice

WhyDown = Literal["asked", "its flat bet came down", "over the odds limit", "returned by the supervisor"]
"""Why chips come down without a decision."""

RoundedTo = Literal["up", "down", "nearest"]
"""Which way a win that chips cannot make was paid."""

Chips = Annotated[int, "grains"]
"""An amount in grains; a field of this type is money."""

Puck = Annotated[int, "0 is off"]
"""Where the puck lies: a point, or 0 when it is off."""


@dataclass(frozen=True, slots=True)
class PlayerSat:
    """A player took a seat and bought in."""

    seat: int
    name: str
    buyin: Chips


@dataclass(frozen=True, slots=True)
class ChipsBought:
    """Money became chips on a rail."""

    seat: int
    amount: Chips
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class TokensGiven:
    """A voucher became promotional tokens."""

    seat: int
    amount: Chips
    clause: str


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player carried the rail away; with wagers up, the seat waits for them."""

    seat: int
    cashed: Chips
    leaves_wagers: bool


@dataclass(frozen=True, slots=True)
class SeatCleared:
    """The last wager of a player who had left was decided, and what it brought is held for them."""

    seat: int
    held: Chips


@dataclass(frozen=True, slots=True)
class WagerUp:
    """Chips went up."""

    seat: int
    wager: str
    added: Chips
    stake: Chips
    """What stands there now."""
    commission: Chips
    clause: str
    tokens: Chips = 0
    call: Call | None = None
    late: bool = False
    unchecked: bool = False


@dataclass(frozen=True, slots=True)
class WagerDown:
    """Chips came down without a decision."""

    seat: int
    wager: str
    removed: Chips
    left: Chips
    refund: Chips
    """Commission given back."""
    held: Chips
    """Commission still held."""
    why: WhyDown
    clause: str
    tokens: Chips = 0
    """How much of it went back as tokens."""


@dataclass(frozen=True, slots=True)
class WagerCalled:
    """A button went down on a wager, or came off it."""

    seat: int
    wager: str
    call: Call | None
    clause: str


@dataclass(frozen=True, slots=True)
class ButtonsLifted:
    """On calls ran out."""

    wagers: tuple[tuple[int, str], ...]
    """Seat and wager of each button that came off."""
    clause: str


@dataclass(frozen=True, slots=True)
class DontBetsBarred:
    """A player who lowered a don't bet may make none until a new come-out."""

    seat: int
    clause: str


@dataclass(frozen=True, slots=True)
class DontBarLifted:
    """A new come-out: don't bets are open to the player again."""

    seat: int
    clause: str


@dataclass(frozen=True, slots=True)
class DiceOffered:
    """The stick offered the dice."""

    seat: int
    clause: str


@dataclass(frozen=True, slots=True)
class DiceDeclined:
    """A player did not want the dice."""

    seat: int


@dataclass(frozen=True, slots=True)
class DiceTaken:
    """A player became the shooter."""

    seat: int
    clause: str


@dataclass(frozen=True, slots=True)
class DiceGivenUp:
    """The shooter no longer holds the dice."""

    seat: int
    why: Literal["by choice", "by order", "no line bet", "left the table"]
    clause: str


@dataclass(frozen=True, slots=True)
class DiceChosen:
    """The shooter picked dice from the bowl."""

    seat: int
    dice: tuple[int, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class DieMoved:
    """A die left the table, or came back to it, or did not."""

    die: int
    what: Literal["off", "found", "checked", "lost"]
    clause: str


@dataclass(frozen=True, slots=True)
class NewSetDue:
    """So many dice are lost that a fresh set is needed when these are given up."""

    clause: str


@dataclass(frozen=True, slots=True)
class NewSetBrought:
    """A fresh set of dice came to the table and the old one left."""

    dice: int
    clause: str


@dataclass(frozen=True, slots=True)
class DiceSent:
    """The dice went out; betting is over until they rest."""

    thrower: int | None
    """None: the stick throws."""


@dataclass(frozen=True, slots=True)
class DiceThrown:
    """A valid throw came to rest and was called."""

    first: int
    second: int
    total: int
    thrower: int | None
    """None: the stick threw."""
    puck: Puck
    """Where the puck was when the dice were thrown."""
    come_only: bool = False
    """Thrown only to decide come bets: sets no point and ends no hand."""


@dataclass(frozen=True, slots=True)
class NoRollCalled:
    """The throw does not count, and nothing moves."""

    reason: str
    by: str | None
    clause: str | None


@dataclass(frozen=True, slots=True)
class FaceDoubted:
    """The upper face of a die waits for the box's ruling."""

    sure: int
    why: str
    clause: str


@dataclass(frozen=True, slots=True)
class FaceRead:
    """A leaning or disputed die was read."""

    face: int
    clause: str


@dataclass(frozen=True, slots=True)
class WagerWon:
    """A wager was paid."""

    seat: int
    wager: str
    stake: Chips
    """What was at risk, as settled."""
    price: str
    won: Chips
    """The winnings as paid, before commission on a win."""
    commission: Chips
    """Taken out of the winnings."""
    held: Chips
    """Of that, what stays the player's if the bet comes down before its next decision."""
    returned: Chips
    """Stake that went back to the rail."""
    lost: Chips
    """Stake of a split that did not win."""
    stays: bool
    exact: str
    """The winnings before rounding, in grains."""
    rounding: RoundedTo | None
    """Which way it was rounded, if it was."""
    clause: str
    rule: str
    """The clause that makes it win; `clause` is the one that prices it."""
    tokens: Chips = 0
    """Tokens that went back to the player."""
    collected: Chips = 0
    """Tokens that the house kept."""
    note: str | None = None
    """The clause of anything unusual: rounding, a cap, a lower multiple."""


@dataclass(frozen=True, slots=True)
class WagerLost:
    """A stake went to the bank."""

    seat: int
    wager: str
    stake: Chips
    clause: str
    returned: Chips = 0
    """What was over the maximum and went back."""
    tokens: Chips = 0
    """Of the stake, tokens that the house collected."""
    note: str | None = None


@dataclass(frozen=True, slots=True)
class WagerPushed:
    """A wager stood off on its barred number."""

    seat: int
    wager: str
    stake: Chips
    stays: bool
    clause: str
    tokens: Chips = 0


@dataclass(frozen=True, slots=True)
class WagerReturned:
    """A wager went back undecided: it was off when its flat bet was decided, or was no bet."""

    seat: int
    wager: str
    stake: Chips
    refund: Chips
    clause: str
    tokens: Chips = 0


@dataclass(frozen=True, slots=True)
class WagerTravelled:
    """A come or don't come left its box for its number."""

    seat: int
    wager: str
    to: str
    stake: Chips
    clause: str


@dataclass(frozen=True, slots=True)
class WagerTallied:
    """A wager with memory remembers this roll."""

    seat: int
    wager: str
    mark: int


@dataclass(frozen=True, slots=True)
class PuckTurned:
    """The puck moved: on to a point, or off."""

    to: Puck
    clause: str


@dataclass(frozen=True, slots=True)
class SevenOut:
    """The hand ended and the dice go to the next shooter."""

    shooter: int | None
    clause: str


@dataclass(frozen=True, slots=True)
class ShooterLost:
    """The dice pass without a seven-out, in a house where any pass loss ends a hand."""

    shooter: int | None
    clause: str


@dataclass(frozen=True, slots=True)
class PlayerWarned:
    """A player was told that further stakes under the minimum will be given back."""

    seat: int
    wager: str
    clause: str


@dataclass(frozen=True, slots=True)
class OutcomeStruckOut:
    """The last outcome was invalidated: the table stands as it did before that throw."""

    reason: str
    clause: str


@dataclass(frozen=True, slots=True)
class NoticePosted:
    """The sign changed; wagers already up stand."""

    notice: Notice
    clause: str


@dataclass(frozen=True, slots=True)
class TableClosing:
    """The last hand was announced."""

    clause: str


Event = (
    PlayerSat
    | ChipsBought
    | TokensGiven
    | PlayerLeft
    | SeatCleared
    | WagerUp
    | WagerDown
    | WagerCalled
    | ButtonsLifted
    | DontBetsBarred
    | DontBarLifted
    | DiceOffered
    | DiceDeclined
    | DiceTaken
    | DiceGivenUp
    | DiceChosen
    | DieMoved
    | NewSetDue
    | NewSetBrought
    | DiceSent
    | DiceThrown
    | NoRollCalled
    | FaceDoubted
    | FaceRead
    | WagerWon
    | WagerLost
    | WagerPushed
    | WagerReturned
    | WagerTravelled
    | WagerTallied
    | PuckTurned
    | SevenOut
    | ShooterLost
    | PlayerWarned
    | OutcomeStruckOut
    | NoticePosted
    | TableClosing
)
"""Everything that can have happened."""
