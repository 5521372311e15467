"""Writing: make an experiment, steer it, put it away. Callers have checked whose it is."""

from __future__ import annotations

import json
import secrets
import uuid

from django.db import connection, transaction

from webapp.common import steering
from webapp.common.formats import duration
from webapp.common.steering import RefusedError, archive, check_deletable, pause, stop, unarchive
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.records import lineups, work
from webapp.records.models import Chunk, Experiment
from webapp.table.live import experiments as live_experiments
from webapp.table.live.models import LiveMatch
from worker import estimate, schedule
from worker.spec import ExperimentSpec, SpecError, to_json
from worker.studies.review import Review

__all__ = [
    "RefusedError",
    "archive",
    "check",
    "check_priority",
    "create",
    "delete",
    "pause",
    "resume",
    "stop",
    "unarchive",
]

MAX_MATCH_S = 6 * 3600
"""The estimate is right within a factor of three, and a day is the longest a worker may be silent."""
MAX_CHUNKS = 200_000
"""More pieces of work than this would keep workers busy for days; nobody waits for that."""


def create(
    owner: User,
    title: str,
    spec: ExperimentSpec,
    kind: str = Experiment.Kind.EXPERIMENT,
    submission: uuid.UUID | None = None,
) -> Experiment:
    """Make a running experiment from a spec and wake the workers, and the agents that take part.

    submission: number of the shown form. The same form sent twice by the same owner gives the
    experiment of the first time; a form that was changed in between makes another.
    Raises SpecError for what the owner may not start, or would take too long.
    """
    seconds = check(owner, spec)
    chunks = schedule.chunks(spec, seconds)
    values = {
        "owner": owner,
        "kind": kind,
        "title": title[:200],
        "game": spec.game,
        "spec": to_json(spec),
        "secret_seed": secrets.randbits(63) if spec.has_agents else None,
        "num_matches": spec.num_matches,
        "priority": spec.priority,
    }
    with transaction.atomic():
        if submission is None:
            experiment = Experiment.objects.create(**values)
        else:
            content = json.dumps([owner.pk, kind, values["title"], values["spec"]], sort_keys=True)
            key = uuid.uuid5(submission, content)
            experiment, is_new = Experiment.objects.get_or_create(submission=key, defaults=values)
            if not is_new:
                return experiment
        lineups.add_arms(experiment, spec.arms)
        work.open_chunks(experiment, chunks)
        _wake()
    return experiment


def _wake() -> None:
    """Once this is committed, tell workers that there is work, and open matches for agents."""
    work.wake()
    transaction.on_commit(live_experiments.open_next, robust=True)


def own_agents(owner: User) -> list[str]:
    """Names of the agents that somebody may let play in experiments: their own, retired ones left out."""
    mine = Agent.objects.filter(owner=owner, retired_at=None)
    return list(mine.order_by("name").values_list("name", flat=True))


def check_agents(owner: User, spec: ExperimentSpec) -> None:
    """Only one's own agents may be made to play. Raises SpecError."""
    known = own_agents(owner) if spec.has_agents else []
    for i, arm in enumerate(spec.arms):
        for j, seat in enumerate(arm.seats):
            if seat.agent and seat.agent not in known:
                text = f"you have no agent called {seat.agent}: experiments take one's own agents"
                raise SpecError(("arms", i, "seats", j, "engine"), text)


def check_priority(owner: User, spec: ExperimentSpec) -> None:
    """Only staff may go before others. Raises SpecError."""
    if spec.priority > 0 and not owner.is_staff:
        raise SpecError(("priority",), "above 0 is for the lab's staff; take 0, or less to let others go first")


def check(owner: User, spec: ExperimentSpec) -> tuple[float, ...]:
    """CPU seconds of a match of each arm. Raises SpecError for what the owner may not start, or takes too long."""
    check_priority(owner, spec)
    check_agents(owner, spec)
    seconds = estimate.estimate(spec).seconds_per_match
    for index, arm_s in enumerate(seconds):
        if arm_s > MAX_MATCH_S:
            seat = estimate.slowest_seat(spec, index)
            text = f"makes one match take about {duration(arm_s)}; it may take {duration(MAX_MATCH_S)} at most"
            raise SpecError(("arms", index, "seats", seat, "budget"), text)
    if schedule.num_chunks(spec, seconds) > MAX_CHUNKS:
        raise SpecError(("deals",), "would take weeks at this budget; take fewer deals or a smaller budget")
    return seconds


def resume(experiment: Experiment) -> bool:
    """Go on where it was held or stopped, out of the archive too. False when it was neither."""
    return steering.resume(experiment, _wake)


# Leaves first, a statement a table, so that no row travels through Python.
_REVIEWS = (  # an analysis of a whole match goes with it, unless it has had an address of its own
    f"SELECT s.id FROM records_study s JOIN records_match m ON m.id = s.match_id"
    f" WHERE s.kind = '{Review.id}' AND NOT s.was_shared AND m.experiment_id = %s"
)
_ERASE = (
    "DELETE FROM records_sharelink WHERE experiment_id = %s",
    f"SELECT id FROM records_study WHERE id IN ({_REVIEWS}) FOR UPDATE",  # before its pieces, as workers do
    f"DELETE FROM records_studypiece WHERE study_id IN ({_REVIEWS})",
    f"DELETE FROM records_study WHERE id IN ({_REVIEWS})",
    "UPDATE records_study SET match_id = NULL"
    " WHERE match_id IN (SELECT id FROM records_match WHERE experiment_id = %s)",
    "UPDATE live_livematch SET match_id = NULL WHERE experiment_id IS NULL"
    " AND match_id IN (SELECT id FROM records_match WHERE experiment_id = %s)",
    "DELETE FROM live_liveply WHERE match_id IN (SELECT id FROM live_livematch WHERE experiment_id = %s)",
    "DELETE FROM live_liveseat WHERE match_id IN (SELECT id FROM live_livematch WHERE experiment_id = %s)",
    "DELETE FROM live_livematch WHERE experiment_id = %s",
    "DELETE FROM records_ply WHERE match_id IN (SELECT id FROM records_match WHERE experiment_id = %s)",
    "DELETE FROM records_seat WHERE experiment_id = %s",
    "DELETE FROM records_match WHERE experiment_id = %s",
    "DELETE FROM records_summary WHERE experiment_id = %s",
)


def delete(experiment: Experiment) -> None:
    """Remove it with all its matches, for good. Raises RefusedError for what was ever shared, or runs.

    First its chunks, committed at once: workers that still play for it find their claim lost
    instead of waiting until all matches are gone. Should the second step fail, it can be
    deleted again.
    """
    with transaction.atomic():
        row = _lock_deletable(experiment)
        Chunk.objects.filter(experiment=row).delete()
    with transaction.atomic():
        row = _lock_deletable(experiment)
        with connection.cursor() as cursor:
            for statement in _ERASE:
                cursor.execute(statement, [row.pk])
        row.delete()


def _lock_deletable(experiment: Experiment) -> Experiment:
    """The experiment, locked before anything below it (see webapp.records.queue)."""
    row = Experiment.objects.select_for_update().get(pk=experiment.pk)
    check_deletable(row)
    if row.live_matches.filter(status=LiveMatch.Status.RUNNING).exists():
        raise RefusedError("Agents still play matches of it that had begun. Delete it when those are over.")
    return row
