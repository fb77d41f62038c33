"""Craps, played exactly by the book."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passline.analysis import charts
    from passline.analysis.dice_test import dice_test, rolls_to_see
    from passline.analysis.for_ever import growth_of, ruin_for_ever
    from passline.analysis.population import population
    from passline.analysis.question import Question, ask
    from passline.analysis.sweep import sweep
    from passline.analysis.theo import stages_of, theo_of
    from passline.analysis.versus import versus
    from passline.engine import events
    from passline.engine.refusals import Refusal
    from passline.engine.values import Price, Roll
    from passline.errors import HouseFileError, PasslineError, RecordError, RefusedError, StrategyFileError
    from passline.house import House
    from passline.odds.best.play import best_play
    from passline.odds.compare import Comparison, compare
    from passline.odds.hand import Hand, hand_of
    from passline.odds.par import par_of
    from passline.odds.sessions.distribution import Law
    from passline.odds.sessions.long_run import LongRun
    from passline.odds.wagers import WagerOdds, odds_of
    from passline.odds.wagers.wanted import price_of, tables_of
    from passline.record.results import Results
    from passline.sim.sample import Sample
    from passline.strategies.language.strategy import Strategy
    from passline.strategies.player.python import LEAVE, Outcome, Player, View, Wants, memoryless
    from passline.table import Table, replay, statistics

__version__ = "0.2.0.dev2"

_WHERE = {
    "Comparison": "odds.compare",
    "Hand": "odds.hand",
    "House": "house",
    "HouseFileError": "errors",
    "LEAVE": "strategies.player.python",
    "Law": "odds.sessions.distribution",
    "LongRun": "odds.sessions.long_run",
    "Outcome": "strategies.player.python",
    "PasslineError": "errors",
    "Player": "strategies.player.python",
    "Price": "engine.values",
    "Question": "analysis.question",
    "RecordError": "errors",
    "Refusal": "engine.refusals",
    "RefusedError": "errors",
    "Results": "record.results",
    "Roll": "engine.values",
    "Sample": "sim.sample",
    "Strategy": "strategies.language.strategy",
    "StrategyFileError": "errors",
    "Table": "table",
    "View": "strategies.player.python",
    "WagerOdds": "odds.wagers",
    "Wants": "strategies.player.python",
    "ask": "analysis.question",
    "best_play": "odds.best.play",
    "charts": "analysis",
    "compare": "odds.compare",
    "dice_test": "analysis.dice_test",
    "events": "engine",
    "growth_of": "analysis.for_ever",
    "hand_of": "odds.hand",
    "memoryless": "strategies.player.python",
    "odds_of": "odds.wagers",
    "par_of": "odds.par",
    "population": "analysis.population",
    "price_of": "odds.wagers.wanted",
    "replay": "table",
    "rolls_to_see": "analysis.dice_test",
    "ruin_for_ever": "analysis.for_ever",
    "stages_of": "analysis.theo",
    "statistics": "table",
    "sweep": "analysis.sweep",
    "tables_of": "odds.wagers.wanted",
    "theo_of": "analysis.theo",
    "versus": "analysis.versus",
}
"""Where each public name lives: nothing is imported before it is used, so `import passline` stays quick."""

MODULES = ("charts", "events")
"""Public names that are modules."""

__all__ = [
    "LEAVE",
    "Comparison",
    "Hand",
    "House",
    "HouseFileError",
    "Law",
    "LongRun",
    "Outcome",
    "PasslineError",
    "Player",
    "Price",
    "Question",
    "RecordError",
    "Refusal",
    "RefusedError",
    "Results",
    "Roll",
    "Sample",
    "Strategy",
    "StrategyFileError",
    "Table",
    "View",
    "WagerOdds",
    "Wants",
    "__version__",
    "ask",
    "best_play",
    "charts",
    "compare",
    "dice_test",
    "events",
    "growth_of",
    "hand_of",
    "memoryless",
    "odds_of",
    "par_of",
    "population",
    "price_of",
    "replay",
    "rolls_to_see",
    "ruin_for_ever",
    "stages_of",
    "statistics",
    "sweep",
    "tables_of",
    "theo_of",
    "versus",
]


def __getattr__(name: str) -> object:
    """Import a public name the first time it is asked for."""
    if name not in _WHERE:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    home = import_module(f"{__name__}.{_WHERE[name]}")
    return import_module(f"{home.__name__}.{name}") if name in MODULES else getattr(home, name)


def __dir__() -> list[str]:
    """The public names, imported or not, and nothing else."""
    return sorted(__all__)
