"""Why the dealers say no: raised by the rule that says it, and a value for whoever asks, for nobody to overlook."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn, ParamSpec, TypeVar

from passline.engine.events import Event
from passline.engine.values import ClauseId


@dataclass(frozen=True, slots=True)
class Refusal:
    """No: nothing has changed and nothing is lost."""

    code: str
    message: str
    clause: ClauseId | None = None
    seat: int | None = None


Events = tuple[Event, ...]  # what happened

Answer = Events | Refusal  # what happened, or why nothing did

T = TypeVar("T")
P = ParamSpec("P")


class Refused(Exception):
    """A refusal that ends an act where it is found out; whoever asked is handed it as a value."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


def refuse(code: str, message: str, clause: ClauseId | None = None, seat: int | None = None) -> NoReturn:
    """End the act that is being decided: nothing of it happens."""
    raise Refused(Refusal(code, message, clause, seat))


def heeded(answer: T | Refusal) -> T:
    """An answer that is no refusal; one that is ends the act."""
    if isinstance(answer, Refusal):
        raise Refused(answer)
    return answer


def refusal_of(rule: Callable[P, object], *args: P.args, **named: P.kwargs) -> Refusal | None:
    """Why a rule refuses something; None where it does not."""
    try:
        rule(*args, **named)
    except Refused as error:
        return error.refusal
    return None
