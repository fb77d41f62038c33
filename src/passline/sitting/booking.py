"""What is bet at the rail and for how much: amounts as dealers book them, and what they ask before they do."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from passline.engine import commands as c
from passline.engine import limits
from passline.engine.kinds import Number
from passline.engine.layout import Spot
from passline.engine.refusals import Refusal
from passline.engine.values import CENTS
from passline.engine.verdicts import Loses, Wins
from passline.sitting import amounts
from passline.sitting.naming import BOXES, IRON_CROSS, NUMBER_WORDS, ONE_ROLL, Naming, would_be_put
from passline.sitting.orders import Option
from passline.sitting.phrases import PHRASES, Clause, NotUnderstood
from passline.telling.figures import listed, percent
from passline.telling.names import plain

NO_TOKES = "No tokes here, thanks."
TO_WIN = 20  # a buy or lay bet of which nobody says how much is the one that wins about twenty
NEAR = 40


class Booking(Naming):
    """Books bets, each one after those before it."""

    spelled = ""  # of two numbers in a row, which of them is the bet: a question about the other says so

    def _money_and_number(self, clause: Clause) -> Clause:
        """Two numbers: `ten six` is money, then the number, unless only the other way round is a bet: `six 12`."""
        first, second = clause.bets
        if "7" in clause.bets:
            return Clause("bet", ("seven",), int(first if second == "7" else second) * CENTS)
        ways = [Clause("bet", (number,), int(money) * CENTS) for money, number in ((first, second), (second, first))]
        proper = [way for way in ways if self._is_proper(way)]
        if {first, second} == {"6", "8"}:
            both, eight = Clause("bet", ("6", "8")), Clause("bet", ("8",), 6 * CENTS)
            if not self._is_proper(eight):
                return both
            raise self.question(
                "6 on the eight, or the six and the eight?",
                Option("6 on the eight", "6 on the eight", ("6", "eight")),
                Option("the six and the eight", "six and eight", ("both", "six and eight")),
            )
        # `six twelve` may be 12 on the six, under the minimum or not: six is no money that anybody has in chips.
        odd = len(proper) == 1 and int(second) in ONE_ROLL and int(first) > 5 and int(first) % 5
        if self._is_box(first) and first != second and (len(proper) > 1 or odd):
            readings = [f"{self.money(way.amount or 0)} on the {NUMBER_WORDS[int(way.bets[0])]}" for way in ways]
            numbers = [(NUMBER_WORDS[int(way.bets[0])],) for way in ways]
            raise self.question(f"{', or '.join(readings)}?", *map(Option, readings, readings, numbers))
        in_chips = [way for way in ways if self._is_box(way.bets[0]) and not (way.amount or 0) % (5 * CENTS)]
        booked = [way for way in ways if self._is_box(way.bets[0]) or int(way.bets[0]) in ONE_ROLL]
        return (proper or in_chips or booked or ways)[0]

    def _money_and_numbers(self, clause: Clause) -> Clause:
        """Three numbers or more: all of them are bet, or the first or last is money for each of the others."""
        chips, boxed = self.table.notice.least, self._of_each(clause.bets)
        # Money is what somebody has in chips, or what the numbers are paid whole for.
        meant = [
            Clause("bet", numbers, int(money) * CENTS if money else None, each=bool(money))
            for money, numbers in boxed
            if not money
            or len(boxed) == 1
            or (int(money) * CENTS >= chips and not int(money) % 5)
            or all(self._is_proper(Clause("bet", (number,), int(money) * CENTS)) for number in numbers)
        ]
        if not meant:
            raise NotUnderstood(clause.words)
        if len(meant) > 1:
            spoken = [listed([f"the {NUMBER_WORDS[int(number)]}" for number in way.bets]) for way in meant]
            money = [f"{self.money(way.amount)} each on " if way.amount else "" for way in meant]
            keys = [" and ".join(f"place_{number}" for number in way.bets) for way in meant]
            lines, says = ([much + bets for much, bets in zip(money, those, strict=True)] for those in (keys, spoken))
            asks = ", or ".join(says)
            raise self.question(f"{asks[:1].upper()}{asks[1:]}?", *map(Option, says, lines))
        return meant[0]

    def _of_each(self, row: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
        """How a row may be money for each of some numbers, or numbers alone."""
        ways = [("", row), (row[0], row[1:]), (row[-1], row[:-1])]
        return [way for way in ways if all(map(self._is_box, way[1])) and len(set(way[1])) == len(way[1])]

    def _by_pairs(self, row: tuple[str, ...]) -> dict[str, int]:
        """`six twelve eight twelve`: numbers each with its money, or money each with its number; else none."""
        if len(row) < 4 or len(row) % 2 or (len(set(row)) == len(row) and self._of_each(row)):
            return {}
        ways = [
            {f"place_{number}": int(money) * CENTS for number, money in zip(numbers, monies, strict=True)}
            for numbers, monies in ((row[::2], row[1::2]), (row[1::2], row[::2]))
            if len(set(numbers)) == len(numbers) and all(map(self._is_box, numbers))
        ]
        return ways[0] if len(ways) == 1 else {}

    def _is_box(self, number: str) -> bool:
        return f"place_{number}" in self.layout.spots

    def _is_proper(self, clause: Clause) -> bool:
        number, amount = int(clause.bets[0]), clause.amount or 0
        key = f"place_{number}" if self._is_box(str(number)) else ONE_ROLL.get(number, "")
        return (
            key in self.layout.spots and amount + self.there(key) >= self.least(key) and not self.nearest(key, amount)
        )

    # --- Bets -------------------------------------------------------------------------------------------------------

    def _bet(self, clause: Clause) -> None:
        named, amount = clause.bets, clause.amount
        if amount == 0:
            self.refuse("amount.not_positive", "Bet at least one chip.")
            return
        if clause.how in {"exact", "put"}:
            self._exactly(clause)
            return
        if clause.how == "either" and (stakes := self._by_pairs(named)):
            self.proper(stakes)
            self.put_up(stakes)
            return
        if clause.how == "either":
            clause = self._money_and_number(clause) if len(named) == 2 else self._money_and_numbers(clause)
            named, amount = clause.bets, clause.amount
            self.spelled = (
                f" on the {self.called(f'place_{named[0]}')}" if len(named) == 1 and self._is_box(named[0]) else ""
            )
        if not named:
            raise self._on_what(amount or 0)
        if clause.how == "two way":
            amount = amount // 2 if amount else None
            self.says.append(f"{self.money(amount)} for you. {NO_TOKES}" if amount else NO_TOKES)
        if len(named) == 1 and (named[0] in BOXES or named[0] == "@place"):
            self.put_up(self.boxed(named[0] if named[0] in BOXES else "across", amount, clause.units))
            return
        if named[0].startswith("@"):
            raise NotUnderstood(clause.words)
        self._ask_chip(named, amount)
        self._ask_hard(clause, amount)
        self._ask_which(clause, amount)
        every = [self.keys(each) for each in named]
        if all(every):
            self._stakes(clause, every, amount)

    def _ask_chip(self, named: tuple[str, ...], amount: int | None) -> None:
        """Ask whether a number that is a chip or two as well is money."""
        if amount is None and named in {("5",), ("10",)} and self._is_box(named[0]):
            spoken, flat = NUMBER_WORDS[int(named[0])], "come" if self.table.puck else "line"
            raise self.question(
                f"The {spoken}, or {named[0]} on what?",
                Option(f"the {spoken}", f"place {named[0]}", (spoken, named[0], f"place {spoken}")),
                Option(flat, f"{named[0]} on the {flat}", (f"the {flat}", f"on the {flat}")),
                Option("field", f"{named[0]} on the field", ("the field", "on the field")),
            )

    def _ask_hard(self, clause: Clause, amount: int | None) -> None:
        """Ask whether the eight is hard as well: `five on the hard six and eight`."""
        first = next((at for at, named in enumerate(clause.bets) if named.startswith("hard_")), len(clause.bets))
        bare = [each for each in clause.bets[first:] if f"hard_{each}" in self.layout.spots]
        if not bare:
            return
        money = f"{self.money(amount)}{' each' if clause.each else ''} on " if amount else ""
        ways = [f"{way} {NUMBER_WORDS[int(bare[0])]}" for way in ("hard", "place")]
        lines = [
            money + " and ".join(f"{way}_{each}" if each in bare else each for each in clause.bets)
            for way in ("hard", "place")
        ]
        asks = f"{ways[0].capitalize()}, or {ways[1]}?"
        raise self.question(asks, *map(Option, ways, lines))

    def _ask_which(self, clause: Clause, amount: int | None) -> None:
        if clause.how == "or number" and amount:  # `place 6 12` where the twelve has a box as well
            money, (family, number) = self.money(amount), clause.bets[0].split("_")
            both = [key for each in (number, money) for key in self.shares(f"{family}_{each}")]
            if all(key in self.layout.spots for key in both):
                first, second = map(self.called, both)
                raise self.question(
                    f"{money} on the {first}, or the {first} and the {second}?",
                    Option(f"{money} on the {first}", f"{money} on {both[0]}", (first, money)),
                    Option(f"the {first} and the {second}", " and ".join(both), ("both", second)),
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
            self.ask_about_put(key, amount)
        self.ask(c.Bet(self.me, key, amount))

    def _stakes(self, clause: Clause, every: list[dict[str, int]], amount: int | None) -> None:
        together = {key: share for shares in every for key, share in shares.items()}
        if amount is None:
            wanted = {key: share * clause.units * self.default(key) for key, share in together.items()}
        elif clause.each:
            wanted = {key: share * amount for key, share in together.items()}
        elif len(every) > 1:
            wanted = self._each_or_all(together, amount)
        else:
            wanted = self._shared(clause.bets[0], together, amount)
        for key, stake in wanted.items():
            self.ask_about_put(key, stake)
        if clause.how == "about":
            for key, stake in wanted.items():
                self.ask(c.Bet(self.me, key, self.about(key, stake)))
            return
        self.proper(wanted)
        self.put_up(wanted)

    def about(self, key: str, amount: int) -> int:
        """The nearest amount that is booked and paid whole, and why it is another; where none is, the amount."""
        bet = amounts.booked(self.layout, self.table, self.me, key, amount)
        if isinstance(bet, Refusal):
            return amount
        if bet[1]:
            self.says.append(f"{self.spot(key).name}: {self.money(bet[0] + self.there(key))} ({bet[1]}).")
        return bet[0]

    def _each_or_all(self, together: dict[str, int], amount: int) -> dict[str, int]:
        """`36 six and eight` may be 18 each, or 36 each."""
        half, rest = divmod(amount, len(together))
        if rest or any(half < self.least(key) or self.nearest(key, half) for key in together):
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
        if len(together) == 1:
            return dict.fromkeys(together, amount)
        together = IRON_CROSS if named == "iron_cross" else together
        shares = sum(together.values())
        per, rest = divmod(amount, shares * self.table.notice.chip)
        lot = shares * self.table.notice.chip
        if not per or any(share * per * self.table.notice.chip < self.least(key) for key, share in together.items()):
            times = max(1, self.least("field") // (5 * CENTS)) * CENTS if named == "iron_cross" else amount
            return {key: share * times for key, share in together.items()}
        if rest:
            below, above = amount - rest, amount - rest + lot
            word = plain(named.replace("_", " "))
            options = (Option(self.money(each), f"{self.money(each)} on {word}") for each in (below, above))
            raise self.question(f"{self.money(below)} or {self.money(above)}?", *options)
        return {key: share * per * self.table.notice.chip for key, share in together.items()}

    def put_up(self, wanted: Mapping[str, int]) -> None:
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
        return amounts.pays_short(self.layout, self.table, key, self.there(key) + amount)

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
        first = self._minimum_words() if under and most == 1 else ""
        raise self.question(
            f"{first}{' or '.join(says)}{each}{'' if first else self.spelled}?",
            *(
                Option(word, self.line_of(choice), (f"{word} each",))
                for word, choice in zip(says, choices, strict=True)
            ),
        )

    def _minimum_words(self) -> str:
        least = self.table.notice.minimum
        words = PHRASES["minimums"].get(str(least // CENTS)) if not least % CENTS else None
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

    def ask_about_put(self, key: str, amount: int) -> None:
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

    def boxed(self, word: str, amount: int | None, units: int = 1, *, fresh: bool = False) -> dict[str, int]:
        """`32 across`, `22 inside`: with the point's number or without, whichever the amount is right for.

        Where no amount is said, it is so many times the least that is paid whole.
        """
        numbers = [number for number in BOXES[word] if f"place_{number}" in self.layout.spots]
        if not numbers:
            self.refuse("wager.not_offered", "No place bets here.")
            return {}
        boxes = [spot.number for spot in self.layout.spots.values() if spot.family == "place"]
        if word == "across" and len(boxes) > len(numbers) and amount is None:
            every = {kind: self._at(some, units=units) for kind, some in (("the six", numbers), ("all ten", boxes))}
            options = (Option(kind, self.line_of(stakes), (kind.split()[-1],)) for kind, stakes in every.items())
            raise self.question("The six, or all ten?", *options)
        point = self.table.puck
        without = [number for number in numbers if number != point]
        ways = {"without": without, "with": numbers} if len(without) < len(numbers) else {"with": numbers}
        if amount is None:
            line = any(key in self.felt for key in self.layout.line)
            return self._at(ways["without"] if line and "without" in ways else numbers, units=units)
        least = {way: self._least_times(some, fresh=fresh) for way, some in ways.items()}
        total = {way: sum(self._at(some, 1).values()) for way, some in ways.items()}
        fits = [way for way in ways if not amount % total[way]]
        if len(fits) > 1:
            point_word = NUMBER_WORDS[point]
            lines = {way: self.line_of(self._at(ways[way], amount // total[way])) for way in ("with", "without")}
            raise self.question(
                f"With the {point_word} or without?",
                *(Option(way, line, (f"{way} {point_word}",)) for way, line in lines.items()),
            )
        if len(fits) == 1 and amount // total[fits[0]] >= least[fits[0]]:
            return self._at(ways[fits[0]], amount // total[fits[0]])
        choices = fits or list(ways)
        near = {way: max(least[way], (2 * amount + total[way]) // (2 * total[way])) for way in choices}
        sums = {way: total[way] * near[way] for way in choices}
        first = self._minimum_words() if fits else ""
        spoken = [self.money(sums[way]) for way in choices]
        if not fits and len(choices) > 1 and amount >= min(least[way] * total[way] for way in ways):
            spoken[1] += f" with the {NUMBER_WORDS[point]}"
        gap = ", or " if " with " in spoken[-1] else " or "
        raise self.question(
            f"{first}{gap.join(spoken)}?",
            *(
                Option(amount, self.line_of(self._at(ways[way], near[way])), (f"{amount} {word}",))
                for way, amount in ((way, self.money(sums[way])) for way in choices)
            ),
        )

    def _least_times(self, numbers: Iterable[int], *, fresh: bool) -> int:
        """How many units each of these must be bet at least, on top of what is up unless that comes down first."""
        keys = [f"place_{number}" for number in numbers]
        short = (self.least(key) - (0 if fresh else self.there(key)) for key in keys)
        return max(1, *(-(-less // self.unit(key)) for key, less in zip(keys, short, strict=True)))

    def _at(self, numbers: Iterable[int], times: int | None = None, units: int = 1) -> dict[str, int]:
        keys = [f"place_{number}" for number in numbers]
        return {key: units * self.default(key) if times is None else times * self.unit(key) for key in keys}
