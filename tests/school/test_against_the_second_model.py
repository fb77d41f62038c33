"""Answers found again by the second model, which shares no code with the engine, from what is read aloud."""

from __future__ import annotations

import copy
import csv
import re
from typing import TYPE_CHECKING

import pytest

from passline.engine.values import ROLLS
from passline.house import House
from passline.school.syllabus import DRILLS, exercise, levels_of
from tests.reference.model import Table as Model
from tests.reference.model import do, picture
from tests.reference.reading import read
from tests.school.test_exercises import ORACLES

if TYPE_CHECKING:
    from passline.school.exercise import Exercise

pytestmark = pytest.mark.slow

HOUSES = ("adelaide", "sydney", "exhibit-a", "fire-bonus")
"""The houses that the second model knows."""

SEEDS = range(4)


def cases(*drills: str) -> list[tuple[str, str, int]]:
    """Some drills in every house and level."""
    return [
        (house, drill, level)
        for house in HOUSES
        for drill in drills
        for level in levels_of(House(house), DRILLS[drill])
    ]


def every(*drills: str) -> list[Exercise]:
    """Exercises of some drills in every house and level."""
    return [exercise(*case, seed) for case in cases(*drills) for seed in SEEDS]


def played(found: Exercise, *more: str) -> tuple[Model, list[bool]]:
    """The record of an exercise and some acts more, played by the second model; whether it took those."""
    text = found.question.table.record() + "".join(f"{line}\n" for line in more)
    table, acts = read(text)
    taken = [do(table, act) for act in acts]
    return table, taken[len(taken) - len(more) :]


def worth(table: Model, seat: int = 1) -> int:
    """A player's rail and chips up, in cents."""
    there = table.seats[seat]
    return int(there.rail + sum(pile.stake for pile in there.up.values()))


def gain(found: Exercise, seat: int = 1) -> int:
    """What the dice of an exercise bring a seat."""
    before, _ = played(found)
    after, (taken,) = played(found, f"roll {found.question.roll}")
    assert taken, found.id
    return worth(after, seat) - worth(before, seat)


def keys(found: Exercise) -> dict[str, str]:
    """The house's names and the keys they stand for."""
    return {spot.name: spot.key for spot in found.house.spots.values()}


def test_one_payoff() -> None:
    """Ann's gain is what she is paid, and for odds what their flat bet wins at evens besides."""
    for found in every("pays", "chips"):
        if found.question.roll is None:
            continue  # somebody leaves
        (paid,) = found.parts[0].right
        before, _ = played(found)
        up = before.seats[1].up
        flat = [pile.stake for key, pile in up.items() if f"{re.sub('_[0-9]+$', '', key)}_odds" in " ".join(up)]
        asked = re.search(r"on (.+?)\. The dice", found.question.asks)
        assert asked is not None
        odds = "odds" in keys(found)[asked[1]]
        assert gain(found) == paid + (sum(flat) if odds else 0), found.id


def test_a_whole_layout() -> None:
    """What every seat gains is the sum of what is asked for its wagers."""
    for found in every("layout"):
        names = {seat.name: number for number, seat in found.question.table.state.seats.items()}
        for name, number in names.items():
            asked = sum(part.right[0] for part in found.parts if part.asks.startswith(f"{name}, "))
            assert gain(found, number) == asked, found.id


def test_the_wrong_payoff() -> None:
    """With what it should have paid in its place, the payoffs that are told come to what everybody gains."""
    for found in every("wrong"):
        which, amount = found.parts
        for number, seat in found.question.table.state.seats.items():
            total = 0
            for at, told in enumerate(which.options):
                total += _told(told, seat.name, amount.right[0] if (at,) == which.right else None)
            assert gain(found, number) == total, (found.id, seat.name)


def _told(sentence: str, name: str, instead: int | None) -> int:
    """What a sentence says somebody gains, in cents."""
    lost = re.match(rf"{name} loses ([\d.]+) on", sentence)
    won = re.search(rf" pays {name} ([\d.]+) at", sentence)
    if lost:
        return -_cents(lost[1])
    if not won:
        return 0
    less = sum(
        _cents(each)
        for each in re.findall(r"less ([\d.]+) commission|the rest of it loses ([\d.]+)", sentence)
        for each in each
        if each
    )
    return (_cents(won[1]) if instead is None else instead) - less


def _cents(text: str) -> int:
    whole, _, part = text.partition(".")
    return 100 * int(whole) + int(part.ljust(2, "0") or 0)


def test_off_and_on() -> None:
    """Winnings, the rail, and what then stands there."""
    for found in every("off-and-on"):
        paid, rail, stands = (part.right[0] for part in found.parts)
        spot = re.search(r"stands on (.+)$", found.parts[2].asks)
        assert spot is not None
        before, _ = played(found)
        after, _ = played(found, f"roll {found.question.roll}")
        assert gain(found) == paid, found.id
        assert after.seats[1].rail - before.seats[1].rail == rail
        assert after.seats[1].up[keys(found)[spot[1]]].stake == stands


def test_ways() -> None:
    """Of the 36 throws so many win and so many lose."""
    for found in every("ways"):
        before, _ = played(found)
        asked = re.search(r"on (.+?)\. Of the 36", found.question.asks)
        assert asked is not None
        key = keys(found)[asked[1]]
        flats = {k for k in before.seats[1].up if k != key}
        gains = []
        for roll in ROLLS:
            table = copy.deepcopy(before)
            _, acts = read(f"passline 1\nhouse {found.house.id}\nroll {roll}\n")
            assert do(table, acts[0])
            gains.append(worth(table) - worth(before))
        if flats:
            continue  # its flat bet is decided by the same throws
        wins, loses = (part.right[0] for part in found.parts)
        assert (sum(each > 0 for each in gains), sum(each < 0 for each in gains)) == (wins, loses), found.id


def acts_of(found: Exercise, sentences: list[str]) -> list[str]:
    """What Ann would do, as a record writes it."""
    acts = []
    for sentence in sentences:
        bet = re.match(r"Ann puts ([\d.]+)(?: more)? on (.+)\.", sentence)
        down = re.match(r"Ann takes her (.+) down\.", sentence)
        if bet:
            acts.append(f"1 bet {keys(found)[bet[2]]} {bet[1]}")
        else:
            assert down is not None, sentence
            acts.append(f"1 take {keys(found)[down[1]]}")
    return acts


def test_what_may_be_done() -> None:
    """The second model takes what is said to be taken, and nothing else."""
    for found in every("now", "legal"):
        if found.drill == "now":
            part = found.parts[0]
            right = [at in part.right for at in range(len(part.options))]
            acts = acts_of(found, list(part.options))
        else:
            right = [found.parts[0].right == (0,)]
            acts = acts_of(found, [found.question.asks.removesuffix(" What do you say?")])
        assert [played(found, act)[1][0] for act in acts] == right, found.id


def test_the_most_odds() -> None:
    """So much is taken, and a chip more is not."""
    for found in every("odds"):
        asked = re.search(r"put on (.+)\?$", found.question.asks)
        assert asked is not None
        key, most = keys(found)[asked[1]], found.parts[0].right[0]
        chip = min(found.question.table.chips)
        tries = [f"1 bet {key} {amount / 100:.2f}" for amount in (most, most + chip)]
        assert [played(found, act)[1][0] for act in tries] == [True, False], found.id


def test_proper_units() -> None:
    """By the prices that the books publish, a proper stake wins whole chips and another does not."""
    for found in every("units"):
        asked = re.search(r"asks for (.+) in proper units", found.question.asks)
        assert asked is not None
        part, chip = found.parts[0], min(found.question.table.chips)
        pays, per = published(found.house.id, keys(found)[asked[1]], found.question.table.state.puck)
        stakes = [_cents(option) for option in part.options]
        whole = tuple(at for at, stake in enumerate(stakes) if stake * pays % (per * chip) == 0)
        assert whole == part.right, found.id


def published(house: str, key: str, puck: int) -> tuple[int, int]:
    """A price as the books print it: `7:6 to`, or `4,10=2:1 to; 5,9=3:2 to`."""
    number = int(found[1]) if (found := re.search(r"_(\d+)$", key)) else puck
    rows = [row for row in csv.DictReader(ORACLES.read_text(encoding="utf-8").splitlines()) if row["house"] == house]
    prices = {row["wager_key"]: row["payout_exact"] for row in rows}
    text = prices.get(key) or prices[re.sub(r"_\d+$", "", key)]
    for each in text.split("; "):
        numbers, _, price = each.rpartition("=")
        if not numbers or str(number) in numbers.split(","):
            pays, per = price.removesuffix(" to").split(":")
            return int(pays), int(per)
    raise AssertionError(key)


def test_where_the_puck_goes() -> None:
    """And who holds the dice, where somebody does."""
    for found in every("puck"):
        after, _ = played(found, f"roll {found.question.roll}")
        told = picture(after)
        puck, dice = found.parts
        assert puck.options[puck.right[0]] == ("off" if told["puck"] == "off" else f"on {told['puck']}"), found.id
        if told["shooter"] is not None:
            assert found.question.table.state.seats[told["shooter"]].name == dice.options[dice.right[0]], found.id
