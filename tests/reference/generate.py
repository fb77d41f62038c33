"""Random records, to be replayed by the engine and by the model.

A record is made by playing it: the generator keeps the model's table beside it, so that most of what it asks for can
be granted and the rare states (a long fire, a come-only throw, a point that nobody may throw for) come up often. What
it writes is only text; whoever replays it needs to know nothing of this.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.reference import crew, model
from tests.reference.book import (
    BONUS_PAYS,
    CALLABLE,
    CRAPS,
    HARD,
    HORN,
    HOUSES,
    KEYS,
    LAID_ODDS,
    ODDS_KINDS,
    PARTS,
    POINTS,
    offers,
)
from tests.reference.felt import Seat, Table, flat_of, lawful_left, maximum, minimum
from tests.reference.reading import Act, cents, is_notice, read_notice

if TYPE_CHECKING:
    from collections.abc import Callable

SIGNED = 0.2
"""How often adelaide's sign says who calls No Roll (91)."""
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")
FLOATS = (
    "1 5 25 100",
    "1 5 25 100 500",
    "5 25 100",
    "0.5 1 5 25",
    "2.5 5 25",
    "2.50",
    "25 5 1",
    "2 5",
    "0.25 1",
    "10 3",
)
STYLES = ("light", "dark", "mixed", "numbers", "props", "side", "wild")
NO_ROLLS = ("off-table", "stacked", "cocked beyond telling", "late call by the boxman", "dice 7-out!", "3-4")
STRANGE_KEYS = (
    "place_7",
    "place",
    "horn_high_7",
    "horn_high",
    "come_odds",
    "dont_come_odds_7",
    "come_6",
    "dont_come_8",
    "hard_5",
    "hop_hard_12",
    "big_7",
    "craps_11",
    "lay_12",
    "fire_3",
    "banana",
    "x",
    "put_6",
    "pass_line",
)


# ---------------------------------------------------------------------------------------------------------------
# The head of a record.


def random_notice(rng: random.Random, house: str) -> str | None:
    """A notice line for `house`, or None for the house's own."""
    if rng.random() < 0.25:
        return None
    words = []
    if rng.random() < 0.7:
        words.append("min=" + rng.choice(["1", "1", "2", "3", "5", "5", "10", "15", "25", "0", "2.5", "0.50", "7"]))
    if rng.random() < 0.6:
        words.append("max=" + rng.choice(["20", "50", "60", "100", "200", "500", "1000", "5000", "5", "37.5"]))
    if rng.random() < 0.6:
        if house == "adelaide":
            words.append(f"odds={rng.randint(1, 10)}")
        elif house == "sydney":
            words.append("odds=2")
        else:
            words.append(f"odds={rng.choice([1, 2, 3, 5, 10, 20, 100])}")
    if rng.random() < 0.35:
        words.append("props=" + rng.choice(["1", "1", "2", "0", "5", "10", "0.5", "4", "20"]))
    if house in ("adelaide", "sydney"):
        if rng.random() < 0.25 and "min=0" not in words:
            words.append("multiples")
        if rng.random() < 0.25:
            words.append("unit=" + rng.choice(["1", "5", "5", "2", "2.5", "10", "3"]))
    if house == "adelaide" and rng.random() < SIGNED:
        words.append("no-roll=" + rng.choice(["boxman", "stickman"]))
    if house == "fire-bonus" and rng.random() < 0.5:
        words.append("side=" + rng.choice(["1-5", "1-10", "5-25", "0-100", "1-2000", "2.5-10", "10-5"]))
    rng.shuffle(words)
    read = read_notice(house, words, 1)
    if read.min > read.max and rng.random() < 0.9:  # a table where hardly anything can be bet is soon dull
        return random_notice(rng, house)
    return " ".join(["notice", *words])


def random_head(rng: random.Random, house: str) -> list[str]:
    """The lines before the first `sit`."""
    lines = ["passline 1", f"house {house}"]
    rest = []
    notice, chips = random_notice(rng, house), ["1"]
    if rng.random() < 0.6:
        rest.append("float " + rng.choice(FLOATS))
        chips = rest[0].split()[1:]
    if notice is not None:
        if not is_notice(read_notice(house, notice.split()[1:], 1), min(cents(each, 1) for each in chips)):
            return random_head(rng, house)
        rest.append(notice)
    rng.shuffle(rest)
    return lines + rest


def written(rng: random.Random, amount: int) -> str:
    """An amount in one of the ways it may be written."""
    whole, rest = divmod(amount, 100)
    forms = [f"{whole}.{rest:02d}"]
    if rest % 10 == 0:
        forms.append(f"{whole}.{rest // 10}")
    if rest == 0:
        forms += [str(whole)] * 20
    return rng.choice(forms)


# ---------------------------------------------------------------------------------------------------------------
# Amounts and keys that make sense at the table as it stands.


def good_amount(rng: random.Random, table: Table, seat: Seat, key: str) -> int:
    """An amount that will probably be accepted for `key`."""
    kind, n = KEYS[key]
    chip = table.chip
    old = seat.up[key].stake if key in seat.up else 0
    lowest = max(chip, minimum(table, kind) - old)
    step = chip * PARTS.get(kind, 1)
    tops = [seat.rail]
    most = maximum(table, kind)
    if most is not None:
        tops.append(most - old)
    if kind in ODDS_KINDS:
        flat = flat_of(table, seat, kind, n)
        if flat is not None and table.notice.odds is not None:
            price = LAID_ODDS[table.house][flat[1]] if kind.startswith("dont") else 1
            top = int(table.notice.odds * flat[0].stake / price) - old
            if rng.random() < 0.4:
                return max(chip, top // chip * chip + rng.choice([0, 0, chip]))  # all that may be laid, or one too many
            tops.append(top)
    top = min(tops)
    amount = lowest
    for _ in range(12):
        reach = rng.choice([lowest, lowest, lowest * 2, lowest * 5, lowest + 20 * step, top])
        amount = max(step, rng.randint(min(lowest, reach), max(lowest, reach)) // step * step)
        if amount <= top and lawful_left(table, kind, old + amount):
            return amount
    steps = [(k + 1) * step for k in range(60)]
    lawful = [a for a in steps if lowest <= a <= top and lawful_left(table, kind, old + a)]
    return rng.choice(lawful) if lawful else amount


def any_amount(rng: random.Random, table: Table, seat: Seat) -> int:
    """An amount that may well be refused."""
    return rng.choice(
        [
            0,
            1,
            table.chip // 2,
            table.chip,
            table.chip + 1,
            table.notice.min,
            max(0, table.notice.min - table.chip),
            table.notice.max,
            table.notice.max + table.chip,
            seat.rail,
            seat.rail + table.chip,
            seat.rail // table.chip * table.chip,
            rng.randint(1, 20) * table.chip,
            rng.randint(1, 20) * 100,
            rng.randint(1, 300_00),
        ]
    )


def good_key(rng: random.Random, table: Table, seat: Seat, style: str) -> str:
    """A key that a player of this style would think of now."""
    off = table.point is None
    keys: list[str] = []
    if style in ("light", "mixed", "wild", "side"):
        keys += ["pass"] * 6 if off else ["come"] * 4
    if style in ("dark", "mixed", "wild"):
        keys += ["dont_pass"] * 6 if off else ["dont_come"] * 4
    if style in ("numbers", "props"):
        keys += ["pass", "dont_pass"] if off else ["come"]
    for key in seat.up:
        kind, n = KEYS[key]
        if kind == "pass" and not off:
            keys += ["pass_odds"] * 3
        elif kind == "dont_pass" and not off:
            keys += ["dont_pass_odds"] * 3
        elif kind == "come_on":
            keys += [f"come_odds_{n}"] * 3
        elif kind == "dont_come_on":
            keys += [f"dont_come_odds_{n}"] * 3
        elif kind in ("place", "buy", "lay", "place_lose", "hard", "big"):
            keys.append(key)  # press it
    numbers = [f"{kind}_{rng.choice(POINTS)}" for kind in ("place", "buy", "lay", "place_lose")]
    hards = [f"{kind}_{rng.choice(HARD)}" for kind in ("hard", "hop_hard")]
    props = ["field", "any_seven", "any_craps", "eleven", "horn", "craps_eleven", "world"]
    props += [f"craps_{rng.choice(CRAPS)}", f"horn_high_{rng.choice(HORN)}", *hards]
    side = ["fire", "fire", "all_small", "all_tall", "make_em_all"]
    if style in ("numbers", "wild", "mixed"):
        keys += numbers * 2 + [rng.choice(["big_6", "big_8"])]
    if style in ("props", "wild"):
        keys += [rng.choice(props) for _ in range(6)]
    if style in ("side", "wild") and table.house == "fire-bonus" and (off or rng.random() < 0.1):
        keys += side * (3 if style == "side" else 1)
    keys.append(rng.choice(numbers))
    keys.append(rng.choice(props))
    keys = [key for key in keys if offers(table.house, key)]
    return rng.choice(keys) if keys else "pass"


# ---------------------------------------------------------------------------------------------------------------
# Acts.


def bet_line(rng: random.Random, table: Table, n: int, style: str) -> str:
    """A bet: mostly a sensible one."""
    seat = table.seats[n]
    dice = rng.random()
    if dice < 0.03:
        key = rng.choice(STRANGE_KEYS)
        return f"{n} bet {key} {written(rng, any_amount(rng, table, seat))}"
    key = rng.choice(list(KEYS)) if dice < 0.10 else good_key(rng, table, seat, style)
    amount = any_amount(rng, table, seat) if rng.random() < 0.1 else good_amount(rng, table, seat, key)
    return f"{n} bet {key} {written(rng, amount)}"


def take_line(rng: random.Random, table: Table, n: int) -> str:
    """Something down, wholly or in part."""
    seat = table.seats[n]
    if not seat.up or rng.random() < 0.05:
        return f"{n} take {rng.choice(list(KEYS))}"
    keys = list(seat.up)
    key = rng.choice(keys)
    donts = [k for k in keys if k.startswith("dont_") and "odds" not in k]
    commissioned = [k for k in keys if seat.up[k].held]
    if donts and rng.random() < 0.35:
        key = rng.choice(donts)
    elif commissioned and rng.random() < 0.5:
        key = rng.choice(commissioned)
    if rng.random() < 0.4:
        return f"{n} take {key}"
    stake = seat.up[key].stake
    chip = table.chip
    left = rng.choice([0, stake // 2, stake - chip, stake, stake + chip, table.notice.min, chip, rng.randint(0, stake)])
    if rng.random() < 0.8:
        left = left // chip * chip
    return f"{n} take {key} {written(rng, max(0, left))}"


def has_callable(seat: Seat) -> bool:
    """Whether a bet is up that can be called on or off."""
    return any(KEYS[key][0] in CALLABLE for key in seat.up)


def call_line(rng: random.Random, table: Table, n: int) -> str:
    """On or off."""
    seat = table.seats[n]
    callable_keys = [key for key in seat.up if KEYS[key][0] in CALLABLE]
    word = rng.choice(["on", "on", "off"])
    if callable_keys and rng.random() < 0.9:
        return f"{n} {word} {rng.choice(callable_keys)}"
    return f"{n} {word} {rng.choice(list(seat.up) or list(KEYS))}"


def dice_line(rng: random.Random, table: Table, mood: str) -> str:
    """A roll, in the mood of the hour."""
    pairs = [(a, b) for a in range(1, 7) for b in range(1, 7)]

    def weight(pair: tuple[int, int]) -> float:
        total = pair[0] + pair[1]
        if mood == "no sevens":
            return 0.05 if total == 7 else 1.0
        if mood == "points":  # points are made, one after another, and different ones
            if total == 7:
                return 0.03
            if table.point is None:
                return 8.0 if total in POINTS and total not in table.tally else 0.5
            return 12.0 if total == table.point else 0.4
        if mood == "all totals":  # every total as likely, no sevens to speak of
            return 0.02 if total == 7 else 1.0 / (6 - abs(total - 7))
        if mood == "sevens":
            return 3.0 if total == 7 else 1.0
        if mood == "hard":
            return 4.0 if pair[0] == pair[1] else 1.0
        return 1.0

    a, b = rng.choices(pairs, [weight(pair) for pair in pairs])[0]
    return f"roll {a}-{b}"


def clear_lines(rng: random.Random, table: Table) -> list[str]:
    """Everybody, or everybody but one, takes their don't pass down, and who throws now."""
    lines = [f"{n} take dont_pass" for n, seat in table.seats.items() if "dont_pass" in seat.up]
    rng.shuffle(lines)
    if lines and rng.random() < 0.3:
        lines.pop()
    if rng.random() < 0.5:
        lines.append(f"{rng.choice(sorted(table.seats))} shoot")
    return lines


def sit_line(rng: random.Random, table: Table) -> str:
    """Somebody comes in; now and then to a taken seat."""
    free = [n for n in (1, 2, 3, 4, 5, 7, 8, 12, 20) if n not in table.seats]
    n = rng.choice(free) if free and rng.random() < 0.9 else rng.choice([30, *table.seats])
    if rng.random() < 0.6:
        buy_in = str(rng.choice([20, 50, 100, 300]) * max(1, table.notice.min // 100, table.chip // 100))
    else:
        buy_in = rng.choice(["500", "300", "100", "40", "1000", "25", "12.50", "7.5", "0", "99.99", "5000", "2000"])
    return f"sit {n} {rng.choice(NAMES)} {buy_in}"


def dressed(rng: random.Random, line: str) -> str:
    """The same line as another hand would type it."""
    dice = rng.random()
    if dice < 0.02:
        return line + "   # a word about it: 1 bet pass 5"
    if dice < 0.03:
        return "  " + line.replace(" ", "   ") + " "
    if dice < 0.04:
        return line.replace(" ", "\t", 1)
    return line


def somebody(rng: random.Random, table: Table, wanted: Callable[[Seat], bool]) -> int:
    """A seat: mostly one with something to act upon."""
    fit = [n for n, seat in sorted(table.seats.items()) if wanted(seat)]
    return rng.choice(fit if fit and rng.random() < 0.93 else sorted(table.seats))


class Writer:
    """A record under way: the lines so far, and the table they lead to."""

    def __init__(self, rng: random.Random, head: list[str]) -> None:
        self.rng = rng
        self.lines = list(head)
        self.table, _ = model.read("\n".join(head))

    def write(self, line: str) -> bool:
        """Put a line down and play it."""
        table, acts = model.read(f"passline 1\nhouse {self.table.house}\n{line}")
        del table
        act: Act = acts[0]
        self.lines.append(dressed(self.rng, line))
        if self.rng.random() < 0.01:
            self.lines.append(self.rng.choice(["", "# a remark", "   "]))
        return model.do(self.table, act)


def other_lines(rng: random.Random, table: Table, families: list[str], style: str) -> list[str]:
    """Some lines of the crew, or of players in other ways than chips on the layout."""

    def a_bet() -> str:
        n = somebody(rng, table, lambda seat: seat.rail > 0 and not seat.away) if table.seats else 1
        if n not in table.seats:
            return f"{n} bet pass 5"
        line = bet_line(rng, table, n, style)
        return line if len(line.split()) == 4 else f"{n} bet field 5"

    match rng.choice(families):
        case "dice":
            return crew.dice_lines(rng, table)
        case "passing":
            return crew.passing_lines(rng, table)
        case "throws":
            return crew.throw_lines(rng, table)
        case "doubt":
            return crew.doubt_lines(rng, table)
        case "floor":
            return crew.floor_lines(rng, table)
        case "sign":
            return sign_lines(rng, table.house)
        case "coming":
            return crew.coming_lines(rng, table)
        case "forms":
            return crew.form_lines(rng, table, a_bet)
        case "found":
            return crew.found_lines(rng, table, a_bet)
        case _:
            return crew.out_lines(rng, table, a_bet)


def sign_lines(rng: random.Random, house: str) -> list[str]:
    """A new sign, or, seldom, the table closes."""
    ahead = rng.choice(["", "", " ahead=20", " ahead=19", " ahead=60", " ahead=0"])
    if rng.random() < 0.06:
        told = rng.choice(["", " told=inspector"]) if house == "adelaide" else ""
        return [f"close{ahead}{told}"]
    notice = random_notice(rng, house)
    words = (notice or "notice").split()[1:] or ["max=500"]
    return [" ".join(["post" + ahead, *words])]


def after_the_dice(rng: random.Random, table: Table, mood: str) -> str:
    """Something that ends a throw under way: a roll mostly, a ruling while a face is in doubt."""
    if table.doubt is None:
        return dice_line(rng, table, mood)
    if rng.random() < 0.1:
        return rng.choice([dice_line(rng, table, mood), "no-roll x"])
    return crew.doubt_lines(rng, table)[0]


def random_record(rng: random.Random, house: str | None = None, acts: int = 120) -> str:
    """A readable record of about `acts` acts, lawful and not, in `house` or any of the four."""
    house = house or rng.choice(HOUSES)
    writer = Writer(rng, random_head(rng, house))
    table = writer.table
    left = acts
    for _ in range(rng.choice([1, 1, 2, 2, 3, 4])):
        writer.write(sit_line(rng, table))
        left -= 1
    favourites = STYLES if house == "fire-bonus" else [style for style in STYLES if style != "side"]
    styles: dict[int, str] = {}
    everybody_dark = rng.random() < 0.25
    moods = ["fair", "fair", "no sevens", "points", "all totals", "sevens", "hard"]
    if house == "fire-bonus":
        moods += ["points", "points", "all totals", "all totals"]
    mood = rng.choice(moods)
    eager = rng.choice([0.15, 0.25, 0.4])  # how often the dice are thrown
    families = [family for family in crew.FAMILIES if rng.random() < 0.3] if rng.random() < 0.75 else []
    others = rng.choice([0.1, 0.2, 0.35]) if families else 0.0  # how often something else happens
    refused_rolls = 0
    while left > 0:
        left -= 1
        for n in table.seats:
            styles.setdefault(n, "dark" if everybody_dark else rng.choice(favourites))
        if rng.random() < others:
            for line in other_lines(rng, table, families, rng.choice(favourites)):
                writer.write(line)
            continue
        if table.busy and rng.random() < 0.7:
            writer.write(after_the_dice(rng, table, mood))
            continue
        if not table.seats:
            writer.write(sit_line(rng, table))
            continue
        n = somebody(rng, table, lambda seat: not seat.away and seat.rail >= max(table.chip, table.notice.min))
        broke = table.seats[n].rail < max(table.chip, table.notice.min)
        dice = rng.random()
        if rng.random() < 0.02:
            mood = rng.choice(moods)
        if dice < eager:
            if writer.write(dice_line(rng, table, mood)):
                refused_rolls = 0
                continue
            refused_rolls += 1
            if refused_rolls >= 2 and table.point is None and left > 0:  # somebody must bet the line, or nothing moves
                left -= 1
                line = rng.choice(["pass", "dont_pass"])
                writer.write(f"{n} bet {line} {written(rng, good_amount(rng, table, table.seats[n], line))}")
        elif dice < eager + 0.09:
            writer.write(take_line(rng, table, somebody(rng, table, lambda seat: bool(seat.up))))
        elif dice < eager + 0.16:
            writer.write(call_line(rng, table, somebody(rng, table, has_callable)))
        elif dice < eager + 0.18:
            writer.write(f"{n} shoot")
        elif dice < eager + 0.19:
            writer.write(f"no-roll {rng.choice(NO_ROLLS)}")
        elif dice < eager + 0.20:
            writer.write(f"{rng.choice([6, 9, 99])} {rng.choice(['bet pass 5', 'take pass', 'on place_6', 'shoot'])}")
        elif dice < eager + 0.21 or (broke and dice < eager + 0.5):
            writer.write(sit_line(rng, table))
        elif dice < eager + 0.245 and table.point is not None:
            for line in clear_lines(rng, table):
                writer.write(line)
                left -= 1
        elif house == "fire-bonus" and not table.rolled and table.point is None and rng.random() < 0.5:
            key = rng.choice(["fire", "fire", *BONUS_PAYS])
            writer.write(f"{n} bet {key} {written(rng, good_amount(rng, table, table.seats[n], key))}")
        elif not any(seat.line() for seat in table.seats.values()) and table.point is None and rng.random() < 0.35:
            line = rng.choice(["pass", "dont_pass", "dont_pass"])
            writer.write(f"{n} bet {line} {written(rng, good_amount(rng, table, table.seats[n], line))}")
        else:
            writer.write(bet_line(rng, table, n, styles[n]))
    return "\n".join(writer.lines) + rng.choice(["", "\n", "\n\n"])
