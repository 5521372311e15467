"""Quality of beliefs: what a round leaves, and what rounds say together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from games import registry as game_registry
from games.dominoes.belief import quality
from worker.spec import SpecError
from worker.studies import registry
from worker.studies import spec as specs
from worker.studies.belief_quality import CLASSES, BeliefQuality
from worker.studies.protocol import StudySpec

KIND = BeliefQuality()
START = math.lgamma(22) - 3 * math.lgamma(8)
"""Logarithm of the number of deals before anything is known: 21! / (7! 7! 7!)."""


def study(**parameters: Any) -> StudySpec:
    data = {"version": 1, "study": "belief_quality", "game": "dominoes", "parameters": parameters, "seed": 5}
    return specs.from_json(data)


def test_bad_parameters_are_told() -> None:
    assert isinstance(registry.get("belief_quality"), BeliefQuality)
    for wrong, path in (
        ({"players": ["greedy", "greedy"]}, "players"),
        ({"players": ["greedy"], "player": "greedy"}, "player"),
        ({"worlds": 1}, "worlds"),
        ({"level": 2.0}, "level"),
    ):
        with pytest.raises(SpecError) as caught:
            study(**wrong)
        assert caught.value.place == f"parameters.{path}"
    game = game_registry.get("dominoes")
    asked = {"player": "pimc", "deals": 3, "level": 0.25, "depth": 1, "worlds": 40}
    assert KIND.to_form(game, KIND.complete_parameters(game, asked)) == asked
    own = {"players": [{"label": "Mine", "player": {"engine": "shrewd"}}]}
    with pytest.raises(SpecError, match="label that the form does not give"):
        KIND.to_form(game, KIND.complete_parameters(game, own))


def test_a_round_begins_with_what_everybody_knows() -> None:
    row = KIND.piece(study(player="greedy", deals=1, worlds=50), 0)
    logs, effective = row["plies"][0]
    assert dict(zip(quality.BELIEFS, logs, strict=True)) == pytest.approx(
        dict.fromkeys(quality.BELIEFS, -START) | {"paper": 21 * math.log(1 / 3)}
    )
    assert effective == pytest.approx([1.0] * len(quality.WEIGHED))
    assert len(row["plies"]) > 7
    losses = [-ply[0][quality.BELIEFS.index("exact")] for ply in row["plies"]]
    assert losses[-1] < losses[0] / 2
    # 21 hidden tiles and 3 seats before the first ply, a third each
    classes = np.array(row["classes"])
    assert classes.shape == (len(quality.BELIEFS), CLASSES, 3)
    assert (classes[:, :, 0].sum(axis=1) == classes[0, :, 0].sum()).all()
    for rows in classes:
        assert rows[:, 2].sum() == classes[0, :, 2].sum()


def test_what_rounds_say_is_worked_by_hand() -> None:
    spec = study(players=["greedy", "pimc"], deals=2)
    none = np.zeros((5, CLASSES, 3))
    none[1, 2] = [4, 1.0, 1.0]
    none[1, 5] = [4, 2.0, 3.0]
    first = {"player": 0, "deal": 0, "plies": [[[-8, -4, -4, -3, -2], [1, 1, 0.5]]], "classes": none.tolist()}
    second = {
        "player": 0,
        "deal": 1,
        "plies": [[[-6, -2, -2, -3, -2], [1, 0.5, 0.5]], [[-1, -1, -1, -1, -1], [0.2, 0.2, 0.2]]],
        "classes": none.tolist(),
    }
    greedy, pimc = KIND.result(spec, {0: first, 2: second})["players"]
    by_id = {row["id"]: row for row in greedy["beliefs"]}
    assert (greedy["rounds"], pimc["rounds"]) == (2, 0)
    assert [told["mean"] for told in by_id["exact"]["plies"]] == [3.0, 1.0]
    assert [told["n"] for told in by_id["exact"]["plies"]] == [2, 1]
    assert by_id["paper"]["loss"]["mean"] == 5.0
    assert by_id["per_legal"]["gain"]["mean"] == pytest.approx((1 - 1 + 0) / 3)
    # 8 chances of a quarter, of which 2 came true; 8 of a half, of which 6 did
    assert by_id["exact"]["classes"][2] == {"n": 8, "predicted": 0.25, "came": 0.25}
    assert by_id["exact"]["classes"][5] == {"n": 8, "predicted": 0.5, "came": 0.75}
    assert by_id["exact"]["error"] == pytest.approx((0 + 0.25) / 2)
    assert by_id["paper"]["error"] is None
    assert greedy["effective"][1]["all"]["mean"] == pytest.approx((1 + 0.5 + 0.2) / 3)
    assert pimc["beliefs"][0]["loss"]["mean"] is None
