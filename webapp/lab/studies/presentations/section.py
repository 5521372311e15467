"""The parts of a presentation: sections with words, figures, tables and galleries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.lab.results.charts.figure import Column, Figure


@dataclass(frozen=True)
class Table:
    """A table of a section. Cells are words; numbers in them are written by webapp.common.formats."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    note: str = ""

    @property
    def cells(self) -> list[list[tuple[str, bool]]]:
        """The rows, each cell with whether its column holds numbers."""
        kinds = [column.is_number for column in self.columns]
        return [list(zip(row, kinds, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class Picture:
    """A drawing (markup that may be trusted) and the words under it."""

    svg: str
    caption: str = ""


@dataclass(frozen=True)
class Gallery:
    """Drawings side by side. symbols: markup that they refer to; is_large: each has much to see."""

    title: str
    symbols: str
    pictures: Sequence[Picture]
    note: str = ""
    is_large: bool = False


@dataclass(frozen=True)
class Section:
    """One part of the result. words: paragraphs; notes: small print at its end.

    Titles are different within a study and stay the same while it runs: addresses of figures
    are made from them.
    """

    title: str
    words: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    galleries: Sequence[Gallery] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Fact:
    """A number that stands out: on top of the page and on the preview picture."""

    label: str
    value: str
    small: str = ""
