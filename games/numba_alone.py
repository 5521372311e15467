"""Imports numba without SciPy, whose linear algebra no kernel uses.

numba looks for it when it is first asked for a kernel: 0.3 CPU seconds of each process, and 25 MB.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

LEFT_OUT = "scipy"
ASKING = ("numba", "numba.np.arraymath")
"""Modules that look for it: numba for its version, the other one for BLAS, by which alone `numpy.dot` is compiled."""


@cache
def load() -> Any:
    """numba, with what asks for SciPy imported already."""
    with without(LEFT_OUT):
        numba, _ = map(import_module, ASKING)
    return numba


class _Refusal:
    """Finds no module of a package for one thread, as if it were not installed; other threads find it."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._thread = threading.get_ident()

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> None:
        """Raises ModuleNotFoundError for the package; None: others look for all else."""
        if name.partition(".")[0] == self._package and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"{name} is left out", name=name)


@contextmanager
def without(package: str) -> Iterator[None]:
    """Within it, imports of a package fail in this thread."""
    refusal = _Refusal(package)
    sys.meta_path.insert(0, refusal)
    try:
        yield
    finally:
        sys.meta_path.remove(refusal)
