"""Nobody reads our notes: everything that can be shown is in whole sentences, without an editor's mark.

Two measures. A *sentence* (a clause, a reading, a decision, a refusal, an event told) begins with a capital, ends with
a full stop, and leans on no id. *Any text* (help, rule cards, pages of the docs) is at least free of marks that only
mean something to us.
"""

from __future__ import annotations

import html
import json
import re
import sys
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer
from typer.testing import CliRunner

from passline.cli.app import app
from passline.engine.refusals import Refusal
from passline.house import House
from passline.rulebooks.catalogue import catalogue
from passline.rulebooks.editing import new_house
from passline.rulebooks.read import built_in
from passline.sitting import words
from passline.table import replay
from passline.terminal import panels
from tests.tables import cases

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.craps"))
REFUSALS = json.loads((ROOT / "tests" / "playthroughs" / "refusals.json").read_text(encoding="utf-8"))

MARKS = {
    "names one of our notes": re.compile(r"\bamb\b|\bcf\.|\[source", re.IGNORECASE),
    "sends the reader to an id": re.compile(r"\b(?:see|by|as|under|per) [A-Z]-\d", re.IGNORECASE),
    "weighs readings by letter": re.compile(r"(?:^|[:.] )\([a-d]\)"),
    "is unfinished": re.compile(r"\b(?:TODO|FIXME|XXX|TBD|TO WRITE)\b"),
}
"""What is wrong anywhere."""

SENTENCE = {
    "begins without a capital": re.compile(r"^(?![\"'`]?[A-Z0-9])"),
    "has no full stop": re.compile(r"(?<![.!?])$"),
    "has two spaces or stops": re.compile(r"  |(?<!\.)\.\.(?!\.)| [.,;]|^\s|\s$"),
    "leans on an id": re.compile(
        r"\b[AEFPSX]-\d|\b[a-z-]+:\d+[.(]|\d\([a-z]+\)|\b\d+\.\d+\.\d|\b(?:rule|clause|item) \d"
    ),
    "is written in signs": re.compile(r"->|=>|==|>=|<=|\||`|\*\*|[{}]|\b[A-Z]{2,}_[A-Z]"),
    "is shortened": re.compile(r"\be\.g\.|\bi\.e\.|\betc\b|\bincl\b|\bv\.? (?=[a-z])|\bw/"),
    "goes by a key": re.compile(r"\b[a-z]+_[a-z0-9_]+\b"),
}
"""What is wrong in a sentence."""

LONGEST = 220
"""A sentence fits three lines of the narrowest terminal."""
PARAGRAPH = 95
"""A line of help that is longer was never meant to be one line."""

BOOKS = Path(__file__).parent / "oracles" / "books.shingles"
"""Every run of eight words in the four rule books, as a short digest: enough to know one again, too little to read."""
RUN, WORDS_IN_RUN, DIGEST = 8, 5, 5
"""Words in a run; how many of them are no numbers (a list of totals is a fact); bytes of a digest."""


def faults(text: str, *, sentence: bool = True) -> list[str]:
    """Everything an editor would still mark."""
    found = [name for name, mark in (MARKS | (SENTENCE if sentence else {})).items() if mark.search(text)]
    if sentence and not _balanced(text):
        found.append("has a bracket too many or too few")
    return found


def _balanced(text: str) -> bool:
    """Whether every bracket is closed by its own kind."""
    pairs, open_ = {")": "(", "]": "["}, []
    for sign in text:
        if sign in "([":
            open_.append(sign)
        elif sign in pairs and (not open_ or open_.pop() != pairs[sign]):
            return False
    return not open_


# --- The catalogue ---------------------------------------------------------------------------------------------------


def test_every_clause_reading_and_decision_is_a_sentence() -> None:
    """1,100 of them, each as `passline clause ID` prints it."""
    wrong = {name: found for name, each in catalogue().items() if (found := faults(each.sentence))}
    assert not wrong


def test_no_sentence_is_longer_than_a_terminal_likes() -> None:
    """Nobody reads a paragraph at a table."""
    assert {name: len(each.sentence) for name, each in catalogue().items() if len(each.sentence) > LONGEST} == {}


def test_every_entry_of_the_specification_has_its_sentence() -> None:
    """No reading and no decision is left out, and none is made up."""
    data = files("passline.rulebooks") / "data"
    readings = re.findall(r"^### ([A-Z]-\d+) ", (data / "ambiguities.md").read_text(encoding="utf-8"), re.MULTILINE)
    numbers = re.findall(r"^ *(?:- )?(\d+[a-z]?)\. ", (data / "pinned.md").read_text(encoding="utf-8"), re.MULTILINE)
    said = [name for name, each in catalogue().items() if each.topic in ("reading", "decision")]
    assert said == [*readings, *(f"P-{number}" for number in numbers)]


def test_a_clause_names_readings_that_there_are() -> None:
    """`passline clause` prints them with it."""
    named = {reading for each in catalogue().values() for reading in each.readings}
    assert {catalogue()[reading].topic for reading in named} == {"reading"}


def test_a_clause_is_printed_with_its_readings_and_nothing_else() -> None:
    """What stands beside a sentence in the catalogue is for us."""
    text = CliRunner().invoke(app, ["clause", "sydney:6.5.2"]).output
    ids = ("sydney:6.5.2", "X-06", "S-07")
    assert text.splitlines() == [f"{name}: {catalogue()[name].sentence}" for name in ids]
    told = json.loads(CliRunner().invoke(app, ["clause", "sydney:6.5.2", "--json"]).output)
    assert set(told) == {"id", "house", "topic", "applies_to", "sentence", "readings"}


# --- In our own words ------------------------------------------------------------------------------------------------


def runs(text: str) -> set[bytes]:
    """The digests of a text's runs of eight words."""
    words = re.findall(r"[a-z]+(?:'[a-z]+)?|\d+", text.lower().replace("\u2019", "'"))
    every = (words[at : at + RUN] for at in range(len(words) - RUN + 1))
    spoken = (run for run in every if sum(not word.isdigit() for word in run) >= WORDS_IN_RUN)
    return {blake2b(" ".join(run).encode(), digest_size=DIGEST).digest() for run in spoken}


def test_no_sentence_is_a_books_own() -> None:
    """Facts carry over, sentences do not: no eight words in a row are those of a rule book."""
    kept = BOOKS.read_bytes()
    books = {kept[at : at + DIGEST] for at in range(0, len(kept), DIGEST)}
    assert {name: each.sentence for name, each in catalogue().items() if runs(each.sentence) & books} == {}


def test_a_books_own_words_would_be_known() -> None:
    """A run of words that every one of these books has is among them."""
    kept = BOOKS.read_bytes()
    (known,) = runs("at any time after the come-out roll")
    assert known in {kept[at : at + DIGEST] for at in range(0, len(kept), DIGEST)}


# --- What the table says ---------------------------------------------------------------------------------------------


@cases("asked", REFUSALS, ids=lambda asked: f"{asked['house']}-{asked['asked']}")
def test_a_refusal_is_a_sentence(asked: dict[str, str]) -> None:
    """Every way the dealers say no; a wager that is not there can only be called what it was called."""
    message = (
        asked["message"].replace(asked["asked"].split()[1], "it")
        if "does not book" in asked["message"]
        else asked["message"]
    )
    assert faults(message) == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_event_is_explained_in_sentences(path: Path) -> None:
    """What happened, the sum, and the clauses it rests on."""
    table = replay(path)
    wrong: dict[str, list[str]] = {}
    for moment in table.history:
        for event in [moment.answer] if isinstance(moment.answer, Refusal) else moment.answer:
            for line in table.explain(event).splitlines():
                cited, _, rest = line.partition(": ")
                sentence = rest if cited in catalogue() else line
                if found := faults(sentence):
                    wrong[line] = found
    assert not wrong


# --- Pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", built_in())
def test_a_rule_card_has_no_marks(house: str) -> None:
    """On the terminal, in a notebook, for programs, and in a new file made from it."""
    run = CliRunner()
    shown = [
        run.invoke(app, ["house", house]).output,
        run.invoke(app, ["house", house, "--json"]).output,
        html.unescape(House(house)._repr_html_()),
        new_house("Somewhere Else", house),
    ]
    assert all(shown)
    assert [faults(text, sentence=False) for text in shown] == [[]] * len(shown)


def commands() -> Iterator[tuple[str, ...]]:
    """Every command, and those within commands."""

    def walk(command: object, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        yield path
        for name, each in getattr(command, "commands", {}).items():
            yield from walk(each, (*path, name))

    yield from walk(typer.main.get_command(app), ())


@pytest.mark.parametrize("path", [*commands()], ids="-".join)
def test_help_is_whole(path: tuple[str, ...]) -> None:
    """No mark in it, no line folded a second time at 80 columns, no command told by half a sentence."""
    text = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "80"}, terminal_width=80).output
    assert faults(text, sentence=False) == []
    assert [line for line in text.splitlines() if len(line) > 80] == []
    assert [line for line in text.splitlines() if line.startswith("  ") and line.endswith("...")] == []


@pytest.mark.parametrize(("text", "room"), [(panels.HELP, 75), (words.HELP, 80)], ids=["felt", "plain"])
def test_the_help_at_the_table_is_folded_once(text: str, room: int) -> None:
    """A line fits between the borders of 80 columns, or is a paragraph that the page folds by itself."""
    assert faults(text, sentence=False) == []
    assert [line for line in text.splitlines() if room < len(line) <= PARAGRAPH] == []


@pytest.mark.parametrize(
    "page", sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")]), ids=lambda page: page.stem
)
def test_a_page_of_the_docs_has_no_marks(page: Path) -> None:
    """The pages that people are sent to; decisions are our own correspondence."""
    marks = {name: mark for name, mark in MARKS.items() if name != "sends the reader to an id"}
    assert [name for name, mark in marks.items() if mark.search(page.read_text(encoding="utf-8"))] == []


# --- The test bites --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "When line bets may be made: (a), see X-07.",
            ["sends the reader to an id", "weighs readings by letter", "leans on an id"],
        ),
        (
            "amb X-06. amb S-07. [source line 211]",
            ["names one of our notes", "begins without a capital", "has no full stop", "leans on an id"],
        ),
        (
            "(a): dealers need whole chips; suggest the nearest.",
            ["weighs readings by letter", "begins without a capital"],
        ),
        ("Repeats 4(y).", ["leans on an id"]),
        ("Repeated breach of rule 14 has consequences.", ["leans on an id"]),
        ("Point 6, roll 4-2 -> paid.", ["is written in signs"]),
        ("TODO.", ["is unfinished"]),
        ("It is  paid.", ["has two spaces or stops"]),
        ("It is paid (at once.", ["has a bracket too many or too few"]),
        ("Adelaide v sydney on pass_odds etc.", ["is shortened", "goes by a key"]),
        ("`Off KEY` touches one bet", ["has no full stop", "is written in signs"]),
    ],
)
def test_marks_are_found(text: str, found: list[str]) -> None:
    """What 0.1.0 showed to players, and its like."""
    assert faults(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Any Craps pays 7.5 to 1.",
        "A record of 3-4 on 5 and 9, at section 66(4) of an Act, costs 5% of $10,000.",
        "One bets the line (taking odds) at 2:1.",
        "11 in One Roll, or YO, may be bet at any time.",
    ],
)
def test_plain_sentences_pass(text: str) -> None:
    """Prices, dice and names are no marks."""
    assert faults(text) == []


if __name__ == "__main__":  # python -m tests.test_words FOLDER: the texts of the rule books
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(Path(sys.argv[1]).glob("*.txt"))]
    BOOKS.write_bytes(b"".join(sorted(set[bytes]().union(*map(runs, texts)))))
