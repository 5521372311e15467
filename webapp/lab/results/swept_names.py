"""How the arms and axes of a sweep are called on result pages."""

from __future__ import annotations

from webapp.records.models import Experiment
from worker.spec import naming, sweep
from worker.spec.model import combinations


def engines(experiment: Experiment) -> tuple[str, ...]:
    """Engines of the line-up that is swept, by place."""
    return tuple(seat["engine"] for seat in experiment.spec["arms"][0]["seats"])


def short_names(experiment: Experiment) -> tuple[list[str], str]:
    """Per arm its values alone, or the name of one beside the sweep; and what they are values of. Else nothing."""
    axes, playing = sweep.stored_axes(experiment.spec), engines(experiment)
    if not axes:
        return [], ""
    names = [
        ", ".join(
            naming.value_words(axis, playing, axis.values[index]) for axis, index in zip(axes, indices, strict=True)
        )
        for indices in combinations(axes)
    ]
    names += [arm["name"] for arm in experiment.spec["arms"][len(names) :]]
    return names, ", ".join(map(lower_first, naming.labels(axes, playing)))


def lower_first(label: str) -> str:
    """A label inside a sentence: symbols like C keep their capital."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label
