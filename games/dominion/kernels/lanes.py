"""Zones of a Dominion state as bytes side by side: what is done with all counts at once (a part of `zones.py`).

The compiled twin of the loops in `zones.py`, for rules without a journal. Words lie with their lowest
byte first, so byte c of a zone counts card c; a zone is one vector of LANES bytes, and each function
here is a handful of instructions without a branch.

Arguments as in `zones.py`. Totals of zones must be at most MOST where prefix sums are asked for.
"""

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic
from numpy import int64

from games.dominion.state import *  # noqa: F403 - the layout's names are this file's vocabulary

LANES = PER_WORD * WORDS
MOST = 254  # cards in a zone whose prefix sums are bytes; 255 is the place of no card
NOWHERE = int64(255)
FEW = 5  # cards that are taken at once
HAS_DEPOSIT = config.CPU_NAME is None and bool(binding.get_host_cpu_features().get("bmi2"))
"""Whether the processor puts bits into the places of a mask (PDEP)."""
BYTE, LONG, BIT = ir.IntType(8), ir.IntType(64), ir.IntType(1)
VECTOR, FLAGS = ir.VectorType(BYTE, LANES), ir.VectorType(BIT, LANES)
WIDE, PLACES = ir.VectorType(ir.IntType(16), LANES), ir.VectorType(ir.IntType(32), LANES)
NONE = ir.Constant(VECTOR, None)


# ---------------------------------------------------------------- instructions
def _pointer(context, builder, array_type, array, at):
    """Place of a zone."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), VECTOR.as_pointer())


def _load(builder, pointer):
    return builder.load(pointer, align=4, typ=VECTOR)


def _store(builder, value, pointer):
    builder.store(value, pointer, align=4)


def _spread(builder, number):
    """A number's lowest byte in all lanes."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), builder.trunc(number, BYTE), ir.IntType(32)(0))
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), ir.Constant(PLACES, None))


def _moved(builder, zone, by):
    """Every count `by` lanes up, zeros below."""
    places = [LANES] * by + list(range(LANES - by))
    return builder.shuffle_vector(zone, NONE, ir.Constant(PLACES, places))


def _prefix(builder, zone):
    """In each lane the cards up to and with its own."""
    by = 1
    while by < LANES:
        zone = builder.add(zone, _moved(builder, zone, by))
        by *= 2
    return zone


def _flags(builder, cards):
    """A set of cards as lanes."""
    return builder.bitcast(builder.trunc(cards, ir.IntType(LANES)), FLAGS)


def _set(builder, flags):
    """Lanes as a set of cards."""
    return builder.zext(builder.bitcast(flags, ir.IntType(LANES)), LONG)


def _sum(builder, zone):
    """Cards of all lanes."""
    name = f"llvm.vector.reduce.add.v{LANES}i16"
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(WIDE.element, [WIDE]), name)
    return builder.zext(builder.call(function, [builder.zext(zone, WIDE)]), LONG)


def _reading(generate, *numbers):
    """An intrinsic over (s, at, int64 ...) that gives a number.

    generate: (builder, the zone, numbers) -> value.
    """

    def code(context, builder, signature, arguments):
        zone = _load(builder, _pointer(context, builder, signature.args[0], *arguments[:2]))
        return generate(builder, zone, *arguments[2:])

    return code


# ---------------------------------------------------------------- looking
@intrinsic
def count(_typing, s, at, card):
    """Number of a card in a zone."""

    def code(context, builder, signature, arguments):
        array, start, number = arguments
        data = context.make_array(signature.args[0])(context, builder, array).data
        place = builder.add(builder.shl(start, LONG(2)), number)
        first = builder.bitcast(data, BYTE.as_pointer())
        return builder.zext(builder.load(builder.gep(first, [place], source_etype=BYTE), typ=BYTE), LONG)

    return types.int64(s, types.int64, types.int64), code


@intrinsic
def present(_typing, s, at):
    """The cards of a zone as a set of bits."""
    code = _reading(lambda builder, zone: _set(builder, builder.icmp_unsigned("!=", zone, NONE)))
    return types.int64(s, types.int64), code


@intrinsic
def total(_typing, s, at):
    """Cards in a zone."""
    return types.int64(s, types.int64), _reading(_sum)


@intrinsic
def total_of(_typing, s, at, cards):
    """Number of cards of a set in a zone."""
    code = _reading(lambda builder, zone, set_: _sum(builder, builder.select(_flags(builder, set_), zone, NONE)))
    return types.int64(s, types.int64, types.int64), code


@intrinsic
def nth(_typing, s, at, k):
    """The card that holds place k, counted from 0, among the cards of a zone in order."""

    def generate(builder, zone, place):
        before = builder.icmp_unsigned("<=", _prefix(builder, zone), _spread(builder, place))
        return builder.ctpop(_set(builder, before))

    return types.int64(s, types.int64, types.int64), _reading(generate)


# ---------------------------------------------------------------- moving
@intrinsic
def _add(_typing, s, at, card, n):
    def code(context, builder, signature, arguments):
        array, start, number, by = arguments
        pointer = _pointer(context, builder, signature.args[0], array, start)
        is_card = builder.icmp_unsigned("==", ir.Constant(VECTOR, list(range(LANES))), _spread(builder, number))
        more = builder.select(is_card, _spread(builder, by), NONE)
        _store(builder, builder.add(_load(builder, pointer), more), pointer)
        return context.get_dummy_value()

    return types.void(s, types.int64, types.int64, types.int64), code


@intrinsic
def _pour(_typing, s, at, to, cards):
    def code(context, builder, signature, arguments):
        array, start, end, set_ = arguments
        source, target = (_pointer(context, builder, signature.args[0], array, place) for place in (start, end))
        zone = _load(builder, source)
        moved = builder.select(_flags(builder, set_), zone, NONE)
        _store(builder, builder.add(_load(builder, target), moved), target)
        _store(builder, builder.sub(zone, moved), source)
        return context.get_dummy_value()

    return types.void(s, types.int64, types.int64, types.int64), code


@intrinsic
def _clear(_typing, s, at):
    def code(context, builder, signature, arguments):
        _store(builder, NONE, _pointer(context, builder, signature.args[0], *arguments))
        return context.get_dummy_value()

    return types.void(s, types.int64), code


@intrinsic
def _take(_typing, s, at, to, k0, k1, k2, k3, k4):
    """Move the cards at five places of a zone, or NOWHERE, to another one."""

    def code(context, builder, signature, arguments):
        array, start, end = arguments[:3]
        source, target = (_pointer(context, builder, signature.args[0], array, place) for place in (start, end))
        zone = _load(builder, source)
        prefix, taken = _prefix(builder, zone), NONE
        for k in arguments[3:]:
            reached = builder.icmp_unsigned(">", prefix, _spread(builder, k))
            taken = builder.add(taken, builder.zext(reached, VECTOR))
        taken = builder.sub(taken, _moved(builder, taken, 1))
        _store(builder, builder.sub(zone, taken), source)
        _store(builder, builder.add(_load(builder, target), taken), target)
        return context.get_dummy_value()

    return types.void(s, *[types.int64] * (2 + FEW)), code


@inlined_kernel
def add(s, at, card, n, j):
    """Put n of a card into a zone, or take them out."""
    _add(s, at, card, n)


@inlined_kernel
def pour(s, at, to, j):
    """Move all cards of a zone into another one."""
    _pour(s, at, to, -1)


@inlined_kernel
def pour_of(s, at, to, cards, j):
    """Move all cards of a set from a zone into another one."""
    _pour(s, at, to, cards)


@inlined_kernel
def clear(s, at, j):
    """Empty a zone."""
    _clear(s, at)


@inlined_kernel
def passing(k, taken):
    """Place k of a zone that lacks the card at place `taken`: which place that was before it was taken."""
    return k + int64(k >= taken)


@inlined_kernel
def draw_few(s, at, to, left, n, r):
    """Move n cards, at least 1 and at most FEW, drawn from the `left` ones of a zone, to another one."""
    a, b, c, d, e = rng.below(r, left), int64(0), int64(0), int64(0), int64(0)
    if n > 1:
        b = rng.below(r, left - 1)
    if n > 2:
        c = rng.below(r, left - 2)
    if n > 3:
        d = rng.below(r, left - 3)
    if n > 4:
        e = rng.below(r, left - 4)
    second = passing(b, a) if n > 1 else NOWHERE
    third = passing(passing(c, b), a) if n > 2 else NOWHERE
    fourth = passing(passing(passing(d, c), b), a) if n > 3 else NOWHERE
    fifth = passing(passing(passing(passing(e, d), c), b), a) if n > 4 else NOWHERE
    _take(s, at, to, a, second, third, fourth, fifth)


# ---------------------------------------------------------------- sets
@intrinsic
def nth_bit(_typing, set_, k):
    """The k-th lowest bit of a set, counted from 0; where HAS_DEPOSIT."""

    def code(context, builder, signature, arguments):
        function_type = ir.FunctionType(LONG, [LONG, LONG])
        deposit = cgutils.get_or_insert_function(builder.module, function_type, "llvm.x86.bmi.pdep.64")
        bit = builder.call(deposit, [builder.shl(LONG(1), arguments[1]), arguments[0]])
        return builder.cttz(bit, BIT(1))

    return types.int64(types.int64, types.int64), code
