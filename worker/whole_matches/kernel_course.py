"""The course of one match in a kernel: what `worker.course` does, and what plies keep of it, in one call a ply.

Records are made when all is played: after an engine has thought nothing of that code is near any more, and at every
ply it would take three times as long.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from engines.protocol import Decision, Table
from games.protocol import Rng, State
from worker.engine_decision import json_number, thought
from worker.records import PlyRecord
from worker.whole_matches.kernel_arguments import SEAT, Best, Columns, Lineup, Scratch, TableRows

Info = Callable[[State, Decision], dict[str, Any] | None]
"""What the record of a ply says of a decision that was made in a state (`engine_decision.ply_info`)."""
_SIGN = 1 << 63
_NO_ROWS = TableRows(np.zeros(0, np.int32), np.zeros(0), np.zeros(0, np.int64), np.zeros(0))
_INT32, _INT64, _FLOAT64 = np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float64)
_UNREADABLE = -2
"""Answer of the kernel where a table has an action that is not legal."""


class Memory(NamedTuple):
    """Arrays of a player, which its courses use one after the other. none: columns of no plies."""

    scratch: Scratch
    columns: Columns
    none: Columns
    best: Best


class KernelCourse:
    """One match on its way. It stands at the turn of a seat that is asked, or at the end; the next one ends it.

    seat: on turn, or `TERMINAL`; ply: actions so far; state: the true one, which the next action changes; rng: the
    stream of this ply, for the seat that is asked. stream: `games.rng.mix` of the match's seed and purpose;
    play: the kernel.
    """

    def __init__(
        self,
        play: Callable[..., int],
        spell: Callable[[int], str],
        memory: Memory,
        lineup: Lineup,
        stream: int,
        keeps: bool,
    ) -> None:
        self._kernel, self._spell, self._lineup, self._keeps = play, spell, lineup, keeps
        self._scratch, self._best = memory.scratch, memory.best
        self._columns = memory.columns if keeps else memory.none
        self._stream = np.uint64(stream)
        self._decisions: list[Decision] = []
        self._infos: dict[int, dict[str, Any] | None] = {}
        self.state: State = self._scratch.state
        self.rng: Rng = self._scratch.search
        self.seat = self.ply = 0

    def start(self) -> bool:
        """Deal, by the seed in the memory, and play to the first seat that is asked; whether all was legal."""
        return self._play(-1, _NO_ROWS) >= 0

    def advance(self, action: int, decision: Decision, info: Info, *, is_full: bool = False) -> bool:
        """Play the action of a decision, and on to the next seat that is asked; whether all actions were legal.

        action: as `engine_decision.action_of` has it; info: asked where no kernel can read the table, or `is_full`.
        """
        rows = _rows_of(decision.table) if self._keeps else _NO_ROWS
        ply = _UNREADABLE if rows is None or (is_full and rows is not _NO_ROWS) else self._play(action, rows)
        if ply == _UNREADABLE:
            self._infos[self.ply] = info(self.state, decision)
            ply = self._play(action, _NO_ROWS)
        if ply >= 0:
            self._decisions.append(decision)
        return ply >= 0

    def _play(self, action: int, rows: TableRows) -> int:
        scratch = self._scratch
        ply = self._kernel(self._lineup, scratch, self._columns, self._stream, action, rows, self._best)
        if ply >= 0:
            self.ply, self.seat = ply, int(scratch.turn[SEAT])
        return ply

    @property
    def digest(self) -> int:
        """Digest of the last ply."""
        digest = int(self._scratch.digest[0])
        return digest - 2 * _SIGN if digest & _SIGN else digest

    def columns(self) -> Columns:
        """What is kept of the plies so far."""
        return Columns(*(column[: self.ply].copy() for column in self._columns))

    def records(self, notes: Sequence[str]) -> list[PlyRecord]:
        """The plies so far, of seats that were asked. notes: names of what each notes of the position after it."""
        kept = Columns(*(column[: self.ply] for column in self._columns))
        rows = zip(
            kept.seats.tolist(),
            kept.actions.tolist(),
            map(self._spell, kept.spellings.tolist()),
            kept.legal_counts.tolist(),
            map(tuple, kept.scores.tolist()),
            kept.digests.tolist(),
            kept.notes.tolist(),
            self._decisions,
            self._all_infos(),
            strict=True,
        )
        records = []
        for ply, (seat, action, notation, legal_count, scores, digest, noted, decision, info) in enumerate(rows):
            if notes:
                after = dict(zip(notes, noted, strict=True))
                info = {"after": after} if info is None else {**info, "after": after}
            records.append(
                PlyRecord(ply, seat, action, notation, legal_count, scores, *thought(decision), digest, info)
            )
        return records

    def _all_infos(self) -> list[dict[str, Any] | None]:
        """What is said of each decision: what was asked for, or the rows that the kernel left."""
        best, spell, n, infinite = self._best, self._spell, self.ply, math.inf
        rows = zip(best.counts[:n].tolist(), best.keys[:n].tolist(), best.rounded[:n].tolist(), strict=True)
        infos: list[dict[str, Any] | None] = []
        for ply, (decision, (count, keys, numbers)) in enumerate(zip(self._decisions, rows, strict=True)):
            if ply in self._infos:
                infos.append(self._infos[ply])
            elif decision.table is None or len(decision.table.actions) == 0:
                infos.append(None)
            else:
                listed = [
                    [
                        action,
                        spell(spelling),
                        value if value < infinite else self._number(value, ply, row, 0),
                        visits,
                        error if error < infinite else self._number(error, ply, row, 1),
                    ]
                    for row, ((action, spelling, visits), (value, error)) in enumerate(
                        zip(keys[:count], numbers, strict=False)
                    )
                ]
                infos.append({"best": listed})
        return infos

    def _number(self, rounded: float, ply: int, row: int, column: int) -> float | None:
        """A number that the kernel has not rounded, where there is one."""
        return json_number(float(self._best.numbers[ply, row, column])) if rounded == math.inf else None


def _rows_of(table: Table | None) -> TableRows | None:
    """A table for kernels; None for columns of other types than theirs: for these they would be compiled anew."""
    if table is None or len(table.actions) == 0:
        return _NO_ROWS
    actions, values, visits, deviations = table.actions, table.values, table.visits, table.deviations
    if (
        actions.dtype == _INT32
        and values.dtype == deviations.dtype == _FLOAT64
        and visits.dtype == _INT64
        and actions.flags.carray
        and values.flags.carray
        and visits.flags.carray
        and deviations.flags.carray
    ):
        return TableRows(actions, values, visits, deviations)
    return None
