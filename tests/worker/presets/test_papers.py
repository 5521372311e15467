import pytest

from games import registry as game_registry
from worker.presets import papers


def test_every_result_names_a_known_paper_and_a_game():
    assert len(papers.results()) >= 36
    for result in papers.results().values():
        assert result.paper.short
        assert result.game in game_registry.ids()


def test_rows_are_found_by_what_they_hold():
    result = papers.results()["heyden-table-6.2"]
    assert result.row(C=3)["win_rate"] == 0.74
    with pytest.raises(KeyError, match=r"heyden-table-6\.2 has no row with \{'C': 5\}"):
        result.row(C=5)
    with pytest.raises(KeyError):
        papers.paper("nobody-1900")


def test_rows_add_up_as_printed():
    for row in papers.results()["heyden-table-6.2"].rows:
        wins = 0
        for start in ("mc_starts", "mcts_starts"):
            assert sum(row[start].values()) == 25
            wins += row[start]["win"]
        assert wins / 50 == row["win_rate"]


def test_polyominoes_of_the_thesis_add_up_to_its_bound():
    rows = papers.results()["heyden-table-3.1"].rows
    assert [row["squares"] for row in rows] == list(range(46, 73))
    assert f"{sum(float(row['fixed']) for row in rows):.0e}" == "4e+41"  # 5e40, the thesis says, is the sum of the free
    assert f"{sum(row['free'] for row in rows):.0e}" == "5e+40"
