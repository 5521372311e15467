"""When an experiment has told enough: its stop rule, as specs write it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games import options as option_tools
from games.options import OptionError, format_bound, option
from worker.analysis import elo
from worker.analysis.stop_rules import sprt
from worker.analysis.stop_rules.model import MARGIN, NORMALISED, WIN_RATE

FIXED, PRECISION, SPRT, BEST_OF = "fixed", "precision", "sprt", "best_of"
RULES = {
    FIXED: "When all matches are played",
    PRECISION: "At a precision",
    SPRT: "When a test decides",
    BEST_OF: "When the best arm is found",
}
"""Id -> its name in forms."""
LARGEST = 10_000
"""Largest difference, of whichever kind, that a test may ask for."""
LEAST_ARMS = 3
"""Arms among which there is a best one to find: the baseline and two others."""
MOST_SEATINGS = 5
"""Matches of a deal, at most."""
LARGEST_ELO = math.floor(sprt.LARGEST * elo.UNIT / math.sqrt(MOST_SEATINGS))
"""Largest hypothesis in points of normalised Elo that the test is made for, whatever the seatings."""


@dataclass(frozen=True)
class StopSpec:
    """One rule; `deals` of the spec is the most that it may take.

    Win rates are in per cent, margins in points, normalised Elo in its own points (`elo.UNIT` for a deviation).
    """

    rule: str = option(FIXED, "Stop", choices=tuple(RULES.items()))
    on: str = option(
        WIN_RATE,
        "Judged by",
        "Win rates in per cent, margins in points; of an arm less those of the first, of one arm those of the others",
        choices=((WIN_RATE, "Win rate"), (MARGIN, "Margin"), (NORMALISED, "Normalised Elo")),
        where=("rule", (PRECISION, SPRT, BEST_OF)),
    )
    half_width: float = option(
        3.0, "Half of the interval", "It ends once the interval is no wider", minimum=0.01, where=("rule", (PRECISION,))
    )
    h0: float = option(
        0.0,
        "No better",
        "Difference that is not worth having",
        minimum=-LARGEST,
        maximum=LARGEST,
        where=("rule", (SPRT,)),
    )
    h1: float = option(
        5.0, "Better", "Difference that must not be missed", minimum=-LARGEST, maximum=LARGEST, where=("rule", (SPRT,))
    )
    alpha: float = option(
        0.05,
        "Wrongly better, at most",
        "Chance of saying so where nothing is",
        minimum=0.0001,
        maximum=0.49,
        where=("rule", (SPRT, BEST_OF)),
    )
    beta: float = option(
        0.05,
        "Wrongly no better, at most",
        "Chance of missing it",
        minimum=0.0001,
        maximum=0.49,
        where=("rule", (SPRT,)),
    )

    @property
    def is_fixed(self) -> bool:
        """Whether the number of deals alone ends it."""
        return self.rule == FIXED


def from_json(data: Mapping[str, Any]) -> StopSpec:
    """Read a rule. Raises OptionError naming the field."""
    found: StopSpec = option_tools.from_json(StopSpec, data)
    kept = to_json(found)
    for row in option_tools.schema(StopSpec):
        name = row["name"]
        if name not in kept and getattr(found, name) != row["default"]:
            raise OptionError(name, f"does nothing with the rule {found.rule}")
    if found.rule == SPRT:
        _check_hypotheses(found)
    if found.rule in (PRECISION, BEST_OF) and found.on == NORMALISED:
        raise OptionError("on", f"normalised Elo is for the rule {SPRT}")
    return found


def _check_hypotheses(rule: StopSpec) -> None:
    if not rule.h0 < rule.h1:
        raise OptionError("h1", f"must be above h0, which is {format_bound(rule.h0)}")
    for name, value in (("h0", rule.h0), ("h1", rule.h1)):
        if rule.on == WIN_RATE and not -100 < value < 100:
            text = "a difference of win rates lies between -100 and 100 per cent"
            raise OptionError(name, f"{text}, not at {format_bound(value)}")
        if rule.on == NORMALISED and abs(value) > LARGEST_ELO:
            text = f"must lie between -{LARGEST_ELO} and {LARGEST_ELO} points of normalised Elo"
            raise OptionError(name, f"{text}, not at {format_bound(value)}")


def to_json(rule: StopSpec) -> dict[str, Any]:
    """The fields that do something."""
    values = option_tools.to_json(rule)
    return {
        row["name"]: values[row["name"]] for row in option_tools.schema(StopSpec) if option_tools.in_play(row, values)
    }
