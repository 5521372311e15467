"""Every number of a comparison as JSON: differences as the page writes them, in percentage points, points or places."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from webapp.lab.comparison.page import Comparison
from webapp.lab.pooling.contrasts import Contrast
from webapp.lab.pooling.differing import differences, obstacle
from webapp.lab.pooling.lines import Table, compared, scaled
from webapp.lab.pooling.pooled import Measured, Pool
from webapp.lab.results.forest import UNITS
from webapp.lab.results.numbers import plain

FORMAT = "meeple-lab/comparison"
VERSION = 1
"""Raise it where a number moves or means something else."""


def numbers(found: Comparison) -> dict[str, Any]:
    """What the page says. Experiments are named by their places in the list."""
    made = {
        "format": FORMAT,
        "version": VERSION,
        "as_of": timezone.now().isoformat(),
        "measure": found.measure if found.forest else None,
        "measures": found.measures,
        "sentence": found.sentence,
        "experiments": [
            {
                "number": column.entry.experiment.pk,
                "job": column.entry.ref,
                "title": column.entry.experiment.title,
                "game": column.entry.experiment.game,
                "status": column.entry.experiment.status,
                "matches": column.found.finished,
                "answer": column.own.sentence if column.own else None,
            }
            for column in found.columns
        ],
        "refused": found.chosen.refused,
        "contrasts": [_contrast(table, found.measure) for table in found.forest.tables] if found.forest else [],
        "settings": [
            {"label": row.label, "values": [words for words, _ in row.values], "differs": row.differs}
            for row in found.diff
        ],
    }
    whole: dict[str, Any] = plain(made)
    return whole


def _contrast(table: Table, measure: str) -> dict[str, Any]:
    side, baseline = table.group.names
    first = table.group.rows[table.pool.members[0]] if table.pool else table.group.first
    return {
        "side": side,
        "baseline": baseline,
        "runs": [_run(i, row, first, table, measure) for i, row in table.group.rows.items()],
        "pooled": _pooled(table.pool, table.together, measure)
        if table.pool and table.together and table.is_shown_together
        else None,
    }


def _run(i: int, row: Contrast, first: Contrast, table: Table, measure: str) -> dict[str, Any]:
    """One run. intervals are always valid, 95 %, for one comparison."""
    shown, counted = compared(row, measure), table.pool.counted.get(i) if table.pool else None
    return {
        "experiment": i,
        "mean": shown.mean,
        "interval": shown.interval,
        "deals": shown.deals,
        "is_pooled": counted is not None,
        "counted_deals": counted.deals if counted else 0,
        "same_matches": {"deals": counted.repeats, "of": counted.of} if counted and counted.repeats else None,
        "differs": differences(row, first),
        "never_pooled": obstacle(row, first) or None,
    }


def _pooled(pool: Pool, one: Measured, measure: str) -> dict[str, Any]:
    scale = UNITS[measure].scale
    found, shared = one.agreement, one.shared
    return {
        "mean": None if one.mean is None else scale * one.mean,
        "interval": scaled(one.interval, scale),
        "is_always_valid": one.is_always_valid,
        "method": "sums of deals" if pool.is_alike else "random effects",
        "deals": pool.deals,
        "runs": pool.num_runs,
        "heterogeneity": found
        and {
            "q": found.q,
            "freedom": found.freedom,
            "p": found.p,
            "i_squared": found.i_squared,
            "tau": scale * found.tau,
            "tau_interval": scaled(found.tau_interval, scale),
        },
        "on_common_deals": shared and {"q": shared.q, "freedom": shared.freedom, "p": shared.p},
        "next_run": one.next_run and {"deals": one.next_deals, "interval": scaled(one.next_run, scale)},
        "left_out": [
            {
                "experiments": unit.members,
                "difference": None if left.difference.mean is None else scale * left.difference.mean,
                "z": left.z,
                "p_holm": left.p,
                "others": None if left.rest.mean is None else scale * left.rest.mean,
                "is_odd_one_out": k == one.odd,
            }
            for k, (unit, left) in enumerate(zip(pool.units, one.left_out, strict=False))
        ],
    }
