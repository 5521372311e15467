"""Metrics of many seats by column, so that they are written and added up without a step for each number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import cast

import numpy as np
from numpy.typing import NDArray

from games.metric_rows import MetricRows

Numbers = Mapping[str, float | None]
Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MetricTable:
    """Names in the order of their columns; values: float64[seats, names], NaN where a seat has no number."""

    names: tuple[str, ...]
    values: Values

    @classmethod
    def of_matches(cls, matches: Sequence[Sequence[Numbers]]) -> MetricTable:
        """The metrics of all seats of matches of one game, one below the other; of columns those with any number."""
        arrays = [rows.values for rows in matches if isinstance(rows, MetricRows)]
        if not arrays or len(arrays) < len(matches):
            return cls.of([row for rows in matches for row in rows])
        values = np.concatenate(arrays)
        is_there = np.asarray(~np.isnan(values).all(axis=0))
        names = cast(MetricRows, matches[0]).columns.names
        return cls(tuple(compress(names, is_there.tolist())), values[:, is_there])

    @classmethod
    def of(cls, rows: Sequence[Numbers]) -> MetricTable:
        """The metrics of seats, row by row; those of most have the same names in the same order."""
        alike: dict[tuple[str, ...], list[int]] = {}
        for number, row in enumerate(rows):
            alike.setdefault(tuple(row), []).append(number)
        names = tuple(dict.fromkeys(name for group in alike for name in group))
        places = {name: place for place, name in enumerate(names)}
        values = np.full((len(rows), len(names)), np.nan)
        for group, numbers in alike.items():
            found = np.array([tuple(rows[number].values()) for number in numbers], np.float64)
            values[np.array(numbers)[:, None], [places[name] for name in group]] = found
        return cls(names, values)
