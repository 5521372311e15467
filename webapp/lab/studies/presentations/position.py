"""One position: the choices of the engines as a table. The board is on the page of the position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import count, plural, seconds, signed
from webapp.lab.results.charts.figure import Column
from webapp.lab.results.sides import configuration_words, short_names
from webapp.lab.studies.presentations.section import Fact, Section, Table
from webapp.records.models import Study
from webapp.table.live import action_words
from worker.course import Course
from worker.studies import position

COLUMNS = (
    Column("Engine", is_number=False),
    Column("Chooses", is_number=False),
    Column("Value"),
    Column("Nodes"),
    Column("Playouts"),
    Column("Depth"),
    Column("CPU time"),
)
NOTE = "Values are for the seat on turn, in the engine's own utility. Move tables and lines are in the exported result."


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """One table, a row for each engine that answered."""
    runs = result["runs"]
    names = short_names([configuration_words(run) for run in runs], "engine")
    answers, chosen = [run["answer"] for run in runs], _chosen(study, result)
    rows = [_row(*row) for row in zip(names, chosen, answers, strict=True) if row[-1]]
    table = Table(f"After {plural(result['ply'], 'ply', 'plies')}", COLUMNS, rows, NOTE)
    return [Section("What the engines found", tables=[table])] if rows else []


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """The action that most engines choose."""
    chosen = list(filter(None, _chosen(study, result)))
    if not chosen:
        return []
    most = max(dict.fromkeys(chosen), key=chosen.count)
    return [Fact("Chosen most", most, f"by {count(chosen.count(most))} of {plural(len(chosen), 'engine', 'engines')}")]


def _chosen(study: Study, result: Mapping[str, Any]) -> list[str]:
    """The choice of each run in words; empty where it has not answered. The page may be public."""
    course = position.walk_match(study.game, study.spec["parameters"])
    return [_words(course, run["answer"]) for run in result["runs"]]


def _words(course: Course, answer: Mapping[str, Any] | None) -> str:
    if answer is None:
        return ""
    if answer["action"] not in course.game.legal_actions(course.state):  # by the rules of today
        return str(answer["notation"])
    return action_words.choice_line(course.game, course.state, answer["action"], action_words.BY_NUMBER)


def _row(name: str, chosen: str, answer: Mapping[str, Any]) -> tuple[str, ...]:
    value = answer["value"]
    digits = 3 if value is not None and abs(value) < 2 else 1
    return (
        name,
        chosen,
        "none" if value is None else signed(value, digits),
        count(answer["nodes"]),
        count(answer["playouts"]),
        count(answer["depth"]),
        seconds(answer["cpu_s"]),
    )
