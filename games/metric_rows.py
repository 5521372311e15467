"""Metrics of a finished match by column: names stand once for each game, numbers in an array as kernels leave them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MetricColumns:
    """The metrics of a game in the order in which matches are recorded. names: ids; fractions: those kept as floats."""

    names: tuple[str, ...]
    fractions: frozenset[str]

    def by_name(self, row: Sequence[float]) -> dict[str, float]:
        """The numbers of a seat by id, without those that it has not."""
        return {
            name: value if name in self.fractions else int(value)
            for name, value in zip(self.names, row, strict=True)
            if value == value
        }


@dataclass(frozen=True, eq=False)
class MetricRows(Sequence[Mapping[str, float]]):
    """The metrics of every seat as mappings, made where they are asked for; an array for those who take many at once.

    values: float64[seats, names]; what a seat has not is not a number.
    """

    columns: MetricColumns
    values: Values

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # as of all that holds mappings

    @overload
    def __getitem__(self, index: int) -> Mapping[str, float]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, float]]: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, float] | Sequence[Mapping[str, float]]:
        if isinstance(index, slice):
            return MetricRows(self.columns, self.values[index])
        return self.columns.by_name(self.values[index].tolist())

    def __iter__(self) -> Iterator[Mapping[str, float]]:
        return map(self.columns.by_name, self.values.tolist())
