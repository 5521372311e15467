"""A deal once more: played on from a ply, with its draws or others, and the same deal for a friend."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import Http404
from django.test import Client

from engines import levels as engine_levels
from engines import registry as engine_registry
from engines.protocol import Budget
from games import chapters, registry
from tests.webapp.pages import markup
from tests.webapp.table.live import answering, tables
from webapp.api import selectors
from webapp.lab.jobs import share_links as sharing
from webapp.lab.projects import services as projects
from webapp.lab.projects.report import new_result
from webapp.matches.responses import PLAY_ON
from webapp.matches.reviews import services as reviews
from webapp.people.agents.models import Agent
from webapp.play import level_cards, match_start, playing_on
from webapp.play.match_start import YOURS, Setup
from webapp.play.ratings import people
from webapp.records import verification
from webapp.records.models import EngineConfiguration, Match, Seat
from webapp.table.live import (
    challenges,
    guest_rules,
    match_setup,
    player_requests,
    ply_writer,
    position_cache,
    table_seats,
)
from webapp.table.live.models import Challenge, LiveMatch
from webapp.table.live.plans import SeatPlan, Terms
from worker.spec import SeatSpec

TOO_LONG = SeatSpec("uct", {}, Budget(simulations=1_000_000))
MOST_TRIES = 20
"""Of matches with new draws: one draw of few cards is often the same, so many in a row are not."""
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setattr("worker.tasks.wake", lambda count=1, queue="batch": count)


@pytest.fixture
def played(alice: Any) -> LiveMatch:
    """A whole match of alice against an engine; its seed would be found among other numbers."""
    return tables.play_on(
        tables.open_match(alice, [tables.person(alice), tables.engine()], game="toy", deal_seed=98765432109)
    )


def play_on(client: Client, played: LiveMatch, ply: int, **changes: str) -> Any:
    """What the form of the position answers."""
    address = f"/play/on/{signing.dumps(played.match_id, salt=PLAY_ON)}/?ply={ply}"
    text = client.get(address).content.decode()
    form = {
        "submission": re.search(r'name="submission" value="([^"]+)"', text)[1],
        "seat-0": "me",
        "seat-1": "as",
        "draws": "same",
        "thinking_s": "1",
        "has_aids": "on",
    }
    return client.post(address, form | changes)


def begun(client: Client, played: LiveMatch, ply: int, **changes: str) -> LiveMatch:
    answer = play_on(client, played, ply, **changes)
    assert answer.status_code == 302, answer.content.decode()
    return LiveMatch.objects.get(code=answer["Location"].split("/")[2])


def states(match: LiveMatch) -> list[bytes]:
    match.refresh_from_db()
    return [position_cache.position_at(match, ply).state.tobytes() for ply in range(match.ply + 1)]


class TestPlayingOn:
    """From a ply of a replay."""

    def test_the_replay_leads_there(self, client: Client, played: LiveMatch, alice: Any) -> None:
        client.force_login(alice)
        text = client.get(f"/play/{played.code}/replay/?ply=2").content.decode()
        address = re.search(r'href="(/play/on/[^"]+)"[^>]*>\s*Play on from here', text)[1]
        page = client.get(address)
        assert "after move 2 of" in page.content.decode()
        engine = next(row.configuration for row in page.context["here"].seats if row.configuration.engine == "random")
        assert f"The engine that sat here: {engine_registry.get(engine.engine).label}" in page.content.decode()
        assert client.get(address.replace("/on/", "/on/x")).status_code == 404

    def test_an_address_opens_only_while_the_match_may_be_seen(
        self, client: Client, played: LiveMatch, alice: Any, bob: Any
    ) -> None:
        address = f"/play/on/{signing.dumps(played.match_id, salt=PLAY_ON)}/?ply=2"
        LiveMatch.objects.filter(pk=played.pk).update(visibility="private")

        def answers() -> list[int]:
            statuses = [client.get(address).status_code]
            for person in (bob, alice):
                client.force_login(person)
                statuses.append(client.get(address).status_code)
            client.logout()
            return statuses

        assert answers() == [404, 404, 200]
        record = Match.objects.select_related("experiment").get(pk=played.match_id)
        link = sharing.share(record.experiment, record)
        assert answers() == [200, 200, 200]
        sharing.withdraw(link)
        assert answers() == [404, 404, 200]
        LiveMatch.objects.filter(pk=played.pk).update(visibility="public")
        assert answers() == [200, 200, 200]

    @pytest.mark.long
    def test_from_the_first_ply_on_the_deal_is_known(self, client: Client, played: LiveMatch, alice: Any) -> None:
        client.force_login(alice)
        for draws in ("same", "new"):
            match = tables.play_on(begun(client, played, 0, draws=draws))
            assert (match.begun_at_ply, match.deal_is_known, match.status) == (0, True, "finished")
        cache.clear()
        assert [row.matches for row in people.rows()] == [1]

    @pytest.mark.long
    def test_the_same_draws_come_again(self, client: Client, played: LiveMatch, alice: Any) -> None:
        client.force_login(alice)
        match = begun(client, played, 2)
        assert (match.ply, match.begun_at_ply, match.status) == (2, 2, "running")
        assert states(match) == states(played)[:3]
        for row in played.plies.filter(ply__gte=2).order_by("ply"):
            thought = {} if match.is_engine_due else None
            match = ply_writer.play(match.pk, row.seat, row.ply, row.action, thought=thought)
        assert states(match) == states(played)
        record = Match.objects.select_related("experiment").get(pk=match.match_id)
        assert verification.verify([record.pk]).mismatches == []

    @pytest.mark.long
    def test_other_draws_keep_what_was_known_and_the_record_replays(
        self, client: Client, played: LiveMatch, alice: Any
    ) -> None:
        client.force_login(alice)
        several: list[bytes] = []
        while len(set(several)) < 2 and len(several) < MOST_TRIES:
            match = tables.play_on(begun(client, played, 2, draws="new"))
            assert states(match)[:3] == states(played)[:3]
            report = verification.verify([match.match_id])
            assert (report.matches, report.mismatches) == (1, [])
            several.append(states(match)[3])
        assert len(set(several)) == 2
        text = client.get(f"/play/{match.code}/replay/").content.decode()
        assert "Replays exactly" in text
        assert str(match.renewal["seed"]) in text
        assert client.get(f"/play/{match.code}/replay/review/").status_code == 200

    def test_the_new_seed_stands_nowhere_before_the_end(self, client: Client, played: LiveMatch, alice: Any) -> None:
        client.force_login(alice)
        match = begun(client, played, 2, draws="new")
        for address in ("", "state/"):
            assert str(match.renewal["seed"]) not in client.get(f"/play/{match.code}/{address}").content.decode()

    def test_moves_of_the_match_before_are_not_taken_back(self, client: Client, played: LiveMatch, alice: Any) -> None:
        client.force_login(alice)
        match = begun(client, played, 2)
        assert player_requests.permissions(table_seats.look_up(match, (0,)))["take-back"] == {
            "is": False,
            "why": "You have not decided anything yet.",
        }

    def test_moves_taken_over_stand_under_the_headings_that_they_had(
        self, client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(chapters, "heading", lambda game, state: f"Left {list(state)}"[:40])
        before = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.engine()], game="toy"))
        client.force_login(alice)
        match = begun(client, before, 3)
        of = [list(one.plies.filter(ply__lt=3).order_by("ply").values_list("chapter")) for one in (before, match)]
        assert of[0] == of[1]
        assert all(heading for (heading,) in of[0])

    def test_the_engine_that_sat_there_comes_as_it_was_measured_or_with_a_clock(self) -> None:
        novice = engine_levels.for_game("carcassonne")[0]
        for level in engine_levels.for_game("kingdomino"):
            assert level_cards.level_of("kingdomino", level_cards.measured_seat("kingdomino", level)) == level
        for given, name in ((level_cards.measured_seat("carcassonne", novice), novice.label), (TOO_LONG, "UCT")):
            kept = EngineConfiguration(engine=given.engine, options=given.options, budget=given.budget.to_json())
            plan = playing_on._again(Seat(configuration=kept), "carcassonne", 0.5)
            assert guest_rules.is_quick("carcassonne", plan.engine, plan.level)
            assert name in plan.name
            assert plan.engine.budget.seconds_per_ply == (None if plan.level else 0.5)

    def test_somebody_has_to_play_and_the_end_is_no_place_to_begin(
        self, client: Client, played: LiveMatch, alice: Any
    ) -> None:
        client.force_login(alice)
        refused = play_on(client, played, 2, **{"seat-0": "none"})
        assert (refused.status_code, LiveMatch.objects.count()) == (200, 1)
        address = f"/play/on/{signing.dumps(played.match_id, salt=PLAY_ON)}/"
        assert "The match is over here" in client.get(address).content.decode()


class TestSameDeal:
    """For a friend."""

    def make(self, client: Client, played: LiveMatch, alice: Any) -> Challenge:
        client.force_login(alice)
        assert "The same deal for a friend" in client.get(f"/play/{played.code}/").content.decode()
        assert client.post(f"/play/{played.code}/challenge/").status_code == 302
        return Challenge.objects.get()

    @pytest.mark.long
    def test_a_friend_plays_it_and_both_are_compared(
        self, client: Client, played: LiveMatch, alice: Any, bob: Any
    ) -> None:
        of = self.make(client, played, alice)
        address = f"/play/deal/{of.code}/"
        assert "Nobody has begun" in client.get(address).content.decode()
        client.force_login(bob)
        text = markup(client.get(address))
        assert "alice challenges you" in text
        assert "Side by side" not in text
        form = {"submission": re.search(r'name="submission" value="([^"]+)"', text)[1]}
        client.post(address, form)
        client.post(address, form)
        match = LiveMatch.objects.get(challenge=of)
        assert states(match)[0] == states(played)[0]
        assert list(match.seats.order_by("seat").values_list("kind", flat=True)) == ["person", "engine"]
        for path in (address, f"/play/{match.code}/", f"/play/{match.code}/state/"):
            assert str(played.deal_seed) not in client.get(path).content.decode()
        assert client.get(f"/play/{match.code}/").status_code == 200
        answering.answer(match)
        tables.play_on(match)
        text = client.get(address).content.decode()
        assert "Side by side" in text
        assert "You" in text
        client.force_login(alice)
        assert "Side by side" in client.get(address).content.decode()

    def test_who_gives_up_reads_why_and_what_the_challenger_made_of_it(
        self, client: Client, played: LiveMatch, alice: Any, bob: Any
    ) -> None:
        of = self.make(client, played, alice)
        client.force_login(bob)
        client.post(f"/play/deal/{of.code}/", {"submission": "8f0e8f2e-0000-4000-8000-000000000003"})
        player_requests.grant("resign", LiveMatch.objects.get(challenge=of).pk, (0,))
        shown = client.get(f"/play/deal/{of.code}/")
        assert "was not played to its end" in shown.content.decode()
        assert [row.name for row in shown.context["rows"]] == ["alice"]

    @pytest.mark.long
    def test_the_challengers_match_is_hidden_from_who_plays_its_deal(
        self, client: Client, played: LiveMatch, alice: Any, bob: Any
    ) -> None:
        LiveMatch.objects.filter(pk=played.pk).update(visibility="public")
        of = self.make(client, played, alice)
        client.force_login(bob)
        assert client.get(f"/play/{played.code}/replay/").status_code == 200
        client.post(f"/play/deal/{of.code}/", {"submission": "8f0e8f2e-0000-4000-8000-000000000001"})
        for path in ("", "replay/", "replay/review/", "state/"):
            assert client.get(f"/play/{played.code}/{path}").status_code == 404
        tables.play_on(LiveMatch.objects.get(challenge=of))
        assert client.get(f"/play/{played.code}/replay/").status_code == 200

    def test_only_a_whole_match_against_engines_is_given_away(self, alice: Any, bob: Any, played: LiveMatch) -> None:
        people = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)], game="toy"))
        assert "engines" in challenges.why_not(people, (0,))
        running = tables.open_match(alice, [tables.person(alice), tables.engine()], game="toy")
        assert "to its end" in challenges.why_not(running, (0,))
        assert challenges.why_not(played, ())
        assert not challenges.why_not(played, (0,))

    @pytest.mark.parametrize("draws", ["same", "new"])
    def test_a_match_played_on_from_its_start_is_not_given_away(
        self, client: Client, played: LiveMatch, alice: Any, draws: str
    ) -> None:
        client.force_login(alice)
        again = tables.play_on(begun(client, played, 0, draws=draws))
        assert "from its start" in challenges.why_not(again, (0,))

    def test_two_forms_begin_one_match(self, client: Client, played: LiveMatch, alice: Any, bob: Any) -> None:
        of = self.make(client, played, alice)
        setup = Setup("toy", {}, tuple(challenges.plans(of, YOURS)), Terms(), further=challenges.fields(of))
        first, second = (match_start._open(bob, setup, uuid.uuid4()) for _ in range(2))
        assert first == second
        assert of.matches.count() == 1

    @pytest.mark.long
    def test_no_other_match_of_the_deal_is_shown_to_who_plays_it(
        self, client: Client, played: LiveMatch, alice: Any, bob: Any
    ) -> None:
        of = self.make(client, played, alice)
        again = tables.play_on(begun(client, played, 0))
        LiveMatch.objects.filter(pk__in=[played.pk, again.pk]).update(visibility="public")
        record = Match.objects.select_related("experiment").get(pk=again.match_id)
        agent = Agent.objects.create(owner=bob, name="prober")
        addresses = [
            f"/play/{again.code}/replay/",
            f"/r/{sharing.share(record.experiment, record).slug}/",
            f"/play/on/{signing.dumps(played.match_id, salt=PLAY_ON)}/",
        ]
        client.force_login(bob)
        assert {client.get(address).status_code for address in addresses} == {200}
        assert selectors.table(agent, again.code).match == again
        client.post(f"/play/deal/{of.code}/", {"submission": "8f0e8f2e-0000-4000-8000-000000000002"})
        assert {client.get(address).status_code for address in addresses} == {404}
        with pytest.raises(Http404):
            selectors.table(agent, again.code)
        tables.play_on(LiveMatch.objects.get(challenge=of))
        assert {client.get(address).status_code for address in addresses} == {200}


@pytest.mark.long
def test_no_shared_analysis_shows_a_deal_to_who_plays_it(client: Client, alice: Any, bob: Any) -> None:
    played = tables.play_on(
        tables.open_match(alice, [tables.person(alice), tables.engine()], game="kingdomino", deal_seed=3)
    )
    record = Match.objects.select_related("experiment").get(pk=played.match_id)
    study = reviews.start(alice, record, 200)
    link, match = sharing.share(study), sharing.share(record.experiment, record)
    report = projects.share(projects.create(alice, "Report", [new_result("study", study.pk, study.title)]))
    client.force_login(bob)
    asked = {"url": f"{settings.PUBLIC_URL}/r/{match.slug}/"}
    assert client.get(f"/r/{link.slug}/").status_code == 200
    assert study.title in markup(client.get(f"/p/{report.slug}/"))
    assert client.get("/oembed", asked).status_code == 200
    of = challenges.create_challenge(played, 0)
    seats = challenges.plans(of, SeatPlan("bob", person=bob))
    match_setup.open_match(bob, played.game, played.options, seats, Terms(), **challenges.fields(of))
    assert client.get(f"/r/{link.slug}/").status_code == 404
    assert study.title not in markup(client.get(f"/p/{report.slug}/"))
    assert client.get("/oembed", asked).status_code == 404
