"""Fair dice at a live table: blind to everything that is bet, and secret until they are shown."""

from __future__ import annotations

from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from passline.engine import commands as c
from passline.errors import OtherKeysError
from passline.journal.memory import MemoryJournal
from passline.journal.sqlite import SqliteJournal
from passline.live.dice import LINK_TAG, chain
from passline.pit import table as live_tables
from passline.pit.table import LiveTable
from tests.pit.play import KEYS, by, new_table, read

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROLLS = 60


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The seeds of the house, the same for every table: a list of those that were made."""
    kept: list[bytes] = []
    numbers = count()

    def new_seed() -> bytes:
        kept.append(sha256(f"seed {next(numbers)}".encode()).digest())
        return kept[-1]

    monkeypatch.setattr(live_tables, "new_seed", new_seed)
    monkeypatch.setattr("passline.pit.table.secrets.token_hex", lambda size: "ab" * size)
    return kept


def dice_of(bets: Callable[[LiveTable, int], object], time: str) -> list[list[int]]:
    """The dice of a table at which somebody bets so."""
    table = new_table(MemoryJournal())
    dealt: list[list[int]] = []
    for number in range(ROLLS):
        table.do(c.Bet(1, "pass", 500), by("ann", time=time))
        if table.live.table.shooter is None:
            table.do(c.Shoot(1), by("ann", time=time))
        bets(table, number)
        answer: dict[str, Any] = read(table.roll(by("ann", time=time)))
        dealt.append(answer["body"]["dice"])
    return dealt


def little(_table: LiveTable, _number: int) -> None:
    """Nothing but what must be up."""


def much(table: LiveTable, number: int) -> None:
    """Everything that can be up, by somebody else too, and chips bought on the way."""
    table.do(c.BuyIn(2, 100_000 + number), by("bob"))
    for wager in ("field", "place_6", "place_8", "hard_8", "any_seven", "come"):
        table.do(c.Bet(2, wager, 6_000), by("bob"))
    if number % 7 == 0:
        table.do(c.Take(2, "place_6"), by("bob"))


def test_the_same_dice_whatever_is_bet(made: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Other bets, other money, another clock: the same seeds deal the same dice; other seeds do not."""
    one = dice_of(little, "2026-11-15T20:00:00Z")
    made_first, numbers = list(made), count()
    made.clear()
    again = [*made_first]
    monkeypatch.setattr(live_tables, "new_seed", lambda: again[next(numbers)])
    other = dice_of(much, "2031-02-03T04:05:06.789Z")
    assert len(one) == ROLLS
    assert other == one
    monkeypatch.setattr(live_tables, "new_seed", lambda: sha256(str(next(numbers)).encode()).digest())
    assert dice_of(little, "2026-11-15T20:00:00Z") != one


def test_a_stolen_database_tells_nothing_of_the_dice_to_come(made: list[bytes], tmp_path: Path) -> None:
    """All its files, in the middle of an epoch: no seed and no key in any form; what was shown is found so."""
    journal = SqliteJournal(tmp_path / "journal.db")
    table = new_table(journal)
    table.do(c.Bet(1, "pass", 500), by("ann"))
    table.do(c.Shoot(1), by("ann"))
    table.roll(by("ann"))

    def stolen() -> bytes:
        return b"".join(path.read_bytes() for path in sorted(tmp_path.iterdir()))

    def is_in(secret: bytes) -> bool:
        forms = (secret, secret.hex().encode(), secret.hex().upper().encode())
        return any(form in dump for form in forms)

    dump = stolen()
    assert len(made) == 2
    links = chain(LINK_TAG, (table.live.stream, 1), made[0])
    assert links[1].hex().encode() in dump, "what was shown is found"
    assert not any(is_in(secret) for secret in (*links[2:], made[1], *KEYS))
    journal.close()


def test_no_table_can_be_dealt_without_the_key(made: list[bytes], tmp_path: Path) -> None:
    """Whoever has the database and another key opens no seed, and the table is none the worse."""
    journal = SqliteJournal(tmp_path / "journal.db")
    table = new_table(journal)
    table.do(c.Bet(1, "pass", 500), by("ann"))
    table.do(c.Shoot(1), by("ann"))
    before = list(journal.lines("t1"))
    with pytest.raises(OtherKeysError):
        LiveTable(journal, "t1", KEYS._replace(seal=bytes(32)))
    assert made
    assert list(journal.lines("t1")) == before
    journal.close()
