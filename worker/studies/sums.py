"""Sums over blocks in results of studies: a mean or a share, with its interval."""

from __future__ import annotations

from typing import Any

from worker.analysis.moments import BlockMoments
from worker.analysis.rates import Share


def mean(blocks: BlockMoments) -> dict[str, Any]:
    """A mean; blocks are the units of its interval."""
    interval = blocks.interval()
    return {"mean": blocks.mean, "interval": None if interval is None else list(interval)}


def share(found: Share | None) -> dict[str, Any]:
    """A share with its interval, and what it is made from."""
    interval = found.interval() if found else None
    return {
        "value": found.value if found else None,
        "interval": list(interval) if interval else None,
        "effect": found.effect if found else 1.0,
        "freedom": found.freedom if found else None,
    }
