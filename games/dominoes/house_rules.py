"""Options of the rules, their codes in the state, and the house rules known by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.options import Value, option

MAX_TARGET = 500
MAX_POINTS = 500


@dataclass(frozen=True)
class Options:
    """Rule variants; the defaults are those of the DominAI paper, where the team that reaches 100 loses."""

    length: str = option(
        "match",
        "Length",
        "Published experiments count single rounds.",
        choices=(("match", "rounds up to the target"), ("round", "a single round")),
    )
    direction: str = option(
        "losers",
        "Points are written down",
        "Points against a team are shown below zero; the two ways are mirror images.",
        choices=(
            ("losers", "against the losers: the team that reaches the target loses"),
            ("winners", "for the winners: the team that reaches the target wins"),
        ),
    )
    target: int = option(100, "Target", "Points that end the match.", minimum=1, maximum=MAX_TARGET)
    first_opener: str = option(
        "66",
        "First opener",
        choices=(
            ("66", "whoever has the 6-6, with it"),
            ("66_any", "whoever has the 6-6, with any tile"),
            ("any", "by lot, with any tile"),
        ),
    )
    next_opener: str = option(
        "left",
        "Later openers",
        "After a void round it is always the seat after the last opener.",
        choices=(
            ("left", "the seat after the last opener"),
            ("winner", "the winner: who went out, else the lower hand of the winning team"),
            ("blocker", "the winner; after a block who blocked, if that won, else the seat after"),
            ("choice", "the winner, who may leave it to the partner"),
        ),
    )
    out_points: str = option(
        "own",
        "Points for going out",
        choices=(("own", "pips of the losers' hands"), ("all", "pips of all hands")),
    )
    block_points: str = option(
        "own",
        "Points for a block",
        choices=(
            ("own", "pips of the losers' hands"),
            ("all", "pips of all hands"),
            ("difference", "difference of the teams' pips"),
        ),
    )
    block_compare: str = option(
        "team",
        "A block is won by",
        choices=(
            ("team", "the team with fewer pips"),
            ("player", "the team of the hand with the fewest pips"),
            ("blocker", "who blocked, or the seat after: whose hand has fewer pips"),
        ),
    )
    block_tie: str = option(
        "none",
        "A tied block",
        choices=(
            ("none", "is void"),
            ("opener_loses", "is lost by the opener's team"),
            ("opener_wins", "is won by the opener's team"),
            ("blocker_loses", "is lost by the team that blocked"),
            ("blocker_wins", "is won by the team that blocked"),
            ("nearest", "is won by the tied seat nearest to the opener"),
        ),
    )
    block_end: str = option(
        "at_once",
        "A block is declared",
        "Three passes is how the paper's own program ends a round, even where the fourth seat could lay.",
        choices=(
            ("at_once", "as soon as no tile left fits"),
            ("four_passes", "after four passes in a row"),
            ("three_passes", "after three passes in a row (replication)"),
        ),
    )
    enforce_pass: bool = option(
        True, "Only who has no tile that fits may pass", "Without, wrong passes can be called: the hands decide."
    )
    foul: str = option(
        "points",
        "A foul that is called",
        choices=(
            ("points", "ends the round and costs a fixed number of points"),
            ("round", "loses the round, as if the others had gone out"),
            ("warning", "is a warning: the round goes on"),
        ),
    )
    foul_points: int = option(50, "Points of a foul", minimum=0, maximum=MAX_POINTS)
    call_scope: str = option(
        "opponents",
        "Who may be called",
        choices=(
            ("opponents", "opponents, for any pass of the round"),
            ("last", "an opponent who passed last, for that pass"),
            ("all", "anybody else, for any pass of the round"),
        ),
    )
    wrong_call: str = option(
        "caller",
        "A wrong call",
        choices=(
            ("caller", "is a foul of the caller"),
            ("ignored", "has no effect, once for each pass"),
        ),
    )
    capicua: int = option(
        0, "Capicúa", "Bonus for going out with a tile that fits both ends.", minimum=0, maximum=MAX_POINTS
    )
    capicua_ends: str = option(
        "differ",
        "Capicúa counts",
        choices=(("differ", "where the ends differ"), ("any", "also where both ends are equal")),
    )
    chuchazo: int = option(0, "Chuchazo", "Bonus for going out with the 0-0.", minimum=0, maximum=MAX_POINTS)
    all_pass_bonus: int = option(
        0, "All others pass", "Bonus of whoever laid the tile after which all three pass.", minimum=0, maximum=100
    )
    opening_pass_bonus: int = option(
        0,
        "The opening is passed",
        "Bonus of the opener where the next seat passes; twice as much unless a double was led.",
        minimum=0,
        maximum=100,
    )
    first_rounds_bonus: bool = option(False, "Winners of rounds 1 to 4 get 100, 75, 50, 25 more")
    zapato: bool = option(False, "A match counts double where the losers have no point")
    many_doubles: str = option(
        "play",
        "Many doubles in one hand",
        choices=(("play", "are played"), ("redeal", "five: a new deal"), ("win", "four: the round is won at once")),
    )


CODES: dict[str, tuple[Value, ...]] = {
    field.name: tuple(value for value, _ in field.metadata["choices"]) for field in dataclasses.fields(Options)
}
"""Values of each option in the order of their codes; none where a number or a truth value is its own code."""

ROUNDS: Mapping[str, Value] = {"length": "round", "first_opener": "any"}
"""A single round with any opening tile, the opener by lot: what the paper's experiments count."""
_WINNERS: Mapping[str, Value] = {"direction": "winners", "target": 200, "out_points": "all", "block_points": "all"}
_HOUSES: Mapping[str, Value] = {**_WINNERS, "next_opener": "winner"}
PRESETS: Mapping[str, Mapping[str, Value]] = {
    "Paper: first to 100 loses": {},
    "Paper: single rounds": ROUNDS,
    "International": {**_WINNERS, "first_opener": "any"},
    "Dominican patio": {
        **_HOUSES,
        "block_compare": "player",
        "block_tie": "opener_loses",
        "capicua": 25,
        "all_pass_bonus": 25,
        "opening_pass_bonus": 25,
    },
    "Puerto Rico 200": _HOUSES,
    "Puerto Rico 500": {
        **_HOUSES,
        "target": 500,
        "capicua": 100,
        "chuchazo": 100,
        "first_rounds_bonus": True,
    },
}
"""House rules by name: what differs from the defaults."""


def codes(options: Options) -> NDArray[np.int32]:
    """The options as numbers, in the order of the class."""
    numbers = []
    for name, values in CODES.items():
        value = getattr(options, name)
        numbers.append(values.index(value) if values else int(value))
    return np.array(numbers, np.int32)
