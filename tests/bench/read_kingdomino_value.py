"""What the learned value of Kingdomino thinks things are worth, in points.

    .venv/bin/python -m tests.bench.read_kingdomino_value [--matches N] [--write]

Positions come from matches of four seats that the value plays with itself. In each a thing is changed and all that
follows from it (a further crown brings its points, too); the mean change of the expected final points is its worth, by
how many dominoes the seat is still to choose. A place in the row is compared at its two ends. Prints JSON; `--write`
keeps it in `games/kingdomino/stored/value_facts.json`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.learning.self_play import Round, SelfPlay
from games import registry
from games.kingdomino.dominoes import TERRAINS
from games.values import loading, networks

Numbers = NDArray[np.float64]
GAME = registry.get("kingdomino")
SET = "learned"
PHASES = ((9, 11), (6, 8), (3, 5), (1, 2))
"""Dominoes that the seat is still to choose, from and to."""


class Reading:
    """Positions of four seats, and what the value says of changes."""

    def __init__(self, matches: int) -> None:
        assert GAME.value is not None
        play = SelfPlay(GAME, replace(GAME.value.training, more_seats=()))
        weights = GAME.value.weights(SET)
        kernels = loading.load(GAME.value, GAME.folder, False, "plain").F
        self._terrain, self._of_terrain, self._shape = kernels.TERRAIN, len(kernels.TERRAIN), kernels.SHAPE
        self._kingdom = kernels.KINGDOM
        rows = play.play(Round(weights, 2026, matches)).features
        self.x = rows.reshape(-1, play.num_features).astype(np.float64)
        self._network = networks.split(weights, play.num_features)
        self._before = networks.forward(self._network, self.x)[0]

    def at(self, name: str, terrain: int | None = None) -> int:
        """Place of a feature."""
        if terrain is None:
            return int(self._shape + self._kingdom.index(name))
        return int(self._of_terrain * terrain + self._terrain.index(name))

    def worth(self, change: Callable[[Numbers], None], where: NDArray[np.bool_]) -> list[float | None]:
        """Mean worth of a change, in each phase, over the positions where it makes sense."""
        changed = self.x.copy()
        change(changed)
        gained = networks.forward(self._network, changed)[0] - self._before
        later = self.x[:, self.at("dominoes to come")]
        found = []
        for first, last in PHASES:
            rows = where & (later >= first) & (later <= last)
            found.append(round(float(gained[rows].mean()), 2) if rows.sum() > 100 else None)
        return found

    # ---- changes
    def open_side(self, terrain: int) -> list[float | None]:
        """A further open side of the best open area that has a crown."""
        sides, all_sides = self.at("its open sides", terrain), self.at("open sides of all areas", terrain)

        def change(x: Numbers) -> None:
            x[:, [sides, all_sides]] += 1

        return self.worth(change, (self.x[:, self.at("its crowns", terrain)] > 0) & (self.x[:, sides] > 0))

    def crown(self, terrain: int) -> list[float | None]:
        """A further crown on the best open area, beside the points that it brings at once."""
        n = self.x[:, self.at("squares of the best open area", terrain)]

        def change(x: Numbers) -> None:
            x[:, self.at("its crowns", terrain)] += 1
            at = self.at("crowns of the best open area x squares to come", terrain)
            x[:, at] += x[:, self.at("squares to come", terrain)]
            x[:, self.at("points", terrain)] += n
            x[:, self.at("points of areas")] += n

        found = self.worth(change, n > 0)
        later = self.x[:, self.at("dominoes to come")]
        at_once = [float(n[(n > 0) & (later >= a) & (later <= b)].mean()) for a, b in PHASES]
        return [None if f is None else round(f - p, 2) for f, p in zip(found, at_once, strict=True)]

    def square_to_come(self, terrain: int) -> list[float | None]:
        """A square more to be expected of a terrain on which the seat has an open crown."""

        def change(x: Numbers) -> None:
            x[:, self.at("squares to come", terrain)] += 1
            crowns = x[:, self.at("its crowns", terrain)]
            x[:, self.at("crowns of the best open area x squares to come", terrain)] += crowns

        return self.worth(change, self.x[:, self.at("its crowns", terrain)] > 0)

    def hole(self) -> list[float | None]:
        """A dead end that becomes a hole: a square that no domino can fill."""

        def change(x: Numbers) -> None:
            x[:, self.at("dead ends")] -= 1
            x[:, self.at("holes")] += 1
            x[:, self.at("squares that no dominoes can fill")] += 1
            x[:, self.at("parts")] += 1
            x[:, self.at("room to spare")] -= 1
            x[:, self.at("may become full")] = 0

        return self.worth(change, self.x[:, self.at("dead ends")] > 0)

    def middle(self) -> list[float | None]:
        """The castle in the middle, which brings 10 points at the end."""

        def change(x: Numbers) -> None:
            x[:, self.at("keeps to the middle")] = 0

        kept = self.x[:, self.at("keeps to the middle")] == 1
        return [None if f is None else -f for f in self.worth(change, kept)]

    def first(self) -> list[float | None]:
        """To choose first next time instead of last."""
        place = self.at("places of the seat's kings in the row")

        def change(x: Numbers) -> None:
            x[:, place] = 0

        return self.worth(change, self.x[:, place] == 3)

    def full(self) -> list[float | None]:
        """A kingdom that may still become full, beside one that cannot."""

        def change(x: Numbers) -> None:
            x[:, self.at("may become full")] = 0

        can = self.x[:, self.at("may become full")] == 1
        return [None if f is None else -f for f in self.worth(change, can)]


def facts(matches: int) -> dict[str, Any]:
    """All that is read, as JSON."""
    reading = Reading(matches)
    by_terrain = {
        "open_side": ("A further open side of an area with crowns", reading.open_side),
        "crown": ("A further crown on the best open area, beyond its points at once", reading.crown),
        "square_to_come": ("One square more to be expected of a terrain with an open crown", reading.square_to_come),
    }
    alone = {
        "hole": ("A dead end that becomes a hole", reading.hole),
        "middle": ("The castle in the middle", reading.middle),
        "full": ("A kingdom that may still become full", reading.full),
        "first": ("To choose first next time instead of last", reading.first),
    }
    return {
        "format": "value-facts-1",
        "about": "Worth in points, four seats, by dominoes that the seat is still to choose.",
        "value": SET,
        "positions": len(reading.x),
        "dominoes_to_come": [list(phase) for phase in PHASES],
        "by_terrain": {
            key: {"label": label, "worth": {name: read(t) for t, name in enumerate(TERRAINS)}}
            for key, (label, read) in by_terrain.items()
        },
        "alone": {key: {"label": label, "worth": read()} for key, (label, read) in alone.items()},
    }


def main() -> None:
    """Print what is read, and keep it where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    text = json.dumps(facts(arguments.matches), indent=1) + "\n"
    print(text, end="")
    if arguments.write:
        (GAME.folder / "stored" / "value_facts.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
