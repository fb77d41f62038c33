"""What an act costs at a table of twelve with every page open, beside the act alone; what an idle phone downloads.

`bench/pages.py` prints one line of JSON; figures are processor time in one process, both ways in one run.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.pages import measure

with TemporaryDirectory() as folder:
    figures = asyncio.run(measure(Path(folder), rounds=10))
print(json.dumps({**asdict(figures), "ratio": figures.ratio}))
