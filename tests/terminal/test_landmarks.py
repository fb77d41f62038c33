"""Every house's felt at three sizes, as text: what a player looks for is where they look for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from passline.house import House
from passline.rulebooks.read import built_in
from passline.sitting.door import CALLED
from passline.sitting.plan import plan
from passline.telling.names import label
from passline.terminal.felt import BESIDE_MIN
from passline.terminal.screen import SIZE_MIN
from tests.terminal.conftest import laid_out, until
from tests.terminal.test_evenings import seen

if TYPE_CHECKING:
    from tests.sitting.conftest import Sit
    from tests.terminal.conftest import Open

HOUSES = tuple(built_in())
SIZES = ((80, 24), (120, 40), (200, 50))
BARRED = {2: "BAR ⚀⚀", 12: "BAR ⚅⚅"}


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("size", SIZES)
async def test_a_felt_has_its_landmarks(sit: Sit, felt: Open, house: str, size: tuple[int, int]) -> None:
    """Boxes under the numbers, what is barred, the field's numbers, the line in an L, and the stick's box."""
    app = felt(sit(house, others=2))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        lines = seen(app).splitlines()
    found = plan(House(house).layout)
    numbers = next(line for line in lines if "SIX" in line)
    cells = [cell.strip() for cell in numbers.split("│")]
    for point in found.points:
        assert {6: "SIX", 9: "NINE"}.get(point, str(point)) in cells
    head = lines.index(numbers)
    assert lines[head - 1].startswith("┌")
    assert " OFF " in lines[head - 1], "the puck lies beside the numbers"
    assert lines[head - 1].count("┬") >= len(found.points) - 1
    text = "\n".join(lines)
    barred = {spot.bars for strip in found.lines for spot in strip.spots if spot.bars}
    for bar in barred:
        assert text.count(BARRED[bar]) == sum(1 for strip in found.lines for spot in strip.spots if spot.bars == bar), (
            "each don't says what it bars"
        )
    field = next(strip for strip in found.lines if strip.where == "field").spots[0]
    printed = next(line for line in lines if "②" in line)
    assert printed.index("②") < printed.index(" 3 ") < printed.index(" 9 ") < printed.index(" 11 ")
    assert ("triple" in printed) == ("3:1" in dict(field.pays).values())
    assert any(line.startswith("│   └") or (line.startswith("│ ") and line[4:5] == "└") for line in lines)
    assert ("BIG 6" in text) == any(strip.where == "big" for strip in found.lines)
    hidden = [row.name for row in found.rows if row.on_request]
    assert all(name not in text for name in hidden if len(name) > len("Buy"))
    assert ("─ One roll ─" in text) == (size[0] >= BESIDE_MIN)
    assert "…" not in "".join(lines[head : head + 12]), "no name is cut"
    assert len(lines) == size[1]
    assert "Spc Roll" in lines[-1]


@pytest.mark.parametrize("house", HOUSES)
async def test_a_page_that_goes_on_says_so_and_covers_nothing_by_halves(sit: Sit, felt: Open, house: str) -> None:
    """On the smallest screen the last line of the stick's box is its border, or says that there is more below."""
    app = felt(sit(house))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("pagedown")
        await laid_out(pilot)
        board = app.screen.felt  # type: ignore[attr-defined]
        keys = [spot.key for group in board.plan.props for spot in group.spots]
        for key in keys:
            board.go(key)
            lines = ["".join(piece for piece, _ in line) for line in board.lines()][: board.size.height]
            last = lines[-1]
            assert last.startswith("└" if key == keys[-1] else ("└", "┄"))
            assert ("more below" in last) == last.startswith("┄")
            assert "PgUp" in last
            area = board.places[key].area
            assert "▸" in "".join(line[area.x : area.right] for line in lines[max(0, area.y) : area.bottom])


MANY = "p p space O c n6 n8 n5 f space c o P n4 f space C c o f m space o"
"""Keys that bet nearly everything in front of a player, point after point."""
CLIPPED = re.compile(r"…|\+$|\d:$|:\d*/$|\($|\(\d[^)]*$| for$|●$|○$")
"""How a name, a price, a stake or the count of others ends that was cut."""


@pytest.mark.slow
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("size", SIZES)
async def test_nothing_is_cut_with_many_bets_up(sit: Sit, felt: Open, house: str, size: tuple[int, int]) -> None:
    """Names, prices and stakes are whole or not there at all; the puck is seen on its number without colour."""
    app = felt(sit(house, dice="5-4 4-2 6-4 5-3", others=4))
    async with app.run_test(size=size) as pilot:
        for keys in MANY.split():
            await pilot.press(*([keys] if len(keys) != 2 else keys))
        await laid_out(pilot)
        board = app.screen.felt  # type: ignore[attr-defined]
        lines = ["".join(piece for piece, _ in line) for line in board.lines()]
        assert len(board.sitting.seat.felt) > 8
        for page in board.pages:
            board.turn(page)
            lines = ["".join(piece for piece, _ in line) for line in board.lines()]
            for key, place in board.places.items():
                area = place.area
                for line in lines[max(0, area.y) : area.bottom]:
                    cell = line[area.x : area.right].strip()
                    assert not CLIPPED.search(cell), (key, cell)
            if page == "numbers":
                assert any("ON NINE" in line or "ON 9" in line for line in lines)


@pytest.mark.parametrize("house", HOUSES)
async def test_what_a_house_offers_is_named_in_its_own_words(sit: Sit, felt: Open, house: str) -> None:
    """On a large screen with all rows shown."""
    app = felt(sit(house))
    async with app.run_test(size=(200, 50)) as pilot:
        await pilot.press("m")
        await laid_out(pilot)
        await pilot.pause()
        text = seen(app)
    spaceless = text.replace(" ", "").upper()
    layout = House(house).layout
    found = plan(layout)
    for row in found.rows:
        if row.kind == "number":
            assert row.name in text
    for spots in (*(strip.spots for strip in found.lines), *(group.spots for group in found.props)):
        for spot in spots:
            known = layout.spots[spot.key]
            names = ["-".join(map(str, known.pair))] if any(known.pair) else [label(known, w) for w in (60, 20, 18)]
            assert any(name.replace(" ", "").upper() in spaceless for name in names), names


@pytest.mark.parametrize("house", ["fire-bonus"])
async def test_a_bonus_bet_shows_the_numbers_that_have_come(sit: Sit, felt: Open, house: str) -> None:
    """A tick, then the numbers."""
    app = felt(sit(house, dice="3-2 2-2 6-3"))
    async with app.run_test(size=(120, 40)) as pilot:
        app.screen.felt.go("all_small")  # type: ignore[attr-defined]
        await pilot.press("enter", "p", "space", "space", "space")
        await pilot.pause()
        assert "✓ 4 5" in seen(app)


@pytest.mark.parametrize("size", [(40, 10), (SIZE_MIN[0] - 1, 50), (200, SIZE_MIN[1] - 1)])
async def test_a_screen_that_is_too_small_says_so(sit: Sit, felt: Open, size: tuple[int, int]) -> None:
    """And what to do; made larger, it is a table again."""
    app = felt(sit())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert "The table needs" in seen(app)
        assert "┌" not in seen(app)
        await pilot.press("p", "space", "colon")
        assert not app.screen_stack[1].sitting.on_table  # type: ignore[attr-defined] # nobody bets what they cannot see
        assert app.screen is app.screen_stack[1]
        await pilot.press("question_mark", "escape")
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "SIX" in seen(app))


async def test_a_screen_that_is_too_small_names_the_command_that_was_typed(
    sit: Sit, felt: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CALLED, "scripts/play --terminal")
    app = felt(sit())
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        assert "scripts/play --terminal --plain" in " ".join(seen(app).split())
        await pilot.press("question_mark")
        await pilot.pause()
        assert " Space          dice out, and roll   " in seen(app)
        assert "1 to 9" not in next(line for line in seen(app).splitlines() if "Space  " in line)


@pytest.mark.parametrize("rows", ["", "m"])
@pytest.mark.parametrize("house", HOUSES)
async def test_the_smallest_screen_has_the_hint_and_the_keys(sit: Sit, felt: Open, house: str, rows: str) -> None:
    """With a bet up and a roll made, and with every row shown too: the felt scrolls then."""
    app = felt(sit(house, dice="2-2"))
    async with app.run_test(size=SIZE_MIN) as pilot:
        await pilot.press("p", "space", *rows)
        await until(pilot, lambda: "? Help" in seen(app).splitlines()[-1])
        assert "The point is 4" in " ".join(seen(app).splitlines()[-3:])


async def test_chips_lie_where_dealers_put_them(sit: Sit, felt: Open) -> None:
    """A come bet travels into its number's box, its odds beside it; pass odds stand behind the line."""
    app = felt(sit(dice="5-4 3-3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", "space", "o", "c", "space", "o")
        await pilot.pause()
        lines = seen(app).splitlines()
    come = next(line for line in lines if line.startswith("│ Come Bet"))
    assert come.split("│")[4].split() == ["●5", "●5"]
    line = next(line for line in lines if "P A S S" in line)
    assert line.count("●5") == 2
    assert "●ON NINE●" in "".join(lines)
