"""A table of cases as one test fails with every case that fails, and says which they were."""

from __future__ import annotations

import pytest

from tests import tables
from tests.tables import cases


@cases("number", [1, 2, 3, pytest.param(4, id="four")])
@cases("half, whole", [(1, 2), (2, 3)], ids=["right", "wrong"])
def halves(number: int, half: int, whole: int) -> None:
    """Not collected: asked below."""
    assert number % 2
    assert 2 * half == whole


def test_every_case_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "SAMPLE", [])
    with pytest.raises(ExceptionGroup, match="4 of 4 cases") as told:
        halves()
    inner = [each.exceptions for each in told.value.exceptions if isinstance(each, ExceptionGroup)]
    assert [each.__notes__ for each in told.value.exceptions] == [
        ["the case 1"],
        ["the case 2"],
        ["the case 3"],
        ["the case four"],
    ]
    assert [[case.__notes__ for case in each] for each in inner[:2]] == [
        [["the case wrong"]],
        [["the case right"], ["the case wrong"]],
    ]
    monkeypatch.setattr(tables, "SAMPLE", [1])
    halves()  # the first case of each table is right


def test_a_case_with_a_mark_has_a_test_of_its_own() -> None:
    with pytest.raises(AssertionError, match="a mark needs"):
        cases("number", [pytest.param(1, marks=pytest.mark.slow)])
