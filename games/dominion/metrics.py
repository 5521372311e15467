"""Metrics of a Dominion match, from the tallies that the rules keep in the state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.dominion import cards, reading
from games.dominion import state as layout
from games.protocol import Metric, State

_NAMES = [card.name for card in cards.table()]
_SCORING = [card for card in cards.table() if card.gives.get("vp") or card.gives.get("vp_per_cards")]
_STARTS = (0, *layout.PERIODS)
_PERIODS = [f"{first + 1} to {last}" for first, last in zip(_STARTS, layout.PERIODS, strict=False)]
_PERIODS.append(f"from {layout.PERIODS[-1] + 1}")


def _id(name: str) -> str:
    return name.lower().replace(" ", "_")


_IDS = tuple(_id(name) for name in _NAMES)
_KIND_IDS = tuple(_id(kind) for kind in layout.KINDS)
_GAINED = tuple(tuple(f"gained_{name}_{k}" for name in _IDS) for k in range(layout.NUM_PERIODS))
"""Ids by the numbers of cards, of kinds, of periods and cards."""
_OF_TURN = tuple(
    (
        f"coins_turn_{turn}",
        f"points_turn_{turn}",
        f"actions_turn_{turn}",
        f"lead_turn_{turn}",
        *(f"owned_{kind}_turn_{turn}" for kind in _KIND_IDS),
    )
    for turn in range(1, layout.MAX_TURNS + 1)
)
_LEAD = 3
"""Ids of each turn, and the place of the lead among them, which a seat alone has not."""
_KIND_SHIFTS = tuple(layout.KIND_BITS * k for k in range(len(_KIND_IDS)))


def _gained_rows() -> list[Metric]:
    return [
        Metric(f"gained_{_id(name)}_{k}", f"{name} gained, turns {period}", "cards", f"{name} gained by turns", period)
        for name in _NAMES
        for k, period in enumerate(_PERIODS)
    ]


def _by_turn(name: str, label: str, unit: str, group: str) -> list[Metric]:
    turns = range(1, layout.MAX_TURNS + 1)
    return [Metric(f"{name}_turn_{turn}", f"{label}, turn {turn}", unit, group, str(turn)) for turn in turns]


TABLE = (
    *(
        Metric(f"points_{_id(card.name)}", f"Points from {card.name}", "points", "points", card.name)
        for card in _SCORING
    ),
    *(Metric(f"deck_{_id(name)}", f"{name} in the final deck", "cards", "final deck", name) for name in _NAMES),
    Metric("owned", "Cards in the final deck", "cards", "deck"),
    Metric("trashed", "Own cards trashed", "cards", "deck"),
    Metric("shuffles", "Times that the deck was made", "shuffles", "deck"),
    Metric("turns", "Turns", "turns", "length"),
    Metric("coins_mean", "Coins a turn", "coins", "turns"),
    Metric("actions_mean", "Action cards played a turn", "cards", "turns"),
    Metric("buys_unused", "Buys left unused a turn", "buys", "turns"),
    Metric("collisions", "Action cards left in hand without an action", "cards", "turns"),
    Metric("curses_dealt", "Curses dealt to others", "cards", "turns"),
    Metric("end_provinces", "Ended by an empty Province pile", "matches", "how it ended", "Provinces"),
    Metric("end_piles", "Ended by three other empty piles", "matches", "how it ended", "Three piles"),
    Metric("end_limit", "Ended by a limit of turns or decisions", "matches", "how it ended", "A limit"),
    *(Metric(f"empty_{_id(name)}", f"Pile of {name} empty", "matches", "empty piles", name) for name in _NAMES),
    *_by_turn("coins", "Coins", "coins", "coins by turn"),
    *_by_turn("points", "Points after it", "points", "points by turn"),
    *_by_turn("lead", "Points ahead of the best other seat after it", "points", "lead by turn"),
    *_by_turn("actions", "Action cards played", "cards", "actions by turn"),
    *(
        metric
        for kind in layout.KINDS
        for metric in _by_turn(f"owned_{_id(kind)}", f"{kind} cards owned after it", "cards", f"deck by turn: {kind}")
    ),
    *(
        Metric(f"turns_{k}", f"Turns played, of turns {period}", "turns", "turns by turns", period)
        for k, period in enumerate(_PERIODS)
    ),
    *_gained_rows(),
)
"""Means a turn and numbers by turn are of the first `state.MAX_TURNS` turns of a seat."""
LATER = ("turns_*", "lead_turn_*", "owned_*_turn_*")
"""Metrics that matches were recorded without at first (`Game.later_metrics`)."""


def of_match(state: State) -> tuple[Mapping[str, float], ...]:
    """Per seat: every metric of a finished match, by id.

    A match has values for the cards of its kingdom, and by turn for the turns that
    every seat had, up to MAX_TURNS.
    """
    seats = range(int(state[layout.NUM_SEATS]))
    piles = reading.piles(state)
    shared = _of_end(state, piles)
    words = [_words(state, seat) for seat in seats]
    taken = min(int(state[reading.seat_at(seat) + layout.TURNS]) for seat in seats)
    points = [
        [(word >> layout.TURN_POINTS & 1023) - layout.POINTS_OFFSET for word in words[seat][:taken]] for seat in seats
    ]
    return tuple(
        _of_seat(state, seat, piles, words[seat])
        | _by_turns(state, seat, words[seat], points)
        | _of_periods(state, seat, piles)
        | shared
        for seat in seats
    )


def _of_end(state: State, piles: list[int]) -> dict[str, float]:
    """Metrics that are the same for every seat."""
    supply = reading.supply(state)
    provinces = supply[cards.by_name()["Province"].number] == 0
    by_piles = not provinces and int(state[layout.NUM_EMPTY]) >= 3
    ends: dict[str, float] = {
        "end_provinces": float(provinces),
        "end_piles": float(by_piles),
        "end_limit": float(not provinces and not by_piles),
    }
    return ends | {f"empty_{_IDS[card]}": float(supply[card] == 0) for card in piles}


def _words(state: State, seat: int) -> list[int]:
    """A word for each of the seat's turns, up to MAX_TURNS."""
    at = reading.seat_at(seat)
    turns = min(int(state[at + layout.TURNS]), layout.MAX_TURNS)
    found: list[int] = state[at + layout.BY_TURN : at + layout.BY_TURN + turns].tolist()
    return found


def _of_seat(state: State, seat: int, piles: list[int], words: list[int]) -> dict[str, float]:
    """Numbers of the whole match."""
    at, deck = reading.seat_at(seat), reading.owned_cards(state, seat)
    size = int(state[at + layout.OWNED])
    num_words = max(1, len(words))
    values: dict[str, float] = {
        "owned": size,
        "trashed": int(state[at + layout.TRASHED]),
        "shuffles": int(state[at + layout.SHUFFLES]),
        "turns": int(state[at + layout.TURNS]),
        "coins_mean": sum(word >> layout.TURN_COINS & 255 for word in words) / num_words,
        "actions_mean": sum(word >> layout.TURN_PLAYS & 127 for word in words) / num_words,
        "buys_unused": sum(word >> layout.TURN_BUYS & 63 for word in words) / num_words,
        "collisions": int(state[at + layout.COLLISIONS]),
        "curses_dealt": int(state[at + layout.CURSES_DEALT]),
    }
    for card in _SCORING:
        if card.number in piles:
            each = card.gives.get("vp", 0) + (size // cards.PER if card.gives.get("vp_per_cards") else 0)
            values[f"points_{_IDS[card.number]}"] = each * deck.get(card.number, 0)
    return values | {f"deck_{_IDS[number]}": deck.get(number, 0) for number in piles}


def _by_turns(state: State, seat: int, words: list[int], points: Sequence[Sequence[int]]) -> dict[str, float]:
    """Numbers of each turn that every seat had; points: by seat, after each of these."""
    at = reading.seat_at(seat) + layout.KINDS_BY_TURN
    kinds = state[at : at + len(points[seat])].tolist()
    others = [theirs for other, theirs in enumerate(points) if other != seat]
    best = [max(column) for column in zip(*others, strict=True)] if others else points[seat]
    values: dict[str, float] = {}
    for names, word, owned, own, most in zip(_OF_TURN, words, kinds, points[seat], best, strict=False):
        values.update(
            zip(
                names,
                (
                    word >> layout.TURN_COINS & 255,
                    own,
                    word >> layout.TURN_PLAYS & 127,
                    own - most,
                    *[owned >> shift & 255 for shift in _KIND_SHIFTS],
                ),
                strict=True,
            )
        )
        if not others:
            del values[names[_LEAD]]
    return values


def _of_periods(state: State, seat: int, piles: list[int]) -> dict[str, float]:
    """Turns had and cards gained, turns 1 to 2, 3 to 4, ..."""
    at = reading.seat_at(seat)
    turns = int(state[at + layout.TURNS])
    ends = (*layout.PERIODS, turns)
    values: dict[str, float] = {
        f"turns_{k}": max(0, min(turns, end) - start) for k, (start, end) in enumerate(zip(_STARTS, ends, strict=True))
    }
    counts = state[at + layout.GAINS : at + layout.GAINS + layout.WORDS * layout.NUM_PERIODS].astype("<i4").tobytes()
    for k, names in enumerate(_GAINED):
        gained = counts[4 * layout.WORDS * k :]
        values.update({names[number]: gained[number] for number in piles})
    return values
