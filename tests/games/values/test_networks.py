"""Networks as arrays: layout, and the kernel against a plain reading of the formula."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from games import loader, values
from games.values import KERNELS, loading, networks
from tests.games import walks

ROUNDED = 1e-12
"""Sums of thirty products of numbers about 1, added in another order."""
F, H = 5, 3


def drawn(hidden: int) -> np.ndarray:
    return np.random.default_rng(4).normal(size=networks.size(F, hidden))


@pytest.mark.parametrize("hidden", [0, H])
def test_the_kernel_reads_weights_as_the_layout_says(hidden: int) -> None:
    weights, x = drawn(hidden), np.array([1.5, 0.0, -2.0, 0.25, 3.0])
    network = networks.split(weights, F)
    by_hand = float(network.bias[0]) + sum(float(a * b) for a, b in zip(network.linear, x, strict=True))
    for h in range(hidden):
        unit = network.hidden_bias[h] + sum(network.hidden[f, h] * x[f] for f in range(F))
        by_hand += float(network.out[h] * max(0.0, unit))
    kernel = loader.template(KERNELS / "network.py", KERNELS, "test_network", "plain")
    assert kernel.forward(weights, x, F, np.empty(networks.MAX_HIDDEN)) == pytest.approx(by_hand, abs=ROUNDED)
    assert networks.forward(network, x[None])[0][0] == pytest.approx(by_hand, abs=ROUNDED)
    assert network.flat().tolist() == weights.tolist()


def test_a_length_tells_the_hidden_units() -> None:
    assert networks.hidden_units(F, networks.size(F, H)) == H
    for wrong in (networks.size(F, H) + 1, 3, networks.size(F, networks.MAX_HIDDEN + 1)):
        with pytest.raises(ValueError, match="no network over 5 features"):
            networks.hidden_units(F, wrong)


def test_scaling_there_and_back_leaves_every_value() -> None:
    network, rng = networks.split(drawn(H), F), np.random.default_rng(5)
    mean, scale, x = rng.normal(size=F), rng.uniform(0.5, 2.0, F), rng.normal(size=(7, F))
    there = networks.standardised(network, mean, scale)
    assert networks.forward(there, (x - mean) / scale)[0] == pytest.approx(networks.forward(network, x)[0], abs=ROUNDED)
    back = networks.rescaled(there, mean, scale)
    assert back.flat() == pytest.approx(network.flat(), abs=ROUNDED)


def test_sets_are_read_as_they_were_written(tmp_path: Path) -> None:
    weights, path = drawn(H), tmp_path / "x.json"
    text = values.text(F, weights)
    path.write_text(text)
    assert values.read(path).astype(np.float32).tolist() == weights.astype(np.float32).tolist()
    path.write_text(text.replace('"hidden": 3', '"hidden": 2'))
    with pytest.raises(AssertionError, match="another size"):
        values.read(path)


@pytest.mark.parametrize("game_id", walks.GAME_IDS)
def test_every_set_of_a_game_fits_its_features_and_has_a_log(game_id: str) -> None:
    game = walks.game_of(game_id)
    for name in game.values:
        assert game.value is not None
        weights = game.value.weights(name)
        kernels = loading.load(game.value, game.folder, False, "plain")
        networks.hidden_units(kernels.NUM_FEATURES, len(weights))
        assert game.value.path(name).with_name(f"{name}{values.LOG}").exists()
        with pytest.raises(KeyError):
            game.value.weights("nobody")
