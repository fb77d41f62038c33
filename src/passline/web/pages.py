"""The browser table: one page and its files, as `scripts/browser` built them; who wants JSON at `/` gets the index."""

import gzip
import hashlib
from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple

from fastapi import Header, Request
from starlette.responses import Response

from passline import __version__
from passline.web.auth import Router
from passline.web.problems import Problem
from passline.web.schemas import record

router = Router(tags=["house"])

BUILT = Path(__file__).with_name("page")  # what the browser is sent; `scripts/browser` writes it

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
# What our page may do in a browser: nothing but what we sent it.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)

A_YEAR_S = 365 * 86_400


@record
class Welcome:
    passline: str
    routes: dict[str, str]


class File(NamedTuple):
    kind: str
    plain: bytes
    packed: bytes | None  # Compressed, where that is shorter


@cache
def built() -> tuple[str, dict[str, File]]:
    """Every file of the page by its name, and the version of them all, which stands in their addresses."""
    files = {str(path.relative_to(BUILT).as_posix()): path.read_bytes() for path in sorted(BUILT.rglob("*.*"))}
    version = hashlib.sha256(b"".join(name.encode() + text for name, text in files.items())).hexdigest()[:12]
    files["index.html"] = files["index.html"].replace(b'"./', f'"/page/{version}/'.encode())
    return version, {name: file(Path(name).suffix, text) for name, text in files.items()}


def file(suffix: str, plain: bytes) -> File:
    packed = gzip.compress(plain, 9, mtime=0)
    return File(KINDS[suffix], plain, packed if len(packed) < len(plain) else None)


def send(request: Request, file: File, caching: str = "") -> Response:
    """A file, compressed for whoever reads that; with `caching`, one of the page's."""
    body, headers = file.plain, {"Vary": "Accept-Encoding, Accept"}
    if caching:
        headers |= {"Content-Security-Policy": POLICY, "Cache-Control": caching}
    if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["Content-Encoding"] = file.packed, "gzip"
    return Response(body, media_type=file.kind, headers=headers)


@router.get("/", response_model=Welcome)
async def welcome(request: Request, accept: Annotated[str, Header()] = "") -> Welcome | Response:
    """The table in a browser; for programs, what this is and where to go on."""
    if "text/html" in accept:
        return send(request, built()[1]["index.html"], "no-cache")
    first = {"practice": "POST /practice", "lobby": "GET /lobby", "houses": "GET /houses", "all": "GET /openapi.json"}
    return Welcome(passline=__version__, routes=first)


@router.get("/page/{version}/{name:path}", response_class=Response, include_in_schema=False)
async def page_file(request: Request, version: str, name: str) -> Response:
    """A file of the page; an older version's are gone, and the page is loaded again."""
    known, files = built()
    if version != known or name not in files:
        raise Problem(404, "page.unknown", "There is no such file of the page: load the page again.")
    return send(request, files[name], f"public, max-age={A_YEAR_S}, immutable")
