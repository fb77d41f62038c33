"""The dice: who holds them, who throws, which two, and what becomes of a die that strays (72 to 81, 84 to 101)."""

from tests.reference.book import (
    DICE_IN_THE_SET,
    KEYS,
    LOST_FOR_NEW_SET,
    TAKEN_AWAY_FOR,
    TAKES_DICE_AWAY,
)
from tests.reference.felt import Seat, Table

# ---------------------------------------------------------------------------------------------------------------
# Taking and giving up.


def new_set(table: Table) -> None:
    """Five fresh dice; the rest of the old set leaves the table."""
    table.dice.where = dict.fromkeys(DICE_IN_THE_SET, "bowl")
    table.dice.due = False
    table.dice.strayed = True  # 85: with a new set the shooter chooses again


def to_the_bowl(table: Table) -> None:
    """The dice in hand go back."""
    for die in table.dice.those("hand"):
        table.dice.where[die] = "bowl"


def give_up(table: Table) -> None:
    """Nobody holds the dice any more; a new set that is due comes now (S-17, 101)."""
    dice = table.dice
    dice.shooter = None
    dice.unthrown = False
    to_the_bowl(table)
    if dice.due:
        if table.house == "sydney" and len(dice.those("lost")) < 2:
            table.by("101")
        new_set(table)


def take_up(table: Table, number: int) -> None:
    """A seat takes the dice."""
    dice = table.dice
    if dice.due:  # 101: one was lost while nobody held them
        table.by("101")
        new_set(table)
    dice.shooter = dice.last = number
    dice.last_gone = False
    dice.unthrown = True
    dice.strayed = False
    dice.declined.discard(number)
    if dice.declined:
        table.by("95")  # the others' refusals last until a valid roll


def pass_dice(table: Table, number: int) -> bool:
    """The shooter gives the dice up, and so declines them (95)."""
    if table.busy or table.dice.shooter != number:
        return False
    give_up(table)
    table.dice.declined.add(number)
    return True


def order_pass(table: Table, reason: str, by: str) -> bool:
    """The dice are taken away (adelaide 13(a)(ii), sydney 3.7.2, exhibit-a continuation (1)(ii))."""
    shooter = table.dice.shooter
    if table.busy or shooter is None:
        return False
    if by not in ("", TAKES_DICE_AWAY[table.house]) or reason not in TAKEN_AWAY_FOR[table.house]:
        return False
    return pass_dice(table, shooter)


def decline(table: Table, number: int) -> bool:
    """A seat says no to the dice; the shooter gives them up by it (95)."""
    seat = table.seats.get(number)
    if seat is None or seat.away or table.busy:
        return False
    if table.dice.shooter is not None:
        return pass_dice(table, number)
    table.dice.declined.add(number)
    return True


def shoot(table: Table, number: int) -> bool:
    """A seat takes the dice (73, 93)."""
    seat = table.seats.get(number)
    if seat is None or seat.away or table.busy:  # 2
        return False
    if table.dice.shooter == number:
        return True
    if table.dice.shooter is not None:
        return False
    if table.point is not None and not seat.line():
        if somebody_throws(table) is not None:
            return False
        table.by("93")
    take_up(table, number)
    return True


# ---------------------------------------------------------------------------------------------------------------
# Who throws.


def clockwise(table: Table) -> list[int]:
    """Players in the order in which the dice are offered (3, 76): after the last holder, who comes last."""
    seats = sorted(n for n, seat in table.seats.items() if not seat.away)
    last = table.dice.last
    if last is None:
        return seats
    return [n for n in seats if n > last] + [n for n in seats if n <= last]


def travelled(seat: Seat) -> bool:
    """Whether a come or don't come is up on its number."""
    return any(KEYS[key][0] in ("come_on", "dont_come_on") for key in seat.up)


def somebody_throws(table: Table) -> tuple[int | None, bool] | None:
    """Who throws by 75 to 79 (None: the stickperson), and whether for come bets only; nothing when nobody may."""
    dice = table.dice
    shooter = dice.shooter
    if shooter is not None and (table.point is not None or table.seats[shooter].line()):  # 76
        return shooter, False
    for n in clockwise(table):
        if table.seats[n].line() and n not in dice.declined:  # 76, 95
            return n, False
    last_there = dice.last is not None and not dice.last_gone
    if table.house == "adelaide" and table.point is not None and last_there:  # 77
        if dice.last not in dice.declined:  # 93: unless that seat gave them up
            return dice.last, False
        table.by("95")
    if table.house == "sydney" and any(seat.up for seat in table.seats.values()):  # 78
        return None, False
    come_bets = any(travelled(seat) for seat in table.seats.values())
    if table.house == "exhibit-a" and table.point is None and come_bets and last_there:  # 79, E-12
        return dice.last, True
    return None


def who_throws(table: Table) -> tuple[int | None, bool] | None:
    """As above, and with a point on somebody always finishes the hand (93)."""
    found = somebody_throws(table)
    if found is not None or table.point is None:
        return found
    table.by("93")
    order = clockwise(table)
    willing = [n for n in order if n not in table.dice.declined]
    for n in willing or order:
        return n, False
    return None


def can_throw(table: Table) -> tuple[int | None, bool] | None:
    """Who throws, if there is somebody and two dice for them (84, 97)."""
    who = who_throws(table)
    dice = table.dice
    if who is None or not dice.followed:
        return who
    if who[0] is not None and who[0] == dice.shooter:
        if len(dice.those("hand")) == 2:
            return who
        table.by("84")
        return None
    table.by("97")
    changes = who[0] is not None or dice.shooter is not None  # 101: from nobody to the stickperson no shooter does
    if not (dice.due and changes) and len(dice.those("hand") + dice.those("bowl")) < 2:
        return None
    return who


def hand_over(table: Table, who: int | None) -> None:
    """The dice reach whoever throws them, if they are not there yet (76 to 79, 93, 97)."""
    dice = table.dice
    if who is not None and who == dice.shooter:
        return
    if dice.shooter is not None:
        give_up(table)
    if who is not None:
        take_up(table, who)
    if dice.followed:
        for die in dice.those("bowl")[:2]:
            dice.where[die] = "hand"


# ---------------------------------------------------------------------------------------------------------------
# The five dice.


def choose(table: Table, number: int, pair: tuple[int, int]) -> bool:
    """The shooter picks two dice, and then retains them (84, 85)."""
    dice = table.dice
    if table.busy or dice.shooter != number:
        return False
    if any(dice.where.get(die) not in ("bowl", "hand") for die in pair):  # off, unchecked or lost
        return False
    if not dice.unthrown and not dice.strayed:
        table.by("85")
        return False
    dice.followed = True
    dice.strayed = False
    to_the_bowl(table)
    for die in pair:
        dice.where[die] = "hand"
    return True


def die_off(table: Table, die: int) -> bool:
    """A die leaves the table; a throw under way is void (adelaide 9(d) and 11(a)(i), sydney 3.4, E-14, 89)."""
    dice = table.dice
    if dice.where.get(die) not in ("bowl", "hand"):
        return False
    dice.followed = True
    dice.strayed = True
    dice.where[die] = "off"
    if table.out:
        table.out = False
        if dice.shooter is None:  # the stickperson's throw
            to_the_bowl(table)
    return True


def die_found(table: Table, die: int) -> bool:
    """A die turns up again; it is checked before anybody throws it."""
    if table.dice.where.get(die) != "off":
        return False
    table.dice.where[die] = "found"
    return True


def die_checked(table: Table, die: int, by: str) -> bool:
    """The boxperson has looked at it, and it may be chosen again (adelaide 9(d)(iii), sydney 3.5)."""
    if table.dice.where.get(die) != "found" or by not in ("", "box"):
        return False
    table.dice.where[die] = "bowl"
    return True


def die_lost(table: Table, die: int) -> bool:
    """A die is given up: a new set, now or when the shooter has done with the old one (A-11, S-17, 101)."""
    dice = table.dice
    if dice.where.get(die) not in ("off", "found"):
        return False
    dice.where[die] = "lost"
    lost = len(dice.those("lost"))
    enough = lost >= LOST_FOR_NEW_SET[table.house]
    if enough and dice.shooter is None:
        new_set(table)
    elif enough and len(dice.where) - lost < 2:  # the shooter cannot go on with the rest
        table.by("84")
        new_set(table)
    else:
        dice.due = True
    return True
