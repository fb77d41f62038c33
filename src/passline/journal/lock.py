"""One writer at a file: a lock that goes with the process that holds it, however that ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from passline.errors import BusyError, JournalError


class WriterLock:
    """Held beside a file, never on it: SQLite's own locks on the file would be lost with ours."""

    def __init__(self, path: Path, *, shared: bool) -> None:
        try:
            self._handle = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError:
            raise JournalError(f"{path}: there is no folder {path.parent}; make it, or name another") from None
        except OSError as error:
            why = error.strerror or error
            raise JournalError(f"{path} cannot be written to, for nothing can beside it: {why}") from None
        try:
            _lock(self._handle, shared=shared)
        except OSError:
            os.close(self._handle)
            raise BusyError(
                f"{path} is open for writing elsewhere, and one process writes to a journal in SQLite. "
                "Close that one, or keep the journal in PostgreSQL."
            ) from None

    def release(self) -> None:
        os.close(self._handle)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int, *, shared: bool) -> None:  # noqa: ARG001 - there are no shared ones here
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int, *, shared: bool) -> None:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
