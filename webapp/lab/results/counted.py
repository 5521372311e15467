"""Which matches of an experiment count in its numbers: those of whole deals, each distinct one once.

Where a stop rule has ended an experiment, or dropped an arm, later deals are outside of the numbers.

A deal is whole in an arm when all its seatings have a result. Of a deal in part (a stop, a failed
match, a worker still at it) chance or the engines' speed decided which seatings there are. Two
matches are the same where equal configurations sat in the same seats and the digests are equal;
only experiments of before have such repeats (`worker.spec.seatings`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import connection
from psycopg import sql

from games import registry as game_registry
from games.protocol import NUM_TEAMS
from webapp.lab.results import deal_blocks
from webapp.lab.results.cache import per_version
from webapp.lab.results.deal_blocks import Deals
from webapp.records.models import Experiment, Match, Seat
from worker.spec import seatings

MATCH, SEAT = (sql.Identifier(model._meta.db_table) for model in (Match, Seat))


@dataclass(frozen=True)
class Seating:
    """How an arm's line-up is seated. matches: of each deal; sides: place i belongs to side i mod this.

    parties: seats, or teams of them, that win or lose by themselves.
    """

    seats: int
    matches: int
    sides: int
    parties: int

    @property
    def places_a_side(self) -> int:
        """Places of the line-up that equal configurations make one side of."""
        return self.seats // self.sides

    @property
    def speakers(self) -> int:
        """Places, from the first, whose results are added up: of partners who are one side, and share them, one."""
        return self.parties if self.sides <= self.parties else self.seats

    @property
    def repeats(self) -> bool:
        """Whether equal configurations have come to sit in the same seats again."""
        return self.matches > self.sides


def seating(experiment: Experiment) -> tuple[Seating, ...]:
    """The seating of every arm; where agents take part each match has a deal of its own."""
    rotation = str(experiment.spec["rotation"])
    has_teams = game_registry.get(experiment.game).traits.has_teams
    return tuple(
        Seating(
            seats=len(arm["seats"]),
            matches=1 if experiment.has_agents else seatings.num_seatings(rotation, arm["seats"]),
            sides=seatings.num_sides(rotation, arm["seats"]),
            parties=NUM_TEAMS if has_teams else len(arm["seats"]),
        )
        for arm in experiment.spec["arms"]
    )


FEW = 200
"""Most deals in part, of an arm, that are named to the database instead of looked for."""


@dataclass(frozen=True)
class ArmCount:
    """Finished matches of an arm: the distinct ones, those of them that count, and how many were repeats.

    partial: deals that are not whole, the first ones where there are more than FEW; beyond: distinct
    matches of deals after the one at which a stop rule ended.
    """

    finished: int = 0
    counted: int = 0
    repeats: int = 0
    partial: tuple[int, ...] = ()
    beyond: int = 0

    @property
    def left_out(self) -> int:
        """Distinct matches of deals that are not whole."""
        return self.finished - self.counted - self.beyond


@per_version
def census(experiment: Experiment) -> tuple[ArmCount, ...]:
    """How many matches of each arm count."""
    matches = [arm.matches for arm in seating(experiment)]
    deals = deal_blocks.parts(experiment, matches)
    rows = deal_blocks.summed(experiment, deals, lambda part: _census_query(experiment, part), keys=(0,))
    found = {arm: ArmCount(n, whole, ended - n, tuple(part), late) for arm, ended, n, whole, part, late in rows}
    return tuple(found.get(arm, ArmCount()) for arm in range(len(matches)))


def _census_query(experiment: Experiment, deals: Deals) -> sql.Composed:
    number: sql.Composable = sql.SQL("count(*)")
    if any(arm.repeats for arm in seating(experiment)):
        number = sql.SQL("count(DISTINCT ({}))").format(_key(experiment))
    return sql.SQL(
        "SELECT arm_index, sum(ended)::int, sum(n)::int,"
        " coalesce(sum(n) FILTER (WHERE ended = {needed} AND {within}), 0)::int,"
        " coalesce((array_agg(deal) FILTER (WHERE ended <> {needed}))[:{most}], ARRAY[]::int[]),"
        " coalesce(sum(n) FILTER (WHERE NOT {within}), 0)::int"
        " FROM (SELECT arm_index, deal, count(*) AS ended, {number} AS n FROM {match}"
        " WHERE experiment_id = {experiment} AND status = 'finished'{part} GROUP BY arm_index, deal) AS played"
        " GROUP BY arm_index"
    ).format(
        number=number,
        needed=_by_arm(experiment, lambda arm: arm.matches),
        within=within(experiment),
        match=MATCH,
        experiment=sql.Literal(experiment.pk),
        most=sql.Literal(FEW + 1),
        part=_of_arms(experiment, deals),
    )


def by_versions(experiment: Experiment) -> list[tuple[int, str, int]]:
    """(arm, versions as JSON, finished matches), in no order."""

    def query(part: Deals) -> sql.Composed:
        return sql.SQL(
            "SELECT arm_index, versions::text, count(*) FROM {} WHERE experiment_id = {} AND status = 'finished'{}"
            " GROUP BY arm_index, versions"
        ).format(MATCH, sql.Literal(experiment.pk), _of_arms(experiment, part))

    deals = deal_blocks.parts(experiment, [arm.matches for arm in seating(experiment)])
    return [(arm, text, n) for arm, text, n in deal_blocks.summed(experiment, deals, query, keys=(0, 1))]


def _of_arms(experiment: Experiment, deals: Deals) -> sql.Composable:
    """Whether a row is of these deals, as SQL; arms are named so that an index by arm and deal serves."""
    if deals == deal_blocks.ALL:
        return sql.SQL("")
    arms = sql.SQL(", ").join(map(sql.Literal, range(len(experiment.spec["arms"]))))
    return sql.SQL(" AND arm_index IN ({}){}").format(arms, deal_blocks.within(deals))


def seats(
    experiment: Experiment,
    versions: str = "",
    deals: Deals = deal_blocks.ALL,
    known: Sequence[ArmCount] | None = None,
) -> sql.Composed:
    """A relation of the seats that count, with their side; to be put into a FROM clause.

    versions: only matches that recorded these, as `webapp.lab.results.versions` spells them. deals: only these.
    known: the census, where the caller has it.
    """
    of_these = sql.SQL("AND versions = {}::jsonb").format(sql.Literal(versions)) if versions else sql.SQL("")
    ended = sql.SQL("FROM {} WHERE experiment_id = {} AND status = 'finished' {}{}").format(
        MATCH, sql.Literal(experiment.pk), of_these, _of_arms(experiment, deals)
    )
    conditions: list[sql.Composable] = [
        sql.SQL("experiment_id = {} AND result IS NOT NULL").format(sql.Literal(experiment.pk))
    ]
    if versions:
        conditions.append(sql.SQL("AND match_id IN (SELECT id {})").format(ended))
        conditions.append(_whole(experiment, ended))
    else:
        conditions.append(_without_partial(experiment, ended, deals, known or census(experiment)))
    if deals != deal_blocks.ALL:
        places = range(max(arm.seats for arm in seating(experiment)))
        listed = sql.SQL(", ").join(map(sql.Literal, places))
        conditions.append(_of_arms(experiment, deals))
        conditions.append(sql.SQL("AND lineup_index IN ({})").format(listed))
    if limits(experiment):
        conditions.append(sql.SQL("AND {}").format(within(experiment)))
    if any(arm.repeats for arm in seating(experiment)):
        conditions.append(_distinct(experiment))
    return sql.SQL("(SELECT *, {} AS side FROM {} AS seat WHERE {})").format(
        side_of(experiment, sql.SQL("lineup_index")), SEAT, sql.SQL(" ").join(conditions)
    )


def uncounted(experiment: Experiment) -> list[int]:
    """Ids of finished matches that do not count."""
    if not any(arm.left_out or arm.repeats or arm.beyond for arm in census(experiment)):
        return []
    query = sql.SQL(
        "SELECT id FROM {} WHERE experiment_id = {} AND status = 'finished' EXCEPT SELECT match_id FROM {} AS kept"
    ).format(MATCH, sql.Literal(experiment.pk), seats(experiment))
    with connection.cursor() as cursor:
        cursor.execute(query)
        return [found for (found,) in cursor.fetchall()]


def limits(experiment: Experiment) -> dict[int, int]:
    """Arm -> number of its deals that count, where its stop rule says so."""
    outcome = experiment.outcome or {}
    every = outcome.get("deals")
    found = {} if every is None else dict.fromkeys(range(len(experiment.spec["arms"])), int(every))
    return found | {int(arm): int(deals) for arm, deals in outcome.get("dropped", {}).items()}


def within(experiment: Experiment) -> sql.Composable:
    """Whether the deal of a row counts as far as the stop rule goes, as SQL."""
    found = limits(experiment)
    arms = range(len(experiment.spec["arms"]))
    listed = sql.SQL(", ").join(sql.Literal(found[arm]) if arm in found else sql.SQL("NULL") for arm in arms)
    return sql.SQL("(deal < coalesce((ARRAY[{}]::int[])[arm_index + 1], {}))").format(listed, sql.Literal(2**31 - 1))


def side_of(experiment: Experiment, place: sql.Composable) -> sql.Composable:
    """The side of a place of the row's arm, as SQL."""
    return sql.SQL("{} % {}").format(place, _by_arm(experiment, lambda arm: arm.sides))


def speaks(experiment: Experiment) -> sql.Composable:
    """Whether the results of a row are added up (`Seating.speakers`), as SQL."""
    return sql.SQL("(lineup_index < {})").format(_by_arm(experiment, lambda arm: arm.speakers))


def _without_partial(
    experiment: Experiment, ended: sql.Composable, among: Deals, known: Sequence[ArmCount]
) -> sql.Composable:
    first, end = among
    partial = [[deal for deal in row.partial if first <= deal and (end is None or deal < end)] for row in known]
    if any(len(deals) > FEW for deals in partial):
        return _whole(experiment, ended)
    pairs = [sql.SQL("({}, {})").format(arm, deal) for arm, deals in enumerate(partial) for deal in deals]
    if not pairs:
        return sql.SQL("")
    return sql.SQL("AND (arm_index, deal) NOT IN (VALUES {})").format(sql.SQL(", ").join(pairs))


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
