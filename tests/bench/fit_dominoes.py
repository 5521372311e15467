"""Fits how seats play and what positions are worth to self-play: ``python -m tests.bench.fit_dominoes``.

*Manner* (the playout policy): a conditional logit of the moves that a search of many worlds likes, phase by phase.
*Value* (`worlds.fitted_value`): least squares of the points that rounds played by that manner came to.
Every tenth round is held out of both fits; `fitted.json` says how well they hold there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from games import registry, rng
from games.dominoes import state as layout
from games.dominoes.search import compilation, fitted_weights, playout_policy, valuations, workspace
from games.dominoes.search.hands import DominoHands
from games.dominoes.search.pimc import ManyWorlds
from games.hands import Sampling, Valuation
from games.protocol import CHANCE, Game, State

HELD_OUT = 10
"""Every so many-th round is held out."""
SOFTNESS = 2.0
"""Points by which a move may be worse and still be liked 1 / e as much."""
PENALTY = 1.0
RIDGE = 10.0
SHARPNESS = 4.0
"""How surely the tile that appeals most is laid, in rounds that values are fitted to."""
Rows = NDArray[np.float64]


@dataclass(frozen=True)
class Choice:
    """A decision: terms of its actions, what the search thinks of each, and the phase."""

    round: int
    terms: Rows
    liked: NDArray[np.float64]
    best: int
    phase: int


def _start(game: Game, number: int, seed: int) -> State:
    """A round after its deal, opened by any seat with any tile."""
    options = game.options(length="round", first_opener="any")
    deal = game.deal(options, layout.MAX_SEATS, rng.new_stream(seed, rng.DEAL, number))
    state = game.initial_state(options, layout.MAX_SEATS)
    while game.current_player(state) == CHANCE:
        state = game.apply(state, deal.draw(state))
    return state


def choices(game: Game, rounds: int, worlds: int, seed: int) -> Iterator[Choice]:
    """Decisions of rounds in which a search of so many worlds plays every seat."""
    kernels = compilation.compile_searches(game.kernels())
    hands, sampling = DominoHands(), Sampling(playouts=1)
    for number in range(rounds):
        state = _start(game, number, seed)
        while (seat := game.current_player(state)) >= 0:
            actions = hands.sorted_actions(game.legal_actions(state))
            action = int(actions[0])
            if len(actions) > 1:
                draws = rng.mix(seed, number, int(state[layout.NUM_TURNS])) >> 1
                view = game.view(state, seat)
                run = ManyWorlds(kernels, view, seat, actions, sampling, draws)
                run.add(0, worlds)
                found, _ = run.means()
                action = int(actions[found.argmax()])
                yield _choice(kernels, view, actions, found, number)
            state = game.apply(state, action)


def _choice(kernels: Any, view: State, actions: Any, found: Any, number: int) -> Choice:
    seat = int(view[layout.PLAYER])
    out = playout_policy.terms(kernels, view, seat, actions)
    liked = np.exp((found - found.max()) / SOFTNESS)
    phase = int(kernels.playout_policy.phase_of(int(view[layout.COUNT + seat])))
    return Choice(number, out, liked / liked.sum(), int(found.argmax()), phase)


def fit_manner(kernels: Any, made: list[Choice]) -> dict[str, Any]:
    """Weights of every phase, and how they hold on the rounds held out."""
    own = [choice for choice in made if choice.round % HELD_OUT]
    fitted = np.array(
        [
            _logit([choice for choice in own if choice.phase == phase], kernels.playout_policy.TERMS)
            for phase in range(kernels.playout_policy.PHASES)
        ]
    )
    return {"weights": fitted.round(4).tolist(), **_held_out(fitted, [c for c in made if c.round % HELD_OUT == 0])}


def _padded(made: list[Choice], terms: int) -> tuple[Rows, Rows, NDArray[np.bool_]]:
    """Terms [choice, action, term], liking [choice, action], and which actions there are."""
    most = max(len(choice.terms) for choice in made)
    rows, liked = np.zeros((len(made), most, terms)), np.zeros((len(made), most))
    for i, choice in enumerate(made):
        rows[i, : len(choice.terms)], liked[i, : len(choice.terms)] = choice.terms, choice.liked
    there = np.arange(most)[None, :] < np.array([len(choice.terms) for choice in made])[:, None]
    return rows, liked, there


def _logit(made: list[Choice], terms: int) -> NDArray[np.float64]:
    rows, liked, there = _padded(made, terms)

    def loss(p: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        appeal = np.where(there, rows @ p, -np.inf)
        top = appeal.max(axis=1, keepdims=True)
        share = np.exp(appeal - top)
        total = share.sum(axis=1, keepdims=True)
        logs = np.where(there, appeal - top - np.log(total), 0.0)
        slope = np.einsum("ca,cat->t", share / total - liked, rows)
        return float(-(liked * logs).sum() + PENALTY * p @ p / 2), slope + PENALTY * p

    found = optimize.minimize(loss, np.zeros(terms), jac=True, method="L-BFGS-B")
    return np.asarray(found.x, np.float64)


def _held_out(fitted: Rows, made: list[Choice]) -> dict[str, Any]:
    """Mean log-loss of the search's own choice, by the fit and by chance, and how often both choose alike."""
    losses, by_chance, alike = [], [], []
    for choice in made:
        appeal = choice.terms @ fitted[choice.phase]
        losses.append(float(np.log(np.exp(appeal - appeal[choice.best]).sum())))
        by_chance.append(float(np.log(len(appeal))))
        alike.append(float(appeal.argmax() == choice.best))
    means = [round(float(np.mean(values)), 4) for values in (losses, by_chance, alike)]
    return {"choices": len(made), "log_loss": means[0], "log_loss_by_chance": means[1], "alike": means[2]}


def fit_value(game: Game, rounds: int, seed: int) -> dict[str, Any]:
    """Weights of the value of a position, and its error on the rounds held out."""
    kernels = game.kernels()
    rows, points, numbers = _played(game, rounds, seed)
    is_own = numbers % HELD_OUT > 0
    full = np.hstack([rows, np.ones((len(rows), 1))])
    gram = full[is_own].T @ full[is_own] + RIDGE * np.eye(full.shape[1])
    fitted = np.linalg.solve(gram, full[is_own].T @ points[is_own])
    terms = kernels.worlds.TERMS
    pips = rows[:, [terms, 3 * terms]].sum(axis=1) - rows[:, [0, 2 * terms]].sum(axis=1)
    scale = float(pips[is_own] @ points[is_own] / (pips[is_own] @ pips[is_own]))
    errors = {"fitted": full @ fitted, "pips": pips, "pips_scaled": scale * pips, "nothing": 0.0 * pips}
    return {
        "weights": fitted.round(4).tolist(),
        "positions": int((~is_own).sum()),
        "pips_scale": round(scale, 4),
        **{
            f"rms_error_{name}": round(float(np.sqrt(np.mean((points - guess)[~is_own] ** 2))), 3)
            for name, guess in errors.items()
        },
    }


def _played(game: Game, rounds: int, seed: int) -> tuple[Rows, NDArray[np.float64], NDArray[np.int64]]:
    """Positions of rounds played by manner: terms, points that the round came to for the seat on turn, round."""
    kernels, p, found = compilation.compile_searches(game.kernels()), SHARPNESS * fitted_weights.playout_policy(), []
    rows, seats = np.zeros((layout.MAX_TURNS, 4 * kernels.worlds.TERMS)), np.zeros(layout.MAX_TURNS, np.int64)
    for number in range(rounds):
        state = _start(game, number, seed)
        w = workspace.words(kernels, state, Valuation())
        kernels.worlds.begin(state, w, *(int(word) for word in state[layout.HAND : layout.COUNT]))
        kernels.playout_policy.begin(state, w)
        n, value = kernels.playout_policy.record(state, w, p, rng.new_stream(seed, rng.SEARCH, number), rows, seats)
        signs = 1 - 2 * (seats[:n] & 1)
        found.append((rows[:n].copy(), signs * value / valuations.FINE, np.full(n, number)))
    return tuple(np.concatenate(columns) for columns in zip(*found, strict=True))  # type: ignore[return-value]


def main(arguments: list[str] | None = None) -> int:
    """Fit one of the two, print it, and with --keep put it into the data; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fit_dominoes", description=__doc__)
    parser.add_argument("what", choices=("manner", "value"))
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--worlds", type=int, default=400, help="of each decision of the search (manner)")
    parser.add_argument("--seed", type=int, default=2016)
    parser.add_argument("--keep", action="store_true", help="put the fit into the project's data")
    given = parser.parse_args(arguments)
    if given.rounds < HELD_OUT or given.worlds < 1:
        parser.error(f"--rounds must be {HELD_OUT} or more and --worlds 1 or more")
    game = registry.get("dominoes")
    if given.what == "manner":
        made = list(choices(game, given.rounds, given.worlds, given.seed))
        found = {"rounds": given.rounds, "worlds": given.worlds, **fit_manner(game.kernels(), made)}
    else:
        found = {"rounds": given.rounds, **fit_value(game, given.rounds, given.seed)}
    print(json.dumps(found))
    if given.keep:
        kept = {**fitted_weights.data(), given.what: found}
        fitted_weights.FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
