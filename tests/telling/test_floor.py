"""What the floor says, and the page that lists it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from passline.cli.app import app
from passline.floor.register import EVENTS
from passline.floor.seats import PartnersUnlinked
from passline.telling.sentences import say_floor
from tests import floor_page
from tests.clauses.floor_helpers import Pit
from tests.codec.samples import sample
from tests.codes import codes_of
from tests.tables import cases
from tests.test_words import faults

if TYPE_CHECKING:
    from typing import Any


@cases("kind", EVENTS.values(), ids=lambda kind: kind.__name__)
def test_every_event_of_the_floor_is_told(kind: Any) -> None:  # noqa: ANN401 - a class of events
    """To somebody at the table and to nobody in particular, in a sentence."""
    pit = Pit("sydney")
    for full in (True, False):
        event = sample(kind, full=full)
        if hasattr(event, "wager"):
            event.wager = "place_6" if full else None
            event.__setattr__("runs_on", ("pass",)) if hasattr(event, "runs_on") else None
        told = say_floor(pit.layout, pit.state, event, 2)
        assert told[:1] == told[:1].upper()
        assert told.endswith(".")
        assert say_floor(pit.layout, pit.state, event)


@pytest.mark.parametrize(
    ("name", "to", "says"), [("Ann", 1, "You bet"), ("Ann", 2, "Ann bets"), ("You", None, "You bet")]
)
def test_the_floor_speaks_to_whoever_it_is_about(name: str, to: int | None, says: str) -> None:
    """To a player who gave no name too, as the dealers do."""
    pit = Pit("sydney")
    seats = {**pit.state.seats, 1: pit.state.seats[1]._replace(name=name)}
    table = pit.state._replace(seats=seats)
    assert say_floor(pit.layout, table, PartnersUnlinked(1, "Sue"), to) == f"{says} alone again."


def test_every_code_of_the_floor_has_its_sentence() -> None:
    """As the page lists them: all that the floor says, and none that it does not."""
    assert {code: faults(said) for code, said in floor_page.CODES.items() if faults(said)} == {}
    assert set(floor_page.CODES) == {code for code in codes_of("floor") if code.startswith("floor.")}


def test_the_page_lists_everything_there_is() -> None:
    """`python -m tests.floor_page` writes it again."""
    page = floor_page.PAGE.read_text(encoding="utf-8")
    assert page == floor_page.by_hand() + floor_page.written(), "run `python -m tests.floor_page`"


def test_the_rules_of_a_house_are_printed_for_whoever_asks() -> None:
    """Every clause of the book, and of a house that writes its own."""
    run = CliRunner().invoke
    lines = run(app, ["house", "adelaide", "--rules"]).output.splitlines()
    assert len(lines) == 229
    assert lines[0].startswith("adelaide:TITLE: ")
    assert len(json.loads(run(app, ["house", "strip", "--rules", "--json"]).output)) > 50
