"""Where everything lies on a felt of so many columns and lines: pure, so that it can be tried without a screen.

One half of a layout as players know it: the numbers' boxes behind, then come, field and the don't pass bar, with the
pass line round them in an L; and the stick's box with what is bet on one roll.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby, pairwise
from typing import NamedTuple

from rich.style import Style
from rich.text import Text
from textual.geometry import Region

from passline.engine.layout import Layout, Spot
from passline.sitting.plan import Group, Plan, Printed, Row, Strip
from passline.telling.names import family_label, label, short_price

# The two numbers that a felt spells out, because they look alike from the other side.
NUMBER_NAMES = {6: "SIX", 9: "NINE"}

DIE_FACES = "⚀⚁⚂⚃⚄⚅"
CIRCLED = "⓪①②③④⑤⑥⑦⑧⑨⑩⑪⑫"
MULTIPLES = {2: "double", 3: "triple"}

UPRIGHT = 3
# The columns left of the numbers, for the don't come bar and the names of what can be bet in the boxes.
LABELS_MIN, LABELS_MAX = 13, 20
SPLIT_MIN = 8  # a box narrower than this has a come bet above its odds, not beside them
CHIPS = len("●1000")
NAME, ODDS_NAME = 40, 20  # a longer name is shortened before it takes the place of other spots

LINE, PRINT, LABEL = "#cfe3d6", "bold #f3f6ee", "#a9c4b4"
SPELLED = "bold #ff9d8a"


UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
JOINED = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"


class Canvas:
    """Lines and letters on a sheet of characters: borders that meet are joined as a printer would join them."""

    def __init__(self, width: int, height: int, line: str) -> None:
        self.width, self.height = width, height
        self._line = line
        self._arms = [[0] * width for _ in range(height)]
        self._letters: list[list[tuple[str, str] | None]] = [[None] * width for _ in range(height)]

    def across(self, x: int, y: int, end: int) -> None:
        for at in range(x, end + 1):
            self._arms[y][at] |= (RIGHT if at < end else 0) | (LEFT if at > x else 0)

    def down(self, x: int, y: int, end: int) -> None:
        for at in range(y, end + 1):
            self._arms[at][x] |= (DOWN if at < end else 0) | (UP if at > y else 0)

    def wall(self, x: int, y: int, end: int) -> None:
        """Stand a wall between two rooms, from a line to before `end`; it joins the floors that it meets."""
        for at in range(y, end):
            self._arms[at][x] |= UP | DOWN
        for at, arm in ((y - 1, DOWN), (end, UP)):
            if self._arms[at][x] & (LEFT | RIGHT):
                self._arms[at][x] |= arm

    def box(self, x: int, y: int, width: int, height: int) -> None:
        right, bottom = x + width - 1, y + height - 1
        self.across(x, y, right)
        self.across(x, bottom, right)
        self.down(x, y, bottom)
        self.down(right, y, bottom)

    def write(self, x: int, y: int, text: str | Text, style: str = "") -> None:
        """Write over whatever is there; what does not fit on the sheet is cut."""
        if not 0 <= y < self.height:
            return
        runs = [(text, style)] if isinstance(text, str) else _runs(text)
        for run, own in runs:
            for letter in run:
                if 0 <= x < self.width:
                    self._letters[y][x] = (letter, own)
                x += 1

    def copy(self) -> "Canvas":
        other = Canvas(self.width, self.height, self._line)
        other._arms = self._arms
        other._letters = [list(line) for line in self._letters]
        return other

    def runs(self) -> list[list[tuple[str, str]]]:
        """The whole sheet, line by line, in pieces of one style."""
        sheet = []
        for arms, letters in zip(self._arms, self._letters, strict=True):
            cells = [letter or (JOINED[arm], self._line) for arm, letter in zip(arms, letters, strict=True)]
            pieces = groupby(cells, key=lambda cell: cell[1])
            sheet.append([("".join(letter for letter, _ in piece), style) for style, piece in pieces])
        return sheet


def _runs(text: Text) -> list[tuple[str, str]]:
    """Pieces of a text in one style each; where several styles lie on a piece, all of them in order."""
    edges = sorted({0, len(text), *(span.start for span in text.spans), *(span.end for span in text.spans)})
    runs = []
    for start, end in pairwise(edges):
        on = (str(span.style) for span in text.spans if span.start <= start and span.end >= end)
        runs.append((text.plain[start:end], _merged((str(text.style), *on))))
    return runs


@cache
def _merged(styles: tuple[str, ...]) -> str:
    return str(Style.combine([Style.null(), *(Style.parse(style) for style in styles if style)]))


class Cell(NamedTuple):
    key: str
    area: Region
    names: tuple[str, ...] = ()  # the best name first; none where the row's label says it
    marks: tuple[str, ...] = ("",)  # what stands beside the name: a bar, the field's numbers; the longest first
    centred: bool = False
    beside: Region | None = None  # more of the same spot: the pass line's upright

    def holds(self, x: int, y: int) -> bool:
        return self.area.contains(x, y) or (self.beside is not None and self.beside.contains(x, y))


@dataclass(slots=True)
class Drawing:
    """A part of the felt: lines and print, the spots on it, and where the puck can lie."""

    canvas: Canvas
    places: dict[str, Cell] = field(default_factory=dict)
    numbers: dict[int, Region] = field(default_factory=dict)

    def put(self, place: Cell) -> None:
        self.places[place.key] = place


# --- The half with the numbers --------------------------------------------------------------------------------------


class Band(NamedTuple):
    """One line of the numbers' boxes: a row, or a come bet's row with its odds."""

    rows: tuple[Row, ...]
    height: int = 1


def bands_of(plan: Plan, visible: Container[str], box: int) -> list[Band]:
    """The lines inside the boxes, the back first; `visible` holds the names of rows that are asked for."""
    bands: list[Band] = []
    for row in plan.rows:
        if row.on_request and row.name not in visible:
            continue
        if row.kind == "odds" and bands:
            height = 1 if box >= SPLIT_MIN else 2
            bands[-1] = Band((*bands[-1].rows, row), height)
        else:
            bands.append(Band((row,)))
    return bands


class Rooms(NamedTuple):
    """How high every part is, for the height that a screen has."""

    ruled: bool  # whether lines divide come, field and don't pass
    strips: dict[str, int]
    gaps: bool  # whether lines divide what lies inside a number's box

    def height(self, bands: Sequence[Band]) -> int:
        inside = 1 + sum(band.height for band in bands) + (len(bands) - 1 if self.gaps and bands else 0)
        return inside + 4 + sum(self.strips.values()) + (self._inner - 1 if self.ruled and self._inner else 0)

    @property
    def _inner(self) -> int:
        return len(self.strips) - ("line" in self.strips)


def rooms(strips: Iterable[str], bands: Sequence[Band], height: int) -> Rooms:
    """Gives the parts as much height as there is, the most useful first."""
    order = list(strips)
    room = Rooms(ruled=False, strips=dict.fromkeys(order, 1), gaps=False)
    wishes = [room._replace(ruled=True)]
    for taller in ("line", "dont line", "field", "come"):
        if taller in room.strips:
            wishes.append(wishes[-1]._replace(strips=wishes[-1].strips | {taller: 2}))
    wishes.append(wishes[-1]._replace(gaps=True))
    for wish in wishes:
        if wish.height(bands) <= height:
            room = wish
    return room


def stretched(room: Rooms, bands: Sequence[Band], height: int) -> Rooms:
    """The same with the strips made higher, one after the other, until all the height is used."""
    order = [where for where in ("line", "come", "dont line", "field") if where in room.strips]
    for at in range(max(0, height - room.height(bands)) if order else 0):
        where = order[at % len(order)]
        room = room._replace(strips=room.strips | {where: room.strips[where] + 1})
    return room


def half(  # noqa: PLR0913 - where, how large, and what of it
    layout: Layout, plan: Plan, width: int, height: int, visible: Container[str], *, fill: bool = False
) -> Drawing:
    """Draw the half with the numbers, as high as it wants to be and at most `height`; to fill it, exactly so high."""
    count = len(plan.points)
    labels = max([LABELS_MIN, *(len(_row_label(layout, row)) + 1 for row in plan.rows if row.kind != "odds")])
    box = (width - 2 - min(labels, LABELS_MAX)) // count - 1
    first = width - 1 - count * (box + 1)
    bands = bands_of(plan, visible, box)
    strips: dict[str, Strip] = {strip.where: strip for strip in plan.lines}
    inner: list[str] = [where for where in ("come", "field", "dont line") if where in strips]
    if "big" in strips and "dont line" not in strips:
        inner.append("big")
    room = rooms([*inner, *(["line"] if "line" in strips else [])], bands, height)
    room = stretched(room, bands, height) if fill else room
    drawing = Drawing(Canvas(width, room.height(bands), LINE))
    drawing.canvas.box(0, 0, width, drawing.canvas.height)
    floor = _boxes(drawing, layout, plan, bands, room, first=first, box=box)
    _lines(drawing, layout, strips, inner, room, floor)
    return drawing


def _boxes(  # noqa: PLR0913 - everything that was measured
    drawing: Drawing, layout: Layout, plan: Plan, bands: Sequence[Band], room: Rooms, *, first: int, box: int
) -> int:
    """The numbers' boxes with what lies in them; says which line is their floor."""
    canvas, bar, y = drawing.canvas, _bar(plan), 1
    for at, point in enumerate(plan.points):
        drawing.numbers[point] = Region(first + at * (box + 1) + 1, y, box, 1)
    y += 1
    for at, band in enumerate(bands):
        if room.gaps and at:
            canvas.across(0 if at == 1 and bar else first, y, canvas.width - 1)
            y += 1
        if at or bar is None:
            canvas.write(2, y, _row_label(layout, band.rows[0]), LABEL)
        for row, line in enumerate(band.rows):
            for column, spot in enumerate(line.spots):
                if spot is not None:
                    area = _inside(first + column * (box + 1) + 1, y, box, row, band)
                    drawing.put(Cell(spot.key, area, centred=len(band.rows) == 1))
        y += band.height
    for at in range(len(plan.points)):
        canvas.down(first + at * (box + 1), 0, y)
    canvas.across(0, y, canvas.width - 1)
    if bar is not None:
        printed = bar.spots[0]
        drawing.put(_named(layout, printed, Region(1, 1, first - 1, 1 + bands[0].height), _bars(printed)))
    return y


def _inside(x: int, y: int, box: int, row: int, band: Band) -> Region:
    if len(band.rows) == 1:
        return Region(x, y, box, band.height)
    if band.height > 1:
        return Region(x, y + row, box, 1)
    left = box // 2
    return Region(x, y, left, 1) if row == 0 else Region(x + left, y, box - left, 1)


def _bar(plan: Plan) -> Strip | None:
    return next((strip for strip in plan.lines if strip.where == "dont come"), None)


def _lines(  # noqa: PLR0913, PLR0917 - as above
    drawing: Drawing, layout: Layout, strips: dict[str, Strip], inner: list[str], room: Rooms, floor: int
) -> None:
    """Come, field and the don't pass bar, with the line round them."""
    canvas = drawing.canvas
    line = strips.get("line")
    left = UPRIGHT + 1 if line is not None else 0
    y, walls = floor, []
    for at, where in enumerate(inner):
        ruled = at == 0 or room.ruled
        if ruled and at:
            canvas.across(left, y, canvas.width - 1)
        top = y + ruled
        spots = list(strips[where].spots)
        if where == "dont line" and "big" in strips:
            spots = [*strips["big"].spots, *spots]
        area = Region(left + 1, top, canvas.width - left - 2, room.strips[where])
        walls += [(x, top, area.bottom) for x in _beside(drawing, layout, spots, area)]
        y = area.bottom
    if line is None:
        for wall in walls:
            canvas.wall(*wall)
        return
    canvas.down(left, floor, y)
    canvas.across(left, y, canvas.width - 1)
    area = Region(1, y + 1, canvas.width - 2, room.strips["line"])
    walls += [(x, area.y, area.bottom) for x in _beside(drawing, layout, list(line.spots), area)]
    for wall in walls:
        canvas.wall(*wall)
    upright = Region(1, floor + 1, UPRIGHT, y - floor)
    key = line.spots[0].key
    drawing.put(drawing.places[key]._replace(beside=upright))
    letters = next(
        (word for word in (line.spots[0].name, line.spots[0].name.split()[0]) if len(word) <= upright.height), ""
    )
    for down, letter in enumerate(letters.upper()):
        canvas.write(2, upright.y + (upright.height - len(letters)) // 2 + down, letter, PRINT)


def _beside(drawing: Drawing, layout: Layout, spots: list[Printed], area: Region) -> list[int]:
    """Spots side by side in a strip, each as wide as its words ask for; says where walls must stand."""
    walls: list[int] = []
    wants: list[int] = []
    for longest in (ODDS_NAME, 18, 14, 12):
        wants = [_want(layout.spots[spot.key], spot, longest) for spot in spots]
        if sum(wants) + len(spots) - 1 <= area.width:
            break
    flat = [not layout.spots[spot.key].is_odds and not layout.spots[spot.key].number for spot in spots]
    x, spare = area.x, area.width - sum(wants) - (len(spots) - 1)
    for at, spot in enumerate(spots):
        share = spare // (sum(flat) or len(spots)) if flat[at] or not any(flat) or spare < 0 else 0
        width = area.right - x if at == len(spots) - 1 else max(6, wants[at] + share)
        marks = _field_marks(spot) if len(spot.pays) > 1 and not layout.spots[spot.key].is_odds else _bars(spot)
        place = _named(layout, spot, Region(x, area.y, width, area.height), marks)
        drawing.put(place)
        if at < len(spots) - 1:
            walls.append(x + width)
        x += width + 1
    return walls


def _want(spot: Spot, printed: Printed, longest: int) -> int:
    """The columns that name, bar and chips ask for; the names of odds may be shortened."""
    name = len(label(spot, longest if spot.is_odds else NAME))
    if spot.number:
        return name + CHIPS + 1
    return name + len(short_price(spot)) + (5 if spot.is_odds else 6) + len(_bars(printed)[0])


def _named(layout: Layout, spot: Printed, area: Region, marks: tuple[str, ...] = ("",)) -> Cell:
    known = layout.spots[spot.key]
    name = known.name
    forms = [name, *(label(known, width) for width in ((ODDS_NAME, 18, 12) if known.is_odds else (ODDS_NAME, 14, 10)))]
    plain = tuple(dict.fromkeys(form.upper() for form in forms))
    spaced = plain[0] if known.is_odds or known.number else _spaced(plain[0])
    return Cell(spot.key, area, (spaced, *plain), marks, centred=True)


def _spaced(name: str) -> str:
    return "   ".join(" ".join(word) for word in name.split())


def _row_label(layout: Layout, row: Row) -> str:
    rule = next(layout.spots[spot.key].rule for spot in row.spots if spot is not None)
    return family_label(rule, LABELS_MAX - 1)


def _bars(spot: Printed) -> tuple[str, ...]:
    """What is barred, as dice: only aces and twelve have one face."""
    if not spot.bars:
        return ("",)
    half_of = spot.bars // 2
    dice = DIE_FACES[half_of - 1] * 2 if spot.bars in (2, 12) else str(spot.bars)
    return (f"BAR {dice}",)


def _field_marks(spot: Printed) -> tuple[str, ...]:
    """The field's numbers, those that pay more in a ring, and how much more."""
    if not spot.pays:
        return ("",)
    prices = [price for _, price in spot.pays]
    usual = max(set(prices), key=prices.count)
    numbers = [CIRCLED[total] if price != usual and total < len(CIRCLED) else str(total) for total, price in spot.pays]
    rings: dict[str, list[str]] = {}
    for total, price in spot.pays:
        if price != usual:
            rings.setdefault(price, []).append(CIRCLED[total])
    more = [f"{' '.join(ringed)} {_multiple(price)}" for price, ringed in rings.items()]
    wide, close = "  ".join(numbers), " ".join(numbers)
    return (f"{wide}   {', '.join(more)}", f"{close}  {', '.join(more)}", close)


def _multiple(price: str) -> str:
    for times, word in MULTIPLES.items():
        if price == f"{times}:1":
            return word
    return price


# --- The stick's box ------------------------------------------------------------------------------------------------


class Section(NamedTuple):
    group: Group
    rows: tuple[tuple[Printed, ...], ...]
    height: int = 1


def stick(layout: Layout, groups: Sequence[Group], width: int, height: int) -> Drawing | None:
    """Draw these parts of the stick's box, exactly so high; None where they do not fit."""
    for longest in (40, 18, 12):
        sections = [_section(layout, group, width - 2, longest) for group in groups]
        if _stick_height(sections) <= height:
            break
    else:
        return None
    for high in (2, 3, 4):
        for at, section in enumerate(sections):
            taller = [*sections[:at], section._replace(height=high), *sections[at + 1 :]]
            if section.height < high and _stick_height(taller) <= height:
                sections = taller
    drawing = Drawing(Canvas(width, height, LINE))
    canvas, y = drawing.canvas, 0
    canvas.box(0, 0, width, height)
    for at in range(len(sections)):
        canvas.across(0, _stick_height(sections[:at]) - 1, width - 1)
    for section in sections:
        canvas.write(2, y, f" {section.group.title} ", LABEL)
        y += 1
        for row in section.rows:
            last = row is sections[-1].rows[-1]
            _stick_row(drawing, layout, row, Region(1, y, width - 2, height - 1 - y if last else section.height))
            y += section.height
    return drawing


def stick_height(layout: Layout, groups: Sequence[Group], width: int) -> int:
    """The fewest lines these parts of the stick's box need with their names whole enough."""
    return _stick_height([_section(layout, group, width - 2, 12) for group in groups])


def _stick_height(sections: Sequence[Section]) -> int:
    return 1 + sum(1 + len(section.rows) * section.height for section in sections)


def _section(layout: Layout, group: Group, width: int, longest: int) -> Section:
    """A group in equal columns; wagers that count are as wide as what they count, in two lines if need be."""
    wants = [_stick_want(layout.spots[spot.key], longest) for spot in group.spots]
    if any(layout.spots[spot.key].counts for spot in group.spots):
        high = 1 if max(wants) <= width else 2
        wants = wants if high == 1 else [_counting_want(layout.spots[spot.key]) for spot in group.spots]
        return Section(group, tuple(_packed(group.spots, wants, width)), high)
    columns = max(1, (width + 1) // (max(wants) + 1))
    lines = -(-len(group.spots) // columns)
    columns = -(-len(group.spots) // lines)
    rows = tuple(group.spots[start : start + columns] for start in range(0, len(group.spots), columns))
    return Section(group, rows)


def _packed(spots: Sequence[Printed], wants: Sequence[int], width: int) -> Iterator[tuple[Printed, ...]]:
    """As many in a row as have room beside each other in equal shares."""
    row: list[Printed] = []
    widest = 0
    for spot, want in zip(spots, wants, strict=True):
        widest = max(widest, want)
        if row and (widest + 1) * (len(row) + 1) > width + 1:
            yield tuple(row)
            row, widest = [], want
        row.append(spot)
    yield tuple(row)


def _stick_want(spot: Spot, longest: int) -> int:
    price = len(short_price(spot)) + (0 if spot.rule.made.value == "any time" else len("()"))
    chips = price + 2 if any(spot.pair) else max(CHIPS, price) + 2
    return len(_stick_name(spot, longest)) + chips + _come_width(spot)


def _counting_want(spot: Spot) -> int:
    return max(len(spot.name) + 1 + len(short_price(spot)), _come_width(spot) + len("●25")) + 1


def _come_width(spot: Spot) -> int:
    often = "x2" if spot.counts_again else ""
    return len(" ✓") + sum(len(f" {number}{often}") for number in set(spot.counts)) if spot.counts else 0


def _stick_name(spot: Spot, longest: int) -> str:
    return "-".join(map(str, spot.pair)) if any(spot.pair) else label(spot, longest)


def _stick_row(drawing: Drawing, layout: Layout, row: tuple[Printed, ...], area: Region) -> None:
    x = area.x
    for at, spot in enumerate(row):
        known = layout.spots[spot.key]
        left = len(row) - at
        width = (area.right - x - (left - 1)) // left
        names = tuple(dict.fromkeys(_stick_name(known, longest).upper() for longest in (40, 18, 12)))
        drawing.put(Cell(spot.key, Region(x, area.y, width, area.height), names, centred=not any(known.pair)))
        x += width + 1
        if at < len(row) - 1:
            drawing.canvas.wall(x - 1, area.y, area.bottom)


def spelled(point: int) -> str:
    return NUMBER_NAMES.get(point, str(point))


def moved(places: Iterable[Cell], x: int, y: int) -> Iterator[Cell]:
    for place in places:
        yield place._replace(area=place.area.translate((x, y)))
