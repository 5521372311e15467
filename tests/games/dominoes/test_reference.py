"""Random matches on the real game and on the slow reference agree ply by ply, whatever the rules."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.dominoes import house_rules
from games.options import schema
from tests.games.dominoes import reference
from tests.games.dominoes.tables import play_both
from tests.looping import looped

CALLS: dict[str, Any] = {"enforce_pass": False}
VARIANTS: list[tuple[dict[str, Any], float]] = [
    *((dict(rules.options), 0.0) for rules in house_rules.PRESETS.values()),
    ({"next_opener": "choice", "block_end": "four_passes", "block_points": "difference", "zapato": True}, 0.0),
    ({"next_opener": "blocker", "block_compare": "blocker", "block_tie": "blocker_wins", "target": 300}, 0.0),
    ({"block_end": "three_passes", "block_tie": "nearest", "block_compare": "player", "first_opener": "66_any"}, 0.0),
    ({"many_doubles": "redeal", "capicua": 30, "capicua_ends": "any", "chuchazo": 25, "block_tie": "opener_wins"}, 0.0),
    ({"many_doubles": "win", "next_opener": "winner", "block_tie": "blocker_loses", "target": 400}, 0.0),
    (CALLS | {"foul_points": 30}, 0.1),
    (CALLS | {"foul": "round", "call_scope": "all", "out_points": "all", "next_opener": "winner"}, 0.1),
    (CALLS | {"wrong_call": "ignored", "call_scope": "last", "all_pass_bonus": 25, "opening_pass_bonus": 10}, 0.3),
    (CALLS | {"foul": "warning", "call_scope": "all", "target": 30}, 0.9),
]


@looped("rules, pass_share", VARIANTS)
def test_random_match_agrees(rules: dict[str, Any], pass_share: float) -> None:
    play_both(random.Random(str(rules)), rules, pass_share)


@pytest.mark.slow
@looped("seed", range(20))
def test_many_random_matches_agree(seed: int) -> None:
    for rules, pass_share in VARIANTS:
        play_both(random.Random(f"{seed}{rules}"), rules, pass_share)


def test_every_value_of_every_option_is_played() -> None:
    for row in schema(house_rules.Options):
        met = {rules.get(row["name"], row["default"]) for rules, _ in VARIANTS}
        assert met >= {choice["value"] for choice in row["choices"]}
        assert len(met) > 1, row["name"]


def test_rate_counts_whole_rounds() -> None:
    assert reference.rate(0.01) > 0
