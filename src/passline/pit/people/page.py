"""The matrix of powers as people read it: a page for the docs, a table for a terminal."""

from __future__ import annotations

from passline.live.powers import ANYONE, ROLES, Power, powers

COLUMNS = (ANYONE, *ROLES)

HEAD = """# Who may do what

`passline powers --markdown` writes this page from `src/passline/pit/people/powers.toml`, which the service enforces in
one place (`pit/people/powers.py`, `may`). *seat*: what is one's own. *table*: a table where one holds the role. *any*:
everywhere. *two*: a second person, who holds one of the roles at that moment, agrees with an assent of their own.
Whoever is alone at a practice table holds every role there but inspector and administrator.
"""


def rows() -> list[list[str]]:
    """A row for each power: its name, how far each role reaches, how many people it takes."""
    return [
        [power.name, *(power.reach.get(role, "") for role in COLUMNS), _people(power)] for power in powers().values()
    ]


def _people(power: Power) -> str:
    return "two" if power.people == 2 else ""


def markdown() -> str:
    lines = [HEAD, _row(["power", *COLUMNS, "people"]), _row(["---"] * (len(COLUMNS) + 2)), *map(_row, rows()), ""]
    for power in powers().values():
        lines += [f"**{power.name}**: {power.says}", ""]
        lines += [f"- `{each}`" for each in (*power.routes, *power.acts)]
        lines += [""]
    return "\n".join(lines).rstrip() + "\n"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
