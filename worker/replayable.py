"""Whether a recorded match can be played again from its seed by the engines that are here, and if not, why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engines import registry as engines
from games import registry as games
from worker.spec import SeatSpec

BY_PEOPLE = "people or agents played it"


class Refusal(NamedTuple):
    """Why a match cannot be played again. is_version: another version of a game or engine played it."""

    reason: str
    is_version: bool = False


def refusal(status: str, seats: Sequence[SeatSpec], versions: Mapping[str, str]) -> Refusal | None:
    """Why a match cannot be played again; None where it can. versions: of game and engines that played it."""
    if status != "finished":
        return Refusal("it failed")
    if not seats or any(seat.agent for seat in seats):
        return Refusal(BY_PEOPLE)
    for name, version in versions.items():
        if (found := _other(name, version)) is not None:
            return found
    if any(seat.budget.has_clock for seat in seats):
        return Refusal("its engines thought by the clock")
    return None


def _other(name: str, version: str) -> Refusal | None:
    """Why this lab has no game or engine of this name and version."""
    if name in games.ids():
        ours = games.get(name).version
    elif reason := engines.absence(name):
        return Refusal(f"{name} cannot play here: {reason}", is_version=True)
    elif not engines.is_known(name):
        return Refusal(f"there is no {name} in this lab", is_version=True)
    else:
        ours = engines.get(name).version
    if ours == version:
        return None
    return Refusal(f"played with version {version} of {name}, this is version {ours}", is_version=True)
