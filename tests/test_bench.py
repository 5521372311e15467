"""The table of goals: what it says of a figure, and that every figure is in it."""

import shutil
from types import SimpleNamespace

import numba
import numpy as np
import pytest

from games import loader
from tests.bench import bench_lists, bench_matches, bench_plies, bench_starts, topics
from tests.bench.__main__ import TOPICS, main
from tests.bench.goals import Figures, Row, row, stored
from tests.bench.twins.cases import CASES, Case
from tests.bench.twins.comparison import DifferenceError, check
from tests.bench.twins.kernel_types import infer
from tests.bench.twins.program import NoCompilerError, Program
from tests.bench.twins.translation import Translation


@pytest.mark.parametrize(
    ("now", "is_less_better", "ratio", "is_met"),
    [(40.0, False, 4.0, True), (20.0, False, 2.0, False), (5.0, True, 2.0, True), (40.0, True, 0.25, False)],
)
def test_a_figure_is_set_beside_what_it_was_and_is_to_be(now, is_less_better, ratio, is_met):
    line = Row("a", "s", 10.0, 30.0, now, is_less_better)
    assert (line.ratio, line.is_met) == (ratio, is_met)
    assert str(line).split()[-2:] == ["yes" if is_met else "no", "s"]


def test_every_figure_has_a_row_and_every_row_a_figure():
    recorded = [f"{game}.{what}" for game in bench_matches.LINEUPS for what in ("played", "standard", "matches")]
    solved = [f"solve.{laid}" for laid in topics.bench_hands.LAID]
    keys = [*bench_starts.COMMANDS, "first", "compile", "idle", "headless", *topics.KERNELS]
    keys += ["recorded", "recorded.python", *(f"plies.{game}.{engine}" for game, _, engine, *_ in bench_plies.CASES)]
    twins = [f"twins.{key}" for key in CASES]
    keys += [f"headless.{game_id}" for game_id in topics.SEARCHED]
    listed = [f"lists.{kind}" for kind in bench_lists.KINDS]
    assert sorted([*keys, *recorded, *solved, *twins, *listed]) == sorted(stored()["rows"])
    with pytest.raises(KeyError):
        row("unknown", 1.0)


def test_an_unknown_topic_is_named(capsys):
    with pytest.raises(SystemExit):
        main(["--only", "starts,speed"])
    assert f"there is no 'speed'; there are {', '.join(TOPICS)}" in capsys.readouterr().err


def broken(seconds: float) -> Figures:
    """A row that the file does not have."""
    yield "no such row", seconds


def measured(seconds: float) -> Figures:
    """A row, as it is to be."""
    yield "idle", 1.0


def mixing() -> Case:
    """Two numbers mixed."""
    kernel = dict(loader.frame())["rng"].mix2
    return Case("mixed", "numbers", kernel, lambda count: (np.uint64(count), np.uint64(2**63 + 5)))


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_a_kernel_translated_to_cpp_does_the_same(tmp_path):
    case = mixing()
    check(case, Program(case.kernel, case.arguments(1)).compile(tmp_path / "mixed.so", ["-O0"]))


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
@pytest.mark.slow
@pytest.mark.parametrize("key", CASES)
def test_every_kernel_that_is_compared_can_be_translated(key, tmp_path):
    case = CASES[key]()
    check(case, Program(case.kernel, case.arguments(1)).compile(tmp_path / "case.so", ["-O0"]))


def test_what_is_assigned_to_an_underscore_may_be_of_several_types():
    def first_and_last(pair):
        first, _ = pair
        _, last = (pair, 2.0), 3
        return first + last

    kernel = SimpleNamespace(py_func=first_and_last)
    pair = numba.typeof((np.uint64(1), np.uint64(2)))
    lines = Translation(kernel, infer(kernel, (pair,)), SimpleNamespace()).lines
    assert lines[-3].strip() == "std::tie(first_, std::ignore) = pair_;"
    assert not [line for line in lines if " __" in line], "it is no variable"


def test_a_topic_that_breaks_is_told_and_the_others_are_measured(monkeypatch, capfd):
    monkeypatch.setitem(TOPICS, "starts", broken)
    monkeypatch.setitem(TOPICS, "memory", measured)
    assert main(["--only", "starts,memory"]) == 1
    told = capfd.readouterr()
    assert "KeyError: 'no such row'" in told.err
    assert "the idle lab" in told.out


def test_a_translation_that_does_something_else_is_seen():
    with pytest.raises(DifferenceError, match=r"mixed: the kernel counts [0-9]+, its translation 7"):
        check(mixing(), lambda *_: 7)


def test_what_is_missing_without_a_compiler_is_said(tmp_path, monkeypatch):
    case = mixing()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoCompilerError, match="apt-get install g"):
        Program(case.kernel, case.arguments(1)).compile(tmp_path / "mixed.so", ["-O0"])
