"""A disk that remembers what was done to it, and can lose all that was never synced.

SQLite writes through it to real files, and every write, sync, truncation and removal is kept in order. What a power
cut would have left at any moment is worked out from that: what was synced is there; of what was not, each sector of
each write is there or not, whatever came before or after it, or is rubbish.
"""

from __future__ import annotations

import errno
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import apsw

from passline.journal.sqlite import PythonDriver

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Sequence

SECTOR = 512
"""What a disk writes whole; a longer write can be torn between any two."""

Kind = Literal["open", "read", "write", "sync", "truncate", "delete", "acknowledged"]
Fault = Literal["EIO", "ENOSPC", "fsync"]


class Done(NamedTuple):
    """One thing that was done to a file; `acknowledged` is what somebody was told meanwhile."""

    kind: Kind
    name: str
    offset: int = 0
    data: bytes = b""
    what: object = None


@dataclass(slots=True)
class Failing:
    """Which of the disk's acts fails: the n-th that this fault can happen to, once or from then on."""

    fault: Fault
    nth: int
    for_ever: bool
    seen: int = 0
    failed: int = 0
    kind: Kind | None = None
    """What failed first."""
    after: list[Done] = field(default_factory=list)
    """What was done to the disk after the first failure."""

    def strikes(self, kind: Kind) -> bool:
        """Whether the disk fails now."""
        if kind not in STRUCK[self.fault]:
            return False
        self.seen += 1
        if self.seen == self.nth or (self.for_ever and self.seen > self.nth):
            self.failed += 1
            self.kind = self.kind or kind
            return True
        return False


STRUCK: dict[Fault, tuple[Kind, ...]] = {
    "EIO": ("open", "read", "write", "sync", "truncate", "delete"),
    "ENOSPC": ("write",),
    "fsync": ("sync",),
}


class Disk(apsw.VFS):
    """The file system SQLite is given, under a name of its own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.log: list[Done] = []
        self.failing: Failing | None = None
        super().__init__(name, base="")

    def did(self, done: Done) -> None:
        """Fail, or note what is done."""
        failing = self.failing
        if failing is not None:
            if failing.strikes(done.kind):
                raise _error(failing.fault, done.kind)
            if failing.failed and done.kind in ("write", "sync"):
                failing.after.append(done)
        if done.kind != "read":
            self.log.append(done)

    def holds(self, name: str, data: bytes) -> None:
        """A file that was there, and durable, before anything was done."""
        self.log += [Done("write", name, 0, data), Done("sync", name, what="folder")]

    def acknowledged(self, what: object) -> None:
        """Somebody was told: from here on it must not be lost."""
        self.log.append(Done("acknowledged", "", what=what))

    def xOpen(self, name: Any, flags: Any) -> _File:  # noqa: ANN401, N802 - as apsw has it
        """Open a file through to the real one."""
        return _File(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: FBT001, N802 - as apsw has it
        """Remove a file."""
        self.did(Done("delete", Path(filename).name))
        super().xDelete(filename, syncdir)


class _File(apsw.VFSFile):
    """A file that tells the disk what is done to it."""

    def __init__(self, disk: Disk, name: Any, flags: Any) -> None:  # noqa: ANN401 - as apsw has it
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self.disk, self.name = disk, Path(path).name if path else ""
        self.disk.did(Done("open", self.name))
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - as apsw has it
        """Read."""
        self.disk.did(Done("read", self.name, offset))
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - as apsw has it
        """Write."""
        self.disk.did(Done("write", self.name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - as apsw has it
        """Make what was written durable."""
        self.disk.did(Done("sync", self.name))
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - as apsw has it
        """Cut the file off."""
        self.disk.did(Done("truncate", self.name, newsize))
        super().xTruncate(newsize)


def _error(fault: Fault, kind: Kind) -> apsw.Error:
    """What SQLite's own file system would say."""
    if fault == "ENOSPC":
        return _coded(apsw.FullError("database or disk is full"), apsw.SQLITE_FULL, apsw.SQLITE_FULL)
    error = apsw.IOError(f"disk I/O error, as if errno {errno.EIO} in {kind}")
    codes = {
        "read": apsw.SQLITE_IOERR_READ,
        "write": apsw.SQLITE_IOERR_WRITE,
        "sync": apsw.SQLITE_IOERR_FSYNC,
        "truncate": apsw.SQLITE_IOERR_TRUNCATE,
        "delete": apsw.SQLITE_IOERR_DELETE,
    }
    return _coded(error, apsw.SQLITE_IOERR, codes.get(kind, apsw.SQLITE_IOERR))


def _coded(error: apsw.Error, code: int, extended: int) -> apsw.Error:
    """An error as SQLite itself raises it, with its codes, of which apsw's types know nothing."""
    vars(error).update(result=code, extendedresult=extended)
    return error


class DiskDriver(PythonDriver):
    """A connection to SQLite over such a disk; `lax` claims FULL and waits for the disk at checkpoints only."""

    version: tuple[int, int, int] = (3, 51, 2)
    errors: type[Exception] = apsw.Error
    connection: apsw.Connection  # type: ignore[assignment]

    def __init__(self, disk: Disk, path: Path, *, lax: bool = False) -> None:
        self.lax = lax
        self.connection = apsw.Connection(str(path), vfs=disk.name, statementcachesize=256)

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Do one statement."""
        if self.lax and sql.startswith("PRAGMA synchronous"):
            self.connection.execute("PRAGMA synchronous = NORMAL")
            return [(2,)]
        return self.connection.execute(sql, values).fetchall()

    def do(self, sql: str, values: Sequence[object] = ()) -> int:
        """Do one statement; how many rows it changed."""
        before = self.connection.total_changes()
        self.connection.execute(sql, values)
        return self.connection.total_changes() - before

    def code(self, error: Exception) -> int:
        """SQLite's code."""
        return int(getattr(error, "result", 1))

    def close(self) -> None:
        """Let go of the file; what fails in the last checkpoint is no matter, as for Python's own driver."""
        with suppress(apsw.Error):
            self.connection.close()


# --- What a power cut leaves ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Kept:
    """A file as it is on the platter, and what has been asked of it since it was last synced."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[Done] = field(default_factory=list)

    def sync(self) -> None:
        for done in self.pending:
            _apply(self.durable, done.offset, done.data if done.kind == "write" else None)
        self.pending.clear()


def _apply(image: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del image[offset:]
        return
    if len(image) < offset:
        image.extend(bytes(offset - len(image)))
    image[offset : offset + len(data)] = data


class Platter:
    """Every file as far as it is durable, names included: a name is in its folder for good when that was synced."""

    def __init__(self) -> None:
        self.files: dict[str, _Kept] = {}
        self.told: list[object] = []
        self._named: set[str] = set()
        self._gone: dict[str, _Kept] = {}
        self._begun: set[str] = set()

    def do(self, done: Done) -> None:
        """One more act of the log."""
        name = done.name
        match done.kind:
            case "acknowledged":
                self.told.append(done.what)
            case "open":
                self._begun.add(name)
            case "sync":
                self.files.setdefault(name, _Kept()).sync()
                # SQLite syncs the folder with the first sync of these.
                if done.what == "folder" or (name in self._begun and name.endswith(("-wal", "-journal"))):
                    self._named = set(self.files)
                    self._gone.clear()
                    self._begun.discard(name)
            case "delete":
                kept = self.files.pop(name, None)
                if kept is not None and name in self._named:
                    self._gone[name] = kept
            case _:
                self.files.setdefault(name, _Kept()).pending.append(done)

    def cut(self, folder: Path, rng: random.Random) -> None:
        """Write what a power cut leaves into a fresh folder."""
        there = {**self._gone, **self.files} if rng.random() < 0.5 else self.files
        for name, kept in there.items():
            if name in self._named or rng.random() < 0.5:
                (folder / name).write_bytes(left_behind(kept, rng))


def power_cuts(log: Sequence[Done], points: Iterable[int]) -> Iterator[Platter]:
    """The disk at each of these moments, which are counted in acts of the log."""
    platter, at = Platter(), 0
    for point in sorted(points):
        for done in log[at:point]:
            platter.do(done)
        at = point
        yield platter


def left_behind(kept: _Kept, rng: random.Random) -> bytes:
    """What one cut leaves of a file: unsynced writes dropped, torn, done out of order, or turned to rubbish."""
    image = bytearray(kept.durable)
    pending = list(kept.pending)
    mood = rng.choice(("nothing", "some", "some", "reordered", "most"))
    if mood == "nothing":
        return bytes(image)
    if mood == "reordered":
        rng.shuffle(pending)
    keeps = {"some": 0.5, "reordered": 0.7, "most": 0.95}[mood]
    for done in pending:
        if rng.random() > keeps:
            continue
        if done.kind == "truncate":
            _apply(image, done.offset, None)
            continue
        for start in range(0, len(done.data), SECTOR):
            sector = done.data[start : start + SECTOR]
            fate = rng.random()
            if fate < 0.02:
                _apply(image, done.offset + start, rng.randbytes(len(sector)))
            elif fate < 0.9:
                _apply(image, done.offset + start, sector)
    return bytes(image)
