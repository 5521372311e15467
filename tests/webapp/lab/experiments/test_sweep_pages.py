"""Sweeps in the builder and on the page of settings."""

from dataclasses import replace

import pytest

from games import registry as game_registry
from tests.webapp.lab.experiments.pages import ESTIMATE, NEW, posted, text_of
from tests.webapp.specs import RANDOM, make
from webapp.records.models import Experiment
from worker import spec as specs

pytestmark = pytest.mark.django_db


SWEPT = {"paths": ["seats[0].options.policy"], "values": ["random", "greedy"]}
SCRIPTED = {"engine": "scripted", "options": {}, "budget": {}}


def swept(owner, **changes):
    arms = [{"name": "x", "seats": [SCRIPTED, RANDOM]}]
    return make(owner, "By policy", arms=arms, sweep={"axes": [SWEPT]}, **changes)


def test_a_sweep_is_built_step_by_step_and_started(signed_in):
    first = signed_in.post(NEW, posted(**{"arm-0-seat-0-engine": "scripted", "do": "add-axis"})).context["builder"]
    assert first.can_sweep
    assert "Sweep 1" in text_of(signed_in.post(NEW, first.data | {"do": "update"}))
    policies = game_registry.get("carcassonne").policies
    estimate = text_of(signed_in.post(ESTIMATE, first.data))
    assert f"{len(policies)} arms" in estimate
    assert "Policy: greedy" in estimate
    response = signed_in.post(NEW, first.data | {"do": "start"})
    assert response.status_code == 302
    made = Experiment.objects.get()
    assert [arm.name for arm in made.arms.order_by("index")] == [f"Policy: {name}" for name in policies]
    assert made.num_matches == len(policies) * made.spec["deals"] * 2


def test_a_swept_experiment_opens_again_as_a_sweep(signed_in, alice):
    experiment = swept(alice)
    builder = signed_in.get(f"{NEW}?from={experiment.pk}").context["builder"]
    assert len(builder.axes) == 1
    assert replace(builder.spec, seed=experiment.spec["seed"]) == specs.from_json(experiment.spec)


def test_a_pasted_sweep_fills_the_form(signed_in, alice):
    text = signed_in.get(f"/experiments/{swept(alice).pk}/spec.json").content.decode()
    assert text.count('"engine"') == 2, "one line-up, not all arms"
    builder = signed_in.post(NEW, posted(do="paste", pasted=text)).context["builder"]
    assert [axis.label for axis in builder.axes] == ["Policy"]


def test_the_settings_show_what_a_sweep_varies(signed_in, alice):
    page = signed_in.get(f"/experiments/{swept(alice).pk}/settings/")
    assert page.context["settings"].axes == [("Policy", "first seat", "random; greedy")]
    assert "Every combination is an arm: 2 arms" in text_of(page)
    more = [{"name": "x", "seats": [SCRIPTED, RANDOM]}, {"name": "The old one", "seats": [RANDOM, SCRIPTED]}]
    other = make(alice, "With one beside", arms=more, sweep={"axes": [SWEPT], "beside": 1}, baseline=2)
    page = signed_in.get(f"/experiments/{other.pk}/settings/")
    assert "Every combination is an arm: 2 arms, and 1 beside them" in text_of(page)
    assert ("Baseline", "The old one") in page.context["settings"].plan


def test_a_form_whose_axis_was_changed_unseen_is_shown_again(signed_in):
    shown = signed_in.post(NEW, posted(**{"arm-0-seat-0-engine": "flat_mc", "do": "add-axis"}))
    builder = shown.context["builder"]
    response = signed_in.post(NEW, builder.data | {"sweep-0-what": "options.utility", "do": "start"})
    assert "Look once more." in text_of(response)
    assert not Experiment.objects.exists()
