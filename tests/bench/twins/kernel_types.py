"""Types that numba finds for a kernel, and what they are in C++."""
# mypy: allow-untyped-calls

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numba.core import compiler, typed_passes, types
from numba.core.registry import cpu_target

NUMBERS = {types.uint64: "uint64_t", types.boolean: "bool", types.float64: "double", types.none: "void"}
WORDS = {types.int8: "int8_t", types.int16: "int16_t", types.int32: "int32_t", types.uint8: "uint8_t"}
"""What arrays hold besides: read, they become int64."""


class UntranslatableError(ValueError):
    """Something in a kernel that the translator does not know."""


@dataclass(frozen=True)
class Typed:
    """An overload of a kernel: types of arguments, of all variables, and of what it returns."""

    args: tuple[Any, ...]
    variables: dict[str, Any]
    returns: Any


def overloads(kernel: Any) -> list[tuple[Any, ...]]:
    """Types of arguments with which other kernels have called a kernel so far."""
    return list(kernel.inner.overloads)


def infer(kernel: Any, args: tuple[Any, ...]) -> Typed:
    """Numba's type inference over a kernel; kernels that it calls get their overloads by it."""
    cpu_target.typing_context.refresh()  # as before a compilation, of which there may have been none
    representation = compiler.run_frontend(kernel.py_func)
    found = typed_passes.type_inference_stage(
        cpu_target.typing_context, cpu_target.target_context, representation, args, None
    )
    kinds: dict[str, list[Any]] = {}
    for name, kind in found.typemap.items():  # a variable that is assigned anew may have several versions
        if not name.startswith(("$", "arg.")):
            kinds.setdefault(name.partition(".")[0], []).append(types.unliteral(kind))
    unified = {name: cpu_target.typing_context.unify_types(*given) for name, given in kinds.items()}
    return Typed(args, unified, found.return_type)


def in_cpp(kind: Any) -> str:
    """A type in C++; whole numbers with a sign are int64_t, as numba reckons with them."""
    kind = types.unliteral(kind)
    if kind in NUMBERS:
        return NUMBERS[kind]
    if isinstance(kind, types.Integer) and kind.signed:
        return "int64_t"
    if isinstance(kind, types.BaseTuple):
        return f"std::tuple<{', '.join(in_cpp(part) for part in kind)}>"
    if isinstance(kind, types.Array):
        constant = "" if kind.mutable else "const "
        return f"Array<{constant}{word(kind.dtype)}, {kind.ndim}>"
    raise UntranslatableError(f"no type of C++ for {kind}")


def word(kind: Any) -> str:
    """What an array of C++ holds."""
    return WORDS.get(kind) or in_cpp(kind)
