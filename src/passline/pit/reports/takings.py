"""What the house took: the drop, and the hold by wager and by hour beside what the odds give it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from passline.engine import events as e
from passline.engine.events import Event
from passline.engine.layout import Layout
from passline.engine.postings import BANK, postings
from passline.house import House
from passline.journal.contract import Journal, house_file, opening_of
from passline.live.state import Moment, layout_of
from passline.odds.wagers.prices import odds_of
from passline.pit.reports.sheets import Sheet, Window, moments

DECIDED = (e.WagerWon, e.WagerLost, e.WagerPushed)


class Taking(NamedTuple):
    """What decisions came to, in grains."""

    decisions: int = 0
    action: int = 0
    """The stakes that were decided; pushes count."""
    hold: int = 0
    """What the house won of them, commission and all."""
    theoretical: Fraction = Fraction(0)
    """What it wins of such bets on average."""

    def plus(self, other: Taking, sign: int = 1) -> Taking:
        """Both together, or the one without the other."""
        return Taking(
            self.decisions + sign * other.decisions,
            self.action + sign * other.action,
            self.hold + sign * other.hold,
            self.theoretical + sign * other.theoretical,
        )


class Counter:
    """Counts the decisions of one table under whatever a key says; an outcome struck out is counted out again."""

    def __init__(self, layout: Layout, under: Callable[[Moment, str], str]) -> None:
        self.layout, self.under = layout, under
        self.taken: defaultdict[str, Taking] = defaultdict(Taking)
        self._odds = odds_of(House(layout.book.id, book=layout.book))
        self._last: list[tuple[str, Taking]] = []

    def see(self, moment: Moment) -> None:
        if any(isinstance(event, e.OutcomeStruckOut) for event in moment.events):
            for key, taking in self._last:
                self.taken[key] = self.taken[key].plus(taking, -1)
            self._last = []
        found = [self._of(moment, event) for event in moment.events]
        if moment.entry.kind == "rolled":
            self._last = [each for each in found if each is not None]
        for each in found:
            if each is not None:
                self.taken[each[0]] = self.taken[each[0]].plus(each[1])

    def _of(self, moment: Moment, event: Event) -> tuple[str, Taking] | None:
        """What one event takes, and under which key; commission kept when a bet comes down is taken too."""
        wager = getattr(event, "wager", None)
        won = _of_the_bank(event)
        if wager is None or not (won or isinstance(event, DECIDED)):
            return None
        stake = event.stake if isinstance(event, DECIDED) else 0
        odds = self._odds.get(self._key(wager, moment.before.table.puck))
        theoretical = -stake * odds.mean_net if odds else Fraction(0)
        return self.under(moment, wager), Taking(isinstance(event, DECIDED), stake, won, theoretical)

    def _key(self, wager: str, puck: int) -> str:
        """Under which key the odds know a wager that was decided."""
        spot = self.layout.spots[wager]
        return spot.family if spot.has_travelled else spot.key_at(puck)


def _of_the_bank(event: Event) -> int:
    """What the bank has more after an event, by its postings."""
    if isinstance(event, e.OutcomeStruckOut):
        return 0
    return sum((to == BANK) * amount - (source == BANK) * amount for source, to, amount in postings(event))


def hold(journal: Journal, tables: Sequence[str], within: Window, by: str = "wager") -> Sheet:
    """Action, hold and theoretical, by wager or by hour of the clock."""
    rows: list[tuple[object, ...]] = []
    for table in tables:
        counter = Counter(layout_at(journal, table), _BY[by])
        for moment in moments(journal, table, within):
            counter.see(moment)
        rows += (
            _row(counter.layout, table, key, taking) for key, taking in sorted(counter.taken.items()) if any(taking)
        )
    columns = ("table", by, "decisions", "action", "hold", "hold_share", "theoretical", "theoretical_share")
    return Sheet(f"hold by {by}", columns, rows, ("Shares are of the action.",))


_BY: dict[str, Callable[[Moment, str], str]] = {
    "wager": lambda _moment, wager: wager,
    "hour": lambda moment, _wager: moment.entry.time[:13] + ":00Z",
}
"""What decisions can be counted under."""


def _row(layout: Layout, table: str, key: str, taking: Taking) -> tuple[object, ...]:
    share, due = (_share(amount, taking.action) for amount in (taking.hold, taking.theoretical))
    theoretical = layout.money(nearest(taking.theoretical))
    return table, key, taking.decisions, layout.money(taking.action), layout.money(taking.hold), share, theoretical, due


def _share(part: Fraction | int, whole: int) -> str | None:
    """A share in percent with two decimals; none of nothing."""
    if not whole:
        return None
    hundredths = nearest(Fraction(part * 10_000) / whole)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02} %"


def nearest(amount: Fraction) -> int:
    """The nearest whole number, exactly."""
    return round(amount)


def layout_at(journal: Journal, table: str) -> Layout:
    """The felt that a table was opened with."""
    return layout_of(house_file(journal, opening_of(journal, table)))


# --- The drop ---------------------------------------------------------------------------------------------------------


def drop(journal: Journal, tables: Sequence[str], within: Window) -> Sheet:
    """Chips bought and carried away at each table, and what is left of the difference on it."""
    rows = [_drop(journal, table, within) for table in tables]
    columns = ("table", "buy_ins", "drop", "carried_away", "house_win", "still_on_the_table")
    return Sheet("drop", columns, rows, ("The drop is what was bought, what was reversed taken off.",))


def _drop(journal: Journal, table: str, within: Window) -> tuple[object, ...]:
    layout = layout_at(journal, table)
    times = bought = away = won = on_it = 0
    for moment in moments(journal, table, within):
        more, less = carried(moment.events)
        times += more > 0
        bought, away = bought + more, away + less
        won += moment.after.table.bank - moment.before.table.bank
        on_it = moment.after.table.bought - moment.after.table.bank
    return table, times, *map(layout.money, (bought, away, won, on_it))


def carried(events: Iterable[Event]) -> tuple[int, int]:
    """What was bought by some events, and what was carried away, in grains."""
    bought = sum(event.buyin for event in events if isinstance(event, e.PlayerSat))
    bought += sum(event.amount for event in events if isinstance(event, e.ChipsBought))
    away = sum(event.cashed for event in events if isinstance(event, e.PlayerLeft))
    return bought, away + sum(event.held for event in events if isinstance(event, e.SeatCleared))
