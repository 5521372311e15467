"""Two teams of dominoes as studies meet them: players by name, and a deal played with the teams both ways."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from engines import registry as engine_registry
from games import registry as game_registry
from games.dominoes import house_rules
from games.json_paths import Path
from games.options import option
from games.protocol import TERMINAL, Game
from worker import engine_decision, estimate
from worker import spec as specs
from worker.course import Course
from worker.engine_decision import Question
from worker.spec import MatchSpec, SpecError
from worker.studies import duels
from worker.studies.protocol import StudySpec

GAMES = ("dominoes",)
SEATS = 4
BOTH_WAYS = 2
"""Matches of a deal: as partners play alike, the other two seatings differ in nothing but the seats' thoughts."""
UNITS: Mapping[str, Mapping[str, Any]] = {"round": house_rules.ROUNDS, "match": {}}
"""Units of play: single rounds as the paper's experiments count them, or matches to 100."""
_PIMC = {"alpha": 5.0, "beta": 1 / 3}
_THINKING = {"inference": "manner", "level": 0.6}

_NAMED: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "random": ("Random", {"engine": "random"}),
    "greedy": ("Greedy", {"engine": "scripted", "options": {"policy": "greedy"}}),
    "shrewd": ("Shrewd, no search", {"engine": "shrewd"}),
    "flat_mc": ("Flat Monte Carlo, 300 playouts", {"engine": "flat_mc", "budget": {"playouts": 300}}),
    "flat_ucb": ("Flat UCB, 300 simulations", {"engine": "flat_ucb", "budget": {"simulations": 300}}),
    "uct": (
        "UCT, information sets, 300 simulations",
        {"engine": "uct", "options": {"c": 30.0}, "budget": {"simulations": 300}},
    ),
    "ims": ("Imperfect Minimax 5, 1/3", {"engine": "ims", "options": dict(_PIMC)}),
    "pimc": ("PIMC 5, 1/3, 50 worlds", {"engine": "pimc", "options": dict(_PIMC), "budget": {"simulations": 50}}),
    "pimc_weighed": (
        "PIMC with inference, 40 worlds",
        {"engine": "pimc", "options": {**_PIMC, **_THINKING}, "budget": {"simulations": 40}},
    ),
    "epimc": (
        "EPIMC, 50 worlds",
        {"engine": "pimc", "options": {**_PIMC, "postponed": True}, "budget": {"simulations": 50}},
    ),
    "ismcts": ("ISMCTS, 300 simulations", {"engine": "ismcts", "budget": {"simulations": 300}}),
    "ismcts_weighed": (
        "ISMCTS with inference, 300 simulations",
        {"engine": "ismcts", "options": {**_THINKING, "payoff": "match"}, "budget": {"simulations": 300}},
    ),
    "playouts": (
        "Playouts with inference, 100 worlds",
        {
            "engine": "pimc",
            "options": {"inner": "playouts", **_THINKING, "payoff": "match"},
            "budget": {"simulations": 100},
        },
    ),
    "oracle": ("Oracle 5, 1/3 (sees all hands)", {"engine": "oracle", "options": dict(_PIMC)}),
    "double_dummy": ("Double dummy (sees all hands)", {"engine": "double_dummy"}),
}


def _as_they_begin(engine_ids: Iterable[str]) -> Iterator[tuple[str, tuple[str, Mapping[str, Any]]]]:
    """A player for each engine, with the options and budget that it begins with."""
    for engine_id in engine_ids:
        engine = engine_registry.get(engine_id)
        yield engine_id, (engine.label, {"engine": engine_id, "budget": dict(engine.default_budget)})


_USED = {seat["engine"] for _, seat in _NAMED.values()}
_OTHERS = [id_ for id_ in engine_registry.suitable(game_registry.get(*GAMES)) if id_ not in _USED]
PLAYERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {**_NAMED, **dict(_as_they_begin(_OTHERS))}
"""Players by name: label, and seat as experiments write it. Every engine that plays the game is among them."""


def choice(default: str, label: str, help: str) -> Any:
    """An option that names a player."""
    return option(default, label, help, choices=[(name, row[0]) for name, row in PLAYERS.items()])


@cache
def player_seat(name: str) -> dict[str, Any]:
    """A player's seat, complete. Raises KeyError."""
    return duels.seat(dict(PLAYERS[name][1]), (name,), GAMES[0])


def seat(data: Any, path: Path, game: Game) -> dict[str, Any]:
    """A player by name, or a seat as experiments write it; complete. Raises SpecError naming the place."""
    if not isinstance(data, str):
        return duels.seat(data, path, game.id)
    if data not in PLAYERS:
        raise SpecError(path, f"must be one of {', '.join(PLAYERS)}, or a seat, not {data!r}")
    return player_seat(data)


def name_of(seat: Mapping[str, Any], path: Path) -> str:
    """The name of a seat. Raises SpecError where it has none."""
    for name in PLAYERS:
        if player_seat(name) == seat:
            return name
    raise SpecError(path, "is no player that the form offers")


def label_of(seat: Mapping[str, Any]) -> str:
    """The label of a seat, of those without a name the engine's id."""
    return next((row[0] for name, row in PLAYERS.items() if player_seat(name) == seat), str(seat["engine"]))


def rules(data: Any, path: Path, game: Game) -> dict[str, Any]:
    """Options of the rules: the name of a unit, or as experiments write them. Raises SpecError naming the place."""
    if isinstance(data, str):
        if data not in UNITS:
            raise SpecError(path, f"must be one of {', '.join(UNITS)}, or options of the rules, not {data!r}")
        return dict(UNITS[data])
    try:
        specs.rules_from_json(data, game, SEATS)
    except SpecError as error:
        raise SpecError((*path, *error.path[1:]), error.message) from None
    return dict(data)


def unit_of(rules: Mapping[str, Any], path: Path) -> str:
    """The name of these rules. Raises SpecError where they have none."""
    for name, options in UNITS.items():
        if dict(options) == rules:
            return name
    raise SpecError(path, "are no rules that the form offers")


def matches(
    study: StudySpec, one: Mapping[str, Any], other: Mapping[str, Any], deal: int, rules: Mapping[str, Any]
) -> Iterator[MatchSpec]:
    """The matches of a deal, the teams one way and the other: those of an experiment of the same seed."""
    for way in range(BOTH_WAYS):
        yield duels.match(study, (one, other) * 2, SEATS * deal + way, **rules)


def courses(match: MatchSpec) -> Iterator[Course]:
    """Play a match: its course before every ply, and once more when it is over. Raises what an engine raises.

    Engines draw from their own streams, and know what their seat has used of its budget for the match.
    """
    game, luck = game_registry.get(match.game), np.zeros(4, np.uint64)
    engines = [engine_registry.make(seat.engine, seat.options) for seat in match.seats]
    course, used = Course(game, match.options, len(match.seats), match.deal_seed), [0.0] * len(match.seats)
    while (seat := course.player) != TERMINAL:
        yield course
        question = Question(game, course.state, seat, course.ply, match.seed, match.seats[seat].budget, used[seat])
        answer = engine_decision.decide(engines[seat], question, luck)
        used[seat] += answer.spent_s
        course.advance(answer.action)
    yield course


def seconds(game_id: str, seats: tuple[Mapping[str, Any], ...], rules: Mapping[str, Any]) -> float:
    """Estimated CPU seconds of a match; seats: of players that take turns alike."""
    cost = estimate.match_costs(game_id, rules, SEATS)
    thinking = sum(estimate.thinking_s(cost, specs.seat_from_json(seat, (), game_id), SEATS) for seat in seats)
    return cost.plies * (cost.ply_s + thinking / len(seats))
