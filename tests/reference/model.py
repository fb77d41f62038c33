"""A second, independent reading of the rules: what a record does to the chips.

Written straight from `rulebooks/pinned.md` (numbers in brackets), `ambiguities.md` (letters: X-01, F-17 ...),
`wagers.csv` and, for the crew, `clauses.csv`. It shares no code with the engine and is deliberately plain: cents as
`int`, prices as `Fraction`, one long `if` where the book has one long list. It is slow, and it is only there to be
disagreed with.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.reference import betting, floor, rolling, shooting
from tests.reference.felt import Table
from tests.reference.reading import Act, Unreadable, cents, read, shown


@dataclass
class Result:
    """What a record came to."""

    acts: list[tuple[int, bool]]  # line, accepted?
    rails: list[dict[str, str]]  # after each act
    table: dict[str, Any]  # the last JSON object of design section 6
    bank: int = 0  # net winnings of the house, in cents
    tables: list[dict[str, Any]] = field(default_factory=list)  # as the last, after each act
    bearing: list[frozenset[str]] = field(default_factory=list)  # later decisions that had mattered, after each act


def do(table: Table, act: Act) -> bool:
    """One act at the table; whether it was accepted."""
    seat, key, amount = act.seat, act.key, act.amount
    by = set(act.by or ())
    done: bool
    match act.verb:
        case "sit":
            done = betting.sit(table, seat, act.name, amount)
        case "buyin":
            done = betting.buy(table, seat, amount)
        case "leave":
            done = betting.leave(table, seat)
        case "tokens":
            done = betting.tokens(table, seat, amount, act.role, act.name)
        case "bet":
            done = betting.bet(table, seat, key, amount, token=act.token, form=act.name, by=by)
        case "late":
            done = betting.late(table, seat, key, amount, token=act.token, by=by)
        case "found":
            done = betting.found(table, seat, key, amount)
        case "take":
            done = betting.take(table, seat, key, amount)
        case "on" | "off":
            done = betting.call(table, seat, key, act.verb, None if act.by is None else by)
        case "shoot":
            done = shooting.shoot(table, seat)
        case "decline":
            done = shooting.decline(table, seat)
        case "pass-dice":
            done = shooting.pass_dice(table, seat)
        case "order-pass":
            done = shooting.order_pass(table, act.name, act.role)
        case "choose":
            done = shooting.choose(table, seat, (act.dice[0], act.dice[1]))
        case "die-off":
            done = shooting.die_off(table, act.dice[0])
        case "die-found":
            done = shooting.die_found(table, act.dice[0])
        case "die-checked":
            done = shooting.die_checked(table, act.dice[0], act.role)
        case "die-lost":
            done = shooting.die_lost(table, act.dice[0])
        case "dice-out":
            done = rolling.dice_out(table)
        case "roll":
            done = rolling.roll(table, act.dice[0], act.dice[1])
        case "throw":
            done = rolling.throw(table, act.dice[0], act.dice[1], act.name)
        case "no-roll" | "no-roll-by":
            done = rolling.no_roll(table, act.role)
        case "cocked":
            done = rolling.cocked(table, act.dice[0], set(act.dice[1:]))
        case "dispute":
            done = rolling.dispute(table, act.dice[0])
        case "rule":
            done = rolling.rule(table, act.dice[0], act.role)
        case "invalidate":
            done = floor.invalidate(table)
        case "return-all":
            done = floor.return_all(table)
        case "post":
            done = floor.post(table, act.notice, act.ahead)
        case "close":
            done = floor.close(table, act.ahead, act.name)
        case _:
            raise AssertionError(act.verb)
    return done


def rails_of(table: Table) -> dict[str, str]:
    """Every rail, as it is written."""
    return {str(n): shown(table.seats[n].rail) for n in sorted(table.seats)}


def picture(table: Table) -> dict[str, Any]:
    """The table as the last line of `passline replay --json` shows it."""
    return {
        "event": "table",
        "puck": "off" if table.point is None else table.point,
        "shooter": table.dice.shooter,
        "seats": {
            str(n): {
                "rail": shown(table.seats[n].rail),
                "up": {key: shown(pile.stake) for key, pile in table.seats[n].up.items()},
            }
            for n in sorted(table.seats)
        },
    }


def replay(text: str) -> Result:
    """Read a record, play it, and say what came of it."""
    table, acts = read(text)
    result = Result([], [], {})
    for act in acts:
        result.acts.append((act.line, do(table, act)))
        result.rails.append(rails_of(table))
        result.tables.append(picture(table))
        result.bearing.append(frozenset(table.bearing))
    result.table = picture(table)
    result.bank = table.bank
    return result


__all__ = ["Act", "Result", "Table", "Unreadable", "cents", "do", "picture", "rails_of", "read", "replay", "shown"]
