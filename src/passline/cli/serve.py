"""`passline serve`: tables over HTTP."""

import os
import socket
import sys
import threading
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from passline.cli.command import With, command
from passline.cli.errors import fail
from passline.cli.journal import keys_path
from passline.errors import CannotBeSeated
from passline.files.needed import EXTRAS, missing

CONNECT_S = 5


def need_serve(command: str) -> None:
    """Say how to get what a bare install does not have, before a port or a store is opened."""
    for package, extra in EXTRAS.items():
        if extra == "serve" and find_spec(package) is None:
            fail(str(missing(ImportError(name=package), f"passline {command}")))


def reach(server: str, option: str = "--server") -> None:
    """Say at once that no one listens at an address; a client waits for a server, but only one that is somewhere."""
    from urllib.parse import urlsplit
    from urllib.request import getproxies

    if getproxies():
        return
    try:
        address = urlsplit(server)
        port = address.port or (443 if address.scheme == "https" else 80)
        socket.create_connection((address.hostname or "", port), timeout=CONNECT_S).close()
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        fail(f"{option}: {server} cannot be reached: {why.lower()}. Start one with: passline serve", 1)


@command("serve")
def serve(
    *,
    journal: Annotated[str, "The journal, which has everything: a file, or postgresql://…"] = "pit.db",
    host: Annotated[str, "The address to listen on; 0.0.0.0 for the whole network."] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 picks a free one.")] = 8000,
    keys: str | None = None,
    origin: Annotated[
        list[str] | None, "The site's public address, such as https://craps.example; only its pages may use cookies."
    ] = None,
    proxies: Annotated[str, "Addresses of proxies trusted for X-Forwarded-For."] = "",
    rate: Annotated[
        float, typer.Option(min=1, help="Requests per second allowed per person, in bursts of up to four times that.")
    ] = 50,
    newcomers: Annotated[int, "Password attempts, and new guests, allowed per address in 15 minutes."] = 50,
    house: Annotated[str, "The house whose rules apply to exclusions and promotions."] = "adelaide",
    name: Annotated[str, "This process's name, where several share a store."] = "",
    backups: Annotated[Path | None, "Folder of backups; `/metrics` reports the age of the newest."] = None,
    guests: With = None,
    quiet: Annotated[bool, "Log errors only."] = False,
    open_: Annotated[bool, "Open the page in a browser; if the port is taken, use another."] = False,
) -> None:
    """Serve tables over HTTP, and the page to play at them. PostgreSQL lets several processes share them.

    Example: `passline serve --open`
    """
    need_serve("serve")
    from passline.sitting.door import guests_of
    from passline.web.limits import Limits
    from passline.web.network import without_password
    from passline.web.serving import Setup, serve

    often = {"attempts_address_max": newcomers, "newcomers_address_max": newcomers}
    limits = Limits(requests_per_s=rate, requests_burst=int(4 * rate), **often)

    def tell(address: str, reach: tuple[str, ...]) -> None:
        others = f"; for phones and other computers at {' or '.join(reach)}" if reach else ""
        kept_at = without_password(journal)
        sentence = f"The table is at {address} in a browser{others}. Ctrl-C stops it; {kept_at} keeps everything."
        typer.echo(sentence, err=True)
        if open_ and _has_display():
            threading.Timer(0.5, webbrowser.open, (address,)).start()

    port = 0 if open_ and _is_taken(host, port) else port

    try:
        where = (journal, keys_path(keys), host, port, tuple(origin or ()), proxies)
        serve(Setup(*where, quiet, limits, house, name, backups, tuple(guests_of(guests or ()))), tell)
    except CannotBeSeated as error:
        fail(str(error))
    except OSError as error:
        fail(f"{host}:{port}: {error.strerror or error}", 1)


def _has_display() -> bool:
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _is_taken(host: str, port: int) -> bool:
    with socket.socket() as tried:
        tried.settimeout(1)
        return bool(port) and tried.connect_ex((host, port)) == 0
