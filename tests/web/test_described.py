"""The service does what it says of itself, to everybody; many more requests are the campaign's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.web.app import routes
from tests.web.described import Describing, said
from tests.web.scene import Scene

if TYPE_CHECKING:
    from pathlib import Path

UNLISTED = {"GET /openapi.json", "GET /page/{version}/{name:path}"}
"""What is no operation of the description: itself, and the files of the page."""


@pytest.mark.slow
def test_every_operation_is_as_it_is_described_and_granted_to_somebody(tmp_path: Path) -> None:
    """Right requests, made-up ones, corners of the schema, as nine askers: no 5xx, nothing that is not declared."""
    scene = Scene(tmp_path, spare=12)
    with scene.server.closing():
        heard = Describing(scene, examples=1, corners=2).run()
    print(said(heard))  # noqa: T201 - how many operations there were, whatever came of it
    assert heard.wrong == []
    assert heard.never == [], "nobody was granted these: give each a right request in tests/web/scene.py"
    assert {*heard.granted, *UNLISTED} >= set(routes())
