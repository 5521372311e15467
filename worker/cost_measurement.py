"""Measures what a ply takes apart from the engine's thinking (`games.costs`): ``python -m worker costs GAME``.

By the runner, kept nowhere: ply by ply, from decision to decision along a kernel, and whole by a kernel.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from games import bench, costs, garbage
from games import registry as game_registry
from games.cost_measurement import rounded
from games.costs import Costs
from games.protocol import Game
from worker import schedule
from worker import spec as specs
from worker.runner import play_match
from worker.spec import MatchSpec
from worker.whole_matches import players, registry
from worker.whole_matches.player import Filling

SEED = 2026
ROUNDS = 5
"""Slices of the time for one figure; the best counts, since others disturb the rest."""
MOST_MATCHES = 1_000_000
SEARCH = {"engine": "flat_mc", "options": {}, "budget": {"playouts": 20}}
"""What thinks between plies: its seconds are taken off, but code and data of it fill the caches, as in play."""


def add_to(commands: Any) -> None:
    """Add the command to the parser of ``python -m worker``."""
    command = commands.add_parser("costs", help="what a ply takes beside thinking, on which estimates rest")
    command.add_argument("game", choices=game_registry.ids(), metavar="GAME")
    command.add_argument("--seconds", type=_seconds, default=5.0, metavar="S", help="CPU seconds for each figure")
    command.add_argument("--write", action="store_true", help="keep them beside the rules")


def _seconds(text: str) -> float:
    if not 0 < (seconds := float(text)) <= bench.MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most {bench.MAX_SECONDS}")
    return seconds


def run(options: argparse.Namespace) -> str:
    """Measure; keep the figures where asked to; they as JSON."""
    game = game_registry.get(options.game)
    garbage.collect_seldom()
    measured = measure(game, options.seconds)
    if options.write:
        costs.store(game.folder, measured)
    return json.dumps({name: getattr(measured, name) for name in ("ply_s", "between_ply_s", "whole_ply_s")}, indent=2)


def measure(game: Game, seconds: float) -> Costs:
    """The game's figures with those of a ply measured anew."""
    policy_s = game.costs.policy_s(game.usual_policy)
    policy = {"engine": "scripted", "options": {"policy": game.usual_policy}, "budget": {}}
    by_ply = rounded(_ply_s(game, policy, seconds, is_by_ply=True) - policy_s)
    if registry.get(game.id) is None:
        return replace(game.costs, ply_s=by_ply, between_ply_s=None, whole_ply_s=None)
    seats = bench.usual_seats(game)
    fillings: Sequence[Filling]
    for fillings in ((game.usual_policy,) * seats, (None,) * seats):  # so that it is compiled, whoever played before
        game.kernels()
        players.note_missed(game, fillings, players.WORTH_S)
    whole = _ply_s(game, policy, seconds) - policy_s
    between = _ply_s(game, SEARCH, seconds)
    return replace(game.costs, ply_s=by_ply, between_ply_s=rounded(between), whole_ply_s=rounded(whole))


def _ply_s(game: Game, seat: dict[str, Any], seconds: float, *, is_by_ply: bool = False) -> float:
    """CPU seconds of a ply, without what a search says that it thought: the best of some slices."""
    best, matches = float("inf"), _matches(game, seat)
    play_match(next(matches), is_by_ply=is_by_ply)  # compiles and loads
    for _ in range(ROUNDS):
        spent = beside = 0.0
        plies = 0
        while spent < seconds / ROUNDS:
            record = play_match(next(matches), is_by_ply=is_by_ply)
            thought = sum(ply.cpu_s for ply in record.plies) if seat["budget"] else 0.0
            spent, beside, plies = spent + record.cpu_s, beside + record.cpu_s - thought, plies + record.num_plies
        best = min(best, beside / plies)
    return best


def _matches(game: Game, seat: dict[str, Any]) -> Iterator[MatchSpec]:
    seats = bench.usual_seats(game)
    spec = specs.from_json(
        {
            "version": specs.VERSION,
            "game": game.id,
            "seats": seats,
            "arms": [{"name": "one", "seats": [seat] * seats}],
            "deals": MOST_MATCHES,
            "seed": SEED,
            "record": "standard" if seat["budget"] else "matches",  # thinking is said of plies that are kept
        }
    )
    return schedule.match_specs(spec, 0, 0, spec.arm_matches(0))
