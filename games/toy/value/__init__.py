"""What cards expect: points held, cards to come."""

from __future__ import annotations

from pathlib import Path

from games.values import GameValue, Training

VALUE = GameValue(Path(__file__).parent, Training(teacher="greedy", hidden=2, rounds=2, matches=2_000))
