"""`scripts/release`: what a release is made of, checked, in build/release; what the index gets, in build/index."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
OUT = ROOT / "build" / "release"
INDEX = ROOT / "build" / "index"
"""What goes to the index of packages: wheel and source alone."""


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def version() -> str:
    """The version, which stands in two places that must agree."""
    number = str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])
    inside = re.search(r'^__version__ = "(.+)"$', (ROOT / "src/passline/__init__.py").read_text("utf-8"), re.MULTILINE)
    assert inside, "passline.__version__ is not there"
    assert inside[1] == number, f"pyproject.toml says {number}, passline.__version__ {inside[1]}"
    return number


def notes(number: str, *, dry: bool) -> str:
    """What CHANGELOG.md says of this version."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    waiting = next((each.partition("\n")[2].strip() for each in sections if each.startswith("[Unreleased]")), "")
    assert dry or not waiting, "CHANGELOG.md has lines under [Unreleased]: put them under the version that brings them"
    section = next((each for each in sections if each.startswith(f"[{number}]")), sections[0] if dry else None)
    assert section, f"CHANGELOG.md has no heading [{number}]"
    assert dry or re.match(r"\[[^]]+\] - \d{4}-\d\d-\d\d\n", section), "its heading has no date"
    return section.partition("\n")[2].strip() + "\n"


def uv(*words: str | Path) -> None:
    environment = {**os.environ, "UV_PYTHON_DOWNLOADS": "never"}
    subprocess.run([shutil.which("uv") or ROOT / ".uv/bin/uv", *words], cwd=ROOT, env=environment, check=True)


def build(to: Path) -> None:
    """Wheel and source: its times are the builder's own, so `pip wheel` of the same tree makes the same bytes."""
    uv("build", "--quiet", "--out-dir", to)
    (to / ".gitignore").unlink(missing_ok=True)


def digests(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def provenance(number: str, built: dict[str, str]) -> dict[str, object]:
    """An in-toto statement with SLSA's predicate: what was built from which commit by what; the forge signs it."""
    commit, lock = git("rev-parse", "HEAD"), hashlib.sha256((ROOT / "uv.lock").read_bytes()).hexdigest()
    forge = "/".join(os.environ.get(name, "") for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY")).strip("/")
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest}} for name, digest in built.items()],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "scripts/release",
                "externalParameters": {"version": number},
                "resolvedDependencies": [
                    {"uri": f"git+{forge}@{commit}" if forge else f"git@{commit}", "digest": {"gitCommit": commit}},
                    {"uri": "uv.lock", "digest": {"sha256": lock}},
                ],
            },
            "runDetails": {"builder": {"id": "scripts/release"}},
        },
    }


def main(*, dry: bool) -> None:
    number = version()
    if not dry:
        assert not git("status", "--porcelain"), "the tree is not clean"
        assert f"v{number}" in git("tag", "--points-at", "HEAD").split(), f"this commit has no tag v{number}"
    shutil.rmtree(OUT, ignore_errors=True)
    shutil.rmtree(INDEX, ignore_errors=True)
    build(OUT)
    build(INDEX)
    built, again = digests(OUT), digests(INDEX)
    assert built == again, f"two builds differ: {built} and {again}"
    locked = (
        "export",
        "--quiet",
        "--frozen",
        "--no-dev",
        "--all-extras",
        "--no-hashes",
        "--no-emit-project",
        "--no-header",
    )
    uv(*locked, "--output-file", OUT / "constraints.txt")
    bill = subprocess.run([ROOT / "scripts/sbom"], cwd=ROOT, capture_output=True, check=True).stdout
    (OUT / "sbom.json").write_bytes(bill)
    (OUT / "notes.md").write_text(notes(number, dry=dry), "utf-8")
    (OUT / "provenance.json").write_text(json.dumps(provenance(number, built), indent=1) + "\n", "utf-8")
    (OUT / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, digest in built.items()), "utf-8")
    for name, digest in built.items():
        print(f"{digest}  {name}  (built twice, the same bytes)")
    print(f"release: {OUT.relative_to(ROOT)} has {number}" + (": a dry run, nothing is tagged" if dry else ""))


if __name__ == "__main__":
    main(dry=sys.argv[1] == "true")
