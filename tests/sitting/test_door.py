"""At the door: a name for the record that nobody else has, and everything that cannot be found out before the play."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.errors import CannotBeSeated
from passline.sitting.door import Setup, sit_down


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
