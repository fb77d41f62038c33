"""Rules of the house about its people, asked of the pit itself: refusals in the journal, as over HTTP."""

from __future__ import annotations

import pytest

from passline.engine import commands as c
from passline.errors import ArgumentError, RoleError
from passline.floor import conduct, staff
from passline.journal.contract import Write
from passline.journal.export import RESTORED
from passline.journal.memory import MemoryJournal
from passline.live.requests import Ask
from passline.pit.people.people import By
from passline.pit.pit import Opening
from passline.pit.table import LiveTable
from tests.pit.play import KEYS, NOW, by, kinds, new_table, read, why
from tests.pit.test_housewide import Club


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
    assert kinds(club.journal, "one")[-1] == "seed_committed"


def test_the_crew_of_a_table_for_money_does_not_sit_down_at_it() -> None:
    """Nor does anybody who only says that they are a player."""
    club = Club()
    opening = Opening("sydney", practice=False, listed=True, wallets=True, staff=(("bo", "box"),))
    money = club.pit.open(club.pit.people.persons["sue"], opening, By("sue", "player", NOW), "money")
    sat = money.do(c.Sit(1, "Bo", 1_000), Ask("bo", "player", "bo-sits", NOW), club.pit.wallets())
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
