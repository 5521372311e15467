"""The curve over the plies of a match: places of lines, bands and signs, worked by hand."""

from __future__ import annotations

from webapp.matches.ply_curve import Curve, Line, Sign


def _curve(*lines: Line, last: int = 4) -> Curve:
    return Curve("Lead", "", "", lines, 0, last, signs=(Sign(2, -4.0, "cost"),), digits=0)


def test_lines_bands_and_signs_lie_where_their_values_are() -> None:
    curve = _curve(Line(0, "anna", [(0, 0.0), (2, -4.0), (4, 6.0)], [0.0, 2.0, 0.0]))
    # from -6 (the band) to 6, with 6 % of these twelve points free above and below: 0 is in the middle
    assert curve.y(0) == 50
    assert (curve.y(6), curve.y(-6)) == (5.36, 94.64)
    ((line, path, band),) = curve.paths
    assert line.name == "anna"
    assert path == "M0.0 50.0L500.0 79.76L1000.0 5.36"
    assert band == "M0.0 50.0L500.0 64.88L1000.0 5.36L1000.0 5.36L500.0 94.64L0.0 50.0Z"
    assert [(x, y) for _, x, y in curve.placed] == [(50, 79.76)]
    assert [words for _, words in curve.ticks] == ["\N{MINUS SIGN}5", "0", "+5"]


def test_every_ply_has_its_words() -> None:
    alone = _curve(Line(0, "anna", [(0, 0.0), (2, -4.0), (4, 6.0)], [0.0, 2.0, 0.0]))
    assert alone.words == ["0", "", "\N{MINUS SIGN}4 ±2", "", "+6"]
    both = _curve(Line(0, "anna", [(1, 1.0)]), Line(1, "bert", [(1, -1.0)]), last=1)
    assert both.words == ["", "+1 : \N{MINUS SIGN}1"]


def test_a_match_in_which_nobody_scores_has_a_flat_curve() -> None:
    curve = _curve(Line(0, "anna", [(0, 0.0), (4, 0.0)]))
    assert curve.y(0) == 50
    assert "0" in [words for _, words in curve.ticks]
