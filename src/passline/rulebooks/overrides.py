"""Holds a changed copy of a built-in house to the prices its own book lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.engine.book import Cited, Hop, Split
from passline.errors import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passline.engine.book import Book, WagerRule
    from passline.engine.values import Price


def check_prices(book: Book, listed: Book, file: str) -> list[Finding]:
    """Find the prices and charges by which a copy takes more than the listed house may take."""
    rules = {rule.key: rule for rule in listed.wagers}
    both = [(rule, rules[rule.key]) for rule in book.wagers if rule.key in rules]
    return [found for rule, original in both for found in _worse(rule, original, listed, file)]


def _worse(rule: WagerRule, original: WagerRule, listed: Book, file: str) -> Iterator[Finding]:
    """Compare one wager with the one it was copied from."""
    only_up, clause = listed.money.price_overrides.value == "upward", listed.money.list_binds
    before = dict(_prices(original))
    for where, price in _prices(rule):
        old = before.get(where, price)
        if price.rate < old.rate or (price.rate != old.rate and not only_up):
            expected = f"{'at least ' if only_up else ''}{old}, as {listed.id} lists it ({clause})"
            yield Finding(file, f"wager.{rule.key}.{where}", str(price), expected)
    if rule.commission and original.commission and rule.commission.rate.value > original.commission.rate.value:
        most = original.commission.rate
        found = f"{rule.commission.rate.value * 100}%"
        path = f"wager.{rule.key}.commission.rate"
        yield Finding(file, path, found, f"at most {most.value * 100}%, as {listed.id} charges ({most.clause})")


def _prices(rule: WagerRule) -> Iterator[tuple[str, Price]]:
    """Every price that a wager quotes itself, with the key it stands under."""
    terms = rule.terms
    if isinstance(terms, Hop):
        yield from ((name, said.value) for name, said in (("hard", terms.hard), ("easy", terms.easy)) if said)
    elif isinstance(terms, Split):
        return
    elif isinstance(terms.pays, Cited):
        yield "pays", terms.pays.value
    else:
        yield from ((f"pays.{number}", said.value) for number, said in terms.pays.items())
