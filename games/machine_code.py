"""Calls kernels of named tuples without numba's look at their types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def machine_code(kernel: Any) -> Callable[..., Any]:
    """The machine code of a kernel that has been called: for whoever calls it at every ply with the same types.

    numba reads the types of named tuples field by field at every call, which takes ten times as long as the call
    (3.8 of 4.1 µs for thirty arrays). Who calls machine code vouches for the types. A plain twin is its own.
    """
    overloads = getattr(kernel, "overloads", None)
    if overloads is None:
        return kernel  # type: ignore[no-any-return]
    (compiled,) = overloads.values()
    return compiled.entry_point  # type: ignore[no-any-return]
