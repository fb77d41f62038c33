"""Around the table, over HTTP: regulars, replays, houses side by side, the countdown, what the box sees."""

from __future__ import annotations

import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from passline.journal.contract import read_entry
from passline.journal.export import exported
from passline.journal.sql import open_journal
from passline.table import replay
from passline.verify.check import verify
from passline.web.replays import STEPS_MAX, _steps_of_record
from passline.web.subprocesses import JournalReader
from tests.sitting.test_guests import FILE
from tests.web.server import Clock, Handed, Player, Server

pytestmark = pytest.mark.slow
EXAMPLES = Path(__file__).parents[2] / "examples"
RECORD = "passline 1\nhouse sydney\nsit 1 Ann 100\n1 bet pass 10\nroll 4-2\n1 bet fire 5\nroll 3-4\n"


def told(player: Player, path: str, **query: Any) -> Any:  # noqa: ANN401 - JSON
    """What a route tells."""
    answer = player.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def acts_of(player: Player, table: str) -> list[dict[str, Any]]:
    """The steps of a table, from its beginning."""
    found: list[dict[str, Any]] = told(player, f"/tables/{table}/steps")["steps"]
    return found


def rolled(player: Player) -> None:
    """A bet on the line if there is none, and a roll, however the dice stand."""
    player.act("command.bet", wager="pass", amount=500)
    player.act("command.shoot")
    answer = player.act("table.roll")
    assert answer.status_code == 200, answer.text


def test_who_practises_is_called_as_they_said(server: Server) -> None:
    """Whoever else has the name: a guest's number is for tables with others; an account's name is its own."""
    server.practice(name="Ute")
    ute = server.practice(name="Ute")
    assert ute.person != "ute"
    assert told(ute, f"/tables/{ute.table}")["state"]["seats"]["1"]["name"] == "Ute"
    made = ute.post(f"/tables/{ute.table}/links", {"role": "player"}).json()
    assert (made["network"], made["addresses"]) == ("closed", [])
    link = made["link"]
    invited = server.http.post("/invitations", json={"link": link}).json()
    assert (invited["table"], invited["host"], invited["house"]) == (ute.table, "Ute", "Sky City Adelaide")
    wrong = server.http.post("/invitations", json={"link": ute.token})
    assert (wrong.status_code, wrong.json()["code"]) == (404, "link.wrong"), "a session is no link"
    journal = open_journal(server.journal, read_only=True)
    named = verify(line + b"\n" for line in exported(journal, [ute.table, "people"])).faults
    assert [str(each) for each in named if "sits down" in str(each)] == []
    server.account("Olaf")
    other = server.practice(name="Olaf")
    assert told(other, f"/tables/{other.table}")["state"]["seats"]["1"]["name"] == "Olaf-2"


def test_names_are_unique_at_a_table_and_never_a_pronoun(server: Server) -> None:
    """On a server full of Uwes each is Uwe at their own table; only whoever sits beside another has a number."""
    hosts = [server.practice(name="Uwe") for _ in range(3)]
    for host in hosts:
        assert told(host, f"/tables/{host.table}")["state"]["seats"]["1"]["name"] == "Uwe"
        assert told(host, "/me")["name"] == "Uwe"
    last = hosts[-1]
    link = last.post(f"/tables/{last.table}/links", {"role": "player"}).json()["link"]
    came = server.http.post("/guests", json={"name": "Uwe", "link": link}).json()
    other = Player(server, came["token"], last.table, came["person"])
    assert other.act("command.sit", buyin=50_000).is_success
    names = [seat["name"] for seat in told(last, f"/tables/{last.table}")["state"]["seats"].values()]
    assert names == ["Uwe", "Uwe-4"]
    for word in ("You", "me", "NOBODY"):
        refused = server.http.post("/guests", json={"name": word})
        assert (refused.status_code, refused.json()["code"]) == (422, "name.unfit")


def test_whoever_is_somebody_comes_by_a_link_as_who_they_are(server: Server) -> None:
    """With their account, once however often they open it; no stranger, and by no wrong link."""
    host, lea = server.practice(name="Hal"), server.account("Lea-linked")
    body = {"link": host.post(f"/tables/{host.table}/links", {"role": "player"}).json()["link"]}
    assert lea.get(f"/tables/{host.table}").status_code == 404
    for _ in range(2):
        assert lea.post("/invitations/accepted", body).json()["table"] == host.table
    assert told(lea, f"/tables/{host.table}")["roles"] == ["player"]
    journal = open_journal(server.journal, read_only=True)
    granted = [entry for entry in map(read_entry, journal.lines("people")) if entry.body.get("act") == "role_granted"]
    assert [entry.body["about"]["table"] for entry in granted if entry.body["person"] == "lea-linked"] == [host.table]
    faults = verify(line + b"\n" for line in exported(journal, [host.table, "people"])).faults
    assert [str(each) for each in faults if "lea-linked" in str(each)] == []
    assert server.http.post("/invitations/accepted", json=body).status_code == 401
    assert lea.post("/invitations/accepted", {"link": "0.0"}).status_code == 404


def test_regulars_play_along(server: Server) -> None:
    """They sit, bet and answer the dice as durable acts of the table, between one roll and the next."""
    ann = server.practice(name="Ann", company=3)
    seats = told(ann, f"/tables/{ann.table}")["state"]["seats"]
    assert [seat["name"] for seat in seats.values()] == ["Ann", "Rosa", "Mick", "Dov"]
    assert any(seat["up"] for seat in seats.values())
    for _ in range(12):
        rolled(ann)
    steps = acts_of(ann, ann.table)
    theirs = [step for step in steps if step["actor"] == "house" and step["kind"] == "acted"]
    rolls = [step["at"] for step in steps if step["kind"] == "rolled"]
    assert len(rolls) == 12
    assert any(rolls[0] < step["at"] < rolls[-1] for step in theirs), "they act between rolls"
    journal = open_journal(server.journal, read_only=True)
    assert verify(line + b"\n" for line in exported(journal, [ann.table])).faults == []
    # Nobody is one of them: a guest who takes a regular's name sits at nobody's seat.
    assert server.http.post("/practice", json={"name": "house"}).status_code == 422


def test_a_strategy_in_python_is_company(tmp_path: Path) -> None:
    """A field martingale of the house's own sits at a practice table before any regular, and doubles as it should."""
    path = tmp_path / "doubling.py"
    path.write_text(FILE)
    running = Server(tmp_path, None, "--with", f"{path}:Doubling", "--with", "field_martingale")
    with running.closing():
        ann = running.practice(name="Ann", house="strip", company=3, dice="given")
        evening = zip((1500, 3000, 6000, 12000, 1500), ((2, 3), (2, 6), (2, 5), (1, 1), (3, 3)), strict=True)
        for stake, faces in evening:
            until = time.monotonic() + 300
            seats: dict[str, Any] = {}
            while not all(stakes_of(seats, seat) == stake for seat in "23") and time.monotonic() < until:
                seats = told(ann, f"/tables/{ann.table}")["state"]["seats"]  # they act after a roll was answered
            assert [seat["name"] for seat in seats.values()] == ["Ann", "Doubling", "field_martingale", "Rosa"]
            assert seats["2"]["rail"] == seats["3"]["rail"]
            assert seats["2"]["up"] == seats["3"]["up"]
            assert stakes_of(seats, "2") == stake
            ann.act("command.bet", wager="pass", amount=1500)
            ann.act("command.shoot")
            answer = ann.act("command.throw", roll={"first": faces[0], "second": faces[1]})
            assert answer.status_code == 200, answer.text


def stakes_of(seats: dict[str, Any], seat: str) -> int:
    """What a seat has on the field."""
    return int(seats.get(seat, {"up": {}})["up"].get("field", {"stake": 0})["stake"])


def test_alone_there_is_no_company(server: Server) -> None:
    """Who does not ask for regulars has none; nobody asks for more than there are."""
    ann = server.practice()
    assert len(told(ann, f"/tables/{ann.table}")["state"]["seats"]) == 1
    assert server.http.post("/practice", json={"company": 9}).status_code == 422


def test_a_ninth_practice_table_takes_the_place_of_the_first(server: Server) -> None:
    """Nobody who practises is told that there are too many tables; what was up at the oldest went back."""
    ann = server.practice(name="Nina")
    first = ann.table
    assert ann.act("command.bet", wager="pass", amount=500).status_code == 200
    for _ in range(9):
        assert ann.post("/practice", {"house": "adelaide"}).status_code == 201
    state = told(ann, f"/tables/{first}")["state"]
    assert (state["over"], state["seats"]["1"]["up"]) == ("closed", {})


def test_a_record_is_told_step_by_step(server: Server) -> None:
    """Each act with its words, its dice and the table after it; refusals are steps too."""
    answer = server.http.post("/replays", json={"record": RECORD})
    steps = answer.json()["steps"]
    assert [step["kind"] for step in steps] == ["acted", "acted", "rolled", "refused", "rolled"]
    assert (steps[2]["dice"], steps[2]["call"][:3]) == ([4, 2], "Six")
    assert steps[2]["state"]["puck"] == 6
    assert steps[3]["line"] == "1 bet fire 5"
    assert steps[-1]["state"]["seats"]["1"]["rail"] == 9_000
    assert "Ann" in " ".join(steps[-1]["sentences"])
    later = server.http.post("/replays", json={"record": RECORD, "first": 4}).json()
    assert (later["steps"], later["last"]) == (steps[3:], 5)


def test_a_long_record_ends_where_the_engine_ends_it(server: Server) -> None:
    """Page by page, the last step is the table at the end."""
    lines = ["passline 1", "house adelaide", "sit 1 Ann 900", *["1 bet pass 5", "roll 5-6"] * 80]
    first, steps = 1, []
    while True:
        answer = server.http.post("/replays", json={"record": "\n".join(lines), "first": first}).json()
        steps += answer["steps"]
        assert len(answer["steps"]) <= STEPS_MAX
        if len(steps) == answer["last"]:
            break
        first = len(steps) + 1
    assert steps[-1]["state"]["seats"]["1"]["rail"] == 90_000 + 80 * 500


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ("passline 1\nhouse /etc/passwd\n", "house.unknown"),
        ("# hello\n\npassline 1\n# still\nhouse ../adelaide.toml\nsit 1 Ann 5\n", "house.unknown"),
        ("passline 2\n", "record.unreadable"),
        ("passline 1\nhouse adelaide\nsit 1 <script>\n", "record.unreadable"),
        ("passline 1\nhouse adelaide\nsit 1 \x1b[2J 5\n", "record.unreadable"),
        ("passline 1\nhouse adelaide\n" + "roll 3-4\n" * 4_100, "record.too_long"),
    ],
)
def test_a_record_from_afar_is_no_way_in(server: Server, record: str, code: str) -> None:
    """It names no file of the server's, and what cannot be read is told with its line."""
    answer = server.http.post("/replays", json={"record": record})
    assert (answer.status_code, answer.json()["code"]) == (422, code), answer.text


def test_a_hand_names_everybody_who_threw_it(server: Server) -> None:
    """Also the stick, who throws when no player does, and whoever takes over with a point on."""
    ann = server.practice(name="Flo", house="sydney", dice="given")
    assert ann.act("command.bet", wager="field", amount=500).status_code == 200
    assert ann.act("command.throw", roll={"first": 4, "second": 5}).status_code == 200
    names = {hand["shooter"] for hand in told(ann, f"/tables/{ann.table}/hands")}
    assert names == {"The stickperson"}
    ann.act("command.bet", wager="pass", amount=500)
    assert ann.act("command.throw", roll={"first": 2, "second": 1}).status_code == 200
    assert told(ann, f"/tables/{ann.table}/hands")[0]["shooter"] == "The stickperson, Flo"


def test_dice_that_go_on_without_a_seven_begin_another_hand(server: Server) -> None:
    """With all that was done since the last throw; the replay of one hand shows one shooter."""
    ida = server.practice(name="Ida", dice="given")
    link = ida.post(f"/tables/{ida.table}/links", {"role": "player"}).json()["link"]
    came = server.http.post("/guests", json={"name": "Jon", "link": link}).json()
    jon = type(ida)(server, came["token"], ida.table, came["person"])
    assert jon.act("command.sit", buyin=50_000).status_code == 200
    for each in (ida, jon):
        assert each.act("command.bet", wager="pass", amount=500).status_code == 200
    ida.act("command.throw", roll={"first": 5, "second": 6})
    assert jon.act("command.bet", wager="pass", amount=500).status_code == 200
    assert ida.act("command.pass_dice").status_code == 200
    ida.act("command.throw", roll={"first": 4, "second": 2})
    last, first = told(jon, f"/tables/{ida.table}/hands")
    assert [(hand["shooter"], hand["rolls"], hand["over"]) for hand in (first, last)] == [
        ("Ida", 1, True),
        ("Jon", 1, False),
    ]
    steps = [step for step in acts_of(jon, ida.table) if last["first"] <= step["at"] <= last["last"]]
    assert [step["dice"] for step in steps] == [None, None, [4, 2]]  # the bet and the pass are of the hand they led to
    assert first["last"] < last["first"]


def test_a_hand_is_carried_in_a_record_that_anybody_plays_again(server: Server) -> None:
    """To the same chips, without what was refused and without the table; of another's house or table, nothing."""
    ann = server.practice(name="Kim", dice="given")
    for first, second in ((4, 2), (3, 4), (5, 6), (2, 2)):
        ann.act("command.bet", wager="pass", amount=500)
        assert ann.act("command.bet", wager="pass", amount=7).status_code == 409
        ann.act("command.throw", roll={"first": first, "second": second})
    last, first_hand = told(ann, f"/tables/{ann.table}/hands")
    path = f"/tables/{ann.table}/hand"
    carried = told(ann, path, first=first_hand["first"], last=first_hand["last"])
    again = server.http.post("/replays", json={"record": carried["record"]}).json()
    assert [step["dice"] for step in again["steps"] if step["dice"]] == [[4, 2], [3, 4]]
    assert {step["kind"] for step in again["steps"]} == {"acted", "rolled"}
    carried = told(ann, path, first=last["first"], last=last["last"])
    again = server.http.post("/replays", json={"record": carried["record"]}).json()["steps"]
    assert again[carried["before"] - 1]["dice"] == [3, 4]
    assert again[-1]["state"]["seats"]["1"] == ann.get(f"/tables/{ann.table}").json()["state"]["seats"]["1"]
    assert server.http.get(path, params={"first": 1, "last": 9}).status_code == 401
    assert server.practice(name="Lou").get(path, params={"first": 1, "last": 9}).status_code in {403, 404}


def test_a_past_hand_and_its_proof(server: Server) -> None:
    """Hands are listed from entry to entry; the chain's lines hash to what the next one names."""
    ann = server.practice(name="Cy", dice="given")
    for first, second in ((4, 2), (3, 1), (3, 4), (5, 6), (2, 2)):
        ann.act("command.bet", wager="pass", amount=500)
        assert ann.act("command.throw", roll={"first": first, "second": second}).status_code == 200
    ann.act("command.bet", wager="nonsense", amount=500)
    hands = told(ann, f"/tables/{ann.table}/hands")
    assert [(hand["rolls"], hand["over"], hand["shooter"]) for hand in hands] == [(2, False, "Cy"), (3, True, "Cy")]
    steps = [step for step in acts_of(ann, ann.table) if hands[1]["first"] <= step["at"] <= hands[1]["last"]]
    assert [step["dice"] for step in steps if step["dice"]] == [[4, 2], [3, 1], [3, 4]]
    previous = "0" * 64
    for link in told(ann, f"/tables/{ann.table}/chain")["links"]:
        before, _, after = link["line"].rpartition(',"hash":"')
        digest = sha256(f"passline/entry/1\n{before}{after[65:]}".encode()).hexdigest()
        assert (link["previous"], digest) == (previous, link["hash"])
        previous = link["hash"]


def test_the_chain_of_a_young_table_waits_for_no_other_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page gives its hand before the first bet; that of the first player of a server waited for seconds."""
    monkeypatch.setattr(JournalReader, "read", None)
    server = Handed(tmp_path, Clock(), "strip")
    ann = server.practice(name="Di", dice="fair")
    chain = told(ann, f"/tables/{ann.table}/chain?after=0")
    assert [link["sequence"] for link in chain["links"]] == list(range(1, chain["last"] + 1))
    assert server.stop() == 0


def test_what_another_was_refused_is_not_told(server: Server) -> None:
    """A spectator sees the place of a refusal in the chain and nothing else of it."""
    hal, bob = server.account("Hal-around"), server.account("Bob-around")
    hal.table = bob.table = "open-around"
    assert hal.post("/tables", {"table": hal.table, "listed": True}).status_code == 201
    assert hal.act("command.sit", buyin=50_000).status_code == 200
    assert hal.act("command.bet", wager="pass", amount=7).status_code == 409
    mine, theirs = (told(each, f"/tables/{hal.table}/chain")["links"] for each in (hal, bob))
    assert [link["hash"] for link in mine] == [link["hash"] for link in theirs]
    assert [link["line"] is None for link in theirs].count(True) == 1
    assert "refused" in [step["kind"] for step in acts_of(hal, hal.table)]
    assert "refused" not in [step["kind"] for step in acts_of(bob, hal.table)]
    mine, theirs = (each.get(f"/tables/{hal.table}/record") for each in (hal, bob))
    assert (theirs.status_code, "bet pass 0.07" in mine.text, "bet pass 0.07" in theirs.text) == (200, True, False)


def test_the_houses_side_by_side(server: Server) -> None:
    """What differs, in a sentence each with its clause; what each house keeps of a wager, and who keeps least."""
    answer = server.http.get("/differences").json()
    houses = {each["house"] for each in answer["houses"]}
    ways = {each["path"]: each for each in answer["ways"]}
    assert ways["shooter.no_shooter"]["says"] == "Who throws when nobody will."
    assert ways["shooter.no_shooter"]["houses"]["sydney"]["value"] == "stickperson"
    for way in answer["ways"]:
        assert way["says"], way["path"]
        assert len({each["value"] for each in way["houses"].values()}) > 1 or way["houses"].keys() < houses
    wagers = {each["wager"]: each for each in answer["wagers"]}
    assert (wagers["pass"]["houses"]["adelaide"]["edge"], wagers["place_6"]["alike"]) == ("1.41%", False)
    assert "exhibit-a" not in wagers["place_6"]["best"]


@pytest.mark.parametrize("house", ["adelaide", "sydney", "exhibit-a", "crapless"])
def test_a_first_lesson_can_be_played(server: Server, house: str) -> None:
    """Every bet is taken and every throw is one that this house's table takes; what is promised is what is won."""
    for lesson in server.http.get(f"/houses/{house}/lessons").json():
        ann = server.practice(house=house, dice="given")
        won: list[int] = []
        lost = 0
        for step in lesson["steps"]:
            if step["wager"]:
                answer = ann.act("command.bet", wager=step["wager"], amount=step["amount"])
                assert step["how"], step
            else:
                assert all(f"{each['name']} wins on" in step["how"] for each in lesson["steps"][:1]), step
                answer = ann.act("command.throw", roll=dict(zip(("first", "second"), step["dice"], strict=True)))
            assert answer.status_code == 200, (lesson["lesson"], step, answer.text)
            won += [each["won"] for each in answer.json()["body"]["events"] if each["kind"] == "event.wager_won"]
            lost += sum(each["kind"] == "event.wager_lost" for each in answer.json()["body"]["events"])
        bets = [step for step in lesson["steps"] if step["wager"]]
        assert bets[-1]["wins"] in won, (won, bets)
        assert lost or lesson["lesson"] not in {"line", "place"}, "the first lesson shows that it also loses"


def test_a_guest_without_a_link_finds_what_is_listed(server: Server) -> None:
    """Somebody with a name and no account watches a table of the lobby, and no other."""
    hal = server.account("Hal-listed")
    for name, listed in (("seen", True), ("unseen", False)):
        assert hal.post("/tables", {"table": name, "listed": listed}).status_code == 201
    told_ = server.http.post("/guests", json={"name": "Gus"}).json()
    headers = {"Authorization": f"Bearer {told_['token']}"}
    assert told_["table"] is None
    assert server.http.get("/tables/seen", headers=headers).status_code == 200
    assert server.http.get("/tables/unseen", headers=headers).status_code == 404


def test_a_countdown_closes_the_bets(server: Server) -> None:
    """Only where the table wants one; after the close no bet is taken, and whoever holds the dice rolls."""
    hal = server.account("Hal-clock")
    hal.table = "clock"
    assert hal.post("/tables", {"table": "clock", "countdown": 5}).status_code == 201
    view = told(hal, "/tables/clock")
    assert (view["countdown"], view["closes_at"]) == (5, None)
    hal.act("command.sit", buyin=50_000)
    assert hal.act("command.bet", wager="pass", amount=500).status_code == 200
    view = told(hal, "/tables/clock")
    assert view["closes_at"] > view["now"]
    until = time.monotonic() + 3000
    while not told(hal, "/tables/clock")["state"]["bets_closed"]:
        assert time.monotonic() < until, "the clock did not close the bets"
        time.sleep(0.1)
    late = hal.act("command.bet", wager="field", amount=500)
    assert (late.status_code, late.json()["code"]) == (409, "table.bets_closed")
    assert hal.act("table.roll").status_code == 200
    assert not told(hal, "/tables/clock")["state"]["bets_closed"]
    assert hal.post("/tables", {"table": "hasty", "countdown": 1}).status_code == 422


def test_what_the_box_sees(server: Server) -> None:
    """Signs with their times, who has read the dice, why a throw may not count; and the shift."""
    hal = server.account("Hal-boxer")
    hal.table = "boxed"
    crew = [{"person": "hal-boxer", "role": role} for role in ("dealer", "stick")]
    assert hal.post("/tables", {"table": "boxed", "dice": "real", "house": "sydney", "staff": crew}).status_code == 201
    hal.act("command.sit", buyin=50_000)
    hal.act("command.bet", wager="pass", amount=500)
    assert told(hal, "/tables/boxed/floor")["roll"] is None
    assert hal.act("table.close_bets").status_code == 200
    assert hal.act("table.read_dice", dice=[4, 2]).status_code == 200
    floor = told(hal, "/tables/boxed/floor")
    assert (floor["roll"], floor["read_by"]) == (1, "Hal-boxer")
    assert {"reason": "off-table", "handling": "must call"}.items() <= floor["no_roll"][0].items()
    shift = told(hal, "/tables/boxed/reports/shift")
    row = dict(zip(shift["columns"], shift["rows"][0], strict=True))
    assert (row["drop"], row["crew"]) == ("500", "hal-boxer (dealer)"), row
    assert hal.get("/tables/boxed/reports/hold", params={"as_csv": True}).text.startswith("table,wager,decisions")
    assert hal.get("/tables/boxed/reports/all").status_code == 422


def test_an_example_is_told_to_its_end() -> None:
    """What ships as an example ends with the chips that a replay of the file gives."""
    path = EXAMPLES / "hot-hand.craps"
    steps, table = _steps_of_record(path.read_text(encoding="utf-8"), 1), replay(path)
    rails = {int(number): seat.rail for number, seat in steps.steps[-1].state.seats.items()}
    assert steps.last == len(steps.steps)
    assert rails == {number: seat.rail for number, seat in table.state.seats.items()}


def test_practice_does_not_stand_in_the_way_of_hosting(server: Server) -> None:
    """However often somebody practised, they open a table for others; and each practice table they close themselves."""
    ann = server.practice(name="Pia")
    for _ in range(8):
        assert ann.post("/practice", {"house": "adelaide"}).status_code == 201
    assert ann.post("/tables", {"table": "pias", "house": "sydney"}).status_code == 201
    up = told(ann, "/me")["open"]
    assert [(each["house"], each["practice"]) for each in up][-1] == ("Sydney (New South Wales)", False)
    assert len(up) == 9
    paths = [f"/practice/{up[0]['table']}", f"/practice/{up[0]['table']}", "/practice/pias"]
    assert [server.http.delete(path, headers=ann.headers).status_code for path in paths] == [204] * 3
    assert len(told(ann, "/me")["open"]) == 8


def test_who_throws_is_told_to_each_of_two(server: Server) -> None:
    """Who holds the dice keeps them with a line bet; passed, they are offered: nobody else reads that they throw."""
    hugo = server.practice(name="Hugo")
    hugo.table = "two"
    assert hugo.post("/tables", {"table": "two", "house": "sydney"}).status_code == 201
    link = hugo.post("/tables/two/links", {"role": "player"}).json()["link"]
    came = server.http.post("/guests", json={"name": "Bea", "link": link}).json()
    bea = type(hugo)(server, came["token"], "two", came["person"])
    for each in (hugo, bea):
        assert each.act("command.sit", buyin=50_000).status_code == 200
    assert hugo.act("command.shoot").status_code == 200
    now = [told(each, "/tables/two/seat")["now"] for each in (hugo, bea)]
    assert now[0].startswith("Your dice")
    assert "then wait for the dice. Hugo holds the dice, and throws with a line bet." in now[1]
    assert hugo.act("command.pass_dice").status_code == 200
    now = [told(each, "/tables/two/seat")["now"] for each in (hugo, bea)]
    assert now[0].endswith("The dice are offered to Bea.")
    assert now[1].startswith("Dice to you")
