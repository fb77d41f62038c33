"""Why the floor says no: the engine's own kind of refusal, with codes of the floor's."""

from typing import NoReturn, TypeVar

from passline.engine.refusals import Refusal
from passline.engine.values import ClauseId
from passline.floor.names import folded, is_said

T = TypeVar("T")


class Refused(Exception):
    """A refusal that ends an act where it is found out; whoever asked is handed it as a value."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


def heeded(answer: T | Refusal) -> T:
    """An answer that is no refusal; one that is ends the act."""
    if isinstance(answer, Refusal):
        raise Refused(answer)
    return answer


def refuse(code: str, message: str, clause: ClauseId | None = None, seat: int | None = None) -> NoReturn:
    """End the act that is being decided: nothing of it happens."""
    raise Refused(Refusal(code, message, clause, seat))


def not_about_oneself(second: str, *people: str) -> None:
    """Refuse where the second of two people is one of those it is decided about."""
    if folded(second) and folded(second) in map(folded, people):
        refuse("floor.role", "Nobody agrees to what is decided about themselves.")


def need(what: str, text: str, clause: ClauseId | None = None) -> None:
    if not is_said(text):
        refuse("floor.unsaid", f"Say {what}.", clause)
