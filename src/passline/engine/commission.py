"""What the house charges on wagers paid at true odds: on what, when, and how it is rounded."""

from fractions import Fraction

from passline.engine.layout import Layout, Spot
from passline.engine.table import Wager
from passline.engine.values import in_chips


def is_up_front(spot: Spot) -> bool:
    terms = spot.rule.commission
    return terms is not None and terms.when.value == "up front"


def up_front(layout: Layout, spot: Spot, stake: int, chip: int) -> int:
    terms = spot.rule.commission
    if terms is None or terms.when.value != "up front" or not stake:
        return 0
    base = stake * spot.rate_at(spot.number) if terms.of.value == "win" else stake
    return _charge(layout, spot, terms.rate.value * base, chip)


def to_raise(layout: Layout, spot: Spot, up: Wager | None, stake: int, chip: int) -> int:
    """What the charge on the whole stake exceeds the charge held: the way to a stake does not change its price."""
    return max(0, up_front(layout, spot, stake, chip) - (up.held if up else 0))


def on_a_win(layout: Layout, spot: Spot, stake: int, paid: int, chip: int) -> int:
    """The charge taken out of winnings: the price of this win, or of the next decision if the bet stays up."""
    terms = spot.rule.commission
    if terms is None or not paid:
        return 0
    if terms.when.value == "up front":
        if not (spot.rule.stays.value and terms.recharge.value):
            return 0
        return min(paid, up_front(layout, spot, stake, chip))
    base = paid if terms.of.value == "win" else stake
    return min(paid, _charge(layout, spot, terms.rate.value * base, chip))


def refund(spot: Spot, up: Wager, removed: int, chip: int) -> int:
    """The part of the commission held that goes back when `removed` of a wager comes down."""
    terms = spot.rule.commission
    if terms is None or not terms.refund.value:
        return 0
    return up.held if removed == up.stake else up.held * removed // (up.stake * chip) * chip


def _charge(layout: Layout, spot: Spot, exact: Fraction, chip: int) -> int:
    terms = spot.rule.commission
    assert terms is not None
    if layout.exact:
        assert exact.denominator == 1, "an exact layout needs a minor unit that clears every fraction in play"
        return exact.numerator
    return max(in_chips(exact, chip * terms.unit_chips.value, terms.rounding.value), terms.minimum_chips.value * chip)
