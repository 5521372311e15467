"""Examples of requests, as the reference shows them: bodies that work as they stand, and a command line for each."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from django.conf import settings

from games import registry as game_registry

DOMINION: Any = game_registry.get("dominion")
GREEDY = {"engine": "scripted", "options": {"policy": "greedy"}}
EXPERIMENT = {
    "title": "Does a wider first look help?",
    "spec": {
        "version": 1,
        "game": "carcassonne",
        "options": {},
        "seats": 2,
        "arms": [
            {
                "name": "40 playouts",
                "seats": [{"engine": "flat_mc", "budget": {"playouts": 40}}, GREEDY],
            },
            {
                "name": "80 playouts",
                "seats": [{"engine": "flat_mc", "budget": {"playouts": 80}}, GREEDY],
            },
        ],
        "deals": 50,
        "seed": 70411,
    },
}
TEST = {
    "title": "Is ours stronger than the full greedy?",
    "spec": json.loads((Path(settings.EXAMPLES) / "research" / "test.json").read_text(encoding="utf-8")),
}
LADDER = {
    "title": "Who is strongest?",
    "spec": {
        "version": 1,
        "game": "carcassonne",
        "seats": 2,
        "deals": 20,
        "seed": 5,
        "ladder": {
            "pairing": "round_robin",
            "entries": [
                {"name": "Greedy", **GREEDY},
                {"name": "Flat, 20 playouts", "engine": "flat_mc", "budget": {"playouts": 20}},
                {"name": "At random", "engine": "random"},
            ],
        },
    },
}
STUDY = {
    "title": "",
    "spec": {
        "version": 1,
        "study": "deal_luck",
        "game": "dominoes",
        "seed": 7,
        "parameters": {"deals": 100},
    },
}
ENTRY = {"name": "Flat, 60 playouts", "engine": "flat_mc", "budget": {"playouts": 60}}


def body(**found: Any) -> dict[str, Any]:
    """What the schema of an operation holds besides: bodies by what they show."""
    shown = {name: {"summary": name.replace("_", " ").capitalize(), "value": value} for name, value in found.items()}
    return {"requestBody": {"content": {"application/json": {"examples": shown}}}}


def strategy_body(**further: Any) -> dict[str, Any]:
    """The same for a body with a strategy of the book."""
    return body(double_witch={"strategy": dict(DOMINION.strategies.examples["double_witch"]), **further})


STARTS = {
    "experiment": body(two_arms=EXPERIMENT, until_a_test_decides=TEST),
    "ladder": body(three_engines=LADDER),
    "study": body(luck_of_the_deal=STUDY),
}
DESCRIPTIONS = body(
    tags_and_notes={"tags": ["uct", "bias"], "notes": "Rerun after **version 2.3**: the margin was too wide."},
    another_title={"title": "Does a progressive bias help?", "shows_notes": True},
)
FILL_IN = {
    "number": "1",
    "match": "1",
    "deed": "pause",
    "game_id": "carcassonne",
    "code": "abc",
    "wish": "resign",
    "table": "matches",
    "format_id": "csv",
    "preset_id": "heyden-table-6.1",
    "chart_id": "win-rate",
    "run": "1",
    "snapshot": "1",
    "slug": "your-link",
    "project": "1",
}
"""What stands for a part of an address in command lines."""


QUERIES = {"compare": "?job=1&job=2"}
"""What follows the address in the command line of an operation that needs a question."""


def command(method: str, path: str, operation: dict[str, Any]) -> str:
    """A command line that calls an operation of the schema. `$LAB`: address of the lab; `$LAB_TOKEN`: a token."""
    for name, value in FILL_IN.items():
        path = path.replace(f"{{{name}}}", value)
    parts = [f'curl -sS "$LAB{path}{QUERIES.get(operation.get("operationId", ""), "")}"']
    if method != "get":
        parts.append(f"-X {method.upper()}")
    if operation.get("security"):
        parts.append('-H "Authorization: Bearer $LAB_TOKEN"')
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    if examples := list(content.get("examples", {}).values()):
        parts.append("-H 'Content-Type: application/json'")
        parts.append(f"-d {shlex.quote(json.dumps(examples[0]['value'], ensure_ascii=False))}")
    return " \\\n  ".join(parts)
