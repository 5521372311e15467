"""SciPy, imported when it is first asked: a quarter of a CPU second and 40 MB, and most processes compute nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scipy import optimize, special
else:
    from worker.lazy_modules import LazyModule

    special, optimize = LazyModule("scipy.special"), LazyModule("scipy.optimize")

__all__ = ["optimize", "special"]
