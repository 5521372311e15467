"""The builder and the live page in a real browser: input survives, numbers move, nothing complains."""

import re

import pytest
from django.utils import timezone

from tests.webapp.lab.experiments.rows import fill
from tests.webapp.specs import make
from webapp.records.models import Experiment, Match, Seat

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def visitor(page, live_server, client, alice):
    """A browser signed in as alice; `visitor.goto` takes addresses of the site."""
    client.force_login(alice)
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    page.site = live_server.url
    return page


def test_an_experiment_is_built_without_losing_input(visitor):
    visitor.goto(f"{visitor.site}/experiments/new/")
    visitor.get_by_label("Question").fill("Which?")
    visitor.get_by_label("Name of arm 1").fill("First")
    visitor.get_by_role("button", name="Duplicate arm 1").click()
    visitor.get_by_label("Name of arm 2").fill("Second")
    second = visitor.get_by_role("article", name="Arm 2")
    second.get_by_label("First seat").focus()
    second.get_by_label("First seat").select_option("random")
    second.get_by_text("none needed").nth(1).wait_for()
    assert visitor.evaluate("document.activeElement.id") == "id_arm-1-seat-0-engine"
    visitor.get_by_role("button", name="Add an arm").click()
    visitor.get_by_role("button", name="Remove arm 3").click()
    visitor.get_by_role("button", name="Remove arm 3").wait_for(state="detached")
    assert visitor.get_by_label("Question").input_value() == "Which?"
    assert visitor.get_by_label("Name of arm 2").input_value() == "Second"
    visitor.get_by_label("Deals per arm").fill("x")
    visitor.get_by_role("button", name="Check the form").first.wait_for()
    visitor.get_by_label("Deals per arm").fill("3")
    visitor.get_by_role("button", name="Start 12 matches").click()
    visitor.get_by_role("heading", name="Which?").wait_for()
    made = Experiment.objects.get()
    assert [arm["name"] for arm in made.spec["arms"]] == ["First", "Second"]
    assert [arm["seats"][0]["engine"] for arm in made.spec["arms"]] == ["uct", "random"]


@pytest.mark.slow
def test_back_after_start_brings_the_draft_back_and_a_new_visit_does_not(visitor):
    visitor.goto(f"{visitor.site}/experiments/new/")
    visitor.get_by_label("Question").fill("Which?")
    visitor.get_by_label("Seats", exact=True).select_option("5")
    visitor.get_by_label("Fifth seat").wait_for()
    visitor.get_by_label("Name of arm 1").fill("Five")
    visitor.get_by_label("Deals per arm").fill("3")
    visitor.get_by_role("button", name="Start 15 matches").click()
    visitor.get_by_role("heading", name="Which?").wait_for()
    visitor.go_back()
    visitor.get_by_role("button", name="Start 15 matches").wait_for()
    shown = [visitor.get_by_label(label, exact=True).input_value() for label in ("Question", "Seats", "Deals per arm")]
    assert shown == ["Which?", "5", "3"]
    assert visitor.get_by_label("Name of arm 1").input_value() == "Five"
    visitor.get_by_label("Question").fill("Which then?")
    visitor.get_by_role("button", name="Start 15 matches").click()
    visitor.get_by_role("heading", name="Which then?").wait_for()
    assert Experiment.objects.count() == 2
    visitor.goto(f"{visitor.site}/experiments/new/")
    assert visitor.get_by_label("Question").input_value() == ""


@pytest.mark.slow
def test_the_error_of_a_sweep_follows_what_is_typed(visitor):
    visitor.goto(f"{visitor.site}/experiments/new/?engine=flat_mc")
    visitor.get_by_role("button", name="Add a sweep").click()
    values = visitor.get_by_label("Values")
    values.wait_for()
    assert values.get_attribute("aria-invalid") is None
    error = visitor.locator("#id_sweep-0-values_error")
    assert error.count() == 0
    values.fill("10, 20, 10")
    error.get_by_text("10 appears twice.").wait_for()
    assert values.get_attribute("aria-invalid") == "true"
    values.fill("many")
    error.get_by_text("is not a number").wait_for()
    values.fill("10, 20")
    error.wait_for(state="detached")
    assert values.get_attribute("aria-invalid") is None
    visitor.get_by_label("First seat").first.select_option("random")
    visitor.get_by_text("No engine of this line-up has what it varied: Playouts per legal action.").wait_for()


@pytest.mark.slow
def test_a_sweep_survives_a_look_at_another_page(visitor):
    visitor.goto(f"{visitor.site}/experiments/new/")
    visitor.get_by_label("First seat").select_option("flat_mc")
    visitor.locator("[name=arm-0-seat-0-for][value=flat_mc]").wait_for(state="attached")
    visitor.get_by_role("button", name="Add a sweep").click()
    visitor.get_by_label("Values").fill("10, 20, 40")
    visitor.get_by_text("3 arms \N{MULTIPLICATION SIGN} 30 deals").wait_for()
    visitor.get_by_role("link", name="Engines").first.click()
    visitor.wait_for_url("**/engines/")
    visitor.go_back()
    visitor.get_by_text("3 arms \N{MULTIPLICATION SIGN} 30 deals").wait_for()
    assert visitor.get_by_label("First seat").first.input_value() == "flat_mc"
    assert visitor.get_by_label("Values").input_value() == "10, 20, 40"


@pytest.mark.slow
def test_a_match_that_was_set_up_survives_a_look_at_another_page(visitor):
    visitor.goto(f"{visitor.site}/matches/new/")
    visitor.get_by_label("First seat").select_option("flat_mc")
    visitor.locator("[name=arm-0-seat-0-for][value=flat_mc]").wait_for(state="attached")
    visitor.get_by_label("Seed", exact=True).fill("7411")
    visitor.get_by_role("link", name="Engines").first.click()
    visitor.wait_for_url("**/engines/")
    visitor.go_back()
    visitor.locator("[name=arm-0-seat-0-for][value=flat_mc]").wait_for(state="attached")
    assert visitor.get_by_label("Seed", exact=True).input_value() == "7411"


@pytest.mark.slow
def test_an_emptied_number_takes_the_estimate_away(visitor):
    visitor.goto(f"{visitor.site}/experiments/new/")
    visitor.get_by_label("Deals per arm").fill("")
    visitor.get_by_role("button", name="Check the form").first.wait_for()


def test_the_list_of_matches_follows_and_keeps_what_is_typed(visitor, alice):
    experiment = make(alice, deals=20)
    experiment.chunks.update(status="claimed", worker="w", claimed_at=experiment.created_at)
    visitor.goto(f"{visitor.site}/experiments/{experiment.pk}/matches/")
    visitor.get_by_text("No match has been played yet").wait_for()
    visitor.get_by_role("spinbutton", name="Deal").type("7")
    fill(experiment)
    visitor.get_by_text("1 to 15 of 40").wait_for()
    assert visitor.get_by_role("spinbutton", name="Deal").input_value() == "7"
    visitor.get_by_role("spinbutton", name="Deal").press("Enter")
    visitor.get_by_text("1 to 2 of 2 that fit").wait_for()
    visitor.wait_for_url("**/matches/?deal=7")
    visitor.reload()
    visitor.get_by_text("1 to 2 of 2 that fit").wait_for()


@pytest.mark.slow
def test_a_spec_is_pasted(visitor):
    visitor.goto(f"{visitor.site}/experiments/new/")
    visitor.get_by_text("Spec as JSON", exact=True).click()
    text = visitor.locator("#spec").text_content().replace('"deals": 30', '"deals": 7')
    visitor.get_by_text("Paste a spec").click()
    visitor.get_by_label("A spec as JSON").fill(text)
    visitor.get_by_role("button", name="Fill the form with it").click()
    visitor.get_by_role("button", name="Start 14 matches").first.wait_for()
    assert visitor.get_by_label("Deals per arm").input_value() == "7"


def test_the_live_page_follows_the_matches_and_ends(visitor, alice):
    visitor.goto(f"{visitor.site}/experiments/new/?engine=flat_mc")
    visitor.get_by_label("Deals per arm").fill("4")
    visitor.get_by_role("button", name="Start 8 matches").click()
    visitor.get_by_text("Waiting", exact=True).wait_for()
    experiment = Experiment.objects.get()
    fill(experiment)
    visitor.get_by_role("progressbar").and_(visitor.locator('[aria-valuenow="8"]')).wait_for()
    visitor.get_by_text("Running", exact=True).wait_for()
    visitor.locator("#result").get_by_text("4 deals, each with all its seatings.").wait_for()
    assert visitor.locator("#arms").count() == 1, "the tables came with the answer"
    visitor.locator("#arms summary").click()
    failed = {"seat": 0, "kind": "exception", "message": "ValueError: no move"}
    Seat.objects.filter(deal=3).update(result=None, score=None, margin=None, rank=None)
    Match.objects.filter(deal=3).update(status="failed", failure=failed, finished_at=timezone.now())
    visitor.evaluate("htmx.trigger(document.body, 'lab:tick')")
    visitor.locator("#result").get_by_text("3 deals, each with all its seatings.").wait_for()
    assert visitor.locator("#arms tbody tr").first.get_by_text("6", exact=True).count(), "matches of three deals"
    assert visitor.locator("#arms details").evaluate("fold => fold.open")
    Experiment.objects.update(status="finished")
    visitor.get_by_text("Finished", exact=True).wait_for()
    assert visitor.locator("main [data-poll]").count() == 0
    visitor.get_by_role("table").first.get_by_text("Flat Monte Carlo").wait_for()
    visitor.locator(".head summary", has_text="More").click()
    head, export = visitor.get_by_text("Plies: one row per action"), visitor.get_by_text("Export matches, JSON lines")
    looks = [one.evaluate("entry => [getComputedStyle(entry).color, entry.offsetHeight]") for one in (head, export)]
    assert looks[0][0] != looks[1][0], "what heads entries is no entry"
    assert looks[1][1] == visitor.get_by_text("Export matches, CSV").evaluate("it => it.offsetHeight"), "in one line"


@pytest.mark.slow
def test_stop_asks_before_and_names_what_is_lost(visitor, alice):
    visitor.goto(f"{visitor.site}/experiments/new/")
    visitor.get_by_label("Deals per arm").fill("4")
    visitor.get_by_role("button", name="Start 8 matches").click()
    visitor.get_by_text("Stop", exact=True).click()
    visitor.get_by_text("8 matches will not be played").wait_for()
    visitor.keyboard.press("Escape")
    assert Experiment.objects.get().status == "running"
    visitor.get_by_text("Stop", exact=True).click()
    visitor.get_by_role("button", name="Stop now").click()
    visitor.get_by_text("Stopped after 0 matches").wait_for()
    assert Experiment.objects.get().status == "stopped"


def test_the_theme_is_chosen_and_kept(visitor):
    visitor.goto(f"{visitor.site}/engines/")
    visitor.get_by_label("Light or dark").click()
    visitor.get_by_role("button", name="Dark").click()
    assert visitor.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 22, 26)"
    visitor.reload()
    assert visitor.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.parametrize(
    "address",
    [
        "/experiments/new/",
        *(pytest.param(address, marks=pytest.mark.slow) for address in ("/", "/experiments/", "/matches/new/")),
        "/games/carcassonne/",
    ],
)
def test_no_page_scrolls_sideways_on_a_phone(visitor, address):
    visitor.set_viewport_size({"width": 320, "height": 700})
    visitor.goto(f"{visitor.site}{address}")
    assert visitor.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.slow  # an experiment is built so above, by the same script
def test_a_sweep_is_built_without_losing_input(visitor):
    visitor.goto(f"{visitor.site}/experiments/new/?engine=flat_mc")
    visitor.get_by_label("Question").fill("By how much?")
    visitor.get_by_role("button", name="Add a sweep").click()
    first = visitor.get_by_role("article", name="Sweep 1")
    first.get_by_label("Values").fill("5 to 20 step 5")
    visitor.get_by_text("4 arms \N{MULTIPLICATION SIGN} 30 deals").wait_for()
    visitor.get_by_role("button", name="Cross with another").click()
    second = visitor.get_by_role("article", name="Sweep 2")
    second.wait_for()
    visitor.wait_for_function("!document.querySelector('.htmx-settling, .htmx-swapping')")
    second.get_by_label("What varies").focus()
    second.get_by_label("What varies").select_option("options.opponent")
    second.get_by_label("sum of all others").wait_for()
    assert visitor.evaluate("document.activeElement.id") == "id_sweep-1-what"
    visitor.get_by_text("8 arms \N{MULTIPLICATION SIGN} 30 deals").wait_for()
    second.get_by_label("sum of all others").uncheck()
    visitor.get_by_role("button", name="Check the form").first.wait_for()
    second.get_by_label("sum of all others").check()
    visitor.get_by_text("8 arms: 4 \N{MULTIPLICATION SIGN} 2").click()
    last = "playouts per action 20, Opponents' score: best other seat"
    visitor.locator("#estimate").get_by_text(last).wait_for()
    visitor.get_by_label("Baseline").select_option(last)
    visitor.get_by_label("Deals per arm").fill("1")
    visitor.get_by_role("button", name="Remove sweep 2").click()
    second.wait_for(state="detached")
    assert first.get_by_label("Values").input_value() == "5 to 20 step 5"
    assert visitor.get_by_label("Question").input_value() == "By how much?"
    visitor.get_by_role("button", name="Start 8 matches").click()
    visitor.get_by_role("heading", name="By how much?").wait_for()
    assert [arm["name"] for arm in Experiment.objects.get().spec["arms"]] == [
        f"playouts per action {n}" for n in (5, 10, 15, 20)
    ]


@pytest.mark.slow
def test_the_keyboard_keeps_its_place(visitor):
    visitor.goto(f"{visitor.site}/experiments/new/")

    def press(selector):
        """Press a button by Enter, wait for the form that it brings, and return where the focus is then."""
        visitor.evaluate("document.getElementById('builder').setAttribute('data-old', '')")
        visitor.locator(selector).focus()
        visitor.keyboard.press("Enter")
        visitor.locator("#builder[data-old]").wait_for(state="detached")
        visitor.locator("#builder .htmx-settling, #builder.htmx-settling").wait_for(state="detached")
        return visitor.evaluate("document.activeElement.id")

    for name in ("kind-publishable", "kind-quick", "draw-seed", "add-arm", "copy-0"):
        assert press(f"#{name}") == name
    visitor.get_by_text("plays the same as Arm 1").first.wait_for()
    remove = "[value='remove:1']"
    assert (press(remove), press(remove)) == ("add-arm", "add-arm")
    visitor.get_by_label("Deals per arm").fill("3")
    visitor.locator("#start").focus()
    visitor.get_by_text("Start 6 matches").first.wait_for()
    assert visitor.evaluate("document.activeElement.id") == "start"
    visitor.keyboard.press("Enter")
    visitor.wait_for_url(re.compile(r"/experiments/\d+/$"))
    assert Experiment.objects.get().spec["deals"] == 3
