"""What games and engines do now, in the form of `results.json`: matches, metrics, decisions."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from engines import levels, named_engines, registry
from engines.protocol import Budget, Decision
from games import registry as game_registry
from games import rng
from games.protocol import Game, State
from tests.engines import deciding
from tests.games import walks
from tests.games.samples import sample_of
from worker.course import Course

SEEDS = (1, 2)
POSITIONS = 3
FEW = 40
"""Playouts, simulations or nodes of a level's decision."""

Row = dict[str, Any]


def games() -> dict[str, Row]:
    """Version, metrics and random matches of every game."""
    return {game_id: _game(game_registry.get(game_id)) for game_id in game_registry.ids()}


def _game(game: Game) -> Row:
    return {
        "version": game.version,
        "metrics": {metric.id: metric.unit for metric in game.metric_table},
        "matches": {name: _match(game, *course) for name, *course in _courses(game)},
    }


def _courses(game: Game) -> Iterator[tuple[str, int, Mapping[str, Any], int]]:
    """Name, seats, options and seed of the matches: all seats, rules that are rich, rules that are rare."""
    for seats in walks.seat_counts(game):
        for seed in SEEDS:
            yield f"{seats} seats, seed {seed}", seats, {}, seed
    sample = sample_of(game.id)
    further = [sample.rich_options] if sample.rich_options else []
    for n, options in enumerate([*further, *(options for options, _ in sample.rare)], 1):
        yield f"rules {n}", walks.usual_seats(game), options, SEEDS[0]


def _match(game: Game, seats: int, options: Mapping[str, Any], seed: int) -> Row:
    """A match of random actions, with all that `manage.py verify` compares; metrics of 0 are left out."""
    course = Course(game, options, seats, deal_seed=seed)
    r, words = rng.new_stream(seed, rng.ANALYSIS), hashlib.sha256()
    while not game.is_terminal(course.state):
        legal = game.legal_actions(course.state)
        action = int(legal[rng.below(r, len(legal))])
        words.update(f"{course.player} {len(legal)} {game.notation(course.state, action)}\n".encode())
        course.advance(action)
    return {
        "plies": course.ply,
        "digest": course.digest,
        "words": words.hexdigest()[:16],
        "scores": list(game.scores(course.state)),
        "ranks": list(game.ranks(course.state)),
        "metrics": [{name: value for name, value in row.items() if value} for row in game.metrics(course.state)],
    }


def engines(*, is_whole: bool) -> dict[str, Row]:
    """Version and decisions of every engine, by game, and the options that it was given for them.

    is_whole: with those of levels and named engines.
    """
    found: dict[str, Row] = {id_: {"version": registry.get(id_).version, "games": {}} for id_ in registry.ids()}
    for engine_id, game_id in deciding.pairs():
        if game_id in game_registry.ids():
            found[engine_id]["games"][game_id] = {
                "version": game_registry.get(game_id).version,
                "given": {"as it begins": registry.defaults(engine_id, game_registry.get(game_id))},
                "decisions": {"as it begins": _decisions(game_id, engine_id, None, None)},
            }
    if is_whole:
        for game_id in game_registry.ids():
            for name, engine_id, options, budget in _configurations(game_id):
                row = found[engine_id]["games"][game_id]
                row["given"][name] = options
                row["decisions"][name] = _decisions(game_id, engine_id, options, budget)
    return found


def _configurations(game_id: str) -> Iterator[tuple[str, str, Mapping[str, Any], Budget]]:
    """Levels and named engines of a game that have a count as their budget, with a small one."""
    one: levels.Level | named_engines.NamedEngine
    for one in (*levels.for_game(game_id), *named_engines.for_game(game_id)):
        name = f"{'level' if isinstance(one, levels.Level) else 'named'} {one.id}"
        budget = {key: min(amount, FEW) for key, amount in one.budget.items() if not key.startswith("seconds")}
        if budget or not one.budget:
            yield name, one.engine, one.options, Budget.from_json(budget)


def _decisions(game_id: str, engine_id: str, options: Mapping[str, Any] | None, budget: Budget | None) -> list[Row]:
    game = walks.game_of(game_id)
    seats = game.traits.max_seats if options is None else walks.usual_seats(game)
    states = walks.some([s for s in walks.turns(game_id, seats) if len(game.legal_actions(s)) > 1], POSITIONS)
    return [
        _row(game, state, deciding.decide(engine_id, game_id, state, budget, seed=seed, options=options))
        for seed, state in enumerate(states, 1)
    ]


def _row(game: Game, state: State, decision: Decision) -> Row:
    """A decision and the position that it is of; the table as two sums over its actions."""
    table = decision.table
    row: Row = {"position": game.key(state), "action": decision.action, "value": decision.value}
    row |= {"work": [decision.playouts, decision.nodes, decision.depth], "line": list(decision.line)}
    if table is not None:
        values = np.nan_to_num(table.values) @ np.arange(1, len(table.values) + 1)
        row |= {"values": float(values), "visits": int(table.visits @ np.arange(1, len(table.visits) + 1))}
    return row


def same(kept: Any, found: Any) -> bool:
    """Whether two results are the same: numbers with a point to nine digits, since processors round differently."""
    if isinstance(kept, float) and isinstance(found, float):
        return math.isclose(kept, found, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(kept, list) and isinstance(found, list):
        return len(kept) == len(found) and all(map(same, kept, found))
    if isinstance(kept, dict) and isinstance(found, dict):
        return kept.keys() == found.keys() and all(same(value, found[name]) for name, value in kept.items())
    return bool(kept == found)
