"""Lists that are searched and filtered: what fits, what is offered, and what nobody else's reader sees."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.webapp.lab.jobs.conftest import Sample, set_to
from tests.webapp.pages import markup
from tests.webapp.specs import make
from webapp.lab.jobs import listing, share_links

pytestmark = pytest.mark.django_db
TITLES = ("Wide bias", "Narrow bias", "Luck of the deal")


def shown(client: Client, address: str) -> list[str]:
    """Titles of the rows of a list."""
    return re.findall(r'<a class="name" href="[^"]*">(.*?)</a>', markup(client.get(address)))


@pytest.fixture
def three(alice: Any, sample: Sample) -> list[Any]:
    """Three jobs of alice: running with a tag, paused with notes, finished."""
    jobs = [sample.running(alice, title) for title in TITLES]
    set_to(jobs[0], tags=["uct", "4 seats"])
    set_to(jobs[1], status="paused", notes="seen at the café", tags=["uct"])
    set_to(jobs[2], status="finished")
    return jobs


def test_all_words_have_to_be_somewhere(signed_in: Client, three: list[Any], sample: Sample) -> None:
    found = {
        "bias": ["Narrow bias", "Wide bias"],
        "BIAS café": ["Narrow bias"],
        "4 seat": ["Wide bias"],
        f"#{three[2].pk}": [],  # it is finished: another tab
        "a%00b": [],
        "%25": [],
    }
    for words, titles in found.items():
        assert shown(signed_in, f"/{sample.plural}/?tab=running&q={words.replace('#', '%23')}") == titles, words
    page = markup(signed_in.get(f"/{sample.plural}/?tab=running&q=luck"))
    assert "Nothing here fits" in page
    assert re.search(r'href="\?tab=finished&amp;q=luck">1 under Finished', page)
    assert shown(signed_in, f"/{sample.plural}/?q=luck") == ["Luck of the deal"]  # without a tab: where something fits


def test_filters_narrow_and_chips_take_them_back(signed_in: Client, three: list[Any], sample: Sample) -> None:
    address = f"/{sample.plural}/?tab=running"
    game = three[0].game
    assert shown(signed_in, f"{address}&tag=UCT") == ["Narrow bias", "Wide bias"]
    assert shown(signed_in, f"{address}&tag=uc") == []
    assert shown(signed_in, f"{address}&state=paused") == ["Narrow bias"]
    assert shown(signed_in, f"{address}&state=finished") == ["Narrow bias", "Wide bias"]  # no state of this tab
    assert shown(signed_in, f"{address}&game={game}&tag=4+seats") == ["Wide bias"]
    assert shown(signed_in, f"{address}&game=chess") == []
    page = markup(signed_in.get(f"{address}&tag=uct&q=wide"))
    assert 'href="?tab=running&amp;tag=uct" aria-label="Without Words “wide”"' in page
    assert 'href="?tab=running&amp;q=wide" aria-label="Without Tag uct"' in page
    assert re.search(r'href="\?tab=finished&amp;q=wide&amp;tag=uct"', page)
    answer = signed_in.get(f"{address}&q=&game=&tag=uct", HTTP_HX_REQUEST="true")
    assert answer["HX-Push-Url"] == f"/{sample.plural}/?tab=running&tag=uct"


def test_an_engine_is_found_where_it_sits(signed_in: Client, alice: Any) -> None:
    make(alice, "Against random")
    other = make(alice, "Against itself", arms=[{"name": "One", "seats": [{"engine": "scripted"}] * 2}])
    assert other.pk
    assert shown(signed_in, "/experiments/?engine=random") == ["Against random"]
    assert shown(signed_in, "/experiments/?engine=scripted") == ["Against itself", "Against random"]
    page = markup(signed_in.get("/experiments/"))
    assert re.findall(r'<option value="(random|scripted|uct)"', page) == ["random", "scripted"]


def test_pages_keep_what_is_asked_for_and_rows_cost_no_queries(
    signed_in: Client, alice: Any, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = []
    for title in ("bias 1", "bias 2", "bias 3"):
        set_to(sample.running(alice, title), tags=["uct"], notes="a note")
        with CaptureQueriesContext(connection) as found:
            signed_in.get(f"/{sample.plural}/?q=bias&tag=uct")
        queries.append(len(found))
    assert queries[0] == queries[-1]
    monkeypatch.setattr(listing, "PER_PAGE", 2)
    page = markup(signed_in.get(f"/{sample.plural}/?q=bias&tag=uct"))
    assert 'href="?tab=running&amp;q=bias&amp;tag=uct&amp;page=2"' in page


def test_staff_find_jobs_of_others_by_their_titles_alone(
    client: Client, alice: Any, bob: Any, three: list[Any], sample: Sample
) -> None:
    sample.running(bob, "Of bob")
    address = f"/{sample.plural}/?tab=running&person="
    client.force_login(bob)
    assert shown(client, f"{address}alice") == ["Of bob"]  # who is no staff sees their own
    bob.is_staff = True
    bob.save()
    assert shown(client, f"{address}alice") == ["Narrow bias", "Wide bias"]
    assert shown(client, f"{address}everybody") == ["Of bob", "Narrow bias", "Wide bias"]
    assert shown(client, f"{address}alice&q=café") == []
    assert shown(client, f"{address}alice&tag=uct") == []
    page = markup(client.get(f"{address}alice"))
    assert "café" not in page
    assert "4 seats" not in page
    assert "of alice" in page
    assert "/change/" in page
    slug = share_links.share(three[0]).slug
    assert f'href="/r/{slug}/"' in markup(client.get(f"{address}alice"))
