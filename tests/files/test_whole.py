"""Files written whole or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from passline.files.whole import check_writable, whole_file, write_whole


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    """The old file stays, and no half of a new one."""
    target = tmp_path / "net.csv"
    target.write_text("old", encoding="utf-8")

    def fail() -> None:
        with whole_file(target) as part:
            part.write_text("half", encoding="utf-8")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == ["net.csv"]
    assert target.read_text(encoding="utf-8") == "old"


def test_paths_that_cannot_be_written_are_refused_in_words(tmp_path: Path) -> None:
    """Before rolling, with the path and the reason."""
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        check_writable(tmp_path / "nowhere" / "a.png")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        check_writable(tmp_path)
    with pytest.raises(ValueError, match=r"must end in \.png or \.svg"):
        check_writable(tmp_path / "a.gif", (".svg", ".png"))


def test_a_link_is_followed(tmp_path: Path) -> None:
    """It stays a link, and what it leads to is written, there already or not."""
    (tmp_path / "kept").mkdir()
    link = tmp_path / "evening.craps"
    link.symlink_to(Path("kept") / "mine.craps")
    for text in ("first", "second"):
        write_whole(link, text)
        assert link.is_symlink()
        assert (tmp_path / "kept" / "mine.craps").read_text(encoding="utf-8") == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evening.craps", "kept"]


def test_what_is_no_plain_file_is_written_into(tmp_path: Path) -> None:
    """A pipe, a device: never replaced."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write_whole(pipe, "through")
    reader.join(300)
    assert read == ["through"]
    assert pipe.is_fifo()
    write_whole("/dev/null", "gone")
    assert Path("/dev/null").is_char_device()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_new_file_takes_nobody_elses_place(tmp_path: Path) -> None:
    """Not even when the other one came while it was written."""
    there = tmp_path / "house.toml"
    write_whole(there, "mine", new=True)
    with pytest.raises(FileExistsError):
        write_whole(there, "yours", new=True)

    late = tmp_path / "late.toml"

    def outrun() -> None:
        with whole_file(late, new=True) as part:
            part.write_text("second", encoding="utf-8")
            late.write_text("first", encoding="utf-8")

    with pytest.raises(FileExistsError):
        outrun()
    assert (there.read_text(encoding="utf-8"), late.read_text(encoding="utf-8")) == ("mine", "first")
    assert len(list(tmp_path.iterdir())) == 2


def test_rights_are_those_of_the_file_replaced_or_of_any_new_one(tmp_path: Path) -> None:
    """Never those of a temporary file, which only its owner may read."""
    write_whole(tmp_path / "new", "x")
    (tmp_path / "plain").touch()
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode
    (tmp_path / "mine").touch(mode=0o600)
    write_whole(tmp_path / "mine", "x")
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o600
