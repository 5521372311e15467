"""The 48 dominoes of Kingdomino by what they show: with crowns, or by terrain alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.kingdomino import dominoes

Array = NDArray[np.int16]


@dataclass(frozen=True)
class Faces:
    """Kinds of squares and of dominoes.

    terrain, crowns: of each kind of square [kinds]. first, second: kinds of square on both ends
    of each laid face [faces]; a domino with two different ends is two of them, one for each way
    round. face: which domino face that is, turned or not [faces]; copies: how many of the 48
    dominoes show it [domino faces].
    """

    terrain: Array
    crowns: Array
    first: Array
    second: Array
    face: Array
    copies: Array

    @property
    def num_kinds(self) -> int:
        """Kinds of squares."""
        return len(self.terrain)

    def __len__(self) -> int:
        return len(self.face)


@cache
def load(*, with_crowns: bool) -> Faces:
    """The faces; without crowns, dominoes that differ in crowns alone are copies of one."""
    tables = dominoes.load()
    crowns = tables.crowns if with_crowns else np.zeros_like(tables.crowns)
    ends = list(zip(tables.terrain.tolist(), crowns.tolist(), strict=True))
    kinds = sorted(set(ends))
    pairs = Counter(tuple(sorted((kinds.index(a), kinds.index(b)))) for a, b in zip(ends[::2], ends[1::2], strict=True))
    faces = sorted(pairs)
    laid = [(*pair, i) for i, (a, b) in enumerate(faces) for pair in ([(a, b)] if a == b else [(a, b), (b, a)])]
    first, second, face = (np.array(column, np.int16) for column in zip(*laid, strict=True))
    return Faces(
        terrain=np.array([terrain for terrain, _ in kinds], np.int16),
        crowns=np.array([number for _, number in kinds], np.int16),
        first=first,
        second=second,
        face=face,
        copies=np.array([pairs[pair] for pair in faces], np.int16),
    )
