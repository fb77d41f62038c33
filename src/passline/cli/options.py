"""The options that several commands have, and the question that those of `exact` and `simulate` come to."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from passline.cli.errors import fail

if TYPE_CHECKING:
    pass

StrategyName = Annotated[
    str, typer.Argument(metavar="STRATEGY", help="One of `passline strategies`, a .toml file, or molly.py:Molly.")
]
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

With = typer.Option(
    "--with", metavar="STRATEGY", help="A strategy that sits at the table too: a name, a .toml file, or molly.py:Molly."
)


def count(option: str, about: str, *, least: int = 1) -> Any:  # noqa: ANN401 - as Typer has it
    """An option that counts something."""
    return typer.Option(option, parser=_whole(option, least), metavar="N", help=about)


def _whole(option: str, least: int) -> Callable[[str], int]:
    """A reader of whole numbers that answers anything else in the words of every bad argument."""

    def read(text: str) -> int:
        from passline.errors import ArgumentError

        bare = str(text).replace("_", "").replace(",", "")  # a default comes as the number it is
        if not (bare.isascii() and bare.removeprefix("-").isdigit() and len(bare) <= DIGITS_MAX):
            # Typer takes a ValueError, which ours is, for its own and answers in its own words.
            fail(str(ArgumentError(option, repr(text), f"a whole number from {least}")))
        return int(bare)

    return read


Rolls = Annotated[int | None, count("--rolls", "Rolls of a session (default 200).")]
Hands = Annotated[int | None, count("--hands", "End a session after so many seven-outs.")]
Seed = Annotated[int | None, count("--seed", "Seed for the dice; if left out one is picked and shown.", least=0)]
RollsPerHour = Annotated[str, typer.Option("--rolls-per-hour", help="How fast the table is.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object; what is exact is written as fractions.")]

DIGITS_MAX = 100
"""Longer numbers of rolls are a slip."""

Csv = Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write the rows as CSV.")]
Chart = Annotated[str | None, typer.Option("--chart", metavar="FILE", help="Draw it: a .png or .svg.")]

Sampled = Annotated[
    int | None, count("--sessions", "Sample so many evenings instead of working it out; always so in Python.")
]

TABLE = {"house": House_, "unit": Unit, "max_bet": Most, "notice": NoticeText, "chips": Float, "dice": DiceText}
"""Where a question is played: every question has these."""
STOPS = {"bankroll": Bankroll, "stop_win": StopWin, "stop_loss": StopLoss, "at_end": AtEnd}
EVENING = {"rolls": Rolls, "hands": Hands, **STOPS}
"""When an evening ends."""
USUAL = {"house": "adelaide", "at_end": "run-out"}
"""What a question is asked with unless somebody says otherwise."""

OPTIONS: dict[str, Any] = {
    **TABLE,
    **EVENING,
    "rolls_per_hour": RollsPerHour,
    "hours": Annotated[str, typer.Option("--hours", help="How long the player plays.")],
    "comp": Annotated[str, typer.Option("--comp", help="The share of the theoretical loss given back: 0.3.")],
    "by": Annotated[str | None, typer.Option("--by", help="The progression or count; else the only one.")],
    "risk": Annotated[float, typer.Option("--risk", help="The chance that the reserve may fall short.")],
    "sessions": Sampled,
    "seed": Seed,
    "fractions": Annotated[bool, typer.Option("--fractions", help="Insist on exact fractions.")],
    "stake": Annotated[str | None, typer.Option("--stake", help="Also the price as paid on this stake.")],
    "edge": Annotated[str, typer.Option("--edge", help="The wanted share of the money put up: 5%, 0.05 or 1/20.")],
    "wager": Annotated[str, typer.Argument(metavar="WAGER", help="One wager, such as any_seven or fire.")],
    "players": Annotated[str, typer.Argument(metavar="FILE", help="A population file (.toml).")],
}
"""How each argument of what is asked is typed."""


def chips_of(text: str | None) -> list[str] | None:
    """The chips of a float, as they are typed."""
    return None if text is None else text.replace(",", " ").split()


def over_of(over: Iterable[str]) -> dict[str, str]:
    """What is changed, and to which values, by the names that a question has for it."""
    changed: dict[str, str] = {}
    for each in over:
        what, equals, values = each.partition("=")
        called = {"stop-win": "stop_win", "stop-loss": "stop_loss", "max": "max_bet"}.get(what, what)
        if not equals or not values or called in changed:
            fail(f"--over: found {each!r}; expected a name and its values, each name once, such as unit=5,10,25")
        changed[called] = values
    return changed


def asks(ends: Iterable[str] = EVENING) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of a question in place of its parameter `asked`, and hand it what `ask` takes.

    Typer makes options of a function's signature, so that is where they are put.
    """
    put = [_parameter(name, USUAL.get(name)) for name in (*TABLE, *ends)]

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def called(**given: Any) -> None:  # noqa: ANN401 - whatever the options are read as
            asked = {each.name: given.pop(each.name) for each in put}
            command(asked={**asked, "chips": chips_of(asked["chips"])}, **given)

        own = inspect.signature(command, eval_str=True)
        parameters = [each for one in own.parameters.values() for each in (put if one.name == "asked" else [one])]
        return _signed(called, parameters)

    return with_options


class Row(NamedTuple):
    """A command that is one call: what it is named, told by and made of."""

    name: str
    about: str
    call: str
    """`module:function`, which gives an `Answer`; imported when the command runs, so that help is quick."""
    usual: Mapping[str, object]
    """Its arguments and what they are unless somebody says otherwise; `...` must be said."""
    ends: Iterable[str] | None = None
    """With a question: which of the things that end a session it can be asked with."""
    kinds: Mapping[str, object] = {}
    """Arguments that are typed otherwise than `OPTIONS` has it."""


def add_row(app: typer.Typer, row: Row) -> None:
    """Make a command of a row."""
    of_question = () if row.ends is None else (*TABLE, *row.ends)

    def run(**given: Any) -> None:  # noqa: ANN401 - whatever the options are read as
        from passline.analysis.question import ask
        from passline.cli.printing import path_for, show, waiting, write_all

        function, as_json, table = function_of(row), given.pop("as_json"), path_for("--csv", given.pop("csv"))
        if "chips" in given:
            given["chips"] = chips_of(given["chips"])
        if row.ends is not None:
            asked = {each: given.pop(each) for each in of_question}
            given["question"] = ask(given.pop("strategy"), **asked)
        with waiting(row.name) as progress:
            more = {"progress": progress} if "progress" in inspect.signature(function).parameters else {}
            answer = function(**given, **more)
            failed = write_all(("--csv", table, answer.write_csv))
            show(answer, as_json=as_json)
        if failed:
            fail("\n".join(failed))

    parameters = [inspect.Parameter("strategy", KEYWORD, annotation=StrategyName)] if row.ends is not None else []
    parameters += [_parameter(name, USUAL.get(name)) for name in of_question]
    parameters += [_parameter(name, usual, row.kinds.get(name)) for name, usual in row.usual.items()]
    for extra, how, usual in (("csv", Csv, None), ("as_json", AsJson, False)):
        parameters.append(inspect.Parameter(extra, KEYWORD, default=usual, annotation=how))
    app.command(row.name, help=row.about)(_signed(run, parameters))


KEYWORD = inspect.Parameter.KEYWORD_ONLY


def function_of(row: Row) -> Callable[..., Any]:
    module, _, name = row.call.partition(":")
    found: Callable[..., Any] = getattr(import_module(f"passline.{module}"), name)
    return found


def _parameter(name: str, usual: object, kind: object = None) -> inspect.Parameter:
    default = inspect.Parameter.empty if usual is ... else usual
    return inspect.Parameter(name, KEYWORD, default=default, annotation=kind or OPTIONS[name])


def _signed(called: Callable[..., None], parameters: list[inspect.Parameter]) -> Callable[..., None]:
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in parameters}
    return called
