"""A night run by people, over HTTP: from opening to count, killed and restored; its money reckoned again by hand.

Twelve players, two tables of two houses, a crew of eight, a fill, a disputed roll, an excluded player, a void, a
promotion, two shifts; and frauds, each of which a report names.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from passline.floor.promotions import AwardPrize, DrawPrize, FileTerms, NotifyWinner, RegisterPromotion
from passline.journal.contract import now
from passline.journal.export import exported
from passline.journal.sqlite import SqliteJournal
from passline.live.requests import Ask
from passline.pit.keys import keys_at
from passline.pit.people.people import By, People
from passline.pit.pit import Pit
from passline.pit.reports.house import BOOKS, book
from passline.verify.check import verify
from tests.clauses.sydney.test_promotions import offered
from tests.web.server import Clock, Player, Server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from passline.pit.keys import Keys

pytestmark = pytest.mark.slow

CREW = {
    "cay": "cashier",
    "cob": "cashier",
    "sue": "supervisor",
    "tom": "supervisor",
    "ivo": "inspector",
    "bo": "",
    "bea": "",
    "sid": "",
}
PLAYERS = [f"pat{number}" for number in range(1, 13)]
TABLES = {"syd": "sydney", "ade": "adelaide"}
FIRST = [(4, 2), (5, 3), (3, 3), (6, 1), (4, 1), (4, 3), (6, 5), (2, 2), (4, 4), (5, 2)]
SECOND = [(5, 4), (2, 4), (6, 3), (5, 5), (3, 1), (2, 5), (1, 1), (6, 2), (5, 1), (6, 2), (4, 3)]
BOX = {"syd": "bo", "ade": "bea"}
DRAW = "Autumn draw"


class Night(NamedTuple):
    """Who is there, by name."""

    people: dict[str, Player]
    folder: Path

    @property
    def server(self) -> Server:
        return self.people["cay"].server

    def does(self, who: str, kind: str, table: str = "", second: str = "", **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - a body
        """Somebody asks a table, or without one the floor of the house; the second agrees with a token of their own."""
        where, body, headers = f"/tables/{table}" if table else "/floor", {"kind": kind, **fields}, {}
        if second:
            agreed = self.people[second].post(f"{where}/approvals", {"what": kind, "act": body})
            assert agreed.status_code == 201, agreed.text
            headers["Second-Person"] = agreed.json()["approval"]
        sent = self.people[who].post(f"{where}/acts", body, **headers)
        told: dict[str, Any] = sent.json()
        return told

    def done(self, who: str, kind: str, table: str = "", second: str = "", **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - a body
        told = self.does(who, kind, table, second, **fields)
        assert "code" not in told, (who, kind, told)
        return told

    def rolled(self, table: str, dice: tuple[int, int]) -> None:
        """Everybody without a line bet makes one, the box closes the bets, and two read the dice apart."""
        self.done(BOX[table], "table.close_bets", table)
        for reader in (BOX[table], "sid"):
            self.done(reader, "table.read_dice", table, dice=list(dice))

    def report(self, name: str, **asked: str) -> list[dict[str, Any]]:
        read = self.people["ivo"].get(f"/reports/{name}", params=asked)
        assert read.status_code == 200, read.text
        told = read.json()
        return [dict(zip(told["columns"], row, strict=True)) for row in told["rows"]]

    def entries(self, stream: str) -> list[dict[str, Any]]:
        """A stream, as the inspector has it."""
        lines = self.people["ivo"].get(f"/journal/{stream}").text.splitlines()
        return [data for data in map(json.loads, lines) if "body" in data and data.get("table") == stream]


def opened(folder: Path) -> Night:
    journal, tokens = SqliteJournal(folder / "pit.db"), {}
    people, house = People(journal, now()), By("house", "house", now())
    for name in (*CREW, *PLAYERS):
        person, tokens[name] = people.guest(name.capitalize(), now())
        if CREW.get(name):
            people.grant(person.id, CREW[name], None, "tonight", house, None)
    promised(journal, keys_at(folder / "keys.json"), people)
    journal.close()
    server = Server(folder, None, "--house", "sydney", "--quiet", "--rate", "2000")
    night = Night({name: Player(server, token, "", name) for name, token in tokens.items()}, folder)
    for table, book_of in TABLES.items():
        staff = [{"person": BOX[table], "role": "box"}, {"person": "sid", "role": "dealer"}]
        staff += [{"person": each, "role": "player"} for each in PLAYERS]
        asked = {"table": table, "house": book_of, "wallets": True, "dice": "real", "staff": staff}
        made = night.people["sue"].post("/tables", asked)
        assert made.status_code == 201, made.text
    return night


def first_shift(night: Night) -> None:
    """Two drawers, two floats, twelve buy-ins, rolls, a fill, a dispute, a void, and everything counted."""
    night.done("sue", "floor.open_promotion", promotion=DRAW)
    for player in ("pat1", "pat2"):
        night.done(player, "floor.enter_promotion", promotion=DRAW, person=player)
    for cashier, other in (("cay", "cob"), ("cob", "cay")):
        night.done(cashier, "floor.open_drawer", second=other, count={"10000": 100, "2000": 100})
    for table in TABLES:
        counted = {"50000": 4, "10000": 20, "2500": 40, "500": 100}
        night.done(BOX[table], "floor.count_float", table, "sue", when="opening", count=counted)
    for number, player in enumerate(PLAYERS):
        cashier, amount = ("cay", "cob")[number % 2], 50_000 + 1_000 * number
        night.done(cashier, "floor.pay_in", player=player, amount=amount, reason="to play")
        table = ("syd", "ade")[number % 2]
        night.done(player, "command.sit", table, buyin=40_000)
    with_two: dict[str, Any] = {
        "player": "pat1",
        "amount": 200_000,
        "reason": "to play",
        "form": "transfer",
        "reference": "T-77",
    }
    assert night.does("cay", "floor.pay_in", **with_two)["code"] == "table.two_people"
    night.done("cay", "floor.pay_in", second="sue", **with_two)
    play(night, FIRST)
    night.done("bo", "floor.fill_float", "syd", "cay", count={"10000": 10})
    night.done("cob", "floor.credit_float", "ade", "bea", count={"2500": 20})
    night.done("bo", "floor.colour_up", "syd", seat=1, given={"500": 5}, received={"2500": 1})
    raised = {"person": "Pat1", "about": "the last roll was cocked"}
    night.done("pat1", "floor.raise_dispute", "syd", **raised)
    night.done("bo", "floor.decide_dispute", "syd", dispute=1, decision="the dice lay flat")
    last = night.people["bo"].get("/tables/syd/floor").json()["last_roll"]
    night.done("bo", "table.correct", "syd", "sue", reverses=last, reason="the wrong dice were read")


def promised(journal: SqliteJournal, keys: Keys, people: People) -> None:
    """The day before: a draw is registered, and its terms are with the authority."""
    clock = Clock(now())
    starts, closes = clock(), clock(hours=1)
    clock.goes_on(hours=-25)
    floor = Pit(journal, keys, people, house="sydney", clock=clock).floor()
    for act in (RegisterPromotion(DRAW, offered(starts=starts, closes=closes)), FileTerms(DRAW, "the Authority")):
        floor.do(act, Ask("sue", "supervisor", type(act).__name__, clock()))


def drawn(journal: SqliteJournal, keys: Keys) -> None:
    """The day after: the prize is drawn before a second person, its winner told, the prize given."""
    clock = Clock(now())
    clock.goes_on(hours=24)
    floor = Pit(journal, keys, house="sydney", clock=clock).floor()
    for number, (act, left) in enumerate(
        (
            (DrawPrize(DRAW, 1, "Sue", second="tom"), "floor.entry"),
            (DrawPrize(DRAW, 1, "Pat2", second="tom"), (1, 0, "")),
            (NotifyWinner(DRAW, 1, "mail"), (1, 0, "Pat2")),
            (AwardPrize(DRAW, 1, (("cash", 500_000),)), "table.two_people"),
            (AwardPrize(DRAW, 1, (("cash", 500_000),), second="tom"), (1, 1, "")),
        )
    ):
        told = json.loads(floor.do(act, Ask("sue", "supervisor", f"draw{number}", clock())))
        (row,) = book(journal, "promotions").to_json()["rows"]
        stands = (row["drawn"], row["awarded"], row["to_be_awarded"])
        assert (told["body"]["refusal"]["code"] if told["kind"] == "refused" else stands) == left


def play(night: Night, rolls: list[tuple[int, int]]) -> None:
    for table in TABLES:
        seated = [player for number, player in enumerate(PLAYERS) if number % 2 == (table == "ade")]
        for dice in rolls:
            for player in seated[:4]:
                seat = night.people[player].get(f"/tables/{table}/seat").json()
                if not seat.get("up", {}).get("pass"):
                    night.does(player, "command.bet", table, wager="pass", amount=1_000)
            night.does(seated[4], "command.bet", table, wager="place_6", amount=1_200)
            night.rolled(table, dice)
        night.does(seated[4], "command.take", table, wager="place_6")


def second_shift(night: Night) -> None:
    """Floats counted for the shift, a drawer closed, somebody excluded, more rolls."""
    for table in TABLES:
        counted = due(night)[table]
        night.done(BOX[table], "floor.count_float", table, "tom", when="shift", count=coins(counted))
    drawers, _ = in_drawers(night)
    night.done("cob", "floor.close_drawer", second="tom", count=coins(drawers["cob"]))
    night.done("sue", "floor.exclude", second="tom", person="Pat12", reason="he threatened a dealer")
    assert night.does("cay", "floor.pay_in", player="pat12", amount=100, reason="to play")["code"] == "floor.barred"
    assert night.does("pat12", "command.bet", "ade", wager="pass", amount=1_000)["code"] == "floor.barred"
    play(night, SECOND)


def closed(night: Night) -> None:
    for number, player in enumerate(PLAYERS):
        night.done(player, "command.leave", ("syd", "ade")[number % 2])
    wallet = night.people["pat12"].get("/me").json()["wallet"]
    night.done("cay", "floor.pay_out", player="pat12", amount=wallet, reason="he goes home")
    for table in TABLES:
        night.done(BOX[table], "floor.count_float", table, "tom", when="closing", count=coins(due(night)[table]))
    night.done("cay", "floor.hand_drawer_over", second="cob", count=coins(in_drawers(night)[0]["cay"]))
    night.done("cob", "floor.close_drawer", second="tom", count=coins(in_drawers(night)[0]["cob"]))


# --- Reckoned again, from the journal alone ---------------------------------------------------------------------------


def floor_events(night: Night, stream: str) -> Iterator[dict[str, Any]]:
    for entry in night.entries(stream):
        if entry["kind"] == "floor_acted":
            for event in entry["body"]["floor"]:
                yield event | {"event": event["kind"].partition(".")[2]}


def games(night: Night, table: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """What happened in the game: whose seat, the event, and the entry."""
    seats: dict[int, str] = {}
    for entry in night.entries(table):
        for event in entry["body"].get("events", ()):
            if event["kind"] == "event.player_sat":
                seats[event["seat"]] = entry["actor"]
            yield seats.get(event.get("seat"), ""), event | {"event": event["kind"].partition(".")[2]}, entry


def bank_of(night: Night, table: str) -> int:
    """What the bank won, by the postings."""
    won = 0
    for entry in night.entries(table):
        for source, to, amount in entry["body"].get("postings", ()):
            won += amount * ((to in ("bank", "breakage")) - (source in ("bank", "breakage")))
    return won


def bought(night: Night, table: str) -> tuple[Counter[str], Counter[str]]:
    """By player: what they bought at a table and what they took away."""
    more, less = Counter[str](), Counter[str]()
    for who, event, _ in games(night, table):
        more[who] += event.get("buyin", 0) if event["event"] == "player_sat" else 0
        more[who] += event["amount"] if event["event"] == "chips_bought" else 0
        less[who] += event["cashed"] if event["event"] == "player_left" else 0
        less[who] += event["held"] if event["event"] == "seat_cleared" else 0
    return more, less


def due(night: Night) -> dict[str, int]:
    """What must lie in each float: what the first count found, and all that moved since."""
    found = {}
    for table in TABLES:
        events = list(floor_events(night, table))
        opening = next((each["total"] for each in events if each["event"] == "float_counted"), 0)
        fills = sum(each["total"] for each in events if each["event"] == "float_filled")
        back = sum(each["total"] for each in events if each["event"] == "float_credited")
        more, less = bought(night, table)
        found[table] = opening + fills - back - more.total() + less.total() + bank_of(night, table)
    return found


def in_drawers(night: Night) -> tuple[Counter[str], list[tuple[str, int]]]:
    """What must lie in each drawer now, and lay in it each time that it was counted."""
    cash: Counter[str] = Counter()
    counted: list[tuple[str, int]] = []
    for each in floor_events(night, "floor"):
        who = each.get("by", "").lower()
        if each["event"] == "drawer_opened":
            cash[who] = each["total"]
        elif each["event"] in ("money_paid_in", "money_paid_out") and each["form"] == "cash":
            cash[who] += each["amount"] * (1 if each["event"] == "money_paid_in" else -1)
        elif each["event"] == "drawer_counted":
            counted.append((who, cash[who]))
    return cash, counted


def wallets(night: Night) -> Counter[str]:
    holds: Counter[str] = Counter()
    for each in floor_events(night, "floor"):
        if each["event"] in ("money_paid_in", "money_paid_out"):
            holds[each["player"].lower()] += each["amount"] * (1 if each["event"] == "money_paid_in" else -1)
    for table in TABLES:
        more, less = bought(night, table)
        holds.subtract(more)
        holds.update(less)
    return holds


def moved(night: Night, player: str) -> Counter[tuple[str, int]]:
    """Each movement of a wallet, in the words of a statement."""
    found: Counter[tuple[str, int]] = Counter()
    for each in floor_events(night, "floor"):
        if each["event"] == "money_paid_in" and each["player"].lower() == player:
            found["paid in", each["amount"]] += 1
        elif each["event"] == "money_paid_out" and each["player"].lower() == player:
            found["paid out", -each["amount"]] += 1
    for table in TABLES:
        for who, event, _ in games(night, table):
            if who == player and event["event"] in ("player_sat", "chips_bought"):
                found["bought chips", -event.get("buyin", event.get("amount", 0))] += 1
            elif who == player and event["event"] in ("player_left", "seat_cleared"):
                found["returned chips", event.get("cashed", event.get("held", 0))] += 1
    return found


MADE = {
    4: Fraction(1, 3),
    5: Fraction(2, 5),
    6: Fraction(5, 11),
    8: Fraction(5, 11),
    9: Fraction(2, 5),
    10: Fraction(1, 3),
}
"""How often a point is made before a seven."""


def theory(night: Night, table: str) -> dict[str, Fraction]:  # noqa: C901 - a case an event
    """What pass line and place six bets cost on average: by hand, an edge for each bet that was made or left up.

    A pass bet that a void gives back on its point was worth less than the stake that comes back.
    """
    edge = {"pass": Fraction(7, 495), "place_6": Fraction(1, 66)}
    cost: dict[str, Fraction] = {}
    last: list[tuple[str, Fraction]] = []
    puck = before = 0
    for who, event, _ in games(night, table):
        wager, booked = event.get("wager"), Fraction(0)
        match event["event"]:
            case "dice_thrown":
                last, before = [], puck
            case "puck_turned":
                puck = event["to"]
            case "outcome_struck_out":
                puck = before
                for name, amount in last:
                    cost[name] -= amount
                last = []
            case "wager_up" if wager in edge:
                booked = event["added"] * edge[wager]
            case "wager_won" if wager in edge and event["stays"]:
                booked = event["stake"] * edge[wager]
                last.append((who, booked))
            case "wager_down" if wager == "place_6":
                booked = -event["removed"] * edge[wager]
            case "wager_down" if wager == "pass":
                booked = event["removed"] * (2 * MADE[puck] - 1 if puck else -edge[wager])
        if wager in edge:
            cost[who] = cost.get(who, Fraction(0)) + booked
    return cost


def coins(amount: int) -> dict[str, int]:
    """A count that comes to this."""
    return {"100": amount // 100, "1": amount % 100}


def cents(text: str) -> int:
    return round(Fraction(text.replace(",", "")) * 100)


def agrees(night: Night) -> None:
    """Every float, drawer, wallet, statement and rating, to the cent."""
    holds = wallets(night)
    for player in PLAYERS:
        assert night.people["ivo"].get(f"/people/{player}").json()["wallet"] == holds[player]
        told = night.report("statement", player=player)
        assert cents(told[-1]["wallet"]) == holds[player]
        assert Counter((row["what"], cents(row["amount"])) for row in told) == moved(night, player)
    drawers = [row for row in night.report("cage") if row["what"] == "drawer counted"]
    assert [row["cashier"] for row in drawers] == ["cob", "cay", "cob"]
    assert [(row["cashier"], cents(row["amount"])) for row in drawers] == in_drawers(night)[1]
    assert {row["variance"] for row in drawers} == {"0"}
    balance = {row["what"]: cents(row["amount"]) for row in night.report("balance")}
    paid = [each for each in floor_events(night, "floor") if each["event"].startswith("money_paid")]
    total = sum(each["amount"] * (1 if each["event"] == "money_paid_in" else -1) for each in paid)
    won = sum(bank_of(night, table) for table in TABLES)
    assert balance["left with the house"] == total
    assert balance["in wallets"] == holds.total()
    assert balance["won by the house"] == won
    assert balance["difference"] == 0
    assert total == holds.total() + balance["chips in play"] + won
    assert all(
        each["total"] == each["due"] for each in floor_events(night, "floor") if each["event"] == "drawer_counted"
    )
    rated = {(row["table"], row["player"]): row for row in night.report("ratings")}
    for table in TABLES:
        for player, cost in theory(night, table).items():
            assert cents(rated[table, player]["theoretical"]) == round(cost), (table, player)
        more, less = bought(night, table)
        games_row = [row for row in night.report("tables") if row["table"] == table]
        assert sum(cents(row["drop"]) for row in games_row) == more.total()
        assert sum(cents(row["returns"]) for row in games_row) == less.total()
        assert sum(cents(row["win_by_the_journal"]) for row in games_row) == bank_of(night, table)
        assert all(row["win"] == row["win_by_the_journal"] for row in games_row if row["count"] != "not counted")
        assert not [row for row in games_row if row["look"].startswith("look")]


def test_a_night_from_opening_to_count(tmp_path: Path) -> None:
    """Killed between the shifts and before the count, restored from a backup at the end: the money is the same."""
    night = opened(tmp_path)
    first_shift(night)
    night.server.kill()
    night.server.restart()
    second_shift(night)
    night.server.kill()
    night.server.restart()
    assert {row["what"] for row in night.report("handover")} >= {"seat", "float", "drawer", "excluded"}
    closed(night)
    agrees(night)
    assert [row["stands"] for row in night.report("disputes")] == ["decided"]
    assert [(row["promotion"], row["stands"], row["entrants"]) for row in night.report("promotions")] == [
        (DRAW, "open", 2)
    ]
    voids = night.report("voids")
    assert {row["person"] for row in voids} == {"bo", "sue"}
    kinds = {row["kind"] for row in night.report("events")}
    assert {"fill", "credit", "exclusion", "dispute", "barred person", "outcome struck out"} <= kinds
    assert all(night.people["cay"].get(f"/reports/{name}").status_code == 403 for name in ("cage", "tables"))
    sheets = {name: night.report(name, player="pat1") for name in BOOKS}
    assert night.server.stop() == 0
    cli = [sys.executable, "-m", "passline", "journal"]
    subprocess.run([*cli, "backup", night.server.journal, str(tmp_path / "copy.db")], check=True, capture_output=True)
    restored = str(tmp_path / "again.db")
    subprocess.run([*cli, "restore", str(tmp_path / "copy.db"), restored], check=True, capture_output=True)
    journal = SqliteJournal(tmp_path / "again.db")
    try:
        for name, rows in sheets.items():
            sheet = book(journal, name, player="pat1")
            again = [dict(zip(sheet.columns, map(json_cell, row), strict=True)) for row in sheet.rows]
            if name in ("events", "shift"):  # the restoring is an event, too
                assert len(again) >= len(rows)
            else:
                assert again == rows, name
        drawn(journal, keys_at(tmp_path / "keys.json"))
        lines = [line + b"\n" for line in exported(journal, journal.tables(), time=now())]
        assert not verify(lines).faults
    finally:
        journal.close()


def json_cell(cell: object) -> object:
    return json.loads(json.dumps(cell, default=str))


def test_frauds_are_named_by_reports(tmp_path: Path) -> None:
    """A ghost pay-in, a false fill, a late bet that is paid, voids for a friend, and dice by one voice."""
    night = opened(tmp_path)
    night.done("cay", "floor.open_drawer", second="cob", count={"10000": 10})
    night.done("bo", "floor.count_float", "syd", "sue", when="opening", count={"10000": 50})
    for player in ("pat1", "pat3"):
        night.done("cay", "floor.pay_in", player=player, amount=50_000, reason="to play")
    night.done("cay", "floor.pay_in", player="pat7", amount=95_000, reason="to play")  # nobody brought it
    night.done("pat1", "command.sit", "syd", buyin=50_000)
    night.done("pat3", "command.sit", "syd", buyin=50_000)
    night.done("bo", "floor.fill_float", "syd", "cay", count={"10000": 7})  # which never arrived
    for dice in [*[(6, 1), (6, 5), (5, 2), (4, 3)] * 2, (1, 1), (2, 1), (1, 1)]:
        night.does("pat1", "command.bet", "syd", wager="pass", amount=1_000)
        friend = night.does("pat3", "command.bet", "syd", wager="pass", amount=5_000)
        assert "code" not in friend or friend["code"].startswith("bet")
        night.rolled("syd", dice)
        last = night.people["bo"].get("/tables/syd/floor").json()["last_roll"]
        if sum(dice) in (2, 3):  # the line loses: the friend is spared
            night.done("bo", "table.correct", "syd", "sue", reverses=last, reason="a cocked die")
    night.does("pat1", "command.bet", "syd", wager="pass", amount=1_000)
    night.done("bo", "table.close_bets", "syd")
    night.done("bo", "table.read_dice", "syd", dice=[5, 6])
    assert night.does("bo", "table.read_dice", "syd", dice=[5, 6])["code"] == "table.two_people"
    late: dict[str, Any] = {"seat": 2, "wager": "field", "amount": 2_000, "reason": "it was said"}
    assert night.does("sid", "command.find_bet", "syd", **late)["code"] == "table.bets_closed"
    night.done("sid", "table.read_dice", "syd", dice=[5, 6])
    night.done("sid", "command.find_bet", "syd", **late)
    night.done("bo", "floor.count_float", "syd", "sue", when="closing", count=coins(due(night)["syd"] - 70_000))
    night.done("cay", "floor.close_drawer", second="cob", count=coins(in_drawers(night)[0]["cay"] - 95_000))
    night.done("cob", "floor.open_drawer", second="cay", count={"10000": 20})
    night.done("cob", "floor.pay_out", player="pat7", amount=95_000, reason="goes home")
    cage = night.report("cage")
    short = next(row for row in cage if row["variance"] == "-950")
    assert "pat7 paid in" in short["look"], "the ghost is named"
    looks = {row["look"] for row in cage if row["player"] == "pat7"}
    assert any("never bought chips" in each for each in looks)
    assert any("just below" in each for each in looks)
    assert any("the drawer was off by as much" in each for each in looks), "the payment itself is marked"
    floats = next(row for row in night.report("tables") if row["variance"] == "-700")
    assert "fill 1 by bo and cay" in floats["look"]
    voids = [row for row in night.report("voids") if row["person"] == "bo"]
    assert voids[0]["spared_most"].startswith("pat3")
    assert voids[0]["look"] == "look: pat3 is spared", voids
    booked = night.report("booked")
    assert [(row["booked_by"], row["player"], row["bets"], row["look"]) for row in booked] == [
        ("sid", "pat3", 1, "look: sid had asked for it with the dice out")
    ]
    kinds = Counter(row["kind"] for row in night.report("events"))
    assert kinds["one where two are needed"] == 1
    assert kinds["crew after the bets closed"] == 1
    assert kinds["drawer variance"] == kinds["float variance"] == 1
    assert kinds["bet booked by the crew"] == 1
    given = {"table": "said", "house": "sydney", "wallets": True, "dice": "given"}
    assert night.people["sue"].post("/tables", given).status_code == 422, "nobody says dice that the house pays for"
    assert night.server.stop() == 0
