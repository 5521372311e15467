"""Which matches of an experiment count in its numbers: those of whole deals, each distinct one once.

A deal is whole in an arm when all its seatings have a result. Of a deal in part (a stop, a failed
match, a worker still at it) chance or the engines' speed decided which seatings there are. Two
matches are the same where equal configurations sat in the same seats and the digests are equal;
only experiments of before have such repeats (`worker.spec.seatings`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection
from psycopg import sql

from webapp.lab.results.cache import per_version
from webapp.records.models import Experiment, Match, Ply, Seat
from worker.spec import seatings

MATCH, SEAT, PLY = (sql.Identifier(model._meta.db_table) for model in (Match, Seat, Ply))


@dataclass(frozen=True)
class Seating:
    """How an arm's line-up is seated. matches: of each deal; sides: place i belongs to side i mod this."""

    seats: int
    matches: int
    sides: int

    @property
    def places_a_side(self) -> int:
        """Places of the line-up that equal configurations make one side of."""
        return self.seats // self.sides

    @property
    def repeats(self) -> bool:
        """Whether equal configurations have come to sit in the same seats again."""
        return self.matches > self.sides


def seating(experiment: Experiment) -> tuple[Seating, ...]:
    """The seating of every arm; where agents take part each match has a deal of its own."""
    rotation = str(experiment.spec["rotation"])
    return tuple(
        Seating(
            seats=len(arm["seats"]),
            matches=1 if experiment.has_agents else seatings.num_seatings(rotation, arm["seats"]),
            sides=seatings.num_sides(rotation, arm["seats"]),
        )
        for arm in experiment.spec["arms"]
    )


@dataclass(frozen=True)
class ArmCount:
    """Finished matches of an arm: the distinct ones, those of them that count, and how many were repeats."""

    finished: int = 0
    counted: int = 0
    repeats: int = 0

    @property
    def left_out(self) -> int:
        """Distinct matches of deals that are not whole."""
        return self.finished - self.counted


@per_version
def census(experiment: Experiment) -> tuple[ArmCount, ...]:
    """How many matches of each arm count."""
    query = sql.SQL(
        "SELECT arm_index, count(*), count(DISTINCT ({key})), count(DISTINCT ({key})) FILTER (WHERE ended = {needed})"
        " FROM (SELECT *, count(*) OVER (PARTITION BY arm_index, deal) AS ended FROM {match}"
        " WHERE experiment_id = {experiment} AND status = 'finished') AS m GROUP BY arm_index"
    ).format(
        key=_key(experiment),
        needed=_by_arm(experiment, lambda arm: arm.matches),
        match=MATCH,
        experiment=sql.Literal(experiment.pk),
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        found = {arm: ArmCount(n, whole, ended - n) for arm, ended, n, whole in cursor.fetchall()}
    return tuple(found.get(arm, ArmCount()) for arm in range(len(experiment.spec["arms"])))


def seats(experiment: Experiment, versions: str = "") -> sql.Composed:
    """A relation of the seats that count, with their side; to be put into a FROM clause.

    versions: only matches that recorded these, as `webapp.lab.results.versions` spells them.
    """
    of_these = sql.SQL("AND versions = {}::jsonb").format(sql.Literal(versions)) if versions else sql.SQL("")
    ended = sql.SQL("FROM {} WHERE experiment_id = {} AND status = 'finished' {}").format(
        MATCH, sql.Literal(experiment.pk), of_these
    )
    conditions = [sql.SQL("experiment_id = {} AND result IS NOT NULL").format(sql.Literal(experiment.pk))]
    if versions:
        conditions.append(sql.SQL("AND match_id IN (SELECT id {})").format(ended))
    if versions or any(arm.left_out for arm in census(experiment)):
        conditions.append(_whole(experiment, ended))
    if any(arm.repeats for arm in seating(experiment)):
        conditions.append(_distinct(experiment))
    return sql.SQL("(SELECT *, {} AS side FROM {} AS seat WHERE {})").format(
        side_of(experiment, sql.SQL("lineup_index")), SEAT, sql.SQL(" ").join(conditions)
    )


def uncounted(experiment: Experiment) -> list[int]:
    """Ids of finished matches that do not count."""
    if not any(arm.left_out or arm.repeats for arm in census(experiment)):
        return []
    query = sql.SQL(
        "SELECT id FROM {} WHERE experiment_id = {} AND status = 'finished' EXCEPT SELECT match_id FROM {} AS kept"
    ).format(MATCH, sql.Literal(experiment.pk), seats(experiment))
    with connection.cursor() as cursor:
        cursor.execute(query)
        return [found for (found,) in cursor.fetchall()]


def side_of(experiment: Experiment, place: sql.Composable) -> sql.Composable:
    """The side of a place of the row's arm, as SQL."""
    return sql.SQL("{} % {}").format(place, _by_arm(experiment, lambda arm: arm.sides))


def _whole(experiment: Experiment, ended: sql.Composable) -> sql.Composed:
    """The few deals in part are left out: planners that look for the many whole ones expect few, and plan badly."""
    return sql.SQL(
        "AND NOT EXISTS (SELECT FROM (SELECT arm_index, deal {} GROUP BY arm_index, deal HAVING count(*) <> {}) AS part"
        " WHERE part.arm_index = seat.arm_index AND part.deal = seat.deal)"
    ).format(ended, _by_arm(experiment, lambda arm: arm.matches))


def _distinct(experiment: Experiment) -> sql.Composed:
    return sql.SQL(
        "AND match_id IN (SELECT DISTINCT ON ({key}) id FROM {match}"
        " WHERE experiment_id = {experiment} AND status = 'finished' ORDER BY {key}, rotation)"
    ).format(key=sql.SQL("arm_index, {}").format(_key(experiment)), match=MATCH, experiment=sql.Literal(experiment.pk))


def _key(experiment: Experiment) -> sql.Composed:
    """What distinct matches of an arm differ in."""
    return sql.SQL("deal, rotation % {}, digest").format(_by_arm(experiment, lambda arm: arm.sides))


def _by_arm(experiment: Experiment, value: Callable[[Seating], int]) -> sql.Composable:
    """A number that may be another one for each arm, as SQL over `arm_index`."""
    values = [value(arm) for arm in seating(experiment)]
    if len(set(values)) == 1:
        return sql.Literal(values[0])
    return sql.SQL("(ARRAY[{}])[arm_index + 1]").format(sql.SQL(", ").join(map(sql.Literal, values)))
