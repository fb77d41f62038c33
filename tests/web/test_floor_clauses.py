"""Clauses about people, asked over HTTP of those who may and those who may not: by role, by clock, by two."""

from __future__ import annotations

from typing import Any

import pytest

from passline.floor.state import Prize
from passline.pit.people.people import By
from tests.clauses.sydney.test_promotions import CASH, DETAILS, TERMS, without
from tests.pit.play import NOW
from tests.web.test_house_rules import DRAW, House, offer, running

NOT_A_SUPERVISOR = ("dea", "sam")
NOT_OF_THE_FLOOR = ("ann", "ivo", "cas")


def seated(book: str = "sydney") -> House:
    """A table with Ann at seat 1 and Bob at seat 2."""
    house = House(book)
    for name in ("ann", "bob"):
        assert house.code(name, "command.sit", buyin=1_000_000) == ""
    return house


def clause_of(answer: dict[str, Any]) -> str | None:
    """By which clause something was done, or refused."""
    done = answer.get("body", {}).get("floor")
    clause = done[0]["clause"] if done else answer.get("clause")
    return None if clause is None else str(clause)


def for_supervisors(house: House, clause: str | None, kind: str, **fields: Any) -> None:  # noqa: ANN401 - JSON
    """Of the crew, whoever is no supervisor is told no by the clause; others may not even ask."""
    for who in NOT_A_SUPERVISOR:
        answer = house.ask(who, kind, **fields)
        assert (answer["code"], clause_of(answer)) == ("floor.role", clause), (who, kind)
    for who in NOT_OF_THE_FLOOR:
        assert house.code(who, kind, **fields) == "permission.missing", (who, kind)


def up(house: House, seat: int) -> dict[str, int]:
    """What lies before a seat."""
    felt = house.get("sue", "/tables/one")["state"]["seats"][str(seat)]["up"]
    return {wager: each["stake"] for wager, each in felt.items()}


@pytest.mark.clause("sydney:1.1.dealer")
def test_a_dealer_books_and_nobody_who_is_no_supervisor_does() -> None:
    """Chips that were found on the layout go up for their player, with the reason in the entry."""
    house = seated()
    found: dict[str, Any] = {"seat": 1, "wager": "field", "amount": 500, "reason": "they lay on the field"}
    for who in ("sam", "ivo", "ann", "bob", "cas"):
        assert house.code(who, "command.find_bet", **found) == "permission.missing"
    booked = house.ask("dea", "command.find_bet", **found)
    assert (booked["role"], booked["body"]["reason"], up(house, 1)) == (
        "dealer",
        "they lay on the field",
        {"field": 500},
    )


@pytest.mark.clause("sydney:7.5.1", "sydney:7.5.2", "sydney:1.1.casino-supervisor")
def test_limits_change_by_a_supervisor_and_rise_after_twenty_minutes_of_sign() -> None:
    house = seated()
    notice = house.get("sue", "/tables/one")["notice"]
    lower, higher = notice | {"minimum": notice["minimum"] // 5}, notice | {"minimum": 2 * notice["minimum"]}
    for_supervisors(house, "sydney:7.5.2", "floor.change_limits", notice=lower)
    assert house.code("box", "floor.change_limits", notice=lower) == ""
    assert house.code("box", "floor.change_limits", notice=notice) == "notice.too_soon", "back up is a raise too"
    at = "2026-11-15T20:20:00Z"
    for_supervisors(house, "sydney:7.5.2", "floor.sign_limits", notice=higher, at=at)
    assert house.code("sue", "floor.sign_limits", notice=higher, at=at) == ""
    house.time = "2026-11-15T20:19:59Z"
    early = house.ask("sue", "floor.change_limits", notice=higher)
    assert (early["code"], early["clause"]) == ("floor.not_due", "sydney:7.5.2")
    house.time = at
    assert house.code("sue", "floor.change_limits", notice=higher) == ""
    assert house.code("ann", "command.bet", wager="pass", amount=notice["minimum"]) == "bet.under_minimum"


def report(house: House, breach: str, standing: str = "player", person: str = "Bob") -> dict[str, Any]:
    fields: dict[str, Any] = {
        "person": person,
        "standing": standing,
        "breach": breach,
        "details": "two of the crew saw it",
    }
    answer: dict[str, Any] = house.ask("dea", "floor.report_conduct", **fields)
    return answer


@pytest.mark.clause("sydney:9.1", "sydney:9.3", "sydney:9.3.1", "sydney:9.3.2", "sydney:9.3.4")
@pytest.mark.parametrize(
    ("measure", "clause"), [("void wagers", "sydney:9.3.1"), ("bar", "sydney:9.3.2"), ("detain", "sydney:9.3.4")]
)
def test_a_supervisor_sanctions_whoever_has_a_device(measure: str, clause: str) -> None:
    house = seated()
    assert house.code("bob", "command.bet", wager="place_6", amount=1_200) == ""
    assert clause_of(report(house, "device")) == "sydney:9.1"
    sanction: dict[str, Any] = {"report": 1, "measure": measure, "reason": "it counts rolls"}
    for who in NOT_OF_THE_FLOOR:
        assert house.code(who, "floor.sanction", "sue", **sanction) == "permission.missing"
    dealer = house.ask("dea", "floor.sanction", "sue", **sanction)
    assert (dealer["code"], dealer["clause"]) == ("floor.role", "sydney:9.3")
    assert house.code("box", "floor.sanction", **sanction) == "table.two_people"
    assert clause_of(house.ask("box", "floor.sanction", "sue", **sanction)) == clause
    assert up(house, 2) == ({} if measure == "void wagers" else {"place_6": 1_200})
    again = house.ask("bob", "command.bet", wager="field", amount=500)
    assert again.get("clause") == (clause if measure == "bar" else None)
    if measure == "detain":
        over: dict[str, Any] = {"report": 1, "to": "police", "official": "Constable Moss"}
        for_supervisors(house, clause, "floor.hand_over", **over)
        assert clause_of(house.ask("box", "floor.hand_over", **over)) == clause


@pytest.mark.parametrize(
    ("book", "breach", "standing", "clause"),
    [
        pytest.param(book, breach, standing, clause, marks=pytest.mark.clause(clause))
        for book, breach, standing, clause in (
            ("sydney", "advice by staff", "dealer", "sydney:9.6"),
            ("sydney", "advice", "spectator", "sydney:9.7"),
            ("sydney", "side bet", "player", "sydney:9.10"),
            ("adelaide", "side bet", "player", "adelaide:14(f).2"),
            ("adelaide", "device", "player", "adelaide:14(m).1"),
            ("adelaide", "device link", "player", "adelaide:14(m).2"),
            ("fire-bonus", "side bet", "player", "fire-bonus:SIDE-WAGERS"),
        )
    ],
)
def test_what_the_book_forbids_is_taken_down_by_its_clause(book: str, breach: str, standing: str, clause: str) -> None:
    house = House(book)
    assert clause_of(report(house, breach, standing, "Kim")) == clause
    assert report(house, breach, "inspector", "Kim")["code"] == "floor.no_breach"
    assert house.get("sue", "/tables/one/floor")["reports"] == {"1": f"Kim: {breach}"}


@pytest.mark.clause("adelaide:14(b).2", "adelaide:14(c)")
def test_who_keeps_touching_and_who_bets_with_a_partner_is_held_to_it() -> None:
    house = seated("adelaide")
    maximum = house.get("sue", "/tables/one")["notice"]["maximum"]
    refuse: dict[str, Any] = {"seat": 2, "wager": None, "reason": "touches wagers", "breach": "touching"}
    report(house, "touching")
    once = house.ask("sue", "floor.refuse_wager", **refuse)
    assert (once["code"], once["clause"]) == ("floor.not_repeated", "adelaide:14(b).2")
    report(house, "touching")
    link: dict[str, Any] = {"seats": [1, 2], "reason": "one rack between them"}
    for_supervisors(house, "adelaide:14(c)", "floor.link_partners", **link)
    assert clause_of(house.ask("box", "floor.link_partners", **link)) == "adelaide:14(c)"
    assert house.code("ann", "command.bet", wager="pass", amount=maximum // 2) == ""
    over = house.ask("bob", "command.bet", wager="pass", amount=maximum // 2 + 500)
    assert (over["code"], over["clause"]) == ("floor.partners", "adelaide:14(c)")
    assert clause_of(house.ask("sue", "floor.refuse_wager", **refuse)) == "adelaide:14(b).2"
    assert house.code("bob", "command.bet", wager="pass", amount=500) == "floor.refused"


@pytest.mark.clause("sydney:9.11.1", "sydney:9.11.2")
def test_a_supervisor_refuses_a_wager_and_has_it_removed() -> None:
    house = seated()
    assert house.code("bob", "command.bet", wager="place_6", amount=1_200) == ""
    refuse: dict[str, Any] = {"seat": 2, "wager": "place_6", "reason": "always late", "remove": True}
    for_supervisors(house, "sydney:9.11.1", "floor.refuse_wager", **refuse)
    assert clause_of(house.ask("box", "floor.refuse_wager", **refuse)) == "sydney:9.11.1"
    assert up(house, 2) == {}
    later = house.ask("bob", "command.bet", wager="place_6", amount=1_200)
    assert (later["code"], later["clause"]) == ("floor.refused", "sydney:9.11.1")
    assert house.code("ann", "command.bet", wager="place_6", amount=1_200) == ""


@pytest.mark.parametrize(
    ("book", "cause", "clause"),
    [
        pytest.param("sydney", "robbery", "sydney:9.4.1", marks=pytest.mark.clause("sydney:9.4.1")),
        pytest.param("adelaide", "fire", "adelaide:14(a)(i)", marks=pytest.mark.clause("adelaide:14(a)(i)")),
    ],
)
def test_a_supervisor_invalidates_an_outcome_and_stakes_go_back(book: str, cause: str, clause: str) -> None:
    house = rolled(book)
    invalid: dict[str, Any] = {"cause": cause, "person": "", "standing": None, "opinion": "", "forfeits": []}
    assert house.ask("dea", "floor.invalidate", "sue", **invalid)["clause"] == clause
    assert house.code("ann", "floor.invalidate", "sue", **invalid) == "permission.missing"
    assert house.ask("box", "floor.invalidate", "sue", **invalid | {"cause": "bad luck"})["clause"] == clause
    assert clause_of(house.ask("box", "floor.invalidate", "sue", **invalid)) == clause
    assert total(house, 1) == total(house, 2) == 1_000_000


@pytest.mark.parametrize(
    ("book", "fraud", "forfeit"),
    [
        pytest.param(book, fraud, forfeit, marks=pytest.mark.clause(*clauses))
        for book, fraud, forfeit, clauses in (
            ("sydney", "sydney:9.4.2", "sydney:9.5.2", ("sydney:9.4.2", "sydney:9.5.2")),
            ("adelaide", "adelaide:14(a)(ii)", "A-18", ("adelaide:14(a)(ii)",)),
        )
    ],
)
def test_a_fraud_costs_its_player_the_wager_and_nobody_else(book: str, fraud: str, forfeit: str) -> None:
    house = rolled(book)
    invalid: dict[str, Any] = {"cause": "fraud", "person": "Bob", "standing": "player", "forfeits": [2]}
    assert house.ask("box", "floor.invalidate", "sue", **invalid | {"person": ""}).get("clause") == fraud
    answer = house.ask("box", "floor.invalidate", "sue", **invalid | {"opinion": "the dice were slid"})
    assert clause_of(answer) == fraud
    assert [each["clause"] for each in answer["body"]["events"] if each["kind"] == "event.wager_lost"] == [forfeit]
    assert (total(house, 1), total(house, 2)) == (1_000_000, 999_500)


def rolled(book: str) -> House:
    """Both have five on the field, which any roll decides; Ann has thrown."""
    house = seated(book)
    assert house.code("ann", "command.bet", wager="pass", amount=500) == ""
    for name in ("ann", "bob"):
        assert house.code(name, "command.bet", wager="field", amount=500) == ""
    assert house.ask("ann", "table.roll")["kind"] == "rolled"
    return house


def total(house: House, seat: int) -> int:
    """What somebody has: on the rail and before them."""
    there = house.get("sue", "/tables/one")["state"]["seats"][str(seat)]
    return int(there["rail"]) + sum(up(house, seat).values())


@pytest.mark.clause("sydney:9.8")
def test_a_table_with_players_closes_twenty_minutes_after_its_sign() -> None:
    house = seated()
    close = {"reason": "the night is over"}
    for_supervisors(house, "sydney:9.8", "floor.close", **close)
    assert house.code("sue", "floor.close", **close) == "close.too_soon"
    assert house.code("box", "floor.sign_closing", at="2026-11-15T20:20:00Z") == ""
    house.time = "2026-11-15T20:19:59Z"
    assert house.code("sue", "floor.close", **close) == "floor.not_due"
    house.time = "2026-11-15T20:20:00Z"
    assert clause_of(house.ask("sue", "floor.close", **close)) == "sydney:9.8"


@pytest.mark.clause("adelaide:14(i)")
def test_a_table_closes_once_an_inspector_who_is_one_was_told() -> None:
    house = seated("adelaide")
    untold = house.ask("sue", "floor.close", reason="the night is over")
    assert (untold["code"], untold["clause"]) == ("close.untold", "adelaide:14(i)")
    assert house.code("box", "floor.tell_inspector", inspector="Nobody") == "person.unknown"
    assert house.code("box", "floor.tell_inspector", inspector="Ivo") == ""
    assert clause_of(house.ask("sue", "floor.close", reason="the night is over")) == "adelaide:14(i)"


@pytest.mark.parametrize(
    ("book", "first", "reviewer", "final"),
    [
        pytest.param(book, *rest, marks=pytest.mark.clause(*clauses))
        for book, *rest, clauses in (
            ("sydney", "box", "sue", "sydney:9.13.1", ("sydney:9.12", "sydney:9.13.1", "sydney:1.1.boxperson")),
            ("adelaide", "box", "ivo", "adelaide:14(k)", ("adelaide:14(k)", "adelaide:14(j)")),
            ("fire-bonus", "sue", "", "fire-bonus:HOUSE-RULES.3", ("fire-bonus:HOUSE-RULES.3",)),
        )
    ],
)
def test_a_dispute_goes_to_whom_the_book_names_and_ends_there(book: str, first: str, reviewer: str, final: str) -> None:
    """Raised by who does not accept it, decided, and reviewed at their wish by another, or by nobody."""
    house = seated(book)
    assert house.code("bob", "floor.raise_dispute", person="Bob", about="the payment") == ""
    decide: dict[str, Any] = {"dispute": 1, "decision": "it was right"}
    for who in {"dea", "sam", "box"} - {first}:
        assert house.code(who, "floor.decide_dispute", **decide) == "floor.role", who
    assert house.code("bob", "floor.decide_dispute", **decide) == "permission.missing"
    assert clause_of(house.ask(first, "floor.decide_dispute", **decide)) == final
    assert house.code("ann", "floor.ask_review", dispute=1) in ("floor.role", "floor.final")
    if not reviewer:
        assert house.ask("bob", "floor.ask_review", dispute=1)["clause"] == final
        return
    assert house.code("bob", "floor.ask_review", dispute=1) == ""
    for who in ({"box", "bo2", "sue", "ivo"} if reviewer == "ivo" else {"box", "bo2"}) - {reviewer}:
        assert house.code(who, "floor.review_dispute", **decide) in ("floor.rank", "floor.role"), who
    assert clause_of(house.ask(reviewer, "floor.review_dispute", **decide)) == final
    assert house.code("bob", "floor.ask_review", dispute=1) == "floor.dispute", "that was the last word"


@pytest.mark.clause("sydney:1.1.gaming-supervisor", "sydney:1.1.assistant-gaming-manager")
def test_who_has_the_pit_reviews_whoever_has_the_table() -> None:
    """A supervisor is a Gaming Supervisor by the role alone; the pit is given with a title."""
    house = seated()
    for who in ("box", "dea"):
        assert house.code(who, "floor.come_on_duty", person=who.capitalize(), title="Gaming Supervisor") != ""
    manager, table = "Assistant Gaming Manager", "Gaming Supervisor"
    assert house.code("tom", "floor.come_on_duty", person="Tom", title=manager) == "person.title"
    by = By("house", "house", NOW)
    house.pit.people.grant("tom", "supervisor", None, "he runs the pit", by, None, manager)
    assert house.code("tom", "floor.come_on_duty", person="Tom", title=manager) == ""
    assert house.code("sue", "floor.come_on_duty", person="Sue", title=table) == ""
    assert house.get("sue", "/tables/one/floor")["duty"] == {"tom": manager, "sue": table}
    assert house.code("bob", "floor.raise_dispute", person="Bob", about="the payment") == ""
    assert house.code("sue", "floor.decide_dispute", dispute=1, decision="it was right") == ""
    assert house.code("bob", "floor.ask_review", dispute=1) == ""
    assert house.code("box", "floor.review_dispute", dispute=1, decision="it stands") == "floor.rank"
    assert house.code("tom", "floor.review_dispute", dispute=1, decision="it stands") == ""


@pytest.mark.clause("sydney:1.1.casino-promotional-token.1")
def test_a_voucher_becomes_tokens_once_and_by_another_than_issued_it() -> None:
    house = seated()
    issue: dict[str, Any] = {"voucher": "V-1", "value": 2_500}
    for_supervisors(house, "sydney:1.1.casino-promotional-token.1", "floor.issue_voucher", **issue)
    assert house.code("sue", "floor.issue_voucher", **issue) == ""
    change: dict[str, Any] = {"voucher": "V-1", "seat": 1}
    assert house.code("ann", "floor.change_voucher", **change) == "permission.missing"
    assert house.code("sue", "floor.change_voucher", **change) == "floor.voucher"
    assert house.code("dea", "floor.change_voucher", **change) == ""
    assert house.code("dea", "floor.change_voucher", **change) == "floor.voucher"
    assert house.get("sue", "/tables/one")["state"]["seats"]["1"]["tokens"] == 2_500


@pytest.mark.clause("sydney:9.9")
def test_who_does_not_bet_for_three_rounds_gives_the_place_up() -> None:
    house = House("sydney", dice="real")
    for name in ("ann", "bob"):
        assert house.code(name, "command.sit", buyin=1_000_000) == ""
    assert house.code("dea", "floor.count_places", places=2) == ""
    vacate: dict[str, Any] = {"seat": 2, "reason": "others wait"}
    for rounds in range(3):
        early = house.ask("sue", "floor.vacate_seat", **vacate)
        assert (early["code"], early["clause"]) == ("floor.not_idle", "sydney:9.9"), rounds
        assert house.code("ann", "command.bet", wager="pass", amount=500) == ""
        assert house.code("box", "table.close_bets") == ""
        for reader in ("dea", "box"):
            assert house.code(reader, "table.read_dice", dice=[4, 3]) == ""
    for_supervisors(house, "sydney:9.9", "floor.vacate_seat", **vacate)
    assert house.code("dea", "floor.count_places", places=3) == ""
    assert house.code("sue", "floor.vacate_seat", **vacate) == "floor.places"
    assert house.code("dea", "floor.count_places", places=2) == ""
    assert clause_of(house.ask("box", "floor.vacate_seat", **vacate)) == "sydney:9.9"
    assert set(house.get("sue", "/tables/one")["state"]["seats"]) == {"1"}


WATCH = Prize("goods", "a watch", 100_000, cash_alternative=80_000)
INSTEAD = {**TERMS, "cash alternative": "800 in the place of it"}
PART_10 = {
    "sydney:1.1.promotional-prize": offer(given_by="draw") | {"given_by": "skill"},
    "sydney:10.1": offer(with_gaming=False),
    "sydney:10.3.1": offer(CASH._replace(cash_alternative=1), terms=INSTEAD),
    "sydney:10.3.2": offer(WATCH._replace(kind="casino dollars"), terms=INSTEAD),
    "sydney:10.3.3": offer(WATCH),
    "sydney:10.5.2": offer(Prize("imitation firearm", "a toy", 5_000)),
    "sydney:10.5.3": offer(Prize("prohibited weapon", "a sword", 5_000)),
    "sydney:10.6.1": offer(marketing=" "),
    "sydney:10.6.2": offer(channels=("",)),
    "sydney:10.7.4": offer(compulsory_wager=2_500),
} | {
    f"sydney:10.7.{number}": offer(terms=without(item))
    for number, item in zip((1, 2, 3, 5, 6, 7, 8, 9, 10, 11), TERMS, strict=True)
}
PART_10 |= {
    clause: offer(Prize(kind, "it", 5_000, {name: "so" for name in DETAILS[kind] if name != item}))
    for clause, kind, item in (
        ("sydney:10.7.11.1", "appliance", "model"),
        ("sydney:10.7.11.2", "vehicle", "on-road costs"),
        ("sydney:10.7.11.3.1", "travel", "persons"),
        ("sydney:10.7.11.3.2", "travel", "inclusions"),
        ("sydney:10.7.11.3.3", "travel", "when it is taken"),
        ("sydney:10.7.11.3.4", "travel", "spending money"),
        ("sydney:10.7.11.4", "real estate", "address"),
    )
}


@pytest.mark.clause(*PART_10, "sydney:10.7")
def test_what_cannot_be_offered_like_this_is_refused_by_its_clause() -> None:
    """One promotion after the other; the last, which is in order, by no clause."""
    house = House()
    for clause, wrong in PART_10.items():
        answer = house.ask("sue", "floor.register_promotion", path="/floor", promotion=DRAW, offer=wrong)
        assert answer.get("clause") == clause or (answer["code"], clause) == (
            "body.unreadable",
            "sydney:1.1.promotional-prize",
        ), answer
    right: dict[str, Any] = {"promotion": DRAW, "offer": offer()}
    for who in ("ann", "ivo", "cas"):
        assert house.wide(who, "floor.register_promotion", **right) == "permission.missing"
    blank: dict[str, Any] = {**TERMS, "how to claim": "  "}
    assert house.wide("sue", "floor.register_promotion", promotion=DRAW, offer=offer(terms=blank)) == "floor.terms"
    assert house.wide("sue", "floor.register_promotion", **right) == ""


@pytest.mark.clause("sydney:10.9")
def test_a_promotion_opens_a_day_after_its_terms_were_filed() -> None:
    house = House()
    assert house.wide("sue", "floor.register_promotion", promotion=DRAW, offer=offer()) == ""
    opens: dict[str, Any] = {"path": "/floor", "promotion": DRAW}
    house.time = "2026-11-17T20:00:00Z"
    assert house.ask("sue", "floor.open_promotion", **opens)["clause"] == "sydney:10.9"
    assert house.wide("sue", "floor.file_terms", promotion=DRAW, authority="Avery") == ""
    house.time = "2026-11-18T19:59:59Z"
    assert house.ask("sue", "floor.open_promotion", **opens)["clause"] == "sydney:10.9"
    house.time = "2026-11-18T20:00:00Z"
    assert clause_of(house.ask("sue", "floor.open_promotion", **opens)) == "sydney:10.1"


@pytest.mark.clause("sydney:10.8.1", "sydney:10.8.2", "sydney:10.8.3", "sydney:10.8.4", "sydney:10.10")
@pytest.mark.clause("sydney:10.11.1", "sydney:10.11.2", "sydney:10.12.2")
def test_winners_claimants_and_the_inspectorate_are_told_as_the_book_wants() -> None:
    house = running()
    wide: dict[str, Any] = {"path": "/floor", "promotion": DRAW}
    assert house.wide("sue", "floor.draw_prize", "tom", promotion=DRAW, prize=1, winner="Ann") == ""
    for way, clause in zip(("face to face", "mail", "telephone", "email"), range(1, 5), strict=True):
        entry = house.ask("sue", "floor.notify_winner", **wide, prize=1, way=way)
        assert clause_of(entry) == f"sydney:10.8.{clause}"
    assert house.ask("sue", "floor.notify_winner", **wide, prize=1, way="text message")["code"] == "floor.notice"
    claim: dict[str, Any] = {**wide, "claimant": "Zed", "value": 5_000, "reason": "he never entered"}
    assert house.ask("sue", "floor.refuse_claim", **claim, told=False)["clause"] == "sydney:10.10"
    assert clause_of(house.ask("sue", "floor.refuse_claim", **claim, told=True)) == "sydney:10.10"
    raised: dict[str, Any] = {"person": "Bob", "about": "the closing time", "promotion": DRAW}
    assert house.wide("bob", "floor.raise_dispute", **raised) == ""
    decided = house.ask("sue", "floor.decide_dispute", path="/floor", dispute=1, decision="entries were closed")
    assert clause_of(decided) == "sydney:10.11.1"
    assert house.ask("bob", "floor.ask_review", path="/floor", dispute=1)["clause"] == "sydney:10.11.1"
    assert clause_of(house.ask("bob", "floor.say_dissatisfied", path="/floor", dispute=1)) == "sydney:10.11.2"
    doubt: dict[str, Any] = {**wide, "remedy": "postpone", "reason": "the drum was open"}
    assert house.ask("sue", "floor.doubt_promotion", **doubt, inspectorate=" ")["clause"] == "sydney:10.12.2"
    assert house.ask("sue", "floor.doubt_promotion", **doubt, inspectorate="Ines").get("code") is None


@pytest.mark.clause("sydney:9.12")
def test_nobody_looks_again_at_a_ruling_of_their_own() -> None:
    """Whoever declared the outcome void reviews no dispute about that, whatever their rank."""
    house = rolled("sydney")
    invalid: dict[str, Any] = {"cause": "fire", "person": "", "standing": None, "opinion": "", "forfeits": []}
    assert house.code("box", "floor.invalidate", "tom", **invalid) == ""
    assert house.code("bob", "floor.raise_dispute", person="Bob", about="there was no fire") == ""
    assert house.code("bo2", "floor.decide_dispute", dispute=1, decision="there was") == ""
    assert house.code("bob", "floor.ask_review", dispute=1) == ""
    assert house.code("tom", "floor.review_dispute", dispute=1, decision="it stands") == "person.own"
    assert house.code("sue", "floor.review_dispute", dispute=1, decision="it stands") == ""


@pytest.mark.clause("sydney:1.1.dealer", "sydney:9.2")
def test_who_is_on_duty_as_what_they_are_may_have_a_device() -> None:
    """A dealer or an inspector at work; off duty, or somebody else's title, it is a breach."""
    house = seated()
    for who, title in (("dea", "dealer"), ("ivo", "inspector")):
        for other in ("sam", "ann"):
            assert house.code(other, "floor.come_on_duty", person=other.capitalize(), title=title) != ""
        assert house.code(who, "floor.come_on_duty", person=who.capitalize(), title=title) == ""
        assert report(house, "device", title, who.capitalize())["clause"] == "sydney:9.2"
        assert house.code(who, "floor.go_off_duty", person=who.capitalize()) == ""
        assert clause_of(report(house, "device", title, who.capitalize())) == "sydney:9.1"


@pytest.mark.clause("sydney:10.4")
def test_the_winner_of_a_dear_prize_says_how_it_is_paid() -> None:
    house = running(CASH._replace(value=1_200_000))
    assert house.wide("sue", "floor.draw_prize", "tom", promotion=DRAW, prize=1, winner="Ann") == ""
    pay: dict[str, Any] = {"path": "/floor", "promotion": DRAW, "prize": 1, "paid": [["crossed cheque", 1_200_000]]}
    for wrong in ({"chosen_by": "house"}, {"chosen_by": "winner", "paid": [["chips", 1_200_000]]}):
        assert house.ask("sue", "floor.award_prize", "tom", **pay | wrong)["clause"] == "sydney:10.4"
    assert clause_of(house.ask("sue", "floor.award_prize", "tom", **pay, chosen_by="winner")) == "sydney:10.4"
