"""The arrows between the storeys, as import contracts in ``pyproject.toml``."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from engines import registry as engine_registry
from games import registry as game_registry

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CONTRACTS = PROJECT["tool"]["importlinter"]["contracts"]
DEADLINE_S = 120


def modules(package: str) -> set[str]:
    """Modules and packages directly in a package of the project."""
    folder = ROOT / package.replace(".", "/")
    found = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    return {f"{package}.{name}" for name in found - {"__init__"}}


def contract(kind: str, word: str) -> dict[str, Any]:
    """The contract of a kind whose name holds a word."""
    (found,) = (row for row in CONTRACTS if row["type"] == kind and word in row["name"])
    return dict(found)


def test_import_contracts_hold() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE_S)
    assert answer.returncode == 0, answer.stdout
    assert f"{len(CONTRACTS)} kept, 0 broken" in answer.stdout


def test_no_module_of_the_worker_is_forgotten_by_its_contract() -> None:
    free = {"worker.celery_app", "worker.tasks"}
    listed = set(contract("forbidden", "No web")["source_modules"])
    assert modules("worker") - free <= listed


def test_every_engine_is_in_the_contract_of_independence() -> None:
    registered = {place.partition(":")[0] for place in engine_registry.ENGINES.values()}
    assert registered == set(contract("independence", "Engine")["modules"])


def test_every_game_is_in_the_contracts_of_games() -> None:
    registered = {place.rpartition(".")[0] for place in game_registry.GAMES.values()}
    assert registered == set(contract("independence", "Games")["modules"])
    assert registered == set(contract("forbidden", "Engines")["forbidden_modules"])


@pytest.mark.parametrize("storey", ["games", "engines", "worker"])
def test_no_storey_reads_tests_or_pages_by_name(storey: str) -> None:
    """Import contracts see imports of our four storeys; the tests are a room of their own."""
    for path in (ROOT / storey).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] in ("tests", "webapp") for name in names), path.name


def test_statistics_are_kept_from_every_other_module_of_the_worker() -> None:
    forbidden = set(contract("forbidden", "Statistics")["forbidden_modules"])
    others = modules("worker") - {"worker.analysis", "worker.__main__", "worker.celery_app", "worker.tasks"}
    assert others | {"games", "engines", "webapp"} <= forbidden


def test_nothing_compiles_while_tests_are_collected() -> None:
    """No module of tests asks for kernels outside of its functions."""
    for path in (ROOT / "tests").rglob("*.py"):
        outside = [node for node in ast.parse(path.read_text()).body if not isinstance(node, ast.FunctionDef)]
        values = [node.value for node in outside if isinstance(node, ast.Assign | ast.AnnAssign) and node.value]
        called = [node.func for value in values for node in ast.walk(value) if isinstance(node, ast.Call)]
        names = {func.attr for func in called if isinstance(func, ast.Attribute)}
        assert "kernels" not in names, path.name
