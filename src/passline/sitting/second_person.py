"""The crew's sentences are about players by name; said to the player's face they are about *you*."""

from __future__ import annotations

import re

YOU = "You"
"""The name of a player who gave none."""

VERBS = {
    "bets": "bet",
    "buys": "buy",
    "declines": "decline",
    "gets": "get",
    "gives": "give",
    "is": "are",
    "leaves": "leave",
    "lost": "lost",
    "loses": "lose",
    "picks": "pick",
    "sits": "sit",
    "takes": "take",
    "throws": "throw",
}

SUBJECT = re.compile(rf"^{YOU} (\w+)\b")
OWNER = re.compile(rf"\b{YOU}'s\b")
OBJECT = re.compile(rf"(?<=[\w,] ){YOU}\b")


def to_you(sentence: str) -> str:
    """Turn a sentence about a player called You into one said to them.

    >>> to_you("You bets 10 on Win Line and pays 1 commission."), to_you("12 down from You's Field.")
    ('You bet 10 on Win Line and pay 1 commission.', '12 down from your Field.')
    """
    found = SUBJECT.match(sentence)
    if found:
        verb = VERBS.get(found.group(1), found.group(1))
        sentence = f"{YOU} {verb}{sentence[found.end() :]}".replace(" and pays ", " and pay ")
    if sentence.startswith(f"{YOU}'s"):
        return "Your" + sentence[len(YOU) + 2 :]
    return OBJECT.sub("you", OWNER.sub("your", sentence))
