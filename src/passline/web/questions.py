"""The analyst's questions: worked out in another process, one after the other, with a limit on everything."""

from __future__ import annotations

import asyncio
import multiprocessing
import secrets
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Body, Request
from pydantic import Field
from starlette.responses import Response

from passline.rulebooks.read import built_in
from passline.web import models as m
from passline.web.answers import Asking, work
from passline.web.brought import faults, read_file
from passline.web.exchange import said_json, service_of
from passline.web.limits import Limits
from passline.web.problems import Problem, no_house
from passline.web.shapes import QuestionView
from passline.web.who import asker_of

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from passline.web.service import Service

router = APIRouter(tags=["analyst"])

KEPT_MAX = 200
"""Answers that are kept; the oldest goes first."""

KEPT_EACH_MAX = 8
"""Answers of one person that are kept."""

AGAINST_MAX = 3
"""Strategies that one is held against."""

Whole = Annotated[int, Field(ge=1, le=10**9)]
Amount = Whole | Annotated[str, Field(pattern=r"^\d{1,9}([./]\d{1,6})?$", examples=["2.50"])]
Strategy = Annotated[
    Annotated[str, Field(max_length=60)] | m.File | dict[str, Any],
    Field(union_mode="left_to_right", description="Of the library, by its name; a file; or what a file would say."),
]


class Asked(m.Asked):
    """What is asked about a strategy of the library, or one that is brought along."""

    strategy: Strategy
    against: Annotated[list[Strategy], Field(max_length=AGAINST_MAX, default_factory=list)]
    """Others on the same dice; the first is held against each."""
    house: m.HouseGiven = "adelaide"
    how: Literal["exact", "simulate", "sweep"] = "exact"
    over: Annotated[dict[str, Annotated[str, Field(max_length=200)]], Field(max_length=3, default_factory=dict)]
    """For a sweep: what is changed, and its values, `5,10,25` or `100..500..100`."""
    unit: Amount | None = None
    rolls: Annotated[int, Field(ge=1, le=2_000)] | None = None
    hands: Annotated[int, Field(ge=1, le=100)] | None = None
    bankroll: Amount | None = None
    stop_win: Amount | None = None
    stop_loss: Amount | None = None
    max_bet: Amount | None = None
    at_end: Literal["run-out", "face"] = "run-out"
    notice: m.Sign | None = None
    dice: Annotated[str, Field(max_length=400)] | None = None
    fractions: bool | None = None
    """Whether to insist on fractions, or on double precision; else whichever is quick."""
    sessions: Annotated[int, Field(ge=1, le=1_000_000)] = 100_000
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] | None = None


@dataclass(slots=True)
class Job:
    """One question on its way to an answer."""

    id: str
    person: str
    asked: Asked
    state: Literal["waiting", "working", "answered", "failed", "stopped"] = "waiting"
    done: int = 0
    of: int = 0
    doing: str = ""
    """What is done: `states`, `rolls`, `sessions`, `pairs` or `evenings`."""
    strategy: str = ""
    """Of which strategy."""
    answer: dict[str, Any] | None = None
    csv: bytes = field(default=b"", repr=False)
    """The answer's rows, packed."""
    error: str | None = None
    process: SpawnProcess | None = field(default=None, repr=False)

    def told(self) -> dict[str, Any]:
        told = {"question": self.id, "state": self.state, "done": self.done, "of": self.of, "doing": self.doing}
        return {**told, "strategy": self.strategy, "answer": self.answer, "error": self.error}


class Analyst:
    """Works on one question at a time, in a process that can be stopped."""

    def __init__(self, limits: Limits, process: str = "") -> None:
        """Nothing is asked; the names of questions begin with `process`, which is where their answers are."""
        self._limits, self._process = limits, process or secrets.token_hex(4)
        self._jobs: dict[str, Job] = {}
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, person: str, asked: Asked) -> Job:
        """Take a question, if there is room for it."""
        open_ = [job for job in self._jobs.values() if job.state in ("waiting", "working")]
        mine = [job for job in open_ if job.person == person]
        if len(mine) >= self._limits.questions_each_max or len(open_) >= self._limits.questions_max:
            raise Problem(429, "questions.limit", "Too many questions are open; wait for an answer.", retry_after_s=10)
        job = Job(f"{self._process}.{secrets.token_hex(8)}", person, asked)
        self._jobs[job.id] = job
        theirs = [old for old, each in self._jobs.items() if each.person == person]
        for old in {*list(self._jobs)[:-KEPT_MAX], *theirs[:-KEPT_EACH_MAX]}:
            if self._jobs[old].state not in ("waiting", "working"):
                del self._jobs[old]
        task = asyncio.create_task(self._work(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

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
        if job.state in ("waiting", "working"):
            job.state = "stopped"
            if job.process is not None:
                job.process.kill()

    def close(self) -> None:
        """Let all of them be."""
        for job in self._jobs.values():
            self.stop(job)

    async def _work(self, job: Job) -> None:
        async with self._turn:
            if job.state == "waiting":
                job.state = "working"
                await asyncio.get_running_loop().run_in_executor(None, self._ask_process, job)

    def _ask_process(self, job: Job) -> None:
        """Start a process, hear how far it is, and stop it when it takes too long."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(
            target=work, args=(theirs, job.asked.model_dump(), self._limits.question_s), daemon=True
        )
        process.start()
        job.process = process
        if job.state == "stopped":  # while it was being started
            process.kill()
        theirs.close()
        try:
            while ours.poll(self._limits.question_s):
                kind, *said = ours.recv()
                if kind == "progress":
                    job.done, job.of, job.doing, job.strategy = said
                    continue
                if kind == "answer" and job.state == "working":
                    job.answer, job.csv = said[0], zlib.compress(said[1].encode())
                    job.state = "answered"
                elif job.state == "working":
                    job.state, job.error = "failed", said[0]
                return
            job.error = f"no answer within {self._limits.question_s:.0f} s"
        except (EOFError, OSError):
            job.error = "the analyst was stopped: it took too long, or too much memory"
        finally:
            if job.state == "working":
                job.state = "failed"
            process.kill()
            process.join()
            ours.close()


# --- Routes ---------------------------------------------------------------------------------------------------------


@router.post("/questions", status_code=202, responses={202: {"model": QuestionView}})
async def ask_analyst(
    request: Request,
    asked: Annotated[
        Asked,
        Body(openapi_examples={"molly": {"value": {"strategy": "three_point_molly", "house": "sydney", "unit": 10}}}),
    ],
) -> Response:
    """Ask what strategies do to somebody's money; the answer is fetched when it is there."""
    service = service_of(request)
    if (asked.how == "sweep") != bool(asked.over) or (asked.how == "sweep" and asked.against):
        raise Problem(422, "body.unreadable", "A sweep, and nothing else, says `over`, and is of one strategy.")
    await service.run(_check, service, asked)
    return said_json(service.analyst.ask(who(request), asked).told(), 202)


def _check(service: Service, asked: Asked) -> None:
    """Read everything that is brought along, so that a slip is told at once."""
    from passline.strategies.language.read import built_in as library
    from passline.strategies.language.read import make

    for strategy in (asked.strategy, *asked.against):
        if isinstance(strategy, m.File):
            read_file(strategy)
        elif isinstance(strategy, dict):
            make(strategy)
        elif strategy not in library():
            raise Problem(422, "strategy.unknown", f"There is no {strategy} in the library.")
    if isinstance(asked.house, m.File):
        with faults(asked.house.text):
            service.pricer.read(asked.house.file, asked.house.text)
    elif asked.house not in built_in():
        raise no_house(422)
    else:  # one of ours is read in no time; a file of theirs is looked at where the question is worked out
        _check_unit(asked)


def _check_unit(asked: Asked) -> None:
    """Refuse at once what the house's sign would refuse."""
    if small := Asking(asked.model_dump()).too_small():
        said, (refusal, unit) = small
        raise Problem(422, refusal.code, said, clause=refusal.clause, unit=unit and str(unit))


def who(request: Request) -> str:
    """Whose question it is; of those without a token, from where."""
    asker = asker_of(request)
    return asker.id if asker.person else f"from {asker.address}"


@router.get("/questions/{question}", responses={200: {"model": QuestionView}})
async def answer(request: Request, question: str) -> Response:
    """How far a question of yours is, and its answer."""
    return said_json(service_of(request).analyst.find(who(request), question).told())


@router.get("/questions/{question}/rows", response_class=Response, responses={200: {"content": {"text/csv": {}}}})
async def rows(request: Request, question: str) -> Response:
    """The rows of an answer as CSV: every net with its chance or its sessions, or a line for each setting."""
    job = service_of(request).analyst.find(who(request), question)
    if job.state != "answered":
        raise Problem(404, "question.open", "There is no answer yet.")
    named = {"Content-Disposition": f'attachment; filename="{job.asked.how}.csv"', "Cache-Control": "no-store"}
    return Response(zlib.decompress(job.csv), headers=named, media_type="text/csv; charset=utf-8")


@router.delete("/questions/{question}", status_code=204, response_class=Response)
async def let_be(request: Request, question: str) -> Response:
    """Let a question of yours be."""
    analyst = service_of(request).analyst
    analyst.stop(analyst.find(who(request), question))
    return Response(status_code=204)
