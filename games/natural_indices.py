"""Has kernels take every index as it is: none is below zero, so none is looked at for counting from an array's end.

By itself numba adds the length of the array to an index below zero, which took up to a quarter of the time of a
playout. Constants still may count from the end. Kernels compiled with bounds checks refuse any other that does.
"""
# mypy: allow-untyped-calls

from __future__ import annotations

from typing import Any

from numba.core import ir, types


def make_natural(state: Any) -> None:
    """Let the typed function that numba is about to lower reckon its indices without a sign."""
    for block in state.func_ir.blocks.values():
        for statement in block.body:
            item = statement.value if isinstance(statement, ir.Assign) else statement
            is_getitem = isinstance(item, ir.Expr) and item.op == "getitem"
            if is_getitem or isinstance(item, ir.SetItem):
                signature = state.calltypes.pop(item)  # what is in this dictionary cannot be written over
                of, index, *rest = signature.args
                if isinstance(of, types.Array):
                    signature = signature.replace(args=(of, _natural(index), *rest))
                state.calltypes[item] = signature


def _natural(index: Any) -> Any:
    """The type of an index without its sign; of several, of each that is a number."""
    if isinstance(index, types.BaseTuple):
        parts: Any = index
        return types.Tuple([_natural(part) for part in parts])
    return types.uintp if isinstance(index, types.Integer) else index
