"""The events of dominion-trace-1, each made from a state or from what changed between two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from games.dominion import cards, reading
from games.dominion import state as layout
from games.protocol import CHANCE, TERMINAL, Game, State

Event = dict[str, Any]
_CURSING = cards.EFFECTS.index("others_gain")
_EFFECTS = cards.tables().columns["effect"]


class Names(NamedTuple):
    """Numbering of seats and cards in a trace. first: number of the seat that begins; order: place of a card."""

    first: int
    seats: int
    order: Mapping[str, int]

    def player(self, seat: int) -> int:
        """A seat's number in the trace."""
        return (seat + self.first) % self.seats

    def all_seats(self) -> list[int]:
        """Seats in the order of their numbers in the trace."""
        return sorted(range(self.seats), key=self.player)

    def place(self, number: int) -> int:
        """Place of a card in the list."""
        return self.order.get(cards.name(number), number)


def action_text(kind: int, action: int) -> str:
    """An action as traces write it."""
    if action == layout.END:
        return "decline" if kind == layout.TRASH_FOR_COINS else "end"
    return f"{reading.VERBS[kind].replace(' ', '_')}:{cards.name(action)}"


def treasures(state: State) -> list[int]:
    """The plays that together are playing all Treasures."""
    hand = reading.seat_zone(state, int(state[layout.PLAYER]), layout.HAND)
    is_treasure = cards.tables().of_type["Treasure"]
    return [card for card, count in hand.items() for _ in range(count) if is_treasure >> card & 1]


def decision(game: Game, state: State, action: int, names: Names) -> Event:
    """The question to a seat, and its choice."""
    asked = reading.decision(state)
    assert asked is not None
    legal = [number for number in game.legal_actions(state).tolist() if number != layout.ALL]
    listed = sorted(legal, key=lambda number: names.place(number) if number < layout.ALL else layout.END)
    return {
        "e": "choose",
        "p": names.player(asked.seat),
        "kind": asked.name,
        "options": [action_text(asked.kind, number) for number in listed],
        "choice": action_text(asked.kind, action),
    }


def position(game: Game, state: State, names: Names) -> Event:
    """All that lies on the table."""
    asked = reading.decision(state)
    scores = game.scores(state)
    players = []
    for seat in names.all_seats():
        deck = Counter(reading.seat_zone(state, seat, layout.DECK))
        deck.update(reading.top_cards(state, seat))
        is_playing = seat == int(state[layout.TURN])
        players.append(
            {
                "deck": reading.count_by_name(dict(sorted(deck.items()))),
                "hand": reading.count_by_name(reading.seat_zone(state, seat, layout.HAND)),
                "play": reading.count_by_name(reading.zone(state, layout.PLAYED)) if is_playing else {},
                "discard": reading.count_by_name(reading.seat_zone(state, seat, layout.DISCARD)),
                "turns": int(state[reading.seat_at(seat) + layout.TURNS]),
                "vp": scores[seat],
            }
        )
    told = {
        "current": names.player(int(state[layout.TURN])),
        "phase": "over" if asked is None else asked.name,
        "actions": int(state[layout.ACTIONS]),
        "buys": int(state[layout.BUYS]),
        "coins": int(state[layout.COINS]),
        "supply": reading.count_by_name(reading.supply(state)),
        "trash": reading.count_by_name(reading.zone(state, layout.TRASH)),
        "players": players,
    }
    return {"e": "state", "s": told}


def end(game: Game, state: State, names: Names) -> Event:
    """The result."""
    scores, ranks, seats = game.scores(state), game.ranks(state), names.all_seats()
    return {
        "e": "end",
        "vp": [scores[seat] for seat in seats],
        "turns": [int(state[reading.seat_at(seat) + layout.TURNS]) for seat in seats],
        "winners": [player for player, seat in enumerate(seats) if ranks[seat] == 1],
    }


# ---------------------------------------------------------------- what changed
def goes_on_drawing(before: State, after: State) -> bool:
    """Whether, after a card has been drawn, another one follows for the same purpose."""
    return (
        int(after[layout.PLAYER]) == CHANCE
        and int(after[layout.DRAWER]) == int(before[layout.DRAWER])
        and int(after[layout.DRAWS]) == int(before[layout.DRAWS]) - 1 > 0
    )


def draw_event(before: State, drawn_cards: list[str], names: Names) -> Event:
    """Cards drawn, or shown, one after the other."""
    is_shown = int(before[layout.DRAW_TO]) in (layout.TO_ASIDE, layout.ONTO_TOP)
    return {
        "e": "reveal" if is_shown else "draw",
        "p": names.player(int(before[layout.DRAWER])),
        "cards": drawn_cards,
    }


def moves(before: State, after: State, number: int, names: Names) -> Iterator[Event]:
    """Cards trashed and gained between two states. number: the action or outcome between them."""
    source = _source(before, number)
    turn, seats = int(before[layout.TURN]), names.seats
    owned = [int(after[at] - before[at]) for at in (reading.seat_at(s) + layout.OWNED for s in range(seats))]
    owner = next((seat for seat in range(seats) if owned[seat] < 0), turn)
    for card in _more(before, after, layout.TRASH):
        yield {"e": "trash", "p": names.player(owner), "card": card}
    is_cursing = _is_cursing(before, after, source)
    for seat in ((turn + k) % seats for k in range(1, seats + 1)):
        gained = [card for at in _gains(seat) for card in _more(before, after, at)]
        how = "buy" if before[layout.KIND] == layout.BUY else "" if source is None else reading.word(source)
        for card in gained:
            yield {"e": "gain", "p": names.player(seat), "card": card, "how": how}
        if is_cursing and not gained and seat != turn and not int(after[layout.IMMUNE]) >> seat & 1:
            named = cards.name(int(cards.tables().columns["card"][source]))
            yield {"e": "gain_failed", "p": names.player(seat), "card": named, "how": how}


def new_turn(before: State, after: State, names: Names) -> Iterator[Event]:
    """A turn begins."""
    seat = int(after[layout.TURN])
    at = reading.seat_at(seat) + layout.TURNS
    if int(after[layout.PLAYER]) != TERMINAL and after[at] != before[at]:
        yield {"e": "turn", "p": names.player(seat), "n": int(after[at])}


def _source(before: State, number: int) -> int | None:
    """The card whose effect went on in a step."""
    if before[layout.PLAYER] >= 0 and before[layout.KIND] in (layout.ACTION, layout.REPEAT):
        return number if number < layout.ALL else None
    return reading.frame_card(before)


def _is_cursing(before: State, after: State, source: int | None) -> bool:
    """Whether a Witch's Curses were due in a step: her cards have been drawn, or there were none."""
    if source is None or _EFFECTS[source] != _CURSING or after[layout.KIND] == layout.REACT:
        return False
    if before[layout.PLAYER] == CHANCE:
        return int(before[layout.KIND]) == layout.RESOLVE and not goes_on_drawing(before, after)
    return int(after[layout.PLAYER]) != CHANCE


def _gains(seat: int) -> list[int]:
    first = reading.seat_at(seat) + layout.GAINS
    return [first + layout.WORDS * period for period in range(layout.NUM_PERIODS)]


def _more(before: State, after: State, at: int) -> list[str]:
    """Names of the cards that came to a zone."""
    more = Counter(reading.zone(after, at))
    more.subtract(reading.zone(before, at))
    return [cards.name(card) for card, count in sorted(more.items()) for _ in range(count)]
