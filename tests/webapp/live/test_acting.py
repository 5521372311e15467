"""Playing on a match in play, to its record."""

from __future__ import annotations

from typing import Any

import pytest

from tests.webapp.live import tables
from webapp.live import acting, positions, seeing
from webapp.live.errors import IllegalError, NotYourTurnError, RepeatError, StaleError
from webapp.live.models import LiveMatch
from webapp.records import verification

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice: Any, bob: Any) -> LiveMatch:
    return tables.open_match(alice, [tables.person(alice), tables.person(bob)])


def test_a_match_played_to_its_end_is_a_record_that_replays(match: LiveMatch) -> None:
    match = tables.play_on(match)
    assert match.status == "finished"
    assert match.match.status == "finished"
    assert match.match.plies.count() == 71
    report = verification.verify([match.match.pk])
    assert (report.matches, report.mismatches) == (1, [])


def test_what_is_played_is_checked(match: LiveMatch) -> None:
    position = positions.at(match)
    legal = position.game.legal_actions(position.state).tolist()
    with pytest.raises(IllegalError):
        acting.play(match.pk, 0, 0, max(legal) + 1)
    with pytest.raises(NotYourTurnError):
        acting.play(match.pk, 1, 0, legal[0])
    with pytest.raises(StaleError):
        acting.play(match.pk, 0, 1, legal[0])
    acting.play(match.pk, 0, 0, legal[0], key="a")
    assert acting.play(match.pk, 0, 0, legal[0], key="a").ply == 1
    with pytest.raises(RepeatError):
        acting.play(match.pk, 0, 0, legal[1], key="a")
    match.refresh_from_db()
    assert (match.ply, match.plies.count()) == (1, 1)


def test_what_a_seat_sees(match: LiveMatch) -> None:
    match = tables.play_on(match, 5)
    own, other = seeing.observe(match, (1,)), seeing.observe(match, ())
    assert own["your_turn"]
    assert own["actions"]
    assert not other["actions"]
    assert str(match.deal_seed) not in str(own)
