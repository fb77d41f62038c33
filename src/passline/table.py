"""A table you can talk to: every act asked, answered, remembered and written down."""

from __future__ import annotations

from fractions import Fraction
from operator import index
from os.path import relpath
from typing import TYPE_CHECKING, NamedTuple

from passline.codec.printed import table_json
from passline.engine import commands as c
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.refusals import Answer, Refusal
from passline.engine.shooting import offer
from passline.engine.table import Call, Notice, TableState, open_table
from passline.engine.values import CENTS, Roll
from passline.files.amounts import LARGEST, cents
from passline.house import House
from passline.record.acts import write_act
from passline.record.notice import default_chips, default_notice, read_sign
from passline.record.position import read_position, write_position
from passline.record.record import can_be_written, read, write_record
from passline.rulebooks.read import built_in
from passline.telling.sentences import clauses_of, say, the_sum

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Any

    from passline.engine.book import DiceHabits
    from passline.engine.commands import Command
    from passline.engine.events import Event
    from passline.engine.values import Role
    from passline.files.amounts import Money
    from passline.record.record import Record


class Moment(NamedTuple):
    """One act at a table and what came of it."""

    command: Command
    answer: Answer
    before: TableState

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened; nothing, where the dealers said no."""
        return () if isinstance(self.answer, Refusal) else self.answer


class Table:
    """A craps table in one house.

    >>> table = Table("adelaide")
    >>> _ = table.sit(1, "Ann", 100), table.bet(1, "pass", 10), table.roll(6, 5)
    >>> table.rail(1)
    Fraction(110, 1)
    """

    def __init__(
        self,
        house: House | str | Path = "adelaide",
        *,
        notice: str | Notice = "",
        chips: Iterable[Money] | None = None,
        dice: int | None = None,
    ) -> None:
        """Open a table; `notice` is what its sign says in the words of a record: `min=5 odds=2`."""
        self.house = house if isinstance(house, House) else House(house)
        """Whose rules are played."""
        book = self.house.book
        self.chips: tuple[int, ...] = tuple(map(cents, chips)) if chips is not None else default_chips(book)
        """The chips of the float, in cents."""
        if not self.chips or min(self.chips) <= 0:
            raise ValueError("a float has chips, each worth more than nothing")
        self.notice: Notice = (
            notice if isinstance(notice, Notice) else read_sign(notice, book, default_notice(book, self.chips))
        )
        """What the sign said when the table opened."""
        self.state: TableState = open_table(self.notice, _dice(book.dice, dice))
        """The table as it stands."""
        self.history: list[Moment] = []
        """Every act asked of it, refused ones too."""
        self._from_the_start = True
        self._written: list[tuple[Moment, str]] = []

    @classmethod
    def opened(cls, record: Record) -> Table:
        """The table that a record opens, with nothing played yet."""
        house = House(record.house, record.book)
        return cls(house, notice=record.notice, chips=[Fraction(chip, CENTS) for chip in record.chips])

    @classmethod
    def at(cls, line: str) -> Table:
        """The table that a position line describes, with no history.

        >>> table = Table.at("adelaide | puck=6 shooter=1 | 1 Ann 100 pass=10")
        >>> _ = table.roll(4, 2)
        >>> print(table.position)
        adelaide | puck=off shooter=1 rolled bank=-10 | 1 Ann 120 | was puck=6 bank=0 | was 1 Ann 100 pass=10
        """
        houses: dict[str, House] = {}
        found = read_position(line, lambda name: houses.setdefault(name, House(name)).layout)
        chips = [Fraction(chip, CENTS) for chip in found.chips]
        table = cls(houses[found.house], notice=found.table.notice, chips=chips)
        table.state = found.table
        table._from_the_start = False
        return table

    # --- Asking -----------------------------------------------------------------------------------------------------

    def do(self, command: Command) -> Answer:
        """Ask for any command; the table changes only if the answer is events."""
        before = self.state
        answer = decide(self.house.layout, before, command)
        if not isinstance(answer, Refusal):
            self.state = evolve(before, answer)
        self.history.append(Moment(command, answer, before))
        return answer

    def would(self, command: Command) -> Answer:
        """What `do` would answer; nothing changes."""
        return decide(self.house.layout, self.state, command)

    def undo(self) -> Command | None:
        """Take the last act back, as long as it is a player's own and no dice have gone out since.

        What was refused after it is forgotten with it, for it might not be refused now.
        """
        done = [number for number, moment in enumerate(self.history) if not isinstance(moment.answer, Refusal)]
        if not done or not isinstance(self.history[done[-1]].command, UNDOABLE):
            return None
        moment = self.history[done[-1]]
        del self.history[done[-1] :]
        self.state = moment.before
        return moment.command

    def sit(self, seat: int, name: str, buyin: Money) -> Answer:
        """Take a seat."""
        return self.do(c.Sit(_whole(seat), _word(name), cents(buyin)))

    def buy_in(self, seat: int, amount: Money) -> Answer:
        """Buy more chips."""
        return self.do(c.BuyIn(_whole(seat), cents(amount)))

    def leave(self, seat: int) -> Answer:
        """Leave the table."""
        return self.do(c.Leave(_whole(seat)))

    def bet(self, seat: int, wager: str, amount: Money) -> Answer:
        """Put a wager up, or add to it."""
        return self.do(c.Bet(_whole(seat), wager, cents(amount)))

    def take(self, seat: int, wager: str, leave: Money = 0) -> Answer:
        """Take a wager down, or down to `leave`."""
        return self.do(c.Take(_whole(seat), wager, cents(leave)))

    def call(self, seat: int, wager: str, to: Call) -> Answer:
        """Call a wager `"on"` or `"off"`."""
        if to not in ("on", "off"):
            raise ValueError(f"a wager is called 'on' or 'off', not {to!r}")
        return self.do(c.CallOn(_whole(seat), wager) if to == "on" else c.CallOff(_whole(seat), wager))

    def shoot(self, seat: int) -> Answer:
        """Take the dice."""
        return self.do(c.Shoot(_whole(seat)))

    def dice_out(self) -> Answer:
        """Send the dice out: betting is over until they rest."""
        return self.do(c.SendDice())

    def roll(self, first: int, second: int) -> Answer:
        """Call two dice."""
        return self.do(c.Throw(Roll(_whole(first), _whole(second))))

    def no_roll(self, reason: str, by: Role | None = None) -> Answer:
        """Call the throw void."""
        return self.do(c.CallNoRoll(" ".join(map(_word, reason.split())), by))

    # --- Looking ----------------------------------------------------------------------------------------------------

    @property
    def puck(self) -> int | None:
        """The point, or None while the puck is off."""
        return self.state.puck or None

    @property
    def shooter(self) -> int | None:
        """The seat that holds the dice."""
        return self.state.shooter

    @property
    def offered(self) -> int | None:
        """The seat the stick offers the dice to, while nobody holds them."""
        return offer(self.house.layout, self.state)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened."""
        return tuple(event for moment in self.history for event in moment.events)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Everything the dealers said no to."""
        return tuple(moment.answer for moment in self.history if isinstance(moment.answer, Refusal))

    def rail(self, seat: int) -> Fraction:
        """A player's own chips, in money."""
        return Fraction(self.state.seats[seat].rail, CENTS)

    def up(self, seat: int) -> dict[str, Fraction]:
        """A player's wagers, in money."""
        return {key: Fraction(wager.stake, CENTS) for key, wager in self.state.seats[seat].felt.items()}

    def say(self, event: Event | Refusal, to: int | None = None) -> str:
        """Tell an event or a refusal as the crew would, to nobody in particular or to the player at a seat."""
        if isinstance(event, Refusal):
            return event.message
        return say(self.house.layout, self._before(event), event, to)

    def explain(self, event: Event | Refusal, to: int | None = None) -> str:
        """Why: the sum, and the clauses it rests on."""
        lines = [self.say(event, to)]
        reckoning = None if isinstance(event, Refusal) else the_sum(self.house.layout, event)
        if reckoning:
            lines.append(f"The sum: {reckoning}.")
        lines += [f"{clause}: {self.house.clause(clause).sentence}" for clause in clauses_of(event)]
        return "\n".join(lines)

    def _before(self, event: Event) -> TableState:
        """The table as it stood before an event: a player who has left is still known by name."""
        moments = (moment for moment in reversed(self.history) if any(each is event for each in moment.events))
        moment = next(moments, None)
        return self.state if moment is None else moment.before

    def to_json(self) -> dict[str, Any]:
        """The table as it stands, as a record's last line shows it."""
        return table_json(self.house.layout, self.state)

    @property
    def position(self) -> str:
        """The whole table on one line, which `Table.at` reads back."""
        return write_position(self.house.layout, self.state, self.house.source, self.chips)

    def __repr__(self) -> str:
        return f"Table.at({self.position!r})"

    def record(self, folder: Path | None = None) -> str:
        """The whole game as text that replays to the same chips; refused nonsense that no line can say is left out.

        A house file is named by its way from the folder in which the record will lie.
        """
        if not self._from_the_start:
            raise ValueError("a record begins with an empty table, and this one was set up from a position")
        book, sign, house = self.house.book, default_notice(self.house.book, self.chips), self.house.source
        if folder is not None and house not in built_in():
            house = relpath(house, folder)
        return write_record(house, book, self.notice, self.chips, ()) + "".join(self._lines(sign))

    def _lines(self, sign: Notice) -> list[str]:
        """A line for each act; those written once are kept, for an evening is saved after every roll."""
        kept = self._written
        while kept and (len(kept) > len(self.history) or kept[-1][0] is not self.history[len(kept) - 1]):
            kept.pop()
        for moment in self.history[len(kept) :]:
            refused = isinstance(moment.answer, Refusal)
            says = not refused or can_be_written(moment.command, self.house.book, sign)
            kept.append((moment, write_act(moment.command, self.house.book, sign) + "\n" if says else ""))
        return [line for _, line in kept]


def replay(source: str | Path) -> Table:
    """Play a record, given as its text or as the path of its file: a table at its end, ready to go on."""
    record = read(source)
    table = Table.opened(record)
    for act in record.acts:
        table.do(act.command)
    return table


UNDOABLE = (c.Bet, c.Take, c.CallOn, c.CallOff)
"""What a player may think better of before the dice go out."""


# --- At the door ----------------------------------------------------------------------------------------------------


def _whole(number: int) -> int:
    """A whole number as Python's own, whoever made it; what only looks like one is an error of the caller's."""
    if type(number) is int and -LARGEST < number < LARGEST:  # what a table is handed most
        return number
    try:
        whole = None if isinstance(number, bool) else index(number)
    except TypeError:
        whole = None
    if whole is None:
        raise TypeError(f"{number!r} is no whole number")
    if abs(whole) > LARGEST:
        raise ValueError("no table has a number with so many digits")
    return whole


def _word(text: str) -> str:
    """A word that a record can keep."""
    if len(text.split()) != 1 or not text.isprintable() or "#" in text or text != text.strip():
        raise ValueError(f"{text!r} is not one word without a #, and a record could not keep it")
    return text


def _dice(habits: DiceHabits, dice: int | None) -> int:
    """The set of dice a table opens with, as many as the house wants."""
    wanted, most = habits.dice_set.value, habits.dice_set_max.value
    count = wanted if dice is None else dice
    if count < wanted or (most is not None and count > most):
        raise ValueError(f"the table opens with {wanted} dice, not {count} ({habits.dice_set.clause})")
    return count
