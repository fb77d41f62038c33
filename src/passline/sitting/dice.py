"""Where the dice come from: chance, a seed for practice, or nobody but the player."""

import re
import secrets
from collections.abc import Callable, Iterable
from hashlib import sha256

from passline.engine.values import ROLLS, Roll

Dice = Callable[[int], Roll]  # Gives the throw of a number: 0 is the first of the evening

# A byte below this falls on each of the 36 throws equally often; others are drawn again.
FAIR_BYTES = 256 // len(ROLLS) * len(ROLLS)

TYPED = re.compile(r"\s*(\d+)\s*[-, ]?\s*(\d+)\s*")


def shaken(_throw: int) -> Roll:
    """Two random dice; `randbelow` keeps all 36 throws equally likely."""
    return ROLLS[secrets.randbelow(len(ROLLS))]


def seeded(seed: str) -> Dice:
    """The same dice every time for the same seed, on every machine."""

    def dice(throw: int) -> Roll:
        draw = 0
        while True:
            for byte in sha256(f"passline play {seed} {throw} {draw}".encode()).digest():
                if byte < FAIR_BYTES:
                    return ROLLS[byte % len(ROLLS)]
            draw += 1

    return dice


def listed(rolls: Iterable[str]) -> Dice:
    fixed = [read_faces(text) for text in rolls]
    waiting = iter(fixed)
    return lambda _throw: next(waiting)


def read_faces(text: str) -> Roll:
    """Read the faces of real dice as people type them: `4-2`, `4 2`, `42`.

    >>> read_faces("42"), read_faces("6-6")
    (Roll(first=4, second=2), Roll(first=6, second=6))
    """
    match = TYPED.fullmatch(text) if text.isascii() else None
    if match is None:
        raise ValueError(f"{text.strip() or 'nothing'!r} is not two dice; type their faces, such as 4-2")
    digits = match.group(1) + match.group(2)
    faces = (digits[0], digits[1]) if len(digits) == 2 else match.groups()
    roll = Roll(*(int(face[:6]) for face in faces))
    if not roll.is_possible:
        raise ValueError(f"a die shows 1 to 6, not {next(face for face in roll if not 1 <= face <= 6)}")
    return roll
