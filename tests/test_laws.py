"""Laws that hold at every table of every house, whatever is asked of it."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passline.codec.printed import event_json, table_json
from passline.engine.commands import (
    Bet,
    CallNoRoll,
    ChooseDice,
    DisputeFace,
    LoseDie,
    ReturnAll,
    RuleFace,
    SendDice,
    Sit,
    Throw,
)
from passline.engine.decide import decide
from passline.engine.events import ChipsBought, PlayerLeft, PlayerSat, SeatCleared
from passline.engine.evolve import evolve
from passline.engine.kinds import Odds
from passline.engine.layout import Answers, Memory, lay_out
from passline.engine.postings import balances, postings, sums
from passline.engine.refusals import Refusal
from passline.engine.table import Seat, Wager, open_table
from passline.engine.values import ROLLS, Cited, ClauseId
from passline.house import House
from passline.record.notice import default_chips, default_notice
from passline.record.position import write_position
from passline.record.record import can_be_written, write_record
from passline.rulebooks.read import built_in
from passline.table import replay
from passline.telling.sentences import clauses_of, say
from tests.codes import codes_of
from tests.evenings import SEATS, evenings, play_through

if TYPE_CHECKING:
    from pathlib import Path

    from passline.engine.commands import Command
    from passline.engine.layout import Layout
    from passline.engine.refusals import Answer
    from passline.engine.table import TableState
    from passline.engine.values import Move, Roll

SOME = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
_EVENINGS: dict[tuple[str, int], st.SearchStrategy[Any]] = {}
FOR_TOKENS = ("promotions", "tokens", "tokens up")
MISSAID = re.compile(r"\byou('s| is| \w*[^s\s]s)\b", re.IGNORECASE)
"""How *you* is never spoken to; you may *pass* the dice."""
BROUGHT_OR_CARRIED = (PlayerSat, ChipsBought, PlayerLeft, SeatCleared)


@cache
def house(name: str) -> House:
    """A house, read once."""
    return House(name)


def some_evening(layout: Layout, data: st.DataObject, acts_max: int = 60) -> tuple[Command, ...]:
    """Draw an evening."""
    drawn: tuple[Command, ...] = data.draw(evening_of(layout, acts_max))
    return drawn


def evening_of(layout: Layout, acts_max: int = 60) -> st.SearchStrategy[tuple[Command, ...]]:
    """The evenings of a house; strategies are made once a house, for making them is slow."""
    where = layout.book.id, acts_max
    if where not in _EVENINGS:
        _EVENINGS[where] = evenings(layout, acts_max)
    return _EVENINGS[where]


@pytest.fixture(params=built_in(), scope="module")
def layout(request: pytest.FixtureRequest) -> Layout:
    """Each house's felt in turn."""
    return house(request.param).layout


@given(data=st.data())
@SOME
def test_no_act_makes_or_loses_a_chip(layout: Layout, data: st.DataObject) -> None:
    """Rails, felt, commission and bank always hold what was bought; only buying and leaving change that."""

    def line(table: TableState) -> str:
        return write_position(layout, table)

    def look(before: TableState, command: Command, answer: Answer, after: TableState) -> None:
        assert after.chips == after.bought, f"{command}\nfrom: {line(before)}\nto: {line(after)}"
        if not isinstance(answer, Refusal) and not any(isinstance(event, BROUGHT_OR_CARRIED) for event in answer):
            assert after.bought == before.bought or before.before is not None, f"{command}\nat: {line(before)}"
        assert all(seat.rail >= 0 for seat in after.seats.values()), f"{command}\nat: {line(before)}"

    play_through(layout, some_evening(layout, data), look)


class Forgotten(Answers[Any, Any]):
    """Answers of which none is remembered."""

    def __setitem__(self, key: object, value: object) -> None: ...


class Everywhere(set[Any]):
    """Where somebody has looked already, and found nothing."""

    def __contains__(self, _place: object) -> bool:
        return True


def forgetful_of(layout: Layout) -> Layout:
    """The same layout without memory: every answer is computed afresh."""
    other, memory = copy.copy(layout), Memory()
    memory.looked = Everywhere()
    for name in ("settled", "made", "bets", "downs", "throws"):
        setattr(memory, name, Forgotten())
    object.__setattr__(other, "memory", memory)
    return other


@given(data=st.data())
@SOME
def test_what_is_remembered_is_what_the_rules_say(layout: Layout, data: st.DataObject) -> None:
    """A layout that forgets everything gives the same answer to every act, however much the other has seen before."""
    forgetful, evening = forgetful_of(layout), some_evening(layout, data)
    bets = dict.fromkeys(each for each in evening if isinstance(each, Bet))

    def look(before: TableState, command: Command, said: Answer, after: TableState) -> None:
        for each in (command, *bets):  # every bet of the evening again at every table of it
            answer, alone = decide(layout, before, each), decide(forgetful, before, each)
            assert answer == alone, f"{each}\nat: {write_position(layout, before)}"

        if not isinstance(said, Refusal):  # events that nobody has seen before
            assert evolve(before, copy.deepcopy(said)) == after, f"{command}\nat: {write_position(layout, before)}"

    play_through(layout, evening, look)
    memory = forgetful.memory
    assert not any((memory.settled, memory.made, memory.bets, memory.downs, memory.throws, memory.looked))


def test_memory_looks_at_all_that_the_rules_look_at(layout: Layout) -> None:
    """Tables that differ in one thing alone, asked one after the other: no answer is another table's."""
    forgetful, fine = forgetful_of(layout), default_notice(layout.book)
    coarse = fine._replace(chip=5 * fine.chip, minimum=5 * fine.chip)
    line = {str(key): Wager(2_500) for key in layout.line[:1]}
    felts: tuple[dict[str, Wager], ...] = (
        {},
        {**line, "place_6": Wager(700), "hard_8": Wager(700), "field": Wager(700)},
    )
    acts: list[Command] = [Bet(1, key, 2_500) for key in layout.spots]
    acts += [Throw(roll) for roll in ROLLS]
    for notice, felt, puck, flags in product((fine, coarse), felts, (0, 6), product((False, True), repeat=6)):
        fresh_hand, after_seven, rolled, closing, away, banned = flags
        up = {key: wager for key, wager in felt.items() if key in layout.spots}
        seat = Seat("Ann", 10_000, up, away=away, dont_banned=banned)
        table = open_table(notice, 5)._replace(seats={1: seat}, puck=puck, shooter=1, rolled=rolled, closing=closing)
        table = table._replace(fresh_hand=fresh_hand, after_seven=after_seven)
        for act in acts:
            assert decide(layout, table, act) == decide(forgetful, table, act), f"{act}\nat: {table}"


@given(data=st.data())
@SOME
def test_postings_add_up_to_the_table(layout: Layout, data: st.DataObject) -> None:
    """Every move of every event, added up, is what lies in every place; nothing comes from nowhere, tokens too."""
    history: list[Move] = []

    def look(_before: TableState, command: Command, answer: Answer, after: TableState) -> None:
        if isinstance(answer, Refusal):
            return
        history.extend(move for event in answer for move in postings(event))
        assert all(move.amount > 0 for move in history)
        assert all((move.source.name in FOR_TOKENS) == (move.to.name in FOR_TOKENS) for move in history)
        there = sums(history)
        assert there == balances(after), command
        assert sum(there.values()) == 0

    play_through(layout, some_evening(layout, data), look)


@cache
def with_buttons_on_odds(name: str) -> Layout:
    """A house that lets every odds bet be called, and has them off on a come-out."""
    book, says = house(name).book, Cited(value=True, clause=ClauseId("X-30"))
    wagers = tuple(
        replace(rule, callable=says, off_on_comeout=says) if isinstance(rule.terms, Odds) else rule
        for rule in book.wagers
    )
    return lay_out(replace(book, wagers=wagers))


@pytest.mark.parametrize("name", built_in())
@given(data=st.data())
@SOME
def test_odds_that_can_be_called_end_with_their_flat_bet_too(name: str, data: st.DataObject) -> None:
    """In a house of somebody's own, which the checker lets through: off or on, odds stand on a point or are down."""
    layout = with_buttons_on_odds(name)

    def look(before: TableState, command: Command, _answer: Answer, after: TableState) -> None:
        for seat in after.seats.values():
            for key in seat.felt:
                spot = layout.spots[key]
                behind = not spot.is_odds or (spot.flat in seat.felt and bool(spot.number or after.puck))
                assert behind, f"{command}\nfrom: {write_position(layout, before)}"

    play_through(layout, some_evening(layout, data), look)


@given(data=st.data())
@SOME
def test_every_answer_is_events_or_a_refusal_with_a_known_code_and_clause(layout: Layout, data: st.DataObject) -> None:
    """Nothing raises; a refusal changes nothing; every clause named can be looked up and every event told."""
    at = house(layout.book.id)

    def look(before: TableState, command: Command, answer: Answer, after: TableState) -> None:
        if isinstance(answer, Refusal):
            assert answer.code in codes_of("engine")
            assert answer.message.endswith(".")
            assert after is before
            cited: tuple[str, ...] = clauses_of(answer)
        else:
            assert isinstance(answer, tuple), command
            cited = tuple(clause for event in answer for clause in clauses_of(event))
            for event in answer:
                json.dumps(event_json(layout, event))
                told = {to: say(layout, before, event, to) for to in (None, *SEATS)}
                assert all(told.values())
                assert not any(MISSAID.search(sentence) for sentence in told.values()), told
        for clause in cited:
            assert at.clause(clause).sentence

    play_through(layout, some_evening(layout, data), look)


@given(data=st.data())
@SOME
def test_odds_never_outlive_their_flat_bet(layout: Layout, data: st.DataObject) -> None:
    """Wherever odds are up, the bet they stand behind is up too."""

    def look(_before: TableState, command: Command, _answer: Answer, after: TableState) -> None:
        for seat in after.seats.values():
            for key in seat.felt:
                spot = layout.spots[key]
                assert not spot.is_odds or spot.flat in seat.felt, command

    play_through(layout, some_evening(layout, data), look)


@given(data=st.data())
@SOME
def test_replay_equals_play(layout: Layout, data: st.DataObject) -> None:
    """A game written as a record replays to the same events, byte for byte, and writes as the same record."""
    acts = some_evening(layout, data)
    readable = tuple(act for act in acts if _can_be_written(act))
    played: list[str] = []

    def look(_before: TableState, _command: Command, answer: Answer, _after: TableState) -> None:
        if not isinstance(answer, Refusal):
            played.extend(json.dumps(event_json(layout, event)) for event in answer)

    last = play_through(layout, readable, look)
    notice = default_notice(layout.book)
    text = write_record(layout.book.id, layout.book, notice, default_chips(layout.book), readable)
    again = replay(text)
    assert [json.dumps(event_json(again.house.layout, event)) for event in again.events] == played
    assert again.to_json() == table_json(layout, last)
    assert again.record() == text


def _can_be_written(act: Command) -> bool:
    """The grammar has no words for negative amounts, impossible dice or a leaning die with no sides."""
    book = house("adelaide").book
    return can_be_written(act, book, default_notice(book))


IN_THE_AIR: st.SearchStrategy[tuple[Command, ...]] = st.sampled_from(
    ((), (SendDice(),), (DisputeFace(4),), (SendDice(), DisputeFace(4)))
)
"""How an evening is left off: between two rolls, or in the middle of one, as seldom happens by itself."""


@pytest.mark.hypothesis
def test_every_wager_ends(layout: Layout) -> None:
    """From any table, in any phase, the crew can end everything that works, and whoever sits down can play on.

    The evening is drawn before the test is run and not in it (`st.data`): so a broken law fails in its own words,
    where Hypothesis would call the drawing flaky.
    """

    @given(st.tuples(evening_of(layout, 30), IN_THE_AIR))
    @SOME
    def ends(drawn: tuple[tuple[Command, ...], tuple[Command, ...]]) -> None:
        evening, left_off = drawn
        _ends(layout, play_through(layout, evening + left_off, lambda *_: None))

    ends()


def _ends(layout: Layout, table: TableState) -> None:
    """Bring everything that works to its end, and play on."""
    table = evolve(_at_rest(layout, table), (PlayerSat(77, "Dealer", 10**9),))
    thrown = 0
    for _ in range(8):
        thrown = 0
        for roll in ROLLS:
            table, went = _rolled(layout, table, roll)
            thrown += went
    left = {
        key: wager
        for number, seat in table.seats.items()
        for key, wager in seat.felt.items()
        if number != 77 and wager.call != "off"
    }
    assert not {key for key in left if not layout.spots[key].rule.stays.value}, left
    assert thrown or table.closing, write_position(layout, table)


@pytest.mark.parametrize("before", [(), (SendDice(),)], ids=["at once", "dice out"])
def test_a_face_in_doubt_can_be_ruled_on(layout: Layout, before: tuple[Command, ...]) -> None:
    """In every house, whether or not the dice were sent out first: no doubt holds the table for ever."""
    acts = (Sit(1, "Ann", 50_000), Bet(1, layout.line[0], 2000), *before, DisputeFace(4))
    table = play_through(layout, acts, lambda *_: None)
    assert table.phase == "disputed"
    _at_rest(layout, table)


def _at_rest(layout: Layout, table: TableState) -> TableState:
    """The table after the throw that is in the air: a doubted face is ruled on, and dice that are out come to rest."""
    if table.phase == "disputed":
        ruled = decide(layout, table, RuleFace(3))
        assert not isinstance(ruled, Refusal), f"nobody can rule: {ruled}\nat: {write_position(layout, table)}"
        table = evolve(table, ruled)
    for command in (Throw(ROLLS[0]), CallNoRoll("stopped", None)):
        if table.phase != "betting" and not isinstance(answer := decide(layout, table, command), Refusal):
            table = evolve(table, answer)
    assert table.phase == "betting", write_position(layout, table)
    return table


def _rolled(layout: Layout, table: TableState, roll: Roll) -> tuple[TableState, bool]:
    """The table after one more roll, for which seat 77 bets the line, stray dice are found and a shooter picks some."""
    line = next((key for key in layout.line if layout.spots[key].rule.terms.side == "do"), layout.line[0])  # type: ignore[union-attr]
    tried: list[Command] = [Bet(77, line, max(table.notice.minimum, table.notice.chip))]
    tried += [LoseDie(die, "found") for die in table.dice.off]
    tried += [LoseDie(die, "checked") for die in (*table.dice.off, *table.dice.found)]
    if table.shooter is not None and len(table.dice.out) != layout.book.dice.chosen.value:
        there = sorted((*table.dice.bowl, *table.dice.out, *table.dice.off, *table.dice.found))
        tried.append(ChooseDice(table.shooter, tuple(there[:2])))
    for command in tried:
        answer = decide(layout, table, command)
        table = table if isinstance(answer, Refusal) else evolve(table, answer)
    thrown = decide(layout, table, Throw(roll))
    if not isinstance(thrown, Refusal):
        return evolve(table, thrown), True
    # With nobody who may throw the game waits, and the supervisor gives bets back.
    back = decide(layout, table, ReturnAll("nobody may throw"))
    return table if isinstance(back, Refusal) else evolve(table, back), False


REPLAYED = """
import sys
from passline.cli import main
for file in sys.argv[1:]:
    sys.argv = ["passline", "replay", "--json", file]
    try:
        main()
    except SystemExit as end:
        assert not end.code, file
"""


@pytest.mark.slow
def test_same_commands_give_the_same_events_under_any_hash_seed(tmp_path: Path) -> None:
    """A record's JSON does not depend on the order of sets and dictionaries of the day."""
    for name in built_in():
        lines = ["passline 1", f"house {name}", "sit 1 Ann 9000", "sit 3 Bob 9000", "sit 2 Cy 9000"]
        for key in house(name).layout.spots:
            lines += [f"{seat} bet {key} 60" for seat in (1, 2, 3)]
        lines += [f"roll {roll}" for roll in ROLLS] + ["1 on place_6"]
        (tmp_path / f"{name}.craps").write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-c", REPLAYED, *sorted(map(str, tmp_path.iterdir()))]
    outputs = set()
    for seed in ("0", "1", "random"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        outputs.add(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(outputs) == 1
    assert outputs.pop().count('"event": "table"') == len(built_in())


def test_decide_changes_nothing(layout: Layout) -> None:
    """Asking twice is asking once."""
    table = open_table(default_notice(layout.book), layout.book.dice.dice_set.value)
    table = evolve(table, decide(layout, table, Sit(1, "Ann", 10_000)))  # type: ignore[arg-type]
    command = Bet(1, layout.line[0], 2000)
    assert decide(layout, table, command) == decide(layout, table, command)
    assert table.seats[1].rail == 10_000
