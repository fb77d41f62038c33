"""Hands: whose values make the dice besides the house's link, what silence costs, and when a roll is over.

docs/dice.md, protocol 2. Every hand that is on and whose owner has chips up is listed when the bets are closed, which
is nobody's choice; the roll falls when every value is in, and is void when one does not arrive in time.
"""

import hmac
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from passline.engine import throwing
from passline.engine.events import Event, PuckTurned, WagerLost, WagerWon
from passline.engine.table import TableState
from passline.engine.values import ClauseId, Price, Roll, WagerKey
from passline.errors import ChanceError
from passline.floor.clock import MINUTE, elapsed
from passline.live.dice import HAND_TAG, LINK_TAG, Hand, before, chain, dealt, name_bytes, off_of
from passline.live.drafts import Planned, Secret, all_played, by_the_house, interrupted, statement, voided
from passline.live.refusals import deny
from passline.live.requests import Ask, HandOff, HandOn, Material, Request, ShowValue
from passline.live.state import VOIDS_IN, Announced, Listed, Live, State, evolved

WAITS = MINUTE // 3  # how long a value is awaited before a roll is void
WAITS_MAX = 10 * MINUTE  # how long it is awaited where no more rolls may be void; then the table stops

# Under which names the ends of chains, and values that are in, lie sealed beside a table.
CHAIN, VALUE = "chain/", "value/"

# How we read the books where a hand ends without a seven: nobody has a bet on its point any more.
HAND_ENDS = ClauseId("P-92")

# By seat and wager, in minor units: what its chips are worth as they stand, how many tokens go back, what they win.
Worth = Mapping[tuple[int, str], tuple[int, int, int]]


def committed(stream: str, epoch: int, last: bytes, time: str) -> Planned:
    """The house commits itself to the chain of an epoch, whose last link is sealed."""
    anchor = chain(LINK_TAG, (stream, epoch), last)[0]
    secret = {f"{CHAIN}{epoch}": Secret(stream, epoch, last, bound=True)}
    return by_the_house("chain_committed", {"epoch": epoch, "anchor": anchor.hex()}, time, secret)


def uncommitted(live: Live) -> int:
    """The epoch that the house must be committed to before it closes the bets again; 0 where it is."""
    due = live.epoch + 1
    return due if live.protocol > 1 and live.dice == "fair" and due not in live.chains else 0


def chains_revealed(live: Live, material: Material, time: str) -> list[Planned]:
    """Open chains to their ends: what they would have dealt."""
    ends = [(number, material.seeds[number]) for number in sorted(live.chains) if number in material.seeds]
    return [by_the_house("chain_shown", {"epoch": number, "link": end.hex()}, time) for number, end in ends]


# --- Hands ------------------------------------------------------------------------------------------------------------


def listed(live: Live) -> list[dict[str, Any]]:
    """Every hand that is on and whose owner has a wager up, with the value that is due."""
    up = {live.owners.get(number) for number, seat in live.table.seats.items() if seat.felt}
    names = sorted((person for person, hand in live.hands.items() if hand.is_on and person in up), key=name_bytes)
    return [Listed(person, live.hands[person].number, live.hands[person].index + 1).data() for person in names]


def hand_on(state: State, request: Request, act: HandOn) -> Planned:
    live, by = state.live, request.by
    if live.protocol == 1 or live.dice != "fair":
        deny("table.hand", "none")
    if live.announced is not None:
        deny("table.bets_closed", "hand")
    if live.seat_of(by.actor) is None:
        deny("table.hand", "seat")
    known = live.hands.get(by.actor)
    if (known is not None and (known.is_on or _owes(live, known))) or act.hand != (known.number if known else 0) + 1:
        deny("table.hand", "next")
    body = {"person": by.actor, "hand": act.hand, "anchor": act.anchor.hex(), "off": act.off.hex()}
    return statement("hand_on", body, by)


def hand_off(state: State, request: Request, act: HandOff) -> Planned:
    """Its owner takes a hand off; nobody else knows the value that does it."""
    live, by = state.live, request.by
    if live.announced is not None:
        deny("table.bets_closed", "hand")
    hand = live.hands.get(by.actor)
    if hand is None or not hand.is_on or hand.number != act.hand:
        deny("table.hand", "off")
    if not hmac.compare_digest(off_of(live.stream, by.actor, act.hand, act.value), hand.off):
        deny("table.hand", "value")
    return statement("hand_off", {"person": by.actor, "hand": act.hand, "value": act.value.hex()}, by)


def show_value(state: State, request: Request, act: ShowValue) -> Planned:
    """A value comes in: for the roll that is announced, or one that was owed to a void roll."""
    live, by = state.live, request.by
    person = act.person or by.actor
    hand, announced, due = live.hands.get(person), live.announced, Listed(person, act.hand, act.index)
    if hand is None:
        deny("table.hand", "unasked")
    is_due = announced is not None and due in announced.missing
    if is_due and announced is not None and act.closing not in (None, "", announced.closing):
        deny("table.hand", "closing")
    if not is_due and not (hand.owed_since and due == Listed(person, hand.number, hand.index)):
        deny("table.hand", "unasked")
    if before(HAND_TAG, (live.stream, person, act.hand), act.index, act.value) != hand.last:
        deny("table.hand", "value")
    if not is_due or announced is None:
        return statement("value_shown", {**due.data(), "value": act.value.hex()}, by)
    secret = {value_name(due): Secret(value_stream(live), act.index, act.value, bound=True)}
    body = {"epoch": announced.epoch, "roll": announced.roll, "closing": announced.closing, **due.data()}
    return statement("value_received", body, by)._replace(secrets=secret)


def value_name(due: Listed) -> str:
    return f"{VALUE}{due.person}/{due.hand}/{due.index}"


def value_stream(live: Live) -> str:
    return f"{live.stream}/value"


def _owes(live: Live, hand: Hand) -> bool:
    return bool(hand.owed_since) and live.cap.closings < hand.owed_since + VOIDS_IN


def owes(live: Live, person: str | None) -> bool:
    """Whether somebody bets no more until a value that did not arrive is shown, or long enough after."""
    hand = live.hands.get(person) if person is not None else None
    return hand is not None and _owes(live, hand)


# --- The dice ---------------------------------------------------------------------------------------------------------


def dice_of(live: Live, announced: Announced, material: Material) -> Roll:
    epoch, roll, link = announced.epoch, announced.roll, material.link
    if before(LINK_TAG, (live.stream, epoch), roll, link) != live.chains[epoch].last:
        raise ChanceError(f"the link of roll {roll} is not of the chain that was committed to for epoch {epoch}")
    return dealt(link, live.stream, epoch, roll, material.values)


def revealed(announced: Announced, material: Material) -> dict[str, Any]:
    hands = [
        {**each.data(), "value": material.values[each.person].hex()}
        for each in announced.hands
        if each.person in material.values
    ]
    return {"link": material.link.hex(), "hands": hands}


# --- Silence ----------------------------------------------------------------------------------------------------------


def may_void(live: Live, people: Iterable[str] | None = None) -> bool:
    """Whether one more roll may come to nothing: two in any hundred closings of the table, and of each of these people.

    Unless others are named, they are those who had a wager up when the bets were last closed.
    """
    counts = [live.cap, *(live.caps[person] for person in (live.up if people is None else people))]
    return not any(each.is_reached for each in counts)


def silence(live: Live, time: str) -> str:
    """What is to be done about values that do not arrive: "wait", "void" or "stop"; nothing where all are in."""
    announced = live.announced
    if announced is None or not announced.missing:
        return ""
    waited = elapsed(announced.time, time)
    if may_void(live):
        return "void" if waited >= WAITS else "wait"
    return "stop" if waited >= WAITS_MAX else "wait"


def void(state: State, material: Material, by: Ask, failed: str = "") -> list[Planned]:
    """A roll whose values did not arrive, or that failed: wagers are settled at their worth.

    Those of the silent; everybody's where it failed, or where the table stops: no more rolls may come to nothing, or
    the house's link is lost.
    """
    live, announced = state.live, state.live.announced
    assert announced is not None, "only a roll that is announced can be void"
    stops = not material.link or (not may_void(live) if failed else silence(live, by.time) == "stop")
    silent = {each.person for each in announced.missing}
    seats = [number for number in live.table.seats if failed or stops or live.owners.get(number) in silent]
    reason = failed or f"did not arrive: {', '.join(sorted(silent, key=name_bytes))}"
    commands = interrupted(live.table)
    events, table = all_played(state.layout, live.table, commands)
    events = (*events, *at_worth(state, table, seats, material.worth()))
    more = revealed(announced, material) if material.link else {}
    if not failed:
        more["silent"] = [each.data() for each in announced.missing]
    planned = [voided(announced, reason, commands, events, by, more=more)]
    if stops:
        planned.append(by_the_house("table_stopped", {"reason": reason}, by.time))
        planned += chains_revealed(live, material, by.time)
    return planned


def at_worth(state: State, table: TableState, seats: Iterable[int], worth: Worth) -> Sequence[Event]:
    """The wagers of these seats, settled at their worth: tokens in tokens and in chips; held commission goes back."""
    layout, clause = state.layout, state.layout.book.floor.closing.clause
    events: list[Event] = []
    for number in seats:
        for name, wager in table.seats[number].felt.items():
            key, chips, tokens = WagerKey(name), wager.stake - wager.tokens, wager.tokens
            of_chips, back, won = worth[number, key]
            value = of_chips + won
            if value < chips:
                events.append(
                    WagerLost(
                        seat=number,
                        wager=key,
                        stake=chips - value + tokens - back,
                        clause=clause,
                        returned=value + back,
                        tokens=tokens - back,
                        tokens_over=back,
                        refund=wager.held,
                    )
                )
                continue
            events.append(
                WagerWon(
                    seat=number,
                    wager=key,
                    stake=wager.stake,
                    price=Price(value - chips, wager.stake),
                    won=value - chips,
                    commission=0,
                    held=0,
                    returned=chips,
                    lost=0,
                    stays=False,
                    exact=Fraction(value - chips),
                    rounding=None,
                    clause=clause,
                    rule=clause,
                    tokens=back,
                    collected=tokens - back,
                    refund=wager.held,
                )
            )
    decided = tuple(events)
    ends = bool(table.puck) and not any(seat.felt for seat in evolved(table, events).seats.values())
    if ends:
        events.append(PuckTurned(0, HAND_ENDS))
    return (*events, *throwing.afterwards(layout, table, decided, hand_over=ends))
