"""Rules of the house about its people, asked of the pit itself: refusals in the journal, as over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from passline.engine import commands as c
from passline.errors import ArgumentError, RoleError
from passline.floor import conduct, staff
from passline.house import House
from passline.journal.contract import Write
from passline.journal.export import RESTORED
from passline.journal.memory import MemoryJournal
from passline.live.drafts import by_the_house
from passline.live.requests import Ask, RollDice
from passline.pit.people.people import By
from passline.pit.pit import Opening
from passline.pit.table import LiveTable
from passline.record.notice import default_notice
from passline.table import Table
from passline.verify.check import verify
from tests.pit.play import KEYS, NOW, by, kinds, new_table, read, why
from tests.pit.test_housewide import Club
from tests.verify.live import lines_of


def test_a_player_does_not_say_that_the_dealer_confirmed_a_bet() -> None:
    """Nobody speaks for a role that is not theirs; whoever holds it does."""
    club = Club()
    club.sits(club.one, "Ann")
    spoken = c.Bet(1, "pass", 1_000, tender="spoken", by=("dealer",))
    assert why(club.asks(club.one, spoken, "ann", "player")) == "table.confirmed_by"
    assert read(club.asks(club.one, spoken, "ann", "player"))["body"]["roster"] == club.pit.people.head.sequence


def test_a_role_that_nobody_gave_is_none() -> None:
    """It is not written; with the role it is done."""
    club = Club()
    with pytest.raises(RoleError):
        club.asks(club.one, c.ReturnAll("closing"), "ann", "box")
    with pytest.raises(RoleError):
        club.asks(club.one, c.ReturnAll("closing"), "ann", "player")
    assert kinds(club.journal, "one")[-1] == "table_opened"


def test_the_crew_of_a_table_for_money_does_not_sit_down_at_it() -> None:
    """Nor does anybody who only says that they are a player."""
    club = Club()
    opening = Opening("sydney", practice=False, listed=True, wallets=True, staff=(("bo", "box"),))
    money = club.pit.open(club.pit.people.persons["sue"], opening, By("sue", "player", NOW), "money")
    sat = money.do(c.Sit(1, "Bo", 1_000), Ask("bo", "player", "bo-sits", NOW), wallet=True)
    assert why(sat) == "person.works"


def test_no_table_for_money_takes_dice_that_somebody_says() -> None:
    """One person would say what the house pays."""
    club = Club()
    opening = Opening("sydney", dice="given", practice=False, wallets=True)
    with pytest.raises(ArgumentError, match="money"):
        club.pit.open(club.pit.people.persons["sue"], opening, By("sue", "player", NOW), "said")
    assert "said" not in club.journal.tables()


def test_a_title_is_given_with_a_role_and_not_taken() -> None:
    """Two people give it; the plain one of a role goes with the role."""
    club = Club()
    duty = staff.ComeOnDuty("Sue", "Gaming Manager")
    assert why(club.asks(club.one, duty)) == "person.title"
    assert read(club.asks(club.one, staff.ComeOnDuty("Sue", "Gaming Supervisor")))["kind"] == "floor_acted"
    given = ("supervisor", None, "runs the floor", By("tom", "supervisor", NOW), "vic", "Gaming Manager")
    with pytest.raises(RoleError):
        club.pit.people.grant("sue", *given)
    club.pit.people.grant("vic", "supervisor", None, "tonight", By("sue", "supervisor", NOW), "tom")
    club.pit.people.grant("sue", *given)
    assert read(club.asks(club.one, duty))["kind"] == "floor_acted"
    club.pit.people.withdraw("sue", "supervisor", None, "went home", By("tom", "supervisor", NOW), "vic")
    assert not club.pit.people.roster.titles


def test_an_exclusion_is_the_houses_whichever_of_the_two_supervises_it() -> None:
    """The box asks and a supervisor of the house agrees: it holds at the next table too."""
    club = Club()
    breach = next(iter(club.one.layout.book.floor.conduct))
    club.asks(club.one, conduct.ReportConduct("Ann", "player", breach, "seen by two"), "bo", "box")
    done = club.asks(club.one, conduct.Sanction(1, "exclude", "seen by two", "sue"), "bo", "box")
    assert read(done)["kind"] == "floor_acted", read(done)["body"]
    assert why(club.sits(club.two, "Ann")) == "floor.barred"


def test_a_table_out_of_a_backup_says_so_and_deals_none_of_its_old_dice() -> None:
    """Once, however often it is opened."""
    journal = MemoryJournal()
    table = new_table(journal)
    table.do(c.Bet(1, "pass", 1_000), by())
    table.roll(by())
    journal.append(Write(table.head, (), secrets={f"{RESTORED}{table.head.sequence}": b"2"}))
    again = LiveTable.open(journal, "t1", time=NOW, keys=KEYS)
    LiveTable.open(journal, "t1", time=NOW, keys=KEYS)
    assert kinds(journal).count("table_restored") == 1
    again.do(c.Bet(1, "pass", 1_000), by())
    rolled = read(again.roll(by()))
    assert (rolled["kind"], rolled["body"]["epoch"]) == ("rolled", 3)
    lines = lines_of(journal)
    assert verify(lines).faults == []
    forged = [line.replace(b'"role":"house"', b'"role":"box"') if b"table_restored" in line else line for line in lines]
    assert "role" in {fault.field for fault in verify(forged).faults}


def test_nobody_is_kept_out_of_the_house_by_two_who_supervise_a_table() -> None:
    """The box with a supervisor of the table alone: one of the two supervises the house (pinned 107)."""
    club = Club()
    club.pit.people.grant("vic", "supervisor", "one", "tonight", By("sue", "supervisor", NOW), "tom")
    breach = next(iter(club.one.layout.book.floor.conduct))
    club.asks(club.one, conduct.ReportConduct("Ann", "player", breach, "seen by two"), "bo", "box")
    for measure, code in (("exclude", "person.supervisor"), ("bar", None)):
        answer = club.asks(club.one, conduct.Sanction(1, measure, "seen by two", "vic"), "bo", "box")
        assert (why(answer) if code else read(answer)["kind"]) == (code or "floor_acted")
    club.verified()


def test_a_floor_that_an_older_program_stopped_goes_on() -> None:
    """One act had failed; nobody could be excluded any more."""
    club = Club()
    club.asks(club.pit.floor(), conduct.Exclude("Ann", "she threatened a dealer", "tom"))
    floor = club.pit.floor()
    floor._append([by_the_house("table_stopped", {"reason": "AwardPrize failed"}, NOW)])
    assert floor.live.over is None
    assert read(club.asks(floor, conduct.Exclude("Bob", "he threatened a dealer", "tom")))["kind"] == "floor_acted"
    assert why(club.sits(club.two, "Bob")) == "floor.barred"
    club.verified()


def test_nobody_sits_down_at_a_table_that_plays_its_last_hand() -> None:
    """With money, for a hand that may be over at once."""
    table = new_table(MemoryJournal(), dice="given", house="sydney")
    table.do(c.CloseTable(20), by("sue", role="supervisor"))
    assert table.live.table.closing
    assert why(table.do(c.Sit(5, "Eve", 10_000), by("eve"))) == "floor.closing"


@pytest.mark.parametrize("changes", [{"minimum": -500}, {"minimum": 2_000, "maximum": 1_000}, {"odds": {4: 2}}])
def test_a_notice_is_checked_however_it_is_handed_in(changes: dict[str, Any]) -> None:
    """To a table of one's own, and to a live one."""
    book = House("sydney").book
    wrong = default_notice(book)._replace(**changes)
    with pytest.raises(ArgumentError, match="can be dealt"):
        Table("sydney", notice=wrong)
    with pytest.raises(ArgumentError, match="can be dealt"):
        LiveTable.create(MemoryJournal(), "t1", "sydney", time=NOW, keys=KEYS, notice=wrong)


def test_a_sign_of_no_words_that_the_float_cannot_deal_is_an_error_of_the_callers() -> None:
    """The house's own minimum is no whole number of these chips."""
    with pytest.raises(ArgumentError):
        Table("sydney", notice="", chips=[7])


def test_who_is_excluded_while_seated_neither_throws_nor_buys_chips() -> None:
    """From the moment it is decided; they leave, with their chips, and what is up runs on."""
    club = Club()
    club.sits(club.two, "Ann")
    club.asks(club.two, c.Bet(1, "pass", 1_000), "ann", "player")
    club.asks(club.pit.floor(), conduct.Exclude("Ann", "she threatened a dealer", "tom"))
    for act in (RollDice(), c.Shoot(1), c.BuyIn(1, 1_000)):
        assert why(club.asks(club.two, act, "ann", "player")) == "person.barred", act
    assert why(club.asks(club.two, c.Bet(1, "field", 1_000), "ann", "player")) == "floor.barred"
    assert read(club.asks(club.two, c.Leave(1), "ann", "player"))["kind"] == "acted"
    club.verified()
