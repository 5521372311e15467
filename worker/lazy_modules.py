"""Modules that are imported when something of them is first asked for.

What only exports and statistics need, and the queue's client, take memory and time of processes that never ask.
"""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any


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
