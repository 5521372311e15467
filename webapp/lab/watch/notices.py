"""Word to the operator, by mail and by a web address, whichever the settings name."""

from __future__ import annotations

import asyncio
import json
import logging
import smtplib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils.crypto import salted_hmac

from webapp.table.hooks import delivery_attempt
from webapp.table.hooks.queue import DeliveryClaim

EVENT = "alarm"
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Notice:
    """Something to say. kind: "alarm", "all clear" or "trial"; cause: as in the finding."""

    kind: str
    cause: str
    sentence: str
    advice: str = ""

    @property
    def subject(self) -> str:
        """One line."""
        return " ".join(f"[{_host()}] {self.kind}: {self.sentence}".split())[:200]

    @property
    def text(self) -> str:
        """All of it."""
        return f"{self.sentence}\n\n{self.advice}\n\n{settings.PUBLIC_URL}/health/\n".replace("\n\n\n\n", "\n\n")


def _host() -> str:
    return str(urlsplit(settings.PUBLIC_URL).netloc)


def has_way() -> bool:
    """Whether the settings name anybody to tell."""
    return bool(settings.LAB_OPERATOR_MAIL or settings.LAB_OPERATOR_HOOK)


def send(notice: Notice) -> list[str]:
    """Tell the operator by each way that the settings name; return what went wrong, empty where one way worked."""
    problems: list[str] = []
    ways = [_mail] * bool(settings.LAB_OPERATOR_MAIL) + [_post] * bool(settings.LAB_OPERATOR_HOOK)
    for way in ways:
        if problem := way(notice):
            problems.append(problem)
            logger.error("the operator could not be told (%s): %s", notice.subject, problem)
    return problems if len(problems) == len(ways) else []


def _mail(notice: Notice) -> str:
    """Send a mail; return what went wrong."""
    message = EmailMessage(notice.subject, notice.text, to=_addresses(settings.LAB_OPERATOR_MAIL))
    message.extra_headers["Auto-Submitted"] = "auto-generated"
    try:
        message.send()
    except (smtplib.SMTPException, OSError) as error:
        return f"mail to {', '.join(message.to)}: {error}"
    return ""


def _addresses(given: Sequence[str]) -> list[str]:
    return [address.strip() for address in given if address.strip()]


def _post(notice: Notice) -> str:
    """Post to the operator's address as webhooks are posted, but to any host: it is the operator's own."""
    body = {
        "event": notice.kind,
        "cause": notice.cause,
        "text": f"{notice.subject}\n{notice.advice}".strip(),
        "sentence": notice.sentence,
        "lab": settings.PUBLIC_URL,
    }
    url = settings.LAB_OPERATOR_HOOK
    delivery = DeliveryClaim(
        row_id=uuid.uuid4(),
        token=1,
        job_id=None,
        deaths=0,
        owner_id=0,
        event=EVENT,
        body=json.dumps(body),
        url=url,
        secret=salted_hmac("lab.operator", "").hexdigest(),
    )
    return asyncio.run(_attempt(delivery, urlsplit(url).hostname or ""))


async def _attempt(delivery: DeliveryClaim, host: str) -> str:
    async with delivery_attempt.client() as http:
        outcome = await delivery_attempt.attempt(http, delivery, [host])
    return f"{host}: {outcome.problem}" if outcome.problem else ""
