"""Dominion as a learner sees it: zones as counts of cards, by number (the order of ``data/cards.json``).

An action is the game's own number: a card to be played, bought or chosen, `state.ALL` (play all Treasures) or
`state.END` (end the phase, decline, be done). What a card's number does is said by the block "decision".
"""

from __future__ import annotations

from pathlib import Path

from games.dominion import state as layout
from games.encodings import Block, Blocks, Encoding

CARDS = layout.NUM_CARDS
_ALL = ("supply", "trash", "played", "aside", "loot")
_ALL_MEANINGS = (
    "cards of each pile",
    "cards trashed",
    "cards in play",
    "cards shown or set aside for a moment",
    "Treasure cards that a Thief has trashed and may still gain",
)


def planes(num_seats: int) -> Blocks:
    """None: there is no board."""
    return ()


def numbers(num_seats: int) -> Blocks:
    """All blocks: the turn, zones of all, zones of every seat."""
    known = "for the own seat the hand; for others what everybody knows to be in it"
    seat_blocks = (
        ("hand", CARDS, known),
        (
            "deck",
            CARDS,
            "cards in the deck in no known order; for other seats those of the hand that are not known, too",
        ),
        ("discard", CARDS, "cards discarded"),
        ("top", CARDS, "known cards on top of the deck"),
        ("topmost", CARDS, "1 for the known card on top of all"),
        ("sizes", 5, "cards in hand, cards in the deck in no known order, cards owned, points, own turns begun"),
    )
    return (
        Block("decision", (layout.NUM_KINDS,), "1 for what is to be decided (`state`: DRAW_KINGDOM to RESOLVE)"),
        Block("on turn", (num_seats,), "1 for the seat that decides"),
        Block("turn", (num_seats,), "1 for the seat whose turn it is"),
        Block("counts", (6,), "actions, buys, coins, empty piles, whether Treasures are played by hand, turn limit"),
        Block("asking", (CARDS,), "1 for the card whose effect asks"),
        Block("about", (CARDS,), "1 for the card that the effect is about, where the seat knows it"),
        Block("counted", (1,), "what the effect has counted: cards, or the greatest cost allowed"),
        *(Block(name, (CARDS,), meaning) for name, meaning in zip(_ALL, _ALL_MEANINGS, strict=True)),
        *(
            Block(f"{name} {seat}", (size,), meaning)
            for seat in range(num_seats)
            for name, size, meaning in seat_blocks
        ),
    )


ENCODING = Encoding(
    Path(__file__).parent,
    layout.END + 1,
    f"the number of a card, {layout.ALL} to play all Treasures, {layout.END} to end the phase, decline or be done.",
    planes,
    numbers,
)
