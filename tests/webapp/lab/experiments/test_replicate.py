"""Replications: how one is started, who hears of it, and what both come to together."""

import re
from html import unescape

import pytest

from tests.webapp.lab.experiments.pages import NEW, text_of
from tests.webapp.lab.pooling.made import run
from tests.webapp.specs import make
from webapp.lab.experiments import lineage, services
from webapp.lab.jobs import share_links
from webapp.records.models import Experiment
from worker.spec import from_json

pytestmark = pytest.mark.django_db
PAGE = "/experiments/replicate/"
LEADS = [[5, -1, 3, 3, 8, 2, 0, 4], [1, 0, 1, -2, 4, 0, 0, 0]]


def words(response):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", text_of(response))))


def fields(response):
    found = dict(re.findall(r'name="(submission|seed)" value="([^"]+)"', response.content.decode()))
    return found | {"luck": "new"}


def test_a_visitor_replicates_what_is_shared_with_one_button(client, signed_in, alice, bob):
    original = run(bob, LEADS, title="Of Bob")
    link = share_links.share(original)
    client.logout()
    assert f"{PAGE}?shared={link.slug}" in client.get(f"/r/{link.slug}/").content.decode()
    assert client.get(f"{PAGE}?shared={link.slug}")["Location"].startswith("/accounts/login/?next=")
    client.force_login(alice)
    page = client.get(f"{PAGE}?shared={link.slug}")
    assert "Start 32 matches" in words(page)
    assert re.search("2 arms . 8 deals . 2 seatings", words(page))
    form = fields(page)
    made = [client.post(f"{PAGE}?shared={link.slug}", form) for _ in range(2)]
    assert made[0]["Location"] == made[1]["Location"]
    run_again = Experiment.objects.latest("pk")
    assert (run_again.title, run_again.origin, run_again.owner) == ("Replication: Of Bob", original, alice)
    assert str(run_again.spec["seed"]) == form["seed"] != str(original.spec["seed"])
    assert {**run_again.spec, "seed": 0} == {**original.spec, "seed": 0}


def test_the_same_matches_are_played_again_only_where_that_is_said(signed_in, alice):
    original = run(alice, LEADS)
    address = f"{PAGE}?from={original.pk}"
    form = fields(signed_in.get(address))
    signed_in.post(address, form | {"seed": str(original.spec["seed"])})
    assert Experiment.objects.latest("pk").spec["seed"] != original.spec["seed"]
    signed_in.post(address, form | {"luck": "same"})
    same = Experiment.objects.latest("pk")
    assert same.spec["seed"] == original.spec["seed"]
    assert same.title == "Same matches: Is the new one better?"
    assert lineage.same_matches(same) == original
    page = words(signed_in.get("/experiments/"))
    assert page.count("same matches") == 1
    assert "same matches" in words(signed_in.get(f"/experiments/{same.pk}/"))
    # In the form it takes a tick besides.
    again = signed_in.get(f"{NEW}?from={same.pk}").context["builder"].data | {"seed": str(original.spec["seed"])}
    known = Experiment.objects.count()
    assert "say that you want that" in words(signed_in.post(NEW, again))
    assert Experiment.objects.count() == known
    signed_in.post(NEW, again | {"same_matches": str(original.pk)})
    made = Experiment.objects.latest("pk")
    assert (made.origin, lineage.same_matches(made)) == (same, original)


def test_what_cannot_be_replicated_says_why(signed_in, alice, bob, settings):
    assert signed_in.get(PAGE).status_code == 404
    assert signed_in.get(f"{PAGE}?from={make(bob).pk}").status_code == 404
    assert signed_in.get(f"{PAGE}?from={make(alice, kind='match').pk}").status_code == 404
    old = make(alice)
    Experiment.objects.filter(pk=old.pk).update(spec={**old.spec, "version": 0})
    page = signed_in.get(f"{PAGE}?from={old.pk}")
    assert "of another version of the lab" in words(page)
    assert f"/experiments/new/?from={old.pk}" in page.content.decode()
    original = make(alice)
    settings.LAB_QUOTAS = settings.LAB_QUOTAS | {"running": 1}
    before = Experiment.objects.count()
    page = signed_in.get(f"{PAGE}?from={original.pk}")
    assert "More than you may use" in words(page)
    assert "Nothing has started" in words(signed_in.post(f"{PAGE}?from={original.pk}", fields(page)))
    assert Experiment.objects.count() == before


def replication(owner, original, leads, **changes):
    made = run(owner, leads, **changes)
    Experiment.objects.filter(pk=made.pk).update(origin=original)
    made.refresh_from_db()
    return made


def test_the_page_of_the_original_pools_what_its_reader_sees(client, signed_in, alice, bob):
    original = run(alice, LEADS)
    public = replication(bob, original, LEADS, seed=8, title="Seen by all")
    private = replication(bob, original, [[9] * 8, [0] * 8], seed=9, title="Secret of Bob")
    same = replication(alice, original, LEADS, title="Once more the same")
    later = replication(alice, public, LEADS, seed=10, title="A run of a run")
    share_links.share(public)
    link = share_links.share(original)
    own = words(signed_in.get(f"/experiments/{original.pk}/"))
    assert "With its replications" in own
    assert "Three runs of the same question agree: together New" in own
    assert f"8 deals, the same matches as No. {original.pk}" in own
    for title, is_there in (("Seen by all", 1), ("Secret of Bob", 0), ("Once more the same", 1), ("A run of a run", 1)):
        assert (title in own) == is_there
    assert f"Only you see No. {same.pk}, No. {later.pk} here" in own
    client.logout()
    shared = words(client.get(f"/r/{link.slug}/"))
    assert "Two runs of the same question agree" in shared
    assert "Once more the same" not in shared
    client.force_login(bob)
    assert "Secret of Bob" in words(client.get(f"/r/{link.slug}/"))
    assert "#replications" in client.get(f"/experiments/{private.pk}/").content.decode()
    # One without runs has no such card.
    assert "With its replications" not in words(client.get(f"/experiments/{private.pk}/"))


def test_relatives_are_found_through_all_generations(alice, django_assert_num_queries):
    first = make(alice)
    second = services.create(alice, "2", from_json({**first.spec, "seed": 8}), origin=first)
    third = services.create(alice, "3", from_json(first.spec), origin=second)
    assert [one.pk for one in lineage.family(third)] == [first.pk, second.pk, third.pk]
    with django_assert_num_queries(1):  # a list asks for each of its rows
        assert lineage.same_matches(third) == first
    assert lineage.same_matches(second) is None
    Experiment.objects.filter(pk=first.pk).update(origin=third)  # nobody can make it so, and it ends all the same
    assert len(lineage.descendants(first)) == 2
