"""Pictures of a position, as our boards draw them: SVG, and pixels for videos."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from games.protocol import Game, State
from worker.environments import extras

SVG, RGB = "svg", "rgb_array"
MODES = (SVG, RGB)
WIDTH = 900
"""Pixels of a picture's width."""


def check_mode(mode: str | None) -> None:
    """Raises ValueError for an unknown mode, ImportError where pixels need what is not installed."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"render_mode must be one of {', '.join(MODES)} or None, not {mode!r}")
    if mode == RGB:
        extras.require("resvg_py", "PIL")


def draw(game: Game, state: State, seat: int | None, mode: str | None) -> str | NDArray[np.uint8] | None:
    """The board as a seat (None: a spectator) may see it: SVG as text, uint8[height, width, 3], or None."""
    if mode is None:
        return None
    svg = game.svg(state, seat=seat, theme="light", width=WIDTH)
    return svg if mode == SVG else pixels(svg)


def pixels(svg: str) -> NDArray[np.uint8]:
    """Pixels of a drawing: uint8[height, width, 3]."""
    import resvg_py
    from PIL import Image

    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, sans_serif_family="DejaVu Sans", background="#ffffff"))
    with Image.open(io.BytesIO(png)) as picture:
        return np.asarray(picture.convert("RGB"))
