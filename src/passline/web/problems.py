"""What goes wrong, as problem details (RFC 9457): a refusal has its code, its sentence and its clause."""

from __future__ import annotations

import json
import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from passline import errors as e
from passline.errors import PasslineError
from passline.journal.contract import Entry
from passline.rulebooks.read import built_in
from passline.telling.sentences import to_you

if TYPE_CHECKING:
    from passline.live.people import Permission

LOG = logging.getLogger("passline.web")
KIND = "application/problem+json"
RETRY_S = 1
INSTANCE_MAX = 200  # how much of a request's path its problem repeats


class Problem(HTTPException):
    def __init__(self, status: int, code: str, detail: str, *, closes: bool = False, **more: Any) -> None:  # noqa: ANN401 - whatever a program wants to know
        """Keep the parts; one that `closes` ends the connection, too."""
        headers = {"Retry-After": str(more["retry_after_s"])} if "retry_after_s" in more else {}
        if status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        if closes:
            headers["Connection"] = "close"
        super().__init__(status, detail, headers)
        self.code, self.more = code, more

    def answer(self, instance: str) -> Response:
        body = {
            "type": f"urn:passline:problem:{self.code}",
            "title": HTTPStatus(self.status_code).phrase,
            "status": self.status_code,
            "detail": self.detail,
            "instance": instance[:INSTANCE_MAX],
            "code": self.code,
            **self.more,
        }
        return Response(json.dumps(body), self.status_code, self.headers, media_type=KIND)


# Refusals that say who may not, rather than what cannot be.
FORBIDDEN = frozenset(
    ("person.own", "person.other", "person.barred", "person.title", "table.confirmed_by", "table.other_seat")
)


def refused(entry: Entry) -> Problem:
    """What the table said no to; it is in the journal, and asked again it is the same."""
    no = entry.body["refusal"]
    status = 403 if no["code"] in FORBIDDEN else 409
    where: dict[str, Any] = {"table": entry.table, "sequence": entry.sequence}
    message = to_you(no["message"], no["seat"]) if entry.role == "player" else no["message"]
    return Problem(status, no["code"], message, clause=no["clause"], seat=no["seat"], **where)


def store_away() -> Problem:
    return Problem(503, "store.away", "The store does not answer. Try again.", retry_after_s=2)


def too_many(what: str, wait: int) -> Problem:
    return Problem(429, "rate.limit", f"Too many {what}; ask again in {wait} s.", retry_after_s=wait)


def no_table() -> Problem:
    """A table that is not there; of one that somebody may not see they do not learn whether it is."""
    return Problem(404, "table.unknown", "There is no such table, or it is not yours to see.")


def no_house(status: int = 404) -> Problem:
    return Problem(status, "house.unknown", f"The houses here are {', '.join(built_in())}.")


def no_permission(permission: Permission) -> Problem:
    return Problem(403, "permission.missing", f"Not with your role. {permission.says}", permission=permission.name)


def excessive() -> Problem:
    detail = "The body is nested too deeply, has too long a number, or is no UTF-8."
    return Problem(400, "body.excessive", detail)


def no_approval() -> Problem:
    return Problem(403, "approval.missing", "Two people decide this: send a second person's approval.")


# How an error of ours is answered; the first that fits.
BY_ERROR: tuple[tuple[type[PasslineError], int, str], ...] = (
    (e.CodecError, 422, "body.unreadable"),
    (e.CalledError, 422, "name.unfit"),
    (e.ArgumentError, 422, "body.unreadable"),
    (e.HouseFileError, 422, "house.unreadable"),
    (e.UnknownClauseError, 404, "clause.unknown"),
    (e.ChanceError, 422, "body.unreadable"),
    (e.KeyTakenError, 409, "key.taken"),
    (e.OverdrawnError, 409, "table.short_wallet"),
    (e.LiveTableError, 409, "table.over"),
    (e.RoleError, 403, "approval.role"),
    (e.PeopleError, 409, "people.no"),
    (e.NoRecordError, 409, "record.no"),
    (e.BehindError, 503, "journal.behind"),
    (e.BusyError, 503, "journal.busy"),
    (e.FencedError, 503, "journal.taken_over"),
    (e.FullError, 503, "journal.full"),
    (e.InDoubtError, 503, "journal.in_doubt"),
    (e.JournalError, 503, "journal.broken"),
)


def of_error(error: PasslineError) -> Problem:
    """An error of ours as a problem; what only we should know is not told."""
    if isinstance(error, e.AwayError):
        return store_away()
    for kind, status, code in BY_ERROR:
        if isinstance(error, kind):
            if status == HTTPStatus.SERVICE_UNAVAILABLE:
                LOG.warning("the journal was not written", extra={"code": code, "error": str(error)})
                return Problem(status, code, "The journal cannot be written now. Ask again.", retry_after_s=RETRY_S)
            return Problem(status, code, str(error))
    return Problem(422, "question.no", str(error))


def problem_of(error: Exception, path: str) -> Problem:
    if isinstance(error, Problem):
        return error
    if isinstance(error, PasslineError):
        return of_error(error)
    LOG.error("failed", exc_info=error, extra={"path": path})
    detail = "Something broke here that should not have. It was written down; nothing of yours is lost."
    return Problem(500, "service.broken", detail)


def add_to(app: FastAPI) -> None:
    def answer(request: Request, problem: Problem) -> Response:
        request.state.code = problem.code  # for the log
        return problem.answer(request.url.path)

    async def on_error(request: Request, error: Exception) -> Response:
        return answer(request, problem_of(error, request.url.path))

    async def on_body(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        faults = [(".".join(map(str, each["loc"])), str(each["msg"])[:200]) for each in error.errors()[:10]]
        wrong = [{"where": where, "expected": expected} for where, expected in faults]
        first = f"{wrong[0]['where']}: {wrong[0]['expected']}" if wrong else "The request cannot be read."
        return answer(request, Problem(422, "body.unreadable", first, errors=wrong))

    async def on_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        known = {404: ("route.unknown", "There is nothing at this address."), 405: ("route.method", "Not this method.")}
        code, detail = known.get(error.status_code, ("http", str(error.detail)))
        problem = excessive() if error.status_code == 400 else Problem(error.status_code, code, detail)
        response = answer(request, problem)
        response.headers.update(error.headers or {})
        return response

    app.add_exception_handler(Problem, on_error)
    app.add_exception_handler(PasslineError, on_error)
    app.add_exception_handler(RequestValidationError, on_body)
    app.add_exception_handler(HTTPException, on_http)
    app.add_exception_handler(Exception, on_error)
