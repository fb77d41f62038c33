"""What the analyst works out, in a process of its own that has no keys and no journal."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Any

from passline.analysis.first_bets import TooSmall
from passline.errors import PasslineError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from passline.analysis.charts import Bars
    from passline.analysis.question import Question
    from passline.sim import Progress
    from passline.sim.sample import Fan

    Told = Callable[[int, int], None]

MEMORY_BYTES_MAX = 4 * 2**30


def work(to: Connection, asked: dict[str, Any], seconds: float) -> None:
    """Work a question out, and send how far it is, then its answer and its rows as CSV, or why there is none."""
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    answerer = {"exact": _exact, "simulate": _simulate, "sweep": _sweep}[asked["how"]]
    try:
        asking = Asking(asked, lambda *far: to.send(("progress", *far)))
        if small := asking.too_small():
            to.send(("error", f"{small[0]} [{small[1].refusal.clause}]"))
        else:
            to.send(("answer", *answerer(asking)))
    except (PasslineError, MemoryError) as error:
        to.send(("error", str(error) or "too much memory"))


class Asking:
    """A question as it was asked: its strategies, its house, and whom to tell how far it is."""

    def __init__(self, asked: dict[str, Any], tell: Callable[[int, int, str, str], None] = lambda *_: None) -> None:
        """Read the house; the strategies are read when they are asked about."""
        from passline.analysis.again import Asked
        from passline.house import House
        from passline.rulebooks.read import read_book

        self.asked, self._tell = asked, tell
        house = asked["house"]
        self.house = (
            House(house)
            if isinstance(house, str)
            else House(house["file"], book=read_book(house["text"], house["file"]))
        )
        self.strategies = [asked["strategy"], *asked["against"]]
        self.names = [_name(each) for each in self.strategies]
        texts = {key: _text(asked[key]) for key in ("unit", "bankroll", "stop_win", "stop_loss")}
        self.again = Asked(
            house=self.house.source,
            most=_text(asked["max_bet"]),
            notice=asked["notice"],
            rolls=asked["rolls"],
            hands=asked["hands"],
            at_end=asked["at_end"],
            dice=asked["dice"],
            **texts,
        )

    def questions(self) -> list[Question]:
        return [self.again.of(_strategy(each), self.house) for each in self.strategies]

    def too_small(self) -> tuple[str, TooSmall] | None:
        """What the sign would find too small, told of whom, and the least unit that would do."""
        from passline.analysis.first_bets import too_small

        for question in () if "unit" in self.asked["over"] else self.questions():
            if found := too_small(question):
                return f"{_title(question)}: {found.refusal.message}", found
        return None

    def telling(self, doing: str, question: Question) -> Told:
        """Whom to tell how far a piece of work is."""
        return lambda done, of: self._tell(done, of, doing, _title(question))


def _exact(asking: Asking) -> tuple[dict[str, Any], str]:
    from passline.analysis.again import exact_again
    from passline.analysis.charts import bars
    from passline.analysis.export import law_csv_of

    results, laws, fractions = [], [], asking.asked["fractions"]
    for question in asking.questions():
        machine = question.machine(asking.telling("states", question))
        law = question.exact(fractions=fractions, progress=asking.telling("rolls", question))
        laws.append(law)
        long_run = question.long_run_beside()
        told = {**law.to_json(), "long_run": long_run and long_run.to_json(), "bars": _bars(bars(law))}
        results.append({**told, **_words(question), "refused": machine.about["refused"]})
    again = asking.again._replace(rolls=laws[0].rolls)
    return _answer(asking, results, exact_again(again, asking.names, fractions=fractions)), law_csv_of(laws)


def _simulate(asking: Asking) -> tuple[dict[str, Any], str]:
    from passline.analysis.again import simulate_again
    from passline.analysis.charts import bars
    from passline.analysis.checked import check
    from passline.analysis.export import csv_of
    from passline.analysis.question import draw_seed
    from passline.analysis.versus import versus

    sessions, seed = asking.asked["sessions"], asking.asked["seed"]
    seed = draw_seed() if seed is None else seed
    questions, results, samples = asking.questions(), [], []
    for question in questions:
        question.check(progress=asking.telling("states", question))
        sample = question.simulate(sessions=sessions, seed=seed, threads=1, progress=_counted(asking, question))
        checked = check(question, sample, asking.telling("rolls", question))
        samples.append(sample)
        told = {**_figures(checked.to_json()), "bars": _bars(bars(sample, checked.law)), "fan": _fan(sample.fan)}
        results.append({**told, **_words(question), "refused": sample.about.get("refused") or []})
    pairs = [
        versus(one, other, sessions=sessions, seed=seed, progress=asking.telling("pairs", other)).to_json()
        for one, other in combinations(questions, 2)
    ]
    told = _answer(asking, results, simulate_again(asking.again, asking.names, sessions, seed))
    return {**told, "pairs": pairs, "seed": seed}, csv_of(samples)


def _sweep(asking: Asking) -> tuple[dict[str, Any], str]:
    from passline.analysis.again import sweep_again
    from passline.analysis.sweep import sweep

    strategy, over = asking.strategies[0], asking.asked["over"]
    said = strategy if isinstance(strategy, str) else _values(strategy)
    given = {**asking.again.given, "house": asking.house}
    found = sweep(said, over, progress=asking.telling("evenings", asking.questions()[0]), **given)
    told = _answer(asking, [], sweep_again(asking.again, asking.names[0], over))
    return {**told, "sweep": {**found.to_json(), "strategy": _title(asking.questions()[0])}}, found.to_csv()


def _answer(asking: Asking, results: list[dict[str, Any]], again: tuple[list[str], str]) -> dict[str, Any]:
    commands, python = again
    told = {"how": asking.asked["how"], "house": asking.house.id, "house_name": asking.house.name}
    return {**told, "results": results, "commands": commands, "python": python}


# --- Strategies -----------------------------------------------------------------------------------------------------


def _name(strategy: str | dict[str, Any]) -> str:
    """What a command calls it: a name, or a file."""
    if isinstance(strategy, str):
        return strategy
    return str(strategy["file"] if set(strategy) == {"file", "text"} else f"{strategy.get('id', 'strategy')}.toml")


def _title(question: Question) -> str:
    """What people call a strategy."""
    return str(getattr(question.strategy, "name", question.name))


def _words(question: Question) -> dict[str, Any]:
    return {"name": _title(question), "in_words": question.in_words()}


def _values(strategy: dict[str, Any]) -> dict[str, Any]:
    """The tables of a file that somebody brings, under its name."""
    from passline.errors import StrategyFileError
    from passline.files.toml import tree
    from passline.strategies.language.read import id_of

    if set(strategy) != {"file", "text"}:
        return strategy
    file = str(strategy["file"])
    return {"id": id_of(file), **tree(strategy["text"], file, "a strategy file", StrategyFileError)}


def _strategy(strategy: str | dict[str, Any]) -> Any:  # noqa: ANN401 - as `ask` takes it
    from passline.strategies.language.read import make

    return strategy if isinstance(strategy, str) else make(_values(strategy), file=_name(strategy))


# --- What a page draws ----------------------------------------------------------------------------------------------


def _figures(told: dict[str, Any]) -> dict[str, Any]:
    """A sample without its counts, which are the rows of its CSV."""
    counts = ("about", "histogram", "ruin_rolls", "drawdown", "winning_run", "losing_run")
    return {name: each for name, each in told.items() if name not in counts}


def _bars(found: Bars) -> dict[str, Any]:
    return {name: None if each is None else each.tolist() for name, each in found._asdict().items()}


def _fan(fan: Fan) -> dict[str, Any]:
    cuts = {str(cut): [float(net) for net in nets] for cut, nets in fan.quantiles.items()}
    return {
        "rolls": fan.rolls.tolist(),
        "quantiles": cuts,
        "paths": [[float(net) for net in path] for path in fan.paths],
    }


def _counted(asking: Asking, question: Question) -> Callable[[Progress], None]:
    told = asking.telling("sessions", question)
    return lambda progress: told(progress.sessions_done, progress.sessions)


def _text(amount: int | str | None) -> str | None:
    return None if amount is None else str(amount)
