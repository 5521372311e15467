"""Texts of cards: icons for what they give, a few words for what else they do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games.dominion import cards

_BRIEF: Mapping[str, tuple[str, str]] = {
    "Gardens": ("cards", "A point for every 10 cards you own."),
    "Moneylender": ("Copper: +3", "Trash a Copper in hand for 3 coins."),
    "Remodel": ("trash, gain +2", "Trash a card. Gain one costing up to 2 more."),
    "Witch": ("Curses", "Everybody else gains a Curse."),
    "Cellar": ("swap cards", "Discard any cards, then draw as many."),
    "Chapel": ("trash up to 4", "Trash up to 4 cards from hand."),
    "Moat": ("reaction", "In hand it wards off an Attack."),
    "Chancellor": ("deck away", "You may discard your whole deck."),
    "Workshop": ("gain up to 4", "Gain a card costing up to 4."),
    "Bureaucrat": ("Silver on top", "Silver onto your deck. Others put back a Victory."),
    "Feast": ("gain up to 5", "Trash this. Gain a card costing up to 5."),
    "Militia": ("down to 3", "Others discard down to 3 cards."),
    "Spy": ("see tops", "All show a top card: you judge it."),
    "Thief": ("take Treasure", "Others show 2 cards: trash or take a Treasure."),
    "Throne Room": ("action twice", "Play an Action in hand twice."),
    "Council Room": ("all draw", "Everybody else draws a card."),
    "Library": ("draw to 7", "Draw to 7 cards, Actions aside as you like."),
    "Mine": ("Treasure +3", "Trash a Treasure. Gain one costing up to 3 more to hand."),
    "Adventurer": ("2 Treasures", "Dig for 2 Treasures from your deck."),
}
"""Texts of two or three words, and of a line or two; a card that is not here shows its whole text."""
_ICONS = {"cards": "card", "actions": "action", "buys": "buy", "coins": "coin"}
_BAND = ("Attack", "Reaction", "Treasure", "Victory", "Curse", "Action")
_WOODCUTTER = "Woodcutter"
MINUS = "\N{MINUS SIGN}"


class Gift(NamedTuple):
    """Gift of a card: name of the icon, the words beside it (of points: in it)."""

    icon: str
    words: str


def band(card: cards.Card) -> str:
    """The type that gives a card its colour."""
    return next(kind for kind in _BAND if kind in card.types)


def _coins(card: cards.Card, woodcutter: int | None) -> int:
    """Coins that a card gives; those of a Woodcutter are an option of the rules."""
    return woodcutter if card.name == _WOODCUTTER and woodcutter is not None else card.gives.get("coins", 0)


def gifts(card: cards.Card, woodcutter: int | None = None) -> list[Gift]:
    """Everything that a card gives at once. woodcutter: coins of a Woodcutter (None: the usual ones)."""
    given = card.gives | {"coins": _coins(card, woodcutter)}
    found = [Gift(icon, f"+{given[key]}") for key, icon in _ICONS.items() if given.get(key)]
    if "value" in given:
        found.append(Gift("coin", f"+{given['value']}"))
    if points := given.get("vp", 0):
        found.append(Gift("vp" if points > 0 else "hex", str(points).replace("-", MINUS)))
    if "vp_per_cards" in given:
        found.append(Gift("vp", f"1/{given['vp_per_cards']}"))
    return found


def cue(card: cards.Card) -> str:
    """The rest of a card's effect in two or three words; empty where the icons say all."""
    return _BRIEF.get(card.name, ("", ""))[0]


def line(card: cards.Card) -> str:
    """The rest of a card's effect in a line or two; empty where the icons say all."""
    if card.name in _BRIEF:
        return _BRIEF[card.name][1]
    return card.text if "effect" in card.gives or not gifts(card) else ""


def whole(card: cards.Card, woodcutter: int | None = None) -> str:
    """The whole text of a card. woodcutter: as `gifts`."""
    usual, now = (
        f"{number} coin{'' if number == 1 else 's'}" for number in (_coins(card, None), _coins(card, woodcutter))
    )
    return card.text.replace(usual, now)


def types(card: cards.Card) -> str:
    """Its types as they stand at its foot."""
    return " \N{EN DASH} ".join(card.types)


def wrap(words: str, limit: int) -> list[str]:
    """Lines of at most `limit` letters, none breaking a word."""
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > limit:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".lstrip()
    return lines
