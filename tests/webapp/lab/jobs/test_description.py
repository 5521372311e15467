"""Title, notes and tags: kept as they are written, by their owner, and never over what another tab has kept."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.looping import looped
from tests.webapp.lab.jobs.conftest import Sample, set_to
from tests.webapp.pages import markup
from webapp.lab.jobs import description, share_links
from webapp.lab.jobs.description import DescriptionError

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}


@looped(
    "given, kept",
    [
        (["UCT", " uct ", "#Bias"], ["uct", "bias"]),
        (["4  seats", "", ","], ["4 seats"]),
        (["Ka\u0308se"], ["k\u00e4se"]),
    ],
)
def test_tags_are_small_letters_each_once(given: list[str], kept: list[str]) -> None:
    assert description.read_tags(given) == kept


@looped(
    "values, field",
    [
        ({"title": " \n"}, "title"),
        ({"title": "a" * 201}, "title"),
        ({"notes": "a" * 20_001}, "notes"),
        ({"tags": ["a" * 31]}, "tags"),
        ({"tags": ["a\x07b"]}, "tags"),
        ({"tags": [f"tag {i}" for i in range(13)]}, "tags"),
    ],
)
def test_what_cannot_be_kept_is_said_at_its_field(values: dict[str, Any], field: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        description.checked(**{"title": "A", "notes": "", "shows_notes": False, "tags": [], **values})
    assert caught.value.field == field


def test_it_is_changed_in_the_page_and_without_a_script(signed_in: Client, alice: Any, sample: Sample) -> None:
    job = sample.running(alice)
    base = f"/{sample.plural}/{job.pk}/"
    assert f'hx-get="{base}describe/?tab=settings"' in markup(signed_in.get(f"{base}settings/"))
    sent = {"title": "  Another  title ", "tags": "UCT, bias", "notes": "It is **so**.", "edition": "", "tab": "result"}
    answer = markup(signed_in.post(f"{base}describe/", sent, **HTMX))
    assert '<h1 id="job-title" hx-swap-oob="true">Another title</h1>' in answer
    assert "It is <strong>so</strong>." in answer
    job.refresh_from_db()
    assert (job.title, job.tags, job.notes, job.shows_notes) == (
        "Another title",
        ["uct", "bias"],
        "It is **so**.",
        False,
    )

    page = signed_in.post(f"{base}describe/", {"title": "Third", "edition": description.edition(job)}, follow=True)
    assert page.redirect_chain == [(base, 302)]
    job.refresh_from_db()
    assert (job.title, job.tags, job.notes) == ("Third", [], "")
    refused = markup(signed_in.post(f"{base}describe/", {"title": "", "edition": description.edition(job)}))
    assert "Give it a title" in refused
    assert 'hx-target="#described"' not in refused  # where the form stands alone it leads to the job


def test_of_two_tabs_neither_overwrites_the_other(signed_in: Client, alice: Any, sample: Sample) -> None:
    job = sample.running(alice)
    address = f"/{sample.plural}/{job.pk}/describe/"
    first = {"title": "One", "notes": "first", "edition": ""}
    second = {"title": "Two", "notes": "second", "edition": ""}
    signed_in.post(address, first, **HTMX)
    signed_in.post(address, first, **HTMX)  # a double click is no clash
    answer = markup(signed_in.post(address, second, **HTMX))
    job.refresh_from_db()
    assert job.title == "One"
    assert "Another tab kept something else" in answer
    assert "second</textarea>" in answer
    edition = description.edition(job)
    assert f'value="{edition}"' in answer
    signed_in.post(address, second | {"edition": edition}, **HTMX)
    job.refresh_from_db()
    assert (job.title, job.notes) == ("Two", "second")


def test_notes_are_private_until_their_owner_chooses(signed_in: Client, alice: Any, sample: Sample) -> None:
    job = sample.complete(alice)
    set_to(job, notes="Our *secret* plan", tags=["hidden tag"])
    share = f"/{sample.plural}/{job.pk}/share/"
    assert "not shown; tags never are" in markup(signed_in.get(share))
    address = f"/r/{share_links.share(job).slug}/"
    public = markup(Client().get(address))
    assert "secret" not in public
    set_to(job, shows_notes=True)
    public = markup(Client().get(address))
    assert "Our <em>secret</em> plan" in public
    assert "hidden tag" not in public


def test_tags_of_ones_own_can_be_ticked(signed_in: Client, alice: Any, bob: Any, sample: Sample) -> None:
    set_to(sample.running(alice), tags=["uct", "bias"])
    set_to(sample.running(bob), tags=["of bob"])
    job = sample.running(alice)
    address = f"/{sample.plural}/{job.pk}/describe/"
    page = markup(signed_in.get(address))
    assert 'value="uct"' in page
    assert "of bob" not in page
    signed_in.post(address, {"title": "A", "tags": "new", "add": ["uct"], "edition": ""})
    job.refresh_from_db()
    assert job.tags == ["new", "uct"]
