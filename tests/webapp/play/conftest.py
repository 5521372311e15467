"""Fixtures for tests of the pages of play."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.webapp.play import courses, engine_room
from tests.webapp.play.courses import Course
from tests.webapp.table.live import tables
from webapp.play import preferences, slips
from webapp.table.live import match_setup
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import Terms

PHONE = {"width": 390, "height": 844}
Show = Callable[..., Any]


@pytest.fixture(autouse=True)
def _no_counts() -> None:
    """Nobody has begun as a guest this minute."""
    cache.clear()


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Engines answer in this process while the test runs; ``engines.clear()`` holds them back."""
    with engine_room.open_room(monkeypatch) as may_think:
        yield may_think


@pytest.fixture
def sign_in(live_server: Any) -> Callable[[Any, Any], None]:
    """Sign a person in on a browser's page."""

    def sign_in(page: Any, person: Any) -> None:
        client = Client()
        client.force_login(person)
        cookie = client.cookies["sessionid"].value
        page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])

    return sign_in


# ---- the board in a browser


@pytest.fixture
def course() -> Course:
    """The match that is played; tests of other games are parametrised with theirs (`courses.all_of_them`)."""
    return courses.CARCASSONNE


@pytest.fixture
def match(alice: Any, engines: Any, course: Course) -> LiveMatch:
    """A match of alice against engines, the same each time; the deal of Carcassonne has places to choose at once."""
    seats, seed = [tables.person(alice)] + [tables.engine()] * (course.seats - 1), course.deal_seed
    return match_setup.open_match(alice, course.game, course.options, seats, Terms(), seed=seed, deal_seed=seed)


@pytest.fixture
def show(page: Any, live_server: Any, sign_in: Any, alice: Any, monkeypatch: pytest.MonkeyPatch) -> Show:
    """Open the board of a match as somebody (alice), on a page (the test's).

    Who has not said otherwise confirms everywhere, and engines' answers are not kept back.
    """
    monkeypatch.setattr(slips, "SLIP_MS", 0)

    def show(match: LiveMatch, person: Any = None, on: Any = None) -> Any:
        shown, who = on or page, person or alice
        if "confirm" not in who.preferences:
            preferences.change(who, lambda stored: {"confirm": "always", **stored})
        sign_in(shown, who)
        shown.goto(f"{live_server.url}/play/{match.code}/")
        return shown

    return show


@pytest.fixture
def phone(lent: Callable[..., Any]) -> Iterator[Any]:
    """A page of a phone: small, touched, without a mouse."""
    with lent("phone", viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2) as page:
        yield page


@pytest.fixture
def ahead(match: LiveMatch, engines: Any) -> Callable[[int], LiveMatch]:
    """Play so many plies at random for both seats; the engine is held back meanwhile."""

    def ahead(plies: int) -> LiveMatch:
        engines.clear()
        try:
            return tables.play_on(match, plies)
        finally:
            engines.set()

    return ahead
