"""What the models cannot see in one value: that every declared wager has a price, a clause and an end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from passline.engine.book import Cited
from passline.engine.values import SEVEN
from passline.errors import Finding
from passline.files.findings import nearest
from passline.rulebooks.expand import holds, keys
from passline.rulebooks.wagers import (
    CollectWager,
    FireWager,
    HardwayWager,
    HopWager,
    LineWager,
    NumberWager,
    OddsWager,
    OneRollWager,
    SplitWager,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from passline.engine.values import Price
    from passline.rulebooks.schema import House
    from passline.rulebooks.wagers import Wager

ALL_TOTALS = frozenset(range(2, 13))
"""What two dice can show."""

HARD_TOTALS = frozenset({4, 6, 8, 10})
"""The totals that a pair makes and another throw too."""

CAN_BE_CALLED = (OddsWager, NumberWager, HardwayWager)
"""Kinds that can rest: those that live longer than a roll and are no contract."""

CAN_STAY = (NumberWager, HardwayWager)
"""Kinds that a win leaves as they were."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A finding that does not know its file yet."""

    path: str
    found: str
    expected: str
    nearest: str | None = None


def check(house: House, file: str) -> list[Finding]:
    """Find everything in a well-formed house by which no game could be played."""
    faults = [fault for look in (_points, _notice, _line_bets, _key_clashes, _price_forms) for fault in look(house)]
    for key, wager in house.wager.items():
        faults += [fault for look in (*COMMON, BY_KIND[type(wager)]) for fault in look(key, wager, house)]
    return [Finding(file, fault.path, fault.found, fault.expected, fault.nearest) for fault in faults]


def _listed(numbers: Iterable[object]) -> str:
    return ", ".join(map(str, numbers))


# --- The house ------------------------------------------------------------------------------------------------------


def _points(house: House) -> Iterator[Fault]:
    points = house.points.value
    if SEVEN in points or not points or len(set(points)) != len(points):
        yield Fault("points", _listed(points) or "none", "different totals, at least one and none of them 7")


def _notice(house: House) -> Iterator[Fault]:
    notice, points = house.notice, house.points.value
    if notice.min.value > notice.max.value:
        yield Fault("notice.min", str(notice.min.value), f"at most the maximum of {notice.max.value}")
    chips = notice.chips.value
    if not chips or list(chips) != sorted(set(chips)):
        yield Fault("notice.chips", _listed(chips) or "none", "at least one chip, smallest first, each once")
    each = notice.odds.value.each
    if each is not None and set(each) != set(points):
        yield Fault("notice.odds", f"multiples for {_listed(sorted(each))}", f"one for each of {_listed(points)}")
    last = notice.odds_to.value
    if last is not None and notice.odds_from.value > last:
        yield Fault("notice.odds_from", str(notice.odds_from.value), f"at most odds_to, {last}")
    multiples = sorted(set((notice.odds.value.by_point(points) or {}).values()))
    if any(multiple < notice.odds_from.value or multiple > (last or multiple) for multiple in multiples):
        expected = f"from {notice.odds_from.value} (odds_from) to {last or 'any'} (odds_to)"
        yield Fault("notice.odds", _listed(multiples), expected)


def _line_bets(house: House) -> Iterator[Fault]:
    shooters = [key for key, wager in house.wager.items() if isinstance(wager, LineWager) and not wager.travels]
    if not shooters:
        yield Fault("wager", "no line wager that stays where it is", "one, such as pass: without it nobody can shoot")


def _price_forms(house: House) -> Iterator[Fault]:
    """A book that writes every price with one word allows no other."""
    form = house.money.price_form
    for key, wager in house.wager.items():
        for path, price in _prices(key, wager):
            if form.value not in ("either", price.form):
                yield Fault(path, str(price), f'a price written with "{form.value}", by {form.clause}')


def _prices(key: str, wager: Wager) -> Iterator[tuple[str, Price]]:
    """Every price of a wager, with its place in the file."""
    for name in ("pays", "hard", "easy"):
        said = getattr(wager, name, None)
        if isinstance(said, Cited):
            yield f"wager.{key}.{name}", said.value
        elif said is not None:
            for number, price in said.items():
                yield f"wager.{key}.{name}.{number}", price.value


def _key_clashes(house: House) -> Iterator[Fault]:
    owners: dict[str, str] = {}
    for key, wager in house.wager.items():
        if isinstance(wager, HopWager) and not _is_template(wager.keys):
            continue
        fulls = [full for full, _ in keys(key, wager, house)]
        if clashes := [full for full, times in Counter(fulls).items() if times > 1 or full in owners]:
            whose = owners.get(clashes[0], key)
            yield Fault(f"wager.{key}", f"the key {clashes[0]}, which {whose} has already", "a key for each wager")
        owners.update(dict.fromkeys(fulls, key))


# --- Every wager ----------------------------------------------------------------------------------------------------


def _resting(key: str, wager: Wager, house: House) -> Iterator[Fault]:
    """Only what lives on can rest, be called, or stay up after a win."""
    for name, kinds in (("off_on_comeout", CAN_BE_CALLED), ("callable", CAN_BE_CALLED), ("stays", CAN_STAY)):
        if holds(wager, house, name).value and not isinstance(wager, kinds):
            yield Fault(f"wager.{key}.{name}", "true", "false: a wager of this kind cannot")
    if holds(wager, house, "removable").value == "until its point" and not isinstance(wager, LineWager):
        yield Fault(f"wager.{key}.removable", "'until its point'", "another word: only a line wager gets a point")


def _window(key: str, wager: Wager, house: House) -> Iterator[Fault]:
    """A flat bet is made before its first roll and a tally before it begins, or half the bet would be for sale."""
    match wager:
        case LineWager(travels=True):
            windows = ["point on", "after come-out"]
        case LineWager():
            windows = ["come-out"]
        case FireWager() | CollectWager():
            windows = ["first come-out", "come-out", "after a seven"]
        case _:
            return
    made = holds(wager, house, "made").value
    if made not in windows:
        yield Fault(f"wager.{key}.made", repr(made), f"one of {_listed(windows)}", nearest(made, windows))


def _commission(key: str, wager: Wager, _house: House) -> Iterator[Fault]:
    """No charge on a wager that the house already pays short (adelaide:14(d))."""
    if wager.commission is None:
        return
    if not isinstance(wager, NumberWager):
        yield Fault(
            f"wager.{key}.commission", "a charge", "none: only number wagers at true odds carry one (adelaide:14(d))"
        )
        return
    short = [n for n, price in wager.pays.items() if n != SEVEN and price.value.rate != _true_odds(n, wager.side)]
    if short:
        found = f"a charge on top of {_listed(f'{wager.pays[n].value} on {n}' for n in short)}"
        yield Fault(f"wager.{key}.commission", found, "true odds under a charge (adelaide:14(d))")


def _true_odds(number: int, side: str) -> Fraction:
    """The fair profit on a stake of one, for a number against seven or seven against it."""
    for_number = Fraction(6, 6 - abs(SEVEN - number))
    return for_number if side == "do" else 1 / for_number


def _names(key: str, wager: Wager, house: House) -> Iterator[Fault]:
    if isinstance(wager, HopWager) and not _is_template(wager.keys):
        return
    members = {member for _, member in keys(key, wager, house)}
    for member in wager.names:
        if member not in members:
            yield Fault(
                f"wager.{key}.names", f"a name for {member}", f"names for {_listed(sorted(members - {''})) or 'none'}"
            )
    if leftover := {"{", "}"} & set(wager.name.replace("{n}", "").replace("{pair}", "")):
        yield Fault(f"wager.{key}.name", f"a stray {_listed(sorted(leftover))}", "no braces but {n} and {pair}")


COMMON: tuple[Callable[[str, Wager, House], Iterator[Fault]], ...] = (_resting, _window, _commission, _names)
"""What is looked at for every kind of wager."""


# --- Each kind ------------------------------------------------------------------------------------------------------


def _line(key: str, wager: LineWager, house: House) -> Iterator[Fault]:
    """Its first roll must win, lose, push or give it a point, and only one of them."""
    bar = [wager.bar.value] if wager.bar else []
    decided = Counter([*wager.wins.value, *wager.loses.value, *bar])
    if twice := [total for total, times in decided.items() if times > 1]:
        yield Fault(f"wager.{key}", f"{_listed(twice)} decided twice", "each total in only one of wins, loses and bar")
    points = set(house.points.value)
    if idle := sorted(ALL_TOTALS - set(decided) - points):
        yield Fault(
            f"wager.{key}", f"{_listed(idle)} undecided on its first roll", "every total that is no point decided"
        )
    if early := sorted(points & set(decided)):
        yield Fault(f"wager.{key}", f"{_listed(early)} decided on its first roll", "every point left open")
    if wager.bar and wager.side == "do":
        yield Fault(f"wager.{key}.bar", str(wager.bar.value), "no bar on a wager with the shooter")
    if wager.put.value and wager.side == "dont":
        yield Fault(f"wager.{key}.put", "true", "false: a don't bet with its point would be a gift (X-07)")


def _odds(key: str, wager: OddsWager, house: House) -> Iterator[Fault]:
    flat = house.wager.get(wager.of)
    if not isinstance(flat, LineWager):
        lines = [name for name, other in house.wager.items() if isinstance(other, LineWager)]
        expected = f"a line wager of this file: {_listed(lines) or 'there is none'}"
        yield Fault(f"wager.{key}.of", repr(wager.of), expected, nearest(wager.of, lines))
    elif holds(wager, house, "offered").value and not holds(flat, house, "offered").value:
        yield Fault(f"wager.{key}.offered", "true", f"false, as long as {wager.of} is not offered")
    yield from _priced(key, wager.pays, house.points.value)


def _priced(key: str, pays: Mapping[int, object], points: tuple[int, ...]) -> Iterator[Fault]:
    """A price for every point and for nothing else."""
    if lacking := [point for point in points if point not in pays]:
        yield Fault(f"wager.{key}.pays", f"no price for {_listed(lacking)}", f"one for each of {_listed(points)}")
    if extra := [number for number in pays if number not in points]:
        yield Fault(f"wager.{key}.pays", f"a price for {_listed(extra)}", f"only points: {_listed(points)}")


def _number(key: str, wager: NumberWager, _house: House) -> Iterator[Fault]:
    if SEVEN in wager.pays:
        yield Fault(f"wager.{key}.pays", "a price for 7", "numbers that can come before a 7")
    yield from _cited_for_each(key, wager)


def _hardway(key: str, wager: HardwayWager, _house: House) -> Iterator[Fault]:
    if odd := sorted(set(wager.pays) - HARD_TOTALS):
        yield Fault(f"wager.{key}.pays", f"a price for {_listed(odd)}", f"only {_listed(sorted(HARD_TOTALS))}")
    yield from _cited_for_each(key, wager)


def _cited_for_each(key: str, wager: NumberWager | HardwayWager) -> Iterator[Fault]:
    """A clause for every number that has a price."""
    for name in ("wins", "loses"):
        clauses = getattr(wager, name)
        if not isinstance(clauses, str) and set(clauses) != set(wager.pays):
            found = f"clauses for {_listed(sorted(clauses))}"
            yield Fault(f"wager.{key}.{name}", found, f"one for each of {_listed(sorted(wager.pays))}")


def _one_roll(key: str, wager: OneRollWager, _house: House) -> Iterator[Fault]:
    if set(wager.pays) == ALL_TOTALS:
        yield Fault(f"wager.{key}.pays", "a price for every total", "a total that loses")


def _hop(key: str, wager: HopWager, _house: House) -> Iterator[Fault]:
    if not _is_template(wager.keys):
        yield Fault(f"wager.{key}.keys", repr(wager.keys), "a key made with {total}, {high} and {low}")
    if not wager.pairs:
        yield Fault(f"wager.{key}.pairs", "none", "at least one pair")
    for name, price, wanted in (
        ("hard", wager.hard, [pair for pair in wager.pairs if pair[0] == pair[1]]),
        ("easy", wager.easy, [pair for pair in wager.pairs if pair[0] != pair[1]]),
    ):
        if wanted and price is None:
            shown = _listed(f"{high}-{low}" for high, low in wanted)
            yield Fault(f"wager.{key}.{name}", "no price", f"one, for {shown}")
        if price is not None and not wanted:
            yield Fault(f"wager.{key}.{name}", f"the price {price.value}", "none: no such pair is listed")


def _is_template(text: str) -> bool:
    """Whether it makes well-formed keys."""
    plain = text
    for name in ("{total}", "{high}", "{low}"):
        plain = plain.replace(name, "1")
    return plain.replace("_", "a").isalnum() and plain.islower() and plain[0].isalpha() and plain.isascii()


def _split(key: str, wager: SplitWager, house: House) -> Iterator[Fault]:
    one_roll = [name for name, other in house.wager.items() if isinstance(other, OneRollWager)]
    parts = wager.parts.value
    if not parts:
        yield Fault(f"wager.{key}.parts", "none", "at least one part")
    for part in parts:
        if part not in one_roll:
            expected = f"a one-roll wager of this file: {_listed(one_roll) or 'there is none'}"
            yield Fault(f"wager.{key}.parts", repr(part), expected, nearest(part, one_roll))
    for number, part in (wager.high or {}).items():
        if part not in parts:
            yield Fault(f"wager.{key}.high", f"{part!r} for {number}", "one of its parts", nearest(part, parts))
    wins = {total for part in parts if isinstance(other := house.wager.get(part), OneRollWager) for total in other.pays}
    if wager.paid_by is not None and set(wager.paid_by) != wins:
        yield Fault(
            f"wager.{key}.paid_by",
            f"clauses for {_listed(sorted(wager.paid_by))}",
            f"one for each of {_listed(sorted(wins))}",
        )


def _fire(key: str, wager: FireWager, house: House) -> Iterator[Fault]:
    most = len(house.points.value)
    if too_many := [count for count in wager.pays if count > most]:
        yield Fault(
            f"wager.{key}.pays", f"a price for {_listed(too_many)} points", f"at most {most}, as many as there are"
        )


def _collect(key: str, wager: CollectWager, _house: House) -> Iterator[Fault]:
    needs = wager.needs.value
    if SEVEN in needs or not needs or len(set(needs)) != len(needs):
        yield Fault(f"wager.{key}.needs", _listed(needs) or "none", "different totals, at least one and none of them 7")


BY_KIND: Mapping[type[Wager], Callable[..., Iterator[Fault]]] = {
    LineWager: _line,
    OddsWager: _odds,
    NumberWager: _number,
    HardwayWager: _hardway,
    OneRollWager: _one_roll,
    HopWager: _hop,
    SplitWager: _split,
    FireWager: _fire,
    CollectWager: _collect,
}
"""What is looked at for each kind."""
