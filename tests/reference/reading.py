"""Reading a record: which lines there are, and what cannot be read (1 to 10, 91, 102, 103)."""

import re
from dataclasses import dataclass, field

from tests.reference.book import DEFAULT_ODDS, HOUSES
from tests.reference.felt import Notice, Table


class Unreadable(Exception):
    """A record that cannot be read (6); `line` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


@dataclass(frozen=True)
class Act:
    """One line that asks for something at the table."""

    line: int
    verb: str
    seat: int = 0
    key: str = ""
    amount: int = 0
    token: int = 0
    name: str = ""  # of a player; else the reason, the flaw, or the form of a bet
    dice: tuple[int, ...] = ()
    by: frozenset[str] | None = None  # who confirmed it; None where nobody is named
    ahead: int = 0
    notice: Notice = field(default_factory=Notice)

    @property
    def role(self) -> str:
        """The one role that is named, or nothing."""
        return next(iter(self.by)) if self.by else ""


SEAT = re.compile(r"[1-9][0-9]*")
KEY = re.compile(r"[a-z][a-z0-9_]*")
AMOUNT = re.compile(r"([0-9]+)(?:\.([0-9]{1,2}))?")
DICE = re.compile(r"([1-6])-([1-6])")
FACE = re.compile(r"[1-6]")
SIDES = re.compile(r"[1-6](?:,[1-6])*")
WHOLE = re.compile(r"[0-9]+")
ROLES = {
    "dealer": "dealer",
    "box": "box",
    "boxman": "box",
    "boxperson": "box",
    "stick": "stick",
    "stickman": "stick",
    "stickperson": "stick",
    "supervisor": "supervisor",
    "inspector": "inspector",
    "player": "player",
}


def cents(word: str, line: int) -> int:
    """An amount, read (4)."""
    match = AMOUNT.fullmatch(word)
    if match is None:
        raise Unreadable(line, f"{word!r} is no amount")
    return int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))


def shown(amount: int) -> str:
    """An amount, written (4)."""
    whole, rest = divmod(amount, 100)
    return str(whole) if rest == 0 else f"{whole}.{rest:02d}"


def whole(word: str, line: int) -> int:
    """A whole number, read."""
    if WHOLE.fullmatch(word) is None:
        raise Unreadable(line, f"{word!r} is no whole number")
    return int(word)


def role(word: str, line: int) -> str:
    """One role, by any house's word for it."""
    if word not in ROLES:
        raise Unreadable(line, f"who is {word!r}?")
    return ROLES[word]


def roles(words: list[str], line: int) -> frozenset[str]:
    """`by ROLES`: roles with commas between them, or nobody."""
    if len(words) != 2 or words[0] != "by":
        raise Unreadable(line, "by, and who")
    if words[1] == "nobody":
        return frozenset()
    return frozenset(role(word, line) for word in words[1].split(","))


def one_role(words: list[str], line: int) -> frozenset[str] | None:
    """`[by ROLE]`: perhaps one role."""
    if not words:
        return None
    if len(words) != 2 or words[0] != "by":
        raise Unreadable(line, "by, and who")
    return frozenset({role(words[1], line)})


def read_notice(house: str, words: list[str], line: int) -> Notice:
    """The words of a notice, in any order (8 to 10d, 91)."""
    notice = Notice(odds=DEFAULT_ODDS[house])
    said: set[str] = set()
    for word in words:
        name, equals, value = word.partition("=")
        if name in said:
            raise Unreadable(line, f"{name} is said twice")
        said.add(name)
        if word == "multiples":
            if house not in ("adelaide", "sydney"):  # 10a
                raise Unreadable(line, f"{house} has no multiples")
            notice.multiples = True
        elif not equals:
            raise Unreadable(line, f"what is {word!r}?")
        elif name == "min":
            notice.min = cents(value, line)
        elif name == "max":
            notice.max = cents(value, line)
        elif name == "odds":  # 9
            notice.odds = whole(value, line)
            if notice.odds < 1:
                raise Unreadable(line, "odds begin at 1")
            if house == "adelaide" and notice.odds > 10:
                raise Unreadable(line, "adelaide has at most ten times odds")
            if house == "sydney" and notice.odds != 2:
                raise Unreadable(line, "sydney has double odds")
        elif name == "props":  # 10c
            notice.props = cents(value, line)
        elif name == "side":  # 10d
            if house != "fire-bonus":
                raise Unreadable(line, f"{house} has no side wagers")
            low, dash, high = value.partition("-")
            if not dash:
                raise Unreadable(line, "side is two amounts, A-B")
            notice.side = cents(low, line), cents(high, line)
        elif name == "unit":  # 10b
            if house not in ("adelaide", "sydney"):
                raise Unreadable(line, f"{house} has no unit")
            notice.unit = cents(value, line)
            if notice.unit == 0:
                raise Unreadable(line, "a unit is above 0")
        elif name == "no-roll":  # 91
            if house != "adelaide" or value not in ("boxman", "stickman"):
                raise Unreadable(line, f"what is {word!r}?")
            notice.no_roll = ROLES[value]
        else:
            raise Unreadable(line, f"what is {word!r}?")
    if notice.multiples and notice.min == 0:  # 10a
        raise Unreadable(line, "multiples of 0")
    return notice


def is_notice(notice: Notice, chip: int) -> bool:
    """Whether a sign can be dealt with these chips (105)."""
    bounds = [(notice.min, notice.max), (notice.min if notice.props is None else notice.props, notice.max)]
    bounds += [] if notice.side is None else [notice.side]
    return all(0 < low <= high and low % chip == 0 for low, high in bounds)


def read_bet(line: int, seat: int, verb: str, rest: list[str]) -> Act:
    """`bet`, `late` and `found`: a key, an amount, and how it was made."""
    if len(rest) < 2:
        raise Unreadable(line, "a word too few")
    if KEY.fullmatch(rest[0]) is None:
        raise Unreadable(line, f"{rest[0]!r} is no key")
    key, amount, rest = rest[0], cents(rest[1], line), rest[2:]
    token, form, by = 0, "", None
    if verb != "found" and rest and rest[0].startswith("tokens="):
        token = cents(rest[0].removeprefix("tokens="), line)
        rest = rest[1:]
    if verb == "late":
        by = roles(rest, line)
    elif verb == "bet" and rest and rest[0] in ("spoken", "cash"):
        form = rest[0]
        by = roles(rest[1:], line)  # 103
    elif verb == "bet" and rest == ["self"]:
        form = "self"
    elif rest:
        raise Unreadable(line, "a word too many")
    return Act(line, verb, seat, key, amount, token, form, by=by)


def read_seat_act(words: list[str], line: int) -> Act:
    """A line that begins with a seat."""
    if len(words) < 2:
        raise Unreadable(line, "a seat, and then?")
    seat, verb, rest = int(words[0]), words[1], words[2:]
    if verb in ("bet", "late", "found"):
        return read_bet(line, seat, verb, rest)
    if verb in ("shoot", "decline", "pass-dice", "leave"):
        if rest:
            raise Unreadable(line, "a word too many")
        return Act(line, verb, seat)
    if verb == "choose":  # 103
        if len(rest) != 2 or any(SEAT.fullmatch(word) is None for word in rest) or rest[0] == rest[1]:
            raise Unreadable(line, "choose two different dice")
        return Act(line, verb, seat, dice=(int(rest[0]), int(rest[1])))
    if verb == "buyin":
        if len(rest) != 1:
            raise Unreadable(line, "buyin AMOUNT")
        return Act(line, verb, seat, amount=cents(rest[0], line))
    if verb == "tokens":
        if not rest:
            raise Unreadable(line, "tokens AMOUNT")
        by = one_role(rest[1:3], line) if rest[1:2] == ["by"] else None
        flaw = " ".join(rest[1:] if by is None else rest[3:])
        return Act(line, verb, seat, amount=cents(rest[0], line), name=flaw, by=by)
    if verb not in ("take", "on", "off"):
        raise Unreadable(line, f"what is {verb!r}?")
    if not rest or KEY.fullmatch(rest[0]) is None:
        raise Unreadable(line, "that is no key")
    key, rest = rest[0], rest[1:]
    if verb == "on" and rest:
        return Act(line, verb, seat, key, by=roles(rest, line))
    if len(rest) > (1 if verb == "take" else 0):
        raise Unreadable(line, "a word too many")
    return Act(line, verb, seat, key, cents(rest[0], line) if rest else 0)


def read_crew_act(house: str, words: list[str], line: int) -> Act:
    """A line of the crew."""
    verb, rest = words[0], words[1:]

    def need(low: int, high: int = 0) -> None:
        if not low <= len(rest) <= (high or low):
            raise Unreadable(line, "a word too few or too many")

    def face(word: str) -> int:
        if FACE.fullmatch(word) is None:
            raise Unreadable(line, f"{word!r} is no face")
        return int(word)

    if verb in ("roll", "throw"):
        need(1 if verb == "roll" else 2)
        match = DICE.fullmatch(rest[0])
        if match is None:
            raise Unreadable(line, "the dice are A-B, each 1 to 6")
        return Act(line, verb, dice=(int(match[1]), int(match[2])), name=" ".join(rest[1:]))
    if verb == "dice-out":
        if rest:
            raise Unreadable(line, "a word too many")
        return Act(line, verb)
    if verb in ("no-roll", "invalidate", "return-all"):
        need(1, 1000)
        return Act(line, verb)
    if verb == "no-roll-by":
        need(2, 1000)
        return Act(line, verb, by=frozenset({role(rest[0], line)}))
    if verb == "order-pass":
        need(1, 1000)
        by = None
        if len(rest) > 2 and rest[-2] == "by":
            by = one_role(rest[-2:], line)
            rest = rest[:-2]
        return Act(line, verb, name=" ".join(rest), by=by)
    if verb == "cocked":
        need(2)
        if SIDES.fullmatch(rest[1]) is None:
            raise Unreadable(line, f"{rest[1]!r} are no sides")
        return Act(line, verb, dice=(face(rest[0]), *map(int, rest[1].split(","))))
    if verb == "dispute":
        need(1)
        return Act(line, verb, dice=(face(rest[0]),))
    if verb == "rule":
        need(1, 3)
        return Act(line, verb, dice=(0 if rest[0] == "void" else face(rest[0]),), by=one_role(rest[1:], line))
    if verb in ("die-off", "die-found", "die-lost", "die-checked"):
        need(1, 3 if verb == "die-checked" else 1)
        if SEAT.fullmatch(rest[0]) is None:
            raise Unreadable(line, f"{rest[0]!r} is no die")
        return Act(line, verb, dice=(int(rest[0]),), by=one_role(rest[1:], line))
    if verb == "post":
        ahead = 0
        if rest and rest[0].startswith("ahead="):
            ahead, rest = whole(rest[0].removeprefix("ahead="), line), rest[1:]
        need(1, 1000)
        return Act(line, verb, ahead=ahead, notice=read_notice(house, rest, line))
    if verb == "close":
        return read_close(house, rest, line)
    raise Unreadable(line, f"what is {verb!r}?")


def read_close(house: str, rest: list[str], line: int) -> Act:
    """`close`, with its words in any order, each once (102)."""
    ahead, told = 0, ""
    said = [word.partition("=")[0] for word in rest]
    if len(set(said)) < len(said):
        raise Unreadable(line, "a word is said twice")
    for word in rest:
        if word.startswith("ahead="):
            ahead = whole(word.removeprefix("ahead="), line)
        elif word == "told=inspector" and house == "adelaide":
            told = "inspector"
        else:
            raise Unreadable(line, f"what is {word!r}?")
    return Act(line, "close", ahead=ahead, name=told)


def read(text: str) -> tuple[Table, list[Act]]:
    """The opened table and all acts, or `Unreadable`; nothing is played before everything is read (6)."""
    house = ""
    opened = False  # `passline 1` has been said
    notice: Notice | None = None
    chips: list[int] = []
    acts: list[Act] = []
    sat = False
    signed = 0  # the line of the notice
    line = 1
    for line, raw in enumerate(text.split("\n"), start=1):
        words = raw.partition("#")[0].split()
        if not words:
            continue
        verb, rest = words[0], words[1:]
        if not opened:  # 1
            if words != ["passline", "1"]:
                raise Unreadable(line, "a record begins with passline 1")
            opened = True
        elif not house:  # 1
            if verb != "house" or len(rest) != 1:
                raise Unreadable(line, "house NAME comes second")
            if rest[0] not in HOUSES:
                raise Unreadable(line, f"no house {rest[0]!r}")
            house = rest[0]
        elif verb in ("passline", "house"):
            raise Unreadable(line, f"{verb} is said once")
        elif verb == "notice":
            if notice is not None or sat:
                raise Unreadable(line, "one notice, before the first sit")
            notice, signed = read_notice(house, rest, line), line
        elif verb == "float":
            if chips or sat:
                raise Unreadable(line, "one float, before the first sit")
            if not rest:
                raise Unreadable(line, "an empty float")
            chips = [cents(word, line) for word in rest]
            if min(chips) == 0:
                raise Unreadable(line, "a chip of 0")
        elif verb == "sit":
            if len(rest) != 3:
                raise Unreadable(line, "sit SEAT NAME AMOUNT")
            if SEAT.fullmatch(rest[0]) is None:
                raise Unreadable(line, f"{rest[0]!r} is no seat")
            acts.append(Act(line, "sit", int(rest[0]), name=rest[1], amount=cents(rest[2], line)))
            sat = True
        elif SEAT.fullmatch(verb) is not None:
            acts.append(read_seat_act(words, line))
        else:
            acts.append(read_crew_act(house, words, line))
    if not house:
        raise Unreadable(line, "the record ends before its house")
    if notice is None:
        notice = Notice(odds=DEFAULT_ODDS[house])
    chip = min(chips) if chips else 100  # 13: the smallest chip
    if signed and not is_notice(notice, chip):
        raise Unreadable(signed, "no sign that can be dealt")
    return Table(house, notice, chip=chip), acts
