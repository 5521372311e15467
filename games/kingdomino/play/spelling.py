"""Actions of Kingdomino spelt in clicks and words: a square, a direction, a domino."""

from __future__ import annotations

from games.kingdomino import reading
from games.kingdomino import state as layout
from games.protocol import Aid, Part, State, Step

NO_PLACE = "none"
"""Value of a square where the domino is discarded."""
STEPS = (
    Step("square", "Place", "Place the domino's first end.", named=(NO_PLACE,)),
    Step("direction", "Turn", "Turn the domino: point at the same square again.", "turn"),
    Step("domino", "Take", "Take a domino of the new row.", "choice"),
)
LEGAL, TERRITORY, AREAS, LEFT, CHANCES, DEAD = "legal", "territory", "areas", "left", "chances", "dead"
AIDS = (
    Aid(LEGAL, "Legal places", "Marks the squares where the domino's first end may lie."),
    Aid(
        TERRITORY, "Area under the pointer", "Outlines the whole area pointed at, with its squares, crowns and points."
    ),
    Aid(
        AREAS,
        "Points of all areas",
        "Writes squares \N{MULTIPLICATION SIGN} crowns on every area.",
        is_on=False,
        thinks=True,
    ),
    Aid(LEFT, "Dominoes left", "Which dominoes may still be drawn."),
    Aid(CHANCES, "Chances of the next row", "How likely each domino left is to lie in the next row.", thinks=True),
    Aid(
        DEAD,
        "Dead squares",
        "Crosses out empty squares that no domino left can cover any more.",
        is_on=False,
        thinks=True,
    ),
)
DIRECTIONS = ("right", "down", "left", "up")

_WORDS = ("to the right", "below", "to the left", "above")


def parts(state: State, action: int) -> tuple[Part, ...]:
    """Square of end a, direction to end b, domino chosen; what an action lacks is left out."""
    return _parts(state, action, is_turned=False)


def other_parts(state: State, action: int) -> tuple[Part, ...]:
    """The same from the other end of a domino with equal ends: either may be put first."""
    placed = reading.to_place(state)
    is_placed = action // layout.CHOICES != layout.NOWHERE
    is_either = is_placed and placed is not None and reading.TABLES.is_equal[placed - 1]
    return _parts(state, action, is_turned=True) if is_either else ()


def _parts(state: State, action: int, *, is_turned: bool) -> tuple[Part, ...]:
    placement, choice = divmod(action, layout.CHOICES)
    seat, placed = int(state[layout.PLAYER]), reading.to_place(state)
    spelt: list[Part] = []
    if placement != layout.NOWHERE:
        ends = reading.squares_of(state, seat, placement)
        (x, y), turn = ends[is_turned], (placement + 2 * is_turned) & 3
        element = square_id(seat, x, y)
        spelt.append(Part("square", f"{x},{y}", element, where(x, y)))
        spelt.append(Part("direction", DIRECTIONS[turn], element, direction_label(placed, turn)))
    elif placed is not None:
        spelt.append(Part("square", NO_PLACE, discard_id(seat), "Discard it", words="discards it"))
    if choice != layout.NOTHING:
        number = int(state[layout.ROW + choice])
        before = [part.value for part in spelt]
        spelt.append(
            Part(
                "domino",
                str(number),
                take_id(number, before),
                domino_label(number),
                words=f"takes {domino_words(number)}",
            )
        )
    return tuple(spelt)


def square_id(seat: int, x: int, y: int) -> str:
    """Id of the target of a square."""
    return f"cell-{seat}-{x}-{y}"


def discard_id(seat: int) -> str:
    """Id of the target below the kingdom that discards the domino."""
    return f"discard-{seat}"


def take_id(number: int, before: list[str]) -> str:
    """Id of the target that takes a domino after these values have been chosen."""
    return "-".join(["take", str(number), *(value.replace(",", "-") for value in before)])


def where(x: int, y: int) -> str:
    """A square as seen from the castle: ``2 right and 1 up from the castle``."""
    across = f"{abs(x)} {'right' if x > 0 else 'left'}" if x else ""
    along = f"{abs(y)} {'down' if y > 0 else 'up'}" if y else ""
    return f"{' and '.join(word for word in (across, along) if word)} from the castle"


def direction_label(number: int | None, turn: int) -> str:
    """``Lake to the right``: which terrain comes to lie where as seen from the square chosen."""
    assert number is not None
    terrain = reading.face(number).split(", ")[1].split(" with ")[0]
    return f"{terrain.capitalize()} {_WORDS[turn]}"


def domino_label(number: int) -> str:
    """``33: wheat, lake with 1 crown``."""
    figure, face = reading.face(number).split(" ", 1)
    return f"{figure}: {face}"


def domino_words(number: int) -> str:
    """``33 (wheat, lake with 1 crown)``: within a sentence."""
    figure, face = reading.face(number).split(" ", 1)
    return f"{figure} ({face})"
