import pytest

from tests.webapp.specs import RANDOM, make
from webapp.lab.results.versions import versions

pytestmark = pytest.mark.django_db
ARMS = [{"name": "A", "seats": [{"engine": "scripted"}, RANDOM]}, {"name": "B", "seats": [RANDOM, RANDOM]}]


def test_every_arm_counts_with_its_first_and_its_last_match(alice, played):
    experiment = played(alice, arms=ARMS, deals=4)
    experiment.matches.filter(arm_index=0, deal=0, rotation=0).update(versions={"carcassonne": "1", "scripted": "1"})
    experiment.matches.filter(arm_index=0, deal=3, rotation=1).update(versions={"carcassonne": "1", "scripted": "2"})
    assert versions(experiment) == "carcassonne 1, random 1, scripted 1, scripted 2"


def test_one_match_counts_alone(alice, played):
    experiment = played(alice, deals=2)
    experiment.matches.filter(deal=1).update(versions={"carcassonne": "9"})
    assert versions(experiment, experiment.matches.filter(deal=1).first()) == "carcassonne 9"


def test_nothing_played_is_no_version(alice):
    assert versions(make(alice)) == ""
