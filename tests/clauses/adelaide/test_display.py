"""What the book says of itself, of the table and of the way prices are written: the printed card."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from passline.engine.events import WagerWon
from passline.errors import HouseFileError
from passline.house import House
from passline.telling.card import card_json, spots
from tests.clauses.table_helpers import altered, case, dealt, only

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def card() -> dict[str, Any]:
    """The rule card that `passline house adelaide --json` prints."""
    return card_json(House("adelaide").layout)


@pytest.mark.parametrize(
    ("clause", "fact", "says"),
    [
        case("adelaide:TITLE", "game", "Craps"),
        case("adelaide:APPROVED", "approved", "2003-04-28"),
        case("adelaide:AMENDED", "amendments", "1999-09-21T14:00, 2003-02-04T12:00"),
        case("adelaide:LAYOUT", "style", "tub"),
        case("adelaide:2.1", "shape", "oblong, rounded corners, high walls"),
    ],
)
def test_the_card_says_what_the_book_says_of_itself(card: dict[str, Any], clause: str, fact: str, says: str) -> None:
    """Its game, its dates and its table, each beside its clause."""
    assert card["habits"][f"about.{fact}"] == {"value": says, "clause": clause}


@pytest.mark.clause("adelaide:2.2")
def test_the_cloth_has_a_space_for_each_kind_of_wager(card: dict[str, Any]) -> None:
    """Every wager lies in one area, and no area belongs to two kinds."""
    owners: dict[str, set[str]] = {}
    for spot in House("adelaide").wagers:
        assert card["wagers"][spot.key]["area"]
        owners.setdefault(card["wagers"][spot.key]["area"], set()).add(spot.family)
    assert {area: kinds for area, kinds in owners.items() if len(kinds) > 1} == {}
    assert card["habits"]["about.cloth"] == {"value": "a space for each kind of wager", "clause": "adelaide:2.2"}


@pytest.mark.clause("adelaide:5(f).2")
def test_the_notice_states_the_odds_paid(card: dict[str, Any]) -> None:
    """A price for every wager on offer, one for each total where they differ."""
    shown = {key: wager["pays"] for key, wager in card["wagers"].items()}
    assert set(shown) == {spot.key for spot in House("adelaide").wagers}
    assert all(shown.values())
    assert shown["place_6"] == {"": {"price": "7 to 6", "clause": "adelaide:6(c).place-6"}}
    assert {total: price["price"] for total, price in shown["field"].items()} == {
        **dict.fromkeys(("3", "4", "9", "10", "11"), "1 to 1"),
        **dict.fromkeys(("2", "12"), "2 to 1"),
    }
    assert card["habits"]["about.notice_lists_prices"] == {"value": "yes", "clause": "adelaide:5(f).2"}


PRICE = re.compile(r"\d+ to \d+")


@pytest.mark.clause("adelaide:6(a)")
def test_odds_are_written_with_to() -> None:
    """On the card and in the crew's words a price reads `7 to 6`, and never has a `for` or a colon."""
    for row in spots(House("adelaide").layout):
        assert PRICE.search(row.pays), row
        assert not re.search(r"\bfor\b|\d:\d", row.pays), row
    table, events = dealt("adelaide", "roll 4-4", "bet place_6 12", "roll 4-2")
    paid = only(events, WagerWon, wager="place_6")
    assert str(paid.price) == "7 to 6"
    assert "at 7 to 6" in table.say(paid)
    assert "7 to 6" in table.explain(paid)
    word = House("adelaide").book.about["odds_word"]
    assert (word.value, word.clause) == ("to", "adelaide:6(a)")


@pytest.mark.clause("adelaide:6(a)")
def test_a_price_written_with_for_is_a_fault_in_the_house_file(tmp_path: Path) -> None:
    """33 for 1 is the same money as 32 to 1, and may not be written in this house."""
    with pytest.raises(HouseFileError, match=r"6\(a\)"):
        House(altered("adelaide", tmp_path, '["32:1", "6(c).craps-2"]', '["33:1 for", "6(c).craps-2"]'))
