"""A person's webhook: told of each end of a job once, and leading only where the lab allows."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.webapp.api.callers import Researcher
from tests.webapp.specs import make
from webapp.api import examples
from webapp.lab.jobs import endings, services
from webapp.table.hooks import delivery_signature, queue
from webapp.table.hooks.models import Delivery

pytestmark = pytest.mark.django_db
URL = "http://127.0.0.1:9/lab"


def test_each_end_of_a_job_is_told_of_once(researcher: Researcher, alice: Any, bob: Any, settings: Any) -> None:
    settings.LAB_HOOK_HOSTS = ["127.0.0.1"]
    before, theirs, made = make(alice), make(bob), make(alice)
    services.stop(before)
    secret = researcher.tell("PUT", "/webhook", {"url": URL})["secret"]
    assert secret.startswith(delivery_signature.SECRET_START)
    assert researcher.tell("PUT", "/webhook", {"url": URL}) == {"url": URL, "secret": None}
    number = researcher.tell("POST", "/studies", examples.STUDY, 201)["number"]
    assert endings.tell() == 0
    for job in (theirs, made):
        services.stop(job)
    researcher.tell("POST", f"/studies/{number}/stop")
    assert [endings.tell(), endings.tell()] == [2, 0]
    services.resume(made)
    services.stop(made)
    assert [endings.tell(), endings.tell()] == [1, 0]
    told = [json.loads(row.body) for row in Delivery.objects.order_by("created_at")]
    assert [(row["event"], row["user"]) for row in told] == [("finished", "alice")] * 3
    jobs = [(row["job"]["kind"], row["job"]["number"], row["job"]["status"]) for row in told]
    assert jobs == [
        ("experiment", made.pk, "stopped"),
        ("study", number, "stopped"),
        ("experiment", made.pk, "stopped"),
    ]
    address = told[0]["job"]["address"].partition("/api/v1")[2]
    assert researcher.ask(address)["title"] == told[0]["job"]["title"]
    claims = queue.claim(5)
    assert {(claim.owner_id, claim.url, claim.secret) for claim in claims} == {(alice.pk, URL, secret)}
    queue.settle(claims[0], queue.Outcome(204, "", 0.1))
    shown = researcher.ask("/webhook")
    assert (shown["url"], sorted(row["status"] for row in shown["deliveries"])) == (URL, ["sent", "waiting", "waiting"])
    Delivery.objects.update(ended_at=timezone.now() - queue.KEPT - timedelta(days=1))
    queue.forget()
    type(made)._default_manager.update(finished_at=timezone.now() - endings.RECENT - timedelta(hours=1))
    assert endings.tell() == 1, "the study alone: an experiment of long ago is not told of again"
    assert researcher.send("POST", "/webhook/test").status_code == 202
    assert researcher.send("POST", "/webhook/test").status_code == 409
    assert researcher.send("DELETE", "/webhook").status_code == 204
    assert "no webhook" in researcher.tell("GET", "/webhook", status=404)["detail"]
    assert endings.tell() == 0


def test_a_webhook_leads_to_the_public_internet_unless_the_lab_allows_more(
    researcher: Researcher, settings: Any
) -> None:
    settings.LAB_HOOK_HOSTS = []
    for url in ("http://127.0.0.1:9/", "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.7/", "ftp://x/", "x"):
        refused = researcher.send("PUT", "/webhook", {"url": url})
        assert (refused.status_code, refused.json()["errors"][0]["place"]) == (422, "body.url")
    researcher.tell("PUT", "/webhook", {"url": "https://example.org/lab"})
