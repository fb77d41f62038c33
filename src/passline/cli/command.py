"""Commands made of functions: options from the signature, their words from the docstring, one printer for answers.

A parameter that can be given by place is an argument, one by name alone an option. What each is for stands in the
docstring under `Options:`, a line for each, `name METAVAR: words`; what many commands take alike is in `OPTIONS`. A
function with a parameter `evening` takes all that a question is asked with, one that gives an `Answer` is printed, and
written where `--csv`, `--html`, `--chart` or `--json` say so.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_origin

import typer

from passline.answers import CHARTS, Answer
from passline.cli.errors import INTERRUPTED, fail
from passline.cli.group import Commands
from passline.cli.printing import apart, path_for, show, waiting, write_all

Told = Callable[..., None] | None  # what hears of progress
F = TypeVar("F", bound=Callable[..., Any])

app = typer.Typer(
    cls=Commands,
    name="passline",
    help="Craps, played exactly by the book: play it, replay it, price it, by six casinos' rules.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

DIGITS_MAX = 100  # longer numbers of rolls are a slip
KEYWORD = inspect.Parameter.KEYWORD_ONLY
WORDS = re.compile(r"(\w+)(?: (\S+))?: (.+)")  # a line of the docstring that says what a parameter is for
# The options that are not called as the parameter they stand for.
FLAGS = {"as_json": "json", "max_bet": "max", "chips": "float", "since": "from"}


def count(option: str, about: str | None = None, *, least: int = 1) -> Any:  # noqa: ANN401 - as Typer has it
    """An option that counts something; what is no whole number is answered in the words of every bad argument."""

    def read(text: str) -> int:
        from passline.errors import ArgumentError

        bare = str(text).replace("_", "").replace(",", "")  # a default comes as the number it is
        if not (bare.isascii() and bare.removeprefix("-").isdigit() and len(bare) <= DIGITS_MAX):
            # Typer takes a ValueError, which ours is, for its own and answers in its own words.
            fail(str(ArgumentError(option, repr(text), f"a whole number from {least}")))
        return int(bare)

    return typer.Option(option, parser=read, metavar="N", help=about)


def _text(name: str, about: str, **more: Any) -> Any:  # noqa: ANN401 - as Typer has it
    return Annotated[str | None, typer.Option(f"--{FLAGS.get(name, name).replace('_', '-')}", help=about, **more)]


StrategyName = Annotated[
    str, typer.Argument(metavar="STRATEGY", help="One of `passline strategies`, a .toml file, or molly.py:Molly.")
]
Strategies = Annotated[
    list[str], typer.Argument(metavar="STRATEGY...", help="Of `passline strategies`, .toml files, or molly.py:Molly.")
]
With = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="STRATEGY",
        help="A strategy that sits at the table too: a name, a .toml file, or molly.py:Molly.",
    ),
]
Seed = Annotated[int | None, count("--seed", "Seed for the dice; if left out one is picked and shown.", least=0)]
Sessions = Annotated[
    int | None, count("--sessions", "Sample so many evenings instead of working it out; always so in Python.")
]
Fractions = Annotated[
    bool | None,
    typer.Option("--fractions/--double", help="Insist on fractions, or on double precision; else whichever is quick."),
]
JournalName = Annotated[str, typer.Argument(help="The file of a journal, or postgresql://…", metavar="JOURNAL")]
TableNames = Annotated[list[str] | None, typer.Option("--table", help="Only this table; repeatable.")]

# Where a question is played: every question has these.
TABLE = {
    "house": Annotated[str, typer.Option("--house", help="A house by its id, or the path of a house file.")],
    "unit": _text("unit", "What one unit is, in money; else the strategy's own."),
    "max_bet": _text("max_bet", "The most that may be bet; a progression without end needs one."),
    "notice": _text("notice", 'Play under a sign, such as "min=10 max=5000 odds=5": limits apply.'),
    "chips": _text("chips", "Play with these chips, such as 1,5,25: payouts are rounded to them."),
    "dice": _text("dice", 'Dice that are not fair: srr=6.5 (rolls for each seven), or 36, 6 or 12 weights "1,1,2,…".'),
}
STOPS = {
    "bankroll": _text("bankroll", "What you bring; without it you never go broke."),
    "stop_win": _text("stop_win", "Leave when so much is won."),
    "stop_loss": _text("stop_loss", "Leave when so much is lost."),
    "at_end": _text(
        "at_end",
        "Bets still up at the end: play them out (run-out), or count them at face value (face).",
        metavar="run-out|face",
    ),
}
# When an evening ends.
EVENING = {
    "rolls": Annotated[int | None, count("--rolls", "Rolls of a session (default 200).")],
    "hands": Annotated[int | None, count("--hands", "End a session after so many seven-outs.")],
    **STOPS,
}
USUAL = {"house": "adelaide", "at_end": "run-out"}  # what a question is asked with unless somebody says otherwise
# How an answer is wanted; it is printed unless it is wanted as JSON.
OUT = {
    "csv": _text("csv", "Write the rows as CSV.", metavar="FILE"),
    "parquet": _text("parquet", "Write the rows as Parquet.", metavar="FILE"),
    "html": _text("html", "Write a page that prints.", metavar="FILE"),
    "chart": _text("chart", "Draw it: a .png or .svg.", metavar="FILE"),
    "as_json": Annotated[bool, typer.Option("--json", help="JSON, an object a line; exact figures as fractions.")],
}
# What a parameter means wherever a docstring says nothing else.
OPTIONS: dict[str, Any] = {
    **TABLE,
    **EVENING,
    **OUT,
    "rolls_per_hour": Annotated[str, typer.Option("--rolls-per-hour", help="How fast the table is.")],
    "hours": Annotated[str, typer.Option("--hours", help="How long the player plays.")],
    "comp": Annotated[str, typer.Option("--comp", help="The share of the theoretical loss given back: 0.3.")],
    "by": _text("by", "The progression or count; else the stages, or the only one."),
    "risk": Annotated[float, typer.Option("--risk", help="The chance that the reserve may fall short.")],
    "sessions": Sessions,
    "seed": Seed,
    "fractions": Annotated[bool, typer.Option("--fractions", help="Insist on exact fractions.")],
    "stake": _text("stake", "Also the price as paid on this stake."),
    "edge": Annotated[str, typer.Option("--edge", help="The wanted share of the money put up: 5%, 0.05 or 1/20.")],
    "wager": Annotated[str, typer.Argument(metavar="WAGER", help="One wager, such as any_seven or fire.")],
    "players": Annotated[str, typer.Argument(metavar="FILE", help="A population file (.toml).")],
    "keys": _text("keys", "The file of the house's keys [default: PASSLINE_KEYS, or your own]."),
    "token": Annotated[str, typer.Option("--token", envvar="PASSLINE_TOKEN", help="Your access token.")],
    "level": Annotated[float, typer.Option("--level", help="How often good dice may be taken for bad ones.")],
}


def group(name: str, about: str) -> typer.Typer:
    """Commands under one word."""
    made = typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(made, name=name)
    return made


def command(name: str, within: typer.Typer = app, **settings: Any) -> Callable[[F], F]:  # noqa: ANN401 - Typer's
    """Make a command of a function."""

    def register(function: F) -> F:
        about, _, options = (inspect.getdoc(function) or "").partition("\n\nOptions:\n")
        words = {each[0]: each[1:] for each in _told(options)}
        own = inspect.signature(function, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for each in own.parameters.values():
            if each.name == "evening":
                parameters += question_options(EVENING)
            elif each.name != "progress":
                parameters.append(_parameter(each, *words.get(each.name, (None, None))))
        answers = own.return_annotation is Answer
        if answers:
            parameters += _out()

        def run(**values: Any) -> None:  # noqa: ANN401 - whatever the options are read as
            if "evening" in own.parameters:
                evening = {each: values.pop(each) for each in (*TABLE, *EVENING)}
                values["evening"] = {**evening, "chips": chips_of(evening["chips"])}
            if answers:
                print_answer(lambda progress: function(**values, **_if_wanted(own, progress)), name, values)
            elif "progress" in own.parameters:
                with waiting(name) as progress:
                    function(**values, progress=progress)
            else:
                function(**values)

        within.command(name, help=about, **settings)(_signed(run, parameters))
        return function

    return register


def print_answer(find: Callable[[Any], Answer], name: str, values: dict[str, Any]) -> None:
    """Find an answer and print it; files first, for whoever reads what is printed may stop reading."""
    as_json = values.pop("as_json")
    files = (
        ("--csv", path_for("--csv", values.pop("csv")), "write_csv"),
        ("--parquet", path_for("--parquet", values.pop("parquet"), needs="polars"), "write_parquet"),
        ("--html", path_for("--html", values.pop("html"), (".html", ".htm")), "write_html"),
        ("--chart", path_for("--chart", values.pop("chart"), CHARTS, needs="matplotlib"), "chart"),
    )
    apart(*(path for _, path, _ in files))
    with waiting(name) as progress:
        answer = find(progress)
        failed = write_all(*((option, path, getattr(answer, how)) for option, path, how in files))
        show(answer, as_json=as_json)
    if failed:
        fail("\n".join(failed))
    if answer.stopped:
        fail(answer.stopped, INTERRUPTED)


class Row(NamedTuple):
    """A command that is one call: what it is named, told by and made of."""

    name: str
    about: str
    call: str  # `module:function`, which gives an `Answer`; imported when the command runs, so that help is quick
    usual: Mapping[str, object]  # its arguments and what they are unless somebody says otherwise; `...` must be said
    ends: Iterable[str] | None = None  # with a question: which of the things that end a session it can be asked with
    kinds: Mapping[str, object] = {}  # Arguments that are typed otherwise than `OPTIONS` has it


def add_rows(*rows: Row) -> None:
    for row in rows:
        _add_row(row)


def _add_row(row: Row) -> None:
    def run(**values: Any) -> None:  # noqa: ANN401 - whatever the options are read as
        function = function_of(row)

        def find(progress: Any) -> Answer:  # noqa: ANN401 - what hears of progress
            if row.ends is not None:
                from passline.analysis.question import ask  # prices need no NumPy

                evening = {each: values.pop(each) for each in (*TABLE, *row.ends)}
                values["question"] = ask(values.pop("strategy"), **{**evening, "chips": chips_of(evening["chips"])})
            elif "chips" in values:
                values["chips"] = chips_of(values["chips"])
            answer: Answer = function(**values, **_if_wanted(inspect.signature(function), progress))
            return answer

        print_answer(find, row.name, values)

    parameters = [inspect.Parameter("strategy", KEYWORD, annotation=StrategyName)] if row.ends is not None else []
    parameters += [] if row.ends is None else question_options(row.ends)
    parameters += [_option(name, usual, row.kinds.get(name)) for name, usual in row.usual.items()]
    app.command(row.name, help=row.about)(_signed(run, [*parameters, *_out()]))


def function_of(row: Row) -> Callable[..., Any]:
    module, _, name = row.call.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"passline.{module}"), name)
    return function


def question_options(ends: Iterable[str]) -> list[inspect.Parameter]:
    return [_option(name, USUAL.get(name)) for name in (*TABLE, *ends)]


def chips_of(text: str | None) -> list[str] | None:
    """The chips of a float, as they are typed."""
    return None if text is None else re.split(r"\s*,\s*|\s+", text.strip())


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


# --- Parameters -----------------------------------------------------------------------------------------------------


def _told(text: str) -> Iterator[tuple[str, str | None, str]]:
    """The lines of a docstring about parameters: name, metavar and words."""
    for line in re.split(r"\n(?=\w)", inspect.cleandoc(text)) if text else ():
        match = WORDS.fullmatch(" ".join(line.split()))
        assert match, f"a parameter is told as `name: words`, not as {line!r}"
        name, metavar, words = match.groups()
        yield name, metavar, words


def _parameter(own: inspect.Parameter, metavar: str | None, words: str | None) -> inspect.Parameter:
    """A parameter of a function as Typer reads it."""
    kind, name = own.annotation, own.name
    if kind is typer.Context:
        return own.replace(kind=KEYWORD)
    if get_origin(kind) is Annotated:
        info = kind.__metadata__[0]
        info.help, info.metavar = info.help or words, info.metavar or metavar
        return own.replace(kind=KEYWORD)
    if words is None:
        return _option(name, ... if own.default is own.empty else own.default)
    if own.kind is not KEYWORD:
        return own.replace(kind=KEYWORD, annotation=Annotated[kind, typer.Argument(metavar=metavar, help=words)])
    flag = f"--{FLAGS.get(name, name.rstrip('_')).replace('_', '-')}"
    if int in (kind, *get_args(kind)):
        return own.replace(annotation=Annotated[kind, count(flag, words)])
    both = f"{flag}/--no-{flag[2:]}" if kind is bool and own.default else flag
    return own.replace(annotation=Annotated[kind, typer.Option(both, metavar=metavar, help=words)])


def _option(name: str, usual: object, kind: object = None) -> inspect.Parameter:
    default = inspect.Parameter.empty if usual is ... else usual
    return inspect.Parameter(name, KEYWORD, default=default, annotation=kind or OPTIONS[name])


def _out() -> list[inspect.Parameter]:
    return [_option(name, False if name == "as_json" else None) for name in OUT]


def _if_wanted(signature: inspect.Signature, progress: object) -> dict[str, object]:
    return {"progress": progress} if "progress" in signature.parameters else {}


def _signed(called: Callable[..., None], parameters: list[inspect.Parameter]) -> Callable[..., None]:
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in parameters}
    return called
