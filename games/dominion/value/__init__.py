"""What positions of Dominion are expected to bring (`games.values`): points at the end of matches by `learned`."""

from __future__ import annotations

from pathlib import Path

from games.values import GameValue, Training

VALUE = GameValue(
    Path(__file__).parent,
    Training(teacher="learned", hidden=24, rounds=1, matches=12_000, epsilon=0.05, rate=0.1, trace=1.0),
)
