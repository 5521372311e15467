"""Which versions of game and engines played what a page shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from webapp.lab.results import counted
from webapp.lab.results.cache import per_version
from webapp.records.models import Experiment, Match


@dataclass(frozen=True)
class Played:
    """Finished matches of one arm that recorded the same versions; json: as Postgres writes these."""

    arm: int
    json: str
    matches: int

    @property
    def versions(self) -> Mapping[str, str]:
        """Name of a game or engine -> its version."""
        found: dict[str, str] = json.loads(self.json)
        return found


@per_version
def played(experiment: Experiment) -> tuple[Played, ...]:
    """The finished matches of an experiment, counted by arm and versions."""
    return tuple(Played(*row) for row in sorted(counted.by_versions(experiment)))


def mixed(experiment: Experiment) -> list[tuple[Played, str]]:
    """Where a game or an engine played in several versions: its matches by arm and versions, and these in words."""
    rows = played(experiment)
    known: dict[str, set[str]] = {}
    for name, version in (pair for row in rows for pair in row.versions.items()):
        known.setdefault(name, set()).add(version)
    several = {name for name, found in known.items() if len(found) > 1}
    pairs = [(row, {pair for pair in row.versions.items() if pair[0] in several}) for row in rows]
    return [(row, _words(found)) for row, found in pairs if found]


def versions(experiment: Experiment, match: Match | None = None) -> str:
    """Versions that one match, or the finished matches of every arm, recorded.

    Each name once with each of its versions; empty where nothing has been played.
    """
    rows = [match.versions] if match is not None else [row.versions for row in played(experiment)]
    return _words({pair for row in rows for pair in row.items()})


def _words(pairs: set[tuple[str, str]]) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted(pairs))
