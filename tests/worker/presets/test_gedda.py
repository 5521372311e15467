import math

import pytest

from worker import spec as specs
from worker.analysis.moments import BlockMoments, Moments
from worker.presets import gedda, gedda_figures, gedda_program, registry
from worker.presets.comparison import compare
from worker.presets.numbers import MARGIN, Numbers, SeatTally


def blocks(*values: float) -> BlockMoments:
    """A number for each of some matches, each on a deal of its own."""
    return BlockMoments.of([Moments(1, value) for value in values])


def numbers(arms: dict[int, dict[str, BlockMoments]]) -> Numbers:
    """What the first place of some arms showed, one match a block."""
    seats = {(arm, 0, 0): SeatTally(losses=next(iter(found.values())).blocks) for arm, found in arms.items()}
    return Numbers(seats, {(arm, 0): found for arm, found in arms.items()})


def rows(preset: str, shown: Numbers, scale: str = "") -> dict:
    """The compared rows by group and label."""
    chosen = registry.get(preset)
    found = compare(chosen, shown, chosen.scales.get(scale))
    return {(row.group, row.label): row for row in found.rows}


def test_the_size_of_the_game_is_the_product_over_rounds_and_players():
    found = {f"{kind}_{r}": blocks(9.0, 11.0) for kind in ("listed", "actions") for r in range(1, 14)}
    table = rows("gedda-figure-2", numbers({0: found}))
    tree = table["Size of the game", "Games for one order of the dominoes, log₁₀"]
    assert tree.ours.value == pytest.approx(52)  # ten actions in each of 13 rounds, four players
    # of each round's mean 10 the error is 1: a tenth of it, 13 times independently, in four players at once
    error = 4 * math.sqrt(13) * 0.1 / math.log(10)
    student = 12.7062  # 97.5 % point with one degree of freedom
    assert tree.ours.high - tree.ours.value == pytest.approx(student * error, rel=1e-3)
    assert table["Size of the game", "Draws"].verdict == "equivalent"
    draws = math.factorial(48) / math.factorial(4) ** 12
    whole = table["Size of the game", "Games in all, log₁₀"]
    assert whole.ours.value == pytest.approx(52 + math.log10(draws))
    assert whole.published.value == pytest.approx(106.10, abs=0.005)


def test_a_size_needs_every_round():
    found = {f"listed_{r}": blocks(9.0, 11.0) for r in range(1, 13)}
    table = rows("gedda-figure-2", numbers({0: found}))
    assert table["Size of the game", "Games for one order of the dominoes, log₁₀"].ours.value is None
    assert table[gedda_figures.LISTED, "Round 12"].ours.value == 10


def test_a_columns_budget_is_the_papers_time_at_its_programs_rate():
    table = rows("gedda-figure-5", Numbers(), "published")
    assert table["MCE-TR/R", "0.1 s"].budget == {"playouts": 705}
    assert table["MCE-FG/R", "10.0 s"].budget == {"playouts": 540}
    assert rows("gedda-figure-5", Numbers(), "quick")["MCE-FG/R", "10.0 s"].budget == {"playouts": 54}
    assert (table["MCE-FG/R", "10.0 s"].x, table["MCE-FG/R", "10.0 s"].published.value) == (10.0, 9.6)
    assert table["FG", "any time"].budget == {}


def test_trees_break_ties_by_points_and_differ_in_what_the_figure_sweeps():
    for preset, option, values in (("gedda-figure-7", "c", 9), ("gedda-figure-8", "win_bias", 7)):
        arms = specs.from_json(registry.get(preset).scales["published"].spec).arms
        assert {arm.seats[0].options["tie_break"] for arm in arms} == {"gain"}
        assert {arm.seats[0].options["chance"] for arm in arms} == {"open_loop"}
        assert len({arm.seats[0].options[option] for arm in arms}) == values
        labels = [cell.label for cell in registry.get(preset).cells if cell.arm is not None]
        for label, arm in zip(labels, arms, strict=True):
            assert float(label.split(" = ")[1]) == arm.seats[0].options[option]


def test_points_of_the_figures_that_table_3_has_stand_beside_it():
    seven, eight = (rows(f"gedda-figure-{number}", Numbers()) for number in (7, 8))
    assert seven["UCT-FG, 0.2 s", "C = 0.6"].published.value == -32.5
    assert seven["UCT-FG, 0.2 s", "C = 0.5"].published.value is None
    assert eight["UCTW-TR, 2.0 s", "W = 0"].published.value == -4.4  # without bias it is UCT
    assert eight["UCTW-TR, 2.0 s", "W = 0.1"].published.value == -4.1


def test_claims_compare_the_arms_that_they_name():
    values = dict.fromkeys(range(28), (0.0, 1.0, 2.0))
    values[1], values[6] = (20.0, 21.0, 22.0), (10.0, 11.0, 12.0)  # TR, 0.5 s: W = 0.1 and 0.6
    table = rows("gedda-figure-8", numbers({arm: {MARGIN: blocks(*row)} for arm, row in values.items()}))
    row = table["Points gained", "TR, 0.5 s: W = 0.1 less W = 0.6"]
    assert (row.ours.value, row.verdict) == (10.0, "equivalent")
    assert row.ours.high - 10.0 == pytest.approx(4.30265 * math.sqrt(2 / 3), rel=1e-4)  # errors of 1/sqrt(3) each
    assert table["Points gained", "TR, 2.0 s: W = 0.1 less W = 0.6"].verdict == "cannot tell"


def test_scores_grow_from_what_the_middle_kingdom_gives():
    table = rows("gedda-figure-3", Numbers())
    assert table["TR", "Round 1"].published.value == 10.0
    assert table["FG", "Round 13"].published.value == 55.7
    assert table["FG", "Round 13"].published.n == 1000
    assert table["FG", "Round 12"].published.n == 60
    assert rows("gedda-figure-4", Numbers())["MCE-TR/R", "Round 13"].published.value == 59.5


def test_speeds_are_shown_and_never_judged():
    plies = [{"ply": 1, "matches": 20, "per_s": 5000.0, "deviation": 100.0}]
    study = {"runs": [{"label": "PG", "plies": plies}]}
    row = rows("gedda-figure-6", Numbers(study=study))["PG", "Round 1"]
    assert (row.published.value, row.ours.value, row.ours.n, row.verdict) == (123.0, 5000.0, 20, "not judged")
    kinds = {
        (run["policy"], run["epsilon"])
        for run in registry.get("gedda-figure-6").scales["quick"].spec["parameters"]["runs"]
        if "epsilon" in run
    }
    assert kinds == {("fg", gedda.EPSILON)}


def test_counts_by_round_are_the_program_s_rates_times_the_time():
    """FG: 29 a second in round 1, 54 in round 4, 351 in round 8, 35,412 in round 13; round 3 is between 31 and 54."""
    found = gedda_program.counts("FG", 0.5)
    assert (found["by"], len(found["counts"])) == ("round", 13)
    first, third, fourth, eighth, last = (found["counts"][round_ - 1] for round_ in (1, 3, 4, 8, 13))
    assert (first, fourth, eighth, last) == (14, 27, 176, 17706)
    assert third == round(0.5 * math.sqrt(31 * 54))
    assert gedda_program.counts("FG", 0.01)["counts"][0] == 1, "one at least"


def test_a_cell_of_the_program_has_both_readings_with_the_same_counts():
    table = rows(
        "gedda-table-3-program",
        numbers({8: {MARGIN: blocks(*[-26.0, -30.0] * 20)}, 9: {MARGIN: blocks(*[-37.0, -41.0] * 20)}}),
        "quick",
    )
    row = table["UCT-FG", "0.1 s"]
    assert (row.published.value, row.ours.value, row.as_run.ours.value) == (-38.3, -28.0, -39.0)
    assert (row.verdict, row.as_run.verdict) == ("differs", "compatible")
    seats = registry.get("gedda-table-3-program").scales["quick"].spec["arms"]
    described, programmed = (seats[arm]["seats"][0] for arm in (8, 9))
    assert described["budget"] == programmed["budget"] == {"simulations": gedda_program.counts("FG", 0.1)}
    assert programmed["options"].items() >= {"order": "listed", "listing": "choices_first", "chance": "sampled"}.items()
    assert row.budget == described["budget"]
