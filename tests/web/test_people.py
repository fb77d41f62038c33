"""People over HTTP: signing in, guests, two people, taking rights back, cookies, and secrets that are nowhere."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from passline.journal.contract import now
from passline.journal.sqlite import SqliteJournal
from passline.live.dice import HAND_TAG, chain, off_of
from passline.pit.people.people import By, People
from passline.verify.check import verify
from tests.web.server import Player, Server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow
PASSWORD = "planted-canary-password"


@pytest.fixture(scope="module")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose first people were named by its operator."""
    folder = tmp_path_factory.mktemp("people")
    command = [sys.executable, "-m", "passline", "people", "add", "Ada", "--role", "administrator"]
    subprocess.run([*command, "--journal", str(folder / "pit.db")], input=f"{PASSWORD}\n", text=True, check=True)
    journal, house = SqliteJournal(folder / "pit.db"), By("house", "house", now())
    people = People(journal, now())
    for name, role in (("Sue", "supervisor"), ("Ivo", "inspector"), ("Cay", "cashier"), ("Cob", "cashier")):
        people.grant(people.add(name, PASSWORD, house).id, role, None, "the first of them", house, None)
    journal.close()
    server = Server(folder, None, "--rate", "2000", "--newcomers", "1000")
    with server.closing():
        yield server


def signed_in(pit: Server, name: str, password: str = PASSWORD) -> Player:
    """Somebody with a token of their own."""
    answer = pit.http.post("/sessions", json={"name": name, "password": password})
    assert answer.status_code == 201, answer.text
    return Player(pit, answer.json()["token"], "", answer.json()["person"])


def hosted(pit: Server, host: str, **asked: object) -> Player:
    """A table that somebody opens for others."""
    player = pit.account(host)
    answer = player.post("/tables", asked)
    assert answer.status_code == 201, answer.text
    player.table = answer.json()["table"]
    return player


def test_a_name_is_one_persons_however_it_is_written(pit: Server) -> None:
    """Capitals and characters that nobody sees make no second one; wrong passwords and names are told alike."""
    pit.account("Zoe")
    for name in ("Zoe", "ZOE", "zo\u200be", "Zoe"):
        answer = pit.http.post("/people", json={"name": name, "password": "twelve red chips"})
        assert answer.status_code in (409, 422), name
    wrong = [pit.http.post("/sessions", json={"name": name, "password": "not this one"}) for name in ("Zoe", "Nix")]
    assert {(each.status_code, each.json()["detail"]) for each in wrong} == {(401, "Name or password is wrong.")}
    for password in ("short", "password1234", "aaaaaaaaaaaaaa", "zed-zed-zed-1"):
        answer = pit.http.post("/people", json={"name": "Zed-zed", "password": password})
        assert answer.status_code == 422, password


def test_a_name_is_tried_ten_times_and_no_more(pit: Server) -> None:
    """From one address; others sign in meanwhile, and who was signed in stays so."""
    victim = pit.account("Victim")
    codes = [
        pit.http.post("/sessions", json={"name": "Victim", "password": f"guess number {n}"}).status_code
        for n in range(14)
    ]
    assert (codes[:10], set(codes[10:])) == ([401] * 10, {429})
    assert victim.get("/me").status_code == 200
    assert signed_in(pit, "Ivo").get("/me").json()["roles"] == ["inspector", "player"]


def test_a_guest_comes_by_a_link_and_only_there(pit: Server) -> None:
    """No account: a name, a token, a seat at that table; other tables are not to be seen."""
    host, other = hosted(pit, "Hostess"), hosted(pit, "Hostile")
    link = host.post(f"/tables/{host.table}/links", {"role": "player"}).json()["link"]
    told = pit.http.post("/guests", json={"name": "Gus", "link": link}).json()
    gus = Player(pit, told["token"], told["table"], told["person"])
    assert gus.act("command.sit", buyin=50_000).json()["actor"] == "gus"
    assert gus.get(f"/tables/{other.table}").json()["code"] == "table.unknown"
    assert gus.get("/tables/nowhere").json()["code"] == "table.unknown"
    assert pit.http.post("/guests", json={"name": "Gil", "link": link[:-2] + "xx"}).status_code == 404
    again = pit.http.post("/guests", json={"name": "Gus", "link": link}).json()
    assert again["person"] == "gus-2"
    assert host.table not in {each["table"] for each in pit.http.get("/lobby").json()}


@pytest.mark.parametrize("how", ["sign out", "role", "password"])
def test_what_is_taken_back_ends_on_open_streams_within_a_second(pit: Server, how: str) -> None:
    """A token that is signed out, a role that is withdrawn, a password that is changed."""
    host = hosted(pit, f"Streamer-{how.replace(' ', '-')}")
    watcher = pit.account(f"Watcher-{how.replace(' ', '-')}")
    sue, ada = signed_in(pit, "Sue"), signed_in(pit, "Ada")
    grant = {"role": "player", "table": host.table, "reason": "a friend"}
    approval = sue.post("/approvals", {"person": watcher.person, "role": "player", "table": host.table}).json()[
        "approval"
    ]
    given = ada.post(f"/people/{watcher.person}/roles", grant, **{"Second-Person": approval})
    assert given.status_code == 200, given.text
    key = given.request.headers["Idempotency-Key"]
    assert ada.post(f"/people/{watcher.person}/roles", grant, key).content == given.content
    assert ada.post(f"/people/{host.person}/roles", grant, key).json()["code"] == "key.taken"
    watcher.table = host.table
    seen: list[dict[str, object]] = []
    watching = threading.Event()

    def follow() -> None:
        for event in watcher.stream(0, timeout_s=300):
            seen.append(event)
            watching.set()

    reader = threading.Thread(target=follow)
    reader.start()
    assert watching.wait(300)
    if how == "sign out":
        pit.http.delete("/sessions", headers=watcher.headers)
    elif how == "role":
        answer = sue.post(f"/people/{watcher.person}/roles/withdrawn", grant | {"reason": "no friend"})
        assert answer.status_code == 200
    else:
        watcher.post("/me/password", {"old": "twelve red chips", "new": "thirteen red chips"})
    reader.join(timeout=300)
    assert not reader.is_alive(), "the stream goes on"
    assert seen[-1]["event"] == "revoked"


def test_a_void_takes_two_people_who_hold_the_role_now(pit: Server) -> None:
    """Nobody agrees with themselves, for another table or another act, twice, or after losing the role."""
    ben = pit.account("Ben-boxer")
    host = hosted(pit, "Void-host", house="adelaide", dice="real", staff=[{"person": "ben-boxer", "role": "box"}])
    ben.table = host.table
    assert host.act("command.sit", buyin=50_000).status_code == 200
    assert host.act("command.bet", wager="pass", amount=1_000).status_code == 200
    assert host.act("table.close_bets").status_code == 200
    void = {"kind": "table.void", "reason": "a die broke", "returned": True}
    acts, approvals = f"/tables/{host.table}/acts", f"/tables/{host.table}/approvals"

    def second(player: Player, **another: object) -> str:
        asked = {"what": another.get("kind", "table.void"), "act": void | another}
        return str(player.post(approvals, asked).json().get("approval"))

    assert host.post(acts, void).json()["code"] == "approval.missing"
    assert (
        host.post(acts, void, **{"Second-Person": second(host)}).json()["detail"] == "two different people decide this"
    )
    for another in ({"kind": "floor.invalidate", "cause": "fire"}, {"reason": "a die fell"}, {"returned": False}):
        assert host.post(acts, void, **{"Second-Person": second(ben, **another)}).status_code == 409, another
    assert ben.post(approvals, {"what": "table.void"}).json()["code"] == "approval.whole"
    assert ben.post(approvals, {"what": "table.correct", "act": void}).json()["code"] == "body.unreadable"
    assert host.post(acts, void, **{"Second-Person": ben.token}).status_code == 409
    stale, sue = second(ben), signed_in(pit, "Sue")
    taken = {"role": "box", "table": host.table, "reason": "sent home"}
    assert sue.post("/people/ben-boxer/roles/withdrawn", taken).status_code == 200
    assert host.post(acts, void, **{"Second-Person": stale}).json()["code"] == "approval.role"
    done = host.post(acts, void, key="the-void", **{"Second-Person": second(sue)})
    assert done.json()["body"]["people"] == ["void-host", "sue"]
    assert host.post(acts, void, key="the-void").content == done.content
    used = host.act("table.read_dice", dice=[4, 2])  # refused: no bets are closed
    for kind in ("table.void", "table.correct"):
        body = {"kind": kind, "reason": "another act under a key that was used"}
        again = host.post(
            acts, body | ({"reverses": 2} if kind == "table.correct" else {}), used.request.headers["Idempotency-Key"]
        )
        assert (again.status_code, again.json()["code"]) == (409, "key.taken"), again.text


def test_a_roll_that_two_people_struck_out_is_counted_nowhere(pit: Server) -> None:
    """Neither in the strip, nor in the hand, nor in anybody's evening."""
    ben = pit.account("Ben-struck")
    crew = [{"person": "ben-struck", "role": role} for role in ("box", "dealer")]
    crew.append({"person": "struck-host", "role": "stick"})
    host = hosted(pit, "Struck-host", house="adelaide", dice="real", staff=crew)
    ben.table = host.table
    assert host.act("command.sit", buyin=50_000).status_code == 200
    for wager in ("pass", "field"):
        assert host.act("command.bet", wager=wager, amount=1_000).status_code == 200
    path, rolled = f"/tables/{host.table}", 0
    for dice in ([4, 2], [5, 4]):
        assert host.act("table.close_bets").status_code == 200
        host.act("table.read_dice", dice=dice)
        rolled = ben.act("table.read_dice", dice=dice).json()["sequence"]
    assert [sum(roll["dice"]) for roll in host.get(f"{path}/strip").json()["rolls"]] == [6, 9]
    act = {"kind": "table.correct", "reverses": rolled, "reason": "a die was cocked"}
    approval = ben.post(f"{path}/approvals", {"what": "table.correct", "act": act}).json()["approval"]
    assert host.post(f"{path}/acts", act, **{"Second-Person": approval}).status_code == 200
    strip = host.get(f"{path}/strip").json()
    assert ([sum(roll["dice"]) for roll in strip["rolls"]], strip["hand"]) == ([6], 1)
    assert strip["you"]["net"] == -1_000
    assert host.get(f"{path}/evening").json()["rolls"] == 1
    assert [hand["rolls"] for hand in host.get(f"{path}/hands").json()] == [1]


def test_real_dice_are_read_by_two_and_recalled_with_the_money(pit: Server) -> None:
    """Each without the other; then the player sees the roll with funds before and after, and so does an inspector."""
    stick = pit.account("Stan-stickley")
    host = hosted(pit, "Real-host", dice="real", staff=[{"person": "stan-stickley", "role": "stick"}])
    stick.table = host.table
    host.act("command.sit", buyin=50_000)
    host.act("command.bet", wager="field", amount=1_000)
    host.act("command.bet", wager="pass", amount=1_000)
    assert stick.act("table.close_bets").status_code == 200
    assert stick.act("table.read_dice", dice=[6, 5]).json()["kind"] == "dice_entered"
    assert stick.act("table.read_dice", dice=[6, 5]).json()["code"] == "table.two_people"
    assert host.act("table.read_dice", dice=[5, 4]).json()["kind"] == "dice_disagreed"
    assert stick.act("table.read_dice", dice=[6, 5]).status_code == 200
    assert host.act("table.read_dice", dice=[5, 6]).json()["kind"] == "rolled"
    (roll,) = host.get(f"/tables/{host.table}/rolls").json()
    assert (roll["dice"], roll["funds_before"], roll["funds_after"]) == ([6, 5], 50_000, 52_000)
    assert {event["wager"] for event in roll["events"] if "wager" in event} == {"field", "pass"}
    inspector = signed_in(pit, "Ivo")
    assert inspector.get(f"/tables/{host.table}/rolls/real-host").json() == [roll]
    assert stick.get(f"/tables/{host.table}/rolls/real-host").status_code == 403


def test_a_players_hand_is_in_the_dice(pit: Server) -> None:
    """Given, asked for by a signed closing, shown, and in the roll."""
    host = hosted(pit, "Seed-host")
    host.act("command.sit", buyin=50_000)
    dice = host.get(f"/tables/{host.table}/dice").json()
    owner = (dice["stream"], dice["you"], dice["next_hand"])
    values = chain(HAND_TAG, owner, sha256(b"mine").digest())
    off = off_of(*owner, sha256(b"off").digest())
    assert host.act("table.hand_on", hand=1, anchor=values[0].hex(), off=off.hex()).status_code == 200
    host.act("command.bet", wager="pass", amount=1_000)
    assert host.act("table.roll").status_code == 202
    closing = host.get(f"/tables/{host.table}/dice").json()["closing"]
    assert (closing["missing"], closing["head"]["hash"]) == (["seed-host"], closing["entry"]["hash"])
    null = {"person": None, "closing": None}  # as the page sends it
    wrong = host.act("table.show_value", hand=1, index=1, value="00" * 32, **null)
    assert wrong.json()["code"] == "table.hand"
    value = values[1].hex()
    shown = host.act("table.show_value", hand=1, index=1, value=value, closing=closing["entry"]["hash"])
    assert shown.status_code == 200
    rolled = json.loads(host.get(f"/tables/{host.table}/chain").json()["links"][-1]["line"])
    assert rolled["body"]["hands"] == [{"person": "seed-host", "hand": 1, "index": 1, "value": value}]


def with_drawer(pit: Server) -> Player:
    """A cashier with an open drawer, counted with the other."""
    cay, cob = signed_in(pit, "Cay"), signed_in(pit, "Cob")
    opened = {"kind": "floor.open_drawer", "count": {"10000": 50}}
    approval = cob.post("/floor/approvals", {"what": opened["kind"], "act": opened}).json()["approval"]
    assert cay.post("/floor/acts", opened, **{"Second-Person": approval}).status_code == 200
    return cay


def test_chips_come_out_of_a_wallet_and_go_back(pit: Server) -> None:
    """Paid in at the cage, never more than there is; a wallet is its owner's to see."""
    ada = signed_in(pit, "Ada")
    host = pit.account("Wallet-host")
    opened = ada.post("/tables", {"wallets": True, "staff": [{"person": "wallet-host", "role": "player"}]})
    host.table = opened.json()["table"]
    short = host.act("command.sit", buyin=50_000).json()
    assert (short["code"], short["detail"]) == ("table.short_wallet", "Wallet-host has less than 500 with the house.")
    assert [host.get(f"/tables/{host.table}").json()[name] for name in ("wallet", "buyin")] == [0, 0]
    cay = with_drawer(pit)
    paid = {"kind": "floor.pay_in", "player": "Wallet-host", "amount": 60_000, "reason": "for tonight"}
    for other in (host, ada):
        assert other.post("/floor/acts", paid).json()["code"] == "permission.missing"
    first, again = (cay.post("/floor/acts", paid, key="the-envelope") for _ in "12")
    assert first.content == again.content
    view = host.get(f"/tables/{host.table}").json()
    assert (view["wallet"], view["buyin"]) == (60_000, 50_000), "what people usually buy, as far as there is so much"
    assert host.act("command.sit", buyin=50_000).status_code == 200
    assert host.get("/me").json()["wallet"] == 10_000
    out = cay.post("/floor/acts", paid | {"kind": "floor.pay_out", "amount": 20_000})
    assert (out.status_code, out.json()["code"]) == (409, "table.short_wallet")
    assert host.act("command.leave").status_code == 200
    assert host.get("/me").json()["wallet"] == 60_000
    assert cay.post("/floor/acts", paid | {"player": "Cay"}).json()["code"] == "floor.role"
    assert cay.post("/floor/acts", paid | {"player": "Zed"}).json()["code"] == "people.unknown"
    ada.table = host.table
    sat = ada.act("command.sit", buyin=1_000)
    assert (sat.status_code, sat.json()["code"]) == (403, "permission.missing"), "who opened it works there"


def test_only_the_house_opens_tables_for_its_money(pit: Server) -> None:
    """A player, a guest of nobody, and a book of one's own: chips from there would be money at the cage."""
    ada, nik = signed_in(pit, "Ada"), pit.account("Nik")
    asked = {"house": "sydney", "wallets": True}
    answer = nik.post("/tables", asked)
    assert (answer.status_code, answer.json()["code"]) == (403, "permission.missing")
    text = pit.http.get("/houses/sydney/file").json()
    answer = ada.post("/tables", asked | {"house": {"file": text["file"], "text": text["text"]}})
    assert (answer.status_code, answer.json()["code"]) == (422, "house.own")
    assert nik.post("/tables", asked | {"wallets": False}).status_code == 201
    assert ada.post("/tables", asked).status_code == 201


def test_anothers_seat_is_called_so_and_a_bet_found_there_has_a_reason(pit: Server) -> None:
    """Whoever touches it is told whose it is; the crew books chips that lie there, and says why."""
    kit = pit.account("Kit")
    host = hosted(pit, "Seat-host", listed=True)
    kit.table = host.table
    assert host.act("command.sit", seat=1, buyin=50_000).status_code == 200
    for answer in (
        kit.act("command.bet", seat=1, wager="pass", amount=1_000),
        kit.act("command.take", seat=1, wager="pass"),
    ):
        told = answer.json()
        assert (told["code"], told["detail"]) == ("table.other_seat", "That seat is another player's.")
    found: dict[str, Any] = {"seat": 1, "wager": "field", "amount": 500}
    assert kit.act("command.find_bet", **found, reason="it lay there").json()["code"] == "permission.missing"
    assert host.act("command.find_bet", **found).status_code == 422
    booked = host.act("command.find_bet", **found, reason="it lay there")
    assert booked.json()["body"]["reason"] == "it lay there"


@pytest.mark.parametrize("name", ["club.", "c-lub", "c1ub", "floor."])
def test_no_two_tables_look_the_same(pit: Server, name: str) -> None:
    """Signs and figures that pass for letters make no other table; asked for again, one's own is the same."""
    host = pit.account(f"Club-host-{len(name)}{name[-1:].isalnum()}")
    first = host.post("/tables", {"table": "club"}, key="club")
    assert first.status_code in (201, 409)
    answer = host.post("/tables", {"table": name})
    assert (answer.status_code, answer.json()["code"]) == (409, "key.taken"), answer.text
    assert "looks like it" in answer.json()["detail"]
    assert host.post("/tables", {"table": "club"}, key="club").status_code == first.status_code


def test_nobody_gives_themselves_a_role(pit: Server) -> None:
    """Not even with the approval of a second person."""
    sue, ada = signed_in(pit, "Sue"), signed_in(pit, "Ada")
    approval = sue.post("/approvals", {"person": "ada", "role": "inspector"}).json()["approval"]
    given = ada.post("/people/ada/roles", {"role": "inspector", "reason": "to see all"}, **{"Second-Person": approval})
    assert (given.status_code, given.json()["code"]) == (403, "person.own")


def test_a_cookie_counts_for_our_own_pages_only(pit: Server) -> None:
    """Whatever a foreign page has a browser send; a bearer token is no cookie and needs no origin."""
    host = hosted(pit, "Cookie-host")
    act = {"kind": "command.sit", "buyin": 50_000}
    ours = pit.address
    for origin in ("http://evil.example", "null", f"{ours}.evil.example", ours.replace("http", "https") + "0", None):
        headers = {"Cookie": f"passline={host.token}", "Idempotency-Key": "c"} | ({"Origin": origin} if origin else {})
        answer = pit.http.post(f"/tables/{host.table}/acts", json=act, headers=headers)
        assert answer.json()["code"] == "origin.foreign", origin
    headers = {"Cookie": f"passline={host.token}", "Idempotency-Key": "c", "Origin": ours}
    assert pit.http.post(f"/tables/{host.table}/acts", json=act, headers=headers).status_code == 200
    seen = pit.http.get("/me", headers={"Cookie": f"passline={host.token}", "Sec-Fetch-Site": "cross-site"})
    assert seen.status_code == 403


def test_over_tls_the_cookie_is_this_hosts_alone(tmp_path: Path) -> None:
    """As a trusted proxy says: no other host can set it, the plain one counts no more, and browsers stay with TLS."""
    server = Server(tmp_path, None, "--proxies", "127.0.0.1")
    tls = {"X-Forwarded-Proto": "https"}
    came = server.http.post("/practice", headers=tls)
    set_cookie = came.headers["set-cookie"]
    assert set_cookie.startswith("__Host-passline=")
    assert all(word in set_cookie for word in ("HttpOnly", "Secure", "SameSite=lax", "Path=/"))
    assert "Domain" not in set_cookie
    assert came.headers["strict-transport-security"].startswith("max-age=31536000")
    token = came.json()["token"]
    assert server.http.get("/me", headers=tls | {"Cookie": f"__Host-passline={token}"}).status_code == 200
    assert server.http.get("/me", headers=tls | {"Cookie": f"passline={token}"}).status_code == 401
    plain = server.http.get("/me", headers={"Cookie": f"passline={token}"})
    assert plain.status_code == 200
    assert "strict-transport-security" not in plain.headers
    assert server.stop() == 0


def test_the_analyst_answers_in_another_process(pit: Server) -> None:
    """A question, its progress, its answer; somebody else's is not to be seen; files are not to be read by name."""
    ann, bob = pit.account("Analyst-Ann"), pit.account("Analyst-Bob")
    asked = ann.post("/questions", {"strategy": "pass_flat", "unit": 10, "rolls": 20})
    assert asked.status_code == 202, asked.text
    path = f"/questions/{asked.json()['question']}"
    assert bob.get(path).status_code == 404
    until = time.monotonic() + 300
    while ann.get(path).json()["state"] in ("waiting", "working") and time.monotonic() < until:
        time.sleep(0.2)
    told = ann.get(path).json()
    assert told["state"] == "answered", told
    assert told["answer"]["results"][0]["values"]["p_ahead"]
    for strategy in ("/etc/passwd", "../keys.json", "nothing"):
        assert ann.post("/questions", {"strategy": strategy}).json()["code"] == "strategy.unknown"


def test_secrets_are_nowhere(pit: Server) -> None:
    """Not in the log, not in an export, not in an answer; and what is exported is found to be in order."""
    inspector = signed_in(pit, "Ivo")
    host = hosted(pit, "Canary-host")
    host.act("command.sit", buyin=50_000)
    host.act("command.bet", wager="pass", amount=1_000)
    host.act("table.roll")
    streams = ["people", host.table]
    texts = [pit.log.read_text()]
    for stream in streams:
        export = inspector.get(f"/journal/{stream}")
        assert verify([line + b"\n" for line in export.content.splitlines()]).faults == [], stream
        texts.append(export.text)
    keys = (pit.folder / "keys.json").read_text()
    planted = [PASSWORD, inspector.token.partition(".")[2], "$argon2", *keys.split('"')[3:8:4]]
    texts += [signed_in(pit, "Ada").get("/metrics").text, pit.log.read_text()]
    texts += [pit.http.post("/sessions", json={"name": "Ivo", "password": PASSWORD + "x"}).text]
    assert all(len(secret) > 6 for secret in planted)
    assert [(secret[:4], at) for secret in planted for at, text in enumerate(texts) if secret in text] == []
    assert "person_added" in texts[1], "there was something to look in"
    lines = [json.loads(line) for line in texts[0].splitlines() if line.startswith("{")]
    assert all(line["time"].endswith("+00:00") for line in lines), "whose clock it was is said"


def test_what_cannot_be_a_name_is_said_to_the_person_with_the_nearest_that_can(server: Server) -> None:
    """Two words are what most people type first."""
    told = server.http.post("/guests", json={"name": "Ann Lee"}).json()
    assert told["detail"].startswith("Nobody can be called 'Ann Lee' here: take one word of at most 40")
    assert told["detail"].endswith("such as Ann-Lee.")
    assert server.http.post("/guests", json={"name": "Ann-Lee"}).status_code == 201
    assert server.http.post("/guests", json={"name": "house"}).json()["detail"].endswith("such as Ann.")
