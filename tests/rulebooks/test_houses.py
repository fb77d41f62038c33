"""The houses that come with the program: they load, they are whole, and every clause they cite is there."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from dataclasses import asdict, fields, is_dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from passline.engine import book as records
from passline.engine import floor_rules
from passline.engine.kinds import Hop, Line, Number, OneRoll
from passline.engine.layout import lay_out
from passline.engine.values import Price
from passline.errors import HouseFileError, UnknownClauseError
from passline.rulebooks.catalogue import catalogue, clause, house_files
from passline.rulebooks.editing import new_house
from passline.rulebooks.model import House
from passline.rulebooks.read import built_in, load, read_book
from tests.rulebooks.options import json_schema_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CLAUSE = re.compile(r"[a-z-]+:[^ ]+|[A-Z]-\d+[a-z]?")
"""What an id looks like: `sydney:6.5.2`, `X-16`, `P-10c`."""

HOUSES = ("adelaide", "crapless", "exhibit-a", "fire-bonus", "strip", "sydney")


def test_the_built_in_houses_come_adelaide_first() -> None:
    """The order of menus."""
    assert built_in() == HOUSES


@pytest.mark.parametrize("house", HOUSES)
def test_a_built_in_house_loads(house: str) -> None:
    """By its id, once; by its path; by its text."""
    book = load(house)
    assert book.id == house
    assert book is load(house)
    assert read_book(house_files()[house].read_bytes()) == book


def test_a_house_loads_from_a_path(tmp_path: Path) -> None:
    """As text or as a path, and in any folder."""
    path = tmp_path / "mine.toml"
    path.write_text(new_house("mine"), encoding="utf-8")
    assert load(path) == load(str(path)) == read_book(path)


@pytest.mark.parametrize("house", HOUSES)
def test_every_clause_that_a_house_cites_is_there(house: str) -> None:
    """Each stands for a sentence: of this house, of the readings, or of the decisions."""
    cited = set(clauses_in(load(house)))
    assert len(cited) > 50
    for wanted in cited:
        found = clause(wanted)
        assert found.sentence
        assert found.house in {house, "all"}


def clauses_in(record: object) -> Iterator[str]:
    """Every clause id in a book, however deep."""
    if isinstance(record, str):
        if CLAUSE.fullmatch(record):
            yield record
    elif isinstance(record, dict):
        for inner in record.values():
            yield from clauses_in(inner)
    elif isinstance(record, tuple):
        for inner in record:
            yield from clauses_in(inner)
    elif is_dataclass(record):
        for each in fields(record):
            yield from clauses_in(getattr(record, each.name))


@pytest.mark.parametrize("house", ["crapless", "strip"])
def test_a_house_with_its_own_clauses_cites_every_one(house: str) -> None:
    """No sentence of theirs is there for show."""
    book = load(house)
    assert set(book.clauses) <= set(clauses_in(book))


@pytest.mark.parametrize("house", HOUSES)
def test_a_book_can_be_pickled(house: str) -> None:
    """Simulations hand books to other processes."""
    assert pickle.loads(pickle.dumps(load(house))) == load(house)  # noqa: S301 - our own bytes


def test_the_sections_of_a_file_are_the_records_of_the_engine() -> None:
    """A field added on one side is missed on the other."""
    for section, record in {
        "money": records.MoneyHabits,
        "betting": records.BettingHabits,
        "shooter": records.ShooterHabits,
        "dice": records.DiceHabits,
        "no_roll": records.NoRollHabits,
        "floor": floor_rules.FloorHabits,
    }.items():
        model = House.model_fields[section].annotation
        assert model is not None
        assert set(model.model_fields) == {each.name for each in fields(record)}


def test_every_key_of_a_file_is_described() -> None:
    """Editors show the description; complaints about missing keys quote it."""
    described = json.loads(json_schema_text())
    for model in [described["then"], described["else"], *described["$defs"].values()]:
        for name, part in model.get("properties", {}).items():
            assert part.keys() & {"description", "const", "$ref"}, name


def test_the_schema_is_in_step() -> None:
    """`house.schema.json` is what the models say; `python -m tests.rulebooks.options` writes it again."""
    kept = (files("passline.rulebooks") / "houses" / "house.schema.json").read_text(encoding="utf-8")
    assert kept == json_schema_text()


@pytest.mark.parametrize("house", HOUSES)
def test_a_house_has_words_for_its_crew(house: str) -> None:
    """Ours are dealer, box, stick, supervisor and inspector."""
    assert all(asdict(load(house).staff).values())


@pytest.mark.parametrize(
    ("house", "box", "stick"),
    [
        ("adelaide", "boxman", "stickman"),
        ("sydney", "boxperson", "stickperson"),
        ("exhibit-a", "boxperson", "stickperson"),
    ],
)
def test_the_crew_goes_by_the_house_s_own_words(house: str, box: str, stick: str) -> None:
    """X-36: one key, the house's label."""
    staff = load(house).staff
    assert (staff.box, staff.stick) == (box, stick)


# --- The strip: a new house needs no code ---


def wager(key: str, house: str = "strip") -> records.WagerRule:
    """A wager by its family's key."""
    return next(rule for rule in load(house).wagers if rule.key == key)


def test_the_strip_gives_three_four_five_times_odds() -> None:
    """One multiple for each point, taken and laid."""
    assert load("strip").notice.odds.value == {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}


def test_the_strip_pays_triple_for_a_twelve_in_the_field() -> None:
    """And double for a two."""
    terms = wager("field").terms
    assert isinstance(terms, OneRoll)
    assert (terms.pays[2].value, terms.pays[12].value) == (Price(2, 1), Price(3, 1))


def test_the_strip_takes_put_bets_and_no_big_six_or_fire() -> None:
    """What it has, and what it has not."""
    put = {rule.key: rule.terms.put.value for rule in load("strip").wagers if isinstance(rule.terms, Line)}
    assert put == {"pass": True, "dont_pass": False, "come": True, "dont_come": False}
    assert not {"big", "fire", "place_lose"} & {rule.key for rule in load("strip").wagers}


def test_the_strip_charges_buys_and_lays_on_a_win() -> None:
    """Five percent of the stake, and of the win."""
    for key, base in (("buy", "stake"), ("lay", "win")):
        rule = wager(key)
        assert isinstance(rule.terms, Number)
        assert rule.commission is not None
        assert (rule.commission.of.value, rule.commission.when.value) == (base, "on a win")


def test_the_strip_has_a_hop_for_every_pair_the_higher_face_first() -> None:
    """`hop_6_5`, never `hop_5_6`; fifteen and thirty to one."""
    rule = wager("hop")
    assert isinstance(rule.terms, Hop)
    assert set(named("strip", "hop")) == {f"hop_{high}_{low}" for high in range(1, 7) for low in range(1, high + 1)}
    assert rule.terms.hard is not None
    assert rule.terms.easy is not None
    assert (rule.terms.hard.value, rule.terms.easy.value) == (Price(30, 1), Price(15, 1))


def test_the_strip_posts_fifteen_to_five_thousand() -> None:
    """And pays with thousands."""
    notice = load("strip").notice
    assert (notice.minimum.value, notice.maximum.value, notice.chips.value[-1]) == (15, 5000, 1000)


# --- Names ---


def test_names_tell_the_members_of_a_family_apart() -> None:
    """By name, by template, or by the number put behind the family's name."""
    assert named("adelaide", "hard")["hard_4"] == "Four the Hardway"
    assert named("adelaide", "place")["place_6"] == "Place Bet 6 to Win"
    assert named("sydney", "come_odds")["come_odds_9"] == "Behind the Come 9"
    assert named("sydney", "come") == {"come": "Come", **{f"come_{n}": f"Come {n}" for n in (4, 5, 6, 8, 9, 10)}}
    assert named("fire-bonus", "hop_hard")["hop_hard_6"] == "Hopping Hardway 3-3"
    for house in HOUSES:
        names = [spot.name for spot in lay_out(load(house)).spots.values()]
        assert len(set(names)) == len(names), house


def named(house: str, family: str) -> dict[str, str]:
    """The names of a family's members by key."""
    return {spot.key: spot.name for spot in lay_out(load(house)).spots.values() if spot.family == family}


def test_odds_take_the_side_of_their_flat_bet() -> None:
    """A file need not say it twice."""
    spots = lay_out(load("sydney")).spots.values()
    sides = {spot.family: spot.side for spot in spots if spot.is_odds}
    assert sides == {"pass_odds": "do", "dont_pass_odds": "dont", "come_odds": "do", "dont_come_odds": "dont"}


# --- The catalogue ---


def test_the_catalogue_holds_every_clause_reading_and_decision() -> None:
    """737 clauses, 147 readings, 118 decisions, and what two houses say for themselves."""
    kinds = [
        ("reading" if each.topic == "reading" else each.topic if each.topic == "decision" else each.house)
        for each in catalogue().values()
    ]
    counts = {kind: kinds.count(kind) for kind in set(kinds)}
    assert {house: counts[house] for house in ("adelaide", "sydney", "exhibit-a", "fire-bonus")} == {
        "adelaide": 229,
        "sydney": 298,
        "exhibit-a": 133,
        "fire-bonus": 77,
    }
    assert counts["reading"] == 147
    assert counts["decision"] == 118
    assert counts["strip"] == len(load("strip").clauses)
    assert counts["crapless"] == len(load("crapless").clauses)


def test_a_clause_resolves_to_its_sentence() -> None:
    """Of a house, of the readings, of the decisions, of a house with its own."""
    assert clause("sydney:6.5.2").sentence.startswith("A Don't Win or Don't Come wager, once removed")
    assert clause("sydney:6.5.2").readings == ("X-06", "S-07")
    assert clause("X-16").sentence.startswith("Winnings that the chips cannot pay exactly are rounded up in Adelaide")
    assert clause("P-47").sentence.endswith("an order stands until the player changes it.")
    assert clause("P-10c").sentence.startswith("The sign may give hardways and one-roll bets")
    assert clause("strip:odds.345").topic == "odds"
    assert clause("mine:a.b", {"mine:a.b": "So it is."}).sentence == "So it is."


def test_an_unknown_clause_is_shown_the_nearest() -> None:
    """For people who type one."""
    with pytest.raises(UnknownClauseError, match=r"^no clause 'sydney:6\.5\.22'; nearest: sydney:6\.5\.2") as caught:
        clause("sydney:6.5.22")
    assert caught.value.nearest in catalogue()


# --- A new house ---


@pytest.mark.parametrize("like", HOUSES)
def test_a_new_house_plays_like_the_old_one_by_clauses_of_its_own(like: str) -> None:
    """Only its name and its clauses are new."""
    old, new = load(like), read_book(new_house('Lucky\'s "Back" Room', like))
    assert (new.id, new.name) == ("lucky-s-back-room", 'Lucky\'s "Back" Room')
    assert [rule.key for rule in new.wagers] == [rule.key for rule in old.wagers]
    assert [rule.names for rule in new.wagers] == [rule.names for rule in old.wagers]
    assert new.notice.odds.value == old.notice.odds.value
    for wanted in set(clauses_in(new)):
        found = clause(wanted, new.clauses)
        assert found.house in {new.id, "all"}
        if found.house == new.id:
            assert found.sentence == clause(wanted.replace(new.id, like, 1)).sentence


def test_a_new_house_explains_its_sections() -> None:
    """Each once, in front of it."""
    text = new_house("mine")
    for section in (
        "about",
        "notice",
        "every_wager",
        "money",
        "betting",
        "shooter",
        "dice",
        "no_roll",
        "floor",
        "staff",
    ):
        before = text.split(f"\n[{section}]")[0].splitlines()[-1]
        assert before.startswith("# "), section
    assert text.count("# The wagers, in the order of the rule card.") == 1


@pytest.mark.parametrize("name", ["", "7s", "strip", "Adelaide", "!!!", "x" * 41, "日本" * 3, "a" + "!" * 100])
def test_a_new_house_needs_a_name_of_its_own(name: str) -> None:
    """It goes in front of its clauses."""
    with pytest.raises(HouseFileError, match=r"name: found .*; expected a name that begins with a letter"):
        new_house(name)


def test_a_new_house_is_like_one_there_is() -> None:
    """The nearest is shown."""
    with pytest.raises(HouseFileError, match=r"house new, like: found 'stripp'; expected adelaide, .* Nearest: strip"):
        new_house("mine", "stripp")


def test_a_name_with_strange_characters_still_makes_a_file() -> None:
    """Controls are dropped, backslashes and quotes kept."""
    assert read_book(new_house('a\0\n\tb \\ "c" {x}')).name == 'a b \\ "c" {x}'


# --- Weight ---


def test_nothing_heavy_is_imported_until_a_house_is_read() -> None:
    """`--help` should not wait for Pydantic."""
    light = """if True:
        import sys
        from passline.rulebooks import catalogue
        catalogue.clause("X-16")
        print("pydantic" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", light], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
