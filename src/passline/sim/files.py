"""Files that are written whole or not at all, and refused before the dice are thrown if they cannot be."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


def check_writable(path: Path | str, suffixes: Collection[str] = ()) -> Path:
    """The path, or an error that says why nothing could be written there."""
    path = Path(path)
    if suffixes and path.suffix.lower() not in suffixes:
        raise ValueError(f"{path}: the name must end in {' or '.join(sorted(suffixes))}")
    if path.is_dir():
        raise IsADirectoryError(f"{path}: is a folder, not a file")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise PermissionError(f"{path}: may not be written")
    return path


@contextmanager
def whole_file(path: Path | str) -> Iterator[Path]:
    """A file beside `path` to write to, moved into place once it is whole."""
    path = check_writable(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        # A temporary file is made for its owner alone; the finished one gets what any new file would.
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
