"""Commands made of functions: options from the signature, examples from the docstring, one printer for answers.

A parameter that can be given by place is an argument, one by name alone an option. What each is for stands beside its
type, `Annotated[str, "words", "METAVAR"]`; what many commands take alike is in `OPTIONS`. A function with a parameter
`question` takes a strategy and all that it is asked about with, one with a `session` only the latter;
`Annotated[Session, "rolls"]` takes only the rolls of what ends a session. One that gives an `Answer` is printed, and
written where `--csv`, `--html`, `--chart` or `--json` say so; one that gives a `Printed` is printed, or `--json`.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_origin

import typer

import passline
from passline.answers import CHARTS, FLAGS, Answer, Part, flag_of
from passline.cli.group import Commands
from passline.cli.printing import INTERRUPTED, fail, path_for, show, show_json, waiting, why_not
from passline.errors import ArgumentError

Progress = Callable[..., None] | None  # what hears of progress
Asked = Any  # a question, whose module is slow to import
Session = dict[str, Any]  # what `ask` takes, but for the strategy


class Printed(NamedTuple):
    """What a command that answers no question prints: for programs with `--json`, and for people."""

    data: Any
    parts: Iterable[Part]


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


def count(option: str, about: str | None = None, *, least: int = 1) -> Any:  # noqa: ANN401 - as Typer has it
    """An option that counts something; what is no whole number is answered in the words of every bad argument."""

    def read(text: str) -> int:
        bare = str(text).replace("_", "").replace(",", "")  # a default comes as the number it is
        if not (bare.isascii() and bare.removeprefix("-").isdigit() and len(bare) <= DIGITS_MAX):
            # Typer takes a ValueError, which ours is, for its own and answers in its own words.
            fail(str(ArgumentError(option, repr(text), f"a whole number from {least}")))
        return int(bare)

    return typer.Option(option, parser=read, metavar="N", help=about)


StrategyName = Annotated[str, "One of `passline strategies`, a .toml file, or molly.py:Molly.", "STRATEGY"]
Strategies = Annotated[list[str], "Of `passline strategies`, .toml files, or molly.py:Molly.", "STRATEGY..."]
With = Annotated[
    list[str] | None, "A strategy that sits at the table too: a name, a .toml file, or molly.py:Molly.", "STRATEGY"
]
JournalName = Annotated[str, "The file of a journal, or postgresql://…", "JOURNAL"]
TableNames = Annotated[list[str] | None, "Only this table; repeatable."]

Text = str | None
# Where a question is played: every question has these.
TABLE = {
    "house": Annotated[str, "A house by its id, or the path of a house file."],
    "unit": Annotated[Text, "What one unit is worth [default: the strategy's own]."],
    "max_bet": Annotated[Text, "The largest bet allowed; an unbounded progression needs one."],
    "notice": Annotated[Text, 'Play under a sign, such as "min=10 max=5000 odds=5": limits apply.'],
    "chips": Annotated[Text, "Play with these chips, such as 1,5,25: payouts are rounded to them."],
    "dice": Annotated[
        Text, 'Dice that are not fair: srr=6.5 (a seven in 6.5 rolls), or 36, 6 or 12 weights "1,1,2,…".'
    ],
}
# When a session ends.
SESSION = {
    "rolls": Annotated[int | None, "Rolls of a session [default: 200; with --hands as many as they need]."],
    "hands": Annotated[int | None, "End a session after this many seven-outs."],
    "bankroll": Annotated[Text, "What you bring; without it you never go broke."],
    "stop_win": Annotated[Text, "Leave when this much is won."],
    "stop_loss": Annotated[Text, "Leave when this much is lost."],
    "at_end": Annotated[
        Text, "Bets still up at the end: play them out (run-out), or count them at face value (face).", "run-out|face"
    ],
}
USUAL = {"house": "adelaide", "at_end": "run-out"}  # what a question is asked with unless somebody says otherwise
# How an answer is wanted; it is printed unless it is wanted as JSON.
OUT = {
    "csv": Annotated[Text, "Write the rows as CSV.", "FILE"],
    "parquet": Annotated[Text, "Write the rows as Parquet.", "FILE"],
    "html": Annotated[Text, "Write a printable page.", "FILE"],
    "chart": Annotated[Text, "Draw it: a .png or .svg.", "FILE"],
    "as_json": Annotated[bool, "JSON, one object per line; exact figures as fractions."],
}
# How an answer is written, as what files, and the package that this takes.
FILES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "csv": ("write_csv", (), ""),
    "parquet": ("write_parquet", (), "polars"),
    "html": ("write_html", (".html", ".htm"), ""),
    "chart": ("chart", CHARTS, "matplotlib"),
}
# What a parameter means wherever it has no words of its own.
OPTIONS: dict[str, Any] = {
    **TABLE,
    **SESSION,
    **OUT,
    "rolls_per_hour": Annotated[str, "Rolls per hour at the table."],
    "wager": Annotated[Text, "One wager: its key (place_6), its name, or a family."],
    "float_": Annotated[Text, typer.Option("--float", help="The chips it is paid in: 1,5,25; else the house's own.")],
    "seed": Annotated[int | None, count("--seed", "Seed for the dice; if left out one is picked and shown.", least=0)],
    "sessions": Annotated[
        int | None, "Sample this many sessions instead of working it out; strategies in Python are always sampled."
    ],
    "exactly": Annotated[
        bool | None,
        typer.Option(
            "--fractions/--double", help="Force exact fractions, or double precision [default: whichever is quick]."
        ),
    ],
    "stake": Annotated[Text, "Also the price as paid on this stake."],
    "keys": Annotated[Text, "The file of the house's keys [default: PASSLINE_KEYS, or your own]."],
    "token": Annotated[str, typer.Option("--token", envvar="PASSLINE_TOKEN", help="Your access token.")],
}


def group(name: str, about: str) -> typer.Typer:
    made = typer.Typer(help=about, no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(made, name=name)
    return made


def command(name: str, within: typer.Typer = app, **settings: Any) -> Callable[[F], F]:  # noqa: ANN401 - Typer's
    def register(function: F) -> F:
        own = inspect.signature(function, eval_str=True)
        asked = own.parameters.get("question") or own.parameters.get("session")
        terms = () if asked is None else (*TABLE, *getattr(asked.annotation, "__metadata__", SESSION))
        parameters = [each for one in own.parameters.values() for each in _parameters(one, terms)]
        ways = {Answer: tuple(OUT), Printed: ("as_json",)}.get(own.return_annotation, ())
        parameters += [_option(each, False if each == "as_json" else None) for each in ways]

        def run(**values: Any) -> None:  # noqa: ANN401 - whatever the options are read as
            if terms:
                session = {each: values.pop(each) for each in terms}
                session["chips"] = chips_of(session["chips"])
                if "session" in own.parameters:
                    values["session"] = session
                else:
                    values["question"] = passline.ask(values.pop("name"), **session)
            wanted = {each: values.pop(each) for each in ways}

            def answer(progress: Progress = None) -> Any:  # noqa: ANN401 - whatever the command gives
                return function(**values, **({"progress": progress} if "progress" in own.parameters else {}))

            if own.return_annotation is Answer:
                _print_answer(answer, name, **wanted)
            elif own.return_annotation is Printed:
                data, parts = answer()
                show_json(data) if wanted["as_json"] else show(parts)
            else:
                answer()

        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        within.command(name, help=inspect.getdoc(function), **settings)(run)
        return function

    return register


def _print_answer(find: Callable[[Any], Answer], name: str, *, as_json: bool, **files: Text) -> None:
    """Find an answer and print it; files first, for whoever reads what is printed may stop reading."""
    paths = {each: path_for(f"--{each}", text, *FILES[each][1:]) for each, text in files.items()}
    named = [path.resolve() for path in paths.values() if path is not None]
    if len(set(named)) < len(named):
        fail("--csv, --parquet and --chart: expected a file of its own for each")
    failed = []
    with waiting(name) as progress:
        answer = find(progress)
        for each, path in paths.items():
            try:  # a disk that fills up costs the files, not the result
                if path is not None:
                    getattr(answer, FILES[each][0])(path)
            except OSError as error:
                failed.append(f"--{each}: {why_not(error)}")
        show(answer, as_json=as_json)
    if failed:
        fail("\n".join(failed))
    if answer.stopped:
        fail(answer.stopped, INTERRUPTED)


def chips_of(text: str | None) -> list[str] | None:
    """The chips of a float, as they are typed."""
    return None if text is None else re.split(r"\s*,\s*|\s+", text.strip())


def over_of(over: Iterable[str]) -> dict[str, str]:
    """What is changed, and to which values, by the names that a question has for it."""
    changed: dict[str, str] = {}
    for each in over:
        what, equals, values = each.partition("=")
        called = {flag: name for name, flag in FLAGS.items()}.get(what, what).replace("-", "_")
        if not equals or not values or called in changed:
            fail(f"--over: found {each!r}; expected a name and its values, each name once, such as unit=5,10,25")
        changed[called] = values
    return changed


def _parameters(own: inspect.Parameter, terms: Iterable[str]) -> Iterator[inspect.Parameter]:
    """What is typed for one parameter of a command; `terms` are those of a question."""
    if own.name == "question":
        yield _parameter(inspect.Parameter("name", inspect.Parameter.POSITIONAL_ONLY, annotation=StrategyName))
    if own.name in ("question", "session"):
        yield from (_option(term, USUAL.get(term)) for term in terms)
    elif own.name != "progress":
        yield _parameter(own)


def _parameter(own: inspect.Parameter) -> inspect.Parameter:
    kind, *about = get_args(own.annotation) if get_origin(own.annotation) is Annotated else (own.annotation,)
    if kind is typer.Context or (about and not isinstance(about[0], str)):
        return own.replace(kind=KEYWORD)
    name, (words, metavar, *_) = own.name, (*about, None, None)
    if words is None:
        return _parameter(own.replace(kind=KEYWORD, annotation=OPTIONS[name]))
    if own.kind is not KEYWORD:
        return own.replace(kind=KEYWORD, annotation=Annotated[kind, typer.Argument(metavar=metavar, help=words)])
    flag = flag_of(name)
    if int in (kind, *get_args(kind)):
        return own.replace(annotation=Annotated[kind, count(flag, words)])
    both = f"{flag}/--no-{flag[2:]}" if kind is bool and own.default else flag
    return own.replace(annotation=Annotated[kind, typer.Option(both, metavar=metavar, help=words)])


def _option(name: str, usual: object = None) -> inspect.Parameter:
    return _parameter(inspect.Parameter(name, KEYWORD, default=usual, annotation=OPTIONS[name]))
