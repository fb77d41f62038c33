"""Machines on disk: kept by what made them, whole or not at all, and never trusted when spoiled."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import numpy as np
import pytest
from numpy.lib.format import write_array_header_1_0

from passline.engine.table import Notice
from passline.house import House
from passline.machine import store
from passline.machine.build import build
from passline.machine.machine import Machine
from passline.machine.terms import Seating
from passline.strategies.language.read import load

if TYPE_CHECKING:
    from pathlib import Path

SYDNEY = House("sydney")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of its own for each test."""
    monkeypatch.setenv(store.PLACE, str(tmp_path / "machines"))
    return tmp_path / "machines"


def give(name: str = "pass_flat", unit: int = 5) -> Machine:
    """Ask the store."""
    return store.machine_for(load(name), Seating(SYDNEY, unit))


NOTICE = Notice(100, 50_000, {4: 2, 5: 2, 6: 2, 8: 2, 9: 2, 10: 2}, 100, side=(100, 5_000))


@pytest.mark.usefixtures("kept")
def test_the_second_time_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was built once is not built again, and says the same about itself."""
    first, signed = give(), store.machine_for(load("field"), Seating(SYDNEY, notice=NOTICE))
    monkeypatch.setattr(store, "build", None)
    assert give().digest() == first.digest()
    assert give().about == first.about
    assert store.machine_for(load("field"), Seating(SYDNEY, notice=NOTICE)).about == signed.about


def test_everything_that_matters_makes_a_new_one(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another unit, strategy, house, notice, maximum or engine is another machine."""
    give()
    give(unit=10)
    give("field")
    store.machine_for(load("pass_flat"), Seating("adelaide", 5))
    store.machine_for(load("pass_flat"), Seating(SYDNEY, 5, max_bet=100))
    store.machine_for(load("pass_flat"), Seating(SYDNEY, 5, chips=[1]))
    store.machine_for(load("pass_flat"), Seating(SYDNEY, 5, notice=NOTICE))
    assert len(list(kept.glob("*.npz"))) == 7
    monkeypatch.setattr(store, "code_digest", lambda: "another engine")
    give()
    assert len(list(kept.glob("*.npz"))) == 8


@pytest.mark.parametrize("damage", [b"", b"not a machine", None])
def test_a_spoiled_file_is_built_again(kept: Path, damage: bytes | None) -> None:
    """Empty, foreign or cut off: thrown away and made new."""
    first = give()
    (path,) = kept.glob("*.npz")
    path.write_bytes(path.read_bytes()[:-200] if damage is None else damage)
    assert give().digest() == first.digest()
    assert path.stat().st_size > 200


def test_a_machine_of_the_wrong_shape_is_built_again(kept: Path) -> None:
    """A file that can be read and makes no sense is no machine."""
    first = give()
    (path,) = kept.glob("*.npz")
    wrong = build(load("field"), Seating(SYDNEY, 5))
    wrong.next[:] = 99
    wrong.save(path)
    assert give().digest() == first.digest()


def repacked(path: Path, **changed: Any) -> None:  # noqa: ANN401 - anything may stand in a spoiled file
    """Write a kept machine again with some of its arrays changed, and a head that still fits the format."""
    with np.load(path) as file:
        arrays = dict(file)
    head = json.loads(bytes(arrays["head"]))
    for name, change in changed.items():
        if name in arrays:
            arrays[name] = change(arrays[name])
        else:
            head[name] = change
    arrays["head"] = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)


@pytest.mark.parametrize(
    "changed",
    [
        {"net": lambda net: net * 2},
        {"net": lambda net: net.astype(np.float64)},
        {"net": lambda net: net.astype(object)},
        {"net": lambda net: net[:, :1]},
        {"need": lambda need: -need},
        {"next": lambda following: following[:0]},
        {"next": lambda following: following.astype(np.int64)},
        {"column": lambda column: column.astype(np.int8) - 1},
        {"column": lambda column: column + np.uint8(200)},
        {"action": lambda action: action[0]},
        {"about": {}},
        {"about": None},
        {"grain": "1/0"},
        {"grain": "-1"},
        {"grain": None},
        {"start": True},
        {"start": -1},
        {"start": 0.0},
        {"format": 1},
        {"digest": None},
    ],
)
def test_a_machine_that_is_not_what_was_written_is_built_again(
    kept: Path, changed: dict[str, Any], recwarn: pytest.WarningsRecorder
) -> None:
    """Every array's type, shape and range, and everything else by a digest; nobody hears of it."""
    first = give()
    (path,) = kept.glob("*.npz")
    repacked(path, **changed)
    again = give()
    assert (again.digest(), again.about) == (first.digest(), first.about)
    assert Machine.load(path).about == first.about
    assert not recwarn


def test_no_file_is_unpacked_that_is_larger_than_any_machine(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that says so itself, nor one whose array claims more than its file holds."""
    first = give()
    (path,) = kept.glob("*.npz")
    repacked(path, need=lambda _: np.zeros(10_000_000, dtype=np.int64))
    monkeypatch.setattr("passline.machine.machine.UNPACKED_MAX", 1_000_000)
    assert give().digest() == first.digest()
    claims = io.BytesIO()
    write_array_header_1_0(claims, {"descr": "<i8", "fortran_order": False, "shape": (1 << 40,)})
    with ZipFile(path) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    with ZipFile(path, "w") as packed:
        for name, content in (parts | {"need.npy": claims.getvalue() + bytes(800)}).items():
            packed.writestr(name, content)
    assert give().digest() == first.digest()


def test_the_oldest_goes_first(kept: Path) -> None:
    """The store keeps to its size, and keeps what was made last."""
    for unit in range(1, 6):
        give(unit=unit)
    size = max(path.stat().st_size for path in kept.glob("*.npz"))
    store.machine_for(load("pass_flat"), Seating(SYDNEY, 6), bytes_max=2 * size)
    assert 1 <= len(list(kept.glob("*.npz"))) <= 2
    store.machine_for(load("pass_flat"), Seating(SYDNEY, 7), bytes_max=0)
    assert len(list(kept.glob("*.npz"))) == 1


@pytest.mark.parametrize("word", ["off", "0", ""])
def test_the_store_can_be_done_without(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PASSLINE_CACHE=off writes nothing anywhere."""
    monkeypatch.setenv(store.PLACE, word)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    give()
    assert store.folder() is None
    assert list(tmp_path.iterdir()) == []


def test_the_store_lies_where_the_desktop_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """XDG_CACHE_HOME, or .cache at home."""
    monkeypatch.delenv(store.PLACE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert store.folder() == tmp_path / "passline" / "machines"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store.folder() == tmp_path / ".cache" / "passline" / "machines"


def test_a_place_that_cannot_be_written_costs_nobody_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file where the folder should be."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(store.PLACE, str(tmp_path / "file" / "machines"))
    assert give().states == 7


def test_nothing_half_written_is_left(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that fails leaves no file behind, whole or in part."""

    def fails(_machine: Machine, path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError("disk full")

    monkeypatch.setattr("passline.machine.machine.Machine.save", fails)
    assert give().states == 7
    assert list(kept.iterdir()) == []
