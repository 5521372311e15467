"""``python -m games list | new | replay | bench | costs``: JSON on stdout, exit 1 when something is wrong."""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import json
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games import bench, cost_measurement, costs, garbage, new, options, registry
from games.loader import FRAME
from games.protocol import Game


def describe(game: Game) -> dict[str, Any]:
    """One game as JSON: traits, options, policies, metrics."""
    return {
        "id": game.id,
        "version": game.version,
        "label": game.label,
        "traits": dataclasses.asdict(game.traits),
        "options": options.schema(game.options),
        "presets": {name: dict(rules.options) for name, rules in game.presets.items()},
        "policies": list(game.policies),
        "metrics": [dataclasses.asdict(metric) for metric in game.metric_table],
    }


def read_traces(path: Path) -> Iterator[dict[str, Any]]:
    """Matches of a trace file: JSON lines or one JSON list, plain or gzipped.

    Raises OSError, or ValueError where the file is not what it says.
    """
    data = path.read_bytes()
    try:
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    except (EOFError, zlib.error) as error:
        raise ValueError(f"{path.name} is not a whole gzip file: {error}") from None
    if text.lstrip().startswith("["):
        yield from json.loads(text)
    else:
        yield from (json.loads(line) for line in text.splitlines() if line.strip())


def _replay_trace(game: Game, trace: Any, compare: Any) -> tuple[int, dict[str, Any] | None]:
    """Replay as `Game.replay_trace`; what is no trace of this game is a mismatch, so that all others are replayed."""
    try:
        found: tuple[int, dict[str, Any] | None] = compare(trace)
        return found
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        got = f"{type(error).__name__}: {error}"
        return 0, {"ply": 0, "field": "trace", "expected": f"a trace of {game.label}", "got": got}


def replay(game: Game, paths: list[Path], *, is_searched: bool = False) -> dict[str, Any]:
    """Replay every match of every file; the first mismatch of each match is listed.

    is_searched: compare values of searches, too, where the game can (`replay_searched`).
    """
    compare = getattr(game, "replay_searched", game.replay_trace) if is_searched else game.replay_trace
    matches = plies = 0
    mismatches = []
    for path in paths:
        for number, trace in enumerate(read_traces(path)):
            compared, mismatch = _replay_trace(game, trace, compare)
            matches, plies = matches + 1, plies + compared
            if mismatch:
                mismatches.append({"file": path.name, "match": number, **mismatch})
    return {"matches": matches, "plies": plies, "mismatches": mismatches}


def _costs(game: Game, seconds: float, *, is_kept: bool) -> dict[str, Any]:
    """Measure what a game costs, and keep it where asked to."""
    measured = cost_measurement.measure(game, seconds)
    if is_kept:
        costs.store(game.folder, measured)
    return dataclasses.asdict(measured)


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=prog, description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="games with traits, options, policies and metrics")
    command = commands.add_parser("new", help="write the package, tests and registry line of a new game, from the toy")
    command.add_argument("name")
    command.add_argument("--root", type=Path, default=FRAME.parent, help="the checkout to write to")
    command = commands.add_parser("replay", help="replay trace files and compare every ply")
    command.add_argument("game", choices=registry.ids())
    command.add_argument("files", nargs="+", type=Path)
    command = commands.add_parser("bench", help="complete matches per second, one core")
    command.add_argument("game", choices=registry.ids())
    command.add_argument("--policy", default="random")
    command.add_argument("--seconds", type=float, default=5.0)
    command.add_argument("--seats", type=int)
    command = commands.add_parser("costs", help="what estimates rest on, measured anew as far as the rules tell")
    command.add_argument("game", choices=registry.ids())
    command.add_argument("--seconds", type=float, default=1.0, help="for playouts, and for each policy")
    command.add_argument("--write", action="store_true", help="keep the figures beside the rules")
    return parser


def main(arguments: list[str] | None = None, prog: str = "python -m games") -> int:
    """Run one command; return the exit status."""
    given = _parser(prog).parse_args(arguments)
    try:
        if given.command == "list":
            answer: Any = [describe(registry.get(game_id)) for game_id in registry.ids()]
        elif given.command == "new":
            answer = new.write(given.name, given.root)
        elif given.command == "replay":
            answer = replay(registry.get(given.game), given.files)
        elif given.command == "costs":
            answer = _costs(registry.get(given.game), given.seconds, is_kept=given.write)
        else:
            answer = bench.measure(registry.get(given.game), given.policy, given.seconds, given.seats)
    except (OSError, ValueError, KeyError) as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
        return 1
    print(json.dumps(answer, indent=None if given.command == "replay" else 2))
    return 1 if isinstance(answer, dict) and answer.get("mismatches") else 0


if __name__ == "__main__":
    garbage.collect_seldom()
    sys.exit(main())
