"""Pages of an experiment with 100,000 matches answer in under a second, first look included."""

import time

import pytest
from django.db import connection

from tests.webapp.lab.experiments.rows import fill
from tests.webapp.specs import RANDOM, SCRIPTED, make
from webapp.lab.jobs import services
from webapp.lab.results import cache
from webapp.records.models import Match

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
ARMS = [{"name": "A", "seats": [SCRIPTED, RANDOM]}, {"name": "B", "seats": [RANDOM, SCRIPTED]}]
LIMIT_S = 1.0
TRIES = 4
"""The best of these counts: other work on the machine is not the page's."""
PARTS = (
    "",
    "live/",
    "result/",
    "matches/",
    "matches/?sort=margin",
    "matches/?sort=margin&after=0~1",
    "matches/?sort=-cpu",
    "matches/?result=win&sort=margin",
    "matches/?result=failed",
    "matches/?arm=1&deal=77",
    "settings/",
    "failures/",
)


def seconds(client, address) -> float:
    """Time of one answer, with nothing kept from the one before."""
    cache._entries.clear()
    began = time.perf_counter()
    assert client.get(address).status_code == 200
    return time.perf_counter() - began


def test_pages_of_a_large_experiment_are_quick(client, alice):
    experiment = make(alice, arms=ARMS, deals=25_000)
    fill(experiment, failed=3, plies=False)
    services.pause(experiment)
    Match.objects.get(arm_index=1, deal=77, rotation=1).delete()  # so that a deal is there in part, as while it runs
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert Match.objects.count() == 99_999
    client.force_login(alice)
    small = make(alice)
    client.get(f"/experiments/{small.pk}/")  # what a process loads once
    slow = {}
    for address in [*(f"/experiments/{experiment.pk}/{part}" for part in PARTS), "/experiments/", "/"]:
        took = min(seconds(client, address) for _ in range(TRIES))
        if took > LIMIT_S:
            slow[address] = round(took, 2)
    assert not slow
