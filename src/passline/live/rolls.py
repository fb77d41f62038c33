"""A roll from the closing of the bets to its dice: readings, voids, corrections, the end of a table; old seeds."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

from passline.codec import to_data
from passline.engine import commands as c
from passline.engine.events import ChipsBought, Event, PlayerSat
from passline.engine.layout import Layout
from passline.engine.refusals import Refused
from passline.engine.values import Roll
from passline.errors import ChanceError, InvariantError, LiveTableError
from passline.floor.clock import DAY, elapsed
from passline.floor.names import is_said
from passline.floor.signs import for_good
from passline.floor.state import NOTHING
from passline.live import hands
from passline.live import requests as r
from passline.live.dice import ROLLS_MAX, Epoch, commitment, freeze, roll
from passline.live.drafts import (
    Planned,
    Secret,
    all_played,
    by_the_house,
    happened,
    interrupted,
    played,
    statement,
    voided,
    with_them,
)
from passline.live.entries import Entry
from passline.live.play import could_roll, for_the_crew, is_alone, works_here
from passline.live.refusals import deny
from passline.live.state import Announced, Live, Roller, State, events_of, evolved

EPOCH_LASTS = DAY  # a seed deals no longer than this
AHEAD = 2  # how many epochs the house is committed to when the first of them is dealt
SEED = "seed/"  # under which names a table keeps its sealed seeds

READING_TAG = b"passline/reading/1\n"
SALT_BYTES = 30  # with the two faces, as long as a seed: so that a reading is sealed as one


# --- Closing the bets -------------------------------------------------------------------------------------------------


def close_bets(state: State, request: r.Request, _act: object) -> list[Planned]:
    """Close the bets for the next roll, which is asked for later."""
    live = state.live
    if live.dice == "given":
        deny("table.dice_entered", "close")
    if live.announced is not None:
        deny("table.bets_closed", "close")
    works_here(live, request.by)
    could_roll(live, state.layout)
    return _announced(live, None, request.by.time, request.material, request.by)


def roll_dice(state: State, request: r.Request, _act: object) -> list[Planned]:
    """Close the bets for the roll of whoever asks; nothing where another's waits for its dice."""
    live, by = state.live, request.by
    if live.dice != "fair":
        deny("table.dice_entered", "roll")
    if live.announced is not None:
        return []
    works_here(live, by)
    could_roll(live, state.layout)
    return _announced(live, Roller(by.actor, by.key, by.role), by.time, request.material)


def _announced(
    live: Live, asker: Roller | None, time: str, material: r.Material, by: r.Ask | None = None
) -> list[Planned]:
    """The bets are closed; where dice are drawn, with everybody's hand who has chips up."""
    planned: list[Planned] = []
    fresh = iter(material.fresh)
    body: dict[str, Any] = {"asked": asker and asker._asdict()}
    if live.dice != "fair":
        body |= {"epoch": 0, "roll": live.rolls + 1}
    elif live.protocol > 1:
        if due := hands.uncommitted(live):
            planned.append(hands.committed(live.stream, due, next(fresh), time))
        body |= {"epoch": live.epoch, "roll": live.chains[live.epoch].rolls + 1, "hands": hands.listed(live)}
    else:
        while not live.epochs[live.epoch].mix or is_over(live, time):
            epoch = live.epochs[live.epoch]
            freezes = not epoch.mix and not epoch.missing
            more = [_frozen(epoch, time)] if freezes else _ended(live, _seed(material, live.epoch), next(fresh), time)
            live = with_them(live, more)
            planned += more
        body |= {"epoch": live.epoch, "roll": live.epochs[live.epoch].rolls + 1}
    return [*planned, by_the_house("bets_closed", body, time) if by is None else statement("bets_closed", body, by)]


def is_over(live: Live, time: str) -> bool:
    """Whether an epoch has dealt all its rolls, or lasted long enough, or was seen, or cannot be dealt for a seed."""
    epoch = live.epochs[live.epoch]
    if not epoch.mix:
        return bool(epoch.missing)
    if epoch.rolls >= ROLLS_MAX or epoch.number <= live.restored:
        return True
    return elapsed(live.frozen or time, time) >= EPOCH_LASTS


# --- Seeds ------------------------------------------------------------------------------------------------------------


def committed(stream: str, epoch: int, seed: bytes, time: str) -> Planned:
    """The house commits itself to a new seed, which is kept under its key."""
    body = {"epoch": epoch, "commitment": commitment(stream, epoch, seed).hex()}
    return by_the_house("seed_committed", body, time, {f"{SEED}{epoch}": Secret(stream, epoch, seed)})


def _seed(material: r.Material, epoch: int) -> bytes:
    seed = material.seeds.get(epoch)
    if seed is None:
        raise ChanceError(material.lost or f"the seed of epoch {epoch} is not there")
    return seed


def _frozen(epoch: Epoch, time: str) -> Planned:
    """The seeds that were shown, mixed: from here on every roll of the epoch is decided."""
    seeds = [
        {"player": player, "commitment": promised.hex(), "seed": epoch.seeds[player].hex()}
        for player, promised in epoch.commitments.items()
    ]
    return by_the_house("mix_frozen", {"epoch": epoch.number, "mix": freeze(epoch).mix.hex(), "seeds": seeds}, time)


def _ended(live: Live, seed: bytes, fresh: bytes, time: str) -> list[Planned]:
    """An epoch is over: its seed is shown, and the house commits itself to one more."""
    revelation = revealed(live, r.Material({live.epoch: seed}), [live.epoch], time)
    return [*revelation, committed(live.stream, max(live.epochs) + 1, fresh, time)]


def revealed(live: Live, material: r.Material, epochs: Iterable[int], time: str) -> list[Planned]:
    """The house shows seeds, one epoch after the other; who owed one to an epoch owes none to the next."""
    planned: list[Planned] = []
    barred: set[str] = set()
    for number in sorted(epochs):
        epoch = live.epochs[number]
        owing = [] if epoch.mix else [player for player in epoch.missing if player not in barred]
        barred.update(owing)
        seed = _seed(material, number).hex()
        body = {"epoch": number, "seed": seed, "rolls": epoch.rolls, "owing": owing}
        planned.append(by_the_house("seed_revealed", body, time))
    return planned


def dice_of(live: Live, seed: bytes) -> Roll:
    assert live.announced is not None, "dice are for a roll that is announced"
    epoch = live.epochs[live.announced.epoch]
    return roll(seed, live.stream, epoch.number, live.announced.roll, epoch.mix)


# --- Dice -------------------------------------------------------------------------------------------------------------


def settle_roll(state: State, request: r.Request, _act: object) -> list[Planned]:
    """Give an announced roll its dice; where its link is lost, wagers are settled and the table is stopped."""
    live, material, time = state.live, request.material, request.by.time
    announced = live.announced
    if announced is None:
        return []
    asker, house = announced.asker, r.Ask("house", "house", "", time)
    waits = hands.silence(live, time)
    if waits == "wait":
        return []
    if waits:
        return hands.void(state, material, _in_place_of(asker, house))
    if asker is None and request.by.actor == "house":
        return []  # closed for nobody, since what was to be settled is: whoever asks next rolls it
    by = _in_place_of(asker, request.by)
    if live.chains and material.link:
        dice = hands.dice_of(live, announced, material)
        return [_rolled(live, state.layout, dice, by, None, hands.revealed(announced, material))]
    if live.chains:
        return hands.void(state, material, house, material.lost)
    if material.dice is None:
        back = _void(live, state.layout, (material.lost, ()), house, returned=True)
        stopped = by_the_house("table_stopped", {"reason": material.lost}, time)
        return [back, stopped, *opened_at_end(live, material, time)]
    return [_rolled(live, state.layout, material.dice, by, None)]


def _in_place_of(asker: Roller | None, by: r.Ask) -> r.Ask:
    """Whoever asked for a roll, where somebody did: it is theirs, whoever settles it."""
    return by if asker is None else r.Ask(asker.actor, asker.role, asker.key, by.time)


def unsettled(state: State, request: r.Request, reason: str) -> list[Planned]:
    """A roll that cannot be settled is void: nothing stands still because something failed.

    Wagers are settled at their worth. Where that fails too the table stops, and `chips_returned` settles them later, or
    a house that does not like the dice would buy back bets for their stakes. By protocol 1 every stake goes back.
    """
    live = state.live
    by = _in_place_of(live.announced.asker if live.announced is not None else None, request.by)
    if live.chains:
        with suppress(Exception):  # what has failed once may fail again
            return hands.void(state, request.material, by, reason)
    try:
        back = _void(live, state.layout, (reason, ()), by, returned=not live.chains)
    except Refused as error:
        raise InvariantError(f"what is up cannot be given back: {error.refusal.message}") from None
    if not live.chains or live.announced is None:
        return [back]
    if request.material.link:
        back.draft.body.update(hands.revealed(live.announced, request.material))
    stopped = by_the_house("table_stopped", {"reason": reason}, by.time)
    return [back, stopped, *hands.chains_revealed(live, request.material, by.time)]


def opened_at_end(live: Live, material: r.Material, time: str) -> list[Planned]:
    """What the house still kept secret, where nothing more is dealt: chains to their ends, or seeds."""
    if live.protocol > 1:
        return hands.chains_revealed(live, material, time)
    return revealed(live, material, [number for number in live.epochs if number in material.seeds], time)


def _rolled(  # noqa: PLR0913, PLR0917 - what a roll is made of
    live: Live,
    layout: Layout,
    dice: Roll,
    by: r.Ask,
    readings: Sequence[dict[str, Any]] | None,
    more: Mapping[str, Any] = NOTHING,
) -> Planned:
    announced = live.announced
    assert announced is not None, "dice are for a roll that is announced"
    command = c.Throw(dice)
    events, then = played(layout, live.table, command)
    body = {
        "epoch": announced.epoch,
        "roll": announced.roll,
        "dice": list(dice),
        "command": to_data(command),
        "readings": None if readings is None else list(readings),
        **more,
    }
    return happened("rolled", body, events, by, then)


def reading_commitment(reading: bytes) -> str:
    """What is published of a reading before it is shown: 30 bytes of salt and the two faces."""
    return sha256(READING_TAG + reading).hexdigest()


def reading_stream(live: Live) -> str:
    return f"{live.stream}/reading"


def reading_name(number: int, promise: str) -> str:
    return f"reading/{number}/{promise}"


def read_dice(state: State, request: r.Request, act: r.ReadDice) -> Planned:
    """The first reading is kept sealed; the second settles the roll, or holds it."""
    live, by, material = state.live, request.by, request.material
    announced = _check_reading(live, Roll(*act.dice), by)
    if announced.reading is None:
        reading = material.salt + bytes(act.dice)
        promise = reading_commitment(reading)
        secret = Secret(reading_stream(live), announced.roll, reading, bound=True)
        planned = statement("dice_entered", {"roll": announced.roll, "commitment": promise}, by)
        return planned._replace(secrets={reading_name(announced.roll, promise): secret})
    opened = material.reading
    first = {"actor": announced.reading.actor, "dice": list(opened[SALT_BYTES:]), "salt": opened[:SALT_BYTES].hex()}
    second = {"actor": by.actor, "dice": list(act.dice), "salt": material.salt.hex()}
    if sorted(opened[SALT_BYTES:]) == sorted(act.dice):  # like dice have no first: the roll is as it was read first
        return _rolled(live, state.layout, Roll(*opened[SALT_BYTES:]), by, [first, second])
    return statement("dice_disagreed", {"roll": announced.roll, "readings": [first, second]}, by)


def _check_reading(live: Live, dice: Roll, by: r.Ask) -> Announced:
    """The roll that somebody may read."""
    if live.dice != "real":
        deny("table.dice_drawn", "read")
    for_the_crew(live, by)
    if live.announced is None:
        deny("table.not_closed", "read")
    if live.table.phase == "disputed":
        deny("table.not_closed", "doubt")
    if not dice.is_possible:
        deny("table.dice_entered", "read", dice=dice)
    reading = live.announced.reading
    if reading is not None and is_alone(by.actor, reading.actor):
        deny("table.two_people", "read")
    return live.announced


# --- What two people decide -------------------------------------------------------------------------------------------


def _by_two(live: Live, by: r.Ask, reason: str, second: str) -> None:
    for_the_crew(live, by, second)
    if is_alone(by.actor, second):
        deny("table.two_people", "decide")
    if not is_said(reason):
        deny("table.two_people", "reason")


def void(state: State, request: r.Request, act: r.Void) -> Planned:
    """An announced roll that two people will not have rolled: its number is spent, its dice are shown in the end."""
    live, by = state.live, request.by
    _by_two(live, by, act.reason, act.second)
    if live.chains:
        deny("table.dice_drawn", "void")
    if live.announced is None:
        deny("table.not_closed", "void")
    return _void(live, state.layout, (act.reason, (by.actor, act.second)), by, returned=act.returned)


def _void(live: Live, layout: Layout, why: tuple[str, Sequence[str]], by: r.Ask, *, returned: bool) -> Planned:
    """An announced roll that never has dice, by a reason and people; where nobody asked, the key is empty."""
    reason, people = why
    announced = live.announced
    assert announced is not None, "only a roll that is announced can be void"
    commands = interrupted(live.table)
    if returned and any(seat.felt for seat in live.table.seats.values()):
        commands.append(c.ReturnAll(reason))
    events, _ = all_played(layout, live.table, commands)
    return voided(announced, reason, commands, events, by, people, returned=returned)


def correct(state: State, request: r.Request, act: r.Correct) -> Planned:
    """An entry reversed: the last roll struck out, or chips that were bought given back to the cage."""
    live, by, wrong = state.live, request.by, request.material.entry
    _by_two(live, by, act.reason, act.second)
    if live.announced is not None:
        deny("table.bets_closed", "correct")
    is_last = wrong is not None and wrong.sequence == live.last_roll
    if is_last and live.paid:
        deny("table.correction", "paid")
    bought = reversal(live, wrong) if wrong is not None else ()
    if wrong is None or wrong.sequence in live.reversed or not (is_last or bought):
        deny("table.correction", "last")
    body = {"reverses": wrong.sequence, "reason": act.reason, "people": [by.actor, act.second], "command": None}
    if not is_last:
        return happened("corrected", body, bought, by)
    if live.chains and not hands.may_void(live, live.rolled_up):
        deny("table.dice_drawn", "strike")
    command = c.StrikeOut(act.reason)
    events, then = played(state.layout, live.table, command)
    return happened("corrected", {**body, "command": to_data(command)}, events, by, then)


def reversal(live: Live, wrong: Entry) -> tuple[ChipsBought, ...]:
    """The chips of a buy-in go back, if they are still on the rail and nobody has taken them back before."""
    for event in events_of(wrong) if wrong.kind == "acted" else ():
        if isinstance(event, PlayerSat | ChipsBought):
            amount = event.buyin if isinstance(event, PlayerSat) else event.amount
            seat = live.table.seats.get(event.seat)
            theirs = live.sat.get(event.seat, 0) <= wrong.sequence
            if seat is not None and not seat.away and theirs and 0 < amount <= seat.rail:
                return (ChipsBought(event.seat, -amount),)
    return ()


# --- The end ----------------------------------------------------------------------------------------------------------


def close_for_good(state: State, request: r.Request, act: r.CloseForGood) -> list[Planned]:
    """The last entry, by whoever closes the table; every seed the house is committed to is shown before it."""
    live, by = state.live, request.by
    refusal = for_good(state.layout, live.table, rolling=live.announced is not None, hosted=act.hosted)
    house = by.role == "house"
    if refusal is not None:
        if house:
            raise LiveTableError(f"The table cannot be closed. {refusal.message}")
        raise Refused(refusal)
    last = by_the_house("table_closed", {}, by.time) if house else statement("table_closed", {}, by)
    if live.protocol > 1:
        if lost := [number for number in live.chains if number not in request.material.seeds]:
            raise ChanceError(request.material.lost or f"the chain of epoch {lost[0]} is not there")
        return [*hands.chains_revealed(live, request.material, by.time), last]
    return [*revealed(live, request.material, live.epochs, by.time), last]


def restore(state: State, material: r.Material, epoch: int, head: tuple[int, str], time: str) -> list[Planned]:
    """This table came out of a backup: nothing that was open in it is dealt, and everybody's wagers are settled.

    It counts as a roll that came to nothing, for everybody who ever had a wager up here; where no more may, the table
    stops.
    """
    live = state.live
    if live.protocol == 1:
        return [by_the_house("table_restored", {"epoch": epoch}, time)]
    events = hands.at_worth(state, live.table, live.table.seats, material.worth())
    body = {"epoch": epoch, "head": list(head), "reason": "a backup was put back"}
    restored = happened("table_restored", body, tuple(events), r.Ask("house", "house", "", time))
    then = with_them(live, [restored])
    ends = hands.chains_revealed(then, material, time)
    if not hands.may_void(live, live.caps):
        reason = f"{body['reason']}, and too many rolls came to nothing"
        return [restored, by_the_house("table_stopped", {"reason": reason}, time), *ends]
    fresh = [hands.committed(live.stream, epoch + 1 + at, seed, time) for at, seed in enumerate(material.fresh)]
    return [restored, *ends, *fresh]


def return_chips(state: State, request: r.Request, act: r.ReturnChips) -> Planned:
    """Everybody's chips go home from a table that was stopped: what is up is settled at its worth, and all cash in.

    At other dice than those of protocol 2 stakes come back: whoever stops a drawn table would buy bets for them.
    """
    live, by = state.live, request.by
    _by_two(live, by, act.reason, act.second)
    if live.over != "stopped":
        deny("table.stopped", "going")
    seats = live.table.seats
    if not seats:
        deny("table.stopped", "empty")
    commands = interrupted(live.table)
    at_worth: tuple[Event, ...] = ()
    if live.protocol > 1 and not commands:
        at_worth = tuple(hands.at_worth(state, live.table, seats, request.material.worth()))
    elif any(seat.felt for seat in seats.values()):
        commands.append(c.ReturnAll(act.reason))
    table = evolved(live.table, at_worth)
    commands += [c.Leave(number) for number, seat in table.seats.items() if not seat.away]
    events, _ = all_played(state.layout, table, commands)
    written = [to_data(command) for command in commands]
    body = {"reason": act.reason, "people": [by.actor, act.second], "commands": written}
    return happened("chips_returned", body, (*at_worth, *events), by)
