"""The rows of a study as files: one line a piece, the fields of its row as columns."""

from __future__ import annotations

from typing import Any

from django.db import connection
from psycopg import sql

from webapp.lab.results.files import FORMATS, Download, Source, Span
from webapp.lab.studies.progress import ENDED
from webapp.records.models import Study

TABLE = "rows"
LARGEST = 2**63 - 1

BASE = (
    ("piece", "p.index", "int64"),
    ("status", "p.status", "string"),
    ("failure", "nullif(p.failure, '')", "string"),
    ("cpu_s", "p.cpu_s", "double"),
    ("ended_at", """to_char(p.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')""", "timestamp"),
)
"""Name, SQL over p (piece) and kind of the columns that all studies have."""

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

_SIMPLE = {"string": "string", "boolean": "bool"}


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
    return Download(FORMATS[format_id], _source(study, chosen), who)


def _source(study: Study, chosen: Span | None = None) -> Source:
    fields = _fields(study)
    own = [(sql.SQL(expression), name) for name, expression, _ in BASE]
    flat = [(_text(key, kind), name) for key, name, kind in fields]
    nested = [(sql.SQL("p.row->{}").format(sql.Literal(key)), name) for key, name, _ in fields]
    kinds = {name: kind for name, _, kind in BASE} | {
        name: "string" if kind == "json" else kind for _, name, kind in fields
    }
    return Source(_select(study, own + flat, chosen), _select(study, own + nested, chosen), kinds)


def _fields(study: Study) -> list[tuple[str, str, str]]:
    """Key, column name and kind of each field of the rows."""
    taken = {name for name, *_ in BASE}
    with connection.cursor() as cursor:
        cursor.execute(_FIELDS, [LARGEST, study.pk])
        return [
            (key, f"row_{key}" if key in taken else key, _kind(types, is_whole))
            for key, types, is_whole in cursor.fetchall()
        ]


def _kind(types: list[str], is_whole: bool | None) -> str:
    """The type of a column: values that are not plain, or not all of one type, stay JSON."""
    if types == ["number"]:
        return "int64" if is_whole else "double"
    return _SIMPLE.get(types[0], "json") if len(types) == 1 else "json"


def _text(key: str, kind: str) -> sql.Composable:
    """SQL of a field: whole numbers without a decimal point, JSON as JSON text."""
    literal = sql.Literal(key)
    if kind == "int64":
        return sql.SQL("(p.row->>{})::numeric::int8").format(literal)
    return sql.SQL("(p.row->{})::text" if kind == "json" else "p.row->>{}").format(literal)


def _select(study: Study, columns: list[tuple[Any, str]], chosen: Span | None) -> sql.Composed:
    named = sql.SQL(", ").join(sql.SQL("{} AS {}").format(value, sql.Identifier(name)) for value, name in columns)
    return sql.SQL(
        "SELECT {} FROM records_studypiece p WHERE p.study_id = {} AND p.status IN ('done', 'failed')"
        " AND p.index > {} AND p.index <= {} ORDER BY p.index"
    ).format(named, *map(sql.Literal, (study.pk, chosen.after if chosen else -1, chosen.last if chosen else LARGEST)))
