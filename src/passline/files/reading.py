"""Files read no further than they can be ours: a device may have no end, and a pipe nobody at its other end."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

CHUNK_BYTES = 1 << 20  # how much is asked for at once


def read_bytes(path: Path, most: int) -> bytes:
    """A file's bytes; an OSError if there are more than `most`, known before they are read where a file has a size.

    A pipe that nobody writes to is empty: nothing is waited for.
    """
    try:
        opened = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:  # a path with a NUL in it
        raise OSError(errno.EINVAL, str(error), str(path)) from None
    status = os.fstat(opened)
    if stat.S_ISDIR(status.st_mode):
        os.close(opened)
        raise IsADirectoryError(errno.EISDIR, "A directory", str(path))
    with open(opened, "rb", buffering=0) as file:  # noqa: PTH123 - it is open already
        if status.st_size > most:
            raise OSError(errno.EFBIG, too_long(most), str(path))
        os.set_blocking(opened, True)
        return read_stream(file.read, most, str(path))


def is_file(path: Path) -> bool:
    """Whether there is a plain file; a name that is too long for any file is nobody's."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def read_stream(read: Callable[[int], bytes | None], most: int, name: str) -> bytes:
    """Everything that a stream gives, or an OSError once it gives more than `most`."""
    parts, total = [], 0
    while part := read(min(CHUNK_BYTES, most + 1 - total)):
        parts.append(part)
        total += len(part)
        if total > most:
            raise OSError(errno.EFBIG, too_long(most), name)
    return b"".join(parts)


def too_long(most: int) -> str:
    return f"more than {most} bytes"


def decoded(source: bytes) -> str:
    """UTF-8 text, with or without the mark that some editors put in front."""
    return unmarked(source.decode("utf-8"))


def unmarked(text: str) -> str:
    """The text behind that mark."""
    return text.removeprefix("\ufeff")
