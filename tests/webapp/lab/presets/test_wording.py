import pytest

from webapp.lab.presets import wording
from worker.presets.comparison import Comparison, Row, ShownFigure


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
    line = wording.line(row(), False)
    assert (line.published, line.published_interval) == ("62.6", "")
    assert (line.ours, line.interval, line.size) == ("66.0", "60.1 to 71.9", "25")
    assert (line.difference, line.difference_interval) == ("+3.4", "\u22122.0 to +8.8")
    assert (line.chip, line.verdict, line.needed) == ("ok", "Agrees", "")


def test_what_is_missing_is_said_with_its_unit():
    line = wording.line(row(verdict="cannot tell", needed=1250, needs="matches"), True)
    assert (line.chip, line.verdict) == ("unsure", "Cannot tell so far")
    assert line.needed == "1\u202f250 more matches"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"needs": "matches", "enough": "standard", "most": 400}, "4 more matches; standard scale has them"),
        ({"needs": "matches", "most": 400}, "4 more matches; no scale has as many"),
        ({"needs": "positions", "most": 50}, "impossible with these 50 positions"),
    ],
)
def test_what_is_missing_is_said_with_the_scale_that_has_it(changes, words):
    assert wording.line(row(verdict="cannot tell", needed=4, **changes), False).needed == words


def test_reasons_are_numbered_once_and_only_where_something_differs():
    rows = [row(reason="other luck"), *(row(verdict="differs", reason=text) for text in ("b", "a", "b"))]
    table = wording.table(Comparison(tuple(rows)), False)
    assert table.reasons == ("b", "a")
    assert [line.reason for group in table.groups for line in group.lines] == [0, 1, 2, 1]
    assert table.counts == ((1, "ok", "Agrees"), (3, "danger", "Differs"), (0, "unsure", "Cannot tell"))


def test_rows_that_are_not_judged_have_no_chip():
    line = wording.line(row(verdict="not judged", published=ShownFigure(words="nearly 9"), difference=None), True)
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
    assert wording.line(counted, False).published == "15\u202f366\u202f943"
    assert wording.line(row(unit="", digits=0, published=ShownFigure(4e40)), False).published == "4.0·10⁴⁰"
