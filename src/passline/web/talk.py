"""What somebody says at the rail, by a word of the page or in their own: planned by `sitting`, asked of the table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, islice
from typing import Annotated, Literal

from pydantic import Field

from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.events import WagerDown
from passline.engine.refusals import Refusal
from passline.floor.gate import seen_from
from passline.house import House
from passline.journal.contract import Entry, read_entry
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.sitting.orders import Order, Question, Rail
from passline.sitting.sitting import Sitting, in_words
from passline.sitting.talk import talk
from passline.table import UNDOABLE
from passline.telling.sentences import to_you
from passline.web.acts import Act, ActRequest
from passline.web.auth import Actor, At, Key, Router
from passline.web.problems import Problem, refused
from passline.web.schemas import EntryView, Refused, RequestBody, example, record, view
from passline.web.streams import Message
from passline.web.views import sitting_at

router = Router(tags=["tables"])

HISTORY = 200  # how many entries of a table the dealers remember of somebody

# What the buttons of a page say to the dealers.
BUTTONS = {
    "odds": "max odds",
    "press": "press it",
    "double": "double everything",
    "repeat": "same bet",
    "clear": "take me down",
    "undo": "undo",
    "redo": "redo",
}

# The entries after which nobody takes back what they did before.
RESTED = frozenset(("rolled", "roll_voided", "corrected"))

NAMED_MAX = 3  # so many acts are named in an offer; the rest are counted

# --- What the dealers remember --------------------------------------------------------------------------------------


def rail_of(sitting: Sitting, evening: Sequence[Message], person: str) -> Rail:
    """Somebody at the rail of a live table, with the steps that still matter to them."""
    done, undone = steps_of(evening, person)
    return replace(
        sitting.at_the_rail(),
        done=[event for message in done[-1] for event in message.events] if done else (),
        undone=[message.command for message in undone[-1] if message.command is not None] if undone else (),
    )


def evening_of(recent: Sequence[Message], seat: int) -> Sequence[Message]:
    """What happened since somebody sat down there: who leaves takes nothing back afterwards, and repeats nothing."""
    for at in reversed(range(len(recent))):
        if seat in recent[at].sat_down:
            return recent[at + 1 :]
    return recent


def sitting_of(house: House, table: LiveTable, seat: int, evening: Sequence[Message]) -> Sitting:
    """One person at a live table, with the rolls that still matter to them; what they do on it is done on a copy."""
    rolls = (each for each in reversed(evening) if each.thrown is not None and each.command is not None)
    last = list(islice(rolls, 1))
    mine = next((each for each in chain(last, rolls) if seat in each.settled_seats), None)
    if mine is not None and mine is not last[0]:
        last.insert(0, mine)
    later = [each for each in evening if last and each.sequence > last[-1].sequence]
    last += [each for each in later if each.command is not None and _comes_down(each, seat)]
    history = [
        (each.command, tuple(event for event in each.events if getattr(event, "seat", seat) == seat), each.before)
        for each in last
    ]
    state = seen_from(table.live.floor, table.live.table, seat)
    return sitting_at(house, state, seat, history, typed=table.live.dice != "fair")


def _comes_down(message: Message, seat: int) -> bool:
    return any(isinstance(event, WagerDown) and event.seat == seat and not event.left for event in message.events)


def steps_of(recent: Sequence[Message], person: str) -> tuple[list[list[Message]], list[list[Message]]]:
    """What a person did since the dice last rested, and what they took back; a line is one step."""
    done: list[list[Message]] = []
    undone: list[list[Message]] = []
    mine: list[Message] = []
    for message in reversed(recent):
        if message.entry.kind in RESTED:
            break
        if message.entry.actor == person:
            mine.append(message)
    for (counts, word, _), group in groupby(reversed(mine), key=_step):
        if counts:
            step = list(group)
            if word == "undo" and done:
                undone.append(done.pop())
            elif word == "redo" and undone:
                done.append(undone.pop())
            else:
                done.append(step)
                undone = []
    return done, undone


def _step(message: Message) -> tuple[bool, str, str]:
    """Whether an entry is part of a step of its actor's, and of which."""
    if message.kind != "acted" or not isinstance(message.command, UNDOABLE) or not message.events:
        return False, "", str(message.sequence)
    base, _, rest = (message.entry.key or "").rpartition("~")
    return True, rest.partition(".")[0], base or str(message.sequence)


# --- What could be said ---------------------------------------------------------------------------------------------


@record
class Offer:
    """What a button would come to now."""

    line: str  # what it says to the dealers
    says: str
    amount: int


def offers(rail: Rail) -> dict[str, Offer]:
    """The buttons that are worth pressing, each with what it would come to; a plain yes is given beforehand."""
    open_: dict[str, Offer] = {}
    for word, phrase in BUTTONS.items():
        line, order = phrase, talk(rail, phrase)
        if order.question and len(order.question.options) == 1:
            line = order.question.options[0].line
            order = talk(rail, line)
        if order.commands or order.question:
            words = [in_words(rail.layout, command) for command in order.commands]
            more = [f"and {len(words) - NAMED_MAX} more"] if len(words) > NAMED_MAX else []
            amount = sum(command.amount for command in order.commands if isinstance(command, c.Bet))
            asks = order.question.asks if order.question else ""
            open_[word] = Offer(line=line, says=asks or ", ".join([*words[:NAMED_MAX], *more]), amount=amount)
    return open_


@record
class MoveView:
    """Something that can be asked of chips that are up, or what is against it."""

    move: Literal["press", "off", "on", "take"]
    line: str
    refused: Refused | None


def moves(rail: Rail, wager: str, *, works: bool) -> Iterator[MoveView]:
    """What could be said of somebody's chips on a spot, each with the rule against it where there is one."""
    call: Literal["off", "on"] = "off" if works else "on"
    lines: dict[Literal["press", "off", "on", "take"], str] = {
        "press": f"press {wager}",
        call: f"{wager} {call}",
        "take": f"take {wager}",
    }
    for move, line in lines.items():
        order = talk(rail, line)
        no = order.refused[0] if order.refused and not order.commands else None
        yield MoveView(move=move, line=line, refused=_said_to_them(no) if no else None)


def _said_to_them(no: Refusal) -> Refused:
    return view(Refused, no, message=to_you(no.message, no.seat))


# --- Saying it ------------------------------------------------------------------------------------------------------


class Line:
    """A line of one person at one table; asked again under its key it is done once."""

    def __init__(self, pit: Pit, actor: Actor, text: str, key: str) -> None:
        self.pit, self.actor = pit, actor
        word = text.strip().lower()
        self.key = f"{key}~{word if word in ('undo', 'redo') else 'talk'}"

    def earlier(self, table: LiveTable) -> list[Entry]:
        entries: list[Entry] = []
        while True:
            line = table.journal.under_key(table.name, f"{self.actor.required().id}/{self.key}.{len(entries)}")
            if line is None:
                return entries
            entries.append(read_entry(line))

    def __call__(self, table: LiveTable, commands: Sequence[Command]) -> list[Entry]:
        """Ask the table for each act in turn, until one is refused."""
        done: list[Entry] = []
        for number, command in enumerate(commands):
            asking = ActRequest(self.pit, self.actor, Act.of(command), f"{self.key}.{number}", None)
            entry = read_entry(asking(table))
            if entry.kind == "refused":
                if done:
                    break
                raise refused(entry)
            done.append(entry)
        return done


class Talk(RequestBody):
    """What somebody says to the dealers; `about` is the `line` of the question that it answers."""

    say: Annotated[str, Field(min_length=1, max_length=200, examples=["32 across"])]
    about: Annotated[str, Field(max_length=500)] = ""


@record
class TalkView:
    """What a line came to: the entries that were written, what the dealers said, refused or ask."""

    entries: list[EntryView]
    says: Sequence[str]
    refused: list[Refused]
    question: Question | None


@router.post("/tables/{table}/talk")
async def talk_to_the_dealers(at: At, key: Key, body: Annotated[Talk, example("across", say="32 across")]) -> TalkView:
    """Talk to the dealers in your own words; a question back books nothing. Asked again under its key, done once."""
    broadcast = await at.broadcast()

    def work(live: LiveTable) -> TalkView:
        line = Line(at.pit, at.actor, body.say, key)
        entries, order = line.earlier(live), Order()
        if not entries:
            seat = live.live.seat_of(at.actor.id)
            if seat is None:
                raise Problem(409, "seat.none", "You do not sit at this table.")
            broadcast.pull()
            evening = evening_of(broadcast.recent(HISTORY), seat)
            rail = rail_of(sitting_of(broadcast.house, live, seat, evening), evening, at.actor.id)
            order = talk(rail, body.say, body.about)
            entries = line(live, order.commands)
        no = [_said_to_them(each) for each in order.refused]
        return view(TalkView, order, entries=[view(EntryView, entry) for entry in entries], refused=no)

    return await at.service.ask(at.table, work, at.actor.id)
