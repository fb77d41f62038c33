"""What a live table says no with by itself: every sentence by the code it is said under.

The table takes its words from here, and who checks a journal looks whether they are these.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NoReturn

from passline.engine.refusals import Refusal, Refused

# No amount is larger, so that every balance is a whole number of 64 bits and exact in every language.
AMOUNT_MAX = 10**15

# By code, and by what was asked for or is wrong with it.
SENTENCES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "table.bets_closed": {
            "moves": "The bets are closed: nothing moves until the roll is settled.",
            "close": "The bets are closed.",
            "correct": "The bets are closed: corrections wait until the roll is settled.",
            "hand": "The bets are closed: hands change between rolls.",
            "inspect": "The bets are closed: dice are measured once the roll is settled, or void.",
        },
        "table.dice_drawn": {
            "say": "The dice of this table are drawn; nobody says what they show.",
            "read": "Nobody reads dice at this table.",
            "void": "Nobody declares a roll of drawn dice void.",
            "strike": "Two rolls of the last hundred came to nothing: no more are struck out.",
        },
        "table.dice_entered": {
            "say": "Two people read the dice of this table, each without the other.",
            "close": "Dice are said here, and nothing is closed.",
            "roll": "The dice of this table are not drawn.",
            "read": "Two dice cannot show {dice}.",
        },
        "table.two_people": {
            "strike": "An outcome is struck out by two people, with a reason.",
            "read": "The second reading is another person's.",
            "face": "Two people read a die in doubt, each apart, or it is no roll: one does not say what it shows.",
            "decide": "Two different people decide this.",
            "named": "Two different people decide this, each by name.",
            "reason": "Two people decide this, with a reason.",
        },
        "table.not_closed": {
            "say": "The bets are not closed: there are no dice to speak of.",
            "read": "The bets are not closed: there are no dice to read.",
            "doubt": "A face is in doubt: the box rules on it, and nobody reads.",
            "void": "No roll is announced.",
        },
        "table.hand": {
            "none": "The dice of this table take nobody's hand.",
            "seat": "Who sits at the table gives a hand in its dice.",
            "next": "Your last hand is still on, or owes a value, or this is not the next.",
            "off": "That hand is not on.",
            "value": "That is not the value that was committed to.",
            "closing": "That value is for another closing of the bets.",
            "unasked": "Nobody waits for that value.",
            "owes": "Your value for a roll did not arrive: show it, and then bet.",
        },
        "table.correction": {
            "paid": "The roll paid the wallet of somebody who had left, and is not struck out.",
            "last": "Only the last roll, or chips bought by somebody who still has them, is reversed.",
        },
        "table.too_large": {"amount": f"No amount is larger than {AMOUNT_MAX} minor units."},
        "table.short_wallet": {"wallet": "{name} has less than {amount} with the house."},
        "table.loss_limit": {
            "loss": "{name} wants to lose at most {most} in a day, and so many chips would be beyond it."
        },
        "table.other_wallet": {"wallet": "The chips there are {owner}'s."},
        "table.other_seat": {"seat": "That seat is another player's."},
        "table.role": {"crew": "The crew does that, and no player."},
        "table.no_game": {"floor": "This is the floor of the house: nobody plays here."},
        "table.house_wide": {"floor": "This is for the whole house: its floor is asked, and no table."},
        "table.confirmed_by": {"role": "You do not hold the role that this is said to be confirmed by."},
        "table.stopped": {
            "going": "Chips are given back like that where a table was stopped, and this one goes on.",
            "empty": "Nobody has chips here.",
        },
        "permission.missing": {"role": "{actor} holds no role that may do this: {kind}."},
        "approval.role": {"role": "{second} does not hold a role that may decide this: {kind}."},
        "person.own": {"review": "Nobody reviews a ruling of their own: another person does."},
        "person.other": {"player": "A player speaks for themselves."},
        "person.unknown": {"role": "Nobody here called {who} is {role}: name somebody who holds the role."},
        "person.title": {"title": "{who} was not given the title {title}: two people give it, with the role."},
        "person.supervisor": {"exclude": "Somebody is kept out of the house by two, one of whom supervises all of it."},
        "person.barred": {"crew": "Who may not play in this house keeps no table in it either."},
        "person.cashier": {
            "slip": "Chips pass between a cashier and somebody of the table.",
            "count": "A float is counted by people of the tables: nobody of the cage is the second.",
            "drawer": "A drawer is handed over to another cashier.",
        },
        "person.own_limit": {"time": "You have set a time to stop, and play again on the next gaming day."},
        "person.works": {"money": "You are {role} at this table for the house's money, and do not play at it."},
        "seat.none": {"number": "Seats have the numbers 1 to {most}."},
        "buyin.limit": {
            "chips": "Chips cost nothing here, and are bought up to {most} on one's rail; there are {rail} on yours."
        },
        "act.failed": {"report": "Something failed here, and nothing was done. It is reported as {report}."},
        "table.by_sign": {"sign": "The floor changes the sign and closes the table, as long ahead as the house wants."},
        "table.by_voucher": {"tokens": "Tokens are given for a voucher that the house issued: change one."},
    }
)


def no(code: str, which: str, seat: int | None = None, **words: object) -> Refusal:
    return Refusal(code, SENTENCES[code][which].format_map(words), None, seat)


def deny(code: str, which: str, seat: int | None = None, **words: object) -> NoReturn:
    """End the act that is being decided: what is written of it is that it was refused."""
    raise Refused(no(code, which, seat, **words))
