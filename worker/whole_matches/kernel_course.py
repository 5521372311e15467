"""The course of one match in a kernel: what `worker.course` does, and what plies keep of it, in one call a ply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from engines.protocol import Table
from games.protocol import Rng, State
from worker.engine_decision import Thought, json_number
from worker.records import PlyRecord
from worker.whole_matches.kernel_arguments import LEGAL, SEAT, Best, Columns, Lineup, Scratch, TableRows

_SIGN = 1 << 63
_INT32, _INT64, _FLOAT64 = np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float64)


class Memory(NamedTuple):
    """Arrays of a player, which its courses use one after the other. none: columns of no plies."""

    scratch: Scratch
    columns: Columns
    none: Columns
    best: Best


class KernelCourse:
    """One match on its way. It stands at the turn of a seat that is asked, or at the end; the next one ends it.

    seat: on turn, or `TERMINAL`; ply: actions so far; state: the true one, which the next action changes; rng: the
    stream of this ply, for the seat that is asked.
    """

    def __init__(
        self, kernels: ModuleType, spell: Callable[[int], str], memory: Memory, lineup: Lineup, *, keeps: bool
    ) -> None:
        self._kernels, self._spell, self._lineup, self._keeps = kernels, spell, lineup, keeps
        self._scratch, self._best = memory.scratch, memory.best
        self._columns = memory.columns if keeps else memory.none
        self._stream = np.uint64(0)
        self.state: State = self._scratch.state
        self.rng: Rng = self._scratch.search
        self.seat = self.ply = 0

    def start(self, stream: int) -> bool:
        """Deal, by a stream that is in the memory, and play to the first seat that is asked; whether all was legal.

        stream: `games.rng.mix` of the match's seed and purpose.
        """
        self._stream = np.uint64(stream)
        return self.advance(-1)

    def advance(self, action: int) -> bool:
        """Play the action of the seat on turn, and on to the next that is asked; whether all actions were legal.

        action: as `engine_decision.action_of` has it.
        """
        scratch = self._scratch
        ply = self._kernels.play(self._lineup, scratch, self._columns, self._stream, self._keeps, action)
        if ply < 0:
            return False
        self.ply, self.seat = ply, int(scratch.turn[SEAT])
        return True

    @property
    def digest(self) -> int:
        """Digest of the last ply."""
        digest = int(self._scratch.digest[0])
        return digest - 2 * _SIGN if digest & _SIGN else digest

    def columns(self) -> Columns:
        """What is kept of the plies so far."""
        return Columns(*(column[: self.ply].copy() for column in self._columns))

    def best_rows(self, table: Table, action: int) -> list[list[Any]] | None:
        """Rows of the best actions, as `engine_decision.ply_info` has them; None for a table that no kernel reads."""
        rows = TableRows(table.actions, table.values, table.visits, table.deviations)
        if not _are_plain(rows):
            return None
        legal = self._scratch.legal[: self._scratch.turn[LEGAL]]
        count = self._kernels.list_best(self.state, legal, rows, action, self._best)
        if count < 0:
            return None
        spell = self._spell
        return [
            [
                key,
                spell(spelling),
                short if short == short else json_number(value),
                visits,
                short_error if short_error == short_error else json_number(error),
            ]
            for (key, spelling, visits), (value, error, short, short_error) in zip(
                self._best.keys[:count].tolist(), self._best.numbers[:count].tolist(), strict=True
            )
        ]

    def plies(self, thoughts: Sequence[Thought], notes: Sequence[str]) -> list[PlyRecord]:
        """Records of the plies so far. notes: names of what each notes of the position after it."""
        kept = Columns(*(column[: self.ply] for column in self._columns))
        rows = zip(
            kept.seats.tolist(),
            kept.actions.tolist(),
            map(self._spell, kept.spellings.tolist()),
            kept.legal_counts.tolist(),
            map(tuple, kept.scores.tolist()),
            kept.digests.tolist(),
            kept.notes.tolist(),
            thoughts,
            strict=True,
        )
        return [
            PlyRecord(
                ply,
                seat,
                action,
                notation,
                legal_count,
                scores,
                *thought[:-1],
                digest,
                (thought.info or {}) | {"after": dict(zip(notes, noted, strict=True))} if notes else thought.info,
            )
            for ply, (seat, action, notation, legal_count, scores, digest, noted, thought) in enumerate(rows)
        ]


def _are_plain(rows: TableRows) -> bool:
    """Whether columns are what kernels are compiled for: any other kind would be compiled anew."""
    return (
        rows.actions.dtype == _INT32
        and rows.values.dtype == _FLOAT64
        and rows.visits.dtype == _INT64
        and rows.deviations.dtype == _FLOAT64
        and all(column.flags.carray for column in rows)
    )
