"""The lab over HTTP: questions with charts, strategies in blocks, house files priced and played."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import time
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from passline import ask, replay
from passline.answers import signed
from passline.errors import HouseFileError
from passline.journal.contract import house_file, opening_of
from passline.journal.export import exported
from passline.journal.sqlite import SqliteJournal
from passline.pit.table import LiveTable
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.editing import new_house
from passline.verify.check import verify
from passline.web.limits import Limits
from passline.web.problems import Problem
from passline.web.subprocesses import Pricer
from tests.web.server import Server

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.server import Player

pytestmark = pytest.mark.slow

MINE = 'name = "Mine"\ndescription = "Line and odds."\n[[want]]\nup = { pass = 1, pass_odds = "2x" }\n'
FILE = {"file": "mine.toml", "text": MINE}


@pytest.fixture(scope="module")
def ann(server: Server) -> Player:
    """Somebody who asks."""
    return server.account("Lab-Ann")


def answered(ann: Player, asked: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The answer to a question, and its rows."""
    first = ann.post("/questions", asked)
    assert first.status_code == 202, first.text
    path = f"/questions/{first.json()['question']}"
    until = time.monotonic() + 600
    while (told := ann.get(path).json())["state"] in ("waiting", "working") and time.monotonic() < until:
        time.sleep(0.1)
    assert told["state"] == "answered", told
    return told["answer"], ann.get(f"{path}/rows").text


def test_an_evening_of_a_file_is_that_of_python_and_of_the_command(ann: Player, tmp_path: Path) -> None:
    """The law, its bars, its rows; the Python that comes along gives it again, and so does the command."""
    told, rows = answered(ann, {"strategy": FILE, "house": "strip", "unit": "2.50", "rolls": 20, "bankroll": 10})
    (result,) = told["results"]
    (tmp_path / "mine.toml").write_text(MINE, "utf-8")
    law = ask(tmp_path / "mine.toml", house="strip", unit="2.50", rolls=20, bankroll=10).exact()
    assert Fraction(result["values"]["mean"]) == law.mean
    (bars,) = result["charts"]
    assert sum(bars["curves"][0]["values"]) > 0.99
    assert len(bars["places"]) == len(bars["curves"][0]["values"])
    printed = list(law.sentences())
    assert [each for each in result["page"] if each in printed] == printed
    assert len(list(csv.DictReader(io.StringIO(rows)))) == len(law.chances())
    (ruin,) = told["charts"]
    assert (ruin["places"][-1], ruin["curves"][0]["values"][-1]) == (20, pytest.approx(float(law.p_ruin)))
    script = told["python"] + "print(answers[0].mean)\n"
    again = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Fraction(again.stdout.strip()) == law.mean
    assert told["commands"] == ["passline exact mine.toml --house strip --unit 2.50 --rolls 20 --bankroll 10"]


def test_a_unit_under_the_minimum_is_refused_at_once(ann: Player) -> None:
    """In a house of ours before anything begins, in a file of theirs before anything is worked out."""
    asked = {"strategy": "pass_flat", "against": ["field"], "house": "strip", "unit": 10, "notice": ""}
    no = ann.post("/questions", asked)
    assert no.status_code == 422
    told = no.json()
    assert (told["code"], told["clause"], told["unit"]) == ("bet.under_minimum", "strip:sign.limits", "15")
    assert told["detail"] == "Pass line, flat: 10 on Pass Line is under the minimum of 15."
    theirs = {"file": "mine.toml", "text": new_house("Mine", "strip")}
    question = ann.post("/questions", {**asked, "house": theirs}).json()["question"]
    until = time.monotonic() + 600
    while (view := ann.get(f"/questions/{question}").json())["state"] in ("waiting", "working"):
        assert time.monotonic() < until
        time.sleep(0.1)
    assert (view["state"], view["error"]) == ("failed", f"{told['detail']} [mine:sign.limits]")
    houses = {each["house"]: each for each in ann.get("/houses").json()}
    assert (houses["strip"]["unit"], houses["strip"]["sign"][:6]) == ("15", "min 15")


def test_four_on_the_same_dice(ann: Player) -> None:
    """Samples with fans, each pair's difference, and the rows of all; a difference is that of the means."""
    asked = {
        "strategy": "pass_flat",
        "against": [FILE, "field", {"name": "F", "description": "F", "want": [{"up": {"field": 1}}]}],
    }
    told, rows = answered(
        ann, {**asked, "how": "simulate", "house": "strip", "unit": 5, "rolls": 30, "sessions": 500, "seed": 7}
    )
    means = [Fraction(each["values"]["mean"]) for each in told["results"]]
    differences = [signed(one - other) for one, other in combinations(means, 2)]
    place = told["pairs"]["names"].index("mean difference")
    assert [row[place] for row in told["pairs"]["rows"]] == differences
    assert [row[1] for row in told["table"]["rows"]] == list(map(signed, means))
    assert [command.split()[1] for command in told["commands"]] == ["simulate", "versus", "versus", "versus"]
    assert means[2] == means[3] != 0
    for each in told["results"]:
        fan, _ = each["charts"]
        assert all(len(fan["places"]) == len(curve["values"]) for curve in fan["curves"])
        assert abs(each["values"]["z_score"]) < 6
    assert {each["strategy"] for each in csv.DictReader(io.StringIO(rows))} == {
        "pass_flat",
        "mine",
        "field",
        "strategy",
    }
    assert told["commands"][1].startswith(
        "passline versus pass_flat mine.toml field strategy.toml --house strip --unit 5"
    )


def test_a_sweep_of_an_edited_house(ann: Player) -> None:
    """A house file and a place of a strategy file; a field that pays 2 for the twelve loses 1/18 whatever is bet."""
    text = new_house("Mine", "strip").replace('12 = ["3:1"', '12 = ["2:1"')
    asked = {"strategy": "field", "how": "sweep", "over": {"want.0.up.field": "1,2"}, "rolls": 5}
    told, rows = answered(ann, {**asked, "house": {"file": "mine.toml", "text": text}})
    place = told["table"]["names"].index("edge")
    assert [row[place] for row in told["table"]["rows"]] == ["5.556%", "5.556%"]
    assert rows.splitlines()[0].startswith("want.0.up.field,mean")
    assert told["house"] == "mine"


def test_blocks_and_files_are_each_other(ann: Player) -> None:
    """Read into blocks and written from them; what is wrong has its line, and the text that was written comes along."""
    read = ann.post("/strategy-files", FILE).json()
    assert read["in_words"] == [
        "Always: 1 unit on the pass line and 2 times the flat bet as odds behind the pass line."
    ]
    assert read["houses"]
    back = ann.post("/strategy-files", {"file": "mine.toml", "blocks": read["blocks"]}).json()
    assert back["hash"] == read["hash"]
    wrong = ann.post("/strategy-files", {"file": "mine.toml", "text": MINE + "[[want]]\nup = { plaice_6 = 1 }\n"})
    assert wrong.status_code == 422
    (fault,) = wrong.json()["findings"]
    assert (fault["line"], fault["nearest"]) == (6, "place_6")
    blocks = {
        **read["blocks"],
        "want": [{"when": {"kind": "number", "number": "rols", "sign": "<", "value": "3"}, "up": {"pass": 1}}],
    }
    wrong = ann.post("/strategy-files", {"file": "mine.toml", "blocks": blocks})
    assert wrong.json()["findings"][0]["nearest"] == "rolls"
    assert 'when = "rols < 3"' in wrong.json()["text"]
    assert "molly" in ann.get("/strategies/three_point_molly").json()["text"]
    assert ann.get("/strategies/nothing").status_code == 404
    assert {each["strategy"] for each in ann.get("/strategies").json()} > {"field"}
    assert ann.get("/strategy-files").json()["numbers"]


def test_a_changed_price_moves_its_edge_and_no_other(ann: Player) -> None:
    """Place 6 at 7:6 keeps 1/66 of what is put up; at 6:5, as true odds, nothing. It comes back at once."""
    copy = ann.get("/houses/strip/file", params={"name": "Lucky's"}).json()
    assert copy["file"] == "lucky-s.toml"
    first = ann.post("/house-files", copy).json()
    assert not any(each["changed"] for each in first["wagers"])
    change = {"path": ["wager", "place", "pays", "6,8"], "value": "6:5"}
    edited = ann.post("/house-files", {**copy, "changes": [change]}).json()
    moved = {each["wager"]: each for each in edited["wagers"] if each["changed"]}
    assert set(moved) == {"place_6", "place_8"}
    assert (moved["place_6"]["was"]["edge_per_bet_made"], moved["place_6"]["now"]["edge_per_bet_made"]) == ("1/66", "0")
    assert moved["place_6"]["difference"] == "-1/66"
    opened = ann.post("/practice", {"house": {"file": copy["file"], "text": edited["text"]}})
    assert opened.status_code == 201, opened.text
    table = opened.json()["table"]
    assert (table["house"], table["house_name"]) == ("lucky-s", "Lucky's")
    seat = ann.get(f"/tables/{table['table']}/felt").json()
    assert seat["spots"]["place_6"]["price"].startswith("6:5"), seat["spots"]["place_6"]


LIKE = 'like = "strip"\nname = "Riverboat"\n\n[wager.field.pays]\n12 = "2:1"\n'


def test_a_house_file_that_says_what_it_is_like_is_edited_and_dealt(ann: Player) -> None:
    """Its few lines are a whole book to the editor and to a table."""
    file = {"file": "riverboat.toml", "text": LIKE}
    change = {"path": ["wager", "place", "pays", "6,8"], "value": "6:5"}
    edited = ann.post("/house-files", {**file, "like": "strip", "changes": [change]}).json()
    assert {each["wager"] for each in edited["wagers"] if each["changed"]} == {"field", "place_6", "place_8"}
    opened = ann.post("/practice", {"house": file})
    assert opened.status_code == 201, opened.text
    table = opened.json()["table"]
    assert (table["house"], table["house_name"]) == ("riverboat", "Riverboat")
    assert ann.get(f"/tables/{table['table']}/felt").status_code == 200
    named = ann.post("/practice", {"house": {**file, "text": LIKE.replace("Riverboat", "The Striр")}})  # noqa: RUF001
    assert (named.status_code, named.json()["code"]) == (422, "house.unreadable")


def test_a_house_that_is_like_another_serves_a_table_that_verifies(tmp_path: Path) -> None:
    """The house of a whole service, and of a table that somebody brings; its journal and its record stand alone."""
    file = tmp_path / "riverboat.toml"
    file.write_text(LIKE)
    server = Server(tmp_path, None, "--house", str(file))
    with server.closing():
        bob = server.practice(house={"file": "riverboat.toml", "text": LIKE})
        assert bob.act("command.shoot").status_code == 200
        assert bob.act("command.bet", wager="pass", amount=1500).status_code == 200
        assert bob.act("command.bet", wager="field", amount=1500).status_code == 200
        rolled = bob.act("table.roll")
        assert rolled.status_code == 200, rolled.text
        record = bob.get(f"/tables/{bob.table}/record").text
    file.unlink()
    journal = SqliteJournal(server.journal, read_only=True)
    assert verify(line + b"\n" for line in exported(journal, journal.tables())).faults == []
    (tmp_path / f"{bob.table}.toml").write_text(house_file(journal, opening_of(journal, bob.table)), encoding="utf-8")
    seats = LiveTable(journal, bob.table, None).live.table.seats
    journal.close()
    (tmp_path / "told.craps").write_text(record, encoding="utf-8")
    assert replay(tmp_path / "told.craps").state.seats == seats


def test_a_house_file_that_is_not_ours_has_an_id_and_a_name_of_its_own(ann: Player) -> None:
    """The lobby would say Sydney, of a table that rounds otherwise; a copy that says the same may say so."""
    ours = house_files()["sydney"].read_text(encoding="utf-8")
    copy = ann.get("/houses/sydney/file", params={"name": "Harbour"}).json()["text"]
    changed = ours.replace('["up", "6.7"]', '["down", "6.7"]')
    assert changed != ours
    named = copy.replace('"Harbour"', '"SYDNEY (Nеw South Wales)"', 1)  # noqa: RUF001 - one of the letters is Cyrillic
    for text, key in ((changed, "id"), (named, "name"), (copy.replace('"Harbour"', '"Sydney"', 1), "name")):
        for path, asked in (("/practice", {}), ("/tables", {"listed": True})):
            answer = ann.post(path, asked | {"house": {"file": "sydney.toml", "text": text}})
            assert (answer.status_code, answer.json()["code"]) == (422, "house.unreadable"), answer.text
            (found,) = answer.json()["findings"]
            assert found["path"] == key
            assert f"{key} of its own" in found["expected"]
    for text in (ours, f"# mine\n{ours}", copy):
        assert ann.post("/practice", {"house": {"file": "sydney.toml", "text": text}}).status_code == 201
    with pytest.raises(HouseFileError, match="not a built-in house's"):
        new_house("Sydney (New South Wales)")


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ('["7:6"', '["7:0"', "wager.place.pays"),
        ("[every_wager]", "[every_wagr]", "every_wagr"),
        ("odds.345", "odds.999", "notice.odds"),
        ("min       = [15", "min       = [15000", "notice.min"),
    ],
)
def test_a_broken_house_file_says_where(ann: Player, old: str, new: str, path: str) -> None:
    """The line, what stands there, what should; nothing is opened."""
    text = new_house("Mine", "strip").replace(old, new, 1)
    asked = {"file": "mine.toml", "text": text}
    for answer in (
        ann.post("/house-files", asked),
        ann.post("/practice", {"house": asked}),
        ann.post("/questions", {"strategy": "field", "house": asked}),
    ):
        assert answer.status_code == 422
        told = answer.json()
        assert told["code"] == "house.unreadable"
        fault = next(each for each in told["findings"] if each["path"].startswith(path))
        assert new.split(maxsplit=1)[0].strip('[]"') in text.splitlines()[fault["line"] - 1]


def test_a_house_that_takes_too_long_is_refused_and_the_next_is_not() -> None:
    """Forty more bets that remember ten numbers each: the process is ended, and another takes its place."""
    text = new_house("Mine", "strip")
    begins = text.index("[wager.make_em_all]")
    block = text[begins : text.index("\n[", begins)]
    more = "".join(block.replace("make_em_all", f"make_em_all_{number}") + "\n" for number in range(40))
    pricer = Pricer(Limits(house_s=1.0))
    try:
        with pytest.raises(Problem, match="cannot be worked out within 1 s"):
            pricer.price("mine.toml", text[:begins] + more + text[begins:], "strip")
        pricer.price("mine.toml", text)
    finally:
        pricer.close()


def test_what_is_too_large_or_nobodys_is_refused(server: Server, ann: Player) -> None:
    """Files that are no names, too many strategies, texts without end, houses that no time is enough for."""
    assert ann.post("/strategy-files", {**FILE, "file": "../keys.toml"}).status_code == 422
    assert ann.post("/questions", {"strategy": "field", "against": ["field"] * 4}).status_code == 422
    assert ann.post("/questions", {"strategy": "field", "how": "sweep"}).status_code == 422
    assert ann.post("/questions", {"strategy": "field", "over": {"unit": "1,2"}}).status_code == 422
    assert ann.post("/strategy-files", {**FILE, "text": "x" * 70_000}).status_code == 413
    assert ann.post("/strategy-files", {**FILE, "text": "a = " + "[" * 3000}).status_code == 422
    assert (
        ann.post("/strategy-files", {"file": "m.toml", "blocks": {"want": [{"when": {"kind": "not"}}]}}).status_code
        == 422
    )
    assert ann.post("/house-files", {"file": "m.toml", "text": "id = 1", "like": "nowhere"}).status_code == 422
    mine = ann.post("/questions", {"strategy": "field", "rolls": 5}).json()["question"]
    assert server.http.get(f"/questions/{mine}/rows").status_code == 404
    assert server.http.get(f"/questions/{mine}").status_code == 404
