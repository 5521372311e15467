"""Rounds of self-play and fitting, kept in a folder: what was stopped goes on where the last whole round ended.

Round 0 is played by the teacher, each later one by the value of the round before it. A round depends on the seed, its
number and those weights alone, so a run that was stopped ends as one that was not, on the same machine.
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from engines.learning import fitting
from engines.learning.self_play import Round, SelfPlay
from games import rng, values
from games.protocol import Game
from games.values import Training, Weights, networks

LOG = "training.json"
FORMAT = "training-1"


@dataclass(frozen=True)
class Plan:
    """What is trained. epochs: times that a fit sees each position."""

    game: str
    seed: int
    epochs: int
    training: Training

    def to_json(self) -> dict[str, Any]:
        """As the log has it."""
        return {"game": self.game, "seed": self.seed, "epochs": self.epochs, "training": asdict(self.training)}


class Run:
    """A training in its folder. Raises ValueError where the folder holds another one."""

    def __init__(self, game: Game, plan: Plan, folder: Path, command: str = "") -> None:
        self._plan, self._folder, self._command = plan, folder, command
        self._play = SelfPlay(game, plan.training)
        folder.mkdir(parents=True, exist_ok=True)
        self.rounds: list[dict[str, Any]] = self._stored()
        """Log of the rounds done."""

    def _stored(self) -> list[dict[str, Any]]:
        file = self._folder / LOG
        if not file.exists():
            return []
        log: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        found, wanted = _comparable(log["plan"]), _comparable(json.loads(json.dumps(self._plan.to_json())))
        if found != wanted:
            changed = sorted(key for key in wanted if found.get(key) != wanted[key])
            raise ValueError(f"{file} is of another training ({', '.join(changed)} differ): name another folder")
        rounds: list[dict[str, Any]] = log["rounds"]
        return rounds

    @property
    def num_features(self) -> int:
        """Numbers that the value knows of a position."""
        return self._play.num_features

    def path(self, number: int) -> Path:
        """Weights after a round."""
        return self._folder / f"round-{number}.json"

    def weights(self) -> Weights | None:
        """The weights of the last round; None before the first."""
        return values.read(self.path(len(self.rounds) - 1)) if self.rounds else None

    def go_on(self, tell: Callable[[Mapping[str, Any]], None]) -> Weights:
        """Do the rounds that are left; each is told when it is done."""
        while len(self.rounds) < self._plan.training.rounds:
            tell(self._round(len(self.rounds)))
        weights = self.weights()
        assert weights is not None
        return weights

    def _round(self, number: int) -> Mapping[str, Any]:
        training, began, before = self._plan.training, time.process_time(), self.weights()
        seed = rng.mix(self._plan.seed, number)
        positions = self._play.play(Round(before, seed, training.matches))
        played_s = time.process_time() - began
        begin = None if before is None else networks.split(before, self._play.num_features)
        fitted = fitting.fit(positions, training.hidden, self._plan.epochs, seed, begin)
        self.path(number).write_text(values.text(self._play.num_features, fitted.network.flat()), encoding="utf-8")
        self.rounds.append(
            {
                "round": number,
                "played_by": training.teacher if before is None else f"round {number - 1}",
                "matches": training.matches,
                "positions": len(positions.matches),
                "mean_points": np.round(positions.finals.mean(axis=0, where=positions.present), 2).tolist(),
                "spread": round(fitted.spread, 3),
                "linear_error": round(fitted.linear_error, 3),
                "error": round(fitted.error, 3),
                "play_cpu_s": round(played_s, 1),
                "cpu_s": round(time.process_time() - began, 1),
            }
        )
        self._write_log()
        return self.rounds[-1]

    def _write_log(self) -> None:
        """Write the log whole or not at all: without it the rounds before would be lost, too."""
        part = self._folder / f"{LOG}.part"
        part.write_text(self.log(), encoding="utf-8")
        part.replace(self._folder / LOG)

    def log(self) -> str:
        """The whole log: what was asked for, rounds, cost, day and machine."""
        head = {
            "format": FORMAT,
            "command": self._command,
            "day": time.strftime("%Y-%m-%d", time.gmtime()),
            "machine": f"{platform.machine()}, numpy {np.__version__}",
            "cpu_s": round(sum(row["cpu_s"] for row in self.rounds), 1),
            "errors": "root mean squares, in points, of what a seat has more than the mean of its table, held out",
        }
        plan, rows = json.dumps(self._plan.to_json()), ",\n ".join(json.dumps(row) for row in self.rounds)
        lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
        return "{" + ",\n".join([*lines, f'"plan": {plan}', f'"rounds": [\n {rows}\n]']) + "}\n"


def _comparable(plan: Mapping[str, Any]) -> dict[str, Any]:
    """A plan without its number of rounds, which may grow."""
    flat = {**plan, **plan["training"]}
    del flat["training"], flat["rounds"]
    return flat


def planned(game: Game, seed: int, epochs: int, changes: Mapping[str, Any]) -> Plan:
    """The training that a game declares, with changes. Raises ValueError where it has no value."""
    if game.value is None:
        raise ValueError(f"{game.label} has no value that could be learned")
    return Plan(game.id, seed, epochs, replace(game.value.training, **changes))
