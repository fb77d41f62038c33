"""Craps, played exactly by the book."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passline.analysis import charts
    from passline.analysis.best import best_play
    from passline.analysis.checked import growth_of, ruin_for_ever
    from passline.analysis.coupons import best_use, coupon, money_back
    from passline.analysis.dice_test import dice_test, rolls_to_see
    from passline.analysis.estimates import bootstrap, controlled, dice_verdict, rare, sensitivity, versus
    from passline.analysis.pit_day import pit_day
    from passline.analysis.population import population
    from passline.analysis.question import Question, ask
    from passline.analysis.report import report
    from passline.analysis.sweep import best, sweep
    from passline.analysis.theo import stages_of, theo_of
    from passline.engine import events
    from passline.engine.refusals import Refusal
    from passline.engine.values import Price, Roll
    from passline.errors import HouseFileError, PasslineError, RecordError, RefusedError, StrategyFileError
    from passline.house import House
    from passline.odds.hand import Hand, hand_of
    from passline.odds.par import Comparison, compare, par_of, price_of
    from passline.odds.sessions.distribution import Distribution
    from passline.odds.sessions.long_run import LongRun
    from passline.odds.wagers import WagerOdds, odds_of
    from passline.record.results import Results
    from passline.sim.sample import Sample
    from passline.strategies.language.strategy import Strategy
    from passline.strategies.player.python import LEAVE, Player, View, Wants, memoryless
    from passline.strategies.player.view import Outcome
    from passline.table import Table, replay, statistics

__version__ = "0.2.0"

# The public names of each module.
_NAMES = {
    "analysis": "charts",
    "analysis.best": "best_play",
    "analysis.coupons": "best_use coupon money_back",
    "analysis.dice_test": "dice_test rolls_to_see",
    "analysis.checked": "growth_of ruin_for_ever",
    "analysis.estimates": "bootstrap controlled dice_verdict rare sensitivity versus",
    "analysis.pit_day": "pit_day",
    "analysis.population": "population",
    "analysis.question": "Question ask",
    "analysis.report": "report",
    "analysis.sweep": "best sweep",
    "analysis.theo": "stages_of theo_of",
    "engine": "events",
    "engine.refusals": "Refusal",
    "engine.values": "Price Roll",
    "errors": "HouseFileError PasslineError RecordError RefusedError StrategyFileError",
    "house": "House",
    "odds.hand": "Hand hand_of",
    "odds.par": "Comparison compare par_of price_of",
    "odds.sessions.distribution": "Distribution",
    "odds.sessions.long_run": "LongRun",
    "odds.wagers": "WagerOdds odds_of",
    "record.results": "Results",
    "sim.sample": "Sample",
    "strategies.language.strategy": "Strategy",
    "strategies.player.python": "LEAVE Player View Wants memoryless",
    "strategies.player.view": "Outcome",
    "table": "Table replay statistics",
}
# Where each public name lives: nothing is imported before it is used, so `import passline` stays quick.
_WHERE = {name: module for module, names in _NAMES.items() for name in names.split()}

MODULES = ("charts", "events")  # Public names that are modules

__all__ = [
    "LEAVE", "Comparison", "Distribution", "Hand", "House", "HouseFileError", "LongRun", "Outcome", "PasslineError",
    "Player", "Price", "Question", "RecordError", "Refusal", "RefusedError", "Results", "Roll", "Sample",
    "Strategy", "StrategyFileError", "Table", "View", "WagerOdds", "Wants", "__version__", "ask", "best",
    "best_play", "best_use", "bootstrap", "charts", "compare", "controlled", "coupon", "dice_test", "dice_verdict",
    "events", "growth_of", "hand_of", "memoryless", "money_back", "odds_of", "par_of", "pit_day", "population",
    "price_of", "rare", "replay", "report", "rolls_to_see", "ruin_for_ever", "sensitivity", "stages_of",
    "statistics", "sweep", "theo_of", "versus",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Import a public name the first time it is asked for."""
    if name not in _WHERE:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    try:
        home = import_module(f"{__name__}.{_WHERE[name]}")
        return import_module(f"{home.__name__}.{name}") if name in MODULES else getattr(home, name)
    except ImportError as error:
        from passline.files.needed import missing

        raise missing(error, f"passline.{name}") from error


def __dir__() -> list[str]:
    """The public names, imported or not, and nothing else."""
    return sorted(__all__)
