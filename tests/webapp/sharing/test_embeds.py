"""Embeds: small pages that other sites show in frames, and nothing else of ours."""

from __future__ import annotations

import html
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM
from tests.webapp.pages import markup
from webapp.lab.jobs import share_links
from webapp.records.models import Experiment, ShareLink
from webapp.sharing import embeds, frames

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(alice: Any) -> Experiment:
    return factory.played(alice, [[FLAT, RANDOM]], deals=2, title="Does <looking> ahead help?")


@pytest.fixture
def link(made: Experiment) -> ShareLink:
    return share_links.share(made)


def may_be_framed(response: Any) -> bool:
    """Whether any site may show it in a frame; both headers have to say the same."""
    policy = response.headers["Content-Security-Policy"]
    says = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    by_policy = {"*": True, "'none'": False}[says.pop("frame-ancestors")]
    usual = {name: " ".join(value) for name, value in settings.CONTENT_SECURITY_POLICY["DIRECTIVES"].items()}
    assert says == {name: value for name, value in usual.items() if name != "frame-ancestors"}, "as strict otherwise"
    assert ("X-Frame-Options" not in response.headers) == by_policy
    return by_policy


def test_embeds_alone_may_be_framed(made: Experiment, link: ShareLink, client: Client, alice: Any) -> None:
    match = made.matches.earliest("pk")
    single = share_links.share(made, match)
    embeds = (f"{link.slug}/chart/win-rate/", f"{link.slug}/match/{match.pk}/", f"{single.slug}/match/")
    for path in embeds:
        response = Client().get(f"/embed/{path}")
        assert response.status_code == 200, path
        assert may_be_framed(response), path
        assert not response.cookies, path
    shared = f"/r/{link.slug}/"
    client.force_login(alice)
    own = f"/experiments/{made.pk}/"
    below = ("", "embed/", "charts/win-rate/", f"matches/{match.pk}/", f"matches/{match.pk}/embed/", "verification/")
    for path in (*(f"{shared}{part}" for part in below), own, "/", "/accounts/", "/play/", "/nowhere/"):
        assert not may_be_framed(client.get(path)), path


def test_what_goes_wrong_is_said_inside_of_the_frame(
    link: ShareLink, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = f"/embed/{link.slug}/"
    asked = {"/embed/nothing/chart/win-rate/": 404, f"{place}chart/nothing/": 404, f"{place}match/": 404}
    for path, status in asked.items():
        response = client.get(path)
        assert (response.status_code, may_be_framed(response)) == (status, True), path
        assert "Nothing is shared at this address." in markup(response)
    assert client.post(f"{place}chart/win-rate/").status_code == 405
    share_links.withdraw(link)
    gone = client.get(f"{place}chart/win-rate/?theme=dark")
    assert (gone.status_code, may_be_framed(gone)) == (410, True)
    assert "This result was withdrawn" in markup(gone)
    assert 'data-theme="dark"' in gone.content.decode()
    monkeypatch.setattr(frames, "BY_ADDRESS", frames.Limit("address", 1, "pages to embed"))
    answers = [client.get(f"{place}chart/win-rate/") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [410, 429]
    assert may_be_framed(answers[1])
    assert int(answers[1].headers["Retry-After"]) > 0


def test_a_chart_leads_to_its_source(link: ShareLink) -> None:
    page = Client().get(f"/embed/{link.slug}/chart/win-rate/?theme=light").content.decode()
    assert f'data-chart-source="/r/{link.slug}/charts/win-rate.json"' in page
    assert f'href="{settings.PUBLIC_URL}/r/{link.slug}/#cite"' in page
    assert "Does &lt;looking&gt; ahead help?" in page
    assert 'data-theme="light"' in page
    assert "data-theme" not in Client().get(f"/embed/{link.slug}/chart/win-rate/?theme=evil").content.decode()
    assert "csrf" not in page


def test_a_replay_begins_at_its_ply(made: Experiment, link: ShareLink) -> None:
    match = made.matches.earliest("pk")
    page = Client().get(f"/embed/{link.slug}/match/{match.pk}/?ply=3").content.decode()
    assert re.search(r'data-replay\s+data-ply="3"', page)
    assert 'id="frames"' in page
    assert f'href="{settings.PUBLIC_URL}/r/{link.slug}/matches/{match.pk}/"' in page
    without = made.matches.latest("pk")
    without.plies.all().delete()
    assert "No moves to replay" in Client().get(f"/embed/{link.slug}/match/{without.pk}/").content.decode()


def test_the_line_to_copy_is_the_one_that_is_shown(made: Experiment, link: ShareLink) -> None:
    asked = {"chart": "points", "width": "640", "height": "99999", "theme": "dark"}
    page = Client().get(f"/r/{link.slug}/embed/?{urlencode(asked)}").content.decode()
    found = re.search(r'<pre id="embed-line">(.*?)</pre>', page)
    assert found is not None
    line = html.unescape(found.group(1))
    url = f"{settings.PUBLIC_URL}/embed/{link.slug}/chart/points/?theme=dark"
    assert line.startswith(f'<iframe src="{url}" width="640" height="2000" title="')
    assert "<looking>" not in line, "a title closes no attribute"
    assert f'src="/embed/{link.slug}/chart/points/?theme=dark"' in page
    part = Client().get(f"/r/{link.slug}/embed/?width=-1&height=no", headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert 'width="100%" height="520"' in html.unescape(part).replace("\n", " ")
    match = made.matches.earliest("pk")
    of_match = Client().get(f"/r/{link.slug}/matches/{match.pk}/embed/?ply=4").content.decode()
    assert f'src="/embed/{link.slug}/match/{match.pk}/?ply=4"' in of_match


def test_oembed(made: Experiment, link: ShareLink, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(url: str, **more: Any) -> Any:
        return Client().get("/oembed", {"url": url, **more})

    shared = f"{settings.PUBLIC_URL}/r/{link.slug}/"
    page = html.unescape(Client().get(f"/r/{link.slug}/").content.decode())
    assert f"{settings.PUBLIC_URL}/oembed?{urlencode({'url': shared})}" in page
    found = ask(shared, maxwidth=400, maxheight=300).json()
    assert (found["version"], found["type"], found["width"], found["height"]) == ("1.0", "rich", 400, 300)
    assert found["html"].startswith(f'<iframe src="{settings.PUBLIC_URL}/embed/{link.slug}/chart/')
    match = made.matches.earliest("pk")
    assert f"/embed/{link.slug}/match/{match.pk}/" in ask(f"{shared}matches/{match.pk}/").json()["html"]
    assert "/chart/points/" in ask(f"{shared}charts/points/").json()["html"]
    assert ask(shared, format="xml").status_code == 501
    share_links.withdraw(link)
    elsewhere = ("", "https://elsewhere.example/r/x/", f"{settings.PUBLIC_URL}/games/", f"{shared}\0", "http://[")
    assert [ask(url).status_code for url in (shared, *elsewhere)] == [404] * 6
    monkeypatch.setattr(embeds, "BY_ADDRESS", frames.Limit("address", 1, "questions about embeds"))
    assert [ask(shared).status_code for _ in range(2)] == [404, 429]
