"""Compiled twin of `games.bits`: one machine instruction each (a template of `games.loader`)."""

from numba import types
from numba.extending import intrinsic


@intrinsic
def _ctpop(context, x):
    def generate(_context, builder, _signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _cttz(context, x):
    def generate(_context, builder, _signature, arguments):
        from llvmlite import ir

        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@kernel
def popcount(x):
    return _ctpop(x)


@kernel
def lowest_bit(x):
    return _cttz(x)
