"""Selection formulas as kernels take them (`search/selection.py`), from an engine's options."""

from __future__ import annotations

from typing import Any

from engines.kernel_arguments import Formula
from engines.playing_options import DYNAMICS, SELECTIONS

NONE = Formula(kind=0, c=0.0, dynamic=0, least=0.0, most=0.0, unit_scale=1.0, unit_offset=0.0, last=False)
"""The formula of a search that follows none."""


def formula(options: Any, unit: tuple[float, float]) -> Formula:
    """What kernels are told of the formula.

    options: with `selection`, `c`, `dynamic_c`, `c_least`, `c_most`, `ties`; unit: (scale, offset)
    that take the search's utilities to the unit interval.
    """
    return Formula(
        kind=SELECTIONS.index(options.selection),
        c=options.c,
        dynamic=DYNAMICS.index(options.dynamic_c),
        least=options.c_least,
        most=options.c_most,
        unit_scale=unit[0],
        unit_offset=unit[1],
        last=options.ties == "last",
    )
