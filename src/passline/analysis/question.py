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
import json
import logging
import secrets
import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from passline.answers import flag_of
from passline.engine.refusals import Refusal
from passline.engine.table import Notice
from passline.engine.values import CENTS
from passline.engine.values import ROLLS as ALL_ROLLS
from passline.errors import ArgumentError, LongRunError, StrategyError, UnboundedStrategyError, short_repr
from passline.files.amounts import Money, positive, whole_number
from passline.files.arguments import chance as a_chance
from passline.files.arguments import function, instance
from passline.house import House
from passline.machine.build import STATES_MAX
from passline.machine.dice import Given
from passline.machine.machine import Machine
from passline.machine.play import Places, Player, PythonPlayer, Setting
from passline.machine.terms import ROLLS, AtEnd, Seating, Terms
from passline.machine.together import until_hands
from passline.odds.sessions.distribution import Distribution
from passline.odds.sessions.long_run import LongRun
from passline.record.notice import written_sign
from passline.sim import Interpreted, Progress, Sample, game_of, simulate
from passline.sim.backends import check_backend
from passline.sim.checkpoint import rows_file
from passline.sim.game import Game
from passline.strategies.language.strategy import Ends, Strategy
from passline.strategies.player.python import PythonPlan, PythonStrategy, name_of, strategy_of

if TYPE_CHECKING:  # paths are compiled, and few ask for them
    from passline.odds.paths import Paths

OnProgress = Callable[[int, int], None] | None  # what hears of work done, and of all there is

T = TypeVar("T")

SPARE_ROLLS, ROLLS_PER_HAND = 200, 20
"""With hands and no rolls: rolls that so many hands all but never need, for a hand has 8.5."""
BESIDE_STATES_MAX = 1500  # states up to which the long run is told beside a session: a second or two
STATES_QUICK, ROLLS_A_STATE = 4_000, 5
"""States that a search looks at in a second, and the rolls that the engine plays in the time of one of them."""
QUIET_S = 20.0  # how long anything is worked on without a word
LOG = logging.getLogger("passline")
BANKROLL_UNITS_MAX = 100_000  # units up to which the bankroll for a chance of ruin is looked for
SEEDS_DRAWN = 1 << 32  # a seed that nobody chose is short enough to be typed again


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
    `chips` and `max_bet` nothing is rounded and nothing is too small or too large, but for odds, which are the house's;
    a `notice` is written as in a record, `"min=10 max=5000 odds=5"`. Money is an int, a string, a Decimal or a
    Fraction. Bets still up at the end are played out, or with `at_end="face"` counted at face value. Dice are fair
    unless said otherwise: `"srr=6.5"`, or weights of the 36 throws, of 6 faces, or of the faces of each die.

    >>> ask("hit_and_run", house="strip", unit=5, bankroll=400)
    ask('hit_and_run', house='strip', unit=5, rolls=200, bankroll=400, stop_win=50, stop_loss=100)
    """
    played = strategy_of(strategy)
    own = played.ends if isinstance(played, Strategy) else Ends()
    own_unit: Money = played.unit if isinstance(played, Strategy) else 1
    seating = Seating(house, _or(own_unit, unit), notice=notice, chips=chips, max_bet=max_bet)
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
    _searched: list[tuple[int, Machine | UnboundedStrategyError]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )
    """The states that the last search might look at, and what came of it."""

    @property
    def name(self) -> str:
        return name_of(self.strategy)

    @property
    def title(self) -> str:
        return str(getattr(self.strategy, "name", self.name))

    @property
    def heading(self) -> str:
        return f"{self.title} at {self.seating.house.name}"

    def arguments(self) -> dict[str, Any]:
        """What `ask` takes, but for the strategy, to ask the same again."""
        values = {each.name: getattr(part, each.name) for part in (self.seating, self.terms) for each in fields(part)}
        return {name: values[name] for name in ask.__kwdefaults__ or ()}

    def in_words(self) -> list[str]:
        from passline.strategies.language.words import in_words

        if isinstance(self.strategy, Strategy):
            return in_words(self.strategy)
        return [line.strip() for line in (self.strategy.__doc__ or self.name).splitlines() if line.strip()]

    def exact(
        self, *, fractions: bool | None = None, rolls_per_hour: Money = 100, progress: OnProgress = None
    ) -> Distribution:
        """The whole distribution of the net of a session, worked out and not sampled.

        `fractions` insists on exact fractions, or with False on double precision; else whichever is quick.
        """
        from passline.odds.sessions.distribution import distribution_of

        function("progress", progress)
        if fractions is not None:
            instance("fractions", fractions, bool, "True, False or None")
        terms = replace(self.terms, rolls_per_hour=positive("rolls_per_hour", rolls_per_hour))
        spoken = aloud(f"{self.name}, rolls worked out", progress)
        law = distribution_of(self.session_machine(), terms, exact=fractions, progress=spoken)
        return replace(law, about={**law.about, "heading": self.heading})

    def paths(self, *, fractions: bool = False, progress: OnProgress = None) -> Paths:
        """What a session goes through: highest net, drawdown, losing runs, rolls behind, time to ruin or a goal."""
        from passline.odds.paths import paths_of

        function("progress", progress)
        instance("fractions", fractions, bool, "True or False")
        spoken = aloud(f"{self.name}, levels walked to", progress)
        return paths_of(self.session_machine(), self.terms, fractions=fractions, title=self.name, progress=spoken)

    def bankroll_for(self, ruin: float | Fraction) -> Fraction:
        """The least bankroll, in whole units, with at most this chance of ruin."""
        from passline.odds.paths import bankroll_for

        wanted = a_chance("ruin", ruin)

        def with_bankroll(money: Fraction) -> tuple[Machine, Terms]:
            question = replace(self, terms=replace(self.terms, bankroll=money, stop_loss=None))
            return question.session_machine(), question.terms

        bankroll = bankroll_for(with_bankroll, wanted, self.seating.unit, BANKROLL_UNITS_MAX)
        if bankroll is None:
            raise ArgumentError("ruin", short_repr(ruin), f"a chance that {BANKROLL_UNITS_MAX:,} units can buy")
        return bankroll

    def long_run(self) -> LongRun:
        """What the strategy comes to for each roll if nothing ever ends it."""
        from passline.odds.sessions.long_run import long_run

        return long_run(self.machine(), self.terms.dice)

    def long_run_beside(self) -> LongRun | None:
        """The long run where it is quickly told: to stand beside a session."""
        try:
            small = self.machine(states_max=STATES_QUICK).states <= BESIDE_STATES_MAX
            return self.long_run() if small else None
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
        strategy without a machine, such as a function, is played by the engine in minor units of its own; so is any
        strategy with `look_up` off. `dask` rolls on the workers of a `scheduler`, or on a cluster of
        this computer. `checkpoint` is a folder to go on from after a stop, `rows` a Parquet file of one row a session.
        """
        function("progress", progress, takes=1)
        source = self.source(backend, look_up=look_up, states_max=self.states_worth(sessions))
        with nullcontext() if rows is None else rows_file(rows, source.minor_unit) as writer:
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
                receive=writer,
                progress=progress,
            )
        if isinstance(source, Interpreted):
            note_refusals(self.name, source)
        return replace(sample, about={**sample.about, "heading": self.heading})

    def states_worth(self, sessions: int) -> int:
        """The states that a search may look at before the engine would have played these sessions roll by roll."""
        states = whole_number("sessions", sessions) * self.terms.rolls // ROLLS_A_STATE
        return max(STATES_QUICK, min(STATES_MAX, states))

    def game(
        self,
        backend: str = "auto",
        seed: int = 0,
        progress: OnProgress = None,
        *,
        look_up: bool = True,
        sessions: int | None = None,
    ) -> Game:
        """What a backend rolls, on the terms of this question; whatever is wrong with it is said here."""
        most = STATES_MAX if sessions is None else self.states_worth(sessions)
        return game_of(self.source(backend, progress, look_up=look_up, states_max=most), self.terms, seed)

    def machine(self, progress: OnProgress = None, *, states_max: int = STATES_MAX) -> Machine:
        """House and strategy as a finite machine, kept or new; a `StrategyError` says why there is none."""
        from passline.machine.store import machine_for

        if not isinstance(self.strategy, Strategy):
            why = f"{self.name} is written in Python, and only a strategy that is data has a machine."
            raise UnboundedStrategyError(why, "Simulate it.")
        if not self._searched or (isinstance(self._searched[0][1], Exception) and self._searched[0][0] < states_max):
            spoken = aloud(f"{self.name} at {self.seating.house.id}, states looked at", progress)
            try:
                made = machine_for(self.strategy, self.seating, self.terms, states_max=states_max, progress=spoken)
            except UnboundedStrategyError as error:
                self._searched[:] = [(states_max, error)]
            else:
                self._searched[:] = [(states_max, made)]
        ((_, result),) = self._searched
        if isinstance(result, UnboundedStrategyError):
            raise result
        check_plays(result)
        return result

    def session_machine(self) -> Machine:
        """The machine of a session: it also ends when the hands are over, where they are counted."""
        machine = self.machine()
        return machine if self.terms.hands is None else until_hands(machine, self.terms.hands)

    def source(
        self, backend: str = "auto", progress: OnProgress = None, *, look_up: bool = True, states_max: int = STATES_MAX
    ) -> Machine | Interpreted:
        """What a backend rolls: the machine, or a player where there is none or the engine is asked for."""
        check_backend(backend)
        function("progress", progress)
        instance("look_up", look_up, bool, "True or False")
        if backend == "engine" and not look_up:
            return self.played()
        machine = None
        try:
            # Whoever asks for a backend that looks up waits for as long as it takes.
            machine = self.machine(progress, states_max=states_max if backend == "auto" else STATES_MAX)
        except UnboundedStrategyError:
            if backend not in {"auto", "engine"}:
                raise
        return self.played(machine) if machine is None or backend == "engine" else machine

    def played(self, machine: Machine | None = None) -> Interpreted:
        """The strategy as the engine plays it, roll by roll, in the machine's minor units, or in those of its own."""
        setting = Setting(self.strategy, self.seating, self.terms.purse)
        if machine is not None:
            instance("machine", machine, Machine, "a machine, as `Question.machine` gives it")
            minor_unit = machine.minor_unit
            return Interpreted(lambda: Player(setting, minor_unit), minor_unit, machine.about, machine.digest())
        minor_unit, about = Fraction(1, setting.layout.minor_per_unit), self._about()
        text = json.dumps([about, *map(str, (*self.terms.purse, minor_unit))], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()

        def refusals() -> tuple[list[dict[str, Any]], bool]:
            refused = setting.refused.values()
            rows = [{"wager": no.wager, "code": no.refusal.code, "message": no.refusal.message} for no in refused]
            return rows, setting.got_down

        played = self.strategy
        if isinstance(played, Strategy):
            return Interpreted(lambda: Player(setting), minor_unit, about, digest, refusals)
        places = Places(setting, PythonPlan(setting.plan))
        return Interpreted(lambda: PythonPlayer(places, played), minor_unit, about, digest, refusals)

    def _about(self) -> dict[str, Any]:
        """Where a strategy without a machine comes from, in a machine's own words."""
        from passline.rulebooks.read import book_digest

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

    @property
    def keywords(self) -> dict[str, Any]:
        """What `ask` is given to ask this again; what is as usual is left out."""
        seating, terms = self.seating, self.terms
        notice = seating.notice and written_sign(seating.notice, seating.book, seating.float_cents)
        values = {
            **self.arguments(),
            "house": seating.house.source,
            "notice": notice,
            "chips": seating.chips and [*map(str, seating.chips)],
            "at_end": None if terms.run_out else terms.at_end,
            "dice": None if terms.dice.fair else str(terms.dice),
        }
        return {name: value for name, value in values.items() if value is not None}

    def __repr__(self) -> str:
        return f"ask({self.name!r}, {keywords_of(self.keywords)})"


def command(verb: str, names: Sequence[str], questions: Sequence[Question], **more: object) -> str:
    """The line that asks this again, to paste into a shell: what strategies have each of their own is left out."""
    words = [f"passline {verb}", *map(shlex.quote, names)]
    for name, value in {**_alike(questions), **more}.items():
        flag = flag_of(name)
        for each in value if isinstance(value, tuple) else (value,):
            text = ",".join(each) if isinstance(each, list) else _plain(each)
            if each is not None and each is not False:
                words.append(flag if each is True else f"{flag} {shlex.quote(text)}")
    return " ".join(words)


def _plain(value: object) -> str:
    """Money as a command takes it: 2.50, not 5/2."""
    if isinstance(value, Fraction) and value.denominator > 1 and (value * CENTS).denominator == 1:
        return f"{float(value):.2f}"
    return str(value)


def script(names: Sequence[str], questions: Sequence[Question], *lines: str, imports: str = "ask") -> str:
    each = f"questions = [ask(name, {keywords_of(_alike(questions))}) for name in {list(names)!r}]"
    return "\n".join((f"from passline import {imports}", "", each, *lines, ""))


def _alike(questions: Sequence[Question]) -> dict[str, Any]:
    first, *others = (each.keywords for each in questions)
    return {name: value for name, value in first.items() if all(each.get(name) == value for each in others)}


def keywords_of(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_short(value)}" for name, value in values.items())


def aloud(what: str, progress: OnProgress) -> Callable[[int, int], None]:
    """What hears of progress; where nobody does, a log that speaks up before half a minute of silence has passed."""
    if progress is not None:
        return progress
    began = last = time.monotonic()

    def log(done: int, total: int) -> None:
        nonlocal last
        if (now := time.monotonic()) - last > QUIET_S:
            last = now
            LOG.warning("%s: %s of %s after %.0f s", what, f"{done:,}", f"{total:,}", now - began)

    return log


def draw_seed() -> int:
    return secrets.randbelow(SEEDS_DRAWN)


def check_plays(machine: Machine) -> None:
    """Refuse a session of watching: a strategy that can never bet says nothing about itself."""
    _check_bets(machine.about["strategy"], machine.about["refused"], got_down=bool(machine.need.any()))


def note_refusals(name: str, source: Interpreted) -> None:
    """Put down what the dealers said no to while it was played; a strategy that never bets is an error."""
    if source.refusals is not None:
        source.about["refused"], got_down = source.refusals()
        _check_bets(name, source.about["refused"], got_down=got_down)


def _check_bets(name: str, refused: list[dict[str, Any]], *, got_down: bool) -> None:
    if refused and not got_down:
        raise StrategyError(f"{name} never gets a bet down here: {refused[0]['message']}")


def _or(own: T, wanted: T | None) -> T:
    return own if wanted is None else wanted


def _short(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value) if value.denominator == 1 else repr(str(value))
    return repr(value)


MINIMUMS_MAX = 12  # how many minimums a unit is tried with: a strategy may want a twelfth of its unit on something

FIRST_ROLLS = tuple({roll.total: number for number, roll in enumerate(ALL_ROLLS)}.values())  # a throw of every total


class TooSmall(NamedTuple):
    """What the dealers would say, and the least unit with which they would not."""

    refusal: Refusal
    unit: Fraction | None


def too_small(question: Question) -> TooSmall | None:
    """The first bet under the sign's minimum, before the first roll or after it; None where there is no such bet."""
    refusal = _refused(question)
    if refusal is None or question.seating.notice is None:
        return None
    least = Fraction(question.seating.notice.minimum, CENTS)
    seats = (replace(question.seating, unit=least * times) for times in range(1, MINIMUMS_MAX + 1))
    return TooSmall(refusal, next((seat.unit for seat in seats if not _refused(replace(question, seating=seat))), None))


def _refused(question: Question) -> Refusal | None:
    if question.seating.notice is None or not isinstance(question.strategy, Strategy):
        return None
    setting = Setting(question.strategy, question.seating, question.terms.purse)
    for throw in FIRST_ROLLS:
        player = Player(setting)
        if not player.over:
            player.roll(throw)
            player.act()
    return next((no.refusal for no in setting.refused.values() if no.refusal.code == "bet.under_minimum"), None)
