"""What a request brings and what an answer is made of: keys and assents; JSON, entries, cookies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Header, Request
from starlette.background import BackgroundTask
from starlette.responses import JSONResponse, Response

from passline.journal.entries import read_entry
from passline.web.problems import refused
from passline.web.who import SECURE_COOKIE, cookie_of

if TYPE_CHECKING:
    from passline.web.service import Service

Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=120,
        pattern=r"^[!-~]+$",
        description="Your name for this act: sent again under it, it is done once and answered the same.",
        examples=["6c1e2a0c-1"],
    ),
]
Assent = Annotated[
    str | None, Header(alias="Second-Person", max_length=200, description="The assent of a second person.")
]


def service_of(request: Request) -> Service:
    """The service that this app is."""
    found: Service = request.app.state.service
    return found


def said_json(told: object, status: int = 200) -> JSONResponse:
    """An answer that nobody keeps."""
    return JSONResponse(told, status, {"Cache-Control": "no-store"})


def said_entry(service: Service, kind: str, line: bytes, after: BackgroundTask | None = None) -> Response:
    """The entry that answers an act, byte for byte as it is kept; a refusal is raised as the problem that it is."""
    entry = read_entry(line)
    service.metrics.acts.labels(kind, entry.kind).inc()
    if entry.kind == "refused":
        raise refused(entry)
    return Response(line, media_type="application/json", headers={"Cache-Control": "no-store"}, background=after)


def with_cookie(request: Request, answer: Response, token: str) -> Response:
    """The token as a cookie too, for browsers, whose event streams carry no header."""
    if token:
        name = cookie_of(request)
        secure = name == SECURE_COOKIE
        answer.set_cookie(name, token, max_age=7 * 86_400, httponly=True, samesite="lax", secure=secure)
    return answer
