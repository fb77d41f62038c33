"""The school over HTTP: asked, forgotten, graded again; what cannot be believed is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from passline.school.sheet import ScoreSheet
from passline.school.syllabus import DRILLS, exercise, levels_of

if TYPE_CHECKING:
    from tests.web.server import Server

pytestmark = pytest.mark.slow

BUY = "/school/adelaide/pays/4/3"


def test_an_exercise_is_asked_without_its_answer_and_graded_with_it(server: Server) -> None:
    """No account, no table; the near miss by its name, the clause with its sentence, the sheet to keep."""
    asked = server.http.get(BUY).json()
    assert asked["asks"].startswith("Ann has 15 on Buy Bet to Win 6.")
    assert asked["state"]["seats"]["1"]["up"]["buy_6"]["stake"] == 1_500
    assert asked["dice"] == [2, 4]
    assert asked["parts"][0]["expected"] == "an amount such as 14, 7.50 or -10"
    assert not {"why", "clauses", "right"} & {*asked, *asked["parts"][0]}
    graded = server.http.post(BUY, json={"answers": ["18"], "seconds": 7}).json()
    assert (graded["is_right"], graded["score"], graded["of"]) == (False, 0, 1)
    assert graded["parts"][0]["says"] == "that leaves out the commission of 1"
    assert graded["clauses"][0]["id"] == "adelaide:7(b)"
    assert graded["sheet"]["scores"][0]["missed"] == [3]
    again = server.http.post(BUY, json={"answers": ["17"], "seconds": 5, "sheet": graded["sheet"]}).json()
    assert again["is_right"]
    (score,) = again["sheet"]["scores"]
    assert (score["asked"], score["right"], score["rung"], score["missed"]) == (2, 1, 0, [])
    assert score["due"] == graded["sheet"]["scores"][0]["due"]  # its minute is not over: what is not due rises no rung


def test_the_sheet_says_what_comes_next(server: Server) -> None:
    """What was missed, once its minute is over; else what is new."""
    first = server.http.post("/school/sydney", json={}).json()
    assert (first["house"], first["drill"], first["level"]) == ("sydney", "ways", 1)
    sheet = ScoreSheet().to_json()
    row = {"house": "sydney", "drill": "call", "level": 1, "asked": 1, "right": 0, "parts": 1, "parts_right": 0}
    row |= {"timed": 1, "seconds": 3, "best_seconds": None, "rung": 0, "due": 1_000, "missed": [8]}
    sheet["scores"].append(row)
    seeds = set()
    for _ in range(12):
        due = server.http.post("/school/sydney", json={"sheet": sheet}).json()
        assert due["drill"] == "call"
        seeds.add(due["seed"])
    assert 8 in seeds
    assert len(seeds) > 1
    chosen = server.http.post("/school/strip", json={"drill": "wrong", "level": 6}).json()
    assert (chosen["house"], chosen["drill"], chosen["level"]) == ("strip", "wrong", 6)


def test_every_drill_is_asked_and_graded_by_http(server: Server) -> None:
    """The right answers of the engine, sent as a learner would, are right."""
    for house in ("adelaide", "fire-bonus"):
        told = server.http.get(f"/school/{house}").json()
        assert [each["drill"] for each in told["drills"]] == list(DRILLS)
        for drill in DRILLS.values():
            level = levels_of(exercise(house, "pays", 1, 1).house, drill)[-1]
            found = exercise(house, drill.name, level, 5)
            path = f"/school/{found.id}"
            assert server.http.get(path).json()["asks"] == found.question.asks
            answers = [found.written(part) for part in found.parts]
            assert server.http.post(path, json={"answers": answers}).json()["is_right"]


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("/school/atlantis", None, 404, "house.unknown"),
        ("/school/atlantis/pays/1/1", None, 404, "house.unknown"),
        ("/school/adelaide/play/1/1", None, 422, "drill: found 'play'"),
        ("/school/adelaide/pays/6/1", None, 422, "level: found 6"),
        ("/school/adelaide/pays/7/1", None, 422, "less than or equal to 6"),
        ("/school/adelaide/pays/1/99999999999", None, 422, "seed"),
        ("/school/adelaide", {"drill": "call", "level": 5}, 404, "school.nothing"),
        (BUY, {"answers": []}, 422, "one for each part"),
        (BUY, {"answers": ["ten"]}, 422, "expected an amount"),
        (BUY, {"answers": ["1"] * 21}, 422, "at most 20"),
        (BUY, {"answers": ["9" * 301]}, 422, "at most 300"),
        (BUY, {"answers": [25]}, 422, "string"),
        (BUY, {"answers": ["25"], "seconds": -1}, 422, "greater than or equal to 0"),
        (BUY, {"answers": ["25"], "right": "25"}, 422, "Extra inputs"),
        (
            BUY,
            {"answers": ["25"], "sheet": {"passline_school": 1, "scores": [{"house": 1}]}},
            422,
            "sheet.scores.0.house",
        ),
    ],
)
def test_what_cannot_be_asked_is_a_problem(server: Server, path: str, body: Any, status: int, says: str) -> None:  # noqa: ANN401 - a body
    """With what, where and what to do."""
    answer = server.http.get(path) if body is None else server.http.post(path, json=body)
    assert answer.status_code == status, answer.text
    assert says in answer.text
    assert answer.headers["content-type"].startswith("application/problem+json")


def test_exercises_are_not_for_flooding(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each counts as the work it is."""
    from tests.web.server import Server

    slow = Server(tmp_path_factory.mktemp("slow"), None, "--rate", "5")
    codes = [slow.http.get(BUY).status_code for _ in range(12)]
    assert slow.stop() == 0
    assert codes[:3] == [200] * 3
    assert 429 in codes
