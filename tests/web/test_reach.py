"""Where others find a server."""

from __future__ import annotations

import pytest

from passline.cli.serve import _again
from passline.web.addresses import reach


@pytest.mark.parametrize(
    ("host", "found"),
    [
        ("127.0.0.1", ()),
        ("localhost", ()),
        ("::1", ()),
        ("192.0.2.7", ("http://192.0.2.7:8000",)),
        ("2001:db8::7", ("http://[2001:db8::7]:8000",)),
    ],
)
def test_one_address_is_that_one_and_oneself_is_nobody_elses(host: str, found: tuple[str, ...]) -> None:
    """As it is written in an address."""
    assert reach(host, 8000) == found


def test_everywhere_is_by_every_address_but_the_machines_own_to_itself() -> None:
    """Each is one that somebody else could go to."""
    for found in reach("0.0.0.0", 80):  # noqa: S104 - so that others reach it
        assert found.startswith("http://")
        assert found.endswith(":80")
        assert "//127." not in found


@pytest.mark.parametrize(
    ("journal", "keys", "said"),
    [
        ("pit.db", None, "passline serve --journal pit.db"),
        ("our pit.db", "k.json", "passline serve --journal 'our pit.db' --keys k.json"),
        ("postgresql://ann:secret@db/pit", None, "passline serve --journal postgresql://ann@db/pit"),
    ],
)
def test_the_command_that_lets_others_in_serves_the_same_tables(
    monkeypatch: pytest.MonkeyPatch, journal: str, keys: str | None, said: str
) -> None:
    """From the same journal; no page is told a password."""
    monkeypatch.delenv("PASSLINE_CALLED", raising=False)
    assert _again(journal, keys) == said
