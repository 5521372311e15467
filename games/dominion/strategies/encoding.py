"""Strategies encoded as numbers, and the kernels that play them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import loader, readiness, rng
from games.dominion import cards
from games.dominion import state as layout
from games.dominion.strategies import form
from games.protocol import TERMINAL, Game, Rng, State
from games.strategies import Chooser, Data

TEMPLATE = Path(__file__).parent / "kernels" / "strategy.py"
ENGINE = "strategy"
"""The engine that plays strategies."""
STRATEGY = -1
"""Number in place of that of a policy, for `play` of the template."""
MAX_TALLY = form.MAX_RULES * len(form.LISTS)
_COMPARISONS, _QUANTITIES = tuple(form.COMPARISONS), tuple(form.QUANTITIES)


def bits(name: str) -> int:
    """The cards that a rule or condition names, or END."""
    if name == form.NOTHING:
        return 1 << layout.END
    return form.CLASSES[name] if name in form.CLASSES else 1 << cards.by_name()[name].number


def _condition(data: Data) -> list[int]:
    what = _QUANTITIES.index(data["what"])
    of = bits(data["card"]) if "card" in data else 0
    return [what, of, _COMPARISONS.index(data["is"]), data["number"]]


def code(data: Data) -> NDArray[np.int64]:
    """A checked strategy as the template reads it."""
    starts: list[int] = []
    body: list[int] = []
    first = 2 * len(form.LISTS)
    for name in form.LISTS:
        starts.append(first + len(body))
        for rule in data[name]:
            body += [bits(rule["card"]), len(rule["when"])]
            for condition in rule["when"]:
                body += _condition(condition)
    return np.array([*starts, *(len(data[name]) for name in form.LISTS), *body], np.int64)


def is_ready(game: Game) -> bool:
    """Whether strategies can be played at once; if not, what they need is being compiled from now on."""
    return readiness.is_ready(game.id, ENGINE, loader.rules(game.folder), loader.algorithm(TEMPLATE, game.folder))


def kernels(game: Game) -> ModuleType:
    """The template over the game's rules, compiled."""
    rules = game.kernels()
    module = loader.algorithm(TEMPLATE, game.folder, mode=readiness.usual_mode())

    def exercise() -> None:
        state, r = game.initial_state(game.options(), 2), rng.new_stream(0, rng.ANALYSIS)
        own = code(form.check_strategy({"version": 1, "name": "none", "buy": [{"card": form.NOTHING}]}))
        buffer, j = np.zeros(rules.MAX_ACTIONS, np.int32), np.zeros(1, np.int32)
        rules.settle(state, r, j)
        module.decide(own, state, np.zeros(MAX_TALLY, np.int64), r)
        state[layout.PLAYER] = TERMINAL
        tallies = (np.zeros(MAX_TALLY, np.int64), np.zeros(MAX_TALLY, np.int64))
        module.play(state, (own, own), (STRATEGY, STRATEGY), tallies, r, buffer, j)

    loader.ensure_loaded(module, exercise)
    return module


def chooser(game: Game, data: Data) -> Chooser:
    """The player that plays a checked strategy."""
    decide: Any = kernels(game).decide
    own, tally = code(data), np.zeros(MAX_TALLY, np.int64)

    def choose(view: State, r: Rng) -> int:
        return int(decide(own, view, tally, r))

    return choose
