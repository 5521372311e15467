"""Stop rules in specs: JSON in and out, errors at their place, and the rule of the statistics that each stands for."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, replace

import pytest

from tests.looping import looped
from worker import spec as specs
from worker.analysis.stop_rules.best_of import BestOf
from worker.analysis.stop_rules.fixed_number import FixedNumber
from worker.analysis.stop_rules.precision import Precision
from worker.analysis.stop_rules.sprt import Sprt
from worker.spec import SpecError, stop, stop_rule
from worker.spec.stop import StopSpec

ONE, OTHER, THIRD = ("taker", "dicer"), ("weigher", "dicer"), ("raiser", "dicer")
ROOK = {"engine": "agent:rook"}
SPRT = {"rule": "sprt", "on": "win_rate", "h0": 0.0, "h1": 5.0, "alpha": 0.05, "beta": 0.05}
BEST = {"rule": "best_of", "on": "win_rate", "alpha": 0.05}
PRECISE = {"rule": "precision", "on": "win_rate", "half_width": 3.0}

WRITTEN = [
    ({}, {"rule": "fixed"}),
    ({"rule": "fixed"}, {"rule": "fixed"}),
    ({"rule": "precision"}, PRECISE),
    ({"rule": "precision", "on": "margin", "half_width": 1}, PRECISE | {"on": "margin", "half_width": 1.0}),
    ({"rule": "sprt"}, SPRT),
    ({"rule": "sprt", "on": "normalised", "h0": -2, "h1": 3.5}, SPRT | {"on": "normalised", "h0": -2.0, "h1": 3.5}),
    ({"rule": "sprt", "alpha": 0.01, "beta": 0.2}, SPRT | {"alpha": 0.01, "beta": 0.2}),
    ({"rule": "best_of", "on": "margin"}, BEST | {"on": "margin"}),
    ({"rule": "fixed", "half_width": 3.0, "h1": 5.0}, {"rule": "fixed"}),  # at their defaults they say nothing
]
"""A rule as somebody writes it, and as specs write it: what does something, complete."""


@looped("given, written", WRITTEN)
def test_a_rule_is_written_with_what_does_something(given, written):
    rule = stop.from_json(given)
    assert stop.to_json(rule) == written
    assert stop.from_json(json.loads(json.dumps(stop.to_json(rule)))) == rule
    assert rule.is_fixed == (written["rule"] == "fixed")


@looped(
    "arms, rule", [((ONE,), SPRT), ((ONE, OTHER), PRECISE), ((ONE, OTHER, THIRD), BEST), ((ONE,), {"rule": "fixed"})]
)
def test_a_spec_with_a_rule_survives_json(dice, arms, rule):
    spec = specs.from_json(dice(*arms, stop=rule))
    assert specs.to_json(spec)["stop"] == rule
    assert specs.from_json(json.loads(json.dumps(specs.to_json(spec)))) == spec


def test_a_spec_without_a_rule_plays_all_its_deals(dice):
    assert specs.from_json(dice()).stop == StopSpec()
    assert StopSpec().is_fixed


BAD = [
    ("margin", "stop", "must be an object, not 'margin'"),
    (["sprt"], "stop", "must be an object, not a list"),
    ({"wine": 1}, "stop.wine", "unknown field; known: rule, on, half_width, h0, h1, alpha, beta"),
    ({"rule": "never"}, "stop.rule", "must be one of fixed, precision, sprt, best_of, not 'never'"),
    ({"rule": ["sprt"]}, "stop.rule", "must be one of fixed, precision, sprt, best_of, not a list"),
    (SPRT | {"on": "score"}, "stop.on", "must be one of win_rate, margin, normalised, not 'score'"),
    (PRECISE | {"half_width": 0}, "stop.half_width", "must be 0.01 or more, not 0"),
    (PRECISE | {"half_width": True}, "stop.half_width", "must be a number, not true"),
    (PRECISE | {"half_width": float("inf")}, "stop.half_width", "must be 0.01 or more, not Infinity"),
    (SPRT | {"h0": "none"}, "stop.h0", "must be a number, not 'none'"),
    (SPRT | {"h1": 10**400}, "stop.h1", "must be between -10000 and 10000,"),
    (SPRT | {"h0": float("nan")}, "stop.h0", "must be between -10000 and 10000,"),
    (SPRT | {"alpha": 0.5}, "stop.alpha", "must be between 0.0001 and 0.49, not 0.5"),
    (SPRT | {"beta": 0}, "stop.beta", "must be between 0.0001 and 0.49, not 0"),
    (SPRT | {"h0": 5, "h1": 5}, "stop.h1", "must be above h0, which is 5"),
    (SPRT | {"h0": 7.5}, "stop.h1", "must be above h0, which is 7.5"),
    (SPRT | {"h0": -100}, "stop.h0", "a difference of win rates lies between -100 and 100 per cent, not at -100"),
    (SPRT | {"h1": 120.5}, "stop.h1", "a difference of win rates lies between -100 and 100 per cent, not at 120.5"),
    (SPRT | {"on": "normalised", "h0": -180}, "stop.h0", "must lie between -77 and 77 points of normalised Elo, not"),
    (SPRT | {"on": "normalised", "h1": 174}, "stop.h1", "must lie between -77 and 77 points of normalised Elo, not"),
    ({"half_width": 2}, "stop.half_width", "does nothing with the rule fixed"),
    ({"on": "margin"}, "stop.on", "does nothing with the rule fixed"),
    (PRECISE | {"h1": 2}, "stop.h1", "does nothing with the rule precision"),
    (SPRT | {"half_width": 1}, "stop.half_width", "does nothing with the rule sprt"),
    (PRECISE | {"on": "normalised"}, "stop.on", "normalised Elo is for the rule sprt"),
]
"""Wrong rules of one arm or two: the place that is named, and the beginning of what is said of it."""


@looped("rule, place, message", BAD)
def test_every_error_names_its_place(dice, rule, place, message):
    for arms in ((ONE,), (ONE, OTHER)):
        with pytest.raises(SpecError) as caught:
            specs.from_json(dice(*arms, stop=rule))
        assert (caught.value.place, caught.value.message[: len(message)]) == (place, message)


@looped("rule, place, message", [
    (BEST | {"beta": 0.1}, "stop.beta", "does nothing with the rule best_of"),
    (BEST | {"on": "normalised"}, "stop.on", "normalised Elo is for the rule sprt"),
    (BEST | {"alpha": 0.7}, "stop.alpha", "must be between 0.0001 and 0.49, not 0.7"),
])  # fmt: skip
def test_errors_of_the_rule_for_many_arms(dice, rule, place, message):
    with pytest.raises(SpecError) as caught:
        specs.from_json(dice(ONE, OTHER, THIRD, stop=rule))
    assert (caught.value.place, caught.value.message) == (place, message)


REFUSED = [
    ((ONE, OTHER, THIRD), SPRT, "a test decides between two arms, not 3: take best_of"),
    ((ONE,), BEST, "the best is found among 3 arms or more, not 1"),
    ((ONE, OTHER), BEST, "the best is found among 3 arms or more, not 2"),
    *[
        (
            ((ROOK, "dicer"), ONE),
            rule,
            "must be fixed where agents take part: no two of their matches share a deal",
        )
        for rule in (PRECISE, SPRT)
    ],
]


@looped("arms, rule, message", REFUSED)
def test_a_rule_refuses_arms_that_it_is_not_for(dice, arms, rule, message):
    made = dice(*arms, stop=rule)
    if any(ROOK in row for row in arms):
        del made["seed"]
    with pytest.raises(SpecError) as caught:
        specs.from_json(made)
    assert (caught.value.place, caught.value.message) == ("stop.rule", message)
    assert specs.from_json(made | {"stop": {"rule": "fixed"}}).stop.is_fixed


ELO = math.log(10) / 800
"""Deviations of a match that are a point of normalised Elo (Van den Bergh, *Normalized Elo*)."""

MEANT = [
    ((ONE,), {"rule": "fixed"}, FixedNumber(), False),
    ((ONE,), PRECISE, Precision("rate", 0.03), False),
    ((ONE,), PRECISE | {"on": "margin"}, Precision("margin", 3.0), False),
    ((ONE, OTHER), PRECISE, Precision("difference", 0.03), False),
    ((ONE, OTHER, THIRD), PRECISE | {"on": "margin"}, Precision("difference", 3.0), False),
    ((ONE,), SPRT, Sprt("win_rate", 0.0, 0.05), True),
    ((ONE,), SPRT | {"on": "normalised"}, Sprt("normalised", 0.0, 5 * ELO * 2**0.5), True),
    ((ONE,), SPRT | {"on": "margin"}, Sprt("margin", 0.0, 5.0), False),
    ((ONE, OTHER), SPRT | {"h0": -5}, Sprt("win_rate", -0.05, 0.05), False),
    ((ONE, OTHER), SPRT | {"alpha": 0.01, "beta": 0.1}, Sprt("win_rate", 0.0, 0.05, 0.01, 0.1), False),
    ((ONE, OTHER, THIRD), BEST, BestOf("win_rate", 0.05), False),
    ((ONE, OTHER, THIRD), BEST | {"on": "margin", "alpha": 0.1}, BestOf("margin", 0.1), False),
]
"""What a rule of a spec means to statistics, and whether it looks at one side less its opponents."""


@looped("arms, rule, meant, is_against", MEANT)
def test_what_a_rule_means(dice, arms, rule, meant, is_against):
    spec = specs.from_json(dice(*arms, stop=rule))
    found = stop_rule.of(spec)
    assert type(found) is type(meant)
    assert asdict(found) == {
        name: pytest.approx(value, rel=1e-12) if isinstance(value, float) else value
        for name, value in asdict(meant).items()
    }
    assert stop_rule.is_against_opponents(spec) == is_against


def test_a_hypothesis_at_the_edge_of_what_a_spec_may_have_is_one_that_the_test_takes(dice):
    """The test takes up to half a deviation of a deal, which is 77.7 points where a deal has five matches."""
    spec = specs.from_json(dice(ONE, stop=SPRT | {"on": "normalised", "h0": -77, "h1": 77}))
    assert asdict(stop_rule.of(spec))["h1"] == pytest.approx(77 / 347.4356 * 2**0.5, abs=1e-5)
    with pytest.raises(ValueError, match="deviations"):
        stop_rule.of(replace(spec, stop=replace(spec.stop, h1=174.0)))
