"""Ladders as a kind of job: experiments of their own kind, with another page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import QueryDict

from webapp.lab.experiments import kind as experiments
from webapp.lab.experiments import selectors as experiment_selectors
from webapp.lab.jobs.kind import Part
from webapp.lab.jobs.plan import Plan
from webapp.lab.jobs.progress import Progress
from webapp.lab.ladders import charts, draft, selectors, services, words
from webapp.lab.ladders.page import page
from webapp.people.accounts.models import User
from webapp.records.models import Experiment
from worker.spec import from_json

Kind = Experiment.Kind


def _start(owner: User, title: str, data: Any, submission: UUID | None) -> Experiment:
    spec = from_json(data)
    return services.create(owner, title.strip() or words.title(spec.game), spec, submission)


def _plan(owner: User, data: Any) -> Plan:
    return experiments.plan_of(owner, services.check_ladder(owner, from_json(data)))


def _context(ladder: Experiment) -> dict[str, Any]:
    return {"ladder": ladder, "lineups": experiment_selectors.lineups(ladder)}


def _page_context(ladder: Experiment, _: Progress, base: str, __: QueryDict) -> dict[str, Any]:
    return {**_result_context(ladder, base), "charts": charts.dashboard(ladder, base)}


def _result_context(ladder: Experiment, _: str) -> dict[str, Any]:
    return {"shown": page(ladder)}


def _settings(ladder: Experiment, *_: Any) -> dict[str, Any]:
    """What was asked for, with engines in place of tables."""
    found, spec = experiment_selectors.settings_of(ladder), from_json(ladder.spec)
    assert spec.ladder is not None
    seats: dict[int, Any] = {}
    for (_table, line_up), table in zip(found.arms, spec.ladder.tables, strict=True):
        for entry, seat in zip(table, line_up, strict=False):
            seats.setdefault(entry, seat)
    entries = [
        (f"{known.name}, version {known.version}", [seats[i]] if i in seats else [])
        for i, known in enumerate(spec.ladder.entries)
    ]
    of_arms = {
        "Deals per arm": "Deals of a table",
        "Baseline": "",
        "Stop": "",
    }  # no word of a ladder, or one of its own
    asked = [(of_arms.get(label, label), value) for label, value in found.plan]
    plan = [("Who meets whom", words.PAIRING_WORDS[spec.ladder.pairing]), *(row for row in asked if row[0])]
    return {"settings": replace(found, arms=entries, plan=plan, json=draft.json_text(ladder.spec))}


LADDERS = replace(
    experiments.EXPERIMENTS,
    plural="ladders",
    words=replace(experiments.EXPERIMENTS.words, working="playing for this ladder"),
    parts={**experiments.EXPERIMENTS.parts, "settings": Part("Settings", "ladders/_settings.html", _settings)},
    start=_start,
    start_again=None,
    plan=_plan,
    brief=lambda ladder: words.brief(selectors.state(ladder)),
    listing="ladders/list.html",
    page=lambda _: "ladders/detail.html",
    head="ladders/_head.html",
    tabs="ladders/_tabs.html",
    result="ladders/_result.html",
    shared_page="sharing/ladder.html",
    context=_context,
    page_context=_page_context,
    result_context=_result_context,
    spec_text=draft.json_text,
    chart_json=charts.chart_json_response,
    chart_page=charts.chart_page_response,
    numbers=selectors.result_json,
    cards=charts.cards,
    rows=lambda jobs: jobs.filter(kind=Kind.LADDER),
    only_listed=lambda jobs: jobs,
    only_match=lambda _: None,
    is_over=lambda _, __: False,
)
"""What an experiment is, with another spec, result and page."""
