"""Every cell of the matrix by HTTP: each role at each route and each act, at its own table and at another's."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from passline.journal.sqlite import SqliteJournal
from passline.pit.people import page
from passline.pit.people.people import By, People, now
from passline.pit.people.powers import FILE, ROLES, of_act
from passline.web.acts import COMMANDS, OWN
from passline.web.app import routes
from tests.web.server import Player, Server

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

MATRIX: dict[str, dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["power"]
HOUSE = ("supervisor", "inspector", "administrator")
"""Who holds a role everywhere; the others hold theirs at the table `own`."""


@pytest.fixture(scope="module")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Player]]:
    """A server with somebody of each role, the table `own` where the crew works, and `other`, where nobody does."""
    folder = tmp_path_factory.mktemp("powers")
    journal = SqliteJournal(folder / "pit.db")
    people, house = People(journal, now()), By("house", "house", now())
    tokens = {}
    for role in (*ROLES, "host", "stranger", "nobody"):
        person, tokens[role] = people.guest(role.capitalize(), now())
        if role in HOUSE:
            people.grant(person.id, role, None, "for the test", house, None)
    journal.close()
    server = Server(folder, None, "--rate", "5000", "--comers", "5000")
    found = {role: Player(server, token, "own", role) for role, token in tokens.items()}
    crew = [{"person": role, "role": role} for role in ROLES if role not in HOUSE]
    assert found["host"].post("/tables", {"table": "own", "staff": crew}).status_code == 201
    assert found["host"].post("/tables", {"table": "other"}).status_code == 201
    assert found["player"].act("command.sit", buyin=50_000).status_code == 200
    found["anyone"] = Player(server, "", "own", "anyone")
    found["anyone"].headers = {}
    yield found
    assert server.stop() == 0


def reaches(rows: dict[str, Any], role: str, table: str | None) -> bool:
    """What the file says of a role, worked out here by hand."""
    if "anyone" in rows:
        return True
    if role == "anyone":
        return False
    held = {role} if role in HOUSE or table in (None, "own") else set()
    if table is None:
        held = {role if role in HOUSE else "player", "player"}
    if role in ("stranger", "host", "nobody") and table is not None:
        held = {"box", "player"} if role == "host" else set()
    for each in held:
        reach = rows.get(each)
        sits = role == "player" and table == "own"
        if reach in ("table", "any") or (reach == "seat" and (sits or table is None)):
            return True
    return False


def is_let_in(status: int, code: str) -> bool:
    """Whether the guard let a request through, whatever came of it then."""
    return not (status == 401 or code in ("power.missing", "table.unknown"))


def ask(player: Player, route: str, table: str) -> tuple[int, str]:
    """Come by a route, with a body that no route takes."""
    method, path = route.split(" ")
    names = {"table": table, "stream": "own", "house": "adelaide", "person": "nobody", "question": "0"}
    for name, value in names.items():
        path = path.replace(f"{{{name}}}", value)
    headers = player.headers | {"Idempotency-Key": "matrix"}
    if path.endswith("/events"):
        with player.server.http.stream(method, path, headers=headers) as answer:
            if answer.status_code == 200:
                return 200, ""
            answer.read()
            return answer.status_code, answer.json()["code"]
    body = {"none": 1} if method == "POST" else None
    answer = player.server.http.request(method, path, headers=headers, json=body)
    told = (
        answer.json()
        if "json" in answer.headers.get("content-type", "") and "jsonl" not in answer.headers["content-type"]
        else {}
    )
    return answer.status_code, told.get("code", "") if isinstance(told, dict) else ""


AS = (*ROLES, "host", "stranger", "anyone")


@pytest.mark.parametrize("role", AS)
def test_each_role_comes_by_the_routes_that_are_its_own(pit: dict[str, Player], role: str) -> None:
    """At the table where it works and at another; where it may not, it does not learn whether anything is there."""
    cells = 0
    for route in routes():
        (rows,) = [rows for rows in MATRIX.values() if route in rows.get("routes", ())]
        if route in ("DELETE /sessions", "POST /people/{person}/signed-out"):
            continue  # they end what the other cells need; below
        for table in ("own", "other") if "{table}" in route else (None,):
            status, code = ask(pit[role], route, table or "own")
            assert status < 500, (route, table, status)
            assert is_let_in(status, code) == reaches(rows, role, table), (route, table, status, code)
            cells += 1
    assert cells > 40


BODIES: dict[str, dict[str, Any]] = {
    "table.read_dice": {"dice": [4, 2]},
    "table.void": {"reason": "a test"},
    "table.correct": {"reverses": 1, "reason": "a test"},
    "table.commit_seed": {"epoch": 9, "commitment": "0" * 64},
    "table.reveal_seed": {"epoch": 9, "seed": "0" * 64},
}
"""What the acts of the live table's own need to be read."""


def body_of(kind: str) -> dict[str, Any]:
    """An act that can be read, and does nothing much."""
    if kind in BODIES:
        return BODIES[kind]
    model = next((each for name, each in zip(COMMANDS, OF_COMMANDS, strict=True) if name == kind), None)
    fields = {} if model is None else model.model_json_schema()["properties"]
    needed = [] if model is None else model.model_json_schema().get("required", [])
    return {name: _value(fields[name], model) for name in needed if name != "kind"}


OF_COMMANDS = __import__("passline.web.acts", fromlist=["MODELS"]).MODELS[len(OWN) :]


def _value(shape: dict[str, Any], model: Any) -> Any:  # noqa: ANN401 - JSON of any shape
    if "anyOf" in shape:
        return _value(shape["anyOf"][0], model)
    if "$ref" in shape:
        return {"first": 1, "second": 2}
    if "enum" in shape or "const" in shape:
        return shape.get("const", shape.get("enum", [None])[0])
    return {"integer": 1, "string": "test", "boolean": False, "array": [], "object": {}}[shape["type"]]


@pytest.mark.parametrize("role", [role for role in AS if role not in ("anyone", "host", "stranger")])
def test_each_role_asks_a_table_for_what_is_its_own(pit: dict[str, Player], role: str) -> None:
    """Every act there is: refused by the house or done, but never let through without the power."""
    kinds = [*(each.model_fields["kind"].annotation.__args__[0] for each in OWN), *COMMANDS]  # type: ignore[union-attr]
    for kind in kinds:
        if kind in ("table.close", "command.close_table", "command.leave", "floor.close"):
            continue  # the end of the table is for the last test
        rows = MATRIX[of_act(kind).name]
        answer = pit[role].act(kind, key=f"act-{kind}", **body_of(kind))
        code = answer.json().get("code", "")
        assert answer.status_code < 500, (kind, answer.text)
        assert answer.status_code != 422 or code == "body.unreadable"
        if answer.status_code == 422:
            continue  # a body whose words the codec wants otherwise: judged before anybody's power is
        may = reaches(rows, role, "own") and reaches(MATRIX["ask"], role, "own")
        assert (code != "power.missing" and answer.status_code not in (401, 404)) == may, (kind, role, answer.text)


def test_signing_out_ends_what_a_token_can(pit: dict[str, Player]) -> None:
    """One's own, and somebody's by a supervisor; nobody else's."""
    nobody, player = pit["nobody"], pit["player"]
    assert player.post("/people/nobody/signed-out").status_code == 403
    assert pit["anyone"].post("/people/nobody/signed-out").status_code == 401
    assert nobody.get("/me").status_code == 200
    assert pit["supervisor"].post("/people/nobody/signed-out").status_code == 204
    assert nobody.get("/me").status_code == 401
    gone = pit["stranger"]
    assert gone.server.http.delete("/sessions", headers=gone.headers).status_code == 204
    assert gone.get("/me").status_code == 401


def test_the_page_of_the_docs_is_the_matrix() -> None:
    """`passline powers --markdown > docs/powers.md` writes it again."""
    assert (Path(__file__).parents[2] / "docs" / "powers.md").read_text(encoding="utf-8") == page.markdown()
