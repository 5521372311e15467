"""Counts that change in the course of a match: one for each of its plies, or of its rounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.options import OptionError, format_bound, quote

BY = ("round", "ply")
MAX_COUNTS = 1000
KEYS = ("by", "counts")


@dataclass(frozen=True)
class Schedule:
    """Counts of a budget by round or ply, from the first one on; the last one holds for all that come after it.

    by: one of BY. A round is the game's own (`Game.round_of`); plies are those of the match, of all seats together.
    """

    by: str
    counts: tuple[int, ...]

    @classmethod
    def from_json(cls, key: str, data: Mapping[str, Any], limit: int) -> Schedule:
        """Read ``{"by": "round", "counts": [29, 31]}``; raise OptionError with the place below the budget's `key`."""
        for name in data:
            if name not in KEYS:
                raise OptionError(key, f"has no {name!r}; it takes a number, or an object with by and counts", (name,))
        by, counts = data.get("by"), data.get("counts")
        if by not in BY:
            raise OptionError(key, f"must be {' or '.join(BY)}, not {quote(by)}", ("by",))
        if not isinstance(counts, list | tuple) or not 1 <= len(counts) <= MAX_COUNTS:
            raise OptionError(key, f"must be a list of 1 to {MAX_COUNTS} counts", ("counts",))
        for i, count in enumerate(counts):
            if isinstance(count, bool) or not isinstance(count, int) or not 0 < count <= limit:
                allowed = f"must be a whole number from 1 to {format_bound(limit)}, not {quote(count)}"
                raise OptionError(key, allowed, ("counts", i))
        return cls(str(by), tuple(counts))

    def to_json(self) -> dict[str, Any]:
        """The object that `from_json` reads."""
        return {"by": self.by, "counts": list(self.counts)}

    def at(self, number: int) -> int:
        """The count of a round or ply, from 1 on."""
        return self.counts[min(max(number, 1), len(self.counts)) - 1]

    def mean(self, shrinks: bool) -> float:
        """Mean count of a match that is as long as the list; shrinks: where a unit late in a match costs less.

        A playout costs what is left of the match: beside the mean one at its part x of the match 2 (1 - x).
        """
        n = len(self.counts)
        costs = [2.0 * (1.0 - (i + 0.5) / n) if shrinks else 1.0 for i in range(n)]
        return sum(count * cost for count, cost in zip(self.counts, costs, strict=True)) / n
