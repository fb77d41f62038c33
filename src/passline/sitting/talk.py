"""Table talk: what somebody says at the rail becomes what is asked of the dealers, a dealer's question, or a no.

The terminal, plain mode, the page and a record's friendly form all ask here. Nothing is changed: the acts are tried
one after the other on a copy of the table, and whoever holds the real one does them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partialmethod

from passline.engine import commands as c
from passline.engine import settle
from passline.engine.commands import Command
from passline.engine.decide import decide
from passline.engine.events import Event, WagerCalled, WagerDown, WagerUp
from passline.engine.kinds import Number
from passline.engine.refusals import Refusal
from passline.sitting import amounts
from passline.sitting.booking import NO_TOKES, Booking
from passline.sitting.naming import BOXES, KINDS, would_be_put
from passline.sitting.orders import Ask, Option, Order, Question, Rail
from passline.sitting.phrases import PHRASES, Clause, NotUnderstood, read
from passline.telling.figures import listed
from passline.telling.names import nearest_word, plain

SEVERAL = re.compile(r",|;|&|\b(and|then)\b")  # what may stand between clauses: of a line that has one, all is quoted
QUOTED_MAX = 60
NO = frozenset({"no", "n", "nope", "never mind", "nothing", "cancel"})
SAYINGS = tuple(PHRASES["help"]["sayings"])


def talk(rail: Rail, text: str, about: str = "") -> Order:
    """What somebody says; `about` is the line of theirs that the dealers have a question about."""
    text = text.lstrip(" :/")  # the keys that open a line, pressed once more in it
    if text.rstrip(" ?!.").lower() == "help":
        return Order(says=SAYINGS)
    if about:
        pending = talk(rail, about).question
        option = pending.answered(text) if pending else None
        if option is not None:
            return talk(rail, option.line)
    if plain(text).strip(" .!") in NO:
        return Order(says=("No bet.",))
    dealer = Dealer(rail)
    try:
        clauses = read(rail.layout, text)
        for at, clause in enumerate(clauses):
            try:
                dealer.do(clause)
            except Ask as unclear:
                others = [each.words for each in clauses]
                return Order(question=_in_place(unclear.question, text, others[:at], others[at + 1 :]))
    except NotUnderstood as unknown:
        near = nearest_word(unknown.words, (name for name in rail.layout.spots))
        hint = f" Did you mean {near}?" if near else ""
        words = unknown.words and (unknown.words if SEVERAL.search(text) else text[:QUOTED_MAX].strip(" .!?"))
        what = f'I don\'t know "{words}".' if words else "Say a bet."
        return Order(
            says=(f"{what}{hint} Try: 12 on the six, 32 across, max odds (help lists more).",), understood=False
        )
    return Order(tuple(dealer.commands), tuple(dealer.says), tuple(dealer.refused))


def _in_place(question: Question, text: str, before: list[str], after: list[str]) -> Question:
    """A question about one clause of a line: its answers say the others too, for all of them wait for it."""
    options = (replace(option, line=", ".join([*before, option.line, *after])) for option in question.options)
    return replace(question, options=tuple(options), line=text)


def backwards(events: Sequence[Event]) -> Iterator[Command]:
    for event in reversed(events):
        match event:
            case WagerUp():
                yield c.Take(event.seat, event.wager, event.stake - event.added)
            case WagerDown():
                yield c.Bet(event.seat, event.wager, event.removed)
            case WagerCalled(call="on"):
                yield c.CallOff(event.seat, event.wager)
            case WagerCalled():
                yield c.CallOn(event.seat, event.wager)
            case _:
                pass


class Dealer(Booking):
    """Carries out one line of table talk on a copy of the table."""

    def do(self, clause: Clause) -> None:
        """What is said of the point is said of its number."""
        point = str(self.table.puck or "")
        bets = tuple(re.sub(r"\bpoint$|(?<=_)point$", point, each) for each in clause.bets)
        if bets != clause.bets and not point:
            self.refuse("wager.not_offered", "There is no point yet.")
            return
        clause = replace(clause, bets=bets)
        getattr(self, f"_{clause.verb.replace(' ', '_')}")(clause)

    # --- Pressing ---------------------------------------------------------------------------------------------------

    def _press(self, clause: Clause) -> None:
        if clause.how == "twice":
            once = clause.words.removesuffix(" twice")
            ways = Option("two units", f"{once} 2 units", ("units",)), Option("double it", once, ("double",))
            raise self.question("Two units, or double it?", *ways)
        keys = self._pressed(clause)
        if not keys:
            return
        goes = {key: self._pressed_to(key, clause) for key in keys}
        cost = sum(stake - self.there(key) for key, stake in goes.items())
        more = cost - sum(map(self.paying, goes))
        if clause.bets in {("@all",), ("across",)} and more > 0:
            line = ", ".join(f"make {key} {self.money(stake)}" for key, stake in goes.items())
            raise self.question(f"{self.money(more)} more?", Option(self.money(more), line))
        self._go_to(goes)

    def _pressed(self, clause: Clause) -> list[str]:
        named = clause.bets
        if named in {("@it",), ("@winner",)}:
            how = {
                "unit": f"up {clause.units} units on",
                "half": "half press",
                "full": "full press",
                "parlay": "parlay",
            }
            won, of_won = list(self.rail.won), clause.how == "parlay" or named == ("@winner",)
            line = f"{how.get(clause.how, 'press')} {{key}}"
            keys = self._which(line, won if of_won else ()) if won or not of_won else []
        else:
            every = self._doubled() if clause.how == "double" else self.up("@numbers")
            keys = [key for each in named for key in (every if each == "@all" else self.up(each))]
            missing = [key for key in keys if key not in self.felt and key not in self.rail.won]
            if missing:
                keys = []
        if clause.how == "parlay" and not any(map(self.unpressed, keys)):
            self.refuse("wager.not_up", "Nothing of yours won there to parlay.")
            return []
        if not keys:
            nothing = "Nothing of yours won" if named == ("@winner",) else "There is nothing of yours there to press"
            self.refuse("wager.not_up", f"{nothing}.")
        return keys

    def _doubled(self) -> list[str]:
        """Bets that can be doubled and taken down again; a contract bet could not be undone."""
        acts = {key: (c.Take(self.me, key), c.Bet(self.me, key, wager.stake)) for key, wager in self.felt.items()}
        return [
            key
            for key, both in acts.items()
            if not any(isinstance(decide(self.layout, self.table, act), Refusal) for act in both)
        ]

    def _which(self, line: str, won: Sequence[str] = ()) -> list[str]:
        """What `it` is: what has just won; else the number or hardway that is up. One of several is asked for."""
        keys = list(won) or self.up("@it")
        keys = keys or [key for key in self.felt if KINDS["@numbers"](self, key) or KINDS["hardways"](self, key)]
        if len(keys) > 1:
            asks = listed([self.called(key) for key in keys], "or")
            options = (Option(self.called(key), line.format(key=key)) for key in keys)
            raise self.question(f"{asks[:1].upper()}{asks[1:]}?", *options)
        return keys

    def _pressed_to(self, key: str, clause: Clause) -> int:
        won = self.rail.won.get(key)
        stake = self.there(key) or (won.stake if won else 0)
        unit, net = self.unit(key), self.unpressed(key)
        match clause.how:
            case "unit":
                return stake + clause.units * unit
            case "half":
                return stake + max(unit, stake // 2 // unit * unit)
            case "full":
                return stake + (net // unit * unit or stake)
            case "parlay":
                lot = (
                    unit
                    if isinstance(self.spot(key).rule.terms, Number)
                    else self.spot(key).units * self.table.notice.chip
                )
                return max((stake + net) // lot * lot, stake)
            case _:
                return 2 * stake

    def _go_to(self, goes: Mapping[str, int]) -> None:
        """Raise wagers, by what they won before the rail is touched, and say so."""
        cost, raised = 0, []
        pool = sum(map(self.paying, goes))
        for key, stake in goes.items():
            added = stake - self.there(key)
            if added > 0:
                self.ask_about_put(key, added)
            if added > 0 and self.ask(c.Bet(self.me, key, added)):
                cost += added
                raised.append(f"{self.called(key)} goes to {self.money(stake)}")
        if not raised:
            return
        change = pool - cost
        how = (
            f", {self.money(change)} back"
            if change > 0
            else f", {self.money(-change)} from your rail"
            if change
            else ""
        )
        first = ", ".join(raised)
        self.says.append(f"{first[:1].upper()}{first[1:]}{how}.")

    def _make(self, clause: Clause) -> None:
        """`take the six to 30`, `make it look like 30`; down too."""
        assert clause.amount is not None, "what it is made is said"
        if clause.bets == ("@it",):
            keys = self._which("make {key} " + self.money(clause.amount))
        else:
            keys = [key for each in clause.bets for key in self.up(each)]
        if not keys:
            self.refuse("wager.not_up", "There is nothing of yours there.")
        for key in keys:
            if key not in self.layout.spots:
                self.keys(key)
            elif clause.how == "exact" or clause.amount < self.there(key):
                self.ask(c.Take(self.me, key, clause.amount))
            elif clause.amount > self.there(key):
                near = self.nearest(key, clause.amount - self.there(key))
                if near:
                    stakes = [self.money(self.there(key) + each) for each in near]
                    options = (Option(stake, f"make {key} {stake}") for stake in stakes)
                    raise self.question(f"{' or '.join(stakes)}?", *options)
                self._go_to({key: clause.amount})

    def _same(self, clause: Clause) -> None:
        """The same bet: after a win the money goes to the rail, after a loss the bet goes up again."""
        again = {key: stake for key, stake in self.rail.taken.items() if key not in self.felt}
        if clause.how == "hardways":
            again |= {key: stake for key, stake in self.rail.hardways.items() if key not in self.felt}
        waits = [
            key for key in again if would_be_put(self.spot(key), self.table.puck)
        ]  # a put is asked for by its name
        done = [self.ask(c.Bet(self.me, key, stake)) for key, stake in again.items() if key not in waits]
        won = sum(map(self.unpressed, self.rail.won))
        if any(done) or won > 0 or waits:
            self.refused.clear()
        self.says += [f"{self.spot(key).name} waits for the come-out." for key in waits]
        if not any(done) and won > 0:
            self.says.append(f"{self.money(won)} to your rail.")
        elif not done and not waits:
            self.refuse("wager.not_up", "There is nothing to bet again.")

    # --- Down -------------------------------------------------------------------------------------------------------

    def _down(self, clause: Clause) -> None:
        keys = list(dict.fromkeys(key for each in clause.bets for key in self.up(each)))
        stays = []
        for key in keys:
            if key not in self.felt and clause.bets == ("@all",):
                continue  # odds come down with their bet
            if key in self.felt and isinstance(decide(self.layout, self.table, c.Take(self.me, key)), Refusal):
                stays.append(key)
                if clause.bets != ("@all",):
                    self._contract(key)
                continue
            self.ask(c.Take(self.me, key))
        if clause.bets == ("@all",):
            until = "s until it is decided" if len(stays) == 1 else " until they are decided"
            self.says += [f"{listed([self.spot(key).name for key in stays])} stay{until}."] if stays else []
        if not keys:
            self.refuse(
                "wager.not_up",
                "Nothing of yours may come down now." if clause.bets == ("@all",) else "You have none up.",
            )

    def _contract(self, key: str) -> None:
        odds = self.spot(key).odds
        if odds and odds in self.felt:
            raise self.question(f"{self.spot(key).name} stays; odds down?", Option("odds", f"down {odds}"))
        self.ask(c.Take(self.me, key))

    def _undo(self, _clause: Clause) -> None:
        """Take the last step back, whole or not at all: half of it could be done again, and again."""
        self._whole(backwards(self.rail.done), "You have done nothing since the dice rested.")

    def _redo(self, _clause: Clause) -> None:
        self._whole(self.rail.undone, "You have taken nothing back.")

    def _whole(self, acts: Iterable[Command], nothing: str) -> None:
        done = [self.ask(act) for act in acts]
        if self.refused:
            self.commands.clear()
        elif not done:
            self.refuse("wager.not_up", nothing)

    def _lower(self, clause: Clause) -> None:
        """A unit off, or about so much."""
        keys = [key for each in clause.bets for key in self.up(each)]
        if clause.amount is not None and keys:
            for key in keys:
                left = amounts.to_leave(self.layout, self.table, self.me, key, clause.amount)
                left = 0 if isinstance(left, Refusal) else left
                wanted = self.there(key) - clause.amount
                if clause.how != "about" and key in self.felt and left != wanted:
                    says = f"down to {self.money(left)}" if left else "all down"
                    line = f"make {key} {self.money(left)}" if left else f"down {key}"
                    raise self.question(f"{says.capitalize()}?", Option(says, line, ("down",)))
                self.ask(c.Take(self.me, key, left))
            return
        if clause.bets == ("@it",):
            keys = self._which(f"down {clause.units} units on {{key}}")
        if not keys:
            self.refuse("wager.not_up", "There is nothing of yours there.")
        for key in keys:
            left = self.there(key) - clause.units * self.unit(key)
            if key in self.felt and left < self.least(key):
                least = self.default(key) if isinstance(self.spot(key).rule.terms, Number) else self.least(key)
                if self.there(key) > least:
                    left = least
                else:
                    raise self.question(
                        f"Minimum's {self.money(least)}: all down?", Option("all down", f"down {key}", ("down",))
                    )
            self.ask(c.Take(self.me, key, max(0, left)))

    def _regress(self, clause: Clause) -> None:
        """Fewer chips on the same numbers: `regress to 22 inside`; the rest goes to the rail."""
        word = clause.bets[0]
        wanted = (
            self.boxed(word, clause.amount, fresh=True)
            if word in BOXES
            else {key: clause.amount or self.default(key) for each in clause.bets for key in self.keys(each)}
        )
        for key in [key for key in self.felt if self.spot(key).family == "place"]:
            left = wanted.pop(key, 0)
            if left != self.there(key):
                self.ask(
                    c.Take(self.me, key, left)
                    if left < self.there(key)
                    else c.Bet(self.me, key, left - self.there(key))
                )
        self.put_up(wanted)

    def _pick_up(self, _clause: Clause) -> None:
        """Don't bets come up whenever their player likes, which is the house's gain once they are ahead."""
        keys = [key for key in self.felt if self.spot(key).is_dont]
        if not keys:
            self.refuse("wager.not_up", "You have no don't bet up.")
        if any(self.spot(key).is_on_a_point(self.table.puck) for key in keys):
            line = ", ".join(f"down {key}" for key in keys)
            raise self.question("It's ahead now: pick it up?", Option("pick it up", line))
        for key in keys:
            self.ask(c.Take(self.me, key))

    # --- On and off -------------------------------------------------------------------------------------------------

    def _call(self, clause: Clause, *, on: bool) -> None:
        everything = clause.bets == ("@all",)
        kinds = ("@numbers", "@come_odds", "hardways") if everything else clause.bets
        kinds = ("@numbers", "@come_odds") if kinds == ("across",) else kinds
        keys = list(dict.fromkeys(key for each in kinds for key in self.up(each)))
        by_kind = any(each in KINDS or each in BOXES for each in kinds)
        able = [key for key in keys if key in self.felt and self.spot(key).rule.callable.value]
        wrong = [key for key in (able if by_kind else keys) if key not in self.felt or not self._stands(key, on=on)]
        for key in wrong:
            if key not in self.felt or not self._stands(key, on=on):  # one button may have spoken for it
                self.ask(c.CallOn(self.me, key) if on else c.CallOff(self.me, key))
        if everything and not on and any(self.spot(key).is_line for key in self.felt):
            self.says.append("Line stays.")
        for key in [] if by_kind or able else keys:
            self.ask(
                c.CallOn(self.me, key) if on else c.CallOff(self.me, key)
            )  # the dealers say why it is never called
        if able and not wrong:
            self.says.append(f"{'Working' if on else 'Off'} already.")
        if not keys or (by_kind and not able):
            self.refuse("call.not_callable", f"You have nothing up that could be called {'on' if on else 'off'}.")

    _off, _on = partialmethod(_call, on=False), partialmethod(_call, on=True)

    def _stands(self, key: str, *, on: bool) -> bool:
        return settle.works(self.spot(key), self.felt[key], self.table.puck) == on

    # --- Odds -------------------------------------------------------------------------------------------------------

    def _odds(self, clause: Clause) -> None:
        wanted = list(self._behind(clause))
        if not wanted:
            self.refuse("bet.no_flat", "There is no flat bet on a point to put odds behind.")
            return
        several = clause.bets in {("@come",), ("come",), ("@all",)}
        first: Refusal | None = None
        if clause.how == "some":
            self._ask_how_much(wanted[0], "{} or {} more?")
        if clause.how.startswith("max") and self.table.notice.odds is None:
            self._ask_how_much(wanted[0], "No limit here: {} or {}?")
        for key in wanted:
            amount = self._how_much(key, clause)
            if isinstance(amount, Refusal):
                if self.there(key) and amount.code in amounts.AT_MOST:
                    most = f"{self.called(key)}: {self.money(self.there(key))} is the most, and it is up."
                    amount = replace(amount, message=most)
                first = first or amount
                continue
            if clause.amount is not None and clause.how != "about":
                self.proper({key: amount})
            self.ask(c.Bet(self.me, key, amount))
            if not several:
                return
        if first is not None and not self.commands:
            self.refused.append(first)

    def _behind(self, clause: Clause) -> Iterator[str]:
        """The odds that are meant: those named; else the line's first, then those of come bets."""
        felt = self.felt
        flats = [key for key in felt if self.spot(key).odds and self.spot(key).is_on_a_point(self.table.puck)]
        if "lay" in clause.how:
            flats = [key for key in flats if self.spot(key).is_dont]
        if clause.bets in {("@come",), ("come",)}:
            flats = [key for key in flats if not self.spot(key).is_line]
        elif clause.bets and clause.bets != ("@all",):
            meant = {each if not each.isdigit() else int(each) for each in clause.bets}
            flats = [
                key
                for key in flats
                if key in meant or self.spot(key).odds in meant or (self.spot(key).number or self.table.puck) in meant
            ]
        without = [key for key in flats if self.spot(key).odds not in felt]
        flats = without + [key for key in flats if key not in without] if not clause.bets else flats
        flats.sort(key=lambda key: (self.spot(key).odds in felt, not self.spot(key).is_line, self.spot(key).is_dont))
        return (self.spot(key).odds for key in flats)

    def _ask_how_much(self, key: str, asks: str) -> None:
        """As much as is up, or the most that there is; where only one of these can be, nothing is to be asked."""
        most = amounts.full_odds(self.layout, self.table, self.me, key)
        flat = self.spot(key).flat
        again = amounts.to_bet(self.layout, self.table, self.me, key, self.there(key) or self.there(flat))
        if isinstance(most, Refusal) or isinstance(again, Refusal) or again >= most:
            return
        first, full = self.money(again), self.money(most)
        raise self.question(
            asks.format(first, full),
            Option(first, f"{first} odds on {flat}", (f"{first} more",)),
            Option(full, f"{full} odds on {flat}", (f"{full} more", "max", "the max")),
        )

    def _how_much(self, key: str, clause: Clause) -> int | Refusal:
        if clause.amount is not None:
            return self.about(key, clause.amount) if clause.how == "about" else clause.amount
        if clause.how[:-1].isdigit():
            flat = self.felt[self.spot(key).flat].stake
            return amounts.to_bet(self.layout, self.table, self.me, key, int(clause.how[:-1]) * flat)
        return amounts.full_odds(self.layout, self.table, self.me, key)

    def _move(self, clause: Clause) -> None:
        """`move the six to the nine`: what makes no unit there goes back."""
        to = next(iter(self.keys(clause.bets[-1])), "")
        taken = next(
            iter(self._which(f"move {{key}} to {to}") if clause.bets[0] == "@it" else self.up(clause.bets[0])), ""
        )
        if taken not in self.felt or not to or not self._alike(taken, to):
            self.refuse("wager.not_up", "There is nothing of yours there to move.")
            return
        stake = self.there(taken)
        moved = max(stake // self.unit(to) * self.unit(to), self.default(to))
        if self.ask(c.Take(self.me, taken)) and self.ask(c.Bet(self.me, to, moved)):
            back = f", {self.money(stake - moved)} back" if stake > moved else ""
            self.says.append(f"{self.money(moved)} on the {self.called(to)}{back}.")

    def _alike(self, *keys: str) -> bool:
        """Whether chips go from one to the other: from box to box, but not from a hardway to a box."""
        return all(KINDS["@numbers"](self, key) for key in keys) or len({self.spot(key).family for key in keys}) == 1

    def _with_odds(self, _clause: Clause) -> None:
        """`down with odds`: a place bet on a number that a come bet has reached becomes odds on it."""
        numbers = [self.spot(key).number for key in self.felt if self.spot(key).family == "place"]
        both = [number for number in numbers if f"come_{number}" in self.felt]
        if not both:
            self.refuse("wager.not_up", "No come bet of yours stands on a number that you have placed.")
        for number in both:
            stake, odds, chip = self.there(f"place_{number}"), f"come_odds_{number}", self.table.notice.chip
            before = self.table
            self.ask(c.Take(self.me, f"place_{number}"))
            most = amounts.full_odds(self.layout, self.table, self.me, odds)
            if isinstance(most, Refusal):  # it stays where it is
                self.table, self.commands = before, self.commands[:-1]
                self.refused.append(most)
                continue
            whole = (amount for amount in range(min(most, stake), 0, -chip) if not self.is_short(odds, amount))
            self.ask(c.Bet(self.me, odds, next(whole, min(most, stake))))

    def _dice(self, clause: Clause) -> None:
        giving = c.PassDice if self.table.shooter == self.me else c.Decline
        self.ask(c.Shoot(self.me) if clause.how == "take" else giving(self.me))

    def _say(self, clause: Clause) -> None:
        seat = self.table.seats.get(self.me)
        self.says.append(
            {
                "toke": NO_TOKES,
                "change": "Change only, no bet.",
                "color": f"{self.money(seat.rail if seat else 0)}, in the fewest chips.",
            }[clause.how]
        )
