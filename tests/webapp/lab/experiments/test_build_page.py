"""The builder: it opens ready, starts once, and says at its fields what is wrong."""

import re
from pathlib import Path

import pytest

from tests.webapp.lab.experiments.pages import ESTIMATE, NEW, posted, text_of
from tests.webapp.specs import spec
from webapp.lab.experiments import draft, services
from webapp.records.models import Experiment
from worker import spec as specs

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", [NEW, "/matches/new/"])
def test_the_form_opens_ready_to_start(signed_in, address):
    response = signed_in.get(address)
    assert response.context["builder"].spec is not None
    assert "Start " in text_of(response)


def test_start_makes_the_experiment_and_goes_there(signed_in, alice):
    response = signed_in.post(NEW, posted(title="Which?"))
    made = Experiment.objects.get(owner=alice)
    assert response["Location"] == f"/experiments/{made.pk}/"
    assert (made.title, made.kind, made.num_matches) == ("Which?", "experiment", 6)


def test_the_same_form_sent_twice_is_one_experiment(signed_in):
    data = posted()
    first, second = signed_in.post(NEW, data), signed_in.post(NEW, data)
    assert first["Location"] == second["Location"]
    assert Experiment.objects.count() == 1


def test_each_shown_form_is_another_submission(signed_in):
    numbers = {signed_in.get(NEW).context["builder"].data["submission"] for _ in range(2)}
    assert len(numbers) == 2


def test_a_bad_form_starts_nothing_and_says_where(signed_in):
    text = text_of(signed_in.post(NEW, posted(deals="0")))
    assert "1 place needs a change." in text
    assert '<a href="#id_deals">Deals per arm</a>: Enter a whole number' in text
    assert 'id="id_deals_error"' in text
    assert 'aria-describedby="id_deals_helptext id_deals_error"' in text
    assert not Experiment.objects.exists()


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["plain", "htmx"])
def test_changing_the_form_keeps_what_was_typed(signed_in, headers):
    response = signed_in.post(NEW, posted(title="Kept", deals="77", do="add"), headers=headers)
    data = response.context["builder"].data
    assert (data["title"], data["deals"], data["arms"]) == ("Kept", "77", "2")
    assert text_of(response).lower().lstrip().startswith("<!doctype") is not bool(headers)
    assert not Experiment.objects.exists()


def test_what_only_the_service_refuses_stands_at_its_field_too(signed_in, monkeypatch):
    monkeypatch.setattr(services, "MAX_CHUNKS", 0)
    text = text_of(signed_in.post(NEW, posted()))
    assert "Would take weeks at this budget" in text
    assert 'id="id_deals_error"' in text
    assert not Experiment.objects.exists()


@pytest.mark.parametrize(
    "changes",
    [{"seats": "5"}, {"arms": "2"}, {"arm-0-seat-1-engine": "scripted"}, {"arm-0-seat-4-for": "random"}],
    ids=["seats", "arms", "engine", "place"],
)
def test_a_form_with_places_nobody_has_seen_is_shown_before_it_starts(signed_in, changes):
    response = signed_in.post(NEW, posted(**changes))
    assert "Look once more." in text_of(response)
    assert not Experiment.objects.exists()
    assert signed_in.post(NEW, response.context["builder"].data).status_code == 302


@pytest.mark.long
def test_what_takes_days_is_confirmed_first(signed_in):
    data = draft.from_spec(specs.from_json(spec(deals=1_000_000, record="full")))
    first = signed_in.post(NEW, data)
    assert "confirm its size" in text_of(first)
    assert "That is a lot." in text_of(first)
    key = first.context["cost"].key
    other = signed_in.post(NEW, {**data, "deals": "999999", "confirmed": key})
    assert "confirm its size" in text_of(other)
    assert not Experiment.objects.exists()
    again = signed_in.post(ESTIMATE, {**data, "confirmed": key})
    assert f'value="{key}" checked' in text_of(again)
    assert signed_in.post(NEW, {**data, "confirmed": key}).status_code == 302
    assert "That is a lot." not in text_of(signed_in.post(ESTIMATE, posted()))


def test_priority_is_everybody_s_to_give_since_it_is_among_one_s_own(signed_in):
    assert signed_in.post(NEW, posted(priority="1")).status_code == 302
    again = signed_in.get(f"{NEW}?from={Experiment.objects.get().pk}")
    assert again.context["builder"].spec.priority == 1


def test_a_match_that_takes_longer_than_the_lab_allows_is_refused_beforehand(signed_in, settings):
    settings.LAB_MATCH_S = 1e-6
    refused = signed_in.post(NEW, posted())
    assert "it may take" in text_of(refused)
    assert not Experiment.objects.exists()


def test_enter_in_a_field_starts_nothing():
    form = Path("templates/experiments/_builder.html").read_text()
    assert re.search(r"<button[^>]*>", form)[0].find('value="update"') > 0
