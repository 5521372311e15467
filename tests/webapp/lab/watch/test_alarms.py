"""The operator is told once of a cause, and once that it is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection

from tests.webapp.table.hooks.receiving import Receiver
from webapp.lab.watch.alarms import CLEAR_S, RAISE_S, RETRY_S, Alarms
from webapp.lab.watch.finding import LATE, NOT_RECORDING, Finding
from webapp.lab.watch.models import Alarm
from webapp.lab.watch.notices import Notice

FULL_QUEUE = Finding("late:batch", LATE, "Two jobs wait.", "Start workers.")
READ_ONLY = Finding("recording", NOT_RECORDING, "Nothing is recorded.")
pytestmark = pytest.mark.django_db


class Operator:
    """Reads what is sent, unless the mail server is down; its clock moves by hand."""

    def __init__(self) -> None:
        self.read: list[tuple[str, str]] = []
        self.is_away = False
        self.now = 1000.0

    def send(self, notice: Notice) -> Sequence[str]:
        if self.is_away:
            return ["no server"]
        self.read.append((notice.kind, notice.cause))
        return []

    def watch(self) -> Alarms:
        return Alarms(self.send, lambda: self.now)

    def look(
        self, alarms: Alarms, *findings: Finding, after: float = 0.0, is_writable: bool = True
    ) -> list[tuple[str, str]]:
        self.now += after
        alarms.look(findings, is_writable)
        found, self.read = self.read, []
        return found


def test_a_cause_is_told_once_and_its_end_once() -> None:
    operator = Operator()
    alarms = operator.watch()
    told, clear = ("alarm", "late:batch"), ("all clear", "late:batch")
    assert operator.look(alarms, FULL_QUEUE) == []
    assert operator.look(alarms, FULL_QUEUE, after=RAISE_S) == [told]
    assert all(operator.look(alarms, FULL_QUEUE, after=60) == [] for _ in range(30))
    assert operator.look(alarms, after=60) == []
    assert operator.look(alarms, FULL_QUEUE, after=CLEAR_S - 61) == []  # it was never over
    assert operator.look(alarms, READ_ONLY, after=CLEAR_S) == [clear]
    assert operator.look(alarms, after=1) == []  # of a moment
    assert [(row.cause, row.told_at is None, row.ended_at is None) for row in Alarm.objects.all()] == [
        ("late:batch", False, False)
    ]
    assert operator.look(alarms, FULL_QUEUE, after=3600) == []
    assert operator.look(alarms, FULL_QUEUE, after=RAISE_S) == [told]
    assert Alarm.objects.count() == 2


def test_a_watch_that_starts_anew_and_a_second_one_repeat_nothing() -> None:
    operator = Operator()
    first, second = operator.watch(), operator.watch()
    for alarms in (first, second):
        operator.look(alarms, FULL_QUEUE)
    assert operator.look(first, FULL_QUEUE, after=RAISE_S) == [("alarm", "late:batch")]
    assert operator.look(second, FULL_QUEUE) == []
    anew = operator.watch()
    assert operator.look(anew, FULL_QUEUE, after=10) == []
    assert [operator.look(alarms, after=CLEAR_S) for alarms in (anew, first, second)] == [
        [("all clear", "late:batch")],
        [],
        [],
    ]


def test_what_cannot_be_sent_is_tried_again() -> None:
    operator = Operator()
    alarms = operator.watch()
    operator.is_away = True
    operator.look(alarms, FULL_QUEUE)
    operator.look(alarms, FULL_QUEUE, after=RAISE_S)
    operator.is_away = False
    assert operator.look(alarms, FULL_QUEUE, after=10) == []
    assert operator.look(alarms, FULL_QUEUE, after=RETRY_S) == [("alarm", "late:batch")]
    operator.is_away = True
    assert operator.look(alarms, after=CLEAR_S) == []
    operator.is_away = False
    assert operator.look(alarms, after=RETRY_S) == [("all clear", "late:batch")]
    assert not Alarm.objects.filter(ended_at=None).exists()


def test_a_database_that_hangs_is_not_asked_and_calls_nothing_over(django_assert_num_queries: Any) -> None:
    operator = Operator()
    alarms = operator.watch()
    for after in (0, RAISE_S):
        operator.look(alarms, FULL_QUEUE, after=after)
    with django_assert_num_queries(0):
        operator.look(alarms, READ_ONLY, is_writable=False)
        told = operator.look(alarms, READ_ONLY, after=RAISE_S, is_writable=False)
        assert told == [("alarm", "recording")]
        assert operator.look(alarms, READ_ONLY, after=CLEAR_S, is_writable=False) == []
        assert operator.look(operator.watch(), READ_ONLY, is_writable=False) == []
    assert operator.look(alarms, FULL_QUEUE, after=10) == []
    assert operator.look(alarms, FULL_QUEUE, after=CLEAR_S) == [("all clear", "recording")]
    assert Alarm.objects.get(ended_at=None).cause == "late:batch"


def test_a_write_that_fails_keeps_nobody_from_telling() -> None:
    operator = Operator()
    alarms = operator.watch()
    operator.look(alarms, READ_ONLY)
    with connection.cursor() as cursor:
        cursor.execute("set transaction_read_only = on")
        assert operator.look(alarms, READ_ONLY, after=RAISE_S) == [("alarm", "recording")]
        assert operator.look(alarms, READ_ONLY, after=RETRY_S) == []
        assert operator.look(alarms, after=CLEAR_S) == [("all clear", "recording")]


@pytest.mark.long
def test_a_trial_goes_by_mail_and_to_the_operators_address(settings: Any) -> None:
    with pytest.raises(CommandError, match="LAB_OPERATOR_MAIL"):
        call_command("alarm")
    receiver = Receiver()
    settings.LAB_OPERATOR_MAIL, settings.LAB_OPERATOR_HOOK = ["op@example.org"], receiver.url()
    settings.PUBLIC_URL = "https://lab.example.org"
    call_command("alarm")
    receiver.close()
    (message,) = mail.outbox
    assert message.to == ["op@example.org"]
    assert message.subject == "[lab.example.org] trial: This is a trial alarm: nothing is wrong."
    assert "https://lab.example.org/health/" in message.body
    assert [body["text"] for body in receiver.bodies()] == [message.subject]
    settings.LAB_OPERATOR_MAIL, settings.LAB_OPERATOR_HOOK = [], "https://127.0.0.1:1/"
    with pytest.raises(CommandError, match=r"127\.0\.0\.1: No answer"):
        call_command("alarm")
