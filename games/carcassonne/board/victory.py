"""The race at the end: a road into a city, on which meeples stand as far as their seats' points have brought them."""

from __future__ import annotations

from collections.abc import Sequence

from games import victory
from games.carcassonne.board import layers
from games.carcassonne.board.render import CSS_TILE
from games.carcassonne.board.symbols import definitions
from games.svg import ID, number, tag, use

_ROAD = (("A", 3), ("U", 1), ("D", 2), ("U", 3), ("S", 1))
"""Tiles with their quarter turns, from the monastery where all begin to the gate of the city."""
_START, _GATE = 66.0, 418.0
_APART, _WINNERS_APART = 46.0, 80.0
"""Least distance of two meeples, and of two that have won: these are larger."""
_FOOT = 64.0
_SIZE, _WINNER, _MANY_WINNERS = 1.7, 2.7, 2.3


def picture(scores: Sequence[int], ranks: Sequence[int]) -> str:
    """The road with a meeple of each seat. scores, ranks: by seat."""
    road = "".join(
        tag("g", layers.drawing(letter, rotation, place), transform=f"translate({100 * place} 0)")
        for place, (letter, rotation) in enumerate(_ROAD)
    )
    width = 100 * len(_ROAD)
    clip = tag("clipPath", tag("rect", width=width, height=100, rx=8), id=f"{ID}road")
    order = sorted(range(len(scores)), key=lambda seat: (ranks[seat], -scores[seat], seat))
    winners = [place for place, seat in enumerate(order) if ranks[seat] == 1]
    places = _places([scores[seat] for seat in order], len(winners))
    large = _WINNER if len(winners) < 3 else _MANY_WINNERS
    light = "".join(victory.rays(places[place], _FOOT - 32, 148, 148) for place in winners)
    walkers = "".join(
        _walker(seat, places[place], large if place in winners else _SIZE)
        for place, seat in reversed(list(enumerate(order)))
    )
    body = tag("g", road + light, clip_path=f"url(#{ID}road)") + walkers
    defs = clip + victory.glow() + definitions(body)
    return victory.document(body, (-2.0, -4.0, width + 4.0, 108.0), defs=defs, css=CSS_TILE)


def _places(scores: Sequence[int], num_winners: int) -> list[float]:
    """Where meeples stand along the road, in the order of their points, the first at the gate."""
    most = max(1, scores[0])
    places: list[float] = []
    for place, points in enumerate(scores):
        share = 1 if points == scores[0] else max(0, points) / most
        wanted = _START + share * (_GATE - _START)
        apart = _WINNERS_APART if place < num_winners else _APART + (14 if place == num_winners else 0)
        room = places[-1] - apart if places else _GATE
        least = _START + _APART * (len(scores) - 1 - place)
        places.append(max(least, min(wanted, room)))
    return places


def _walker(seat: int, x: float, size: float) -> str:
    """A meeple that comes along the road from where it begins."""
    standing = use(f"m{seat}", transform=f"scale({size:g})")
    walk = tag("g", standing, class_=f"{victory.PIECE} is-walking", style=f"--back: {number(_START - 30 - x)}px")
    return tag("g", walk, transform=f"translate({number(x)} {number(_FOOT + 4 * size)})")
