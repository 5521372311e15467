"""Counts of the ways to lay dominoes on a small board (Wong and Kang, *Simulating Kingdomino*).

A piece is one start cell (by Kingdomino's rule with crowns: one kind of one of its squares), and
last the gallery. Counts are whole numbers without end, so rows and results hold them as text.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from games import options as option_tools
from games import rng
from games.options import option
from games.protocol import Game
from worker.counting import faces, kasteleyn, kingdoms, packings
from worker.counting.board import Board, start_classes
from worker.counting.first_touch import FirstTouch
from worker.counting.laying_order import number_dominoes
from worker.counting.packings import ANYWHERE
from worker.counting.points import Best
from worker.fields import Field
from worker.spec import SpecError
from worker.studies import form, gallery, wong_kang
from worker.studies.protocol import StudySpec

MAX_SIDE = 16
SHORTER_SIDE = {"tessellations": 16, "packings": 11, "grown": 9}
"""The longest that the shorter side may be: what larger boards take grows about threefold with each square."""
GALLERY_SIDE = {"tessellations": 13, "packings": 9, "grown": 7}
"""The same for boards whose layouts are looked up by number: that keeps a table."""
COST = {"tessellations": (1.8e-6, 2.1), "packings": (2.4e-6, 3.2), "grown": (9e-7, 4.6)}
"""CPU seconds of one row of one square, and how many times as much each square more of the shorter side takes."""
LOOKED_UP = 8
"""Units of work that the table of a gallery adds, for a castle anywhere."""
KINGDOMS = ("terrain", "crowns", "first_touch")
"""Rules of one kingdom with the 48 dominoes."""
STARTS = ("none", "cell", "classes", "anywhere")


@dataclass(frozen=True)
class Options:
    """Fields of the form."""

    width: int = option(5, "Columns", minimum=1, maximum=MAX_SIDE)
    height: int = option(5, "Rows", minimum=1, maximum=MAX_SIDE)
    rule: str = option(
        "tessellations",
        "What is counted",
        "Every square covered; or no domino can be added, at all or grown from the start cell; or end states with the "
        "48 dominoes, on 3 to 9 squares.",
        choices=(
            ("tessellations", "Tessellations"),
            ("packings", "End positions, any"),
            ("grown", "End positions, grown"),
            ("terrain", "Kingdoms by terrain"),
            ("crowns", "Kingdoms with crowns"),
            ("first_touch", "Kingdoms, published search"),
        ),
    )
    start: str = option(
        "classes",
        "Start cell",
        "Boards with an odd number of squares have one; the castle stands there.",
        choices=(
            ("classes", "each, up to symmetry"),
            ("cell", "one cell"),
            ("anywhere", "anywhere, at once"),
            ("none", "none"),
        ),
    )
    column: int = option(1, "Its column", "For one start cell; from the left.", minimum=1, maximum=MAX_SIDE)
    row: int = option(1, "Its row", "For one start cell; from the top.", minimum=1, maximum=MAX_SIDE)
    shown: int = option(12, "Pictures", "Layouts in the gallery.", minimum=0, maximum=60)
    picked: str = option(
        "random",
        "Which pictures",
        "Kingdoms are always drawn at random.",
        choices=(("random", "drawn at random"), ("first", "the first in order")),
    )


class Part(NamedTuple):
    """Part that one piece counts: a start cell (None: none; ANYWHERE), how many it stands for, and of crowns a kind."""

    cell: int | None
    weight: int
    square: int | None = None
    kind: int | None = None


class Tilings:
    """Counts layouts of dominoes; see `worker.studies.protocol.StudyKind`."""

    id = "tilings"
    version = "1"
    label = "Domino boards"
    summary = "How many ways there are to lay dominoes on a small board: tessellations, end positions, kingdoms."
    row_fields: Mapping[str, Field] = {
        "kind": Field("“count” or “gallery”: what the piece did.", "string"),
        "column": Field("Column of the start cell, from 1; empty where there is none, or anywhere."),
        "row": Field("Row of the start cell, from 1."),
        "ends": Field("End positions of this part, an exact number.", "string", "positions"),
        "complete": Field("Of them those that fill the board.", "string", "positions"),
        "determinant": Field(
            "The number of tessellations once more, by Kasteleyn's determinant.", "string", "positions"
        ),
        "outlines": Field("End positions whose seams are told apart.", "string", "positions"),
        "complete_outlines": Field("Of them those that fill the board.", "string", "positions"),
        "numbers": Field("End positions told apart by seams and by which domino lies where.", "string", "positions"),
        "complete_numbers": Field("Of them those that fill the board.", "string", "positions"),
        "best": Field("The kingdom of most points in this part.", "json", "points"),
        "boards": Field("Of the gallery: the boards that are drawn.", "json"),
        "cpu_s": Field("CPU time of the counting.", "double", "seconds"),
    }
    options = Options
    games = ("kingdomino",)

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults; refuse what cannot be, or takes too long. Raises SpecError naming the place."""
        form.refuse_others(game, self.games, "boards of dominoes")
        chosen = form.read_options(Options, parameters)
        _check_size(chosen)
        _check_start(chosen)
        return option_tools.to_json(chosen)

    def num_pieces(self, study: StudySpec) -> int:
        """One for each part, and one for the gallery."""
        return len(_parts(study.parameters)) + int(study.parameters["shown"] > 0)

    def seconds(self, study: StudySpec) -> float:
        """Seconds as measured, about threefold with each square of the shorter side."""
        chosen = study.parameters
        rule, parts = chosen["rule"], len(_parts(chosen))
        if rule == "crowns":
            return 1.1 * parts
        if rule in KINGDOMS:
            return {"terrain": 0.4, "first_touch": 5.0}[rule] * parts
        short, long = sorted((chosen["width"], chosen["height"]))
        first, growth = COST[rule]
        one = first * growth**short * long
        times = parts * (2 if chosen["start"] == "anywhere" else 1) + (LOOKED_UP if chosen["shown"] else 0)
        return 0.05 + float(one * times)

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Count a part, or pick the pictures."""
        began = time.process_time()
        parts = _parts(study.parameters)
        if index == len(parts):
            row: dict[str, Any] = {"kind": "gallery", "boards": _pictures(study)}
        else:
            where = _place(study.parameters, parts[index].cell)
            row = {"kind": "count"} | where | _counted(study.parameters, parts[index])
        return row | {"cpu_s": time.process_time() - began}

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Counts by start cell, their total, the published numbers beside them, the pictures."""
        chosen, parts = study.parameters, _parts(study.parameters)
        cells = [
            _cell(chosen, cell, [(rows.get(i), part) for i, part in enumerate(parts) if part.cell == cell])
            for cell in dict.fromkeys(part.cell for part in parts)
        ]
        return {
            "rule": chosen["rule"],
            "width": chosen["width"],
            "height": chosen["height"],
            "cells": cells,
            "total": _total(cells),
            "published": wong_kang.compare_numbers(chosen["rule"], chosen["width"], chosen["height"], cells),
            "boards": rows[len(parts)]["boards"] if len(parts) in rows else [],
        }


# ---- what is asked
def _check_size(chosen: Options) -> None:
    size, short = chosen.width * chosen.height, min(chosen.width, chosen.height)
    side = "width" if chosen.width <= chosen.height else "height"
    if chosen.rule in KINGDOMS:
        if not 3 <= size <= kingdoms.MAX_SQUARES or size % 2 == 0:
            allowed = f"an odd number of 3 to {kingdoms.MAX_SQUARES} squares"
            raise SpecError((side,), f"gives a board of {size} squares; by this rule it needs {allowed}")
        return
    most = SHORTER_SIDE[chosen.rule]
    if short > most:
        raise SpecError((side,), f"must be at most {most} on the shorter side by this rule, not {short}")
    if chosen.shown and short > GALLERY_SIDE[chosen.rule]:
        raise SpecError(("shown",), f"must be 0 where the shorter side is above {GALLERY_SIDE[chosen.rule]}")


def _check_start(chosen: Options) -> None:
    size = chosen.width * chosen.height
    if chosen.start == "none":
        if chosen.rule in (*KINGDOMS, "grown"):
            raise SpecError(("start",), "must be a cell: by this rule everything grows from it")
        if chosen.rule == "tessellations" and size % 2:
            raise SpecError(("start",), f"must be a cell: dominoes alone cannot cover {size} squares")
        return
    if size % 2 == 0:
        raise SpecError(("start",), f"must be none on a board with an even number of squares ({size})")
    if chosen.start == "cell":
        for name, side in (("column", chosen.width), ("row", chosen.height)):
            if getattr(chosen, name) > side:
                raise SpecError((name,), f"must be between 1 and {side}, not {getattr(chosen, name)}")


def _parts(chosen: Mapping[str, Any]) -> list[Part]:
    """Start cells, by crowns with the kinds of one of their squares."""
    cells = _cells(chosen)
    if chosen["rule"] != "crowns":
        return [Part(*cell) for cell in cells]
    kinds = faces.load(with_crowns=True)
    return [Part(cell, weight, *part) for cell, weight in cells for part in kingdoms.parts(_board(chosen, cell), kinds)]


def _cells(chosen: Mapping[str, Any]) -> list[tuple[int | None, int]]:
    """Start cells that are counted, and how many each stands for."""
    start, width, height = chosen["start"], chosen["width"], chosen["height"]
    is_search = chosen["rule"] == "first_touch"  # it is not symmetric: one cell stands for no other
    if start == "none":
        return [(None, 1)]
    if start == "cell":
        return [((chosen["row"] - 1) * width + chosen["column"] - 1, 1)]
    if start == "anywhere" and chosen["rule"] not in KINGDOMS:
        return [(ANYWHERE, width * height)]
    return [(one.cell, 1 if is_search else one.weight) for one in start_classes(width, height)]


def _board(chosen: Mapping[str, Any], cell: int | None) -> Board:
    return Board(chosen["width"], chosen["height"], cell)


def _place(chosen: Mapping[str, Any], cell: int | None) -> dict[str, int | None]:
    """Column and row of a start cell as people count them, None for none and for anywhere."""
    if cell is None or cell == ANYWHERE:
        return {"column": None, "row": None}
    column, row = _board(chosen, cell).place(cell)
    return {"column": column + 1, "row": row + 1}


# ---- doing a piece
def _counted(chosen: Mapping[str, Any], part: Part) -> dict[str, Any]:
    board = _board(chosen, part.cell)
    if chosen["rule"] == "first_touch":
        search = FirstTouch(board)
        return {"ends": str(search.ends), "complete": str(search.complete)}
    if chosen["rule"] == "terrain":
        look = faces.load(with_crowns=False)
        tallies = [kingdoms.tally(board, look, *one)[0] for one in kingdoms.parts(board, look)]
        return {name: str(sum(getattr(one, name) for one in tallies)) for name in ("ends", "complete")}
    if part.square is not None and part.kind is not None:
        look = faces.load(with_crowns=True)
        tally, best = kingdoms.tally(board, look, part.square, part.kind)
        return {name: str(number) for name, number in vars(tally).items()} | {"best": best_json(board, best)}
    complete = packings.number_of("tessellations", board)
    if chosen["rule"] == "tessellations":
        return {"complete": str(complete), "determinant": str(_determinant(board))}
    return {"ends": str(packings.number_of(chosen["rule"], board)), "complete": str(complete)}


def _determinant(board: Board) -> int:
    """The same by Kasteleyn; of a castle anywhere the sum over all its cells."""
    if board.castle != ANYWHERE:
        return kasteleyn.tessellations(board)
    classes = start_classes(board.width, board.height)
    return sum(one.weight * kasteleyn.tessellations(Board(board.width, board.height, one.cell)) for one in classes)


def best_json(board: Board, best: Best | None) -> dict[str, Any] | None:
    """The best kingdom as JSON, domino by domino."""
    if best is None:
        return None
    look = faces.load(with_crowns=True)
    shown = [(int(look.terrain[kind]), int(look.crowns[kind])) for pair in best.kinds for kind in pair]
    laid = number_dominoes(board, best.slots, list(zip(shown[::2], shown[1::2], strict=True)))
    return {"points": best.points, "castle": board.castle, "dominoes": [list(one) for one in laid]}


def _pictures(study: StudySpec) -> list[dict[str, Any]]:
    chosen, luck = study.parameters, rng.new_stream(study.seed, rng.ANALYSIS)
    cells = _cells(chosen)
    if chosen["rule"] in KINGDOMS:
        return gallery.kingdoms([(_board(chosen, cell), weight) for cell, weight in cells], chosen["shown"], luck)
    cell = cells[0][0] if chosen["start"] in ("none", "cell") else ANYWHERE
    drawn = luck if chosen["picked"] == "random" else None
    return gallery.layouts(chosen["rule"], _board(chosen, cell), chosen["shown"], drawn)


# ---- what the rows say
def _cell(
    chosen: Mapping[str, Any], cell: int | None, found: Sequence[tuple[Mapping[str, Any] | None, Part]]
) -> dict[str, Any]:
    """One start cell: the sum of its parts, None as long as one is not known; the best kingdom so far."""
    rows = [row for row, _ in found if row is not None]
    board = _board(chosen, cell)
    names = [name for name in rows[0] if name not in ("kind", "column", "row", "cpu_s", "best")] if rows else []
    is_known = len(rows) == len(found)
    best = max((row["best"] for row in rows if row.get("best")), key=lambda one: one["points"], default=None)
    return {
        **_place(chosen, cell),
        "weight": found[0][1].weight,
        "done": len(rows),
        "parts": len(found),
        "may_be_full": packings.may_be_full(board),
        "counts": {name: str(sum(int(row[name]) for row in rows)) for name in names} if is_known else None,
        "best": best,
        "cpu_s": sum(row["cpu_s"] for row in rows),
    }


def _total(cells: Sequence[Mapping[str, Any]]) -> dict[str, str] | None:
    """All start cells, each with its weight; a castle anywhere is a total already."""
    if any(cell["counts"] is None for cell in cells):
        return None
    return {
        name: str(sum(int(cell["counts"][name]) * (cell["weight"] if cell["column"] else 1) for cell in cells))
        for name in cells[0]["counts"]
    }
