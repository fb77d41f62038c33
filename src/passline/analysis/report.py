"""A report: questions of a file answered on one page that prints, with charts, definitions, seeds, versions and hashes.

Beside the page every answer's rows are a CSV and a Parquet file, for R or anything else that reads tables.
"""

import inspect
import platform
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from html import escape
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from passline import __version__
from passline.analysis.best import BestPlay, best_play
from passline.analysis.coupons import coupon as coupon_worth
from passline.analysis.estimates import rare
from passline.analysis.question import ask
from passline.analysis.sweep import best, sweep
from passline.answers import Answer, Part, Table, html_of
from passline.errors import ArgumentError, FileError, Finding, PasslineError, QuestionError, short, short_repr
from passline.files.arguments import function, instance
from passline.files.findings import nearest, quoted
from passline.files.toml import tree
from passline.files.whole import write_whole
from passline.house import open_house
from passline.odds.par import par_of
from passline.odds.sessions.distribution import Distribution
from passline.odds.wagers import odds_of
from passline.rulebooks.read import book_digest
from passline.sim import Sample

DEFINITIONS: Final[Mapping[str, str]] = {
    "net": "what a session brings: money won less money lost, commission counted.",
    "run-out": "bets still up when a session ends are played out, without new ones.",
    "action": "the money of the bets decided, each stake with its commission; a winner left up is a new bet.",
    "edge": "the mean loss for each unit of action.",
    "ruin": "before some roll the bankroll does not cover what the strategy wants up.",
    "exact": "every chance is a sum over all rolls: a fraction, or double precision with its error bound.",
    "interval": "the 95 % confidence interval of a sampled figure, by its standard error or Wilson's score.",
    "drawdown": "the deepest fall from a session's best so far, what stands at face value.",
    "best play": "the highest chance over every bet that the dealers would take, whatever the strategy.",
}
STYLE: Final = """body{font:11pt/1.45 Georgia,serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#22302b}
h1,h2{font-weight:600;line-height:1.2}h2{border-top:1px solid #d9d6cc;padding-top:1rem}
table{border-collapse:collapse;font-size:9.5pt;margin:.8rem 0}
td,th{padding:.15rem .7rem .15rem 0;font-variant-numeric:tabular-nums}
thead th{text-align:left;border-bottom:1px solid #22302b}svg,img{max-width:100%;height:auto}
small,.about{font-size:9pt;color:#5b6762}
pre{font-size:9pt;white-space:pre-wrap}
@media screen{table{display:block;overflow-x:auto}}
@media print{body{margin:0;max-width:none}h2{break-after:avoid}table,svg{break-inside:avoid}}"""
ROWS_SHOWN: Final = 200  # Rows of a table that are printed; the files of its answer have all of them


# What a question of a file can be about, and how it is answered; its other keys are arguments of that call.
KINDS: Final[Mapping[str, Callable[..., Answer]]] = {
    "exact": lambda strategy, **terms: ask(strategy, **terms).exact(),
    "simulate": lambda strategy, sessions=100_000, seed=None, backend="auto", **terms: ask(strategy, **terms).simulate(
        sessions=sessions, seed=seed, backend=backend
    ),
    "rare": lambda strategy, lasts=None, sessions=100_000, seed=0, **terms: rare(
        ask(strategy, **terms), lasts=lasts, sessions=sessions, seed=seed
    ),
    "paths": lambda strategy, **terms: ask(strategy, **terms).paths(),
    "sweep": sweep,
    "search": best,
    "best": best_play,
    "coupon": lambda coupon, value, house: coupon_worth(coupon, value, house=house),
    "odds": odds_of,
    "par": par_of,
}


class Section(NamedTuple):
    title: str
    name: str  # what its files are called by
    question: Mapping[str, Any]
    answer: Answer


class Report(NamedTuple):
    title: str
    sections: tuple[Section, ...]

    def write(self, folder: Path | str) -> Path:
        """Write `report.html` and the rows of every answer beside it; the path of the page."""
        where = Path(folder)
        if where.is_file():
            raise ArgumentError("out", short_repr(str(folder)), "a folder, which is made where there is none")
        where.mkdir(parents=True, exist_ok=True)
        for section in self.sections:
            section.answer.write_csv(where / f"{section.name}.csv")
            section.answer.write_parquet(where / f"{section.name}.parquet")
        page = where / "report.html"
        write_whole(page, self.html())
        return page

    def html(self) -> str:
        body = "".join(self._parts())
        head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(self.title)}</title>'
        return f"{head}<style>{STYLE}</style><body>{body}</body></html>\n"

    def _parts(self) -> Iterator[str]:
        yield f"<h1>{escape(self.title)}</h1>"
        for section in self.sections:
            yield f"<h2>{escape(section.title)}</h2>{_page_html(section.answer)}{_chart(section.answer)}"
            question = ", ".join(f"{key} = {_written(value)}" for key, value in section.question.items())
            yield f'<p class="about">Asked: {escape(question)}.<br>{escape(_whence(section.answer))}'
            yield f" Rows: {section.name}.csv, {section.name}.parquet.</p>"
        yield "<h2>Definitions</h2><dl>"
        yield from (f"<dt><b>{word}</b></dt><dd>{escape(meaning)}</dd>" for word, meaning in DEFINITIONS.items())
        yield f"</dl><h2>The rows in R</h2><pre>{escape(r_lines(self.sections))}</pre>"
        yield f'<p class="about">Passline {__version__}, Python {platform.python_version()}.</p>'


def _page_html(answer: Answer) -> str:
    parts: list[Part] = []
    for each in answer.page():
        parts.append(each._replace(rows=each.rows[:ROWS_SHOWN]) if isinstance(each, Table) else each)
        if isinstance(each, Table) and len(each.rows) > ROWS_SHOWN:
            parts.append(f"… and {len(each.rows) - ROWS_SHOWN:,} more rows.")
    return "".join(map(html_of, parts))


def _written(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_written(each)}" for key, each in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _whence(answer: Answer) -> str:
    """Seeds and hashes: what makes an answer the same again."""
    hashes: dict[str, Any] = {}
    if isinstance(answer, Distribution | Sample):
        hashes = {key: answer.about[key] for key in ("house_hash", "strategy_hash") if answer.about.get(key)}
        hashes["machine"] = answer.machine
    if isinstance(answer, Sample):
        hashes |= {"seed": answer.seed, "fingerprint": answer.fingerprint()}
    if isinstance(answer, BestPlay):
        hashes = {"house_hash": book_digest(answer.house.book), "machine": answer.machine.digest()}
    digest = getattr(answer, "digest", None)
    hashes |= {"house_hash": digest} if isinstance(digest, str) else {}
    return " ".join(f"{key.replace('_', ' ')} {value}." for key, value in hashes.items())


def _chart(answer: Answer) -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "chart.svg"
        answer.chart(path)
        text = path.read_text()
    return text[text.index("<svg") :]


def r_lines(sections: tuple[Section, ...]) -> str:
    """Ten lines of R that read every table, fractions as numbers, and draw the first; they need nothing but R."""
    names = ", ".join(f'"{section.name}"' for section in sections)
    return f"""names <- c({names})
divided <- function(x) Reduce(`/`, as.numeric(strsplit(x, "/")[[1]]))  # 244/495
exact <- function(x) is.character(x) && all(grepl("^-?[0-9]+(/[0-9]+)?$", na.omit(x)))
numbers <- function(x) if (exact(x)) vapply(x, divided, 1, USE.NAMES = FALSE) else x
read <- function(name) read.csv(paste0(name, ".csv"), na.strings = "")  # or arrow::read_parquet
rows <- setNames(lapply(names, function(name) as.data.frame(lapply(read(name), numbers))), names)
print(lapply(rows, summary))
drawn <- rev(Filter(is.numeric, rows[[1]]))[1]
png("rows.png")
plot(drawn[[1]], type = "h", main = names[1], ylab = names(drawn))"""


def report(path: Path | str, *, progress: Callable[[int, int], None] | None = None) -> Report:
    """Answer every `[[question]]` of a file; what is said above them holds for all that can be asked with it."""
    function("progress", progress)
    file = short(str(instance("path", path, (str, PathLike), "the path of a file")))
    values = tree(Path(path), file, "a report file", FileError)
    questions = values.pop("question", None)
    if not isinstance(questions, list) or not questions or not all(isinstance(each, dict) for each in questions):
        raise FileError([Finding(file, "question", quoted(questions), "one [[question]] or more")])
    title, house = str(values.pop("title", Path(path).stem)), values.pop("house", None)
    faults = [Finding(file, key, "an unknown key", "title, house and [[question]]") for key in values]
    for place, each in enumerate(questions, 1):
        kind = each.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            known = f"one of {', '.join(KINDS)}"
            faults.append(Finding(file, f"question {place}.kind", short_repr(kind), known, nearest(str(kind), KINDS)))
    if faults:
        raise FileError(faults)
    sections: list[Section] = []
    for place, each in enumerate(questions, 1):
        question = {**({} if house is None else {"house": house}), **each}
        sections.append(_section(path, file, place, question, sections))
        if progress is not None:
            progress(place, len(questions))
    return Report(title, tuple(sections))


def _section(path: Path | str, file: str, place: int, question: dict[str, Any], before: list[Section]) -> Section:
    arguments = {key: value for key, value in question.items() if key not in {"kind", "title"}}
    kind, strategy = question["kind"], arguments.get("strategy")
    if isinstance(strategy, str) and strategy.endswith(".toml"):
        arguments["strategy"] = Path(path).parent / strategy  # named from where the report lies
    subject = strategy or arguments.get("wagers") or arguments.get("house", "")
    title = str(question.get("title", f"{kind}: {', '.join(subject) if isinstance(subject, list) else subject}"))
    _check_keys(file, f"question {place}", kind, arguments)
    try:
        open_house(arguments.get("house", "strip"))  # what is wrong with a house is said before anything is worked out
        answer = KINDS[kind](**arguments)
    except ArgumentError as error:
        where = f"question {place}.{'coupon' if error.name == 'kind' else error.name}"
        raise FileError([Finding(file, where, error.actual, error.expected, error.nearest)]) from None
    except FileError as error:
        where = f"question {place},"
        nested = (replace(x, file=file, path=f"{where} {x.file} {x.path}".strip()) for x in error.findings)
        raise FileError(nested) from None
    except PasslineError as error:
        raise QuestionError(f"{file}, question {place}: {error}") from None
    word = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")[:40] or kind
    if "title" not in question and isinstance(answer, Distribution | Sample):
        title = f"{kind}: {answer.about.get('heading', subject)}"
    return Section(title, f"{len(before) + 1:02d}_{word}", question, answer)


def _check_keys(file: str, where: str, kind: str, arguments: Mapping[str, Any]) -> None:
    """Refuse what a kind is not asked with: it is the names of its call, and of `ask` where it hands the rest on."""
    own = inspect.signature(KINDS[kind]).parameters
    rest = inspect.signature(ask).parameters if any(each.kind is each.VAR_KEYWORD for each in own.values()) else {}
    known = {each.name: each for each in [*rest.values(), *own.values()] if each.kind is not each.VAR_KEYWORD}
    keys = [key for key in known if key != "progress"]
    expected = f"what `{kind}` is asked with: {', '.join(keys)}"
    unknown = (key for key in arguments if key not in keys)
    faults = [Finding(file, f"{where}.{key}", "an unknown key", expected, nearest(key, keys)) for key in unknown]
    wanted = (key for key in keys if known[key].default is inspect.Parameter.empty and key not in arguments)
    faults += [Finding(file, f"{where}.{key}", "nothing", expected) for key in wanted]
    if faults:
        raise FileError(faults)
