"""What asks a question again: the command to paste, and the Python."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    from passline.analysis.question import Question
    from passline.house import House
    from passline.strategies.language.strategy import Strategy


class Asked(NamedTuple):
    """What a question is asked with, as it is typed."""

    house: str
    unit: str | None = None
    most: str | None = None
    notice: str | None = None
    float_: str | None = None
    rolls: int | None = None
    hands: int | None = None
    bankroll: str | None = None
    stop_win: str | None = None
    stop_loss: str | None = None
    at_end: str = "run-out"
    dice: str | None = None

    def of(self, strategy: str | Strategy, house: House | None = None) -> Question:
        """The question about one strategy; in a house that is open already, where there is one."""
        from passline.analysis.question import ask

        given: dict[str, Any] = {**self.given, "house": self.house if house is None else house}
        return ask(strategy, **given)

    @property
    def given(self) -> dict[str, Any]:
        """The same as `ask` takes it, by its own names."""
        return {
            "house": self.house,
            "unit": self.unit,
            "rolls": self.rolls,
            "hands": self.hands,
            "bankroll": self.bankroll,
            "stop_win": self.stop_win,
            "stop_loss": self.stop_loss,
            "at_end": cast("Any", self.at_end),
            "notice": self.notice,
            "chips": None if self.float_ is None else self.float_.replace(",", " ").split(),
            "max_bet": self.most,
            "dice": self.dice,
        }

    @property
    def table(self) -> tuple[str, ...]:
        """The options that say again where it is played."""
        return words(
            ("--house", self.house),
            ("--unit", self.unit),
            ("--max", self.most),
            ("--notice", self.notice),
            ("--float", self.float_),
            ("--dice", self.dice),
        )

    @property
    def ends(self) -> tuple[str, ...]:
        """The options that say again when it ends."""
        return words(
            ("--rolls", self.rolls),
            ("--hands", self.hands),
            ("--bankroll", self.bankroll),
            ("--stop-win", self.stop_win),
            ("--stop-loss", self.stop_loss),
            ("--at-end", None if self.at_end == "run-out" else self.at_end),
        )

    def command(self, verb: str, names: Sequence[str], *said: str) -> str:
        """The line to paste into a shell."""
        return " ".join((f"passline {verb}", *map(shlex.quote, names), *self.table, *said))

    @property
    def keywords(self) -> str:
        """What `ask` is given, as Python writes it; the usual is left out."""
        said = {key: value for key, value in self.given.items() if value is not None and (key, value) != USUAL_END}
        return ", ".join(f"{key}={value!r}" for key, value in said.items())


USUAL_END = ("at_end", "run-out")

TYPED = {"stop_win": "stop-win", "stop_loss": "stop-loss", "max_bet": "max"}
"""What of a question is typed otherwise than it is called."""


def words(*said: tuple[str, object]) -> tuple[str, ...]:
    """The options that were given, as they are typed."""
    return tuple(f"{option} {shlex.quote(str(value))}" for option, value in said if value is not None)


def exact_again(asked: Asked, names: Sequence[str], *, fractions: bool | None = None) -> tuple[list[str], str]:
    """The commands and the Python that work evenings out again."""
    insisted = () if fractions is None else ("--fractions" if fractions else "--double",)
    commands = [asked.command("exact", [name], *asked.ends, *insisted) for name in names]
    how = "" if fractions is None else f"fractions={fractions}"
    return commands, _script("ask", asked, names, f"laws = [question.exact({how}) for question in questions]")


def simulate_again(asked: Asked, names: Sequence[str], sessions: int, seed: int) -> tuple[list[str], str]:
    """The commands and the Python that roll the same dice again; for several, what holds each against every other."""
    dealt = words(("--sessions", sessions)), words(("--seed", seed))
    how = f"sessions={sessions}, seed={seed}"
    commands = [asked.command("simulate", names, *dealt[0], *asked.ends, *dealt[1])]
    lines = [f"samples = [question.simulate({how}) for question in questions]"]
    if len(names) > 1:
        # `versus` holds the first that it is given against each of the rest.
        held = [names[at:] for at in range(len(names) - 1)]
        commands += [asked.command("versus", some, *dealt[0], *asked.ends, *dealt[1]) for some in held]
        lines.append(f"pairs = [versus(one, other, {how}) for one, other in combinations(questions, 2)]")
    python = _script("ask" if len(names) == 1 else "ask, versus", asked, names, *lines)
    return commands, python if len(names) == 1 else f"from itertools import combinations\n\n{python}"


def sweep_again(asked: Asked, name: str, over: Mapping[str, str]) -> tuple[list[str], str]:
    """The command and the Python that ask with the same other numbers again."""
    said = words(*(("--over", f"{TYPED.get(what, what)}={values}") for what, values in over.items()))
    python = f"from passline import sweep\n\nfound = sweep({name!r}, {dict(over)!r}, {asked.keywords})\n"
    return [asked.command("sweep", [name], *said, *asked.ends)], python


def _script(names: str, asked: Asked, strategies: Sequence[str], *lines: str) -> str:
    """A few lines of Python about some strategies in one house."""
    each = f"questions = [ask(name, {asked.keywords}) for name in {list(strategies)!r}]"
    return "\n".join((f"from passline import {names}", "", each, *lines, ""))
