"""The SQL behind result tables and charts: sums, so that no page reads a row per match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from psycopg import sql

from games.protocol import NUM_TEAMS
from webapp.lab.results import counted, deal_blocks
from webapp.records import metric_numbers
from webapp.records.archive import table
from webapp.records.archive.table import Wanted
from webapp.records.models import Experiment
from worker.analysis.methods import Paired
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.stop_rules.model import LEAST
from worker.analysis.summary import Sums

Value = int | str | list[int] | sql.Composable
NOTHING = (Moments(), Moments(), Moments())
Side = tuple[int, int]
"""Arm, side of its line-up (`counted.Seating`)."""

SIDES = """
WITH block AS (
    SELECT s.arm_index, s.side, {seat} AS seat, {values}
    FROM {seats} s WHERE {speaks}
    GROUP BY GROUPING SETS ((s.arm_index, s.side, s.deal), (s.arm_index, s.side, {seat}, s.deal))
)
SELECT arm_index, side, seat, {sums} FROM block GROUP BY arm_index, side, seat, n
"""

BY_SEAT = """
WITH block AS (SELECT s.seat, {values} FROM {seats} s WHERE s.seat < {parties} GROUP BY s.seat, s.deal)
SELECT seat, {sums} FROM block GROUP BY seat, n
"""

FIRST_SEAT = """
WITH block AS (
    SELECT (count(*) FILTER (WHERE s.result = 'win' AND s.seat = 0))::float8 AS won,
           count(*) FILTER (WHERE s.result = 'win') AS decisive,
           sum(CASE WHEN s.seat = 0 THEN s.score ELSE -s.score::float8 / ({parties} - 1) END) AS lead,
           count(*) FILTER (WHERE s.seat = 0) AS matches
    FROM {seats} s WHERE s.seat < {parties} GROUP BY s.deal
)
SELECT {won}, {lead} FROM block
"""

PAIRS = """
WITH block AS (
    SELECT s.arm_index, s.deal, (count(*) FILTER (WHERE s.result = 'win'))::float8 / count(*) AS w,
           sum(s.margin)::float8 / count(*) AS g, sum(s.rank)::float8 / count(*) AS r
    FROM {seats} s WHERE s.side = {side} GROUP BY s.arm_index, s.deal
), beside AS (
    SELECT arm_index, deal, w, g, r, max(w) FILTER (WHERE arm_index = {base}) OVER of_deal AS w0,
           max(g) FILTER (WHERE arm_index = {base}) OVER of_deal AS g0,
           max(r) FILTER (WHERE arm_index = {base}) OVER of_deal AS r0,
           max(w) FILTER (WHERE arm_index = {best}) OVER of_deal AS wb,
           max(g) FILTER (WHERE arm_index = {best}) OVER of_deal AS gb,
           max(r) FILTER (WHERE arm_index = {best}) OVER of_deal AS rb
    FROM block WINDOW of_deal AS (PARTITION BY deal)
), pair AS (
    SELECT arm_index AS first, {base} AS second, deal, w, g, r, w0 AS bw, g0 AS bg, r0 AS br
    FROM beside WHERE arm_index <> {base} AND w0 IS NOT NULL
    UNION ALL
    SELECT {best}, arm_index, deal, wb, gb, rb, w, g, r
    FROM beside WHERE arm_index NOT IN ({base}, {best}) AND wb IS NOT NULL
)
SELECT first, second, {look} AS look, count(*), {differences} FROM pair GROUP BY first, second, look ORDER BY look
"""
"""No join: planners take the few deals that they expect for all there are, and compare each with each."""

SWEPT = """
WITH block AS (
    SELECT s.arm_index, s.deal, (count(*) FILTER (WHERE s.result = 'win'))::float8 / count(*) AS w,
           sum(s.margin)::float8 / count(*) AS g, count(*) AS n
    FROM {seats} s WHERE s.side = {side} AND s.arm_index < {arms} GROUP BY s.arm_index, s.deal
)
SELECT array_agg(w ORDER BY arm_index), array_agg(g ORDER BY arm_index), array_agg(n ORDER BY arm_index)
FROM block GROUP BY deal HAVING count(*) = {arms} ORDER BY deal
"""

BETWEEN = """
WITH block AS (
    SELECT s.side, s.deal, (count(*) FILTER (WHERE s.result = 'win'))::float8 / count(*) AS w,
           sum(s.score)::float8 / count(*) AS g, sum(s.rank)::float8 / count(*) AS r
    FROM {seats} s WHERE s.arm_index = 0 GROUP BY s.side, s.deal
), beside AS (
    SELECT deal, array_agg(side) AS side, array_agg(w) AS w, array_agg(g) AS g, array_agg(r) AS r
    FROM block GROUP BY deal
), pair AS (
    SELECT side[i] AS first, side[j] AS second, deal, w[i] AS w, g[i] AS g, r[i] AS r,
           w[j] AS bw, g[j] AS bg, r[j] AS br
    FROM beside, generate_subscripts(side, 1) AS i, generate_subscripts(side, 1) AS j WHERE side[i] < side[j]
)
SELECT first, second, {look} AS look, count(*), {differences} FROM pair GROUP BY first, second, look ORDER BY look
"""

DIFFERENCES = """
sum(w - bw), sum((w - bw) ^ 2), sum(w), sum(w ^ 2), sum(bw), sum(bw ^ 2),
sum(g - bg), sum((g - bg) ^ 2), sum(g), sum(g ^ 2), sum(bg), sum(bg ^ 2),
sum(br - r), sum((br - r) ^ 2), sum(-r), sum(r ^ 2), sum(-br), sum(br ^ 2)
"""
"""Of places what the first is ahead by: a smaller number is a better place."""

FAILURES = """
SELECT m.arm_index, s.lineup_index, count(*)
FROM {match} m LEFT JOIN {seat_table} s ON s.match_id = m.id AND s.seat = (m.failure->>'seat')::int
WHERE m.experiment_id = {experiment} AND m.status = 'failed'
GROUP BY m.arm_index, s.lineup_index
"""

DEALS = """
SELECT s.deal, count(*), count(*) FILTER (WHERE s.result = 'win'), sum(s.margin)::float8
FROM {seats} s WHERE s.arm_index = {arm} AND s.side = {side}
GROUP BY s.deal ORDER BY s.deal
"""

MARGINS = """
SELECT s.margin, count(*)
FROM {seats} s WHERE s.arm_index = {arm} AND s.side = {side}
GROUP BY s.margin ORDER BY s.margin
"""

LENGTHS = """
SELECT deal, array_agg(length) FROM (
    SELECT s.deal, max({metric})::int AS length
    FROM {seats} s WHERE s.arm_index = {arm}
    GROUP BY s.deal, s.match_id
) AS played WHERE length IS NOT NULL GROUP BY deal
"""

SCORES_AT_PLIES = """
SELECT ply, {sums} FROM (
    SELECT s.deal, p.ply, count(*) AS n, sum(p.scores[s.seat + 1])::float8 AS t
    FROM {seats} s JOIN {ply} p ON p.match_id = s.match_id
    WHERE s.arm_index = {arm} AND s.side = {side} AND s.deal < {deals} AND p.ply = ANY({plies})
    GROUP BY s.deal, p.ply
) AS block GROUP BY ply
"""

LEGAL_AT_PLIES = """
SELECT ply, {sums} FROM (
    SELECT s.deal, p.ply, count(*) AS n, sum(p.legal_count)::float8 AS t
    FROM {seats} s JOIN {ply} p ON p.match_id = s.match_id AND p.seat = s.seat
    WHERE s.arm_index = {arm} AND s.deal < {deals} AND p.ply = ANY({plies})
    GROUP BY s.deal, p.ply
) AS block GROUP BY ply
"""

LOOKS = tuple(LEAST << k for k in range(12))
"""Deals after which the sums of a pair are known by themselves."""
WORK_MEMORY = "64MB"
MAX_PAIRS = 200
"""Pairs of metrics in one statement: Postgres answers at most 1,664 columns, and a pair takes six."""
BLOCK_SUMS = "count(*) FILTER (WHERE {n} > 0), sum({n}), sum({t}), sum({t} * {t}), sum({t} * {n}), sum({n} * {n})"


@dataclass(frozen=True)
class PairSums:
    """Sums over the deals that two sides have in common. places: those that the first is ahead by."""

    wins: Paired = NOTHING
    points: Paired = NOTHING
    places: Paired = NOTHING

    def __add__(self, other: PairSums) -> PairSums:
        return PairSums(
            _together(self.wins, other.wins),
            _together(self.points, other.points),
            _together(self.places, other.places),
        )


def _together(one: Paired, two: Paired) -> Paired:
    return (one[0] + two[0], one[1] + two[1], one[2] + two[2])


Differences = dict[tuple[int, int], list[PairSums]]
"""Of every pair the sums over the first deals, over more of them, ..., over all."""


@contextmanager
def snapshot(experiment: Experiment | None = None) -> Iterator[None]:
    """All statements inside see one moment of the database; so they do in a caller's transaction.

    experiment: one whose plies they may read.
    """
    if experiment is not None:
        table.prepare(experiment)
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def rows(
    statement: str, experiment: Experiment, values: Mapping[str, Value] | None = None, wanted: Wanted | None = None
) -> Sequence[tuple[Any, ...]]:
    """Run one of the statements above over the seats that count.

    wanted: the plies that it reads as ``{ply}``, where it reads any. Raises ArchiveError.
    """
    with snapshot(experiment if wanted else None):
        relation = {"ply": table.relation(experiment, wanted)} if wanted else {}
        return fetched(_composed(statement, experiment, {**(values or {}), **relation}, counted.seats(experiment)))


def summed(
    statement: str,
    experiment: Experiment,
    keys: Sequence[int],
    values: Mapping[str, Value] | None = None,
    versions: str = "",
) -> Sequence[tuple[Any, ...]]:
    """Rows of one of the statements above whose rows are sums over deals, block by block (`deal_blocks`).

    keys: columns that name a row; all others are added up.
    """
    with snapshot():
        matches = [arm.matches for arm in counted.seating(experiment)]
        deals = [deal_blocks.ALL] if versions else deal_blocks.parts(experiment, matches)
        known = None if versions else counted.census(experiment)

        def query(part: deal_blocks.Deals) -> sql.Composed:
            return _composed(statement, experiment, values, counted.seats(experiment, versions, part, known))

        return deal_blocks.summed(experiment, deals, query, keys)


def _composed(
    statement: str, experiment: Experiment, values: Mapping[str, Value] | None, seats: sql.Composed
) -> sql.Composed:
    parts = {
        name: value if isinstance(value, sql.Composable) else sql.Literal(value)
        for name, value in (values or {}).items()
    }
    return sql.SQL(statement).format(
        experiment=sql.Literal(experiment.pk),
        match=counted.MATCH,
        seat_table=counted.SEAT,
        seats=seats,
        speaks=counted.speaks(experiment),
        **parts,
    )


def side_sums(
    experiment: Experiment, *, has_teams: bool, versions: str = ""
) -> dict[Side, tuple[Sums, dict[int, Sums]]]:
    """Sums of every side over all seats, and by seat; in a game of teams by those of a team, under the first."""
    found: dict[Side, tuple[Sums | None, dict[int, Sums]]] = {}
    seat = sql.SQL(f"s.seat % {NUM_TEAMS}" if has_teams else "s.seat")
    num_seats = int(experiment.spec["seats"])
    parts = {"seat": seat, **_sums_of(num_seats)}
    for arm, side, at, *values in summed(SIDES, experiment, (0, 1, 2, 4), parts, versions):
        whole, seats = found.get((arm, side), (None, {}))
        if at is None:
            found[arm, side] = (_added(whole, values), seats)
        else:
            found[arm, side] = (whole, seats | {at: _added(seats.get(at), values)})
    return {place: (whole or Sums(), seats) for place, (whole, seats) in found.items()}


def seat_sums(experiment: Experiment, parties: int) -> dict[int, Sums]:
    """Sums by seat, over all arms and sides; only of the first seats where there are more."""
    found: dict[int, Sums] = {}
    sums = _sums_of(int(experiment.spec["seats"]))
    for seat, *values in sorted(summed(BY_SEAT, experiment, (0, 2), {"parties": parties, **sums})):
        found[seat] = _added(found.get(seat), values)
    return found


def first_seat_sums(experiment: Experiment, parties: int) -> tuple[BlockMoments, BlockMoments]:
    """Per deal, over all arms: of the decisive matches those that seat 0 won, and its lead over the others' mean."""
    won_sums, lead_sums = block_sums("won", "decisive"), block_sums("lead", "matches")
    ((*sums,),) = summed(FIRST_SEAT, experiment, (), {"parties": parties, "won": won_sums, "lead": lead_sums})
    won, lead = moments(sums)
    return won, lead


def differences(statement: str, experiment: Experiment, values: Mapping[str, Value] | None = None) -> Differences:
    """Of every pair: sums over common deals, over those before each of LOOKS and over all."""
    found: Differences = {}
    parts = {"differences": sql.SQL(DIFFERENCES), "look": sql.SQL("width_bucket(deal, {}::int[])").format(list(LOOKS))}
    for first, second, _, deals, *sums in sorted(
        summed(statement, experiment, (0, 1, 2), {**parts, **(values or {})}), key=lambda row: row[2]
    ):
        moments = [Moments(deals, sums[i], sums[i + 1]) for i in range(0, len(sums), 2)]
        one, two, three, *rest = moments
        more = PairSums((one, two, three), (rest[0], rest[1], rest[2]), (rest[3], rest[4], rest[5]))
        known = found.setdefault((first, second), [])
        known.append(known[-1] + more if known else more)
    return found


def at_plies(
    statement: str, experiment: Experiment, values: Mapping[str, Value], wanted: Wanted
) -> dict[int, BlockMoments]:
    """Sums over deals of what matches had at some plies, by ply."""
    sums = block_sums("t", "n")
    return {ply: moments(found)[0] for ply, *found in rows(statement, experiment, {"sums": sums, **values}, wanted)}


KINDS = {
    "w": "count(*) FILTER (WHERE s.result = 'win')",
    "d": "count(*) FILTER (WHERE s.result = 'draw')",
    "l": "count(*) FILTER (WHERE s.result = 'loss')",
    "score": "sum(s.score)",
    "margin": "sum(s.margin)",
    "rank": "sum(s.rank)",
}
"""What a block adds up, as SQL, in the order of `Sums`; then, from three seats up, how often each rank was."""


def _sums_of(num_seats: int) -> dict[str, sql.Composable]:
    """The values of a block, and the sums over blocks of one size that `_sums` reads."""
    kinds = KINDS
    if num_seats > 2:
        kinds = KINDS | {f"r{k}": f"count(*) FILTER (WHERE s.rank = {k})" for k in range(1, num_seats + 1)}
    values = ["count(*) AS n", "sum(s.score * s.score) AS scores", "sum(s.margin * s.margin) AS margins"]
    values += [f"({value})::float8 AS {name}" for name, value in kinds.items()]
    sums = ["count(*)", "n", "sum(scores)::float8", "sum(margins)::float8"]
    sums += [f"sum({name}), sum({name} * {name})" for name in kinds]
    return {"values": sql.SQL(", ".join(values)), "sums": sql.SQL(", ".join(sums))}


def _sums(values: Sequence[Any]) -> Sums:
    blocks, n, scores, margins, *sums = values
    wins, draws, losses, score, margin, rank, *ranks = (
        BlockMoments(blocks, n * blocks, total, squares, n * total, n * n * blocks)
        for total, squares in zip(sums[::2], sums[1::2], strict=True)
    )
    return Sums(wins, draws, losses, score, margin, rank, tuple(ranks), scores, margins)


def _added(so_far: Sums | None, values: Sequence[Any]) -> Sums:
    """Sums, and those over blocks of another size."""
    more = _sums(values)
    return more if so_far is None else so_far + more


def metric_blocks(
    experiment: Experiment,
    arm: int,
    groups: Sequence[tuple[int, ...]],
    pairs: Sequence[tuple[str, str | None]],
    deals: int,
) -> dict[int, tuple[BlockMoments, ...]]:
    """Sums over deals of numbers that seats' metrics hold, by group of places, under the first place of each.

    pairs: (metric that is added up, metric that counts its cases, or None where each is one); only seats that
    have the first are looked at. deals: only so many, the first ones. Places of one side have the same sums.
    """
    sides = counted.seating(experiment)[arm].sides
    by_sides = {group[0]: tuple(sorted({place % sides for place in group})) for group in groups}
    distinct = list(dict.fromkeys(by_sides.values()))
    found: dict[int, tuple[BlockMoments, ...]] = {}
    with snapshot():
        for i in range(0, len(pairs), MAX_PAIRS):
            for index, *sums in fetched(_metric_query(experiment, arm, distinct, pairs[i : i + MAX_PAIRS], deals)):
                found[index] = found.get(index, ()) + tuple(moments(sums))
    indices = {place: distinct.index(group) for place, group in by_sides.items()}
    return {place: found[index] for place, index in indices.items() if index in found}


def _metric_query(
    experiment: Experiment,
    arm: int,
    groups: Sequence[tuple[int, ...]],
    pairs: Sequence[tuple[str, str | None]],
    deals: int,
) -> sql.Composed:
    """As many pairs as one statement takes."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair if name is not None))
    inner, outer = [], []
    for i, (total, cases) in enumerate(pairs):
        value = sql.Identifier("x", total)
        size = sql.SQL("count({})").format(value)
        if cases is not None:
            size = sql.SQL("sum({}) FILTER (WHERE {} IS NOT NULL)").format(sql.Identifier("x", cases), value)
        inner.append(sql.SQL("sum({}) AS t{}, {} AS n{}").format(value, _n(i), size, _n(i)))
        outer.append(block_sums(f"t{i}", f"n{i}"))
    cases_of = [sql.SQL("WHEN {} THEN {}").format(_n(side), _n(i)) for i, group in enumerate(groups) for side in group]
    return sql.SQL(
        "SELECT group_index, {outer} FROM (SELECT CASE s.side {cases} END AS group_index, s.deal, {inner}"
        " FROM {seats} s CROSS JOIN LATERAL {metrics} AS x"
        " WHERE s.arm_index = {arm} AND s.deal < {deals} AND s.side IN ({sides})"
        " GROUP BY group_index, s.deal) AS block GROUP BY group_index"
    ).format(
        outer=sql.SQL(", ").join(outer),
        inner=sql.SQL(", ").join(inner),
        cases=sql.SQL(" ").join(cases_of),
        metrics=metric_numbers.of_game(experiment.game).relation(names, "s"),
        sides=sql.SQL(", ").join(_n(side) for group in groups for side in group),
        seats=counted.seats(experiment),
        arm=sql.Literal(arm),
        deals=sql.Literal(deals),
    )


def block_sums(total: str, size: str) -> sql.SQL:
    """What `moments` reads of a block's total and of how many values it is of, as SQL."""
    return sql.SQL(BLOCK_SUMS.format(t=total, n=size))


def moments(values: Sequence[float | None]) -> list[BlockMoments]:
    """What BLOCK_SUMS gives, six values each; sums over no rows are null."""
    found = []
    for i in range(0, len(values), 6):
        blocks, n, total, squares, cross, n_squares = (value or 0 for value in values[i : i + 6])
        found.append(BlockMoments(int(blocks), round(n), float(total), float(squares), float(cross), round(n_squares)))
    return found


def fetched(query: sql.Composed) -> Sequence[tuple[Any, ...]]:
    """All rows; groups of deals are held in memory instead of sorted on disk."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL work_mem = '{WORK_MEMORY}'")
        cursor.execute(query)
        found: Sequence[tuple[Any, ...]] = cursor.fetchall()
        return found


def _n(number: int) -> sql.SQL:
    return sql.SQL(str(number))
