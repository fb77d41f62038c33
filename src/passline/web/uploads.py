"""House and strategy files that people bring: read and priced in a process of its own that may take only so long."""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from passline.errors import FileError, Finding, HouseFileError, PasslineError
from passline.files.toml import line_of
from passline.house import House
from passline.odds.wagers import WagerOdds, odds_of
from passline.pit.people.names import letters_of
from passline.record.notice import default_notice
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import book_digest, read_book
from passline.strategies.language.read import read_strategy
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.plan import booked_anywhere
from passline.telling.card import sign
from passline.web.limits import Limits
from passline.web.problems import Problem
from passline.web.schemas import File
from passline.web.subprocesses import WorkerProcess

FAULTS_MAX = 50  # Faults of one file that are answered


def read_file(upload: File, **more: Any) -> Strategy:  # noqa: ANN401 - as below
    """A strategy file, or a problem that says where."""
    with faults(upload.text, **more):
        return read_strategy(upload.text, upload.file, booked_anywhere())


def check_own(file: str, source: str) -> None:
    """Refuse a house file under the id or the name of a built-in house, unless it says what that house's file says."""
    text = tomllib.loads(source)
    ours = [tomllib.loads(path.read_text(encoding="utf-8")) for path in house_files().values()]
    if text in ours:
        return
    taken = {letters_of(house[key]) for house in ours for key in ("id", "name")}
    for key, what in (("id", "an id"), ("name", "a name")):
        if letters_of(text[key]) in taken:
            expected = f"{what} of its own: a house of the program is called so, and its book says other things"
            raise HouseFileError([Finding(file, key, repr(text[key]), expected)])


@contextmanager
def faults(source: str, **more: Any) -> Iterator[None]:  # noqa: ANN401 - whatever a page wants to know
    """Answer what is wrong with a file as a problem: where, what stands there, what should."""
    try:
        yield
    except FileError as error:
        names = ("path", "actual", "expected", "nearest")
        findings = [
            {"line": line_of(source, each), **{name: getattr(each, name) for name in names}}
            for each in error.findings[:FAULTS_MAX]
        ]
        what = "house" if isinstance(error, HouseFileError) else "strategy"
        raise Problem(422, f"{what}.unreadable", str(error), findings=findings, **more) from None


MEMORY_BYTES_MAX = 2 * 2**30
# What is told of a wager, beside what it pays.
FIGURES = ("edge_per_bet_made", "edge_per_bet_resolved", "edge_per_roll_working", "p_win", "p_push")


class Pricer:
    """Asks the process, one house after the other; one that takes too long is refused, and the process ended."""

    def __init__(self, limits: Limits) -> None:
        self._limits, self._waiting = limits, 0
        self._process = WorkerProcess(_prepare, seconds=limits.house_s)

    def read(self, file: str, text: str) -> None:
        self.price(file, text)

    def price(self, file: str, text: str, like: str = "") -> dict[str, Any]:
        """A house file's figures beside those of the house that it is `like`; without one it is only read."""
        if self._waiting >= self._limits.houses_waiting_max:
            raise Problem(503, "house.busy", "Too many house files are looked at; ask again.", retry_after_s=1)
        self._waiting += 1
        try:
            answer = self._process.ask(_looked_at, file, text, like)
        finally:
            self._waiting -= 1
        if answer is None:
            too_much = f"This house cannot be worked out within {self._limits.house_s:.0f} s and the memory there is."
            raise Problem(422, "house.unreadable", too_much)
        return answer[0]

    def close(self) -> None:
        self._process.close()


def _prepare() -> None:
    """In a process that has no keys and no journal."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    read_book(house_files()["adelaide"].read_text(encoding="utf-8"), "adelaide.toml")


def _looked_at(_: None, file: str, text: str, like: str) -> dict[str, Any]:
    try:
        return _priced(file, text, like) if like else {"house": read_book(text, file).id}
    except HouseFileError:
        raise
    except (PasslineError, MemoryError, RecursionError) as error:
        detail = str(error) or "This house takes more memory than there is."
        raise Problem(422, "house.unreadable", detail) from None


def _priced(file: str, text: str, like: str) -> dict[str, Any]:
    house, base = House(file, book=read_book(text, file)), House(like)
    new, old = odds_of(house), odds_of(base)
    wagers = [_wager(key, new.get(key), old.get(key)) for key in dict.fromkeys((*new, *old))]
    fields = {"house": house.id, "name": house.name, "like": base.id, "hash": book_digest(house.book)}
    return {**fields, **posted(house), "wagers": wagers}


def posted(house: House) -> dict[str, str]:
    notice = default_notice(house.book)
    return {"sign": sign(house.layout, notice), "unit": house.layout.money(notice.minimum)}


def _wager(key: str, new: WagerOdds | None, old: WagerOdds | None) -> dict[str, Any]:
    """One wager, as it is and as it was; None where the house does not offer it."""
    one = new or old
    assert one is not None
    now, was = _figures(new), _figures(old)
    less = new.edge_per_bet_made - old.edge_per_bet_made if new and old else None
    fields = {"wager": key, "name": one.name, "family": one.family, "now": now, "was": was, "changed": now != was}
    exact, decimal = (None, None) if less is None else (str(less), float(less))
    return {**fields, "difference": exact, "difference_decimal": decimal}


def _figures(odds: WagerOdds | None) -> dict[str, Any] | None:
    """What one house makes of a wager: fractions as they are, and as decimals."""
    if odds is None:
        return None
    exact = {name: getattr(odds, name) for name in FIGURES}
    decimals = {f"{name}_decimal": float(each) for name, each in exact.items()}
    return {"prices": list(odds.prices), **{name: str(each) for name, each in exact.items()}, **decimals}
