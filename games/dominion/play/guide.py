"""A first match of Dominion, step by step."""

from games.protocol import GuideStep

STEPS = (
    GuideStep(
        "Your deck",
        "You begin with seven Coppers and three Estates, and draw five of them. What needs no choice is done for you: "
        "the Coppers drawn already lie out as coins, the rest is your hand. Point at any card to read it.",
        show="board",
    ),
    GuideStep(
        "Actions first",
        "A turn has two phases. In the first you may play one action card of your hand, and what it says happens. "
        "Without one the turn goes on to the second by itself.",
        show="turn",
    ),
    GuideStep(
        "Then buy",
        "In the second phase your treasures are your coins, and you may buy one card of the supply that costs no more. "
        "Choose one: a Silver at three coins is never wrong. With nothing to buy, end the turn.",
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
        "Round and round",
        "What you bought and what you played goes to your discard pile, and you draw five new cards. When your deck "
        "is empty the discard pile is shuffled and becomes it: so what you buy comes back again and again.",
        show="board",
    ),
    GuideStep(
        "What wins",
        "Victory cards are points, and do nothing in your hand. Provinces bring six points and cost eight coins: make "
        "your deck rich first, then buy them. A Curse takes a point.",
        show="plates",
    ),
    GuideStep(
        "The end",
        "The match ends when the Provinces are gone, or any three piles. Supply and deck shows how many are left and "
        "what your own deck still holds. Then all points are counted.",
        show="stock",
    ),
)
