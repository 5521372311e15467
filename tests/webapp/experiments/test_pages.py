import json
import re

import pytest

from games import registry as game_registry
from tests.webapp.specs import RANDOM, make, spec
from webapp.experiments import draft, services
from webapp.records.models import Experiment, Match, ShareLink
from webapp.results import exports
from worker import spec as specs

pytestmark = pytest.mark.django_db
NEW = "/experiments/new/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def signed_in(client, alice):
    client.force_login(alice)
    return client


def posted(**changes):
    return {**draft.from_spec(specs.from_json(spec())), **changes}


def text_of(response):
    return response.content.decode()


# ---- builder


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


def test_a_short_wait_is_no_range_of_one_figure(signed_in):
    estimate = "/experiments/new/estimate/"
    quick = {f"arm-0-seat-{seat}-{part}": "random" for seat in (0, 1) for part in ("engine", "for")}
    text = text_of(signed_in.post(estimate, posted(deals="1", **quick)))
    assert "a second or so" in text
    assert "1 s to 1 s" not in text


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


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_changing_the_form_keeps_what_was_typed(signed_in, headers):
    response = signed_in.post(NEW, posted(title="Kept", deals="77", do="add"), headers=headers)
    data = response.context["builder"].data
    assert (data["title"], data["deals"], data["arms"]) == ("Kept", "77", "2")
    assert text_of(response).lstrip().startswith("<!doctype") is not bool(headers)
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


def test_what_takes_days_is_confirmed_first(signed_in):
    data = draft.from_spec(specs.from_json(spec(deals=1_000_000, record="full")))
    first = signed_in.post(NEW, data)
    assert "confirm its size" in text_of(first)
    assert "That is a lot." in text_of(first)
    key = first.context["cost"].key
    other = signed_in.post(NEW, {**data, "deals": "999999", "confirmed": key})
    assert "confirm its size" in text_of(other)
    assert not Experiment.objects.exists()
    again = signed_in.post("/experiments/new/estimate/", {**data, "confirmed": key})
    assert f'value="{key}" checked' in text_of(again)
    assert signed_in.post(NEW, {**data, "confirmed": key}).status_code == 302
    assert "That is a lot." not in text_of(signed_in.post("/experiments/new/estimate/", posted()))


def test_only_staff_go_before_others(signed_in, alice):
    refused = signed_in.post(NEW, posted(priority="1"))
    assert list(refused.context["builder"].setup.errors) == ["priority"]
    assert "Priority: Above 0 is for the lab" in text_of(refused)
    pasted = json.dumps(spec(priority=1))
    assert "priority: above 0" in signed_in.post(NEW, posted(do="paste", pasted=pasted)).context["problem"]
    assert not Experiment.objects.exists()
    alice.is_staff = True
    alice.save()
    assert signed_in.post(NEW, posted(priority="1")).status_code == 302
    alice.is_staff = False
    alice.save()
    again = signed_in.get(f"{NEW}?from={Experiment.objects.get().pk}")
    assert again.context["builder"].spec.priority == 0


def test_enter_in_a_field_starts_nothing():
    from pathlib import Path

    form = Path("templates/experiments/_builder.html").read_text()
    assert re.search(r"<button[^>]*>", form)[0].find('value="update"') > 0


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


def test_the_largest_form_is_taken(signed_in):
    seats = game_registry.get("carcassonne").traits.max_seats
    flat = {"engine": "flat_mc", "options": {}, "budget": {"playouts": 40, "seconds_per_ply": 1}}
    arms = [{"name": str(index), "seats": [flat] * seats} for index in range(specs.MAX_ARMS)]
    data = draft.from_spec(specs.from_json(spec(arms=arms, seats=seats)))
    builder = signed_in.post("/experiments/new/estimate/", data).context["builder"]
    assert len(data) > 1000
    assert len(builder.spec.arms) == specs.MAX_ARMS


def test_the_estimate_counts_the_processes_that_play(signed_in, settings):
    def cost(workers):
        settings.LAB_WORKERS = workers
        return signed_in.post("/experiments/new/estimate/", posted(deals="100"))

    alone, together = cost(1), cost(4)
    assert together.context["cost"].seconds == pytest.approx(alone.context["cost"].seconds / 4)
    assert "Time with 4 workers" in text_of(together)


def test_a_match_that_would_take_too_long_is_refused_at_its_budget(signed_in):
    seats = [{"engine": "flat_mc", "options": {}, "budget": {"seconds_per_ply": seconds}} for seconds in (450, 550)]
    data = draft.from_spec(specs.from_json(spec(arms=[{"name": "x", "seats": seats}])))
    builder = signed_in.post(NEW, data).context["builder"]
    assert "take about 9 h 52 min" in builder.arms[0].seats[1].budget.errors["amount"][0]
    assert not Experiment.objects.exists()


def test_the_estimate_follows_the_form(signed_in):
    text = text_of(signed_in.post("/experiments/new/estimate/", posted(deals="10")))
    assert "Start 20 matches" in text
    assert '"deals": 10' in text.replace("&quot;", '"')


def test_the_estimate_says_what_is_missing(signed_in):
    text = text_of(signed_in.post("/experiments/new/estimate/", posted(deals="x")))
    assert "No estimate yet." in text
    assert "Deals per arm" in text


def test_few_matches_are_warned_about(signed_in):
    assert "Wide intervals." in text_of(signed_in.post("/experiments/new/estimate/", posted(deals="10")))
    assert "Wide intervals." not in text_of(signed_in.post("/experiments/new/estimate/", posted(deals="400")))


def test_run_again_opens_the_same_spec(signed_in, alice):
    experiment = make(alice, "First", deals=9)
    builder = signed_in.get(f"{NEW}?from={experiment.pk}").context["builder"]
    assert builder.spec == specs.from_json(experiment.spec)
    assert builder.title == "First"


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


# ---- sweeps

SWEPT = {"paths": ["seats[0].options.policy"], "values": ["random", "greedy"]}
SCRIPTED = {"engine": "scripted", "options": {}, "budget": {}}


def swept(owner, **changes):
    arms = [{"name": "x", "seats": [SCRIPTED, RANDOM]}]
    return make(owner, "By policy", arms=arms, sweep={"axes": [SWEPT]}, **changes)


def test_a_sweep_is_built_step_by_step_and_started(signed_in):
    first = signed_in.post(NEW, posted(**{"arm-0-seat-0-engine": "scripted", "do": "add-axis"})).context["builder"]
    assert first.can_sweep
    assert "Sweep 1" in text_of(signed_in.post(NEW, first.data | {"do": "update"}))
    policies = game_registry.get("carcassonne").policies
    estimate = text_of(signed_in.post("/experiments/new/estimate/", first.data))
    assert f"{len(policies)} arms" in estimate
    assert "Policy: greedy" in estimate
    response = signed_in.post(NEW, first.data | {"do": "start"})
    assert response.status_code == 302
    made = Experiment.objects.get()
    assert [arm.name for arm in made.arms.order_by("index")] == [f"Policy: {name}" for name in policies]
    assert made.num_matches == len(policies) * made.spec["deals"] * 2


def test_a_swept_experiment_opens_again_as_a_sweep(signed_in, alice):
    experiment = swept(alice)
    builder = signed_in.get(f"{NEW}?from={experiment.pk}").context["builder"]
    assert len(builder.axes) == 1
    assert builder.spec == specs.from_json(experiment.spec)


def test_a_pasted_sweep_fills_the_form(signed_in, alice):
    text = signed_in.get(f"/experiments/{swept(alice).pk}/spec.json").content.decode()
    assert text.count('"engine"') == 2, "one line-up, not all arms"
    builder = signed_in.post(NEW, posted(do="paste", pasted=text)).context["builder"]
    assert [axis.label for axis in builder.axes] == ["Policy"]


def test_the_settings_show_what_a_sweep_varies(signed_in, alice):
    page = signed_in.get(f"/experiments/{swept(alice).pk}/settings/")
    assert page.context["settings"].axes == [("Policy", "seat 0", "random; greedy")]
    assert "Every combination is an arm: 2 arms" in text_of(page)


def test_a_form_whose_axis_was_changed_unseen_is_shown_again(signed_in):
    shown = signed_in.post(NEW, posted(**{"arm-0-seat-0-engine": "flat_mc", "do": "add-axis"}))
    builder = shown.context["builder"]
    response = signed_in.post(NEW, builder.data | {"sweep-0-what": "options.utility", "do": "start"})
    assert "Look once more." in text_of(response)
    assert not Experiment.objects.exists()


# ---- one match


def test_a_match_waits_and_then_becomes_its_page(signed_in, alice, played):
    response = signed_in.post("/matches/new/", posted())
    waiting = Experiment.objects.get()
    assert (waiting.kind, waiting.num_matches) == ("match", 1)
    page = signed_in.get(response["Location"])
    assert "The match waits for a worker" in text_of(page)
    waiting.chunks.update(status="claimed")
    assert "The match is being played" in text_of(signed_in.get(response["Location"]))
    waiting.chunks.update(status="waiting")
    assert "HX-Refresh" not in signed_in.get(f"/experiments/{waiting.pk}/live/?state=waiting").headers
    from tests.webapp.experiments.rows import fill

    fill(waiting)
    assert signed_in.get(f"/experiments/{waiting.pk}/live/?state=waiting")["HX-Refresh"] == "true"
    match = Match.objects.filter(experiment=waiting).order_by("pk").first()
    assert signed_in.get(f"/experiments/{waiting.pk}/")["Location"] == f"/matches/{match.pk}/"


# ---- the live page


def test_the_page_of_a_fresh_experiment_waits(signed_in, alice):
    experiment = make(alice)
    text = text_of(signed_in.get(f"/experiments/{experiment.pk}/"))
    assert "Waiting for a worker" in text
    assert 'data-poll="2"' in text
    assert "No match is played yet" in text


def test_the_page_of_a_played_experiment(signed_in, alice, played):
    experiment = played(alice, failed=1)
    Experiment.objects.update(status="finished")
    text = text_of(signed_in.get(f"/experiments/{experiment.pk}/"))
    assert "Finished" in text
    assert "data-poll" not in text
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
    assert 'id="stop-words" style="--gap:.6rem" hx-swap-oob="true"' in update
    assert "Stop after 2 matches?" in update
    assert "4 matches will not be played" in update


def test_the_list_tells_runs_of_one_name_apart(signed_in, alice):
    first, second = make(alice, "Same"), make(alice, "Same")
    text = text_of(signed_in.get("/experiments/"))
    for made in (first, second):
        assert f"No. {made.pk}<" in text
        assert f"{made.created_at:%H:%M}</time>" in text


def test_matches_are_exported_in_every_format(signed_in, alice, played):
    experiment = played(alice)
    text = text_of(signed_in.get(f"/experiments/{experiment.pk}/"))
    for table in ("matches", "plies"):
        for kind in exports.FORMATS:
            assert f'href="/experiments/{experiment.pk}/export/{table}.{kind}"' in text


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


def test_settings_name_everything(signed_in, alice, played):
    flat = {"engine": "flat_mc", "options": {}, "budget": {"playouts": 40}}
    experiment = played(alice, arms=[{"name": "Thinker", "seats": [flat, RANDOM]}], seed=4711, priority=-7)
    text = text_of(signed_in.get(f"/experiments/{experiment.pk}/settings/"))
    names = ("Thinker", "Flat Monte Carlo", "40 playouts a ply", "All seats in turn", "random 1")
    for words in (*names, "\N{MINUS SIGN}7", "4711"):
        assert words in text


def test_settings_survive_options_and_engines_of_another_version(signed_in, alice):
    experiment = make(alice)
    experiment.spec["options"]["river"] = "yes"
    experiment.spec["arms"][0]["seats"][0] = {"engine": "oracle9", "options": {"depth": 3}, "budget": {}}
    experiment.save()
    text = text_of(signed_in.get(f"/experiments/{experiment.pk}/settings/"))
    assert "river" in text
    assert "oracle9" in text


def test_the_spec_file_is_the_spec(signed_in, alice):
    experiment = make(alice)
    response = signed_in.get(f"/experiments/{experiment.pk}/spec.json")
    assert specs.from_json(json.loads(response.content)) == specs.from_json(experiment.spec)
    assert "attachment" in response["Content-Disposition"]


def test_failures_are_listed_with_their_reason(signed_in, alice, played):
    experiment = played(alice, failed=2)
    text = text_of(signed_in.get(f"/experiments/{experiment.pk}/failures/"))
    assert text.count("ValueError: no move") == 2
    assert text.count("Engine error") == 2


def test_nobody_is_blamed_for_a_worker_that_died(signed_in, alice, played):
    experiment = played(alice, failed=2)
    Match.objects.filter(status="failed").update(failure={"seat": None, "kind": "died", "message": "without a word"})
    for part in ("failures/", "matches/?result=failed"):
        text = text_of(signed_in.get(f"/experiments/{experiment.pk}/{part}"))
        assert "Worker died twice" in text
        assert "ngine error" not in text


def test_the_page_leads_to_its_shared_page_or_offers_to_share(signed_in, alice, played):
    experiment = played(alice)
    address = f"/experiments/{experiment.pk}/"
    assert f'action="{address}share/"' in text_of(signed_in.get(address))
    ShareLink.objects.create(slug="abcdefgh", experiment=experiment)
    shown = text_of(signed_in.get(address))
    assert shown.count('href="/r/abcdefgh/"') == 2
    assert f'action="{address}share/"' not in shown


def test_the_page_says_why_the_lab_stopped_it(signed_in, alice):
    experiment = make(alice)
    Experiment.objects.update(status="stopped", notice="Stopped: its specification is no longer valid.")
    for part in ("", "matches/", "settings/"):
        assert "specification is no longer valid" in text_of(signed_in.get(f"/experiments/{experiment.pk}/{part}"))


def test_no_failure_is_said(signed_in, alice, played):
    assert "No failure" in text_of(signed_in.get(f"/experiments/{played(alice).pk}/failures/"))


# ---- the list


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
