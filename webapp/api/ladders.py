"""What is done with ladders alone, over HTTP: an engine enters, more deals are played."""

from __future__ import annotations

from typing import Any

from ninja import Router

from webapp.api import job_answers, job_schemas
from webapp.api.auth import MAY_EXPERIMENT, PersonRequest
from webapp.api.errors import problem_responses
from webapp.api.examples import ENTRY, body
from webapp.api.jobs import Key, Number
from webapp.lab.jobs import registry
from webapp.lab.ladders import services
from webapp.lab.quotas.services import OverQuotaError
from webapp.people.agents import kept_answers
from webapp.records.models import Experiment
from worker.spec import SpecError
from worker.spec import from_json as spec_from_json
from worker.spec.ladder import PATH, entry_from_json

router = Router(tags=["Ladders"])


@router.post(
    "/ladders/{number}/entries",
    auth=MAY_EXPERIMENT,
    response={200: job_schemas.JobOut, **problem_responses(401, 403, 404, 409, 422)},
    summary="Let an engine enter a ladder",
    openapi_extra=body(one_engine={"entry": ENTRY}),
)
def enter(request: PersonRequest, number: Number, data: job_schemas.EntryIn, key: Key = "") -> Any:
    """Rate one more engine: it plays what the others have played. A ladder that was over goes on."""
    kind, owner = registry.get("ladder"), request.auth.owner
    ladder: Experiment = job_answers.find(kind, owner, number)
    asked = {"enter": number, **data.model_dump()}
    kept_answers.once(owner, key, asked, lambda: _enter(ladder, data.entry))
    return job_answers.one(kind, owner, number)


def _enter(ladder: Experiment, data: dict[str, Any]) -> None:
    found = spec_from_json(ladder.spec).ladder
    assert found is not None
    try:
        services.add_entry(ladder, entry_from_json(data, PATH, ladder.game, found.sides))
    except OverQuotaError:
        raise
    except SpecError as error:
        below = error.path[len(PATH) :] if error.path[: len(PATH)] == PATH else error.path
        rest = below[1:] if below and isinstance(below[0], int) else below
        raise SpecError(("entry", *rest), error.message) from None


@router.post(
    "/ladders/{number}/more",
    auth=MAY_EXPERIMENT,
    response={200: job_schemas.JobOut, **problem_responses(401, 403, 404, 409, 422)},
    summary="Play more deals of a ladder",
    openapi_extra=body(to_40_deals={"deals": 40}),
)
def more(request: PersonRequest, number: Number, data: job_schemas.MoreIn) -> Any:
    """Play up to so many deals. It is always more than before, so the same sent again is refused and does no harm."""
    kind, owner = registry.get("ladder"), request.auth.owner
    services.play_more(job_answers.find(kind, owner, number), data.deals)
    return job_answers.one(kind, owner, number)
