"""What an operator watches: the dashboard and the alert rules ask for what `/metrics` has, by a machine's token."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest

from passline.engine.commands import Sit
from passline.journal.sqlite import SqliteJournal
from passline.live.requests import Ask
from passline.pit.keys import keys_at
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.web.app import make_app
from passline.web.metrics import Metrics
from passline.web.service import Service
from tests.web.test_health import until

DEPLOY = Path(__file__).parents[2] / "deploy"
TRIED = Path(__file__).with_name("alerts_test.yaml")
OURS = re.compile(r"\b(?:passline|process)_\w+")


def expressions() -> list[str]:
    """What the rules and the panels ask Prometheus."""
    rules = re.findall(r"^ +expr: (.+)$", (DEPLOY / "alerts.yaml").read_text("utf-8"), re.MULTILINE)
    panels = json.loads((DEPLOY / "dashboard.json").read_text("utf-8"))["panels"]
    assert len(rules) > 5
    return rules + [each["expr"] for panel in panels for each in panel["targets"]]


def test_rules_and_dashboard_ask_for_what_is_counted(tmp_path: Path) -> None:
    """A machine's token reads it, and nothing else; taken back, it reads nothing."""
    pit = Pit(SqliteJournal(tmp_path / "pit.db"), keys_at(tmp_path / "keys.json"))
    by = By("house", "house", pit.now())
    ann = pit.people.add("Ann", "twelve red chips", by)
    token, mine = pit.people.issue(ann.id, by, "machine"), pit.people.issue(ann.id, by)
    table = pit.open(ann, Opening(), By(ann.id, "player", pit.now()))

    async def run() -> str:
        service = Service(pit)
        service.backups = tmp_path
        app = make_app(service)
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")

        async def get(path: str, bearer: str) -> httpx.Response:
            return await http.get(path, headers={"Authorization": f"Bearer {bearer}"})

        async with app.router.lifespan_context(app), http:
            table.do(Sit(1, "Ann", 10_000), Ask(ann.id, "player", "sit", pit.now()))
            await until(lambda: service.unready() is None)
            assert (await get("/metrics", mine)).status_code == 403
            assert (await get("/me", token)).status_code == 403
            assert (await get(f"/tables/{table.name}", token)).status_code in (403, 404)
            answer = await get("/metrics", token)
            pit.people.revoke(token.partition(".")[0], by)
            assert (await get("/metrics", token)).status_code == 401
        assert answer.status_code == 200
        return answer.text

    text = asyncio.run(run())
    series = {name for line in text.splitlines() for name in OURS.findall(line) if not line.startswith("# HELP")}
    values = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    asked = {name for each in expressions() for name in OURS.findall(each)}
    counted = {f"{name}_bucket" for name in series}  # of a route that nobody has asked for yet
    assert asked <= series | counted, asked - series - counted
    assert float(values["passline_ready"]) == 1
    for name in ("passline_entries_total", "passline_commit_seconds_count"):
        assert float(values[name]) > 0
    for name in ("passline_head_signed_time_seconds", "passline_backup_time_seconds"):
        assert float(values[name]) > 1e9


def promtool(*words: str, text: str = "") -> str:
    """What Prometheus' own tool says, where it is installed."""
    if (program := shutil.which("promtool")) is None:
        pytest.skip("there is no promtool here (Debian: apt install prometheus)")
    done = subprocess.run([program, *words], input=text, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_prometheus_takes_the_rules_and_each_alert_comes_when_it_is_due() -> None:
    """And none on an evening on which all is well; every alert is tried both ways."""
    assert "SUCCESS" in promtool("check", "rules", str(DEPLOY / "alerts.yaml"))
    assert "SUCCESS" in promtool("test", "rules", str(TRIED))


def test_every_alert_is_tried_both_ways() -> None:
    names = re.findall(r"alert: (\w+)", (DEPLOY / "alerts.yaml").read_text("utf-8"))
    tried = TRIED.read_text("utf-8")
    for name in names:
        assert tried.count(f"alertname: {name}\n") == tried.count(f"alertname: {name}, exp_alerts: []") == 1, name


def test_prometheus_reads_what_is_counted() -> None:
    promtool("check", "metrics", text=Metrics().text().decode())
