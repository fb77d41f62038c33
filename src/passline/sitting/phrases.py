"""What is said at the rail, read into clauses: what is wanted, of which bets, and for how much. No table is looked at.

line   = clause {("," | "and" | "then") clause}
clause = ["about"] [amount] ["each"] ["on" | "for" | "in" | "off"] bet | verb [bets] [amount]
"""

import re
import tomllib
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
MULTIPLES = {"single": "1x", "double": "2x", "triple": "3x", "max": "max", "full": "max", "more": "some"}
MONEY_WORDS = {"dollar": 100, "buck": 100, "nickel": 500, "quarter": 2500, "green": 2500, "black": 10_000}
LINE_MAX = 500
DIGITS_MAX = 12
NUMBER = re.compile(r"\d+")
AMOUNT = re.compile(r"\$?(\d+(?:\.\d+)?)")
PAIR = re.compile(r"([1-6])-([1-6])")
UNIT_WORDS = ("unit", "units")
COUNTS = frozenset("123456789")
TOTALS = 2, 12
FACES_ALIKE = {"2-2": "hard_4", "3-3": "hard_6", "4-4": "hard_8", "5-5": "hard_10", "1-1": "craps_2", "6-6": "craps_12"}


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
            if (
                words
                and words not in lexicon
                and not all(NUMBER.fullmatch(word) or PAIR.fullmatch(word) for word in words)
            ):
                lexicon[words] = spot.key
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

    def clauses(self) -> list[Clause]:
        clauses: list[Clause] = []
        while True:
            while self.peek() in {",", "and", "then"}:
                self.at += 1
            if not self.peek():
                break
            start = self.at
            if clauses and clauses[-1].amount is None and (amount := self.amount()) is not None:
                each = self.take("each")
                if self.peek() in {"", ","}:  # `buy four and ten, 25 each`
                    last = clauses[-1]
                    words = f"{last.words}, {' '.join(self.words[start : self.at])}"
                    clauses[-1] = replace(last, amount=amount, each=each or last.each, words=words)
                    continue
                self.at = start
            clause = self.clause()
            clauses.append(replace(clause, words=" ".join(self.words[start : self.at])))
            if self.peek() not in {"", ",", "and", "then"}:
                raise NotUnderstood(" ".join(self.words[start:]))
        if not clauses:
            raise NotUnderstood("")
        return clauses

    # --- Words ------------------------------------------------------------------------------------------------------

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.words[at] if at < len(self.words) else ""

    def take(self, *words: str) -> bool:
        is_next = self.peek() in words
        self.at += is_next
        return is_next

    def ends(self, at: int) -> bool:
        return at >= len(self.words) or self.words[at] in {",", "and", "then"}

    def amount(self) -> int | None:
        """An amount of money: `12`, `$12`, `a dollar`, `nickel`."""
        word, after = self.peek(), self.peek(1)
        if word in MONEY_WORDS:
            self.at += 1
            return MONEY_WORDS[word]
        match = AMOUNT.fullmatch(word)
        if match is None:
            return None
        try:
            amount = chips_of(match[1])
        except ValueError:
            raise NotUnderstood(word) from None
        self.at += 1 + (after in {"dollar", "dollars", "bucks", "buck"})
        return amount

    def units(self) -> int:
        """How many units are said: `unit`, `2 units`; 0 where none are."""
        counted = self.peek() in COUNTS and self.peek(1) in UNIT_WORDS
        count = int(self.peek()) if counted else 1
        self.at += counted
        return count if self.take(*UNIT_WORDS) else 0

    # --- Clauses ----------------------------------------------------------------------------------------------------

    def clause(self) -> Clause:
        for end in range(len(self.words), self.at, -1):
            fixed = FIXED.get(" ".join(self.words[self.at : end]))
            if fixed is not None and self.ends(end):
                self.at = end
                return fixed
        if self.take("about", "around"):
            return replace(self.clause(), how="about")
        word = self.peek()
        method = self._betting if word == "bet" else getattr(self, f"_{word}") if word in VERBS else None
        if word == "place" and self.peek(1) == "bets":
            method = None
        if numbers := self._numbers_in_a_row():
            return Clause("bet", numbers, how="either")
        if word in {"half", "full", "power"} and self.peek(1) == "press":
            method = self._press
        if (word in MULTIPLES or word == "odds") and "odds" in (word, self.peek(1)):
            method = self._odds
        if word.endswith("x") and word[:-1].isdigit() and self.peek(1) == "odds":
            method = self._odds
        return method() if method else self._bets_or_after()

    def _bets_or_after(self) -> Clause:
        """A bet with its amount; or bets, and then what is done with them: `six off`, `numbers work`."""
        start = self.at
        if units := self.units():  # `one unit across`
            self.take("each")
            self.take(*ON)
            return Clause("bet", self.bets(), units=units)
        two_way = self.peek() == "2" and self.peek(1) == "way"
        self.at += 2 * two_way
        amount, each = self._leading_amount()
        if amount is not None and (self.take("odds") or self.take("behind")):
            self.take("on", "behind")
            return Clause("odds", self.bets() if not self.ends(self.at) else (), amount)
        if amount is not None and self._to_dealers():
            return Clause("say", how="toke")
        if amount is not None and self.take("off"):
            return Clause("lower", self.bets(), amount)
        self.take("on", "for", "in", "bet")
        if amount is not None and self.ends(self.at):
            return Clause("bet", (), amount)  # `$5`, and no word of what on
        bets = self.bets(amount)
        if self._to_dealers():
            return Clause("say", how="toke")
        if amount is not None and self.take("odds"):
            return Clause("odds", bets, amount)
        after = self._after(bets, start) if amount is None else None
        return after or self._bet(bets, amount, each=each, how="two way" if two_way else "")

    def _to_dealers(self) -> bool:
        """`five for the boys`, `hard eight for the dealers`."""
        is_toke = self.peek() in {"for", "to", "on"} and self.peek(1) in TO_WHOM
        self.at += 2 * is_toke
        return is_toke

    def _after(self, bets: tuple[str, ...], start: int) -> Clause | None:
        """What is done with bets that were named first, if it is said: `six off`, `numbers work`, `six up a unit`."""
        if self.take("off"):
            return Clause("off", bets)
        if self.take(*WORKS) or (self.ends(self.at + 1) and self.take("on")):
            return Clause("on", bets)
        if self.take("down"):
            units = self.units()
            return Clause("lower", bets, units=units) if units else Clause("down", bets)
        if self.peek() == "up" and (self.peek(1) in UNIT_WORDS or self.peek(1) in COUNTS):
            self.at += 1
            return Clause("press", bets, how="unit", units=self.units() or self._number())
        if len(bets) == 1 and self.take("to"):
            return Clause("make", bets, self._needed_amount(start))
        return None

    def _numbers_in_a_row(self) -> tuple[str, ...]:
        """`ten six`, `six 12`, `12 6 8`; none where other words follow, and `ten six and eight` is ten on each."""
        row: list[str] = []
        while NUMBER.fullmatch(self.peek(len(row))):
            row.append(self.peek(len(row)))
        end = self.at + len(row)
        listed = self.peek(len(row)) == "and" and NUMBER.fullmatch(self.peek(len(row) + 1)) and self.ends(end + 2)
        if len(row) < 2 or not self.ends(end) or (listed and len(row) == 2):
            return ()
        if listed:
            row.append(self.words[end + 1])
        self.at = end + 2 * bool(listed)
        return tuple(row)

    def _leading_amount(self) -> tuple[int | None, bool]:
        """Money before a bet: `$5`, `ten on`, `ten six` (money, then number); a number alone is a bet on it."""
        word, after = self.peek(), self.peek(1)
        bare = AMOUNT.fullmatch(word) is not None and not word.startswith("$")
        end = self.at + 1
        numbers_only = self.ends(end) or after in {"off", "down", "up", "to", "dollars", *WORKS}
        numbers_only = numbers_only and (after != "off" or self.ends(end + 1))  # `25 off the six` is money
        hard = after == "hard" and not NUMBER.fullmatch(self.peek(2))
        behind = self.peek(2)
        money_hops = PAIR.fullmatch(behind) or NUMBER.fullmatch(behind) or behind in {"hard", "easy"}  # `5 hop 6-4`
        hop = after in {"hop", "hopping"} and not money_hops
        money_behind = after == "for" and AMOUNT.fullmatch(self.peek(2)) and self.ends(end + 2)  # `six for 12`
        if bare and (hard or hop or money_behind or (numbers_only and after != "dollars")):
            return None, False
        if not bare and word not in MONEY_WORDS and not word.startswith("$"):
            return None, False
        start = self.at
        if bare and self._phrase() is not None and self.at > start + 1:  # `3 way`, `2 and 12`
            self.at = start
            return None, False
        self.at = start
        amount = self.amount()
        return amount, self.take("each")

    def _bet(self, bets: tuple[str, ...], amount: int | None = None, *, each: bool = False, how: str = "") -> Clause:
        """A bet whose amount may come behind it."""
        each = each or self.take("each")
        if amount is None:
            at = self.at
            self.take(*ON, ",")
            amount = self.amount()
            each = self.take("each") or each
            if amount is None or not self.ends(self.at):
                self.at, amount = at, None
        spot = self.spots.get(bets[0])
        if amount is None and spot and spot.has_travelled and NUMBER.fullmatch(self.words[self.at - 1]):
            bets, amount = (spot.family,), chips_of(self.words[self.at - 1])  # `come 10` is ten in the come
        return Clause("bet", bets, amount, each, how)

    def _needed_amount(self, start: int) -> int:
        amount = self.amount()
        if amount is None:
            raise NotUnderstood(" ".join(self.words[start:]))
        return amount

    # --- Bets -------------------------------------------------------------------------------------------------------

    def bets(self, amount: int | None = None) -> tuple[str, ...]:
        """One bet or more: `six and eight`, `buy four and ten`, `5, 6 and 8`; where an amount has been said, for it."""
        prefix = self._prefix()
        names = [self._one(prefix)]
        while self.peek() in {"and", ",", "hard"} or (NUMBER.fullmatch(self.peek()) and prefix):
            start, comma = self.at, self.peek() == ","
            self.take("and", ",")
            fresh, word, after = self._prefix(), self.peek(), self.peek(1)
            own, number = fresh or prefix, NUMBER.fullmatch(word) is not None
            # What an amount or a verb follows is a clause of its own, and a number that has no box is an amount; but
            # the amount may be said last for all of them: `six and eight for 12`, `$12 six and eight each`.
            last = self.ends(self.at + 2) if amount else after in {"for", "at"} and AMOUNT.fullmatch(self.peek(2))
            follows = after in {*ON, "each", "odds", "to"} and (fresh or not last)
            apart = number and (follows or not self.in_a_box(word))
            if apart or (number and comma and not own and not names[-1].isdigit()):
                self.at = start
                break
            try:
                name = self._one(own)
            except NotUnderstood:
                self.at = start
                break
            if amount is not None and self.peek() in {"for", "at"} and AMOUNT.fullmatch(self.peek(1)):
                self.at = start  # `10 on the yo, field for 5`
                break
            names.append(name)
        return tuple(names)

    def in_a_box(self, word: str) -> bool:
        return f"place_{word}" in self.spots

    def _prefix(self) -> str:
        word, after = self.peek(), self.peek(1)
        if word == "big" and after not in {"6", "8"}:  # `big 10` and `big red` are names
            return ""
        if word in PREFIXES and (NUMBER.fullmatch(after) or after in {"point", "on", "it", "against"}):
            self.at += 1
            self.take("on", "against")
            return PREFIXES[word]
        return ""

    def _one(self, prefix: str) -> str:
        word = self.peek()
        if prefix and (NUMBER.fullmatch(word) or word == "point"):
            self.at += 1
            return f"{prefix}_{word}"
        if word in {"hop", "hopping"}:
            self.at += 1
            return self._hop()
        if PAIR.fullmatch(word) or NUMBER.fullmatch(word):
            return self._faces_or_number()
        if word == "hardways" and self.peek(1) == "high":
            self.at += 2
            return f"hardways_high_{self._number()}"
        name = self._phrase()
        if name is None:
            raise NotUnderstood(" ".join(self.words[self.at :]) or "nothing")
        return self._hopped(name)

    def _faces_or_number(self) -> str:
        name = self._phrase()  # `8 hard way`, `4 hard`, `5-5`
        if name is None:
            name = self.peek()
            self.at += 1
        name = self._hopped(name)
        return FACES_ALIKE.get(name, f"hop_{name}") if PAIR.fullmatch(name) else name

    def _hopped(self, name: str) -> str:
        """`5-1 hop`, `sevens hopping`, `hard six hop`; a name alone as it is."""
        last = self.words[self.at - 1]
        if not self.take("hop", "hopping"):
            return name
        if name.startswith("hard_"):
            half = int(name[5:]) // 2
            return f"hop_{half}-{half}"
        if PAIR.fullmatch(last) or NUMBER.fullmatch(last):
            return f"hop_{last if PAIR.fullmatch(last) else self._dice(int(last))}"
        raise NotUnderstood(f"{name.replace('_', ' ')} hop")

    def _hop(self) -> str:
        if self.take("easy"):
            return f"hop_easy_{self._number()}"
        if self.take("hard"):
            number = self._number()
            return f"hop_{number // 2}-{number // 2}"
        if PAIR.fullmatch(self.peek()):
            self.at += 1
            return f"hop_{self.words[self.at - 1]}"
        return f"hop_{self._dice(self._number())}"

    def _dice(self, number: int) -> str:
        """What hops: a total, or two faces said in one, `hop 64`."""
        faces = "-".join(str(number))
        if TOTALS[0] <= number <= TOTALS[1]:
            return str(number)
        if PAIR.fullmatch(faces):
            return faces
        raise NotUnderstood(f"hop {number}")

    def _number(self) -> int:
        if not NUMBER.fullmatch(self.peek()):
            raise NotUnderstood(" ".join(self.words[self.at :]) or "a number")
        self.at += 1
        return int(self.words[self.at - 1])

    def _phrase(self) -> str | None:
        for length in range(min(self.longest, len(self.words) - self.at), 0, -1):
            name = self.lexicon.get(tuple(self.words[self.at : self.at + length]))
            if name is not None:
                self.at += length
                return name
        return None

    # --- Verbs ------------------------------------------------------------------------------------------------------

    def _betting(self) -> Clause:
        """`bet place_6 12` as a record has it, or any bet behind a verb."""
        verb = self.peek()
        self.at += 1
        key = self.peek()
        if key in self.spots:
            self.at += 1
            how = "put" if verb == "put" else "exact"
            return self._bet((key,), how=how)
        if verb == "bet":
            self.take("on")
        start, numbers = self.at, self._numbers_in_a_row()
        if numbers and (verb == "bet" or (verb == "place" and len(set(numbers)) < len(numbers))):
            return Clause("bet", numbers, how="either")  # `place six twelve eight twelve`
        self.at = start
        self.at -= verb != "bet"
        amount = None
        if verb != "bet" and self.peek(1) and self.peek(2) in {"on", "each"} and AMOUNT.fullmatch(self.peek(1)):
            self.at += 1  # `put ten on the six`, `place 12 each six and eight`
            amount = self.amount()
            each = self.take("each")
            self.take("on")
            bets = tuple(f"{PREFIXES[verb]}_{bet}" if NUMBER.fullmatch(bet) else bet for bet in self.bets(amount))
            return self._bet(bets, amount, each=each)
        if verb == "place" and not NUMBER.fullmatch(self.peek(1)):
            self.at += 1
        number, money = self.peek(1), self.peek(2)
        named = verb in PREFIXES and NUMBER.fullmatch(number) and NUMBER.fullmatch(money)
        listed = self.peek(3) == "and" and NUMBER.fullmatch(self.peek(4))  # `place 5 6 and 8`
        if named and self.ends(self.at + 3) and not listed and self.in_a_box(money):
            self.at += 3
            if not self.in_a_box(number):  # `buy 25 4`
                return Clause("bet", (f"{PREFIXES[verb]}_{money}",), chips_of(number))
            return Clause("bet", (f"{PREFIXES[verb]}_{number}",), chips_of(money), how="or number")
        if verb == "lay" and self.peek(2) == "odds":
            self.at += 1
        return self._bets_or_after()

    _place = _buy = _lay = _put = _betting

    def _press(self) -> Clause:
        word = self.peek()
        how = {"half": "half", "full": "full", "power": "full", "parlay": "parlay"}.get(word, "double")
        self.at += 1 if word in {"press", "double", "parlay"} else 2
        start = self.at
        units = self.units()
        how = "unit" if units else how
        self.take("up", "on")
        bets = ("@it",) if self.ends(self.at) or self.peek() == "twice" else self.bets()
        self.take("up")
        how = "twice" if self.take("twice") else how
        if self.take("to"):
            return Clause("make", bets, self._needed_amount(start))
        self.take("by")
        units = units or self.units()
        self.take("each")
        return Clause("press", bets, how="unit" if units else how, units=units or 1)

    _double = _parlay = _press

    def _up(self) -> Clause:
        self.at += 1
        units = self.units()
        self.take("on")
        bets = ("@it",) if units and self.ends(self.at) else self.bets()
        return Clause("press", bets, how="unit", units=units or 1)

    def _make(self) -> Clause:
        start, self.at = self.at, self.at + 1
        bets = self.bets()
        for word in ("look", "like", "to"):
            self.take(word)
        return Clause("make", bets, self._needed_amount(start))

    _bring = _make

    def _take(self) -> Clause:
        start, self.at = self.at, self.at + 1
        if self.peek() in MULTIPLES or self.peek(1) == "odds":
            return self.clause()
        if AMOUNT.fullmatch(self.peek()) and self.peek(1) in {"off", "from"} and not self.ends(self.at + 2):
            amount = self.amount()
            self.at += 1
            return Clause("lower", self.bets(), amount)  # `take 10 off my odds`
        self.take("down")
        self.take("on")
        bets = self.bets()
        if self.take("to"):
            return Clause("make", bets, self._needed_amount(start))
        if self.peek() == "for":
            return self._bet(bets)  # `I'll take the hard eight for 5`
        self.take("down", "off")
        left = self.amount()  # as a record has it: `take place_6 6`
        return Clause("down", bets) if left is None else Clause("make", bets, left, how="exact")

    def _down(self) -> Clause:
        self.at += 1
        units = self.units()
        self.take("on", "to")
        bets = ("@it",) if units and self.ends(self.at) else self.bets()
        return Clause("lower", bets, units=units) if units else Clause("down", bets)

    def _regress(self) -> Clause:
        self.at += 1
        if self.ends(self.at):
            return Clause("lower", ("@it",))
        if not self.take("to"):
            return Clause("lower", self.bets())
        return replace(self._bets_or_after(), verb="regress")

    def _turn(self) -> Clause:
        """`off on the six`, `turn my odds off`, `working on the hardways`."""
        off = self.take("off") or (self.take("turn", "call", "on", "working") and self.take("off"))
        on = self.take("on") and not off
        bets = self.bets()
        off = off or (not on and self.take("off"))
        self.take("on")
        return Clause("off" if off else "on", bets)

    _call = _off = _on = _working = _turn

    def _move(self) -> Clause:
        start, self.at = self.at, self.at + 1
        moved = self.bets()
        if not self.take("to"):
            raise NotUnderstood(" ".join(self.words[start:]))
        return Clause("move", (*moved, *self.bets()))

    def _odds(self) -> Clause:
        word = self.peek()
        self.at += 1
        how = MULTIPLES.get(word, word if word.endswith("x") else "")
        if word != "odds":
            self.take("odds")
        elif self.peek() in MULTIPLES:
            how = MULTIPLES[self.peek()]
            self.at += 1
        self.take("on", "behind")
        amount = None
        bets: tuple[str, ...] = ()
        if word in {"odds", "more"} and self.ends(self.at + 1) and AMOUNT.fullmatch(self.peek()):
            amount, how = self.amount(), ""  # `odds 30`
        elif not self.ends(self.at):
            bets = self.bets()
            self.take("for")
            amount = self.amount()
        return Clause("odds", bets, amount, how=how or ("" if amount else "max"))


TAKING = {"take", "down", "regress", "off", "on", "turn", "call", "working", "move", "odds"}
# The words that a method of the reader begins with.
VERBS = TAKING | {"place", "buy", "lay", "put", "press", "double", "parlay", "up", "make", "bring"}
