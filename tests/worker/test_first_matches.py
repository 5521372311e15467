"""No clock of a match holds compilation or loading of kernels: not the match's, not its decisions', not a table's."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from engines import registry
from games.loader import FRAME
from tests.games import walks

DEADLINE_S = 600
RULES = ("init", "current_player", "legal_actions", "is_legal", "apply", "scores", "key")
"""Kernels that no match goes without."""


def counted(game_id: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.worker.first_matches", game_id]
    answer = subprocess.run(command, cwd=FRAME.parent, check=True, capture_output=True, text=True, timeout=DEADLINE_S)
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game_id", walks.GAME_IDS)
def test_clocks_begin_when_every_kernel_is_loaded(game_id: str) -> None:
    game = walks.game_of(game_id)
    found = counted(game_id)
    assert sorted(found) == sorted(id_ for id_ in registry.ids() if registry.make_for(game, id_).refuses(game) is None)
    for engine_id, seconds in found.items():
        assert seconds.pop("loads") >= len(RULES), engine_id
        assert seconds == {"match": [0.0, 0.0], "decisions": [0.0], "late": [], "unprepared": 0.0}, engine_id
