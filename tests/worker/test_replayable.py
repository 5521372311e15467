"""Why a recorded match cannot be played again, in the same words for the lab and for snapshots."""

from __future__ import annotations

from typing import Any

import pytest

from engines import registry as engines
from engines.protocol import CLOCKS, Budget
from games import registry as games
from worker.replayable import refusal
from worker.spec import SeatSpec

RANDOM = SeatSpec("random", {}, Budget())
OURS = {"carcassonne": games.get("carcassonne").version, "random": engines.get("random").version}


@pytest.mark.parametrize(
    ("seats", "versions", "status", "reason"),
    [
        ([RANDOM], {}, "failed", "it failed"),
        ([], {}, "finished", "people or agents played it"),
        ([SeatSpec("uct", {}, Budget(**{CLOCKS[0]: 1.0}))], {}, "finished", "its engines thought by the clock"),
        ([RANDOM], {"random": "0"}, "finished", "played with version 0 of random"),
        ([RANDOM], {"carcassonne": "0"}, "finished", "played with version 0 of carcassonne"),
        ([RANDOM], {"gone": "1"}, "finished", "there is no gone in this lab"),
    ],
)
def test_what_cannot_be_played_again_says_why(seats: Any, versions: Any, status: str, reason: str) -> None:
    found = refusal(status, seats, OURS | versions)
    assert found is not None
    assert found.reason.startswith(reason)
    assert found.is_version == bool(versions)


def test_what_the_present_versions_played_can_be() -> None:
    assert refusal("finished", [RANDOM], OURS) is None
