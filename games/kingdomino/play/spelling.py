"""How clicks and words spell an action of Kingdomino: a square, a direction, a domino."""

from __future__ import annotations

from games.kingdomino import reading
from games.kingdomino import state as layout
from games.protocol import Aid, Part, State, Step

STEPS = (
    Step("square", "Place", "Choose a square for the domino's first end"),
    Step("direction", "Turn", "Turn the domino: point at the same square again", "turn"),
    Step("domino", "Take", "Choose a domino of the new row", "choice"),
)
AIDS = (
    Aid("legal", "Legal places", "Squares where the domino may lie"),
    Aid("areas", "Areas on hover", "The area under the pointer, with its points"),
    Aid("projected", "Points of each area", "What every area is worth now"),
    Aid("left", "Dominoes left", "What may still be drawn"),
)
DIRECTIONS = ("right", "down", "left", "up")
WORDS = ("to the right", "downwards", "to the left", "upwards")


def parts(state: State, action: int) -> tuple[Part, ...]:
    """Square of end a, direction to end b, domino chosen; what an action lacks is left out."""
    placement, choice = divmod(action, layout.CHOICES)
    seat = int(state[layout.PLAYER])
    spelt: list[Part] = []
    if placement != layout.NOWHERE:
        (x, y), _ = reading.squares_of(state, seat, placement)
        value = f"{x},{y}"
        spelt.append(Part("square", value, f"cell-{seat}-{x}-{y}", _place_words(x, y)))
        spelt.append(Part("direction", DIRECTIONS[placement & 3], "candidate", f"Second end {WORDS[placement & 3]}"))
    elif reading.to_place(state) is not None:
        spelt.append(Part("square", "none", f"discard-{seat}", "Discard it"))
    if choice != layout.NOTHING:
        number = int(state[layout.ROW + choice])
        spelt.append(Part("domino", str(number), f"offer-{number}", f"Domino {reading.face(number)}"))
    return tuple(spelt)


def _place_words(x: int, y: int) -> str:
    """A square as seen from the castle: ``2 right, 1 up of the castle``."""
    across = f"{abs(x)} {'right' if x > 0 else 'left'}" if x else ""
    along = f"{abs(y)} {'down' if y > 0 else 'up'}" if y else ""
    return f"{', '.join(word for word in (across, along) if word)} of the castle"
