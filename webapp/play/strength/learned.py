"""What was learned from self-play, in a line for each set of weights: from the logs that lie beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from games import registry
from webapp.common.formats import number, plural

PLACE, ENDING = Path("data") / "values", ".log.json"


@dataclass(frozen=True)
class LearnedSet:
    """One set of weights. cost, matches, rounds: in words, empty where the log does not say."""

    name: str
    day: str
    command: str
    seed: str
    cost: str
    matches: str
    rounds: str


@cache
def sets(game_id: str) -> tuple[LearnedSet, ...]:
    """The sets of a game, by name; none where nothing was learned."""
    folder = registry.get(game_id).folder / PLACE
    return tuple(_read(file) for file in sorted(folder.glob(f"*{ENDING}")))


def _read(file: Path) -> LearnedSet:
    log: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    rounds, plan = log.get("rounds", ()), log.get("plan", {})
    matches = sum(row.get("matches", 0) for row in rounds)
    return LearnedSet(
        name=file.name.removesuffix(ENDING),
        day=str(log.get("day", "")),
        command=str(log.get("command", "")),
        seed=str(log.get("seed", plan.get("seed", ""))),
        cost=f"{number(log['cpu_s'] / 3600, 2)} CPU hours" if "cpu_s" in log else "",
        matches=plural(matches, "match", "matches") if matches else "",
        rounds=plural(len(rounds), "round", "rounds") if rounds else "",
    )
