"""Specs of measurements: who sits where, what ends them, and what they are held to."""

from __future__ import annotations

import pytest

from worker import spec as specs
from worker.strength import line_ups
from worker.strength.model import MARGIN, WIN, Target

ONE, OTHER = line_ups.policy("greedy"), line_ups.engine("random")


def engines(spec):
    return [seat["engine"] for seat in spec["arms"][0]["seats"]]


def test_sides_take_turns_and_one_sits_among_others_where_there_are_more():
    assert engines(line_ups.versus("carcassonne", ONE, OTHER, deals=2)) == ["scripted", "random"]
    assert engines(line_ups.versus("dominoes", ONE, OTHER, deals=2)) == ["scripted", "random"] * 2
    assert engines(line_ups.versus("kingdomino", line_ups.policy("fg"), OTHER, deals=2, seats=4)) == [
        "scripted",
        *["random"] * 3,
    ]


def test_rules_are_the_papers_unless_they_are_named():
    spec = line_ups.versus("dominoes", ONE, OTHER, deals=2)
    assert spec["options"]["length"] == "match"
    named = line_ups.versus("dominoes", ONE, OTHER, deals=2, rules="Paper: single rounds")
    assert named["options"]["length"] == "round"


@pytest.mark.parametrize(
    ("target", "on", "ends"),
    [(Target(WIN, 0.8, 0.05), "win_rate", (50.0, 70.0)), (Target(MARGIN, 5.0, 3.0), "margin", (2.0, 8.0))],
)
def test_a_target_is_tested_about_itself(target, on, ends):
    """80 % of matches without draws are 60 more in a hundred than the other side wins: 5 more or less make 10."""
    stop = specs.from_json(line_ups.versus("carcassonne", ONE, OTHER, deals=100, target=target)).stop
    assert (stop.rule, stop.on, (stop.h0, stop.h1)) == ("sprt", on, ends)


def test_a_player_gets_seconds_where_it_knows_them():
    uct = line_ups.engine("uct", {"simulations": 50}, policy="informed")
    assert line_ups.for_seconds(uct, 0.02) == {**uct, "budget": {"seconds_per_ply": 0.02}}
    assert line_ups.for_seconds(ONE, 0.02) == ONE


def test_an_insider_plays_out_by_the_policy_of_its_opponent():
    one = line_ups.insider("carcassonne", "hard", {"playouts": 10}, 2)
    own, frozen = one.spec["arms"][0]["seats"]
    assert own["options"]["policy"] == frozen["options"]["policy"] == "thorough"
