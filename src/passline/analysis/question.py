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
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from passline.analysis.rows import rows_file
from passline.engine.table import Notice
from passline.engine.values import CENTS
from passline.errors import (
    ArgumentError,
    ArgumentTypeError,
    LongRunError,
    StrategyError,
    UnboundedStrategyError,
    shown,
)
from passline.files.amounts import Money, cents, float_of, positive, whole_number
from passline.files.arguments import function, instance
from passline.house import House, open_house
from passline.machine.dice import FAIR, Given, LoadedDice, dice_of
from passline.machine.machine import Machine
from passline.machine.play import Player, Setting
from passline.machine.standing import AT_END, AtEnd, check_at_end
from passline.machine.together import until_hands
from passline.odds.sessions.distribution import Law
from passline.odds.sessions.long_run import LongRun
from passline.sim import Interpreted, Progress, Sample, game_of, simulate
from passline.sim.backends import check_backend
from passline.sim.game import Game
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.callables import Caller

if TYPE_CHECKING:
    Told = Callable[[int, int], None]

T = TypeVar("T")

ROLLS = 200
"""Rolls of a session when nobody says: two hours at a busy table."""
SPARE_ROLLS, ROLLS_PER_HAND = 200, 20
"""With hands and no rolls: rolls that so many hands all but never need, for a hand has 8.5."""
BESIDE_STATES_MAX = 1500
"""States up to which the long run is told beside an evening: a second or two."""
SEEDS_DRAWN = 1 << 32
"""A seed that nobody chose is short enough to be typed again."""


def ask(  # noqa: PLR0913 - what can be asked, each by name
    strategy: str | Path | Mapping[str, Any] | Strategy | Caller,
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
    opened = open_house(house)
    played = _strategy(strategy)
    own = played.ends if isinstance(played, Strategy) else Strategy(id="", name="", wants=()).ends
    worth = positive("unit", unit) or (played.unit if isinstance(played, Strategy) else Fraction(1))
    until = _or(own.hands, hands if hands is None else whole_number("hands", hands))
    usual = ROLLS if until is None else SPARE_ROLLS + ROLLS_PER_HAND * until
    bank, loss = positive("bankroll", bankroll), positive("stop_loss", stop_loss)
    if bank is not None and loss is not None and loss > bank:
        raise ArgumentError("stop_loss", str(stop_loss), f"at most the bankroll of {bank}: more can never be reached")
    own_loss = None if own.stop_loss is None else own.stop_loss * worth
    if own_loss is not None and bank is not None and own_loss > bank:
        own_loss = None
    paid_in = None if chips is None else _chips(chips)
    return Question(
        strategy=played,
        house=opened,
        unit=worth,
        rolls=_or(usual, own.rolls) if rolls is None else whole_number("rolls", rolls),
        hands=until,
        bankroll=bank,
        stop_win=_or(None if own.stop_win is None else own.stop_win * worth, positive("stop_win", stop_win)),
        stop_loss=_or(own_loss, loss),
        at_end=check_at_end(at_end),
        notice=None if notice is None else _notice(opened, notice, paid_in),
        chips=paid_in,
        max_bet=positive("max_bet", max_bet),
        dice=dice_of(dice),
    )


@dataclass(frozen=True, kw_only=True)
class Question:
    """A strategy in a house, for what money and until when; `ask` makes one. Amounts are money.

    A session starts on a come-out. Before each roll, bankroll plus net must cover everything the strategy wants up, or
    the session ends in ruin; after each roll a net of `stop_win` or more, or of minus `stop_loss` or less, ends it, and
    so do `hands` seven-outs. Then, unless what stands is to count at face value, no new bets are made and the dice go
    on until everything standing has had one decision, so that every bet that was made is counted whole.
    """

    strategy: Strategy | Caller
    house: House
    unit: Fraction
    """What one unit of the strategy is."""
    rolls: int
    """The most rolls of a session."""
    hands: int | None
    """Seven-outs that end a session; None: however many."""
    bankroll: Fraction | None
    """Money at hand; None: nobody is ruined."""
    stop_win: Fraction | None
    stop_loss: Fraction | None
    at_end: AtEnd
    """Whether what stands at the end is run out or counts at face value."""
    notice: Notice | None
    """The sign the table plays under, in cents; None: no limits."""
    chips: tuple[Fraction, ...] | None
    """The float that payouts are rounded to; None: paid to the last fraction."""
    max_bet: Fraction | None
    """The most that may be bet, whatever the sign says."""
    dice: LoadedDice = FAIR
    """How the dice fall."""
    _kept: list[Machine | UnboundedStrategyError] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def name(self) -> str:
        return self.strategy.id if isinstance(self.strategy, Strategy) else _name(self.strategy)

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
        return law_of(
            self.session_machine(),
            rolls=self.rolls,
            bankroll=self.bankroll,
            stop_win=self.stop_win,
            stop_loss=self.stop_loss,
            at_end=self.at_end,
            exact=fractions,
            hands=self.hands,
            dice=self.dice,
            rolls_per_hour=rolls_per_hour,
            progress=progress,
        )

    def long_run(self) -> LongRun:
        """What the strategy comes to for each roll if nothing ever ends it."""
        from passline.odds.sessions.long_run import long_run

        return long_run(self.machine(), self.dice)

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
                sessions=sessions,
                **self._terms(draw_seed() if seed is None else seed),
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
        return game_of(self.source(backend, progress, look_up=look_up), **self._terms(seed))

    def _terms(self, seed: int) -> dict[str, Any]:
        """What decides the sessions of a source."""
        names = ("rolls", "bankroll", "stop_win", "stop_loss", "hands", "at_end", "dice")
        return {"seed": seed, **{name: getattr(self, name) for name in names}}

    # --- what is asked about ----------------------------------------------------------------------------------------

    def machine(self, progress: Told | None = None) -> Machine:
        """House and strategy as a finite machine, kept or new; a `StrategyError` says why there is none."""
        from passline.machine.store import machine_for

        if not isinstance(self.strategy, Strategy):
            why = f"{self.name} is a function, and only a strategy that is data has a machine."
            raise UnboundedStrategyError(why, "Simulate it.")
        if not self._kept:
            played, bankroll = self._as_played(self.strategy)
            try:
                made = machine_for(
                    self.house.book,
                    played,
                    **self.table(),
                    bankroll=bankroll,
                    rolls=self.rolls,
                    progress=progress,
                )
            except UnboundedStrategyError as error:
                self._kept.append(error)
            else:
                self._kept.append(replace(made, about={**made.about, "strategy_hash": self.strategy.digest}))
        (found,) = self._kept
        if isinstance(found, UnboundedStrategyError):
            raise found
        _check_plays(found)
        return found

    def session_machine(self) -> Machine:
        """The machine of a session: it also ends when the hands are over, where they are counted."""
        machine = self.machine()
        return machine if self.hands is None else until_hands(machine, self.hands)

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
        played, bankroll = self.strategy, self.bankroll
        if isinstance(played, Strategy):
            played, bankroll = self._as_played(played)
        setting = Setting(self.house.book, played, **self.table(), bankroll=bankroll)
        if machine is not None:
            grain = machine.grain
            return Interpreted(lambda: Player(setting, grain), grain, machine.about, machine.digest())
        grain, about = Fraction(1, setting.layout.grain), self._about()
        digest = hashlib.sha256(json.dumps([about, str(bankroll), str(grain)], sort_keys=True).encode()).hexdigest()

        def refusals() -> tuple[list[dict[str, Any]], bool]:
            said = (no for no in setting.refused.values())
            told = [{"wager": no.wager, "code": no.refusal.code, "message": no.refusal.message} for no in said]
            return told, setting.got_down

        return Interpreted(lambda: Player(setting), grain, about, digest, refusals)

    def table(self) -> dict[str, Any]:
        """What the table is given, in its own words."""
        chips = None if self.chips is None else tuple(map(cents, self.chips))
        return {"unit": self.unit, "notice": self.notice, "chips": chips, "max_bet": self.max_bet}

    def _as_played(self, strategy: Strategy) -> tuple[Strategy, Fraction | None]:
        """The strategy with the session's stops for its own, and the bankroll, if it looks at either.

        What it remembers of its profit is bounded by them; to any other strategy they are nothing, and its machine is
        the same for every session.
        """
        from passline.strategies.language.conditions import looks

        seen = {number.name for condition in strategy.conditions for number, _ in looks(condition)}
        if not seen & {"profit", "bankroll"}:
            return strategy, None
        win = None if self.stop_win is None else self.stop_win / self.unit
        loss = strategy.ends.stop_loss if self.stop_loss is None else self.stop_loss / self.unit
        bankroll = self.bankroll if "bankroll" in seen or loss is None else None
        return replace(strategy, ends=replace(strategy.ends, stop_win=win, stop_loss=loss)), bankroll

    def _about(self) -> dict[str, Any]:
        """Where a strategy without a machine comes from, in a machine's own words."""
        from passline.machine.build import book_digest

        return {
            "house": self.house.id,
            "house_hash": book_digest(self.house.book),
            "strategy": self.name,
            "strategy_hash": self.strategy.digest if isinstance(self.strategy, Strategy) else None,
            "unit": str(self.unit),
            "notice": None if self.notice is None else self.notice._asdict(),
            "chips": self.table()["chips"],
            "max_bet": None if self.max_bet is None else str(self.max_bet),
        }

    def __repr__(self) -> str:
        """The question as it could be asked again."""
        told = {each.name: getattr(self, each.name) for each in fields(self)[1:-1]}
        told |= {"at_end": self.at_end if self.at_end != AT_END[0] else None}
        told["dice"] = None if self.dice.fair else str(self.dice)
        told |= {"house": self.house.source, "notice": self.notice, "chips": self.chips and [*map(str, self.chips)]}
        said = (f"{key}={_short(value)}" for key, value in told.items() if value is not None)
        return f"ask({self.name!r}, {', '.join(said)})"


def draw_seed() -> int:
    """A seed for dice that nobody chose."""
    return secrets.randbelow(SEEDS_DRAWN)


def _strategy(given: str | Path | Mapping[str, Any] | Strategy | Caller) -> Strategy | Caller:
    """The strategy that was meant."""
    from passline.strategies.language.read import load, make

    if isinstance(given, Strategy):
        return given
    if isinstance(given, str | Path):
        return load(str(given))
    if isinstance(given, Mapping):
        return make(dict(given))
    if callable(given):
        return _takes_a_view(given)
    raise ArgumentTypeError("strategy", shown(given), "a name, a path, a mapping, a Strategy or a function")


def _takes_a_view(given: Caller) -> Caller:
    """A function that can be handed what a player sees."""
    try:
        inspect.signature(given).bind(None)
    except TypeError:
        raise ArgumentTypeError("strategy", f"{_name(given)}", "a function of one argument, the view") from None
    except ValueError:  # built in, and says nothing of its arguments
        return given
    return given


def _chips(given: Iterable[Money]) -> tuple[Fraction, ...]:
    """The float's chips, each once."""
    chips = float_of(given)
    twice = next((chip for chip in chips if chips.count(chip) > 1), None)
    if twice is not None:
        raise ArgumentError("chips", f"{Fraction(twice, CENTS)} twice", "each chip named once")
    return tuple(Fraction(chip, CENTS) for chip in chips)


def _notice(house: House, given: str | Notice, chips: tuple[Fraction, ...] | None) -> Notice:
    """The sign over what the house posts by itself."""
    from passline.record.notice import sign_of

    return sign_of(given, house.book, None if chips is None else tuple(map(cents, chips)))


def _check_plays(machine: Machine) -> None:
    """Refuse a session of watching: a strategy that can never bet says nothing about itself."""
    _check_bets(machine.about["strategy"], machine.about["refused"], got_down=bool(machine.need.any()))


def _check_bets(name: str, refused: list[dict[str, Any]], *, got_down: bool) -> None:
    if refused and not got_down:
        raise StrategyError(f"{name} never gets a bet down here: {refused[0]['message']}")


def _or(own: T, asked: T | None) -> T:
    return own if asked is None else asked


def _name(function: Caller) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


def _short(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value) if value.denominator == 1 else repr(str(value))
    return repr(value)
