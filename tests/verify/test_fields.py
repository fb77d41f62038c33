"""Fields of the wrong type, roles that may not, people who are not two: every hash is right, and nothing signed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from passline.engine import commands as c
from passline.errors import ArgumentError, OtherKeysError
from passline.journal.contract import Draft
from passline.journal.export import exported
from passline.journal.heads import public
from passline.journal.memory import MemoryJournal
from passline.pit.keys import new_keys
from passline.pit.people.people import By
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.verify.chain import BODIES, TYPES
from passline.verify.check import verify
from tests.cage.till import Till
from tests.pit.play import KEYS, NOW, by, new_table, why
from tests.tables import cases
from tests.verify.building import written
from tests.verify.live import bets, lines_of, whole_pit, with_people, with_wallets
from tests.verify.tampering import hashed

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.engine.commands import Command
    from passline.verify.report import Report

    Change = Callable[[dict[str, Any]], object]

LINES = [json.loads(line) for line in lines_of(whole_pit())]


def unsigned() -> list[dict[str, Any]]:
    """All lines, of tables that were opened without a key to sign with."""
    made: list[dict[str, Any]] = json.loads(json.dumps(LINES))
    ends = {line["table"]: at for at, line in enumerate(made) if "hash" in line}
    assert made.pop(ends["cage"])["kind"] == "signer_named"  # said last, and need not be
    for line in made:
        if line.get("balances", {}).get("table") == "cage":
            line["balances"]["sequence"] -= 1
    for at, line in enumerate(made):
        if "hash" in line:
            if line["kind"] == "signer_named":  # the people's stream says anything else of the program's there
                said = {"act": "attempts_counted", "person": "house", "about": {}}
                line |= {"kind": "people_acted", "body": said}
            line["body"].pop("signer", None)
            first = line["sequence"] == 1
            made[at] = hashed(line if first else {**line, "previous": made[at - 1]["hash"]})
    return made


UNSIGNED = unsigned()


def only(tables: set[str]) -> list[dict[str, Any]]:
    """The lines of these tables, without a head."""
    of = [line for line in UNSIGNED[1:-1] if line.get("table", line.get("balances", line).get("table")) in tables]
    by = {line["house"] for line in of if "hash" in line}
    of = [line for line in UNSIGNED[1:-1] if line.keys() == {"house"} and line["house"]["digest"] in by] + of
    named = [name for name in LINES[0]["tables"] if name in tables]
    made: list[dict[str, Any]] = json.loads(json.dumps([{**LINES[0], "tables": named}, *of, {"heads": []}]))
    return made


def changed(table: str, which: Callable[[dict[str, Any]], bool], change: Change) -> list[str]:
    """The faults of a real journal in which the first such entry of a table was changed, and all hashes made again."""
    lines = only({table, "wallet", "cage"} if table in ("wallet", "cage") else {table})
    at = next(at for at, line in enumerate(lines) if line.get("table") == table and which(line))
    change(lines[at])
    previous = lines[at]["previous"]
    while lines[at].get("table") == table:
        lines[at] = hashed({**lines[at], "previous": previous})
        previous, at = lines[at]["hash"], at + 1
    return [str(fault) for fault in verify([written(line) + b"\n" for line in lines]).faults]


def kind(name: str, **body: object) -> Callable[[dict[str, Any]], bool]:
    """Entries of a kind that say this."""
    return lambda line: line["kind"] == name and all(line["body"][key] == value for key, value in body.items())


def test_the_journal_is_true_before_anybody_lies() -> None:
    """As the live table wrote it."""
    assert verify([written(line) + b"\n" for line in LINES]).faults == []


FIELDS: list[tuple[str, str, str, list[object]]] = [
    ("fair", "table_opened", "dice_set", [None, -1, "x", True, 10**30]),
    ("fair", "table_opened", "chips", [[], None, [True]]),
    ("fair", "table_opened", "program", [None, " "]),
    ("given", "table_opened", "stream", [None, "x", [], "AB" * 16]),
    ("given", "rolled", "epoch", [False]),
    ("given", "rolled", "roll", [True]),
    ("given", "rolled", "postings", [None]),
    ("given", "rolled", "dice", [[1], [True, 2], None]),
    ("closed", "chain_committed", "anchor", [None, "x", []]),
    ("closed", "chain_committed", "epoch", [True]),
    ("fair", "bets_closed", "asked", [[], "x", {"actor": "ann"}]),
    ("fair", "bets_closed", "roll", [True]),
    ("fair", "roll_voided", "returned", [None, [], -1, "x"]),
    ("fair", "roll_voided", "people", [None, [], "bea"]),
    ("real", "dice_entered", "roll", [None, 7, "x", True]),
    ("real", "dice_disagreed", "roll", [1]),
    ("cage", "cage_opened", "stream", [None, 7]),
    ("cage", "cage_opened", "program", [None, []]),
    ("people", "people_acted", "about", [None]),
    ("people", "people_opened", "stream", ["x"]),
]
"""By table and kind: a field, and what it never says."""


@cases("table, name, field, value", [(*where, value) for *where, values in FIELDS for value in values])
def test_a_field_says_what_is_of_its_type(table: str, name: str, field: str, value: object) -> None:
    """True is no number, and null no list."""
    faults = changed(table, kind(name), lambda line: line["body"].update({field: value}))
    assert any(f"body.{field}: " in fault for fault in faults), faults


def test_every_field_of_every_kind_has_a_type() -> None:
    """So that a field that is added is checked, or this fails."""
    assert {line["kind"] for line in LINES if "kind" in line} <= BODIES.keys()
    assert {type_of.rstrip("?*") for types in BODIES.values() for type_of in types.values()} == TYPES.keys()


@pytest.mark.parametrize(
    ("table", "which"),
    [
        ("real", kind("dice_entered")),
        ("real", kind("dice_disagreed")),
        ("real", kind("rolled")),
        ("real", kind("roll_voided")),
        ("fair", kind("roll_voided")),
        ("fair", kind("corrected")),
        ("cage", kind("cage_acted", act="pay_in")),
        ("cage", kind("cage_acted", act="pay_out")),
    ],
)
def test_a_player_does_nothing_that_the_crew_does(table: str, which: Callable[[dict[str, Any]], bool]) -> None:
    """Reading dice, voiding, correcting, booking money."""
    faults = changed(table, which, lambda line: line.update(role="player"))
    assert [fault.partition(", role: ")[2] for fault in faults if ", role: " in fault], faults


@pytest.mark.parametrize("name", ["dice_disagreed", "rolled"])
def test_the_second_reader_is_whoever_the_entry_names(name: str) -> None:
    """Neither a ghost in the readings, nor the first reader in the entry."""
    ghost = changed("real", kind(name), lambda line: line["body"]["readings"][1].update(actor="ghost"))
    assert any("body.readings[1]: it says {'actor': 'ghost'" in fault for fault in ghost), ghost
    same = changed("real", kind(name), lambda line: line.update(actor="sam"))
    assert any("actor: the house refuses it: table.two_people" in fault for fault in same), same


@pytest.mark.parametrize(
    ("act", "changes"),
    [
        ("buy_in", {"sequence": None}),
        ("buy_in", {"sequence": "x"}),
        ("colour_up", {"sequence": None}),
        ("colour_up", {"sequence": -1}),
        ("colour_up", {"sequence": True}),
        ("colour_up", {"table": None, "sequence": None}),
        ("pay_in", {"table": "wallet", "sequence": 2}),
        ("pay_out", {"sequence": 2}),
    ],
)
def test_an_act_of_the_cage_names_an_entry_where_it_has_another_side(act: str, changes: dict[str, object]) -> None:
    """And nowhere else."""
    faults = changed("cage", kind("cage_acted", act=act), lambda line: line["body"].update(changes))
    assert any("cage, entry " in fault and ("body.table: " in fault or "body.seq" in fault) for fault in faults), faults


def test_a_wallet_is_somebodys() -> None:
    """Where an act names one."""
    sat = changed("wallet", lambda line: "wallet" in line["body"], lambda line: line["body"].update(wallet=None))
    assert any("body.wallet: None is no text" in fault for fault in sat), sat


@pytest.mark.parametrize(
    "second", ["be\u034fa", "be\ufe0fa", "bea\u2800", "bea\u3164", "be\u180ba", "BEA", "bea\u200b"]
)
def test_a_name_with_what_nobody_sees_is_no_second_person(second: str) -> None:
    """Nor one in capitals: live and in an export."""
    faults = changed("fair", kind("corrected"), lambda line: line["body"].update(people=["bea", second]))
    assert any("body.people: the house refuses it: table.two_people" in fault for fault in faults), faults
    table = new_table(MemoryJournal())
    table.do(c.Bet(1, "pass", 1_000), by("ann"))
    table.close_bets(by("sam", role="stick"))
    assert why(table.void("a dispute", second, by("bea", role="box"))) == "table.two_people"


@pytest.mark.parametrize(
    ("house", "commands"),
    [
        ("adelaide", [c.CockedDie(3, (1, 2))]),
        ("sydney", [c.CockedDie(3, (1, 2))]),
        ("adelaide", [c.DisputeFace(3), c.RuleFace(None)]),
        ("sydney", [c.DisputeFace(3), c.RuleFace(None)]),
        ("adelaide", [c.CallNoRoll("off-table")]),
        ("adelaide", [c.LoseDie(1, "off")]),
    ],
)
def test_what_one_says_over_real_dice_holds(house: str, commands: list[Command]) -> None:
    """A roll that is void by it names the one who said it."""
    journal = MemoryJournal()
    table = new_table(journal, "t1", "real", house)
    bets(table)
    table.close_bets(by("sam", role="stick"))
    for command in commands:
        table.do(command, by("bea", role="box"))
    assert verify(lines_of(journal)).faults == []


def test_no_die_is_lost_where_dice_are_drawn_and_announced() -> None:
    """The bets are closed, and nothing lies on the table."""
    journal = MemoryJournal()
    table = new_table(journal)
    bets(table)
    table.close_bets(by("sam", role="stick"))
    assert why(table.do(c.LoseDie(1, "off"), by("ann"))) == "table.bets_closed"
    assert verify(lines_of(journal)).faults == []


@pytest.mark.parametrize(
    ("time", "real"),
    [
        ("2026-02-31T20:00:00Z", False),
        ("2026-02-29T20:00:00Z", False),
        ("2028-02-29T20:00:00Z", True),
        ("2026-13-01T20:00:00Z", False),
        ("2026-11-00T20:00:00Z", False),
        ("2026-11-15T25:00:00Z", False),
        ("2026-11-15T24:00:00Z", False),
        ("0000-11-15T20:00:00Z", False),
        ("2026-11-15T20:00:60Z", False),
        ("2026-12-31T23:59:60Z", True),
        ("2026-11-15T20:00:00.5Z", True),
    ],
)
def test_a_time_is_one_that_a_calendar_has(time: str, *, real: bool) -> None:
    """For the live table, and in an export."""
    faults = changed("closed", kind("acted"), lambda line: line.update(time=time))
    assert any(f"time: {time} is no time" in fault for fault in faults) != real
    table = new_table(MemoryJournal(), dice="given")
    if real:
        table.do(c.BuyIn(1, 1_000), by("ann", time=time))
    else:
        with pytest.raises(ArgumentError, match="RFC 3339"):
            table.do(c.BuyIn(1, 1_000), by("ann", time=time))


def test_nobody_has_a_name_that_cannot_be_shown() -> None:
    """One that clears a screen, say; nor does anybody say such a thing."""
    faults = changed("closed", kind("acted"), lambda line: line.update(actor="\x1b[2JAnn"))
    assert any("actor: '\\x1b[2JAnn' is no name" in fault for fault in faults), faults
    faults = changed("closed", kind("acted"), lambda line: line["body"]["command"].update(name="\x1b[2JAnn"))
    assert any("is not printable" in fault for fault in faults), faults


def told(*lines: dict[str, Any]) -> Report:
    """The report on these lines."""
    return verify([written(line) + b"\n" for line in lines])


def test_the_first_line_and_the_last_say_nothing_more() -> None:
    """A field more, or the same head twice."""
    head, *lines, last = LINES
    report = told({**head, "note": "x"}, *lines, {"heads": [last["heads"][0], *last["heads"]]})
    assert [fault.what for fault in report.faults] == [
        "note is nothing that the first line says",
        "the same head stands there twice",
    ]


def test_what_nobody_has_signed_is_told() -> None:
    """It holds, and proves less."""
    report = told(*only({"closed"}))
    assert report.holds
    assert report.open == ["closed: nothing of it is signed: whoever has it could have written it anew"]
    assert report.lines()[-1] == "Everything checks; no signature covers closed from entry 1 on."


def test_heads_that_were_taken_out_are_missed() -> None:
    """A table that names its signer has a head as soon as anybody has done anything there, and not before."""
    journal = MemoryJournal()
    new_table(journal, "t1")
    *lines, _ = lines_of(journal)
    assert verify([*lines, b'{"heads":[]}\n']).faults[0].what.startswith("it was opened to be signed with")
    kept = LiveTable.create(MemoryJournal(), "fresh", time=NOW, keys=KEYS)
    fresh = verify(line + b"\n" for line in exported(kept.journal, ["fresh"]))
    assert fresh.holds
    assert fresh.unsigned == {"fresh": 1}


@pytest.mark.parametrize("stream", ["people", "cage"])
def test_heads_of_the_houses_own_streams_are_missed(stream: str) -> None:
    """A pit lets both say who signs them, and signs them as it writes: without the export's own signature too."""
    journal = MemoryJournal()
    with_wallets(journal)
    with_people(journal)
    pit = Pit(journal, KEYS)
    pit.people.set_password("ann", "correct horse battery", By("ann", "player", NOW))
    Till(pit.journal, KEYS.sign).pay_in("ann", 10_000, Draft("cage_acted", {}, "bea", "supervisor", NOW, "late"))
    *lines, last = [line + b"\n" for line in exported(journal, [stream])]
    report = verify([*lines, last])
    assert report.holds, report.faults
    assert report.keys == [public(KEYS.sign)]
    assert journal.heads(stream)[-1].sequence == journal.ends()[stream]
    assert [fault.field for fault in verify([*lines, b'{"heads":[]}\n']).faults] == ["heads"]
    with pytest.raises(OtherKeysError, match="was opened to be signed with"):
        Pit(journal, new_keys())
    with pytest.raises(OtherKeysError, match="was opened to be signed with"):
        list(exported(journal, [stream], sign=new_keys().sign, time=NOW))


def test_chips_out_of_a_wallet_sign_the_cage() -> None:
    """In the minute in which they move, by the table that they go to."""
    journal = MemoryJournal()
    with_wallets(journal)
    assert [(head.key, head.time) for head in journal.heads("cage")] == [(public(KEYS.sign), NOW)]


def test_a_table_that_was_taken_out_whole_is_missed() -> None:
    """Where the people's stream is there, it tells of every table that somebody opened."""
    tables = {str(name) for name in LINES[0]["tables"]}
    report = told(*only(tables - {"heard", "hands"}))  # whose closings are bound to its signed opening
    assert report.missing == ["evening", "heard"]
    assert "; not in the export: evening, heard" in report.lines()[-1]
    assert report.lines()[-1].endswith("; no approval of the second person for entry 2 of floor.")
    assert told(*only(tables)).missing == ["evening"], "it was never dealt at"
