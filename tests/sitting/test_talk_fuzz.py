"""Whatever is said at the rail, nothing is booked that was not: neither another bet nor another amount."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from passline.engine import commands as c
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.refusals import Refusal
from passline.rulebooks.read import built_in
from passline.sitting.booking import BOXES, IRON_CROSS, ONE_ROLL, SHARES, Booking
from passline.sitting.orders import Order, Rail
from passline.sitting.phrases import FACES_ALIKE
from passline.sitting.phrases import GROUPS as SPOKEN
from passline.sitting.talk import talk
from passline.telling.names import NICKNAMES, plain
from tests.sitting.test_talk import rail_at

HOUSES = sorted(built_in())
FELTS = ("", "pass=10 place_6=12", "pass=10 come_9=10 place_6=12 place_8=12 hard_8=5 field=5")
NAMES = {
    "pass": ("line", "pass line", "front line"),
    "field": ("field",),
    "come": ("come",),
    "place_4": ("four", "4", "little joe"),
    "place_5": ("five", "5", "fever"),
    "place_6": ("six", "6", "sixie"),
    "place_8": ("eight", "8", "eighter"),
    "place_9": ("nine", "9", "nina"),
    "place_10": ("ten", "10"),
    "hard_4": ("hard four", "little joe hard"),
    "hard_8": ("hard eight", "square pair", "hard 8"),
    "eleven": ("yo", "yo-leven"),
    "any_seven": ("any seven", "big red"),
    "craps_12": ("boxcars", "midnight"),
    "horn": ("horn",),
}
WAYS = (
    "{amount} on the {name}",
    "put {amount} on the {name}",
    "the {name} for {amount}",
    "${amount} {name}",
    "${amount} on {name}, please",
)
AMOUNTS = st.sampled_from((1, 5, 6, 10, 12, 15, 18, 20, 24, 25, 30, 36, 60, 100))


def booked(rail: Rail, order: Order) -> dict[str, int]:
    """What goes up on each wager, by the dealers; each act is one that they take."""
    table, added = rail.table, dict[str, int]()
    for command in order.commands:
        answer = decide(rail.layout, table, command)
        assert not isinstance(answer, Refusal), answer
        table = evolve(table, answer)
        if isinstance(command, c.Bet):
            added[command.wager] = added.get(command.wager, 0) + command.amount
    return added


@settings(max_examples=400, deadline=None)
@given(
    house=st.sampled_from(HOUSES),
    puck=st.sampled_from((0, 5, 8)),
    clauses=st.lists(st.tuples(AMOUNTS, st.sampled_from(sorted(NAMES)), st.sampled_from(WAYS)), min_size=1, max_size=4),
    gap=st.sampled_from((", ", " and ", " then ", "; ")),
    data=st.data(),
)
def test_of_bets_that_are_clear_each_is_booked_for_its_amount_or_not_at_all(
    house: str, puck: int, clauses: list[tuple[int, str, str]], gap: str, data: st.DataObject
) -> None:
    rail = rail_at(house=house, puck=puck)
    said: dict[str, int] = {}
    for amount, key, _way in clauses:
        said[key] = said.get(key, 0) + amount * 100
    line = gap.join(
        way.format(amount=amount, name=data.draw(st.sampled_from(NAMES[key]))) for amount, key, way in clauses
    )
    order = talk(rail, line)
    assert order.understood, line
    if order.question:
        assert order.commands == ()
        return
    added = booked(rail, order)
    assert set(added) <= set(said), line
    no = {key for key in said if added.get(key) != said[key]}
    assert len(order.refused) >= len(no), (line, added, order.refused)
    assert all(amount <= said[key] for key, amount in added.items()), (line, added)


WORDS = [
    *("on", "for", "each", "and", ",", "then", "the", "my", "off", "to", "up", "down", "hop", "hard", "high", "bet"),
    *("place", "buy", "lay", "put", "no", "across", "inside", "odds", "behind", "line", "come", "yo", "any", "seven"),
    *(
        "4",
        "5",
        "6",
        "8",
        "9",
        "10",
        "12",
        "18",
        "25",
        "$5",
        "$12",
        "six",
        "eight",
        "5-5",
        "4-3",
        "2",
        "64",
        "a dollar",
    ),
    *(word for name in ("hard_6", "horn_high_12", "craps_eleven", "world") for word in NICKNAMES[name]),
    *("hardways", "hi-lo", "three-way", "iron cross", "horn", "field", "sevens", "corner", "bets", "numbers"),
]

SEVERAL: dict[str, set[str]] = {
    **{name: set(parts) for name, parts in SHARES.items()},
    "iron_cross": set(IRON_CROSS),
    **{key: {f"place_{number}" for number in BOXES["across"]} for key in ("numbers", "@place")},
}


def _named(rail: Rail, line: str) -> set[str]:
    """Every wager that some words of a line name, alone or with those beside them."""
    booking, words = Booking(rail), plain(line).replace("$", "").replace("-", " ").split()
    lexicon = {key.replace("_", " "): key for key in rail.layout.spots}
    meanings = {
        plain(name).replace("-", " "): meaning
        for meaning, names in (*NICKNAMES.items(), *SPOKEN.items())
        for name in names
    }
    keys: set[str] = set()
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            name = " ".join(words[start:end])
            for meaning in filter(None, (lexicon.get(name), meanings.get(name), name.replace(" ", "_"))):
                keys.update(SEVERAL.get(meaning, (meaning,)))
    numbers = {int(word) for word in words if word.isdigit()}
    families = ("place", "buy", "lay", "hard", "put", "come", "big", "horn_high")
    keys |= {f"{family}_{number}" for family in families for number in numbers}
    keys |= {key for faces, key in FACES_ALIKE.items() if faces in plain(line)}
    keys |= {ONE_ROLL[number] for number in numbers & set(ONE_ROLL)}
    for word in set(words) & set(BOXES):
        keys |= {f"place_{number}" for number in BOXES[word]}
    if {"hop", "hopping"} & set(words) or "-" in line:
        keys |= {key for key in rail.layout.spots if key.startswith("hop")}
    return keys | {booking.spot(key).odds for key in booking.felt}


@settings(max_examples=1_000, deadline=None)
@given(
    house=st.sampled_from(HOUSES),
    felt=st.sampled_from(FELTS),
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=8),
)
def test_of_any_words_nothing_is_booked_that_none_of_them_is(house: str, felt: str, words: list[str]) -> None:
    rail = rail_at(felt, house=house, puck=5)
    line = " ".join(words)
    order = talk(rail, line)
    assert order.commands or order.says or order.refused or order.question, f"{line!r} is not answered"
    if order.question:
        assert order.commands == (), line
    numbers = {Fraction(word) for word in plain(line).replace("$", "").replace("-", " ").split() if word.isdigit()}
    shares = {number / parts for number in numbers | {Fraction(1)} for parts in range(1, 11)}
    names, booking = _named(rail, line), Booking(rail)
    booked(rail, order)
    for bet in order.commands:
        if isinstance(bet, c.Bet):
            assert bet.wager in names, f"{line!r} books {bet.wager}"
            said, usual = Fraction(bet.amount, 100), Fraction(booking.default(bet.wager), 100)
            is_odds = rail.layout.spots[bet.wager].is_odds
            assert said in shares or not said % usual or is_odds, f"{line!r} books {said} on {bet.wager}"
