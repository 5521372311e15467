from __future__ import annotations

import copy
from typing import Any

import pytest

from engines import registry as engine_registry
from games import registry
from tests.golden import comparing, played
from tests.golden.__main__ import lines


def says(differences: Any) -> str:
    listed = list(differences)
    return comparing.advice(listed) if listed else ""


@pytest.fixture(scope="module")
def games_now() -> dict[str, Any]:
    return played.games()


@pytest.mark.long
def test_a_version_of_a_game_plays_as_it_is_stored(games_now: dict[str, Any]) -> None:
    assert not says(comparing.game_differences(comparing.stored()["games"], games_now))
    assert set(games_now) == set(registry.ids())


@pytest.mark.long
def test_a_version_of_an_engine_decides_as_it_is_stored() -> None:
    found = played.engines(is_whole=False)
    assert not says(comparing.engine_differences(comparing.stored()["engines"], found))
    assert {engine_id for engine_id, row in found.items() if row["games"]} == set(engine_registry.ids())


@pytest.mark.slow
def test_a_version_of_an_engine_decides_as_it_is_stored_with_other_options() -> None:
    found = played.engines(is_whole=True)
    assert not says(comparing.engine_differences(comparing.stored()["engines"], found))
    names = {name for row in found.values() for game in row["games"].values() for name in game["decisions"]}
    assert {"level master", "named uct_mod"} < names


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("digest", 1, "digest 1 stored"),
        ("words", "0", "words 0 stored"),
        ("scores", [0, 0], "scores [0, 0] stored"),
        ("metrics", [{"largest": 99}, {}], "the metric largest of seat 0 was 99"),
    ],
)
def test_another_result_of_a_game_asks_for_a_version(field: str, value: Any, said: str) -> None:
    now = {"kingdomino": comparing.stored()["games"]["kingdomino"]}
    kept = copy.deepcopy(now)
    kept["kingdomino"]["matches"]["2 seats, seed 1"][field] = value
    message = says(comparing.game_differences(kept, now))
    assert said in message
    assert "raise `version` in games/kingdomino/game.py, then run python -m tests.golden" in message
    kept["kingdomino"]["version"] = "0"
    message = says(comparing.game_differences(kept, now))
    assert "is version 1, the file has 0" in message
    assert "raise" not in message


def test_a_metric_that_goes_comes_or_changes_its_unit_asks_for_a_version(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {"kingdomino": comparing.stored()["games"]["kingdomino"]}
    now = copy.deepcopy(kept)
    units = now["kingdomino"]["metrics"]
    del units["largest"]
    units |= {"new": "points", "holes": "points"}
    message = says(comparing.game_differences(kept, now))
    assert "the metric largest is gone, and dropped_metrics does not name it" in message
    assert "the metric new is new, and later_metrics does not name it" in message
    assert "the metric holes was in squares, now in points" in message
    units["holes"] = "squares"
    game = registry.get("kingdomino")
    monkeypatch.setattr(game, "later_metrics", ("n*",))
    monkeypatch.setattr(game, "dropped_metrics", ("largest",))
    message = says(comparing.game_differences(kept, now))
    assert "the metric largest is gone\n" in message
    assert "raise" not in message


def test_another_decision_of_an_engine_asks_for_a_version() -> None:
    kept = {"ims": comparing.stored()["engines"]["ims"]}
    now = copy.deepcopy(kept)
    decisions = now["ims"]["games"]["dominoes"]["decisions"]["as it begins"]
    decisions[1]["work"] = [0, 1, 2]
    message = says(comparing.engine_differences(kept, now))
    assert f"ims {engine_registry.get('ims').version} with dominoes 1, as it begins: decision 1: work" in message
    assert "raise `version` in engines/ims.py" in message
    decisions[1] = dict(kept["ims"]["games"]["dominoes"]["decisions"]["as it begins"][1])
    decisions[1]["value"] *= 1 + 1e-12
    assert not says(comparing.engine_differences(kept, now)), "rounding of another processor"
    now["ims"]["version"] = "other"
    assert "Run python -m tests.golden" in says(comparing.engine_differences(kept, now))


def test_a_level_with_other_options_is_no_other_version_of_its_engine() -> None:
    kept = {"scripted": comparing.stored()["engines"]["scripted"]}
    now = copy.deepcopy(kept)
    row = now["scripted"]["games"]["kingdomino"]
    row["decisions"]["level expert"][0]["action"] = -1
    assert "raise `version` in engines/scripted.py" in says(comparing.engine_differences(kept, now))
    row["given"]["level expert"] = {"policy": "tr"}
    message = says(comparing.engine_differences(kept, now))
    assert "level expert: has other options now" in message
    assert "raise" not in message


def test_the_file_has_a_match_or_a_decision_a_line() -> None:
    stored = comparing.stored()
    assert lines(stored) == comparing.FILE.read_text().splitlines()
    matches = sum(len(row["matches"]) for row in stored["games"].values())
    assert matches <= sum('"digest"' in line for line in lines(stored))
