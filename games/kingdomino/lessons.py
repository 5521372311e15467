"""Kingdomino in five pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.kingdomino import lesson_pictures
from games.lesson_positions import position
from games.lessons import Draw, Lesson, Lessons
from games.protocol import Game

_MATCH = (
    *("king of seat 0", "king of seat 1", "king of seat 0", "king of seat 1"),
    *("3", "13", "19", "41"),
    *("takes 41", "takes 3", "takes 19", "takes 13"),
    *("4", "10", "24", "36"),
    *("3 at 1,0 2,0, takes 4", "13 at 0,1 1,1, takes 10"),
    *("19 at 1,0 2,0, takes 24", "41 at 1,-1 0,-1, takes 36"),
    *("5", "20", "30", "45"),
    *("4 at 3,0 4,0, takes 5", "10 at 0,-1 1,-1, takes 20"),
    *("24 at 2,1 1,1, takes 30", "36 at -1,0 -1,-1, takes 45"),
)
"""Draws and actions of one match between two."""
_CHOOSING, _LATER, _JOINED = 10, 18, 20


def lessons(game: Game, options: Any, num_seats: int) -> Lessons:
    """The lessons for these rules."""
    side = int(options.size)
    aside = " The one that nobody takes is out." if num_seats == 3 and options.three_seats == "48" else ""
    each = "two of it, with two kings" if num_seats == 2 else "one of it"
    must = "" if options.must_place else " You may also discard it."
    bonuses = _bonuses(options)
    return Lessons(
        lead="Take dominoes, build a kingdom, count areas by their crowns. The highest score wins.",
        lessons=(
            Lesson(
                "choose",
                "Choose",
                f"Each round a row is laid out by number, and each player takes {each}.{aside}",
                _shown(game, _CHOOSING, lesson_pictures.row),
            ),
            Lesson(
                "order",
                "Low or high",
                "High numbers have more crowns, but the king on the lowest number lays and chooses first next round.",
                _shown(game, _LATER, lesson_pictures.row),
            ),
            Lesson(
                "join",
                "Lay it",
                f"One half has to touch the same land, or the castle, side by side.{must}",
                _shown(game, _JOINED, lesson_pictures.kingdom),
            ),
            Lesson(
                "square",
                f"{side} by {side}",
                f"A kingdom is at most {side} squares wide and high, castle included. A domino that fits nowhere is "
                "lost.",
                _shown(game, len(_MATCH), lesson_pictures.kingdom),
            ),
            Lesson(
                "crowns",
                "Count",
                "Each area of one land gives its squares times its crowns: here two pastures with three crowns make 6, "
                "and land without a crown nothing.",
                _shown(game, len(_MATCH), lesson_pictures.kingdom),
            ),
        ),
        head=("Points", ""),
        points=(("An area", "squares x crowns"), ("An area without a crown", "0"), *bonuses),
        notes=(
            "A square may lie beside any other: only one half of the domino you lay has to go on.",
            "Crowns in two areas that do not touch are counted apart, also in the same land.",
            "Equal points go by the largest area, then by crowns."
            if options.ties == "official"
            else "Equal points share the place.",
        ),
        terms=_TERMS | ({"middle kingdom": "square", "harmony": "square"} if bonuses else {}),
    )


def _shown(game: Game, length: int, draw: Callable[..., str]) -> Draw:
    return lambda prefix: draw(position(game, game.options(), 2, _MATCH[:length]), prefix=prefix)


def _bonuses(options: Any) -> tuple[tuple[str, str], ...]:
    middle = {
        "book": "Castle in the middle at the end",
        "bbox": "Castle in the middle of what is laid",
        "reach": "No square too far from the castle",
        "full": "Full kingdom with the castle in the middle",
    }.get(options.middle)
    whole = {"full": "Kingdom without a hole", "nodiscard": "No domino lost"}.get(options.harmony)
    rows = ((middle, "10"), (whole, "5"))
    return tuple((label, points) for label, points in rows if label)


_TERMS = {
    "squares filled": "square",
    "legal places": "join",
    "dominoes left": "choose",
    "chances of the next row": "choose",
    "area under the pointer": "crowns",
    **dict.fromkeys(("wheat", "forest", "lake", "pasture", "swamp", "mine", "fields", "forests", "lakes"), "crowns"),
    **dict.fromkeys(("pastures", "swamps", "mines"), "crowns"),
}
