"""A first match of Dominion: what is said when something happens for the first time."""

from __future__ import annotations

from collections.abc import Iterator

from games.dominion import cards, reading
from games.dominion import state as layout
from games.guides import GuideStep, Happening
from games.protocol import Game

FEW_PROVINCES = 3
STEPS = (
    GuideStep(
        "begin",
        "Your first turn",
        "Your Coppers are coins already. Buy one card that costs no more: a Silver for three is never wrong. Point at "
        "any card to read it.",
        show="board",
    ),
    GuideStep(
        "bought",
        "It goes to your discard pile",
        "You draw five new cards. What you bought comes into your hand after the next shuffle.",
        show="board",
    ),
    GuideStep(
        "others",
        "The turn of the other",
        "It plays the same way. What it did is told in the bar; what it bought is in its deck now.",
        show="turn",
    ),
    GuideStep(
        "shuffled",
        "Your deck was shuffled",
        "It was empty, so the discard pile became the deck: from now on you draw what you bought.",
        show="board",
    ),
    GuideStep(
        "action",
        "An action in your hand",
        "You may play one before you buy. +1 action on it lets you play another one; the rest it does at once.",
        show="bar",
    ),
    GuideStep(
        "cursed",
        "A Curse",
        "Somebody's attack put it into your deck: one point less, and a card that does nothing when you draw it.",
        show="plates",
    ),
    GuideStep(
        "province",
        "The first Province",
        "Six points, eight coins. When the pile is empty the match ends, so buying them is a race from here on.",
        show="stock",
    ),
    GuideStep(
        "empty",
        "A pile is empty",
        "At three empty piles the match ends, too. See under Left how many cards there are.",
        show="stock",
    ),
    GuideStep(
        "late",
        "Few Provinces left",
        "Cards bought now hardly come round again: Duchies and Estates are points at once.",
        show="stock",
    ),
    GuideStep(
        "over",
        "The match is over",
        "All points in the decks are counted, wherever the cards lie: Provinces 6, Duchies 3, Estates 1, a Curse -1.",
        show="plates",
    ),
)


def moments(game: Game, now: Happening) -> Iterator[str]:
    """Names of what happened with one ply, beside its beginning and end."""
    seat, after = now.seat, now.after
    if _has_action(game, now):
        yield "action"
    if now.before is None or game.is_terminal(after):
        return
    who, words = game.current_player(now.before), game.notation(now.before, now.action)
    if who == seat and words.startswith("buy "):
        yield "bought"
    if who != seat and game.current_player(after) == seat:
        yield "others"
    at = reading.seat_at(seat)
    if after[at + layout.SHUFFLES] > 1:
        yield "shuffled"
    if reading.owned_cards(after, seat).get(cards.by_name()["Curse"].number):
        yield "cursed"
    if words == "buy Province":
        yield "province"
    left = reading.supply(after)
    if 0 in left.values():
        yield "empty"
    if left[cards.by_name()["Province"].number] <= FEW_PROVINCES:
        yield "late"


def _has_action(game: Game, now: Happening) -> bool:
    """Whether the reader is asked to play an action card."""
    if game.current_player(now.after) != now.seat:
        return False
    words = (game.notation(now.after, int(action)) for action in game.legal_actions(now.after))
    return any(word.startswith("play ") and word != "play all treasures" for word in words)
