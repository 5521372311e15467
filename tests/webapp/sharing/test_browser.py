"""Shared pages in a real browser: what their owner and signed-in visitors press there arrives."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from tests.webapp.lab.results import factory
from webapp.lab.jobs import share_links as services
from webapp.records.models import ShareLink, Study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_in(page: Any, person: Any, live_server: Any) -> None:
    client = Client()
    client.force_login(person)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    page.context.add_cookies([cookie])


@pytest.mark.slow
def test_the_owner_withdraws_the_link_on_its_page(page: Any, live_server: Any, alice: Any) -> None:
    link = services.share(factory.played(alice, deals=1))
    sign_in(page, alice, live_server)
    page.goto(f"{live_server.url}/r/{link.slug}/")
    page.get_by_text("Withdraw link").first.click()
    page.get_by_role("button", name="Withdraw link").click()
    page.wait_for_url("**/experiments/**")
    assert ShareLink.objects.get().withdrawn_at is not None


@pytest.mark.slow
def test_a_visitor_analyses_a_position_of_a_shared_match(
    page: Any, live_server: Any, alice: Any, bob: Any, valkey_service: Any
) -> None:
    match = factory.played(alice, deals=1).matches.select_related("experiment").order_by("pk").first()
    link = services.share(match.experiment, match)
    sign_in(page, bob, live_server)
    page.goto(f"{live_server.url}/r/{link.slug}/position/?ply=12")
    page.get_by_role("button", name="Analyse this position").click()
    page.get_by_text("0 of 1 done").wait_for()
    assert Study.objects.get().owner == bob


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Another site, of another origin: its folder and its address."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield tmp_path, f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.slow
def test_another_site_frames_a_replay_and_nothing_else(
    page: Any, live_server: Any, alice: Any, elsewhere: tuple[Path, str]
) -> None:
    folder, address = elsewhere
    match = factory.played(alice, deals=1).matches.select_related("experiment").earliest("pk")
    slug = services.share(match.experiment).slug
    framed = {
        "replay": f"/embed/{slug}/match/{match.pk}/?ply=2&theme=dark",
        "chart": f"/embed/{slug}/chart/win-rate/",
        "refused": f"/r/{slug}/",
    }
    frames = (
        f'<iframe id="{name}" src="{live_server.url}{path}" width="560" height="480"></iframe>'
        for name, path in framed.items()
    )
    (folder / "index.html").write_text("<!doctype html>" + "".join(frames), encoding="utf-8")
    page.goto(address, wait_until="domcontentloaded")
    replay = page.frame_locator("#replay")
    replay.locator('[data-step="next"]').click()
    expect(replay.locator("[data-now]").first).to_have_text("3")
    replay.locator("body").press("ArrowLeft")
    replay.locator("body").press("Home")
    expect(replay.locator("[data-now]").first).to_have_text("0")
    assert any(frame.url.endswith("?ply=0&theme=dark") for frame in page.frames), "the address names the ply"
    expect(replay.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.frame_locator("#chart").locator(".js-plotly-plot")).to_be_visible()
    assert page.frame_locator("#refused").locator("main").count() == 0
    assert any("frame-ancestors" in problem for problem in page.problems)
    assert not page.context.cookies(), "frames leave nothing behind"
    page.problems.clear()
