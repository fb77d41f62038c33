"""What an act costs at a table of twelve with every page open, beside the act alone; what an idle phone downloads.

`bench/pages.py` prints one object of JSON: processor time in one process, both ways in one run, the median of seven.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.pages import Figures, measure

RUNS = 7


def run() -> Figures:
    """One house, opened and closed."""
    with TemporaryDirectory() as folder:
        return asyncio.run(measure(Path(folder), rounds=10))


runs = [{**asdict(figures), "ratio": figures.ratio} for figures in (run() for _ in range(RUNS))]
print(json.dumps({name: median(each[name] for each in runs) for name in runs[0]}, indent=1, sort_keys=True))
