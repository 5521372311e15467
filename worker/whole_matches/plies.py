"""Plies of a match that was played whole, by column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from games.protocol import Game
from worker.records import PlyRecord
from worker.whole_matches.kernel_arguments import Columns

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PlyColumns(Sequence[PlyRecord]):
    """The plies as `PlyRecord`s, made where they are asked for; as columns for those who take many at once.

    seats, actions, legal_counts, digests: int64[plies]; scores: int64[plies, seats]; notes: by name int64[plies,
    seats]. elapsed_s, cpu_s: of each ply, since no clock runs between them.
    """

    seats: Numbers
    actions: Numbers
    legal_counts: Numbers
    notations: Sequence[str]
    scores: Numbers
    digests: Numbers
    notes: Mapping[str, Numbers]
    elapsed_s: float
    cpu_s: float

    def __len__(self) -> int:
        return len(self.notations)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # as of all that holds lists

    @overload
    def __getitem__(self, index: int) -> PlyRecord: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[PlyRecord]: ...
    def __getitem__(self, index: int | slice) -> PlyRecord | Sequence[PlyRecord]:
        return tuple(self)[index]

    def __iter__(self) -> Iterator[PlyRecord]:
        rows = zip(
            self.seats.tolist(),
            self.actions.tolist(),
            self.notations,
            self.legal_counts.tolist(),
            map(tuple, self.scores.tolist()),
            self.digests.tolist(),
            self.infos(),
            strict=True,
        )
        for ply, (seat, action, notation, legal_count, scores, digest, info) in enumerate(rows):
            yield PlyRecord(
                ply,
                seat,
                action,
                notation,
                legal_count,
                scores,
                value=None,
                playouts=0,
                nodes=0,
                depth=0,
                elapsed_s=self.elapsed_s,
                cpu_s=self.cpu_s,
                digest=digest,
                info=info,
            )

    def rows(self, spell: Callable[[str], str]) -> Iterator[tuple[Any, ...]]:
        """Each ply flat, for those who write many: number, seat, action, notation as `spell` has it, legal actions,
        score of every seat, digest, and every note of every seat.
        """
        return zip(
            range(len(self)),
            self.seats.tolist(),
            self.actions.tolist(),
            map(spell, self.notations),
            self.legal_counts.tolist(),
            *self.scores.T.tolist(),
            self.digests.tolist(),
            *(column for notes in self.notes.values() for column in notes.T.tolist()),
            strict=True,
        )

    def infos(self) -> list[dict[str, Any] | None]:
        """`PlyRecord.info` of each ply."""
        if not self.notes:
            return [None] * len(self)
        names = tuple(self.notes)
        rows = zip(*(notes.tolist() for notes in self.notes.values()), strict=True)
        return [{"after": dict(zip(names, row, strict=True))} for row in rows]


def plies_of(game: Game, spell: Callable[[int], str], columns: Columns, elapsed_s: float, cpu_s: float) -> PlyColumns:
    """Plies as the kernel left them. spell: notation of a spelling (`games.courses`); seconds: of all together."""
    n = max(1, len(columns.seats))
    return PlyColumns(
        columns.seats,
        columns.actions,
        columns.legal_counts,
        list(map(spell, columns.spellings.tolist())),
        columns.scores,
        columns.digests,
        {name: columns.notes[:, i] for i, name in enumerate(game.ply_notes)},
        elapsed_s / n,
        cpu_s / n,
    )
