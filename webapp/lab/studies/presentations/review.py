"""The review of a match: the parts of its margin, and the decisions that cost most. Its page has it in full."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games import registry as game_registry
from webapp.common.formats import count, number, plural, signed
from webapp.common.naming import with_names
from webapp.lab.results.charts.figure import Column
from webapp.lab.studies.presentations.section import Fact, Section, Table
from webapp.records.models import Study
from webapp.table.live import action_words
from worker.studies import review

PARTS = (
    Column("Seat"),
    Column("From the start"),
    Column("Own decisions"),
    Column("Decisions of the others"),
    Column("Luck of the draws"),
    Column("Margin"),
)
DECISIONS = (
    Column("Ply"),
    Column("Seat"),
    Column("Played", is_number=False),
    Column("Better", is_number=False),
    Column("Points lost"),
    Column("95 % interval"),
)
NOTE = "Points against the best other action; intervals hold for the whole match together. Seats are counted from 1."
MARGINS = "Parts of the margins at the end"
NAMES = ("start", "own", "others", "luck")


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """Luck and play, once every decision is known; decisions that lost something for certain."""
    found = []
    if result["parts"]:
        pairs = zip(result["parts"], result["end"], strict=True)
        rows = [
            (str(seat + 1), *(_with_half(*parts[name]) for name in NAMES), signed(margin, 1 if result["is_cut"] else 0))
            for seat, (parts, (margin, _)) in enumerate(pairs)
        ]
        title = "Parts of the margins expected where the match was cut short" if result["is_cut"] else MARGINS
        found.append(Section("Luck and play", tables=[Table(title, PARTS, rows)]))
    mistakes = [row for row in result["decisions"] if row["is_mistake"]]
    if mistakes:
        rows = [_row(row, _in_words(study, row)) for row in mistakes]
        table = Table("Decisions that cost points for certain", DECISIONS, rows, NOTE)
        found.append(Section("Decisions", tables=[table]))
    return found


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """The number of decisions that cost points for certain."""
    mistakes = sum(row["is_mistake"] for row in result["decisions"])
    return [Fact("Certain mistakes", count(mistakes), f"in {plural(result['num_plies'], 'decision', 'decisions')}")]


def _with_half(mean: float, low: float, high: float) -> str:
    return f"{signed(mean, 1)} ±{number((high - low) / 2, 1)}"


def _in_words(study: Study, row: Mapping[str, Any]) -> list[str]:
    """The action that was played and the better one in words; the page may be public, so seats go by number."""
    state = review.walk_match(study.game, study.spec["parameters"])[row["ply"]].state
    played, best = action_words.describe_pair(game_registry.get(study.game), state, (row["played"], row["best"]))
    better = action_words.capitalise(action_words.split_held(best)[1])  # the same is in hand
    return [with_names(words, action_words.BY_NUMBER) for words in (played, better)]


def _row(row: Mapping[str, Any], words: Sequence[str]) -> tuple[str, ...]:
    return (
        count(row["ply"] + 1),
        count(row["seat"] + 1),
        *words,
        number(row["loss"], 1),
        f"{number(row['low'], 1)} to {number(row['high'], 1)}",
    )
