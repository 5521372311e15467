"""Pause, resume, stop, archive and delete, as pages do them."""

import pytest

from tests.webapp.lab.experiments.pages import text_of
from tests.webapp.specs import make
from webapp.lab.experiments import services
from webapp.records.models import Experiment

pytestmark = pytest.mark.django_db


def test_steering_says_what_it_did(signed_in, alice):
    experiment = make(alice)
    for action, status, words in [
        ("pause", "paused", "Paused"),
        ("resume", "running", "Running again"),
        ("stop", "stopped", "Stopped after 0 matches"),
        ("archive", "stopped", "Archived"),
        ("unarchive", "stopped", "Back in your list"),
    ]:
        page = signed_in.post(f"/experiments/{experiment.pk}/{action}/", follow=True)
        experiment.refresh_from_db()
        assert experiment.status == status
        assert words in text_of(page)


def test_archiving_what_runs_is_refused_with_words(signed_in, alice):
    experiment = make(alice)
    page = signed_in.post(f"/experiments/{experiment.pk}/archive/", follow=True)
    assert "Stop the experiment first" in text_of(page)


def test_delete_asks_first_and_names_what_goes(signed_in, alice, played):
    experiment = played(alice)
    Experiment.objects.update(status="stopped")
    address = f"/experiments/{experiment.pk}/delete/"
    assert "Delete 6 matches" in text_of(signed_in.get(address))
    assert Experiment.objects.exists()
    assert "Deleted" in text_of(signed_in.post(address, follow=True))
    assert not Experiment.objects.exists()


def test_the_second_click_of_delete_is_not_an_error(signed_in, alice, played, monkeypatch):
    experiment = played(alice)
    Experiment.objects.update(status="stopped")
    first = services.delete

    def twice(row):
        first(row)
        first(row)

    monkeypatch.setattr(services, "delete", twice)
    assert signed_in.post(f"/experiments/{experiment.pk}/delete/")["Location"] == "/experiments/"


def test_what_was_shared_cannot_be_deleted(signed_in, alice, played):
    experiment = played(alice)
    Experiment.objects.update(status="stopped", was_shared=True)
    assert "It was shared." in text_of(signed_in.get(f"/experiments/{experiment.pk}/delete/"))
    signed_in.post(f"/experiments/{experiment.pk}/delete/")
    assert Experiment.objects.exists()
