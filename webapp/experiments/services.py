"""Writing: make an experiment, steer it, put it away. Callers have checked whose it is."""

from __future__ import annotations

import hashlib
import json
import uuid
from typing import Any

from django.db import transaction
from django.utils import timezone

from webapp.accounts.models import User
from webapp.records import work
from webapp.records.models import (
    Arm,
    EngineConfiguration,
    Experiment,
    LineupEntry,
    Match,
    Ply,
    Seat,
    Summary,
)
from worker import estimate, schedule
from worker import spec as specs

Status = Experiment.Status


MAX_CHUNKS = 200_000
"""More pieces of work than this would keep workers busy for days; nobody waits for that."""


class RefusedError(Exception):
    """What was asked for cannot be done now; the message says why, for the person."""


def create(
    owner: User,
    title: str,
    spec: dict[str, Any],
    kind: str = Experiment.Kind.EXPERIMENT,
    submission: uuid.UUID | None = None,
) -> Experiment:
    """Make a running experiment from a spec and wake the workers.

    The same `submission` of the same owner twice gives the experiment of the first time.
    Raises SpecError naming the place.
    """
    checked = specs.from_json(spec)
    pieces = schedule.chunks(checked, estimate.estimate(checked).seconds_per_match)
    if len(pieces) > MAX_CHUNKS:
        raise specs.SpecError("deals", "would take weeks at this budget; take fewer deals or a smaller budget")
    with transaction.atomic():
        values = {
            "kind": kind,
            "title": title[:200],
            "game": checked.game,
            "spec": specs.to_json(checked),
            "num_matches": checked.num_matches,
            "priority": checked.priority,
        }
        if submission is None:
            experiment = Experiment.objects.create(owner=owner, **values)
        else:
            experiment, is_new = Experiment.objects.get_or_create(owner=owner, submission=submission, defaults=values)
            if not is_new:
                return experiment
        _add_arms(experiment, checked)
        work.open_chunks(experiment, pieces)
        work.wake()
    return experiment


def _add_arms(experiment: Experiment, spec: specs.ExperimentSpec) -> None:
    arms = Arm.objects.bulk_create(
        Arm(experiment=experiment, index=index, name=arm.name) for index, arm in enumerate(spec.arms)
    )
    places = [(arms[i], place, seat) for i, arm in enumerate(spec.arms) for place, seat in enumerate(arm.seats)]
    known = _configurations({configuration_key(seat): seat for _, _, seat in places})
    LineupEntry.objects.bulk_create(
        LineupEntry(arm=arm, lineup_index=place, configuration_id=known[configuration_key(seat)])
        for arm, place, seat in places
    )


def configuration_key(seat: specs.SeatSpec) -> str:
    """SHA-256 of the configuration's canonical JSON."""
    values = {"engine": seat.engine, "options": dict(seat.options), "budget": seat.budget.to_json()}
    return hashlib.sha256(json.dumps(values, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _configurations(wanted: dict[str, specs.SeatSpec]) -> dict[str, int]:
    """Ids of configurations by key, made where they are new."""
    EngineConfiguration.objects.bulk_create(
        (
            EngineConfiguration(key=key, engine=seat.engine, options=dict(seat.options), budget=seat.budget.to_json())
            for key, seat in sorted(wanted.items())
        ),
        ignore_conflicts=True,
    )
    return dict(EngineConfiguration.objects.filter(key__in=wanted).values_list("key", "id"))


def _move(experiment: Experiment, allowed: tuple[str, ...], to: str, **values: Any) -> bool:
    """Change the status if it is one of `allowed` in the database; say whether it was."""
    rows = Experiment.objects.filter(pk=experiment.pk, status__in=allowed).update(status=to, **values)
    experiment.refresh_from_db()
    return bool(rows)


def pause(experiment: Experiment) -> bool:
    """Hold after the matches being played. False when it was not running."""
    return _move(experiment, (Status.RUNNING,), Status.PAUSED)


def resume(experiment: Experiment) -> bool:
    """Go on where it was held or stopped. False when it was neither."""
    with transaction.atomic():
        moved = _move(experiment, (Status.PAUSED, Status.STOPPED), Status.RUNNING, finished_at=None)
        if moved:
            work.wake()
    return moved


def stop(experiment: Experiment) -> bool:
    """End it with what has been played. False when it was over already."""
    return _move(experiment, (Status.RUNNING, Status.PAUSED), Status.STOPPED, finished_at=timezone.now())


def archive(experiment: Experiment) -> None:
    """Put it out of sight; nothing is lost. Raises RefusedError while it runs."""
    if experiment.status in (Status.RUNNING, Status.PAUSED):
        raise RefusedError("Stop the experiment first: only one that is over can be archived.")
    Experiment.objects.filter(pk=experiment.pk).update(archived_at=timezone.now())
    experiment.refresh_from_db()


def unarchive(experiment: Experiment) -> None:
    """Bring it back."""
    Experiment.objects.filter(pk=experiment.pk).update(archived_at=None)
    experiment.refresh_from_db()


def delete(experiment: Experiment) -> None:
    """Remove it with all its matches, for good. Raises RefusedError for what was ever shared, or runs."""
    with transaction.atomic():
        row = Experiment.objects.select_for_update().get(pk=experiment.pk)
        if row.was_shared:
            raise RefusedError("This was shared once, so it stays: others may cite it. You can archive it.")
        if row.status in (Status.RUNNING, Status.PAUSED):
            raise RefusedError("Stop the experiment first, then delete it.")
        _erase(row)


def _erase(experiment: Experiment) -> None:
    """Delete leaves first, a statement a table, so that no row travels through Python."""
    matches = Match.objects.filter(experiment=experiment).values("id")
    Ply.objects.filter(match_id__in=matches).delete()
    Seat.objects.filter(experiment=experiment).delete()
    Summary.objects.filter(experiment=experiment).delete()
    experiment.delete()
