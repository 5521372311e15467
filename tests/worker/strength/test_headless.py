"""Carrying out a measurement: what is kept of an experiment and of a study, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from games import registry as game_registry
from tests import counting
from worker.__main__ import main
from worker.spec import SpecError
from worker.strength import headless, registry, stored
from worker.strength.model import MATCHES, REGRET, Measurement
from worker.studies import registry as study_registry

GREEDY, RANDOM = {"engine": "scripted", "options": {"policy": "greedy"}}, {"engine": "random"}
PLAYED = Measurement(
    "toy-played",
    "toy",
    MATCHES,
    "Greedy against chance",
    "Who wins?",
    {
        "version": 1,
        "game": "toy",
        "seats": 2,
        "arms": [{"name": "Measured", "seats": [GREEDY, RANDOM]}],
        "deals": 200,
        "rotation": "all",
        "seed": 1,
        "stop": {"rule": "sprt", "on": "win_rate", "h0": 0, "h1": 20},
    },
)
ASKED = Measurement(
    "toy-asked",
    "toy",
    REGRET,
    "Regret",
    "What is given away?",
    {
        "version": 1,
        "study": "regret",
        "game": "toy",
        "parameters": {"players": [{"name": "Random", **RANDOM}], "positions": 4, "playouts": 20},
        "seed": 1,
    },
)


@pytest.fixture(autouse=True)
def _toy(monkeypatch, tmp_path):
    monkeypatch.setitem(game_registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setattr(stored, "FOLDER", tmp_path)
    monkeypatch.setattr(registry, "measurements", lambda: {one.id: one for one in (PLAYED, ASKED)})
    stored.load.cache_clear()
    yield
    stored.load.cache_clear()


def say(words):
    pass


def test_a_test_ends_an_experiment_and_later_deals_do_not_count():
    found = headless.carry_out(PLAYED, 1, say)
    place = found.report["arms"][0]["places"][0]
    assert found.report["stop"]["reason"] == "h1"
    assert place["deals"] == found.report["stop"]["deals"] < 200
    assert found.report["intervals"] == "for every look"
    assert set(found.versions) == {"toy", "scripted", "random"}
    assert len(found.thinking_ms) == 2


def test_what_is_stored_is_read_again_and_fits_until_the_spec_changes(monkeypatch):
    for one in (PLAYED, ASKED):
        found = headless.carry_out(one, 1, say)
        stored.write(found)
        assert stored.load(one.id) == replace(found, report=json.loads(json.dumps(found.report)))
        assert stored.load(one.id).is_fitting
        assert not stored.load(one.id).outdated
    changed = replace(PLAYED, spec={**PLAYED.spec, "seed": 2})
    monkeypatch.setattr(registry, "measurements", lambda: {PLAYED.id: changed})
    assert not stored.load(PLAYED.id).is_fitting
    assert not stored.load(ASKED.id).is_fitting, "nobody lists it any more"


def test_what_failed_in_part_is_not_kept(monkeypatch):
    monkeypatch.setitem(study_registry.STUDIES, "counting", "tests.counting:Counting")
    failing = replace(ASKED, spec={**counting.spec(raises_at=1), "game": "toy"})
    with pytest.raises(SpecError, match="piece 1 failed"):
        headless.carry_out(failing, 1, say)


def test_the_command_lists_carries_out_and_stores(capsys):
    assert main(["strength"]) == 0
    assert [(row["id"], row["stored"]) for row in json.loads(capsys.readouterr().out)] == [
        ("toy-played", ""),
        ("toy-asked", ""),
    ]
    assert main(["strength", "toy-asked", "--store"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["report"]["positions"] == printed["units"] == 4
    assert main(["strength"]) == 0
    assert json.loads(capsys.readouterr().out)[1]["is_fitting"]
    assert main(["strength", "no-such"]) == 2
    assert "no measurement 'no-such'" in capsys.readouterr().err
