"""An evening without a screen: bets, odds, undo, repeat, the others, and a record that gives the same chips again."""

from __future__ import annotations

import re
from fractions import Fraction
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.engine import commands as c
from passline.engine.decide import decide
from passline.engine.refusals import Refusal
from passline.engine.values import ROLLS, WagerKey
from passline.house import House
from passline.rulebooks.read import built_in
from passline.sitting import amounts
from passline.sitting.company import BY_NAME
from passline.sitting.hints import PAGE, WORDS, what_now
from passline.sitting.log import _folded, result
from passline.sitting.plan import plan
from passline.sitting.reckoning import tell
from passline.sitting.sitting import Settings, Sitting, read_faces, seeded, shaken
from passline.sitting.spots import as_paid, figures, from_here, look, spot_lines, standing, verdict
from passline.sitting.words import talk
from passline.table import replay
from passline.telling.names import how, price_of
from passline.telling.sentences import seat_lines

if TYPE_CHECKING:
    from pathlib import Path

    from tests.sitting.conftest import Sit

HOUSES = tuple(built_in())


def roll(sitting: Sitting) -> None:
    """Send the dice and let them land."""
    assert not isinstance(sitting.send(), Refusal)
    assert not isinstance(sitting.throw(), Refusal)
    sitting.rested()


def play(sitting: Sitting, rolls: int) -> None:
    """Play the line with odds, and whatever else the dealers take, for so many rolls."""
    keys = [spot.key for spot in sitting.layout.offered()]
    for at in range(rolls):
        sitting.say(f"about 15 on {sitting.layout.line[0]}")
        sitting.say(f"about 15 on {keys[at % len(keys)]}")
        sitting.say("max odds" if at % 2 else "about 5 odds")
        sitting.say("same bet")
        roll(sitting)
        if sitting.rail < 20_000:
            sitting.rebuy(100_000)


# --- The person's acts ----------------------------------------------------------------------------------------------


def test_a_chip_that_cannot_be_bet_becomes_the_nearest_that_can(sit: Sit) -> None:
    """One is under the minimum of five, and a horn divides by four."""
    sitting = sit()
    sitting.say("about 1 on pass")
    sitting.say("about 5 on horn")
    assert {key: wager.stake for key, wager in sitting.seat.felt.items()} == {"pass": 500, "horn": 800}  # type: ignore[union-attr]


def test_a_refusal_is_told_and_leaves_no_trace_in_the_record(sit: Sit) -> None:
    """The table is as it was; the log says why."""
    sitting = sit()
    before = sitting.state, sitting.text()
    (answer,) = sitting.say("about 5 on come").refused
    assert (sitting.state, sitting.text()) == before
    assert sitting.log[-1].tone == "no"
    assert sitting.log[-1].text == f"{answer.message} [{answer.clause}]"


def test_odds_go_behind_the_line_in_one_call_up_to_what_is_posted(sit: Sit) -> None:
    """Ten times the flat bet, and then no more."""
    sitting = sit(dice="4-2")
    sitting.say("about 10 on pass")
    roll(sitting)
    sitting.say("about 5 odds")
    assert sitting.seat.felt["pass_odds"].stake == 500  # type: ignore[union-attr]
    sitting.say("max odds on pass")
    assert sitting.seat.felt["pass_odds"].stake == 10_000  # type: ignore[union-attr]
    assert not sitting.say("max odds on pass").commands


def test_odds_without_a_flat_bet_are_refused_with_a_reason(sit: Sit) -> None:
    """There is nothing to stand behind."""
    (answer,) = sit().say("5 odds").refused
    assert "flat bet" in answer.message


def test_undo_takes_back_ones_own_acts_one_by_one_and_redo_does_them_again(sit: Sit) -> None:
    """Bets, and bets taken down, but nothing before the dice rested, and nobody else's."""
    sitting = sit(others=2)
    start = sitting.state
    sitting.say("about 5 on pass")
    sitting.say("about 5 on field")
    sitting.say("take field")
    end = sitting.state
    assert [type(sitting.undo()) for _ in range(3)] == [c.Take, c.Bet, c.Bet]
    assert sitting.state == start
    assert sitting.undo() is None
    assert [type(sitting.redo()) for _ in range(3)] == [c.Bet, c.Bet, c.Take]
    assert sitting.state == end
    assert sitting.redo() is None


def test_undo_goes_past_what_changed_nothing(sit: Sit) -> None:
    """Who holds the dice and takes them again has done nothing, and the bet before is taken back with it."""
    sitting = sit(others=0)
    sitting.say("about 5 on pass")
    sitting.act(c.Shoot(sitting.me))
    before = sitting.state
    sitting.say("about 5 on field")
    assert sitting.act(c.Shoot(sitting.me)) == ()
    assert type(sitting.undo()) is c.Bet
    assert sitting.state == before


def test_dice_that_went_out_cannot_be_undone(sit: Sit) -> None:
    """Betting was over."""
    sitting = sit(dice="4-2")
    sitting.say("about 5 on pass")
    sitting.send()
    assert sitting.undo() is None


def test_what_a_dealer_offers_is_a_sentence(sit: Sit) -> None:
    """In words it begins with a capital, after the sentence before it."""
    sitting = sit(dice="4-2")
    sitting.say("about 5 on pass")
    sitting.say("about 6 on any_seven")
    roll(sitting)
    assert what_now(sitting, WORDS).endswith(" Say repeat to bet again what the dice took.")


def test_repeat_bets_again_what_the_dice_took_and_only_what_is_legal(sit: Sit) -> None:
    """After a seven-out the line and the field go up again; odds have no point to stand behind."""
    sitting = sit(dice="4-2 5-2")
    sitting.say("about 10 on pass")
    roll(sitting)
    sitting.say("about 10 odds")
    sitting.say("about 5 on field")
    roll(sitting)
    assert not sitting.seat.felt  # type: ignore[union-attr]
    assert len(sitting.say("same bet").commands) == 2
    assert {key: wager.stake for key, wager in sitting.seat.felt.items()} == {"pass": 1000, "field": 500}  # type: ignore[union-attr]


def test_all_that_may_come_down_does(sit: Sit) -> None:
    """A pass bet with its point stays; a place bet and odds do not."""
    sitting = sit(dice="4-2")
    sitting.say("about 10 on pass")
    roll(sitting)
    sitting.say("about 10 odds")
    sitting.say("about 6 on place_8")
    assert len(sitting.say("take me down").commands) == 2
    assert list(sitting.seat.felt) == ["pass"]  # type: ignore[union-attr]


def test_a_wager_is_called_off_and_on_again(sit: Sit) -> None:
    """One key for both."""
    sitting = sit("strip", dice="4-2")
    sitting.say("about 15 on pass")
    roll(sitting)
    sitting.say("about 18 on place_8")
    assert sitting.works("place_8")
    sitting.say("place_8 off")
    assert not sitting.works("place_8")
    sitting.say("place_8 on")
    assert sitting.works("place_8")


def test_a_person_who_leaves_cashes_what_can_come_down(sit: Sit) -> None:
    """The reckoning counts chips carried away."""
    sitting = sit()
    sitting.say("about 10 on pass")
    sitting.leave()
    assert sitting.left
    assert sitting.reckoning().carried == 50_000
    assert "Even." in tell(sitting.layout, sitting.reckoning())


@pytest.mark.parametrize("said", ["3.33", "0", "100000000000000000000", "0.5"])
def test_the_cage_sells_whole_chips_and_no_fortunes(sit: Sit, said: str) -> None:
    """The answer says what it sells."""
    sitting = sit()
    talk(sitting, f"buyin {said}")
    assert sitting.log[-1].text == "The cage sells whole chips of 1, from 1 to 10000000."
    assert sitting.rail == 50_000
    talk(sitting, "buyin")
    assert sitting.rail == 100_000


def test_a_refusal_is_one_line_with_its_clause(sit: Sit) -> None:
    """So that a screen with room for one line shows the sentence."""
    sitting = sit()
    heard = len(sitting.log)
    assert not talk(sitting, "bet come 10").lines
    told = "Come Bet is made while a point is on; the puck is off. [adelaide:4(d)]"
    assert [entry.text for entry in sitting.log[heard:]] == [told]


def test_a_decision_of_ours_is_not_cited_to_a_player(sit: Sit) -> None:
    """A clause of the house reads well behind a refusal; P-10c means nothing to who bets."""
    sitting = sit()
    talk(sitting, "bet eleven 5000")
    assert sitting.log[-1].text == "5000 on 11 in One Roll is over the maximum of 1000."


def test_a_refusal_speaks_to_the_person(sit: Sit) -> None:
    """Nobody at a table is called by a number."""
    sitting = sit(dice="4-2", others=2)
    for line, told in (
        ("take field", "You have nothing up on Field Bet."),
        ("pass-dice", "You do not hold the dice."),
        ("bet pass 10", ""),
        ("decline", ""),
        ("roll", ""),
        ("shoot", f"{sitting.state.seats[2].name} holds the dice. [adelaide:"),
    ):
        talk(sitting, line)
        assert sitting.log[-1].text.startswith(told)


# --- The dice -------------------------------------------------------------------------------------------------------


def test_the_offer_can_be_declined_and_somebody_else_shoots(sit: Sit) -> None:
    """The dice go round to a player with a line bet."""
    sitting = sit(dice="4-2", others=2)
    assert sitting.offered
    sitting.say("about 5 on pass")
    sitting.say("pass the dice")
    roll(sitting)
    assert sitting.rolls[-1].thrower != sitting.me


def test_the_person_shoots_when_the_dice_come_round_and_a_line_bet_is_up(sit: Sit) -> None:
    """Rolling is taking the dice."""
    sitting = sit(dice="4-2", others=2)
    sitting.say("about 5 on pass")
    roll(sitting)
    assert sitting.rolls[-1].thrower == sitting.me


def test_dice_on_offer_are_never_declined_for_the_person(sit: Sit) -> None:
    """Without a line bet rolling asks first, in words too; a yes or a no then decides."""
    sitting = sit(dice="4-2 5-1", others=2)
    assert sitting.offered
    assert isinstance(sitting.send(), Refusal)
    talk(sitting, "roll")
    assert sitting.offered
    assert not sitting.rolls
    talk(sitting, "decline")
    roll(sitting)
    assert sitting.rolls[-1].thrower != sitting.me


def test_the_words_of_the_question_take_the_dice(sit: Sit) -> None:
    """Dice on offer are to be taken or declined, says the refusal; so `take` is understood, and is no hint."""
    sitting = sit(dice="4-2 5-1", others=2)
    talk(sitting, "roll")
    assert "take or decline" in sitting.log[-1].text
    assert talk(sitting, "take").lines == []
    assert not sitting.offered
    assert sitting.state.shooter == sitting.me
    assert "Did you mean take?" not in talk(sitting, "take nothing").lines


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("others", [1, 2, 3])
def test_the_hint_names_who_throws(house: str, others: int) -> None:
    """Whoever follows it, bet included, sees that player throw: after a seven-out, and with dice on offer."""
    sitting, named = Sitting.open(House(house), others=others, seed=str(others)), 0
    for at in range(40):
        hint = what_now(sitting, WORDS)
        if sitting.undecided:
            talk(sitting, ("shoot", "decline")[at % 2])
            continue
        line = re.search(r"say (bet \w+ \d+)", hint)
        if line:
            talk(sitting, line.group(1))
        roll(sitting)
        told = re.search(r"(You|The stick|\w+) throws?\.", hint)
        if told and "if not" not in hint:
            named += 1
            thrower = sitting.rolls[-1].thrower
            name = "The stick" if thrower is None else "You" if thrower == sitting.me else _name(sitting, thrower)
            assert told.group(1) == name, hint
    assert named > 10


@pytest.mark.parametrize("house", HOUSES)
def test_no_two_at_a_table_are_told_that_they_throw(house: str) -> None:
    """Three without a line bet after a seven-out: the dice are offered to one of them, and the others read to whom."""
    line = House(house).layout.line[0]
    bets = f"bet {line} 10\nroll 4-2\nroll 4-3\n"
    table = replay(f"passline 1\nhouse {house}\nsit 1 Ann 500\nsit 2 Bob 500\nsit 3 Cy 500\n1 {bets}")
    sittings = [Sitting(table, Settings(seat, 0, "", practice=False)) for seat in (1, 2, 3)]
    hints = [what_now(each) for each in sittings]
    for told in (what_now(each, PAGE) for each in sittings):
        assert "You throw" in told or "to you" in told or not re.search("(then|or|,) roll", told), told
    assert sum("You throw" in hint or "Dice to you" in hint for hint in hints) <= 1, hints
    if table.offered is not None:
        name = table.state.seats[table.offered].name
        assert all(f"offered to {name}." in hint for seat, hint in enumerate(hints, 1) if seat != table.offered), hints


@pytest.mark.parametrize(
    ("house", "key", "chip", "told"),
    [
        ("adelaide", "place_8", 500, "Paid in chips of 1, 5 has no edge;"),  # 6 for 5, where 35 : 30 is the price
        ("sydney", "lay_4", 5_000, "Paid in chips of 1, 50 has an edge of 1.96% a bet;"),  # 1 on 25 won, not 5 %
        ("adelaide", "place_8", 600, ""),
        ("adelaide", "pass", 500, ""),
    ],
)
def test_an_edge_that_the_chips_change_is_said(house: str, key: str, chip: int, told: str) -> None:
    """As `passline odds --stake --float` says it; nothing where price and chips agree."""
    said = as_paid(Sitting.open(House(house), others=0, seed="7"), key, chip)
    assert said.startswith(told)
    assert bool(said) == bool(told)


def _name(sitting: Sitting, seat: int) -> str:
    return next(
        moment.before.seats[seat].name for moment in reversed(sitting.table.history) if seat in moment.before.seats
    )


def test_alone_without_a_line_bet_nobody_throws(sit: Sit) -> None:
    """The refusal says what to do."""
    answer = sit().send()
    assert isinstance(answer, Refusal)
    assert answer.message == "No shooter: no one has a bet on Pass Bet. Make one, and the dice are yours."


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
    first, second = (Sitting.open(House(house), others=4, seed="abc") for _ in range(2))
    for sitting in (first, second):
        play(sitting, 30)
    assert first.text() == second.text()
    assert sum(1 for seat in first.state.seats.values() if seat.name in BY_NAME) >= 1


@pytest.mark.parametrize("house", HOUSES)
def test_regulars_never_ask_what_the_dealers_refuse_twice(house: str) -> None:
    """Nothing refused reaches the record, so a strict replay is silent."""
    sitting = Sitting.open(House(house), others=8, seed="x")
    play(sitting, 60)
    assert not sitting.table.refusals
    assert len({moment.command.seat for moment in sitting.table.history if isinstance(moment.command, c.Bet)}) >= 5


def test_regulars_bet_the_middle_in_ones_where_the_sign_takes_ones() -> None:
    """Nobody puts fifteen on a hardway that takes one."""
    sitting = Sitting.open(House("strip"), others=8, seed="x")
    play(sitting, 60)
    stakes = [
        moment.command.amount
        for moment in sitting.table.history
        if isinstance(moment.command, c.Bet)
        and moment.command.seat != sitting.me
        and sitting.layout.spots[moment.command.wager].rule.limits.value == "props"
    ]
    assert len(stakes) > 10
    assert max(stakes) < sitting.state.notice.least


@pytest.mark.slow
def test_regulars_pass_decline_and_take_the_dice() -> None:
    """In a long evening all three happen."""
    sitting = Sitting.open(House("strip"), others=6, seed="long")
    play(sitting, 600)
    kinds = {type(moment.command) for moment in sitting.table.history if getattr(moment.command, "seat", 1) != 1}
    assert {c.Shoot, c.Decline, c.PassDice, c.Bet} <= kinds


def test_a_regular_without_chips_leaves() -> None:
    """And somebody else may come later."""
    sitting = Sitting.open(House("adelaide"), others=1, seed="7")
    state = sitting.state
    broke = state.seats[2]._replace(rail=100, felt={})
    sitting.table.state = state._replace(seats={**state.seats, 2: broke})
    sitting.company.turn()
    assert sitting.table.history[-1].command == c.Leave(2)


# --- The record -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_a_record_replays_to_the_same_chips_and_an_evening_goes_on_as_if_never_broken_off(
    house: str, tmp_path: Path
) -> None:
    """Save in the middle, resume, play on: chips, luck and log are those of an evening without a break."""
    whole = Sitting.open(House(house), others=3, seed="7", path=tmp_path / "whole.craps")
    half = Sitting.open(House(house), others=3, seed="7", path=tmp_path / "half.craps")
    play(whole, 20)
    play(half, 20)
    half.save()
    resumed = Sitting.resume(tmp_path / "half.craps")
    assert resumed.state == half.state
    assert replay(half.text()).state == half.state
    play(whole, 10)
    play(resumed, 10)
    assert resumed.text() == whole.text()
    assert resumed.reckoning() == whole.reckoning()


@pytest.mark.parametrize("house", HOUSES)
def test_a_person_alone_is_never_locked_out_of_the_dice(sit: Sit, house: str) -> None:
    """Asking for a roll before betting declines nothing; declined dice can still be rolled once the line is bet."""
    for declined in (False, True):
        sitting = sit(house, dice="4-2")
        assert isinstance(sitting.send(), Refusal)
        if declined:
            sitting.say("pass the dice")
        sitting.say(f"about 15 on {sitting.layout.line[0]}")
        roll(sitting)
        assert sitting.state.puck == 6


def test_real_dice_are_still_typed_after_resuming(sit: Sit) -> None:
    """Nobody's dice turn into the computer's overnight."""
    path = sit(typed=True).save()
    assert path is not None
    assert Sitting.resume(path).typed


def test_undo_after_resuming_takes_back_ones_own_last_act_or_nothing(tmp_path: Path) -> None:
    """Neither a refusal nor somebody else's bet stands in for it."""
    story = tmp_path / "story.craps"
    opening = "passline 1\nhouse adelaide\nsit 1 Ann 100\nsit 2 Rosa 100\n"
    story.write_text(f"{opening}1 bet pass 10\n1 bet come 10\n", encoding="utf-8")
    sitting = Sitting.resume(story)
    assert sitting.undo() == c.Bet(1, WagerKey("pass"), 1000)
    assert sitting.undo() is None
    story.write_text(f"{opening}2 bet pass 10\n1 bet come 10\n", encoding="utf-8")
    assert Sitting.resume(story).undo() is None


def test_an_evening_saved_with_the_dice_in_the_air_goes_on_there(sit: Sit) -> None:
    """The dice are still out, and land."""
    sitting = sit(dice="4-2")
    sitting.say("about 5 on pass")
    sitting.send()
    path = sitting.save()
    assert path is not None
    resumed = Sitting.resume(path)
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
    sitting = Sitting.open(House(house), seed="7", path=tmp_path / "kept" / "evening.craps")
    sitting.say("about 15 on pass")
    sitting.save()
    assert "house ../houses/mine.toml" in sitting.text()
    assert Sitting.resume(tmp_path / "kept" / "evening.craps").state == sitting.state


def test_a_record_written_by_hand_is_not_written_over(tmp_path: Path) -> None:
    """Its comments are somebody's own; the evening that goes on from it is kept beside it."""
    story = tmp_path / "story.craps"
    story.write_text("passline 1\nhouse sydney\nsit 3 Ann 100 # lucky seat\n3 bet pass 10\n", encoding="utf-8")
    sitting = Sitting.resume(story)
    assert (sitting.me, sitting.rail, sitting.on_table) == (3, 9000, 1000)
    assert sitting.save() == tmp_path / "story-2.craps"
    assert "lucky seat" in story.read_text(encoding="utf-8")


def test_a_person_who_left_sits_down_again(sit: Sit) -> None:
    """Resuming after leaving is a new buy-in."""
    sitting = sit(others=1)
    sitting.leave()
    path = sitting.save()
    assert path is not None
    resumed = Sitting.resume(path, buyin=12_300)
    assert resumed.rail == 12_300
    assert resumed.log[-1].text == "You had left this table: you sit down again and buy 123."


@pytest.mark.parametrize(("rolls", "told"), [(1, "1 roll played."), (2, "2 rolls played.")])
def test_what_was_played_before_is_counted(sit: Sit, rolls: int, told: str) -> None:
    """One roll, two rolls."""
    sitting = sit(dice="4-2 5-4")
    sitting.say("about 5 on pass")
    for _ in range(rolls):
        roll(sitting)
    path = sitting.save()
    assert path is not None
    assert Sitting.resume(path).log[-1].text.endswith(told)


def test_a_save_that_fails_leaves_the_old_record_whole(sit: Sit, tmp_path: Path) -> None:
    """A folder that is gone is told, and playing goes on."""
    sitting = sit(dice="4-2")
    sitting.save()
    sitting.path = tmp_path / "gone" / "evening.craps"
    sitting.say("about 5 on pass")
    sitting.send()
    sitting.throw()
    sitting.rested()
    assert any("cannot be written" in entry.text for entry in sitting.log)
    assert not list(tmp_path.glob(".evening*"))


# --- The reckoning --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_the_reckoning_adds_up_to_the_chips(house: str) -> None:
    """What the wagers brought is what the rail and the felt have more than was bought."""
    sitting = Sitting.open(House(house), others=2, seed="sum")
    play(sitting, 150)
    reckoning = sitting.reckoning()
    assert reckoning.total.net == reckoning.rail + reckoning.up - reckoning.bought
    assert reckoning.rolls == 150
    assert reckoning.total.expected is not None
    assert max(map(len, tell(sitting.layout, reckoning))) <= 76


def test_the_expected_result_is_the_edge_on_what_was_decided(sit: Sit) -> None:
    """Five on any seven at four to one expects to lose a sixth of it."""
    sitting = sit(dice="4-2")
    sitting.say("about 5 on pass")
    sitting.say("about 6 on any_seven")
    roll(sitting)
    account = sitting.reckoning().accounts["any_seven"]
    assert (account.bets, account.staked, account.lost, account.net) == (1, 600, 600, -600)
    assert account.expected == -100


def test_what_is_undecided_is_no_bet_yet(sit: Sit) -> None:
    """A line with one bet and nothing staked would say nothing; chips that are up are told as such."""
    sitting = sit(dice="4-2")
    sitting.say("about 5 on pass")
    assert tell(sitting.layout, sitting.reckoning())[1] == "No bet has been decided."
    sitting.say("about 6 on any_seven")
    roll(sitting)
    assert list(sitting.reckoning().accounts) == ["any_seven"]
    assert any("5 still in action" in line for line in tell(sitting.layout, sitting.reckoning()))


@pytest.mark.parametrize(("dice", "edge"), [("3-3", "9.09"), ("2-2", "33.33")])
def test_what_is_put_on_a_point_shows_its_own_edge(sit: Sit, dice: str, edge: str) -> None:
    """Added to a pass bet after the come-out it has lost the sevens and elevens that pay for the rest."""
    sitting = sit("strip", dice=dice)
    assert "edge 1.41%" in spot_lines(sitting, "pass")[0]
    sitting.say("about 15 on pass")
    roll(sitting)
    assert f"edge {edge}%" in spot_lines(sitting, "pass")[0]
    assert look(sitting, "pass", figures(sitting.table.house)).edge == f"{float(edge):.1f}%"
    assert "edge 20.00%" in spot_lines(sitting, "come_5")[0]
    assert "edge 1.41%" in spot_lines(sitting, "come")[0]


def test_expected_is_at_the_price_of_each_stake_when_it_was_made(sit: Sit) -> None:
    """Fifteen before the come-out, thirty put on the four, and fifteen put on the five."""
    sitting = sit("strip", dice="2-2 5-2")
    for key, amount in (("pass", 1500), ("pass", 3000), ("come_5", 1500)):
        sitting.act(c.Bet(sitting.me, WagerKey(key), amount))
        if sitting.state.puck == 0:
            roll(sitting)
    roll(sitting)
    accounts = sitting.reckoning().accounts
    assert accounts["pass"].expected == -Fraction(7, 495) * 1500 - Fraction(1, 3) * 3000
    assert accounts["come"].expected == -Fraction(1, 5) * 1500


def test_who_has_left_is_told_so_while_the_wagers_run_on(sit: Sit) -> None:
    """A pass bet on its point stays up; nobody is there to bet more."""
    sitting = sit("strip", dice="2-2")
    sitting.say("about 15 on pass")
    roll(sitting)
    sitting.act(c.Leave(sitting.me))
    assert spot_lines(sitting, "pass")[-1] == "You have left the table."


def test_a_put_at_crapless_has_the_price_of_its_point(sit: Sit) -> None:
    """A pass bet put on the two wins one time in seven."""
    sitting = sit("crapless", dice="1-1")
    sitting.say("about 15 on pass")
    roll(sitting)
    assert "edge 71.43%" in spot_lines(sitting, "pass")[0]


# --- Words ----------------------------------------------------------------------------------------------------------


def test_a_roll_says_what_it_did_to_the_person(sit: Sit) -> None:
    """Everything that it won or lost, on one line, the whole first, then what was most of it."""
    sitting = sit(dice="4-4 6-2 5-2", others=3)
    assert result(sitting) == ""
    sitting.say("about 10 on pass")
    roll(sitting)
    assert result(sitting) == "4-4: no decision for you."
    sitting.say("about 10 odds on pass")
    sitting.say("about 12 on place_6")
    roll(sitting)
    assert result(sitting) == "6-2: you win 22 (Taking Odds (Pass) +12, Pass Bet +10)."
    sitting.say("about 5 on pass")
    sitting.say("about 5 on any_seven")
    roll(sitting)
    assert result(sitting) == "5-2: you win 25 (Any Seven +20, Pass Bet +5)."


def test_of_many_results_the_largest_stand_first_and_the_rest_is_one(sit: Sit) -> None:
    """What most of the money is in by name; nothing of the sum is lost."""
    sitting = sit("strip", dice="4-2 4-3")
    sitting.say("100 on pass")
    roll(sitting)
    sitting.say("60 on place 8, 50 on place 5, 40 on place 9, 2 on hard 8, 1 on hard 6, 3 on hard 10, field for 15")
    roll(sitting)
    most = "Pass Line -100, Place 8 -60, Place 5 -50, and 5 more -61"
    assert result(sitting) == f"4-3: you lose 271 ({most})."


def test_one_bet_has_one_name_and_a_rest_that_comes_to_nothing_says_so(sit: Sit) -> None:
    """The name in the result is that of the sentence."""
    sitting = sit("exhibit-a", dice="4-2")
    sitting.say("10 on pass, 10 on yo")
    roll(sitting)
    assert result(sitting) == "4-2: you lose 10 (Yo -10)."
    assert "You lose 10 on Yo." in [line.text for line in sitting.log]
    assert _folded([("a", 9), ("b", -9), ("c", 8), ("d", 1), ("e", -1)])[-1] == ("and 2 more together", 0)


def test_a_bet_that_travels_is_told(sit: Sit) -> None:
    """Nothing was won or lost, and still the chips are elsewhere."""
    sitting = sit(dice="4-4 6-3")
    sitting.say("about 10 on pass")
    roll(sitting)
    sitting.say("about 10 on come")
    sitting.say("about 5 on place_9")
    roll(sitting)
    assert result(sitting) == "6-3: you win 7 (Place Bet 9 to Win +7); Come Bet 10 goes to the 9."


@pytest.mark.parametrize("house", HOUSES)
def test_what_a_roll_brought_is_what_the_chips_say(sit: Sit, house: str) -> None:
    """The rail and the felt have changed by as much."""
    sitting = sit(house, others=2)
    play(sitting, 40)
    thrown = [at for at, moment in enumerate(sitting.table.history) if isinstance(moment.command, c.Throw)]
    states = [*(moment.before for moment in sitting.table.history), sitting.state]
    chips = [sum(seat.rail + amounts.on_felt(seat) for at, seat in state.seats.items() if at == 1) for state in states]
    assert [settled.brought for settled in sitting.settlements] == [chips[at + 1] - chips[at] for at in thrown]


def test_a_bet_with_memory_shows_what_it_has_seen(sit: Sit) -> None:
    """Two and three of the five small numbers."""
    sitting = sit("strip", dice="1-1 2-1")
    sitting.say("about 15 on pass")
    sitting.say("about 15 on all_small")
    assert "with none of 5" in standing(sitting, "all_small")
    roll(sitting)
    sitting.say("about 15 on pass")
    roll(sitting)
    assert standing(sitting, "all_small").startswith("you have 15 here, with 2, 3 of 5")
    assert look(sitting, "all_small", {}).mark == "2/5"


def test_a_bet_that_counts_a_number_again_shows_how_often(sit: Sit) -> None:
    """Six made twice and four once, of no number that would be all; and no number waits on the felt for a tick."""
    sitting = sit("strip", dice="3-3 4-2 3-1 2-2 3-3 4-2")
    sitting.say("about 15 on replay")
    for _ in range(3):
        sitting.say("about 15 on pass")
        roll(sitting)
        roll(sitting)
    assert standing(sitting, "replay") == "you have 15 here, with 4, 6x2"
    seen = look(sitting, "replay", {})
    assert (seen.mark, seen.come) == ("3", "✓ 4 6x2")
    assert any("has 4 and 6x2" in line for line in seat_lines(sitting.layout, sitting.state))
    printed = [spot for group in plan(sitting.layout).props for spot in group.spots]
    assert next(spot for spot in printed if spot.key == "replay").counts == ()


# --- Amounts --------------------------------------------------------------------------------------------------------


@given(st.sampled_from(HOUSES), st.integers(-(10**30), 10**30), st.data())
def test_whatever_a_hand_holds_the_answer_is_lawful_or_a_no(house: str, about: int, data: st.DataObject) -> None:
    """Whatever a hand holds, the answer is a lawful amount or the dealers' own no."""
    sitting = EVENINGS.get(house) or EVENINGS.setdefault(house, Sitting.open(House(house), seed="7"))
    key = data.draw(st.sampled_from([spot.key for spot in sitting.layout.offered()]))
    amount = amounts.nearest_booked(sitting.layout, sitting.state, sitting.me, key, about)
    if not isinstance(amount, Refusal):
        assert not isinstance(sitting.table.would(c.Bet(sitting.me, key, amount)), Refusal)


EVENINGS: dict[str, Sitting] = {}


# --- As a dealer would have it ----------------------------------------------------------------------------------------


def test_expected_is_as_paid_at_the_stakes_that_were_up(sit: Sit) -> None:
    """Five on the six is paid six at adelaide, where broken money goes up: fair, as `odds --stake 5` says."""
    dice = " ".join(["4-4", *["4-2"] * 11])
    sitting = sit(dice=dice)
    sitting.act(c.Bet(sitting.me, WagerKey("pass"), 500))
    sitting.act(c.Bet(sitting.me, WagerKey("place_6"), 500))
    for _ in range(12):
        roll(sitting)
    account = sitting.reckoning().accounts["place_6"]
    assert account.net == 11 * 600
    assert account.expected == 0


@pytest.mark.parametrize(
    ("house", "key", "about", "booked"),
    [("strip", "place_6", 1500, 1800), ("strip", "place_6", 2500, 2400), ("adelaide", "place_6", 500, 500)],
)
def test_a_stake_is_moved_to_where_it_is_paid_whole(sit: Sit, house: str, key: str, about: int, booked: int) -> None:
    """Eighteen on the six where the house pays short; five where it pays up."""
    sitting = sit(house)
    sitting.say(f"about {sitting.layout.money(about)} on {key}")
    assert sitting.seat is not None
    assert sitting.seat.felt[WagerKey(key)].stake == booked


def test_odds_on_five_and_nine_are_even(sit: Sit) -> None:
    """Three to two is paid whole on even stakes."""
    sitting = sit("strip", dice="5-4")
    sitting.say("about 15 on pass")
    roll(sitting)
    sitting.say("about 25 odds")
    assert sitting.seat is not None
    assert sitting.seat.felt[WagerKey("pass_odds")].stake % 200 == 0


def test_odds_go_to_whichever_bet_waits(sit: Sit) -> None:
    """First the bet under the cursor, then one that has none."""
    sitting = sit(dice="5-4 3-3")
    sitting.say("about 5 on pass")
    roll(sitting)
    sitting.say("about 5 odds")
    sitting.say("about 5 on come")
    roll(sitting)
    sitting.say("about 5 odds")
    assert sitting.seat is not None
    assert {"pass_odds", "come_odds_6"} <= set(sitting.seat.felt)


def test_a_winner_can_be_pressed(sit: Sit) -> None:
    """As much again, wherever the cursor is; where nothing won, nothing is pressed."""
    sitting = sit("strip", dice="4-4 4-2")
    sitting.say("about 15 on pass")
    sitting.say("press it")
    assert sitting.log[-1].tone == "no"
    roll(sitting)
    sitting.say("about 18 on place_6")
    roll(sitting)
    sitting.say("press it")
    assert sitting.seat is not None
    assert sitting.seat.felt[WagerKey("place_6")].stake == 3600


def test_a_mistyped_roll_is_taken_back_with_everything_since(sit: Sit) -> None:
    """The dice are out again, and the others' bets since are gone with it."""
    sitting = sit(typed=True, others=2)
    sitting.say("about 5 on pass")
    sitting.send()
    before = sitting.state
    sitting.throw(read_faces("4-2"))
    sitting.rested()
    assert sitting.undo() is not None
    assert sitting.state == before
    assert sitting.rolls == []
    sitting.throw(read_faces("5-2"))
    assert sitting.settlements[-1].brought == 500


@pytest.mark.parametrize(
    ("house", "said", "key"),
    [
        ("sydney", "bet win_line 10", "pass"),
        ("sydney", "bet Win Line 10", "pass"),
        ("strip", "bet yo 15", "eleven"),
        ("exhibit-a", "bet yo 10", "eleven"),
        ("adelaide", "bet place bet 6 to win 10", "place_6"),
        ("adelaide", "bet place_6 10", "place_6"),
    ],
)
def test_a_wager_has_its_name_on_the_felt(sit: Sit, house: str, said: str, key: str) -> None:
    """Where one types, what one reads is understood."""
    sitting = sit(house)
    talk(sitting, said)
    assert sitting.seat is not None
    assert list(sitting.seat.felt) == [key]


@pytest.mark.parametrize("house", HOUSES)
def test_every_spot_says_how_it_wins(sit: Sit, house: str) -> None:
    """In a sentence, with the puck off and on."""
    layout = sit(house).layout
    points = layout.book.points.value
    for spot in layout.offered():
        for puck in (0, *points):
            assert how(spot, puck, points).startswith("wins ")
            assert spot.rule.limits.value != "side" or "loses " in how(spot, puck, points)
    craps = "" if 12 in points else "loses on 2, 3 and 12, "
    naturals = "7" if 11 in points else "7 and 11"
    assert how(layout.spots["pass"], 0, points) == f"wins on {naturals}, {craps}another number is the point"
    assert how(layout.spots["hard_6"], 0, points) == "wins on 3-3, loses on 7, 4-2 and 5-1"


def test_a_horn_is_closed_to_an_empty_rail(sit: Sit) -> None:
    """Its least stake is four chips, and a rail of three has none."""
    sitting = sit("strip")
    sitting.act(c.Bet(sitting.me, WagerKey("pass"), sitting.rail - 300))
    assert amounts.is_open(sitting.layout, sitting.state, sitting.me, "horn") is not None


def test_lowering_a_bet_asks_the_dealers_only_what_could_be_left() -> None:
    """At a high minimum with small chips nothing below it is tried."""
    sitting = Sitting.open(House("strip"), notice="min=5000 max=1000000", others=0, seed="1")
    sitting.say("about 5000 on field")
    asked = 0

    def counting(*given: object) -> object:
        nonlocal asked
        asked += 1
        return decide(*given)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("passline.sitting.amounts.decide", counting)
        sitting.say("about 1 off field")
    assert sitting.seat is not None
    assert "field" not in sitting.seat.felt
    assert asked <= 2


@pytest.mark.parametrize(
    ("house", "wager", "chip", "told"),
    [
        ("adelaide", "horn", 500, "Enter bets 8 (5 cannot be split in 4), "),
        ("strip", "place_6", 100, "Enter bets 18 (at least 15, paid whole), "),
        ("exhibit-a", "place_5", 500, "Enter bets 8 (5 would be paid short), "),
        ("adelaide", "lay_4", 5_000, "Enter bets 50, to win 24 after 1 commission."),
        ("adelaide", "place_5", 500, "Enter bets 5, to win 7."),
    ],
)
def test_an_amount_that_is_not_the_chip_says_why(sit: Sit, house: str, wager: str, chip: int, told: str) -> None:
    """So does a win that commission is taken out of; a chip that simply goes up needs no word."""
    assert verdict(sit(house=house), wager, chip)[0].startswith(told)


def test_a_lay_that_stands_says_what_is_taken_out_of_its_win(sit: Sit) -> None:
    """25 less 1."""
    sitting = sit()
    sitting.say("about 50 on lay_4")
    assert from_here(sitting, "lay_4").startswith("50 to win 24 after 1 commission")


def test_what_pushes_is_told_only_where_it_can(sit: Sit) -> None:
    """The bar is the come-out's: on its point a Don't has none."""
    spots = sit().layout.spots
    for key in ("dont_pass", "dont_come"):
        assert "pushes" in price_of(spots[key])
    assert "pushes" not in price_of(spots["dont_pass"], 6)
    assert "pushes" not in price_of(spots["dont_come_6"], 6)


def test_somebody_alone_is_not_asked_to_take_the_dice(sit: Sit) -> None:
    """Nobody else could throw them: a line bet is all they need."""
    assert what_now(sit(), PAGE) == "The dice are yours: bet 5 on Pass Bet to shoot."
    assert "take or decline them; bet 5 on Pass Bet to shoot" in what_now(sit(others=2), PAGE)


def test_a_bet_is_offered_again_only_after_the_roll_that_took_it(sit: Sit) -> None:
    """Not when a come bet moved to its number, and not rolls later."""
    sitting = sit(dice="4-2 5-4 4-4 6-2 4-3 4-2 5-4")
    again = []
    sitting.say("about 5 on pass")
    for wager in ("come", "hard_8", "field", None, "pass", None):
        roll(sitting)
        again.append("again what the dice took" in what_now(sitting, WORDS))
        if wager:
            sitting.say(f"about 5 on {wager}")
    roll(sitting)
    assert again == [False, False, False, True, True, False], again


def test_a_line_bet_that_wins_stays_up_where_its_player_keeps_it(sit: Sit) -> None:
    """Kept, it goes up again by itself in a house that pays it down; not kept, or lost, it does not."""
    sitting = sit(house="sydney", dice="6-5 5-6 6-6", others=0)
    for line, up in (("keep my line bet", 1_500), ("keep no line bet", 0), ("keep my line bet", 0)):
        talk(sitting, line)
        assert sitting.seat is not None
        if "pass" not in sitting.seat.felt:
            talk(sitting, "bet pass 15")
        talk(sitting, "roll")
        assert {key: wager.stake for key, wager in sitting.seat.felt.items()} == ({"pass": up} if up else {})


def test_nothing_is_suggested_that_the_rail_does_not_pay_for(sit: Sit) -> None:
    """With everything up the screen once said to bet a number; and alone one has nobody to decline the dice to."""
    sitting = sit("strip", dice="3-1 6-4")
    sitting.say("15 on the line")
    assert what_now(sitting, PAGE) == "The dice are yours: roll."
    talk(sitting, "roll")
    sitting.say("1485 on the field")
    assert what_now(sitting, PAGE) == "The point is 4: roll. You throw."


def test_a_winner_that_was_taken_down_has_not_won_as_a_new_bet(sit: Sit) -> None:
    """At the Strip a winner stays up; what is bet there anew is not called one, nor pressed as one."""
    sitting = sit("strip", "5-2")
    sitting.say("pass")
    roll(sitting)
    assert "won and stays up" in what_now(sitting, PAGE)
    sitting.say("down on the pass line")
    sitting.say("pass")
    assert "won and stays up" not in what_now(sitting, PAGE)
    assert sitting.say("press the winner").refused


def test_whoever_has_all_chips_up_and_no_line_bet_is_told_to_take_some_back(sit: Sit) -> None:
    """Nobody else could throw: the hint once asked to take or decline dice that had no buttons."""
    sitting = sit()
    sitting.say("about 500 on the field")
    assert sitting.rail == 0
    assert "take a bet back" in what_now(sitting, PAGE)
    sitting.say("down on the field")
    assert "take a bet back" not in what_now(sitting, PAGE)


def test_full_odds_are_the_most_and_no_refusal(sit: Sit) -> None:
    """What a spot tells after the odds that were asked for in full."""
    sitting = sit("sydney", "4-2")
    sitting.say("pass")
    roll(sitting)
    sitting.say("max odds")
    there = sitting.felt["pass_odds"].stake
    assert verdict(sitting, "pass_odds", 500)[0] == f"{sitting.layout.money(there)} is the most here."
