"""Renews `results.json`: ``python -m tests.golden``. What changed under an unchanged version is refused."""

from __future__ import annotations

import json
import sys
from typing import Any

from tests.golden import comparing, played


def main() -> None:
    """Write what games and engines do now, unless a version must be raised first."""
    kept, found = comparing.stored(), {"games": played.games(), "engines": played.engines(is_whole=True)}
    differences = [
        *comparing.game_differences(kept["games"], found["games"]),
        *comparing.engine_differences(kept["engines"], found["engines"]),
    ]
    if any(one.needs_version for one in differences):
        sys.exit(comparing.advice(differences))
    comparing.FILE.write_text("\n".join(lines(found)) + "\n", encoding="utf-8")
    print(f"{comparing.FILE.name}: {len(differences) or 'no'} changes")


def lines(value: Any) -> list[str]:
    """JSON with a match, a decision or a list of metrics a line, so that a change shows where it is."""
    if isinstance(value, dict) and any(isinstance(one, dict) and one for one in value.values()):
        named = [(f"{json.dumps(name)}: ", lines(one)) for name, one in value.items()]
        return _joined("{", [[key + first, *rest] for key, (first, *rest) in named], "}")
    if isinstance(value, list) and len(value) > 1 and isinstance(value[0], dict) and "position" in value[0]:
        return _joined("[", [lines(one) for one in value], "]")
    return [json.dumps(value)]


def _joined(opening: str, parts: list[list[str]], closing: str) -> list[str]:
    for part in parts[:-1]:
        part[-1] += ","
    return [opening, *(f" {line}" for part in parts for line in part), closing]


if __name__ == "__main__":
    main()
