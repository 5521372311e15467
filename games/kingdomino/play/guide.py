"""A first match of Kingdomino: what is said when something happens for the first time."""

from __future__ import annotations

from collections.abc import Iterator

from games.guides import GuideStep, Happening
from games.kingdomino import metrics, reading
from games.kingdomino import state as layout
from games.protocol import Game, State

_NO_MIDDLE, _NO_HARMONY = 3, 2
"""Words of the state where a bonus is off."""
_FIRST_SHAPE = 2
"""Own dominoes from which on a kingdom has a shape that one can think about."""
STEPS = (
    GuideStep(
        "begin",
        "Take a domino",
        "Choose one of the row. Low numbers are plain, but who takes a low one chooses earlier in the next round.",
        show="board",
    ),
    GuideStep(
        "took",
        "It is yours",
        "Your king stands on it. You lay it in the next round, when its turn comes, lowest number first.",
        show="board",
    ),
    GuideStep(
        "place",
        "Lay it, then take the next",
        "Choose a marked square, and again to turn it: one half has to touch the castle or its own land. Then take "
        "one of the new row.",
        show="board",
    ),
    GuideStep(
        "crowned",
        "An area with a crown",
        "It gives its squares times its crowns. One more square of the same land beside it gives as much as it has "
        "crowns.",
        show="plates",
    ),
    GuideStep(
        "middle",
        "The castle in the middle",
        "At the end it gives 10 points more, if your castle stands in the middle of your kingdom: grow to all sides.",
        show="board",
    ),
    GuideStep(
        "harmony",
        "A kingdom without a gap",
        "Filled to its last square it gives 5 points more at the end. A domino that fits nowhere leaves a gap.",
        show="board",
    ),
    GuideStep(
        "wide",
        "The edge of your kingdom",
        "It is as wide or as high as it may be: from now on all has to lie within. Leave no single squares open.",
        show="board",
    ),
    GuideStep(
        "lost",
        "A domino is lost",
        "It fitted nowhere in your kingdom. Keep open squares beside several lands, so that this stays rare.",
    ),
    GuideStep(
        "last_row",
        "The last row",
        "What you take now is the last that you lay: take what fits, and brings most at once.",
        show="stock",
    ),
    GuideStep(
        "over",
        "The match is over",
        "Each area counts its squares times its crowns. The castle in the middle and a kingdom without a gap count "
        "apart.",
        show="plates",
    ),
)


def moments(game: Game, now: Happening) -> Iterator[str]:
    """Names of what happened with one ply, beside its beginning and end."""
    seat, after = now.seat, now.after
    if now.before is None or game.is_terminal(after):
        return
    if game.current_player(now.before) == seat:
        yield "took"
    if game.current_player(after) == seat and after[layout.ROUND] > 1:
        yield "place"
    if any(area.points for area in metrics.areas(reading.kingdom(after, seat))):
        yield "crowned"
    laid = sum(one.seat == seat and one.squares is not None for one in reading.fates(after))
    if laid >= _FIRST_SHAPE and after[layout.MIDDLE] != _NO_MIDDLE:
        yield "middle"
    if laid > _FIRST_SHAPE and after[layout.HARMONY] != _NO_HARMONY:
        yield "harmony"
    if _is_wide(after, seat):
        yield "wide"
    fates = reading.fates(after)
    if any(one.seat == seat and one.squares is None and one.status != layout.WAITS for one in fates):
        yield "lost"
    if after[layout.ROUND] == after[layout.NUM_ROWS]:
        yield "last_row"


def _is_wide(state: State, seat: int) -> bool:
    """Whether a kingdom has reached its greatest width or height."""
    at = layout.KINGDOMS + layout.KINGDOM * seat
    width = state[at + layout.EAST] - state[at + layout.WEST]
    height = state[at + layout.SOUTH] - state[at + layout.NORTH]
    return bool(max(width, height) + 1 >= state[layout.LIMIT])
