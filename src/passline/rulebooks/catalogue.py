"""The clause catalogue: every id a house file cites, with the sentence it stands for.

Three kinds of id resolve: a clause of a house (`sydney:6.5.2`), a reading of something the books leave open (`X-16`),
and a decision about records (`P-47`). A house that writes its own clauses (`strip:odds.345`) carries them in its file.
"""

import csv
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from unicodedata import normalize

from passline.engine.kinds import KINDS
from passline.errors import Finding, HouseFileError, UnknownClauseError
from passline.files.findings import nearest, quoted

ALL_HOUSES = "all"  # the house of readings and decisions


@dataclass(frozen=True, slots=True)
class Clause:
    """One requirement, in our own words."""

    id: str
    house: str
    topic: str
    applies_to: str
    sentence: str  # what it says, for people: complete, and understood without the book
    # The ids of the readings it needs, because its book is silent, misprinted or at odds with itself.
    readings: tuple[str, ...] = ()


def clause(wanted: str, own: Mapping[str, str] | None = None) -> Clause:
    """Find a clause by its id; `own` holds the sentences of a house file outside this package.

    >>> clause("sydney:6.7").topic
    'rounding'
    """
    if own and wanted in own:
        return own_clause(wanted, own[wanted])
    row = catalogue().get(wanted)
    if row is None:
        raise UnknownClauseError(wanted, nearest(wanted, [*catalogue(), *(own or ())]))
    return row


def own_clause(full_id: str, sentence: str) -> Clause:
    """Make a clause of a house that writes its own: what comes before its first dot is its topic."""
    house, _, rest = full_id.partition(":")
    return Clause(full_id, house, topic=rest.partition(".")[0], applies_to="engine", sentence=sentence)


@cache
def catalogue() -> Mapping[str, Clause]:
    """Every clause, reading and decision of this package by its id, in the order of the books."""
    here = files("passline.rulebooks")
    every = [
        *_clauses(here / "clauses.csv"),
        *_sentences(here / "data" / "sentences.toml"),
        *(own for house, path in house_files().items() for own in _own(house, path)),
    ]
    return MappingProxyType({each.id: each for each in every})


def clauses_of(house: str) -> tuple[Clause, ...]:
    """Every clause of one house, in the order of its book: what somebody is shown who asks for its rules."""
    return tuple(each for each in catalogue().values() if each.house == house)


@cache
def house_files() -> Mapping[str, Traversable]:
    """The house files of this package by house id: adelaide first, then by name."""
    paths = {path.name.removesuffix(".toml"): path for path in (files("passline.rulebooks") / "houses").iterdir()}
    names = (name for name, path in paths.items() if path.name.endswith(".toml"))
    return MappingProxyType({name: paths[name] for name in sorted(names, key=lambda name: (name != "adelaide", name))})


def _clauses(path: Traversable) -> Iterator[Clause]:
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
        about = row["id"], row["house"], row["topic"], row["applies_to"]
        yield Clause(*about, sentence=row["requirement"], readings=tuple(row["readings"].split()))


def _sentences(path: Traversable) -> Iterator[Clause]:
    tree = tomllib.loads(path.read_text(encoding="utf-8"))
    for topic, sentences in (("reading", tree["readings"]), ("decision", tree["decisions"])):
        yield from (Clause(name, ALL_HOUSES, topic, "engine", sentence) for name, sentence in sentences.items())


def _own(house: str, path: Traversable) -> Iterator[Clause]:
    """Read the clauses that a house file of this package carries itself, in its last section."""
    _, section, rest = path.read_text(encoding="utf-8").partition("\n[clauses]")
    for name, sentence in tomllib.loads(section + rest).get("clauses", {}).items():
        yield own_clause(f"{house}:{name}", sentence)


_quoted = partial(json.dumps, ensure_ascii=False)  # TOML has text as JSON has it

HOUSE_ID = re.compile(r"[a-z][a-z0-9-]{0,39}")  # what a house can be called on the command line
NAME_MAX = 100  # how long a house's name can be
HEADER = re.compile(r"^\[(?P<section>[a-z_]+)(?:\.(?P<rest>[a-z0-9_.]+))?\]")  # the line that opens a section

# What each section is for.
NOTES = {
    "about": "What the rule book says of itself. Any key will do; nothing here changes a chip.",
    "notice": 'The sign at the table. `odds` is one multiple, a table by point, or "none".',
    "every_wager": "What holds for every wager that does not say otherwise.",
    "wager": (
        f"The wagers. `kind` is one of {', '.join(KINDS)}.\n"
        'A price is "7:6" (to) or "8:1 for"; a table by total may share an entry: "4,10" = ["9:5", "..."].\n'
        'A wager that is in the file but not on offer says offered = [false, "..."].'
    ),
    "money": "How winners are paid when chips cannot make the amount, and what happens to stakes off the limits.",
    "betting": "How wagers are made, changed, and called on and off.",
    "shooter": "Who throws, for how long, and who is asked next.",
    "dice": "The dice, what becomes of those that stray, and how a doubtful face is read.",
    "no_roll": 'What spoils a throw: "auto" voids it by itself, "must call" and "may call" need one of the callers.',
    "floor": "What the pit does around the game. 0 minutes: no such rule.",
    "promotions": "What a promotion must be and say before it opens. Leave it out where you have none.",
    "staff": "Your words for the crew.",
    "equipment": "What stands on and around the table. Any key will do.",
    "clauses": "Your own clauses: an id and a sentence. Every value above cites one of these, a reading or a decision.",
}

OPENING = """\
#:schema ./house.schema.json
# {name}: a house of your own, begun as a copy of {like}.
#
# Every value is a pair: what holds, and the clause that says so. A clause is one of your own (see [clauses] at the
# end), a reading of what rule books leave open ("X-16") or a decision about records ("P-47"); `passline clause X-16`
# prints what it says. Change a value and its clause together, then try `passline house check` on this file.
"""


def new_house(name: str, like: str = "strip", file: str = "house new") -> str:
    """Give the text of a commented house file for `name`, begun as a copy of a built-in house; errors name `file`.

    >>> new_house("Lucky's Back Room").splitlines()[7]
    'id     = "lucky-s-back-room"'
    """
    house = _slug(name)
    name = " ".join("".join(char if char.isprintable() else " " for char in name).split())
    findings = []
    if not HOUSE_ID.fullmatch(house) or house in _taken() or len(name) > NAME_MAX:
        expected = f"a name that begins with a letter and is not a built-in house's, of at most {NAME_MAX} letters"
        findings.append(Finding(file, "name", quoted(name), expected))
    if like not in house_files():
        known = ", ".join(house_files())
        findings.append(Finding(file, "like", quoted(like), known, nearest(like, house_files())))
    if findings:
        raise HouseFileError(findings)
    text = house_files()[like].read_text(encoding="utf-8")
    old_name = tomllib.loads(text)["name"]
    body = text[text.index("\nid ") + 1 :]
    body = body.replace(f'"{like}"', f'"{house}"', 1).replace(_quoted(old_name), _quoted(name), 1)
    lines = [*_explained(body), *_taken_over(text, like)]
    return OPENING.format(name=name, like=like) + "\n" + "\n".join(lines) + "\n"


def _slug(name: str) -> str:
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode()  # é as e
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def _taken() -> set[str]:
    names = (tomllib.loads(path.read_text(encoding="utf-8"))["name"] for path in house_files().values())
    return {*house_files(), *map(_slug, names)}


def _explained(body: str) -> Iterator[str]:
    """Put a section's note in front of it, the first time it is met."""
    met: set[str] = set()
    for line in body.splitlines():
        header = HEADER.match(line)
        section = header["section"] if header else ""
        if section in NOTES and section not in met:
            met.add(section)
            yield from (f"# {note}" for note in NOTES[section].splitlines())
        yield line


def _taken_over(text: str, like: str) -> Iterator[str]:
    """Write out the clauses that a house of the catalogue is cited for, so that the new house has its own."""
    if "clauses" in tomllib.loads(text):
        return
    yield from ("", f"# {NOTES['clauses']}", "[clauses]")
    for short in dict.fromkeys(re.findall(r'"((?:[^"\\]|\\.)*)"', text)):
        if known := catalogue().get(f"{like}:{short}"):
            yield f"{_quoted(short)} = {_quoted(known.sentence)}"
