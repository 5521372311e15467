"""Translates the body of a kernel to C++, statement by statement.

Variables are declared with the types that numba finds; whatever depends on no variable is a constant. What kernels
do not use is not known here, and refused with its place.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numba.core import types

from tests.bench.twins.kernel_types import Typed, UntranslatableError, in_cpp

BINARY: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "/",
    ast.Mod: "%",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
"""Quotients are rounded towards zero: kernels divide what is not negative."""
UNARY: dict[type[ast.AST], str] = {ast.USub: "-", ast.Invert: "~", ast.Not: "!"}
COMPARED: dict[type[ast.AST], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
CASTS = {np.int64: "int64_t", int: "int64_t", np.uint64: "uint64_t", np.float64: "double", float: "double"}
FUNCTIONS = {min: "least", max: "most", abs: "magnitude"}
INTRINSICS = {"_ctpop": "popcount", "_cttz": "lowest_bit"}
UNUSED = "_"
"""What is assigned to it is read nowhere, and may be of any type."""
ABSENT = object()


class Program(Protocol):
    """What a translation is part of: it names kernels and constant arrays."""

    def kernel(self, kernel: Any) -> str:
        """Name of a kernel, which becomes part of the program."""

    def array(self, values: Any) -> str:
        """Name of a constant array, which becomes part of the program."""


def is_kernel(value: object) -> bool:
    """Whether other kernels can call this."""
    return hasattr(value, "inner")


class Translation(ast.NodeVisitor):
    """One overload of a kernel: `lines` of its body, and the names of its arguments."""

    def __init__(self, kernel: Any, typed: Typed, program: Program) -> None:
        self._function, self._typed, self._program = kernel.py_func, typed, program
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(kernel.py_func))).body
        assert isinstance(definition, ast.FunctionDef)
        self.arguments = [argument.arg for argument in definition.args.args]
        self._names = {**vars(builtins), **kernel.py_func.__globals__}
        self.lines: list[str] = []
        self._depth, self._loops = 1, 0
        for name, kind in typed.variables.items():
            if name not in {*self.arguments, UNUSED} and in_cpp(kind) != "void":
                self._line(f"{in_cpp(kind)} {name}_;")
        self._block(definition.body, 0)

    # ------------------------------------------------------------ helpers
    def _line(self, text: str) -> None:
        self.lines.append("    " * self._depth + text)

    def _block(self, statements: list[ast.stmt], deeper: int = 1) -> None:
        self._depth += deeper
        for statement in statements:
            self.visit(statement)
        self._depth -= deeper

    def _value(self, node: ast.AST) -> Any:
        """Value of what depends on no variable and calls no kernel, else ABSENT."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in self._typed.variables:
                return ABSENT
            if isinstance(part, ast.Call) and (is_kernel(self._value(part.func)) or self._value(part.func) is ABSENT):
                return ABSENT
        if isinstance(node, ast.expr) and not isinstance(node, (ast.Slice, ast.Starred)):
            return eval(compile(ast.Expression(node), "<kernel>", "eval"), self._names)
        return ABSENT

    def _is_tuple(self, node: ast.expr) -> bool:
        """Whether what is indexed is a tuple; kernels return no arrays."""
        if isinstance(node, ast.Name) and node.id in self._typed.variables:
            return isinstance(self._typed.variables[node.id], types.BaseTuple)
        return isinstance(node, (ast.Call, ast.Tuple)) or isinstance(self._value(node), tuple)

    def _constant(self, value: Any) -> str:
        if isinstance(value, (bool, np.bool_)):
            return "true" if value else "false"
        if isinstance(value, (int, np.integer)):
            has_sign = not isinstance(value, np.uint64) and value < 1 << 63
            return f"{'' if has_sign else 'U'}INT64_C({int(value)})"
        if isinstance(value, (float, np.floating)):
            return f"double({float(value)!r})"
        if isinstance(value, np.ndarray):
            return self._program.array(value)
        if isinstance(value, tuple):
            return f"pack({', '.join(self._constant(part) for part in value)})"
        raise UntranslatableError(f"{value!r} is no constant of a kernel")

    def visit(self, node: ast.AST) -> Any:
        """A statement is appended to `lines`, an expression returned."""
        if isinstance(node, ast.expr):
            value = self._value(node)
            if value is not ABSENT:
                return self._constant(value)
        return super().visit(node)

    def generic_visit(self, node: ast.AST) -> str:
        """Refuse what is not known."""
        code = self._function.__code__
        place = f"{code.co_filename}:{code.co_firstlineno + getattr(node, 'lineno', 1) - 1}"
        raise UntranslatableError(f"{place}: {ast.unparse(node)} is not translated")

    # ------------------------------------------------------------ statements
    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self._line(f"{self.visit(node.value)};")

    def visit_Return(self, node: ast.Return) -> None:
        self._line("return;" if node.value is None else f"return {self.visit(node.value)};")

    def visit_Pass(self, node: ast.Pass) -> None:
        pass

    def visit_Break(self, node: ast.Break) -> None:
        self._line("break;")

    def visit_Continue(self, node: ast.Continue) -> None:
        self._line("continue;")

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self.visit(node.value)
        for target in reversed(node.targets):
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                self._line(f"fill({self.visit(target.value)}, {value});")
            else:
                self._line(f"{self._target(target)} = {value};")

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._line(f"{self._target(node.target)} {BINARY[type(node.op)]}= {self.visit(node.value)};")

    def _target(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            return "std::ignore" if node.id == UNUSED else f"{node.id}_"
        if isinstance(node, ast.Tuple):
            return f"std::tie({', '.join(self._target(part) for part in node.elts)})"
        if isinstance(node, ast.Subscript):
            return self._place(node)
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        self._line(f"if ({self.visit(node.test)}) {{")
        self._block(node.body)
        if node.orelse:
            self._line("} else {")
            self._block(node.orelse)
        self._line("}")

    def visit_While(self, node: ast.While) -> None:
        self._line(f"while ({self.visit(node.test)}) {{")
        self._block(node.body)
        self._line("}")

    def visit_For(self, node: ast.For) -> None:
        assert isinstance(node.target, ast.Name)
        self._loops += 1
        number, variable = self._loops, node.target.id
        if isinstance(node.iter, ast.Call) and self._value(node.iter.func) is range:
            kind = "int64_t" if variable == UNUSED else in_cpp(self._typed.variables[variable])
            self._line(f"for ({self._range(node.iter, f'{kind} k{number}', f'k{number}')}) {{")
        else:
            over = self._value(node.iter)
            of = self._constant(np.array(over)) if isinstance(over, tuple) else self.visit(node.iter)
            self._line(f"for (auto k{number} : {of}) {{")
        self._line(f"    {self._target(node.target)} = k{number};")
        self._block(node.body)
        self._line("}")

    def _range(self, node: ast.Call, begin: str, name: str) -> str:
        """Head of a loop: its bound is reckoned once, as by Python."""
        first, end, step = "0", "", 1
        given = [self.visit(argument) for argument in node.args]
        if len(given) == 1:
            end = given[0]
        else:
            first, end = given[:2]
        if len(given) == 3:
            step = self._value(node.args[2])
        return f"{begin} = {first}, end_{name} = {end}; {name} {'<' if step > 0 else '>'} end_{name}; {name} += {step}"

    # ------------------------------------------------------------ expressions
    def visit_Name(self, node: ast.Name) -> str:
        return f"{node.id}_"

    def visit_BinOp(self, node: ast.BinOp) -> str:
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Div):
            return f"(double({left}) / double({right}))"
        if type(node.op) not in BINARY:
            return self.generic_visit(node)
        return f"({left} {BINARY[type(node.op)]} {right})"

    def visit_UnaryOp(self, node: ast.UnaryOp) -> str:
        return f"({UNARY[type(node.op)]}{self.visit(node.operand)})"

    def visit_BoolOp(self, node: ast.BoolOp) -> str:
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return f"({sign.join(self.visit(value) for value in node.values)})"

    def visit_Compare(self, node: ast.Compare) -> str:
        (last,) = node.comparators[-1:]
        if isinstance(node.ops[0], ast.In) and isinstance(last, ast.Tuple):
            return f"is_one_of({', '.join(self.visit(part) for part in (node.left, *last.elts))})"
        terms = [self.visit(term) for term in (node.left, *node.comparators)]
        pairs = zip(terms, node.ops, terms[1:], strict=False)
        return "(" + " && ".join(f"({a} {COMPARED[type(op)]} {b})" for a, op, b in pairs) + ")"

    def visit_IfExp(self, node: ast.IfExp) -> str:
        return f"({self.visit(node.test)} ? {self.visit(node.body)} : {self.visit(node.orelse)})"

    def visit_Tuple(self, node: ast.Tuple) -> str:
        return f"pack({', '.join(self.visit(part) for part in node.elts)})"

    def visit_Subscript(self, node: ast.Subscript) -> str:
        if self._is_tuple(node.value):
            index = self._value(node.slice)
            of = self.visit(node.value)
            return f"pick({of}, {self.visit(node.slice)})" if index is ABSENT else f"std::get<{index}>({of})"
        return f"read({self._place(node)})"

    def _place(self, node: ast.Subscript) -> str:
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return f"at({self.visit(node.value)}, {', '.join(self.visit(part) for part in parts)})"

    def _arguments(self, node: ast.expr) -> list[str]:
        if not isinstance(node, ast.Starred):
            return [self.visit(node)]
        assert isinstance(node.value, ast.Name)
        parts = self._typed.variables[node.value.id]
        return [f"std::get<{place}>({node.value.id}_)" for place in range(len(parts))]

    def visit_Call(self, node: ast.Call) -> str:
        args = [text for argument in node.args for text in self._arguments(argument)]
        called = self._value(node.func)
        if is_kernel(called):
            return f"{self._program.kernel(called)}({', '.join(args)})"
        if called is len:
            return f"{args[0]}.shape[0]"
        name = INTRINSICS.get(getattr(called, "_name", "")) or FUNCTIONS.get(called) or CASTS.get(called)
        return f"{name}({', '.join(args)})" if name else self.generic_visit(node)


def constant_array(name: str, values: Any) -> Iterator[str]:
    """Lines of a constant array."""
    kind = {"b": "bool", "i": f"int{8 * values.itemsize}_t", "u": f"uint{8 * values.itemsize}_t", "f": "double"}
    word, shape = kind[values.dtype.kind], ", ".join(map(str, values.shape))
    ending = {"i": "LL", "u": "ULL"}.get(values.dtype.kind, "")
    numbers = ", ".join(f"{value!r}{ending}".lower() for value in values.ravel().tolist())
    yield f"static const {word} {name}_words[] = {{{numbers}}};"
    yield f"static const Array<const {word}, {values.ndim}> {name}{{{name}_words, {{{shape}}}}};"
