"""Who acts as what: the people's stream, and every table's crew, pairs and house-wide decisions held against it."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

from passline.codec import from_data
from passline.floor.acts import FloorEvent
from passline.floor.clock import MINUTE, elapsed, is_time
from passline.floor.conduct import everywhere
from passline.floor.names import folded, is_said
from passline.live.entries import Entry as LiveEntry
from passline.live.people import Hosted, Permission, Roster, after, of_act, permissions
from passline.live.play import is_alone
from passline.verify.chain import CAGE, HOUSE_FLOOR, KINDS, Entry, is_whole
from passline.verify.report import Complaint, Fault, Report

OF_THE_HOUSE = (CAGE, HOUSE_FLOOR)  # the streams of the whole house: who acts there holds the role in all of it

CREW = frozenset(("dealer", "stick", "box", "cashier", "supervisor", "inspector"))
# The roles that somebody is given; that somebody plays is not for the people's stream alone to say.
HELD = CREW | {"administrator"}

OWN = frozenset(("password_set", "token_issued", "table_hosted"))  # what is done by whom it is about, or by the house
TURNS = frozenset(("role_granted", "role_revoked", "table_hosted"))  # what changes who holds which role

# The table's own acts that two people do, by the entry they make.
BY_TWO = {"corrected": "table.correct", "roll_voided": "table.void", "chips_returned": "table.return_chips"}


Step = tuple[int, str, frozenset[str]]  # from which entry on, when that was, and as what somebody could act then


class Span(NamedTuple):
    since: int
    until: int  # the first entry as of which it was held no more; one after the last where it is held still
    begun: str
    ended: str | None


class People:
    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self._known: set[str] = set()
        self._opening: set[str] = set()  # Tables that their host has just opened: who is what there is said with it
        self.last = 0  # the last entry of the stream
        self.opened = ""  # when it began: who was what before that, it does not say
        self.hosted: dict[str, Hosted] = {}
        self._turns: list[LiveEntry] = []
        self._ever: set[tuple[object, object]] = set()  # who was ever given which role, anywhere
        # Approvals that nobody has used, by token: whose, and at which table.
        self._approvals: dict[object, tuple[str, object]] = {}
        # Those that were, once: with which entry, whose, at which table, by whom.
        self._used: list[tuple[int, str, object, object]] = []
        self._steps: dict[tuple[str, str | None], tuple[int, list[Step]]] = {}  # and how many turns they come to

    def see(self, entry: Entry) -> Iterator[Complaint]:
        self.last = entry.sequence if is_whole(entry.sequence, 1) else self.last + 1  # the chain complains of any other
        self.opened = self.opened or str(entry.data["time"])
        if entry.kind != "people_acted":
            return
        act, person, about = (entry.body[name] for name in ("act", "person", "about"))
        self._counts["people_acts"] += 1
        if act not in KINDS["about_people"]:
            yield "body.act", f"{act} is nothing that is done about people"
        yield from self._named(entry, act, person, about)
        names = about.get("role") in permissions()["name_people"].reach and person != entry.data["actor"]
        if act == "role_granted" or (act == "role_revoked" and names):  # taking such a permission is as giving it
            yield from self._by_two(entry, about)
        if act == "token_issued" and about.get("purpose") in ("approval", "assent"):
            self._approvals[about["token"]] = (person, about["table"])
        elif act == "token_revoked" and about.get("token") in self._approvals:
            self._used.append((self.last, *self._approvals.pop(about["token"]), entry.data["actor"]))
        if act in TURNS:
            fields = {name: entry.data[name] for name in LiveEntry._fields if name != "line"}
            turn = LiveEntry(**{**fields, "sequence": self.last}, line=b"")
            after(Roster(), [turn])  # what cannot be read is found here, and not when the streams are compared
            self._turns.append(turn)
        if act == "role_granted":
            self._ever.add((person, about["role"]))
        elif act == "table_hosted":
            self.hosted[about["table"]] = Hosted(host=person, **about)
        if act != "role_granted":
            self._opening = {about["table"]} if act == "table_hosted" else set()

    def _named(self, entry: Entry, act: str, person: str, about: dict[str, Any]) -> Iterator[Complaint]:
        """Whoever an act is about is known, or added by it; who acts as something is that, or was a moment ago.

        Nobody but the house signs another in, or says their password; a table has one host, who opens it. What was
        tried is about nobody; at a table of one's own one is everybody.
        """
        actor, role = entry.data["actor"], entry.data["role"]
        if act == "person_added":
            if person in self._known:
                yield "body.person", f"there is a {person} already"
            self._known.add(person)
        elif act == "attempts_counted":
            if role != "house":
                yield "role", "the program counts what was tried, and nobody else"
        elif person not in self._known:
            yield "body.person", f"nobody has added {person}"
        everybody = any(each.practice and each.host == actor for each in self.hosted.values())
        if role in HELD and (actor, role) not in self._ever and not everybody:
            yield "role", f"{actor} was no {role} by then"
        if act in OWN and role != "house" and actor != person:
            yield "actor", f"{act} is of {person}, and {actor} does it"
        if act == "table_hosted" and about["table"] in self.hosted:
            yield "body.about.table", f"{about['table']} is {self.hosted[about['table']].host}'s already"

    def _by_two(self, entry: Entry, about: dict[str, object]) -> Iterator[Complaint]:
        """The house names its first people and its guests, a host the crew; everything else takes two."""
        reason, second, actor = about["reason"], about["second"], str(entry.data["actor"])
        if not isinstance(reason, str) or not is_said(reason):
            yield "body.about.reason", "nobody says why"
        if entry.data["role"] == "house" or about["table"] in self._opening:
            return
        if not isinstance(second, str) or not is_said(second) or is_alone(actor, second):
            yield "body.about.second", f"{actor} and {second} are not two people"
            return
        for field, who in (("actor", actor), ("body.about.second", folded(second))):
            if not self.roles(who, None, self.last - 1) & permissions()["name_people"].reach.keys():
                yield field, f"{who} held no role that names people"

    def agreed(self, second: str, table: str, actor: str, at: int) -> bool:
        """Whether somebody had agreed to what another did there, as of an entry; each approval counts once."""
        used = next((each for each in self._used if each[0] <= at and each[1:] == (second, table, actor)), None)
        if used is not None:
            self._used.remove(used)
        return used is not None

    def _standing(self, person: str, table: str | None) -> list[Step]:
        """As what somebody could act at a table or in the whole house, with every turn."""
        turns, steps = self._steps.get((person, table), (-1, []))
        if turns != len(self._turns):
            roster = Roster()
            steps = [(0, "", roster.roles(person, table))]
            for turn in self._turns:
                if turn.body["person"] == person or turn.body["about"]["table"] == table:
                    roster = after(roster, [turn])
                    steps.append((turn.sequence, turn.time, roster.roles(person, table)))
            self._steps[person, table] = len(self._turns), steps
        return steps

    def roles(self, person: str, table: str | None, at: int) -> frozenset[str]:
        """As what somebody could act at a table, or in the whole house, as of an entry."""
        return [roles for sequence, _, roles in self._standing(person, table) if sequence <= at][-1]

    def spans(self, person: str, table: str | None, role: str) -> list[Span]:
        """When somebody held a role, at a table or in the whole house."""
        spans: list[Span] = []
        for at, time, roles in self._standing(person, table):
            if role in roles and (not spans or spans[-1].ended is not None):
                spans.append(Span(at, self.last + 1, time, None))
            elif role not in roles and spans and spans[-1].ended is None:
                spans[-1] = spans[-1]._replace(until=at, ended=time)
        return spans


class Act(NamedTuple):
    sequence: int
    # The entry with which it was asked for: a roll that was announced is dealt whatever happens meanwhile.
    requested: int
    actor: str
    role: str
    time: str


class Binding(NamedTuple):
    """What an entry says that holds everywhere."""

    sequence: int
    stream: str  # the stream it was decided in
    at: int  # the entry there
    events: tuple[FloorEvent, ...]
    time: str


class Pair(NamedTuple):
    """Two people who decided something, and the entry of the people's stream as of which they held their roles."""

    sequence: int
    permission: Permission
    actor: str
    role: str
    second: str
    roster: int | None


class Crew:
    """What one stream says of its people; what is wrong with it is known when all streams were read."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self.acts: list[Act] = []
        # Entries that name the last of the people's stream when they were written: that one, and when.
        self.seen: list[tuple[int, int, str]] = []
        self.pairs: list[Pair] = []
        self.decided: list[Binding] = []  # what was decided here and holds everywhere
        self.received: list[Binding] = []  # what was decided elsewhere
        self.asked: dict[int, tuple[int, str]] = {}  # by how much was received: the last entry by then, and when
        self.seated: list[tuple[int, str, str]] = []  # Players who sat down: with which entry, who, and called what
        self._announced = 0

    def see(self, entry: Entry) -> Iterator[Complaint]:  # noqa: C901 - a case for each thing that is noted
        data, body, time = entry.data, entry.body, str(entry.data.get("time"))
        if not is_whole(entry.sequence, 1):
            return  # the chain complains of it
        self._counts["staff_acts"] += data["role"] in CREW and entry.table != CAGE
        if entry.kind == "bets_closed":
            self._announced = entry.sequence
        if data["role"] != "house":
            self.asked[len(self.received)] = entry.sequence, time
        requested = self._announced or entry.sequence if entry.kind == "rolled" else entry.sequence
        if data["role"] in HELD and body.get("sequence") is None:  # what goes with a table's entry is looked at there
            self.acts.append(Act(entry.sequence, requested, str(data["actor"]), data["role"], time))
        roster = body["roster"] if is_whole(body.get("roster"), 1) else None
        if roster is not None:
            self.seen.append((entry.sequence, roster, time))
        command = body.get("command") if entry.kind in ("acted", "floor_acted") else None
        if isinstance(command, dict) and command.get("kind") == "command.sit" and data["role"] == "player":
            self.seated.append((entry.sequence, str(data["actor"]), str(command["name"])))
        kind, second = _second(entry)
        if kind and isinstance(second, str) and second:
            pair = (of_act(kind), str(data["actor"]), str(data["role"]), folded(second), roster)
            self.pairs.append(Pair(entry.sequence, *pair))
        if entry.kind not in ("floor_acted", "floor_heard"):
            return
        events = tuple(cast("FloorEvent", from_data(each)) for each in body["floor"])
        wide = everywhere(events)
        if entry.kind == "floor_acted":
            self.decided += [Binding(entry.sequence, entry.table, entry.sequence, wide, time)] if wide else []
            return
        self._counts["heard"] += 1
        if events != wide:
            yield "body.floor", "it holds at one table, and was heard at another"
        if is_whole(body["sequence"], 1) and isinstance(body["stream"], str):  # of any other its type is wrong
            self.received.append(Binding(entry.sequence, body["stream"], body["sequence"], events, time))


def _second(entry: Entry) -> tuple[str, object]:
    """What two people did, and who did it with the actor; nothing where one is enough."""
    if entry.kind == "floor_acted":
        command = entry.body["command"]
        return str(command.get("kind")), command.get("second")
    others = [each for each in entry.body.get("people", ()) if each != entry.data["actor"]]
    return BY_TWO.get(entry.kind, ""), others[0] if others else None


def compare(streams: Mapping[str, Crew], people: People | None, report: Report) -> Iterator[Fault]:
    """All streams of an export; what is not in it cannot be compared."""
    house = streams.get(HOUSE_FLOOR)
    for name, stream in sorted(streams.items()):
        if name == HOUSE_FLOOR:
            yield from _reported(stream, streams)
        elif house is None:
            if stream.received:
                report.open.append(f"{name}: the floor of the house is not in the export: what was heard is its word")
        else:
            yield from _received(name, stream, house, people, report)
        if people is not None:
            for pair in stream.pairs:
                yield from _held(name, pair, people, report)
    if people is None:
        return
    for name, stream in sorted(streams.items()):
        if name in people.hosted or name in OF_THE_HOUSE:  # a table that nobody hosts is none of the pit's
            yield from _misnamed(name, stream, people.hosted.get(name))
            yield from _roles(name, stream, people, report)


def _received(name: str, stream: Crew, house: Crew, people: People | None, report: Report) -> Iterator[Fault]:
    """A table hears all that the house's floor says, in its order, and tells it what binds the house.

    That it goes on without hearing of something only clocks show, and that is told.
    """
    due = [each for each in sorted((*house.decided, *house.received)) if each.stream != name]
    for number, binding in enumerate(stream.received):
        says = due[number] if number < len(due) else None
        if says is None or (binding.stream, binding.at, binding.events) != (HOUSE_FLOOR, says.sequence, says.events):
            no = f"the floor of the house says something else there, or nothing: {says and says.sequence}"
            yield Fault(name, binding.sequence, "body", no)
            return
    for number, says in enumerate(due if people is not None and name in people.hosted else ()):
        asked, time = stream.asked.get(number, (0, ""))
        if _after(says.time, time):
            report.unheard[name] = says.sequence
            no = f"it goes on in entry {asked} and by the clock had not heard entry {says.sequence} of {HOUSE_FLOOR}"
            report.open.append(f"{name}: {no}: who may not play, or set a limit, is not held to it there")
            break
    reported = {each.at for each in house.received if each.stream == name}
    if people is None:
        return
    deciding = ((pair.sequence, who, pair.roster) for pair in stream.pairs for who in (pair.actor, pair.second))
    house_wide = {at for at, who, roster in deciding if "supervisor" in people.roles(who, None, roster or people.last)}
    for each in stream.decided:
        if each.sequence in house_wide - reported:
            no = "it holds everywhere, and the floor of the house was not told"
            yield Fault(name, each.sequence, "body.floor", no)


def _reported(house: Crew, streams: Mapping[str, Crew]) -> Iterator[Fault]:
    """The house's floor hears what a table decided, once, and as it was decided."""
    seen: set[tuple[str, int]] = set()
    for binding in house.received:
        table, place = streams.get(binding.stream), (binding.stream, binding.at)
        decided = [each.events for each in table.decided if each.sequence == binding.at] if table is not None else []
        if place in seen or (table is not None and binding.events not in decided):
            no = f"entry {binding.at} of {binding.stream} does not say that"
            yield Fault(HOUSE_FLOOR, binding.sequence, "body", no)
        seen.add(place)


def _held(name: str, pair: Pair, people: People, report: Report) -> Iterator[Fault]:
    """Two people who decide something hold roles that may, as of the entry that is named."""
    table = None if name == HOUSE_FLOOR else name
    if pair.roster is None:
        if table is None or table in people.hosted:
            report.open.append(f"{name}: entry {pair.sequence} does not say since when two people hold their roles")
        return
    report.counts["pairs"] += 1
    if pair.roster > people.last:
        yield Fault(name, pair.sequence, "body.roster", f"the people's stream ends with entry {people.last}")
        return
    if pair.role not in people.roles(pair.actor, table, pair.roster):
        no = f"{pair.actor} was no {pair.role} there as of entry {pair.roster} of the people's stream"
        yield Fault(name, pair.sequence, "role", no)
    if not people.agreed(pair.second, name, pair.actor, pair.roster):
        report.unagreed.append(f"entry {pair.sequence} of {name}")
        no = f"no approval of {pair.second}'s stands behind entry {pair.sequence}: that two did is the house's word"
        report.open.append(f"{name}: {no}")
    if not people.roles(pair.second, table, pair.roster) & (pair.permission.reach.keys() | pair.permission.approvers):
        no = f"{pair.second} held no role that may decide this as of entry {pair.roster} of the people's stream"
        yield Fault(name, pair.sequence, "body.roster", no)


def _misnamed(name: str, stream: Crew, hosted: Hosted | None) -> Iterator[Fault]:
    """Who sat down under a name that is not theirs; the regulars of the house are called what they are called.

    For play money a guest leaves out the number that tells them from the house's other guests.
    """
    play = hosted is not None and not hosted.wallets
    for sequence, actor, called in stream.seated:
        unnumbered = play and actor.rpartition("-")[0] == folded(called)
        if actor not in ("house", folded(called)) and not unnumbered:
            yield Fault(name, sequence, "body.command.name", f"{actor} sits down as {called}")


def _roles(name: str, stream: Crew, people: People, report: Report) -> Iterator[Fault]:
    """Nobody acts under a role that was never theirs by then, nor, but for a minute, under one that was taken back.

    Where the streams do not say which came first, only clocks do, and those may be wrong: that is told.
    """
    table = None if name in OF_THE_HOUSE else name
    late: dict[tuple[str, str], list[int]] = {}
    before: list[int] = []
    places = [sequence for sequence, _, _ in stream.seen]
    for act in stream.acts:
        report.counts["roles"] += 1
        later, earlier = bisect_left(places, act.sequence), bisect_right(places, act.requested) - 1
        until = stream.seen[later][1] if later < len(places) else people.last
        _, since, at = stream.seen[earlier] if earlier >= 0 else (0, 0, "")
        spans = [span for span in people.spans(act.actor, table, act.role) if span.since <= until]
        if not spans and _after(act.time, people.opened):
            before.append(act.sequence)
        elif not spans:
            yield Fault(name, act.sequence, "role", f"{act.actor} was no {act.role} there by then")
        elif since and all(span.until <= since for span in spans) and _after(at, act.time):
            no = f"{act.actor} was {act.role} there no more as of entry {since} of the people's stream"
            yield Fault(name, act.sequence, "role", no)
        elif all(_after(act.time, span.begun) or _after(span.ended or act.time, act.time) for span in spans):
            late.setdefault((act.actor, act.role), []).append(act.sequence)
    if before:
        no = f"the crew's acts, entry {before[0]} the first of {len(before)}, are older than the people's stream"
        report.open.append(f"{name}: {no}, which does not say who was what by then")
    for (actor, role), acts in late.items():
        no = f"{actor} was no {role} there by the clock, entry {acts[0]} the first of {len(acts)}"
        report.open.append(f"{name}: {no}: a clock was wrong, or a role was used that was not held")


def _after(before: str, time: str) -> bool:
    """Whether a time is more than a minute after another: a process may hear so much later what was taken back."""
    return is_time(before) and is_time(time) and elapsed(before, time) > MINUTE
