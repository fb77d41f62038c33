"""A second party that only keeps heads: an honest house is at peace with it, one that changes its past is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from passline.client import Client
from passline.client.witness import Heads, Witness

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.server import Server


def looked(client: Any, table: str, kept: Path) -> list[str]:  # noqa: ANN401 - a client, or what lies like one
    """What is wrong with a table, to somebody who kept these heads."""
    witness = Witness(client, table, Heads(kept))
    witness.look()
    return witness.wrong


def test_heads_are_kept_and_another_past_is_told(server: Server, tmp_path: Path) -> None:
    """The same house twice, then a chain that was cut off, one written anew, and one with a forged signature."""
    ann = server.practice(name="Ann")
    ann.act("command.bet", wager="pass", amount=500)
    kept = tmp_path / "heads.jsonl"
    with Client(server.address, ann.token) as client:
        assert looked(client, ann.table, kept) == []
        heads = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
        assert heads
        assert {head["table"] for head in heads} == {ann.table}
        assert looked(client, ann.table, kept) == []
        assert len(kept.read_text("utf-8").splitlines()) == len(heads)
        last = heads[-1]

        def said(**changed: Any) -> list[str]:  # noqa: ANN401 - whatever it tells
            told = client.get(f"/tables/{ann.table}/chain?after={last['sequence'] - 1}")

            class Lying:
                def get(self, _path: str) -> Any:  # noqa: ANN401 - an answer
                    return told | changed

            return looked(Lying(), ann.table, kept)

        assert any("cut off" in line for line in said(last=last["sequence"] - 1, links=[], heads=[]))
        anew = {"sequence": last["sequence"], "hash": "0" * 64, "previous": "0" * 64, "line": None}
        assert any("is not the one" in line for line in said(links=[anew], heads=[], last=last["sequence"]))
        forged = last | {"signature": "0" * 128, "sequence": last["sequence"] + 1}
        assert any("signature" in line for line in said(links=[], heads=[forged]))
