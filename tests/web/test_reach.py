"""Where others find a server."""

from __future__ import annotations

import pytest

from passline.web.reach import reach


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
