import pytest

from worker.analysis.stop_rules import registry
from worker.analysis.stop_rules.best_of import BestOf
from worker.analysis.stop_rules.fixed_number import FixedNumber
from worker.analysis.stop_rules.model import RuleError
from worker.analysis.stop_rules.precision import Precision
from worker.analysis.stop_rules.sprt import Sprt

RULES = [
    (FixedNumber(), {"rule": "fixed"}),
    (Precision("rate", 0.03), {"rule": "precision", "of": "rate", "half_width": 0.03}),
    (Sprt("margin", 0.0, 2.5), {"rule": "sprt", "on": "margin", "h0": 0, "h1": 2.5}),
    (
        Sprt("normalised", -0.1, 0.1, 0.01, 0.1),
        {"rule": "sprt", "on": "normalised", "h0": -0.1, "h1": 0.1, "alpha": 0.01, "beta": 0.1},
    ),
    (BestOf("win_rate", 0.1), {"rule": "best_of", "on": "win_rate", "alpha": 0.1}),
]


@pytest.mark.parametrize(("rule", "data"), RULES)
def test_rules_are_read_and_written(rule, data):
    assert registry.from_json(data) == rule
    written = rule.to_json()
    assert registry.from_json(written) == rule
    assert {key: written[key] for key in data} == data


def test_every_rule_is_registered():
    assert {rule.rule for rule, _ in RULES} == set(registry.RULES)


@pytest.mark.parametrize(
    ("data", "field", "message"),
    [
        ("fixed", "rule", "must be an object"),
        ({}, "rule", "must be one of fixed, precision, sprt, best_of, not None"),
        ({"rule": ["sprt"]}, "rule", "must be one of"),
        ({"rule": "fixed", "deals": 3}, "deals", "is no field of fixed, which has none"),
        ({"rule": "precision", "of": "rate"}, "half_width", "is missing"),
        ({"rule": "precision", "of": "rate", "half_width": 0}, "half_width", "must be above 0"),
        ({"rule": "precision", "of": "rate", "half_width": True}, "half_width", "must be a number"),
        ({"rule": "precision", "of": "wins", "half_width": 1}, "of", "must be one of rate, difference, margin"),
        ({"rule": "precision", "of": "rate", "half_width": 0.1, "confidence": 1}, "confidence", "between 0 and 1"),
        ({"rule": "sprt", "on": 3, "h0": 0, "h1": 1}, "on", "must be text"),
        ({"rule": "sprt", "on": "margin", "h0": "0", "h1": 1}, "h0", "must be a number"),
        ({"rule": "sprt", "on": "margin", "h0": 1, "h1": 1}, "h1", "must be above h0, which is 1"),
        ({"rule": "sprt", "on": "margin", "h0": float("nan"), "h1": 1}, "h0", "must be a number"),
        ({"rule": "sprt", "on": "win_rate", "h0": 0.5, "h1": 1.5}, "h1", "lies between -1 and 1"),
        ({"rule": "sprt", "on": "normalised", "h0": 0, "h1": 0.7}, "h1", "must lie between -0.5 and 0.5"),
        ({"rule": "sprt", "on": "margin", "h0": 0, "h1": 1, "alpha": 0.5}, "alpha", "below 0.5"),
        ({"rule": "best_of", "on": "normalised"}, "on", "must be one of margin, win_rate"),
        ({"rule": "best_of", "on": "margin", "alpha": 0}, "alpha", "above 0"),
    ],
)
def test_a_wrong_field_is_named(data, field, message):
    with pytest.raises(RuleError, match=message) as caught:
        registry.from_json(data)
    assert caught.value.field == field
