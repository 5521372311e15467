"""The most points that one kingdom can bring: decided on 3 x 3 and 5 x 5 squares, searched for on 7 x 7.

The first piece is the bound that no kingdom passes (`worker.counting.bound`). On 3 x 3 every
other piece scores a part of all end states, on 5 x 5 it decides some tessellations
(`worker.counting.exhaustion`), on 7 x 7 it is one search (`worker.counting.annealing`) from random
full boards. A kingdom with the points of the bound is proved to be the best. Bonuses come on top.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from games import options as option_tools
from games import rng
from games.options import option
from games.protocol import Game
from worker.counting import exhaustion, faces, kingdoms
from worker.counting.annealing import ALL, Annealing, NoKingdomError
from worker.counting.board import Board, start_classes
from worker.counting.bound import most_points
from worker.counting.laying_order import Kingdom
from worker.counting.packings import Layouts, may_be_full, number_of
from worker.fields import Field
from worker.studies import form
from worker.studies.gallery import below
from worker.studies.protocol import StudySpec
from worker.studies.tilings import best_json

DATA = Path(__file__).parent / "data" / "best_kingdoms.json"
SCORED, DECIDED = 3, 5
"""Squares a side of boards that are scored completely, and of those where every tessellation is decided."""
BLOCK = 16
"""Tessellations that a piece decides."""
TESSELLATION_S, STEP_S = 0.1, 1e-6
"""CPU seconds to decide one tessellation, and of one step of one board of 7 x 7 squares (of one core of 2026)."""
BONUSES = 15
"""Middle kingdom and harmony together, which a full kingdom with the castle in the middle has."""


@dataclass(frozen=True)
class Options:
    """Fields of the form."""

    size: str = option("5", "Kingdom", choices=(("3", "3 x 3 squares"), ("5", "5 x 5 squares"), ("7", "7 x 7 squares")))
    castle: str = option(
        "middle",
        "Castle",
        "Only in the middle of a full kingdom do both bonuses count.",
        choices=(("middle", "in the middle"), ("everywhere", "on every square, up to symmetry")),
    )
    searches: int = option(8, "Searches", "On 7 x 7, for each castle.", minimum=1, maximum=1_000)
    boards: int = option(1, "Boards", "That one search improves, one after the other.", minimum=1, maximum=4_000)
    box: str = option(
        "bound",
        "Box",
        "The bound's dominoes bring the most if they can be fitted together.",
        choices=(("bound", "the dominoes of the bound"), ("all", "all 48 dominoes")),
    )
    steps: int = option(
        3_000_000, "Steps", "More steps cool more slowly and find more.", minimum=100, maximum=100_000_000
    )


class Task(NamedTuple):
    """One piece after the bound: a castle cell, and which part of its end states, block or search."""

    cell: int
    number: int


class BestKingdom:
    """Looks for the best kingdom; see `worker.studies.protocol.StudyKind`."""

    id = "best_kingdom"
    version = "2"
    label = "Best kingdom"
    summary = "The most points that one kingdom of Kingdomino can bring: found, proved or bounded."
    row_fields: Mapping[str, Field] = {
        "kind": Field("“bound” or “board”: what the piece did.", "string"),
        "points": Field("Most points: of the bound, or found in this part.", unit="points"),
        "areas": Field("Of the bound: terrain, squares and crowns of each area.", "json"),
        "column": Field("Column of the castle's cell, from 1."),
        "row": Field("Row of the castle's cell, from 1."),
        "best": Field("The best kingdom of this part: points, castle and dominoes.", "json"),
        "cpu_s": Field("CPU time of the search.", "double", "seconds"),
    }
    options = Options
    games = ("kingdomino",)

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults. Raises SpecError naming the place."""
        form.refuse_others(game, self.games, "kingdoms")
        return option_tools.to_json(form.read_options(Options, parameters))

    def num_pieces(self, study: StudySpec) -> int:
        """The bound, then parts, blocks or searches."""
        return 1 + len(_tasks(study.parameters))

    def seconds(self, study: StudySpec) -> float:
        """Seconds as measured."""
        chosen, tasks = study.parameters, len(_tasks(study.parameters))
        one = {SCORED: 1.1, DECIDED: BLOCK * TESSELLATION_S}
        return 4.0 + tasks * float(one.get(int(chosen["size"]), chosen["boards"] * chosen["steps"] * STEP_S))

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Solve the bound, score a part of all end states, decide a block of tessellations, or search once."""
        began, size = time.process_time(), int(study.parameters["size"])
        if index == 0:
            bound = most_points(size * size // 2)
            row: dict[str, Any] = {
                "kind": "bound",
                "points": bound.points,
                "areas": [[terrain, *area] for terrain, area in bound.areas.items()],
            }
        else:
            task = _tasks(study.parameters)[index - 1]
            found = {SCORED: _scored, DECIDED: _decided}.get(size, _searched)(study, task)
            column, line = Board(size, size).place(task.cell)
            points = found["best"]["points"] if found["best"] else None
            row = {"kind": "board", "column": column + 1, "row": line + 1, "points": points, **found}
        return row | {"cpu_s": time.process_time() - began}

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """The bound, the best kingdom of each castle cell and of all, and how often searches came how far."""
        size, tasks = int(study.parameters["size"]), _tasks(study.parameters)
        cells = []
        for one in start_classes(size, size):
            numbers = [i + 1 for i, task in enumerate(tasks) if task.cell == one.cell]
            if numbers:
                cells.append(_cell(size, one.cell, one.weight, [rows[i] for i in numbers if i in rows], len(numbers)))
        bound = rows.get(0)
        best = max(
            (cell["best"] for cell in cells if cell["best"]), key=lambda kingdom: kingdom["points"], default=None
        )
        is_complete = size in (SCORED, DECIDED) and all(cell["done"] == cell["parts"] for cell in cells)
        return {
            "size": size,
            "bound": None if bound is None else {"points": bound["points"], "areas": bound["areas"]},
            "cells": cells,
            "best": best,
            "castle": study.parameters["castle"],
            "is_proved": best is not None and (is_complete or best["points"] == (bound or {}).get("points")),
            "known": known().get(str(size)),
            "bonuses": BONUSES,
        }


@cache
def known() -> dict[str, dict[str, Any]]:
    """The best kingdoms found so far by long searches of this study, by size."""
    data: dict[str, dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))["kingdoms"]
    return data


def _tasks(chosen: Mapping[str, Any]) -> list[Task]:
    """Castle cells one after the other; those on which no full kingdom can stand are left out beyond 3 x 3."""
    size = int(chosen["size"])
    everywhere = [one.cell for one in start_classes(size, size)]
    boards = [Board(size, size, cell) for cell in (everywhere if chosen["castle"] == "everywhere" else [size**2 // 2])]
    if size > SCORED:
        boards = [board for board in boards if may_be_full(board)]
    return [Task(board.castle or 0, number) for board in boards for number in range(_num_tasks(chosen, board))]


def _num_tasks(chosen: Mapping[str, Any], board: Board) -> int:
    if board.width == SCORED:
        return len(list(kingdoms.parts(board, faces.load(with_crowns=True))))
    if board.width == DECIDED:
        return -(-number_of("tessellations", board) // BLOCK)
    return int(chosen["searches"])


def _scored(study: StudySpec, task: Task) -> dict[str, Any]:
    """The best of one part of all end states."""
    board, look = Board(SCORED, SCORED, task.cell), faces.load(with_crowns=True)
    square, kind = list(kingdoms.parts(board, look))[task.number]
    return {"best": best_json(board, kingdoms.tally(board, look, square, kind)[1])}


def _decided(study: StudySpec, task: Task) -> dict[str, Any]:
    """The best kingdom of a block of tessellations; None where none has more than 124 points."""
    board = Board(DECIDED, DECIDED, task.cell)
    layouts = Layouts("tessellations", board)
    block = range(task.number * BLOCK, min((task.number + 1) * BLOCK, layouts.num))
    found = [kingdom for i in block if (kingdom := exhaustion.best(board, layouts[i].slots))]
    top = max(found, key=lambda kingdom: kingdom.points, default=None)
    return {"best": None if top is None else _json(board, top)}


def _json(board: Board, kingdom: Kingdom) -> dict[str, Any]:
    return {"points": kingdom.points, "castle": board.castle, "dominoes": [list(one) for one in kingdom.laid]}


def _searched(study: StudySpec, task: Task) -> dict[str, Any]:
    """One search from random tessellations."""
    size, chosen = int(study.parameters["size"]), study.parameters
    board = Board(size, size, task.cell)
    luck = rng.new_stream(study.seed, rng.ANALYSIS, task.cell, task.number)
    layouts = Layouts("tessellations", board)
    numbers = most_points(size * size // 2).numbers if chosen["box"] == "bound" else ALL
    annealing, found = Annealing(board, numbers), []
    for _ in range(chosen["boards"]):
        with suppress(NoKingdomError):
            found.append(annealing.run(layouts[below(luck, layouts.num)].slots, chosen["steps"], luck))
    top = max(found, key=lambda kingdom: kingdom.points, default=None)
    return {"best": None if top is None else _json(board, top)}


def _cell(size: int, cell: int, weight: int, rows: list[dict[str, Any]], parts: int) -> dict[str, Any]:
    """One castle cell: its best kingdom so far, and how often each number of points was the best of a piece."""
    column, line = Board(size, size).place(cell)
    bests = [row["best"] for row in rows if row["best"]]
    often = Counter(best["points"] for best in bests)
    return {
        "column": column + 1,
        "row": line + 1,
        "weight": weight,
        "done": len(rows),
        "parts": parts,
        "best": max(bests, key=lambda best: best["points"], default=None),
        "points": [[points, often[points]] for points in sorted(often, reverse=True)],
        "cpu_s": sum(row["cpu_s"] for row in rows),
    }
