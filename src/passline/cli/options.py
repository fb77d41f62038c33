"""What `exact` and `simulate` can both be asked: the options, and the question they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.analysis.again import Asked, words

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Asked", "words"]

House_ = Annotated[str, typer.Option("--house", help="A house by its id, or the path of a house file.")]
Unit = Annotated[str | None, typer.Option("--unit", help="What one unit is, in money; else the strategy's own.")]
Bankroll = Annotated[str | None, typer.Option("--bankroll", help="Money at hand; without it nobody is ruined.")]
StopWin = Annotated[str | None, typer.Option("--stop-win", help="Leave when so much is won.")]
StopLoss = Annotated[str | None, typer.Option("--stop-loss", help="Leave when so much is lost.")]
AtEnd = Annotated[
    str,
    typer.Option(
        "--at-end",
        metavar="run-out|face",
        help="What stands at the end has one decision more, without new bets (run-out), or counts at face value.",
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
Seed = Annotated[int | None, count("--seed", "Of the dice; else one is drawn, and told.", least=0)]


DIGITS_MAX = 100
"""Longer numbers of rolls are a slip."""
