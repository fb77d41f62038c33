"""What a live table says no with by itself: every sentence of `refusals.toml` by the code it is said under.

The table takes its words from here, and who checks a journal looks whether they are these.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from passline.engine.refusals import Refusal, Refused

# No amount is larger, so that every balance is a whole number of 64 bits and exact in every language.
AMOUNT_MAX = 10**15

# By code, and by what was asked for or is wrong with it.
SENTENCES: Mapping[str, Mapping[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def no(code: str, which: str, seat: int | None = None, **words: object) -> Refusal:
    return Refusal(code, SENTENCES[code][which].format_map(words), None, seat)


def deny(code: str, which: str, seat: int | None = None, **words: object) -> NoReturn:
    """End the act that is being decided: what is written of it is that it was refused."""
    raise Refused(no(code, which, seat, **words))
