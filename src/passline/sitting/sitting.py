"""An evening at a table: one person, the regulars, the dice, and everything either of them may do."""

from __future__ import annotations

import secrets
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from passline.engine import commands as c
from passline.engine import events as e
from passline.engine import settle, shooting
from passline.engine.refusals import Refusal
from passline.sitting import amounts, regulars, saving
from passline.sitting.dice import seeded, shaken
from passline.sitting.log import SETTLED, Log
from passline.sitting.reckoning import Reckoning, reckon
from passline.table import UNDOABLE, Table
from passline.telling.sentences import YOU
from passline.telling.stick import call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passline.engine.commands import Command
    from passline.engine.events import Event
    from passline.engine.layout import Layout
    from passline.engine.refusals import Answer
    from passline.engine.table import Seat, TableState
    from passline.engine.values import Roll
    from passline.house import House
    from passline.sitting.dice import Dice
    from passline.sitting.log import Entry

PLAYERS_MAX = len(regulars.ROSTER)
"""How many regulars there are."""

OFFERS_MAX = 4 * (PLAYERS_MAX + 1)
"""How often the stick asks round the table before giving up."""


class Sitting:
    """A person at a table with others; every act goes through the table's own commands."""

    def __init__(  # noqa: PLR0913 - an evening is set up once, by name
        self,
        table: Table,
        *,
        me: int = 1,
        others: int = 0,
        seed: str | None = None,
        dice: Dice | None = None,
        typed: bool = False,
        path: Path | None = None,
    ) -> None:
        """Sit down at a table that is open; without `dice` they are shaken, or follow the seed where one is given."""
        self.table = table
        """The table itself."""
        self.me = me
        """The person's seat."""
        self.others = others
        """How many regulars the table should have."""
        self.practice = seed is not None
        """Whether the dice follow a seed."""
        self.seed = seed or secrets.token_hex(4)
        self.typed = typed
        """Whether the person types the faces of real dice."""
        self.path = path
        """Where the record is kept; None keeps none."""
        self._log = Log(table.house.layout, me)
        self.left = False
        """Whether the person has left the table."""
        self._dice: Dice = dice or (seeded(self.seed) if seed is not None else shaken)
        self._undone: list[Command] = []

    # --- Opening ----------------------------------------------------------------------------------------------------

    @classmethod
    def open(  # noqa: PLR0913 - as above
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
    ) -> Sitting:
        """Open a table in a house and sit down at it with others."""
        table = Table(house, notice=notice)
        sitting = cls(table, others=others, seed=seed, dice=dice, typed=typed, path=path)
        sitting._do(c.Sit(sitting.me, name, sitting.usual_buyin if buyin is None else buyin))
        for _ in range(others):
            if arriving := regulars.arrival(table.state):
                sitting._do(arriving)
        sitting.regulars_turn()
        return sitting

    @classmethod
    def resume(
        cls,
        source: Path,
        *,
        path: Path | None = None,
        buyin: int | None = None,
        dice: Dice | None = None,
        typed: bool = False,
    ) -> Sitting:
        """Go on where a record ends: the same chips, the same people, the same luck to come.

        A record that somebody wrote by hand stays as it is; the evening is then kept beside it.
        """
        table, settings = saving.load(source)
        known = settings or saving.Settings(
            _person(table.state), _regulars(table.state), secrets.token_hex(4), practice=False
        )
        kept = path or (source if settings else saving.free_path(source))
        sitting = cls(table, me=known.me, others=known.others, seed=known.seed, dice=dice, typed=typed, path=kept)
        sitting.practice = known.practice
        if dice is None and not known.practice:
            sitting._dice = shaken
        for moment in table.history:
            sitting._log.hear(moment)
        sitting._log.note(f"Resumed from {source.name}: {len(sitting.rolls)} rolls played.", "mine")
        there = table.state.seats.get(known.me)
        if there is None or there.away:
            sitting._sit_again(buyin)
        return sitting

    def _sit_again(self, buyin: int | None) -> None:
        state = self.state
        self.me = self._log.me = next(seat for seat in range(1, len(state.seats) + 2) if seat not in state.seats)
        self._do(c.Sit(self.me, YOU, self.usual_buyin if buyin is None else buyin))

    # --- Looking ----------------------------------------------------------------------------------------------------

    @property
    def layout(self) -> Layout:
        """The felt."""
        return self.table.house.layout

    @property
    def log(self) -> list[Entry]:
        """What was said, oldest first."""
        return self._log.entries

    @property
    def state(self) -> TableState:
        """The table as it stands."""
        return self.table.state

    @property
    def seat(self) -> Seat | None:
        """The person's own rail and felt; None once they have left."""
        return self.state.seats.get(self.me)

    @property
    def rail(self) -> int:
        """The person's chips, in grains."""
        return self.seat.rail if self.seat else 0

    @property
    def on_table(self) -> int:
        """The person's chips on the felt, commission held among them."""
        return sum(wager.stake + wager.held for wager in self.seat.felt.values()) if self.seat else 0

    @property
    def rolls(self) -> list[e.DiceThrown]:
        """Every valid roll, oldest first."""
        return [event for event in self.table.events if isinstance(event, e.DiceThrown)]

    @property
    def last_win(self) -> int:
        """What the last roll paid the person."""
        settled = self.settlements()
        won = (event for event in settled[-1][1] if isinstance(event, e.WagerWon)) if settled else ()
        return sum(event.won - event.commission for event in won)

    @property
    def stick(self) -> str:
        """The last thing the stick called."""
        rolls = self.rolls
        if self.state.phase == "dice out":
            return "Dice are out, hands high"
        return call(self.layout, rolls[-1]) if rolls else "Bets down, please; the dice are coming out"

    @property
    def offered(self) -> bool:
        """Whether the dice are on offer to the person."""
        return self.state.phase == "betting" and shooting.offer(self.layout, self.state) == self.me

    @property
    def thrower(self) -> int | Refusal | None:
        """The seat that throws next, None for the stick, or why nobody does."""
        found = shooting.who_throws(self.layout, self.state)
        return found if isinstance(found, Refusal) else found.seat

    def works(self, key: str) -> bool:
        """Whether the person's wager on a spot can win or lose on the next roll."""
        assert self.seat is not None, "nobody's wagers work"
        return settle.works(self.layout.spots[key], self.seat.felt[key], self.state.puck)

    def beside(self, key: str) -> int:
        """How many others have chips on a spot."""
        return sum(1 for number, seat in self.state.seats.items() if number != self.me and key in seat.felt)

    def settlements(self) -> list[tuple[e.DiceThrown, list[Event]]]:
        """Every roll with what it did to the person's wagers, oldest first."""
        found = []
        for moment in self.table.history:
            if isinstance(moment.answer, Refusal):
                continue
            thrown = next((event for event in moment.answer if isinstance(event, e.DiceThrown)), None)
            if thrown is not None:
                mine: list[Event] = [
                    event for event in moment.answer if isinstance(event, SETTLED) and event.seat == self.me
                ]
                found.append((thrown, mine))
        return found

    def reckoning(self) -> Reckoning:
        """The evening so far."""
        return reckon(self.table, self.me)

    def explain(self, event: Event) -> list[str]:
        """Why chips moved: the sentence, the sum, the clauses."""
        return self.table.explain(event, self.me).splitlines()

    # --- The person's acts ------------------------------------------------------------------------------------------

    def act(self, command: Command) -> Answer:
        """Ask for something; a refusal is told and changes nothing, not even the record."""
        answer = self.table.would(command)
        if isinstance(answer, Refusal):
            self._log.note(answer.message, "no")
            return answer
        self._undone.clear()
        return self._do(command)

    def bet(self, key: str, about: int) -> Answer:
        """Add about so much to a wager: the nearest amount that the dealers book."""
        amount = amounts.to_bet(self.layout, self.state, self.me, key, about)
        return self.act(c.Bet(self.me, key, about if isinstance(amount, Refusal) else amount))

    def lower(self, key: str, less: int) -> Answer:
        """Take about so much off a wager."""
        left = amounts.to_leave(self.layout, self.state, self.me, key, less)
        return self.act(c.Take(self.me, key, 0 if isinstance(left, Refusal) else left))

    def take(self, key: str) -> Answer:
        """Take a wager down."""
        return self.act(c.Take(self.me, key))

    def take_all(self) -> int:
        """Take down everything that may come down, and say how many wagers did."""
        taken = 0
        for key in list(self.seat.felt if self.seat else ()):
            command = c.Take(self.me, key)
            if self.seat and key in self.seat.felt and not isinstance(self.table.would(command), Refusal):
                self.act(command)
                taken += 1
        return taken

    def odds(self, key: str | None, about: int | None) -> Answer:
        """Put about so much (None: all that is allowed) behind a flat bet: the one named, else the first with room."""
        refused: Refusal | None = None
        for behind in self._odds_for(key):
            full = amounts.full_odds(self.layout, self.state, self.me, behind)
            wanted = full if about is None else amounts.to_bet(self.layout, self.state, self.me, behind, about)
            if not isinstance(wanted, Refusal):
                return self.act(c.Bet(self.me, behind, wanted))
            refused = refused or wanted
        no = "There is no flat bet on a point to put odds behind."
        refused = refused or Refusal("bet.no_flat", no, None, self.me)
        self._log.note(refused.message, "no")
        return refused

    def _odds_for(self, key: str | None) -> Iterator[str]:
        """The odds meant by a key: those themselves, those behind that flat bet, or all the person could have."""
        spot = self.layout.spots.get(key or "")
        felt = self.seat.felt if self.seat else {}
        if spot is not None and spot.is_odds and spot.flat in felt:
            yield spot.key
        elif spot is not None and spot.odds and spot.key in felt:
            yield spot.odds
        else:
            yield from (odds for up in felt if (odds := self.layout.spots[up].odds))

    def toggle(self, key: str) -> Answer:
        """Call a wager off if it works, on if it does not."""
        up = self.seat is not None and key in self.seat.felt
        return self.act(c.CallOff(self.me, key) if up and self.works(key) else c.CallOn(self.me, key))

    def repeat(self) -> int:
        """Bet again what the dice last took off the felt, as far as that is legal; say how many wagers went up."""
        done = 0
        for key, amount in self._log.decided.items():
            up = self.seat.felt.get(key) if self.seat else None
            command = c.Bet(self.me, key, amount)
            if up is None and not isinstance(self.table.would(command), Refusal):
                self.act(command)
                done += 1
        return done

    def undo(self) -> Command | None:
        """Take back the person's own last act since the dice last rested."""
        history = self.table.history
        if not history or not isinstance(history[-1].command, UNDOABLE) or history[-1].command.seat != self.me:
            return None
        undone = self.table.undo()
        assert undone is not None, "an act that could be undone was not"
        self._undone.append(undone)
        self._log.note(f"Taken back: {_in_words(self.layout, undone)}.", "mine")
        return undone

    def redo(self) -> Command | None:
        """Do again what was just taken back."""
        if not self._undone:
            return None
        waiting, command = self._undone[:-1], self._undone[-1]
        answer = self.act(command)
        self._undone = waiting
        return None if isinstance(answer, Refusal) else command

    def rebuy(self, amount: int) -> Answer:
        """Buy more chips."""
        return self.act(c.BuyIn(self.me, amount))

    def accept_dice(self) -> Answer:
        """Take the dice."""
        return self.act(c.Shoot(self.me))

    def pass_dice(self) -> Answer:
        """Give the dice up, or say no to them."""
        holds = self.state.shooter == self.me
        answer = self.act(c.PassDice(self.me) if holds else c.Decline(self.me))
        if not isinstance(answer, Refusal):
            self._offer_round()
        return answer

    def leave(self) -> Answer:
        """Leave the table: what may come down does, the rest runs on."""
        if self.state.phase == "betting":
            self.take_all()
        answer = self.act(c.Leave(self.me))
        self.left = self.left or not isinstance(answer, Refusal)
        return answer

    @property
    def usual_buyin(self) -> int:
        """What a player brings who does not say: a hundred minimum bets."""
        return 100 * max(self.state.notice.minimum, self.state.notice.chip)

    # --- The dice ---------------------------------------------------------------------------------------------------

    def send(self) -> Answer:
        """Send the dice out to whoever throws; they stay in the air until `throw`."""
        if self.state.phase == "betting":
            self._find_shooter()
        return self.act(c.SendDice())

    def throw(self, roll: Roll | None = None) -> Answer:
        """Let the dice come to rest: on the faces typed, or as the dice fall."""
        if roll is None:
            if self.typed:
                raise ValueError("with real dice the faces are typed")
            roll = self._dice(sum(1 for moment in self.table.history if isinstance(moment.command, c.Throw)))
        return self.act(c.Throw(roll))

    def rested(self) -> None:
        """A roll is settled: the others have their turn, and the record is kept."""
        self.regulars_turn()
        try:
            self.save()
        except OSError as error:
            self._log.note(str(error), "no")

    def after(self, command: Command) -> None:
        """What follows an act of the crew's that the person called: a settled throw, dice that changed hands."""
        if isinstance(command, c.CockedDie | c.RuleFace | c.WatchThrow) and self.state.phase == "betting":
            self.rested()
        elif isinstance(command, c.PassDice | c.Decline):
            self._offer_round()

    def regulars_turn(self) -> None:
        """The others come, go, take or refuse the dice, and bet; nothing moves while dice are out."""
        if self.state.phase != "betting" or self.left:
            return
        rng = self._luck("turn")
        if arriving := regulars.newcomer(self.state, self.others, self.me, rng):
            self._try(arriving)
        shooter = self.state.shooter
        if shooter not in (None, self.me) and regulars.gives_up_dice(self.state, shooter, rng):
            self._try(c.PassDice(shooter))
        self._offer_round()
        for number in sorted(self.state.seats):
            if number != self.me and number in self.state.seats:
                for command in regulars.acts(self.layout, self.state, number, self._luck(f"seat {number}")):
                    self._try(command)

    def _offer_round(self) -> None:
        """Offer the dice round until somebody takes them or it is for the person to say."""
        rng = self._luck("offer")
        for _ in range(OFFERS_MAX):
            asked = shooting.offer(self.layout, self.state)
            if asked is None or asked == self.me:
                return
            self._try(regulars.answer_to_offer(self.state, asked, rng))

    def _find_shooter(self) -> None:
        """Have somebody hold the dice: the person if they bet the line, else the first regular who may."""
        if self.offered:
            mine = shooting.has_line_bet(self.layout, self.state, self.me)
            self._try(c.Shoot(self.me) if mine else c.Decline(self.me))
            self._offer_round()
        if isinstance(self.thrower, Refusal) and self.state.shooter is None:
            for number in sorted(self.state.seats):
                if number != self.me and shooting.has_line_bet(self.layout, self.state, number):
                    self._try(c.Shoot(number))
                    return

    def _luck(self, about: str) -> Random:
        """The regulars' luck: the same at the same moment of the same evening."""
        return Random(f"{self.seed} {len(self.table.history)} {about}")  # noqa: S311 - players' moods, not dice

    # --- The record -------------------------------------------------------------------------------------------------

    def text(self) -> str:
        """The record so far."""
        practice = saving.Settings(self.me, self.others, self.seed, self.practice)
        return saving.text_of(self.table, practice, (self.path or Path("x")).absolute().parent)

    def save(self) -> Path | None:
        """Write the record where it is kept."""
        if self.path is not None:
            saving.save(self.text(), self.path)
        return self.path

    # --- Underneath -------------------------------------------------------------------------------------------------

    def _try(self, command: Command) -> None:
        """Do what a regular asks, unless the dealers would say no."""
        if not isinstance(self.table.would(command), Refusal):
            self._do(command)

    def _do(self, command: Command) -> Answer:
        answer = self.table.do(command)
        self._log.hear(self.table.history[-1])
        return answer

    def note(self, text: str) -> None:
        """Say something to the person that is no act at the table."""
        self._log.note(text, "no")


def _in_words(layout: Layout, command: Command) -> str:
    assert isinstance(command, UNDOABLE), "only a player's own acts are taken back"
    name = layout.spots[command.wager].name
    match command:
        case c.Bet():
            return f"{layout.money(command.amount)} on {name}"
        case c.Take():
            return f"taking {name} down"
        case c.CallOn():
            return f"{name} on"
        case c.CallOff():
            return f"{name} off"


def _person(table: TableState) -> int:
    """The first seat that is no regular's, or 1."""
    return next((number for number, seat in table.seats.items() if seat.name not in regulars.BY_NAME), 1)


def _regulars(table: TableState) -> int:
    return sum(1 for seat in table.seats.values() if seat.name in regulars.BY_NAME)
