"""What is meant at the rail, and what is booked of it: names, amounts, and what dealers ask before they book."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from passline.engine import commands as c
from passline.engine import limits
from passline.engine.commands import Command
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.kinds import Hardway, Hop, Number
from passline.engine.layout import Spot
from passline.engine.refusals import Refusal
from passline.engine.table import Wager
from passline.engine.values import CENTS
from passline.engine.verdicts import Loses, Wins
from passline.sitting import amounts
from passline.sitting.orders import Ask, Option, Rail
from passline.sitting.phrases import PHRASES, Clause, NotUnderstood
from passline.telling.figures import listed, percent
from passline.telling.names import UNITS, plain

NUMBER_WORDS = {number: word for word, number in UNITS.items()}
BOXES: dict[str, list[int]] = PHRASES["boxes"]
SHARES: dict[str, dict[str, int]] = PHRASES["shares"]
IRON_CROSS = SHARES.pop("iron_cross")
HIGHS: dict[str, str] = PHRASES["highs"]
ONE_ROLL: dict[int, str] = {int(number): key for number, key in PHRASES["one_roll"].items()}
NO_TOKES = "No tokes here, thanks."
TO_WIN = 20  # a buy or lay bet of which nobody says how much is the one that wins about twenty
NEAR = 40


class Booking:
    """A copy of the table on which each act is tried after those before it, and what is asked, booked and refused."""

    spelled = ""  # of two numbers in a row, which of them is the bet: a question about the other says so

    def __init__(self, rail: Rail) -> None:
        self.rail, self.layout, self.table, self.me = rail, rail.layout, rail.table, rail.seat
        self.money, self.spot = self.layout.money, self.layout.spots.__getitem__
        self.commands: list[Command] = []
        self.says: list[str] = []
        self.refused: list[Refusal] = []

    @property
    def felt(self) -> Mapping[str, Wager]:
        seat = self.table.seats.get(self.me)
        return seat.felt if seat else {}

    def ask(self, command: Command) -> bool:
        answer = decide(self.layout, self.table, command)
        if isinstance(answer, Refusal):
            self.refused += [answer] if answer not in self.refused else []
            return False
        self.table = evolve(self.table, answer)
        self.commands.append(command)
        return True

    def refuse(self, code: str, message: str) -> None:
        refusal = Refusal(code, message, None, self.me)
        self.refused += [refusal] if refusal not in self.refused else []

    def there(self, key: str) -> int:
        return amounts.up(self.table, self.me, key)

    def least(self, key: str) -> int:
        return amounts.least_of(self.layout, self.table, key)

    def is_short(self, key: str, amount: int) -> bool:
        return amounts.pays_short(self.layout, self.table, key, self.there(key) + amount)

    def unit(self, key: str) -> int:
        """What a bet is raised by: six on the six and eight, five on other numbers; elsewhere the least there is."""
        spot = self.spot(key)
        if isinstance(spot.rule.terms, Number):
            return (6 if spot.number in (6, 8) else 5) * CENTS
        return self.least(key)

    def default(self, key: str) -> int:
        """What is bet where nobody says how much."""
        spot, least = self.spot(key), self.least(key)
        terms = spot.rule.terms
        if not isinstance(terms, Number):
            return least
        if spot.rule.commission is None:
            return self.unit(key) * max(1, -(-least // (5 * CENTS)))
        rate, wins = terms.pays[spot.number].value.rate, TO_WIN * CENTS
        return max(wins if rate >= 1 else int(wins / rate), least)

    # --- Names ------------------------------------------------------------------------------------------------------

    def called(self, key: str) -> str:
        spot = self.spot(key)
        number = NUMBER_WORDS.get(spot.number, str(spot.number))
        if isinstance(spot.rule.terms, Number) and spot.family == "place":
            return number
        return f"hard {number}" if isinstance(spot.rule.terms, Hardway) else spot.name

    def keys(self, named: str) -> dict[str, int]:
        """The wagers that a name stands for here, each with its share; what is not booked here is refused."""
        shares = self.shares(named)
        missing = [key for key in shares if key not in self.layout.spots or not self.spot(key).rule.offered.value]
        if not missing:
            return shares
        family = missing[0].partition("_")[0]
        pair = missing[0].removeprefix("hop_").split("_")
        hard = f"hard_{2 * int(pair[0])}" if len(pair) == 2 and pair[0] == pair[1] and pair[0].isdigit() else ""
        if hard in self.layout.spots and named == "buffalo":
            raise Ask("No hops here; hardways and any seven?", Option("hardways", "hardways, any seven"))
        if missing[0] in HIGHS:
            raise self._high_what(None)
        if hard in self.layout.spots:
            line = f"bet {hard} {self.money(self.least(hard))}"
            raise Ask(f"No hops here; {self.called(hard)}?", Option(self.called(hard), line))
        if family == "hop" and any(isinstance(spot.rule.terms, Hop) for spot in self.layout.offered()):
            no = "Only hardways hop here."
        elif family in PHRASES["not_here"]:
            no = f"No {PHRASES['not_here'][family]} here."
        else:
            no = f"We don't book {PHRASES['spoken_as'].get(named) or plain(named.replace('_', ' '))} here."
        self.refuse("wager.not_offered", no)
        return {}

    def shares(self, named: str) -> dict[str, int]:
        rest = named.partition("_")[2]
        if named in SHARES:
            return {key: share for each, share in SHARES[named].items() for key in self.shares(each)}
        if named == "iron_cross":
            return dict.fromkeys(IRON_CROSS, 1)
        if named.isdigit():  # a number is the place bet on it; hard and hop are said
            key = f"place_{named}" if self._is_box(named) else ONE_ROLL.get(int(named))
            if key is None:
                raise self._on_what(int(named) * CENTS)
            return {key: 1}
        if named.startswith("hardways_high_"):
            high = f"hard_{named.rsplit('_', 1)[1]}"
            return {key: 2 if key == high else 1 for key in SHARES["hardways"]}
        if named.startswith("hop_") and named not in self.layout.spots:
            return dict.fromkeys(self._hops(rest), 1)
        if named.startswith("put_"):
            key = "pass" if self.table.puck == int(rest) else f"come_{rest}"
            is_put = self.table.puck and (key not in self.layout.spots or self.spot(key).is_put(int(rest)))
            return {key: 1} if is_put else self.shares(rest)  # else `put ten on the six` places it
        return {named: 1}

    def _hops(self, dice: str) -> list[str]:
        """The hops of a total, or of two faces, by their keys in this house."""
        by_pair = {spot.pair: spot.key for spot in self.layout.spots.values() if isinstance(spot.rule.terms, Hop)}
        if "-" in dice:
            low, high = sorted(map(int, dice.split("-")))
            return [by_pair.get((high, low)) or by_pair.get((low, high)) or f"hop_{high}_{low}"]
        total = int(dice.removeprefix("easy_"))
        known = [str(key) for pair, key in by_pair.items() if sum(pair) == total]
        faces = [(high, total - high) for high in range(6, 0, -1) if 1 <= total - high <= high]
        if dice.startswith("easy_"):
            faces = [pair for pair in faces if pair[0] != pair[1]]
            known = [by_pair[pair] for pair in faces if pair in by_pair]
        return known if len(known) == len(faces) else [f"hop_{high}_{low}" for high, low in faces]

    def _is_box(self, number: int | str) -> bool:
        return f"place_{number}" in self.layout.spots

    def up(self, *names: str) -> list[str]:
        """The wagers that are up, or would be, of those that are named, each once."""
        return list(dict.fromkeys(key for named in names for key in self._up(named)))

    def _up(self, named: str) -> Iterable[str]:
        felt = self.felt
        if named in KINDS or named in BOXES:
            return [key for key in felt if KINDS["@numbers" if named in BOXES else named](self, key)]
        if named in {"@it", "@winner"}:
            return [key for key in self.rail.won if key in felt]
        if named.isdigit():
            forms = (f"{family}_{named}" for family in ("place", "buy", "big", "hard", "come", "lay", "dont_come"))
            return [next((key for key in forms if key in felt), f"place_{named}")]
        return self.shares(named)

    def unpressed(self, key: str) -> int:
        """What is left of a bet's last win, once the bet has been pressed with some of it."""
        won = self.rail.won.get(key)
        return max(0, won.net - max(0, self.there(key) - won.stake)) if won else 0

    def paying(self, key: str) -> int:
        """What a bet has just won, which raises it before the rail does; what a first press left is on the rail."""
        won, there = self.rail.won.get(key), self.there(key)
        if won is None or there > won.stake:
            return 0
        return won.net if won.stays or there else won.net + won.stake  # a winner that came down brought its stake too

    # --- Numbers in a row -------------------------------------------------------------------------------------------

    def _money_and_number(self, first: str, second: str) -> Clause:
        """Two numbers: `ten six` is money, then the number, unless only the other way round is a bet: `six 12`."""
        if "7" in {first, second}:
            return Clause("bet", ("seven",), int(first if second == "7" else second) * CENTS)
        if {first, second} == {"6", "8"}:
            if not self._is_proper("8", 6 * CENTS):
                return Clause("bet", ("6", "8"))
            raise Ask(
                "6 on the eight, or the six and the eight?",
                Option("6 on the eight", "6 on the eight", ("6", "eight")),
                Option("the six and the eight", "six and eight", ("both", "six and eight")),
            )
        ways = [(number, int(money) * CENTS) for money, number in ((first, second), (second, first))]
        proper = [way for way in ways if self._is_proper(*way)]
        # `six twelve` may be 12 on the six, under the minimum or not: six is no money that anybody has in chips.
        odd = len(proper) == 1 and int(second) in ONE_ROLL and int(first) > 5 and int(first) % 5
        if self._is_box(first) and first != second and (len(proper) > 1 or odd):
            words = [NUMBER_WORDS[int(number)] for number, _ in ways]
            readings = [f"{self.money(way[1])} on the {word}" for way, word in zip(ways, words, strict=True)]
            raise Ask(f"{', or '.join(readings)}?", *map(Option, readings, readings, ((word,) for word in words)))
        in_chips = [way for way in ways if self._is_box(way[0]) and not way[1] % (5 * CENTS)]
        booked = [way for way in ways if self._is_box(way[0]) or int(way[0]) in ONE_ROLL]
        number, amount = (proper or in_chips or booked or ways)[0]
        return Clause("bet", (number,), amount)

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
            or all(self._is_proper(number, int(money) * CENTS) for number in numbers)
        ]
        if not meant:
            raise NotUnderstood(clause.words)
        if len(meant) > 1:
            money = [f"{self.money(way.amount)} each on " if way.amount else "" for way in meant]
            spoken = [listed([f"the {NUMBER_WORDS[int(number)]}" for number in way.bets]) for way in meant]
            keys = [" and ".join(f"place_{number}" for number in way.bets) for way in meant]
            lines, says = ([much + bets for much, bets in zip(money, those, strict=True)] for those in (keys, spoken))
            raise Ask(f"{', or '.join(says)}?", *map(Option, says, lines))
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

    def _is_proper(self, number: str, amount: int) -> bool:
        key = f"place_{number}" if self._is_box(number) else ONE_ROLL.get(int(number), "")
        return (
            key in self.layout.spots and amount + self.there(key) >= self.least(key) and not self.nearest(key, amount)
        )

    # --- Bets -------------------------------------------------------------------------------------------------------

    def _bet(self, clause: Clause) -> None:
        named, amount = clause.bets, clause.amount
        if amount == 0:
            self.refuse("amount.not_positive", "Bet at least one chip.")
        elif clause.how in {"exact", "put"}:  # as a record has it: the wager's key, and the amount to the chip
            amount = self.default(named[0]) if amount is None else amount
            if clause.how == "exact":
                self.ask_about_put(named[0], amount)
            self.ask(c.Bet(self.me, named[0], amount))
        elif clause.how != "either":
            self._bet_on(clause)
        elif stakes := self._by_pairs(named):
            self.book(stakes)
        else:
            clause = self._money_and_number(*named) if len(named) == 2 else self._money_and_numbers(clause)
            named = clause.bets
            one_box = len(named) == 1 and self._is_box(named[0])
            self.spelled = f" on the {self.called(f'place_{named[0]}')}" if one_box else ""
            self._bet_on(clause)

    def _bet_on(self, clause: Clause) -> None:
        named, amount = clause.bets, clause.amount
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
        self._ask_what(clause, amount)
        every = [self.keys(each) for each in named]
        if not all(every):
            return
        wanted = self._stakes(clause, every, amount)
        for key, stake in wanted.items():
            self.ask_about_put(key, stake)
        if clause.how != "about":
            self.book(wanted)
            return
        for key, stake in wanted.items():
            self.ask(c.Bet(self.me, key, self.about(key, stake)))

    def _ask_what(self, clause: Clause, amount: int | None) -> None:
        """Ask which bet is meant, where a name or a number stands for several."""
        named = clause.bets
        if amount is None and named in {("5",), ("10",)} and self._is_box(named[0]):  # a chip or two as well
            spoken, flat = NUMBER_WORDS[int(named[0])], "come" if self.table.puck else "line"
            raise Ask(
                f"The {spoken}, or {named[0]} on what?",
                Option(f"the {spoken}", f"place {named[0]}", (spoken, named[0], f"place {spoken}")),
                *(Option(bet, f"{named[0]} on the {bet}", (f"on the {bet}",)) for bet in (flat, "field")),
            )
        first = next((at for at, each in enumerate(named) if each.startswith("hard_")), len(named))
        bare = [each for each in named[first:] if f"hard_{each}" in self.layout.spots]
        if bare:  # `five on the hard six and eight`
            money = f"{self.money(amount)}{' each' if clause.each else ''} on " if amount else ""
            ways = [f"{way} {NUMBER_WORDS[int(bare[0])]}" for way in ("hard", "place")]
            bets = (
                " and ".join(f"{way}_{each}" if each in bare else each for each in named) for way in ("hard", "place")
            )
            raise Ask(f"{', or '.join(ways)}?", *map(Option, ways, (money + bet for bet in bets)))
        if clause.how == "or number" and amount:  # `place 6 12` where the twelve has a box as well
            money, (family, number) = self.money(amount), named[0].split("_")
            both = [key for each in (number, money) for key in self.shares(f"{family}_{each}")]
            if all(key in self.layout.spots for key in both):
                one, other = map(self.called, both)
                raise Ask(
                    f"{money} on the {one}, or the {one} and the {other}?",
                    Option(f"{money} on the {one}", f"{money} on {both[0]}", (one, money)),
                    Option(f"the {one} and the {other}", " and ".join(both), ("both", other)),
                )
        if "horn_high" in named:
            raise self._high_what(amount)
        if {"corner", "seven"} & set(named):
            asks = {"big 6": "Big six", "big 8": "big eight"}
            if "corner" not in named:
                hops = {"hop 7": "hop the sevens"} if self._hops("7")[0] in self.layout.spots else {}
                asks = {"any seven": "Any seven", **hops}
            on = f"{self.money(amount)} on " if amount else ""
            raise Ask(f"{' or '.join(asks.values())}?", *(Option(way, on + way, (way.split()[-1],)) for way in asks))

    def _stakes(self, clause: Clause, every: list[dict[str, int]], amount: int | None) -> dict[str, int]:
        together = {key: share for shares in every for key, share in shares.items()}
        if amount is None or clause.each:
            return {key: share * (amount or clause.units * self.default(key)) for key, share in together.items()}
        if len(every) == 1:
            return self._shared(clause.bets[0], together, amount)
        # `36 six and eight` may be 18 each, or 36 each.
        part, rest = divmod(amount, len(together))
        if rest or any(part < self.least(key) or self.nearest(key, part) for key in together):
            return dict.fromkeys(together, amount)
        money = [self.money(part), self.money(amount)]
        lines = (self.line_of(dict.fromkeys(together, each)) for each in (part, amount))
        says = [f"{each} each" for each in money]
        raise Ask(f"{' or '.join(says)}?", *map(Option, says, lines, ((each,) for each in money)))

    def about(self, key: str, amount: int) -> int:
        """The nearest amount that is booked and paid whole, and why it is another; where none is, the amount."""
        bet = amounts.booked(self.layout, self.table, self.me, key, amount)
        if isinstance(bet, Refusal):
            return amount
        if bet[1]:
            self.says.append(f"{self.spot(key).name}: {self.money(bet[0] + self.there(key))} ({bet[1]}).")
        return bet[0]

    def _shared(self, named: str, together: dict[str, int], amount: int) -> dict[str, int]:
        """One name for several bets: the amount is for all of them, unless it is too little for that."""
        if len(together) == 1:
            return dict.fromkeys(together, amount)
        together = IRON_CROSS if named == "iron_cross" else together
        lot = sum(together.values()) * self.table.notice.chip
        times, rest = divmod(amount, lot)
        per = times * self.table.notice.chip
        if not per or any(share * per < self.least(key) for key, share in together.items()):
            each = max(1, self.least("field") // (5 * CENTS)) * CENTS if named == "iron_cross" else amount
            return {key: share * each for key, share in together.items()}
        if rest:
            near = [self.money(each) for each in (amount - rest, amount - rest + lot)]
            lines = (f"{each} on {plain(named.replace('_', ' '))}" for each in near)
            raise Ask(f"{' or '.join(near)}?", *map(Option, near, lines))
        return {key: share * per for key, share in together.items()}

    def book(self, wanted: dict[str, int]) -> None:
        self.proper(wanted)
        self.put_up(wanted)

    def put_up(self, wanted: Mapping[str, int]) -> None:
        short = [key for key, amount in wanted.items() if self.is_short(key, amount)]
        done = [key for key, amount in wanted.items() if self.ask(c.Bet(self.me, key, amount))]
        if any(key in done for key in short):
            self.says.append(f"{listed([self.called(key) for key in short]).capitalize()} would be paid short.")

    def line_of(self, wanted: Mapping[str, int]) -> str:
        return ", ".join(f"bet {key} {self.money(amount)}" for key, amount in wanted.items())

    # --- What a dealer asks -----------------------------------------------------------------------------------------

    def proper(self, wanted: dict[str, int]) -> None:
        """Ask where an amount is under the minimum, cannot be split, or would be paid short."""
        better = {key: near for key, amount in wanted.items() if (near := self.nearest(key, amount))}
        if not better:
            return
        most = max(map(len, better.values()))
        choices = [{key: (better.get(key) or (wanted[key],))[: at + 1][-1] for key in wanted} for at in range(most)]
        alike = all(len(set(choice.values())) == 1 for choice in choices)
        says = [self.money(next(iter(choice.values())) if alike else sum(choice.values())) for choice in choices]
        under = any(amount + self.there(key) < self.least(key) for key, amount in wanted.items())
        first = self._minimum_words() if under and most == 1 else ""
        raise Ask(
            f"{first}{' or '.join(says)}{' each' * (alike and len(wanted) > 1)}{'' if first else self.spelled}?",
            *map(Option, says, map(self.line_of, choices), ((f"{each} each",) for each in says)),
        )

    def _minimum_words(self) -> str:
        least = self.table.notice.minimum
        words = PHRASES["minimums"].get(str(least // CENTS)) if not least % CENTS else None
        return f"{words or self.money(least)} minimum: "

    def nearest(self, key: str, amount: int) -> tuple[int, ...]:
        """The nearest amounts that are booked and paid whole, below and above; none where this one is."""
        spot, there, chip, least = self.spot(key), self.there(key), self.table.notice.chip, self.least(key)
        if spot.key.startswith("horn") and not spot.key.startswith("horn_high") and amount % (4 * CENTS) == CENTS:
            raise self._high_what(amount)
        if amount + there < limits.minimum(self.table.notice, spot):
            return (max(self.default(key), least) - there,)
        lot = spot.units * chip
        if amount % lot:
            below = amount - amount % lot
            return tuple(each for each in (below, below + lot) if each + there >= least)
        is_number = isinstance(spot.rule.terms, Number)
        if not (is_number or spot.is_odds) or not self.is_short(key, amount):
            return ()
        if is_number and not (amount + there) % self.unit(key):
            return ()  # the stake that everybody bets, and this house pays short

        def whole(step: int) -> Iterator[int]:
            every = (amount + step * times for times in range(1, NEAR))
            return (near for near in every if near > 0 and near + there >= least and not self.is_short(key, near))

        return tuple(near for near in (next(whole(-chip), 0), next(whole(chip), 0)) if near)

    def ask_about_put(self, key: str, amount: int) -> None:
        """A flat bet made on its point is a put, which costs what the player should know."""
        spot = self.layout.spots.get(key)
        if spot is None or not spot.is_put(self.table.puck):
            return
        point = spot.number or self.table.puck
        place = self.layout.spots.get(f"place_{point}")
        beside = f"; {place.name} costs {percent(self._edge(place))}" if place else ""
        odds = [Option("odds", f"odds on {point}", ("odds instead",))] if spot.odds and spot.key in self.felt else []
        money = self.money(max(amount, self.least(key) - self.there(key)))
        raise Ask(
            f"The point is on: {money} put on the {point} pays even money "
            f"and costs {percent(self._edge(spot))}{beside}. Put it?",
            Option("put", f"put {key} {money}", ("put it", "yes", "y")),
            *odds,
        )

    def _edge(self, spot: Spot) -> Fraction:
        """What the house keeps of a bet that the next deciding roll wins or loses."""
        row = spot.row(0, self.table.puck, works=True)
        won = [verdict.rate for verdict in row if isinstance(verdict, Wins)]
        lost = sum(isinstance(verdict, Loses) for verdict in row)
        return (lost - sum(won, Fraction())) / (lost + len(won))

    def _on_what(self, amount: int) -> Ask:
        money = self.money(amount)
        spoken = money if amount % CENTS else NUMBER_WORDS.get(amount // CENTS, money)
        return Ask(f"{spoken} on what?", *(Option(word, f"{money} on the {word}") for word in ("line", "field")))

    def _high_what(self, amount: int | None) -> Ask:
        known = [word for key, word in HIGHS.items() if key in self.layout.spots]
        if not known:
            horn = self.money(max((amount or 0) // (4 * CENTS) * 4 * CENTS, self.least("horn")))
            return Ask(f"No horn high here; {horn} horn?", Option(f"{horn} horn", f"bet horn {horn}"))
        on = f"{self.money(amount)} " if amount else ""
        return Ask("High what?", *(Option(word, f"{on}horn high {word}", (f"high {word}",)) for word in known))

    # --- Across and inside ------------------------------------------------------------------------------------------

    def boxed(self, word: str, amount: int | None, units: int = 1, *, fresh: bool = False) -> dict[str, int]:
        """`32 across`, `22 inside`: with the point's number or without, whichever the amount is right for.

        Where no amount is said, it is so many times the least that is paid whole.
        """
        numbers = [number for number in BOXES[word] if self._is_box(number)]
        if not numbers:
            self.refuse("wager.not_offered", "No place bets here.")
            return {}
        boxes = [spot.number for spot in self.layout.spots.values() if spot.family == "place"]
        if word == "across" and len(boxes) > len(numbers) and amount is None:
            every = {"six": self._at(numbers, units=units), "ten": self._at(boxes, units=units)}
            ways = zip(("the six", "all ten"), every.items(), strict=True)
            options = (Option(says, self.line_of(stakes), (kind,)) for says, (kind, stakes) in ways)
            raise Ask("The six, or all ten?", *options)
        point = self.table.puck
        some = {"without": [number for number in numbers if number != point], "with": numbers}
        if point not in numbers:
            del some["without"]
        if amount is None:
            line = any(key in self.felt for key in self.layout.line)
            return self._at(some["without"] if line and "without" in some else numbers, units=units)
        least = {way: self._least_times(each, fresh=fresh) for way, each in some.items()}
        total = {way: sum(self._at(each, 1).values()) for way, each in some.items()}
        fits = [way for way in some if not amount % total[way]]
        if len(fits) > 1:
            spoken = NUMBER_WORDS[point]
            each = {way: self.line_of(self._at(some[way], amount // total[way])) for way in ("with", "without")}
            options = (Option(way, line, (f"{way} {spoken}",)) for way, line in each.items())
            raise Ask(f"With the {spoken} or without?", *options)
        if len(fits) == 1 and amount // total[fits[0]] >= least[fits[0]]:
            return self._at(some[fits[0]], amount // total[fits[0]])
        choices = fits or list(some)
        near = {way: max(least[way], (2 * amount + total[way]) // (2 * total[way])) for way in choices}
        sums = [self.money(total[way] * near[way]) for way in choices]
        asks = " or ".join(sums)
        if not fits and len(choices) > 1 and amount >= min(least[way] * total[way] for way in some):
            asks = f"{sums[0]}, or {sums[1]} with the {NUMBER_WORDS[point]}"
        lines = [self.line_of(self._at(some[way], near[way])) for way in choices]
        words = ((f"{each} {word}",) for each in sums)
        raise Ask(f"{self._minimum_words() if fits else ''}{asks}?", *map(Option, sums, lines, words))

    def _least_times(self, numbers: Iterable[int], *, fresh: bool) -> int:
        """How many units each of these must be bet at least, on top of what is up unless that comes down first."""
        short = {key: self.least(key) - (0 if fresh else self.there(key)) for key in self._at(numbers, 1)}
        return max(1, *(-(-less // self.unit(key)) for key, less in short.items()))

    def _at(self, numbers: Iterable[int], times: int | None = None, units: int = 1) -> dict[str, int]:
        keys = [f"place_{number}" for number in numbers]
        return {key: units * self.default(key) if times is None else times * self.unit(key) for key in keys}


def _number(booking: Booking, key: str) -> bool:
    terms = booking.spot(key).rule.terms
    return isinstance(terms, Number) and terms.side == "do"


def _family(*families: str) -> Callable[[Booking, str], bool]:
    return lambda booking, key: booking.spot(key).family in families


# Which of the wagers on a felt are of a kind that is named.
KINDS: dict[str, Callable[[Booking, str], bool]] = {
    "@all": lambda _booking, _key: True,
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
