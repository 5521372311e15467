"""Measurements that ship with the project: ``data/ID.json``, one for each that was carried out.

A file holds the report as the command prints it, with all sums over deals that its intervals rest on, and what the
sides took. ``python -m worker strength ID --store`` writes it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from engines import registry as engines
from games import options as option_tools
from games import registry as games
from games.protocol import Game
from worker import spec as specs
from worker.presets.stored_runs import version_now
from worker.strength import registry
from worker.strength.model import Measurement
from worker.studies import spec as study_specs

FOLDER = Path(__file__).parent / "data"
FORMAT = "strength-1"
HEX_DIGITS = 12


@dataclass(frozen=True)
class Stored:
    """One measurement that was carried out to its end.

    units: matches, or pieces of a study; versions: of games, engines and kinds of study that took part; fit: of what
    was done, to be compared with `fit` now; thinking_ms: by place of an experiment, CPU milliseconds of a decision in
    which there was a choice; report: of the experiment, or the result of the study.
    """

    id: str
    run_on: date
    cpu_s: float
    machine: str
    units: int
    versions: Mapping[str, str]
    fit: str
    thinking_ms: Sequence[float]
    report: Mapping[str, Any]

    @property
    def is_fitting(self) -> bool:
        """Whether it is of what the measurement does now: else its figures are of something else, and not shown."""
        found = registry.measurements().get(self.id)
        return found is not None and fit(found) == self.fit

    @property
    def outdated(self) -> tuple[tuple[str, str, str], ...]:
        """What has another version now: (name, version that ran, version now), the last one empty if it is gone."""
        known = ((name, version, version_now(name)) for name, version in sorted(self.versions.items()))
        return tuple(row for row in known if row[1] != row[2])


def fit(measurement: Measurement) -> str:
    """A digest of the complete spec: a level that is another player now makes another one, a new option does not."""
    complete: Mapping[str, Any] = (
        study_specs.to_json(study_specs.from_json(measurement.spec))
        if measurement.is_study
        else specs.to_json(specs.from_json(measurement.spec))
    )
    chosen = _chosen(complete, games.get(measurement.game))
    return hashlib.sha256(json.dumps(chosen, sort_keys=True).encode()).hexdigest()[:HEX_DIGITS]


def _chosen(part: Any, game: Game) -> Any:
    """A part of a spec without the options of engines that are as each begins with this game."""
    if isinstance(part, Mapping):
        rows = {key: _chosen(value, game) for key, value in part.items()}
        if isinstance(part.get("engine"), str) and isinstance(part.get("options"), Mapping):
            begins = _begins(part["engine"], game)
            rows["options"] = {key: value for key, value in part["options"].items() if begins.get(key) != value}
        return rows
    return [_chosen(value, game) for value in part] if isinstance(part, (list, tuple)) else part


def _begins(engine_id: str, game: Game) -> dict[str, Any]:
    """All options of an engine as it begins with a game."""
    options = option_tools.from_json(engines.get(engine_id).options_class, engines.defaults(engine_id, game))
    return option_tools.to_json(options)


@cache
def load(measurement_id: str) -> Stored | None:
    """What ships of a measurement; None where it has not been carried out."""
    file = FOLDER / f"{measurement_id}.json"
    if not file.exists():
        return None
    data = json.loads(file.read_bytes())
    assert data.pop("format") == FORMAT, f"{file.name} has another format"
    return Stored(**{**data, "run_on": date.fromisoformat(data["run_on"])})


def write(found: Stored) -> Path:
    """Store a measurement in place of the one before; return the file."""
    data = {"format": FORMAT, **asdict(found), "run_on": found.run_on.isoformat()}
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / f"{found.id}.json"
    file.write_text(json.dumps(data, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    load.cache_clear()
    return file
