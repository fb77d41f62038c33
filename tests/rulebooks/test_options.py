"""Every option of the readings is a field of a house file, and the houses say what the readings recommend."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from passline.engine import book, floor_rules, kinds
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.model import FIELDS
from passline.rulebooks.read import load
from tests.rulebooks.options import DECIDED, DOCUMENT, OPTIONS, Option, page
from tests.tables import cases

if TYPE_CHECKING:
    from collections.abc import Iterator

HOUSES = ("adelaide", "sydney", "exhibit-a", "fire-bonus")
"""The columns of the table at the end of `ambiguities.md`."""

# What a cell of that table comes to where it is not simply the value. A cell that is left out is compared as it stands,
# without its remarks in brackets.
READ: dict[str, dict[str, str]] = {
    "odds_multiple": {"10, posted": "10", "null": "none"},
    "odds_prices": {},
    "come_requires_point": {"true": "point on"},
    "come_odds_on_comeout": {"off": "true"},
    "off_on_comeout": {
        "place, buy, come odds, hard": "come_odds, place, buy, hard",
        "place, come odds, hard": "come_odds, place, buy, hard",  # buy, if it were offered
    },
    "callable_off": {"same four": "come_odds, place, buy, hard", "same": "come_odds, place, buy, hard"},
    "promotional_tokens": {"yes": "true", "no": "false"},
    "improper_multiple": {"-": "none"},
    "payout_overrides": {"upward, casino-wide": "upward"},
    "commission.rate": {
        "5% stake / 5% possible win": "5% of stake / 5% of win",
        "5% stake / 5% of win": "5% of stake / 5% of win",
        "-": "5% of stake / -",  # E-01: if it were offered
    },
    "commission.when": {"up front / on win": "up front / on a win", "-": "up front / -"},
    "commission.refund_on_removal": {"true": "true / true", "-": "true / -"},
    "min_raise_notice_minutes": {"none": "0"},
    "closing_notice_minutes": {"none": "0"},
    "on_confirmers": {"dealer, boxman": "dealer, box", "dealer, boxperson": "dealer, box"},
    "no_roll_callers": {
        "boxman or stickman, as designated": "box, stick",
        "stickperson, casino supervisor": "stick, supervisor, box",  # sydney 1.1: a boxperson is one
        "boxperson": "box",
        "floor crew": "dealer, stick, box, supervisor",
    },
    "shooter_passes_on": {"seven out": "seven-out"},
    "offer_big_6_8": {"true, where available": "true", "false": "-"},
    "any_craps_price": {"7:1 to": "7:1", "15:2 to": "15:2", "null": "not offered (8:1 for if it were)"},
    "fire_window": {"first comeout, continue": "first come-out"},
    "fire_on_pass": {"first comeout, continue": "continue"},
    "bonus_window": {"any comeout, tally per bet": "come-out"},
    "commission.rounding": {"down, one chip, smallest chip": "down / down", "-": "down / -"},
    "commission.minimum": {"down, one chip, smallest chip": "1 / 1", "-": "1 / -"},
    "commission.unit": {"down, one chip, smallest chip": "1 / 1", "-": "1 / -"},
    "commission.recharge_on_stay": {"true": "true / true", "-": "true / -"},
    "payout.form": {
        "for: propositions, hardways, fire; else to": (
            "for: hard, any_seven, any_craps, craps_2, craps_3, craps_12, eleven, hop_hard, fire; else to"
        )
    },
    "token_after_win": {"-": "return"},
}

# Cells that only point elsewhere; `test_wagers.py` and the tests below compare those.
ELSEWHERE = {"smallest_chip", "max", "removable", "invalid_causes"}


def recommended() -> Iterator[tuple[str, str, str]]:
    """Every option, house and cell of the table of defaults."""
    text = (files("passline.rulebooks") / "data" / "ambiguities.md").read_text(encoding="utf-8")
    table = text.split("## Options with their default per house")[1].split("\n## ")[0]
    for line in table.splitlines():
        if line.startswith("| `"):
            names, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            for name in re.findall(r"`([^`]+)`", names):
                yield from ((name, house, cell) for house, cell in zip(HOUSES, cells, strict=True))


def option(name: str) -> Option:
    """The option of this name."""
    return next(option for option in OPTIONS if option.name == name)


def test_every_option_of_the_readings_is_a_field() -> None:
    """Nothing the readings leave to the house is fixed in code."""
    assert {name for name, _, _ in recommended()} == {option.name for option in OPTIONS} | DECIDED.keys()


@cases("name, house, cell", list(recommended()))
def test_a_house_says_what_the_readings_recommend(name: str, house: str, cell: str) -> None:
    """The defaults of the files are the defaults of the table."""
    if name in ELSEWHERE or name in DECIDED:
        return
    plain = re.sub(r" \([^)]*\)", "", cell).replace("_", " ")
    expected = READ.get(name, {}).get(plain, plain)
    if (name, house) == ("commission.recharge_on_stay", "fire-bonus"):
        expected = "true / false"  # "true (buy)": its lay is charged on a win, so nothing falls due again
    if (name, house) == ("on_invalidation", "adelaide"):
        expected = "as it lay"  # decided otherwise since: P-100
    assert option(name).shown(load(house)) == expected


@pytest.mark.parametrize(
    ("house", "auto", "must_call", "may_call"),
    [
        ("adelaide", "11(a)", None, "11(b)"),
        ("sydney", None, "5.3", "5.2"),
        ("exhibit-a", "invalid(1)", None, "invalid(2)"),
    ],
)
def test_flaws_in_a_throw_are_handled_as_their_clauses_say(
    house: str, auto: str | None, must_call: str | None, may_call: str | None
) -> None:
    """X-26: which clause a cause stands in decides whether it needs a call."""
    for handling in load(house).no_roll.causes.values():
        clause = handling.clause.partition(":")[2]
        for section, word in ((auto, "auto"), (must_call, "must call"), (may_call, "may call")):
            if section and clause.startswith(section):
                assert handling.value == word


def test_fire_bonus_voids_what_exhibit_a_voids() -> None:
    """P-89, P-98: the guide has no list of its own."""

    def voids(house: str) -> set[str]:
        return {flaw for flaw, handling in load(house).no_roll.causes.items() if handling.value == "auto"}

    assert voids("fire-bonus") == voids("exhibit-a")


@pytest.mark.parametrize("house", HOUSES)
def test_the_sign_of_a_silent_house_is_the_usual_one(house: str) -> None:
    """X-34 and decision 8: 5 to 1000, and chips from 1 to 500."""
    notice = load(house).notice
    assert (notice.minimum.value, notice.maximum.value, notice.props.value) == (5, 1000, None)
    assert notice.chips.value == (1, 5, 25, 100, 500)


@pytest.mark.parametrize(
    ("house", "first", "last"),
    [
        ("adelaide", 1, 10),
        ("sydney", 2, 2),
        ("exhibit-a", 1, None),
        ("fire-bonus", 1, None),
        ("strip", 1, 100),
        ("crapless", 1, 100),
    ],
)
def test_a_sign_may_name_these_multiples(house: str, first: int, last: int | None) -> None:
    """Decision 9."""
    notice = load(house).notice
    assert (notice.odds_from.value, notice.odds_to.value) == (first, last)


@pytest.mark.parametrize(
    ("house", "steps", "side"),
    [
        ("adelaide", True, False),
        ("sydney", True, False),
        ("exhibit-a", False, False),
        ("fire-bonus", False, True),
        ("strip", False, True),
        ("crapless", False, False),
    ],
)
def test_a_sign_may_say_these_words(house: str, steps: bool, side: bool) -> None:  # noqa: FBT001 - columns of a table
    """Decisions 10a, 10b and 10d."""
    notice = load(house).notice
    assert (notice.steps.value, notice.side.value) == (steps, side)


PROPS = {"hard", "hop_hard", "hop", "any_seven", "any_craps", "craps_2", "craps_3", "craps_12", "eleven", "horn"}
PROPS |= {"horn_high", "craps_eleven", "world"}
SIDE = {"fire", "all_small", "all_tall", "make_em_all"}
SIDE |= {"flaming_four", "sizzling_six", "hot_hand", "different_doubles", "sharp_shooter", "replay", "repeater"}


@pytest.mark.parametrize("house", [*HOUSES, "crapless", "strip"])
def test_limits_go_by_the_class_of_wager(house: str) -> None:
    """Decisions 10c and 10d."""
    for wager in load(house).wagers:
        expected = "props" if wager.key in PROPS else "side" if wager.key in SIDE else "table"
        assert wager.limits.value == expected, wager.key


@cases("each", OPTIONS, ids=lambda each: each.name)
def test_the_field_of_an_option_is_there(each: Option) -> None:
    """What `docs/options.md` calls a field is one, in some house at least."""
    houses = [tomllib.loads(path.read_text(encoding="utf-8")) for path in house_files().values()]
    for field in each.field.split(", "):
        assert any(list(values_at(house, field.split("."))) for house in houses), field


def values_at(value: object, path: list[str]) -> Iterator[object]:
    """What stands at a path, where a star is any part of a name."""
    if not path:
        yield value
    elif isinstance(value, dict):
        pattern = re.escape(path[0]).replace(r"\*", ".*")
        for key, inner in value.items():
            if re.fullmatch(pattern, key):
                yield from values_at(inner, path[1:])


def test_the_page_of_options_is_in_step() -> None:
    """Run `python -m tests.rulebooks.options` to write it again."""
    assert DOCUMENT.read_text(encoding="utf-8") == page()


def test_every_sentence_is_of_a_field() -> None:
    """And is one: what has none makes no model, and what is no field's would be read by nobody."""
    records = {
        name: vars(module)[name] for module in (book, floor_rules, kinds) for name in FIELDS.keys() & vars(module)
    }
    assert records.keys() == FIELDS.keys()
    for name, sentences in FIELDS.items():
        assert sentences.keys() <= {each.name for each in fields(records[name])}, name
        assert all(re.fullmatch(r"[A-Z].*[.]", sentence) for sentence in sentences.values()), name
