"""Counts in place of seconds, with an engine whose speed is known."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.protocol import Decision
from tests.worker import fakes
from worker import spec as specs
from worker.__main__ import main
from worker.planning import equal_time
from worker.planning.equal_time import Measurement
from worker.spec import ExperimentSpec
from worker.stats.tables import InputError

HOW = Measurement("ply", matches=2, probe_s=0.5, driver="taker")


@pytest.fixture
def clocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the weigher take seconds, and make 100 playouts a second for each ply that was made (2 seats, 3 turns)."""

    def choose(self: Any, game: Any, view: Any, seat: int, budget: Any, rng: Any) -> Decision:
        assert budget.seconds_per_ply == 0.5
        left = int(clocks.pop(0))
        return Decision(0, playouts=50 * left, cpu_s=0.5)

    clocks = [1, 2, 3, 4, 5, 6] * 2
    monkeypatch.setattr(fakes.Weigher, "budgets", ("playouts", "seconds_per_ply"))
    monkeypatch.setattr(fakes.Weigher, "choose", choose)


def made(dice: Any, *seats: Any, **changes: Any) -> ExperimentSpec:
    return specs.from_json(dice(seats, **changes))


@pytest.mark.usefixtures("clocked")
def test_seconds_become_counts_at_the_speed_of_each_ply(dice: Any) -> None:
    seconds = {"engine": "weigher", "budget": {"seconds_per_ply": 0.1}}
    spec = equal_time.with_counts(made(dice, seconds, "taker", deals=3), HOW)
    budget = spec.arms[0].seats[0].budget.to_json()
    assert budget == {"playouts": {"by": "ply", "counts": [10, 20, 30, 40, 50, 60]}}
    assert spec.arms[0].seats[1].budget.to_json() == {}
    assert specs.from_json(json.loads(json.dumps(specs.to_json(spec)))) == spec


@pytest.mark.usefixtures("clocked")
def test_a_count_that_stood_beside_the_seconds_still_limits(dice: Any) -> None:
    seconds = {"engine": "weigher", "budget": {"seconds_per_ply": 0.1, "playouts": 25}}
    spec = equal_time.with_counts(made(dice, seconds, "taker", deals=3), HOW)
    assert spec.arms[0].seats[0].budget.to_json()["playouts"]["counts"] == [10, 20, 25, 25, 25, 25]


def test_a_ply_that_was_not_measured_has_the_count_of_the_one_before() -> None:
    assert equal_time.counts({2: 30.0, 4: 200.0}, 0.1, "round").counts == (3, 3, 3, 20)
    assert equal_time.counts({1: 0.5}, 0.1, "ply").counts == (1,), "one at least"


def test_what_has_no_seconds_or_no_rounds_is_refused(dice: Any) -> None:
    spec = made(dice, "weigher", "taker")
    with pytest.raises(InputError, match="no seat has seconds_per_ply"):
        equal_time.with_counts(spec, HOW)
    with pytest.raises(InputError, match="Dice has no rounds: use --by ply"):
        equal_time.with_counts(spec, Measurement("round", 1, 0.1))


def test_the_command_prints_a_spec_that_is_read_again(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Real playouts: more a second at the end of a match than at its beginning."""
    seat = {"engine": "flat_mc", "budget": {"seconds_per_ply": 0.5}}
    arm = {"name": "one", "seats": [seat, {"engine": "scripted", "options": {"policy": "random"}}]}
    data = {"version": 1, "game": "carcassonne", "seats": 2, "arms": [arm], "deals": 1, "seed": 5}
    (tmp_path / "spec.json").write_text(json.dumps(data))
    assert main(["counts", str(tmp_path / "spec.json"), "--by", "ply", "--matches", "1", "--probe", "0.001"]) == 0
    found = specs.from_json(json.loads(capsys.readouterr().out)).arms[0].seats[0].budget.to_json()
    assert list(found) == ["playouts"]
    counts = found["playouts"]["counts"]
    assert len(counts) > 60
    assert sum(counts[-10:]) > 2 * sum(counts[:10])
    assert main(["counts", str(tmp_path / "spec.json"), "--by", "round"]) == 2
    assert "Carcassonne has no rounds" in capsys.readouterr().err
