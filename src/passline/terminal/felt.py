"""The felt: a drawing of the house's layout with everybody's chips on it, and a cursor that goes from spot to spot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from passline.engine.values import WagerKey
from passline.sitting.plan import SIDE_BETS, Group, Plan, plan
from passline.sitting.spots import Look, look
from passline.terminal import drawing
from passline.terminal.drawing import Cell, Drawing

if TYPE_CHECKING:
    from textual.geometry import Region

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
    """What is drawn: the dealers' side, the stick's beside it or alone, where that starts, and the pages seen."""

    left: Drawing | None
    right: Drawing | None
    x: int
    seen: tuple[Page, ...]


class Felt(Widget):
    """The whole layout of a house; where the screen is small, parts of it are pages of their own."""

    class Asked(Message):
        def __init__(self, key: str, *, more: bool) -> None:
            super().__init__()
            self.key, self.more = key, more

    class Seen(Message):
        def __init__(self, key: str | None) -> None:
            super().__init__()
            self.key = key

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(id="felt")
        self.sitting = sitting
        self.plan: Plan = plan(sitting.layout)
        self._groups: dict[Page, tuple[Group, ...]] = {
            "props": tuple(group for group in self.plan.props if group.title != SIDE_BETS),
            "side": tuple(group for group in self.plan.props if group.title == SIDE_BETS),
        }
        self.pages: tuple[Page, ...] = ("numbers", *(page for page, groups in self._groups.items() if groups))
        self.page: Page = "numbers"
        self.cursor: str = next(iter(self.plan.keys))
        self.everything = False  # whether the rows that only those who know them ask for are shown
        self._hovered: str | None = None
        self._looks: dict[str, Look] = {}
        self._lines: list[list[tuple[str, str]]] | None = None
        self._drawn: tuple[object, Parts] | None = None

    # --- What is drawn ----------------------------------------------------------------------------------------------

    @property
    def visible_rows(self) -> frozenset[str]:
        """The rows that are asked for, or hold chips of the person's."""
        felt = self.sitting.felt
        return frozenset(
            row.name
            for row in self.plan.rows
            if row.on_request and (self.everything or any(spot is not None and spot.key in felt for spot in row.spots))
        )

    def wanted(self, width: int, room: int) -> int:
        """How many of so many lines the felt should have, so that the log has its share."""
        layout, rows = self.sitting.layout, self.visible_rows
        wide = _stick_width(width)
        share = room - max(0, room - FELT_MIN) // 3
        if width >= BESIDE_MIN:
            for pages in self._boxes():
                least = drawing.stick_height(layout, self._on(pages), wide)
                if least <= room - LOG_MIN:
                    half = drawing.half(layout, self.plan, width - wide, share, rows).canvas.height
                    return min(room, max(least, half))
        half = min(room, drawing.half(layout, self.plan, width, share, rows).canvas.height)
        if self.page == "numbers" or width >= BESIDE_MIN:
            return half
        return min(room, max(half, drawing.stick_height(layout, self._groups[self.page], wide)))

    def _on(self, pages: Sequence[Page]) -> tuple[Group, ...]:
        return tuple(group for page in pages for group in self._groups[page])

    def _boxes(self) -> Iterator[tuple[Page, ...]]:
        """What may stand beside the numbers, the best first: everything of the stick's, or the sheet that is up."""
        boxes = self.pages[1:]
        if boxes:
            yield boxes
        if len(boxes) > 1:
            yield (self.page if self.page != "numbers" else boxes[0],)

    def _draw(self, width: int, height: int) -> Parts:
        """Both parts side by side where both fit, else the page that is up."""
        layout, rows, wide = self.sitting.layout, self.visible_rows, _stick_width(width)
        for pages in self._boxes() if width >= BESIDE_MIN else ():
            box = drawing.stick(layout, self._on(pages), wide, height)
            if box is not None:
                half = drawing.half(layout, self.plan, width - wide, height, rows, fill=True)
                return Parts(half, box, width - wide, ("numbers", *pages))
        if self.page != "numbers":
            groups = self._groups[self.page]
            high = max(height, drawing.stick_height(layout, groups, width))
            return Parts(None, drawing.stick(layout, groups, width, high), 0, (self.page,))
        return Parts(drawing.half(layout, self.plan, width, height, rows, fill=True), None, 0, ("numbers",))

    @property
    def _parts(self) -> Parts:
        now = (self.size, self.page, self.visible_rows)
        if self._drawn is None or self._drawn[0] != now:
            self._drawn = (now, self._draw(*self.size))
        return self._drawn[1]

    @property
    def places(self) -> dict[str, Cell]:
        """Every spot that can be seen, in reading order."""
        left, right, x, _ = self._parts
        parts = ((part, at) for part, at in ((left, 0), (right, x)) if part is not None)
        return {
            place.key: place for part, at in parts for place in drawing.moved(part.places.values(), at, -self._scrolled)
        }

    @property
    def _highest(self) -> Drawing:
        """The part that may be higher than the screen."""
        left, right, _, _ = self._parts
        return max((part for part in (left, right) if part is not None), key=lambda part: part.canvas.height)

    @property
    def _scrolled(self) -> int:
        """How many lines of a page that is higher than the screen are above it, so that the cursor is seen."""
        over = self._highest.canvas.height - self.size.height
        place = self._highest.places.get(self.cursor) if over > 0 else None
        return min(over, max(0, place.area.bottom + 1 - self.size.height)) if place else 0

    @property
    def _more_below(self) -> bool:
        return self.is_paged and self._scrolled + self.size.height < self._highest.canvas.height

    @property
    def is_paged(self) -> bool:
        return len(self._parts.seen) < len(self.pages)

    def _beyond(self, by: int) -> tuple[Page, ...]:
        """The pages before or after the one that is up, the nearest first, as far as they cannot be seen."""
        at, seen = self.pages.index(self.page), self._parts.seen
        pages = self.pages[at + 1 :] if by > 0 else self.pages[:at][::-1]
        return tuple(page for page in pages if page not in seen)

    def show(self, figures: Mapping[str, WagerOdds]) -> None:
        self._looks = {key: look(self.sitting, key, figures) for key in self.plan.keys}
        self.redraw()

    def lines(self) -> list[list[tuple[str, str]]]:
        """The drawing with a spot's chips where it lies: each line in pieces of one style."""
        if not self.size.area:
            return []
        left, right, _, _ = self._parts
        sheets = [self._sheet(part) for part in (left, right) if part is not None]
        return [[piece for part in parts for piece in part] for parts in zip(*sheets, strict=False)][self._scrolled :]

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

    def _sheet(self, part: Drawing) -> list[list[tuple[str, str]]]:
        canvas = part.canvas.copy()
        for key, place in part.places.items():
            seen = self._looks.get(key)
            if seen is not None:
                here, under = key == self.cursor, key == self._hovered
                for at, line in enumerate(draw(place, seen, here=here, under=under)):
                    canvas.write(place.area.x, place.area.y + at, line)
        puck = self.sitting.state.puck
        for point, head in part.numbers.items():
            on = point == puck
            name = drawing.spelled(point)
            if on:
                forms = (f"●ON {name}●", f"ON {name}", f"ON {point}", f"ON{point}")
                name = next((form for form in forms if len(form) <= head.width), name)
            style = ON if on else drawing.SPELLED if point in drawing.NUMBER_NAMES else drawing.PRINT
            canvas.write(head.x + max(0, (head.width - len(name)) // 2), head.y, name[: head.width], style)
        if part.numbers and not puck:
            canvas.write(next(iter(part.numbers.values())).x - len(OFF_PUCK) - 2, 0, OFF_PUCK, OFF)
        hidden = [row.name for row in self.plan.rows if row.on_request and row.name not in self.visible_rows]
        if part.numbers and hidden:
            canvas.write(2, 0, " m: more ", CLOSED)
        if self.is_paged and part is (self._parts.right or part):
            if self._more_below:
                canvas.write(0, self._scrolled + self.size.height - 1, "┄" * canvas.width, CLOSED)
            canvas.write(3, min(canvas.height, self._scrolled + self.size.height) - 1, self._way(), CLOSED)
        return canvas.runs()

    def _way(self) -> str:
        """How to reach the pages that are not up, with what lies on them."""
        felt = self.sitting.felt
        ways = []
        for key, pages in (("PgUp", self._beyond(-1)), ("PgDn", self._beyond(1))):
            if pages:
                up = sum(wager.stake for wager_key, wager in felt.items() if self.page_of(wager_key) in pages)
                chips = f", {self.sitting.layout.money(up)} up" if up else ""
                titles = ", ".join(group.title.lower() for group in self._on(pages)) if self.page == "numbers" else ""
                ways.append(f"{key}: {CALLED[pages[0]]}{f' ({titles})' if titles else ''}{chips}")
        return f" {'; '.join(ways)}{'; more below' * self._more_below} "

    def on_resize(self) -> None:
        self.redraw()

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

    def _keys_on(self, page: Page) -> list[WagerKey]:
        return [key for key in self.plan.keys if self.page_of(key) == page]

    def go(self, key: str) -> None:
        row = next((row for row in self.plan.rows if any(spot and spot.key == key for spot in row.spots)), None)
        if row is not None and row.on_request and row.name not in self.visible_rows:
            self.everything = True
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
        visible = self.visible_rows
        hidden = {
            spot.key
            for row in self.plan.rows
            if row.on_request and row.name not in visible
            for spot in row.spots
            if spot
        }
        keys: list[str] = [key for key in self.plan.keys if key not in hidden]
        at = keys.index(self.cursor) + by if self.cursor in keys else 0
        self.go(keys[at % len(keys)])

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
            self.go(self._keys_on((*self._beyond(1), *self._beyond(-1))[0])[0])

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


def draw(place: Cell, seen: Look, *, here: bool = False, under: bool = False) -> list[Text]:
    """A spot's lines: what is printed, then chips or price; a closed spot's price stands in brackets."""
    width, height = place.area.width, place.area.height
    ink = OPEN if seen.open or seen.stake else CLOSED
    lines = _named(place, seen, ink) if place.names else [_value(seen, width - 1)]
    ground = HERE if here else UNDER if under else ""
    drawn = []
    for at in range(height):
        text = lines[at - (height - len(lines)) // 2] if 0 <= at - (height - len(lines)) // 2 < len(lines) else Text()
        before = max(1, (width - text.cell_len) // 2) if place.centred and width - text.cell_len > 1 else 1
        line = Text(" " * before, ground).append_text(text) if width > text.cell_len else text.copy()
        line.truncate(width, pad=True)
        if ground:
            line.stylize(ground)
        drawn.append(line)
    if here and drawn:
        middle = (height - 1) // 2
        drawn[middle] = Text("▸", ground) + drawn[middle][1:]
    return drawn


def _named(place: Cell, seen: Look, ink: str) -> list[Text]:
    """Name and value on a line, or one above the other where there are two; the first way that fits."""
    width, stacked = place.area.width - 1, place.area.height > 1
    name_style = f"bold {ink}"
    plain = next((name for name in _whole(place.names[1:] or place.names) if len(name) <= width), place.names[-1])
    if stacked and place.marks[0] and len(plain) + len(GAP) + len(place.marks[0]) > width:
        printed = Text(f"{place.marks[0]} ", ink)
        return [Text(plain, name_style), printed + _value(seen, width - printed.cell_len)]
    name, mark, more, value = place.names[-1], "", "", Text()
    for name, mark, more, company in _ways(place, seen):
        head = GAP.join(filter(None, (name, mark)))
        value = _value(seen, width, company=company)
        width_of_value = value.cell_len + len(more)
        if max(len(head), width_of_value) <= width if stacked else len(head) + len(GAP) + width_of_value <= width:
            break
    first = Text(name, name_style)
    if mark:
        first.append(f"{GAP}{mark}", ink)
    if (seen.come and stacked) or (seen.come and len(name) + 3 + value.cell_len + len(seen.come) <= width):
        more = f" {seen.come}"
    tail = Text.assemble(value, (more, OPEN if seen.come else QUIET))
    gap = GAP if first.cell_len + len(GAP) + tail.cell_len <= width else " "
    return [first, tail] if stacked else [Text(gap).join((first, tail))]


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


def _value(seen: Look, room: int, *, company: bool = True) -> Text:
    others = f" +{seen.others}" if seen.others and company else ""
    if seen.stake:
        chips = f"{'○' if seen.mark == 'off' else '●'}{seen.stake}"
        label = f"{chips} {seen.mark}" if seen.mark and len(chips) + 1 + len(seen.mark) <= room else chips
        text = Text(label, RESTING if seen.mark == "off" else STAKE)
    elif seen.travelled and not seen.open:
        text, others = Text(), others.strip()
    else:
        text = Text(seen.price if seen.open else f"({seen.price})", style=PRICE if seen.open else CLOSED)
        if text.cell_len > room and not seen.open:
            text = Text(seen.price, CLOSED)
    return Text.assemble(text, (others, QUIET)) if text.cell_len + len(others) <= room else text


def nearest(here: Region, others: Iterable[tuple[str, Region]], direction: Direction) -> str | None:
    """The spot that lies next in a direction: along the line of sight first, then the least to the side."""
    best: tuple[int, int] | None = None
    key_there = None
    for key, there in others:
        ahead, aside = _away(here, there, direction)
        if ahead <= 0:
            continue
        distance = (ahead, aside) if direction in ("up", "down") else (aside, ahead)
        if direction in ("left", "right") and aside:
            continue
        if best is None or distance < best:
            best, key_there = distance, key
    return key_there


def _away(here: Region, there: Region, direction: Direction) -> tuple[int, int]:
    middle, other = here.x + here.width // 2, there.x + there.width // 2
    across = 0 if there.x <= middle < there.right else abs(other - middle)
    match direction:
        case "up":
            return here.y - there.y, across
        case "down":
            return there.y - here.y, across
        case "left":
            return here.x - there.x, abs(here.y - there.y)
        case "right":
            return there.x - here.x, abs(here.y - there.y)
