"""What positions of Carcassonne are expected to bring (`games.values`)."""

from __future__ import annotations

from pathlib import Path

from games.values import GameValue, Training

VALUE = GameValue(
    Path(__file__).parent,
    Training(teacher="thorough", hidden=24, rounds=4, matches=4_000, epsilon=0.08, rate=0.25),
)
