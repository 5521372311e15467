"""``python -m games new NAME``: what it writes passes the contracts of games and engines at once."""

from __future__ import annotations

import inspect
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import games
import tests.games
from engines import levels
from engines import registry as engine_registry
from games import __main__ as command_line
from games import data_files, new, registry
from games.loader import FRAME
from tests.engines import test_contract
from tests.games import (
    test_contract_faces,
    test_contract_luck,
    test_contract_play,
    test_contract_rules,
    test_registry,
    walks,
)

NAME = "four_winds"
FIRST_PARTY = "lint.isort.known-first-party = ['games', 'tests']"
DEADLINE_S = 60
CONTRACTS = (test_contract_rules, test_contract_luck, test_contract_faces, test_contract_play)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What the command reads of a checkout."""
    for folder in ("games/toy", "tests/games/toy"):
        shutil.copytree(FRAME.parent / folder, tmp_path / folder)
    shutil.copy(FRAME / "registry.py", tmp_path / new.REGISTRY)
    return tmp_path


@pytest.fixture
def written(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A new game, found where games are found, its rules undecorated so that nothing is compiled."""
    new.write(NAME, checkout)
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(checkout / "games")])
    monkeypatch.setattr(tests.games, "__path__", [*tests.games.__path__, str(checkout / "tests" / "games")])
    monkeypatch.setitem(registry.GAMES, NAME, f"games.{NAME}.game:FourWinds")
    face: Any = type(registry.get(NAME))

    class Plain(face):  # type: ignore[misc]
        def kernels(self, *, journal: bool = False, mode: str = "jit") -> ModuleType:
            module: ModuleType = super().kernels(journal=journal, mode="plain")
            return module

    monkeypatch.setitem(walks.TOYS, NAME, Plain)
    levels.for_game.cache_clear()
    yield walks.game_of(NAME)
    levels.for_game.cache_clear()


def promises(module: ModuleType, argument: str) -> Iterator[Callable[[Any], None]]:
    """The tests of a module that ask for one thing of this name."""
    for name, function in vars(module).items():
        if name.startswith("test_") and list(inspect.signature(function).parameters) == [argument]:
            yield function


@pytest.mark.long
def test_a_new_game_keeps_every_promise_of_games(written: Any) -> None:
    kept = [promise for module in CONTRACTS for promise in promises(module, "game")]
    for promise in kept:
        promise(written)
    assert len(kept) > 50


def test_engines_without_search_play_a_new_game(written: Any) -> None:
    for engine_id in ("random", "scripted"):
        test_contract.check_on(engine_id, NAME)


def test_a_new_game_is_offered_like_any_other(written: Any) -> None:
    test_registry.test_a_game_is_made_once_under_its_own_id()
    assert written.label == "Four winds"
    described = command_line.describe(registry.get(NAME))
    assert (described["id"], described["policies"]) == (NAME, ["random", "greedy"])
    (level,) = levels.for_game(NAME)
    file = data_files.path(written.folder, levels.NAME)
    assert file.read_text() == levels.text(NAME, [level])
    assert (level.engine, level.stands_in) == ("random", True)
    assert {"random", "scripted", "flat_mc", "uct", "expectimax"} <= set(engine_registry.suitable(written))


def test_nothing_of_the_toy_is_left_in_it(checkout: Path) -> None:
    answer = new.write(NAME, checkout)
    texts = {name: (checkout / name).read_text() for name in answer["files"] if name != new.REGISTRY}
    assert {f"games/{NAME}/game.py", f"games/{NAME}/kernels/rules.py", f"games/{NAME}/RULES.md"} <= texts.keys()
    assert {f"tests/games/{NAME}/reference.py", f"tests/games/{NAME}/test_reference.py"} <= texts.keys()
    assert not any("toy" in text for text in texts.values())
    before, after = (FRAME / "registry.py").read_text(), (checkout / new.REGISTRY).read_text()
    line = f'    "{NAME}": "games.{NAME}.game:FourWinds",\n'
    assert after.replace(line, "") == before


@pytest.mark.parametrize("name", ["a", "pebbles", "zz_top", "a" * new.MAX_LENGTH])
def test_files_are_as_linters_want_them(name: str, checkout: Path) -> None:
    answer = new.write(name, checkout)
    files = [file for file in answer["files"] if file.endswith(".py")]
    config = ["--config", str(FRAME.parent / "pyproject.toml"), "--config", FIRST_PARTY]
    for rule in (["check", *config], ["format", "--check", *config]):
        command = [sys.executable, "-m", "ruff", *rule, *files]
        done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, timeout=DEADLINE_S)
        assert done.returncode == 0, done.stdout


def test_the_command_says_which_files_it_wrote(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["new", NAME, "--root", str(checkout)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert all((checkout / name).is_file() for name in answer["files"])
    assert new.REGISTRY in answer["files"]
    assert "docs/adding.md" in answer["next"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "'' cannot name a game"),
        ("Chess", "cannot name a game"),
        ("2048", "begins with a letter"),
        ("four-winds", "cannot name a game"),
        ("../chess", "cannot name a game"),
        ("lambda", "no word of Python"),
        ("a" * 31, "30 characters at most"),
        ("toy", "games/toy is there already"),
        ("registry", "games/registry.py is there already"),
    ],
)
def test_bad_names_are_refused_in_a_sentence(
    name: str, message: str, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(checkout.rglob("*"))
    assert command_line.main(["new", name, "--root", str(checkout)]) == 1
    assert message in json.loads(capsys.readouterr().out)["error"]
    assert sorted(checkout.rglob("*")) == before


def test_without_the_tests_there_is_nothing_to_begin_from(checkout: Path) -> None:
    shutil.rmtree(checkout / "tests")
    with pytest.raises(ValueError, match="no tests/games/toy to begin from"):
        new.write(NAME, checkout)


def test_a_registry_of_another_shape_is_left_alone(checkout: Path) -> None:
    (checkout / new.REGISTRY).write_text("GAMES = {}\n")
    with pytest.raises(ValueError, match=r'add this to: "four_winds": "games\.four_winds\.game:FourWinds",'):
        new.write(NAME, checkout)
    assert not (checkout / "games" / NAME).exists()
