"""Records of a played match: plain data, the same for files and database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from games import registry as game_registry


def margin(scores: Sequence[int], seat: int, has_teams: bool = False) -> int:
    """Own score less the best opponent's; own score where there is no opponent.

    has_teams: seats of like parity play together.
    """
    own = {seat} if not has_teams else set(range(seat % 2, len(scores), 2))
    others = [score for other, score in enumerate(scores) if other not in own]
    return scores[seat] - max(others, default=0)


@lru_cache
def _has_teams(names: tuple[str, ...]) -> bool:
    """Whether a game is among these names whose seats play in teams."""
    return any(game_registry.get(name).traits.has_teams for name in names if name in game_registry.ids())


@dataclass(slots=True)
class PlyRecord:
    """One action by one seat.

    scores: points per seat after the ply; value: of the action, in the engine's utility;
    digest: chained 64-bit hash of all positions so far (signed, fits a bigint);
    info: engine extras, with "best" = up to five rows [action, notation, value, visits,
    standard error], the whole table under "table" where the spec records it in full, and
    "after" = numbers of every seat by name, where the game notes any (`Game.ply_notes`).
    """

    ply: int
    seat: int
    action: int
    notation: str
    legal_count: int
    scores: tuple[int, ...]
    value: float | None
    playouts: int
    nodes: int
    depth: int
    elapsed_s: float
    cpu_s: float
    digest: int
    info: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Reason why a match has no result.

    kind is "exception", "illegal_action", "over_time", "died", "too_long", "engine_died" or "absent_code".
    The last two are of an engine of one's own: its process ended; another version of its code is here, or none.
    seat: whose engine failed; None where it was the rules or the worker's process.
    """

    seat: int | None
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """One match, finished or failed. Tuples are in seat order.

    lineup: for each seat, the index of its engine in the arm's line-up;
    results: "win", "draw" or "loss" per seat; digest: of the last ply.
    """

    arm: int
    deal: int
    rotation: int
    seed: int
    deal_seed: int
    lineup: tuple[int, ...]
    status: str
    scores: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    results: tuple[str, ...] = ()
    metrics: Sequence[Mapping[str, float]] = ()
    num_plies: int = 0
    digest: int = 0
    elapsed_s: float = 0.0
    cpu_s: float = 0.0
    versions: Mapping[str, str] = field(default_factory=dict)
    failure: Failure | None = None
    plies: Sequence[PlyRecord] = ()

    def margin(self, seat: int) -> int:
        """Own score less the best opponent's, in a finished match of the game that `versions` names."""
        return self.margins()[seat]

    def margins(self) -> tuple[int, ...]:
        """The same of every seat."""
        scores = self.scores
        has_teams = _has_teams(tuple(self.versions))
        if has_teams or len(scores) < 2:
            return tuple(margin(scores, seat, has_teams) for seat in range(len(scores)))
        *_, second, best = sorted(scores)
        return tuple(score - (second if score == best else best) for score in scores)
