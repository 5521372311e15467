"""``python -m engines.learning GAME``: learns a value from self-play; prints a line of JSON for each round."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order: a training gives the same weights again

from engines.learning import training
from games import registry, values
from games.protocol import Game

FOLDER = Path("learning")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engines.learning", description=__doc__)
    games = [game_id for game_id in registry.ids() if registry.get(game_id).value]
    parser.add_argument("game", choices=games)
    parser.add_argument("--folder", type=Path, help="of this training, to go on with it later (learning/GAME)")
    parser.add_argument("--name", help="keep the result as the game's set of this name, with its log")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=4, help="times that a fit sees each position")
    for field, kind, text in (
        ("rounds", int, "rounds of self-play and fitting, the teacher's included"),
        ("matches", int, "matches of each round"),
        ("hidden", int, "units of the hidden layer, 0 for a linear value"),
        ("epsilon", float, "share of random plies"),
        ("rate", float, "share of positions kept"),
        ("trace", float, "lambda: how much later values count in what a position learns"),
        ("teacher", str, "policy that plays the first round"),
    ):
        parser.add_argument(f"--{field}", type=kind, help=f"{text} (unless said: as the game has it)")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Train, or go on with a training; return the exit status."""
    given = _parser().parse_args(arguments)
    game = registry.get(given.game)
    names = ("rounds", "matches", "hidden", "epsilon", "rate", "trace", "teacher")
    changes = {name: value for name in names if (value := getattr(given, name)) is not None}
    command = " ".join(["python -m engines.learning", *(sys.argv[1:] if arguments is None else arguments)])
    try:
        plan = training.planned(game, given.seed, given.epochs, changes)
        run = training.Run(game, plan, given.folder or FOLDER / game.id, command)
        weights = run.go_on(lambda row: print(json.dumps(row), flush=True))
    except (OSError, ValueError) as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
        return 1
    if given.name:
        _keep(game, given.name, run, weights)
    return 0


def _keep(game: Game, name: str, run: training.Run, weights: values.Weights) -> None:
    """Write a set of the game, and beside it the log of its training."""
    assert game.value is not None
    path = game.value.path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(values.text(run.num_features, weights), encoding="utf-8")
    path.with_name(f"{name}{values.LOG}").write_text(run.log(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
