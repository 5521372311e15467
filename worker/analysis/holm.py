"""Many comparisons at once: Holm's step-down correction (Holm 1979, A simple sequentially
rejective multiple test procedure, Scandinavian Journal of Statistics 6, section 3)."""

from __future__ import annotations

from collections.abc import Sequence

LEVEL = 0.05


def adjust(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Holm-adjusted p-values, in the given order.

    All hypotheses whose adjusted value is at most a level are rejected together; the chance
    that any of them is true is at most that level, however the tests depend on each other.
    With m hypotheses the one at rank k (0 the smallest p) gets the largest of
    (m - j) * p over ranks j <= k, at most 1. One without a p-value (None) counts among the m
    and is never rejected.
    """
    for p in p_values:
        if p is not None and not 0 <= p <= 1:
            raise ValueError(f"a p-value must be between 0 and 1, not {p!r}")
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    found: list[float | None] = [None] * len(p_values)
    so_far = 0.0
    for rank, (p, i) in enumerate(known):
        so_far = max(so_far, min(1.0, (len(p_values) - rank) * p))
        found[i] = so_far
    return tuple(found)


def is_rejected(adjusted_p: float | None, level: float = LEVEL) -> bool:
    """Whether the data speak against a hypothesis at this level, jointly with its family."""
    return adjusted_p is not None and adjusted_p <= level
