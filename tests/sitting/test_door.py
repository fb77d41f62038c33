"""At the door: a name for the record that nobody else has, and everything that cannot be found out before the play."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.errors import ArgumentError, CannotBeSeated
from passline.sitting.door import Setup, sit_down
from passline.table import Table


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)


def test_two_tables_in_one_folder_keep_two_records() -> None:
    """Both opened before either has rolled."""
    one, two = (sit_down(Setup(house="adelaide", seed=seed)) for seed in ("1", "2"))
    assert (one.path, two.path) == (Path("evening.craps"), Path("evening-2.craps"))
    for sitting in (one, two):
        assert sitting.save() == sitting.path
        assert sitting.path is not None
        assert f"seed {sitting.settings.seed}" in sitting.path.read_text(encoding="utf-8")


def test_a_record_never_takes_the_place_of_another() -> None:
    """Neither for a new evening nor for one that goes on."""
    sit_down(Setup(house="adelaide"))
    Path("kept.craps").write_text("somebody's", encoding="utf-8")
    for resume in (None, Path("evening.craps")):
        with pytest.raises(CannotBeSeated, match="holds something already"):
            sit_down(Setup(house=None if resume else "adelaide", save=Path("kept.craps"), resume=resume))
    assert Path("kept.craps").read_text(encoding="utf-8") == "somebody's"


def test_a_link_stays_a_link() -> None:
    """The record goes where it leads."""
    Path("link.craps").symlink_to("there.craps")
    sit_down(Setup(house="sydney", save=Path("link.craps")))
    assert Path("link.craps").is_symlink()
    assert Path("there.craps").read_text(encoding="utf-8").startswith("passline 1\n")


@pytest.mark.parametrize("where", ["nowhere/evening.craps", "."])
def test_a_place_that_cannot_be_written_is_found_out_at_the_door(where: str) -> None:
    """Before anybody has won anything."""
    with pytest.raises(CannotBeSeated, match="--save"):
        sit_down(Setup(house="adelaide", save=Path(where)))


@pytest.mark.parametrize("buyin", ["3.33", "4", "0", "100000000000000000000"])
def test_a_buyin_is_whole_chips_from_the_minimum(buyin: str) -> None:
    """No rail of thirds, and none wider than the screen."""
    with pytest.raises(CannotBeSeated, match=r"--buyin: found .*; expected whole chips of 1, from 5 to 10000000"):
        sit_down(Setup(house="adelaide", buyin=buyin))


@pytest.mark.parametrize(
    ("notice", "expected"),
    [
        ("min=0", "A minimum is above nothing"),
        ("min=500 max=5", "A maximum is at least its minimum"),
        ("max=4", "A maximum is at least its minimum"),
        ("props=0", "A minimum is above nothing"),
        ("props=2000", "A maximum is at least its minimum"),
        ("max=10 props=11 min=1", "A maximum is at least its minimum"),
    ],
)
def test_a_sign_leaves_something_to_bet(notice: str, expected: str) -> None:
    """At the door, and where a program opens a table."""
    with pytest.raises(CannotBeSeated, match=f"--notice: found .*expected .*{expected}"):
        sit_down(Setup(house="adelaide", notice=notice))
    with pytest.raises(ArgumentError, match=expected):
        Table("adelaide", notice=notice)
    assert not Path("evening.craps").exists()


@pytest.mark.parametrize(("name", "one"), [("Ann Lee", "Ann_Lee"), ("  ", "Ann"), ("Ann #1", "Ann_1")])
def test_a_name_is_one_word_and_the_answer_says_which(name: str, one: str) -> None:
    """A record keeps one word."""
    with pytest.raises(CannotBeSeated, match=f"expected one word, such as {one}, for"):
        sit_down(Setup(house="adelaide", name=name))
    assert sit_down(Setup(house="adelaide", name=one)).seat is not None


def test_a_house_file_that_cannot_be_read_is_named_with_its_folder(tmp_path: Path) -> None:
    """There may be one of that name in every folder."""
    file = tmp_path / "mine" / "house.toml"
    file.parent.mkdir()
    file.write_text("id = 7", encoding="utf-8")
    with pytest.raises(CannotBeSeated) as unseated:
        sit_down(Setup(house=str(file)))
    assert str(unseated.value).startswith(f"--house: {file}")
