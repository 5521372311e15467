"""Estimates of an experiment's cost before it starts: seconds, rows and bytes.

Games say what their matches take (`Game.costs`), engines what a decision takes (`Engine.seconds`);
here they are added up. They are meant to be right within a half, on the machine on which costs were
measured: how fast others are is in the number of processes (worker.machine.speed). Farther out are only
matches much longer or shorter than usual ones, above all in Dominion (docs/findings/speed.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines import registry as engine_registry
from engines.programs import program_of
from games import options as option_tools
from games import registry as game_registry
from games.costs import Costs
from worker.spec import ExperimentSpec, SeatSpec

PLY_BYTES = 215
"""A ply row with its indexes, extras apart (this and what follows: measured in Postgres 18)."""
MATCH_BYTES = 490
SEAT_BYTES = 600
"""With 100 to 250 bytes of metrics; those of Dominion take 1,000."""
BEST_BYTES = 450
"""The best actions beside a ply."""
TABLE_ACTION_BYTES = 20
"""One action of a whole table, compressed."""


@dataclass(frozen=True)
class Keeping:
    """CPU seconds of keeping what was played: ply_s: of a ply; best_s: of the best actions beside it; seat_s: of a
    seat's result (docs/findings/speed.md).
    """

    ply_s: float
    best_s: float
    seat_s: float


FILE = Keeping(1.5e-6, 2e-6, 4e-5)
"""JSON lines, and sums for a report."""
DATABASE = Keeping(5e-6, 5e-6, 5e-5)
"""Rows and totals in Postgres, whose own CPU counts, too."""


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
    """Words on the work ahead, for the command line: "1 piece, a second or so", "400 matches, about 12 s"."""
    length = f"about {seconds:.0f} s" if seconds >= 1.5 else "a second or so"
    return f"{number} {one if number == 1 else many}, {length}"


def estimate(spec: ExperimentSpec, processes: float = 1, keeping: Keeping = DATABASE) -> Estimate:
    """Estimate the cost of a spec played by `processes` at once; one on a faster machine counts for more than one."""
    if processes <= 0:
        raise ValueError(f"processes must be above 0, not {processes!r}")
    costs = match_costs(spec.game, spec.options, spec.seats)
    per_arm = tuple(
        match_s(costs, spec.game, arm.seats) + _keeping_s(keeping, costs, arm.seats, spec.record) for arm in spec.arms
    )
    parallel = min(processes, spec.num_matches)
    plies = costs.plies if spec.record != "matches" else 0.0
    entries = [seat for arm in spec.arms for seat in arm.seats]
    searching = _searching(entries)
    extras = BEST_BYTES + (costs.legal_actions * TABLE_ACTION_BYTES if spec.record == "full" else 0.0)
    match_bytes = MATCH_BYTES + spec.seats * SEAT_BYTES + plies * (PLY_BYTES + searching * extras)
    return Estimate(
        seconds_per_match=per_arm,
        seconds=_share(spec) * sum(spec.arm_matches(arm) * one_s for arm, one_s in enumerate(per_arm)) / parallel,
        matches=spec.num_matches,
        rows=round(spec.num_matches * (1 + spec.seats + plies)),
        bytes=round(spec.num_matches * match_bytes),
    )


def _share(spec: ExperimentSpec) -> float:
    """Part of all matches of all arms that is played: a ladder by uncertainty chooses."""
    return spec.num_matches / sum(map(spec.arm_matches, range(len(spec.arms))))


def match_s(costs: Costs, game_id: str, seats: Sequence[SeatSpec]) -> float:
    """CPU seconds of a match of these seats as the runner plays it, kept nowhere."""
    own_plies = costs.plies / len(seats)
    thinking = sum(own_plies * thinking_s(costs, seat, len(seats)) for seat in seats)
    return costs.plies * _ply_s(costs, game_id, seats) + thinking


def _ply_s(costs: Costs, game_id: str, seats: Sequence[SeatSpec]) -> float:
    """Seconds of a ply between policies, between decisions, or, where agents take part, by itself."""
    if any(seat.agent for seat in seats):
        return costs.ply_s
    game = game_registry.get(game_id)
    if not any(seat.budget.to_json() for seat in seats) and all(
        program_of(engine_registry.make(seat.engine, seat.options), game) is not None for seat in seats
    ):
        return costs.ply_s if costs.whole_ply_s is None else costs.whole_ply_s
    return costs.ply_s if costs.between_ply_s is None else costs.between_ply_s


def _keeping_s(keeping: Keeping, costs: Costs, seats: Sequence[SeatSpec], record: str) -> float:
    """CPU seconds of keeping a match."""
    ply_s = keeping.ply_s + keeping.best_s * _searching(seats) if record != "matches" else 0.0
    return costs.plies * ply_s + len(seats) * keeping.seat_s


def _searching(seats: Sequence[SeatSpec]) -> float:
    """The share of seats that search, and say what their best actions are."""
    return sum(bool(seat.budget.to_json()) and not seat.agent for seat in seats) / len(seats)


def slowest_seat(spec: ExperimentSpec, arm: int) -> int:
    """Place of the line-up whose decisions take longest."""
    costs, seats = match_costs(spec.game, spec.options, spec.seats), spec.arms[arm].seats
    return max(range(spec.seats), key=lambda place: thinking_s(costs, seats[place], spec.seats))


def match_costs(game_id: str, options: Mapping[str, Any], num_seats: int) -> Costs:
    """The game's figures for matches by these rules with `num_seats` seats. options: those that differ, or all."""
    game = game_registry.get(game_id)
    rules = option_tools.from_json(game.options, options)
    return game.costs.lasting(game.usual_plies(rules, num_seats))


def thinking_s(costs: Costs, seat: SeatSpec, num_seats: int) -> float:
    """Seconds that one decision of this configuration takes; 0 for an agent."""
    if seat.agent:
        return 0.0
    return engine_registry.make(seat.engine, seat.options).seconds(costs, seat.budget, num_seats)
