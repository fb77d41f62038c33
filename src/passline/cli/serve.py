"""`passline serve`: tables over HTTP."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from passline.cli.errors import fail
from passline.cli.journal import KeyFile, keys_path

HELP = """Serve tables over HTTP: practice alone, or for others by link. PostgreSQL lets several processes share them.

Example: `passline serve`, then `curl -X POST http://127.0.0.1:8000/practice`
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve", help=HELP)(serve)


def need_serve(command: str) -> None:
    """Say how to get what a bare install does not have."""
    if any(find_spec(each) is None for each in ("argon2", "fastapi", "httpx", "prometheus_client", "uvicorn")):
        fail(f"passline {command} needs some packages more: pip install 'passline[serve]'")


def serve(  # noqa: PLR0917 - Typer passes options by name
    journal: Annotated[str, typer.Option(help="Where everything is kept: a file, or postgresql://…")] = "pit.db",
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 for all of the network.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes one that is free.")] = 8000,
    keys: KeyFile = None,
    origin: Annotated[
        list[str] | None, typer.Option(help="A page that may use cookies here, such as https://craps.example.")
    ] = None,
    proxies: Annotated[str, typer.Option(help="Proxies whose word on who asks is believed, by address.")] = "",
    rate: Annotated[float, typer.Option(min=1, help="Requests a second of one person, four times that at once.")] = 50,
    comers: Annotated[
        int, typer.Option(min=1, help="Guests, accounts and passwords tried from one address in a quarter of an hour.")
    ] = 50,
    house: Annotated[
        str, typer.Option(help="The book that the floor of the whole house goes by: exclusions and promotions.")
    ] = "adelaide",
    quiet: Annotated[bool, typer.Option("--quiet", help="Log only what is wrong.")] = False,
) -> None:
    """Serve tables."""
    need_serve("serve")
    from passline.web.limits import Limits
    from passline.web.serving import Setup, serve

    limits = Limits(requests_per_s=rate, requests_burst=int(4 * rate), tries_address_max=comers)

    def tell(address: str) -> None:
        typer.echo(f"Serving {journal} at {address}. A table of your own: curl -X POST {address}/practice", err=True)

    try:
        serve(Setup(journal, keys_path(keys), host, port, tuple(origin or ()), proxies, quiet, limits, house), tell)
    except OSError as error:
        fail(f"{host}:{port}: {error.strerror or error}", 1)
