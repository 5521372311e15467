"""What staff do is kept, with the values before and after, and outlives whoever did it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.records.experiments import make_experiment
from webapp.people.accounts.models import User
from webapp.people.audit import services
from webapp.people.audit.models import StaffAction

pytestmark = pytest.mark.django_db


def _deeds() -> list[tuple[str, str, str, str, str]]:
    return list(StaffAction.objects.order_by("pk").values_list("who", "deed", "kind", "name", "details"))


def _form(person: User, **quota: str) -> dict[str, Any]:
    existing = hasattr(person, "quota")
    names = ("running", "cpu_hours", "rows", "bytes", "api_calls")
    rows = {f"quota-0-{name}": quota.get(name, "") for name in names}
    management = {"quota-TOTAL_FORMS": "1", "quota-INITIAL_FORMS": str(int(existing)), "quota-0-owner": person.pk}
    if existing:
        management["quota-0-id"] = person.quota.pk
    joined = {"date_joined_0": f"{person.date_joined:%Y-%m-%d}", "date_joined_1": f"{person.date_joined:%H:%M:%S}"}
    return {"username": person.username, "is_active": "on", "preferences": "{}", **joined, **management, **rows}


def test_a_quota_that_is_raised_is_kept_with_both_values(admin_client: Client, alice: User) -> None:
    page = f"/admin/accounts/user/{alice.pk}/change/"
    alice.email = ""
    alice.save()
    for hours in ("100", "200"):
        person = User.objects.get(pk=alice.pk)
        assert admin_client.post(page, _form(person, cpu_hours=hours)).status_code == 302
    assert [row[:4] for row in _deeds()] == [("admin", "changed", "user", "alice")] * 2
    first, second = (row[4] for row in _deeds())
    assert "CPU hours in seven days (nothing → 100)" in first
    assert "CPU hours in seven days (100 → 200)" in second


def test_a_job_that_is_stopped_is_kept_and_one_that_was_over_is_not(admin_client: Client) -> None:
    running, over = make_experiment(), make_experiment(status="finished")
    ids = [running.pk, over.pk]
    admin_client.post("/admin/records/experiment/", {"action": "stop", "_selected_action": ids})
    assert _deeds() == [("admin", "changed", "experiment", running.title, "Stopped.")]
    admin_client.post(f"/admin/records/experiment/{running.pk}/change/", _job_form(running, priority="7"))
    assert _deeds()[1][4] == "Changed Priority (0 → 7)."


def _job_form(job: Any, **values: str) -> dict[str, str]:
    arms = {"arms-TOTAL_FORMS": "0", "arms-INITIAL_FORMS": "0"}
    return {"title": job.title, "priority": "0", **arms, **values}


def test_it_outlives_accounts_that_are_deleted_several_at_once(admin_client: Client, alice: User, bob: User) -> None:
    services.note(alice, "drained", "worker", "host:17", details="before the upgrade")
    chosen = {"action": "delete_selected", "_selected_action": [alice.pk, bob.pk], "post": "yes"}
    assert admin_client.post("/admin/accounts/user/", chosen).status_code == 302
    assert not User.objects.filter(pk__in=[alice.pk, bob.pk]).exists()
    assert {row[:4] for row in _deeds()} == {
        ("alice", "drained", "worker", "host:17"),
        ("admin", "deleted", "user", "alice"),
        ("admin", "deleted", "user", "bob"),
    }
    (row, *_) = StaffAction.objects.all()
    page = admin_client.get("/admin/audit/staffaction/").content.decode()
    assert "before the upgrade" in page
    for way in ("delete", "change"):
        assert admin_client.post(f"/admin/audit/staffaction/{row.pk}/{way}/", {"post": "yes"}).status_code == 403
    assert StaffAction.objects.count() == 3
