"""`passline devices`: what each backend does here, without waiting for one that is not here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

import passline
from passline.cli import asking
from passline.cli.app import app

if TYPE_CHECKING:
    from typing import Any


def test_no_processor_rolls_what_was_meant_for_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four hundred million sessions are a second of a GPU, and minutes of the processor in its place."""
    rolled: list[tuple[str, int]] = []
    simulate = type(passline.ask("pass_flat")).simulate

    def noted(self: Any, **asked: Any) -> Any:  # noqa: ANN401
        rolled.append((asked["backend"], asked["sessions"]))
        return simulate(self, **asked)

    monkeypatch.setattr(type(passline.ask("pass_flat")), "simulate", noted)
    monkeypatch.setattr(asking, "SESSIONS", {"engine": 2, "numpy": 3, "numba": 4, "gpu": 5})
    told = json.loads(CliRunner().invoke(app, ["devices", "--strategy", "pass_flat", "--json"]).stdout)
    assert ("numpy", 3) in rolled
    there = told["backends"]["gpu"]["why_not"] is None
    assert (("gpu", 5) in rolled) is there
