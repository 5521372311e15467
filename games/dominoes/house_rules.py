"""Options of the rules, their codes in the state, and the house rules known by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from games import rule_sets
from games.options import Value, option
from games.rule_sets import RuleSet

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
        "The two ways are mirror images.",
        choices=(
            ("losers", "against the losers: the team that reaches the target loses"),
            ("winners", "for the winners: the team that reaches the target wins"),
        ),
    )
    target: int = option(100, "Target", "Points that end the match.", minimum=1, maximum=MAX_TARGET)
    first_opener: str = option(
        "66",
        "First opener",
        "All tiles are dealt, so somebody has the 6-6.",
        choices=(
            ("66", "the seat with the 6-6, with that tile"),
            ("66_any", "the seat with the 6-6, with any tile"),
            ("any", "a random seat, with any tile"),
        ),
    )
    next_opener: str = option(
        "left",
        "Later openers",
        "After a void round it is always the seat after the last opener.",
        choices=(
            ("left", "the seat after the last opener"),
            ("winner", "the winner: the seat that went out, else the lower hand of the winning team"),
            ("blocker", "the winner; after a block the seat that blocked if its team won, else the seat after it"),
            ("choice", "the winner, who may leave it to the partner"),
        ),
    )
    out_points: str = option(
        "own",
        "Points for going out",
        "What the winners gain, or the losers lose.",
        choices=(("own", "pips of the losers' hands"), ("all", "pips of all hands")),
    )
    block_points: str = option(
        "own",
        "Points for a block",
        "What the winners gain, or the losers lose.",
        choices=(
            ("own", "pips of the losers' hands"),
            ("all", "pips of all hands"),
            ("difference", "difference of the teams' pips"),
        ),
    )
    block_compare: str = option(
        "team",
        "A block is won by",
        "Pips are counted when no tile fits any more.",
        choices=(
            ("team", "the team with fewer pips"),
            ("player", "the team of the hand with the fewest pips"),
            ("blocker", "the seat that blocked or the one after it, whichever has fewer pips in hand"),
        ),
    )
    block_tie: str = option(
        "none",
        "A tied block",
        "Where those compared have equal pips.",
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
        True,
        "Passing only without a fitting tile",
        "If off, any seat may pass; a wrong pass can be called, and the hands decide.",
    )
    foul: str = option(
        "points",
        "A foul that is called",
        "Fouls can be called where passing is free.",
        choices=(
            ("points", "ends the round and costs a fixed number of points"),
            ("round", "loses the round, as if the others had gone out"),
            ("warning", "is a warning: the round goes on"),
        ),
    )
    foul_points: int = option(
        50, "Points of a foul", "Where a foul costs a fixed number.", minimum=0, maximum=MAX_POINTS
    )
    call_scope: str = option(
        "opponents",
        "Who may be called",
        "By the seat on turn, in place of laying a tile.",
        choices=(
            ("opponents", "opponents, for any pass in the round"),
            ("last", "an opponent who passed last, for that pass"),
            ("all", "anybody else, for any pass of the round"),
        ),
    )
    wrong_call: str = option(
        "caller",
        "A wrong call",
        "If the seat that is called had no fitting tile.",
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
        "A double that fits both ends has equal ends.",
        choices=(("differ", "where the ends differ"), ("any", "also where both ends are equal")),
    )
    chuchazo: int = option(0, "Chuchazo", "Bonus for going out with the 0-0.", minimum=0, maximum=MAX_POINTS)
    all_pass_bonus: int = option(
        0, "All others pass", "Bonus for laying a tile after which all three others pass.", minimum=0, maximum=100
    )
    opening_pass_bonus: int = option(
        0,
        "The opening is passed",
        "Bonus of the opener where the next seat passes; twice as much unless a double was led.",
        minimum=0,
        maximum=100,
    )
    first_rounds_bonus: bool = option(
        False, "Bonus of the first rounds", "Winners of rounds 1 to 4 get 100, 75, 50 and 25 points more."
    )
    zapato: bool = option(False, "Double match", "Counts the winners' points twice where the losers have none.")
    many_doubles: str = option(
        "play",
        "Many doubles in one hand",
        "Counted as soon as all hands are dealt.",
        choices=(("play", "are played"), ("redeal", "five: a new deal"), ("win", "four: the round is won at once")),
    )


ROUNDS: Mapping[str, Value] = {"length": "round", "first_opener": "any"}
"""A single round with any opening tile, the opener by lot: what the paper's experiments count."""
_WINNERS: Mapping[str, Value] = {"direction": "winners", "target": 200, "out_points": "all", "block_points": "all"}
_HOUSES: Mapping[str, Value] = {**_WINNERS, "next_opener": "winner"}
_PASSES: Mapping[str, Value] = {"capicua": 25, "all_pass_bonus": 25, "opening_pass_bonus": 25}
PRESETS: Mapping[str, RuleSet] = {
    rule_sets.RULE_BOOK: RuleSet(
        "The international rules: the winners of a round add all pips that are left, the first team with 200 wins.",
        {**_WINNERS, "first_opener": "any"},
    ),
    rule_sets.PAPER: RuleSet(
        "As the DominAI paper plays it: pips count against the losers, and the team that reaches 100 loses.", {}
    ),
    "Paper: single rounds": RuleSet("One round with any opening tile: what the paper's experiments count.", ROUNDS),
    "Venezuela": RuleSet(
        "To 100: the winners add the losers' pips, and each round is opened by the next player.",
        {"direction": "winners"},
    ),
    "Dominican Republic": RuleSet(
        "To 200, with bonuses for passes and capicúa; who blocks meets the next player's hand alone, and wins a tie.",
        {**_HOUSES, **_PASSES, "block_compare": "blocker", "block_tie": "blocker_wins"},
    ),
    "Dominican patio": RuleSet(
        "To 200, with bonuses for passes and capicúa; the lowest hand wins a block, and the opener loses a tie.",
        {**_HOUSES, **_PASSES, "block_compare": "player", "block_tie": "opener_loses"},
    ),
    "Puerto Rico 200": RuleSet("To 200: the winners add all pips that are left, and open the next round.", _HOUSES),
    "Puerto Rico 500": RuleSet(
        "To 500, with 100 for capicúa and chuchazo, and bonuses in the first four rounds.",
        {**_HOUSES, "target": 500, "capicua": 100, "chuchazo": 100, "first_rounds_bonus": True},
    ),
}
"""Rules by name: what differs from the defaults. Sources: RULES.md."""

NAMES = tuple(field.name for field in dataclasses.fields(Options))
"""Names of all options."""
