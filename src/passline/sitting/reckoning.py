"""The end of an evening: what each wager brought and what it should have, and how the dice ran."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from passline.engine import events as e
from passline.engine.events import Event
from passline.engine.layout import Layout, Spot
from passline.engine.postings import BANK, CAGE, brought, postings
from passline.engine.table import TableState
from passline.house import House
from passline.sitting.spots import mean_as_paid
from passline.telling.figures import counted, signed
from passline.telling.names import family_name, shorten

if TYPE_CHECKING:
    from passline.table import Table

    OfAWager = e.WagerUp | e.WagerDown | e.Decision

NAME_WIDTH = 22


@dataclass(slots=True)
class Account:
    """What one wager did for one player; amounts are minor units."""

    name: str
    bets: int = 0  # how often it was won, lost or stood off; what is still up, or came down, has not been a bet yet
    staked: int = 0
    won: int = 0
    lost: int = 0  # Stakes lost and commission that is the house's for good
    # What it should have brought, as these stakes are paid in chips; None where that is not known.
    expected: Fraction | None = Fraction(0)

    @property
    def net(self) -> int:
        return self.won - self.lost


@dataclass(slots=True)
class Reckoning:
    accounts: dict[str, Account] = field(default_factory=dict)
    bought: int = 0
    carried: int = 0
    rail: int = 0
    up: int = 0
    rolls: int = 0
    hands: int = 0  # Hands that ended, anybody's
    best: tuple[int, str] | None = None
    worst: tuple[int, str] | None = None  # what the best and the worst roll brought, and their dice

    @property
    def total(self) -> Account:
        accounts = self.accounts.values()
        known = [account.expected for account in accounts if account.expected is not None]
        complete = len(known) == len(self.accounts)
        return Account(
            "All",
            sum(account.bets for account in accounts),
            sum(account.staked for account in accounts),
            sum(account.won for account in accounts),
            sum(account.lost for account in accounts),
            sum(known, Fraction(0)) if complete else None,
        )


class Reckoner:
    def __init__(self, house: House, seat: int) -> None:
        self.reckoning = Reckoning()
        self._house, self._seat = house, seat
        self._puts: dict[str, int] = {}  # how much of each wager was put on its point
        self._rolled = self._copied()  # all of it before the last roll, should that be struck out

    def _copied(self) -> tuple[Reckoning, dict[str, int]]:
        accounts = {key: replace(account) for key, account in self.reckoning.accounts.items()}
        return replace(self.reckoning, accounts=accounts), dict(self._puts)

    def hear(self, before: TableState, answer: Sequence[Event]) -> None:
        """What happened at a table that was so before; a roll that is struck out was none."""
        if any(isinstance(event, e.OutcomeStruckOut) for event in answer):
            self.reckoning, self._puts = self._rolled
        thrown = next((event for event in answer if isinstance(event, e.DiceThrown)), None)
        if thrown is not None:
            self._rolled = self._copied()
        mine = [event for event in answer if getattr(event, "seat", None) == self._seat]
        result = sum(self._book(before, event) for event in mine)
        self.reckoning.hands += sum(isinstance(event, e.SevenOut | e.ShooterLost) for event in answer)
        if thrown is not None:
            self.reckoning.rolls += 1
            _compare(self.reckoning, result, f"{thrown.first}-{thrown.second}")

    def _book(self, before: TableState, event: Event) -> int:
        match event:
            case e.PlayerSat() | e.ChipsBought() | e.PlayerLeft() | e.SeatCleared():
                moves = postings(event)
                self.reckoning.bought += sum(move.amount for move in moves if move.source == CAGE)
                self.reckoning.carried += sum(move.amount for move in moves if move.to == CAGE)
            case e.WagerUp() | e.WagerDown() | e.WagerWon() | e.WagerLost() | e.WagerPushed() | e.WagerReturned():
                spot = _counted_as(self._house.layout, self._house.spots[event.wager])
                # All odds of one kind share a line; anything else has its own.
                line, title = (spot.family, family_name(spot.rule)) if spot.is_odds else (spot.key, spot.name)
                account = self.reckoning.accounts.setdefault(line, Account(title))
                return _enter(account, event, self._mean(before, event))
            case _:
                pass
        return 0

    def _mean(self, before: TableState, event: OfAWager) -> Fraction | None:
        """What each unit of a decided stake should bring, at the price of its parts when they were made."""
        from passline.odds.wagers import is_put

        house, chip, wager, puck, puts = self._house, before.notice.chip, event.wager, before.puck, self._puts
        match event:
            case e.WagerUp():
                if is_put(house.spots[wager], puck):
                    puts[wager] = puts.get(wager, 0) + event.added
                return None
            case e.WagerDown():
                puts[wager] = max(0, puts.get(wager, 0) - event.removed)  # what went up last comes down first
                return None
            case _:
                put = puts.pop(wager, 0)
        stake, first = event.stake, _counted_as(house.layout, house.spots[wager])
        mean = mean_as_paid(house, first.key, stake, chip, puck if first.is_odds else 0)
        if not put or mean is None:
            return mean
        added = mean_as_paid(house, wager, stake, chip, puck)
        return None if added is None else (mean * (stake - put) + added * put) / stake


def reckon(table: Table, seat: int) -> Reckoning:
    reckoner = Reckoner(table.house, seat)
    for moment in table.history:
        reckoner.hear(moment.before, moment.events)
    reckoning = reckoner.reckoning
    there = table.state.seats.get(seat)
    if there is not None:
        reckoning.rail = there.rail
        reckoning.up = sum(wager.stake - wager.tokens + wager.held for wager in there.felt.values())
    reckoning.accounts = {
        key: account for key, account in reckoning.accounts.items() if account.bets or account.won or account.lost
    }
    return reckoning


def _counted_as(layout: Layout, spot: Spot) -> Spot:
    """Where a wager was first put up: a come bet on its number is still a come bet."""
    return layout.spots[spot.family] if spot.has_travelled else spot


def _enter(account: Account, event: OfAWager, mean: Fraction | None) -> int:
    """Book one event of a wager that brings `mean` on each unit, and say what this one brought."""
    moves, risked = postings(event), 0
    account.won += sum(move.amount for move in moves if move.source == BANK)
    account.lost += sum(move.amount for move in moves if move.to == BANK)
    match event:
        case e.WagerWon() | e.WagerPushed():
            risked = event.stake
        case e.WagerLost():
            risked = event.stake - event.tokens
        case _:
            pass
    account.bets += isinstance(event, e.WagerWon | e.WagerLost | e.WagerPushed)
    account.staked += risked
    if risked and mean is None:
        account.expected = None
    elif mean is not None and account.expected is not None:
        account.expected += mean * risked
    return brought(moves, event.seat)


def _compare(reckoning: Reckoning, brought: int, dice: str) -> None:
    if brought > (reckoning.best[0] if reckoning.best else 0):
        reckoning.best = (brought, dice)
    if brought < (reckoning.worst[0] if reckoning.worst else 0):
        reckoning.worst = (brought, dice)


# --- In words -------------------------------------------------------------------------------------------------------


def tell(layout: Layout, reckoning: Reckoning, currency: str = "") -> list[str]:
    """The reckoning as lines of at most eighty columns."""
    money, total = layout.money, reckoning.total

    def row(account: Account) -> str:
        expected = "-" if account.expected is None else signed(layout, account.expected)
        amounts = (money(account.staked), money(account.won), money(account.lost), signed(layout, account.net))
        return _row(shorten(account.name, NAME_WIDTH - 1), str(account.bets), *amounts, expected)

    lines = [_row("Wager", "bets", "staked", "won", "lost", "net", "expected")]
    lines += [row(account) for account in reckoning.accounts.values()]
    if not reckoning.accounts:
        lines.append("No bet has been decided.")
    elif len(reckoning.accounts) > 1:
        lines.append(row(total))
    if reckoning.accounts:
        lines.append("Expected: what bets like these return on average at this house.")
    lines.append("")
    lines.append(
        f"{counted(reckoning.rolls, 'roll')}, {reckoning.hands or 'no'} seven-out{'s' * (reckoning.hands != 1)}."
        + _extremes(layout, reckoning)
    )
    up, bought = (f"{currency}{money(amount)}" for amount in (reckoning.up, reckoning.bought))
    still = f", {up} still in action" if reckoning.up else ""
    carried = f"cashed out {currency}{money(reckoning.carried)}" if reckoning.carried else ""
    rail = f"{currency}{money(reckoning.rail)} on the rail" if reckoning.rail or not carried else ""
    lines.append(f"Bought in for {bought}, {', '.join(filter(None, (carried, rail)))}{still}.")
    net = reckoning.carried + reckoning.rail + reckoning.up - reckoning.bought
    verdict = f"{'ahead' if net > 0 else 'behind'} by {currency}{money(abs(net))}" if net else "even"
    counting = f"counting the {up} still in action at face value, {verdict}" if reckoning.up else verdict
    lines.append(f"{counting[0].upper()}{counting[1:]}.")
    return lines


def _row(name: str, bets: str, *amounts: str) -> str:
    return f"{name:<{NAME_WIDTH}}{bets:>5}" + "".join(f"{amount:>9}" for amount in amounts)


def _extremes(layout: Layout, reckoning: Reckoning) -> str:
    best, worst = reckoning.best, reckoning.worst
    sentence = f" Best roll {best[1]}: {signed(layout, best[0])}." if best else ""
    return sentence + (f" Worst {worst[1]}: {signed(layout, worst[0])}." if worst else "")
