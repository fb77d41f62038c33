"""A house file that is wrong says where, what was found, what was expected, and the nearest name that would do."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.errors import HouseFileError
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import book_of, load, read_book
from tests.tables import cases


@cache
def text_of(house: str) -> str:
    """The text of a built-in house file."""
    return house_files()[house].read_text(encoding="utf-8")


def changed(old: str, new: str, house: str = "adelaide") -> str:
    """A built-in house file with one thing changed."""
    text = text_of(house)
    assert old in text, f"{house} does not say {old}"
    return text.replace(old, new, 1)


def complaints(source: str | bytes) -> list[str]:
    """What the reader says about a file."""
    with pytest.raises(HouseFileError) as caught:
        read_book(source, "mine.toml")
    return str(caught.value).splitlines()


def complaint(source: str | bytes) -> str:
    """The only thing that the reader says about a file."""
    (said,) = complaints(source)
    return said


# --- A file that is no house file ---


def test_a_file_that_is_not_text_names_the_byte() -> None:
    """Bytes that are not UTF-8."""
    said = complaint(b'id = "x"\nname = "caf\xe9"\n')
    assert said == "mine.toml, line 2: found byte 0xe9, which is not UTF-8; expected text in UTF-8."


def test_a_nul_byte_is_named_with_its_line_and_column() -> None:
    """Other control characters too, and escaped ones by their key."""
    assert complaint('id = "x"\nname = "a\0b"') == "mine.toml, line 2, column 10: found a NUL byte; expected text."
    assert (
        complaint("id = '\x1b'") == "mine.toml, line 1, column 7: found the invisible character U+001B; expected text."
    )
    assert complaint('about = {x = ["\\u0000", "y"]}') == "mine.toml, about.x: found a NUL byte; expected text."


def test_broken_toml_is_shown_with_its_line_and_column() -> None:
    """The line itself is quoted."""
    said = complaint(changed('kind       = "line"', "kind       = line"))
    assert said.startswith("mine.toml, line 46, column 14: found broken TOML in `kind       = line` (Invalid value)")


def test_a_file_cut_short_says_so() -> None:
    """As a download that was broken off."""
    said = complaint(text_of("adelaide")[:300])
    assert said == "mine.toml, the end: found broken TOML (Unterminated string); expected a complete TOML file."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('min       = [5, "X-34"]', 'min       = [5, "X-34"]\nmin       = [6, "X-34"]'),
        ("[money]", "[notice]"),
        ('no_cause = { touched-chips = "11(d)" }', 'no_cause = { touched-chips = "11(d)", touched-chips = "11(d)" }'),
    ],
)
def test_a_key_that_stands_twice_is_found(old: str, new: str) -> None:
    """As a key, as a section, and inside a line."""
    said = complaint(changed(old, new))
    assert "found a key for the second time in `" in said
    assert said.endswith("expected each key once.")


def test_what_is_far_too_long_or_too_deep_is_not_read() -> None:
    """A limit on everything."""
    assert (
        complaint(" " * 1_000_001)
        == "mine.toml: found more than 1000000 bytes; expected a house file, which needs fewer."
    )
    assert "nested hundreds deep" in complaint("a = " + "[" * 5_000)
    assert "Exceeds the limit" in complaint("a = " + "9" * 5_000)


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    """Neither an id nor a path."""
    for nothing in ("", " "):
        with pytest.raises(HouseFileError, match=rf"^house: found '{nothing}'; expected adelaide, .*house file\.$"):
            load(nothing)
    with pytest.raises(HouseFileError, match=r"^sydny: found no such house; expected adelaide, .*\. Nearest: sydney$"):
        load("sydny")
    there = str(tmp_path / "mine.toml")  # named with its folder, for there may be several
    with pytest.raises(HouseFileError, match=rf"^{re.escape(there)}: found no such file or directory; expected a"):
        load(there)
    with pytest.raises(HouseFileError, match="found a directory; expected"):
        load(tmp_path)
    with pytest.raises(HouseFileError, match="embedded null"):
        load(Path("a\0.toml"))


# --- Keys and types ---


@pytest.mark.parametrize(
    ("old", "new", "path", "near"),
    [
        ("[betting]", "[beting]", "beting", "betting"),
        ("steps     =", "stpes     =", "notice.stpes", "steps"),
        ('removable  = ["until', 'removeable = ["until', "wager.pass.removeable", "removable"),
        ('refund        = [true, "7(c)"]\n', 'refnd = [true, "7(c)"]\n', "wager.buy.commission.refnd", "refund"),
    ],
)
def test_an_unknown_key_is_shown_the_nearest_one(old: str, new: str, path: str, near: str) -> None:
    """And the key that was meant is not called missing as well."""
    said = complaint(changed(old, new))
    assert said.startswith(f"mine.toml, {path}: found an unknown key; expected one of ")
    assert said.endswith(f". Nearest: {near}")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('max       = [1000, "X-34"]\n', "", "notice.max: found nothing; expected this key: the largest wager."),
        ('box        = "boxman"\n', "", "staff.box: found nothing; expected this key: who sits over the bank"),
        ('then_wins  = "4(a).win(ii)"\n', "", "wager.pass.then_wins: found nothing; expected this key: the clause by"),
        ('min       = [5, "X-34"]', 'min = ["five", "X-34"]', "notice.min: found 'five'; expected a whole number."),
        ('min       = [5, "X-34"]', 'min = [true, "X-34"]', "notice.min: found true; expected a whole number."),
        ('min       = [5, "X-34"]', 'min = [-5, "X-34"]', "notice.min: found -5; expected at least 0."),
        ('min       = [5, "X-34"]', 'min = [2.5, "X-34"]', "notice.min: found `2.5`; expected a whole number, or text"),
        ('min       = [5, "X-34"]', "min = 5", 'notice.min: found 5; expected a pair [value, "clause"].'),
        ('min       = [5, "X-34"]', "min = [5]", "the clause is missing."),
        ('min       = [5, "X-34"]', 'min = [5, ""]', "notice.min: found empty text; expected a clause of this house"),
        ('min       = [5, "X-34"]', 'min = [5, "X-34", 1]', 'expected a pair [value, "clause"].'),
        ('["2003-04-28"', "[2003-04-28", "about.approved: found `2003-04-28`; expected a whole number, or text"),
        ("[wager.pass]\n", "[wager]\npass = 3\n[wager.pasta]\n", "wager.pass: found 3; expected a table."),
        ('id     = "adelaide"', 'id = "Ade Laide"', "id: found 'Ade Laide'; expected small letters, digits and dashes"),
        ("[wager.pass]\n", "[wager.Pass]\n", "wager.Pass: found the key 'Pass'; expected small letters, digits and un"),
        ('[["dealer", "box"], "5(e).2"]', '[[], "5(e).2"]', "on_confirmers: found []; expected at least one entry."),
    ],
)
def test_a_missing_key_or_a_wrong_type_says_what_should_be_there(old: str, new: str, expected: str) -> None:
    """In the words of the file, not of the library that reads it."""
    assert any(expected in said for said in complaints(changed(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "found", "near"),
    [
        ('"until its point"', '"until the point"', "wager.pass.removable: found 'until the point'", "until its point"),
        ('kind       = "line"', 'kind = "lines"', "wager.pass.kind: found 'lines'", "line"),
        ('side       = "do"', 'side = "don\'t"', 'wager.pass.side: found "don\'t"', "dont"),
        ("stacked           =", "stackd =", "no_roll.causes.stackd: found the key 'stackd'", "stacked"),
        ('"box"], "5(e).2"', '"boxx"], "5(e).2"', "betting.on_confirmers: found 'boxx'", "box"),
    ],
)
def test_a_wrong_word_is_shown_the_nearest_one(old: str, new: str, found: str, near: str) -> None:
    """Every word that is one of a few."""
    said = complaint(changed(old, new))
    assert said.startswith(f"mine.toml, {found}; expected one of ")
    assert said.endswith(f". Nearest: {near}")


def test_a_wager_without_a_kind_is_told_the_kinds() -> None:
    """There is no nearest to nothing."""
    said = complaint(changed('kind       = "line"\n', ""))
    assert said.startswith("mine.toml, wager.pass.kind: found nothing; expected one of line, odds, number, ")
    assert "Nearest" not in said


# --- Prices ---


@pytest.mark.parametrize("price", ['"0:5"', '"9:0"', '"0:0"', '"1:1 for"', '"1:2 for"'])
def test_a_price_of_nothing_is_no_price(price: str) -> None:
    """Nor is one *for* one that only gives the stake back."""
    said = complaint(changed('4  = ["9:5"', f"4  = [{price}"))
    shown = price.replace('"', "'")
    assert said == f"mine.toml, wager.place.pays.4: found {shown}; expected a price that pays something."


@pytest.mark.parametrize("price", ['"7-6"', '"7:6 two"', '"7/6"', '"-7:6"', '"7:6 "', '""', "7", "[7, 6]"])
def test_a_malformed_price_is_told_the_form(price: str) -> None:
    """Ratios with a colon, in quotes."""
    said = complaint(changed('4  = ["9:5"', f"4  = [{price}"))
    assert said.startswith("mine.toml, wager.place.pays.4: found ")
    assert said.endswith('expected a price such as "7:6" or "8:1 for".')


@pytest.mark.parametrize("rate", ['"5"', '"0%"', '"100%"', '"-5%"', '"5 %"', "5"])
def test_a_charge_is_a_percentage(rate: str) -> None:
    """Above nothing and below everything."""
    said = complaint(changed('["5%", "7(a).3"]', f'[{rate}, "7(a).3"]'))
    assert said.endswith('expected a percentage above 0 and below 100, such as "5%".')


# --- Clauses ---


@pytest.mark.parametrize(
    ("old", "new", "near"),
    [
        ('"4(a).win(i)"', '"4(a).won(i)"', "4(a).win(i)"),
        ('"X-34"', '"X-340"', "X-34"),
        ('"P-10d"', '"P-10e"', "P-10"),
        ('then_wins  = "4(a).win(ii)"', 'then_wins = "sydny:6.7"', "sydney:6.7"),
    ],
)
def test_a_clause_that_stands_for_nothing_is_shown_the_nearest(old: str, new: str, near: str) -> None:
    """Of this house, of the readings, of the decisions, or of another house by its full name."""
    said = complaint(changed(old, new))
    assert "; expected a clause of this house, a reading or a decision." in said
    assert said.endswith(f" Nearest: {near}")


def test_a_house_may_cite_another_by_its_full_name() -> None:
    """A new house can lean on an old one's clause."""
    book = read_book(changed('then_wins  = "4(a).win(ii)"', 'then_wins = "sydney:6.1.1.1.2"'))
    assert book.wagers[0].terms.then_wins == "sydney:6.1.1.1.2"  # type: ignore[union-attr]


def test_a_house_with_clauses_of_its_own_must_have_those_it_cites() -> None:
    """Every citation of the lost clause is reported."""
    text = changed('"odds.345"  ', '"odds.35"  ', "strip").replace('id     = "strip"', 'id = "mine"')
    said = complaints(text)
    assert [line.split(":")[0] for line in said] == [
        "mine.toml, notice.odds",
        "mine.toml, wager.pass_odds.limit",
        "mine.toml, wager.come_odds.limit",
    ]
    assert all(line.endswith("Nearest: odds.35") for line in said)


def test_a_house_that_does_not_say_who_it_is_gets_one_complaint() -> None:
    """Not one more for each clause that cannot be looked up."""
    assert len(complaints(changed('id     = "adelaide"', "id = 7"))) == 1


# --- Wagers that could not be settled ---

CANNOT_BE_SETTLED = [
    (
        "adelaide",
        'pays       = ["1:1", "6(c).pass"]\n',
        "",
        "wager.pass.pays: found nothing; expected this key: its price.",
    ),
    (
        "adelaide",
        'wins   = "4(p)"\n',
        "",
        "wager.any_seven.wins: found nothing; expected this key: the clause by which",
    ),
    (
        "adelaide",
        '{ 7 = ["4:1", "6(c).any-seven"] }',
        "{}",
        "wager.any_seven.pays: found {}; expected at least one entry.",
    ),
    (
        "adelaide",
        '"6,8"  = ["6:5", "6(c).pass-odds-6-8"]\n',
        "",
        "wager.pass_odds.pays: found no price for 6, 8; expected one for each of 4, 5, 6, 8, 9, 10.",
    ),
    (
        "adelaide",
        '"6,8"  = ["6:5", "6(c).pass-odds-6-8"]',
        '"6,8,11" = ["6:5", "6(c).pass-odds-6-8"]',
        "wager.pass_odds.pays: found a price for 11; expected only points: 4, 5, 6, 8, 9, 10.",
    ),
    (
        "adelaide",
        'of    = "pass"',
        'of = "paas"',
        "wager.pass_odds.of: found 'paas'; expected a line wager of this file: ",
    ),
    (
        "adelaide",
        'of    = "pass"',
        'of = "field"',
        "wager.pass_odds.of: found 'field'; expected a line wager of this file",
    ),
    (
        "adelaide",
        "[wager.pass]\n",
        '[wager.pass]\noffered = [false, "4"]\n',
        "wager.pass_odds.offered: found true; expected false, as long as pass is not offered.",
    ),
    (
        "sydney",
        "craps_12 = 1 }",
        "craps12 = 1 }",
        "wager.horn.parts: found 'craps12'; expected a one-roll wager of this file: field, any_seven, any_craps, ",
    ),
    (
        "sydney",
        "craps_12 = 1 }",
        "horn_high = 1 }",
        "wager.horn.parts: found 'horn_high'; expected a one-roll wager of",
    ),
    ("sydney", "craps_12 = 1 }", "craps_12 = 0 }", "wager.horn.parts.craps_12: found 0; expected at least 1."),
    (
        "sydney",
        "[{ any_craps = 1, eleven = 1 }",
        "[{}",
        "wager.craps_eleven.parts: found none; expected at least one part.",
    ),
    (
        "sydney",
        '12 = "craps_12" }',
        '12 = "any_craps" }',
        "wager.horn_high.high: found 'any_craps' for 12; expected one of its parts.",
    ),
    (
        "adelaide",
        '"2,12" = "6(c).horn-2-12", "3,11"',
        '"3,11"',
        "wager.horn.paid_by: found clauses for 3, 11; expected one for each of 2, 3, 11, 12.",
    ),
    (
        "adelaide",
        'wins       = [[7, 11], "4(a)',
        'wins = [[7], "4(a)',
        "wager.pass: found 11 undecided on its first roll; expected every total that is no point decided.",
    ),
    (
        "adelaide",
        'wins       = [[7, 11], "4(a)',
        'wins = [[7, 11, 12], "4(a)',
        "wager.pass: found 12 decided twice; expected each total in only one of wins, loses and bar.",
    ),
    (
        "adelaide",
        'wins       = [[7, 11], "4(a)',
        'wins = [[6, 7, 11], "4(a)',
        "wager.pass: found 6 decided on its first roll; expected every point left open.",
    ),
    ("adelaide", "bar        = [12,", "bar = [13,", "wager.dont_pass.bar: found 13; expected at most 12."),
    (
        "adelaide",
        'loses      = [[2, 3, 12], "4(a)',
        'bar = [12, "4(c)"]\nloses = [[2, 3], "4(a)',
        "wager.pass.bar: found 12; expected no bar on a wager with the shooter.",
    ),
    (
        "adelaide",
        'bar        = [12, "4(c)"]',
        'bar = [12, "4(c)"]\nput = [true, "X-07"]',
        "wager.dont_pass.put: found true",
    ),
    (
        "fire-bonus",
        "[[2, 3, 4, 5, 6],",
        "[[2, 3, 7],",
        "wager.all_small.needs: found 2, 3, 7; expected different totals, at least one and none of them 7.",
    ),
    (
        "fire-bonus",
        "[[2, 3, 4, 5, 6],",
        "[[],",
        "wager.all_small.needs: found none; expected different totals, at least",
    ),
    (
        "fire-bonus",
        "[[2, 3, 4, 5, 6],",
        "[[2, 2],",
        "wager.all_small.needs: found 2, 2; expected different totals, at least",
    ),
    (
        "fire-bonus",
        '3 = ["7:1 for", "FIRE.3pts"]',
        '7 = ["7:1 for", "FIRE.3pts"]',
        "wager.fire.pays: found a price for 7 points; expected at most 6, as many as there are.",
    ),
    (
        "fire-bonus",
        "[wager.fire]",
        "[wager.fire]\nwrong = 1",
        "wager.fire.wrong: found an unknown key; expected one of ",
    ),
    (
        "adelaide",
        '4  = ["9:5"',
        '7  = ["9:5"',
        "wager.place.pays: found a price for 7; expected numbers that can come before",
    ),
    ("adelaide", '4  = ["7:1"', '5  = ["7:1"', "wager.hard.pays: found a price for 5; expected only 4, 6, 8, 10."),
    (
        "adelaide",
        'wins    = { 6 = "4(m)", 8 = "4(n)" }',
        'wins    = { 6 = "4(m)" }',
        "wager.big.wins: found clauses for 6; expected one for each of 6, 8.",
    ),
    (
        "adelaide",
        '{ 7 = ["4:1"',
        '{ "2,3,4,5,6,7,8,9,10,11,12" = ["4:1"',
        "wager.any_seven.pays: found a price for every total; expected a total that loses.",
    ),
    (
        "adelaide",
        '"4,10" = ["2:1", "6(c).p',
        '"4,x" = ["2:1", "6(c).p',
        "wager.pass_odds.pays: found `4,x`; expected keys",
    ),
    (
        "adelaide",
        '"4,10" = ["2:1", "6(c).p',
        '"4,13" = ["2:1", "6(c).p',
        "wager.pass_odds.pays: found `4,13`; expected keys",
    ),
    (
        "adelaide",
        '"4,10" = ["2:1", "6(c).p',
        '"4,10,6" = ["2:1", "6(c).p',
        "wager.pass_odds.pays: found two for 6; expected one entry for each total.",
    ),
    (
        "adelaide",
        "[wager.field]",
        "[wager.place_4]",
        "wager.place_4: found the key place_4, which place has already; expected a key for each wager.",
    ),
    (
        "adelaide",
        "[wager.field]",
        "[wager.come_6]",
        "wager.come_6: found the key come_6, which come has already; expected a key for each wager.",
    ),
    (
        "strip",
        "hop_{high}_{low}",
        "hop_{total}",
        "wager.hop: found the key hop_4, which hop has already; expected a key",
    ),
    (
        "strip",
        "hop_{high}_{low}",
        "Hop {x}",
        "wager.hop.keys: found 'Hop {x}'; expected a key made with {total}, {high} and",
    ),
    (
        "strip",
        'easy        = ["15:1", "center.hop-easy"]\n',
        "",
        "wager.hop.easy: found no price; expected one, for 2-1, ",
    ),
    ("strip", '"2-1"', '"1-2"', "wager.hop.pairs: found '1-2'; expected two faces, the higher first, such as \"4-2\"."),
    (
        "fire-bonus",
        'hard        = ["30:1 for", "PROP.14"]',
        'hard = ["30:1 for", "PROP.14"]\neasy = ["15:1", "PROP.14"]',
        "wager.hop_hard.easy: found the price ",
    ),
    (
        "fire-bonus",
        '["2-2", "3-3", "4-4", "5-5"]',
        "[]",
        "wager.hop_hard.pairs: found none; expected at least one pair.",
    ),
    (
        "adelaide",
        "[wager.buy.commission]",
        "[wager.place.commission]",
        "wager.place.commission: found a charge on top of 9 to 5 on 4, ",
    ),
    (
        "adelaide",
        "[wager.buy.commission]",
        "[wager.field.commission]",
        "wager.field.commission: found a charge; expected none: only number wagers at true odds carry one (adel",
    ),
    (
        "adelaide",
        'stays      = [false, "X-15"]\n\n[wager.dont_come]',
        'stays      = [true, "X-15"]\n\n[wager.dont_come]',
        "wager.come.stays: found true; expected false",
    ),
    (
        "adelaide",
        "[wager.field]",
        '[wager.field]\nremovable = ["until its point", "X-15"]',
        "wager.field.removable: found 'until its point'; expected another word: only a line wager gets a point.",
    ),
    (
        "adelaide",
        'made       = ["come-out", "4(b)"]',
        'made       = ["any time", "4(b)"]',
        "wager.dont_pass.made: found 'any time'; expected one of come-out.",
    ),
    (
        "fire-bonus",
        'made      = ["first come-out", "F-05"]',
        'made      = ["point on", "F-05"]',
        "wager.fire.made: found 'point on'; expected one of first come-out, come-out, after a seven.",
    ),
    (
        "adelaide",
        '"Place Bet {n} to Win"',
        '"Place Bet {m} to Win"',
        "wager.place.name: found a stray {, }; expected no",
    ),
    (
        "adelaide",
        '4 = "Four the Hardway"',
        '5 = "Five the Hardway"',
        "wager.hard.names: found a name for 5; expected names",
    ),
    (
        "adelaide",
        "points = [[4, 5, 6, 8, 9, 10]",
        "points = [[4, 5, 6, 7]",
        "points: found 4, 5, 6, 7; expected different",
    ),
    (
        "adelaide",
        "odds      = [10,",
        "odds = [11,",
        "notice.odds: found 11; expected from 1 (odds_from) to 10 (odds_to).",
    ),
    (
        "adelaide",
        "odds      = [10,",
        "odds = [0,",
        "notice.odds: found 0; expected a multiple from 1, a table of them by",
    ),
    (
        "adelaide",
        "odds      = [10,",
        "odds = [{ 4 = 3 },",
        "notice.odds: found multiples for 4; expected one for each of 4, ",
    ),
    (
        "adelaide",
        "odds_to   = [10,",
        "odds_to = [true,",
        'notice.odds_to: found true; expected a multiple from 1, or "none"',
    ),
    ("adelaide", "odds_from = [1,", "odds_from = [11,", "notice.odds_from: found 11; expected at most odds_to, 10."),
    ("adelaide", "max       = [1000,", "max = [1,", "notice.min: found 5; expected at most the maximum of 1."),
    (
        "adelaide",
        "[[1, 5, 25, 100, 500],",
        "[[5, 1],",
        "notice.chips: found 5, 1; expected at least one chip, smallest first",
    ),
    (
        "adelaide",
        "[[1, 5, 25, 100, 500],",
        "[[],",
        "notice.chips: found none; expected at least one chip, smallest first",
    ),
]


@cases("house, old, new, expected", CANNOT_BE_SETTLED)
def test_a_house_that_could_not_be_dealt_does_not_load(house: str, old: str, new: str, expected: str) -> None:
    """A price, a clause and an end for every wager, and a key for each."""
    assert any(said.startswith(f"mine.toml, {expected}") for said in complaints(changed(old, new, house)))


@pytest.mark.clause("adelaide:14(d)")
def test_only_wagers_at_true_odds_carry_a_charge() -> None:
    """A charge on anything but a buy or a lay is a mistake in the file."""
    assert "adelaide:14(d)" in complaint(changed("[wager.buy.commission]", "[wager.place.commission]"))
    assert "adelaide:14(d)" in complaint(changed("[wager.buy.commission]", "[wager.field.commission]"))
    for house in house_files():
        assert {wager.key for wager in load(house).wagers if wager.commission} <= {"buy", "lay"}


@pytest.mark.parametrize(
    ("house", "old", "new", "expected"),
    [
        (
            "adelaide",
            '6  = ["7:6"',
            '6  = ["1:1"',
            "place.pays.6: found 1 to 1; expected at least 7 to 6, as adelaide lists it",
        ),
        (
            "adelaide",
            'pays       = ["1:1", "6(c).p',
            'pays = ["1:2", "6(c).p',
            "pass.pays: found 1 to 2; expected at least 1",
        ),
        ("sydney", '2 = ["33:1"', '2 = ["34:1"', "craps_2.pays.2: found 34 to 1; expected 33 to 1, as sydney lists it"),
        (
            "fire-bonus",
            '["30:1 for", "PROP.14"]',
            '["29:1 for", "PROP.14"]',
            "hop_hard.hard: found 29 for 1; expected 30 for",
        ),
        (
            "adelaide",
            '["5%", "7(a).3"]',
            '["6%", "7(a).3"]',
            "buy.commission.rate: found 6%; expected at most 5%, as adelaide",
        ),
    ],
)
def test_a_copy_of_a_house_keeps_to_its_listed_prices(house: str, old: str, new: str, expected: str) -> None:
    """Adelaide may pay more than its list and never less (A-14); sydney pays its list (S-24)."""
    assert complaint(changed(old, new, house)).startswith(f"mine.toml, wager.{expected}")


def test_a_copy_of_adelaide_may_pay_more() -> None:
    """Which every table of the house then does."""
    assert read_book(changed('2 = ["32:1"', '2 = ["33:1"')).id == "adelaide"


def test_a_house_without_a_line_bet_does_not_load() -> None:
    """Nobody could shoot."""
    text = text_of("adelaide")
    start, end = text.index("[wager.pass]"), text.index("[wager.field]")
    said = complaints(text[:start] + text[end:])
    assert any(line.startswith("mine.toml, wager: found no line wager that stays where it is") for line in said)


@pytest.mark.slow
def test_every_fault_is_reported_and_a_flood_is_counted() -> None:
    """One reading shows all there is to mend."""
    text = changed('min       = [5, "X-34"]', 'min = ["five", "X-34"]').replace('"9:5"', '"9-5"')
    assert len(complaints(text)) == 3
    flood = complaints(text_of("adelaide").replace('id     = "adelaide"', 'id = "mine"'))
    assert len(flood) == 21
    assert flood[-1].startswith("... and ")


# --- Nothing else ever comes out ---


@pytest.mark.slow
@given(st.data())
def test_a_damaged_file_is_read_or_complained_of(data: st.DataObject) -> None:
    """Whatever is cut out of a file or put into it, the reader answers."""
    text = text_of("fire-bonus")
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    put = data.draw(
        st.one_of(st.sampled_from(['"', "[", "]", "{", "=", "7", "true", "\0", "é", "\n"]), st.text(max_size=8))
    )
    damaged = text[:start] + put + text[end:]
    with suppress(HouseFileError):
        read_book(damaged)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.sampled_from(["line", "X-16", "7:6"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.slow
@given(st.data())
def test_any_value_in_any_place_is_read_or_complained_of(data: st.DataObject) -> None:
    """Wrong types anywhere become findings, never a traceback."""
    house = tomllib.loads(text_of("fire-bonus"))
    place: dict[str, object] = house
    while True:
        key = data.draw(st.sampled_from(sorted(place)))
        inner = place[key]
        if not isinstance(inner, dict) or data.draw(st.booleans()):
            break
        place = inner
    place[key] = data.draw(values)
    with suppress(HouseFileError):
        book_of(house, "mine.toml")


def test_bytes_with_a_mark_in_front_are_read() -> None:
    """Some editors put one there."""
    assert read_book(b"\xef\xbb\xbf" + text_of("strip").encode()).id == "strip"


def test_nothing_is_sanctioned_or_excused_that_is_not_forbidden() -> None:
    """A sanction for what people may do would be no rule at all."""
    said = complaint(changed('[["device"], "9.3"]', '[["device", "touching"], "9.3"]', "sydney"))
    assert said.startswith("mine.toml, floor.sanctioned: found touching; expected what floor.conduct forbids: device")
    said = complaint(changed("[floor.excuses]", '[floor.excuses]\ntouching = ["asked for", "9.2"]', "sydney"))
    assert said.startswith("mine.toml, floor.excuses: found touching; expected what floor.conduct forbids: device")
    said = complaint(changed('"casino dollars"], "10.3.2"]', '"casino dollars", "tobacco"], "10.3.2"]', "sydney"))
    assert said == "mine.toml, promotions.no_cash_alternative: found tobacco; expected things that can be prizes."
