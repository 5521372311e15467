"""Sends the mails about jobs that are over, in a thread beside the sweeper, as the watch sends alarms.

A mail is marked as sent before it goes, and the mark is taken back where it could not go: two programs send it once.
"""

from __future__ import annotations

import logging
import smtplib
import threading
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from webapp.lab.jobs import briefs, registry
from webapp.lab.jobs.selectors import url
from webapp.lab.notifications.models import Notification

PERIOD_S = 15.0
BACK_OFF_S = (60, 600, 3600, 6 * 3600)
"""Waits after the first, second, ... attempt that failed; after one more it is given up."""
MOST_COUNTED = 20_000
"""Matches or pieces over which a mail says what came out; of more its page does."""
logger = logging.getLogger(__name__)


def send_due() -> int:
    """Send what is due; return how many have gone."""
    due = Notification.objects.filter(mail_due_at__lte=timezone.now(), mailed_at=None)
    sent = 0
    for row in due.select_related("owner", "experiment", "study").order_by("mail_due_at"):
        marked = Notification.objects.filter(pk=row.pk, mailed_at=None, mail_due_at=row.mail_due_at)
        if marked.update(mailed_at=timezone.now(), mail_due_at=None):
            sent += _send(row)
    return sent


def _send(row: Notification) -> bool:
    if not row.owner.email:
        return False
    try:
        message_of(row).send()
    except (smtplib.SMTPException, OSError) as error:
        attempts = row.mail_attempts + 1
        logger.warning("mail about %s could not be sent (attempt %s): %s", row, attempts, error)
        again = None
        if attempts <= len(BACK_OFF_S):
            again = timezone.now() + timedelta(seconds=BACK_OFF_S[attempts - 1])
        Notification.objects.filter(pk=row.pk).update(mailed_at=None, mail_due_at=again, mail_attempts=attempts)
        return False
    return True


def message_of(row: Notification) -> EmailMessage:
    """The mail about an end."""
    job = row.job
    subject = " ".join(f"[{urlsplit(settings.PUBLIC_URL).netloc}] {row.words}: {job.title}".split())[:200]
    lines = [f"{job.title}: {row.words.lower()}.", _sentence(row), job.notice, f"{settings.PUBLIC_URL}{url(job)}"]
    settings_url = f"{settings.PUBLIC_URL}{reverse('notifications:list')}"
    lines.append(f"You asked for this mail; what you are told of is set at {settings_url}")
    message = EmailMessage(subject, "\n\n".join(filter(None, lines)) + "\n", to=[row.owner.email])
    message.extra_headers["Auto-Submitted"] = "auto-generated"
    return message


def _sentence(row: Notification) -> str:
    """What came out, in a sentence; empty where counting it would take long."""
    kind = registry.of(row.job)
    job = kind.with_counts(kind.jobs.filter(pk=row.job.pk)).first()
    if job is None or job.ended > MOST_COUNTED:
        return ""
    found = briefs.stored(job) or briefs.remember(job, kind.brief(job))
    return f"{found.words} {found.detail}".strip()


def run(ended: threading.Event, period_s: float = PERIOD_S) -> None:
    """Send until `ended` is set. No fault of a mail ends it."""
    while not ended.is_set():
        try:
            send_due()
        except Exception:
            logger.exception("mails about jobs could not be sent")
            connection.close()
        ended.wait(period_s)
    connection.close()


def start(ended: threading.Event) -> None:
    """Send in a thread of its own, where this lab sends mail."""
    if settings.LAB_MAIL:
        threading.Thread(target=run, args=(ended,), name="mails", daemon=True).start()
