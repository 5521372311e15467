"""Many cases in one test: all of them run, and a failure says which it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.looping import looped

SEEN: list[tuple[str, int]] = []


@looped("letter, number", lambda: [("a", 1), ("b", 2)])
def test_every_case_runs_with_the_fixtures_of_the_test(letter: str, number: int, tmp_path: Path) -> None:
    assert tmp_path.is_dir()
    SEEN.append((letter, number))


@pytest.mark.parametrize("letter", ["c"])
@looped("number", lambda letter: range(ord(letter) - ord("a")))
def test_cases_may_depend_on_other_arguments(letter: str, number: int) -> None:
    SEEN.append((letter, number))


def test_all_have_run() -> None:
    assert SEEN == [("a", 1), ("b", 2), ("c", 0), ("c", 1)]


def failing(number: int) -> None:
    assert number < 3


def skipping(number: int) -> None:
    if number:
        pytest.skip("never")


def test_a_failure_names_its_case() -> None:
    with pytest.raises(AssertionError) as caught:
        looped("number", range(5))(failing)()
    assert caught.value.__notes__ == ["in the case {'number': 3}"]


@pytest.mark.parametrize(("test", "cases"), [(skipping, [0, 1]), (failing, [])])
def test_neither_a_skipped_case_nor_none_at_all_passes(test: Callable[..., None], cases: list[int]) -> None:
    with pytest.raises(AssertionError, match="case"):
        looped("number", cases)(test)()
