"""What happened at a table, read from the journal alone: entry by entry with the table on either side."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from passline.codec import decode_record, encode, encode_record
from passline.engine.table import TableState
from passline.errors import CodecError, JournalError
from passline.journal.contract import (
    SEQUENCE_MAX,
    Draft,
    Entry,
    Head,
    Journal,
    Snapshot,
    canonical,
    chained,
    house_file,
    moved,
    opening_of,
    read_entry,
)
from passline.live.state import Live, Moment, after, events_of, opened, settled_order

# What the crew books at somebody's seat, and what it says of it where no reason was given.
BOOKED = {
    "command.find_bet": "found on the layout",
    "command.late_bet": "said with the dice in the air",
    "command.take_tokens": "for a voucher",
}


def by_the_crew(entry: Entry) -> str:
    """Who of the crew put somebody's chips up, and why; nothing where the player did."""
    command = entry.body.get("command") or {}
    if entry.kind != "acted" or command.get("kind") not in BOOKED or entry.role == "player":
        return ""
    why = entry.body.get("reason") or BOOKED[command["kind"]]
    return f"{entry.actor} ({entry.role}) booked this for seat {command['seat']}: {why.rstrip('.')}."


def came_to_nothing(entry: Entry, before: Live, live: Live) -> tuple[str, str]:
    """Why there is no roll, in a word to all and in full; nothing where there is one."""
    if entry.kind != "roll_voided":
        return "", ""
    silent = [each["person"] for each in entry.body.get("silent", ())]
    seats = {person: before.seat_of(person) for person in silent}
    names = " and ".join(before.table.seats[seat].name if seat else person for person, seat in seats.items())
    if not silent:
        why = f"No roll: {entry.body['reason'].rstrip('.')}"
        return why, f"{why}."
    why = f"No roll: the part of {names} in the dice did not arrive"
    stay = "all other bets stay" if any(seat.felt for seat in live.table.seats.values()) else "no bet is left"
    return why, f"{why} in time. Bets of theirs were settled at what they are worth, and {stay}."


class History:
    """A table as its journal tells it, from an entry on; more can be asked for as it is written."""

    def __init__(self, journal: Journal, table: str, since: int = 0) -> None:
        """Go to just after the entry `since`, from the last snapshot before it or from the beginning."""
        self.journal, self.table = journal, table
        self.opening = opening_of(journal, table)
        self.house_file = house_file(journal, self.opening)
        self.sequence, self.live = 0, opened(self.opening)
        live, head = last_known(journal, self.opening, since)
        if head.sequence > 1:
            self.live, self.sequence = live, head.sequence
        for _ in self.more(upto=since):
            pass

    def more(self, upto: int | None = None) -> Iterator[Moment]:
        for line in self.journal.lines(self.table, self.sequence, upto):
            yield self.step(read_entry(line))

    def skip(self, moment: Moment) -> Moment:
        """Go on by the next entry, of which somebody knows what it did."""
        self.sequence, self.live = moment.entry.sequence, moment.after
        return moment

    def step(self, entry: Entry) -> Moment:
        before, events = self.live, events_of(entry)
        # The first entry is the table itself.
        self.live = before if entry.sequence == 1 else after(before, entry, events)
        self.sequence = entry.sequence
        return Moment(entry, before, events, self.live)


def state_line(table: TableState) -> str:
    """A table as a journal counts it: the order of its felt matters, that of its notice does not."""
    return encode(table._replace(notice=settled_order(table.notice)))


def digest(line: bytes | str) -> str:
    return sha256(line.encode() if isinstance(line, str) else line).hexdigest()


def counted(journal: Journal, entries: Sequence[Entry], live: Live, time: str) -> tuple[Entry, Snapshot]:
    """The entry after these that counts a table and its books, and vouches for the snapshot that is made."""
    last = entries[-1]
    accounts = journal.balances(last.table)
    for account, more in moved(entries).items():
        accounts[account] = accounts.get(account, 0) + more
    line = encode_record(live)
    held = {account: balance for account, balance in accounts.items() if balance}
    state, books = digest(state_line(live.table)), digest(canonical(held))
    body = {"state": state, "accounts": books, "snapshot": digest(line), "floor": digest(encode(live.floor))}
    draft = Draft("table_counted", body, "house", "house", time)
    entry = chained(draft, last.table, last.sequence + 1, last.hash, last.house)
    return entry, Snapshot(entry.sequence, line)


def last_known(journal: Journal, first: Entry, upto: int = SEQUENCE_MAX) -> tuple[Live, Head]:
    """Where to begin: at the last snapshot up to an entry that the journal vouches for, else at the first entry."""
    name = first.table
    snapshot = journal.snapshot(name, upto)
    if snapshot is not None:
        try:
            vouching = read_entry(next(iter(journal.lines(name, snapshot.sequence - 1, snapshot.sequence))))
            return restored(snapshot, vouching), Head(name, vouching.sequence, vouching.hash)
        except (CodecError, JournalError, StopIteration, LookupError, ValueError):
            pass  # a snapshot that nothing vouches for is no snapshot: the journal is played from its beginning
    return opened(first), Head(name, first.sequence, first.hash)


def restored(snapshot: Snapshot, entry: Entry) -> Live:
    """The live table of a snapshot, if the entry it names vouches for it."""
    if entry.kind != "table_counted" or entry.sequence != snapshot.sequence:
        raise JournalError(f"{entry.table}: entry {entry.sequence} does not vouch for a snapshot")
    if entry.body["snapshot"] != digest(snapshot.line):
        raise JournalError(f"{entry.table}: the snapshot is not the one entry {entry.sequence} was written with")
    return decode_record(Live, snapshot.line)
