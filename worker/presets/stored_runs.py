"""Runs of presets that ship with the project: ``data/runs/ID.json``, one for each preset that has one.

A file holds the sums from which every figure follows, never a verdict: these are found by the code that judges a run
of today. Lines of some matches, or rows of some pieces, let a test play them again.
``python -m worker preset ID --scale SCALE --store`` writes it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from engines import registry as engine_registry
from games import registry as game_registry
from worker import schedule
from worker import spec as specs
from worker.match_lines import line
from worker.presets import number_files, pooling, registry
from worker.presets.comparison import Comparison, Stage, compare
from worker.presets.model import Preset, Scale
from worker.presets.numbers import Numbers
from worker.runner import play_match
from worker.studies import pieces
from worker.studies import registry as study_registry
from worker.studies import spec as study_specs
from worker.studies.protocol import stage_of

FOLDER = Path(__file__).parent / "data" / "runs"
FORMAT = "preset-run-1"
MATCHES = 2
"""Matches of each arm, from its first one, of which a line is kept."""
PIECES = 2
"""Pieces of a study, from its first one, of whose rows a digest is kept."""
TIMES = "_s"
"""End of the names of seconds in a row, which differ from run to run."""
HEX_DIGITS = 12


@dataclass(frozen=True)
class StoredRun:
    """One run of a preset at one scale, with the preset's own seed.

    deals, units: planned deals of an arm (0 of a study) and all matches or pieces that were done; fit: of what was
    run, to be compared with `fit` now; versions: of games, engines and kinds of study that took part;
    sample: what `play_again` must find.
    """

    preset: str
    scale: str
    seed: int
    deals: int
    units: int
    run_on: date
    cpu_s: float
    machine: str
    versions: Mapping[str, str]
    fit: str
    sample: tuple[str, ...]
    numbers: Numbers

    @property
    def chosen(self) -> Scale | None:
        """The scale as it is now; None where there is none of this name."""
        found = registry.presets().get(self.preset)
        return None if found is None else found.scales.get(self.scale)

    @property
    def is_fitting(self) -> bool:
        """Whether it is of what the preset plays now: else its numbers belong to other rows, and are not shown."""
        chosen = self.chosen
        return chosen is not None and self.fit == fit(registry.get(self.preset), chosen)

    @property
    def outdated(self) -> tuple[tuple[str, str, str], ...]:
        """What has another version now: (name, version that ran, version now), the last one empty if it is gone."""
        known = ((name, version, version_now(name)) for name, version in sorted(self.versions.items()))
        return tuple(row for row in known if row[1] != row[2])

    @property
    def stage(self) -> Stage:
        """It was carried out to its planned end."""
        return Stage(deals=self.deals)


def fit(preset: Preset, scale: Scale) -> str:
    """A digest of what the numbers of a run rest on: what is played, what is counted, which cells are pooled."""
    pools = [[asdict(pool) for pool in pooling.pools_of(one)] for one in (preset, preset.of_program)]
    rests_on = [scale.spec, [asdict(quantity) for quantity in preset.quantities], pools]
    return _digest(rests_on)


@cache
def load(preset_id: str) -> StoredRun | None:
    """The run of a preset that ships; None where none does."""
    file = FOLDER / f"{preset_id}.json"
    if not file.exists():
        return None
    data = json.loads(file.read_bytes())
    assert data.pop("format") == FORMAT, f"{file.name} has another format"
    return StoredRun(
        **{
            **data,
            "run_on": date.fromisoformat(data["run_on"]),
            "sample": tuple(data["sample"]),
            "numbers": number_files.from_json(data["numbers"]),
        }
    )


def write(run: StoredRun) -> Path:
    """Store a run in place of the one before, a short list a line; return the file."""
    numbers = number_files.to_json(_without_unread(run))
    data = {"format": FORMAT, **_head(run), "sample": list(run.sample), "numbers": numbers}
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / f"{run.preset}.json"
    file.write_text(_lines(data) + "\n", encoding="utf-8")
    load.cache_clear()
    return file


def _head(run: StoredRun) -> dict[str, Any]:
    left_out = ("numbers", "sample")
    values = {name: getattr(run, name) for name in StoredRun.__dataclass_fields__ if name not in left_out}
    return {**values, "run_on": run.run_on.isoformat(), "versions": dict(sorted(run.versions.items()))}


def _lines(value: Any, indent: str = "") -> str:
    """JSON in which lists of plain values and whole small objects have one line each."""
    inner = indent + " "
    if isinstance(value, dict) and value:
        parts = [f"{inner}{json.dumps(key)}: {_lines(one, inner)}" for key, one in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(one, list | dict) for one in value):
        return "[\n" + ",\n".join(inner + json.dumps(one, separators=(",", ":")) for one in value) + f"\n{indent}]"
    return json.dumps(value, allow_nan=False)


def compared(run: StoredRun) -> Comparison:
    """Its figures beside the published ones, judged as those of any run."""
    return compare(registry.get(run.preset), run.numbers, run.chosen, run.stage)


def _without_unread(run: StoredRun) -> Numbers:
    """The numbers without those fields of a study's result that no cell reads, wherever they stand in it."""
    if not run.numbers.study:
        return run.numbers
    preset = registry.get(run.preset)
    wanted, kept = compare(preset, run.numbers).rows, dict(run.numbers.study)
    for name in dict.fromkeys(_names(kept)):
        fewer = _without(kept, name)
        try:
            is_enough = compare(preset, Numbers(study=fewer)).rows == wanted
        except (LookupError, TypeError, ArithmeticError):
            is_enough = False
        kept = fewer if is_enough else kept
    return Numbers(study=kept)


def _names(value: Any) -> Iterator[str]:
    """Names of all fields, those of the fields within them after their own."""
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    if isinstance(value, Mapping):
        yield from value
    for one in inner:
        yield from _names(one)


def _without(value: Any, name: str) -> Any:
    if isinstance(value, Mapping):
        return {key: _without(one, name) for key, one in value.items() if key != name}
    return [_without(one, name) for one in value] if isinstance(value, list | tuple) else value


def version_now(name: str) -> str:
    """The version that a game, an engine or a kind of study has now; empty for none of them."""
    if name in game_registry.ids():
        return game_registry.get(name).version
    if name in engine_registry.ids():
        return engine_registry.get(name).version
    return study_registry.get(name).version if name in study_registry.ids() else ""


# ---- samples


def play_again(run: StoredRun) -> Iterator[tuple[str, str]]:
    """Do the sample of a run again, one by one: yields what is found now and what is stored.

    The first match of every arm comes first, then the second of every arm.
    """
    assert run.chosen is not None
    if run.chosen.is_study:
        yield from zip(_rows_again(run.chosen.spec), run.sample, strict=True)
        return
    spec = specs.from_json(run.chosen.spec)
    stored = {tuple(text.split(" ", 2)[:2]): text for text in run.sample}
    for ordinal in range(MATCHES):
        for arm in range(len(spec.arms)):
            match = schedule.match_spec(spec, arm, ordinal)
            yield match_words(arm, ordinal, line(play_match(match))), stored[str(arm), str(ordinal)]


def match_words(arm: int, ordinal: int, words: str) -> str:
    """What is kept of a match: its arm, its place among the arm's matches, and its line."""
    return f"{arm} {ordinal} {words}"


def row_words(index: int, row: Mapping[str, Any]) -> str:
    """What is kept of a piece: its number, and a digest of its row without seconds."""
    return f"{index} {_digest({key: value for key, value in row.items() if not key.endswith(TIMES)})}"


def _rows_again(data: Mapping[str, Any]) -> Iterator[str]:
    spec = study_specs.from_json(data)
    for index in sampled_pieces(data):
        outcome = pieces.carry_out(spec, index)
        assert outcome.row is not None, outcome.failure
        yield row_words(index, outcome.row)


def sampled_pieces(data: Mapping[str, Any]) -> range:
    """Pieces of a study of which digests are kept: some of its first stage."""
    spec = study_specs.from_json(data)
    return stage_of(study_registry.get(spec.study), spec, 0)[:PIECES]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:HEX_DIGITS]
