"""Size of a game (Heyden 2009, chapter 3): branching, game tree, state space.

Parameters: `matches` played by `player` (an engine with options and budget in every seat), and
`populations` of `paths` random paths each, for the game tree and, where the game's boards are
modelled, for its boards. A piece is one match or one population.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from engines import registry as engine_registry
from engines.driver import budget_at
from games import registry as game_registry
from games import rng
from games.options import option
from games.protocol import CHANCE, TERMINAL, Game, Rng, State
from worker import estimate, spec
from worker.fields import Field
from worker.spec import SpecError
from worker.studies import boards, form, meeples, populations, sizes
from worker.studies.protocol import StudySpec

KNOWN_GAMES = Path(__file__).parent / "data" / "known_games.json"
PLAYERS = {
    "star_1": {"engine": "expectimax", "options": {}, "budget": {"depth": 1}},
    "star_2": {"engine": "expectimax", "options": {}, "budget": {"depth": 2}},
    "greedy": {"engine": "scripted", "options": {"policy": "greedy"}},
    "usual": {"engine": "scripted"},
    "random": {"engine": "random"},
}
"""Configurations that a spec may name; which of them a game has, `players` says."""
BOARDS = ("carcassonne",)
"""Games whose boards `worker.studies.boards` counts."""
TREE, BOARD = 1, 2
"""Purposes of the streams of populations."""
TREE_STEP_S, BOARD_STEP_S = 1.1e-4, 3.7e-4
"""CPU seconds of one step of one path (of one core of 2026)."""


@dataclass(frozen=True)
class Options:
    """Fields of the form."""

    matches: int = option(200, "Matches", "Played to count legal actions.", minimum=1, maximum=20_000)
    player: str = option(
        "star_1",
        "Player",
        "Who plays them, in every seat; the thesis had *-Minimax at depth 3.",
        choices=(
            ("star_1", "Star2.5, depth 1"),
            ("star_2", "Star2.5, depth 2"),
            ("greedy", "greedy"),
            ("usual", "the game's usual policy"),
            ("random", "random"),
        ),
    )
    populations: int = option(
        16, "Populations", "Each estimates the whole tree, and the boards, once.", minimum=0, maximum=1_000
    )
    paths: int = option(200, "Paths", "Random paths of a population.", minimum=2, maximum=1_000)


class Complexity:
    """Size of tree and state space; see `worker.studies.protocol.StudyKind`."""

    id = "complexity"
    version = "1"
    label = "Complexity"
    summary = "How many actions there are at each ply, and how large game tree and state space are."
    row_fields: Mapping[str, Field] = {
        "kind": Field("“match”, “tree” or “boards”: what the piece looked at.", "string"),
        "branching": Field("Of a match: legal actions at each ply.", "json", "actions"),
        "outcomes": Field("Of a match: outcomes that the draws before each ply could have had.", "json", "outcomes"),
        "levels": Field(
            "Of a population: decimal logarithm of the number of nodes at each depth.", "json", "powers of ten"
        ),
        "marked": Field("The same of boards with all ways to place meeples on them.", "json", "powers of ten"),
        "leaves": Field("Decimal logarithm of the number of nodes that go no further.", "double", "powers of ten"),
    }
    options = Options

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults and the player's configuration. Raises SpecError naming the place."""
        if game.traits.has_hidden_information or (game.traits.has_chance and not game.traits.chance_is_listable):
            raise SpecError((), f"{game.label} does not list all that may happen, so its tree cannot be counted")
        player = parameters.get("player", next(iter(players(game))))
        numbers = {key: value for key, value in parameters.items() if key != "player" or isinstance(value, str)}
        chosen = form.read_options(Options, numbers)
        return {
            "matches": chosen.matches,
            "player": _written_out(PLAYERS[player] if isinstance(player, str) else player, game),
            "populations": chosen.populations,
            "paths": chosen.paths,
        }

    def to_form(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What the form would say for these parameters. Raises SpecError where it cannot."""
        for name, player in players(game).items():
            if player == parameters["player"]:
                return {**parameters, "player": name}
        raise SpecError((), "its player is none that the form offers")

    def list_choices(self, game: Game) -> dict[str, tuple[str, ...]]:
        """The players that a form offers for this game, the one that it begins with first."""
        return {"player": tuple(players(game))}

    def num_pieces(self, study: StudySpec) -> int:
        """Matches, then populations of the tree, then those of boards."""
        return len(_matches(study)) + len(_trees(study)) + len(_boards(study))

    def seconds(self, study: StudySpec) -> float:
        """Playing and growing."""
        game = game_registry.get(study.game)
        cost, seats = game.costs, game.traits.min_seats
        ply = cost.ply_s + estimate.thinking_s(
            cost, spec.seat_from_json(study.parameters["player"], (), game.id), seats
        )
        steps = cost.plies * study.parameters["paths"]
        growing = len(_trees(study)) * TREE_STEP_S + len(_boards(study)) * BOARD_STEP_S
        return float(len(_matches(study)) * cost.plies * ply + steps * growing)

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Play a match or grow a population. Raises what the engine raises."""
        game = game_registry.get(study.game)
        if index in _matches(study):
            return _match(game, study, index)
        paths = study.parameters["paths"]
        if index in _trees(study):
            r = rng.new_stream(study.seed, rng.ANALYSIS, TREE, index)
            return _row("tree", tree_size(game, paths, r))
        return _row("boards", boards.count(game, paths, rng.new_stream(study.seed, rng.ANALYSIS, BOARD, index)))

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Branching, tree, states, and what is known of other games (see `worker.studies.sizes`)."""
        in_order = [rows[index] for index in sorted(rows)]
        of_kind = {kind: [row for row in in_order if row["kind"] == kind] for kind in ("match", "tree", "boards")}
        has_boards = study.game in BOARDS
        return {
            "player": study.parameters["player"],
            "branching": sizes.branching(of_kind["match"]),
            "tree": sizes.tree(of_kind["match"], of_kind["tree"]),
            "states": sizes.states(of_kind["boards"]) if has_boards else None,
            "shapes": sizes.shapes() if has_boards else None,
            "games": known_games()["games"],
            "published": known_games().get(study.game),
        }


def players(game: Game) -> dict[str, dict[str, Any]]:
    """Players of `PLAYERS` that play this game, written out; of two that are the same the first."""
    found: dict[str, dict[str, Any]] = {}
    for name, player in PLAYERS.items():
        try:
            whole = _written_out(player, game)
        except SpecError:  # an engine or a policy that this game lacks
            continue
        if whole not in found.values():
            found[name] = whole
    return found


def _written_out(player: Any, game: Game) -> dict[str, Any]:
    """An engine configuration with all its defaults. Raises SpecError naming the place."""
    return spec.seat_to_json(spec.seat_from_json(player, ("player",), game.id))


@cache
def known_games() -> dict[str, Any]:
    """Published complexities of games, with their sources."""
    data: dict[str, Any] = json.loads(KNOWN_GAMES.read_text(encoding="utf-8"))
    return data


def _matches(study: StudySpec) -> range:
    return range(study.parameters["matches"])


def _trees(study: StudySpec) -> range:
    first = study.parameters["matches"]
    return range(first, first + study.parameters["populations"])


def _boards(study: StudySpec) -> range:
    first = _trees(study).stop
    return range(first, first + (study.parameters["populations"] if study.game in BOARDS else 0))


def _match(game: Game, study: StudySpec, index: int) -> dict[str, Any]:
    """Play one match; legal actions at each ply, and outcomes of the draws before it."""
    player = spec.seat_from_json(study.parameters["player"], ("player",), game.id)
    engine = engine_registry.make(player.engine, player.options)
    state = game.initial_state(game.options(), game.traits.min_seats)
    luck, thought = rng.new_stream(study.seed, rng.DEAL, index), rng.new_stream(0, rng.SEARCH)
    branching: list[int] = []
    outcomes: list[int] = []
    waiting = 1
    while (seat := game.current_player(state)) != TERMINAL:
        if seat == CHANCE:
            waiting *= len(game.chance_outcomes(state)[0])
            state = game.apply(state, game.sample_chance(state, luck))
            continue
        legal = game.legal_actions(state)
        rng.stream(thought, study.seed, rng.SEARCH, index, seat, len(branching))
        view = state.copy() if engine.peeks else game.view(state, seat)
        budget = budget_at(player.budget, game, state, len(branching) + 1)
        decision = engine.choose(game, view, seat, budget, thought)
        branching.append(len(legal))
        outcomes.append(waiting)
        waiting = 1
        state = game.apply(state, int(decision.action))
    return {"kind": "match", "branching": branching, "outcomes": outcomes}


def tree_step(game: Game, state: State, r: Rng) -> tuple[float, State]:
    """One ply down the tree at random: what chance does (each outcome alike), then an action."""
    factor = 1
    while (player := game.current_player(state)) == CHANCE:
        outcomes = game.chance_outcomes(state)[0]
        factor *= len(outcomes)
        state = game.apply(state, int(outcomes[rng.below(r, len(outcomes))]))
    if player == TERMINAL:
        return 0.0, state
    actions = game.legal_actions(state)
    return float(factor * len(actions)), game.apply(state, int(actions[rng.below(r, len(actions))]))


def tree_size(game: Game, paths: int, r: Rng) -> populations.Count:
    """One estimate of the game tree; guided where the game has boards to go by."""
    start = game.initial_state(game.options(), game.traits.min_seats)
    if game.id in BOARDS:
        guess = lambda state: meeples.promise(game, state)
        return populations.count(start, lambda state, r: meeples.step(game, state, r), paths, r, promise=guess)
    return populations.count(start, lambda state, r: tree_step(game, state, r), paths, r)


def _row(kind: str, count: populations.Count) -> dict[str, Any]:
    return {"kind": kind, "levels": list(count.levels), "marked": list(count.marked), "leaves": count.leaves}
