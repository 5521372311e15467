"""The list of own experiments."""

import re

import pytest

from tests.webapp.lab.experiments.pages import NEW, text_of
from tests.webapp.specs import make
from webapp.records.models import Experiment

pytestmark = pytest.mark.django_db


def test_the_list_tells_runs_of_one_name_apart(signed_in, alice):
    first, second = make(alice, "Same"), make(alice, "Same")
    text = text_of(signed_in.get("/experiments/"))
    for made in (first, second):
        assert f"No. {made.pk}<" in text
        assert re.search(rf"{made.created_at:%H:%M}\s*</time>", text)


def test_the_list_has_three_tabs_of_own_experiments(signed_in, alice, bob):
    make(alice, "Runs")
    stopped, archived = make(alice, "Stopped"), make(alice, "Archived one")
    make(bob, "Not mine")
    Experiment.objects.filter(pk=stopped.pk).update(status="stopped")
    Experiment.objects.filter(pk=archived.pk).update(status="finished", archived_at=archived.created_at)
    shown = {tab: text_of(signed_in.get(f"/experiments/?tab={tab}")) for tab in ("running", "finished", "archived")}
    titles = {"running": "Runs", "finished": "Stopped</a>", "archived": "Archived one"}
    for tab, text in shown.items():
        assert [name for name, title in titles.items() if title in text] == [tab]
        assert "Not mine" not in text


def test_the_list_opens_where_something_is(signed_in, alice):
    make(alice, "Done")
    Experiment.objects.update(status="finished")
    assert "Done" in text_of(signed_in.get("/experiments/"))


def test_an_empty_list_says_what_to_do(signed_in):
    assert "Nothing runs" in text_of(signed_in.get("/experiments/"))


@pytest.mark.parametrize("address", ["/experiments/", NEW, "/matches/new/"])
def test_guests_are_asked_to_sign_in(client, address):
    assert client.get(address)["Location"] == f"/accounts/login/?next={address}"
