"""A throw: what makes it count, who made it, and what a roll does to puck and dice (53, 72 to 81, 84 to 99)."""

import copy

from tests.reference.book import (
    NO_ROLL_CALLERS,
    POINTS,
    RULES_ON_FACES,
    STANDS,
    VOID,
)
from tests.reference.felt import (
    Struck,
    Table,
    free_seats,
)
from tests.reference.settling import refuse_found, settle
from tests.reference.shooting import can_throw, give_up, hand_over, to_the_bowl, who_throws

# ---------------------------------------------------------------------------------------------------------------
# The throw.


def dice_out(table: Table) -> bool:
    """The dice leave the hand: from here on it is known who threw them."""
    if table.busy:
        return False
    who = can_throw(table)
    if who is None:
        return False
    if who[0] is not None:  # 114: from the stickperson a void throw takes nothing
        hand_over(table, who[0])
    table.thrower = who
    table.out = True
    return True


def ready(table: Table) -> bool:
    """Whether a throw can come to rest now; `table.thrower` says whose it is (80, 84, 86, 99)."""
    if table.doubt is not None:
        return False
    if table.out:
        note_thrower(table)
        return True
    who = can_throw(table)
    if who is None:
        return False
    table.thrower = who
    return True


def note_thrower(table: Table) -> None:
    """Note a throw that would be another's if the dice went out only now: a line bet came while they were away."""
    before = set(table.bearing)
    now = who_throws(table)
    table.bearing = before
    if now != table.thrower:
        table.by("thrower")


def void(table: Table) -> bool:
    """The throw is as if it had not been (X-25)."""
    table.out = False
    table.doubt = None
    if table.dice.shooter is None:  # the stickperson had them
        to_the_bowl(table)
    return True


def no_roll(table: Table, by: str = "") -> bool:
    """One more throw, which was void (12, 88); in sydney not while a face is in doubt (99)."""
    if by:
        callers = NO_ROLL_CALLERS[table.house]
        if table.notice.no_roll:  # 91
            callers = {table.notice.no_roll}
        if by not in callers:
            return False
    if table.house == "sydney" and table.doubt is not None:
        table.by("99")
        return False
    return void(table)


def throw(table: Table, a: int, b: int, flaw: str) -> bool:
    """A throw with something wrong: void by itself, or good unless called (X-26, 89, 98)."""
    house = table.house
    if flaw not in VOID[house] | STANDS[house]:
        return False
    if flaw in STANDS[house]:
        return roll(table, a, b)
    if house == "fire-bonus" and flaw in ("off-table", "cocked"):
        table.by("89")
    elif house == "fire-bonus" or (house == "exhibit-a" and flaw == "unapproved-dice"):
        table.by("98")
    if not table.busy and can_throw(table) is None:
        table.by("99")
        return False
    return table.doubt is None and void(table)


def cocked(table: Table, face: int, sides: set[int]) -> bool:
    """A leaning die: the face opposite the side it leans on; two void it; adelaide has the boxman rule (E-15, S-16)."""
    if not ready(table):
        if not table.busy:
            table.by("86")
        return False
    if table.house == "adelaide":
        table.doubt = face
        return True
    if len(sides) > 1:
        return void(table)
    return roll(table, face, 7 - min(sides))


def dispute(table: Table, face: int) -> bool:
    """One face is certain, the other is disputed (86)."""
    if not ready(table):
        if not table.busy:
            table.by("86")
        return False
    table.doubt = face
    return True


def rule(table: Table, face: int, by: str) -> bool:
    """The box rules: a face, or, except in sydney, a void throw; 0 stands for void (sydney 4.4.3)."""
    if table.doubt is None or by not in ("", RULES_ON_FACES[table.house]):
        return False
    if face == 0:
        return table.house != "sydney" and void(table)
    note_thrower(table)
    certain = table.doubt
    table.doubt = None
    rolled(table, certain, face)
    return True


def roll(table: Table, a: int, b: int) -> bool:
    """The dice are thrown and called, or there is nobody to throw them (72 to 81)."""
    if not ready(table):
        return False
    rolled(table, a, b)
    return True


def rolled(table: Table, a: int, b: int) -> None:
    """A valid roll, by `table.thrower`."""
    before = Struck(
        copy.deepcopy(table.seats),
        table.point,
        set(table.tally),
        table.rolled,
        table.bank,
        table.cashed,
        copy.deepcopy(table.dice),
        table.dice,
        {},
    )
    thrower, come_only = table.thrower
    if not table.out or thrower is None:
        hand_over(table, thrower)
    table.out = False

    total = a + b
    made = table.point is not None and total == table.point
    seven_out = table.point is not None and total == 7
    if made:
        table.tally.add(total)  # 69
    for number, seat in table.seats.items():
        up = set(seat.up)
        refuse_found(table, seat)
        refused = up - set(seat.up)
        before.decided[number] = refused | settle(table, seat, a, b, seven_out)

    # 53: then the puck moves, then the dice pass.
    table.rolled = True
    table.dice.unthrown = False
    table.dice.declined = set()  # 95: until a valid roll
    if table.point is None:
        if total in POINTS and not come_only:  # 72, 79
            table.point = total
            for seat in table.seats.values():
                for pile in seat.up.values():
                    if pile.call == "on":  # 49
                        pile.call = ""
    elif made or seven_out:
        table.point = None
    if thrower is None:
        to_the_bowl(table)
    if seven_out:
        give_up(table)  # 74
        table.tally = set()  # 69
        table.rolled = False  # 30
    free_seats(table)
    before.dice_after = copy.deepcopy(table.dice)
    table.struck = before
