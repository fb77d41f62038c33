"""The analyst's questions: worked out in another process, one after the other, with a limit on everything."""

from __future__ import annotations

import asyncio
import multiprocessing
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Body, Request
from pydantic import Field
from starlette.responses import Response

from passline.rulebooks.read import built_in
from passline.web import models as m
from passline.web.problems import Problem
from passline.web.tables import said_json, service_of
from passline.web.who import asker_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from passline.web.limits import Limits

router = APIRouter(tags=["analyst"])

KEPT_MAX = 200
"""Answers that are kept; the oldest goes first."""

MEMORY_BYTES_MAX = 4 * 2**30
Whole = Annotated[int, Field(ge=1, le=10**9)]


class Asked(m.Asked):
    """What is asked about a strategy of the library, or one said as its file would say it."""

    strategy: Annotated[str, Field(max_length=60)] | dict[str, Any]
    house: Annotated[str, Field(max_length=40)] = "adelaide"
    how: Literal["exact", "simulate"] = "exact"
    unit: Annotated[int, Field(ge=1, le=10**6)] | None = None
    rolls: Annotated[int, Field(ge=1, le=2_000)] | None = None
    bankroll: Whole | None = None
    stop_win: Whole | None = None
    stop_loss: Whole | None = None
    notice: m.Sign | None = None
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
    answer: dict[str, Any] | None = None
    error: str | None = None
    process: SpawnProcess | None = field(default=None, repr=False)

    def told(self) -> dict[str, Any]:
        """How it stands."""
        told = {"question": self.id, "state": self.state, "done": self.done, "of": self.of}
        return {**told, "answer": self.answer, "error": self.error}


class Analyst:
    """Works on one question at a time, in a process that can be stopped."""

    def __init__(self, limits: Limits) -> None:
        """Nothing is asked."""
        self._limits = limits
        self._jobs: dict[str, Job] = {}
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, person: str, asked: Asked) -> Job:
        """Take a question, if there is room for it."""
        open_ = [job for job in self._jobs.values() if job.state in ("waiting", "working")]
        mine = [job for job in open_ if job.person == person]
        if len(mine) >= self._limits.questions_each_max or len(open_) >= self._limits.questions_max:
            raise Problem(429, "questions.limit", "Too many questions are open; wait for an answer.", retry_after_s=10)
        job = Job(secrets.token_hex(8), person, asked)
        self._jobs[job.id] = job
        for old in list(self._jobs)[:-KEPT_MAX]:
            if self._jobs[old].state not in ("waiting", "working"):
                del self._jobs[old]
        task = asyncio.create_task(self._work(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    def find(self, person: str, name: str) -> Job:
        """Somebody's own question."""
        job = self._jobs.get(name)
        if job is None or job.person != person:
            raise Problem(404, "question.unknown", "You have asked no such question here.")
        return job

    def stop(self, job: Job) -> None:
        """Let a question be."""
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
        job.process = context.Process(
            target=work, args=(theirs, job.asked.model_dump(), self._limits.question_s), daemon=True
        )
        job.process.start()
        theirs.close()
        try:
            while ours.poll(self._limits.question_s):
                kind, *said = ours.recv()
                if kind == "progress":
                    job.done, job.of = said
                    continue
                if kind == "answer" and job.state == "working":
                    job.state, job.answer = "answered", said[0]
                elif job.state == "working":
                    job.state, job.error = "failed", said[0]
                return
            job.error = f"no answer within {self._limits.question_s:.0f} s"
        except (EOFError, OSError):
            job.error = "the analyst was stopped: it took too long, or too much memory"
        finally:
            if job.state == "working":
                job.state = "failed"
            job.process.kill()
            job.process.join()
            ours.close()


def work(to: Connection, asked: dict[str, Any], seconds: float) -> None:
    """Work a question out; in a process of its own, which has no keys and no journal."""
    import resource

    from passline.analysis.question import ask
    from passline.errors import PasslineError

    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    how, sessions, seed = (asked.pop(name) for name in ("how", "sessions", "seed"))
    try:
        question = ask(**asked)
        if how == "exact":
            found = question.exact(progress=lambda done, of: to.send(("progress", done, of)))
            to.send(("answer", found.to_json(distribution=True)))
        else:
            sample = question.simulate(sessions=sessions, seed=seed, threads=1)
            to.send(("answer", sample.to_json()))
    except (PasslineError, MemoryError) as error:
        to.send(("error", str(error) or "too much memory"))


# --- Routes ---------------------------------------------------------------------------------------------------------


@router.post("/questions", status_code=202, responses={202: {"model": m.Free}})
async def ask_analyst(
    request: Request,
    asked: Annotated[
        Asked,
        Body(openapi_examples={"molly": {"value": {"strategy": "three_point_molly", "house": "sydney", "unit": 10}}}),
    ],
) -> Response:
    """Ask what a strategy does to somebody's money; the answer is fetched when it is there."""
    from passline.strategies.language.read import built_in as library

    if isinstance(asked.strategy, str) and asked.strategy not in library():
        raise Problem(422, "strategy.unknown", f"There is no {asked.strategy} in the library.")
    if asked.house not in built_in():
        raise Problem(422, "house.unknown", f"The houses here are {', '.join(built_in())}.")
    job = service_of(request).analyst.ask(asker_of(request).id, asked)
    return said_json(job.told(), 202)


@router.get("/questions/{question}", responses={200: {"model": m.Free}})
async def answer(request: Request, question: str) -> Response:
    """How far a question of yours is, and its answer."""
    return said_json(service_of(request).analyst.find(asker_of(request).id, question).told())


@router.delete("/questions/{question}", status_code=204, response_class=Response)
async def let_be(request: Request, question: str) -> Response:
    """Let a question of yours be."""
    analyst = service_of(request).analyst
    analyst.stop(analyst.find(asker_of(request).id, question))
    return Response(status_code=204)
