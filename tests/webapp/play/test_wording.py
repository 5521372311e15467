"""What the page of a match says of its end, where partners play together."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from webapp.play import wording


def table(*own: int) -> Any:
    """Four people at a table of dominoes; own: seats of who looks."""
    rows = [SimpleNamespace(name=name, seat=seat) for seat, name in enumerate(("Ann", "Bob", "Cem", "Dia"))]
    match = SimpleNamespace(game="dominoes", num_seats=4, is_over=True, status="finished", ending={"kind": "finished"})
    return SimpleNamespace(match=match, rows=rows, seats=own)


@pytest.mark.parametrize(
    ("own", "scores", "ranks", "words"),
    [
        ((), (-40, -124, -40, -124), (1, 3, 1, 3), "Ann and Cem win \u221240 to \u2212124"),
        ((2,), (-40, -124, -40, -124), (1, 3, 1, 3), "You and Ann win \u221240 to \u2212124"),
        ((0,), (-124, -40, -124, -40), (3, 1, 3, 1), "Bob and Dia win \u221240 to \u2212124"),
        ((0,), (0, 0, 0, 0), (1, 1, 1, 1), "A draw, 0 to 0"),
    ],
)
def test_partners_win_together(
    own: tuple[int, ...], scores: tuple[int, ...], ranks: tuple[int, ...], words: str
) -> None:
    seen = {"seats": [{"score": score} for score in scores], "result": [{"rank": rank} for rank in ranks]}
    assert wording.result(table(*own), seen) == words
