"""What `pip install .` gives: all files, the command `meeple`, nothing of Django where it was not asked for."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder

import meeple
from engines import __main__ as engines_command
from meeple_client import __main__ as client_command
from webapp.ops.data_folder import CHECKOUT
from worker import __main__ as worker_command
from worker import code_version

PROJECT: dict[str, Any] = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
ROOMS = ("games", "engines", "worker", "webapp", "meeple_client")
BESIDE = ("templates", "static", "examples")
"""Folders that lie in `webapp` where it is installed."""
DEADLINE_S = 300
CORE = ("numba", "llvmlite", "numpy", "scipy")
CLIENT = ("httpx", "httpcore", "h11", "anyio", "certifi", "idna", "typing_extensions")


def in_the_tree() -> set[str]:
    """Every file that an installation has, by its path there."""
    found = (path for room in (*ROOMS, *BESIDE) for path in (CHECKOUT / room).rglob("*") if path.is_file())
    names = (path.relative_to(CHECKOUT).as_posix() for path in found if "__pycache__" not in path.parts)
    return {f"webapp/{name}" if name.startswith(BESIDE) else name for name in names} | {"meeple.py"}


def test_the_package_has_every_file_of_the_tree() -> None:
    packed = {file.distribution_path for file in WheelBuilder(str(CHECKOUT)).recurse_included_files()}
    assert packed == in_the_tree()
    named = ("games/carcassonne/kernels/rules.py", "games/dominoes/stored/levels.json", "webapp/templates/base.html")
    assert {*named, "worker/presets/data/contents.json", "meeple_client/py.typed"} < packed


def test_extras_are_what_requirements_say() -> None:
    def ranges(name: str) -> list[str]:
        lines = (CHECKOUT / "requirements" / f"{name}.in").read_text().splitlines()
        return [line for line in lines if line and not line.startswith(("#", "-r"))]

    extras = PROJECT["optional-dependencies"]
    assert extras["server"] == ranges("image") + ranges("run")
    assert set(PROJECT["dependencies"]) < set(ranges("image"))
    assert set(extras["client"]) < set(ranges("image")) & set(extras["notebooks"])


def test_the_version_is_said_once_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert meeple.main(["--version"]) == 0
    assert capsys.readouterr().out == f"meeple-lab {PROJECT['version']}, {code_version.here()}\n"
    first = CHECKOUT / "worker" / "fields.py"  # says which version was the first, whatever the present one is
    modules = (path for room in ROOMS for path in (CHECKOUT / room).rglob("*.py") if path != first)
    assert [path for path in modules if f'"{PROJECT["version"]}"' in path.read_text()] == []


def test_every_command_has_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert words(meeple.WORKER) == commands(worker_command._parser("meeple"))
    assert words(meeple.CLIENT) == commands(client_command._parser("meeple"))
    assert words(meeple.ENGINES) < commands(engines_command._parser("meeple"))
    assert meeple.main([]) == meeple.main(["--help"]) == 0
    usage = capsys.readouterr().out
    for word in (*meeple.COMMANDS, *meeple.ROOMS, *meeple.LAB):
        assert f"\n  {word} " in usage
    assert meeple.main(["ruun"]) == 2
    assert "there is no command 'ruun'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        meeple.main(["run", "--help"])
    assert capsys.readouterr().out.startswith("usage: meeple run ")
    assert meeple.main(["games", "list"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["id"] == "carcassonne"


def words(module: str) -> set[str]:
    """Words of `meeple` that a command line has."""
    return {word for word, (place, _) in meeple.COMMANDS.items() if place == module}


def commands(parser: argparse.ArgumentParser) -> set[str]:
    """Words of a command line."""
    assert parser._subparsers is not None
    (action,) = parser._subparsers._group_actions
    return set(action.choices or ())


# ---- built, installed, run


def call(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program elsewhere, with nothing of this checkout on its path."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DJANGO"))}
    words = list(map(str, command))
    return subprocess.run(
        words, cwd=cwd, env=kept | environment, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )


def lay(names: Iterable[str], folder: Path) -> None:
    """Lay installed distributions into a folder of packages, as links."""
    for name in names:
        found = distribution(name)
        for top in {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}:
            if not (folder / top).exists():
                (folder / top).symlink_to(Path(str(found.locate_file(top))))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that is built of it."""
    folder = tmp_path_factory.mktemp("built")
    build = (sys.executable, "-m", "hatchling", "build", "-d", folder)
    assert call(*build, "-t", "sdist", cwd=CHECKOUT).returncode == 0
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        archive.extractall(folder, filter="data")
    (source,) = (path for path in folder.iterdir() if path.is_dir())
    assert call(*build, "-t", "wheel", cwd=source).returncode == 0
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of an environment that has the wheel and the core dependencies, and nothing else."""
    root = tmp_path_factory.mktemp("environment")
    venv.create(root, with_pip=True, symlinks=True)
    (wheel,) = built.glob("*.whl")
    done = call(root / "bin" / "pip", "install", "--no-index", "--no-deps", wheel, cwd=root)
    assert done.returncode == 0, done.stderr
    lay(CORE, next(root.glob("lib/python*/site-packages")))
    return root / "bin"


@pytest.mark.slow
def test_a_wheel_of_the_sdist_has_every_file(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        assert {name for name in wheel.namelist() if ".dist-info/" not in name} == in_the_tree()


@pytest.mark.slow
def test_what_was_installed_plays_elsewhere_without_django(installed: Path, tmp_path: Path) -> None:
    seats = [{"engine": "flat_mc", "budget": {"playouts": 20}}, {"engine": "random"}]
    spec = {"version": 1, "game": "kingdomino", "seats": 2, "deals": 3, "seed": 1}
    (tmp_path / "spec.json").write_text(json.dumps(spec | {"arms": [{"name": "One", "seats": seats}]}))
    meeple_command = installed / "meeple"
    done = call(meeple_command, "run", "spec.json", "--out", "matches.jsonl", "--processes", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["matches"], told["failed"]) == (6, 0)
    assert told["lab"] == {"version": PROJECT["version"], "code": code_version.content_hash()}
    assert len((tmp_path / "matches.jsonl").read_text().splitlines()) == 6
    listed = call(meeple_command, "preset", cwd=tmp_path)
    assert len(json.loads(listed.stdout)) > 20
    own = call(
        meeple_command, "own", CHECKOUT / "examples" / "engines" / "flat.py", "--game", "kingdomino", cwd=tmp_path
    )
    assert own.returncode == 0, own.stdout + own.stderr
    program = "import games, engines, worker, meeple; print(games.__file__)"
    where = call(installed / "python", "-c", program, cwd=tmp_path).stdout.strip()
    assert Path(where).is_relative_to(installed.parent)
    for word, extra in (("up", "server"), ("submit", "client")):
        missing = call(meeple_command, word, "x", cwd=tmp_path)
        assert (missing.returncode, f"pip install 'meeple-lab[{extra}]'" in missing.stderr) == (2, True)


@pytest.mark.slow
def test_the_client_needs_httpx_alone(built: Path, tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        wheel.extractall(packages)
    lay(CLIENT, packages)
    alone = (sys.executable, "-S", "-m", "meeple")
    told = call(*alone, "watch", "1", cwd=tmp_path, PYTHONPATH=str(packages), LAB_URL="http://127.0.0.1:9")
    assert (told.returncode, told.stderr) == (2, "error: set LAB_TOKEN to a token of your account\n")
    program = "import meeple_client, sys; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = call(sys.executable, "-S", "-c", program, cwd=tmp_path, PYTHONPATH=str(packages)).stdout.split()
    assert "httpx" in loaded
    assert not {"numpy", "pyarrow", "games", "worker", "webapp"} & set(loaded)
    missing = call(*alone, "run", "x", cwd=tmp_path, PYTHONPATH=str(packages))
    assert (missing.returncode, "numpy is not installed" in missing.stderr) == (2, True)
