"""Lies with every hash right: what the chain cannot see, the rules, the books, the dice and the names must."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from passline import __version__
from passline.codec import to_data
from passline.engine import commands as c
from passline.engine.events import ChipsBought
from passline.engine.evolve import evolve
from passline.engine.values import Roll
from passline.live.dice import commitment, roll
from passline.live.refusals import SENTENCES
from passline.verify.chain import Entry
from passline.verify.check import verify
from passline.verify.heads import PRIME, SMALL_ORDER, is_signed
from passline.verify.people import People
from tests.verify.building import SIGNING, STREAM, Journal, Line, evening, export, head, seed_of, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.engine.commands import Command
    from passline.verify.report import Report

    Lie = Callable[[Journal], dict[str, Any] | None]


BOUGHT = c.BuyIn(1, 10_00)


def first(journal: Journal, kind: str, at: int = 0) -> dict[str, Any]:
    """One of the entries of a kind."""
    return [entry for entry in journal.entries if entry["kind"] == kind][at]


def body(kind: str, at: int = 0, **changes: object) -> Lie:
    """Say something else in the body of an entry."""

    def lie(journal: Journal) -> dict[str, Any]:
        entry = first(journal, kind, at)
        entry["body"].update(changes)
        return entry

    return lie


def inside(kind: str, where: str, change: Callable[[dict[str, Any]], object]) -> Lie:
    """Change something deep inside the first entry that has it."""

    def lie(journal: Journal) -> dict[str, Any]:
        for entry in journal.entries:
            if entry["kind"] == kind and where in written(entry["body"]).decode():
                change(entry["body"])
                return entry
        raise AssertionError(where)

    return lie


def entry(which: str, at: int = 0, **changes: object) -> Lie:
    """Say something else in the fields of an entry."""

    def lie(journal: Journal) -> dict[str, Any]:
        found = first(journal, which, at)
        found.update(changes)
        return found

    return lie


def moved(kind: str, to: str, at: int = 0) -> Lie:
    """An entry stands where another kind begins; whatever follows from that is the fault."""

    def lie(journal: Journal) -> None:
        found = first(journal, kind, at)
        journal.entries.remove(found)
        journal.entries.insert(journal.entries.index(first(journal, to)), found)

    return lie


def gone(kind: str, at: int = 0) -> Lie:
    """An entry was never written; whatever follows from that is the fault."""

    def lie(journal: Journal) -> None:
        journal.entries.remove(first(journal, kind, at))

    return lie


def more_won(found: dict[str, Any]) -> None:
    """A winner is paid a hundred minor units more, and the postings go along."""
    event = next(each for each in found["events"] if each["kind"] == "event.wager_won")
    old = event["won"]
    event["won"] += 100
    for posting in found["postings"]:
        if posting[0] == "bank" and posting[2] == old:
            posting[2] += 100


def one_more(found: dict[str, Any]) -> None:
    """A minor unit more moves."""
    found["postings"][0][2] += 1


def nothing_moves(found: dict[str, Any]) -> None:
    """A posting of nothing."""
    found["postings"][0][2] = 0


def twice(found: dict[str, Any]) -> None:
    """The same chips move twice."""
    found["postings"] *= 2


def bet_of_the_other(found: dict[str, Any]) -> None:
    """More was asked for than happened."""
    found["command"]["amount"] += 500


def wrong_salt(found: dict[str, Any]) -> None:
    """What was read first is told otherwise."""
    found["readings"][0]["salt"] = "00" * 30


def one_less(found: dict[str, Any]) -> None:
    """The last event is not told."""
    found["events"].pop()


def no_such_bet(journal: Journal) -> dict[str, Any]:
    """A bet that the house refused stands there as taken."""
    found = first(journal, "refused")
    found.update(kind="acted", body={"command": found["body"]["command"], "events": [], "postings": []})
    return found


def refused_for_nothing(journal: Journal) -> dict[str, Any]:
    """A buy-in that nobody could refuse stands there as refused."""
    journal.entries.append(deepcopy(first(journal, "refused")))
    journal.entries[-1].update(key="new", actor="ann")
    journal.entries[-1]["body"]["command"] = to_data(c.BuyIn(1, 10_00))
    return journal.entries[-1]


def other_commitment(journal: Journal) -> None:
    """The house is committed to what it never shows."""
    body("seed_committed", commitment=commitment(STREAM, 1, bytes(32)).hex())(journal)


def taken_by_a_player(journal: Journal) -> dict[str, Any]:
    """A table is the program's to take."""
    return journal.add("table_taken", {"fence": 1, "owner": "ann"}, "ann", "player", "new")


def without(kind: str, name: str) -> Lie:
    """An entry that leaves a field out."""

    def lie(journal: Journal) -> dict[str, Any]:
        found = first(journal, kind)
        del found["body"][name]
        return found

    return lie


def forged(code: str, command: Command | None = BOUGHT, asked: object = None, role: str = "player") -> Lie:
    """Something that nobody could refuse stands there as refused, with this code."""

    def lie(journal: Journal) -> dict[str, Any]:
        refusal = {"kind": "refusal", "v": 1, "code": code, "message": "No.", "clause": None, "seat": None}
        said = {"command": command and to_data(command), "asked": asked, "refusal": refusal}
        return journal.add("refused", said, "ann", role, "new")

    return lie


def by_another(kind: type[c.Bet | c.Leave]) -> Lie:
    """What Bob did at his seat stands there under Ann's name: whose chips moved is not who asked."""

    def lie(journal: Journal) -> dict[str, Any]:
        return journal.act(c.Leave(2) if kind is c.Leave else c.Bet(2, "field", 10_00), "ann")

    return lie


OWN_CODES = [
    code.removeprefix("table.") for code in SENTENCES if code != "table.bets_closed" and not code.endswith("_wallet")
]
"""What a live table refuses by itself, but for closed bets and wallets."""

MISSING = [
    ("roll_voided", "returned"),
    ("table_counted", "snapshot"),
    ("rolled", "readings"),
    ("seed_revealed", "owing"),
    ("mix_frozen", "seeds"),
    ("acted", "postings"),
    ("refused", "asked"),
]
"""Fields that nothing else looks at in every kind of entry."""

VOID = {"reason": "a dispute", "second": "cid", "returned": True}

LIES: dict[str, tuple[Lie, str, str]] = {
    "a winner is paid more": (inside("rolled", "wager_won", more_won), "body.events[", "by the house file it is"),
    "a posting is larger": (inside("acted", "wager_up", one_more), "body.postings[0]", "the events ask for"),
    "a posting moves nothing": (inside("acted", "wager_up", nothing_moves), "body.postings[0]", "0 is no amount"),
    "a posting more": (inside("acted", "wager_up", twice), "body.postings", "there are 2"),
    "the books go along with a lie": (inside("rolled", "wager_won", more_won), "body.events", "by the house file"),
    "a bet was larger": (inside("acted", "command.bet", bet_of_the_other), "body.events[0]", "by the house file"),
    "the dice were others": (body("rolled", dice=[6, 6]), "body.dice", "shows [6, 6]"),
    "a refusal says otherwise": (
        inside("refused", "refusal", lambda found: found["refusal"].update(message="No.")),
        "body.refusal",
        "the house says",
    ),
    "an event is left out": (inside("rolled", "wager_lost", one_less), "body.events", "there are"),
    "the house took what it refuses": (no_such_bet, "body.command", "the house refuses it: "),
    "the house refused what it takes": (refused_for_nothing, "body.refusal", "the house allows it"),
    "a roll has another number": (body("rolled", roll=7), "body.roll", "it says 7"),
    "an epoch has another number": (body("seed_committed", 1, epoch=3), "body.epoch", "where 2 is due"),
    "another commitment of the house": (other_commitment, "body", "not the seed"),
    "another seed of the house": (body("seed_revealed", seed="00" * 32), "body.seed", "committed to in epoch 1"),
    "more rolls than were dealt": (body("seed_revealed", rolls=99), "body.rolls", "it says 99"),
    "somebody owes a seed who does not": (body("seed_revealed", owing=["bob"]), "body.owing", "it says ['bob']"),
    "another seed of a player": (body("player_seed_revealed", seed="00" * 32), "body", "this is not the seed ann"),
    "another mix": (body("mix_frozen", mix="00" * 32), "body.mix", "the seeds come to"),
    "the mix leaves a seed out": (body("mix_frozen", seeds=[]), "body.seeds", "not those that were shown"),
    "a promise after a seed was shown": (
        moved("player_seed_committed", "mix_frozen"),
        "body",
        "ann is not committed to a seed",
    ),
    "a seed shown after the mix": (moved("player_seed_revealed", "bets_closed", 1), "body", "bob must show a seed"),
    "a seed never shown": (gone("player_seed_revealed"), "body", "ann must show a seed"),
    "the next epoch is not committed to": (moved("seed_committed", "bets_closed", 1), "kind", "committed to epoch 2"),
    "somebody bets before the commitment": (moved("acted", "seed_committed"), "kind", "before the house is committed"),
    "bets never closed": (gone("bets_closed"), "body.command", "the house refuses it: table.dice_drawn"),
    "a bet after the close": (moved("acted", "rolled", 5), "body.command", "the house refuses it: table.bets_closed"),
    "a roll was taken out": (gone("rolled", 2), "kind", "and the table waits"),
    "a key has two effects": (entry("acted", 3, key="k3"), "key", "had its effect in entry"),
    "another house": (entry("acted", 3, house="ab" * 32), "house", "the house file of this table"),
    "nobody did it": (entry("acted", 3, actor=" "), "actor", "nobody is named"),
    "no such role": (entry("acted", 3, role="owner"), "role", "no role"),
    "no such kind": (entry("acted", 3, kind="gifted"), "kind", "no kind of entry"),
    "no such version": (entry("acted", 3, v=2), "v", "version 2"),
    "no such time": (entry("acted", 3, time="yesterday"), "time", "no time"),
    "one person voids": (body("roll_voided", people=["bea"]), "body.people", "the house refuses it"),
    "the same person twice": (body("roll_voided", people=["bea", "bea"]), "body.people", "table.two_people"),
    "a void without a reason": (body("roll_voided", reason=" "), "body.reason", "nobody says why"),
    "a count of another table": (body("table_counted", state="00" * 32), "body.state", "the state of this table"),
    "a count of other accounts": (body("table_counted", accounts="00" * 32), "body.accounts", "the accounts of this"),
    "a field more": (entry("acted", 3, note="x"), "entry", "its fields are not"),
    "another rolled": (entry("rolled", 1, actor="bob"), "actor", "asked for by ann"),
    "another role rolled": (entry("rolled", 1, role="dealer"), "role", "asked for by player"),
    "nobody voids, and nothing goes back": (
        body("roll_voided", people=[], commands=[], events=[], postings=[]),
        "body.commands",
        "there are 0, and by the house file 1",
    ),
    "stakes go back and nobody asked": (
        body("roll_voided", returned=False),
        "body.commands",
        "by the house file 0",
    ),
    "one person in capitals": (body("roll_voided", people=["bea", "BEA"]), "body.people", "table.two_people"),
    **{
        f"nothing said of {name} in {kind}": (without(kind, name), "body", f"{name} is missing, which {kind} says")
        for kind, name in MISSING
    },
    "a bet with another's chips": (by_another(c.Bet), "actor", "table.other_seat"),
    "another's seat given up": (by_another(c.Leave), "actor", "table.other_seat"),
    "two others void": (
        body("roll_voided", people=["cid", "dan"]),
        "body.people",
        "by the house file it is ['bea', 'cid']",
    ),
    "one person by two names": (body("roll_voided", people=["bea", "bea\u200b"]), "body.people", "table.two_people"),
    "a player takes the table": (taken_by_a_player, "role", "the program writes table_taken"),
    "a body says more": (body("acted", 3, tip=5), "body", "tip is nothing that acted says"),
    "no program": (inside("table_opened", "program", lambda found: found.pop("program")), "body", "program is missing"),
    "another minor unit": (body("table_opened", grain=10), "body.grain", "a unit has 100"),
    "half a chip": (body("table_opened", chips=[100, "250"]), "body.chips", "no list of chips"),
    "a body that is none": (entry("acted", 3, body=7), "body", "cannot be followed"),
    **{
        f"refused for nothing: {code}": (forged(f"table.{code}"), "body.refusal", "the house allows it")
        for code in OWN_CODES
    },
    "refused for another's wallet": (forged("table.other_wallet"), "body.refusal", "it says table.other_wallet"),
    "a bet refused for a wallet": (
        forged("table.short_wallet", c.Bet(1, "field", 10_00)),
        "body.refusal",
        "the house allows it",
    ),
    "the bets are said to be closed": (forged("table.bets_closed"), "body.refusal", "the house allows it"),
    "a void refused for another reason": (
        forged("table.two_people", None, {"void": VOID}, "box"),
        "body.refusal",
        "the house says table.not_closed",
    ),
    "a player's void refused for another reason": (
        forged("table.two_people", None, {"void": VOID}),
        "body.refusal",
        "the house says table.role",
    ),
    "a close refused though nothing stands against it": (
        forged("floor.still_there", None, {"close": {"hosted": False}}, "box"),
        "body.refusal",
        "it says floor.still_there",
    ),
    "no such code": (forged("table.mood"), "body.refusal", "it says table.mood, and the house allows it"),
    "nothing was asked": (forged("table.mood", None), "body.asked", "not what was asked for"),
    "an event that is none": (body("acted", 3, events=[{"kind": "event.gift", "v": 1}]), "body", "cannot be followed"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_found_in_its_entry(name: str) -> None:
    """With the sequence and the field."""
    lie, field, what = LIES[name]
    journal = evening(rolls=4)
    changed = lie(journal)
    report = verify(export(journal))
    found = [fault for fault in report.faults if fault.field.startswith(field) and what in fault.what]
    assert found, report.lines()
    if changed is not None:
        assert journal.entries.index(changed) + 1 in {fault.sequence for fault in found}, report.lines()


def test_dice_that_the_seeds_do_not_make_are_found_in_their_roll() -> None:
    """Everything else about the roll is in order: the house threw what it liked."""
    journal = Journal()
    journal.commit(1)
    journal.commit(2)
    journal.freeze(1)
    journal.act(c.Sit(1, "Ann", 100_00))
    journal.act(c.Bet(1, "pass", 10_00))
    journal.act(c.Shoot(1))
    due = roll(seed_of("house", 1), STREAM, 1, 1, journal.mix)
    liar = journal.roll(Roll(7 - due.first, due.second))
    assert verify(export(journal)).counts["waiting_rolls"] == 1
    journal.reveal(1)
    faults = verify(export(journal)).faults
    assert [(fault.sequence, fault.field) for fault in faults] == [(journal.entries.index(liar) + 1, "body.dice")]


# --- Rarer things: true first, then not -------------------------------------------------------------------------------


def told(*journals: Journal) -> list[str]:
    """The faults of an export."""
    return [str(fault) for fault in verify(export(*journals)).faults]


def lost_epoch() -> Journal:
    """Bob promises a seed to epoch 1 and does not show it; epoch 2 is dealt without him."""
    journal = Journal()
    journal.commit(1)
    journal.commit(2)
    journal.act(c.Sit(1, "Ann", 100_00))
    journal.promise(2, "bob")
    journal.promise(1, "ann")
    journal.promise(1, "bob")
    journal.show(1, "ann")
    journal.reveal(1, 0, ["bob"])
    journal.commit(3)
    journal.freeze(2)
    journal.act(c.Bet(1, "pass", 10_00))
    journal.act(c.Shoot(1))
    journal.roll()
    journal.reveal(2)
    return journal


def test_an_epoch_that_nobody_could_deal_is_counted() -> None:
    """It ends without a roll, and the seed that Bob promised to the next one does not count."""
    report = verify(export(lost_epoch()))
    assert report.faults == []
    assert (report.counts["empty_epochs"], report.counts["epochs"], report.counts["rolls"]) == (1, 2, 1)


def test_who_owed_a_seed_promises_none_any_more() -> None:
    """Not to any later epoch of the table."""
    journal = lost_epoch()
    journal.promise(3, "bob")
    assert any("bob did not show a seed that was promised" in fault for fault in told(journal))


def steered(*, mixed: bool, program: str = __version__) -> Journal:
    """With a bet up the house shows a seed before its time, and deals out of one it likes better."""
    journal = Journal()
    journal.entries[0]["body"]["program"] = program
    journal.commit(1)
    journal.commit(2)
    if mixed:
        journal.freeze(1)
    journal.act(c.Sit(1, "Ann", 100_00))
    journal.act(c.Bet(1, "pass", 10_00))
    journal.act(c.Shoot(1))
    journal.reveal(1, 0)
    journal.commit(3)
    journal.freeze(2)
    journal.rolls = 0
    return journal


@pytest.mark.parametrize("mixed", [True, False])
def test_an_epoch_that_is_ended_with_bets_up_is_found(*, mixed: bool) -> None:
    """It is no fault until somebody deals on: a table may be over; of an older program it is told."""
    journal = steered(mixed=mixed)
    assert told(journal) == []
    journal.roll()
    (fault,) = told(journal)
    assert "epoch 1 was ended with bets up, after 0 rolls: its next dice were [" in fault
    older = steered(mixed=mixed, program="0.2.0.dev1")
    older.roll()
    report = verify(export(older))
    assert report.holds
    assert any("epoch 1 was ended with bets up" in each for each in report.open)


def struck_out() -> Journal:
    """A roll that two people struck out."""
    journal = evening(rolls=3, epochs=1)
    journal.freeze(2)
    journal.act(c.Bet(1, "pass", 10_00))
    journal.act(c.Shoot(1))
    journal.roll()
    journal.correct(len(journal.entries))
    return journal


def test_a_correction_by_two_people_holds() -> None:
    """The roll is still in the journal, and so is its reversal."""
    report = verify(export(struck_out()))
    assert report.faults == []
    assert report.counts["corrections"] == 2


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"people": ["bea"]}, "body.people"),
        ({"reason": ""}, "body.reason"),
        ({"reverses": 4}, "body.command: it says {'kind': 'command.strike_out'"),
        ({"postings": []}, "body.postings"),
    ],
)
def test_a_correction_that_is_not_in_order_is_found(changes: dict[str, Any], what: str) -> None:
    """One person, no reason, another entry, no money."""
    journal = struck_out()
    first(journal, "corrected")["body"].update(changes)
    assert any(what in fault for fault in told(journal))


def bought_back() -> Journal:
    """Chips that were booked to the wrong seat are taken back."""
    journal = Journal(dice="given")
    journal.act(c.Sit(1, "Ann", 100_00))
    journal.act(c.BuyIn(1, 50_00), "cid", "dealer")
    event = ChipsBought(1, -50_00)
    journal.state = evolve(journal.state, (event,))
    made = {"reverses": 3, "reason": "another seat's", "people": ["bea", "cid"], "command": None}
    journal.add("corrected", {**made, **journal.booked([event])}, "bea", "supervisor")
    return journal


def test_chips_bought_by_mistake_are_taken_back_once() -> None:
    """By the amount that was bought."""
    journal = bought_back()
    assert told(journal) == []
    journal.entries[-1]["body"]["events"] = [to_data(ChipsBought(1, -49_00))]
    assert any("body.events[0]" in fault for fault in told(journal))
    again = bought_back()
    again.entries.append(dict(again.entries[-1]))
    assert any("table.correction" in fault for fault in told(again))


def test_a_struck_out_roll_needs_two_people_where_dice_are_not_given() -> None:
    """At home one person may."""
    for dice, allowed in (("fair", False), ("given", True)):
        journal = Journal(dice=dice)
        if dice == "fair":
            journal.commit(1)
            journal.commit(2)
            journal.freeze(1)
        journal.act(c.Sit(1, "Ann", 100_00))
        journal.act(c.Bet(1, "pass", 10_00))
        journal.act(c.Shoot(1))
        journal.roll(None if dice == "fair" else Roll(4, 2))
        journal.act(c.StrikeOut("cocked"), "bea", "box")
        assert any("two people" in fault for fault in told(journal)) != allowed


# --- Real dice --------------------------------------------------------------------------------------------------------


def read_by(actor: str, dice: str) -> tuple[str, dict[str, Any]]:
    """A commitment to what somebody read, and the reading."""
    salt, faces = seed_of(actor)[:30], [int(face) for face in dice.split("-")]
    made = sha256(b"passline/reading/1\n" + salt + bytes(faces)).hexdigest()
    return made, {"actor": actor, "dice": faces, "salt": salt.hex()}


def with_real_dice(second: str = "bea", read: str = "4-2") -> Journal:
    """Two people disagree, read again, and agree."""
    journal = Journal(dice="real")
    journal.act(c.Sit(1, "Ann", 100_00))
    journal.act(c.Bet(1, "pass", 10_00))
    journal.act(c.Shoot(1))
    journal.add("bets_closed", {"epoch": 0, "roll": 1, "asked": None}, "sam", "stick")
    (one, sams), (_, beas) = read_by("sam", "4-2"), read_by("bea", "4-3")
    journal.add("dice_entered", {"roll": 1, "commitment": one}, "sam", "stick")
    journal.add("dice_disagreed", {"roll": 1, "readings": [sams, beas]}, "bea", "box")
    journal.add("dice_entered", {"roll": 1, "commitment": one}, "sam", "stick")
    _, theirs = read_by(second, read)
    command = c.Throw(Roll(4, 2))
    made = {"epoch": 0, "roll": 1, "dice": [4, 2], "command": to_data(command), "readings": [sams, theirs]}
    journal.add("rolled", {**made, **journal.happened([command])}, "bea", "box")
    return journal


def test_dice_that_two_people_read_hold() -> None:
    """After they had disagreed once."""
    report = verify(export(with_real_dice()))
    assert report.faults == []
    assert report.counts["read_rolls"] == 1


@pytest.mark.parametrize(
    ("journal", "what"),
    [
        (lambda: with_real_dice(second="sam"), "body.readings[1]: it says"),
        (lambda: with_real_dice(read="4-3"), "it is rolled, and by the house file dice_disagreed"),
    ],
)
def test_dice_that_two_people_did_not_read_alike_are_found(journal: Callable[[], Journal], what: str) -> None:
    """One person twice, or two who differ."""
    assert any(what in fault for fault in told(journal()))


def test_a_first_reading_cannot_be_changed_after_the_second() -> None:
    """Its commitment was in before."""
    journal = with_real_dice()
    wrong_salt(first(journal, "rolled")["body"])
    assert any("sam had entered something else" in fault for fault in told(journal))


# --- The end of a table, and the cage ---------------------------------------------------------------------------------


def closed(*, returned: bool, shown: bool = True) -> Journal:
    """A table that closes after one bet."""
    journal = Journal()
    journal.commit(1)
    journal.commit(2)
    journal.freeze(1)
    journal.act(c.Sit(1, "Ann", 100_00))
    journal.act(c.Bet(1, "pass", 10_00))
    if returned:
        journal.act(c.ReturnAll("closing"), "bea", "supervisor")
    if shown:
        journal.reveal(1)
        journal.reveal(2, 0)
    journal.add("table_closed", {})
    return journal


def test_a_table_closes_when_nothing_is_open() -> None:
    """Every stake decided or returned, every seed shown, nothing after it."""
    assert told(closed(returned=True)) == []
    assert any("the house refuses it: floor.still_up" in fault for fault in told(closed(returned=False)))
    assert any("seeds of epochs [1, 2] were never shown" in fault for fault in told(closed(returned=True, shown=False)))
    journal = closed(returned=True)
    journal.act(c.BuyIn(1, 10_00))
    assert any("acted follows table_closed" in fault for fault in told(journal))


def test_a_roll_that_is_announced_and_not_dealt_is_told() -> None:
    """It is no fault of a table that is still open."""
    journal = evening(rolls=2, epochs=1)
    journal.freeze(2)
    journal.act(c.Bet(1, "pass", 10_00))
    journal.act(c.Shoot(1))
    journal.add("bets_closed", {"epoch": 2, "roll": 1, "asked": None})
    report = verify(export(journal))
    assert report.holds
    since = "2026-11-15T20:00:40Z, entry 40"
    assert report.open == [f"t1: roll 1 of epoch 2 is announced since {since}, and not dealt"]
    assert report.counts["waiting_rolls"] == 0


def with_a_cage(amount: int = 100_00) -> tuple[Journal, Journal]:
    """Money comes in, goes to a table, and is chips there."""
    table = Journal(dice="given")
    table.act(c.Sit(1, "Ann", 100_00))["body"]["wallet"] = "ann"
    cage = Journal(dice="given", name="cage")
    cage.house, cage.accounts, cage.entries = "0" * 64, {}, []
    cage.add("cage_opened", {"stream": STREAM, "program": "0.1.0"})
    for act, postings, link in (
        ("pay_in", ["cash", "wallet/ann", amount], (None, None)),
        ("buy_in", ["wallet/ann", "tables", amount], ("t1", 2)),
    ):
        said = {"act": act, "player": "ann", "amount": amount, "postings": [postings]}
        cage.add("cage_acted", {**said, "table": link[0], "sequence": link[1]}, "cid", "dealer")
    cage.accounts = {"cash": -amount, "tables": amount}
    return table, cage


def test_the_cage_agrees_with_its_tables() -> None:
    """What was bought there is what came here."""
    report = verify(export(*with_a_cage()))
    assert report.faults == []
    assert report.counts["cage_acts"] == 2
    assert any("9900 to the table is not what entry 2 of t1 says" in fault for fault in told(*with_a_cage(99_00)))


def test_nobody_pays_out_of_anothers_wallet() -> None:
    """The wallet of an act is that of whoever acts."""
    table, cage = with_a_cage()
    assert told(table, cage) == []
    table.entries[-1]["actor"] = "bob"
    assert any("body.wallet: it says ann, and by the house file it is bob" in fault for fault in told(table, cage))


def test_no_wallet_is_paid_for_chips_that_came_out_of_none() -> None:
    """Neither where they may, nor at a table hosted for wallets, where chips come out of nothing else."""
    table, cage = with_a_cage()
    table.act(c.Sit(2, "Bob", 500_00), "bob")
    table.act(c.Leave(2), "bob")
    said = {"act": "colour_up", "player": "bob", "amount": 500_00, "postings": [["tables", "wallet/bob", 500_00]]}
    cage.add("cage_acted", {**said, "table": "t1", "sequence": 4}, "cid", "dealer")
    cage.accounts |= {"tables": -400_00, "wallet/bob": 500_00}
    assert any("-50000 to the table is not what entry 4 of t1 says of bob" in fault for fault in told(table, cage))
    people = with_people()
    about = {"table": "t1", "practice": False, "listed": True, "wallets": True}
    people.add("people_acted", {"act": "table_hosted", "person": "ann", "about": about}, "ann", "player")
    assert any("50000 came out of no wallet, and the table is hosted" in fault for fault in told(table, cage, people))


def test_a_table_does_not_close_over_what_is_a_wallets() -> None:
    """Whoever closes it."""
    table, cage = with_a_cage()
    table.add("table_closed", {})
    assert any("the table closes, and 10000 of ann's went back to no wallet" in fault for fault in told(table, cage))


def test_what_the_export_speaks_of_and_leaves_out_is_told() -> None:
    """In the last line too: an inspector may read no other."""
    table, _ = with_a_cage()
    report = verify(export(table))
    assert report.holds
    assert report.open == ["cage: entries of others go by it, and it is not here"]
    assert "; not in the export: cage" in report.lines()[-1]


@pytest.mark.parametrize("kind", ["player_seed_committed", "player_seed_revealed"])
@pytest.mark.parametrize("who", [("bob", "player"), ("house", "house")])
def test_nobody_gives_a_seed_in_a_players_place(kind: str, who: tuple[str, str]) -> None:
    """Not the house either: the seed is what the player has against it."""
    journal = evening(rolls=2, epochs=1)
    found = next(entry for entry in journal.entries if entry["kind"] == kind)
    found["actor"], found["role"] = who
    assert any(f"it is {found['body']['player']}'s, and {who[0]} gives it" in fault for fault in told(journal))


@pytest.mark.parametrize("kind", ["seed_committed", "mix_frozen", "seed_revealed"])
def test_what_the_program_writes_nobody_else_does(kind: str) -> None:
    """Seeds of the house, above all."""
    journal = evening(rolls=2, epochs=1)
    found = next(entry for entry in journal.entries if entry["kind"] == kind)
    found["actor"], found["role"] = "bob", "player"
    assert any(f"the program writes {kind}, and nobody else" in fault for fault in told(journal))


def test_the_book_is_named_and_one_that_only_calls_itself_ours_is_told() -> None:
    """A house that cheats by its file must show the file; whoever reads one line alone learns of it."""
    ours = verify(export(evening(rolls=2, epochs=1)))
    assert any(line.startswith("book: adelaide, as this program has it, sha256 ") for line in ours.lines())
    journal = Journal(dice="given")
    text = journal.entries[0]["body"]["house"] + "# ours\n"
    journal.entries[0]["body"]["house"], digest = text, sha256(text.encode()).hexdigest()
    for entry in journal.entries:
        entry["house"] = digest
    report = verify(export(journal))
    assert report.holds
    assert (
        "by a house file that this program does not have, t1: adelaide, NOT as this program has it"
        in report.lines()[-1]
    )
    assert report.to_json()["books"] == [{"house": "adelaide", "digest": digest, "known": "other", "tables": ["t1"]}]


def test_an_answer_that_somebody_kept_is_a_receipt() -> None:
    """It stands there as it was given, or the chain was written anew, cut off, or the receipt is none."""
    journal = evening(rolls=2, epochs=1)
    kept = journal.chained()[3]
    report = verify(export(journal), [kept])
    assert report.holds
    assert report.counts["receipts"] == 1
    assert any("does not hash to" in str(each) for each in verify(export(journal), [{**kept, "key": "k"}]).faults)
    other = deepcopy(journal)
    other.entries[2]["time"] = "2026-11-15T20:00:02.5Z"
    assert any("it was rewritten" in str(each) for each in verify(export(other), [kept]).faults)
    other.entries[3:] = []
    assert any("given this entry, and it is not here" in str(each) for each in verify(export(other), [kept]).faults)


def with_people(**grant: object) -> Journal:
    """Ann is known, and gives Bob a role."""
    people = Journal(dice="given", name="people")
    people.house, people.accounts, people.entries = "0" * 64, {}, []
    people.add("people_opened", {"stream": STREAM, "program": "0.1.0"})
    for person in ("ann", "bob", "cid"):
        about: dict[str, object] = {"name": person, "guest": True}
        people.add("people_acted", {"act": "person_added", "person": person, "about": about})
    for person in ("ann", "cid"):
        about = {"role": "supervisor", "table": None, "second": None, "reason": "opens the pit"}
        people.add("people_acted", {"act": "role_granted", "person": person, "about": about})
    about = {"role": "box", "table": None, "second": "cid", "reason": "new crew", **grant}
    people.add("people_acted", {"act": "role_granted", "person": "bob", "about": about}, "ann", "supervisor")
    return people


def test_a_role_is_granted_by_two_people_with_a_reason() -> None:
    """By nobody twice, and never without saying why; nobody unknown is named anything."""
    assert verify(export(with_people())).faults == []
    for second in (None, "", "ann", "ann\u200b"):
        assert any("are not two people" in fault for fault in told(with_people(second=second)))
    assert any("nobody says why" in fault for fault in told(with_people(reason=" ")))
    people = with_people()
    people.add("people_acted", {"act": "role_revoked", "person": "eve", "about": {}}, "ann", "supervisor")
    assert any("nobody has added eve" in fault for fault in told(people))


@pytest.mark.parametrize(
    ("act", "about", "who", "says"),
    [
        ("password_set", {}, ("bob", "player"), "password_set is of ann, and bob does it"),
        ("token_issued", {"token": "t"}, ("bob", "player"), "token_issued is of ann, and bob does it"),
        ("table_hosted", {"table": "t1"}, ("ann", "player"), "t1 is cid's already"),
        ("password_set", {}, ("bob", "house"), "acts as the house, and nobody else does"),
    ],
)
def test_what_is_ones_own_nobody_else_does(act: str, about: Line, who: tuple[str, str], says: str) -> None:
    """A sign-in, a password, a table; nor does anybody call themselves the house."""
    people = with_people()
    there = {"table": "t1", "practice": False, "listed": True, "wallets": False}
    people.add("people_acted", {"act": "table_hosted", "person": "cid", "about": there}, "cid", "player")
    assert told(people) == []
    people.add("people_acted", {"act": act, "person": "ann", "about": {**there, **about}}, *who)
    assert any(says in fault for fault in told(people))


def test_at_a_table_of_the_pit_everybody_sits_under_their_own_name() -> None:
    """Somebody else's, or one that nobody else has, would hide who plays; the regulars are the house's."""
    people = with_people()
    there = {"table": "t1", "practice": False, "listed": True, "wallets": False}
    people.add("people_acted", {"act": "table_hosted", "person": "cid", "about": there}, "cid", "player")
    table = Journal(dice="given")
    table.act(c.Sit(1, "Ann", 100_00), "ann")
    table.act(c.Sit(2, "Rosa", 100_00), "house")
    assert told(table, people) == []
    table.act(c.Sit(3, "Cyrus", 100_00), "bob")
    assert any("bob sits down as Cyrus" in fault for fault in told(table, people))


@pytest.mark.parametrize("wallets", [True, False])
def test_for_play_money_a_guest_may_leave_out_their_number(wallets: bool) -> None:  # noqa: FBT001 - both ways
    """The one that tells guests of one name apart; for the house's money it stays."""
    people = with_people()
    people.add("people_acted", {"act": "person_added", "person": "ann-2", "about": {"name": "Ann-2", "guest": True}})
    there = {"table": "t1", "practice": False, "listed": False, "wallets": wallets}
    people.add("people_acted", {"act": "table_hosted", "person": "ann-2", "about": there}, "ann-2", "player")
    table = Journal(dice="given")
    table.act(c.Sit(1, "Ann", 100_00), "ann-2")
    named = [fault for fault in told(table, people) if "ann-2 sits down as Ann" in fault]
    assert bool(named) is wallets


def test_an_approval_is_anothers_for_one_table_and_counts_once() -> None:
    """As of the entry that is named, by whoever made use of it."""
    people = with_people()
    approval = {"token": "x", "purpose": "approval", "table": "t1", "what": "table.void"}
    people.add("people_acted", {"act": "token_issued", "person": "cid", "about": approval}, "cid", "supervisor")
    people.add("people_acted", {"act": "token_revoked", "person": "cid", "about": {"token": "x"}}, "ann", "supervisor")
    roster, lines = People(Counter()), people.chained()
    for number, line in enumerate(lines, start=1):
        assert list(roster.see(Entry(line, number))) == []
    last = len(lines)
    for wrong in (("bob", "t1", "ann", last), ("cid", "t2", "ann", last), ("cid", "t1", "bob", last)):
        assert not roster.agreed(*wrong)
    assert not roster.agreed("cid", "t1", "ann", last - 1)
    assert roster.agreed("cid", "t1", "ann", last)
    assert not roster.agreed("cid", "t1", "ann", last)


def test_a_stream_says_once_who_signs_it() -> None:
    """The program does, in the house's own streams; a head of any other key is found."""
    named = {"signer": SIGNING.public_key().public_bytes_raw().hex()}
    people = with_people()
    people.add("signer_named", named, key="signer")
    assert told(people) == []
    other = deepcopy(people)
    last = other.chained()[-1]
    lines = [*export(other)[:-1], written({"heads": [head(last, Ed25519PrivateKey.generate())]}) + b"\n"]
    assert any("was opened to be signed with" in str(fault) for fault in verify(lines).faults)
    for wrong in (None, 7, "x"):
        lie = with_people()
        lie.add("signer_named", {"signer": wrong})
        assert any("is no 32 bytes" in fault for fault in told(lie))
    people.add("signer_named", {"signer": "0" * 64})
    assert any("signs it, and does not say that" in fault for fault in told(people))
    said = with_people()
    said.add("signer_named", named, "ann", "supervisor")
    assert any("the program says who signs" in fault for fault in told(said))
    table = evening(rolls=2, epochs=1)
    table.add("signer_named", named)
    assert any("a table says who signs it when it is opened" in fault for fault in told(table))


def gone_with_a_bet(*, paid: bool, to: str = "ann") -> tuple[Journal, Journal]:
    """Ann, who bought in from her wallet, leaves with a bet up; it is lost, and what is left of her chips goes back."""
    table, cage = with_a_cage()
    table.act(c.Sit(2, "Bob", 100_00), "bob")
    table.act(c.Bet(2, "pass", 10_00), "bob")
    table.act(c.Shoot(2), "bob")
    table.roll(Roll(4, 2))
    table.act(c.Bet(1, "place_8", 60_00))
    table.act(c.Leave(1))
    left = len(table.entries)
    table.roll(Roll(4, 4))
    table.roll(Roll(3, 4))
    for sequence, amount in ((left, 40_00), (len(table.entries), 70_00)):
        if sequence == left or paid:
            said = {
                "act": "colour_up",
                "player": to,
                "amount": amount,
                "postings": [["tables", f"wallet/{to}", amount]],
            }
            cage.add("cage_acted", {**said, "table": "t1", "sequence": sequence}, "cid", "dealer")
            cage.accounts["tables"] -= amount
            cage.accounts[f"wallet/{to}"] = cage.accounts.get(f"wallet/{to}", 0) + amount
    return table, cage


def test_chips_from_a_wallet_come_back_to_it() -> None:
    """What is won after somebody has left is theirs too, and nobody else's."""
    assert told(*gone_with_a_bet(paid=True)) == []
    assert [fault.rpartition(": ")[2] for fault in told(*gone_with_a_bet(paid=False))] == [
        "7000 of ann's went back to no wallet"
    ]
    assert any("entry 8 of t1 says of eve" in fault for fault in told(*gone_with_a_bet(paid=True, to="eve")))


def test_an_act_at_the_cage_moves_what_it_says_and_once() -> None:
    """Its posting follows from it, and an entry of a table is the other side of one act only."""
    table, cage = with_a_cage()
    cage.entries[1]["body"]["postings"][0][2] += 1
    assert any("pay_in of 10000 is" in fault for fault in told(table, cage))
    table, cage = with_a_cage()
    cage.entries.append(dict(cage.entries[-1]))
    assert any("10000 to the table is not what entry 2 of t1 says" in fault for fault in told(table, cage))


@pytest.mark.parametrize(("brought", "found"), [(50_00, True), (49_00, False)])
def test_a_wallet_that_had_enough_is_not_said_to_be_short(brought: int, *, found: bool) -> None:
    """Where the cage is in the export; the money came before, or after: only what it never lacked is a lie."""
    table, cage = with_a_cage()
    forged("table.short_wallet", c.BuyIn(1, 50_00))(table)
    table.entries[-1]["body"]["refusal"]["message"] = "Ann has less than 50 with the house."
    said = {"act": "pay_in", "player": "ann", "amount": brought, "postings": [["cash", "wallet/ann", brought]]}
    cage.entries.insert(1, cage.add("cage_acted", {**said, "table": None, "sequence": None}, "cid", "dealer"))
    del cage.entries[-1]
    cage.accounts = {"cash": -100_00 - brought, "tables": 100_00, "wallet/ann": brought}
    what = f"it says table.short_wallet, and ann had {brought} with the house, enough for 5000"
    assert told(table, cage) == ([f"t1, entry 3, body.refusal: {what}"] if found else [])


def test_real_dice_that_nobody_voids_give_every_stake_back() -> None:
    """As fair ones do."""
    journal = Journal(dice="real")
    journal.act(c.Sit(1, "Ann", 100_00))
    journal.act(c.Bet(1, "pass", 10_00))
    void = journal.void(people=())
    assert told(journal) == []
    void["body"].update(commands=[], events=[], postings=[])
    assert any("body.commands: there are 0, and by the house file 1" in fault for fault in told(journal))


def test_a_wallet_is_never_below_zero() -> None:
    """Nobody buys in with money that was not brought."""
    table, cage = with_a_cage()
    del cage.entries[1]
    assert any("wallet/ann is left with -10000" in fault for fault in told(table, cage))


# --- Heads and the shape of an export ---------------------------------------------------------------------------------


def report_of(lines: list[bytes]) -> Report:
    """The report on an export that was changed by hand."""
    return verify(lines)


def test_a_head_that_the_house_did_not_sign_is_found() -> None:
    """One hexadecimal digit of the signature."""
    lines = export(evening(rolls=2))
    heads = json.loads(lines[-1])
    signature = heads["heads"][0]["signature"]
    heads["heads"][0]["signature"] = f"{int(signature[0], 16) ^ 1:x}{signature[1:]}"
    faults = report_of([*lines[:-1], written(heads) + b"\n"]).faults
    assert [fault.what for fault in faults] == ["the signature is not that of the key it names"]


@pytest.mark.parametrize("top_bit", [0, 1 << 255])
@pytest.mark.parametrize("y", [*sorted(SMALL_ORDER), PRIME, PRIME + 1])
def test_a_key_by_which_one_signature_fits_everything_signs_nothing(y: int, top_bit: int) -> None:
    """A point of small order: eight times it is the neutral one, so a signature needs no secret."""
    assert eight_times(y) == 1
    key = (y | top_bit).to_bytes(32, "little").hex()
    constant = (1).to_bytes(64, "little").hex()
    heads = json.loads(export(evening(rolls=1))[-1])["heads"]
    assert not any(is_signed({**head, "key": key, "signature": constant}) for head in heads)


def eight_times(y: int) -> int:
    """The y of eight times a point of the curve: thrice (1 - d x² y²) y' = y² + x², and -x² + y² = 1 + d x² y²."""
    d = -121665 * pow(121666, -1, PRIME) % PRIME
    for _ in range(3):
        xx = (y * y - 1) * pow(d * y * y + 1, -1, PRIME) % PRIME
        y = (y * y + xx) * pow(1 - d * xx * y * y, -1, PRIME) % PRIME
    return y


def test_heads_under_two_keys_are_found_and_every_key_is_told() -> None:
    """Whoever has no key of the house cannot know which of them is its own."""
    journal = evening(rolls=2)
    lines = export(journal)
    heads = json.loads(lines[-1])
    mine = heads["heads"][0]["key"]
    assert f"signed with: {mine}" in report_of(lines).lines()
    heads["heads"].append(head(journal.chained()[-1], Ed25519PrivateKey.from_private_bytes(bytes(32))))
    report = report_of([*lines[:-1], written(heads) + b"\n"])
    assert len(report.keys) == 2
    assert any("signed with 2 keys" in fault.what for fault in report.faults)


def test_two_tables_with_the_dice_of_one_are_found() -> None:
    """The stream is what the dice know a table by."""
    tables = [Journal(dice="given", name=name) for name in ("t1", "t2")]
    assert any("t2, entry 1, body.stream: t1 has the same" in fault for fault in told(*tables))


def test_a_table_that_stopped_before_its_dice_is_told_as_that() -> None:
    """Nothing is under way there any more."""
    journal = Journal(dice="real")
    journal.add("bets_closed", {"epoch": 0, "roll": 1, "asked": None}, "sam", "stick")
    journal.add("table_stopped", {"reason": "chips do not add up"})
    assert verify(export(journal)).open == ["t1: it stopped after roll 1 of epoch 0 was announced: it is never dealt"]


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"sequence": 7}, "balances.sequence: they are as of 7"),
        ({"accounts": 7}, "balances.accounts: no accounts"),
        ({"accounts": {}}, "balances.accounts.rail/1: the store has 0"),
        ({"table": "t2"}, "they are of no table here"),
    ],
)
def test_balances_that_are_none_are_found(changes: dict[str, Any], what: str) -> None:
    """Of another entry, of another table, or not there."""
    lines = export(evening(rolls=2))
    given = json.loads(lines[-2])
    given["balances"].update(changes)
    faults = report_of([*lines[:-2], written(given) + b"\n", lines[-1]]).faults
    assert any(what in str(fault) for fault in faults)


def test_an_export_that_leaves_a_table_out_is_found() -> None:
    """Its first line says how many there are."""
    lines = export(evening(rolls=2))
    line = written({"export": "passline/journal/1", "tables": ["t1", "t2"]}) + b"\n"
    assert any("names ['t1', 't2'] and holds ['t1']" in str(fault) for fault in report_of([line, *lines[1:]]).faults)


def test_an_export_without_an_entry_shows_nothing() -> None:
    """Checking nothing is not the same as finding nothing."""
    lines = [written({"export": "passline/journal/1", "tables": []}) + b"\n", b'{"heads":[]}\n']
    report = report_of(lines)
    assert report.faults == []
    assert not report.holds
    assert report.lines()[-1] == "Nothing was checked: there is no entry in it."


@pytest.mark.parametrize(
    ("code", "asked", "role", "words"),
    [
        ("table.dice_drawn", None, "box", {"message": "The dice are ours today."}),
        ("table.dice_drawn", None, "box", {"clause": "adelaide:4(a)"}),
        ("table.dice_drawn", None, "box", {"seat": 7}),
        ("table.not_closed", {"void": VOID}, "box", {"message": "Ann may not."}),
    ],
)
def test_a_refusal_of_the_table_in_other_words_is_found(
    code: str, asked: object, role: str, words: dict[str, Any]
) -> None:
    """It is due, and says what no table says then."""
    journal = evening(rolls=2, epochs=1)
    forged(code, c.CallNoRoll("late") if asked is None else None, asked, role)(journal)
    said = journal.entries[-1]["body"]["refusal"]
    said["message"] = next(iter(SENTENCES[code].values())) if asked is None else "No roll is announced."
    assert told(journal) == []
    said.update(words)
    faults = told(journal)
    assert len(faults) == 1
    assert f"body.refusal: it says {code}" in faults[0]


@pytest.mark.parametrize(("changed", "found"), [({"message": "Not today."}, 0), ({"code": "bet.mood"}, 1)])
def test_another_version_may_have_said_the_same_no_in_other_words(changed: dict[str, Any], found: int) -> None:
    """Sentences are mended from release to release; what was refused and by which clause is not."""
    journal = evening(rolls=2, epochs=1)
    journal.entries[0]["body"]["program"] = "0.0.9"
    said = next(entry for entry in journal.entries if entry["kind"] == "refused" and entry["body"]["asked"] is None)
    said["body"]["refusal"].update(changed)
    assert len(told(journal)) == found
