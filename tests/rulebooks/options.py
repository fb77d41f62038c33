"""The options of `ambiguities.md` as fields of a house file: where each stands and what each house says.

`docs/options.md` is written from here (`python -m tests.rulebooks.options`), and a test compares it; the schema that
editors read, `house.schema.json`, is written on the same occasion.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from passline.engine.kinds import Fire, Line, Number, Odds, OneRoll
from passline.engine.values import Cited
from passline.rulebooks.model import House
from passline.rulebooks.read import built_in, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from passline.engine.book import Book, Commission, WagerRule
    from passline.engine.values import Price

DOCUMENT = Path(__file__).parents[2] / "docs" / "options.md"

SCHEMA = Path(__file__).parents[2] / "src" / "passline" / "rulebooks" / "houses" / "house.schema.json"

NOT_THERE = "-"
"""Said of a house that does not have the wager."""


@dataclass(frozen=True)
class Option:
    """One option: its name in `ambiguities.md`, its field, what it can be, and what a house says."""

    name: str
    field: str
    values: str
    said: Callable[[Book], object]

    def shown(self, book: Book) -> str:
        """What this house says, in the words of its file."""
        return show(self.said(book))


def show(value: object) -> str:
    """Write a value the way a house file does, more or less."""
    if isinstance(value, Cited):
        value = value.value
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return ", ".join(map(show, value)) or "none"
    if isinstance(value, dict):
        said = {show(inner) for inner in value.values()}
        return said.pop() if len(said) == 1 else ", ".join(f"{key}: {show(inner)}" for key, inner in value.items())
    return str(value)


def rule(book: Book, key: str) -> WagerRule | None:
    """A wager of the book by its family's key."""
    return next((wager for wager in book.wagers if wager.key == key), None)


def of(key: str, name: str) -> Callable[[Book], object]:
    """What one wager says under this name, or a dash."""

    def said(book: Book) -> object:
        wager = rule(book, key)
        if wager is None:
            return NOT_THERE
        return getattr(wager, name) if hasattr(wager, name) else getattr(wager.terms, name)

    return said


def where(name: str) -> Callable[[Book], object]:
    """The wagers for which this holds."""
    return lambda book: [wager.key for wager in book.wagers if getattr(wager, name).value]


def charged(name: str) -> Callable[[Book], object]:
    """What the charge on buy and on lay bets says under this name."""

    def said(book: Book) -> object:
        found = [charge(book, key, name) for key in ("buy", "lay")]
        return NOT_THERE if set(found) == {NOT_THERE} else " / ".join(found)

    return said


def charge(book: Book, key: str, name: str) -> str:
    """What the charge on one wager says under this name."""
    wager = rule(book, key)
    commission: Commission | None = wager.commission if wager else None
    return show(getattr(commission, name)) if commission else NOT_THERE


def rates(book: Book) -> object:
    """The charges on buy and on lay bets, each with what it is a share of."""
    found = []
    for key in ("buy", "lay"):
        wager = rule(book, key)
        commission = wager.commission if wager else None
        found.append(f"{commission.rate.value * 100}% of {commission.of.value}" if commission else NOT_THERE)
    return NOT_THERE if set(found) == {NOT_THERE} else " / ".join(found)


def quoted(price: Price) -> str:
    """Write a price the way a house file does."""
    return f"{price.pays}:{price.per}" + (" for" if price.form == "for" else "")


def forms(book: Book) -> object:
    """Which wagers are quoted *for*."""
    keys = [wager.key for wager in book.wagers if any(price.form == "for" for _, price in wager.quotes())]
    return f"for: {', '.join(keys)}; else to" if keys else "to"


def odds_prices(book: Book) -> object:
    """The three prices by which houses differ: taken on 6, laid on 5, laid on 6."""
    taken, laid = rule(book, "pass_odds"), rule(book, "dont_pass_odds")
    assert taken
    assert isinstance(taken.terms, Odds)
    if laid is None:
        return [quoted(taken.terms.pays[6].value), NOT_THERE, NOT_THERE]
    assert isinstance(laid.terms, Odds)
    found = (taken.terms.pays[6], laid.terms.pays[5], laid.terms.pays[6])
    return [quoted(price.value) for price in found]


def any_craps(book: Book) -> object:
    """The price of any craps, marked where it is not on offer."""
    wager = rule(book, "any_craps")
    assert wager
    assert isinstance(wager.terms, OneRoll)
    price = quoted(wager.terms.pays[2].value)
    return price if wager.offered.value else f"not offered ({price} if it were)"


def grouped(said: dict[str, str]) -> str:
    """Gather the keys that say the same."""
    by_word: dict[str, list[str]] = {}
    for key, word in said.items():
        by_word.setdefault(word, []).append(key)
    return "; ".join(f"{word}: {', '.join(keys)}" for word, keys in by_word.items())


def limits(book: Book) -> object:
    """The class of limits of every wager on offer that is not under the table's own."""
    return grouped({w.key: w.limits.value for w in book.wagers if w.offered.value and w.limits.value != "table"})


def puts(book: Book) -> object:
    """Whether pass and come may be put."""
    return {w.key: w.terms.put for w in book.wagers if isinstance(w.terms, Line) and w.terms.side == "do"}


def bars(book: Book) -> object:
    """What the don't bets bar."""
    return {w.key: w.terms.bar for w in book.wagers if isinstance(w.terms, Line) and w.terms.side == "dont"}


def removable(book: Book) -> object:
    """How long wagers can be taken down, where it is not any time."""
    return grouped({w.key: w.removable.value for w in book.wagers if w.removable.value != "any time"})


def causes(book: Book) -> object:
    """What each flaw in a throw does."""
    return grouped({cause: handling.value for cause, handling in book.no_roll.causes.items()})


def stays(book: Book) -> object:
    """Whether winning number bets and hardways stay up."""
    return all(w.stays.value for w in book.wagers if isinstance(w.terms, Number) or w.key == "hard")


def off_table(book: Book) -> object:
    """Whether a die is off when it leaves the table, or when it comes to rest off it."""
    causes = book.no_roll.causes
    return "leaves" if causes["left-and-returned"].value == causes["off-table"].value else "rests"


def fire(name: str) -> Callable[[Book], object]:
    """What the fire bet says under this name, or a dash."""

    def said(book: Book) -> object:
        wager = next((wager for wager in book.wagers if isinstance(wager.terms, Fire)), None)
        if wager is None:
            return NOT_THERE
        return getattr(wager, name) if hasattr(wager, name) else getattr(wager.terms, name)

    return said


OPTIONS = (
    Option("dont_bar", "wager.dont_pass.bar, wager.dont_come.bar", "2 to 12", bars),
    Option("odds_multiple", "notice.odds", 'from 1, by point, or "none"', lambda book: book.notice.odds),
    Option("odds_prices", "wager.*_odds.pays", "prices (6/8; laid 5/9; laid 6/8)", odds_prices),
    Option("come_requires_point", "wager.come.made", '"point on", "after come-out"', of("come", "made")),
    Option(
        "come_odds_on_comeout", "wager.come_odds.off_on_comeout", "true (off), false", of("come_odds", "off_on_comeout")
    ),
    Option("off_on_comeout", "wager.*.off_on_comeout", "true, false", where("off_on_comeout")),
    Option("callable_off", "wager.*.callable", "true, false", where("callable")),
    Option("on_confirmers", "betting.on_confirmers", "roles", lambda book: book.betting.on_confirmers),
    Option("on_button_scope", "betting.on_scope", '"kind", "wager", "player"', lambda book: book.betting.on_scope),
    Option(
        "on_call_lasts",
        "betting.on_lasts",
        '"until point", "one roll", "until cancelled"',
        lambda book: book.betting.on_lasts,
    ),
    Option("dont_ban", "betting.dont_ban", '"same bet", "all until come-out"', lambda book: book.betting.dont_ban),
    Option("put_bets", "wager.pass.put, wager.come.put", "true, false", puts),
    Option("push_disposition", "betting.push", '"stay", "return"', lambda book: book.betting.push),
    Option(
        "late_bets",
        "betting.late_bets",
        '"none", "dealer or box", "dealer and box"',
        lambda book: book.betting.late_bets,
    ),
    Option("cash_verbal", "betting.cash", '"none", "all but line", "all"', lambda book: book.betting.cash),
    Option("promotional_tokens", "betting.tokens", "true, false", lambda book: book.betting.tokens),
    Option("payout_rounding", "money.rounding", '"up", "down", "nearest", "exact"', lambda book: book.money.rounding),
    Option(
        "improper_multiple",
        "money.improper_multiple",
        '"floor stake", "floor win", "none"',
        lambda book: book.money.improper_multiple,
    ),
    Option("payout_overrides", "money.price_overrides", '"none", "upward"', lambda book: book.money.price_overrides),
    Option(
        "commission.rate",
        "wager.buy.commission.rate, wager.lay.commission.rate",
        'a percentage, of "stake" or "win"',
        rates,
    ),
    Option("commission.when", "wager.*.commission.when", '"up front", "on a win"', charged("when")),
    Option("commission.refund_on_removal", "wager.*.commission.refund", "true, false", charged("refund")),
    Option("under_min", "money.under_min", '"settle then warn", "valid", "refuse"', lambda book: book.money.under_min),
    Option("over_max", "money.over_max", '"cap", "refuse"', lambda book: book.money.over_max),
    Option(
        "min_raise_notice_minutes",
        "floor.min_raise_notice_minutes",
        "minutes; 0: none",
        lambda book: book.floor.min_raise_notice_minutes,
    ),
    Option(
        "closing_notice_minutes",
        "floor.closing_notice_minutes",
        "minutes; 0: none",
        lambda book: book.floor.closing_notice_minutes,
    ),
    Option("dice_set_min", "dice.dice_set", "from 1", lambda book: book.dice.dice_set),
    Option("lost_dice_for_new_set", "dice.lost_for_new_set", "from 1", lambda book: book.dice.lost_for_new_set),
    Option("no_roll_callers", "no_roll.callers", "roles", lambda book: book.no_roll.callers),
    Option(
        "shooter_passes_on", "shooter.passes_on", '"seven-out", "any pass loss"', lambda book: book.shooter.passes_on
    ),
    Option("shooter_needs_line_bet", "shooter.needs_line_bet", "true, false", lambda book: book.shooter.needs_line_bet),
    Option(
        "shooter_must_keep_line_bet",
        "shooter.must_keep_line_bet",
        "true, false",
        lambda book: book.shooter.must_keep_line_bet,
    ),
    Option(
        "offer_requires_line_bet",
        "shooter.offer_requires_line_bet",
        "true, false",
        lambda book: book.shooter.offer_requires_line_bet,
    ),
    Option(
        "no_shooter",
        "shooter.no_shooter",
        '"wait", "stickperson", "previous shooter"',
        lambda book: book.shooter.no_shooter,
    ),
    Option("come_only_rolls", "shooter.come_only_rolls", "true, false", lambda book: book.shooter.come_only_rolls),
    Option("offer_big_6_8", "wager.big.offered", "true, false; or leave it out", of("big", "offered")),
    Option("offer_buy", "wager.buy.offered", "true, false; or leave it out", of("buy", "offered")),
    Option("offer_craps_numbers", "wager.craps_2.offered", "true, false; or leave it out", of("craps_2", "offered")),
    Option("any_craps_price", "wager.any_craps.pays", "a price, and offered true or false", any_craps),
    Option("fire_window", "wager.fire.made", '"first come-out", "come-out"', fire("made")),
    Option("fire_on_pass", "wager.fire.on_pass", '"continue", "settle", "refund"', fire("on_pass")),
    Option("bonus_window", "wager.all_small.made", '"come-out", "after a seven"', of("all_small", "made")),
    Option(
        "commission.rounding", "wager.*.commission.rounding", '"exact", "down", "nearest", "up"', charged("rounding")
    ),
    Option("commission.minimum", "wager.*.commission.minimum_chips", "smallest chips", charged("minimum_chips")),
    Option("commission.unit", "wager.*.commission.unit_chips", "smallest chips, from 1", charged("unit_chips")),
    Option("commission.recharge_on_stay", "wager.*.commission.recharge", "true, false", charged("recharge")),
    Option("winning_bet_stays", "wager.*.stays", "true, false", stays),
    Option(
        "indivisible_stake", "money.indivisible_stake", '"refuse", "exact"', lambda book: book.money.indivisible_stake
    ),
    Option("payout.form", "wager.*.pays", '"7:6" or "7:6 to"; "8:1 for"', forms),
    Option("smallest_chip", "notice.chips", "chips, smallest first", lambda book: book.notice.chips.value[0]),
    Option("max", "wager.*.limits", '"table", "props", "side"', limits),
    Option(
        "removable", "wager.*.removable", '"any time", "until its point", "until its first roll", "never"', removable
    ),
    Option(
        "voluntary_pass",
        "shooter.voluntary_pass",
        '"any roll", "come-out only"',
        lambda book: book.shooter.voluntary_pass,
    ),
    Option("invalid_causes", "no_roll.causes", '"auto", "must call", "may call"', causes),
    Option("off_table", "no_roll.causes.left-and-returned", "as off-table (leaves), or less (rests)", off_table),
    Option("closing", "floor.closing", '"finish hand", "return all"', lambda book: book.floor.closing),
    Option(
        "on_invalidation",
        "floor.on_invalidation",
        '"as it lay", "refund"',
        lambda book: book.floor.on_invalidation,
    ),
    Option(
        "token_after_win", "betting.token_after_win", '"return", "collect"', lambda book: book.betting.token_after_win
    ),
)
"""Every option, in the order of `ambiguities.md`."""

DECIDED = {
    "abstain_rounds": "Who may lose a seat by not betting is the pit's to watch, which is not built (S-13).",
    "no_roll_deadline": "A no-roll is called before a throw is settled; a settled one can only be struck out (A-26).",
    "review_requires_other_person": "Complaints about rulings go to the pit, which is not built (S-15).",
    "fire_pay": "A fire bet is paid at the seven-out, and at once when the last point is made (F-07).",
}
"""Options with one reading only: the engine keeps to it and a house file need not say it."""

OPENING = """\
# Options

Where the rule books are silent or differ, a house file says what holds. Each option of the readings
(`src/passline/rulebooks/data/ambiguities.md`) is a field; this is where it stands, what it can be, and what each house
says. A wager that does not say a thing itself takes it from `[every_wager]`.

This page is written by `python -m tests.rulebooks.options`; a test compares it with the houses.

"""


CLOSING = """
Some options of the readings have only one reading that anybody plays by, or wait for the pit. They are no fields:

"""


def row(cells: Iterable[str]) -> str:
    """One line of a table."""
    return "| " + " | ".join(cells) + " |\n"


def page() -> str:
    """Write `docs/options.md`."""
    books = [load(house) for house in built_in()]
    heads = ["option", "field", "values", *(book.id for book in books)]
    lines = [row(heads), "|" + "---|" * len(heads) + "\n"]
    for option in OPTIONS:
        fields = ", ".join(f"`{field}`" for field in option.field.split(", "))
        lines.append(row([f"`{option.name}`", fields, option.values, *(option.shown(book) for book in books)]))
    decided = [f"- `{name}`: {sentence}\n" for name, sentence in DECIDED.items()]
    return OPENING + "".join(lines) + CLOSING + "".join(decided)


# A file that says only what differs: values alone, without a clause beside them, where the whole file has them.
LIKE: Mapping[str, Any] = {
    "type": "object",
    "required": ["like", "name"],
    "properties": {
        "like": {"type": "string", "description": "The id of the house that this one is like, but for what it says."},
        "name": {"type": "string", "description": "The name of this house."},
    },
}


def json_schema_text() -> str:
    """Write `house.schema.json`, which describes a house file: one that says everything, or one like another."""
    whole = {name: _untitled(part) for name, part in House.model_json_schema().items() if name != "title"}
    parts = whole.pop("$defs")
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Passline house file"}
    described = {**schema, "if": {"required": ["like"]}, "then": LIKE, "else": whole, "$defs": parts}
    return json.dumps(described, indent=2, ensure_ascii=False) + "\n"


def _untitled(part: Any) -> Any:  # noqa: ANN401 - any part of a JSON document
    """Leave out the titles that only repeat a key, and write defaults as the pairs they are."""
    if isinstance(part, list):
        return [_untitled(inner) for inner in part]
    if isinstance(part, dict):
        if part.keys() == {"value", "clause"}:
            return [part["value"], part["clause"]]
        untitled = {name: inner for name, inner in part.items() if name != "title" or not isinstance(inner, str)}
        return {name: _untitled(inner) for name, inner in untitled.items()}
    return part


if __name__ == "__main__":
    DOCUMENT.write_text(page(), encoding="utf-8")
    SCHEMA.write_text(json_schema_text(), encoding="utf-8")
