"""Who sees what others hide sits at no table, whichever way a match is opened."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import signing

from engines.protocol import Budget
from tests.webapp.api.callers import Caller
from tests.webapp.table.live import tables
from webapp.matches.responses import PLAY_ON
from webapp.play import draft
from webapp.records.models import EngineConfiguration
from webapp.table.live import match_setup, player_requests
from webapp.table.live.errors import RefusedError
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import Terms
from worker.spec import SeatSpec, SpecError

PEEKING = {"peek": True}
SEARCHES = pytest.mark.parametrize("engine", ["flat_mc", "flat_ucb", "uct"])
pytestmark = pytest.mark.django_db


@pytest.fixture
def played(alice: Any) -> LiveMatch:
    """A finished match, short, of alice against a search that since then peeks."""
    honest = SeatSpec("flat_mc", {}, Budget(playouts=1))
    match = match_setup.open_match(
        alice, "dominion", {"turn_limit": 1}, [tables.person(alice), tables.engine(honest)], Terms()
    )
    match = tables.play_on(match)
    EngineConfiguration.objects.filter(engine="flat_mc").update(options=PEEKING)
    return match


@SEARCHES
def test_the_form_refuses_it(client: Any, alice: Any, engine: str) -> None:
    client.force_login(alice)
    seats = {"seats": "2", "seat-1-who": draft.ENGINE, "seat-1-who-for": draft.ENGINE}
    shown = draft.complete({"game": "dominion", "seat-1-engine": engine, **seats}, [draft.ME, draft.ENGINE])
    page = client.post("/play/new/", shown | {"seat-1-option-peek": "on"}).content.decode()
    assert f"This engine {match_setup.PEEKS}" in page
    assert not LiveMatch.objects.exists()
    assert client.post("/play/new/", shown).status_code == 302


@SEARCHES
def test_the_api_refuses_it(alice: Any, engine: str) -> None:
    seats = ["me", {"engine": engine, "options": PEEKING}]
    answer = Caller(alice, "bot").post("/matches", {"game": "dominion", "seats": seats})
    assert answer.status_code == 422
    assert [row["place"] for row in answer.json()["errors"]] == ["body.seats[1].options.peek"]
    assert not LiveMatch.objects.exists()


@SEARCHES
def test_the_opener_of_such_a_match_is_refused(alice: Any, engine: str) -> None:
    peeking = tables.engine(SeatSpec(engine, PEEKING, Budget(seconds_per_ply=1)))
    with pytest.raises(SpecError, match=r"seats\[1\]\.engine"):
        tables.open_match(alice, [tables.person(alice), peeking], game="dominion")


def test_a_rematch_is_refused(played: LiveMatch) -> None:
    with pytest.raises(RefusedError, match=match_setup.PEEKS):
        player_requests.grant("rematch", played.pk, (0,))
    assert LiveMatch.objects.count() == 1


def test_one_cannot_play_on_against_it(client: Any, alice: Any, played: LiveMatch) -> None:
    client.force_login(alice)
    address = f"/play/on/{signing.dumps(played.match_id, salt=PLAY_ON)}/?ply=1"
    page = client.get(address).content.decode()
    assert "The engine that sat here" not in page
    number = re.search(r'name="submission" value="([^"]+)"', page)
    assert number is not None
    wanted = {"submission": number[1], "seat-0": "me", "seat-1": "as", "draws": "same", "thinking_s": "1"}
    assert "is not one of the available choices" in client.post(address, wanted).content.decode()
    assert LiveMatch.objects.count() == 1
