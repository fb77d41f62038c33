"""What large input may cost: as much as it is larger, and no more."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from passline import Refusal, Table
from passline import table as tables
from passline.engine.table import SEATS_MAX
from passline.house import House
from passline.odds.wagers import mean_in_chips, walk
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import book_of
from passline.sitting.sitting import Sitting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class Watched(list[Any]):
    """A history that counts how much of it is looked at."""

    looked = 0

    def __getitem__(self, which: Any) -> Any:  # noqa: ANN401 - as any list
        """Look at some of it."""
        found = super().__getitem__(which)
        self.looked += len(found) if isinstance(which, slice) else 1
        return found

    def __iter__(self) -> Iterator[Any]:
        """Look at all of it."""
        self.looked += len(self)
        return super().__iter__()


def counted(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> list[object]:
    """The calls of a function from now on."""
    calls: list[object] = []
    work: Callable[..., object] = getattr(module, name)

    def watched(*given: object, **named: object) -> object:
        calls.append(given)
        return work(*given, **named)

    monkeypatch.setattr(module, name, watched)
    return calls


def test_a_table_has_an_end() -> None:
    """Every act copies the seats: there are as many as still cost nothing, and the next is refused."""
    table = Table("adelaide")
    for seat in range(1, SEATS_MAX + 1):
        table.sit(seat, f"P{seat}", 100)
        table.bet(seat, "pass", 5)
    table.roll(6, 5)
    assert table.rail(SEATS_MAX) == 105
    refused = table.sit(SEATS_MAX + 1, "Late", 100)
    assert isinstance(refused, Refusal)
    assert refused.code == "seat.unknown"
    assert SEATS_MAX <= 1000


def test_one_wager_is_priced_without_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house with forty wagers that remember ten numbers each is left as quickly as any other."""
    values = tomllib.loads(house_files()["strip"].read_text(encoding="utf-8"))
    for number in range(40):
        values["wager"][f"all_{number}"] = {**values["wager"]["make_em_all"], "name": f"All {number}"}
    house = House("collect-40", book=book_of(values, "collect-40.toml"))
    calls = counted(monkeypatch, walk, "_walked")
    assert mean_in_chips(house.layout, "pass", 1000, 100) is not None
    assert len(calls) == 1
    assert len(walk.walks(house.layout)) > 40
    assert mean_in_chips(house.layout, "come_6", 1000, 100) is None
    assert len(calls) == 1


def test_a_long_evening_is_not_told_from_the_start_at_every_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each act is written once and each throw counted once, though the evening is kept after every roll."""
    sitting = Sitting.open(House("adelaide"), others=0, seed="7", buyin=10_000_000)
    history = sitting.table.history = Watched(sitting.table.history)
    written = counted(monkeypatch, tables, "write_act")
    for _ in range(200):
        sitting.table.bet(1, "pass", 10)
        sitting.throw()
        sitting.table.record()
    refused = sum(isinstance(moment.answer, Refusal) for moment in list(history))
    assert len(written) <= len(history) + refused  # a refusal is tried before it is written
    assert history.looked <= 8 * len(history)


@pytest.mark.parametrize("seat", ["9" * 5000, "9" * 10, "0"])
def test_a_seat_that_nobody_has_is_not_resumed_to(seat: str, tmp_path: Path) -> None:
    """Whatever the remark of a record says, the person sits where somebody can."""
    path = tmp_path / "huge.craps"
    remark = f"# passline play: seat {seat}, 0 others, seed x practice"
    path.write_text(f"passline 1\n{remark}\nhouse adelaide\nsit 1 You 500\n1 bet pass 5\nroll 4-2\n", encoding="utf-8")
    sitting = Sitting.resume(path)
    assert sitting.me in sitting.state.seats
    assert sitting.rail > 0
