"""Which explanation held, in sentences: from the pooled lines of both ways, and from the figures that differ."""

from __future__ import annotations

import dataclasses

import pytest

from webapp.lab.presets.explanation import explanation
from worker.analysis.several import Mean
from worker.analysis.verdict import judge_difference
from worker.presets import registry, stored_runs
from worker.presets.comparison import Comparison
from worker.presets.pooling import Line

PROGRAM = registry.get("gedda-table-3-uct").program


def line(value: float, error: float = 0.5) -> Line:
    """A pooled line of mean leads, of which 2 points do not matter."""
    mean = Mean(value, error, 100)
    return Line("Mean leads", "points", 1, 1.0, 12, mean, judge_difference(value, error, 100, 2.0), None)


@pytest.mark.parametrize(
    ("described", "as_run", "conclusion"),
    [
        (5.0, 0.1, "what the program did explains the difference."),
        (9.0, 4.0, "what the program did explains a part of the difference."),
        (5.0, 4.5, "neither way gives the printed figures."),
        (-5.0, 9.0, "neither way gives the printed figures."),
        (0.1, 5.0, "the method as described gives the printed figures, the program's way does not."),
        (0.1, 0.2, "either way gives the printed figures, as far as these matches tell."),
    ],
)
def test_both_ways_are_set_beside_the_print(described, as_run, conclusion):
    found = explanation(Comparison((), lines=(line(described),), lines_as_run=(line(as_run),)), PROGRAM)
    assert [one.conclusion for one in found] == [f"Mean leads: {conclusion}"]
    assert f"{described:+.1f} points" in found[0].amounts.replace("\u2212", "-")


def test_what_cannot_be_told_or_was_chosen_to_fit_says_so():
    wide = Comparison((), lines=(line(5.0),), lines_as_run=(line(0.1, 5.0),))
    assert "these matches cannot tell which way it was." in explanation(wide, PROGRAM)[0].conclusion
    fitted = registry.get("heyden-table-6.2").program
    assert "was chosen to fit" in explanation(wide, fitted)[-1].conclusion
    assert explanation(wide, None) == ()
    assert explanation(Comparison(()), fitted) == (), "nothing was found that could be doubted"


def test_figures_that_differ_are_followed_to_the_program():
    """Table 25: at 10 simulations neither rule among equals gives the printed share of games with all points."""
    run = stored_runs.load("jansen-table-25")
    comparison = stored_runs.compared(run)
    program = registry.get("jansen-table-25").program
    only = dataclasses.replace(comparison, lines=(), lines_as_run=())
    (found,) = explanation(only, program)
    assert found.conclusion == ("Played both ways, 2 figures differ as described; as their program ran 2 still differ.")
