"""What is bet at the rail and for how much: amounts as dealers book them, and what they ask before they do."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from passline.engine import commands as c
from passline.engine import limits
from passline.engine.commands import Command
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.kinds import Hardway, Hop, Line, Number
from passline.engine.layout import Spot
from passline.engine.refusals import Refusal
from passline.engine.table import Wager
from passline.engine.values import CENTS
from passline.engine.verdicts import Loses, Wins
from passline.sitting import amounts
from passline.sitting.orders import Ask, Option, Question, Rail
from passline.sitting.phrases import Clause
from passline.telling.figures import listed, percent
from passline.telling.names import UNITS, plain

SAID = {number: word for word, number in UNITS.items()}
MINIMUMS = {5: "Five", 10: "Ten", 15: "Fifteen", 25: "Twenty-five", 50: "Fifty", 100: "Hundred"}

BOXES: dict[str, tuple[int, ...]] = {
    "across": (4, 5, 6, 8, 9, 10),
    "inside": (5, 6, 8, 9),
    "outside": (4, 5, 9, 10),
}
# Several bets in one word, each with its share of the stake.
GROUPS: dict[str, dict[str, int]] = {
    "hi_lo": {"craps_2": 1, "craps_12": 1},
    "hi_lo_yo": {"craps_2": 1, "craps_12": 1, "eleven": 1},
    "three_way": {"craps_2": 1, "craps_3": 1, "craps_12": 1},
    "hardways": {"hard_4": 1, "hard_6": 1, "hard_8": 1, "hard_10": 1},
    "buffalo": {"hop_2-2": 1, "hop_3-3": 1, "hop_4-4": 1, "hop_5-5": 1, "any_seven": 1},
    "ats": {"all_small": 1, "all_tall": 1, "make_em_all": 1},
}

ONE_ROLL = {2: "craps_2", 3: "craps_3", 11: "eleven", 12: "craps_12"}
HIGHS = {"horn_high_2": "aces", "horn_high_3": "ace-deuce", "horn_high_11": "yo", "horn_high_12": "twelve"}
SPOKEN_AS = {
    "ats": "all tall small",
    "craps_eleven": "C and E",
    "dont_pass": "the don't pass",
    "dont_come": "the don't come",
}
NOT_HERE = {"hop": "hops", "buy": "buy bets", "lay": "lay bets", "place": "place bets", "big": "Big 6 and 8"}
NO_TOKES = "No tokes here, thanks."
TO_WIN = 20  # a buy or lay bet of which nobody says how much is the one that wins about twenty
NEAR = 40


def would_be_put(spot: Spot, puck: int) -> bool:
    terms = spot.rule.terms
    on_its_point = bool(puck and (spot.number or spot.is_line))
    return on_its_point and isinstance(terms, Line) and terms.side == "do" and terms.put.value


class Booking:
    """A dealer who books on a copy of the table: each act as those before it leave it."""

    def __init__(self, rail: Rail) -> None:
        self.rail, self.layout, self.table, self.me = rail, rail.layout, rail.table, rail.seat
        self.commands: list[Command] = []
        self.says: list[str] = []
        self.refused: list[Refusal] = []
        self.pool = sum(won.net for won in rail.won.values())

    # --- The table --------------------------------------------------------------------------------------------------

    @property
    def felt(self) -> Mapping[str, Wager]:
        seat = self.table.seats.get(self.me)
        return seat.felt if seat else {}

    def spot(self, key: str) -> Spot:
        return self.layout.spots[key]

    def money(self, amount: int) -> str:
        return self.layout.money(amount)

    def ask(self, command: Command) -> bool:
        answer = decide(self.layout, self.table, command)
        if isinstance(answer, Refusal):
            self.refused.append(answer)
            return False
        self.table = evolve(self.table, answer)
        self.commands.append(command)
        return True

    def refuse(self, code: str, message: str) -> None:
        refusal = Refusal(code, message, None, self.me)
        self.refused += [refusal] if refusal not in self.refused else []

    def question(self, asks: str, *options: Option) -> Ask:
        """A question to raise: nothing is booked until it is answered."""
        return Ask(Question(asks, options))

    def least(self, key: str) -> int:
        lot = self.spot(key).units * self.table.notice.chip
        least = max(limits.minimum(self.table.notice, self.spot(key)), self.table.notice.chip)
        return -(-least // lot) * lot

    # --- Names ------------------------------------------------------------------------------------------------------

    def called(self, key: str) -> str:
        """A wager as it is said: a number by its number."""
        spot = self.spot(key)
        if isinstance(spot.rule.terms, Number) and spot.family == "place":
            return SAID.get(spot.number, str(spot.number))
        if isinstance(spot.rule.terms, Hardway):
            return f"hard {SAID.get(spot.number, str(spot.number))}"
        return spot.name

    def keys(self, named: str) -> dict[str, int]:
        """The wagers that a name stands for here, each with its share; what is not booked here is refused."""
        shares = self.shares(named)
        missing = [key for key in shares if key not in self.layout.spots or not self.spot(key).rule.offered.value]
        if not missing:
            return shares
        family = missing[0].split("_")[0]
        hard = self._hard_instead(missing[0])
        if named == "buffalo" and hard is not None:
            raise self.question("No hops here; hardways and any seven?", Option("hardways", "hardways, any seven"))
        if missing[0] in HIGHS:
            raise self._high_what(None)
        if hard is not None:
            asks = f"No hops here; {self.called(hard)}?"
            raise self.question(asks, Option(self.called(hard), f"bet {hard} {self.money(self.least(hard))}"))
        hops = any(isinstance(spot.rule.terms, Hop) for spot in self.layout.offered())
        if family == "hop" and hops:
            no = "Only hardways hop here."
        elif family in NOT_HERE:
            no = f"No {NOT_HERE[family]} here."
        else:
            no = f"We don't book {SPOKEN_AS.get(named) or plain(named.replace('_', ' '))} here."
        self.refuse("wager.not_offered", no)
        return {}

    def _hard_instead(self, key: str) -> str | None:
        pair = key.removeprefix("hop_").split("_")
        hard = f"hard_{2 * int(pair[0])}" if len(pair) == 2 and pair[0] == pair[1] and pair[0].isdigit() else ""
        return hard if hard in self.layout.spots else None

    def shares(self, named: str) -> dict[str, int]:
        if named in GROUPS:
            return {key: share for each, share in GROUPS[named].items() for key in self.shares(each)}
        if named.isdigit():
            return {self._on_number(int(named)): 1}
        if named.startswith("hardways_high_"):
            high = f"hard_{named.rsplit('_', 1)[1]}"
            return {key: 2 if key == high else 1 for key in GROUPS["hardways"]}
        if named.startswith("hop_") and named not in self.layout.spots:
            return dict.fromkeys(self._hops(named.removeprefix("hop_")), 1)
        if named.startswith("put_"):
            number = int(named.removeprefix("put_"))
            key = "pass" if self.table.puck == number else f"come_{number}"
            if key in self.layout.spots and not would_be_put(self.spot(key), self.table.puck or number):
                self.refuse("bet.window", "No put bets here: the line is bet before the come-out.")
                return {}
            return {key: 1}
        if named == "iron_cross":
            return {"place_5": 1, "place_6": 1, "place_8": 1, "field": 1}
        return {named: 1}

    def _hops(self, dice: str) -> list[str]:
        """The hops of a total, or of two faces, by their keys in this house."""
        by_pair = {spot.pair: spot.key for spot in self.layout.spots.values() if isinstance(spot.rule.terms, Hop)}
        if "-" in dice:
            low, high = sorted(map(int, dice.split("-")))
            return [by_pair.get((high, low)) or by_pair.get((low, high)) or f"hop_{high}_{low}"]
        known = [str(key) for pair, key in by_pair.items() if sum(pair) == int(dice)]
        faces = [(high, int(dice) - high) for high in range(6, 0, -1) if 1 <= int(dice) - high <= high]
        return known if len(known) == len(faces) else [f"hop_{high}_{low}" for high, low in faces]

    def _on_number(self, number: int) -> str:
        """A number is the place bet on it; hard and hop are said."""
        if f"place_{number}" in self.layout.spots:
            return f"place_{number}"
        if number in ONE_ROLL:
            return ONE_ROLL[number]
        raise self.question(
            f"{SAID.get(number, str(number)).capitalize()} on what?",
            *(Option(word, f"{number} on the {word}") for word in ("line", "field")),
        )

    def up(self, named: str) -> list[str]:
        felt = self.felt
        if named in KINDS:
            return [key for key in felt if KINDS[named](self, key)]
        if named == "@it":
            return [key for key in self.rail.won if key in felt]
        if named in BOXES:
            return [key for key in felt if KINDS["@numbers"](self, key)]
        if named.isdigit():
            forms = (f"{family}_{named}" for family in ("place", "buy", "big", "hard", "come", "lay", "dont_come"))
            return [next((key for key in forms if key in felt), f"place_{named}")]
        return list(self.shares(named))

    # --- Bets -------------------------------------------------------------------------------------------------------

    def _bet(self, clause: Clause) -> None:
        named, amount = clause.bets, clause.amount
        if amount == 0:
            self.refuse("amount.not_positive", "Bet at least one chip.")
            return
        if clause.how in {"exact", "put"}:
            self._exactly(clause)
            return
        if clause.how == "two way":
            amount = amount // 2 if amount else None
            self.says.append(f"{self.money(amount)} for you. {NO_TOKES}" if amount else NO_TOKES)
        if len(named) == 1 and (named[0] in BOXES or named[0] == "@place"):
            self.put_up(self.boxed(named[0] if named[0] in BOXES else "across", amount))
            return
        if named[0].startswith("@"):
            self.refuse("wager.not_offered", "Bet on what?")
            return
        self._ask_which(clause, amount)
        every = [self.keys(each) for each in named]
        if all(every):
            self._stakes(clause, every, amount)

    def _ask_which(self, clause: Clause, amount: int | None) -> None:
        if clause.how == "or number" and amount:  # `place 6 12` where the twelve has a box as well
            key, money = clause.bets[0], self.money(amount)
            other = f"{self.spot(key).family}_{money}"
            first, second = self.called(key), self.called(other)
            raise self.question(
                f"{money} on the {first}, or the {first} and the {second}?",
                Option(f"{money} on the {first}", f"{money} on {key}", (first, money)),
                Option(f"the {first} and the {second}", f"{key} and {other}", ("both", second)),
            )
        if "horn_high" in clause.bets:
            raise self._high_what(amount)
        for word in ("corner", "seven"):
            if word in clause.bets:
                ways: tuple[str, ...] = ("big 6", "big 8") if word == "corner" else ("any seven", "hop 7")
                if word == "seven" and self._hops("7")[0] not in self.layout.spots:
                    ways = ("any seven",)
                asks = {"big 6": "Big six", "big 8": "big eight", "any seven": "Any seven", "hop 7": "hop the sevens"}
                raise self.question(
                    f"{' or '.join(asks[way] for way in ways)}?", *(self._with_amount(way, amount) for way in ways)
                )

    def _with_amount(self, word: str, amount: int | None) -> Option:
        return Option(word, f"{self.money(amount)} on {word}" if amount else word, (word.rsplit(maxsplit=1)[-1],))

    def _exactly(self, clause: Clause) -> None:
        """A bet as a record has it: the wager's key, and the amount to the chip."""
        key = clause.bets[0]
        amount = self.default(key) if clause.amount is None else clause.amount
        if clause.how != "put":
            self._ask_about_put(key, amount)
        self.ask(c.Bet(self.me, key, amount))

    def _stakes(self, clause: Clause, every: list[dict[str, int]], amount: int | None) -> None:
        """Bets of which it is known what they are: how much goes on each."""
        together = {key: share for shares in every for key, share in shares.items()}
        if amount is None:
            wanted = {key: share * self.default(key) for key, share in together.items()}
        elif clause.each:
            wanted = {key: share * amount for key, share in together.items()}
        elif len(every) > 1:
            wanted = self._each_or_all(together, amount)
        else:
            wanted = self._shared(clause.bets[0], together, amount)
        for key, stake in wanted.items():
            self._ask_about_put(key, stake)
        if clause.how == "about":
            for key, stake in wanted.items():
                self.ask(c.Bet(self.me, key, self.about(key, stake)))
            return
        self.proper(wanted)
        self.put_up(wanted)

    def about(self, key: str, amount: int) -> int:
        """The nearest amount that is booked and paid whole; where none is, the amount, to hear why."""
        near = amounts.to_bet(self.layout, self.table, self.me, key, amount)
        return amount if isinstance(near, Refusal) else near

    def _each_or_all(self, together: dict[str, int], amount: int) -> dict[str, int]:
        """`36 six and eight` may be 18 each, or 36 each."""
        half, rest = divmod(amount, len(together))
        if rest or any(half < self.least(key) for key in together):
            return dict.fromkeys(together, amount)
        raise self.question(
            f"{self.money(half)} each or {self.money(amount)} each?",
            *(
                Option(f"{self.money(each)} each", self.line_of(dict.fromkeys(together, each)), (self.money(each),))
                for each in (half, amount)
            ),
        )

    def _shared(self, named: str, together: dict[str, int], amount: int) -> dict[str, int]:
        """One name for several bets: the amount is for all of them, unless it is too little for that."""
        shares = sum(together.values())
        if len(together) == 1:
            return dict.fromkeys(together, amount)
        per, rest = divmod(amount, shares * self.table.notice.chip)
        lot = shares * self.table.notice.chip
        if not per or any(per * self.table.notice.chip < self.least(key) for key in together):
            return {key: share * amount for key, share in together.items()}
        if rest:
            below, above = amount - rest, amount - rest + lot
            word = plain(named.replace("_", " "))
            options = (Option(self.money(each), f"{self.money(each)} on {word}") for each in (below, above))
            raise self.question(f"{self.money(below)} or {self.money(above)}?", *options)
        return {key: share * per * self.table.notice.chip for key, share in together.items()}

    def put_up(self, wanted: Mapping[str, int]) -> None:
        """Put chips up; what would be paid short is said."""
        short = [key for key, amount in wanted.items() if self.is_short(key, amount)]
        done = [key for key, amount in wanted.items() if self.ask(c.Bet(self.me, key, amount))]
        if any(key in done for key in short):
            self.says.append(f"{listed([self.called(key) for key in short]).capitalize()} would be paid short.")

    def line_of(self, wanted: Mapping[str, int]) -> str:
        return ", ".join(f"bet {key} {self.money(amount)}" for key, amount in wanted.items())

    def default(self, key: str) -> int:
        spot, least = self.spot(key), self.least(key)
        terms = spot.rule.terms
        if isinstance(terms, Number) and spot.rule.commission is not None:
            rate = terms.pays[spot.number].value.rate
            wins = TO_WIN * CENTS
            stake = wins if rate >= 1 else int(wins / rate)
            return max(stake, least)
        if isinstance(terms, Number):
            return self.unit(key) * max(1, -(-least // (5 * CENTS)))
        return least

    def unit(self, key: str) -> int:
        """What a bet is raised by: six on the six and eight, five on other numbers; elsewhere the least there is."""
        spot = self.spot(key)
        if isinstance(spot.rule.terms, Number):
            return (6 if spot.number in (6, 8) else 5) * CENTS
        return self.least(key)

    def is_short(self, key: str, amount: int) -> bool:
        there = self.felt[key].stake if key in self.felt else 0
        return amounts.pays_short(self.layout, self.table, key, there + amount)

    # --- What a dealer asks -----------------------------------------------------------------------------------------

    def proper(self, wanted: dict[str, int]) -> None:
        """Ask where an amount is under the minimum, cannot be split, or would be paid short."""
        better = {key: near for key, amount in wanted.items() if (near := self.nearest(key, amount))}
        if not better:
            return
        most = max(len(near) for near in better.values())
        choices = [{key: (better.get(key) or (wanted[key],))[: at + 1][-1] for key in wanted} for at in range(most)]
        each = " each" if len(wanted) > 1 else ""
        if each and any(len(set(choice.values())) > 1 for choice in choices):
            says = [self.money(sum(choice.values())) for choice in choices]
            each = ""
        else:
            says = [self.money(next(iter(choice.values()))) for choice in choices]
        under = any(amount + self.there(key) < self.least(key) for key, amount in wanted.items())
        first = self._minimum_said() if under and most == 1 else ""
        raise self.question(
            f"{first}{' or '.join(says)}{each}?",
            *(
                Option(word, self.line_of(choice), (f"{word} each",))
                for word, choice in zip(says, choices, strict=True)
            ),
        )

    def there(self, key: str) -> int:
        return self.felt[key].stake if key in self.felt else 0

    def _minimum_said(self) -> str:
        least = self.table.notice.minimum
        words = MINIMUMS.get(least // CENTS) if not least % CENTS else None
        return f"{words or self.money(least)} minimum: "

    def nearest(self, key: str, amount: int) -> tuple[int, ...]:
        """The nearest amounts that are booked and paid whole, below and above; none where this one is."""
        spot, there = self.spot(key), self.there(key)
        if spot.key.startswith("horn") and not spot.key.startswith("horn_high") and amount % (4 * CENTS) == CENTS:
            raise self._high_what(amount)
        if amount + there < limits.minimum(self.table.notice, spot):
            return (max(self.default(key), self.least(key)) - there,)
        lot = spot.units * self.table.notice.chip
        if amount % lot:
            below = amount - amount % lot
            return tuple(each for each in (below, below + lot) if each + there >= self.least(key))
        if (
            not self.is_short(key, amount)
            or spot.is_flat
            or (not isinstance(spot.rule.terms, Number) and not spot.is_odds)
        ):
            return ()
        unit = self.unit(key) if isinstance(spot.rule.terms, Number) else 0
        if unit and not (amount + there) % unit:
            return ()  # the stake that everybody bets, and this house pays short
        chip = self.table.notice.chip
        whole = [
            near
            for step in range(1, NEAR)
            for near in (amount - step * chip, amount + step * chip)
            if near + there >= self.least(key) and not self.is_short(key, near)
        ]
        below = max((near for near in whole if near < amount), default=0)
        above = min((near for near in whole if near > amount), default=0)
        return tuple(near for near in (below, above) if near)

    def _high_what(self, amount: int | None) -> Ask:
        on = f"{self.money(amount)} " if amount else ""
        known = {key: word for key, word in HIGHS.items() if key in self.layout.spots}
        if not known:
            near = max((amount or 0) // (4 * CENTS) * 4 * CENTS, self.least("horn"))
            return self.question(
                f"No horn high here; {self.money(near)} horn?",
                Option(f"{self.money(near)} horn", f"bet horn {self.money(near)}"),
            )
        return self.question(
            "High what?", *(Option(word, f"{on}horn high {word}", (f"high {word}",)) for word in known.values())
        )

    def _ask_about_put(self, key: str, amount: int) -> None:
        """A flat bet made on its point is a put, which costs what the player should know."""
        spot = self.layout.spots.get(key)
        if spot is None or not would_be_put(spot, self.table.puck):
            return
        point = spot.number or self.table.puck
        place = self.layout.spots.get(f"place_{point}")
        beside = f"; {place.name} costs {percent(self._edge(place))}" if place else ""
        odds = [Option("odds", f"odds on {point}", ("odds instead",))] if spot.odds and spot.key in self.felt else []
        amount = max(amount, self.least(key) - self.there(key))
        raise self.question(
            f"The point is on: {self.money(amount)} put on the {point} pays even money "
            f"and costs {percent(self._edge(spot))}{beside}. Put it?",
            Option("put", f"put {key} {self.money(amount)}", ("put it", "yes", "y")),
            *odds,
        )

    def _edge(self, spot: Spot) -> Fraction:
        """What the house keeps of a bet that the next deciding roll wins or loses."""
        row = spot.row(0, self.table.puck, works=True)
        won, lost = (
            [verdict.rate for verdict in row if isinstance(verdict, Wins)],
            sum(isinstance(verdict, Loses) for verdict in row),
        )
        return (lost - sum(won, Fraction())) / (lost + len(won))

    # --- Across and inside ------------------------------------------------------------------------------------------

    def boxed(self, word: str, amount: int | None) -> dict[str, int]:
        """`32 across`, `22 inside`: with the point's number or without, whichever the amount is right for."""
        numbers = [number for number in BOXES[word] if f"place_{number}" in self.layout.spots]
        if not numbers:
            self.refuse("wager.not_offered", "No place bets here.")
            return {}
        boxes = [spot.number for spot in self.layout.spots.values() if spot.family == "place"]
        if word == "across" and len(boxes) > len(numbers) and amount is None:
            every = {kind: self._at(ways) for kind, ways in (("the six", numbers), ("all ten", boxes))}
            options = (Option(kind, self.line_of(stakes), (kind.split()[-1],)) for kind, stakes in every.items())
            raise self.question("The six, or all ten?", *options)
        point, least = self.table.puck, max(1, -(-self.least(f"place_{numbers[0]}") // (5 * CENTS)))
        without = [number for number in numbers if number != point]
        ways = {"without": without, "with": numbers} if len(without) < len(numbers) else {"with": numbers}
        if amount is None:
            line = any(key in self.felt for key in self.layout.line)
            return self._at(ways["without"] if line and "without" in ways else numbers, least)
        total = {way: sum(self._at(some, 1).values()) for way, some in ways.items()}
        fits = [way for way in ways if not amount % total[way]]
        if len(fits) > 1:
            point_word = SAID[point]
            lines = {way: self.line_of(self._at(ways[way], amount // total[way])) for way in ("with", "without")}
            raise self.question(
                f"With the {point_word} or without?",
                *(Option(way, line, (f"{way} {point_word}",)) for way, line in lines.items()),
            )
        if len(fits) == 1 and amount // total[fits[0]] >= least:
            return self._at(ways[fits[0]], amount // total[fits[0]])
        choices = fits or list(ways)
        near = {way: max(least, (2 * amount + total[way]) // (2 * total[way])) for way in choices}
        sums = {way: total[way] * near[way] for way in choices}
        first = self._minimum_said() if fits else ""
        spoken = [self.money(sums[way]) for way in choices]
        if not fits and len(choices) > 1 and amount >= least * min(total.values()):
            spoken[1] += f" with the {SAID[point]}"
        gap = ", or " if " with " in spoken[-1] else " or "
        raise self.question(
            f"{first}{gap.join(spoken)}?",
            *(
                Option(amount, self.line_of(self._at(ways[way], near[way])), (f"{amount} {word}",))
                for way, amount in ((way, self.money(sums[way])) for way in choices)
            ),
        )

    def _at(self, numbers: Iterable[int], times: int | None = None) -> dict[str, int]:
        keys = [f"place_{number}" for number in numbers]
        return {key: self.default(key) if times is None else times * self.unit(key) for key in keys}


def _number(booking: Booking, key: str) -> bool:
    terms = booking.spot(key).rule.terms
    return isinstance(terms, Number) and terms.side == "do"


def _family(*families: str) -> Callable[[Booking, str], bool]:
    return lambda booking, key: booking.spot(key).family in families


KINDS: dict[str, Callable[[Booking, str], bool]] = {
    "@all": lambda _dealer, _key: True,
    "@numbers": _number,
    "@place": _family("place"),
    "@buy": _family("buy"),
    "@lay": _family("lay", "place_lose"),
    "@odds": lambda booking, key: booking.spot(key).is_odds,
    "@come_odds": _family("come_odds"),
    "@come": lambda booking, key: booking.spot(key).has_travelled and not booking.spot(key).is_dont,
    "@dont": lambda booking, key: booking.spot(key).is_dont,
    "@props": lambda booking, key: booking.spot(key).rule.limits.value == "props",
    "@off": lambda booking, key: booking.felt[key].call == "off",
    "hardways": lambda booking, key: isinstance(booking.spot(key).rule.terms, Hardway),
}
