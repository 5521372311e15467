"""Alarms: the operator is told once of each cause, and once that it is over.

A cause counts when it has lasted for some looks, and is over when it has been away for some: what comes and goes is
one alarm. What was told stands in the database, so that a watch that starts anew does not repeat it, and in memory,
since some causes are that nothing can be written.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import Error as DjangoDatabaseError
from django.db import transaction
from django.utils import timezone

from webapp.lab.watch import notices
from webapp.lab.watch.finding import Finding
from webapp.lab.watch.models import Alarm
from webapp.lab.watch.notices import Notice

RAISE_S, CLEAR_S = 45.0, 120.0
"""Time that a cause lasts before it is told, and that it is away before the all-clear."""
RETRY_S = 300.0
"""Time until a notice that could not be sent is tried again."""
logger = logging.getLogger(__name__)


@dataclass
class Standing:
    """A cause as this watch knows it. row: of the open alarm, None where it could not be written."""

    finding: Finding
    began_at: datetime
    first_seen: float
    last_seen: float
    row: Alarm | None = None
    is_told: bool = False
    tried_at: float = field(default=-RETRY_S)


class Alarms:
    """Keeps the causes between looks."""

    def __init__(
        self,
        send: Callable[[Notice], Sequence[str]] = notices.send,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._send = send
        self._clock = clock
        self._standing: dict[str, Standing] = {}
        self._has_read = False
        self._is_writable = True

    def look(self, findings: Iterable[Finding], is_writable: bool = True) -> None:
        """Take what is found now: tell what is new, and what is over. Never raises for a database that is away.

        is_writable: whether the database answers and writes; where it does not it is left alone, since it may hang,
        and nothing is called over: much cannot be found then.
        """
        self._is_writable = is_writable
        self._read_once()
        now = self._clock()
        for finding in findings:
            known = self._standing.get(finding.cause)
            if known is None:
                known = self._standing[finding.cause] = Standing(finding, timezone.now(), now, now)
            known.finding, known.last_seen = finding, now
        for cause, known in list(self._standing.items()):
            if known.last_seen == now:
                self._tell(known, now)
            elif is_writable and now - known.last_seen >= CLEAR_S and self._clear(known, now):
                del self._standing[cause]
            elif not known.is_told and known.row is None:
                del self._standing[cause]  # it went before it was told

    def _read_once(self) -> None:
        """Take up what an earlier watch has told of."""
        if self._has_read or not self._is_writable:
            return
        now = self._clock()
        try:
            for row in Alarm.objects.filter(ended_at=None):
                finding = Finding(row.cause, "", row.sentence, row.advice)
                known = Standing(finding, row.began_at, now - RAISE_S, now - 1e-6, row, row.told_at is not None)
                self._standing.setdefault(row.cause, known)
            self._has_read = True
        except DjangoDatabaseError as error:
            logger.warning("open alarms cannot be read: %s", error)

    def _tell(self, known: Standing, now: float) -> None:
        if now - known.first_seen < RAISE_S:
            return
        if known.row is None and self._is_writable:
            self._keep(known)
        if known.is_told or now - known.tried_at < RETRY_S:
            return
        known.tried_at = now
        known.is_told = True
        if not self._mark(known, told_at=timezone.now()):
            return  # another watch has told of it
        logger.error("alarm: %s", known.finding.sentence)
        if self._send(Notice("alarm", known.finding.cause, known.finding.sentence, known.finding.advice)):
            known.is_told = False
            self._unmark(known, told_at=None)

    def _clear(self, known: Standing, now: float) -> bool:
        """Say that a cause is over; whether that is settled."""
        if known.is_told and now - known.tried_at < RETRY_S and known.tried_at > known.last_seen:
            return False
        known.tried_at = now
        if not self._mark(known, ended_at=timezone.now()) or not known.is_told:
            return True
        logger.warning("all clear: %s", known.finding.sentence)
        if self._send(Notice("all clear", known.finding.cause, f"Over: {known.finding.sentence}")):
            self._unmark(known, ended_at=None)
            return False
        return True

    def _keep(self, known: Standing) -> None:
        """Write the open alarm, or take up the one that another watch has written."""
        found = known.finding
        values = {"sentence": found.sentence, "advice": found.advice, "began_at": known.began_at}
        values["told_at"] = timezone.now() if known.is_told else None
        try:
            with transaction.atomic():
                known.row, _ = Alarm.objects.get_or_create(cause=found.cause, ended_at=None, defaults=values)
        except DjangoDatabaseError as error:
            logger.warning("an alarm cannot be written: %s", error)

    def _mark(self, known: Standing, **values: datetime) -> bool:
        """Note what is about to be sent; False where another watch was quicker. True where nobody can tell."""
        if known.row is None or not self._is_writable:
            return True
        (name,) = values
        try:
            with transaction.atomic():
                return bool(Alarm.objects.filter(pk=known.row.pk, **{name: None}).update(**values))
        except DjangoDatabaseError as error:
            logger.warning("an alarm cannot be written: %s", error)
            return True

    def _unmark(self, known: Standing, **values: None) -> None:
        """Note that it could not be sent."""
        if known.row is not None and self._is_writable:
            try:
                with transaction.atomic():
                    Alarm.objects.filter(pk=known.row.pk).update(**values)
            except DjangoDatabaseError as error:
                logger.warning("an alarm cannot be written: %s", error)
