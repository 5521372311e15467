import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from webapp.common.permissions import filter_owned, get_owned
from webapp.records.models import Experiment

pytestmark = pytest.mark.django_db


@pytest.fixture
def experiment(alice):
    return Experiment.objects.create(owner=alice, title="mine", game="carcassonne", spec={}, num_matches=1)


def test_the_owner_gets_it(experiment, alice):
    assert get_owned(Experiment.objects.all(), alice, pk=experiment.pk) == experiment
    assert list(filter_owned(Experiment.objects.all(), alice)) == [experiment]


def test_strangers_and_guests_get_the_answer_of_what_does_not_exist(experiment, bob):
    for user in (bob, AnonymousUser()):
        assert not filter_owned(Experiment.objects.all(), user)
        with pytest.raises(Http404):
            get_owned(Experiment.objects.all(), user, pk=experiment.pk)


def test_the_way_to_the_owner_may_be_longer(experiment, alice, bob):
    arm = experiment.arms.create(index=0, name="one")
    assert get_owned(type(arm).objects.all(), alice, owner="experiment__owner", pk=arm.pk) == arm
    with pytest.raises(Http404):
        get_owned(type(arm).objects.all(), bob, owner="experiment__owner", pk=arm.pk)
