"""Tables of protocol 2 made from docs/dice.md by hand, honest ones and a liar for each row of what must hold.

Entries have only the fields that the dice need. `docs/dice-vectors.json` has them all, for who writes a verifier.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import Any

TABLE, LINKS = "ab" * 16, 1_000
ANN_AND_BOB = ("ann", "bob")
EIGHT = ("Zoë", "zoe", "ann", "\uff5e", "🎲", "an", "Ann", "x" * 40)
"""Names whose order is that of their bytes, which is not that of UTF-16."""

Entry = dict[str, Any]


def fields(*parts: str | int | bytes) -> bytes:
    texts = (
        each.encode() if isinstance(each, str) else each.to_bytes(8, "big") if isinstance(each, int) else each
        for each in parts
    )
    return b"".join(len(text).to_bytes(4, "big") + text for text in texts)


@lru_cache(maxsize=64)
def chain(*owner: str | int) -> list[bytes]:
    """A chain from its anchor on, its end made from its owner's name."""
    made = [sha256(repr(owner).encode()).digest()]
    for at in range(LINKS, 0, -1):
        made.append(sha256(fields(*owner, at, made[-1])).digest())
    return made[::-1]


def links(epoch: int) -> list[bytes]:
    return chain("passline/dice/2/link", TABLE, epoch)


def values(person: str, hand: int) -> list[bytes]:
    return chain("passline/dice/2/hand", TABLE, person, hand)


W = b"w" * 32


def dice_of(link: bytes, epoch: int, roll: int, shown: dict[str, bytes]) -> list[int]:
    pairs = sorted((person.encode(), value) for person, value in shown.items())
    parts = [part for pair in pairs for part in pair]
    text = fields("passline/dice/2/roll", TABLE, epoch, roll, 0, len(pairs), *parts)
    byte = next(byte for byte in hmac.digest(link, text, "sha256") if byte < 252) % 36
    return [byte // 6 + 1, byte % 6 + 1]


class House:
    """A house that writes its journal; whatever it lies about it makes fit otherwise."""

    def __init__(self, people: tuple[str, ...] = ANN_AND_BOB, chains: int = 2) -> None:
        """Open a table at which these people have a hand and a bet each."""
        self.entries: list[Entry] = []
        self.at = self.epoch = 0
        self.opening = self.write("table_opened", {"dice": "fair", "stream": TABLE, "protocol": 2, "revision": 2})
        self.hands: dict[str, list[int]] = {}
        """By person: the number of the last hand, and the last index of it that was listed."""
        self.seats = {person: seat for seat, person in enumerate(people, 1)}
        self.begin(chains)
        for person, seat in self.seats.items():
            self.sit(person, seat)
            self.hand_on(person)
            self.bet(person)

    def write(self, kind: str, body: dict[str, Any], actor: str = "house") -> Entry:
        number, hour, minute, second = len(self.entries) + 1, self.at // 3600, self.at // 60 % 60, self.at % 60
        entry = {
            "table": "t1",
            "sequence": number,
            "previous": f"{number - 1:064x}",
            "hash": f"{number:064x}",
            "kind": kind,
            "actor": actor,
            "time": f"2026-11-17T{hour:02}:{minute:02}:{second:02}Z",
            "body": body,
        }
        self.entries.append(entry)
        return entry

    def sit(self, person: str, seat: int) -> None:
        self.write("acted", {"command": {"kind": "command.sit", "seat": seat}}, person)

    def begin(self, chains: int = 2) -> None:
        """Commit to new chains, of which the first deals."""
        for epoch in range(self.epoch + 1, self.epoch + 1 + chains):
            self.commit(epoch)
        self.epoch, self.rolls = self.epoch + 1, 0

    def commit(self, epoch: int) -> None:
        self.write("chain_committed", {"epoch": epoch, "anchor": links(epoch)[0].hex()})

    def hand_on(self, person: str, hand: int = 0) -> None:
        number = hand or self.hands.get(person, [0])[0] + 1
        self.hands[person] = [number, 0]
        off = sha256(fields("passline/dice/2/off", TABLE, person, number, W)).hexdigest()
        body = {"person": person, "hand": number, "anchor": values(person, number)[0].hex(), "off": off}
        self.write("hand_on", body, person)

    def hand_off(self, person: str, value: bytes = W) -> None:
        self.write("hand_off", {"person": person, "hand": self.hands[person][0], "value": value.hex()}, person)

    def bet(self, person: str, amount: int = 1_000) -> None:
        seat = self.seats[person]
        body = {"command": {"kind": "command.bet", "seat": seat}, "postings": [["rail/1", f"felt/{seat}/pass", amount]]}
        self.write("acted", body, person)

    def close(self, people: list[str] | None = None, roll: int = 0) -> None:
        """Close the bets for those who are meant to be listed."""
        self.rolls = roll or self.rolls + 1
        names = sorted(self.hands, key=str.encode) if people is None else people
        for person in names:
            self.hands.setdefault(person, [1, 0])[1] += 1
        self.listed = [self.due(person) for person in names]
        self.head = {"epoch": self.epoch, "roll": self.rolls}
        self.closing = self.write("bets_closed", {**self.head, "asked": None, "hands": self.listed})

    def due(self, person: str) -> dict[str, Any]:
        hand, index = self.hands[person]
        return {"person": person, "hand": hand, "index": index}

    def receive(self, *people: str) -> list[dict[str, Any]]:
        """Values come in; what a roll then shows of them."""
        shown = []
        for person in people:
            each = self.due(person)
            self.write("value_received", {**self.head, "closing": self.closing["hash"], **each}, person)
            shown.append({**each, "value": values(person, each["hand"])[each["index"]].hex()})
        return shown

    def deal(self, *, link: bytes = b"", dice: list[int] | None = None, lie: dict[str, bytes] | None = None) -> None:
        hands = self.receive(*(each["person"] for each in self.listed))
        for each in hands:
            each["value"] = (lie or {}).get(each["person"], bytes.fromhex(each["value"])).hex()
        link = link or links(self.epoch)[self.rolls]
        fall = dice_of(link, **self.head, shown={each["person"]: bytes.fromhex(each["value"]) for each in hands})
        self.write("rolled", {**self.head, "dice": dice or fall, "link": link.hex(), "hands": hands, "readings": None})

    def roll(self, times: int = 1, people: list[str] | None = None) -> None:
        for _ in range(times):
            self.close(people)
            self.deal()

    def void(self, *silent: str, waits: int = 20, people: tuple[str, ...] = (), **more: object) -> None:
        """The values of these did not arrive, or the roll failed; their wagers are settled, or everybody's."""
        came = [each["person"] for each in self.listed if each["person"] not in silent]
        hands = self.receive(*came)
        self.at += waits
        body = {
            **self.head,
            "people": list(people),
            "returned": False,
            "link": links(self.epoch)[self.rolls].hex(),
            "hands": hands,
            "silent": [self.due(person) for person in silent],
            "events": [],
            "postings": [[f"felt/{self.seats[each]}/pass", "rail/1", 1_000] for each in silent or self.seats],
        }
        self.write("roll_voided", body | more)
        for person in silent:
            self.owed = self.due(person)

    def show_owed(self) -> None:
        value = values(self.owed["person"], self.owed["hand"])[self.owed["index"]]
        self.write("value_shown", {**self.owed, "value": value.hex()}, self.owed["person"])

    def restore(self, *, stops: bool = False, **lie: object) -> None:
        """A backup was put back: wagers are settled, open chains shown, two more committed to."""
        last = self.entries[-1]
        up = [[f"felt/{seat}/pass", "rail/1", 1_000] for seat in self.seats.values()]
        body = {"epoch": self.epoch + 1, "head": [last["sequence"], last["hash"]], "reason": "", "postings": up}
        self.write("table_restored", body | lie)
        if stops:
            self.write("table_stopped", {"reason": "too many rolls came to nothing"})
        self.show_chains()
        self.epoch += 1

    def show_chains(self) -> None:
        for epoch in (self.epoch, self.epoch + 1):
            self.write("chain_shown", {"epoch": epoch, "link": links(epoch)[LINKS].hex()})

    def end(self) -> None:
        self.show_chains()
        self.write("table_closed", {})

    def text(self) -> str:
        return "".join(f"{line}\n" for line in _lines(self.entries))


def ready() -> House:
    """Ann and Bob, after two rolls."""
    house = House()
    house.roll(2)
    return house


# --- Honest -----------------------------------------------------------------------------------------------------------


def evening() -> House:
    """Rolls, a void whose value comes while the next is announced, a new hand, one that is taken off, a restart."""
    house = ready()
    house.close()
    house.void("bob")
    house.close(["ann"])
    house.show_owed()
    house.deal()
    house.hand_on("bob")
    house.bet("bob")
    house.roll(2)
    house.hand_off("ann")
    house.roll(1, ["bob"])
    house.hand_off("bob")
    house.roll(1, [])
    house.restore()
    again(house)
    house.roll(2)
    house.end()
    return house


def eight() -> House:
    """Eight hands in every roll, in the order of their bytes."""
    house = House(EIGHT)
    house.roll(5)
    return house


def third_silence() -> House:
    """Two void rolls, and a third that is waited for ten minutes, after which the table stops."""
    house = ready()
    for _ in range(2):
        house.close()
        house.void("bob")
        house.show_owed()
        house.hand_on("bob")
        house.bet("bob")
    house.close()
    house.void("bob", waits=600)
    house.write("table_stopped", {"reason": "did not arrive: bob"})
    house.show_chains()
    return house


def failed() -> House:
    """Rolls that could not be settled: every wager was, at its worth; after the third the table stops."""
    house = ready()
    for _ in range(2):
        house.close()
        house.void()
        house.bet("ann")
        house.bet("bob")
        house.roll(1)
    house.close()
    house.void(postings=[])  # not even the worth could be worked out: it is later
    house.write("table_stopped", {"reason": "it failed"})
    house.show_chains()
    return house


def restored() -> House:
    """Three backups put back, each with a roll announced; after the third the table stops."""
    house = ready()
    for _ in range(2):
        house.close()
        house.restore()
        again(house)
    house.close()
    house.restore(stops=True)
    return house


def seldom() -> House:
    """Ann has a wager up in one roll of fifty, and two of those in which she had came to nothing: no third does."""
    house = ready()
    for _ in range(2):
        house.roll(1)
        pad(house)
        house.close()
        house.void("ann")
        house.show_owed()
        house.hand_on("ann")
        house.bet("ann")
    house.roll(2)
    return house


def pad(house: House, rolls: int = 50) -> None:
    """So many rolls with nobody's wager up."""
    for person in house.seats:
        house.bet(person, -1_000)
    house.roll(rolls, [])
    for person in house.seats:
        house.bet(person)


def seats_change_hands() -> House:
    """Ann leaves with nothing up, and somebody else sits down there."""
    house = ready()
    house.hand_off("ann")
    house.bet("ann", -1_000)
    left = {"kind": "event.player_left", "seat": 1}
    house.write("acted", {"command": {"kind": "command.leave", "seat": 1}, "events": [left]}, "ann")
    house.sit("eve", 1)
    house.seats = {"bob": 2, "eve": 1}
    house.hands = {"bob": house.hands["bob"]}
    house.hand_on("eve")
    house.bet("eve")
    house.entries[-1]["role"] = "player"
    house.roll(2)
    return house


def given_back() -> House:
    """A table that stopped, by a third restore, and whose chips went home."""
    house = ready()
    for _ in range(2):
        house.restore()
        again(house)
    house.restore(stops=True)
    house.write("refused", {"command": None}, "cid")
    house.write("chips_returned", {"people": ["cid", "dan"], "postings": []}, "cid")
    return house


def again(house: House) -> None:
    """New chains, hands and bets after a backup was put back."""
    house.begin()
    for person in house.seats:
        house.hand_on(person)
        house.bet(person)


def announced() -> House:
    """An export that ends while values are awaited, and Bob's hand is off with his bet up."""
    house = ready()
    house.hand_off("bob")
    house.close(["ann"])
    return house


HONEST: dict[str, Callable[[], House]] = {
    "an evening": evening,
    "eight hands": eight,
    "a third silence": third_silence,
    "rolls that failed": failed,
    "backups put back": restored,
    "a roll announced": announced,
    "somebody who plays seldom": seldom,
    "chips that went home": given_back,
    "a seat that somebody left": seats_change_hands,
}


# --- Liars ------------------------------------------------------------------------------------------------------------


def hand_left_out(house: House) -> None:
    """It knows the dice without Bob."""
    house.roll(1, ["ann"])


def another_index(house: House) -> None:
    """It asks for a value before its time, of which the ones between follow."""
    house.hands["bob"][1] += 3
    house.roll()


def hand_not_on(house: House) -> None:
    house.hand_off("bob")
    house.roll()


def hand_in_anothers_name(house: House) -> None:
    house.hand_off("bob")
    house.hand_on("bob")
    house.entries[-1]["actor"] = "house"


def disordered(house: House) -> None:
    house.roll(1, ["bob", "ann"])


def listed_twice(house: House) -> None:
    house.close()
    house.closing["body"]["hands"] = house.listed = [house.listed[0], *house.listed]
    house.deal()


def forged_off(house: House) -> None:
    house.hand_off("bob", bytes(32))


def second_hand(house: House) -> None:
    """It gives a hand of its own in Bob's name while his is on."""
    house.hand_on("bob")


def other_link(house: House) -> None:
    """One that it tried out until the dice were as it wanted."""
    house.close()
    house.deal(link=b"x" * 32)


def other_end(house: House) -> None:
    house.end()
    house.entries[-3]["body"]["link"] = "00" * 32


def lost_link(house: House) -> None:
    """It does not show what a void roll would have been, and goes on."""
    house.close([])
    house.entries[-1]["body"]["hands"] = house.listed = []
    house.write("roll_voided", {**house.head, "people": [], "returned": True, "events": [], "postings": []})
    house.roll()


def other_value(house: House) -> None:
    house.close()
    house.deal(lie={"bob": b"x" * 32})


def value_not_awaited(house: House) -> None:
    house.close()
    house.receive("bob")
    house.deal()


def without_a_value(house: House) -> None:
    house.close()
    house.deal()
    del house.entries[-2]


def silent_after_all(house: House) -> None:
    """Bob's value is in, and it says that it did not arrive."""
    house.close()
    house.receive("bob")
    house.void("bob")


def other_dice(house: House) -> None:
    house.close()
    house.deal(dice=[7, 7])


def late_anchor(house: House) -> None:
    """A chain made when the epoch before is known, and its rolls are bet on."""
    house.commit(3)


def late_after_restore(house: House) -> None:
    """Bets are taken before the house is committed again."""
    house.restore()
    house.hand_on("ann")
    house.bet("ann")
    house.begin()


def next_epoch(house: House) -> None:
    """The next dice do not please it, so it deals from the next chain."""
    house.commit(3)
    house.epoch, house.rolls = 2, 0
    house.roll()


def shown_to_its_end(house: House) -> None:
    house.show_chains()
    house.roll()


def closed_unshown(house: House) -> None:
    house.write("table_closed", {})


def skipped_number(house: House) -> None:
    house.close(roll=9)
    house.deal()


def skipped_hand(house: House) -> None:
    house.hand_off("bob")
    house.hand_on("bob", hand=7)


def skipped_epoch(house: House) -> None:
    house.commit(7)


def restored_elsewhere(house: House) -> None:
    """It says that a backup ended with another entry than the one before."""
    house.restore(head=[3, "00" * 32])


def void_early(house: House) -> None:
    house.close()
    house.void("bob", waits=19)


def void_for_nothing(house: House) -> None:
    """Everybody's value is in; it does not like the dice, and keeps the stakes up."""
    house.close()
    house.void(postings=[])
    house.roll()


def bought_back(house: House) -> None:
    """It says that the roll failed, and gives stakes back for bets that are worth more."""
    house.close()
    house.void(returned=True)
    house.bet("ann")


def bought_back_at_the_end(house: House) -> None:
    """Or the same and then it stops."""
    house.close()
    house.void(returned=True)
    house.write("table_stopped", {"reason": "it failed"})


def failed_at_the_end(house: House) -> None:
    """Or its journal ends with that, and nobody sees that it stopped."""
    house.close()
    house.void(postings=[])


def unsettled_silence(house: House) -> None:
    """Bob's wager rides on after his value did not arrive, on dice that the house alone makes."""
    house.close()
    house.void("bob", postings=[])
    house.roll(1, ["ann"])


def unsettled_backup(house: House) -> None:
    """Everybody's does, after a backup was put back."""
    house.restore(postings=[])


def hidden_postings(house: House) -> None:
    """Ann's chips leave the felt in an entry that nobody looks for them in, so that her hand is not listed."""
    house.write("table_counted", {"postings": [["felt/1/pass", "rail/1", 1_000]]})
    house.roll(1, ["bob"])


def stopped_under_a_roll(house: House) -> None:
    """It stops rather than pay, and the chips go home for their stakes."""
    house.close()
    house.receive("ann", "bob")
    house.write("table_stopped", {"reason": "fire"})
    house.show_chains()


def restored_until_seven(house: House) -> None:
    """It looks at the dice of each closing, and puts a backup back unless they are a seven."""
    for _ in range(3):
        house.close()
        house.receive("ann", "bob")
        house.restore()
        again(house)


def restored_before_the_closing(house: House) -> None:
    """Whenever the dice displease it, it puts a backup back from before their closing: nothing is announced in it."""
    for _ in range(3):
        house.restore()
        again(house)


def padded(house: House) -> None:
    """It deals rolls without Ann's chips between those of hers that come to nothing."""
    for rolls in (0, 50, 50):
        pad(house, rolls)
        house.close()
        house.void("bob")
        house.show_owed()
        house.hand_on("bob")
        house.bet("bob")


def padded_by_backups(house: House) -> None:
    """Or puts a backup back from before she bet."""
    for rolls in (0, 50, 50):
        pad(house, rolls)
        house.bet("ann", -1_000)
        house.restore(postings=[["felt/2/pass", "rail/1", 1_000]])
        again(house)


def gone_on(house: House) -> None:
    """It says that it stopped, and deals."""
    house.write("table_stopped", {"reason": "fire"})
    house.roll()


def opened_again(house: House) -> None:
    """It is closed for good, and takes a bet."""
    house.end()
    house.bet("ann")


def seat_given(house: House) -> None:
    """Ann's chips are up, and her seat is a stranger's: her hand is in no roll any more."""
    house.sit("eve", 1)
    house.roll(1, ["bob"])


def seat_shared(house: House) -> None:
    """Ann sits there with no chips up, and so does a stranger from here on."""
    house.bet("ann", -1_000)
    house.sit("eve", 1)


def seat_of_anothers(house: House) -> None:
    """A stranger bets at her seat."""
    house.bet("ann")
    house.entries[-1] |= {"actor": "eve", "role": "player"}


def failed_until_seven(house: House) -> None:
    """Or it says that something failed."""
    for _ in range(3):
        house.close()
        house.void()
        house.bet("ann")
        house.bet("bob")


def mixed_until_seven(house: House) -> None:
    """Or a little of each: a silence, a failure, a backup."""
    house.close()
    house.void("bob")
    house.show_owed()
    house.hand_on("bob")
    house.bet("bob")
    house.close()
    house.void()
    for person in house.seats:
        house.bet(person)
    house.close()
    house.restore()
    again(house)


def void_cap(house: House) -> None:
    """With a new name each time."""
    for person in ("bob", "ann", "bob"):
        house.close()
        house.void(person)
        house.show_owed()
        house.hand_on(person)
        house.bet(person)


def third_that_goes_on(house: House) -> None:
    """It waits for ten minutes and does not stop."""
    for waits in (20, 20, 600):
        house.close()
        house.void("bob", waits=waits)
        house.show_owed()
        house.hand_on("bob")
        house.bet("bob")


def struck_out(house: House) -> None:
    """What two people strike out is counted along."""
    for _ in range(3):
        house.roll()
        house.write("corrected", {"events": [{"kind": "event.outcome_struck_out"}], "postings": []}, "cid")


STRUCK = {"kind": "event.outcome_struck_out"}


def struck_at_once(house: House) -> None:
    """Three rolls with one entry."""
    house.roll(3)
    house.write("corrected", {"events": [STRUCK] * 3, "postings": []}, "cid")


def struck_elsewhere(house: House) -> None:
    """Or in an entry of another kind."""
    for _ in range(3):
        house.roll()
        house.write("acted", {"command": {"kind": "command.close"}, "events": [STRUCK], "postings": []}, "cid")


def struck_for_others(house: House) -> None:
    """Ann's roll is struck out after a closing without her chips that came to nothing."""
    house.roll(2)
    house.write("corrected", {"events": [STRUCK] * 2, "postings": []}, "cid")
    house.bet("bob", -1_000)
    house.bet("ann", -1_000)
    house.roll(100, [])
    house.bet("ann")
    house.roll(1, ["ann"])
    house.bet("ann", -1_000)
    house.close([])
    house.void(postings=[])
    house.write("corrected", {"events": [STRUCK], "postings": []}, "cid")


def void_by_crew(house: House) -> None:
    house.close()
    house.void(people=("sam", "bea"))


def bet_between(house: House) -> None:
    """By somebody who has seen the values."""
    house.close()
    house.bet("ann", 9_000)
    house.deal()


def off_between(house: House) -> None:
    house.close()
    house.hand_off("ann")
    house.deal()


def anchor_between(house: House) -> None:
    house.close()
    house.commit(3)
    house.deal()


def never_closed(house: House) -> None:
    house.close()
    house.deal()
    del house.entries[-4]


def one_voice(house: House) -> None:
    """At another table for the house's money whoever plays says what the dice show."""
    house.write("table_opened", {"dice": "given", "stream": "cd" * 16, "wallets": True})["table"] = "t2"


def _another_table(house: House, **says: object) -> None:
    house.write("table_opened", {"dice": "fair", "stream": "cd" * 16, **says})["table"] = "t2"


def another_protocol(house: House) -> None:
    """Another table says a protocol that there is not, so that nothing is checked."""
    _another_table(house, protocol=3)


def another_revision(house: House) -> None:
    _another_table(house, protocol=2, revision=3)


def no_revision(house: House) -> None:
    _another_table(house, protocol=2)


def revision_in_words(house: House) -> None:
    _another_table(house, protocol=2, revision="2")


def one_reader(house: House) -> None:
    """Or one of the crew does."""
    house.write("table_opened", {"dice": "real", "stream": "cd" * 16, "wallets": True})["table"] = "t2"
    rolled = {"epoch": 0, "roll": 1, "dice": [6, 5], "command": {"kind": "command.rule_face"}, "readings": None}
    house.write("rolled", rolled)["table"] = "t2"


LIARS: dict[Callable[[House], None], str] = {
    hand_left_out: "left_out",
    another_index: "not_on",
    hand_not_on: "not_on",
    hand_in_anothers_name: "not_on",
    disordered: "not_on",
    listed_twice: "not_on",
    forged_off: "forged_off",
    second_hand: "forged_off",
    other_link: "link",
    other_end: "link",
    lost_link: "link",
    other_value: "value",
    value_not_awaited: "value",
    without_a_value: "value",
    silent_after_all: "value",
    other_dice: "dice",
    late_anchor: "late_anchor",
    late_after_restore: "late_anchor",
    next_epoch: "early_end",
    shown_to_its_end: "early_end",
    closed_unshown: "early_end",
    skipped_number: "number",
    skipped_hand: "number",
    skipped_epoch: "number",
    restored_elsewhere: "number",
    void_early: "void_early",
    void_for_nothing: "void_early",
    bought_back: "void_early",
    bought_back_at_the_end: "void_early",
    failed_at_the_end: "void_early",
    unsettled_silence: "void_early",
    unsettled_backup: "void_early",
    hidden_postings: "postings",
    stopped_under_a_roll: "void_early",
    void_cap: "void_cap",
    third_that_goes_on: "void_cap",
    restored_until_seven: "void_cap",
    failed_until_seven: "void_cap",
    mixed_until_seven: "void_cap",
    restored_before_the_closing: "void_cap",
    padded: "void_cap",
    padded_by_backups: "void_cap",
    gone_on: "after_end",
    opened_again: "after_end",
    seat_given: "seat_given",
    seat_shared: "seat_given",
    seat_of_anothers: "seat_given",
    struck_out: "void_cap",
    struck_at_once: "void_cap",
    struck_elsewhere: "void_cap",
    struck_for_others: "void_cap",
    void_by_crew: "void_by_crew",
    bet_between: "between",
    off_between: "between",
    anchor_between: "between",
    never_closed: "between",
    another_protocol: "protocol",
    another_revision: "protocol",
    no_revision: "protocol",
    revision_in_words: "protocol",
    one_voice: "one_voice",
    one_reader: "one_voice",
}
"""By what it does: the name of the row that it breaks."""


def lied(lie: Callable[[House], None]) -> House:
    """A table that was honest until it did this."""
    house = ready()
    lie(house)
    return house


def tables() -> dict[str, Any]:
    """All of them as the vectors have them, an entry a line; those of liars after those that they begin with."""
    begin = ready().entries
    honest = {name: make().entries for name, make in HONEST.items()}
    liars = {lie.__name__: (row, lied(lie).entries) for lie, row in LIARS.items()}
    assert all(entries[: len(begin)] == begin for _, entries in liars.values()), "they were honest until then"
    return {
        "begin": _lines(begin),
        "honest": [{"name": name, "entries": _lines(entries)} for name, entries in honest.items()],
        "liars": [
            {"name": name, "fault": row, "entries": _lines(entries[len(begin) :])}
            for name, (row, entries) in liars.items()
        ],
    }


def _lines(entries: list[Entry]) -> list[str]:
    return [json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries]
