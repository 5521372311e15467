"""In which order tests run, and which of them stay together."""

from __future__ import annotations

import pytest

from tests import spread


@pytest.mark.parametrize(
    ("nodeid", "needs_browser"),
    [
        ("tests/journey/test_play.py::test_a", True),
        ("tests/webapp/lab/studies/test_browser.py::test_a[3]", True),
        ("tests/webapp/play/test_board_on_a_phone.py::test_a", True),
        ("tests/webapp/play/test_board.py::test_a[of a browser.py::]", False),
        ("tests/crash/test_tables.py::test_a", False),
    ],
)
def test_browser_tests_are_known_by_their_files(nodeid: str, needs_browser: bool) -> None:
    assert bool(spread.BROWSER.match(nodeid)) == needs_browser
    assert spread.turn_of(nodeid)[0] == needs_browser


def test_programs_stay_together_and_files_whole() -> None:
    assert spread.scope_of("tests/ops/test_up.py::test_a") == spread.scope_of("tests/crash/test_kills.py::test_b")
    assert spread.scope_of("tests/ops/test_up.py::test_a") != spread.scope_of("tests/journey/test_play.py::test_a")
    assert spread.scope_of("tests/games/test_rng.py::TestA::test_a[1]") == "tests/games/test_rng.py"


def test_what_takes_long_begins_first_and_browsers_last() -> None:
    ids = [
        "tests/webapp/matches/test_browser.py::test_a",
        "tests/webapp/site/test_pages.py::test_a",
        "tests/journey/test_play.py::test_a",
        "tests/games/test_rng.py::test_a",
        "tests/crash/test_kills.py::test_a",
    ]
    assert sorted(ids, key=spread.turn_of) == [ids[4], ids[3], ids[1], ids[2], ids[0]]


def test_the_process_that_had_the_programs_goes_on_with_those_with_a_browser() -> None:
    page, journeys, rules = "tests/webapp/site/test_browser.py", "programs with a browser", "tests/games/test_rng.py"
    assert spread.next_scope([rules, page, journeys], ["programs"]) == journeys
    assert spread.next_scope([rules, page, journeys], [rules]) == rules
    assert spread.next_scope([rules, page], ["programs", journeys]) == page, "a browser's loop meets no other"
    assert spread.next_scope([rules, page], [page]) == page
    assert spread.next_scope([rules], [page]) == rules, "nothing is left undone"
