"""Spaces of Gymnasium for the observations and actions of a setup, and the forms of observations."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from worker.environments import extras
from worker.environments.encoder import Mask, Observation
from worker.environments.setup import Setup

extras.require("gymnasium")
from gymnasium import spaces  # noqa: E402 - after the check that says how to install it

Space = spaces.Space[dict[str, NDArray[Any]]]
VECTOR, PLANES = "vector", "planes"
FORMS = (VECTOR, PLANES)
"""Forms of observations: one vector, or planes with the other numbers beside them."""
OBSERVATION, NUMBERS, MASK = "observation", "numbers", "action_mask"


def check_form(setup: Setup, form: str) -> None:
    """Raises ValueError for a form that is unknown, or that the game does not have."""
    if form not in FORMS:
        raise ValueError(f"observation must be one of {', '.join(FORMS)}, not {form!r}")
    if form == PLANES and not setup.encoding.planes(setup.seats):
        raise ValueError(f"{setup.game.label} has no board of places: its observations are vectors")


def _numbers(*shape: int) -> spaces.Box:
    limits = np.iinfo(np.int16)
    return spaces.Box(limits.min, limits.max, shape, np.int16)


def _dict(parts: dict[str, spaces.Space[Any]]) -> Space:
    return cast(Space, spaces.Dict(parts))


def observation_space(setup: Setup, form: str) -> Space:
    """Space of `observation`: int16, exact numbers as the encoding's blocks say them."""
    encoding = setup.encoding
    mask = spaces.Box(0, 1, (encoding.num_actions,), np.int8)
    length = encoding.length(setup.seats)
    if form == VECTOR:
        return _dict({OBSERVATION: _numbers(length), MASK: mask})
    shape = encoding.plane_shape(setup.seats)
    rest = length - int(np.prod(shape))
    return _dict({OBSERVATION: _numbers(*shape), NUMBERS: _numbers(rest), MASK: mask})


def observation(setup: Setup, form: str, vector: Observation, mask: Mask) -> dict[str, NDArray[Any]]:
    """An observation in a form, with a copy of the mask of what may be done: callers keep what they get."""
    mask = mask.copy()
    if form == VECTOR:
        return {OBSERVATION: vector, MASK: mask}
    shape = setup.encoding.plane_shape(setup.seats)
    size = int(np.prod(shape))
    return {OBSERVATION: vector[:size].reshape(shape), NUMBERS: vector[size:], MASK: mask}


def action_space(setup: Setup) -> spaces.Discrete:
    """Space of the numbers of actions."""
    return spaces.Discrete(setup.encoding.num_actions)
