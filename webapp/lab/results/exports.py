"""Matches, metrics and plies of an experiment as files (see `webapp.lab.results.files`)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import Model
from psycopg import sql

from games import registry as game_registry
from webapp.lab.results import queries
from webapp.lab.results.columns import TABLES, Column, columns
from webapp.lab.results.files import FORMATS, BusyError, Download, Source, Span
from webapp.records import metric_numbers
from webapp.records.archive import table as archive
from webapp.records.models import EngineConfiguration, Experiment, Match, Seat

__all__ = ["FORMATS", "TABLES", "BusyError", "Download", "Span", "stream"]


LARGEST = 2**63 - 1
BY_DEAL, BY_MATCH = "m.arm_index, m.deal, m.rotation, s.seat", "m.id, s.seat"


@dataclass(frozen=True)
class _Rows:
    """The rows of a table: its FROM clause, its order, and that of a part of it."""

    source: str
    order: str
    part_order: str


_ROWS = {
    "matches": _Rows(
        "{match} m JOIN {arm} a ON a.experiment_id = m.experiment_id AND a.index = m.arm_index"
        " JOIN {seat} s ON s.match_id = m.id JOIN {configuration} c ON c.id = s.configuration_id"
        " CROSS JOIN LATERAL {metrics} AS x",
        BY_DEAL,
        BY_MATCH,
    ),
    "metrics": _Rows(
        "{match} m JOIN {seat} s ON s.match_id = m.id CROSS JOIN LATERAL {metric_rows} AS n",
        f"{BY_DEAL}, n.place",
        f"{BY_MATCH}, n.place",
    ),
    "plies": _Rows("{match} m JOIN {ply} p ON p.match_id = m.id", "m.id, p.ply", "m.id, p.ply"),
}


def _expression(column: Column, experiment: Experiment) -> str:
    if column.is_secret and experiment.is_secret:
        return "NULL::bigint"
    return column.unnamed if column.unnamed and experiment.hides_people else column.expression


def _select(experiment: Experiment, table: str, chosen: Match | Span | None, *, nested: bool) -> sql.Composed:
    """The one statement behind every format; `nested` keeps JSON columns as JSON."""
    fields = sql.SQL(", ").join(
        sql.SQL("{}{} AS {}").format(
            sql.SQL(_expression(column, experiment)),
            sql.SQL("::text" if column.is_json and not nested else ""),
            sql.Identifier(column.name),
        )
        for column in columns(experiment, table)
    )
    in_files = table == "plies" and archive.is_filed(experiment)
    rows = _ROWS[table]
    return sql.SQL("SELECT {fields} FROM {rows} WHERE m.experiment_id = {experiment}{only} ORDER BY {order}").format(
        fields=fields,
        rows=sql.SQL(rows.source).format(**_relations(experiment, in_files=in_files)),
        experiment=sql.Literal(experiment.pk),
        only=_only(chosen, in_files=in_files),
        order=sql.SQL(rows.part_order if isinstance(chosen, Span) else rows.order),
    )


def _relations(experiment: Experiment, *, in_files: bool) -> dict[str, sql.Composable]:
    """What the FROM clauses of `_ROWS` name."""
    metrics = game_registry.get(experiment.game).metric_table
    names = metric_numbers.of_game(experiment.game)
    return {
        "match": _table(Match),
        "arm": _table(experiment.arms.model),
        "seat": _table(Seat),
        "configuration": _table(EngineConfiguration),
        "ply": archive.TABLE if in_files else archive.ROWS,
        "metrics": names.relation([metric.id for metric in metrics], "s"),
        "metric_rows": names.rows([(metric.id, metric.group, metric.kind) for metric in metrics], "s"),
    }


def _only(chosen: Match | Span | None, *, in_files: bool) -> sql.Composable:
    """Condition on the matches of an export."""
    if isinstance(chosen, Match):
        return sql.SQL(" AND m.id = {}").format(sql.Literal(chosen.pk))
    filled = sql.SQL(_FILLED if in_files else "")
    if chosen is None:
        return filled
    span = sql.SQL(" AND m.id > {} AND m.id <= {}").format(sql.Literal(chosen.after), sql.Literal(chosen.last))
    return span + filled


_FILLED = " AND m.id = ANY(ARRAY(SELECT DISTINCT match_id FROM pg_temp.archived_ply))"
"""Only matches whose plies are in the table just now: of them alone rows are looked up."""


def _table(model: type[Model]) -> sql.Identifier:
    return sql.Identifier(model._meta.db_table)


def span_after(experiment: Experiment, after: int | None, limit: int | None) -> tuple[Span, int | None]:
    """The span of the next `limit` matches, and the match after which the one behind it begins; None: it is the last.

    after: None: from the first on. limit: None: all of them. While matches are still played, one with a smaller
    number may yet be written.
    """
    after = after or 0
    if limit is None:
        return Span(after, LARGEST), None
    rows = Match.objects.filter(experiment=experiment, pk__gt=after).order_by("pk").values_list("pk", flat=True)
    found = list(rows[limit - 1 : limit + 1])
    if found:
        return Span(after, found[0]), found[0] if len(found) > 1 else None
    return Span(after, rows.last() or after), None


def read(experiment: Experiment, table: str, chosen: Match | Span) -> list[dict[str, Any]]:
    """Rows of an export as JSON, for a few matches. Raises ArchiveError."""
    in_files = table == "plies" and archive.is_filed(experiment)
    with queries.snapshot(experiment if in_files else None):
        if in_files:
            archive.relation(experiment, archive.Wanted(matches=_numbers(experiment, chosen), has_info=True))
        statement = _select(experiment, table, chosen, nested=True)
        rows = queries.fetched(sql.SQL("SELECT row_to_json(row)::text FROM ({}) AS row").format(statement))
    return [json.loads(text) for (text,) in rows]


def _numbers(experiment: Experiment, chosen: Match | Span) -> list[int]:
    if isinstance(chosen, Match):
        return [chosen.pk]
    found = Match.objects.filter(experiment=experiment, pk__gt=chosen.after, pk__lte=chosen.last)
    return list(found.values_list("pk", flat=True))


def stream(
    experiment: Experiment, table: str, format_id: str, chosen: Match | Span | None = None, who: str = ""
) -> Download:
    """Blocks of the file. Raises KeyError for an unknown table or format, BusyError without a free slot.

    chosen: one match, or some; who: see `Download`. The statement runs when the first block is asked for. Raises
    ArchiveError where the plies are in a file that is missing or cut off.
    """
    if table not in TABLES:
        raise KeyError(table)
    return Download(FORMATS[format_id], source(experiment, table, chosen), who)


def source(experiment: Experiment, table: str, chosen: Match | Span | None = None) -> Source:
    """The rows of a table, to be written. Raises ArchiveError where plies are in a file that cannot be read."""
    in_files = table == "plies" and archive.is_filed(experiment)
    match, span = (chosen, None) if isinstance(chosen, Match) else (None, chosen)
    bounds = None if span is None else (span.after, span.last)
    if in_files:
        archive.refuse_unreadable(experiment, match)
    listed = columns(experiment, table)
    return Source(
        flat=_select(experiment, table, chosen, nested=False),
        nested=_select(experiment, table, chosen, nested=True),
        kinds={column.name: column.kind for column in listed},
        about={column.name: column.field for column in listed},
        typed={column.name for column in listed if column.is_typed},
        portions=partial(archive.portions, experiment=experiment, match=match, span=bounds) if in_files else None,
    )
