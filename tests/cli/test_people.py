"""`passline people`: what the operator does about accounts while no server has the file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from passline.cli.app import app
from passline.journal.contract import now
from passline.journal.sqlite import SqliteJournal
from passline.pit.people.people import By, People

if TYPE_CHECKING:
    from pathlib import Path


def test_permissions_are_json_too() -> None:
    told = json.loads(CliRunner().invoke(app, ["permissions", "--json"]).stdout)
    assert told["keep_the_cage"]["approvers"]
    assert all(
        permission["says"] and permission["approvers"] == sorted(permission["approvers"])
        for permission in told.values()
    )


@pytest.mark.slow
def test_a_forgotten_password_is_set_again(tmp_path: Path) -> None:
    """The old one counts no more, nor does any token; nobody who is not there has one."""
    file = str(tmp_path / "pit.db")

    def people(*words: str, password: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["people", *words, "--journal", file], input=f"{password}\n")
        return result.exit_code, result.output

    assert people("add", "Ann", password="twelve red chips")[0] == 0
    journal = SqliteJournal(file)
    token = People(journal, now()).issue("ann", By("ann", "player", now()))
    journal.close()
    assert people("password", "ANN", password="thirteen red chips") == (
        0,
        "Ann has another password, and signs in again.\n",
    )
    assert people("password", "Bob", password="thirteen red chips")[0] == 1
    assert people("password", "Ann", password="short")[0] != 0
    journal = SqliteJournal(file)
    known = People(journal, now())
    assert known.bearer(token, now()) is None
    assert known.is_password("Ann", "twelve red chips") is None
    assert known.is_password("Ann", "thirteen red chips") is not None
    journal.close()
