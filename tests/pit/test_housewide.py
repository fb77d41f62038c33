"""What holds at every table of a pit: who may not play anywhere, and two people who hold their roles at that moment."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from passline.engine import commands as c
from passline.errors import PeopleError, RoleError
from passline.floor import conduct, signs
from passline.journal.export import exported
from passline.journal.memory import MemoryJournal
from passline.live.requests import Ask
from passline.pit import pit as pits
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.pit.table import LiveTable
from passline.verify.check import verify
from tests.pit.play import KEYS, NOW, kinds, read, why
from tests.web.server import Clock

if TYPE_CHECKING:
    from passline.journal.contract import Journal
    from passline.verify.report import Report

_keys = count(1)
HOUSE = By("house", "house", NOW)


class Club:
    """Two tables of one pit: sue and tom supervise the house, bo is the box of the first table, vic of nothing."""

    def __init__(self, journal: Journal | None = None) -> None:
        self.journal = journal or MemoryJournal()
        self.pit = Pit(self.journal, KEYS, house="sydney")
        people = self.pit.people
        for name in ("Hal", "Ann", "Bob", "Bo", "Sue", "Tom", "Vic"):
            people.guest(name, NOW)
        for person in ("sue", "tom"):
            people.grant(person, "supervisor", None, "tonight's pit", HOUSE, None)
        opening = Opening(house="sydney", dice="real", practice=False, listed=True, staff=(("bo", "box"),))
        host = By("hal", "player", NOW)
        self.one = self.pit.open(people.persons["hal"], opening, host, "one")
        self.two = self.pit.open(people.persons["hal"], opening._replace(staff=()), host, "two")

    def asks(self, table: LiveTable, command: Any, actor: str = "sue", role: str = "supervisor") -> bytes:  # noqa: ANN401 - a command
        """Somebody asks a table for something."""
        return table.do(command, Ask(actor, role, f"k{next(_keys)}", NOW))

    def sits(self, table: LiveTable, name: str, seat: int = 1) -> bytes:
        """Somebody sits down."""
        return self.asks(table, c.Sit(seat, name, 50_000), name.lower(), "player")

    def lines(self, *tables: str) -> list[bytes]:
        """The journal as anybody can have it."""
        return [line + b"\n" for line in exported(self.journal, tables or self.journal.tables(), time=NOW)]

    def verified(self, *tables: str) -> Report:
        """What whoever has the export finds."""
        report = verify(self.lines(*tables))
        assert not report.faults, report.faults
        return report


def barred_at_one(club: Club, measure: str = "bar") -> None:
    """Bob was caught with a device at the first table."""
    club.sits(club.one, "Bob")
    club.asks(club.one, conduct.ReportConduct("Bob", "player", "device", "a phone under the rail"))
    assert read(club.asks(club.one, conduct.Sanction(1, measure, "two of us saw it", "tom")))["kind"] == "floor_acted"


# --- Who plays nowhere ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["bar", "exclude"])
def test_who_is_barred_at_one_table_sits_at_no_other(measure: str) -> None:
    """The other table hears it from the floor of the house, writes down what it heard, and says no by the clause."""
    club = Club()
    barred_at_one(club, measure)
    assert why(club.sits(club.two, "Bob")) == "floor.barred"
    assert why(club.sits(club.two, "\uff22OB")) == "floor.barred"
    assert kinds(club.journal, "two")[-3:] == ["floor_heard", "refused", "refused"]
    assert kinds(club.journal, "floor") == ["table_opened", "floor_heard"]
    assert club.verified().counts["heard"] == 2
    assert club.journal.heads("floor"), "the floor of the house is signed like any other"


def test_who_sits_elsewhere_bets_no_more() -> None:
    """Chips that are up stay until they are decided; nothing is added to them."""
    club = Club()
    club.sits(club.two, "Bob")
    assert read(club.asks(club.two, c.Bet(1, "pass", 1_000), "bob", "player"))["kind"] == "acted"
    barred_at_one(club)
    assert why(club.asks(club.two, c.Bet(1, "field", 1_000), "bob", "player")) == "floor.barred"
    club.verified()


def test_another_process_hears_it_before_anybody_sits_down() -> None:
    """By the number of the entry, whatever its clock says and whether or not anybody told it."""
    club = Club()
    other = Pit(club.journal, KEYS, house="sydney")
    assert read(other.table("two").do(c.Sit(2, "Ann", 100), Ask("ann", "player", "k", NOW)))["kind"] == "acted"
    club.asks(club.pit.floor(), conduct.Exclude("Bob", "he threatened a dealer", "tom"))
    sat = other.table("two").do(c.Sit(1, "Bob", 100), Ask("bob", "player", "k2", "1999-01-01T00:00:00Z"))
    assert why(sat) == "floor.barred"
    club.verified()


@pytest.fixture
def club(store: Journal) -> Club:
    """The club in each sort of journal."""
    return Club(store)


def test_a_seat_is_not_taken_while_the_floor_decides(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the floor of the house writes between the look and the writing of a seat is heard after all."""
    club.asks(club.pit.floor(), conduct.Exclude("Vic", "he threatened a dealer", "tom"))
    table, between = club.two, [conduct.Exclude("Bob", "he threatened a dealer", "tom")]
    beside = club.pit.house_wide.beside

    def late(name: str, entries: Any) -> Any:  # noqa: ANN401 - as it is
        writes = beside(name, entries)
        if between and name == "two":
            Pit(club.journal, KEYS).floor().do(between.pop(), Ask("sue", "supervisor", "late", NOW))
        return writes

    monkeypatch.setattr(club.pit.house_wide, "beside", late)
    assert why(club.sits(table, "Bob")) == "floor.barred"
    club.verified()


def test_who_was_excluded_is_let_in_again_by_two_others() -> None:
    """Not by a dealer, not by one, not by themselves, and not if nobody kept them out."""
    club = Club()
    floor = club.pit.floor()
    again = conduct.Readmit("Ann", "the year is over", "tom")
    assert why(club.asks(floor, again)) == "floor.not_refused"
    asked = club.asks(floor, conduct.ExcludeOneself("Ann", "I asked for a year"), "ann", "player")
    assert read(asked)["body"]["floor"][0]["by"] == "ann"
    assert why(club.sits(club.one, "Ann")) == "floor.barred"
    assert why(club.asks(floor, conduct.Readmit("Ann", "the year is over", ""))) == "table.two_people"
    assert why(club.asks(floor, conduct.Readmit("Ann", " ", "tom"))) == "floor.unsaid"
    assert why(club.asks(floor, conduct.Exclude("Sue", "she asked", "tom"), "tom")) == "table.two_people"
    assert why(club.asks(floor, conduct.Exclude("Sue", "she took a side bet", "sue"), "tom")) == "floor.role"
    club.asks(floor, conduct.ExcludeOneself("Sue", "she took a side bet"))
    assert why(club.asks(floor, conduct.Readmit("Sue", "it was nothing", "tom"))) == "floor.role"
    assert read(club.asks(floor, again))["kind"] == "floor_acted"
    assert read(club.sits(club.one, "Ann"))["kind"] == "acted"
    club.verified()


def test_a_player_excludes_nobody_but_themselves() -> None:
    """The crew takes it down for whoever asks."""
    club = Club()
    floor = club.pit.floor()
    assert why(club.asks(floor, conduct.ExcludeOneself("Bob", "he should"), "ann", "player")) == "person.other"
    assert read(club.asks(floor, conduct.ExcludeOneself("Bob", "he asked for it")))["kind"] == "floor_acted"
    with pytest.raises(RoleError):
        club.asks(floor, conduct.Exclude("Ann", "she wins", "tom"), "bob", "player")
    assert why(club.asks(floor, conduct.Exclude("", "she wins", "tom"))) == "floor.unsaid"
    assert why(club.asks(floor, conduct.Exclude("Ann", "", "tom"))) == "floor.unsaid"


def test_nobody_plays_on_the_floor_of_the_house() -> None:
    """It is asked as a table is, and has no game; no table can have its name."""
    club = Club()
    floor = club.pit.floor()
    assert why(club.sits(floor, "Ann")) == "table.no_game"
    club.verified()


FORGED = {
    "somebody else is kept out": (b'"person":"Bob","reason":"two of us', b'"person":"Cid","reason":"two of us'),
    "the clause of another sanction": (b'"clause":"sydney:9.3.2"', b'"clause":"sydney:9.3.3"'),
    "another entry": (b'"sequence":2,"stream":"floor"', b'"sequence":1,"stream":"floor"'),
    "another stream": (b'"stream":"one"', b'"stream":"two"'),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_changed_word_between_two_streams_is_found(name: str) -> None:
    """Wherever it is changed, what was said and what was heard are compared."""
    club = Club()
    barred_at_one(club)
    club.sits(club.two, "Bob")
    lines, (old, new) = club.lines(), FORGED[name]
    for table in (b'"table":"two"', b'"table":"floor"'):
        forged = [line.replace(old, new) if table in line and b"floor_heard" in line else line for line in lines]
        if forged != lines:
            assert {each.field for each in verify(forged).faults} - {"hash", "previous"}, (name, table)


@pytest.mark.parametrize(("later", "told"), [("20:01:00Z", {}), ("20:01:01Z", {"two": 2})])
def test_a_table_that_goes_on_without_hearing_of_an_exclusion_is_told(later: str, told: dict[str, int]) -> None:
    """By the clock, which may be wrong: it is no fault, and stands in the last line."""
    club = Club()
    club.asks(club.pit.floor(), conduct.Exclude("Ann", "she threatened a dealer", "tom"))
    deaf = LiveTable(club.journal, "two", KEYS)  # as if it were nobody's but its own
    deaf.do(c.Sit(1, "Ann", 50_000), Ask("ann", "player", "k", f"{NOW[:11]}{later}"))
    report = club.verified()
    assert report.unheard == told
    assert ("not told what the floor of the house decided: two of entry 2" in report.lines()[-1]) == bool(told)
    club.sits(club.two, "Bob", 2)
    assert club.verified().unheard == told, "it heard too late"


def test_an_act_of_two_that_nobody_may_do_is_found_in_its_entry() -> None:
    club = Club()
    club.asks(club.pit.floor(), conduct.Exclude("Ann", "she threatened a dealer", "tom"))
    forged = [line.replace(b'"floor.exclude"', b'"floor.excluded"') for line in club.lines()]
    assert ("floor", 2) in {(fault.table, fault.sequence) for fault in verify(forged).faults}


def test_an_exclusion_that_was_kept_from_the_house_is_found() -> None:
    """A table that decides for all and tells nobody, and a floor whose word cannot be looked up."""
    club = Club()
    club.asks(club.pit.floor(), conduct.Exclude("Ann", "she threatened a dealer", "tom"))
    alone = LiveTable(club.journal, "one", KEYS)  # as if it were nobody's but its own
    alone.do(conduct.Exclude("Bob", "he threatened a dealer", "tom"), Ask("sue", "supervisor", "k", NOW))
    assert [each.what for each in verify(club.lines()).faults] == [
        "it holds everywhere, and the floor of the house was not told"
    ]
    club.sits(club.two, "Ann")
    assert any("its word" in each for each in verify(club.lines("two")).open)


# --- Two people -------------------------------------------------------------------------------------------------------


def announced(club: Club) -> LiveTable:
    """A roll is announced at the first table."""
    club.sits(club.one, "Ann")
    club.asks(club.one, c.Bet(1, "pass", 1_000), "ann", "player")
    club.one.close_bets(Ask("bo", "box", f"k{next(_keys)}", NOW))
    return club.one


def by_bo(key: str = "void") -> Ask:
    """The box of the first table."""
    return Ask("bo", "box", key, NOW)


def test_two_people_hold_their_roles_when_they_decide() -> None:
    """The entry says as of which entry of the people's stream, and whoever has the export looks there."""
    club = Club()
    club.sits(club.one, "Ann")
    done = read(club.one.correct(club.one.head.sequence, "a slip", "sue", by_bo()))
    assert done["body"]["roster"] == club.journal.ends()["people"]
    report = club.verified()
    assert report.counts["pairs"] == 1
    for old, new in ((b'"roster":', b'"roster":1'), (b'"people":["bo","sue"]', b'"people":["bo","vic"]')):
        forged = [line.replace(old, new) for line in club.lines()]
        assert {each.field for each in verify(forged).faults} >= {"body.roster"}
    forged = [line.replace(b'"actor":"bo"', b'"actor":"hal"') for line in club.lines()]
    assert "body.people" in {each.field for each in verify(forged).faults}


@pytest.mark.parametrize("second", ["vic", "ann", "nobody", "hal-2"])
def test_the_second_person_holds_a_role_whoever_asks_the_table(second: str) -> None:
    """Not only the service looks: the table does, and nothing is written."""
    club = Club()
    table = announced(club)
    before = club.journal.ends()
    with pytest.raises(RoleError, match="does not hold a role"):
        table.void("the lights went out", second, by_bo())
    with pytest.raises(RoleError):
        table.correct(3, "a slip", second, by_bo())
    with pytest.raises(RoleError):
        club.asks(table, signs.SignPlayerLimits(1, 100, 500, second))
    assert club.journal.ends() == before


def test_one_person_under_two_names_is_one_person() -> None:
    """However it is written; and somebody who only says what they are is not it."""
    club = Club()
    table = announced(club)
    for number, name in enumerate(("bo", "BO", "\uff22o", "b\u200bo", " ")):
        assert why(table.void("the lights went out", name, by_bo(f"v{number}"))) == "table.two_people"
    with pytest.raises(RoleError):
        table.void("the lights went out", "bo", Ask("vic", "supervisor", "v9", NOW))


def test_a_role_that_was_taken_back_between_approval_and_act_counts_no_more() -> None:
    """Also when another process took it back and nobody told this one."""
    club = Club()
    table = club.one
    club.sits(table, "Ann")
    wrong = table.head.sequence
    other = Pit(club.journal, KEYS)
    other.people.withdraw("sue", "supervisor", None, "she went home", HOUSE)
    with pytest.raises(RoleError):
        table.correct(wrong, "a slip", "sue", by_bo())
    assert read(table.correct(wrong, "a slip", "tom", by_bo()))["kind"] == "corrected"
    other.people.withdraw("tom", "supervisor", None, "so did he", HOUSE)
    assert read(table.correct(wrong, "a slip", "tom", by_bo()))["kind"] == "corrected", "asked again: the same"
    club.verified()


def test_a_role_that_is_taken_back_while_the_table_writes_is_noticed(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The people's stream has not gone on, or nothing is written: the table looks again, and says no."""
    table = announced(club)
    beside, gone = club.pit.house_wide.beside, [True]

    def late(name: str, entries: Any) -> Any:  # noqa: ANN401 - as it is
        writes = beside(name, entries)
        if gone and gone.pop():
            Pit(club.journal, KEYS).people.withdraw("sue", "supervisor", None, "she went home", HOUSE)
        return writes

    monkeypatch.setattr(club.pit.house_wide, "beside", late)
    with pytest.raises(RoleError):
        table.void("the lights went out", "sue", by_bo())
    assert kinds(club.journal, "one")[-1] == "bets_closed"


def test_an_approval_is_to_one_act_at_one_table_once_and_for_two_minutes() -> None:
    """To another act, at another table, a second time, too late, or to oneself: nobody has agreed."""
    club = Club()
    people, at = club.pit.people, By("sue", "supervisor", NOW)

    def approval(person: str = "sue") -> str:
        return people.issue(person, at, "approval", table="one", what="table.void")

    bo = By("bo", "box", NOW)
    for table, what in (("one", "table.correct"), ("two", "table.void")):
        with pytest.raises(PeopleError, match="nobody has agreed"):
            people.use(approval(), bo, table, what)
    with pytest.raises(PeopleError, match="nobody has agreed"):
        people.use(approval(), bo._replace(time="2026-11-15T20:02:00Z"), "one", "table.void")
    with pytest.raises(PeopleError, match="two different people"):
        people.use(approval("bo"), bo, "one", "table.void")
    once = approval()
    assert people.use(once, bo._replace(time="2026-11-15T20:01:59Z"), "one", "table.void") == "sue"
    with pytest.raises(PeopleError, match="nobody has agreed"):
        people.use(once, bo, "one", "table.void")


def test_roles_are_given_by_two_who_may_whoever_asks() -> None:
    """Not by somebody without a role, not with somebody without one, not alone; taken back by one who may."""
    club = Club()
    people, sue = club.pit.people, By("sue", "supervisor", NOW)
    for by, second in ((sue, "vic"), (By("vic", "supervisor", NOW), "sue"), (sue, "sue"), (sue, None), (sue, "SUE")):
        with pytest.raises(PeopleError):
            people.grant("bob", "dealer", None, "new crew", by, second)
    with pytest.raises(RoleError):
        people.withdraw("tom", "supervisor", None, "I want it", By("vic", "player", NOW))
    people.grant("bob", "dealer", "one", "new crew", sue, "tom")
    with pytest.raises(PeopleError):
        people.withdraw("tom", "supervisor", None, "I want it", sue)
    people.grant("vic", "administrator", None, "new head", sue, "tom")
    people.withdraw("vic", "administrator", None, "a mistake", sue, "tom")
    people.withdraw("bob", "dealer", "one", "went home", sue)
    people.withdraw("tom", "supervisor", None, "I go home", By("tom", "supervisor", NOW))
    club.verified()
    lines = club.lines("people")
    alone = [line.replace(b'"second":"tom"', b'"second":null') if b"a mistake" in line else line for line in lines]
    assert "body.about.second" in {each.field for each in verify(alone).faults}
    for old, new in ((b'"second":"tom"', b'"second":"vic"'), (b'"actor":"sue"', b'"actor":"vic"')):
        forged = [line.replace(old, new) if b"new crew" in line else line for line in lines]
        assert {each.field for each in verify(forged).faults} - {"hash", "previous"}, (old, new)


def test_closed_tables_take_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many tables as a pit may have are open; one is closed, and there is room for another."""
    club = Club()
    hal, by_hal = club.pit.people.persons["hal"], By("hal", "player", NOW)
    monkeypatch.setattr(pits, "TABLES_MAX", 2)
    with pytest.raises(PeopleError, match="2 tables open"):
        club.pit.open(hal, Opening(), by_hal, "three")
    club.two.close(NOW)
    club.pit.open(hal, Opening(), by_hal, "three")
    with pytest.raises(PeopleError, match="2 tables open"):
        club.pit.open(hal, Opening(), by_hal, "four")


def test_what_befalls_the_program_is_an_entry_that_verifies() -> None:
    """It starts, its clock is set, it ends; one that is cut off says nothing of that."""
    clock = Clock()
    journal = MemoryJournal()
    pit = Pit(journal, KEYS, clock=clock)
    pit.start()
    pit.check_clock()
    clock.goes_on(hours=-1)
    pit.check_clock()
    pit.check_clock()
    pit.stop()
    entries = [read(line) for line in journal.lines("floor")]
    assert [each["kind"] for each in entries[1:]] == ["process_started", "clock_jumped", "process_stopped"]
    assert entries[2]["body"] == {"seconds": -3600}
    report = verify(line + b"\n" for line in exported(journal, journal.tables(), sign=KEYS.sign, time=NOW))
    assert not report.faults
