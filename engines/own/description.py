"""What an engine of one's own says of itself: its class as JSON, and the options of that JSON.

Its code runs in its own process alone; pages, specs and forms know it by this.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from keyword import iskeyword
from typing import Any

from engines.own.faults import SourceError
from engines.protocol import BUDGET_LABELS
from games.options import option, schema

SEES = ("position", "observation")
MAX_TEXT = 300
USUAL_DECISION_S = 0.1


def describe(cls: type, name: str) -> dict[str, Any]:
    """The class as JSON. Raises SourceError saying what is missing or wrong."""
    if not callable(getattr(cls, "choose", None)):
        raise SourceError(f"{cls.__name__} has no method choose(position, budget)")
    sees = getattr(cls, "sees", SEES[0])
    if sees not in SEES:
        raise SourceError(f"sees must be {' or '.join(SEES)}, not {sees!r}")
    budgets = list(getattr(cls, "budgets", ()))
    default_budget = dict(getattr(cls, "default_budget", {}))
    unknown = {*budgets, *default_budget} - set(BUDGET_LABELS)
    if unknown or not set(default_budget) <= set(budgets) or bool(budgets) != bool(default_budget):
        raise SourceError(f"budgets are some of {', '.join(BUDGET_LABELS)}, and default_budget has one of them")
    return {
        "label": _text(cls, "label", name),
        "summary": _text(cls, "summary", (cls.__doc__ or "").strip().partition("\n")[0]),
        "games": [str(game) for game in getattr(cls, "games", ())],
        "sees": sees,
        "needs_journal": bool(getattr(cls, "needs_journal", False)),
        "budgets": budgets,
        "default_budget": default_budget,
        "decision_s": float(getattr(cls, "decision_s", USUAL_DECISION_S)),
        "options": schema(declared(options_of(cls))),
    }


def options_of(cls: type) -> type:
    """The class of its options; one without fields where it has none. Raises SourceError."""
    found = getattr(cls, "options_class", None) or dataclasses.make_dataclass("Options", [], frozen=True)
    if not dataclasses.is_dataclass(found):
        raise SourceError("options_class must be a dataclass")
    return found


def declared(cls: type) -> type:
    """Options with what `games.options.option` notes of each; a field with a default alone is named by itself."""
    fields = []
    for field in dataclasses.fields(cls):
        if field.default is dataclasses.MISSING or not isinstance(field.default, bool | int | float | str):
            raise SourceError(f"option {field.name} needs a default: a number, a text, or true or false")
        made = field if "label" in field.metadata else option(field.default, field.name.replace("_", " ").capitalize())
        fields.append(
            (field.name, type(field.default), dataclasses.field(default=field.default, metadata=made.metadata))
        )
    return dataclasses.make_dataclass("Options", fields, frozen=True)


def options_class(rows: list[Mapping[str, Any]]) -> type:
    """The options that rows of `games.options.schema` describe."""
    fields = []
    for row in rows:
        where = (row["where"]["option"], row["where"]["values"]) if row["where"] else None
        made = option(
            row["default"],
            row["label"],
            row["help"],
            minimum=row["minimum"],
            maximum=row["maximum"],
            choices=[(choice["value"], choice["label"]) for choice in row["choices"]],
            names=row["names"],
            where=where,
        )
        fields.append((row["name"], type(row["default"]), made))
    return dataclasses.make_dataclass("OwnOptions", fields, frozen=True)


def of_values(name: str, options: Mapping[str, Any], budget: Mapping[str, Any]) -> dict[str, Any]:
    """What a complete configuration says of its engine, where that cannot say it any more."""
    given = {key: value for key, value in options.items() if key.isidentifier() and not iskeyword(key)}
    given = {key: value for key, value in given.items() if isinstance(value, bool | int | float | str)}
    fields = [(key, type(value), option(value, key.replace("_", " ").capitalize())) for key, value in given.items()]
    keys = [key for key in BUDGET_LABELS if key in budget]
    return {
        "label": name,
        "summary": "",
        "games": [],
        "sees": SEES[0],
        "needs_journal": False,
        "budgets": keys,
        "default_budget": {key: budget[key] for key in keys[:1]},
        "decision_s": USUAL_DECISION_S,
        "options": schema(dataclasses.make_dataclass("Options", fields, frozen=True)),
    }


def _text(cls: type, name: str, usual: str) -> str:
    found = getattr(cls, name, "") or usual
    if not isinstance(found, str):
        raise SourceError(f"{name} must be text")
    return " ".join(found.split())[:MAX_TEXT]
