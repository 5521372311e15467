"""Experiments in which agents take part: their matches are opened here, a few at once, and played like any other.

A match belongs to one place of the schedule (arm, deal, rotation); those of an arm are opened in
its order, so that how many there are says which is next. `open_next` may be called at any time, by
anybody: at the start of an experiment, by the sweeper; `match_over` listens to matches that end.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Count, Exists, F, OuterRef, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from engines import registry as engine_registry
from webapp.people.agents.models import Agent
from webapp.records import cpu_weeks, disk, lineups, secret_seeds
from webapp.records.jobs import EXPERIMENTS
from webapp.records.models import Experiment, LineupEntry
from webapp.table.live import match_setup
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.plans import SeatPlan, Terms
from worker import schedule
from worker.spec import ArmSpec, ExperimentSpec, MatchSpec, SeatSpec, SpecError

logger = logging.getLogger(__name__)

RUNNING = LiveMatch.Status.RUNNING


def open_next() -> int:
    """Open all matches that there is room for, on the disk, too; return how many.

    People take turns, a match each, and then the experiments of a person: priority first, then whichever was
    served least lately.
    """
    opened, is_progress = 0, True
    while is_progress:
        turns = [any(_try_one(pk) for pk in theirs) for theirs in _by_person(_waiting())]
        is_progress = any(turns)
        opened += sum(turns)
    return opened


def match_over(match: LiveMatch) -> None:
    """Another match of an experiment may begin once one has ended. Called in the transaction that ended it."""
    if match.experiment_id is None:
        return
    EXPERIMENTS.lock(connection.connection, match.experiment_id)
    EXPERIMENTS.finish(connection.connection, match.experiment_id)
    names = list(match.seats.filter(kind=LiveSeat.Kind.AGENT).values_list("name", flat=True))
    transaction.on_commit(partial(open_another, names), robust=True)


def open_another(agents: Sequence[str]) -> bool:
    """Open one match with any of these agents, of the experiment whose turn it is; say whether there was one.

    What else there is room for is for `open_next`.
    """
    specs = [f"{lineups.AGENT}{name}" for name in agents]
    theirs = _waiting().filter(
        Exists(LineupEntry.objects.filter(arm__experiment=OuterRef("pk"), configuration__engine__in=specs))
    )
    return any(_try_one(pk) for mine in _by_person(theirs) for pk in mine)


def _waiting() -> QuerySet[Experiment]:
    """Running experiments with agents whose owners have CPU hours left; none while the disk is full."""
    if disk.is_full():
        return Experiment.objects.none()
    connection.ensure_connection()
    found = Experiment.objects.filter(status=Experiment.Status.RUNNING, secret_seed__isnull=False)
    return found.exclude(owner__in=cpu_weeks.spent(connection.connection))


def _by_person(experiments: QuerySet[Experiment]) -> list[list[int]]:
    """Ids in the order of turns, person by person: whoever was served least lately comes first."""
    rows = experiments.order_by("-priority", F("served_at").asc(nulls_first=True), "pk")
    found: dict[int, list[int]] = {}
    latest: dict[int, float] = {}
    for pk, owner, served_at in rows.values_list("pk", "owner_id", "served_at"):
        found.setdefault(owner, []).append(pk)
        latest[owner] = max(latest.get(owner, 0.0), served_at.timestamp() if served_at else 0.0)
    return [found[owner] for owner in sorted(found, key=lambda owner: latest[owner])]


def _try_one(experiment_id: int) -> bool:
    """Open the next match of an experiment; one that cannot be opened does not keep others waiting."""
    try:
        return _open_one(experiment_id)
    except DatabaseError:
        raise
    except SpecError as error:
        logger.warning("the specification of experiment %s cannot be read here: %s", experiment_id, error)
    except Exception:
        logger.exception("no match of experiment %s can be opened", experiment_id)
    return False


@transaction.atomic
def _open_one(experiment_id: int) -> bool:
    """Open the next match of an experiment; False where there is none, or no room."""
    rows = Experiment.objects.select_for_update(no_key=True)
    experiment = rows.filter(pk=experiment_id, status=Experiment.Status.RUNNING).first()
    if experiment is None:
        return False
    spec = secret_seeds.spec_of(experiment)
    agents = _agents(experiment, spec)
    if agents is None:
        return False
    free = _free(agents)
    for arm, ordinal in _unopened(experiment, spec):
        if all(free[name] > 0 for name in _names(spec.arms[arm])):
            _open(experiment, schedule.match_spec(spec, arm, ordinal), agents)
            return True
    return False


def _names(arm: ArmSpec) -> set[str]:
    return {seat.agent for seat in arm.seats if seat.agent}


def _agents(experiment: Experiment, spec: ExperimentSpec) -> dict[str, Agent] | None:
    """The agents by name, locked, so that matches are counted by one at a time.

    None where one no longer plays: the experiment is stopped then, and says why.
    """
    wanted = sorted(set().union(*map(_names, spec.arms)))
    theirs = Agent.objects.filter(owner=experiment.owner, name__in=wanted, retired_at=None)
    found = {agent.name: agent for agent in theirs.select_for_update(no_key=True).order_by("pk")}
    missing = [name for name in wanted if name not in found]
    if not missing:
        return found
    experiment.status, experiment.finished_at = Experiment.Status.STOPPED, timezone.now()
    experiment.notice = f"Stopped: the agent {missing[0]} no longer plays."
    experiment.save(update_fields=["status", "finished_at", "notice"])
    logger.warning("experiment %s: %s", experiment.pk, experiment.notice)
    return None


def _free(agents: Mapping[str, Agent]) -> Counter[str]:
    """Number of further matches that each agent may play at once, over all experiments."""
    playing = LiveSeat.objects.filter(
        agent__in=agents.values(), match__status=RUNNING, match__experiment__isnull=False
    ).values_list("agent__name")
    busy = dict(playing.annotate(n=Count("match", distinct=True)))
    return Counter({name: settings.LAB_AGENT_MATCHES - busy.get(name, 0) for name in agents})


def _unopened(experiment: Experiment, spec: ExperimentSpec) -> list[tuple[int, int]]:
    """The next match (arm, ordinal) of every arm with agents that has one left, least advanced first."""
    counted = LiveMatch.objects.filter(experiment=experiment).values_list("arm_index")
    opened = dict(counted.annotate(n=Count("pk")))
    arms = [(opened.get(index, 0), index) for index, arm in enumerate(spec.arms) if arm.has_agents]
    return [(arm, done) for done, arm in sorted(arms) if done < spec.arm_matches(arm)]


def _open(experiment: Experiment, match: MatchSpec, agents: Mapping[str, Agent]) -> None:
    limits = next(seat.budget for seat in match.seats if seat.agent)
    assert limits.seconds_per_ply is not None
    plans = [_plan(seat, place, agents) for seat, place in zip(match.seats, match.lineup, strict=True)]
    match_setup.open_match(
        experiment.owner,
        match.game,
        match.options,
        plans,
        Terms(
            visibility=LiveMatch.Visibility.PRIVATE,
            has_aids=False,
            ply_limit_s=round(limits.seconds_per_ply),
            clock_s=limits.seconds_per_match,
            replaces_absent=False,
        ),
        seed=match.seed,
        deal_seed=match.deal_seed,
        experiment=experiment,
        arm_index=match.arm,
        deal=match.deal,
        rotation=match.rotation,
    )
    experiment.started_at = experiment.started_at or timezone.now()
    experiment.served_at = Now()
    experiment.save(update_fields=["started_at", "served_at"])


def _plan(seat: SeatSpec, place: int, agents: Mapping[str, Agent]) -> SeatPlan:
    if seat.agent:
        return SeatPlan(name=seat.agent, agent=agents[seat.agent], place=place)
    return SeatPlan(name=engine_registry.get(seat.engine).label, engine=seat, place=place)
