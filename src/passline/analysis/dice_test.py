"""Whether rolls that really fell look like these dice, and how many rolls it takes to see that they do not."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from statistics import NormalDist
from typing import Any, Final

from passline.answers import Answer, Described, Part, Table, columns, percent
from passline.engine.events import DiceThrown
from passline.engine.values import ROLLS, SEVEN
from passline.errors import ArgumentError, RecordError, short, short_repr
from passline.files.arguments import chance as a_chance
from passline.files.arguments import instance
from passline.files.reading import read_bytes
from passline.machine.dice import FAIR, Given, LoadedDice, dice_of
from passline.record.record import SUFFIX, text_of
from passline.table import replay

EXPECTED_MIN = 5  # Fewer cases expected anywhere, and a chi-square is rough
LEVEL = 0.05  # below this the tests together say that something is odd


@dataclass(frozen=True, slots=True)
class Fit(Described):
    """One comparison of what fell with what these dice bring."""

    FIELDS = "name statistic freedom p_value expected_min rough"

    name: str
    statistic: float
    freedom: int | None  # Degrees of freedom of a chi-square; None where the chance is exact
    p_value: float  # the chance that these dice fall at least as far from what is expected
    expected_min: float | None  # the fewest cases expected anywhere; below 5 the chance is rough

    @property
    def rough(self) -> bool:
        """Whether there are too few rolls for this chance to be more than a hint."""
        return self.expected_min is not None and self.expected_min < EXPECTED_MIN

    @property
    def row(self) -> tuple[Any, ...]:
        few = f"rough: {self.expected_min:.1f} expected" if self.rough else ""
        return self.name, self.statistic, "exact" if self.freedom is None else str(self.freedom), self.p_value, few


@dataclass(frozen=True, slots=True)
class DiceTest(Answer):
    """What can be said of some rolls, if they were thrown with these dice."""

    FIELDS = "rolls dice sevens srr srr_interval tests=fits"

    rolls: int
    dice: LoadedDice
    sevens: int
    srr: Fraction | None  # Rolls for each seven; None where there was no seven
    # Where the true ratio lies with 95 %, by Clopper and Pearson; without a seven it has no upper end.
    srr_interval: tuple[float, float]
    fits: tuple[Fit, ...]

    def page(self) -> Iterator[Part]:
        low, high = self.srr_interval
        ratio = "none" if self.srr is None else f"one in {float(self.srr):.3f} rolls"
        upper = f"{high:.3f}" if math.isfinite(high) else "any number of"
        yield f"{self.rolls:,} rolls, tested against {self.dice.in_words}."
        yield f"Sevens: {self.sevens:,}, {ratio}; 95% confidence: one seven in {low:.3f} to {upper} rolls."
        yield ""
        kinds = columns("test text, statistic number, degrees text, p_value share,  text")
        yield Table(kinds, [fit.row for fit in self.fits])
        yield ""
        yield "p value: how often these dice would stray as far from the expected counts, or farther."
        yield self.verdict

    @property
    def verdict(self) -> str:
        """All tests as one, by Bonferroni: the least chance times their number."""
        least, many = min(self.fits, key=lambda fit: fit.p_value), len(self.fits)
        together = min(1.0, many * least.p_value)
        smallest = f"a smallest p value of {percent(least.p_value)}"
        if together > LEVEL:
            return f"Nothing unusual: with {many} tests, {smallest} is ordinary."
        luck = f"comes by luck at most {percent(together)} of the time"
        return f"Unusual: {least.name}. With {many} tests, {smallest} {luck}."


def dice_test(rolls: "Source", *, dice: Given = None) -> DiceTest:
    """Hold rolls against fair dice, or against others: a path, totals, or pairs of faces.

    >>> [fit.name for fit in dice_test([7, 6, 8, 7]).fits]
    ['totals', 'sevens', 'runs of sevens']
    """
    fell, loaded = rolls_of(rolls), dice_of(dice)
    count = len(fell.totals)
    by_total, by_pair, *by_face = (defaultdict[Hashable, Fraction](Fraction) for _ in range(4))
    for roll in ROLLS:
        chance = loaded.chance(roll.throw) * count
        by_total[roll.total] += chance
        by_pair[max(roll.first, roll.second), min(roll.first, roll.second)] += chance
        by_face[0][roll.first] += chance
        by_face[1][roll.second] += chance
    fits = []
    if fell.faces is not None:
        for place, name in enumerate(("faces of the first die", "faces of the second die")):
            fits.append(_chi_square(name, [pair[place] for pair in fell.faces], by_face[place]))
        fits.append(_chi_square("pairs", [(max(pair), min(pair)) for pair in fell.faces], by_pair))
    fits.append(_chi_square("totals", fell.totals, by_total))
    sevens = fell.totals.count(SEVEN)
    fits.append(Fit("sevens", sevens, None, as_far_binomial(sevens, count, float(loaded.sevens)), None))
    if 0 < sevens < count:
        runs = 1 + sum((one == SEVEN) != (two == SEVEN) for one, two in pairwise(fell.totals))
        fits.append(Fit("runs of sevens", runs, None, runs_as_far(runs, sevens, count - sevens), None))
    low, high = share_interval(sevens, count)
    srr = Fraction(count, sevens) if sevens else None
    return DiceTest(count, loaded, sevens, srr, (1 / high, 1 / low if low else math.inf), tuple(fits))


def _chi_square(name: str, fell: Sequence[Hashable], expected: Mapping[Hashable, Fraction]) -> Fit:
    seen = Counter(fell)
    value = math.fsum((seen[each] - float(often)) ** 2 / float(often) for each, often in expected.items())
    freedom = len(expected) - 1
    return Fit(name, value, freedom, chi_square_tail(value, freedom), float(min(expected.values())))


@dataclass(frozen=True, slots=True)
class RollsToSee(Answer):
    """How many rolls it takes to see that dice are not fair by their sevens."""

    FIELDS = "rolls power level fewest most"

    rolls: int
    power: float  # the chance that so many rolls of these dice are told from fair ones, exactly
    level: float  # the chance that rolls of fair dice are taken for others, at most
    fewest: int  # Fewer sevens than this in so many rolls are too few for fair dice
    most: int  # more sevens than this are too many

    def page(self) -> Iterator[Part]:
        yield f"It takes {self.rolls:,} rolls to tell these dice from fair ones (power {percent(self.power)})."
        few = f"Fewer than {self.fewest:,} sevens in them, or more than {self.most:,}, happen with fair dice"
        yield f"{few} at most {percent(self.level)} of the time."

    def table(self) -> Table:
        return Table(columns("rolls count, power share, level share, fewest count, most count"), [astuple(self)])


def rolls_to_see(dice: Given, *, level: float = 0.05, power: float = 0.9) -> RollsToSee:
    """How many rolls it takes to tell these dice from fair ones by the number of sevens, on two sides.

    The number is that of the normal distribution, raised until the exact power is reached.

    >>> rolls_to_see("srr=6.5").rolls
    8691
    """
    loaded = dice_of(dice)
    wrong, wanted = float(a_chance("level", level)), float(a_chance("power", power))
    if not (wrong < 1 and wrong < wanted < 1):
        raise ArgumentError("power", short_repr(power), "a chance below 1 and above the level")
    fair, other = float(FAIR.sevens), float(loaded.sevens)
    if loaded.sevens == FAIR.sevens:
        expected = "dice whose sevens are not those of fair ones: else no roll tells"
        raise ArgumentError("dice", short_repr(dice), expected)
    normal = NormalDist()
    spread = normal.inv_cdf(1 - wrong / 2) * math.sqrt(fair * (1 - fair))
    spread += normal.inv_cdf(wanted) * math.sqrt(other * (1 - other))
    rolls = math.ceil((spread / (fair - other)) ** 2)
    while True:
        fewest, most = _fence(rolls, fair, wrong)
        seen = binomial_tail(fewest - 1, rolls, other, upper=False) + binomial_tail(most + 1, rolls, other, upper=True)
        if seen >= wanted:
            return RollsToSee(rolls, seen, wrong, fewest, most)
        rolls += max(1, rolls // 500)


def _fence(rolls: int, chance: float, level: float) -> tuple[int, int]:
    """The fewest and the most sevens that fair dice bring, with half the level beyond each."""
    counts, enough = range(rolls + 1), level / 2
    fewest = bisect_right(counts, enough, key=lambda count: binomial_tail(count, rolls, chance, upper=False))
    beyond = bisect_left(counts, True, key=lambda count: binomial_tail(count, rolls, chance, upper=True) <= enough)  # noqa: FBT003
    return fewest, beyond - 1


FILE_BYTES_MAX: Final = 1 << 26  # the longest file of rolls: some ten million of them
ROLL: Final = "two dice such as 3,4, or one total from 2 to 12"
FILE: Final = f"a record ({SUFFIX}) or a file with two dice or a total on each line"
# Words that a first line may name its columns by.
HEADS: Final = frozenset({"first", "second", "die1", "die2", "d1", "d2", "die", "total", "roll"})

# Where rolls come from: the path of a file, totals, or pairs of faces.
Source = str | Path | Iterable[int] | Iterable[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Rolls:
    """Rolls in the order they fell: totals, and both faces where they are known."""

    totals: tuple[int, ...]
    faces: tuple[tuple[int, int], ...] | None  # none where only totals were written down


def rolls_of(source: Source) -> Rolls:
    """Read rolls: a `.craps` record, a file with two dice or a total on each line, or a list of either."""
    if isinstance(source, str | Path):
        path = Path(source)
        if path.suffix == SUFFIX:
            thrown = [event for event in replay(path).events if isinstance(event, DiceThrown)]
            return _rolls([(event.first, event.second) for event in thrown], str(path))
        text = text_of(lambda: read_bytes(path, FILE_BYTES_MAX), str(path), FILE)
        return _rolls(_lines(text, str(path)), str(path))
    instance("rolls", source, Iterable, "the path of a file, or a list of totals or of pairs of faces")
    rows = []
    for number, each in enumerate(source, 1):
        rows.append(tuple(each) if isinstance(each, Sequence) and not isinstance(each, str) else (each,))
        _check(rows[-1], number, short(each) if isinstance(each, str) else short_repr(each), "rolls")
    return _rolls(rows, "rolls")


def _lines(text: str, file: str) -> list[tuple[int, ...]]:
    rows: list[tuple[int, ...]] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.partition("#")[0].strip()
        if bare.endswith((",", ";", "-")) or bare.startswith((",", ";", "-")):
            raise RecordError(number, 1, short(bare), ROLL, file)
        words = bare.replace(",", " ").replace(";", " ").replace("-", " ").split()
        if not words or (not rows and all(word.lower() in HEADS for word in words)):
            continue
        if not all(word.isascii() and word.isdigit() for word in words):
            raise RecordError(number, 1, short(line.strip()), ROLL, file)
        each = tuple(int(word) if len(word) < 3 else 99 for word in words)
        _check(each, number, short(line.strip()), file)
        if rows and len(each) != len(rows[0]):
            kind = "one total" if len(rows[0]) == 1 else "two dice"
            raise RecordError(number, 1, short(line.strip()), f"{kind}, as on the lines before", file)
        rows.append(each)
    return rows


def _check(each: tuple[object, ...], number: int, text: str, file: str) -> None:
    least, most = (2, 12) if len(each) == 1 else (1, 6)
    fits = len(each) in {1, 2} and all(type(face) is int and least <= face <= most for face in each)
    if not fits:
        raise RecordError(number, 1, text, ROLL, file)


def _rolls(rows: Sequence[tuple[int, ...]], file: str) -> Rolls:
    if not rows:
        raise RecordError(1, 1, "no rolls", ROLL, file)
    if any(len(each) != len(rows[0]) for each in rows):
        raise RecordError(1, 1, "totals among pairs", "totals alone, or pairs alone", file)
    faces = None if len(rows[0]) == 1 else tuple((each[0], each[1]) for each in rows)
    return Rolls(tuple(map(sum, rows)), faces)


def chi_square_tail(value: float, freedom: int) -> float:
    """The chance that a chi-square of so many degrees of freedom is at least `value`."""
    half = value / 2
    if freedom % 2:
        term, total = 2 * math.sqrt(half / math.pi) * math.exp(-half), math.erfc(math.sqrt(half))
        steps = range(3, freedom + 1, 2)
    else:
        term, total = math.exp(-half), 0.0
        steps = range(2, freedom + 1, 2)
    for degrees in steps:
        total += term
        term *= half / (degrees / 2)
    return min(1.0, total)


def binomial_tail(successes: int, of: int, chance: float, *, upper: bool) -> float:
    """The chance of so many successes or more (`upper`), or of so many or fewer."""
    if upper:
        return binomial_tail(of - successes, of, 1 - chance, upper=False)
    if successes < 0 or chance >= 1:
        return float(successes >= of and chance >= 1)
    if successes >= of or chance <= 0:
        return 1.0
    if successes > of * chance:  # beyond the middle the other tail is the shorter sum
        return 1 - binomial_tail(of - successes - 1, of, 1 - chance, upper=False)
    term = math.exp(_log_ways(of, successes) + successes * math.log(chance) + (of - successes) * math.log1p(-chance))
    total, odds = 0.0, (1 - chance) / chance
    while term > total * 1e-17 and successes >= 0:
        total += term
        term *= successes / (of - successes + 1) * odds
        successes -= 1
    return min(1.0, total)


def as_far_binomial(successes: int, of: int, chance: float) -> float:
    """The chance of a count that is as unlikely as this one, or more: on both sides, as `binom.test` orders them."""

    def log(count: int) -> float:
        return _log_ways(of, count) + count * math.log(chance) + (of - count) * math.log1p(-chance)

    seen, middle = log(successes) + 1e-7, int((of + 1) * chance)
    upper = successes > middle
    # On the other side of the middle chances fall all the way, so that the first as unlikely is found by halving.
    other = range(middle, -1, -1) if upper else range(middle, of + 1)
    unlikely = bisect_left(other, True, key=lambda count: log(count) <= seen)  # noqa: FBT003 - what is looked for
    far = middle - unlikely if upper else middle + unlikely
    own = binomial_tail(successes, of, chance, upper=upper)
    return 1.0 if log(middle) <= seen else min(1.0, own + binomial_tail(far, of, chance, upper=not upper))


def share_interval(successes: int, of: int, level: float = 0.95) -> tuple[float, float]:
    """The interval of a share by Clopper and Pearson, which holds its level for every count, nothing included."""
    tail = (1 - level) / 2
    low = 0.0 if not successes else _where(lambda p: binomial_tail(successes, of, p, upper=True) - tail)
    high = 1.0 if successes == of else _where(lambda p: tail - binomial_tail(successes, of, p, upper=False))
    return low, high


def _where(rises: Callable[[float], float]) -> float:
    """Where a function that rises from 0 to 1 is nothing."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if rises(middle) > 0 else (middle, high)
    return (low + high) / 2


def runs_as_far(runs: int, ones: int, others: int) -> float:
    """The chance, in any order of so many ones and others, of a number of runs that is as unlikely as this or more."""
    whole = _log_ways(ones + others, ones)
    chances = {}
    for count in range(2, 2 * min(ones, others) + 2):
        half, odd = divmod(count, 2)
        ways = [(half, half - 1), (half - 1, half)] if odd else [(half - 1, half - 1)] * 2
        possible = ((a, b) for a, b in ways if a < ones and b < others)
        logs = (_log_ways(ones - 1, a) + _log_ways(others - 1, b) - whole for a, b in possible)
        chances[count] = math.fsum(map(math.exp, logs))
    return min(1.0, math.fsum(each for each in chances.values() if each <= chances[runs] * (1 + 1e-7)))


def _log_ways(of: int, chosen: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(chosen + 1) - math.lgamma(of - chosen + 1)
