import dataclasses
import json
import math

import pytest

from tests.worker.test_runner import without_times
from worker import schedule
from worker import spec as specs
from worker.analysis.intervals import wilson
from worker.analysis.moments import Moments
from worker.analysis.rate_differences import paired_rates
from worker.records import Failure, MatchRecord
from worker.report import Report
from worker.results import Results
from worker.runner import play_match, results


@pytest.fixture
def spec(dice):
    """Two arms of two seats; deals in both rotations."""
    return specs.from_json(dice(("taker", "dicer"), ("dicer", "raiser"), deals=2))


def record(arm, deal, rotation, scores, failure=None):
    """A match of two seats from the scores by seat."""
    ranks = tuple(1 + sum(other > own for other in scores) for own in scores)
    return MatchRecord(
        arm=arm,
        deal=deal,
        rotation=rotation,
        seed=1,
        deal_seed=2,
        lineup=schedule.lineup(2, rotation),
        status="failed" if failure else "finished",
        scores=scores,
        ranks=ranks,
        results=results(ranks) if scores else (),
        failure=failure,
    )


def of_game(game, seats):
    arm = {"name": "A", "seats": [{"engine": "random"}] * seats}
    return {"version": 1, "game": game, "seats": seats, "arms": [arm], "deals": 5, "seed": 1}


def test_partners_are_no_opponents():
    won = ("win", "loss", "win", "loss")
    points, ranks, versions = (0, -23, 0, -23), (1, 3, 1, 3), {"dominoes": "1"}
    match = MatchRecord(
        0, 4, 0, 1, 2, (0, 1, 2, 3), "finished", points, ranks, won, ({}, {}, {}, {}), versions=versions
    )
    spec = specs.from_json(of_game("dominoes", 4))
    assert Results.of(spec, 0, [match]).finished.margin.tolist() == [[23, -23, 23, -23]]


def test_partners_are_one_line_and_the_first_seat_is_that_of_a_team():
    spec = specs.from_json(
        {
            "version": 1,
            "game": "dominoes",
            "options": {"length": "round"},
            "seats": 4,
            "arms": [{"name": "A", "seats": [{"engine": engine} for engine in ("scripted", "random") * 2]}],
            "deals": 2,
            "rotation": "all",
            "seed": 7,
        }
    )
    report = Report(spec)
    for match, won in enumerate((0, 0, 1, 0)):  # the team of seat 0 or of seat 1; two deals, each both ways
        ranks = tuple(1 if seat % 2 == won else 3 for seat in range(4))
        points = tuple(0 if rank == 1 else -20 for rank in ranks)
        versions = {"dominoes": "1"}
        deal, rotation = divmod(match, 2)
        line_up = schedule.lineup(4, rotation)
        report.write(
            [
                MatchRecord(
                    arm=0,
                    deal=deal,
                    rotation=rotation,
                    seed=1,
                    deal_seed=2,
                    lineup=line_up,
                    status="finished",
                    scores=points,
                    ranks=ranks,
                    results=results(ranks, True),
                    metrics=({},) * 4,
                    versions=versions,
                )
            ]
        )
    arm = report.to_json()["arms"][0]
    ours, theirs = arm["teams"]
    assert (ours["places"], ours["engines"], theirs["engines"]) == ([0, 2], ["scripted"] * 2, ["random"] * 2)
    assert [(row["matches"], row["wins"], row["losses"]) for row in (ours, theirs)] == [(4, 1, 3), (4, 3, 1)]
    assert (ours["mean_margin"], theirs["mean_margin"]) == (-10, 10)
    first = arm["first_seat"]
    assert (first["decisive"], first["decisive_share"], first["fair_share"]) == (4, 0.75, 0.5)
    assert first["lead"] == 10
    assert (arm["matches"], arm["left_out"]) == (4, 0)


def test_margins_are_against_the_best_opponent():
    three = MatchRecord(0, 4, 1, 1, 2, (2, 0, 1), "finished", (10, 30, 20), (3, 1, 2), ("loss", "win", "loss"))
    found = Results.of(specs.from_json(of_game("carcassonne", 3)), 0, [three]).finished
    assert found.deal.tolist() == [4]
    assert [row.tolist()[0] for row in found[1:]] == [
        [2, 0, 1],
        [10, 30, 20],
        [-20, 10, -10],
        ["loss", "win", "loss"],
        [3, 1, 2],
    ]


def test_hand_worked_report(spec):
    report = Report(spec)
    report.write([record(0, 0, 0, (10, 4)), record(0, 0, 1, (5, 9)), record(0, 1, 0, (6, 6)), record(0, 1, 1, (7, 1))])
    report.write([record(1, 0, 0, (8, 4)), record(1, 0, 1, (2, 6)), record(1, 1, 0, (1, 6)), record(1, 1, 1, (7, 1))])
    found = report.to_json()
    taker, dicer = found["arms"][0]["places"]
    assert (taker["engine"], taker["options"], taker["budget"]) == ("taker", {"share": 1.0, "draws": 0}, {})
    # By place: 10-4, 9-5, 6-6, 1-7.
    assert (taker["wins"], taker["draws"], taker["losses"]) == (2, 1, 1)
    assert (dicer["wins"], dicer["draws"], dicer["losses"]) == (1, 1, 2)
    assert (taker["mean_score"], taker["mean_margin"]) == (6.5, 1)
    # Both wins on one deal: squares 2, effect 2 * 2 / 4 / 0.25 = 4, one degree of freedom.
    weight = (1.959964 / 12.706205) ** 2 / 4
    assert taker["win_rate_interval"] == pytest.approx(wilson(2 * weight, 4 * weight), abs=1e-6)
    assert [(rank["rank"], rank["matches"], rank["share"]) for rank in taker["ranks"]] == [(1, 3, 0.75), (2, 1, 0.25)]
    assert (taker["mean_rank"], dicer["mean_rank"]) == (1.25, 1.5)  # a draw is first for both
    # Two deals of mean margin 5 and -3: mean 1, standard error 4, t(0.975; 1) = 12.7062.
    assert taker["margin_interval"] == pytest.approx((1 - 50.825, 1 + 50.825), abs=1e-3)
    # Seat 0 won 10-4 and 7-1, lost 5-9, drew 6-6.
    seat = found["arms"][0]["first_seat"]
    assert (seat["decisive"], seat["decisive_share"], seat["lead"]) == (3, pytest.approx(2 / 3), 2)
    # Scores of place 0 by deal: arm 0 9.5 and 3.5, arm 1 7 and 1: always 2.5 less, so no interval.
    (comparison,) = found["comparisons"]
    assert (comparison["arm"], comparison["baseline"], comparison["place"]) == ("arm 1", "arm 0", 0)
    assert (comparison["score"]["mean"], comparison["score"]["interval"]) == (-2.5, None)
    assert comparison["score"]["variance_ratio"] == 0
    # Wins by deal: both on deal 0 in both arms; equal in all deals, they count as a step of 1/2 apart in one.
    won = {0: Moments.of([1, 1]), 1: Moments.of([0, 0])}
    assert comparison["win"] == {**dataclasses.asdict(paired_rates(won, won)), "p_holm": 1}
    assert (comparison["win"]["mean"], comparison["win"]["p"], comparison["win"]["variance_ratio"]) == (0, 1, 0)
    assert comparison["win"]["interval"].low < 0 < comparison["win"]["interval"].high
    # Margins by deal: arm 0 5 and -3, arm 1 4 and -5.5: differences -1 and -2.5.
    half = math.tan(0.475 * math.pi) * 0.75
    assert comparison["margin"]["interval"] == pytest.approx((-1.75 - half, -1.75 + half))
    # t = 7/3 with one degree of freedom; one comparison needs no correction.
    assert comparison["margin"]["p"] == pytest.approx(1 - 2 * math.atan(7 / 3) / math.pi)
    assert comparison["margin"]["p_holm"] == comparison["margin"]["p"]
    assert (found["matches"], found["failed"]) == (8, 0)
    assert [arm["left_out"] for arm in found["arms"]] == [0, 0]
    assert [arm["sweep"] for arm in found["arms"]] == [{}, {}]


def test_arms_of_a_sweep_carry_their_values_and_comparisons_are_corrected(dice):
    axes = [{"paths": ["seats[0].options.share"], "values": [0, 0.5, 1]}]
    spec = specs.from_json(dice(("taker", "dicer"), deals=2, rotation="none", sweep={"axes": axes}))
    report = Report(spec)
    rows = {0: [(5, 5), (5, 5)], 1: [(6, 5), (8, 5)], 2: [(7, 5), (8, 5)]}
    report.write(record(arm, deal, 0, scores) for arm, row in rows.items() for deal, scores in enumerate(row))
    found = report.to_json()
    assert [arm["sweep"] for arm in found["arms"]] == [{"seats[0].options.share": share} for share in (0.0, 0.5, 1.0)]
    half, whole = found["comparisons"]
    assert half["sweep"] == {"seats[0].options.share": 0.5}
    # Differences 1 and 3 (t = 2), and 2 and 3 (t = 5).
    p = [1 - 2 * math.atan(t) / math.pi for t in (2, 5)]
    assert [half["margin"]["p"], whole["margin"]["p"]] == pytest.approx(p)
    assert [half["margin"]["p_holm"], whole["margin"]["p_holm"]] == pytest.approx([max(p[0], 2 * p[1]), 2 * p[1]])
    # All wins against none, on two deals: a score of 2 with one degree of freedom, twice.
    for row in (half, whole):
        assert (row["win"]["mean"], row["win"]["blocks"], row["win"]["variance_ratio"]) == (1, 2, None)
        assert row["win"]["interval"].low < 0 < row["win"]["interval"].high == 1
        assert (row["win"]["p"], row["win"]["p_holm"]) == (pytest.approx(p[0]), pytest.approx(2 * p[0]))


def test_rates_that_never_vary_are_compared(dice):
    """Ten deals won by one arm and lost by the other: no spread, and yet the clearest difference there is."""
    report = Report(specs.from_json(dice(("taker", "dicer"), ("dicer", "weigher"), deals=10, rotation="none")))
    report.write(record(arm, deal, 0, scores) for arm, scores in ((0, (4, 5)), (1, (5, 4))) for deal in range(10))
    win = report.to_json()["comparisons"][0]["win"]
    assert (win["mean"], win["interval"].high) == (1, 1)
    # (1 - x) / (1 + x) with x = t(9, 0.975)^2 / 20.
    assert win["interval"].low == pytest.approx(0.5925, abs=1e-4)
    assert win["p_holm"] == win["p"] < 0.01


def test_failures_are_counted_by_engine_and_enter_no_rate(spec):
    report = Report(spec)
    report.write([record(1, 0, 0, (8, 4)), record(1, 0, 1, (), Failure(0, "exception", "no idea"))])
    report.write([record(1, 1, 0, (), Failure(None, "died", "the process died twice"))])
    arm = report.to_json()["arms"][1]
    assert (arm["matches"], arm["failed"]) == (3, 2)
    # In rotation 1 the raiser (place 1) sits in seat 0.
    assert arm["failures"] == {"raiser: exception": 1, "the match: died": 1}
    # The other match of the deal is finished, and counts nowhere.
    assert (arm["left_out"], arm["places"][0]["matches"], arm["places"][0]["win_rate"]) == (1, 0, None)
    assert arm["first_seat"]["decisive"] == 0
    assert report.failed == 2


def test_a_match_that_failed_takes_its_deal_from_every_number(spec):
    report = Report(spec)
    report.write([record(0, deal, rotation, (9, 4)) for deal in range(2) for rotation in range(2)])
    report.write([record(1, 0, 0, (4, 9)), record(1, 0, 1, (9, 4))])
    report.write([record(1, 1, 0, (9, 4)), record(1, 1, 1, (), Failure(1, "exception", "no idea"))])
    found = report.to_json()
    arm, (comparison,) = found["arms"][1], found["comparisons"]
    assert (arm["matches"], arm["failed"], arm["left_out"]) == (4, 1, 1)
    assert (arm["places"][0]["deals"], arm["places"][0]["matches"], arm["places"][0]["wins"]) == (1, 2, 0)
    assert [(row["wins"], row["losses"], row["deals"]) for row in arm["places"][0]["deal_results"]] == [(0, 2, 1)]
    # Arm 0 has won in one seat and lost in the other; of the two deals one is compared.
    for measure in ("win", "score", "margin"):
        assert (comparison[measure]["blocks"], comparison[measure]["left_out"]) == (1, 1)
    assert comparison["win"]["mean"] == -0.5


def test_an_engine_against_itself_has_one_line_of_halves(dice):
    report = Report(specs.from_json(dice(("dicer", "dicer"), deals=2)))
    report.write([record(0, 0, 0, (9, 4)), record(0, 1, 0, (6, 6))])
    first, second = report.to_json()["arms"][0]["places"]
    assert (first["deals"], first["matches"], first["wins"], first["draws"], first["losses"]) == (2, 2, 0.5, 1, 0.5)
    assert {**first, "place": 1} == second


def test_the_order_of_the_records_does_not_matter(spec):
    records = [play_match(match) for match in schedule.match_specs(spec, 0, 0, 4)]
    forward, backward = Report(spec), Report(spec)
    forward.write(records)
    backward.write([without_times(row) for row in reversed(records)])
    assert forward.to_json() == backward.to_json()


def test_an_empty_report_is_json_without_undefined_numbers(spec):
    text = json.dumps(Report(spec).to_json(), allow_nan=False)
    found = json.loads(text)
    assert found["arms"][0]["places"][0]["win_rate"] is None
    assert found["arms"][0]["first_seat"]["lead_interval"] is None
    assert found["comparisons"][0]["margin"]["variance_ratio"] is None


def test_a_sweep_is_answered_over_the_deals_that_its_arms_share(dice):
    """Margins 0, 1, 2 and 1, 3, 4 over shares of 0, 1/2 and 1 on two deals: slopes 2 and 3. A third lacks one."""
    axes = {"axes": [{"paths": ["seats[0].options.share"], "values": [1, 0, 0.5]}], "beside": 1}
    data = dice(("taker", "dicer"), ("weigher", "dicer"), deals=3, rotation="none", sweep=axes, baseline=3)
    report = Report(specs.from_json(data))
    rows = {0: [(7, 5), (9, 5), (9, 5)], 1: [(5, 5), (6, 5)], 2: [(6, 5), (8, 5), (9, 5)], 3: [(9, 5)] * 3}
    report.write(record(arm, deal, 0, scores) for arm, row in rows.items() for deal, scores in enumerate(row))
    found = report.to_json()
    assert {row["baseline"] for row in found["comparisons"]} == {report.spec.arms[3].name}
    assert found["comparisons"][0]["sweep"] == {"seats[0].options.share": 1.0}
    answer = found["responses"]["margin"]
    assert (answer["deals"], answer["means"], answer["best"]) == (2, (3, 0.5, 2), 0)
    (trend,) = answer["trends"]
    assert (trend["axis"], trend["scale"], trend["slope"]["mean"]) == (0, "natural", 2.5)
    assert trend["p"] == pytest.approx(1 - 2 * math.atan(5) / math.pi), "t = 2.5 / 0.5 with one degree of freedom"
    assert answer["kept"] == (0, 1, 2), "two deals put nothing out"
    assert (answer["curve"], answer["span"]) == ((3, 0.5, 2), (0, 1))
    assert json.loads(json.dumps(found["responses"]["win"]))["means"] == [1, 0.5, 1]
    assert "responses" not in Report(specs.from_json(dice(("taker", "dicer"), deals=1))).to_json()
