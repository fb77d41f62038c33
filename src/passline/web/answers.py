"""What the analyst works out, in a process of its own that has no keys and no journal."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from multiprocessing.connection import Connection
from typing import Any

from passline.analysis import question as q
from passline.analysis.charts import Bars, bars
from passline.analysis.checked import check
from passline.analysis.question import Question, TooSmall, command, script
from passline.analysis.sweep import sweep
from passline.analysis.versus import versus
from passline.answers import Several
from passline.errors import PasslineError, StrategyFileError
from passline.files.toml import tree
from passline.house import House
from passline.rulebooks.read import read_book
from passline.sim import Progress
from passline.sim.sample import Fan
from passline.strategies.language.read import id_of, make

Report = Callable[[int, int], None]


MEMORY_BYTES_MAX = 4 * 2**30


def work(to: Connection, request: dict[str, Any], seconds: float) -> None:
    """Work a question out, and send how far it is, then its answer and its rows as CSV, or why there is none."""
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    answerer = {"exact": _exact, "simulate": _simulate, "sweep": _sweep}[request["how"]]
    try:
        asking = Asking(request, lambda *far: to.send(("progress", *far)))
        if small := asking.too_small():
            to.send(("error", f"{small[0]} [{small[1].refusal.clause}]"))
        else:
            to.send(("answer", *answerer(asking)))
    except (PasslineError, MemoryError) as error:
        to.send(("error", str(error) or "too much memory"))


class Asking:
    def __init__(self, request: dict[str, Any], tell: Callable[[int, int, str, str], None] = lambda *_: None) -> None:
        """Read the house; the strategies are read when they are asked about."""
        self.request, self._tell = request, tell
        house = request["house"]
        self.house = (
            House(house)
            if isinstance(house, str)
            else House(house["file"], book=read_book(house["text"], house["file"]))
        )
        self.strategies = [request["strategy"], *request["against"]]
        self.names = [_name(each) for each in self.strategies]
        terms = ("unit", "max_bet", "notice", "rolls", "hands", "bankroll", "stop_win", "stop_loss", "at_end", "dice")
        self.terms = {"house": self.house, **{name: request[name] for name in terms}}

    def questions(self) -> list[Question]:
        return [q.ask(_strategy(each), **self.terms) for each in self.strategies]

    def too_small(self) -> tuple[str, TooSmall] | None:
        """What the sign would find too small, told of whom, and the least unit that would do."""
        for question in () if "unit" in self.request["over"] else self.questions():
            if result := q.too_small(question):
                return f"{question.title}: {result.refusal.message}", result
        return None

    def telling(self, doing: str, question: Question) -> Report:
        """Whom to tell how far a piece of work is."""
        return lambda done, of: self._tell(done, of, doing, question.title)


def _exact(asking: Asking) -> tuple[dict[str, Any], str]:
    results, laws, fractions = [], [], asking.request["fractions"]
    questions = asking.questions()
    for question in questions:
        machine = question.machine(asking.telling("states", question))
        law = question.exact(fractions=fractions, progress=asking.telling("rolls", question))
        laws.append(law)
        long_run = question.long_run_beside()
        figures = law.to_json()
        figures["ruin_curve"] = figures.pop("ruin_curve_decimal")  # drawn, so a decimal will do
        result = {**figures, "long_run": long_run and long_run.to_json(), "bars": _bars(bars(law))}
        results.append({**result, **_words(question), "refused": machine.about["refused"]})
    insisted = {} if fractions is None else {"fractions" if fractions else "double": True}
    commands = [command("exact", [n], [q], **insisted) for n, q in zip(asking.names, questions, strict=True)]
    how = "" if fractions is None else f"fractions={fractions}"
    python = script(asking.names, questions, f"found = [question.exact({how}) for question in questions]")
    return _answer(asking, results, commands, python), Several(laws).to_csv()


def _simulate(asking: Asking) -> tuple[dict[str, Any], str]:
    sessions, seed = asking.request["sessions"], asking.request["seed"]
    seed = q.draw_seed() if seed is None else seed
    names, questions, results, samples = asking.names, asking.questions(), [], []
    for question in questions:
        question.check(progress=asking.telling("states", question), sessions=sessions)
        sample = question.simulate(sessions=sessions, seed=seed, threads=1, progress=_counted(asking, question))
        checked = check(question, sample, asking.telling("rolls", question))
        samples.append(sample)
        result = {**_figures(checked.to_json()), "bars": _bars(bars(sample, checked.law)), "fan": _fan(sample.fan)}
        results.append({**result, **_words(question), "refused": sample.about.get("refused") or []})
    pairs = [
        versus(one, other, sessions=sessions, seed=seed, progress=asking.telling("pairs", other)).to_json()
        for one, other in combinations(questions, 2)
    ]
    commands = [command("simulate", names, questions, sessions=sessions, seed=seed)]
    how = f"sessions={sessions}, seed={seed}"
    lines, imports = [f"samples = [question.simulate({how}) for question in questions]"], "ask"
    # `versus` holds the first that it is given against each of the rest.
    held = ((names[at:], questions[at:]) for at in range(len(names) - 1))
    commands += [command("versus", some, about, sessions=sessions, seed=seed) for some, about in held]
    if len(names) > 1:
        lines.append(f"pairs = [versus(one, other, {how}) for one, other in combinations(questions, 2)]")
        imports = "ask, versus"
    python = script(names, questions, *lines, imports=imports)
    python = python if len(names) == 1 else f"from itertools import combinations\n\n{python}"
    return {**_answer(asking, results, commands, python), "pairs": pairs, "seed": seed}, Several(samples).to_csv()


def _sweep(asking: Asking) -> tuple[dict[str, Any], str]:
    strategy, over = asking.strategies[0], asking.request["over"]
    values = strategy if isinstance(strategy, str) else _values(strategy)
    (question,) = asking.questions()[:1]
    result = sweep(values, over, progress=asking.telling("evenings", question), **asking.terms)
    typed = tuple(f"{q.FLAGS.get(what, what).replace('_', '-')}={each}" for what, each in over.items())
    same = {name: each for name, each in question.keywords.items() if name not in over}
    python = f"from passline import sweep\n\nfound = sweep({asking.names[0]!r}, {over!r}, {q.keywords_of(same)})\n"
    commands = [command("sweep", asking.names[:1], [question], **dict.fromkeys(over), over=typed)]
    answer = _answer(asking, [], commands, python)
    return {**answer, "sweep": {**result.to_json(), "strategy": question.title}}, result.to_csv()


def _answer(asking: Asking, results: list[dict[str, Any]], commands: list[str], python: str) -> dict[str, Any]:
    fields = {"how": asking.request["how"], "house": asking.house.id, "house_name": asking.house.name}
    return {**fields, "results": results, "commands": commands, "python": python}


# --- Strategies -----------------------------------------------------------------------------------------------------


def _name(strategy: str | dict[str, Any]) -> str:
    """What a command calls it: a name, or a file."""
    if isinstance(strategy, str):
        return strategy
    return str(strategy["file"] if set(strategy) == {"file", "text"} else f"{strategy.get('id', 'strategy')}.toml")


def _words(question: Question) -> dict[str, Any]:
    return {"name": question.title, "in_words": question.in_words()}


def _values(strategy: dict[str, Any]) -> dict[str, Any]:
    """The tables of a file that somebody brings, under its name."""
    if set(strategy) != {"file", "text"}:
        return strategy
    file = str(strategy["file"])
    return {"id": id_of(file), **tree(strategy["text"], file, "a strategy file", StrategyFileError)}


def _strategy(strategy: str | dict[str, Any]) -> Any:  # noqa: ANN401 - as `ask` takes it
    return strategy if isinstance(strategy, str) else make(_values(strategy), file=_name(strategy))


# --- What a page draws ----------------------------------------------------------------------------------------------


def _figures(fields: dict[str, Any]) -> dict[str, Any]:
    """A sample without its counts, which are the rows of its CSV."""
    counts = ("about", "histogram", "ruin_rolls", "drawdown", "winning_run", "losing_run")
    return {name: each for name, each in fields.items() if name not in counts}


def _bars(result: Bars) -> dict[str, Any]:
    return {name: None if each is None else each.tolist() for name, each in result._asdict().items()}


def _fan(fan: Fan) -> dict[str, Any]:
    cuts = {str(cut): [float(net) for net in nets] for cut, nets in fan.quantiles.items()}
    return {
        "rolls": fan.rolls.tolist(),
        "quantiles": cuts,
        "paths": [[float(net) for net in path] for path in fan.paths],
    }


def _counted(asking: Asking, question: Question) -> Callable[[Progress], None]:
    fields = asking.telling("sessions", question)
    return lambda progress: fields(progress.sessions_done, progress.sessions)
