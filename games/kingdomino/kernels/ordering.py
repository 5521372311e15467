"""Orders in which searches try actions (a template of `games.loader`, rules in R)."""

from numpy import int64

NAMES = ("none", "choices_first")
"""As they come, placement by placement; by the domino chosen, lowest number first, and within it by placement.

The second one is that of the program of Gedda, Lagerkvist and Butler (2018): github.com/mgedda/kdom-ai,
TinyGameState.getAvailableMoves.
"""


@kernel
def rank(order, s, action):
    """Rank 0 .. 7 of a legal action of the seat on turn, lower first; order: index into NAMES."""
    return int64(0) if order == 0 else int64(action) % R.CHOICES
