"""Writes the pages of the site from the repository: documents, houses, strategies, clauses, names, pictures."""

from __future__ import annotations

import argparse
import ast
import json
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from hashlib import sha256
from pathlib import Path

from felt import felt

import passline
from passline import House, ask, charts, par_of, sweep
from passline.answers import Table
from passline.errors import PasslineError
from passline.rulebooks.catalogue import ALL_HOUSES, Clause, clauses_of
from passline.strategies.language.read import library
from passline.telling import card

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TUTORIALS = ("first-table", "first-strategy", "exact-evening", "own-house", "club-evening")
GUIDES: Mapping[str, tuple[str, ...]] = {
    "Guides": (
        "strategies",
        "analysis",
        "learning",
        "doubling",
        "coming-from-crapssim",
        "registries",
        "record",
        "options",
        "side-bets",
        "school",
    ),
    "Live tables": ("client", "night", "floor", "permissions", "dice", "journal", "deploy", "security", "scale"),
}
ABOUT = {"architecture": "ARCHITECTURE.md", "contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md"}
SESSION: Mapping[str, str] = {"fire_bet": "fire-bonus", "quick_props": "adelaide"}
"""Where a strategy is drawn that the Strip does not book."""
BANKROLL: Mapping[str, int] = {"odds_while_they_last": 30, "proportional_pass": 100}
"""What those bring who look at their bankroll."""
ROLLS = 100
SAMPLED = "about"
"""Before a mean that was not worked out."""
FEW = ("cats", "fire_bet", "iron_cross", "pass_flat", "quick_props")
"""What a check of the site draws: exact and sampled distributions, in three houses."""
DRAWN = ROOT / "build" / "site" / "drawn"
"""Drawings of this state of the program: whoever changes a document waits for none."""
LIBRARY = ROOT / "src" / "passline" / "strategies" / "library"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("to", type=Path, help="the folder that Sphinx reads")
    parser.add_argument("--few", action="store_true", help="draw a few strategies alone")
    parser.add_argument("--table", type=Path, required=True, help="the table that scripts/static built")
    arguments = parser.parse_args()
    to: Path = arguments.to
    shutil.rmtree(to, ignore_errors=True)
    for folder in ("static", "extra/par", "houses", "strategies", "clauses", "decisions", "tutorials", "pictures"):
        (to / folder).mkdir(parents=True)
    shutil.copy(HERE / "conf.py", to)
    shutil.copy(HERE / "site.css", to / "static")
    shutil.copytree(arguments.table, to / "extra" / "table")
    progress("documents")
    documents(to)
    progress("houses and clauses")
    cited = citations()
    for house in House.all():
        (to / "houses" / f"{house.id}.md").write_text(house_page(house))
        (to / "extra" / "par" / f"{house.id}.html").write_text(par_of(house).to_page())
        (to / "clauses" / f"{house.id}.md").write_text(clause_page(house, cited))
    (to / "clauses" / "readings.md").write_text(readings_page(cited))
    progress("strategies")
    strategies(to, few=arguments.few)
    progress("gallery and reference")
    gallery(to)
    (to / "reference.md").write_text(reference())
    (to / "index.md").write_text(front_page())


def progress(what: str) -> None:
    print(f"site: {what}", file=sys.stderr, flush=True)


# --- What is written already ----------------------------------------------------------------------------------------


def documents(to: Path) -> None:
    """Every document, with links that leave the site pointing at what the site has instead."""
    for source in ROOT.glob("docs/*.md"):
        if source.name != "reference.md":
            (to / source.name).write_text(linked(source.read_text(), up=""))
    for folder in ("decisions", "tutorials"):
        for source in (ROOT / "docs" / folder).glob("*.md"):
            (to / folder / source.name).write_text(linked(source.read_text(), up="../"))
    for name, source_name in ABOUT.items():
        text = (ROOT / source_name).read_text().replace("(docs/", "(").replace("](decisions)", "](decisions.md)")
        (to / f"{name}.md").write_text(linked(text, up=""))
    for picture in (ROOT / "docs" / "screenshots").iterdir():
        shutil.copy(picture, to / "pictures")
    shutil.copy(ROOT / "docs" / "dice-vectors.json", to)
    pages = sorted(each.stem for each in (to / "decisions").glob("*.md"))
    (to / "decisions.md").write_text(
        "# Decisions\n\nWhat was decided, why, and what would change our mind.\n"
        + toctree("", [f"decisions/{page}" for page in pages])
    )


def title(name: str) -> str:
    """What a document is called, for who reads a site and no files."""
    file = ROOT / "docs" / f"{name}.md"
    return (file if file.exists() else ROOT / f"{name}.md").read_text().partition("\n")[0].removeprefix("# ")


def linked(text: str, up: str) -> str:
    """Point links at what the site has."""
    text = re.sub(r"\((?:\.\./)*README\.md[^)]*\)", f"({up}index.md)", text)
    text = re.sub(
        r"\((?:\.\./)*(ARCHITECTURE|CONTRIBUTING|CHANGELOG)\.md([^)]*)\)",
        lambda match: f"({up}{match[1].lower()}.md{match[2]})",
        text,
    )
    text = text.replace("](decisions)", f"]({up}decisions.md)").replace("](screenshots/", f"]({up}pictures/")
    text = re.sub(r"\[(?:docs/)?([\w-]+)\.md\](?=\()", lambda match: f"[*{title(match[1])}*]", text)
    # What lies in the repository and not on the site is named, not linked.
    return re.sub(
        r"\[([^\]]+)\]\((?:\.\./)*(?:src|tests|bench|scripts|examples|notebooks|browser|deploy)[^)]*\)", r"`\1`", text
    )


# --- Houses and clauses ---------------------------------------------------------------------------------------------


@cache
def known(house: str) -> frozenset[str]:
    return frozenset(each.id for whose in (house, ALL_HOUSES) for each in clauses_of(whose))


def anchor(clause: str) -> str:
    return "clause-" + re.sub(r"[^a-z0-9]+", "-", clause.lower()).strip("-")


def link(house: House, clauses: str) -> str:
    """Clauses of a card's cell, each to its place in the catalogue."""
    return ", ".join(
        f"[{short}](#{anchor(name)})" if name in known(house.id) else f"`{short}`"
        for short, name in named(house, clauses).items()
    )


def named(house: House, clauses: str) -> dict[str, str]:
    """Clauses as a card has them, each with its id in the catalogue: a reading (`X-12`) is of no house."""
    ids = [each.strip() for each in clauses.split(",") if each.strip()]
    return {each: each if ":" in each or each in known(ALL_HOUSES) else f"{house.id}:{each}" for each in ids}


HOUSE = """# {name}

Its id is `{id}`: `passline play --house {id}`, `Table("{id}")`. Every clause is in
[the catalogue](../clauses/{id}.md).

## The felt

```{{raw}} html
<figure class="felt" tabindex="0">{felt}</figure>
```

## The rule card
{card}
## What each wager costs

The PAR sheet, exactly; <a href="../par/{id}.html">the whole of it</a> prints on A4, and `passline par {id}` has more.
{par}
{notes}

## How the house deals
{habits}
"""


def whole(words: str) -> str:
    """On one line, however narrow the column."""
    return words.replace(" ", "\N{NO-BREAK SPACE}").replace("-", "\N{NON-BREAKING HYPHEN}")


def house_page(house: House) -> str:
    rows = [
        (row.name, f"`{row.keys}`", whole(row.made), row.pays, link(house, row.clause))
        for row in card.spots(house.layout)
    ]
    habits = [(f"`{habit.path}`", habit.value, link(house, habit.clause)) for habit in card.habits(house.layout.book)]
    *_, par, _, wins, volatility = par_of(house).page()
    assert isinstance(par, Table)
    return HOUSE.format(
        name=house.name,
        id=house.id,
        felt=felt(house),
        card=grid(("wager", "key", "made", "pays", "clause"), rows),
        par=grid(par.columns, par.cells()),
        notes=f"{wins} {volatility}",
        habits=grid(("what", "value", "clause"), habits),
    )


def citations() -> dict[str, list[str]]:
    """The tests that name each clause."""
    tests: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "clause":
                for argument in node.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        files = tests.setdefault(argument.value, [])
                        name = str(path.relative_to(ROOT))
                        if name not in files:
                            files.append(name)
    return tests


def uses(house: House) -> dict[str, list[str]]:
    """What of a house's file cites each clause."""
    cards = [(row.clause, row.keys) for row in card.spots(house.layout)]
    cards += [(habit.clause, habit.path) for habit in card.habits(house.layout.book)]
    cited: dict[str, list[str]] = {}
    for clauses, what in cards:
        for name in named(house, clauses).values():
            cited.setdefault(name, []).append(what)
    return cited


def clause_page(house: House, cited: Mapping[str, list[str]]) -> str:
    """The catalogue of a house: what each clause asks, where the house file cites it, which tests prove it."""
    values = f"[The house](../houses/{house.id}.md) has the values that stand on them."
    head = f"# Clauses: {house.name}\n\nIn our words. {values}"
    used = {name: f"[Used by](../houses/{house.id}.md) {code(by)}" for name, by in uses(house).items()}
    entries = [
        clause_entry(clause, [used[clause.id]] if clause.id in used else [], cited) for clause in clauses_of(house.id)
    ]
    return "\n\n".join([head, *entries]) + "\n"


def readings_page(cited: Mapping[str, list[str]]) -> str:
    """The readings and decisions that are of no house, and what leans on each in every house."""
    head = "# Readings and decisions\n\nHow we read what the books leave open (X), and what we decided ourselves (P)."
    used = {house: uses(house) for house in House.all()}
    entries = [
        clause_entry(
            clause,
            [
                f"[{house.name}](../houses/{house.id}.md): {code(by[clause.id])}"
                for house, by in used.items()
                if clause.id in by
            ],
            cited,
        )
        for clause in clauses_of(ALL_HOUSES)
    ]
    return "\n\n".join([head, *entries]) + "\n"


def clause_entry(clause: Clause, used: Iterable[str], cited: Mapping[str, list[str]]) -> str:
    tests = cited.get(clause.id, [])
    beneath = [f"{each}." for each in used] + [f"Proved by {code(tests[:4])}."] * bool(tests)
    return f"({anchor(clause.id)})=\n" + "\\\n".join([f"**{clause.id}** {clause.sentence}", *beneath])


def code(words: Iterable[str]) -> str:
    return ", ".join(f"`{each}`" for each in dict.fromkeys(words))


# --- Strategies -----------------------------------------------------------------------------------------------------


STRATEGY = """# {name}

{description}
{figures}
{picture}
`passline {command} {id} --house {house} --rolls {rolls}{bankroll}`

```toml
{file}```
"""
LIBRARY_PAGE = """# The library of strategies

What each costs in {rolls} rolls at the Strip with its own unit, worked out exactly where it has an end that can be.
"""


def strategies(to: Path, *, few: bool) -> None:
    """A page for each, and one with all of them."""
    known = {strategy.id: strategy for strategy in library()}
    names = sorted(known)
    drawn = FEW if few else names
    kept = DRAWN / program()
    for folder in DRAWN.glob("*"):
        if folder != kept:
            shutil.rmtree(folder)
    kept.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor() as pool:
        figures = dict(zip(drawn, pool.map(draw, [kept / f"{name}.svg" for name in drawn]), strict=True))
    for name in drawn:
        shutil.copy(kept / f"{name}.svg", to / "strategies")
    rows = []
    for name in names:
        strategy, house = known[name], SESSION.get(name, "strip")
        mean, share = figures.get(name, ("", ""))
        rows.append((f"[{strategy.name}](strategies/{name}.md)", strategy.description, mean, share))
        page = STRATEGY.format(
            name=strategy.name,
            description=strategy.description,
            figures=f"\nOn average {ROLLS} rolls at `{house}` bring {mean}: {share} of the action.\n" if mean else "",
            picture=f"```{{image}} {name}.svg\n:alt: An evening of {strategy.name}\n```\n" if name in figures else "",
            command="simulate" if mean.startswith(SAMPLED) else "exact",
            id=name,
            house=house,
            rolls=ROLLS,
            bankroll=f" --bankroll {BANKROLL[name]}" if name in BANKROLL else "",
            file=(LIBRARY / f"{name}.toml").read_text(),
        )
        (to / "strategies" / f"{name}.md").write_text(page)
    table = grid(("strategy", "what it does", "mean evening", "of the action"), rows)
    tree = toctree("", [f"strategies/{name}" for name in names]).replace(":maxdepth", ":hidden:\n:maxdepth")
    (to / "library-of-strategies.md").write_text(LIBRARY_PAGE.format(rolls=ROLLS) + table + tree)


def program() -> str:
    """What drawings depend on: every file of the program, and this one."""
    files = [path for path in sorted((ROOT / "src").rglob("*.*")) if path.suffix in {".py", ".toml"}]
    return sha256(b"".join(path.read_bytes() for path in [*files, Path(__file__)])).hexdigest()[:16]


def draw(path: Path) -> tuple[str, str]:
    """Draw an evening: its exact distribution, or a sample where it has no end that can be worked out; once."""
    figures, name = path.with_suffix(".json"), path.stem
    if not figures.exists():
        question = ask(name, house=SESSION.get(name, "strip"), rolls=ROLLS, bankroll=BANKROLL.get(name))
        try:
            exact = question.exact()
            charts.save_distribution(path, exact)
            found = f"{float(exact.mean):+,.2f}", f"{float(exact.edge or 0):.2%}"
        except PasslineError:
            sample = question.simulate(sessions=500, seed=7)
            charts.save(path, [sample])
            found = f"{SAMPLED} {float(sample.mean):+,.2f}", f"{float(sample.edge or 0):.2%}"
        figures.write_text(json.dumps(found))
    mean, share = (str(each).replace("-", "−") for each in json.loads(figures.read_text()))
    return mean, share


# --- Gallery, reference, front --------------------------------------------------------------------------------------


def gallery(to: Path) -> None:
    """Pictures with the lines that made them."""
    examples = {
        "The exact distribution of an evening": """
evening = ask("three_point_molly", house="sydney", unit=10, rolls=100, bankroll=500).exact()
charts.save_distribution("picture.svg", evening)""",
        "A sample beside the exact distribution": """
question = ask("iron_cross", house="strip", unit=5, rolls=100)
charts.save("picture.svg", [question.simulate(sessions=20_000, seed=7)], exact=[question.exact()])""",
        "Strategies side by side": """
questions = [ask(name, house="strip", unit=10, rolls=100) for name in ("pass_flat", "three_point_molly", "field")]
charts.save("picture.svg", [each.simulate(sessions=5_000, seed=7) for each in questions])""",
        "A sweep": """
goals = {"stop_win": [50, 100, 150, 200]}
sweep("pass_flat", over=goals, house="strip", unit=10, bankroll=200, rolls=200).chart("picture.svg")""",
    }
    parts = [
        "# Gallery",
        "Each picture with the lines that made it; all begin with `from passline import ask, charts, sweep`.",
    ]
    for at, (title, code) in enumerate(examples.items()):
        path = to / "pictures" / f"gallery-{at}.svg"
        exec(code.replace("picture.svg", str(path)), {"ask": ask, "charts": charts, "sweep": sweep})  # noqa: S102 - ours
        picture = f"```{{image}} pictures/{path.name}\n:alt: {title}\n```"
        parts += [f"## {title}", picture, f"```python{code}\n```"]
    (to / "gallery.md").write_text("\n\n".join(parts) + "\n")


def reference() -> str:
    """The hand-written reference, each name with its signature and what its docstring says."""
    parts = []
    for line in (ROOT / "docs" / "reference.md").read_text().splitlines():
        parts.append(line)
        if heading := re.fullmatch(r"### `(\w+)`", line):
            parts.append(autodoc(heading[1]))
    return linked("\n".join(parts) + "\n", up="")


def autodoc(name: str) -> str:
    thing = getattr(passline, name)
    if isinstance(thing, type):
        kind, rest = "class", "\n   :members:\n   :undoc-members:" if not issubclass(thing, Exception) else ""
    elif callable(thing):
        kind, rest = "function", ""
    else:
        return ""
    return f"\n```{{eval-rst}}\n.. auto{kind}:: passline.{name}{rest}\n   :no-index:\n```\n"


def front_page() -> str:
    """The text of `index.md`, and the tree of all pages."""
    houses = [house.id for house in House.all()]
    trees = {
        "Tutorials": [f"tutorials/{name}" for name in TUTORIALS],
        **GUIDES,
        "Houses": [f"houses/{house}" for house in houses],
        "Reference": ["commands", "reference", "library-of-strategies", "gallery", "glossary"],
        "Clauses": [f"clauses/{house}" for house in (*houses, "readings")],
        "About": [*ABOUT, "decisions", "upgrading"],
    }
    return (HERE / "index.md").read_text() + "".join(toctree(title, pages) for title, pages in trees.items())


def toctree(title: str, pages: Iterable[str]) -> str:
    """Pages under a heading of the side bar; without a title, listed where it stands."""
    head = f":hidden:\n:caption: {title}\n" if title else ""
    return "\n```{toctree}\n" + head + ":maxdepth: 1\n\n" + "\n".join(pages) + "\n```\n"


def grid(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    heads = [column.replace("_", " ") for column in columns]
    return "\n".join(["", line(heads), "|" + "---|" * len(heads), *map(line, rows), ""])


if __name__ == "__main__":
    main()
