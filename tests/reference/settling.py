"""What a roll does to every bet of a seat (53 to 71)."""

from fractions import Fraction

from tests.reference.book import (
    ANY_CRAPS,
    ANY_SEVEN,
    BAR,
    BONUS_NEEDS,
    BONUS_PAYS,
    CRAPS,
    FIELD,
    FIRE,
    HARDWAYS,
    HOP_HARD,
    HORN,
    KEYS,
    LAID_ODDS,
    ODDS_KINDS,
    ONE_NUMBER,
    ONE_ROLL,
    PLACE,
    PLACE_LOSE,
    TAKEN_ODDS,
    TRUE_LAYS,
    TRUE_ODDS,
)
from tests.reference.felt import (
    CAPPED,
    Bet,
    Seat,
    Table,
    commission,
    down,
    maximum,
    minimum,
    odds_key,
    permitted,
    winnings,
    works,
)

# ---------------------------------------------------------------------------------------------------------------
# Found stakes.


def refuse_found(table: Table, seat: Seat) -> None:
    """Found stakes that the house does not take go back at the throw, whatever the result, with what hangs on them."""
    for key, pile in list(seat.up.items()):
        if key not in seat.up or not pile.found:
            continue
        kind, n = KEYS[key]
        most = maximum(table, kind)
        under = pile.stake < minimum(table, kind)
        over = most is not None and pile.stake > most
        if table.house == "adelaide":
            refused = under and pile.after_warning  # 14(g)
        else:
            refused = table.house not in CAPPED and (under or over)  # the silent houses refuse
        if refused:
            table.bank -= pile.held
            seat.rail += pile.held
            seat.give_back(key)
            if odds_key(kind, n) in seat.up:
                table.by("X-17")
                seat.give_back(odds_key(kind, n))


# ---------------------------------------------------------------------------------------------------------------
# Settling.


def settle(table: Table, seat: Seat, a: int, b: int, seven_out: bool) -> set[str]:
    """One roll against all bets of one seat, with the puck as it stood (53, 54); the keys that were decided."""
    total = a + b
    house = table.house
    point = table.point
    arriving: dict[str, Bet] = {}
    decided: set[str] = set()
    warn = False

    def note(key: str) -> None:
        nonlocal warn
        decided.add(key)
        if house == "adelaide" and below(table, key, seat.up[key]):
            warn = True

    def excess(key: str) -> int:
        """What of a pile was over the maximum; what was charged on it goes back to the rail (90)."""
        pile = seat.up[key]
        kind, n = KEYS[key]
        over = pile.stake - permitted(table, kind, pile)
        if over:
            table.by("90")
            back = max(0, pile.held - commission(table, kind, n, pile.stake - over))
            pile.held -= back
            table.bank -= back
            seat.rail += back
        return over

    def lose(key: str) -> None:
        note(key)
        over = excess(key)
        pile = seat.up.pop(key)
        token = min(pile.tokens, over)
        table.bank += pile.stake - over
        seat.rail += over - token
        seat.tokens += token

    def win(key: str, won: int) -> None:
        """Stake and winnings to the rail (56)."""
        note(key)
        excess(key)
        table.bank -= won
        seat.rail += won
        seat.give_back(key)

    def win_and_stay(key: str, won: int) -> None:
        """Only the winnings to the rail (57); of a stake over the maximum the excess too (96)."""
        note(key)
        over = excess(key)
        pile = seat.up[key]
        if over:
            table.by("96")
            token = min(pile.tokens, over)
            pile.stake -= over
            pile.tokens -= token
            seat.tokens += token
            seat.rail += over - token
            pile.found = False
        table.bank -= won
        seat.rail += won

    for key, pile in list(seat.up.items()):
        kind, n = KEYS[key]
        stake = permitted(table, kind, pile)
        pile.rolled = True

        if not works(table, kind, pile):
            if kind == "come_odds" and total in (n, 7):  # 46, X-01: their come bet is decided now
                decided.add(key)
                seat.give_back(key)
            continue

        if kind == "pass":
            if point is None:
                if total in (7, 11):
                    win(key, paid(table, kind, pile, 1))
                elif total in CRAPS:
                    lose(key)
            elif total == point:
                win(key, paid(table, kind, pile, 1))
            elif total == 7:
                lose(key)

        elif kind == "dont_pass":
            if point is None:
                if total in (7, 11):
                    lose(key)
                elif total in CRAPS and total != BAR[house]:  # 60: the bar number leaves it
                    win(key, paid(table, kind, pile, 1))
            elif total == point:
                lose(key)
            elif total == 7:
                win(key, paid(table, kind, pile, 1))

        elif kind == "come":
            if total in (7, 11):
                win(key, paid(table, kind, pile, 1))
            elif total in CRAPS:
                lose(key)
            else:
                arriving[f"come_{total}"] = seat.up.pop(key)

        elif kind == "dont_come":
            if total in (7, 11):
                lose(key)
            elif total in CRAPS:
                if total != BAR[house]:  # 60
                    win(key, paid(table, kind, pile, 1))
            else:
                arriving[f"dont_come_{total}"] = seat.up.pop(key)

        elif kind == "come_on":
            if total == n:
                win(key, paid(table, kind, pile, 1))
            elif total == 7:  # any seven
                lose(key)

        elif kind == "dont_come_on":
            if total == 7:
                win(key, paid(table, kind, pile, 1))
            elif total == n:
                lose(key)

        elif kind in ("pass_odds", "come_odds"):
            at = n or point
            assert at is not None
            if total == at:
                win(key, paid(table, kind, pile, TAKEN_ODDS[house][at]))
            elif total == 7:
                lose(key)

        elif kind in ("dont_pass_odds", "dont_come_odds"):
            at = n or point
            assert at is not None
            if total == 7:
                win(key, paid(table, kind, pile, LAID_ODDS[house][at]))
            elif total == at:
                lose(key)

        elif kind == "place":
            if total == n:
                win_and_stay(key, paid(table, kind, pile, PLACE[house][n]))
            elif total == 7:
                lose(key)

        elif kind == "place_lose":
            if total == 7:
                win_and_stay(key, paid(table, kind, pile, PLACE_LOSE[n]))
            elif total == n:
                lose(key)

        elif kind == "buy":
            if total == n:
                won = paid(table, kind, pile, TRUE_ODDS[n])
                again = min(
                    won, commission(table, kind, n, stake)
                )  # 66, 83: out of the winnings, so no more than those
                win_and_stay(key, won - again)
                pile.held = again
            elif total == 7:
                lose(key)

        elif kind == "lay":
            if total == 7:
                won = paid(table, kind, pile, TRUE_LAYS[n])
                if house == "fire-bonus":  # 67, 83
                    kept = min(won, max(table.chip, down(Fraction(won, 20), table.chip)))
                    win_and_stay(key, won - kept)
                else:  # 66
                    again = min(won, commission(table, kind, n, stake))
                    win_and_stay(key, won - again)
                    pile.held = again
            elif total == n:
                lose(key)

        elif kind == "hard":
            if total == n and a == b:
                win_and_stay(key, paid(table, kind, pile, HARDWAYS[house][n]))
            elif total in (n, 7):  # A-28, S-01: the easy way, or a seven
                lose(key)

        elif kind == "big":
            if total == n:
                win_and_stay(key, paid(table, kind, pile, 1))
            elif total == 7:
                lose(key)

        elif kind in ONE_ROLL:  # 58, 59
            part, price = one_roll(house, kind, n, a, b)
            if part == 0:
                lose(key)
            elif part == 1:
                win(key, paid(table, kind, pile, price))
            else:
                note(key)  # a part that won is settled too
                win_a_part(table, seat, key, part, price)

        elif kind == "fire":
            if len(table.tally) == 6:  # 70: at once
                win(key, paid(table, kind, pile, FIRE[6]))
            elif seven_out:
                if len(table.tally) >= 3:
                    win(key, paid(table, kind, pile, FIRE[len(table.tally)]))
                else:
                    lose(key)

        elif kind in BONUS_PAYS:  # 71
            if total == 7:
                lose(key)
            else:
                pile.seen.add(total)
                if pile.seen >= BONUS_NEEDS[kind]:
                    win(key, paid(table, kind, pile, BONUS_PAYS[kind]))

        else:
            raise AssertionError(key)

    seat.up.update(arriving)  # 53, 55: the old come_N has gone by now
    if house == "adelaide" and not warn and not seat.warned and any(below(table, *item) for item in seat.up.items()):
        table.by("A-17")  # settle, then warn: nobody is warned of a stake that is not settled yet
    seat.warned = seat.warned or warn
    return decided


def below(table: Table, key: str, pile: Bet) -> bool:
    """Whether a stake was found below the minimum."""
    return pile.found and pile.stake < minimum(table, KEYS[key][0])


def paid(table: Table, kind: str, pile: Bet, price: Fraction | int) -> int:
    """What a pile wins, on its permitted part and in chips."""
    stake = permitted(table, kind, pile)
    unpayable = Fraction(stake) * price % table.chip != 0
    if table.house == "adelaide" and table.notice.multiples and pile.found and kind not in ODDS_KINDS and unpayable:
        stake -= stake % table.notice.min  # 14(h), A-06: as the next lower multiple
    return winnings(table, stake, price)


def win_a_part(table: Table, seat: Seat, key: str, part: Fraction, price: Fraction) -> None:
    """One part of a split wager wins, the others are lost (59); of what is lost tokens are lost first (S-06).

    Of a stake over the maximum the excess goes back (96), and the rest is the wager.
    """
    pile = seat.up.pop(key)
    kind = KEYS[key][0]
    stake = permitted(table, kind, pile)
    over = pile.stake - stake
    back, won = winnings(table, stake, part), paid(table, kind, pile, part * price)
    untouched = min(pile.tokens, over)
    token = untouched + max(0, pile.tokens - untouched - (stake - back))
    seat.tokens += token
    seat.rail += over + back - token + won
    table.bank += stake - back - won


def one_roll(house: str, kind: str, n: int, a: int, b: int) -> tuple[Fraction, Fraction]:
    """Which part of a one-roll wager wins, and at what price; part 0 is a loss (58, 59, X-11)."""
    total = a + b
    lost = Fraction(0), Fraction(0)
    if kind == "field":
        return (Fraction(1), Fraction(FIELD[total])) if total in FIELD else lost
    if kind == "any_seven":
        return (Fraction(1), ANY_SEVEN) if total == 7 else lost
    if kind == "any_craps":
        return (Fraction(1), ANY_CRAPS[house]) if total in CRAPS else lost
    if kind == "craps":
        return (Fraction(1), ONE_NUMBER[house][n]) if total == n else lost
    if kind == "eleven":
        return (Fraction(1), ONE_NUMBER[house][11]) if total == 11 else lost
    if kind == "hop_hard":  # F-04
        return (Fraction(1), HOP_HARD) if total == n and a == b else lost
    if kind == "horn":
        return (Fraction(1, 4), ONE_NUMBER[house][total]) if total in HORN else lost
    if kind == "horn_high":  # S-03: two units on the named number
        return (Fraction(2 if total == n else 1, 5), ONE_NUMBER[house][total]) if total in HORN else lost
    if kind == "craps_eleven":
        if total in CRAPS:
            return Fraction(1, 2), ANY_CRAPS[house]
        return (Fraction(1, 2), ONE_NUMBER[house][11]) if total == 11 else lost
    if kind == "world":
        if total == 7:
            return Fraction(1, 5), ANY_SEVEN
        return (Fraction(1, 5), ONE_NUMBER[house][total]) if total in HORN else lost
    raise AssertionError(kind)
