"""What we stand on is known, with its hashes and licences, and the files for deploying say what they should."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


def test_the_bill_is_what_the_wheel_and_its_extras_bring() -> None:
    """What the packages here ask for, one after another, and no tool; each with hashes, a licence and who brings it."""
    told = json.loads(subprocess.run([ROOT / "scripts" / "sbom"], capture_output=True, check=True).stdout)
    parts = {part["bom-ref"]: part for part in told["components"]}
    graph = {each["ref"]: set(each["dependsOn"]) for each in told["dependencies"]}
    own = told["metadata"]["component"]["bom-ref"]
    due = [each for each in map(Requirement, metadata.requires("passline") or ()) if "gpu" not in str(each.marker)]
    brought: set[str] = set()
    while due:
        asked = due.pop()
        name = canonicalize_name(asked.name)
        due += [
            each
            for each in map(Requirement, metadata.requires(name) or ())
            if each.name != "passline" and canonicalize_name(each.name) not in brought
            if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in ("", *asked.extras))
        ]
        brought.add(name)
    brought.discard("passline")
    assert {f"pkg:pypi/{name}@{metadata.version(name)}" for name in brought} <= set(parts)
    elsewhere = {part["name"] for part in parts.values()} - brought
    if sys.version_info >= (3, 12):  # the bill is that of the .venv, which may be older
        elsewhere -= {"importlib-metadata", "lazy-importer", "zipp"}
    assert elsewhere == {
        *("colorama", "cupy-cuda13x", "cuda-pathfinder"),
        *("@fluent/bundle", "@noble/ed25519", "@noble/hashes", "uplot", "uqr", "svelte", "clsx", "esm-env"),
    }
    assert all(part["licenses"] and part["hashes"] for part in parts.values())
    assert all(
        re.fullmatch("[0-9a-f]{64}|[0-9a-f]{128}", h["content"]) for part in parts.values() for h in part["hashes"]
    )
    reached, due = {own}, [own]
    while due:
        due += (new := graph.get(due.pop(), set()) - reached)
        reached |= new
    assert reached == {own, *parts}
    assert {part["name"] for part in parts.values() if part["scope"] == "required"} >= {"pydantic", "typer", "svelte"}
    assert parts[f"pkg:pypi/fastapi@{metadata.version('fastapi')}"]["scope"] == "optional"


def test_importing_passline_needs_nothing_of_the_service() -> None:
    """A bare install plays; only serving needs more."""
    names = ("fastapi", "uvicorn", "argon2", "httpx", "prometheus_client")
    blocked = f"import sys; [sys.modules.__setitem__(name, None) for name in {names}]"
    code = f"{blocked}; import passline, passline.pit, passline.cli.app; passline.Table('adelaide')"
    subprocess.run([ROOT / ".venv" / "bin" / "python", "-c", code], check=True)


def test_the_files_for_deploying_install_by_hash_and_run_without_root() -> None:
    """They are not built here, so they are read."""
    container = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    assert "--require-hashes" in container
    assert "\nUSER 10001" in container
    unit = (ROOT / "deploy" / "passline.service").read_text(encoding="utf-8")
    assert {"NoNewPrivileges=yes", "ProtectSystem=strict", "User=passline"} <= set(unit.splitlines())
    compose = (ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8")
    assert re.findall(r'"--name", "(\w+)"', compose) == ["pit1", "pit2"], (
        "each has the name that proxies send questions by"
    )
    for name in re.findall(r"`deploy/(\w[\w.]*)`", (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")):
        assert (ROOT / "deploy" / name).exists(), name


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_has_nothing_to_say_about_the_unit(tmp_path: Path) -> None:
    """Every line is one that it knows; the program is where the page installs it, which is not here."""
    unit = tmp_path / "passline.service"
    text = (ROOT / "deploy" / "passline.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/passline/bin/passline", "/bin/true"), encoding="utf-8")
    told = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")
