"""The program on a real terminal, typed at as people type: no key is lost, and an audition is passed and failed."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from passline.engine import commands as c
from passline.house import House
from passline.school.audition import PASS_MARK, QUESTIONS
from passline.school.exercise import expected
from passline.school.syllabus import exercise, paper
from passline.table import replay
from tests.terminal.test_plain import read_until

pytestmark = pytest.mark.slow

A_KEY_S = 0.25
HABIT = ("p", " ", "o", "n", "6", "c")  # with the point on, `p` is asked about, and the next key lets it drop


@contextmanager
def at_a_terminal(folder: Path, *words: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    mine, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "30"}
    program = [sys.executable, "-m", "passline", *words]
    with subprocess.Popen(
        program, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    ) as running:
        os.close(theirs)
        try:
            yield mine, running
        finally:
            running.kill()
            os.close(mine)


def drained(terminal: int, seconds: float) -> bytes:
    """What a terminal shows in so long; a program whose output nobody reads stops."""
    shown, end = b"", time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            shown += os.read(terminal, 65536)
    return shown


@pytest.mark.parametrize("hands", [5, pytest.param(20, marks=pytest.mark.campaign)])
def test_an_evening_at_four_keys_a_second_loses_none(tmp_path: Path, hands: int) -> None:
    words = ("play", "--house", "strip", "--seed", "7", "--players", "0", "--buyin", "20000")
    with at_a_terminal(tmp_path, *words) as (terminal, running):
        read_until(terminal, b"Chip")
        drained(terminal, 1)
        for key in HABIT * hands:
            os.write(terminal, key.encode())
            drained(terminal, A_KEY_S)
        drained(terminal, 2)
        os.write(terminal, b"q")
        read_until(terminal, b"Saved to")
        running.wait(timeout=300)
    acts = [moment.command for moment in replay(tmp_path / "evening.craps").history]
    assert sum(isinstance(act, c.Throw) for act in acts) == hands
    assert sum(isinstance(act, c.Bet) and act.wager == "place_6" for act in acts) == hands


@pytest.mark.parametrize("wrong", [0, QUESTIONS - PASS_MARK + 1])
def test_an_audition_is_passed_and_failed_at_a_terminal(tmp_path: Path, wrong: int) -> None:
    house = House("strip")
    asked = [exercise(house, "audition", 1, seed) for seed in paper(house, Random(7))]
    with at_a_terminal(tmp_path, "drill", "audition", "--house", "strip", "--seed", "7") as (terminal, running):
        read_until(terminal, b"Enter when you are ready.")
        os.write(terminal, b"\n")
        for number, each in enumerate(asked):
            for part in each.parts:
                read_until(terminal, f"({expected(part)}):".encode())
                answer = "skip" if number < wrong else each.written(part)
                os.write(terminal, f"{answer}\n".encode())
                if answer == "skip":
                    break
        read_until(terminal, b"seconds each.\r\n" + (b"Missed: " if wrong else b"Passed."))
        running.wait(timeout=300)
    assert running.returncode == (1 if wrong else 0)
