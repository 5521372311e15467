"""The page of an experiment, or of one match, from waiting to its end."""

import pytest

from tests.webapp.lab.experiments.pages import posted, text_of
from tests.webapp.lab.experiments.rows import fill
from tests.webapp.specs import make
from webapp.lab.results import exports
from webapp.records.models import Experiment, Match, ShareLink

pytestmark = pytest.mark.django_db


def test_a_match_waits_and_then_becomes_its_page(signed_in, alice, played):
    response = signed_in.post("/matches/new/", posted())
    waiting = Experiment.objects.get()
    assert (waiting.kind, waiting.num_matches) == ("match", 1)
    page = signed_in.get(response["Location"])
    assert "The match has not begun yet" in text_of(page)
    waiting.chunks.update(status="claimed")
    assert "The match is being played" in text_of(signed_in.get(response["Location"]))
    waiting.chunks.update(status="waiting")
    assert "HX-Refresh" not in signed_in.get(f"/experiments/{waiting.pk}/live/?state=waiting").headers
    fill(waiting)
    assert signed_in.get(f"/experiments/{waiting.pk}/live/?state=waiting")["HX-Refresh"] == "true"
    match = Match.objects.filter(experiment=waiting).order_by("pk").first()
    assert signed_in.get(f"/experiments/{waiting.pk}/")["Location"] == f"/matches/{match.pk}/"


def test_the_page_of_a_fresh_experiment_waits(signed_in, alice):
    experiment = make(alice)
    text = text_of(signed_in.get(f"/experiments/{experiment.pk}/"))
    assert "Waiting" in text
    assert 'data-poll="2"' in text
    assert "No match has been played yet" in text


def test_the_page_of_a_played_experiment(signed_in, alice, played):
    experiment = played(alice, failed=1)
    Experiment.objects.update(status="finished")
    text = text_of(signed_in.get(f"/experiments/{experiment.pk}/"))
    assert "Finished" in text
    assert "data-poll" not in text.partition("<main")[2]  # the bell of each page asks on
    assert 'aria-valuenow="6"' in text
    assert "Engine error" in text


def test_polling_ends_with_another_state(signed_in, alice):
    experiment = make(alice)
    live = f"/experiments/{experiment.pk}/live/"
    assert "HX-Refresh" not in signed_in.get(f"{live}?state=waiting").headers
    signed_in.post(f"/experiments/{experiment.pk}/stop/")
    over = signed_in.get(f"{live}?state=waiting")
    assert over["HX-Refresh"] == "true"
    assert "data-poll" not in text_of(over)


def test_the_question_before_stop_follows_the_counts(signed_in, alice):
    experiment = make(alice)
    page = text_of(signed_in.get(f"/experiments/{experiment.pk}/"))
    assert "Stop after 0 matches?" in page
    assert "hx-swap-oob" not in page
    experiment.chunks.update(written=2, status="claimed")
    update = text_of(signed_in.get(f"/experiments/{experiment.pk}/live/"))
    assert 'id="stop-words" style="--gap: 0.6rem" hx-swap-oob="true"' in update
    assert "Stop after 2 matches?" in update
    assert "4 matches will not be played" in update


def test_matches_are_exported_in_every_format(signed_in, alice, played):
    experiment = played(alice)
    text = text_of(signed_in.get(f"/experiments/{experiment.pk}/"))
    for table in ("matches", "plies"):
        for kind in exports.FORMATS:
            assert f'href="/experiments/{experiment.pk}/export/{table}.{kind}"' in text


def test_the_page_leads_to_its_shared_page_or_offers_to_share(signed_in, alice, played):
    experiment = played(alice)
    address = f"/experiments/{experiment.pk}/"
    assert f'href="{address}share/"' in text_of(signed_in.get(address))
    ShareLink.objects.create(slug="abcdefgh", experiment=experiment)
    shown = text_of(signed_in.get(address))
    assert shown.count('href="/r/abcdefgh/"') == 2
    assert f'href="{address}share/"' not in shown


def test_the_page_says_why_the_lab_stopped_it(signed_in, alice):
    experiment = make(alice)
    Experiment.objects.update(status="stopped", notice="Stopped: its specification is no longer valid.")
    for part in ("", "matches/", "settings/"):
        assert "specification is no longer valid" in text_of(signed_in.get(f"/experiments/{experiment.pk}/{part}"))
