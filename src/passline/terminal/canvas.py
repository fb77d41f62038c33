"""Lines and letters on a sheet of characters: boxes whose borders meet are joined as a printer would join them."""

from functools import cache
from itertools import groupby, pairwise

from rich.style import Style
from rich.text import Text

UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
JOINED = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"


class Canvas:
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
