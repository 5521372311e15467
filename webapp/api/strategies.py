"""Strategies over HTTP: kept, changed, tried out."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from django.urls import reverse
from ninja import Path, Router
from ninja.responses import Status

from games.strategies import StrategyError
from webapp.api import job_answers, limits, strategy_schemas
from webapp.api.auth import MAY_EXPERIMENT, MAY_READ_RESEARCH, PersonRequest
from webapp.api.errors import problem_responses
from webapp.api.examples import strategy_body
from webapp.api.jobs import Key
from webapp.api.problems import ProblemError
from webapp.common.limits import TooManyError
from webapp.common.permissions import get_owned
from webapp.people.accounts.models import User
from webapp.people.agents import kept_answers
from webapp.table.strategies import selectors, services, trials
from webapp.table.strategies.models import Strategy
from webapp.table.strategies.trials import GAME, TrialForm
from worker.spec import SpecError

router = Router(tags=["Strategies"])

StrategyNumber = Annotated[int, Path(ge=1, lt=2**63, description="The number in the address of its page")]
NOT_READY_S = 10


def _find(owner: User, number: int) -> Strategy:
    return get_owned(Strategy.objects.all(), owner, pk=number)


def _checked(data: dict[str, Any]) -> dict[str, Any]:
    """The strategy, complete. Raises SpecError with the place in the body."""
    try:
        found: dict[str, Any] = GAME.strategies.check(data)
        return found
    except StrategyError as error:
        raise SpecError(("strategy", *error.path), error.message) from None


def _row(strategy: Strategy) -> dict[str, Any]:
    return {
        "number": strategy.pk,
        "game": strategy.game,
        "name": strategy.name,
        "created_at": strategy.created_at,
        "changed_at": strategy.changed_at,
    }


def _whole(strategy: Strategy) -> dict[str, Any]:
    page = reverse("strategies:detail", args=[strategy.pk])
    return _row(strategy) | {"strategy": strategy.data, "page": page}


@router.get(
    "/strategies",
    auth=MAY_READ_RESEARCH,
    response={200: strategy_schemas.Strategies, **problem_responses(401, 403)},
    summary="List strategies",
)
def list_strategies(request: PersonRequest) -> Any:
    """Your own by name. A seat of a spec holds a copy: {"engine": "strategy", "options": {"strategy": …}}."""
    return {"strategies": [_row(strategy) for strategy in selectors.mine(request.auth.owner)]}


@router.post(
    "/strategies",
    auth=MAY_EXPERIMENT,
    response={201: strategy_schemas.StrategyOut, **problem_responses(401, 403, 409, 422)},
    summary="Keep a strategy",
    openapi_extra=strategy_body(),
)
def keep_strategy(request: PersonRequest, data: strategy_schemas.StrategyIn, key: Key = "") -> Any:
    """Check a strategy and keep it; 422 names the place of what is wrong, such as body.strategy.buy[2].card."""
    owner, checked = request.auth.owner, _checked(data.strategy)
    asked = {"strategy": data.strategy}
    number = kept_answers.once(owner, key, asked, lambda: services.create(owner, checked).pk)
    return Status(201, _whole(job_answers.started(lambda: _find(owner, number))))


@router.post(
    "/strategies/try",
    auth=MAY_READ_RESEARCH,
    response={200: strategy_schemas.TrialOut, **problem_responses(401, 403, 422)},
    summary="Try a strategy out",
    openapi_extra=strategy_body(against="example:double_witch", kingdom="thesis", matches=200),
)
def try_strategy(request: PersonRequest, data: strategy_schemas.TrialIn) -> Any:
    """Play 200 or 2,000 matches in a moment. Nothing is kept of them. 503 while the game is still compiled."""
    token = request.auth
    checked, form = _checked(data.strategy), _trial_form(data, token.owner)
    try:
        found = trials.attempt(token.who, checked, form)
    except trials.NotReadyError as error:
        extra, headers = {"retry_after_s": NOT_READY_S}, {"Retry-After": str(NOT_READY_S)}
        raise ProblemError("busy", str(error), extra, headers) from None
    except TooManyError as error:
        raise limits.too_many(str(error), error.wait_s) from None
    total = found.trial.total
    return asdict(found.trial) | {
        "name": found.name,
        "against": found.against,
        "matches": total.matches,
        "win_rate": total.wins / total.matches,
        "interval": found.ends,
        "warnings": found.warnings,
        "idle": found.idle,
    }


def _trial_form(data: strategy_schemas.TrialIn, owner: User) -> TrialForm:
    """The form of the page with these values. Raises ProblemError with the places in the body."""
    posted = {
        "trial-against": data.against,
        "trial-kingdom": data.kingdom,
        "trial-cards": ", ".join(data.cards),
        "trial-matches": str(data.matches),
    }
    form = TrialForm(posted, selectors.own_strategies(owner), has_account=True)
    if form.is_valid():
        return form
    errors = [{"place": f"body.{name}", "message": str(rows[0])} for name, rows in form.errors.items()]
    detail = "; ".join(f"{row['place']}: {row['message']}" for row in errors)
    raise ProblemError("invalid", detail, {"errors": errors})


@router.get(
    "/strategies/{number}",
    auth=MAY_READ_RESEARCH,
    response={200: strategy_schemas.StrategyOut, **problem_responses(401, 403, 404, 422)},
    summary="See a strategy",
)
def see_strategy(request: PersonRequest, number: StrategyNumber) -> Any:
    """Its rules, as the JSON file of the editor has them."""
    return _whole(_find(request.auth.owner, number))


@router.put(
    "/strategies/{number}",
    auth=MAY_EXPERIMENT,
    response={200: strategy_schemas.StrategyOut, **problem_responses(401, 403, 404, 422)},
    summary="Change a strategy",
    openapi_extra=strategy_body(),
)
def change_strategy(request: PersonRequest, number: StrategyNumber, data: strategy_schemas.StrategyIn) -> Any:
    """Give it other rules. Experiments that hold copies of the old ones keep them."""
    strategy = _find(request.auth.owner, number)
    services.change(strategy, _checked(data.strategy))
    return _whole(strategy)


@router.delete(
    "/strategies/{number}",
    auth=MAY_EXPERIMENT,
    response={204: None, **problem_responses(401, 403, 404, 422)},
    summary="Delete a strategy",
)
def delete_strategy(request: PersonRequest, number: StrategyNumber) -> Any:
    """Delete it; matches that it played keep their copies."""
    services.delete(_find(request.auth.owner, number))
    return Status(204, None)
