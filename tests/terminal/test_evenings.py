"""An evening in every house, by keyboard or by mouse: what each roll did to the person can be read on the screen.

In the campaign a hundred rolls in every house by both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.rulebooks.read import built_in
from passline.sitting.log import result
from passline.terminal.felt import Felt
from passline.terminal.panels import AskLine
from passline.terminal.screen import TableScreen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.pilot import Pilot

    from passline.sitting.sitting import Sitting
    from passline.terminal.screen import Craps
    from tests.sitting.conftest import Sit
    from tests.terminal.conftest import Open

HOUSES = tuple(built_in())
SIZES = ((80, 24), (120, 40), (200, 50))
ROLLS = 100
FEW = 40


def evenings(first: int) -> Iterator[object]:
    """A few rolls in every second house, and in the campaign a hundred in all."""
    for house in HOUSES[first::2]:
        yield pytest.param(house, FEW, id=house)
    for house in HOUSES:
        yield pytest.param(house, ROLLS, id=f"{house}-whole", marks=pytest.mark.campaign)


KEYS = ("p", "o", "c", "f", "n6", "P", "n8", "r", "C", "x")
"""What is pressed before the rolls, one after the other; `n6` is two keys."""
SPOTS = ("pass", "pass_odds", "come", "field", "place_6", "dont_pass", "place_8", "dont_come")


def seen(app: Craps) -> str:
    """Every line of the screen, as an eye would read it."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def roll(pilot: Pilot[None], sitting: Sitting, *, by_mouse: bool) -> None:
    """Roll, then read the screen: net and parts of everything that was decided."""
    before = len(sitting.rolls)
    with pilot.app.batch_update():
        await (pilot.click("#status") if by_mouse else pilot.press("space"))
    await pilot.pause()
    assert len(sitting.rolls) == before + 1
    last = sitting.settlements[-1]
    told = " ".join(seen(pilot.app).split())  # type: ignore[arg-type]
    assert result(sitting) in told, "every part of it, however long"
    if last.brought:
        money = sitting.layout.money(abs(last.brought))
        assert f"you {'win' if last.brought > 0 else 'lose'} {money}" in told


async def never_mind(pilot: Pilot[None]) -> None:
    """Answer no question of the dealers: nothing is booked then."""
    await pilot.pause()
    while isinstance(pilot.app.screen, AskLine):
        await pilot.press("escape")


async def richer(pilot: Pilot[None], sitting: Sitting) -> None:
    """Buy chips where few are left, as a person would."""
    if sitting.rail < sitting.usual_buyin // 4:
        await pilot.press("b", "enter")


@pytest.mark.slow
@pytest.mark.parametrize(("house", "rolls"), [*evenings(0)])
async def test_an_evening_by_keys(sit: Sit, felt: Open, house: str, rolls: int) -> None:
    """The common bets in turn, with company."""
    sitting = sit(house, others=2)
    app = felt(sitting)
    async with app.run_test(size=SIZES[HOUSES.index(house) % len(SIZES)]) as pilot:
        for number in range(rolls):
            with app.batch_update():  # nobody looks between two keys
                for keys in ("p", KEYS[number % len(KEYS)]):
                    await pilot.press(*keys)
                    await never_mind(pilot)
            await richer(pilot, sitting)
            await roll(pilot, sitting, by_mouse=False)
    decisive = [settled for settled in sitting.settlements if settled.brought]
    assert len(decisive) > rolls // 4


@pytest.mark.slow
@pytest.mark.parametrize(("house", "rolls"), [*evenings(1)])
async def test_an_evening_by_mouse(sit: Sit, felt: Open, house: str, rolls: int) -> None:
    """Clicks on the spots and on the dice."""
    sitting = sit(house, others=3)
    app = felt(sitting)
    async with app.run_test(size=SIZES[(HOUSES.index(house) + 1) % len(SIZES)]) as pilot:
        await pilot.pause()
        screen = next(each for each in app.screen_stack if isinstance(each, TableScreen))
        for number in range(rolls):
            with app.batch_update():
                for key in dict.fromkeys(("pass", SPOTS[number % len(SPOTS)])):
                    if key in screen.felt.places:
                        area = screen.felt.places[key].area
                        await pilot.click(Felt, offset=(area.x + area.width // 2, area.y + area.height // 2))
                        await never_mind(pilot)
            await richer(pilot, sitting)
            await roll(pilot, sitting, by_mouse=True)
    assert sum(1 for settled in sitting.settlements if settled.brought) > rolls // 4
