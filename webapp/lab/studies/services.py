"""Writing: make a study, steer it, put it away. Callers have checked whose it is."""

from __future__ import annotations

import json
import uuid
from functools import partial
from typing import Any

from django.db import transaction

from games import registry as game_registry
from webapp.common import steering
from webapp.common.formats import about
from webapp.common.steering import RefusedError, archive, check_deletable, pause, stop, unarchive
from webapp.people.accounts.models import User
from webapp.records import work
from webapp.records.models import Match, ShareLink, Study, StudyPiece
from worker.spec import SpecError
from worker.studies import registry
from worker.studies import spec as specs
from worker.studies.protocol import StudySpec

__all__ = ["RefusedError", "archive", "create", "delete", "pause", "resume", "stop", "unarchive"]

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
    Raises SpecError where it would never end.
    """
    values = {**_values(spec, title), "owner": owner, "queue": queue, "match": match, "ply": ply}
    with transaction.atomic():
        study, is_new = _made({**values, "asked_by": asked_by}, submission)
        if is_new:
            work.open_pieces(study)
            work.wake(queue)
    return study


def _values(spec: StudySpec, title: str) -> dict[str, Any]:
    """Fields of a study that its spec says. Raises SpecError where it would never end."""
    kind = registry.get(spec.study)
    if (seconds := kind.seconds(spec)) > MAX_CPU_S:
        raise SpecError(("parameters",), f"would take {about(seconds)} of computing; ask for less")
    return {
        "kind": kind.id,
        "version": kind.version,
        "title": title.strip()[:200] or f"{kind.label}, {game_registry.get(spec.game).label}",
        "game": spec.game,
        "spec": specs.to_json(spec),
        "num_pieces": kind.num_pieces(spec),
    }


def _made(values: dict[str, Any], submission: uuid.UUID | None) -> tuple[Study, bool]:
    """The study, and whether it is new: that of the first time where the same form comes again."""
    if submission is None:
        return Study.objects.create(**values), True
    place = [values["match"].pk if values["match"] else None, values["ply"]]
    content = json.dumps([values["owner"].pk, values["queue"], values["title"], values["spec"], place], sort_keys=True)
    study, is_new = Study.objects.get_or_create(submission=uuid.uuid5(submission, content), defaults=values)
    return study, is_new


def resume(study: Study) -> bool:
    """Go on where it was held or stopped, out of the archive too. False when it was neither."""
    return steering.resume(study, partial(work.wake, study.queue), notice="")


def delete(study: Study) -> None:
    """Remove it with all its rows, for good. Raises RefusedError for what was ever shared, or runs.

    A worker at one of its pieces finds its claim lost.
    """
    with transaction.atomic():
        row = Study.objects.select_for_update().get(pk=study.pk)  # locked before anything below it
        check_deletable(row)
        ShareLink.objects.filter(study=row).delete()
        StudyPiece.objects.filter(study=row).delete()
        row.delete()
