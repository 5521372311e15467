"""Actions spelt by people: place, turn, meeple, in words that tell all choices apart."""

from __future__ import annotations

import math
from functools import cache

from games.carcassonne.board.curves import Point, middle
from games.carcassonne.board.geometry import EDGES, tile_facts, tile_shape
from games.carcassonne.board.picture import where
from games.carcassonne.reading import DEGREES, Placement
from games.protocol import Aid, Part, Step

NO_MEEPLE = "none"

STEPS = (
    Step("cell", "Place", "Choose a place for the tile.", named=()),
    Step("rotation", "Turn", "Turn the tile: point at its place again.", "turn"),
    Step("meeple", "Meeple", "Put a meeple on the tile, or confirm without.", "choice", NO_MEEPLE),
)
LEGAL, DEAD, TERRITORY, COORDINATES = "legal", "dead", "territory", "coordinates"
AIDS = (
    Aid(LEGAL, "Legal places", "Marks the places where the tile in hand fits."),
    Aid(TERRITORY, "Territory under the pointer", "Lights up the whole road, city, monastery or field pointed at."),
    Aid("projected", "Projected scores", "What everybody would have if the match ended now.", thinks=True),
    Aid("left", "Tiles left", "How many of each kind are still to be drawn."),
    Aid("chances", "Chances of the next draw", "How likely each kind is to be drawn next.", thinks=True),
    Aid(DEAD, "Dead places", "Crosses out empty places that no tile left fits any more.", is_on=False, thinks=True),
    Aid(COORDINATES, "Coordinates", "Numbers columns and rows, and names places in the list of moves.", is_on=False),
)

_SIDES = ("north", "east", "south", "west")
_DIRECTIONS = ("east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east")


def parts(move: Placement) -> tuple[Part, ...]:
    """The clicks that spell a legal action.

    Pointing at the place again turns the tile, so both have one element; no meeple has none.
    """
    cell = f"legal-{move.x}-{move.y}"
    meeple = Part("meeple", NO_MEEPLE, "", "No meeple")
    if move.segment:
        element = spot_id(move.x, move.y, move.rotation, move.segment)
        label = segment_label(move.type, move.rotation, move.segment)
        meeple = Part("meeple", move.segment, element, label, segment_words(move.type, move.rotation, move.segment))
    place = where(move.x, move.y)
    return (
        Part("cell", f"{move.x},{move.y}", cell, place[0].upper() + place[1:], place),
        Part("rotation", str(move.rotation), cell, turn_label(move.rotation)),
        meeple,
    )


def spot_id(x: int, y: int, rotation: int, segment: str) -> str:
    """Id of the target that puts a meeple on a segment of a tile laid like this."""
    return f"spot-{x}-{y}-{rotation}-{segment}"


def turn_label(rotation: int) -> str:
    """``Turned 90°``."""
    return f"Turned {DEGREES * rotation}°" if rotation else "Not turned"


def segment_label(letter: str, rotation: int, segment: str) -> str:
    """``Field south-east``; without a direction where the tile has one of the kind."""
    kind, direction = _kind(segment).capitalize(), _direction(letter, rotation, segment)
    return f"{kind} {direction}" if direction else kind


def segment_sentence(letter: str, rotation: int, segment: str) -> str:
    """``Put a meeple on the field in the south-east.``"""
    return f"Put a {segment_words(letter, rotation, segment)}."


def segment_words(letter: str, rotation: int, segment: str) -> str:
    """``meeple on the field in the south-east``."""
    direction = _direction(letter, rotation, segment)
    return f"meeple on the {_kind(segment)}{f' in the {direction}' if direction else ''}"


def _kind(segment: str) -> str:
    return segment.rstrip("0123456789")


@cache
def _direction(letter: str, rotation: int, segment: str) -> str:
    """The direction of a segment among those of its kind; empty where it is the only one.

    Cities and roads are named by their sides of the tile, fields by their middle as seen from
    the middle of all fields of the tile.
    """
    facts = tile_facts()[letter]
    kind = _kind(segment)
    if kind in ("city", "road"):
        of_kind = {one["id"]: one for one in facts["cities" if kind == "city" else "roads"]}
        if len(of_kind) == 1:
            return ""
        edges = sorted((EDGES.index(edge) + rotation) % len(EDGES) for edge in of_kind[segment]["edges"])
        return " and ".join(_SIDES[edge] for edge in edges)
    middles = {field["id"]: middle(tile_shape(letter).regions[field["id"]]) for field in facts["fields"]}
    if kind != "field" or len(middles) == 1:
        return ""
    xs, ys = zip(*middles.values(), strict=True)
    x, y = middles[segment]
    return compass((x - sum(xs) / len(xs), y - sum(ys) / len(ys)), rotation)


def compass(away: Point, rotation: int) -> str:
    """Name of a direction (y down) after clockwise quarter turns."""
    eighths = round(math.atan2(away[1], away[0]) / (math.pi / 4)) + 2 * rotation
    return _DIRECTIONS[eighths % len(_DIRECTIONS)]
