"""What the supervisor does: striking an outcome out, giving everything back, the sign, closing."""

import copy

from tests.reference.book import KEYS
from tests.reference.felt import Notice, Struck, Table, free_seats, lawful
from tests.reference.reading import is_notice
from tests.reference.shooting import to_the_bowl


def invalidate(table: Table) -> bool:
    """Strike out the last outcome, as long as no chip has moved since (100)."""
    struck = table.struck
    if struck is None:
        return False
    if table.busy:  # 87
        table.by("87")
        return False
    if struck.called:
        table.by("100")
    if table.house == "adelaide":  # as it lay
        table.seats = struck.seats
        table.cashed = struck.cashed
        table.bank = struck.bank
    else:  # sydney 9.5.1: what was decided goes back
        refund_the_decided(table, struck)
    table.point = struck.point
    table.tally = struck.tally
    table.rolled = struck.rolled
    declined = struck.dice.declined | table.dice.declined
    table.dice.declined = set()
    untouched = copy.deepcopy(struck.dice_after)
    untouched.declined = set()
    if table.dice == untouched:
        table.dice = struck.dice
        if table.dice.shooter is None:  # the stickperson had them, and does not hold them between throws
            to_the_bowl(table)
    else:
        table.by("100")
    table.dice.declined = declined
    table.struck = None
    return True


def refund_the_decided(table: Table, struck: Struck) -> None:
    """Decided stakes with their commission to the rail, the others as they lay before the roll."""
    table.seats = struck.seats
    table.cashed = struck.cashed
    table.bank = struck.bank
    for number, keys in struck.decided.items():
        seat = table.seats[number]
        for key in keys:
            table.by("100")
            pile = seat.up[key]
            table.bank -= pile.held
            seat.rail += pile.held
            seat.give_back(key)
    free_seats(table)


def return_all(table: Table) -> bool:
    """Every undecided wager goes back, with its commission; the hand is over (92)."""
    if not any(seat.up for seat in table.seats.values()):
        return False
    if table.busy:  # 87
        table.by("87")
        return False
    for seat in table.seats.values():
        for key in list(seat.up):
            table.bank -= seat.up[key].held
            seat.rail += seat.up[key].held
            seat.give_back(key)
    if any(seat.away for seat in table.seats.values()):
        table.by("94")
        free_seats(table)
    if table.point is not None:
        table.by("92")
        table.point = None
    table.struck = None
    return True


def post(table: Table, notice: Notice, ahead: int) -> bool:
    """A new sign; in sydney a higher minimum must have been up for twenty minutes (sydney 7.5, S-10)."""
    if not is_notice(notice, table.chip):  # 105
        return False
    old = copy.copy(table)
    table.notice = notice
    if table.house == "sydney" and ahead < 20:
        if notice.min > old.notice.min:
            table.notice = old.notice
            return False
        if (notice.min if notice.props is None else notice.props) > (
            old.notice.min if old.notice.props is None else old.notice.props
        ):
            table.by("10c")
            table.notice = old.notice
            return False
    note_standing(table)
    return True


def note_standing(table: Table) -> None:
    """Note stakes that were within the old sign and are not within the new one: they stand until decided (S-10)."""
    for seat in table.seats.values():
        for key, pile in seat.up.items():
            if pile.unchecked and not pile.found and not lawful(table, KEYS[key][0], pile.stake):
                table.by("S-10")


def close(table: Table, ahead: int, told: str) -> bool:
    """The table closes: the hand is finished, nothing new begins (X-27)."""
    if table.house == "adelaide" and told != "inspector":  # 14(i), 102
        table.by("102")
        return False
    if table.house == "sydney" and ahead < 20:  # 9.8: with players present
        if any(not seat.away for seat in table.seats.values()):
            return False
        table.by("sydney 9.8")
    table.closing = True
    return True
