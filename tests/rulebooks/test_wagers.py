"""The house files against `tests/oracles/wagers.csv`, row by row."""

from __future__ import annotations

import csv
import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from passline.engine.kinds import Hardway, Hop, Line, Number, Odds, OneRoll, Split
from passline.engine.layout import lay_out
from passline.engine.values import Cited
from passline.rulebooks.catalogue import clause
from passline.rulebooks.read import load
from tests.tables import cases

if TYPE_CHECKING:
    from passline.engine.book import WagerRule
    from passline.engine.layout import Layout

Row = dict[str, str]

with (Path(__file__).parents[1] / "oracles" / "wagers.csv").open(encoding="utf-8", newline="") as lines:
    ROWS: list[Row] = list(csv.DictReader(lines))

FAMILIES = {"come_odds", "dont_come_odds", "horn_high"}
"""Rows that stand for one key for each number."""

# The oracle's own words for a time or a lock, and what they come to in a house file.
MADE = {
    "immediately before a come-out roll": {"come-out"},
    "after the come-out roll": {"point on"},
    "only after the point is set": {"point on"},
    "while a point is on": {"point on"},
    "once the come point is set": {"any time"},
    "any time": {"any time"},
    "not stated; read as any time": {"any time"},
    "not stated; read as before a come-out roll": {"come-out"},
    "not stated; read as before a shooter's first come-out roll": {"first come-out"},
    "on a come-out roll only": {"come-out"},
}
REMOVABLE = {
    "until its point is set": "until its point",
    "once the shooter has rolled": "until its first roll",
    "once a roll has counted": "until its first roll",
}


def row_id(row: Row) -> str:
    """Name a row in the test's id."""
    return f"{row['house']}-{row['wager_key']}"


def find(row: Row) -> tuple[WagerRule, int] | None:
    """The rule that a row is about, and its number (0 for none)."""
    for rule in load(row["house"]).wagers:
        if row["wager_key"] == rule.key:
            return rule, 0
    spot = laid(row["house"]).spots.get(row["wager_key"])
    return None if spot is None or spot.has_travelled else (spot.rule, int(spot.key.rpartition("_")[2]))


@cache
def laid(house: str) -> Layout:
    """A house laid out."""
    return lay_out(load(house))


def rule_of(row: Row) -> tuple[WagerRule, int]:
    """The rule that a row is about; it must be there."""
    found = find(row)
    assert found is not None, f"{row['house']} has no {row['wager_key']}"
    return found


OFFERED = [row for row in ROWS if row["offered"] == "y"]
ABSENT = [row for row in ROWS if row["offered"] != "y"]


@cases("row", ABSENT, ids=row_id)
def test_what_a_house_does_not_offer_cannot_be_had(row: Row) -> None:
    """It is not in the file, or the file says why it is not on offer."""
    found = find(row)
    assert found is None or not found[0].offered.value


@cases("row", OFFERED, ids=row_id)
def test_what_a_house_offers_is_called_what_the_house_calls_it(row: Row) -> None:
    """Key and name are those of the oracle; a name has its capital, since sentences begin with it."""
    rule, number = rule_of(row)
    assert rule.offered.value
    name = row["house_name_for_it"]
    called = laid(row["house"]).spots[row["wager_key"]].name if number else rule.name
    assert called == name[0].upper() + name[1:]


@cases("row", OFFERED, ids=row_id)
def test_a_wager_rests_on_the_come_out_where_the_oracle_says_so(row: Row) -> None:
    """And what rests can be called, as X-30 reads all four houses."""
    rule, _ = rule_of(row)
    assert rule.off_on_comeout.value == (row["off_on_comeout"] == "y")
    assert rule.callable.value == rule.off_on_comeout.value


@cases("row", OFFERED, ids=row_id)
def test_a_wager_lasts_as_long_as_the_oracle_says(row: Row) -> None:
    """One-roll wagers are one-roll kinds; numbers and hardways stay up when they win."""
    rule, _ = rule_of(row)
    assert isinstance(rule.terms, OneRoll | Hop | Split) == (row["one_roll"] == "y")
    assert rule.stays.value == isinstance(rule.terms, Number | Hardway)


@cases("row", OFFERED, ids=row_id)
def test_a_wager_is_made_and_taken_down_when_the_oracle_says(row: Row) -> None:
    """The window and the lock."""
    rule, _ = rule_of(row)
    said = max((words for words in MADE if row["when_may_be_made"].startswith(words)), key=len)
    assert rule.made.value in MADE[said]
    lock = next((word for phrase, word in REMOVABLE.items() if phrase in row["removable"]), "any time")
    assert rule.removable.value == lock


def priced(text: str) -> dict[str, str]:
    """Read the oracle's prices: by number where it gives numbers, else under an empty key."""
    prices: dict[str, str] = {}
    for entry in text.split("; "):
        numbers, _, price = entry.rpartition("=")
        ratio = re.match(r"\d+:\d+ (?:to|for)", price)
        assert ratio is not None, text
        prices.update(dict.fromkeys(numbers.removesuffix(" points").split(","), ratio.group()))
    return prices


def quoted(rule: WagerRule) -> dict[str, str]:
    """Its prices as the oracle writes them, by number."""
    return {key.partition(".")[2]: f"{price.pays}:{price.per} {price.form}" for key, price in rule.quotes()}


def prices_of(rule: WagerRule, number: int, parts: dict[str, WagerRule]) -> dict[str, str]:
    """What a rule pays, by number where the oracle has numbers."""
    if isinstance(rule.terms, Split):
        return {total: price for part in rule.terms.parts.value for total, price in quoted(parts[part]).items()}
    found = quoted(rule)
    one = isinstance(rule.terms, OneRoll) and len(set(found.values())) == 1
    return {"": found.get(str(number)) or next(iter(found.values()))} if number or one else found


@cases("row", OFFERED, ids=row_id)
def test_a_wager_pays_what_the_oracle_says(row: Row) -> None:
    """Every price, in the house's own form."""
    rule, number = rule_of(row)
    parts = {each.key: each for each in load(row["house"]).wagers}
    assert prices_of(rule, number, parts) == priced(row["payout_exact"])


@cases("row", OFFERED, ids=row_id)
def test_a_wager_is_charged_what_the_oracle_says(row: Row) -> None:
    """A charge on buy and lay bets, and on nothing else."""
    rule, _ = rule_of(row)
    if row["commission"] == "none":
        assert rule.commission is None
        return
    assert rule.commission is not None
    assert rule.commission.rate.value == Fraction(1, 20)
    assert rule.commission.of.value == ("stake" if row["commission"].startswith("5% of stake") else "win")
    on_a_win = "taken from a win only" in row["commission"]
    assert rule.commission.when.value == ("on a win" if on_a_win else "up front")


@cases("row", OFFERED, ids=row_id)
def test_a_split_is_shared_out_as_the_oracle_says(row: Row) -> None:
    """Units: four for a horn, five for a world, two for craps-eleven, one more for a high."""
    rule, _ = rule_of(row)
    units = re.match(r"(\d) units", row["stake_structure"])
    assert isinstance(rule.terms, Split) == (units is not None)
    if isinstance(rule.terms, Split):
        assert units is not None
        assert sum(rule.terms.parts.value.values()) + bool(rule.terms.high) == int(units[1])
        assert set(rule.terms.high) == ({2, 3, 11, 12} if row["wager_key"] == "horn_high" else set())


@cases("row", OFFERED, ids=row_id)
def test_the_clauses_of_the_oracle_are_in_the_catalogue(row: Row) -> None:
    """Every id of the row stands for a sentence of that house."""
    for wanted in row["clause_ids"].split("; "):
        assert clause(wanted).house == row["house"]
        assert clause(wanted).sentence


LISTED = {(row["house"], row["wager_key"]): set(row["clause_ids"].split("; ")) for row in OFFERED}
"""The clauses of each row."""


@cases("row", OFFERED, ids=row_id)
def test_a_wager_cites_the_clauses_of_its_row(row: Row) -> None:
    """Its price by its own clause; its ends by its own, or by those of the wager it leans on."""
    rule, number = rule_of(row)
    cited = own_clauses(rule, number)
    own = LISTED[row["house"], row["wager_key"]]
    leans_on = [LISTED.get((row["house"], key), set()) for key in relatives(rule, number)]
    assert {each for each in cited if clause(each).topic == "payout"} <= own
    defined = {rule.terms.point} if isinstance(rule.terms, Line) else set()
    assert cited <= own.union(*leans_on, defined)
    assert cited & own


def relatives(rule: WagerRule, number: int) -> list[str]:
    """The wagers whose clauses a wager may cite: odds their flat bet's, a buy the place bet's, a split its parts'."""
    match rule.terms:
        case Odds(of=flat):
            return [flat]
        case Split(parts=parts):
            return list(parts.value)
        case Number(side="do"):
            return [f"place_{number}"]
        case Number(side="dont"):
            return [f"place_lose_{number}"]
        case Hop():
            return ["any_seven"]  # a proposition, made when propositions are
        case _:
            return []


def own_clauses(rule: WagerRule, number: int) -> set[str]:
    """The clauses of its house that a rule cites, for one of its numbers."""
    found: set[str] = set()
    for name in rule.terms.__dataclass_fields__:
        value = getattr(rule.terms, name)
        if isinstance(value, dict):
            value = value.get(number) if number in value else tuple(value.values())
        for each in value if isinstance(value, tuple) else (value,):
            said = each.clause if isinstance(each, Cited) else each
            if isinstance(said, str) and ":" in said:
                found.add(said)
    return found | ({rule.made.clause} if ":" in rule.made.clause else set())


def test_every_family_of_the_oracle_has_a_key_for_each_number() -> None:
    """`come_odds_6`, `horn_high_12`: the rows with bare keys stand for these."""
    for row in OFFERED:
        if row["wager_key"] in FAMILIES:
            rule, _ = rule_of(row)
            numbers = (2, 3, 11, 12) if row["wager_key"] == "horn_high" else (4, 5, 6, 8, 9, 10)
            keys = {spot.key for spot in laid(row["house"]).spots.values() if spot.rule is rule}
            assert keys == {f"{row['wager_key']}_{number}" for number in numbers}


@cases("house", ["adelaide", "sydney", "exhibit-a", "fire-bonus"])
def test_a_house_has_no_wager_that_the_oracle_does_not_know(house: str) -> None:
    """The oracle lists every key there is."""
    known = {row["wager_key"] for row in ROWS if row["house"] == house}
    for spot in laid(house).spots.values():
        assert spot.family in FAMILIES or spot.has_travelled or spot.key in known
