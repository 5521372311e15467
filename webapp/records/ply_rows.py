"""Plies of matches as rows of COPY: one by one as records, or by column where a kernel played the matches."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, groupby
from typing import NamedTuple

import numpy as np

from webapp.records.copy_binary import LARGE, NULL, Fixed, Integers, blocks, document, json_bytes, text
from worker.records import MatchRecord, PlyRecord
from worker.whole_matches.plies import PlyColumns

MAX_NOTATION = 120
AT_ONCE = 100
"""Matches whose columns are written as one."""
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


class _Played(NamedTuple):
    """A match whose plies are columns."""

    match_id: int
    plies: PlyColumns


def ply_rows(matches: Iterable[tuple[int, MatchRecord]]) -> Iterator[bytes]:
    """The rows of the plies of matches, given with their ids. Raises what is in `copy_binary.TOO_LARGE`."""
    by_column: list[_Played] = []
    for match_id, record in matches:
        if isinstance(record.plies, PlyColumns):
            by_column.append(_Played(match_id, record.plies))
        if by_column and (len(by_column) >= AT_ONCE or not isinstance(record.plies, PlyColumns)):
            yield from _of_columns(by_column)
            by_column = []
        if not isinstance(record.plies, PlyColumns):
            yield from _one_by_one(match_id, record.plies)
    yield from _of_columns(by_column)


_head = struct.Struct(">iqihihii").pack


def _one_by_one(match_id: int, plies: Sequence[PlyRecord]) -> Iterator[bytes]:
    for ply in plies:
        size = len(ply.scores)
        scores = [4] * (2 * size)
        scores[1::2] = ply.scores
        has_value = ply.value is not None and math.isfinite(ply.value)
        yield (
            _head(8, match_id, 2, ply.ply, 2, ply.seat, 4, ply.action)
            + _notation(ply.notation)
            + _tail(size, has_value)(
                *(4, ply.legal_count, 20 + 8 * size, 1, 0, LARGE, size, 1),
                *scores,
                *((8, ply.value) if has_value else (-1,)),
                *(8, ply.playouts, 8, ply.nodes, 2, ply.depth, 8, ply.elapsed_s, 8, ply.cpu_s, 8, ply.digest),
            )
            + document(ply.info)
        )


@lru_cache(64)
def _tail(seats: int, has_value: bool) -> Callable[..., bytes]:
    """What packs the fields of a ply from the legal actions to the digest."""
    return struct.Struct(f">ii6i{'ii' * seats}{'id' if has_value else 'i'}iqiqihididiq").pack


@lru_cache(1 << 16)
def _notation(notation: str) -> bytes:
    """A notation as a field; matches share most of them."""
    return text(notation[:MAX_NOTATION])


def _of_columns(played: Sequence[_Played]) -> Iterator[bytes]:
    """The same rows of several matches at once, those of one shape together."""
    for _, alike in groupby(played, lambda match: (match.plies.scores.shape[1], tuple(match.plies.notes))):
        yield from _of_one_shape(list(alike))


def _of_one_shape(played: Sequence[_Played]) -> Iterator[bytes]:
    parts = [match.plies for match in played]
    lengths = [len(part) for part in parts]
    number = sum(lengths)

    def by_ply(values: Sequence[float]) -> np.ndarray:
        return np.repeat(np.array(values), lengths)

    heads = blocks(
        number,
        Fixed(by_ply([match.match_id for match in played]), ">i8"),
        Fixed(np.concatenate([np.arange(length) for length in lengths]), ">i2"),
        Fixed(np.concatenate([part.seats for part in parts]), ">i2"),
        Fixed(np.concatenate([part.actions for part in parts]), ">i4"),
    )
    notations = map(_notation, chain.from_iterable(part.notations for part in parts))
    tails = blocks(
        number,
        Fixed(np.concatenate([part.legal_counts for part in parts]), ">i4"),
        Integers(np.concatenate([part.scores for part in parts])),
        None,
        Fixed(0, ">i8"),
        Fixed(0, ">i8"),
        Fixed(0, ">i2"),
        Fixed(by_ply([part.elapsed_s for part in parts]), ">f8"),
        Fixed(by_ply([part.cpu_s for part in parts]), ">f8"),
        Fixed(np.concatenate([part.digests for part in parts]), ">i8"),
    )
    infos = chain.from_iterable(map(_infos, parts))
    return map(b"".join, zip(heads, notations, tails, infos, strict=True))


def _infos(plies: PlyColumns) -> Iterable[bytes]:
    """What each ply notes, as `PlyColumns.infos` has it: one format for all of them."""
    if not plies.notes:
        return [NULL] * len(plies)
    places = ",".join(["%d"] * plies.scores.shape[1])
    line = f'{{"after":{{{",".join(f"{json.dumps(name)}:[{places}]" for name in plies.notes)}}}}}'
    columns = (column for notes in plies.notes.values() for column in notes.T.tolist())
    return [json_bytes((line % row).encode()) for row in zip(*columns, strict=True)]
