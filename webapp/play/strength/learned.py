"""What was learned from self-play: a line for each set of weights, from the logs beside them, and what they say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from games import data_files, registry
from webapp.common.formats import number, plural, signed

PLACES, ENDING = (Path("value") / "data", Path("data")), ".log.json"
FACTS, FORMAT = "value_facts", "value-facts-1"


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

    @property
    def training(self) -> str:
        """How it was made, in words, as far as the log says it."""
        seed = f"seed {self.seed}" if self.seed else ""
        return ", ".join(part for part in (self.day, self.rounds, self.matches, self.cost, seed) if part)


@cache
def sets(game_id: str) -> tuple[LearnedSet, ...]:
    """The sets of a game, by name; none where nothing was learned."""
    folder = registry.get(game_id).folder
    return tuple(_read(file) for place in PLACES for file in sorted((folder / place).glob(f"*{ENDING}")))


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


@dataclass(frozen=True)
class Fact:
    """What something is worth, in points by stage of the match. part: of what it is told, empty for the whole."""

    label: str
    part: str
    worth: tuple[str, ...]


@dataclass(frozen=True)
class Facts:
    """What a value was found to say. stages: over the columns of `Fact.worth`."""

    about: str
    stages: tuple[str, ...]
    rows: tuple[Fact, ...]


@cache
def facts(game_id: str) -> Facts | None:
    """What the value of a game says in numbers that people know; None where nobody has read it."""
    found = data_files.read(registry.get(game_id).folder, FACTS, FORMAT)
    if found is None:
        return None
    alone = [Fact(row["label"], "", _points(row["worth"])) for row in found["alone"].values()]
    parts = [
        Fact(row["label"], terrain, _points(worth))
        for row in found["by_terrain"].values()
        for terrain, worth in row["worth"].items()
    ]
    stages = tuple(f"{first}\u2013{last}" for first, last in found["dominoes_to_come"])
    return Facts(found["about"], stages, (*alone, *parts))


def _points(worth: Sequence[float]) -> tuple[str, ...]:
    return tuple(signed(value, 1) for value in worth)
