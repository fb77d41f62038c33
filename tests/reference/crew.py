"""Lines of the crew and the rarer lines of players, for random records: at good moments and at bad ones."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.reference.book import KEYS, PARTS, STANDS, VOID

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.reference.felt import Table

FAMILIES = ("dice", "passing", "throws", "doubt", "floor", "sign", "coming", "forms", "found", "out")
"""Kinds of acts; a record uses some of them, so that long stretches are free of the others."""

ROLES = ("dealer", "box", "stick", "supervisor", "boxman", "stickperson", "inspector", "player")
FLAWS = (*sorted({flaw for flaws in (*VOID.values(), *STANDS.values()) for flaw in flaws}), "banana")
REASONS = ("fire", "fraud", "x", "act of God", "a brawl at the rail")


def by_role(rng: random.Random, likely: str) -> str:
    """Nobody named, the right one, or anybody."""
    dice = rng.random()
    if dice < 0.5:
        return ""
    return f" by {likely if dice < 0.8 else rng.choice(ROLES)}"


def by_roles(rng: random.Random) -> str:
    """Some roles, or nobody."""
    return " by " + rng.choice(
        ["dealer", "box", "dealer,box", "box,dealer", "stick", "nobody", "dealer,stick", "boxman"]
    )


def a_seat(rng: random.Random, table: Table) -> int:
    """A seat; mostly the shooter's."""
    if table.dice.shooter is not None and rng.random() < 0.7:
        return table.dice.shooter
    return rng.choice(sorted(table.seats) or [1])


def dice_lines(rng: random.Random, table: Table) -> list[str]:
    """Choosing dice, and dice that stray."""
    dice = table.dice
    off, turned_up = dice.those("off"), dice.those("found")
    here = dice.those("bowl") + dice.those("hand")
    if turned_up and rng.random() < 0.5:
        return [f"die-checked {rng.choice(turned_up)}{by_role(rng, 'box')}"]
    if off and rng.random() < 0.6:
        return [rng.choice(["die-found", "die-found", "die-lost"]) + f" {rng.choice(off)}"]
    kind = rng.random()
    if kind < 0.55 or not dice.followed:
        pair = rng.sample(here, 2) if len(here) >= 2 and rng.random() < 0.85 else rng.sample(range(1, 7), 2)
        seat = a_seat(rng, table)
        shoot = [f"{seat} shoot"] if dice.shooter is None and rng.random() < 0.8 else []
        return [*shoot, f"{seat} choose {pair[0]} {pair[1]}"]
    if kind < 0.85:
        return [f"die-off {rng.choice(dice.those('hand') or here or [1])}"]
    verb = rng.choice(["die-off", "die-found", "die-checked", "die-lost"])
    return [f"{verb} {rng.choice([1, 2, 3, 4, 5, 5, 6, 12])}"]


def passing_lines(rng: random.Random, table: Table) -> list[str]:
    """Giving the dice up, saying no, and being told to."""
    n = a_seat(rng, table)
    kind = rng.random()
    if kind < 0.35:
        return [f"{n} pass-dice"]
    if kind < 0.6:
        reason = rng.choice(["delay", "delay", "invalid rolls", "breach", "banana", "no reason at all"])
        return [f"order-pass {reason}{by_role(rng, 'box')}"]
    if kind < 0.8 or table.dice.shooter is None:
        return [f"{rng.choice(sorted(table.seats) or [1])} decline"]
    return [f"{n} pass-dice", *(f"{m} decline" for m in sorted(table.seats) if rng.random() < 0.6)]


def throw_lines(rng: random.Random, table: Table) -> list[str]:
    """A throw with something wrong, or a call of No Roll by somebody."""
    if rng.random() < 0.35:
        return [f"no-roll-by {rng.choice(ROLES)} {rng.choice(REASONS)}"]
    known = sorted(VOID[table.house] | STANDS[table.house])
    flaw = rng.choice(known) if rng.random() < 0.9 else rng.choice(FLAWS)
    return [f"throw {rng.randint(1, 6)}-{rng.randint(1, 6)} {flaw}"]


def doubt_lines(rng: random.Random, table: Table) -> list[str]:
    """A leaning die, a disputed face, and the ruling."""
    if table.doubt is not None and rng.random() < 0.9:
        likely = "supervisor" if table.house == "fire-bonus" else "box"
        face = "void" if rng.random() < 0.25 else str(rng.randint(1, 6))
        return [f"rule {face}{by_role(rng, likely)}"]
    kind = rng.random()
    if kind < 0.1:
        return [f"rule {rng.randint(1, 6)}"]
    if kind < 0.5:
        return [f"dispute {rng.randint(1, 6)}"]
    sides = ",".join(str(rng.randint(1, 6)) for _ in range(rng.choice([1, 1, 1, 2, 3])))
    return [f"cocked {rng.randint(1, 6)} {sides}"]


def floor_lines(rng: random.Random, table: Table) -> list[str]:
    """Striking out and giving back."""
    del table
    if rng.random() < 0.75:
        return [f"invalidate {rng.choice(REASONS)}"]
    return [f"return-all {rng.choice(REASONS)}"]


def coming_lines(rng: random.Random, table: Table) -> list[str]:
    """Leaving and buying more."""
    n = rng.choice(sorted(table.seats) or [1])
    if rng.random() < 0.5:
        return [f"{n} leave"]
    return [f"{n} buyin {rng.choice(['100', '50', '7.5', '0', '500'])}"]


def form_lines(rng: random.Random, table: Table, a_bet: Callable[[], str]) -> list[str]:
    """Bets in other forms than chips on the layout."""
    line = a_bet()
    n = line.split()[0]
    kind = rng.random()
    if kind < 0.4 and (table.house == "sydney" or rng.random() < 0.2):
        flaw = rng.choice(["", "", "", " expired", " for blackjack only"])
        return [f"{n} tokens {rng.choice(['10', '20', '50', '100', '0', '2.5'])}{by_role(rng, 'dealer')}{flaw}"]
    if kind < 0.75 and table.house == "sydney":
        return [f"{line} tokens={rng.choice(['5', '5', '10', '0', '1', line.split()[3]])}"]
    return [line + rng.choice([" self", f" spoken{by_roles(rng)}", f" cash{by_roles(rng)}"])]


def found_lines(rng: random.Random, table: Table, a_bet: Callable[[], str]) -> list[str]:
    """Chips that nobody checked, of any amount; parts are left whole, as nobody says what half a part is."""
    words = a_bet().split()
    kind = KEYS[words[2]][0] if words[2] in KEYS else ""
    step = table.chip * PARTS.get(kind, 1)
    most = 30 if kind in PARTS else 300
    small = rng.randint(1, max(1, table.notice.min // step))
    amount = step * rng.choice([small, small, rng.randint(1, 10), rng.randint(1, most)])
    if kind in PARTS:
        amount = min(amount, max(step, table.notice.max // step * step))
    return [f"{words[0]} found {words[2]} {amount // 100}.{amount % 100:02d}"]


def out_lines(rng: random.Random, table: Table, a_bet: Callable[[], str]) -> list[str]:
    """The dice go out, and bets are tried while they are in the air."""
    words = a_bet().split()
    late = f"{words[0]} late {words[2]} {words[3]}"
    if table.house == "sydney" and rng.random() < 0.2:
        late += " tokens=5"
    late += " by dealer,box" if rng.random() < 0.5 else by_roles(rng)
    if table.out:
        return [late if rng.random() < 0.7 else a_bet()]
    return ["dice-out", late] if rng.random() < 0.85 else [late]
