"""Rows of a SQL statement as CSV, JSON lines or Parquet, streamed.

One statement per file: what it holds is one consistent snapshot, also in the middle of a run.
Postgres writes CSV and JSON itself (COPY), Parquet is made from the same CSV in row groups, so
that no format needs more than a few megabytes of memory.
"""

from __future__ import annotations

import hashlib
import io
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from webapp.common import connection_counts, database_pool, memory
from webapp.records import locks
from webapp.records.archive.arrow import csv as arrow_csv
from webapp.records.archive.arrow import pa, parquet
from webapp.records.locks import Connection
from worker.fields import Field

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

MAX_DOWNLOADS, MAX_OF_ONE = connection_counts.DOWNLOADS, 2
"""Downloads at once, of all and of one person or address: each holds a connection and an open snapshot."""
LONGEST_S = 3600.0
"""A download that takes longer is broken off. One that stands still is before (`webapp.common.gate`)."""
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

    kinds: name of each column of `flat` -> a key of ARROW_TYPES; about: what it means; typed: names of those with text
    that people typed.
    portions: brings the rows bit by bit into a table that the statements read, on the connection that reads them;
    None: they are there.
    """

    flat: sql.Composed
    nested: sql.Composed
    kinds: Mapping[str, str]
    about: Mapping[str, Field]
    typed: Collection[str] = ()
    portions: Callable[[Connection], Generator[None]] | None = None


@dataclass(frozen=True)
class Span:
    """Part of an export: whole matches, or pieces of a study, after one and up to another, by their numbers.

    A part is read in that order, so what is had of it need not be read again.
    """

    after: int
    last: int


def _copy(own: Connection, source: Source, statement: sql.Composed, options: str) -> Blocks:
    """Run COPY on a connection, once for each portion of the rows: names of columns stand before the first."""
    if source.portions is None:
        yield from _copied(own, statement, options)
        return
    with closing(source.portions(own)) as portions:
        for number, _ in enumerate(portions):
            yield from _copied(own, statement, options if not number else options.replace(", HEADER", ""))


def _copied(own: Connection, statement: sql.Composed, options: str) -> Blocks:
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


def _csv(own: Connection, source: Source) -> Blocks:
    """CSV as people open it: what a spreadsheet would take for a formula has an apostrophe before it."""
    return _copy(own, source, _without_formulas(source), CSV)


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


def _json_lines(own: Connection, source: Source) -> Blocks:
    return _copy(own, source, sql.SQL("SELECT row_to_json(row) FROM ({}) AS row").format(source.nested), RAW_LINES)


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


def _arrow_types() -> dict[str, pa.DataType]:
    return {
        "int64": pa.int64(),
        "double": pa.float64(),
        "bool": pa.bool_(),
        "string": pa.string(),
        "timestamp": pa.timestamp("us", tz="UTC"),
    }


def _described(name: str, kind: pa.DataType, source: Source) -> pa.Field:
    """A field that says in its own metadata what it means."""
    about = source.about.get(name)
    said = {} if about is None else {"description": about.meaning, "unit": about.unit}
    return pa.field(name, kind, metadata={key: text for key, text in said.items() if text} or None)


def _parquet(own: Connection, source: Source) -> Blocks:
    types = _arrow_types()
    schema = pa.schema([_described(name, types[kind], source) for name, kind in source.kinds.items()])
    convert = arrow_csv.ConvertOptions(
        column_types=schema, strings_can_be_null=True, quoted_strings_can_be_null=False, null_values=[""]
    )
    blocks = _copy(own, source, source.flat, CSV)
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
    stream: Callable[[Connection, Source], Blocks]


FORMATS = {
    "csv": Format("CSV", "text/csv; charset=utf-8", _csv),
    "jsonl": Format("JSON lines", "application/x-ndjson", _json_lines),
    "parquet": Format("Parquet", "application/vnd.apache.parquet", _parquet),
}


class BusyError(Exception):
    """As many downloads as may be are running; the message is a sentence for the person."""


class TooLongError(Exception):
    """A download took longer than one may."""


class Download:
    """Blocks of a file, by a connection of its own, until it is read to its end or closed.

    The connection holds one of the lab's slots and, of the person or address `who` ("": the lab itself), one of
    theirs: whichever process serves it, and however that ends. Raises BusyError.
    """

    def __init__(self, form: Format, source: Source, who: str = "") -> None:
        self._is_open = False
        self._ends_at = time.monotonic() + LONGEST_S
        self._own = database_pool.own_connection()
        self._is_open = True
        try:
            _take_slots(self._own, who)
        except BaseException:
            self.close()
            raise
        self._blocks = form.stream(self._own, source)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            if time.monotonic() > self._ends_at:
                raise TooLongError(f"a download took more than {LONGEST_S:.0f} s")
            return next(self._blocks)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Give the slot, the connection and the memory back; doing it twice changes nothing."""
        if self._is_open:
            self._is_open = False
            blocks = getattr(self, "_blocks", None)
            if blocks is not None:
                blocks.close()
            self._own.close()
            memory.give_back()

    __del__ = close


def _take_slots(own: Connection, who: str) -> None:
    """Take a slot of a person or address, then one of the lab's. Raises BusyError."""
    own.autocommit = True
    if who and not _has_taken(own, locks.DOWNLOAD_OF_ONE, [_number(f"{who} {slot}") for slot in range(MAX_OF_ONE)]):
        raise BusyError(f"At most {MAX_OF_ONE} files are sent to one person or network at the same time.")
    if not _has_taken(own, locks.DOWNLOAD, range(MAX_DOWNLOADS)):
        raise BusyError("Many files are being downloaded just now.")


def _has_taken(own: Connection, lock_class: int, slots: Iterable[int]) -> bool:
    return any(locks.take(own, lock_class, slot) for slot in slots)


def _number(name: str) -> int:
    """A number of 31 bits for a name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) >> 1
