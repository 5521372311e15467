"""Analyses with their answers: studies carried out in this process."""

from __future__ import annotations

import html
import re
import time
from typing import Any

from django.utils import timezone

from webapp.matches.positions import forms, services
from webapp.matches.positions.situation import situation
from webapp.records.models import Match, Study
from worker.recorder import ANALYSIS
from worker.stop_switch import StopSwitch
from worker.studies import spec as study_specs
from worker.studies.pieces import carry_out

PLY = 12
FLAT = {"engine": "flat_mc", "options": {}, "budget": {"playouts_per_action": 5}}
RANDOM = {"engine": "random", "options": {}, "budget": {}}


def star(algorithm: str, depth: int = 1) -> dict[str, Any]:
    """A run of the Star family."""
    return {"engine": "expectimax", "options": {"algorithm": algorithm}, "budget": {"depth": depth}}


def start(owner: Any, match: Match, *runs: dict[str, Any], ply: int = PLY) -> Study:
    """A study that waits for a worker."""
    return services.start(owner, situation(match, ply), list(runs) or [FLAT], seed=1)


def answer(study: Study, pieces: int | None = None) -> Study:
    """Do the first `pieces` of a study, or all of them, without a queue."""
    spec = study_specs.from_json(study.spec)
    for piece in study.pieces.filter(status="waiting").order_by("index")[:pieces]:
        outcome = carry_out(spec, piece.index)
        piece.row, piece.failure = outcome.row, outcome.failure
        piece.status = "done" if outcome.row is not None else "failed"
        piece.save()
    if not study.pieces.filter(status="waiting").exists():
        Study.objects.filter(pk=study.pk).update(status="finished", finished_at=timezone.now())
    study.refresh_from_db()
    return study


def work_off(deadline_s: float = 60.0) -> int:
    """Be the worker of the queue `analysis` until nothing waits; return how many pieces were done."""
    from webapp.records.work_source import PostgresWorkSource

    source, done, ends_at = PostgresWorkSource(), 0, time.monotonic() + deadline_s
    try:
        while time.monotonic() < ends_at:
            with source.claim(ANALYSIS) as found:
                if found is None:
                    return done
                found.carry_out(StopSwitch())
            done += 1
    finally:
        source.close()
    raise AssertionError("the work does not end")


def address(match: Match, ply: Any = PLY, **more: Any) -> str:
    """The address of a position."""
    tail = "".join(f"&{key}={value}" for key, value in more.items())
    return f"/matches/{match.pk}/position/?ply={ply}{tail}"


def text(response: Any) -> str:
    """The words of a page."""
    assert response.status_code == 200, response
    return html.unescape(
        re.sub(r"\s+", " ", re.sub(r"<svg.*?</svg>|<[^>]+>", " ", response.content.decode(), flags=re.S))
    )


def posted(match: Match, *runs: dict[str, Any], **changes: str) -> dict[str, str]:
    """The form as a browser sends it."""
    game = situation(match, PLY).game
    return forms.complete(forms.from_runs(list(runs) or [FLAT]), game) | changes
