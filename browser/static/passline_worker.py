"""Between `worker.js` and `passline.web.worker`: what JavaScript has becomes what Python takes."""

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from json import dumps, loads
from pathlib import Path

import js
from pyodide.ffi import to_js

REST = "/rest.zip"


class Rest(MetaPathFinder):
    """Fetches what was left out of the first download, when the first of it is imported."""

    def __init__(self) -> None:
        self.names = set(loads(Path("/passline/rest.json").read_text()))

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        if name not in self.names:
            return None
        if not Path(REST).exists():
            Path(REST).write_bytes(js.passlineRest().to_py())
        folder = "/".join([REST, *name.split(".")[:-1]])
        return PathFinder.find_spec(name, [folder])


sys.meta_path.append(Rest())

from passline.web.worker import Worker  # noqa: E402 - what is left out may be needed by now

_saved = js.passlineSaved
try:
    _worker = Worker(_saved if isinstance(_saved, str) else None)
except Exception as error:  # noqa: BLE001 - an older visit that this version cannot read is no reason not to play
    js.console.warn(f"what was played before cannot be read: {error!r}")
    _worker = Worker()
_worker.start()


async def ask(method, target, headers, body, send, chunk, gone):  # noqa: PLR0913, PLR0917
    """Hand a request on; headers come and go as JSON, bodies as bytes."""
    await _worker.ask(
        method,
        target,
        loads(headers),
        body.encode(),
        lambda status, headers: send(int(status), dumps(dict(headers))),
        lambda more: chunk(to_js(more)),
        gone,
    )


def save() -> str:
    return _worker.save()
