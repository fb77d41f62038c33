"""The options that several commands have, and the question that those of `exact` and `simulate` come to."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any

import typer

from passline.analysis.again import Asked, words

__all__ = ["Asked", "words"]

StrategyName = Annotated[str, typer.Argument(metavar="STRATEGY", help="One of `passline strategies`, or a .toml file.")]
House_ = Annotated[str, typer.Option("--house", help="A house by its id, or the path of a house file.")]
Unit = Annotated[str | None, typer.Option("--unit", help="What one unit is, in money; else the strategy's own.")]
Bankroll = Annotated[str | None, typer.Option("--bankroll", help="What you bring; without it you never go broke.")]
StopWin = Annotated[str | None, typer.Option("--stop-win", help="Leave when so much is won.")]
StopLoss = Annotated[str | None, typer.Option("--stop-loss", help="Leave when so much is lost.")]
AtEnd = Annotated[
    str,
    typer.Option(
        "--at-end",
        metavar="run-out|face",
        help="Bets still up at the end: play them out (run-out), or count them at face value (face).",
    ),
]
Most = Annotated[
    str | None, typer.Option("--max", help="The most that may be bet; a progression without end needs one.")
]
NoticeText = Annotated[
    str | None, typer.Option("--notice", help='Play under a sign, such as "min=10 max=5000 odds=5": limits apply.')
]
Float = Annotated[
    str | None, typer.Option("--float", help="Play with these chips, such as 1,5,25: payouts are rounded to them.")
]

DiceText = Annotated[
    str | None,
    typer.Option(
        "--dice", help='Dice that are not fair: srr=6.5 (rolls for each seven), or 36, 6 or 12 weights "1,1,2,…".'
    ),
]


def count(option: str, about: str, *, least: int = 1) -> Any:  # noqa: ANN401 - as Typer has it
    """An option that counts something."""
    return typer.Option(option, parser=_whole(option, least), metavar="N", help=about)


def _whole(option: str, least: int) -> Callable[[str], int]:
    """A reader of whole numbers that answers anything else in the words of every bad argument."""

    def read(text: str) -> int:
        from passline.cli.errors import fail
        from passline.errors import ArgumentError

        bare = str(text).replace("_", "").replace(",", "")  # a default comes as the number it is
        if not (bare.isascii() and bare.removeprefix("-").isdigit() and len(bare) <= DIGITS_MAX):
            # Typer takes a ValueError, which ours is, for its own and answers in its own words.
            fail(str(ArgumentError(option, repr(text), f"a whole number from {least}")))
        return int(bare)

    return read


EveningRolls = Annotated[int | None, count("--rolls", "Rolls of the evening (default 200).")]
EveningHands = Annotated[int | None, count("--hands", "End the evening after so many seven-outs.")]
SessionRolls = Annotated[int | None, count("--rolls", "Rolls of a session (default 200).")]
SessionHands = Annotated[int | None, count("--hands", "End a session after so many seven-outs.")]
Seed = Annotated[int | None, count("--seed", "Seed for the dice; if left out one is picked and shown.", least=0)]
RollsPerHour = Annotated[str, typer.Option("--rolls-per-hour", help="How fast the table is.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]
AsFractions = Annotated[bool, typer.Option("--json", help="Exact fractions as one JSON object.")]

DIGITS_MAX = 100
"""Longer numbers of rolls are a slip."""

TABLE = {"house": House_, "unit": Unit, "most": Most, "notice": NoticeText, "float_": Float, "dice": DiceText}
"""Where a question is played: every question has these."""
STOPS = {"bankroll": Bankroll, "stop_win": StopWin, "stop_loss": StopLoss, "at_end": AtEnd}
EVENING = {"rolls": EveningRolls, "hands": EveningHands, **STOPS}
"""When an evening ends."""
SESSION = {"rolls": SessionRolls, "hands": SessionHands, **STOPS}
"""When each of many sessions ends."""


def asks(ends: Mapping[str, object]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of a question in place of its parameter `asked`, and hand it what they come to.

    Typer makes options of a function's signature, so that is where they are put: without this every command would
    have to list a dozen.
    """
    usual = {"house": "adelaide", **Asked._field_defaults}
    kind = inspect.Parameter.KEYWORD_ONLY
    put = [
        inspect.Parameter(name, kind, default=usual[name], annotation=how) for name, how in {**TABLE, **ends}.items()
    ]

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def called(**given: Any) -> None:  # noqa: ANN401 - whatever the options are read as
            asked = Asked(**{each.name: given.pop(each.name) for each in put})
            command(asked=asked, **given)

        own = inspect.signature(command, eval_str=True)
        parameters = [each for one in own.parameters.values() for each in (put if one.name == "asked" else [one])]
        called.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        called.__annotations__ = {each.name: each.annotation for each in parameters}
        return called

    return with_options
