"""Records that played matches leave, and the pages that show them to their owners."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests.records import totals
from tests.webapp.pages import markup
from tests.webapp.table.live import tables
from webapp.lab.results import exports
from webapp.people.agents.models import Agent
from webapp.table.live import player_requests
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(alice: Any, bob: Any) -> LiveMatch:
    """Of a person, an agent, an engine, and a person whom an engine has replaced."""
    agent = Agent.objects.create(owner=bob, name="bot")
    plans = [tables.person(alice), SeatPlan(name="bot", agent=agent), tables.engine(), tables.person(bob)]
    match = tables.play_on(tables.open_match(alice, plans), 6)
    player_requests.grant("resign", match.pk, (3,))
    return tables.play_on(match)


@pytest.fixture
def resigned(alice: Any, bob: Any) -> LiveMatch:
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)]), 4)
    return player_requests.grant("resign", match.pk, (1,))


def _page(client: Client, *address: Any) -> str:
    response = client.get(reverse(address[0], args=address[1:]))
    assert response.status_code == 200, response
    return response.content.decode()


@pytest.mark.long
def test_pages_and_files_of_a_played_match(finished: LiveMatch, alice: Any, client: Client) -> None:
    client.force_login(alice)
    record = finished.match
    text = _page(client, "matches:detail", record.pk)
    for name in ("alice", "bot, agent", "bob, then ", "Replays exactly", "My matches"):
        assert name in text
    assert reverse("play:match", args=[finished.code]) in text
    assert "seating" not in text
    for kind in ("trace", "board"):
        assert client.get(reverse(f"matches:{kind}", args=[record.pk])).status_code == 200
    response = client.get(reverse("positions:show", args=[record.pk]) + "?ply=5")
    assert response.status_code == 200
    assert "Experiments</a> /" not in markup(response)


def test_pages_of_a_match_that_ended_early(resigned: LiveMatch, alice: Any, client: Client) -> None:
    client.force_login(alice)
    text = _page(client, "matches:detail", resigned.match.pk)
    assert "You win: bob resigned after move 4" in text
    for word in ("Failed", "failed", "the batch went on"):
        assert word not in text


def test_lists_of_experiments_do_not_show_what_was_played(
    finished: LiveMatch, resigned: LiveMatch, alice: Any, client: Client
) -> None:
    client.force_login(alice)
    text = client.get(reverse("experiments:list")).content.decode()
    for match in (finished, resigned):
        title = match.match.experiment.title
        assert title not in text
        response = client.get(reverse("experiments:detail", args=[match.match.experiment_id]))
        assert response.url == reverse("matches:detail", args=[match.match_id])


def test_records_replay(finished: LiveMatch, resigned: LiveMatch) -> None:
    out = io.StringIO()
    for match in (finished, resigned):
        call_command("verify", "--match", str(match.match_id), stdout=out)
    reports = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [(report["matches"], report["mismatches"]) for report in reports] == [(1, []), (1, [])]


def test_totals_can_be_made_anew(finished: LiveMatch) -> None:
    def kept() -> dict[Any, Any]:
        return totals.kept(finished.match.experiment_id)

    before = kept()
    assert before
    call_command("rebuild_summaries", "--experiment", str(finished.match.experiment_id), stdout=io.StringIO())
    assert kept() == before


@pytest.mark.long
def test_a_played_match_can_be_shared(finished: LiveMatch, alice: Any, client: Client) -> None:
    client.force_login(alice)
    response = client.post(reverse("matches:detail", args=[finished.match_id]) + "share/", follow=True)
    assert response.status_code == 200
    shown = response.content.decode()
    assert "Player 4, then " in shown, "other people go without their names"
    assert "bob, then " not in shown


def test_staff_see_no_luck_before_the_end(alice: Any, bob: Any, client: Client) -> None:
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)]), 3)
    client.force_login(get_user_model().objects.create_superuser("root", "", "password"))
    page, listing = reverse("admin:live_livematch_change", args=[match.pk]), reverse("admin:live_livematch_changelist")
    secrets = [str(match.seed), str(match.deal_seed), match.salt, match.invite, str(match.digest)]
    for address in (page, listing):
        text = client.get(address).content.decode()
        assert match.code in text
        assert not [secret for secret in secrets if secret in text]
    assert client.post(page, {"status": "finished"}).status_code == 403
    player_requests.grant("resign", match.pk, (0,))
    assert str(match.deal_seed) in client.get(page).content.decode()


@pytest.mark.django_db(transaction=True)
def test_rows_of_a_played_match_as_files(resigned: LiveMatch, alice: Any, client: Client) -> None:
    client.force_login(alice)
    lines = {}
    for table in exports.TABLES:
        response = client.get(reverse("matches:export", args=[resigned.match_id, table, "csv"]))
        lines[table] = b"".join(response).decode().splitlines()[1:]
    assert (len(lines["matches"]), len(lines["plies"])) == (2, 4)
    assert "person" in lines["matches"][0]
