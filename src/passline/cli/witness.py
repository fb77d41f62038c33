"""`passline witness`: a second party that keeps what a house signs, and holds what it shows later against it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from passline.cli.errors import REFUSED, printable
from passline.cli.serve import need_serve, reach

HELP = """Keep the heads that a house signs, and hold what it shows later against them.

Run it on a computer that is not the house's. It plays nothing and keeps only signed heads, one a line, as
`passline verify --head` reads them. Exit code 1: the house contradicts what it signed.

Example: `passline witness http://127.0.0.1:8000 --to heads.jsonl`
"""


def add_to(app: typer.Typer) -> None:
    app.command("witness", help=HELP)(witness)


def witness(  # noqa: PLR0917 - Typer passes options by name
    server: Annotated[str, typer.Argument(metavar="URL", help="Where the house's tables are.")],
    table: Annotated[list[str] | None, typer.Option("--table", help="Only this table; repeatable.")] = None,
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="Where heads are kept.")] = Path("heads.jsonl"),
    token: Annotated[str, typer.Option(envvar="PASSLINE_TOKEN", help="Your access token.")] = "",
    every: Annotated[int, typer.Option(min=1, metavar="SECONDS", help="How often it looks.")] = 30,
    once: Annotated[bool, typer.Option("--once", help="Look once and leave.")] = False,
) -> None:
    need_serve("witness")
    reach(server)
    from passline.client import Client
    from passline.client.witness import Heads, Witness

    with Client(server, token, hand=False) as client:
        heads, witnesses = Heads(to), dict[str, Witness]()
        while True:
            for name in table or [each["table"] for each in client.lobby()]:
                witness = witnesses.setdefault(name, Witness(client, name, heads))
                witness.look()
                if witness.wrong:
                    typer.echo(printable("\n".join(witness.wrong)))
                    raise typer.Exit(REFUSED)
            if once:
                count = sum(len(heads.of(name)) for name in witnesses)
                typer.echo(f"{count} heads of {len(witnesses)} tables kept in {to}; nothing contradicts them.")
                return
            time.sleep(every)
