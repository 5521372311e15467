"""Plays a sample of a snapshot's matches again from their seeds, or does pieces of a study again, and compares."""

from __future__ import annotations

import csv
import io
import json
import random
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, TypeVar

from worker import replayable
from worker import spec as specs
from worker.records import MatchRecord
from worker.runner import play_match
from worker.snapshots import archive as archives
from worker.snapshots import layout
from worker.snapshots.archive import SnapshotError
from worker.spec import ExperimentSpec, MatchSpec, SpecError
from worker.studies import again
from worker.studies import registry as studies
from worker.studies import spec as study_specs
from worker.studies.protocol import StudySpec

Row = dict[str, Any]
T = TypeVar("T")


@dataclass
class Replayed:
    """What came out. differences: a sentence each; left_out: reason -> of how many it was."""

    tried: int = 0
    agree: int = 0
    differences: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def note(self, what: str, names: Sequence[str]) -> None:
        """Note how one went. names: of what differs."""
        self.tried += 1
        if names:
            self.differences.append(f"{what} differs in {', '.join(names)}")
        else:
            self.agree += 1


def replay(archive: zipfile.ZipFile, count: int, seed: int) -> Replayed:
    """Play so many again, chosen by a seed. Raises SnapshotError."""
    kind, data = archives.about(archive).get("kind"), archives.read_json(archive, layout.SPEC)
    try:
        if kind == "study":
            return _pieces(archive, study_specs.from_json(data), count, seed)
        return _matches(archive, specs.from_json(data), count, seed)
    except SpecError as error:
        raise SnapshotError(f"its spec is of another version: {error}") from None


def _chosen(rows: Iterable[T], count: int, seed: int) -> list[T]:
    """Some of the rows, each as likely as another, read once (Vitter 1985, algorithm R)."""
    dice, held = random.Random(seed), list[T]()
    for number, row in enumerate(rows):
        if number < count:
            held.append(row)
        elif (place := dice.randrange(number + 1)) < count:
            held[place] = row
    return held


# ---- matches


def _matches(archive: zipfile.ZipFile, spec: ExperimentSpec, count: int, seed: int) -> Replayed:
    found = Replayed()
    for seats in _chosen(_playable(_read(archive), spec, found), count, seed):
        played = play_match(_match_spec(spec, seats))
        found.note(f"match {seats[0]['match']}", _differences(played, seats))
    return found


def _read(archive: zipfile.ZipFile) -> Iterator[list[dict[str, str]]]:
    """The matches, each as the rows of its seats. Raises SnapshotError."""
    try:
        with archive.open(layout.table("matches", "csv")) as file:
            rows = csv.DictReader(io.TextIOWrapper(file, encoding="utf-8", newline=""))
            for _, seats in groupby(rows, key=lambda row: row["match"]):
                yield sorted(seats, key=lambda row: int(row["seat"]))
    except KeyError as error:
        raise SnapshotError(f"its matches lack {error}") from None
    except (*archives.BROKEN, csv.Error, UnicodeDecodeError, OSError) as error:
        raise SnapshotError(f"its matches cannot be read: {error}") from None


def _playable(
    matches: Iterable[list[dict[str, str]]], spec: ExperimentSpec, found: Replayed
) -> Iterator[list[dict[str, str]]]:
    for seats in matches:
        if reason := _refusal(seats, spec):
            found.left_out[reason] += 1
        else:
            yield seats


def _refusal(seats: Sequence[Mapping[str, str]], spec: ExperimentSpec) -> str:
    """Why a match cannot be played again; empty where it can."""
    first = seats[0]
    if first["status"] == "finished" and (not first["seed"] or first["renewal_seed"]):
        return replayable.BY_PEOPLE
    found = replayable.refusal(first["status"], spec.arms[int(first["arm"])].seats, json.loads(first["versions"]))
    return found.reason if found else ""


def _match_spec(spec: ExperimentSpec, seats: Sequence[Mapping[str, str]]) -> MatchSpec:
    first, lineup = seats[0], tuple(int(row["place"]) for row in seats)
    arm = int(first["arm"])
    return MatchSpec(
        game=spec.game,
        options=spec.options,
        seats=tuple(spec.arms[arm].seats[place] for place in lineup),
        lineup=lineup,
        arm=arm,
        deal=int(first["deal"]),
        rotation=int(first["rotation"]),
        seed=int(first["seed"]),
        deal_seed=int(first["deal_seed"]),
        record="matches",
    )


def _differences(played: MatchRecord, seats: Sequence[Mapping[str, str]]) -> list[str]:
    """Names of what is not as it was recorded."""
    if played.failure is not None:
        return [f"its end: {played.failure.message}"]
    pairs = {
        "digest": (played.digest, int(seats[0]["digest"])),
        "plies": (played.num_plies, int(seats[0]["plies"])),
        "score": (list(played.scores), [int(row["score"]) for row in seats]),
        "rank": (list(played.ranks), [int(row["rank"]) for row in seats]),
        "result": (list(played.results), [row["result"] for row in seats]),
    }
    return [name for name, (ours, theirs) in pairs.items() if ours != theirs]


# ---- pieces of a study


def _pieces(archive: zipfile.ZipFile, spec: StudySpec, count: int, seed: int) -> Replayed:
    found, lines = Replayed(), _lines(archive, spec)
    playable = []
    for index, line in lines.items():
        if (refused := again.refusal(spec, line["versions"] or {})) is not None:
            found.left_out[refused.refusal] += 1
        else:
            playable.append(index)
    for index in _chosen(playable, count, seed):
        earlier = {piece: line["row"] for piece, line in lines.items() if piece < again.needed(spec, index)}
        difference = again.compare(spec, index, lines[index]["row"], earlier).difference
        found.note(f"piece {index}", [difference] if difference else [])
    return found


def _lines(archive: zipfile.ZipFile, spec: StudySpec) -> dict[int, Row]:
    """The pieces that have a row: what did each, and `row`. Raises SnapshotError."""
    names = studies.get(spec.study).row_fields
    try:
        with archive.open(layout.table("rows", "jsonl")) as file:
            lines = [json.loads(line) for line in file]
    except KeyError:
        raise SnapshotError("its rows are missing") from None
    except (*archives.BROKEN, ValueError, OSError) as error:
        raise SnapshotError(f"its rows cannot be read: {error}") from None
    return {
        line["piece"]: line | {"row": {name: line.get(f"row_{name}", line.get(name)) for name in names}}
        for line in lines
        if line["status"] == "done"
    }
