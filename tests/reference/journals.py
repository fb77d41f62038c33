"""The second model plays what journals say: live tables, played at random, exported, and told to it as records.

`python -m tests.reference.journals --tables 50 --seed 7`. What it shares with ours is the record of the game alone;
rails, stakes, the puck and the shooter must come out as the journal's books and its live table have them.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

from passline.engine import commands as c
from passline.engine.values import Roll
from passline.journal.export import exported, imported
from passline.journal.memory import MemoryJournal
from passline.journal.records import record_of
from passline.pit.table import LiveTable
from passline.rulebooks.catalogue import house_files
from tests.pit.play import KEYS, by, new_table
from tests.reference.book import HOUSES
from tests.reference.book import KEYS as WAGERS
from tests.reference.model import replay, shown

RESULTS = Path(__file__).parents[2] / "bench" / "results" / "journals.json"


def played(house: str, rng: random.Random, acts: int) -> MemoryJournal:
    """A table with given dice at which two people bet whatever comes to them, much of it refused."""
    journal = MemoryJournal()
    table = new_table(journal, "t1", "given", house)
    wagers = sorted(WAGERS)
    for _ in range(acts):
        seat, who = rng.choice(((1, "ann"), (2, "bob")))
        command: c.Command
        match rng.randrange(8):
            case 0 | 1 | 2:
                command = c.Bet(seat, rng.choice(wagers), rng.choice((500, 1_000, 1_200, 2_500, 3_000)))
            case 3:
                command = c.Bet(seat, rng.choice(("pass", "come", "field")), 1_000)
            case 4:
                command = c.Shoot(seat)
            case 5:
                command = c.Take(seat, rng.choice(wagers))
            case _:
                command = c.Throw(Roll(rng.randint(1, 6), rng.randint(1, 6)))
        table.do(command, by(who))
    return journal


def compared(journal: MemoryJournal) -> tuple[int, list[str]]:
    """Where the second model and a journal differ, out of an export and nothing else."""
    told = imported(again := MemoryJournal(), exported(journal, ["t1"]))
    result = replay(record_of(again, told[0]))
    live, books = LiveTable(again, "t1", KEYS).live.table, again.balances("t1")
    wrong = []
    if (puck := live.puck or "off") != result.table["puck"]:
        wrong.append(f"the puck: {puck} in the journal, {result.table['puck']} by the model")
    if live.shooter != result.table["shooter"]:
        wrong.append(f"the shooter: {live.shooter} in the journal, {result.table['shooter']} by the model")
    for seat, theirs in result.table["seats"].items():
        if (rail := shown(books.get(f"rail/{seat}", 0))) != theirs["rail"]:
            wrong.append(f"rail {seat}: {rail} in the books, {theirs['rail']} by the model")
        start = f"felt/{seat}/"
        up = {name.removeprefix(start): shown(amount) for name, amount in books.items() if name.startswith(start)}
        if up != theirs["up"]:
            wrong.append(f"felt {seat}: {up} in the books, {theirs['up']} by the model")
    return len(result.acts), wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/campaign journals", description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=200, metavar="N", help="tables in each house; 200 unless told")
    parser.add_argument("--acts", type=int, default=150, metavar="N", help="acts at each table; 150 unless told")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    begun = time.monotonic()
    for house in sorted(set(HOUSES) & set(house_files())):
        for number in range(options.tables):
            rng = random.Random(f"{house} {options.seed} {number}")
            acts, wrong = compared(played(house, rng, options.acts))
            counts["tables"] += 1
            counts["acts"] += acts
            if wrong:
                counts["differences"] += 1
                print(f"{house}, table {number}: {'; '.join(wrong)}", flush=True)  # noqa: T201
    measured = {**counts, "seed": options.seed, "seconds": round(time.monotonic() - begun)}
    print(json.dumps(measured), flush=True)  # noqa: T201
    if not counts["differences"]:
        RESULTS.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    return int(bool(counts["differences"]))


if __name__ == "__main__":
    sys.exit(main())
