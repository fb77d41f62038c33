"""`passline sweep`: one evening with other numbers, as a table and a chart."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from passline.cli import options
from passline.cli.errors import INTERRUPTED, fail

SWEEP = """One evening worked out with other numbers. Unit, bankroll, stops, odds, or any number in the strategy's file.

Examples: `passline sweep pass_max_odds --over bankroll=100..500..100 --over odds=1,2,5 --unit 5 --house strip` ·
`passline sweep iron_cross --over want.1.up.place_6=6,12 --chart iron.png --figure mean`
"""


def add_to(app: typer.Typer) -> None:
    app.command("sweep", help=SWEEP)(sweep)


@options.asks(options.EVENING)
def sweep(
    name: options.StrategyName,
    *,
    over: Annotated[
        list[str],
        typer.Option(
            "--over", metavar="NAME=VALUES", help="What to change: 5,10,25 or 100..500..100. May be repeated."
        ),
    ],
    asked: options.Asked,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write the table as CSV.")] = None,
    chart: Annotated[str | None, typer.Option("--chart", metavar="FILE", help="Draw it: a .png or .svg.")] = None,
    figure: Annotated[str, typer.Option("--figure", help="What the chart shows: mean, p_ahead, edge …")] = "p_ahead",
    as_json: options.AsJson = False,
) -> None:
    """Ask again and again."""
    from passline.analysis.charts import SUFFIXES
    from passline.analysis.sweep import FIGURES
    from passline.analysis.sweep import sweep as swept
    from passline.cli.figures import show_json, waiting
    from passline.cli.files import path_for, why_not
    from passline.files.arguments import one_of
    from passline.files.whole import write_whole

    table, picture = path_for("--csv", csv), path_for("--chart", chart, SUFFIXES, needs="matplotlib")
    one_of("figure", figure, FIGURES)
    changed = _changed(over)
    try:
        with waiting("evenings") as progress:
            found = swept(name, changed, progress=progress, **asked.given)
    except KeyboardInterrupt:
        fail("Stopped; nothing was kept.", INTERRUPTED)
    try:
        if table is not None:
            write_whole(table, found.to_csv())
        if picture is not None:
            found.chart(picture, figure)
    except OSError as error:
        fail(why_not(error))
    if as_json:
        show_json(found.to_json())
        return
    _show(found.over, found.figures())


def _changed(over: list[str]) -> dict[str, str]:
    """What is changed, and to which values, by the names that a question has for it."""
    from passline.analysis.again import TYPED

    named = {typed: name for name, typed in TYPED.items()}
    changed: dict[str, str] = {}
    for each in over:
        what, said, values = each.partition("=")
        name = named.get(what, what)
        if not said or not values or name in changed:
            fail(f"--over: found {each!r}; expected a name and its values, each name once, such as unit=5,10,25")
        changed[name] = values
    return changed


def _show(over: tuple[str, ...], rows: list[dict[str, Any]]) -> None:
    from passline.cli.figures import grid, money, percent, show, signed

    columns = grid(*over, "mean", "give or take", "ahead", "no next bet", "action", "of it lost")
    for row in rows:
        edge = "" if row["edge"] is None else f"{row['edge']:.3%}"
        columns.add_row(
            *(row[name] for name in over),
            signed(row["mean"]),
            money(row["deviation"]),
            percent(row["p_ahead"]),
            percent(row["p_ruin"]),
            money(row["action"]),
            edge,
        )
    show(columns)
