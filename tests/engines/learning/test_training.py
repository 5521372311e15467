"""Training in rounds, on the toy: what it learns, and that it goes on where it was stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engines.learning import __main__ as command
from engines.learning import fitting, training
from engines.learning.self_play import Positions, Round, SelfPlay
from games import readiness, values
from games.values import networks
from tests.games import walks

GAME = walks.game_of("toy")


@pytest.fixture(autouse=True)
def plainly() -> Iterator[None]:
    """Undecorated kernels: compiling those of learning would cost more than all matches here."""
    with readiness.plainly():
        yield


CHANGES = {"matches": 60, "rounds": 3, "rate": 1.0}


def run(folder: Path, **changes: object) -> training.Run:
    plan = training.planned(GAME, 7, 2, {**CHANGES, **changes})
    return training.Run(GAME, plan, folder)


def test_a_training_that_was_stopped_ends_as_one_that_was_not(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole").go_on(lambda row: None)
    parts = []
    run(tmp_path / "parts", rounds=1).go_on(parts.append)
    gone_on = run(tmp_path / "parts")
    assert len(gone_on.rounds) == 1
    assert gone_on.go_on(parts.append).tolist() == whole.tolist()
    assert [row["played_by"] for row in parts] == ["greedy", "round 0", "round 1"]
    log = json.loads((tmp_path / "parts" / training.LOG).read_text())
    assert [row["round"] for row in log["rounds"]] == [0, 1, 2]
    assert log["plan"]["seed"] == 7
    assert log["cpu_s"] >= 0


def test_a_log_that_was_half_written_costs_its_round_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path, rounds=1).go_on(lambda row: None)
    whole = Path.write_text

    def half(path: Path, text: str, **given: str) -> int:
        if not path.name.startswith(training.LOG):
            return whole(path, text, **given)
        whole(path, text[: len(text) // 2], **given)
        raise OSError("no room")

    going_on = run(tmp_path, rounds=2)
    with monkeypatch.context() as changed:
        changed.setattr(Path, "write_text", half)
        with pytest.raises(OSError, match="no room"):
            going_on.go_on(lambda row: None)
    assert len(run(tmp_path).rounds) == 1


def test_a_folder_takes_one_training(tmp_path: Path) -> None:
    run(tmp_path, rounds=1).go_on(lambda row: None)
    with pytest.raises(ValueError, match="hidden differ"):
        run(tmp_path, hidden=3)
    with pytest.raises(ValueError, match="has no value"):
        training.planned(_Without(), 1, 1, {})


class _Without:
    label, value = "Nim", None


def test_what_is_learned_foretells_better_than_the_mean(tmp_path: Path) -> None:
    done = run(tmp_path, matches=500)
    done.go_on(lambda row: None)
    assert all(row["error"] < 0.85 * row["spread"] for row in done.rounds)


def test_final_points_are_learned_with_lambda_one_and_the_next_value_with_zero() -> None:
    weights = GAME.value.weights(GAME.values[0])
    final = _positions(1.0, weights)
    assert final.points.tolist() == final.finals.tolist()
    assert len(set(final.matches.tolist())) == 20
    short = _positions(0.0, weights)
    assert short.features.tolist() == final.features.tolist()
    last = short.plies == short.plies.max()  # the next thing that is known are the final points
    assert last.any()
    assert short.points[last].tolist() == short.finals[last].tolist()
    assert not np.array_equal(short.points, short.finals)


def _positions(trace: float, weights: values.Weights) -> Positions:
    play = SelfPlay(GAME, replace(GAME.value.training, trace=trace, rate=1.0))
    return play.play(Round(weights, 11, 20))


@pytest.mark.parametrize("game_id", ["toy", "toy_secret"])
def test_matches_do_not_depend_on_how_many_are_asked_for(game_id: str) -> None:
    game = walks.game_of(game_id)
    play = SelfPlay(game, replace(game.value.training, rate=1.0))
    weights = game.value.weights(game.values[0])
    many, few = play.play(Round(weights, 3, 12)), play.play(Round(weights, 3, 5))
    n = len(few.matches)
    assert many.features[:n].tolist() == few.features.tolist()
    assert many.points[:n].tolist() == few.points.tolist()


def test_gradients_are_those_of_centred_squares() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(40, 2, 3)), rng.normal(size=(40, 2))
    present = np.ones((40, 2), np.bool_)
    present[30:, 1] = False  # tables of one seat
    network = networks.split(rng.normal(size=networks.size(3, 4)), 3)

    def loss(weights: np.ndarray) -> float:
        r = networks.forward(networks.split(weights, 3), x.reshape(-1, 3))[0].reshape(y.shape) - y
        return float(0.5 * (r * fitting.centred(r, present)).sum() / present.sum())

    found, at = fitting._gradients(network, fitting.Tables(x, y, present)).flat(), network.flat()
    for k in range(len(at)):
        step = np.zeros(len(at))
        step[k] = 1e-5
        slope = (loss(at + step) - loss(at - step)) / 2e-5
        assert found[k] == pytest.approx(slope, abs=1e-6)  # error of a central difference with steps of 1e-5


def test_the_linear_part_is_found_exactly_where_there_is_nothing_else() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(3000, 2, 3))
    y = 4.0 + x @ np.array([1.0, -2.0, 0.5])
    matches = np.arange(3000)
    y[2000:, 1] = 1e6  # of seats that nobody has
    present = np.ones((3000, 2), np.bool_)
    present[2000:, 1] = False
    positions = Positions(x.astype(np.float32), y, y, matches, matches, present)
    fitted = fitting.fit(positions, 0, 1, 1)
    # the penalty shortens weights by a thousandth
    assert fitted.network.flat() == pytest.approx([4.0, 1.0, -2.0, 0.5], abs=0.01)
    assert fitted.error < 0.01 * fitted.spread


def test_tables_of_several_sizes_share_a_round() -> None:
    play = SelfPlay(GAME, replace(GAME.value.training, seats=2, more_seats=(3,), rate=1.0))
    found = play.play(Round(None, 5, 10))
    few = found.present.sum(axis=1) == 2
    assert set(found.matches[few].tolist()) == set(range(10))
    assert set(found.matches[~few].tolist()) == set(range(10, 20))
    assert not found.features[few, 2].any()
    assert found.features[~few, 2].any()
    fitted = fitting.fit(found, 2, 1, 1)
    assert fitted.error < fitted.spread


def test_positions_are_kept_from_the_last_random_ply_on() -> None:
    def plies(settle: float) -> list[int]:
        play = SelfPlay(GAME, replace(GAME.value.training, settle=settle, rate=1.0))
        return [int(ply) for ply in play.play(Round(None, 5, 200)).plies]

    assert min(plies(1.0)) == 1  # the first ply is the random one
    assert min(plies(0.0)) == 0
    assert np.mean(plies(0.2)) > np.mean(plies(1.0))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["--rounds", "0"], "--rounds: must be between 1 and"),
        (["--hidden", "65"], "--hidden: must be between 0 and 64, not '65'"),
        (["--rate", "all"], "--rate: must be between 0.001 and 1, not 'all'"),
        (["--evolve", "final", "--name", "mine"], "--name is of a value"),
    ],
)
def test_a_number_that_cannot_be_is_refused_before_a_match_is_played(
    given: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command.main(["carcassonne", *given])
    assert why in capsys.readouterr().err
