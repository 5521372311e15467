import pytest

from games.carcassonne.weights import SETS
from worker import spec as specs
from worker.analysis.moments import Moments
from worker.analysis.verdict import Sample
from worker.presets import cells, papers, registry
from worker.presets.comparison import NOT_PLAYED, compare
from worker.presets.numbers import Numbers, SeatTally
from worker.presets.reach import reach


def tally(wins: int, draws: int, losses: int, *scores: float) -> SeatTally:
    """Results of one place in one seat."""
    return SeatTally(wins, draws, losses, Moments.of(scores), min(scores), max(scores))


def rows(preset: str, numbers: Numbers) -> dict:
    """The compared rows by group and label."""
    return {(row.group, row.label): row for row in compare(registry.get(preset), numbers).rows}


def test_a_players_column_is_its_place_in_the_seat_that_follows_from_who_starts():
    seats = {
        (0, 0, 0): tally(9, 0, 1, 70.0, 80.0),  # MCTS starts
        (0, 1, 1): tally(1, 0, 9, 60.0, 50.0),
        (0, 0, 1): tally(7, 0, 3, 71.0, 81.0),  # Star2.5 starts
        (0, 1, 0): tally(3, 0, 7, 61.0, 51.0),
    }
    found = rows("heyden-table-6.8", Numbers(seats))
    assert found["MCTS starts", "MCTS: wins"].ours.value == 90
    assert found["MCTS starts", "MCTS: wins"].published.value == 30  # 15 of 50
    assert found["MCTS starts", "Star2.5: mean score"].ours.value == 55
    assert found["Star2.5 starts", "MCTS: wins"].ours.value == 70
    assert found["Star2.5 starts", "Star2.5: highest score"].ours.value == 61
    assert found["Star2.5 starts", "Star2.5: highest score"].published.value == 119
    assert found["Star2.5 starts", "MCTS: mean score"].published.value == 77.6


def test_table_62_takes_one_arm_for_each_c_and_both_seats():
    seats = {(arm, 0, seat): tally(arm + seat, 0, 10 - arm - seat, 1.0) for arm in range(7) for seat in (0, 1)}
    found = rows("heyden-table-6.2", Numbers(seats))
    assert found["Wins of MCTS", "C = 3"].published.value == 74
    assert found["Wins of MCTS", "C = 3"].ours.value == 35  # arm 3: 3 and 4 of 10
    assert found["Wins of MCTS, MC starts", "C = 3"].ours.value == 40  # MCTS in seat 1
    assert found["Wins of MCTS, MCTS starts", "C = 3"].published.value == 76  # 19 of 25


def effort(*nodes: tuple[int, ...]) -> Numbers:
    """A result of searches: nodes of each run in each position."""
    positions = [
        {"number": number, "runs": [{"nodes": value, "cpu_s": value / 1e6} for value in row]}
        for number, row in enumerate(nodes, start=1)
    ]
    return Numbers(study={"positions": positions})


def test_nodes_are_means_over_positions_and_gains_quotients_of_totals():
    found = rows("heyden-table-6.4", effort((100, 90, 80, 50, 60, 40), (300, 310, 320, 150, 160, 110)))
    assert found["Star1, no order", "nodes"].ours.value == 200
    assert found["Star1, no order", "nodes"].published.value == pytest.approx(68128.9)
    assert found["Star2, order 2", "nodes"].ours.value == 75
    assert found["Star2, order 2", "nodes saved"].ours.value == pytest.approx(25)  # 150 of 200
    assert found["Star2, order 2", "nodes saved"].published.value == pytest.approx(20.69, abs=0.01)
    assert found["Star2, order 2", "time"].ours.value == pytest.approx(0.075)
    assert found["Star2, order 2", "time"].verdict == "not judged"
    assert found["Star2, order 2", "time saved"].published.value == pytest.approx(16.53, abs=0.01)
    assert found["Star2, order 2", "time saved"].ours.value == pytest.approx(25)
    assert found["Star2, order 2", "time saved"].verdict == "not judged"


def test_positions_that_are_not_done_yet_are_left_out():
    numbers = effort((100, 90, 80, 50, 60, 40), (300, 310, 320, 150, 160, 110))
    numbers.study["positions"][1]["runs"][5] = None
    found = rows("heyden-table-6.4", numbers)
    assert found["Star2, order 2", "nodes"].ours.value == 40
    assert found["Star2, order 2", "nodes saved"].ours.value == pytest.approx(20)  # of position 1 alone


def test_the_best_position_is_that_of_the_largest_saving():
    found = rows("heyden-figures-6.5-6.6", effort((100, 90, 80, 70), (100, 99, 5, 4)))
    assert found["Saved against Expectimax", "Star2, nodes in its best position"].ours.value == pytest.approx(95)
    assert found["Saved against Expectimax", "Star1, nodes"].verdict == "cannot tell"


def test_deepening_is_shown_for_position_31_and_all_together():
    numbers = effort((100, 50), (100, 120))
    numbers.study["positions"][1]["number"] = 31
    found = rows("heyden-table-6.7", numbers)
    assert found["Position 31", "nodes, deepening to depth 3"].ours.value == 120
    assert found["All positions", "nodes saved in the best position"].ours.value == 50
    cheaper = found["All positions", "positions that deepening makes cheaper"]
    assert (cheaper.published.value, cheaper.published.n, cheaper.ours.value) == (40, 50, 50)
    assert found["Position 31", "time saved"].ours.value == pytest.approx(-20)
    assert found["Position 31", "time saved"].published.value == pytest.approx(93.3, abs=0.05)
    assert found["All positions", "time, fixed depth 3"].published.value == 113000
    assert found["All positions", "nodes saved"].ours.value == pytest.approx(15)
    assert {row.verdict for row in found.values()} == {"not judged"}


def test_a_mean_with_its_interval_gives_back_the_deviation():
    moments = Moments.of([50.0, 54.0, 61.0, 55.0])
    known = cells.known_sample(4, moments.mean, list(moments.interval()))
    assert known.deviation == pytest.approx(moments.deviation)
    assert cells.known_sample(1, 5.0, None) == Sample(1, 5.0)
    assert cells.known_sample(None, None, None) is None


def test_sizes_are_read_from_their_logarithms():
    study = {"tree": {"thesis": {"moves": 123.5, "chance": 71.38, "total": 194.9}}, "shapes": {"free": 40.7031}}
    found = rows("heyden-figure-3.3", Numbers(study=study))
    assert found["Game tree", "moves"].ours.value == pytest.approx(10**123.5)
    assert found["Game tree", "chance"].verdict == "equivalent"  # 2.4e71
    assert found["State space", "shapes, at least"].verdict == "equivalent"  # 5e40
    assert found["Game tree", "leaves, counted by sampling"].ours.value is None


def test_every_arm_of_the_sweep_has_the_c_of_its_row_and_the_counts_of_its_column():
    preset = registry.get("heyden-table-6.2")
    wanted = [row["C"] for row in papers.results()["heyden-table-6.2"].rows]
    in_time = specs.from_json(preset.scales["published"].spec).arms
    assert [arm.seats[0].options["c"] for arm in in_time] == wanted
    quick = specs.from_json(preset.scales["quick"].spec).arms
    assert {arm.seats[1].engine for arm in quick} == {"flat_mc"}
    cells = [cell for cell in preset.cells if cell.as_run]
    for simulations, arms in ((250, [cell.arm for cell in cells]), (150, [cell.as_run.arm for cell in cells])):
        assert [quick[arm].seats[0].options["c"] for arm in arms] == wanted
        assert {quick[arm].seats[0].budget.to_json()["simulations"] for arm in arms} == {simulations}
    found = compare(preset, Numbers(), preset.scales["published"]).rows
    assert {row.as_run.ours.words for row in found if row.as_run} == {NOT_PLAYED}, "equal time needs no second reading"
    assert reach(preset, preset.scales["quick"]).figures == 7, "the arms that a sweep makes are its own"


def test_causes_are_readings_of_one_printed_figure():
    preset = registry.get("heyden-table-6.3-causes")
    table = rows(preset.id, Numbers({(3, 1, seat): tally(1, 0, 1, 40.0, 42.0) for seat in (0, 1)}))
    row = table["MCTSo: mean score", "C = 0.1"]
    assert (row.published.value, row.ours.value) == (pytest.approx(51.55), 41.0)
    assert table["MCTS: wins", "C = 3, as described"].published.value == 80
    assert sum(cell.is_counted for cell in preset.cells) == 3
    arms = specs.from_json(preset.scales["quick"].spec).arms
    assert [arm.seats[1].options["c"] for arm in arms] == [3, 1, 0.3, 0.1, 0.03, 3, 0.1, 0.1, 3, 0.1]
    assert {(arm.seats[0].options["c"], arm.seats[0].options["utility"]) for arm in arms} == {(3.0, "difference")}
    counts = arms[8].seats[1].budget.to_json()["simulations"]["counts"]
    # a ply at half of the match has the base, the first half of it, the last plies twelve times as much
    assert (len(counts), counts[0], counts[35], counts[-1]) == (71, 61, 120, 1440)
    assert len(specs.from_json(preset.scales["published"].spec).arms) == 8


def test_rivals_of_the_final_weights_change_one_weight_each():
    final = SETS["final"]
    spec = specs.from_json(registry.get("heyden-table-6.5").scales["quick"].spec)
    intuitive, *rivals = [arm.seats[1].options for arm in spec.arms]
    assert intuitive["evaluation"] == "intuitive"
    for options in rivals:
        changed = [name for name in final if options[f"weight_{name}"] != final[name]]
        assert (options["evaluation"], len(changed)) == ("own", 1)
