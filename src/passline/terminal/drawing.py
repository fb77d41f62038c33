"""Where everything lies on a felt of so many columns and lines: pure, so that it can be tried without a screen.

One half of a layout as players know it: the numbers' boxes behind, then come, field and the don't pass bar, with the
pass line round them in an L; and the stick's box with what is bet on one roll.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, groupby, islice
from typing import NamedTuple

from textual.geometry import Region

from passline.engine.layout import Layout, Spot
from passline.sitting.plan import Group, Plan, Printed, Row, Strip
from passline.telling.names import family_label, label, short_price

# The two numbers that a felt spells out, because they look alike from the other side.
NUMBER_NAMES = {6: "SIX", 9: "NINE"}

DIE_FACES = "⚀⚁⚂⚃⚄⚅"
CIRCLED = "⓪①②③④⑤⑥⑦⑧⑨⑩⑪⑫"
MULTIPLES = {"2:1": "double", "3:1": "triple"}

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

Piece = tuple[str, str]  # letters in one style


class Canvas:
    """Lines and letters on a sheet of characters: borders that meet are joined as a printer would join them."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._arms = [[0] * width for _ in range(height)]
        self._letters: list[list[Piece | None]] = [[None] * width for _ in range(height)]

    def across(self, x: int, y: int, end: int) -> None:
        for at in range(x, end):
            self._arms[y][at] |= RIGHT
            self._arms[y][at + 1] |= LEFT

    def down(self, x: int, y: int, end: int) -> None:
        for at in range(y, end):
            self._arms[at][x] |= DOWN
            self._arms[at + 1][x] |= UP

    def wall(self, x: int, y: int, end: int) -> None:
        """Stand a wall between two rooms, from a line to before `end`; it joins the floors that it meets."""
        for at in range(y, end):
            self._arms[at][x] |= UP | DOWN
        for at, arm in ((y - 1, DOWN), (end, UP)):
            if self._arms[at][x] & (LEFT | RIGHT):
                self._arms[at][x] |= arm

    def box(self) -> None:
        """Lines all round the sheet."""
        right, bottom = self.width - 1, self.height - 1
        self.across(0, 0, right)
        self.across(0, bottom, right)
        self.down(0, 0, bottom)
        self.down(right, 0, bottom)

    def write(self, x: int, y: int, text: str, style: str, end: int | None = None) -> None:
        """Write over whatever is there, as far as the sheet goes, or to before `end`."""
        end = self.width if end is None else end
        if 0 <= y < self.height:
            for at, letter in enumerate(text[: max(0, end - x)], x):
                self._letters[y][at] = (letter, style)

    def copy(self) -> "Canvas":
        other = Canvas(self.width, self.height)
        other._arms = self._arms
        other._letters = [list(line) for line in self._letters]
        return other

    def pieces(self) -> list[list[Piece]]:
        """The whole sheet, line by line, in pieces of one style."""
        sheet = []
        for arms, letters in zip(self._arms, self._letters, strict=True):
            cells = (letter or (JOINED[arm], LINE) for arm, letter in zip(arms, letters, strict=True))
            pieces = groupby(cells, key=lambda cell: cell[1])
            sheet.append([("".join(letter for letter, _ in piece), style) for style, piece in pieces])
        return sheet


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
    layout: Layout
    places: dict[str, Cell] = field(default_factory=dict)
    numbers: dict[int, Region] = field(default_factory=dict)

    def put(self, place: Cell) -> None:
        self.places[place.key] = place


# --- The half with the numbers --------------------------------------------------------------------------------------


class Band(NamedTuple):
    """One line of the numbers' boxes: a row, or a come bet's row with its odds."""

    rows: tuple[Row, ...]
    height: int = 1


def bands_of(rows: Iterable[Row], box: int) -> list[Band]:
    """The lines inside boxes so wide, the back first."""
    bands: list[Band] = []
    for row in rows:
        if row.kind == "odds" and bands:
            bands[-1] = Band((*bands[-1].rows, row), 1 if box >= SPLIT_MIN else 2)
        else:
            bands.append(Band((row,)))
    return bands


class Rooms(NamedTuple):
    """How high every part is, for the height that a screen has."""

    bands: Sequence[Band]
    strips: dict[str, int]
    ruled: bool = False  # whether lines divide come, field and don't pass
    gaps: bool = False  # whether lines divide what lies inside a number's box

    @property
    def height(self) -> int:
        boxes = 1 + sum(band.height for band in self.bands) + (len(self.bands) - 1 if self.gaps and self.bands else 0)
        inner = len(self.strips) - ("line" in self.strips)
        return boxes + 4 + sum(self.strips.values()) + (inner - 1 if self.ruled and inner else 0)

    def higher(self, strip: str) -> "Rooms":
        return self._replace(strips=self.strips | {strip: self.strips[strip] + 1})


def rooms(bands: Sequence[Band], strips: Iterable[str], height: int, *, fill: bool) -> Rooms:
    """Gives the parts as much height as there is, the most useful first; to fill it, the strips have all of it."""
    room = Rooms(bands, dict.fromkeys(strips, 1))
    wishes = [room, room._replace(ruled=True)]
    for strip in ("line", "dont line", "field", "come"):
        if strip in room.strips:
            wishes.append(wishes[-1].higher(strip))
    wishes.append(wishes[-1]._replace(gaps=True))
    room = next((wish for wish in reversed(wishes) if wish.height <= height), room)
    if fill:
        grow = [strip for strip in ("line", "come", "dont line", "field") if strip in room.strips]
        for strip in islice(cycle(grow), max(0, height - room.height)):
            room = room.higher(strip)
    return room


def half(  # noqa: PLR0913 - where, how large, and what of it
    layout: Layout, plan: Plan, rows: Iterable[Row], width: int, height: int, *, fill: bool = False
) -> Drawing:
    """Draw the half with the numbers, as high as it wants to be and at most `height`; to fill it, exactly so high."""
    count = len(plan.points)
    labels = max([LABELS_MIN, *(len(_row_label(layout, row)) + 1 for row in plan.rows if row.kind != "odds")])
    box = (width - 2 - min(labels, LABELS_MAX)) // count - 1
    first = width - 1 - count * (box + 1)
    strips: dict[str, Strip] = {strip.where: strip for strip in plan.lines}
    inner: list[str] = [where for where in ("come", "field", "dont line") if where in strips]
    if "big" in strips and "dont line" not in strips:
        inner.append("big")
    room = rooms(bands_of(rows, box), [where for where in (*inner, "line") if where in strips], height, fill=fill)
    drawing = Drawing(Canvas(width, room.height), layout)
    drawing.canvas.box()
    floor = _boxes(drawing, plan.points, strips.get("dont come"), room, first=first, box=box)
    _lines(drawing, strips, inner, room, floor)
    return drawing


def _boxes(  # noqa: PLR0913 - everything that was measured
    drawing: Drawing, points: Sequence[int], bar: Strip | None, room: Rooms, *, first: int, box: int
) -> int:
    """The numbers' boxes with what lies in them; says which line is their floor."""
    canvas, columns, y = drawing.canvas, [first + at * (box + 1) + 1 for at in range(len(points))], 2
    drawing.numbers = {point: Region(x, 1, box, 1) for point, x in zip(points, columns, strict=True)}
    for at, band in enumerate(room.bands):
        if room.gaps and at:
            canvas.across(0 if at == 1 and bar else first, y, canvas.width - 1)
            y += 1
        if at or bar is None:
            canvas.write(2, y, _row_label(drawing.layout, band.rows[0]), LABEL)
        for row, line in enumerate(band.rows):
            for x, spot in zip(columns, line.spots, strict=True):
                if spot is not None:
                    drawing.put(Cell(spot.key, _inside(x, y, box, row, band), centred=len(band.rows) == 1))
        y += band.height
    for x in columns:
        canvas.down(x - 1, 0, y)
    canvas.across(0, y, canvas.width - 1)
    if bar is not None:
        printed, height = bar.spots[0], 1 + room.bands[0].height
        drawing.put(_named(drawing.layout, printed, Region(1, 1, first - 1, height), _bars(printed)))
    return y


def _inside(x: int, y: int, box: int, row: int, band: Band) -> Region:
    if len(band.rows) == 1:
        return Region(x, y, box, band.height)
    if band.height > 1:
        return Region(x, y + row, box, 1)
    left = box // 2
    return Region(x, y, left, 1) if row == 0 else Region(x + left, y, box - left, 1)


def _lines(drawing: Drawing, strips: dict[str, Strip], inner: list[str], room: Rooms, floor: int) -> None:
    """Come, field and the don't pass bar, with the line round them."""
    canvas, line = drawing.canvas, strips.get("line")
    left = UPRIGHT + 1 if line is not None else 0
    y, walls = floor, []
    for at, where in enumerate(inner):
        ruled = at == 0 or room.ruled
        if ruled and at:
            canvas.across(left, y, canvas.width - 1)
        spots = strips[where].spots
        if where == "dont line" and "big" in strips:
            spots = (*strips["big"].spots, *spots)
        area = Region(left + 1, y + ruled, canvas.width - left - 2, room.strips[where])
        walls += _beside(drawing, spots, area)
        y = area.bottom
    if line is not None:
        canvas.down(left, floor, y)
        canvas.across(left, y, canvas.width - 1)
        walls += _beside(drawing, line.spots, Region(1, y + 1, canvas.width - 2, room.strips["line"]))
        printed, upright = line.spots[0], Region(1, floor + 1, UPRIGHT, y - floor)
        drawing.put(drawing.places[printed.key]._replace(beside=upright))
        words = (printed.name, printed.name.split()[0], "")
        letters = next(word for word in words if len(word) <= upright.height).upper()
        for down, letter in enumerate(letters, upright.y + (upright.height - len(letters)) // 2):
            canvas.write(2, down, letter, PRINT)
    for wall in walls:
        canvas.wall(*wall)


def _beside(drawing: Drawing, spots: Sequence[Printed], area: Region) -> list[tuple[int, int, int]]:
    """Spots side by side in a strip, each as wide as its words ask for; says where walls must stand."""
    known = [drawing.layout.spots[spot.key] for spot in spots]
    wants: list[int] = []
    for longest in (ODDS_NAME, 18, 14, 12):
        wants = [_want(*both, longest) for both in zip(known, spots, strict=True)]
        if sum(wants) + len(spots) - 1 <= area.width:
            break
    flat = [not spot.is_odds and not spot.number for spot in known]
    walls: list[tuple[int, int, int]] = []
    x, spare = area.x, area.width - sum(wants) - (len(spots) - 1)
    for at, spot in enumerate(spots):
        share = spare // (sum(flat) or len(spots)) if flat[at] or not any(flat) or spare < 0 else 0
        width = area.right - x if at == len(spots) - 1 else max(6, wants[at] + share)
        marks = _field_marks(spot) if len(spot.pays) > 1 and not known[at].is_odds else _bars(spot)
        drawing.put(_named(drawing.layout, spot, Region(x, area.y, width, area.height), marks))
        x += width + 1
        walls.append((x - 1, area.y, area.bottom))
    return walls[:-1]


def _want(spot: Spot, printed: Printed, longest: int) -> int:
    """The columns that name, bar and chips ask for; the names of odds may be shortened."""
    name = len(label(spot, longest if spot.is_odds else NAME))
    if spot.number:
        return name + CHIPS + 1
    return name + len(short_price(spot)) + (5 if spot.is_odds else 6) + len(_bars(printed)[0])


def _named(layout: Layout, printed: Printed, area: Region, marks: tuple[str, ...]) -> Cell:
    spot = layout.spots[printed.key]
    shorter = (label(spot, width) for width in ((ODDS_NAME, 18, 12) if spot.is_odds else (ODDS_NAME, 14, 10)))
    plain = tuple(dict.fromkeys(form.upper() for form in (spot.name, *shorter)))
    spaced = plain[0] if spot.is_odds or spot.number else "   ".join(" ".join(word) for word in plain[0].split())
    return Cell(spot.key, area, (spaced, *plain), marks, centred=True)


def _row_label(layout: Layout, row: Row) -> str:
    rule = next(layout.spots[spot.key].rule for spot in row.spots if spot is not None)
    return family_label(rule, LABELS_MAX - 1)


def _bars(spot: Printed) -> tuple[str, ...]:
    """What is barred, as dice: only aces and twelve have one face."""
    if not spot.bars:
        return ("",)
    dice = DIE_FACES[spot.bars // 2 - 1] * 2 if spot.bars in (2, 12) else str(spot.bars)
    return (f"BAR {dice}",)


def _field_marks(spot: Printed) -> tuple[str, ...]:
    """The field's numbers, those that pay more in a ring, and how much more."""
    prices = [price for _, price in spot.pays]
    usual = max(set(prices), key=prices.count)
    numbers, rings = [], dict[str, list[str]]()
    for total, price in spot.pays:
        numbers.append(str(total) if price == usual else CIRCLED[total])
        if price != usual:
            rings.setdefault(price, []).append(CIRCLED[total])
    more = ", ".join(f"{' '.join(ringed)} {MULTIPLES.get(price, price)}" for price, ringed in rings.items())
    wide, close = "  ".join(numbers), " ".join(numbers)
    return (f"{wide}   {more}", f"{close}  {more}", close)


# --- The stick's box ------------------------------------------------------------------------------------------------


class Section(NamedTuple):
    group: Group
    rows: tuple[tuple[Printed, ...], ...]
    height: int = 1


def stick(layout: Layout, groups: Sequence[Group], width: int, height: int) -> Drawing | None:
    """Draw these parts of the stick's box, exactly so high; None where they do not fit."""
    for longest in (40, 18, 12):
        sections = [_section(layout, group, width - 2, longest) for group in groups]
        if _height(sections) <= height:
            break
    else:
        return None
    for high in (2, 3, 4):
        for at, section in enumerate(sections):
            taller = [*sections[:at], section._replace(height=high), *sections[at + 1 :]]
            if section.height < high and _height(taller) <= height:
                sections = taller
    drawing, y = Drawing(Canvas(width, height), layout), 0
    drawing.canvas.box()
    for at in range(len(sections)):
        drawing.canvas.across(0, _height(sections[:at]) - 1, width - 1)
    for section in sections:
        drawing.canvas.write(2, y, f" {section.group.title} ", LABEL)
        y += 1
        for row in section.rows:
            last = row is sections[-1].rows[-1]
            _stick_row(drawing, row, Region(1, y, width - 2, height - 1 - y if last else section.height))
            y += section.height
    return drawing


def stick_height(layout: Layout, groups: Sequence[Group], width: int) -> int:
    """The fewest lines these parts of the stick's box need with their names whole enough."""
    return _height([_section(layout, group, width - 2, 12) for group in groups])


def _height(sections: Sequence[Section]) -> int:
    return 1 + sum(1 + len(section.rows) * section.height for section in sections)


def _section(layout: Layout, group: Group, width: int, longest: int) -> Section:
    """A group in equal columns; wagers that count are as wide as what they count, in two lines if need be."""
    spots = [layout.spots[spot.key] for spot in group.spots]
    wants = [_stick_want(spot, longest) for spot in spots]
    if any(spot.counts for spot in spots):
        high = 1 if max(wants) <= width else 2
        wants = wants if high == 1 else [_counting_want(spot) for spot in spots]
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


def _stick_row(drawing: Drawing, row: tuple[Printed, ...], area: Region) -> None:
    x = area.x
    for left, spot in zip(range(len(row), 0, -1), (drawing.layout.spots[printed.key] for printed in row), strict=True):
        width = (area.right - x - (left - 1)) // left
        names = tuple(dict.fromkeys(_stick_name(spot, longest).upper() for longest in (40, 18, 12)))
        drawing.put(Cell(spot.key, Region(x, area.y, width, area.height), names, centred=not any(spot.pair)))
        x += width + 1
        if left > 1:
            drawing.canvas.wall(x - 1, area.y, area.bottom)
