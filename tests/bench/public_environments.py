"""Steps a second of public environments of like games: a script for the Python that has them (`bench_environments`).

    PYTHON tests/bench/public_environments.py [--seconds S] [--carcassonne CHECKOUT]

A step is one decision of a random player: what may be done is asked, observed where the environment has observations,
one of it is played, and a match that is over begins anew. Prints a JSON line for each environment: name, rate per CPU
second, or why it could not be run. Imports nothing of the lab.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

SLICES = 5
Steps = Iterator[None]


def openspiel(name: str) -> Steps:
    """A game of OpenSpiel by its state: legal actions and observation tensor of the player on turn."""
    pyspiel = import_module("pyspiel")
    if name.startswith("python_"):
        import_module("open_spiel.python.games")
    game, draw = pyspiel.load_game(name), random.Random(1)
    has_tensor = game.get_type().provides_observation_tensor
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(draw.choices(outcomes, chances)[0])
                continue
            if has_tensor:
                state.observation_tensor(state.current_player())
            state.apply_action(draw.choice(state.legal_actions()))
            yield
        state.returns()


def catanatron() -> Steps:
    """Catanatron's environment of Gymnasium: one seat against a random player."""
    gymnasium = import_module("gymnasium")
    import_module("catanatron_gym")
    env, draw = gymnasium.make("catanatron_gym:catanatron-v1"), random.Random(1)
    while True:
        env.reset(seed=1)
        is_over = False
        while not is_over:
            _, _, ended, cut, _ = env.step(draw.choice(env.unwrapped.get_valid_actions()))
            is_over = ended or cut
            yield


def carcassonne(checkout: str) -> Steps:
    """wingedsheep's Carcassonne by its state, base game with farmers: it has neither observations nor rewards."""
    sys.path.insert(0, checkout)
    package = "wingedsheep.carcassonne"
    state_class = import_module(f"{package}.carcassonne_game_state").CarcassonneGameState
    actions = import_module(f"{package}.utils.action_util").ActionUtil
    updater = import_module(f"{package}.utils.state_updater").StateUpdater
    tiles = import_module(f"{package}.tile_sets.tile_sets").TileSet
    rules = import_module(f"{package}.tile_sets.supplementary_rules").SupplementaryRule
    draw = random.Random(1)
    random.seed(1)
    while True:
        state = state_class(tile_sets=[tiles.BASE], players=2, supplementary_rules=[rules.FARMERS])
        while not state.is_terminated():
            state = updater.apply_action(game_state=state, action=draw.choice(actions.get_possible_actions(state)))
            yield


def rate(steps: Steps, seconds: float) -> float:
    """Steps per CPU second: the best of some slices."""
    next(steps)
    best = 0.0
    for _ in range(SLICES):
        began, count, spent = time.process_time(), 0, 0.0
        while spent < seconds:
            for _ in range(10):
                next(steps)
            count += 10
            spent = time.process_time() - began
        best = max(best, count / spent)
    return best


def main() -> None:
    """Measure each environment that can be imported."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds of a slice")
    parser.add_argument("--carcassonne", default="", help="checkout of wingedsheep's Carcassonne")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    cases: list[tuple[str, Callable[[], Any]]] = [
        ("OpenSpiel backgammon (C++)", lambda: openspiel("backgammon")),
        ("OpenSpiel gin_rummy (C++)", lambda: openspiel("gin_rummy")),
        ("OpenSpiel python_block_dominoes", lambda: openspiel("python_block_dominoes")),
        ("catanatron-v1 (Gymnasium)", catanatron),
        ("wingedsheep's Carcassonne", lambda: carcassonne(arguments.carcassonne)),
    ]
    for name, make in cases:
        try:
            with contextlib.redirect_stdout(sys.stderr):  # one of them tells of every road
                found = rate(make(), arguments.seconds)
            print(json.dumps({"name": name, "rate": found}), flush=True)
        except Exception as error:
            print(json.dumps({"name": name, "why": f"{type(error).__name__}: {error}"}), flush=True)


if __name__ == "__main__":
    main()
