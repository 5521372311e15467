"""Matches and plies of an experiment as CSV, JSON lines or Parquet, streamed.

One SQL statement per file: what it holds is one consistent snapshot, also in the middle of
a run. Postgres writes CSV and JSON itself (COPY), Parquet is made from the same CSV in row
groups, so that no format needs more than a few megabytes of memory.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

import psycopg
import pyarrow as pa
from django.db import connection
from psycopg import sql
from pyarrow import csv as arrow_csv
from pyarrow import parquet

from games import registry as game_registry
from webapp.records.models import EngineConfiguration, Experiment, Match, Ply, Seat

MAX_DOWNLOADS = 8
"""At once and per process: each holds a connection, of which Postgres has about a hundred."""
READ_BYTES = 1 << 20
ROW_GROUP = 1 << 16
Blocks = Generator[bytes, None, None]
RAW_LINES = "FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01', ESCAPE E'\\x01'"
"""COPY options that leave JSON text as it is: it can hold neither of these characters."""


@dataclass(frozen=True)
class Column:
    """One column: its SQL over m (match), s (seat), c (configuration), a (arm) or p (ply)."""

    name: str
    expression: str
    kind: str = "int64"
    is_json: bool = False


INSTANT = """to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""

MATCH_COLUMNS = (
    Column("match", "m.id"),
    Column("arm", "m.arm_index"),
    Column("arm_name", "a.name", "string"),
    Column("deal", "m.deal"),
    Column("rotation", "m.rotation"),
    Column("seat", "s.seat"),
    Column("place", "s.lineup_index"),
    Column("engine", "c.engine", "string"),
    Column("options", "c.options", "string", is_json=True),
    Column("budget", "c.budget", "string", is_json=True),
    Column("status", "m.status", "string"),
    Column("result", "s.result", "string"),
    Column("score", "s.score"),
    Column("margin", "s.margin"),
    Column("rank", "s.rank"),
    Column("plies", "m.num_plies"),
    Column("seed", "m.seed"),
    Column("deal_seed", "m.deal_seed"),
    Column("digest", "m.digest"),
    Column("elapsed_s", "m.elapsed_s", "double"),
    Column("cpu_s", "m.cpu_s", "double"),
    Column("finished_at", INSTANT.format("m.finished_at"), "timestamp"),
    Column("failure_kind", "m.failure->>'kind'", "string"),
    Column("failure_seat", "(m.failure->>'seat')::int"),
    Column("failure_message", "m.failure->>'message'", "string"),
    Column("versions", "m.versions", "string", is_json=True),
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
    Column("digest", "p.digest"),
)
TABLES = ("matches", "plies")


def _columns(experiment: Experiment, table: str) -> tuple[Column, ...]:
    """The columns of a table, the game's metrics or the seats' scores included."""
    if table == "matches":
        metrics = game_registry.get(experiment.game).metric_table
        return MATCH_COLUMNS + tuple(
            Column(metric.id, f"(s.metrics->>{_quoted(metric.id)})::float8", "double") for metric in metrics
        )
    seats = int(experiment.spec["seats"])
    scores = tuple(Column(f"score_{seat}", f"p.scores[{seat + 1}]") for seat in range(seats))
    return PLY_COLUMNS + scores + (Column("info", "p.info", "string", is_json=True),)


def _quoted(text: str) -> str:
    return sql.quote(text)


def _select(experiment: Experiment, table: str, match: Match | None, *, nested: bool) -> sql.Composed:
    """The one statement behind every format; `nested` keeps JSON columns as JSON."""
    fields = sql.SQL(", ").join(
        sql.SQL("{}{} AS {}").format(
            sql.SQL(column.expression),
            sql.SQL("::text" if column.is_json and not nested else ""),
            sql.Identifier(column.name),
        )
        for column in _columns(experiment, table)
    )
    if table == "matches":
        rows = (
            "{match} m JOIN {arm} a ON a.experiment_id = m.experiment_id AND a.index = m.arm_index"
            " JOIN {seat} s ON s.match_id = m.id JOIN {configuration} c ON c.id = s.configuration_id"
        )
        order = "m.arm_index, m.deal, m.rotation, s.seat"
    else:
        rows, order = "{match} m JOIN {ply} p ON p.match_id = m.id", "m.id, p.ply"
    return sql.SQL("SELECT {fields} FROM {rows} WHERE m.experiment_id = {experiment}{only} ORDER BY {order}").format(
        fields=fields,
        rows=sql.SQL(rows).format(
            match=_table(Match),
            arm=_table(experiment.arms.model),
            seat=_table(Seat),
            configuration=_table(EngineConfiguration),
            ply=_table(Ply),
        ),
        experiment=sql.Literal(experiment.pk),
        only=sql.SQL("") if match is None else sql.SQL(" AND m.id = {}").format(sql.Literal(match.pk)),
        order=sql.SQL(order),
    )


def _table(model: type) -> sql.Identifier:
    return sql.Identifier(model._meta.db_table)  # type: ignore[attr-defined]


def _copy(statement: sql.Composed, options: str) -> Blocks:
    """Run COPY on a connection of its own, which outlives the request's."""
    own = connection.get_new_connection(connection.get_connection_params())
    try:
        query = sql.SQL("COPY ({}) TO STDOUT ({})").format(statement, sql.SQL(options))
        with psycopg.Cursor(own) as cursor, cursor.copy(query) as copy:
            held = bytearray()
            for block in copy:
                held += block
                if len(held) >= READ_BYTES:
                    yield bytes(held)
                    held.clear()
            if held:
                yield bytes(held)
    finally:
        own.close()


def _csv(experiment: Experiment, table: str, match: Match | None) -> Blocks:
    return _copy(_select(experiment, table, match, nested=False), "FORMAT csv, HEADER")


def _json_lines(experiment: Experiment, table: str, match: Match | None) -> Blocks:
    rows = _select(experiment, table, match, nested=True)
    return _copy(sql.SQL("SELECT row_to_json(row) FROM ({}) AS row").format(rows), RAW_LINES)


class _Pipe(io.RawIOBase):
    """Reads the blocks of an iterator as one binary file."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._held = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        while not self._held:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._held = block
        size = min(len(buffer), len(self._held))
        buffer[:size] = self._held[:size]
        self._held = self._held[size:]
        return size


class _Outlet(io.RawIOBase):
    """Collects what a writer writes until somebody takes it."""

    def __init__(self) -> None:
        self._held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._held += data
        return len(data)

    def take(self) -> bytes:
        """All bytes written since the last call."""
        held = bytes(self._held)
        self._held.clear()
        return held


ARROW_TYPES = {
    "int64": pa.int64(),
    "double": pa.float64(),
    "string": pa.string(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}


def _parquet(experiment: Experiment, table: str, match: Match | None) -> Blocks:
    fields = {column.name: ARROW_TYPES[column.kind] for column in _columns(experiment, table)}
    schema = pa.schema(fields.items())
    convert = arrow_csv.ConvertOptions(
        column_types=schema, strings_can_be_null=True, quoted_strings_can_be_null=False, null_values=[""]
    )
    blocks = _csv(experiment, table, match)
    outlet = _Outlet()
    try:
        source = io.BufferedReader(_Pipe(blocks), READ_BYTES)
        parse = arrow_csv.ParseOptions(newlines_in_values=True)
        read = arrow_csv.ReadOptions(block_size=8 * READ_BYTES, use_threads=False)
        reader = arrow_csv.open_csv(source, read_options=read, parse_options=parse, convert_options=convert)
        with parquet.ParquetWriter(outlet, schema, compression="zstd") as writer:
            for batch in reader:
                writer.write_batch(batch, row_group_size=ROW_GROUP)
                yield outlet.take()
        yield outlet.take()
    finally:
        blocks.close()


@dataclass(frozen=True)
class Format:
    """A kind of file: its label, ending, media type and writer."""

    label: str
    media_type: str
    stream: Callable[[Experiment, str, Match | None], Blocks]


FORMATS = {
    "csv": Format("CSV", "text/csv; charset=utf-8", _csv),
    "jsonl": Format("JSON lines", "application/x-ndjson", _json_lines),
    "parquet": Format("Parquet", "application/vnd.apache.parquet", _parquet),
}


class BusyError(Exception):
    """As many downloads as may be are running."""


_slots = threading.BoundedSemaphore(MAX_DOWNLOADS)


class Download:
    """Blocks of a file; holds one of the slots until it is read to its end or closed."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._holds_slot = _slots.acquire(blocking=False)
        if not self._holds_slot:
            raise BusyError(f"{MAX_DOWNLOADS} downloads are running")

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._blocks)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Give the slot and the connection back; doing it twice changes nothing."""
        if self._holds_slot:
            self._holds_slot = False
            _slots.release()
            self._blocks.close()

    __del__ = close


def stream(experiment: Experiment, table: str, format_id: str, match: Match | None = None) -> Download:
    """Blocks of the file. Raises KeyError for an unknown table or format, BusyError without a free slot.

    match: only this one. The statement runs when the first block is asked for.
    """
    if table not in TABLES:
        raise KeyError(table)
    return Download(FORMATS[format_id].stream(experiment, table, match))
