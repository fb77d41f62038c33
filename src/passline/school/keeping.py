"""A score sheet in a file of one's own: written whole, read carefully, and never written over when it is damaged."""

from __future__ import annotations

import json
from pathlib import Path

from passline.errors import ArgumentError, SheetError
from passline.files.reading import decoded, read_bytes
from passline.files.whole import write_whole
from passline.school.sheet import ScoreSheet, sheet_of

SHEET_BYTES_MAX = 2_000_000
"""No sheet is longer; a longer file is something else."""


def read_sheet(path: Path) -> ScoreSheet:
    """The sheet of a file; an empty one where there is no file yet."""
    if not path.exists():
        return ScoreSheet()
    try:
        return sheet_of(json.loads(decoded(read_bytes(path, SHEET_BYTES_MAX))))
    except OSError as error:
        raise SheetError(f"{path} cannot be read: {error.strerror or error}; --sheet names another file") from None
    except (ArgumentError, ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, ArgumentError) else "it is no JSON"
        raise SheetError(f"{path} is no score sheet, and is left as it is: {why}; --sheet names another file") from None


def write_sheet(path: Path, sheet: ScoreSheet) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(sheet.to_json(), indent=1) + "\n")
    except OSError as error:
        raise SheetError(f"{path} cannot be written: {error.strerror or error}; --sheet names another file") from None
