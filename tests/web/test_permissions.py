"""Every cell of the matrix by HTTP: each kind of asker at each route and each act, at one's own table and another's."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from passline.live.people import FILE, of_act
from passline.pit.people import page
from passline.web.acts import COMMANDS
from passline.web.app import routes
from tests.web.scene import ANYONE, ASKERS, GUEST, HOUSE, KINDS, OUTSIDE, Right, Scene, body_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

pytestmark = pytest.mark.slow

MATRIX: dict[str, dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["permission"]


def table_of(kind: str) -> str:
    """Each act has a table of its own: what one does is in no other's way."""
    return f"act-{kind.replace('.', '-')}"


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """A pit with somebody of every kind."""
    found = Scene(tmp_path)
    with found.server.closing():
        yield found


def reaches(rows: dict[str, Any], asker: str, table: str | None) -> bool:
    """What the file says of an asker, worked out here by hand."""
    if ANYONE in rows:
        return True
    if asker == ANYONE:
        return False
    if table is None:
        held = {"player", asker if asker in HOUSE else "player"}
    elif asker in HOUSE:
        held = {asker}
    elif asker == "host":
        held = {"box", "player"} if table in ("own", "other") else set()
    else:
        held = {"player" if asker == GUEST else asker} if table != "other" and asker != "stranger" else set()
    sits = asker == "player" and table != "other"
    reach = {rows.get(each) for each in held}
    return bool(reach & {"table", "any"}) or ("seat" in reach and (sits or table is None))


def why_not(asker: str, table: str | None) -> tuple[int, str]:
    """How somebody is turned away who may not: of what they may not see they do not learn whether it is there."""
    if asker == ANYONE:
        return 401, "token.missing"
    if table is not None and not reaches(MATRIX["watch"], asker, table):
        return 404, "table.unknown"
    return 403, "permission.missing"


def told(answer: httpx.Response) -> tuple[int, str]:
    """Status and code."""
    problem = answer.headers.get("content-type", "").startswith("application/problem+json")
    return answer.status_code, answer.json()["code"] if problem else ""


NO_SUCH_ACT = (
    ("inspector", "POST /tables/{table}/acts"),
    ("administrator", "POST /floor/approvals"),
    ("cashier", "POST /floor/approvals"),
    ("cashier", "POST /tables/{table}/acts"),
    ("cashier", "POST /tables/{table}/approvals"),
)
"""Who comes by a route, and may not do what is asked there: an inspector decides disputes, and no more."""


def test_each_asker_comes_by_the_routes_that_are_theirs(scene: Scene) -> None:
    """With a right request: who may is answered, who may not is turned away, at one's own table and at another."""
    for asker in (*ASKERS, *OUTSIDE):  # one after the other at the same tables: what one does the next finds
        comes_by_the_routes(scene, asker)


def comes_by_the_routes(scene: Scene, asker: str) -> None:
    cells = 0
    for route in routes():
        (rows,) = [rows for rows in MATRIX.values() if route in rows.get("routes", ())]
        for table in ("own", "other") if "{table}" in route else (None,):
            answer = scene.send(asker, scene.request(asker, route, table or "own"))
            if (asker, route) in NO_SUCH_ACT:
                assert told(answer) == (403, "permission.missing"), asker
            elif route == "GET /questions/{question}/rows" and asker != ANYONE:  # the question is somebody else's
                assert told(answer) == (404, "question.unknown"), asker
            elif reaches(rows, asker, table):
                sent = f"{asker}, {route}, {table}: is its request in tests/web/scene.py a right one? {told(answer)}"
                refused = route.endswith("/acts") and answer.status_code == 409 and "sequence" in answer.json()
                stands = route.endswith("/talk") and asker != "player" and told(answer) == (409, "seat.none")
                assert refused or stands or 200 <= answer.status_code < 300, sent
            else:
                assert told(answer) == why_not(asker, table), (asker, route, table)
            cells += 1
    assert cells >= len(routes()) + 10


def test_each_asker_asks_a_table_for_what_is_theirs(tmp_path: Path) -> None:
    """Every act there is, where one works and elsewhere: done or refused by the house, or turned away, and read."""
    scene = Scene(tmp_path, [table_of(kind) for kind in KINDS])
    with scene.server.closing():
        for asker in (*ASKERS, *OUTSIDE):
            asks_for_every_act(scene, asker)


def asks_for_every_act(scene: Scene, asker: str) -> None:
    elsewhere = list(KINDS) if reaches(MATRIX["ask"], asker, "other") else ["command.sit"]  # else no act is looked at
    for kind in sorted(KINDS, key=lambda kind: kind == "command.sit"):  # whoever sits is a player from then on
        rows = MATRIX[of_act(kind).name]
        for table in (table_of(kind), *(["other"] if kind in elsewhere else [])):
            path = f"/tables/{table}/acts"
            body = body_of(kind, asker)
            answer = scene.send(asker, Right("POST", path, body))
            asks = reaches(MATRIX["ask"], asker, table)
            sits = kind == "command.sit" and asks and "player" in rows
            assert answer.status_code < 500, (kind, answer.text)
            if asks and (reaches(rows, asker, table) or (sits and asker in (GUEST, "host"))):
                assert answer.status_code in (200, 409) or told(answer)[1].startswith("approval."), (kind, answer.text)
            elif (
                asker == GUEST and "seat" in body and rows.get("player") == "seat"
            ):  # who plays here, at another's seat
                assert told(answer) == (403, "table.other_seat"), (asker, kind, answer.text)
            else:
                assert told(answer) == why_not(asker, table), (asker, kind, table, answer.text)
    if asker == "host":
        assert scene.player("host", "other").act("command.leave").status_code == 200


def test_nobody_names_what_is_anothers(scene: Scene) -> None:
    """A seat, a question, an account, rolls, another's name for a seat or in a complaint."""
    player, host = scene.player("player"), scene.player("host")
    assert host.act("command.sit", buyin=5_000).status_code == 200
    with_seats = [kind for kind in COMMANDS if "seat" in KINDS[kind] and kind != "command.sit"]
    for kind in with_seats:
        if "player" not in MATRIX[of_act(kind).name]:
            continue
        named = body_of(kind, "player") | {"seat": 2}
        answer = player.post("/tables/own/acts", named)
        assert told(answer)[0] == 403, (kind, answer.text)
    assert len(with_seats) > 10
    sit = {"kind": "command.sit", "buyin": 5_000, "name": "Host"}
    assert told(scene.player(GUEST).post("/tables/own/acts", sit)) == (403, "seat.name")
    spoken = {"kind": "floor.ask_for_rules", "person": "host"}
    assert told(player.post("/tables/own/acts", spoken)) == (403, "person.other")
    asked = scene.question("host")
    for method in ("GET", "DELETE"):
        foreign = scene.send("player", Right(method, f"/questions/{asked}"))
        assert told(foreign) == (404, "question.unknown")
    assert told(player.get("/tables/own/rolls/host")) == (403, "permission.missing")
    assert told(player.get("/people/host")) == (403, "permission.missing")
    for path in ("/tables/people", "/tables/cage", "/tables/..%2fown", "/tables/OWN", "/tables/own%00"):
        assert told(player.get(path))[0] == 404, path


def test_no_body_says_more_than_is_asked(scene: Scene) -> None:
    """A balance, a role, dice, a token: whatever else somebody adds, wherever a body is taken."""
    taken = 0
    for route in routes():
        right = scene.request("supervisor", route)
        if right.body is None or route == "POST /me/password":
            continue
        for field, value in (("balance", 10**9), ("role_", "administrator"), ("dice_", [6, 6]), ("v", 1)):
            answer = scene.send("supervisor", right._replace(body={**right.body, field: value}))
            assert told(answer) == (422, "body.unreadable"), (route, field, answer.text)
        taken += 1
    assert taken > 10
    for kind in KINDS:
        answer = scene.player("supervisor").post("/tables/own/acts", body_of(kind, "supervisor") | {"rail": 10**9})
        assert told(answer) == (422, "body.unreadable"), kind


def test_a_foreign_page_has_no_permission_by_any_route(scene: Scene) -> None:
    """With the cookie of somebody who may, wherever it comes from; our own page with the same cookie may."""
    ours, doors = scene.server.address, 0
    foreign: list[dict[str, str]] = [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"{ours}.evil.example"},
        {"Origin": ours, "Sec-Fetch-Site": "cross-site"},
    ]
    for route in routes():
        (rows,) = [rows for rows in MATRIX.values() if route in rows.get("routes", ())]
        who = ("player", "supervisor") if route.endswith("/talk") else ("supervisor", "player", GUEST)
        asker = next(each for each in who if reaches(rows, each, "own"))
        right = scene.request(asker, route)
        given = right.headers.get("Authorization", f"Bearer {scene.tokens[asker]}")
        cookie = {"Cookie": f"passline={given.removeprefix('Bearer ')}"}
        rest = {name: value for name, value in right.headers.items() if name != "Authorization"}
        safe = right.method == "GET"
        for headers in (*foreign, *(() if safe else ({},))):
            sent = right._replace(headers=rest | cookie | headers)
            answer = _sent(scene, sent)
            if safe and ANYONE in rows:  # it sees what anybody may, and is nobody
                assert told(answer)[1] in ("", "question.unknown"), (route, headers, answer.text)
            else:
                assert told(answer) == (403, "origin.foreign"), (route, headers, answer.text)
        answer = _sent(scene, right._replace(headers=rest | cookie | {"Origin": ours}))
        anothers = route == "GET /questions/{question}/rows"  # of whoever asked without a token
        assert answer.status_code < 300 or anothers, (route, answer.text)
        scene.learn(asker, route, answer.status_code, b"" if safe else answer.content)
        if not safe and ANYONE in rows:  # nor does it sign anybody in
            assert told(_sent(scene, right._replace(headers=rest | {"Origin": "http://evil.example"})))[0] == 403
            doors += 1
    assert doors >= 4


def _sent(scene: Scene, right: Right) -> httpx.Response:
    """As it stands, with no token but what its headers say."""
    headers = {"Idempotency-Key": f"sent-{next(scene.numbers)}"} | right.headers
    if right.path.endswith("/events"):
        with scene.server.http.stream(right.method, right.path, headers=headers) as answer:
            if answer.status_code != 200:
                answer.read()
            return answer
    return scene.server.http.request(right.method, right.path, headers=headers, json=right.body)


def test_signing_out_ends_what_a_token_can(scene: Scene) -> None:
    """One's own, and somebody's by a supervisor; nobody else's."""
    leaver, player = scene.player("nobody"), scene.player("player")
    assert player.post("/people/nobody/signed-out").status_code == 403
    assert leaver.get("/me").status_code == 200
    assert scene.player("supervisor").post("/people/nobody/signed-out").status_code == 204
    assert leaver.get("/me").status_code == 401


def test_the_page_of_the_docs_is_the_matrix() -> None:
    """`passline permissions --markdown > docs/permissions.md` writes it again."""
    assert (Path(__file__).parents[2] / "docs" / "permissions.md").read_text(encoding="utf-8") == page.markdown()
