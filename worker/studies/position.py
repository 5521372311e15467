"""One position, several engines: what each of them chooses there, what it weighs, and what it costs.

Parameters: the match up to the position (`options`, `seats`, `deal_seed`, `actions`, and
`renewal` where its luck was drawn anew on the way) and `runs`, each an engine with options and
budget. A piece is one run.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from engines.driver import budget_at
from engines.protocol import Decision, Table
from games import registry as game_registry
from games import rng
from games.options import quote
from games.protocol import CHANCE, TERMINAL, Game, IllegalActionError, State
from worker import course as courses
from worker import estimate, spec
from worker.course import Course, Renewal
from worker.fields import Field
from worker.spec import SeatSpec, SpecError, checks
from worker.studies import warm
from worker.studies.protocol import StudySpec

MAX_RUNS = 6
MAX_ROWS = 2_000
"""Rows of a table that are kept."""
MAX_ACTION = 2**31 - 1
KEYS = {"options": False, "seats": True, "deal_seed": True, "actions": True, "renewal": False, "runs": True}
"""Parameter -> whether it must be there."""


class Step(NamedTuple):
    """One number of a line of play: kind "action" or "chance", and the state that it leads to."""

    kind: str
    number: int
    notation: str
    state: State


class Position:
    """Runs engines in one position of a match; see `worker.studies.protocol.StudyKind`."""

    id = "position"
    version = "1"
    label = "Position"
    summary = "Several engines think about one position of a match, each with its own budget."
    row_fields: Mapping[str, Field] = {
        "action": Field("The action that the engine chose, as a number of the game."),
        "notation": Field("The action in the notation of the game.", "string"),
        "value": Field("What the engine thought it worth, in its own utility.", "double"),
        "table": Field(
            "What it thought of every action: value, visits, deviation, whether the value is a bound; best first.",
            "json",
        ),
        "playouts": Field("Matches simulated to their end for it.", unit="playouts"),
        "nodes": Field("Positions that the search visited.", unit="nodes"),
        "depth": Field("Greatest depth that the search reached.", unit="plies"),
        "cpu_s": Field("CPU time of the decision.", "double", "seconds"),
        "elapsed_s": Field("Wall time of the decision.", "double", "seconds"),
        "line": Field("The line of play that it expected: seat, action and notation of each step.", "json"),
    }

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Walk the match, check every run. Raises SpecError naming the place."""
        checks.object_of(parameters, (), KEYS)
        seats = checks.whole_number(parameters["seats"], ("seats",), game.traits.min_seats, game.traits.max_seats)
        rows = checks.list_of(parameters["runs"], ("runs",), 1, MAX_RUNS)
        checked = {
            "options": spec.rules_from_json(parameters.get("options", {}), game, seats),
            "seats": seats,
            "deal_seed": checks.whole_number(parameters["deal_seed"], ("deal_seed",), 0, spec.MAX_SEED),
            "actions": actions_of(game, parameters["actions"]),
            **read_renewal(parameters),
            "runs": [spec.seat_to_json(spec.seat_from_json(row, ("runs", i), game.id)) for i, row in enumerate(rows)],
        }
        try:
            course = walk_match(game.id, checked)
        except IllegalActionError as error:
            raise SpecError(("actions",), str(error)) from None
        if course.player == TERMINAL:
            raise SpecError(("actions",), "lead to the end of the match: nobody is on turn there")
        return checked

    def num_pieces(self, study: StudySpec) -> int:
        """One for each run."""
        return len(study.parameters["runs"])

    def seconds(self, study: StudySpec) -> float:
        """All runs together."""
        return sum(run_seconds(study))

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Let the engine of a run decide. Raises what the engine raises, ValueError for an illegal answer.

        Equal configurations draw from equal streams, wherever they stand; the second of two
        equal runs draws from another, so that a search with luck can be compared with itself.
        """
        game = game_registry.get(study.game)
        course = walk_match(game.id, study.parameters)
        state, seat = course.state, course.player
        run = spec.seat_from_json(study.parameters["runs"][index], ("runs", index), game.id)
        engine = warm.engine(game.id, run.engine, run.options)
        view = state.copy() if engine.peeks else game.view(state, seat)
        repeat = study.parameters["runs"][:index].count(study.parameters["runs"][index])
        budget = dataclasses.replace(budget_at(run.budget, game, state, course.ply + 1), wants_line=True)
        decision = engine.choose(
            game, view.copy(), seat, budget, rng.new_stream(study.seed, rng.SEARCH, seat, course.ply, repeat)
        )
        if decision.action not in game.legal_actions(state):
            raise ValueError(f"{run.engine} chose {decision.action!r}, which is not legal here")
        return {**_row(game, state, decision), "line": [list(step[:3]) for step in line(game, view, decision.line)]}

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Every run with its answer; None where there is none (yet)."""
        course = walk_match(study.game, study.parameters)
        runs = [run | {"answer": rows.get(i)} for i, run in enumerate(study.parameters["runs"])]
        return {"ply": course.ply, "seat": course.player, "runs": runs}


def read_renewal(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameter `renewal` (see `worker.course.Renewal`), where it is given. Raises SpecError."""
    if parameters.get("renewal") is None:
        return {}
    given = checks.object_of(parameters["renewal"], ("renewal",), {"ply": True, "seed": True})
    ply = checks.whole_number(given["ply"], ("renewal", "ply"), 0, MAX_ACTION)
    return {"renewal": {"ply": ply, "seed": checks.whole_number(given["seed"], ("renewal", "seed"), 0, spec.MAX_SEED)}}


def walk_match(game_id: str, parameters: Mapping[str, Any]) -> Course:
    """The match at its position. Raises IllegalActionError."""
    renewal = Renewal.from_json(parameters.get("renewal"))
    *_, last = courses.replay(
        game_id, parameters["options"], parameters["seats"], parameters["deal_seed"], parameters["actions"], renewal
    )
    return last


def line(game: Game, state: State, numbers: Sequence[int]) -> Iterator[Step]:
    """Walk a line of play from a state. Raises IllegalActionError where it leaves the rules."""
    for number in numbers:
        is_chance = game.current_player(state) == CHANCE
        after = game.apply(state, number)
        notation = game.outcome_notation(state, number) if is_chance else game.notation(state, number)
        yield Step("chance" if is_chance else "action", int(number), notation, after)
        state = after


def run_seconds(study: StudySpec) -> list[float]:
    """Estimated CPU seconds of each run, from how many actions this position and its successors have."""
    game = game_registry.get(study.game)
    course = walk_match(game.id, study.parameters)
    state, seats = course.state, game.num_seats(course.state)
    cost = dataclasses.replace(
        game.costs,
        legal_actions=float(len(game.legal_actions(state))),
        plies=float(game.plies_left(state, course.player) * seats),
    )
    runs = [spec.seat_from_json(row, ("runs",), game.id) for row in study.parameters["runs"]]
    width = _width(game, state) if any(run.budget.depth for run in runs) else 0
    cost = dataclasses.replace(cost, outcomes=width / cost.legal_actions)
    return [estimate.thinking_s(cost, _within(run, int(cost.plies)), seats) for run in runs]


def _width(game: Game, state: State) -> int:
    """Actions that follow one action of this position, over all outcomes of chance in between."""
    after = game.apply(state, int(game.legal_actions(state)[0]))
    if not (game.traits.chance_is_listable and game.current_player(after) == CHANCE):
        return len(game.legal_actions(after))
    outcomes = game.chance_outcomes(after)[0]
    return sum(len(game.legal_actions(game.apply(after, int(outcome)))) for outcome in outcomes)


def _within(run: SeatSpec, plies: int) -> SeatSpec:
    """The run with no more depth than there are plies left."""
    if run.budget.depth is None:
        return run
    return dataclasses.replace(run, budget=dataclasses.replace(run.budget, depth=min(run.budget.depth, plies)))


def actions_of(game: Game, data: Any) -> list[int]:
    """The actions as far as their form goes; whether the rules allow them is for the walk to say."""
    if not isinstance(data, list) or len(data) > game.traits.max_plies:
        raise SpecError(("actions",), f"must be a list of at most {game.traits.max_plies}, not {quote(data)}")
    return [checks.whole_number(action, ("actions", i), 0, MAX_ACTION) for i, action in enumerate(data)]


def _row(game: Game, state: State, decision: Decision) -> dict[str, Any]:
    return {
        "action": int(decision.action),
        "notation": game.notation(state, int(decision.action)),
        "value": _number(decision.value),
        "table": [] if decision.table is None else _table(game, state, decision.table),
        "playouts": int(decision.playouts),
        "nodes": int(decision.nodes),
        "depth": int(decision.depth),
        "cpu_s": float(decision.cpu_s),
        "elapsed_s": float(decision.elapsed_s),
    }


def _table(game: Game, state: State, table: Table) -> list[dict[str, Any]]:
    """Rows in the order of their worth: best first, at equal values those known exactly, then most visits."""
    bounds = np.zeros(len(table.actions), np.bool_) if table.is_bound is None else table.is_bound
    values = np.where(np.isnan(table.values), -np.inf, table.values)
    order = np.lexsort((table.actions, -table.visits, bounds, -values))[:MAX_ROWS]
    return [
        {
            "action": int(table.actions[i]),
            "notation": game.notation(state, int(table.actions[i])),
            "value": _number(table.values[i]),
            "visits": int(table.visits[i]),
            "deviation": _number(table.deviations[i]),
            "is_bound": bool(bounds[i]),
        }
        for i in order
    ]


def _number(value: float | None) -> float | None:
    """A JSON number; None where it is undefined."""
    return float(value) if value is not None and math.isfinite(value) else None
