from dataclasses import replace

import numpy as np
import pytest

from webapp.lab.presets import wording
from worker.analysis.family import Family
from worker.analysis.several import Estimates, homogeneity
from worker.presets import registry
from worker.presets.comparison import Comparison, Row, ShownFigure
from worker.presets.model import Reason
from worker.presets.reach import reach


def row(**changes):
    """A judged row of points."""
    values = {
        "group": "MC starts",
        "label": "mean",
        "unit": "points",
        "digits": 1,
        "published": ShownFigure(62.6),
        "ours": ShownFigure(66.0, 60.1, 71.9, 25),
        "verdict": "equivalent",
        "difference": 3.4,
        "low": -2.0,
        "high": 8.8,
    }
    return Row(**{**values, **changes})


def test_a_line_has_words_for_everything():
    line = wording.line(row(margin=6.26))
    assert (line.published, line.published_interval) == ("62.6", "")
    assert (line.ours, line.interval, line.size) == ("66.0", "60.1 to 71.9", "25")
    assert (line.difference, line.difference_interval) == ("+3.4", "\u22122.0 to +8.8")
    assert (line.chip, line.verdict, line.note) == ("ok", "Equivalent", "within ±6.3 points")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"verdict": "equivalent", "margin": 5.0, "unit": "%"}, "within ±5.0 points"),
        (
            {"verdict": "equivalent", "margin": 5.0, "p": 0.001, "level": 0.01},
            "within ±5.0 points, though not the same",
        ),
        ({"verdict": "equivalent", "margin_words": "the digits printed"}, "in the digits printed"),
        ({"verdict": "compatible", "hidden": 10.34, "unit": "%"}, "up to 10.3 points could hide"),
        ({"verdict": "differs", "hidden": 10.34}, ""),
        ({"verdict": "not judged yet", "planned": 1600}, "25 of 1\u202f600"),
    ],
)
def test_every_verdict_is_said_with_its_margin(changes, words):
    assert wording.line(row(**changes)).note == words


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"needs": "deals", "enough": "standard", "most": 400}, "4 more deals; standard scale has them"),
        ({"needs": "deals", "most": 400}, "4 more deals; no scale has as many"),
        ({"needed": 1, "needs": "deals", "enough": "quick", "most": 400}, "1 more deal; quick scale has them"),
        ({"needs": "positions", "most": 50}, "impossible with these 50 positions"),
    ],
)
def test_what_is_missing_is_said_with_the_scale_that_has_it(changes, words):
    line = wording.line(row(**{"verdict": "cannot tell", "needed": 4, **changes}))
    assert (line.chip, line.verdict, line.note) == ("unsure", "Cannot tell", words)


def test_reasons_are_numbered_once_and_only_where_something_differs():
    one, other = Reason("one", "its evidence"), Reason("open")
    rows = [row(reason=Reason("other luck")), *(row(verdict="differs", reason=why) for why in (other, one, other))]
    table = wording.table(Comparison(tuple(rows)), False)
    assert table.reasons == (other, one)
    assert [line.reason for group in table.groups for line in group.lines] == [0, 1, 2, 1]
    assert table.counts == (
        (1, "ok", "Equivalent"),
        (0, "info", "Compatible"),
        (3, "danger", "Differs"),
        (0, "unsure", "Cannot tell"),
    )


def test_a_family_says_what_chance_would_make():
    family = Family(judged=8, by_chance=8, differ=2, expected=0.08, exact=0, after_holm=1)
    assert wording.family(family) == (
        "If all were the same, 0.08 of 8 comparisons would differ by luck alone, at most. "
        "2 do; corrected for all of them together (Holm, 5\u202f%), 1 is left."
    )
    assert wording.family(Family(300, 300, 0, 3.0, 0, 0)).endswith("3.0 of 300 comparisons would differ by luck alone, "
                                                                   "at most. None does.")  # fmt: skip
    assert wording.family(Family(2, 0, 1, 0.0, 1, 1)) == ""


def test_what_a_scale_can_tell_is_said_beforehand():
    few, many = (registry.get("jansen-table-27").scales[name] for name in ("quick", "published"))
    # The median figure is 532 of 664, and 243 or 289 of 332 in one seat: near 2.576 * sqrt(.116 / 10 + .116 / 332).
    assert wording.reach(reach(registry.get("jansen-table-27"), few)) == (
        "Finds gaps of about 28 points in half of all runs; else it cannot tell."
    )
    assert wording.reach(reach(registry.get("jansen-table-27"), many)) == (
        "Finds gaps of about 6.8 points in half of all runs; can show equivalence in 4 of 6 figures."
    )
    assert reach(registry.get("jansen-table-27"), many).gap < 10
    assert (
        wording.reach(reach(registry.get("heyden-table-3.1"), registry.get("heyden-table-3.1").scales["quick"])) == ""
    )


def test_rows_that_are_not_judged_have_no_chip():
    line = wording.line(row(verdict="not judged", published=ShownFigure(words="nearly 9"), difference=None))
    assert (line.published, line.chip, line.verdict, line.difference) == ("nearly 9", "", "Not judged", "")


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(74.0, 1, "74.0"), (25465.1, 0, "25\u202f465"), (8.8e194, 2, "8.8·10¹⁹⁴"), (2.8e32, 2, "2.8·10³²")],
)
def test_numbers_are_readable_at_any_size(value, digits, text):
    assert wording._number(value, digits) == text


def test_per_cents_and_milliseconds_carry_their_unit():
    assert wording.figure(ShownFigure(80.0), row(unit="%")) == "80.0\u202f%"
    assert wording.figure(ShownFigure(1509.0), row(unit="ms", digits=0)) == "1\u202f509 ms"


def test_what_is_counted_has_all_of_its_digits():
    counted = row(unit="", digits=0, published=ShownFigure(15_366_943))
    assert wording.line(counted).published == "15\u202f366\u202f943"
    assert wording.line(row(unit="", digits=0, published=ShownFigure(4e40))).published == "4.0·10⁴⁰"


def test_a_test_is_called_by_the_distribution_that_it_is_compared_with():
    """t of 2.68 on 49 degrees is F(1, 49) of 7.2, p 0.010; the same beside known errors is chi-square, p 0.007."""
    means = Estimates(np.array([0.0, 2.68]), np.diag([0.5, 0.5]), 50, np.ones(2))
    assert wording.statistic("Q", homogeneity(means)) == "F(1, 49) 7.18, p 0.010"
    assert wording.statistic("Q", homogeneity(replace(means, deals=None))) == "Q 7.2 on 1 df, p 0.007"


def test_a_table_has_a_column_for_the_program_where_a_figure_is_found_by_it():
    told = row(verdict="differs", as_run=row(ours=ShownFigure(63.0, 60.0, 66.0, 40), verdict="compatible"))
    waiting = row(verdict="differs", as_run=row(verdict="not judged"))
    table = wording.table(Comparison((told, told, waiting, row(verdict="differs"))), False)
    assert table.has_program
    assert [line.as_run and line.as_run.ours for line in table.groups[0].lines] == ["63.0", "63.0", "66.0", None]
    assert not wording.table(Comparison((row(),)), False).has_program
