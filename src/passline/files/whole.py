"""Files that are written whole or not at all, and refused beforehand if they cannot be."""

import errno
import os
import shutil
import tempfile
from collections.abc import Collection, Generator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from passline.errors import ArgumentError, CannotBeSaved, short, short_repr
from passline.files.arguments import instance


def check_writable(path: Path | str, suffixes: Collection[str] = ()) -> Path:
    """The path, or an error that says why nothing could be written there."""
    path = Path(path)
    if suffixes and path.suffix.lower() not in suffixes:
        raise ArgumentError("path", short_repr(str(path)), f"a name, which must end in {' or '.join(sorted(suffixes))}")
    target = _target(path)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder, not a file", str(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {path.parent}", str(path))
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise PermissionError(errno.EACCES, "may not be written", str(path))
    if _is_plain(target):
        # Some folders say that they may be written and may not.
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    return path


@contextmanager
def whole_file(path: Path | str, *, new: bool = False) -> Generator[Path]:
    """A file to write to, put into place once it is whole; `new` raises FileExistsError rather than replace anything.

    A link is followed, and what is no plain file (a device, a pipe) is written into and never replaced.
    """
    path = check_writable(path)
    target = _target(path)
    if new and target.exists():
        raise FileExistsError(errno.EEXIST, "there is a file already", str(path))
    plain = _is_plain(target)
    folder = target.parent if plain else None
    handle, name = tempfile.mkstemp(dir=folder, prefix=f".{target.stem[:40]}-", suffix=path.suffix)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        with part.open("rb") as written:  # the disk holds the bytes before any name points at them
            os.fsync(written.fileno())
        if not plain:
            with part.open("rb") as written, target.open("wb") as device:
                shutil.copyfileobj(written, device)
            return
        part.chmod(_mode(target))
        if new:
            _link(part, target)
        else:
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def write_whole(path: Path | str, text: str, *, new: bool = False) -> None:
    """Write a text: a reader finds the old file or the new one, never half of either."""
    with whole_file(path, new=new) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def saving(path: object) -> Generator[None]:
    """Around whatever writes to a path that a caller handed in: what goes wrong comes out as an error of ours."""
    instance("path", path, (str, PathLike), "the path of a file")
    try:
        yield
    except OSError as error:
        raise CannotBeSaved(error.errno, error.strerror, short(str(error.filename or path))) from None


def _target(path: Path) -> Path:
    """Where a path leads; a link that leads round in a circle raises as any other path that cannot be opened."""
    try:
        return path.resolve()
    except (RuntimeError, ValueError) as error:  # ValueError: a path with a NUL in it
        code = errno.ELOOP if isinstance(error, RuntimeError) else errno.EINVAL
        raise OSError(code, str(error), str(path)) from None


def _is_plain(target: Path) -> bool:
    return target.is_file() or not target.exists()


def _link(part: Path, target: Path) -> None:
    """Give the file its name unless somebody else has just taken it."""
    try:
        os.link(part, target)
    except OSError:  # there is one already; or a disk without links can only look first
        if target.exists():
            raise FileExistsError(errno.EEXIST, "there is a file already", str(target)) from None
        part.replace(target)


def _mode(target: Path) -> int:
    """The rights of the file that is replaced, or those any new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
