"""Starts the analysis of a position. Callers have checked who may see the match."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import transaction

from webapp.common.formats import about, duration
from webapp.lab.studies import services as studies
from webapp.matches.positions.analysis import run_names
from webapp.matches.positions.situation import Situation
from webapp.people.accounts.models import User
from webapp.records.models import Study
from worker.spec import SpecError
from worker.studies import position
from worker.studies import spec as study_specs
from worker.studies.protocol import StudySpec

MAX_RUN_S = 60.0
"""Longest run while somebody waits for it; estimates are right within a factor of three."""


MAX_AT_WORK = 3
"""Analyses of one person that may be at work at once: all people share the workers that answer them."""


class NotAnalysableError(ValueError):
    """Engines cannot think about this position, or not now; the message says why."""


def start(
    owner: User, here: Situation, runs: list[dict[str, Any]], seed: int, submission: uuid.UUID | None = None
) -> Study:
    """Make the study and wake a worker for it; the same shown form twice gives one study.

    Raises NotAnalysableError, or SpecError with the place below ``parameters``.
    """
    if here.refusal:
        raise NotAnalysableError(here.refusal)
    assert here.game is not None
    spec = study_specs.from_json(
        {
            "version": study_specs.VERSION,
            "study": position.Position.id,
            "game": here.game.id,
            "parameters": here.parameters | {"runs": runs},
            "seed": seed,
        }
    )
    _check_time(spec)
    title = f"Move {here.ply} of match {here.match.pk}: {', '.join(run_names(spec.parameters['runs']))}"
    with transaction.atomic():
        study = studies.create(
            owner,
            title,
            spec,
            submission,
            queue=Study.Queue.ANALYSIS,
            match=here.match,
            ply=here.ply,
        )
        at_work = Study.objects.filter(owner=owner, kind=study.kind, status=Study.Status.RUNNING).count()
        if at_work > MAX_AT_WORK:  # counted with the new one, so that a form sent twice is not refused
            raise NotAnalysableError(
                f"{MAX_AT_WORK} of your analyses are still at work. Wait for one to end, or stop it on its page."
            )
    return study


def _check_time(spec: StudySpec) -> None:
    """Raises SpecError for the first engine that would take too long here."""
    for index, seconds in enumerate(position.run_seconds(spec)):
        if seconds > MAX_RUN_S:
            text = (
                f"would take {about(seconds)} in this position; "
                f"one engine may take {duration(MAX_RUN_S)} here. Nothing has started."
            )
            raise SpecError(("parameters", "runs", index, "budget"), text)
