"""What positions of Kingdomino are expected to bring (`games.values`)."""

from __future__ import annotations

from pathlib import Path

from games.values import GameValue, Training

VALUE = GameValue(
    Path(__file__).parent,
    Training(
        teacher="informed",
        hidden=32,
        seats=4,
        more_seats=(2, 3),
        rounds=4,
        matches=7_000,
        epsilon=0.15,
        rate=0.2,
        trace=1.0,
        settle=0.06,
        candidates=8,
    ),
)
