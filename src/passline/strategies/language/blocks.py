"""A strategy in blocks: its file's own tables with every condition taken apart, and the file written from them."""

import json
from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from passline.errors import Finding, StrategyFileError
from passline.files.findings import quoted
from passline.strategies.language import conditions as c
from passline.strategies.language import grammar
from passline.strategies.language.conditions import QUANTITIES, Condition
from passline.strategies.language.strategy import End, Growth, Move
from passline.strategies.language.words import GROWS, MOVES, SIGNS

Block = dict[str, Any]  # a condition as a page draws it: its `kind`, and what that kind says

# Keys whose value is a condition; a want's `down` and `on` are lists, which are no blocks.
CONDITIONS = frozenset({"when", "reset", "down", "on", "back"})

DEPTH_MAX = 20  # how deep a block may hold others; brackets may go twice as deep

# Amounts that most strategies say.
EXAMPLES = ("1", "2", "5", "1x", "2x", "max", "3-4-5", "to_win(1)", "least(2x, max)", "left", "0")


def described(wagers: Iterable[str]) -> dict[str, Any]:
    """What a strategy file may say, from the words it is read by."""
    numbers = [
        {
            "number": name,
            "words": meaning.words,
            "about": meaning.about,
            "money": meaning.is_money,
            "after_roll": meaning.after_roll,
        }
        for name, meaning in QUANTITIES.items()
    ]
    return {
        "numbers": numbers,
        "signs": SIGNS,
        "asks": list(c.ASKS),
        "decided": list(c.DECIDED),
        "happened": list(c.OF_ROLL),
        "amounts": {text: grammar.amount(text).in_words() for text in EXAMPLES},
        "moves": MOVES,
        "grows": GROWS,
        "ends": list(get_args(End)),
        "wagers": sorted(wagers),
        "file": StrategyFile.model_json_schema(),
    }


def blocks_of(values: dict[str, Any], counts: Collection[str]) -> dict[str, Any]:
    """The tables of a file that was read, every condition in them as a block; `counts` are those it can ask for."""
    plain = json.loads(json.dumps(values))
    named = {name: Fraction(str(value)) for name, value in plain.get("parameters", {}).items()}
    named |= {stage["name"]: Fraction(place) for place, stage in enumerate(plain.get("stage", []), start=1)}

    def block(text: str, *, after_roll: bool = False) -> Block:
        return block_of(grammar.condition(text, counts=counts, values=named, after_roll=after_roll))

    for want in plain.get("want", []):
        want["when"] = block(want.get("when", "always"))
    for table in (*plain.get("count", {}).values(), *plain.get("progression", {}).values(), *plain.get("stage", [])):
        for key in CONDITIONS & table.keys():
            table[key] = block(table[key], after_roll=True)
    if "when" in plain.get("ends", {}):
        plain["ends"]["when"] = block(plain["ends"]["when"])
    return dict(plain)


def block_of(condition: Condition) -> Block:
    match condition:
        case c.Fact(what="puck on" | "puck off" as what):
            return {"kind": "puck", "on": what == "puck on"}
        case c.Fact(what=what) if what in c.OF_ROLL:
            return {"kind": "happened", "what": what}
        case c.Fact(what=what, wager=str(wager)):
            return {"kind": what, "wager": wager}
        case c.Compare(number=number, sign=sign, value=value):
            return {"kind": "number", "number": number.name, "of": number.of, "sign": sign, "value": str(value)}
        case c.CompareSums(left=left, sign=sign, right=right):
            return {"kind": "totals", "left": str(left), "sign": sign, "right": str(right)}
        case c.OneOf(number=number, values=values):
            return {"kind": "in", "number": number.name, "of": number.of, "values": list(values)}
        case c.Not(part=part):
            return {"kind": "not", "part": block_of(part)}
        case c.Joined(word=word, parts=parts):
            return {"kind": "all" if word == "and" else "any", "parts": [block_of(part) for part in parts]}
        case _:
            return {"kind": "always"}


def written(blocks: dict[str, Any], file: str = "strategy") -> str:
    """The file that blocks say, as text; what a reader has against it, the reader says."""
    writer = _Writer(file)
    text = "\n\n".join(writer.parts(blocks)) + "\n"
    if writer.findings:
        raise StrategyFileError(writer.findings)
    return text


LISTS, NAMED = ("stage", "want"), ("count", "progression")  # tables of which there are several, and those with names
TABLES = ("parameters", *LISTS, *NAMED, "ends")


class _Writer:
    """Writes what is no table, then the tables, and says which blocks say nothing."""

    def __init__(self, file: str) -> None:
        self.file, self.findings = file, list[Finding]()

    def parts(self, blocks: dict[str, Any]) -> Iterator[str]:
        yield self.table("", {key: value for key, value in blocks.items() if key not in TABLES}, "")
        for key in (each for each in TABLES if blocks.get(each)):
            value = blocks[key]
            if key in LISTS and isinstance(value, list):
                yield from (self.table(f"[[{key}]]", row, f"{key}[{at}]") for at, row in enumerate(value, start=1))
            elif key in NAMED and isinstance(value, dict):
                yield from (self.table(f"[{key}.{_key(name)}]", value[name], f"{key}.{name}") for name in value)
            elif key in (*LISTS, *NAMED):
                self.complain(key, value, "a list" if key in LISTS else "tables by their names")
            else:
                yield self.table(f"[{key}]", value, key)

    def table(self, header: str, values: object, path: str) -> str:
        """A table, its signs of equality under each other."""
        if not isinstance(values, dict):
            self.complain(path, values, "a table")
            return header
        filled = {str(key): each for key, each in values.items() if each not in (None, [], {})}
        if header == "[[want]]" and filled.get("when") == {"kind": "always"}:
            del filled["when"]
        wide = max((len(_key(key)) for key in filled), default=0)
        inside = f"{path}." if path else ""
        lines = [f"{_key(key):<{wide}} = {self.value(each, f'{inside}{key}', key)}" for key, each in filled.items()]
        return "\n".join(([header] if header else []) + lines)

    def value(self, value: object, path: str, key: str = "") -> str:
        """A value as it stands in a file; that of a key of conditions as their text."""
        if key in CONDITIONS and isinstance(value, dict):
            value = str(self.condition(value, path))
        if isinstance(value, bool | int | str):
            return json.dumps(value, ensure_ascii=False)
        if isinstance(value, list):
            return f"[{', '.join(self.value(each, path) for each in value)}]"
        if isinstance(value, dict):
            inside = ", ".join(f"{_key(key)} = {self.value(each, f'{path}.{key}')}" for key, each in value.items())
            return f"{{ {inside} }}"
        self.complain(path, value, "text, a whole number, a truth, a list or a table")
        return '""'

    def condition(self, block: Any, path: str, depth: int = 0) -> Condition:  # noqa: ANN401 - whatever a page sends
        """The condition that a block says; it writes itself."""
        of = (block.get("of") or None) if isinstance(block, dict) else None
        match block if depth <= DEPTH_MAX else None:
            case {"kind": "always"}:
                return c.Fact("always")
            case {"kind": "puck"}:
                return c.Fact("puck on" if block.get("on") else "puck off")
            case {"kind": "happened", "what": what}:
                return c.Fact(what)
            case {"kind": str(what), "wager": wager} if what in (*c.ASKS, *c.DECIDED):
                return c.Fact(what, wager)
            case {"kind": "number", "number": number, "sign": sign, "value": value}:
                return c.Compare(c.Quantity(number, of), sign, value)
            case {"kind": "totals", "left": left, "sign": sign, "right": right}:
                return c.CompareSums(left, sign, right)
            case {"kind": "in", "number": number, "values": [*values]}:
                return c.OneOf(c.Quantity(number, of), tuple(values))
            case {"kind": "not", "part": part}:
                return c.Not(self.condition(part, path, depth + 1))
            case {"kind": "all" | "any" as kind, "parts": [*parts]}:
                read = tuple(self.condition(part, path, depth + 1) for part in parts)
                joined = c.Joined("and" if kind == "all" else "or", read)
                return joined if len(read) > 1 else (*read, c.Fact("always"))[0]
            case _:
                known = f"a block of a kind that the language has, with all that it says, at most {DEPTH_MAX} deep"
                self.complain(path, block.get("kind") if isinstance(block, dict) else block, known)
                return c.Fact("always")

    def complain(self, path: str, actual: object, expected: str) -> None:
        self.findings.append(Finding(self.file, path, quoted(actual), expected))


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else json.dumps(key, ensure_ascii=False)


# A short name: small letters, digits and underscores.
Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]

Text = Annotated[str, Field(min_length=1, max_length=2000)]  # words

# A number of units, or text that says how much.
Said = Annotated[int, Field(ge=0, le=1_000_000)] | Annotated[str, Field(min_length=1, max_length=2000)]

Positive = Annotated[int, Field(ge=1, le=1_000_000_000)]  # a number of things, at least one
Names = Annotated[tuple[Id, ...], Field(max_length=100)]  # Wagers or families of wagers


class StrictTable(BaseModel):
    """A table of the file: no key that is not listed, no text where a number belongs."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class WantTable(StrictTable):
    """What should be up, and when."""

    when: Text = "always"
    up: Annotated[dict[Id, Said], Field(max_length=100)] = Field(default_factory=dict)
    down: Names = ()
    on: Names = ()
    off: Names = ()
    skip: Literal["point"] | None = None


class CountTable(StrictTable):
    """A number the strategy keeps."""

    when: Text
    down: Text | None = None
    reset: Text | None = None
    start: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    most: Positive | None = None


class StageTable(StrictTable):
    """One stage: what leads on, and what leads back."""

    name: Id
    on: Text | None = None
    back: Text | None = None


class ProgressionTable(StrictTable):
    """Stakes that move with wins and losses: a ladder of steps, or a line to be crossed off."""

    of: Id
    steps: Annotated[tuple[Said, ...], Field(min_length=1, max_length=200)] | Growth | None = None
    line: Annotated[tuple[Positive, ...], Field(min_length=1, max_length=50)] | None = None
    won: Move = "start over"
    lost: Move = "next"
    end: End = "start over"
    reset: Text | None = None
    goal: Said | None = None
    each: bool = False


class EndsTable(StrictTable):
    """When the session is over; money in units."""

    rolls: Positive | None = None
    hands: Positive | None = None
    stop_win: Said | None = None
    stop_loss: Said | None = None
    when: Text | None = None


class StrategyFile(StrictTable):
    """The whole file."""

    id: Id | None = None
    name: Text
    description: Text = ""
    source: Text = "The author of this file."
    unit: Said = 1
    include: Annotated[tuple[Id, ...], Field(max_length=20)] = ()
    parameters: Annotated[dict[Id, Said], Field(max_length=20)] = Field(default_factory=dict)
    stage: Annotated[tuple[StageTable, ...], Field(max_length=20)] = ()
    want: Annotated[tuple[WantTable, ...], Field(max_length=200)] = ()
    count: Annotated[dict[Id, CountTable], Field(max_length=20)] = Field(default_factory=dict)
    progression: Annotated[dict[Id, ProgressionTable], Field(max_length=20)] = Field(default_factory=dict)
    ends: EndsTable = EndsTable()
