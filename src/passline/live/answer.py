"""The live table as one pure machine: `answer(state, request)` and `after(live, entry)`.

It has no clock, no dice, no store and no threads: whoever asks it again with the same state and the same request gets
the same entries, which is how a journal is verified.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256

from passline.codec import to_data
from passline.engine.refusals import Refusal, Refused
from passline.errors import ChanceError, LiveTableError
from passline.live import hands, play, rolls, rules
from passline.live import requests as r
from passline.live.drafts import Planned, by_the_house, refused, with_them
from passline.live.refusals import no
from passline.live.requests import Request, SettleRoll
from passline.live.state import HOUSE_FLOOR, News, State


def answer(state: State, request: Request) -> list[Planned] | Refusal:
    """The entries that are written, of which one may be a refusal; or a refusal that nobody writes: who asks may not.

    Whatever fails is a refusal too, with the number of a report: nothing that one person asks can stop a table.
    """
    news = [floor_heard(HOUSE_FLOOR, each, request.by.time) for each in unheard(state)]
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


def _planned(state: State, request: Request) -> list[Planned]:
    if refusal := rules.broken(state, request):
        return [refused(request, refusal)]
    rule: Callable[..., list[Planned] | Planned] = OWN.get(type(request.act), play.command)
    try:
        planned = rule(state, request, request.act)
    except Refused as error:
        if isinstance(request.act, SettleRoll):
            raise  # a roll that was announced is settled or void, and never refused
        return [refused(request, error.refusal)]
    return [planned] if isinstance(planned, Planned) else planned


# Who answers the acts of the table's own; the engine and the floor answer all others.
OWN: Mapping[type, Callable[..., list[Planned] | Planned]] = {
    r.RollDice: rolls.roll_dice,
    r.SettleRoll: rolls.settle_roll,
    r.CloseBets: rolls.close_bets,
    r.ReadDice: rolls.read_dice,
    r.Void: rolls.void,
    r.Correct: rolls.correct,
    r.HandOn: hands.hand_on,
    r.HandOff: hands.hand_off,
    r.ShowValue: hands.show_value,
    r.CloseForGood: rolls.close_for_good,
    r.ReturnChips: rolls.return_chips,
}


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
    return [each for each in state.house.news if each.sequence > state.live.floor_sequence and each.table != state.name]


def floor_heard(stream: str, news: News, time: str) -> Planned:
    body = {"stream": stream, "sequence": news.sequence, "floor": [to_data(event) for event in news.events]}
    return by_the_house("floor_heard", body, time)
