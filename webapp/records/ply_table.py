"""Plies of many matches by column, however they were played: what is written and added up of them reads these."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, groupby
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.records import PlyRecord
from worker.whole_matches.plies import PlyColumns

Plies = Sequence[PlyRecord]
Whole = NDArray[np.int64]
Real = NDArray[np.float64]

_WHOLE = ("ply", "seat", "action", "legal_count", "playouts", "nodes", "depth", "digest")
_fields = attrgetter(*_WHOLE, "value", "elapsed_s", "cpu_s", "scores")


class PlyTable(NamedTuple):
    """Plies of matches of equally many seats, one match below the other. lengths: plies of each match.

    values: NaN where an action has none; scores: [plies, seats].
    """

    lengths: Whole
    plies: Whole
    seats: Whole
    actions: Whole
    legal_counts: Whole
    playouts: Whole
    nodes: Whole
    depths: Whole
    digests: Whole
    values: Real
    elapsed_s: Real
    cpu_s: Real
    scores: Whole

    @classmethod
    def of(cls, matches: Sequence[Plies], num_seats: int) -> PlyTable:
        """The plies of these matches, each of which has some. Raises OverflowError where a number exceeds 64 bits."""
        parts = [
            _of_columns(list(alike)) if are_columns else _of_records(list(alike), num_seats)
            for are_columns, alike in groupby(matches, lambda plies: isinstance(plies, PlyColumns))
        ]
        return parts[0] if len(parts) == 1 else cls._make(map(np.concatenate, zip(*parts, strict=True)))

    def part(self, first: int, last: int) -> PlyTable:
        """Those of the matches from one place on, before another."""
        begin, end = int(self.lengths[:first].sum()), int(self.lengths[:last].sum())
        return PlyTable._make([self.lengths[first:last], *(column[begin:end] for column in self[1:])])

    def spread(self, by_match: NDArray[Any]) -> NDArray[Any]:
        """What each match has, at each of its plies."""
        return np.repeat(by_match, self.lengths, axis=0)

    def thoughts(self) -> Real:
        """Playouts, nodes and CPU seconds of each seat in each match, added up: [matches, seats, 3]."""
        matches, seats = len(self.lengths), self.scores.shape[1]
        where = self.spread(np.arange(matches)) * seats + self.seats
        columns = (self.playouts, self.nodes, self.cpu_s)
        added = [np.bincount(where, column.astype(np.float64), matches * seats) for column in columns]
        return np.array(added, np.float64).T.reshape(matches, seats, len(added))


def _of_records(matches: Sequence[Plies], num_seats: int) -> PlyTable:
    """matches: each with plies."""
    lengths = np.array([len(plies) for plies in matches], np.int64)
    number = int(lengths.sum())
    *whole, values, elapsed_s, cpu_s, scores = zip(*map(_fields, chain.from_iterable(matches)), strict=True)
    flat = np.fromiter(chain.from_iterable(scores), np.int64, number * num_seats)
    return PlyTable._make(
        [
            lengths,
            *(np.fromiter(column, np.int64, number) for column in whole),
            np.array(values, np.float64),
            np.fromiter(elapsed_s, np.float64, number),
            np.fromiter(cpu_s, np.float64, number),
            flat.reshape(number, num_seats),
        ]
    )


def _of_columns(matches: Sequence[Any]) -> PlyTable:
    lengths = np.array([len(plies) for plies in matches], np.int64)
    number = int(lengths.sum())
    zeros = np.zeros(number, np.int64)

    def below(name: str) -> Whole:
        return np.concatenate([getattr(plies, name) for plies in matches])

    def seconds(name: str) -> Real:
        return np.repeat(np.array([getattr(plies, name) for plies in matches], np.float64), lengths)

    return PlyTable(
        lengths,
        np.concatenate([np.arange(length) for length in lengths]),
        below("seats"),
        below("actions"),
        below("legal_counts"),
        playouts=zeros,
        nodes=zeros,
        depths=zeros,
        digests=below("digests"),
        values=np.full(number, np.nan),
        elapsed_s=seconds("elapsed_s"),
        cpu_s=seconds("cpu_s"),
        scores=below("scores"),
    )
