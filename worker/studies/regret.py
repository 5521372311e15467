"""Regret: points that players give away a decision, against the best action that deep paired playouts find.

Parameters: `players` (configurations with a name; without them the levels of the game), `positions` (how many),
`playouts` of every action in each of two comparisons, `policy` (by which all play on; without it the game's best quick
one), `seats` and `options` of the rules. A piece is one position.

Positions are those that the game has stored (`engines.bench_positions`), where they are of these seats and rules;
others, and what goes beyond them, are decisions drawn evenly from matches of that policy, which
acts at random once in ten plies. An action is worth the seat's mean margin in points if all play on by it
(`worker.action_values`), over worlds that the seat cannot tell apart and on the same luck for all actions.
Sequential halving over all legal actions leaves a few; these and all that the players chose are compared on
fresh luck, which names the best one; what each choice gives away against it is counted on luck that has chosen
nothing. So an equal choice costs exactly nothing, and on average no figure gains by luck; where the action called
best is not the best, regret comes out too small, and may fall below zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines import bench, bench_positions, levels
from engines.protocol import Budget
from games import options as option_tools
from games import registry as game_registry
from games import rng
from games.options import option
from games.protocol import CHANCE, TERMINAL, Game, State
from worker import estimate
from worker import spec as specs
from worker.action_values import action_playouts, best_actions
from worker.action_values.action_playouts import Playouts
from worker.action_values.best_actions import Effort
from worker.analysis.moments import Moments
from worker.analysis.rates import Share
from worker.fields import Field
from worker.spec import SpecError, checks
from worker.spec.agents import is_agent
from worker.studies import duels, form, sums, warm
from worker.studies.protocol import StudySpec

KEYS = {"players": False, "positions": False, "playouts": False, "policy": False, "seats": False, "options": False}
"""Parameter -> whether it must be there."""
FORM_KEYS = ("positions", "playouts", "policy")
PLAYER_KEYS = {"name": True, "engine": True, "options": False, "budget": False}
MAX_PLAYERS, MAX_POSITIONS, MAX_PLAYOUTS = 16, 10_000, 100_000
KEPT = 3
"""Actions that sequential halving leaves for the comparison."""
HALVING = 12
"""Playouts of halving for each legal action, on average, at least as many as `best_actions` asks for."""
RANDOM = 10
"""One ply in as many is played at random in the matches that positions are from."""
CALL_S = 1.5e-5
"""Calling one playout."""
HALVED, CHOSEN, JUDGED = range(3)
"""Draws of a position, each with luck of its own."""


@dataclass(frozen=True)
class Options:
    """Fields of the form; the players are the levels of the game. policy: none where it is empty."""

    positions: int = option(50, "Positions", "Decisions looked at.", minimum=2, maximum=MAX_POSITIONS)
    playouts: int = option(
        1000, "Playouts", "Of each action that is compared, on fresh luck.", minimum=20, maximum=MAX_PLAYOUTS
    )
    policy: str = option(
        "",
        "Judged by",
        "The policy by which all play on after an action: it is worth what they make of it.",
        choices=(("", "the best quick one"),),
        names="policies",
    )


class Regret:
    """Points given away a decision; see `worker.studies.protocol.StudyKind`."""

    id = "regret"
    version = "1"
    label = "Regret a decision"
    summary = "How many points a game's levels give away a decision, against the best action that playouts find."
    row_fields: Mapping[str, Field] = {
        "position": Field("Number of the position, from 0."),
        "ply": Field("Plies made before it.", unit="plies"),
        "num_legal": Field("Actions that were legal.", unit="actions"),
        "best": Field("The best action found, in the notation of the game.", "string"),
        "actions": Field("By player: the action chosen, in the notation of the game.", "json"),
        "losses": Field("By player: points given away, of which luck has chosen none.", "json", "points"),
    }
    options = Options

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults. Raises SpecError naming the place."""
        fields = checks.object_of(parameters, (), KEYS)
        given = {key: fields[key] for key in FORM_KEYS if key in fields}
        chosen, traits = form.read_options(Options, given), game.traits
        if traits.max_seats < 2:
            raise SpecError((), f"{game.label} is played alone: there is no margin to lose")
        fewest = max(2, traits.min_seats)
        seats = checks.whole_number(fields.get("seats", fewest), ("seats",), fewest, traits.max_seats)
        by = {"policy": checks.one_of(chosen.policy, ("policy",), tuple(game.policies))} if chosen.policy else {}
        return {
            "players": _players(game, fields.get("players") or _levels(game)),
            "positions": chosen.positions,
            "playouts": chosen.playouts,
            **by,
            "seats": seats,
            "options": specs.rules_from_json(fields.get("options", {}), game, seats),
        }

    def to_form(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What the form would say for these parameters. Raises SpecError where it cannot."""
        asked = {key: parameters[key] for key in FORM_KEYS if key in parameters}
        if self.complete_parameters(game, asked) != parameters:
            raise SpecError((), "its players, seats or rules are none that the form offers")
        return {"policy": ""} | asked

    def list_choices(self, game: Game) -> dict[str, tuple[str, ...]]:
        """The policies of a game."""
        return {"policy": ("", *game.policies)}

    def num_pieces(self, study: StudySpec) -> int:
        """One for each position."""
        return int(study.parameters["positions"])

    def seconds(self, study: StudySpec) -> float:
        """Halving, both comparisons, and what the players think; half of a match is left on average."""
        given, game = study.parameters, game_registry.get(study.game)
        costs = estimate.match_costs(study.game, given["options"], given["seats"])
        each = costs.played_s(costs.policy_s(_playing_on(study)[0])) + CALL_S
        compared = min(costs.legal_actions, KEPT + len(given["players"]))
        playouts = HALVING * costs.legal_actions + 2 * compared * int(given["playouts"])
        entries = [specs.seat_from_json(_seat(player), (), game.id) for player in given["players"]]
        thinking = sum(estimate.thinking_s(costs, entry, given["seats"]) for entry in entries)
        return self.num_pieces(study) * (float(playouts) * each + thinking)

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Look at one position. Raises what an engine raises."""
        game = game_registry.get(study.game)
        state, ply = position(study, index)
        seed = rng.mix2(study.seed, index)
        chosen = [_choice(game, state, player, rng.mix2(seed, k)) for k, player in enumerate(_of(study))]
        best, losses = _Look(study, state, seed).losses(chosen)
        return {
            "position": index,
            "ply": ply,
            "num_legal": len(game.legal_actions(state)),
            "best": game.notation(state, best),
            "actions": [game.notation(state, action) for action in chosen],
            "losses": losses,
        }

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """By player: mean points given away, interval over positions, and how often the best action was chosen."""
        known = [rows[index] for index in sorted(rows)]
        return {
            "positions": len(known),
            "playouts": study.parameters["playouts"],
            "by": _playing_on(study)[1],
            "legal": Moments.of([row["num_legal"] for row in known]).mean,
            "players": [_summary(player["name"], known, k) for k, player in enumerate(_of(study))],
        }


class _Look:
    """One position, with the playouts that choices are judged by."""

    def __init__(self, study: StudySpec, state: State, seed: int) -> None:
        game = game_registry.get(study.game)
        self._playouts: Playouts = action_playouts.playouts_of(game.id, _policy(study))
        self._seat, self._count, self._seed = game.current_player(state), int(study.parameters["playouts"]), seed
        self._view = game.view(state, self._seat)
        self._legal = [int(action) for action in game.legal_actions(state)]

    def losses(self, chosen: Sequence[int]) -> tuple[int, list[float]]:
        """(best action, what each of the chosen ones gives away against it)."""
        effort = Effort(HALVING * len(self._legal))
        few = best_actions.best(
            self._playouts, self._view, self._seat, self._legal, self._luck(HALVED), effort, KEPT, lambda _: None
        )
        compared = list(dict.fromkeys([*(one.action for one in few), *chosen]))
        means = {action: margins.mean() for action, margins in self._margins(compared, CHOSEN).items()}
        best = max(compared, key=lambda action: means[action])
        judged = self._margins(list(dict.fromkeys([best, *chosen])), JUDGED)
        return best, [float((judged[best] - judged[action]).mean()) for action in chosen]

    def _margins(self, actions: Sequence[int], draw: int) -> dict[int, np.ndarray[Any, np.dtype[np.float64]]]:
        """Margins of the deciding seat by action and playout, on the same luck for all."""
        found, seed = {action: np.empty(self._count) for action in actions}, self._luck(draw)
        for number in range(self._count):
            world = self._playouts.world(self._view, seed, number)
            for action, margins in found.items():
                margins[number] = self._playouts.margins(world, action, seed, number)[self._seat]
        return found

    def _luck(self, draw: int) -> int:
        return rng.mix2(self._seed, 1_000 + draw)


def position(study: StudySpec, index: int) -> tuple[State, int]:
    """(state, plies made before it) of a piece: stored ones first, others from matches."""
    game, given = game_registry.get(study.game), study.parameters
    rules = option_tools.from_json(game.options, given["options"])
    stored = [
        one
        for one in bench_positions.load(game.id)
        if one.seats == given["seats"] and option_tools.from_json(game.options, one.options) == rules
    ]
    if index < len(stored):
        return stored[index].state(game), stored[index].ply(game)
    return _of_match(study, index)


def _of_match(study: StudySpec, index: int) -> tuple[State, int]:
    """A decision drawn evenly from those of one match in which there is a choice."""
    game, given = game_registry.get(study.game), study.parameters
    playouts, seed = action_playouts.playouts_of(game.id, _policy(study)), rng.mix2(study.seed, index)
    luck, r = rng.new_stream(seed, rng.DEAL), rng.new_stream(seed, rng.ANALYSIS)
    state = game.initial_state(option_tools.from_json(game.options, given["options"]), given["seats"])
    found: list[tuple[State, int]] = []
    ply = 0
    while (player := game.current_player(state)) != TERMINAL:
        if player == CHANCE:
            state = game.apply(state, game.sample_chance(state, luck))
            continue
        actions = game.legal_actions(state)
        if len(actions) > 1:
            found.append((state, ply))
        is_random = rng.below(r, RANDOM) == 0
        action = actions[rng.below(r, len(actions))] if is_random else playouts.choice(state, seed, ply)
        state, ply = game.apply(state, int(action)), ply + 1
    return found[rng.below(r, len(found))]


def _choice(game: Game, state: State, player: Mapping[str, Any], seed: int) -> int:
    engine = warm.engine(game.id, player["engine"], player["options"])
    seat, view = game.current_player(state), bench.visible_state(engine, game, state)
    budget = Budget.from_json(player["budget"])
    return int(engine.choose(game, view, seat, budget, rng.new_stream(seed, rng.SEARCH, seat)).action)


def _policy(study: StudySpec) -> str:
    """Name of the policy that the study asks for; empty where it asks for none."""
    return str(study.parameters.get("policy", ""))


def _playing_on(study: StudySpec) -> tuple[str, str]:
    """(policy, what people call it): by which all play on."""
    return action_playouts.named_policy(game_registry.get(study.game), _policy(study))


def _of(study: StudySpec) -> Sequence[Mapping[str, Any]]:
    players: Sequence[Mapping[str, Any]] = study.parameters["players"]
    return players


def _levels(game: Game) -> list[dict[str, Any]]:
    """The levels of a game as players. Raises SpecError where it has none."""
    known = levels.for_game(game.id)
    if not known:
        raise SpecError(("players",), f"are missing: {game.label} has no levels")
    return [
        {"name": level.label, "engine": level.engine, "options": level.options, "budget": level.budget}
        for level in known
    ]


def _players(game: Game, data: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for i, row in enumerate(checks.list_of(data, ("players",), 1, MAX_PLAYERS)):
        path = ("players", i)
        fields = checks.object_of(row, path, PLAYER_KEYS)
        name = checks.name_of(fields["name"], (*path, "name"))
        if name in [player["name"] for player in found]:
            raise SpecError((*path, "name"), f"{name!r} is the name of another player")
        if is_agent(str(fields["engine"])):
            raise SpecError((*path, "engine"), "must be an engine: agents are not asked here")
        seat = duels.seat(_seat(fields), path, game.id)
        if Budget.from_json(seat["budget"]).has_clock:
            text = "must count something other than seconds, so that everybody finds the same choices"
            raise SpecError((*path, "budget"), text)
        found.append({"name": name, **seat})
    return found


def _seat(player: Mapping[str, Any]) -> dict[str, Any]:
    return {key: player[key] for key in ("engine", "options", "budget") if key in player}


def _summary(name: str, rows: Sequence[Mapping[str, Any]], player: int) -> dict[str, Any]:
    """Loss and agreement of one player; each position is a unit."""
    losses = Moments.of([row["losses"][player] for row in rows])
    interval = losses.interval()
    num_best = sum(row["actions"][player] == row["best"] for row in rows)
    return {
        "name": name,
        "loss": {"mean": losses.mean, "interval": None if interval is None else list(interval)},
        "best": sums.share(Share(num_best, len(rows)) if rows else None),
    }
