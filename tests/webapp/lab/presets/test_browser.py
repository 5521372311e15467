"""Presets in a real browser: a start is one click, figures follow, phones need no sideways scrolling."""

import pytest

from tests.webapp.lab.presets.runs import run
from tests.webapp.lab.results import factory
from webapp.lab.presets.models import PresetRun
from webapp.records.models import Experiment

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TABLE = "/presets/heyden-table-6.1/"


@pytest.fixture
def visitor(page, live_server, client, alice):
    """A browser signed in as alice; `visitor.site` is the address of the lab."""
    client.force_login(alice)
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    page.site = live_server.url
    return page


def test_a_double_click_starts_one_run(visitor, valkey_service):
    visitor.goto(f"{visitor.site}{TABLE}")
    visitor.get_by_role("button", name=": Quick").dblclick()
    visitor.get_by_text("0 of 320 matches.").wait_for()
    assert PresetRun.objects.count() == 1


@pytest.mark.slow
def test_figures_follow_the_matches(visitor, alice):
    made = run(alice, deals=2, played=False)
    visitor.goto(f"{visitor.site}{TABLE}")
    visitor.get_by_text("0 of 4 matches.").wait_for()
    factory.write(made.experiment, [factory.record(made.experiment, 0, ordinal) for ordinal in range(2)])
    visitor.get_by_text("2 of 4 matches.").wait_for()
    factory.write(made.experiment, [factory.record(made.experiment, 0, ordinal) for ordinal in range(2, 4)])
    Experiment.objects.update(status="finished")
    visitor.get_by_text("Finished", exact=True).first.wait_for()
    assert visitor.locator("main [data-poll]").count() == 0
    assert visitor.get_by_role("rowheader", name="MC: mean score").count() == 2


@pytest.mark.slow
def test_the_experiments_page_brings_its_comparison_up_to_date(visitor, alice):
    made = run(alice, deals=2, played=False)
    visitor.goto(f"{visitor.site}/experiments/{made.experiment.pk}/")
    visitor.get_by_text("Our figures appear here with the first results.").wait_for()
    made.experiment.chunks.update(status="claimed", worker="w", claimed_at=made.experiment.created_at)
    factory.write(made.experiment, [factory.record(made.experiment, 0, ordinal) for ordinal in range(2)])
    visitor.get_by_text("2 of 4 matches.").wait_for()
    visitor.get_by_role("heading", name="Beside Table 6.1").wait_for()


@pytest.mark.parametrize(
    "address",
    [
        TABLE,
        *(pytest.param(address, marks=pytest.mark.slow) for address in ("/presets/", "/presets/papers/heyden-2009/")),
    ],
)
def test_no_page_scrolls_sideways_on_a_phone(visitor, alice, address):
    run(alice)
    visitor.set_viewport_size({"width": 320, "height": 700})
    visitor.goto(f"{visitor.site}{address}")
    assert visitor.evaluate("document.documentElement.scrollWidth") <= 320
