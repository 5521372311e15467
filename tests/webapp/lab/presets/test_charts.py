import pytest

from webapp.lab.presets.charts import charts
from worker.presets.comparison import Comparison, Row, ShownFigure


def row(label: str, unit: str = "%", group: str = "Wins", verdict: str = "equivalent", **changes) -> Row:
    """A judged row."""
    values = {"published": ShownFigure(74.0, 60.0, 84.0, 50), "ours": ShownFigure(70.0, 61.0, 78.0, 100), **changes}
    return Row(group=group, label=label, unit=unit, digits=1, verdict=verdict, **values)


def test_figures_of_a_unit_stand_in_one_chart():
    rows = row("C = 3"), row("C = 4"), row("lone", "points"), row("min", verdict="not judged")
    (chart,) = charts(Comparison(rows))
    assert chart.title == "Shares"
    assert chart.figure["layout"]["yaxis"]["ticktext"] == ["C = 3", "C = 4"]
    published, ours = chart.figure["data"]
    assert published["x"] == [74.0, 74.0]
    assert published["y"] == pytest.approx([-0.16, 0.84])
    assert ours["y"] == pytest.approx([0.16, 1.16])
    assert (ours["error_x"]["array"][0], ours["error_x"]["arrayminus"][0]) == (8.0, 9.0)
    assert chart.name.startswith("C = 3: published 74.0, ours 70.0; C = 4")


def test_claims_and_missing_numbers_have_no_dot():
    rows = row("a", published=ShownFigure(words="wins more")), row("b", ours=ShownFigure())
    (chart,) = charts(Comparison(rows))
    published, ours = chart.figure["data"]
    assert published["y"] == pytest.approx([0.84])
    assert ours["y"] == pytest.approx([0.16])


def test_there_is_no_chart_before_the_first_number():
    assert charts(Comparison((row("a", ours=ShownFigure()), row("b", ours=ShownFigure())))) == []


def test_rows_are_named_by_what_tells_them_apart():
    by_group = charts(Comparison((row("nodes", group="Star1"), row("nodes", group="Star2"))))
    assert by_group[0].figure["layout"]["yaxis"]["ticktext"] == ["Star1", "Star2"]
    both = charts(Comparison((row("wins", group="MC starts"), row("mean", group="MCo starts"))))
    assert both[0].figure["layout"]["yaxis"]["ticktext"] == ["wins, MC starts", "mean, MCo starts"]
    on_phones = both[0].figure["layout"]["meta"]["phone_yaxis"]["ticktext"]
    assert on_phones == ["wins<br>MC starts", "mean<br>MCo starts"]
