"""A real match and its slow reference side by side: same luck, same answers."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from games import options as option_tools
from games import registry
from games import rng as streams
from games.dominion import cards, reading
from games.dominion import state as layout
from games.protocol import CHANCE, State
from tests.games.dominion import reference

GAME: Any = registry.get("dominion")
ALL_KINGDOM = tuple(card.name for card in cards.kingdom_cards())


@dataclass
class Tables:
    """state: the real one; slow: the reference, which waits for an answer to `question` (None: over)."""

    state: State
    slow: reference.Match
    run: reference.Play
    question: reference.Question | None = None

    def settle(self) -> None:
        """Give the real match the cards that the reference has drawn."""
        while GAME.current_player(self.state) == CHANCE:
            seat, card = self.slow.draws.pop(0)
            assert seat == self.state[layout.DRAWER]
            self.state = GAME.apply(self.state, cards.by_name()[card].number)
        assert not self.slow.draws

    def answer(self, choice: str) -> None:
        """Answer in both."""
        try:
            self.question = self.run.send(choice)
        except StopIteration:
            self.question = None
        number = layout.END if choice == "end" else cards.by_name()[choice].number
        self.state = GAME.apply(self.state, number)
        self.settle()


def sit_down(rng: random.Random, seats: int, kingdom: tuple[str, ...], **rules: Any) -> Tables:
    """A match before its first decision. rules: edition, by_hand, curse_buys, limit."""
    slow = reference.Match(seats, kingdom, rng.shuffle, **rules)
    options = {
        "kingdom": "cards",
        "cards": ", ".join(kingdom),
        "edition": str(rules.get("edition", 1)),
        "treasures": "manual" if rules.get("by_hand") else "auto",
        "curse_buys": rules.get("curse_buys", False),
        "turn_limit": rules.get("limit", 999),
    }
    state = GAME.initial_state(option_tools.from_json(GAME.options, options), seats)
    run = slow.run()
    tables = Tables(state, slow, run, next(run))
    tables.settle()
    return tables


def standing(tables: Tables) -> tuple[dict[str, Any], dict[str, Any]]:
    """(what the real match says, what the reference says) of the present moment."""
    return _real(tables.state), _slow(tables)


def _real(state: State) -> dict[str, Any]:
    asked = reading.decision(state)
    seats = []
    for seat in range(GAME.num_seats(state)):
        top = [cards.name(card) for card in reading.top_cards(state, seat)]
        zones = {
            "hand": reading.seat_zone(state, seat, layout.HAND),
            "discard": reading.seat_zone(state, seat, layout.DISCARD),
            "rest": reading.seat_zone(state, seat, layout.DECK),
        }
        at = reading.seat_at(seat)
        seats.append(
            {name: reading.count_by_name(zone) for name, zone in zones.items()}
            | {"top": top, "turns": int(state[at + layout.TURNS])}
        )
    numbers = [number for number in GAME.legal_actions(state).tolist() if number != layout.ALL]
    return {
        "question": asked and (asked.seat, asked.name),
        "options": {"end" if number == layout.END else cards.name(number) for number in numbers},
        "turn": int(state[layout.TURN]),
        "numbers": [int(state[word]) for word in (layout.ACTIONS, layout.BUYS, layout.COINS)],
        "supply": reading.count_by_name(reading.supply(state)),
        "trash": reading.count_by_name(reading.zone(state, layout.TRASH)),
        "play": reading.count_by_name(reading.zone(state, layout.PLAYED)),
        "seats": seats,
    }


def _slow(tables: Tables) -> dict[str, Any]:
    slow, question = tables.slow, tables.question
    seats = []
    for seat in slow.seats:
        known = [card for card, is_known in seat.deck if is_known]
        seats.append(
            {
                "hand": Counter(seat.hand),
                "discard": Counter(seat.discard),
                "rest": Counter(card for card, is_known in seat.deck if not is_known),
                "top": known[::-1],
                "turns": seat.turns,
            }
        )
    return {
        "question": question and (question.seat, question.kind),
        "options": question.options if question else set(),
        "turn": slow.turn,
        "numbers": [slow.actions, slow.buys, slow.coins],
        "supply": slow.supply,
        "trash": Counter(slow.trash),
        "play": Counter(slow.seats[slow.turn].play),
        "seats": seats,
    }


def arranged(
    hands: list[dict[str, int]],
    decks: list[dict[str, int]] | None = None,
    discards: list[dict[str, int]] | None = None,
    **options: Any,
) -> State:
    """A position in the first turn of seat 0 with these cards: nobody owns others.

    options: of the game; the kingdom has all cards unless they say otherwise.
    """
    chosen = {"kingdom": "cards", "cards": ", ".join(ALL_KINGDOM)} | options
    state = GAME.initial_state(option_tools.from_json(GAME.options, chosen), len(hands))
    r = streams.new_stream(1, streams.ANALYSIS)
    GAME.kernels().settle(state, r, np.zeros(1, np.int32))
    for seat, hand in enumerate(hands):
        at = reading.seat_at(seat)
        for which, zones in ((layout.HAND, hands), (layout.DECK, decks), (layout.DISCARD, discards)):
            fill_zone(state, at + which, zones[seat] if zones else {})
        owned = Counter(hand) + Counter(decks[seat] if decks else {}) + Counter(discards[seat] if discards else {})
        state[at + layout.HAND_SIZE] = sum(hand.values())
        state[at + layout.DECK_SIZE] = sum(decks[seat].values()) if decks else 0
        state[at + layout.OWNED] = owned.total()
        gives = {name: cards.by_name()[name].gives for name in owned}
        state[at + layout.POINTS] = sum(gives[name].get("vp", 0) * n for name, n in owned.items())
        state[at + layout.OWNED_KINDS] = sum(kind_word(name) * n for name, n in owned.items())
        state[at + layout.PER_TEN] = sum(n for name, n in owned.items() if "vp_per_cards" in gives[name])
    state[layout.KIND], state[layout.COINS] = layout.ACTION, 0
    state[layout.PLAYED : layout.PLAYED + layout.WORDS] = 0
    return state


def kind_word(name: str) -> int:
    """What a card counts as in OWNED_KINDS."""
    kind = next(kind for kind in cards.by_name()[name].types if kind in layout.KINDS)
    return 1 << layout.KIND_BITS * layout.KINDS.index(kind)


def fill_zone(state: State, at: int, counts: dict[str, int]) -> None:
    """Write a zone."""
    words = np.zeros(layout.WORDS * layout.PER_WORD, np.uint8)
    for name, count in counts.items():
        words[cards.by_name()[name].number] = count
    state[at : at + layout.WORDS] = words.view("<i4")


def play(state: State, *choices: str, draws: tuple[str, ...] = ()) -> State:
    """Choose cards by name, or "end", and draw these, in the order in which the match asks for them."""
    waiting, drawn = list(choices), list(draws)
    while waiting or drawn:
        if GAME.current_player(state) == CHANCE:
            state = GAME.apply(state, cards.by_name()[drawn.pop(0)].number)
        else:
            name = waiting.pop(0)
            state = GAME.apply(state, layout.END if name == "end" else cards.by_name()[name].number)
    return state


def hand(state: State, seat: int) -> dict[str, int]:
    """A hand by names."""
    return reading.count_by_name(reading.seat_zone(state, seat, layout.HAND))


def discard(state: State, seat: int) -> dict[str, int]:
    """A discard pile by names."""
    return reading.count_by_name(reading.seat_zone(state, seat, layout.DISCARD))
