"""`passline strategies`, `strategy show`, `strategy check`."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from passline import House, PasslineError, ask
from passline.cli.app import app
from passline.strategies.language.read import built_in

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_the_library_is_listed() -> None:
    """One line each, or one document."""
    assert [line.split()[0] for line in run("strategies").output.splitlines()] == list(built_in())
    listed = json.loads(run("strategies", "--json").output)["strategies"]
    assert [one["id"] for one in listed] == list(built_in())
    assert all(one["in_words"] and one["source"] and one["unit"] for one in listed)


def test_a_strategy_is_shown() -> None:
    """In plain words, with its houses."""
    shown = run("strategy", "show", "fire_bet")
    assert shown.exit_code == 0
    assert "- When the puck is off: 5 units on the pass line." in shown.output
    assert "Houses that book all of it: fire-bonus." in shown.output
    assert json.loads(run("strategy", "show", "field", "--json").output)["houses"][0] == "adelaide"


def test_a_strategy_nobody_knows() -> None:
    """Exit code 2 and the nearest name."""
    shown = run("strategy", "show", "iron_cros")
    assert shown.exit_code == 2
    assert "Nearest: iron_cross" in shown.output


def test_a_file_is_checked(tmp_path: Path) -> None:
    """What is right is said to be, what is wrong with its place."""
    good, bad, odd = tmp_path / "good.toml", tmp_path / "bad.toml", tmp_path / "odd.toml"
    good.write_text('name = "x"\ndescription = "x"\n[[want]]\nup = { lay_4 = 1 }\n')
    booked = ", ".join(house.id for house in House.all() if any(spot.key == "lay_4" for spot in house.layout.offered()))
    assert f"can be played at {booked}.\n" in run("strategy", "check", str(good)).output
    assert json.loads(run("strategy", "check", str(good), "--json").output)["ok"] is True
    bad.write_text('name = "x"\ndescription = "x"\n[[want]]\nup = { lay_4 = "mx" }\n')
    checked = run("strategy", "check", str(bad))
    assert checked.exit_code == 2
    assert "bad.toml, want[1].up.lay_4: found `mx`" in checked.output
    odd.write_text('name = "x"\ndescription = "x"\n[[want]]\nwhen = "up(plase_6)"\nup = { lay_4 = 1 }\n')
    checked = run("strategy", "check", str(odd), "--json")
    assert checked.exit_code == 2
    assert json.loads(checked.output)["findings"][0]["path"] == "want[1].when"
    assert run("strategy", "check", str(tmp_path / "none.toml")).exit_code == 2


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    """Keys, texts, numbers and names of wagers: nobody mends a file five times to hear five things."""
    file = tmp_path / "bad.toml"
    file.write_text("""\
name = "x"
description = "x"
colour = "red"
unit = "x"
include = ["pass_flat"]
[[want]]
when = "hats > 3"
up = { pas = 1, fild = "2 hats" }
down = ["plce_6"]
[progression.p]
of = "come_7"
steps = [1]
""")
    checked = run("strategy", "check", str(file), "--json")
    assert [found["path"] for found in json.loads(checked.output)["findings"]] == [
        "colour",
        "want[1].up.fild",
        "want[1].when",
        "unit",
        "want[1].up.pas",
        "want[1].up.fild",
        "want[1].down",
        "progression.p.of",
    ]


@pytest.mark.parametrize("wager", ["come_6", "place_6", "lay_4", "fire", "hop_6_4"])
def test_a_house_that_is_named_plays_it_and_no_other_does(wager: str, tmp_path: Path) -> None:
    """What `strategy check` promises is what an evening at each house does."""
    file = tmp_path / "one.toml"
    when = 'when = "puck on"\n' if wager == "come_6" else ""
    file.write_text(f'name = "x"\ndescription = "x"\n[[want]]\n{when}up = {{ {wager} = 30 }}\n')
    named = json.loads(run("strategy", "check", str(file), "--json").output)["houses"]
    plays = []
    for house in House.all():
        with suppress(PasslineError):
            ask(file, house=house.id, unit=1, rolls=6).simulate(sessions=5, seed=1)
            plays.append(house.id)
    assert named == sorted(plays)
    assert named
