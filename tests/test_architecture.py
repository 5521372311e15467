"""The arrows between the storeys, as import contracts in ``pyproject.toml``."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
import tomllib
from collections.abc import Container, Mapping
from pathlib import Path

import pytest

from engines import registry as engine_registry
from games import registry as game_registry

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CONTRACTS = PROJECT["tool"]["importlinter"]["contracts"]
STOREYS = ("games", "engines", "worker", "webapp")
DEADLINE_S = 120


@pytest.mark.long
def test_import_contracts_hold() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE_S)
    assert answer.returncode == 0, answer.stdout
    assert f"{len(CONTRACTS)} kept, 0 broken" in answer.stdout


def imports_of(source: str, module: str, is_package: bool, modules: Container[str]) -> set[str]:
    """Which of the modules one imports: lazily, and for type checking only, too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = module.split(".")
            base = parts[: len(parts) - node.level + is_package] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            names = {f"{origin}.{alias.name}" for alias in node.names}
            found |= {name if name in modules else origin for name in names}
    return {name for name in found if name in modules and name != module}


def circle_in(arrows: Mapping[str, set[str]]) -> list[str]:
    """A circle of modules, the first one again at its end; empty where there is none."""
    done: set[str] = set()

    def visit(module: str, path: list[str]) -> list[str]:
        if module in path:
            return [*path[path.index(module) :], module]
        if module in done:
            return []
        for other in sorted(arrows[module]):
            if circle := visit(other, [*path, module]):
                return circle
        done.add(module)
        return []

    return next((circle for module in sorted(arrows) if (circle := visit(module, []))), [])


def test_a_circle_is_found_and_said() -> None:
    source = "def f():\n    from . import a, word\n    import b.c, os"
    assert imports_of(source, "web.page", False, {"web", "web.a", "web.page", "b.c"}) == {"web", "web.a", "b.c"}
    assert circle_in({"a": {"b"}, "b": {"c", "d"}, "c": set(), "d": {"b"}}) == ["b", "d", "b"]
    assert circle_in({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


@functools.cache
def arrows() -> dict[str, set[str]]:
    """Which module imports which: inside functions and for type checking, too."""
    files = {}
    for storey in STOREYS:
        for path in (ROOT / storey).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return {
        module: imports_of(path.read_text(), module, path.name == "__init__.py", files)
        for module, path in files.items()
    }


@pytest.mark.long
def test_no_circle_of_files_anywhere() -> None:
    assert circle_in(arrows()) == []


def test_wings_of_the_web_application_are_joined_by_few_arrows() -> None:
    """The eleven wings and what joins them can be drawn on one page."""
    wings = {path.parent.name for path in (ROOT / "webapp").glob("*/__init__.py")}
    joined = set()
    for module, others in arrows().items():
        ends = {(module.split(".")[1], other.split(".")[1]) for other in others if other.startswith("webapp.")}
        joined |= {(a, b) for a, b in ends if module.startswith("webapp.") and a != b and {a, b} <= wings}
    assert len(wings) <= 11
    assert len(joined) <= 45


@pytest.mark.long
@pytest.mark.parametrize("storey", ["games", "engines", "worker"])
def test_no_storey_reads_tests_or_pages_by_name(storey: str) -> None:
    """Import contracts see imports of our four storeys; the tests are a room of their own."""
    for path in (ROOT / storey).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] in ("tests", "webapp") for name in names), path.name


def reach(module: str, storey: str) -> set[str]:
    """Every module of a storey that a module imports, itself or through others of the storey."""
    found: set[str] = set()
    waiting = {module}
    while waiting:
        found |= waiting
        below = set().union(*(arrows()[name] for name in waiting))
        waiting = {name for name in below if name.startswith(f"{storey}.")} - found
    return found - {module}


def in_package(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


GAMES = sorted(f"games.{path.parent.name}" for path in (ROOT / "games").glob("*/game.py"))
"""The packages of games, registered or not."""


def test_games_and_engines_are_found() -> None:
    assert {place.rpartition(".")[0] for place in game_registry.GAMES.values()} | {"games.toy"} == set(GAMES)
    assert {place.partition(":")[0] for place in engine_registry.ENGINES.values()} <= arrows().keys()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_imported_by_no_other_game_nor_by_the_frame_or_an_engine(game: str) -> None:
    for module, others in arrows().items():
        if module.startswith(("games", "engines")) and not in_package(module, game):
            assert not any(in_package(other, game) for other in others), module


def test_engines_are_independent_of_each_other() -> None:
    engines = {place.partition(":")[0] for place in engine_registry.ENGINES.values()}
    for module in engines:
        assert not reach(module, "engines") & engines, module


def test_statistics_import_nothing_of_the_lab() -> None:
    for module, others in arrows().items():
        if in_package(module, "worker.analysis"):
            known = {"worker", "worker.lazy_modules"}  # how a module is imported late is no part of the lab
            assert all(in_package(other, "worker.analysis") for other in others - known), module


@pytest.mark.long
def test_nothing_compiles_while_tests_are_collected() -> None:
    """No module of tests asks for kernels outside of its functions."""
    for path in (ROOT / "tests").rglob("*.py"):
        outside = [node for node in ast.parse(path.read_text()).body if not isinstance(node, ast.FunctionDef)]
        values = [node.value for node in outside if isinstance(node, ast.Assign | ast.AnnAssign) and node.value]
        called = [node.func for value in values for node in ast.walk(value) if isinstance(node, ast.Call)]
        names = {func.attr for func in called if isinstance(func, ast.Attribute)}
        assert "kernels" not in names, path.name
