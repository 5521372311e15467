"""A first match of Carcassonne, step by step."""

from games.protocol import GuideStep

STEPS = (
    GuideStep(
        "The tile in hand",
        "Each turn you draw one tile: it is shown beside whose turn it is. It has to join what lies there, so that "
        "roads meet roads, cities meet cities and fields meet fields. The marked places are those where it fits.",
        show="turn",
    ),
    GuideStep(
        "Choose a place",
        "Point at a marked place to put the tile there. Point at it once more to turn the tile, or press R.",
        until="choose",
        show="board",
    ),
    GuideStep(
        "A meeple, or none",
        "You may put a meeple on the tile you laid: on a road, in a city, in a monastery or lying in a field, if "
        "nobody's meeple is in it already. It stays until that is finished. You have seven.",
        show="bar",
    ),
    GuideStep(
        "Confirm",
        "Nothing counts before you confirm. Until then the arrow back, or Escape, takes your choice back.",
        until="confirm",
        show="bar",
    ),
    GuideStep(
        "What scores at once",
        "A finished road brings a point a tile, a finished city two a tile and two more for each pennant, a "
        "monastery with tiles all round nine. The player with most meeples in it gets the points, and they come home.",
        show="plates",
    ),
    GuideStep(
        "What scores at the end",
        "Unfinished roads, cities and monasteries bring a point a tile. The most meeples in a field "
        "bring three points for every finished city that touches it. The small number beside a score counts all that "
        "now.",
        show="plates",
    ),
    GuideStep(
        "What is still to come",
        "All 72 tiles are used. Tiles left shows which may still be drawn, so you can tell what a place waits for. "
        "The rest is yours: after the last tile the higher score wins.",
        show="stock",
    ),
)
