"""The service beside its own description: Schemathesis makes requests, everybody sends them, every answer is checked.

At each operation a right request of each asker comes first, then made-up ones, good and bad, then those that go to the
corners of the schema; where only a few corners are gone to, the askers take turns. An operation that nobody was granted
fails: a service that turns everybody away proves nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import cycle
from typing import TYPE_CHECKING, Any, TypeAlias

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from pydantic import TypeAdapter
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from passline.web.streams import EntryEvent as Event
from tests.web.scene import ASKERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.scene import Right, Scene

Operation: TypeAlias = Any
Case: TypeAlias = Any
Answer: TypeAlias = Any
"""Schemathesis's own, whose types have parameters that nobody here has a word for."""

CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EVENT = TypeAdapter(Event)
TIMEOUT_S = 60.0
SILENT_S = 0.5
"""How long a stream that has nothing to say is listened to."""


@dataclass(slots=True)
class EntryEvent:
    """What came of it."""

    cases: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    granted: dict[str, set[str]] = field(default_factory=dict)
    """To whom each operation was granted."""
    wrong: list[str] = field(default_factory=list)

    @property
    def never(self) -> list[str]:
        """Operations that nobody was granted."""
        return sorted(name for name, askers in self.granted.items() if not askers)

    def told(self) -> dict[str, Any]:
        """For a record."""
        granted = {name: sorted(askers) for name, askers in sorted(self.granted.items())}
        return {
            "cases": self.cases,
            "operations": len(self.granted),
            "operations_granted": len(self.granted) - len(self.never),
            "never_granted": self.never,
            "statuses": dict(sorted(self.statuses.items())),
            "wrong": self.wrong[:20],
            "granted": granted,
        }


class Describing:
    """One run over all operations, as all askers."""

    def __init__(
        self, scene: Scene, examples: int, corners: int | None, number: int = 7, tell: Callable[[str], object] = str
    ) -> None:
        """`examples` of each sort are made up at an operation, `corners` of its schema are gone to, or all of them."""
        self.tell = tell
        self.scene, self.examples, self.corners, self.number = scene, examples, corners, number
        self.schema = schemathesis.openapi.from_url(f"{scene.server.address}/openapi.json")
        self.schema.config.max_stream_events = 1
        self.heard = EntryEvent()
        self.web = requests.Session()

    def run(self) -> EntryEvent:
        """Go to every operation; what is made up is sent by everybody, or in turns as the corners are."""
        turns = cycle(ASKERS)
        for found in self.schema.get_all_operations():
            operation: Operation = found.ok()  # type: ignore[union-attr]
            self.heard.granted[operation.label] = set()
            self.tell(f"{operation.label}: {self.heard.cases:,} requests so far")
            for asker in ASKERS:
                self._right(operation, asker)
            for mode in GenerationMode:
                for case in self._examples(operation, mode):
                    for asker in ASKERS if self.corners is None else [next(turns)]:
                        self._send(case, asker, self._headers(operation, asker))
            for case in self._corners(operation):
                asker = next(turns)
                self._send(case, asker, self._headers(operation, asker))
        return self.heard

    def _right(self, operation: Operation, asker: str) -> None:
        """The request of whoever uses it."""
        right: Right = self.scene.request(asker, operation.label)
        case = operation.Case(
            path_parameters={name: right_part(operation, right, name) for name in names(operation)},
            headers=self.scene.headers(asker, right),
            query={"after": 0} if operation.label.endswith("/events") else {},
            **({} if right.body is None else {"body": right.body, "media_type": "application/json"}),
        )
        self._send(case, asker, {})

    def _corners(self, operation: Operation) -> list[Case]:
        """Requests that go to the corners of the schema, those no test would think of."""
        config = self.schema.config.generation_for(operation=operation)
        modes = list(GenerationMode)
        found = list(self.schema.iter_coverage_cases(operation, generation_modes=modes, generation_config=config))
        return found if self.corners is None else found[:: max(1, len(found) // self.corners)]

    def _examples(self, operation: Operation, mode: GenerationMode) -> list[Case]:
        """Requests made up at random; every other path leads to something that is there."""
        found: list[Case] = []
        if mode == GenerationMode.NEGATIVE and not (operation.body or operation.query or operation.headers):
            return []  # there is nothing to say wrongly

        @seed(self.number)
        @settings(
            max_examples=self.examples,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(operation.as_strategy(generation_mode=mode))
        def make(case: Case) -> None:
            found.append(case)

        try:
            make()
        except Unsatisfiable:
            return []
        if "{" in operation.path:
            for case in found[::2]:
                case.path_parameters = {name: self.there(name) for name in names(operation)}
        return found

    def there(self, name: str) -> str:
        """Something that is there, in nobody else's way."""
        return {**self.scene.named, "table": "fuzz", "stream": "fuzz", "person": "leaver"}[name]

    def _headers(self, operation: Operation, asker: str) -> dict[str, str]:
        """Who sends a made-up request; what would end their session is sent with one to spare."""
        if operation.label == "DELETE /sessions":
            return self.scene.spare_token(asker)
        return self.scene.player(asker).headers

    def _answer(self, case: Case, headers: dict[str, str], timeout_s: float) -> Answer:
        """What is answered; whoever was so busy that not even the first line came is asked once more, patiently."""
        try:
            return case.call(session=self.web, headers=headers, timeout=timeout_s)
        except requests.ReadTimeout:
            return case.call(session=self.web, headers=headers, timeout=10 * timeout_s)

    def _send(self, case: Case, asker: str, headers: dict[str, str]) -> None:
        label = case.operation.label
        answer = self._answer(case, headers, SILENT_S if label.endswith("/events") else TIMEOUT_S)
        self.web.cookies.clear()
        self.heard.cases += 1
        self.heard.statuses[str(answer.status_code)] += 1
        if 200 <= answer.status_code < 300:
            self.heard.granted[label].add(asker)
        if case.method == case.operation.method.upper():
            self.scene.learn(asker, label, answer.status_code, answer.content)
        try:
            stream = answer.status_code == 200 and label.endswith("/events")
            case.validate_response(answer, checks=CHECKS[:-1] if stream else CHECKS)
            for line in answer.content.splitlines() if stream else ():
                if line.startswith(b"data: "):  # the description says what one line of data is
                    EVENT.validate_json(line[6:])
        except* Exception as wrong:  # noqa: BLE001 - whatever a check raises is a finding
            self.heard.wrong.append(f"{label} as {asker}: {wrong.exceptions[0]}"[:1500])


def names(operation: Operation) -> list[str]:
    """What a path names."""
    return [each.partition("}")[0] for each in operation.path.split("{")[1:]]


def right_part(operation: Operation, right: Right, name: str) -> str:
    """What a right request has in its path for a name."""
    parts: list[str] = operation.path.split("/")
    return right.path.split("/")[parts.index(f"{{{name}}}")]


def said(heard: EntryEvent) -> str:
    """What a campaign or a failed test prints."""
    lines = [
        f"{heard.cases} requests, {len(heard.granted)} operations, {len(heard.never)} never granted: {heard.never}"
    ]
    return "\n".join([*lines, f"statuses {dict(heard.statuses)}", *heard.wrong[:10]])
