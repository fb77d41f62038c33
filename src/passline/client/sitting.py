"""One person at a table of a server, as the terminal wants them: acts go there, and what happened comes back."""

from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import cast, get_args

from passline.client.calls import StreamedEntry, View
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
from passline.errors import CannotBeSeated, JournalError, ServiceError
from passline.rulebooks.read import built_in
from passline.sitting.company import Company
from passline.sitting.sitting import Settings, Sitting
from passline.table import Answer as TableAnswer
from passline.table import Moment, Table

REPLAYED_MAX = 5_000  # the most entries that are heard again by whoever sits down
AWAY_S = 5.0  # how long a server may be away before a player is told so

AWAY = "The server cannot be reached: what happens there is told when it is back."

HEARD_S = 30.0  # how long the stream may take to tell of what was answered


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
        data = to_data(command)
        try:
            got = self._far.act(data.pop("kind"), **{name: value for name, value in data.items() if name != "v"})
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
