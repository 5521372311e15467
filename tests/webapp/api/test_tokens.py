"""Who may ask for what, and how much."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from tests.webapp.api.callers import Caller
from webapp.api import examples, limits
from webapp.api.problems import ProblemError
from webapp.api.v1 import api
from webapp.people.accounts.models import Quota
from webapp.people.agents import services, tokens
from webapp.people.agents.models import AgentToken

pytestmark = pytest.mark.django_db

LIBRARY = ("games", "games/{game_id}", "games/{game_id}/levels", "engines", "presets", "presets/{preset_id}")
OPEN_TO_ALL = {f"/api/v1/{place}" for place in (*LIBRARY, "columns", "shared/{slug}/verification")}


def operations() -> list[tuple[str, str]]:
    """(method, address) of every operation."""
    return [(method, path) for path, found in api.get_openapi_schema()["paths"].items() for method in found]


def request(client: Client, method: str, path: str) -> Any:
    parts = {**examples.FILL_IN, "wish": "resign"}
    return getattr(client, method)(path.format(**parts))


def kind(response: Any) -> str:
    assert response.headers["Content-Type"] == "application/problem+json"
    return str(response.json()["type"]).rpartition("#")[2]


class TestTokens:
    @pytest.mark.long
    def test_every_operation_asks_for_one_but_the_library(self, client: Client, alice: Any) -> None:
        client.force_login(alice)  # a session is worth nothing here
        asked = {path for method, path in operations() if request(client, method, path).status_code == 401}
        assert asked == {path for _, path in operations()} - OPEN_TO_ALL

    def test_the_answer_says_how_to_bring_one(self, client: Client, bot: Caller) -> None:
        response = client.get("/api/v1/me")
        assert kind(response) == "no-token"
        assert response.headers["WWW-Authenticate"] == 'Bearer realm="Meeple Lab"'
        for wrong in (
            "Bearer",
            "Bearer ",
            "Bearer mlab_x",
            "Bearer ü",
            f"Bearer {bot.secret}x",
            f"Bearer {'x' * 5000}",
        ):
            response = client.get("/api/v1/me", headers={"Authorization": wrong})
            assert kind(response) in ("no-token", "bad-token")
            assert response.status_code == 401
        assert 'error="invalid_token"' in response.headers["WWW-Authenticate"]
        assert kind(client.get("/api/v1/me", headers={"Authorization": f"Basic {bot.secret}"})) == "no-token"

    def test_only_a_hash_is_kept(self, bot: Caller) -> None:
        row = AgentToken.objects.values().get(pk=bot.token.pk)
        assert bot.secret not in str(row)
        assert row["digest"] == tokens.digest(bot.secret)
        assert bot.secret.startswith(row["start"])

    def test_a_token_that_may_only_read(self, alice: Any) -> None:
        reader = Caller(alice, "reader", (tokens.READ,))
        assert reader.get("/matches").status_code == 200
        response = reader.post("/matches", {"game": "carcassonne", "seats": ["me", "open"]})
        assert (response.status_code, kind(response), response.json()["scope"]) == (403, "missing-scope", "play")

    def test_revoked_retired_and_closed_are_out(self, bot: Caller, alice: Any) -> None:
        other = Caller(alice, "alices-bot")
        tokens.revoke(other.token)
        assert (kind(other.get("/me")), bot.get("/me").status_code) == ("bad-token", 200)
        alice.is_active = False
        alice.save()
        assert kind(bot.get("/me")) == "bad-token"
        alice.is_active = True
        alice.save()
        services.retire(bot.agent)
        assert kind(bot.get("/me")) == "bad-token"

    def test_the_last_use_is_noted_once_a_minute(self, bot: Caller) -> None:
        bot.get("/me")
        first = AgentToken.objects.get(pk=bot.token.pk).used_at
        assert first is not None
        bot.get("/me")
        assert AgentToken.objects.get(pk=bot.token.pk).used_at == first
        earlier = timezone.now() - timedelta(minutes=2)
        AgentToken.objects.update(used_at=earlier)
        bot.get("/me")
        assert AgentToken.objects.get(pk=bot.token.pk).used_at > earlier

    def test_other_sites_get_no_leave(self, bot: Caller) -> None:
        response = bot.client.get("/api/v1/me", headers={"Origin": "https://elsewhere.example"})
        assert not [name for name in response.headers if name.startswith("Access-Control")]


class TestLimits:
    def test_a_token_that_asks_too_often_waits(
        self, bot: Caller, rival: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("time.time", lambda: 1_000_000_020.0)
        monkeypatch.setattr("webapp.api.auth.limits.TOKEN", limits.Limit("token", 3))
        answers = [bot.get("/me") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert kind(answers[3]) == "too-many-requests"
        assert int(answers[3].headers["Retry-After"]) == answers[3].json()["retry_after_s"] == 60 - 1_000_000_020 % 60
        assert rival.get("/me").status_code == 200
        monkeypatch.setattr("time.time", lambda: 1_000_000_080.0)
        assert bot.get("/me").status_code == 200

    def test_all_agents_of_a_person_share_the_requests_of_a_day(
        self, alice: Any, bot: Caller, rival: Caller, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.LAB_QUOTAS = settings.LAB_QUOTAS | {"api_calls": 3}
        monkeypatch.setattr("time.time", lambda: 1_000_000_020.0)
        other = Caller(alice, "alices-other-bot")
        assert [caller.get("/me").status_code for caller in (bot, other, bot)] == [200, 200, 200]
        refused = other.get("/me")
        assert (refused.status_code, kind(refused)) == (429, "too-many-requests")
        assert int(refused.headers["Retry-After"]) == 86_400 - 1_000_000_020 % 86_400, "until midnight"
        assert "All 3 requests that your programs may make on a day" in refused.json()["detail"]
        assert rival.get("/me").status_code == 200
        Quota.objects.create(owner=alice, api_calls=5)
        assert [caller.get("/me").status_code for caller in (bot, other, bot)] == [200, 200, 429], "raised by staff"

    def test_an_address_that_asks_too_often_waits(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("time.time", lambda: 1_000_000_020.0)
        monkeypatch.setattr("webapp.api.middleware.limits.ADDRESS", limits.Limit("address", 2))
        answers = [client.get("/api/v1/games").status_code for _ in range(3)]
        assert answers == [200, 200, 429]
        assert client.get("/api/").status_code == 200, "pages are not of the API"
        assert client.get("/api/v1/games", REMOTE_ADDR="192.0.2.1").status_code == 200

    def test_guessing_tokens_is_stopped(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("time.time", lambda: 1_000_000_020.0)
        monkeypatch.setattr("webapp.api.auth.limits.WRONG_TOKEN", limits.Limit("wrong-token", 2))
        guess = {"Authorization": "Bearer mlab_guess"}
        assert [client.get("/api/v1/me", headers=guess).status_code for _ in range(3)] == [401, 401, 429]

    def test_a_count_that_was_dropped_begins_anew(self, monkeypatch: pytest.MonkeyPatch) -> None:
        once = limits.Limit("token", 1)
        monkeypatch.setattr("time.time", lambda: 1_000_000_000.0)
        once.count("somebody")
        cache.clear()
        once.give_back("somebody", 1_000_000_000.0)
        once.count("somebody")
        once.give_back("somebody", 1_000_000_000.0)
        once.count("somebody")
        with pytest.raises(ProblemError):
            once.count("somebody")

    def test_many_others_push_no_count_out(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("time.time", lambda: 1_000_000_000.0)
        monkeypatch.setattr("webapp.api.middleware.limits.ADDRESS", limits.Limit("address", 1))
        assert client.get("/api/v1/games").status_code == 200
        for number in range(1000):
            limits.TOKEN.count(str(number))
        assert client.get("/api/v1/games").status_code == 429

    def test_large_bodies_and_bodies_without_length_are_not_read(self, bot: Caller) -> None:
        body = json.dumps({"game": "x" * limits.MAX_BODY})
        response = bot.client.post("/api/v1/matches", body, "application/json")
        assert (response.status_code, kind(response)) == (413, "too-large")
        response = bot.client.post(
            "/api/v1/matches", "", "application/json", CONTENT_LENGTH="", HTTP_TRANSFER_ENCODING="chunked"
        )
        assert (response.status_code, kind(response)) == (411, "length-required")


class TestErrors:
    def test_whatever_is_not_there_is_a_problem(self, bot: Caller) -> None:
        assert kind(bot.client.get("/api/v1/")) == "not-found"
        assert kind(bot.client.get("/api/v1/nowhere/at/all")) == "not-found"
        response = bot.client.delete("/api/v1/matches")
        assert (response.status_code, kind(response)) == (405, "method-not-allowed")
        assert set(response.headers["Allow"].split(", ")) == {"GET", "POST"}

    def test_a_crash_says_nothing_of_itself(self, bot: Caller, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
        def crash(*_: Any) -> None:
            raise RuntimeError("the secret of the house")

        monkeypatch.setattr("webapp.api.me.selectors.num_matches", crash)
        bot.client.raise_request_exception = False
        for debug in (False, True):
            settings.DEBUG = debug
            response = bot.get("/me")
            assert (response.status_code, kind(response)) == (500, "internal-error")
            assert b"secret of the house" not in response.content

    def test_a_host_that_is_not_ours_is_a_problem_too(self, bot: Caller) -> None:
        response = bot.client.get("/api/v1/nowhere", headers={"Host": "elsewhere.example"})
        assert response.headers["Content-Type"] == "application/problem+json"
        assert response.json()["type"].startswith("/api/problems/#")
