"""What was found, in one shape: sentences and tables whose columns have kinds, and every way to show them.

A result is an `Answer` that gives its `page`; text, HTML, CSV, frames and files follow from that.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from decimal import MAX_PREC, Context, Decimal
from fractions import Fraction
from html import escape
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple, cast

from passline.files.needed import needed
from passline.files.whole import saving, whole_file, write_whole

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console
    from rich.table import Table as Grid

Figure = Fraction | float | int
Kind = Literal["text", "count", "money", "net", "share", "edge", "number", "exact"]
"""What a column holds: *net* is money with its sign, *edge* a share to a thousandth of a per cent, *number* anything
measured, *exact* a fraction that is left out where it is too long to be read."""

CENT: Final = 0.005  # less than this is no money to speak of
FLOAT_CENTS: Final = 1e13  # from here on a float does not tell every cent, and nobody reads all digits
EXACT_WIDE: Final = 12  # a longer fraction is for programs
WHOLE_WIDE: Final = 28  # a first column of no more letters is never folded
WORD_WIDE: Final = 12  # a longer word of a column that folds may be broken
CLOCK: Final = re.compile(r"\d{4}-\d\d-\d\d [\d:]+( UTC)?")  # a time is one word
BLOCKS: Final = "▁▂▃▄▅▆▇█"
SHAPE_WIDE: Final = 60  # bars of a distribution drawn in a line
Z_95: Final = 1.959963984540054  # half the width of a 95 % interval, in standard errors
CHARTS: Final = (".png", ".svg")  # what a chart can be saved as
SURE: Final = 1 - 1e-12  # a sum of chances in double precision that comes to this is all of them
DIGITS: Final = Context(prec=12)
FORMULAS: Final = ("=", "+", "@", "\t")  # what a spreadsheet takes for the beginning of something to work out


class Table(NamedTuple):
    """Rows under columns: a column's name is for programs, and with blanks in it for people."""

    columns: Mapping[str, Kind]
    rows: Sequence[Sequence[Any]]
    title: str = ""
    note: str = ""

    def cells(self) -> Iterator[list[str]]:
        for row in self.rows:
            yield [cell(kind, value) for kind, value in zip(self.columns.values(), row, strict=True)]

    def dicts(self) -> list[dict[str, Any]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


class Shape(NamedTuple):
    """A distribution to be drawn small: from where to where, and how much stands in each part of it."""

    low: Figure
    high: Figure
    counts: Sequence[float]

    @property
    def bars(self) -> list[float]:
        """At most `SHAPE_WIDE` of them, each of as many parts as the next."""
        size = max(1, math.ceil(len(self.counts) / SHAPE_WIDE))
        return [math.fsum(self.counts[at : at + size]) for at in range(0, len(self.counts), size)]

    def __str__(self) -> str:
        bars = self.bars
        top = max(bars, default=0) or 1
        line = "".join(BLOCKS[min(len(BLOCKS) - 1, int(bar / top * len(BLOCKS)))] if bar else " " for bar in bars)
        return f"{signed(self.low)} {line} {signed(self.high)}"

    def svg(self, width: int = 360, height: int = 140) -> str:
        bars = self.bars
        top, step = max(bars, default=0) or 1, width / max(1, len(bars))
        wide = (float(self.high) - float(self.low)) / max(1, len(bars))
        drawn = "".join(
            f'<rect x="{place * step:.1f}" y="{height * (1 - bar / top):.1f}" width="{max(step - 1, 1):.1f}" height='
            f'"{height * bar / top:.1f}" fill="{"#c8553d" if float(self.low) + place * wide < 0 else "#2a9d6f"}"/>'
            for place, bar in enumerate(bars)
        )
        return f'<svg role="img" aria-label="final net" viewBox="0 0 {width} {height}" width="{width}">{drawn}</svg>'


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table as people read it, without the columns that nobody could read anything in."""

    title: str
    note: str
    names: Sequence[str]
    kinds: Sequence[Kind]
    rows: Sequence[Sequence[str]]

    @classmethod
    def of(cls, table: Table) -> Sheet:
        filled = _filled(table)
        names = [name.replace("_", " ") for name in filled.columns]
        return cls(table.title, table.note, names, list(filled.columns.values()), list(filled.cells()))


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a chart, or its bars, or the band between `low` and its values."""

    label: str
    values: Sequence[float | None]
    style: Literal["line", "points", "band", "path", "bars", "steps"] = "line"
    low: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """What a chart draws, in a file or on the page: curves over the same places, `shares` in per cent."""

    title: str
    words: str
    across: str
    along: str
    places: Sequence[float] | Sequence[str]
    curves: Sequence[Curve]
    shares: bool = False
    wide: float = 0  # how wide a bar is


Part = str | Table | Shape
"""What a page is made of; an empty sentence is a gap."""


class Described:
    """A record that names what programs want of it."""

    __slots__ = ()
    FIELDS: ClassVar[str] = ""
    """What programs want of it: `attribute`, `key=attribute` under another key, `attribute*` as a decimal too."""

    def data(self) -> dict[str, Any]:
        """What programs want of it, by name, as Python values."""
        return described(self, self.FIELDS)

    def to_json(self) -> dict[str, Any]:
        """`data` as JSON values: an exact fraction is a string."""
        return {name: json_of(value) for name, value in self.data().items()}


class Answer(Described):
    """A result that shows itself: in a terminal, in a notebook, as rows for programs and as files."""

    __slots__ = ()
    stopped = ""  # what is missing of an answer that somebody cut short

    def __init_subclass__(cls) -> None:
        """Be one line in a console, where a record or a mapping would print all that it holds."""
        answers = (vars(base) for base in cls.__mro__ if issubclass(base, Answer))
        cls.__repr__ = next(own["__repr__"] for own in answers if "__repr__" in own)  # type: ignore[method-assign]

    def page(self) -> Iterable[Part]:
        """What people read, from the title down."""
        raise NotImplementedError

    def table(self) -> Table:
        """The rows for programs; unless said otherwise the first table of the page."""
        return next(part for part in self.page() if isinstance(part, Table))

    def data(self) -> dict[str, Any]:
        """What programs want of it, by name, as Python values: its `FIELDS`, or where it says none the rows."""
        return super().data() if self.FIELDS else {"rows": self.table().dicts()}

    def objects(self) -> list[dict[str, Any]]:
        """What is printed as JSON, an object a line."""
        return [self.to_json()]

    def to_csv(self) -> str:
        """A line of names, and one for each row; fractions are exact."""
        table = self.table()
        return csv_of(table.columns, table.rows)

    def to_html(self) -> str:
        """The page as a piece of HTML that takes the colours of whatever it stands in."""
        return "".join(map(html_of, self.page()))

    def frame(self) -> pl.DataFrame:
        """The rows as a Polars frame: figures are numbers, exact fractions text; each column of one type."""
        table = self.table()
        columns = {
            name: [_number(kind, row[place]) for row in table.rows]
            for place, (name, kind) in enumerate(table.columns.items())
        }
        frame: pl.DataFrame = needed("polars", "a frame").DataFrame(columns, strict=False)
        return frame

    def chart(self, path: Path | str) -> None:
        import_module("passline.analysis.charts").draw(self, path)  # by name: pictures stand above what they show

    @property
    def heading(self) -> str:
        first = next(filter(None, self.page()))
        return (first.title or next(iter(first.columns))) if isinstance(first, Table) else str(first)

    def to_page(self) -> str:
        """A whole page that prints and needs nothing beside it."""
        head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(self.heading)}</title>'
        return f"{head}<body>{self.to_html()}</body></html>\n"

    def write_html(self, path: Path | str) -> None:
        with saving(path):
            write_whole(path, self.to_page())

    def write_csv(self, path: Path | str) -> None:
        with saving(path):
            write_whole(path, self.to_csv())

    def write_parquet(self, path: Path | str) -> None:
        with saving(path), whole_file(path) as part:
            self.frame().write_parquet(part)

    def __str__(self) -> str:
        from rich.console import Console

        text = io.StringIO()
        print_page(self, Console(file=text, width=120, highlight=False, markup=False))
        return text.getvalue().rstrip("\n")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.heading.rstrip('.')}>"

    def _repr_html_(self) -> str:
        return self.to_html()


def remarks_of(about: Mapping[str, Any], name: str | None = None) -> list[str]:
    """What the dealers would not take from a strategy, which played on without it, and what a sign rounds to."""
    name, refused = about.get("strategy") if name is None else name, about.get("refused") or ()
    sentences = [f"{name}: the dealers refuse {no['wager']}: {no['message']} It plays on without." for no in refused]
    if sign := about.get("notice"):
        chip = exactly(Fraction(sign["chip"], 100))
        sentences.append(
            f"{name}: under a sign, or with a float, limits apply and payouts are rounded to chips of {chip}."
        )
    return sentences


@dataclass(frozen=True)
class Several(Answer):
    answers: Sequence[Answer]

    def page(self) -> Iterator[Part]:
        for place, each in enumerate(self.answers):
            yield from ("",) * bool(place)
            yield from each.page()

    def table(self) -> Table:
        tables = [each.table() for each in self.answers]
        return tables[0]._replace(rows=[row for table in tables for row in table.rows])

    def objects(self) -> list[dict[str, Any]]:
        return [each.to_json() for each in self.answers]

    def data(self) -> dict[str, Any]:
        return {"answers": self.answers}


@dataclass(frozen=True)
class Extended(Answer):
    """An answer with more sentences below it, and more values beside its own."""

    answer: Answer
    sentences: Sequence[str]
    values: Mapping[str, Any]

    def page(self) -> Iterator[Part]:
        yield from self.answer.page()
        for sentence in self.sentences:
            yield from ("", sentence)

    def table(self) -> Table:
        return self.answer.table()

    def data(self) -> dict[str, Any]:
        return {**self.answer.data(), **self.values}

    def chart(self, path: Path | str) -> None:
        self.answer.chart(path)


def columns(described: str) -> dict[str, Kind]:
    """Names and kinds of a table: `wager text, share of its value share`."""
    pairs = (each.rpartition(" ") for each in described.split(", "))
    return {name: cast("Kind", kind) for name, _, kind in pairs}


def print_page(answer: Answer | Iterable[Part], console: Console) -> None:
    """Print a page: tables fold to the width, and a command to paste is never broken."""
    for part in answer.page() if isinstance(answer, Answer) else answer:
        if not isinstance(part, Table):  # a sentence folds on a terminal, and is one line for anything that reads it
            text = str(part)
            console.print(text, soft_wrap=not console.is_terminal or text.startswith(AGAIN))
            continue
        for band in _bands(_filled(part), console.width):
            if _least_width(band) <= console.width:
                console.print(grid(band))
                continue
            names = [name.replace("_", " ") for name in band.columns]
            for row in band.cells():  # columns would cut words, and a name with them: each row is told whole instead
                whole = (f"{name}: {' '.join(text.split())}" for name, text in zip(names, row, strict=True) if text)
                console.print("; ".join(whole), soft_wrap=not console.is_terminal)


def _filled(table: Table) -> Table:
    """A table without the columns that nobody could read anything in."""
    names, columns = list(table.columns), list(zip(*table.cells(), strict=True))
    places = [at for at, column in enumerate(columns) if any(column)] or range(len(names))
    rows = [[row[at] for at in places] for row in table.rows]
    return table._replace(columns={names[at]: table.columns[names[at]] for at in places}, rows=rows)


GAP: Final = 2  # what Rich leaves between two columns


def _bands(table: Table, width: int) -> Iterator[Table]:
    """A table of figures that is too wide as several under each other, each with the columns that name a row."""
    cells = [[name.replace("_", " "), *column] for name, *column in zip(table.columns, *table.cells(), strict=True)]
    wide = [max((len(line) for text in column for line in text.splitlines()), default=0) + GAP for column in cells]
    if sum(wide) - GAP <= width or "text" in list(table.columns.values())[1:]:
        yield table
        return
    names = list(table.columns)
    texts = [list(map(str, row)) for row in table.rows]
    naming = next((most for most in range(1, len(names)) if len({(*row[:most],) for row in texts}) == len(texts)), 1)
    places: list[list[int]] = [list(range(naming))]
    left = width - sum(wide[:naming])
    for place in range(naming, len(names)):
        if left < wide[place] - GAP and len(places[-1]) > naming:
            places.append(list(range(naming)))
            left = width - sum(wide[:naming])
        places[-1].append(place)
        left -= wide[place]
    for at, band in enumerate(places):
        columns = {names[place]: table.columns[names[place]] for place in band}
        rows = [[row[place] for place in band] for row in table.rows]
        if at:  # every row stands in the first band; below it only those that say more
            rows = [row for row in rows if any(each not in {None, ""} for each in row[naming:])]
        yield Table(columns, rows, table.title if not at else "", table.note if band is places[-1] else "")


def _is_whole(place: int, kind: Kind, cells: Sequence[str]) -> bool:
    """Whether a column is never folded: figures, times, what people type again, and a short first column."""
    if not place:
        return all(len(line) <= WHOLE_WIDE for text in cells for line in text.splitlines())
    return kind != "text" or not any(" " in text.strip() and not CLOCK.fullmatch(text) for text in cells)


def _least_width(table: Table) -> int:
    """The narrowest that a table can be printed with no word broken; only words of lists are longer."""
    width = -GAP
    columns = zip(table.columns.items(), *table.cells(), strict=True)
    for place, ((name, kind), *cells) in enumerate(columns):
        lines = [name.replace("_", " "), *(line for text in cells for line in text.splitlines())]
        words = lines if _is_whole(place, kind, cells) else [word for line in lines for word in line.split()]
        most = max(map(len, words), default=0)
        width += GAP + (most if words is lines else min(WORD_WIDE, most))
    return width


AGAIN: Final = "Again: "  # what stands before the command that answers the same question again
# The options of commands that are not called as the argument they stand for.
FLAGS: Final = {"chips": "float", "max_bet": "max", "as_json": "json", "guests": "with", "since": "from"}


def flag_of(argument: str) -> str:
    """The option that an argument is given by on a command line."""
    return f"--{FLAGS.get(argument, argument.rstrip('_')).replace('_', '-')}"


def grid(table: Table) -> Grid:
    """A table without lines: words to the left, figures to the right."""
    from rich.table import Table as RichTable

    drawn = RichTable(
        box=None,
        pad_edge=False,
        header_style="dim",
        title=table.title or None,
        title_justify="left",
        caption=table.note or None,
        caption_justify="left",
    )
    columns = zip(table.columns.items(), *table.cells(), strict=True)
    for place, ((name, kind), *cells) in enumerate(columns):
        side: Literal["left", "right"] = "left" if not place or kind == "text" else "right"
        whole = _is_whole(place, kind, cells)
        drawn.add_column(name.replace("_", " "), justify=side, no_wrap=whole, overflow="fold")
    for row in table.cells():
        drawn.add_row(*row)
    return drawn


def html_of(part: Part) -> str:
    if isinstance(part, Shape):
        return part.svg()
    if isinstance(part, str):
        return f"<p>{escape(part)}</p>" if part else ""
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in part.columns)
    sides = ["left" if kind == "text" else "right" for kind in part.columns.values()]
    body = ""
    for row in part.cells():
        cells = (f'<td style="text-align:{side}">{escape(text)}</td>' for side, text in zip(sides, row, strict=True))
        body += f"<tr>{''.join(cells)}</tr>"
    title = f"<caption><b>{escape(part.title)}</b></caption>" if part.title else ""
    note = f"<p><small>{escape(part.note)}</small></p>" if part.note else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def csv_of(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(columns)
    lines.writerows([_csv(each) for each in row] for row in rows)
    return text.getvalue()


def _csv(value: object) -> object:
    """A cell that no spreadsheet takes for a formula."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if value is None or isinstance(value, int | float | Fraction):
        return "" if value is None else value
    text = str(value)
    return f"'{text}" if text.startswith(FORMULAS) or (text[:1] == "-" and not text[1:2].isdigit()) else text


def _number(kind: Kind, value: Any) -> Any:  # noqa: ANN401 - whatever a cell holds
    """A cell for programs; what was written as text for people stays that, as in `cell`."""
    if value is None or isinstance(value, str):
        return value
    return str(value) if kind in {"text", "exact"} else int(value) if kind == "count" else float(value)


# --- How figures look -----------------------------------------------------------------------------------------------


def cell(kind: Kind, value: Any) -> str:  # noqa: ANN401 - whatever a cell holds
    """One figure as people read it; what is not known is left out."""
    if value is None or isinstance(value, str):
        return value or ""
    match kind:
        case "money":
            return money(value)
        case "net":
            return signed(value)
        case "share":
            return percent(value)
        case "edge":
            return f"{float(value):.3%}"
        case "count":
            return f"{value:,}"
        case "number":
            return f"{float(value):,.3f}" if abs(value) < FLOAT_CENTS else f"{float(value):.3e}"
        case "exact":
            return text if len(text := str(value)) <= EXACT_WIDE or "/" not in text else ""
        case "text":
            return str(value)


def money(amount: Figure) -> str:
    """Money for reading: whole where it is, else two decimals, more only where it is less than a cent."""
    if isinstance(amount, Fraction | int) and amount.denominator == 1:
        return f"{amount.numerator:,}"
    value = float(amount)
    if isinstance(amount, Fraction) and abs(value) >= FLOAT_CENTS:
        return f"{Decimal(round(amount * 100)).scaleb(-2, Context(prec=MAX_PREC)):,f}"
    return f"{value:,.2f}" if abs(value) >= CENT or not value else f"{value:.2g}"


def exactly(amount: Fraction) -> str:
    """Money with nothing rounded: 5, 2.50 or 1/3."""
    if amount.denominator == 1 or 100 % amount.denominator:
        return f"{amount.numerator:,}" if amount.denominator == 1 else str(amount)
    return f"{float(amount):,.2f}"


def signed(amount: Figure) -> str:
    return f"+{money(amount)}" if amount > 0 else money(amount)


def percent(chance: Figure) -> str:
    """A chance; one that is nearly nothing or nearly sure does not look like either."""
    value = float(chance)
    if isinstance(chance, float) and value > SURE:
        return f"{1:.2%}"
    if 0 < value < 0.00005:
        return f"{value:.1e}"
    return f"{value:.2%}" if value in {0.0, 1.0} or value < 0.99995 else "over 99.99%"


def interval_95(value: Figure, standard_error: float) -> tuple[float, float]:
    return float(value) - Z_95 * standard_error, float(value) + Z_95 * standard_error


def wilson(share: Figure, of: int) -> str:
    """The 95 % interval of a share by Wilson's score, which also knows what it means to have seen no case."""
    value, z2 = float(share), Z_95**2 / of
    middle, half = value + z2 / 2, Z_95 * math.sqrt(value * (1 - value) / of + z2 / of / 4)
    low, high = (middle - half) / (1 + z2), (middle + half) / (1 + z2)
    return f"{percent(low if value > 0 else 0)} to {percent(high if value < 1 else 1)}"


def cut_name(chance: Figure) -> str:
    return "median" if chance == 0.5 else f"{float(chance):.0%}".replace("%", " %")


def rolls_of(count: int) -> str:
    return "1 roll" if count == 1 else f"{count:,} rolls"


def hours_of(hours: Fraction) -> str:
    return f"{exactly(hours)} hour" + "s" * (hours != 1)


# --- Figures for programs -------------------------------------------------------------------------------------------


def json_of(value: Any) -> Any:  # noqa: ANN401 - whatever an answer holds
    """A value for JSON: fractions as text, records as objects, infinity as null."""
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Fraction):
        return written(value)
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, Mapping):
        return {str(name): json_of(each) for name, each in value.items()}
    if is_dataclass(value):
        return {each.name: json_of(getattr(value, each.name)) for each in fields(value)}
    return [json_of(each) for each in value]


def picked(source: object, *names: str) -> dict[str, Any]:
    return {name: getattr(source, name) for name in names}


def described(source: object, names: str) -> dict[str, Any]:
    """Attributes of an object as `FIELDS` names them; `house.id` is one of an attribute's."""
    values: dict[str, Any] = {}
    for called, _, name in (each.rpartition("=") for each in names.split()):
        attribute = name.rstrip("*")
        value = {called or attribute: attrgetter(attribute)(source)}
        values |= figures(source, **value) if name.endswith("*") else value
    return values


def figures(source: object, *names: str, **more: Figure | None) -> dict[str, str | None]:
    """Attributes of an object, and `more`: each figure in full under its name, and as a decimal beside it."""
    texts: dict[str, str | None] = {}
    for name, figure in {**picked(source, *names), **more}.items():
        texts[name] = None if figure is None else written(figure)
        texts[f"{name}_decimal"] = None if figure is None else decimal(figure)
    return texts


def written(figure: Figure) -> str:
    """A fraction in full, of any length, or a float with all its digits."""
    if isinstance(figure, float):
        return repr(figure)
    # Python refuses to write whole numbers beyond 4300 digits; decimals have no such limit.
    over = "" if figure.denominator == 1 else f"/{Decimal(figure.denominator):f}"
    return f"{Decimal(figure.numerator):f}{over}"


def decimal(figure: Figure) -> str:
    if isinstance(figure, float):
        value = DIGITS.create_decimal(figure)
    else:
        value = DIGITS.divide(Decimal(figure.numerator), Decimal(figure.denominator))
    plain = f"{value.normalize(DIGITS):f}"
    return plain if len(plain) <= 40 else f"{value:.11e}"
