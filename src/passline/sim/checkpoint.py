"""A run that can be killed: which sessions have come back, and what they add up to, in one small file.

The file holds the sums of a question and the ranges of sessions in them; whoever asks the same question again goes on
with the rest. Any cut gives the same sums, so the end is the same as without a stop. Where the sessions themselves are
wanted, those of each piece lie in a file beside it, which is there before the sums say so.
"""

import json
import re
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from passline.errors import ArgumentError, CheckpointError, short_repr
from passline.files.arguments import instance
from passline.files.needed import needed
from passline.files.whole import check_writable, whole_file, write_whole
from passline.sim.backends import Part, Played
from passline.sim.game import Ending, Game
from passline.sim.sample import Histogram

Receive = Callable[[int, Played], None]
FORMAT: Final = 1
EVERY_S: Final = 5.0  # how long the file may be behind


@dataclass(slots=True)
class Checkpoint:
    path: Path
    question: dict[str, Any]  # what decides the sums: another one is refused
    # Sessions that are in the sums, from a first to before an end, in rising order.
    ranges: list[tuple[int, int]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    _written: float = field(default_factory=time.monotonic)

    @classmethod
    def opened(cls, folder: Path | str, game: Game, watched: int) -> "Checkpoint":
        """The checkpoint of this question in a folder, new or as it was left; another question's is refused."""
        instance("checkpoint", folder, (str, Path), "a folder")
        place = Path(folder)
        try:
            place.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise CheckpointError(f"{short_repr(str(folder))}: no folder for a checkpoint: {error}") from error
        about = {key: game.source.about.get(key) for key in ("strategy", "house")}
        question: dict[str, Any] = {"machine": game.source.digest(), "limits": str(game.limits), "dice": str(game.dice)}
        question |= {"watched": watched, **about, "seed": game.seed}
        names = "-".join(str(name or "any") for name in about.values())
        path = place / ("".join(each if each.isalnum() or each in "-_" else "_" for each in names) + ".json")
        new = cls(path, question)
        if path.exists():
            new._read()
        return new

    def _read(self) -> None:
        try:
            saved = json.loads(self.path.read_text(encoding="utf-8"))
            made_in, question = saved["format"], saved["question"]
            ranges = [(int(first), int(end)) for first, end in saved["ranges"]]
            part = _part(saved["part"]) if saved["part"] else None
        except (OSError, ValueError, KeyError, TypeError) as error:
            way_out = "Move it away to begin anew, or give another folder."
            raise CheckpointError(f"{self.path}: no checkpoint that can be read: {error}. {way_out}") from error
        if made_in != FORMAT:
            raise CheckpointError(f"{self.path}: a checkpoint of another version; give another folder")
        # Sessions that are watched are rolled anew each time, so that where no others came back their number is free.
        free = "watched" if part is None else None
        other = [name for name, value in self.question.items() if name != free and question.get(name) != value]
        if other:
            differs = f"it differs in {', '.join(other)}. Ask that one again, or give another folder."
            raise CheckpointError(f"{self.path} is a checkpoint of another question: {differs}")
        if part is not None and part.sessions != sum(end - first for first, end in ranges):
            raise CheckpointError(f"{self.path}: its sums are not of the sessions that it names")
        self.ranges, self.parts = ranges, [] if part is None else [part]

    def left(self, first: int, end: int) -> list[tuple[int, int]]:
        """The sessions of a range that have not come back."""
        if self.ranges and (self.ranges[0][0] < first or self.ranges[-1][1] > end):
            raise CheckpointError(f"{self.path} has sessions up to {self.ranges[-1][1]:,}; ask for at least as many")
        missing, at = [], first
        for begin, until in self.ranges:
            missing += [(at, begin)] if begin > at else []
            at = until
        return missing + ([(at, end)] if end > at else [])

    def add(self, first: int, part: Part) -> None:
        self.ranges = _joined([*self.ranges, (first, first + part.sessions)])
        self.parts.append(part)
        if time.monotonic() - self._written > EVERY_S:
            self.write()

    def write(self) -> None:
        """Write it whole: a kill leaves the file before or the file after."""
        if self.parts:
            self.parts = [Part.sum(self.parts)]
        part = {each.name: getattr(self.parts[0], each.name) for each in fields(Part)} if self.parts else None
        values = {"format": FORMAT, "question": self.question, "ranges": self.ranges, "part": part}
        counted = json.dumps(values, default=lambda seen: [seen.values.tolist(), seen.counts.tolist()])
        write_whole(self.path, counted + "\n")
        self._written = time.monotonic()

    def with_rows(self) -> None:
        """Make ready to keep sessions: drop those that a kill left out of the sums; all in the sums must be there."""
        for first, end, file in self._files():
            if not any(begin <= first and end <= until for begin, until in self.ranges):
                file.unlink()
        if _joined((first, end) for first, end, _ in self._files()) != self.ranges:
            way_out = "Ask without rows, or give another folder."
            raise CheckpointError(f"{self.path} has sessions that were rolled without their rows. {way_out}")

    def keep(self, first: int, played: Played) -> None:
        """Write the sessions of a piece; to be done before they are added."""
        name = f"{self.path.stem}-rows-{first}-{first + len(played.net)}.npz"
        with whole_file(self.path.with_name(name)) as part:
            np.savez(part, **{each.name: getattr(played, each.name) for each in fields(Played)})

    def rows(self, at: int) -> Iterator[tuple[int, Played]]:
        """The sessions that were kept, in their order, from one on up to the first that is missing."""
        until = next((end for begin, end in self.ranges if begin == at), at)
        for first, _, file in (each for each in self._files() if each[1] <= until):
            try:
                with np.load(file) as saved:
                    played = Played(**{each.name: saved[each.name] for each in fields(Played)})
            except (OSError, ValueError, KeyError) as error:
                raise CheckpointError(f"{file}: no rows that can be read: {error}. Give another folder.") from error
            yield first, played

    def _files(self) -> list[tuple[int, int, Path]]:
        name = re.compile(re.escape(self.path.stem) + r"-rows-(\d+)-(\d+)\.npz")
        files = ((name.fullmatch(file.name), file) for file in self.path.parent.iterdir())
        return sorted((int(match[1]), int(match[2]), file) for match, file in files if match)


def _joined(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in rising order, those that meet made one."""
    joined: list[tuple[int, int]] = []
    for begin, until in sorted(ranges):
        if joined and joined[-1][1] == begin:
            joined[-1] = joined[-1][0], until
        else:
            joined.append((begin, until))
    return joined


def kept_seed(folder: Path | str) -> int | None:
    """The seed of the checkpoints in a folder, for whoever goes on without naming one; None where there are none."""
    for path in sorted(Path(folder).glob("[!.]*.json")):  # what a kill left half written begins with a dot
        try:
            seed = json.loads(path.read_text(encoding="utf-8"))["question"]["seed"]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if isinstance(seed, int):
            return seed
    return None


def _part(written: dict[str, Any]) -> Part:
    counted = {}
    for name in ("net", "ruin"):
        values, counts = (np.array(each, dtype=np.int64) for each in written[name])
        if len(values) != len(counts):
            raise ValueError(f"{name} has values without counts")
        counted[name] = Histogram(values, counts)
    part = Part(**{**written, **counted, "endings": tuple(written["endings"])})
    if part.net.total != part.sessions or len(part.endings) != len(Ending) or sum(part.endings) != part.sessions:
        raise ValueError("its counts do not add up")
    return part


ENDINGS: Final = np.array([ending.name.lower() for ending in Ending])


@contextmanager
def rows_file(path: Path | str, minor_unit: Fraction) -> Generator[Receive]:
    """What takes sessions in their order, and a file that is whole when it is left; needs Polars.

    Columns: `session`, `net` and `action` as money, `net_grains` to the last minor unit, `rolls`, `hands`, `ending`,
    `run_out`. Pieces wait in a folder beside it and are made one in the end, so that no more than one is held.
    """
    instance("rows", path, (str, Path), "a path")
    try:
        check_writable(path, (".parquet",))
    except (OSError, ValueError) as error:
        raise ArgumentError("rows", short_repr(str(path)), f"a .parquet file that can be written: {error}") from error
    polars: Any = needed("polars", "a file of rows")
    worth = float(minor_unit)
    with whole_file(path) as whole, TemporaryDirectory(dir=whole.parent, prefix=".rows-") as folder:

        def take(first: int, played: Played) -> None:
            columns = {
                "session": np.arange(first, first + len(played.net)),
                "net": played.net * worth,
                "net_grains": played.net,
                "rolls": played.rolls,
                "hands": played.hands,
                "ending": ENDINGS[played.ending].tolist(),
                "action": played.action * worth,
                "run_out": played.run_out,
            }
            polars.DataFrame(columns).write_parquet(Path(folder) / f"{first:020}.parquet")

        yield take
        polars.scan_parquet(folder).sink_parquet(whole)
