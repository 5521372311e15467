import math

import pytest

from worker import spec as specs
from worker.analysis.moments import BlockMoments, Moments
from worker.presets import gedda_figures, gedda_players, gedda_runs, registry
from worker.presets.comparison import NOT_PLAYED, compare
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


def test_a_columns_budget_is_what_its_result_file_has():
    table = rows("gedda-figure-5", Numbers(), "published")
    row = table["MCE-TR/R", "0.1 s"]
    assert row.budget == row.as_run.budget == {"playouts": gedda_runs.playouts("MCE-TR", 0.1)}
    assert row.budget["playouts"]["counts"][3] == 539  # 5,386.5 a second in round 4
    assert (table["MCE-FG/R", "10.0 s"].x, table["MCE-FG/R", "10.0 s"].published.value) == (10.0, 9.6)
    assert table["FG", "any time"].budget == {}
    quick = rows("gedda-figure-5", Numbers(), "quick")
    assert quick["MCE-TR/R", "0.1 s"].budget == row.budget, "a smaller scale plays fewer cells, each in full"
    assert quick["MCE-TR/R", "0.3 s"].ours.words == NOT_PLAYED


def test_a_run_of_a_part_of_the_arms_is_read_by_their_names():
    """Of Table III's quick scale arm 1 is UCT-TR at 0.1 s, arm 2 at 0.2 s, arm 3 at 0.5 s: the preset's arm 4."""
    preset = registry.get("gedda-table-3-uct")
    scale = preset.scales["quick"]
    assert preset.places(scale.spec) == scale.places
    assert scale.places[:5] == (0, 1, 2, 4, 11)
    shown = numbers({3: {MARGIN: blocks(-4.0, -6.0)}}).moved(scale.places)
    assert rows("gedda-table-3-uct", shown, "quick")["UCT-TR", "0.5 s"].ours.value == -5.0
    before = {**scale.spec, "arms": preset.scales["published"].spec["arms"][:41]}
    assert preset.places(before) == tuple(range(41)), "runs of before played all that is described"
    for other in registry.presets().values():
        for chosen in other.scales.values():
            if not chosen.places and not chosen.is_study:
                assert other.places(chosen.spec) == tuple(range(len(chosen.spec["arms"])))


@pytest.mark.parametrize(
    ("preset", "option", "values"), [("gedda-figure-7", "c", 9), ("gedda-figure-8", "win_bias", 7)]
)
def test_trees_differ_in_what_the_figure_sweeps_and_in_how_they_are_read(preset, option, values):
    chosen = registry.get(preset)
    arms = [arm.seats[0] for arm in specs.from_json(chosen.scales["published"].spec).arms]
    described = [cell for cell in chosen.cells if cell.x is not None]
    assert [cell.arm for cell in described] == list(range(len(described)))
    ran = sorted(cell.as_run.arm for cell in described if cell.as_run)
    assert ran == list(range(len(described), len(arms))), "what runs of before played keeps its place"
    for scale in chosen.scales.values():
        assert chosen.places(scale.spec) == scale.places
    assert {seat.options["tie_break"] for seat in arms} == {"gain"}
    assert {seat.options[option] for seat in arms[: len(described)]} == {
        seat.options[option] for seat in arms[ran[0] :]
    }
    assert len({seat.options[option] for seat in arms}) == values
    for cell in described:
        wanted = float(cell.label.split(" = ")[1])
        assert (arms[cell.arm].options[option], arms[cell.arm].options["chance"]) == (wanted, "open_loop")
        if cell.as_run:
            again = arms[cell.as_run.arm]
            assert again.budget == arms[cell.arm].budget
            assert again.options["policy"] == arms[cell.arm].options["policy"]
            assert (again.options[option], again.options["chance"]) == (wanted, "sampled")


def test_points_of_the_figures_are_those_of_the_result_files():
    seven, eight = (rows(f"gedda-figure-{number}", Numbers()) for number in (7, 8))
    point = seven["UCT-FG, 0.2 s", "C = 0.6"].published
    assert (point.value, point.n) == (-32.5, 200)
    assert point.high - point.value == pytest.approx(1.972 * 17.84 / math.sqrt(200), rel=1e-3)
    assert seven["UCT-FG, 0.2 s", "C = 0.5"].published.value == -34.7  # not in Table III
    assert eight["UCTW-TR, 2.0 s", "W = 0"].published.value == -5.46
    assert eight["UCTW-TR, 2.0 s", "W = 0.1"].published.value == -4.07


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
    assert kinds == {("fg", gedda_players.EPSILON)}


def test_counts_by_round_are_the_program_s_rates_times_the_time():
    """FG: 29 a second in round 1, 54 in round 4, 351 in round 8, 35,412 in round 13; round 3 is between 31 and 54."""
    found = gedda_players.counts("FG", 0.5)
    assert (found["by"], len(found["counts"])) == ("round", 13)
    first, third, fourth, eighth, last = (found["counts"][round_ - 1] for round_ in (1, 3, 4, 8, 13))
    assert (first, fourth, eighth, last) == (14, 27, 176, 17706)
    assert third == round(0.5 * math.sqrt(31 * 54))
    assert gedda_players.counts("FG", 0.01)["counts"][0] == 1, "one at least"


def test_counts_of_a_cell_are_those_of_its_result_file():
    """UCT-FG at 0.1 s: one simulation in round 1, while Java warmed up; later a tree holds the ends of the match."""
    tree, flat = (gedda_runs.playouts(f"{family}-FG", 0.1)["counts"] for family in ("UCT", "MCE"))
    assert tree[:4] == [1, 2, 3, 4]
    assert tree[9] == 140 > flat[9]
    assert tree[11:] == flat[11:] == [778, 2598]


@pytest.mark.parametrize("family", ["mce", "uct", "uctb", "uctw"])
def test_table_3_as_programmed_has_the_counts_and_the_tree_of_the_program(family):
    chosen = registry.get(f"gedda-table-3-{family}")
    for scale, columns in (("quick", 3), ("standard", 4)):
        assert len(chosen.scales[scale].spec["arms"]) == 1 + 8 * columns
    arms = chosen.scales["published"].spec["arms"]
    assert len(arms) == 61
    cells = [cell for cell in chosen.cells if cell.as_run]
    assert len(cells) == 20
    for cell in cells:
        told, ran = (arms[arm]["seats"][0] for arm in (cell.arm, cell.as_run.arm))
        policy = cell.group.partition("/")[0].partition("-")[2]
        wanted = gedda_runs.playouts(f"{family.upper()}-{policy}", cell.x)
        assert list(ran["budget"].values()) == list(told["budget"].values()) == [wanted]
        assert ran["options"] == {**told["options"], **gedda_players.AS_CODED[told["engine"]]}
        assert arms[cell.as_run.arm]["name"].startswith(f"{cell.group}, {cell.label}")


def test_printed_margins_have_the_spread_of_their_files_and_slips_are_named():
    table = rows("gedda-table-3-uctb", Numbers())
    row = table["UCTB-PG", "10.0 s"]
    assert (row.published.value, row.published.n) == (-12.4, 200)
    assert gedda_runs.margin("UCTB-PG", 10.0).value == -6.31
    assert "-6.3" in row.reason.words
    for family in ("mce", "uct", "uctb", "uctw"):
        for cell in registry.get(f"gedda-table-3-{family}").cells[1:]:
            name = cell.group.partition("/")[0]
            if name.startswith("UCTB") and cell.x == 10:
                continue
            assert cell.published.value == pytest.approx(gedda_runs.margin(name, cell.x).value, abs=0.06)


def test_a_cell_of_the_program_has_both_readings_with_the_same_counts():
    table = rows(
        "gedda-table-3-program",
        numbers({8: {MARGIN: blocks(*[-26.0, -30.0] * 20)}, 9: {MARGIN: blocks(*[-37.0, -41.0] * 20)}}),
        "quick",
    )
    row = table["UCT-FG", "0.1 s"]
    assert (row.published.value, row.ours.value, row.as_run.ours.value) == (-38.3, -28.0, -39.0)
    assert (row.verdict, row.as_run.verdict) == ("differs", "equivalent")
    seats = registry.get("gedda-table-3-program").scales["quick"].spec["arms"]
    described, programmed = (seats[arm]["seats"][0] for arm in (8, 9))
    assert described["budget"] == programmed["budget"] == {"simulations": gedda_players.counts("FG", 0.1)}
    assert programmed["options"].items() >= {"order": "listed", "listing": "choices_first", "chance": "sampled"}.items()
    assert row.budget == described["budget"]
