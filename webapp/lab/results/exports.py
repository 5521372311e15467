"""Matches and plies of an experiment as files (see `webapp.lab.results.files`)."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import Model
from psycopg import sql

from games import registry as game_registry
from games.protocol import NUM_TEAMS
from webapp.lab.results import counted, queries
from webapp.lab.results.files import FORMATS, BusyError, Download, Source, Span
from webapp.records import metric_numbers
from webapp.records.archive import table as archive
from webapp.records.models import EngineConfiguration, Experiment, Match, Seat
from worker import spec as specs
from worker.spec import sweep
from worker.spec.model import combinations

__all__ = ["FORMATS", "TABLES", "BusyError", "Download", "Span", "stream"]


@dataclass(frozen=True)
class Column:
    """One column: its SQL over m (match), s (seat), x (its metrics), c (configuration), a (arm) or p (ply).

    is_secret: empty while agents still play in the experiment; is_typed: text that people may have
    typed; unnamed: its SQL where other people go without their names.
    """

    name: str
    expression: str
    kind: str = "int64"
    is_json: bool = False
    is_secret: bool = False
    is_typed: bool = False
    unnamed: str = ""


INSTANT = """to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""

MATCH_COLUMNS = (
    Column("match", "m.id"),
    Column("arm", "m.arm_index"),
    Column("arm_name", "a.name", "string", is_typed=True),
    Column("deal", "m.deal"),
    Column("rotation", "m.rotation"),
    Column("seat", "s.seat"),
    Column("place", "s.lineup_index"),
    Column("engine", "c.engine", "string"),
    Column(
        "options",
        "c.options",
        "string",
        is_json=True,
        unnamed="CASE WHEN c.engine IN ('person', 'replaced') THEN '{}' ELSE c.options END",
    ),
    Column("budget", "c.budget", "string", is_json=True),
    Column("status", "m.status", "string"),
    Column("result", "s.result", "string"),
    Column("score", "s.score"),
    Column("margin", "s.margin"),
    Column("rank", "s.rank"),
    Column("plies", "m.num_plies"),
    Column("seed", "m.seed", is_secret=True),
    Column("deal_seed", "m.deal_seed", is_secret=True),
    Column("renewal_ply", "(m.renewal->>'ply')::bigint", is_secret=True),  # from there on draws are of another seed
    Column("renewal_seed", "(m.renewal->>'seed')::bigint", is_secret=True),
    Column("digest", "m.digest", is_secret=True),
    Column("elapsed_s", "m.elapsed_s", "double"),
    Column("cpu_s", "m.cpu_s", "double"),
    Column("finished_at", INSTANT.format("m.finished_at"), "timestamp"),
    Column("failure_kind", "m.failure->>'kind'", "string"),
    Column("failure_seat", "(m.failure->>'seat')::int"),
    Column("failure_message", "m.failure->>'message'", "string", is_typed=True, unnamed="NULL::text"),
    Column("versions", "m.versions", "string", is_json=True),
    Column("code", "(select c.hash from records_codeversion c where c.id = m.code_id)", "string"),
    Column("commit", "(select c.commit from records_codeversion c where c.id = m.code_id)", "string"),
)
PLY_COLUMNS = (
    Column("match", "m.id"),
    Column("arm", "m.arm_index"),
    Column("deal", "m.deal"),
    Column("rotation", "m.rotation"),
    Column("ply", "p.ply"),
    Column("seat", "p.seat"),
    Column("action", "p.action"),
    Column("notation", "p.notation", "string"),
    Column("legal_count", "p.legal_count"),
    Column("value", "p.value", "double"),
    Column("playouts", "p.playouts"),
    Column("nodes", "p.nodes"),
    Column("depth", "p.depth"),
    Column("elapsed_s", "p.elapsed_s", "double"),
    Column("cpu_s", "p.cpu_s", "double"),
    Column("digest", "p.digest", is_secret=True),
)
TEAM = Column("team", f"mod(s.lineup_index, {NUM_TEAMS})")
"""Of a game of teams: which one the place belongs to, 0 or 1. Partners have result, score and margin in common."""
TABLES = ("matches", "plies")
LARGEST = 2**63 - 1


def _columns(experiment: Experiment, table: str) -> tuple[Column, ...]:
    """The columns of a table, the game's metrics or the seats' scores included."""
    if table == "matches":
        game = game_registry.get(experiment.game)
        metrics = game.metric_table
        return (
            MATCH_COLUMNS
            + ((TEAM,) if game.traits.has_teams else ())
            + (_counts_column(experiment),)
            + _player_column(experiment)
            + _swept_columns(experiment)
            + tuple(Column(metric.id, f'x."{metric.id}"', "double") for metric in metrics)
        )
    seats = int(experiment.spec["seats"])
    scores = tuple(Column(f"score_{seat}", f"p.scores[{seat + 1}]") for seat in range(seats))
    return PLY_COLUMNS + scores + (Column("info", "p.info", "string", is_json=True),)


def _counts_column(experiment: Experiment) -> Column:
    """1 where the match is in the numbers of the page: of a whole deal, no repeat, not beyond the stop."""
    return Column("counts", f"(m.id IN (SELECT match_id FROM {counted.seats(experiment).as_string()} AS counted))::int")


def _player_column(experiment: Experiment) -> tuple[Column, ...]:
    """Of a ladder: the engine of the place, by its name there; elsewhere none."""
    found = specs.from_json(experiment.spec).ladder if "ladder" in experiment.spec else None
    if found is None:
        return ()
    names = ", ".join(_quoted(found.entries[i].name) for table in found.tables for i in table)
    at = f"m.arm_index * {found.sides} + mod(s.lineup_index, {found.sides}) + 1"
    return (Column("player", f"(ARRAY[{names}])[{at}]", "string", is_typed=True),)


def _swept_columns(experiment: Experiment) -> tuple[Column, ...]:
    """What a sweep varies, a column an axis: ``sweep_c``, or ``sweep_seat1_c`` where two share a name."""
    axes = sweep.stored_axes(experiment.spec)
    shared = Counter(axis.name for axis in axes)
    columns = []
    for index, axis in enumerate(axes):
        values = [axis.values[indices[index]] for indices in combinations(axes)]
        kind = "int64" if all(type(value) is int for value in values) else "double" if axis.is_numeric else "string"
        texts = [json.dumps(value) if not isinstance(value, str) else value for value in values]
        where = f"seat{axis.seats[0]}_" if shared[axis.name] > 1 else ""
        listed = ", ".join(_quoted(text) for text in texts)
        by_arm = f"((ARRAY[{listed}])[m.arm_index + 1])::{SQL_TYPES[kind]}"
        columns.append(Column(f"sweep_{where}{axis.name}", by_arm, kind, is_typed=kind == "string"))
    return tuple(columns)


SQL_TYPES = {"int64": "bigint", "double": "float8", "string": "text"}


def _quoted(text: str) -> str:
    return sql.quote(text)


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
        for column in _columns(experiment, table)
    )
    metrics = [metric.id for metric in game_registry.get(experiment.game).metric_table]
    if table == "matches":
        rows = (
            "{match} m JOIN {arm} a ON a.experiment_id = m.experiment_id AND a.index = m.arm_index"
            " JOIN {seat} s ON s.match_id = m.id JOIN {configuration} c ON c.id = s.configuration_id"
            " CROSS JOIN LATERAL {metrics} AS x"
        )
        order = "m.id, s.seat" if isinstance(chosen, Span) else "m.arm_index, m.deal, m.rotation, s.seat"
    else:
        rows, order = "{match} m JOIN {ply} p ON p.match_id = m.id", "m.id, p.ply"
    in_files = table == "plies" and archive.is_filed(experiment)
    return sql.SQL("SELECT {fields} FROM {rows} WHERE m.experiment_id = {experiment}{only} ORDER BY {order}").format(
        fields=fields,
        rows=sql.SQL(rows).format(
            match=_table(Match),
            arm=_table(experiment.arms.model),
            seat=_table(Seat),
            configuration=_table(EngineConfiguration),
            ply=archive.TABLE if in_files else archive.ROWS,
            metrics=metric_numbers.of_game(experiment.game).relation(metrics, "s"),
        ),
        experiment=sql.Literal(experiment.pk),
        only=_only(chosen, in_files=in_files),
        order=sql.SQL(order),
    )


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
    in_files = table == "plies" and archive.is_filed(experiment)
    match, span = (chosen, None) if isinstance(chosen, Match) else (None, chosen)
    bounds = None if span is None else (span.after, span.last)
    if in_files:
        archive.refuse_unreadable(experiment, match)
    columns = _columns(experiment, table)
    source = Source(
        flat=_select(experiment, table, chosen, nested=False),
        nested=_select(experiment, table, chosen, nested=True),
        kinds={column.name: column.kind for column in columns},
        typed={column.name for column in columns if column.is_typed},
        portions=partial(archive.portions, experiment=experiment, match=match, span=bounds) if in_files else None,
    )
    return Download(FORMATS[format_id], source, who)
