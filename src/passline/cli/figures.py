"""How figures look to people: money, chances, small tables, and a bar while they wait."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from passline.sim import Progress

Figure = Fraction | float | int
AGAIN = "Again: "
"""What stands before the command that answers the same question again."""
BLOCKS = "▁▂▃▄▅▆▇█"
CENT = 0.005
"""Less than this is no money to speak of."""


def money(amount: Figure) -> str:
    """Money for reading: whole where it is, else two decimals, more only where it is less than a cent."""
    if isinstance(amount, Fraction) and amount.denominator == 1:
        return f"{amount.numerator:,}"
    value = float(amount)
    return f"{value:,.2f}" if abs(value) >= CENT or not value else f"{value:.2g}"


def amount(given: Fraction) -> str:
    """Money as it was asked for, nothing rounded: 5, 2.50 or 1/3."""
    if given.denominator == 1 or 100 % given.denominator:
        return f"{given.numerator:,}" if given.denominator == 1 else str(given)
    return f"{float(given):,.2f}"


def signed(amount: Figure) -> str:
    return f"+{money(amount)}" if amount > 0 else money(amount)


def percent(chance: Figure) -> str:
    """A chance; one that is nearly nothing or nearly sure does not look like either."""
    value = float(chance)
    if 0 < value < 0.00005:
        return f"{value:.1e}"
    return f"{value:.2%}" if value in {0.0, 1.0} or value < 0.99995 else "over 99.99%"


def wilson(share: Figure, of: int) -> str:
    """The 95 % interval of a share by Wilson's score, which also knows what it means to have seen no case."""
    from passline.sim.sample import Z_95

    value, z2 = float(share), Z_95**2 / of
    middle, half = value + z2 / 2, Z_95 * math.sqrt(value * (1 - value) / of + z2 / of / 4)
    low, high = (middle - half) / (1 + z2), (middle + half) / (1 + z2)
    return f"{percent(low if value > 0 else 0)} to {percent(high if value < 1 else 1)}"


def grid(*columns: str) -> Table:
    """A table without lines: names to the left, figures to the right."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if not place else "right", no_wrap=place > 0, overflow="fold")
    return table


def show(*parts: object) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    for part in parts:
        # A sentence folds between words on a terminal, and is one line for anything that reads it. A command is left
        # whole, for broken in two it cannot be pasted.
        whole = isinstance(part, str) and (not console.is_terminal or part.startswith(AGAIN))
        console.print(part, markup=False, soft_wrap=whole)


def show_json(told: object) -> None:
    """Print one JSON object on a line, for programs."""
    sys.stdout.write(json.dumps(told) + "\n")


def note(text: str) -> None:
    """A word beside the result, on standard error, where no program reads it as one."""
    typer.echo(text, err=True)


def note_refusals(name: str, about: dict[str, Any]) -> None:
    """Say what the dealers would not take from a strategy, which played on without it."""
    for no in about.get("refused", []):
        note(f"{name}: the dealers refuse {no['wager']}: {no['message']} It plays on without.")


def shape(counts: Sequence[float], width: int) -> str:
    """A distribution as one line of blocks."""
    if not counts:
        return ""
    size = math.ceil(len(counts) / width)
    bars = [sum(counts[at : at + size]) for at in range(0, len(counts), size)]
    top = max(bars) or 1
    return "".join(BLOCKS[min(len(BLOCKS) - 1, int(bar / top * len(BLOCKS)))] if bar else " " for bar in bars)


@contextmanager
def waiting(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar for work of a known size; nothing where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def sessions_bar(what: str) -> Iterator[Callable[[Progress], None] | None]:
    """A bar of sessions with the speed and the mean's confidence interval; nothing where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}"),
        TextColumn("{task.fields[mean]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, speed="", mean="")

        def told(now: Progress) -> None:
            mean = f"mean {now.mean:,.3f} ± {(now.high - now.low) / 2:,.3f}"
            speed = f"{now.rolls_per_second / 1e6:,.2f} M rolls/s"
            bar.update(task, completed=now.sessions_done, total=now.sessions, speed=speed, mean=mean)

        yield told
