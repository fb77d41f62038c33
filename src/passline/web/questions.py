"""The analyst's questions: worked out in another process, one after the other, with a limit on everything."""

from __future__ import annotations

import asyncio
import secrets
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, TypeAdapter
from starlette.responses import Response

from passline.answers import Chart, Sheet
from passline.rulebooks.read import built_in
from passline.strategies.language.read import built_in as library
from passline.strategies.language.read import make
from passline.web.auth import Caller, Calling, Router
from passline.web.limits import Limits
from passline.web.problems import Problem, no_house
from passline.web.schemas import File, HouseGiven, RequestBody, Sign, example, record
from passline.web.uploads import faults, read_file

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from passline.web.service import Service

router = Router(tags=["analyst"])

KEPT_MAX = 200  # Answers that are kept; the oldest goes first

# A question that has everything compiled; most who simulate watch some sessions, and count many.
WARMING = {"strategy": "pass_odds", "how": "simulate", "sessions": 5_000, "rolls": 20, "seed": 1}

WAIT_TIMES = 5  # how much longer than its processor time a question is waited for, on a busy machine
KEPT_EACH_MAX = 8  # Answers of one person that are kept
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


@dataclass(slots=True)
class Job:
    person: str
    request: QuestionBody
    view: QuestionView
    csv: bytes = field(default=b"", repr=False)  # the answer's rows, packed
    process: SpawnProcess | None = field(default=None, repr=False)

    @classmethod
    def of(cls, name: str, person: str, request: QuestionBody) -> Job:
        return cls(person, request, QuestionView(name, "waiting", 0, 0, "", "", None, None))

    @property
    def is_open(self) -> bool:
        return self.view.state in ("waiting", "working")


class Analyst:
    """Works on one question at a time, in a process that can be stopped."""

    def __init__(self, limits: Limits, process: str = "") -> None:
        """Nothing is asked; the names of questions begin with `process`, which is where their answers are."""
        self._limits, self._process = limits, process or secrets.token_hex(4)
        self._jobs: dict[str, Job] = {}
        self._turn, self._warmed = asyncio.Lock(), False
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, person: str, request: QuestionBody) -> Job:
        """Take a question, if there is room for it."""
        open_ = [job for job in self._jobs.values() if job.is_open]
        mine = [job for job in open_ if job.person == person]
        if len(mine) >= self._limits.questions_each_max or len(open_) >= self._limits.questions_max:
            raise Problem(429, "questions.limit", "Too many questions are open; wait for an answer.", retry_after_s=10)
        name = f"{self._process}.{secrets.token_hex(8)}"
        job = self._jobs[name] = Job.of(name, person, request)
        theirs = [old for old, each in self._jobs.items() if each.person == person]
        for old in {*list(self._jobs)[:-KEPT_MAX], *theirs[:-KEPT_EACH_MAX]}:
            if not self._jobs[old].is_open:
                del self._jobs[old]
        self._begin(job)
        return job

    def warm(self) -> None:
        """Compile what a simulation needs before somebody asks for the first: that takes half a minute, once."""
        if not self._warmed:
            self._warmed = True
            self._begin(Job.of("", "", QuestionBody.model_validate(WARMING)))

    def _begin(self, job: Job) -> None:
        task = asyncio.create_task(self._work(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

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
                job.process.kill()

    def close(self) -> None:
        for job in self._jobs.values():
            self.stop(job)

    async def _work(self, job: Job) -> None:
        async with self._turn:
            if job.view.state == "waiting":
                job.view.state = "working"
                await asyncio.get_running_loop().run_in_executor(None, self._ask_process, job)

    def _ask_process(self, job: Job) -> None:
        """Start a process, hear how far it is, and stop it when it takes too long."""
        from multiprocessing import get_context

        from passline.web.answers import work

        context = get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(
            target=work, args=(theirs, job.request.model_dump(), self._limits.question_s), daemon=True
        )
        process.start()
        job.process, view = process, job.view
        if view.state == "stopped":  # while it was being started
            process.kill()
        theirs.close()
        try:
            while ours.poll(WAIT_TIMES * self._limits.question_s):  # its own limit is of processor time
                kind, *message = ours.recv()
                if kind == "progress":
                    view.done, view.of, view.doing, view.strategy = message
                    continue
                if kind == "answer" and view.state == "working":
                    view.answer, job.csv = ANSWER.validate_python(message[0]), zlib.compress(message[1].encode())
                    view.state = "answered"
                elif view.state == "working":
                    view.state, view.error = "failed", message[0]
                return
            view.error = "The machine is too busy to answer. Ask for fewer sessions, or have it worked out exactly."
        except (EOFError, OSError):
            most = f"{self._limits.question_s:.0f} s of processor time"
            view.error = f"It took more than {most}, or too much memory. Ask for fewer sessions, or have it worked out."
        finally:
            if view.state == "working":
                view.state = "failed"
            process.kill()
            process.join()
            ours.close()


# --- Routes ---------------------------------------------------------------------------------------------------------


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
            service.pricer.read(request.house.file, request.house.text)
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
