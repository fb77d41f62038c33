"""`passline exact`: the whole distribution of a session, not a sample of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli import options
from passline.cli.errors import INTERRUPTED, fail

if TYPE_CHECKING:
    from passline.analysis.question import Question
    from passline.odds.sessions.distribution import Law

EXACT = """The exact distribution of an evening. Every chance is a fraction, and nothing is sampled.

Examples: `passline exact three_point_molly --house strip --unit 10 --rolls 200 --bankroll 1000` ·
`passline exact martingale_pass --max 500 --rolls 1000 --double` ·
`passline exact pass_flat --unit 10 --rolls 300 --result -240` says how surprising a loss of 240 is
"""


def add_to(app: typer.Typer) -> None:
    app.command("exact", help=EXACT)(exact)


@options.asks(options.EVENING)
def exact(
    name: options.StrategyName,
    *,
    asked: options.Asked,
    rolls_per_hour: options.RollsPerHour = "100",
    exactly: Annotated[
        bool | None,
        typer.Option(
            "--fractions/--double", help="Insist on fractions, or on double precision; else whichever is quick."
        ),
    ] = None,
    result: Annotated[
        str | None, typer.Option("--result", help="How surprising is this net? The chance of it, or of a farther one.")
    ] = None,
    for_ever: Annotated[
        bool,
        typer.Option("--for-ever", help="Also the chance of ruin if only --stop-win ends play, and Kelly's share."),
    ] = False,
    as_json: options.AsFractions = False,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write every net and its chance.")] = None,
    chart: Annotated[
        str | None, typer.Option("--chart", metavar="FILE", help="Draw the chance of every net (.png or .svg).")
    ] = None,
) -> None:
    """Work out a session."""
    from passline.cli.figures import note_refusals, show_json, waiting
    from passline.cli.files import LawFiles
    from passline.files.amounts import exactly as exactly_money

    files = LawFiles.checked(csv=csv, chart=chart)
    if result is not None:
        exactly_money("result", result)
    question = asked.of(name)
    try:
        with waiting("states") as progress:
            machine = question.machine(progress)
        beside = question.long_run_beside()
        with waiting("rolls") as progress:
            found = question.exact(fractions=exactly, rolls_per_hour=rolls_per_hour, progress=progress)
    except KeyboardInterrupt:
        fail("Stopped; an evening half worked out is no answer, so there is none.", INTERRUPTED)
    failed = files.write(found)  # first, for whoever reads what is printed may stop reading
    told = (
        *asked._replace(rolls=question.terms.rolls).ends,
        *(() if rolls_per_hour == "100" else options.words(("--rolls-per-hour", rolls_per_hour))),
        *(() if exactly is None else ("--fractions" if exactly else "--double",)),
        *options.words(("--result", result)),
    )
    command = asked.command("exact", [name], *told)
    if as_json:
        told_json = {**found.to_json(distribution=True), "long_run": beside and beside.to_json()}
        if result is not None:
            told_json["result"] = _surprise(found, result)
        if for_ever:
            told_json["for_ever"] = _for_ever(question)
        show_json({**told_json, "command": command})
    else:
        from passline.cli.cards import show_law

        note_refusals(question.name, machine.about)
        show_law(question, found, beside, command)
        if for_ever:
            _show_for_ever(question)
        if result is not None:
            _show_surprise(found, result)
    if failed:
        fail("\n".join(failed))


def _for_ever(question: Question) -> dict[str, float]:
    """The chance of ruin some time, the share of a bankroll that grows fastest, and how fast that and half of it do."""
    from passline.analysis.for_ever import growth_of, ruin_for_ever

    growth = growth_of(question)
    told = {"p_ruin": ruin_for_ever(question), "growth_share": growth.share, "growth_per_roll": growth.rate}
    return {**told, "growth_per_roll_at_half": growth.at(growth.share / 2)}


def _show_for_ever(question: Question) -> None:
    from passline.cli.figures import percent, show

    ever = _for_ever(question)
    show("", f"For ever: the next bet cannot be made some time with {percent(ever['p_ruin'])}.")
    share, fast, half = (ever[name] for name in ("growth_share", "growth_per_roll", "growth_per_roll_at_half"))
    if not share:
        show("No share of a bankroll makes it grow: the game is not in the player's favour.")
        return
    show(f"A bankroll grows fastest with a unit of {percent(share)} of it (Kelly).")
    show(f"In a hundred rolls it then grows by {100 * fast:.2%} on average, with half that unit by {100 * half:.2%}.")


def _surprise(found: Law, result: str) -> dict[str, str]:
    """The chance of a net, and of all beyond it on either side."""
    from passline.odds.sessions.distribution import decimal, written

    most, least = found.p_at_most(result), found.p_at_least(result)
    told = {"net": result, "p_at_most": written(most), "p_at_most_decimal": decimal(most)}
    return {**told, "p_at_least": written(least), "p_at_least_decimal": decimal(least)}


def _show_surprise(found: Law, result: str) -> None:
    from passline.cli.figures import percent, show

    most, least = percent(found.p_at_most(result)), percent(found.p_at_least(result))
    show("", f"The result: a net of {result} or less comes with {most}, of {result} or more with {least}.")
