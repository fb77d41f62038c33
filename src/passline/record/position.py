"""A whole table on one line, a FEN for craps: read back, it is the same table.

    adelaide min=10 | puck=6 shooter=1 | 1 Ann 470 pass=10 pass_odds=20 | 2 Bob 300 buy_4=20:held=1:off

House and notice, the table, each seat; what is as it usually is, is left out. While the last roll can still be struck
out, sections that begin with `was` say what was different before it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, get_args

from passline.engine.layout import Layout
from passline.engine.table import Before, Call, Dice, Doubt, Phase, Seat, TableState, Thrower, Wager
from passline.engine.values import FACES
from passline.errors import RecordError
from passline.files.amounts import money
from passline.record.line import Words, count_of
from passline.record.notice import caller_in, caller_of, default_chips, default_notice, side_of

PLAIN = re.compile(r"[\w./~'-]*\w[\w./~'-]*")
QUOTED = re.compile(r'"((?:[^"\\]|\\["\\]|\\x[0-9a-f]+;)*)"')
ESCAPE = re.compile(r'\\(?:x([0-9a-f]+);|(["\\]))')
WORD = re.compile(r'\||(?:"(?:[^"\\]|\\.)*"|[^\s"|])+')
SECTION = re.compile(r"\d|was$")  # how a section begins that is not about the table

CALLS = get_args(Call)
PHASES: dict[str, str] = {phase.replace(" ", "-"): phase for phase in get_args(Phase)}
NOBODY = "-"  # what stands where a seat was empty


class Position(NamedTuple):
    """What a line says: a table, and where it stands."""

    house: str  # as written: a built-in id, or the path of a house file
    layout: Layout
    chips: tuple[int, ...]  # the chips of the float, in minor units
    table: TableState


# --- Values, each as a word or a part of one --------------------------------------------------------------------------


class Text(NamedTuple):
    """How a value of one sort stands in a line; reading says in a ValueError what was expected."""

    write: Callable[[Any, Layout], str]
    read: Callable[[str, Layout], Any]


def quoted(text: str) -> str:
    r"""Text as one word: as it is, or in quotes with what cannot be printed escaped.

    >>> print(quoted("Ann"), quoted("Ann Lee"), quoted('a|b"c'), quoted("tab\t"))
    Ann "Ann Lee" "a|b\"c" "tab\x9;"
    """
    if PLAIN.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\x{ord(char):x};" for char in escaped) + '"'


def unquoted(word: str) -> str:
    if PLAIN.fullmatch(word):
        return word
    match = QUOTED.fullmatch(word)
    if match is None:
        raise ValueError('a word, or text in quotes such as "Ann Lee"')
    try:
        return ESCAPE.sub(lambda part: part[2] or chr(int(part[1], 16)), match[1])
    except (ValueError, OverflowError):
        raise ValueError("characters that exist") from None


def read_amount(text: str, layout: Layout, *, below_0: bool = False) -> int:
    """An amount of money, in minor units; only a bank may have less than nothing."""
    if text.startswith("-") and not below_0:
        raise ValueError("an amount that is not below 0")
    exact = money(text) * layout.minor_per_unit
    if exact.denominator != 1:
        raise ValueError(f"an amount in whole steps of {layout.money(1)}")
    return exact.numerator


def _whole(text: str, _layout: Layout) -> int:
    return -count_of(text[1:]) if text.startswith("-") else count_of(text)


def _odds(text: str, layout: Layout) -> dict[int, int]:
    if ":" not in text:
        return dict.fromkeys(layout.book.points.value, count_of(text)) if text else {}
    by_point = [part.partition(":") for part in text.split(",")]
    return {count_of(point): count_of(times) for point, _, times in by_point}


def _write_odds(odds: Mapping[int, int], layout: Layout) -> str:
    multiples = set(odds.values())
    if len(multiples) == 1 and set(odds) == set(layout.book.points.value):
        return str(multiples.pop())
    return ",".join(f"{point}:{times}" for point, times in odds.items())


def _chips(text: str, layout: Layout) -> tuple[int, ...]:
    chips = tuple(read_amount(chip, layout) for chip in text.split(","))
    if min(chips) <= 0:
        raise ValueError("chips worth more than nothing, such as float=1,5,25,100")
    return chips


def _doubt(text: str, _layout: Layout) -> Doubt:
    face, _, why = text.partition(":")
    if count_of(face) not in FACES:
        raise ValueError("the face that lies flat and why the other is in doubt, such as 4:cocked")
    return Doubt(int(face), unquoted(why))


def _phase(text: str, _layout: Layout) -> str:
    if text not in PHASES:
        raise ValueError(f"one of {', '.join(PHASES)}")
    return PHASES[text]


def _thrower(text: str, _layout: Layout) -> Thrower:
    seat, _, why = text.partition(":")
    if why not in ("", "come"):
        raise ValueError("a seat number or stick, and :come behind one who throws for come bets only")
    return Thrower(None if seat == "stick" else count_of(seat), bool(why))


def _decided(text: str, layout: Layout) -> tuple[tuple[int, str], ...]:
    decided = [part.partition(":") for part in text.split(",")]
    if not all(key in layout.spots for _, _, key in decided):
        raise ValueError("seats and wagers of this house, such as 1:pass,2:field")
    return tuple((count_of(seat), key) for seat, _, key in decided)


def numbers_in(kind: Callable[[Iterator[int]], Any], in_order: Callable[[Any], Any]) -> Text:
    """Several whole numbers: `2,3`."""
    return Text(
        lambda several, _layout: ",".join(map(str, in_order(several))),
        lambda text, _layout: kind(count_of(part) for part in text.split(",")),
    )


def or_else(word: str, empty: object, text: Text) -> Text:
    """The same, with a word for none of it."""
    return Text(
        lambda value, layout: word if value == empty else text.write(value, layout),
        lambda written, layout: empty if written == word else text.read(written, layout),
    )


AMOUNT = Text(lambda amount, layout: layout.money(amount), read_amount)
BALANCE = Text(lambda amount, layout: layout.money(amount), partial(read_amount, below_0=True))
WHOLE = Text(lambda number, _layout: str(number), _whole)
SIDE = Text(
    lambda side, layout: "-".join(map(layout.money, side)),
    lambda text, layout: side_of(text, lambda part: read_amount(part, layout)),
)
CHIPS = Text(lambda chips, layout: ",".join(map(layout.money, chips)), _chips)
DICE_LIST = or_else("none", (), numbers_in(tuple, tuple))
SEAT_NUMBER = or_else("none", None, WHOLE)
AMOUNT_OR_NONE = or_else("none", None, AMOUNT)
THROWER = Text(lambda by, _layout: ("stick" if by.seat is None else str(by.seat)) + ":come" * by.come_only, _thrower)
DOUBT = Text(lambda doubt, _layout: f"{doubt.sure}:{quoted(doubt.why)}", _doubt)
DECIDED = Text(lambda decided, _layout: ",".join(f"{seat}:{key}" for seat, key in decided), _decided)
CALLER = Text(
    lambda role, layout: caller_in(layout.book, role),
    lambda text, layout: caller_of(text, layout.book),
)


# --- What the words speak of ------------------------------------------------------------------------------------------


class Field(NamedTuple):
    """The field of a record that a word speaks of."""

    name: str
    text: Text | None  # none: it is true or false, and the word alone says that it is true


def _same(text: Text | None, *names: str) -> dict[str, Field]:
    """Fields that are called as their words are."""
    return {name: Field(name, text) for name in names}


FLOAT = {"float": Field("chips", CHIPS)}
NOTICE = {
    "min": Field("minimum", AMOUNT),
    "max": Field("maximum", AMOUNT_OR_NONE),
    "odds": Field("odds", or_else("none", None, Text(_write_odds, _odds))),
    "chip": Field("chip", AMOUNT),
    "props": Field("props_minimum", AMOUNT_OR_NONE),
    "side": Field("side", or_else("none", None, SIDE)),
    "multiples": Field("multiples", None),
    "unit": Field("unit", AMOUNT_OR_NONE),
    "no-roll": Field("no_roll", or_else("none", None, CALLER)),
}
TABLE = {
    "puck": Field("puck", or_else("off", 0, WHOLE)),
    "shooter": Field("shooter", SEAT_NUMBER),
    "last": Field("last_shooter", SEAT_NUMBER),
    **_same(None, "last_left"),
    **_same(Text(lambda phase, _layout: phase.replace(" ", "-"), _phase), "phase"),
    **_same(or_else("none", None, THROWER), "thrower"),
    **_same(or_else("none", None, DOUBT), "doubt"),
    **_same(or_else("none", frozenset(), numbers_in(frozenset, sorted)), "declined"),
    **_same(None, "rolled", "fresh_hand", "after_seven"),
    **_same(BALANCE, "bank", "bought"),
    **_same(None, "closing"),
}
DICE = {
    "dice": Field("in_set", WHOLE),
    **_same(DICE_LIST, "out", "off", "found", "lost"),
    **_same(None, "new_set_due", "followed", "unthrown", "strayed"),
}
SEAT = {**_same(AMOUNT, "tokens"), **_same(None, "warned", "away", "dont_banned")}
WAGER = {
    **_same(AMOUNT, "held"),
    **_same(WHOLE, "mark"),
    **_same(AMOUNT, "tokens"),
    **_same(None, "unchecked", "warned"),
}
WAS = {word: field for word, field in TABLE.items() if field.name in Before._fields}
ROLL = {**_same(or_else("none", (), DECIDED), "decided"), **_same(None, "touched")}
EMPTY_SEAT, EMPTY_WAGER = Seat("", 0, {}), Wager(0)


def _usual(fields: Mapping[str, Any]) -> dict[str, object]:
    """What goes without saying at a table with this puck, shooter and doubt, and rolls or none behind it."""
    rolled = fields.get("rolled", bool(fields.get("puck")))
    out = fields.get("doubt") or fields.get("phase") == "dice out"
    return {
        "last_shooter": fields.get("shooter"),
        "phase": "disputed" if fields.get("doubt") else "betting",
        "thrower": Thrower(fields.get("shooter")) if out else None,
        "rolled": bool(fields.get("puck")),
        "fresh_hand": not rolled,
        "after_seven": not rolled,
    }


# --- Writing --------------------------------------------------------------------------------------------------------


def write_position(layout: Layout, table: TableState, house: str | None = None, chips: tuple[int, ...] = ()) -> str:
    """A table as one line; of the house and the float only what its own book does not say."""
    own = default_chips(layout.book)
    chips = chips or own
    opening = [quoted(house or layout.book.id), *_words(FLOAT, {"chips": chips}, {"chips": own}, layout)]
    sign = default_notice(layout.book, chips)
    opening += _words(NOTICE, table.notice._asdict(), sign._asdict(), layout)
    now = table._asdict()
    # The puck is always said.
    usual = TableState._field_defaults | _usual(now) | {"puck": None, "bought": table.chips}
    dice = Dice(layout.book.dice.dice_set.value)
    state = _words(TABLE, now, usual, layout) + _words(DICE, table.dice._asdict(), dice._asdict(), layout)
    seats = [_seat(number, seat, layout) for number, seat in table.seats.items()]
    return " | ".join(" ".join(words) for words in (opening, state, *seats, *_was(table, layout)))


def _words(fields: Mapping[str, Field], now: Mapping[str, Any], base: Mapping[str, Any], layout: Layout) -> list[str]:
    """A word for each field that is not as it usually is."""
    words = []
    for word, (name, text) in fields.items():
        value = now[name]
        if value != base[name] and text is None:
            words.append(word if value else f"{word}=no")
        elif value != base[name] and text is not None:
            words.append(f"{word}={text.write(value, layout)}")
    return words


def _seat(number: int, seat: Seat, layout: Layout) -> list[str]:
    words = [str(number), quoted(seat.name), layout.money(seat.rail)]
    words += _words(SEAT, seat._asdict(), EMPTY_SEAT._asdict(), layout)
    for key, wager in seat.felt.items():
        parts = _words(WAGER, wager._asdict(), EMPTY_WAGER._asdict(), layout)
        call = [wager.call] if wager.call else []
        words.append(f"{key}={':'.join([layout.money(wager.stake), *call, *parts])}")
    return words


def _was(table: TableState, layout: Layout) -> Iterator[list[str]]:
    """What was otherwise before the last roll."""
    before = table.before
    if before is None:
        return
    dice = _words(DICE, before.dice._asdict(), table.dice._asdict(), layout)
    roll = _words(ROLL, before._asdict(), Before._field_defaults, layout)
    yield ["was", *_words(WAS, before._asdict(), table._asdict(), layout), *dice, *roll]
    for number in sorted({*before.seats, *table.seats}):
        then, now = before.seats.get(number), table.seats.get(number)
        if then is None:
            yield ["was", str(number), NOBODY]
        elif now != then or list(now.felt) != list(then.felt):
            yield ["was", *_seat(number, then, layout)]


# --- Reading --------------------------------------------------------------------------------------------------------


def read_position(line: str, find: Callable[[str], Layout]) -> Position:
    """Read a line, in the house that `find` finds, or say at which column it stops making sense."""
    try:
        return _read(line, find)
    except RecordError as error:
        raise RecordError(error.line, error.column, error.actual, error.expected, "position") from None


def _read(line: str, find: Callable[[str], Layout]) -> Position:
    opening, *sections = _sections(line)
    house = _text(opening, "the name of a house, or the path of a house file")
    try:
        layout = find(house)
    except (OSError, ValueError) as error:
        opening.fail(f"a house that can be read: {error}", back=1)
    own, sign = _fields_of(opening, layout, FLOAT, NOTICE)
    chips = own.get("chips", default_chips(layout.book))
    words = sections.pop(0) if sections and not SECTION.match(sections[0].peek) else Words(1, "", [])
    fields, dice = _fields_of(words, layout, TABLE, DICE)
    seats: dict[int, Seat] = {}
    while sections and sections[0].peek != "was":
        number, seat = _read_seat(sections.pop(0), layout, seats, fields.get("puck", 0))
        seats[number] = seat
    table = TableState(
        notice=default_notice(layout.book, chips)._replace(**sign),
        dice=Dice(layout.book.dice.dice_set.value)._replace(**dice),
        seats=dict(sorted(seats.items())),
        **_usual(fields) | fields,  # type: ignore[arg-type]
    )
    if "bought" not in fields:
        table = table._replace(bought=table.chips)
    _check(words, layout, table)
    return Position(house, layout, chips, _read_was(sections, layout, table) if sections else table)


def _sections(line: str) -> list[Words]:
    odd = re.search(r"[\n\r]", line) or re.search('"', WORD.sub(lambda word: "." * len(word[0]), line))
    if odd:
        raise RecordError(1, odd.start() + 1, odd[0], "one line of words, with quotes closed")
    sections = [Words(1, line, [])]
    for word in WORD.finditer(line):
        if word[0] == "|":
            sections[-1].text, sections[-1].stop = line[: word.start()], "|"
            sections.append(Words(1, line, []))
        else:
            sections[-1].words.append((word.start() + 1, word[0]))
    return sections


def _text(words: Words, expected: str) -> str:
    word = words.next(expected)
    try:
        return unquoted(word)
    except ValueError as error:
        words.fail(str(error), back=1)


def _fields_of(words: Words, layout: Layout, *groups: Mapping[str, Field]) -> list[dict[str, Any]]:
    fields: list[dict[str, Any]] = [{} for _ in groups]
    while words.more:
        name = words.peek.partition("=")[0]
        index = next((number for number, group in enumerate(groups) if name in group), None)
        if index is None:
            words.fail("one of " + ", ".join(word for group in groups for word in group))
        _take(words, layout, groups[index], fields[index])
    return fields


def _take(words: Words, layout: Layout, fields: Mapping[str, Field], values: dict[str, Any]) -> None:
    name, text = fields[words.peek.partition("=")[0]]
    if name in values:
        words.fail("each word once")
    try:
        values[name] = _value(words.next("a word"), text, layout)
    except ValueError as error:
        words.fail(str(error), back=1)


def _value(word: str, text: Text | None, layout: Layout) -> object:
    name, equals, written = word.partition("=")
    if text is None:
        if equals and written != "no":
            raise ValueError(f"{name} or {name}=no")
        return not equals
    if not equals:
        raise ValueError(f"{name}= and its value")
    return text.read(written, layout)


def _read_seat(words: Words, layout: Layout, taken: Mapping[int, Seat], puck: int) -> tuple[int, Seat]:
    number = words.count("a seat number from 1")
    if number in taken:
        words.fail("each seat once", back=1)
    name = _text(words, "a name")
    try:
        fields: dict[str, Any] = {"rail": read_amount(words.peek, layout)}
    except ValueError as error:
        words.fail(f"what is on the rail: {error}")
    words.at += 1
    felt: dict[str, Wager] = {}
    while words.more:
        key = words.peek.partition("=")[0]
        if key in SEAT:
            _take(words, layout, SEAT, fields)
        elif key in layout.spots and key not in felt:
            felt[key] = words.read(partial(_wager, layout=layout))
        else:
            words.fail(f"a wager of this house, each once, such as {layout.line[0]}=10, or one of {', '.join(SEAT)}")
    _check_odds(words, layout, felt, puck)
    return number, EMPTY_SEAT._replace(name=name, felt=felt, **fields)


def _check_odds(words: Words, layout: Layout, felt: Mapping[str, Wager], puck: int) -> None:
    """Odds stand behind their flat bet and on a point, or no roll could decide them."""
    for at, (_, word) in enumerate(words.words):
        spot = layout.spots.get(word.partition("=")[0])
        if spot and spot.is_odds and not (spot.flat in felt and (spot.number or puck)):
            words.at = at
            words.fail(f"odds only behind {spot.flat}" + ("" if spot.number or puck else " and while the puck is on"))


def _wager(text: str, layout: Layout) -> Wager:
    """Read `12:on:tokens=5`."""
    stake, *parts = text.split(":")
    fields: dict[str, Any] = {"stake": read_amount(stake, layout)}
    for part in parts:
        field = Field("call", None) if part in CALLS else WAGER.get(part.partition("=")[0])
        if field is None:
            raise ValueError(f"after the stake, any of {', '.join((*CALLS, *WAGER))}")
        if field.name in fields:
            raise ValueError("each word once")
        fields[field.name] = part if part in CALLS else _value(part, field.text, layout)
    return EMPTY_WAGER._replace(**fields)


def _read_was(sections: list[Words], layout: Layout, table: TableState) -> TableState:
    first = sections.pop(0)
    first.next("was")
    fields, dice, roll = _fields_of(first, layout, WAS, DICE, ROLL)
    seats = dict(table.seats)
    seen: dict[int, Seat] = {}
    for words in sections:
        if words.next("was") != "was":
            words.fail("was, and what was otherwise before the last roll", back=1)
        if NOBODY in (word for _, word in words.words[2:]):
            number = words.count("a seat number from 1")
            words.next(NOBODY)
            words.end()
            if seats.pop(number, None) is None:
                words.at = 1
                words.fail("the number of a seat that is taken now")
            continue
        number, seat = _read_seat(words, layout, seen, fields.get("puck", table.puck))
        seats[number] = seen[number] = seat
    then = {field.name: getattr(table, field.name) for field in WAS.values()} | fields | roll
    then |= {"seats": dict(sorted(seats.items())), "dice": table.dice._replace(**dice)}
    return table._replace(before=Before(**then))


def _check(words: Words, layout: Layout, table: TableState) -> None:
    """What the words say about each other must agree, or play could not go on from here."""
    points, seats = layout.book.points.value, table.seats
    taken = "the number of a seat that is taken"
    expected = {
        "puck": (not table.puck or table.puck in points, f"off or one of {', '.join(map(str, points))}"),
        "shooter": (table.shooter is None or table.shooter in seats, f"none, or {taken}"),
        "thrower": (table.thrower is None or table.thrower.seat in (None, *seats), f"none, stick, or {taken}"),
        "phase": ((table.phase == "disputed") == bool(table.doubt), "disputed while there is a doubt, and only then"),
    }
    for word in (word for word, (holds, _) in expected.items() if not holds):
        at = (number for number, (_, text) in enumerate(words.words) if text.startswith(f"{word}="))
        words.at = next(at, len(words.words))
        words.fail(f"{word}: {expected[word][1]}")
