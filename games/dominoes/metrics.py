"""Metrics of a dominoes match: from the score sheet, tallies, and the last round's turns."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from games.dominoes import state as layout
from games.dominoes import tiles
from games.metric_rows import MetricColumns, MetricRows
from games.protocol import Metric, State

_ENDS = {"out": "Going out", "block": "Block", "foul": "Foul", "doubles": "Four doubles"}
_POINTS = _ENDS | {"bonus": "Bonuses"}

MAX_ROUNDS = 20
"""Rounds whose scores are told one by one."""
MAX_TURNS = 8
"""Own turns of a round that beliefs are told of one by one."""
_BELIEFS = {"belief": "Exact posterior", "belief_paper": "The paper's"}


def _beliefs_by_turn() -> list[Metric]:
    return [
        Metric(
            f"{name}_turn_{turn}",
            f"Log-probability of the true deal before own turn {turn} of the last round, {label.lower()}",
            "nats",
            f"belief by own turn: {label}",
            str(turn),
        )
        for name, label in _BELIEFS.items()
        for turn in range(1, MAX_TURNS + 1)
    ]


TABLE = (
    Metric("rounds", "Rounds", "rounds", "length"),
    Metric("turns", "Turns, passes included", "turns", "length"),
    *(
        Metric(f"ended_{kind}", f"Rounds ended: {label.lower()}", "rounds", "how it ended", label)
        for kind, label in _ENDS.items()
    ),
    *(
        Metric(f"won_{kind}", f"Rounds won: {label.lower()}", "rounds", "rounds won", label)
        for kind, label in _ENDS.items()
    ),
    Metric("rounds_won", "Rounds won", "rounds", "rounds"),
    Metric("rounds_lost", "Rounds lost", "rounds", "rounds"),
    Metric("rounds_void", "Rounds without a winner", "rounds", "rounds"),
    *(
        Metric(f"points_{kind}", f"Points: {label.lower()}", "points", "points", label)
        for kind, label in _POINTS.items()
    ),
    Metric("dominai_won", "Rounds won as the DominAI program counts", "rounds", "rounds"),
    Metric("went_out", "Rounds ended by going out oneself", "rounds", "rounds"),
    Metric("blocked", "Rounds blocked by a tile of one's own", "rounds", "rounds"),
    Metric("blocked_won", "Of these, won", "rounds", "rounds"),
    Metric("opened", "Rounds opened", "rounds", "opening"),
    Metric("opened_won", "Rounds opened and won", "rounds", "opening"),
    Metric("opened_margin", "Points won less points lost in rounds opened", "points", "opening"),
    Metric("team_opened", "Rounds opened by one's own team", "rounds", "rounds by opener", "Own team"),
    Metric("others_opened", "Rounds opened by the other team", "rounds", "rounds by opener", "Other team"),
    Metric("team_opened_won", "Of those opened by one's own team, won", "rounds", "rounds won by opener", "Own team"),
    Metric("others_opened_won", "Of those of the other team, won", "rounds", "rounds won by opener", "Other team"),
    Metric("passes", "Passes", "passes", "passes", "Own"),
    Metric("forced", "Passes of opponents after a tile of one's own", "passes", "passes", "Forced on opponents"),
    Metric(
        "forced_partner", "Passes of the partner after a tile of one's own", "passes", "passes", "Forced on the partner"
    ),
    *(
        Metric(f"pips_tile_{n}", f"Pips laid a round with the own tile number {n}", "pips", "pips by own tile", str(n))
        for n in range(1, tiles.HAND_SIZE + 1)
    ),
    *(
        Metric(f"score_round_{k}", f"Score after round {k}", "points", "score by round", str(k))
        for k in range(1, MAX_ROUNDS + 1)
    ),
    *(
        Metric(
            name,
            f"Log-probability of the true deal before own turns of the last round, mean, {label.lower()}",
            "nats",
            "belief",
            label,
        )
        for name, label in _BELIEFS.items()
    ),
    *_beliefs_by_turn(),
)
LATER = (
    *("rounds", "turns", "ended_*", "team_opened*", "others_opened*", "score_round_*"),
    *("belief_paper", "belief_turn_*", "belief_paper_turn_*", "dominai_won"),
)
"""Metrics that matches were recorded without at first (`Game.later_metrics`)."""


def _columns() -> MetricColumns:
    """Numbers of the whole match, of each round, of beliefs in the last one."""
    fractions = (
        *(f"pips_tile_{n}" for n in range(1, tiles.HAND_SIZE + 1)),
        *(f"score_round_{k}" for k in range(1, MAX_ROUNDS + 1)),
        *(name for belief in _BELIEFS for name in (*(f"{belief}_turn_{k}" for k in range(1, MAX_TURNS + 1)), belief)),
    )
    names = (
        *("rounds", *(f"ended_{kind}" for kind in _ENDS), "turns", *(f"won_{kind}" for kind in _ENDS)),
        *("rounds_won", "rounds_lost", "rounds_void", "dominai_won"),
        *("went_out", "blocked", "blocked_won", "opened", "opened_won"),
        *("team_opened", "others_opened", "team_opened_won", "others_opened_won", "opened_margin"),
        *(f"points_{kind}" for kind in _POINTS),
        *("passes", "forced", "forced_partner", *fractions),
    )
    return MetricColumns(names, frozenset(fractions))


COLUMNS = _columns()
"""Of the kernel `measure`, in its order."""


def of_match(kernels: ModuleType, state: State) -> MetricRows:
    """Per seat: every metric of a finished match, by id.

    Deals are counted for beliefs as if passing were enforced where it is, and all are alike likely to the exact
    posterior, so it gives each 1 / number. The paper's belief gives a deal the product of its chances for every
    hidden tile.
    """
    counted = np.zeros((layout.MAX_SEATS, len(COLUMNS.names)))
    kernels.policies.measure(state, counted)
    return MetricRows(COLUMNS, counted)
