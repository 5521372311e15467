"""Sums over blocks of deals in which nothing more is played: kept, so that a look adds up only what is new.

A statement whose rows are sums over deals is asked for each block of BLOCK deals, and once for the deals
behind them. What it answers for a block is kept in `DealBlock`, under the digest of its very text: that holds all
it depends on (the deals in part, where a stop rule ended), and a statement that is changed is asked anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from django.db import connection, transaction
from psycopg import sql

from webapp.records.models import DealBlock, Experiment

BLOCK = 4096
"""Deals in a block: few enough to be added up within a page's time, so many that small experiments have none."""
WORK_MEMORY = "64MB"

Deals = tuple[int, int | None]
"""From one deal up to another, that one excluded; None: to the end."""
Row = tuple[Any, ...]
ALL: Deals = (0, None)

_OPEN = """
SELECT arm_index, min(first) FROM records_chunk
WHERE experiment_id = %s AND status IN ('waiting', 'claimed') GROUP BY arm_index
"""


def parts(experiment: Experiment, matches: Sequence[int]) -> list[Deals]:
    """The blocks of deals that are over, in order, and the rest.

    matches: of a deal, by arm. Only chunks say which deals are over: where agents play there are none.
    """
    if experiment.has_agents or experiment.kind != Experiment.Kind.EXPERIMENT:
        return [ALL]
    deals = int(experiment.spec["deals"])
    if deals < BLOCK:
        return [ALL]
    with connection.cursor() as cursor:
        cursor.execute(_OPEN, [experiment.pk])
        over = min((first // matches[arm] for arm, first in cursor.fetchall()), default=deals)
    ends = range(BLOCK, over + 1, BLOCK)
    rest = BLOCK * len(ends)
    return [*((end - BLOCK, end) for end in ends), *([(rest, None)] if rest < deals else [])]


def within(deals: Deals) -> sql.Composable:
    """Whether the deal of a row is one of these, as SQL that follows other conditions."""
    first, end = deals
    found = [sql.SQL(" AND deal >= {}").format(sql.Literal(first))] if first else []
    found += [sql.SQL(" AND deal < {}").format(sql.Literal(end))] if end is not None else []
    return sql.SQL("").join(found)


def summed(
    experiment: Experiment, deals: Sequence[Deals], query: Callable[[Deals], sql.Composed], keys: Sequence[int]
) -> list[Row]:
    """Rows of a statement over all these deals: those with equal values in the columns `keys`, added up.

    Lists are joined. Inside of a transaction what is new is kept after its end.
    """
    if len(deals) == 1:
        return [_plain(row) for row in _ask(query(deals[0]))]
    queries = [query(part) for part in deals]
    digests = [hashlib.sha256(one.as_bytes(connection.connection)).hexdigest() for one in queries]
    known = dict(DealBlock.objects.filter(experiment=experiment, key__in=digests).values_list("key", "rows"))
    found: dict[Row, list[Any]] = {}
    new = []
    for (_, end), one, key in zip(deals, queries, digests, strict=True):
        rows = known.get(key)
        if rows is None:
            rows = [_plain(row) for row in _ask(one)]
            new += [DealBlock(experiment=experiment, key=key, rows=rows)] if end is not None else []
        for row in rows:
            _add(found, row, keys)
    if new:
        transaction.on_commit(lambda: _keep(new), robust=True)
    return [tuple(row) for row in found.values()]


def _add(found: dict[Row, list[Any]], row: Sequence[Any], keys: Sequence[int]) -> None:
    key = tuple(row[i] for i in keys)
    so_far = found.get(key)
    if so_far is None:
        found[key] = list(row)
        return
    for i, value in enumerate(row):
        if i not in keys and value is not None:
            so_far[i] = value if so_far[i] is None else so_far[i] + value


def _plain(row: Sequence[Any]) -> Row:
    """The row as JSON gives it back."""
    return tuple(_number(value) if isinstance(value, Decimal) else value for value in row)


def _number(value: Decimal) -> int | float:
    whole = int(value)
    return whole if whole == value else float(value)


def _keep(new: Sequence[DealBlock]) -> None:
    DealBlock.objects.bulk_create(new, ignore_conflicts=True)


def _ask(query: sql.Composed) -> Sequence[Row]:
    """All rows; groups of deals are held in memory instead of sorted on disk.

    In a caller's transaction without a savepoint: that would be two statements more, and nobody goes back to it.
    """
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL work_mem = '{WORK_MEMORY}'")
        cursor.execute(query)
        found: Sequence[Row] = cursor.fetchall()
        return found
