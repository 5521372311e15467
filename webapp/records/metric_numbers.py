"""Metrics of a seat as two arrays of numbers; their names stand once for each game, in `MetricNames`.

A name has its place for good: names are only added, at the end. What was a small whole number in all
matches so far is at its place among `counts` (two bytes a number), all else among `measures` (eight). A
name that turns out to have other numbers gets a place among `measures` and leaves that among `counts`
unused from then on. So a reader asks both places and needs to know nothing else of a row. Rows of before
hold the same as JSON, in `metrics`, until `rewrite` has come to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import psycopg
from django.db import connection, transaction
from numpy.typing import NDArray
from psycopg import sql

from webapp.records import copy_binary
from webapp.records.metric_table import MetricTable, Numbers, Values
from webapp.records.models import MetricNames, Seat

SMALLEST, LARGEST = -(2**15), 2**15 - 1
SLICE = 2_000
"""Seats whose metrics are rewritten in one transaction."""


@dataclass(frozen=True)
class Names:
    """The names of a game's metrics in the order of their places; a name in both is among `measures`."""

    counts: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    count_places: Mapping[str, int] = field(init=False, repr=False, compare=False)
    measure_places: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Look places up once."""
        object.__setattr__(self, "count_places", {name: i for i, name in enumerate(self.counts)})
        object.__setattr__(self, "measure_places", {name: i for i, name in enumerate(self.measures)})

    def with_all(self, table: MetricTable) -> Names:
        """The names with those that these numbers need besides; the same object where they need none."""
        are_counts = _are_counts(table.values)
        others = [name for name, is_count in zip(table.names, are_counts, strict=True) if not is_count]
        counts = [name for name, is_count in zip(table.names, are_counts, strict=True) if is_count]
        measures = [name for name in others if name not in self.measure_places]
        counts = [name for name in counts if name not in self.count_places and name not in self.measure_places]
        return Names((*self.counts, *counts), (*self.measures, *measures)) if counts or measures else self

    def arrays(self, table: MetricTable) -> list[tuple[bytes, bytes]]:
        """The numbers of each seat by place, as fields for `Seat.counts` and `Seat.measures`."""
        places = {name: i for i, name in enumerate(table.names) if name not in self.measure_places}
        counts = _by_place(table, self.counts, places)
        measures = _by_place(table, self.measures, {name: i for i, name in enumerate(table.names)})
        found = (
            copy_binary.ragged_arrays(values, np.isfinite(values), kind)
            for values, kind in ((counts, copy_binary.SMALL), (measures, copy_binary.REAL))
        )
        return list(zip(*found, strict=True))

    def read(self, seat: Seat) -> dict[str, Any] | None:
        """The metrics of a seat by name; None where its match has no result."""
        if seat.counts is None or seat.measures is None:
            return cast("dict[str, Any] | None", seat.metrics)
        pairs = (*zip(self.counts, seat.counts, strict=False), *zip(self.measures, seat.measures, strict=False))
        return {name: value for name, value in pairs if value is not None}

    def expression(self, name: str, seat: str) -> sql.Composed:
        """A metric as a double, in SQL over the alias of a seat; null where the seat has none."""
        found = []
        if (place := self.measure_places.get(name)) is not None:
            found.append(sql.SQL("{}.measures[{}]").format(sql.Identifier(seat), sql.Literal(place + 1)))
        if (place := self.count_places.get(name)) is not None:
            found.append(sql.SQL("{}.counts[{}]::float8").format(sql.Identifier(seat), sql.Literal(place + 1)))
        found.append(sql.SQL("({}.metrics->>{})::float8").format(sql.Identifier(seat), sql.Literal(name)))
        return sql.SQL("coalesce({})").format(sql.SQL(", ").join(found))

    def relation(self, names: Iterable[str], seat: str) -> sql.Composed:
        """Metrics of a seat as a row of doubles, to stand behind LATERAL in a FROM clause."""
        columns = [sql.SQL("{} AS {}").format(self.expression(name, seat), sql.Identifier(name)) for name in names]
        return sql.SQL("(SELECT {})").format(sql.SQL(", ").join(columns))

    def rows(self, metrics: Sequence[tuple[str, str, str]], seat: str) -> sql.Composed:
        """Metrics of a seat that it has as rows: place, metric, group_name, kind, value; to stand behind LATERAL.

        metrics: name, group and kind of each, in the order of their places.
        """
        described = {name: (place, name, group, kind) for place, (name, group, kind) in enumerate(metrics)}
        listed = _described([described.get(name) for name, *_ in metrics])
        alias = sql.Identifier(seat)
        parts = [
            sql.SQL("SELECT * FROM unnest({}, {}.{}) AS {}").format(
                _described([described.get(name) for name in names]), alias, sql.Identifier(column), _ROW
            )
            for names, column in ((self.counts, "counts"), (self.measures, "measures"))
            if names
        ]
        parts.append(
            sql.SQL(
                "SELECT d.*, j.value::float8 FROM jsonb_each_text({}.metrics) AS j"
                " JOIN unnest({}) AS d (place, metric, group_name, kind) ON d.metric = j.key"
            ).format(alias, listed)
        )
        return sql.SQL("(SELECT * FROM ({}) AS {} WHERE metric IS NOT NULL AND value IS NOT NULL)").format(
            sql.SQL(" UNION ALL ").join(parts), _ROW
        )


_ROW = sql.SQL("every (place, metric, group_name, kind, value)")


def _described(rows: Sequence[tuple[int, str, str, str] | None]) -> sql.Composed:
    """Four arrays for unnest; null where a row is none."""
    columns = zip(*(row or (None, None, None, None) for row in rows), strict=True) if rows else ((),) * 4
    kinds = ("int", "text", "text", "text")
    return sql.SQL(", ").join(
        sql.SQL("{}::{}[]").format(sql.Literal(list(values)), sql.SQL(kind))
        for values, kind in zip(columns, kinds, strict=True)
    )


def _are_counts(values: Values) -> NDArray[np.bool_]:
    """Of each column, whether places among counts hold its numbers; none that is not finite is one."""
    is_count = (values >= SMALLEST) & (values <= LARGEST) & (np.floor(values) == values)
    found: NDArray[np.bool_] = (is_count | ~np.isfinite(values)).all(axis=0)
    return found


def _by_place(table: MetricTable, names: Sequence[str], columns: Mapping[str, int]) -> Values:
    """The columns of names, in their order; NaN for one that is not among them."""
    found = np.full((len(table.values), len(names)), np.nan)
    pairs = [(place, columns[name]) for place, name in enumerate(names) if name in columns]
    if pairs:
        places, numbers = np.array(pairs).T
        found[:, places] = table.values[:, numbers]
    return found


NO_ARRAYS = (copy_binary.NULL, copy_binary.NULL)
"""The arrays of a seat whose match has no result."""


def of_game(game: str) -> Names:
    """The names of a game's metrics that rows hold; none where none is recorded yet."""
    row = MetricNames.objects.filter(pk=game).first()
    return Names() if row is None else Names(tuple(row.counts), tuple(row.measures))


_OF_EXPERIMENT = """
select e.game, n.counts, n.measures from records_experiment e
left join records_metricnames n on n.game = e.game where e.id = %s
"""
_OF_GAME = "select counts, measures from records_metricnames where game = %s for update"


def hold(cursor: psycopg.Cursor[Any], experiment_id: int, table: MetricTable) -> Names:
    """Names under which these metrics of an experiment's seats can be written, in the caller's transaction.

    New ones are added under the lock of the game's row, which others who have new ones wait for.
    """
    cursor.execute(_OF_EXPERIMENT, (experiment_id,))
    game, counts, measures = cursor.fetchone() or ("", None, None)
    known = Names(tuple(counts or ()), tuple(measures or ()))
    return known if known.with_all(table) is known else add(cursor, game, table)


def add(cursor: psycopg.Cursor[Any], game: str, table: MetricTable) -> Names:
    """The names of a game's metrics, with new ones of these seats, which are kept."""
    cursor.execute(
        "insert into records_metricnames (game, counts, measures) values (%s, '{}', '{}') on conflict do nothing",
        (game,),
    )
    cursor.execute(_OF_GAME, (game,))
    counts, measures = cursor.fetchone() or ((), ())
    known = Names(tuple(counts), tuple(measures))
    names = known.with_all(table)
    if names is not known:
        cursor.execute(
            "update records_metricnames set counts = %s, measures = %s where game = %s",
            (list(names.counts), list(names.measures), game),
        )
    return names


def rewrite(limit: int = SLICE) -> int:
    """Rewrite the metrics of some seats of before as numbers; return of how many (0: none is left).

    One transaction, so that a crash leaves each row in one form or the other, and readers see no difference.
    """
    with transaction.atomic(), connection.cursor() as wrapper:
        cursor = cast(psycopg.Cursor[Any], wrapper.cursor)  # psycopg's own, inside Django's
        found = (
            Seat.objects.filter(metrics__isnull=False)
            .order_by("match_id")
            .values_list("experiment__game", "match_id", "seat", "metrics")[:limit]
        )
        by_game: dict[str, list[tuple[int, int, Numbers]]] = {}
        for game, match_id, seat, values in found:
            assert values is not None, "asked for"
            by_game.setdefault(game, []).append((match_id, seat, values))
        if by_game:
            _rewrite(cursor, by_game)
    return sum(map(len, by_game.values()))


def _rewrite(cursor: psycopg.Cursor[Any], by_game: Mapping[str, Sequence[tuple[int, int, Numbers]]]) -> None:
    rows = []
    for game, seats in sorted(by_game.items()):
        table = MetricTable.of([values for _, _, values in seats])
        names = add(cursor, game, table)
        keys = copy_binary.blocks(
            len(seats),
            copy_binary.Fixed(np.array([match_id for match_id, _, _ in seats]), ">i8"),
            copy_binary.Fixed(np.array([seat for _, seat, _ in seats]), ">i2"),
        )
        rows += [key + counts + measures for key, (counts, measures) in zip(keys, names.arrays(table), strict=True)]
    columns = ("match_id", "seat", "counts", "measures")
    cursor.execute(
        f"create temp table if not exists rewritten_seat on commit delete rows as "
        f"select {', '.join(columns)} from records_seat with no data"
    )
    copy_binary.send(cursor, "rewritten_seat", columns, rows)
    cursor.execute(
        "update records_seat s set counts = r.counts, measures = r.measures, metrics = null"
        " from rewritten_seat r where r.match_id = s.match_id and r.seat = s.seat"
    )
    cursor.execute("delete from rewritten_seat")
