"""Steering experiments in the admin while workers write to the same rows."""

from __future__ import annotations

import pytest
from django.contrib.admin import site
from django.http import HttpRequest
from django.test import Client

from tests.records.experiments import make_experiment
from tests.records.studies import make_study
from webapp.records.models import Experiment, Study
from worker.studies import registry

pytestmark = pytest.mark.django_db


def test_a_form_overwrites_nothing_but_what_was_changed_in_it() -> None:
    made = make_experiment()
    admin, request = site._registry[Experiment], HttpRequest()
    opened = Experiment.objects.get(pk=made.pk)
    form_class = admin.get_form(request, opened, change=True)
    values = {"title": "Another title", "priority": 0}
    form = form_class(values, instance=opened)
    assert form.is_valid(), form.errors
    Experiment.objects.filter(pk=made.pk).update(status="finished", notice="done meanwhile")
    admin.save_model(request, form.save(commit=False), form, change=True)
    made.refresh_from_db()
    assert (made.title, made.status, made.notice) == ("Another title", "finished", "done meanwhile")


def test_a_study_s_form_overwrites_nothing_but_what_was_changed_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.STUDIES, "counting", "tests.counting:Counting")
    made = make_study()
    admin, request = site._registry[Study], HttpRequest()
    opened = Study.objects.get(pk=made.pk)
    form = admin.get_form(request, opened, change=True)({"title": "Squares", "priority": 2}, instance=opened)
    assert form.is_valid(), form.errors
    Study.objects.filter(pk=made.pk).update(status="finished")
    admin.save_model(request, form.save(commit=False), form, change=True)
    made.refresh_from_db()
    assert (made.priority, made.status) == (2, "finished")


def test_a_form_opened_before_the_owner_stopped_it_restarts_nothing() -> None:
    made = make_experiment(status="stopped")
    admin, request = site._registry[Experiment], HttpRequest()
    form = admin.get_form(request, made, change=True)(
        {"title": "Another title", "status": "running", "priority": 0}, instance=made
    )
    assert form.is_valid(), form.errors
    admin.save_model(request, form.save(commit=False), form, change=True)
    made.refresh_from_db()
    assert (made.title, made.status) == ("Another title", "stopped")


def test_staff_stop_and_resume_by_the_same_services_as_pages(admin_client: Client) -> None:
    running, over = make_experiment(), make_experiment(status="finished")
    changes = "/admin/records/experiment/"
    ids = [running.pk, over.pk]
    answer = admin_client.post(changes, {"action": "stop", "_selected_action": ids}, follow=True)
    assert "1 stopped; 1 left as they were." in answer.content.decode()
    running.refresh_from_db()
    over.refresh_from_db()
    assert (running.status, over.status) == ("stopped", "finished")
    assert running.finished_at is not None
