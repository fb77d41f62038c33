"""What the rule book says about itself and about the cloth: title, outline, diagram, glossary."""

from __future__ import annotations

import pytest

from passline.rulebooks.catalogue import catalogue
from tests.clauses.sydney.felt import SYDNEY, cited


@pytest.mark.clause("sydney:TITLE")
def test_the_book_is_the_rules_of_craps() -> None:
    """The rule book calls its game Craps."""
    assert cited("about", "game") == ("Craps", "sydney:TITLE")


@pytest.mark.clause("sydney:CONTENTS")
def test_ten_numbered_parts_and_a_diagram() -> None:
    """A viewer shows ten numbered parts, in the book's order, and Diagram A after them."""
    outline, clause = cited("about", "outline")
    assert clause == "sydney:CONTENTS"
    assert outline == (
        "Definitions",
        "Table layout and equipment",
        "Dice retention and selection",
        "Throw of the dice",
        "Invalid throws",
        "Wagers",
        "Minimum and maximum wagers",
        "Settlement odds",
        "General provisions",
        "Player rewards and promotional prizes",
        "Diagram A",
    )


@pytest.mark.clause("sydney:CONTENTS")
def test_every_numbered_clause_lies_in_a_part_of_the_outline() -> None:
    """The numbers before the first dot of the clauses are the ten parts of the outline, no more and no fewer."""
    outline, _ = cited("about", "outline")
    numbers = {entry.removeprefix("sydney:").split(".")[0] for entry in catalogue() if entry.startswith("sydney:")}
    assert isinstance(outline, tuple)
    assert sorted(int(number) for number in numbers if number.isdigit()) == list(range(1, len(outline)))


@pytest.mark.clause("sydney:DIAGRAM-A")
def test_the_layout_is_diagram_a() -> None:
    """The layout is the one of Diagram A, which closes the outline."""
    assert cited("about", "diagram") == ("A", "sydney:DIAGRAM-A")
    outline, _ = cited("about", "outline")
    assert isinstance(outline, tuple)
    assert outline[-1] == "Diagram A"


@pytest.mark.clause("sydney:1.1")
def test_the_glossary_holds_every_defined_term() -> None:
    """Each term that part 1.1 defines can be looked up, and nothing else is called a defined term."""
    terms, clause = cited("about", "terms")
    assert clause == "sydney:1.1"
    assert isinstance(terms, tuple)
    slugs = {term.lower().replace(" ", "-") for term in terms}
    defined = {entry.split(":1.1.")[1].split(".")[0] for entry in catalogue() if entry.startswith("sydney:1.1.")}
    assert slugs == defined


@pytest.mark.clause("sydney:2.1")
def test_the_table_is_oblong_with_rounded_corners_and_high_walls() -> None:
    """The shape of the table is shown."""
    assert cited("about", "shape") == ("oblong, rounded corners, high walls", "sydney:2.1")


@pytest.mark.clause("sydney:2.2")
def test_every_wager_has_its_own_area_on_the_cloth() -> None:
    """Whatever may be bet has a marked area, and two different wagers never share one."""
    cloth, clause = cited("about", "cloth")
    assert (cloth, clause) == ("marked areas for placing wagers, as in Diagram A", "sydney:2.2")
    areas = {spot.rule.key: spot.rule.area for spot in SYDNEY.wagers}
    assert all(areas.values())
    assert len(set(areas.values())) == len(areas)
    assert {spot.key for spot in SYDNEY.wagers if spot.rule.area == "Win Line"} == {"pass"}
    assert {spot.key for spot in SYDNEY.wagers if spot.rule.area == "Big 6 and Big 8"} == {"big_6", "big_8"}
