"""A live table: command in, durable answer out.

Decide, write, then speak. What is asked comes with a key; asked again, it gets the first answer again, byte for byte. A
roll is announced in the journal before its dice exist, so that whoever comes after a crash rolls the same dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from passline.cage.wallets import Cage
from passline.codec import to_data
from passline.engine.commands import Command
from passline.engine.table import Notice
from passline.engine.values import Roll
from passline.errors import (
    ArgumentError,
    BehindError,
    ChanceError,
    FencedError,
    InDoubtError,
    InvariantError,
    JournalError,
    KeyTakenError,
    OverdrawnError,
    RoleError,
    StoppedError,
    TableClosedError,
)
from passline.floor.acts import FloorCommand
from passline.journal.contract import Head, Journal, Write, house_digest, house_file, opening_of
from passline.journal.entries import Entry, in_a_chain, read_entry
from passline.journal.heads import Signing, check_last_head, check_signer, public
from passline.pit import closing, crew, plans, seeds, snapshots, wallets
from passline.pit.chains import because, command_of, is_because, secrets_of, seed_asked
from passline.pit.checks import check_decision, check_dice, check_seed, check_time, check_words, checked
from passline.pit.housewide import ALONE, Two
from passline.pit.live import DICE_MODES, Asked, after
from passline.pit.opening import HouseFile, check_name, house_text, layout_of, opening
from passline.pit.plans import Ask, Planned, by_the_house
from passline.pit.seated import Seated

if TYPE_CHECKING:
    from passline.pit.housewide import Alone, HouseWide
    from passline.pit.keys import Keys
    from passline.pit.live import DiceMode, Live

COUNTED_EVERY = 1_000
"""How many entries there are between two counts of a table, with a snapshot and a signed head each."""

TRIES_MAX = 1_000
"""How often somebody who lost a race decides again before giving up."""


class LiveTable:
    """One table of a journal, as one process sees it; any number of threads may ask it."""

    def __init__(self, journal: Journal, name: str, keys: Keys | None) -> None:
        """Read a table that is there; `open` and `create` are the ways in."""
        self.journal, self.name, self.keys = journal, name, keys
        entry = opening_of(journal, name)
        self.layout = layout_of(house_file(journal, entry))
        self.house = entry.house
        self.seated = Seated(journal, name)
        self.told: list[Callable[[Entry], None]] = []
        """Whoever wants to hear of each entry, once it is durable."""
        self.house_wide: HouseWide | Alone = ALONE
        """The people and the floor of the house, where the table is one of a pit's."""
        self._asking = RLock()
        self.live, self.head = snapshots.last_known(journal, entry)
        self._held: int | None = None
        self._signing = None if keys is None else Signing(journal, keys.sign)
        self._seen_until = seeds.seen_until(journal, name)
        self.catch_up()
        self._held = self.live.fence
        if keys is not None and self.live.over is None:
            check_signer(journal, name, keys.sign)
            check_last_head(journal, name)
            seeds.check_keys(journal, name, self.live, keys.seal)

    # --- Opening ------------------------------------------------------------------------------------------------------

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
    ) -> LiveTable:
        """Open a new table; one whose dice are drawn is committed to its first seeds at once."""
        check_name(name)
        if dice not in DICE_MODES:
            raise ArgumentError("dice", repr(dice), f"one of {', '.join(DICE_MODES)}")
        if keys is None and dice != "given":
            raise ArgumentError("keys", "None", "the keys of the house: seeds and readings are kept under them")
        check_time(time)
        text = house_text(house)
        body = opening(text, dice, notice, chips, None if keys is None else public(keys.sign), wallets=wallets)
        planned = [by_the_house("table_opened", body, time)]
        if dice == "fair" and keys is not None:
            epochs = range(1, seeds.AHEAD + 1)
            planned += [seeds.committed(body["stream"], epoch, keys.seal, time) for epoch in epochs]
        entries = in_a_chain(Head(name), house_digest(text), (each.draft for each in planned))
        journal.append(Write(Head(name), entries, secrets=secrets_of(planned), houses=[text]))
        return cls(journal, name, keys)

    @classmethod
    def open(cls, journal: Journal, name: str, *, time: str, keys: Keys | None = None, owner: str = "") -> LiveTable:
        """Go on with a table; with the name of an owner it is taken over, and whoever held it writes nothing more."""
        table = cls(journal, name, keys)
        if owner and table.live.over is None:
            table._take_over(owner, time)
        table.resume(time)
        return table

    def _take_over(self, owner: str, time: str) -> None:
        def plan(live: Live) -> list[Planned]:
            return [by_the_house("table_taken", {"fence": live.fence + 1, "owner": owner}, time)]

        with self._asking:
            self._held = None  # whoever takes over has nothing to lose
            self._written(plan)
            self._held = self.live.fence

    def resume(self, time: str) -> None:
        """Finish a roll that was announced before something stopped: the same dice, or every stake back.

        A table that was stopped where its seeds could not be opened shows them where they can.
        """
        with self._asking:
            if self.live.over == "stopped":
                with suppress(BehindError):  # another process shows them
                    self._try(self._last_shown(self.live, time))
            elif self.live.announced is not None and self.live.announced.asked is not None and self.live.dice == "fair":
                self._settle_roll(None, time)

    def catch_up(self) -> None:
        """Read what others have written since."""
        with self._asking:
            live, head = self.live, self.head
            for line in self.journal.lines(self.name, head.sequence):
                entry = read_entry(line)
                if entry.previous != head.hash or entry.sequence != head.sequence + 1:
                    raise JournalError(f"{self.name}: entry {entry.sequence} does not follow entry {head.sequence}")
                live = after(live, entry)
                head = Head(self.name, entry.sequence, entry.hash)
            self.live, self.head = live, head._replace(fence=live.fence)
            self._check_held()

    def _check_held(self) -> None:
        """Whoever was taken over from writes nothing more, however often it is asked and whatever it has read since."""
        if self._held is not None and self.live.fence != self._held:
            raise FencedError(f"{self.name} was taken over by another process; open it again to take it back")

    # --- Asking -------------------------------------------------------------------------------------------------------

    def do(self, command: Command | FloorCommand, ask: Ask, cage: Cage | None = None, reason: str = "") -> bytes:
        """Ask for anything the engine or the floor knows; the answer is the entry that was written, as it is kept.

        With a cage, chips are bought out of the asker's wallet and go back into it, in the same transaction. `reason`
        is why somebody does it for another.
        """
        ask, data = checked(ask), to_data(command)
        check_words(command, data, reason)

        def plan(live: Live) -> list[Planned]:
            news: list[Planned] = []
            live = self._with(live, news, self.house_wide.unheard(self.name, live, command, ask.time))
            two = Two(self.name, data["kind"], ask, data.get("second"))
            owner = self.seated.owner(live, data.get("seat"))
            planned = self.house_wide.by_two(two, lambda: plans.act(live, self.layout, command, data, ask, owner=owner))
            if cage is not None:
                planned = [wallets.from_wallet(live, cage, planned[0], command, ask)]
            return [*news, *(because(each, reason) for each in planned)]

        def same(entry: Entry) -> bool:
            return data == command_of(entry) and wallets.is_same(entry, command, cage) and is_because(entry, reason)

        return self.seated.heard(data, self._answer(ask, plan, same))

    def close_bets(self, ask: Ask) -> bytes:
        """Close the bets for the next roll, which is asked for later."""
        ask = checked(ask)

        def plan(live: Live) -> list[Planned]:
            if live.dice == "given":
                return [plans.declined(ask, "close_bets", "table.dice_entered", "close")]
            if live.announced is not None:
                return [plans.declined(ask, "close_bets", "table.bets_closed", "close")]
            refusal = plans.works_here(live, ask) or plans.could_roll(live, self.layout)
            if refusal is not None:
                return [plans.refused(ask, refusal, None, "close_bets")]
            return self._announcing(live, None, ask.time, ask)

        return self._answer(ask, plan, lambda e: e.kind == "bets_closed" or e.body.get("asked") == "close_bets")

    def roll(self, ask: Ask) -> bytes:
        """Roll dice that are drawn: the bets are closed, durably, and only then is there a roll."""
        ask = checked(ask)

        def same(entry: Entry) -> bool:
            return (entry.kind == "rolled" and entry.body["readings"] is None) or entry.body.get("asked") == "roll"

        with self._asking:
            first = self._under(ask, same)
            if first is not None:
                return first
            for _ in range(TRIES_MAX):
                self._go_on()
                try:
                    said = self._announce_roll(ask) or self._settle_roll(ask, ask.time)
                except KeyTakenError:
                    said = b""
                # Another process may have finished it for us, or rolled for somebody else what was closed for nobody.
                said = said or self._under(ask, same) or b""
                if said:
                    return said
            raise BehindError(f"{self.name}: others were first {TRIES_MAX} times")

    def _announce_roll(self, ask: Ask) -> bytes | None:
        """Close the bets for this roll; the answer, where there is one already."""
        asked = Asked(ask.actor, ask.key, ask.role)

        def plan(live: Live) -> list[Planned]:
            if live.dice != "fair":
                return [plans.declined(ask, "roll", "table.dice_entered", "roll")]
            if live.announced is not None:
                return []
            refusal = plans.works_here(live, ask) or plans.could_roll(live, self.layout)
            if refusal is not None:
                return [plans.refused(ask, refusal, None, "roll")]
            return self._announcing(live, asked, ask.time)

        while True:
            found = self._under(ask, lambda _entry: True)
            if found is not None:  # somebody finished it for us; announced once more it could never be settled
                return found
            entries = self._written(plan, ask)
            if entries and entries[-1].kind == "refused":
                return entries[-1].line
            announced = self.live.announced
            if announced is not None and announced.asked in (None, asked):
                return None
            if announced is not None:
                self._settle_roll(None, ask.time)  # another's roll comes first

    def _announcing(self, live: Live, asked: Asked | None, time: str, ask: Ask | None = None) -> list[Planned]:
        """Close the bets; where dice are drawn, out of an epoch whose mix is frozen."""
        planned: list[Planned] = []
        if live.dice == "fair":
            key = self._keys().seal
            while not live.epochs[live.epoch].mix or seeds.is_over(live, time, self._seen_until):
                if not live.epochs[live.epoch].mix and not live.epochs[live.epoch].missing:
                    live = self._with(live, planned, [seeds.frozen(live, time)])
                else:
                    live = self._with(live, planned, seeds.ended(live, self._seed(live, live.epoch), key, time))
        return [*planned, seeds.announced(live, asked, time, ask)]

    def _with(self, live: Live, planned: list[Planned], more: list[Planned]) -> Live:
        """The live table as it will be with more entries."""
        planned += more
        for entry in in_a_chain(self.head, self.house, (each.draft for each in more)):
            live = after(live, entry)
        return live

    def _settle_roll(self, ask: Ask | None, time: str) -> bytes:
        """Give an announced roll its dice, or every stake back where they cannot be had; b"" if it is done."""

        def plan(live: Live) -> list[Planned]:
            announced = live.announced
            if announced is None:
                return []
            asked = announced.asked
            by = ask if asked is None else Ask(asked.actor, asked.role, asked.key, time)
            if by is None:  # closed for nobody, since what was to be settled is: whoever asks next rolls it
                return []
            try:
                seed = self._seed(live, announced.epoch)
            except ChanceError as error:
                back = plans.voided(live, self.layout, (str(error), ()), Ask("house", "house", "", time), returned=True)
                assert isinstance(back, Planned), "what is up can be given back"
                stopped = by_the_house("table_stopped", {"reason": str(error)}, time)
                return [back, stopped, *self._last_shown(live, time)]
            return [plans.rolled(live, self.layout, seeds.dice_of(live, seed), by, None)]

        entries = self._written(plan, ask)
        if self.live.over == "stopped":
            raise StoppedError(f"{self.name} was stopped, and every stake went back: a seed is lost")
        if ask is None:
            return entries[-1].line if entries else b""
        return self.journal.under_key(self.name, ask.key) or b""

    # --- Seeds, real dice, corrections --------------------------------------------------------------------------------

    def commit_seed(self, epoch: int, commitment: bytes, ask: Ask) -> bytes:
        """A player promises a seed for an epoch."""
        ask = checked(ask)
        check_seed("commitment", epoch, commitment)
        return self._answer(
            ask,
            lambda live: [seeds.promised(live, epoch, commitment, ask)],
            lambda e: seed_asked(e, "player_seed_committed", epoch, commitment=commitment.hex()),
        )

    def reveal_seed(self, epoch: int, seed: bytes, ask: Ask) -> bytes:
        """A player shows the seed that was promised."""
        ask = checked(ask)
        check_seed("seed", epoch, seed)
        return self._answer(
            ask,
            lambda live: [seeds.shown(live, epoch, seed, ask)],
            lambda e: seed_asked(e, "player_seed_revealed", epoch, seed=seed.hex()),
        )

    def read_dice(self, dice: Roll, ask: Ask) -> bytes:
        """Somebody says what real dice show; when a second, who has not seen that, says the same, it is the roll."""
        ask = checked(ask)
        check_dice(dice)
        reader = crew.Reader(self.journal, self.name, self._keys().seal)
        return self._answer(
            ask, lambda live: reader.read(live, self.layout, dice, ask), lambda e: reader.is_same(self.live, e, dice)
        )

    def void(self, reason: str, second: str, ask: Ask, *, returned: bool = False) -> bytes:
        """Two people declare an announced roll void; its number is spent, and its dice are shown with the others."""
        ask = checked(ask)
        check_decision(reason, second)
        return self._answer(
            ask,
            lambda live: self.house_wide.by_two(
                Two(self.name, "table.void", ask, second),
                lambda: [crew.voided(live, self.layout, (reason, second), ask, returned=returned)],
            ),
            lambda e: crew.is_void(e, reason, second, returned=returned),
        )

    def correct(self, reverses: int, reason: str, second: str, ask: Ask) -> bytes:
        """Two people reverse an entry that was wrong, by a new one: the last roll, or chips that were bought."""
        ask = checked(ask)
        check_decision(reason, second)
        line = next(iter(self.journal.lines(self.name, reverses - 1, reverses)), None) if reverses > 0 else None
        wrong = read_entry(line) if line is not None else None
        return self._answer(
            ask,
            lambda live: self.house_wide.by_two(
                Two(self.name, "table.correct", ask, second),
                lambda: [crew.corrected(live, self.layout, wrong, (reverses, reason, second), ask)],
            ),
            lambda e: crew.is_correction(e, reverses, reason, second),
        )

    def rotate(self, time: str) -> None:
        """End the epoch that is dealt and show its seed; the next one is committed to already."""

        def plan(live: Live) -> list[Planned]:
            if live.announced is not None or live.dice != "fair" or not live.epochs[live.epoch].mix:
                return []
            return seeds.ended(live, self._seed(live, live.epoch), self._keys().seal, time)

        self._written(plan)

    def close(self, time: str, ask: Ask | None = None, *, hosted: bool = False) -> bytes:
        """Close the table for good, with nothing up: every seed the house is committed to is shown."""

        def plan(live: Live) -> list[Planned]:
            last = closing.closed(live, self.layout, ask, time, hosted=hosted)
            seen = {} if last.draft.kind == "refused" else {each: self._seed(live, each) for each in live.epochs}
            return [*seeds.all_shown(live, seen, time), last]

        if ask is None:
            return self._written(plan)[-1].line
        return self._answer(checked(ask), plan, lambda entry: closing.is_close(entry, hosted=hosted))

    def _last_shown(self, live: Live, time: str) -> list[Planned]:
        """What a table shows that deals no more: every seed that can still be opened."""
        opened: dict[int, bytes] = {}
        for epoch in live.epochs:
            with suppress(ChanceError, JournalError):
                opened[epoch] = self._seed(live, epoch)
        return seeds.all_shown(live, opened, time)

    def _seed(self, live: Live, epoch: int) -> bytes:
        return seeds.seed_of(self.journal, self.name, live, epoch, self._keys().seal)

    def _keys(self) -> Keys:
        if self.keys is None:
            raise JournalError(f"{self.name} needs the keys of the house, and was opened without them")
        return self.keys

    # --- Writing ------------------------------------------------------------------------------------------------------

    def _answer(self, ask: Ask, plan: Callable[[Live], list[Planned]], same: Callable[[Entry], bool]) -> bytes:
        """Write what is planned under the key, or give the first answer again."""

        def unpromised(live: Live) -> list[Planned]:
            asked = live.announced and live.announced.asked
            if asked and asked.key == ask.key:  # or nobody could ever settle that roll
                raise KeyTakenError(f"{self.name}: a roll was asked for under the key {ask.key!r}")
            return plan(live)

        with self._asking:
            try:
                entries = self._written(unpromised, ask)
            except (KeyTakenError, RoleError, StoppedError, TableClosedError):
                first = self._under(ask, same)
                if first is None:
                    raise
                return first
            return next((entry.line for entry in entries if entry.key == ask.key), b"")

    def _under(self, ask: Ask, same: Callable[[Entry], bool]) -> bytes | None:
        """The answer that was given under this key; asked something else under it, an error."""
        line = self.journal.under_key(self.name, ask.key)
        if line is None:
            return None
        entry = read_entry(line)
        if (entry.actor, entry.role) != (ask.actor, ask.role) or not same(entry):
            raise KeyTakenError(
                f"{self.name}: something else was asked under the key {ask.key!r}, in entry {entry.sequence}"
            )
        return line

    def _written(self, plan: Callable[[Live], list[Planned]], ask: Ask | None = None) -> Sequence[Entry]:
        """Plan, write, and plan again for as long as others are first; a broken invariant stops the table."""
        with self._asking:
            for _ in range(TRIES_MAX):
                self._go_on()
                planned: list[Planned] = []
                try:
                    planned = plan(self.live)
                    try:
                        return self._try(planned)
                    except (BehindError, InDoubtError, KeyTakenError):  # a key that is not ours: somebody was first
                        self.catch_up()
                        if ask is not None and self.journal.under_key(self.name, ask.key) is not None:
                            raise KeyTakenError(f"{self.name}: there is an entry under {ask.key!r}") from None
                except (InvariantError, OverdrawnError) as error:
                    if isinstance(error, OverdrawnError) and wallets.spends(planned):
                        continue  # the wallet was spent elsewhere meanwhile: look at it again
                    self._stop(str(error), ask.time if ask else None)
                    raise StoppedError(f"{self.name} was stopped: {error}") from error
            raise BehindError(f"{self.name}: others were first {TRIES_MAX} times")

    def _try(self, planned: list[Planned]) -> Sequence[Entry]:
        """Write entries at the end of the chain as it is known here, and be what they make of the table."""
        if not planned:
            return ()
        head, live = self.head, self.live
        entries: Sequence[Entry] = in_a_chain(head, self.house, (each.draft for each in planned))
        for entry, (_, events, _, table) in zip(entries, planned, strict=True):
            live = after(live, entry, events, table)
        snapshot = None
        if entries[-1].sequence // COUNTED_EVERY > head.sequence // COUNTED_EVERY and live.over is None:
            entries, snapshot = snapshots.counted(self.journal, entries, live, planned[-1].draft.time)
        write = Write(head, entries, live.fence if live.fence != head.fence else None, snapshot, secrets_of(planned))
        at_the_cage = wallets.at_the_cage(self.journal, live, planned, entries)
        self.journal.append(write, *at_the_cage, *self.house_wide.beside(self.name, entries))
        self.live, self.head = live, write.end
        for tell in self.told:
            for entry in entries:
                tell(entry)
        time = planned[-1].draft.time
        if self._signing is not None:
            self._signing.sign(self.head, time, anyway=snapshot is not None)
            for other in at_the_cage:
                self._signing.sign(other.end, time)
        return entries

    def _stop(self, reason: str, time: str | None) -> None:
        """Stop this table and no other; nothing more is dealt, so that every seed can be shown."""
        time = time or "1970-01-01T00:00:00Z"
        stopped = by_the_house("table_stopped", {"reason": reason}, time)
        for _ in range(TRIES_MAX):
            with suppress(BehindError, InDoubtError):
                self._try([stopped, *self._last_shown(self.live, time)])
                return
            self.catch_up()
            if self.live.over is not None:
                return

    def _go_on(self) -> None:
        self._check_held()
        if self.live.over == "stopped":
            raise StoppedError(f"{self.name} was stopped; its journal says why")
        if self.live.over == "closed":
            raise TableClosedError(f"{self.name} was closed")
