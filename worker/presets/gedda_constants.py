"""Gedda, Lagerkvist, Butler 2018: figures 7 and 8, the constants of tree search."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from worker.analysis.verdict import Sample
from worker.presets import cells, gedda, gedda_players, gedda_runs
from worker.presets.model import CLAIM_MEAN, MARGIN, AsRun, Cell, Claim, Curve, Preset, Scale
from worker.presets.numbers import Numbers

ABOVE = Claim(0.0, math.inf, "above 0")
INDEPENDENT = (
    "Differences between players take their matches as independent. They are on the same deals, so the true intervals "
    "are narrower."
)


def less(
    first: Callable[[Numbers], Sample | None], second: Callable[[Numbers], Sample | None]
) -> Callable[[Numbers], Sample | None]:
    """A mean less another, with the error of independent ones."""

    def difference(numbers: Numbers) -> Sample | None:
        return cells.less(first(numbers), second(numbers))

    return difference


Ours = Callable[[Numbers], Sample | None]
Line = tuple[str, float]
"""Playout policy, seconds a ply of the paper."""
CONSTANTS: Mapping[str, tuple[Line, ...]] = {
    "c": (("TR", 0.2), ("TR", 0.5), ("FG", 0.2), ("FG", 0.5), ("FG", 2.0)),
    "win_bias": (("TR", 0.5), ("TR", 2.0), ("FG", 0.5), ("FG", 2.0)),
}
VALUES = {
    "c": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0, 1.5, 2.0),
    "win_bias": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
}
FROM_FILES = (
    f"{gedda.PICTURE} They hold a mean over 200 games and their spread for every point; what the text says of them is "
    "judged as claims."
)


@dataclass(frozen=True)
class Constant:
    """One that is varied: option of the engine, its symbol in the paper, the player's name.

    quick, standard: matches for each point of the two smaller scales, and the lines that they play; programmed: lines
    that are played as programmed, too: with all of them an experiment may have too many arms.
    """

    option: str
    symbol: str
    family: str
    quick: tuple[int, tuple[Line, ...]]
    standard: tuple[int, tuple[Line, ...]]
    programmed: tuple[Line, ...]

    def points(self) -> list[tuple[Line, float]]:
        """All values of the first line, then of the next: one arm each."""
        return [(line, value) for line in CONSTANTS[self.option] for value in VALUES[self.option]]

    def as_run(self) -> list[tuple[Line, float]]:
        """Those that are played as programmed, lines of short times first: their arms come after all of the others."""
        return sorted((point for point in self.points() if point[0] in self.programmed), key=lambda point: point[0][1])

    def scales(self) -> dict[str, Scale]:
        """The sizes of the experiment."""
        return {
            "quick": self._scale(*self.quick),
            "standard": self._scale(*self.standard),
            "published": self._scale(200, CONSTANTS[self.option]),
        }

    def _scale(self, deals: int, lines: tuple[Line, ...]) -> Scale:
        points = self.points()
        arms: list[tuple[int, str, dict[str, Any]]] = []
        for number, (line, value) in enumerate((*points, *self.as_run())):
            called, one = f"{self._group(*line)}, {self._label(value)}", self._player(line, value)
            if number >= len(points):
                called, one = f"{called}, as programmed", gedda_players.as_programmed(one)
            if line in lines:
                arms.append((number, called, one))
        at = "" if lines == CONSTANTS[self.option] else f" of {'; '.join(self._group(*line) for line in lines)}"
        spec = gedda_players.experiment({called: one for _, called, one in arms}, "fg", deals)
        return Scale(f"{deals} matches for each point{at}", spec, tuple(number for number, _, _ in arms))

    def _player(self, line: Line, value: float) -> dict[str, Any]:
        """A player as described, with the playouts of its result file."""
        policy, seconds = line
        one = gedda_players.tree(policy, {self.option: value}, 1)
        by_round = gedda_runs.playouts(f"{self.family}-{policy}", seconds)
        return one | {"budget": dict.fromkeys(one["budget"], by_round)}

    def cells(self) -> Iterable[Cell]:
        """The margin of every line and value."""
        for arm, point in enumerate(self.points()):
            (policy, seconds), value = point
            printed = gedda_runs.point(f"{self.family}-{policy}", seconds, self.option, value)
            yield Cell(
                self._group(policy, seconds),
                self._label(value),
                printed,
                gedda.margin(arm),
                MARGIN,
                gedda.LISTED,
                x=value,
                arm=arm,
                as_run=self._as_run([point], lambda margins: margins[0]),
            )

    def _as_run(self, points: Sequence[tuple[Line, float]], of: Callable[[Sequence[Ours]], Ours]) -> AsRun | None:
        """A figure of the margins of some points as programmed; None where these are not played so."""
        ran, first = self.as_run(), len(self.points())
        if any(point not in ran for point in points):
            return None
        arms = [first + ran.index(point) for point in points]
        return AsRun(of([gedda.margin(arm) for arm in arms]), max(arms))

    def compared(self, line: int, better: float, worse: float) -> Cell:
        """The claim that one value of a line is better than another."""
        chosen, points = CONSTANTS[self.option][line], self.points()
        pair = [(chosen, value) for value in (better, worse)]
        told = less(*(gedda.margin(points.index(point)) for point in pair))
        label = f"{chosen[0]}, {chosen[1]} s: {self._label(better)} less {self._label(worse)}"
        as_run = self._as_run(pair, lambda margins: less(*margins))
        last = max(points.index(point) for point in pair)
        return Cell("Points gained", label, ABOVE, told, CLAIM_MEAN, arm=last, as_run=as_run)

    def _group(self, policy: str, seconds: float) -> str:
        return f"{self.family}-{policy}, {seconds} s"

    def _label(self, value: float) -> str:
        return f"{self.symbol} = {value:g}"


def exploration() -> Preset:
    """Figure 7."""
    lines = CONSTANTS["c"]
    programmed = (("FG", 0.2), ("FG", 0.5))
    constant = Constant("c", "C", "UCT", (20, (("TR", 0.2), *programmed)), (60, lines[:4]), programmed)
    return gedda.preset(
        "gedda-figure-7",
        where="Figure 7",
        title="the exploration constant of tree search",
        question="Which C suits tree search with many playouts a ply, and which with few?",
        method="200 games for each player and each C, against three fully greedy players.",
        scales=constant.scales(),
        cells=(*constant.cells(), constant.compared(1, 0.6, 0.1), constant.compared(2, 1.0, 0.3)),
        notes=(
            gedda.BY_FILE,
            FROM_FILES,
            "The text finds C = 0.6 suitable with many playouts a ply, and at least 1 with few. Judged is that 0.6 "
            "gains on 0.1 with random playouts, 0.5 s, and 1 on 0.3 with fully greedy ones, 0.2 s.",
            gedda.ORDER,
            *gedda.TREE_NOTES,
            INDEPENDENT,
        ),
        curve=Curve("C", "Margin, points"),
        program=gedda_players.TREE_PROGRAM,
    )


def win_bias() -> Preset:
    """Figure 8."""
    short = (("TR", 0.5), ("FG", 0.5))
    constant = Constant("win_bias", "W", "UCTW", (24, short), (90, short), CONSTANTS["win_bias"])
    return gedda.preset(
        "gedda-figure-8",
        where="Figure 8",
        title="the weight of progressive win bias",
        question="How much should the points that a move brings weigh in the tree?",
        method="200 games for each player and each W, against three fully greedy players, C = 0.6.",
        scales=constant.scales(),
        cells=(
            *constant.cells(),
            *(constant.compared(line, 0.1, 0.6) for line in range(len(CONSTANTS["win_bias"]))),
        ),
        notes=(
            gedda.BY_FILE,
            FROM_FILES,
            "The text finds W = 0.1 to 0.2 best, and less and less with more. Judged is that 0.1 gains on 0.6.",
            gedda.ORDER,
            *gedda.TREE_NOTES,
            INDEPENDENT,
        ),
        curve=Curve("W", "Margin, points"),
        program=gedda_players.TREE_PROGRAM,
    )
