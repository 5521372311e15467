"""Estimates of a game's size from matches and populations: numbers in, JSON-ready numbers out.

Sizes are decimal logarithms. Row formats: `worker.studies.complexity`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from worker.analysis.intervals import Interval
from worker.analysis.moments import BlockMoments, Moments
from worker.studies import polyominoes

Rows = Sequence[Mapping[str, Any]]
TILES = 72
CONFIDENCE = 0.95
"""Confidence of a lower bound."""


def branching(matches: Rows) -> dict[str, Any]:
    """Legal actions: by ply (from 1), how often each number came, mean over all plies, extremes.

    The interval of the mean takes the match as the unit. outcomes: mean of what could be drawn.
    """
    longest = max((len(row["branching"]) for row in matches), default=0)
    by_ply = []
    for ply in range(longest):
        here = [row for row in matches if len(row["branching"]) > ply]
        moments = Moments.of([row["branching"][ply] for row in here])
        outcomes = Moments.of([row["outcomes"][ply] for row in here])
        by_ply.append({"ply": ply + 1, "n": moments.n, **_mean(moments), "outcomes": outcomes.mean})
    counts = Counter(number for row in matches for number in row["branching"])
    blocks = BlockMoments.of([Moments.of(row["branching"]) for row in matches])
    most = max(counts.values(), default=0)
    return {
        "matches": len(matches),
        "plies": _mean(Moments.of([len(row["branching"]) for row in matches])),
        "mean": blocks.mean,
        "interval": _ends(blocks.interval()),
        "minimum": min(counts, default=None),
        "maximum": max(counts, default=None),
        "mode": min((number for number, n in counts.items() if n == most), default=None),
        "by_ply": by_ply,
        "frequencies": [[number, counts[number]] for number in sorted(counts)],
    }


def tree(matches: Rows, populations: Rows) -> dict[str, Any]:
    """The game tree three ways: as the thesis computes it, along played matches, and counted.

    thesis: mean branching ^ mean length times its product for the chance nodes. typical: the
    mean over matches of the sum of logarithms along the match. path: logarithm of the mean
    product along the match. Neither is an unbiased count of leaves unless moves and draws were
    uniform: a good player visits some parts more than others, and tiles of many copies are
    drawn more often. leaves: that count, by populations (Knuth's estimator, without bias).
    """
    return {
        "thesis": _as_the_thesis(matches),
        "typical": _typical(matches),
        "path": _path(matches),
        "leaves": log_mean([row["leaves"] for row in populations]),
        "populations": len(populations),
    }


def states(populations: Rows) -> dict[str, Any]:
    """Boards by number of tiles (from 1), all together, and with meeples on open features."""
    depth = max((len(row["levels"]) for row in populations), default=0)
    by_tiles = []
    for level in range(depth):
        boards = [_at(row["levels"], level) for row in populations]
        marked = [_at(row["marked"], level) for row in populations]
        number = {
            "boards": log_mean(boards),
            "meeples": log_mean(marked),
        }
        by_tiles.append({"tiles": level + 1, **number})
    total = [log_sum(row["levels"]) for row in populations]
    with_meeples = [log_sum(row["marked"]) for row in populations]
    return {
        "populations": len(populations),
        "by_tiles": by_tiles,
        "boards": log_mean(total),
        "meeples": log_mean(with_meeples),
    }


def shapes() -> dict[str, Any]:
    """The polyominoes of 1 .. 72 tiles: table 3.1 and its sum.

    The thesis gives 5e40 as the sum of fixed polyominoes; that is the sum of free ones, an
    eighth of it.
    """
    rows = polyominoes.table(TILES)
    fixed = sum(row.free for row in rows) * polyominoes.SYMMETRIES
    return {
        "rows": [
            {
                "n": row.n,
                "exact": None if row.exact is None else str(row.exact),
                "approximation": row.approximation,
                "free": row.free,
                "log": math.log10(row.exact or row.approximation),
            }
            for row in rows
        ],
        "free": math.log10(fixed / polyominoes.SYMMETRIES),
        "fixed": math.log10(fixed),
    }


def thesis_chance(types: int, plies: float) -> float:
    """Logarithm of the chance part as the thesis reckons: one type fewer every plies / types plies.

    Of 24 types in 71 plies that is the product of i^3 for i from 2 to 24, about 2.4e71.
    """
    each = max(1, round(plies / types))
    return each * math.lgamma(types + 1) / math.log(10)


def _as_the_thesis(matches: Rows) -> dict[str, Any] | None:
    if not matches:
        return None
    numbers = [number for row in matches for number in row["branching"]]
    plies = len(numbers) / len(matches)
    mean = sum(numbers) / len(numbers)
    types = max(row["outcomes"][0] for row in matches)
    moves, chance = plies * math.log10(mean), thesis_chance(types, plies)
    return {
        "branching": mean,
        "plies": plies,
        "types": types,
        "moves": moves,
        "chance": chance,
        "total": moves + chance,
    }


def _typical(matches: Rows) -> dict[str, Any] | None:
    if not matches:
        return None
    moves = [_log_product(row["branching"]) for row in matches]
    chance = [_log_product(row["outcomes"]) for row in matches]
    total = [a + b for a, b in zip(moves, chance, strict=True)]
    return {name: _mean(Moments.of(logs)) for name, logs in (("moves", moves), ("chance", chance), ("total", total))}


def _path(matches: Rows) -> float | None:
    """Logarithm of the mean over matches of the product of legal actions and outcomes."""
    logs = [_log_product(row["branching"]) + _log_product(row["outcomes"]) for row in matches]
    return _log_mean_of(logs)


def _log_product(numbers: Sequence[int]) -> float:
    return sum(map(math.log10, numbers))


def log_sum(logs: Sequence[float | None]) -> float | None:
    """Logarithm of the sum of numbers; None counts as zero, and is the answer where all are."""
    known = [log for log in logs if log is not None]
    if not known:
        return None
    top = max(known)
    return top + math.log10(sum(10 ** (log - top) for log in known))


def _log_mean_of(logs: Sequence[float | None]) -> float | None:
    """Logarithm of the mean of numbers; None counts as zero."""
    total = log_sum(logs)
    return None if total is None else total - math.log10(len(logs))


def log_mean(logs: Sequence[float | None]) -> dict[str, Any]:
    """Logarithm of the mean over populations, the least and the largest of them, and a lower bound.

    Whatever their spread, estimates without bias that are never negative exceed the truth
    1 / (1 - confidence) times with a probability of 1 - confidence at most (Markov), so the
    truth is at least that part of their mean. Student or bootstrap intervals would be far too
    narrow here: what is heaviest is rarely met.
    """
    mean, known = _log_mean_of(logs), [log for log in logs if log is not None]
    return {
        "mean": mean,
        "at_least": None if mean is None else mean + math.log10(1 - CONFIDENCE),
        "lowest": min(known, default=None),
        "highest": max(known, default=None),
    }


def _at(levels: Sequence[float | None], level: int) -> float | None:
    return levels[level] if level < len(levels) else None


def _mean(moments: Moments) -> dict[str, Any]:
    return {"mean": moments.mean, "interval": _ends(moments.interval())}


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)
