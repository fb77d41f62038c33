"""Significant events: what whoever watches the house wants to hear of, with who, when, why, before and after."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from passline.engine import events as e
from passline.engine.events import Event
from passline.engine.layout import Layout
from passline.engine.values import CENTS, money
from passline.floor.acts import FloorEvent
from passline.floor.clock import instant
from passline.floor.signs import PlayerLimitsSigned
from passline.live.books import CAGE
from passline.live.state import HOUSE_FLOOR, Moment, floor_events_of
from passline.pit.history import by_the_crew
from passline.pit.people.people import STREAM
from passline.pit.reports.players import funds
from passline.pit.reports.sheets import Made, Row, Scope
from passline.pit.reports.tables import bank_moves
from passline.telling.card import sign
from passline.telling.sentences import listener, readings_differ


class Significant(NamedTuple):
    """One of them; the rest stands in the entry."""

    kind: str
    why: str = ""
    before: str = ""
    after: str = ""


# Kinds of entries that are significant by themselves.
ENTRIES = {
    "table_opened": "table opened",
    "table_closed": "table closed",
    "table_stopped": "integrity failure",
    "table_taken": "table taken over",
    "roll_voided": "roll void",
    "dice_disagreed": "readings disagree",
    "table_restored": "restored from a backup",
    "chips_returned": "chips of a stopped table returned",
    "clock_jumped": "clock was set",
}

OVERDUE = "winner not told"  # a winner whom nobody has told in the time that the book gives

LATE = "crew after the bets closed"

# Refusals that are.
REFUSED = {
    "bet.short_rail": "funds short",
    "table.short_wallet": "funds short",
    "table.loss_limit": "beyond a limit of one's own",
    "table.two_people": "one where two are needed",
    "table.role": "no permission to do it",
    "floor.role": "no permission to do it",
    "floor.barred": "barred person",
    "floor.own_limit": "beyond a limit of one's own",
    "person.own_limit": "beyond a limit of one's own",
    "person.cashier": "one where two are needed",
    "floor.drawer": "funds short",
    "floor.on_duty": "crew that plays",
    "floor.own_comp": "a comp to oneself",
}

# Acts about people that are.
PEOPLE = {
    "role_granted": "role granted",
    "role_revoked": "role taken back",
    "attempts_counted": "tried and not allowed",
}


def significant(scope: Scope) -> Made:
    """Every significant event by its time; of the whole house, of people and cage too."""
    rows: list[Row] = []
    for table in scope.streams:
        layout, before = scope.layout(table), ""
        for moment in scope.moments(table):
            entry = moment.entry
            events = (*_of_entry(layout, moment, before, scope.large), *_reader(layout, moment))
            rows += ((table, entry.sequence, entry.time, entry.actor, entry.role, *each) for each in events)
            before = entry.time
    for last, now, name, number, drawn in scope.overdue() if HOUSE_FLOOR in scope.streams else ():
        why = f"{name}, prize {number}: {drawn.winner}, drawn at {drawn.at}"
        rows.append((HOUSE_FLOOR, last.sequence, now, "house", "house", *Significant(OVERDUE, why)))
    if scope.whole_house:
        rows += _about_people(scope)
        rows += _at_the_cage(scope)
    yield from sorted(rows, key=lambda row: instant(row[2]))


def _about_people(scope: Scope) -> Iterator[Row]:
    """Roles given and taken back, by whom and why; what was tried and not allowed."""
    for entry in scope.entries(STREAM):
        act, about = entry.body.get("act"), entry.body.get("about", {})
        if act not in PEOPLE or about.get("role") == "player" or not scope.within.has(entry.time):
            continue
        who = (STREAM, entry.sequence, entry.time, entry.actor, entry.role, PEOPLE[act])
        if act == "attempts_counted":
            for row in about["rows"]:
                times = "once" if row["times"] == 1 else f"{row['times']} times"
                yield *who, f"{row['what']}, {times} since {about['since']}", "", row["person"] or "nobody known"
            continue
        second = f", with {about['second']}" if about["second"] else ""
        change = ("", about["role"]) if act == "role_granted" else (about["role"], "")
        where = f"{entry.body['person']} at {about['table'] or 'the whole house'}{second}"
        yield *who, f"{where}: {about['reason']}", *change


def _at_the_cage(scope: Scope) -> Iterator[Row]:
    wallets: Counter[str] = Counter()
    for entry in scope.cage_acts():
        act, player, amount = (entry.body[name] for name in ("act", "player", "amount"))
        before = wallets[player]
        wallets[player] += amount if act in ("pay_in", "colour_up") else -amount
        if act in ("pay_in", "pay_out") and amount >= scope.large and scope.within.has(entry.time):
            why = f"{player} paid {act.removeprefix('pay_')} {money(amount, CENTS)}"
            change = (money(each, CENTS) for each in (before, wallets[player]))
            yield CAGE, entry.sequence, entry.time, entry.actor, entry.role, "large payment", why, *change
    for move in bank_moves(scope):
        entry = move.entry
        if move.variance and scope.within.has(entry.time):
            change = (money(each, CENTS) for each in (move.due - move.variance, move.due))
            why = f"counted with {move.event.second}"
            yield HOUSE_FLOOR, entry.sequence, entry.time, entry.actor, entry.role, "chip bank variance", why, *change


def _of_entry(layout: Layout, moment: Moment, time: str, large: int) -> Iterator[Significant]:  # noqa: C901 - a line a kind
    entry, body = moment.entry, moment.entry.body
    if time and instant(entry.time) < instant(time):
        yield Significant("clock went backwards", "", time, entry.time)
    if entry.kind in ENTRIES:
        why = readings_differ(body["readings"]) if entry.kind == "dice_disagreed" else body.get("reason")
        yield Significant(ENTRIES[entry.kind], str(why or body.get("owner") or "") + _with(moment))
    if entry.kind == "seed_revealed" and body["owing"]:
        yield Significant("seed not shown", ", ".join(body["owing"]))
    if entry.kind == "seed_revealed" and entry.role != "house":
        yield Significant("dice ended early", f"epoch {body['epoch']} after {body['rolls']} rolls")
    if entry.kind == "corrected":
        if body["command"] is None:
            seat = next(event.seat for event in moment.events if isinstance(event, e.ChipsBought))
            why = f"seat {seat}, entry {body['reverses']}: {body['reason']}{_with(moment)}"
            yield Significant("chips corrected", why, *_funds(layout, moment, seat))
        else:
            yield Significant("outcome struck out", body["reason"] + _with(moment), *_banks(layout, moment))
    if entry.kind == "refused" and entry.role != "player" and body["refusal"]["code"] == "table.bets_closed":
        yield Significant(LATE, body["refusal"]["message"])
    if entry.kind == "refused" and body["refusal"]["code"] in REFUSED:
        yield Significant(REFUSED[body["refusal"]["code"]], body["refusal"]["message"])
    for decided in floor_events_of(entry) if entry.kind == "floor_acted" else ():  # heard: told where it was decided
        yield from _by_the_floor(layout, moment, decided)
    for event in moment.events:
        if isinstance(event, e.WagerUp) and (by_crew := by_the_crew(entry)):
            stakes = (layout.money(amount) for amount in (event.stake - event.added, event.stake))
            yield Significant("bet booked by the crew", f"{event.wager}; {by_crew}", *stakes)
        yield from _in_the_game(layout, moment, event, large)


def _reader(layout: Layout, moment: Moment) -> Iterator[Significant]:
    """Somebody who reads real dice and has wagers up on them, as people do who deal in turn for play money."""
    entry = moment.entry
    if entry.kind not in ("dice_entered", "dice_disagreed") and not (entry.kind == "rolled" and entry.body["readings"]):
        return
    for number, seat in moment.before.table.seats.items():
        if seat.felt and moment.before.owner(number) == entry.actor:
            up = layout.money(sum(wager.stake for wager in seat.felt.values()))
            yield Significant("reader has bets up", f"seat {number}, {up} up: {', '.join(seat.felt)}")


def _with(moment: Moment) -> str:
    body, actor = moment.entry.body, moment.entry.actor
    second = (body.get("command") or {}).get("second")
    others = [each for each in body.get("people") or (second,) if each and each != actor]
    return f", with {' and '.join(others)}" if others else ""


def _banks(layout: Layout, moment: Moment) -> tuple[str, str]:
    return layout.money(moment.before.table.bank), layout.money(moment.after.table.bank)


def _by_the_floor(layout: Layout, moment: Moment, event: FloorEvent) -> Iterator[Significant]:
    """An event of the floor that its act calls significant, with its reason as it was given."""
    if not event.is_significant():
        return
    why = event.why(listener(layout, moment.before.table))
    about = next((getattr(event, each) for each in ("person", "player", "winner") if hasattr(event, each)), "")
    if about and about not in why:
        why = f"{about}: {why}" if why else about
    why += f", with {second}" if (second := getattr(event, "second", "")) else _with(moment)
    before, after = _banks(layout, moment) if moment.events else ("", "")
    if isinstance(event, PlayerLimitsSigned):
        before = sign(layout, moment.before.table.notice)
        after = f"min {layout.money(event.minimum)}, max {layout.money(event.maximum)}"
    yield Significant(event.significant, why, before, after)


def _in_the_game(layout: Layout, moment: Moment, event: Event, large: int) -> Iterator[Significant]:
    """An event of the game: a new sign, or much money."""
    if isinstance(event, e.NoticePosted):
        yield Significant("limits changed", "", *(sign(layout, each.table.notice) for each in moment[1::2]))
    elif isinstance(event, e.WagerUp) and event.added >= large:
        before, after = (layout.money(amount) for amount in (event.stake - event.added, event.stake))
        yield Significant("large bet", event.wager, before, after)
    elif isinstance(event, e.WagerWon) and event.won >= large:
        yield Significant("large win", event.wager, *_funds(layout, moment, event.seat))
    elif isinstance(event, e.PlayerSat | e.ChipsBought):
        amount = event.buyin if isinstance(event, e.PlayerSat) else event.amount
        if amount >= large:
            yield Significant("large buy-in", f"seat {event.seat}", *_funds(layout, moment, event.seat))


def _funds(layout: Layout, moment: Moment, number: int) -> tuple[str, str]:
    seats = (each.table.seats.get(number) for each in (moment.before, moment.after))
    first, second = (layout.money(funds(seat)) for seat in seats)
    return first, second
