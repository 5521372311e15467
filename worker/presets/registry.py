"""The papers whose figures are rebuilt: one line each, imported on first use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from worker.presets.model import Preset

PAPERS = {
    "heyden-2009": "worker.presets.heyden:presets",
    "gedda-2018": "worker.presets.gedda_figures:presets",
    "wong-kang": "worker.presets.wong_kang:presets",
    "jansen-2014": "worker.presets.jansen_thesis:presets",
    "dominai": "worker.presets.dominai:presets",
}


@cache
def presets() -> Mapping[str, Preset]:
    """All presets by id, paper by paper, in the order pages list them."""
    found: dict[str, Preset] = {}
    for place in PAPERS.values():
        module, name = place.split(":")
        for preset in getattr(import_module(module), name)():
            assert preset.id not in found, preset.id
            found[preset.id] = preset
    return found


def get(preset_id: str) -> Preset:
    """Return the preset. Raises KeyError for an unknown id."""
    return presets()[preset_id]
