"""A kernel with all that it calls as one program of C++, compiled and loaded."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import types

from tests.bench.twins.kernel_types import Typed, in_cpp, infer, overloads
from tests.bench.twins.translation import Translation, constant_array

PRELUDE = (Path(__file__).parent / "prelude.h").read_text(encoding="utf-8")
RETURNED = {"int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64, "bool": ctypes.c_bool, "double": ctypes.c_double}
ENTRY = "entry"


class NoCompilerError(RuntimeError):
    """There is no g++."""


class Program:
    """C++ of a kernel for arguments of these types, and of all kernels that it calls."""

    def __init__(self, kernel: Any, arguments: Sequence[Any]) -> None:
        self._names: dict[Any, str] = {}
        self._arrays: dict[int, tuple[str, Any]] = {}
        self._bodies: dict[str, list[str]] = {}
        self._done: set[Any] = set()
        self._entry = self._translate(kernel, tuple(numba.typeof(argument) for argument in arguments))
        self._entry_name = self.kernel(kernel)
        while waiting := [(of, args) for of in self._names for args in overloads(of) if (of, args) not in self._done]:
            for of, args in waiting:
                self._translate(of, args)

    def kernel(self, kernel: Any) -> str:
        """Name of a kernel, which becomes part of the program."""
        return self._names.setdefault(kernel, f"{kernel.py_func.__name__}_{len(self._names)}")

    def array(self, values: Any) -> str:
        """Name of a constant array, which becomes part of the program."""
        return self._arrays.setdefault(id(values), (f"constant_{len(self._arrays)}", values))[0]

    def _translate(self, kernel: Any, args: tuple[Any, ...]) -> Typed:
        self._done.add((kernel, args))
        typed = infer(kernel, args)
        parameters = ", ".join(in_cpp(kind) for kind in args)
        head = f"{in_cpp(typed.returns)} {self.kernel(kernel)}({parameters})"
        if head not in self._bodies:
            self._bodies[head] = []  # a kernel may call itself
            translation = Translation(kernel, typed, self)
            named = [f"{in_cpp(kind)} {name}_" for kind, name in zip(args, translation.arguments, strict=True)]
            is_inlined = kernel.targetoptions.get("forceinline", False)
            opening = f"static {'INLINED ' if is_inlined else ''}{head[: head.index('(')]}({', '.join(named)}) {{"
            self._bodies[head] = [opening, *translation.lines, "}"]
        return typed

    def _entry_lines(self) -> Iterator[str]:
        """The entry as C calls it: of an array its words and its shape."""
        parameters, given = [], []
        for number, kind in enumerate(self._entry.args):
            if isinstance(kind, types.Array):
                shape = [f"shape_{number}_{axis}" for axis in range(kind.ndim)]
                parameters += [f"void *words_{number}", *(f"int64_t {name}" for name in shape)]
                words = f"(decltype({in_cpp(kind)}::data))words_{number}"
                given.append(f"{in_cpp(kind)}{{{words}, {{{', '.join(shape)}}}}}")
            else:
                parameters.append(f"{in_cpp(kind)} number_{number}")
                given.append(f"number_{number}")
        yield f'extern "C" {in_cpp(self._entry.returns)} {ENTRY}({", ".join(parameters)}) {{'
        yield f"    return {self._entry_name}({', '.join(given)});"
        yield "}"

    @property
    def source(self) -> str:
        """The whole program."""
        lines = [line for name, values in self._arrays.values() for line in constant_array(name, values)]
        lines += [f"static {head};" for head in self._bodies]
        lines += [line for body in self._bodies.values() for line in ["", *body]]
        return "\n".join([PRELUDE, *lines, "", *self._entry_lines(), ""])

    def compile(self, target: Path, flags: Sequence[str]) -> Callable[..., Any]:
        """Its entry, compiled by g++ with these flags to a file of its own; it takes what the kernel takes.

        Raises NoCompilerError where there is no g++.
        """
        compiler = shutil.which("g++")
        if compiler is None:
            raise NoCompilerError("there is no g++: `apt-get install g++`, in Fedora `dnf install gcc-c++`")
        source = target.with_suffix(".cpp")
        source.write_text(self.source, encoding="utf-8")
        command = [compiler, "-std=c++17", "-w", "-shared", "-fPIC", *flags, str(source), "-o", str(target)]
        subprocess.run(command, check=True)
        entry = ctypes.CDLL(str(target))[ENTRY]
        entry.restype = RETURNED.get(in_cpp(self._entry.returns))
        return partial(_call, entry)


def _call(entry: Any, *args: Any) -> Any:
    """Call an entry with arrays and numbers of numpy."""
    given: list[Any] = []
    for argument in args:
        if isinstance(argument, np.ndarray):
            given += [ctypes.c_void_p(argument.ctypes.data), *map(ctypes.c_int64, argument.shape)]
        else:
            number = ctypes.c_uint64 if isinstance(argument, np.uint64) else ctypes.c_int64
            given.append(number(int(argument)))
    return entry(*given)
