"""`passline bot`: a strategy at a live table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

import passline
from passline.cli.command import command
from passline.cli.serve import need_serve, reach
from passline.files.amounts import cents, positive

if TYPE_CHECKING:
    from passline.client.sitting import Evening
    from passline.engine.layout import Layout

LOCAL = "http://127.0.0.1:8000"


@command("bot")
def bot(
    strategy: Annotated[str, "A strategy of the library, a file, or Python: molly.py:Molly.", "STRATEGY"],
    *,
    server: Annotated[str, "Where `passline serve` is."] = LOCAL,
    house: Annotated[str, "The house of a practice table."] = "adelaide",
    name: Annotated[str, "The bot's name at the table."] = "Bot",
    buyin: Annotated[str | None, "Chips to buy [default: a hundred minimum bets]."] = None,
    company: Annotated[
        int, "How many regulars of the house sit at a practice table too, and throw where the strategy cannot."
    ] = 2,
    unit: Annotated[str | None, "What one unit is worth [default: the strategy's own, or the table's minimum]."] = None,
    rolls: Annotated[int, "Leave after this many rolls."] = 100,
    table: Annotated[str | None, "A table by its name, with --token."] = None,
    link: Annotated[str | None, "A link to a table."] = None,
    token: str = "",
    quiet: Annotated[bool, "Print only the result."] = False,
    as_json: Annotated[bool, "Print the result as one JSON object."] = False,
) -> None:
    """Play a strategy at a live table. A practice table of its own, or one that you have a link or a token for.

    Example: `passline bot three_point_molly --server http://127.0.0.1:8000 --house sydney --rolls 100`
    """
    need_serve("bot")
    reach(server)
    from passline.client import Client
    from passline.client.calls import Answer
    from passline.client.sitting import Bot, take_seat
    from passline.strategies.player.python import strategy_of

    played = strategy_of(strategy)
    with Client(server, token) as client:
        if link is not None:
            seat = client.come(name, link)
        elif table is not None:
            seat = client.table(table)
        else:
            seat = client.practice(house, name=name, buyin=buyin, company=company)
        view = seat.look()
        take_seat(seat, view, None if buyin is None else cents(buyin, "buyin"))
        layout = passline.House(view.house).layout

        def tell(rolled: Answer, worth: int) -> None:
            if not quiet and not as_json:
                typer.echo(f"{rolled.dice}: {layout.money(worth)}")

        player, interrupted = Bot(seat, played, positive("unit", unit)), None
        try:
            player.play(rolls, tell)
        except KeyboardInterrupt as error:
            interrupted = error
        finally:
            seat.leave()  # its hand comes off first: nobody waits for a bot that is gone
        evening, hand = player.evening, client.hand(seat.name)
    for complaint in hand.wrong if hand is not None else ():
        typer.echo(complaint, err=True)
    _report(evening, layout, hand.rolls if hand is not None else 0, as_json=as_json)
    if interrupted is not None:
        raise interrupted


def _report(evening: Evening, layout: Layout, with_hand: int, *, as_json: bool) -> None:
    if as_json:
        refused = {wager: refusal.code for wager, refusal in evening.refused.items()}
        data = {"table": evening.table, "house": evening.house, "rolls": evening.rolls, "refused": refused}
        typer.echo(json.dumps({**data, "net": layout.money(evening.net)}))
        return
    for wager, refusal in evening.refused.items():
        typer.echo(f"{wager} was refused: {refusal.message} ({refusal.code})", err=True)
    money = layout.money(abs(evening.net))
    typer.echo(f"{evening.rolls} rolls at {evening.table}: {'won' if evening.net >= 0 else 'lost'} {money}.")
    if with_hand:
        typer.echo(f"Your hand was in {with_hand} of them; each was checked as it fell.")
