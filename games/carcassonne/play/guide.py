"""A first match of Carcassonne: what is said when something happens for the first time."""

from __future__ import annotations

from collections.abc import Iterator

from games.carcassonne import state as layout
from games.guides import GuideStep, Happening
from games.protocol import Game

STEPS = (
    GuideStep(
        "begin",
        "Your first tile",
        "It stands in the bar. Choose a marked place: edges have to go on. Choose it again to turn the tile, "
        "then a meeple or none.",
        show="board",
    ),
    GuideStep(
        "laid",
        "Now the others",
        "A tile joins what lies there. A meeple of yours stays on its road, city or monastery until that is finished. "
        "You have seven.",
        show="plates",
    ),
    GuideStep(
        "field",
        "A farmer lies down",
        "He stays to the end: 3 points for each finished city that his field touches. Early farmers bind a meeple for "
        "long.",
    ),
    GuideStep(
        "scored",
        "The first points",
        "Something is finished: a road gives 1 a tile, a city 2 a tile and 2 a shield, a monastery 9. Most meeples "
        "in it get them.",
        show="plates",
    ),
    GuideStep(
        "home",
        "Your meeple is back",
        "What it stood on is finished, so you can set it again. Small finished things bring meeples back fast.",
        show="plates",
    ),
    GuideStep(
        "none_left",
        "All seven are out",
        "You can set none until something of yours is finished. Try to close a road or a city now.",
        show="plates",
    ),
    GuideStep(
        "half",
        "Half of the tiles are laid",
        "Look under Left what is still to be drawn: it tells which of your places can still be closed.",
        show="stock",
    ),
    GuideStep(
        "late",
        "The last tiles",
        "What is unfinished at the end counts less: 1 a tile. Set the meeples that you have left: they come home no "
        "more.",
        show="plates",
    ),
    GuideStep(
        "over",
        "The match is over",
        "Now unfinished things and fields are counted. The table of kinds shows where each had their points from.",
        show="plates",
    ),
)


def moments(game: Game, now: Happening) -> Iterator[str]:
    """Names of what happened with one ply, beside its beginning and end."""
    seat, after = now.seat, now.after
    if now.before is None or game.is_terminal(after):
        return
    if game.current_player(now.before) == seat:
        yield "laid"
    if "field" in game.notation(now.before, now.action):
        yield "field"
    events = game.events(after)
    if any(event.points for event in events):
        yield "scored"
    if any(seat in event.returned for event in events):
        yield "home"
    if not after[layout.HAND + seat]:
        yield "none_left"
    if after[layout.NUM_LEFT] <= layout.NUM_TILES // 2:
        yield "half"
    if after[layout.NUM_LEFT] <= 2 * game.num_seats(after):
        yield "late"
