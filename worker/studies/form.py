"""Checks of a form's parameters that kinds of studies share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from games import options as option_tools
from games import registry as game_registry
from games.options import OptionError
from games.protocol import Game
from worker.spec import SpecError

Options = TypeVar("Options")


def read_options(options: type[Options], parameters: Mapping[str, Any]) -> Options:
    """The options of a kind with its defaults filled in. Raises SpecError naming the field."""
    try:
        found: Options = option_tools.from_json(options, parameters)
    except OptionError as error:
        raise SpecError(error.path, error.message) from None
    return found


def refuse_others(game: Game, games: tuple[str, ...], lacks: str) -> None:
    """Raise SpecError for a game that a kind is not for; lacks: what others have not, in the plural."""
    if game.id not in games:
        labels = " or ".join(game_registry.get(one).label for one in games)
        raise SpecError((), f"{game.label} has no {lacks}; choose {labels}")
