"""`passline serve`: tables over HTTP."""

from __future__ import annotations

import os
import shlex
import socket
import sys
import threading
import webbrowser
from importlib.util import find_spec
from typing import Annotated

import typer

from passline.cli.errors import fail
from passline.cli.journal import KeyFile, keys_path

HELP = """Serve tables over HTTP, and the page to play at them. PostgreSQL lets several processes share them.

Example: `passline serve --open`
"""


def add_to(app: typer.Typer) -> None:
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
        list[str] | None,
        typer.Option(help="The site's public address, such as https://craps.example; only its pages may use cookies."),
    ] = None,
    proxies: Annotated[str, typer.Option(help="Addresses of proxies trusted for X-Forwarded-For.")] = "",
    rate: Annotated[float, typer.Option(min=1, help="Requests a second of one person, four times that at once.")] = 50,
    comers: Annotated[
        int, typer.Option(min=1, help="Password attempts, and new guests, allowed per address in 15 minutes.")
    ] = 50,
    house: Annotated[
        str, typer.Option(help="The book that the floor of the whole house goes by: exclusions and promotions.")
    ] = "adelaide",
    name: Annotated[
        str, typer.Option(help="What this process is called among several; the names of its questions begin with it.")
    ] = "",
    quiet: Annotated[bool, typer.Option("--quiet", help="Log only what is wrong.")] = False,
    open_: Annotated[
        bool, typer.Option("--open", help="Open the page in a browser; if the port is taken, at another one.")
    ] = False,
) -> None:
    need_serve("serve")
    from passline.web.addresses import without_password
    from passline.web.limits import Limits
    from passline.web.serving import Setup, serve

    often = {"tries_address_max": comers, "comers_address_max": comers}
    limits = Limits(requests_per_s=rate, requests_burst=int(4 * rate), **often)

    def tell(address: str, reach: tuple[str, ...]) -> None:
        others = f"; for phones and other computers at {' or '.join(reach)}" if reach else ""
        kept_at = without_password(journal)
        said = f"The table is at {address} in a browser{others}. Ctrl-C stops it; {kept_at} keeps everything."
        typer.echo(said, err=True)
        if open_ and _has_display():
            threading.Timer(0.5, webbrowser.open, (address,)).start()

    port = 0 if open_ and _is_taken(host, port) else port

    try:
        kept, again = keys_path(keys), _again(journal, keys)
        setup = Setup(journal, kept, host, port, tuple(origin or ()), proxies, quiet, limits, house, name, again)
        serve(setup, tell)
    except OSError as error:
        fail(f"{host}:{port}: {error.strerror or error}", 1)


def _again(journal: str, keys: str | None) -> str:
    """The command that serves the same tables again; a password in the journal's address is left out."""
    from passline.sitting.door import CALLED
    from passline.web.addresses import without_password

    words = [os.environ.get(CALLED, "passline serve"), "--journal", shlex.quote(without_password(journal))]
    return " ".join([*words, "--keys", shlex.quote(keys)] if keys else words)


def _has_display() -> bool:
    """Whether there is somewhere to open a window."""
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _is_taken(host: str, port: int) -> bool:
    """Whether somebody else listens there."""
    with socket.socket() as tried:
        tried.settimeout(1)
        return bool(port) and tried.connect_ex((host, port)) == 0
