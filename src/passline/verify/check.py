"""All checks of an export, table by table and entry by entry: it is read once and never held whole."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from passline.errors import JournalError, PasslineError
from passline.floor.clock import gaming_day, is_time
from passline.live.people import Hosted
from passline.verify.books import Cage, Carried, stored
from passline.verify.chain import CAGE, HOUSE_FLOOR, PEOPLE, Chain, Entry, canonical, entry_hash, read_line
from passline.verify.dice import VOIDS_IN, VOIDS_MAX, Chains, moment
from passline.verify.game import Books, Game
from passline.verify.heads import Signers, check_head, check_receipt, is_signed
from passline.verify.people import Crew, People, compare
from passline.verify.report import FAULTS_MAX, Fault, Report, Return, Void, minutes
from passline.verify.seeds import Seeds

FORMATS = ("passline/journal/1", "passline/journal/2")
MINUTE = len("2026-11-15T20:00")  # the part of a time that names its minute
SPEAKS = {"wallet": CAGE, "roster": PEOPLE}  # what an entry names that another stream tells of


class Stream:
    def __init__(self, name: str, report: Report, cage: Cage, houses: Mapping[str, str]) -> None:
        counts = report.counts
        self.name, self.is_balanced, self.has_acted = name, False, False
        self.signed = 0  # the last entry that a head vouches for
        self.restored: dict[int, str] = {}  # by entry that says that a backup was put back: when
        # By minute: the first entry of somebody's in it; a table that has a signer signs in each.
        self.minutes: dict[str, int] = {}
        self.chain, self.game = Chain(counts, houses), Game(counts, houses)

        def void(sequence: int, dice: list[int] | None) -> None:
            report.voids.append(Void(name, sequence, dice, *self.game.priced(sequence, dice)))

        self._seeds, self.dice = Seeds(report, name, self.game, void), Chains(report, void)
        self.books = Books(counts, self.game)
        self.accounts = cage.accounts if name == CAGE else self.books.accounts
        self.crew, self.people = Crew(counts), People(counts)
        own: dict[str, tuple[Any, ...]] = {CAGE: (cage, self.crew), PEOPLE: (self.people,)}
        table = (self.game, self.books, self._seeds, self.dice, self.crew)
        self.speaks_of: set[str] = set()  # the streams of the house that its entries go by
        self._checks: list[Any] = [self.chain, *own.get(name, table)]

    def see(self, entry: Entry) -> Iterator[Fault]:
        """Show an entry to every check; one that cannot make sense of it is not asked again."""
        body = entry.data.get("body")
        if entry.kind == "table_restored":
            self.restored[self.chain.last + 1] = str(entry.data.get("time"))
        self.speaks_of |= {stream for field, stream in SPEAKS.items() if isinstance(body, dict) and field in body}
        for check in tuple(self._checks):
            try:
                for complaint in check.see(entry):
                    yield self._fault(entry, *complaint)
            except Exception as error:  # noqa: BLE001 - whatever a forged entry breaks is a fault of the entry
                gone = (self.game, self.books, self._seeds) if check is self.game else (check,)  # these go by the game
                self._checks = [each for each in self._checks if each not in gone]
                why = error if isinstance(error, PasslineError) else f"its body is none of {entry.kind}"
                name = type(check).__name__.lower()
                yield self._fault(entry, "body", f"the {name} cannot be followed from here on: {why}")

    def _fault(self, entry: Entry, field: str, what: str, earlier: int | None = None) -> Fault:
        """A fault of this entry, or of an earlier one: entries of a table stand together, a line each."""
        sequence = entry.sequence if type(entry.sequence) is int else None
        back = 0 if earlier is None or sequence is None else sequence - earlier
        return Fault(self.name, None if sequence is None else sequence - back, field, what, entry.line - back)

    def finish(self) -> Iterator[str]:
        self._seeds.finish()
        self.dice.finish()
        yield from (f"{self.name}: {at.open}" for at in (self.game, self._seeds, self.dice, self.books) if at.open)


class Verifier:
    def __init__(self, report: Report, keys: Collection[str] = ()) -> None:
        """Before the first line; `keys` are those that the house is known by, if it is."""
        self._report, self._known = report, keys
        self.strange = 0  # how many lines are no part of an export at all
        self._dealt: dict[str, str] = {}  # by the name that the dice know it under: the table
        self._signers = Signers(report.open)
        self._cage = Cage(report.counts)
        self._streams: dict[str, Stream] = {}
        self._balances_begun = False
        self._current = ""
        self._houses: dict[str, str] = {}  # by digest: the house files that stand before the entries
        self._played_by: set[str] = set()
        self._named: list[object] = []
        self._undone: set[tuple[str, str]] = set()  # table and hash of what was signed, and is gone with a backup
        self._rolls_undone: dict[tuple[str, str], Counter[int]] = {}  # by table and person: of each restore
        self._hands: dict[tuple[str, str, int], list[Mapping[str, Any]]] = {}  # those that somebody kept, by number
        self._ended = 0  # the line of the heads, after which nothing follows

    @property
    def chains(self) -> dict[str, Chain]:
        return {name: stream.chain for name, stream in self._streams.items()}

    def see(self, raw: bytes, line: int) -> Iterator[Fault]:
        try:
            data = read_line(raw)
        except JournalError as error:
            if line == 1 and raw.startswith(b"passline "):
                raise JournalError("this is a record, which `passline replay` plays again, and no journal") from None
            if line == 1:
                raise JournalError(f"this is no export of a journal: {error}") from None
            self.strange += 1
            yield Fault(self._current, None, "line", str(error), line)
            return
        if line == 1:
            yield from self._first(data)
        elif self._ended:
            yield Fault("", None, "line", f"nothing follows the heads, and they are in line {self._ended}", line)
        elif isinstance(data.get("table"), str):
            yield from self._entry(Entry(data, line))
        else:
            yield from self._other(data, line)

    def _first(self, data: Mapping[str, Any]) -> Iterator[Fault]:
        if data.get("export") not in FORMATS or not isinstance(data.get("tables"), list):
            due = f'{{"export":"{FORMATS[-1]}",…}}'
            raise JournalError(f"this is no export of a journal: its first line is not {due}")
        self._named = data["tables"]
        if extra := sorted(data.keys() - {"export", "tables"}):
            yield Fault("", None, "line", f"{', '.join(extra)} is nothing that the first line says", 1)

    def _other(self, data: Mapping[str, Any], line: int) -> Iterator[Fault]:
        match list(data):
            case ["house"]:
                yield from self._house(data["house"], line)
            case ["balances"]:
                yield from self._balances(data["balances"], line)
            case ["heads"]:
                self._ended = line
                yield from self._heads(data["heads"])
            case _:
                self.strange += 1
                yield Fault(self._current, None, "line", "no entry, house file, balances or heads", line)

    def _house(self, house: Any, line: int) -> Iterator[Fault]:  # noqa: ANN401 - whatever stands there
        """A house file that tables further down are played by."""
        digest, text = (house.get("digest"), house.get("text")) if isinstance(house, dict) else (None, None)
        if self._streams:
            yield Fault("", None, "house", "a house file stands before all entries", line)
        if not isinstance(text, str) or not isinstance(digest, str) or len(house) != 2 or digest in self._houses:
            yield Fault("", None, "house", "no house file with its digest, or the same a second time", line)
        elif sha256(text.encode(errors="surrogatepass")).hexdigest() != digest:
            yield Fault("", None, "house", f"it is not the house file {digest}: it, or its digest, was changed", line)
        else:
            self._houses[digest] = text

    def _entry(self, entry: Entry) -> Iterator[Fault]:
        if entry.table != self._current and (entry.table in self._streams or self._balances_begun):
            yield Fault(entry.table, None, "table", f"its entry stands among those of {self._current}", entry.line)
        self._current = entry.table
        if entry.table not in self._streams:
            self._played_by.add(str(entry.data.get("house")))
            self._streams[entry.table] = Stream(entry.table, self._report, self._cage, self._houses)
        table = self._streams[entry.table]
        yield from table.see(entry)
        if entry.data.get("role") != "house":  # a table signs its head with the first such entry
            table.has_acted = True
            table.minutes.setdefault(str(entry.data.get("time"))[:MINUTE], table.chain.last)
        yield from self._signers.see(entry, table.chain.last)
        body = entry.data.get("body") if entry.kind == "table_opened" else None
        stream = body.get("stream") if isinstance(body, dict) else None
        if isinstance(stream, str) and self._dealt.setdefault(stream, entry.table) != entry.table:
            no = f"{self._dealt[stream]} has the same: two tables would have the same dice"
            yield Fault(entry.table, 1, "body.stream", no, entry.line)

    def _balances(self, data: Any, line: int) -> Iterator[Fault]:  # noqa: ANN401 - whatever stands there
        table = data.get("table") if isinstance(data, dict) else None
        stream = self._streams.get(table) if isinstance(table, str) else None
        if stream is None or stream.is_balanced or data.keys() != {"accounts", "sequence", "table"}:
            yield Fault(str(table), None, "balances", "they are of no table here, or the second of it", line)
            return
        stream.is_balanced = self._balances_begun = True
        last, says = stream.chain.last, data["sequence"]
        if type(says) is not int or says != last:
            yield Fault(stream.name, last, "balances.sequence", f"they are as of {says}, not of {last}", line)
        for field, what in stored(stream.accounts, data["accounts"], self._report.counts):
            yield Fault(stream.name, last, f"balances.{field}", what, line)

    def _heads(self, heads: Any) -> Iterator[Fault]:  # noqa: ANN401 - whatever stands there
        if not isinstance(heads, list) or not all(isinstance(head, dict) for head in heads):
            yield Fault("", None, "heads", "they are no list of heads", self._ended)
            return
        seen: set[bytes] = set()
        self._signers.vouch(heads, self._known, self.chains)
        for head in heads:
            if (line := canonical(head)) in seen:
                yield Fault(str(head.get("table")), None, "heads", "the same head stands there twice", self._ended)
            seen.add(line)
            yield from (fault._replace(line=self._ended) for fault in self.head(head))
            self._report.counts["heads"] += 1
        signers = self._report.keys = sorted({str(head.get("key")) for head in heads})
        if len(self._signers.strangers(signers)) > 1 and not self._known:
            no = f"they are signed with {len(signers)} keys, {', '.join(signers)}: --key says which are the house's"
            yield Fault("", None, "heads", no, self._ended)

    def head(self, head: Mapping[str, Any]) -> list[Fault]:
        known = self._signers.trusted(str(head.get("table")), self._known)
        faults = list(check_head(head, self.chains, known, self._signers.of(head)))
        fields = [fault.field for fault in faults]
        if "time" in head and fields[-1:] in (["hash"], ["sequence"]) and (at := self._restore(head)):
            table = str(head["table"])
            former = head["key"] in self._signers.named.get(table, {}).values() and is_signed(head)
            if (len(fields) == 1 or former) and _is_after(str(head["time"]), self._streams[table].restored[at]):
                return [*faults[:-1], _two(head, f"after the last backup was put back, in entry {at}")]
            if len(fields) == 1:
                self._report.counts["undone_heads"] += 1
                self._undone.add((str(head["table"]), str(head["hash"])))
                return [_gone(head, "signed", at)]
        if not faults:
            stream = self._streams[str(head["table"])]
            stream.signed = max(stream.signed, head["sequence"])
            stream.minutes.pop(str(head["time"])[:MINUTE], None)
        return faults

    def _restore(self, data: Mapping[str, Any]) -> int:
        """The backup with which something that the house said of an entry may have gone; 0 where there is none."""
        stream, at = self._streams.get(str(data.get("table"))), data.get("sequence")
        if stream is None or type(at) is not int:
            return 0
        return max((each for each in stream.restored if each <= at), default=0)

    def receipt(self, receipt: Mapping[str, Any]) -> Iterator[Fault]:
        """An answer that somebody kept; a closing that was signed, and is gone with a backup, is a roll undone."""
        faults = list(check_receipt(receipt, self.chains))
        table, kind, at = str(receipt.get("table")), receipt.get("kind"), self._restore(receipt)
        is_gone = at and (table, receipt.get("hash")) in self._undone
        if kind == "bets_closed" and is_gone and self._forks(receipt, at):
            yield _two(receipt, f"on top of what stands here since a backup was put back, in entry {at}")
        elif kind == "bets_closed" and is_gone:
            self._report.counts["undone_rolls"] += 1
            yield _gone(receipt, "announced a roll with", at)
            yield from self._undid(table, at, {str(each["person"]) for each in receipt["body"]["hands"]})
        elif kind == "hand_on" and at and faults and entry_hash(receipt) == receipt.get("hash"):
            yield _gone(receipt, "answered with", at)
        else:
            yield from faults

    def keep(self, hand: Mapping[str, Any]) -> None:
        """A hand that somebody gave, as the house answered it: a closing that lists it is held against it."""
        body = hand["body"]
        self._hands.setdefault((str(hand["table"]), body["person"], body["hand"]), []).append(hand)

    def _forks(self, closing: Mapping[str, Any], at: int) -> bool:
        """Whether a closing that is not in the chain goes on from what was written since the last restore.

        It follows one of those entries, or lists a hand that was given in one: a restore strikes every hand.
        """
        hashes = self.chains[str(closing["table"])].hashes
        if closing["sequence"] - 1 >= at and hashes.get(closing["sequence"] - 1) == closing["previous"]:
            return True
        for each in closing["body"]["hands"]:
            hands = self._hands.get((str(closing["table"]), each["person"], each["hand"]), [])
            if hands and all(hand["sequence"] > at and hashes.get(hand["sequence"]) == hand["hash"] for hand in hands):
                return True
        return False

    def _undid(self, table: str, at: int, people: Collection[str]) -> Iterator[Fault]:
        """One more roll of these people was undone by a restore, which counts once itself: two in a hundred may be."""
        for person in sorted(people):
            undone = self._rolls_undone.setdefault((table, person), Counter())
            undone[at] += 1
            own = self._streams[table].dice.nothing.get(person) or [(at, 0)]
            numbers = sorted(number for entry, number in own for _ in range(undone[entry] or 1))
            here = dict(own).get(at, 0)
            many = [one for one, third in zip(numbers, numbers[VOIDS_MAX:], strict=False) if third - one < VOIDS_IN]
            if undone[at] > 1 and any(one <= here < one + VOIDS_IN for one in many) and not undone[0]:
                undone[0] = 1  # it was told
                no = f"void_cap: with what backups undid, more than {VOIDS_MAX} of {VOIDS_IN} rolls of {person} came to"
                yield Fault(table, at, "kind", f"{no} nothing")

    def unsigned(self) -> Iterator[Fault]:
        """Tables that no head vouches for, where its key is known or named; where a part is not, that is told."""
        for name, stream in sorted(self._streams.items()):
            signed, last, named = stream.signed, stream.chain.last, self._signers.named.get(name)
            if signed < last:
                self._report.unsigned[name] = signed + 1
            if not signed and self._known:
                yield Fault(name, last, "heads", "no head of this table is signed with a key that was given")
            elif not signed and named and stream.has_acted:
                no = f"it was opened to be signed with {named[0]}, and no head of it is there"
                yield Fault(name, last, "heads", no)
            elif not signed:
                self._report.open.append(f"{name}: nothing of it is signed: whoever has it could have written it anew")
            elif self._known and signed < last:
                self._report.open.append(f"{name}: nobody has signed what follows entry {signed}")
            if named and signed and stream.minutes:  # the program was cut off before it signed, or heads were cut out
                self._report.gaps[name] = stream.minutes
                minute, entry = next(iter(stream.minutes.items()))
                no = f"in {minutes(len(stream.minutes))} of its play nobody signed, the first {minute}, entry {entry}"
                self._report.open.append(f"{name}: {no}: the program was cut off then, or heads were left out")

    def finish(self) -> Iterator[Fault]:
        names = sorted(self._streams)
        if sorted(map(str, self._named)) != names:
            yield Fault("", None, "tables", f"the export names {self._named} and holds {names}", 1)
        for digest in sorted(self._houses.keys() - self._played_by):
            yield Fault("", None, "house", f"no table here is played by the house file {digest}")
        for name in names:
            returns = self._streams[name].game.returns.items()
            self._report.returns += [Return(name, sequence, bank) for sequence, bank in returns]
            if unended := self._streams[name].dice.unended:
                yield Fault(name, self._streams[name].chain.last, "kind", unended)
            if not self._streams[name].is_balanced:
                yield Fault(name, None, "balances", "there are none: the export was cut off")
            self._report.open += self._streams[name].finish()
        if not self._ended:
            yield Fault("", None, "heads", "the last line is missing: the export was cut off")
        people = self._streams[PEOPLE].people if PEOPLE in names else None
        for name in names:
            yield from self._cage.short(name, self._streams[name].game.short)
        for name in names if CAGE in names else ():  # a table can be exported without the wallets of its players
            hosted = people.hosted.get(name) if people is not None else None
            carried = self._streams[name].books.carried
            yield from self._cage.compare(name, carried, hosted=hosted is not None and hosted.wallets)
            yield from self._lost(name, carried)
        yield from self._as_hosted(people.hosted if people is not None else {})
        yield from self._signers.outlived(self.chains)
        yield from compare({name: self._streams[name].crew for name in names}, people, self._report)
        self._look_around(names, people)

    def _lost(self, name: str, carried: Carried) -> Iterator[Fault]:
        """A gaming day begins when the house that is served has it begin."""
        game = self._streams.get(HOUSE_FLOOR, self._streams[name]).game
        if game.text is not None:
            habits = game.layout.book.floor.cage
            yield from self._cage.lost(name, carried, lambda time: gaming_day(time, habits) if is_time(time) else None)

    def _as_hosted(self, hosted: Mapping[str, Hosted]) -> Iterator[Fault]:
        """A table says of its chips what it was hosted for; the first programs did not."""
        for name in sorted(hosted.keys() & self._streams.keys()):
            game, wallets = self._streams[name].game, hosted[name].wallets
            if wallets != game.money and not game.other_program:
                no = f"chips come out of {'wallets' if wallets else 'the air'} there, as it was hosted"
                yield Fault(name, 1, "body.wallets", no)

    def _look_around(self, names: list[str], people: People | None) -> None:
        """Tell by which books they are played, and what the export leaves out that its own entries speak of."""
        for name in names:
            if (book := self._streams[name].game.book) is not None:
                self._report.books.setdefault(book, []).append(name)
        spoken = {each for name in names for each in self._streams[name].speaks_of}
        hosted = set(people.hosted) if people is not None else set()
        self._report.missing = sorted((spoken | hosted) - set(names))
        for each in self._report.missing:
            why = "people have roles there" if each in hosted else "entries of others go by it"
            self._report.open.append(f"{each}: {why}, and it is not here")
        self._report.counts["tables"] = len(names)


def _gone(data: Mapping[str, Any], verb: str, at: int) -> Fault:
    no = f"undone: the house {verb} {data['hash']} for this entry, and put a backup back since, in entry {at}"
    return Fault(str(data["table"]), data["sequence"], "heads", no)


def _two(data: Mapping[str, Any], when: str) -> Fault:
    no = f"two_journals: the house signed {data['hash']} for this entry {when}: it shows two journals"
    return Fault(str(data["table"]), data["sequence"], "heads", no)


def _is_after(time: str, restored: str) -> bool:
    try:
        return moment(time) > moment(restored)
    except (ValueError, TypeError):
        return True  # it signed a time that is none


def verify(lines: Iterable[bytes], heads: Iterable[Mapping[str, Any]] = (), keys: Collection[str] = ()) -> Report:
    """Check an export.

    `heads` are those that somebody else has, and answers that somebody got: the chain must go through each of them.
    `keys` are the public keys that the house is known by: every head must be signed with one of them, and every table
    must have a head.
    """
    report = Report()
    verifier = Verifier(report, keys)
    number = 0
    for number, raw in enumerate(lines, start=1):
        report.add(verifier.see(raw, number))
        if verifier.strange > FAULTS_MAX:
            raise JournalError(f"this is no export any more: {FAULTS_MAX:,} lines up to {number} are none")
    if not number:
        raise JournalError("this is no export of a journal: there is nothing in it")
    report.add(verifier.finish())
    # What several people kept counts once; answers after what was signed of them.
    once = {json.dumps(dict(each), sort_keys=True): each for each in heads}
    heads = sorted(once.values(), key=lambda each: "previous" in each)
    for each in heads:
        if each.get("kind") == "hand_on" and entry_hash(each) == each["hash"]:
            verifier.keep(each)
    for each in heads:
        receipt = "previous" in each  # an answer of a table's: the entry itself, which names the one before it
        report.add(verifier.receipt(each) if receipt else verifier.head(each))
        report.counts["receipts" if receipt else "kept_heads"] += 1
    report.add(verifier.unsigned())
    return report
