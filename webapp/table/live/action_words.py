"""Actions in words, for people who do not know a game's notation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from games.protocol import Game, Part, State
from games.svg import SEAT_NAMES
from webapp.common.naming import with_names
from webapp.table.live.models import LivePly

BY_NUMBER = tuple(f"seat {seat + 1}" for seat in range(len(SEAT_NAMES)))
"""Names of seats where no real names may be shown."""
MOST = LivePly._meta.get_field("words").max_length


def describe_action(game: Game, state: State, action: int) -> str:
    """Describe a legal action in few words: the piece that all saw, and what it does."""
    if game.short_words is not None:
        piece, words = game.short_words(game, state, action)
    else:
        piece, words = game.panel(state, None).held_label, phrase_action(game, state, action)
    return _together(piece, words)


def spell_action(game: Game, state: State, action: int) -> str:
    """Describe a legal action by all that sets it apart from others: where it stands beside them."""
    return _together(game.panel(state, None).held_label, phrase_action(game, state, action))


def _together(piece: str, words: str) -> str:
    return capitalise(f"{piece}: {words}" if piece else words)[:MOST]


def suggest_action(game: Game, state: State, action: int) -> str:
    """Describe a legal action to the seat on turn: in few words, without the tile that it has in hand."""
    held, words = split_held(describe_action(game, state, action))
    return words if game.panel(state, None).held_label or not held else f"{held}: {words}"


def phrase_action(game: Game, state: State, action: int) -> str:
    """Phrase a legal action for use within a sentence, without the card or tile in hand."""
    standing = {step.name: step.default for step in game.steps}
    parts = [part for part in game.parts(state, action) if part.value != standing.get(part.name)]
    return ", ".join(part.words or _inside(part.label or part.value) for part in parts)


def split_held(words: str) -> tuple[str, str]:
    """Split the words of an action into the card or tile in hand (empty if none) and the rest."""
    held, sign, done = words.partition(": ")
    return (held, done) if sign else ("", words)


def choice_line(game: Game, state: State, action: int, names: Sequence[str]) -> str:
    """A legal action as a line in a list of choices; the card or tile in hand stands elsewhere."""
    return capitalise(with_names(phrase_action(game, state, action), names))


def capitalise(words: str) -> str:
    """Words with a capital at the start."""
    return words[:1].upper() + words[1:]


def actions_by_notation(game: Game, state: State) -> dict[str, int]:
    """Return the legal actions by notation."""
    return {game.notation(state, int(action)): int(action) for action in game.legal_actions(state)}


def describe_pair(game: Game, state: State, notations: tuple[str, str]) -> tuple[str, str]:
    """Describe two actions given by notation so that they can be told apart.

    With the piece in hand in few words; where these are alike, with what differs first. One that is not legal in
    this state stays as it is.
    """
    known = actions_by_notation(game, state)
    has_piece = game.short_words is not None and bool(game.panel(state, None).held_label)
    describe = describe_action if has_piece else spell_action
    one, other = (describe(game, state, known[text]) if text in known else text for text in notations)
    if one == other and notations[0] != notations[1]:
        other += _apart(game, *(game.parts(state, known[text]) for text in notations))
    return one, other


_APART = {"place": ", elsewhere", "turn": ", turned another way"}


def _apart(game: Game, parts: Sequence[Part], others: Sequence[Part]) -> str:
    """What sets one action apart from another, by the first part in which they differ."""
    kinds = {step.name: step.kind for step in game.steps}
    part = next(other for one, other in zip_longest(parts, others) if one != other)
    return "" if part is None else _APART.get(kinds[part.name], f", {part.words or _inside(part.label)}")


def _inside(label: str) -> str:
    """A label as it stands within a sentence."""
    return label[:1].lower() + label[1:]
