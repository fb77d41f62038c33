"""Plays a few hands at a table without a terminal and writes what the screen shows, as SVG."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import NamedTuple

from passline.house import House
from passline.sitting.door import Setup
from passline.sitting.sitting import Sitting, read_faces
from passline.terminal.screen import Craps

FOLDER = Path(__file__).parents[1] / "docs" / "screenshots"


class Picture(NamedTuple):
    """One picture: where, how large, which dice, which keys."""

    name: str
    house: str | None
    size: tuple[int, int]
    dice: str = ""
    keys: str = ""
    others: int = 2


PICTURES = (
    Picture("menu", None, (80, 24)),
    Picture("table", "adelaide", (80, 24), "4-2 5-4 6-3", "p p space o o c n 8 space c space"),
    Picture("large", "sydney", (120, 40), "6-4 3-2 5-3", "3 p space O c 2 space n 8 f space", 4),
    Picture("wide", "strip", (200, 50), "5-3 4-2 6-5", "3 p space o c n 6 m space space", 4),
    Picture("propositions", "fire-bonus", (80, 24), "3-3", "p space pagedown down down right enter down down enter"),
    Picture("why", "adelaide", (80, 24), "5-4 4-5", "3 p 1 p space O space y"),
)


async def take(picture: Picture) -> str:
    """Play a picture's keys and export what the screen shows."""
    sitting = None
    if picture.house is not None:
        waiting = map(read_faces, picture.dice.split())
        sitting = Sitting.open(House(picture.house), others=picture.others, seed="7", dice=lambda _throw: next(waiting))
        sitting.practice = False
    app = Craps(Setup(), sitting, pause_s=0)
    async with app.run_test(size=picture.size) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        for key in picture.keys.split():
            await pilot.press(key)
        await pilot.pause()
        return app.export_screenshot(
            title=f"passline play --house {picture.house}" if picture.house else "passline play"
        )


def main() -> None:
    """Write every picture."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for picture in PICTURES:
        path = folder / f"{picture.name}.svg"
        path.write_text(asyncio.run(take(picture)), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
