"""The table in words, through real processes: pipes, signals, a terminal that goes away."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from passline.house import House
from passline.sitting.sitting import Sitting
from passline.sitting.words import talk
from passline.table import replay
from passline.terminal.run import keep, play

if TYPE_CHECKING:
    from tests.sitting.conftest import Sit

ROOT = Path(__file__).parents[2]
FULL = Path("/dev/full")
PASSLINE = (sys.executable, "-m", "passline", "play")
UNREADABLE = 2


def passline(folder: Path, words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    """Run `passline play` in a folder, say some lines and let it end."""
    return subprocess.run(
        [*PASSLINE, *words.split()], cwd=folder, input=said, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.slow
def test_closed_standard_input_is_a_player_who_says_nothing(tmp_path: Path) -> None:
    """No traceback: the table opens, nobody speaks, the evening is kept."""
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m passline play --house adelaide <&-"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Saved to evening.craps" in done.stdout


@pytest.mark.slow
def test_a_hand_through_a_pipe(tmp_path: Path) -> None:
    """Without a terminal it is words; the end of the lines saves and tells the reckoning."""
    done = passline(tmp_path, "--house adelaide --seed 7", "bet pass 10\nroll\nodds 20\nfelt\nwhy\nhelp\n")
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    for words in (
        "You bet 10 on Pass Bet.",
        "You throw 5-5",
        "You bet 20 on Taking Odds",
        "seed 7",
        "expected",
        "Saved to",
    ):
        assert words in done.stdout
    assert replay(tmp_path / "evening.craps").state.puck == 10


@pytest.mark.slow
def test_resume_goes_on_with_the_same_chips(tmp_path: Path) -> None:
    """And a new evening does not write over the old one."""
    passline(tmp_path, "--seed 7", "bet pass 10\nroll\n")
    again = passline(tmp_path, "--resume evening.craps", "felt\n")
    assert "490 on the rail; pass 10" in again.stdout
    new = passline(tmp_path, "--seed 8", "")
    assert "evening-2.craps" in new.stdout
    refused = passline(tmp_path, "--save evening.craps", "")
    assert (refused.returncode, refused.stdout.count("Saved")) == (UNREADABLE, 0)


@pytest.mark.slow
def test_an_evening_without_a_roll_keeps_no_journal_and_says_so(tmp_path: Path) -> None:
    """Nor is a second `shoot` taken in silence."""
    done = passline(tmp_path, "--house adelaide", "bet pass 10\nshoot\nshoot\nquit\n")
    assert "You have the dice already." in done.stdout
    assert "no journal was written" in done.stdout
    assert [path.name for path in tmp_path.glob("*.db")] == []


@pytest.mark.slow
def test_who_had_left_hears_what_sitting_down_again_cost(tmp_path: Path) -> None:
    """No chips are bought without a word."""
    passline(tmp_path, "--house adelaide --seed 7", "leave\n")
    again = passline(tmp_path, "--resume evening.craps --buyin 40", "quit\n")
    assert "You had left this table: you sit down again and buy 40." in again.stdout


@pytest.mark.slow
def test_real_dice_in_words(tmp_path: Path) -> None:
    """The faces are said; what is no face is answered; the crew's calls are the person's."""
    said = "bet pass 10\nroll\nroll 7-1\nroll 4-2\nno-roll off-table\ndispute 4\nroll 3-3\nrule 3\n"
    done = passline(tmp_path, "--dice --house adelaide --players 0", said)
    assert done.returncode == 0
    assert "say their faces, such as 4-2" in done.stdout
    for words in ("a die shows 1 to 6", "You throw 4-2", "No roll", "in doubt", "Seven out"):
        assert words.lower() in done.stdout.lower()


@pytest.mark.parametrize("said", ["4-2", "4 2", "42", "roll 4-2", "roll 42", "4,2"])
def test_faces_need_no_word(sit: Sit, said: str) -> None:
    """With real dice two faces are a roll, however they are set apart."""
    sitting = sit(typed=True)
    talk(sitting, "bet pass 10")
    talk(sitting, said)
    assert [(roll.first, roll.second) for roll in sitting.rolls] == [(4, 2)]


@pytest.mark.parametrize(
    "line",
    [
        "bet pass ten tons",
        "bet pass -5",
        "bet pass 0",
        "bet pass 2.555",
        f"bet pass 1{'0' * 30}",
        f"bet pass {'9' * 2000}",
        "bet nothing 5",
        "bet come 5",
        "take pass",
        "off pass",
        "2 bet pass 5",
        "9 leave",
        "roll 0-7",
        "roll 4-2",
        "rule 4",
        "found pass 5",
        "sit 2 Bob 100",
        "post min=1",
        "close",
        "odds",
        "odds nowhere",
        "odds x5",
        "undo",
        "felt nowhere",
        "buyin 0",
        "buyin x",
        "shoot now",
        "choose 1 1",
        "\x00",
        "press dont_come_6 \u202e",
        "odds \x1b[2J",
        "%s %d {}",
        "🎲 roll",
        "a" * 5000,
    ],
)
def test_what_cannot_be_is_answered_and_changes_nothing(sit: Sit, line: str) -> None:
    """One sentence or two, and the table is as it was."""
    sitting = sit(others=1)
    before, heard = sitting.state, len(sitting.log)
    reply = talk(sitting, line)
    assert reply.lines or sitting.log[heard:], line
    assert "".join(reply.lines).isprintable(), line
    assert sitting.state == before
    assert reply.end is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--house nowhere", "nowhere"),
        ("--notice min=x", "--notice"),
        ("--notice shoes=2", "--notice"),
        ("--buyin -5", "--buyin"),
        ("--players 99", "--players"),
        ("--resume missing.craps", "missing.craps"),
        ("--resume broken.craps", "broken.craps:3:"),
        ("--resume bytes.craps", "bytes.craps"),
        ("--save nowhere/evening.craps", "--save"),
    ],
)
def test_a_player_who_cannot_be_seated_hears_why(tmp_path: Path, words: str, complaint: str) -> None:
    """Exit code 2, one sentence on standard error, no traceback, nothing written."""
    (tmp_path / "broken.craps").write_text("passline 1\nhouse adelaide\nsit 1 An", encoding="utf-8")
    (tmp_path / "bytes.craps").write_bytes(b"passline 1\n\xff")
    done = passline(tmp_path, words)
    assert done.returncode == UNREADABLE
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "evening.craps").exists()


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_saves_and_says_where(tmp_path: Path, stop: signal.Signals) -> None:
    """In the middle of waiting for a line."""
    words = [*PASSLINE, "--house", "adelaide", "--seed", "7"]
    with subprocess.Popen(
        words, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("bet pass 10\n")
        running.stdin.flush()
        while "You bet" not in running.stdout.readline():
            pass
        time.sleep(0.2)
        running.send_signal(stop)
        told, complaint = running.communicate(timeout=300)
    assert "Saved to evening.craps" in told
    assert not complaint
    assert replay(tmp_path / "evening.craps").state.seats[1].felt["pass"].stake == 1000


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_the_felt_too(tmp_path: Path, stop: signal.Signals) -> None:
    """The program on a real terminal, killed with chips up: the record is there, the terminal is given back."""
    words = [*PASSLINE, "--house", "adelaide", "--seed", "7"]
    mine, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    with subprocess.Popen(
        words, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    ) as running:
        os.close(theirs)
        try:
            shown = read_until(mine, b"Chip")
            os.write(mine, b"\r")
            shown += read_until(mine, b"You bet 5")
            running.send_signal(stop)
            shown += read_until(mine, b"Saved to")
            running.wait(timeout=300)
        finally:
            running.kill()
    os.close(mine)
    assert b"Traceback" not in shown
    assert running.returncode == 0
    assert replay(tmp_path / "evening.craps").state.seats[1].felt["pass"].stake == 500


def read_until(terminal: int, words: bytes, patience_s: float = 30) -> bytes:
    """What a terminal shows until some words come."""
    shown = b""
    end = time.monotonic() + patience_s
    while words not in shown:
        ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
        assert ready, shown[-500:]
        try:
            shown += os.read(terminal, 65536)
        except OSError:
            break
    assert words in shown
    return shown


# --- The way out ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("start", [f"{ROOT / 'scripts' / 'play'} --terminal", f"{sys.executable} -m passline play"])
def test_the_farewell_names_a_command_that_goes_on(tmp_path: Path, start: str) -> None:
    """Whatever started the evening: said again in the same folder, the words lead back to the same chips."""
    said = f"{start} --house adelaide --seed 7 --plain --save 'my evening.craps'"
    first = shell(tmp_path, said, "bet pass 10\nroll\nquit\n")
    assert first.returncode == 0, first.stderr
    again = shell(tmp_path, first.stdout.split("Go on with: ")[1].strip() + " --plain", "felt\nquit\n")
    assert again.returncode == 0, again.stderr
    assert "490 on the rail; pass 10" in again.stdout


@pytest.mark.slow
def test_the_farewell_names_a_command_that_checks(tmp_path: Path) -> None:
    """From a clone, where no `passline` is on the path: typed as it stands, it says that the evening holds."""
    script = Path(__file__).parents[2] / "scripts" / "play"
    alone = f"PATH=/usr/bin:/bin PASSLINE_KEYS=keys.json {script} --terminal --house adelaide --plain"
    first = shell(tmp_path, alone, "bet pass 10\nroll\nquit\n")
    assert first.returncode == 0, first.stderr
    check = first.stdout.split("Check it with: ")[1].strip()
    told = shell(tmp_path, f"export PATH=/usr/bin:/bin PASSLINE_KEYS=keys.json; {check}", "")
    assert told.returncode == 0, told.stderr
    assert "Everything checks." in told.stdout


def shell(folder: Path, words: str, said: str) -> subprocess.CompletedProcess[str]:
    """Type a command in a folder."""
    return subprocess.run(
        ["sh", "-c", words], cwd=folder, input=said, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize("home", ["there", "gone"])
def test_an_evening_that_finds_its_disk_full_is_kept_elsewhere(
    sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: str
) -> None:
    """At home, or among the temporary files where there is no home; the reckoning is told and the place named."""
    (tmp_path / "there").mkdir()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / home))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    sitting = sit(dice="4-2")
    for line in ("bet pass 10", "roll"):
        talk(sitting, line)
    sitting.path = FULL
    assert keep(sitting, lambda: None).code == 0
    told = capsys.readouterr()
    elsewhere = tmp_path / ("there" if home == "there" else "temporary") / FULL.name
    assert "No space left on device; the evening is kept elsewhere." in told.err
    assert f"Saved to {elsewhere}." in told.out
    assert "1 roll, no seven-outs." in told.out
    assert replay(elsewhere).state.seats[1].felt["pass"].stake == 1000


def test_an_evening_that_can_be_kept_nowhere_is_at_least_told(
    sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reckoning, then one sentence that says what is lost, and exit code 1."""
    monkeypatch.setenv("HOME", str(tmp_path / "gone"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    sitting = sit()
    sitting.path = FULL
    outcome = keep(sitting, lambda: None)
    assert outcome.code == 1
    assert outcome.message.startswith("The evening could not be saved: /dev/full cannot be written: No s")
    told = capsys.readouterr()
    assert "Even." in told.out
    assert "Saved" not in told.out


def test_plain_mode_does_not_load_the_screen() -> None:
    """Words need no widgets, and start quickly."""
    code = "import sys, passline.terminal.run; print('textual' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


def test_a_question_says_how_it_is_answered(sit: Sit) -> None:
    """What could be done otherwise is no help to somebody who was asked something."""
    sitting, out = sit(house="strip", dice="4-2"), StringIO()
    play(sitting, ["20 on the six", "felt the six", "no"], out)
    lines = out.getvalue().splitlines()
    asked = lines.index("18 or 24?")
    assert lines[asked + 1].endswith("Say 18, 24 or no.")
    assert any(line.startswith("Place 6 (place_6): wins on 6") for line in lines)
    assert not sitting.on_table


def test_a_question_is_dropped_when_the_dice_go_out(sit: Sit) -> None:
    """It was about the bets before the roll; the hint after it is about the table as it is."""
    sitting, out = sit(house="strip", dice="4-2"), StringIO()
    play(sitting, ["bet pass 25", "20 on the six", "roll", "no"], out)
    assert "18 or 24?" in out.getvalue()
    assert out.getvalue().count("Say 18, 24 or no.") == 1
    assert sitting.question is None


def test_the_person_can_talk_through_a_whole_evening() -> None:
    """Everything that can be said, once, and no chip is lost."""
    sitting = Sitting.open(House("strip"), others=2, seed="3")
    bought = sitting.state.bought
    for line in (
        "bet pass 25",
        "undo",
        "redo",
        "shoot",
        "roll",
        "odds pass",
        "bet place_6 18",
        "off place_6",
        "on place_6",
        "take place_6 12",
        "take place_6",
        "bet field 15",
        "roll",
        "repeat",
        "take all",
        "buyin 100",
        "felt",
        "felt place_6",
        "felt Ace Deuce",
        "why",
        "save",
        "1 bet field 15",
        "roll",
    ):
        assert talk(sitting, line).end is None
        assert sitting.state.chips == sitting.state.bought
    assert sitting.state.bought == bought + 10_000
    assert talk(sitting, "quit").end == "quit"
