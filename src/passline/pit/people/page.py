"""The matrix of permissions as people read it: a page for the docs, a table for a terminal."""

from passline.live.people import ANYONE, MACHINE, ROLES, permissions

COLUMNS = (ANYONE, MACHINE, *ROLES)

HEAD = """# Who may do what

`passline permissions --markdown` writes this page from `src/passline/live/permissions.toml`, which the service enforces
in one place (`live/people.py`, `may`). *seat*: what is one's own. *table*: a table where one holds the role. *any*:
everywhere. *two*: a second person, who holds one of the roles at that moment, agrees with an approval of their own.
Whoever is alone at a practice table holds every role there but inspector and administrator.
"""


def rows() -> list[list[str]]:
    """A row for each permission: its name, how far each role reaches, how many people it takes."""
    return [
        [each.name, *(each.reach.get(role, "") for role in COLUMNS), "two" if each.people == 2 else ""]
        for each in permissions().values()
    ]


def markdown() -> str:
    lines = [HEAD, _row(["permission", *COLUMNS, "people"]), _row(["---"] * (len(COLUMNS) + 2)), *map(_row, rows()), ""]
    for permission in permissions().values():
        lines += [f"**{permission.name}**: {permission.says}", ""]
        lines += [f"- `{each}`" for each in (*permission.routes, *permission.acts)]
        lines += [""]
    return "\n".join(lines).rstrip() + "\n"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
