"""What an experiment will cost, before it starts: seconds, rows and bytes.

Times rest on the measured costs of one core of 2026 (see `GAME_COSTS`); they are meant to
be right within a factor of three. Another machine differs, the live page counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games import registry as game_registry
from worker.spec import ExperimentSpec, SeatSpec


@dataclass(frozen=True)
class GameCost:
    """Typical figures of one game.

    plies: of a match with the most seats; plies_of: of one by (options, number of seats), where
    that changes them; legal_actions: at one ply; playout_s: a random playout, averaged over
    the plies of a match; action_s: making and weighing one action; ply_s: rules, runner and
    record of one ply, the engine's thinking apart; outcomes: of chance between two plies;
    policies: of one decision by a policy (any other one weighs every legal action).
    """

    plies: float
    legal_actions: float
    playout_s: float
    action_s: float
    ply_s: float
    outcomes: float = 1.0
    policies: Mapping[str, float] = field(default_factory=dict)
    plies_of: Callable[[Mapping[str, Any], int], int] | None = None

    def of(self, options: Mapping[str, Any], num_seats: int) -> GameCost:
        """The figures of matches by these rules with so many seats: playouts cost by their length."""
        if self.plies_of is None:
            return self
        plies = self.plies_of(options, num_seats)
        return replace(self, plies=plies, playout_s=self.playout_s * plies / self.plies)


def _kingdomino_plies(options: Mapping[str, Any], num_seats: int) -> int:
    """Kings at the table, in every row and in the round that places the last one."""
    return 52 if options.get("size") == "7" else {2: 28, 3: 39, 4: 52}[num_seats]


def _domino_plies(options: Mapping[str, Any], num_seats: int) -> int:
    """Rounds of 26 turns; on the way to the target each brings the winner so many points."""
    if options.get("length") == "round":
        return 26
    points = 9 if options.get("out_points", "own") == "own" else 18
    return 26 * max(1, round(int(options.get("target", 100)) / points))


def _dominion_plies(options: Mapping[str, Any], num_seats: int) -> int:
    """Some 25 turns of each seat, of one alone 75, two plies a turn; by hand a ply for each Treasure card, too."""
    usual = 75 if num_seats == 1 else 25
    turns = min(usual, int(options.get("turn_limit", usual)))
    return num_seats * turns * (5 if options.get("treasures") == "manual" else 2)


GAME_COSTS = {
    "carcassonne": GameCost(
        plies=71,
        legal_actions=45,
        playout_s=3.5e-5,
        action_s=1.6e-6,
        ply_s=9e-5,
        outcomes=15,
        policies={"greedy": 1.9e-5, "informed": 1.7e-6, "thorough": 4e-6},
    ),
    "kingdomino": GameCost(
        plies=52,
        legal_actions=25,
        playout_s=6e-6,
        action_s=3e-7,
        ply_s=1.2e-4,
        outcomes=5,
        policies={
            "tr": 1e-7,
            "gprd": 7e-7,
            "gprd_plain": 7e-7,
            "fg": 3.7e-6,
            "fg_plain": 4e-6,
            "pg": 9e-7,
            "informed": 3.3e-6,
            "denying": 1.7e-5,
        },
        plies_of=_kingdomino_plies,
    ),
    "dominoes": GameCost(
        plies=286,
        legal_actions=2.3,
        playout_s=1e-5,
        action_s=5e-8,
        ply_s=1e-4,
        policies={"greedy": 1e-7},
        plies_of=_domino_plies,
    ),
    "dominion": GameCost(
        plies=200,
        legal_actions=8,
        playout_s=1.6e-5,
        action_s=3e-7,
        ply_s=1.3e-4,
        outcomes=50,
        policies=dict.fromkeys(("big_money", "bmfsm", "single_witch", "double_witch"), 2e-8)
        | dict.fromkeys(("greedy", "greedy_dearest", "eps15"), 4e-8),
        plies_of=_dominion_plies,
    ),
}
KEPT = {
    ("star1", False): 0.9,
    ("star1", True): 0.9,
    ("star2", False): 0.4,
    ("star2", True): 0.2,
    ("star2.5", False): 0.4,
    ("star2.5", True): 0.25,
}
"""(Algorithm, killers) -> part of a tree visited, for each ply below the first (Carcassonne, depths 2 and 3)."""


@dataclass(frozen=True)
class HandsTree:
    """A search over hands at dominoes: turns made in a decision to a depth are first * growth ** depth.

    growth: for each four turns of a round that are over; node_s: of a turn; decision_s: of a
    decision beside these. Depths end with the round.
    """

    first: float
    growth: tuple[float, ...]
    node_s: float
    decision_s: float

    def nodes(self, depths: Iterable[float]) -> float:
        """Turns made in a decision, averaged over a round. depths: for each four turns that are over."""
        lasting = [ROUND_TURNS - 4 * group for group in range(len(self.growth))]
        made = (self.first * g ** min(depth, left) for g, depth, left in zip(self.growth, depths, lasting, strict=True))
        return math.fsum(min(MOST_NODES, number) for number in made) / len(lasting)

    def seconds(self, options: Mapping[str, Any]) -> float:
        """Of a decision, forced ones included."""
        return self.decision_s + self.node_s * self.nodes(depths_of(options))


ROUND_TURNS = 26
MOST_NODES = 8e6
"""A search that would make more than `MOST_TURNS` of `games.dominoes` is made less deep, in so many at most."""
BELIEVED = HandsTree(6, (2.8, 2.45, 2.15, 1.85, 1.6, 1.25, 1.0), 7e-8, 5e-5)
KNOWN = HandsTree(12, (1.44, 1.38, 1.32, 1.3, 1.3, 1.2, 1.0), 1e-7, 4e-5)
"""What others may hold, and all hands known."""
HANDS_S = {"shrewd": 6e-5, "double_dummy": 2.5e-3}
"""One decision of an engine that has neither budget nor depth, forced ones included (dominoes)."""
POSTPONED = 6.0
"""Searches of a world where choices are postponed, as many as of one where they are not."""
PLAYED_S = 7e-6
"""A playout of each action in a world."""
GROWN_S = 4e-6
"""A simulation of a tree over hands: its world drawn, a way down, a round played to its end."""
LIKELIHOOD_S, LIKELIHOOD_GROWTH = 1e-6, 1.9
"""What others have laid, judged in a world by searches of theirs: growing with each turn that these look ahead."""
ALL_SHARE = 0.1
"""Worlds that a decision takes on average where all are taken, as a share of the most."""
LISTED_S = 6e-8
"""Listing one action of a playout and looking up how well it did (measured on Carcassonne)."""
PLY_BYTES = 215
"""A ply row with its indexes, extras apart (this and what follows: measured in Postgres 18)."""
MATCH_BYTES = 350
SEAT_BYTES = 1300
"""Most of it the metrics."""
BEST_BYTES = 450
"""The best actions beside a ply."""
TABLE_ACTION_BYTES = 20
"""One action of a whole table, compressed."""


@dataclass(frozen=True)
class Estimate:
    """seconds_per_match: CPU seconds, one figure per arm; seconds: wall time with all processes.

    Agents' own time is in none of these: nobody here knows it.
    """

    seconds_per_match: tuple[float, ...]
    seconds: float
    matches: int
    rows: int
    bytes: int


def words(number: int, one: str, many: str, seconds: float) -> str:
    """What is ahead, for the command line: "1 piece, a second or so", "400 matches, about 12 s"."""
    length = f"about {seconds:.0f} s" if seconds >= 1.5 else "a second or so"
    return f"{number} {one if number == 1 else many}, {length}"


def estimate(spec: ExperimentSpec, processes: int = 1) -> Estimate:
    """Estimate the cost of a spec played by `processes` at once."""
    if processes < 1:
        raise ValueError(f"processes must be at least 1, not {processes!r}")
    cost = game_cost(spec.game).of(spec.options, spec.seats)
    own_plies = cost.plies / spec.seats
    per_arm = tuple(
        cost.plies * cost.ply_s + sum(own_plies * thinking_s(cost, seat, spec.seats) for seat in arm.seats)
        for arm in spec.arms
    )
    matches_per_arm = spec.deals * spec.num_rotations
    parallel = min(processes, spec.num_matches)
    plies = cost.plies if spec.record != "matches" else 0.0
    entries = [seat for arm in spec.arms for seat in arm.seats]
    searching = sum(bool(seat.budget.to_json()) and not seat.agent for seat in entries) / len(entries)
    extras = BEST_BYTES + (cost.legal_actions * TABLE_ACTION_BYTES if spec.record == "full" else 0.0)
    match_bytes = MATCH_BYTES + spec.seats * SEAT_BYTES + plies * (PLY_BYTES + searching * extras)
    return Estimate(
        seconds_per_match=per_arm,
        seconds=sum(per_arm) * matches_per_arm / parallel,
        matches=spec.num_matches,
        rows=round(spec.num_matches * (1 + spec.seats + plies)),
        bytes=round(spec.num_matches * match_bytes),
    )


def slowest_seat(spec: ExperimentSpec, arm: int) -> int:
    """Place of the line-up whose decisions take longest."""
    cost, seats = game_cost(spec.game).of(spec.options, spec.seats), spec.arms[arm].seats
    return max(range(spec.seats), key=lambda place: thinking_s(cost, seats[place], spec.seats))


def tree_nodes(cost: GameCost, options: Mapping[str, Any], depth: int) -> float:
    """Nodes of a tree of that depth that a search with these options visits."""
    deeper = kept(options) * cost.outcomes * cost.legal_actions
    return cost.legal_actions * deeper ** (depth - 1)


def kept(options: Mapping[str, Any]) -> float:
    """Part of a tree that a search with these options visits, for each ply below the first."""
    return KEPT.get((str(options.get("algorithm")), bool(options.get("killers"))), 1.0)


def game_cost(game_id: str) -> GameCost:
    """Measured figures of a game; guesses from its bounds where nobody measured yet."""
    if game_id in GAME_COSTS:
        return GAME_COSTS[game_id]
    traits = game_registry.get(game_id).traits
    plies = max(1.0, traits.max_plies / 2)
    return GameCost(plies, max(1.0, traits.max_legal_actions**0.5), plies * 1e-6, 1e-6, 8e-5)


def thinking_s(cost: GameCost, seat: SeatSpec, num_seats: int) -> float:
    """Seconds that one decision of this configuration takes: the tightest of its budgets; 0 for an agent."""
    if seat.agent:
        return 0.0
    if seat.engine in HANDS_S:
        return HANDS_S[seat.engine]
    if seat.engine in ("ims", "oracle"):
        return (BELIEVED if seat.engine == "ims" else KNOWN).seconds(seat.options)
    policy = seat.options.get("policy", "random")
    policy_s = 0.0 if policy == "random" else cost.policies.get(policy, cost.legal_actions * cost.action_s)
    whole = cost.plies / 2
    plies = min(seat.options.get("playout_plies") or whole, whole)
    by_policy_s = cost.legal_actions * LISTED_S if seat.options.get("mast") else policy_s
    playout_s = cost.playout_s * plies / whole + plies * by_policy_s
    units = {
        "playouts": playout_s,
        "playouts_per_action": playout_s * cost.legal_actions,
        "simulations": _simulation_s(seat, playout_s),
        "nodes": cost.action_s,
        "seconds_per_ply": 1.0,
        "seconds_per_match": num_seats / cost.plies,
    }
    budget = seat.budget
    limits = [value * units[key] for key, value in budget.to_json().items() if key in units]
    if budget.depth is not None:
        limits.append(tree_nodes(cost, seat.options, budget.depth) * cost.action_s)
    return min(limits, default=policy_s)


def depths_of(options: Mapping[str, Any]) -> list[float]:
    """Turns that a search over hands looks ahead, for each four turns of a round that are over."""
    alpha, beta = float(options.get("alpha", 5.0)), float(options.get("beta", 1 / 3))
    return [alpha * 2.0 ** (beta * group) for group in range(len(KNOWN.growth))]


def _world_s(options: Mapping[str, Any]) -> float:
    """Seconds of one world of a search over many."""
    full_from = int(options.get("full_from", 200))
    depths = [ROUND_TURNS if 4 * group >= full_from else depth for group, depth in enumerate(depths_of(options))]
    searched_s = KNOWN.node_s * KNOWN.nodes(depths) * (POSTPONED if options.get("postponed") else 1.0)
    if options.get("inner") == "playouts":
        whole = min(1.0, full_from / ROUND_TURNS)
        searched_s = whole * PLAYED_S * int(options.get("playouts", 1)) + (1.0 - whole) * searched_s
    return searched_s


def _inferred_s(options: Mapping[str, Any]) -> float:
    """Seconds in which one world is weighed by searches of the others."""
    if options.get("inference") not in ("flat", "per_legal"):
        return 0.0
    return LIKELIHOOD_S * LIKELIHOOD_GROWTH ** int(options.get("level_depth", 0))


def _simulation_s(seat: SeatSpec, playout_s: float) -> float:
    """Seconds of a simulation: a world for all actions, one way down a tree over hands, or a playout."""
    if seat.engine == "pimc":
        return (_world_s(seat.options) + _inferred_s(seat.options)) * _worlds(seat)
    return GROWN_S + _inferred_s(seat.options) if seat.engine == "ismcts" else playout_s


def _worlds(seat: SeatSpec) -> float:
    """Worlds for a simulation of the budget: more where all there are are taken."""
    simulations = seat.budget.simulations
    return max(1.0, ALL_SHARE * int(seat.options.get("all_below", 0)) / simulations) if simulations else 1.0
