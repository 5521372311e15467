"""Specs and experiments for tests of pages."""

from __future__ import annotations

import copy
from typing import Any

from webapp.lab.experiments import services
from worker.spec import from_json

RANDOM = {"engine": "random", "options": {}, "budget": {}}
SCRIPTED = {"engine": "scripted", "options": {}, "budget": {}}
SPEC: dict[str, Any] = {
    "version": 1,
    "game": "carcassonne",
    "options": {},
    "seats": 2,
    "arms": [{"name": "One", "seats": [SCRIPTED, RANDOM]}],
    "deals": 3,
    "rotation": "all",
    "seed": 7,
    "stop": {"rule": "fixed"},
    "record": "matches",
}


def spec(**changes: Any) -> dict[str, Any]:
    """A small valid spec."""
    return {**copy.deepcopy(SPEC), **changes}


def make(owner: Any, title: str = "Scripted against random", kind: str = "experiment", **changes: Any) -> Any:
    """A running experiment with nothing played."""
    return services.create(owner, title, from_json(spec(**changes)), kind=kind)
