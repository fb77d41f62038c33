"""A table of cases as one test: every case is looked at, and all that fail are told together, each by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import Any, TypeAlias

import pytest

Test: TypeAlias = "Callable[..., None]"
PARAM = type(pytest.param())

SAMPLE: list[int] = []
"""How many cases of a table are looked at, where `--sample` says so: `tests/conftest.py` writes it down."""


def cases(
    names: str, rows: Iterable[Any], ids: Callable[[Any], object] | Iterable[object] | None = None
) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize`, for long tables of quick cases: a test for each takes longer than the cases do."""
    fields = [name.strip() for name in names.split(",")]
    table = list(_named(rows, ids))

    def decorate(test: Test) -> Test:
        def every(**more: object) -> None:
            wrong: list[Exception] = []
            for name, row in table[:: max(1, len(table) // SAMPLE[0])] if SAMPLE else table:
                values = row if len(fields) > 1 or isinstance(row, PARAM) else (row,)
                case = dict(zip(fields, values.values if isinstance(values, PARAM) else values, strict=True))
                try:
                    test(**case, **more)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - whatever a case raises is told
                    raised = error if isinstance(error, Exception) else AssertionError(str(error))
                    raised.add_note(f"the case {name}")
                    wrong.append(raised)
            if wrong:
                raise ExceptionGroup(f"{len(wrong)} of {len(table)} cases", wrong)

        every.__name__, every.__doc__, every.__module__ = test.__name__, test.__doc__, test.__module__
        vars(every)["pytestmark"] = vars(test).get("pytestmark", [])  # of marks that stand beneath
        return every

    return decorate


def _named(rows: Iterable[Any], ids: Callable[[Any], object] | Iterable[object] | None) -> Iterator[tuple[object, Any]]:
    """Each row with its name."""
    for row, given in zip(rows, repeat(ids) if callable(ids) or ids is None else ids, strict=False):
        assert not (isinstance(row, PARAM) and row.marks), "a mark needs a test of its own: pytest.mark.parametrize"
        named = row.id if isinstance(row, PARAM) else None
        yield named or (given(row) if callable(given) else given) or row, row
