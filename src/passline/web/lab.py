"""The lab: strategies and their blocks, house files and what a change does to every edge, the analyst's questions."""

from __future__ import annotations

import secrets
import tomllib
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any, Literal, Required, cast

from fastapi import Query
from pydantic import ConfigDict, Field, TypeAdapter
from starlette.responses import Response
from typing_extensions import TypedDict  # Pydantic reads the one of `typing` from 3.12 on

from passline.answers import Chart, Sheet
from passline.errors import PasslineError
from passline.rulebooks.editing import Rule, changed, departing, new_house, rules_of
from passline.rulebooks.read import built_in, in_full
from passline.strategies.language.blocks import blocks_of, described, written
from passline.strategies.language.read import built_in as library
from passline.strategies.language.read import library as strategies_of
from passline.strategies.language.read import make
from passline.strategies.language.words import in_words
from passline.strategies.player.plan import booked_anywhere, houses_for
from passline.web.auth import Caller, Calling, Router
from passline.web.limits import Limits
from passline.web.problems import Problem, no_house
from passline.web.schemas import File, HouseGiven, RequestBody, Sign, example, record, view
from passline.web.subprocesses import WorkerProcess, faults, read_file
from passline.web.views import known_house

if TYPE_CHECKING:
    from passline.web.service import Service

router = Router(tags=["lab"])


Money = str | int | float  # an amount as a file says it: a number of units, or words such as `max` or `2x`


class Open(TypedDict, total=False):
    """What a page does not draw passes through it as it is."""

    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]


class Block(Open, total=False):
    """A condition, taken apart: its `kind`, and what that kind says."""

    kind: Required[str]
    on: bool
    what: str
    wager: str
    number: str
    of: str | int | None
    sign: str
    value: str
    values: list[int]
    part: Block
    parts: list[Block]


class Want(Open, total=False):
    when: Required[Block]
    up: dict[str, Money]
    down: list[str]
    on: list[str]
    off: list[str]
    skip: Literal["point"]


class Count(Open, total=False):
    when: Required[Block]
    reset: Block


class Progression(Open, total=False):
    of: Required[str]
    steps: str | list[Money]
    line: list[int]
    won: str
    lost: str
    end: str
    reset: Block
    goal: Money
    each: bool


class Ends(Open, total=False):
    rolls: int
    hands: int
    stop_win: Money
    stop_loss: Money
    when: Block


class StrategyBlocks(Open, total=False):
    """A strategy file's own tables, with every condition taken apart."""

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
    rules: list[Rule]


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
    blocks = blocks_of(tomllib.loads(upload.text), {each.name for each in strategy.counts})
    known = {"blocks": cast("StrategyBlocks", blocks), "name": strategy.name, "hash": strategy.digest}
    return view(StrategyView, upload, **known, in_words=in_words(strategy), houses=houses_for(strategy))


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
            pricer.price(body.file, text)
            text = changed(text, {tuple(change.path): change.value for change in body.changes}, body.file)
    with faults(text):
        priced = pricer.price(body.file, text, body.like)
    text = departing(text, body.like)
    return PRICED.validate_python({"file": body.file, "text": text, **priced, "rules": rules_of(text)})


# --- Questions: worked out in another process, one after the other, with a limit on everything ------------------------

KEPT_MAX, KEPT_EACH_MAX = 200, 8  # how many answers are kept, and how many of one person; the oldest goes first
# A question that has everything compiled; most who simulate watch some sessions, and count many.
WARMING = {"strategy": "pass_odds", "how": "simulate", "sessions": 5_000, "rolls": 20, "seed": 1}
WAIT_TIMES = 5  # how much longer than its processor time a question is waited for, on a busy machine
AGAINST_MAX = 3  # Strategies that one is held against

Whole = Annotated[int, Field(ge=1, le=10**9)]
Amount = Whole | Annotated[str, Field(pattern=r"^\d{1,9}([./]\d{1,6})?$", examples=["2.50"])]
Strategy = Annotated[
    Annotated[str, Field(max_length=60)] | File | dict[str, Any],
    Field(union_mode="left_to_right", description="Of the library, by its name; a file; or what a file would say."),
]


class QuestionBody(RequestBody):
    """What is asked about a strategy of the library, or one that is brought along."""

    strategy: Strategy
    # Others on the same dice; the first is held against each.
    against: Annotated[list[Strategy], Field(max_length=AGAINST_MAX, default_factory=list)]
    house: HouseGiven = "adelaide"
    how: Literal["exact", "simulate", "sweep"] = "exact"
    # For a sweep: what is changed, and its values, `5,10,25` or `100..500..100`.
    over: Annotated[dict[str, Annotated[str, Field(max_length=200)]], Field(max_length=3, default_factory=dict)]
    unit: Amount | None = None
    rolls: Annotated[int, Field(ge=1, le=2_000)] | None = None
    hands: Annotated[int, Field(ge=1, le=100)] | None = None
    bankroll: Amount | None = None
    stop_win: Amount | None = None
    stop_loss: Amount | None = None
    max_bet: Amount | None = None
    at_end: Literal["run-out", "face"] = "run-out"
    notice: Sign | None = None
    dice: Annotated[str, Field(max_length=400)] | None = None
    fractions: bool | None = None  # whether to insist on fractions, or on double precision; else whichever is quick
    sessions: Annotated[int, Field(ge=1, le=1_000_000)] = 100_000
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] | None = None


@record
class Result:
    """What came of one strategy: what the command prints, charts, and the values of its JSON but for its rows."""

    name: str
    page: list[str | Sheet]
    charts: list[Chart]
    values: dict[str, Any]


@record
class Answer:
    how: Literal["exact", "simulate", "sweep"]
    house: str
    house_name: str
    table: Sheet  # a row for each strategy, or for each setting of a sweep
    charts: list[Chart]  # of all strategies together, or of each figure of a sweep
    sentences: list[str]
    results: list[Result]
    pairs: Sheet | None = None  # each strategy less another, session by session
    strategy: str | None = None  # whose evenings a sweep is of
    seed: int | None = None
    commands: list[str]
    python: str


@dataclass(slots=True)
class QuestionView:
    question: str
    state: Literal["waiting", "working", "answered", "failed", "stopped"]
    done: int
    of: int
    doing: str  # what is done: `states`, `rolls`, `sessions`, `pairs` or `evenings`; of which strategy
    strategy: str
    answer: Answer | None
    error: str | None


ANSWER = TypeAdapter(Answer)


class Job:
    def __init__(self, name: str, person: str, request: QuestionBody) -> None:
        self.person, self.request = person, request
        self.view = QuestionView(name, "waiting", 0, 0, "", "", None, None)
        self.csv = b""  # the answer's rows, packed
        self.process: WorkerProcess | None = None

    @property
    def is_open(self) -> bool:
        return self.view.state in ("waiting", "working")


class Analyst:
    """Works on one question at a time, in a process that can be stopped."""

    def __init__(self, limits: Limits, process: str = "") -> None:
        """Nothing is asked; the names of questions begin with `process`, which is where their answers are."""
        self._limits, self._process = limits, process or secrets.token_hex(4)
        self._jobs, self._warming = dict[str, Job](), list[Job]()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="analyst")

    def ask(self, person: str, request: QuestionBody) -> Job:
        """Take a question, if there is room for it."""
        open_ = [job for job in self._jobs.values() if job.is_open]
        mine = [job for job in open_ if job.person == person]
        if len(mine) >= self._limits.questions_each_max or len(open_) >= self._limits.questions_max:
            raise Problem(429, "questions.limit", "Too many questions are open; wait for an answer.", retry_after_s=10)
        name = f"{self._process}.{secrets.token_hex(8)}"
        job = self._jobs[name] = Job(name, person, request)
        theirs = [old for old, each in self._jobs.items() if each.person == person]
        for old in {*list(self._jobs)[:-KEPT_MAX], *theirs[:-KEPT_EACH_MAX]}:
            if not self._jobs[old].is_open:
                del self._jobs[old]
        self._thread.submit(self._work, job)
        return job

    def warm(self) -> None:
        """Compile what a simulation needs before somebody asks for the first: that takes half a minute, once."""
        if not self._warming:
            self._warming.append(Job("", "", QuestionBody.model_validate(WARMING)))
            self._thread.submit(self._work, self._warming[0])

    def find(self, person: str, name: str) -> Job:
        job = self._jobs.get(name)
        process = name.partition(".")[0]
        if "." in name and process != self._process:
            detail = "Another process of this house was asked this, or one that is gone: go there, or ask again here."
            raise Problem(409, "question.elsewhere", detail, process=process, here=self._process)
        if job is None or job.person != person:
            raise Problem(404, "question.unknown", "You have asked no such question here.")
        return job

    def stop(self, job: Job) -> None:
        if job.is_open:
            job.view.state = "stopped"
            if job.process is not None:
                job.process.close()

    def close(self) -> None:
        for job in (*self._jobs.values(), *self._warming):
            self.stop(job)

    def _work(self, job: Job) -> None:
        from passline.web.answers import prepare, work

        view, seconds = job.view, self._limits.question_s
        if view.state != "waiting":
            return
        view.state = "working"
        job.process = WorkerProcess(prepare, seconds, seconds=WAIT_TIMES * seconds)

        def hear(*far: Any) -> None:  # noqa: ANN401 - numbers and words
            view.done, view.of, view.doing, view.strategy = far

        try:
            answer = job.process.ask(work, job.request.model_dump(), hear=hear) if job.is_open else None
            if answer is not None:
                view.answer, job.csv = ANSWER.validate_python(answer[0][0]), zlib.compress(answer[0][1].encode())
            else:
                most = f"more than {seconds:.0f} s of processor time, or too much memory, or the machine is too busy"
                view.error = f"It took {most}. Ask for fewer sessions, or have it worked out."
        except (PasslineError, Problem) as error:
            view.error = error.detail if isinstance(error, Problem) else str(error)
        finally:
            job.process.close()
            if job.is_open:
                view.state = "answered" if view.error is None else "failed"


@router.post("/questions", status_code=202)
async def ask_analyst(
    call: Calling,
    body: Annotated[QuestionBody, example("molly", strategy="three_point_molly", house="sydney", unit=10)],
) -> QuestionView:
    """Ask what strategies do to somebody's money; the answer is fetched when it is there."""
    if (body.how == "sweep") != bool(body.over) or (body.how == "sweep" and body.against):
        raise Problem(422, "body.unreadable", "A sweep, and nothing else, says `over`, and is of one strategy.")
    await call.run(_check, call.service, body)
    return call.service.analyst.ask(_owner(call), body).view


def _check(service: Service, request: QuestionBody) -> None:
    """Read everything that is brought along, so that a slip is told at once, and what the house's sign would refuse."""
    for strategy in (request.strategy, *request.against):
        if isinstance(strategy, File):
            read_file(strategy)
        elif isinstance(strategy, dict):
            make(strategy)
        elif strategy not in library():
            raise Problem(422, "strategy.unknown", f"There is no {strategy} in the library.")
    if isinstance(request.house, File):
        with faults(request.house.text):
            service.pricer.price(request.house.file, request.house.text)
    elif request.house not in built_in():
        raise no_house(422)
    else:  # one of ours is read in no time; a file of theirs is looked at where the question is worked out
        from passline.web.answers import Asking

        if small := Asking(request.model_dump()).too_small():
            message, (refusal, unit) = small
            raise Problem(422, refusal.code, message, clause=refusal.clause, unit=unit and str(unit))


def _owner(call: Caller) -> str:
    """Whose question it is; of those without a token, from where."""
    return call.actor.id if call.actor.person else f"from {call.actor.address}"


@router.get("/questions/{question}")
async def answer(call: Calling, question: str) -> QuestionView:
    """How far a question of yours is, and its answer."""
    return call.service.analyst.find(_owner(call), question).view


@router.get("/questions/{question}/rows", response_class=Response, responses={200: {"content": {"text/csv": {}}}})
async def rows(call: Calling, question: str) -> Response:
    """The rows of an answer as CSV: every net with its chance or its sessions, or a line for each setting."""
    job = call.service.analyst.find(_owner(call), question)
    if job.view.state != "answered":
        raise Problem(404, "question.open", "There is no answer yet.")
    named = {"Content-Disposition": f'attachment; filename="{job.request.how}.csv"'}
    return Response(zlib.decompress(job.csv), headers=named, media_type="text/csv; charset=utf-8")


@router.delete("/questions/{question}", status_code=204)
async def let_be(call: Calling, question: str) -> None:
    """Let a question of yours be."""
    analyst = call.service.analyst
    analyst.stop(analyst.find(_owner(call), question))
