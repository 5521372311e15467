"""Tuning: its parameters, the same rows on any number of workers, a known optimum, and an honest claim."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from games import registry as game_registry
from worker.analysis.moments import Moments
from worker.analysis.paired import paired_from_sums
from worker.spec import SpecError
from worker.studies import batch, report, tuned_values
from worker.studies import spec as specs
from worker.studies.protocol import StudySpec
from worker.studies.tuning import Tuning
from worker.studies.tuning_plan import plan_of

AIM = {"name": "aim", "low": 0, "high": 1}


def study(**changes: Any) -> StudySpec:
    """Aims of 0.9 at the start, best at 0.3, against one that takes a random part of the die."""
    seats = [{"engine": "aimer"}, {"engine": "dicer"}]
    given = {"seats": seats, "values": [AIM], "candidates": 8, "deals": 240, "confirm": 40} | changes
    return specs.from_json({"version": 1, "study": "tuning", "game": "dice", "parameters": given, "seed": 11})


def rows_of(spec: StudySpec) -> dict[int, Any]:
    found = {outcome.index: outcome for outcome in batch.outcomes(spec)}
    assert not [outcome.failure for outcome in found.values() if outcome.row is None]
    return {index: json.loads(json.dumps(outcome.row)) for index, outcome in found.items()}


@pytest.mark.usefixtures("dice")
def test_a_known_optimum_is_found_and_confirmed_on_deals_of_its_own() -> None:
    spec = study()
    kind, rows = Tuning(), rows_of(spec)
    found = report.report(spec, rows, {}, {})["result"]
    assert [(row["candidates"], row["deals"]) for row in found["rounds"]] == [(8, 10), (4, 20), (2, 40)]
    winner = found["candidates"][found["tuned"]]
    assert abs(winner["values"]["aim"] - 0.3) < 0.2
    assert found["candidates"][0]["values"] == {"aim": 0.9}
    assert winner["deals"] == 70
    assert [row["deals"] for row in found["candidates"]].count(10) == 4, "everything that was tried is listed"

    deals = {(row["candidate"], row["first"] + i) for row in rows.values() for i in range(row["deals"])}
    assert len(deals) == sum(row["deals"] for row in rows.values()), "no deal is met twice"
    fresh = {row["stage"]: set() for row in rows.values()}
    for row in rows.values():
        fresh[row["stage"]] |= set(range(row["first"], row["first"] + row["deals"]))
    assert fresh[3] == set(range(70, 110)), "nobody had met those of the confirmation"

    margins: dict[int, dict[int, float]] = {found["tuned"]: {}, 0: {}}
    for row in (row for row in rows.values() if row["stage"] == 3):
        margins[row["candidate"]] |= {row["first"] + i: value for i, value in enumerate(row["margin"])}
    apart = [margins[found["tuned"]][deal] - margins[0][deal] for deal in range(70, 110)]
    wanted = paired_from_sums(Moments.of(apart), Moments(), Moments(), 0)
    said = found["confirmation"]["margin"]
    assert said["mean"] == pytest.approx(np.mean(apart))
    assert said["interval"] == pytest.approx(wanted.interval)
    assert said["interval"][0] > 0
    own = list(margins[found["tuned"]].values())
    assert said["tuned"] == pytest.approx(np.mean(own))
    assert said["tuned_interval"] == pytest.approx(Moments.of(own).interval()), "deals are the units"
    low, high = found["confirmation"]["win"]["tuned_interval"]
    assert 0 <= low <= found["confirmation"]["win"]["tuned"] <= high <= 1
    assert kind.num_pieces(spec) == len(rows) == sum(kind.stages(spec))


@pytest.mark.usefixtures("dice")
def test_what_a_piece_does_follows_from_the_stages_before_alone() -> None:
    """In any order within a stage, and from rows of more than was needed, the rows are the same."""
    spec = study(deals=60, confirm=4)
    kind, rows, first = Tuning(), rows_of(spec), 0
    for size in kind.stages(spec):
        before = {index: row for index, row in rows.items() if index < first}
        for index in reversed(range(first, first + size)):
            assert kind.staged_piece(spec, index, before) == rows[index]
        first += size
    with pytest.raises(ValueError, match="no piece"):
        batch.stage_of(kind, spec, first)


@pytest.mark.usefixtures("dice")
def test_a_result_grows_with_its_rows() -> None:
    spec = study(deals=60, confirm=4)
    kind, rows = Tuning(), rows_of(spec)
    for number in range(len(rows) + 1):
        found = kind.result(spec, {index: rows[index] for index in range(number)})
        assert json.dumps(found, allow_nan=False)
        is_over = number >= sum(kind.stages(spec)[:-1])
        assert (found["tuned"] is not None) == is_over
        assert (found["confirmation"] is not None) == (number == len(rows) and found["tuned"] != 0)


@pytest.mark.usefixtures("dice")
def test_of_few_deals_all_of_which_were_won_the_rate_is_not_known_exactly() -> None:
    spec = study(deals=60, confirm=4)
    early = {index: row for index, row in rows_of(spec).items() if row["stage"] == 0}
    rates = [row["win"] for row in Tuning().result(spec, early)["candidates"]]
    assert any(rate["mean"] in (0, 1) for rate in rates), "there is such a candidate"
    assert all(0 <= low < high <= 1 for low, high in (rate["interval"] for rate in rates))


@pytest.mark.usefixtures("dice")
def test_a_start_that_wins_needs_no_confirmation() -> None:
    seats = [{"engine": "aimer", "options": {"aim": 0.3}}, {"engine": "dicer"}]
    spec = study(seats=seats, values=[{"name": "aim", "low": 0.8, "high": 1}])
    found = Tuning().result(spec, rows := rows_of(spec))
    assert (found["tuned"], found["confirmation"]) == (0, None)
    assert all(row["deals"] == 0 for row in rows.values() if row["stage"] == 3)


@pytest.mark.usefixtures("dice")
def test_candidates_differ_and_lie_within_their_bounds() -> None:
    few = plan_of(study(values=[{"name": "tries", "low": 1, "high": 3}], candidates=8))
    assert sorted(row.values for row in few.candidates) == [(1,), (2,), (3,)], "there are no more"
    both = plan_of(study(values=[AIM, {"name": "tries", "low": 2, "high": 3}]))
    assert len({row.values for row in both.candidates}) == 8
    assert all(0 <= aim <= 1 and tries in (2, 3) for aim, tries in [row.values for row in both.candidates][1:])
    assert both.candidates[0].values == (0.9, 1), "the start may lie outside"


@pytest.mark.usefixtures("dice")
def test_against_itself_the_start_is_even() -> None:
    """Of equals both seats count, so what the first is worth cancels."""
    spec = study(seats=[{"engine": "aimer"}] * 2, deals=30, confirm=4)
    rows = rows_of(spec)
    assert all(set(row["margin"]) == {0.0} for row in rows.values() if row["candidate"] == 0 and row["deals"])


WRONG = [
    ({"values": []}, "values", "must be a list"),
    (
        {"values": [{"name": "wine", "low": 0, "high": 1}]},
        r"values\[0\]\.name",
        "wine is no number of .*: aim, tries",
    ),
    ({"values": [AIM | {"high": 2}]}, r"values\[0\]\.high", "within the bounds of aim, 0 to 1, not at 2"),
    ({"values": [AIM | {"low": 1}]}, r"values\[0\]\.high", "must be above 1"),
    ({"values": [AIM | {"scale": "log"}]}, r"values\[0\]\.low", "above 0 on a logarithmic scale"),
    ({"values": [AIM, AIM]}, r"values\[1\]\.name", "is there twice"),
    ({"values": [{"name": "tries", "low": 1.5, "high": 3}]}, r"values\[0\]\.low", "must be a whole number"),
    ({"places": [0, 1]}, "places", "must be a list"),
    ({"places": [2]}, r"places\[0\]", "from 0 to 1"),
    ({"candidates": 1}, "candidates", "from 2 to 64"),
]


@pytest.mark.usefixtures("dice")
@pytest.mark.parametrize(("changes", "place", "message"), WRONG)
def test_a_wrong_parameter_is_named(changes: dict[str, Any], place: str, message: str) -> None:
    with pytest.raises(SpecError, match=rf"^parameters\.{place}: .*{message}"):
        study(**changes)


def test_values_are_written_as_people_do() -> None:
    rows = tuned_values.parse("c 0.1 to 100 log; epsilon 0 to 0.5")
    assert [(row["name"], row["low"], row["high"], row["scale"]) for row in rows] == [
        ("c", 0.1, 100, "log"),
        ("epsilon", 0, 0.5, "natural"),
    ]
    assert tuned_values.spell(rows) == "c 0.1 to 100 log, epsilon 0 to 0.5"
    for wrong in ("c", "c 1 bis 2", "c 1 to 1e999", "c 1-2 to 3", "c 1 to 2 ln"):
        with pytest.raises(SpecError, match=r"must be like c 0\.1 to 100 log"):
            tuned_values.parse(wrong)
    with pytest.raises(SpecError, match=r"^values: nonsense is no number of UCT"):
        Tuning().complete_parameters(game_registry.get("kingdomino"), {"values": "nonsense 1 to 2"})


@pytest.mark.slow
def test_the_exploration_constant_of_a_real_engine_is_tuned() -> None:
    """UCT of Kingdomino that starts at C = 128 gains points by a smaller one (`docs/findings/sweeps.md`)."""
    uct = {"engine": "uct", "options": {"c": 128.0}, "budget": {"simulations": 80}}
    flat = {"engine": "flat_mc", "budget": {"playouts_per_action": 2}}
    values = [{"name": "c", "low": 0.1, "high": 200, "scale": "log"}]
    given = {"seats": [uct, flat], "values": values, "candidates": 16, "deals": 800, "confirm": 400}
    data = {"version": 1, "study": "tuning", "game": "kingdomino", "parameters": given, "seed": 4}
    spec = specs.from_json(data)
    found = Tuning().result(spec, rows_of(spec))
    low, high = found["confirmation"]["margin"]["interval"]
    assert low > 0
    assert high - low < 4, "a deal of two matches deviates by about 12.5 points between both"
    assert 0.5 < found["candidates"][found["tuned"]]["values"]["c"] < 40
