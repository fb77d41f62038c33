"""The felt as widgets: a cell for every spot, in rows under the box numbers, along the lines and in the stick's box."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from passline.sitting.plan import plan
from passline.sitting.spots import Look, look
from passline.telling.names import family_label, label, short_price
from passline.terminal.cells import draw, nearest, room_for_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from textual import events
    from textual.app import ComposeResult

    from passline.engine.layout import Layout
    from passline.odds.wagers import WagerOdds
    from passline.sitting.plan import Group, Plan, Row
    from passline.sitting.sitting import Sitting
    from passline.terminal.cells import Direction

LABEL_WIDTH = 18
"""Columns for the name of a row."""

GROUP_WIDTH = 70
"""What eighty columns leave for the spots of a group beside its title."""

NAME_WIDTH = 17
ODDS_NAME_WIDTH = 15
"""A longer name is shortened before it takes the place of other spots."""

CHIPS_WIDTH = len("▸ ●1000 +2")
"""What chips take beside a name."""

NUMBER_NAMES = {6: "SIX", 9: "NINE"}
"""The two numbers that a felt spells out, because they look alike from the other side."""


class Cell(Widget, can_focus=True):
    """One spot: shows its price or its chips, and hears keys and clicks."""

    DEFAULT_CLASSES = "cell"

    class Asked(Message):
        """A click asked for chips on a spot, or off it."""

        def __init__(self, key: str, *, more: bool) -> None:
            super().__init__()
            self.key, self.more = key, more

    class Seen(Message):
        """The eye fell on a spot, or left it."""

        def __init__(self, key: str | None) -> None:
            super().__init__()
            self.key = key

    def __init__(self, key: str, *, named: bool) -> None:
        super().__init__(id=f"spot-{key}")
        self.key = key
        self.named = named
        """Whether the name must be drawn in the cell: no row or column says it."""
        self.sitting: Sitting | None = None
        self.seen: Look | None = None

    def show(self, sitting: Sitting, figures: Mapping[str, WagerOdds]) -> None:
        """Draw what lies here now."""
        self.sitting = sitting
        seen = look(sitting, self.key, figures)
        if seen != self.seen:
            self.seen = seen
            self.refresh()

    def render(self) -> Text:
        """Draw the spot."""
        if self.seen is None or self.sitting is None:
            return Text()
        width, lines = self.size
        room = room_for_name(self.seen, width) if lines == 1 else width - 1
        name = label(self.sitting.layout.spots[self.key], room) if self.named else ""
        return draw(self.seen, name, width, focused=self.screen.focused is self, lines=lines)

    def on_click(self, event: events.Click) -> None:
        """A click adds the chosen chip, a right click takes it off."""
        event.stop()
        self.screen.set_focus(self)
        self.post_message(self.Asked(self.key, more=event.button == 1))

    def on_focus(self) -> None:
        """Say that this spot is looked at."""
        self.post_message(self.Seen(self.key))

    def on_enter(self) -> None:
        """The mouse looks, too."""
        self.post_message(self.Seen(self.key))

    def on_leave(self) -> None:
        """The mouse looks away."""
        self.post_message(self.Seen(None))


class NumbersHead(Static):
    """The box numbers, with the puck in words on the point."""

    def __init__(self, points: tuple[int, ...]) -> None:
        super().__init__(id="numbers-head")
        self.points = points

    def compose(self) -> ComposeResult:
        """A heading for the names, then one for each number."""
        with Horizontal():
            yield Static("", classes="row-label")
            for point in self.points:
                yield Static(_number(point), id=f"number-{point}", classes="number")

    def show(self, puck: int) -> None:
        """Put the puck down."""
        for point in self.points:
            head = self.query_one(f"#number-{point}", Static)
            on = point == puck
            head.update(f"●ON {_number(point)}●" if on else _number(point))
            head.set_class(on, "-on")


def _number(point: int) -> str:
    return NUMBER_NAMES.get(point, str(point))


class Felt(Vertical):
    """The whole layout of a house; where the screen is low, its two sides are two pages."""

    PAGES: ClassVar = ("numbers", "props")

    class Turned(Message):
        """The other page came up."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(id="felt")
        self.house_layout = sitting.layout
        self.plan: Plan = plan(sitting.layout)
        self.page = "numbers"

    def compose(self) -> ComposeResult:
        """Numbers and lines, then the stick's box."""
        with Vertical(id="numbers", classes="page"):
            yield NumbersHead(self.plan.points)
            for row in self.plan.rows:
                yield from _row(self.house_layout, row)
            for group in reversed(self.plan.lines):
                yield from _line(self.house_layout, group)
        with Vertical(id="props", classes="page"):
            for group in self.plan.props:
                yield from _group(self.house_layout, group)

    @property
    def cells(self) -> Iterator[Cell]:
        """Every spot."""
        return iter(self.query(Cell).results())

    def show(self, sitting: Sitting, figures: Mapping[str, WagerOdds]) -> None:
        """Draw the chips as they lie now."""
        self.query_one(NumbersHead).show(sitting.state.puck)
        for cell in self.cells:
            cell.show(sitting, figures)

    def turn(self, page: str) -> None:
        """Bring a page up; on a high screen both are up, and this changes nothing that is seen."""
        self.page = page
        for name in self.PAGES:
            self.query_one(f"#{name}").set_class(name != page, "-turned")
        self.post_message(self.Turned())

    def page_of(self, key: str) -> str:
        """The page on which a spot lies."""
        return "props" if any(key == spot.key for group in self.plan.props for spot in group.spots) else "numbers"

    def go(self, key: str) -> None:
        """Look at a spot, turning to its page."""
        if self.page_of(key) != self.page:
            self.turn(self.page_of(key))
        # `Widget.focus` waits its turn, and a player's next key would not.
        self.screen.set_focus(self.query_one(f"#spot-{key}", Cell))

    def move(self, direction: Direction) -> None:
        """Look at the spot that lies next; off the end of a page, at the other page."""
        here = self.screen.focused
        keys = list(self.plan.keys)
        if not isinstance(here, Cell):
            self.go(keys[0])
            return
        if not here.region.area:  # its page has only just come up
            self.step(1 if direction in ("down", "right") else -1)
            return
        shown = [(cell.key, cell.region) for cell in self.cells if cell is not here and cell.region.area]
        found = nearest(here.region, shown, direction)
        if found is None and direction in ("up", "down"):
            down = direction == "down"
            beyond = [key for key in keys if self.page_of(key) != self.page]
            if beyond and down == (self.page == "numbers"):
                found = beyond[0] if down else beyond[-1]
        if found is not None:
            self.go(found)

    def step(self, by: int) -> None:
        """Look at the next spot in reading order, or the one before."""
        keys = [cell.key for cell in self.cells]
        here = self.screen.focused
        at = keys.index(here.key) + by if isinstance(here, Cell) else 0
        self.go(keys[at % len(keys)])


def _row(layout: Layout, row: Row) -> ComposeResult:
    rule = next(layout.spots[spot.key].rule for spot in row.spots if spot is not None)
    with Horizontal(classes="row"):
        yield Static(family_label(rule, LABEL_WIDTH - 1), classes="row-label", markup=False)
        for spot in row.spots:
            yield Static("", classes="cell gap") if spot is None else Cell(spot.key, named=False)


def _line(layout: Layout, group: Group) -> ComposeResult:
    """Spots side by side, each as wide as what it has to say."""
    with Horizontal(classes="row group"):
        for spot in group.spots:
            cell = Cell(spot.key, named=True)
            cell.styles.width = f"{_width(layout, spot.key)}fr"
            yield cell


def _group(layout: Layout, group: Group) -> ComposeResult:
    """Spots in equal columns under a title on the left; short rows are evened out."""
    keys = [spot.key for spot in group.spots]
    fits = max(1, min(len(keys), GROUP_WIDTH // max(_width(layout, key) for key in keys)))
    columns = -(-len(keys) // -(-len(keys) // fits))
    for start in range(0, len(keys), columns):
        row = keys[start : start + columns]
        with Horizontal(classes="row group"):
            yield Static(group.title if not start else "", classes="group-label", markup=False)
            yield from (Cell(key, named=True) for key in row)
            yield from (Static("", classes="cell gap") for _ in range(columns - len(row)))


def _width(layout: Layout, key: str) -> int:
    """Marker, name, price in brackets; a hop needs only its pair, for the title says what it is."""
    spot = layout.spots[key]
    price = len(short_price(spot))
    if any(spot.pair):
        return len("6-5 ") + price + 1
    name = label(spot, ODDS_NAME_WIDTH if spot.is_odds else NAME_WIDTH)
    return len(name) + max(CHIPS_WIDTH if spot.is_flat else 0, price + 4)
