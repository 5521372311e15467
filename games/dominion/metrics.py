"""Metrics of a Dominion match, from the tallies that the rules keep in the state."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from games.dominion import cards
from games.dominion import state as layout
from games.metric_rows import MetricColumns, MetricRows
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
"""Ids by the numbers of cards, of kinds."""


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


def _columns() -> MetricColumns:
    """Numbers of the whole match, of each turn, of each period, of its end."""
    of_turn = ("coins", "points", "actions", "lead", *(f"owned_{kind}" for kind in _KIND_IDS))
    names = (
        *("owned", "trashed", "shuffles", "turns"),
        *(means := ("coins_mean", "actions_mean", "buys_unused")),
        *("collisions", "curses_dealt"),
        *(f"points_{_IDS[card.number]}" for card in _SCORING),
        *(f"deck_{name}" for name in _IDS),
        *(f"{name}_turn_{turn}" for turn in range(1, layout.MAX_TURNS + 1) for name in of_turn),
        *(f"turns_{k}" for k in range(layout.NUM_PERIODS)),
        *(f"gained_{name}_{k}" for k in range(layout.NUM_PERIODS) for name in _IDS),
        *(ends := ("end_provinces", "end_piles", "end_limit", *(f"empty_{name}" for name in _IDS))),
    )
    return MetricColumns(names, frozenset({*means, *ends}))


COLUMNS = _columns()
"""Of the kernel `measure`, in its order."""


def of_match(kernels: ModuleType, state: State) -> MetricRows:
    """Per seat: every metric of a finished match, by id.

    A match has values for the cards of its kingdom, and by turn for the turns that
    every seat had, up to MAX_TURNS.
    """
    counted = np.zeros((layout.MAX_SEATS, len(COLUMNS.names)))
    kernels.policies.measure(state, counted)
    return MetricRows(COLUMNS, counted[: int(state[layout.NUM_SEATS])])
