"""A rule from one position to the next: a table on a line, lines of a record, the table on a line after them."""

from __future__ import annotations

from passline.engine.refusals import Refusal
from passline.record.acts import read_act
from passline.record.line import Words
from passline.record.notice import default_notice
from passline.table import Table


def after(position: str, *acts: str) -> str:
    """The table after these lines of a record, none of them refused, without what it was before its last roll.

    >>> print(after("adelaide | puck=8 shooter=1 | 1 Ann 100 place_6=12", "roll 4-2"))
    adelaide | puck=8 shooter=1 bank=-14 | 1 Ann 114 place_6=12
    """
    table = Table.at(position)
    book = table.house.book
    for act in acts:
        answer = table.do(read_act(Words.of(1, act), book, default_notice(book, table.chips)))
        assert not isinstance(answer, Refusal), f"{act}: {answer.message}\nat: {table.position}"
    table.state = table.state._replace(before=None)
    return table.position
