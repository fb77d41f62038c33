"""What the models cannot see in one value: that every declared wager has a price, a clause and an end."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import assert_never
from zoneinfo import available_timezones

from passline.engine.book import Book, WagerRule
from passline.engine.kinds import (
    Collect,
    Fire,
    Hardway,
    Hop,
    Line,
    Number,
    Odds,
    OneRoll,
    Repeat,
    Replay,
    Split,
    Streak,
)
from passline.engine.values import SEVEN
from passline.errors import Finding
from passline.files.findings import nearest

ALL_TOTALS = frozenset(range(2, 13))  # what two dice can show
DICE_MAX = 100  # more dice than any bowl holds
HARD_TOTALS = frozenset({4, 6, 8, 10})  # the totals that a pair makes and another throw too

Fault = partial(Finding, "")  # a finding that does not know its file yet


def check(book: Book, file: str) -> list[Finding]:
    """Everything that would make a game impossible in a house file that is otherwise well formed."""
    faults = [
        fault for look in (_notice, _dice, _floor, _line_bets, _key_clashes, _price_forms) for fault in look(book)
    ]
    for rule in book.wagers:
        faults += [*_resting(rule), *_window(rule), *_commission(rule), *_names(rule, book), *_kind(rule, book)]
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
        rate = f"{rule.commission.rate.value * 100}%"
        path = f"wager.{rule.key}.commission.rate"
        yield Finding(file, path, rate, f"at most {most.value * 100}%, as {listed.id} charges ({most.clause})")


def _listed(numbers: Iterable[object]) -> str:
    return ", ".join(map(str, numbers))


# --- The house ------------------------------------------------------------------------------------------------------


def _notice(book: Book) -> Iterator[Finding]:
    notice, points = book.notice, book.points.value
    yield from _different("points", points)
    if notice.minimum.value > notice.maximum.value:
        yield Fault("notice.min", str(notice.minimum.value), f"at most the maximum of {notice.maximum.value}")
    if notice.props.value is not None and notice.props.value > notice.maximum.value:
        yield Fault("notice.props", str(notice.props.value), f"at most the maximum of {notice.maximum.value}")
    chips = notice.chips.value
    if not chips or list(chips) != sorted(set(chips)):
        yield Fault("notice.chips", _listed(chips) or "none", "at least one chip, smallest first, each once")
    odds = notice.odds.value or {}
    if odds and set(odds) != set(points):
        yield Fault("notice.odds", f"multiples for {_listed(sorted(odds))}", f"one for each of {_listed(points)}")
    last = notice.odds_to.value
    if last is not None and notice.odds_from.value > last:
        yield Fault("notice.odds_from", str(notice.odds_from.value), f"at most odds_to, {last}")
    multiples = sorted(set(odds.values()))
    if any(multiple < notice.odds_from.value or multiple > (last or multiple) for multiple in multiples):
        expected = f"from {notice.odds_from.value} (odds_from) to {last or 'any'} (odds_to)"
        yield Fault("notice.odds", _listed(multiples), expected)


def _line_bets(book: Book) -> Iterator[Finding]:
    lines = [rule for rule in book.wagers if isinstance(rule.terms, Line) and not rule.terms.travels]
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


def _price_forms(book: Book) -> Iterator[Finding]:
    """A book that writes every price with one word allows no other."""
    form = book.money.price_form
    for rule in book.wagers:
        for where, price in rule.quotes():
            if form.value not in ("either", price.form):
                expected = f'a price written with "{form.value}", by {form.clause}'
                yield Fault(f"wager.{rule.key}.{where}", str(price), expected)


def _key_clashes(book: Book) -> Iterator[Finding]:
    owners: dict[str, str] = {}
    for rule in book.wagers:
        if isinstance(rule.terms, Hop) and not _is_template(rule.terms.keys):
            continue
        keys = [marking.key for marking in rule.terms.markings(rule.key, book)]
        if clashes := [key for key, times in Counter(keys).items() if times > 1 or key in owners]:
            whose = owners.get(clashes[0], rule.key)
            yield Fault(f"wager.{rule.key}", f"the key {clashes[0]}, which {whose} has already", "a key for each wager")
        owners.update(dict.fromkeys(keys, rule.key))


# --- Every wager ----------------------------------------------------------------------------------------------------


def _resting(rule: WagerRule) -> Iterator[Finding]:
    """Only a wager that outlives a roll can rest, be called on or off, or stay up after a win."""
    for name, can in (
        ("off_on_comeout", rule.terms.can_rest),
        ("callable", rule.terms.can_rest),
        ("stays", rule.terms.can_stay),
    ):
        if getattr(rule, name).value and not can:
            yield Fault(f"wager.{rule.key}.{name}", "true", "false: a wager of this kind cannot")
    if rule.removable.value == "until its point" and not isinstance(rule.terms, Line):
        yield Fault(f"wager.{rule.key}.removable", "'until its point'", "another word: only a line wager gets a point")


def _window(rule: WagerRule) -> Iterator[Finding]:
    """A flat bet is made before its first roll and a tally before it begins, or half the bet would be for sale."""
    made, windows = rule.made.value, rule.terms.windows
    if made not in windows:
        yield Fault(f"wager.{rule.key}.made", repr(made), f"one of {_listed(windows)}", nearest(made, windows))


def _commission(rule: WagerRule) -> Iterator[Finding]:
    """No charge on a wager that the house already pays short (adelaide:14(d))."""
    path, terms = f"wager.{rule.key}.commission", rule.terms
    if rule.commission is None:
        return
    if not isinstance(terms, Number):
        yield Fault(path, "a charge", "none: only number wagers at true odds carry one (adelaide:14(d))")
        return
    if short := [n for n, price in terms.pays.items() if n != SEVEN and price.value.rate != _true_odds(n, terms.side)]:
        charge = f"a charge on top of {_listed(f'{terms.pays[n].value} on {n}' for n in short)}"
        yield Fault(path, charge, "true odds under a charge (adelaide:14(d))")


def _true_odds(number: int, side: str) -> Fraction:
    """The fair profit on a stake of one, for a number against seven or seven against it."""
    for_number = Fraction(6, 6 - abs(SEVEN - number))
    return for_number if side == "do" else 1 / for_number


def _names(rule: WagerRule, book: Book) -> Iterator[Finding]:
    if isinstance(rule.terms, Hop) and not _is_template(rule.terms.keys):
        return
    members = {marking.member for marking in rule.terms.markings(rule.key, book)}
    for member in rule.names:
        if member not in members:
            expected = f"names for {_listed(sorted(members - {''})) or 'none'}"
            yield Fault(f"wager.{rule.key}.names", f"a name for {member}", expected)
    if leftover := {"{", "}"} & set(rule.name.replace("{n}", "").replace("{pair}", "")):
        yield Fault(f"wager.{rule.key}.name", f"a stray {_listed(sorted(leftover))}", "no braces but {n} and {pair}")


# --- Each kind ------------------------------------------------------------------------------------------------------


POINTS_MAX = 12  # Points that a streak is paid for


def _kind(rule: WagerRule, book: Book) -> Iterator[Finding]:  # noqa: C901 - one case for each kind of wager
    key, terms = rule.key, rule.terms
    match terms:
        case Line():
            yield from _line(key, terms, book)
        case Odds():
            yield from _odds(rule, terms, book)
        case Number():
            if SEVEN in terms.pays:
                yield Fault(f"wager.{key}.pays", "a price for 7", "numbers that can come before a 7")
            yield from _cited_for_each(key, terms)
        case Hardway():
            if odd := sorted(set(terms.pays) - HARD_TOTALS):
                yield Fault(f"wager.{key}.pays", f"a price for {_listed(odd)}", f"only {_listed(sorted(HARD_TOTALS))}")
            yield from _cited_for_each(key, terms)
        case OneRoll():
            if set(terms.pays) == ALL_TOTALS:
                yield Fault(f"wager.{key}.pays", "a price for every total", "a total that loses")
        case Hop():
            yield from _hop(key, terms)
        case Split():
            yield from _split(key, terms, book)
        case Fire():
            most = len(book.points.value)
            if too_many := [count for count in terms.pays if count > most]:
                expected = f"at most {most}, as many as there are"
                yield Fault(f"wager.{key}.pays", f"a price for {_listed(too_many)} points", expected)
        case Collect():
            yield from _different(f"wager.{key}.needs", terms.needs.value)
        case Repeat():
            if SEVEN in terms.pays:
                yield Fault(f"wager.{key}.pays", "a price for 7", "totals that can come before a 7")
            if set(terms.times.value) != set(terms.pays):
                yield Fault(f"wager.{key}.times", "other totals than those with a price", "a number for each price")
        case Replay():
            yield from _replay(key, terms, book.points.value)
        case Streak():
            most = {"totals": 10, "doubles": 6, "points": POINTS_MAX}[terms.of]
            if too_many := [count for count in terms.pays if count > most]:
                yield Fault(f"wager.{key}.pays", f"a price for {_listed(too_many)} {terms.of}", f"at most {most}")
        case _:
            assert_never(terms)


def _line(key: str, wager: Line, book: Book) -> Iterator[Finding]:
    """Its first roll must win, lose, push or give it a point, and only one of them."""
    bar = [wager.bar.value] if wager.bar else []
    decided = Counter([*wager.wins.value, *wager.loses.value, *bar])
    if twice := [total for total, times in decided.items() if times > 1]:
        yield Fault(f"wager.{key}", f"{_listed(twice)} decided twice", "each total in only one of wins, loses and bar")
    points = set(book.points.value)
    if idle := sorted(ALL_TOTALS - set(decided) - points):
        undecided = f"{_listed(idle)} undecided on its first roll"
        yield Fault(f"wager.{key}", undecided, "every total that is no point decided")
    if early := sorted(points & set(decided)):
        yield Fault(f"wager.{key}", f"{_listed(early)} decided on its first roll", "every point left open")
    if wager.bar and wager.side == "do":
        yield Fault(f"wager.{key}.bar", str(wager.bar.value), "no bar on a wager with the shooter")
    if wager.put.value and wager.side == "dont":
        yield Fault(f"wager.{key}.put", "true", "false: a don't bet with its point would be a gift (X-07)")


def _odds(rule: WagerRule, terms: Odds, book: Book) -> Iterator[Finding]:
    lines = {other.key: other for other in book.wagers if isinstance(other.terms, Line)}
    if terms.of not in lines:
        expected = f"a line wager of this file: {_listed(lines) or 'there is none'}"
        yield Fault(f"wager.{rule.key}.of", repr(terms.of), expected, nearest(terms.of, lines))
    elif rule.offered.value and not lines[terms.of].offered.value:
        yield Fault(f"wager.{rule.key}.offered", "true", f"false, as long as {terms.of} is not offered")
    yield from _priced(rule.key, terms.pays, book.points.value)


def _priced(key: str, pays: Mapping[int, object], points: tuple[int, ...], field: str = "pays") -> Iterator[Finding]:
    if lacking := [point for point in points if point not in pays]:
        yield Fault(f"wager.{key}.{field}", f"no price for {_listed(lacking)}", f"one for each of {_listed(points)}")
    if extra := [number for number in pays if number not in points]:
        yield Fault(f"wager.{key}.{field}", f"a price for {_listed(extra)}", f"only points: {_listed(points)}")


def _replay(key: str, wager: Replay, points: tuple[int, ...]) -> Iterator[Finding]:
    """Both prices for every point, the second at least as good."""
    yield from _priced(key, wager.pays, points)
    yield from _priced(key, wager.once_more, points, "once_more")
    both = sorted(set(wager.pays) & set(wager.once_more))
    if worse := [point for point in both if wager.once_more[point].value.rate < wager.pays[point].value.rate]:
        yield Fault(f"wager.{key}.once_more", f"less on {_listed(worse)} than for fewer times", "at least as much")


def _cited_for_each(key: str, wager: Number | Hardway) -> Iterator[Finding]:
    """A clause for every number that has a price."""
    for name in ("wins", "loses"):
        clauses = getattr(wager, name)
        if not isinstance(clauses, str) and set(clauses) != set(wager.pays):
            cited = f"clauses for {_listed(sorted(clauses))}"
            yield Fault(f"wager.{key}.{name}", cited, f"one for each of {_listed(sorted(wager.pays))}")


def _hop(key: str, wager: Hop) -> Iterator[Finding]:
    if not _is_template(wager.keys):
        yield Fault(f"wager.{key}.keys", repr(wager.keys), "a key made with {total}, {high} and {low}")
    if not wager.pairs:
        yield Fault(f"wager.{key}.pairs", "none", "at least one pair")
    for name, price, wanted in (
        ("hard", wager.hard, [pair for pair in wager.pairs if pair[0] == pair[1]]),
        ("easy", wager.easy, [pair for pair in wager.pairs if pair[0] != pair[1]]),
    ):
        if wanted and price is None:
            pairs = _listed(f"{high}-{low}" for high, low in wanted)
            yield Fault(f"wager.{key}.{name}", "no price", f"one, for {pairs}")
        if price is not None and not wanted:
            yield Fault(f"wager.{key}.{name}", f"the price {price.value}", "none: no such pair is listed")


def _is_template(text: str) -> bool:
    plain = text
    for name in ("{total}", "{high}", "{low}"):
        plain = plain.replace(name, "1")
    return plain.replace("_", "a").isalnum() and plain.islower() and plain[0].isalpha() and plain.isascii()


def _split(key: str, wager: Split, book: Book) -> Iterator[Finding]:
    one_roll = {rule.key: rule.terms.pays for rule in book.wagers if isinstance(rule.terms, OneRoll)}
    parts = wager.parts.value
    if not parts:
        yield Fault(f"wager.{key}.parts", "none", "at least one part")
    for part in parts:
        if part not in one_roll:
            expected = f"a one-roll wager of this file: {_listed(one_roll) or 'there is none'}"
            yield Fault(f"wager.{key}.parts", repr(part), expected, nearest(part, one_roll))
    for number, part in wager.high.items():
        if part not in parts:
            yield Fault(f"wager.{key}.high", f"{part!r} for {number}", "one of its parts", nearest(part, parts))
    wins = {total for part in parts for total in one_roll.get(part, ())}
    if wager.paid_by and set(wager.paid_by) != wins:
        cited = f"clauses for {_listed(sorted(wager.paid_by))}"
        yield Fault(f"wager.{key}.paid_by", cited, f"one for each of {_listed(sorted(wins))}")


def _different(path: str, totals: tuple[int, ...]) -> Iterator[Finding]:
    """The totals are distinct, and none is a seven."""
    if SEVEN in totals or not totals or len(set(totals)) != len(totals):
        yield Fault(path, _listed(totals) or "none", "different totals, at least one and none of them 7")
