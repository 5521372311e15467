"""A tiny kind of study for tests: piece *i* says what *i* squared is, or misbehaves on request."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games import options as option_tools
from games.options import OptionError, option
from games.protocol import Game
from worker.fields import Field
from worker.spec import SpecError
from worker.studies import registry
from worker.studies.protocol import StudySpec


@dataclass(frozen=True)
class CountingOptions:
    """What the kind can be asked."""

    pieces: int = option(3, "Pieces", "How many numbers are squared.", minimum=1, maximum=200_000)
    seconds: float = option(0.0, "Seconds a piece", minimum=0.0, maximum=600.0)
    raises_at: int = option(-1, "Piece that raises", minimum=-1)
    dies_at: int = option(-1, "Piece that kills its process", minimum=-1)


class Counting:
    """See the module."""

    id = "counting"
    version = "4"
    label = "Counting"
    summary = "Squares of the first whole numbers."
    row_fields: Mapping[str, Field] = {"number": Field("The number."), "square": Field("Its square.")}
    options = CountingOptions

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Defaults filled in."""
        try:
            return option_tools.to_json(option_tools.from_json(CountingOptions, parameters))
        except OptionError as error:
            raise SpecError(error.path, error.message) from None

    def num_pieces(self, spec: StudySpec) -> int:
        """As many as asked for."""
        return int(spec.parameters["pieces"])

    def seconds(self, spec: StudySpec) -> float:
        """All sleep alike."""
        return 0.001 * self.num_pieces(spec) + self.num_pieces(spec) * float(spec.parameters["seconds"])

    def piece(self, spec: StudySpec, index: int) -> dict[str, Any]:
        """Square a number."""
        time.sleep(spec.parameters["seconds"])
        if index == spec.parameters["raises_at"]:
            raise ZeroDivisionError("a kind's fault")
        if index == spec.parameters["dies_at"]:
            os.kill(os.getpid(), signal.SIGKILL)
        return {"number": index, "square": index * index}

    def result(self, spec: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """The sum of the squares known so far."""
        return {"sum": sum(row["square"] for row in rows.values()), "numbers": len(rows)}


def register() -> None:
    """Make it known to this process."""
    registry.STUDIES[Counting.id] = f"{__name__}:{Counting.__name__}"


def spec(seed: int = 0, **parameters: Any) -> dict[str, Any]:
    """A spec of this kind."""
    return {"version": 1, "study": Counting.id, "game": "carcassonne", "parameters": parameters, "seed": seed}
