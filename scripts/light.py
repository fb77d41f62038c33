"""`scripts/wheel-test`: what the core weighs in a clean environment, and how long its first table takes."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import distributions
from importlib.resources import files
from pathlib import Path

import passline

MEGABYTES, PACKAGES, SECONDS = 60, 14, 0.5
FIRST = "import time; from passline import Table; Table('sydney'); print(time.process_time())"


def processor_seconds() -> float:
    """From the start of the interpreter to a table, by the processor's clock: a busy machine does not count."""
    runs = [subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=True) for _ in range(3)]
    return min(float(run.stdout) for run in runs)


def main() -> None:
    assert passline.__file__.startswith(sys.argv[1]), f"that is not the wheel: {passline.__file__}"
    for name in ("py.typed", "rulebooks/clauses.csv", "web/page/index.html", "web/page/index.js"):
        assert files(passline).joinpath(name).is_file(), f"the wheel has no {name}"
    site = Path(passline.__file__).parents[1]
    size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file()) / 1e6
    packages = sorted(each.name for each in distributions() if each.name not in {"pip", "setuptools"})
    seconds = processor_seconds()
    print(f"{size:.1f} MB in {len(packages)} packages; a first table in {seconds:.2f} s: {', '.join(packages)}")
    assert size <= MEGABYTES, f"{size:.1f} MB; at most {MEGABYTES}"
    assert len(packages) <= PACKAGES, f"{len(packages)} packages; at most {PACKAGES}"
    assert seconds <= SECONDS, f"{seconds:.2f} s; at most {SECONDS}"


if __name__ == "__main__":
    main()
