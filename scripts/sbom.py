"""`scripts/sbom`: what is shipped, by uv.lock and the page's package-lock.json, as a CycloneDX bill of materials."""

from __future__ import annotations

import base64
import json
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
IN_THE_PAGE = ("clsx", "esm-env", "svelte")
"""Built into the page though they are only needed to build it; the rest of what svelte asks for is its compiler's."""
LICENCES = {"colorama": "BSD-3-Clause", "cuda-pathfinder": "Apache-2.0", "cupy-cuda13x": "MIT"}
"""Of what is not installed here, for it needs Windows or a GPU; of the rest the environment tells."""


def licence(name: str) -> list[dict[str, Any]]:
    """What a package says of its licence: an expression, or a name by the ways of before there were expressions."""
    if name in LICENCES:
        return [{"expression": LICENCES[name]}]
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return []
    if "License-Expression" in about:
        return [{"expression": about["License-Expression"]}]
    classified = [
        each.rpartition(" :: ")[2] for each in about.get_all("Classifier") or () if each.startswith("License ::")
    ]
    return [{"license": {"name": each}} for each in classified or about.get_all("License") or ()]


def of_python(lock: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, set[str]]]:
    """Every package that the wheel or one of its extras brings, and what each asks for."""
    packages = {(each["name"], each["version"]): each for each in lock["package"]}
    versions = dict(packages.keys())

    def refs(asked: list[dict[str, Any]]) -> set[tuple[str, str]]:
        return {(each["name"], str(each.get("version", versions[each["name"]]))) for each in asked}

    def asks(key: tuple[str, str], extras: set[str]) -> set[tuple[str, str]]:
        optional = packages[key].get("optional-dependencies", {})
        return refs(
            packages[key].get("dependencies", []) + [each for name in extras for each in optional.get(name, ())]
        )

    own = ("passline", versions["passline"])
    extras = {
        (name, extra)
        for package in packages.values()
        for rows in (package.get("dependencies", []), *package.get("optional-dependencies", {}).values())
        for row in rows
        for name in [row["name"]]
        for extra in row.get("extra", ())
    }
    graph, due = {own: asks(own, set(packages[own]["optional-dependencies"]))}, [own]
    while due:
        for key in graph[due.pop()] - set(graph):
            graph[key] = asks(key, {extra for name, extra in extras if name == key[0]})
            due.append(key)
    core, due = asks(own, set()), sorted(asks(own, set()))
    while due:
        due += (new := graph[due.pop()] - core)
        core |= new
    rows = []
    for key in sorted(set(graph) - {own}):
        files = [*packages[key].get("wheels", ()), *filter(None, [packages[key].get("sdist")])]
        hashes = [{"alg": "SHA-256", "content": each["hash"].removeprefix("sha256:")} for each in files]
        scope = "required" if key in core else "optional"
        rows.append(row("pypi", *key, scope=scope, licenses=licence(key[0]), hashes=hashes))
    return rows, {purl("pypi", *key): {purl("pypi", *each) for each in asked} for key, asked in graph.items()}


def of_the_page(lock: dict[str, Any]) -> list[dict[str, Any]]:
    """Every package that is part of the built page; what only builds it is not."""
    rows = []
    for path, package in lock["packages"].items():
        name = path.removeprefix("node_modules/")
        if not path or (package.get("dev") and name not in IN_THE_PAGE):
            continue
        kind, _, digest = package["integrity"].partition("-")
        assert kind == "sha512", f"{name} is locked by {kind}"
        hashes = [{"alg": "SHA-512", "content": base64.b64decode(digest).hex()}]
        licenses = [{"expression": package["license"]}]
        rows.append(row("npm", name, package["version"], scope="required", licenses=licenses, hashes=hashes))
    return rows


def purl(index: str, name: str, version: str) -> str:
    return f"pkg:{index}/{name.replace('@', '%40')}@{version}"


def row(index: str, name: str, version: str, **more: object) -> dict[str, Any]:
    ref = purl(index, name, version)
    return {"type": "library", "bom-ref": ref, "name": name, "version": version, "purl": ref, **more}


def bill() -> dict[str, Any]:
    """The whole bill."""
    python, graph = of_python(tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8")))
    page = of_the_page(json.loads((ROOT / "browser" / "package-lock.json").read_text(encoding="utf-8")))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = purl("pypi", project["name"], project["version"])
    graph[own] |= {each["bom-ref"] for each in page}
    about = {"type": "application", "bom-ref": own, "name": project["name"], "version": project["version"], "purl": own}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**about, "licenses": [{"expression": project["license"]}]}},
        "components": [*python, *page],
        "dependencies": [{"ref": ref, "dependsOn": sorted(asked)} for ref, asked in sorted(graph.items())],
    }


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=1)
    sys.stdout.write("\n")
