"""The query field that narrows a list to one game; an unknown one is refused with the names of those that there are."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from games import registry


def _known(game: str) -> str:
    if game and game not in registry.ids():
        known = ", ".join(registry.ids())
        raise PydanticCustomError("game", "there is no game with this id; there are {known}", {"known": known})
    return game


GameField = Annotated[str, AfterValidator(_known), Field(max_length=40, description="Id of a game; empty: of all")]
