"""The shapes of what is shown of a house and of a place at the rail."""

from __future__ import annotations

from typing import Literal

from passline.web.models import EntryView, StateView, Told

# --- Houses ---------------------------------------------------------------------------------------------------------


class HouseLine(Told):
    """A house in a line."""

    house: str
    name: str
    line: str
    sign: str
    """What it posts where nobody says otherwise."""
    unit: str
    """The least that this sign takes."""


class CitedText(Told):
    """What a house does, and the clause that says so."""

    value: str
    clause: str


class CitedFlag(Told):
    """Whether a house does something, and the clause that says so."""

    value: bool
    clause: str


class PriceView(Told):
    """A price as it is quoted, and its clause."""

    price: str
    clause: str


class WagerCard(Told):
    """One wager on the rule card."""

    name: str
    pays: dict[str, PriceView]
    made: CitedText
    removable: CitedText
    off_on_comeout: CitedFlag
    commission: str | None
    limits: str
    area: str


class PrintedView(Told):
    """One spot as the layout prints it."""

    key: str
    name: str
    bars: int
    """The total that stands off on its first roll; 0 where none does."""
    pays: list[tuple[int, str]]
    """Every price, each with the number that brings it; 0 where nothing else is paid."""
    dice: tuple[int, int] | None
    """The two faces that layouts draw on it."""
    counts: list[int]
    """The numbers that a wager with memory waits for."""


class RowView(Told):
    """One family of wagers across the box numbers."""

    name: str
    side: Literal["do", "dont"]
    kind: Literal["flat", "odds", "number"]
    asked: bool
    spots: list[PrintedView | None]


class StripView(Told):
    """One place in front of the numbers."""

    where: Literal["line", "dont line", "big", "field", "come", "dont come"]
    spots: list[PrintedView]


class GroupView(Told):
    """Spots that lie together in the stick's box."""

    title: str
    spots: list[PrintedView]


class PlanView(Told):
    """Where everything lies on a felt."""

    points: list[int]
    rows: list[RowView]
    """From the back of the numbers to their front."""
    lines: list[StripView]
    """From the players towards the numbers."""
    props: list[GroupView]


class HouseView(Told):
    """A house's rule card, every value with its clause, and the plan of its felt."""

    line: str
    id: str
    name: str
    wagers: dict[str, WagerCard]
    habits: dict[str, CitedText]
    plan: PlanView


class WagerOddsView(Told):
    """One wager, exactly: fractions as text."""

    name: str
    p_win: str
    p_lose: str
    p_push: str
    mean_net: str
    staked: str
    edge_per_bet_made: str
    edge_per_bet_resolved: str
    edge_per_roll_working: str
    variance: str
    rolls_working: str
    rolls_all: str | None
    nets: dict[str, str]
    clauses: list[str]


class OddsView(Told):
    """Every wager of a house, exactly."""

    house: str
    wagers: dict[str, WagerOddsView]


# --- At the rail ----------------------------------------------------------------------------------------------------


class No(Told):
    """Why not."""

    code: str
    message: str
    clause: str | None


class SpotView(Told):
    """One spot, as one player sees it."""

    name: str
    price: str
    edge: str
    """Per bet made; empty until it has been worked out."""
    mark: str
    others: int
    bounds: str
    adds: int | None
    most: int | None
    refused: No | None


class Offer(Told):
    """What a wish would come to now."""

    says: str
    amount: int


class SeatView(Told):
    """What one player sees."""

    seat: int
    rail: int
    on_table: int
    undecided: bool
    """Whether the dice wait for a yes or no of theirs."""
    throws: bool
    """Whether the next throw is theirs."""
    holds: bool
    """Whether they are the shooter."""
    now: str
    """What can be done now, in a line."""
    buyin: int
    """What a player usually buys."""
    offers: dict[str, Offer]
    """What they could wish for without pointing at a spot: `undo`, `repeat`, `odds` …"""
    spots: dict[str, SpotView]


class WishView(Told):
    """What a wish came to: the entries that were written."""

    entries: list[EntryView]


class ClauseView(Told):
    """A clause, and what it says."""

    clause: str
    sentence: str


class EdgeView(Told):
    """What a wager costs, one way of counting."""

    per: Literal["bet", "decision", "roll"]
    share: str
    """In percent, rounded."""
    exact: str


class MoveView(Told):
    """Something that can be wished for of chips that are up, or what is against it."""

    wish: Literal["press", "toggle", "take"]
    refused: No | None


class TruthView(Told):
    """All about one wager, as it stands or as it would be made now."""

    wager: str
    name: str
    how: str
    """How it wins and loses."""
    price: str
    win: str
    lose: str
    push: str
    """The chances, in percent."""
    exact: dict[str, str]
    """The chances as fractions."""
    edges: list[EdgeView]
    as_paid: str
    """The edge of the stake that is shown, where the dealers' chips pay it otherwise than the price says."""
    rolls: str
    """How many rolls it takes to be decided, on average."""
    bounds: str
    stands: bool
    """Whether chances and edges are those of what lies there, from here on, and not of a bet made now."""
    standing: str
    """What lies there."""
    from_here: str
    """What would be won by what lies there, and what it is worth as it stands."""
    moves: list[MoveView]
    """What can be asked of what lies there."""
    adds: str
    """What a chip would add and what that would win; or why not."""
    refused: ClauseView | None
    most: int | None
    """The most that may be added, of odds."""
    clauses: list[ClauseView]


class WhyView(Told):
    """Why chips moved: the sentence, the sum, the clauses."""

    seat: int
    wager: str
    to: str | None
    kind: str
    net: int
    said: str
    sum: str | None
    clauses: list[ClauseView]


class ThrownView(Told):
    """One roll of the strip."""

    sequence: int
    dice: tuple[int, int]
    puck: int
    """Where the puck was."""
    ends: Literal["", "point made", "seven out"]
    call: str


class CountView(Told):
    """How often a total came, beside how often it should have."""

    total: int
    hand: int
    hand_expected: str
    table: int
    table_expected: str


class ResultView(Told):
    """What a roll did to one player: in a line, and in grains."""

    line: str
    net: int


class RollsView(Told):
    """The last rolls of a table, the hand, and what the last one did to whoever asks."""

    rolls: list[ThrownView]
    hand: int
    """How many rolls this hand has."""
    points: int
    """How many points it has made."""
    counts: list[CountView]
    memory: str
    you: ResultView | None


class Heard(Told):
    """What a stream of events says: an entry, the table after it where it changed, and what the dealers say of it."""

    entry: EntryView
    state: StateView | None = None
    call: str | None = None
    """What the stick calls, where dice were thrown."""
    you: ResultView | None = None
    """What a roll did to whoever listens, if they sit there."""
    said: list[str]
