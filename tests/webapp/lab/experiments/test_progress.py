from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.webapp.specs import make
from webapp.lab.experiments.progress import progress
from webapp.lab.jobs.progress import Progress
from webapp.records.models import Chunk, Experiment, Match

pytestmark = pytest.mark.django_db


def test_nothing_claimed_is_waiting(alice):
    now = progress(make(alice))
    assert (now.state, now.played, now.remaining, now.rate) == ("waiting", 0, 6, None)
    assert now.is_live


def test_claimed_is_running(alice):
    experiment = make(alice)
    Chunk.objects.update(status="claimed", worker="w:1")
    now = progress(experiment)
    assert (now.state, now.workers) == ("running", 1)


@pytest.mark.parametrize("status", ["paused", "stopped", "finished"])
def test_what_does_not_run_is_not_live_and_has_no_rate(alice, played, status):
    experiment = played(alice)
    Experiment.objects.update(status=status)
    experiment.refresh_from_db()
    now = progress(experiment)
    assert (now.state, now.is_live, now.rate, now.left_s) == (status, False, None, None)


@pytest.mark.parametrize(("state", "seconds"), [("running", 2), ("waiting", 2), ("paused", 10), ("stopped", None)])
def test_a_paused_page_still_asks_though_seldom(state, seconds):
    now = Progress(total=6, played=4, failed=0, state=state, workers=0)
    assert (now.poll_s if now.may_change else None) == seconds
    assert now.version != replace(now, failed=1).version, "a failure alone is news"


def test_a_paused_page_follows_what_happens_elsewhere(client, alice):
    client.force_login(alice)
    experiment = make(alice)
    Experiment.objects.update(status="paused")
    page = client.get(f"/experiments/{experiment.pk}/").content.decode()
    assert 'data-poll="10"' in page
    asked = f"/experiments/{experiment.pk}/live/?state=paused"
    assert asked in page
    assert "HX-Refresh" not in client.get(asked, headers={"HX-Request": "true"})
    Experiment.objects.update(status="running")
    assert client.get(asked, headers={"HX-Request": "true"})["HX-Refresh"] == "true"


def test_counts_and_shares_of_the_bar(alice, played):
    now = progress(played(alice, failed=0))
    assert (now.total, now.played, now.failed, now.remaining) == (6, 6, 2, 0)
    assert now.good_percent == pytest.approx(100 * 4 / 6)
    assert now.failed_percent == pytest.approx(100 * 2 / 6)


def test_one_failure_among_many_is_still_seen():
    assert Progress(total=100_000, played=50_000, failed=1, state="running", workers=1).failed_percent == 0.3


@pytest.mark.parametrize(
    ("rate", "words"), [(None, "undefined"), (4.06, "4.1"), (99.94, "99.9"), (12_031.4, "12\u202f031")]
)
def test_a_fast_rate_is_told_without_tenths(rate, words):
    assert Progress(total=6, played=4, failed=0, state="running", workers=1, rate=rate).rate_words == words


def test_the_rate_counts_the_matches_of_the_last_minutes(alice, played):
    experiment = played(alice, deals=50)
    now = timezone.now()
    experiment.started_at = now - timedelta(minutes=20)
    Match.objects.update(finished_at=now - timedelta(minutes=10))
    lately = Match.objects.order_by("pk").values("pk")[:40]
    Match.objects.filter(pk__in=list(lately.values_list("pk", flat=True))).update(
        finished_at=now - timedelta(minutes=1)
    )
    experiment.num_matches = 180
    found = progress(experiment)
    assert found.counted == 40
    assert found.rate == pytest.approx(8, rel=0.01)
    assert found.window_words == "5 minutes"
    low, middle, high = found.left_s
    assert middle == pytest.approx(80 * 300 / 40, rel=0.01)
    assert low < middle < high


def test_too_few_matches_give_no_rate(alice, played):
    experiment = played(alice, deals=2)
    experiment.started_at = timezone.now() - timedelta(minutes=4)
    found = progress(experiment)
    assert found.counted == 4
    assert found.rate is None
    assert found.left_words == ""
