"""What the strategies of two other simulators cost; `python -m tests.acceptance.registries` writes the page."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from passline import Question, ask
from passline.errors import LongRunError, WagerMissingError

PAGE = Path(__file__).parents[2] / "docs" / "registries.md"
ROLLS = 100
FEW_ROLLS = 15
"""Of an evening of those that mind their money: their states are as many as sums of money can be."""

CRAPSSIM = {
    "Pass2Come": "pass_2_come",
    "PassLinePlace68": "pass_line_place_68",
    "PlaceInside": "place_inside",
    "Place68Move59": "place_68_move_59",
    "PassLinePlace68Move59": "pass_line_place_68_move_59",
    "Place682Come": "place_68_2_come",
    "IronCross": "iron_cross_2x",
    "HammerLock": "hammerlock",
    "Risk12": "risk_12",
    "Knockout": "knockout",
    "DiceDoctor": "dice_doctor",
    "Place68PR": "collect_press_regress",
    "Place68DontCome2Odds": "place_68_dont_come_2_odds",
    "QuickProps": "quick_props",
    "BuySampler": "buy_sampler",
    "LaySampler": "lay_sampler",
    "PutWithOdds": "put_with_odds",
    "ThreePointMolly": "three_point_molly_1x",
    "ThreePointDolly": "three_point_dolly_1x",
    "SqueezePlay": "squeeze_play",
    "DoubleTap": "double_tap",
}
"""The example strategies of skent259/crapssim, and ours."""

WOODARD = {
    "BATS": "bats",
    "BATSAccumulatorOnly": "lay_less_once",
    "CATS": "cats",
    "CATSAccumulatorOnly": "regress_once",
    **{f"DoDont{times}X": f"do_dont@odds={times}" for times in range(1, 4)},
    **{f"DoDontWithCome{times}X": f"do_dont_come@odds={times}" for times in range(1, 4)},
    "DontPassLineOnly": "dont_pass_flat",
    **{f"DontPassLineWithOdds{times}X": f"dont_pass_odds@odds={times}" for times in range(1, 6)},
    "HardwaysHedge": "hardways_hedge",
    "IronCross": "field_cross",
    "IronCrossWithCE": "field_cross_ce",
    "JustField": "field",
    "MartingaleField": "field_double_hold",
    "PassAndHards": "pass_and_hards",
    "PassLineOnly": "pass_flat",
    **{f"PassLineWithOdds{times}X": f"pass_odds@odds={times}" for times in range(1, 6)},
    "PassWithCEInsurance": "pass_ce",
    "Place6And8": "place_6_8",
    "Place6And8Progressive": "place_6_8_progressive",
    "PlaceAll": "place_across",
    "PlaceInside": "place_inside",
    **{f"ThreePointDolly{times}X": f"dolly_odds@odds={times}" for times in range(1, 6)},
    **{f"ThreePointMolly{times}X": f"molly_odds@odds={times}" for times in range(1, 6)},
}
"""The built-in strategies of jasonwoodard/craps, and ours."""

NO_MACHINE = {"double_tap"}
"""More states than anybody looks for."""


class Row(NamedTuple):
    """One strategy of theirs, and what it costs."""

    theirs: str
    ours: str
    house: str
    edge: Fraction | float | None
    """The share of the money decided that it loses: in the long run, or in a short evening where it has none."""
    mean: float
    deviation: float
    p_ahead: float
    rolls: int

    @property
    def text(self) -> str:
        """The row of the page."""
        if self.edge is None:
            return f"| {self.theirs} | `{self.ours}` | {self.house} | simulate it | | | |"
        exact = f"{self.edge} = " if isinstance(self.edge, Fraction) and self.edge.denominator < 100_000 else ""
        short = "" if self.rolls == ROLLS else f" ({self.rolls} rolls)"
        return (
            f"| {self.theirs} | `{self.ours}` | {self.house} | {exact}{float(self.edge):.4%} | "
            f"{self.mean:,.2f}{short} | {self.deviation:,.2f} | {self.p_ahead:.2%} |"
        )


def question(ours: str, rolls: int = ROLLS) -> Question:
    """Asked at the Strip, or where its wagers and odds are taken: at Adelaide."""
    try:
        asked = ask(ours, house="strip", rolls=rolls)
        if not asked.machine().about["refused"]:
            return asked
    except WagerMissingError:
        pass
    return ask(ours, house="adelaide", rolls=rolls)


def row(theirs: str, ours: str) -> Row:
    """Work one out."""
    if ours in NO_MACHINE:
        return Row(theirs, ours, "strip", None, 0, 0, 0, ROLLS)
    minds = getattr(ask(ours).strategy, "minds_money", False)
    asked = question(ours, FEW_ROLLS if minds else ROLLS)
    law = asked.exact(fractions=False)
    edge: Fraction | float | None
    try:
        edge = asked.long_run().edge
    except LongRunError:
        edge = law.edge
    figures = float(law.mean), float(law.variance) ** 0.5, float(law.p_ahead)
    return Row(theirs, ours, asked.seating.house.id, edge, *figures, asked.terms.rolls)


HEAD = f"""# What other simulators' strategies cost

The example strategies of [crapssim](https://github.com/skent259/crapssim) and the built-in ones of
[jasonwoodard/craps](https://github.com/jasonwoodard/craps), as files of our library, each with its own unit, and what each costs:
worked out, not sampled. *Edge* is the share of the money decided that is lost, in the long run and as a fraction where that is short;
mean, standard deviation and chance to be ahead are of an evening of {ROLLS} rolls, run out. Strategies that change with their profit have
no long run: theirs is the edge of a short evening. Strategies are played at the Strip, or at Adelaide where the Strip does not take
their odds. On the Strip a one-roll bet that wins stays up for the next roll, unless the strategy's file takes it down.
A file says where it differs from theirs. `python -m tests.acceptance.registries` writes this page.
"""  # noqa: E501 - as wide as the other pages
COLUMNS = "| Theirs | Ours | House | Edge | Mean | Deviation | Ahead |\n|---|---|---|---|---|---|---|"


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, registry in (("crapssim", CRAPSSIM), ("jasonwoodard/craps", WOODARD)):
        rows = "\n".join(row(theirs, ours).text for theirs, ours in registry.items())
        parts.append(f"## {title}\n\n{COLUMNS}\n{rows}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
