"""The table on a screen, driven by keys and mouse without a terminal."""

from __future__ import annotations

import sys
import tomllib
from textwrap import wrap
from typing import TYPE_CHECKING

import pytest
from textual.events import Key
from textual.geometry import Region

from passline.house import House
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import book_of, built_in
from passline.sitting.door import Setup
from passline.sitting.log import result
from passline.sitting.plan import plan
from passline.sitting.sitting import Sitting
from passline.sitting.spots import Look, verdict
from passline.telling.names import how, label, price_of, short_price
from passline.terminal.drawing import Canvas, Cell
from passline.terminal.felt import Felt, draw, nearest
from passline.terminal.panels import AskLine, Confirm, Help, Menu, Page, Why, spot_text
from passline.terminal.screen import Craps, TableScreen
from tests.terminal.conftest import laid_out, until
from tests.terminal.test_evenings import seen

if TYPE_CHECKING:
    from pathlib import Path

    from textual.pilot import Pilot

    from tests.sitting.conftest import Sit
    from tests.terminal.conftest import Open

HOUSES = tuple(built_in())
SIZES = ((80, 24), (120, 40), (200, 50))
LOW = (80, 24)


def up(app: Craps) -> dict[str, int]:
    """The person's chips on the felt."""
    assert app.sitting is not None
    assert app.sitting.seat is not None
    return {key: wager.stake for key, wager in app.sitting.seat.felt.items()}


def phase(app: Craps) -> str:
    """Whether chips may move."""
    assert app.sitting is not None
    return app.sitting.state.phase


def table(app: Craps) -> TableScreen:
    """The table, whatever lies over it."""
    return next(screen for screen in app.screen_stack if isinstance(screen, TableScreen))


def text(app: Craps, widget: str) -> str:
    """What a part of the screen says."""
    return str(table(app).query_one(widget).render())


async def click(pilot: Pilot[None], key: str, button: int = 1) -> None:
    """Click the middle of a spot."""
    app = pilot.app
    assert isinstance(app, Craps)
    area = table(app).felt.places[key].area
    await pilot.click(Felt, offset=(area.x + area.width // 2, area.y + area.height // 2), button=button)


async def press(pilot: Pilot[None], keys: str) -> None:
    """Press keys, one after the other."""
    await pilot.press(*keys.split())
    await pilot.pause()


# --- Playing --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_a_hand_by_keys(sit: Sit, felt: Open, size: tuple[int, int]) -> None:
    """Bet the line, roll a point, take odds, make the point, be paid."""
    app = felt(sit(dice="4-2 5-1"))
    async with app.run_test(size=size) as pilot:
        await press(pilot, "enter enter space")
        assert up(app) == {"pass": 1000}
        assert "ON 6" in text(app, "#status")
        await press(pilot, "o O u")
        assert up(app) == {"pass": 1000, "pass_odds": 500}
        await press(pilot, "space")
        assert up(app) == {}
        assert app.sitting is not None
        assert app.sitting.rail == 50_000 + 1000 + 600
        assert "5-1: you win 16 (Pass Bet +10, Taking Odds (Pass) +6)." in text(app, "#result")
        assert "PUCK OFF" in text(app, "#status")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_a_bet_by_mouse(sit: Sit, felt: Open, size: tuple[int, int]) -> None:
    """Left adds the chosen chip, right takes it off; chips and dice are clicked as well."""
    app = felt(sit(dice="4-2"))
    async with app.run_test(size=size) as pilot:
        await click(pilot, "pass")
        await click(pilot, "place_8")
        await click(pilot, "place_8")
        assert up(app) == {"pass": 500, "place_8": 1000}
        await click(pilot, "place_8", button=3)
        assert up(app) == {"pass": 500, "place_8": 500}
        await pilot.click("#tray", offset=(text(app, "#tray").index("3:") + 2, 0))
        assert table(app).chip == 2500
        await pilot.click("#dice" if size[1] > LOW[1] else "#status")
        assert app.sitting is not None
        assert len(app.sitting.rolls) == 1


@pytest.mark.slow
async def test_every_key_that_changes_chips(sit: Sit, felt: Open) -> None:
    """Lower, take down, undo, redo, take all, repeat, off and on."""
    app = felt(sit("strip", dice="4-2 4-1 3-3 4-3"))
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "enter enter 2 minus")
        assert up(app) == {"pass": 4500}
        await press(pilot, "backspace")
        assert up(app) == {}
        await press(pilot, "u u U")
        assert up(app) == {"pass": 4500}
        await press(pilot, "space")
        table(app).felt.go("place_8")
        await press(pilot, "3 enter w")
        assert app.sitting is not None
        assert not app.sitting.works("place_8")
        await press(pilot, "w t")
        assert up(app) == {"pass": 4500}
        table(app).felt.go("field")
        await press(pilot, "enter space")
        assert "field" not in up(app)
        await press(pilot, "r")
        assert up(app)["field"] == 2500


async def test_undo_repeat_and_odds_say_when_there_is_nothing_to_do(sit: Sit, felt: Open) -> None:
    """A key that does nothing says so."""
    app = felt(sit())
    async with app.run_test(size=LOW) as pilot:
        for key in ["u", "U", "r", "t", "o", "w"]:
            assert app.sitting is not None
            before = len(app.sitting.log)
            await press(pilot, key)
            assert app.sitting.log[before:], key
            assert app.sitting.log[-1].tone == "no"


@pytest.mark.slow
async def test_a_line_can_be_said(sit: Sit, felt: Open) -> None:
    """A record line, or an amount for the spot looked at; nonsense is answered and changes nothing."""
    app = felt(sit())
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "colon")
        await press(pilot, " ".join("bet") + " space " + " ".join("place") + " underscore 6 space 1 2 enter")
        assert up(app) == {"place_6": 1200}
        await press(pilot, "colon 2 0 enter")
        assert up(app) == {"place_6": 1200, "pass": 2000}
        await press(pilot, "colon n o n s e n s e enter")
        assert "nonsense" in app.sitting.log[-1].text  # type: ignore[union-attr]
        await press(pilot, "colon escape")
        assert len(up(app)) == 2


async def test_chips_can_be_bought_and_a_wrong_amount_is_asked_again(sit: Sit, felt: Open) -> None:
    """The line stays open until it can be read."""
    app = felt(sit())
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "b x enter")
        assert isinstance(app.screen, AskLine)
        await press(pilot, "1 0 0 enter")
        assert app.sitting is not None
        assert app.sitting.rail == 60_000
        await press(pilot, "b enter")
        assert app.sitting.rail == 110_000


@pytest.mark.slow
async def test_real_dice_are_typed_and_checked(sit: Sit, felt: Open) -> None:
    """Seven is no face; four and two are."""
    app = felt(sit(typed=True))
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "enter space")
        assert isinstance(app.screen, AskLine)
        await press(pilot, "7 1 enter")
        assert isinstance(app.screen, AskLine)
        await press(pilot, "4 minus 2 enter")
        assert app.sitting is not None
        assert app.sitting.state.puck == 6
        await press(pilot, "space escape")
        assert phase(app) == "dice out"
        await press(pilot, "space 6 1 enter")
        assert app.sitting.state.puck == 0


async def test_a_key_does_what_the_hint_says_wherever_the_cursor_is(sit: Sit, felt: Open) -> None:
    """The line is bet with p, also from the far side of the felt."""
    app = felt(sit())
    async with app.run_test(size=LOW) as pilot:
        assert "p bets 5 on Pass Bet" in text(app, "#hint")
        await press(pilot, "up up")
        assert "p bets 5 on Pass Bet" in text(app, "#hint")
        await press(pilot, "p")
        assert up(app) == {"pass": 500}


async def test_keys_for_the_common_bets(sit: Sit, felt: Open) -> None:
    """Line, come, field, a number; and against."""
    app = felt(sit(dice="4-2"))
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "p P space c C f n 8 n 0")
        assert up(app) == {
            "pass": 500,
            "dont_pass": 500,
            "come": 500,
            "dont_come": 500,
            "field": 500,
            "place_8": 500,
            "place_10": 500,
        }
        await press(pilot, "n escape n x")
        assert len(up(app)) == 7


async def test_the_dice_can_be_taken_and_passed(sit: Sit, felt: Open) -> None:
    """Accept, then give them up."""
    app = felt(sit(others=2))
    async with app.run_test(size=LOW) as pilot:
        assert app.sitting is not None
        assert "Dice to you" in text(app, "#hint")
        await press(pilot, "a")
        assert app.sitting.state.shooter == app.sitting.me
        await press(pilot, "d")
        assert app.sitting.state.shooter != app.sitting.me


async def test_space_asks_before_it_answers_for_the_dice(sit: Sit, felt: Open) -> None:
    """Dice on offer are neither declined nor taken by a person without a line bet; with one, Space rolls them."""
    app = felt(sit(dice="4-2", others=2))
    async with app.run_test(size=LOW) as pilot:
        assert app.sitting is not None
        await press(pilot, "space space")
        assert app.sitting.offered
        assert not app.sitting.rolls
        assert "! Dice to you: a takes, d declines" in text(app, "#hint")
        await press(pilot, "p")
        assert "Space takes them and rolls" in text(app, "#hint")
        await press(pilot, "space")
        assert app.sitting.rolls[0].thrower == app.sitting.me


async def test_a_refusal_is_read_whole_on_the_smallest_screen(sit: Sit, felt: Open) -> None:
    """The sentence, not only the clause, also where it takes two lines; a key's effect is told as well."""
    app = felt(sit(dice="4-2"))
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "colon")
        await pilot.press(*"bet", "space", *"come", "space", *"10", "enter")
        await pilot.pause()
        assert "! Come Bet is made while a point is on; the puck is off. [adelaide:4(d)]" in seen(app)
        table(app).sitting.note("word " * 20 + "end")
        table(app).show()
        await pilot.pause()
        assert "word end" in seen(app)


async def test_what_is_known_of_a_spot_ends_with_a_whole_word_beside_a_long_refusal(sit: Sit, felt: Open) -> None:
    """A refusal of two lines takes one of the spot's, whose text was once made for the height before it."""
    app = felt(sit("exhibit-a", dice="4-4"))
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "p space o O")
        table(app).sitting.note("word " * 20 + "end")
        table(app).show()
        await pilot.pause()
        info = app.screen.query_one("#info")
        lines = [part for line in text(app, "#info").splitlines() for part in wrap(line, info.content_size.width)]
        assert len(lines) <= info.content_size.height


async def test_a_long_result_is_read_whole_on_the_smallest_screen(sit: Sit, felt: Open) -> None:
    """A seven-out with many bets up: what was lost most, the others together, and the keys are still there."""
    app = felt(sit("exhibit-a", dice="4-4 5-4 4-3"))
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "p space O c n 4 n 5 n 6 space O f space")
        told = " ".join(seen(app).split())
        assert "and 3 more -15" in told
        for part in result(table(app).sitting).split(", "):
            assert part in told
        assert "Spc Roll" in seen(app).splitlines()[-1]


async def test_a_key_says_what_it_did_where_no_log_is_seen(sit: Sit, felt: Open) -> None:
    """Press and on/off reach wagers away from the cursor."""
    app = felt(sit(dice="4-2 4-4"))
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "p space n 8 n 5 f space x")
        assert "You bet 5 on Place Bet 8 to Win, 10 up." in " ".join(seen(app).split())
        table(app).felt.go("place_5")
        await press(pilot, "w")
        assert "Your Place Bet 5 to Win is off." in " ".join(seen(app).split())


async def test_where_no_odds_are_posted_they_go_behind_the_line_only_after_a_question(sit: Sit, felt: Open) -> None:
    """Shift-O asks how many, and again takes the fewer; where a limit is posted it needs no question."""
    app = felt(sit("fire-bonus", dice="4-2"))
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "p space O")
        assert "No limit here: 5 or 495?" in " ".join(seen(app).split())
        assert up(app) == {"pass": 500}
        await press(pilot, "O")
        assert up(app) == {"pass": 500, "pass_odds": 500}
    app = felt(sit(dice="4-2"))
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "p space O")
        assert up(app) == {"pass": 500, "pass_odds": 5_000}


async def test_space_lands_the_dice_and_keys_in_the_air_are_played_when_they_do(sit: Sit, felt: Open) -> None:
    """A regular at four keys a second loses none: odds and a place bet asked for in the air go up after the roll."""
    app = felt(sit(dice="4-2 5-5"), pause_s=60)
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "enter space")
        assert app.sitting is not None
        assert phase(app) == "dice out"
        await press(pilot, "o n 8")
        assert phase(app) == "dice out"
        assert up(app) == {"pass": 500}
        table(app)._land()
        assert phase(app) == "betting"
        assert len(app.sitting.rolls) == 1
        assert set(up(app)) == {"pass", "pass_odds", "place_8"}
        await press(pilot, "space space")
        assert phase(app) == "betting", "a Space with no key before it only lands them"
        for _ in range(3):
            table(app)._land()
        assert len(app.sitting.rolls) == 2


async def test_a_space_after_keys_in_the_air_is_the_next_roll(sit: Sit, felt: Open) -> None:
    """Roll, odds, roll, faster than dice fall: the second Space lands the first dice and sends the second."""
    app = felt(sit(dice="4-2 5-5"), pause_s=60)
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "enter space o space")
        assert app.sitting is not None
        assert phase(app) == "dice out"
        assert len(app.sitting.rolls) == 1
        assert set(up(app)) == {"pass", "pass_odds"}
        await press(pilot, "space")
        assert phase(app) == "betting"
        assert len(app.sitting.rolls) == 2


async def test_keys_that_wait_for_the_dice_are_counted_and_can_be_dropped(sit: Sit, felt: Open) -> None:
    """The screen once said "No bet: the dice are out", and then made the bets after all."""
    app = felt(sit("strip", dice="4-1"), pause_s=60)
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "p space c c")
        await until(pilot, lambda: "plays 2 keys; Esc drops what waits" in seen(app))
        assert "No bet: the dice are out" not in seen(app)
        await press(pilot, "escape space")
        assert up(app) == {"pass": 2_500}
        assert phase(app) == "betting"


async def test_the_last_chip_goes_up_only_after_a_question(sit: Sit, felt: Open) -> None:
    """A chip of 25 with 21 on the rail once put the 21 up unasked; keys behind it wait until it is answered."""
    app = felt(sit("strip", dice="4-1"), pause_s=60)
    async with app.run_test(size=LOW) as pilot:
        assert app.sitting is not None
        app.sitting.say("1479 on the line")
        await press(pilot, "space f f u")
        table(app)._land()
        await pilot.pause()
        assert isinstance(app.screen, Confirm)
        assert "Put 21 of the 21 on your rail on Field?" in seen(app)
        assert set(up(app)) == {"pass"}
        await press(pilot, "n")
        assert isinstance(app.screen, Confirm), "the second key asks as well"
        await press(pilot, "y")
        assert app.sitting.rail == 2_100, "the undo that waited has taken it back"


async def test_the_same_bet_is_asked_for_where_it_is_most_of_the_rail(sit: Sit, felt: Open) -> None:
    app = felt(sit("strip", dice="4-1 6-1"))
    async with app.run_test(size=LOW) as pilot:
        assert app.sitting is not None
        app.sitting.say("15 on the line")
        await press(pilot, "space")
        app.sitting.say("720 on the six")
        await press(pilot, "space r")
        assert isinstance(app.screen, Confirm)
        assert "Put 735 of the 765 on your rail on Pass Line and Place 6?" in seen(app)


async def test_a_space_sends_no_dice_past_a_question(sit: Sit, felt: Open) -> None:
    """A put bet asked for in the air is a question when they land: nothing is rolled over it."""
    app = felt(sit(house="strip", dice="4-2"), pause_s=60)
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "p space p p space")
        assert app.sitting is not None
        assert phase(app) == "betting"
        assert app.sitting.question is not None, "a second p was no answer: nobody had seen the question"


@pytest.mark.parametrize("keys", ["n6fn8", ":10 on the six\nfn8", "?\nn6fn8"])
async def test_keys_that_come_all_at_once_are_taken_one_after_the_other(sit: Sit, felt: Open, keys: str) -> None:
    """A busy machine hands on what was typed in a heap: what opens a page has opened it before the next is read."""
    app = felt(sit(house="adelaide"))
    names = {":": "colon", "\n": "enter", "?": "question_mark", " ": "space"}
    async with app.run_test(size=LOW) as pilot:
        for key in keys:
            app.post_message(Key(names.get(key, key), key))
        await until(pilot, lambda: set(up(app)) == {"place_6", "field", "place_8"})
        assert app.screen is table(app)


async def test_the_line_with_a_point_on_is_a_put_and_is_asked_about(sit: Sit, felt: Open) -> None:
    """`p` between rolls is a habit: at the Strip it would be a bet at 9 % or worse."""
    app = felt(sit(house="strip", dice="4-2"))
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "p space p")
        assert up(app) == {"pass": 2_500}
        assert app.sitting is not None
        assert app.sitting.question is not None
        assert "9.09%" in app.sitting.question.asks
        assert "Same key: put" in text(app, "#hint")
        await press(pilot, "o")
        assert up(app) == {"pass": 2_500, "pass_odds": 2_500}, "another key is played, and the question dropped"
        await press(pilot, "p p")
        assert up(app)["pass"] == 5_000, "the same key again says yes"


async def test_the_colon_is_table_talk(sit: Sit, felt: Open) -> None:
    app = felt(sit(house="strip", dice="4-2"))
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "colon")
        await pilot.press(*"96 across", "enter")
        assert len(up(app)) == 6


# --- Looking --------------------------------------------------------------------------------------------------------


async def test_the_spot_looked_at_tells_everything(sit: Sit, felt: Open) -> None:
    """Name, price, edge, limits, what is up; and why not, with the clause quoted."""
    app = felt(sit())
    async with app.run_test(size=LOW) as pilot:
        await app.workers.wait_for_complete()
        await press(pilot, "tab")
        table(app).felt.go("place_6")
        await pilot.pause()
        told = text(app, "#info")
        for words in (
            "Place Bet 6 to Win",
            "7:6",
            "1.52%",
            "place_6",
            "wins on 6, loses on 7",
            "min 5, max 1000",
            "no bet",
            "Enter bets 5, to win 6",
        ):
            assert words in told
        table(app).felt.go("come")
        await pilot.pause()
        told = text(app, "#info")
        assert "Not now" in told
        assert "[adelaide:" in told


@pytest.mark.slow
async def test_why_quotes_the_sum_and_the_clauses_of_any_roll(sit: Sit, felt: Open) -> None:
    """The newest settlement first, then back to earlier rolls."""
    app = felt(sit(dice="4-2 5-1"))
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "enter space o space y")
        assert isinstance(app.screen, Why)
        told = str(app.screen.query_one("#page-text").render())
        assert "The sum: 5 at 6 to 5 is 6." in told
        assert "adelaide:6(c)" in told
        await press(pilot, "left")
        assert "Roll 1" in str(app.screen.query_one("#page-text").render())
        await press(pilot, "escape question_mark")
        assert isinstance(app.screen, Help)


async def test_leaving_asks_first_and_ends_with_the_reckoning(sit: Sit, felt: Open) -> None:
    """No, then yes, then the page, then home."""
    app = felt(sit())
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "enter l n l enter escape escape enter")
        assert up(app) == {"pass": 1000}
        await press(pilot, "l y")
        assert isinstance(app.screen, Page)
        assert "Even." in str(app.screen.query_one("#page-text").render())
        await press(pilot, "escape")
    assert app.return_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("size", SIZES)
async def test_every_house_opens_and_every_spot_can_be_looked_at(
    sit: Sit, felt: Open, house: str, size: tuple[int, int]
) -> None:
    """All round the felt in reading order, on both pages; each spot is drawn and told of."""
    sitting = sit(house, others=2)
    app = felt(sitting)
    async with app.run_test(size=size) as pilot:
        await pilot.press("m", "tab", "tab", "shift+tab")
        await laid_out(pilot)
        board, seen = table(app).felt, set()
        for _ in range(sum(1 for _ in board.plan.keys)):
            board.step(1)
            area = board.places[board.cursor].area
            lines = ["".join(piece for piece, _ in line) for line in board.lines()]
            assert "▸" in "".join(line[area.x : area.right] for line in lines[area.y : area.bottom]), board.cursor
            seen.add(board.cursor)
        assert {spot.key for spot in sitting.layout.offered()} <= seen


@pytest.mark.slow
@pytest.mark.parametrize("house", HOUSES)
async def test_arrows_reach_every_spot(sit: Sit, felt: Open, house: str) -> None:
    """From the first spot to any other by the four arrows alone, also over the edge of a page."""
    app = felt(sit(house))
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "m")
        board = table(app).felt
        for page in board.pages:
            board.turn(page)
            spots = {key: place.area for key, place in board.places.items()}
            reached = {next(iter(spots))}
            waiting = list(reached)
            while waiting:
                here = waiting.pop()
                others = [(key, region) for key, region in spots.items() if key != here]
                found = {nearest(spots[here], others, way) for way in ("up", "down", "left", "right")} - {None}
                waiting += [key for key in found - reached if key]
                reached |= {key for key in found if key}
            assert reached == set(spots)
        board.go(board.plan.lines[0].spots[0].key)
        await press(pilot, "down")
        assert board.page == "props"
        await press(pilot, "up")
        assert board.page == "numbers"


@pytest.mark.parametrize("house", HOUSES)
def test_the_plan_holds_every_spot_once_and_names_fit(house: str) -> None:
    """No spot is lost between the rows, and each has a price and a name short enough to print."""
    layout = House(house).layout
    keys = list(plan(layout).keys)
    assert sorted(keys) == sorted(spot.key for spot in layout.spots.values() if spot.rule.offered.value)
    for key in keys:
        spot = layout.spots[key]
        assert short_price(spot)
        assert price_of(spot)
        assert 0 < len(label(spot, 12)) <= 12


def test_a_closed_spot_a_resting_bet_and_company_are_told_without_colour() -> None:
    """Brackets, a ring, a word and a number."""
    closed = Look(price="7:6", edge="1.5%", stake="", mark="", others=2, open=False, travelled=False)
    resting = Look(price="7:6", edge="1.5%", stake="12", mark="off", others=0, open=True, travelled=False)

    def drawn(seen: Look, names: tuple[str, ...], height: int = 1, *, here: bool = False) -> list[str]:
        canvas = Canvas(16, height)
        draw(canvas, Cell("place_6", Region(0, 0, 16, height), names), seen, here=here)
        return ["".join(piece for piece, _ in line).rstrip() for line in canvas.pieces()]

    assert drawn(closed, (), here=True) == ["▸(7:6) +2"]
    assert drawn(resting, ()) == [" ○12 off"]
    assert drawn(resting, ("SIX",)) == [" SIX  ○12 off"]
    assert drawn(resting, ("PLACE SIX",), 2) == [" PLACE SIX", " ○12 off"]


def test_the_nearest_spot_lies_straight_ahead() -> None:
    """Down the column before across it; sideways only in the row."""
    grid = {f"{x}{y}": Region(10 * x, y, 10, 1) for x in range(3) for y in range(3)}
    here = grid["11"]
    others = [(key, region) for key, region in grid.items() if key != "11"]
    found = [nearest(here, others, way) for way in ("up", "down", "left", "right")]
    assert found == ["10", "12", "01", "21"]
    assert nearest(grid["00"], others, "left") is None


@pytest.mark.parametrize("house", HOUSES)
def test_the_help_tells_a_hand_of_this_house(house: str) -> None:
    """What wins and loses on the line at once, and only where it can be bet what is against it."""
    layout = House(house).layout
    told = Help(layout, 80).lines
    for key in layout.line:
        spot = layout.spots[key]
        assert f"{spot.name} {how(spot, 0, layout.book.points.value)}." in told
    assert ("against the line" in told) == any(layout.spots[key].is_dont for key in layout.line)


# --- The door, the way out ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["q", "escape"])
async def test_who_wants_no_house_goes_home(felt: Open, key: str) -> None:
    """From the menu, without a table."""
    app = felt()
    async with app.run_test() as pilot:
        await pilot.press(key)
        await pilot.pause()
        assert not app.is_running
    assert app.sitting is None


@pytest.mark.slow
async def test_the_menu_begins_with_adelaide_and_seats_the_player(
    felt: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enter takes the first, a digit any other."""
    monkeypatch.chdir(tmp_path)
    for key, house in (("enter", "adelaide"), ("5", built_in()[4])):
        app = felt(setup=Setup(seed="7"))
        async with app.run_test(size=LOW) as pilot:
            await pilot.pause()
            assert isinstance(app.screen, Menu)
            await press(pilot, key)
            assert app.sitting is not None
            assert app.sitting.table.house.id == house


@pytest.mark.slow
async def test_a_resize_while_the_dice_are_out_breaks_nothing(sit: Sit, felt: Open) -> None:
    """Larger, tiny, and back; the dice land as if nothing had been."""
    app = felt(sit(dice="4-2 6-1"), pause_s=60)
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, "enter space")
        assert app.sitting is not None
        assert phase(app) == "dice out"
        for size in ((200, 60), (20, 5), (1, 1), (132, 20), (80, 50), LOW):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        table(app)._land()
        await pilot.pause()
        assert app.sitting.state.puck == 6
        assert "PUCK ON 6" in text(app, "#status")


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["", "enter", "enter space", "enter space colon", "question_mark", "l"])
async def test_ctrl_c_saves_at_any_moment(sit: Sit, felt: Open, moment: str) -> None:
    """At the table, with dice in the air, in a dialog: the record is there, and it is the table."""
    sitting = sit(dice="4-2")
    app = felt(sitting, pause_s=60)
    async with app.run_test(size=LOW) as pilot:
        await press(pilot, moment)
        await press(pilot, "ctrl+c")
    assert sitting.path is not None
    assert sitting.path.read_text(encoding="utf-8") == sitting.text()


async def test_a_fault_of_ours_ends_without_a_traceback_on_the_screen(
    sit: Sit, felt: Open, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program keeps what broke for the apology and draws nothing over the table."""
    app = felt(sit())

    def broken(*_: object) -> None:
        message = "planted"
        raise ZeroDivisionError(message)

    monkeypatch.setattr(app.sitting, "say", broken)
    with pytest.raises(ZeroDivisionError, match="planted"):
        async with app.run_test(size=LOW) as pilot:
            await press(pilot, "enter")
    assert isinstance(app.crash, ZeroDivisionError)
    assert "Traceback" not in "".join(capsys.readouterr())


@pytest.mark.parametrize("house", HOUSES)
def test_a_clause_beside_a_spot_is_quoted_whole_or_only_named(sit: Sit, house: str) -> None:
    """Three lines of 78 columns are seldom enough for a clause, and never exceeded; a wide screen has room for all."""
    sitting, seen = sit(house=house), 0
    for key in sitting.layout.spots:
        _, refused = verdict(sitting, key, 500)
        if refused is None or refused.clause is None or ":" not in refused.clause:  # our own are not shown
            continue
        sentence = sitting.table.house.clause(refused.clause).sentence
        narrow = spot_text(sitting, key, 500, edges=False, room=(78, 3)).plain
        wide = spot_text(sitting, key, 500, edges=False, room=(200, 3)).plain
        named = narrow.removesuffix(f" [{refused.clause}]") + f" [{refused.clause}]"
        folded, would = (sum(len(wrap(line, 78)) for line in each.splitlines()) for each in (narrow, named))
        assert folded <= 3
        assert sentence in narrow or narrow == named or would > 3
        assert wide.endswith(sentence)
        seen += 1
    assert seen


@pytest.mark.parametrize("house", HOUSES)
def test_what_a_chip_would_do_is_read_beside_every_open_spot(sit: Sit, house: str) -> None:
    """However much there is to say of the spot, three lines of 78 columns hold it, and the last is whole."""
    sitting = sit(house=house)
    for key in sitting.layout.spots:
        told, refused = verdict(sitting, key, 2500)
        if refused is None:
            shown = spot_text(sitting, key, 2500, edges=True, room=(78, 3)).plain
            assert shown.endswith(told)
            assert sum(len(wrap(line, 78)) for line in shown.splitlines()) <= 3, key


@pytest.mark.slow
async def test_a_felt_opens_at_any_house_that_can_be_dealt(felt: Open) -> None:
    """One whose pass bet is off the felt, and whose names look like markup."""
    values = tomllib.loads(house_files()["strip"].read_text(encoding="utf-8"))
    values["name"] = "The [Red] Room [/x]"
    values["wager"]["dont_pass"]["name"] = "Don't [/b] Pass"
    for wager in ("pass", "pass_odds"):
        values["wager"][wager]["offered"] = [False, "layout.only"]
    app = felt(Sitting.open(House("changed", book=book_of(values, "changed.toml")), others=2, seed="1"))
    async with app.run_test(size=LOW) as pilot:
        await pilot.press("enter", "r", "w", "escape", "question_mark", "escape")
        assert app.crash is None
        assert "The [Red] Room [/x]" in text(app, "#title")


async def test_keys_typed_after_leaving_play_no_more(sit: Sit, felt: Open) -> None:
    """Somebody who types on while the evening is told neither bets nor sends the dice."""
    app = felt(sit())
    async with app.run_test(size=LOW) as pilot:
        assert app.sitting is not None
        await pilot.press("l", "y")
        acts = len(app.sitting.table.history)
        for action in ("roll", "word('bet pass 10')", "leave"):
            assert not await app.run_action(action, default_namespace=table(app))
        await pilot.press("space", "s", "-", "p", "space")
        assert len(app.sitting.table.history) == acts


def test_an_edge_that_is_not_known_yet_is_said_to_be_on_its_way(sit: Sit) -> None:
    """In the first seconds the odds are still walked; nobody is left to think that a bet has none."""
    sitting = sit()
    assert "its edge is being worked out" in spot_text(sitting, "pass", 500, edges=False, room=(200, 3)).plain
    assert "edge 1.41%" in spot_text(sitting, "pass", 500, edges=True, room=(200, 3)).plain


async def test_the_felt_is_drawn_where_output_goes() -> None:
    """`passline play 2>errors` is still a table."""
    app = Craps(Setup())
    assert vars(app.driver_class(app))["_file"] is sys.__stdout__
