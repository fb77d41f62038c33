"""One person at a table: what they see, and everything they may ask for."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from passline.engine import commands as c
from passline.engine import settle, shooting
from passline.engine.commands import Command
from passline.engine.events import DiceThrown, WagerDown, WagerWon
from passline.engine.layout import Layout
from passline.engine.postings import brought, postings
from passline.engine.refusals import Answer, Refusal
from passline.engine.table import Seat, TableState, Wager
from passline.engine.values import ROLLS, Roll
from passline.errors import CannotBeSaved, CannotBeSeated, JournalError
from passline.files.reading import decoded, read_bytes
from passline.files.whole import write_whole
from passline.floor.acts import YOU
from passline.house import House
from passline.record.record import RECORD_BYTES_MAX
from passline.sitting import amounts
from passline.sitting.company import BY_NAME, Company
from passline.sitting.log import Log, LogLine, Settlement, is_gone
from passline.sitting.orders import Order, Question, Rail, Won
from passline.sitting.reckoning import Reckoning, reckon
from passline.sitting.talk import talk
from passline.strategies.player.follower import Guest
from passline.table import UNDOABLE, Table, replay
from passline.telling.figures import counted
from passline.telling.names import as_spoken
from passline.telling.sentences import cited_after, no
from passline.telling.stick import call

if TYPE_CHECKING:
    from passline.sitting.keeping import Keeping

DEFAULT = "evening.craps"
REMARK = re.compile(r"# passline play: seat (\d{1,9}), (\d{1,9}) others, seed (\S+)( practice)?( real dice)?")
Dice = Callable[[int], Roll]  # Gives the throw of a number: 0 is the first of the evening
# A byte below this falls on each of the 36 throws equally often; others are drawn again.
FAIR_BYTES = 256 // len(ROLLS) * len(ROLLS)
TYPED = re.compile(r"\s*(\d+)\s*[-, ]?\s*(\d+)\s*")


def shaken(_throw: int) -> Roll:
    """Two random dice; `randbelow` keeps all 36 throws equally likely."""
    return ROLLS[secrets.randbelow(len(ROLLS))]


def seeded(seed: str) -> Dice:
    """The same dice every time for the same seed, on every machine."""

    def dice(throw: int) -> Roll:
        bytes_ = chain.from_iterable(sha256(f"passline play {seed} {throw} {n}".encode()).digest() for n in count())
        return ROLLS[next(byte for byte in bytes_ if byte < FAIR_BYTES) % len(ROLLS)]

    return dice


def read_faces(text: str) -> Roll:
    """Read the faces of real dice as people type them: `4-2`, `4 2`, `42`.

    >>> read_faces("42"), read_faces("6-6")
    (Roll(first=4, second=2), Roll(first=6, second=6))
    """
    match = TYPED.fullmatch(text) if text.isascii() else None
    if match is None:
        raise ValueError(f"{text.strip() or 'nothing'!r} is not two dice; type their faces, such as 4-2")
    digits = match.group(1) + match.group(2)
    faces = (digits[0], digits[1]) if len(digits) == 2 else match.groups()
    roll = Roll(*(int(face[:6]) for face in faces))
    if not roll.is_possible:
        raise ValueError(f"a die shows 1 to 6, not {next(face for face in roll if not 1 <= face <= 6)}")
    return roll


class Settings(NamedTuple):
    """What a record says beside the play, in a comment: who is the person, and where luck comes from."""

    me: int
    others: int
    seed: str
    practice: bool
    typed: bool = False

    def __str__(self) -> str:
        dice = " practice" * self.practice + " real dice" * self.typed
        return f"# passline play: seat {self.me}, {self.others} others, seed {self.seed}{dice}"


class Sitting:
    """A person at a table with others; every act goes through the table's own commands."""

    def __init__(
        self,
        table: Table,
        settings: Settings,
        *,
        dice: Dice | None = None,
        path: Path | None = None,
        guests: Sequence[Guest] = (),
    ) -> None:
        """Sit at a table that is open; without `dice` they are shaken, or follow the seed in practice."""
        self.table, self.layout = table, table.house.layout
        self.settings, self.path = settings, path
        self.me, _, _, self.practice, self.typed = settings
        self._log = Log(table, settings.me)
        size = settings.others + len(guests)
        self.company = Company(table, settings.me, size, settings.seed, guests, self._log.note)
        self.dice: Dice = dice or (seeded(settings.seed) if settings.practice else shaken)
        self.keeping: Keeping | None = None
        self.left = self.unrolled = self.keeps_line = False
        self._thrown: int | None = None  # how often dice were called; counted before the first throw
        self._undone: list[Command] = []
        self.currency = ""
        self.question: Question | None = None

    @classmethod
    def open(  # noqa: PLR0913 - a sitting is set up once, by name
        cls,
        house: House,
        *,
        name: str = YOU,
        buyin: int | None = None,
        notice: str = "",
        others: int = 2,
        seed: str | None = None,
        dice: Dice | None = None,
        typed: bool = False,
        path: Path | None = None,
        guests: Sequence[Guest] = (),
    ) -> Sitting:
        """Open a table in a house and sit down at it with others: guests, who follow strategies, and regulars."""
        luck = seed or secrets.token_hex(4)
        settings = Settings(1, others, luck, practice=seed is not None, typed=typed)
        sitting = cls(Table(house, notice=notice), settings, dice=dice, path=path, guests=guests)
        sitting._sit(name, buyin)
        sitting.company.arrive()
        sitting.company.turn()
        return sitting

    @classmethod
    def resume(  # noqa: PLR0913 - as above
        cls,
        source: Path,
        *,
        path: Path | None = None,
        buyin: int | None = None,
        dice: Dice | None = None,
        typed: bool = False,
        guests: Sequence[Guest] = (),
    ) -> Sitting:
        """Go on where a record ends: the same chips, the same people, the same luck to come.

        A record that somebody wrote by hand stays as it is; the evening is then kept beside it. Who left sits again.
        Guests have to be named again, for a record that could name Python would run whatever a stranger wrote.
        """
        table = replay(source)
        remark = REMARK.search(decoded(read_bytes(source, RECORD_BYTES_MAX)))
        if remark is None:
            settings = _guessed(table.state)
        else:
            me, others, seed, practice, real = remark.groups()
            settings = Settings(int(me), int(others), seed, bool(practice), bool(real))
        there = table.state.seats.get(settings.me)
        gone = there is None or there.away
        if gone:
            seats = table.state.seats
            settings = settings._replace(me=next(seat for seat in range(1, len(seats) + 2) if seat not in seats))
        sitting = cls(table, settings._replace(typed=typed or settings.typed), dice=dice, path=path, guests=guests)
        sitting._log.note(f"Resumed from {source.name}: {counted(len(sitting.rolls), 'roll')} played.", "mine")
        if gone:
            sitting._sit(YOU, buyin)
            sitting.note(f"You had left this table: you sit down again and buy {sitting.layout.money(sitting.rail)}.")
        sitting.company.welcome()
        if path is None and remark:
            sitting.path = source
        elif path is None:
            sitting.keep_beside(source)
        return sitting

    def _sit(self, name: str, buyin: int | None) -> None:
        least = self.state.notice.least
        wanted = self.usual_buyin if buyin is None else buyin
        complaint = amounts.not_sold(self.layout, self.state, wanted, least)
        if complaint:
            raise CannotBeSeated(f"--buyin: found {self.layout.money(wanted)}; expected {complaint}")
        self.table.do(c.Sit(self.me, name, wanted))

    @property
    def log(self) -> list[LogLine]:
        return self._log.listen().entries

    @property
    def settlements(self) -> list[Settlement]:
        """Every roll with what it did to the person's wagers, oldest first."""
        return self._log.listen().settlements

    @property
    def rolls(self) -> list[DiceThrown]:
        return [settlement.thrown for settlement in self.settlements]

    @property
    def state(self) -> TableState:
        return self.table.state

    def news(self) -> bool:
        """Whether something has happened that nobody here did; where nobody else can ask, nothing does."""
        return False

    @property
    def seat(self) -> Seat | None:
        return self.state.seats.get(self.me)

    @property
    def felt(self) -> Mapping[str, Wager]:
        return self.seat.felt if self.seat else {}

    @property
    def rail(self) -> int:
        return self.seat.rail if self.seat else 0

    @property
    def on_table(self) -> int:
        return amounts.on_felt(self.seat) if self.seat else 0

    @property
    def stick(self) -> str:
        rolls = self.rolls
        if self.state.phase == "dice out":
            return "Dice are out, hands high"
        return call(self.layout, rolls[-1]) if rolls else "Bets down, please; the dice are coming out"

    @property
    def offered(self) -> bool:
        return self.state.phase == "betting" and self.table.offered == self.me

    @property
    def alone(self) -> bool:
        """Whether nobody else could take the dice."""
        return all(number == self.me or seat.away for number, seat in self.state.seats.items())

    @property
    def undecided(self) -> bool:
        """Whether the dice wait for the person's yes or no: others could throw, and no line bet says yes."""
        return self.offered and not self.alone and not shooting.has_line_bet(self.layout, self.state, self.me)

    def note(self, text: str) -> None:
        self._log.note(text)

    def works(self, key: str) -> bool:
        """Whether the person's wager on a spot can win or lose on the next roll."""
        return settle.works(self.layout.spots[key], self.felt[key], self.state.puck)

    def beside(self, key: str) -> int:
        return sum(1 for number, seat in self.state.seats.items() if number != self.me and key in seat.felt)

    def money(self, amount: int) -> str:
        """The person's own money, with the sign they want before it: `$500`."""
        return f"{self.currency}{self.layout.money(amount)}"

    def reckoning(self) -> Reckoning:
        return reckon(self.table, self.me)

    def act(self, command: Command) -> Answer:
        """Ask for something; a refusal is told and changes nothing, not even the record."""
        answer = (self.keeping and self.keeping.refuses(command)) or self.table.would(command)
        if isinstance(answer, Refusal):
            return self._no(answer)
        if not answer and isinstance(command, c.Shoot):  # taken by the book, and without effect
            self.note("You have the dice already.")
        self._undone.clear()
        return self.table.do(command)

    def say(self, text: str) -> Order:
        """Talk to the dealers: what they understand is done, what they ask waits for the answer in `asked`."""
        order = talk(self.at_the_rail(), text, self.question.line if self.question else "")
        self.question = order.question
        if self.question:
            self._log.note(self.question.asks, "asks")
        for command in order.commands:
            if not isinstance(self.act(command), Refusal):
                self.after(command)
        for refused in order.refused:
            self._no(refused)
        for line in order.says if order.understood else ():
            self._log.note(line, "mine")
        return order

    def at_the_rail(self) -> Rail:
        last = self.settlements[-1].mine if self.settlements else ()
        down = self._taken_down()  # whatever stands there now is another bet
        paid = (event for event in last if isinstance(event, WagerWon) and event.wager not in down)
        nets = ((event, brought(postings(event), self.me)) for event in paid)
        won: dict[str, Won] = {event.wager: Won(event.stake, net, event.stays) for event, net in nets}
        taken = self._log.decided if any(map(is_gone, last)) or not won else {}
        return Rail(self.layout, self.state, self.me, won, taken, self._log.hardways)

    def _taken_down(self) -> set[str]:
        """The person's wagers that came down since the last roll."""
        down: set[str] = set()
        for moment in reversed(self.table.history):
            if any(isinstance(event, DiceThrown) for event in moment.events):
                break
            mine = (event for event in moment.events if isinstance(event, WagerDown) and event.seat == self.me)
            down |= {event.wager for event in mine if not event.left}
        return down

    def _no(self, refused: Refusal) -> Refusal:
        self.note(as_spoken(self.layout, no(self.state, refused, self.me)) + cited_after(refused))
        return refused

    def undo(self) -> Command | None:
        """Take back the person's own last act since the dice last rested; or a roll of real dice, if mistyped."""
        done = next((moment for moment in reversed(self.table.history) if moment.events), None)
        if done is None or not isinstance(done.command, UNDOABLE) or done.command.seat != self.me:
            return self._unroll() if self.typed else None
        self._log.listen()
        undone = self.table.undo()
        assert undone is not None, "an act that could be undone was not"
        self._undone.append(undone)
        self._log.note(f"Taken back: {in_words(self.layout, undone)}.", "mine")
        return undone

    def _unroll(self) -> Command | None:
        """Take the last typed roll back, with what the others did since; the dice are then out again."""
        thrown = [at for at, moment in enumerate(self.table.history) if isinstance(moment.command, c.Throw)]
        if not thrown or self.state.phase != "betting":
            return None
        moment = self.table.history[thrown[-1]]
        assert isinstance(moment.command, c.Throw), "a throw is a throw"
        del self.table.history[thrown[-1] :]
        self.table.state = moment.before
        self._log, self._thrown = Log(self.table, self.me), None
        self._undone.clear()
        first, second = moment.command.roll
        self._log.note(f"Taken back: the roll {first}-{second}. The dice are out again.", "mine")
        return moment.command

    def redo(self) -> Command | None:
        if not self._undone:
            return None
        *waiting, command = self._undone
        answer = self.act(command)
        self._undone = waiting
        return None if isinstance(answer, Refusal) else command

    def rebuy(self, amount: int) -> Answer:
        complaint = amounts.not_sold(self.layout, self.state, amount)
        if complaint:
            return self._no(Refusal("amount.not_chips", f"The cage sells {complaint}.", None, self.me))
        return self.act(c.BuyIn(self.me, amount))

    def leave(self) -> Answer:
        """Leave the table: what may come down does, the rest runs on."""
        if self.state.phase == "betting" and self.on_table:
            self.say("take me down")
        answer = self.act(c.Leave(self.me))
        self.left = self.left or not isinstance(answer, Refusal)
        return answer

    @property
    def usual_buyin(self) -> int:
        return 100 * self.state.notice.least

    def send(self) -> Answer:
        """Send the dice out to whoever throws; they stay in the air until `throw`.

        Dice that are on offer are taken with a line bet up; without one the person says first what they want.
        """
        if self.undecided:
            return self._no(Refusal("dice.no_shooter", "The dice are offered to you: take or decline them first."))
        self.question = None  # what the dealers asked was about the bets before this roll
        if self.state.phase == "betting":
            self.company.find_shooter()
        return self.act(c.SendDice())

    def throw(self, roll: Roll | None = None) -> Answer:
        """Let the dice come to rest: on the faces typed, or as the dice fall."""
        if roll is None:
            if self.typed:
                raise ValueError("with real dice the faces are typed")
            if self._thrown is None:
                self._thrown = sum(isinstance(moment.command, c.Throw) for moment in self.table.history)
            try:
                roll = self.dice(self._thrown)
            except JournalError as error:
                return self._no(Refusal("phase.dice_out", f"No dice are thrown that the journal cannot keep: {error}."))
        answer = self.act(c.Throw(roll))
        if self._thrown is not None and not isinstance(answer, Refusal):
            self._thrown += 1
        return answer

    def rested(self) -> None:
        """A roll is settled: the others have their turn, and the record is kept."""
        if not self.left:
            self._line_again()
            self.company.turn()
        try:
            self.save()
        except OSError as error:
            self.note(str(error))

    def _line_again(self) -> None:
        """Have a line bet that was paid stand for the next come-out, where the person wants that."""
        for event in self.settlements[-1].mine if self.keeps_line and self.settlements else ():
            if isinstance(event, WagerWon) and not event.stays and self.layout.spots[event.wager].is_line:
                self.act(c.Bet(self.me, event.wager, event.stake))

    def after(self, command: Command) -> None:
        """What follows an act of the crew's that the person called: a settled throw, dice that changed hands."""
        if isinstance(command, c.CockedDie | c.RuleFace | c.WatchThrow) and self.state.phase == "betting":
            self.rested()
        elif isinstance(command, c.PassDice | c.Decline):
            self.company.offer_round()

    def text(self) -> str:
        """The whole record, with the settings in a comment under its first line."""
        head, _, rest = self.table.record((self.path or Path("x")).absolute().parent).partition("\n")
        return f"{head}\n{self.settings}\n{rest}"

    def keep_beside(self, wanted: Path) -> None:
        """Keep the record from now on under the first name that is free: `evening.craps`, `evening-2.craps`."""
        for number in count(1):
            self.path = wanted if number == 1 else wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
            with suppress(FileExistsError):
                self._write(self.path, new=True)
                return

    def _write(self, path: Path, *, new: bool = False) -> None:
        """Write the record: a reader finds the old one or the new one, never half; a `new` one never replaces any."""
        try:
            write_whole(path, self.text(), new=new)
        except FileExistsError:
            raise
        except OSError as error:
            raise CannotBeSaved(f"{path} cannot be written: {error.strerror or error}") from error

    def save(self) -> Path | None:
        if self.path is not None:
            self._write(self.path)
        if self.keeping is not None:
            self.keeping.save()
        return self.path

    def keep_in(self, keeping: Keeping) -> None:
        """Keep the evening in a journal too; dice that are shaken are drawn by it."""
        self.keeping = keeping
        if keeping.live.live.dice == "fair":
            self.dice = keeping.dice


def in_words(layout: Layout, command: Command) -> str:
    """A player's own act in a few words: `10 on Pass Bet`."""
    assert isinstance(command, UNDOABLE), "only a player's own acts are taken back"
    name = layout.spots[command.wager].name
    if isinstance(command, c.Bet):
        return f"{layout.money(command.amount)} on {name}"
    return {c.Take: f"taking {name} down", c.CallOn: f"{name} on", c.CallOff: f"{name} off"}[type(command)]


def _guessed(table: TableState) -> Settings:
    """Who is who in a record that does not say: the first seat that is no regular's is the person's."""
    strangers = [number for number, seat in table.seats.items() if seat.name not in BY_NAME]
    others = len(table.seats) - len(strangers)
    return Settings(next(iter(strangers), 1), others, secrets.token_hex(4), practice=False)
