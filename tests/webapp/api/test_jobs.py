"""Experiments, ladders and studies by script: started once, steered, shared, deleted, by their owner alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.webapp.api.callers import Caller, Researcher
from tests.webapp.lab.pooling.made import run
from tests.webapp.specs import make, spec
from webapp.api import examples
from webapp.lab.experiments import cost
from webapp.lab.jobs import share_links
from webapp.people.agents import kept_answers, tokens
from webapp.people.agents.models import KeptAnswer
from webapp.records.models import Experiment, Study

pytestmark = pytest.mark.django_db
STARTS = [
    (f"/{plural}", body["value"])
    for plural, word in (("experiments", "experiment"), ("ladders", "ladder"), ("studies", "study"))
    for body in examples.STARTS[word]["requestBody"]["content"]["application/json"]["examples"].values()
]


def kind(response: Any) -> str:
    """The kind of problem that was answered."""
    return str(response.json()["type"]).rpartition("#")[2]


def test_each_example_is_started_steered_shared_and_deleted(researcher: Researcher, subtests: pytest.Subtests) -> None:
    for place, body in STARTS:
        with subtests.test(place):
            plan = researcher.tell("POST", f"{place}?dry_run=true", body)
            if body is examples.TEST:
                continue  # what is started of the other one tells the same
            made = researcher.tell("POST", place, body, 201)
            one = f"{place}/{made['number']}"
            assert (made["status"], made["total"], made["ended"]) == ("running", plan["units"], 0)
            assert (plan["cpu_s"] > 0, plan["over"], plan["confirm"]) == (True, "", "")
            assert made["title"] == body["title"] or not body["title"]
            assert researcher.ask(f"{one}/spec") == plan["spec"]
            assert researcher.ask(place)["jobs"][0]["number"] == made["number"]
            told = [researcher.tell("POST", f"{one}/{deed}")["status"] for deed in ("pause", "pause", "resume", "stop")]
            assert told == ["paused", "paused", "running", "stopped"]
            assert kind(researcher.send("POST", f"{one}/wave")) == "invalid"
            assert researcher.tell("POST", f"{one}/archive")["is_archived"]
            assert made["number"] in [row["number"] for row in researcher.ask(f"{place}?which=archived")["jobs"]]
            assert researcher.send("DELETE", one).status_code == 204
            assert kind(researcher.send("GET", one)) == "not-found"


def test_a_field_that_an_operation_does_not_have_starts_nothing(researcher: Researcher) -> None:
    ladder = examples.STARTS["ladder"]["requestBody"]["content"]["application/json"]["examples"]
    body = next(iter(ladder.values()))["value"]
    number = researcher.tell("POST", "/ladders", body, 201)["number"]
    before = researcher.ask(f"/ladders/{number}/spec")
    for place in (f"/ladders/{number}/more?dry_run=true", "/experiments?dryrun=true"):
        refused = researcher.send("POST", place, {"spec": spec()})
        assert (refused.status_code, kind(refused)) == (400, "bad-request")
        assert "has no such field" in refused.json()["detail"]
    assert researcher.ask(f"/ladders/{number}/spec") == before
    assert Experiment.objects.count() == 1
    assert "limit" in researcher.send("GET", "/experiments?limits=3").json()["detail"]


def test_title_notes_and_tags_are_read_changed_and_looked_for(researcher: Researcher, alice: Any) -> None:
    made = researcher.tell("POST", "/experiments", {"spec": spec(), "title": "One"}, 201)
    other = researcher.tell("POST", "/experiments", {"spec": spec(), "title": "Two"}, 201)
    one = f"/experiments/{made['number']}"
    assert (made["notes"], made["shows_notes"], made["tags"], made["edition"]) == ("", False, [], "")
    for body in examples.DESCRIPTIONS["requestBody"]["content"]["application/json"]["examples"].values():
        told = researcher.tell("PATCH", one, body["value"])
        assert told.items() >= body["value"].items()
    assert told["tags"] == ["uct", "bias"]  # what is left out stays
    assert told["edition"] != made["edition"]
    assert researcher.tell("PATCH", one, {"tags": ["UCT", "#uct", " uct "]})["tags"] == ["uct"]
    clash = researcher.send("PATCH", one, {"title": "Three", "edition": told["edition"]})
    assert (clash.status_code, kind(clash)) == (409, "refused")
    wrong = {"title": " ", "notes": "a" * 20_001, "tags": ["a" * 40], "shows_notes": "perhaps", "seed": 1}
    for name, value in wrong.items():
        refused = researcher.send("PATCH", one, {name: value})
        assert (refused.status_code, kind(refused)) == (422, "invalid")
        assert refused.json()["errors"][0]["place"] == f"body.{name}"
    assert kind(Researcher(alice, (tokens.READ,)).send("PATCH", one, {"title": "Four"})) == "missing-scope"
    first, both = [made["number"]], [other["number"], made["number"]]
    asked = {
        "q=margin": first,
        "q=progressive+VERSION": first,
        "tag=UCT": first,
        "tag=none": [],
        "game=carcassonne&status=running": both,
        "status=paused": [],
        "engine=scripted": both,
        "engine=uct": [],
        f"q=%23{other['number']}&which=running": both[:1],
    }
    for query, numbers in asked.items():
        assert [row["number"] for row in researcher.ask(f"/experiments?{query}")["jobs"]] == numbers, query
    assert kind(researcher.send("GET", "/studies?engine=uct")) == "invalid"
    for unknown in ("/experiments?game=chess", "/presets?game=chess", "/columns?game=chess"):
        refused = researcher.send("GET", unknown)
        assert (refused.status_code, refused.json()["errors"][0]["place"]) == (422, "query.game")
        assert "there are carcassonne, " in refused.json()["detail"]
    every, ours = (researcher.ask(f"/columns{query}")["tables"] for query in ("", "?game=dominion"))
    assert {table["id"] for table in ours} < {table["id"] for table in every}


def test_a_request_with_a_key_is_carried_out_once(researcher: Researcher, bob: Any) -> None:
    body = {"spec": spec()}
    first = researcher.tell("POST", "/experiments", body, 201, Idempotency_Key="mine")
    again = researcher.tell("POST", "/experiments", body, 201, Idempotency_Key="mine")
    assert (first["number"], Experiment.objects.count()) == (again["number"], 1)
    for place, other in (("/experiments", {"spec": spec(seed=8)}), ("/studies", examples.STUDY)):
        refused = researcher.send("POST", place, other, Idempotency_Key="mine")
        assert (refused.status_code, kind(refused)) == (409, "key-reused")
    assert not Study.objects.exists()
    assert Researcher(bob).tell("POST", "/experiments", body, 201, Idempotency_Key="mine")["number"] != first["number"]
    bad = {"spec": spec(deals=0)}
    assert kind(researcher.send("POST", "/experiments", bad, Idempotency_Key="other")) == "invalid"
    researcher.tell("POST", "/experiments", body, 201, Idempotency_Key="other")  # what was refused used up no key
    researcher.tell("POST", f"/experiments/{first['number']}/stop")
    assert researcher.send("DELETE", f"/experiments/{first['number']}").status_code == 204
    assert "deleted since" in researcher.tell("POST", "/experiments", body, 409, Idempotency_Key="mine")["detail"]
    assert kept_answers.forget_old(KeptAnswer.objects.latest("created_at").created_at + kept_answers.KEPT) == 2


def test_what_is_refused_says_why(researcher: Researcher, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = researcher.send("POST", "/experiments", {"spec": spec(arms=[{"name": "One", "seats": [{"engine": "x"}]}])})
    assert wrong.json()["errors"][0]["place"].startswith("body.spec.arms[0]")
    assert "ladders" in researcher.send("POST", "/experiments", examples.LADDER).json()["detail"]
    assert kind(researcher.send("POST", "/experiments", {"spec": spec(), "title": "a\0b"})) == "invalid"
    settings.LAB_QUOTAS = settings.LAB_QUOTAS | {"running": 1}
    made = researcher.tell("POST", "/experiments", {"spec": spec()}, 201)
    over = researcher.tell("POST", "/studies?dry_run=true", examples.STUDY)["over"]
    assert "may have 1" in over
    refused = researcher.send("POST", "/studies", examples.STUDY)
    assert (refused.status_code, kind(refused), refused.json()["detail"]) == (409, "over-quota", f"{over}.")
    (running,) = (row for row in researcher.ask("/account")["quotas"] if row["name"] == "running")
    assert (running["used"], running["limit"]) == (1, 1)
    running_one = researcher.send("DELETE", f"/experiments/{made['number']}")
    assert (running_one.status_code, kind(running_one)) == (409, "refused")
    researcher.tell("POST", f"/experiments/{made['number']}/stop")
    monkeypatch.setattr(cost, "HUGE_S", 0)
    body = {"spec": spec()}
    confirm = researcher.send("POST", "/experiments", body).json()["confirm"]
    assert confirm == researcher.tell("POST", "/experiments?dry_run=true", body)["confirm"]
    assert kind(researcher.send("POST", "/experiments", body | {"confirm": "1-1-1"})) == "unconfirmed"
    researcher.tell("POST", "/experiments", body | {"confirm": confirm}, 201)


def test_only_its_owner_may_and_only_with_the_scope(
    researcher: Researcher, bot: Caller, alice: Any, bob: Any, client: Client
) -> None:
    made = researcher.tell("POST", "/experiments", {"spec": spec()}, 201)
    one = f"/experiments/{made['number']}"
    stranger, reader = Researcher(bob), Researcher(alice, (tokens.READ,))
    places = [("GET", ""), ("GET", "/spec"), ("GET", "/result"), ("GET", "/matches"), ("GET", "/export/matches.csv")]
    changes = [("PATCH", ""), ("POST", "/pause"), ("PUT", "/share"), ("DELETE", "/share"), ("DELETE", "")]
    for method, part in places + changes:
        assert kind(stranger.send(method, one + part, {} if method == "PATCH" else None)) == "not-found"
        assert kind(bot.client.generic(method, f"/api/v1{one}{part}")) == "wrong-token"
    assert not stranger.ask("/experiments")["jobs"]
    assert reader.ask(one)["number"] == made["number"]
    for method, part in changes:
        assert kind(reader.send(method, one + part)) == "missing-scope"
    assert kind(reader.send("POST", "/experiments", {"spec": spec()})) == "missing-scope"
    assert kind(researcher.send("GET", "/matches")) == "wrong-token"
    tokens.revoke(researcher.token)
    assert kind(researcher.send("GET", one)) == "bad-token"


def test_a_token_is_made_on_its_page_and_shown_once(client: Client, alice: Any) -> None:
    client.force_login(alice)
    page = client.post("/api/tokens/", {"token-label": "Notebook", "token-may_experiment": "on"}).content.decode()
    (row,) = alice.tokens.all()
    assert (row.label, row.scopes) == ("Notebook", [tokens.READ, tokens.EXPERIMENT])
    secret = page.partition('<pre id="secret">')[2].partition("</pre>")[0]
    assert tokens.digest(secret) == row.digest
    assert secret not in client.get("/api/tokens/").content.decode()
    client.post("/api/tokens/", {"token-label": "Reader"})
    assert alice.tokens.latest("pk").scopes == [tokens.READ]


def test_what_runs_again_names_its_origin(researcher: Researcher, alice: Any, bob: Any) -> None:
    first, theirs = make(alice), make(bob, seed=9)
    link = share_links.share(theirs)
    for origin, number, seed in ((str(first.pk), first.pk, 8), (link.slug, theirs.pk, 10)):
        made = researcher.tell("POST", "/experiments", {"spec": spec(seed=seed), "origin": origin}, 201)
        assert (made["origin"], made["same_matches"]) == (number, None)
    same = {"spec": spec(), "origin": str(first.pk)}
    for dry in ("", "?dry_run=true"):
        refused = researcher.send("POST", f"/experiments{dry}", same)
        assert refused.json()["errors"][0]["place"] == "body.spec.seed"
        assert f"that of No. {first.pk}" in refused.json()["errors"][0]["message"]
    again = researcher.tell("POST", "/experiments", same | {"same_matches": True}, 201)
    assert (again["origin"], again["same_matches"]) == (first.pk, first.pk)
    for origin in (str(theirs.pk), "nothing", "9" * 30):
        refused = researcher.send("POST", "/experiments", {"spec": spec(seed=12), "origin": origin})
        assert (refused.status_code, refused.json()["errors"][0]["place"]) == (422, "body.origin")
    refused = researcher.send("POST", "/experiments", {"spec": spec(seed=12), "same_matches": True})
    assert (refused.status_code, refused.json()["errors"][0]["place"]) == (422, "body.same_matches")
    refused = researcher.send("POST", "/studies", examples.STUDY | {"origin": str(first.pk)})
    assert "studies run no other one again" in refused.json()["errors"][0]["message"]


def test_experiments_are_compared_by_script(researcher: Researcher, alice: Any, bob: Any) -> None:
    mine, theirs = run(alice, [[5, 3, 1], [0, 0, 3]]), run(bob, [[2, 4, 6], [0] * 3], seed=8)
    link = share_links.share(theirs)
    found = researcher.ask(f"/compare?job={mine.pk}&job={link.slug}&measure=margin")
    (contrast,) = found["contrasts"]
    assert [row["mean"] for row in contrast["runs"]] == [2.0, 4.0]
    assert (contrast["pooled"]["mean"], contrast["pooled"]["deals"]) == (3.0, 6)
    assert contrast["pooled"]["left_out"][0]["others"] == 4.0
    assert researcher.ask(f"/compare?job={mine.pk}&job={link.slug}&pool={mine.pk}")["contrasts"][0]["pooled"] is None
    other = make(alice, game="kingdomino", arms=[{"name": "One", "seats": [{"engine": "random"}] * 2}])
    for query, status, words in (
        (f"job={mine.pk}&job={theirs.pk}", 404, f"{theirs.pk}: No experiment of yours"),
        (f"job={mine.pk}&job={mine.pk}", 409, "one experiment"),
        (f"job={mine.pk}&job={other.pk}", 409, "several games (Carcassonne, Kingdomino)"),
        (f"job={mine.pk}", 422, ""),
        (f"job={mine.pk}&job=a%00b", 422, "must not hold the character NUL"),
        (f"job={mine.pk}&job={link.slug}&pool={other.pk}", 422, "query.pool: names what job does not"),
        ("&".join(f"job={i}" for i in range(20)), 422, ""),
    ):
        refused = researcher.send("GET", f"/compare?{query}")
        assert (refused.status_code, words in refused.json()["detail"]) == (status, True), query
