"""Carcassonne in five pictures."""

from __future__ import annotations

from typing import Any

from games.lesson_positions import Box, of_board, position
from games.lessons import Draw, Lesson, Lessons
from games.protocol import Game

_MATCH = (
    *("M", "M 0,-1 180° city0"),
    *("W", "W 1,0 0° road2"),
    *("E", "E -1,-1 90° field0"),
    *("W", "W -1,0 0°"),
    *("B", "B 0,1 0° monastery"),
    *("V", "V -1,1 90°"),
    *("V", "V 1,1 180°"),
    *("E", "E 0,2 180°"),
    *("E", "E -1,2 180°"),
    *("E", "E 1,2 180°"),
)
"""Draws and actions of one match between two, which has everything that scores."""
_BY_FIELD = "3 points for every finished city that the field touches."
_FIRST, _CITY, _ROAD, _MONASTERY = 4, 6, 8, 18
"""How much of it each picture has."""


def lessons(game: Game, options: Any, num_seats: int) -> Lessons:
    """The lessons for these rules."""
    has_farmers, is_by_city = options.farmers != "off", options.farmers == "cities"
    small = " A city of two tiles gives half." if options.two_tile_city == "half" else ""
    steps = [
        Lesson(
            "tile",
            "Lay a tile",
            "Draw one, turn it, and lay it so that every edge goes on: road to road, city to city, field to field.",
            _shown(game, _FIRST, (-110, -110, 320, 220)),
        ),
        Lesson(
            "road",
            "Road",
            "A finished road gives 1 point a tile. It ends at a crossing, a city or a monastery.",
            _shown(game, _ROAD, (-110, -110, 320, 220)),
        ),
        Lesson(
            "city",
            "City",
            f"A finished city gives 2 points a tile and 2 more for each shield.{small}",
            _shown(game, _CITY, (-110, -110, 320, 220)),
        ),
        Lesson(
            "monastery",
            "Monastery",
            "It gives 9 points once all eight places round it are filled.",
            _shown(game, _MONASTERY, (-110, -10, 320, 320)),
        ),
    ]
    if has_farmers:
        steps.append(
            Lesson(
                "field",
                "Field",
                "A farmer lies in his field until the end: "
                + ("most of them round a finished city get 4 points for it." if is_by_city else _BY_FIELD),
                _shown(game, _CITY, (-110, -110, 320, 220)),
            )
        )
    return Lessons(
        lead="Lay a tile, set a meeple if you like, count what is finished. Most points after the last tile win.",
        lessons=tuple(steps),
        head=("Points", "finished", "at the end"),
        points=_points(has_farmers=has_farmers, is_by_city=is_by_city),
        notes=_notes(options, has_farmers=has_farmers),
        terms=_TERMS | (dict.fromkeys(("field", "fields"), "field") if has_farmers else {}),
    )


def _shown(game: Game, length: int, box: Box) -> Draw:
    """A part of the match so far; drawn by today's rules, which all of this is the same by."""

    def draw(prefix: str) -> str:
        return of_board(game, position(game, game.options(), 2, _MATCH[:length]), box)(prefix)

    return draw


def _points(*, has_farmers: bool, is_by_city: bool) -> tuple[tuple[str, ...], ...]:
    rows: list[tuple[str, ...]] = [
        ("City, each tile and each shield", "2", "1"),
        ("Road, each tile", "1", "1"),
        ("Monastery, itself and each tile round it", "9 in all", "1"),
    ]
    if is_by_city:
        rows.append(("Finished city, to most farmers round it", "", "4"))
    elif has_farmers:
        rows.append(("Field, each finished city it touches", "", "3"))
    return tuple(rows)


def _notes(options: Any, *, has_farmers: bool) -> tuple[str, ...]:
    stays = "; a farmer stays" if has_farmers else ""
    lost = "is out of the game" if options.unplaceable == "discard" else "goes back among those to be drawn"
    farmers = "" if has_farmers else " Nobody lies down on a field: this match has no farmers."
    return (
        "You have seven meeples. One may go on the tile just laid, where nobody stands yet, also not further on in "
        f"the same road, city or field.{farmers}",
        f"A meeple comes home when its road, city or monastery is finished{stays}.",
        "Who has most meeples in it gets the points; with equal numbers each of them gets all.",
        f"A tile that fits nowhere {lost}, and another is drawn.",
    )


_TERMS = {
    "meeples": "tile",
    "meeples in hand": "tile",
    "legal places": "tile",
    "tiles left": "tile",
    "city": "city",
    "cities": "city",
    "road": "road",
    "roads": "road",
    "monastery": "monastery",
    "monasteries": "monastery",
}
