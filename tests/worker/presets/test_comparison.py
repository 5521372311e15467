import json
from dataclasses import replace

import pytest

from worker.analysis.moments import Moments
from worker.analysis.rates import Share
from worker.analysis.verdict import Sample
from worker.presets import papers, registry
from worker.presets.comparison import NO_NUMBER, NOT_JUDGED, NOT_PLAYED, compare
from worker.presets.model import CLAIM, EXTREME, RATE, SCORE, Cell, Claim, Preset, Scale
from worker.presets.numbers import Numbers, SeatTally


def preset(*cells: Cell) -> Preset:
    """A preset of these cells alone."""
    return Preset("x", "X", papers.paper("heyden-2009"), "Table 1", "carcassonne", "?", "", {}, cells)


def numbers(wins: int, losses: int, scores: list[float]) -> Numbers:
    """Place 0 of arm 0 in seat 0."""
    return Numbers({(0, 0, 0): SeatTally(wins, 0, losses, Moments.of(scores), min(scores), max(scores))})


def cell(published_figure, ours, measure) -> Cell:
    """A cell without words."""
    return Cell("Group", "label", published_figure, ours, measure)


def test_rates_are_shown_in_per_cent_with_their_matches():
    (row,) = compare(preset(cell(Share(40, 50), lambda n: n.wins(0, 0), RATE)), numbers(400, 100, [1.0])).rows
    assert row.published.value == 80
    assert row.published.n == 50
    assert (row.ours.value, row.ours.n, row.unit) == (80, 500, "%")
    assert row.verdict == "agrees"
    assert row.low < row.difference == 0 < row.high
    assert row.margin == 5


def test_the_margin_of_a_score_is_a_tenth_and_at_least_two_points():
    scores = [59.0, 60.0, 61.0] * 20
    for value, margin in ((62.6, 6.26), (9.0, 2.0)):
        (row,) = compare(preset(cell(Sample(50, value), lambda n: n.score(0, 0), SCORE)), numbers(1, 0, scores)).rows
        assert row.margin == pytest.approx(margin)


def test_extremes_and_words_are_shown_and_never_judged():
    cells = cell(35, lambda n: n.tally(0, 0).lowest, EXTREME), cell("nearly 9", lambda n: n.score(0, 0), SCORE)
    first, second = compare(preset(*cells), numbers(1, 1, [30.0, 50.0])).rows
    assert (first.verdict, first.published.value, first.ours.value) == (NOT_JUDGED, 35, 30)
    assert (second.verdict, second.published.words, second.ours.value) == (NOT_JUDGED, "nearly 9", 40)


def test_cells_without_a_match_wait_for_their_number():
    found = compare(preset(cell(Share(40, 50), lambda n: n.wins(0, 0), RATE)), Numbers())
    assert found.rows[0].verdict == NO_NUMBER
    assert found.counts == {"agrees": 0, "differs": 0, "cannot tell": 0}
    assert found.judged == 1


def test_claims_are_judged_by_the_interval_of_ours():
    claim = cell(Claim(0.5, 1.0, "wins more"), lambda n: n.wins(0, 0), CLAIM)
    found = compare(preset(claim, claim), numbers(90, 10, [1.0]))
    assert found.counts["agrees"] == 2
    assert found.rows[0].published.words == "wins more"
    assert compare(preset(claim), numbers(10, 90, [1.0])).rows[0].verdict == "differs"


def test_a_comparison_is_json():
    found = compare(preset(cell(Share(1, 2), lambda n: n.wins(0, 0), RATE)), numbers(1, 1, [1.0]))
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["cells"][0]["verdict"] == "cannot tell"


def test_what_is_missing_counts_all_seatings_and_names_the_scale_that_has_it():
    arms = [{"seats": [{"engine": "uct"}, {"engine": "random"}]}]
    scales = {name: Scale("", {"deals": deals, "arms": arms}) for name, deals in (("quick", 50), ("standard", 2000))}
    one = Cell("Group", "label", Share(25, 50), lambda n: n.wins(0, 0), RATE, seatings=2)
    whole = replace(one, seatings=1)
    found = compare(replace(preset(one, whole), scales=scales), numbers(25, 25, [1.0])).rows
    assert found[0].verdict == "cannot tell"
    assert found[0].needed == 2 * found[1].needed > 500
    assert [row.needs for row in found] == ["matches in all seatings", "matches"]
    assert (found[0].enough, found[0].most) == ("standard", 4000)
    few = compare(replace(preset(one), scales={"quick": scales["quick"]}), numbers(25, 25, [1.0])).rows[0]
    assert (few.enough, few.most) == ("", 100)


def test_a_scale_without_the_arm_of_a_figure_says_so_and_counts_for_nothing():
    seats = [{"engine": "uct", "budget": {"simulations": 9}}, {"engine": "random"}]
    small, large = (
        Scale("", {"deals": deals, "seats": 2, "arms": [{"seats": seats}] * arms})
        for deals, arms in ((2000, 1), (50, 2))
    )
    one = replace(cell(Share(25, 50), lambda n: n.wins(0, 0), RATE), arm=1)
    chosen = replace(preset(one), scales={"quick": small, "published": large})
    (row,) = compare(chosen, numbers(25, 25, [1.0]), small).rows
    assert (row.ours.words, row.verdict, row.budget, row.published.value) == (NOT_PLAYED, NOT_JUDGED, {}, 50)
    (row,) = compare(chosen, numbers(25, 25, [1.0]), large).rows
    assert (row.ours.value, row.budget, row.enough, row.most) == (50, {"simulations": 9}, "", 100)


def test_the_size_of_an_experiment_is_that_of_its_distinct_matches():
    one, other = {"engine": "uct"}, {"engine": "random"}
    for seats, rotation, size in (
        ([one, other], "all", 100),
        ([one, one], "all", 50),
        ([one, other] * 2, "all", 100),
        ([one, other], "none", 50),
    ):
        assert Scale("", {"deals": 50, "rotation": rotation, "arms": [{"seats": seats}]}).units == size


def test_the_size_of_a_study_is_that_of_its_positions_or_matches():
    sizes = [registry.get(name).scales["quick"].units for name in ("heyden-table-6.4", "heyden-table-6.7")]
    assert sizes == [50, 1]
    assert registry.get("heyden-figures-3.1-3.2").scales["standard"].units == 200


def test_half_widths_are_in_the_unit_of_the_cell() -> None:
    (row,) = compare(preset(cell(Share(40, 50), lambda n: n.wins(0, 0), RATE)), numbers(40, 10, [1.0])).rows
    assert row.half_width == pytest.approx((row.ours.high - row.ours.low) / 2)
