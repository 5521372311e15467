"""What `kernels/match.py` is handed: one class for all games (`engines/kernel_arguments.py` says why)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ASKED = -1
"""In place of the number of a policy: the seat is asked at its every turn."""
PLY, SEAT, LEGAL = range(3)
"""Places of a turn: plies so far, the seat on turn (-2 at the end), its number of legal actions."""
LANES = 64
"""Positions whose keys are reckoned together: a match of most games."""


class Lineup(NamedTuple):
    """What all matches of a line-up have in common; S seats."""

    start: NDArray[np.int32]  # [SIZE]: before anything has happened
    policies: NDArray[np.int64]  # [S]: number of the policy that fills a seat, or ASKED, or `games.courses.PROGRAM`
    programs: NDArray[np.int64]  # [S, numbers]: the program of a seat that plays by one


class Scratch(NamedTuple):
    """Memory of one match."""

    state: NDArray[np.int32]  # [SIZE]
    chance: NDArray[np.uint64]  # [4], the generator that the deal is made with; its seed in the first word before
    luck: NDArray[np.int64]  # [LUCK] (`games.courses`)
    search: NDArray[np.uint64]  # [4], the generator of the seat on turn
    legal: NDArray[np.int32]  # [MAX_ACTIONS]
    actions: NDArray[np.int32]  # [MAX_ACTIONS]
    points: NDArray[np.int64]  # [MAX_SEATS]
    journal: NDArray[np.int32]
    work: NDArray[np.int64]  # [WORK] (`games.courses`)
    keyed: NDArray[np.int32]  # [KEYED, LANES], of positions that wait for their key: its words, one below the other
    keys: NDArray[np.uint64]  # [LANES]
    turn: NDArray[np.int64]  # [3], out: where the match stands
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


class TableRows(NamedTuple):
    """The table of a decision (`engines.protocol.Table`); n rows."""

    actions: NDArray[np.int32]
    values: NDArray[np.float64]
    visits: NDArray[np.int64]
    deviations: NDArray[np.float64]


class Best(NamedTuple):
    """Rows of the best actions of each ply, out; at most B of a ply."""

    order: NDArray[np.int64]  # [B]: their places in the table
    counts: NDArray[np.int64]  # [plies]: number of rows
    keys: NDArray[np.int64]  # [plies, B, 3]: action, spelling, visits
    numbers: NDArray[np.float64]  # [plies, B, 2]: value, standard error
    rounded: NDArray[np.float64]  # the same as records have it; NaN: no number, infinite: see `numbers`
