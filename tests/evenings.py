"""Hypothesis strategies: any command of the right types at any table that play can reach."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import TableState, open_table
from passline.engine.values import ROLLS, Roll
from passline.record.notice import default_notice

SEATS = (1, 2, 3)
AMOUNTS = (1, 50, 100, 250, 300, 500, 500, 500, 600, 1000, 1000, 1000, 1200, 2000, 3000, 12_345, 100_000)
ODD_AMOUNTS = (0, -1, -500, 10**32)
ROLES = ("dealer", "box", "stick", "supervisor")


def rolls() -> st.SearchStrategy[Roll]:
    return st.sampled_from(ROLLS)


def amounts() -> st.SearchStrategy[int]:
    """Stakes people make, and a few that nobody should."""
    return st.sampled_from(AMOUNTS + ODD_AMOUNTS)


def commands(layout: Layout) -> st.SearchStrategy[Command]:
    """Anything that can be asked at a table of this house, sense and nonsense."""
    seats = st.sampled_from((*SEATS, 9))
    keys = st.sampled_from((*layout.spots, "place_7", "no_such_wager"))
    by = st.lists(st.sampled_from(ROLES), max_size=2).map(tuple)
    faces = st.integers(min_value=0, max_value=7)
    notice = default_notice(layout.book)
    every: list[st.SearchStrategy[Any]] = [
        st.builds(c.Bet, seats, keys, amounts()),
        st.builds(
            c.Bet, seats, keys, amounts(), tender=st.sampled_from(("spoken", "cash", "self")), by=by, tokens=amounts()
        ),
        st.builds(c.LateBet, seats, keys, amounts(), by),
        st.builds(c.FindBet, seats, keys, amounts()),
        st.builds(c.Take, seats, keys, st.one_of(st.just(0), amounts())),
        st.builds(c.CallOn, seats, keys, st.one_of(st.none(), by)),
        st.builds(c.CallOff, seats, keys),
        st.builds(c.Shoot, seats),
        st.builds(c.Decline, seats),
        st.builds(c.PassDice, seats),
        st.builds(c.OrderPass, st.sampled_from(("delay", "invalid rolls", "breach", "spite"))),
        st.builds(c.ChooseDice, seats, st.lists(st.integers(0, 6), max_size=3).map(tuple)),
        st.builds(c.LoseDie, st.integers(0, 6), st.sampled_from(("off", "found", "checked", "lost")), st.none()),
        st.builds(c.SendDice),
        st.builds(c.Throw, rolls()),
        st.builds(c.Throw, st.builds(Roll, faces, faces)),
        st.builds(c.WatchThrow, rolls(), st.sampled_from((*layout.book.no_roll.causes, "bad-luck"))),
        st.builds(c.CallNoRoll, st.just("off-table"), st.one_of(st.none(), st.sampled_from(ROLES))),
        st.builds(c.CockedDie, faces, st.lists(faces, max_size=2).map(tuple)),
        st.builds(c.DisputeFace, faces),
        st.builds(c.RuleFace, st.one_of(st.none(), faces)),
        st.builds(c.StrikeOut, st.just("fire")),
        st.builds(c.ReturnAll, st.just("closing")),
        st.builds(c.Sit, seats, st.just("Ann"), amounts()),
        st.builds(c.BuyIn, seats, amounts()),
        st.builds(c.TakeTokens, seats, amounts()),
        st.builds(c.Leave, seats),
        st.builds(c.PostNotice, st.sampled_from((notice, notice._replace(minimum=1000))), st.integers(0, 30)),
        st.builds(c.CloseTable, st.integers(0, 30)),
    ]
    likely: list[st.SearchStrategy[Any]] = [
        st.builds(c.Throw, rolls()),
        st.builds(c.Bet, st.sampled_from(SEATS), st.sampled_from(tuple(layout.spots)), amounts()),
        st.builds(c.Bet, st.sampled_from(SEATS), st.sampled_from(layout.line), amounts()),
    ]

    @st.composite
    def command(draw: st.DrawFn) -> Command:
        kind = draw(st.integers(0, 2 * len(every) - 1))
        drawn: Command = draw(every[kind] if kind < len(every) else likely[kind % len(likely)])
        return drawn

    return command()


def evenings(layout: Layout, acts_max: int = 60) -> st.SearchStrategy[tuple[Command, ...]]:
    """A table with three players and then anything."""
    seated = tuple(c.Sit(seat, f"P{seat}", 50_000) for seat in SEATS)
    acts = st.lists(commands(layout), max_size=acts_max)

    @st.composite
    def evening(draw: st.DrawFn) -> tuple[Command, ...]:
        return (*seated, *draw(acts))

    return evening()


def play_through(
    layout: Layout, acts: tuple[Command, ...], look: Callable[[TableState, Command, Any, TableState], None]
) -> TableState:
    """Play these acts and look at every step."""
    table = open_table(default_notice(layout.book), layout.book.dice.dice_set.value)
    for command in acts:
        answer = decide(layout, table, command)
        after = table if isinstance(answer, Refusal) else evolve(table, answer)
        look(table, command, answer, after)
        table = after
    return table
