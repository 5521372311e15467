"""How far deals spread, as far as the database knows: from experiments of the same line-ups, trial deals among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection

from webapp.lab.results.cache import per_version
from webapp.people.accounts.models import User
from webapp.records import looks
from webapp.records.models import Experiment
from worker import spec as specs
from worker.planning import openings, trial
from worker.planning.design import EARLIER, LEAST_DEALS, TRIAL, Spread
from worker.spec import ExperimentSpec, SpecError, seatings, to_json

LOOKED_AT = 200
"""Latest experiments of a person that are asked for their line-ups."""
MOST_MATCHES = 20_000
"""Matches of an experiment that is read for its spread, at most: more are not needed, and slow."""


class Known(NamedTuple):
    """A spread, and the experiment that it is from; None: of nobody's."""

    spread: Spread
    experiment: Experiment | None = None


def known(spec: ExperimentSpec, owner: User, measure: str, trial_id: int | None = None) -> Known | None:
    """The best that is known of a spec's spread; None where nothing is.

    trial_id: the experiment whose deals count as trial deals; others are earlier experiments of the owner.
    """
    found: Known | None = None
    for experiment, arms in _alike(spec, owner):
        source = TRIAL if experiment.pk == trial_id else EARLIER
        spread = _spread(experiment, arms, measure, source)
        if spread is not None and (found is None or spread.deals > found.spread.deals):
            found = Known(spread, experiment)
    if found is not None:
        return found
    stored = openings.known_spread(spec, measure)
    return Known(stored) if stored else None


def _alike(spec: ExperimentSpec, owner: User) -> list[tuple[Experiment, tuple[int, ...]]]:
    """Experiments that have all line-ups of a spec, by the same rules, and the places of these among their arms."""
    if spec.has_agents:
        return []
    wanted = to_json(spec)
    rows = Experiment.objects.filter(
        owner=owner,
        kind=Experiment.Kind.EXPERIMENT,
        game=spec.game,
        secret_seed=None,
        num_matches__lte=MOST_MATCHES,
        spec__seats=spec.seats,
        spec__rotation=spec.rotation,
        spec__options=wanted["options"],
    )
    found = []
    for experiment in rows.order_by("-created_at")[:LOOKED_AT]:
        arms = _places(wanted["arms"], experiment.spec["arms"])
        if arms is not None:
            found.append((experiment, arms))
    return found


def _places(wanted: Sequence[dict[str, object]], known: Sequence[dict[str, object]]) -> tuple[int, ...] | None:
    """The arm of each wanted line-up; None where one is missing, or another place of the line-up is compared."""
    line_ups = [arm["seats"] for arm in known]
    asked = [arm["seats"] for arm in wanted]
    places: list[int] = []
    for line_up in asked:  # equal ones play matches of their own, so each has an arm of its own
        free = [place for place, one in enumerate(line_ups) if one == line_up and place not in places]
        if not free:
            return None
        places.append(free[0])
    if seatings.focus(asked) != seatings.focus(line_ups):  # type: ignore[arg-type]
        return None
    return tuple(places)


@per_version
def _spread(experiment: Experiment, arms: tuple[int, ...], measure: str, source: str) -> Spread | None:
    """The spread of some arms of an experiment; None of too few deals, and of a spec that is not read any more."""
    try:
        spec = trial.looked_at(specs.from_json(experiment.spec), measure)
    except SpecError:
        return None
    connection.ensure_connection()
    values = trial.known_values(looks.read(connection.connection, experiment.pk, spec))
    return trial.spread(spec, values[list(arms)], measure, source) if values.shape[1] >= LEAST_DEALS else None
