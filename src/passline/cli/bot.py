"""`passline bot`: a strategy at a live table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from passline.cli.command import command
from passline.cli.errors import fail
from passline.cli.serve import need_serve, reach

if TYPE_CHECKING:
    from passline.client import ClientTable

LOCAL = "http://127.0.0.1:8000"


@command("bot")
def bot(
    strategy: str,
    *,
    server: str = LOCAL,
    house: str = "adelaide",
    name: str = "Bot",
    buyin: str | None = None,
    unit: str | None = None,
    rolls: int = 100,
    table: str | None = None,
    link: str | None = None,
    token: str = "",
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Play a strategy at a live table. A practice table of its own, or one that you have a link or a token for.

    Example: `passline bot three_point_molly --server http://127.0.0.1:8000 --house sydney --rolls 100`

    Options:
    strategy STRATEGY: A strategy of the library, a file, or Python: molly.py:Molly.
    server: Where `passline serve` is.
    house: The house of a practice table.
    name: The bot's name at the table.
    buyin: Chips to buy.
    unit: What one unit of the strategy is worth; else its own, or the table's minimum.
    rolls: After how many rolls it leaves.
    table: A table by its name, with --token.
    link: A link to a table.
    quiet: Only the end.
    as_json: The end as one JSON object.
    """
    need_serve("bot")
    reach(server)
    from passline.client import Client
    from passline.client.bot import Bot
    from passline.client.calls import Answer
    from passline.files.amounts import positive
    from passline.house import House
    from passline.strategies.player.python import strategy_of

    played = strategy_of(strategy)
    with Client(server, token) as client:
        if link is not None:
            seat = client.come(name, link)
        elif table is not None:
            seat = client.table(table)
        else:
            seat = client.practice(house, name=name, buyin=buyin)
        _sit_down(seat, buyin)
        layout = House(seat.look().house).layout

        def tell(rolled: Answer, worth: int) -> None:
            if not quiet and not as_json:
                typer.echo(f"{rolled.dice}: {layout.money(worth)}")

        evening = Bot(seat, played, positive("unit", unit)).play(rolls, tell)
        seat.leave()
        hand = client.hand(seat.name)
    for complaint in hand.wrong if hand is not None else ():
        typer.echo(complaint, err=True)
    if as_json:
        data = {"table": evening.table, "house": evening.house, "rolls": evening.rolls, "refused": evening.refused}
        typer.echo(json.dumps({**data, "net": layout.money(evening.net)}))
        return
    for wager, code in evening.refused.items():
        typer.echo(f"{wager} was refused: {code}", err=True)
    money = layout.money(abs(evening.net))
    typer.echo(f"{evening.rolls} rolls at {evening.table}: {'won' if evening.net >= 0 else 'lost'} {money}.")


def _sit_down(table: ClientTable, buyin: str | None) -> None:
    """Have a seat, unless there is one."""
    from passline.engine.refusals import Refusal

    if table.look().seat is None:
        sat = table.sit(buyin or "500")
        if isinstance(sat, Refusal):
            fail(sat.message, 1)
