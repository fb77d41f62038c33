"""Turns what the models complain of into findings: key path, found, expected, nearest valid name."""

from __future__ import annotations

from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from passline.errors import Finding
from passline.files.findings import nearest, said, shown
from passline.rulebooks.model import WAGERS, House

KEY = "[key]"
"""How the models mark a complaint about a key rather than its value."""

PAIR_EXPECTED = 'a pair [value, "clause"]'
"""What nearly every value of a house file is."""


def findings_from(error: ValidationError, file: str) -> list[Finding]:
    """Say every complaint of the models in the words of a house file."""
    details = error.errors(include_url=False)
    if any(detail["loc"] == ("id",) for detail in details):  # without its house no clause can be looked up
        details = [detail for detail in details if detail["type"] != "clause_unknown"]
    unknown = [_finding(detail, file) for detail in details if detail["type"] == "extra_forbidden"]
    meant = {(_parent(finding.path), finding.nearest) for finding in unknown}
    others = [_finding(detail, file) for detail in details if detail["type"] != "extra_forbidden"]
    misspelt = [finding for finding in others if (_parent(finding.path), finding.path.split(".")[-1]) in meant]
    return unknown + [finding for finding in others if finding.found != "nothing" or finding not in misspelt]


def _parent(path: str) -> str:
    return path.rpartition(".")[0]


def _finding(detail: ErrorDetails, file: str) -> Finding:
    path, is_key = _path(detail["loc"])
    if detail["type"].startswith("union_tag"):
        return _kind(detail, f"{path}.kind", file)
    found, expected, near = said(detail, _keys_at, _own(detail["loc"]))
    return Finding(file, path, f"the key {found}" if is_key else found, expected, near or None)


def _own(loc: tuple[int | str, ...]) -> dict[str, str]:
    """What some complaints mean in a file of pairs."""
    lists = {} if isinstance(loc[-1], int) else {"tuple_type": PAIR_EXPECTED}
    return {"missing": _missing(loc), "too_long": PAIR_EXPECTED, **lists}


def _kind(detail: ErrorDetails, path: str, file: str) -> Finding:
    """Say that a wager is of no kind, or of none there is."""
    wanted = detail["input"].get("kind") if isinstance(detail["input"], dict) else None
    near = nearest(str(wanted), WAGERS) if wanted else None
    return Finding(file, path, shown(wanted), "one of " + ", ".join(WAGERS), near)


def _path(loc: tuple[int | str, ...]) -> tuple[str, bool]:
    """Write a place as the author of the file would: without the kind of a wager and the halves of a pair."""
    in_wager = loc[:1] == ("wager",)
    own = [part for at, part in enumerate(loc) if not (in_wager and _is_tag(at, part))]
    return ".".join(str(part) for part in own if isinstance(part, str) and part != KEY), KEY in loc


def _is_tag(at: int, part: int | str) -> bool:
    """Whether a word of a wager's place was put in by the models: its kind, or which form its clauses have."""
    return (at == 2 and part in WAGERS) or (at == 4 and part in ("one", "each"))


def _missing(loc: tuple[int | str, ...]) -> str:
    """Say what should have been there, in the words of the schema."""
    if isinstance(loc[-1], int):
        return f"{PAIR_EXPECTED}: the clause is missing" if loc[-1] else PAIR_EXPECTED
    model = _model_at(loc[:-1])
    described = model.model_fields[str(loc[-1])].description if model and str(loc[-1]) in model.model_fields else None
    return f"this key: {described[0].lower()}{described[1:].removesuffix('.')}" if described else "this key"


def _keys_at(loc: tuple[int | str, ...]) -> list[str]:
    """The keys that the table at this place can have."""
    model = _model_at(loc)
    return list(model.model_fields) if model else []


def _model_at(loc: tuple[int | str, ...]) -> type[BaseModel] | None:
    """The model that reads the table at this place."""
    model: type[BaseModel] | None = House
    if loc[:1] == ("wager",) and len(loc) > 2:  # a wager's name, its kind, and on into its tables
        model, loc = WAGERS.get(str(loc[2])), loc[3:]
    for key in map(str, loc):
        model = _as_model(model.model_fields[key].annotation) if model and key in model.model_fields else None
    return model


def _as_model(annotation: Any) -> type[BaseModel] | None:  # noqa: ANN401 - whatever a field is annotated with
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None
