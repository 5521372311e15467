"""Labels of a game, which knows seats by colour, with the names of the players who sit there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from webapp.common import naming
from webapp.play import wording
from webapp.table.live import hints
from webapp.table.live.snapshot import Action, Part
from webapp.table.live.table_seats import Table


def label_actions(table: Table, legal: Sequence[Action]) -> tuple[Action, ...]:
    """Legal actions with the labels of their parts as people read them."""
    names = wording.inner_names(table)

    def named(part: Part) -> Part:
        label = naming.with_names(part.label, names)
        return part if label == part.label else replace(part, label=label)

    return tuple(Action(action.id, action.notation, tuple(map(named, action.parts))) for action in legal)


def label_hint(table: Table) -> dict[str, Any] | None:
    """The hint in this position for the asker (`hints.hint_for`) likewise."""
    found = hints.hint_for(table.match, table.seats)
    if found is None or found["result"] is None:
        return found
    names = wording.inner_names(table)
    rows = [row | {"words": naming.with_names(row["words"], names)} for row in found["result"]["rows"]]
    return found | {"result": found["result"] | {"rows": rows}}
