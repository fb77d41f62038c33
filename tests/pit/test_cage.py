"""The cage and the bank in the register: drawers, payments, floats, and limits that players set themselves."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from passline.engine import commands as c
from passline.errors import HouseFileError, RoleError
from passline.floor import cage, conduct
from passline.live.requests import Ask
from passline.pit.housewide import Bought
from passline.pit.opening import house_text
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.pit.reports.house import book
from passline.pit.reports.sheets import gaming_day
from passline.rulebooks.read import read_book
from passline.verify.check import verify
from tests.pit.play import KEYS, NOW, read, why
from tests.pit.test_housewide import HOUSE, Club
from tests.web.server import Clock

if TYPE_CHECKING:
    from pathlib import Path

    from passline.pit.table import LiveTable

_keys = count(1)
CASH = {10_000: 50, 2_000: 100}  # 7,000.00


class House(Club):
    """The club with two cashiers, cay and cob, a table for its money, and a clock."""

    def __init__(self, at_home: str = "sydney", now: str = NOW) -> None:
        super().__init__()
        self.clock = Clock(now)
        self.pit = Pit(self.journal, KEYS, house=at_home, clock=self.clock)
        people = self.pit.people
        for name in ("Cay", "Cob"):
            people.grant(people.guest(name, NOW)[0].id, "cashier", None, "tonight's cage", HOUSE, None)
        opening = Opening(house="sydney", practice=False, listed=True, wallets=True, staff=(("bo", "box"),))
        self.money = self.pit.open(people.persons["sue"], opening, By("sue", "supervisor", NOW), "money")

    def asks(self, table: LiveTable, command: Any, actor: str = "sue", role: str = "") -> bytes:  # noqa: ANN401 - a command
        return table.do(command, Ask(actor, role, f"c{next(_keys)}", self.clock()), wallet=True)

    def at_cage(self, command: Any, actor: str = "cay") -> bytes:  # noqa: ANN401 - a command
        return self.asks(self.pit.floor(), command, actor)

    def done(self, line: bytes) -> dict[str, Any]:
        """The first thing that happened on the floor."""
        entry = read(line)
        assert entry["kind"] == "floor_acted", entry
        event: dict[str, Any] = entry["body"]["floor"][0]
        return event


@pytest.fixture
def house() -> House:
    found = House()
    found.done(found.at_cage(cage.OpenDrawer(CASH, "cob")))
    return found


@pytest.fixture
def at_home(tmp_path: Path) -> House:
    """A club in Berlin by Sydney's book, at 20:00 of its summer on the evening before the clock goes back."""
    file = tmp_path / "berlin.toml"
    file.write_text(f"{house_text('sydney')}\n[floor.cage]\ntime_zone = 'Europe/Berlin'\n")
    return House(str(file), "2026-10-24T19:00:00Z")


def test_a_drawer_is_opened_by_two_and_counted_without_being_told(house: House) -> None:
    """By cashiers, or one and a supervisor; short and over are told afterwards, and reported."""
    assert why(house.at_cage(cage.OpenDrawer(CASH, "cob"))) == "floor.drawer"
    assert why(house.at_cage(cage.OpenDrawer(CASH, ""), "cob")) == "table.two_people"
    for actor, second in (("sue", "cay"), ("cob", "bo")):
        with pytest.raises(RoleError):
            house.at_cage(cage.OpenDrawer(CASH, second), actor)
    assert why(house.at_cage(cage.OpenDrawer({0: 5}, "sue"), "cob")) == "floor.count"
    house.done(house.at_cage(cage.PayIn("Ann", 5_000, "chips for tonight")))
    house.done(house.at_cage(cage.PayIn("Ann", 7_000, "chips for tonight", "card", "4711")))
    house.done(house.at_cage(cage.PayOut("Ann", 2_000, "chips for tonight")))
    assert why(house.at_cage(cage.HandDrawerOver(CASH, "sue"))) == "person.cashier", "she pays nobody"
    assert why(house.asks(house.money, cage.CountFloat("opening", CASH, "cob"), "bo")) == "person.cashier"
    over = house.done(house.at_cage(cage.HandDrawerOver({10_000: 50, 2_000: 100, 500: 6, 1: 5}, "cob")))
    assert (over["total"], over["opening"], over["due"]) == (703_005, 700_000, 703_000)
    assert why(house.at_cage(cage.CloseDrawer({}, "cob"))) == "floor.drawer", "it is cob's now"
    counted = house.done(house.at_cage(cage.CloseDrawer({10_000: 50, 2_000: 100}, "cay"), "cob"))
    assert (counted["total"], counted["due"]) == (700_000, 703_005)
    house.verified()


def test_what_the_cage_takes_and_pays(house: House) -> None:
    """Above the house's sum two; nobody for themselves; a reference for all but cash; never more than there is."""
    assert why(house.at_cage(cage.PayIn("Ann", 100_001, "chips for tonight"))) == "table.two_people"
    house.done(house.at_cage(cage.PayIn("Ann", 100_001, "chips for tonight", second="sue")))
    house.done(house.at_cage(cage.PayIn("Ann", 100_000, "chips for tonight")))
    assert why(house.at_cage(cage.PayIn("Cay", 100, "chips for tonight"))) == "floor.role"
    assert why(house.at_cage(cage.PayIn("Ann", 0, "chips for tonight"))) == "floor.amount"
    assert why(house.at_cage(cage.PayIn("Ann", 100, "chips for tonight", "cheque"))) == "floor.unsaid"
    assert why(house.at_cage(cage.PayIn("Ann", 100, "chips for tonight"), "cob")) == "floor.drawer"
    assert why(house.at_cage(cage.PayOut("Ann", 200_002, "chips for tonight", second="sue"))) == "table.short_wallet"
    assert why(house.at_cage(cage.PayOut("Bob", 1, "chips for tonight"))) == "table.short_wallet"
    house.done(house.at_cage(cage.PayIn("Bob", 950_000, "chips for tonight", "transfer", "T-1", second="sue")))
    assert why(house.at_cage(cage.PayOut("Bob", 950_000, "chips for tonight", second="cob"))) == "floor.drawer", (
        "no cash for it"
    )
    house.done(house.at_cage(cage.PayOut("Bob", 950_000, "chips for tonight", "transfer", "T-2", second="cob")))
    assert house.journal.balances("cage")["wallet/ann"] == 200_001
    with pytest.raises(RoleError):
        house.at_cage(cage.PayIn("Ann", 100, "chips for tonight"), "sue")
    house.verified()


def test_nothing_is_taken_from_the_excluded_and_they_are_paid(house: House) -> None:
    house.done(house.at_cage(cage.PayIn("Ann", 5_000, "chips for tonight")))
    house.done(house.asks(house.pit.floor(), conduct.Exclude("Ann", "she threatened a dealer", "tom")))
    assert why(house.at_cage(cage.PayIn("Ann", 5_000, "chips for tonight"))) == "floor.barred"
    house.done(house.at_cage(cage.PayOut("Ann", 5_000, "chips for tonight")))


def test_the_float_is_counted_filled_and_credited(house: House) -> None:
    """By two, of whom one is a cashier where chips come and go; what players hold has left it."""
    house.done(house.at_cage(cage.PayIn("Ann", 50_000, "chips for tonight")))
    table = house.money
    fill = cage.FillFloat({2_500: 40}, "cay")
    assert why(house.asks(table, cage.CountFloat("closing", {500: 100}, "sue"), "bo")) == "floor.count"
    assert why(house.asks(table, fill, "bo")) == "floor.count", "nobody has counted it"
    house.done(house.asks(table, cage.CountFloat("opening", {10_000: 20, 500: 200}, "sue"), "bo"))
    assert why(house.asks(table, cage.FillFloat({2_500: 40}, "sue"), "bo")) == "person.cashier"
    assert why(house.asks(table, cage.FillFloat({2_500: 40}, "cob"), "cay")) == "person.cashier"
    assert house.done(house.asks(table, fill, "bo"))["slip"] == 1
    assert why(house.asks(table, cage.CreditFloat({10_000: 41}, "bo"), "cay")) == "floor.count"
    assert house.done(house.asks(table, cage.CreditFloat({10_000: 5}, "bo"), "cay"))["slip"] == 2
    house.asks(table, c.Sit(1, "Ann", 50_000), "ann")
    house.asks(table, c.Bet(1, "pass", 10_000), "ann")
    assert why(house.asks(table, cage.ColourUp(1, {500: 10}, {2_500: 1}), "bo")) == "floor.count"
    house.done(house.asks(table, cage.ColourUp(1, {500: 10}, {2_500: 2}), "bo"))
    due = 300_000 + 100_000 - 50_000 - 50_000
    counted = house.done(house.asks(table, cage.CountFloat("shift", {100: due // 100 - 1}, "sue"), "bo"))
    assert (counted["due"], counted["total"], counted["up"]) == (due, due - 100, 10_000)
    again = house.done(house.asks(table, cage.CountFloat("closing", {100: due // 100 - 1}, "sue"), "bo"))
    assert again["due"] == again["total"], "a variance is told once"
    house.done(house.asks(table, cage.ColourUp(1, {500: 10}, {2_500: 2}), "bo"))  # and one of them stays behind
    house.done(house.asks(table, cage.CountFloat("closing", {100: due // 100 + 24}, "sue"), "bo"))
    (short, over) = (row["look"] for row in book(house.journal, "tables").to_json()["rows"] if row["look"])
    assert short == "look: counted otherwise than it must be"
    assert over == "look: counted otherwise than it must be; chips coloured up by bo, 1x"
    house.verified()


def test_a_float_that_went_back_whole_waits_for_no_count(house: House) -> None:
    """What lies there is still to be counted; of what was credited to the last chip there is nothing left."""
    chips = {10_000: 20}
    house.done(house.asks(house.money, cage.CountFloat("opening", chips, "sue"), "bo"))
    for back, look in (({10_000: 15}, "not counted yet"), ({10_000: 5}, "")):
        house.done(house.asks(house.money, cage.CreditFloat(back, "bo"), "cay"))
        (row,) = book(house.journal, "tables").to_json()["rows"]
        assert (row["count"], row["look"]) == ("not counted", look)


def test_whoever_takes_over_reads_of_an_exclusion_once(house: House) -> None:
    """A table has heard of it too, and hands nothing more over."""
    house.done(house.at_cage(conduct.Exclude("ann", "he threatened a dealer", "tom"), "sue"))
    house.asks(house.money, cage.CountFloat("opening", {10_000: 20}, "sue"), "bo")  # an act tells it
    assert "ann" in house.money.live.floor.barred
    rows = book(house.journal, "handover").to_json()["rows"]
    assert [(row["table"], row["who"]) for row in rows if row["what"] == "excluded"] == [("floor", "ann")]


def test_a_false_credit_leaves_the_chip_bank_short_by_it(house: House) -> None:
    """The slip says 500 went to the cage, and the bank holds 500 less: both names of the slip stand beside it."""
    steps: list[tuple[LiveTable | None, Any, str]] = [
        (None, cage.ReceiveChips({10_000: 100}, "from the maker", "sue"), "cay"),
        (house.money, cage.CountFloat("opening", {10_000: 20}, "sue"), "bo"),
        (house.money, cage.FillFloat({10_000: 10}, "cay"), "bo"),
        (house.money, cage.CreditFloat({10_000: 5}, "bo"), "cob"),
        (None, cage.RetireChips({10_000: 2}, "worn out", "sue"), "cay"),
        (None, cage.CountChipBank({10_000: 68}, "sue"), "cay"),
        (None, cage.CountChipBank({10_000: 68}, "cay"), "cob"),
    ]
    for table, act, who in steps:
        house.clock.goes_on(minutes=1)
        house.done(house.asks(table or house.pit.floor(), act, who))
    for act in (cage.ReceiveChips({100: 1}, "found"), cage.RetireChips({100: 1}, "lost"), cage.CountChipBank({100: 1})):
        assert why(house.at_cage(act)) == "table.two_people"
    with pytest.raises(RoleError):
        house.at_cage(cage.ReceiveChips({100: 1}, "found", "cay"), "sue")
    assert why(house.at_cage(cage.ReceiveChips({100: 1}, " ", "sue"))) == "floor.unsaid"
    assert why(house.at_cage(cage.RetireChips({}, "worn out", "sue"))) == "floor.count"
    sheet = book(house.journal, "chips").to_json()
    first, again = (row for row in sheet["rows"] if row["what"] == "bank counted")
    assert (first["amount"], first["chips"], first["variance"]) == ("6800", "68 x 100", "-500")
    assert first["look"] == "look: counted otherwise than it must be; as much as credit 2 of money, by cob and bo"
    assert (again["variance"], again["look"]) == ("0", ""), "a variance is told once"
    assert sheet["notes"] == ["look: issued were 9800; bank 6800 + floats 2500 + with players 0 are 9300: 500 missing."]
    kinds = {row["kind"]: row for row in book(house.journal, "events").to_json()["rows"]}
    assert (kinds["chip bank variance"]["before"], kinds["chip bank variance"]["after"]) == ("7300", "6800")
    assert kinds["chips retired"]["why"] == "200: worn out, with sue"
    house.done(house.at_cage(cage.RetireChips({10_000: 69}, "worn out", "sue")))
    (*_, more) = book(house.journal, "chips").to_json()["rows"]
    assert (more["due"], more["look"]) == ("-100", "look: more went out than was there")
    assert "chips received" in kinds
    house.verified()


def test_more_frauds_are_named(house: House) -> None:
    """Split payments, a card slip used twice, what an excluded player was paid coming back through a friend."""
    for _ in range(3):
        house.done(house.at_cage(cage.PayIn("Ann", 45_000, "to play")))
    house.done(house.at_cage(cage.PayIn("Bob", 5_000, "to play", "card", "4711")))
    house.done(house.at_cage(cage.PayIn("Ann", 6_000, "to play", "card", "4711")))
    house.done(house.asks(house.pit.floor(), conduct.Exclude("Bob", "he threatened a dealer", "tom")))
    house.done(house.at_cage(cage.PayOut("Bob", 5_000, "goes home")))
    house.done(house.at_cage(cage.PayIn("Ann", 5_000, "from a friend")))
    rows = book(house.journal, "cage").to_json()["rows"]
    looked = [(row["player"], row["amount"], row["look"]) for row in rows if row["look"]]
    assert looked == [
        ("Ann", "60", "look: its reference was used before"),
        ("Bob", "50", "look: paid out, and never bought chips"),
        ("Ann", "50", "look: as much as Bob, who may not play, was paid out"),
    ]
    by_person = {row["player"]: row["look"] for row in book(house.journal, "sums").to_json()["rows"]}
    assert by_person == {"ann": "look: paid in in parts above the sum for two, by cay alone", "bob": ""}
    balance = {row["what"]: row["amount"] for row in book(house.journal, "balance").to_json()["rows"]}
    assert balance["of it paid in by card"] == "110"
    assert balance["difference"] == "0"


def test_cash_that_is_no_players_moves_by_two_with_its_document(house: House) -> None:
    """A prize, a bill, the safe: what must be in the drawer follows, and whoever watches reads of it."""
    assert why(house.at_cage(cage.MoveCash("out", 50_000, "the prize of the draw", "P-1"))) == "table.two_people"
    assert why(house.at_cage(cage.MoveCash("out", 50_000, "the prize of the draw", " ", "sue"))) == "floor.unsaid"
    assert why(house.at_cage(cage.MoveCash("out", 0, "nothing", "P-1", "sue"))) == "floor.amount"
    assert why(house.at_cage(cage.MoveCash("out", 700_001, "all of it", "P-1", "sue"))) == "floor.drawer"
    assert why(house.at_cage(cage.MoveCash("in", 1, "the safe", "S-1", "cay"), "cob")) == "floor.drawer"
    with pytest.raises(RoleError):
        house.at_cage(cage.MoveCash("in", 1, "the safe", "S-1", "cay"), "sue")
    house.done(house.at_cage(cage.MoveCash("out", 50_000, "the prize of the draw", "P-1", "sue")))
    house.done(house.at_cage(cage.MoveCash("in", 20_000, "out of the safe", "S-1", "cob")))
    house.done(house.at_cage(cage.MoveCash("out", 100, "paid twice", "P-1", "cob")))
    assert house.done(house.at_cage(cage.CloseDrawer({100: 6_699}, "cob")))["due"] == 669_900
    rows = [row for row in book(house.journal, "cage").to_json()["rows"] if row["what"].startswith("cash")]
    assert [(row["what"], row["amount"], row["look"]) for row in rows] == [
        ("cash out", "500", ""),
        ("cash in", "200", ""),
        ("cash out", "1", "look: its reference was used before"),
    ]
    events = [row["why"] for row in book(house.journal, "events").to_json()["rows"] if row["kind"] == "cash moved"]
    assert events[0] == "500 out: the prize of the draw (P-1), with sue"
    house.verified()


def test_a_count_of_the_next_gaming_day_begins_with_the_last_of_the_day_before(house: House) -> None:
    """What moved since is in the books of the day on which it is counted; a float as it was left has no row."""
    house.done(house.at_cage(cage.PayIn("Ann", 50_000, "chips for tonight")))
    house.done(house.asks(house.money, cage.CountFloat("opening", {10_000: 20}, "sue"), "bo"))
    house.asks(house.money, c.Sit(1, "Ann", 50_000), "ann")
    house.clock.goes_on(hours=12)  # the house's day began at six
    house.done(house.asks(house.money, cage.CountFloat("shift", {10_000: 15}, "sue"), "bo"))

    def told(day: str) -> list[tuple[str | None, ...]]:
        rows = book(house.journal, "tables", ("money",), gaming_day(house.journal, day)).to_json()["rows"]
        return [tuple(row[name] for name in ("count", "opening", "drop", "closing", "win")) for row in rows]

    assert told("2026-11-15") == [("not counted", "2000", "500", None, None)]
    assert told("2026-11-16") == [("shift", "2000", "500", "1500", "0")]
    assert told("2026-11-17") == []


def test_the_day_of_a_house_is_that_of_its_own_clock_on_both_sides_of_a_change(at_home: House) -> None:
    """Berlin, at six: on 24 October 2026 that is 04:00 UTC, and 05:00 a day later, when the clock has gone back."""
    clock, floor = at_home.clock, at_home.pit.floor()
    assert gaming_day(at_home.journal, "2026-10-24") == ("2026-10-24T04:00:00Z", "2026-10-25T05:00:00Z")
    at_home.done(at_home.at_cage(cage.OpenDrawer(CASH, "cob")))
    at_home.done(at_home.asks(floor, cage.LimitOneself("Ann", 10_000, 12_000, clock(hours=1)), "ann"))
    at_home.done(at_home.at_cage(cage.PayIn("Ann", 10_000, "chips for tonight")))
    assert read(at_home.asks(at_home.money, c.Sit(1, "Ann", 10_000), "ann"))["kind"] == "acted"
    clock.goes_on(hours=10, seconds=-1)  # 04:59:59 UTC: yesterday it would have been a new day
    assert why(at_home.at_cage(cage.PayIn("Ann", 1, "chips for tonight"))) == "floor.own_limit"
    assert why(at_home.asks(at_home.money, c.Bet(1, "field", 1_000), "ann")) == "person.own_limit"
    clock.goes_on(seconds=1)
    at_home.done(at_home.at_cage(cage.PayIn("Ann", 10_000, "chips for tonight")))
    assert read(at_home.asks(at_home.money, c.BuyIn(1, 10_000), "ann"))["kind"] == "acted", "nothing bought today yet"
    rows = book(at_home.journal, "sums").to_json()["rows"]
    assert [(row["gaming_day"], row["paid_in"]) for row in rows] == [("2026-10-24", "100"), ("2026-10-25", "100")]
    at_home.verified()


@pytest.mark.parametrize(("key", "value"), [("time_zone", "Europe/Berlinn"), ("gaming_day_begins", 24)])
def test_a_zone_or_an_hour_that_there_is_not_is_found_in_the_file(key: str, value: object) -> None:
    with pytest.raises(HouseFileError, match=f"floor.cage.{key}"):
        read_book(f"{house_text('sydney')}\n[floor.cage]\n{key} = {value!r}\n", "club.toml")


def test_players_set_limits_for_themselves(house: House) -> None:
    """A sum a day, stricter at once and looser in a day; a time to stop, until the next gaming day."""
    clock, floor = house.clock, house.pit.floor()
    house.done(house.asks(floor, cage.LimitOneself("Ann", 10_000, stop_at=clock(hours=1)), "ann"))
    assert why(house.asks(floor, cage.LimitOneself("Ann", 10_000), "bob")) == "person.other"
    house.done(house.at_cage(cage.PayIn("Ann", 8_000, "chips for tonight")))
    assert why(house.at_cage(cage.PayIn("Ann", 2_001, "chips for tonight"))) == "floor.own_limit"
    house.done(house.at_cage(cage.PayIn("Ann", 2_000, "chips for tonight")))
    assert why(house.asks(floor, cage.LimitOneself("Ann", stop_at=clock(hours=2)), "ann")) == "floor.own_limit"
    house.done(house.asks(floor, cage.LimitOneself("Ann", stop_at=clock(hours=1)), "ann"))
    assert why(house.at_cage(cage.PayIn("Ann", 1, "chips for tonight"))) == "floor.own_limit", "a looser limit waits"
    house.asks(house.money, c.Sit(1, "Ann", 5_000), "ann")
    assert read(house.asks(house.money, c.Bet(1, "pass", 1_000), "ann"))["kind"] == "acted"
    clock.goes_on(hours=1)
    assert why(house.asks(house.money, c.Bet(1, "field", 1_000), "ann")) == "person.own_limit"
    clock.goes_on(hours=12)  # the house's day began at six
    assert read(house.asks(house.money, c.Bet(1, "field", 1_000), "ann"))["kind"] == "acted"
    house.done(house.at_cage(cage.PayIn("Ann", 10_000, "chips for tonight")))
    assert why(house.at_cage(cage.PayIn("Ann", 1, "chips for tonight"))) == "floor.own_limit"
    clock.goes_on(hours=24)
    house.done(house.at_cage(cage.PayIn("Ann", 30_000, "chips for tonight")))
    house.verified()


def test_a_limit_of_loss_holds_over_all_tables_of_a_gaming_day(house: House) -> None:
    """Chips bought and not brought back, wherever; stricter at once, looser in a day; a new day begins at nothing."""
    clock, floor = house.clock, house.pit.floor()
    house.done(house.at_cage(cage.PayIn("Ann", 50_000, "chips for tonight")))
    house.done(house.asks(floor, cage.LimitOneself("Ann", loss=12_000), "ann"))
    assert read(house.asks(house.money, c.Sit(1, "Ann", 10_000), "ann"))["kind"] == "acted"
    assert why(house.asks(house.money, c.BuyIn(1, 2_001), "ann")) == "table.loss_limit"
    house.done(house.asks(floor, cage.LimitOneself("Ann", loss=40_000), "ann"))
    assert why(house.asks(house.money, c.BuyIn(1, 2_001), "ann")) == "table.loss_limit", "a looser limit waits"
    assert read(house.asks(house.money, c.Leave(1), "ann"))["kind"] == "acted"
    assert read(house.asks(house.money, c.Sit(1, "Ann", 12_000), "ann"))["kind"] == "acted"
    assert why(house.asks(house.money, c.BuyIn(1, 1), "ann")) == "table.loss_limit"
    clock.goes_on(hours=12)  # the house's day began at six
    assert read(house.asks(house.money, c.BuyIn(1, 12_000), "ann"))["kind"] == "acted"
    assert why(house.asks(house.money, c.BuyIn(1, 1), "ann")) == "table.loss_limit"
    clock.goes_on(hours=24)
    assert read(house.asks(house.money, c.BuyIn(1, 15_000), "ann"))["kind"] == "acted"
    house.done(house.asks(floor, cage.LimitOneself("Ann", loss=0), "ann"))
    assert why(house.asks(house.money, c.BuyIn(1, 1), "ann")) == "table.loss_limit", "nothing is a limit, too"
    house.verified()


def test_a_limit_of_loss_holds_for_two_tables_that_are_asked_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chips are bought at the one after the other has counted what was bought, and before it writes."""
    opening = Opening(house="sydney", practice=False, listed=True, wallets=True, staff=(("bo", "box"),))
    other = house.pit.open(house.pit.people.persons["sue"], opening, By("sue", "supervisor", NOW), "other")
    house.done(house.at_cage(cage.PayIn("Ann", 50_000, "chips for tonight")))
    house.done(house.asks(house.pit.floor(), cage.LimitOneself("Ann", loss=12_000), "ann"))

    limited = Bought.limited

    def meanwhile(*asked: Any) -> dict[str, int]:  # noqa: ANN401 - as it is asked
        counted = limited(*asked)
        monkeypatch.undo()
        assert read(house.asks(other, c.Sit(1, "Ann", 10_000), "ann"))["kind"] == "acted"
        return counted

    monkeypatch.setattr(Bought, "limited", meanwhile)
    assert why(house.asks(house.money, c.Sit(1, "Ann", 10_000), "ann")) == "table.loss_limit"
    house.verified()


def test_what_was_bought_is_read_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has a limit of loss and asks again and again has no long cage read each time."""
    house.done(house.at_cage(cage.PayIn("Ann", 50_000, "chips for tonight")))
    house.done(house.asks(house.pit.floor(), cage.LimitOneself("Ann", loss=12_000), "ann"))
    house.asks(house.money, c.Sit(1, "Ann", 12_000), "ann")
    assert why(house.asks(house.money, c.BuyIn(1, 1), "ann")) == "table.loss_limit"
    monkeypatch.setattr("passline.pit.housewide.read_entry", None)  # so that nothing can be read
    assert why(house.asks(house.money, c.BuyIn(1, 1), "ann")) == "table.loss_limit"


def test_chips_bought_beyond_a_limit_of_loss_are_found(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that does not count what was bought: the cage's entries do."""
    house.done(house.at_cage(cage.PayIn("Ann", 50_000, "chips for tonight")))
    house.done(house.asks(house.pit.floor(), cage.LimitOneself("Ann", loss=12_000), "ann"))
    house.asks(house.money, c.Sit(1, "Ann", 12_000), "ann")
    house.asks(house.money, c.Leave(1), "ann")
    house.asks(house.money, c.Sit(1, "Ann", 12_000), "ann")
    house.verified()
    monkeypatch.setattr(Bought, "limited", lambda *_: {})
    end = read(house.asks(house.money, c.BuyIn(1, 500), "ann"))["sequence"]
    assert [(each.sequence, each.field) for each in verify(house.lines()).faults] == [(end, "body.events")]


def test_a_table_is_for_the_houses_money_in_its_first_entry_too(house: House) -> None:
    """Or whoever has a seat there could do the crew's work."""
    forged = [line.replace(b',"wallets":true', b"") if b'"table_opened"' in line else line for line in house.lines()]
    assert "body.wallets" in {fault.field for fault in verify(forged).faults}


@pytest.mark.parametrize("changed", ["cage", "floor"])
def test_a_payment_stands_in_both_streams_alike(house: House, changed: str) -> None:
    """Who changes the one is found by the other."""
    house.done(house.at_cage(cage.PayIn("Ann", 5_000, "chips for tonight")))
    lines = []
    for line in house.lines():
        data = json.loads(line)
        if data.get("table") == changed and b"5000" in line:
            line = line.replace(b"5000", b"6000")  # noqa: PLW2901 - forged
        lines.append(line)
    says = [str(each) for each in verify(lines).faults]
    assert any("is not what entry" in each and "of floor says of ann" in each for each in says), says
