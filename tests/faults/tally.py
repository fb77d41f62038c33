"""What a gate exercised, so that none is green by absence."""

from __future__ import annotations

from collections import Counter


class Tally:
    """Counts what was tried; a gate that tried less than it promised has failed."""

    def __init__(self, gate: str, seed: int) -> None:
        self.gate, self.seed = gate, seed
        self.counts: Counter[str] = Counter()
        self.measured: dict[str, float] = {}
        self.found: list[str] = []
        """What was found wrong and did not end the gate."""

    def __setitem__(self, what: str, count: int) -> None:
        self.counts[what] = count

    def __getitem__(self, what: str) -> int:
        return self.counts[what]

    def most(self, what: str, value: float) -> None:
        """Keep the largest of what was measured."""
        self.measured[what] = max(value, self.measured.get(what, value))

    def least(self, **floors: int) -> None:
        """Fail where less was exercised than promised."""
        short = {what: f"{self.counts[what]} of {floor}" for what, floor in floors.items() if self.counts[what] < floor}
        assert not short, f"{self.gate}, seed {self.seed}: too little was tried: {short}; {self}"

    def __str__(self) -> str:
        counted = [f"{count:,} {what.replace('_', ' ')}" for what, count in self.counts.items()]
        measured = [f"{what.replace('_', ' ')} {value:,.3g}" for what, value in self.measured.items()]
        return f"{self.gate} (seed {self.seed}): {', '.join(counted + measured)}"
