"""The program that delivers does all its work with a role that sees nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection, transaction
from django.utils import timezone

from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.table.hooks import announce, queue
from webapp.table.hooks.management.commands import webhooks_role
from webapp.table.hooks.models import Delivery, Hook
from webapp.table.hooks.queue import Outcome

pytestmark = pytest.mark.django_db


def test_it_delivers_settles_and_forgets_and_may_do_nothing_else(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match=webhooks_role.PASSWORD):
        call_command("webhooks_role")
    monkeypatch.setenv(webhooks_role.PASSWORD, 'it\'s "quoted"')
    call_command("webhooks_role")
    call_command("webhooks_role")  # as at every start
    announce.turn("abc", 1, 1, hook.agent_id)
    announce.turn("def", 1, 1, hook.agent_id)
    Delivery.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    with connection.cursor() as cursor:
        cursor.execute(f"set local role {webhooks_role.ROLE}")
        one, two = queue.claim(2)
        queue.settle(one, Outcome(204, "", 0.1))
        queue.settle(two, Outcome(500, "Answered 500.", 0.1))
        Delivery.objects.filter(pk=one.row_id).update(ended_at=timezone.now() - timedelta(days=30))
        assert queue.forget() == 1
        for forbidden in (
            User.objects.all(),
            Agent.objects.values("name"),
        ):
            with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
                list(forbidden)
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            Hook.objects.update(url="https://elsewhere.example.org/")
        cursor.execute("reset role")
    assert Delivery.objects.get().attempts == 1
