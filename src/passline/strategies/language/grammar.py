"""The little language of strategies: `puck on and come_points < 2`, or `least(3-4-5, max)`, into records."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from numbers import Integral
from types import MappingProxyType
from typing import NoReturn, cast

from passline.errors import LanguageError, short_repr
from passline.files.findings import nearest
from passline.strategies.language import amounts as a
from passline.strategies.language import conditions as c
from passline.strategies.language.amounts import Amount
from passline.strategies.language.conditions import AFTER_ROLL, OF_TOTAL, OF_WAGER, PLAIN, QUANTITIES, Condition

TEXT_MAX = 2000  # no condition needs a longer text; a longer one is something else
DEPTH_MAX = 40  # how deep brackets may go
AMOUNTS = ("max", "left", "to_win", "least", "greatest", "floor", "ceil")  # words that begin an amount
JOINS = ("puck", "always", "not", "and", "or", "in", "on", "off")  # words that hold conditions together
ASKS = ("up", "open")  # Questions about a wager on the felt

# Questions about what the last roll did to a wager; only what is counted after a roll can ask them.
DECIDED = ("won", "lost", "made")

# What the last roll did to the hand; only what is counted after a roll can ask.
HAPPENED: tuple[c.What, ...] = ("seven out", "hand over", "point made", "point set")

_TOKEN = re.compile(
    r"\s*(?:(?P<odds>3-4-5)|(?P<times>\d+(?:\.\d+)?x\b)|(?P<number>\d+(?:\.\d+)?)|(?P<name>[a-z][a-z0-9_]*)"
    r"|(?P<sign>\.\.|<=|>=|!=|==|[-+*/()<>=,])|(?P<odd>\S))"
)


class _Words:
    """A text as tokens, read from left to right."""

    def __init__(self, text: str) -> None:
        if len(text) > TEXT_MAX:
            raise LanguageError(f"{len(text)} characters", f"at most {TEXT_MAX}")
        self.text = text
        self.tokens = [(match.lastgroup or "", match.group().strip(), match.start(match.lastgroup or 0))
                       for match in _TOKEN.finditer(text)]  # fmt: skip
        self.at = 0
        self.depth = 0

    def kind(self) -> str:
        """What kind of token comes next; nothing at the end."""
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def eat(self, *wanted: str) -> str | None:
        """Go past the next token if it is one of these."""
        return self.take() if self.kind() and self.peek() in wanted else None

    def expect(self, wanted: str) -> None:
        if not self.eat(wanted):
            self.fail(f"`{wanted}`")

    def fail(self, expected: str, valid: Iterable[str] = ()) -> NoReturn:
        """Complain of the next token."""
        if self.at >= len(self.tokens):
            raise LanguageError("the end" if self.text.strip() else "empty text", expected)
        _, token, start = self.tokens[self.at]
        raise LanguageError(f"`{token}` at character {start + 1}", expected, nearest(token, valid))

    def into(self) -> None:
        self.depth += 1
        if self.depth > DEPTH_MAX:
            self.fail(f"brackets at most {DEPTH_MAX} deep")

    def end(self, expected: str) -> None:
        if self.kind():
            self.fail(expected)


def _wager(words: _Words) -> str:
    words.expect("(")
    if words.kind() != "name":
        words.fail("a wager such as place_6")
    wager = words.take()
    words.expect(")")
    return wager


def _whole(words: _Words) -> int:
    """A number, however it is written, that comes to a whole one."""
    sign = -1 if words.eat("-") else 1
    if words.kind() != "number":
        words.fail("a number")
    value = Fraction(words.take())
    if words.eat("/"):
        if words.kind() != "number" or not Fraction(words.peek()):
            words.fail("a number above 0")
        value /= Fraction(words.take())
    if value.denominator != 1:
        words.at -= 1
        words.fail("a whole number")
    return sign * value.numerator


# --- Conditions -----------------------------------------------------------------------------------------------------


Values = Mapping[str, Fraction]  # names that stand for a number: a strategy's parameters, and its stages by their place


def condition(
    text: str, *, counts: Collection[str] = (), values: Values = MappingProxyType({}), after_roll: bool = False
) -> Condition:
    """Read a condition; `counts` are the strategy's own, and only after a roll can one ask what the roll did.

    >>> print(condition("puck on and not up(place_6)"))
    puck on and not up(place_6)
    """
    reader = _Conditions(_Words(text), counts, values, after_roll=after_roll)
    read = reader.any_of()
    reader.words.end("`and`, `or`, or the end")
    return read


# Where to ask what only a count can ask: about a wager, about the roll.
_AFTERWARDS = {
    True: (
        "what a roll did to a wager is asked by a count: wins(pass), losses(pass), bets(pass) in this hand, "
        'or one of your own ([count.mine] when = "won(pass)", and here `mine > 0`)'
    ),
    False: 'what a roll did is asked by a count of your own ([count.mine] when = "point made", and here `mine > 0`)',
}


class _Conditions:
    """Reads conditions: `or` binds least, then `and`, then `not`."""

    def __init__(self, words: _Words, counts: Collection[str], values: Values, *, after_roll: bool) -> None:
        self.words = words
        self.values = values
        self.after_roll = after_roll
        self.plain = (*PLAIN, *counts, *(AFTER_ROLL if after_roll else ()))
        self.starts = ("puck", "always", "not", *ASKS, *self.plain, *OF_WAGER, *OF_TOTAL)
        if after_roll:
            self.starts += (*DECIDED, *HAPPENED)

    def any_of(self) -> Condition:
        return self._joined("or", self.all_of, c.AnyOf)

    def all_of(self) -> Condition:
        return self._joined("and", self.one, c.AllOf)

    def _joined(
        self, word: str, read: Callable[[], Condition], join: Callable[[tuple[Condition, ...]], Condition]
    ) -> Condition:
        parts = [read()]
        while self.words.eat(word):
            parts.append(read())
        return parts[0] if len(parts) == 1 else join(tuple(parts))

    def one(self) -> Condition:
        """One question, its opposite, or a bracket."""
        words = self.words
        if words.eat("not"):
            words.into()
            return c.Not(self.one())
        if words.eat("("):
            words.into()
            inner = self.any_of()
            words.expect(")")
            return inner
        if words.eat("always"):
            return c.Always()
        if words.eat("puck"):
            side = words.eat("on", "off")
            return c.PuckIs(side == "on") if side else words.fail("`on` or `off`", ("on", "off"))
        return self._question()

    def _question(self) -> Condition:
        words = self.words
        if verb := words.eat(*ASKS):
            return c.OfWager(cast("c.How", verb), _wager(words))
        ahead = " ".join(token for _, token, _ in words.tokens[words.at : words.at + 2])
        if not self.after_roll and (words.peek() in (*DECIDED, *AFTER_ROLL) or ahead in HAPPENED):
            words.fail(f"a condition that holds before a roll; {_AFTERWARDS[words.peek() in DECIDED]}")
        if self.after_roll:
            if decided := words.eat(*DECIDED):
                return c.OfWager(cast("c.How", decided), _wager(words))
            for what in HAPPENED:
                if ahead == what:
                    words.at += 2
                    return c.Happened(what)
        return self._comparison()

    def _comparison(self) -> Condition:
        words = self.words
        number = None if words.kind() == "number" else self._number()
        if number is not None and words.eat("in"):
            return c.OneOf(number, self._values())
        left = self._total(number)
        operator = words.eat("<", "<=", "=", "==", "!=", ">=", ">")
        if operator is None:
            words.fail("a comparison: < <= = != >= > or `in`")
        sign = cast("c.Sign", "=" if operator == "==" else operator)
        begins, right = words.at, self._total(None)
        alone = number is not None and left == c.Total(((Fraction(1), number),)) and not right.numbers
        if number is None or not alone:
            if not (left.numbers or right.numbers):
                words.fail("a number that can change")
            return c.CompareTotals(left, sign, right)
        value = sum((by for by, _ in right.parts), Fraction(0))
        is_money = number.name in QUANTITIES and QUANTITIES[number.name].is_money
        if not is_money and value.denominator != 1:
            words.at = max(begins, words.at - 1)
            words.fail("a whole number")
        return c.Compare(number, sign, value)

    def _total(self, first: c.Quantity | None) -> c.Total:
        """Numbers added and taken away, the first of them read already or not."""
        words = self.words
        sign = Fraction(1 if first is not None or not words.eat("-") else -1)
        parts = []
        while True:
            by, number = self._times(first)
            parts.append((sign * by, number))
            first = None
            follows = words.eat("+", "-")
            if follows is None:
                return c.Total(tuple(parts))
            sign = Fraction(1 if follows == "+" else -1)

    def _times(self, number: c.Quantity | None) -> tuple[Fraction, c.Quantity | None]:
        words, by, known = self.words, Fraction(1), number is not None
        while True:
            if not known:
                fixed = self._fixed()
                if fixed is None and number is not None:
                    words.fail("a number")
                by, number = (by, self._number()) if fixed is None else (by * fixed, number)
            known = False
            if words.eat("*"):
                continue
            while words.eat("/"):
                over = self._fixed()
                if not over:
                    words.fail("a number above 0")
                by /= over
            if not words.eat("*"):
                return by, number

    def _fixed(self) -> Fraction | None:
        """A number that is written there, or a name that stands for one."""
        words = self.words
        if words.kind() == "number":
            return Fraction(words.take())
        return self.values[words.take()] if words.kind() == "name" and words.peek() in self.values else None

    def _number(self) -> c.Quantity:
        number = _quantity(self.words, self.plain)
        return number or self.words.fail("a condition: " + ", ".join(self.starts), self.starts)

    def _values(self) -> tuple[int, ...]:
        """A list in brackets, or from one number to another: `(4, 5, 6)`, `4..6`."""
        words = self.words
        if words.eat("("):
            values = [self._value()]
            while words.eat(","):
                values.append(self._value())
            words.expect(")")
            return tuple(values)
        first = self._value()
        words.expect("..")
        last = self._value()
        if not first <= last <= first + 100:
            words.at -= 1
            words.fail("a number above the first, and at most 100 above it")
        return tuple(range(first, last + 1))

    def _value(self) -> int:
        if self.words.peek() in self.values and self.values[self.words.peek()].denominator == 1:
            return self.values[self.words.take()].numerator
        return _whole(self.words)


def _quantity(words: _Words, plain: Collection[str]) -> c.Quantity | None:
    """A number of the language, if one comes next; `plain` are those about nothing else."""
    if name := words.eat(*plain):
        return c.Quantity(name)
    if name := words.eat(*OF_WAGER):
        return c.Quantity(name, _wager(words))
    if name := words.eat(*OF_TOTAL):
        words.expect("(")
        total = _whole(words)
        if total not in range(2, 13):
            words.at -= 1
            words.fail("a total of two dice, 2 to 12")
        words.expect(")")
        return c.Quantity(name, total)
    return None


# --- Amounts --------------------------------------------------------------------------------------------------------


def amount(
    text: str | int | Fraction,
    *,
    progressions: Collection[str] = (),
    counts: Collection[str] = (),
    values: Values = MappingProxyType({}),
) -> Amount:
    """Read an amount: units, `2x` the flat bet, `max`, `3-4-5`, a progression or a number by its name, sums of those.

    >>> print(amount("least(3-4-5, max)"))
    least(3-4-5, max)
    """
    if not isinstance(text, str):
        if isinstance(text, bool) or not isinstance(text, Integral | Fraction) or text < 0:
            raise LanguageError(short_repr(text), 'a whole number or a Fraction of units, or text such as "1.2"')
        return a.Units(Fraction(text))
    reader = _Amounts(_Words(text), progressions, counts, values)
    read = reader.sum()
    reader.words.end("+, -, *, / or the end")
    return read


# Amounts of one word.
_SINGLE: dict[str, Callable[[], Amount]] = {"3-4-5": a.ThreeFourFive, "max": a.Max, "left": a.Left}


class _Amounts:
    """Reads amounts: sums of multiples."""

    def __init__(self, words: _Words, progressions: Collection[str], counts: Collection[str], values: Values) -> None:
        self.words = words
        self.values = values
        self.progressions = progressions
        self.plain = (*PLAIN, *counts)
        self.starts = (*AMOUNTS, *progressions, *self.plain, *OF_WAGER, *OF_TOTAL)

    def sum(self) -> Amount:
        parts = [self._product()]
        while sign := self.words.eat("+", "-"):
            part = self._product()
            parts.append(part if sign == "+" else a.Scaled(part, Fraction(-1)))
        return parts[0] if len(parts) == 1 else a.Sum(tuple(parts))

    def _product(self) -> Amount:
        words = self.words
        part = self._one()
        while sign := words.eat("*", "/"):
            if words.kind() == "number" or words.peek() in self.values:
                by = self.values[words.peek()] if words.peek() in self.values else Fraction(words.peek())
                if sign == "/" and not by:
                    words.fail("a number above 0")
                words.take()
                part = _scaled(part, by if sign == "*" else 1 / by)
            elif sign == "*" and isinstance(part, a.Units):
                part = _scaled(self._one(), part.units)
            else:
                words.fail("a number")
        return part

    def _one(self) -> Amount:  # noqa: C901 - one line for each way to say how much
        words = self.words
        if words.kind() == "number":
            return a.Units(Fraction(words.take()))
        if words.peek() in self.values:
            return a.Units(self.values[words.take()])
        if words.kind() == "times":
            return a.Times(Fraction(words.take()[:-1]))
        if name := words.eat(*_SINGLE):
            return _SINGLE[name]()
        if words.eat("to_win"):
            return a.ToWin(self._arguments()[0])
        if name := words.eat("least", "greatest"):
            return (a.Least if name == "least" else a.Greatest)(self._arguments(most=10))
        if name := words.eat("floor", "ceil"):
            part, *to = self._arguments(most=2)
            multiple = to[0] if to else a.Units(Fraction(1))
            if not isinstance(multiple, a.Units) or not multiple.units:
                words.at -= 2
                words.fail("a number of units above 0")
            return a.Rounded(part, multiple.units, up=name == "ceil")
        if words.eat("("):
            words.into()
            inner = self.sum()
            words.expect(")")
            return inner
        if words.peek() in self.progressions:
            return a.Step(words.take())
        number = _quantity(words, self.plain)
        if number is not None:
            return a.Counted(number)
        return words.fail("an amount: units, 2x, 3-4-5, " + ", ".join(self.starts), self.starts)

    def _arguments(self, most: int = 1) -> tuple[Amount, ...]:
        words = self.words
        words.expect("(")
        words.into()
        parts = [self.sum()]
        while len(parts) < most and words.eat(","):
            parts.append(self.sum())
        words.expect(")")
        return tuple(parts)


def _scaled(part: Amount, by: Fraction) -> Amount:
    """A multiple, kept as simple as it was written."""
    match part:
        case a.Units(units=units):
            return a.Units(units * by)
        case a.Times(times=times):
            return a.Times(times * by)
        case a.Scaled(part=inner, by=factor):
            return a.Scaled(inner, factor * by)
        case _:
            return a.Scaled(part, by)
