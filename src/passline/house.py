"""A house you can name: its book, its felt, its clauses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from passline.engine.book import Book
from passline.engine.layout import Layout, Spot, lay_out
from passline.errors import ArgumentError, short_repr
from passline.files.arguments import instance
from passline.files.findings import nearest
from passline.rulebooks.catalogue import Clause, clause
from passline.rulebooks.editing import Value
from passline.rulebooks.read import built_in, load, read_like

if TYPE_CHECKING:
    from passline.answers import Kind


class House:
    """A casino's craps, by its rule book.

    >>> House("sydney").spots["pass"].name
    'Win Line'
    """

    def __init__(
        self, house: str | Path = "adelaide", changes: Mapping[str, Value] | None = None, *, book: Book | None = None
    ) -> None:
        """Open a built-in house by its id, or any other by the path of its file, unless its book is read already.

        `changes` make another house of a built-in one, a value by its place in the file each; its clauses say where it
        departs: `House("strip", {"wager.field.pays.12": "2:1"})`. A record can name it once its `text` is a file.
        """
        instance("house", house, (str, PathLike), "the id of a house, or the path of a house file")
        self.source = str(house)
        """What this house was opened by; a record names it so."""
        self.text: str | None = None
        """The file of a house that was changed here: a record can name it once it is written somewhere."""
        if changes is not None:
            instance("changes", changes, Mapping, "values by their place, such as {'wager.field.pays.12': '2:1'}")
            if house not in built_in():
                expected = f"a built-in house, which `changes` go with ({', '.join(built_in())}); edit a file itself"
                raise ArgumentError("house", short_repr(house), expected, nearest(self.source, built_in()))
            places = {tuple(str(place).split(".")): changes[place] for place in changes}
            book, self.text = read_like(self.source, f"{house} changed", places, f"{house}, changed")
        self.book: Book = load(house) if book is None else book
        """What its rule book says."""

    @staticmethod
    def all() -> tuple[House, ...]:
        """Every house that comes with the program, adelaide first."""
        return tuple(House(name) for name in built_in())

    @property
    def id(self) -> str:
        """Its short name."""
        return self.book.id

    @property
    def name(self) -> str:
        """Its name on the door."""
        return self.book.name

    @cached_property
    def layout(self) -> Layout:
        """Its felt, laid out for play in cents; one for all tables of a built-in house, with all its dealers know."""
        shared = self.source in built_in() and self.book is load(self.source)
        return _felt(self.source) if shared else lay_out(self.book)

    @cached_property
    def spots(self) -> Mapping[str, Spot]:
        """Every spot on its felt, by wager key."""
        return _Spots(self.layout.spots)

    @property
    def wagers(self) -> tuple[Spot, ...]:
        """The wagers a player can ask for."""
        return tuple(self.layout.offered())

    def clause(self, wanted: str) -> Clause:
        """The clause behind an id, in our own words."""
        instance("wanted", wanted, str, "the id of a clause, such as '6.5.2'")
        full = wanted if ":" in wanted or "-" in wanted[:2] else f"{self.id}:{wanted}"
        return clause(full, self.book.clauses)

    def __repr__(self) -> str:
        return f"House({self.source!r})" if self.text is None else f"House({self.source!r}, …)"

    def _repr_html_(self) -> str:
        """Its rule card, for a notebook in any colours."""
        from passline.answers import Table, html_of
        from passline.telling.card import spots

        columns: dict[str, Kind] = dict.fromkeys(("Wager", "Key", "Made", "Pays", "Clause"), "text")
        return html_of(Table(columns, list(spots(self.layout)), f"{self.name} ({self.id})"))


class _Spots(dict[str, Spot]):
    """Spots by key, with the nearest name for one that there is not."""

    def __missing__(self, key: object) -> Spot:
        near = nearest(str(key), self)
        raise KeyError(f"{key}; the nearest is {near}" if near else key)


def open_house(house: House | str | Path) -> House:
    """The house that a caller means: one that is open, an id, or the path of a file."""
    return house if isinstance(house, House) else House(house)


@cache
def _felt(house: str) -> Layout:
    return lay_out(load(house))
