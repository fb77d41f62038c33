"""Where a server is found, by its addresses and names; and phones on this network, let in from the page by a link."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from passline.web.problems import Problem, no_table

if TYPE_CHECKING:
    import uvicorn

LOG = logging.getLogger("passline.web")

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - what somebody says who listens to all of the network
# Nobody, by RFC 5737: asked for the way there, the system names the address that others know this machine by.
ELSEWHERE = ("192.0.2.1", 9)
ADDRESSES_CACHED = 1_024  # of names and addresses that requests come by or call this server

SAFE = ("GET", "HEAD", "OPTIONS")
# What changes something and is of no table: to come by a link, and to go.
BY_LINK = ("/guests", "/invitations", "/invitations/accepted", "/sessions")


def addresses_of(host: str, port: int) -> tuple[str, ...]:
    """The addresses by which other machines come here, the likeliest first; none where only this one is heard."""
    hosts = own_addresses() if host in EVERYWHERE else [] if _is_own(host) else [host]
    return tuple(f"http://{f'[{each}]' if ':' in each else each}:{port}" for each in hosts)


def _is_own(host: str) -> bool:
    address = address_of(host)
    return host == "localhost" if address is None else address.is_loopback


def own_addresses() -> list[str]:
    """What this machine is called by others: the address it goes out from, and those of its name."""
    addresses: dict[str, None] = {}
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ELSEWHERE)  # sends nothing
        addresses[probe.getsockname()[0]] = None
    with suppress(OSError):
        addresses |= {str(each[4][0]): None for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    return [each for each in addresses if not _is_own(each)]


def own_names(*origins: str) -> frozenset[str]:
    """The names that are this server's, beside its addresses: this machine's own, and those of the pages it serves."""
    machine = socket.gethostname().lower()
    names = (host_of(each.rpartition("//")[2]) for each in origins)
    return frozenset(("", "localhost", machine, f"{machine.partition('.')[0]}.local", *names))


def host_of(authority: str) -> str:
    """The name or address in what a request calls this server, without its port."""
    return (authority if authority.endswith("]") else authority.rpartition(":")[0] or authority).strip("[]").lower()


@lru_cache(maxsize=ADDRESSES_CACHED)
def address_of(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def without_password(address: str) -> str:
    """The address of a store as it may be printed."""
    return re.sub(r"(?<=//)([^/@:]*):[^/@]*@", r"\1@", address)


class Network:
    """Who may come from other machines, and the listeners that hear them."""

    def __init__(self, server: uvicorn.Server, port: int) -> None:
        self._server, self._port = server, port
        self._listeners: list[asyncio.Server] = []
        self._changing = asyncio.Lock()
        self.tables: set[str] = set()  # Tables whose host lets others in
        self.addresses: tuple[str, ...] = ()  # the addresses by which other machines come to them

    async def let_in(self, table: str) -> None:
        async with self._changing:
            if not self._listeners:
                await self._listen()
            self.tables.add(table)
        LOG.warning("other machines are let in", extra={"table": table, "at": " ".join(self.addresses)})

    async def keep_out(self, table: str) -> None:
        """Hear nobody for this table any more; with the last one the listeners go, and whoever came by them.

        While another table is open to others, the streams of this one end by themselves: `EventStream` asks `is_open`.
        """
        async with self._changing:
            self.tables.discard(table)
            if self.tables:
                return
            for listener in self._listeners:
                listener.close()
                self._server.servers.remove(listener)
            self._listeners, self.addresses = [], ()
            for each in tuple(self._server.server_state.connections):
                if _is_other_machines((getattr(each, "server", None) or ("",))[0]) and each.transport is not None:
                    each.transport.abort()  # at once: a stream that is being written would be flushed first
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
            self.addresses += addresses_of(address, self._port)
        if not self._listeners:
            raise Problem(409, "network.none", "This computer is on no network that others could come by.")

    def is_open(self, request: HTTPConnection, table: str | None) -> bool:
        """Whether somebody may come to a table the way they do: from this machine, or to one that is open to others."""
        return not is_from_network(request) or table in self.tables

    def check(self, request: HTTPConnection, table: str | None) -> None:
        """Refuse whoever comes from another machine for anything but a table that is open to them, or its link."""
        if table is not None and not self.is_open(request, table):
            raise no_table()
        reads = request.scope["method"] in SAFE or request.scope["path"] in BY_LINK
        if table is None and not reads and is_from_network(request):
            raise link_only()


def link_only() -> Problem:
    return Problem(403, "network.link", "From another machine one comes to a table by its link, and to nothing else.")


def is_from_network(request: HTTPConnection) -> bool:
    """Whether a request came by a listener for other machines."""
    return _is_other_machines((request.scope.get("server") or ("",))[0])


def _is_other_machines(host: str) -> bool:
    address = address_of(host)
    return address is not None and not address.is_loopback
