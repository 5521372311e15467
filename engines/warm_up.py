"""Compiling ahead of the first use, and a note of what is compiled, so that nobody goes through it twice."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

from engines import bench, registry
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


def warm(game_ids: list[str], engine_ids: list[str]) -> None:
    """Compile what these engines need for these games, one line a step: the rules of all games first.

    What somebody waits for (`games.readiness`) goes first: an engine for a game, then all of a game. Where a note
    says that all of it was compiled from these sources, and it is still there, nothing is loaded.
    """
    note = note_of(game_ids, engine_ids)
    ready = _noted(note)
    if ready is None:
        with readiness.warming():
            _write(note, _compile(game_ids, engine_ids))
    else:
        for name in ready:
            print(f"{name} ready: it was compiled before", flush=True)
    # also what was asked for once more after it was done
    for game_id, engine_id in itertools.product(game_ids, ("", *engine_ids)):
        readiness.is_done(game_id, engine_id)


def _compile(game_ids: Sequence[str], engine_ids: Sequence[str]) -> list[str]:
    """Compile; return games and engines that fit, in the order in which they were ready."""
    pending = [(engine_id, game_id) for engine_id in engine_ids for game_id in game_ids]
    ready = []
    while pending:
        wanted = readiness.pending_requests()
        engine_id, game_id = min(pending, key=lambda pair: (pair[::-1] not in wanted, (pair[1], "") not in wanted))
        pending.remove((engine_id, game_id))
        if _compile_one(engine_id, game_registry.get(game_id)):
            ready.append(f"{game_id} {engine_id}")
        readiness.is_done(game_id, engine_id)
        if all(pair[1] != game_id for pair in pending):
            readiness.is_done(game_id)
    if playouts.SPEED_GAME in game_ids and set(engine_ids) >= set(registry.ids()):  # last: nobody waits for it
        playouts.Playouts(game_registry.get(playouts.SPEED_GAME), playouts.SPEED_POLICY)
    return ready


def _compile_one(engine_id: str, game: Game) -> bool:
    start = time.perf_counter()
    suitable = [engine for engine in variants(engine_id, game) if engine.refuses(game) is None]
    for engine in suitable:
        bench.one_decision(game, engine)
    if suitable:
        print(f"{game.id} {engine_id} ready after {time.perf_counter() - start:.1f} s", flush=True)
    return bool(suitable)


def variants(engine_id: str, game: Game) -> Iterator[Engine]:
    """The engine as it begins with a game, then with each other choice of each option: kernels may differ."""
    begun = registry.defaults(engine_id, game)
    yield registry.make(engine_id, begun)
    for row in option_tools.schema(registry.get(engine_id).options_class):
        for choice in row["choices"]:
            if choice["value"] != row["default"]:
                yield registry.make(engine_id, begun | {row["name"]: choice["value"]})


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
