"""The main ways through the service, from outside: a process, HTTP, a stream, a kill."""

from __future__ import annotations

import socket
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from passline.live.people import permissions
from passline.web.app import routes
from tests.web.server import Server

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


def test_a_practice_table_takes_one_request(server: Server) -> None:
    """Nothing has to be said, and one sits with chips before a felt."""
    told = server.http.post("/practice").json()
    assert told["table"]["state"]["seats"]["1"]["rail"] == 50_000
    assert told["table"]["position"].startswith("adelaide | puck=off | 1 Guest")
    assert told["token"]


@pytest.mark.parametrize("house", ["adelaide", "sydney"])
def test_a_hand_is_played_to_its_end(server: Server, house: str) -> None:
    """Bet, roll, odds, seven-out; the stream has every entry once, with what was said."""
    ann = server.practice(name="Ann", house=house)
    points, rolled = 0, dict[str, Any]()
    for _ in range(200):
        state = ann.get(f"/tables/{ann.table}").json()["state"]
        if not state["puck"] and "pass" not in state["seats"]["1"]["up"]:
            assert ann.act("command.bet", wager="pass", amount=1_000).status_code == 200
        elif state["puck"] and "pass_odds" not in state["seats"]["1"]["up"]:
            points += 1
            assert ann.act("command.bet", wager="pass_odds", amount=1_000).status_code == 200
        rolled = ann.act("table.roll").json()
        if points and any(event["kind"] == "event.seven_out" for event in rolled["body"]["events"]):
            break
    last = rolled["sequence"]
    events = ann.events(0, last)
    assert [int(event["id"]) for event in events] == list(range(1, last + 1))
    assert "seven" in " ".join(events[-1]["sentences"]).lower()
    assert events[-1]["state"]["puck"] == 0
    assert ann.act("command.bet", wager="pass", amount=1).status_code == 409
    record = ann.get(f"/tables/{ann.table}/record").text
    assert record.startswith(f"passline 1\nhouse {house}\n"), "a house of the program's goes by its name"
    assert "bet pass 0.01" in record, "one's own refusals are told"


def test_the_same_key_is_answered_with_the_same_bytes(server: Server) -> None:
    """Whatever was asked: an act, a roll, a refusal; something else under it is refused."""
    ann = server.practice(name="Ann")
    for kind, fields in (
        ("command.bet", {"wager": "pass", "amount": 1_000}),
        ("table.roll", {}),
        ("command.bet", {"wager": "pass", "amount": 10**12}),
    ):
        first, again = (ann.act(kind, key=f"{kind}{len(fields)}{fields}"[:40].replace(" ", ""), **fields) for _ in "12")
        assert first.content == again.content
        assert first.status_code == again.status_code
    other = ann.act("command.bet", key="table.roll0{}", wager="field", amount=500)
    assert (other.status_code, other.json()["code"]) == (409, "key.taken")


def test_a_refusal_says_code_sentence_and_clause(server: Server) -> None:
    """As problem details, and in the asker's own stream; to others only that there was one."""
    ann = server.account("Refused-Ann")
    ann.table = ann.post("/tables", {"house": "sydney", "listed": True}).json()["table"]
    bob = server.account("Refused-Bob")
    bob.table = ann.table
    assert ann.act("command.sit", buyin=50_000).status_code == 200
    no = ann.act("command.bet", wager="come", amount=1_000)
    told = no.json()
    assert no.headers["content-type"] == "application/problem+json"
    assert (no.status_code, told["status"], told["code"]) == (409, 409, "bet.window")
    assert told["clause"].startswith("sydney:")
    assert "puck is off" in told["detail"]
    assert ann.events(told["sequence"] - 1, 1)[0]["entry"]["body"]["refusal"]["code"] == "bet.window"
    (link,) = bob.get(f"/tables/{ann.table}/chain?after={told['sequence'] - 1}").json()["links"]
    assert link.pop("line") is None
    assert bob.events(told["sequence"] - 1, 1)[0]["entry"] == {"kind": "refused", **link}, "its place in the chain"


def test_a_seat_is_shown_what_it_may_do(server: Server) -> None:
    """Every spot with price, edge and whether it can be bet now, or the clause that says no."""
    ann = server.practice(name="Ann", house="sydney")
    spots = ann.get(f"/tables/{ann.table}/felt").json()["spots"]
    for _ in range(3000):  # edges are worked out beside the game
        if spots["pass"]["edge"]:
            break
        time.sleep(0.1)
        spots = ann.get(f"/tables/{ann.table}/felt").json()["spots"]
    assert (spots["pass"]["name"], spots["pass"]["edge"], spots["pass"]["adds"]) == ("Win Line", "1.4%", 500)
    assert spots["come"]["refused"]["clause"].startswith("sydney:")
    odds = server.http.get("/houses/sydney/odds").json()["wagers"]
    assert odds["pass"]["edge_per_bet_made"] == "7/495"


def test_what_is_malformed_is_told_and_changes_nothing(server: Server) -> None:
    """Wrong types, more than is known, floats, far too large, no JSON: each is said with its place."""
    ann = server.practice(name="Ann")
    before = ann.get(f"/tables/{ann.table}").json()["sequence"]
    path = f"/tables/{ann.table}/acts"
    bet: dict[str, Any] = {"kind": "command.bet", "wager": "pass", "amount": 1_000}
    bodies: list[Any] = [
        bet | {"amount": "1000"},
        bet | {"amount": 10.5},
        bet | {"amount": True},
        bet | {"amount": 10**30},
        bet | {"seat": "1"},
        bet | {"dice": [6, 6]},
        bet | {"kind": "command.win"},
        {"kind": "command.throw", "roll": {"first": "6", "second": 1}},
        {"kind": "command.throw", "roll": {"first": 6}},
        [],
        "bet",
        None,
    ]
    for body in bodies:
        answer = ann.post(path, body)
        assert answer.status_code == 422, (body, answer.text)
        assert answer.json()["code"] == "body.unreadable"
    headers = ann.headers | {"Idempotency-Key": "k", "Content-Type": "application/json"}
    long = server.http.post(path, content=b" " * 70_000, headers=headers)
    assert long.status_code == 413
    assert ann.get(f"/tables/{ann.table}").json()["sequence"] == before


def test_a_small_answer_waits_for_no_acknowledgement(server: Server) -> None:
    """Two parts of one answer go out together: where they do not, nearly each of these takes 40 ms."""
    ann, took = server.practice(name="Ann"), []
    for _ in range(20):
        began = time.perf_counter()
        ann.act("command.nonsense")
        took.append(time.perf_counter() - began)
    assert min(took) < 0.04, "a busy machine is late now and then, and not each time"


def test_an_answer_is_one_packet_and_a_body_that_waits_for_leave_is_let_come(server: Server) -> None:
    """Head and body come together; `Expect: 100-continue` is answered before there is a body."""
    ann = server.practice(name="Ann")
    body = b'{"kind":"command.buy_in","amount":1000}'
    head = f"POST /tables/{ann.table}/acts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ann.token}\r\n"
    head += f"Content-Type: application/json\r\nIdempotency-Key: leave-1\r\nContent-Length: {len(body)}\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        line.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
        assert line.recv(1_000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        line.sendall(body)
        answer = line.recv(100_000)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.endswith(b"}"), "the entry came with the head"


def test_nobody_says_what_fair_dice_show_or_speaks_for_the_crew(server: Server) -> None:
    """Dice are drawn; `by` is believed only of a role that one holds."""
    ann = server.account("Fair-Ann")
    ann.table = ann.post("/tables", {"listed": True}).json()["table"]
    bob = server.account("Fair-Bob")
    bob.table = ann.table
    assert bob.act("command.sit", buyin=50_000).status_code == 200
    bet = bob.act("command.bet", wager="pass", amount=1_000, tender="spoken", by=["dealer"])
    assert (bet.status_code, bet.json()["code"]) == (403, "table.confirmed_by")
    throw = bob.act("command.throw", roll={"first": 6, "second": 5})
    assert throw.status_code == 403
    said = ann.act("command.throw", roll={"first": 6, "second": 5})
    assert (said.status_code, said.json()["code"]) == (409, "table.dice_drawn")
    own = bob.act("command.bet", seat=2, wager="pass", amount=1_000)
    assert own.status_code == 403


def test_every_route_has_one_permission_and_every_permission_its_routes() -> None:
    """A route that is in no row of the matrix, or a row whose route is gone, fails here."""
    listed = sorted(route for permission in permissions().values() for route in permission.routes)
    assert listed == routes()


def test_every_operation_has_an_example(server: Server) -> None:
    """Whoever reads the description can send one."""
    described = server.http.get("/openapi.json").json()
    bodies = [
        (f"{method} {path}", operation["requestBody"]["content"]["application/json"])
        for path, operations in described["paths"].items()
        for method, operation in operations.items()
        if "requestBody" in operation
    ]
    assert len(bodies) > 10
    assert [name for name, body in bodies if not body.get("examples")] == []
    assert all(operation.get("description") for each in described["paths"].values() for operation in each.values())


def test_killed_and_started_again_nothing_is_missing(tmp_path: Path) -> None:
    """In the middle of play, without a goodbye: the same chips, every entry once, and the key still answers."""
    server = Server(tmp_path)
    ann = server.practice(name="Ann")
    seen: list[int] = []

    def follow() -> None:
        while len(seen) < 20:
            try:
                for event in ann.stream(seen[-1] if seen else 0, timeout_s=60):
                    seen.append(int(event["id"]))
                    if len(seen) >= 20:
                        return
            except Exception:  # noqa: BLE001 - whatever a killed server does to a reader
                time.sleep(0.05)

    reader = threading.Thread(target=follow)
    reader.start()
    first = ann.act("command.bet", key="before", wager="pass", amount=1_000)
    ann.act("table.roll")
    position = ann.get(f"/tables/{ann.table}").json()["position"]
    server.kill()
    server.restart()
    assert ann.get(f"/tables/{ann.table}").json()["position"] == position
    assert ann.act("command.bet", key="before", wager="pass", amount=1_000).content == first.content
    while ann.act("table.roll").status_code != 200 or ann.get(f"/tables/{ann.table}").json()["sequence"] < 20:
        ann.act("command.bet", wager="pass", amount=1_000)
    reader.join(timeout=300)
    assert seen == list(range(1, 21))
    following = threading.Event()

    def follow_on() -> None:
        for _ in ann.stream(19, timeout_s=300):
            following.set()

    follower = threading.Thread(target=follow_on)
    follower.start()
    assert following.wait(300)
    assert server.stop() == 0, "a stream that is open keeps nobody"
    follower.join(timeout=300)
    assert not follower.is_alive()
