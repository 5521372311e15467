"""Texts of cards: icons for what they give, words for what else they do."""

from __future__ import annotations

import re
from typing import NamedTuple

from games.dominion import cards

_ICONS = {"cards": "card", "actions": "action", "buys": "buy", "coins": "coin"}
_BAND = ("Attack", "Reaction", "Treasure", "Victory", "Curse", "Action")
_WOODCUTTER = "Woodcutter"
_SENTENCE = re.compile(r"[^.]+\.(?=\s|$)\s*")
_GIFT = r"(?:draw )?(?:a|\d+) (?:more )?(?:card|action|buy|coin)s?"
_GIVEN = re.compile(rf"{_GIFT}(?:, {_GIFT})*\.\s*", re.IGNORECASE)
"""A sentence that only says what icons show."""
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


def rest(card: cards.Card) -> str:
    """The text of a card without the sentences that its icons say; empty where they say all."""
    if not gifts(card):
        return card.text
    if "value" in card.gives or "vp" in card.gives:
        return ""
    return " ".join(sentence for sentence in _SENTENCE.findall(card.text) if not _GIVEN.fullmatch(sentence))


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


def wrap_within(words: str, limit: int, most: int) -> list[str]:
    """Lines as `wrap` makes them, at most so many: where more would be needed, the last one ends in dots."""
    lines = wrap(words, limit)
    if len(lines) <= most:
        return lines
    kept = lines[:most]
    while len(kept[-1]) + 2 > limit:
        kept[-1] = kept[-1].rpartition(" ")[0]
    kept[-1] += " \N{HORIZONTAL ELLIPSIS}"
    return kept
