"""Rows of a SQL statement as CSV, JSON lines or Parquet, streamed.

One statement per file: what it holds is one consistent snapshot, also in the middle of a run.
Postgres writes CSV and JSON itself (COPY), Parquet is made from the same CSV in row groups, so
that no format needs more than a few megabytes of memory.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg
import pyarrow as pa
from django.db import connection
from psycopg import sql
from pyarrow import csv as arrow_csv
from pyarrow import parquet

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

MAX_DOWNLOADS = 8
"""At once and per process: each holds a connection, of which Postgres has about a hundred."""
READ_BYTES = 1 << 20
ROW_GROUP = 1 << 16
Blocks = Generator[bytes, None, None]
RAW_LINES = "FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01', ESCAPE E'\\x01'"
"""COPY options that leave JSON text as it is: it can hold neither of these characters."""

CSV = "FORMAT csv, HEADER"
FORMULA, LED = sql.Literal(r"^([=+@\t\r-])"), sql.Literal(r"'\1")


@dataclass(frozen=True)
class Source:
    """Rows to be written. flat: all columns are numbers or text; nested: JSON columns as JSON.

    kinds: name of each column of `flat` -> a key of ARROW_TYPES; typed: names of those with text that people typed.
    """

    flat: sql.Composed
    nested: sql.Composed
    kinds: Mapping[str, str]
    typed: Collection[str] = ()


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


def _csv(source: Source) -> Blocks:
    """CSV as people open it: what a spreadsheet would take for a formula has an apostrophe before it."""
    return _copy(_without_formulas(source), CSV)


def _without_formulas(source: Source) -> sql.Composed:
    """The flat rows, each typed text that begins with one of ``= + - @``, a tab or a return led by an apostrophe.

    Source: OWASP, *CSV Injection*.
    """
    columns = [
        sql.SQL("regexp_replace({0}, {1}, {2}) AS {0}").format(sql.Identifier(name), FORMULA, LED)
        if name in source.typed
        else sql.Identifier(name)
        for name in source.kinds
    ]
    return sql.SQL("SELECT {} FROM ({}) AS row").format(sql.SQL(", ").join(columns), source.flat)


def _json_lines(source: Source) -> Blocks:
    return _copy(sql.SQL("SELECT row_to_json(row) FROM ({}) AS row").format(source.nested), RAW_LINES)


class _Pipe(io.RawIOBase):
    """Reads the blocks of an iterator as one binary file."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._held = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        while not self._held:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._held = block
        room = memoryview(buffer)
        size = min(len(room), len(self._held))
        room[:size] = self._held[:size]
        self._held = self._held[size:]
        return size


class _Outlet(io.RawIOBase):
    """Collects what a writer writes until somebody takes it."""

    def __init__(self) -> None:
        self._held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        self._held += data
        return memoryview(data).nbytes

    def take(self) -> bytes:
        """All bytes written since the last call."""
        held = bytes(self._held)
        self._held.clear()
        return held


ARROW_TYPES = {
    "int64": pa.int64(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "string": pa.string(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}


def _parquet(source: Source) -> Blocks:
    fields = {name: ARROW_TYPES[kind] for name, kind in source.kinds.items()}
    schema = pa.schema(fields.items())
    convert = arrow_csv.ConvertOptions(
        column_types=schema, strings_can_be_null=True, quoted_strings_can_be_null=False, null_values=[""]
    )
    blocks = _copy(source.flat, CSV)
    outlet = _Outlet()
    try:
        lines = io.BufferedReader(_Pipe(blocks), READ_BYTES)
        parse = arrow_csv.ParseOptions(newlines_in_values=True)
        read = arrow_csv.ReadOptions(block_size=8 * READ_BYTES, use_threads=False)
        reader = arrow_csv.open_csv(lines, read_options=read, parse_options=parse, convert_options=convert)
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
    stream: Callable[[Source], Blocks]


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
