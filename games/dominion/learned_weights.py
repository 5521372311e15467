"""Weights of the policy `learned`, kept as data: what each card appeals, by a few facts of the position.

They were learned by ``python -m tests.bench.fit_dominion``; `FILE` has them by card, and beside it lies the log.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.dominion import cards

FILE = Path(__file__).parent / "data" / "learned.json"
FORMAT = "learned-1"
GAIN = (
    "always",
    "copies owned",
    "share of Provinces gone",
    "the same beyond a half",
    "own turns / 20",
    "actions that own cards take, less those they give / 4",
    "share of Curses left",
    "cards owned / 20",
    "lead / 10, from -1 to 1, times Provinces gone beyond a half",
    "Gardens owned / 2",
)
"""Facts that a card to be gained is weighed by."""
PLAY = ("always", "share of Curses left", "share of Provinces gone")
"""Facts that an Action card to be played is weighed by."""
KEEP = ("always", "share of Provinces gone")
"""Facts that a card to be kept is weighed by."""
PLAY_AT, KEEP_AT = len(GAIN), len(GAIN) + len(PLAY)
COLUMNS = KEEP_AT + len(KEEP)


def table(file: Path = FILE) -> NDArray[np.float64]:
    """Weights by card: float64[NUM_CARDS, COLUMNS], for gains, then plays, then keeping."""
    data = json.loads(file.read_bytes())
    assert data["format"] == FORMAT
    rows = np.array([data["weights"][card.name] for card in cards.table()], np.float64)
    assert rows.shape == (cards.NUM_CARDS, COLUMNS)
    return rows


def as_json(weights: NDArray[np.float64]) -> str:
    """A table as the file has it: a card a line."""
    facts: dict[str, Any] = {"gain": GAIN, "play": PLAY, "keep": KEEP}
    rows = ",\n".join(
        f"  {json.dumps(card.name)}: {json.dumps(weights[card.number].round(3).tolist())}" for card in cards.table()
    )
    return f'{{\n "format": "{FORMAT}",\n "facts": {json.dumps(facts)},\n "weights": {{\n{rows}\n }}\n}}\n'
