"""`passline verify`, `witness`: a live table checked from its export alone; the heads that a house signs, kept."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from io import BufferedReader, BytesIO
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Annotated, TypeVar, cast

import typer

from passline.cli.command import TableNames, command
from passline.cli.journal import opened
from passline.cli.play import need_serve, reach
from passline.cli.printing import REFUSED, fail, printable, waiting
from passline.errors import JournalError, ServiceError
from passline.files.amounts import whole_number
from passline.journal.contract import now

Saved = TypeVar("Saved")

LINE_BYTES_MAX = 16 * 1024 * 1024  # the longest line of an export; a longer one is something else
FETCH_SECONDS = 60
# What a server must send after that long: one that sends a byte now and then would keep us for ever.
BYTES_A_SECOND_MIN = 1_000
BYTES_AT_ONCE = 1 << 16
SQLITE = b"SQLite format 3\0"  # how a journal's own file begins


@command("verify")
def verify(
    source: Annotated[str, "A journal (.db), an export, its address, or - for standard input.", "FILE|URL|-"],
    *,
    head: Annotated[list[Path] | None, "Signed heads you saved (one a line); repeatable."] = None,
    key: Annotated[
        list[str] | None,
        "The house's public key, or a file with one a line: every head must be signed with it.",
        "PUBLICKEY|FILE",
    ] = None,
    as_json: Annotated[bool, "The whole report as one JSON object."] = False,
) -> None:
    """Check a journal or its export: every hash, chip, roll and name in it.

    Exit code 0: everything checks; 1: something does not; 2: it cannot be read. A head saved by you, or by anyone but
    the house, also shows whether the end was cut off or the whole file rewritten. The house's public key (--key) shows
    whether someone else wrote it.

    Example: `passline verify evening.jsonl --head my-heads.jsonl --key house.key`, or `passline journal export t1.db |
    passline verify -`
    """
    from passline.verify.check import verify as check
    from passline.verify.heads import KEY, read_heads, read_keys

    saved = [each for path in head or () for each in _saved(path, read_heads, "heads")]
    keys = [
        each
        for named in key or ()
        for each in ([named] if KEY.fullmatch(named) else _saved(Path(named), read_keys, "public keys"))
    ]
    try:
        with closing(_opened(source)) as stream, waiting("bytes") as progress:
            slowest = BYTES_A_SECOND_MIN if _is_address(source) else 0
            size = Path(source).stat().st_size if Path(source).is_file() else 0
            report = check(_lines(stream, size, progress, slowest), saved, keys)
    except JournalError as error:
        fail(f"{source}: {error}")
    except OSError as error:
        fail(f"{source}: {error.strerror or error}; give the path or the address of an export, or - for standard input")
    if as_json:
        typer.echo(json.dumps({"source": source, **report.to_json()}))
    else:
        typer.echo(printable("\n".join(report.lines())))
    if not report.holds:
        raise typer.Exit(REFUSED)


def _saved(path: Path, read: Callable[[str], list[Saved]], what: str) -> list[Saved]:
    try:
        return read(path.read_text(encoding="utf-8"))
    except JournalError as error:
        fail(f"{path}: {error}")
    except UnicodeDecodeError as error:
        fail(f"{path}: byte {error.start} is not UTF-8 text; {what} are kept as text, one a line")
    except OSError as error:
        fail(f"{path}: {error.strerror or error}; give the path of a file of {what}")


def _opened(source: str) -> IO[bytes]:
    from passline.journal.export import exported

    if source == "-":
        return sys.stdin.buffer
    if _is_address(source):
        return _fetched(source)
    file = Path(source).open("rb")  # noqa: SIM115 - the caller closes it
    if file.peek(len(SQLITE))[: len(SQLITE)] != SQLITE:
        return file
    with file, opened(source, read_only=True) as store:  # a journal as it lies there, every table of it
        lines = exported(store, store.tables(), sign=None, time=now())  # who checks signs nothing
        return BytesIO(b"".join(line + b"\n" for line in lines))


def _is_address(source: str) -> bool:
    return source.startswith(("http://", "https://"))


def _fetched(address: str) -> IO[bytes]:
    from urllib.error import HTTPError, URLError
    from urllib.request import urlopen

    try:
        return cast("IO[bytes]", urlopen(address, timeout=FETCH_SECONDS))  # noqa: S310 - http and https only
    except HTTPError as error:
        error.close()
        raise OSError(f"the server says {error.code}, {' '.join(str(error.reason).split())}") from None
    except URLError as error:
        raise OSError(f"nobody answers there ({getattr(error.reason, 'strerror', None) or error.reason})") from None


def _lines(stream: IO[bytes], size: int, progress: Callable[[int, int], None] | None, slowest: int) -> Iterator[bytes]:
    """The lines of an export, told as they are read; `slowest` is how many bytes a second must come."""
    done, rest, begun = 0, b"", monotonic()
    while block := cast("BufferedReader", stream).read1(BYTES_AT_ONCE):
        done += len(block)
        took = monotonic() - begun
        if took > FETCH_SECONDS and done < took * slowest:
            raise OSError(f"the server sends less than {slowest:,} bytes a second")
        *lines, rest = (rest + block).split(b"\n")
        if max(len(rest), *map(len, lines), 0) >= LINE_BYTES_MAX:
            raise JournalError(f"a line is longer than {LINE_BYTES_MAX:,} bytes: this is no export")
        if progress:
            progress(done, max(size, done))
        yield from (line + b"\n" for line in lines)
    if rest:
        yield rest


@command("witness")
def witness(
    server: Annotated[str, "Where the house's tables are.", "URL"],
    *,
    table: TableNames = None,
    to: Annotated[Path, "Where to save heads.", "FILE"] = Path("heads.jsonl"),
    token: str = "",
    every: Annotated[int, "Seconds between checks.", "SECONDS"] = 30,
    once: Annotated[bool, "Check once and exit."] = False,
) -> None:
    """Save the heads that a house signs, and check later ones against them.

    Run it on a computer that is not the house's. It plays nothing and keeps only signed heads, one a line, as
    `passline verify --head` reads them. It goes on until Ctrl-C, also while the server is away. Exit code 1: the house
    contradicts what it signed.

    Example: `passline witness http://127.0.0.1:8000 --to heads.jsonl`
    """
    need_serve("witness")
    reach(server, "URL")
    from passline.client import Client
    from passline.client.witness import Heads, Witness

    whole_number("every", every)
    with Client(server, token, hand=False) as client:
        heads, witnesses = Heads(to), dict[str, Witness]()
        with suppress(KeyboardInterrupt):
            while True:
                try:
                    if not client.token and client.lobby():
                        client.token = client.post("/guests", {"name": "Witness"})["token"]
                    # A table that is closed leaves the lobby, and its last heads are looked at all the same.
                    for name in table or {each["table"]: None for each in client.lobby()} | dict.fromkeys(witnesses):
                        witness = witnesses.setdefault(name, Witness(client, name, heads))
                        list(witness.look())
                        if witness.wrong:
                            typer.echo(printable("\n".join(witness.wrong)))
                            raise typer.Exit(REFUSED)
                except ServiceError as error:
                    if error.code == "token.wrong" and not token:  # a guest's counts for some days only
                        client.token = ""
                    elif once or error.status:
                        raise
                    typer.echo(printable(f"{error.detail}. It is asked again."), err=True)
                if once:
                    break
                sleep(every)
    if not witnesses:
        typer.echo("No head was saved: no table here is open to everybody. Name one with --table, and give --token.")
        return
    count = sum(len(heads.of(name)) for name in witnesses)
    typer.echo(f"{count} heads of {len(witnesses)} tables kept in {to}; nothing contradicts them.")
    keys = sorted({each.signer for each in witnesses.values() if each.signer})
    typer.echo(f"Signed with {', '.join(keys)}: taken as the house's where it was first seen. Ask the house.")
