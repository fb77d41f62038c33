"""How every house handles every wager and its sign, house beside house, found out by asking at a table.

What a wager wins is in the houses' own folders; here stands what a dealer does with chips before the dice go out: when
a wager is made, how little and how much of it, when it comes down, and what the sign says when nobody put up another.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from passline.engine.events import WagerUp, WagerWon
from passline.engine.refusals import Refusal
from passline.errors import ArgumentError
from passline.house import House
from passline.record.notice import caller_in
from passline.table import Table
from tests.clauses.felt import MADE, POINTS
from tests.clauses.table_helpers import dealt, gain, game, hears, net, only, play, refused, up
from tests.tables import cases

LINE = ("2 bet pass 60",)
MOMENTS = {
    "the opening": (),
    "a natural": (*LINE, "roll 6-5"),
    "a come-out seven": (*LINE, "roll 6-1"),
    "a point": (*LINE, "roll 5-4"),
    "a point made": (*LINE, "roll 5-4", "roll 6-3"),
    "a seven-out": (*LINE, "roll 5-4", "roll 6-1"),
}
"""Moments between two rolls, by what came before; each window is open at some of them, and no two at the same."""
WINDOWS = {
    "any time": set(MOMENTS),
    "come-out": set(MOMENTS) - {"a point"},
    "point on": {"a point"},
    "first come-out": {"the opening", "a seven-out"},
    "after a seven": {"the opening", "a come-out seven", "a seven-out"},
}


FLAT = {"come-out": "pass dont_pass", "point on": "come dont_come"}
CRAPLESS = "crapless"
"""Where an eleven is a point, 2, 3 and 12 are too, and nobody bets against the shooter."""


class Manners(NamedTuple):
    """What one house does with chips; a wager is named by one of its keys."""

    props: str
    """In the centre: the sign may give them a lower minimum."""
    table: str
    """Under the limits of the table, made at any time."""
    side: str = ""
    """Under limits of their own."""
    windows: dict[str, str] = FLAT
    """What is not made at any time."""


NUMBERS = "place_4 place_5 place_6 place_8 place_9 place_10"
TEN_NUMBERS = f"place_2 place_3 {NUMBERS} place_11 place_12"
ONE_ROLL = "any_seven craps_2 craps_3 craps_12 eleven horn"
HARD = "hard_4 hard_6 hard_8 hard_10"
HIGHS = "horn_high_2 horn_high_3 horn_high_11 horn_high_12"
LOSE = NUMBERS.replace("place", "place_lose")
BUY_LAY = f"{NUMBERS.replace('place', 'buy')} {NUMBERS.replace('place', 'lay')}"
BONUS = "all_small all_tall make_em_all"
SIDE = "flaming_four sizzling_six hot_hand different_doubles "
SIDE += " ".join(f"repeater_{total}" for total in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12))

MANNERS = {
    "adelaide": Manners(
        props=f"{HARD} {ONE_ROLL} any_craps craps_eleven world", table=f"{NUMBERS} {LOSE} {BUY_LAY} big_6 big_8 field"
    ),
    CRAPLESS: Manners(
        props=f"{HARD} {ONE_ROLL} any_craps craps_eleven",
        table=f"{TEN_NUMBERS} {TEN_NUMBERS.replace('place', 'buy')} field",
        windows={"come-out": "pass", "point on": "come"},
    ),
    "exhibit-a": Manners(props=f"{HARD} {ONE_ROLL} any_craps craps_eleven world {HIGHS}", table=f"{NUMBERS} field"),
    "fire-bonus": Manners(
        props=f"{HARD} {ONE_ROLL} world {HIGHS} hop_hard_4 hop_hard_6 hop_hard_8 hop_hard_10",
        table=f"{NUMBERS} {BUY_LAY} big_6 big_8 field",
        side=f"{BONUS} fire",
        windows={"come-out": f"pass dont_pass {BONUS}", "point on": "come dont_come", "first come-out": "fire"},
    ),
    "strip": Manners(
        props=f"{HARD} {ONE_ROLL} any_craps craps_eleven world {HIGHS} hop_3_3 hop_4_2",
        table=f"{NUMBERS} {BUY_LAY} field",
        side=f"{BONUS} {SIDE} sharp_shooter replay",
        windows={**FLAT, "after a seven": f"{BONUS} {SIDE}", "first come-out": "sharp_shooter replay"},
    ),
    "sydney": Manners(
        props=f"{HARD} {ONE_ROLL} any_craps craps_eleven {HIGHS}", table=f"{NUMBERS} {LOSE} {BUY_LAY} big_6 big_8 field"
    ),
}
PUT = {"strip": {"pass": set(MOMENTS)}, CRAPLESS: {"pass": set(MOMENTS)}}
"""Where a bet that has a window may also be put on its point."""


def windows(house: str) -> list[tuple[str, str]]:
    """Every wager of a house with its window."""
    manners = MANNERS[house]
    known = {key: window for window, keys in manners.windows.items() for key in keys.split()}
    return [*known.items(), *((key, "any time") for key in f"{manners.props} {manners.table}".split())]


def moment_of(house: str, key: str) -> tuple[str, ...]:
    """Lines after which this wager can be made."""
    window = dict(windows(house))[key]
    return MOMENTS["a point" if window == "point on" else "the opening"]


CASES = [pytest.param(house, key, window, id=f"{house} {key}") for house in MANNERS for key, window in windows(house)]


@cases("house, key, window", CASES)
def test_when_a_wager_is_made(house: str, key: str, window: str) -> None:
    """It is booked and raised at these moments between two rolls, and refused at all others."""
    taken, moments = set(), set(MOMENTS) - ({"a natural"} if house == CRAPLESS else set())
    for moment in moments:
        table = game(house, seats=2)
        play(table, *MOMENTS[moment])
        if not isinstance(table.bet(1, key, 60), Refusal):
            taken.add(moment)
            play(table, f"bet {key} 60")
            assert up(table) == {key: 120}
    assert taken == PUT.get(house, {}).get(key, WINDOWS[window]) & moments


@cases("house, key, window", CASES)
def test_the_least_and_the_most_of_a_wager(house: str, key: str, window: str) -> None:
    """The table's limits hold for everything but the centre and the side bets, where the sign has others for them."""
    manners = MANNERS[house]
    has_side = bool(manners.side)
    least, most = 40, 100
    if key in manners.props.split():
        least = 20
    elif key in manners.side.split():
        least, most = 60, 80
    table = game(house, "min=20 max=100", seats=2)
    play(table, *(line.replace("60", "40") for line in moment_of(house, key)))
    play(table, "post ahead=30 min=40 max=100 props=20" + (" side=60-80" if has_side else ""))
    step = 20  # every split divides it
    assert refused(table, f"bet {key} {least - step}").code in ("bet.under_minimum", "amount.not_positive"), window
    assert not isinstance(table.bet(1, key, least), Refusal)
    play(table, *([f"bet {key} {most - least}"] if most > least else []))
    assert refused(table, f"bet {key} {step}").code == "bet.over_maximum"


CONTRACTS = ("pass", "come")
"""What does not come down any more once it has its point."""


@cases("house, key, window", CASES)
def test_when_a_wager_comes_down(house: str, key: str, window: str) -> None:
    """Lowered or taken before any roll; after a roll that leaves it up a contract and a side bet are locked."""
    table = game(house, seats=2)
    play(table, *moment_of(house, key), f"bet {key} 120", f"take {key} 60", f"take {key}")
    assert up(table) == {}, window
    number = next((n for n in (4, 5, 6, 8, 9, 10) if key.endswith(f"_{n}")), 0)
    table = game(house, seats=2)
    play(table, *moment_of(house, key), *(() if moment_of(house, key) else LINE), f"bet {key} 120")
    play(table, f"roll {MADE[6 if number != 6 else 8]}")
    for where in up(table):
        locked = key in CONTRACTS or key in MANNERS[house].side.split()
        for line in (f"take {where} 60", f"take {where}"):
            if locked:
                assert refused(table, line).code == "take.locked"
            else:
                play(table, line)


@pytest.mark.parametrize("lowered", ["take dont_pass 60", "take dont_pass"])
@pytest.mark.parametrize("house", [house for house in MANNERS if house != CRAPLESS])
def test_a_dont_bet_that_was_lowered_bars_no_other(house: str, lowered: str) -> None:
    """It cannot be raised again with a point on; Don't Come is open as ever, in every house (X-06)."""
    table = game(house, seats=2)
    play(table, *LINE, "bet dont_pass 120", "roll 5-4", lowered)
    assert isinstance(table.bet(1, "dont_pass", 60), Refusal)
    play(table, "bet dont_come 60")


# --- The sign -------------------------------------------------------------------------------------------------------


class Sign(NamedTuple):
    """What a house's sign says by itself, and what it may say."""

    least: int = 5
    most: int = 1000
    odds: dict[int, int] | None = None
    """The multiple by point; None: no limit but the table's."""
    odds_words: tuple[int, int | None] = (1, None)
    """The smallest and the largest multiple it may name."""
    words: tuple[str, ...] = ()
    """What else it may say."""
    chips: tuple[int, ...] = (1, 5, 25, 100, 500)
    props: int = 5
    """The least in the centre."""


def times(multiple: int, points: tuple[int, ...] = POINTS) -> dict[int, int]:
    """One multiple on every point."""
    return dict.fromkeys(points, multiple)


STEPS = ("multiples", "unit=5")
DESIGNATES = "no-roll="
SIGNS: dict[str, Sign] = {
    "adelaide": Sign(odds=times(10), odds_words=(1, 10), words=(*STEPS, DESIGNATES)),
    CRAPLESS: Sign(
        15,
        5000,
        {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1},
        (1, 100),
        chips=(1, 5, 25, 100, 500, 1000),
        props=1,
    ),
    "exhibit-a": Sign(odds=times(1)),
    "fire-bonus": Sign(words=("side=1-100",)),
    "strip": Sign(
        15,
        5000,
        {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3},
        (1, 100),
        ("side=1-100",),
        (1, 5, 25, 100, 500, 1000),
        props=1,
    ),
    "sydney": Sign(odds=times(2), odds_words=(2, 2), words=STEPS),
}
HOUSES = [pytest.param(house, sign, id=house) for house, sign in SIGNS.items()]


@pytest.mark.parametrize(("house", "sign"), HOUSES)
def test_the_sign_when_nobody_put_up_another(house: str, sign: Sign) -> None:
    """Its minimum, in the centre too, and its maximum to the chip, and the chips of its float."""
    table = game(house, "", seats=2)
    play(table, f"bet pass {sign.least}", f"bet field {sign.most}")
    assert refused(table, f"2 bet field {sign.least - 1}").code == "bet.under_minimum"
    assert refused(table, "bet field 1").code == "bet.over_maximum"
    assert isinstance(table.bet(2, "hard_6", sign.props - 1), Refusal)
    play(table, f"2 bet hard_6 {sign.props}")
    assert Table(house).chips == tuple(chip * 100 for chip in sign.chips)


@pytest.mark.parametrize(
    ("house", "sign", "point"),
    [
        pytest.param(house, sign, point, id=f"{house} {point}")
        for house, sign in SIGNS.items()
        for point in sign.odds or POINTS
    ],
)
def test_the_odds_on_the_sign(house: str, sign: Sign, point: int) -> None:
    """So many times the flat bet, to the chip; where it names no multiple, the table's maximum."""
    table = game(house, "min=1 max=1000")
    play(table, "bet pass 60", f"roll {MADE[point]}")
    most = 1000 if sign.odds is None else sign.odds[point] * 60
    play(table, f"bet pass_odds {most}")
    assert refused(table, "bet pass_odds 1").code in ("bet.over_odds", "bet.over_maximum")


@pytest.mark.parametrize(("house", "sign"), HOUSES)
def test_what_a_sign_may_say(house: str, sign: Sign) -> None:
    """The multiples it may name, and the words it has."""
    low, high = sign.odds_words
    for multiple in {low, high or 1000}:
        points = tuple(sign.odds or POINTS)
        assert Table(house, notice=f"odds={multiple}").state.notice.odds == times(multiple, points)
    for multiple in {low - 1, *([high + 1] if high else [])}:
        with pytest.raises(ArgumentError, match="odds"):
            Table(house, notice=f"odds={multiple}")
    box = caller_in(House(house).book, "box")
    for word in (*STEPS, "side=1-100", DESIGNATES):
        said = f"{word}{box}" if word == DESIGNATES else word
        if word in sign.words:
            Table(house, notice=said)
        else:
            with pytest.raises(ArgumentError, match="notice word"):
                Table(house, notice=said)


NAMED = {"strip": "3-4-5", CRAPLESS: "1-2-3-4-5"}
"""What people call odds that differ by point, where a house's own do."""


@pytest.mark.parametrize(("house", "sign"), HOUSES)
def test_odds_by_their_name(house: str, sign: Sign) -> None:
    """A sign may name the house's own; a name that is another's is refused, and the house's own is said."""
    for name in NAMED.values():
        if NAMED.get(house) == name:
            assert game(house, f"min=1 odds={name}").state.notice.odds == sign.odds
        else:
            with pytest.raises(ArgumentError, match=NAMED.get(house, "a whole number")):
                game(house, f"min=1 odds={name}")


@pytest.mark.parametrize("house", MANNERS)
def test_every_wager_of_a_house_is_here(house: str) -> None:
    """What is offered, but odds and the places bets travel to, is in the tables above; so every house is."""
    offered = {spot.key for spot in House(house).wagers if not spot.is_odds and not spot.has_travelled}
    listed = {key for key, _ in windows(house)}
    assert {key for key in offered - listed if not key.startswith("hop_")} == set()
    assert listed <= offered


@pytest.mark.parametrize("house", [house for house in MANNERS if house != CRAPLESS])
def test_an_on_button_lies_until_a_point_is_set(house: str) -> None:
    """A come-out that sets none leaves it, one that does lifts it, and on the next come-out the bet is off again."""
    table, calls = game(house, seats=2), []
    play(table, "bet place_6 60", "on place_6")
    for throw in ("roll 6-5", "roll 5-4"):
        play(table, "2 bet pass 60", throw)
        calls.append(table.state.seats[1].felt["place_6"].call)
    assert calls == ["on", None]
    play(table, "roll 6-3", "2 bet pass 60", "roll 6-1")
    assert up(table) == {"place_6": 60}


@pytest.mark.parametrize("house", MANNERS)
def test_what_one_button_speaks_for(house: str) -> None:
    """All bets of the kind; in exhibit-a that one alone, and nowhere everything that a player has up (P-48)."""
    table = game(house)
    play(table, "bet place_6 60", "bet place_8 60", "bet hard_6 60", "on place_6")
    on = {key for key, wager in table.state.seats[1].felt.items() if wager.call == "on"}
    assert on == ({"place_6"} if house == "exhibit-a" else {"place_6", "place_8"})


@pytest.mark.parametrize("house", MANNERS)
def test_what_sleeps_on_a_come_out(house: str) -> None:
    """Place and buy bets and hardways, in every house, unless they are called on; with a point on they can be off."""
    kinds = {key.rpartition("_")[0] for key, _ in windows(house)} & {"place", "buy", "hard"}
    assert kinds == {"place", "hard"} | ({"buy"} if house != "exhibit-a" else set())
    for key in (f"{kind}_6" for kind in kinds):
        for before, word, asleep in (
            ((), "", True),
            ((), f"on {key}", False),
            (("roll 5-4",), "", False),
            (("roll 5-4",), f"off {key}", True),
        ):
            table, _ = dealt(house, *before, f"bet {key} 60", *([word] if word else []), "roll 6-1")
            assert up(table) == ({key: 60} if asleep else {}), word


@pytest.mark.parametrize("house", MANNERS)
def test_come_odds_sleep_on_a_come_out(house: str) -> None:
    """In every house: a come-out seven takes the come bet and gives its odds back, unless they were called on."""
    behind = ("roll 5-4", "bet come 60", "roll 5-1", "bet come_odds_6 60")
    assert net(house, *behind, "roll 6-3", "roll 6-1") == -60
    assert net(house, *behind, "roll 6-3", "on come_odds_6", "roll 6-1") == -120
    assert net(house, *behind, "roll 6-1") == -120
    assert net(house, *behind, "off come_odds_6", "roll 6-1") == -60


@pytest.mark.parametrize("house", MANNERS)
def test_a_split_that_does_not_divide_is_refused(house: str) -> None:
    """A horn is four parts, whatever the chips."""
    table = game(house)
    assert refused(table, "bet horn 5").code == "bet.indivisible"
    play(table, "bet horn 8")


@pytest.mark.parametrize("house", MANNERS)
def test_where_a_come_bet_may_be_put(house: str) -> None:
    """On its number with a point on: in a house that has puts, and nowhere else."""
    assert hears(house, (*LINE, "roll 5-4"), "bet come_6 60") == (house in PUT)


@pytest.mark.parametrize(
    ("house", "kind"),
    [
        pytest.param(house, kind, id=f"{house} {kind}")
        for house, manners in MANNERS.items()
        for kind in manners.windows["point on"].split()
    ],
)
def test_odds_behind_a_come_bet_go_up_on_a_come_out_too(house: str, kind: str) -> None:
    """Whatever the puck says: a come bet on its number has its point."""
    travelled = (*LINE, "roll 5-4", f"bet {kind} 60", "roll 5-1")
    assert hears(house, travelled, f"bet {kind}_odds_6 60")
    assert hears(house, (*travelled, "roll 6-3"), f"bet {kind}_odds_6 60")


# --- What a winner leaves behind ------------------------------------------------------------------------------------

STAYS = {
    "adelaide": "place place_lose buy lay big hard",
    CRAPLESS: "place buy hard",
    "exhibit-a": "place hard",
    "fire-bonus": "place buy lay big hard",
    "strip": "place buy lay hard",
    "sydney": "place place_lose buy lay big hard",
}


@pytest.mark.parametrize(
    ("house", "kind"),
    [pytest.param(house, kind, id=f"{house} {kind}") for house in STAYS for kind in STAYS[house].split()],
)
def test_a_number_that_wins_stays_up(house: str, kind: str) -> None:
    """Paid, it stands as it stood."""
    table = game(house, seats=2)
    win = {"hard": "roll 3-3", "lay": "roll 6-1", "place_lose": "roll 6-1"}.get(kind, "roll 5-1")
    won = only(play(table, *LINE, "roll 5-4", f"bet {kind}_6 60", win), WagerWon, seat=1)
    assert won.stays
    assert up(table) == {f"{kind}_6": 60}


UP_FRONT = [("adelaide", "buy"), ("adelaide", "lay"), ("fire-bonus", "buy"), ("sydney", "buy"), ("sydney", "lay")]
CHARGES = [(2, 1), (20, 1), (38, 1), (40, 2), (58, 2), (60, 3)]
"""Five per cent of the first, down to whole chips and at least one."""


@pytest.mark.parametrize(("base", "charge"), CHARGES)
@pytest.mark.parametrize(("house", "kind"), [pytest.param(*each, id=" ".join(each)) for each in UP_FRONT])
def test_what_is_charged_in_front(house: str, kind: str, base: int, charge: int) -> None:
    """On the stake of a buy and the win of a lay: paid with the bet, given back with it, and again when it has won."""
    stake, win = (base, "roll 3-1") if kind == "buy" else (2 * base, "roll 6-1")
    table = game(house, seats=2)
    assert only(play(table, *LINE, "roll 5-4", f"bet {kind}_4 {stake}"), WagerUp).commission == charge * 100
    assert gain(table) == -charge
    play(table, f"take {kind}_4")
    assert gain(table) == 0
    won = only(play(table, f"bet {kind}_4 {stake}", win), WagerWon, seat=1)
    assert (won.commission, won.held) == (charge * 100, charge * 100)
