"""Numbers of some sides at some plies, read from the plies of the first deals of each arm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from psycopg import sql

from games import registry as game_registry
from games.protocol import NUM_TEAMS
from webapp.lab.results import counted, queries
from webapp.lab.results.cache import patient
from webapp.records.archive.table import Wanted
from webapp.records.models import Experiment
from worker.analysis.moments import BlockMoments

Side = tuple[int, int]
"""Arm, side of its line-up."""
PROJECTED, IN_HAND = "projected", "in_hand"
"""What plies may note of every seat (`games.protocol.Game.ply_notes`)."""
GRID = 48
"""Most plies that are read."""
FIRST_DEALS = 1_000
"""Deals whose matches say how long matches are."""
LONGEST = 0.95
"""Lines go as far as this part of the matches' lengths."""

LENGTHS = """
SELECT percentile_disc({share}) WITHIN GROUP (ORDER BY m.num_plies)
FROM {seats} s JOIN {match} m ON m.id = s.match_id WHERE s.seat = 0 AND s.deal < {deals}
"""

AT_PLIES = """
SELECT arm_index, side, ply, {lead}, {projected}, {held}, {points} FROM (
    SELECT s.arm_index, s.side, s.deal, at.ply,
           count(*) AS n, sum(coalesce({now}, s.margin))::float8 AS t,
           count(*) FILTER (WHERE p.ply IS NULL OR p.info #> '{{after,projected}}' IS NOT NULL) AS pn,
           sum(CASE WHEN p.ply IS NULL THEN s.margin ELSE {noted} END)::float8 AS pt,
           sum(coalesce((p.info #> '{{after,projected}}' ->> s.seat)::int, s.score))::float8 AS ot,
           count(p.info #> '{{after,in_hand}}') AS hn,
           sum((p.info #> '{{after,in_hand}}' ->> s.seat)::int)::float8 AS ht
    FROM {seats} s JOIN {ply} first ON first.match_id = s.match_id AND first.ply = 0
    CROSS JOIN unnest({plies}) AS at(ply) LEFT JOIN {ply} p ON p.match_id = s.match_id AND p.ply = at.ply
    WHERE {sides} AND {speaks} GROUP BY s.arm_index, s.side, s.deal, at.ply
) AS block GROUP BY arm_index, side, ply ORDER BY arm_index, side, ply
"""
"""Where a match is over, its last lead stands for all later plies."""

COSTS = """
SELECT arm_index, side, count(*), percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY cost) FROM (
    SELECT s.arm_index, s.side, s.deal, avg(p.cpu_s) AS cost
    FROM {seats} s JOIN {ply} p ON p.match_id = s.match_id AND p.seat = s.seat
    WHERE {sides} GROUP BY s.arm_index, s.side, s.deal
) AS block GROUP BY arm_index, side
"""

COSTS_BY_PLY = """
SELECT s.arm_index, s.side, p.ply / {width}, count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY p.cpu_s)
FROM {seats} s JOIN {ply} p ON p.match_id = s.match_id AND p.seat = s.seat
WHERE {sides} AND p.ply < {last} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""


@dataclass(frozen=True)
class AtPly:
    """One side at one ply, counted from 0, over deals.

    lead: own points less the best opponent's; projected: the same if matches had ended there, of the
    matches that noted it; in_hand: what is left in hand, of those that noted it; points: own points if
    matches had ended there, of the matches that noted it.
    """

    ply: int
    lead: BlockMoments
    projected: BlockMoments
    in_hand: BlockMoments
    points: BlockMoments

    @property
    def is_projected(self) -> bool:
        """Whether all matches noted what they would have scored."""
        return self.projected.n == self.lead.n


@dataclass(frozen=True)
class Cost:
    """CPU seconds of a ply, over deals: quartiles of their means."""

    deals: int
    low: float
    median: float
    high: float


def last_ply(experiment: Experiment) -> int:
    """Plies that all but the longest matches have at most; 0 where no plies are kept."""
    if not experiment.keeps_plies:
        return 0
    rows = queries.rows(LENGTHS, experiment, {"share": sql.Literal(LONGEST), "deals": FIRST_DEALS})
    return int(rows[0][0] or 0)


@patient
def at_plies(experiment: Experiment, sides: tuple[Side, ...], deals: tuple[int, ...]) -> dict[Side, tuple[AtPly, ...]]:
    """Side -> its plies. deals: of each side only so many, the first ones."""
    last = last_ply(experiment)
    if not last or not sides:
        return {}
    plies = np.unique(np.linspace(0, last - 1, min(GRID, last)).round().astype(int)).tolist()
    found: dict[Side, list[AtPly]] = {}
    for arm, side, ply, *sums in queries.rows(
        AT_PLIES,
        experiment,
        {
            "lead": queries.block_sums("t", "n"),
            "projected": queries.block_sums("pt", "pn"),
            "held": queries.block_sums("ht", "hn"),
            "points": queries.block_sums("ot", "pn"),
            "now": _lead(experiment, "p.scores[{}]", 1),
            "noted": _lead(experiment, "(p.info #> '{{after,projected}}' ->> {})::int", 0),
            "plies": plies,
            "sides": _these(sides, deals),
        },
        Wanted(deals=max(deals), plies=sorted({0, *plies}), has_info=True),
    ):
        found.setdefault((arm, side), []).append(AtPly(ply, *queries.moments(sums)))
    return {side: tuple(rows) for side, rows in found.items()}


@patient
def costs(experiment: Experiment, sides: tuple[Side, ...], deals: tuple[int, ...]) -> dict[Side, Cost]:
    """CPU time of a ply of each side that has recorded any."""
    if not experiment.keeps_plies or not sides:
        return {}
    rows = queries.rows(COSTS, experiment, {"sides": _these(sides, deals)}, Wanted(deals=max(deals)))
    return {(arm, side): Cost(n, *quartiles) for arm, side, n, quartiles in rows}


@patient
def costs_by_ply(
    experiment: Experiment, sides: tuple[Side, ...], deals: tuple[int, ...]
) -> dict[Side, tuple[tuple[float, int, float], ...]]:
    """Side -> (middle of some plies, counted from 1; plies; their median of CPU seconds)."""
    last = last_ply(experiment)
    if not last or not sides:
        return {}
    width = max(1, -(-last // (GRID // 2)), int(experiment.spec["seats"]))
    found: dict[Side, list[tuple[float, int, float]]] = {}
    values: dict[str, queries.Value] = {"width": width, "last": last, "sides": _these(sides, deals)}
    for arm, side, part, n, median in queries.rows(COSTS_BY_PLY, experiment, values, Wanted(deals=max(deals))):
        found.setdefault((arm, side), []).append((part * width + (width + 1) / 2, n, median))
    return {side: tuple(rows) for side, rows in found.items()}


def side_of(experiment: Experiment, arm: int, place: int) -> Side:
    """The side that a place of an arm belongs to."""
    return arm, place % counted.seating(experiment)[arm].sides


def _these(sides: Sequence[Side], deals: Sequence[int]) -> sql.Composed:
    """Whether a seat is of these sides, and of the first deals."""
    each = [
        sql.SQL("(s.arm_index = {} AND s.side = {} AND s.deal < {})").format(*map(sql.Literal, (arm, side, most)))
        for (arm, side), most in zip(sides, deals, strict=True)
    ]
    return sql.SQL("({})").format(sql.SQL(" OR ").join(each))


def _lead(experiment: Experiment, points: str, first: int) -> sql.Composed:
    """Own points less the best opponent's, as SQL. points: of a seat, with a place for its number from `first`."""
    seats = int(experiment.spec["seats"])
    has_teams = game_registry.get(experiment.game).traits.has_teams
    of = [sql.SQL(points).format(sql.Literal(seat + first)) for seat in range(seats)]
    cases = []
    for seat in range(seats):
        others = [
            other for other in range(seats) if (other % NUM_TEAMS != seat % NUM_TEAMS if has_teams else other != seat)
        ]
        best = (
            sql.SQL("greatest({})").format(sql.SQL(", ").join(of[other] for other in others))
            if others
            else sql.SQL("0")
        )
        cases.append(sql.SQL("WHEN {} THEN {} - {}").format(sql.Literal(seat), of[seat], best))
    return sql.SQL("CASE s.seat {} END").format(sql.SQL(" ").join(cases))
