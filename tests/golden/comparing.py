"""Compares what games and engines do now with what is stored for their versions, and says what to do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from engines import registry as engine_registry
from games import registry
from tests.golden.played import Row, same

FILE = Path(__file__).with_name("results.json")
COMMAND = "python -m tests.golden"


class Difference(NamedTuple):
    """A place where the file and this code differ. needs_version: no version says so, so the file stays as it is."""

    place: str
    what: str
    needs_version: bool

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


def stored() -> dict[str, dict[str, Row]]:
    """The file's content: games and engines by id; nothing where there is no file."""
    found: dict[str, dict[str, Row]] = {"games": {}, "engines": {}}
    if FILE.exists():
        found |= json.loads(FILE.read_text(encoding="utf-8"))
    return found


def game_differences(kept: Mapping[str, Row], found: Mapping[str, Row]) -> Iterator[Difference]:
    """Differences of games: rows by id, as `played.games` makes them."""
    for game_id, now in found.items():
        before = kept.get(game_id)
        if before is None or before["version"] != now["version"]:
            yield _of_other_version(game_id, before, now["version"])
            continue
        place = f"{game_id} {now['version']}"
        yield from _metric_differences(game_id, place, before, now)
        for name, match in now["matches"].items():
            yield from _match_differences(f"{place}, {name}", before["matches"].get(name), match)
            yield from _value_differences(f"{place}, {name}", before, now, name)
    yield from _gone(kept, found)


def engine_differences(kept: Mapping[str, Row], found: Mapping[str, Row]) -> Iterator[Difference]:
    """Differences of engines: rows by id, as `played.engines` makes them; what it was not asked is left out.

    A level may get other options, and a game another usual policy: that changes no engine.
    """
    for engine_id, now in found.items():
        before = kept.get(engine_id)
        if before is None or before["version"] != now["version"]:
            yield _of_other_version(engine_id, before, now["version"])
            continue
        for game_id, row in now["games"].items():
            was = before["games"].get(game_id)
            if was is None or was["version"] != row["version"]:
                yield _of_other_version(f"{engine_id} with {game_id}", was, row["version"])
                continue
            place = f"{engine_id} {now['version']} with {game_id} {row['version']}"
            for name, decisions in row["decisions"].items():
                decided = was["decisions"].get(name)
                if decided is not None and was["given"][name] != row["given"][name]:
                    yield Difference(f"{place}, {name}", "has other options now", needs_version=False)
                    continue
                yield from _decision_differences(f"{place}, {name}", decided, decisions)
    yield from _gone(kept, found)


def advice(differences: list[Difference]) -> str:
    """Whether a version must be raised, and the command that renews the file."""
    listed = "\n".join(f"  {one}" for one in differences)
    ids = sorted({one.place.split()[0] for one in differences if one.needs_version})
    if not ids:
        return f"{FILE.name} is not up to date:\n{listed}\nRun {COMMAND} and commit the file."
    files = ", ".join(source(id_) for id_ in ids)
    return (
        f"Results have changed under an unchanged version:\n{listed}\n"
        f"Stored matches of that version could not be played again. If the change is meant, raise `version` in "
        f"{files}, then run {COMMAND} and commit the file; if not, it is a fault."
    )


def source(id_: str) -> str:
    """The file that holds the version of a game or an engine."""
    places = {**registry.GAMES, **engine_registry.ENGINES}
    return places[id_].partition(":")[0].replace(".", "/") + ".py" if id_ in places else "its registry"


def _of_other_version(name: str, before: Row | None, version: str) -> Difference:
    is_new = before is None
    what = "is not in the file" if is_new else f"is version {version}, the file has {before and before['version']}"
    return Difference(name, what, needs_version=False)


def _gone(kept: Mapping[str, Row], found: Mapping[str, Row]) -> Iterator[Difference]:
    for id_ in kept.keys() - found.keys():
        yield Difference(id_, "is in the file, and not in the registry", needs_version=False)


def _metric_differences(game_id: str, place: str, before: Row, now: Row) -> Iterator[Difference]:
    game = registry.get(game_id)
    kept, found = before["metrics"], now["metrics"]
    for name in kept.keys() - found.keys():
        is_said = _matches(name, game.dropped_metrics)
        what = f"the metric {name} is gone" + ("" if is_said else ", and dropped_metrics does not name it")
        yield Difference(place, what, needs_version=not is_said)
    for name in found.keys() - kept.keys():
        is_said = _matches(name, game.later_metrics)
        what = f"the metric {name} is new" + ("" if is_said else ", and later_metrics does not name it")
        yield Difference(place, what, needs_version=not is_said)
    for name in kept.keys() & found.keys():
        if kept[name] != found[name]:
            yield Difference(place, f"the metric {name} was in {kept[name]}, now in {found[name]}", needs_version=True)


def _matches(name: str, patterns: Any) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _match_differences(place: str, before: Row | None, now: Row) -> Iterator[Difference]:
    if before is None:
        yield Difference(place, "is not in the file", needs_version=False)
        return
    for field in ("plies", "words", "digest", "scores", "ranks"):
        if before[field] != now[field]:
            yield Difference(place, f"{field} {before[field]} stored, {now[field]} now", needs_version=True)
            return


def _value_differences(place: str, before: Row, now: Row, name: str) -> Iterator[Difference]:
    """Values of metrics that both count; 0 is not written down."""
    if name not in before["matches"]:
        return
    both = sorted(before["metrics"].keys() & now["metrics"].keys())
    rows = zip(before["matches"][name]["metrics"], now["matches"][name]["metrics"], strict=True)
    for seat, (kept, found) in enumerate(rows):
        for metric in both:
            was, is_now = kept.get(metric, 0), found.get(metric, 0)
            if not same(float(was), float(is_now)):
                yield Difference(place, f"the metric {metric} of seat {seat} was {was}, is {is_now}", True)


def _decision_differences(place: str, before: list[Row] | None, now: list[Row]) -> Iterator[Difference]:
    if before is None:
        yield Difference(place, "is not in the file", needs_version=False)
        return
    for n, (kept, found) in enumerate(zip(before, now, strict=False)):
        fields = [field for field in found if not same(kept.get(field), found[field])]
        if fields:
            field = fields[0]
            what = f"decision {n}: {field} {kept.get(field)} stored, {found[field]} now"
            yield Difference(place, what, needs_version=True)
            return
    if len(before) != len(now):
        yield Difference(place, f"{len(before)} decisions stored, {len(now)} now", needs_version=True)
