"""A program's own hand in the dice of a server: it takes part by itself, lives on, and a house that lies is told."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from passline.client import Client, calls, hands
from passline.client.hands import LATE, Hand
from passline.client.sitting import Bot
from passline.client.witness import Heads, Witness
from passline.engine.refusals import Refusal
from passline.journal.contract import now
from passline.journal.sqlite import SqliteJournal
from passline.pit.keys import rekey
from passline.strategies.player.python import strategy_of
from passline.verify.chain import entry_hash
from tests.web.server import Server
from tests.web.test_witness import entries

if TYPE_CHECKING:
    from pathlib import Path

    from passline.client.clients import ClientTable

Answer = dict[str, Any]


def seated(client: Client) -> tuple[ClientTable, Hand]:
    """Somebody with a bet up and a hand on."""
    table = client.practice("adelaide", name="Ann")
    table.bet("pass", 10)
    hand = client.hand(table.name)
    assert hand is not None
    assert hand.is_on
    return table, hand


@pytest.mark.slow
def test_it_takes_part_by_itself_and_lives_on(server: Server, tmp_path: Path) -> None:
    """In every roll while chips are up; who starts the program again has the same hand, and the heads of before."""
    with Client(server.address, folder=tmp_path) as client:
        table, hand = seated(client)
        rolled = table.roll()
        assert [each["index"] for each in rolled.entry["body"]["hands"]] == [1]  # type: ignore[union-attr]
        table.bet("pass", 10)
        table.bet("field", 10)
        table.roll()
        hand._look()
        assert (hand.rolls, hand.wrong) == (2, [])
        assert hand._follows.heads.of(table.name)
        table.bet("field", 10)
    kept = (tmp_path / f"{hand._stream}.jsonl").read_text("utf-8")
    assert json.loads(kept.splitlines()[0])["table"] == table.name
    with Client(server.address, client.token, folder=tmp_path) as again:
        table = again.table(table.name)
        table.bet("pass", 10)  # somebody must shoot, whatever the dice did
        table.bet("field", 10)
        rolled = table.roll()
        assert [each["hand"] for each in rolled.entry["body"]["hands"]] == [1]  # type: ignore[union-attr]
        assert [each["index"] for each in rolled.entry["body"]["hands"]] == [3]  # type: ignore[union-attr]
        assert again.hand(table.name).wrong == []  # type: ignore[union-attr]


@pytest.mark.slow
def test_who_was_cut_off_under_a_closing_shows_the_value_when_back(server: Server, tmp_path: Path) -> None:
    """The table waits for it; the program that is started again has not been asked, and answers."""
    with Client(server.address, folder=tmp_path) as client:
        table, hand = seated(client)
        hand._show = lambda: None  # type: ignore[method-assign]
        assert client.send(calls.act_call(table.name, "table.roll", {}))[0] == calls.ACCEPTED
        with Client(server.address, client.token, folder=tmp_path) as again:
            back = again.hand(table.name)
            assert back is not None
            assert back.give()
            assert again.get(f"/tables/{table.name}/dice")["closing"] is None
            assert back.wrong == []


def lying(hand: Hand, lie: Callable[[str, Answer], Answer]) -> None:
    """Have the house say something else to this program: where it asks, and on the stream."""
    client, hear = hand._client, hand._hear
    right = client.get
    client.get = lambda path: lie(path, right(path))

    def heard(event: calls.StreamedEntry) -> None:
        link = {**event.entry, "line": json.dumps(event.entry) if "body" in event.entry else None}
        told = lie("/chain", {"links": [link], "heads": [event.head] if event.head else []})
        entry = json.loads(told["links"][0]["line"] or json.dumps(event.entry))
        hear(event._replace(kind=entry["kind"], entry=entry, head=next(iter(told["heads"]), None)))

    hand._hear = heard  # type: ignore[method-assign]


def another_index(path: str, told: Answer) -> Answer:
    """It asks for a value that is not due, and signs nothing of the kind."""
    for link in told.get("links", ()) if "/chain" in path else ():
        entry = json.loads(link["line"]) if link["line"] else {}
        if entry.get("kind") == "bets_closed":
            entry["body"]["hands"][0]["index"] += 1
            link["line"] = json.dumps(entry)
    return told


def later_index(path: str, told: Answer) -> Answer:
    """The same with an entry that hashes to what it says."""
    told = another_index(path, told)
    for link in told.get("links", ()) if "/chain" in path else ():
        entry = json.loads(link["line"]) if link["line"] else {}
        if entry.get("kind") == "bets_closed":
            entry["hash"] = link["hash"] = entry_hash(entry)
            link["line"] = json.dumps(entry)
    return told


def unsigned(_path: str, told: Answer) -> Answer:
    """No head of the closing but one that is forged."""
    for head in [*told.get("heads", ()), *([told["closing"]["head"]] if told.get("closing") else [])]:
        head["signature"] = "00" * 64
    return told


def without_a_head(path: str, told: Answer) -> Answer:
    """No head of the closing at all."""
    if "/chain" in path:
        told["heads"] = []
    elif told.get("closing"):
        told["closing"]["head"] = None
    return told


def another_past(path: str, told: Answer) -> Answer:
    """It shows a chain in which a bet is another than the one it answered."""
    for link in told.get("links", ()) if "/chain" in path else ():
        entry = json.loads(link["line"]) if link["line"] else {}
        if entry.get("kind") == "acted" and entry["body"]["command"]["kind"] == "command.bet":
            entry["body"]["command"]["amount"] += 100
            entry["hash"] = link["hash"] = entry_hash(entry)
            link["line"] = json.dumps(entry)
    return told


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        (another_index, "does not hash to what the house says"),
        (later_index, "is not the one that the house signed"),
        (unsigned, "the signature of entry"),
        (without_a_head, "The closing is not signed by the house"),
        (another_past, "is not what the house answered me: my wagers are not as I left them"),
    ],
)
def test_a_house_that_lies_gets_no_value_and_is_told(
    server: Server, tmp_path: Path, lie: Callable[[str, Answer], Answer], words: str
) -> None:
    """With what to keep and whom to show it."""
    with Client(server.address, folder=tmp_path) as client:
        table, hand = seated(client)
        shown: list[Any] = []
        send = hand._client.send

        def sent(call: calls.Call) -> tuple[int, Answer]:
            shown.append(call)
            return send(call)

        hand._client.send = sent
        lying(hand, lie)
        table.bet("field", 10)
        status, _ = client.send(calls.act_call(table.name, "table.roll", {}))
        assert status == 202, "the bets are closed, and the value is awaited"
        hand.show()
        assert any(words in each for each in hand.wrong), hand.wrong
        assert any(str(tmp_path) in each and "whoever licenses" in each for each in hand.wrong)
        kinds = [each.body["kind"] for each in shown if each.body]
        assert "table.show_value" not in kinds, kinds


def test_a_bet_in_ones_name_is_told_and_the_value_still_shown(server: Server, tmp_path: Path) -> None:
    """One may have a second program; a house that bets in somebody's name is told to them."""
    with Client(server.address, folder=tmp_path) as client, Client(server.address, hand=False) as other:
        table, hand = seated(client)
        other.token = client.token
        other.table(table.name).bet("field", 10)
        assert table.roll().entry["body"]["hands"]  # type: ignore[union-attr]
        hand._look()
        assert any("an act in my name that this program did not ask for" in each for each in hand.wrong)


def test_a_hand_is_on_again_by_the_next_roll(server: Server, tmp_path: Path) -> None:
    """It was taken off by another program of the same person, or will soon be spent and was not in the last roll."""
    with Client(server.address, folder=tmp_path) as client:
        table, hand = seated(client)
        own = hand._secrets
        assert own is not None
        client.send(calls.act_call(table.name, "table.hand_off", {"hand": 1, "value": own.off}))
        with hand._lock:
            hand._look()
            hand._renew()
        assert [each["hand"] for each in client.get(f"/tables/{table.name}/dice")["hands"]] == [2]
        assert hand._secrets is not None
        hand._secrets.index, hand._is_listed = LATE, False
        with hand._lock:
            hand._look()
            hand._renew()
        assert [each["hand"] for each in client.get(f"/tables/{table.name}/dice")["hands"]] == [3]
        hand.take_off()
        with hand._lock:
            hand._look()
            hand._renew()
        assert client.get(f"/tables/{table.name}/dice")["hands"] == [], "who goes away has none"


def test_who_leaves_while_the_dice_are_out_shows_the_value_first(server: Server, tmp_path: Path) -> None:
    """Nobody waits for a value of somebody who has gone, and their chips ride on without a hand."""
    with Client(server.address, folder=tmp_path) as client:
        table, hand = seated(client)
        with hand._lock:  # its stream is not heard meanwhile
            assert client.send(calls.act_call(table.name, "table.roll", {}))[0] == 202
            hand.take_off()
            assert hand.is_on
        assert not isinstance(table.leave(), Refusal)
        assert client.get(f"/tables/{table.name}/dice")["hands"] == []
        assert hand.rolls == 1


def test_who_leaves_right_after_a_roll_has_checked_it(server: Server, tmp_path: Path) -> None:
    """Also where the stream has not told of it yet."""
    with Client(server.address, folder=tmp_path) as client:
        table, hand = seated(client)
        hand._hear = lambda event: None  # type: ignore[method-assign]  # noqa: ARG005 - as it is
        table.roll()
        table.leave()
        assert hand.rolls == 1


def test_a_past_that_was_undone_behind_a_cut_line_is_told_before_the_next_bet(tmp_path: Path) -> None:
    """A house that puts a backup back shows no entry on the stream that its players follow: they ask for it."""
    running = Server(tmp_path, None)
    with running.closing(), Client(running.address, folder=tmp_path / "hands") as client:
        table, hand = seated(client)
        running.stop()
        store = SqliteJournal(tmp_path / "pit.db")
        store.backup(tmp_path / "backup.db")
        store.close()
        running.http = httpx.Client(base_url=running.address, timeout=120)
        running.restart()
        table.bet("pass", 10)
        table.bet("field", 10)
        table.roll()
        assert hand.wrong == []
        running.kill()
        for each in tmp_path.glob("pit.db*"):
            each.unlink()
        restored_from = [sys.executable, "-m", "passline", "journal", "restore", "backup.db", "pit.db"]
        subprocess.run(restored_from, cwd=tmp_path, check=True, capture_output=True)
        running.restart()
        refused = table.bet("field", 10)
        assert isinstance(refused, Refusal)
        assert refused.code == "dice.contradicted"
        assert "is not the one that the house" in hand.wrong[0], hand.wrong
        assert not any("breaks a rule" in each for each in hand.wrong), "it may have been honest"
        table.leave()
        asked = [entry["kind"] for entry in entries(client, table.name)]
        assert asked.count("refused") <= 1, "who leaves asks for no hand again and again that is not on"


def test_a_table_that_was_away_for_too_long_is_followed_again_with_the_next_bet(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the hand would be on, and nobody would show its values when others roll."""
    with Client(server.address, folder=tmp_path) as client:
        with monkeypatch.context() as away:
            away.setattr(Hand, "_follow", lambda hand, _after: setattr(hand, "_is_followed", False))
            table, hand = seated(client)
        before = hand._thread
        table.bet("field", 10)
        assert hand._thread is not before
        assert hand._thread is not None
        assert hand._thread.is_alive()


def test_who_was_told_that_a_value_did_not_arrive_knows_whether_it_had_been_taken(
    server: Server, tmp_path: Path
) -> None:
    """A phone that slept is told so; one whose value the house took, when that was by its own clock."""
    with Client(server.address, folder=tmp_path) as client:
        _, hand = seated(client)
        own, witness = hand._secrets, hand._follows
        assert own is not None
        listed = {"person": hand.person, "hand": own.hand, "index": 1}
        body = {"epoch": 1, "roll": 1, "link": "00" * 32, "hands": [], "silent": [listed]}
        void = {"sequence": witness.sequence + 1, "kind": "roll_voided", "body": body}
        with hand._lock:
            hand.check(void)
            assert len(hand.wrong) == 1
            assert "did not reach the house in time" in hand.wrong[0]
            assert re.search(r"closing reached me at \S+ and the void at \S+, both by my own clock", hand.wrong[0])
            witness.closing = hand._taken = "ab" * 32
            hand._taken_at = datetime.fromisoformat("2026-11-15T20:00:03Z")
            hand._closed_at = datetime.fromisoformat("2026-11-15T20:00:01Z")
            hand.check(void)
        assert "took my value for roll 1 at 2026-11-15T20:00:03.000+00:00 and says that it did not" in hand.wrong[1]
        assert "reached me at 2026-11-15T20:00:01.000+00:00" in hand.wrong[1]
        assert hand.wrong[2].startswith("Keep ")


def test_a_value_that_came_after_the_void_was_not_taken(server: Server, tmp_path: Path) -> None:
    """Who slept under a closing wakes, hears of it and sends the value: the house writes it to the void roll."""
    with Client(server.address, folder=tmp_path) as client:
        table, hand = seated(client)
        hand._show = lambda: None  # type: ignore[method-assign]
        assert client.send(calls.act_call(table.name, "table.roll", {}))[0] == calls.ACCEPTED
        witness, own = hand._follows, hand._secrets
        assert own is not None
        with hand._lock:
            hand._look()
            hand._act = lambda *_, **__: "value_shown"  # type: ignore[method-assign]
            Hand._show(hand)
            assert own.closing == witness.closing
            listed = {"person": hand.person, "hand": own.hand, "index": 1}
            body = {"epoch": 1, "roll": 1, "link": "00" * 32, "hands": [], "silent": [listed]}
            hand.check({"sequence": witness.sequence + 1, "kind": "roll_voided", "body": body})
        assert "did not reach the house in time" in hand.wrong[0]


def test_a_roll_that_is_left_open_is_told(server: Server, tmp_path: Path) -> None:
    """The house may write neither roll nor void: after longer than anything is awaited a program says so, once."""
    with Client(server.address, folder=tmp_path) as client:
        table, hand = seated(client)
        table.roll()
        table.bet("field", 10)
        assert hand.wrong == []
        with hand._lock:
            hand._follows.announced = {"kind": "bets_closed"}
            hand._closed_at -= timedelta(seconds=hands.OVERDUE_S)
            hand.asks("k1")
            hand.asks("k2")
            assert ["neither a roll nor a void" in each for each in hand.wrong] == [True, False]
            hand._follows.announced = None


def test_who_was_lied_to_bets_no_more_by_itself(server: Server, tmp_path: Path) -> None:
    """A program, and with it a bot, puts nothing more up on dice that the house contradicts itself about."""
    with Client(server.address, folder=tmp_path) as client:
        table, hand = seated(client)
        hand._follows.contradicts("entry 3 is not the one that the house signed.")
        refused = table.bet("field", 10)
        assert isinstance(refused, Refusal)
        assert refused.code == "dice.contradicted"
        table.take("pass")
        evening = Bot(table, strategy_of("pass_flat")).play(3, lambda *_: None)
        assert (evening.rolls, {each.code for each in evening.refused.values()}) == (0, {"dice.contradicted"})
        with Client(server.address, client.token, hand=False) as other:
            assert not isinstance(other.table(table.name).bet("field", 10), Refusal), "whoever wants to may"


def test_a_key_that_takes_anothers_place_without_its_word_is_told(server: Server, tmp_path: Path) -> None:
    """A server that was taken over signs on with a key of its own."""
    with Client(server.address, folder=tmp_path) as client:
        table, hand = seated(client)

        def another_key(path: str, told: Answer) -> Answer:
            for link in told.get("links", ())[-1:] if "/chain" in path else ():
                entry = {**json.loads(link["line"]), "kind": "signer_named", "body": {"signer": "ab" * 32}}
                link["line"] = json.dumps({**entry, "hash": link["hash"]})
            return told

        lying(hand, another_key)
        table.bet("field", 10)
        with hand._lock:
            hand._look()
        assert any("does not say that another takes its place" in each for each in hand.wrong), hand.wrong


def test_an_owed_value_is_shown_once_the_house_has_signed_that_it_did_not_arrive(
    server: Server, tmp_path: Path
) -> None:
    """A void in a journal that only this program is shown, under no signature, gets nothing."""
    with Client(server.address, folder=tmp_path) as client:
        _, hand = seated(client)
        sent: list[calls.Call] = []
        hand._client.send = lambda call: (sent.append(call), (200, {}))[1]  # type: ignore[func-returns-value]
        own, witness = hand._secrets, hand._follows
        assert own is not None
        listed = {"person": hand.person, "hand": own.hand, "index": 1}
        body = {"epoch": 1, "roll": 1, "link": "00" * 32, "hands": [], "silent": [listed]}
        with hand._lock:
            hand.check({"sequence": witness.sequence + 1, "kind": "roll_voided", "body": body})
            assert (own.void, own.index, hand.is_on) == (witness.sequence + 1, 1, False)
            hand._show_owed()
            assert sent == [], "nobody signed it"
            witness.signed = own.void
            hand._show_owed()
        assert [(call.body or {})["index"] for call in sent] == [1]
        assert own.void == 0


def test_a_hand_in_ones_name_that_is_not_ones_own_is_told(server: Server, tmp_path: Path) -> None:
    """Put on while this program has none, or by the house beside it: it makes those dice alone."""
    with Client(server.address, folder=tmp_path) as client, Client(server.address, hand=False) as other:
        table, hand = seated(client)
        hand.take_off()
        other.token = client.token
        anchor = {"hand": 2, "anchor": "ab" * 32, "off": "cd" * 32}
        assert other.send(calls.act_call(table.name, "table.hand_on", anchor))[0] == 200
        with hand._lock:
            hand._look()
        assert any("a hand in my name that this program did not give" in each for each in hand.wrong), hand.wrong
    with Client(server.address, client.token, folder=tmp_path) as again:
        assert again.hand(table.name).give() is False  # type: ignore[union-attr]
        assert any("Hand 2 is a hand in my name" in each for each in again.hand(table.name).wrong)  # type: ignore[union-attr]


def test_the_key_that_was_seen_first_is_the_houses(server: Server, tmp_path: Path) -> None:
    """Another that a table of the same server names is told, with what to do about it."""
    with Client(server.address, folder=tmp_path) as client:
        _, hand = seated(client)
        assert json.loads((tmp_path / "keys.json").read_text("utf-8"))[client.server] == hand._follows.signer
        (tmp_path / "keys.json").write_text(json.dumps({client.server: "ab" * 32}), "utf-8")
        _, hand = seated(client)
        assert any(f"saw first of {client.server} with {'ab' * 32}" in each for each in hand.wrong), hand.wrong


def test_an_heir_of_the_houses_key_is_the_house_and_another_table_under_an_old_name_is_told(tmp_path: Path) -> None:
    """To a program that is started again and checks from entry 1."""
    running = Server(tmp_path, None)
    with running.closing():
        with Client(running.address, folder=tmp_path / "hands") as client:
            table, hand = seated(client)
            before = hand._follows.signer
        running.process.terminate()
        running.process.wait()
        store = SqliteJournal(tmp_path / "pit.db")
        rekey(store, tmp_path / "keys.json", now())
        store.close()
        running.restart()
        for _ in range(2):
            with Client(running.address, client.token, folder=tmp_path / "hands") as again:
                own = again.hand(table.name)
                assert own is not None
                own.give()
                assert own.wrong == []
                assert own._follows.signers == [before, own._follows.signer]
                own.take_off()
        pinned = tmp_path / "hands" / "keys.json"
        keys = json.loads(pinned.read_text("utf-8"))
        pinned.write_text(json.dumps(keys | {f"{running.address}/tables/{table.name}": "ab" * 16}), "utf-8")
        with Client(running.address, client.token, folder=tmp_path / "hands") as again:
            other = again.hand(table.name)
            assert other is not None
            other.give()
            assert "not the table that this program knows by that name" in other.wrong[0]


@pytest.mark.parametrize(
    ("says", "word", "is_broken"),
    [
        ({"dice": "fair", "protocol": 2, "revision": 2}, "", False),
        ({"dice": "fair", "protocol": 2}, "which I do not know", True),
        ({"dice": "fair"}, "first protocol", False),
        ({"dice": "fair", "protocol": 2, "revision": 3}, "which I do not know", True),
        ({"dice": "fair", "protocol": 2, "revision": "2"}, "which I do not know", True),
        ({"dice": "given"}, "said by whoever plays", False),
        ({"dice": "real"}, "", False),
    ],
)
def test_a_table_by_an_older_page_is_told(
    server: Server, tmp_path: Path, says: dict[str, object], word: str, *, is_broken: bool
) -> None:
    """A house may open one to be counted less; where the page is unknown no hand is given."""
    with Client(server.address, folder=tmp_path) as client:
        witness = Witness(client, "t9", Heads(tmp_path / "heads.jsonl"))
        witness._signed_by({"kind": "table_opened", "body": says})
    assert (word in " ".join(witness.wrong), bool(witness.wrong), witness.is_broken) == (True, bool(word), is_broken)


def test_a_value_is_shown_for_what_the_stream_tells_without_another_request(server: Server, tmp_path: Path) -> None:
    """Closing and head come with the stream, and so does the roll: who asks for it sends two requests."""
    with Client(server.address, folder=tmp_path) as client:
        table, hand = seated(client)
        requests: list[str] = []
        send, http = client._http.request, client._http

        def sent(**request: Any) -> Any:  # noqa: ANN401 - as HTTPX has it
            requests.append(json.loads(request["content"])["kind"] if "content" in request else request["url"])
            return send(**request)

        http.request = sent  # type: ignore[method-assign, assignment]
        table.bet("field", 10)
        requests.clear()
        rolled = table.roll()
        assert rolled.entry["body"]["hands"]  # type: ignore[union-attr]
        assert sorted(requests) == ["table.roll", "table.show_value"]
        assert (hand.rolls, hand.wrong) == (1, [])
