"""What the models cannot see in one value: that every declared wager has a price, a clause and an end."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import assert_never
from zoneinfo import available_timezones

from passline.engine import kinds
from passline.engine.book import Book, WagerRule
from passline.engine.values import SEVEN
from passline.errors import Finding
from passline.files.findings import nearest

ALL_TOTALS = frozenset(range(2, 13))  # what two dice can show
DICE_MAX = 100  # more dice than any bowl holds
HARD_TOTALS = frozenset({4, 6, 8, 10})  # the totals that a pair makes and another throw too
STREAK_MAX = {"totals": 10, "doubles": 6, "points": 12}  # how many of each a streak can be paid for

Fault = partial(Finding, "")  # a finding that does not know its file yet, nor, about a wager, which one that is


def check(book: Book, file: str) -> list[Finding]:
    """Everything that would make a game impossible in a house file that is otherwise well formed."""
    faults = list(chain(_notice(book), _dice(book), _floor(book), _line_bets(book)))
    owners: dict[str, str] = {}
    for rule in book.wagers:
        for fault in chain(_keys(rule, book, owners), _prices(rule, book), _manners(rule), _kind(rule, book)):
            path = f"wager.{rule.key}.{fault.path}".removesuffix(".")
            faults.append(replace(fault, path=path))
    return [replace(fault, file=file) for fault in faults]


def check_prices(book: Book, listed: Book, file: str) -> list[Finding]:
    """Find the prices and charges by which a changed copy takes more than the house it names may take."""
    rules = {rule.key: rule for rule in listed.wagers}
    both = [(rule, rules[rule.key]) for rule in book.wagers if rule.key in rules]
    return [finding for rule, original in both for finding in _worse(rule, original, listed, file)]


def _worse(rule: WagerRule, original: WagerRule, listed: Book, file: str) -> Iterator[Finding]:
    only_up, clause = listed.money.price_overrides.value == "upward", listed.money.list_binds
    before = dict(original.quotes())
    for where, price in rule.quotes():
        old = before.get(where, price)
        if price.rate < old.rate or (price.rate != old.rate and not only_up):
            expected = f"{'at least ' if only_up else ''}{old}, as {listed.id} lists it ({clause})"
            yield Finding(file, f"wager.{rule.key}.{where}", str(price), expected)
    if rule.commission and original.commission and rule.commission.rate.value > original.commission.rate.value:
        most = original.commission.rate
        expected = f"at most {most.value * 100}%, as {listed.id} charges ({most.clause})"
        yield Finding(file, f"wager.{rule.key}.commission.rate", f"{rule.commission.rate.value * 100}%", expected)


def _listed(numbers: Iterable[object]) -> str:
    return ", ".join(map(str, numbers))


# --- The house ------------------------------------------------------------------------------------------------------


def _notice(book: Book) -> Iterator[Finding]:
    notice, points = book.notice, book.points.value
    most, chips, last = notice.maximum.value, notice.chips.value, notice.odds_to.value
    yield from _different("points", points)
    for key, least in (("min", notice.minimum.value), ("props", notice.props.value)):
        if least is not None and least > most:
            yield Fault(f"notice.{key}", str(least), f"at most the maximum of {most}")
    if not chips or list(chips) != sorted(set(chips)):
        yield Fault("notice.chips", _listed(chips) or "none", "at least one chip, smallest first, each once")
    odds = notice.odds.value or {}
    if odds and set(odds) != set(points):
        yield Fault("notice.odds", f"multiples for {_listed(sorted(odds))}", f"one for each of {_listed(points)}")
    if last is not None and notice.odds_from.value > last:
        yield Fault("notice.odds_from", str(notice.odds_from.value), f"at most odds_to, {last}")
    multiples = sorted(set(odds.values()))
    if any(multiple < notice.odds_from.value or multiple > (last or multiple) for multiple in multiples):
        expected = f"from {notice.odds_from.value} (odds_from) to {last or 'any'} (odds_to)"
        yield Fault("notice.odds", _listed(multiples), expected)


def _line_bets(book: Book) -> Iterator[Finding]:
    lines = [rule for rule in book.wagers if isinstance(rule.terms, kinds.Line) and not rule.terms.travels]
    if not any(rule.offered.value for rule in lines):
        problem = "no line wager that stays where it is and is offered"
        yield Fault("wager", problem, "one, such as pass: without it nobody can shoot")


def _dice(book: Book) -> Iterator[Finding]:
    """There are enough dice to open a set, and for a shooter to pick from."""
    least, most, chosen = book.dice.dice_set.value, book.dice.dice_set_max.value, book.dice.chosen.value
    if not 2 <= least <= DICE_MAX:
        yield Fault("dice.dice_set", str(least), f"2 to {DICE_MAX} dice")
    if most is not None and most < least:
        yield Fault("dice.dice_set_max", str(most), f"at least the {least} of dice_set")
    if chosen > least:
        yield Fault("dice.chosen", str(chosen), f"at most the {least} of dice_set")


def _floor(book: Book) -> Iterator[Finding]:
    """Nothing is sanctioned or excused that is not forbidden first, nor changed for money that is no prize or money."""
    rules, cage = book.floor, book.floor.cage
    if cage.gaming_day_begins > 23:
        yield Fault("floor.cage.gaming_day_begins", str(cage.gaming_day_begins), "an hour of the clock, 0 to 23")
    if cage.time_zone != "UTC" and cage.time_zone not in available_timezones():
        expected = 'a time zone that this computer knows, such as "Australia/Sydney"; without any, install tzdata'
        yield Fault("floor.cage.time_zone", cage.time_zone, expected, nearest(cage.time_zone, available_timezones()))
    sanctioned = rules.sanctioned.value if rules.sanctioned is not None else ()
    for path, named in (("floor.sanctioned", sanctioned), ("floor.excuses", tuple(rules.excuses))):
        if strange := [each for each in named if each not in rules.conduct]:
            expected = f"what floor.conduct forbids: {_listed(rules.conduct) or 'nothing'}"
            yield Fault(path, _listed(strange), expected, nearest(strange[0], rules.conduct))
    if offers := book.promotions:
        never = [kind for kind in offers.no_cash_alternative.value if kind in {"cash", *offers.banned}]
        if never:
            yield Fault("promotions.no_cash_alternative", _listed(never), "things that can be prizes")


# --- Every wager ----------------------------------------------------------------------------------------------------


def _keys(rule: WagerRule, book: Book, owners: dict[str, str]) -> Iterator[Finding]:
    """Keys that no other wager has, and names for those alone; `owners` are the wagers before it, by key."""
    if isinstance(rule.terms, kinds.Hop) and not _is_template(rule.terms.keys):
        return
    markings = list(rule.terms.markings(rule.key, book))
    if clashes := [key for key, times in Counter(each.key for each in markings).items() if times > 1 or key in owners]:
        whose = owners.get(clashes[0], rule.key)
        yield Fault("", f"the key {clashes[0]}, which {whose} has already", "a key for each wager")
    owners.update((marking.key, rule.key) for marking in markings)
    members = {marking.member for marking in markings}
    for member in rule.names:
        if member not in members:
            yield Fault("names", f"a name for {member}", f"names for {_listed(sorted(members - {''})) or 'none'}")
    if leftover := {"{", "}"} & set(rule.name.replace("{n}", "").replace("{pair}", "")):
        yield Fault("name", f"a stray {_listed(sorted(leftover))}", "no braces but {n} and {pair}")


def _prices(rule: WagerRule, book: Book) -> Iterator[Finding]:
    """A book that writes every price with one word allows no other, and none charges on a price that is short."""
    form, terms = book.money.price_form, rule.terms
    for where, price in rule.quotes():
        if form.value not in ("either", price.form):
            yield Fault(where, str(price), f'a price written with "{form.value}", by {form.clause}')
    if rule.commission is None:
        return
    if not isinstance(terms, kinds.Number):
        yield Fault("commission", "a charge", "none: only number wagers at true odds carry one (adelaide:14(d))")
        return
    prices = {number: cited.value for number, cited in terms.pays.items() if number != SEVEN}
    if short := [f"{price} on {number}" for number, price in prices.items() if price.rate != _fair(number, terms.side)]:
        charge = f"a charge on top of {_listed(short)}"
        yield Fault("commission", charge, "true odds under a charge (adelaide:14(d))")


def _fair(number: int, side: str) -> Fraction:
    """The fair profit on a stake of one, for a number against seven or seven against it."""
    for_number = Fraction(6, 6 - abs(SEVEN - number))
    return for_number if side == "do" else 1 / for_number


def _manners(rule: WagerRule) -> Iterator[Finding]:
    """Only a wager that outlives a roll can rest, be called on or off, or stay up after a win.

    A flat bet is made before its first roll and a tally before it begins, or half the bet would be for sale.
    """
    rests, stays, made, windows = rule.terms.can_rest, rule.terms.can_stay, rule.made.value, rule.terms.windows
    for name, can in (("off_on_comeout", rests), ("callable", rests), ("stays", stays)):
        if getattr(rule, name).value and not can:
            yield Fault(name, "true", "false: a wager of this kind cannot")
    if rule.removable.value == "until its point" and not isinstance(rule.terms, kinds.Line):
        yield Fault("removable", "'until its point'", "another word: only a line wager gets a point")
    if made not in windows:
        yield Fault("made", repr(made), f"one of {_listed(windows)}", nearest(made, windows))


# --- Each kind ------------------------------------------------------------------------------------------------------


def _kind(rule: WagerRule, book: Book) -> Iterator[Finding]:  # noqa: C901 - one case for each kind of wager
    terms, points = rule.terms, book.points.value
    match terms:
        case kinds.Line():
            yield from _line(terms, points)
        case kinds.Odds():
            yield from _odds(rule, terms, book)
        case kinds.Number():
            if SEVEN in terms.pays:
                yield Fault("pays", "a price for 7", "numbers that can come before a 7")
            yield from _cited_for_each(terms)
        case kinds.Hardway():
            if odd := sorted(set(terms.pays) - HARD_TOTALS):
                yield Fault("pays", f"a price for {_listed(odd)}", f"only {_listed(sorted(HARD_TOTALS))}")
            yield from _cited_for_each(terms)
        case kinds.OneRoll():
            if set(terms.pays) == ALL_TOTALS:
                yield Fault("pays", "a price for every total", "a total that loses")
        case kinds.Hop():
            yield from _hop(terms)
        case kinds.Split():
            yield from _split(terms, book)
        case kinds.Fire():
            yield from _too_many(terms.pays, "points", len(points), ", as many as there are")
        case kinds.Collect():
            yield from _different("needs", terms.needs.value)
        case kinds.Repeat():
            if SEVEN in terms.pays:
                yield Fault("pays", "a price for 7", "totals that can come before a 7")
            if set(terms.times.value) != set(terms.pays):
                yield Fault("times", "other totals than those with a price", "a number for each price")
        case kinds.Replay():
            yield from _replay(terms, points)
        case kinds.Streak():
            yield from _too_many(terms.pays, terms.of, STREAK_MAX[terms.of])
        case _:
            assert_never(terms)


def _too_many(pays: Iterable[int], what: str, most: int, because: str = "") -> Iterator[Finding]:
    if too_many := [count for count in pays if count > most]:
        yield Fault("pays", f"a price for {_listed(too_many)} {what}", f"at most {most}{because}")


def _line(wager: kinds.Line, points: tuple[int, ...]) -> Iterator[Finding]:
    """Its first roll must win, lose, push or give it a point, and only one of them."""
    bar = [wager.bar.value] if wager.bar else []
    decided = Counter([*wager.wins.value, *wager.loses.value, *bar])
    if twice := [total for total, times in decided.items() if times > 1]:
        yield Fault("", f"{_listed(twice)} decided twice", "each total in only one of wins, loses and bar")
    if idle := sorted(ALL_TOTALS - {*decided, *points}):
        yield Fault("", f"{_listed(idle)} undecided on its first roll", "every total that is no point decided")
    if early := sorted({*points} & {*decided}):
        yield Fault("", f"{_listed(early)} decided on its first roll", "every point left open")
    if wager.bar and wager.side == "do":
        yield Fault("bar", str(wager.bar.value), "no bar on a wager with the shooter")
    if wager.put.value and wager.side == "dont":
        yield Fault("put", "true", "false: a don't bet with its point would be a gift (X-07)")


def _odds(rule: WagerRule, terms: kinds.Odds, book: Book) -> Iterator[Finding]:
    lines = {other.key: other for other in book.wagers if isinstance(other.terms, kinds.Line)}
    if terms.of not in lines:
        expected = f"a line wager of this file: {_listed(lines) or 'there is none'}"
        yield Fault("of", repr(terms.of), expected, nearest(terms.of, lines))
    elif rule.offered.value and not lines[terms.of].offered.value:
        yield Fault("offered", "true", f"false, as long as {terms.of} is not offered")
    yield from _priced("pays", terms.pays, book.points.value)


def _priced(field: str, pays: Mapping[int, object], points: tuple[int, ...]) -> Iterator[Finding]:
    if lacking := [point for point in points if point not in pays]:
        yield Fault(field, f"no price for {_listed(lacking)}", f"one for each of {_listed(points)}")
    if extra := [number for number in pays if number not in points]:
        yield Fault(field, f"a price for {_listed(extra)}", f"only points: {_listed(points)}")


def _replay(wager: kinds.Replay, points: tuple[int, ...]) -> Iterator[Finding]:
    """Both prices for every point, the second at least as good."""
    yield from _priced("pays", wager.pays, points)
    yield from _priced("once_more", wager.once_more, points)
    both = sorted(set(wager.pays) & set(wager.once_more))
    if worse := [point for point in both if wager.once_more[point].value.rate < wager.pays[point].value.rate]:
        yield Fault("once_more", f"less on {_listed(worse)} than for fewer times", "at least as much")


def _cited_for_each(wager: kinds.Number | kinds.Hardway) -> Iterator[Finding]:
    """A clause for every number that has a price."""
    for name, clauses in (("wins", wager.wins), ("loses", wager.loses)):
        if not isinstance(clauses, str):
            yield from _same(name, clauses, wager.pays)


def _same(field: str, clauses: Iterable[int], numbers: Iterable[int]) -> Iterator[Finding]:
    if {*clauses} != {*numbers}:
        yield Fault(field, f"clauses for {_listed(sorted(clauses))}", f"one for each of {_listed(sorted(numbers))}")


def _hop(wager: kinds.Hop) -> Iterator[Finding]:
    if not _is_template(wager.keys):
        yield Fault("keys", repr(wager.keys), "a key made with {total}, {high} and {low}")
    if not wager.pairs:
        yield Fault("pairs", "none", "at least one pair")
    for name, price, is_hard in (("hard", wager.hard, True), ("easy", wager.easy, False)):
        wanted = [f"{high}-{low}" for high, low in wager.pairs if (high == low) == is_hard]
        if wanted and price is None:
            yield Fault(name, "no price", f"one, for {_listed(wanted)}")
        if price is not None and not wanted:
            yield Fault(name, f"the price {price.value}", "none: no such pair is listed")


def _is_template(text: str) -> bool:
    plain = text
    for name in ("{total}", "{high}", "{low}"):
        plain = plain.replace(name, "1")
    return plain.replace("_", "a").isalnum() and plain.islower() and plain[0].isalpha() and plain.isascii()


def _split(wager: kinds.Split, book: Book) -> Iterator[Finding]:
    one_roll = {rule.key: rule.terms.pays for rule in book.wagers if isinstance(rule.terms, kinds.OneRoll)}
    parts = wager.parts.value
    if not parts:
        yield Fault("parts", "none", "at least one part")
    for part in parts:
        if part not in one_roll:
            expected = f"a one-roll wager of this file: {_listed(one_roll) or 'there is none'}"
            yield Fault("parts", repr(part), expected, nearest(part, one_roll))
    for number, part in wager.high.items():
        if part not in parts:
            yield Fault("high", f"{part!r} for {number}", "one of its parts", nearest(part, parts))
    if wager.paid_by:
        yield from _same("paid_by", wager.paid_by, {total for part in parts for total in one_roll.get(part, ())})


def _different(path: str, totals: tuple[int, ...]) -> Iterator[Finding]:
    """The totals are distinct, and none is a seven."""
    if SEVEN in totals or not totals or len(set(totals)) != len(totals):
        yield Fault(path, _listed(totals) or "none", "different totals, at least one and none of them 7")
