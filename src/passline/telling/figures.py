"""Numbers for people: shares in percent, gains with their sign, so many of a thing, a list of them."""

from collections.abc import Sequence
from fractions import Fraction

from passline.engine.layout import Layout


def percent(share: Fraction, places: int = 2) -> str:
    """A share for people, rounded half up: `1.41%`."""
    scaled = share * 100 * 10**places
    whole = (2 * abs(scaled.numerator) + scaled.denominator) // (2 * scaled.denominator)
    sign = "-" if share < 0 and whole else ""
    units, rest = divmod(whole, 10**places)
    return f"{sign}{units}.{rest:0{places}}%" if places else f"{sign}{units}%"


def signed(layout: Layout, minor_units: Fraction | float) -> str:
    """A gain or a loss, rounded to a cent: `+12`, `-0.14`."""
    whole = round(minor_units)
    return f"+{layout.money(whole)}" if whole > 0 else layout.money(whole) if whole < 0 else "0"


def counted(number: int, what: str) -> str:
    """So many of a thing: `1 point`, `2 points`."""
    return f"{number} {what}" + "s" * (number != 1)


def listed(words: Sequence[str], last: str = "and") -> str:
    """Some things in a row: `4`, `4 and 10`, `4, 5 and 6`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def capital(words: str) -> str:
    """With a capital, as a sentence begins."""
    return words[:1].upper() + words[1:]
