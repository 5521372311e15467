"""The list, the buttons and the question before a job is deleted: the same for every kind."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.webapp.lab.jobs.conftest import Sample, exists, set_to
from tests.webapp.pages import markup
from webapp.lab.jobs import services

pytestmark = pytest.mark.django_db


def test_steering_says_what_it_did(signed_in: Client, alice: Any, sample: Sample) -> None:
    job = sample.running(alice)
    unit = {"experiment": "matches", "ladder": "matches", "study": "pieces"}[sample.word]
    for action, status, words in [
        ("pause", "paused", "Paused: the "),
        ("resume", "running", "Running again"),
        ("stop", "stopped", f"Stopped after 0 {unit}"),
        ("archive", "stopped", "Archived"),
        ("unarchive", "stopped", "Back in your list"),
    ]:
        page = signed_in.post(f"/{sample.plural}/{job.pk}/{action}/", follow=True)
        job.refresh_from_db()
        assert job.status == status
        assert words in markup(page)


def test_archiving_and_deleting_what_runs_is_refused_with_words(signed_in: Client, alice: Any, sample: Sample) -> None:
    job = sample.running(alice)
    for action in ("archive", "delete"):
        page = signed_in.post(f"/{sample.plural}/{job.pk}/{action}/", follow=True)
        assert f"Stop the {sample.word} first" in markup(page)
    assert exists(job)


def test_delete_asks_first_and_names_what_goes(signed_in: Client, alice: Any, sample: Sample) -> None:
    job = sample.complete(alice)
    set_to(job, status="stopped")
    address = f"/{sample.plural}/{job.pk}/delete/"
    page = markup(signed_in.get(address))
    assert f"Delete {sample.kept}" in page
    assert re.search(rf"{sample.kept} [a-z ]*will be deleted for good", page)
    assert exists(job)
    answer = signed_in.post(address, follow=True)
    assert answer.redirect_chain == [(f"/{sample.plural}/", 302)]
    assert "Deleted" in markup(answer)
    assert not exists(job)


def test_the_second_click_of_delete_is_not_an_error(
    signed_in: Client, alice: Any, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = sample.complete(alice)
    set_to(job, status="stopped")
    first = services.delete

    def twice(row: Any) -> None:
        first(row)
        first(row)

    monkeypatch.setattr(services, "delete", twice)
    assert signed_in.post(f"/{sample.plural}/{job.pk}/delete/")["Location"] == f"/{sample.plural}/"


def test_what_was_shared_cannot_be_deleted(signed_in: Client, alice: Any, sample: Sample) -> None:
    job = sample.complete(alice)
    set_to(job, status="stopped", was_shared=True)
    assert "It was shared." in markup(signed_in.get(f"/{sample.plural}/{job.pk}/delete/"))
    signed_in.post(f"/{sample.plural}/{job.pk}/delete/")
    assert exists(job)


def test_the_list_tells_runs_of_one_name_apart(signed_in: Client, alice: Any, sample: Sample) -> None:
    first, second = sample.running(alice, "Same"), sample.running(alice, "Same")
    text = markup(signed_in.get(f"/{sample.plural}/"))
    for made in (first, second):
        assert f"No. {made.pk}<" in text
        assert f"{made.created_at:%H:%M}</time>" in text


def test_the_list_has_three_tabs_of_ones_own(signed_in: Client, alice: Any, bob: Any, sample: Sample) -> None:
    sample.running(alice, "Runs")
    stopped, archived = sample.running(alice, "Stopped"), sample.running(alice, "Archived one")
    sample.running(bob, "Not mine")
    set_to(stopped, status="stopped")
    set_to(archived, status="finished", archived_at=archived.created_at)
    address = f"/{sample.plural}/?tab="
    shown = {tab: markup(signed_in.get(address + tab)) for tab in ("running", "finished", "archived")}
    titles = {"running": "Runs", "finished": "Stopped</a>", "archived": "Archived one"}
    for tab, text in shown.items():
        assert [name for name, title in titles.items() if title in text] == [tab]
        assert "Not mine" not in text


def test_the_list_opens_where_something_is(signed_in: Client, alice: Any, sample: Sample) -> None:
    set_to(sample.running(alice, "Over"), status="finished")
    assert "Over" in markup(signed_in.get(f"/{sample.plural}/"))


def test_the_list_shows_the_answer_of_what_is_over_without_a_query_a_row(
    signed_in: Client, alice: Any, sample: Sample
) -> None:
    made = [sample.complete(alice), sample.running(alice), sample.running(alice)]
    of_last = f"/{sample.plural}/{made[0].pk}/brief/"
    asked = markup(signed_in.get(of_last))
    # it still runs: more may come
    assert f'hx-get="{of_last}' in markup(signed_in.get(f"/{sample.plural}/"))

    address, queries = f"/{sample.plural}/?tab=finished", []
    for job in made:
        set_to(job, status="finished", finished_at=job.created_at)
        signed_in.get(f"/{sample.plural}/{job.pk}/brief/")
        with CaptureQueriesContext(connection) as found:
            page = markup(signed_in.get(address))
        queries.append(len(found))
    assert "/brief/" not in page
    answer = re.search(r'<div class="brief">\s*(.+?)\s*<', markup(signed_in.get(of_last)))
    assert answer
    assert answer[1] in page
    assert answer[1].removesuffix(" yet") in asked
    assert 0 < queries[0] == queries[-1]

    set_to(made[0], status="stopped")  # another state, another answer: it is asked for again
    assert f'hx-get="{of_last}' in markup(signed_in.get(address))


def test_an_empty_list_says_what_to_do(signed_in: Client, sample: Sample) -> None:
    assert "Nothing runs" in markup(signed_in.get(f"/{sample.plural}/"))
    assert "Nothing is finished yet" in markup(signed_in.get(f"/{sample.plural}/?tab=finished"))
    assert "The archive is empty" in markup(signed_in.get(f"/{sample.plural}/?tab=archived"))


def test_the_spec_file_is_the_spec(signed_in: Client, alice: Any, sample: Sample) -> None:
    job = sample.running(alice)
    answer = signed_in.get(f"/{sample.plural}/{job.pk}/spec.json")
    # Tables of a ladder follow from its engines, and are left out.
    assert answer.json() == {k: v for k, v in job.spec.items() if sample.word != "ladder" or k != "arms"}
    assert "attachment" in answer["Content-Disposition"]
