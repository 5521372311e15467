"""The role of workers does all that workers do, and sees nothing that lets anybody in."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection, transaction
from django.db.models import Model

from tests.records import ruled
from tests.records.experiments import target
from tests.webapp.table.live import answering, tables
from webapp.ops import worker_role
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent, AgentToken
from webapp.people.audit.models import StaffAction
from webapp.play.ratings.models import RatedMatch
from webapp.records import looks, recorder
from webapp.records.models import Match
from webapp.table.hooks.models import Delivery, Hook
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan
from worker import schedule

pytestmark = pytest.mark.django_db
LAST_PLY = 70
"""Of Carcassonne for two, whose 71 tiles they lay in turns."""
HIDDEN: tuple[tuple[type[Model], str], ...] = (
    *((User, "password"), (User, "email"), (Session, "session_key"), (AgentToken, "digest")),
    *((Hook, "secret"), (Hook, "url"), (StaffAction, "who")),
)


@pytest.fixture
def role(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> str:
    """The role, made as the lab's start makes it."""
    monkeypatch.setenv("LAB_DATA", str(tmp_path))
    with pytest.raises(CommandError, match=worker_role.PASSWORD):
        call_command("workers_role")
    monkeypatch.setenv(worker_role.PASSWORD, 'it\'s "quoted"')
    for _ in range(2):  # at every start
        call_command("workers_role")
    return worker_role.ROLE


def test_it_plays_records_rates_and_announces_and_may_do_nothing_else(role: str, alice: User) -> None:
    agent = Agent.objects.create(owner=alice, name="rook")
    Hook.objects.create(agent=agent, url="https://agent.example.org/", secret="s", events=["match_over", "turn"])
    match = tables.open_match(alice, [tables.engine(), SeatPlan(name="rook", agent=agent)])
    LiveMatch.objects.filter(pk=match.pk).update(creator=None, is_rated=True)
    tables.play_on(match, LAST_PLY)
    spec = ruled.spec_of(ruled.SPRT, 1, deals=2)
    made = ruled.experiment(spec, owner=alice)
    with connection.cursor() as cursor:
        cursor.execute(f"set local role {role}")
        match = answering.answer(match)
        recorder.write(
            connection.connection, target(made), [ruled.record(spec, each) for each in schedule.expand(spec)]
        )
        looks.look(connection.connection, made.pk, spec)
        for model, column in HIDDEN:
            with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
                list(model._default_manager.values(column))
        for forbidden in (f"update {User._meta.db_table} set is_staff = true", "drop table records_ply"):
            with pytest.raises(ProgrammingError, match=r"permission denied|must be owner"), transaction.atomic():
                cursor.execute(forbidden)
        cursor.execute("reset role")
    assert match.status == "finished"
    assert Match.objects.count() == 1 + spec.num_matches
    assert Delivery.objects.filter(event="match_over").exists()
    assert RatedMatch.objects.get().live_id == match.pk


def test_every_table_that_workers_write_is_known(role: str) -> None:
    """A new app is a question to whoever adds it: what do workers do with its tables?"""
    tables_of = {name.partition("_")[0] for name in connection.introspection.table_names()}
    of_workers = {*worker_role.WRITTEN, *(name.partition("_")[0] for name in worker_role.GRANTS)}
    of_the_web = {"auth", "audit", "duplicates", "notifications", "presets", "projects", "watch"}
    assert tables_of - {"django"} == (of_workers - {"django"}) | of_the_web
