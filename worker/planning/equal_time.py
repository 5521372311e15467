"""Counts in place of seconds: budgets by round or ply that take about as long, from speeds measured on this machine.

Equal counts are not equal times: a playout near the end of a match is short. Seconds, though, give other matches
on another machine and under another load. A list of counts has both: it is measured once, and from then on the
spec that holds it plays the same matches everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from engines import registry as engine_registry
from engines.protocol import LARGEST, Budget, Engine
from engines.schedules import MAX_COUNTS, Schedule
from games import registry as game_registry
from games import rng
from games.protocol import Game, State
from worker.course import Course
from worker.schedule import match_spec
from worker.spec import ExperimentSpec, SeatSpec
from worker.stats.tables import InputError

UNITS = ("playouts", "simulations", "nodes")
"""What may be counted instead of seconds, the first one that an engine takes."""
SECONDS = "seconds_per_ply"


@dataclass(frozen=True)
class Measurement:
    """How speeds are measured: in whole matches, `probe_s` CPU seconds a position.

    driver: engine that plays these matches, without a budget; empty: the game's usual policy.
    """

    by: str
    matches: int
    probe_s: float
    driver: str = ""


def with_counts(spec: ExperimentSpec, how: Measurement) -> ExperimentSpec:
    """The spec with counts for the seconds a ply of its seats, never above a count that they had; other limits stay.

    Raises InputError where no seat has seconds a ply, or one that has them counts nothing or no such rounds.
    """
    game = game_registry.get(spec.game)
    if how.by == "round" and game.round_of is None:
        raise InputError(f"{game.label} has no rounds: use --by ply")
    known: dict[str, SeatSpec] = {}

    def changed(seat: SeatSpec) -> SeatSpec:
        if seat.agent or seat.budget.seconds_per_ply is None:
            return seat
        key = json.dumps([seat.engine, seat.options, seat.budget.to_json()], sort_keys=True)
        if key not in known:
            known[key] = _counted(spec, game, seat, how)
        return known[key]

    arms = tuple(replace(arm, seats=tuple(map(changed, arm.seats))) for arm in spec.arms)
    if not known:
        raise InputError(f"no seat has {SECONDS}, which counts would stand for")
    if any(axis.part == "budget" and axis.name == SECONDS for axis in spec.sweep):
        raise InputError(f"the sweep varies {SECONDS}: write its line-ups as arms")
    return replace(spec, arms=arms)


def _counted(spec: ExperimentSpec, game: Game, seat: SeatSpec, how: Measurement) -> SeatSpec:
    engine = engine_registry.make(seat.engine, seat.options)
    unit = next((key for key in UNITS if key in engine.budgets), None)
    if unit is None:
        raise InputError(f"{engine.label} counts nothing that could stand for seconds")
    assert seat.budget.seconds_per_ply is not None
    schedule = counts(speeds(spec, engine, unit, how), seat.budget.seconds_per_ply, how.by)
    limit = getattr(seat.budget, unit) or LARGEST
    schedule = Schedule(how.by, tuple(min(limit, count) for count in schedule.counts))
    data = {key: value for key, value in seat.budget.to_json().items() if key != SECONDS}
    return replace(seat, budget=Budget.from_json({**data, unit: schedule.to_json()}))


def counts(rates: Mapping[int, float], seconds: float, by: str) -> Schedule:
    """Counts that take so many seconds at each round or ply; one that was not measured has that of the one before.

    rates: units a CPU second by number, from 1; at least one.
    """
    found, rate = [], rates[min(rates)]
    for number in range(1, min(max(rates), MAX_COUNTS) + 1):
        rate = rates.get(number, rate)
        found.append(max(1, round(rate * seconds)))
    return Schedule(by, tuple(found))


def speeds(spec: ExperimentSpec, engine: Engine, unit: str, how: Measurement) -> dict[int, float]:
    """Units a CPU second by round or ply: all units over all seconds of the positions there.

    Raises InputError where every position has one legal action alone.
    """
    game = game_registry.get(spec.game)
    engine.prepare(game)
    units: dict[int, int] = {}
    spent: dict[int, float] = {}
    thought = rng.new_stream(spec.seed, rng.ANALYSIS)
    for ply, state in _positions(spec, how):
        seat = game.current_player(state)
        view = state.copy() if engine.peeks else game.view(state, seat)
        decision = engine.choose(game, view, seat, Budget(seconds_per_ply=how.probe_s), thought)
        done = decision.nodes if unit == "nodes" else decision.playouts
        number = game.round_of(state) if how.by == "round" and game.round_of else ply
        if done:
            units[number] = units.get(number, 0) + done
            spent[number] = spent.get(number, 0.0) + decision.cpu_s
    if not units:
        raise InputError("no position leaves a choice, so nothing can be measured")
    return {number: units[number] / max(spent[number], 1e-9) for number in units}


def _positions(spec: ExperimentSpec, how: Measurement) -> Iterator[tuple[int, State]]:
    """(ply from 1, position) of whole matches with the deals of the spec."""
    game = game_registry.get(spec.game)
    usual = ("scripted", {"policy": game.usual_policy})
    driver = engine_registry.make(*((how.driver, {}) if how.driver else usual))
    for ordinal in range(min(how.matches, spec.arm_matches(0))):
        match = match_spec(spec, 0, ordinal)
        course = Course(game, spec.options, spec.seats, match.deal_seed)
        thought = rng.new_stream(match.seed, rng.SEARCH)
        while course.player >= 0:
            yield course.ply + 1, course.state
            view = game.view(course.state, course.player)
            course.advance(int(driver.choose(game, view, course.player, Budget(), thought).action))
