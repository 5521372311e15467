"""Watching engines: two levels, from the first ply on."""

from __future__ import annotations

import uuid

import pytest

from tests.webapp.lab.results import factory
from webapp.lab.results.sides import lineups
from webapp.records.models import Experiment

pytestmark = pytest.mark.django_db
FORM = {"game": "kingdomino", "one": "expert", "other": "beginner"}


def test_two_levels_play_before_ones_eyes(client, alice):
    number = str(uuid.uuid4())
    assert "/accounts/login/" in client.post("/play/watch/", FORM)["Location"]
    client.force_login(alice)
    assert client.get("/play/watch/?game=dominoes").context["game"].id == "dominoes"
    for _ in range(2):
        assert client.post("/play/watch/", {**FORM, "submission": number}).status_code == 302
    experiment = Experiment.objects.get()
    assert (experiment.kind, experiment.num_matches) == (Experiment.Kind.MATCH, 1)
    assert experiment.title == "Kingdomino: Expert against Beginner"
    assert [side.name for side in lineups(experiment).sides[0]] == ["Expert", "Beginner"], "seats have names of levels"


def test_a_match_that_one_came_to_watch_opens_before_its_first_move(client, alice):
    made = factory.played(alice, deals=1)
    address = f"/matches/{made.matches.first().pk}/"
    client.force_login(alice)
    usual = client.get(address)
    assert usual.context["ply"] == usual.context["page"].num_plies
    Experiment.objects.filter(pk=made.pk).update(kind=Experiment.Kind.MATCH)
    watched = client.get(address)
    assert (watched.context["ply"], "data-plays" in watched.content.decode()) == (0, True)
    assert " at the end" not in watched.content.decode(), "the curve is not read out"
    assert "data-plays" not in client.get(f"{address}?ply=3").content.decode()
    reloaded = client.get(f"{address}?ply=3&watched=first")
    assert (reloaded.context["ply"], "data-plays" in reloaded.content.decode()) == (3, True)
