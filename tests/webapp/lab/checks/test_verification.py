"""Verification on pages and by script: anybody who sees a result asks for a sample, and all see what came out."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from tests.webapp.api.callers import Researcher
from tests.webapp.lab.results import factory
from tests.webapp.pages import markup
from webapp.lab.checks import services, words
from webapp.lab.checks.subject import Subject
from webapp.lab.jobs import services as jobs
from webapp.lab.jobs import share_links
from webapp.records import removal
from webapp.records.check_models import SampleCheck
from webapp.records.models import Experiment, Match, ShareLink, Study
from webapp.records.sample_report import SampleReport

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(alice: Any) -> Experiment:
    return factory.played(alice, deals=3)


@pytest.fixture
def link(made: Experiment) -> ShareLink:
    return share_links.share(made)


def end(check: SampleCheck, minutes_ago: float = 0.0, **report: Any) -> SampleCheck:
    """Let a sample have ended."""
    check.status, check.waiting = SampleCheck.Status.DONE, []
    check.report = SampleReport(**report).to_json()
    check.ended_at = timezone.now() - timedelta(minutes=minutes_ago)
    check.save()
    return check


def token_of(page: Any) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content.decode())
    assert found is not None
    return found.group(1)


def test_a_stranger_asks_on_a_shared_page_and_everybody_sees_it(made: Experiment, link: ShareLink) -> None:
    stranger = Client(enforce_csrf_checks=True)
    shared = stranger.get(f"/r/{link.slug}/")
    assert f'href="/r/{link.slug}/verification/"' in shared.content.decode()
    place = f"/r/{link.slug}/verification/"
    form = stranger.get(place)
    assert "Nobody has had a sample of it played again so far." in markup(form)
    assert stranger.post(place).status_code == 403, "without the form's secret"
    assert stranger.post(place, {"csrfmiddlewaretoken": token_of(form)}).status_code == 302
    (check,) = SampleCheck.objects.all()
    assert (check.experiment, check.size, len(check.waiting)) == (made, 6, 6)
    page = Client().get(place)
    assert 'hx-trigger="poll"' in page.content.decode()
    assert "<form" not in page.content.decode().partition('id="checks"')[2]
    end(check, compared=6, plies=120, by_engines=6)
    said = "6 matches were played again from their seeds. All 120 plies agree."
    assert said in markup(Client().get(place))
    assert said in markup(Client().get(f"/r/{link.slug}/"))


def test_one_sample_serves_all_who_ask_and_another_comes_later(made: Experiment) -> None:
    subject = Subject(made)
    first, is_new = services.ask(subject, "1.2.3.4")
    assert is_new
    assert services.ask(subject, "9.9.9.9") == (first, False)
    end(first, minutes_ago=9)
    assert services.ask(subject, "1.2.3.4") == (first, False)
    end(first, minutes_ago=11)
    second, is_new = services.ask(subject, "1.2.3.4")
    assert (is_new, second.pk == first.pk) == (True, False)
    assert services.ask(Subject(made, Match.objects.earliest("pk")), "1.2.3.4")[1], "one match is another thing"


def test_who_asks_for_too_many_waits(alice: Any, client: Client) -> None:
    links = [share_links.share(factory.played(alice, deals=1)) for _ in range(services.BY_ADDRESS.per_minute + 1)]
    answers = [client.post(f"/r/{link.slug}/verification/") for link in links]
    assert [answer.status_code for answer in answers] == [302] * 6 + [429]
    assert "At most 6 samples to be played again a minute" in markup(answers[-1])


def test_the_lab_takes_only_so_many(made: Experiment, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_OPEN", 1)
    services.ask(Subject(made), "1.2.3.4")
    other = share_links.share(factory.played(alice, deals=1))
    answer = Client().post(f"/r/{other.slug}/verification/")
    assert answer.status_code == 409
    assert "Ask again in some minutes" in markup(answer)


def test_nothing_has_ended_yet(alice: Any) -> None:
    empty = share_links.share(factory.played(alice, deals=0))
    answer = Client().post(f"/r/{empty.slug}/verification/")
    assert answer.status_code == 409
    assert "No match has ended with a result yet" in markup(answer)


def test_a_difference_is_named_with_a_way_to_the_match(made: Experiment, link: ShareLink, client: Client) -> None:
    match = Match.objects.earliest("pk")
    differences = [{"match": match.pk, "ply": 7, "field": "action"}]
    end(services.ask(Subject(made), "1.2.3.4")[0], compared=6, plies=99, differing=1, differences=differences)
    page = client.get(f"/r/{link.slug}/verification/").content.decode()
    assert "1 of them differs from what is stored." in page
    assert f'<a href="/r/{link.slug}/matches/{match.pk}/">Match {match.pk} at ply 7: the action</a>' in page


def test_the_fragment_answers_only_with_news(made: Experiment, client: Client, alice: Any) -> None:
    client.force_login(alice)
    services.ask(Subject(made), "1.2.3.4")
    place = f"/experiments/{made.pk}/verification/"
    part = client.get(place, headers={"HX-Request": "true"}).content.decode()
    found = re.search(r'data-version="([^"]+)"', part)
    assert found is not None
    assert client.get(f"{place}?version={found.group(1)}", headers={"HX-Request": "true"}).status_code == 204


def test_by_script_own_and_shared(
    made: Experiment, link: ShareLink, researcher: Researcher, django_capture_on_commit_callbacks: Any
) -> None:
    place = f"/experiments/{made.pk}/verification"
    assert researcher.ask(place) == {"again_at": None, "checks": []}
    put_up = researcher.tell("POST", place, status=202)
    assert put_up["checks"][0]["status"] == "waiting"
    assert researcher.tell("POST", place, status=200) == put_up
    anybody = Client()
    shared = f"/api/v1/shared/{link.slug}/verification"
    assert anybody.post(shared).json() == put_up
    end(SampleCheck.objects.get(), compared=5, plies=50, by_engines=2)
    found = anybody.get(shared).json()["checks"][0]
    assert (found["agrees"], found["compared"], found["by_engines"]) == (True, 5, 2)
    assert found["words"].startswith("5 matches were played again, 2 by their engines from the seed, 3 action by")
    share_links.withdraw(link)
    assert anybody.get(shared).status_code == 404
    assert anybody.get("/api/v1/shared/nothing/verification").status_code == 404


def test_what_was_verified_can_be_deleted(made: Experiment) -> None:
    services.ask(Subject(made), "1.2.3.4")
    services.ask(Subject(made, Match.objects.earliest("pk")), "1.2.3.4")
    jobs.delete(made)
    removal.sweep()
    connection.check_constraints()
    assert not SampleCheck.objects.exists()


@pytest.mark.parametrize(
    ("report", "said"),
    [
        ({}, "None of the matches could be played again."),
        ({"compared": 1, "by_engines": 1, "plies": 30}, "1 match was played again by its engines, from the seed. All"),
        ({"compared": 2, "plies": 30}, "2 matches were gone through again, action by action. All 30 plies agree."),
        ({"compared": 2, "by_engines": 2, "differing": 2}, "2 of them differ from what is stored."),
    ],
)
def test_words(report: dict[str, Any], said: str) -> None:
    assert said in words.verdict(Subject(Experiment()), SampleReport(**report))


def test_words_of_studies_and_of_one_match() -> None:
    one = words.verdict(Subject(Experiment(), Match()), SampleReport(compared=1, plies=9, by_engines=1))
    assert one == "This match was played again by its engines, from the seed. All 9 plies agree."
    rows = words.verdict(Subject(Study()), SampleReport(compared=4))
    assert rows == "4 pieces were done again from the seed. Every row agrees with the stored one."
