"""What is meant at the rail: the wagers that a name stands for, several in one word, and what of them is up."""

from collections.abc import Callable, Mapping

from passline.engine.commands import Command
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.kinds import Hardway, Hop, Line, Number
from passline.engine.layout import Spot
from passline.engine.refusals import Refusal
from passline.engine.table import Wager
from passline.engine.values import CENTS
from passline.sitting import amounts
from passline.sitting.orders import Ask, Option, Question, Rail
from passline.sitting.phrases import PHRASES
from passline.telling.names import UNITS, plain

NUMBER_WORDS = {number: word for word, number in UNITS.items()}

BOXES: dict[str, list[int]] = PHRASES["boxes"]
SHARES: dict[str, dict[str, int]] = PHRASES["shares"]
IRON_CROSS = SHARES.pop("iron_cross")
HIGHS: dict[str, str] = PHRASES["highs"]
ONE_ROLL: dict[int, str] = {int(number): key for number, key in PHRASES["one_roll"].items()}


def would_be_put(spot: Spot, puck: int) -> bool:
    terms = spot.rule.terms
    on_its_point = bool(puck and (spot.number or spot.is_line))
    return on_its_point and isinstance(terms, Line) and terms.side == "do" and terms.put.value


class Naming:
    """A copy of the table on which each act is tried after those before it, and the names of what lies there."""

    def __init__(self, rail: Rail) -> None:
        self.rail, self.layout, self.table, self.me = rail, rail.layout, rail.table, rail.seat
        self.commands: list[Command] = []
        self.says: list[str] = []
        self.refused: list[Refusal] = []

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
            self.refused += [answer] if answer not in self.refused else []
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
        return amounts.least_of(self.layout, self.table, key)

    # --- Names ------------------------------------------------------------------------------------------------------

    def called(self, key: str) -> str:
        spot = self.spot(key)
        if isinstance(spot.rule.terms, Number) and spot.family == "place":
            return NUMBER_WORDS.get(spot.number, str(spot.number))
        if isinstance(spot.rule.terms, Hardway):
            return f"hard {NUMBER_WORDS.get(spot.number, str(spot.number))}"
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
        elif family in PHRASES["not_here"]:
            no = f"No {PHRASES['not_here'][family]} here."
        else:
            known = PHRASES["spoken_as"].get(named)
            no = f"We don't book {known or plain(named.replace('_', ' '))} here."
        self.refuse("wager.not_offered", no)
        return {}

    def _hard_instead(self, key: str) -> str | None:
        pair = key.removeprefix("hop_").split("_")
        hard = f"hard_{2 * int(pair[0])}" if len(pair) == 2 and pair[0] == pair[1] and pair[0].isdigit() else ""
        return hard if hard in self.layout.spots else None

    def shares(self, named: str) -> dict[str, int]:
        if named in SHARES:
            return {key: share for each, share in SHARES[named].items() for key in self.shares(each)}
        if named.isdigit():
            return {self._on_number(int(named)): 1}
        if named.startswith("hardways_high_"):
            high = f"hard_{named.rsplit('_', 1)[1]}"
            return {key: 2 if key == high else 1 for key in SHARES["hardways"]}
        if named.startswith("hop_") and named not in self.layout.spots:
            return dict.fromkeys(self._hops(named.removeprefix("hop_")), 1)
        if named.startswith("put_"):
            number = int(named.removeprefix("put_"))
            key = "pass" if self.table.puck == number else f"come_{number}"
            is_put = self.table.puck and (key not in self.layout.spots or would_be_put(self.spot(key), number))
            return {key: 1} if is_put else self.shares(str(number))  # else `put ten on the six` places it
        if named == "iron_cross":
            return dict.fromkeys(IRON_CROSS, 1)
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

    def _on_number(self, number: int) -> str:
        """A number is the place bet on it; hard and hop are said."""
        if f"place_{number}" in self.layout.spots:
            return f"place_{number}"
        if number in ONE_ROLL:
            return ONE_ROLL[number]
        raise self._on_what(number * CENTS)

    def _on_what(self, amount: int) -> Ask:
        money = self.money(amount)
        spoken = NUMBER_WORDS.get(amount // CENTS, money) if not amount % CENTS else money
        return self.question(
            f"{spoken.capitalize()} on what?", *(Option(word, f"{money} on the {word}") for word in ("line", "field"))
        )

    def there(self, key: str) -> int:
        return amounts.up(self.table, self.me, key)

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

    def up(self, named: str) -> list[str]:
        felt = self.felt
        if named in KINDS:
            return [key for key in felt if KINDS[named](self, key)]
        if named in {"@it", "@winner"}:
            return [key for key in self.rail.won if key in felt]
        if named in BOXES:
            return [key for key in felt if KINDS["@numbers"](self, key)]
        if named.isdigit():
            forms = (f"{family}_{named}" for family in ("place", "buy", "big", "hard", "come", "lay", "dont_come"))
            return [next((key for key in forms if key in felt), f"place_{named}")]
        return list(self.shares(named))


def _number(naming: Naming, key: str) -> bool:
    terms = naming.spot(key).rule.terms
    return isinstance(terms, Number) and terms.side == "do"


def _family(*families: str) -> Callable[[Naming, str], bool]:
    return lambda naming, key: naming.spot(key).family in families


KINDS: dict[str, Callable[[Naming, str], bool]] = {
    "@all": lambda _dealer, _key: True,
    "@numbers": _number,
    "@place": _family("place"),
    "@buy": _family("buy"),
    "@lay": _family("lay", "place_lose"),
    "@odds": lambda naming, key: naming.spot(key).is_odds,
    "@come_odds": _family("come_odds"),
    "@come": lambda naming, key: naming.spot(key).has_travelled and not naming.spot(key).is_dont,
    "@dont": lambda naming, key: naming.spot(key).is_dont,
    "@props": lambda naming, key: naming.spot(key).rule.limits.value == "props",
    "@off": lambda naming, key: naming.felt[key].call == "off",
    "hardways": lambda naming, key: isinstance(naming.spot(key).rule.terms, Hardway),
}
