"""Options that are data, such as a strategy: their fields (one of the game's examples, one's own, or as given).

What a browser posts is the key of a choice, or the data itself as JSON where the form began with
other data than any choice has.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from games import options as option_tools
from games import registry as game_registry
from games.strategies import StrategyError

Own = Mapping[str, tuple[str, Mapping[str, Any]]]
"""Things of their own that a person may choose: key -> (name, data)."""
EXAMPLE = "example:"
"""Before the id of an example of the game."""


def text(data: Mapping[str, Any]) -> str:
    """Data as forms post it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _given(value: Any, reader: Any) -> Mapping[str, Any] | None:
    """The checked data that a posted text holds; None where it is a key, or cannot be read."""
    if not isinstance(value, str) or not value.startswith("{"):
        return None
    try:
        checked: Mapping[str, Any] = reader.check(json.loads(value))
    except (ValueError, RecursionError):
        return None
    return checked


class DataField(forms.ChoiceField):
    """A choice whose value is data. reader: a game's, with `examples` and `checked` (`games.strategies`)."""

    def __init__(self, reader: Any, own: Own, posted: str, **kwargs: Any) -> None:
        """posted: what the form holds already."""
        rows = [("Examples", f"{EXAMPLE}{key}", str(data["name"]), data) for key, data in reader.examples.items()]
        rows += [("Mine", key, name, data) for key, (name, data) in own.items()]
        given = _given(posted, reader)
        if given is not None:
            same = next((i for i, row in enumerate(rows) if row[3] == given), None)
            if same is None:
                rows.insert(0, ("As given", posted, str(given["name"]), given))
            else:  # the choice stands under what the form holds
                group, _, name, data = rows[same]
                rows[same] = (group, posted, name, data)
        self.known = {key: data for _, key, _, data in rows}
        self.names = {key: name for _, key, name, _ in rows}
        groups: dict[str, list[tuple[str, str]]] = {}
        for group, key, name, _ in rows:
            groups.setdefault(group, []).append((key, name))
        kwargs.setdefault("error_messages", {"invalid_choice": "Choose another one: this one is gone."})
        super().__init__(choices=list(groups.items()), **kwargs)

    def clean(self, value: Any) -> Any:
        """The data of the choice."""
        return dict(self.known[super().clean(value)])


def field(row: Mapping[str, Any], game: Any, own: Own, posted: Any) -> DataField:
    """The field of a row of `games.options.schema` whose type is "data"; the game has what reads it."""
    return DataField(getattr(game, row["names"]), own, str(posted or ""), label=row["label"], help_text=row["help"])


def describe_data(cls: type, values: Mapping[str, Any], game_id: str) -> list[tuple[str, Sequence[str]]]:
    """(heading, rules in words) of all data that options hold; nothing of what this version cannot read."""
    found: list[tuple[str, Sequence[str]]] = []
    game = game_registry.get(game_id) if game_id in game_registry.ids() else None
    for row in option_tools.schema(cls):
        reader = getattr(game, row["names"], None) if row["type"] == option_tools.DATA else None
        if reader is not None and (data := values.get(row["name"])):
            with contextlib.suppress(StrategyError):
                found.extend(reader.describe(reader.check(data)))
    return found
