"""Which intervals an experiment shows: for one look at the planned end, or for every look on the way there."""

from __future__ import annotations

from webapp.records.models import Experiment
from worker.analysis.methods import FIXED, AlwaysValid, Method
from worker.spec import stop


def always_valid(experiment: Experiment) -> AlwaysValid:
    """Intervals that hold at every look, narrowest at the planned number of deals."""
    return AlwaysValid(int(experiment.spec["deals"]))


def method(experiment: Experiment) -> Method:
    """Fixed intervals once everything that was planned has been played; until then those for every look.

    Who stops an experiment early may have stopped because of what it showed, and so does a stop rule. One that
    waits for a precision looks at the width alone, so at its end the fixed interval holds (Chow and Robbins 1965).
    """
    return FIXED if is_at_planned_end(experiment) else always_valid(experiment)


def stop_of(experiment: Experiment) -> str:
    """The stop rule's name."""
    return str(experiment.spec.get("stop", {}).get("rule", stop.FIXED))


def is_at_planned_end(experiment: Experiment) -> bool:
    """Whether it has ended where it was to end, whatever the matches showed of who is better."""
    return experiment.status == Experiment.Status.FINISHED and stop_of(experiment) in (stop.FIXED, stop.PRECISION)
