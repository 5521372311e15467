"""Writing: make an experiment. Callers have checked permissions."""

from __future__ import annotations

import itertools
import secrets
import uuid
from dataclasses import replace

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from webapp.common.formats import duration
from webapp.lab.quotas import services as quotas
from webapp.lab.quotas.selectors import ask_of
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.records import lineups, work_source
from webapp.records.models import Experiment
from webapp.table.live import experiment_matches
from worker import estimate, schedule
from worker.planning import trial
from worker.spec import ExperimentSpec, SpecError, check_presence, to_json

MAX_CHUNKS = 200_000
"""More chunks than this would keep workers busy for days."""


def create(
    owner: User,
    title: str,
    spec: ExperimentSpec,
    kind: str = Experiment.Kind.EXPERIMENT,
    submission: uuid.UUID | None = None,
    origin: Experiment | None = None,
) -> Experiment:
    """Make a running experiment from a spec and wake the workers, and the agents that take part.

    submission: number of the shown form. The same form sent twice by the same owner gives the
    experiment of the first time; a form that was changed in between makes another. origin: what it runs again.
    Raises SpecError where the owner may not start it, a match would take too long, or it is over a quota.
    """
    seconds = check(owner, spec)
    chunks = list(schedule.chunks(spec, seconds))
    values = {
        "owner": owner,
        "kind": kind,
        "title": title[:200],
        "game": spec.game,
        "spec": to_json(spec),
        "secret_seed": secrets.randbits(63) if spec.has_agents else None,
        "num_matches": spec.num_matches,
        "priority": spec.priority,
        "origin": origin,
    }
    with transaction.atomic():
        content = [owner.pk, kind, values["title"], values["spec"]]
        experiment, is_new = Experiment.make_once(submission, content, values)
        if not is_new:
            return experiment
        quotas.check(owner, ask_of(spec), experiment)
        lineups.add_arms(experiment, spec.arms)
        work_source.open_chunks(experiment, chunks)
        wake()
    return experiment


def create_trial(owner: User, title: str, spec: ExperimentSpec) -> Experiment:
    """Make an experiment of a few trial deals, on a seed of their own; it is kept among the archived ones.

    Raises SpecError where they would take too long, or agents take part.
    """
    deals = trial.num_deals(spec, settings.LAB_WORKERS)
    if not deals:
        raise SpecError((), "trial deals of these line-ups are not possible: they take too long, or agents take part")
    asked = trial.trial_spec(replace(spec, priority=min(spec.priority, 0)), deals, secrets.randbelow(2**31))
    made = create(owner, f"Trial deals: {title}", asked)
    Experiment.objects.filter(pk=made.pk).update(archived_at=timezone.now())
    return made


def wake() -> None:
    """Wake workers and open matches for agents, once the transaction is committed."""
    work_source.wake()
    transaction.on_commit(experiment_matches.open_next, robust=True)


def own_agents(owner: User) -> list[str]:
    """Names of the agents that a person may use in experiments: their own, without retired ones."""
    mine = Agent.objects.filter(owner=owner, retired_at=None)
    return list(mine.order_by("name").values_list("name", flat=True))


def check_agents(owner: User, spec: ExperimentSpec) -> None:
    """Refuse agents of other people. Raises SpecError."""
    known = own_agents(owner) if spec.has_agents else []
    for i, arm in enumerate(spec.arms):
        for j, seat in enumerate(arm.seats):
            if seat.agent and seat.agent not in known:
                text = f"you have no agent called {seat.agent}: experiments take your own agents only"
                raise SpecError(("arms", i, "seats", j, "engine"), text)


def check(owner: User, spec: ExperimentSpec) -> tuple[float, ...]:
    """Return the CPU seconds of a match of each arm. Raises SpecError where the spec is refused or takes too long."""
    check_agents(owner, spec)
    if spec.ladder is None:
        check_presence(spec)
    seconds = estimate.estimate(spec).seconds_per_match
    for index, arm_s in enumerate(seconds):
        if arm_s > settings.LAB_MATCH_S:
            seat = estimate.slowest_seat(spec, index)
            text = f"makes one match take about {duration(arm_s)}; it may take {duration(settings.LAB_MATCH_S)} at most"
            raise SpecError(("arms", index, "seats", seat, "budget"), text)
    if next(itertools.islice(schedule.chunks(spec, seconds), MAX_CHUNKS, None), None) is not None:
        raise SpecError(("deals",), "would take weeks at this budget; take fewer deals or a smaller budget")
    return seconds
