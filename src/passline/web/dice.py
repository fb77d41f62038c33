"""The dice of a table as programs that give hands go by them: docs/dice.md."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter

from passline.web.dependencies import At
from passline.web.replays import SignedHeadView
from passline.web.schemas import record

router = APIRouter(tags=["dice"])


@record
class HandView:
    """Somebody's hand that is on: the last index that a closing listed."""

    person: str
    hand: int
    index: int
    anchor: str = ""


@record
class ClosingView:
    """A closing whose values are awaited: the entry, the house's word for it, and whose are not in."""

    entry: dict[str, Any]
    head: SignedHeadView | None
    missing: list[str]
    since: str


@record
class DiceView:
    """What a program that gives somebody's hand goes by: docs/dice.md, *What a program does*."""

    table: str
    stream: str
    protocol: int
    epoch: int
    links: dict[str, str]
    """By epoch that is committed to: the last link that was shown, its anchor at first."""
    hands: list[HandView]
    owed: list[HandView]
    you: str
    next_hand: int
    closing: ClosingView | None


@router.get("/tables/{table}/dice")
async def show_dice(at: At) -> DiceView:
    """Whose hands are in the dice, and the closing whose values are awaited, signed."""
    return await at.run(_dice_of, at)


def _dice_of(at: At) -> DiceView:
    live, announced = (table := at.pit.seen(at.table)).live, table.live.announced
    mine = live.hands.get(at.asker.id)
    hands = [
        (HandView(person=person, hand=each.number, index=each.index, anchor=each.anchor.hex()), each)
        for person, each in sorted(live.hands.items())
    ]
    closing = None
    if announced is not None and announced.hands:
        line = next(iter(table.journal.lines(table.name, announced.sequence - 1, announced.sequence)))
        head = table.signed_head(announced.sequence, announced.time)
        closing = ClosingView(
            entry=json.loads(line),
            head=SignedHeadView(**head._asdict()) if head is not None else None,
            missing=[each.person for each in announced.missing],
            since=announced.time,
        )
    return DiceView(
        table=table.name,
        stream=live.stream,
        protocol=live.protocol,
        epoch=live.epoch,
        links={str(number): chain.last.hex() for number, chain in sorted(live.chains.items())},
        hands=[view for view, each in hands if each.is_on],
        owed=[view for view, each in hands if each.owed_since],
        you=at.asker.id,
        next_hand=(mine.number if mine else 0) + 1,
        closing=closing,
    )
