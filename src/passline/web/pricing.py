"""House files that people bring: read and priced in a process of its own, kept warm, that may take only so long."""

from __future__ import annotations

import multiprocessing
from threading import Lock
from typing import TYPE_CHECKING, Any

from passline.errors import Finding, HouseFileError, PasslineError
from passline.house import House
from passline.web.limits import Limits
from passline.web.problems import Problem

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from passline.odds.wagers import WagerOdds

MEMORY_BYTES_MAX = 2 * 2**30
BEGIN_S = 60.0
"""How long the process may take to begin, on a busy machine."""
FIGURES = ("edge_per_bet_made", "edge_per_bet_resolved", "edge_per_roll_working", "p_win", "p_push")
"""What is told of a wager, beside what it pays."""


class Pricer:
    """Asks the process, one house after the other; one that takes too long is refused, and the process ended."""

    def __init__(self, limits: Limits) -> None:
        """Nobody has brought a house yet."""
        self._limits = limits
        self._turn, self._waiting, self._over = Lock(), 0, False
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None

    def read(self, file: str, text: str) -> None:
        """Read a house file, or raise what is wrong with it."""
        self._ask("read", file, text)

    def price(self, file: str, text: str, like: str) -> dict[str, Any]:
        """Every edge of a house file beside that of another house."""
        return self._ask("price", file, text, like)

    def _ask(self, *asked: str) -> dict[str, Any]:
        if self._waiting >= self._limits.houses_waiting_max:
            raise Problem(503, "house.busy", "Too many house files are looked at; ask again.", retry_after_s=1)
        self._waiting += 1
        try:
            with self._turn:
                kind, said = self._answer(asked)
        finally:
            self._waiting -= 1
        if kind == "findings":
            raise HouseFileError([Finding(*each) for each in said])
        if kind == "error":
            raise Problem(422, "house.unreadable", said)
        return dict(said)

    def _answer(self, asked: tuple[str, ...]) -> tuple[str, Any]:
        try:
            line = self._warm()
            line.send(asked)
            if line.poll(self._limits.house_s):
                kind, said = line.recv()
                return str(kind), said
        except (EOFError, OSError):
            pass
        self._end()
        return "error", f"This house cannot be worked out within {self._limits.house_s:.0f} s and the memory there is."

    def _warm(self) -> Connection:
        """The line to a process that has begun; how long it takes to begin is no house's fault."""
        if self._over:
            raise EOFError
        if self._line is None or self._process is None or not self._process.is_alive():
            context = multiprocessing.get_context("spawn")
            self._line, theirs = context.Pipe()
            self._process = context.Process(target=work, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            if not self._line.poll(BEGIN_S):
                raise EOFError
            self._line.recv()
        return self._line

    def close(self) -> None:
        """End the process, and begin no other: the service stops."""
        self._over = True
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None


def work(line: Connection) -> None:
    """Answer until nobody asks; in a process that has no keys and no journal."""
    import resource

    from passline.rulebooks.catalogue import house_files

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    _read("adelaide.toml", house_files()["adelaide"].read_text(encoding="utf-8"))
    line.send(("begun", None))
    while True:
        try:
            how, file, text, *like = line.recv()
        except EOFError:
            return
        try:
            line.send(("answer", _read(file, text) if how == "read" else _priced(file, text, *like)))
        except HouseFileError as error:
            line.send(
                (
                    "findings",
                    [(each.file, each.path, each.found, each.expected, each.nearest) for each in error.findings],
                )
            )
        except (PasslineError, MemoryError, RecursionError) as error:
            line.send(("error", str(error) or "This house takes more memory than there is."))


def _read(file: str, text: str) -> dict[str, Any]:
    from passline.rulebooks.read import read_book

    return {"house": read_book(text, file).id}


def _priced(file: str, text: str, like: str) -> dict[str, Any]:
    from passline.house import House
    from passline.machine.build import book_digest
    from passline.odds.wagers import odds_of
    from passline.rulebooks.read import read_book

    house, base = House(file, book=read_book(text, file)), House(like)
    new, old = odds_of(house), odds_of(base)
    wagers = [_wager(key, new.get(key), old.get(key)) for key in dict.fromkeys((*new, *old))]
    told = {"house": house.id, "name": house.name, "like": base.id, "hash": book_digest(house.book)}
    return {**told, **posted(house), "wagers": wagers}


def posted(house: House) -> dict[str, str]:
    """What a house's own sign says, and the least it takes."""
    from passline.record.notice import default_notice
    from passline.telling.card import sign

    notice = default_notice(house.book)
    return {"sign": sign(house.layout, notice), "unit": house.layout.money(notice.minimum)}


def _wager(key: str, new: WagerOdds | None, old: WagerOdds | None) -> dict[str, Any]:
    """One wager, as it is and as it was; None where the house does not offer it."""
    one = new or old
    assert one is not None
    told: dict[str, Any] = {
        "wager": key,
        "name": one.name,
        "family": one.family,
        "now": _figures(new),
        "was": _figures(old),
    }
    both = new is not None and old is not None
    less = new.edge_per_bet_made - old.edge_per_bet_made if new is not None and old is not None else None
    told |= {
        "difference": None if less is None else str(less),
        "difference_decimal": None if less is None else float(less),
    }
    return {**told, "changed": not both or told["now"] != told["was"]}


def _figures(odds: WagerOdds | None) -> dict[str, Any] | None:
    """What one house makes of a wager: fractions as they are, and as decimals."""
    if odds is None:
        return None
    exact = {name: getattr(odds, name) for name in FIGURES}
    told: dict[str, Any] = {"prices": list(odds.prices)}
    return (
        told
        | {name: str(each) for name, each in exact.items()}
        | {f"{name}_decimal": float(each) for name, each in exact.items()}
    )
