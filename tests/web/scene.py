"""A pit with somebody of every kind, and for every route of the service a request that is right for whoever sends it.

A route whose example in the description can be sent as it stands, with the names of `Scene.named` in its path, needs
nothing here; another has its request in `Scene.request`.
"""

from __future__ import annotations

import json
import time
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from passline.codec import to_data
from passline.engine.commands import Sit
from passline.journal.contract import now
from passline.journal.sqlite import SqliteJournal
from passline.live.people import ROLES
from passline.live.requests import Ask
from passline.pit.keys import keys_at
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.web.acts import COMMANDS, FIND_BET, FORMS
from passline.web.pages import built
from tests.codec.samples import sample
from tests.web.server import Player, Server

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import httpx

ANYONE = "anyone"
GUEST = "guest"
ASKERS = (ANYONE, GUEST, *ROLES)
"""Who asks: nobody in particular, a guest by link, and one of each role."""

HOUSE = ("cashier", "supervisor", "inspector", "administrator")
"""Who holds a role everywhere; the others hold theirs at tables where they work."""

OUTSIDE = ("host", "stranger")
"""Who opened the tables, and who is nothing there."""

PASSWORD = "twelve red chips"
COMERS = 4
"""Accounts by which people sign in: a name is tried ten times and no more."""

WIDE = ("--rate", "100000", "--newcomers", "1000000", "--quiet")
"""Options of a server that is asked by one address all day."""


PLAIN: dict[str, dict[str, Any]] = {
    "POST /tables": {"house": "sydney"},
    "POST /tables/{table}/acts": {"kind": "floor.ask_for_rules"},
    "POST /tables/{table}/talk": {"say": "field"},
    "POST /tables/{table}/approvals": {
        "what": "floor.sign_player_limits",
        "act": {"kind": "floor.sign_player_limits", "seat": 1, "minimum": 500, "maximum": 200_000},
    },
    "POST /approvals": {"person": "nobody", "role": "dealer"},
    "POST /questions": {"strategy": "pass_flat", "unit": 10, "rolls": 5},
}
"""Bodies that are right for whoever sends them; an act at a table says who asks."""


class Right(NamedTuple):
    """One request."""

    method: str
    path: str
    body: dict[str, Any] | None = None
    headers: dict[str, str] = {}  # noqa: RUF012 - nobody changes it

    @property
    def route(self) -> str:
        """Method and path."""
        return f"{self.method} {self.path}"


class Scene:
    """The tables `own`, where the crew works, and `other`, where nobody does; people; and sessions to be ended."""

    def __init__(self, folder: Path, tables: Sequence[str] = (), spare: int = 6) -> None:
        """Write it down, then serve it; `tables` are more at which the crew works, `spare` tokens are for each."""
        journal = SqliteJournal(folder / "pit.db")
        pit, house = Pit(journal, keys_at(folder / "keys.json")), By("house", "house", now())
        people = pit.people
        self.tokens: dict[str, str] = {ANYONE: ""}
        self.spare: dict[str, list[str]] = {ANYONE: []}
        self.twins: dict[str, tuple[str, int]] = {}
        """An account beside each, with its token and how often its password was changed."""
        for number in range(COMERS):
            people.add(f"Comer-{number}", PASSWORD, house)
        for role in (*ASKERS[1:], *OUTSIDE, "nobody", "leaver", "second"):
            person, self.tokens[role] = people.guest(role.capitalize(), now())
            if role in (*ASKERS, *OUTSIDE):
                self.spare[role] = [people.issue(person.id, house) for _ in range(spare)]
                twin = people.add(f"Twin-{role}", PASSWORD, house)
                self.twins[role] = (people.issue(twin.id, house), 0)
                if role in HOUSE:
                    people.grant(twin.id, role, None, "for the test", house, None)
            if role in HOUSE or role == "second":
                held = "supervisor" if role == "second" else role
                people.grant(person.id, held, None, "for the test", house, None)
        crew = tuple((role, role) for role in ROLES if role not in HOUSE)
        for name in ("own", "other", "fuzz", *tables):
            hosts = people.persons["host"] if name in ("own", "other") else people.guest(f"Host-{name}", now())[0]
            opening = Opening(practice=False, staff=() if name == "other" else crew)
            table = pit.open(hosts, opening, By(hosts.id, "player", now()), name)
            if name != "other":
                people.grant(GUEST, "player", name, "came by a link", house, None)
                sat = Ask("player", "player", "player/sit", now())
                table.do(Sit(1, "Player", 5_000_000), sat)
        self.link = people.issue("host", house, "link", table="own", what="player")
        # Whoever comes by this one is a player there afterwards, and at no table that the matrix asks about.
        self.link_elsewhere = people.issue("host", house, "link", table="fuzz", what="player")
        journal.close()
        self.server = Server(folder, None, *WIDE)
        self.numbers, self.newcomers, self._sampled = count(1), count(), ""
        self.described: dict[str, Any] = self.server.http.get("/openapi.json").json()["paths"]

    def player(self, role: str, table: str = "own") -> Player:
        """Somebody, at a table."""
        found = Player(self.server, self.tokens[role], table, role)
        found.headers = {} if role == ANYONE else found.headers
        return found

    def send(self, role: str, right: Right) -> httpx.Response:
        """Ask as somebody; of a stream only the beginning is heard."""
        headers = self.headers(role, right)
        if right.path.endswith("/events"):
            with self.server.http.stream(right.method, right.path, headers=headers) as answer:
                if answer.status_code != 200:
                    answer.read()
                return answer
        answer = self.server.http.request(right.method, right.path, headers=headers, json=right.body)
        self.learn(role, right.route, answer.status_code, answer.content)
        return answer

    def learn(self, role: str, route: str, status: int, body: bytes) -> None:
        """After an answer: a question that was taken is let be, a twin has another password and token."""
        if route == "POST /questions" and status == 202:
            asked = f"/questions/{json.loads(body)['question']}"
            assert self.server.http.delete(asked, headers=self.player(role).headers).status_code == 204
        if route == "POST /me/password" and status == 201:
            self.twins[role] = (json.loads(body)["token"], self.twins[role][1] + 1)

    def headers(self, role: str, right: Right) -> dict[str, str]:
        """Who asks, under a key that nobody has used."""
        return self.player(role).headers | {"Idempotency-Key": f"right-{next(self.numbers)}"} | right.headers

    def spare_token(self, role: str) -> dict[str, str]:
        """A session that may be ended; anyone has none."""
        left = self.spare.get(role, [])
        return {"Authorization": f"Bearer {left.pop()}"} if left else {}

    # --- A right request for each route -------------------------------------------------------------------------------

    @property
    def named(self) -> dict[str, str]:
        """What stands in paths where a route names something."""
        version, _ = built()
        page = {"version": version, "name:path": "index.html"}
        school = {"drill": "pays", "level": "4", "seed": "1"}
        things = {"stream": "own", "house": "adelaide", "person": "nobody", "report": "shift"}
        game = {"strategy": "pass_flat", "wager": "pass", "sequence": "2"}
        return {**page, **school, **things, **game, "question": "0", "session": "0", "practice": "practice"}

    def path(self, route: str, table: str = "own") -> str:
        """The path of a route, its names filled in."""
        path = route.partition(" ")[2]
        for name, value in {**self.named, "table": table}.items():
            path = path.replace(f"{{{name}}}", value)
        return path

    def request(self, role: str, route: str, table: str = "own") -> Right:  # noqa: C901 - a list of routes
        """A request that does what the route is for, if whoever sends it may."""
        method, path, number = route.partition(" ")[0], self.path(route, table), next(self.numbers)
        match route:
            case "DELETE /sessions":
                return Right(method, path, None, self.spare_token(role))
            case "DELETE /me/sessions/{session}":
                mine = self.spare_token(role).get("Authorization", "Bearer 0").split()[1]
                return Right(method, path.replace("/0", f"/{mine.partition('.')[0]}"))
            case "POST /sessions":
                return Right(method, path, {"name": f"Comer-{next(self.newcomers) % COMERS}", "password": PASSWORD})
            case "POST /people":
                return Right(method, path, {"name": f"New-{number}", "password": PASSWORD})
            case "POST /me/password":
                return Right(method, path, *self._new_password(role))
            case "POST /invitations":
                return Right(method, path, {"link": self.link})
            case "POST /invitations/accepted":
                return Right(method, path, {"link": self.link_elsewhere})
            case "POST /guests":
                return Right(method, path, {"name": f"Guest-{number}", "link": self.link})
            case "POST /people/{person}/roles":
                return Right(method, path, *self._granting())
            case "POST /people/{person}/signed-out":
                return Right(method, path.replace("nobody", "leaver"))
            case "GET /questions/{question}" | "DELETE /questions/{question}":
                return Right(method, path.replace("/0", f"/{self.question(role)}"))
            case "GET /questions/{question}/rows":
                return Right(method, path.replace("/0", f"/{self.sampled()}"))
            case "POST /floor/acts":  # the twin plays no more; everything else they may still do
                body = {"kind": "floor.exclude_oneself", "person": f"Twin-{role}", "reason": "for a year"}
                return Right(method, path, body, self._twin(role))
            case "DELETE /practice/{practice}":
                return Right(method, path.replace("/practice/practice", f"/practice/{self.practice(role)}"))
            case "POST /house-files":
                return Right(method, path, self._house_file())
            case _:
                plain = PLAIN.get(route) or self.example(route)
                return Right(method, path, {**plain, "person": role} if plain and "kind" in plain else plain)

    def _new_password(self, role: str) -> tuple[dict[str, Any], dict[str, str]]:
        """Another password for the twin of somebody, who sends it."""
        _, changed = self.twins.get(role, ("", 0))
        old = f"{PASSWORD} {changed}" if changed else PASSWORD
        return {"old": old, "new": f"{PASSWORD} {changed + 1}"}, self._twin(role)

    def _house_file(self) -> dict[str, Any]:
        """A house of one's own; the first is worked out slowly, on a busy machine more slowly than is allowed."""
        file: dict[str, Any] = self.server.http.get("/houses/adelaide/file").json()
        for _ in range(5):
            if self.server.http.post("/house-files", json=file).status_code == 200:
                break
        return file

    def _twin(self, role: str) -> dict[str, str]:
        """The token of somebody's twin; anyone has none."""
        return {"Authorization": f"Bearer {self.twins[role][0]}"} if role in self.twins else {}

    def _granting(self) -> tuple[dict[str, Any], dict[str, str]]:
        """A role for the night, to which a second person has agreed."""
        asked = {"person": "nobody", "role": "dealer", "table": "own"}
        approval = self.player("second").post("/approvals", asked).json()["approval"]
        return {"role": "dealer", "table": "own", "reason": "for the night"}, {"Second-Person": approval}

    def example(self, route: str) -> dict[str, Any] | None:
        """The body that the description gives as an example."""
        method, _, path = route.partition(" ")
        asked = self.described.get(path, {}).get(method.lower(), {}).get("requestBody")
        if asked is None:
            return None
        found: dict[str, Any] = next(iter(asked["content"]["application/json"]["examples"].values()))["value"]
        return found

    def question(self, role: str) -> str:
        """A question of somebody's own."""
        answer = self.send(role, self.request(role, "POST /questions"))
        name: str = answer.json()["question"]
        return name

    def practice(self, role: str) -> str:
        """A practice table of somebody's own; anyone's is a guest's whom it makes, and whose it stays."""
        answer = self.server.http.post("/practice", headers=self.player(role).headers, json={})
        self.server.http.cookies.clear()
        name: str = answer.json()["table"]["table"]
        return name

    def sampled(self) -> str:
        """A question that was answered, of somebody without a token: worked out once."""
        if not self._sampled:
            asked = self.server.http.post("/questions", json=PLAIN["POST /questions"]).json()
            self._sampled, until = asked["question"], time.monotonic() + 60
            while asked["state"] in ("waiting", "working"):
                assert time.monotonic() < until, asked
                time.sleep(0.1)
                asked = self.server.http.get(f"/questions/{self._sampled}").json()
        return self._sampled


# --- A right body for each act ----------------------------------------------------------------------------------------

KINDS = FORMS
"""Every act, with the fields of its body."""

OURS: dict[str, dict[str, Any]] = {
    "table.read_dice": {"dice": [4, 2]},
    "table.void": {"reason": "a test"},
    "table.return_chips": {"reason": "it was stopped"},
    "table.correct": {"reverses": 1, "reason": "a test"},
    "table.hand_on": {"hand": 9, "anchor": "0" * 64, "off": "0" * 64},
    "table.hand_off": {"hand": 9, "value": "0" * 64},
    "table.show_value": {"hand": 9, "index": 1, "value": "0" * 64},
    "command.sit": {"buyin": 5_000},
}
"""What the acts of the live table's own need to be read, and who sits gives no name but their own."""


def body_of(kind: str, asker: str) -> dict[str, Any]:
    """An act that can be read: everything that it can say is said."""
    if kind in OURS or kind not in COMMANDS:
        return {"kind": kind, **OURS.get(kind, {})}
    text = json.dumps(to_data(sample(COMMANDS[kind])), ensure_ascii=False)
    said: dict[str, Any] = json.loads(text.replace(" “", " ").replace("”", ""))  # words that a record can keep
    said = {name: value for name, value in said.items() if name not in ("v", "second")}
    ours = {
        "seat": None,
        "person": asker,
        "player": "player",
        "roll": {"first": 1, "second": 2},
        "wager": "pass",
        "flaw": "short",
    }
    said |= {name: value for name, value in ours.items() if name in said}
    if "by" in said:
        nobodies = (GUEST, "stranger", "administrator", "cashier", ANYONE)
        role = {"host": "box", **dict.fromkeys(nobodies, "player")}
        by = role.get(asker, asker)
        said["by"] = [by] if isinstance(said["by"], list) else by
    if "seat" in said and asker != "player":
        said["seat"] = 1
    if kind == FIND_BET:
        said["reason"] = "they lay on the line"
    return said
