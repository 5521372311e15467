"""Presets over HTTP: published tables and figures, runs of them, and these beside what was printed."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Path, Query, Router
from ninja.responses import Status

from webapp.api import job_answers, job_schemas, preset_schemas
from webapp.api.auth import MAY_EXPERIMENT, MAY_READ_RESEARCH, PersonRequest
from webapp.api.errors import problem_responses
from webapp.api.examples import body
from webapp.api.game_field import GameField
from webapp.api.jobs import DryRun, Key
from webapp.api.problems import ProblemError
from webapp.lab.jobs import power
from webapp.lab.jobs import registry as jobs
from webapp.lab.jobs.power import Power
from webapp.lab.presets import selectors, services
from webapp.lab.presets.models import PresetRun
from webapp.lab.presets.selectors import RunRow
from webapp.lab.results.numbers import plain
from webapp.people.accounts.models import User
from webapp.people.agents import kept_answers
from worker.presets import registry
from worker.presets.model import Preset
from worker.spec import SpecError

router = Router(tags=["Presets"])

PresetId = Annotated[str, Path(max_length=80, description="As GET /presets lists it")]


def _preset(preset_id: str) -> Preset:
    if preset_id not in registry.presets():
        raise Http404(f"no preset {preset_id}")
    return registry.get(preset_id)


def _row(preset: Preset, workers: Power) -> dict[str, Any]:
    return {
        "id": preset.id,
        "title": preset.title,
        "paper": preset.paper.short,
        "where": preset.where,
        "game": preset.game,
        "scales": [
            {
                "id": scale_id,
                "words": scale.words,
                "kind": scale.job,
                "seconds": selectors.seconds(preset.id, scale_id, workers),
            }
            for scale_id, scale in preset.scales.items()
        ],
    }


@router.get(
    "/presets", response={200: preset_schemas.Presets, **problem_responses(422)}, summary="Published tables and figures"
)
def list_presets(
    request: HttpRequest, game: Annotated[GameField, Query("", description="Of this game alone")] = ""
) -> Any:
    """Every table and figure of the papers that can be run again, paper by paper, with its scales."""
    workers = power.now()
    return {"presets": [_row(found, workers) for found in registry.presets().values() if game in ("", found.game)]}


@router.get(
    "/presets/{preset_id}",
    response={200: preset_schemas.PresetOut, **problem_responses(404, 422)},
    summary="A published table or figure",
)
def see_preset(request: HttpRequest, preset_id: PresetId) -> Any:
    """What it asks, how the paper found its figures, what differs here, and the spec of each scale."""
    found = _preset(preset_id)
    specs = {scale_id: dict(scale.spec) for scale_id, scale in found.scales.items()}
    return _row(found, power.now()) | {
        "question": found.question,
        "method": found.method,
        "notes": list(found.notes),
        "specs": specs,
    }


@router.get(
    "/presets/{preset_id}/runs",
    auth=MAY_READ_RESEARCH,
    response={200: preset_schemas.Runs, **problem_responses(401, 403, 404, 422)},
    summary="Runs of a preset",
)
def list_runs(request: PersonRequest, preset_id: PresetId) -> Any:
    """Your own runs, latest first, then shared ones of others."""
    return {"runs": [_run(row) for row in selectors.history(_preset(preset_id), request.auth.owner).rows]}


def _run(row: RunRow) -> dict[str, Any]:
    job = row.run.job
    return {
        "run": row.run.pk,
        "scale": row.run.scale,
        "kind": job.word,
        "number": job.pk if row.is_own else None,
        "status": row.state,
        "created_at": row.created_at,
        "is_own": row.is_own,
        "page": row.url if row.is_own else row.shared_url,
        "repeats": row.repeats,
    }


@router.post(
    "/presets/{preset_id}/runs",
    auth=MAY_EXPERIMENT,
    response={
        200: job_schemas.PlanOut,
        201: preset_schemas.Started,
        **problem_responses(401, 403, 404, 409, 422),
    },
    summary="Run a preset, or only say what it would take",
    openapi_extra=body(quick={"scale": "quick"}),
)
def start_run(
    request: PersonRequest, preset_id: PresetId, data: preset_schemas.RunIn, dry_run: DryRun = False, key: Key = ""
) -> Any:
    """Start a scale. While a run of yours of that scale is running it is answered, and nothing new is started."""
    preset, owner = _preset(preset_id), request.auth.owner
    if data.scale not in preset.scales:
        raise SpecError(("scale",), f"must be one of {', '.join(preset.scales)}")
    if dry_run:
        scale = preset.scales[data.scale]
        plan = jobs.get(scale.job).plan(owner, dict(scale.spec))
        return Status(200, replace(plan, confirm=""))  # a scale is chosen by its size: nothing asks again
    asked = {"run": preset_id, **data.model_dump()}
    started = kept_answers.once(owner, key, asked, lambda: _start(preset, owner, data.scale))
    kind = jobs.get(started["kind"])
    job = job_answers.started(lambda: job_answers.one(kind, owner, started["number"]))
    return Status(201, started | {"job": job})


def _start(preset: Preset, owner: User, scale: str) -> dict[str, Any]:
    run, is_new = services.start(owner, preset, scale)
    return {"run": run.pk, "is_new": is_new, "kind": run.job.word, "number": run.job.pk}


@router.get(
    "/presets/{preset_id}/runs/{run}",
    auth=MAY_READ_RESEARCH,
    response={200: dict[str, Any], **problem_responses(401, 403, 404, 409, 422)},
    summary="A run beside the published figures",
)
def compare_run(request: PersonRequest, preset_id: PresetId, run: Annotated[int, Path(ge=1, lt=2**63)]) -> Any:
    """Every figure as printed and as found here, with its verdict; pooled lines and sweeps at the planned end."""
    found: PresetRun = get_object_or_404(selectors.runs(), pk=run, preset=preset_id)
    if not selectors.is_visible(found, request.auth.owner):
        raise Http404("no such run, or not yours")
    comparison = selectors.figures(found)
    if comparison is None:
        raise ProblemError("refused", "This version of the lab does not know its preset any more.")
    return plain(comparison)
