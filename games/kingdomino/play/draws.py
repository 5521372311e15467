"""Kings and dominoes drawn, in words."""

from __future__ import annotations

from collections.abc import Sequence

from games.kingdomino import state as layout
from games.kingdomino.play.spelling import domino_words
from games.protocol import Draw


def describe_draws(drawn: Sequence[Draw]) -> str:
    """The dominoes of the new row, which lie by number; before the first one also in which order the kings came."""
    kings = [f"seat {one.outcome - layout.KING}" for one in drawn if one.outcome >= layout.KING]
    row = [domino_words(number) for number in sorted(one.outcome + 1 for one in drawn if one.outcome < layout.KING)]
    said = [f"kings of {', '.join(kings)}"] if kings else []
    if row:
        said.append(f"{'domino' if len(row) == 1 else 'dominoes'} {', '.join(row)}")
    return "; ".join(said)
