"""How a learner sees a game: an `Encoding` says how positions and actions are written as numbers.

Each game has one in its `learning` package, with kernels in `learning/kernels/encoding.py` (a template over
the rules, R, that no rule and no search depends on). An observation is one int16 vector: blocks of planes first,
all of one height and width, then blocks of numbers. Seats are counted from the one that looks: 0 is the own
seat, 1 the next one round the table.

The kernels of a template, over a state s, a seat and `chosen` (what the seat on turn has chosen in earlier
steps of its action, -1 where nothing):

``observe(s, seat, chosen, out)``        the whole observation of a seat, from what it may know alone
``standing(s, seat)``                    int64 by which places go at the end, the highest first

and where an action is chosen in several steps (elsewhere the numbers are the game's own):

``legal_numbers(s, chosen, out) -> n``   the numbers that are legal in this step, none where no seat is on turn
``action(s, chosen, number)``            the game's action that `number` completes; -1: it is a step before the last
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import NamedTuple


class Block(NamedTuple):
    """Part of an observation. shape: of its numbers, in row-major order; meaning: of one of them, for people."""

    name: str
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """Numbers in it."""
        return prod(self.shape)


Blocks = tuple[Block, ...]


@dataclass(frozen=True)
class Encoding:
    """Layout of a game's observations and actions.

    num_actions: size of the fixed numbering of actions; actions: what a number says, for people;
    planes, numbers: the blocks at a table of so many seats, in their order; planes of shape (count, height, width);
    most_legal: where an action is chosen in several steps, each a number: the most that are legal at once; else 0.
    """

    folder: Path
    num_actions: int
    actions: str
    planes: Callable[[int], Blocks]
    numbers: Callable[[int], Blocks]
    most_legal: int = 0

    @property
    def has_steps(self) -> bool:
        """Whether an action is chosen in several steps."""
        return self.most_legal > 0

    @property
    def template(self) -> Path:
        """The kernels."""
        return self.folder / "kernels" / "encoding.py"

    def plane_shape(self, num_seats: int) -> tuple[int, int, int]:
        """Planes, height and width; no plane at all in a game without a board of places."""
        blocks = self.planes(num_seats)
        height, width = blocks[0].shape[1:] if blocks else (0, 0)
        return sum(block.shape[0] for block in blocks), height, width

    def length(self, num_seats: int) -> int:
        """Numbers of a whole observation."""
        return sum(block.size for block in (*self.planes(num_seats), *self.numbers(num_seats)))

    def describe(self, num_seats: int) -> str:
        """Every block of an observation in a line, and what the numbers of actions say."""
        places = self.places(num_seats)
        lines = [
            f"{places[block.name].start:6} {block.name} {list(block.shape)}: {block.meaning}"
            for block in (*self.planes(num_seats), *self.numbers(num_seats))
        ]
        return "\n".join([*lines, f"{self.num_actions} actions: {self.actions}"])

    def places(self, num_seats: int) -> dict[str, slice]:
        """Where in an observation each block lies, by name."""
        found, at = {}, 0
        for block in (*self.planes(num_seats), *self.numbers(num_seats)):
            found[block.name] = slice(at, at + block.size)
            at += block.size
        return found
