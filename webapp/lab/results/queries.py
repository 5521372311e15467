"""The SQL behind result tables and charts: sums, so that no page reads a row per match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from psycopg import sql

from webapp.records.models import Match, Seat, Summary
from worker.analysis.moments import BlockMoments

SIDE_BLOCKS = """
WITH block AS (
    SELECT s.arm_index, s.lineup_index, count(*) AS n, sum(s.score)::float8 AS score, sum(s.margin)::float8 AS margin
    FROM {seat} s
    WHERE s.experiment_id = {experiment} AND s.result IS NOT NULL
    GROUP BY s.arm_index, s.lineup_index, s.deal
)
SELECT arm_index, lineup_index, count(*), sum(n)::int, sum(n * n)::int,
       sum(score), sum(score * score), sum(score * n),
       sum(margin), sum(margin * margin), sum(margin * n)
FROM block GROUP BY arm_index, lineup_index
"""

SEAT_TOTALS = """
SELECT arm_index, lineup_index, seat,
       coalesce(sum(total) FILTER (WHERE metric = 'win'), 0)::int,
       coalesce(sum(total) FILTER (WHERE metric = 'draw'), 0)::int,
       coalesce(sum(total) FILTER (WHERE metric = 'loss'), 0)::int,
       coalesce(sum(total) FILTER (WHERE metric = 'score'), 0),
       coalesce(sum(total_squares) FILTER (WHERE metric = 'score'), 0),
       coalesce(sum(total) FILTER (WHERE metric = 'margin'), 0),
       coalesce(sum(total_squares) FILTER (WHERE metric = 'margin'), 0)
FROM {summary}
WHERE experiment_id = {experiment} AND ply = -1 AND metric IN ('win', 'draw', 'loss', 'score', 'margin')
GROUP BY arm_index, lineup_index, seat ORDER BY arm_index, lineup_index, seat
"""

PAIRS = """
WITH block AS (
    SELECT s.arm_index, s.deal, count(*) AS n,
           (count(*) FILTER (WHERE s.result = 'win'))::float8 / count(*) AS w, sum(s.margin)::float8 / count(*) AS g
    FROM {seat} s
    WHERE s.experiment_id = {experiment} AND s.result IS NOT NULL AND s.lineup_index = {place}
    GROUP BY s.arm_index, s.deal
), pair AS (
    SELECT a.arm_index, b.arm_index AS baseline, a.n = {rotations} AND b.n = {rotations} AS whole,
           a.w, a.g, b.w AS bw, b.g AS bg
    FROM block a JOIN block b ON b.deal = a.deal WHERE b.arm_index = 0 AND a.arm_index > 0
    UNION ALL
    SELECT a.arm_index, b.arm_index, a.n = {rotations} AND b.n = {rotations}, a.w, a.g, b.w, b.g
    FROM block a JOIN block b ON b.deal = a.deal WHERE a.arm_index = {best} AND b.arm_index NOT IN (0, {best})
)
SELECT arm_index, baseline, count(*), count(*) FILTER (WHERE whole),
       sum(w - bw) FILTER (WHERE whole), sum((w - bw) ^ 2) FILTER (WHERE whole),
       sum(w) FILTER (WHERE whole), sum(w ^ 2) FILTER (WHERE whole),
       sum(bw) FILTER (WHERE whole), sum(bw ^ 2) FILTER (WHERE whole),
       sum(g - bg) FILTER (WHERE whole), sum((g - bg) ^ 2) FILTER (WHERE whole),
       sum(g) FILTER (WHERE whole), sum(g ^ 2) FILTER (WHERE whole),
       sum(bg) FILTER (WHERE whole), sum(bg ^ 2) FILTER (WHERE whole)
FROM pair GROUP BY arm_index, baseline
"""

FAILURES = """
SELECT m.arm_index, s.lineup_index, count(*)
FROM {match} m LEFT JOIN {seat} s ON s.match_id = m.id AND s.seat = (m.failure->>'seat')::int
WHERE m.experiment_id = {experiment} AND m.status = 'failed'
GROUP BY m.arm_index, s.lineup_index
"""

DEALS = """
SELECT s.deal, count(*), count(*) FILTER (WHERE s.result = 'win'), sum(s.margin)::float8,
       sum(s.margin * s.margin)::float8
FROM {seat} s
WHERE s.experiment_id = {experiment} AND s.result IS NOT NULL
  AND s.arm_index = {arm} AND s.lineup_index = {place}
GROUP BY s.deal ORDER BY s.deal
"""

MARGINS = """
SELECT s.margin, count(*)
FROM {seat} s
WHERE s.experiment_id = {experiment} AND s.result IS NOT NULL
  AND s.arm_index = {arm} AND s.lineup_index = {place}
GROUP BY s.margin ORDER BY s.margin
"""

LENGTHS = """
SELECT length::int, count(*) FROM (
    SELECT max((s.metrics->>{metric})::float8) AS length
    FROM {seat} s
    WHERE s.experiment_id = {experiment} AND s.result IS NOT NULL AND s.arm_index = {arm}
    GROUP BY s.match_id
) AS played WHERE length IS NOT NULL GROUP BY length ORDER BY length
"""

WORK_MEMORY = "64MB"
MAX_PAIRS = 200
"""Pairs of metrics in one statement: Postgres answers at most 1,664 columns, and a pair takes six."""
BLOCK_SUMS = "count(*) FILTER (WHERE {n} > 0), sum({n}), sum({t}), sum({t} * {t}), sum({t} * {n}), sum({n} * {n})"


@contextmanager
def snapshot() -> Iterator[None]:
    """All statements inside see one moment of the database; so they do in a caller's transaction."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def rows(statement: str, experiment: int, **values: int | str) -> Sequence[tuple[Any, ...]]:
    """Run one of the statements above."""
    tables = {"match": Match, "seat": Seat, "summary": Summary}
    query = sql.SQL(statement).format(
        experiment=sql.Literal(experiment),
        **{name: sql.Identifier(model._meta.db_table) for name, model in tables.items()},
        **{name: sql.Literal(value) for name, value in values.items()},
    )
    return _fetched(query)


def metric_blocks(
    experiment: int, arm: int, groups: Sequence[tuple[int, ...]], pairs: Sequence[tuple[str, str | None]], deals: int
) -> dict[int, tuple[BlockMoments, ...]]:
    """Sums over deals of numbers that seats' metrics hold, by group of places, under the first place of each.

    pairs: (metric that is added up, metric that counts its cases, or None where each is one); only seats that
    have the first are looked at. deals: only so many, the first ones.
    """
    found: dict[int, tuple[BlockMoments, ...]] = {}
    for i in range(0, len(pairs), MAX_PAIRS):
        query = _metric_query(experiment, arm, groups, pairs[i : i + MAX_PAIRS], deals)
        for side, *sums in _fetched(query):
            found[side] = found.get(side, ()) + tuple(_moments(sums))
    return found


def _metric_query(
    experiment: int, arm: int, groups: Sequence[tuple[int, ...]], pairs: Sequence[tuple[str, str | None]], deals: int
) -> sql.Composed:
    """As many pairs as one statement takes. Each row's JSON is read once, whatever is asked of it."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair if name is not None))
    inner, outer = [], []
    for i, (total, cases) in enumerate(pairs):
        value = sql.Identifier("x", total)
        size = sql.SQL("count({})").format(value)
        if cases is not None:
            size = sql.SQL("sum({}) FILTER (WHERE {} IS NOT NULL)").format(sql.Identifier("x", cases), value)
        inner.append(sql.SQL("sum({}) AS t{}, {} AS n{}").format(value, _n(i), size, _n(i)))
        outer.append(_block_sums(f"t{i}", f"n{i}"))
    first = [sql.SQL("WHEN {} THEN {}").format(_n(place), _n(group[0])) for group in groups for place in group]
    return sql.SQL(
        "SELECT side, {outer} FROM (SELECT CASE s.lineup_index {first} END AS side, s.deal, {inner}"
        " FROM {seat} s CROSS JOIN LATERAL jsonb_to_record(s.metrics) AS x({fields})"
        " WHERE s.experiment_id = {experiment} AND s.result IS NOT NULL AND s.arm_index = {arm} AND s.deal < {deals}"
        " AND s.lineup_index IN ({places}) GROUP BY side, s.deal) AS block GROUP BY side"
    ).format(
        outer=sql.SQL(", ").join(outer),
        inner=sql.SQL(", ").join(inner),
        first=sql.SQL(" ").join(first),
        fields=sql.SQL(", ").join(sql.SQL("{} float8").format(sql.Identifier(name)) for name in names),
        places=sql.SQL(", ").join(_n(place) for group in groups for place in group),
        seat=sql.Identifier(Seat._meta.db_table),
        experiment=sql.Literal(experiment),
        arm=sql.Literal(arm),
        deals=sql.Literal(deals),
    )


def seat_blocks(experiment: int, num_seats: int) -> list[BlockMoments]:
    """Sums over deals by seat, over all arms and rotations; only of the first seats where there are more.

    Returns wins of seat 0, margin of seat 0, wins of seat 1, ... and last the lead of seat 0:
    its score less the mean of the others'.
    """
    seats = range(num_seats)
    each = sql.SQL(
        "(count(*) FILTER (WHERE s.seat = {k}))::float8 AS n{k},"
        " (count(*) FILTER (WHERE s.seat = {k} AND s.result = 'win'))::float8 AS w{k},"
        " coalesce(sum(s.margin) FILTER (WHERE s.seat = {k}), 0)::float8 AS m{k}"
    )
    lead = sql.SQL("sum(CASE WHEN s.seat = 0 THEN s.score ELSE -s.score::float8 / {others} END) AS lead")
    outer = [_block_sums(f"{kind}{k}", f"n{k}") for k in seats for kind in "wm"]
    query = sql.SQL(
        "SELECT {outer} FROM (SELECT {inner} FROM {seat} s"
        " WHERE s.experiment_id = {experiment} AND s.result IS NOT NULL AND s.seat < {num_seats}"
        " GROUP BY s.deal) AS block"
    ).format(
        num_seats=sql.Literal(num_seats),
        outer=sql.SQL(", ").join([*outer, _block_sums("lead", "n0")]),
        inner=sql.SQL(", ").join([*(each.format(k=_n(k)) for k in seats), lead.format(others=_n(num_seats - 1))]),
        seat=sql.Identifier(Seat._meta.db_table),
        experiment=sql.Literal(experiment),
    )
    return _moments(_fetched(query)[0])


def _block_sums(total: str, size: str) -> sql.SQL:
    return sql.SQL(BLOCK_SUMS.format(t=total, n=size))


def _moments(values: Sequence[float | None]) -> list[BlockMoments]:
    """What BLOCK_SUMS gives, six values each; sums over no rows are null."""
    found = []
    for i in range(0, len(values), 6):
        blocks, n, total, squares, cross, n_squares = (value or 0 for value in values[i : i + 6])
        found.append(BlockMoments(int(blocks), round(n), float(total), float(squares), float(cross), round(n_squares)))
    return found


def _fetched(query: sql.Composed) -> Sequence[tuple[Any, ...]]:
    """All rows; groups of deals are held in memory instead of sorted on disk."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL work_mem = '{WORK_MEMORY}'")
        cursor.execute(query)
        found: Sequence[tuple[Any, ...]] = cursor.fetchall()
        return found


def _n(number: int) -> sql.SQL:
    return sql.SQL(str(number))
