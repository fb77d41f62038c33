"""The engine against a model written by other hands from the same text: random records must come to the same chips."""

from __future__ import annotations

import random

import pytest

from passline.engine.refusals import Refusal
from passline.errors import RecordError
from passline.record.record import read
from passline.table import Table
from tests.reference import generate, model, unreadable

HOUSES = ("adelaide", "sydney", "exhibit-a", "fire-bonus")
RECORDS_PER_HOUSE = 160
"""About 60,000 acts in all; `scripts/campaign fuzz` plays as many as it is given time for."""

KNOWN: frozenset[str] = frozenset()
"""Decisions that the engine does not follow yet. A record is compared until one of them bears on it, so that a
decision made tomorrow can be written down here until it is built; `tests/decisions` has a record for each one made."""


def compared(text: str, known: frozenset[str] = KNOWN) -> int:
    """Play one record in both and compare every act until a known difference; the number of acts compared."""
    told = model.replay(text)
    record = read(text)
    table = Table.opened(record)
    acts = 0
    for act, (line, accepted), picture, bearing in zip(record.acts, told.acts, told.tables, told.bearing, strict=True):
        if bearing & known:
            break
        where = f"line {line}: {act.command}\n{text}"
        assert act.line == line
        assert isinstance(table.do(act.command), Refusal) != accepted, where
        assert table.to_json() == picture, where
        assert table.state.chips == table.state.bought, where
        acts += 1
    return acts


@pytest.mark.parametrize("block", range(8))
@pytest.mark.parametrize("house", HOUSES)
def test_engine_and_model_agree_on_every_chip(house: str, block: int) -> None:
    """Accepted or refused, rails, what is up, puck and shooter are the same after every line."""
    per_block = RECORDS_PER_HOUSE // 8
    seeds = range(block * per_block, (block + 1) * per_block)
    acts = sum(compared(generate.random_record(random.Random(seed), house)) for seed in seeds)
    assert acts > 30 * per_block


@pytest.mark.parametrize("block", range(4))
def test_engine_and_model_cannot_read_the_same_records(block: int) -> None:
    """What one cannot read the other cannot either, at the same line."""
    for seed in range(block * 100, (block + 1) * 100):
        text = unreadable.random_unreadable(random.Random(seed))
        with pytest.raises(model.Unreadable) as told:
            model.replay(text)
        with pytest.raises(RecordError) as found:
            read(text)
        assert found.value.line == told.value.line, f"{found.value}\n{text}"
