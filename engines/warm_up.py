"""Compiling ahead of the first use, and a note of what is compiled, so that nobody goes through it twice.

First comes what people wait for (`games.readiness`), then what jobs wait for, then what is likely to be asked for:
the levels at which people begin, in all games; the further levels; engines as they begin; their other options.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from engines import bench, levels, registry
from engines.protocol import Engine
from games import bench as playouts
from games import loader, readiness
from games import options as option_tools
from games import registry as game_registry
from games.protocol import Game

SOURCES = (Path(__file__).parent, loader.FRAME)
"""Folders of all that decides which kernels there are and what is in them."""
PATTERNS = ("*.py", "*.json")
NOTES = "warm"


OPENING, FURTHER, HIGHEST, BEGUN, VARIANT = range(5)
"""Ranks of steps: levels at which people begin, the one after them, the others; engines as they begin; variants."""
OPENING_LEVELS, FURTHER_LEVELS = ("beginner", "easy"), ("medium",)
FIRST_GAME, FIRST_ENGINES = "carcassonne", ("scripted", "uct", "random", "flat_mc")
"""Game and engines of the demo, which most first experiments use, too."""


@dataclass(frozen=True)
class Step:
    """One engine to be compiled for a game; the least rank comes first."""

    rank: int
    game_id: str
    engine: Engine


def warm(game_ids: Sequence[str], engine_ids: Sequence[str], *, is_first: bool = False, is_brief: bool = False) -> None:
    """Compile what these engines need for these games, one line a step.

    is_first: only what people and experiments begin with; is_brief: a line only where all levels of a game are ready.
    Where a note says that all of it was compiled from these sources, and it is still there, nothing is loaded.
    """
    note = note_of(game_ids, [*engine_ids, *(["first"] if is_first else [])])
    ready = _noted(note)
    if ready is None:
        with readiness.warming():
            steps = [step for step in list_steps(game_ids, engine_ids) if not is_first or _is_first(step)]
            _write(note, _compile(steps, is_brief))
    else:
        for name in ready:
            if not is_brief or name in game_ids:
                print(f"{name} ready: it was compiled before", flush=True)
    if is_first:
        return
    # also what was asked for once more after it was done
    for game_id, engine_id in itertools.product(game_ids, ("", *engine_ids)):
        readiness.is_done(game_id, engine_id)


def _is_first(step: Step) -> bool:
    is_of_demo = step.rank < BEGUN or (step.rank == BEGUN and step.engine.id in FIRST_ENGINES)
    return step.rank == OPENING or (step.game_id == FIRST_GAME and is_of_demo)


def list_steps(game_ids: Iterable[str], engine_ids: Sequence[str]) -> list[Step]:
    """All steps for these engines and games, likely ones first."""
    found = []
    for game_id in game_ids:
        game = game_registry.get(game_id)
        for level in levels.for_game(game_id):
            if level.engine in engine_ids:
                found.append(Step(_rank(level), game_id, registry.make(level.engine, level.options)))
        for engine_id in engine_ids:
            for number, engine in enumerate(variants(engine_id, game)):
                found.append(Step(VARIANT if number else BEGUN, game_id, engine))
    order = {engine_id: place for place, engine_id in enumerate(engine_ids)}
    # of one rank the first engine for all games: their rules
    return sorted(found, key=lambda step: (step.rank, order[step.engine.id] if step.rank >= BEGUN else 0))


def _rank(level: levels.Level) -> int:
    return OPENING if level.id in OPENING_LEVELS else FURTHER if level.id in FURTHER_LEVELS else HIGHEST


def _compile(steps: Sequence[Step], is_brief: bool) -> list[str]:
    """Compile; return games and engines that fit, and games of which all levels are ready, in that order."""
    pending = list(steps)
    seconds: dict[tuple[str, str], float] = {}
    levels_left = Counter({step.game_id: len(levels.for_game(step.game_id)) for step in steps})
    ready = []
    while pending:
        step = pending.pop(next_place(pending))
        pair = step.game_id, step.engine.id
        if (took_s := _compile_one(step.engine, game_registry.get(step.game_id))) is not None:
            seconds[pair] = seconds.get(pair, 0.0) + took_s
        rest = [other for other in pending if other.game_id == step.game_id]
        if all(other.engine.id != step.engine.id for other in rest):
            readiness.is_done(*pair)
            if pair in seconds:
                ready.append(" ".join(pair))
                if not is_brief:
                    print(f"{ready[-1]} ready after {seconds[pair]:.1f} s", flush=True)
        levels_left[step.game_id] -= step.rank <= HIGHEST
        if step.rank <= HIGHEST and not levels_left[step.game_id]:
            ready.append(step.game_id)
            print(f"{step.game_id} ready: all of its levels", flush=True)
        if not rest:
            readiness.is_done(step.game_id)
    compiled = {step.engine.id for step in steps if step.game_id == playouts.SPEED_GAME}
    if compiled >= set(registry.ids()):  # last: nobody waits for it
        playouts.Playouts(game_registry.get(playouts.SPEED_GAME), playouts.SPEED_POLICY)
    return ready


def next_place(pending: Sequence[Step]) -> int:
    """Place of the step that comes next: what people wait for, then jobs, then by rank.

    Who waits for a game as a whole waits for its levels: nobody can have asked for a variant without its engine.
    """
    people, jobs = readiness.pending_requests(), readiness.pending_requests(by_jobs=True)

    def key(place: int) -> tuple[bool, bool, bool, bool, int]:
        step = pending[place]
        pair, game = (step.game_id, step.engine.id), (step.game_id, "")
        is_likely = step.rank < VARIANT
        return (pair not in people, game not in people or not is_likely, pair not in jobs, game not in jobs, place)

    return min(range(len(pending)), key=key)


def _compile_one(engine: Engine, game: Game) -> float | None:
    """Seconds that it took; None where the engine does not fit the game."""
    if engine.refuses(game) is not None:
        return None
    start = time.perf_counter()
    bench.one_decision(game, engine)
    return time.perf_counter() - start


def variants(engine_id: str, game: Game) -> list[Engine]:
    """The engine as it begins with a game, then with each other choice of each option: kernels may differ."""
    begun = registry.defaults(engine_id, game)
    found = [registry.make(engine_id, begun)]
    for row in option_tools.schema(registry.get(engine_id).options_class):
        for choice in row["choices"]:
            if choice["value"] != row["default"]:
                found.append(registry.make(engine_id, begun | {row["name"]: choice["value"]}))
    return found


def note_of(game_ids: Iterable[str], engine_ids: Iterable[str], sources: Sequence[Path] = SOURCES) -> Path:
    """Place of the note for these games and engines, which names all that their kernels depend on."""
    digest = hashlib.sha256(f"{[*game_ids]}\0{[*engine_ids]}".encode())
    for game_id in game_ids:  # the name of its rules' folder: versions and settings of what compiles, and the machine
        digest.update(_folder(loader.rules(game_registry.get(game_id).folder)).encode())
    for folder in sources:
        for path in sorted(path for pattern in PATTERNS for path in folder.rglob(pattern)):
            digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return loader.cache_root() / NOTES / digest.hexdigest()[:32]


def _folder(module: ModuleType) -> str:
    folder: Path | None = getattr(module, "CACHE_FOLDER", None)
    return folder.name if folder is not None else ""


def _noted(note: Path) -> list[str] | None:
    """What a note says is ready; None where there is none, or kernels have gone since."""
    try:
        said = json.loads(note.read_text())
    except OSError:
        return None
    root = loader.cache_root()
    ready: list[str] = said["ready"]
    return ready if all((root / name / "compiled").exists() for name in said["folders"]) else None


def _write(note: Path, ready: list[str]) -> None:
    """Keep what is ready, with the folders of its kernels: all that this process has loaded."""
    loaded = {_folder(module) for module in list(sys.modules.values()) if getattr(module, "IS_LOADED", False)}
    note.parent.mkdir(exist_ok=True)
    whole = note.with_suffix(f".{os.getpid()}")
    whole.write_text(json.dumps({"ready": ready, "folders": sorted(loaded)}))
    whole.replace(note)
