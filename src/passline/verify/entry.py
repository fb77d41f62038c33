"""One line of an export, read strictly: what is not written in the one canonical way is no line of ours."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple, NoReturn

from passline.errors import JournalError

TAG = b"passline/entry/1\n"


class Entry(NamedTuple):
    """An entry as the export has it; nothing in it is believed yet."""

    data: dict[str, Any]
    line: int
    """Where in the export it stands, from 1."""

    @property
    def table(self) -> str:
        return str(self.data["table"])

    @property
    def sequence(self) -> Any:  # noqa: ANN401 - a whole number, if nobody changed it
        return self.data.get("sequence")

    @property
    def kind(self) -> str:
        return str(self.data.get("kind"))

    @property
    def body(self) -> dict[str, Any]:
        body = self.data["body"]
        if not isinstance(body, dict):
            raise TypeError("the body is no object")
        return body


def canonical(data: object) -> bytes:
    """JSON in its one way: names in order, no spaces, UTF-8."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode()


def entry_hash(data: Mapping[str, Any]) -> str:
    """What an entry hashes to, by all it says but the hash itself."""
    return sha256(TAG + canonical({name: value for name, value in data.items() if name != "hash"})).hexdigest()


def read_line(raw: bytes) -> dict[str, Any]:
    """The object of a line; a `JournalError` says what keeps it from being one."""
    if not raw.endswith(b"\n"):
        raise JournalError("the line has no end: the file was cut off")
    try:
        data = json.loads(raw[:-1].decode(), parse_float=_no_float, parse_constant=_no_float)
        written = canonical(data) + b"\n"
    except JournalError:
        raise
    except json.JSONDecodeError as error:
        raise JournalError(f"no JSON: {error}") from None
    except UnicodeError as error:
        raise JournalError(f"no JSON: byte {getattr(error, 'start', 0) + 1} is no UTF-8 text") from None
    except (ValueError, RecursionError):  # Python reads no number of more than 4,300 digits, and nothing endlessly deep
        raise JournalError("no JSON of ours: a number in it is too long, or it is nested too deep") from None
    if not isinstance(data, dict):
        raise JournalError("no JSON object")
    if written != raw:
        raise JournalError("not written as canonical JSON")
    return data


def _no_float(text: str) -> NoReturn:
    raise JournalError(f"{text} is no whole number")
