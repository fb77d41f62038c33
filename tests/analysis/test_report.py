"""A report: every kind of question on one page, with what makes it the same again, and what is wrong with a file."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import polars as pl
import pytest

from passline import ask, par_of
from passline.analysis.report import report
from passline.errors import FileError, QuestionError
from tests.cli.running import run

FILE = """
title = "An evening <here>"
house = "strip"
[[question]]
kind = "exact"
strategy = "pass_flat"
unit = 5
rolls = 20
[[question]]
kind = "simulate"
strategy = "pass_flat"
unit = 5
rolls = 20
sessions = 500
seed = 7
[[question]]
kind = "paths"
strategy = "pass_flat"
unit = 5
rolls = 10
[[question]]
kind = "search"
strategy = "pass_flat"
over = { stop_win = [5, 10] }
maximise = "p_ahead"
rolls = 10
[[question]]
kind = "best"
title = "From 3 to 6"
wagers = "pass"
bankroll = 3
goal = 6
[[question]]
kind = "coupon"
coupon = "match"
value = 25
[[question]]
kind = "par"
"""


@pytest.mark.slow
def test_a_page_has_every_answer_with_its_seeds_and_hashes(tmp_path: Path) -> None:
    (tmp_path / "questions.toml").write_text(FILE)
    assert run("report", tmp_path / "questions.toml", "--out", tmp_path / "out").exit_code == 0
    page = (tmp_path / "out" / "report.html").read_text()
    for part in (
        "An evening &lt;here&gt;",
        "244/495",
        "seed 7.",
        "house hash",
        "Definitions",
        "read_parquet",
        "Passline",
    ):
        assert part in page
    sample = ask("pass_flat", house="strip", unit=5, rolls=20).simulate(sessions=500, seed=7)
    assert f"fingerprint {sample.fingerprint()}." in page
    assert "<h2>exact: Pass line, flat at The Strip" in page
    sheet = page[page.index("<h2>par: strip") :]
    assert all(f">{wager}<" in sheet for wager in par_of("strip").wagers), "the whole sheet is printed"
    assert "best: pass" not in page
    assert page.count("<svg") >= 3, "a law, a frontier and a policy are drawn"
    assert page.count("<h2>") == 7 + 2
    rows = pl.read_parquet(tmp_path / "out" / "01_exact_pass_flat.parquet")
    assert rows["chance"].sum() == pytest.approx(1)
    assert (tmp_path / "out" / "05_from_3_to_6.csv").read_text().startswith("wealth,puck,up,then,worth")
    assert len(list((tmp_path / "out").iterdir())) == 1 + 2 * 7


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not here")
def test_the_ten_lines_read_every_table_in_r(tmp_path: Path) -> None:
    (tmp_path / "questions.toml").write_text(FILE)
    page = report(tmp_path / "questions.toml").write(tmp_path).read_text()
    lines = unescape(re.findall("<pre>(.*?)</pre>", page, re.DOTALL)[0])
    assert len(lines.splitlines()) == 10
    lines += "\ncat(sum(rows[[1]]$chance), max(rows[[6]]$worth), sapply(rows[[7]], class)[['edge_made']])"
    read = subprocess.run(["Rscript", "-e", lines], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert read.stdout.splitlines()[-1] == "1 11.97403 numeric"  # a match play of 25 on don't pass: 922/77
    assert (tmp_path / "rows.png").stat().st_size > 1000
    sheet = pl.read_parquet(next(tmp_path.glob("07_par*.parquet")))
    assert sheet.filter(wager="pass")["edge_made"].item() == pytest.approx(7 / 495)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "question"),
        ('[[question]]\nkind = "exakt"', "question 1.kind"),
        ('[[question]]\nkind = "exact"', "question 1.strategy"),
        ('[[question]]\nkind = "exact"\nstrategy = "pass_flat"\nrolls = -1', "question 1.rolls"),
        ('[[question]]\nkind = "exact"\nstrategy = "pass_flat"\nrols = 1', "question 1.rols"),
        ('[[question]]\nkind = "exact"\nstrategy = "pass_flt"', "question 1, pass_flt"),
        ('house = "stripp"\n[[question]]\nkind = "exact"\nstrategy = "pass_flat"', "question 1, stripp"),
        ('[[question]]\nkind = "coupon"', "question 1.coupon"),
        ('house = "strip"\n[[question]]\nkind = "coupon"\ncoupon = "mtch"\nvalue = 5', "question 1.coupon"),
        ('tittle = "x"\n[[question]]\nkind = "par"', "tittle"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_place(tmp_path: Path, text: str, where: str) -> None:
    (tmp_path / "questions.toml").write_text(text)
    with pytest.raises(FileError) as caught:
        report(tmp_path / "questions.toml")
    assert caught.value.findings[0].path == where


def test_a_question_that_has_no_answer_is_said_once(tmp_path: Path) -> None:
    """In the words of whoever noticed, with the question's number before them and no second `found`."""
    (tmp_path / "questions.toml").write_text('[[question]]\nkind = "exact"\nstrategy = "martingale_pass"\nrolls = 500')
    with pytest.raises(QuestionError, match=r", question 1: martingale_pass has no end: .*--max"):
        report(tmp_path / "questions.toml")
