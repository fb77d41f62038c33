"""Everything that was decided, decided again: the live machine is asked what its entry says was asked."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, cast

from passline import __version__
from passline.codec import encode, from_data, to_data
from passline.codec.shapes import typed_fields
from passline.engine.commands import Command, Throw
from passline.engine.decide import decide
from passline.engine.events import ChipsBought, Decision, Event, PlayerSat
from passline.engine.layout import Layout
from passline.engine.postings import postings, sums
from passline.engine.refusals import Refusal
from passline.engine.table import TableState
from passline.engine.values import ROLLS, Roll
from passline.errors import ArgumentError, ChanceError
from passline.floor.acts import FloorCommand, FloorEvent
from passline.floor.cage import current
from passline.floor.clock import is_time
from passline.floor.names import folded
from passline.floor.state import Floor
from passline.live import requests as r
from passline.live import rules
from passline.live.answer import answer, report_of
from passline.live.books import booked, cage_acts, carried, on_the_table, wallet
from passline.live.entries import Entry as LiveEntry
from passline.live.people import Roster
from passline.live.refusals import no
from passline.live.rolls import SALT_BYTES, reading_commitment, restore, unsettled
from passline.live.state import DICE_MODES, House, Live, State, after, events_of, layout_of, opened, settled_order
from passline.odds.wagers.walk import Worth, worth
from passline.rulebooks.catalogue import house_files
from passline.verify.books import SPENT, Accounts, Carried, Short, nonzero, post
from passline.verify.chain import HOUSE_FLOOR, Entry, canonical, is_whole
from passline.verify.dice import RETURN_ALL
from passline.verify.report import Book, Complaint

# Refusals that hang on a table's being a house's, whoever holds which role in it.
HOUSE_RULES = frozenset(
    ("buyin.limit", "seat.none", "table.house_wide", "person.barred", "person.other", "person.own", "person.own_limit")
)

# Refusals that hang on who held which role, as of the entry of the people's stream that they name.
HOUSES_WORD = frozenset(
    ("person.cashier", "person.works", "person.unknown", "person.title", "person.supervisor", "table.confirmed_by")
)

WALLETS = frozenset(("table.short_wallet", "table.other_wallet", "table.loss_limit"))
ENOUGH = 10**18
READ = ("dice_entered", "dice_disagreed")
# What versions up to 0.2.0.dev1 could be asked, and refused.
GONE = frozenset(("end_epoch", "player_seed_committed", "player_seed_revealed"))

UNWRITTEN = bytes(32)  # in place of a value that was shown in vain: it is written down nowhere

# The table's own acts, by the names that refusals have for them.
OWN: dict[object, Any] = {kind.removeprefix("table."): act for kind, act in r.TABLE_ACTS.items()}

# The same by the kind of the entry that answers them.
ANSWERS = {act.answer.replace("value_", "value_shown"): act for act in OWN.values()}

# What is wrong with an entry that the house would have refused, by why.
FIELDS = {"table.role": "role", "table.other_seat": "actor", "floor.on_duty": "actor"}


class Game:
    """One table: the live machine as it stands after each entry."""

    live: Live
    before: Live  # as it stood before the last entry
    layout: Layout

    def __init__(self, counts: Counter[str], houses: Mapping[str, str]) -> None:
        self._counts, self._houses = counts, houses
        self.events: tuple[Event, ...] = ()  # what the last entry says has happened
        self.short: list[Short] = []
        self.text: str | None = None  # the house file
        # Whether another version opened the table: its floor had other rules, its words and clauses may be others.
        self.other_program = False
        self._bought: dict[int, LiveEntry] = {}  # the entries that a correction may name
        # By the entry in which the crew gave every bet back at its stake: how much more the bets were worth.
        self.returns: dict[int, int] = {}
        self._before_void: dict[int, TableState] = {}  # by its entry: the table as it stood when a roll came to nothing

    def priced(self, sequence: int, dice: list[int] | None) -> tuple[int, float] | tuple[None, None]:
        """What a void roll would have brought the bank, or cost it: by its dice, or at worst; and how often it costs.

        In minor units, below nothing where the bank would have paid; none where the game could not be followed so far.
        """
        table = self._before_void.get(sequence)
        if table is None:
            return None, None
        nets = {roll: self._bank(table, roll) for roll in ROLLS}
        net = min(nets.values()) if dice is None else nets[Roll(*dice)]
        return net, sum(each < 0 for each in nets.values()) / len(ROLLS)

    def _bank(self, table: TableState, roll: Roll) -> int:
        events = decide(self.layout, table, Throw(roll))
        if isinstance(events, Refusal):
            return 0
        return sum(more for event in events for there, more in sums(postings(event)).items() if there.name == "bank")

    @property
    def open(self) -> str | None:
        """The roll that is announced and not dealt, if there is one."""
        live = getattr(self, "live", None)
        if live is None or live.announced is None:
            return None
        roll = f"roll {live.announced.roll} of epoch {live.announced.epoch}"
        if live.over == "stopped":
            return f"it stopped after {roll} was announced: it is never dealt"
        return f"{roll} is announced since {live.announced.time}, entry {live.announced.sequence}, and not dealt"

    @property
    def money(self) -> bool:
        return hasattr(self, "live") and self.live.money

    @property
    def book(self) -> Book | None:
        """By which book the table is played, and whether the program has that book too, to the letter."""
        if self.text is None:
            return None
        ours = house_files().get(house := self.layout.book.id)
        same = ours is not None and ours.read_text(encoding="utf-8") == self.text
        return Book(house, sha256(self.text.encode()).hexdigest(), "as here" if same else "other" if ours else "own")

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """Ask the machine what was asked, compare what it would write, and go on by what is written."""
        data = entry.data
        fields = {name: data[name] for name in LiveEntry._fields if name != "line"}
        written = LiveEntry(**fields, line=b"")
        if entry.kind == "table_opened":
            self.events = ()
            yield from self._open(entry)
            self.live = opened(written)
            return
        self.events, self.before = events_of(written), self.live
        yield from self._decided_again(written)
        returned = entry.kind in ("acted", "floor_acted") and entry.body["command"]["kind"] in RETURN_ALL
        if returned and self.live.dice == "fair" and self.live.protocol > 1:
            felt = [wager for seat in self.live.table.seats.values() for wager in seat.felt.values()]
            face = sum(wager.stake - wager.tokens for wager in felt)
            self.returns[written.sequence] = sum(each.chips + each.won for each in self._worth().values()) - face
        if entry.kind == "roll_voided":
            self._before_void[written.sequence] = self.live.table
            self._counts["void_rolls"] += 1
        self._counts["given_rolls"] += entry.kind == "rolled" and self.live.dice == "given"
        self.live = after(self.live, written)
        if any(isinstance(event, ChipsBought | PlayerSat) for event in self.events) or entry.kind == "rolled":
            self._bought[written.sequence] = written

    def _open(self, entry: Entry) -> Iterator[Complaint]:
        body = entry.body
        text = body["house"] if "house" in body else self._houses[entry.data["house"]]
        self.text, self.layout = text, layout_of(text)
        self.other_program = body["program"] != __version__
        if body["dice_set"] != (due := self.layout.book.dice.dice_set.value):
            yield "body.dice_set", f"it is {body['dice_set']}, and the house plays with {due}"
        if body["dice"] not in (("none",) if entry.table == HOUSE_FLOOR else DICE_MODES):
            yield "body.dice", f"{body['dice']} are no dice"

    def _decided_again(self, entry: LiveEntry) -> Iterator[Complaint]:  # noqa: C901 - one way through
        body = entry.body
        if entry.kind == "refused" and (body["command"] is None) == (body["asked"] is None):
            yield "body.asked", f"it says {body['refusal'].get('code')}, and not what was asked for: one thing"
            return
        if entry.kind == "table_restored" and self.live.protocol > 1:
            state, material = State(entry.table, self.layout, self.live), r.Material(worth=self._worth)
            due = restore(state, material, body["epoch"], body["head"], entry.time)[0].draft.body
            yield from self._differ("body.events", body["events"], due["events"])
            return
        request = self._request(entry)
        later = entry.kind == "roll_voided" and self.live.protocol > 1 and not (body.get("silent") or body["events"])
        if request is None or (later and not body["people"]):  # the table stops, and what is up is settled later
            return
        if entry.kind == "refused":
            yield from self._refused(entry, request)
            return
        if entry.role == "player" and request.kind != "command.sit":
            self._counts["own_acts"] += request.data.get("seat") is not None
        self._counts["corrections"] += entry.kind == "corrected" or len(body.get("people", ())) > 1
        if body.get("readings"):
            yield from self._as_promised(body["readings"][0])
        if isinstance(request.act, FloorCommand) and self.other_program:
            return  # by other rules than today's: what it did is gone by
        try:
            if not isinstance(request.act, r.TableAct):
                r.check_words(request)
        except ArgumentError as error:
            yield f"body.command.{error.name}", f"nobody can ask for that: {error}"
        state = State(entry.table, self.layout, self.live, wallets=dict.fromkeys(map(wallet, _payees(request)), ENOUGH))
        if entry.kind == "roll_voided" and not body["people"] and entry.role != "house" and "silent" not in body:
            if body["reason"] not in _failures(state, request):
                yield "body.people", f"{entry.actor} does it, and nobody is named: that is done where a roll failed"
            planned = unsettled(state, request, body["reason"])
        else:
            answers = answer(state, request)
            assert isinstance(answers, list), "without people nobody is refused unwritten"
            planned = answers
        if not planned:
            yield "kind", f"it is {entry.kind}, and the table waits"
            return
        draft = next((each.draft for each in planned if each.draft.kind == entry.kind), planned[0].draft)
        if draft.kind == "refused":
            refusal = draft.body["refusal"]
            yield _field(entry, refusal["code"]), f"the house refuses it: {refusal['code']}, {refusal['message']}"
            return
        if draft.kind != entry.kind:
            field = "body.people" if "people" in body else "kind"
            yield field, f"it is {entry.kind}, and by the house file {draft.kind}"
            return
        for name in ("actor", "role", "key") if entry.kind == "rolled" else ():
            if getattr(entry, name) != (due := getattr(draft, name)):
                yield name, f"the roll was asked for {'under' if name == 'key' else 'by'} {due}"
        self._counts["floor_acts" if entry.kind == "floor_acted" else "acts"] += entry.kind not in READ
        self._counts["settlements"] += sum(isinstance(event, Decision) for event in self.events)
        self._counts["read_rolls"] += entry.kind == "rolled" and body["readings"] is not None
        for name in sorted(draft.body.keys() - {"postings", "commitment"}):  # the books say it, and the promise
            yield from self._differ(f"body.{name}", body.get(name), draft.body[name])

    def _differ(self, name: str, says: Any, own: Any) -> Iterator[Complaint]:  # noqa: ANN401 - whatever stands there
        """Where a field is not what the machine would write; another program may have cited another clause."""
        if isinstance(says, list) and isinstance(own, list) and all(isinstance(each, dict) for each in own):
            for at, (written, due) in enumerate(zip(says, own, strict=False)):
                if written != due and not (self.other_program and _without_clause(written) == _without_clause(due)):
                    yield f"{name}[{at}]", f"it says {written}, and by the house file it is {due}"
            if len(says) != len(own):
                yield name, f"there are {len(says)}, and by the house file {len(own)}"
        elif says != own:
            yield name, f"it says {says}, and by the house file it is {own}"

    def _as_promised(self, first: Mapping[str, Any]) -> Iterator[Complaint]:
        """The first of two readings is as it was committed to before the second was in."""
        reading = self.live.announced.reading if self.live.announced is not None else None
        opened = bytes.fromhex(first["salt"]) + bytes(first["dice"])
        if reading is None or reading.commitment != reading_commitment(opened):
            yield "body.readings[0]", f"{first['actor']} had entered something else, or nothing"

    def _refused(self, entry: LiveEntry, request: r.Request) -> Iterator[Complaint]:
        """Whoever was told no had to be, by the table as it stood then."""
        says = entry.body["refusal"]
        code = says["code"]
        by_other_rules = isinstance(request.act, FloorCommand) and self.other_program
        if by_other_rules or code == "act.failed" or (code in HOUSES_WORD and "roster" in entry.body):
            self._counts["taken_refusals"] += 1
            return
        own = self._due(entry, request, str(code))
        if code == "table.short_wallet" and own is not None and own["code"] == code:
            amount = request.data.get("buyin", request.data.get("amount"))
            self.short.append(Short(entry.sequence, _payees(request)[-1], cast("int", amount)))
        else:
            self._counts["refusals"] += 1
        if own is None:
            yield "body.refusal", f"it says {code}, and the house allows it"
        elif own["code"] != code or own["seat"] != says["seat"]:
            yield "body.refusal", f"it says {code}, and the house says {own['code']}, {own['message']}"
        elif not self.other_program and says != own:
            yield "body.refusal", f"it says {code}, {says['message']!r}, and the house says {own['message']!r}"

    def _due(self, entry: LiveEntry, request: r.Request, code: str) -> dict[str, Any] | None:
        state = State(entry.table, self.layout, self.live)
        if code == "table.loss_limit":  # how much was bought elsewhere the cage knows; of the limit, this table
            wallets = dict.fromkeys(map(wallet, _payees(request)), ENOUGH)
            state = state._replace(wallets=wallets, bought={entry.actor: ENOUGH})
        if code in HOUSE_RULES:
            refusal = rules.broken(state._replace(house=House(Roster())), request)
            return None if refusal is None else to_data(refusal)
        try:
            planned = answer(state, request)
        except ChanceError:
            return None  # nothing stood against it: the house's seed, which nobody has here, was next
        assert isinstance(planned, list), "without people nobody is refused unwritten"
        draft = next((each.draft for each in planned if each.draft.kind == "refused"), None)
        return None if draft is None else cast("dict[str, Any]", draft.body["refusal"])

    def _request(self, entry: LiveEntry) -> r.Request | None:  # noqa: C901 - a case for each kind
        """What somebody asked for, who got this entry; None for what the program does by itself."""
        body = entry.body
        by = r.Ask(entry.actor, entry.role, entry.key or "", entry.time)
        match entry.kind:
            case "refused" if body["command"] is None and _name(body["asked"]) in GONE and self.other_program:
                self._counts["taken_refusals"] += 1
                return None
            case "refused" if body["command"] is None:
                asked = body["asked"] if isinstance(body["asked"], dict) else {body["asked"]: {}}
                ((name, says),) = asked.items()
                return self._own(by, OWN[name], {"dice": Roll(*says)} if isinstance(says, list) else says)
            case "refused" | "acted" | "floor_acted":
                code = body["refusal"]["code"] if entry.kind == "refused" else ""
                from_wallet = "wallet" in body or code in WALLETS
                return _command(by, body["command"])._replace(wallet=from_wallet, reason=body.get("reason", ""))
            case "rolled" | "dice_disagreed" if body["readings"] is not None:
                first, second = body["readings"]
                reading = bytes.fromhex(first["salt"]) + bytes(first["dice"])
                material = r.Material(reading=reading, salt=bytes.fromhex(second["salt"]))
                return _own(by, r.ReadDice(Roll(*second["dice"])), material)
            case "rolled" if self.live.chains:
                return _own(by, r.SettleRoll(), _material(body))
            case "roll_voided" if "silent" in body:
                return _own(by, r.SettleRoll(), _material(body)._replace(worth=self._worth))
            case "bets_closed" if body["asked"] is not None:
                return self._own(r.Ask(**body["asked"], time=entry.time), r.RollDice, {})
            case "table_closed":
                return self._own(by._replace(role=by.role.replace("house", "box")), r.CloseForGood, {})
            case "rolled" if self.live.announced is not None and body["command"]["kind"] == "command.throw":
                return _own(by, r.SettleRoll(), r.Material(dice=Roll(*body["dice"])))
            case "rolled":
                return _command(by, body["command"])
            case "dice_entered":
                return _own(by, r.ReadDice(Roll(1, 1)), r.Material(salt=bytes(SALT_BYTES)))
            case "roll_voided" if len(body["people"]) == 1 and len(body["commands"]) == 1:
                return _command(by, body["commands"][0])
            case "roll_voided" if not body["people"]:
                whoever = by._replace(actor="", role="player")  # the house voids what somebody asked it to settle
                material = _material(body)._replace(lost=body["reason"] or "?", worth=self._worth)
                return _own(whoever, r.SettleRoll(), material)
            case kind if kind in ANSWERS:
                act = ANSWERS[kind]
                second = next((str(each) for each in body.get("people", ()) if each != entry.actor), "")
                says = {**body, "second": second}
                return self._own(by, act, {name: says[name] for name in typed_fields(act) if name in says})
            case _:
                return None

    def _worth(self) -> dict[tuple[int, str], Worth]:
        return worth(self.layout, self.live.table)

    def _own(self, by: r.Ask, act: Any, says: Mapping[str, Any]) -> r.Request:  # noqa: ANN401 - a class of them
        """An act of the table's own with what an entry says of it."""
        of_bytes = {name for name, kind in typed_fields(act).items() if kind is bytes}
        values = {name: bytes.fromhex(value) if name in of_bytes else value for name, value in says.items()}
        material = r.Material(fresh=(UNWRITTEN,), worth=self._worth, entry=self._bought.get(says.get("reverses", 0)))
        return _own(by, act(**dict.fromkeys(of_bytes, UNWRITTEN) | values), material)


def _payees(request: r.Request) -> list[str]:
    """Whose wallet may be opened: the actor's own, or a player's at the cage."""
    player = request.data.get("player") if request.kind.startswith("floor.") else None
    return [request.by.actor, *([folded(player)] if player else ())]


def _name(written: object) -> object:
    return next(iter(written), None) if isinstance(written, dict) else written


def _own(by: r.Ask, act: r.TableAct, material: r.Material = r.NO_MATERIAL) -> r.Request:
    return r.Request(by, act, {"kind": act.kind}, material=material)


def _command(by: r.Ask, data: dict[str, Any]) -> r.Request:
    return r.Request(by, cast("Command | FloorCommand", from_data(data)), data)


def _material(body: Mapping[str, Any]) -> r.Material:
    """What was shown of chains for a roll; nothing where the link was lost."""
    if "link" not in body:
        return r.Material()
    values = {each["person"]: bytes.fromhex(each["value"]) for each in body["hands"]}
    return r.Material(link=bytes.fromhex(body["link"]), values=values)


def _failures(state: State, request: r.Request) -> list[str]:
    """What is said of a roll that failed, by whoever asked for it or by the house that went on with it."""
    asks = (request, request._replace(by=request.by._replace(key="house")))
    return [no("act.failed", "report", report=report_of(state, each)).message for each in asks]


def _field(entry: LiveEntry, code: str) -> str:
    """Where the fault of an entry is that the house would have refused under this code."""
    if code == "table.two_people" and "people" in entry.body:
        return "body.people"
    if code == "table.two_people":
        return "actor" if entry.body.get("readings", entry.kind in READ) else "body.command"
    kinds = {"corrected": "body.reverses", "roll_voided": "body.people", "acted": "body.command"}
    return FIELDS.get(code) or kinds.get(entry.kind, "body.command" if "command" in entry.body else "kind")


def _without_clause(event: Any) -> Any:  # noqa: ANN401 - whatever stands there
    return {name: value for name, value in event.items() if name != "clause"} if isinstance(event, dict) else event


class Books:
    """The accounts of one table beside what lies on it, and what it owes the cage."""

    def __init__(self, counts: Counter[str], game: Game) -> None:
        self._counts, self.game = counts, game
        self.accounts: Accounts = {}
        self.carried = Carried()
        self._stopped = False

    @property
    def open(self) -> str | None:
        """Chips at a table that stopped: nobody was paid for them."""
        table = getattr(self.game, "live", None)
        rails = sum(seat.rail for seat in table.table.seats.values()) if table and self._stopped else 0
        return f"it stopped, and nobody was paid for {rails} that lie on its rails" if rails else None

    def see(self, entry: Entry) -> Iterator[Complaint]:
        live, kind = self.game.live, entry.kind
        self._stopped |= kind == "table_stopped"
        self.carried.names_wallets = not self.game.other_program
        if kind == "table_counted":
            yield from self._counted(entry.body)
        elif kind == "table_closed":
            rails = ((live.wallets.get(number, ""), seat.rail) for number, seat in live.table.seats.items())
            self.carried.unreturned = [(entry.sequence, *each) for each in rails if all(each)]
        self._carry(entry)
        written = entry.body.get("postings")
        if written is not None:
            due = booked(self.game.events)
            for at, (says, own) in enumerate(zip(written, due, strict=False)):
                if says != own:
                    yield f"body.postings[{at}]", f"it is {says}, and the events ask for {own}"
            if len(written) != len(due):
                yield "body.postings", f"there are {len(written)}, and the events ask for {len(due)}"
            yield from post(self.accounts, written)
            self._counts["postings"] += len(written)
            yield from self._compare()

    def _carry(self, entry: Entry) -> None:
        if not is_whole(entry.sequence, 1):
            return  # the chain complains of it
        wallets, paid = self.game.live.wallets, "wallet" in entry.body
        decided = entry.body["floor"] if entry.kind == "floor_acted" else ()
        floor = [cast("FloorEvent", from_data(each)) for each in decided]
        if acts := cage_acts(wallets, self.game.events, floor, bought=paid):
            self.carried.due[entry.sequence] = [(who, amount if act in SPENT else -amount) for act, who, amount in acts]
        moved = list(carried(self.game.events))
        time = str(entry.data["time"])
        if paid and any(amount > 0 for _, amount in moved) and is_time(time):
            actor = str(entry.data["actor"])
            if (most := current(self.game.live.floor, folded(actor), time).loss) is not None:
                self.carried.limited[entry.sequence] = actor, most, time
        if free := [n for seat, n in moved if (not paid if n > 0 else seat not in wallets)]:
            self.carried.free[entry.sequence] = free

    def _compare(self) -> Iterator[Complaint]:
        """What the postings come to is what lies on the table, place by place."""
        lies = on_the_table(self.game.live.table, self.accounts.get("breakage", 0))
        for account in sorted(lies.keys() | self.accounts.keys()):
            if lies.get(account, 0) != self.accounts.get(account, 0):
                has, due = self.accounts.get(account, 0), lies.get(account, 0)
                yield "body.postings", f"{account} comes to {has}, and on the table lie {due}"

    def _counted(self, body: dict[str, Any]) -> Iterator[Complaint]:
        table, floor = self.game.live.table, self.game.live.floor
        line = encode(table._replace(notice=settled_order(table.notice)))
        due = {"state": [line.encode()], "accounts": [canonical(nonzero(self.accounts))]}
        if "floor" in body:  # a count from before there was a floor has none
            due["floor"] = [encode(floor).encode(), *_as_before(floor)]
        for name, lines in due.items():
            digests = [sha256(each).hexdigest() for each in lines]
            if body[name] not in digests:
                yield f"body.{name}", f"it is {body[name]}, and the {name} of this table {digests[0]}"
        self._counts["counts"] += 1


def _as_before(floor: Floor) -> Iterator[bytes]:
    """A floor as 0.2.0.dev1 wrote it, without drawers and floats; and before that without a voucher's issuer."""
    later = ("drawers", "bank", "own_limits", "deposits", "gaming_day")
    data = {name: value for name, value in to_data(floor).items() if name not in later} | {"v": 2}
    yield json.dumps(data, separators=(",", ":")).encode()
    for voucher in data["vouchers"].values():
        del voucher["by"]
    yield json.dumps({**data, "v": 1}, separators=(",", ":")).encode()
