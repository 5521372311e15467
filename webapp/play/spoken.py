"""What the game says of seats, which it knows by colour, as the table calls those who sit there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common import naming
from webapp.play import wording
from webapp.table.live import hints
from webapp.table.live.seating import Table


def actions(table: Table, legal: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Legal actions (`seeing.actions`) with the labels of their parts as people read them."""
    names = wording.within(table)
    return [
        {**action, "parts": [{**part, "label": naming.spoken(part["label"], names)} for part in action["parts"]]}
        for action in legal
    ]


def hint(table: Table, seats: tuple[int, ...]) -> dict[str, Any] | None:
    """The hint in this position for whoever plays `seats` (`hints.of`) likewise."""
    found = hints.of(table.match, seats)
    if found is None or found["result"] is None:
        return found
    names = wording.within(table)
    rows = [row | {"words": naming.spoken(row["words"], names)} for row in found["result"]["rows"]]
    return found | {"result": found["result"] | {"rows": rows}}
