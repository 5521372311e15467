"""Luck and notation of a match of Kingdomino (a template; R: its rules; `games.courses` says what is asked)."""

import numpy as np
from numpy import int64

from games.kingdomino.state import *  # noqa: F403 - the layout's names are this file's vocabulary

LEFT, UNDRAWN = 0, 1
"""Places in the memory: how many kings and dominoes are not drawn yet, and these, the next one last."""
LUCK = UNDRAWN + NUM_DOMINOES + MAX_KINGS
NOTES = 0
MIDDLE, WIDTH, NUMBERS = 16, 32, NUM_DOMINOES + 1
"""As in `games.kingdomino.course`."""
DX, DY = np.array([1, 0, -1, 0]), np.array([0, 1, 0, -1])


@kernel
def shuffle(luck, first, n, r):
    """Shuffle n places of the memory."""
    for i in range(n - 1, 0, -1):
        k = rng.below(r, int64(i + 1))
        luck[first + i], luck[first + k] = luck[first + k], luck[first + i]


@kernel
def deal(s, luck, r):
    """All dominoes, and before them the kings, as `DominoDeal` draws them."""
    for domino in range(NUM_DOMINOES):
        luck[UNDRAWN + domino] = domino
    n = int64(NUM_DOMINOES)
    for seat in range(s[NUM_SEATS]):
        for _ in range(s[NUM_KINGS] // s[NUM_SEATS]):
            luck[UNDRAWN + n] = KING + seat
            n += 1
    luck[LEFT] = n
    shuffle(luck, int64(UNDRAWN), int64(NUM_DOMINOES), r)
    shuffle(luck, int64(UNDRAWN + NUM_DOMINOES), n - NUM_DOMINOES, r)


@kernel
def draw(s, luck, r):
    """The next king or domino."""
    luck[LEFT] -= 1
    return luck[UNDRAWN + luck[LEFT]]


@kernel
def spelling(s, action):
    """Square and direction of the domino placed, its number, the number chosen."""
    placement, choice = action // CHOICES, action % CHOICES
    place = int64(0)
    if placement != NOWHERE:
        k, limit, square, turn = KINGDOMS + KINGDOM * int64(s[PLAYER]), int64(s[LIMIT]), placement >> 2, placement & 3
        x = R.coordinate(square & 7, int64(s[k + WEST]), int64(s[k + EAST]), limit, DX[turn])
        y = R.coordinate(square >> 3, int64(s[k + NORTH]), int64(s[k + SOUTH]), limit, DY[turn])
        place = ((WIDTH + x + MIDDLE) * WIDTH + y + MIDDLE) * 4 + turn
    chosen = int64(0) if choice == NOTHING else int64(s[ROW + choice])
    return (place * NUMBERS + R.to_place(s) + 1) * NUMBERS + chosen


@kernel
def note(s, points, out):
    """Nothing."""
