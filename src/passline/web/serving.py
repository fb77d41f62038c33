"""One process that serves: a socket, a journal, a graceful end."""

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY
from types import FrameType
from typing import NamedTuple

import uvicorn

from passline import __version__
from passline.journal.sql import open_journal
from passline.live.state import layout_of
from passline.pit.keys import keys_at
from passline.pit.opening import house_text
from passline.pit.pit import Pit
from passline.strategies.player.follower import Guest
from passline.web.app import make_app
from passline.web.automation import Companions
from passline.web.connections import OnceAMinute, protocol
from passline.web.limits import Limits
from passline.web.middleware import JsonFormatter
from passline.web.network import EVERYWHERE, Network, addresses_of, without_password
from passline.web.service import Service, defer_collection

LOG = logging.getLogger("passline.web")

FAILED = 3  # the exit code of a process that could go on no longer: a supervisor starts another
STORE_BACK_S = 1.0  # how long a store that is gone is waited for before everybody is told


class Setup(NamedTuple):
    journal: str
    keys: Path
    host: str = "127.0.0.1"
    port: int = 8000
    origins: tuple[str, ...] = ()
    proxies: str = ""  # the addresses of proxies whose word on who asks is believed
    quiet: bool = False
    limits: Limits = Limits()
    house: str = "adelaide"  # by whose book the floor of the house goes, where it is opened
    name: str = ""  # what this process is called among several: its questions' names begin with it
    backups: Path | None = None  # the folder of backups, so that their age can be watched
    guests: tuple[Guest, ...] = ()  # Strategies that sit at practice tables with company


class _Server(uvicorn.Server):
    """A server whose streams end when it is asked to."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Somebody asks us to stop: streams first, for they would never end."""
        LOG.info("stopping")
        self._service.stop()
        super().handle_exit(sig, frame)
        self._captured_signals.clear()  # or it is raised again when all is done, as if we had not heard

    def give_up(self) -> None:
        self._service.stop()
        self.should_exit = True


def serve(setup: Setup, tell: Callable[[str, tuple[str, ...]], None]) -> None:
    """Serve until somebody asks to stop; `tell` says where, here and for other machines."""
    layout_of(house_text(setup.house))  # a book that cannot be read is said now, not when somebody is excluded
    _log(setup)
    pit = Pit(open_journal(setup.journal, back_within_s=STORE_BACK_S), keys_at(setup.keys), house=setup.house)
    pit.start()
    service = Service(pit, setup.limits, setup.origins, setup.name, subprocesses=True)
    service.backups, service.company = setup.backups, Companions(setup.guests)
    app = make_app(service)
    config = uvicorn.Config(
        app,
        host=setup.host,
        port=setup.port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(setup.proxies),
        forwarded_allow_ips=setup.proxies or None,
        limit_concurrency=2 * setup.limits.streams_max,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=setup.limits.graceful_s,
        http=protocol(setup.limits, behind_proxy=bool(setup.proxies), at_once=app.entrance.act_at_once),
    )
    socket = config.bind_socket()
    # asyncio does this itself only for sockets that name their protocol. Without it an answer's second part waits until
    # the other side has said that it has the first, and many systems say so only after 40 ms.
    socket.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    port = socket.getsockname()[1]
    service.addresses, service.names = addresses_of(setup.host, port), service.names | {setup.host.lower()}
    tell(f"http://{'127.0.0.1' if setup.host in EVERYWHERE else setup.host}:{port}", service.addresses)
    defer_collection()
    server = _Server(config, service)
    service.on_failure = server.give_up
    if not (service.addresses or setup.proxies or setup.origins):
        service.network = Network(server, port)
    about = {"version": __version__, "journal": without_password(setup.journal), "at": f"{setup.host}:{port}"}
    LOG.info("started", extra=about)
    server.run(sockets=[socket])
    LOG.info("stopped")
    if service.failed:
        raise SystemExit(FAILED)


def _log(setup: Setup) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("asyncio").addFilter(OnceAMinute())
    logging.getLogger("passline").setLevel(logging.WARNING if setup.quiet else logging.INFO)
