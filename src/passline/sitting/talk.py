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
from passline.sitting.booking import BOXES, KINDS, NO_TOKES, Booking
from passline.sitting.orders import Ask, Option, Order, Rail
from passline.sitting.phrases import PHRASES, Clause, NotUnderstood, read
from passline.telling.figures import capital, listed
from passline.telling.names import nearest_word, plain

SEVERAL = re.compile(r",|;|&|\b(and|then)\b")  # what may stand between clauses: of a line that has one, all is quoted
QUOTED_MAX = 60
NO = frozenset({"no", "n", "nope", "never mind", "nothing", "cancel"})
SAYINGS = tuple(PHRASES["help"]["sayings"])
PRESSES = {"half": "half press", "full": "full press", "parlay": "parlay"}  # how a press of one bet is asked for again
EVERY_COME = {("@come",), ("come",)}


def talk(rail: Rail, text: str, about: str = "") -> Order:
    """What somebody says; `about` is the line of theirs that the dealers have a question about."""
    text = text.lstrip(" :/")  # the keys that open a line, pressed once more in it
    if text.rstrip(" ?!.").lower() == "help":
        return Order(says=SAYINGS)
    pending = talk(rail, about).question if about else None
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
            except Ask as unclear:  # its answers say the other clauses too, for all of them wait for it
                before, after = ([each.words for each in some] for some in (clauses[:at], clauses[at + 1 :]))
                ways = unclear.question.options
                options = (replace(way, line=", ".join([*before, way.line, *after])) for way in ways)
                return Order(question=replace(unclear.question, options=tuple(options), line=text))
    except NotUnderstood as unknown:
        near = nearest_word(unknown.words, rail.layout.spots)
        hint = f" Did you mean {near}?" if near else ""
        words = unknown.words and (unknown.words if SEVERAL.search(text) else text[:QUOTED_MAX].strip(" .!?"))
        what = f'I don\'t know "{words}".' if words else "Say a bet."
        return Order(
            says=(f"{what}{hint} Try: 12 on the six, 32 across, max odds (help lists more).",), understood=False
        )
    return Order(tuple(dealer.commands), tuple(dealer.says), tuple(dealer.refused))


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
        getattr(self, f"_{clause.verb.replace(' ', '_')}")(replace(clause, bets=bets))

    def none_up(self, message: str = "There is nothing of yours there.") -> None:
        self.refuse("wager.not_up", message)

    # --- Pressing ---------------------------------------------------------------------------------------------------

    def _press(self, clause: Clause) -> None:
        if clause.how == "twice":
            once = clause.words.removesuffix(" twice")
            ways = Option("two units", f"{once} 2 units", ("units",)), Option("double it", once, ("double",))
            raise Ask("Two units, or double it?", *ways)
        keys = self._pressed(clause)
        if clause.how == "parlay" and not any(map(self.unpressed, keys)):
            self.none_up("Nothing of yours won there to parlay.")
            return
        if not keys:
            won = clause.bets == ("@winner",)
            self.none_up("Nothing of yours won." if won else "There is nothing of yours there to press.")
            return
        goes = {key: self._pressed_to(key, clause) for key in keys}
        more = sum(stake - self.there(key) for key, stake in goes.items()) - sum(map(self.paying, goes))
        if clause.bets in {("@all",), ("across",)} and more > 0:
            line = ", ".join(f"make {key} {self.money(stake)}" for key, stake in goes.items())
            raise Ask(f"{self.money(more)} more?", Option(self.money(more), line))
        self._go_to(goes)

    def _pressed(self, clause: Clause) -> list[str]:
        if clause.bets in {("@it",), ("@winner",)}:
            again = f"up {clause.units} units on" if clause.how == "unit" else PRESSES.get(clause.how, "press")
            won, of_won = list(self.rail.won), clause.how == "parlay" or clause.bets == ("@winner",)
            return self._which(f"{again} {{key}}", won if of_won else ()) if won or not of_won else []
        every = self._doubled() if clause.how == "double" else self.up("@numbers")
        keys = [key for each in clause.bets for key in (every if each == "@all" else self.up(each))]
        return keys if all(key in self.felt or key in self.rail.won for key in keys) else []

    def _doubled(self) -> list[str]:
        """Bets that can be doubled and taken down again; a contract bet could not be undone."""
        down = {key: up.stake for key, up in self.felt.items() if not self._refused(c.Take(self.me, key))}
        return [key for key, stake in down.items() if not self._refused(c.Bet(self.me, key, stake))]

    def _refused(self, act: Command) -> bool:
        return isinstance(decide(self.layout, self.table, act), Refusal)

    def _which(self, line: str, won: Sequence[str] = ()) -> list[str]:
        """What `it` is: what has just won; else the number or hardway that is up. One of several is asked for."""
        up = [key for key in self.felt if KINDS["@numbers"](self, key) or KINDS["hardways"](self, key)]
        keys = list(won) or self.up("@it") or up
        if len(keys) > 1:
            names = [self.called(key) for key in keys]
            raise Ask(f"{listed(names, 'or')}?", *map(Option, names, (line.format(key=key) for key in keys)))
        return keys

    def _pressed_to(self, key: str, clause: Clause) -> int:
        won, spot = self.rail.won.get(key), self.spot(key)
        stake = self.there(key) or (won.stake if won else 0)
        unit, net = self.unit(key), self.unpressed(key)
        lot = unit if isinstance(spot.rule.terms, Number) else spot.units * self.table.notice.chip
        goes = {
            "unit": stake + clause.units * unit,
            "half": stake + max(unit, stake // 2 // unit * unit),
            "full": stake + (net // unit * unit or stake),
            "parlay": max((stake + net) // lot * lot, stake),
        }
        return goes.get(clause.how, 2 * stake)

    def _go_to(self, goes: Mapping[str, int]) -> None:
        """Raise wagers, by what they won before the rail is touched, and say so."""
        change, raised = sum(map(self.paying, goes)), []
        for key, stake in goes.items():
            added = stake - self.there(key)
            if added > 0:
                self.ask_about_put(key, added)
            if added > 0 and self.ask(c.Bet(self.me, key, added)):
                change -= added
                raised.append(f"{self.called(key)} goes to {self.money(stake)}")
        if raised:
            whence = "back" if change > 0 else "from your rail"
            how = f", {self.money(abs(change))} {whence}" if change else ""
            self.says.append(f"{capital(', '.join(raised))}{how}.")

    def _make(self, clause: Clause) -> None:
        """`take the six to 30`, `make it look like 30`; down too."""
        assert clause.amount is not None, "what it is made is said"
        money = self.money(clause.amount)
        keys = self._which(f"make {{key}} {money}") if clause.bets == ("@it",) else self.up(*clause.bets)
        if not keys:
            self.none_up()
        for key in keys:
            if key not in self.layout.spots:
                self.keys(key)
            elif clause.how == "exact" or clause.amount < self.there(key):
                self.ask(c.Take(self.me, key, clause.amount))
            elif clause.amount > self.there(key):
                near = self.nearest(key, clause.amount - self.there(key))
                if stakes := [self.money(self.there(key) + each) for each in near]:
                    lines = (f"make {key} {each}" for each in stakes)
                    raise Ask(f"{' or '.join(stakes)}?", *map(Option, stakes, lines))
                self._go_to({key: clause.amount})

    def _same(self, clause: Clause) -> None:
        """The same bet: after a win the money goes to the rail, after a loss the bet goes up again."""
        lost = {**self.rail.taken, **(self.rail.hardways if clause.how == "hardways" else {})}
        again = {key: stake for key, stake in lost.items() if key not in self.felt}
        # A put is asked for by its name.
        waits = [key for key in again if self.spot(key).is_put(self.table.puck)]
        done = [self.ask(c.Bet(self.me, key, stake)) for key, stake in again.items() if key not in waits]
        won = sum(map(self.unpressed, self.rail.won))
        if any(done) or won > 0 or waits:
            self.refused.clear()
        self.says += [f"{self.spot(key).name} waits for the come-out." for key in waits]
        if not any(done) and won > 0:
            self.says.append(f"{self.money(won)} to your rail.")
        elif not done and not waits:
            self.none_up("There is nothing to bet again.")

    # --- Down -------------------------------------------------------------------------------------------------------

    def _down(self, clause: Clause) -> None:
        everything, keys = clause.bets == ("@all",), self.up(*clause.bets)
        stays = []
        for key in keys:
            if everything and key not in self.felt:
                continue  # odds come down with their bet
            contract = key in self.felt and self._refused(c.Take(self.me, key))
            if contract and everything:
                stays.append(self.spot(key).name)
                continue
            odds = self.spot(key).odds if contract else ""
            if odds in self.felt:
                raise Ask(f"{self.spot(key).name} stays; odds down?", Option("odds", f"down {odds}"))
            self.ask(c.Take(self.me, key))
        if stays:
            until = "s until it is decided" if len(stays) == 1 else " until they are decided"
            self.says.append(f"{listed(stays)} stay{until}.")
        if not keys:
            self.none_up("Nothing of yours may come down now." if everything else "You have none up.")

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
            self.none_up(nothing)

    def _lower(self, clause: Clause) -> None:
        """A unit off, or about so much."""
        keys = self.up(*clause.bets)
        if clause.amount is not None and keys:
            for key in keys:
                left = amounts.to_leave(self.layout, self.table, self.me, key, clause.amount)
                left = 0 if isinstance(left, Refusal) else left
                if clause.how != "about" and key in self.felt and left != self.there(key) - clause.amount:
                    says = f"down to {self.money(left)}" if left else "all down"
                    line = f"make {key} {self.money(left)}" if left else f"down {key}"
                    raise Ask(f"{says}?", Option(says, line, ("down",)))
                self.ask(c.Take(self.me, key, left))
            return
        if clause.bets == ("@it",):
            keys = self._which(f"down {clause.units} units on {{key}}")
        if not keys:
            self.none_up()
        for key in keys:
            left = self.there(key) - clause.units * self.unit(key)
            if key in self.felt and left < self.least(key):
                least = self.default(key) if isinstance(self.spot(key).rule.terms, Number) else self.least(key)
                if self.there(key) <= least:
                    down = Option("all down", f"down {key}", ("down",))
                    raise Ask(f"Minimum's {self.money(least)}: all down?", down)
                left = least
            self.ask(c.Take(self.me, key, max(0, left)))

    def _regress(self, clause: Clause) -> None:
        """Fewer chips on the same numbers: `regress to 22 inside`; the rest goes to the rail."""
        word = clause.bets[0]
        if word in BOXES:
            wanted = self.boxed(word, clause.amount, fresh=True)
        else:
            wanted = {key: clause.amount or self.default(key) for each in clause.bets for key in self.keys(each)}
        for key in [key for key in self.felt if self.spot(key).family == "place"]:
            left, there = wanted.pop(key, 0), self.there(key)
            if left != there:
                self.ask(c.Take(self.me, key, left) if left < there else c.Bet(self.me, key, left - there))
        self.put_up(wanted)

    def _pick_up(self, _clause: Clause) -> None:
        """Don't bets come up whenever their player likes, which is the house's gain once they are ahead."""
        keys = self.up("@dont")
        if not keys:
            self.none_up("You have no don't bet up.")
        if any(self.spot(key).is_on_a_point(self.table.puck) for key in keys):
            line = ", ".join(f"down {key}" for key in keys)
            raise Ask("It's ahead now: pick it up?", Option("pick it up", line))
        for key in keys:
            self.ask(c.Take(self.me, key))

    # --- On and off -------------------------------------------------------------------------------------------------

    def _call(self, clause: Clause, *, on: bool) -> None:
        everything, felt = clause.bets == ("@all",), self.felt
        kinds = ("@numbers", "@come_odds", "hardways") if everything else clause.bets
        kinds = ("@numbers", "@come_odds") if kinds == ("across",) else kinds
        keys = self.up(*kinds)
        by_kind = any(each in KINDS or each in BOXES for each in kinds)
        able = [key for key in keys if key in felt and self.spot(key).rule.callable.value]
        wrong = [key for key in (able if by_kind else keys) if not self._stands(key, on=on)]
        call: type[c.CallOn | c.CallOff] = c.CallOn if on else c.CallOff
        for key in wrong:
            if not self._stands(key, on=on):  # one button may have spoken for it
                self.ask(call(self.me, key))
        for key in [] if by_kind or able else keys:
            self.ask(call(self.me, key))  # the dealers say why it is never called
        if everything and not on and any(self.spot(key).is_line for key in felt):
            self.says.append("Line stays.")
        if able and not wrong:
            self.says.append(f"{'Working' if on else 'Off'} already.")
        if not keys or (by_kind and not able):
            self.refuse("call.not_callable", f"You have nothing up that could be called {'on' if on else 'off'}.")

    _off, _on = partialmethod(_call, on=False), partialmethod(_call, on=True)

    def _stands(self, key: str, *, on: bool) -> bool:
        felt = self.felt
        return key in felt and settle.works(self.spot(key), felt[key], self.table.puck) == on

    # --- Odds -------------------------------------------------------------------------------------------------------

    def _odds(self, clause: Clause) -> None:
        wanted = self._behind(clause)
        if not wanted:
            self.refuse("bet.no_flat", "There is no flat bet on a point to put odds behind.")
            return
        if clause.how == "some":
            self._ask_how_much(wanted[0], "{} or {} more?")
        if clause.how.startswith("max") and self.table.notice.odds is None:
            self._ask_how_much(wanted[0], "No limit here: {} or {}?")
        first: Refusal | None = None
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
            if clause.bets not in {*EVERY_COME, ("@all",)}:
                return
        if first is not None and not self.commands:
            self.refused.append(first)

    def _behind(self, clause: Clause) -> list[str]:
        """The odds that are meant: those named; else the line's first, then those of come bets."""
        felt, puck = self.felt, self.table.puck
        flats = [spot for key in felt if (spot := self.spot(key)).odds and spot.is_on_a_point(puck)]
        if "lay" in clause.how:
            flats = [spot for spot in flats if spot.is_dont]
        if clause.bets in EVERY_COME:
            flats = [spot for spot in flats if not spot.is_line]
        elif clause.bets and clause.bets != ("@all",):
            meant = {int(each) if each.isdigit() else each for each in clause.bets}
            flats = [spot for spot in flats if {spot.key, spot.odds, spot.number or puck} & meant]
        flats.sort(key=lambda spot: (spot.odds in felt, not spot.is_line, spot.is_dont))
        return [spot.odds for spot in flats]

    def _ask_how_much(self, key: str, asks: str) -> None:
        """As much as is up, or the most that there is; where only one of these can be, nothing is to be asked."""
        flat = self.spot(key).flat
        most = amounts.full_odds(self.layout, self.table, self.me, key)
        again = amounts.to_bet(self.layout, self.table, self.me, key, self.there(key) or self.there(flat))
        if isinstance(most, Refusal) or isinstance(again, Refusal) or again >= most:
            return
        first, full = self.money(again), self.money(most)
        lines = (f"{each} odds on {flat}" for each in (first, full))
        words = (f"{first} more",), (f"{full} more", "max", "the max")
        raise Ask(asks.format(first, full), *map(Option, (first, full), lines, words))

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
        it = clause.bets[0] == "@it"
        taken = next(iter(self._which(f"move {{key}} to {to}") if it else self.up(clause.bets[0])), "")
        if taken not in self.felt or not to or not self._alike(taken, to):
            self.none_up("There is nothing of yours there to move.")
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
        placed = (self.spot(key).number for key in self.up("@place"))
        both = [number for number in placed if f"come_{number}" in self.felt]
        if not both:
            self.none_up("No come bet of yours stands on a number that you have placed.")
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
        answers = {
            "toke": NO_TOKES,
            "change": "Change only, no bet.",
            "color": f"{self.money(seat.rail if seat else 0)}, in the fewest chips.",
        }
        self.says.append(answers[clause.how])
