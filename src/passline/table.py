"""A table you can talk to: every act asked, answered, remembered and written down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from os import PathLike
from os.path import relpath
from pathlib import Path
from random import Random
from secrets import randbelow
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

from passline.engine import commands as c
from passline.engine.book import DiceHabits
from passline.engine.commands import Command
from passline.engine.decide import decide
from passline.engine.events import Event
from passline.engine.evolve import evolve
from passline.engine.refusals import Refusal
from passline.engine.shooting import offer
from passline.engine.table import Call, DieMove, Notice, Seat, TableState, Wager, open_table
from passline.engine.values import CENTS, ROLLS, Role
from passline.errors import (
    FOUND_MAX,
    ArgumentError,
    ArgumentTypeError,
    CannotBeSaved,
    QuestionError,
    RefusedError,
    short,
    short_repr,
)
from passline.files.amounts import Money, cents, float_of, positive, whole_number
from passline.files.arguments import instance, one_of
from passline.house import House, open_house
from passline.record.acts import write_act
from passline.record.arguments import (
    By,
    a_number,
    a_pair,
    a_reason,
    a_reason_before_by,
    a_role,
    a_roll,
    a_wager,
    a_word,
    check_command,
    the_roles,
)
from passline.record.notice import default_chips, default_notice, sign_of
from passline.record.position import read_position, write_position
from passline.record.record import TABLE_EVERY, No, Record, can_be_written, read, write_record
from passline.record.record import Moment as Moment  # noqa: PLC0414 - others have it from here
from passline.record.results import Results, results_of
from passline.rulebooks.read import built_in
from passline.telling.names import nearest_key
from passline.telling.sentences import clauses_of, no, say, the_sum

if TYPE_CHECKING:  # a first table waits for no strategy
    from passline.strategies.language.strategy import Strategy
    from passline.strategies.player.acting import Acts, Refused
    from passline.strategies.player.follower import Follower
    from passline.strategies.player.python import PythonStrategy

Answer = tuple[Event, ...] | No
"""What happened, or why nothing did: false then, and whoever goes through it gets the refusal as an error."""

_new = tuple.__new__
"""Makes a moment in one call; its own way in is a second one."""

EVENTS = frozenset(get_args(Event))
TENDERS: tuple[c.Tender, ...] = get_args(c.Tender)
THROWS: Mapping[tuple[object, object], c.Throw] = {roll: c.Throw(roll) for roll in ROLLS}
"""The command of every throw, for a table is asked for little else."""


class Table:
    """A craps table in one house.

    >>> table = Table("adelaide")
    >>> _ = table.sit(1, "Ann", 100), table.bet(1, "pass", 10), table.roll(6, 5)
    >>> table.rail(1)
    Fraction(110, 1)
    """

    def __init__(  # noqa: PLR0913 - what is rarely said is said by name
        self,
        house: House | str | Path = "adelaide",
        *,
        notice: str | Notice = "",
        chips: Iterable[Money] | None = None,
        dice: int | None = None,
        seed: int | None = None,
        strict: bool = False,
        keep: int | None = None,
    ) -> None:
        """Open a table; `notice` is what its sign says in the words of a record: `min=5 odds=2`.

        What is handed in, `rail` and `up` are money: 5 is five dollars. What the engine keeps, the amounts of events,
        commands, `notice`, `chips` and `state`, is whole cents; `money` says what they come to. A `strict` table raises
        `RefusedError` where another answers with a refusal, which is false. `keep` is how many acts `history` goes back
        at most; a game of which not all is kept has no `record` and no `results`. With a `seed` the dice fall the same
        way again; without one nobody can foretell them. `dice` is how many dice lie in the bowl.
        """
        self.house = open_house(house)
        """Whose rules are played."""
        self._layout = self.house.layout
        book = self.house.book
        self.chips: tuple[int, ...] = default_chips(book) if chips is None else float_of(chips)
        """The chips of the float, in cents."""
        self.notice: Notice = sign_of(notice, book, self.chips)
        """What the sign said when the table opened; its amounts are cents."""
        self.state: TableState = open_table(self.notice, _set_of_dice(book.dice, dice))
        """The table as it stands; its amounts are cents."""
        self.history: list[Moment] = []
        """Every act asked of it, refused ones too."""
        self._drawn: Callable[[int], int] = randbelow
        if seed is not None:
            self._drawn = Random(whole_number("seed", seed, least=0)).randrange  # noqa: S311 - somebody wants them again
        self._strict = instance("strict", strict, bool, "True or False")
        self._keep = None if keep is None else whole_number("keep", keep, least=0)
        self._up: dict[int, tuple[Mapping[str, Wager], Mapping[str, Fraction]]] = {}
        self._followers: dict[int, Follower] = {}
        self._last: Moment | None = None
        self._after: TableState | None = None
        """The table as the last act left it."""
        self._from_the_start, self._forgets = True, False
        self._written: tuple[list[Moment], list[str]] = [], []

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what is worked out again when somebody looks."""
        return {**self.__dict__, "_up": {}}

    @classmethod
    def opened(cls, record: Record) -> Table:
        """The table that a record opens, with nothing played yet."""
        instance("record", record, Record, "a Record; `replay` takes text or the path of a file")
        house = House(record.house, book=record.book)
        return cls(house, notice=record.notice, chips=[Fraction(chip, CENTS) for chip in record.chips])

    @classmethod
    def at(cls, line: str) -> Table:
        """The table that a position line describes, with no history.

        >>> table = Table.at("adelaide | puck=6 shooter=1 | 1 Ann 100 pass=10")
        >>> _ = table.roll(4, 2)
        >>> print(table.position)  # doctest: +ELLIPSIS
        adelaide | puck=off shooter=1 rolled bank=-10 | 1 Ann 120 | was puck=6 ...
        """
        line = instance("line", line, str, "a position line, such as 'adelaide | puck=6 shooter=1 | 1 Ann 100 pass=10'")
        houses: dict[str, House] = {}
        position = read_position(line, lambda name: houses.setdefault(name, House(name)).layout)
        _check_names(position.table)
        chips = [Fraction(chip, CENTS) for chip in position.chips]
        table = cls(houses[position.house], notice=position.table.notice, chips=chips)
        table.state = position.table
        table._from_the_start = False
        return table

    # --- Asking -----------------------------------------------------------------------------------------------------

    def do(self, command: Command) -> Answer:
        """Ask for any command; the table changes only if the answer is events. Amounts of a command are cents."""
        check_command(command)
        return self._ask(command)

    def _ask(self, command: Command) -> Answer:
        """Ask for a command that was checked."""
        before = self.state
        decided = decide(self._layout, before, command)
        if isinstance(decided, tuple):
            self.state = evolve(before, decided)
        answer = decided if isinstance(decided, tuple) else self._refused(command, decided)
        self._append(command, answer, before)
        if self._strict and isinstance(answer, Refusal):
            raise RefusedError(answer)
        return answer

    def _append(self, command: Command, answer: Answer, before: TableState) -> None:
        """Remember an act; the whole table only now and then, for the collector walks a long history often."""
        history, last = self.history, self._last
        follows = len(history) % TABLE_EVERY and before is self._after and history[-1] is last
        moment: Moment = _new(Moment, (command, answer, last if follows else before))
        history.append(moment)
        self._last, self._after = moment, self.state
        if self._keep is not None and len(history) > self._keep:
            self._from_the_start, self._forgets = False, True
            if len(history) > 2 * self._keep:
                del history[: len(history) - self._keep]

    def would(self, command: Command) -> Answer:
        """What `do` would answer; nothing changes."""
        check_command(command)
        answer = decide(self.house.layout, self.state, command)
        return self._refused(command, answer) if isinstance(answer, Refusal) else answer

    def _refused(self, command: Command, refused: Refusal) -> No:
        """Why the dealers say no; where a wager was misspelt, with the name that may have been meant."""
        if refused.code != "wager.not_offered" or not isinstance(command, OF_A_WAGER):
            return No(refused.code, refused.message, refused.clause, refused.seat)
        message = refused.message.replace(command.wager, short(command.wager))
        if near := nearest_key(self.house.layout, command.wager[:FOUND_MAX]):
            message += f" Did you mean {near}?"
        return No(refused.code, message, refused.clause, refused.seat)

    def undo(self) -> Command | None:
        """Take the last act back, as long as it is a player's own and no dice have gone out since.

        What was refused after it, or changed nothing, is forgotten with it, for it might do something now.
        """
        last = max((number for number, moment in enumerate(self.history) if moment.events), default=None)
        if last is None or not isinstance((moment := self.history[last]).command, UNDOABLE):
            return None
        del self.history[last:]
        self.state = moment.before
        return moment.command

    # --- A player asks ----------------------------------------------------------------------------------------------

    def sit(self, seat: int, name: str, buyin: Money) -> Answer:
        """Take a seat."""
        return self._ask(c.Sit(a_number("seat", seat), a_word("name", name), cents(buyin, "buyin")))

    def buy_in(self, seat: int, amount: Money) -> Answer:
        """Buy more chips."""
        return self._ask(c.BuyIn(a_number("seat", seat), cents(amount)))

    def tokens(self, seat: int, amount: Money, by: Role | None = None, flaw: str | None = None) -> Answer:
        """Change a voucher into promotional tokens; a `flaw` says why its conditions do not allow it."""
        why = None if flaw is None else a_reason_before_by("flaw", flaw)
        return self._ask(c.TakeTokens(a_number("seat", seat), cents(amount), a_role(by), why))

    def leave(self, seat: int) -> Answer:
        """Leave the table."""
        return self._ask(c.Leave(a_number("seat", seat)))

    def bet(  # noqa: PLR0913 - what is rarely said is said by name
        self, seat: int, wager: str, amount: Money, *, tender: c.Tender = "chips", by: By = None, tokens: Money = 0
    ) -> Answer:
        """Put a wager up, or add to it; spoken or in cash, where that is said and somebody confirmed it."""
        if _is_plain(tender, by, tokens):  # what is said most
            return self._ask(c.Bet(a_number("seat", seat), a_wager(wager), cents(amount)))
        key, spoken = a_wager(wager), one_of("tender", tender, TENDERS)
        chips, promotional = cents(amount), cents(tokens, "tokens")
        bet = c.Bet(a_number("seat", seat), key, chips, tender=spoken, by=the_roles(by), tokens=promotional)
        return self._ask(bet)

    def late(self, seat: int, wager: str, amount: Money, by: By = (), tokens: Money = 0) -> Answer:
        """Bet while the dice are in the air, confirmed aloud by these."""
        confirmed, promotional = the_roles(by) or (), cents(tokens, "tokens")
        return self._ask(c.LateBet(a_number("seat", seat), a_wager(wager), cents(amount), confirmed, promotional))

    def find(self, seat: int, wager: str, amount: Money) -> Answer:
        """Find chips on the layout that nobody checked when they went down."""
        return self._ask(c.FindBet(a_number("seat", seat), a_wager(wager), cents(amount)))

    def take(self, seat: int, wager: str, leave: Money = 0) -> Answer:
        """Take a wager down, or down to `leave`."""
        return self._ask(c.Take(a_number("seat", seat), a_wager(wager), cents(leave, "leave")))

    def call(self, seat: int, wager: str, to: Call, by: By = None) -> Answer:
        """Call a wager `"on"` or `"off"`; `by` is who put the button down for "on"."""
        if one_of("to", to, get_args(Call)) == "on":
            return self._ask(c.CallOn(a_number("seat", seat), a_wager(wager), the_roles(by)))
        return self._ask(c.CallOff(a_number("seat", seat), a_wager(wager)))

    def shoot(self, seat: int) -> Answer:
        """Take the dice."""
        return self._ask(c.Shoot(a_number("seat", seat)))

    def decline(self, seat: int) -> Answer:
        """Say no to the dice."""
        return self._ask(c.Decline(a_number("seat", seat)))

    def pass_dice(self, seat: int) -> Answer:
        """Give the dice up by choice."""
        return self._ask(c.PassDice(a_number("seat", seat)))

    def choose(self, seat: int, first: int, second: int) -> Answer:
        """Pick two dice of those in the bowl, by their numbers."""
        return self._ask(c.ChooseDice(a_number("seat", seat), (a_number("first", first), a_number("second", second))))

    # --- The crew acts ----------------------------------------------------------------------------------------------

    def dice_out(self) -> Answer:
        """Send the dice out: betting is over until they rest."""
        return self._ask(c.SendDice())

    def roll(self, first: int | str | tuple[int, int] | None = None, second: int | None = None) -> Answer:
        """Call two dice as they lie, as `roll(4, 2)`, `roll("4-2")` or a pair; without faces, throw them."""
        if first.__class__ is second.__class__ is int and (throw := THROWS.get((first, second))):  # what is said most
            return self._ask(throw)
        if first is None and second is None:
            return self._ask(THROWS[ROLLS[self._drawn(len(ROLLS))]])
        return self._ask(c.Throw(a_pair(first) if second is None else a_roll(first, second)))  # type: ignore[arg-type]

    def throw(self, first: int, second: int, flaw: str) -> Answer:
        """Call two dice and tell what was wrong with the throw, such as `"stacked"`."""
        return self._ask(c.WatchThrow(a_roll(first, second), a_word("flaw", flaw)))

    def no_roll(self, reason: str, by: Role | None = None) -> Answer:
        """Call the throw void."""
        return self._ask(c.CallNoRoll(a_reason("reason", reason), a_role(by)))

    def cocked(self, sure: int, *leaning: int) -> Answer:
        """One die lies flat, the other leans with these sides against something."""
        sides = tuple(a_number("leaning", side) for side in leaning)
        if not sides:
            raise ArgumentError("leaning", "none", "the side or sides that it leans on")
        return self._ask(c.CockedDie(a_number("sure", sure), sides))

    def dispute(self, sure: int) -> Answer:
        """One die lies flat, and people disagree about the other."""
        return self._ask(c.DisputeFace(a_number("sure", sure)))

    def rule(self, face: int | None, by: Role | None = None) -> Answer:
        """Decide a face in doubt; None has the throw repeated."""
        return self._ask(c.RuleFace(None if face is None else a_number("face", face), a_role(by)))

    def order_pass(self, reason: str, by: Role | None = None) -> Answer:
        """Take the dice away from the shooter."""
        return self._ask(c.OrderPass(a_reason_before_by("reason", reason), a_role(by)))

    def die(self, number: int, what: DieMove, by: Role | None = None) -> Answer:
        """Tell what became of a die: `"off"` the table, `"found"`, `"checked"`, or `"lost"` for good."""
        return self._ask(c.LoseDie(a_number("number", number), one_of("what", what, get_args(DieMove)), a_role(by)))

    def invalidate(self, reason: str) -> Answer:
        """Strike the last outcome out."""
        return self._ask(c.StrikeOut(a_reason("reason", reason)))

    def return_all(self, reason: str) -> Answer:
        """Give every undecided wager back."""
        return self._ask(c.ReturnAll(a_reason("reason", reason)))

    def post(self, notice: str | Notice, ahead: int = 0) -> Answer:
        """Put up another sign, so many minutes after saying so; what it leaves out is the house's own."""
        sign = sign_of(notice, self.house.book, self.chips)
        return self._ask(c.PostNotice(sign, whole_number("ahead", ahead, least=0)))

    def close(self, ahead: int = 0, notified: Role | None = None) -> Answer:
        """Close the table, so many minutes after saying so."""
        return self._ask(c.CloseTable(whole_number("ahead", ahead, least=0), a_role(notified, "notified")))

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
        return in_money(self._seat(seat).rail)

    def up(self, seat: int) -> Mapping[str, Fraction]:
        """A player's wagers, in money."""
        there = self.state.seats.get(seat) if seat.__class__ is int else None
        felt = (there or self._seat(seat)).felt
        seen = self._up.get(seat)
        if seen is None or seen[0] is not felt:
            seen = felt, MappingProxyType({key: in_money(wager.stake) for key, wager in felt.items()})
            self._up[seat] = seen
        return seen[1]

    def results(self) -> Results:
        """What came of every wager that was decided, by seat, wager and hand, in money."""
        if self._forgets:
            raise QuestionError("results are of the whole game, and of this one only the last acts are kept")
        return results_of(self.events)

    # --- Following strategies ---------------------------------------------------------------------------------------

    def follow(self, seat: int, strategy: str | Path | Strategy | PythonStrategy, unit: Money | None = None) -> None:
        """Have a seat play a strategy from now on, whenever `run` rolls: a name, a file, a `Player` or a function.

        What it bets are units. Without `unit` one is the strategy's own, or as much more as its smallest bet needs; for
        a strategy in Python, whose bets nobody knows beforehand, at least the smallest bet of the sign.
        """
        from passline.strategies.player.follower import Follower
        from passline.strategies.player.python import strategy_of

        self._seat(seat)
        worth = positive("unit", unit)
        self._followers[seat] = Follower(strategy_of(strategy), self.house.layout, self.state, seat, worth)

    def run(self, rolls: int, dice: Iterable[tuple[int, int]] | None = None) -> int:
        """Have everybody who follows a strategy bet, and roll, so many times; how many rolls there were.

        It ends sooner when `dice` run out, when nobody follows any more, or when nobody may throw (see `refusals`);
        where nobody can throw at all, `RefusedError` says which bet would have brought the dice, or what they need.
        """
        thrown = None if dice is None else iter(instance("dice", dice, Iterable, "rolls, such as [(4, 2), (3, 3)]"))
        for done in range(whole_number("rolls", rolls)):
            acted = self._bets()
            pair = None if thrown is None else next(thrown, None)
            if (thrown is not None and pair is None) or not self._followers:
                return done
            events = self.roll(pair)
            if isinstance(events, Refusal):
                if not done:
                    raise RefusedError(next((no.refusal for *_, nos in acted for no in nos), events))
                return done
            for follower, acts, refused in acted:
                if follower.seat in self.state.seats:
                    follower.after(acts, refused, events, self.state)
        return rolls

    def _bets(self) -> list[tuple[Follower, Acts, list[Refused]]]:
        """Have everybody who follows a strategy and does not leave act, and what the dealers refuse each of them."""
        from passline.strategies.player.acting import Refused

        acted = []
        for seat, follower in tuple(self._followers.items()):
            if seat not in self.state.seats or self.state.seats[seat].away:
                del self._followers[seat]
                continue
            acts = follower.act(self.state)
            answers = [(command, self._ask(command)) for command in acts.commands]
            refused = [Refused(command.wager, no) for command, no in answers if isinstance(no, Refusal)]
            if acts.leaves:
                del self._followers[seat]
            else:
                acted.append((follower, acts, refused))
        return acted

    # --- Looking, closer --------------------------------------------------------------------------------------------

    def _seat(self, number: int) -> Seat:
        """A seat that somebody has."""
        seat = self.state.seats.get(a_number("seat", number))
        if seat is None:
            taken = ", ".join(map(str, self.state.seats)) or "nobody sits here"
            raise ArgumentError("seat", str(number), f"a seat that is taken ({taken})")
        return seat

    @staticmethod
    def money(amount: int) -> Fraction:
        """What an amount of an event, a command or the state comes to in money: 1250 cents are 12.50."""
        return Fraction(a_number("amount", amount), CENTS)

    def say(self, event: Event | Refusal, to: int | None = None) -> str:
        """Tell an event or a refusal as the crew would, to nobody in particular or to the player at a seat."""
        seat = None if to is None else a_number("to", to)
        if isinstance(event, Refusal):
            return no(self.state, event, seat)
        if type(event) not in EVENTS:
            raise ArgumentTypeError("event", short_repr(event), "an event or a refusal of this table")
        try:
            return say(self.house.layout, self._before(event), event, seat)
        except KeyError:  # somebody who never sat here, or a wager that is not booked here
            raise ArgumentError("event", short_repr(event), "an event of this table, not of another") from None

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
        from passline.codec.printed import table_json

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
            why = "only its last acts are kept" if self._forgets else "this one was set up from a position"
            raise CannotBeSaved(f"a record begins with an empty table, and {why}")
        if self.house.text is not None:
            raise CannotBeSaved("a record names its house, and this one was changed here: write `house.text` to a file")
        book, sign, house = self.house.book, default_notice(self.house.book, self.chips), self.house.source
        if folder is not None and house not in built_in():
            instance("folder", folder, (str, PathLike), "the path of a folder")
            house = relpath(house, folder)
        return write_record(house, book, self.notice, self.chips, ()) + "".join(self._lines(sign))

    def _lines(self, sign: Notice) -> list[str]:
        """A line for each act; those written once are kept, for an evening is saved after every roll."""
        written, lines = self._written
        while written and (len(written) > len(self.history) or written[-1] is not self.history[len(written) - 1]):
            written.pop()
            lines.pop()
        for moment in self.history[len(written) :]:
            refused = isinstance(moment.answer, Refusal)
            says = not refused or can_be_written(moment.command, self.house.book, sign)
            written.append(moment)
            lines.append(write_act(moment.command, self.house.book, sign) + "\n" if says else "")
        return lines


@lru_cache(maxsize=4096)
def in_money(cents: int) -> Fraction:
    return Fraction(cents, CENTS)


def replay(source: str | Path) -> Table:
    """Play a record, given as its text or as the path of its file: a table at its end, ready to go on."""
    record = read(source)
    table = Table.opened(record)
    for act in record.acts:
        table._ask(act.command)  # noqa: SLF001 - what could be read is checked
    return table


def statistics(source: str | Path | Table) -> Results:
    """What came of every wager of a table, or of a record given as its text or the path of its file."""
    return (source if isinstance(source, Table) else replay(source)).results()


def _is_plain(tender: object, by: object, tokens: object) -> bool:
    """Whether a bet is in chips, and nobody said more of it."""
    return by is None and tokens.__class__ is int and not tokens and tender.__class__ is str and tender == "chips"


OF_A_WAGER = (c.Bet, c.Take, c.CallOn, c.CallOff, c.LateBet, c.FindBet)  # what names a wager
UNDOABLE = (c.Bet, c.Take, c.CallOn, c.CallOff)  # what a player may think better of before the dice go out


def _set_of_dice(habits: DiceHabits, dice: int | None) -> int:
    """The set of dice a table opens with, as many as the house wants."""
    wanted, most = habits.dice_set.value, habits.dice_set_max.value
    count = wanted if dice is None else a_number("dice", dice)
    if count < wanted or (most is not None and count > most):
        raise ArgumentError("dice", str(count), f"the {wanted} dice that a table opens with ({habits.dice_set.clause})")
    return count


def _check_names(state: TableState) -> None:
    """Refuse a name that a terminal might obey, as a record does: what a table says, names people."""
    before = () if state.before is None else state.before.seats.values()
    for seat in (*state.seats.values(), *before):
        if not seat.name.isprintable():
            raise ArgumentError("line", short_repr(seat.name), "names without control characters")
