"""Machines kept on disk, each under the hash of everything that made it: change any of that and a new one is made."""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

from passline.files.reading import is_file
from passline.files.whole import whole_file
from passline.machine.build import STATES_MAX, build, purse_for
from passline.machine.machine import FORMAT, Machine
from passline.machine.terms import Seating, Terms
from passline.rulebooks.read import book_digest
from passline.strategies.language.strategy import Strategy

PLACE = "PASSLINE_CACHE"  # the variable that moves the store, or with one of `OFF` does without
OFF = frozenset({"", "0", "off", "no", "none"})  # words that mean: keep nothing
BYTES_MAX = 256 * 1024 * 1024  # how much disk the store may take; what was used longest ago goes first
MAKERS = ("engine", "strategies", "machine")  # the packages whose code decides what a machine is


def folder() -> Path | None:
    """Where machines are kept; None: nowhere."""
    setting = os.environ.get(PLACE)
    if setting is not None:
        return None if setting.strip().lower() in OFF else Path(setting)
    from platformdirs import user_cache_path  # only whoever keeps machines needs it

    place = user_cache_path("passline", appauthor=False) / "machines"
    return place if place.is_absolute() else None  # nobody's home is known


def machine_for(  # noqa: PLR0913 - as `build`, and how much may be kept
    strategy: Strategy,
    seating: Seating,
    terms: Terms | None = None,
    *,
    states_max: int = STATES_MAX,
    progress: Callable[[int, int], None] | None = None,
    bytes_max: int = BYTES_MAX,
) -> Machine:
    """Give the machine of a strategy at a seat, as `build` makes it: the kept one, or a new one, kept from now on."""
    sign = seating.notice
    options = {
        "unit": str(seating.unit),
        "notice": None if sign is None else {**sign._asdict(), "odds": sign.odds and sorted(sign.odds.items())},
        "chips": seating.float_cents,
        "max_bet": str(seating.max_bet),
        "purse": list(map(str, purse_for(strategy, terms))),
    }
    made_by = {"house": book_digest(seating.book), "strategy": strategy.digest, "code": code_digest(), "format": FORMAT}
    keys = {
        deep: hashlib.sha256(json.dumps({**made_by, **options, "rolls": deep}, sort_keys=True).encode()).hexdigest()
        for deep in (None, None if terms is None else terms.rolls)
    }
    place = folder()
    for key in keys.values():
        cached = None if place is None else _read(place / f"{key}.npz")
        if cached is not None and cached.states <= states_max:
            return cached
    machine = build(strategy, seating, terms, states_max=states_max, progress=progress)
    if place is not None:
        # A full or read-only disk costs the next start some time, and nobody the answer.
        with contextlib.suppress(OSError):
            place.mkdir(parents=True, exist_ok=True)
            with whole_file(place / f"{keys[machine.about['rolls']]}.npz") as part:
                machine.save(part)
            _sweep(place, bytes_max)
    return machine


@cache
def code_digest() -> str:
    """A hash of the code that makes machines: a new engine never plays an old engine's machine."""
    sha = hashlib.sha256()
    here = Path(__file__).parents[1]
    for path in sorted(path for package in MAKERS for path in (here / package).rglob("*.py")):
        sha.update(path.relative_to(here).as_posix().encode())
        sha.update(path.read_bytes())
    return sha.hexdigest()


def _read(path: Path) -> Machine | None:
    """A kept machine; a spoiled one is thrown away and counts as none."""
    if not is_file(path):
        return None
    try:
        machine = Machine.load(path)
        os.utime(path)
    except (OSError, ValueError):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        return None
    return machine


def _sweep(place: Path, bytes_max: int) -> None:
    """Make room: what was used longest ago goes first, and the newest stays whatever its size."""
    cached = [(path.stat().st_mtime_ns, path.stat().st_size, path) for path in place.glob("*.npz")]
    total = 0
    for place_in_line, (_, size, path) in enumerate(sorted(cached, reverse=True)):
        total += size
        if total > bytes_max and place_in_line:
            path.unlink(missing_ok=True)
