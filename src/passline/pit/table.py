"""A live table in one process: a request in, the entry that answers it out, durable.

Decide, write, then speak. What is asked comes with a key; asked again, it gets the first answer again, byte for byte. A
roll is announced in the journal before its dice exist, so that whoever comes after a crash rolls the same dice. What is
decided is `live.answer`'s; here are the store, the keys, and races with other processes.
"""

import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from threading import RLock
from time import monotonic

from passline import errors
from passline.engine.commands import BuyIn, Command, Leave, Sit
from passline.engine.refusals import Refusal
from passline.engine.table import Notice
from passline.engine.values import Roll
from passline.floor.acts import FloorCommand
from passline.floor.cage import PayOut, payments
from passline.floor.clock import elapsed
from passline.journal.contract import (
    Entry,
    Head,
    Journal,
    SignedHead,
    Write,
    chained,
    following,
    hash_in,
    house_digest,
    house_file,
    in_a_chain,
    opening_of,
    read_entry,
)
from passline.journal.export import RESTORED
from passline.journal.heads import Signing, check_last_head, check_signer, public
from passline.live import hands, rolls
from passline.live import requests as r
from passline.live.answer import answer, report_of
from passline.live.books import CAGE, cage_acts
from passline.live.dice import LINK_TAG, SEED_BYTES, chain
from passline.live.drafts import Planned, by_the_house, refused
from passline.live.refusals import no
from passline.live.requests import Act, Ask, Material, Request, answers, check_time, request
from passline.live.state import DICE_MODES, Announced, DiceMode, Live, Moment, State, after, layout_of, opening
from passline.odds.wagers.walk import worth
from passline.pit.history import counted, last_known
from passline.pit.housewide import Bought, HouseWide, cage_write
from passline.pit.keys import Keys, new_seed, seal_all, unseal
from passline.pit.opening import HouseFile, check_name, house_text

LOG = logging.getLogger("passline.pit")

# How many entries there are between two counts of a table, with a snapshot and a signed head each.
COUNTED_EVERY = 1_000

TRIES_MAX = 1_000  # how often somebody who lost a race decides again before giving up

STREAM_BYTES = 16


class LiveTable:
    """One table of a journal, as one process sees it; any number of threads may ask it."""

    def __init__(self, journal: Journal, name: str, keys: Keys | None) -> None:
        """Read a table that is there; `open` and `create` are the ways in."""
        self.journal, self.name, self.keys = journal, name, keys
        entry = opening_of(journal, name)
        self.layout = layout_of(house_file(journal, entry))
        self.house, self.chips = entry.house, tuple(entry.body.get("chips", ()))
        self.listeners: list[Callable[[Moment], None]] = []  # whoever wants to hear of each entry, once it is durable
        # The people and the floor of the house, where the table is one of a pit's; else two names are two people.
        self.house_wide: HouseWide | None = None
        self.bought = Bought(journal)
        self._asking = RLock()
        self._seeds: dict[int, bytes] = {}  # by epoch: the house's seeds, or the last links of its chains, opened
        self._links: tuple[int, list[bytes]] = 0, []  # the chain of the epoch that is dealt
        self._pending: list[Planned] | None = None  # what `ask_together` has decided and not written yet
        self.at = last_known(journal, entry)  # the table and its head, replaced together: other threads look
        self._held: int | None = None
        # The cage as of which a limit of loss was looked at: it must not have moved.
        self._counted_at: Head | None = None
        self._taken_up = ""  # when this process took the table up: values that nobody could send before are awaited
        self._signing = None if keys is None else Signing(journal, keys.sign)
        self.catch_up()
        self._held = self.live.fence
        if keys is not None and self.live.over is None:
            check_signer(journal, name, keys.sign)
            check_last_head(journal, name)
            self._opened_seeds()

    @property
    def live(self) -> Live:
        return self.at[0]

    @property
    def head(self) -> Head:
        return self.at[1]

    @classmethod
    def create(  # noqa: PLR0913 - what a table opens with
        cls,
        journal: Journal,
        name: str,
        house: str | Path | HouseFile = "adelaide",
        *,
        time: str,
        dice: DiceMode = "fair",
        keys: Keys | None = None,
        notice: Notice | None = None,
        chips: tuple[int, ...] | None = None,
        wallets: bool = False,
    ) -> "LiveTable":
        """Open a new table; one whose dice are drawn is committed to its first chains at once."""
        check_name(name)
        if dice not in DICE_MODES:
            raise errors.ArgumentError("dice", repr(dice), f"one of {', '.join(DICE_MODES)}")
        if keys is None and dice != "given":
            raise errors.ArgumentError("keys", "None", "the keys of the house: seeds and readings are kept under them")
        check_time(time)
        text, stream = house_text(house), secrets.token_hex(STREAM_BYTES)
        signer = None if keys is None else public(keys.sign)
        body = opening(text, dice, notice, chips, signer, stream=stream, wallets=wallets)
        planned = [by_the_house("table_opened", body, time)]
        if dice == "fair":
            planned += [hands.committed(stream, epoch, new_seed(), time) for epoch in range(1, rolls.AHEAD + 1)]
        entries = in_a_chain(Head(name), house_digest(text), (each.draft for each in planned))
        journal.append(Write(Head(name), entries, secrets=seal_all(keys, planned), houses=[text]))
        return cls(journal, name, keys)

    @classmethod
    def open(cls, journal: Journal, name: str, *, time: str, keys: Keys | None = None, owner: str = "") -> "LiveTable":
        """Go on with a table; with the name of an owner it is taken over, and whoever held it writes nothing more."""
        table = cls(journal, name, keys)
        table._taken_up = time
        if table.live.over is None:
            if owner:  # whoever takes over has nothing to lose
                table._held = None
                taken = {"owner": owner}
                table._write(lambda live: [by_the_house("table_taken", taken | {"fence": live.fence + 1}, time)])
                table._held = table.live.fence
            table._mark_restored(time)
        table.resume(time)
        return table

    def _mark_restored(self, time: str) -> None:
        """Say that this table came out of a backup: the dice of epochs that were open then may have been seen."""
        marks = [int(mark) for name, mark in self.journal.secrets(self.name).items() if name.startswith(RESTORED)]
        epoch = max(marks, default=0)
        if epoch > self.live.restored:
            self._write(lambda live: self._restored(live, epoch, time) if epoch > live.restored else [])

    def _restored(self, live: Live, epoch: int, time: str) -> list[Planned]:
        material = Material()
        if live.protocol > 1:
            fresh = tuple(new_seed() for _ in range(rolls.AHEAD))
            material = Material(*self._opened_seeds(live), fresh, worth=lambda: worth(self.layout, live.table))
        return rolls.restore(self.state(live), material, epoch, (self.head.sequence, self.head.hash), time)

    def resume(self, time: str) -> None:
        """Finish a roll that was announced before something stopped: the same dice, or every stake back.

        A table that was stopped where its seeds could not be opened shows them where they can.
        """
        with self._asking:
            live = self.live
            if live.over == "stopped":
                with suppress(
                    errors.BehindError, errors.OtherKeysError
                ):  # another process shows them, or whoever has the keys
                    self._append(rolls.opened_at_end(live, self._material(live, r.CloseForGood(), time), time))
            elif live.announced is not None and live.dice == "fair":
                self.settle(time)

    def settle(self, time: str) -> None:
        """Give an announced roll its dice, if every value is in; if one has been awaited for too long, it is void."""
        with self._asking:
            live = self.live
            if live.over is None and live.announced is not None and hands.silence(live, time) != "wait":
                self._settle(_house_asks(time))

    def catch_up(self) -> None:
        with self._asking:
            live, head = self.at
            for entry in following(head, map(read_entry, self.journal.lines(self.name, head.sequence))):
                live = after(live, entry)
                head = Head(self.name, entry.sequence, entry.hash)
            self.at = live, head._replace(fence=live.fence)
            self._check_held()

    def _check_held(self) -> None:
        """Whoever was taken over from writes nothing more, however often it is asked and whatever it has read since."""
        if self._held is not None and self.live.fence != self._held:
            raise errors.FencedError(f"{self.name} was taken over by another process; open it again to take it back")

    def ask(self, requested: Request) -> bytes:
        with self._asking:
            if isinstance(requested.act, r.RollDice):
                return self._roll(requested)
            try:
                entries = self._write(lambda live: self._decided(live, requested), requested.by, requested.act)
                line = next((entry.line for entry in entries if entry.key == requested.by.key), b"")
            except (errors.KeyTakenError, errors.RoleError, errors.StoppedError, errors.TableClosedError):
                if not (line := self._first(requested) or b""):
                    raise
            if isinstance(requested.act, r.ShowValue):
                self.settle(requested.by.time)
            return line

    def ask_together(self, requests: "Sequence[Callable[[LiveTable], bytes]]") -> list[bytes]:
        """Answer several requests with one transaction. Where that fails nothing was written: ask them one by one."""
        with self._asking:
            at, self._pending = self.at, []
            try:
                answers, planned = [ask(self) for ask in requests], self._pending
            finally:
                self.at, self._pending = at, None
            self._append(planned)
            return answers

    def do(self, command: Command | FloorCommand, ask: Ask, *, wallet: bool = False, reason: str = "") -> bytes:
        """Ask for anything the engine or the floor knows; `reason` is why somebody does it for another.

        With `wallet`, chips are bought out of the asker's wallet and go back into it, in the same transaction.
        """
        return self.ask(request(ask, command, wallet=wallet, reason=reason))

    def close_bets(self, ask: Ask) -> bytes:
        """Close the bets for the next roll, which is asked for later."""
        return self.ask(request(ask, r.CloseBets()))

    def roll(self, ask: Ask) -> bytes:
        """Roll dice that are drawn: the bets are closed, durably, and only then is there a roll."""
        return self.ask(request(ask, r.RollDice()))

    def hand_on(self, hand: int, anchor: bytes, off: bytes, ask: Ask) -> bytes:
        """A player's program gives a hand in the dice."""
        return self.ask(request(ask, r.HandOn(hand, anchor, off)))

    def hand_off(self, hand: int, value: bytes, ask: Ask) -> bytes:
        return self.ask(request(ask, r.HandOff(hand, value)))

    def show_value(self, act: r.ShowValue, ask: Ask) -> bytes:
        """A value of somebody's hand; with the last that is awaited the dice are rolled."""
        return self.ask(request(ask, act))

    def read_dice(self, dice: Roll, ask: Ask) -> bytes:
        """Somebody says what real dice show; when a second, who has not seen that, says the same, it is the roll."""
        return self.ask(request(ask, r.ReadDice(dice)))

    def void(self, reason: str, second: str, ask: Ask, *, returned: bool = False) -> bytes:
        """Two people declare an announced roll void."""
        return self.ask(request(ask, r.Void(reason, second, returned)))

    def correct(self, reverses: int, reason: str, second: str, ask: Ask) -> bytes:
        """Two people reverse an entry that was wrong, by a new one: the last roll, or chips that were bought."""
        return self.ask(request(ask, r.Correct(reverses, reason, second)))

    def return_chips(self, reason: str, second: str, ask: Ask) -> bytes:
        """Two people give everybody at a table that was stopped their chips back."""
        return self.ask(request(ask, r.ReturnChips(reason, second)))

    def close(self, time: str, ask: Ask | None = None, *, hosted: bool = False) -> bytes:
        """Close the table for good, with nothing up: every seed the house is committed to is shown."""
        if ask is not None:
            return self.ask(request(ask, r.CloseForGood(hosted)))
        requested = request(_house_asks(time), r.CloseForGood(hosted))
        return self._write(lambda live: self._decided(live, requested))[-1].line

    def _roll(self, requested: Request) -> bytes:
        """Announce, then settle; others may finish it for us, or have a roll of theirs before it."""
        first = self._first(requested)
        if first is not None:
            return first
        for _ in range(TRIES_MAX):
            self._go_on()
            line = b""
            with suppress(errors.KeyTakenError):
                line = self._announce(requested) or self._settle(requested.by)
            if line := line or self._first(requested) or self._closing():
                return line
        raise errors.BehindError(f"{self.name}: others were first {TRIES_MAX} times")

    def _announce(self, requested: Request) -> bytes | None:
        """Close the bets for this roll; the answer, where there is one already."""
        by = requested.by
        while True:
            line = self.journal.under_key(self.name, by.key)
            if line is not None:  # somebody finished it for us; announced once more it could never be settled
                return line
            entries = self._write(lambda live: self._decided(live, requested), by)
            if entries and entries[-1].kind == "refused":
                return entries[-1].line
            announced = self.live.announced
            if announced is not None and (announced.asker is None or announced.asker.key == by.key):
                return None
            if announced is not None:
                self._settle(_house_asks(by.time))  # another's roll comes first
                if line := self._closing():
                    return line

    def _closing(self) -> bytes:
        """The entry that closed the bets for a roll whose values are awaited: there is no other answer yet."""
        announced = self.live.announced
        if announced is None or not announced.missing:
            return b""
        return next(iter(self.journal.lines(self.name, announced.sequence - 1, announced.sequence)))

    def _settle(self, by: Ask) -> bytes:
        """Give an announced roll its dice, or every stake back where they cannot be had; b"" if it is done."""
        if self._awaits(by.time):
            return b""
        house = by.role == "house"
        requested = Request(by, r.SettleRoll(), {"kind": "table.roll"})
        entries = self._write(lambda live: self._decided(live, requested), None if house else by)
        if self.live.over == "stopped":
            raise errors.StoppedError(f"{self.name} was stopped; its journal says why")
        if house:
            return entries[-1].line if entries else b""
        return self.journal.under_key(self.name, by.key) or b""

    def _awaits(self, time: str) -> bool:
        """Whether values are awaited anew: while nobody served the table, or the store was away, none could come in."""
        if self.live.announced is None or not self.live.announced.missing:
            return False
        taken_up = self._taken_up and elapsed(self._taken_up, time) < hands.WAITS
        back = monotonic() - getattr(self.journal, "away_at", -inf)
        return bool(taken_up) or back * 1_000_000 < hands.WAITS

    def state(self, live: Live | None = None, act: object = None, asker: str = "", time: str = "") -> State:
        """All that an answer depends on, as this process knows it; what an act looks at closely is read anew."""
        live = live or self.live
        wallets = self.journal.balances(CAGE) if isinstance(act, Sit | BuyIn | Leave | PayOut) else {}
        around = None if self.house_wide is None else self.house_wide.around(act)
        state = State(self.name, self.layout, live, around, wallets)
        return state._replace(bought=self.bought.limited(state, asker, time)) if asker and live.money else state

    def _decided(self, live: Live, requested: Request) -> list[Planned]:
        announced = live.announced and live.announced.asker
        if announced and announced.key == requested.by.key and not isinstance(requested.act, r.SettleRoll | r.RollDice):
            # or nobody could ever settle that roll
            raise errors.KeyTakenError(f"{self.name}: a roll was asked for under the key {requested.by.key!r}")
        buys = isinstance(requested.act, Sit | BuyIn)
        cage = self.journal.head(CAGE) if buys and live.money else None
        state = self.state(live, requested.act, requested.by.actor if buys else "", requested.by.time)
        self._counted_at = cage if state.bought else None
        planned = answer(state, requested._replace(material=self._material(live, requested.act, requested.by.time)))
        if isinstance(planned, Refusal):
            raise errors.RoleError(planned.message, planned.code)
        for each in planned:
            if each.error is not None:
                report = {"report": report_of(state, requested), "table": self.name, "act": requested.kind}
                LOG.error("act failed", exc_info=each.error, extra=report)
        return planned

    def _material(self, live: Live, act: Act, time: str) -> Material:
        match act:
            case r.RollDice() | r.CloseBets() | r.CloseForGood() if live.dice == "fair":
                seeds, lost = self._opened_seeds(live)
                if live.protocol > 1:
                    return Material(seeds, lost, (new_seed(),) if hands.uncommitted(live) else ())
                over = live.over is None and rolls.is_over(live, time)
                return Material(seeds, lost, tuple(new_seed() for _ in range(len(live.epochs) if over else 0)))
            case r.SettleRoll() if live.announced is not None and live.chains:
                return self._revealed(live, live.announced)
            case r.SettleRoll() if live.announced is not None and live.dice == "fair":
                seeds, lost = self._opened_seeds(live)
                seed = seeds.get(live.announced.epoch)
                return Material(seeds, lost, dice=None if seed is None else rolls.dice_of(live, seed))
            case r.ReturnChips():
                return Material(worth=lambda: worth(self.layout, live.table))
            case r.ReadDice():
                first = live.announced and live.announced.reading
                reading = (
                    self._reading(live, live.announced.roll, first.commitment) if live.announced and first else b""
                )
                return Material(reading=reading, salt=secrets.token_bytes(rolls.SALT_BYTES))
            case r.Correct():
                at = act.reverses
                line = next(iter(self.journal.lines(self.name, at - 1, at)), None) if at > 0 else None
                return Material(entry=read_entry(line) if line is not None else None)
            case _:
                return r.NO_MATERIAL

    def _revealed(self, live: Live, announced: Announced) -> Material:
        """The house's link of an announced roll and the values that are in; what wagers are worth, if it is void."""
        seeds, lost = self._opened_seeds(live)
        if announced.epoch not in seeds:
            return Material(seeds, lost, worth=lambda: worth(self.layout, live.table))
        values = {
            each.person: self._opened(hands.value_stream(live), each.index, hands.value_name(each))
            for each in announced.hands
            if each.person in announced.received
        }
        epoch = announced.epoch
        if self._links[0] != epoch:
            self._links = epoch, chain(LINK_TAG, (live.stream, epoch), seeds[epoch])
        link = self._links[1][announced.roll]
        return Material(seeds, lost, link=link, values=values, worth=lambda: worth(self.layout, live.table))

    def signed_head(self, sequence: int, time: str) -> SignedHead | None:
        """The house's word for an entry of that time; the process that wrote it may not have come to sign it."""
        if self._signing is None:
            return None
        last = self._signing.last.get(self.name)
        if last is not None and last.sequence == sequence:
            return last
        stored = (each for each in reversed(self.journal.heads(self.name)) if each.sequence == sequence)
        if (signed := next(stored, None)) is not None:
            return signed
        line = next(iter(self.journal.lines(self.name, sequence - 1, sequence)))
        self._signing.sign(Head(self.name, sequence, hash_in(line)), time, anyway=True)
        return self._signing.last[self.name]

    def _opened_seeds(self, live: Live | None = None) -> tuple[dict[int, bytes], str]:
        """The house's seeds or chains of the epochs to come, opened, and what is said of one that is not there."""
        live, lost = live or self.live, ""
        sealed = {epoch: (f"{hands.CHAIN}{epoch}", b"") for epoch in live.chains}
        sealed = sealed or {epoch: (f"{rolls.SEED}{epoch}", each.house) for epoch, each in live.epochs.items()}
        self._seeds = {epoch: seed for epoch, seed in self._seeds.items() if epoch in sealed}
        for epoch in (each for each in sealed if each not in self._seeds):
            try:
                self._seeds[epoch] = self._opened(live.stream, epoch, *sealed[epoch])
            except errors.OtherKeysError:
                raise
            except errors.JournalError as error:
                lost = lost or str(error)
        return self._seeds, lost

    def _reading(self, live: Live, roll: int, commitment: str) -> bytes:
        return self._opened(rolls.reading_stream(live), roll, rolls.reading_name(roll, commitment))

    def _opened(self, stream: str, number: int, name: str, house: bytes = b"") -> bytes:
        """What lies sealed beside the table under a name; what it is bound to stands before it, or is the house's."""
        for planned in self._pending or ():
            if planned.secrets and name in planned.secrets:
                return planned.secrets[name].value
        sealed = self.journal.secret(self.name, name)
        if sealed is None:
            raise errors.JournalError(f"{self.name}: {name} is not there")
        if self.keys is None:
            raise errors.JournalError(f"{self.name} needs the keys of the house, and was opened without them")
        if not house:
            house, sealed = sealed[:SEED_BYTES], sealed[SEED_BYTES:]
        try:
            return unseal(self.keys.seal, stream, number, house, sealed)
        except errors.ChanceError as error:
            raise errors.OtherKeysError(
                f"{self.name}: these are not the keys that {name} was sealed with: {error}. "
                "Nothing was written; open the table with its own keys"
            ) from None

    def _first(self, requested: Request) -> bytes | None:
        """The answer that was given under this key; asked something else under it, an error."""
        by = requested.by
        line = self.journal.under_key(self.name, by.key)
        if line is None:
            return None
        entry = read_entry(line)
        if entry.kind == "dice_entered":
            opened = self._reading(self.live, entry.body["roll"], entry.body["commitment"])
            requested = requested._replace(material=Material(reading=opened))
        if entry.actor != by.actor or by.role not in ("", entry.role) or not answers(entry, requested):
            raise errors.KeyTakenError(
                f"{self.name}: something else was asked under the key {by.key!r}, in entry {entry.sequence}"
            )
        return line

    def _write(
        self, plan: Callable[[Live], list[Planned]], by: Ask | None = None, act: Act | None = None
    ) -> Sequence[Entry]:
        """Decide, write, and decide again for as long as others are first."""
        with self._asking:
            for _ in range(TRIES_MAX):
                planned = plan(self._go_on(act))
                try:
                    return self._append(planned)
                except (
                    errors.BehindError,
                    errors.InDoubtError,
                    errors.KeyTakenError,
                ):  # a key that is not ours: somebody was first
                    self.catch_up()
                    if by is not None and self.journal.under_key(self.name, by.key) is not None:
                        raise errors.KeyTakenError(f"{self.name}: there is an entry under {by.key!r}") from None
                except errors.OverdrawnError as error:
                    if any("wallet" in each.draft.body or any(payments(each.floor or ())) for each in planned):
                        continue  # the wallet was spent elsewhere meanwhile: look at it again
                    return self._overdrawn(planned, by, error)
            raise errors.BehindError(f"{self.name}: others were first {TRIES_MAX} times")

    def _overdrawn(self, planned: list[Planned], by: Ask | None, error: errors.OverdrawnError) -> Sequence[Entry]:
        """An answer that the books do not take is none: it is refused, and the table goes on."""
        if by is None:
            raise errors.StoppedError(f"{self.name}: {error}") from error
        draft = planned[-1].draft
        requested = Request(by, r.RollDice(), draft.body.get("command") or {"kind": draft.kind})
        report = report_of(self.state(), requested)
        LOG.error("act failed", exc_info=error, extra={"report": report, "table": self.name, "act": draft.kind})
        no_books = refused(requested, no("act.failed", "report", report=report))
        no_books.draft.body.update(command=draft.body.get("command"), asked=None)
        return self._append([no_books])

    def _append(self, planned: list[Planned]) -> Sequence[Entry]:
        """Write entries at the end of the chain as it is known here, and be what they make of the table."""
        if not planned:
            return ()
        live, head = self.at
        entries: list[Entry] = []
        moments: list[Moment] = []
        for each in planned:
            last = entries[-1] if entries else head
            entry = chained(each.draft, self.name, last.sequence + 1, last.hash, self.house)
            then = after(live, entry, each.events, each.table, each.floor)
            entries.append(entry)
            moments.append(Moment(entry, live, each.events, then))
            live = then
        if self._pending is not None:
            self._pending += planned
            self.at = live, Head(self.name, entries[-1].sequence, entries[-1].hash, live.fence)
            return entries
        snapshot = None
        if entries[-1].sequence // COUNTED_EVERY > head.sequence // COUNTED_EVERY and live.over is None:
            entry, snapshot = counted(self.journal, entries, live, planned[-1].draft.time)
            entries.append(entry)
            moments.append(Moment(entry, live, (), live))
        fence = live.fence if live.fence != head.fence else None
        write = Write(head, entries, fence, snapshot, seal_all(self.keys, planned))
        at_the_cage = self._at_the_cage(live, planned, entries)
        beside = self.house_wide.beside(self.name, entries) if self.house_wide is not None else []
        self.journal.append(write, *at_the_cage, *beside)
        self.at = live, write.end
        time = planned[-1].draft.time
        if self._signing is not None:
            # An entry says whose value is due, or owed: nobody shows one but against the house's word for that.
            due = (each.body.get("hands" if each.kind == "bets_closed" else "silent") for each in entries)
            anyway = snapshot is not None or any(due)
            if (signed := self._signing.sign(self.head, time, anyway=anyway)) is not None:
                moments[-1] = moments[-1]._replace(head=signed)
            for other in at_the_cage:
                self._signing.sign(other.end, time)
        for listener in self.listeners:  # who hears of a closing asks for its head
            for moment in moments:
                listener(moment)
        return entries

    def _at_the_cage(self, live: Live, planned: Sequence[Planned], entries: Sequence[Entry]) -> list[Write]:
        """The other side of chips that go between wallets and the table as it will be with these entries."""
        counted_at, self._counted_at = self._counted_at, None
        for each, entry in zip(planned, entries, strict=False):  # a count may follow, which moves nothing
            if not (live.wallets or each.floor):
                continue
            acts = cage_acts(live.wallets, each.events, each.floor or (), bought="wallet" in each.draft.body)
            if acts:
                write = cage_write(self.journal, acts, each.draft, entry, self.keys and self.keys.sign)
                if counted_at is not None and counted_at != write.head:
                    raise errors.BehindError(f"{CAGE} went on after {counted_at.sequence} while {self.name} decided")
                return [write]
        return []

    def _go_on(self, act: Act | None = None) -> Live:
        """The table that goes on, or an error that says why it does not."""
        live = self.live
        self._check_held()
        if live.over == "stopped" and not isinstance(act, r.ReturnChips):
            raise errors.StoppedError(f"{self.name} was stopped; its journal says why")
        if live.over == "closed":
            raise errors.TableClosedError(f"{self.name} was closed")
        return live


def _house_asks(time: str) -> Ask:
    return Ask("house", "house", "house", time)
