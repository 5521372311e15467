"""The demo: one small real experiment that belongs to the system account and is shared."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db.models import Avg, Count, Q

from webapp.lab.experiments import services as experiments
from webapp.lab.jobs import share_links
from webapp.ops import job_follower
from webapp.people.accounts.system import system_account
from webapp.records.models import Arm, Experiment, Match, Seat
from worker import spec as specs

TITLE = "How much must one look ahead to beat a greedy player of Carcassonne?"
DEALS = 70
DEALS_ONCE = 8
"""Deals of each arm; every deal is played twice, with the seats swapped."""

SIMULATIONS = (30, 60, 120)
"""With 60 of them UCT is about as strong as the greedy player (`worker.planning.openings`)."""


def spec(deals: int, seed: int) -> dict[str, Any]:
    """UCT with more and more simulations, each against the greedy player."""
    greedy = {"engine": "scripted", "options": {"policy": "greedy"}}
    return {
        "version": 1,
        "game": "carcassonne",
        "seats": 2,
        "arms": [{"name": f"UCT, {number} simulations", "seats": [_uct(number), greedy]} for number in SIMULATIONS],
        "deals": deals,
        "rotation": "all",
        "seed": seed,
    }


def _uct(simulations: int) -> dict[str, Any]:
    options = {"policy": "informed", "playout_plies": 1}
    return {"engine": "uct", "options": options, "budget": {"simulations": simulations}}


def create(deals: int) -> tuple[Experiment, str]:
    """Make and share the experiment; returns it and the address of its public page."""
    checked = specs.from_json(spec(deals, seed=secrets.randbelow(2**31)))
    experiment = experiments.create(system_account(), TITLE, checked)
    Experiment.objects.filter(pk=experiment.pk).update(is_featured=True)
    link = share_links.share(experiment)
    return experiment, f"{settings.PUBLIC_URL}/r/{link.slug}/"


def follow(experiment: Experiment) -> Iterator[str]:
    """Progress in words every few seconds, until the experiment runs no more."""
    return job_follower.follow(
        experiment, lambda: f"{experiment.matches.count()} of {experiment.num_matches} matches played"
    )


def summary(experiment: Experiment) -> list[str]:
    """The result in a small table, and the speed."""
    lines = [f"{'':<26}{'won':>6}{'drawn':>7}{'lost':>6}{'mean score':>13}{'of greedy':>11}"]
    for arm in Arm.objects.filter(experiment=experiment).order_by("index"):
        lines.append(_arm_line(arm))
    failed = experiment.matches.filter(status=Match.Status.FAILED).count()
    if failed:
        lines.append(f"{failed} matches failed: see the page")
    if experiment.started_at and experiment.finished_at:
        seconds = (experiment.finished_at - experiment.started_at).total_seconds()
        played = experiment.matches.count()
        lines.append(f"{played} matches in {seconds:.1f} s: {60 * played / max(seconds, 0.001):.0f} matches a minute")
    return lines


def _arm_line(arm: Arm) -> str:
    seats = Seat.objects.filter(match__experiment_id=arm.experiment_id, match__arm_index=arm.index)
    row = seats.filter(lineup_index=0).aggregate(
        won=Count("pk", filter=Q(result="win")),
        drawn=Count("pk", filter=Q(result="draw")),
        lost=Count("pk", filter=Q(result="loss")),
        score=Avg("score"),
    )
    other = seats.filter(lineup_index=1).aggregate(score=Avg("score"))["score"]
    return f"{arm.name:<26}{row['won']:>6}{row['drawn']:>7}{row['lost']:>6}{_mean(row['score']):>13}{_mean(other):>11}"


def _mean(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def is_complete(experiment: Experiment) -> bool:
    """Whether all matches were played, and none failed."""
    finished = experiment.matches.filter(status=Match.Status.FINISHED).count()
    return experiment.status == Experiment.Status.FINISHED and finished == experiment.num_matches
