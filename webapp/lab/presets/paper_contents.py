"""What a paper holds, for its page: by kind, with the presets that rebuild it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from worker.presets import contents as stored
from worker.presets import registry
from worker.presets.contents import Item
from worker.presets.model import Preset
from worker.presets.papers import Paper

CHIPS = {stored.THERE: "ok", stored.DIFFERENT: "info", stored.ABSENT: ""}
"""State -> class of its chip."""


@dataclass(frozen=True)
class Line:
    """One item. chip, word: its state; presets: those that rebuild it."""

    item: Item
    chip: str
    word: str
    presets: tuple[Preset, ...]


@dataclass(frozen=True)
class Section:
    """The items of one kind. id: of its heading."""

    id: str
    name: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class PaperContents:
    """A paper. counts: (number, chip, word) of each state; game: of its presets."""

    paper: Paper
    game: str
    sections: tuple[Section, ...]
    counts: Sequence[tuple[int, str, str]]


def contents(paper_id: str) -> PaperContents:
    """All that a paper holds. Raises KeyError for a paper without presets."""
    found = stored.of_paper(paper_id)
    games = [preset.game for preset in registry.presets().values() if preset.paper.id == paper_id]
    sections = [
        Section(kind, name, tuple(_line(item) for item in found if item.kind == kind))
        for kind, name in stored.KINDS.items()
    ]
    counts = stored.counts(found)
    return PaperContents(
        paper=found[0].paper,
        game=games[0],
        sections=tuple(section for section in sections if section.lines),
        counts=[(number, CHIPS[state], stored.STATES[state]) for state, number in counts.items()],
    )


def _line(item: Item) -> Line:
    return Line(item, CHIPS[item.state], stored.STATES[item.state], tuple(map(registry.get, item.presets)))
