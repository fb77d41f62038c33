"""axe-core in the page: nothing that it can find fault with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "browser" / "node_modules" / "axe-core" / "axe.min.js"


ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""What another scheme of colours can change."""


def check(page: Page, only: object = ALL) -> None:
    """Complain of every violation on the page as it is now, by WCAG 2.2 AA and good practice."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE.read_text("utf-8") + "\n;undefined")
    found: dict[str, Any] = page.evaluate("(only) => axe.run(document, {runOnly: only})", only)
    told = [
        f"{rule['id']}: {rule['help']}\n    "
        + "\n    ".join(f"{node['target']} {node['failureSummary']}" for node in rule["nodes"][:3])
        for rule in found["violations"]
    ]
    assert not told, "\n".join(told)


def check_both(page: Page) -> None:
    """All of it in the dark, and what the light changes."""
    schemes: tuple[tuple[Literal["dark", "light"], object], ...] = (("dark", ALL), ("light", COLOURS))
    for scheme, only in schemes:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
        check(page, only)
