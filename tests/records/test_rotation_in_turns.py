"""The migration that marks experiments whose equal seatings were played again and again."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

from tests.records.experiments import make_experiment, spec
from webapp.records.models import Experiment
from worker import spec as specs

pytestmark = pytest.mark.django_db
migration = import_module("webapp.records.migrations.0008_rotation_in_turns")

RANDOM, OTHER = ({"engine": engine, "options": {}, "budget": {}} for engine in ("random", "scripted"))
FLAT, DEEPER = ({"engine": "flat_mc", "options": {}, "budget": {"playouts": n}} for n in (10, 20))
REPEATING = {
    "an engine against itself": [[RANDOM, RANDOM]],
    "two equal partners": [[RANDOM, OTHER, RANDOM, OTHER]],
    "three of a kind": [[RANDOM, RANDOM, RANDOM]],
    "one arm of two": [[RANDOM, OTHER], [FLAT, FLAT]],
}
DISTINCT = {
    "two engines": [[RANDOM, OTHER]],
    "two budgets": [[FLAT, DEEPER]],
    "equal neighbours": [[RANDOM, RANDOM, OTHER]],
    "partners that differ": [[RANDOM, OTHER, FLAT, OTHER]],
    "neighbours in two pairs": [[RANDOM, RANDOM, OTHER, OTHER]],
    "one alone": [[RANDOM]],
}


def _made(lineups: list[list[dict[str, Any]]], **changes: Any) -> Experiment:
    """An experiment as it was kept before: every entry in every seat, whatever the others are."""
    arms = [{"name": f"Arm {i}", "seats": row} for i, row in enumerate(lineups)]
    seats = len(lineups[0])
    chosen = spec(arms=arms, seats=seats, rotation="all", deals=2) | changes
    return make_experiment(spec=chosen, num_matches=2 * len(lineups) * seats)


def _rotations(made: dict[str, Experiment]) -> dict[str, str]:
    kept = dict(Experiment.objects.values_list("pk", "spec"))
    return {name: kept[experiment.pk]["rotation"] for name, experiment in made.items()}


def test_exactly_what_repeats_is_marked_and_keeps_all_else() -> None:
    repeating = {name: _made(lineups) for name, lineups in REPEATING.items()}
    distinct = {name: _made(lineups) for name, lineups in DISTINCT.items()}
    fixed = {name: _made(lineups, rotation="none") for name, lineups in REPEATING.items()}
    migration.mark(apps, None)
    assert _rotations(repeating) == dict.fromkeys(repeating, "turns")
    assert _rotations(distinct) == dict.fromkeys(distinct, "all")
    assert _rotations(fixed) == dict.fromkeys(fixed, "none")
    for before in repeating.values():
        after = Experiment.objects.get(pk=before.pk)
        assert after.spec == before.spec | {"rotation": "turns"}
        assert after.num_matches == before.num_matches


def test_marked_experiments_have_the_matches_that_they_were_cut_into() -> None:
    made = _made(REPEATING["an engine against itself"])
    migration.mark(apps, None)
    after = Experiment.objects.get(pk=made.pk)
    assert specs.from_json(after.spec).num_matches == after.num_matches == 4


def test_the_way_back_leaves_what_was_there() -> None:
    made = {name: _made(lineups) for name, lineups in (REPEATING | DISTINCT).items()}
    fixed = _made(REPEATING["two equal partners"], rotation="none")
    for _ in range(2):
        migration.mark(apps, None)
    migration.unmark(apps, None)
    assert _rotations(made) == dict.fromkeys(made, "all")
    assert Experiment.objects.get(pk=fixed.pk).spec["rotation"] == "none"


def test_more_experiments_than_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migration, "BATCH", 2)
    made = {str(i): _made(REPEATING["an engine against itself"]) for i in range(5)}
    migration.mark(apps, None)
    assert _rotations(made) == dict.fromkeys(made, "turns")
