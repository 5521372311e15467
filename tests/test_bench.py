"""The table of goals: what it says of a figure, and that every figure is in it."""

import pytest

from tests.bench import bench_lists, bench_matches, bench_starts, topics
from tests.bench.__main__ import TOPICS, main
from tests.bench.goals import Row, row, stored


@pytest.mark.parametrize(
    ("now", "is_less_better", "ratio", "is_met"),
    [(40.0, False, 4.0, True), (20.0, False, 2.0, False), (5.0, True, 2.0, True), (40.0, True, 0.25, False)],
)
def test_a_figure_is_set_beside_what_it_was_and_is_to_be(now, is_less_better, ratio, is_met):
    line = Row("a", "s", 10.0, 30.0, now, is_less_better)
    assert (line.ratio, line.is_met) == (ratio, is_met)
    assert str(line).split()[-2:] == ["yes" if is_met else "no", "s"]


def test_every_figure_has_a_row_and_every_row_a_figure():
    recorded = [f"{game}.{what}" for game in bench_matches.LINEUPS for what in ("played", "standard", "matches")]
    solved = [f"solve.{laid}" for laid in topics.bench_hands.LAID]
    keys = [*bench_starts.COMMANDS, "first", "compile", "idle", "headless", "recorded", *topics.KERNELS]
    listed = [f"lists.{kind}" for kind in bench_lists.KINDS]
    assert sorted([*keys, *recorded, *solved, *listed]) == sorted(stored()["rows"])
    with pytest.raises(KeyError):
        row("unknown", 1.0)


def test_an_unknown_topic_is_named(capsys):
    with pytest.raises(SystemExit):
        main(["--only", "starts,speed"])
    assert f"there is no 'speed'; there are {', '.join(TOPICS)}" in capsys.readouterr().err
