"""Lines from shallow to deep values: fitted by hand, stored, and what ChanceProbCut makes of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from engines import bench_positions, depth_models, registry
from engines.depth_models import Fit
from engines.protocol import Budget, Decision
from games import data_files, rng
from games.protocol import State
from tests.games import walks

GAME = walks.game_of("carcassonne")
FITS = (Fit("final", 1, 1, 2.0, 10.0, 3.0, 0.9, 50), Fit("final", 2, 1, 1.5, -4.0, 1.0, 0.9, 50))


def test_a_line_is_fitted_by_least_squares() -> None:
    # 2 v + 1 and residuals 1, -1, -1, 1, which neither a constant nor a slope takes away: sigma^2 = 4 / (4 - 2)
    found = depth_models._fit("final", 2, [0.0, 1.0, 2.0, 3.0], 1, [2.0, 2.0, 4.0, 8.0])
    assert (found.slope, found.offset) == (pytest.approx(2.0), pytest.approx(1.0))
    assert found.sigma == pytest.approx(math.sqrt(2), rel=1e-5)
    # deviations -1.5 .. 1.5 and -2, -2, 0, 4: 10 / sqrt(5 * 24)
    assert found.correlation == pytest.approx(10 / math.sqrt(120), rel=1e-5)
    assert (found.evaluation, found.depth, found.reduction, found.positions) == ("final", 2, 1, 4)


def test_what_one_seat_gains_the_other_loses() -> None:
    model = depth_models.model(FITS, 2.0)
    assert model[1].tolist() == [[0, 0, 0], [2.0, 10.0, 6.0], [1.5, -4.0, 2.0]]
    assert model[0].tolist() == [[0, 0, 0], [2.0, -10.0, 6.0], [1.5, 4.0, 2.0]]
    assert not depth_models.model((), 2.0).any()


def test_lines_of_carcassonne_are_stored_for_each_evaluation() -> None:
    for evaluation in GAME.evaluations:
        for reduction in (1, 2):
            fits = depth_models.load(GAME, evaluation, reduction)
            assert [(fit.depth, fit.reduction) for fit in fits] == [p for p in depth_models.PAIRS if p[1] == reduction]
            assert all(fit.correlation > 0.9 and 0 < fit.sigma < 500 for fit in fits)
    assert depth_models.load(walks.game_of("toy"), "final", 1) == ()


def decide(state: State, **options: Any) -> Decision:
    engine = registry.make("expectimax", {"algorithm": "star2.5", "killers": True, **options})
    seat = GAME.current_player(state)
    return engine.choose(GAME, state, seat, Budget(depth=2), rng.new_stream(1, rng.SEARCH))


def test_wide_error_bars_cut_nothing_and_none_at_all_cut_much() -> None:
    plain, wide, bold = [], [], []
    for state in bench_positions.states(GAME)[:4]:
        usual = decide(state)
        plain.append(usual.nodes)
        for threshold, nodes in ((100.0, wide), (0.0, bold)):
            found = decide(state, forward="chance_prob_cut", forward_threshold=threshold)
            nodes.append(found.nodes)
            if threshold:
                assert (found.action, found.value) == (usual.action, usual.value)
    assert wide == plain
    assert sum(bold) < 0.9 * sum(plain)


def test_more_than_two_seats_are_searched_without_it() -> None:
    state = walks.turns("carcassonne", 3)[20]
    assert decide(state, forward="chance_prob_cut", forward_threshold=0.0).nodes == decide(state).nodes


def test_a_search_without_a_fit_or_a_window_is_refused() -> None:
    forward = {"forward": "chance_prob_cut"}
    assert registry.make("expectimax", forward).refuses(GAME) is None
    assert "needs windows" in str(registry.make("expectimax", {**forward, "algorithm": "expectimax"}).refuses(GAME))
    assert "needs a fit" in str(registry.make("expectimax", {**forward, "evaluation": "own"}).refuses(GAME))


@pytest.mark.slow
def test_the_stored_lines_come_out_again() -> None:
    stored = data_files.path(GAME.folder, depth_models.NAME).read_text(encoding="utf-8")
    assert depth_models.text(GAME, depth_models.make(GAME)) == stored


def test_values_at_no_depth_are_those_of_the_evaluation() -> None:
    kernels, state = depth_models.kernels_of(GAME), bench_positions.states(GAME)[0]
    weights = kernels.weights(GAME.evaluations["final"])
    totals = np.zeros(kernels.rules.MAX_SEATS)
    kernels.rules.evaluation.evaluate(state, weights, totals)
    seat = GAME.current_player(state)
    assert depth_models._value(kernels, GAME, state, 0, weights) == totals[seat] - totals[1 - seat]
    assert depth_models._value(kernels, GAME, state, 1, weights) == decide_depth_one(state)


def decide_depth_one(state: State) -> float | None:
    """The engine's own value at depth 1, without bounds that could cut it off."""
    engine = registry.make("expectimax", {"bounds": "fixed", "bound": 1e9})
    return engine.choose(GAME, state, GAME.current_player(state), Budget(depth=1), rng.new_stream(1, rng.SEARCH)).value
