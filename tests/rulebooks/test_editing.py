"""A house file under an editor's hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.errors import HouseFileError
from passline.house import House
from passline.odds.wagers import odds_of
from passline.rulebooks.editing import changed, departing, new_house, rules_of
from passline.rulebooks.read import read_book

TWELVE = ("wager", "field", "pays", "12")


def test_a_price_is_changed_and_nothing_else() -> None:
    """The field of the Strip pays 3 to 1 for a twelve, and keeps 1/36; at 2 to 1 it keeps 2/36, as adds up."""
    text = new_house("Mine", "strip")
    edited = changed(text, {TWELVE: "2:1"})
    different = [(a, b) for a, b in zip(text.splitlines(), edited.splitlines(), strict=True) if a != b]
    assert [b.replace('12 = ["2:1"', '12 = ["3:1"') for _, b in different] == [different[0][0]]
    now, was = (odds_of(House("mine", book=read_book(each)))["field"].edge_per_bet_made for each in (edited, text))
    assert (now, was) == (Fraction(2, 36), Fraction(1, 36))


@pytest.mark.parametrize("house", ["strip", "sydney"])
def test_a_rule_can_be_set_to_what_it_is(house: str) -> None:
    """Its place is found, also inside the table of a pair, and the book stays the same."""
    text = new_house("Mine", house)
    rules = rules_of(text)
    assert all(rule.about and rule.group and rule.clause_says for rule in rules)
    assert len({(rule.group, rule.about) for rule in rules}) == len(rules), "no two are told alike"
    assert not [rule for rule in rules if "{" in rule.group or "_" in rule.group + rule.about]
    for rule in (*rules[::20], *(rule for rule in rules if rule.path[:2] == ("notice", "odds"))):
        text = changed(text, {rule.path: rule.value})
    assert read_book(text) == read_book(new_house("Mine", house))
    assert {"price", "truth", "count", "choice", "numbers", "share"} == {rule.kind for rule in rules}


@pytest.mark.parametrize(
    ("path", "value"), [(TWELVE, 2), (("wager", "field", "name"), "x"), (("about",), "x"), (("notice", "min"), True)]
)
def test_what_is_no_value_of_that_kind_is_refused(path: tuple[str, ...], value: str | int) -> None:
    """With its place."""
    with pytest.raises(HouseFileError, match=".".join(path)):
        changed(new_house("Mine", "strip"), {path: value})


def test_a_clause_never_says_what_its_changed_value_makes_false() -> None:
    """It says what holds here instead; the value back, it is the sentence that was copied; own words stay."""
    text = departing(new_house("Mine", "strip"), "strip")
    assert text == new_house("Mine", "strip")
    edited = departing(changed(text, {TWELVE: "2:1"}), "strip")
    told = House("mine", book=read_book(edited)).clause("field.twelve").sentence
    assert told == "The field pays triple on 12. This house departs from it: Field, 2:1 instead of 3:1."
    assert departing(edited, "strip") == edited
    assert departing(changed(edited, {TWELVE: "3:1"}), "strip") == text
    own = changed(text.replace("The field pays triple on 12.", "As Ann says."), {TWELVE: "2:1"})
    assert departing(own, "strip") == own


def test_a_name_with_accents_keeps_its_letters() -> None:
    """In the id, which people type; the name itself stays as it was given."""
    book = read_book(new_house("Café Dán"))
    assert (book.id, book.name) == ("cafe-dan", "Café Dán")
