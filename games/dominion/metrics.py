"""Metrics of a Dominion match, from the tallies that the rules keep in the state."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

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
_DECK = tuple(f"deck_{name}" for name in _IDS)
_GAINED = tuple(tuple(f"gained_{name}_{k}" for name in _IDS) for k in range(layout.NUM_PERIODS))
"""Ids by the numbers of cards, of kinds, of cards, of periods and cards."""


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
    turns = [min(int(state[reading.seat_at(seat) + layout.TURNS]), layout.MAX_TURNS) for seat in seats]
    words = np.array([_words(state, seat)[: min(turns)] for seat in seats])
    points = (words >> layout.TURN_POINTS & 1023) - layout.POINTS_OFFSET
    return tuple(
        _of_seat(state, seat, piles)
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


def _words(state: State, seat: int) -> State:
    """A word for each of the seat's turns, up to MAX_TURNS."""
    at = reading.seat_at(seat)
    return state[at + layout.BY_TURN : at + layout.BY_TURN + min(int(state[at + layout.TURNS]), layout.MAX_TURNS)]


def _of_seat(state: State, seat: int, piles: list[int]) -> dict[str, float]:
    """Numbers of the whole match."""
    at, deck = reading.seat_at(seat), reading.owned_counts(state, seat).tolist()
    size = int(state[at + layout.OWNED])
    words = _words(state, seat)
    num_words = max(1, len(words))
    values: dict[str, float] = {
        "owned": size,
        "trashed": int(state[at + layout.TRASHED]),
        "shuffles": int(state[at + layout.SHUFFLES]),
        "turns": int(state[at + layout.TURNS]),
        "coins_mean": int((words >> layout.TURN_COINS & 255).sum()) / num_words,
        "actions_mean": int((words >> layout.TURN_PLAYS & 127).sum()) / num_words,
        "buys_unused": int((words >> layout.TURN_BUYS & 63).sum()) / num_words,
        "collisions": int(state[at + layout.COLLISIONS]),
        "curses_dealt": int(state[at + layout.CURSES_DEALT]),
    }
    for card in _SCORING:
        if card.number in piles:
            each = card.gives.get("vp", 0) + (size // cards.PER if card.gives.get("vp_per_cards") else 0)
            values[f"points_{_IDS[card.number]}"] = each * deck[card.number]
    return values | {_DECK[number]: deck[number] for number in piles}


def _by_turns(state: State, seat: int, words: State, points: NDArray[np.int64]) -> dict[str, float]:
    """Numbers of each turn that every seat had. words: of the seat; points: of all seats, after each of these turns."""
    at, own = reading.seat_at(seat) + layout.KINDS_BY_TURN, points[seat]
    columns = [words >> layout.TURN_COINS & 255, own, words >> layout.TURN_PLAYS & 127]
    if has_others := len(points) > 1:
        columns.append(own - points[np.arange(len(points)) != seat].max(axis=0))
    owned = state[at : at + len(words)]
    columns += [owned >> layout.KIND_BITS * k & 255 for k in range(len(_KIND_IDS))]
    return dict(zip(_turn_names(len(words), has_others), np.stack(columns, axis=1).ravel().tolist(), strict=True))


@lru_cache(2 * layout.MAX_TURNS)
def _turn_names(turns: int, has_others: bool) -> tuple[str, ...]:
    """Ids of what `_by_turns` counts, in its order."""
    names = ("coins", "points", "actions", *(("lead",) if has_others else ()), *(f"owned_{kind}" for kind in _KIND_IDS))
    return tuple(f"{name}_turn_{turn}" for turn in range(1, turns + 1) for name in names)


def _of_periods(state: State, seat: int, piles: list[int]) -> dict[str, float]:
    """Turns had and cards gained, turns 1 to 2, 3 to 4, ..."""
    at = reading.seat_at(seat)
    turns = int(state[at + layout.TURNS])
    ends = (*layout.PERIODS, turns)
    values: dict[str, float] = {
        f"turns_{k}": max(0, min(turns, end) - start) for k, (start, end) in enumerate(zip(_STARTS, ends, strict=True))
    }
    gained = reading.zones(state, at + layout.GAINS, layout.NUM_PERIODS)[:, piles].ravel().tolist()
    return values | dict(zip(_gained_names(tuple(piles)), gained, strict=True))


@lru_cache(1_000)
def _gained_names(piles: tuple[int, ...]) -> tuple[str, ...]:
    """Ids of cards gained, by periods and piles."""
    return tuple(names[number] for names in _GAINED for number in piles)
