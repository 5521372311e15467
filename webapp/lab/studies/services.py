"""Writing: make a study. Callers have checked permissions."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import transaction

from games import registry as game_registry
from webapp.common.formats import about
from webapp.lab.quotas import services as quotas
from webapp.lab.quotas.selectors import Ask
from webapp.people.accounts.models import User
from webapp.records import work_source
from webapp.records.models import Match, Study
from worker.spec import SpecError
from worker.studies import registry
from worker.studies import spec as specs
from worker.studies.protocol import StudySpec

MAX_CPU_S = 60 * 86_400
"""Estimates are right within a factor of three; nobody waits for months."""


def create(
    owner: User,
    title: str,
    spec: StudySpec,
    submission: uuid.UUID | None = None,
    queue: str = Study.Queue.BATCH,
    match: Match | None = None,
    ply: int | None = None,
    asked_by: User | None = None,
) -> Study:
    """Make a running study from a spec and wake the workers.

    title: empty takes the names of kind and game.
    submission: number of the shown form. The same form sent twice by the same owner gives the
    study of the first time; a form that was changed in between makes another.
    match, ply: where the study is of a stored match, or of one position of it. asked_by: whose wish
    it is, where that is not the owner's.
    Raises SpecError where it would never end, or is over a quota.
    """
    check(spec)
    values = {**_values(spec, title), "owner": owner, "queue": queue, "match": match, "ply": ply}
    with transaction.atomic():
        content = [owner.pk, queue, values["title"], values["spec"], [match.pk if match else None, ply]]
        study, is_new = Study.make_once(submission, content, {**values, "asked_by": asked_by})
        if is_new:
            if queue == Study.Queue.BATCH:  # analyses have a bound of their own
                quotas.check(owner, Ask(cpu_s=registry.get(spec.study).seconds(spec)), study)
            work_source.open_pieces(study)
            work_source.wake(queue)
    return study


def check(spec: StudySpec) -> None:
    """Raises SpecError where it would never end."""
    if (seconds := registry.get(spec.study).seconds(spec)) > MAX_CPU_S:
        raise SpecError(("parameters",), f"would take {about(seconds)} of computing; ask for less")


def _values(spec: StudySpec, title: str) -> dict[str, Any]:
    """Fields of a study that its spec says."""
    kind = registry.get(spec.study)
    return {
        "kind": kind.id,
        "version": kind.version,
        "title": title.strip()[:200] or f"{kind.label}, {game_registry.get(spec.game).label}",
        "game": spec.game,
        "spec": specs.to_json(spec),
        "num_pieces": kind.num_pieces(spec),
    }
