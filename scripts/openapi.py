"""Writes the description of the service as JSON: what the types of the browser table are made from."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from passline.journal.sql import open_journal
from passline.pit.keys import keys_at
from passline.pit.pit import Pit
from passline.web.app import make_app
from passline.web.service import Service

with TemporaryDirectory() as folder:
    pit = Pit(open_journal(str(Path(folder) / "pit.db")), keys_at(Path(folder) / "keys.json"))
    service = Service(pit)
    described = make_app(service).openapi()
    service.close()
for path in described["paths"].values():  # every other answer is a problem, and those are all alike
    for method in path.values():
        method["responses"] = {code: each for code, each in method["responses"].items() if code.startswith("2")}
Path(sys.argv[1]).write_text(json.dumps(described, indent=1, sort_keys=True) + "\n", "utf-8")
