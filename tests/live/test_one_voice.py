"""Nothing for money by one voice: an act that names a sum or counts chips takes two, or says here why it does not."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from passline.codec.shapes import typed_fields
from passline.engine.values import Chips
from passline.floor.cage import Count, alone_up_to
from passline.floor.register import ACTS
from passline.live.people import of_act
from tests.live.test_matrix import HOUSE, Club
from tests.web.scene import KINDS, body_of

ALONE = {
    "floor.colour_up": "what is given comes to what is received, and the machine adds up both",
    "floor.limit_oneself": "a limit of one's own, and no money",
    "floor.amend_promotion": "terms, approved by whom the book says; the prize is drawn and paid by two",
    "floor.register_promotion": "terms, and no money: the prize is drawn and paid by two",
    "floor.issue_voucher": "paper: another than its issuer changes it for chips",
    "floor.refuse_claim": "nothing is paid",
}
"""Acts with money in them that one person does, and why."""

TABLE_ACTS = ("table.void", "table.correct", "table.return_chips")


def has_money(hint: Any) -> bool:  # noqa: ANN401 - any type
    """Whether a sum or a count of chips stands in a field, or in something inside it."""
    if hint in (Chips, Count):
        return True
    inner = [typed_fields(hint)] if hasattr(hint, "_fields") else []
    return any(map(has_money, (*get_args(hint), *(each for fields in inner for each in fields.values()))))


WITH_MONEY = {kind for kind, act in ACTS.items() if any(map(has_money, typed_fields(act).values()))}


def test_an_act_with_money_in_it_takes_two_or_says_why_not() -> None:
    assert {kind for kind in WITH_MONEY if not ACTS[kind].two_people} == set(ALONE)
    assert {kind for kind in KINDS if kind.startswith("table.") and of_act(kind).people > 1} == set(TABLE_ACTS)


@pytest.mark.parametrize("kind", [*sorted(WITH_MONEY - set(ALONE)), *TABLE_ACTS])
def test_nobody_does_it_alone_whatever_their_role(kind: str) -> None:
    """Asked by everybody of the house without a second person: turned away for that, or before."""
    club = Club(wallets=True)
    where, table = (
        ("/floor/acts", club.pit.floor())
        if getattr(ACTS.get(kind), "house_wide", False)
        else (
            "/tables/own/acts",
            club.table,
        )
    )
    entries, answers = table.head.sequence, set()
    for role in (*club.tokens, *HOUSE):
        body = body_of(kind, role)
        for name in ("amount", "maximum", "value"):
            if name in body:
                body[name] = alone_up_to(club.table.layout) + 100
        if kind == "floor.award_prize":
            body["paid"] = [["cash", 100]]
        answers.add(club.by_http(role, body, f"{role}/{kind}", where))
    assert answers & {"table.two_people", "approval.missing"}, answers
    written = [*table.journal.lines(table.name, entries)]
    assert not [line for line in written if b'"kind":"refused"' not in line], written
