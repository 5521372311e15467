import html
import re

import pytest

from tests.webapp.lab.presets.runs import run
from tests.webapp.pages import markup
from webapp.lab.presets import numbers, services
from webapp.lab.presets.models import PresetRun
from webapp.records.models import Experiment, ShareLink
from worker.presets import registry, stored_runs

pytestmark = pytest.mark.django_db
TABLE = "/presets/heyden-table-6.1/"


@pytest.fixture
def signed_in(client, alice):
    """A client of alice."""
    client.force_login(alice)
    return client


def text(response) -> str:
    """The words of a page, without tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


@pytest.mark.long
def test_the_list_names_every_preset_and_its_times(client):
    page = text(client.get("/presets/"))
    for preset in registry.presets().values():
        assert preset.where in page
        assert preset.question.replace("'", "&#x27;") in page
    assert "Heyden 2009, Carcassonne" in page
    assert "Quick, standard and as published" in page


def test_the_list_shows_ones_own_last_run(signed_in, alice, bob):
    run(bob, played=False)
    assert "not run yet" in text(signed_in.get("/presets/"))
    made = run(alice)
    page = signed_in.get("/presets/").content.decode()
    assert f"/experiments/{made.experiment.pk}/" in page


@pytest.mark.long
def test_every_preset_has_a_page_before_anything_ran(client, subtests):
    for preset in registry.presets():
        with subtests.test(preset=preset):
            page = text(client.get(f"/presets/{preset}/"))
            is_stored = stored_runs.load(preset) is not None
            assert ("This run ships with the project" in page) == is_stored
            assert ("Nobody has run this here yet" in page) != is_stored
            assert "Sign in to start one" in page
            assert is_stored or "Known reason" not in page


@pytest.mark.long
@pytest.mark.parametrize(
    "preset",
    ["dominai-ladder", *(pytest.param(f"dominai-{id_}", marks=pytest.mark.slow) for id_ in ("beliefs", "luck"))],
)
def test_where_nothing_is_published_no_page_says_so(client, alice, preset, valkey_service):
    claims = (
        "As published",
        "Published and ours",
        "picture only",
        "verdict",
        "What the words mean",
        "What the paper did",
    )
    run, _ = services.start(alice, registry.get(preset), "published")
    pages = [text(client.get(f"/presets/{preset}/"))]
    assert "(thorough)" in run.study.title
    client.force_login(alice)
    pages += [text(client.get(address)) for address in (f"/presets/{preset}/", f"/studies/{run.study.pk}/")]
    for page in pages:
        assert not [claim for claim in claims if claim in page]
        assert "Thorough" in page


def test_unknown_presets_are_not_found(client):
    assert client.get("/presets/heyden-table-9.9/").status_code == 404


@pytest.mark.long
def test_a_click_starts_the_scale_once(signed_in, alice, valkey_service):
    page = signed_in.get(TABLE).content.decode()
    form = {"scale": "quick", "submission": re.search(r'name="submission" value="([^"]+)"', page)[1]}
    assert signed_in.post(f"{TABLE}start/", form).headers["Location"] == TABLE
    assert "Started:" in text(signed_in.get(TABLE))
    made = PresetRun.objects.get()
    for again in (form, form | {"submission": "8d5f3a5e-6a0c-4b5e-9d0e-2f6d7a6a1c11"}):  # a second click, another tab
        answer = signed_in.post(f"{TABLE}start/", again, follow=True)
        assert answer.redirect_chain[0][0] == f"/experiments/{made.experiment.pk}/"
        assert "Already running" in text(answer)
        assert "nothing new was started" in text(answer)
    Experiment.objects.update(status="stopped")
    assert "This form has already started its run" in text(signed_in.post(f"{TABLE}start/", form, follow=True))
    Experiment.objects.update(status="running")
    made = PresetRun.objects.get()
    assert (made.scale, made.experiment.owner, made.experiment.status) == ("quick", alice, "running")
    assert "0 of 320 matches." in text(signed_in.get(TABLE))


def test_the_address_of_the_start_leads_to_the_preset(signed_in):
    assert signed_in.get(f"{TABLE}start/").headers["Location"] == TABLE
    assert not PresetRun.objects.exists()


def test_a_scale_that_is_none_is_refused_in_words(signed_in):
    assert "Choose one of the scales" in text(signed_in.post(f"{TABLE}start/", {"scale": "huge"}, follow=True))
    assert not PresetRun.objects.exists()


def test_a_finished_run_stands_beside_the_published_figures(signed_in, alice):
    run(alice)
    page = text(signed_in.get(TABLE))
    assert "62.6" in page
    assert "Not judged" in page
    assert re.search(r"\d+ Equivalent \d+ Compatible \d+ Differs \d+ Cannot tell of 8 judged figures", page)
    assert re.search(r"If all were the same, 0\.08 of 8 comparisons would differ by luck alone", page)
    assert "Wins: mean of 2 differences" in page
    assert "Mean scores: mean of 4 differences" in page
    assert "One difference fits all: F(" in page or "Not the same difference in all: F(" in page
    assert "Known reasons The thesis finds its MCo" in page


def test_a_running_run_is_partial_and_asks_again(signed_in, alice):
    made = run(alice, played=False)
    page = markup(signed_in.get(TABLE))
    assert "Our figures appear here with the first results." in page
    asked = html.unescape(re.search(r'hx-get="(/presets/runs/[^"]+)"', page)[1])
    assert asked == f"/presets/runs/{made.pk}/?known=0-0-waiting"
    assert signed_in.get(asked).status_code == 204
    made.experiment.chunks.update(written=2)
    assert "Nothing is judged before the planned end." in text(signed_in.get(asked))
    Experiment.objects.update(status="finished")
    made.experiment.chunks.update(written=4)
    ended = markup(signed_in.get(f"/presets/runs/{made.pk}/"))
    assert "hx-get" not in ended
    assert re.search(r'id="preset-runs".*hx-swap-oob="true"', ended)
    assert "Running" not in ended, "the list of runs ends with the run"
    assert "preset-runs" not in signed_in.get(f"/presets/runs/{made.pk}/?follow=tick").content.decode()


def test_a_poll_without_news_computes_nothing(signed_in, alice, monkeypatch):
    made = run(alice, played=False)
    monkeypatch.setattr(numbers, "numbers", lambda preset, run: 1 // 0)
    assert signed_in.get(f"/presets/runs/{made.pk}/?known=0-0-waiting").status_code == 204
    with pytest.raises(ZeroDivisionError):
        signed_in.get(f"/presets/runs/{made.pk}/?known=1-0-running")


def test_a_guest_sees_what_was_shared_and_nothing_else(client, alice, bob, shipped):
    made = run(alice)
    assert "Nobody has run this here yet" in text(client.get(TABLE))
    assert client.get(f"/presets/runs/{made.pk}/").status_code == 404
    ShareLink.objects.create(slug="preset-shared-16", experiment=made.experiment)
    page = client.get(TABLE).content.decode()
    assert "a run that somebody shared" in page
    assert "/r/preset-shared-16/" in page
    assert f"/experiments/{made.experiment.pk}/" not in page
    assert client.get(f"/presets/runs/{made.pk}/").status_code == 200
    ShareLink.objects.update(withdrawn_at="2026-01-01T00:00Z")
    assert client.get(f"/presets/runs/{made.pk}/").status_code == 404


def test_a_link_to_one_match_shares_no_run(client, alice):
    made = run(alice)
    match = made.experiment.matches.first()
    ShareLink.objects.create(slug="preset-match-016", experiment=made.experiment, match=match)
    assert client.get(f"/presets/runs/{made.pk}/").status_code == 404


def test_the_experiments_own_page_and_the_shared_one_show_the_comparison(signed_in, client, alice):
    made = run(alice)
    ShareLink.objects.create(slug="preset-shared-16", experiment=made.experiment)
    for address in (f"/experiments/{made.experiment.pk}/", "/r/preset-shared-16/"):
        page = signed_in.get(address)
        assert "Beside Table 6.1" in text(page)
        assert f'href="{TABLE}"' in page.content.decode()


def test_other_experiments_show_no_comparison(signed_in, alice):
    made = run(alice)
    PresetRun.objects.all().delete()
    assert "preset-comparison" not in signed_in.get(f"/experiments/{made.experiment.pk}/").content.decode()


def test_runs_of_a_preset_that_is_gone_harm_no_page(signed_in, alice):
    made = run(alice, preset="heyden-table-0.0")
    assert signed_in.get(f"/experiments/{made.experiment.pk}/").status_code == 200
    assert signed_in.get(f"/presets/runs/{made.pk}/").status_code == 404
    assert signed_in.get("/presets/").status_code == 200
