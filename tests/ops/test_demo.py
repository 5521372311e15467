from statistics import mean

import pytest
from django.conf import settings
from django.db import OperationalError

from webapp.ops import demo, job_follower
from webapp.people.accounts import system
from webapp.records.models import Experiment, Seat, ShareLink
from worker import recorder
from worker import spec as specs
from worker.play import play_chunk
from worker.stop_switch import StopSwitch


def play_everything():
    """What a worker does, in this process."""
    source = recorder.load(settings.MATCH_RECORDER)
    while True:
        with source.claim() as chunk:
            if chunk is None:
                break
            play_chunk(chunk, StopSwitch())
    source.close()


def test_the_demo_is_a_valid_experiment():
    checked = specs.from_json(demo.spec(demo.DEALS, seed=1))
    assert checked.num_matches == 3 * 2 * demo.DEALS
    assert {seat.engine for arm in checked.arms for seat in arm.seats} == {"uct", "scripted"}


@pytest.mark.django_db(transaction=True)
def test_it_is_played_shared_and_summed_up():
    experiment, address = demo.create(deals=2)
    assert experiment.owner.username == system.NAME
    assert not experiment.owner.has_usable_password()
    link = ShareLink.objects.get(experiment=experiment)
    assert address == f"{settings.PUBLIC_URL}/r/{link.slug}/"

    progress = demo.follow(experiment)
    assert next(progress) == "0 of 12 matches played"
    assert not demo.is_complete(experiment)
    play_everything()
    assert list(progress) == []
    assert demo.is_complete(experiment)

    head, *arms, speed = demo.summary(experiment)
    assert head.split() == ["won", "drawn", "lost", "mean", "score", "of", "greedy"]
    for index, (line, arm) in enumerate(zip(arms, demo.spec(2, 1)["arms"], strict=True)):
        assert line.startswith(arm["name"])
        seats = list(Seat.objects.filter(match__experiment=experiment, match__arm_index=index))
        means = [mean(seat.score for seat in seats if seat.lineup_index == place) for place in (0, 1)]
        won, drawn, lost, score, other = line.removeprefix(arm["name"]).split()
        assert int(won) + int(drawn) + int(lost) == 4
        assert [score, other] == [f"{value:.1f}" for value in means]
    assert speed.startswith("12 matches in ")


@pytest.mark.django_db
def test_a_second_demo_uses_the_same_account():
    first, first_address = demo.create(deals=1)
    second, second_address = demo.create(deals=1)
    assert first.owner == second.owner
    assert first_address != second_address


@pytest.mark.django_db
def test_a_stopped_demo_is_not_complete():
    experiment, _ = demo.create(deals=1)
    Experiment.objects.filter(pk=experiment.pk).update(status=Experiment.Status.STOPPED)
    assert list(demo.follow(experiment)) == []
    assert not demo.is_complete(experiment)
    assert "-" in demo.summary(experiment)[1], "no mean of no matches"


class Away:
    """An experiment whose database is away for a while."""

    num_matches = 1
    status = Experiment.Status.FINISHED

    def __init__(self, outages: int) -> None:
        self.outages = outages

    def refresh_from_db(self, fields):
        if self.outages > 0:
            self.outages -= 1
            raise OperationalError("away")


@pytest.mark.django_db(transaction=True)
def test_a_short_outage_of_the_database_is_waited_for(monkeypatch):
    monkeypatch.setattr(job_follower, "POLL_S", 0.0)
    assert list(demo.follow(Away(3))) == []
    monkeypatch.setattr(job_follower, "OUTAGE_S", 0.0)
    with pytest.raises(OperationalError):
        list(demo.follow(Away(1_000_000)))
