"""Sums over blocks of deals equal sums over all deals, and blocks that are over are asked for once."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from psycopg import sql

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM
from webapp.lab.results import cache, counted, deal_blocks, look_ahead, queries, versions
from webapp.lab.results.charts.margin_distribution import margins
from webapp.lab.results.table import table
from webapp.records.models import DealBlock, Experiment

pytestmark = pytest.mark.django_db
SHARED = {"side": sql.SQL("0"), "base": 0, "best": 1}


def numbers(made: Experiment) -> list[Any]:
    """All that is added up by blocks."""
    cache._entries.clear()
    return [
        counted.census(made),
        versions.played(made),
        queries.side_sums(made, has_teams=False),
        queries.seat_sums(made, 2),
        queries.first_seat_sums(made, 2),
        queries.differences(queries.PAIRS, made, SHARED),
        margins(made, 0, 0),
    ]


def unfinished(alice: Any) -> Experiment:
    """Two arms: of one 6 of 9 deals, with one in part by a failure; all of the other."""
    made = factory.experiment(alice, [[FLAT, RANDOM], [RANDOM, FLAT]], deals=9, game="carcassonne", record="matches")
    records = [factory.record(made, 0, i, fail_at=2 if i == 3 else None) for i in range(12)]
    factory.write(made, records + [factory.record(made, 1, i) for i in range(18)])
    for arm, first, size, status in ((0, 12, 6, "waiting"), (0, 0, 12, "done"), (1, 0, 18, "done")):
        made.chunks.update_or_create(
            arm_index=arm, first=first, defaults={"size": size, "written": size, "status": status}
        )
    return made


def test_blocks_add_up_to_the_whole(
    alice: Any, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    made = unfinished(alice)
    whole, shown = numbers(made), table(made)
    monkeypatch.setattr(deal_blocks, "BLOCK", 2)
    assert deal_blocks.parts(made, [2, 2]) == [(0, 2), (2, 4), (4, 6), (6, None)]
    with django_capture_on_commit_callbacks(execute=True):
        first = numbers(made)
    assert DealBlock.objects.filter(experiment=made).count() == 3 * len(first)
    with CaptureQueriesContext(connection) as asked:
        again = numbers(made)
    assert first == again == whole
    assert table(made) == shown
    blocks = [row["sql"] for row in asked if "GROUP BY" in row["sql"] and "deal < 2" in row["sql"]]
    assert not blocks, "what is over is not asked for again"

    more = [factory.record(made, 0, i) for i in range(12, 16)]
    factory.write(made, more)
    cache._entries.clear()
    changed = numbers(made)
    monkeypatch.undo()
    assert changed == numbers(made) != whole


def test_what_a_rule_says_later_counts_in_blocks_that_are_kept(
    alice: Any, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    made = unfinished(alice)
    whole = []
    for block in (10, 2):  # of nine deals none, or four
        monkeypatch.setattr(deal_blocks, "BLOCK", block)
        for outcome in (None, {"dropped": {"1": 3}}, {"dropped": {"1": 3}, "deals": 5}):
            made.outcome = outcome
            with django_capture_on_commit_callbacks(execute=True):
                whole.append(numbers(made))
    assert whole[:3] == whole[3:]
    assert all(one != other for one, other in combinations(whole[:3], 2))
    assert DealBlock.objects.exists()


def test_large_experiments_are_added_up_before_anybody_looks(
    alice: Any, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    made = unfinished(alice)
    monkeypatch.setattr(deal_blocks, "BLOCK", 3)
    monkeypatch.setattr(look_ahead, "_done", {})
    with django_capture_on_commit_callbacks(execute=True):
        assert [look_ahead.add_up(), look_ahead.add_up()] == [1, 0]
    assert DealBlock.objects.filter(experiment=made).exists()
    made.chunks.update(status="done")
    assert look_ahead.add_up() == 1
