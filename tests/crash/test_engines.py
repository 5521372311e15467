"""Engines that misbehave cost their own match, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.crash.experiment import RANDOM
from tests.crash.lab import Lab


def spec(*engines: str) -> dict[str, Any]:
    """One deal, both ways round, of each engine against the random one."""
    arms = [{"name": engine, "seats": [{"engine": engine}, RANDOM]} for engine in engines]
    for arm in arms:
        arm["seats"][0] |= {"options": {}, "budget": {}}  # type: ignore[index,operator]
    return {"version": 1, "game": "carcassonne", "seats": 2, "arms": arms, "deals": 1, "seed": 3}


@pytest.fixture(scope="module")
def played(lab: Lab) -> dict[str, list[tuple[Any, ...]]]:
    """Failures and number of plies by arm; every other match of the experiment is finished."""
    engines = ("raises", "cheats", "dies", "scripted")
    lab.need(2)
    experiment = lab.create(spec(*engines), [(arm, 0, 2) for arm in range(len(engines))])
    lab.wait_finished(experiment)
    query = """
        select a.name, m.rotation, m.status, m.failure::text, m.num_plies,
               (select count(*) from records_ply p where p.match_id = m.id)
        from records_match m join records_arm a on a.experiment_id = m.experiment_id and a.index = m.arm_index
        where m.experiment_id = %s order by 1, 2
    """
    found: dict[str, list[tuple[Any, ...]]] = {}
    for name, *row in lab.rows(query, experiment):
        row[2] = row[2] and json.loads(row[2])
        found.setdefault(name, []).append(tuple(row))
    assert {name: len(rows) for name, rows in found.items()} == dict.fromkeys(engines, 2)
    return found


def test_an_engine_that_raises(played: dict[str, list[tuple[Any, ...]]]) -> None:
    for rotation, (_, status, failure, num_plies, stored) in enumerate(played["raises"]):
        assert (status, failure["kind"], failure["seat"]) == ("failed", "exception", rotation)
        assert "an engine's fault" in failure["message"]
        assert num_plies == stored == rotation  # in the second match the random engine moved first


def test_an_engine_that_answers_illegally(played: dict[str, list[tuple[Any, ...]]]) -> None:
    for rotation, (_, status, failure, num_plies, stored) in enumerate(played["cheats"]):
        assert (status, failure["kind"], failure["seat"]) == ("failed", "illegal_action", rotation)
        assert num_plies == stored == rotation


def test_an_engine_that_kills_its_process(played: dict[str, list[tuple[Any, ...]]]) -> None:
    for _, status, failure, *_ in played["dies"]:
        assert (status, failure["kind"], failure["seat"]) == ("failed", "died", None)


def test_other_matches_go_on(played: dict[str, list[tuple[Any, ...]]]) -> None:
    for _, status, failure, num_plies, stored in played["scripted"]:
        assert (status, failure) == ("finished", None)
        assert num_plies == stored > 0
