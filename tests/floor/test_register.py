"""The register of the floor's acts: each is whole by itself, and nothing is added beside it."""

from __future__ import annotations

from collections import Counter
from string import Formatter

from passline.codec import KINDS
from passline.engine.refusals import Refusal
from passline.floor.acts import FloorCommand, FloorEvent, Listener
from passline.floor.promotions import KINDS as PRIZES
from passline.floor.register import ACTS, EVENTS, FAMILIES, blank_offer, choices, evolve
from passline.floor.state import QUIET, Offer, Prize
from passline.live.people import ROLES, of_act, permissions
from tests.clauses.floor_helpers import Pit
from tests.codec.samples import sample
from tests.tables import cases


def test_every_act_stands_under_exactly_one_permission_by_name() -> None:
    """None by a wildcard; the name of its row is the one it gives itself, and no row names what there is not."""
    listed = Counter(act for permission in permissions().values() for act in permission.acts)
    assert {act: times for act, times in listed.items() if times != 1} == {}
    assert not [act for act in listed if "*" in act]
    for name, command in ACTS.items():
        assert of_act(name).name == command.permission
        assert set(of_act(name).reach) <= set(ROLES), "somebody who is nobody works on no floor"
    assert {act for act in listed if act.startswith("floor.")} == set(ACTS)


def test_the_registers_are_what_the_families_hold() -> None:
    """An act or an event that is written is registered under its own name, and has its own say."""
    written = [each for family in FAMILIES for each in vars(family).values() if isinstance(each, type)]
    acts = {each for each in written if issubclass(each, FloorCommand) and not each.__subclasses__()}
    events = {each for each in written if issubclass(each, FloorEvent) and not each.__subclasses__()}
    assert set(ACTS.values()) == acts
    assert set(EVENTS.values()) == events
    for name, kind in (*ACTS.items(), *EVENTS.items()):
        assert KINDS[name] is kind
        assert kind.__doc__
    assert all(act.decide is not FloorCommand.decide for act in acts)
    assert all(bool(event.says) != ("say" in vars(event)) for event in events)


@cases("name", sorted(EVENTS))
def test_a_sentence_names_fields_and_words_of_its_listener(name: str) -> None:
    """A sentence that is written as data can be said of every event of its kind."""
    event = EVENTS[name]
    parts = [part for part in Formatter().parse(event.says + event.because) if part[1] is not None]
    assert {field for _, field, _, _ in parts} <= set(event.__dataclass_fields__)  # type: ignore[attr-defined]
    assert all(hasattr(Listener, word or "who") for _, _, word, _ in parts)


@cases("name", sorted(ACTS))
def test_an_act_is_of_two_people_where_it_names_a_second(name: str) -> None:
    """And somebody who is neither of the house nor a player is refused whatever they ask, or asks for themselves."""
    command = ACTS[name]
    assert command.two_people == ("second" in command.__dataclass_fields__)  # type: ignore[attr-defined]
    answer = Pit("sydney").asks(sample(command), "spectator", "Nobody", "20:00")
    assert command.for_oneself or isinstance(answer, Refusal)


def test_a_floor_on_which_nothing_happens_is_the_same_floor() -> None:
    """The state is changed by events alone."""
    assert evolve(QUIET, ()) is QUIET


def test_a_form_offers_what_the_house_has_words_for() -> None:
    """Prizes that the book does not ban, and an offer with its terms still to be said; without promotions, neither."""
    sydney, adelaide = Pit("sydney").layout, Pit("adelaide").layout
    banned = {"tobacco", "firearm", "ammunition", "imitation firearm", "prohibited weapon"}
    assert choices(sydney, "floor.register_promotion")["kind"] == [kind for kind in PRIZES if kind not in banned]
    assert banned < set(PRIZES)
    blank = blank_offer(sydney)
    assert blank is not None
    assert blank == Offer("draw", (Prize("cash", "money", 0),), dict.fromkeys(blank.terms, ""), "", (), "", "")
    assert "how to claim" in blank.terms
    assert blank_offer(adelaide) is None
    assert "kind" not in choices(adelaide, "floor.register_promotion")
    assert "kind" not in choices(sydney, "floor.grant_comp")  # words are of an act, and of no other with such a field


def test_the_words_of_an_act_are_for_its_own_fields() -> None:
    """And for the prizes and terms of an offer, where it has one: or a form would ask for what nobody reads."""
    layout = Pit("sydney").layout
    assert layout.book.promotions is not None
    offered = {"kind", "terms", *(f"details/{kind}" for kind in layout.book.promotions.details)}
    for name, command in ACTS.items():
        fields = set(command.__dataclass_fields__)  # type: ignore[attr-defined]
        assert choices(layout, name).keys() <= (fields | offered if "offer" in fields else fields), name
    assert {
        name: set(choices(layout, f"floor.{name}")) for name in ("come_on_duty", "sanction", "amend_promotion")
    } == {
        "come_on_duty": {"title"},
        "sanction": {"measure"},
        "amend_promotion": offered,
    }
