"""The strip's other side bets, from Flaming Four to Replay: `side`."""

from __future__ import annotations

import pytest

from passline.engine.events import WagerUp
from tests.clauses.felt import MADE
from tests.clauses.strip.felt import dealt, paid
from tests.clauses.table_helpers import case, gain, only, play, refused, ruling, up
from tests.tables import cases

SEVEN = "roll 4-3"
TOTALS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
TIMES = {2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 8: 6, 9: 5, 10: 4, 11: 3, 12: 2}
REPEATERS = tuple(f"repeater_{total}" for total in TOTALS)
COUNTING = ("flaming_four", "sizzling_six", "hot_hand", "different_doubles", *REPEATERS)


def rolled(*totals: int) -> tuple[str, ...]:
    """The rolls of these totals."""
    return tuple(f"roll {MADE[number]}" for number in totals)


def doubles(*faces: int) -> tuple[str, ...]:
    """The rolls of these doubles."""
    return tuple(f"roll {face}-{face}" for face in faces)


@pytest.mark.clause("strip:side.hot-made")
@pytest.mark.parametrize("key", COUNTING)
def test_made_at_the_opening_or_after_a_seven(key: str) -> None:
    """And before the next roll; not after any other roll, nor with a point on."""
    for lines in ((), (SEVEN,), ("roll 5-4", SEVEN)):
        assert only(dealt(*lines, f"bet {key} 10")[1], WagerUp).clause == "strip:side.hot-made"
    for lines in (("roll 6-5",), ("roll 5-4",), ("roll 5-4", "roll 6-3"), (SEVEN, "roll 6-5")):
        no = refused(dealt(*lines)[0], f"bet {key} 10")
        assert (no.code, no.clause) == ("bet.window", "strip:side.hot-made")


@pytest.mark.parametrize(
    ("clause", "key"),
    [case("strip:side.sharp-made", "sharp_shooter"), case("strip:side.replay-made", "replay")],
)
def test_made_before_a_shooters_first_come_out(clause: str, key: str) -> None:
    """Not between two points of a hand, nor with one on."""
    for lines in ((), ("roll 5-4", SEVEN)):
        assert only(dealt(*lines, f"bet {key} 10")[1], WagerUp).clause == clause
    for before in ((SEVEN,), ("roll 6-5",), ("roll 5-4",), ("roll 5-4", "roll 6-3")):
        no = refused(dealt(*before)[0], f"bet {key} 10")
        assert (no.code, no.clause) == ("bet.window", clause)


@pytest.mark.clause("strip:side.hot-locked")
@pytest.mark.parametrize("key", [*COUNTING, "sharp_shooter", "replay"])
def test_locked_from_the_first_roll(key: str) -> None:
    """Before it they come down; after it they are neither lowered, taken nor raised."""
    assert up(dealt(f"bet {key} 10", f"take {key} 5")[0]) == {key: 5}
    for throw in ("roll 6-5", "roll 5-4"):
        table, _ = dealt(f"bet {key} 10", throw)
        assert refused(table, f"take {key}").clause == "strip:side.hot-locked"
        assert refused(table, f"bet {key} 5").code in {"bet.locked", "bet.window"}
        assert up(table) == {key: 10}


@pytest.mark.parametrize(
    ("clause", "key", "price", "totals"),
    [
        case("strip:side.flaming", "flaming_four", "70 to 1", (2, 3, 11, 12)),
        case("strip:side.sizzling", "sizzling_six", "12 to 1", (4, 5, 6, 8, 9, 10)),
        case("strip:side.hot", "hot_hand", "80 to 1", TOTALS),
    ],
)
def test_what_a_set_needs_and_pays(clause: str, key: str, price: str, totals: tuple[int, ...]) -> None:
    """Every one of its numbers, in any order; with one missing it stays up."""
    for order in (totals, totals[::-1]):
        _, won = paid(clause, key, price, f"bet {key} 10", *rolled(*order))
        assert won.won == 1000 * int(price.split(maxsplit=1)[0])
    for missing in totals:
        table, _ = dealt(f"bet {key} 10", *rolled(*(number for number in totals if number != missing)))
        assert up(table) == {key: 10}


@pytest.mark.clause("strip:side.hot")
@pytest.mark.parametrize("missing", TOTALS)
def test_hot_hand_pays_for_nine_at_the_seven(missing: int) -> None:
    """Nine pay 20:1, eight nothing."""
    nine = [total for total in TOTALS if total != missing]
    paid("strip:side.hot", "hot_hand", "20 to 1", "bet hot_hand 10", *rolled(*nine), SEVEN)
    table, _ = dealt("bet hot_hand 10", *rolled(*nine[1:]), SEVEN)
    assert gain(table) == -10


@pytest.mark.clause("strip:side.doubles")
@pytest.mark.parametrize(("faces", "price"), [(3, 4), (4, 8), (5, 15)])
def test_different_doubles_pay_by_their_number(faces: int, price: int) -> None:
    """At the seven; the same double counts once, and a total made another way not at all."""
    thrown = (*doubles(*range(1, faces + 1)), *doubles(1, 2), "roll 5-1")
    paid("strip:side.doubles", "different_doubles", f"{price} to 1", "bet different_doubles 10", *thrown, SEVEN)
    assert gain(dealt("bet different_doubles 10", *doubles(1, 2), "roll 5-1", SEVEN)[0]) == -10


@pytest.mark.clause("strip:side.doubles")
def test_six_different_doubles_are_paid_at_once() -> None:
    """100:1."""
    paid("strip:side.doubles", "different_doubles", "100 to 1", "bet different_doubles 10", *doubles(*range(1, 7)))


@pytest.mark.clause("strip:side.repeat")
@pytest.mark.parametrize("total", TOTALS)
def test_a_repeater_needs_its_number_so_often(total: int) -> None:
    """One time fewer leaves it up, and other numbers are nothing to it."""
    others = [number for number in TOTALS if number != total]
    table, _ = dealt(f"bet repeater_{total} 10", *rolled(*[total] * (TIMES[total] - 1), *others))
    assert up(table) == {f"repeater_{total}": 10}


@pytest.mark.parametrize(
    ("clause", "total", "price"),
    [
        case(f"strip:side.repeat-{low}", total, f"{price} to 1")
        for low, price in ((2, 40), (3, 50), (4, 65), (5, 80), (6, 90))
        for total in (low, 14 - low)
    ],
)
def test_what_a_repeater_pays(clause: str, total: int, price: str) -> None:
    """On the roll that is enough."""
    paid(clause, f"repeater_{total}", price, f"bet repeater_{total} 10", *rolled(*[total] * TIMES[total]))


FULL = {
    "flaming_four": rolled(2, 3, 11, 12),
    "sizzling_six": rolled(4, 5, 6, 8, 9, 10),
    "hot_hand": rolled(*TOTALS),
    "different_doubles": doubles(*range(1, 7)),
    **{f"repeater_{total}": rolled(*[total] * TIMES[total]) for total in TOTALS},
}


@pytest.mark.clause("strip:side.hot-wins")
@pytest.mark.parametrize("key", FULL)
def test_paid_at_once_when_nothing_more_is_needed(key: str) -> None:
    """And it comes down."""
    table, events = dealt(f"bet {key} 10", *FULL[key])
    assert ruling(events, key) == "strip:side.hot-wins"
    assert up(table) == {}


@pytest.mark.clause("strip:side.hot-loses")
@cases("key", COUNTING)
@cases("before", [(), (5,), (4, 9)], ids=str)
def test_any_seven_takes_what_has_not_come_to_a_price(key: str, before: tuple[int, ...]) -> None:
    """A seven on the come-out, a seven-out."""
    table, _ = dealt(f"bet {key} 10", *rolled(*before))
    if not before:
        play(table, "2 bet pass 10")
    assert ruling(play(table, SEVEN), key) == "strip:side.hot-loses"
    assert gain(table) == -10


POINTS = {3: 5, 4: 10, 5: 20, 6: 30, 7: 50, 8: 100, 9: 200, 10: 300}


@pytest.mark.clause("strip:side.sharp")
@pytest.mark.parametrize(("made", "price"), POINTS.items())
def test_sharp_shooter_pays_by_the_points_made(made: int, price: int) -> None:
    """The same point counts each time."""
    hand = ("roll 4-2", "roll 3-3") * made
    rest = () if made == max(POINTS) else ("roll 5-3", SEVEN)
    paid("strip:side.sharp", "sharp_shooter", f"{price} to 1", "bet sharp_shooter 10", *hand, *rest)


@pytest.mark.clause("strip:side.sharp-ends")
def test_sharp_shooter_is_decided_at_the_seven_out() -> None:
    """Lost with two points; a seven on the come-out ends nothing; the tenth point is paid at once."""
    two = ("roll 4-2", "roll 3-3") * 2
    table, events = dealt("bet sharp_shooter 10", *two, "roll 5-3", SEVEN)
    assert ruling(events, "sharp_shooter") == "strip:side.sharp-ends"
    assert gain(table) == -10
    table, _ = dealt("bet sharp_shooter 10", SEVEN, *two, SEVEN)
    assert up(table) == {"sharp_shooter": 10}
    table, events = dealt("bet sharp_shooter 10", *("roll 4-2", "roll 3-3") * 10)
    assert ruling(events, "sharp_shooter") == "strip:side.sharp-ends"
    assert up(table) == {}


@pytest.mark.parametrize(
    ("clause", "times", "point", "price"),
    [
        case(clause, times, point, f"{price} to 1")
        for clause, times, prices in (
            ("strip:side.replay", 3, (120, 95, 70)),
            ("strip:side.replay-more", 4, (1000, 500, 100)),
            ("strip:side.replay-more", 5, (1000, 500, 100)),
        )
        for low, price in zip((4, 5, 6), prices, strict=True)
        for point in (low, 14 - low)
    ],
)
def test_what_replay_pays(clause: str, times: int, point: int, price: str) -> None:
    """The same point so often, or oftener; the best price of all at once."""
    rest = () if price == "1000 to 1" else (*rolled(point), SEVEN)
    often = min(times, 4) if price == "1000 to 1" else times
    paid(clause, "replay", price, "bet replay 10", *rolled(*[point, point] * often), *rest)


@pytest.mark.clause("strip:side.replay-ends")
def test_replay_is_decided_at_the_seven_out() -> None:
    """Lost with each point twice; by the better of two points; a seven on the come-out ends nothing."""
    twice = rolled(*(total for point in (4, 5, 6, 8, 9, 10) for total in [point] * 4))
    table, events = dealt("bet replay 10", *twice, *rolled(6), SEVEN)
    assert ruling(events, "replay") == "strip:side.replay-ends"
    assert gain(table) == -10
    for order in ((6, 9), (9, 6)):
        both = rolled(*(total for point in order for total in [point] * 6))
        table, events = dealt("bet replay 10", SEVEN, *both, SEVEN, *rolled(4), SEVEN)
        assert ruling(events, "replay") == "strip:side.replay-ends"
        assert gain(table) == 950
    table, events = dealt("bet replay 10", *rolled(*[4] * 8))
    assert ruling(events, "replay") == "strip:side.replay-ends"
    assert up(table) == {}
