"""Which explanation held, in sentences: from the pooled lines of both ways, and from the figures that differ."""

from __future__ import annotations

import dataclasses

import pytest

from webapp.lab.presets.explanation import explanation
from worker.analysis.several import Mean
from worker.analysis.verdict import judge_difference
from worker.presets import registry
from worker.presets.comparison import Comparison, Row, ShownFigure
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
    assert f"{described:+.1f} points" in found[0].words.replace("\u2212", "-")


@pytest.mark.parametrize(
    ("described", "as_run", "conclusion"),
    [
        ((5.0, 0.5), (0.1, 5.0), "the method as described does not give the printed figures; of the program's way"),
        ((0.1, 0.5), (0.1, 5.0), "the method as described gives the printed figures; of the program's way"),
        ((0.1, 5.0), (5.0, 0.5), "the program's way does not give the printed figures; of the method as described"),
        ((0.1, 5.0), (0.1, 5.0), "which way it was"),
    ],
)
def test_where_matches_cannot_tell_of_one_way_the_other_is_judged(described, as_run, conclusion):
    found = explanation(Comparison((), lines=(line(*described),), lines_as_run=(line(*as_run),)), PROGRAM)
    assert conclusion in found[0].conclusion
    assert "these matches cannot tell" in found[0].conclusion


def test_a_way_that_was_chosen_to_fit_says_so():
    fitted, one = registry.get("heyden-table-6.2").program, (line(5.0),)
    assert "was chosen to fit" in explanation(Comparison((), lines=one, lines_as_run=one), fitted)[-1].words
    assert explanation(Comparison((), lines=one, lines_as_run=one), None) == ()
    assert explanation(Comparison(()), fitted) == (), "nothing was found that could be doubted"


def figure(verdict: str, as_run: str) -> Row:
    """A figure with a verdict by either way."""
    plain = Row("", "", "%", 1, ShownFigure(), ShownFigure(), as_run)
    return dataclasses.replace(plain, verdict=verdict, as_run=plain)


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        ("DE", "Of 1 figure played both ways, 1 differs as described; of it, as their program ran, 1 is equivalent."),
        ("DDDC", "Of 2 figures played both ways, 2 differ as described; of these, as their program ran, "
         "1 still differs, 1 cannot be judged."),
        ("EEED", "Of 2 figures played both ways, none differs as described; 1 differs as their program ran and not as "
         "described."),
    ],
)  # fmt: skip
def test_figures_are_followed_to_the_program(verdicts, sentence):
    words = {"D": "differs", "E": "equivalent", "C": "cannot tell"}
    rows = [figure(*pair) for pair in zip(map(words.get, verdicts[::2]), map(words.get, verdicts[1::2]), strict=True)]
    waiting = figure("differs", "not judged yet")
    assert [one.words for one in explanation(Comparison((*rows, waiting)), PROGRAM)] == [sentence]
