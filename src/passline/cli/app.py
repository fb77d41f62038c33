"""The commands, each in its own module; what is slow to import is imported inside the command that needs it."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from passline import __version__
from passline.cli import asking, drill, houses, journal, pit, play, prices, verify  # noqa: F401 - they add their commands
from passline.cli.command import app, command
from passline.cli.group import CONFIG, GROUPS, config_path, configure

__all__ = ["app"]

BEGIN = """\
Passline: craps, played exactly by the book.

  passline play                 take a seat in this terminal
  passline serve --open         the table in your browser
  passline drill                practise: payoffs, calls and rulings
  passline odds --house strip   what every bet costs
  passline --help               everything else
"""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"passline {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    ctx: typer.Context,
    config: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A configuration file: house, unit, name, players, speed, currency."),
    ] = None,
    version: Annotated[  # noqa: ARG001 - its callback does it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Craps, played exactly by the book."""
    configure(ctx, config)
    if ctx.invoked_subcommand is None:
        typer.echo(BEGIN, nl=False)


@command("man")
def man(ctx: typer.Context) -> None:
    """Show the manual page. Piped, it is the page's source, for `man`.

    Example: `passline man | man -l -`, or `passline man > passline.1`
    """
    source = "\n".join(page(ctx.find_root().command)) + "\n"
    reader = shutil.which("man")
    if reader is None or not sys.stdout.isatty():
        typer.echo(source, nl=False)
        return
    subprocess.run([reader, "-l", "-"], input=source, text=True, check=False)  # noqa: S603 - the system's own


def page(root: Any) -> Iterator[str]:  # noqa: ANN401 - Typer's groups have no public name
    """The page in roff, command by command in the groups of the help."""
    yield f'.TH PASSLINE 1 "" "passline {__version__}" "User Commands"'
    yield from (".SH NAME", r"passline \- craps, played exactly by the book")
    yield from (".SH SYNOPSIS", ".B passline", r"[\fIOPTIONS\fR] \fICOMMAND\fR [\fIARGUMENTS\fR]")
    yield from (".SH DESCRIPTION", *_text(root.help or ""))
    yield from (".SH OPTIONS", *_roff_options(root))
    context = typer.Context(root)
    for title, (names, example) in GROUPS.items():
        yield f".SH {title.upper()}"
        for name in names:
            command = root.get_command(context, name)
            if command is not None and not command.hidden:
                yield from _command(f"passline {name}", command)
        yield from (".PP", "Example:", ".B " + _safe(example))
    yield from (".SH FILES", ".TP", f".I {_safe(str(config_path()))}")
    yield f"What every command begins with, in TOML: {', '.join(CONFIG)}."
    yield from (".SH EXIT STATUS", "0: done. 1: refused, or something does not check. 2: it could not be read.")


def _command(name: str, command: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    arguments = [each.metavar for each in command.params if each.param_type_name == "argument" and each.metavar]
    yield f".SS {_safe(' '.join([name, *arguments]))}"
    yield from _text(command.help or "")
    yield from _roff_options(command)
    for each in getattr(command, "commands", {}).values():
        yield from _command(f"{name} {each.name}", each)


def _roff_options(command: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    for each in command.params:
        if each.param_type_name == "option" and not getattr(each, "hidden", False):
            value = "" if each.is_flag or not each.metavar else f" {each.metavar}"
            yield from (".TP", f".B {_safe(', '.join(each.opts) + value)}", _safe(each.help or ""))


def _text(text: str) -> Iterator[str]:
    for paragraph in text.strip().split("\n\n"):
        yield from (".PP", _safe(" ".join(paragraph.split()).replace("`", "")))


def _safe(text: str) -> str:
    """Text that roff takes for nothing else."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace('"', r"\(dq")
    escaped = "".join(char if char.isascii() else rf"\[u{ord(char):04X}]" for char in escaped)
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
