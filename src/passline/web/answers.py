"""What the analyst works out, in a process of its own that has no keys and no journal."""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import combinations
from typing import Any

from passline.analysis import question as q
from passline.analysis.charts import final_net, net_over_time, ruin_by_roll
from passline.analysis.checked import Checked, ExactSession, check, side_by_side
from passline.analysis.estimates import Versus, versus
from passline.analysis.question import Question, TooSmall, command, script
from passline.analysis.sweep import FIGURES, sweep
from passline.answers import AGAIN, Chart, Several, Shape, Sheet, Table, flag_of
from passline.errors import PasslineError, StrategyFileError
from passline.files.toml import tree
from passline.house import House
from passline.odds.sessions.distribution import Distribution
from passline.rulebooks.read import read_book
from passline.sim import Progress, Sample
from passline.strategies.language.read import id_of, make

Report = Callable[[int, int], None]

# Rows of an answer, which its CSV has too.
LONG = {
    *("about", "histogram", "ruin_rolls", "drawdown", "winning_run", "losing_run", "fan"),
    *("distribution", "ruin_curve", "command"),
}

MEMORY_BYTES_MAX = 4 * 2**30


Tell = Callable[[int, int, str, str], None]  # how far it is, and of what and whom


def prepare(tell: Tell, seconds: float) -> Tell:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
    return tell


def work(tell: Tell, request: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The answer to a question, and its rows as CSV."""
    answerer = {"exact": _exact, "simulate": _simulate, "sweep": _sweep}[request["how"]]
    try:
        asking = Asking(request, tell)
        if small := asking.too_small():
            raise PasslineError(f"{small[0]} [{small[1].refusal.clause}]")
        return answerer(asking)
    except MemoryError:
        raise PasslineError("too much memory") from None


class Asking:
    def __init__(self, request: dict[str, Any], tell: Tell = lambda *_: None) -> None:
        """Read the house; the strategies are read when they are asked about."""
        self.request, self._tell = request, tell
        house = request["house"]
        book = None if isinstance(house, str) else read_book(house["text"], house["file"])
        self.house = House(house if isinstance(house, str) else house["file"], book=book)
        self.strategies = [request["strategy"], *request["against"]]
        self.names = [_name(each) for each in self.strategies]
        terms = ("unit", "max_bet", "notice", "rolls", "hands", "bankroll", "stop_win", "stop_loss", "at_end", "dice")
        self.terms = {"house": self.house, **{name: request[name] for name in terms}}

    @cached_property
    def questions(self) -> list[Question]:
        read = (each if isinstance(each, str) else make(_values(each), file=_name(each)) for each in self.strategies)
        return [q.ask(each, **self.terms) for each in read]

    def too_small(self) -> tuple[str, TooSmall] | None:
        """What the sign would find too small, told of whom, and the least unit that would do."""
        for question in () if "unit" in self.request["over"] else self.questions:
            if result := q.too_small(question):
                return f"{question.title}: {result.refusal.message}", result
        return None

    def telling(self, doing: str, question: Question) -> Report:
        return lambda done, of: self._tell(done, of, doing, question.title)


def _exact(asking: Asking) -> tuple[dict[str, Any], str]:
    answers, fractions = [], asking.request["fractions"]
    insisted = {} if fractions is None else {"fractions" if fractions else "double": True}
    for name, question in zip(asking.names, asking.questions, strict=True):
        question.machine(asking.telling("states", question))
        exact = question.exact(fractions=fractions, progress=asking.telling("rolls", question))
        line = command("exact", [name], [question], **insisted)
        answers.append(ExactSession(question, exact, question.long_run_beside(), line))
    how = "" if fractions is None else f"fractions={fractions}"
    python = script(asking.names, asking.questions, f"answers = [question.exact({how}) for question in questions]")
    answer = _answer(asking, [each.command for each in answers], python)
    results = [_result(each, [final_net(each.distribution)]) for each in answers]
    figures = _side_by_side(asking, [each.distribution for each in answers])
    return {**answer, "results": results, **figures}, Several(answers).to_csv()


def _simulate(asking: Asking) -> tuple[dict[str, Any], str]:
    sessions, seed = asking.request["sessions"], asking.request["seed"]
    seed = q.draw_seed() if seed is None else seed
    names, questions, answers = asking.names, asking.questions, []
    for question in questions:
        question.game(progress=asking.telling("states", question), sessions=sessions)
        so_far = partial(_count, asking.telling("sessions", question))
        sample = question.simulate(sessions=sessions, seed=seed, threads=1, progress=so_far)
        answers.append(check(question, sample, asking.telling("rolls", question)))
    pairs = [
        versus(one, other, sessions=sessions, seed=seed, progress=asking.telling("pairs", other))
        for one, other in combinations(questions, 2)
    ]
    commands = [command("simulate", names, questions, sessions=sessions, seed=seed)]
    how = f"sessions={sessions}, seed={seed}"
    lines, imports = [f"samples = [question.simulate({how}) for question in questions]"], "ask"
    # `versus` holds the first against each of the rest.
    held = ((names[at:], questions[at:]) for at in range(len(names) - 1))
    commands += [command("versus", some, about, sessions=sessions, seed=seed) for some, about in held]
    if len(names) > 1:
        lines.append(f"pairs = [versus(one, other, {how}) for one, other in combinations(questions, 2)]")
        imports = "ask, versus"
    python = script(names, questions, *lines, imports=imports)
    python = python if len(names) == 1 else f"from itertools import combinations\n\n{python}"
    samples = [each.sample for each in answers]
    results = [_result(each, [net_over_time(each.sample), final_net(each.sample, each.exact)]) for each in answers]
    answer = {**_answer(asking, commands, python), "results": results, "seed": seed, **_side_by_side(asking, samples)}
    pairs_sheet = {"pairs": Sheet.of(_pairs(pairs))} if pairs else {}
    return {**answer, **pairs_sheet}, Several(samples).to_csv()


def _pairs(pairs: Sequence[Versus]) -> Table:
    """Each strategy less another; seed and sessions stand above, once."""
    whole = Several(pairs).table()
    columns = {name: kind for name, kind in whole.columns.items() if name not in {"one", "other", "seed", "sessions"}}
    rows = [(f"{row['one']} less {row['other']}", *(row[name] for name in columns)) for row in whole.dicts()]
    return Table({"pair": "text", **columns}, rows)


def _sweep(asking: Asking) -> tuple[dict[str, Any], str]:
    strategy, over = asking.strategies[0], asking.request["over"]
    values = strategy if isinstance(strategy, str) else _values(strategy)
    question = asking.questions[0]
    result = sweep(values, over, progress=asking.telling("evenings", question), **asking.terms)
    typed = tuple(f"{flag_of(what)[2:]}={each}" for what, each in over.items())
    same = {name: each for name, each in question.keywords.items() if name not in over}
    python = f"from passline import sweep\n\nswept = sweep({asking.names[0]!r}, {over!r}, {q.keywords_of(same)})\n"
    commands = [command("sweep", asking.names[:1], [question], **dict.fromkeys(over), over=typed)]
    charts = [result.curves(figure) for figure in FIGURES]
    figures = {"table": Sheet.of(result.table()), "sentences": result.refused(), "charts": charts}
    return {**_answer(asking, commands, python), "strategy": question.title, **figures}, result.to_csv()


def _answer(asking: Asking, commands: list[str], python: str) -> dict[str, Any]:
    fields = {"how": asking.request["how"], "house": asking.house.id, "house_name": asking.house.name}
    return {**fields, "commands": commands, "python": python, "results": [], "sentences": []}


def _name(strategy: str | dict[str, Any]) -> str:
    """What a command calls it: a name, or a file."""
    if isinstance(strategy, str):
        return strategy
    return str(strategy["file"] if set(strategy) == {"file", "text"} else f"{strategy.get('id', 'strategy')}.toml")


def _values(strategy: dict[str, Any]) -> dict[str, Any]:
    """The tables of a file that somebody brings, under its name."""
    if set(strategy) != {"file", "text"}:
        return strategy
    file = str(strategy["file"])
    return {"id": id_of(file), **tree(strategy["text"], file, "a strategy file", StrategyFileError)}


def _result(answer: ExactSession | Checked, charts: list[Chart]) -> dict[str, Any]:
    """The page of an answer, without what the charts draw and the commands say; its JSON, without its long rows."""
    parts = [part for part in answer.page() if part and not isinstance(part, Shape)]
    page = [Sheet.of(part) if isinstance(part, Table) else part for part in parts]
    again = [part for part in page if not isinstance(part, str) or not part.startswith(AGAIN)]
    values = {name: each for name, each in answer.to_json().items() if name not in LONG}
    return {"name": answer.question.title, "page": again, "charts": charts, "values": values}


def _side_by_side(asking: Asking, results: list[Distribution] | list[Sample]) -> dict[str, Any]:
    names = [each.title for each in asking.questions]
    ruin = ruin_by_roll(names, results)
    return {"table": Sheet.of(side_by_side(names, results)), "charts": [] if ruin is None else [ruin]}


def _count(tell: Report, progress: Progress) -> None:
    tell(progress.sessions_done, progress.sessions)
