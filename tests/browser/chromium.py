"""A Chromium: the one that is named, the one on the path, or the one that npm brings; never by root."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
SWITCHES = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--mute-audio")
SCRIPT = "import('@sparticuz/chromium').then(async (m) => console.log(await m.default.executablePath()))"


def chromium() -> str:
    """The path of a Chromium that runs here."""
    named = os.environ.get("PASSLINE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if named:
        return named
    found = subprocess.run(  # the npm package unpacks itself into the temporary folder
        ["node", "-e", SCRIPT], cwd=ROOT / "browser", check=True, capture_output=True, text=True, timeout=120
    )
    return found.stdout.strip()
