"""A sample of sessions: exact counts, and the figures that follow from them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from passline.answers import (
    SHAPE_WIDE,
    Answer,
    Kind,
    Part,
    Shape,
    Table,
    cut_name,
    figures,
    interval_95,
    money,
    percent,
    picked,
    remarks_of,
    rolls_of,
    signed,
    wilson,
)
from passline.errors import ArgumentError, ArgumentTypeError, short_repr
from passline.files.amounts import Money, exactly
from passline.files.arguments import chance as a_chance
from passline.files.arguments import figure

# Where the fan and the summary cut the distribution.
QUANTILES: Final = tuple(Fraction(percent, 100) for percent in (1, 5, 25, 50, 75, 95, 99))
PATHS: Final = 12  # sample sessions that are kept to be drawn
# The shares of sessions that are held against chances, where there are any.
SHARES: Final = {"p_ahead": "ahead", "p_even": "even", "p_behind": "behind", "p_ruin": "no next bet"}
# What is written out exactly and as decimals, and what as it is.
FIGURES: Final = (
    *("mean", "variance", *SHARES, "action", "edge", "rolls_played", "run_out_rolls"),
    *("loss_per_hour", "action_per_hour", "best", "worst"),
)
COUNTED: Final = (
    *("about", "machine", "terms", "seed", "backend", "threads", "complete", "sessions", "rolls", "hands", "run_out"),
    *("standard_error", "quantiles", "endings", "watched"),
)
MOMENTS: Final = 5  # moments of a session that are told
ROLLS_PER_HOUR: Final = 100  # how fast the table is taken to be
CURVE_POINTS: Final = 100  # points of the ruin curve that are written out


class Figures(Protocol):
    """What a sample can be held against, as money."""

    @property
    def mean(self) -> Fraction | float: ...  # of the final net
    @property
    def variance(self) -> Fraction | float: ...
    @property
    def p_ahead(self) -> Fraction | float: ...  # `p_even`, `p_behind` and `p_ruin` likewise
    @property
    def quantiles(self) -> dict[float, Fraction]: ...  # the nets at the usual chances


@dataclass(frozen=True, slots=True, eq=False)
class Fan:
    """The net over time: where the quantiles of the watched sessions stood after so many rolls."""

    rolls: NDArray[np.int64]  #: How many were played, at each checkpoint.
    quantiles: dict[float, tuple[Fraction, ...]]
    """For each of the usual chances the net at each checkpoint; a session that ended stays where it ended."""
    paths: tuple[tuple[Fraction, ...], ...]
    """The first sessions themselves, up to twelve: the net of each at each checkpoint."""

    @classmethod
    def of(cls, rolls: NDArray[np.int64], path: NDArray[np.int64], minor_unit: Fraction) -> Fan:
        """The fan of watched sessions, one row of `path` each, in minor units."""
        ranks = [max(1, math.ceil(q * len(path))) - 1 for q in QUANTILES]
        cuts = zip(QUANTILES, np.sort(path, axis=0)[ranks], strict=True)
        quantiles = {float(q): _money(nets, minor_unit) for q, nets in cuts}
        return cls(rolls, quantiles, tuple(_money(nets, minor_unit) for nets in path[:PATHS]))


@dataclass(frozen=True, slots=True, eq=False)
class Sample(Answer):
    """A run of one strategy: counted exactly, told as money, and equal seeds give equal counts everywhere."""

    about: dict[str, Any]  #: Where the machine came from: house, strategy, their hashes, unit.
    machine: str  #: The digest of the machine that was rolled.
    terms: dict[str, Any]  #: What was wanted: sessions, rolls, bankroll, stops and hands, as given.
    seed: int
    backend: str
    threads: int
    sessions: int  #: Sessions played to their end.
    complete: bool  #: Whether that is all that were asked for; an interrupted run keeps what it has.
    rolls: int  #: Rolls played in all sessions together; those of the run-outs are not among them.
    hands: int  #: Seven-outs on those rolls, in all sessions together.
    decided: Fraction  #: The money of all bets decided, in all sessions and their run-outs together.
    run_out: int  #: Rolls of all run-outs together, on which no new bets were made.
    net: Amounts  #: Final nets.
    endings: dict[str, int]  #: How many sessions ended for which reason: rolls, ruin, stop_win, stop_loss, hands, when.
    ruin: Histogram  #: For the ruined sessions, how many rolls they had.
    watched: int
    """The first sessions, which were looked at roll by roll; the four fields below are theirs alone.

    They are about the rolls played: what stands counts at face value in them.
    """
    drawdown: Amounts  #: The deepest fall from a session's best so far.
    winning_run: Histogram
    """The most winning rolls in a row; rolls on which no money moved neither count nor break a run."""
    losing_run: Histogram
    fan: Fan
    rolls_per_second: float  #: Of the rolling itself: compiling, starting up and watching apart.
    seconds: float  #: Of everything.
    note: str = ""  #: What the asker should know of how it was rolled, such as why no GPU did.

    @property
    def title(self) -> str:
        """The strategy and the house, as far as they are known."""
        names = [str(self.about[key]) for key in ("strategy", "house") if self.about.get(key)]
        return " at ".join(names) or f"machine {self.machine[:12]}"

    @property
    def mean(self) -> Fraction:
        """The mean final net, as money."""
        return self.net.mean

    @property
    def variance(self) -> Fraction:
        """The unbiased estimate of the final net's variance, as money squared."""
        return self.net.variance

    @property
    def standard_error(self) -> float:
        """Of the mean, as money."""
        return math.sqrt(self.variance / self.sessions)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the mean, as money."""
        return interval_95(self.mean, self.standard_error)

    @property
    def p_ahead(self) -> Fraction:
        """The share of sessions that won."""
        return 1 - self.p_at_most(0)

    @property
    def p_even(self) -> Fraction:
        """The share of sessions that came out even."""
        return self.p_at_most(0) - self.p_behind

    @property
    def p_behind(self) -> Fraction:
        """The share of sessions that lost."""
        return 1 - self.p_at_least(0)

    @property
    def p_ruin(self) -> Fraction:
        """The share of sessions that could not cover the next roll."""
        return Fraction(self.ruin.total, self.sessions)

    @property
    def p_stop_loss(self) -> Fraction:
        """The share of sessions that a stop-loss ended."""
        return Fraction(self.endings.get("stop_loss", 0), self.sessions)

    def p_at_least(self, net: Money) -> Fraction:
        """The share of sessions with this net or a better one."""
        least = math.ceil(exactly("net", net) / self.net.minor_unit)
        return self.net.minor_units.share(self.net.minor_units.values >= least)

    def p_at_most(self, net: Money) -> Fraction:
        """The share of sessions with this net or a worse one."""
        return self.net.minor_units.share(self.net.minor_units.values <= exactly("net", net) // self.net.minor_unit)

    @property
    def quantiles(self) -> dict[float, Fraction]:
        """For each of the usual chances the least net, as money, that so many sessions did not exceed."""
        return {float(q): self.net.quantile(q) for q in QUANTILES}

    def ruin_curve(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Rolls, and the share of sessions ruined by then."""
        return self.ruin.values, np.cumsum(self.ruin.counts) / self.sessions

    @property
    def rolls_played(self) -> Fraction:
        """The mean number of rolls of a session; those of the run-out are not among them."""
        return Fraction(self.rolls, self.sessions)

    @property
    def run_out_rolls(self) -> Fraction:
        """The mean number of rolls after them, on which no new bets were made."""
        return Fraction(self.run_out, self.sessions)

    @property
    def action(self) -> Fraction:
        """The mean, as money, of the bets decided in a session, its run-out included."""
        return self.decided / self.sessions

    @property
    def deviation(self) -> float:
        """The standard deviation of the final net, estimated."""
        return math.sqrt(self.variance)

    @property
    def edge(self) -> Fraction | None:
        """The loss for each unit of action; None where nothing was decided."""
        return -self.mean / self.action if self.decided else None

    @property
    def best(self) -> Fraction:
        """The most that a session won, as money."""
        return self.net.most

    @property
    def worst(self) -> Fraction:
        """The least that a session came to, as money: a loss is negative."""
        return self.net.least

    @property
    def loss_per_hour(self) -> Fraction:
        """The mean loss for an hour of a hundred rolls, those of the run-out among them."""
        return self._per_hour(-self.mean)

    @property
    def action_per_hour(self) -> Fraction:
        """The mean action for an hour of a hundred rolls, those of the run-out among them."""
        return self._per_hour(self.action)

    def _per_hour(self, amount: Fraction) -> Fraction:
        return amount * ROLLS_PER_HOUR / (self.rolls_played + self.run_out_rolls) if self.rolls else Fraction(0)

    def quantile(self, chance: float | Fraction) -> Fraction:
        """The least net, as money, that at least this share of the sessions did not exceed."""
        return self.net.quantile(a_chance("chance", chance))

    def z_score(self, mean: Fraction | float, variance: Fraction | float) -> float:
        """How many standard errors the mean lies from the one that it should have."""
        meant, spread = figure("mean", mean), figure("variance", variance)
        if spread < 0:
            raise ArgumentError("variance", short_repr(variance), "a variance, which is not below 0")
        distance, error = float(self.mean - meant), math.sqrt(spread / self.sessions)
        return distance / error if error else math.copysign(math.inf, distance) if distance else 0.0

    def z_scores(self, law: Figures) -> dict[str, float]:
        """How many standard errors the mean and the shares lie from the exact ones; beyond 4, something is wrong."""
        if not all(hasattr(law, name) for name in ("mean", "variance", *SHARES)):
            raise ArgumentTypeError("law", short_repr(law), "a Distribution, such as `question.exact()`")
        scores = {"mean": self.z_score(law.mean, law.variance)}
        for name in SHARES:
            chance, share = float(getattr(law, name)), float(getattr(self, name))
            if error := math.sqrt(max(0.0, chance * (1 - chance)) / self.sessions):
                scores[name] = (share - chance) / error
        return scores

    def _ruin_points(self) -> list[list[float]]:
        """The ruin curve in at most `CURVE_POINTS` steps, the last among them."""
        rolls, ruined = self.ruin_curve()
        every = max(1, math.ceil(len(rolls) / CURVE_POINTS))
        at = range((len(rolls) - 1) % every, len(rolls), every) if len(rolls) else ()
        return [[int(rolls[i]), float(ruined[i])] for i in at]

    def fingerprint(self) -> str:
        """A hash of everything found: equal for equal questions, on any backend, thread or machine."""
        sha = hashlib.sha256(f"{self.seed} {self.sessions} {self.rolls} {self.hands}".encode())
        sha.update(f"{self.decided} {self.run_out}".encode())
        sha.update(f"{sorted(self.endings.items())} {self.watched}".encode())
        for counted in (self.net, self.drawdown, self.ruin, self.winning_run, self.losing_run):
            sha.update(counted.counts.tobytes())
        for number in (self.ruin.values, self.winning_run.values, self.losing_run.values, self.fan.rolls):
            sha.update(np.ascontiguousarray(number).tobytes())
        # As money, for a game played without its machine may count in another minor unit.
        for amounts in (self.net, self.drawdown):
            sha.update(amounts.floats().tobytes())
        for nets in (*self.fan.quantiles.values(), *self.fan.paths):
            sha.update(np.array(nets, dtype=np.float64).tobytes())
        return sha.hexdigest()

    def data(self) -> dict[str, Any]:
        return {
            **picked(self, *COUNTED),
            **figures(self, *FIGURES),
            "interval_95": self.interval,
            "ruin_curve": self._ruin_points(),
            "histogram": dict(self.net),
            "ruin_rolls": dict(self.ruin),
            **{name: dict(getattr(self, name)) for name in ("drawdown", "winning_run", "losing_run")},
            "fan": {"rolls": self.fan.rolls.tolist(), "quantiles": self.fan.quantiles},
            "fingerprint": self.fingerprint(),
            "rolls_per_second": round(self.rolls_per_second),
            "seconds": round(self.seconds, 3),
            "note": self.note or None,
        }

    def table(self) -> Table:
        """For each final net: strategy, house, seed, the net exactly and as a decimal, and its sessions."""
        whence = [str(self.about.get(key, "")) for key in ("strategy", "house")]
        columns: dict[str, Kind] = {"strategy": "text", "house": "text", "seed": "count", "net": "exact"}
        rows = [(*whence, self.seed, str(net), float(net), count) for net, count in self.net]
        return Table({**columns, "net_decimal": "number", "sessions": "count"}, rows)

    @property
    def in_words(self) -> str:
        """What was played."""
        terms = self.terms
        count = f"{self.sessions:,}" + ("" if self.complete else f" of {terms['sessions']:,}")
        parts = [f"{count} sessions of up to {rolls_of(terms['rolls'])}"]
        parts += [f"unit {self.about['unit']}"] if "unit" in self.about else []
        parts += [f"{terms['hands']:,} hands"] if terms.get("hands") else []
        named = {"bankroll": "bankroll", "stop_win": "stop-win", "stop_loss": "stop-loss", "dice": "dice"}
        parts += [f"{word} {terms[key]}" for key, word in named.items() if terms.get(key) is not None]
        return f"{', '.join(parts)}; seed {self.seed}."

    def page(self, beside: Figures | None = None) -> Iterator[Part]:
        """The figures with their intervals, and where there are exact ones those `beside` them."""
        yield f"{self.title}: {self.in_words}"
        yield ""
        yield self._summary(beside)
        yield from remarks_of(self.about)
        yield ""
        rows: list[tuple[Any, ...]] = [("simulated", *self.quantiles.values())]
        rows += [("exact", *beside.quantiles.values())] if beside is not None else []
        yield Table({"net at most": "text", **dict.fromkeys(map(cut_name, QUANTILES), "net")}, rows)
        yield ""
        yield self.shape()
        yield ""
        yield self._over_time()
        yield ""
        ended = [f"{count:,} by {word.replace('_', '-')}" for word, count in self.endings.items() if count]
        yield f"{self.rolls:,} rolls and {self.hands:,} hands; sessions ended: {', '.join(ended)}."
        deep: dict[str, Histogram | Amounts] = {"drawdown": self.drawdown, "longest losing run": self.losing_run}
        deep["longest winning run"] = self.winning_run
        yield f"Of {self.watched:,} sessions watched: {'; '.join(_spread(word, seen) for word, seen in deep.items())}."
        speed = f"{self.rolls_per_second / 1e6:,.2f} million rolls a second"
        yield f"{speed} ({self.backend}, threads: {self.threads})."
        hashes = {"House": "house_hash", "strategy": "strategy_hash"}
        known = [f"{word} {str(self.about[key])[:12]}" for word, key in hashes.items() if self.about.get(key)]
        yield ", ".join((*known, f"machine {self.machine[:12]}.")).capitalize()

    def _summary(self, beside: Figures | None) -> Table:
        low, high = self.interval
        within = f"{low:,.3f} to {high:,.3f}" if self.sessions > 1 else "one session tells none"
        rows: list[tuple[Any, ...]] = [("mean net", signed(self.mean), within, "mean", signed)]
        rows += [("standard deviation", money(math.sqrt(self.variance)), "", "deviation", money)]
        rows += [("action (bets decided)", money(self.action), "", "action", money)]
        if self.edge is not None:
            ends = (-bound / float(self.action) for bound in (high, low))
            share = " to ".join(f"{end:.3%}" for end in ends) if self.sessions > 1 else ""
            rows += [("loss of the action", f"{float(self.edge):.3%}", share, "edge", lambda x: f"{float(x):.3%}")]
        rows += [("loss per hour of 100 rolls", money(self.loss_per_hour), "", "loss_per_hour", money)]
        for key, word in SHARES.items():
            share = getattr(self, key)
            rows += [(word, percent(share), wilson(share, self.sessions), key, percent)]
        columns: dict[str, Kind] = {"": "text", "simulated": "number", "95 % interval": "number"}
        if beside is None:
            return Table(columns, [row[:3] for row in rows])
        z = self.z_scores(beside)
        exact = [(*row, say(getattr(beside, key)), f"{z[key]:+.2f}" if key in z else "") for *row, key, say in rows]
        return Table({**columns, "exact": "number", "z": "number"}, exact)

    def shape(self) -> Shape:
        """The final nets between the outer quantiles, every bar as many possible nets wide as the next."""
        low, high = (self.net.quantile(q) for q in (QUANTILES[0], QUANTILES[-1]))
        seen, minor_unit = self.net.minor_units, self.net.minor_unit
        first, last = int(low / minor_unit), int(high / minor_unit)
        within = (seen.values >= first) & (seen.values <= last)
        values = seen.values[within]
        step = int(np.gcd.reduce(np.diff(values))) if len(values) > 1 else 1
        wide = step * -(-((last - first) // step + 1) // SHAPE_WIDE)
        return Shape(low, high, np.bincount((values - first) // wide, weights=seen.counts[within]).tolist())

    def _over_time(self) -> Table:
        """The fan and the ruin curve at a few moments."""
        fan, last = self.fan, len(self.fan.rolls) - 1
        at = sorted({last * step // MOMENTS for step in range(1, MOMENTS + 1)} - {0})
        named = ((0.95, "95 %"), (0.5, "median"), (0.05, "5 %"))
        rows: list[tuple[Any, ...]] = [(word, *(signed(fan.quantiles[cut][i]) for i in at)) for cut, word in named]
        if self.terms["bankroll"] is not None:
            rolls, share = self.ruin_curve()
            by = [int(np.searchsorted(rolls, fan.rolls[i], "right")) for i in at]
            rows += [("no next bet", *(percent(float(share[k - 1]) if k else 0.0) for k in by))]
        return Table({"after rolls": "text", **{f"{int(fan.rolls[i]):,}": "number" for i in at}}, rows)

    def __repr__(self) -> str:
        low, high = self.interval
        part = "" if self.complete else f" of {self.terms['sessions']:,}"
        return (
            f"<Sample {self.title}: {self.sessions:,}{part} sessions, {self.rolls:,} rolls, "
            f"mean {float(self.mean):.4f} [{low:.4f}, {high:.4f}], ruin {float(self.p_ruin):.2%}>"
        )


def _money(minor_units: NDArray[np.int64], minor_unit: Fraction) -> tuple[Fraction, ...]:
    return tuple(amount * minor_unit for amount in minor_units.tolist())


def _spread(word: str, seen: Histogram | Amounts) -> str:
    middle, usual, most = (money(Fraction(seen.quantile(Fraction(share, 100)))) for share in (50, 95, 100))
    return f"{word} {middle} (median), {usual} (95 %), {most} (most)"


DENSE_SPAN_MAX = 1 << 20  # values that lie this close together are counted by index instead of sorted


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Values in rising order, each with its count, none of them zero."""

    values: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, seen: NDArray[np.int64]) -> Histogram:
        if not len(seen):
            return cls(seen, seen)
        least, most = int(seen.min()), int(seen.max())
        if most - least < DENSE_SPAN_MAX:
            counts = np.bincount(seen - least)
            places = np.flatnonzero(counts)
            return cls(places.astype(np.int64) + least, counts[places].astype(np.int64))
        values, counts = np.unique(seen, return_counts=True)
        return cls(values.astype(np.int64), counts.astype(np.int64))

    @classmethod
    def sum(cls, parts: Iterable[Histogram]) -> Histogram:
        """All of them together; the order of the parts cannot matter."""
        held = [cls.of(np.empty(0, dtype=np.int64)), *parts]
        values, at = np.unique(np.concatenate([part.values for part in held]), return_inverse=True)
        counts = np.zeros(len(values), dtype=np.int64)
        np.add.at(counts, at, np.concatenate([part.counts for part in held]))
        return cls(values, counts)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Histogram) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.values.tolist(), self.counts.tolist(), strict=True)

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    def moment(self, power: int) -> int:
        """The sum of all values to a power, in whole numbers of any size."""
        if not len(self.values):
            return 0
        largest = max(int(self.values[-1]), -int(self.values[0]), 1)
        if largest**power * self.total < 1 << 63:
            return int((self.values**power * self.counts).sum())
        return sum(value**power * count for value, count in self)

    @property
    def mean(self) -> Fraction:
        return Fraction(self.moment(1), self.total)

    @property
    def variance(self) -> Fraction:
        """The unbiased estimate of the variance, exactly; zero for a single value."""
        total = self.total
        if total == 1:
            return Fraction(0)
        return Fraction(total * self.moment(2) - self.moment(1) ** 2, total * (total - 1))

    def quantile(self, q: Fraction) -> int:
        """The least value that at least the share `q` of all does not exceed."""
        rank = max(1, math.ceil(q * self.total))
        return int(self.values[np.searchsorted(np.cumsum(self.counts), rank)])

    def share(self, held: NDArray[np.bool_]) -> Fraction:
        """The share of those values that are marked."""
        return Fraction(int(self.counts[held].sum()), self.total)


@dataclass(frozen=True, slots=True, eq=False)
class Amounts:
    """Money in rising order, each amount with its count."""

    minor_units: Histogram  #: What was counted, in whole minor units: sums of these are exact and quick.
    minor_unit: Fraction  #: What one minor unit is worth.

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Amounts) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[tuple[Fraction, int]]:
        return ((minor_units * self.minor_unit, count) for minor_units, count in self.minor_units)

    @property
    def values(self) -> tuple[Fraction, ...]:
        return tuple(amount for amount, _ in self)

    @property
    def counts(self) -> NDArray[np.int64]:
        return self.minor_units.counts

    @property
    def total(self) -> int:
        return self.minor_units.total

    @property
    def mean(self) -> Fraction:
        return self.minor_units.mean * self.minor_unit

    @property
    def variance(self) -> Fraction:
        """The unbiased estimate of the variance, as money squared; zero for a single amount."""
        return self.minor_units.variance * self.minor_unit**2

    @property
    def least(self) -> Fraction:
        return int(self.minor_units.values[0]) * self.minor_unit

    @property
    def most(self) -> Fraction:
        return int(self.minor_units.values[-1]) * self.minor_unit

    def quantile(self, q: Fraction) -> Fraction:
        """The least amount that at least the share `q` of all does not exceed."""
        return self.minor_units.quantile(q) * self.minor_unit

    def floats(self) -> NDArray[np.float64]:
        """The amounts as numbers to draw; one division, so that the same money rounds alike in any minor unit."""
        top, bottom = self.minor_unit.as_integer_ratio()
        return self.minor_units.values.astype(np.float64) * float(top) / float(bottom)
