"""Columns of plies in a file: those of the export of plies, from which their rows are made again bit for bit.

Postgres writes and reads rows as CSV, Arrow reads and writes the same: no row passes through Python but those of
single matches.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from psycopg import sql

from webapp.records.archive.arrow import csv as arrow_csv
from webapp.records.archive.arrow import pa, pc
from webapp.records.models import Ply

KEYS = {"match": "m.id", "arm": "m.arm_index", "deal": "m.deal", "rotation": "m.rotation"}
"""Columns that say which match it is; all but the first are there for who reads a file by itself."""
KINDS = {
    "ply": "int64",
    "seat": "int64",
    "action": "int64",
    "notation": "string",
    "legal_count": "int64",
    "value": "float64",
    "playouts": "int64",
    "nodes": "int64",
    "depth": "int64",
    "elapsed_s": "float64",
    "cpu_s": "float64",
    "digest": "int64",
}
"""Columns of `Ply` with a value each; beside them are ``score_0``, ``score_1``, ... and ``info``, as JSON text."""
ROW = ("match_id", *KINDS, "scores", "info")
"""Columns of a row, in the order in which `lines` writes them."""


def schema(seats: int) -> pa.Schema:
    """The columns of a file for so many seats."""
    kinds = [(name, getattr(pa, kind)()) for name, kind in KINDS.items()]
    scores = [(f"score_{seat}", pa.int64()) for seat in range(seats)]
    return pa.schema([*((key, pa.int64()) for key in KEYS), *kinds, *scores, ("info", pa.string())])


def select(seats: int, matches: Iterable[int]) -> sql.Composed:
    """The rows of some matches, in the order of match and ply, as SQL."""
    fields = [f'{expression} AS "{name}"' for name, expression in KEYS.items()]
    fields += [f"p.{name}" for name in KINDS]
    fields += [f"p.scores[{seat + 1}] AS score_{seat}" for seat in range(seats)]
    text = (
        f"SELECT {', '.join(fields)}, p.info::text AS info FROM records_match m"
        " JOIN records_ply p ON p.match_id = m.id WHERE m.id = ANY({}) ORDER BY m.id, p.ply"
    )
    return sql.SQL(text).format(sql.Literal(list(matches)))


def from_csv(content: bytes, seats: int) -> pa.Table:
    """Rows as Postgres wrote them, without a line of names."""
    names = schema(seats)
    if not content:
        return names.empty_table()
    convert = arrow_csv.ConvertOptions(
        column_types=names, strings_can_be_null=True, quoted_strings_can_be_null=False, null_values=[""]
    )
    read = arrow_csv.ReadOptions(column_names=names.names, use_threads=False, block_size=max(len(content), 1))
    parse = arrow_csv.ParseOptions(newlines_in_values=True)
    return arrow_csv.read_csv(io.BytesIO(content), read, parse, convert)


def to_csv(table: pa.Table, *, has_info: bool = True) -> bytes:
    """Rows of the columns ROW as Postgres reads them: CSV, without a line of names."""
    scores = [table[name].cast(pa.string()) for name in table.schema.names if name.startswith("score_")]
    joined = pc.binary_join_element_wise("{", pc.binary_join_element_wise(*scores, ","), "}", "")
    info = table["info"] if has_info else pa.nulls(len(table), pa.string())
    found = pa.table([table["match"], *(table[name] for name in KINDS), joined, info], names=list(ROW))
    sink = io.BytesIO()
    arrow_csv.write_csv(found, sink, arrow_csv.WriteOptions(include_header=False))
    return sink.getvalue()


def plies(table: pa.Table) -> list[Ply]:
    """Rows of one match."""
    names = [name for name in table.schema.names if name.startswith("score_")]
    return [_ply(row, names) for row in table.to_pylist()]


def _ply(row: Mapping[str, Any], scores: Iterable[str]) -> Ply:
    return Ply(
        match_id=row["match"],
        scores=[row[name] for name in scores],
        info=None if row["info"] is None else json.loads(row["info"]),
        **{name: row[name] for name in KINDS},
    )


def by_match(table: pa.Table) -> Iterator[tuple[int, int, int]]:
    """Each match with the place of its first row and of the one behind its last: rows are in the order of matches."""
    ids = table["match"].to_numpy()
    if not len(ids):
        return
    starts = np.concatenate(([0], np.flatnonzero(np.diff(ids)) + 1, [len(ids)]))
    for first, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        yield int(ids[first]), first, end


def digests(table: pa.Table) -> dict[int, str]:
    """SHA-256 of the rows of each match: of every column its name, which values are null, and all values.

    Numbers count as 64 bits, little-endian, those that are null as 0; texts as UTF-8, with a zero byte between them,
    which no text of Postgres holds.
    """
    parts = [(name.encode(), *_values(table[name])) for name in table.schema.names]
    found = {}
    for match, first, end in by_match(table):
        hashed = hashlib.sha256()
        for name, nulls, values in parts:
            hashed.update(name + nulls[first:end].tobytes())
            own = values[first:end]
            hashed.update("\0".join(own).encode() if isinstance(own, list) else own.tobytes())
        found[match] = hashed.hexdigest()
    return found


def _values(column: pa.ChunkedArray) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any] | list[str]]:
    nulls = column.is_null().to_numpy().astype(np.uint8)
    if pa.types.is_string(column.type):
        return nulls, column.fill_null("").to_pylist()
    kind = "<i8" if pa.types.is_integer(column.type) else "<f8"
    return nulls, np.ascontiguousarray(column.fill_null(0).to_numpy(), dtype=kind)
