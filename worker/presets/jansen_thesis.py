"""All presets of Jansen and Tollisen 2014, in the thesis' order."""

from __future__ import annotations

from collections.abc import Sequence

from worker.presets import jansen_alone, jansen_figures, jansen_matches, jansen_parameters
from worker.presets.model import Preset


def presets() -> Sequence[Preset]:
    """Chapters 3 and 4."""
    return (
        jansen_alone.tree(),
        *jansen_parameters.tables(),
        *jansen_figures.figures(),
        jansen_alone.most_points(),
        *jansen_matches.presets(),
        jansen_figures.times(),
    )
