"""What `exact` and `simulate` can both be asked: the options, and their texts read into exact money."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from passline.cli.errors import REFUSED, fail

if TYPE_CHECKING:
    from passline.engine.table import Notice
    from passline.house import House
    from passline.strategies.language.strategy import Strategy

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""

House_ = Annotated[str, typer.Option("--house", help="A house by its id, or the path of a house file.")]
Unit = Annotated[str | None, typer.Option("--unit", help="What one unit is, in money; else the strategy's own.")]
Bankroll = Annotated[str | None, typer.Option("--bankroll", help="Money at hand; without it nobody is ruined.")]
StopWin = Annotated[str | None, typer.Option("--stop-win", help="Leave when so much is won.")]
StopLoss = Annotated[str | None, typer.Option("--stop-loss", help="Leave when so much is lost.")]
Most = Annotated[
    str | None, typer.Option("--max", help="The most that may be bet; a progression without end needs one.")
]
NoticeText = Annotated[
    str | None, typer.Option("--notice", help='Play under a sign, such as "min=10 max=5000 odds=5": limits apply.')
]
Float = Annotated[
    str | None, typer.Option("--float", help="Play with these chips, such as 1,5,25: payouts are rounded to them.")
]


@dataclass(frozen=True, slots=True)
class Seating:
    """Where a strategy is played, and for what money."""

    house: House
    house_name: str
    """As it was asked for: an id or a path."""
    unit: Fraction | None
    most: Fraction | None
    notice: Notice | None
    """In cents."""
    chips: tuple[int, ...] | None
    """In cents."""
    words: tuple[str, ...]
    """The options that say all this again."""


@dataclass(frozen=True, slots=True)
class Purse:
    """The money that ends an evening."""

    bankroll: Fraction | None = None
    stop_win: Fraction | None = None
    stop_loss: Fraction | None = None


def seating(house: str, unit: str | None, most: str | None, notice: str | None, float_: str | None) -> Seating:
    """Read where and for what money, or leave with a sentence about what could not be read."""
    from passline.cli.houses import open_house

    opened = open_house(house)
    chips = None if float_ is None else _chips(float_)
    return Seating(
        house=opened,
        house_name=house,
        unit=money("--unit", unit),
        most=money("--max", most),
        notice=None if notice is None else _notice(opened, notice, chips),
        chips=chips,
        words=words(("--house", house), ("--unit", unit), ("--max", most), ("--notice", notice), ("--float", float_)),
    )


def purse(bankroll: str | None, stop_win: str | None, stop_loss: str | None) -> Purse:
    """Read the bankroll and the stops, or leave when they contradict each other."""
    read = Purse(money("--bankroll", bankroll), money("--stop-win", stop_win), money("--stop-loss", stop_loss))
    if read.bankroll is not None and read.stop_loss is not None and read.stop_loss > read.bankroll:
        fail(f"--stop-loss {read.stop_loss} can never be reached with a bankroll of {read.bankroll}: give one of them")
    return read


def strategy(name: str) -> Strategy:
    """A strategy of the library or of a file, or exit code 2 with everything that is wrong with it."""
    from passline.errors import StrategyFileError
    from passline.strategies import load

    try:
        return load(name)
    except StrategyFileError as error:
        fail(str(error))


def ends_of(chosen: Strategy, unit: Fraction, asked: Purse) -> Purse:
    """What ends the evening: what was asked for, else what the strategy itself says."""
    ends = chosen.ends
    own_win = None if ends.stop_win is None else ends.stop_win * unit
    own_loss = None if ends.stop_loss is None else ends.stop_loss * unit
    if asked.bankroll is not None and own_loss is not None and asked.stop_loss is None and own_loss > asked.bankroll:
        own_loss = None
    return Purse(
        asked.bankroll,
        own_win if asked.stop_win is None else asked.stop_win,
        own_loss if asked.stop_loss is None else asked.stop_loss,
    )


def money(option: str, text: str | None) -> Fraction | None:
    """An amount above nothing, exactly as typed."""
    if text is None:
        return None
    from passline.files.amounts import money as money_of

    try:
        amount = money_of(text.strip(), digits_max=30)
    except ValueError as error:
        fail(f"{option}: found {text!r}; expected {error}")
    if amount <= 0:
        fail(f"{option}: found {text!r}; expected an amount above 0")
    return amount


def at_least_one(option: str, count: int) -> None:
    """Refuse a count of nothing."""
    if count < 1:
        fail(f"{option} {count}: expected a whole number from 1")


def words(*said: tuple[str, object]) -> tuple[str, ...]:
    """The options that were given, as they are typed."""
    return tuple(f"{option} {shlex.quote(str(value))}" for option, value in said if value is not None)


def refuse(error: Exception) -> NoReturn:
    """The table or the reckoning says no: exit code 1 with its sentence."""
    fail(str(error), REFUSED)


def _chips(text: str) -> tuple[int, ...]:
    """The float's chips in cents, each once."""
    from passline.files.amounts import chips_of

    chips: list[int] = []
    for word in text.replace(",", " ").split() or [""]:
        try:
            chip = chips_of(word)
        except ValueError as error:
            fail(f"--float: found {word!r}; expected chips such as 1,5,25, each {error}")
        if not chip or chip in chips:
            fail(f"--float: found {word!r}; expected chips such as 1,5,25, each above 0 and named once")
        chips.append(chip)
    return tuple(chips)


def _notice(house: House, text: str, chips: tuple[int, ...] | None) -> Notice:
    """The sign over what the house posts by itself."""
    from passline.errors import RecordError
    from passline.record.line import Words
    from passline.record.notice import default_notice, read_notice

    try:
        notice = read_notice(Words.of(1, text), house.book, default_notice(house.book, chips))
    except RecordError as error:
        found = f"found {error.found!r}" if error.found else "found nothing"
        fail(f"--notice: {found}; expected {error.expected}")
    if notice.maximum is not None and notice.maximum < notice.minimum:
        fail(f"--notice: found {text!r}; expected a maximum that is not below the minimum")
    return notice
