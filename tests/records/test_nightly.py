from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from tests.webapp.lab.results import factory
from webapp.lab.watch import trouble
from webapp.records import nightly
from webapp.records.check_models import NightlyCheck
from webapp.records.models import Ply

pytestmark = pytest.mark.django_db


def test_a_sample_is_played_again_once_a_night_and_a_difference_is_noted(
    alice: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LAB_NIGHTLY_HOUR, settings.LAB_NIGHTLY_MATCHES = 0, 50
    without = factory.played(alice, deals=1, record="matches")
    made = factory.played(alice, deals=4)
    assert nightly.check() is not None
    first = NightlyCheck.objects.get()
    assert (first.num_different, first.waiting) == (0, [])
    assert 1 <= first.matches <= made.matches.count(), "of those with plies; drawn with repeats"
    assert nightly.check() is None, "once a night"

    NightlyCheck.objects.update(begun_at=timezone.now() - timedelta(days=1))
    Ply.objects.filter(match__experiment=made, ply=7).update(digest=F("digest") + 1)
    both = sorted([made.matches.earliest("pk").pk, made.matches.latest("pk").pk, without.matches.earliest("pk").pk])
    monkeypatch.setattr(nightly, "draw", lambda most: list(both))
    monkeypatch.setattr(nightly, "AT_ONCE", 1)
    monkeypatch.setattr(nightly, "TURN_S", 0.0)
    begun = [nightly.check()]
    while begun[-1] is None:  # as a sweeper does that starts anew in between
        monkeypatch.setattr(nightly, "TURN_S", 0.001)
        begun.append(nightly.check())
    ended = begun[-1]
    assert ended is not None
    assert (ended.matches, ended.num_different) == (2, 2)
    assert [row["ply"] for row in ended.differences] == [8, 8]
    assert nightly.sentence(ended).startswith("2 of 2 stored matches")
    assert "resimulation" in [finding.cause for finding in trouble.findings()]


def test_nothing_is_drawn_from_nothing(settings: Any) -> None:
    settings.LAB_NIGHTLY_HOUR = 0
    ended = nightly.check()
    assert ended is not None
    assert (ended.matches, ended.waiting) == (0, [])
