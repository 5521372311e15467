"""Plies of matches as rows of COPY, made by column."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from webapp.records.batches import Batch
from webapp.records.copy_binary import NULL, Fixed, Integers, blocks, document, json_bytes, text
from webapp.records.ply_table import Plies, PlyTable
from worker.whole_matches.plies import PlyColumns

MAX_NOTATION = 120
AT_ONCE = 100
"""Matches whose rows are in memory at once."""
COLUMNS = (
    "match_id",
    "ply",
    "seat",
    "action",
    "notation",
    "legal_count",
    "scores",
    "value",
    "playouts",
    "nodes",
    "depth",
    "elapsed_s",
    "cpu_s",
    "digest",
    "info",
)


def ply_rows(match_ids: Sequence[int], batch: Batch) -> Iterator[bytes]:
    """The rows of all plies of a batch. match_ids: of its matches. Raises what is in `copy_binary.TOO_LARGE`."""
    for places, table in batch.played:
        for first in range(0, len(places), AT_ONCE):
            own = places[first : first + AT_ONCE]
            ids = np.array([match_ids[place] for place in own])
            plies = [batch.records[place].plies for place in own]
            yield from _rows(table.part(first, first + len(own)), ids, plies)


def _rows(table: PlyTable, ids: np.ndarray, matches: Sequence[Plies]) -> Iterable[bytes]:
    heads = blocks(
        len(table.plies),
        Fixed(table.spread(ids), ">i8"),
        Fixed(table.plies, ">i2"),
        Fixed(table.seats, ">i2"),
        Fixed(table.actions, ">i4"),
    )
    notations = map(_notation, chain.from_iterable(map(_notations, matches)))
    infos = chain.from_iterable(map(_infos, matches))
    return map(b"".join, zip(heads, notations, _tails(table), infos, strict=True))


def _tails(table: PlyTable) -> list[bytes]:
    """The fields from the legal actions to the digest; a value that is no number is a null."""
    have_value = np.isfinite(table.values)
    if have_value.all() or not have_value.any():
        return _tails_alike(table, bool(len(have_value)) and bool(have_value[0]))
    with_value, without = _tails_alike(table, True), _tails_alike(table, False)
    return [with_value[row] if has_one else without[row] for row, has_one in enumerate(have_value.tolist())]


def _tails_alike(table: PlyTable, has_value: bool) -> list[bytes]:
    return blocks(
        len(table.plies),
        Fixed(table.legal_counts, ">i4"),
        Integers(table.scores),
        Fixed(table.values, ">f8") if has_value else None,
        Fixed(table.playouts, ">i8"),
        Fixed(table.nodes, ">i8"),
        Fixed(table.depths, ">i2"),
        Fixed(table.elapsed_s, ">f8"),
        Fixed(table.cpu_s, ">f8"),
        Fixed(table.digests, ">i8"),
    )


@lru_cache(1 << 16)
def _notation(notation: str) -> bytes:
    """A notation as a field; matches share most of them."""
    return text(notation[:MAX_NOTATION])


def _notations(plies: Plies) -> Iterable[str]:
    return plies.notations if isinstance(plies, PlyColumns) else (ply.notation for ply in plies)


def _infos(plies: Plies) -> Iterable[bytes]:
    if isinstance(plies, PlyColumns):
        return _notes(plies)
    return (document(ply.info) for ply in plies)


def _notes(plies: PlyColumns) -> Iterable[bytes]:
    """What each ply notes, as `PlyColumns.infos` has it: one format for all of them."""
    if not plies.notes:
        return [NULL] * len(plies)
    places = ",".join(["%d"] * plies.scores.shape[1])
    line = f'{{"after":{{{",".join(f"{json.dumps(name)}:[{places}]" for name in plies.notes)}}}}}'
    columns = (column for notes in plies.notes.values() for column in notes.T.tolist())
    return [json_bytes((line % row).encode()) for row in zip(*columns, strict=True)]
