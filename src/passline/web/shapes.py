"""The shapes of what the lab and the analyst answer."""

from __future__ import annotations

from typing import Any, Literal

from passline.web.models import Told

Value = str | int | bool | list[int]


class Bars(Told):
    """A histogram: where its bars part, and the share of each, counted and exactly."""

    edges: list[float]
    share: list[float]
    exact: list[float] | None


class Fan(Told):
    """The net over time: quantiles after so many rolls, and a few sessions as they went."""

    rolls: list[int]
    quantiles: dict[str, list[float]]
    paths: list[list[float]]


class Result(Told):
    """What came of one strategy; every figure is a fraction, with a decimal beside it."""

    strategy: str
    name: str
    house_hash: str | None = None
    mean: str
    mean_decimal: str
    variance_decimal: str
    p_ahead: str
    p_ahead_decimal: str
    p_even_decimal: str
    p_behind_decimal: str
    p_ruin: str
    p_ruin_decimal: str
    action_decimal: str
    edge: str | None
    edge_decimal: str | None
    loss_per_hour_decimal: str
    rolls_played_decimal: str
    best_decimal: str
    worst_decimal: str
    quantiles: dict[str, str]
    ruin_curve: list[tuple[int, str | float]]
    bars: Bars
    fan: Fan | None = None
    in_words: list[str]
    refused: list[dict[str, Any]]
    exact: bool | dict[str, Any] | None = None
    """Whether a law is in fractions; beside a sample the law itself, where it is quickly told."""
    error_bound: str | None = None
    long_run: dict[str, Any] | None = None
    sessions: int | None = None
    interval_95: tuple[float, float] | None = None
    z_score: float | None = None
    exact_left_out: str | None = None


class Pair(Told):
    """The first strategy less another, session by session."""

    one: str
    other: str
    sessions: int
    mean_difference: str
    mean_difference_decimal: str
    interval: tuple[float, float]
    better: int
    alike: int
    worse: int
    correlation: float | None
    exact: dict[str, Any] | None
    exact_left_out: str | None


class SweepTold(Told):
    """A row for each setting: what was set, and the figures of its law."""

    strategy: str
    """Whose evenings: the first of the question."""
    over: list[str]
    figures: dict[str, str]
    rows: list[dict[str, str | float | None]]


class Answer(Told):
    """What the analyst found, and what asks it again."""

    how: Literal["exact", "simulate", "sweep"]
    house: str
    house_name: str
    results: list[Result]
    pairs: list[Pair] | None = None
    sweep: SweepTold | None = None
    seed: int | None = None
    commands: list[str]
    python: str


class QuestionView(Told):
    """A question: how far it is, and its answer."""

    question: str
    state: Literal["waiting", "working", "answered", "failed", "stopped"]
    done: int
    of: int
    doing: str
    strategy: str
    answer: Answer | None
    error: str | None


# --- Files ----------------------------------------------------------------------------------------------------------


class StrategyListed(Told):
    """A strategy of the library."""

    strategy: str
    name: str
    description: str
    unit: str


class StrategyView(Told):
    """A strategy file: its text, its blocks, and what it does in words."""

    file: str
    text: str
    blocks: dict[str, Any]
    name: str
    hash: str
    in_words: list[str]
    houses: list[str]
    """Those that book all of it."""


class NumberTold(Told):
    """A number that a condition can look at."""

    number: str
    words: str
    about: Literal["wager", "total"] | None
    money: bool
    after_roll: bool


class Language(Told):
    """What a strategy file may say."""

    numbers: list[NumberTold]
    signs: dict[str, str]
    asks: list[str]
    decided: list[str]
    happened: list[str]
    amounts: dict[str, str]
    moves: dict[str, str]
    grows: dict[str, str]
    ends: list[str]
    wagers: list[str]
    file: dict[str, Any]


class HouseFileView(Told):
    """A house file that was begun as a copy."""

    file: str
    text: str
    like: str


class RuleView(Told):
    """One value of a house file that can be changed by itself."""

    path: list[str]
    kind: Literal["price", "share", "count", "truth", "choice", "numbers"]
    value: Value
    clause: str
    clause_says: str
    about: str
    group: str
    """The wager or the part of the file it belongs to, for people."""
    choices: list[str]


class PriceTold(Told):
    """What one house makes of a wager."""

    prices: list[str]
    edge_per_bet_made: str
    edge_per_bet_made_decimal: float
    edge_per_bet_resolved_decimal: float
    edge_per_roll_working_decimal: float
    p_win_decimal: float


class WagerPriced(Told):
    """One wager as it is and as it was."""

    wager: str
    name: str
    family: str
    now: PriceTold | None
    was: PriceTold | None
    difference: str | None
    difference_decimal: float | None
    changed: bool


class HousePriced(Told):
    """A house file with every edge beside that of another house."""

    file: str
    text: str
    house: str
    name: str
    like: str
    hash: str
    sign: str
    unit: str
    wagers: list[WagerPriced]
    rules: list[RuleView]
