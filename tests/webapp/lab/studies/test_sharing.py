from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from tests.webapp.lab.studies.conftest import fill
from webapp.lab.jobs import share_links as services
from webapp.records.models import ShareLink, Study

pytestmark = pytest.mark.django_db
Make = Callable[..., Study]


@pytest.fixture
def link(alice: Any, make: Make) -> ShareLink:
    return services.share(make(alice, -1, raises_at=1))


def test_everybody_sees_the_result_and_nobody_the_owner(client: Client, link: ShareLink) -> None:
    page = client.get(f"/r/{link.slug}/").content.decode()
    assert "The squares add up to 4." in page
    assert "alice" not in page
    assert 'property="og:image"' in page
    assert f"/r/{link.slug}/charts/squares-sums-1.json" in page
    assert "1 piece failed." in " ".join(page.split())
    assert "/studies/new/?shared=" in page
    assert f"/studies/{link.study_id}/" not in page


def test_the_citation_names_rows_seed_and_versions(client: Client, link: ShareLink) -> None:
    page = client.get(f"/r/{link.slug}/").content.decode()
    assert f"Study {link.study_id}, Counting, 2 rows, seed 0, versions: carcassonne" in page
    assert "@misc{meeplelab-" in page


def test_all_parts_have_an_address(client: Client, link: ShareLink) -> None:
    base = f"/r/{link.slug}/"
    assert client.get(f"{base}result.json").json()["result"]["sum"] == 4
    assert client.get(f"{base}spec.json").json()["study"] == "counting"
    assert client.get(f"{base}charts/squares-sums-1.json").json()["title"] == "Squares"
    assert "a kind&#x27;s fault" in client.get(f"{base}rows/?only=failed").content.decode()
    for part in ("live/", "result/", "rows/", "charts/squares-sums-1/"):
        assert client.get(base + part).status_code == 200
    for part in ("matches/", "matches/1/", "board.svg", "trace.json", "position/", "export/matches.csv"):
        assert client.get(base + part).status_code == 404, part


def test_the_rows_can_be_downloaded(client: Client, link: ShareLink, transactional_db: None) -> None:
    lines = b"".join(client.get(f"/r/{link.slug}/export/rows.csv").streaming_content).decode().splitlines()
    assert lines[0] == "piece,status,failure,cpu_s,ended_at,versions,number,square"
    assert len(lines) == 4


def test_the_picture_shows_the_facts_and_follows_them(client: Client, alice: Any, make: Make) -> None:
    study = make(alice, 1)
    address = f"/r/{services.share(study).slug}/card.png"
    first = client.get(address)
    assert first.headers["Content-Type"] == "image/png"
    assert client.get(address, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    fill(study, 3)
    assert client.get(address).headers["ETag"] != first.headers["ETag"]


def test_a_withdrawn_study_says_so(alice: Any, client: Client, link: ShareLink) -> None:
    owner = Client()
    owner.force_login(alice)
    assert owner.post(f"/r/{link.slug}/withdraw/").headers["Location"] == f"/studies/{link.study_id}/"
    for part in ("", "live/", "result/", "rows/", "result.json", "spec.json", "card.png", "export/rows.csv"):
        assert client.get(f"/r/{link.slug}/{part}").status_code == 410


def test_only_the_owner_withdraws(bob: Any, link: ShareLink) -> None:
    stranger = Client()
    stranger.force_login(bob)
    assert stranger.post(f"/r/{link.slug}/withdraw/").status_code == 404
    link.refresh_from_db()
    assert link.withdrawn_at is None


def test_a_shared_study_is_run_again_by_others(bob: Any, link: ShareLink) -> None:
    other = Client()
    other.force_login(bob)
    assert 'name="p-raises_at" value="1"' in other.get(f"/studies/new/?shared={link.slug}").content.decode()
    assert other.get("/studies/new/?shared=nothing").status_code == 404
    assert other.get(f"/experiments/new/?shared={link.slug}").status_code == 404


def test_a_link_is_of_a_study_or_of_an_experiment(alice: Any, make: Make, played: Any) -> None:
    study, experiment = make(alice), played(alice)
    for values in ({}, {"study": study, "experiment": experiment}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ShareLink.objects.create(slug="both", **values)
