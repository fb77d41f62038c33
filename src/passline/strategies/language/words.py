"""A strategy in plain words, as one player would tell it to another."""

from collections.abc import Iterator
from typing import assert_never

from passline.strategies.language import conditions as c
from passline.strategies.language.amounts import Amount
from passline.strategies.language.conditions import QUANTITIES, Condition, Quantity, Sign
from passline.strategies.language.strategy import Cancellation, Move, Progression, Strategy, Want
from passline.telling.figures import listed

# What wagers are called where no house has its own name for them.
NAMES = {
    "pass": "the pass line",
    "dont_pass": "don't pass",
    "dont_come": "don't come",
    "pass_odds": "odds behind the pass line",
    "dont_pass_odds": "odds laid on don't pass",
    "come_odds": "odds on each come bet",
    "dont_come_odds": "odds laid on each don't come bet",
    "place_lose": "place to lose",
    "make_em_all": "make 'em all",
    "field": "the field",
    "horn": "the horn",
    "fire": "the fire bet",
    "hard": "the hardways",
    "place": "the place bets",
    "buy": "the buy bets",
    "lay": "the lay bets",
}

SIGNS: dict[Sign, str] = {
    "<": "fewer than",
    "<=": "at most",
    "=": "exactly",
    "!=": "not exactly",
    ">=": "at least",
    ">": "more than",
}

MOVES: dict[Move, str] = {
    "next": "one step on",
    "hold": "the same again",
    "back": "one step back",
    "back 2": "two steps back",
    "start over": "from the start",
}

FACTS = {
    "always": "whatever happens",
    "puck on": "a point is on",
    "puck off": "the puck is off",
    "seven out": "the roll sevens out",
    "hand over": "the roll ends the hand",
    "point made": "the roll makes the point",
    "point set": "the roll sets a point",
    "up": "{} is up",
    "open": "the house takes {}",
    "won": "{} won",
    "lost": "{} lost",
    "made": "{} was put up",
}

# How the endless ladders begin.
GROWS = {
    "double": "1, 2, 4, 8 …",
    "add one": "1, 2, 3, 4 …",
    "add half": "1, 1½, 2, 2½ …",
    "fibonacci": "1, 1, 2, 3, 5 …",
}


def in_words(strategy: Strategy) -> list[str]:
    """Tell a strategy: one sentence for each thing it wants, counts, climbs and ends by."""
    lines = [_want(want) for want in strategy.wants]
    lines += [
        f"`{count.name}` counts each roll when {when(count.when)}"
        + ("" if count.down is None else f", down by one when {when(count.down)}")
        + ("" if count.most is None else f", up to {count.most}")
        + ("" if not count.start else f", from {count.start}")
        + ("." if count.reset is None else f", and starts again when {when(count.reset)}.")
        for count in strategy.counts
    ]
    for place, stage in enumerate(strategy.stages, start=1):
        leads = [] if stage.on is None else [f"on to the next when {when(stage.on)}"]
        leads += [] if stage.back is None else [f"back when {when(stage.back)}"]
        lines.append(f"Stage {place} is `{stage.name}`" + (f": {', '.join(leads)}." if leads else "."))
    lines += [_progression(part) for part in strategy.progressions]
    lines += list(_ends(strategy))
    return lines


def wager(key: str) -> str:
    """Name a wager for anybody: `place_6` is place 6."""
    if key in NAMES:
        return NAMES[key]
    stem, _, number = key.rpartition("_")
    if number.isdigit() and stem in ("come_odds", "dont_come_odds", "place_lose", "hard", "place", "buy", "lay"):
        plain = {"hard": "hard", "place": "place", "buy": "buy", "lay": "lay"}.get(stem) or NAMES[stem]
        return f"{plain} {number}"
    return key.replace("_", " ").replace("dont ", "don't ")


def _want(want: Want) -> str:
    says = []
    if want.up:
        amounts = [f"{much.in_words()} {'as' if '_odds' in key else 'on'} {wager(key)}" for key, much in want.up]
        says.append(listed(amounts))
    for names, verb in ((want.down, "taken down"), (want.on, "called on"), (want.off, "called off")):
        if names:
            says.append(f"{listed([wager(name) for name in names])} {verb}")
    condition = "Always" if want.when == c.Fact("always") else f"When {when(want.when)}"
    skip = "; nothing on the point itself" if want.skip_point else ""
    return f"{condition}: {', '.join(says)}{skip}."


def when(condition: Condition) -> str:
    match condition:
        case c.Fact(what=what, wager=key):
            return FACTS[what].format(wager(key or ""))
        case c.Compare(number=number, sign=sign, value=value):
            return _compared(number, sign, str(value))
        case c.CompareSums(left=left, sign=sign, right=right):
            return f"{_sum(left)} {SUM_SIGNS[sign]} {_sum(right)}"
        case c.OneOf(number=number, values=values):
            either = listed(list(map(str, values)), "or")
            return f"{_subject(number)} {either}"
        case c.Not(part=part):
            return f"not ({when(part)})" if isinstance(part, c.Joined) else f"it is not so that {when(part)}"
        case c.Joined(word=word, parts=parts):
            return f" {word} ".join(f"({when(part)})" if isinstance(part, c.Joined) else when(part) for part in parts)
        case _:
            assert_never(condition)


# Signs between two sums, as words.
SUM_SIGNS = {"<": "is under", "<=": "is at most", "=": "is", "!=": "is not", ">=": "is at least", ">": "is over"}


def _sum(amount: Amount) -> str:
    words = ""
    for number, by in amount.terms().items():
        joined = (" minus " if by < 0 else " plus ") if words else "minus " * (by < 0)
        if number is None:
            words += f"{joined}{abs(by)}"
        else:
            words += f"{joined}{'' if abs(by) == 1 else f'{abs(by)} times '}the number of {_counted(number)}"
    return words.replace("the number of units", "the units").replace("the number of the", "the")


def _compared(number: Quantity, sign: Sign, value: str) -> str:
    if number.name not in QUANTITIES or QUANTITIES[number.name].is_total:
        signs = {"=": "", "!=": "not ", "<": "under ", "<=": "at most ", ">": "over ", ">=": "at least "}
        return f"{_subject(number)} {signs[sign]}{value}"
    if sign == "=" and value == "0":
        return f"there are no {_counted(number)}"
    if (sign, value) in ((">", "0"), (">=", "1")):
        return f"there are any {_counted(number)}"
    return f"there are {SIGNS[sign]} {value} {_counted(number)}"


def _subject(number: Quantity) -> str:
    is_total = number.name in QUANTITIES and QUANTITIES[number.name].is_total
    return _counted(number) if is_total else f"{_counted(number)} is"


def _counted(number: Quantity) -> str:
    """What is counted; a count of the strategy's own goes by its name."""
    if number.name not in QUANTITIES:
        return f"`{number.name}`"
    return QUANTITIES[number.name].words.format(wager(number.of) if isinstance(number.of, str) else number.of)


def _progression(part: Progression) -> str:
    past = "it starts again" if part.end == "start over" else "it stays there"
    reset = "" if part.reset is None else f" It starts again when {when(part.reset)}."
    of = wager(part.of)
    if isinstance(part, Cancellation):
        line = " ".join(map(str, part.line))
        text = f"`{part.name}` is the line {line}: bet both ends together; when {of} wins cross them off, when it loses"
        return f"{text} write the loss behind; past the table's maximum {past}.{reset}"
    steps = GROWS[part.steps] if isinstance(part.steps, str) else ", ".join(map(str, part.steps))
    text = f"`{part.name}` climbs {steps} units: after {of} wins {MOVES[part.won]}, after it loses {MOVES[part.lost]}"
    if part.each:
        text += ", each number for itself"
    if part.goal is not None:
        text += f"; never more than the series still needs to be {part.goal} ahead, and then from the start"
    return f"{text}; past the last step, or the table's maximum, {past}.{reset}"


def _ends(strategy: Strategy) -> Iterator[str]:
    ends = strategy.ends
    stops = [
        f"after {ends.rolls} rolls" if ends.rolls else "",
        f"after {ends.hands} hands" if ends.hands else "",
        f"{ends.stop_win} units ahead" if ends.stop_win is not None else "",
        f"{ends.stop_loss} units behind" if ends.stop_loss is not None else "",
        f"when {when(ends.when)}" if ends.when is not None else "",
    ]
    if any(stops):
        either = listed(list(filter(None, stops)), "or")
        yield f"The session ends {either}."
