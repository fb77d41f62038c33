"""Everybody the house knows: a stream of the journal says who came, who may do what, and what was taken back.

What must not leave the house, the digests of passwords and tokens, is kept beside the stream and is in no export.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from threading import Lock, RLock
from typing import Any, Literal, NamedTuple

from passline.errors import ArgumentError, BehindError, KeyTakenError, PeopleError, RoleError
from passline.floor.names import folded
from passline.journal.contract import Draft, Entry, Head, Journal, Write, in_a_chain, read_entry
from passline.journal.heads import NO_HOUSE, Signing, begin, name_signer
from passline.live.people import ROLES, Hosted, Roster, may, permissions
from passline.live.people import after as roster_after
from passline.pit.people import passwords
from passline.pit.people.names import check_name, skeleton

STREAM = "people"

TRIES_MAX = 1_000

# What a token is for: to be somebody, to come to a table as a guest, to agree once to another's act, to count.
Purpose = Literal["session", "link", "approval", "machine"]

LASTS: Mapping[Purpose, timedelta] = {
    "session": timedelta(hours=12),
    "link": timedelta(days=7),
    "approval": timedelta(minutes=2),
    "machine": timedelta(days=365),
}
TIME = "%Y-%m-%dT%H:%M:%S.%fZ"  # as entries write a time
GUEST_LASTS = timedelta(days=7)  # a guest has no password to come back with


class By(NamedTuple):
    actor: str
    role: str
    time: str
    key: str | None = None


class Person(NamedTuple):
    """Somebody: `id` is what journals call them."""

    id: str
    name: str
    guest: bool
    password: int = 0  # the entry with which it was last set; 0 where there is none


class Token(NamedTuple):
    """A token without what makes it one: its secret part is kept as a digest, beside the journal."""

    id: str
    person: str
    purpose: Purpose
    until: str
    table: str | None = None
    what: str | None = None  # a link: as what its guest comes. An approval: what it agrees to.
    since: str = ""  # when it was issued


class _Note(NamedTuple):
    act: str
    person: str
    about: dict[str, Any]
    secrets: Mapping[str, bytes] | None = None


class People:
    """Everybody, as one process knows them; any number of threads may ask."""

    def __init__(self, journal: Journal, time: str) -> None:
        """Open the stream, the first time with its first entry."""
        self.journal = journal
        self.persons: dict[str, Person] = {}
        self.tokens: dict[str, Token] = {}
        self.roster = Roster()
        self._digests: dict[str, bytes] = {}
        self._looks: dict[str, str] = {}  # by what a name looks like: whoever has it
        self.head = Head(STREAM)
        self.lock = RLock()
        self._signing: Signing | None = None
        begin(journal, STREAM, "people_opened", time)
        self.catch_up()

    def sign_with(self, key: bytes, time: str) -> None:
        """Sign the stream from here on; it says with which key, and any other is refused."""
        name_signer(self.journal, STREAM, key, time)
        self._signing = Signing(self.journal, key)
        self.catch_up()

    def catch_up(self) -> None:
        with self.lock:
            self._see([read_entry(line) for line in self.journal.lines(STREAM, self.head.sequence)])

    def _see(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self._know(entry)
        self.roster = roster_after(self.roster, entries)

    def _know(self, entry: Entry) -> None:
        self.head = Head(STREAM, entry.sequence, entry.hash)
        if entry.kind != "people_acted":
            return
        act, person, about = entry.body["act"], entry.body["person"], entry.body["about"]
        match act:
            case "person_added":
                self.persons[person] = Person(person, about["name"], about["guest"])
                self._looks.setdefault(skeleton(about["name"]), person)
            case "password_set":
                self.persons[person] = self.persons[person]._replace(password=entry.sequence)
            case "token_issued":
                fields = (*(about[name] for name in ("purpose", "until", "table", "what")), entry.time)
                self.tokens[about["token"]] = Token(about["token"], person, *fields)
            case "token_revoked":
                self.tokens.pop(about["token"], None)
            case "role_granted" | "role_revoked" | "attempts_counted" | "table_hosted":
                pass  # what the roster knows, and what only reports do
            case _:
                raise PeopleError(f"entry {entry.sequence} of {STREAM}: a newer Passline wrote {act!r}")

    @property
    def hosted(self) -> Mapping[str, Hosted]:
        return self.roster.hosted

    def roles(self, person: str, table: str | None = None) -> frozenset[str]:
        """As what somebody may act: in the whole house, and at a table; asked at every turn, it waits for no writer."""
        return self.roster.roles(person, table)

    def name_of(self, person: str) -> str:
        """What somebody is called; who is not known here, as they are told of."""
        known = self.persons.get(person)
        return person if known is None else known.name

    def bearer(self, text: str, now: str, purpose: Purpose = "session") -> Token | None:
        """Whose token this is, if it is one that still counts."""
        token = self.tokens.get(text.partition(".")[0])
        counts = token is not None and token.purpose == purpose and token.until > now
        return token if counts and self._is_whole(text) else None

    def bearer_at_hand(self, text: str, now: str) -> Token | None:
        """The same where the store need not be asked; None where it must be, too."""
        return self.bearer(text, now) if text.partition(".")[0] in self._digests else None

    def _is_whole(self, text: str) -> bool:
        name, _, secret = text.partition(".")
        stored = self._digests.get(name) or self.journal.secret(STREAM, f"token/{name}")
        if stored is None or not compare_digest(stored, sha256(secret.encode()).digest()):
            return False
        self._digests[name] = stored
        return True

    def device(self, text: str, person: str) -> str | None:
        """The name of a token by which somebody was signed in and was not signed out, though its time may be over."""
        token = self.tokens.get(text.partition(".")[0])
        theirs = token is not None and token.purpose == "session" and token.person == person
        return token.id if token is not None and theirs and self._is_whole(text) else None

    def find(self, text: str, now: str) -> Token | None:
        """The same of a token that another process may have issued a moment ago."""
        if self.journal.shared and text.partition(".")[0] not in self.tokens:
            self.catch_up()
        return self.bearer(text, now) or self.bearer(text, now, "machine")

    def sessions(self, person: str, now: str) -> list[Token]:
        tokens = tuple(self.tokens.values())
        return [each for each in tokens if each.person == person and each.purpose == "session" and each.until > now]

    def is_at_hand(self, text: str) -> bool:
        """Whether a token can be looked at without the store."""
        return text.partition(".")[0] in self._digests

    def counts(self, token: Token, now: str) -> bool:
        """Whether a token still counts that did before."""
        return token.until > now and self.tokens.get(token.id) == token

    def add(self, name: str, password: str, by: By) -> Person:
        person = check_name(name)
        passwords.check_password(password, person)
        hashed = passwords.hashed(password)

        def plan() -> list[_Note]:
            if (taken := self._has(person, name)) is not None:
                raise PeopleError(f"there is a {taken.name} already, or one that looks like it; take another name")
            number = self.head.sequence + 2
            return [
                _Note("person_added", person, {"name": name, "guest": False}),
                _Note("password_set", person, {}, {f"password/{person}/{number}": hashed}),
            ]

        self._write(plan, by)
        return self.persons[person]

    def set_password(self, person: str, password: str, by: By) -> None:
        """Another password; every token that was issued before counts no more."""
        passwords.check_password(password, person)
        hashed = passwords.hashed(password)

        def plan() -> list[_Note]:
            self._known(person)
            number = self.head.sequence + 1
            tokens = [each.id for each in self.tokens.values() if each.person == person]
            revoked = [_Note("token_revoked", person, {"token": each}) for each in tokens]
            return [_Note("password_set", person, {}, {f"password/{person}/{number}": hashed}), *revoked]

        self._write(plan, by)

    def is_password(self, name: str, password: str) -> Person | None:
        """Who this is; None, after the same time, where name or password is wrong."""
        person = self.persons.get(folded(name))
        hashed = None
        if person is not None and person.password:
            hashed = self.journal.secret(STREAM, f"password/{person.id}/{person.password}")
        return person if passwords.is_right(hashed, password) else None

    def issue(  # noqa: PLR0913 - what a token says
        self,
        person: str,
        by: By,
        purpose: Purpose = "session",
        *,
        lasts: timedelta | None = None,
        table: str | None = None,
        what: str | None = None,
    ) -> str:
        """A new token; told once, and kept as a digest."""
        text, note = _token(person, by.time, purpose, lasts or LASTS[purpose], table, what)
        self._known(person)
        self._write(lambda: [note], by)
        return text

    def revoke(self, token: str, by: By) -> None:
        def plan() -> list[_Note]:
            known = self.tokens.get(token)
            return [_Note("token_revoked", known.person, {"token": token})] if known else []

        self._write(plan, by)

    def use(self, text: str, by: By, table: str, *what: str) -> str:
        """Redeem a single-use approval, if it is of one of these; who gave it, or an error that says why not."""
        self.catch_up()
        token = self.bearer(text, by.time, "approval")
        if token is None or token.table != table or token.what not in what:
            act = what[0].partition(" sha256:")[0]
            raise PeopleError(f"nobody has agreed to this {act} at {table}: ask the second person for a new approval")
        if token.person == by.actor:
            raise PeopleError("two different people decide this")
        self.revoke(token.id, by)
        return token.person

    def guest(self, name: str, by_time: str, link: Token | None = None) -> tuple[Person, str]:
        """Somebody without an account: a name nobody has yet, and the token that they are known by."""
        wanted = check_name(name)
        written: list[tuple[str, str]] = []

        def plan() -> list[_Note]:
            person, display = self._free(wanted, name)
            text, issued = _token(person, by_time, "session", GUEST_LASTS, None, None)
            written[:] = [(person, text)]
            notes = [_Note("person_added", person, {"name": display, "guest": True}), issued]
            return notes if link is None else [*notes, _by_link(person, link)]

        self._write(plan, By("house", "house", by_time))
        person, text = written[0]
        return self.persons[person], text

    def come(self, person: str, link: Token, time: str) -> None:
        """Let somebody who is known here come to a table by its link, as who they are."""
        here = self.roles(person, link.table)
        self._write(lambda: [] if link.what in here else [_by_link(person, link)], By("house", "house", time))

    def _free(self, wanted: str, name: str) -> tuple[str, str]:
        """The name, or the first of its numbers that nobody has: an account's is never given to a guest."""
        for number in range(1, TRIES_MAX * 1_000):
            end = "" if number == 1 else f"-{number}"
            if self._has(wanted + end, name + end) is None:
                return wanted + end, name + end
        raise PeopleError(f"too many people are called {name}")

    def _has(self, person: str, name: str) -> Person | None:
        return self.persons.get(person) or self.persons.get(self._looks.get(skeleton(name), ""))

    def host(self, hosted: Hosted, by: By, staff: Sequence[tuple[str, str]] = ()) -> Hosted:
        """A table of somebody's, and who is what there; a table's name is taken once."""
        about = hosted.about()

        def plan() -> list[_Note]:
            if self.hosted.get(hosted.table) == hosted:
                return []  # it was opened by halves
            if hosted.table in self.hosted:
                raise KeyTakenError(f"there is a table {hosted.table} already; take another name")
            notes = [_Note("table_hosted", hosted.host, about)]
            for person, role in staff:
                self._known(person)
                _check_role(role)
                granted = {"role": role, "table": hosted.table, "second": None, "reason": "the table was opened"}
                notes.append(_Note("role_granted", person, granted))
            return notes

        self._write(plan, by, lambda entry: entry.body["about"] == about and entry.body["person"] == hosted.host)
        return self.hosted[hosted.table]

    def grant(  # noqa: PLR0913, PLR0917 - what a grant says
        self,
        person: str,
        role: str,
        table: str | None,
        reason: str,
        by: By,
        second: str | None,
        title: str | None = None,
    ) -> None:
        """A role, in the whole house or at a table; with it a title, which nobody takes by their own word."""
        about = {"role": role, "table": table, "second": second, "reason": reason}
        self._role("role_granted", person, about | ({"title": title} if title else {}), by)

    def withdraw(  # noqa: PLR0913, PLR0917 - as above
        self, person: str, role: str, table: str | None, reason: str, by: By, second: str | None = None
    ) -> None:
        self._role("role_revoked", person, {"role": role, "table": table, "second": second, "reason": reason}, by)

    def _role(self, act: str, person: str, about: dict[str, Any], by: By) -> None:
        _check_role(about["role"])

        def plan() -> list[_Note]:
            self._known(person)
            if act == "role_granted" or person != by.actor:  # one's own is laid down
                self._check_may(takes_two(act, person, about["role"], by.actor), about["second"], by)
            return [_Note(act, person, about)]

        body = {"act": act, "person": person, "about": about}
        self._write(plan, by, lambda entry: entry.body == body)

    def count_attempts(self, about: dict[str, Any], by: By) -> None:
        self._write(lambda: [_Note("attempts_counted", by.actor, about)], by)

    def _check_may(self, two: bool, second: str | None, by: By) -> None:  # noqa: FBT001 - how many decide
        """Who names people may, and so may the second, who is another; the house names its first people itself."""
        if by.role == "house":
            return
        permission = permissions()["name_people" if two else "withdraw"]
        deciding = [by.actor, folded(second or "")][: permission.people]
        if len(set(deciding)) < permission.people:
            raise PeopleError("two different people decide this")
        for each in deciding:
            if may(permission, self.roster.standing(each, None)) is None:
                raise RoleError(f"{each or 'nobody'} does not hold a role that may decide this: {permission.name}")

    def _known(self, person: str) -> Person:
        if person not in self.persons:
            raise PeopleError(f"there is no account called {person}")
        return self.persons[person]

    def _write(self, plan: Callable[[], list[_Note]], by: By, same: Callable[[Entry], bool] | None = None) -> None:
        """Write what is planned, and plan again for as long as others are first; a key is used once."""
        with self.lock:
            for _ in range(TRIES_MAX):
                if by.key is not None and self._done(by, same):
                    return
                notes = plan()
                if not notes:
                    return
                entries = in_a_chain(self.head, NO_HOUSE, _drafts(notes, by))
                secrets = {name: value for note in notes for name, value in (note.secrets or {}).items()}
                try:
                    self.journal.append(Write(self.head, entries, secrets=secrets or None))
                except (BehindError, KeyTakenError):
                    self.catch_up()
                    continue
                self._see(entries)
                if self._signing is not None:
                    self._signing.sign(self.head, by.time)
                return
            raise BehindError(f"{STREAM}: others were first {TRIES_MAX} times")

    def _done(self, by: By, same: Callable[[Entry], bool] | None) -> bool:
        """Whether this was done before under the key; something else under it is an error."""
        line = self.journal.under_key(STREAM, by.key or "")
        if line is None:
            return False
        entry = read_entry(line)
        if entry.actor != by.actor or (same is not None and not same(entry)):
            raise KeyTakenError(f"{STREAM}: something else was asked under the key {by.key!r}")
        self.catch_up()
        return True


# The roles of those who give roles: two take one of them away, unless it is laid down.
NAMES_PEOPLE = frozenset(permissions()["name_people"].reach)


def _drafts(notes: Sequence[_Note], by: By) -> Iterator[Draft]:
    """Notes as the stream writes them; a key is of the first of them."""
    for place, note in enumerate(notes):
        body = {"act": note.act, "person": note.person, "about": note.about}
        yield Draft("people_acted", body, by.actor, by.role, by.time, None if place else by.key)


def _by_link(person: str, link: Token) -> _Note:
    about = {"role": link.what, "table": link.table, "second": None, "reason": f"link {link.id}"}
    return _Note("role_granted", person, about)


def takes_two(act: str, person: str, role: str, actor: str) -> bool:
    return act == "role_granted" or (role in NAMES_PEOPLE and person != actor)


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise ArgumentError("role", repr(role), f"one of {', '.join(ROLES)}")


def _token(  # noqa: PLR0913, PLR0917 - what a token says
    person: str, time: str, purpose: Purpose, lasts: timedelta, table: str | None, what: str | None
) -> tuple[str, _Note]:
    """A token of 256 random bits and its public name."""
    name, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
    until = (datetime.fromisoformat(time) + lasts).strftime(TIME)
    about = {"token": name, "purpose": purpose, "until": until, "table": table, "what": what}
    return f"{name}.{secret}", _Note("token_issued", person, about, {f"token/{name}": sha256(secret.encode()).digest()})


# What somebody tried.
What = Literal["sign-in beyond the limit", "token beyond the limit", "permission refused", "second person refused"]

EVERY = timedelta(minutes=15)
ROWS_MAX = 50  # how many people an entry names; the rest is counted


class Attempts:
    """Counts of one process."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._counts: Counter[tuple[What, str]] = Counter()
        self._since = ""
        self._written: datetime | None = None
        self._lock = Lock()

    def count(self, what: What, person: str | None, time: str) -> None:
        """Somebody tried; who nobody knows is nobody."""
        with self._lock:
            self._since = self._since or time
            self._counts[what, person if person in self._people.persons else ""] += 1

    def write(self, time: str, *, at_once: bool = False) -> None:
        """Write down what was counted, if something was and the last time is long enough ago."""
        now = datetime.fromisoformat(time)
        with self._lock:
            early = self._written is not None and timedelta() <= now - self._written < EVERY
            if not self._counts or (early and not at_once):
                return
            counts, since = self._counts, self._since
            self._counts, self._since, self._written = Counter(), "", now
        common = counts.most_common(ROWS_MAX)
        rows = [{"what": what, "person": person or None, "times": times} for (what, person), times in common]
        about = {"since": since, "until": time, "rows": rows, "others": counts.total() - sum(n for _, n in common)}
        self._people.count_attempts(about, By("house", "house", time))
