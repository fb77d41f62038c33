"""What strict models complain of, in the words of whoever wrote the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, get_args

from passline.errors import short

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

QUOTED = re.compile(r"'([^']*)'")  # a valid word in the models' own message

# What the commonest complaints come down to.
EXPECTED = {
    "string_type": "text in quotes",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "tuple_type": "a list",
    "string_too_short": "some text",
    "string_too_long": "at most {max_length} letters",
    "too_short": "at least one entry",
    "less_than_equal": "at most {le}",
    "greater_than_equal": "at least {ge}",
}

# The patterns of names, in words.
PATTERNS = {
    r"^[a-z][a-z0-9-]*$": "small letters, digits and dashes, a letter first",
    r"^[a-z][a-z0-9_]*$": "small letters, digits and underscores, a letter first",
}


def explained(
    detail: ErrorDetails, keys_at: Callable[[tuple[int | str, ...]], Collection[str]], own: Mapping[str, str]
) -> tuple[str, str, str | None]:
    """Say of one complaint what was found, what was expected, and the nearest name that would do.

    `keys_at` gives the keys that a table can have, and `own` says in the file's own words what some complaints mean.
    """
    loc, kind, context, text = detail["loc"], detail["type"], detail.get("ctx", {}), quoted(detail["input"])
    if kind == "extra_forbidden":
        valid = keys_at(loc[:-1])
        return "an unknown key", "one of " + ", ".join(valid), nearest(str(loc[-1]), valid)
    if kind == "literal_error":
        valid = QUOTED.findall(context.get("expected", ""))
        return text, "one of " + ", ".join(valid), nearest(str(detail["input"]), valid)
    if kind in own:
        return "nothing" if kind == "missing" else text, own[kind], None
    if kind in EXPECTED:
        return text, EXPECTED[kind].format(**context), None
    if kind == "string_pattern_mismatch":
        return text, PATTERNS.get(context.get("pattern", ""), "other words"), None
    expected = detail["msg"].removeprefix("Input should be ").removeprefix("String should ")
    return context.get("actual", text), expected, context.get("nearest")


def table_at(model: type[BaseModel] | None, place: Iterable[int | str]) -> type[BaseModel] | None:
    """The model of the table at a place of a file; what is no key of a table, such as a number in a list, is passed."""
    for part in place:
        if model is not None and isinstance(part, str) and part in model.model_fields:
            model = table_in(model.model_fields[part].annotation)
    return model


def keys_at(model: type[BaseModel] | None, place: Iterable[int | str]) -> list[str]:
    table = table_at(model, place)
    return list(table.model_fields) if table else []


def table_in(annotation: Any) -> type[BaseModel] | None:  # noqa: ANN401 - whatever a field is annotated with
    """The table that a key holds, if it holds one."""
    if hasattr(annotation, "model_fields"):
        return annotation  # type: ignore[no-any-return] # only models have them
    return next((table for part in get_args(annotation) if (table := table_in(part))), None)


def quoted(value: object) -> str:
    """Show a wrong value as it stands in the file, shortened."""
    if value is None:
        return "nothing"
    text = ("true" if value else "false") if isinstance(value, bool) else repr(value) if value != "" else "empty text"
    return short(text)


def nearest(name: str, valid: Iterable[str], cutoff: float = 0.5) -> str | None:
    """Give the valid name that looks most like this one, if any does.

    >>> nearest("plase", ["pass", "place", "place_lose"])
    'place'
    """
    close = get_close_matches(name, list(valid), n=1, cutoff=cutoff)
    return close[0] if close else None
