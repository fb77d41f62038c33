"""Commands run in this process, and what they must be like when they fail."""

from __future__ import annotations

import json
from typing import Any

from typer.testing import CliRunner, Result

from passline.cli.app import app


def run(*words: object) -> Result:
    """What a command line says and how it leaves."""
    return CliRunner().invoke(app, [str(word) for word in words])


def told(*words: object) -> list[dict[str, Any]]:
    """The JSON objects that a command prints, one a line."""
    result = run(*words, "--json")
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def refused(*words: object, code: int) -> str:
    """The sentence of a command that fails: on standard error, nothing on standard output, no traceback."""
    result = run(*words)
    assert result.exit_code == code, (result.exit_code, result.output)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert not result.stdout
    assert "Traceback" not in result.stderr
    sentence = result.stderr.strip()
    assert sentence
    return sentence
