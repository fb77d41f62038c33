"""What each house pays and how it plays, as `rulebooks/wagers.csv` and the option table of `ambiguities.md` have it.

Numbers in brackets are decisions of `rulebooks/pinned.md`; letters (X-01, F-17 ...) are readings of `ambiguities.md`;
the rest (adelaide 13(a), sydney 3.9 ...) are clauses.
"""

from fractions import Fraction

HOUSES = ("adelaide", "sydney", "exhibit-a", "fire-bonus")
POINTS = (4, 5, 6, 8, 9, 10)
CRAPS = (2, 3, 12)
HARD = (4, 6, 8, 10)
HORN = (2, 3, 11, 12)

# ---------------------------------------------------------------------------------------------------------------
# Prices, all as profit per unit staked ("to"; a "for" price pays one less: pinned 62, X-10).

TRUE_ODDS = {
    4: Fraction(2),
    5: Fraction(3, 2),
    6: Fraction(6, 5),
    8: Fraction(6, 5),
    9: Fraction(3, 2),
    10: Fraction(2),
}
TRUE_LAYS = {n: 1 / price for n, price in TRUE_ODDS.items()}

TAKEN_ODDS = {
    "adelaide": TRUE_ODDS,
    "sydney": TRUE_ODDS,
    # E-04: even money on 6 and 8, as written.
    "exhibit-a": {
        4: Fraction(2),
        5: Fraction(3, 2),
        6: Fraction(1),
        8: Fraction(1),
        9: Fraction(3, 2),
        10: Fraction(2),
    },
    "fire-bonus": TRUE_ODDS,
}
LAID_ODDS = {
    "adelaide": TRUE_LAYS,  # '6 & 9' is a misprint for 6 & 8
    "sydney": TRUE_LAYS,
    # E-03: 3 to 4 on 5, 9, 6 and 8, as written.
    "exhibit-a": {
        4: Fraction(1, 2),
        5: Fraction(3, 4),
        6: Fraction(3, 4),
        8: Fraction(3, 4),
        9: Fraction(3, 4),
        10: Fraction(1, 2),
    },
    "fire-bonus": TRUE_LAYS,
}
USUAL_PLACE = {
    4: Fraction(9, 5),
    5: Fraction(7, 5),
    6: Fraction(7, 6),
    8: Fraction(7, 6),
    9: Fraction(7, 5),
    10: Fraction(9, 5),
}
PLACE = {
    "adelaide": USUAL_PLACE,
    "sydney": USUAL_PLACE,
    "exhibit-a": {
        4: Fraction(7, 4),
        5: Fraction(5, 4),
        6: Fraction(1),
        8: Fraction(1),
        9: Fraction(5, 4),
        10: Fraction(7, 4),
    },
    "fire-bonus": USUAL_PLACE,
}
PLACE_LOSE = {
    4: Fraction(5, 11),
    5: Fraction(5, 8),
    6: Fraction(4, 5),
    8: Fraction(4, 5),
    9: Fraction(5, 8),
    10: Fraction(5, 11),
}
HARDWAYS = {
    "adelaide": {4: Fraction(7), 6: Fraction(9), 8: Fraction(9), 10: Fraction(7)},
    "sydney": {4: Fraction(15, 2), 6: Fraction(19, 2), 8: Fraction(19, 2), 10: Fraction(15, 2)},  # S-19
    "exhibit-a": {4: Fraction(7), 6: Fraction(9), 8: Fraction(9), 10: Fraction(7)},
    "fire-bonus": {4: Fraction(7), 6: Fraction(9), 8: Fraction(9), 10: Fraction(7)},  # 8 and 10 for 1
}
ONE_NUMBER = {  # what the single totals 2, 3, 11, 12 pay; horns and worlds are made of these
    "adelaide": {2: Fraction(32), 3: Fraction(15), 11: Fraction(15), 12: Fraction(32)},
    "sydney": {2: Fraction(33), 3: Fraction(16), 11: Fraction(16), 12: Fraction(33)},
    "exhibit-a": {2: Fraction(30), 3: Fraction(15), 11: Fraction(15), 12: Fraction(30)},
    "fire-bonus": {2: Fraction(29), 3: Fraction(14), 11: Fraction(14), 12: Fraction(29)},  # 30 and 15 for 1
}
ANY_SEVEN = Fraction(4)  # fire-bonus: 5 for 1
ANY_CRAPS = {"adelaide": Fraction(7), "sydney": Fraction(15, 2), "exhibit-a": Fraction(7)}
FIELD = {2: 2, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1, 12: 2}
HOP_HARD = Fraction(29)  # 30 for 1
FIRE = {3: 6, 4: 29, 5: 149, 6: 299}  # 7, 30, 150, 300 for 1 (62)
BONUS_PAYS = {"all_small": 34, "all_tall": 34, "make_em_all": 175}  # F-13: to
BONUS_NEEDS = {
    "all_small": {2, 3, 4, 5, 6},
    "all_tall": {8, 9, 10, 11, 12},
    "make_em_all": {2, 3, 4, 5, 6, 8, 9, 10, 11, 12},
}

BAR = {"adelaide": 12, "sydney": 2, "exhibit-a": 12, "fire-bonus": 12}
ROUND_UP = {"adelaide": True, "sydney": True, "exhibit-a": False, "fire-bonus": False}  # X-16, pinned 61
ON_SPEAKS_FOR_KIND = {"adelaide": True, "sydney": True, "exhibit-a": False, "fire-bonus": True}  # A-10, pinned 48
DEFAULT_ODDS: dict[str, int | None] = {"adelaide": 10, "sydney": 2, "exhibit-a": 1, "fire-bonus": None}  # pinned 8

CALLABLE = ("place", "buy", "come_odds", "hard")  # X-30, pinned 44
ODDS_KINDS = ("pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds")
LINE = ("pass", "dont_pass")
PROPS = (  # pinned 10c
    "hard",
    "hop_hard",
    "any_seven",
    "any_craps",
    "craps",
    "eleven",
    "horn",
    "horn_high",
    "craps_eleven",
    "world",
)
ONE_ROLL = (
    "field",
    "hop_hard",
    "any_seven",
    "any_craps",
    "craps",
    "eleven",
    "horn",
    "horn_high",
    "craps_eleven",
    "world",
)
SIDE = ("fire", "all_small", "all_tall", "make_em_all")
PARTS = {"horn": 4, "horn_high": 5, "world": 5, "craps_eleven": 2}  # X-12, pinned 20

# Every key that can ever lie on a felt: key -> (kind, number).
KEYS: dict[str, tuple[str, int]] = {}
for _kind in (
    "pass",
    "dont_pass",
    "come",
    "dont_come",
    "pass_odds",
    "dont_pass_odds",
    "field",
    "any_seven",
    "any_craps",
):
    KEYS[_kind] = (_kind, 0)
for _kind in ("eleven", "horn", "craps_eleven", "world", "fire", "all_small", "all_tall", "make_em_all"):
    KEYS[_kind] = (_kind, 0)
for _kind in ("come_odds", "dont_come_odds", "place", "place_lose", "buy", "lay"):
    for _n in POINTS:
        KEYS[f"{_kind}_{_n}"] = (_kind, _n)
for _n in POINTS:
    KEYS[f"come_{_n}"] = ("come_on", _n)
    KEYS[f"dont_come_{_n}"] = ("dont_come_on", _n)
for _n in HARD:
    KEYS[f"hard_{_n}"] = ("hard", _n)
    KEYS[f"hop_hard_{_n}"] = ("hop_hard", _n)
for _n in (6, 8):
    KEYS[f"big_{_n}"] = ("big", _n)
for _n in CRAPS:
    KEYS[f"craps_{_n}"] = ("craps", _n)
for _n in HORN:
    KEYS[f"horn_high_{_n}"] = ("horn_high", _n)

# Kinds of the list above that a house does not offer (wagers.csv, column offered); travelled bets are never *bet* (5).
NOT_OFFERED = {
    "adelaide": ("horn_high", "hop_hard", "fire", "all_small", "all_tall", "make_em_all"),
    "sydney": ("world", "hop_hard", "fire", "all_small", "all_tall", "make_em_all"),  # S-20
    "exhibit-a": (
        "place_lose",
        "buy",
        "lay",
        "big",
        "hop_hard",
        "fire",
        "all_small",
        "all_tall",
        "make_em_all",
    ),  # E-01
    "fire-bonus": ("place_lose", "any_craps", "craps_eleven"),  # F-03
}


def offers(house: str, key: str) -> bool:
    """Whether `key` can be bet in `house` (5)."""
    if key not in KEYS:
        return False
    kind, _ = KEYS[key]
    return kind not in ("come_on", "dont_come_on") and kind not in NOT_OFFERED[house]


# ---------------------------------------------------------------------------------------------------------------
# Who may do what at the table, and what makes a throw void.

DICE_IN_THE_SET = (1, 2, 3, 4, 5)  # adelaide 3, sydney 2.3, E-13, F-25
LOST_FOR_NEW_SET = {"adelaide": 1, "sydney": 2, "exhibit-a": 1, "fire-bonus": 1}

LATE_BETS = {"sydney": "either", "exhibit-a": "both"}  # S-26, E-08; the others take none
SPOKEN_TO = {
    "adelaide": {"dealer", "box"},  # 5(a)
    "sydney": {"dealer", "box"},  # 6.3.2
    "exhibit-a": {"dealer"},  # making (2)
    "fire-bonus": {"dealer", "stick"},  # PROP.3
}
ON_CONFIRMED_BY = {
    "adelaide": {"dealer", "box"},
    "sydney": {"dealer", "box"},
    "exhibit-a": {"dealer"},  # E-19
    "fire-bonus": {"dealer"},
}
NO_ROLL_CALLERS = {
    "adelaide": {"box", "stick"},  # 91: unless the sign designates one
    "sydney": {"stick", "supervisor", "box"},  # 5.1: a boxperson is a casino supervisor
    "exhibit-a": {"box"},  # invalid (2)
    "fire-bonus": {"dealer", "stick", "box", "supervisor"},  # the floor crew
}
RULES_ON_FACES = {"adelaide": "box", "sydney": "box", "exhibit-a": "box", "fire-bonus": "supervisor"}
TAKES_DICE_AWAY = {"adelaide": "box", "sydney": "box", "exhibit-a": "box", "fire-bonus": "supervisor"}
TAKEN_AWAY_FOR = {
    "adelaide": {"delay", "invalid rolls", "breach"},  # 13(a)(ii)
    "sydney": {"delay", "invalid rolls", "breach"},  # 3.7.2
    "exhibit-a": {"delay", "invalid rolls", "breach"},  # continuation (1)(ii)
    "fire-bonus": {"delay"},  # HOUSE-RULES.2
}

VOID = {  # flaws that void a throw by themselves, or must be called
    "adelaide": {  # 11(a)
        "off-table",
        "left-and-returned",
        "stacked",
        "on-bank",
        "in-cup",
        "on-rail",
        "cheating",
        "unapproved-dice",
    },
    "sydney": {  # 5.3
        "off-table",
        "stacked",
        "on-bank",
        "in-cup",
        "on-rail",
        "cocked",
        "wrong-thrower",
        "cheating",
        "unapproved-dice",
    },
    "exhibit-a": {"off-table", "left-and-returned", "stacked", "cocked", "unapproved-dice"},  # invalid (1), 98
    "fire-bonus": {"off-table", "left-and-returned", "stacked", "cocked", "unapproved-dice"},  # 89, 98
}
STANDS = {  # flaws for which No Roll may be called: said of a throw that nobody called, it counts
    "adelaide": {"not-together", "no-end-struck", "improper", "out-of-view"},  # 11(b)
    "sydney": {"left-and-returned", "not-together", "no-end-struck", "irregular", "improper"},  # 5.2, S-29
    "exhibit-a": {"not-together", "no-end-struck", "on-bank", "in-cup", "on-rail", "cheating", "improper"},  # E-14
    "fire-bonus": {"not-together", "no-end-struck", "on-bank", "in-cup", "on-rail", "cheating", "improper"},  # F-25
}
