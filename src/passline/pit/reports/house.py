"""The books of the whole house: its cage, the balance of its money, disputes, promotions, the hand-over of a shift."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from passline.engine.layout import Layout
from passline.engine.values import CENTS, money
from passline.floor import clock as times
from passline.floor.cage import CashMoved, DrawerCounted, DrawerOpened, MoneyPaid, MoneyPaidIn, alone_up_to
from passline.floor.clock import sign_time
from passline.floor.conduct import PersonExcluded
from passline.floor.disputes import DisputeRaised
from passline.floor.names import folded
from passline.floor.seats import CompGranted
from passline.floor.state import Promotion
from passline.journal.contract import Journal
from passline.live.state import HOUSE_FLOOR, Live
from passline.pit.people.people import STREAM
from passline.pit.reports import events, players, tables
from passline.pit.reports.sheets import REPORTS, Made, Row, Scope, Sheet, Window, looks, scope

JUST_BELOW = 10  # a payment within this share of the sum for two is just below it: one in ten


def cage(scope: Scope) -> Made:
    """Every act at the cage: drawers with their variance, payments with their form, reference, reason and people."""
    rows: list[Row] = []
    # By drawer: each amount that was paid since it was opened, its row, and what the payment is called.
    paid: dict[str, list[tuple[int, int, str]]] = {}
    look_at = _Payments(scope)
    for entry, each in scope.floor_events():
        match each:
            case DrawerOpened():
                paid[folded(each.by)] = []
                row: Row = ("drawer opened", "", "", "", "", money(each.total, CENTS), "", "")
            case MoneyPaid() | CashMoved():
                player, form = ("", "cash") if isinstance(each, CashMoved) else (each.player, each.form)
                way = _way(each)
                if form == "cash":
                    called = f"entry {entry.sequence}, {f'{player} {way}'.strip()}"
                    paid.setdefault(folded(each.by), []).append((each.amount, len(rows), called))
                about = (way, player, form, each.reference, each.reason)
                row = (*about, money(each.amount, CENTS), "", looks(*look_at.reasons(each)))
            case DrawerCounted():
                since = paid.get(folded(each.by), ())
                alike = [(at, called) for amount, at, called in since if amount == abs(each.variance)]
                for at, _ in alike:
                    rows[at] = (*rows[at][:-1], looks(rows[at][-1][len("look: ") :], "the drawer was off by as much"))
                calls = [called for _, called in alike]
                look = looks("counted otherwise than it must be", *calls) if each.variance else ""
                row = ("drawer counted", "", "", "", "", money(each.total, CENTS), money(each.variance, CENTS), look)
            case PersonExcluded():
                look_at.excluded.add(folded(each.person))
                continue
            case _:
                continue
        rows.append((entry.sequence, entry.time, each.by, each.second, *row))
    yield from (row for row in rows if scope.within.has(row[1]))


def _way(each: MoneyPaid | CashMoved) -> str:
    if isinstance(each, CashMoved):
        return f"cash {each.direction}"
    return "paid in" if isinstance(each, MoneyPaidIn) else "paid out"


class _Payments:
    """What of a payment is worth a look, by those before it."""

    def __init__(self, scope: Scope) -> None:
        self.alone = alone_up_to(scope.layout()) if scope.has_floor else 0
        self.played = {entry.body["player"] for entry in scope.cage_acts() if entry.body["act"] == "buy_in"}
        self.excluded = set[str]()
        self._numbers = set[tuple[str, str]]()
        self._to_excluded: dict[int, str] = {}  # what somebody excluded was paid last, by how much it was

    def reasons(self, each: MoneyPaid | CashMoved) -> Iterator[str]:
        number = (getattr(each, "form", ""), each.reference)
        if each.reference and number in self._numbers:
            yield "its reference was used before"
        self._numbers.add(number)
        if not isinstance(each, MoneyPaid):
            return
        who = folded(each.player)
        if not each.second and each.amount > self.alone - self.alone // JUST_BELOW:
            yield "just below the sum for two"
        if isinstance(each, MoneyPaidIn):
            if other := self._to_excluded.pop(each.amount, ""):
                yield f"as much as {other}, who may not play, was paid out"
            return
        if who not in self.played:
            yield "paid out, and never bought chips"
        if who in self.excluded:
            self._to_excluded[each.amount] = each.player


def sums(scope: Scope) -> Made:
    """What everybody paid in and was paid out on each gaming day, against the house's sums for a report and for two."""
    if not scope.has_floor:
        return
    layout = scope.layout()
    rules, alone = layout.book.floor.cage, alone_up_to(layout)
    days: dict[tuple[int, str], Counter[str]] = {}
    cashiers: dict[tuple[int, str, str], set[str]] = {}  # who paid without a second person, whichever way
    for entry, each in scope.floor_events():
        if isinstance(each, MoneyPaid) and scope.within.has(entry.time):
            day, who = times.gaming_day(entry.time, rules), folded(each.player)
            way = "in" if isinstance(each, MoneyPaidIn) else "out"
            count = days.setdefault((day, who), Counter())
            count.update({way: each.amount, f"{way} times": 1})
            if not each.second:
                count[f"{way} alone"] += each.amount
                cashiers.setdefault((day, who, way), set()).add(each.by)
    above = rules.daily_report_above * CENTS
    for (day, who), sum_of in sorted(days.items()):
        paid = (money(sum_of["in"], CENTS), sum_of["in times"], money(sum_of["out"], CENTS), sum_of["out times"])
        split = [
            f"paid {way} in parts above the sum for two, by {' and '.join(sorted(cashiers[day, who, way]))} alone"
            for way in ("in", "out")
            if sum_of[f"{way} alone"] > alone
        ]
        reported = "report" if max(sum_of["in"], sum_of["out"]) > above else ""
        yield times.date_of(day), who, *paid, "; ".join(filter(None, (reported, looks(*split))))
    report, two = money(above, CENTS), money(alone, CENTS)
    yield f"Above {report} in a day, in or out, is reported; a payment above {two} takes two."


def balance(within: Scope) -> Made:
    """Paid in - paid out = wallets + chips in play + win: proved from the cage on one side, the tables on the other."""
    moved: Counter[str] = Counter()
    for entry in within.cage_acts():
        moved[entry.body["act"]] += entry.body["amount"]
    wallets = moved["pay_in"] + moved["colour_up"] - moved["pay_out"] - moved["buy_in"]
    games = [live.table for live in map(within.live, scope(within.journal).games) if live.money]
    won = sum(table.bank for table in games)
    in_play = sum(table.bought for table in games) - won
    paid = moved["pay_in"] - moved["pay_out"]
    off = paid - wallets - in_play - won
    figures = (
        *(("paid in", moved["pay_in"]), ("paid out", -moved["pay_out"]), ("left with the house", paid)),
        *(("in wallets", wallets), ("chips in play", in_play), ("won by the house", won)),
        ("difference", off),
    )
    forms: Counter[tuple[str, str]] = Counter()
    for _, each in within.floor_events() if within.has_floor else ():
        if isinstance(each, MoneyPaid):
            forms[_way(each), each.form] += each.amount
    by_form = ((f"of it {way} by {form}", amount) for (way, form), amount in sorted(forms.items()) if form != "cash")
    yield from ((name, money(amount, CENTS)) for name, amount in (*figures, *by_form))
    yield "It balances." if not off else "It does not balance: `passline verify` says which entry is to blame."


def comps(scope: Scope) -> Made:
    """What was given on the house, beside what its rule gives for what the same window saw played."""
    by_rule, so_far = players.earned(scope), Counter[str]()
    people = (each.body for each in scope.entries(STREAM))
    crew = {body["person"] for body in people if body.get("about", {}).get("role") in tables.CREW}
    for entry, each in scope.floor_events() if scope.has_floor else ():
        if isinstance(each, CompGranted) and scope.within.has(entry.time):
            who = folded(each.player)
            if scope.player and who != scope.player:
                continue
            so_far[who] += each.value
            above = so_far[who] > by_rule.get(who, 0)
            look = looks("above what was earned" if above else "", "works here" if who in crew else "")
            sums = (money(each.value, CENTS), money(so_far[who], CENTS), money(round(by_rule.get(who, 0)), CENTS))
            yield entry.sequence, entry.time, each.player, each.what, each.reason, *sums, each.by, each.second, look
    if scope.player:
        comes_to, given = money(round(by_rule.get(scope.player, 0)), CENTS), money(so_far[scope.player], CENTS)
        yield f"Earned so far: {comes_to}. Given so far: {given}."


# By where a dispute stands: what can be done next.
NEXT = {
    "raised": "decide it",
    "decided": "closed, unless a review is asked for",
    "review asked for": "review it",
    "reviewed": "closed",
}


def disputes(scope: Scope) -> Made:
    for table in scope.streams:
        raises = ((entry.time, each) for entry, each in scope.floor_events(table) if isinstance(each, DisputeRaised))
        raised = {each.dispute: (time, each.about) for time, each in raises}
        for number, each in scope.live(table).floor.disputes.items() if raised else ():
            time, about = raised[number]
            if scope.within.has(time):
                yield table, number, time, each.person, about, each.stands, each.decided_by, NEXT[each.stands]


def promotions(scope: Scope) -> Made:
    for name, each, waiting, late in _register(scope):
        drawn = each.drawn.values()
        counts = (len(each.offer.prizes), len(each.entrants), len(drawn), sum(one.awarded for one in drawn))
        yield name, each.stands, each.offer.starts, each.offer.closes, each.filed, *counts, waiting, late


def _register(scope: Scope) -> Iterator[tuple[str, Promotion, str, str]]:
    """Each promotion with the winners who wait for their prize, and those overdue to be told."""
    if not scope.has_floor:
        return
    overdue = [(name, drawn.winner) for _, _, name, _, drawn in scope.overdue()]
    for name, each in scope.live().floor.promotions.items():
        drawn = each.drawn.values()
        late = [winner for promotion, winner in overdue if promotion == name]
        waiting = [one.winner for one in drawn if one.notified and not one.awarded]
        yield name, each, ", ".join(waiting), ", ".join(late)


def handover(scope: Scope) -> Made:
    """What whoever takes over finds open: crew, signs, bets, floats, drawers, disputes, exclusions, the register."""
    zone = scope.layout().book.floor.cage.time_zone if scope.has_floor else "UTC"
    barred = scope.live().floor.barred if scope.has_floor else {}
    for table in scope.streams:
        live = scope.live(table)
        if live.over is None:
            yield from ((table, *each) for each in _open(live, scope.layout(table), zone))
            excluded = (who for who in live.floor.barred if table == HOUSE_FLOOR or who not in barred)
            yield from ((table, "excluded", who, "") for who in excluded)
        elif live.floor.bank is not None and (left := live.floor.bank.due(live.table)):
            yield table, "float", "", f"{scope.layout(table).money(left)} lies at a table that is closed"
    for name, _, waiting, late in _register(scope):
        if waiting or late:
            yield HOUSE_FLOOR, "promotion", name, f"to be awarded: {waiting}; overdue: {late}"


def _open(live: Live, layout: Layout, zone: str) -> Iterator[tuple[str, str, str]]:  # noqa: C901 - a line a thing
    floor, table = live.floor, live.table
    for who, title in floor.duty.items():
        yield "on duty", who, title
    if floor.limits_sign is not None:
        yield "sign", "", f"other limits from {sign_time(floor.limits_sign.at, zone)}"
    if floor.closing_sign is not None:
        yield "sign", "", f"closes at {sign_time(floor.closing_sign.at, zone)}"
    if floor.dice_failed:
        yield "dice", "", "failed their inspection"
    if live.announced is not None:
        yield "roll", "", f"roll {live.announced.roll} is announced and has no dice"
    for number, seat in table.seats.items():
        up = layout.money(sum(each.stake for each in seat.felt.values()))
        yield "seat", seat.name, f"seat {number}: {layout.money(seat.rail)} on the rail, {up} up"
    if floor.bank is not None:
        yield "float", "", f"{layout.money(floor.bank.due(table))} must be there"
    for who, drawer in floor.drawers.items():
        yield "drawer", who, f"{layout.money(drawer.book)} must be there, open since {sign_time(drawer.since, zone)}"
    for number, dispute in floor.disputes.items():
        if dispute.stands in ("raised", "review asked for"):
            yield "dispute", dispute.person, f"dispute {number}: {NEXT[dispute.stands]}"
    for number, report in floor.reports.items():
        if report.held:
            yield "detained", report.person, f"report {number}: {report.breach}"


MAKERS: dict[str, Callable[[Scope], Made]] = {
    **{each.__name__: each for each in (tables.shift, tables.hold, tables.hours, tables.voids, tables.chips)},
    **{each.__name__: each for each in (players.ratings, players.booked, players.statement)},
    **{each.__name__: each for each in (cage, sums, balance, comps, handover, disputes, promotions)},
    "tables": tables.bank,
    "events": events.significant,
}
BOOKS = tuple(REPORTS)


def book(journal: Journal, name: str, wanted: tuple[str, ...] = (), within: Window | None = None, **rest: Any) -> Sheet:  # noqa: ANN401 - as `Scope` has it
    """One of the books, of the tables that are wanted; of none in particular, the whole house's."""
    return Sheet.of(name, MAKERS[name](scope(journal, wanted, within, **rest)))
