import re

import pytest

from tests.webapp.lab.studies.conftest import fill
from webapp.lab.presets import numbers, services
from webapp.lab.studies import results
from webapp.records.models import ShareLink
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
    assert "54 Equivalent 0 Compatible 0 Differs 0 Cannot tell of 54 judged figures" in page
    assert "6.9·10²⁸" in page


def test_the_studys_own_page_and_the_shared_one_show_the_comparison(client, alice, done):
    client.force_login(alice)
    ShareLink.objects.create(slug="preset-study-016", study=done.study)
    for address in (f"/studies/{done.study.pk}/", "/r/preset-study-016/"):
        page = client.get(address)
        assert "Beside Table 3.1" in words(page)
        assert f'href="{TABLE}"' in page.content.decode()


@pytest.mark.long
def test_runs_of_studies_are_listed_with_their_pages(client, alice, done):
    client.force_login(alice)
    for address in ("/presets/", TABLE):
        assert f"/studies/{done.study.pk}/" in client.get(address).content.decode()


def test_the_result_is_made_once_for_all_who_look(done, monkeypatch):
    first = numbers.numbers(registry.get("heyden-table-3.1"), done)
    assert first.study
    monkeypatch.setattr(results, "current", lambda study: 1 // 0)
    assert numbers.numbers(registry.get("heyden-table-3.1"), done) == first


def bought(coins, woodcutters, golds):
    """A row of one match."""
    return {"coins": coins, "match": 0, "result": "win", "bought": {"Woodcutter": woodcutters, "Gold": golds}}


def test_what_is_stacked_stands_in_a_chart_and_folded_in_a_table(client, alice, valkey_service):
    run, _ = services.start(alice, registry.get("jansen-figure-25"), "quick")
    rows = (bought(2, 0, 5), bought(2, 1, 4), bought(10, 4, 0), bought(10, 5, 1))
    for piece, row in zip(run.study.pieces.order_by("index"), rows, strict=False):
        piece.status, piece.row, piece.versions, piece.cpu_s = "done", row, {}, 1.0
        piece.save()
    client.force_login(alice)
    page = client.get("/presets/jansen-figure-25/").content.decode()
    listed, folded = page.split("Every number of the chart</summary>")
    assert "Woodcutters at 10 coins less those at 4" in listed
    assert 'id="preset-stack-words">2: Gold 4.5, Woodcutter 0.5; 10: Gold 0.5, Woodcutter 4.5' in listed
    assert "6 coins" not in listed
    assert "6 coins" in folded
    assert "of 5 judged figures" not in words(client.get("/presets/jansen-figure-25/")), "it runs on"
    assert words(client.get("/presets/jansen-figure-25/")).count("Not judged yet") == 1
