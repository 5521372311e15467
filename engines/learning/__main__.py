"""``python -m engines.learning GAME``: learns a value from self-play; prints a line of JSON for each round.

With ``--evolve SET`` it evolves the weights of the game's evaluation instead, beginning with the named set.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order: a training gives the same weights again

from engines.learning import evolution, training
from games import registry, values
from games.protocol import Game
from games.values.networks import MAX_HIDDEN

FOLDER = Path("learning")
MOST = 10_000_000


def _number(kind: Callable[[str], float], least: float, most: float) -> Callable[[str], float]:
    """Reads a number between these."""

    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"must be between {least} and {most}, not {text!r}")
        return value

    return read


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engines.learning", description=__doc__)
    games = [game_id for game_id in registry.ids() if registry.get(game_id).value or registry.get(game_id).evaluations]
    parser.add_argument("game", choices=games)
    parser.add_argument("--folder", type=Path, help="of this training, to go on with it later (learning/GAME)")
    parser.add_argument("--name", help="keep the result as the game's set of this name, with its log")
    parser.add_argument("--evolve", metavar="SET", help="evolve this set of the evaluation; the log goes to --folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=_number(int, 1, MOST), default=4, help="times that a fit sees each position")
    for field, kind, text in (
        ("rounds", _number(int, 1, MOST), "rounds of self-play and fitting, the teacher's included"),
        ("matches", _number(int, 1, MOST), "matches of each round"),
        ("hidden", _number(int, 0, MAX_HIDDEN), "units of the hidden layer, 0 for a linear value"),
        ("epsilon", _number(float, 0, 1), "share of random plies"),
        ("rate", _number(float, 0.001, 1), "share of positions kept"),
        ("trace", _number(float, 0, 1), "lambda: how much later values count in what a position learns"),
        ("teacher", str, "policy that plays the first round"),
    ):
        parser.add_argument(f"--{field}", type=kind, help=f"{text} (unless said: as the game has it)")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Train, or go on with a training; return the exit status."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.evolve and given.name:
        parser.error("--name is of a value; evolved weights are printed, and stand in the log")
    game = registry.get(given.game)
    names = ("rounds", "matches", "hidden", "epsilon", "rate", "trace", "teacher")
    changes = {name: value for name in names if (value := getattr(given, name)) is not None}
    command = " ".join(["python -m engines.learning", *(sys.argv[1:] if arguments is None else arguments)])
    folder = given.folder or FOLDER / game.id
    try:
        if given.evolve:
            _evolve(game, given.evolve, given.seed, folder, command)
            return 0
        plan = training.planned(game, given.seed, given.epochs, changes)
        run = training.Run(game, plan, folder, command)
        weights = run.go_on(lambda row: print(json.dumps(row), flush=True))
    except (OSError, ValueError, KeyError) as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
        return 1
    if given.name:
        _keep(game, given.name, run, weights)
    return 0


def _evolve(game: Game, start: str, seed: int, folder: Path, command: str) -> None:
    """Evolve weights, print them, and write the log."""
    found = evolution.Evolution(game, start, seed, evolution.Search()).run(
        lambda row: print(json.dumps(row), flush=True)
    )
    print(json.dumps(found))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "evolution.json").write_text(json.dumps({"command": command, **found}, indent=1) + "\n", encoding="utf-8")


def _keep(game: Game, name: str, run: training.Run, weights: values.Weights) -> None:
    """Write a set of the game, and beside it the log of its training."""
    assert game.value is not None
    path = game.value.path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(values.text(run.num_features, weights), encoding="utf-8")
    path.with_name(f"{name}{values.LOG}").write_text(run.log(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
