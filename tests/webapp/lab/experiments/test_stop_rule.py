"""The stop rule in the builder: its fields, its errors, and that it is kept."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from tests.looping import looped
from tests.webapp.lab.experiments.pages import NEW, posted, text_of
from tests.webapp.specs import RANDOM, SCRIPTED, make, spec
from webapp.lab.experiments import draft
from webapp.records.models import Experiment
from worker import spec as specs

pytestmark = pytest.mark.django_db

FLAT = [{"engine": "flat_mc", "options": {}, "budget": {"playouts": n}} for n in (10, 20)]
ARMS = [{"name": name, "seats": [engine, RANDOM]} for name, engine in (("A", SCRIPTED), ("B", FLAT[0]), ("C", FLAT[1]))]
PRECISION = {"rule": "precision", "on": "win_rate", "half_width": 3.0}
SPRT = {"rule": "sprt", "on": "win_rate", "h0": 0.0, "h1": 5.0, "alpha": 0.05, "beta": 0.05}
BEST_OF = {"rule": "best_of", "on": "win_rate", "alpha": 0.05}
FIELDS = [
    (1, {"rule": "fixed"}, ["rule"]),
    (1, PRECISION, ["rule", "on", "half_width"]),
    (2, SPRT, ["rule", "on", "h0", "h1", "alpha", "beta"]),
    (3, BEST_OF, ["rule", "on", "alpha"]),
]


def form_of(rule: dict[str, Any], arms: int = 1, **changes: str) -> dict[str, str]:
    """A form with this rule, as the page had shown it, and some fields changed."""
    return draft.from_spec(specs.from_json(spec(arms=ARMS[:arms], stop=rule, deals=3000))) | changes


@looped("arms, rule, fields", FIELDS)
def test_the_form_has_the_fields_of_the_chosen_rule_alone(
    signed_in: Any, arms: int, rule: Any, fields: list[str]
) -> None:
    response = signed_in.post(NEW, form_of(rule, arms) | {"do": "update"})
    assert list(response.context["builder"].stop.fields) == fields
    named = re.findall(r'name="stop-(\w+)"', text_of(response))
    assert [name for name in dict.fromkeys(named) if not name.endswith("for")] == fields
    assert response.context["builder"].spec.stop.rule == rule["rule"]


def test_another_rule_shows_its_fields_and_keeps_what_was_typed(signed_in: Any) -> None:
    data = form_of(SPRT, 2, **{"stop-alpha": "0.02", "stop-h1": "7", "stop-rule": "precision"})
    shown = signed_in.post(NEW, data | {"do": "update"}).context["builder"]
    assert list(shown.stop.fields) == ["rule", "on", "half_width"]
    assert shown.stop["half_width"].value() == "3"
    back = signed_in.post(NEW, shown.data | {"do": "update", "stop-rule": "sprt"}).context["builder"]
    assert (back.stop["alpha"].value(), back.stop["h1"].value()) == ("0.02", "7")


def test_fields_that_nobody_has_seen_are_shown_before_it_starts(signed_in: Any) -> None:
    """The rule was changed by hand, without a script that asks for its fields."""
    response = signed_in.post(NEW, form_of({"rule": "fixed"}, **{"stop-rule": "sprt"}))
    assert "Look once more." in text_of(response)
    assert not Experiment.objects.exists()
    assert signed_in.post(NEW, response.context["builder"].data).status_code == 302
    assert Experiment.objects.get().spec["stop"] == SPRT


def _of(rule: str) -> dict[str, str]:
    return {"stop-rule": rule, "stop-rule-for": rule}


WRONG = [
    (1, PRECISION, {"stop-half_width": "0"}, "half_width", "Enter a number"),
    (1, PRECISION, {"stop-half_width": "wide"}, "half_width", "Enter a number"),
    (1, PRECISION, {"stop-on": "normalised"}, "on", "Normalised Elo is for the rule sprt"),
    (2, SPRT, {"stop-h1": "-1"}, "h1", "Must be above h0, which is 0"),
    (2, SPRT, {"stop-h1": "100"}, "h1", "A difference of win rates lies between -100 and 100 per cent, not at 100"),
    (2, SPRT, {"stop-alpha": "0.5"}, "alpha", "Enter a number"),
    (2, SPRT, {"stop-beta": ""}, "beta", "Enter a number"),
    (2, SPRT, _of("best_of"), "rule", "The best is found among 3 arms or more, not 2"),
    (3, BEST_OF, _of("sprt"), "rule", "A test decides between two arms, not 3: take best_of"),
    (1, PRECISION, _of("never"), "rule", "Select a valid choice."),
]  # fmt: skip


@looped("arms, rule, changes, field, words", WRONG)
def test_a_wrong_value_has_its_error_at_its_field(
    signed_in: Any, arms: int, rule: Any, changes: dict[str, str], field: str, words: str
) -> None:
    response = signed_in.post(NEW, form_of(rule, arms, **changes))
    builder = response.context["builder"]
    assert list(builder.stop.errors) == [field]
    assert builder.stop.errors[field][0].startswith(words)
    assert builder.errors == []
    assert f'id="id_stop-{field}_error"' in text_of(response)
    assert not Experiment.objects.exists()


def test_it_starts_with_its_rule_and_runs_again_with_it(signed_in: Any, alice: Any) -> None:
    for arms, rule, _ in FIELDS:
        assert signed_in.post(NEW, form_of(rule, arms)).status_code == 302
        made = Experiment.objects.get(owner=alice)
        assert (made.spec["stop"], made.outcome) == (rule, None)
        again = signed_in.get(f"{NEW}?from={made.pk}").context["builder"]
        assert specs.to_json(again.spec)["stop"] == rule
        assert replace(again.spec, seed=made.spec["seed"]) == specs.from_json(made.spec)
        made.delete()


def test_a_pasted_rule_fills_the_form(signed_in: Any) -> None:
    wanted = spec(arms=ARMS[:2], stop=SPRT | {"h0": -2.5, "on": "margin"})
    response = signed_in.post(NEW, posted(do="paste", pasted=json.dumps(wanted)))
    assert response.context["builder"].spec == specs.from_json(wanted)
    bad = signed_in.post(NEW, posted(do="paste", pasted=json.dumps(wanted | {"stop": SPRT | {"h1": -9}})))
    assert "stop.h1: must be above h0" in bad.context["problem"]


def test_a_single_match_has_no_rule(signed_in: Any) -> None:
    response = signed_in.get("/matches/new/")
    assert "stop-" not in text_of(response)
    assert response.context["builder"].spec.stop.is_fixed


def test_settings_name_the_rule_and_what_it_goes_by(signed_in: Any, alice: Any) -> None:
    made = make(alice, arms=ARMS[:2], stop=SPRT | {"h1": 7.5})
    page = re.sub(r"\s+", " ", text_of(signed_in.get(f"/experiments/{made.pk}/settings/")))
    for label, value in (("Stop", "When a test decides"), ("Judged by", "Win rate"), ("Better", "7.5")):
        assert re.search(rf"<dt>{label}</dt>\s*<dd>\s*{value}\s*</dd>", page), label
    assert "Half of the interval" not in page
