"""The page that compares experiments, its address and its file."""

import re
from html import unescape

import pytest

from tests.webapp.lab.pooling.made import FLAT, NEW, OLD, run
from tests.webapp.specs import make
from webapp.lab.jobs import share_links
from webapp.records.models import Experiment

pytestmark = pytest.mark.django_db
PAGE, FILE = "/experiments/compare/", "/experiments/compare.json"
LEADS = [[5, -1, 3, 3, 8, 2, 0, 4], [1, 0, 1, -2, 4, 0, 0, 0]]


def text(response):
    assert response.status_code == 200
    body = re.sub(r"<(script|style).*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body)))


def ask(client, *refs, **more):
    return client.get(PAGE, {"job": refs, **more})


def test_two_runs_of_a_question_are_pooled_with_all_numbers(signed_in, alice, client):
    one = run(alice, LEADS)
    two = run(alice, [[2, 2, 9, -3], [0] * 4], seed=8, title="Once more")
    page = text(ask(signed_in, one.pk, two.pk))
    assert "2 experiments side by side" in page
    assert "Two runs of the same question agree: together New" in page
    assert f"Pooled are No. {one.pk} and No. {two.pk}: rules, line-ups, budgets and versions are the same" in page
    assert "2 of 2" not in page
    for words in ("Do they agree?", "Spread between runs, τ", "Side by side", "wanted: each has deals of its own"):
        assert words in page
    found = signed_in.get(FILE, {"job": [one.pk, two.pk], "measure": "margin"}).json()
    (contrast,) = found["contrasts"]
    assert (contrast["side"], contrast["baseline"]) == ("New", "Old")
    assert [row["mean"] for row in contrast["runs"]] == [pytest.approx(20 / 8), pytest.approx(10 / 4)]
    assert contrast["pooled"]["mean"] == pytest.approx(30 / 12)
    assert contrast["pooled"]["heterogeneity"]["q"] == pytest.approx(0)
    assert [row["label"] for row in found["settings"] if row["differs"]] == ["Deals per arm", "Seed"]


def test_who_may_see_what_is_told_by_the_address(signed_in, client, alice, bob):
    mine, theirs = run(alice, LEADS), run(bob, LEADS, seed=8)
    link = share_links.share(theirs)
    assert "No experiment of yours has this number" in text(ask(signed_in, mine.pk, theirs.pk))
    for ref in (link.slug, f"/r/{link.slug}/", f"https://lab.example/r/{link.slug}/matches/?page=2"):
        page = ask(signed_in, mine.pk, ref)
        assert "Two runs of the same question" in text(page)
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert "noindex" in page.headers["X-Robots-Tag"]
    assert f"Only you see No. {mine.pk}: share it first" in text(page)
    own = share_links.share(mine)
    assert f"job={own.slug}&amp;job={link.slug}" in ask(signed_in, mine.pk, link.slug).content.decode()
    client.logout()
    assert "By its number only its owner sees it" in text(ask(client, mine.pk, link.slug))
    assert "Two runs of the same question" in text(ask(client, own.slug, link.slug))
    share_links.withdraw(link)
    assert "Its shared page was withdrawn" in text(ask(client, own.slug, link.slug))


def test_nothing_one_and_too_many_say_what_to_do(signed_in, alice, monkeypatch):
    assert "Which experiments?" in text(ask(signed_in))
    one, other = run(alice, LEADS, title="First"), run(alice, LEADS, seed=8, title="Second")
    page = text(ask(signed_in, f"No. {one.pk}"))
    assert "Which other ones?" in page
    assert "Second No." in page
    assert "Ladders, studies and presets have pages of their own" in page
    monkeypatch.setattr("webapp.lab.comparison.chosen.MOST", 2)
    third = run(alice, LEADS, seed=9)
    assert "No more than 2 are compared at once" in text(ask(signed_in, one.pk, other.pk, third.pk))
    assert "2 experiments side by side" in text(ask(signed_in, one.pk, other.pk, one.pk))


def test_what_cannot_be_compared_says_so(signed_in, alice):
    one = run(alice, LEADS)
    match = make(alice, kind="match")
    ladder = make(alice)
    Experiment.objects.filter(pk=ladder.pk).update(kind="ladder")
    page = text(ask(signed_in, one.pk, match.pk, ladder.pk, "nonsense", "9" * 40, "\0", "%", "/r/", "1" * 5000))
    assert f"No. {match.pk} is a single match" in page
    assert f"No. {ladder.pk} is a ladder" in page
    assert page.count("No page is shared at this address") >= 3
    kingdomino = make(alice, game="kingdomino", arms=[{"name": "One", "seats": [OLD["seats"][1]] * 2}])
    page = text(ask(signed_in, one.pk, kingdomino.pk))
    assert "These are of 2 games" in page
    alone = make(alice, arms=[{"name": "One", "seats": [OLD["seats"][1]] * 2}])
    again = make(alice, arms=alone.spec["arms"], seed=9)
    assert "Nothing is compared in any of them" in text(ask(signed_in, alone.pk, again.pk))
    assert "No deal of" in text(ask(signed_in, make(alice).pk, make(alice, seed=9).pk))


def test_what_is_pooled_is_chosen_by_ticks_that_the_address_keeps(signed_in, alice):
    more = {**NEW, "seats": [{**FLAT, "budget": {"playouts": 80}}, NEW["seats"][1]]}
    one, two = run(alice, LEADS), run(alice, LEADS, seed=8)
    third = run(alice, LEADS, seed=9, arms=[more, OLD])
    page = ask(signed_in, one.pk, two.pk, third.pk)
    assert f"No. {third.pk} other playouts a ply" in text(page)
    assert f"No. {third.pk} (other playouts a ply) is 0.0 percentage points" in text(page)
    wished = ask(signed_in, one.pk, two.pk, third.pk, choice="1", pool=[one.pk, third.pk])
    assert "Two experiments that are not quite of one question, pooled by choice" in text(wished)
    assert f"choice=1&amp;pool={one.pk}&amp;pool={third.pk}&amp;measure=margin" in wished.content.decode()
    assert "New: Budget" in text(page)
    none = text(ask(signed_in, one.pk, two.pk, third.pk, choice="1"))
    assert "runs of the same question" not in none
    assert "What may be pooled" in none


def test_questions_that_have_nothing_in_common_claim_nothing(signed_in, alice):
    one = run(alice, LEADS)
    other = run(alice, [[3, 3, 3]], arms=[{"name": "One", "seats": [FLAT, OLD["seats"][0]]}], seed=8)
    page = text(ask(signed_in, one.pk, other.pk, measure="margin"))
    assert "No two of these compare the same" in page
    assert "+3.0 the same in every deal" in page
    assert "Pool these" not in page
