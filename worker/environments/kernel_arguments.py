"""What `kernels/batch.py` is handed: one class for all games (`engines/kernel_arguments.py` says why)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Matches(NamedTuple):
    """Matches of a batch, one a row; n of them, S seats."""

    states: NDArray[np.int32]  # [n, SIZE]
    start: NDArray[np.int32]  # [SIZE]: before anything has happened
    deals: NDArray[np.uint64]  # [n, 4]: streams of chance
    searches: NDArray[np.uint64]  # [n, 4]: streams of policies
    chosen: NDArray[np.int64]  # [n]: in earlier steps of the action under way, -1
    points: NDArray[np.int64]  # [n, MAX_SEATS]: before the last ply
    players: NDArray[np.int32]  # [n]: seat on turn
    rewards: NDArray[np.float32]  # [n, S]
    is_over: NDArray[np.bool_]  # [n]: whether a match ended in the last step
    legal: NDArray[np.int32]  # [n, the most]: numbers that are legal, `num_legal` of each row
    num_legal: NDArray[np.int32]  # [n]
    masks: NDArray[np.int8]  # [n, num_actions]
    observations: NDArray[np.int16]  # [n, length], or [n, 0]: none are wanted


class Terms(NamedTuple):
    """Terms on which they are played, and buffers for one match at a time."""

    policies: NDArray[np.int64]  # [S]: number of the policy that fills a seat, -1: the caller does
    reward: int  # place of the reward among `rewards.REWARDS`
    has_teams: bool
    actions: NDArray[np.int32]  # [MAX_ACTIONS]
    scores: NDArray[np.int64]  # [MAX_SEATS]
    journal: NDArray[np.int32]
