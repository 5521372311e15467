"""Runs that a button fills in: one line-up a line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engines import registry as engine_registry
from games.protocol import Game

Run = dict[str, Any]


@dataclass(frozen=True)
class Preset:
    """A button; runs without options take the engine's defaults."""

    id: str
    label: str
    runs: tuple[Run, ...]


def _star(algorithm: str) -> Run:
    return {"engine": "expectimax", "options": {"algorithm": algorithm}, "budget": {"depth": 2}}


PRESETS = (
    Preset(
        "star",
        "Expectimax, Star1, Star2, Star2.5 side by side",
        tuple(_star(algorithm) for algorithm in ("expectimax", "star1", "star2", "star2.5")),
    ),
    Preset(
        "uct",
        "UCT with 1\u202f000 and 10\u202f000 simulations",
        tuple({"engine": "uct", "options": {}, "budget": {"simulations": n}} for n in (1_000, 10_000)),
    ),
    Preset(
        "flat",
        "Flat Monte Carlo",
        ({"engine": "flat_mc", "options": {}, "budget": {"playouts_per_action": 100}},),
    ),
)


def fitting_presets(game: Game) -> tuple[Preset, ...]:
    """The presets whose engines play this game, as they begin with it."""
    known = engine_registry.suitable(game)
    fit = (preset for preset in PRESETS if all(run["engine"] in known for run in preset.runs))
    return tuple(replace(preset, runs=tuple(_begun(run, game) for run in preset.runs)) for preset in fit)


def _begun(run: Run, game: Game) -> Run:
    return {**run, "options": engine_registry.defaults(run["engine"], game) | run["options"]}
