import re

import pytest

from tests.webapp.studies.conftest import fill
from webapp.presets import numbers, services
from webapp.records.models import ShareLink
from webapp.studies import results
from worker.presets import registry

pytestmark = pytest.mark.django_db
TABLE = "/presets/heyden-table-3.1/"


@pytest.fixture
def done(alice, valkey_service):
    """The study of table 3.1, done in this process."""
    run, _ = services.start(alice, registry.get("heyden-table-3.1"), "quick")
    fill(run.study, 1)
    return run


def words(response) -> str:
    """The text of a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_a_study_stands_beside_the_published_figures(client, alice, done):
    client.force_login(alice)
    page = words(client.get(TABLE))
    assert "54 Agrees 0 Differs 0 Cannot tell of 54 judged figures" in page
    assert "6.9·10²⁸" in page


def test_the_studys_own_page_and_the_shared_one_show_the_comparison(client, alice, done):
    client.force_login(alice)
    ShareLink.objects.create(slug="preset-study-016", study=done.study)
    for address in (f"/studies/{done.study.pk}/", "/r/preset-study-016/"):
        page = client.get(address)
        assert "Beside Table 3.1" in words(page)
        assert f'href="{TABLE}"' in page.content.decode()


def test_runs_of_studies_are_listed_with_their_pages(client, alice, done):
    client.force_login(alice)
    for address in ("/presets/", TABLE):
        assert f"/studies/{done.study.pk}/" in client.get(address).content.decode()


def test_the_result_is_made_once_for_all_who_look(done, monkeypatch):
    first = numbers.numbers(registry.get("heyden-table-3.1"), done)
    assert first.study
    monkeypatch.setattr(results, "current", lambda study: 1 // 0)
    assert numbers.numbers(registry.get("heyden-table-3.1"), done) == first
