import json
import math
from dataclasses import replace

import numpy as np
import pytest

from worker.analysis import always_valid
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share
from worker.analysis.several import Estimates
from worker.analysis.verdict import Sample
from worker.presets import papers, pooling, registry
from worker.presets.comparison import NO_NUMBER, NOT_JUDGED, NOT_PLAYED, NOT_YET, Stage, compare
from worker.presets.model import CLAIM, EXTREME, RATE, SCORE, AsRun, Cell, Claim, Preset, Reason, Scale
from worker.presets.numbers import WINS, Numbers, SeatTally, Together


def preset(*cells: Cell) -> Preset:
    """A preset of these cells alone."""
    return Preset("x", "X", papers.paper("heyden-2009"), "Table 1", "carcassonne", "?", "", {}, cells)


def numbers(wins: int, losses: int, scores: list[float]) -> Numbers:
    """Place 0 of arm 0 in seat 0."""
    return Numbers({(0, 0, 0): SeatTally(wins, 0, losses, Moments.of(scores), min(scores), max(scores))})


def of_deals(**results: list[int]) -> Numbers:
    """Wins of place 0 of each arm: matches won of two in each deal."""
    counted = [{deal: (2.0, float(won)) for deal, won in enumerate(row)} for row in results.values()]
    blocks = {
        (arm, 0): {WINS: BlockMoments.of([Moments(round(n), won) for n, won in deals.values()])}
        for arm, deals in enumerate(counted)
    }
    together = {WINS: Together(tuple(range(len(counted))), Estimates.of_deals(counted))}
    return Numbers({}, blocks, together=together)


def cell(published_figure, ours, measure) -> Cell:
    """A cell without words."""
    return Cell("Group", "label", published_figure, ours, measure)


def test_rates_are_shown_in_per_cent_with_their_matches():
    (row,) = compare(preset(cell(Share(40, 50), lambda n: n.wins(0, 0), RATE)), numbers(400, 100, [1.0])).rows
    assert row.published.value == 80
    assert row.published.n == 50
    assert (row.ours.value, row.ours.n, row.unit) == (80, 500, "%")
    assert row.verdict == "compatible"
    assert 5 < row.hidden < 12
    assert row.low < row.difference == 0 < row.high
    assert row.margin == 5


def test_the_margin_of_a_score_is_a_tenth_and_at_least_two_points():
    scores = [59.0, 60.0, 61.0] * 20
    for value, margin in ((62.6, 6.26), (9.0, 2.0)):
        (row,) = compare(preset(cell(Sample(50, value), lambda n: n.score(0, 0), SCORE)), numbers(1, 0, scores)).rows
        assert row.margin == pytest.approx(margin)


def test_before_the_planned_end_nothing_is_judged_and_intervals_hold_at_every_look():
    played = of_deals(a=[2, 1, 1, 0, 2, 1, 2, 2, 1, 2])
    scales = {"quick": Scale("", {"deals": 50, "arms": [{"seats": [{"engine": "uct"}, {"engine": "random"}]}]})}
    chosen = replace(preset(cell(Share(1, 50), lambda n: n.wins(0, 0), RATE)), scales=scales)
    found = compare(chosen, played, stage=Stage(is_at_end=False, deals=50))
    (row,) = found.rows
    assert (row.verdict, row.difference, row.planned, row.ours.n) == (NOT_YET, None, 100, 20)
    assert sum(found.counts.values()) == 0
    assert (found.judged, found.lines) == (1, ())
    wide = always_valid.of_rate(played.blocks[0, 0][WINS])
    assert (row.ours.low / 100, row.ours.high / 100) == pytest.approx(wide)
    assert compare(chosen, played).rows[0].verdict == "differs"


def test_a_comparison_that_repeats_another_one_counts_once():
    one = cell(Share(1, 50), lambda n: n.wins(0, 0), RATE)
    found = compare(preset(replace(one, is_counted=False), one), numbers(90, 10, [1.0]))
    assert [row.verdict for row in found.rows] == ["differs", "differs"]
    assert (found.counts["differs"], found.judged, found.family.judged) == (1, 1, 1)


ARMS = {
    "a": [2, 1, 2, 0, 2, 1, 2, 2, 1, 2] * 6,
    "b": [2, 1, 2, 0, 2, 1, 1, 2, 1, 2] * 6,
    "c": [1, 0, 0, 0, 1, 0, 0, 1, 0, 0] * 6,
}


def _arm(arm: int, **changes) -> Cell:
    return Cell("Wins", f"C = {arm}", Share(75, 100), lambda n, arm=arm: n.wins(arm, 0), RATE, x=arm, **changes)


def test_a_table_has_the_mean_of_its_differences_and_says_whether_one_is_true_of_all():
    found = compare(preset(_arm(0), _arm(1)), of_deals(a=ARMS["a"], b=ARMS["b"]))
    (line,) = found.lines
    # Rates 15/20 and 14/20 less 75 %: a mean of -2.5 points. Printed errors: 77/104 for the variance of each.
    assert line.mean.value == pytest.approx(-0.025)
    deals = np.array([ARMS["a"], ARMS["b"]]) / 2
    printed = 77 / 104 * 27 / 104 / 104
    assert line.mean.error == pytest.approx(math.sqrt(deals.mean(axis=0).var(ddof=1) / 60 + 2 * printed / 4))
    assert (line.cells, line.unit, line.judgement.verdict) == (2, "%", "cannot tell")
    assert line.alike.p > 0.3
    wide = compare(preset(*map(_arm, range(3))), of_deals(**ARMS))
    assert wide.lines[0].alike.p < 1e-6


def test_the_same_printed_figure_in_two_cells_has_one_error():
    shared = Share(75, 100)
    both = [replace(_arm(arm), published=shared) for arm in range(2)]
    ours = of_deals(a=ARMS["a"], b=ARMS["b"])
    errors = [compare(preset(*cells), ours).lines[0].mean.error ** 2 for cells in (both, map(_arm, (0, 1)))]
    assert errors[0] - errors[1] == pytest.approx(77 / 104 * 27 / 104 / 104 / 2)


def test_a_sweep_says_whether_its_values_differ_at_all():
    (sweep,) = compare(preset(*map(_arm, range(3))), of_deals(**ARMS)).sweeps
    assert (sweep.group, sweep.values) == ("Wins", 3)
    assert sweep.printed.p == pytest.approx(1.0)
    assert sweep.ours.p < 1e-6
    assert not compare(preset(*map(_arm, range(2))), of_deals(a=ARMS["a"], b=ARMS["b"])).sweeps


def test_cells_of_the_program_are_pooled_by_themselves():
    """Described arms win 90, 90, 84 of 120 matches, the program's 18, 90, 84."""
    played = [ARMS[name] for name in "aabcab"]
    counted = [{deal: (2.0, float(won)) for deal, won in enumerate(row)} for row in played]
    described, as_run = ({WINS: Together((0, 1, 2), Estimates.of_deals(rows))} for rows in (counted[:3], counted[3:]))
    ours = of_deals(**{str(arm): row for arm, row in enumerate(played)})
    ours = replace(ours, together=described, as_run=as_run)
    cells = [_arm(arm, as_run=AsRun(lambda n, arm=arm: n.wins(arm + 3, 0), arm + 3)) for arm in range(3)]
    found = compare(preset(*cells), ours)
    means = [line.mean.value for lines in (found.lines, found.lines_as_run) for line in lines]
    assert means == pytest.approx([264 / 360 - 0.75, 192 / 360 - 0.75])
    (told,), (ran,) = found.sweeps, found.sweeps_as_run
    assert ran.ours.p < 1e-6 < told.ours.p
    assert compare(preset(*cells), ours + ours).lines_as_run[0].mean.value == pytest.approx(means[1])
    assert found.to_json()["pooled_as_run"][0]["cells"] == 3


def test_pools_leave_out_what_tells_the_same_twice():
    """Table 6.1: of two players one's wins, both scores; seats of tables with totals; the printed and recounted log."""
    kept = {
        name: {pool.quantity: [registry.get(name).cells[i].label for i in pool.cells] for pool in pools}
        for name in ("heyden-table-6.1", "jansen-table-27", "dominai-ims")
        for pools in [pooling.pools_of(registry.get(name))]
    }
    assert kept["heyden-table-6.1"] == {
        "wins": ["MC: wins"] * 2,
        "score": ["MC: mean score", "MCo: mean score"] * 2,
    }
    assert kept["jansen-table-27"] == {"wins": ["UCT_mod wins"] * 2}
    assert kept["dominai-ims"] == {"wins": ["Won, logs recounted"] * 4 + ["Won, as printed"]}


def test_runs_are_pooled_by_their_sums_at_the_level_of_a_further_look():
    one, other = (of_deals(a=row) for row in (ARMS["a"], ARMS["b"]))
    both = one + other
    whole = of_deals(a=ARMS["a"] + ARMS["b"])
    assert both.blocks == whole.blocks
    assert both.together[WINS].means.values == pytest.approx(whole.together[WINS].means.values)
    cells = preset(cell(Share(60, 100), lambda n: n.wins(0, 0), RATE))
    alone, pooled = (compare(cells, both, stage=Stage(looks=looks)).rows[0] for looks in (1, 2))
    assert pooled.level == alone.level / 2
    assert pooled.high - pooled.low > alone.high - alone.low
    with pytest.raises(ValueError, match="studies"):
        one + Numbers(study={"rows": []})


def test_extremes_and_words_are_shown_and_never_judged():
    cells = cell(35, lambda n: n.tally(0, 0).lowest, EXTREME), cell("nearly 9", lambda n: n.score(0, 0), SCORE)
    first, second = compare(preset(*cells), numbers(1, 1, [30.0, 50.0])).rows
    assert (first.verdict, first.published.value, first.ours.value) == (NOT_JUDGED, 35, 30)
    assert (second.verdict, second.published.words, second.ours.value) == (NOT_JUDGED, "nearly 9", 40)


def test_cells_without_a_match_wait_for_their_number():
    found = compare(preset(cell(Share(40, 50), lambda n: n.wins(0, 0), RATE)), Numbers())
    assert found.rows[0].verdict == NO_NUMBER
    assert found.counts == {"equivalent": 0, "compatible": 0, "differs": 0, "cannot tell": 0}
    assert found.judged == 1


def test_claims_are_judged_by_the_interval_of_ours():
    claim = cell(Claim(0.5, 1.0, "wins more"), lambda n: n.wins(0, 0), CLAIM)
    found = compare(preset(claim, claim), numbers(90, 10, [1.0]))
    assert found.counts["equivalent"] == 2
    assert found.rows[0].published.words == "wins more"
    assert compare(preset(claim), numbers(10, 90, [1.0])).rows[0].verdict == "differs"


def test_a_comparison_is_json():
    found = compare(preset(cell(Share(1, 2), lambda n: n.wins(0, 0), RATE)), numbers(1, 1, [1.0]))
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["cells"][0]["verdict"] == "cannot tell"


def test_what_is_missing_is_said_in_deals_with_the_scale_that_has_them():
    arms = [{"seats": [{"engine": "uct"}, {"engine": "random"}]}]
    scales = {name: Scale("", {"deals": deals, "arms": arms}) for name, deals in (("quick", 50), ("standard", 2000))}
    one = Cell("Group", "label", Share(25, 50), lambda n: n.wins(0, 0), RATE, seatings=2)
    whole = replace(one, seatings=1)
    found = compare(replace(preset(one, whole), scales=scales), numbers(25, 25, [1.0])).rows
    assert found[0].verdict == "cannot tell"
    # 335 matches more: of one seating a deal has one, of all seatings two.
    assert [row.needed for row in found] == [335 - 4, 166]
    assert [row.needs for row in found] == ["deals", "deals"]
    assert (found[0].enough, found[0].most) == ("standard", 2000)
    few = compare(replace(preset(one), scales={"quick": scales["quick"]}), numbers(25, 25, [1.0])).rows[0]
    assert (few.enough, few.most) == ("", 50)


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
    assert (row.ours.value, row.budget, row.enough, row.most) == (50, {"simulations": 9}, "", 50)


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


def test_a_figure_of_the_authors_program_is_judged_beside_that_of_the_method_described():
    """50 of 100 printed: the method as described wins 90 %, their program as it ran 52."""
    told = Cell("Group", "label", Share(50, 100), lambda n: n.wins(0, 0), RATE, Reason("why"))
    both = replace(told, as_run=AsRun(lambda n: n.wins(1, 0), arm=1), arm=0)
    tallies = {
        (arm, 0, 0): SeatTally(won, 0, 1000 - won, Moments.of([1.0]), 1, 1) for arm, won in enumerate((900, 520))
    }
    (row,) = compare(preset(both), Numbers(tallies)).rows
    assert (row.ours.value, row.verdict, row.reason) == (90, "differs", Reason("why"))
    assert row.as_run is not None
    assert (row.as_run.ours.value, row.as_run.verdict, row.as_run.as_run) == (52, "compatible", None)
    assert compare(preset(both), Numbers(tallies)).counts["differs"] == 1, "counted by the method as described"
    smaller = Scale("", {"arms": [{"seats": [{}]}], "deals": 100})
    (row,) = compare(preset(both), Numbers(tallies), smaller).rows
    assert row.as_run is not None
    assert (row.verdict, row.as_run.ours.words) == ("differs", NOT_PLAYED), "of an older run without that arm"
