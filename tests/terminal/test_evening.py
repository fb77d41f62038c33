"""An evening without a screen: bets, odds, undo, repeat, the others, and a record that gives the same chips again."""

from __future__ import annotations

from importlib.resources import files
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.engine import commands as c
from passline.engine.refusals import Refusal
from passline.engine.values import ROLLS
from passline.house import House
from passline.record.replay import replay
from passline.rulebooks.read import built_in
from passline.terminal import chips, regulars
from passline.terminal.cells import look
from passline.terminal.dice import read_faces, seeded, shaken
from passline.terminal.evening import Evening
from passline.terminal.reckoning import tell
from passline.terminal.second_person import to_you
from passline.terminal.tell import standing

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.conftest import Sit

HOUSES = tuple(built_in())


def roll(evening: Evening) -> None:
    """Send the dice and let them land."""
    assert not isinstance(evening.send(), Refusal)
    assert not isinstance(evening.throw(), Refusal)
    evening.rested()


def play(evening: Evening, rolls: int) -> None:
    """Play the line with odds, and whatever else the dealers take, for so many rolls."""
    keys = [spot.key for spot in evening.layout.offered()]
    for at in range(rolls):
        evening.bet(evening.layout.line[0], 1500)
        evening.bet(keys[at % len(keys)], 1500)
        evening.odds(None, None if at % 2 else 500)
        evening.repeat()
        roll(evening)
        if evening.rail < 20_000:
            evening.rebuy(100_000)


# --- The person's acts ----------------------------------------------------------------------------------------------


def test_a_chip_that_cannot_be_bet_becomes_the_nearest_that_can(sit: Sit) -> None:
    """One is under the minimum of five, and a horn divides by four."""
    evening = sit()
    evening.bet("pass", 100)
    evening.bet("horn", 500)
    assert {key: wager.stake for key, wager in evening.seat.felt.items()} == {"pass": 500, "horn": 800}  # type: ignore[union-attr]


def test_a_refusal_is_told_and_leaves_no_trace_in_the_record(sit: Sit) -> None:
    """The table is as it was; the log says why."""
    evening = sit()
    before = evening.state, evening.text()
    answer = evening.bet("come", 500)
    assert isinstance(answer, Refusal)
    assert (evening.state, evening.text()) == before
    assert evening.log[-1].tone == "no"
    assert evening.log[-1].text == answer.message


def test_odds_go_behind_the_line_in_one_call_up_to_what_is_posted(sit: Sit) -> None:
    """Ten times the flat bet, and then no more."""
    evening = sit(dice="4-2")
    evening.bet("pass", 1000)
    roll(evening)
    evening.odds(None, 500)
    assert evening.seat.felt["pass_odds"].stake == 500  # type: ignore[union-attr]
    evening.odds("pass", None)
    assert evening.seat.felt["pass_odds"].stake == 10_000  # type: ignore[union-attr]
    assert isinstance(evening.odds("pass", None), Refusal)


def test_odds_without_a_flat_bet_are_refused_with_a_reason(sit: Sit) -> None:
    """There is nothing to stand behind."""
    answer = sit().odds(None, 500)
    assert isinstance(answer, Refusal)
    assert "flat bet" in answer.message


def test_undo_takes_back_ones_own_acts_one_by_one_and_redo_does_them_again(sit: Sit) -> None:
    """Bets, and bets taken down, but nothing before the dice rested, and nobody else's."""
    evening = sit(others=2)
    start = evening.state
    evening.bet("pass", 500)
    evening.bet("field", 500)
    evening.take("field")
    end = evening.state
    assert [type(evening.undo()) for _ in range(3)] == [c.Take, c.Bet, c.Bet]
    assert evening.state == start
    assert evening.undo() is None
    assert [type(evening.redo()) for _ in range(3)] == [c.Bet, c.Bet, c.Take]
    assert evening.state == end
    assert evening.redo() is None


def test_dice_that_went_out_cannot_be_undone(sit: Sit) -> None:
    """Betting was over."""
    evening = sit(dice="4-2")
    evening.bet("pass", 500)
    evening.send()
    assert evening.undo() is None


def test_repeat_bets_again_what_the_dice_took_and_only_what_is_legal(sit: Sit) -> None:
    """After a seven-out the line and the field go up again; odds have no point to stand behind."""
    evening = sit(dice="4-2 5-2")
    evening.bet("pass", 1000)
    roll(evening)
    evening.odds(None, 1000)
    evening.bet("field", 500)
    roll(evening)
    assert not evening.seat.felt  # type: ignore[union-attr]
    assert evening.repeat() == 2
    assert {key: wager.stake for key, wager in evening.seat.felt.items()} == {"pass": 1000, "field": 500}  # type: ignore[union-attr]


def test_all_that_may_come_down_does(sit: Sit) -> None:
    """A pass bet with its point stays; a place bet and odds do not."""
    evening = sit(dice="4-2")
    evening.bet("pass", 1000)
    roll(evening)
    evening.odds(None, 1000)
    evening.bet("place_8", 600)
    assert evening.take_all() == 2
    assert list(evening.seat.felt) == ["pass"]  # type: ignore[union-attr]


def test_a_wager_is_called_off_and_on_again(sit: Sit) -> None:
    """One key for both."""
    evening = sit("strip", dice="4-2")
    evening.bet("pass", 1500)
    roll(evening)
    evening.bet("place_8", 1800)
    assert evening.works("place_8")
    evening.toggle("place_8")
    assert not evening.works("place_8")
    evening.toggle("place_8")
    assert evening.works("place_8")


def test_a_person_who_leaves_cashes_what_can_come_down(sit: Sit) -> None:
    """The reckoning counts chips carried away."""
    evening = sit()
    evening.bet("pass", 1000)
    evening.leave()
    assert evening.left
    assert evening.reckoning().carried == 50_000
    assert "Even." in tell(evening.layout, evening.reckoning())


# --- The dice -------------------------------------------------------------------------------------------------------


def test_the_offer_can_be_declined_and_somebody_else_shoots(sit: Sit) -> None:
    """The dice go round to a player with a line bet."""
    evening = sit(dice="4-2", others=2)
    assert evening.offered
    evening.bet("pass", 500)
    evening.pass_dice()
    roll(evening)
    assert evening.rolls[-1].thrower != evening.me


def test_the_person_shoots_when_the_dice_come_round_and_a_line_bet_is_up(sit: Sit) -> None:
    """Rolling is taking the dice."""
    evening = sit(dice="4-2", others=2)
    evening.bet("pass", 500)
    roll(evening)
    assert evening.rolls[-1].thrower == evening.me


def test_alone_without_a_line_bet_nobody_throws(sit: Sit) -> None:
    """The refusal says what to do."""
    answer = sit().send()
    assert isinstance(answer, Refusal)
    assert "line" in answer.message


def test_typed_faces_are_read_and_anything_else_is_not() -> None:
    """Two faces from one to six, however they are set apart."""
    assert [str(read_faces(text)) for text in ("4-2", "42", "4 2", " 6,6 ")] == ["4-2", "4-2", "4-2", "6-6"]
    for text in ("", "7-1", "0-3", "4", "1-2-3", "a-b", "4--2", "٤-٢", "10-1", "9" * 500):
        with pytest.raises(ValueError, match=r"dice|die"):
            read_faces(text)


def test_seeded_dice_are_the_same_every_time_and_all_throws_come() -> None:
    """A seed is a list of throws; thirty-six thousand of them are fair within four sigmas."""
    dice = seeded("7")
    assert [dice(at) for at in range(50)] == [seeded("7")(at) for at in range(50)]
    counts = dict.fromkeys(ROLLS, 0)
    for at in range(36_000):
        counts[dice(at)] += 1
    assert all(abs(count - 1000) < 4 * 32 for count in counts.values())
    assert shaken(0) in ROLLS


# --- The others -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_the_same_seed_gives_the_same_evening(house: str) -> None:
    """Regulars act on the table and their own luck, so two evenings are one."""
    first, second = (Evening.open(House(house), others=4, seed="abc") for _ in range(2))
    for evening in (first, second):
        play(evening, 30)
    assert first.text() == second.text()
    assert sum(1 for seat in first.state.seats.values() if seat.name in regulars.BY_NAME) >= 1


@pytest.mark.parametrize("house", HOUSES)
def test_regulars_never_ask_what_the_dealers_refuse_twice(house: str) -> None:
    """Nothing refused reaches the record, so a strict replay is silent."""
    evening = Evening.open(House(house), others=8, seed="x")
    play(evening, 60)
    assert not evening.table.refusals
    assert len({moment.command.seat for moment in evening.table.history if isinstance(moment.command, c.Bet)}) >= 5


def test_regulars_pass_decline_and_take_the_dice() -> None:
    """In a long evening all three happen."""
    evening = Evening.open(House("strip"), others=6, seed="long")
    play(evening, 600)
    kinds = {type(moment.command) for moment in evening.table.history if getattr(moment.command, "seat", 1) != 1}
    assert {c.Shoot, c.Decline, c.PassDice, c.Bet} <= kinds


def test_a_regular_without_chips_leaves() -> None:
    """And somebody else may come later."""
    evening = Evening.open(House("adelaide"), others=1, seed="7")
    state = evening.state
    broke = state.seats[2]._replace(rail=100, felt={})
    table = state._replace(seats={**state.seats, 2: broke})
    assert regulars.acts(evening.layout, table, 2, Random(1)) == (c.Leave(2),)


# --- The record -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_a_record_replays_to_the_same_chips_and_an_evening_goes_on_as_if_never_broken_off(
    house: str, tmp_path: Path
) -> None:
    """Save in the middle, resume, play on: chips, luck and log are those of an evening without a break."""
    whole = Evening.open(House(house), others=3, seed="7", path=tmp_path / "whole.craps")
    half = Evening.open(House(house), others=3, seed="7", path=tmp_path / "half.craps")
    play(whole, 20)
    play(half, 20)
    half.save()
    resumed = Evening.resume(tmp_path / "half.craps")
    assert resumed.state == half.state
    assert replay(half.text()).table == half.state
    play(whole, 10)
    play(resumed, 10)
    assert resumed.text() == whole.text()
    assert resumed.reckoning() == whole.reckoning()


def test_an_evening_saved_with_the_dice_in_the_air_goes_on_there(sit: Sit) -> None:
    """The dice are still out, and land."""
    evening = sit(dice="4-2")
    evening.bet("pass", 500)
    evening.send()
    path = evening.save()
    assert path is not None
    resumed = Evening.resume(path)
    phases = [resumed.state.phase]
    resumed.throw()
    phases.append(resumed.state.phase)
    assert phases == ["dice out", "betting"]


def test_a_house_file_is_found_again_from_another_folder(tmp_path: Path) -> None:
    """The record names it by its way from the record's own folder."""
    text = files("passline.rulebooks").joinpath("houses", "strip.toml").read_text(encoding="utf-8")
    (tmp_path / "houses").mkdir()
    house = tmp_path / "houses" / "mine.toml"
    house.write_text(text, encoding="utf-8")
    (tmp_path / "kept").mkdir()
    evening = Evening.open(House(house), seed="7", path=tmp_path / "kept" / "evening.craps")
    evening.bet("pass", 1500)
    evening.save()
    assert "house ../houses/mine.toml" in evening.text()
    assert Evening.resume(tmp_path / "kept" / "evening.craps").state == evening.state


def test_a_record_written_by_hand_is_not_written_over(tmp_path: Path) -> None:
    """Its comments are somebody's own; the evening that goes on from it is kept beside it."""
    story = tmp_path / "story.craps"
    story.write_text("passline 1\nhouse sydney\nsit 3 Ann 100 # lucky seat\n3 bet pass 10\n", encoding="utf-8")
    evening = Evening.resume(story)
    assert (evening.me, evening.rail, evening.on_table) == (3, 9000, 1000)
    assert evening.save() == tmp_path / "story-2.craps"
    assert "lucky seat" in story.read_text(encoding="utf-8")


def test_a_person_who_left_sits_down_again(sit: Sit) -> None:
    """Resuming after leaving is a new buy-in."""
    evening = sit(others=1)
    evening.leave()
    path = evening.save()
    assert path is not None
    resumed = Evening.resume(path, buyin=12_300)
    assert resumed.rail == 12_300


def test_a_save_that_fails_leaves_the_old_record_whole(sit: Sit, tmp_path: Path) -> None:
    """A folder that is gone is told, and playing goes on."""
    evening = sit(dice="4-2")
    evening.save()
    evening.path = tmp_path / "gone" / "evening.craps"
    evening.bet("pass", 500)
    evening.send()
    evening.throw()
    evening.rested()
    assert any("cannot be written" in entry.text for entry in evening.log)
    assert not list(tmp_path.glob(".evening*"))


# --- The reckoning --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_the_reckoning_adds_up_to_the_chips(house: str) -> None:
    """What the wagers brought is what the rail and the felt have more than was bought."""
    evening = Evening.open(House(house), others=2, seed="sum")
    play(evening, 150)
    reckoning = evening.reckoning()
    assert reckoning.total.net == reckoning.rail + reckoning.up - reckoning.bought - held(evening)
    assert reckoning.rolls == 150
    assert reckoning.total.expected is not None
    assert max(map(len, tell(evening.layout, reckoning))) <= 76


def held(evening: Evening) -> int:
    """Commission that is still the player's is on the felt, and no longer counted as won."""
    assert evening.seat is not None
    return sum(wager.held for wager in evening.seat.felt.values())


def test_the_expected_result_is_the_edge_on_what_was_decided(sit: Sit) -> None:
    """Five on any seven at four to one expects to lose a sixth of it."""
    evening = sit(dice="4-2")
    evening.bet("pass", 500)
    evening.bet("any_seven", 600)
    roll(evening)
    account = evening.reckoning().accounts["any_seven"]
    assert (account.bets, account.staked, account.lost, account.net) == (1, 600, 600, -600)
    assert account.expected == -100


# --- Words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ("You bets 10 on Buy 4 and pays 1 commission.", "You bet 10 on Buy 4 and pay 1 commission."),
        ("You throws 4-2: Six, easy six; mark the 6.", "You throw 4-2: Six, easy six; mark the 6."),
        ("You is out; new shooter coming out.", "You are out; new shooter coming out."),
        ("Field pays You 5 at 1 to 1 and comes down.", "Field pays you 5 at 1 to 1 and comes down."),
        ("You's 5 travels to Come 6.", "Your 5 travels to Come 6."),
        ("12 down from You's Place 6.", "12 down from your Place 6."),
        ("The dice are offered to You.", "The dice are offered to you."),
        ("Rosa bets 5 on Come.", "Rosa bets 5 on Come."),
    ],
)
def test_sentences_are_said_to_the_person(about: str, said: str) -> None:
    """The crew speaks of Rosa and to you."""
    assert to_you(about) == said


def test_a_bet_with_memory_shows_what_it_has_seen(sit: Sit) -> None:
    """Two and three of the five small numbers."""
    evening = sit("strip", dice="1-1 2-1")
    evening.bet("pass", 1500)
    evening.bet("all_small", 1500)
    assert "has none of 5" in standing(evening, "all_small")
    roll(evening)
    evening.bet("pass", 1500)
    roll(evening)
    assert standing(evening, "all_small").startswith("15 up, has 2, 3 of 5")
    assert look(evening, "all_small", {}).mark == "2/5"


# --- Amounts --------------------------------------------------------------------------------------------------------


@given(st.sampled_from(HOUSES), st.integers(-(10**30), 10**30), st.data())
def test_whatever_a_hand_holds_the_answer_is_lawful_or_a_no(house: str, about: int, data: st.DataObject) -> None:
    """Whatever a hand holds, the answer is a lawful amount or the dealers' own no."""
    evening = EVENINGS.get(house) or EVENINGS.setdefault(house, Evening.open(House(house), seed="7"))
    key = data.draw(st.sampled_from([spot.key for spot in evening.layout.offered()]))
    amount = chips.to_bet(evening.layout, evening.state, evening.me, key, about)
    if not isinstance(amount, Refusal):
        assert not isinstance(evening.table.would(c.Bet(evening.me, key, amount)), Refusal)


EVENINGS: dict[str, Evening] = {}
