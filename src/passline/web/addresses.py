"""Where others find a server: the addresses of this machine, if it listens to more than itself; its names."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from ipaddress import ip_address

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - what somebody says who listens to all of the network
ELSEWHERE = ("192.0.2.1", 9)
"""Nobody, by RFC 5737: asked for the way there, the system names the address that others know this machine by."""


def reach(host: str, port: int) -> tuple[str, ...]:
    """The addresses by which other machines come here, the likeliest first; none where only this one is heard."""
    if host in EVERYWHERE:
        return tuple(f"http://{_written(each)}:{port}" for each in own_addresses())
    return () if _is_own(host) else (f"http://{_written(host)}:{port}",)


def _is_own(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_addresses() -> list[str]:
    """What this machine is called by others: the address it goes out from, and those of its name."""
    addresses: dict[str, None] = {}
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ELSEWHERE)  # sends nothing
        addresses[probe.getsockname()[0]] = None
    with suppress(OSError):
        addresses |= {str(each[4][0]): None for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    return [each for each in addresses if not _is_own(each)]


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def own_names(*origins: str) -> frozenset[str]:
    """The names that are this server's, beside its addresses: this machine's own, and those of the pages it serves."""
    machine = socket.gethostname().lower()
    names = (host_of(each.rpartition("//")[2]) for each in origins)
    return frozenset(("", "localhost", machine, f"{machine.partition('.')[0]}.local", *names))


def host_of(authority: str) -> str:
    """The name or address in what a request calls this server, without its port."""
    return (authority if authority.endswith("]") else authority.rpartition(":")[0] or authority).strip("[]").lower()


def is_address(host: str) -> bool:
    """Whether it is an address, which nobody can point elsewhere as they can a name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def without_password(address: str) -> str:
    """The address of a store as it may be printed."""
    return re.sub(r"(?<=//)([^/@:]*):[^/@]*@", r"\1@", address)
