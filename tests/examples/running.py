"""Runs a notebook without Jupyter: its cells in their order, the last expression of each drawn as Jupyter would."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

from webapp.ops.data_folder import CHECKOUT

FOLDER = CHECKOUT / "examples" / "notebooks"
PARAMETERS = "parameters"


def read(name: str) -> dict[str, Any]:
    """A notebook as JSON."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return found


def run(name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Run it with other values of its parameters; the names that it leaves, and under "drawn" what cells end with."""
    names: dict[str, Any] = {"__name__": "__main__"}
    drawn = []
    for index, cell in enumerate(read(name)["cells"]):
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        place = f"{name}.ipynb, cell {index}"
        exec(compile(tree, place, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), place, "eval"), names)
            bundle = getattr(value, "_repr_mimebundle_", None)
            drawn.append(bundle() if bundle else value)
        if PARAMETERS in cell["metadata"].get("tags", ()):
            assert parameters.keys() <= names.keys(), f"{name} has other parameters"
            names |= parameters
    return names | {"drawn": drawn}


def paths() -> list[Path]:
    """All notebooks."""
    return sorted(FOLDER.glob("*.ipynb"))
