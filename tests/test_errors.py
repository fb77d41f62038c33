"""One tree of errors: every class that is raised stands in it, and each can travel to another process."""

from __future__ import annotations

import ast
import builtins
import inspect
import pickle
from pathlib import Path

import pytest

import passline
from passline import errors
from passline.engine.refusals import Refusal
from passline.errors import Finding, PasslineError

PACKAGE = Path(passline.__file__).parent

OURS = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, Exception) and kind.__module__ == errors.__name__
}

MADE: dict[str, tuple[object, ...]] = {
    "RefusedError": (Refusal("bet.window", "Come is made while a point is on."),),
    "RecordError": (3, 5, "plase", "a wager", "mine.craps"),
    **dict.fromkeys(("ArgumentError", "ArgumentTypeError"), ("rolls", "0", "a whole number from 1")),
    "CalledError": ("name", "'Ann Lee'", "one word", "Ann-Lee"),
    "CodecError": ("event.wager_won", "stake", "12.5", "a whole number"),
    "LanguageError": ("`plase`", "a wager", "place"),
    "ServiceError": (401, "token.wrong", "This token does not count any more."),
    "UnknownClauseError": ("sydney:6.77", "sydney:6.7"),
    "WagerMissingError": ("strip does not book fire", ("fire",), ("adelaide",)),
    **dict.fromkeys(
        ("FileError", "HouseFileError", "RecordFileError", "StrategyFileError"),
        ([Finding("mine.toml", "notice.mn", "an unknown key", "a key of this section", "min")],),
    ),
}
"""How each error is made that has more than a sentence."""

ELSEWHERE = {
    "PydanticCustomError": "inside a validator: Pydantic collects it, and the reader says it as a finding",
    "Exit": "Typer's way of leaving a command",
    "BadZipFile": "caught in the same module: a cache that cannot be read is built again",
    "Misfit": "never leaves the codec: it gathers its path there and becomes a CodecError",
    "Refused": "never leaves the floor: its register hands the refusal back as a value",
    "Problem": "an answer over HTTP: it never leaves the service",
    "Ask": "a dealer's question: it never leaves table talk, and is handed back as a value",
    "NotUnderstood": "words that no dealer knows: the same",
    "Unfit": "a scene of which a drill cannot ask: it never leaves the school, which tries another",
    "Stopped": "a signal, which nothing may mistake for an error",
}
"""Names that are raised and are neither ours nor Python's, and why."""


def test_every_error_stands_beneath_one_base() -> None:
    """`except PasslineError` catches all that this project raises by name."""
    assert all(issubclass(kind, PasslineError) for kind in OURS.values())


def test_everything_raised_is_in_the_tree_or_pythons_own() -> None:
    """No module keeps an error of its own, but for a private one that never leaves it."""
    strangers = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            kept = isinstance(node, ast.ClassDef) and (node.name in ELSEWHERE or node.name.startswith("_"))
            if isinstance(node, ast.ClassDef) and path.name != "errors.py" and not kept:
                bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
                if any(base.endswith(("Error", "Exception")) or base in OURS for base in bases):
                    strangers.add(f"{path.name}: class {node.name}")
            if isinstance(node, ast.Raise) and node.exc is not None:
                raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
                name = ast.unparse(raised).rpartition(".")[2]
                if name[0].isupper() and not (name in OURS or name in ELSEWHERE or hasattr(builtins, name)):
                    strangers.add(f"{path.name}: raise {name}")
    assert not strangers


@pytest.mark.parametrize("name", OURS)
def test_an_error_travels_with_its_message_and_its_parts(name: str) -> None:
    """A worker's error reaches the process that asked."""
    made = OURS[name](*MADE.get(name, ("it cannot be done",)))
    back = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own bytes
    assert (type(back), str(back), vars(back)) == (type(made), str(made), vars(made))
    assert str(made)
    assert inspect.getdoc(OURS[name])
