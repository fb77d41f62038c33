"""Who sits at a table of a server: one person, as the terminal wants them, or a strategy that waits for the dice."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import cast, get_args

from passline.client import calls
from passline.client.calls import CONTRADICTED, StreamedEntry, View
from passline.client.clients import Client, ClientTable
from passline.client.hands import Hand
from passline.codec import from_data, to_data
from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.refusals import Answer, Refusal
from passline.engine.table import Notice, TableState
from passline.engine.values import Roll
from passline.errors import CannotBeSeated, JournalError, ServiceError, StrategyError
from passline.files.amounts import whole_number
from passline.house import House
from passline.rulebooks.read import built_in
from passline.sitting.company import Company
from passline.sitting.sitting import Settings, Sitting
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.acting import Acts, Refused
from passline.strategies.player.follower import Follower
from passline.strategies.player.python import PythonStrategy, name_of
from passline.table import Answer as TableAnswer
from passline.table import Moment, Table

REPLAYED_MAX = 5_000  # the most entries that are heard again by whoever sits down
AWAY_S = 5.0  # how long a server may be away before a player is told so

AWAY = "The server cannot be reached: what happens there is told when it is back."

HEARD_S = 30.0  # how long the stream may take to tell of what was answered

# After how long without a word a bot stops waiting for somebody else to throw, and how often it waits at all.
IDLE_S, WAITS_MAX = 60.0, 10
NOBODY = Refusal("dice.nobody_throws", "Whoever has the dice does not throw them, and nobody else may.")


def _ask(table: ClientTable, command: Command) -> calls.Answer | Refusal:
    fields = to_data(command)
    return table.act(fields.pop("kind"), **{name: value for name, value in fields.items() if name != "v"})


class FarTable(Table):
    """A table of a server's: every entry of its stream is an act in the history."""

    def __init__(self, far: ClientTable, view: View) -> None:
        """Hear the evening from its beginning, so that its figures are whole; a very long one from where it stands."""
        here = Table.at(view.position)
        whole = view.sequence <= REPLAYED_MAX
        self._far, self._seen = far, 0 if whole else view.sequence
        self._rolled = 0
        self._events: Queue[StreamedEntry | ServiceError] = Queue()
        self.trouble: ServiceError | None = None  # what is wrong with the line to the server, until it is well again
        self.voids: list[str] = []  # why rolls came to nothing
        Thread(target=self._listen, args=(self._seen,), daemon=True).start()
        opening = self._events.get(timeout=HEARD_S) if whole else None
        if isinstance(opening, ServiceError):
            raise opening
        notice = here.state.notice if opening is None else cast("Notice", from_data(opening.entry["body"]["notice"]))
        super().__init__(here.house, notice=notice)
        self._from_the_start = False
        self._known = self.state if whole else here.state
        self.state = self._known
        self._seen = max(1, self._seen)
        self.hear(view.sequence)

    def _listen(self, after: int) -> None:
        """Follow the table for as long as the server lets us; while it is away, say so and go on trying."""
        client = Client(self._far.client.server, self._far.client.token, patience_s=AWAY_S)
        while True:
            try:
                for event in client.table(self._far.name).events(after):
                    after = event.sequence
                    self._events.put(event)
            except ServiceError as error:
                self._events.put(error)
                if error.status:
                    return

    @property
    def hand(self) -> Hand | None:
        """One's own hand in the dice."""
        return self._far.client.hand(self._far.name)

    def hear(self, upto: int = 0) -> None:
        """Take in what the stream has told: all of it, or up to an entry that is known to come."""
        while not upto or self._seen < upto:
            try:
                event = self._events.get(timeout=HEARD_S if upto else 0.0, block=bool(upto))
            except Empty:
                if upto:
                    raise ServiceError(0, "server.away", "the table does not say what became of that") from None
                return
            self.trouble = event if isinstance(event, ServiceError) else None
            if isinstance(event, StreamedEntry):
                self._take(event)
            elif upto and event.status:
                raise event

    def _take(self, event: StreamedEntry) -> None:
        self._seen = event.sequence
        if event.kind == "roll_voided":
            self.voids += event.sentences[:1]
        events = event.answer.events if "body" in event.entry else ()
        if not events:
            return
        data = event.entry["body"].get("command")
        command = from_data(data) if data else None
        before, self._known = self._known, evolve(self._known, events)
        self.state = self._known
        command_ = command if isinstance(command, get_args(Command)) else c.ReturnAll(event.kind)
        self.history.append(Moment(cast("Command", command_), events, before))

    def _ask(self, command: Command) -> TableAnswer:
        """Ask the server; dice that are sent out are in the air here alone, until they are rolled there."""
        if isinstance(command, c.SendDice):
            decided = decide(self.house.layout, self.state, command)
            if isinstance(decided, Refusal):
                return self._refused(command, decided)
            self.state = evolve(self.state, decided)
            return decided
        if isinstance(command, c.Throw):
            return self._done(self._rolled)
        try:
            got = _ask(self._far, command)
        except ServiceError as error:
            got = Refusal("table.role", error.detail)
        return self._refused(command, got) if isinstance(got, Refusal) else self._done(got.sequence)

    def _done(self, sequence: int) -> TableAnswer:
        """What was done by an entry, once the stream has told of it."""
        before = len(self.history)
        self.hear(sequence)
        return self.history[-1].events if len(self.history) > before else ()

    def roll_there(self, _throw: int) -> Roll:
        """Have the server roll; a refusal is told as of a journal that rolls no dice."""
        try:
            got = self._far.roll()
        except ServiceError as error:
            self.state = self._known
            due = self.state.shooter or self.offered
            theirs = error.code == "permission.missing" and due in self.state.seats
            raise JournalError(f"{self.state.seats[due].name} throws" if theirs and due else error.detail) from None
        if isinstance(got, Refusal) or got.dice is None:
            self.state = self._known
            raise JournalError(got.message if isinstance(got, Refusal) else "the roll came to nothing")
        self._rolled = got.sequence
        return got.dice


class _Nobody(Company):
    """The others are people and decide for themselves."""

    def turn(self) -> None:
        """They bet when they like."""

    def offer_round(self) -> None:
        """They answer for themselves."""

    def find_shooter(self) -> None:
        """The server knows who throws."""


class FarSitting(Sitting):
    table: FarTable

    def __init__(self, table: FarTable, seat: int) -> None:
        super().__init__(table, Settings(seat, 0, "live", practice=False), dice=table.roll_there)
        self.company = _Nobody(table, seat, 0, "live")
        self._followed: tuple[int, ServiceError | None] = len(table.history), None
        self._complaints = 0  # how much of what the house did wrong was told
        self._checked = 0, ""  # the last roll of which it was told that it was checked
        self._voids = len(table.voids)  # how many rolls that came to nothing were told

    @property
    def state(self) -> TableState:
        self._hear()
        return self.table.state

    def _hear(self) -> None:
        """Take in what was told, unless dice are in the air here."""
        if self.table.state.phase == "betting":
            self.table.hear()

    def news(self) -> bool:
        """Whether others did something, or the line to the server broke or is well again; that is told."""
        self._hear()
        seen, trouble = self._followed
        now = self.table.trouble
        self._followed = len(self.table.history), now
        if now is not None and now is not trouble and now.status:
            self.note(f"{now.detail[:1].upper()}{now.detail[1:]}.")
        elif now is not None and trouble is None:
            self.note(AWAY)
        elif now is None and trouble is not None:
            self._log.note("The server is back.", "mine")
        return self._hear_of_dice() or self._followed != (seen, trouble)

    def _hear_of_dice(self) -> bool:
        """Whether something was told of the dice: whose hands are in a roll that was checked, or what is wrong."""
        hand = self.table.hand
        if hand is None:
            return False
        checked, voids, wrong = hand.checked, self.table.voids[self._voids :], hand.wrong[self._complaints :]
        is_new = checked != self._checked
        if is_new:
            self._log.note(checked[1], "mine")
        for each in (*voids, *wrong):
            self.note(each)
        self._checked, self._voids = checked, self._voids + len(voids)
        self._complaints += len(wrong)
        return is_new or bool(voids or wrong)

    def throw(self, roll: Roll | None = None) -> Answer:
        try:
            return self.act(c.Throw(roll or self.dice(0)))
        except JournalError as error:
            return self._no(Refusal("phase.dice_out", f"No dice are rolled: {error}."))

    def undo(self) -> None:
        """What is asked at a live table is done."""
        self.note("At a live table what is asked is done: take it down instead.")

    def redo(self) -> None:
        self.note("At a live table nothing is taken back, so nothing is done again.")

    def save(self) -> Path | None:
        """The server's journal keeps it."""
        return None


def sit_down(client: Client, table: str | None, house: str, name: str, buyin: int | None) -> FarSitting:
    """Sit at a table of a server: the one named, or a practice table."""
    far = client.table(table) if table else client.practice(house, name=name)
    view = far.look()
    if view.house not in built_in():
        raise CannotBeSeated(f"--server: {view.table} plays by {view.house}, whose file is not here")
    seat = take_seat(far, view, buyin)
    return FarSitting(FarTable(far, far.look()), seat)


def take_seat(table: ClientTable, view: View, buyin: int | None) -> int:
    """The seat at a table; whoever has none sits down first, with a hundred minimum bets or so many minor units."""
    if view.seat is not None:
        return view.seat
    notice = Table.at(view.position).state.notice
    usual = 100 * notice.least
    sat = table.act("command.sit", buyin=usual if buyin is None else buyin)
    if isinstance(sat, Refusal):
        raise CannotBeSeated(f"--server: {sat.message}")
    seat = table.look().seat
    assert seat is not None, "whoever sat down sits"
    return seat


# --- A strategy -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Evening:
    """What came of it, in minor units."""

    table: str
    house: str
    began: int
    rail: int = 0
    rolls: int = 0
    refused: dict[str, Refusal] = field(default_factory=dict)  # what the server said no to, by wager

    @property
    def net(self) -> int:
        """Won less lost, wagers still up at face value."""
        return self.rail - self.began


class Bot:
    """One seat that follows a strategy."""

    def __init__(self, table: ClientTable, strategy: Strategy | PythonStrategy, unit: Fraction | None = None) -> None:
        """Look at the table and lay the strategy out on its felt; sit down first where nobody sits."""
        self.table = table
        view = table.look()
        if view.seat is None:
            raise StrategyError(f"{name_of(strategy)} has no seat at {view.table}: sit down first")
        self._seat = view.seat
        self._is_stick = "stick" in view.roles  # who practises has the dice thrown, whoever holds them
        self._follower = Follower(strategy, House(view.house).layout, _state(view), view.seat, unit)
        self._seen = view.sequence  # the last roll that the strategy knows of, or where it began
        self.evening = Evening(view.table, view.house, self._follower.worth, self._follower.worth)

    def play(self, rolls: int, tell: Callable[[calls.Answer, int], None]) -> Evening:
        """Follow the strategy for so many rolls, or until it ends its evening; `tell` hears of each."""
        view = self.table.look()
        while self.evening.rolls < whole_number("rolls", rolls):
            acts = self._follower.act(_state(view))
            refused = self._ask(acts)
            if any(each.refusal is CONTRADICTED for each in refused):
                break
            rolled = None if acts.leaves else self._roll()
            if rolled is None:
                break
            view = self.table.look()
            self._follower.after(acts, refused, tuple(rolled.events), _state(view))
            self.evening.rail = self._follower.worth
            self.evening.rolls += 1
            tell(rolled, self._follower.worth)
        return self.evening

    def _ask(self, acts: Acts) -> list[Refused]:
        """Ask the server for what the strategy wants; what it refuses is kept, and play goes on."""
        refused = []
        for command in acts.commands:
            answer = _ask(self.table, command)
            if isinstance(answer, Refusal):
                self.evening.refused[command.wager] = answer
                refused.append(Refused(command.wager, answer))
        return refused

    def _roll(self) -> calls.Answer | None:
        """The roll after the last one seen: made meanwhile, ours to ask for, or another's; None where nobody throws."""
        for _ in range(WAITS_MAX):
            view = self.table.look()
            is_shared = len(view.state["seats"]) > 1 and not self._is_stick
            if is_shared and (rolled := self._next_roll(view.sequence)) is not None:
                return rolled
            if not is_shared or (view.state["shooter"] or view.state["offered"]) in (None, view.seat):
                try:
                    answer = self.table.roll()
                except ServiceError as error:
                    if error.code != "permission.missing" or not is_shared:
                        raise
                    continue  # somebody else has the dice since that look
                if isinstance(answer, Refusal):
                    self.evening.refused["roll"] = answer
                    return None
                self._seen = answer.sequence
                return answer
            if (rolled := self._next_roll()) is not None:
                return rolled
            self.table.act("command.shoot")  # who has the dice is away: whoever may takes them
        self.evening.refused["roll"] = NOBODY
        return None

    def _next_roll(self, upto: int | None = None) -> calls.Answer | None:
        """The next roll of anybody, up to an entry that is there; else as long as something happens at the table."""
        if upto is not None and upto <= self._seen:
            return None
        for event in self.table.events(self._seen, idle_s=IDLE_S):
            if event.kind == "rolled":
                self._seen = event.sequence
                return event.answer
            if event.sequence == upto:
                break
        return None


def _state(view: View) -> TableState:
    return Table.at(view.position).state
