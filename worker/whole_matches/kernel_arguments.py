"""What `kernels/match.py` is handed: one class for all games (`engines/kernel_arguments.py` says why)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Lineup(NamedTuple):
    """What all matches of a line-up have in common; S seats."""

    start: NDArray[np.int32]  # [SIZE]: before anything has happened
    policies: NDArray[np.int64]  # [S]: number of the policy that fills a seat


class Scratch(NamedTuple):
    """Memory of one match."""

    state: NDArray[np.int32]  # [SIZE]
    chance: NDArray[np.uint64]  # [4], the generator that the deal is made with
    luck: NDArray[np.int64]  # [LUCK] (`games.courses`)
    search: NDArray[np.uint64]  # [4], the generator of the seat on turn
    legal: NDArray[np.int32]  # [MAX_ACTIONS]
    actions: NDArray[np.int32]  # [MAX_ACTIONS]
    points: NDArray[np.int64]  # [MAX_SEATS]
    journal: NDArray[np.int32]
    digest: NDArray[np.uint64]  # [1], out: of the last ply


class Columns(NamedTuple):
    """What is kept of plies, one a row; N notes (`games.courses`)."""

    seats: NDArray[np.int64]
    actions: NDArray[np.int64]
    legal_counts: NDArray[np.int64]
    spellings: NDArray[np.int64]
    digests: NDArray[np.int64]
    scores: NDArray[np.int64]  # [plies, S]
    notes: NDArray[np.int64]  # [plies, N, S]
