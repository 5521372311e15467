"""Everything that was asked for, and what failed of it."""

import json

import pytest

from tests.webapp.lab.experiments.pages import text_of
from tests.webapp.specs import RANDOM, make
from webapp.records.models import Match
from worker import spec as specs

pytestmark = pytest.mark.django_db


def test_settings_name_everything(signed_in, alice, played):
    flat = {"engine": "flat_mc", "options": {}, "budget": {"playouts": 40}}
    experiment = played(alice, arms=[{"name": "Thinker", "seats": [flat, RANDOM]}], seed=4711, priority=-7)
    text = text_of(signed_in.get(f"/experiments/{experiment.pk}/settings/"))
    names = ("Thinker", "Flat Monte Carlo", "40 playouts a ply", "All seats in turn", "random 1")
    for words in (*names, "\N{MINUS SIGN}7", "4711"):
        assert words in text


def test_settings_survive_options_and_engines_of_another_version(signed_in, alice):
    experiment = make(alice)
    experiment.spec["options"]["river"] = "yes"
    experiment.spec["arms"][0]["seats"][0] = {"engine": "oracle9", "options": {"depth": 3}, "budget": {}}
    experiment.save()
    text = text_of(signed_in.get(f"/experiments/{experiment.pk}/settings/"))
    assert "river" in text
    assert "oracle9" in text


def test_the_spec_file_is_the_spec(signed_in, alice):
    experiment = make(alice)
    response = signed_in.get(f"/experiments/{experiment.pk}/spec.json")
    assert specs.from_json(json.loads(response.content)) == specs.from_json(experiment.spec)
    assert "attachment" in response["Content-Disposition"]


def test_failures_are_listed_with_their_reason(signed_in, alice, played):
    experiment = played(alice, failed=2)
    text = text_of(signed_in.get(f"/experiments/{experiment.pk}/failures/"))
    assert text.count("ValueError: no move") == 2
    assert text.count("Engine error") == 2


def test_nobody_is_blamed_for_a_worker_that_died(signed_in, alice, played):
    experiment = played(alice, failed=2)
    Match.objects.filter(status="failed").update(failure={"seat": None, "kind": "died", "message": "without a word"})
    for part in ("failures/", "matches/?result=failed"):
        text = text_of(signed_in.get(f"/experiments/{experiment.pk}/{part}"))
        assert "Worker died twice" in text
        assert "ngine error" not in text


def test_no_failure_is_said(signed_in, alice, played):
    assert "No failure" in text_of(signed_in.get(f"/experiments/{played(alice).pk}/failures/"))
