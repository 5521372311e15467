"""What the builder starts from: a paste, an own experiment, a shared one, an address."""

import json
import re
from dataclasses import replace

import pytest
from django.test import Client

from games import registry as game_registry
from tests.webapp.lab.experiments.pages import ESTIMATE, NEW, posted, text_of
from tests.webapp.specs import RANDOM, make, spec
from webapp.lab.experiments import draft
from webapp.records.models import Experiment, ShareLink
from worker import spec as specs

pytestmark = pytest.mark.django_db


def plain(text):
    return re.sub(r"\s+", " ", text)


def test_a_pasted_spec_fills_the_form(signed_in):
    wanted = spec(deals=11, arms=[{"name": "Pasted", "seats": [RANDOM, {"engine": "scripted"}]}])
    response = signed_in.post(NEW, posted(title="Mine", do="paste", pasted=json.dumps(wanted)))
    builder = response.context["builder"]
    assert builder.spec == specs.from_json(wanted)
    assert builder.data["title"] == "Mine"


@pytest.mark.parametrize(
    ("pasted", "words"),
    [
        ("{", "This is not JSON: line 1"),
        ("", "This is not JSON"),
        ("[" * 20_000, "nested too deeply"),
        ("[]", "must be an object"),
        pytest.param(f'{{"version": {"9" * 5000}}}', "a number with too many digits", id="long number"),
        ('{"\\ud800": 1}', "?: unknown field"),
        (json.dumps(spec(deals=0)), "deals: must be a whole number"),
        (json.dumps(spec(arms=[{"name": "x", "seats": [RANDOM, {"engine": "god"}]}])), "arms[0].seats[1].engine"),
    ],
)
def test_a_bad_paste_is_refused_with_its_place_and_kept(signed_in, pasted, words):
    response = signed_in.post(NEW, posted(deals="42", do="paste", pasted=pasted))
    assert words in response.context["problem"]
    assert response.context["builder"].data["deals"] == "42"


@pytest.mark.long
@pytest.mark.slow
def test_the_largest_form_is_taken(signed_in):
    seats = game_registry.get("carcassonne").traits.max_seats
    flat = {"engine": "flat_mc", "options": {}, "budget": {"playouts": 40, "seconds_per_ply": 1}}
    arms = [{"name": str(index), "seats": [flat] * seats} for index in range(specs.MAX_ARMS)]
    data = draft.from_spec(specs.from_json(spec(arms=arms, seats=seats)))
    builder = signed_in.post(ESTIMATE, data).context["builder"]
    assert len(data) > 1000
    assert len(builder.spec.arms) == specs.MAX_ARMS


def test_run_again_opens_the_same_spec_with_another_seed(signed_in, alice):
    experiment = make(alice, "First", deals=9)
    builder = signed_in.get(f"{NEW}?from={experiment.pk}").context["builder"]
    assert builder.spec.seed != experiment.spec["seed"]
    assert replace(builder.spec, seed=experiment.spec["seed"]) == specs.from_json(experiment.spec)
    assert builder.title == "First"


def test_what_runs_again_names_its_origin_on_both_pages(signed_in, alice):
    first = make(alice, "First", deals=9)
    again = signed_in.get(f"{NEW}?from={first.pk}").context["builder"]
    assert "The same seed" not in text_of(signed_in.post(ESTIMATE, again.data))
    other = again.data | {"seed": str(first.spec["seed"])}
    assert f"The same seed as No. {first.pk}." in text_of(signed_in.post(ESTIMATE, other))
    elsewhere = other | {"arm-0-seat-1-engine": "scripted", "arm-0-seat-1-for": "", "arm-0-seat-0-engine": "random"}
    assert "The same seed" not in text_of(signed_in.post(ESTIMATE, draft.complete(elsewhere)))
    made = []
    for data in (again.data, other | {"same_matches": str(first.pk)}):
        signed_in.post(NEW, data)
        made.append(Experiment.objects.latest("pk"))
    assert [row.origin for row in made] == [first, first]
    page = plain(text_of(signed_in.get(f"/experiments/{first.pk}/")))
    assert f">No. {made[1].pk}</a> (same matches)," in page
    assert f">No. {made[0].pk}</a>." in page
    assert "again, with another seed." in plain(text_of(signed_in.get(f"/experiments/{made[0].pk}/")))
    assert "no new evidence" in text_of(signed_in.get(f"/experiments/{made[1].pk}/"))


def test_nobody_hears_of_an_origin_or_a_run_that_is_private(signed_in, alice, bob):
    stranger = Client()
    stranger.force_login(bob)
    origin = make(bob, "Private of Bob")
    signed_in.post(NEW, posted(origin=str(origin.pk)))
    assert Experiment.objects.latest("pk").origin is None
    link = ShareLink.objects.create(slug="abcdefgh", experiment=origin)
    signed_in.post(NEW, posted(origin=str(origin.pk), title="Private of Alice", seed="99"))
    made = Experiment.objects.latest("pk")
    assert made.origin == origin
    assert 'href="/r/abcdefgh/"' in text_of(signed_in.get(f"/experiments/{made.pk}/"))
    assert f"No. {made.pk}" in text_of(signed_in.get("/r/abcdefgh/"))
    for other in (Client(), stranger):
        assert f"No. {made.pk}" not in text_of(other.get("/r/abcdefgh/"))
    link.withdrawn_at = link.created_at
    link.save()
    page = text_of(signed_in.get(f"/experiments/{made.pk}/"))
    assert "not shared any more" in page
    assert "Private of Bob" not in page


def test_the_last_one_is_a_place_to_start_from(signed_in, alice, bob):
    make(bob, "Not mine")
    assert "Start from your last one" not in text_of(signed_in.get(NEW))
    experiment = make(alice, "Mine")
    assert f'<a href="?from={experiment.pk}">Mine</a>' in text_of(signed_in.get(NEW))


def test_run_again_of_a_strangers_experiment_needs_its_link(signed_in, bob):
    experiment = make(bob, deals=9)
    assert signed_in.get(f"{NEW}?from={experiment.pk}").status_code == 404
    link = ShareLink.objects.create(slug="abcdefgh", experiment=experiment)
    assert signed_in.get(f"{NEW}?shared=abcdefgh").context["builder"].spec.deals == 9
    link.withdrawn_at = link.created_at
    link.save()
    assert signed_in.get(f"{NEW}?shared=abcdefgh").status_code == 404


def test_the_link_of_one_match_does_not_give_the_experiment_away(signed_in, bob, played):
    experiment = played(bob)
    ShareLink.objects.create(slug="abcdefgh", experiment=experiment, match=experiment.matches.first())
    assert signed_in.get(f"{NEW}?shared=abcdefgh").status_code == 404


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("shared=%00", 404),
        (f"from={'9' * 18}", 404),
        pytest.param(f"from={'9' * 5000}", 200, id="long from"),
        pytest.param(f"seats={'9' * 5000}", 200, id="long seats"),
        ("game=%00&engine=%00", 200),
    ],
)
def test_odd_addresses_are_no_fault_of_ours(signed_in, query, status):
    assert signed_in.get(f"{NEW}?{query}").status_code == status


def test_a_spec_of_another_version_opens_an_empty_form_and_says_why(signed_in, alice):
    experiment = make(alice)
    experiment.spec["version"] = 99
    experiment.save()
    response = signed_in.get(f"{NEW}?from={experiment.pk}")
    assert "another version of the lab" in text_of(response)


def test_a_link_may_choose_game_and_engine(signed_in):
    builder = signed_in.get(f"{NEW}?game=carcassonne&engine=scripted").context["builder"]
    assert builder.spec.arms[0].seats[0].engine == "scripted"
