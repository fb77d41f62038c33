"""The little language of strategies: `puck on and come_points < 2`, or `least(3-4-5, max)`, into records."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from numbers import Integral
from types import MappingProxyType
from typing import Literal, NoReturn, TypeVar, cast

from passline.errors import LanguageError, short_repr
from passline.files.findings import nearest
from passline.strategies.language import amounts as a
from passline.strategies.language import conditions as c
from passline.strategies.language.amounts import SINGLE, Amount
from passline.strategies.language.conditions import Condition

TEXT_MAX = 2000  # no condition needs a longer text; a longer one is something else
DEPTH_MAX = 40  # how deep brackets may go
AMOUNTS = ("max", "left", "to_win", "least", "greatest", "floor", "ceil")  # words that begin an amount
JOINS = ("puck", "always", "not", "and", "or", "in", "on", "off")  # words that hold conditions together
Values = Mapping[str, Fraction]  # names that stand for a number: a strategy's parameters, and its stages by their place
NONE: Values = MappingProxyType({})

Read = TypeVar("Read")

_TOKEN = re.compile(
    r"\s*(?:(?P<odds>3-4-5)|(?P<times>\d+(?:\.\d+)?x\b)|(?P<number>\d+(?:\.\d+)?)|(?P<name>[a-z][a-z0-9_]*)"
    r"|(?P<sign>\.\.|<=|>=|!=|==|[-+*/()<>=,])|(?P<odd>\S))"
)


class _Words:
    """A text as tokens, read from left to right; `plain` are the numbers about nothing else that it may name."""

    def __init__(
        self,
        text: str,
        values: Values,
        plain: tuple[str, ...],
        progressions: Collection[str] = (),
        *,
        after_roll: bool = False,
    ) -> None:
        if len(text) > TEXT_MAX:
            raise LanguageError(f"{len(text)} characters", f"at most {TEXT_MAX}")
        self.text, self.values, self.plain = text, values, plain
        self.progressions, self.after_roll = progressions, after_roll
        self.tokens = [(x.lastgroup or "", x.group().strip(), x.start(x.lastgroup or 0)) for x in _TOKEN.finditer(text)]
        self.at = self.depth = 0

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

    def fail(self, expected: str, valid: Iterable[str] = (), *, back: int = 0) -> NoReturn:
        """Complain of the next token, or of one so many before it."""
        self.at -= back
        if self.at >= len(self.tokens):
            raise LanguageError("the end" if self.text.strip() else "empty text", expected)
        _, token, start = self.tokens[self.at]
        raise LanguageError(f"`{token}` at character {start + 1}", expected, nearest(token, valid))

    def bracket(self, read: Callable[[], Read]) -> Read:
        """What stands up to the closing bracket."""
        self.into()
        inner = read()
        self.expect(")")
        return inner

    def into(self) -> None:
        self.depth += 1
        if self.depth > DEPTH_MAX:
            self.fail(f"brackets at most {DEPTH_MAX} deep")

    def whole_text(self, read: Callable[[], Read], expected: str) -> Read:
        found = read()
        if self.kind():
            self.fail(expected)
        return found

    def part(self) -> Amount:
        """What is multiplied and added up."""
        raise NotImplementedError

    def sum(self, *, signed: bool = False) -> Amount:
        parts = [a.Scaled(self._product(), Fraction(-1)) if signed and self.eat("-") else self._product()]
        while sign := self.eat("+", "-"):
            part = self._product()
            parts.append(part if sign == "+" else a.Scaled(part, Fraction(-1)))
        return parts[0] if len(parts) == 1 else a.Sum(tuple(parts))

    def _product(self) -> Amount:
        part = self.part()
        while sign := self.eat("*", "/"):
            at, by = self.at, self.fixed()
            if by is not None:
                if sign == "/" and not by:
                    self.fail("a number above 0", back=self.at - at)
                part = _scaled(part, by if sign == "*" else 1 / by)
            elif sign == "*" and isinstance(part, a.Units):
                part = _scaled(self.part(), part.units)
            else:
                self.fail("a number" if sign == "*" else "a number above 0")
        return part

    def wager(self) -> str:
        self.expect("(")
        if self.kind() != "name":
            self.fail("a wager such as place_6")
        wager = self.take()
        self.expect(")")
        return wager

    def whole(self) -> int:
        """A number, however it is written, that comes to a whole one."""
        sign = -1 if self.eat("-") else 1
        if self.kind() != "number":
            self.fail("a number")
        value = Fraction(self.take())
        if self.eat("/"):
            if self.kind() != "number" or not Fraction(self.peek()):
                self.fail("a number above 0")
            value /= Fraction(self.take())
        if value.denominator != 1:
            self.fail("a whole number", back=1)
        return sign * value.numerator

    def fixed(self) -> Fraction | None:
        """A number that is written there, or a name that stands for one."""
        if self.kind() == "number":
            return Fraction(self.take())
        return self.values[self.take()] if self.kind() == "name" and self.peek() in self.values else None

    def quantity(self) -> c.Quantity | None:
        if name := self.eat(*self.plain):
            return c.Quantity(name)
        if name := self.eat(*c.OF_WAGER):
            return c.Quantity(name, self.wager())
        if name := self.eat(*c.OF_TOTAL):
            self.expect("(")
            total = self.whole()
            if total not in range(2, 13):
                self.fail("a total of two dice, 2 to 12", back=1)
            self.expect(")")
            return c.Quantity(name, total)
        return None


# --- Conditions -----------------------------------------------------------------------------------------------------


def condition(text: str, *, counts: Collection[str] = (), values: Values = NONE, after_roll: bool = False) -> Condition:
    """Read a condition; `counts` are the strategy's own, and only after a roll can one ask what the roll did.

    >>> print(condition("puck on and not up(place_6)"))
    puck on and not up(place_6)
    """
    plain = (*c.PLAIN, *counts, *(c.AFTER_ROLL if after_roll else ()))
    reader = _Conditions(text, values, plain, after_roll=after_roll)
    return reader.whole_text(reader.any_of, "`and`, `or`, or the end")


# Where to ask what only a count can ask: about a wager, about the roll.
_AFTERWARDS = {
    True: (
        "what a roll did to a wager is asked by a count: wins(pass), losses(pass), bets(pass) in this hand, "
        'or one of your own ([count.mine] when = "won(pass)", and here `mine > 0`)'
    ),
    False: 'what a roll did is asked by a count of your own ([count.mine] when = "point made", and here `mine > 0`)',
}


class _Conditions(_Words):
    """Reads conditions: `or` binds least, then `and`, then `not`."""

    def any_of(self) -> Condition:
        return self._joined("or", lambda: self._joined("and", self._one))

    def _joined(self, word: Literal["and", "or"], read: Callable[[], Condition]) -> Condition:
        parts = [read()]
        while self.eat(word):
            parts.append(read())
        return parts[0] if len(parts) == 1 else c.Joined(word, tuple(parts))

    def _one(self) -> Condition:
        """One question, its opposite, or a bracket."""
        if self.eat("not"):
            self.into()
            return c.Not(self._one())
        if self.eat("("):
            return self.bracket(self.any_of)
        if self.eat("always"):
            return c.Fact("always")
        if self.eat("puck"):
            side = self.eat("on", "off") or self.fail("`on` or `off`", ("on", "off"))
            return c.Fact(f"puck {side}")
        ahead = " ".join(token for _, token, _ in self.tokens[self.at : self.at + 2])
        if not self.after_roll and (self.peek() in (*c.DECIDED, *c.AFTER_ROLL) or ahead in c.OF_ROLL):
            self.fail(f"a condition that holds before a roll; {_AFTERWARDS[self.peek() in c.DECIDED]}")
        if what := self.eat(*c.ASKS, *(c.DECIDED if self.after_roll else ())):
            return c.Fact(what, self.wager())
        if self.after_roll and ahead in c.OF_ROLL:
            self.at += 2
            return c.Fact(ahead)
        return self._comparison()

    def _comparison(self) -> Condition:
        left = self.sum()
        if isinstance(left, a.Counted) and self.eat("in"):
            return c.OneOf(left.quantity, self._values())
        operator = self.eat("<", "<=", "=", "==", "!=", ">=", ">")
        if operator is None:
            self.fail("a comparison: < <= = != >= > or `in`")
        sign = cast("c.Sign", "=" if operator == "==" else operator)
        begins, right = self.at, self.sum(signed=True)
        value = right.terms()
        if not isinstance(left, a.Counted) or value.keys() != {None}:
            if not any({*left.terms(), *value}):
                self.fail("a number that can change")
            return c.CompareSums(left, sign, right)
        number = left.quantity
        is_money = number.name in c.QUANTITIES and c.QUANTITIES[number.name].is_money
        if not is_money and value[None].denominator != 1:
            self.fail("a whole number", back=min(1, self.at - begins))
        return c.Compare(number, sign, value[None])

    def part(self) -> Amount:
        fixed = self.fixed()
        if fixed is not None:
            return a.Units(fixed)
        starts = ("puck", "always", "not", *c.ASKS, *self.plain, *c.OF_WAGER, *c.OF_TOTAL)
        starts += (*c.DECIDED, *c.OF_ROLL) if self.after_roll else ()
        number = self.quantity() or self.fail("a condition: " + ", ".join(starts), starts)
        return a.Counted(number)

    def _values(self) -> tuple[int, ...]:
        """A list in brackets, or from one number to another: `(4, 5, 6)`, `4..6`."""
        if self.eat("("):
            values = [self._value()]
            while self.eat(","):
                values.append(self._value())
            self.expect(")")
            return tuple(values)
        first = self._value()
        self.expect("..")
        last = self._value()
        if not first <= last <= first + 100:
            self.fail("a number above the first, and at most 100 above it", back=1)
        return tuple(range(first, last + 1))

    def _value(self) -> int:
        if self.peek() in self.values and self.values[self.peek()].denominator == 1:
            return self.values[self.take()].numerator
        return self.whole()


# --- Amounts --------------------------------------------------------------------------------------------------------


def amount(
    text: str | int | Fraction,
    *,
    progressions: Collection[str] = (),
    counts: Collection[str] = (),
    values: Values = NONE,
) -> Amount:
    """Read an amount: units, `2x` the flat bet, `max`, `3-4-5`, a progression or a number by its name, sums of those.

    >>> print(amount("least(3-4-5, max)"))
    least(3-4-5, max)
    """
    if not isinstance(text, str):
        if isinstance(text, bool) or not isinstance(text, Integral | Fraction) or text < 0:
            raise LanguageError(short_repr(text), 'a whole number or a Fraction of units, or text such as "1.2"')
        return a.Units(Fraction(text))
    reader = _Amounts(text, values, (*c.PLAIN, *counts), progressions)
    return reader.whole_text(reader.sum, "+, -, *, / or the end")


class _Amounts(_Words):
    def part(self) -> Amount:  # noqa: C901 - one line for each way to say how much
        fixed = self.fixed()
        if fixed is not None:
            return a.Units(fixed)
        if self.kind() == "times":
            return a.Times(Fraction(self.take()[:-1]))
        if word := self.eat(*SINGLE):
            return a.Single(word)
        if self.eat("to_win"):
            return a.ToWin(self._arguments()[0])
        if word := self.eat("least", "greatest"):
            return a.OneOf(cast("Literal['least', 'greatest']", word), self._arguments(most=10))
        if word := self.eat("floor", "ceil"):
            part, *to = self._arguments(most=2)
            multiple = to[0] if to else a.Units(Fraction(1))
            if not isinstance(multiple, a.Units) or not multiple.units:
                self.fail("a number of units above 0", back=2)
            return a.Rounded(part, multiple.units, up=word == "ceil")
        if self.eat("("):
            return self.bracket(self.sum)
        if self.peek() in self.progressions:
            return a.Step(self.take())
        if number := self.quantity():
            return a.Counted(number)
        starts = (*AMOUNTS, *self.progressions, *self.plain, *c.OF_WAGER, *c.OF_TOTAL)
        return self.fail("an amount: units, 2x, 3-4-5, " + ", ".join(starts), starts)

    def _arguments(self, most: int = 1) -> tuple[Amount, ...]:
        def several() -> tuple[Amount, ...]:
            parts = [self.sum()]
            while len(parts) < most and self.eat(","):
                parts.append(self.sum())
            return tuple(parts)

        self.expect("(")
        return self.bracket(several)


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
