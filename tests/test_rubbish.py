"""Rubbish handed to every public name: an answer comes out, or an error of ours that can be read."""

from __future__ import annotations

import inspect
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import passline
from passline import House, Table, ask, charts, codec, compare, hand_of, odds_of, replay
from passline.analysis.question import Question
from passline.errors import PasslineError
from passline.odds.hand import Hand
from passline.odds.par import Comparison
from passline.odds.sessions.distribution import Distribution
from passline.odds.sessions.long_run import LongRun
from passline.odds.wagers import WagerOdds
from passline.sim.sample import Sample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Nasty:
    """Nothing can be asked of it."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    __str__ = __repr__

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no likeness")

    __hash__ = None  # type: ignore[assignment]


RUBBISH: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, -1, 7, 10**400, 10**5000, -(10**5000), 1.5, float("nan"), float("inf"), 1j),
    *("", "x", "1", "pass", "place_6", "\x00", "a\nb", "\x1b[2J", "x" * 20_000, "\ud800", "ten", "min=5", "sydney"),
    *(b"", b"pass", [], [1], [None], {}, {"pass": 1}, (), (1, 2), set(), range(3), object(), Nasty(), int, len),
    *(Path("nope"), Path("\x00"), Path(), Decimal("NaN"), Decimal("1e999999"), Decimal(5), Fraction(1, 3)),
    *(np.int64(3), np.float32(2), np.array([1, 2]), lambda *_, **__: None, Ellipsis, NotImplemented, Exception("x")),
)
SENSIBLE = {
    "seat": 1,
    "wager": "place_6",
    "amount": 10,
    "name": "Bob",
    "buyin": 100,
    "first": 3,
    "second": 4,
    "strategy": "pass_flat",
    "house": "sydney",
    "reason": "x",
    "source": "passline 1\nhouse strip\n",
    "line": '{"kind":"command.shoot","v":1,"seat":1}',
}
"""What an argument of that name may be: rubbish beside it gets further."""
TRIES = 25
ANSWERS = (House, Question, Hand, Distribution, Sample, LongRun, WagerOdds, Comparison)
"""What the public names give."""


def a_table() -> Table:
    """A table at which something stands."""
    table = Table("adelaide")
    table.sit(1, "Ann", 1000)
    table.bet(1, "pass", 10)
    table.roll(4, 4)
    return table


@cache
def things() -> dict[str, object]:
    """One of each, by its class."""
    question = ask("pass_flat", rolls=3)
    found = (
        *(House("strip"), question, hand_of("adelaide"), question.exact(), question.simulate(sessions=50, seed=1)),
        *(question.long_run(), odds_of("adelaide")["place_6"], compare()["place_6"]),
    )
    assert [type(each) for each in found] == [*ANSWERS]
    return {type(each).__name__: each for each in found}


def methods(thing: object) -> Iterator[str]:
    """What can be asked of something."""
    return (name for name in dir(thing) if not name.startswith("_") and callable(getattr(thing, name)))


def functions() -> dict[str, Callable[..., object]]:
    """Every public function and every class that opens something."""
    ours = {name: each for name, each in vars(charts).items() if getattr(each, "__module__", "") == charts.__name__}
    found = {f"charts.{name}": each for name, each in ours.items() if inspect.isfunction(each) and name[0] != "_"}
    found |= {f"codec.{name}": getattr(codec, name) for name in codec.__all__}
    public = {name: getattr(passline, name) for name in passline.__all__}
    return found | {name: each for name, each in public.items() if inspect.isfunction(each) or each in (House, Table)}


def named() -> list[str]:
    """All of them by name."""
    return [
        *(f"Table.{name}" for name in methods(Table)),
        *(f"{kind.__name__}.{name}" for kind in ANSWERS for name in methods(kind)),
        *functions(),
    ]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test a name, or a method of a table."""
    acts = [name for name in methods(Table) if name not in ("at", "opened")]
    metafunc.parametrize(*(("name", named()) if "name" in metafunc.fixturenames else ("act", acts)))


def asked(name: str) -> Callable[..., object]:
    """The function of a name, of a fresh table where it is a table's."""
    kind, _, method = name.partition(".")
    if kind == "Table" and method:
        return getattr(a_table(), method)  # type: ignore[no-any-return]
    return getattr(things()[kind], method) if kind in things() and method else functions()[name]


def arguments(function: Callable[..., object], rng: Random) -> tuple[list[Any], dict[str, Any]]:
    """Some of the arguments a function takes, one or more of them rubbish."""
    given, by_name = list[Any](), dict[str, Any]()
    for each in inspect.signature(function).parameters.values():
        value = SENSIBLE[each.name] if each.name in SENSIBLE and rng.random() < 0.5 else rng.choice(RUBBISH)
        if each.kind is each.VAR_POSITIONAL:
            given += [rng.choice(RUBBISH) for _ in range(rng.randrange(3))]
        elif each.kind is each.KEYWORD_ONLY or (each.default is not each.empty and rng.random() < 0.6):
            if each.default is each.empty or rng.random() < 0.4:
                by_name[each.name] = value
        elif not by_name and each.kind is not each.VAR_KEYWORD:
            given.append(value)
    return given, by_name


@pytest.mark.filterwarnings("ignore")
def test_only_errors_of_ours_come_out(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes in; and the error is short, names what was wrong and can be printed."""
    monkeypatch.chdir(tmp_path)
    rng = Random(name)
    for _ in range(TRIES):
        given, by_name = arguments(asked(name), rng)
        said = "nothing wrong"
        try:
            asked(name)(*given, **by_name)
        except PasslineError as error:
            said = str(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            pytest.fail(f"{type(error).__name__} out of {name}: {error}\n{[type(each) for each in given]} {[*by_name]}")
        assert 10 < len(said) < 2500


def test_whatever_was_handed_in_the_record_still_replays(act: str) -> None:
    """No rubbish leaves a table that its own record does not tell."""
    rng, table = Random(act), a_table()
    ask_for = getattr(table, act)
    for _ in range(TRIES):
        given, by_name = arguments(ask_for, rng)
        with suppress(PasslineError):
            ask_for(*given, **by_name)
    assert replay(table.record()).state == table.state
