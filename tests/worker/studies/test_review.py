"""The kind `review`: what it takes, that its parts add up, that pieces stand alone, and what it calls a mistake."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games import registry as game_registry
from games import rng
from worker import course as courses
from worker.action_values import action_playouts
from worker.analysis import luck
from worker.analysis.luck import Estimate, MarginParts
from worker.spec import SpecError
from worker.studies import review
from worker.studies import spec as specs
from worker.studies.protocol import StudySpec
from worker.studies.review import Review


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game_registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setitem(game_registry.GAMES, "toy_secret", "games.toy.secret:SecretCards")


def played(game_id: str, worst: int = -1) -> dict[str, Any]:
    """A whole match of random actions; at ply `worst` seat on turn takes the action that loses most."""
    course = courses.Course(game_registry.get(game_id), {}, 2, 7)
    r, actions = rng.new_stream(1, rng.ANALYSIS), []
    while course.player >= 0:
        legal = [int(action) for action in course.game.legal_actions(course.state)]
        action = legal[rng.below(r, len(legal))]
        if course.ply == worst:
            action = min(legal, key=lambda one: mean_after(course, one))
        actions.append(action)
        course.advance(action)
    return {"seats": 2, "deal_seed": 7, "actions": actions, "playouts": 40}


def mean_after(course: courses.Course, action: int) -> float:
    """Expected margin of the seat on turn after an action."""
    playouts = action_playouts.playouts_of(course.game.id)
    return sum(float(playouts.margins(course.state, action, 5, k)[course.player]) for k in range(50))


def study(game_id: str = "toy", **changes: Any) -> StudySpec:
    given = played(game_id) | changes
    data = {"version": 1, "study": "review", "game": game_id, "parameters": given, "seed": 3}
    return specs.from_json(data)


def rows(spec: StudySpec) -> dict[int, dict[str, Any]]:
    kind = Review()
    return {index: json.loads(json.dumps(kind.piece(spec, index))) for index in range(kind.num_pieces(spec))}


@pytest.mark.parametrize("game_id", ["toy", "toy_secret"])
def test_the_parts_of_every_margin_add_up_and_mirror_each_other(game_id: str) -> None:
    spec = study(game_id)
    found = Review().result(spec, rows(spec))
    assert found["num_plies"] == len(found["curve"]) == len(spec.parameters["actions"])
    for parts, (margin, error) in zip(found["parts"], found["end"], strict=True):
        assert sum(parts[name][0] for name in ("start", "own", "others", "luck")) == pytest.approx(margin)
        assert (found["is_cut"], error) == (False, 0.0)
        assert all(low <= mean <= high for mean, low, high in parts.values())
    first, second = found["parts"]
    assert first["luck"][0] == pytest.approx(-second["luck"][0])
    assert first["own"][0] == pytest.approx(-second["others"][0])
    assert found["curve"][-1]["after"] == found["end"]


def test_draws_and_decisions_lead_from_the_start_to_the_end() -> None:
    spec = study()
    known = rows(spec)
    found = Review().result(spec, known)
    steps = sum(draw["changes"][0][0] for draw in found["draws"]) + sum(row["gain"][0][0] for row in known.values())
    assert known[0]["start"][0][0] + steps == pytest.approx(found["end"][0][0])


def test_what_was_drawn_is_told_as_today_whatever_an_older_row_says() -> None:
    spec = study()
    known = {index: row | {"drawn": row["drawn"] and "17"} for index, row in rows(spec).items()}
    moments = review.walk_match("toy", spec.parameters)
    told = {draw["ply"]: draw["drawn"] for draw in Review().result(spec, known)["draws"]}
    assert told == {ply: moment.drawn for ply, moment in enumerate(moments[:-1]) if moment.drawn}
    assert told


def test_pieces_depend_on_nothing_but_spec_and_number_and_rows_so_far_are_told() -> None:
    spec = study()
    assert Review().piece(spec, 2) == Review().piece(spec, 2)
    some = {2: Review().piece(spec, 2)}
    found = Review().result(spec, some)
    assert ([row["ply"] for row in found["curve"]], found["parts"]) == ([2], [])


def test_the_worst_action_is_a_mistake_and_one_that_costs_nothing_is_not() -> None:
    given = played("toy", worst=1)
    spec = study(**given)
    found = Review().result(spec, rows(spec))
    worst = next(row for row in found["decisions"] if row["ply"] == 1)
    assert worst["is_mistake"]
    assert worst["low"] > 0
    assert all(row["is_mistake"] == (row["low"] > 0) for row in found["decisions"])
    assert [row["loss"] for row in found["decisions"]] == sorted(
        (row["loss"] for row in found["decisions"]), reverse=True
    )


def test_a_match_that_was_played_on_is_looked_at_from_there() -> None:
    spec = study(first=2, renewal={"ply": 2, "seed": 11}, actions=renewed_actions())
    found = Review().result(spec, rows(spec))
    assert found["curve"][0]["ply"] == 2
    assert all(draw["ply"] > 2 for draw in found["draws"])
    for parts, (margin, _) in zip(found["parts"], found["end"], strict=True):
        assert sum(part[0] for part in parts.values()) == pytest.approx(margin)


def test_of_more_than_two_sides_luck_is_told_only_where_it_holds_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    monkeypatch.setattr(
        review, "joint_confidence", lambda number: looks.append(number) or luck.joint_confidence(number)
    )
    course = courses.Course(game_registry.get("toy"), {}, 3, 7)
    actions = []
    while course.player >= 0:
        actions.append(int(course.game.legal_actions(course.state)[0]))
        course.advance(actions[-1])
    spec = study(seats=3, actions=actions, playouts=10)
    Review().result(spec, rows(spec))
    assert {3, 3 * len(actions)} <= set(looks)
    nothing, some = Estimate(0.0, 1.0), Estimate(2.2, 1.0)
    parts = [MarginParts(nothing, nothing, nothing, one) for one in (nothing, some, nothing)]
    assert (review._favoured(parts, 1), review._favoured(parts, 3)) == (1, None)


def renewed_actions() -> list[int]:
    """Actions of a match whose draws are others from ply 2 on."""
    course = courses.Course(game_registry.get("toy"), {}, 2, 7, courses.Renewal(2, 11))
    actions = []
    while course.player >= 0:
        actions.append(int(course.game.legal_actions(course.state)[0]))
        course.advance(actions[-1])
    return actions


@pytest.mark.parametrize("game_id", ["toy", "toy_secret"])
def test_a_match_that_was_cut_short_is_looked_at_as_far_as_it_came(game_id: str) -> None:
    """What was expected where it stood is in place of its end, draws that followed the last ply included."""
    spec = study(game_id, actions=played(game_id)["actions"][:2])
    known = rows(spec)
    found = Review().result(spec, known)
    assert (found["is_cut"], found["num_plies"]) == (True, len(spec.parameters["actions"]))
    steps = sum(draw["changes"][0][0] for draw in found["draws"]) + sum(row["gain"][0][0] for row in known.values())
    assert known[0]["start"][0][0] + steps == pytest.approx(found["end"][0][0])
    assert found["draws"][-1]["ply"] == found["num_plies"], "the draw that the player who left saw"
    for parts, (margin, error) in zip(found["parts"], found["end"], strict=True):
        assert (error > 0) == (game_id == "toy"), "of the other all luck is dealt at the start"
        assert sum(part[0] for part in parts.values()) == pytest.approx(margin)
    del known[len(known) - 1]
    found = Review().result(spec, known)
    assert (found["end"], found["parts"]) == (None, []), "its last piece says how it stood"


def test_a_match_without_plies_and_other_nonsense_are_refused() -> None:
    with pytest.raises(SpecError, match="a ply to look at") as found:
        study(actions=[])
    assert found.value.place == "parameters.actions"
    with pytest.raises(SpecError, match="playouts"):
        study(playouts=1)
    assert Review().seconds(study()) > 0
