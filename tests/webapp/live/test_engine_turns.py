"""Engines at the table: they answer, and what becomes of those that do not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.webapp.live import answering, tables
from webapp.live import acting, positions
from webapp.live.models import LiveMatch
from webapp.records import verification

pytestmark = pytest.mark.django_db


def first_action(match: LiveMatch) -> int:
    position = positions.at(match)
    return int(position.game.legal_actions(position.state)[0])


def test_an_engine_answers_a_person(alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.engine()])
    assert answering.answer(match).ply == 0
    acting.play(match.pk, 0, 0, first_action(match))
    match = answering.answer(match)
    assert (match.ply, match.on_turn, match.worker, match.claimed_at) == (2, 0, "", None)
    assert match.plies.get(ply=1).played_by == "engine"


def test_engines_play_to_the_end(alice: Any) -> None:
    match = answering.answer(tables.open_match(alice, [tables.engine(), tables.engine()]))
    assert (match.status, match.ply) == ("finished", 71)
    assert verification.verify([match.match.pk]).mismatches == []
