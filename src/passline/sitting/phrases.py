"""What is said at the rail, read into clauses: what is wanted, of which bets, and for how much. No table is looked at.

line   = clause {("," | "and" | "then") clause}
clause = ["about"] [amount] ["each"] ["on" | "for" | "in" | "off"] bet | verb [bets] [amount]
"""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from passline.engine.layout import Layout
from passline.files.amounts import chips_of
from passline.telling.names import NICKNAMES, names_of, plain


@dataclass(frozen=True, slots=True)
class Clause:
    verb: str  # the dealer's method that does it: `bet`, `press`, `with odds`
    # Keys of wagers; `6`, a number; `across` and other groups; `@place`, a kind of what is up; `@it`, what won.
    bets: tuple[str, ...] = ()
    amount: int | None = None
    each: bool = False
    # `exact`: as a record says it; `about`: the nearest that is booked and paid whole; `or number`: the amount may be a
    # number too; `either`: numbers in a row, of which one may be money; of a press: `unit`, `half`, `full`, `double`,
    # `twice`, `parlay`; of odds: `max`, `some` or `2x`.
    how: str = ""
    units: int = 1  # by how many units a bet goes up or down, or how many are bet where no amount is said
    words: str = ""


class NotUnderstood(Exception):
    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


PHRASES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text("utf-8"))
GROUPS: dict[str, list[str]] = {name: names.split(", ") for name, names in PHRASES["groups"].items()}
FIXED = {
    words: Clause(row["verb"], (row["bets"],) if "bets" in row else (), how=row.get("how", ""))
    for phrases, row in PHRASES["fixed"].items()
    for words in phrases.split(", ")
}
REWRITES = [
    (re.compile(rf"(?<![^ ])(?:{pattern})(?![^ ])"), instead) for pattern, instead in PHRASES["otherwise"].items()
]

PREFIXES = {"place": "place", "buy": "buy", "lay": "lay", "no": "lay", "against": "lay", "put": "put", "big": "big"}
TO_WHOM = frozenset({"boys", "dealers", "crew", "you", "dealer"})
ON = frozenset({"on", "for", "in", "at", "with", "behind"})
WORKS = frozenset({"work", "works", "working"})
HOPS = frozenset({"hop", "hopping"})
BETWEEN = frozenset({",", "and", "then"})
ENDS = BETWEEN | {""}
MULTIPLES = {"single": "1x", "double": "2x", "triple": "3x", "max": "max", "full": "max", "more": "some"}
MONEY_WORDS = {"dollar": 100, "buck": 100, "nickel": 500, "quarter": 2500, "green": 2500, "black": 10_000}
PRESSES = {"half": "half", "full": "full", "power": "full", "parlay": "parlay"}
LINE_MAX = 500
DIGITS_MAX = 12
AMOUNT = re.compile(r"\$?(\d+(?:\.\d+)?)")
PAIR = re.compile(r"([1-6])-([1-6])")
UNIT_WORDS = ("unit", "units")
COUNTS = frozenset("123456789")
FACES_ALIKE = {"2-2": "hard_4", "3-3": "hard_6", "4-4": "hard_8", "5-5": "hard_10", "1-1": "craps_2", "6-6": "craps_12"}
# Verbs, each as the one by whose method of the reader its clause is read.
VERBS = {verb: verb for verb in ("press", "make", "take", "regress", "turn", "move")}
VERBS |= {"bring": "make", "up": "shift", "down": "shift"}
VERBS |= dict.fromkeys(("bet", "place", "buy", "lay", "put"), "betting")
VERBS |= dict.fromkeys(("double", "parlay"), "press") | dict.fromkeys(("call", "off", "on", "working"), "turn")


@lru_cache(maxsize=1024)
def read(layout: Layout, text: str) -> tuple[Clause, ...]:
    """What somebody wants, clause by clause; what nobody understands is NotUnderstood.

    Remembered, since the buttons of every page say the same lines after every roll.
    """
    line = plain(text[:LINE_MAX]).rstrip(" ?.!")
    for pattern, instead in REWRITES:
        line = " ".join(pattern.sub(instead, line).split())
    words = line.split()
    if len(text) > LINE_MAX or any(word.isdigit() and len(word) > DIGITS_MAX for word in words):
        raise NotUnderstood(f"{text[:40]}…")
    # A wager's key stays whole; `win_line` is the Win Line.
    split = [part for word in words for part in ([word] if word in layout.spots else word.split("_"))]
    return tuple(_Reader(layout, list(filter(None, split))).clauses())


@lru_cache(maxsize=64)
def _lexicon(layout: Layout) -> dict[tuple[str, ...], str]:
    """Everything that a bet is called in a house, by its words: the house's own names, then everybody's."""
    lexicon: dict[tuple[str, ...], str] = {}
    for spot in layout.spots.values():
        for name in (spot.key, *names_of(spot)):
            words = tuple(plain(name.replace("(", " ").replace(")", " ")).split())
            if not all(word.isdecimal() or PAIR.fullmatch(word) for word in words):
                lexicon.setdefault(words, spot.key)
    for meaning, names in (*NICKNAMES.items(), *GROUPS.items()):
        for name in (meaning.replace("_", " "), *names):
            if not name.startswith("@"):
                lexicon.setdefault(tuple(plain(name).split()), meaning)
    return lexicon


class _Reader:
    """The words of one line, taken from the left."""

    def __init__(self, layout: Layout, words: list[str]) -> None:
        self.lexicon, self.words, self.at = _lexicon(layout), words, 0
        self.longest = max(map(len, self.lexicon))
        self.spots = layout.spots
        self.start = 0  # where the clause begins that is read

    def clauses(self) -> list[Clause]:
        clauses: list[Clause] = []
        while True:
            while self.take(*BETWEEN):
                pass
            if not self.peek():
                break
            self.start = self.at
            if clauses and clauses[-1].amount is None and (amount := self.amount()) is not None:
                each = self.take("each")
                if self.peek() in {"", ","}:  # `buy four and ten, 25 each`
                    last = clauses[-1]
                    words = f"{last.words}, {' '.join(self.words[self.start : self.at])}"
                    clauses[-1] = replace(last, amount=amount, each=each or last.each, words=words)
                    continue
                self.at = self.start
            clause = self.clause()
            clauses.append(replace(clause, words=" ".join(self.words[self.start : self.at])))
            if not self.ends():
                raise NotUnderstood(" ".join(self.words[self.start :]))
        if not clauses:
            raise NotUnderstood("")
        return clauses

    # --- Words ------------------------------------------------------------------------------------------------------

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.words[at] if at < len(self.words) else ""

    def next(self) -> str:
        self.at += 1
        return self.words[self.at - 1]

    def take(self, *words: str) -> bool:
        is_next = self.peek() in words
        self.at += is_next
        return is_next

    def ends(self, ahead: int = 0) -> bool:
        return self.peek(ahead) in ENDS

    def is_number(self, ahead: int = 0) -> bool:
        return self.peek(ahead).isdecimal()

    def is_amount(self, ahead: int = 0) -> bool:
        return AMOUNT.fullmatch(self.peek(ahead)) is not None

    def number(self) -> int:
        if not self.is_number():
            raise NotUnderstood(" ".join(self.words[self.at :]) or "a number")
        return int(self.next())

    def amount(self) -> int | None:
        """An amount of money: `12`, `$12`, `a dollar`, `nickel`."""
        word = self.peek()
        if word in MONEY_WORDS:
            return MONEY_WORDS[self.next()]
        match = AMOUNT.fullmatch(word)
        if match is None:
            return None
        try:
            amount = chips_of(match[1])
        except ValueError:
            raise NotUnderstood(word) from None
        self.at += 1
        self.take("dollar", "dollars", "bucks", "buck")
        return amount

    def needed_amount(self) -> int:
        amount = self.amount()
        if amount is None:
            raise NotUnderstood(" ".join(self.words[self.start :]))
        return amount

    def units(self) -> int:
        """How many units are said: `unit`, `2 units`; 0 where none are."""
        counted = self.peek() in COUNTS and self.peek(1) in UNIT_WORDS
        count = int(self.next()) if counted else 1
        return count if self.take(*UNIT_WORDS) else 0

    # --- Clauses ----------------------------------------------------------------------------------------------------

    def clause(self) -> Clause:
        rest = self.words[self.at :]
        for length in range(len(rest), 0, -1):
            fixed = FIXED.get(" ".join(rest[:length]))
            if fixed is not None and self.ends(length):
                self.at += length
                return fixed
        if self.take("about", "around"):
            return replace(self.clause(), how="about")
        if numbers := self._numbers_in_a_row():
            return Clause("bet", numbers, how="either")
        word, after = self.peek(), self.peek(1)
        multiple = word in MULTIPLES or (word.endswith("x") and word[:-1].isdigit())
        if word == "odds" or (multiple and after == "odds"):
            return self._odds(self.next())
        if word in {"half", "full", "power"} and after == "press":
            return self._press(self.next())
        if word in VERBS and (word, after) != ("place", "bets"):
            read: Callable[[str], Clause] = getattr(self, f"_{VERBS[word]}")
            return read(self.next())
        return self._bets_or_after()

    def _bets_or_after(self) -> Clause:
        """A bet with its amount; or bets, and then what is done with them: `six off`, `numbers work`."""
        if units := self.units():  # `one unit across`
            self.take("each")
            self.take(*ON)
            return Clause("bet", self.bets(), units=units)
        two_way = self.peek() == "2" and self.peek(1) == "way"
        self.at += 2 * two_way
        amount, each = self._leading_amount()
        if amount is not None and (self.take("odds") or self.take("behind")):
            self.take("on", "behind")
            return Clause("odds", () if self.ends() else self.bets(), amount)
        if amount is not None and self._to_dealers():
            return Clause("say", how="toke")
        if amount is not None and self.take("off"):
            return Clause("lower", self.bets(), amount)
        self.take("on", "for", "in", "bet")
        if amount is not None and self.ends():
            return Clause("bet", (), amount)  # `$5`, and no word of what on
        bets = self.bets(amount)
        if self._to_dealers():
            return Clause("say", how="toke")
        if amount is not None and self.take("odds"):
            return Clause("odds", bets, amount)
        after = self._after(bets) if amount is None else None
        return after or self._bet(bets, amount, each=each, how="two way" if two_way else "")

    def _to_dealers(self) -> bool:
        """`five for the boys`, `hard eight for the dealers`."""
        is_toke = self.peek() in {"for", "to", "on"} and self.peek(1) in TO_WHOM
        self.at += 2 * is_toke
        return is_toke

    def _after(self, bets: tuple[str, ...]) -> Clause | None:
        """What is done with bets that were named first, if it is said: `six off`, `numbers work`, `six up a unit`."""
        if self.take("off"):
            return Clause("off", bets)
        if self.take(*WORKS) or (self.ends(1) and self.take("on")):
            return Clause("on", bets)
        if self.take("down"):
            units = self.units()
            return Clause("lower", bets, units=units) if units else Clause("down", bets)
        if self.peek() == "up" and (self.peek(1) in UNIT_WORDS or self.peek(1) in COUNTS):
            self.at += 1
            return Clause("press", bets, how="unit", units=self.units() or self.number())
        if len(bets) == 1 and self.take("to"):
            return Clause("make", bets, self.needed_amount())
        return None

    def _numbers_in_a_row(self) -> tuple[str, ...]:
        """`ten six`, `six 12`, `12 6 8`; none where other words follow, and `ten six and eight` is ten on each."""
        end = 0
        while self.is_number(end):
            end += 1
        listed = self.peek(end) == "and" and self.is_number(end + 1) and self.ends(end + 2)
        if end < 2 or not self.ends(end) or (listed and end == 2):
            return ()
        end += 2 * listed
        row = filter(str.isdecimal, self.words[self.at : self.at + end])
        self.at += end
        return tuple(row)

    def _leading_amount(self) -> tuple[int | None, bool]:
        """Money before a bet: `$5`, `ten on`, `ten six` (money, then number); a number alone is a bet on it."""
        word, after, start = self.peek(), self.peek(1), self.at
        bare = self.is_amount() and not word.startswith("$")
        if not bare and word not in MONEY_WORDS and not word.startswith("$"):
            return None, False
        alone = self.ends(1) or after in {"down", "up", "to", *WORKS} or (after == "off" and self.ends(2))
        hard = after == "hard" and not self.is_number(2)
        money_hops = (
            PAIR.fullmatch(self.peek(2)) or self.is_number(2) or self.peek(2) in {"hard", "easy"}
        )  # `5 hop 6-4`
        hop = after in HOPS and not money_hops
        money_behind = after == "for" and self.is_amount(2) and self.ends(3)  # `six for 12`
        if bare and (alone or hard or hop or money_behind):
            return None, False
        longer = bare and self._phrase() is not None and self.at > start + 1  # `3 way`, `2 and 12`
        self.at = start
        return (None, False) if longer else (self.amount(), self.take("each"))

    def _bet(self, bets: tuple[str, ...], amount: int | None = None, *, each: bool = False, how: str = "") -> Clause:
        each = each or self.take("each")
        if amount is None:
            at = self.at
            self.take(*ON, ",")
            amount = self.amount()
            each = self.take("each") or each
            if amount is None or not self.ends():
                self.at, amount = at, None
        spot, last = self.spots.get(bets[0]), self.words[self.at - 1]
        if amount is None and spot and spot.has_travelled and last.isdecimal():
            bets, amount = (spot.family,), chips_of(last)  # `come 10` is ten in the come
        return Clause("bet", bets, amount, each, how)

    # --- Bets -------------------------------------------------------------------------------------------------------

    def bets(self, amount: int | None = None) -> tuple[str, ...]:
        """One bet or more: `six and eight`, `buy four and ten`, `5, 6 and 8`; where an amount has been said, for it."""
        prefix = self._prefix()
        names = [self._one(prefix)]
        while self.peek() in {"and", ",", "hard"} or (prefix and self.is_number()):
            start = self.at
            name = self._another(prefix, names[-1], amount)
            if name is None:
                self.at = start
                break
            names.append(name)
        return tuple(names)

    def _another(self, prefix: str, before: str, amount: int | None) -> str | None:
        """One more bet of a list; what an amount or a verb follows is a clause of its own."""
        comma = self.peek() == ","
        self.take("and", ",")
        fresh, word, after = self._prefix(), self.peek(), self.peek(1)
        if self.is_number():
            # The amount may be said last for all of them: `six and eight for 12`, `$12 six and eight each`.
            last = self.ends(2) if amount else after in {"for", "at"} and self.is_amount(2)
            follows = after in {*ON, "each", "odds", "to"} and (fresh or not last)
            # A number that has no box is an amount.
            if follows or not self.in_a_box(word) or (comma and not (fresh or prefix) and not before.isdigit()):
                return None
        try:
            name = self._one(fresh or prefix)
        except NotUnderstood:
            return None
        # `10 on the yo, field for 5`
        is_apart = amount is not None and self.peek() in {"for", "at"} and self.is_amount(1)
        return None if is_apart else name

    def in_a_box(self, word: str) -> bool:
        return f"place_{word}" in self.spots

    def _prefix(self) -> str:
        word, after = self.peek(), self.peek(1)
        if word == "big" and after not in {"6", "8"}:  # `big 10` and `big red` are names
            return ""
        if word in PREFIXES and (after.isdecimal() or after in {"point", "on", "it", "against"}):
            self.at += 1
            self.take("on", "against")
            return PREFIXES[word]
        return ""

    def _one(self, prefix: str) -> str:
        word = self.peek()
        if prefix and (word.isdecimal() or word == "point"):
            return f"{prefix}_{self.next()}"
        if self.take(*HOPS):
            return self._hop()
        if PAIR.fullmatch(word) or word.isdecimal():
            name = self._hopped(self._phrase() or self.next())  # `8 hard way`, `4 hard`, `5-5`
            return FACES_ALIKE.get(name, f"hop_{name}") if PAIR.fullmatch(name) else name
        if word == "hardways" and self.peek(1) == "high":
            self.at += 2
            return f"hardways_high_{self.number()}"
        phrase = self._phrase()
        if phrase is None:
            raise NotUnderstood(" ".join(self.words[self.at :]) or "nothing")
        return self._hopped(phrase)

    def _hopped(self, name: str) -> str:
        """`5-1 hop`, `sevens hopping`, `hard six hop`; a name alone as it is."""
        last = self.words[self.at - 1]
        if not self.take(*HOPS):
            return name
        if name.startswith("hard_"):
            return _hard_hop(int(name[5:]))
        if PAIR.fullmatch(last):
            return f"hop_{last}"
        if last.isdecimal():
            return _hop_of(int(last))
        raise NotUnderstood(f"{name.replace('_', ' ')} hop")

    def _hop(self) -> str:
        if self.take("easy"):
            return f"hop_easy_{self.number()}"
        if self.take("hard"):
            return _hard_hop(self.number())
        return f"hop_{self.next()}" if PAIR.fullmatch(self.peek()) else _hop_of(self.number())

    def _phrase(self) -> str | None:
        for length in range(min(self.longest, len(self.words) - self.at), 0, -1):
            name = self.lexicon.get(tuple(self.words[self.at : self.at + length]))
            if name is not None:
                self.at += length
                return name
        return None

    # --- Verbs ------------------------------------------------------------------------------------------------------

    def _betting(self, verb: str) -> Clause:
        """`bet place_6 12` as a record has it, or any bet behind a verb."""
        if self.peek() in self.spots:
            return self._bet((self.next(),), how="put" if verb == "put" else "exact")
        if verb == "bet":
            self.take("on")
        start, numbers = self.at, self._numbers_in_a_row()
        if numbers and (verb == "bet" or (verb == "place" and len(set(numbers)) < len(numbers))):
            return Clause("bet", numbers, how="either")  # `place six twelve eight twelve`
        self.at = start
        if verb == "bet":
            return self._bets_or_after()
        family = PREFIXES[verb]
        if self.is_amount() and self.peek(1) in {"on", "each"}:  # `put ten on the six`, `place 12 each six and eight`
            amount, each = self.amount(), self.take("each")
            self.take("on")
            bets = tuple(f"{family}_{bet}" if bet.isdecimal() else bet for bet in self.bets(amount))
            return self._bet(bets, amount, each=each)
        skip = int(verb == "place" and not self.is_number())
        number, money = self.peek(skip), self.peek(skip + 1)
        several = self.peek(skip + 2) == "and" and self.is_number(skip + 3)  # `place 5 6 and 8`
        if number.isdecimal() and self.in_a_box(money) and self.ends(skip + 2) and not several:
            self.at += skip + 2
            if not self.in_a_box(number):  # `buy 25 4`
                return Clause("bet", (f"{family}_{money}",), chips_of(number))
            return Clause("bet", (f"{family}_{number}",), chips_of(money), how="or number")
        self.at -= not (skip or (verb == "lay" and self.peek(1) == "odds"))
        return self._bets_or_after()

    def _press(self, verb: str) -> Clause:
        self.at += verb in {"half", "full", "power"}
        units = self.units()
        self.take("up", "on")
        bets = ("@it",) if self.ends() or self.peek() == "twice" else self.bets()
        self.take("up")
        how = "twice" if self.take("twice") else "unit" if units else PRESSES.get(verb, "double")
        if self.take("to"):
            return Clause("make", bets, self.needed_amount())
        self.take("by")
        units = units or self.units()
        self.take("each")
        return Clause("press", bets, how="unit" if units else how, units=units or 1)

    def _shift(self, verb: str) -> Clause:
        """`up a unit on the six`, `down two units`, `down on the hardways`."""
        units = self.units()
        self.take("on", "to")
        bets = ("@it",) if units and self.ends() else self.bets()
        if verb == "up":
            return Clause("press", bets, how="unit", units=units or 1)
        return Clause("lower", bets, units=units) if units else Clause("down", bets)

    def _make(self, _verb: str) -> Clause:
        bets = self.bets()
        for word in ("look", "like", "to"):
            self.take(word)
        return Clause("make", bets, self.needed_amount())

    def _take(self, _verb: str) -> Clause:
        if self.peek() in MULTIPLES or self.peek(1) == "odds":
            return self.clause()
        if self.is_amount() and self.peek(1) in {"off", "from"} and not self.ends(2):
            amount = self.amount()
            self.at += 1
            return Clause("lower", self.bets(), amount)  # `take 10 off my odds`
        self.take("down")
        self.take("on")
        bets = self.bets()
        if self.take("to"):
            return Clause("make", bets, self.needed_amount())
        if self.peek() == "for":
            return self._bet(bets)  # `I'll take the hard eight for 5`
        self.take("down", "off")
        left = self.amount()  # as a record has it: `take place_6 6`
        return Clause("down", bets) if left is None else Clause("make", bets, left, how="exact")

    def _regress(self, _verb: str) -> Clause:
        return replace(self._bets_or_after(), verb="regress") if self.take("to") else Clause("lower", self.bets())

    def _turn(self, verb: str) -> Clause:
        """`off on the six`, `turn my odds off`, `working on the hardways`."""
        off = verb == "off" or self.take("off")
        on = self.take("on") and not off
        bets = self.bets()
        off = off or (not on and self.take("off"))
        self.take("on")
        return Clause("off" if off else "on", bets)

    def _move(self, _verb: str) -> Clause:
        moved = self.bets()
        if not self.take("to"):
            raise NotUnderstood(" ".join(self.words[self.start :]))
        return Clause("move", (*moved, *self.bets()))

    def _odds(self, word: str) -> Clause:
        how = MULTIPLES.get(word, word if word.endswith("x") else "")
        if word != "odds":
            self.take("odds")
        elif self.peek() in MULTIPLES:
            how = MULTIPLES[self.next()]
        self.take("on", "behind")
        amount = None
        bets: tuple[str, ...] = ()
        if word in {"odds", "more"} and self.ends(1) and self.is_amount():
            amount, how = self.amount(), ""  # `odds 30`
        elif not self.ends():
            bets = self.bets()
            self.take("for")
            amount = self.amount()
        return Clause("odds", bets, amount, how=how or ("" if amount else "max"))


def _hard_hop(number: int) -> str:
    return f"hop_{number // 2}-{number // 2}"


def _hop_of(number: int) -> str:
    """What hops: a total, or two faces said in one, `hop 64`."""
    faces = "-".join(str(number))
    if 2 <= number <= 12:
        return f"hop_{number}"
    if PAIR.fullmatch(faces):
        return f"hop_{faces}"
    raise NotUnderstood(f"hop {number}")
