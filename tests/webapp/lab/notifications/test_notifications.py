"""What people are told of jobs that are over: once for each end, in the list, by mail, as they wish."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends import locmem
from django.db import connection
from django.test import Client
from django.utils import timezone

from tests.webapp.lab.results import factory
from tests.webapp.pages import markup
from webapp.lab.jobs import services as jobs
from webapp.lab.notifications import mails, selectors, services
from webapp.lab.notifications.models import JobWish, Notification, Wishes
from webapp.records import removal
from webapp.records.models import Experiment
from webapp.table.hooks.models import Delivery, Hook

pytestmark = pytest.mark.django_db


def over(owner: Any, seconds: float = 120.0, **values: Any) -> Experiment:
    """An experiment that has ended just now, after so long."""
    made = factory.played(owner, deals=1)
    now = timezone.now()
    values = {"status": "finished", "started_at": now - timedelta(seconds=seconds), "finished_at": now} | values
    Experiment.objects.filter(pk=made.pk).update(**values)
    made.refresh_from_db()
    return made


def told(owner: Any) -> list[tuple[int, str]]:
    return [(row.experiment_id or 0, row.words) for row in selectors.told(owner)]


def test_each_end_is_told_of_once(alice: Any) -> None:
    made = over(alice)
    assert [services.note_ends() for _ in range(3)] == [1, 0, 0]
    Experiment.objects.filter(pk=made.pk).update(finished_at=timezone.now())
    assert services.note_ends() == 1, "resumed and over again"
    assert told(alice) == [(made.pk, "Finished")] * 2


def test_how_it_ended(alice: Any) -> None:
    rule = over(alice, outcome={"deals": 5, "dropped": {}, "reason": "H1", "arm": None, "by": ""})
    planned = over(alice, outcome={"deals": 5, "dropped": {}, "reason": "planned", "arm": None, "by": ""})
    by_lab = over(alice, status="stopped", notice="Its engine is gone.")
    by_hand = over(alice, status="stopped")
    services.note_ends()
    assert set(told(alice)) == {
        (rule.pk, "Ended by its stop rule"),
        (planned.pk, "Finished"),
        (by_lab.pk, "Stopped by the lab"),
    }
    assert not Notification.objects.get(experiment=by_hand).is_wanted


def test_of_what_one_is_told(alice: Any, bob: Any) -> None:
    short, old = over(alice, 5.0), over(alice, finished_at=timezone.now() - timedelta(days=2))
    named, unwanted, trial = over(alice, 5.0), over(alice), over(alice, archived_at=timezone.now())
    services.keep_job_wish(named, is_wanted=True)
    services.keep_job_wish(unwanted, is_wanted=False)
    services.keep_wishes(bob, Wishes.Least.NONE, by_mail=False)
    over(bob)
    services.note_ends()
    assert told(alice) == [(named.pk, "Finished")]
    assert not Notification.objects.filter(experiment__in=[old, trial]).exists()
    assert not Notification.objects.get(experiment=short).is_wanted, "noted, and looked at no more"
    assert told(bob) == []


def test_the_bell_counts_until_the_list_was_seen(alice: Any, client: Client) -> None:
    made = over(alice)
    services.note_ends()
    client.force_login(alice)
    page = client.get("/experiments/").content.decode()
    assert 'aria-label="Notifications, 1 job over"' in page
    assert f'data-words="Finished: {made.title}"' in page
    version = selectors.bell(alice).version
    assert client.get(f"/notifications/bell/?version={version}").status_code == 204
    listed = markup(client.get("/notifications/"))
    assert made.title in listed
    assert ">New<" in listed
    assert "This lab sends no mail" in listed
    assert client.get(f"/notifications/bell/?version={version}").status_code == 200
    assert ">New<" not in markup(client.get("/notifications/"))
    assert selectors.bell(alice).unseen == 0
    another = over(alice)
    services.note_ends()
    client.get(f"/experiments/{another.pk}/")
    assert selectors.bell(alice).unseen == 0, "its own page was looked at"
    assert 'id="bell"' not in Client().get("/").content.decode()


class Refusing(locmem.EmailBackend):
    """A mail server that takes nothing."""

    def send_messages(self, messages: Any) -> int:
        raise OSError("no route")


def test_mail_goes_once_and_again_where_it_could_not(alice: Any, settings: Any) -> None:
    settings.LAB_MAIL = True
    alice.email = "alice@example.org"
    alice.save()
    services.keep_wishes(alice, Wishes.Least.MINUTE, by_mail=True)
    made = over(alice)
    services.note_ends()
    settings.EMAIL_BACKEND = f"{__name__}.Refusing"
    assert mails.send_due() == 0
    row = Notification.objects.get()
    assert (row.mail_attempts, row.mailed_at) == (1, None)
    assert row.mail_due_at is not None
    assert row.mail_due_at > timezone.now() + timedelta(seconds=50)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert mails.send_due() == 0, "not due yet"
    Notification.objects.update(mail_due_at=timezone.now())
    assert [mails.send_due() for _ in range(2)] == [1, 0]
    (sent,) = mail.outbox
    assert sent.to == ["alice@example.org"]
    assert sent.subject.endswith(f"Finished: {made.title}")
    assert f"/experiments/{made.pk}/" in str(sent.body)
    assert "/notifications/" in str(sent.body)
    Notification.objects.update(mail_attempts=len(mails.BACK_OFF_S), mailed_at=None, mail_due_at=timezone.now())
    settings.EMAIL_BACKEND = f"{__name__}.Refusing"
    mails.send_due()
    assert Notification.objects.get().mail_due_at is None, "given up"


def test_wishes_and_the_toggle_of_a_job(alice: Any, bob: Any, client: Client) -> None:
    client.force_login(alice)
    client.post("/notifications/wishes/", {"least_s": "600", "by_mail": "on"})
    wishes = Wishes.objects.get(owner=alice)
    assert (wishes.least_s, wishes.by_mail) == (600, False), "no mail here"
    client.post("/notifications/wishes/", {"least_s": "7"})
    assert Wishes.objects.get(owner=alice).least_s == 600
    made = over(alice, status="running", finished_at=None)
    assert "Do not tell me when it is over" in markup(client.get(f"/experiments/{made.pk}/"))
    client.post(f"/experiments/{made.pk}/tell/", {"wanted": "no"})
    assert not JobWish.objects.get().is_wanted
    assert "Tell me when it is over" in markup(client.get(f"/experiments/{made.pk}/settings/"))
    client.force_login(bob)
    assert client.post(f"/experiments/{made.pk}/tell/", {"wanted": "yes"}).status_code == 404


def test_the_webhook_of_a_person_on_its_page(alice: Any, client: Client) -> None:
    client.force_login(alice)
    assert "None yet" not in markup(client.get("/notifications/webhook/"))
    refused = markup(client.post("/notifications/webhook/", {"url": "ftp://example.org"}))
    assert "Nothing is saved yet." in refused
    made = client.post("/notifications/webhook/", {"url": "https://notebook.example.org/lab"})
    hook = Hook.objects.get(owner=alice)
    assert hook.secret in made.content.decode()
    assert made.headers["Cache-Control"] == "no-store"
    assert hook.secret not in client.get("/notifications/webhook/").content.decode()
    assert client.post("/notifications/webhook/test/").status_code == 302
    assert Delivery.objects.get().event == "test"
    renewed = client.post("/notifications/webhook/rotate/").content.decode()
    assert Hook.objects.get().secret in renewed
    assert Hook.objects.get().secret != hook.secret
    client.post("/notifications/webhook/remove/")
    assert not Hook.objects.exists()


def test_what_was_told_of_can_be_deleted(alice: Any) -> None:
    made = over(alice)
    services.note_ends()
    services.keep_job_wish(made, is_wanted=True)
    jobs.delete(made)
    removal.sweep()
    connection.check_constraints()
    assert selectors.rows(alice) == []
