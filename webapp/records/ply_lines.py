"""Plies of a match as lines of COPY: one by one as records, or by column where a kernel played the match."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache

from webapp.records.copy_format import NULL, array, document, number, text
from worker.records import MatchRecord
from worker.whole_matches.plies import Numbers, PlyColumns

MAX_NOTATION = 120
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


def ply_lines(match_id: int, record: MatchRecord) -> Iterable[str]:
    """The lines of a match's plies."""
    if isinstance(record.plies, PlyColumns):
        return _of_columns(match_id, record.plies)
    return [
        f"{match_id}\t{ply.ply}\t{ply.seat}\t{ply.action}\t{_notation(ply.notation)}\t{ply.legal_count}\t"
        f"{array(ply.scores)}\t{number(ply.value)}\t{ply.playouts}\t{ply.nodes}\t{ply.depth}\t"
        f"{ply.elapsed_s!r}\t{ply.cpu_s!r}\t{ply.digest}\t"
        f"{document(None if ply.info is None else dict(ply.info))}"
        for ply in record.plies
    ]


@lru_cache(1 << 16)
def _notation(notation: str) -> str:
    """A notation as a field; matches share most of them."""
    return text(notation[:MAX_NOTATION])


def _of_columns(match_id: int, plies: PlyColumns) -> Iterable[str]:
    """The same lines, one format for all of them: what is the same in every ply stands in it."""
    places = ",".join(["%d"] * plies.scores.shape[1])
    line = (
        f"{match_id}\t%d\t%d\t%d\t%s\t%d\t{{{places}}}\t{NULL}\t0\t0\t0\t"
        f"{plies.elapsed_s!r}\t{plies.cpu_s!r}\t%d\t{_info(plies.notes, places)}"
    )
    return map(line.__mod__, plies.rows(_notation))


def _info(notes: Mapping[str, Numbers], places: str) -> str:
    """The format of what plies note, as `PlyColumns.infos` has it."""
    if not notes:
        return NULL
    return f'{{"after":{{{",".join(f"{json.dumps(name)}:[{places}]" for name in notes)}}}}}'
