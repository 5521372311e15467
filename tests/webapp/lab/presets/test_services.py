import uuid

import pytest

from webapp.lab.presets import services
from webapp.lab.presets.models import PresetRun
from webapp.records.models import Experiment
from worker.presets import registry

pytestmark = pytest.mark.django_db
PRESET, STUDY = registry.get("heyden-table-6.1"), registry.get("heyden-table-3.1")


@pytest.fixture(autouse=True)
def _queue(valkey_service):
    """Starting wakes workers."""


def test_a_start_makes_the_experiment_of_the_scale(alice):
    run, _ = services.start(alice, PRESET, "quick")
    assert (run.preset, run.scale, run.study) == ("heyden-table-6.1", "quick", None)
    assert run.experiment.owner == alice
    assert run.experiment.title == "Heyden 2009, Table 6.1: what is a Monte Carlo playout worth? (quick)"
    assert run.experiment.spec["arms"][0]["seats"][1]["options"]["utility"] == "wdl"
    assert run.experiment.num_matches == 320
    assert run.experiment.spec["seed"] == PRESET.scales["quick"].spec["seed"]


def test_the_same_form_twice_starts_once(alice, bob):
    form = uuid.uuid4()
    first, is_new = services.start(alice, PRESET, "quick", form)
    assert is_new
    assert services.start(alice, PRESET, "quick", form) == (first, False)
    for other in (services.start(alice, PRESET, "standard", form), services.start(bob, PRESET, "quick", form)):
        assert other[0] != first
        assert other[1]
    assert PresetRun.objects.count() == Experiment.objects.count() == 3


def test_what_is_running_is_not_started_again(alice, bob):
    first, _ = services.start(alice, PRESET, "quick", uuid.uuid4())
    assert services.start(alice, PRESET, "quick", uuid.uuid4()) == (first, False)
    assert services.start(bob, PRESET, "quick", uuid.uuid4())[1]
    Experiment.objects.filter(pk=first.experiment.pk).update(status="stopped")
    again, is_new = services.start(alice, PRESET, "quick", uuid.uuid4())
    assert is_new
    assert again != first
    study, _ = services.start(alice, STUDY, "quick", uuid.uuid4())
    assert services.start(alice, STUDY, "quick", uuid.uuid4()) == (study, False)


def test_every_further_run_has_other_deals(alice, bob):
    first, _ = services.start(alice, PRESET, "quick", form := uuid.uuid4())
    Experiment.objects.update(status="finished")
    assert services.start(alice, PRESET, "quick", form) == (first, False), "the same form once more"
    later = [services.start(owner, PRESET, "quick", uuid.uuid4())[0] for owner in (alice, bob)]
    seeds = [run.experiment.spec["seed"] for run in (first, *later)]
    assert len(set(seeds)) == 3
    assert seeds[0] == PRESET.scales["quick"].spec["seed"]
    specs = [{**run.experiment.spec, "seed": 0} for run in (first, *later)]
    assert specs[0] == specs[1] == specs[2]
    standard, _ = services.start(alice, PRESET, "standard")
    assert standard.experiment.spec["seed"] == seeds[0], "another scale has a first run of its own"


def test_a_run_goes_with_its_experiment(alice):
    run, _ = services.start(alice, PRESET, "quick")
    run.experiment.delete()
    assert not PresetRun.objects.exists()
