"""Games, levels and engines: what may be played, for everybody and without a token."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest
from ninja import Router

from engines import levels as engine_levels
from engines import registry as engine_registry
from engines.levels import Level
from games import options as option_tools
from games import registry as game_registry
from games.protocol import Game
from webapp.api import schemas
from webapp.api.errors import problem_responses
from webapp.api.problems import ProblemError

router = Router(tags=["Games"])


def _known(game_id: str) -> Game:
    if game_id not in game_registry.ids():
        raise ProblemError("not-found", f"There is no game with this id; there are {', '.join(game_registry.ids())}.")
    return game_registry.get(game_id)


def _row(game: Game) -> dict[str, Any]:
    return {
        "id": game.id,
        "label": game.label,
        "version": game.version,
        "min_seats": game.traits.min_seats,
        "max_seats": game.traits.max_seats,
    }


@router.get("/games", response={200: schemas.Games, **problem_responses()}, summary="All games")
def games(request: HttpRequest) -> Any:
    """The games that can be played."""
    return {"games": [_row(game_registry.get(game_id)) for game_id in game_registry.ids()]}


@router.get("/games/{game_id}", response={200: schemas.GameOut, **problem_responses(404)}, summary="One game")
def game(request: HttpRequest, game_id: str) -> Any:
    """Options of the rules, the parts of an action, and the rules with their notations."""
    found = _known(game_id)
    traits = found.traits
    return {
        **_row(found),
        "has_chance": traits.has_chance,
        "has_hidden_information": traits.has_hidden_information,
        "has_teams": traits.has_teams,
        "max_legal_actions": traits.max_legal_actions,
        "max_plies": traits.max_plies,
        "options": option_tools.schema(found.options),
        "presets": [{"name": name, **vars(rules)} for name, rules in found.presets.items()],
        "steps": [vars(step) for step in found.steps],
        "policies": list(found.policies),
        "rules": _rules(game_id),
    }


@cache
def _rules(game_id: str) -> str:
    return (game_registry.get(game_id).folder / "RULES.md").read_text(encoding="utf-8")


@router.get(
    "/games/{game_id}/levels", response={200: schemas.Levels, **problem_responses(404)}, summary="Levels of a game"
)
def levels(request: HttpRequest, game_id: str) -> Any:
    """Named opponents, weakest first, with what each won against the next."""
    found = engine_levels.for_game(_known(game_id).id)
    return {"levels": [_level(level) for level in found]}


def _level(level: Level) -> dict[str, Any]:
    return vars(level) | {"against_next": level.against_next and level.against_next.totals()}


@router.get("/engines", response={200: schemas.Engines, **problem_responses()}, summary="All engines")
def engines(request: HttpRequest) -> Any:
    """Every engine with its options and budgets, for seats by full configuration."""
    return {"engines": _engines()}


def _engines() -> list[dict[str, Any]]:
    return [_engine(engine_id) for engine_id in (*engine_registry.ids(), *engine_registry.own_ids())]


@cache
def _engine(engine_id: str) -> dict[str, Any]:
    return engine_registry.describe(engine_id)
