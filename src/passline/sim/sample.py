"""A sample of sessions: exact counts, and the figures that follow from them."""

from __future__ import annotations

import hashlib
import html
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from passline.errors import ArgumentError, ArgumentTypeError, shown
from passline.files.arguments import chance as a_chance
from passline.files.arguments import figure
from passline.files.needed import needed

if TYPE_CHECKING:
    import polars as pl

    from passline.sim.histogram import Amounts, Histogram

QUANTILES: Final = tuple(Fraction(percent, 100) for percent in (1, 5, 25, 50, 75, 95, 99))
"""Where the fan and the summary cut the distribution."""
HALF: Final = Fraction(1, 2)
PATHS: Final = 12
"""Sample sessions that are kept to be drawn."""
SHARES: Final = ("p_ahead", "p_even", "p_behind", "p_ruin")
"""The shares of sessions that are held against chances, where there are any."""
COLUMNS: Final = ("strategy", "house", "seed", "net", "net_decimal", "sessions")
"""The columns of a frame or a file of final nets."""
ROLLS_PER_HOUR: Final = 100
"""How fast the table is taken to be."""
CURVE_POINTS: Final = 100
"""Points of the ruin curve that are written out."""
Z_95: Final = 1.959963984540054
"""Half the width of a 95 % confidence interval, in standard errors."""


class Figures(Protocol):
    """What a sample can be held against."""

    @property
    def mean(self) -> Fraction | float:
        """The mean of the final net, as money."""

    @property
    def variance(self) -> Fraction | float:
        """The variance of the final net, as money squared."""

    @property
    def p_ahead(self) -> Fraction | float:
        """The chance of a net above nothing; `p_even`, `p_behind` and `p_ruin` likewise."""


@dataclass(frozen=True, slots=True, eq=False)
class Fan:
    """The net over time: where the quantiles of the watched sessions stood after so many rolls."""

    rolls: NDArray[np.int64]
    """How many were played, at each checkpoint."""
    quantiles: dict[float, tuple[Fraction, ...]]
    """For each of the usual chances the net at each checkpoint; a session that ended stays where it ended."""
    paths: tuple[tuple[Fraction, ...], ...]
    """The first sessions themselves, up to twelve: the net of each at each checkpoint."""

    @classmethod
    def of(cls, rolls: NDArray[np.int64], path: NDArray[np.int64], grain: Fraction) -> Fan:
        """The fan of watched sessions, one row of `path` each, in grains."""
        ranks = [max(1, math.ceil(q * len(path))) - 1 for q in QUANTILES]
        cuts = zip(QUANTILES, np.sort(path, axis=0)[ranks], strict=True)
        return cls(
            rolls,
            {float(q): _money(nets, grain) for q, nets in cuts},
            tuple(_money(nets, grain) for nets in path[:PATHS]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A run of one strategy: counted exactly, told as money, and equal seeds give equal counts everywhere."""

    about: dict[str, Any]
    """Where the machine came from: house, strategy, their hashes, unit."""
    machine: str
    """The digest of the machine that was rolled."""
    asked: dict[str, Any]
    """What was asked for: sessions, rolls, bankroll, stops and hands, as given."""
    seed: int
    backend: str
    threads: int
    sessions: int
    """Sessions played to their end."""
    complete: bool
    """Whether that is all that were asked for; an interrupted run keeps what it has."""
    rolls: int
    """Rolls played in all sessions together; those of the run-outs are not among them."""
    hands: int
    """Seven-outs on those rolls, in all sessions together."""
    decided: Fraction
    """The money of all bets decided, in all sessions and their run-outs together."""
    run_out: int
    """Rolls of all run-outs together, on which no new bets were made."""
    net: Amounts
    """Final nets."""
    endings: dict[str, int]
    """How many sessions ended for which reason: rolls, ruin, stop_win, stop_loss, hands, when."""
    ruin: Histogram
    """For the ruined sessions, how many rolls they had."""
    watched: int
    """The first sessions, which were looked at roll by roll; the four fields below are theirs alone.

    They are about the rolls played: what stands counts at face value in them.
    """
    drawdown: Amounts
    """The deepest fall from a session's best so far."""
    winning_run: Histogram
    """The most winning rolls in a row; rolls on which no money moved neither count nor break a run."""
    losing_run: Histogram
    fan: Fan
    rolls_per_second: float
    """Of the rolling itself: compiling, starting up and watching apart."""
    seconds: float
    """Of everything."""
    note: str = ""
    """What the asker should know of how it was rolled, such as why no GPU did."""

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
        mean, half = float(self.mean), Z_95 * self.standard_error
        return mean - half, mean + half

    @property
    def p_ahead(self) -> Fraction:
        """The share of sessions that won."""
        return self.net.grains.share(self.net.grains.values > 0)

    @property
    def p_even(self) -> Fraction:
        """The share of sessions that came out even."""
        return self.net.grains.share(self.net.grains.values == 0)

    @property
    def p_behind(self) -> Fraction:
        """The share of sessions that lost."""
        return self.net.grains.share(self.net.grains.values < 0)

    @property
    def p_ruin(self) -> Fraction:
        """The share of sessions that could not cover the next roll."""
        return Fraction(self.ruin.total, self.sessions)

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
        return -self.mean * ROLLS_PER_HOUR / (self.rolls_played + self.run_out_rolls) if self.rolls else Fraction(0)

    @property
    def action_per_hour(self) -> Fraction:
        """The mean action for an hour of a hundred rolls, those of the run-out among them."""
        return self.action * ROLLS_PER_HOUR / (self.rolls_played + self.run_out_rolls) if self.rolls else Fraction(0)

    def quantile(self, chance: float | Fraction) -> Fraction:
        """The least net, as money, that at least this share of the sessions did not exceed."""
        return self.net.quantile(a_chance("chance", chance))

    def z_score(self, mean: Fraction | float, variance: Fraction | float) -> float:
        """How many standard errors the mean lies from the one that it should have."""
        meant, spread = figure("mean", mean), figure("variance", variance)
        if spread < 0:
            raise ArgumentError("variance", shown(variance), "a variance, which is not below 0")
        distance, error = float(self.mean - meant), math.sqrt(spread / self.sessions)
        return distance / error if error else math.copysign(math.inf, distance) if distance else 0.0

    def z_scores(self, law: Figures) -> dict[str, float]:
        """How many standard errors the mean and the shares lie from those of a law; beyond 4, something is wrong."""
        if not all(hasattr(law, name) for name in ("mean", "variance", *SHARES)):
            raise ArgumentTypeError("law", shown(law), "a Law, such as `question.exact()`")
        found = {"mean": self.z_score(law.mean, law.variance)}
        for name in SHARES:
            chance, share = float(getattr(law, name)), float(getattr(self, name))
            if error := math.sqrt(max(0.0, chance * (1 - chance)) / self.sessions):
                found[name] = (share - chance) / error
        return found

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
        # As money, for a game played without its machine may count in another grain.
        for amounts in (self.net, self.drawdown):
            sha.update(amounts.floats().tobytes())
        for nets in (*self.fan.quantiles.values(), *self.fan.paths):
            sha.update(np.array(nets, dtype=np.float64).tobytes())
        return sha.hexdigest()

    def to_json(self) -> dict[str, Any]:
        """JSON values: amounts are exact strings such as "-7/2", with decimals beside the main ones."""
        low, high = self.interval
        return {
            "about": self.about,
            "machine": self.machine,
            "asked": self.asked,
            "seed": self.seed,
            "backend": self.backend,
            "threads": self.threads,
            "complete": self.complete,
            "sessions": self.sessions,
            "rolls": self.rolls,
            "hands": self.hands,
            "run_out": self.run_out,
            **_exact("mean", self.mean),
            **_exact("variance", self.variance),
            "standard_error": self.standard_error,
            "interval_95": [low, high],
            **_exact("p_ahead", self.p_ahead),
            **_exact("p_even", self.p_even),
            **_exact("p_behind", self.p_behind),
            **_exact("p_ruin", self.p_ruin),
            **_exact("action", self.action),
            **({"edge": None, "edge_decimal": None} if self.edge is None else _exact("edge", self.edge)),
            **_exact("rolls_played", self.rolls_played),
            **_exact("run_out_rolls", self.run_out_rolls),
            **_exact("loss_per_hour", self.loss_per_hour),
            **_exact("action_per_hour", self.action_per_hour),
            **_exact("best", self.best),
            **_exact("worst", self.worst),
            "quantiles": {str(q): str(amount) for q, amount in self.quantiles.items()},
            "endings": self.endings,
            "ruin_curve": self._ruin_points(),
            "histogram": _counted(self.net),
            "ruin_rolls": {str(rolls): count for rolls, count in self.ruin},
            "watched": self.watched,
            "drawdown": _counted(self.drawdown),
            "winning_run": {str(rolls): count for rolls, count in self.winning_run},
            "losing_run": {str(rolls): count for rolls, count in self.losing_run},
            "fan": {
                "rolls": self.fan.rolls.tolist(),
                "quantiles": {str(q): [str(net) for net in nets] for q, nets in self.fan.quantiles.items()},
            },
            "fingerprint": self.fingerprint(),
            "rolls_per_second": round(self.rolls_per_second),
            "seconds": round(self.seconds, 3),
            "note": self.note or None,
        }

    def rows(self) -> Iterator[tuple[str, str, int, str, float, int]]:
        """For each final net: strategy, house, seed, the net exactly and as a decimal, and its sessions."""
        strategy, house = (str(self.about.get(key, "")) for key in ("strategy", "house"))
        for net, count in self.net:
            yield strategy, house, self.seed, str(net), float(net), count

    def frame(self) -> pl.DataFrame:
        """The final nets as a Polars frame, a row for each, with the columns of `COLUMNS`."""
        frame: pl.DataFrame = needed("polars", "a frame").DataFrame(
            list(self.rows()), schema=list(COLUMNS), orient="row"
        )
        return frame

    def __repr__(self) -> str:
        """One line that says how it went."""
        low, high = self.interval
        part = "" if self.complete else f" of {self.asked['sessions']:,}"
        return (
            f"<Sample {self.title}: {self.sessions:,}{part} sessions, {self.rolls:,} rolls, "
            f"mean {float(self.mean):.4f} [{low:.4f}, {high:.4f}], ruin {float(self.p_ruin):.2%}>"
        )

    def _repr_html_(self) -> str:
        """The figures and the shape of the distribution, for a notebook in any colours."""
        low, high = self.interval
        rows = [
            (
                "sessions",
                f"{self.sessions:,}" + ("" if self.complete else f" of {self.asked['sessions']:,} (interrupted)"),
            ),
            ("rolls, hands", f"{self.rolls:,}, {self.hands:,}"),
            ("mean net", f"{float(self.mean):,.4f} <small>95 %: {low:,.4f} to {high:,.4f}</small>"),
            ("standard deviation", f"{math.sqrt(self.variance):,.2f}"),
            (
                "ahead · even · behind",
                f"{_percent(self.p_ahead)} · {_percent(self.p_even)} · {_percent(self.p_behind)}",
            ),
            ("ruined", _percent(self.p_ruin)),
            ("5 % · median · 95 %", " · ".join(f"{float(self.quantile(q)):,.2f}" for q in (0.05, 0.5, 0.95))),
            (
                f"median drawdown <small>({self.watched:,} watched)</small>",
                f"{float(self.drawdown.quantile(HALF)):,.2f}",
            ),
            ("speed", f"{self.rolls_per_second / 1e6:,.1f} M rolls/s <small>{html.escape(self.backend)}</small>"),
            ("seed", str(self.seed)),
        ]
        body = "".join(
            f'<tr><td style="text-align:left;opacity:.7">{name}</td><td style="text-align:right">{value}</td></tr>'
            for name, value in rows
        )
        return (
            '<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:center">'
            f"<table><caption><b>{html.escape(self.title)}</b></caption>{body}</table>{self._sketch()}</div>"
        )

    def _sketch(self, bins: int = 60, width: int = 360, height: int = 140) -> str:
        """The histogram between its 1 % and 99 % quantiles as a small SVG; wins and losses in their colours."""
        seen = self.net.grains
        first, last = seen.quantile(QUANTILES[0]), seen.quantile(QUANTILES[-1])
        counts, edges = np.histogram(seen.values, bins=bins, range=(first, last + 1), weights=seen.counts)
        top, step = max(1, int(counts.max())), width / bins
        bars = "".join(
            f'<rect x="{i * step:.1f}" y="{height * (1 - count / top):.1f}" width="{step - 1:.1f}" '
            f'height="{height * count / top:.1f}" fill="{"#c8553d" if edges[i + 1] <= 0 else "#2a9d6f"}"/>'
            for i, count in enumerate(counts.tolist())
        )
        return f'<svg role="img" aria-label="final net" viewBox="0 0 {width} {height}" width="{width}">{bars}</svg>'


def _money(grains: NDArray[np.int64], grain: Fraction) -> tuple[Fraction, ...]:
    return tuple(amount * grain for amount in grains.tolist())


def _counted(amounts: Amounts) -> dict[str, int]:
    return {str(amount): count for amount, count in amounts}


def _decimal(value: Fraction) -> str:
    return f"{float(value):.12g}"


def _exact(name: str, value: Fraction) -> dict[str, str]:
    return {name: str(value), f"{name}_decimal": _decimal(value)}


def _percent(share: Fraction) -> str:
    return f"{float(share):.2%}"
