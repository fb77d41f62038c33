"""Hops and the side bets: `center.hop` and `side`."""

from __future__ import annotations

import pytest

from passline.engine.events import WagerUp
from tests.clauses.strip.felt import MADE, dealt, paid
from tests.clauses.table_helpers import THROWS, case, gain, only, play, refused, ruling, up

SEVEN = "roll 6-1"
PAIRS = [f"{high}-{low}" for high in range(1, 7) for low in range(1, high + 1)]


# --- Hops -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("strip:center.hop")
@pytest.mark.parametrize("pair", PAIRS)
def test_a_hop_is_two_faces_on_the_next_roll(pair: str) -> None:
    """Every pair of faces can be bet; it wins on them in either order and loses on all else."""
    high, low = pair.split("-")
    key = f"hop_{high}_{low}"
    for throw in THROWS:
        table, events = dealt(f"bet {key} 10", f"roll {throw}")
        assert ruling(events, key) == "strip:center.hop"
        wins = throw in (f"{high}-{low}", f"{low}-{high}")
        assert (gain(table) > 0, up(table)) == (wins, {key: 10} if wins else {})


@pytest.mark.parametrize(
    ("clause", "pairs", "price"),
    [
        case("strip:center.hop-hard", [pair for pair in PAIRS if pair[0] == pair[2]], "30 to 1"),
        case("strip:center.hop-easy", [pair for pair in PAIRS if pair[0] != pair[2]], "15 to 1"),
    ],
)
def test_what_a_hop_pays(clause: str, pairs: list[str], price: str) -> None:
    """Thirty to one on a pair, fifteen to one on two different faces."""
    for pair in pairs:
        key = f"hop_{pair.replace('-', '_')}"
        _, won = paid(clause, key, price, f"bet {key} 10", f"roll {pair}")
        assert won.won == 1000 * int(price.split(maxsplit=1)[0])


# --- All Small, All Tall, Make 'Em All ------------------------------------------------------------------------------

SMALL, TALL = (2, 3, 4, 5, 6), (8, 9, 10, 11, 12)
SETS = {"all_small": SMALL, "all_tall": TALL, "make_em_all": SMALL + TALL}


def rolled(*totals: int) -> tuple[str, ...]:
    """The rolls of these totals."""
    return tuple(f"roll {MADE[number]}" for number in totals)


@pytest.mark.clause("strip:side.made")
@pytest.mark.parametrize("key", SETS)
def test_side_bets_are_made_at_the_opening_or_after_a_seven(key: str) -> None:
    """And before the next roll; not after any other roll, nor with a point on."""
    for lines in ((), (SEVEN,), ("roll 5-4", SEVEN)):
        _, events = dealt(*lines, f"bet {key} 10")
        assert only(events, WagerUp).clause == "strip:side.made"
    for lines in (("roll 6-5",), ("roll 5-4",), ("roll 5-4", "roll 6-3"), (SEVEN, "roll 6-5")):
        no = refused(dealt(*lines)[0], f"bet {key} 10")
        assert (no.code, no.clause) == ("bet.window", "strip:side.made")


@pytest.mark.clause("strip:side.locked")
@pytest.mark.parametrize("key", SETS)
def test_side_bets_are_locked_from_their_first_roll(key: str) -> None:
    """Before it they come down; after it they are neither lowered, taken nor raised."""
    assert up(dealt(f"bet {key} 10", f"take {key} 5")[0]) == {key: 5}
    assert up(dealt(f"bet {key} 10", f"take {key}")[0]) == {}
    for throw in ("roll 6-5", "roll 1-1", "roll 5-4"):
        table, _ = dealt(f"bet {key} 10", throw)
        for line in (f"take {key}", f"take {key} 5", f"bet {key} 5"):
            no = refused(table, line)
            assert (no.code, no.clause) in (
                ("take.locked", "strip:side.locked"),
                ("bet.locked", "strip:side.locked"),
                ("bet.window", "strip:side.made"),
            )


@pytest.mark.parametrize(
    ("clause", "key", "price"),
    [
        case("strip:side.small", "all_small", "34 to 1"),
        case("strip:side.tall", "all_tall", "34 to 1"),
        case("strip:side.all", "make_em_all", "175 to 1"),
    ],
)
def test_what_a_side_bet_needs_and_pays(clause: str, key: str, price: str) -> None:
    """Every one of its numbers, in any order; with one missing nothing is paid."""
    for order in (SETS[key], SETS[key][::-1]):
        _, won = paid(clause, key, price, f"bet {key} 10", *rolled(*order))
        assert won.won == 1000 * int(price.split(maxsplit=1)[0])
    for missing in SETS[key]:
        table, _ = dealt(f"bet {key} 10", *rolled(*(number for number in SETS[key] if number != missing)))
        assert up(table) == {key: 10}


@pytest.mark.clause("strip:side.wins")
@pytest.mark.parametrize("key", SETS)
def test_a_side_bet_is_paid_at_once(key: str) -> None:
    """On the roll that brings its last number, and it comes down."""
    table, events = dealt(f"bet {key} 10", *rolled(*SETS[key]))
    assert ruling(events, key) == "strip:side.wins"
    assert up(table) == {}


@pytest.mark.clause("strip:side.loses")
@pytest.mark.parametrize("key", SETS)
@pytest.mark.parametrize("before", [(), (5,), (4, 9)], ids=str)
def test_any_seven_takes_a_side_bet(key: str, before: tuple[int, ...]) -> None:
    """A seven on the come-out, a seven-out, whatever has been collected."""
    table, _ = dealt(f"bet {key} 10", *rolled(*before))
    if not before:
        play(table, "2 bet pass 10")
    assert ruling(play(table, SEVEN), key) == "strip:side.loses"
    assert gain(table) == -10
