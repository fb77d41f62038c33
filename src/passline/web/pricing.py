"""House files that people bring: read and priced in a process of its own, kept warm, that may take only so long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passline.errors import Finding, HouseFileError, PasslineError
from passline.house import House
from passline.web.apart import Apart
from passline.web.limits import Limits
from passline.web.problems import Problem

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from passline.odds.wagers import WagerOdds

MEMORY_BYTES_MAX = 2 * 2**30
FIGURES = ("edge_per_bet_made", "edge_per_bet_resolved", "edge_per_roll_working", "p_win", "p_push")
"""What is told of a wager, beside what it pays."""


class Pricer:
    """Asks the process, one house after the other; one that takes too long is refused, and the process ended."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._waiting = limits, 0
        self._process = Apart(work, seconds=limits.house_s)

    def read(self, file: str, text: str) -> None:
        """Read a house file, or raise what is wrong with it."""
        self._ask("read", file, text)

    def price(self, file: str, text: str, like: str) -> dict[str, Any]:
        """Every edge of a house file beside that of another house."""
        return self._ask("price", file, text, like)

    def _ask(self, *question: str) -> dict[str, Any]:
        if self._waiting >= self._limits.houses_waiting_max:
            raise Problem(503, "house.busy", "Too many house files are looked at; ask again.", retry_after_s=1)
        self._waiting += 1
        try:
            answer = self._process.ask(*question)
        finally:
            self._waiting -= 1
        too_much = f"This house cannot be worked out within {self._limits.house_s:.0f} s and the memory there is."
        kind: str
        result: Any
        kind, result = ("error", too_much) if answer is None else answer
        if kind == "findings":
            raise HouseFileError([Finding(*each) for each in result])
        if kind == "error":
            raise Problem(422, "house.unreadable", result)
        return dict(result)

    def close(self) -> None:
        self._process.close()


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
    from passline.odds.wagers import odds_of
    from passline.rulebooks.read import book_digest, read_book

    house, base = House(file, book=read_book(text, file)), House(like)
    new, old = odds_of(house), odds_of(base)
    wagers = [_wager(key, new.get(key), old.get(key)) for key in dict.fromkeys((*new, *old))]
    fields = {"house": house.id, "name": house.name, "like": base.id, "hash": book_digest(house.book)}
    return {**fields, **posted(house), "wagers": wagers}


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
    fields: dict[str, Any] = {
        "wager": key,
        "name": one.name,
        "family": one.family,
        "now": _figures(new),
        "was": _figures(old),
    }
    both = new is not None and old is not None
    less = new.edge_per_bet_made - old.edge_per_bet_made if new is not None and old is not None else None
    fields |= {
        "difference": None if less is None else str(less),
        "difference_decimal": None if less is None else float(less),
    }
    return {**fields, "changed": not both or fields["now"] != fields["was"]}


def _figures(odds: WagerOdds | None) -> dict[str, Any] | None:
    """What one house makes of a wager: fractions as they are, and as decimals."""
    if odds is None:
        return None
    exact = {name: getattr(odds, name) for name in FIGURES}
    fields: dict[str, Any] = {"prices": list(odds.prices)}
    return (
        fields
        | {name: str(each) for name, each in exact.items()}
        | {f"{name}_decimal": float(each) for name, each in exact.items()}
    )
