"""Costs of playing and searching a game: typical figures of one core of 2026, right within a factor of three.

Kept as data beside the rules (`games/GAME/stored/costs.json`) and read through `Game.costs`;
``python -m games costs GAME --write`` measures anew what the rules alone tell (`games.cost_measurement`),
``python -m worker costs GAME --write`` what plies take between decisions (`worker.cost_measurement`).
Engines say by these figures what a decision takes them (`engines.protocol.Engine.seconds`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from games import data_files

NAME = "costs"
FORMAT = "costs-1"


@dataclass(frozen=True)
class TurnTree:
    """Growth of a search over hands: turns made in a decision to a depth are first * growth ** depth.

    growth: for each four turns of a round that are over; turn_s: of a turn; decision_s: of a
    decision beside these.
    """

    first: float
    growth: tuple[float, ...]
    turn_s: float
    decision_s: float


@dataclass(frozen=True)
class HandCosts:
    """Typical figures of searches over hands (`engines.hands`), forced decisions included.

    round_turns: of a round; most_turns: that a search makes, which would otherwise be made less deep;
    believed, known: searches over what others may hold, and with all hands known; appeal_s,
    solution_s: of a decision by what appeals most, and by a round searched to its end; postponed:
    searches of a world where choices are postponed, as many as of one where they are not; playout_s:
    of each action in a world; simulation_s: of a tree over hands, its world drawn, a way down and a
    round played to its end; likelihood_s, likelihood_growth: what others have laid, judged in a world
    by searches of theirs, growing with each turn that these look ahead; all_share: worlds that a
    decision takes on average where all are taken, as a share of the most.
    """

    round_turns: int
    most_turns: float
    believed: TurnTree
    known: TurnTree
    appeal_s: float
    solution_s: float
    postponed: float
    playout_s: float
    simulation_s: float
    likelihood_s: float
    likelihood_growth: float
    all_share: float

    def turns(self, tree: TurnTree, depths: Iterable[float]) -> float:
        """Turns made in a decision, averaged over a round. depths: for each four turns that are over."""
        lasting = [self.round_turns - 4 * group for group in range(len(tree.growth))]
        made = (tree.first * g ** min(depth, left) for g, depth, left in zip(tree.growth, depths, lasting, strict=True))
        return math.fsum(min(self.most_turns, number) for number in made) / len(lasting)

    def search_s(self, tree: TurnTree, depths: Iterable[float]) -> float:
        """Seconds of a decision by one search to these depths."""
        return tree.decision_s + tree.turn_s * self.turns(tree, depths)


@dataclass(frozen=True)
class Costs:
    """Typical figures of one game.

    plies: of a match with the most seats; legal_actions: at one ply with the usual seats; playout_s: a
    random playout, averaged over the plies of a match; action_s: making and weighing one action; ply_s:
    rules and runner of one ply, the engine's thinking apart, where Python plays ply by ply; outcomes: of
    chance between two plies; policies: seconds of one decision by a policy (any other one weighs every
    legal action); hands: of searches over hands, None where nobody measured them; between_ply_s,
    whole_ply_s: as ply_s where a kernel plays from decision to decision, and whole matches of policies,
    None where no kernel does.
    """

    plies: float
    legal_actions: float
    playout_s: float
    action_s: float
    ply_s: float
    outcomes: float = 1.0
    policies: Mapping[str, float] = field(default_factory=dict)
    hands: HandCosts | None = None
    between_ply_s: float | None = None
    whole_ply_s: float | None = None

    def lasting(self, plies: float) -> Costs:
        """The figures of matches of `plies` plies: playouts cost by their length."""
        return replace(self, plies=plies, playout_s=self.playout_s * plies / self.plies)

    @property
    def weighing_s(self) -> float:
        """Seconds in which every legal action is weighed once."""
        return self.legal_actions * self.action_s

    def policy_s(self, policy: str) -> float:
        """Seconds of one decision by a policy; what a draw at random takes is part of the rules."""
        return 0.0 if policy == "random" else self.policies.get(policy, self.weighing_s)

    def played_s(self, decision_s: float, most_plies: int = 0) -> float:
        """Seconds of a playout whose decisions take so long each; most_plies: after which it stops, 0: at the end."""
        whole = self.plies / 2
        plies = min(most_plies or whole, whole)
        return self.playout_s * plies / whole + plies * decision_s


def guess(max_plies: int, max_legal_actions: int) -> Costs:
    """Figures of a game that nobody measured, from the bounds in its traits.

    Matches are half as long as they may be, a ply has the square root of the most legal actions,
    and everything takes a microsecond, a ply with its record 80.
    """
    plies = max(1.0, max_plies / 2)
    return Costs(plies, max(1.0, max_legal_actions**0.5), plies * 1e-6, 1e-6, 8e-5)


def load(folder: Path) -> Costs | None:
    """The measured figures of the game in a package; None where nobody measured it."""
    data = data_files.read(folder, NAME, FORMAT)
    if data is None:
        return None
    hands = data.get("hands")
    rest = {key: value for key, value in data.items() if key not in ("format", "hands")}
    return Costs(**rest, hands=None if hands is None else _hands(hands))


def _hands(data: Mapping[str, Any]) -> HandCosts:
    trees = {key: TurnTree(**(data[key] | {"growth": tuple(data[key]["growth"])})) for key in ("believed", "known")}
    return HandCosts(**(dict(data) | trees))


def text(costs: Costs) -> str:
    """The file that holds the figures."""
    data = {key: value for key, value in asdict(costs).items() if value is not None}
    return json.dumps({"format": FORMAT, **data}, indent=2) + "\n"


def store(folder: Path, costs: Costs) -> None:
    """Write the figures of the game in a package."""
    data_files.write(folder, NAME, text(costs))
