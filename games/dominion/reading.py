"""Reads a state for people: zones, seats, the decision that is due, notation. Holds no rule of its own."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.dominion import cards
from games.dominion import state as layout
from games.protocol import State

KIND_NAMES = (
    "kingdom",
    "deal",
    "clean_up",
    "action",
    "treasure",
    "buy",
    "moneylender",
    "trash",
    "gain",
    "cellar",
    "chapel",
    "chancellor",
    "moat",
    "bureaucrat",
    "militia",
    "spy",
    "thief",
    "thief_gain",
    "throne_room",
    "library",
    "resolve",
)
"""Names of decisions, by `state.KIND`; of Remodel, Mine, Workshop and Feast see `Decision.name`."""
VERBS = {
    layout.ACTION: "play",
    layout.TREASURE: "play",
    layout.BUY: "buy",
    layout.TRASH_FOR_COINS: "trash",
    layout.TRASH_ONE: "trash",
    layout.GAIN_ONE: "gain",
    layout.DISCARD_ANY: "discard",
    layout.TRASH_ANY: "trash",
    layout.DISCARD_DECK: "use",
    layout.REACT: "reveal",
    layout.ONTO_DECK: "put back",
    layout.DISCARD_DOWN: "discard",
    layout.JUDGE: "discard",
    layout.ROB: "trash",
    layout.GAIN_LOOT: "gain",
    layout.REPEAT: "play twice",
    layout.SET_ASIDE: "set aside",
}
"""Verbs for choosing a card, by kind."""
ENDS = {
    layout.ACTION: "end actions",
    layout.TREASURE: "end treasures",
    layout.BUY: "end turn",
    layout.TRASH_FOR_COINS: "trash nothing",
    layout.DISCARD_ANY: "done discarding",
    layout.TRASH_ANY: "done trashing",
    layout.DISCARD_DECK: "keep the deck",
    layout.REACT: "reveal nothing",
    layout.JUDGE: "leave it on the deck",
    layout.GAIN_LOOT: "gain no more",
    layout.REPEAT: "play none twice",
    layout.SET_ASIDE: "keep it",
    layout.TRASH_ONE: "trash nothing",
}
"""Words for END, by kind."""


class Decision(NamedTuple):
    """Decision that a seat is asked for.

    name: "action", "treasure", "buy", or what an effect asks: "remodel_trash", "remodel_gain",
    "mine_trash", "mine_gain", "workshop_gain", "feast_gain", else the name of its card.
    verb: what choosing a card does; end: what END says, where it is legal;
    card: number of the card that asks, None in the phases of a turn; about: number of the one card
    that it is about (Spy, Library), None elsewhere or where it is not known; left: how many more
    have to be discarded (Militia) or may be trashed (Chapel), None elsewhere; victim: the seat whose
    cards are judged (Spy, Thief).
    """

    kind: int
    name: str
    seat: int
    verb: str
    end: str
    card: int | None
    about: int | None
    left: int | None
    victim: int | None


def seat_at(seat: int) -> int:
    """Offset of a seat's words."""
    return layout.SEATS + layout.SEAT * seat


def zone(state: State, at: int) -> dict[int, int]:
    """A zone's cards: card number -> how many, in the order of the numbers."""
    counts = state[at : at + layout.WORDS].astype("<i4").tobytes()
    return {number: count for number, count in enumerate(counts) if count}


def zones(state: State, at: int, number: int = 1) -> NDArray[np.uint8]:
    """Cards of zones that follow one another: how many of each, by zone and number of the card."""
    words = state[at : at + layout.WORDS * number]
    return words.astype("<i4").view(np.uint8).reshape(number, 4 * layout.WORDS)


def seat_zone(state: State, seat: int, which: int) -> dict[int, int]:
    """A zone of a seat: layout.DECK, HAND, DISCARD or SHOWN.

    The deck does not hold the known cards on top (`top_cards`); in a view it holds the cards of a
    hand that the viewer cannot know (`hidden`).
    """
    return zone(state, seat_at(seat) + which)


def hidden(state: State, seat: int) -> int:
    """Cards of a hand that this state does not know: none in a full state."""
    return int(state[seat_at(seat) + layout.HAND_SIZE]) - sum(seat_zone(state, seat, layout.HAND).values())


def hand_size(state: State, seat: int) -> int:
    """Cards in a hand."""
    return int(state[seat_at(seat) + layout.HAND_SIZE])


def deck_size(state: State, seat: int) -> int:
    """Cards in a deck, known ones on top included."""
    at = seat_at(seat)
    return int(state[at + layout.DECK_SIZE]) + int(state[at + layout.NUM_TOP])


def top_cards(state: State, seat: int) -> list[int]:
    """Known cards on top of a deck, the topmost first."""
    at = seat_at(seat)
    words = state[at + layout.TOP : at + layout.TOP + layout.TOP_WORDS].astype("<i4").view("u1")
    return [int(code) - 1 for code in words[: int(state[at + layout.NUM_TOP])][::-1]]


def owned_cards(state: State, seat: int) -> dict[int, int]:
    """All cards of a seat, wherever they lie: everybody has seen what it gained and trashed, so a view says it too."""
    return {number: count for number, count in enumerate(owned_counts(state, seat).tolist()) if count}


def owned_counts(state: State, seat: int) -> NDArray[np.int64]:
    """The same by the number of the card."""
    at = seat_at(seat)
    found = [at + which for which in (layout.DECK, layout.HAND, layout.DISCARD)]
    if seat == int(state[layout.TURN]):
        found.append(layout.PLAYED)
    if state[layout.DEPTH] and seat == int(state[layout.DRAWER]):
        found.append(layout.ASIDE)
    counts = np.bincount(top_cards(state, seat), minlength=4 * layout.WORDS)
    for begin in found:
        counts += zones(state, begin)[0]
    return counts


def supply(state: State) -> dict[int, int]:
    """Every pile of the supply, empty ones too: card number -> cards left."""
    left = zone(state, layout.SUPPLY)
    return {number: left.get(number, 0) for number in piles(state)}


def piles(state: State) -> list[int]:
    """Numbers of the cards that have a pile."""
    low, high = int(state[layout.KINGDOM]), int(state[layout.KINGDOM + 1])
    bits = low | high << layout.BITS
    return [number for number in range(layout.NUM_CARDS) if bits >> number & 1]


def frame(state: State) -> int:
    """The effect that is being carried out, as `state.py` packs it; 0 where there is none."""
    depth = int(state[layout.DEPTH])
    return int(state[layout.STACK + depth - 1]) if depth else 0


def frame_card(state: State) -> int | None:
    """Number of the card whose effect is being carried out; None where there is none."""
    return _field(frame(state), layout.FRAME_CARD, 6) if state[layout.DEPTH] else None


def word(card: int) -> str:
    """A card's name as one word: ``throne_room``."""
    return cards.name(card).lower().replace(" ", "_")


def _field(packed: int, at: int, width: int) -> int:
    return packed >> at & (1 << width) - 1


def decision(state: State) -> Decision | None:
    """The decision of the seat on turn; None at chance and at the end."""
    seat, kind = int(state[layout.PLAYER]), int(state[layout.KIND])
    if seat < 0:
        return None
    if kind <= layout.BUY:
        return Decision(kind, KIND_NAMES[kind], seat, VERBS[kind], ENDS[kind], None, None, None, None)
    waiting = frame(state)
    card = _field(waiting, layout.FRAME_CARD, 6)
    name = KIND_NAMES[kind]
    if kind in (layout.TRASH_ONE, layout.GAIN_ONE):
        name = f"{word(card)}_{name}"
    about = _field(waiting, layout.FRAME_CHOSEN, 6) - 1
    victim = (int(state[layout.TURN]) + _field(waiting, layout.FRAME_SEATS, 3)) % int(state[layout.NUM_SEATS])
    return Decision(
        kind,
        name,
        seat,
        VERBS[kind],
        ENDS.get(kind, ""),
        card,
        about if kind in (layout.JUDGE, layout.SET_ASIDE) and about >= 0 else None,
        _left(state, kind, card, waiting),
        victim if kind in (layout.JUDGE, layout.ROB) else None,
    )


def _left(state: State, kind: int, card: int, waiting: int) -> int | None:
    number = int(cards.tables().columns["number"][card])
    if kind == layout.DISCARD_DOWN:
        return hand_size(state, int(state[layout.PLAYER])) - number
    return number - _field(waiting, layout.FRAME_COUNT, 8) if kind == layout.TRASH_ANY else None


def notation(state: State, action: int) -> str:
    """``buy Silver``, ``end turn``, ``trash Curse``: a legal action in a few words."""
    asked = decision(state)
    assert asked is not None
    return in_words(asked.kind, action)


def in_words(kind: int, action: int) -> str:
    """The notation of an action where a decision of this kind is asked for."""
    if action == layout.END:
        return ENDS[kind]
    if action == layout.ALL:
        return "play all treasures"
    return f"{VERBS[kind]} {cards.name(action)}"


def count_by_name(counts: dict[int, int]) -> dict[str, int]:
    """Cards by name."""
    return {cards.name(number): count for number, count in counts.items()}


def list_in_words(counts: dict[int, int]) -> str:
    """``3 Copper, Estate``: cards in words; empty for none."""
    return ", ".join(
        f"{count} {cards.name(number)}" if count > 1 else cards.name(number) for number, count in counts.items()
    )


def pool(state: State) -> list[int]:
    """Numbers of the cards that a random kingdom may hold."""
    bits = cards.pool(int(state[layout.EDITION]))
    return [number for number in range(layout.NUM_CARDS) if bits >> number & 1]


def kingdom(state: State) -> list[str]:
    """Names of the kingdom cards, by cost and name."""
    chosen = [cards.table()[number] for number in piles(state) if cards.table()[number].is_kingdom]
    return [card.name for card in sorted(chosen, key=lambda card: (card.cost, card.name))]


def observation(view: State, seat: int | None) -> dict[str, Any]:
    """The observation in a view, JSON-ready.

    view: as the seat (None: a spectator) may see the state (`Dominion.view`).
    """
    asked = decision(view)
    question = None
    if asked is not None:
        about = None if asked.about is None else cards.name(asked.about)
        card = None if asked.card is None else cards.name(asked.card)
        question = {"name": asked.name, "seat": asked.seat, "card": card, "about": about, "victim": asked.victim}
    return {
        "seat": seat,
        "turn": int(view[layout.TURN]),
        "decision": question,
        "actions": int(view[layout.ACTIONS]),
        "buys": int(view[layout.BUYS]),
        "coins": int(view[layout.COINS]),
        "kingdom": kingdom(view),
        "supply": count_by_name(supply(view)),
        "trash": count_by_name(zone(view, layout.TRASH)),
        "in_play": count_by_name(zone(view, layout.PLAYED)),
        "aside": count_by_name(zone(view, layout.ASIDE)),
        "seats": [_seat(view, other) for other in range(int(view[layout.NUM_SEATS]))],
    }


def _seat(view: State, seat: int) -> dict[str, Any]:
    unknown = hidden(view, seat)
    return {
        "hand": count_by_name(seat_zone(view, seat, layout.HAND)),
        "unknown_in_hand": unknown,
        "deck": deck_size(view, seat),
        "top_of_deck": [cards.name(number) for number in top_cards(view, seat)],
        "deck_and_unknown_hand": count_by_name(seat_zone(view, seat, layout.DECK)),
        "discard": count_by_name(seat_zone(view, seat, layout.DISCARD)),
        "turns": int(view[seat_at(seat) + layout.TURNS]),
    }
