"""The kernel loader: variants agree, caches are shared between processes and never stale."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games import compile_locks, loader, rng
from games.loader import FRAME
from games.toy.game import FOLDER
from tests.games import walks

ROOT = FRAME.parent
UTILITY = ROOT / "engines" / "search" / "utility.py"
DEADLINE_S = 300


def start(game_id: str, *engines: str, kernels: Path | None = None) -> subprocess.Popen[str]:
    """Let a fresh process use a game and engines, with a cache folder of its own where one is given."""
    environment = os.environ | ({"LAB_KERNELS": str(kernels)} if kernels else {})
    command = [sys.executable, "-m", "tests.games.use_kernels", game_id, *engines]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True)


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, error = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 0, error
    answer: dict[str, Any] = json.loads(out)
    return answer


def matches(game: Any, journal: bool, mode: str) -> list[list[int]]:
    """Keys, plies, scores of a few random playouts by one variant of the rules."""
    rules = game.kernels(journal=journal, mode=mode)
    rows = []
    for seed in range(1 if mode == "plain" else 2):  # undecorated a match takes a second
        start_state = game.initial_state(game.options(), game.traits.max_seats)
        state, r = start_state.copy(), rng.new_stream(seed, rng.ANALYSIS)
        buffer, j = np.zeros(rules.MAX_ACTIONS, np.int32), np.ones(1 << 16, np.int32)
        with np.errstate(over="raise"):  # a narrow number that wraps around only in plain Python
            plies = rules.playout.playout(state, 0, r, buffer, j)
        points = np.zeros(rules.MAX_SEATS, np.int64)
        rules.scores(state, points)
        with np.errstate(over="ignore"):  # hashing wraps around, compiled or not
            rows.append([int(plies), int(rules.key(state)), *points.tolist(), *state.tolist()])
    return rows


@pytest.mark.parametrize(
    "game_id",
    [pytest.param(one, marks=pytest.mark.slow if one == "carcassonne" else ()) for one in walks.GAME_IDS],
)  # Carcassonne undecorated: every policy, below, and perft
def test_all_variants_play_the_same_matches(game_id: str) -> None:
    game = walks.game_of(game_id)
    expected = matches(game, False, "jit")
    for journal, mode in {(True, walks.mode_of_undo(game)), (False, "plain")}:
        found = matches(game, journal, mode)
        assert found == expected[: len(found)], (journal, mode)


@pytest.mark.parametrize("game_id", walks.GAME_IDS)
def test_every_policy_chooses_the_same_undecorated(game_id: str) -> None:
    """Plain Python checks bounds, too, and compiles nothing: NumPy raises where an index is beyond an array."""
    game = walks.game_of(game_id)
    for policy, name in enumerate(game.policies):
        journal = name in game.kernels().policies.NEEDS_JOURNAL
        for state in walks.some(walks.turns(game_id, game.traits.max_seats), 3):
            chosen = []
            for mode in ("jit", "plain"):
                rules = game.kernels(journal=journal, mode=mode)
                r, buffer = rng.new_stream(4, rng.ANALYSIS), np.zeros(rules.MAX_ACTIONS, np.int32)
                with np.errstate(over="ignore"):  # hashing wraps around, compiled or not
                    choose = loader.policy(game.folder, name, journal, mode).choose
                    action = choose(policy, state.copy(), r, buffer, np.ones(1 << 16, np.int32))
                chosen.append((int(action), r.tolist()))
            assert chosen[0] == chosen[1], name


@pytest.mark.slow  # compiles two games once more; undecorated, below and above, bounds are checked in all of them
@pytest.mark.parametrize("game_id", walks.TOYS)
def test_the_bounds_checked_variant_plays_the_same_matches(game_id: str) -> None:
    game = walks.game_of(game_id)
    assert matches(game, True, "checked") == matches(game, False, "jit")


def test_the_bounds_checked_variant_checks_bounds(tmp_path: Path) -> None:
    path = tmp_path / "reader.py"
    path.write_text("@kernel\ndef read(s, i):\n    return s[i]\n")
    for mode in ("checked", "plain"):
        module = loader.template(path, tmp_path, f"reader_{mode}", mode)
        with pytest.raises(IndexError):
            module.read(np.zeros(3, np.int32), 3)


REFERENCES = """
import numpy as np

@kernel
def total(a, n):
    return a[0] + total(a[1:], n - 1) if n else 0

@{decorator}
def total_of_ones(n):
    a = np.empty(n, np.int64)
    a[:] = 1
    return total(a, n)
"""


def written_ones(folder: Path, decorator: str) -> Path:
    path = folder / "ones.py"
    path.write_text(REFERENCES.format(decorator=decorator))
    return path


@pytest.mark.parametrize("mode", ["jit", "plain"])
def test_an_allocating_kernel_may_make_arrays(tmp_path: Path, mode: str) -> None:
    path = written_ones(tmp_path, "allocating_kernel")
    assert loader.template(path, tmp_path, "ones", mode).total_of_ones(5) == 5


def test_a_kernel_counts_no_references_and_so_may_not_make_arrays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from numba.core.errors import TypingError

    monkeypatch.setenv("LAB_KERNELS", str(tmp_path / "kernels"))
    path = written_ones(tmp_path, "kernel")
    module = loader.template(path, tmp_path, "ones_refused")
    assert module.total(np.arange(5), 5) == 10
    assert all("NRT_" not in code for code in module.total.inspect_llvm().values())
    with pytest.raises(TypingError, match="Only accept returning of array passed into the function"):
        module.total_of_ones(5)


def test_what_only_kernels_call_is_compiled_without_a_wrapper_for_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_KERNELS", str(tmp_path / "kernels"))
    path = written_ones(tmp_path, "allocating_kernel")
    module = loader.template(path, tmp_path, "ones_inner")
    assert module.total_of_ones(5) == 5
    assert len(module.total_of_ones.overloads) == 1
    assert not module.total.overloads
    assert len(module.total.inner.overloads) == 1
    library = next(iter(module.total.inner.overloads.values())).library
    linked = str(library._get_module_for_linking())
    assert "define" in linked
    assert "PyObject" not in linked
    assert "define" not in library.get_llvm_str(), "by itself no machine code is made of it"
    assert module.total(np.ones(4, np.int64), 4) == 4, "and with one as soon as Python calls it"


def test_threads_that_load_templates_at_once_keep_each_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels, here = tmp_path / "kernels", tmp_path / "here"
    here.mkdir()
    monkeypatch.setenv("LAB_KERNELS", str(kernels))
    monkeypatch.chdir(here)
    paths = [tmp_path / f"many{number}.py" for number in range(4)]
    for path in paths:
        path.write_text("\n\n".join(f"@kernel\ndef f{n}(x):\n    return x" for n in range(10)))
    patient = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(len(paths)) as pool:
            modules = list(pool.map(lambda path: loader.template(path, tmp_path, path.stem), paths))
    finally:
        sys.setswitchinterval(patient)
    assert not list(here.iterdir()), "numba takes the folder at hand where none is set"
    for module in modules:
        for kernel in (vars(module)[f"f{n}"] for n in range(10)):
            assert Path(kernel.stats.cache_path).is_relative_to(module.CACHE_FOLDER)
            assert Path(kernel.inner.stats.cache_path).is_relative_to(module.CACHE_FOLDER / "inner")


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="mode must be one of jit, checked, plain, not 'fast'"):
        loader.template(loader.KERNELS / "journal.py", FRAME, "never", "fast")


def test_a_variant_is_loaded_once() -> None:
    assert loader.rules(FOLDER) is loader.rules(FOLDER, False, mode="jit")
    assert loader.rules(FOLDER, journal=True) is not loader.rules(FOLDER, journal=False)


def test_constants_of_an_algorithm_are_part_of_its_name() -> None:
    folders = {
        loader.algorithm(UTILITY, FOLDER, UTILITY=utility, OPPONENT=opponent).CACHE_FOLDER.name
        for utility in (0, 1)
        for opponent in (0, 1)
    }
    assert len(folders) == 4
    assert all(name.startswith("toy_utility_") for name in folders)


@pytest.mark.long
def test_an_edit_anywhere_in_a_game_changes_its_cache_folder(tmp_path: Path) -> None:
    def folder_after(name: str, edit: str = "") -> str:
        copy = tmp_path / (name or "same") / "toy"
        shutil.copytree(FOLDER, copy)
        if edit:
            with (copy / name).open("a") as file:
                file.write(edit)
        return str(loader.rules(copy).CACHE_FOLDER.name)

    same = folder_after("")
    assert same == loader.rules(FOLDER).CACHE_FOLDER.name
    edited = [folder_after(name, "\n# edited\n") for name in ("kernels/rules.py", "kernels/policies.py", "state.py")]
    assert len({same, *edited}) == 4


@pytest.mark.long
def test_machine_compiler_options_and_place_are_part_of_the_folder_name(tmp_path: Path) -> None:
    code = "from games import loader; from games.toy.game import FOLDER; print(loader.rules(FOLDER).CACHE_FOLDER.name)"
    names = set()
    for changed in ({}, {"NUMBA_CPU_NAME": "generic"}, {"NUMBA_OPT": "2"}, {"LAB_KERNELS": str(tmp_path)}):
        answer = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | changed,
            check=True,
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
        )
        names.add(answer.stdout.strip())
    assert len(names) == 4


def test_a_cache_folder_that_cannot_be_written_is_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "a file, no folder"
    blocked.touch()
    monkeypatch.setenv("LAB_KERNELS", str(blocked))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert loader.cache_root() == tmp_path / f"meeple-lab-kernels-{os.getuid()}"
    assert loader.cache_root().is_dir()


@pytest.mark.slow
def test_two_cold_processes_compile_once_and_a_third_finds_everything(tmp_path: Path) -> None:
    engines = ("scripted", "flat_mc")
    first, second = (finish(process) for process in [start("toy", *engines, kernels=tmp_path) for _ in range(2)])
    assert len(first["missed"] + second["missed"]) > 20
    assert set(first["missed"]).isdisjoint(second["missed"]), "each signature is compiled by one of them alone"
    third = finish(start("toy", *engines, kernels=tmp_path))
    assert third["missed"] == []
    assert third["hits"] >= 8


@pytest.mark.long
@pytest.mark.parametrize("game_id", ["toy", pytest.param("carcassonne", marks=pytest.mark.slow)])
def test_a_second_process_compiles_nothing(game_id: str) -> None:
    finish(start(game_id))
    again = finish(start(game_id))
    assert again["missed"] == []
    assert again["hits"] >= 8


@pytest.mark.long
def test_what_one_clone_has_compiled_another_finds(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from games import loader; folder = pathlib.Path(sys.argv[1]); "
        "module = loader.template(folder / 'adder.py', folder, 'adder_shared'); module.add(1, 2); "
        "print(sum(module.add.stats.cache_misses.values()))"
    )
    missed = []
    for clone in ("first", "second"):
        (tmp_path / clone).mkdir()
        (tmp_path / clone / "adder.py").write_text("@kernel\ndef add(a, b):\n    return a + b\n")
        command = [sys.executable, "-c", code, str(tmp_path / clone)]
        environment = os.environ | {"LAB_KERNELS": str(tmp_path / "kernels")}
        answer = subprocess.run(
            command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True, timeout=DEADLINE_S
        )
        missed.append(int(answer.stdout))
    assert missed == [1, 0]


def test_kernels_lie_among_the_caches_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAB_KERNELS", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert loader.cache_root() == tmp_path / "caches" / "meeple-lab" / "kernels"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert loader.cache_root() == tmp_path / ".cache" / "meeple-lab" / "kernels"


def test_who_wants_only_what_is_warm_neither_compiles_nor_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_KERNELS", str(tmp_path / "kernels"))
    path = tmp_path / "adder.py"
    path.write_text("@kernel\ndef add(a, b):\n    return a + b\n")
    module = loader.template(path, tmp_path, "adder_later")
    module.CACHE_FOLDER.mkdir(parents=True, exist_ok=True)
    with compile_locks.hold(module.CACHE_FOLDER), loader.only_warm(), pytest.raises(loader.ColdError):
        loader.ensure_loaded(module, lambda: pytest.fail("somebody else compiles it"))
    loader.ensure_loaded(module, lambda: module.add(1, 2))
    again = another_process(path, "adder_later")
    with loader.only_warm():
        loader.ensure_loaded(again, lambda: again.add(1, 2))
    assert not again.add.stats.cache_misses


def another_process(path: Path, tag: str) -> Any:
    """The template as a process has it that has loaded nothing yet."""
    return loader.template.__wrapped__(path, path.parent, tag)


def test_kernels_are_loaded_once_a_process_and_before_they_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_KERNELS", str(tmp_path / "kernels"))
    path = tmp_path / "adder.py"
    path.write_text("@kernel\ndef add(a, b):\n    return a + b\n")
    for misses, hits in ((1, 0), (0, 1)):  # the first compiles, the second reads
        module, calls = another_process(path, "adder_twice"), []
        for _ in range(3):
            loader.ensure_loaded(module, lambda module=module, calls=calls: calls.append(module.add(1, 2)))
        stats = module.add.stats
        assert (calls, sum(stats.cache_misses.values()), sum(stats.cache_hits.values())) == ([3], misses, hits)


def test_a_failed_compilation_leaves_no_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_KERNELS", str(tmp_path / "kernels"))
    path = tmp_path / "adder.py"
    path.write_text("@kernel\ndef add(a, b):\n    return a + b\n")
    module = loader.template(path, tmp_path, "adder")

    def fail() -> None:
        raise RuntimeError("no disk")

    with pytest.raises(RuntimeError, match="no disk"):
        loader.ensure_loaded(module, fail)
    calls: list[int] = []
    for _ in range(3):
        loader.ensure_loaded(module, lambda: calls.append(module.add(1, 2)))
    assert calls == [3]
