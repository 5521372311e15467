"""Tables of results by action, from simulations, and the best action by them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.protocol import Table


def table_of(
    actions: NDArray[np.int32], sums: NDArray[np.float64], squares: NDArray[np.float64], visits: NDArray[np.int64]
) -> Table:
    """Means and sample standard deviations of utilities; NaN where an action had too few simulations.

    sums, squares: float64[n], of the utilities and their squares; visits: int64[n].
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(visits > 0, sums / visits, np.nan)
        variances = np.where(visits > 1, (squares - visits * means**2) / (visits - 1), np.nan)
    return Table(actions, means, visits, np.sqrt(np.maximum(variances, 0.0)))


def best_places(table: Table, final: str) -> NDArray[np.int64]:
    """Places of the actions with the best mean, or of those with the most visits the best mean ("visits")."""
    visits, means = table.visits, table.values
    allowed: NDArray[np.bool_] = visits > 0 if final == "mean" else visits == visits.max()
    return np.flatnonzero(allowed & (means == means[allowed].max()))
