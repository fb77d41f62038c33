"""An evening leaves nothing behind in memory; a hundred thousand rolls are the campaign's."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from passline.journal.contract import now
from passline.journal.sqlite import SqliteJournal
from passline.pit.keys import keys_at
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.web.app import make_app
from passline.web.houses import open_tables
from passline.web.limits import Limits
from passline.web.service import Service
from tests.web.memory import BLOCKS_SHORT_MAX, Evening, evening, visits

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_memory_is_flat_over_an_evening(tmp_path: Path) -> None:
    """Rolls through the whole service with a stream that is read: what each leaves behind, by the fitted slope."""
    told = asyncio.run(evening(tmp_path, 600, kept=64))
    assert told["missed"] == 0, told
    assert told["blocks_a_roll"] < BLOCKS_SHORT_MAX, told


@pytest.mark.slow
def test_tables_that_are_over_leave_memory(tmp_path: Path) -> None:
    """Ten thousand of them are the campaign's; here none of ten is left, and a guest may go on opening."""
    told = asyncio.run(visits(tmp_path, 10))
    assert told["in_memory"] == 0, told


def test_a_table_that_nobody_asks_leaves_memory_and_comes_back(tmp_path: Path) -> None:
    """Not while somebody listens; asked for, it is as it was, and in the lobby all the time."""
    pit = Pit(SqliteJournal(tmp_path / "pit.db"), keys_at(tmp_path / "keys.json"))
    host, token = pit.people.guest("Ann", now())
    pit.open(host, Opening(practice=False, listed=True), By(host.id, "player", now()), "t")

    async def run() -> None:
        service = Service(pit, Limits(idle_s=0))
        player = Evening(make_app(service), token)
        assert (await player.act(kind="command.sit", buyin=10_000))[0] == 200

        def let_go() -> bool:
            for _ in range(2):  # nobody asked between the two
                service._evict_due = 0
                service.evict()
            return not pit.is_open("t")

        async with player.watched():
            assert not let_go()
        assert let_go()
        assert [each.table for each in open_tables(service)] == ["t"]
        let_go()
        assert [each.seats for each in open_tables(service)] == [1]
        assert not pit.is_open("t")
        assert (await player.act(kind="command.bet", wager="pass", amount=1_000))[0] == 200
        assert pit.table("t").live.table.seats[1].rail == 9_000
        service.close()

    asyncio.run(run())
