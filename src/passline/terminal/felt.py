"""The felt: a drawing of the house's layout with everybody's chips on it, and a cursor that goes from spot to spot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from passline.sitting.plan import SIDE_BETS, Group, Plan, Row, plan
from passline.sitting.spots import Look, look
from passline.terminal import drawing
from passline.terminal.drawing import Canvas, Cell, Drawing, Piece

if TYPE_CHECKING:
    from passline.odds.wagers import WagerOdds
    from passline.sitting.sitting import Sitting

STICK_WIDTH = 42
BESIDE_MIN = 118
FELT_MIN = 14
LOG_MIN = 3

Direction = Literal["up", "down", "left", "right"]

STAKE = "bold #101010 on #f2d16b"
# Chips that do not work on the next roll: a ring for a disc, and the word off where there is room.
RESTING = "bold #101010 on #b9a56a"
OPEN, CLOSED, QUIET, PRICE = "#f3f6ee", "#86a596", "#a9c4b4", "#ffe9a8"
HERE = "bold #06201a on #a8e0c8"
UNDER = "on #1d6b4f"

GAP = "  "
CUT = "…"
EDGE_WIDTH = 24  # a narrower spot of one line has no room for its edge, so that neighbours look alike

ON, OFF = "bold #101010 on #ffffff", "bold #ffffff on #000000"
OFF_PUCK = " OFF "  # it lies beside the numbers, over the don't come

Page = str  # `numbers`, the stick's `props`, or `side`: the side bets of a house that has many

CALLED: Final[dict[Page, str]] = {"numbers": "the numbers and lines", "props": "the stick's box", "side": "side bets"}


class Parts(NamedTuple):
    """What is drawn: the dealers' side, the stick's beside it or alone, each from its column, and the pages seen."""

    drawings: tuple[tuple[Drawing, int], ...]
    seen: tuple[Page, ...]

    @property
    def highest(self) -> Drawing:
        return max((part for part, _ in self.drawings), key=lambda part: part.canvas.height)


class Felt(Widget):
    """The whole layout of a house; where the screen is small, parts of it are pages of their own."""

    @dataclass
    class Asked(Message):
        key: str
        more: bool

    @dataclass
    class Seen(Message):
        key: str | None

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(id="felt")
        self.sitting = sitting
        self.plan: Plan = plan(sitting.layout)
        sheets: dict[Page, list[Group]] = {"props": [], "side": []}
        for group in self.plan.props:
            sheets["side" if group.title == SIDE_BETS else "props"].append(group)
        self._groups = {page: groups for page, groups in sheets.items() if groups}
        self.pages: tuple[Page, ...] = ("numbers", *self._groups)
        self.page: Page = "numbers"
        self.cursor: str = next(iter(self.plan.keys))
        self.everything = False  # whether the rows that only those who know them ask for are shown
        self._hovered: str | None = None
        self._looks: dict[str, Look] = {}
        self._lines: list[list[Piece]] | None = None
        self._drawn: tuple[object, Parts] | None = None

    # --- What is drawn ----------------------------------------------------------------------------------------------

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows that are always shown, are asked for, or hold chips of the person's."""
        felt = self.sitting.felt
        return tuple(
            row
            for row in self.plan.rows
            if not row.on_request or self.everything or any(spot is not None and spot.key in felt for spot in row.spots)
        )

    def wanted(self, width: int, room: int) -> int:
        """How many of so many lines the felt should have, so that the log has its share."""
        layout, rows, wide = self.sitting.layout, self.rows, _stick_width(width)
        share = room - max(0, room - FELT_MIN) // 3
        if width >= BESIDE_MIN:
            for pages in self._boxes():
                least = drawing.stick_height(layout, self._on(pages), wide)
                if least <= room - LOG_MIN:
                    half = drawing.half(layout, self.plan, rows, width - wide, share).canvas.height
                    return min(room, max(least, half))
        half = drawing.half(layout, self.plan, rows, width, share).canvas.height
        if self.page != "numbers" and width < BESIDE_MIN:
            half = max(half, drawing.stick_height(layout, self._groups[self.page], wide))
        return min(room, half)

    def _on(self, pages: Sequence[Page]) -> list[Group]:
        return [group for page in pages for group in self._groups[page]]

    def _boxes(self) -> Iterator[tuple[Page, ...]]:
        """What may stand beside the numbers, the best first: everything of the stick's, or the sheet that is up."""
        boxes = self.pages[1:]
        if boxes:
            yield boxes
        if len(boxes) > 1:
            yield (self.page if self.page != "numbers" else boxes[0],)

    def _draw(self, width: int, height: int) -> Parts:
        """Both parts side by side where both fit, else the page that is up."""
        layout, rows, wide = self.sitting.layout, self.rows, _stick_width(width)
        for pages in self._boxes() if width >= BESIDE_MIN else ():
            if box := drawing.stick(layout, self._on(pages), wide, height):
                half = drawing.half(layout, self.plan, rows, width - wide, height, fill=True)
                return Parts(((half, 0), (box, width - wide)), ("numbers", *pages))
        page: Drawing | None
        if self.page == "numbers":
            page = drawing.half(layout, self.plan, rows, width, height, fill=True)
        else:
            groups = self._groups[self.page]
            page = drawing.stick(layout, groups, width, max(height, drawing.stick_height(layout, groups, width)))
        assert page is not None, "it is as high as it needs to be"
        return Parts(((page, 0),), (self.page,))

    @property
    def _parts(self) -> Parts:
        now = (self.size, self.page, self.rows)
        if self._drawn is None or self._drawn[0] != now:
            self._drawn = (now, self._draw(*self.size))
        return self._drawn[1]

    @property
    def places(self) -> dict[str, Cell]:
        """Every spot that can be seen, in reading order."""
        up = -self._scrolled
        return {
            key: place._replace(area=place.area.translate((x, up)))
            for part, x in self._parts.drawings
            for key, place in part.places.items()
        }

    @property
    def _scrolled(self) -> int:
        """How many lines of a page that is higher than the screen are above it, so that the cursor is seen."""
        highest = self._parts.highest
        over = highest.canvas.height - self.size.height
        place = highest.places.get(self.cursor) if over > 0 else None
        return min(over, max(0, place.area.bottom + 1 - self.size.height)) if place else 0

    @property
    def _more_below(self) -> bool:
        return self.is_paged and self._scrolled + self.size.height < self._parts.highest.canvas.height

    @property
    def is_paged(self) -> bool:
        return len(self._parts.seen) < len(self.pages)

    def _beyond(self, by: int) -> list[Page]:
        """The pages before or after the one that is up, the nearest first, as far as they cannot be seen."""
        at = self.pages.index(self.page)
        pages = self.pages[at + 1 :] if by > 0 else self.pages[:at][::-1]
        return [page for page in pages if page not in self._parts.seen]

    def show(self, figures: Mapping[str, WagerOdds]) -> None:
        self._looks = {key: look(self.sitting, key, figures) for key in self.plan.keys}
        self.redraw()

    def lines(self) -> list[list[Piece]]:
        """The drawing with a spot's chips where it lies."""
        if not self.size.area:
            return []
        sheets = [self._sheet(part) for part, _ in self._parts.drawings]
        return [[piece for line in lines for piece in line] for lines in zip(*sheets, strict=False)][self._scrolled :]

    def render_line(self, y: int) -> Strip:
        if self._lines is None:
            self._lines = self.lines()
        base = self.rich_style
        pieces = self._lines[y] if y < len(self._lines) else []
        strip = Strip([Segment(text, base + Style.parse(style)) for text, style in pieces])
        return strip.adjust_cell_length(self.size.width, base)

    def redraw(self) -> None:
        self._lines = None
        self.refresh()

    def on_resize(self) -> None:
        self.redraw()

    def _sheet(self, part: Drawing) -> list[list[Piece]]:
        canvas = part.canvas.copy()
        for key, place in part.places.items():
            if key in self._looks:
                draw(canvas, place, self._looks[key], here=key == self.cursor, under=key == self._hovered)
        puck = self.sitting.state.puck
        for point, head in part.numbers.items():
            name = drawing.NUMBER_NAMES.get(point, str(point))
            style = drawing.SPELLED if point in drawing.NUMBER_NAMES else drawing.PRINT
            if point == puck:
                forms = (f"●ON {name}●", f"ON {name}", f"ON {point}", f"ON{point}")
                name, style = next((form for form in forms if len(form) <= head.width), name), ON
            canvas.write(head.x + max(0, (head.width - len(name)) // 2), head.y, name[: head.width], style)
        if part.numbers and not puck:
            canvas.write(next(iter(part.numbers.values())).x - len(OFF_PUCK) - 2, 0, OFF_PUCK, OFF)
        if part.numbers and len(self.rows) < len(self.plan.rows):
            canvas.write(2, 0, " m: more ", CLOSED)
        if self.is_paged and part is self._parts.drawings[-1][0]:
            last = min(canvas.height, self._scrolled + self.size.height) - 1
            if self._more_below:
                canvas.write(0, last, "┄" * canvas.width, CLOSED)
            canvas.write(3, last, self._way(), CLOSED)
        return canvas.pieces()

    def _way(self) -> str:
        """How to reach the pages that are not up, with what lies on them."""
        ways = []
        for key, pages in (("PgUp", self._beyond(-1)), ("PgDn", self._beyond(1))):
            if pages:
                up = sum(wager.stake for each, wager in self.sitting.felt.items() if self.page_of(each) in pages)
                chips = f", {self.sitting.layout.money(up)} up" if up else ""
                titles = ", ".join(group.title.lower() for group in self._on(pages)) if self.page == "numbers" else ""
                ways.append(f"{key}: {CALLED[pages[0]]}{f' ({titles})' if titles else ''}{chips}")
        return f" {'; '.join(ways)}{'; more below' * self._more_below} "

    # --- Going from spot to spot ------------------------------------------------------------------------------------

    def turn(self, page: Page) -> None:
        """Bring a page up; where it is seen already, this changes nothing."""
        self.page = page
        self.redraw()

    def leaf(self, by: int) -> None:
        at = self.pages.index(self.page) + by
        if 0 <= at < len(self.pages):
            self.go(self._keys_on(self.pages[at])[0])

    def page_of(self, key: str) -> Page:
        pages = (page for page, groups in self._groups.items() if any(key == s.key for g in groups for s in g.spots))
        return next(pages, "numbers")

    def _keys_on(self, page: Page) -> list[str]:
        return [key for key in self.plan.keys if self.page_of(key) == page]

    @property
    def _hidden(self) -> set[str]:
        rows = self.rows
        return {spot.key for row in self.plan.rows if row not in rows for spot in row.spots if spot is not None}

    def go(self, key: str) -> None:
        self.everything = self.everything or key in self._hidden
        if self.page_of(key) != self.page:
            self.turn(self.page_of(key))
        self.cursor = key
        self._hovered = None
        self.redraw()
        self.post_message(self.Seen(key))

    def move(self, direction: Direction) -> None:
        """Moves the cursor to the next spot in a direction; past the end of a page, to the other page."""
        places = self.places
        if self.cursor not in places:
            self.go(next(iter(places)))
            return
        others = [(key, place.area) for key, place in places.items() if key != self.cursor]
        target = nearest(places[self.cursor].area, others, direction)
        if target is None and direction in ("up", "down"):
            down = direction == "down"
            if beyond := self._beyond(1 if down else -1):
                target = self._keys_on(beyond[0])[0 if down else -1]
        if target is not None:
            self.go(target)

    def step(self, by: int) -> None:
        hidden = self._hidden
        keys: list[str] = [key for key in self.plan.keys if key not in hidden]
        self.go(keys[(keys.index(self.cursor) + by if self.cursor in keys else 0) % len(keys)])

    # --- The mouse --------------------------------------------------------------------------------------------------

    def at(self, x: int, y: int) -> str | None:
        if self._more_below and y == self.size.height - 1:
            return None
        return next((key for key, place in self.places.items() if place.holds(x, y)), None)

    def on_click(self, event: events.Click) -> None:
        """A click adds the chosen chip, a right click takes it off; on the lower edge it turns the page."""
        event.stop()
        key = self.at(event.x, event.y)
        if key is not None:
            self.go(key)
            self.post_message(self.Asked(key, more=event.button == 1))
        elif self.is_paged and event.y == self.size.height - 1:
            self.go(self._keys_on([*self._beyond(1), *self._beyond(-1)][0])[0])

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._look(self.at(event.x, event.y))

    def on_leave(self) -> None:
        self._look(None)

    def _look(self, key: str | None) -> None:
        if key != self._hovered:
            self._hovered = key
            self.redraw()
            self.post_message(self.Seen(key))


def _stick_width(width: int) -> int:
    return max(STICK_WIDTH, width // 3) if width >= BESIDE_MIN else width


# --- One spot -------------------------------------------------------------------------------------------------------


def draw(canvas: Canvas, place: Cell, seen: Look, *, here: bool = False, under: bool = False) -> None:
    """Write a spot: what is printed, then chips or price; a closed spot's price stands in brackets."""
    left, top, width, height = place.area
    ground = HERE if here else UNDER if under else ""
    for y in range(top, top + height):
        canvas.write(left, y, " " * width, ground)
    lines = _named(place, seen) if place.names else [_value(seen, width - 1)]
    for y, pieces in enumerate(lines, top + (height - len(lines)) // 2):
        spare = width - _length(pieces)
        x = left + (spare // 2 if place.centred and spare > 1 else min(1, max(0, spare)))
        for text, style in pieces:
            canvas.write(x, y, text, f"{style} {ground}", left + width)
            x += len(text)
    if here:
        canvas.write(left, top + (height - 1) // 2, "▸", ground)


def _length(pieces: Iterable[Piece]) -> int:
    return sum(len(text) for text, _ in pieces)


def _named(place: Cell, seen: Look) -> list[list[Piece]]:
    """Name and value on a line, or one above the other where there are two; the first way that fits."""
    width, stacked = place.area.width - 1, place.area.height > 1
    ink = OPEN if seen.open or seen.stake else CLOSED
    plain = next((name for name in _whole(place.names[1:] or place.names) if len(name) <= width), place.names[-1])
    if stacked and place.marks[0] and len(plain) + len(GAP) + len(place.marks[0]) > width:
        printed = f"{place.marks[0]} "
        return [[(plain, f"bold {ink}")], [(printed, ink), *_value(seen, width - len(printed))]]
    name = head = place.names[-1]
    more = ""
    value: list[Piece] = []
    for name, mark, more, company in _ways(place, seen):
        value = _value(seen, width, company=company)
        head = f"{name}{GAP}{mark}" if mark else name
        wide_value = _length(value) + len(more)
        if max(len(head), wide_value) <= width if stacked else len(head) + len(GAP) + wide_value <= width:
            break
    if seen.come and (stacked or len(name) + 3 + _length(value) + len(seen.come) <= width):
        more = f" {seen.come}"
    tail = [*value, (more, OPEN if seen.come else QUIET)]
    if stacked:
        return [[(head, f"bold {ink}")], tail]
    gap = GAP if len(head) + len(GAP) + _length(tail) <= width else " "
    return [[(head + gap, f"bold {ink}"), *tail]]


def _ways(place: Cell, seen: Look) -> Iterator[tuple[str, str, str, bool]]:
    """Name, mark, edge and company, from the widest to the narrowest; a name is cut only when all else is gone."""
    wide = place.area.height > 1 or place.area.width >= EDGE_WIDTH
    edge = f" {seen.edge}" if seen.edge and not seen.stake and wide else ""
    whole = _whole(place.names)
    yield from ((name, place.marks[0], edge, True) for name in whole[:2])
    yield from ((name, mark, "", company) for name in whole for company in (True, False) for mark in place.marks)
    yield from ((name, mark, "", False) for name in place.names if name not in whole for mark in place.marks)


def _whole(names: tuple[str, ...]) -> list[str]:
    """The forms of a name that are not cut, the widest first."""
    return [name for name in names if not name.endswith(CUT)] or list(names)


def _value(seen: Look, room: int, *, company: bool = True) -> list[Piece]:
    others = f" +{seen.others}" if seen.others and company else ""
    if seen.stake:
        text, style = f"●{seen.stake}", STAKE
        if seen.mark == "off":
            text, style = f"○{seen.stake}", RESTING
        if seen.mark and len(f"{text} {seen.mark}") <= room:
            text = f"{text} {seen.mark}"
    elif seen.open:
        text, style = seen.price, PRICE
    elif seen.travelled:
        text, style, others = "", "", others.strip()
    else:
        text, style = f"({seen.price})" if len(seen.price) + 2 <= room else seen.price, CLOSED
    return [(text, style), *([(others, QUIET)] if len(text) + len(others) <= room else [])]


def nearest(here: Region, others: Iterable[tuple[str, Region]], direction: Direction) -> str | None:
    """The spot that lies next in a direction: straight ahead, or up and down the least to the side."""
    ways = {}
    for key, there in others:
        ahead, aside = _away(here, there, direction)
        if ahead > 0 and not (aside and direction in ("left", "right")):
            ways[key] = ahead, aside
    return min(ways, key=ways.__getitem__, default=None)


def _away(here: Region, there: Region, direction: Direction) -> tuple[int, int]:
    """How far ahead, and how far to the side."""
    middle, down, right = here.x + here.width // 2, there.y - here.y, there.x - here.x
    across = 0 if there.x <= middle < there.right else abs(there.x + there.width // 2 - middle)
    return {
        "up": (-down, across),
        "down": (down, across),
        "left": (-right, abs(down)),
        "right": (right, abs(down)),
    }[direction]
