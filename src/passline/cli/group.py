"""How the commands stand together: help by task, words for values, completion, and the configuration file."""

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from typer._click.exceptions import BadParameter, MissingParameter, NoArgsIsHelpError, UsageError
from typer._click.shell_completion import CompletionItem
from typer._coercion import PassThroughRuntimeParam
from typer.core import TyperGroup

import passline
from passline.answers import flag_of
from passline.cli.printing import CANNOT_BE_READ, REFUSED, UNREADABLE, fail, leave
from passline.errors import ArgumentError, PackageMissingError, PasslineError
from passline.files.needed import missing
from passline.telling.names import nearest_word

# The commands by what somebody comes for, each group with an example.
GROUPS: dict[str, tuple[tuple[str, ...], str]] = {
    "Play": (("play", "serve", "bot", "replay", "verify", "witness"), "passline play --house strip"),
    "Learn": (("drill", "houses", "house", "clause", "man"), "passline drill pays --house sydney"),
    "Prices": (("odds", "compare", "price", "par", "hand", "dice-test", "dice-verdict"), "passline odds --house strip"),
    "Strategies": (
        (
            *("strategies", "strategy", "best", "search", "exact", "paths", "rare", "sensitivity"),
            *("simulate", "versus", "sweep", "stages", "population", "theo", "coupon", "rebate", "report"),
        ),
        "passline exact three_point_molly --rolls 200",
    ),
    "Run a casino": (
        ("people", "permissions", "journal", "pit", "devices"),
        "passline people add ann --role supervisor",
    ),
}

# What values are called that are not called as their option.
METAVARS = {
    name: word
    for word, names in {
        "HOUSE": "like",
        "FILE": "journal head keys save resume sheet to",
        "FOLDER": "backups",
        "AMOUNT": "buyin unit bankroll stop_win stop_loss max_bet stake result",
        "N": "rolls_per_hour hours aversion",
        "SHARE": "comp comps ruin rebate rated_edge",
        "FIGURE": "maximise against",
        "CONDITION": "subject_to",
        "KEY,…": "wagers",
        "TIME": "since until",
        "DATE": "day",
        "NAME": "player",
        "TEXT": "reason",
        "ID": "revoke",
        "URL": "server origin link",
        "ADDRESS": "host",
        "ADDRESSES": "proxies",
        "1,5,25": "chips float_",
    }.items()
    for name in names.split()
} | {"notice": '"min=5 odds=2"'}

# What a configuration file may say: the options that every session begins with.
CONFIG = ("house", "unit", "name", "players", "speed", "currency")


class Commands(TyperGroup):
    """Our commands: an error of ours that none of them speaks of is said in its own sentence."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - Typer's context has no public name
        """Take flags and `--config` as they come: Typer would import Pydantic for them before a command's help."""
        each: Any
        for each in self.get_params(ctx):
            descriptor = each.type_descriptor
            if descriptor.annotation is bool or each.name == "config":
                kind = bool if descriptor.annotation is bool else str
                each._runtime_param = PassThroughRuntimeParam(descriptor.parameter_info, kind)  # noqa: SLF001 - it is lazy
        if args[:1] == ["help"]:  # `passline help play`
            args = [*args[1:], "--help"]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - Typer's context has no public name
        try:
            return super().invoke(ctx)
        except ArgumentError as error:
            every = [each for command in _all(self.get_command(ctx, ctx.invoked_subcommand)) for each in command.params]
            by_place = {each.name: each.metavar for each in every if each.param_type_name == "argument"}
            option = by_place.get(error.name) or flag_of(error.name)
            fail(str(ArgumentError(option, error.actual, error.expected, error.nearest)))
        except NoArgsIsHelpError:
            raise
        except BrokenPipeError:  # before Typer calls it a failure
            leave("")
        except UsageError as error:
            fail(_usage(error, ctx))
        except ImportError as error:
            why = missing(error, f"passline {ctx.invoked_subcommand}")
            if why is error and not isinstance(error, PackageMissingError):  # which has its sentence
                raise
            fail(str(why))
        except PasslineError as error:
            fail(str(error), UNREADABLE if isinstance(error, CANNOT_BE_READ) else REFUSED)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - as above
        """A command whose values are called what people call them."""
        command = super().get_command(ctx, cmd_name)
        for each in _all(command) if command is not None else ():
            for parameter in each.params:
                _name(parameter)
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        visible = set(self.list_commands(ctx))
        rest = tuple(visible - {name for names, _ in GROUPS.values() for name in names})
        for title, (names, example) in (*GROUPS.items(), ("More", (rest, ""))):
            rows = [(name, self.get_command(ctx, name)) for name in names if name in visible]
            lines = [(name, each.get_short_help_str(formatter.width)) for name, each in rows if not each.hidden]
            if lines:
                with formatter.section(title):
                    formatter.write_dl(lines)
                    if example:
                        formatter.write_text(f"Example: {example}")


def _usage(error: UsageError, ctx: Any) -> str:  # noqa: ANN401 - as above
    """What is wrong with a command line, in one sentence with where to read on."""
    context = error.ctx or ctx
    more = f"{context.command_path} --help says more"
    if isinstance(error, BadParameter) and error.param is not None:
        name = error.param.opts[0] if error.param.param_type_name == "option" else error.param.metavar
        if isinstance(error, MissingParameter):
            return f"{name} is missing: {(getattr(error.param, 'help', None) or 'it must be said').rstrip('.')}; {more}"
        return f"{name}: {error.message[:1].lower()}{error.message[1:].rstrip('.')}; {more}"
    if error.message.startswith("No such command"):
        word = error.message.split("'")[1]
        known = (*getattr(context.command, "commands", ()), *(() if context.parent else ("help",)))
        near = nearest_word(word, known)
        hint = f"did you mean {near}? " if near else ""
        return f"There is no command {word!r}; {hint}{more}"
    if extra := re.match(r"Got unexpected extra arguments? \(([^)]*)\)", error.format_message().replace("(s)", "")):
        return f"{extra[1]} is more than this command takes; {more}"
    return f"{error.format_message().rstrip('.')}; {more}"


def _all(command: Any) -> Iterator[Any]:  # noqa: ANN401 - as above
    yield command
    for each in getattr(command, "commands", {}).values():
        yield from _all(each)


def _name(parameter: Any) -> None:  # noqa: ANN401 - as above
    """Give a value its word, and what completes it."""
    name = parameter.name or ""
    kind = getattr(parameter.type_descriptor, "annotation", None)
    if parameter.metavar is None and not getattr(parameter, "is_flag", False):
        word = "FILE" if kind is Path else name.rstrip("_").upper()
        parameter.metavar = METAVARS.get(name, "N" if kind in (int, float) else word.replace("_", "-"))
    if parameter.param_type_name == "argument":  # its metavar says it already; Typer would add `<str>` and braces
        word = parameter.metavar.strip("[]")
        parameter.display_type_rich = lambda **_: None
        parameter.get_usage_pieces = lambda _ctx: [word if parameter.required else f"[{word}]"]
    complete = COMPLETE.get(name) or COMPLETE.get((parameter.metavar or "").rstrip(".…").lower())
    if complete is not None and parameter._custom_shell_complete is None:  # noqa: SLF001 - the hook behind `autocompletion`
        parameter._custom_shell_complete = lambda _ctx, _args, begun: [  # noqa: SLF001
            CompletionItem(word) for word in complete() if word.startswith(begun)
        ]


def _houses() -> list[str]:
    from passline.rulebooks.read import built_in

    return list(built_in())


def _wagers() -> list[str]:

    return sorted({spot.key for house in passline.House.all() for spot in house.layout.offered()})


def _strategies() -> list[str]:
    from importlib.resources import files

    library = files("passline.strategies") / "library"
    return sorted(each.name.removesuffix(".toml") for each in library.iterdir() if each.name.endswith(".toml"))


def _clauses() -> list[str]:
    from passline.rulebooks.catalogue import catalogue

    own = (f"{house.id}:{each}" for house in passline.House.all() for each in house.book.clauses)
    return sorted({*catalogue(), *own})


def _drills() -> list[str]:
    from passline.school.syllabus import DRILLS

    return list(DRILLS)


COMPLETE: dict[str, Callable[[], list[str]]] = {
    "house": _houses,
    "houses": _houses,
    "strategy": _strategies,
    "strategies": _strategies,
    "wager": _wagers,
    "id": _clauses,
    "drill": _drills,
}


def config_path() -> Path:
    """Where the configuration file is, unless --config says otherwise."""
    from platformdirs import user_config_path

    return user_config_path("passline") / "config.toml"


def configure(ctx: Any, named: str | None) -> None:  # noqa: ANN401 - Typer's context has no public name
    """Let a configuration file say what options are where nobody does."""
    path = Path(named) if named else config_path()
    if not named and not path.is_file():
        return
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        fail(f"--config: {path}: {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}")
    except tomllib.TOMLDecodeError as error:
        fail(f"--config: {path}: {error}")
    wrong = [key for key in settings if key not in CONFIG]
    if wrong:
        fail(f"--config: {path}: found {', '.join(wrong)}; expected {', '.join(CONFIG)}")
    values = {key: value if isinstance(value, bool) else str(value) for key, value in settings.items()}
    ctx.default_map = dict.fromkeys(ctx.command.commands, values)
