import dataclasses
from typing import Any

import pytest

from webapp.lab.presets.curves import curves
from worker.presets.comparison import Comparison, Row, ShownFigure
from worker.presets.model import Curve

CURVE = Curve("Seconds a ply", "Margin, points", is_x_log=True, level="FG")


def row(group: str, x: float | None, ours: float | None, published: float | None = None, **changes: Any) -> Row:
    """A point of a line."""

    def shown(value: float | None) -> ShownFigure:
        return ShownFigure() if value is None else ShownFigure(value, value - 1, value + 2, 20)

    values = {"label": f"{x} s", "unit": "points", "digits": 1, "verdict": "equivalent", **changes}
    return Row(group=group, x=x, ours=shown(ours), published=shown(published), **values)


def points() -> list[Row]:
    """Two lines of three points, the first one published in full, and a level."""
    spent = (70, 700, 7000)
    return [
        row("FG", None, -10.0),
        *(row("TR", x, 1.0 + x, x, budget={"playouts": n}) for x, n in zip((0.1, 1.0, 10.0), spent, strict=True)),
        *(row("PG", x, 2.0, 5.0 if x == 1 else None, budget={"playouts": 50}) for x in (0.1, 1.0, 10.0)),
    ]


def strokes(chart: Any) -> list[dict[str, Any]]:
    """Lines and dots without the bands."""
    return [trace for trace in chart.figure["data"] if "fill" not in trace]


def test_every_line_has_a_chart_and_all_of_ours_have_one_together():
    together, tr, pg = curves(CURVE, Comparison(tuple(points())))
    assert [trace["y"] for trace in strokes(together)] == [[-10, -10], [1.1, 2.0, 11.0], [2.0, 2.0, 2.0]]
    assert [(entry.label, entry.mark) for entry in together.legend] == [("TR", "0"), ("PG", "1"), ("FG, ours", "level")]
    assert [trace["y"] for trace in strokes(tr)] == [[-10, -10], [1.1, 2.0, 11.0], [0.1, 1.0, 10.0]]
    assert [chart.figure["layout"]["yaxis"]["range"] for chart in (together, tr, pg)].count(
        tr.figure["layout"]["yaxis"]["range"]
    ) == 3
    assert tr.name.startswith("TR: 0.1 s 1.1 (published 0.1, equivalent), 1.0 s 2.0")


def test_published_lines_have_bands_and_lone_points_whiskers():
    _, tr, pg = curves(CURVE, Comparison(tuple(points())))
    bands = [trace for trace in tr.figure["data"] if "fill" in trace]
    assert [trace["fillcolor"] for trace in bands] == ["@ink/.15", "@muted/.15", "@accent/.15"]
    lone = strokes(pg)[-1]
    assert (lone["mode"], lone["x"], lone["y"]) == ("markers", [1.0], [5.0])
    assert (lone["error_y"]["array"], lone["error_y"]["arrayminus"]) == ([2.0], [1.0])


def test_budgets_stand_below_the_papers_axis_or_in_words_where_there_is_one():
    _, tr, pg = curves(CURVE, Comparison(tuple(points())))
    axis = tr.figure["layout"]["xaxis"]
    assert axis["ticktext"] == ["0.1<br>70", "1<br>700", "10<br>7\u202f000"]
    assert axis["title"]["text"] == "Seconds a ply; below: playouts of ours"
    assert pg.figure["layout"]["xaxis"]["ticktext"] == ["0.1", "1", "10"]
    assert "Ours spend 50 playouts a ply" in pg.subtitle


def test_the_program_s_line_stands_between_the_other_two_and_all_of_its_lines_together():
    """Of TR's three points two are played by the program, PG has none; the level is one for both methods."""

    def run(one: Row) -> Row:
        return dataclasses.replace(one, ours=ShownFigure(one.x, one.x - 3, one.x + 1, 40), verdict="differs")

    has = [one.group == "TR" and one.x in (0.1, 1.0) for one in points()]
    rows = [dataclasses.replace(o, as_run=run(o) if played else None) for o, played in zip(points(), has, strict=True)]
    described, as_run, tr, pg = curves(CURVE, Comparison(tuple(rows)))
    assert [chart.id for chart in (described, as_run)] == ["preset-curves", "preset-curves-as-run"]
    assert [trace["y"] for trace in strokes(as_run)] == [[-10, -10], [0.1, 1.0]]
    assert [entry.label for entry in as_run.legend] == ["TR", "FG, ours"]
    assert [trace["y"] for trace in strokes(tr)] == [[-10, -10], [1.1, 2.0, 11.0], [0.1, 1.0], [0.1, 1.0, 10.0]]
    dotted = strokes(tr)[2]
    assert (dotted["line"]["dash"], dotted["marker"]["symbol"]) == ("dot", "square-open")
    assert (dotted["error_y"]["array"], dotted["error_y"]["arrayminus"]) == ([1.0, 1.0], [3.0, 3.0])
    assert dotted["text"] == [" (differs)"] * 2
    assert [entry.mark for entry in tr.legend] == ["published", "ours", "program", "level"]
    assert "Points that differ from print: 0 of 3 as described, 2 of 2 as their program ran." in tr.subtitle
    spoken = "published 0.1, ours, as described 1.1 equivalent, as their program ran 0.1 differs; 1.0 s"
    assert tr.name.startswith(f"TR: 0.1 s {spoken}")
    assert "program" not in " ".join(entry.mark for entry in pg.legend)


def test_before_the_first_number_what_was_published_is_drawn():
    told = [dataclasses.replace(one, ours=ShownFigure()) for one in [row("FG", None, None, -9.0), *points()[1:]]]
    (only,) = curves(CURVE, Comparison(tuple(told)))
    assert only.title == "As published"
    assert [trace["y"] for trace in strokes(only)] == [[-9, -9], [0.1, 1.0, 10.0], [5.0]]
    assert [trace["mode"] for trace in strokes(only)] == ["lines", "lines+markers", "markers"]
    assert [entry.label for entry in only.legend] == ["TR", "PG", "FG, published"]
    assert only.name == "TR: 0.1 s 0.1, 1.0 s 1.0, 10.0 s 10.0; PG: 1.0 s 5.0"


def test_numbers_of_simulations_are_written_as_elsewhere():
    (only,) = curves(
        Curve("Simulations", "Wins, %", is_x_log=True), Comparison((row("UCT", 100, 2), row("UCT", 5e3, 3)))
    )
    assert only.figure["layout"]["xaxis"]["ticktext"] == ["100", "5\u202f000"]


def test_there_is_no_chart_of_nothing_and_none_together_of_one_line():
    assert curves(CURVE, Comparison((row("TR", 1.0, None),))) == []
    (only,) = curves(CURVE, Comparison((row("TR", 1.0, 2.0), row("TR", 2.0, 3.0))))
    assert [entry.label for entry in only.legend] == ["Ours"]


@pytest.mark.parametrize("value", [1.0, 1000.0])
def test_a_logarithmic_axis_is_given_in_powers(value):
    curve = Curve("Round", "Playouts a second", is_y_log=True)
    rows = (row("TR", 1.0, 10.0), row("TR", 2.0, 10.0 * value))
    layout = curves(curve, Comparison(rows))[0].figure["layout"]
    assert layout["yaxis"]["type"] == "log"
    assert layout["yaxis"]["range"][1] < 5


def test_a_band_that_a_logarithm_cannot_show_ends_at_the_axis():
    curve = Curve("Round", "Playouts a second", is_y_log=True)
    below = Row("TR", "a", "", 0, ShownFigure(), ShownFigure(10.0, -5.0, 25.0, 30), "not judged", x=1.0)
    figure = curves(curve, Comparison((below, row("TR", 2.0, 10.0))))[0].figure
    assert min(figure["data"][0]["y"]) == pytest.approx(10 ** figure["layout"]["yaxis"]["range"][0])


def test_intervals_of_a_few_matches_do_not_stretch_the_axes():
    wide = Row("TR", "a", "points", 1, ShownFigure(), ShownFigure(1.0, -500.0, 500.0, 3), "cannot tell", x=1.0)
    layout = curves(CURVE, Comparison((wide, row("TR", 2.0, 3.0))))[0].figure["layout"]
    assert layout["yaxis"]["range"] == pytest.approx([1 - 0.2, 5 + 0.2])  # 1 to the end of the other interval, padded
