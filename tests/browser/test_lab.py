"""The lab: strategies in blocks, evenings worked out and rolled, sweeps, and a house under one's own rules."""

from __future__ import annotations

import csv
import json
import re
import shlex
import subprocess
import sys
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from passline import ask, odds_of
from passline.answers import signed
from tests.browser import axe

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route

    from tests.web.server import Server

FIGURES = "Figures"


@pytest.fixture
def lab(page: Page) -> Page:
    """The lab with one plain strategy and a short evening."""
    page.goto("/#/lab")
    page.get_by_label("Strategy 1", exact=True).select_option("pass_flat")
    page.get_by_label("Rolls", exact=True).fill("20")
    page.get_by_label("Bankroll").fill("100")
    return page


def figure(page: Page, name: str) -> str:
    """One figure of the first strategy."""
    return figures(page, name)[0]


def figures(page: Page, name: str) -> list[str]:
    """One figure of every strategy."""
    head = page.get_by_role("rowheader", name=name, exact=True)
    row = page.get_by_role("region", name=FIGURES).get_by_role("row").filter(has=head)
    return [cell.strip() for cell in row.get_by_role("cell").all_inner_texts()]


def again(page: Page) -> tuple[list[str], str]:
    """What the page gives out to ask the same elsewhere: the commands and the Python."""
    page.get_by_text("Show both").click()
    commands, _, python = page.locator("pre").inner_text().partition("\n\n")
    return commands.splitlines(), python + "\n"


def rows_of(page: Page) -> list[dict[str, str]]:
    """The rows of the CSV that the page gives out."""
    with page.expect_download() as given:
        page.get_by_role("button", name="Download CSV").click()
    return list(csv.DictReader(given.value.path().read_text("utf-8").splitlines()))


def typed(command: str, folder: Path) -> list[str]:
    """A command as somebody types it in a folder, told as JSON, a line each."""
    name, *words = shlex.split(command)
    assert name == "passline"
    done = subprocess.run(
        [sys.executable, "-m", "passline", *words, "--json"], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def ran(python: str, folder: Path, *wanted: str) -> list[str]:
    """What some Python of the page gives."""
    script = python + "".join(f"print({each})\n" for each in wanted)
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_a_strategy_from_blocks_is_the_one_that_python_reads(lab: Page, tmp_path: Path) -> None:
    """A want is added, the file follows, and its evening is that of the same file elsewhere; both ways round."""
    lab.get_by_role("button", name="Build").click()
    text = lab.get_by_label("The file my_pass_flat.toml")
    lab.get_by_role("button", name="Another want").click()
    expect(text).to_have_value(re_toml('when = "puck on"', 'pass_odds = "max"'))
    expect(text).to_have_value(re_toml("Pass line, flat (changed)", "Begun as Pass line, flat, and changed."))
    lab.get_by_role("button", name="Another want").click()  # the same once more: two lines that say the same
    expect(text).to_have_value(re.compile(r'(pass_odds = "max"[^$]*){2}'))
    lab.get_by_role("button", name="Remove want 3").click()
    second = lab.get_by_role("group", name="Want 2")
    second.get_by_label("How much").fill("2x")
    second.get_by_label("Kind of question").select_option("number")
    expect(text).to_have_value(re_toml('when = "come_points < 2"', 'pass_odds = "2x"'))
    expect(lab.get_by_text("2 times the flat bet as odds behind the pass line")).to_be_visible()
    mine = tmp_path / "my_pass_flat.toml"
    mine.write_text(text.input_value(), "utf-8")
    text.fill(text.input_value().replace("{ pass = 1 }", "{ pass = 3 }"))
    expect(lab.get_by_role("group", name="Want 1").get_by_label("How much")).to_have_value("3")
    lab.get_by_role("group", name="Want 1").get_by_label("How much").fill("1")
    lab.get_by_role("button", name="Done").focus()
    expect(text).to_have_value(re_toml("up   = { pass = 1 }"))
    lab.get_by_role("button", name="Work it out").click()
    expect(lab.get_by_role("heading", name="Exactly, at The Strip")).to_be_visible()
    law = ask(mine, house="strip", unit=15, rolls=20, bankroll=100, notice="").exact()
    assert figure(lab, "mean") == signed(law.mean)
    assert figure(lab, "ahead") == f"{float(law.p_ahead):.2%}"
    expect(lab.get_by_text("read my_pass_flat.toml: save it first")).to_be_visible()
    mine.unlink()
    with lab.expect_download() as given:
        lab.get_by_role("button", name="Save the file").first.click()
    given.value.save_as(tmp_path / given.value.suggested_filename)
    (command,), python = again(lab)
    (told,) = typed(command, tmp_path)
    assert Fraction(json.loads(told)["mean"]) == law.mean
    assert Fraction(*map(int, ran(python, tmp_path, "answers[0].mean")[0].split("/"))) == law.mean
    chances = sum(Fraction(row["net"]) * Fraction(row["chance"]) for row in rows_of(lab))
    assert float(chances) == pytest.approx(float(law.mean))
    axe.check_both(lab)


def re_toml(*parts: str) -> re.Pattern[str]:
    """A text that has these parts, one after the other."""
    return re.compile(".*".join(map(re.escape, parts)), re.DOTALL)


def test_a_broken_file_says_where(lab: Page) -> None:
    """The line, what stands there, and the nearest that would do; the line can be gone to."""
    lab.get_by_role("button", name="Build").click()
    text = lab.get_by_label("The file my_pass_flat.toml")
    text.fill('name = "Mine"\ndescription = "x"\n[[want]]\nup = { plaice_6 = 6 }\n')
    alert = lab.get_by_role("alert")
    expect(alert).to_contain_text("want[1].up.plaice_6")
    expect(alert).to_contain_text("Nearest: place_6")
    alert.get_by_role("button", name="Line 4").click()
    assert text.evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)") == "up = { plaice_6 = 6 }"
    lab.get_by_role("button", name="Work it out").click()
    expect(lab.get_by_role("alert").first).to_contain_text("plaice_6")


def test_two_on_the_same_dice_with_charts_rows_and_what_asks_again(lab: Page, tmp_path: Path) -> None:
    """Figures side by side, the paired difference, a fan, a histogram, ruin; the mean of the CSV is the figure."""
    lab.get_by_role("button", name="Another strategy").click()
    lab.get_by_label("Strategy 2", exact=True).select_option("field")
    lab.get_by_text("More", exact=True).click()
    lab.get_by_label("Sessions").fill("2000")
    lab.get_by_label("Seed").fill("16")  # its mean is -0.045, and the program prints -0.04
    lab.get_by_role("button", name="Compare on the same dice").click()
    pairs = lab.get_by_role("region", name="Session by session")
    expect(pairs).to_be_visible()
    sample = ask("pass_flat", house="strip", unit=15, rolls=20, bankroll=100).simulate(sessions=2000, seed=16)
    assert figure(lab, "mean") == signed(sample.mean)
    expect(pairs.get_by_role("row").nth(1)).to_contain_text("pass_flat")
    for title in (
        "Pass line, flat at The Strip. net over time",
        "Pass line, flat at The Strip. 2,000 sessions",
        "Broke by then",
    ):
        expect(lab.get_by_role("img", name=title).locator("canvas")).to_be_visible()
    lab.get_by_role("group", name="Whose charts").get_by_role("button", name="Field").click()
    expect(lab.get_by_role("img", name="Field at The Strip. 2,000 sessions")).to_be_visible()
    lab.get_by_text("As a table").first.click()
    expect(lab.get_by_role("region", name="Field at The Strip").first.get_by_role("row")).not_to_have_count(0)
    rows = [row for row in rows_of(lab) if row["strategy"] == "pass_flat"]
    assert sum(Fraction(row["net"]) * int(row["sessions"]) for row in rows) / 2000 == sample.mean
    commands, python = again(lab)
    simulated, held = ([json.loads(line) for line in typed(each, tmp_path)] for each in commands)
    assert [signed(Fraction(each["mean"])) for each in simulated] == figures(lab, "mean")
    assert signed(Fraction(held[0]["mean_difference"])) in pairs.inner_text()
    mean, difference = ran(python, tmp_path, "samples[1].mean", "pairs[0].mean")
    assert (Fraction(mean), difference) == (Fraction(simulated[1]["mean"]), held[0]["mean_difference"])
    axe.check_both(lab)


def test_a_sweep_is_a_chart_and_a_table_and_a_long_question_can_be_stopped(lab: Page, tmp_path: Path) -> None:
    """A row for each setting, the edge the same in all; what takes too long is let be."""
    lab.get_by_role("button", name="Another strategy").click()
    lab.get_by_text("Sweep: other numbers").click()
    expect(lab.get_by_text("Of the first strategy alone.")).to_be_visible()
    lab.get_by_label("Change").fill("rolls")
    lab.get_by_label("Values").fill("1,5,10")
    lab.get_by_label("Bankroll").fill("")
    lab.get_by_role("button", name="Run the sweep").click()
    table = lab.get_by_role("region", name="Every setting")
    expect(lab.get_by_role("heading", name="Pass line, flat with other numbers, at The Strip")).to_be_visible()
    expect(table.get_by_role("row")).to_have_count(4)
    assert table.get_by_text("1.414%").count() == 3  # 7/495, as anybody can look up
    (command,), python = again(lab)
    told = json.loads(typed(command, tmp_path)[0])["rows"]
    shown = [row.split("\t")[1].strip() for row in table.get_by_role("row").all_inner_texts()[1:]]
    assert [signed(row["mean"]) for row in told] == shown
    assert ran(python, tmp_path, "swept.to_json()['rows'][2]['mean']") == [str(told[2]["mean"])]
    assert [float(row["mean"]) for row in rows_of(lab)] == pytest.approx([row["mean"] for row in told])
    lab.get_by_label("Figure").select_option("edge")
    expect(lab.get_by_role("img", name="the loss for each unit of action").locator("canvas")).to_be_visible()
    lab.get_by_text("As a table").click()
    expect(lab.get_by_role("region", name="pass_flat at strip")).to_contain_text("1.4141%")
    lab.get_by_label("Rolls", exact=True).fill("2000")
    lab.get_by_text("More", exact=True).click()
    lab.get_by_label("Sessions").fill("1000000")
    lab.get_by_role("button", name="Leave out strategy 2").click()
    lab.get_by_role("button", name="Simulate").click()
    lab.get_by_role("button", name="Stop", exact=True).click()
    expect(lab.get_by_role("status").filter(has_text=re.compile(r"^Stopped\.$"))).to_be_visible()


def test_stop_counts_before_the_house_has_a_name_for_the_question(lab: Page) -> None:
    """Pressed while the question is on its way: the page says so at once, and what arrives is cancelled."""
    held: list[Route] = []
    lab.route("**/questions", lambda route: held.append(route))  # noqa: PLW0108 - it wants a function to write on
    lab.get_by_label("Rolls", exact=True).fill("2000")
    lab.get_by_text("More", exact=True).click()
    lab.get_by_label("Sessions").fill("1000000")
    lab.get_by_role("button", name="Simulate").click()
    lab.get_by_role("button", name="Stop", exact=True).click()
    expect(lab.get_by_role("status").filter(has_text=re.compile(r"^Stopped\.$"))).to_be_visible()
    with lab.expect_response(lambda answer: answer.request.method == "DELETE") as cancelled:
        held[0].continue_()
    assert cancelled.value.ok
    told = lab.request.get(cancelled.value.url).json()
    assert told["state"] == "stopped"
    expect(lab.get_by_role("button", name="Simulate")).to_be_enabled()


def test_a_unit_under_the_minimum_is_refused_at_once_and_an_old_answer_says_so(lab: Page) -> None:
    """With the clause and the unit that would do; another house brings its own; without its sign nothing is small."""
    lab.get_by_label("One unit").fill("10")
    lab.get_by_role("button", name="Work it out").click()
    alert = lab.get_by_role("alert")
    expect(alert).to_contain_text("Pass line, flat: 10 on Pass Line is under the minimum of 15")
    expect(alert).to_contain_text("strip:sign.")
    lab.get_by_role("button", name="Ask with a unit of 15").click()
    expect(lab.get_by_role("heading", name="Exactly, at The Strip")).to_be_visible()
    expect(lab.get_by_label("One unit")).to_have_value("15")
    changed = lab.get_by_text("The question has been changed")
    expect(changed).to_have_count(0)
    lab.get_by_role("combobox", name="House").select_option("sydney")
    expect(lab.get_by_label("One unit")).to_have_value("5")
    expect(changed).to_be_visible()
    lab.get_by_role("button", name="Ask again").click()
    expect(lab.get_by_role("heading", name="Exactly, at Sydney")).to_be_visible()
    expect(changed).to_have_count(0)
    lab.get_by_label("One unit").fill("1")
    expect(changed).to_be_visible()
    axe.check_both(lab)
    lab.get_by_label("Use the house’s limits").uncheck()
    lab.get_by_role("button", name="Ask again").click()
    expect(changed).to_have_count(0)
    law = ask("pass_flat", house="sydney", unit=1, rolls=20, bankroll=100).exact()
    expect(lab.get_by_role("region", name=FIGURES)).to_contain_text(signed(law.mean))


def test_a_changed_price_moves_its_edge_and_the_house_is_played(page: Page) -> None:
    """The field at 3 to 1 for a twelve keeps 1/36, at 2 to 1 it keeps 2/36; the table that opens is that house's."""
    assert odds_of("strip")["field"].edge_per_bet_made == Fraction(1, 36)
    page.goto("/#/lab/house")
    page.get_by_label("Name of your house").fill("Lucky's")
    page.get_by_role("button", name="Copy this house").click()
    page.get_by_label("Section").select_option("Field")
    price = page.get_by_label("The price of each winning total: 12")
    expect(page.locator('[data-rule="wager.field.pays.12"]')).to_contain_text(
        "The field pays triple on 12. field.twelve"
    )
    price.fill("2:1")
    price.press("Tab")
    row = page.locator('[data-wager="field"]')
    expect(row).to_contain_text("2.778%1/36")
    expect(row).to_contain_text("5.556%1/18")
    expect(row).to_contain_text("+2.778%")
    expect(page.get_by_role("region", name="Every wager, as it was and is").get_by_role("row")).to_have_count(2)
    price.fill("2:0")
    price.press("Tab")
    wrong = page.locator('[data-rule="wager.field.pays.12"]').get_by_role("alert")
    expect(wrong).to_contain_text("wager.field.pays")
    expect(price).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.get_by_text("Not worked out: the file has a fault.")).to_be_visible()
    price.fill("2:1")
    price.press("Tab")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_label("Find").fill("nobody will")
    expect(page.locator("[data-rule]")).to_have_count(1)
    expect(page.locator("[data-rule]")).to_contain_text("Who throws · Who throws when nobody will.")
    page.get_by_label("Find").fill("")
    axe.check_both(page)
    page.set_viewport_size({"width": 390, "height": 844})
    for where in ("/#/lab/house", "/#/lab"):
        page.goto(where)
        page.get_by_role("heading", name="The lab").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.get_by_role("combobox", name="House")).to_have_value("")
    page.goto("/#/lab/house")
    page.get_by_role("button", name="Play it").click()
    expect(page).to_have_url(re.compile("/#/table/"))
    expect(page.get_by_text("Lucky's").first).to_be_visible()


def test_a_question_is_carried_by_a_link_and_a_chart_by_a_picture(page: Page, browser: Browser, pit: Server) -> None:
    """Whoever opens the link has the same house, strategies and evening before them; charts say what they measure."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/#/lab")
    page.get_by_label("Rolls", exact=True).fill("60")
    page.get_by_label("Bankroll", exact=True).fill("300")
    page.get_by_role("button", name="Another strategy").click()
    page.get_by_role("button", name="Work it out").click()
    expect(page.get_by_text("Show both")).to_be_visible()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Save as PNG").first.click()
    assert taken.value.suggested_filename.endswith(".png")
    assert taken.value.path().read_bytes()[:4] == b"\x89PNG"
    page.get_by_role("button", name="Copy a link to this question").click()
    expect(page.get_by_text("Copied: the link")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    other = browser.new_context(base_url=pit.address).new_page()
    other.goto(link)
    expect(other.get_by_label("Rolls", exact=True)).to_have_value("60")
    expect(other.get_by_label("Bankroll", exact=True)).to_have_value("300")
    expect(other.get_by_label("Strategy 2", exact=True)).to_have_count(1)
    other.goto(link[:-9] + "x")
    other.reload()
    expect(other.get_by_role("alert")).to_contain_text("This link is not whole")
    other.context.close()
