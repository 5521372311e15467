"""Our figures where nothing is published, as tables: a row per label and a column per group, or the reverse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webapp.common import formats
from webapp.lab.presets import wording
from webapp.lab.presets.curves import split_group
from worker.presets.comparison import Comparison, Row, ShownFigure

EMPTY = wording.line(Row("", "", "", 0, ShownFigure(), ShownFigure(), "not judged"))
"""The cell of a figure that a group lacks and others have."""


@dataclass(frozen=True)
class Grid:
    """One table. title: the common beginning of its groups, or empty; rows: each with a figure for every column.

    size: number of matches or positions behind every figure, empty where they differ.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[wording.Line, ...]], ...]
    size: str

    @property
    def has_sizes(self) -> bool:
        """Whether each figure has to name its own size."""
        return not self.size and any(line.size for _, lines in self.rows for line in lines)

    @property
    def labelled_rows(self) -> list[tuple[str, list[tuple[str, wording.Line]]]]:
        """The rows, each figure with the name of its column."""
        return [(name, list(zip(self.columns, lines, strict=True))) for name, lines in self.rows]


def grids(comparison: Comparison) -> list[Grid]:
    """All figures: a table for each beginning of the names of groups; columns are labels or groups, the fewer."""
    parts: dict[str, dict[str, dict[str, Row]]] = {}
    for row in comparison.rows:
        title, name = split_group(row.group)
        parts.setdefault(title, {}).setdefault(name, {})[row.label] = row
    return [made for title, groups in parts.items() for made in _of_part(title, groups)]


def _of_part(title: str, groups: Mapping[str, Mapping[str, Row]]) -> list[Grid]:
    """One table of groups that share a label; else a list for each of them."""
    labels = list(dict.fromkeys(label for rows in groups.values() for label in rows))
    if len(labels) == sum(map(len, groups.values())):
        return [_grid(name, ["Figure"], list(rows), [[row] for row in rows.values()]) for name, rows in groups.items()]
    if len(labels) < len(groups):
        return [_grid(title, labels, list(groups), [[rows.get(label) for label in labels] for rows in groups.values()])]
    return [_grid(title, list(groups), labels, [[rows.get(label) for rows in groups.values()] for label in labels])]


def _grid(title: str, columns: Sequence[str], names: Sequence[str], cells: Sequence[Sequence[Row | None]]) -> Grid:
    sizes = {row.ours.n for rows in cells for row in rows if row is not None and row.ours.n}
    lines = (tuple(EMPTY if row is None else wording.line(row) for row in rows) for rows in cells)
    size = formats.count(sizes.pop()) if len(sizes) == 1 else ""
    return Grid(title, tuple(columns), tuple(zip(names, lines, strict=True)), size)
