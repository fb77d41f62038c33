"""The routes of the lab: strategies and their blocks, house files and what a change does to every edge."""

import tomllib
from importlib.resources import files
from typing import Annotated, Any, Literal, Required, cast

from fastapi import Query
from pydantic import ConfigDict, Field, TypeAdapter
from typing_extensions import TypedDict  # Pydantic reads the one of `typing` from 3.12 on

from passline.rulebooks.editing import changed, departing, new_house, rules_of
from passline.rulebooks.read import built_in, in_full
from passline.strategies.language.blocks import blocks_of, described, written
from passline.strategies.language.read import built_in as library
from passline.strategies.language.read import library as strategies_of
from passline.strategies.language.words import in_words
from passline.strategies.player.plan import booked_anywhere, houses_for
from passline.web.auth import Calling, Router
from passline.web.houses import known_house
from passline.web.problems import Problem, no_house
from passline.web.schemas import File, RequestBody, example, record, view
from passline.web.uploads import faults, read_file

router = Router(tags=["lab"])


Money = str | int | float  # an amount as a file says it: a number of units, or words such as `max` or `2x`
OPEN = ConfigDict(extra="allow")  # what a page does not draw passes through it as it is


class Block(TypedDict, total=False):
    """A condition, taken apart: its `kind`, and what that kind says."""

    __pydantic_config__ = OPEN  # type: ignore[misc]
    kind: Required[str]
    on: bool
    what: str
    wager: str
    number: str
    of: str | int | None
    sign: str
    value: str
    values: list[int]
    part: "Block"
    parts: "list[Block]"


class Want(TypedDict, total=False):
    __pydantic_config__ = OPEN  # type: ignore[misc]
    when: Required[Block]
    up: dict[str, Money]
    down: list[str]
    on: list[str]
    off: list[str]
    skip: Literal["point"]


class Count(TypedDict, total=False):
    __pydantic_config__ = OPEN  # type: ignore[misc]
    when: Required[Block]
    reset: Block


class Progression(TypedDict, total=False):
    __pydantic_config__ = OPEN  # type: ignore[misc]
    of: Required[str]
    steps: str | list[Money]
    line: list[int]
    won: str
    lost: str
    end: str
    reset: Block
    goal: Money
    each: bool


class Ends(TypedDict, total=False):
    __pydantic_config__ = OPEN  # type: ignore[misc]
    rolls: int
    hands: int
    stop_win: Money
    stop_loss: Money
    when: Block


class StrategyBlocks(TypedDict, total=False):
    """A strategy file's own tables, with every condition taken apart."""

    __pydantic_config__ = OPEN  # type: ignore[misc]
    name: Required[str]
    description: Required[str]
    source: str
    unit: Money
    include: list[str]
    want: list[Want]
    count: dict[str, Count]
    progression: dict[str, Progression]
    ends: Ends


class Blocks(RequestBody):
    file: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,55}\.toml$", examples=["mine.toml"])]
    blocks: dict[str, Any]


class Change(RequestBody):
    """One value of a house file, and what stands in its place."""

    path: Annotated[list[Annotated[str, Field(max_length=60)]], Field(min_length=1, max_length=8)]
    value: bool | Annotated[int, Field(ge=0, le=10**9)] | Annotated[str, Field(max_length=100)] | list[int]


class Edited(File):
    """A house file, the house it is held against, and what is changed in it."""

    like: Annotated[str, Field(max_length=40, examples=["strip"])] = "adelaide"
    changes: Annotated[list[Change], Field(max_length=50, default_factory=list)]


Value = str | int | bool | list[int]


@record
class StrategyListed:
    strategy: str
    name: str
    description: str
    unit: str


@record
class StrategyView:
    file: str
    text: str
    blocks: StrategyBlocks
    name: str
    hash: str
    in_words: list[str]
    houses: list[str]  # those that book all of it


@record
class NumberWord:
    number: str
    words: str
    about: Literal["wager", "total"] | None
    money: bool
    after_roll: bool


@record
class Language:
    numbers: list[NumberWord]
    signs: dict[str, str]
    asks: list[str]
    decided: list[str]
    happened: list[str]
    amounts: dict[str, str]
    moves: dict[str, str]
    grows: dict[str, str]
    ends: list[str]
    wagers: list[str]
    file: dict[str, Any]


@record
class HouseFileView:
    file: str
    text: str
    like: str


@record
class RuleView:
    """One value of a house file that can be changed by itself."""

    path: list[str]
    kind: Literal["price", "share", "count", "truth", "choice", "numbers"]
    value: Value
    clause: str
    clause_says: str
    about: str
    group: str  # the wager or the part of the file it belongs to, for people
    choices: list[str]


@record
class PricedRow:
    prices: list[str]
    edge_per_bet_made: str
    edge_per_bet_made_decimal: float
    edge_per_bet_resolved_decimal: float
    edge_per_roll_working_decimal: float
    p_win_decimal: float


@record
class WagerPriced:
    wager: str
    name: str
    family: str
    now: PricedRow | None
    was: PricedRow | None
    difference: str | None
    difference_decimal: float | None
    changed: bool


@record
class HousePriced:
    file: str
    text: str
    house: str
    name: str
    like: str
    hash: str
    sign: str
    unit: str
    wagers: list[WagerPriced]
    rules: list[RuleView]


LANGUAGE, PRICED = TypeAdapter(Language), TypeAdapter(HousePriced)

# --- Strategies -----------------------------------------------------------------------------------------------------


@router.get("/strategies")
async def strategies(call: Calling) -> list[StrategyListed]:
    """The strategies that come with the program."""
    call.service.warm_lab()
    strategies = await call.run(strategies_of)
    return [view(StrategyListed, each, strategy=each.id, unit=str(each.unit)) for each in strategies]


@router.get("/strategies/{strategy}")
def strategy_file(strategy: str) -> StrategyView:
    """A strategy of the library: its file, its blocks, and what it does in words."""
    if strategy not in library():
        raise Problem(404, "strategy.unknown", f"There is no {strategy} in the library.")
    text = (files("passline.strategies") / "library" / f"{strategy}.toml").read_text(encoding="utf-8")
    return _strategy_view(File(file=f"{strategy}.toml", text=text))


@router.get("/strategy-files")
def strategy_language() -> Language:
    """What a strategy file may say, from the words it is read by: numbers, questions, amounts, moves, wagers."""
    return LANGUAGE.validate_python(described(booked_anywhere()))


MINE = {
    "file": "mine.toml",
    "blocks": {
        "name": "Mine",
        "description": "The line.",
        "want": [{"when": {"kind": "puck", "on": False}, "up": {"pass": 1}}],
    },
}


@router.post("/strategy-files")
def strategy_read(body: Annotated[File | Blocks, example("blocks", **MINE)]) -> StrategyView:
    """Read a strategy file into blocks, or write one from blocks; every fault with its line."""
    if isinstance(body, File):
        return _strategy_view(body)
    with faults(""):
        text = written(body.blocks, body.file)
    return _strategy_view(File.model_construct(file=body.file, text=text), text=text)


def _strategy_view(upload: File, **more: str) -> StrategyView:
    strategy = read_file(upload, **more)
    return StrategyView(
        file=upload.file,
        text=upload.text,
        blocks=cast("StrategyBlocks", blocks_of(tomllib.loads(upload.text), {each.name for each in strategy.counts})),
        name=strategy.name,
        hash=strategy.digest,
        in_words=in_words(strategy),
        houses=houses_for(strategy),
    )


# --- Houses ---------------------------------------------------------------------------------------------------------


@router.get("/houses/{house}/file")
def house_file(house: str, name: Annotated[str, Query(min_length=1, max_length=100)] = "My house") -> HouseFileView:
    """A new house, begun as a copy of this one under a name of yours, every section explained."""
    known_house(house)
    text = new_house(name, house)
    return HouseFileView(file=f"{tomllib.loads(text)['id']}.toml", text=text, like=house)


@router.post("/house-files")
def house_priced(
    call: Calling, body: Annotated[Edited, example("mine", file="mine.toml", text="…", like="adelaide")]
) -> HousePriced:
    """Every edge of a house file beside the house it is held against, once the changes are made in its text."""
    pricer = call.service.pricer
    if body.like not in built_in():
        raise no_house(422)
    with faults(body.text):
        text = in_full(body.text, body.file)
    if body.changes:
        with faults(text):
            pricer.read(body.file, text)
            text = changed(text, {tuple(change.path): change.value for change in body.changes}, body.file)
    with faults(text):
        priced = pricer.price(body.file, text, body.like)
    text = departing(text, body.like)
    rules = [rule._asdict() for rule in rules_of(text)]
    return PRICED.validate_python({"file": body.file, "text": text, **priced, "rules": rules})
