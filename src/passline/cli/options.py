"""What `exact` and `simulate` can both be asked: the options, and the question they come to."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.analysis.question import Question

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


class Asked(NamedTuple):
    """The options of a question, as they were typed."""

    house: str
    unit: str | None
    most: str | None
    notice: str | None
    float_: str | None
    rolls: int | None
    hands: int | None
    bankroll: str | None
    stop_win: str | None
    stop_loss: str | None
    at_end: str
    dice: str | None = None

    def of(self, strategy: str) -> Question:
        """The question about one strategy."""
        from passline.analysis.question import ask

        return ask(
            strategy,
            house=self.house,
            unit=self.unit,
            rolls=self.rolls,
            hands=self.hands,
            bankroll=self.bankroll,
            stop_win=self.stop_win,
            stop_loss=self.stop_loss,
            at_end=cast("Any", self.at_end),
            notice=self.notice,
            chips=None if self.float_ is None else self.float_.replace(",", " ").split(),
            max_bet=self.most,
            dice=self.dice,
        )

    @property
    def table(self) -> tuple[str, ...]:
        """The options that say again where it is played."""
        return words(
            ("--house", self.house),
            ("--unit", self.unit),
            ("--max", self.most),
            ("--notice", self.notice),
            ("--float", self.float_),
            ("--dice", self.dice),
        )

    @property
    def ends(self) -> tuple[str, ...]:
        """The options that say again when it ends."""
        return words(
            ("--rolls", self.rolls),
            ("--hands", self.hands),
            ("--bankroll", self.bankroll),
            ("--stop-win", self.stop_win),
            ("--stop-loss", self.stop_loss),
            ("--at-end", None if self.at_end == "run-out" else self.at_end),
        )


def words(*said: tuple[str, object]) -> tuple[str, ...]:
    """The options that were given, as they are typed."""
    return tuple(f"{option} {shlex.quote(str(value))}" for option, value in said if value is not None)
