"""Modules that are imported when something of them is first asked for.

SciPy takes a quarter of a CPU second and 40 MB, and most processes that know of it compute nothing by it.
"""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scipy import optimize, special


class LazyModule:
    """A module in whose place this stands until it is needed."""

    def __init__(self, name: str) -> None:
        self._name = name

    @cached_property
    def _module(self) -> ModuleType:
        return import_module(self._name)

    def __getattr__(self, member: str) -> Any:
        """A member of the module."""
        return getattr(self._module, member)


if not TYPE_CHECKING:
    special, optimize = LazyModule("scipy.special"), LazyModule("scipy.optimize")

__all__ = ["LazyModule", "optimize", "special"]
