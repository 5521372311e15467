"""What five papers hold, and what of it is here: ``data/contents.json``, one system, table, figure or idea a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from worker.presets.papers import Paper, paper

FILE = Path(__file__).parent / "data" / "contents.json"
KINDS: Mapping[str, str] = {
    "system": "Systems",
    "table": "Tables and printed numbers",
    "figure": "Figures",
    "idea": "Ideas for the future",
}
"""Kind of an item -> its heading."""
NUMBERED = ("table", "figure")
NUMBER = re.compile(r"\d|[IVX]+\b")
SEVERAL = re.compile(r" and | to |, ")
THERE, DIFFERENT, ABSENT = "there", "different", "absent"
STATES: Mapping[str, str] = {THERE: "There", DIFFERENT: "There, but different", ABSENT: "Not there"}
"""State of an item -> its words."""


@dataclass(frozen=True)
class Item:
    """One thing in a paper. where: its number or section; words: how and why it is different or missing.

    presets: ids of the presets that rebuild it; is_live: whether the paper's page of people's matches counts it.
    """

    paper: Paper
    kind: str
    where: str
    what: str
    state: str
    words: str = ""
    presets: tuple[str, ...] = ()
    is_live: bool = False

    @property
    def place(self) -> str:
        """Its kind and number, as the paper calls it."""
        if not NUMBER.match(self.where):
            return self.where
        called = self.kind.capitalize() if self.kind in NUMBERED else "Section"
        return f"{called}{'s' if SEVERAL.search(self.where) else ''} {self.where}"


@cache
def items() -> tuple[Item, ...]:
    """All of them, paper by paper in the order of the file."""
    return tuple(
        Item(**{**row, "paper": paper(row["paper"]), "presets": tuple(row.get("presets", ()))})
        for row in json.loads(FILE.read_bytes())
    )


def of_paper(paper_id: str) -> tuple[Item, ...]:
    """What one paper holds."""
    return tuple(item for item in items() if item.paper.id == paper_id)


def counts(found: tuple[Item, ...]) -> dict[str, int]:
    """How many are in each state."""
    return {state: sum(item.state == state for item in found) for state in STATES}
