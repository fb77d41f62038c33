"""`scripts/sbom`: uv.lock and the browser's package-lock.json as a CycloneDX bill of materials."""

from __future__ import annotations

import base64
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def components(lock: dict[str, Any]) -> list[dict[str, Any]]:
    """Every package that the lock names, with the hashes of its files."""
    rows = []
    for package in lock["package"]:
        if "registry" not in package["source"]:
            continue  # ourselves
        files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ())]
        name, version = package["name"], package["version"]
        hashes = [{"alg": "SHA-256", "content": each["hash"].removeprefix("sha256:")} for each in files]
        purl = f"pkg:pypi/{name}@{version}"
        rows.append(
            {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl, "hashes": hashes}
        )
    return rows


def of_the_page(lock: dict[str, Any]) -> list[dict[str, Any]]:
    """Every package that the page is built with; what it is made of is in the built page alone."""
    rows = []
    for path, package in lock["packages"].items():
        if not path:
            continue  # ourselves
        name, version = path.rpartition("node_modules/")[2], package["version"]
        kind, _, digest = package["integrity"].partition("-")
        assert kind == "sha512", f"{name} is locked by {kind}"
        hashes = [{"alg": "SHA-512", "content": base64.b64decode(digest).hex()}]
        purl = f"pkg:npm/{name.replace('@', '%40')}@{version}"
        row = {"type": "library", "bom-ref": f"{purl}#{path}", "name": name, "version": version, "purl": purl}
        rows.append({**row, "scope": "excluded", "hashes": hashes})
    return rows


def bill() -> dict[str, Any]:
    """The whole bill."""
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    page = json.loads((ROOT / "browser" / "package-lock.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = {"type": "application", "name": project["name"], "version": project["version"]}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": [*components(lock), *of_the_page(page)],
    }


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=1)
    sys.stdout.write("\n")
