"""`passline journal`: export, import, backup, restore, head, keys, rekey."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from passline.cli.command import JournalName, Printed, TableNames, command, group
from passline.cli.printing import counting, fail
from passline.errors import OlderError
from passline.files.needed import needed
from passline.files.whole import check_writable, whole_file, write_whole
from passline.journal.contract import Head, Journal, house_file, now, opening_of

JOURNAL = group(
    "journal",
    """Journals of live tables: export, copy, back up, sign.

Example: `passline journal export evening.db --to evening.jsonl`
""",
)
SEALED_ANEW = "Seeds to come are sealed with a new key, too."
SEALED_STILL = (
    "Tables go on, so seeds stay sealed as they were. Who has seen the old file and reads the journal knows their "
    "dice, and those of tables to come: close every table, then ask for this again."
)


def keys_path(option: str | None) -> Path:
    """Where the house's keys are: as given, as a variable says, or in the user's own settings."""
    from platformdirs import user_config_path

    from passline.pit.keys import are_open

    named = option or os.environ.get("PASSLINE_KEYS")
    path = Path(named) if named else user_config_path("passline") / "keys.json"
    if are_open(path):
        typer.echo(f"{path} can be read by others than its owner, who could know every roll; chmod 600 it", err=True)
    return path


@command("export", JOURNAL)
def export(
    journal: JournalName,
    *,
    to: Annotated[str, "A file: .jsonl, .craps or .parquet; - is standard output."] = "-",
    table: TableNames = None,
    keys: str | None = None,
) -> None:
    """Write a journal as text, or a table as a record. `passline verify` checks the text; Parquet too.

    Examples: `passline journal export evening.db --to evening.jsonl` ·
    `passline journal export evening.db --table evening-1 --to evening-1.craps`
    """
    from passline.journal.export import exported
    from passline.pit.keys import read_keys

    suffix = Path(to).suffix.lower()
    if to != "-":
        try:
            check_writable(to, (".jsonl", ".json", ".craps", ".parquet"))
        except (OSError, ValueError) as error:
            fail(f"--to: {error}")
    with opened(journal, read_only=True) as store:
        tables = table or store.tables()
        if suffix == ".craps":
            return _export_record(store, tables, Path(to))
        if suffix == ".parquet":
            return _export_parquet(store, tables, Path(to))
        path = keys_path(keys)
        named = keys or os.environ.get("PASSLINE_KEYS")
        signing = read_keys(path).sign if named or path.exists() else None
        lines = exported(store, tables, sign=signing, time=now())
        if to == "-":
            for line in lines:
                sys.stdout.buffer.write(line + b"\n")
            return None
        with whole_file(to) as part, part.open("wb") as file, counting("exporting") as tell:
            for line in lines:
                file.write(line + b"\n")
                tell(1)
        typer.echo(f"{to}: {', '.join(tables)}")
        return None


def _export_record(journal: Journal, tables: list[str], to: Path) -> None:
    """A record, and the house file beside it where the house does not come with the program."""
    from passline.journal.records import built_in_id, record_of

    if len(tables) != 1:
        fail(f"--table: a record is of one table; this journal has {', '.join(tables) or 'none'}")
    text = house_file(journal, opening_of(journal, tables[0]))
    beside = to.with_suffix(".toml")
    if built_in_id(text) is None and not (beside.exists() and beside.read_text(encoding="utf-8") == text):
        write_whole(beside, text, new=True)
    write_whole(to, record_of(journal, tables[0], beside.name))
    typer.echo(f"{to}: {tables[0]}")


def _export_parquet(journal: Journal, tables: list[str], to: Path) -> None:
    from passline.journal.records import write_parquet

    needed("polars", "--to: a .parquet file")
    with whole_file(to) as part:
        count = write_parquet(journal, tables, part)
    typer.echo(f"{to}: {count} events")


@command("import", JOURNAL)
def import_(file: Annotated[str, "An export (.jsonl), or - for standard input."], journal: JournalName) -> Printed:
    """Import an export into a journal. The journal must have none of its tables.

    Seeds that were not shown are in no export: an imported table can be checked and replayed but not continued.

    Example: `passline journal import evening.jsonl copy.db`
    """
    from passline.journal.export import imported

    try:
        source = sys.stdin.buffer if file == "-" else Path(file).open("rb")  # noqa: SIM115 - closed below
    except OSError as error:
        fail(f"{file}: {error.strerror or error}; give the path of an export, or - for standard input")
    with source, counting("importing") as tell:
        lines = (line.rstrip(b"\n") for line in source)
        if _is_file(journal) and not Path(journal).exists():
            with _whole(journal) as part, opened(part) as store:
                tables = imported(store, lines, tell)
                heads = {table: store.head(table) for table in tables}
        else:
            heads = _imported_beside(journal, lines, tell)
    return _done({table: head.sequence for table, head in heads.items() if head}, f"imported into {journal}")


def _imported_beside(journal: str, lines: Iterator[bytes], tell: Callable[[int], None]) -> dict[str, Head | None]:
    """Import into a journal that is there: first apart, so that an export with a fault leaves it as it was."""
    from tempfile import TemporaryDirectory

    from passline.journal.export import copied, imported

    with opened(journal) as store, TemporaryDirectory() as folder, opened(str(Path(folder, "part.db"))) as part:
        imported(part, lines, tell)
        return {table: store.head(table) for table in copied(part, store)}


@command("backup", JOURNAL)
def backup(journal: JournalName, to: Annotated[str, typer.Argument(help="A new file.")]) -> Printed:
    """Back up a whole journal to a new file. Encrypted seeds included; its tables may be in play.

    Example: `passline journal backup evening.db backup.db`
    """
    return _copy(journal, to)


@command("restore", JOURNAL)
def restore(backup: Annotated[str, "A backup."], journal: JournalName) -> Printed:
    """Restore a backup. It is read in full first; an existing journal is never overwritten.

    Dice not yet dealt may have been seen since the backup: tables go on with new secrets, and publish the old ones.

    Example: `passline journal restore backup.db evening.db`
    """
    return _copy(backup, journal, back=True)


def _copy(source: str, to: str, *, back: bool = False) -> Printed:
    """Copy and read back: what cannot be believed is not kept as if it could."""
    from passline.journal.export import checked, copied, restored

    with _to_read(source, back=back) as old:
        if _is_file(to) and Path(to).exists():
            fail(f"{to}: there is a file already; a copy goes where there is none")
        with _whole(to) as part, opened(part) as new, counting("copying") as tell:
            entries = {table: sum(1 for _ in checked(old, table)) for table in old.tables()}
            copied(old, new, tell)
            for table in new.tables():
                for _ in checked(new, table):
                    pass
            if back:
                restored(new)
    return _done(entries, f"{source} copied to {to}")


@command("head", JOURNAL)
def head(journal: JournalName, *, table: TableNames = None, keys: str | None = None) -> None:
    """Sign the latest entry of each table. Saved elsewhere, that shows later whether anything was cut off or rewritten.

    Example: `passline journal head evening.db >> heads.jsonl`
    """
    from passline.journal.heads import signed_for
    from passline.pit.keys import read_keys

    key = read_keys(keys_path(keys)).sign
    with opened(journal, read_only=True) as store:
        for name in table or store.tables():
            end = store.head(name)
            if end is None:
                fail(f"--table: there is no {name} in this journal; it has {', '.join(store.tables())}")
            typer.echo(json.dumps(signed_for(store, end, now(), key)._asdict(), sort_keys=True, separators=(",", ":")))


@command("keys", JOURNAL)
def keys(
    file: Annotated[str | None, "The file [default: PASSLINE_KEYS, or your own]."] = None, *, as_json: bool = False
) -> None:
    """Make the house's keys, or show the public one.

    Prints the public key, which `passline verify --key` asks for. The file is the secret: readable by the service
    alone.

    Example: `passline journal keys /etc/passline/keys.json`
    """
    from passline.journal.heads import public
    from passline.pit.keys import keys_at

    path = keys_path(file)
    there = path.exists()
    try:
        key = public(keys_at(path).sign)
    except OSError as error:
        fail(f"{path}: {error.strerror or error}; name a file in a folder that you may write to", 1)
    if as_json:
        typer.echo(json.dumps({"file": str(path), "key": key, "made": not there}))
        return
    if not there:
        typer.echo(f"{path} was not there: these are new keys", err=True)
    typer.echo(key)


@command("rekey", JOURNAL)
def rekey(journal: JournalName, *, keys: str | None = None) -> Printed:
    """Replace the house's signing key. Stop whatever serves the journal first.

    The old key signs over to the new one in the journal, so that `passline verify` follows the change; tables that are
    over keep their signatures. Keep the old file, which stays beside the new one: older backups need it. The key that
    encrypts the seeds changes only where every table is closed. Publish the new public key.

    Example: `passline journal rekey evening.db --keys /etc/passline/keys.json`
    """
    from passline.pit.keys import rekey as rekeyed

    path = keys_path(keys)
    if _is_file(journal) and not Path(journal).exists():
        fail(f"{journal}: there is no such journal, and none is made to be given other keys")
    with opened(journal) as store:
        try:
            done = rekeyed(store, path, now())
        except OSError as error:
            fail(f"{path}: {error.strerror or error}; its folder must be one that you may write to", 1)
    streams = ", ".join(done.streams) or "nothing is still written"
    where = f"{path} has the new keys, {done.previous} the old: backups of before, and other journals, need them."
    lines = [f"{done.key} signs in the place of {done.before}: {streams}"]
    lines += [SEALED_ANEW if done.resealed else SEALED_STILL, where]
    return Printed({**done._asdict(), "previous": str(done.previous)}, lines)


@contextmanager
def opened(name: str, *, read_only: bool = False) -> Iterator[Journal]:
    from passline.journal.sql import open_journal

    store = open_journal(name, read_only=read_only)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def _to_read(source: str, *, back: bool) -> Iterator[Journal]:
    """A journal to be copied; a backup of an earlier version is brought up to date apart, and stays as it was."""
    from tempfile import TemporaryDirectory

    with ExitStack() as held:
        try:
            store = held.enter_context(opened(source, read_only=True))
        except OlderError:
            if not back or not _is_file(source):
                raise
            copy = str(Path(held.enter_context(TemporaryDirectory()), "backup.db"))
            _copy_file(source, copy)
            store = held.enter_context(opened(copy))
        yield store


def _copy_file(source: str, to: str) -> None:
    import sqlite3

    address = f"{Path(source).absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as old, closing(sqlite3.connect(to)) as new:
        old.backup(new)


def _is_file(name: str) -> bool:
    from passline.journal.sql import ADDRESSES

    return not name.startswith(ADDRESSES)


@contextmanager
def _whole(name: str) -> Iterator[str]:
    """Where a new journal is written: under another name until all of it is there; what fails leaves nothing behind."""
    if not _is_file(name):
        yield name
        return
    part = Path(f"{name}.{os.getpid()}.part")  # a name of our own: two who write the same one leave each other's alone
    try:
        yield str(part)
        part.replace(name)
    finally:
        for end in ("", "-wal", "-shm", ".lock"):
            Path(f"{part}{end}").unlink(missing_ok=True)


def _done(entries: dict[str, int], sentence: str) -> Printed:
    listed = ", ".join(f"{table} ({count} entries)" for table, count in entries.items()) or "nothing"
    return Printed({"tables": entries}, [f"{sentence}: {listed}"])
