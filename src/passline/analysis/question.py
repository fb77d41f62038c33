"""What a strategy does to somebody's money in a house: one question, checked once.

```python
from passline import ask

question = ask("three_point_molly", house="sydney", unit=10, rolls=200, bankroll=500)
question.exact().p_ahead
question.simulate(sessions=1_000_000, seed=7).frame()
```
"""

from __future__ import annotations

import hashlib
import inspect
import json
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from passline.analysis.rows import rows_file
from passline.engine.table import Notice
from passline.errors import (
    ArgumentTypeError,
    LongRunError,
    StrategyError,
    UnboundedStrategyError,
    shown,
)
from passline.files.amounts import Money, positive, whole_number
from passline.files.arguments import function, instance
from passline.house import House
from passline.machine.dice import Given
from passline.machine.machine import Machine
from passline.machine.play import Player, Setting
from passline.machine.python import Places, PythonPlayer
from passline.machine.terms import ROLLS, AtEnd, Seating, Terms
from passline.machine.together import until_hands
from passline.odds.sessions.distribution import Law
from passline.odds.sessions.long_run import LongRun
from passline.sim import Interpreted, Progress, Sample, game_of, simulate
from passline.sim.backends import check_backend
from passline.sim.game import Game
from passline.strategies.language.strategy import Ends, Strategy
from passline.strategies.player.python import Player as PythonClass
from passline.strategies.player.python import PythonPlan, PythonStrategy, name_of

if TYPE_CHECKING:
    Told = Callable[[int, int], None]

T = TypeVar("T")

STRATEGIES = "a name, a path, a mapping, a Strategy, a Player or a function"
"""What can be asked about."""
SPARE_ROLLS, ROLLS_PER_HAND = 200, 20
"""With hands and no rolls: rolls that so many hands all but never need, for a hand has 8.5."""
BESIDE_STATES_MAX = 1500
"""States up to which the long run is told beside an evening: a second or two."""
SEEDS_DRAWN = 1 << 32
"""A seed that nobody chose is short enough to be typed again."""


def ask(  # noqa: PLR0913 - what can be asked, each by name
    strategy: str | Path | Mapping[str, Any] | Strategy | PythonStrategy,
    *,
    house: str | Path | House = "adelaide",
    unit: Money | None = None,
    rolls: int | None = None,
    hands: int | None = None,
    bankroll: Money | None = None,
    stop_win: Money | None = None,
    stop_loss: Money | None = None,
    at_end: AtEnd = "run-out",
    notice: str | Notice | None = None,
    chips: Iterable[Money] | None = None,
    max_bet: Money | None = None,
    dice: Given = None,
) -> Question:
    """Ask about a strategy: one of the library, a file, what a file would say, or a function of what a player sees.

    What is left out is the strategy's own (`unit`, and its `[ends]`) or the usual (200 rolls). Without `notice`,
    `chips` and `max_bet` nothing is rounded and nothing is too small or too large; a `notice` is written as in a
    record, `"min=10 max=5000 odds=5"`. Money is an int, a string, a Decimal or a Fraction. What stands at the end has
    one decision more, without new bets, or with `at_end="face"` counts at face value. Dice are fair unless said
    otherwise: `"srr=6.5"`, or weights of the 36 throws, of 6 faces, or of the faces of each die.

    >>> ask("hit_and_run", house="strip", unit=5, bankroll=400)
    ask('hit_and_run', house='strip', unit=5, rolls=200, bankroll=400, stop_win=50, stop_loss=100)
    """
    played = _strategy(strategy)
    own = played.ends if isinstance(played, Strategy) else Ends()
    seating = Seating(
        house,
        unit if unit is not None else played.unit if isinstance(played, Strategy) else 1,
        notice=notice,
        chips=chips,
        max_bet=max_bet,
    )
    until = _or(own.hands, hands)
    usual = ROLLS if until is None else SPARE_ROLLS + ROLLS_PER_HAND * whole_number("hands", until)
    bank = positive("bankroll", bankroll)
    own_loss = None if own.stop_loss is None else own.stop_loss * seating.unit
    if own_loss is not None and bank is not None and own_loss > bank:
        own_loss = None
    terms = Terms(
        _or(_or(usual, own.rolls), rolls),
        hands=until,
        bankroll=bank,
        stop_win=_or(None if own.stop_win is None else own.stop_win * seating.unit, stop_win),
        stop_loss=_or(own_loss, stop_loss),
        at_end=at_end,
        dice=dice,
    )
    return Question(played, seating, terms)


@dataclass(frozen=True)
class Question:
    """A strategy, where it is played and on what terms; `ask` makes one."""

    strategy: Strategy | PythonStrategy
    seating: Seating
    terms: Terms
    _kept: list[Machine | UnboundedStrategyError] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def name(self) -> str:
        return self.strategy.id if isinstance(self.strategy, Strategy) else name_of(self.strategy)

    def in_words(self) -> list[str]:
        """What the strategy does, a sentence for each part."""
        from passline.strategies.language.words import in_words

        if isinstance(self.strategy, Strategy):
            return in_words(self.strategy)
        return [line.strip() for line in (self.strategy.__doc__ or self.name).splitlines() if line.strip()]

    # --- answers ----------------------------------------------------------------------------------------------------

    def exact(self, *, fractions: bool | None = None, rolls_per_hour: Money = 100, progress: Told | None = None) -> Law:
        """The law of a session: the whole distribution of its net, not a sample of it.

        `fractions` insists on exact fractions, or with False on double precision; else whichever is quick.
        """
        from passline.odds.sessions.law import law_of

        function("progress", progress)
        if fractions is not None:
            instance("fractions", fractions, bool, "True, False or None")
        terms = replace(self.terms, rolls_per_hour=positive("rolls_per_hour", rolls_per_hour))
        return law_of(self.session_machine(), terms, exact=fractions, progress=progress)

    def long_run(self) -> LongRun:
        """What the strategy comes to for each roll if nothing ever ends it."""
        from passline.odds.sessions.long_run import long_run

        return long_run(self.machine(), self.terms.dice)

    def long_run_beside(self) -> LongRun | None:
        """The long run where it is quickly told: to stand beside an evening."""
        try:
            return self.long_run() if self.machine().states <= BESIDE_STATES_MAX else None
        except (StrategyError, LongRunError):
            return None

    def simulate(  # noqa: PLR0913 - how a sample is drawn
        self,
        *,
        sessions: int = 100_000,
        seed: int | None = None,
        backend: str = "auto",
        threads: int | None = None,
        watch: int | None = None,
        scheduler: str | None = None,
        checkpoint: Path | str | None = None,
        rows: Path | str | None = None,
        progress: Callable[[Progress], None] | None = None,
        look_up: bool = True,
    ) -> Sample:
        """A sample of sessions; without a seed one is drawn, and told in the sample.

        `backend` is `numba`, `numpy`, `gpu`, `engine` (roll by roll through the rules) or `auto`, the quickest on a
        processor; where no GPU can roll it the processor does, and `note` says so. A
        strategy without a machine, such as a function, is played by the engine; with `look_up` off the engine plays
        without one being made, in grains of its own. `dask` rolls on the workers of a `scheduler`, or on a cluster of
        this computer. `checkpoint` is a folder to go on from after a stop, `rows` a Parquet file of one row a session.
        """
        function("progress", progress)
        source = self.source(backend, look_up=look_up)
        with nullcontext() if rows is None else rows_file(rows, source.grain) as told:
            sample = simulate(
                source,
                self.terms,
                sessions=sessions,
                seed=draw_seed() if seed is None else seed,
                backend=backend,
                threads=threads,
                watch=watch,
                scheduler=scheduler,
                checkpoint=checkpoint,
                told=told,
                progress=progress,
            )
        if isinstance(source, Interpreted) and source.refusals is not None:
            refused, got_down = source.refusals()
            source.about["refused"] = refused
            _check_bets(self.name, refused, got_down=got_down)
        return sample

    def check(self, backend: str = "auto", progress: Told | None = None, *, look_up: bool = True) -> None:
        """Make everything ready and say what is wrong with it, before the first of many rolls."""
        self.game(backend, progress=progress, look_up=look_up)

    def game(self, backend: str = "auto", seed: int = 0, progress: Told | None = None, *, look_up: bool = True) -> Game:
        """What a backend rolls: what is played, on the terms of this question."""
        return game_of(self.source(backend, progress, look_up=look_up), self.terms, seed)

    # --- what is asked about ----------------------------------------------------------------------------------------

    def machine(self, progress: Told | None = None) -> Machine:
        """House and strategy as a finite machine, kept or new; a `StrategyError` says why there is none."""
        from passline.machine.store import machine_for

        if not isinstance(self.strategy, Strategy):
            why = f"{self.name} is written in Python, and only a strategy that is data has a machine."
            raise UnboundedStrategyError(why, "Simulate it.")
        if not self._kept:
            try:
                made = machine_for(self.strategy, self.seating, self.terms, progress=progress)
            except UnboundedStrategyError as error:
                self._kept.append(error)
            else:
                self._kept.append(made)
        (found,) = self._kept
        if isinstance(found, UnboundedStrategyError):
            raise found
        _check_plays(found)
        return found

    def session_machine(self) -> Machine:
        """The machine of a session: it also ends when the hands are over, where they are counted."""
        machine = self.machine()
        return machine if self.terms.hands is None else until_hands(machine, self.terms.hands)

    def source(
        self, backend: str = "auto", progress: Told | None = None, *, look_up: bool = True
    ) -> Machine | Interpreted:
        """What a backend rolls: the machine, or a player where there is none or the engine is asked for."""
        check_backend(backend)
        function("progress", progress)
        instance("look_up", look_up, bool, "True or False")
        if backend == "engine" and not look_up:
            return self._player(None)
        machine = None
        try:
            machine = self.machine(progress)
        except UnboundedStrategyError:
            if backend not in {"auto", "engine"}:
                raise
        return self._player(machine) if machine is None or backend == "engine" else machine

    def _player(self, machine: Machine | None) -> Interpreted:
        """The strategy as the interpreted engine plays it, counted in the machine's grains where it has one."""
        setting = Setting(self.strategy, self.seating, self.terms.purse)
        if machine is not None:
            grain = machine.grain
            return Interpreted(lambda: Player(setting, grain), grain, machine.about, machine.digest())
        grain, about = Fraction(1, setting.layout.grain), self._about()
        digest = hashlib.sha256(
            json.dumps([about, *map(str, (*self.terms.purse, grain))], sort_keys=True).encode()
        ).hexdigest()

        def refusals() -> tuple[list[dict[str, Any]], bool]:
            said = (no for no in setting.refused.values())
            told = [{"wager": no.wager, "code": no.refusal.code, "message": no.refusal.message} for no in said]
            return told, setting.got_down

        played = self.strategy
        if isinstance(played, Strategy):
            return Interpreted(lambda: Player(setting), grain, about, digest, refusals)
        places = Places(setting, PythonPlan(setting.plan))
        return Interpreted(lambda: PythonPlayer(places, played), grain, about, digest, refusals)

    def _about(self) -> dict[str, Any]:
        """Where a strategy without a machine comes from, in a machine's own words."""
        from passline.machine.build import book_digest

        return {
            "house": self.seating.house.id,
            "house_hash": book_digest(self.seating.book),
            "strategy": self.name,
            "strategy_hash": self.strategy.digest if isinstance(self.strategy, Strategy) else None,
            "unit": str(self.seating.unit),
            "notice": None if self.seating.notice is None else self.seating.notice._asdict(),
            "chips": self.seating.float_cents,
            "max_bet": None if self.seating.max_bet is None else str(self.seating.max_bet),
        }

    def __repr__(self) -> str:
        """The question as it could be asked again."""
        seating, terms = self.seating, self.terms
        said = {
            "house": seating.house.source,
            "unit": seating.unit,
            "rolls": terms.rolls,
            "hands": terms.hands,
            "bankroll": terms.bankroll,
            "stop_win": terms.stop_win,
            "stop_loss": terms.stop_loss,
            "at_end": None if terms.run_out else terms.at_end,
            "notice": seating.notice,
            "chips": seating.chips and [*map(str, seating.chips)],
            "max_bet": seating.max_bet,
            "dice": None if terms.dice.fair else str(terms.dice),
        }
        told = (f"{key}={_short(value)}" for key, value in said.items() if value is not None)
        return f"ask({self.name!r}, {', '.join(told)})"


def draw_seed() -> int:
    """A seed for dice that nobody chose."""
    return secrets.randbelow(SEEDS_DRAWN)


def _strategy(given: str | Path | Mapping[str, Any] | Strategy | PythonStrategy) -> Strategy | PythonStrategy:
    """The strategy that was meant."""
    from passline.strategies.language.read import load, make

    if isinstance(given, Strategy):
        return given
    if isinstance(given, str | Path):
        return load(str(given))
    if isinstance(given, Mapping):
        return make(dict(given))
    return _takes_a_view(given)


def _takes_a_view(given: object) -> PythonStrategy:
    """A player, or a function that can be handed what a player sees."""
    if isinstance(given, type):
        player = issubclass(given, PythonClass)
        raise ArgumentTypeError(
            "strategy", f"the class {given.__name__}", f"a player: {given.__name__}(…)" if player else STRATEGIES
        )
    if isinstance(given, PythonClass):
        return given
    if not callable(given):
        raise ArgumentTypeError("strategy", shown(given), STRATEGIES)
    function = cast("PythonStrategy", given)
    try:
        inspect.signature(given).bind(None)
    except TypeError:
        raise ArgumentTypeError("strategy", name_of(function), "a function of one argument, the view") from None
    except ValueError:  # built in, and says nothing of its arguments
        pass
    return function


def _check_plays(machine: Machine) -> None:
    """Refuse a session of watching: a strategy that can never bet says nothing about itself."""
    _check_bets(machine.about["strategy"], machine.about["refused"], got_down=bool(machine.need.any()))


def _check_bets(name: str, refused: list[dict[str, Any]], *, got_down: bool) -> None:
    if refused and not got_down:
        raise StrategyError(f"{name} never gets a bet down here: {refused[0]['message']}")


def _or(own: T, asked: T | None) -> T:
    return own if asked is None else asked


def _short(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value) if value.denominator == 1 else repr(str(value))
    return repr(value)
