"""A line is read back to the value it was written from, or says what is wrong with it and where."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passline.codec import (
    KINDS,
    UPCASTS,
    Encodable,
    decode,
    encode,
    from_data,
    to_data,
)
from passline.engine.commands import Bet, ChooseDice, Command, PostNotice, Shoot, Sit, Throw
from passline.engine.events import ButtonsLifted, Event, WagerWon
from passline.engine.refusals import Answer, Refusal
from passline.engine.table import Dice, Notice, Seat, TableState, Wager
from passline.engine.values import ClauseId, Roll
from passline.errors import CodecError, PasslineError
from passline.floor.register import ACTS, EVENTS
from passline.floor.state import Floor
from passline.house import House
from passline.rulebooks.read import built_in
from passline.table import replay
from tests.codec.anything import anything
from tests.codes import codes_of
from tests.evenings import evenings, play_through

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.engine.layout import Layout

SOME = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.craps"))
DOCS = Path(__file__).parents[2] / "docs" / "record.md"
NOTICE = Notice(500, None, {4: 3, 10: 5}, 100, side=(100, 2500))
WRITING_TIMES, READING_TIMES = 5, 10  # as long as `json` takes for the same lines, at the most
"""The events a journal must be able to write, and to read, in a second."""


# --- There and back -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS)
@given(data=st.data())
@settings(SOME, max_examples=30)
def test_every_kind_is_read_back_as_it_was(name: str, data: st.DataObject) -> None:
    """Whatever its fields hold, a value comes back equal, and is written as the same line again."""
    value = data.draw(anything(KINDS[name]))
    line = encode(value)
    assert line.isascii()
    assert "\n" not in line
    assert decode(line) == value
    assert encode(decode(line.encode())) == line
    assert from_data(to_data(value)) == value


@pytest.fixture(params=built_in(), scope="module")
def layout(request: pytest.FixtureRequest) -> Layout:
    """Each house's felt in turn."""
    return House(request.param).layout


@given(data=st.data())
@settings(SOME, max_examples=40)
def test_whatever_is_played_is_read_back(layout: Layout, data: st.DataObject) -> None:
    """Commands, events, refusals and tables of any evening come back equal, felts in the order they were bet."""

    def look(_before: TableState, command: Command, answer: Answer, after: TableState) -> None:
        assert decode(encode(command)) == command
        for said in (answer,) if isinstance(answer, Refusal) else answer:
            assert decode(encode(said)) == said
        again = decode(encode(after))
        assert isinstance(again, TableState)
        assert again == after
        assert [list(seat.felt) for seat in again.seats.values()] == [list(seat.felt) for seat in after.seats.values()]

    play_through(layout, data.draw(evenings(layout, 30)), look)


def test_every_command_and_event_has_a_line() -> None:
    """Nothing can be asked or happen that a journal could not keep."""
    kept = set(KINDS.values())
    game = {*get_args(Command), *get_args(Event), Refusal, Notice, TableState}
    assert kept == {*game, *ACTS.values(), *EVENTS.values(), Floor}
    assert len(KINDS) == len(kept)


def test_no_field_is_called_as_the_envelope_is() -> None:
    """A field named `kind` or `v` would be taken for the envelope."""
    for kind in KINDS.values():
        names = getattr(kind, "_fields", None) or getattr(kind, "__dataclass_fields__")  # noqa: B009 - of two kinds
        assert not {"kind", "v"} & set(names)


def test_a_line_says_its_name_and_version_first() -> None:
    """Wire name, version, then every field in the order of its class, those left to their defaults too."""
    assert encode(Shoot(1)) == '{"kind":"command.shoot","v":1,"seat":1}'
    assert encode(Throw(Roll(4, 2))) == '{"kind":"command.throw","v":1,"roll":{"first":4,"second":2}}'
    assert list(to_data(Bet(1, "pass", 1000))) == ["kind", "v", "seat", "wager", "amount", "tender", "by", "tokens"]


def test_a_set_is_written_in_order() -> None:
    """Equal tables with equal felts are equal bytes, whatever order a set was made in."""
    table = TableState(NOTICE, _table().dice, {}, declined=frozenset({33, 1, 17, 9}))
    assert '"declined":[1,9,17,33]' in encode(table)


def _table() -> TableState:
    return replay(EXAMPLES[0]).state


@pytest.mark.parametrize("line", re.findall(r'^{"kind":.*', DOCS.read_text("utf-8"), re.MULTILINE))
def test_what_the_docs_show_is_a_line(line: str) -> None:
    """Each is exactly what would be written."""
    assert encode(decode(line)) == line


# --- What is not ours -----------------------------------------------------------------------------------------------

GOOD = to_data(Bet(1, "pass", 1000))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (json.dumps({**GOOD, "amount": 10.5}), "command.bet, amount: found 10.5; expected a whole number"),
        (json.dumps({**GOOD, "amount": 10.0}), "command.bet, amount: found 10.0; expected a whole number"),
        (json.dumps({**GOOD, "amount": True}), "command.bet, amount: found true; expected a whole number"),
        (json.dumps({**GOOD, "amount": "1000"}), 'command.bet, amount: found "1000"; expected a whole number'),
        (json.dumps({**GOOD, "amount": None}), "command.bet, amount: found null; expected a whole number"),
        (json.dumps({**GOOD, "wager": 6}), "command.bet, wager: found 6; expected text"),
        (json.dumps({**GOOD, "wager": "\ud800"}), 'command.bet, wager: found "\\ud800"; expected text without halves'),
        (json.dumps({**GOOD, "by": "box"}), 'command.bet, by: found "box"; expected a list, each '),
        (json.dumps({**GOOD, "by": [6]}), "command.bet, by.0: found 6; expected "),
        (
            json.dumps({**GOOD, "tender": "card"}),
            'command.bet, tender: found "card"; expected one of "chips", "spoken"',
        ),
        (
            json.dumps({**GOOD, "stake": 1}),
            "command.bet, stake: found an unknown field; expected an object with ",
        ),
        (
            json.dumps({key: value for key, value in GOOD.items() if key != "amount"}),
            "command.bet, amount: found nothing; expected a whole number",
        ),
        (json.dumps({**GOOD, "v": 2}), "command.bet, v: found 2; expected version 1 or older: a newer Passline"),
        (json.dumps({**GOOD, "v": 0}), "command.bet, v: found 0; expected a version, 1 or more"),
        (json.dumps({**GOOD, "v": True}), "command.bet, v: found true; expected a version, 1 or more"),
        (json.dumps({**GOOD, "v": "1"}), 'command.bet, v: found "1"; expected a version, 1 or more'),
        (json.dumps({**GOOD, "kind": "command.wish"}), 'kind: found "command.wish"; expected the wire name of'),
        (json.dumps({**GOOD, "kind": ["event"]}), 'kind: found ["event"]; expected the wire name of'),
        ('{"v":1}', "kind: found null; expected the wire name of"),
        ('{"kind":"command.shoot","v":1,"seat":1,"seat":2}', "seat: found the same field twice; expected each field"),
        ('{"kind":"command.shoot","v":1,"seat":NaN}', "line: found NaN; expected JSON, which has no such number"),
        ('{"kind":"command.shoot","v":1,"seat":1', "line: found "),
        ('{"kind":"command.shoot","v":1,"seat":1} {}', "expected one JSON object; up to character 40 it could be one"),
        ('["command.shoot"]', 'line: found ["command.shoot"]; expected an object with kind and v'),
        ("[" * 100_000, "expected one JSON object"),
        ('{"kind":"command.shoot","v":1,"seat":' + "9" * 5000 + "}", "expected one JSON object"),
        ("", "expected one JSON object"),
        (b"\xff", "expected one JSON object, as text or as bytes of UTF-8"),
        (
            json.dumps({**to_data(Refusal("bet.late", "No.")), "code": 7}),
            "refusal, code: found 7; expected text",
        ),
        (
            json.dumps({**to_data(Throw(Roll(4, 2))), "roll": {"first": 4, "second": 2.0}}),
            "command.throw, roll.second: found 2.0; expected a whole number",
        ),
        (
            json.dumps({**to_data(Throw(Roll(4, 2))), "roll": [4, 2]}),
            "command.throw, roll: found [4, 2]; expected an object with first, second",
        ),
    ],
    ids=lambda value: "" if isinstance(value, bytes) else value[-50:],
)
def test_what_is_wrong_is_said_with_its_place(line: str | bytes, said: str) -> None:
    """What, where and what was expected; nothing is guessed or mended."""
    with pytest.raises(CodecError) as caught:
        decode(line)
    assert said in str(caught.value)


@pytest.mark.parametrize("rubbish", [None, 3, [], object()])
def test_what_is_no_line_at_all_is_told_in_our_words(rubbish: str) -> None:
    """Not in those of the library that reads JSON."""
    with pytest.raises(CodecError, match=r"expected one JSON object, as text or as bytes of UTF-8$"):
        decode(rubbish)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"minimum": 5.0}, "notice.minimum"),
        ({"odds": {"four": 3}}, "notice.odds"),
        ({"odds": {"04": 3}}, "notice.odds"),
        ({"odds": {"9" * 5000: 3}}, "notice.odds"),
        ({"odds": {"4": 3.5}}, "notice.odds.4"),
        ({"side": [1]}, "notice.side"),
        ({"side": [1, 2, 3]}, "notice.side"),
        ({"side": [1, "2"]}, "notice.side.1"),
        ({"multiples": 1}, "notice.multiples"),
        ({"maximum": "none"}, "notice.maximum"),
    ],
)
def test_a_fault_inside_another_value_is_found(change: dict[str, object], where: str) -> None:
    """The path goes all the way down."""
    data = to_data(PostNotice(NOTICE))
    data["notice"] |= change
    with pytest.raises(CodecError) as caught:
        from_data(data)
    assert caught.value.where == where
    assert caught.value.kind == "command.post_notice"


@pytest.mark.parametrize("declined", [[2, 1], [1, 1], ["1"], {"1": True}])
def test_a_set_is_read_only_in_order(declined: object) -> None:
    """One table has one line: a set out of order, or with a twin in it, was not written by us."""
    with pytest.raises(CodecError, match="declined"):
        from_data({**to_data(_table()), "declined": declined})


@pytest.mark.parametrize("exact", ["2/4", "7/1", "07", "-0", "1.5", "", "7/0", "٣", "9" * 5000, 7, 7.0, None])
def test_a_ratio_is_read_only_in_lowest_terms(exact: object) -> None:
    """One ratio has one text."""
    (won, *_) = (event for path in EXAMPLES for event in replay(path).events if isinstance(event, WagerWon))
    assert from_data({**to_data(won), "exact": "-29/2"}) == replace(won, exact=Fraction(-29, 2))
    with pytest.raises(CodecError, match=r"event\.wager_won, exact: .*; expected an exact number in lowest terms"):
        from_data({**to_data(won), "exact": exact})


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


@pytest.mark.parametrize("name", KINDS)
@given(data=st.data())
@settings(SOME, max_examples=20)
def test_anything_else_is_an_error_of_ours(name: str, data: st.DataObject) -> None:
    """One place of a good line changed to junk is read as exactly what it says, or is a CodecError; never a crash."""
    good = to_data(data.draw(anything(KINDS[name])))
    place: Any = good
    key = data.draw(st.sampled_from(sorted(good)))
    while isinstance(place[key], dict) and place[key] and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(sorted(place)))
    place[key] = data.draw(JUNK)
    try:
        value = from_data(good)
    except CodecError:
        pass
    else:
        assert json.dumps(to_data(value), sort_keys=True) == json.dumps(good, sort_keys=True)


@pytest.mark.parametrize(
    "value",
    [
        Bet(1, "pass", 10.5),  # type: ignore[arg-type]
        Bet(seat=True, wager="pass", amount=10),
        Bet(1, "pass", 10, tender="card"),  # type: ignore[arg-type]
        ChooseDice(1, [1, 2]),  # type: ignore[arg-type]
        Throw((4, 2)),  # type: ignore[arg-type]
        ButtonsLifted(((1,),), ClauseId("F-01")),  # type: ignore[arg-type]
        Bet(1, "pass", 10**5000),
        Sit(1, "\ud83d\ude00", 10),
        TableState(NOTICE, Dice(5), {1: Seat("Ann", 0, {"\ud800": Wager(1)})}),
        "Shoot",
    ],
    ids=lambda value: type(value).__name__,
)
def test_nothing_wrong_is_ever_written(value: Encodable) -> None:
    """What could not be read back is refused before it reaches a journal."""
    with pytest.raises(CodecError):
        encode(value)


def test_the_error_is_one_of_ours_and_travels() -> None:
    """It is a PasslineError, and a process that catches it can hand it on with its parts."""
    with pytest.raises(PasslineError) as caught:
        decode("{}")
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - we wrote it
    assert str(again) == str(caught.value)
    assert again.where == "kind"


# --- Versions -------------------------------------------------------------------------------------------------------


def shoot_1_to_2(fields: dict[str, Any]) -> dict[str, Any]:
    """A sample: version 1 said `player` where version 2 says `seat`."""
    return {"seat": fields["player"]}


def shoot_2_to_3(fields: dict[str, Any]) -> dict[str, Any]:
    """A sample: version 2 counted seats from nought."""
    return {"seat": fields["seat"] + 1}


def test_an_older_line_is_read_through_its_upcasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step in turn from the version a line has; what is written now has the newest."""
    monkeypatch.setitem(UPCASTS, "command.shoot", (shoot_1_to_2, shoot_2_to_3))
    assert decode('{"kind":"command.shoot","v":1,"player":0}') == Shoot(1)
    assert decode('{"kind":"command.shoot","v":2,"seat":0}') == Shoot(1)
    assert decode('{"kind":"command.shoot","v":3,"seat":1}') == Shoot(1)
    assert encode(Shoot(1)) == '{"kind":"command.shoot","v":3,"seat":1}'
    with pytest.raises(CodecError, match="found 4; expected version 3 or older"):
        decode('{"kind":"command.shoot","v":4,"seat":1}')


def test_an_upcast_that_does_not_fit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an upcast makes is checked like everything else."""
    monkeypatch.setitem(UPCASTS, "command.shoot", (lambda fields: {**fields, "hand": "left"},))
    with pytest.raises(CodecError, match=r"command\.shoot, hand: found an unknown field"):
        decode('{"kind":"command.shoot","v":1,"seat":1}')


# --- Fast enough ----------------------------------------------------------------------------------------------------


def test_a_journal_is_not_held_up() -> None:
    """Writing and reading cost a few times what plain `json` takes for the same lines, on the same core at the time."""
    events = [event for path in EXAMPLES for event in replay(path).events] * 4
    lines = [encode(event) for event in events]  # what is made once for each kind is made now
    plain = [json.loads(line) for line in lines]
    assert [decode(line) for line in lines] == events
    ways: list[tuple[Callable[[Any], Any], list[Any]]] = [(json.dumps, plain), (encode, events)]
    ways += [(json.loads, lines), (decode, lines)]
    written, encoded, read, decoded = (min(_took(way, each) for _ in range(5)) for way, each in ways)
    assert encoded < WRITING_TIMES * written
    assert decoded < READING_TIMES * read


def _took(way: Callable[[Any], Any], values: list[Any]) -> float:
    begun = time.process_time()
    for value in values:
        way(value)
    return time.process_time() - begun


def test_the_codec_needs_nothing_but_the_engine() -> None:
    """Whoever keeps a journal needs no house files, no Pydantic and no NumPy."""
    code = "import sys, passline.codec; print({'pydantic', 'numpy', 'rich'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


def test_every_code_of_a_refusal_can_be_kept() -> None:
    """The codes are part of what is kept."""
    for code in codes_of("engine"):
        refusal = Refusal(code, "No.")
        assert decode(encode(refusal)) == refusal
