"""The live table as one pure machine: `answer(state, request)` and `after(live, entry)`.

It has no clock, no dice, no store and no threads: whoever asks it again with the same state and the same request gets
the same entries, which is how a journal is verified.
"""

from __future__ import annotations

from hashlib import sha256

from passline.codec import to_data
from passline.engine.refusals import Refusal
from passline.errors import ChanceError, LiveTableError
from passline.live import hands, play, rolls, rules
from passline.live.drafts import Planned, by_the_house, refused, with_them
from passline.live.refusals import no
from passline.live.requests import (
    CloseBets,
    CloseForGood,
    Correct,
    HandOff,
    HandOn,
    ReadDice,
    Request,
    ReturnChips,
    RollDice,
    SettleRoll,
    ShowValue,
    Void,
)
from passline.live.state import HOUSE_FLOOR, News, State


def answer(state: State, request: Request) -> list[Planned] | Refusal:
    """The entries that are written, of which one may be a refusal; or a refusal that nobody writes: who asks may not.

    Whatever fails is a refusal too, with the number of a report: nothing that one person asks can stop a table.
    """
    news = [heard(HOUSE_FLOOR, each, request.by.time) for each in unheard(state)]
    if news:
        state = state._replace(live=with_them(state.live, news))
    by = rules.permitted(state, request)
    if isinstance(by, Refusal):
        return by
    request = request._replace(by=by)
    try:
        planned = _planned(state, request)
    except (ChanceError, LiveTableError) as error:
        if type(error) in (ChanceError, LiveTableError):
            raise  # a seed that is lost, a table that the house cannot close: for whoever keeps the table
        planned = _failed(state, request, error)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong in there is this act's failure and no other's
        planned = _failed(state, request, error)
    if state.house is not None and rules.consults(state, request):
        for each in planned:
            each.draft.body["roster"] = state.house.roster.sequence
    return [*news, *planned]


def _planned(state: State, request: Request) -> list[Planned]:  # noqa: C901 - one case an act
    refusal = rules.broken(state, request)
    if refusal is not None:
        return [refused(request, refusal)]
    match request.act:
        case RollDice():
            return rolls.roll_dice(state, request)
        case SettleRoll():
            return rolls.settle_roll(state, request)
        case CloseBets():
            return rolls.close_bets(state, request)
        case ReadDice() as act:
            return [rolls.read_dice(state, request, act)]
        case Void() as act:
            return [rolls.void(state, request, act)]
        case Correct() as act:
            return [rolls.correct(state, request, act)]
        case HandOn() as act:
            return [hands.hand_on(state, request, act)]
        case HandOff() as act:
            return [hands.hand_off(state, request, act)]
        case ShowValue() as act:
            return [hands.show_value(state, request, act)]
        case CloseForGood() as act:
            return rolls.close_for_good(state, request, act)
        case ReturnChips() as act:
            return [rolls.return_chips(state, request, act)]
        case _:
            return [play.command(state, request)]


def _failed(state: State, request: Request, error: Exception) -> list[Planned]:
    """No, because something failed; a roll that fails is void, or it would wait for its dice for ever."""
    refusal = no("act.failed", "report", report=report_of(state, request))
    if isinstance(request.act, SettleRoll):
        planned = rolls.unsettled(state, request, refusal.message)
    else:
        planned = [refused(request, refusal)]
    return [each._replace(error=error) for each in planned]


def report_of(state: State, request: Request) -> str:
    """The number under which a failure is reported: of the act, so that whoever asks again is told the same."""
    return sha256(f"{state.name} {request.by.key}".encode()).hexdigest()[:12]


def unheard(state: State) -> list[News]:
    """What the floor of the house has decided that this table has not heard of yet."""
    if state.house is None or state.name == HOUSE_FLOOR:
        return []
    return [each for each in state.house.news if each.sequence > state.live.heard and each.table != state.name]


def heard(stream: str, news: News, time: str) -> Planned:
    """What was decided elsewhere and holds here too."""
    body = {"stream": stream, "sequence": news.sequence, "floor": [to_data(event) for event in news.events]}
    return by_the_house("floor_heard", body, time)
