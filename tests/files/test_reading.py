"""Files read only as far as they can be ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from passline.errors import HouseFileError, RecordError, RecordFileError
from passline.files.reading import is_file, read_bytes
from passline.house import House
from passline.record.record import RECORD_BYTES_MAX, read
from passline.rulebooks.read import load, read_book
from passline.strategies.language.read import read_strategy
from passline.table import replay

RECORD = "passline 1\nhouse adelaide\nsit 1 Zoë 100\n"
ENDLESS = Path("/dev/zero")


def test_a_long_file_is_refused_by_its_size(tmp_path: Path) -> None:
    """Before any of it is read: a sparse file of a terabyte costs nothing."""
    long = tmp_path / "long.craps"
    long.touch()
    os.truncate(long, 1 << 40)
    with pytest.raises(RecordFileError, match="more than"):
        read(long)
    with pytest.raises(HouseFileError, match="which needs fewer"):
        load(long)


@pytest.mark.skipif(not ENDLESS.exists(), reason="there is no endless device here")
def test_an_endless_device_is_left_in_time() -> None:
    """Nothing that has no size is read beyond the most that a file of ours could have."""
    with pytest.raises(RecordFileError, match=f"more than {RECORD_BYTES_MAX}"):
        read(ENDLESS)
    for reader in (read_book, read_strategy):
        with pytest.raises(ValueError, match="more than"):
            reader(ENDLESS)
    with pytest.raises(RecordError, match="no such house"):
        read(f"passline 1\nhouse {ENDLESS}\n")


def test_nobody_waits_for_a_pipe_that_nobody_writes_to(tmp_path: Path) -> None:
    """It is an empty file; one that somebody writes to is read to its end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert read_bytes(pipe, 100) == b""
    ours, theirs = os.pipe()
    os.write(theirs, RECORD.encode())
    os.close(theirs)
    assert replay(Path(f"/dev/fd/{ours}")).rail(1) == 100
    os.close(ours)


def test_a_mark_in_front_of_the_text_is_no_part_of_it(tmp_path: Path) -> None:
    """Some editors write one: in records, houses and strategies alike, as a file, as bytes and as text."""
    path = tmp_path / "marked.craps"
    path.write_text(RECORD, encoding="utf-8-sig")
    assert replay(path).rail(1) == replay("\ufeff" + RECORD).rail(1) == 100
    house = Path(str(load.__globals__["house_files"]()["strip"])).read_text(encoding="utf-8")
    assert read_book("\ufeff" + house) == read_book(house.encode("utf-8-sig")) == House("strip").book
    field = 'name = "Field"\ndescription = "x"\n[[want]]\nup = { field = 1 }\n'
    assert read_strategy("\ufeff" + field) == read_strategy(field.encode("utf-8-sig")) == read_strategy(field)


def test_names_that_no_file_can_have_are_nobodys() -> None:
    """Too long, or with a NUL in it: an answer and no exception of the system's."""
    for name in ("x" * 5000, "a/" * 3000 + "b", "nul\0byte"):
        assert not is_file(Path(name))
        with pytest.raises(HouseFileError, match=r"no such house|too long|null byte"):
            House(name)
        with pytest.raises(HouseFileError):
            House(name + ".toml")


def test_a_number_without_end_is_a_finding() -> None:
    """Whatever base it is written in; and no message repeats it."""
    text = Path(str(load.__globals__["house_files"]()["strip"])).read_text(encoding="utf-8")
    with pytest.raises(HouseFileError, match=r"notice\.min: found a number of \d+ bits") as error:
        read_book(text.replace("min       = [15,", f"min       = [0x{'f' * 20_000},"))
    assert len(str(error.value)) < 300


def test_a_message_repeats_no_more_than_helps() -> None:
    """A word of a megabyte is shown by its beginning."""
    with pytest.raises(RecordError) as error:
        read("passline 1\nhouse adelaide\n" + "x" * 1_000_000)
    assert len(str(error.value)) < 400
    assert (error.value.line, error.value.column) == (3, 1)


@pytest.mark.parametrize("name", ["A\x1b]0;x\x07", "A\x9b2J", "A\u202eB", "A\x00"])
def test_no_name_holds_what_a_terminal_might_obey(name: str) -> None:
    """Neither a player's nor a house's, and the complaint itself is harmless."""
    with pytest.raises(RecordError, match="control characters") as error:
        read(f"passline 1\nhouse adelaide\nsit 1 {name} 100\n")
    assert (error.value.line, error.value.column) == (3, 7)
    assert str(error.value).isprintable()
    text = Path(str(load.__globals__["house_files"]()["strip"])).read_text(encoding="utf-8")
    escaped = "".join(f"\\u{ord(char):04x}" for char in name)
    for said in (name, escaped):
        with pytest.raises(HouseFileError, match="expected text") as complaint:
            read_book(text.replace('name   = "', f'name   = "{said}', 1))
        assert str(complaint.value).isprintable()
    with pytest.raises(HouseFileError, match="expected text"):
        read_book(f'{text}\n[about."{escaped}"]\n')
