"""What we stand on is known: every package with its hashes, and the files for deploying say what they should."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_the_bill_names_every_locked_package_with_its_hashes() -> None:
    """Each at its version, with exactly the hashes of the lock, and nothing else; Python's and the page's."""
    told = json.loads(subprocess.run([ROOT / "scripts" / "sbom"], capture_output=True, check=True).stdout)
    listed = {part["bom-ref"]: {each["content"] for each in part["hashes"]} for part in told["components"]}
    assert len(listed) == len(told["components"])
    locked: dict[str, set[str]] = {}
    for package in tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]:
        files = [*package.get("wheels", []), *filter(None, [package.get("sdist")])]
        if package["name"] != "passline":
            locked[f"pkg:pypi/{package['name']}@{package['version']}"] = {each["hash"][7:] for each in files}
    for path, package in json.loads((ROOT / "browser" / "package-lock.json").read_text())["packages"].items():
        name = path.rpartition("node_modules/")[2].replace("@", "%40")
        if path:
            digest = base64.b64decode(package["integrity"].removeprefix("sha512-")).hex()
            locked[f"pkg:npm/{name}@{package['version']}#{path}"] = {digest}
    assert listed == locked
    assert all(re.fullmatch("[0-9a-f]{64}|[0-9a-f]{128}", each) for each in set().union(*locked.values()))
    assert all(locked.values())
    assert {"fastapi", "argon2-cffi", "cryptography", "svelte"} <= {part["name"] for part in told["components"]}


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
