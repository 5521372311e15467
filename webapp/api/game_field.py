"""The query field that narrows a list to one game; an unknown one is refused with the names of those that there are."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

from games import registry


def _known(game: str) -> str:
    if game and game not in registry.ids():
        known = ", ".join(registry.ids())
        raise PydanticCustomError("game", "there is no game with this id; there are {known}", {"known": known})
    return game


GameField = Annotated[str, StringConstraints(max_length=40), AfterValidator(_known)]
"""Beside it a `Query` names the default, too: ninja hands on that of an argument to plain types alone."""
