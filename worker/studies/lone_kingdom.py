"""Size of the game of one kingdom (Wong and Kang, section 3): the printed estimate, and sampled ones.

One player lays any of the 48 dominoes on a board with a fixed castle cell until none fits.
Parameters: the board, the castle, and `populations` of `paths` random paths each. A piece is one
population, and counts two things at once apart: the tree, whose nodes are ways to come
somewhere, and the kingdoms themselves, each once in whatever order it was laid.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games import options as option_tools
from games import rng
from games.options import option
from games.protocol import Game
from worker.counting.board import Board
from worker.fields import Field
from worker.studies import form, lone_steps, populations
from worker.studies.protocol import StudySpec
from worker.studies.sizes import log_mean, log_sum

TREE, STATES = 1, 2
STEP_S = 4e-4
"""CPU seconds of one step of one path (of one core of 2026)."""
PRINTED = {"breadth": 24, "depth": 18, "gedda": 61}
"""Wong and Kang: at most 24 ways to lay a domino, at most 18 of them; Gedda et al. for four players, a power of ten."""


@dataclass(frozen=True)
class Options:
    """Fields of the form."""

    size: str = option("5", "Board", choices=(("3", "3 x 3 squares"), ("5", "5 x 5 squares"), ("7", "7 x 7 squares")))
    castle: str = option("middle", "Castle", choices=(("middle", "in the middle"), ("corner", "in a corner")))
    populations: int = option(8, "Populations", "Each estimates everything once.", minimum=1, maximum=1_000)
    paths: int = option(200, "Paths", "Random paths of a population.", minimum=2, maximum=5_000)


class LoneKingdom:
    """Size of tree and states of one kingdom; see `worker.studies.protocol.StudyKind`."""

    id = "lone_kingdom"
    version = "1"
    label = "One kingdom's size"
    summary = "How many ways there are to lay one kingdom, and how many kingdoms, beside the printed estimate."
    row_fields: Mapping[str, Field] = {
        "tree": Field(
            "Decimal logarithms of the number of ways: “levels” by domino, “leaves” of those that go no further.",
            "json",
            "powers of ten",
        ),
        "kingdoms": Field("The same of kingdoms.", "json", "powers of ten"),
        "log_tree_ends": Field(
            "Decimal logarithm of the number of ways that go no further.", "double", "powers of ten"
        ),
        "log_kingdoms_ends": Field(
            "Decimal logarithm of the number of kingdoms that go no further.", "double", "powers of ten"
        ),
    }
    options = Options
    games = ("kingdomino",)

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults. Raises SpecError naming the place."""
        form.refuse_others(game, self.games, "kingdoms")
        return option_tools.to_json(form.read_options(Options, parameters))

    def num_pieces(self, study: StudySpec) -> int:
        """One for each population."""
        return int(study.parameters["populations"])

    def seconds(self, study: StudySpec) -> float:
        """Two populations of paths, a domino for each two squares."""
        chosen, size = study.parameters, int(study.parameters["size"])
        return float(2 * chosen["populations"] * chosen["paths"] * (size * size // 2) * STEP_S)

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Grow the tree and the kingdoms once each."""
        chosen, size = study.parameters, int(study.parameters["size"])
        board = Board(size, size, size * size // 2 if chosen["castle"] == "middle" else 0)
        found: dict[str, Any] = {}
        for name, ends, purpose, step in (
            ("tree", "log_tree_ends", TREE, lone_steps.ply),
            ("kingdoms", "log_kingdoms_ends", STATES, lone_steps.kingdom),
        ):
            luck = rng.new_stream(study.seed, rng.ANALYSIS, purpose, index)
            counted = populations.count(lone_steps.start(board), step, chosen["paths"], luck)
            found[name] = {"levels": list(counted.levels), "leaves": counted.leaves}
            found[ends] = counted.leaves
        return found

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Result by number of dominoes: ways and kingdoms; all together; ends; and the printed estimate."""
        size, found = int(study.parameters["size"]), [rows[index] for index in sorted(rows)]
        deepest = size * size // 2
        return {
            "size": size,
            "castle": study.parameters["castle"],
            "populations": len(found),
            "levels": [
                {"dominoes": n, **{name: _level(found, name, n) for name in ("tree", "kingdoms")}}
                for n in range(deepest + 1)
            ],
            "tree": log_mean([log_sum(row["tree"]["levels"]) for row in found]),
            "kingdoms": log_mean([log_sum(row["kingdoms"]["levels"]) for row in found]),
            "tree_ends": log_mean([row["tree"]["leaves"] for row in found]),
            "kingdom_ends": log_mean([row["kingdoms"]["leaves"] for row in found]),
            "printed": {**PRINTED, "leaves": PRINTED["depth"] * math.log10(PRINTED["breadth"])},
            "depth": deepest,
        }


def _level(rows: list[dict[str, Any]], name: str, depth: int) -> dict[str, Any]:
    """The number at a depth, as `sizes.log_mean` tells it."""
    levels = [row[name]["levels"] for row in rows]
    return log_mean([level[depth] if depth < len(level) else None for level in levels])
