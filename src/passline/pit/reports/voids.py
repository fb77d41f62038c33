"""Outcomes that do not count, by who decided it and what they would have cost; and whether that looks like chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

from passline.engine.events import OutcomeStruckOut
from passline.journal.contract import Journal
from passline.live.state import Moment
from passline.pit.reports.sheets import Sheet, Window, moments
from passline.pit.reports.takings import layout_at

SUSPECT = Fraction(1, 100)
"""A chance below this is worth a look."""


UNJUDGED = {
    "real": "real dice: cannot be judged",
    "fair": "void before the dice: `passline verify` says what would have fallen, once the seed is shown",
}
"""Why a roll that never fell is not held against chance here."""


class Outcome(NamedTuple):
    """A roll that stood or did not, and what it brought the house, in grains."""

    sequence: int
    house_win: int
    voided_by: tuple[str, ...] = ()
    reason: str = ""


def voids(journal: Journal, tables: Sequence[str], within: Window) -> Sheet:
    """A row for everybody who struck outcomes out: how many, how many of them the house would have lost by.

    The chance is that of at least so many losers among so many voids drawn blindly from all outcomes of that table.
    """
    rows: list[tuple[object, ...]] = []
    for table in tables:
        told = list(moments(journal, table, within))
        found = list(_outcomes(iter(told)))
        losers, money = sum(each.house_win < 0 for each in found), layout_at(journal, table).money
        for person in sorted({name for each in found for name in each.voided_by}):
            theirs = [each for each in found if person in each.voided_by]
            lost = sum(each.house_win < 0 for each in theirs)
            chance = at_least(lost, len(theirs), losers, len(found))
            total = sum(each.house_win for each in theirs)
            look = "look" if chance < SUSPECT else ""
            why = _reasons(each.reason for each in theirs)
            rows.append((table, person, len(theirs), lost, losers, len(found), money(total), _text(chance), why, look))
        rows += ((table, person, times, *[""] * 5, why, look) for person, times, why, look in _never_thrown(told))
    columns = (
        *("table", "person", "voids", "house_would_have_lost", "all_lost_by_house", "all_outcomes"),
        *("house_win_struck_out", "chance", "reasons", "look"),
    )
    return Sheet(
        "voids", columns, rows, (f"A chance below {_text(SUSPECT).rstrip('0')} is worth a look; it is no proof.",)
    )


def _never_thrown(told: Sequence[Moment]) -> list[tuple[str, int, str, str]]:
    """Who declared rolls void before they fell, how often and why; whom they would have paid is not worked out."""
    found: dict[tuple[str, str], list[str]] = {}
    for entry, before, _, _ in told:
        if entry.kind == "roll_voided":
            for person in entry.body["people"] or (entry.actor,):
                found.setdefault((str(person), before.dice), []).append(entry.body["reason"])
    return [
        (person, len(said), _reasons(said), UNJUDGED.get(dice, "")) for (person, dice), said in sorted(found.items())
    ]


def _reasons(said: Iterable[str]) -> str:
    """What was said, each once, with how often where that was more than once."""
    times = Counter(reason for reason in said if reason)
    return "; ".join(reason if count == 1 else f"{reason} ({count} times)" for reason, count in times.items())


def _outcomes(told: Iterator[Moment]) -> Iterator[Outcome]:
    """Every outcome of a table, once it is known whether it stands."""
    last: Outcome | None = None
    for entry, before, events, after in told:
        if entry.kind == "rolled":
            if last is not None:
                yield last
            last = Outcome(entry.sequence, after.table.bank - before.table.bank)
        elif last is not None and any(isinstance(event, OutcomeStruckOut) for event in events):
            yield last._replace(voided_by=_people(entry.body, entry.actor), reason=_reason(entry.body))
            last = None
    if last is not None:
        yield last


def _reason(body: dict[str, Any]) -> str:
    """Why an outcome was struck out, as it was given."""
    asked = body.get("command") or {}
    said = (body.get("reason"), asked.get("reason"), asked.get("cause"), asked.get("opinion"))
    return ": ".join(dict.fromkeys(str(each) for each in said if each))  # a correction says it twice


def _people(body: dict[str, object], actor: str) -> tuple[str, ...]:
    """Who struck an outcome out: one, or two."""
    named = body.get("people")
    command = body.get("command")
    second = command.get("second") if isinstance(command, dict) else None
    people = named if isinstance(named, list) else [actor, *([second] if second else [])]
    return tuple(dict.fromkeys(map(str, people)))


def at_least(hits: int, drawn: int, marked: int, of: int) -> Fraction:
    """The chance of at least so many marked among those drawn blindly: the upper tail of the hypergeometric law."""
    ways = sum(comb(marked, each) * comb(of - marked, drawn - each) for each in range(hits, min(drawn, marked) + 1))
    return Fraction(ways, comb(of, drawn)) if of else Fraction(1)


def _text(chance: Fraction) -> str:
    """A chance with six decimals."""
    millionths = (chance * 1_000_000).__ceil__()
    return f"{millionths // 1_000_000}.{millionths % 1_000_000:06}"
