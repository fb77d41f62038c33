"""Every row of docs/dice.md's table of what must hold, played by a liar: what `verify` and `dice.mjs` say of it."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from passline.client.witness import Heads, Witness
from passline.verify.chain import Entry, entry_hash
from passline.verify.check import verify
from passline.verify.dice import Chains
from passline.verify.report import Report
from tests.chance import thousand, villains
from tests.chance.node import verifier
from tests.chance.villains import HONEST, LIARS, House

if TYPE_CHECKING:
    from passline.client.clients import Client

PERL = Path(__file__).parent / "verifier.pl"
PAGE = Path(__file__).parents[2] / "docs" / "dice.md"
COUNTED = {
    "events",
    "hash",
    "house_alone",
    "restores",
    "sequence",
    "stops",
    "two_journals",
    "undone",
    "undone_closings",
    "undone_heads",
    "undone_rolls",
    "unlisted",
    "verify",
}
"""What the table names besides: counts, a field, and who says so."""


def in_python(house: House) -> tuple[list[str], Counter[str], dict[int, Any], Counter[str], Counter[str]]:
    """What the dice of `verify` say, the entries being nobody's business."""
    report, voids = Report(), dict[int, Any]()
    checks: dict[str, Chains] = {}
    faults = []
    for entry in house.entries:
        check = checks.setdefault(entry["table"], Chains(report, voids.__setitem__))
        faults += [what[1] for what in check.see(Entry(entry, 0))]
    for check in checks.values():
        check.finish()
        faults += [check.unended] if check.unended else []
    return faults, report.counts, voids, report.silent, report.unlisted


def in_javascript(house: House) -> tuple[int, dict[str, Any]]:
    ran = verifier("export", "-", given=house.text().encode())
    assert ran.stdout, ran.stderr
    return ran.returncode, json.loads(ran.stdout)


def in_perl(text: bytes, *options: str) -> dict[str, Any]:
    """What the verifier says that was written from docs/dice.md alone."""
    ran = subprocess.run(["perl", str(PERL), *options], input=text, capture_output=True, check=False)
    assert ran.stdout, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    assert ran.returncode == bool(found["faults"])
    return found


def names(faults: list[str]) -> set[str]:
    return {part.partition(":")[0] for fault in faults for part in fault.split("; ")}


@pytest.mark.parametrize("make", HONEST.values(), ids=HONEST)
def test_an_honest_house_is_right_in_all_three(make: Callable[[], House]) -> None:
    """And they count the same."""
    house = make()
    faults, counts, voids, silent, unlisted = in_python(house)
    code, found = in_javascript(house)
    assert (faults, code, found["faults"]) == ([], 0, [])
    assert (found["silent"], found["unlisted"]) == (dict(silent), dict(unlisted))
    third = in_perl(house.text().encode())
    assert (third["faults"], third["silent"], third["unlisted"]) == ([], dict(silent), dict(unlisted))
    for name in ("rolls", "house_alone", "restores", "stops", "undone_closings", "open_closings"):
        assert found["counts"][name] == counts[name] == third["counts"][name], name
    assert {void["sequence"]: void["dice"] for void in found["voids"]} == {
        at: dice and "-".join(map(str, dice)) for at, dice in voids.items()
    }


def test_what_an_evening_comes_to() -> None:
    """By whom a void was, what it would have been, and how many rolls the house made alone."""
    _, counts, voids, silent, _ = in_python(villains.evening())
    assert (counts["rolls"], counts["house_alone"], counts["restores"], dict(silent)) == (9, 1, 1, {"bob": 1})
    shown = {person: villains.values(person, 1)[3] for person in ("ann", "bob")}
    assert list(voids.values()) == [villains.dice_of(villains.links(1)[3], 1, 3, shown)]


def test_what_came_to_nothing_is_counted_and_who_had_no_hand() -> None:
    """By a backup or a stop, or because the export ends; a bet without its owner's hand."""
    restored, announced = in_python(villains.restored()), in_python(villains.announced())
    assert [restored[1][name] for name in ("restores", "undone_closings", "stops")] == [3, 3, 1]
    assert (announced[1]["open_closings"], dict(announced[4])) == (1, {"bob": 1})


@pytest.mark.parametrize(("lie", "row"), LIARS.items(), ids=lambda each: getattr(each, "__name__", each))
def test_a_lie_is_called_by_its_name_in_all_three(lie: Callable[[House], None], row: str) -> None:
    """Before it everything is right."""
    house = villains.ready()
    assert in_python(house)[0] == []
    lie(house)
    faults, *_ = in_python(house)
    code, found = in_javascript(house)
    assert code == 1
    assert row in names([fault["what"] for fault in found["faults"]]), found["faults"]
    assert row in names(faults), faults
    third = in_perl(house.text().encode())
    assert row in names([fault["what"] for fault in third["faults"]]), third["faults"]


class Server:
    """Nobody who answers: a program hears these entries on the stream."""

    server = "http://house.example"


def heard(house: House, folder: Path) -> Witness:
    """What a player's own program makes of the entries as they fall, their hashes all being right."""
    program = Witness(cast("Client", Server()), "t1", Heads(folder / "heads.jsonl"), whole=True)
    hashes: list[tuple[str, str]] = []
    for entry in house.entries:
        text = json.dumps(entry)
        for before, after in hashes:
            text = text.replace(before, after)
        told = json.loads(text)
        if told["kind"] == "table_opened" and program.sequence:  # another table, which a witness of its own hears
            program = Witness(cast("Client", Server()), "t2", Heads(folder / "heads.jsonl"), whole=True)
        told |= {"sequence": program.sequence + 1, "previous": program.hash}
        told["hash"] = entry_hash(told)
        hashes.append((entry["hash"], told["hash"]))
        program.hear(told, None)
    return program


@pytest.mark.parametrize("make", HONEST.values(), ids=HONEST)
def test_a_players_program_says_nothing_of_an_honest_house(make: Callable[[], House], tmp_path: Path) -> None:
    assert heard(make(), tmp_path).wrong == []


@pytest.mark.parametrize(("lie", "row"), LIARS.items(), ids=lambda each: getattr(each, "__name__", each))
def test_a_players_program_says_so_as_it_falls(lie: Callable[[House], None], row: str, tmp_path: Path) -> None:
    """Without an export, by the row's name; and from then on it shows the house no value."""
    house = villains.lied(lie)
    if lie is villains.failed_at_the_end:
        house.bet("ann")  # whoever plays on hears the next entry
    program = heard(house, tmp_path)
    assert f"{row}:" in "\n".join(program.wrong)
    assert program.is_broken
    assert sum("Play no further" in words for words in program.wrong) == 1


def complaints(house: House, stops: int | None = None) -> list[tuple[int, Any]]:
    """What is wrong with each entry, to one checker, or to one that is started again before an entry."""
    found = []
    chains = Chains(Report())
    for at, entry in enumerate(house.entries):
        if at == stops:
            saved = json.dumps(chains.saved())
            chains = Chains(Report())
            chains.go_on(json.loads(saved))
        found += [(at, what) for what in chains.see(Entry(entry, 0))]
    return [*found, (len(house.entries), chains.unended)]


@pytest.mark.parametrize("lie", [*LIARS, None], ids=lambda each: getattr(each, "__name__", "nobody"))
def test_who_goes_on_from_what_was_saved_finds_the_same(lie: Callable[[House], None] | None) -> None:
    """Started again before any entry."""
    house = villains.lied(lie) if lie else villains.evening()
    whole = complaints(house)
    assert bool(whole[:-1]) == bool(lie and lie is not villains.failed_at_the_end)
    for stops in range(len(house.entries)):
        assert complaints(house, stops) == whole, stops


def test_one_chain_alone_is_late() -> None:
    """The house could choose the second when it knows the first."""
    house = House(chains=1)
    code, found = in_javascript(house)
    assert (code, names([fault["what"] for fault in found["faults"]])) == (1, {"late_anchor"})
    assert names(in_python(house)[0]) == {"late_anchor"}


def test_every_row_of_the_page_has_a_liar() -> None:
    """And no liar a row that the page does not have."""
    table = PAGE.read_text("utf-8").partition("## What must hold")[2].partition("\n## ")[0]
    last = [line.rstrip("| ").rpartition("|")[2] for line in table.splitlines() if line.startswith("|")]
    rows = set(re.findall(r"`([a-z_]+)`", "\n".join(last)))
    assert rows - COUNTED == set(LIARS.values())


@pytest.mark.slow
@pytest.mark.parametrize("rolls", [120, pytest.param(1_017, marks=pytest.mark.campaign)])
def test_all_three_agree_on_a_long_evening(rolls: int) -> None:
    """With nobody's to eight people's hands, voids, a restart: the same counts and dice, those of void rolls too."""
    evening = thousand.evening(rolls)
    lines = evening.export()
    report = verify(lines)
    ran = verifier("export", "-", given=b"".join(lines))
    found = json.loads(ran.stdout)
    assert (report.faults, found["faults"]) == ([], [])
    assert found["counts"]["rolls"] == report.counts["rolls"] == rolls - evening.voids
    assert found["counts"]["house_alone"] == report.counts["house_alone"] > 0
    assert found["sevens"]["chance"] == pytest.approx(1 if report.void_p is None else report.void_p)
    assert found["counts"]["restores"] == 1
    assert 1 <= evening.voids <= rolls // 33
    rolled = [json.loads(line)["body"] for line in lines if b'"kind":"rolled"' in line]
    assert {0, 8} <= {len(body["hands"]) for body in rolled}
    third = in_perl(b"".join(lines), "--hashes")
    assert (third["faults"], third["rolls"]) == ([], [body["dice"] for body in rolled])
    assert (third["silent"], third["unlisted"]) == (found["silent"], found["unlisted"])
    voids = {str(void["sequence"]): void["dice"] for void in found["voids"]}
    assert voids == third["voids"]
    assert voids == {str(void.sequence): void.dice and "-".join(map(str, void.dice)) for void in report.voids}
