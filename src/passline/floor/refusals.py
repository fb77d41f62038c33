"""What the floor wants to be told before anything is decided, and by whom."""

from passline.engine.refusals import refuse
from passline.engine.values import ClauseId
from passline.floor.names import folded, is_said


def not_about_oneself(second: str, *people: str) -> None:
    """Refuse where the second of two people is one of those it is decided about."""
    if folded(second) and folded(second) in map(folded, people):
        refuse("floor.role", "Nobody agrees to what is decided about themselves.")


def need(what: str, text: str, clause: ClauseId | None = None) -> None:
    if not is_said(text):
        refuse("floor.unsaid", f"Say {what}.", clause)
