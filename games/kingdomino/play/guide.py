"""A first match of Kingdomino, step by step."""

from games.protocol import GuideStep

STEPS = (
    GuideStep(
        "Your first domino",
        "Each round a row of four dominoes is laid out. Between two players each takes two of them, with two kings. "
        "Low numbers are plain, but the player who takes a low one chooses earlier in the next round.",
        show="board",
    ),
    GuideStep(
        "Take one",
        "Choose a domino of the row. You will lay it in your next turn.",
        until="choose",
        show="bar",
    ),
    GuideStep(
        "Confirm",
        "Nothing counts before you confirm. Until then the arrow back, or Escape, takes your choice back.",
        until="confirm",
        show="bar",
    ),
    GuideStep(
        "Lay it, and take the next",
        "From now on a turn has two parts. First lay the domino you took: point at a marked square, and again to turn "
        "it. One half has to touch the castle or its own terrain. Then take one of the new row.",
        until="confirm",
        show="board",
    ),
    GuideStep(
        "Five by five",
        "Your kingdom may be no wider and no higher than five squares, castle included. A domino that fits nowhere is "
        "lost, so leave no holes.",
        show="board",
    ),
    GuideStep(
        "How it scores",
        "Every area of one terrain brings its squares times its crowns: four squares with two crowns are eight points, "
        "an area without a crown nothing. So a crown is worth most in a large area.",
        show="plates",
    ),
    GuideStep(
        "The rest",
        "Dominoes left shows what may still be drawn. A castle in the middle of the kingdom brings "
        "ten points more. When all are laid the highest score wins.",
        show="stock",
    ),
)
