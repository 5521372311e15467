"""Numbers that statistics begin with. No SciPy here: workers count without it, and start sooner."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def finite(values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values as float64[n]. Raises ValueError where one is NaN or infinite."""
    array = np.asarray(values, dtype=np.float64)
    if not np.isfinite(array).all():
        raise ValueError("values must be finite numbers")
    return array
