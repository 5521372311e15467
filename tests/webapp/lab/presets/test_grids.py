"""Figures of which nothing is published: tables with a column for each of what there is less of."""

from __future__ import annotations

from webapp.lab.presets.curves import own_curves
from webapp.lab.presets.grids import grids
from worker.presets.comparison import Comparison, Row, ShownFigure
from worker.presets.model import Curve


def row(group: str, label: str, value: float | None, n: int = 20, x: float | None = None) -> Row:
    """A figure of ours alone."""
    ours = ShownFigure() if value is None else ShownFigure(value, value - 1, value + 1, n)
    return Row(group, label, "", 1, ShownFigure(), ours, "not judged", x=x)


BELIEFS = Comparison(
    tuple(
        row(f"{player}: {belief}", f"ply {ply}", place + ply, x=float(ply))
        for place, player in enumerate(("Greedy", "PIMC"))
        for belief in ("paper", "exact")
        for ply in (1, 3, 5)
    )
)


def test_there_is_a_table_for_each_player_and_a_column_for_each_belief() -> None:
    greedy, pimc = grids(BELIEFS)
    assert (greedy.title, pimc.title) == ("Greedy", "PIMC")
    assert pimc.columns == ("paper", "exact")
    assert [(name, [line.ours for line in lines]) for name, lines in pimc.rows] == [
        ("ply 1", ["2.0", "2.0"]),
        ("ply 3", ["4.0", "4.0"]),
        ("ply 5", ["6.0", "6.0"]),
    ]
    assert (pimc.size, pimc.has_sizes) == ("20", False)


def test_many_groups_of_a_few_labels_are_rows_and_what_one_lacks_is_left_empty() -> None:
    found = [
        row("A v B", "Won", 1.0, 30),
        row("A v B", "Points", 2.0),
        row("A v C", "Won", 3.0),
        row("B v C", "Won", 4),
    ]
    (table,) = grids(Comparison(tuple(found)))
    assert table.columns == ("Won", "Points")
    assert [(name, [line.ours for line in lines]) for name, lines in table.rows] == [
        ("A v B", ["1.0", "2.0"]),
        ("A v C", ["3.0", ""]),
        ("B v C", ["4.0", ""]),
    ]
    assert table.has_sizes


def test_groups_with_nothing_in_common_are_lists() -> None:
    deal, result = grids(Comparison((row("Deal", "Worth", 1.0), row("Deal", "Won", 2.0), row("Result", "Share", 3.0))))
    assert (deal.title, deal.columns, [name for name, _ in deal.rows]) == ("Deal", ("Figure",), ["Worth", "Won"])
    assert (result.title, [name for name, _ in result.rows]) == ("Result", ["Share"])


def test_each_player_has_a_chart_in_which_no_two_lines_look_alike() -> None:
    charts = own_curves(Curve("Ply", "Log-loss"), BELIEFS)
    assert [(chart.title, [entry.label for entry in chart.legend]) for chart in charts] == [
        ("Greedy", ["paper", "exact"]),
        ("PIMC", ["paper", "exact"]),
    ]
    assert len({chart.id for chart in charts}) == 2
    for chart in charts:
        assert len({entry.mark for entry in chart.legend}) == len(chart.legend)
    assert charts[0].figure["layout"]["yaxis"]["range"] == charts[1].figure["layout"]["yaxis"]["range"]
    assert own_curves(Curve("Ply", "Log-loss"), Comparison((row("Greedy: paper", "ply 1", None, x=1.0),))) == []
