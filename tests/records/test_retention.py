from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from tests.webapp.lab.results import factory
from webapp.records import retention
from webapp.records.models import Experiment, Ply, ShareLink, Study

pytestmark = pytest.mark.django_db


def test_plies_of_what_ended_long_ago_go_bit_by_bit_but_never_those_of_what_was_shared(
    alice: Any, settings: Any, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, shared, linked, studied, lately = (factory.played(alice, deals=1) for _ in range(5))
    ago = timezone.now() - timedelta(days=31)
    Experiment.objects.exclude(pk=lately.pk).update(finished_at=ago)
    Experiment.objects.filter(pk=lately.pk).update(finished_at=ago + timedelta(days=2))
    Experiment.objects.filter(pk=shared.pk).update(was_shared=True)
    ShareLink.objects.create(slug="x", experiment=linked, match=linked.matches.first())
    Study.objects.create(owner=alice, kind="position", spec={}, num_pieces=1, match=studied.matches.first(), ply=1)
    assert retention.sweep() == 0, "for ever by default"
    settings.LAB_KEEP_PLIES_DAYS = 30
    monkeypatch.setattr(retention, "SLICE", 1)
    assert [retention.sweep(turn_s=0) for _ in range(4)] == [1, 1, 0, 0]
    without = {row.pk for row in Experiment.objects.all() if not Ply.objects.filter(match__experiment=row).exists()}
    assert without == {old.pk}
    old.refresh_from_db()
    assert not old.keeps_plies
    assert old.plies_gone_at is not None
    assert old.matches.count() == 2
    client.force_login(alice)
    match = old.matches.earliest("pk")
    charts = ("score-by-ply", "lead-by-ply", "legal-by-ply")
    pages = ["", "settings/", "matches/", "export/plies.csv", *(f"charts/{chart}.json" for chart in charts)]
    answers = {page: client.get(f"/experiments/{old.pk}/{page}").status_code for page in pages}
    assert set(answers.values()) <= {200, 404}, answers
    assert client.get(f"/matches/{match.pk}/").status_code == 200
    assert "plies have been removed" in client.get(f"/experiments/{old.pk}/settings/").text
    with pytest.raises(CommandError, match="were removed"):
        call_command("rebuild_summaries", "--experiment", str(old.pk))
