"""Who may see a position, its analyses, and start one."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.webapp.matches.positions.answering import FLAT, PLY, address, answer, posted, start, text
from webapp.lab.jobs import share_links as sharing
from webapp.matches.positions.situation import situation
from webapp.records.models import Match, Study
from webapp.table.live import action_words

pytestmark = pytest.mark.django_db


class TestWho:
    """Own matches, shared matches, strangers."""

    def test_strangers_and_guests_learn_nothing(
        self, match: Match, visitor: Client, client: Client, alice: Any
    ) -> None:
        study = start(alice, match)
        for who in (visitor, client):
            for path in (address(match), f"/matches/{match.pk}/position/live/?analysis={study.pk}"):
                assert who.get(path).status_code == 404
            assert who.post(address(match), posted(match)).status_code == 404
        assert Study.objects.count() == 1

    @pytest.fixture(params=["experiment", "match"])
    def shared(self, request: pytest.FixtureRequest, match: Match) -> str:
        """The address of the position on a link of the experiment, or of the match alone."""
        if request.param == "match":
            return f"/r/{sharing.share(match.experiment, match).slug}/position/"
        return f"/r/{sharing.share(match.experiment).slug}/matches/{match.pk}/position/"

    @pytest.mark.long
    def test_a_guest_sees_what_the_owner_analysed(self, match: Match, shared: str, client: Client, alice: Any) -> None:
        study = answer(start(alice, match, FLAT))
        response = client.get(f"{shared}?ply=12")
        page = text(response)
        here = situation(match, PLY)
        assert action_words.choice_line(here.game, here.state, study.pieces.get().row["action"], here.names) in page
        assert "Sign in to let engines of your choice" in page
        assert response["X-Robots-Tag"] == "noindex"
        assert client.get(f"{shared}live/?ply=12&analysis={study.pk}&version=x").status_code == 200

    @pytest.mark.long
    def test_the_owner_is_told_that_others_see_it(self, match: Match, owner: Client, visitor: Client) -> None:
        told, bar = (
            "everyone with its address sees this analysis",
            "Engine analyses that you start at positions of this match",
        )
        assert told not in text(owner.get(address(match)))
        shared = f"/r/{sharing.share(match.experiment, match).slug}/position/?ply=12"
        assert told in text(owner.get(address(match)))
        page = text(owner.get(shared))
        assert told in page
        assert bar in page
        page = text(visitor.get(shared))
        assert told not in page
        assert bar not in page
        match.experiment.share_links.update(withdrawn_at="2026-01-01T00:00Z")
        assert told not in text(owner.get(address(match)))

    def test_a_guest_starts_nothing(self, match: Match, shared: str, client: Client) -> None:
        response = client.post(f"{shared}?ply=12", posted(match))
        assert response["Location"].startswith("/accounts/login/?next=/r/")
        assert not Study.objects.exists()

    @pytest.mark.long
    def test_a_visitor_analyses_for_himself(
        self, match: Match, shared: str, visitor: Client, client: Client, owner: Client, bob: Any
    ) -> None:
        response = visitor.post(f"{shared}?ply=12", posted(match))
        study = Study.objects.get()
        assert study.owner == bob
        assert response["Location"] == f"{shared}?ply=12&analysis={study.pk}"
        assert "yours" in text(visitor.get(response["Location"]))
        assert owner.get(address(match, analysis=study.pk)).status_code == 404
        for who in (client, owner):
            assert who.get(response["Location"]).status_code == 404
            assert f"analysis={study.pk}" not in who.get(f"{shared}?ply=12").content.decode()

    def test_a_withdrawn_link_starts_nothing(self, match: Match, shared: str, visitor: Client) -> None:
        match.experiment.share_links.update(withdrawn_at="2026-01-01T00:00Z")
        assert visitor.post(f"{shared}?ply=12", posted(match)).status_code == 410
        assert not Study.objects.exists()

    def test_nothing_starts_without_the_forms_secret(self, match: Match, alice: Any) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(alice)
        assert client.post(address(match), posted(match)).status_code == 403
