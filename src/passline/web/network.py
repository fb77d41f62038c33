"""Phones on this network, let in from the page: a second listener at this machine's own addresses, for tables' links.

It is there while a host lets others in and no longer, and whoever comes by it comes to those tables and nowhere else.
"""

from __future__ import annotations

import asyncio
import logging
from ipaddress import ip_address
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from passline.web.addresses import own_addresses, reach
from passline.web.problems import Problem, no_table

if TYPE_CHECKING:
    import uvicorn

LOG = logging.getLogger("passline.web")

SAFE = ("GET", "HEAD", "OPTIONS")
BY_LINK = ("/guests", "/invitations", "/sessions")
"""What changes something and is of no table: to come by a link, and to go."""


class Network:
    """Who may come from other machines, and the listeners that hear them."""

    def __init__(self, server: uvicorn.Server, port: int) -> None:
        self._server, self._port = server, port
        self._listeners: list[asyncio.Server] = []
        self._changing = asyncio.Lock()
        self.tables: set[str] = set()
        """Tables whose host lets others in."""
        self.reach: tuple[str, ...] = ()
        """The addresses by which other machines come to them."""

    async def let_in(self, table: str) -> None:
        """Hear other machines, for the sake of this table."""
        async with self._changing:
            if not self._listeners:
                await self._listen()
            self.tables.add(table)
        LOG.warning("other machines are let in", extra={"table": table, "at": " ".join(self.reach)})

    async def keep_out(self, table: str) -> None:
        """Hear nobody for this table any more; with the last one the listeners go, and whoever came by them."""
        async with self._changing:
            self.tables.discard(table)
            if self.tables:
                return
            for listener in self._listeners:
                listener.close()
                self._server.servers.remove(listener)
            self._listeners, self.reach = [], ()
            for each in tuple(self._server.server_state.connections):
                if _is_other_machines((getattr(each, "server", None) or ("",))[0]) and each.transport is not None:
                    each.transport.close()
        LOG.warning("other machines are let in no longer", extra={"table": table})

    async def _listen(self) -> None:
        """At each address that others know this machine by, at the port that it has here."""
        server, config = self._server, self._server.config
        loop, state = asyncio.get_running_loop(), server.lifespan.state
        protocol = config.http_protocol_class
        for address in own_addresses():
            try:
                listener = await loop.create_server(
                    lambda: protocol(config=config, server_state=server.server_state, app_state=state),  # type: ignore[call-arg]
                    host=address,
                    port=self._port,
                )
            except OSError as error:
                LOG.warning("no listener", extra={"at": f"{address}:{self._port}", "error": str(error)})
                continue
            self._listeners.append(listener)
            server.servers.append(listener)
            self.reach += reach(address, self._port)
        if not self._listeners:
            raise Problem(409, "network.none", "This computer is on no network that others could come by.")

    def is_open(self, request: HTTPConnection, table: str | None) -> bool:
        """Whether somebody may come to a table the way they do: from this machine, or to one that is open to others."""
        return not is_from_network(request) or table in self.tables

    def check(self, request: HTTPConnection, table: str | None) -> None:
        """Refuse whoever comes from another machine for anything but a table that is open to them, or its link."""
        if table is not None and not self.is_open(request, table):
            raise no_table()
        reads = request.scope["method"] in SAFE or request.url.path in BY_LINK
        if table is None and not reads and is_from_network(request):
            raise link_only()


def link_only() -> Problem:
    return Problem(403, "network.link", "From another machine one comes to a table by its link, and to nothing else.")


def is_from_network(request: HTTPConnection) -> bool:
    """Whether a request came by a listener for other machines."""
    return _is_other_machines((request.scope.get("server") or ("",))[0])


def _is_other_machines(address: str) -> bool:
    try:
        return not ip_address(address).is_loopback
    except ValueError:
        return False
