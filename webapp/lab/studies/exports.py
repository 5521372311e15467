"""The rows of a study as files: one line a piece, the fields of its row as columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db import connection
from psycopg import sql

from webapp.lab.results.columns import INSTANT, Column
from webapp.lab.results.files import FORMATS, Download, Source, Span
from webapp.lab.studies.progress import ENDED
from webapp.records.models import Study
from worker.fields import Field, Kind
from worker.studies import registry

TABLE = "rows"
LARGEST = 2**63 - 1

BASE = (
    Column("piece", "p.index", Field("Number of the piece of work, from 0.")),
    Column("status", "p.status", Field("“done”, or “failed”: then there is no row.", "string")),
    Column("failure", "nullif(p.failure, '')", Field("Why a failed piece has no row.", "string")),
    Column("cpu_s", "p.cpu_s", Field("CPU time of the piece.", "double", "seconds")),
    Column("ended_at", INSTANT.format("p.ended_at"), Field("Instant at which it ended, in UTC.", "timestamp")),
    Column("versions", "p.versions", Field("Versions of the kind of study and of the game that did it.", "json")),
)
"""The columns that all studies have, their SQL over p (piece)."""
OTHER = "A field of the rows of this kind of study, of another version."

# The fields of the rows in order of their names, with what kinds of values they hold.
_FIELDS = """
select f.key,
       array_agg(distinct jsonb_typeof(f.value)),
       bool_and(case when jsonb_typeof(f.value) = 'number'
                     then trunc((f.value)::numeric) = (f.value)::numeric and abs((f.value)::numeric) < %s end)
from records_studypiece p cross join lateral jsonb_each(p.row) as f
where p.study_id = %s and p.status = 'done' and jsonb_typeof(p.row) = 'object' and jsonb_typeof(f.value) <> 'null'
group by f.key order by f.key
"""

_SIMPLE: dict[str, Kind] = {"string": "string", "boolean": "bool"}


def span_after(study: Study, after: int | None, limit: int | None) -> tuple[Span, int | None]:
    """The part with the next `limit` rows, and the piece after which the one behind it begins; None: it is the last.

    after: None: from the first on. limit: None: all of them.
    """
    after = -1 if after is None else after
    if limit is None:
        return Span(after, LARGEST), None
    ended = study.pieces.filter(index__gt=after, status__in=ENDED).order_by("index").values_list("index", flat=True)
    found = list(ended[limit - 1 : limit + 1])
    if found:
        return Span(after, found[0]), found[0] if len(found) > 1 else None
    return Span(after, LARGEST), None


def stream(study: Study, table: str, format_id: str, chosen: Span | None = None, who: str = "") -> Download:
    """Blocks of the file. Raises KeyError for an unknown table or format, BusyError without a free slot.

    chosen: pieces after one and up to another. who: see `Download`.
    """
    if table != TABLE:
        raise KeyError(table)
    return Download(FORMATS[format_id], source(study, chosen), who)


def source(study: Study, chosen: Span | None = None) -> Source:
    """The rows of a study, to be written."""
    listed = columns(study)
    own = [(sql.SQL(column.expression), column.name) for column in BASE]
    own_flat = [(sql.SQL(f"{column.expression}{'::text' * column.is_json}"), column.name) for column in BASE]
    flat = [(_text(key, column), column.name) for key, column in listed]
    nested = [(sql.SQL("p.row->{}").format(sql.Literal(key)), column.name) for key, column in listed]
    every = [*BASE, *(column for _, column in listed)]
    return Source(
        flat=_select(study, own_flat + flat, chosen),
        nested=_select(study, own + nested, chosen),
        kinds={column.name: column.kind for column in every},
        about={column.name: column.field for column in every},
    )


def name_of(key: str) -> str:
    """The name of the column of a field of the rows."""
    return f"row_{key}" if key in {column.name for column in BASE} else key


def columns(study: Study) -> list[tuple[str, Column]]:
    """Key and column of each field that the rows hold. A type that its kind does not say is that of the values."""
    known = registry.get(study.kind).row_fields if study.kind in registry.ids() else {}
    with connection.cursor() as cursor:
        cursor.execute(_FIELDS, [LARGEST, study.pk])
        found = cursor.fetchall()
    return [(key, _column(key, known.get(key), _kind(types, is_whole))) for key, types, is_whole in found]


def _column(key: str, about: Field | None, held: Kind) -> Column:
    about = about or Field(OTHER, held)
    kind = about.kind if (held, about.kind) == ("int64", "double") else held
    return Column(name_of(key), "", replace(about, kind=kind))


def _kind(types: list[str], is_whole: bool | None) -> Kind:
    """The type of a column: values that are not plain, or not all of one type, stay JSON."""
    if types == ["number"]:
        return "int64" if is_whole else "double"
    return _SIMPLE.get(types[0], "json") if len(types) == 1 else "json"


def _text(key: str, column: Column) -> sql.Composable:
    """SQL of a field: whole numbers without a decimal point, JSON as JSON text."""
    literal = sql.Literal(key)
    if column.kind == "int64":
        return sql.SQL("(p.row->>{})::numeric::int8").format(literal)
    return sql.SQL("(p.row->{})::text" if column.is_json else "p.row->>{}").format(literal)


def _select(study: Study, columns: list[tuple[Any, str]], chosen: Span | None) -> sql.Composed:
    named = sql.SQL(", ").join(sql.SQL("{} AS {}").format(value, sql.Identifier(name)) for value, name in columns)
    return sql.SQL(
        "SELECT {} FROM records_studypiece p WHERE p.study_id = {} AND p.status IN ('done', 'failed')"
        " AND p.index > {} AND p.index <= {} ORDER BY p.index"
    ).format(named, *map(sql.Literal, (study.pk, chosen.after if chosen else -1, chosen.last if chosen else LARGEST)))
