"""Dominion in five pictures, with the text of every card of the supply."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from games.dominion import cards, kingdoms
from games.dominion.board import texts
from games.dominion.board.small import held_svg
from games.dominion.board.symbols import CARD, CSS, definitions
from games.lessons import Draw, Lesson, Lessons, Term
from games.protocol import Game
from games.svg import tag, use, with_prefix

_GAP = 10
_EDGE = 24
"""What of a card is seen below another of its kind."""
_CARDS = 3
"""Cards for which each picture has room, so that cards have one size in all of them."""
_BASIC = ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse")


def lessons(game: Game, options: Any, num_seats: int) -> Lessons:
    """The lessons for these rules."""
    known, to_draw = kingdoms.resolve_kingdom(
        options.kingdom, options.cards, options.kingdom_seed, int(options.edition)
    )
    named = [cards.table()[number] for number in known if cards.name(number) not in _BASIC]
    shown = [*named, *(cards.by_name()[name] for name in _BASIC)]
    curses = " Curses may be bought, too: each takes a point." if options.curse_buys else ""
    money = "are played for you" if options.treasures == "auto" else "are played card by card"
    drawn = "The ten kingdom cards are drawn anew for each match. " if to_draw else ""
    return Lessons(
        lead="Buy cards that make your deck rich, then buy points with it. Most points in your deck win.",
        lessons=(
            Lesson(
                "deck",
                "Your deck",
                "You begin with seven Coppers and three Estates and draw five cards each turn.",
                _fan("Copper", "Copper", "Copper", "Estate", "Estate"),
            ),
            Lesson(
                "action",
                "One action",
                "First you may play one action card and do what it says; cards that give +1 action let you play more.",
                _fan("Village", "Smithy"),
            ),
            Lesson(
                "buy",
                "One buy",
                f"Then your treasures {money}: buy one card that costs no more than your coins.{curses}",
                _fan("Copper", "Silver", "Gold"),
            ),
            Lesson(
                "shuffle",
                "Round and round",
                "All of it goes to your discard pile. When your deck is empty the pile is shuffled and becomes it.",
                _fan("Silver", "Smithy", "Estate"),
            ),
            Lesson(
                "win",
                "Points",
                "Green cards are points and do nothing in your hand. The match ends when the Provinces, or any three "
                "piles, are gone.",
                _fan("Estate", "Duchy", "Province"),
            ),
        ),
        head=("Points in your deck", ""),
        points=(("Province", "6"), ("Duchy", "3"), ("Estate", "1"), ("Curse", "\N{MINUS SIGN}1")),
        notes=(
            f"{drawn}What you buy is in your hand after the next shuffle at the earliest.",
            "+ cards are drawn at once; coins and buys last until the turn ends.",
            "Equal points go to the one who has had fewer turns.",
        ),
        terms=_TERMS,
        glossary_title="Cards of this match",
        glossary=tuple(
            Term(card.name, texts.whole(card, options.woodcutter_coins), _one(card.number)) for card in shown
        ),
    )


def _one(number: int) -> Draw:
    return lambda prefix: held_svg(number, prefix=prefix)


def _fan(*names: str) -> Draw:
    """Cards side by side; of several alike the first lie below the last."""
    numbers = [cards.by_name()[name].number for name in names]
    return lambda prefix: _row(numbers, names, prefix)


def _row(numbers: Sequence[int], names: Sequence[str], prefix: str) -> str:
    step, places = CARD.width + _GAP, [0]
    for before, number in pairwise(numbers):
        places.append(places[-1] + (_EDGE if number == before else step))
    body = "".join(use(f"{CARD.key}{number}", at, 0) for number, at in zip(numbers, places, strict=True))
    width = max(step * _CARDS - _GAP, places[-1] + CARD.width)
    left = (places[-1] + CARD.width - width) / 2
    return with_prefix(
        tag(
            "svg",
            f"<style>{CSS}</style>" + tag("defs", definitions(body)) + body,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"{left - 2:g} -2 {width + 4} {CARD.height + 4}",
            role="img",
            aria_label=", ".join(names),
        ),
        prefix,
    )


_TERMS = {
    "legal cards": "action",
    "card under the pointer": "deck",
    "supply": "buy",
    "supply and deck": "buy",
    "your deck": "deck",
    "chances of the next card": "shuffle",
    "action": "action",
    "buy": "buy",
    "coins": "buy",
    "victory cards": "win",
}
