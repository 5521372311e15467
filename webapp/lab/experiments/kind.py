"""Experiments as a kind of job."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict

from webapp.common.requests import HtmxRequest
from webapp.lab.experiments import deletion, match_list, selectors, services, titles
from webapp.lab.experiments.absence import absence
from webapp.lab.experiments.builder import json_text
from webapp.lab.experiments.cost import cost_of
from webapp.lab.experiments.progress import progress
from webapp.lab.jobs.kind import JobKind, Part, Words
from webapp.lab.jobs.plan import Plan
from webapp.lab.jobs.power import Power
from webapp.lab.jobs.progress import Progress
from webapp.lab.quotas import selectors as quotas
from webapp.lab.results import exports, responses
from webapp.lab.results.brief import brief
from webapp.lab.results.dashboard import cards, dashboard
from webapp.lab.results.numbers import numbers
from webapp.lab.results.queries import snapshot
from webapp.lab.results.table import table
from webapp.people.accounts.models import User
from webapp.records.models import Chunk, Experiment, Match
from worker import estimate
from worker.spec import ExperimentSpec, SpecError, from_json, to_json

FAILURES_PER_PAGE = 25
Kind = Experiment.Kind


def _matches(experiment: Experiment, now: Progress, _: str, query: QueryDict) -> dict[str, Any]:
    return {"matches": match_list.page(experiment, query, now.played)}


def _remember(request: HtmxRequest, response: HttpResponse, values: dict[str, Any]) -> HttpResponse:
    return match_list.remember(request, response, values["matches"])


def _settings(experiment: Experiment, *_: Any) -> dict[str, Any]:
    return {"settings": selectors.settings_of(experiment)}


def _failures(experiment: Experiment, _: Progress, __: str, query: QueryDict) -> dict[str, Any]:
    return {"page": Paginator(selectors.failures(experiment), FAILURES_PER_PAGE).get_page(query.get("page"))}


def _spec(data: Any) -> ExperimentSpec:
    """The spec of an experiment. Raises SpecError, also for that of a ladder."""
    spec = from_json(data)
    if spec.ladder is not None:
        raise SpecError(("ladder",), "is of ladders, which have an address of their own")
    return spec


def _start(owner: User, title: str, data: Any, submission: UUID | None) -> Experiment:
    spec = _spec(data)
    return services.create(owner, title.strip() or titles.of_spec(spec), spec, submission=submission)


def _start_again(owner: User, title: str, data: Any, origin: Experiment) -> Experiment:
    spec = _spec(data)
    return services.create(owner, title.strip() or titles.of_spec(spec), spec, origin=origin)


def plan_of(owner: User, spec: ExperimentSpec) -> Plan:
    """What a checked spec would take."""
    cost = cost_of(spec)
    ask = quotas.ask_of(spec)
    return Plan(
        spec=to_json(spec),
        units=cost.matches,
        cpu_s=ask.cpu_s,
        seconds=cost.seconds,
        workers=cost.workers,
        rows=cost.rows,
        bytes=cost.bytes,
        may_end_early=cost.may_end_early,
        over=quotas.refusal(owner, ask),
        confirm=cost.key if cost.is_huge else "",
    )


def _plan(owner: User, data: Any) -> Plan:
    spec = _spec(data)
    services.check(owner, spec)
    return plan_of(owner, spec)


def _seconds(data: Any, workers: Power) -> float:
    return estimate.estimate(from_json(data), workers.of(data)).seconds


def _only_match(experiment: Experiment) -> Match | None:
    return None if experiment.kind == Kind.EXPERIMENT else experiment.matches.order_by("pk").first()


def _page(experiment: Experiment) -> str:
    """The template of the page: a single match has one of its own until it is played."""
    return "experiments/detail.html" if experiment.kind == Kind.EXPERIMENT else "experiments/waiting.html"


def _page_context(experiment: Experiment, now: Progress, base: str, query: QueryDict) -> dict[str, Any]:
    result = _result_context(experiment, base)
    return {**result, "charts": dashboard(experiment, base), **_matches(experiment, now, base, query)}


def _result_context(experiment: Experiment, _: str) -> dict[str, Any]:
    with snapshot():
        experiment.refresh_from_db(fields=("status", "outcome", "summaries_rebuilt_at"))
        return {"table": table(experiment)}


EXPERIMENTS = JobKind(
    model=Experiment,
    plural="experiments",
    words=Words(
        unit="match",
        units="matches",
        row="match",
        rows="matches",
        done="played",
        along=" with all plies",
        held="the matches in play begin anew when it goes on",
        working="playing for this experiment",
    ),
    parts={
        "matches": Part("Matches", "experiments/_matches.html", _matches, True, is_list=True, finish=_remember),
        "settings": Part("Settings", "experiments/_settings.html", _settings),
        "failures": Part("Failures", "experiments/_failures.html", _failures),
    },
    start=_start,
    start_again=_start_again,
    seconds=_seconds,
    plan=_plan,
    progress=progress,
    claims=Chunk,
    wake=lambda _: services.wake(),
    deletions=(deletion.remove_chunks, deletion.put_away),
    with_counts=selectors.with_counts,
    brief=brief,
    listing="experiments/list.html",
    page=_page,
    head="experiments/_head.html",
    tabs="experiments/_tabs.html",
    result="results/_update.html",
    shared_page="sharing/experiment.html",
    failures="failures/",
    context=lambda experiment: {"lineups": selectors.lineups(experiment)},
    page_context=_page_context,
    result_context=_result_context,
    spec_text=json_text,
    chart_json=responses.chart_json_response,
    chart_page=responses.chart_page_response,
    export=responses.export_response,
    stream=exports.stream,
    span_after=exports.span_after,
    numbers=numbers,
    cards=cards,
    shares_failures=False,
    rows=lambda jobs: jobs.exclude(kind=Kind.LADDER),
    only_listed=lambda jobs: jobs.exclude(kind=Kind.PLAY),  # what was played at a table is among its players' matches
    engines=selectors.engines,
    with_engine=selectors.with_engine,
    refusal=deletion.refusal,
    absence=absence,
    only_match=_only_match,
    is_over=lambda experiment, now: experiment.kind == Kind.MATCH and now.played > 0,
)
