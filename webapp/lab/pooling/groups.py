"""The same question in several experiments: which contrasts belong into one group. Pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from webapp.lab.pooling.contrasts import Contrast


@dataclass(frozen=True)
class Group:
    """A contrast in several experiments, by their numbers in the order in which they were chosen."""

    rows: dict[int, Contrast]

    @property
    def first(self) -> Contrast:
        """The one that names the group."""
        return next(iter(self.rows.values()))

    @property
    def names(self) -> tuple[str, str]:
        """What is compared, and with what."""
        return self.first.names


def _by_key(row: Contrast) -> Hashable:
    return row.key


def _by_name(row: Contrast) -> Hashable:
    return row.names


def _by_engines(row: Contrast) -> Hashable:
    return tuple(tuple(seat["engine"] for seat in part) for part in (row.side, row.other))


Road = Callable[[Contrast], Hashable]
ROADS: Sequence[Road] = (_by_key, _by_name, _by_engines)
"""By what two contrasts are known to be the same question, the surest first."""


def groups(found: Sequence[Sequence[Contrast]]) -> list[Group]:
    """The contrasts of each experiment in groups, those in most experiments first; one of each is in a group at most.

    A contrast joins the first group that has none of its experiment yet: as it stands, or the other way round.
    """
    made: list[dict[int, Contrast]] = []
    for index, rows in enumerate(found):
        left = list(rows)
        for road in ROADS:
            left = [row for row in left if not _joins(made, index, row, road)]
        made += [{index: row} for row in left]
    return [Group(rows) for rows in sorted(made, key=len, reverse=True)]


def _joins(
    made: Sequence[dict[int, Contrast]], index: int, row: Contrast, road: Callable[[Contrast], Hashable]
) -> bool:
    """Put a contrast into a group; whether there is one for it."""
    for one in (row, row.turned()):
        for group in made:
            if index not in group and any(road(other) == road(one) for other in group.values()):
                group[index] = one
                return True
    return False
