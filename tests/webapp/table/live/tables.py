"""Matches in play, set up without forms: for tests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.test import TestCase

from engines.protocol import Budget
from games import rng
from webapp.table.live import acting, opening, positions
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan, Terms
from worker.spec import SeatSpec

RANDOM = SeatSpec("random", {}, Budget())


def person(user: Any) -> SeatPlan:
    """A seat for a person."""
    return SeatPlan(name=user.username, person=user)


def engine(spec: SeatSpec = RANDOM, name: str = "Random", level: str = "") -> SeatPlan:
    """A seat for an engine."""
    return SeatPlan(name=name, engine=spec, level=level)


def open_match(
    creator: Any, seats: Sequence[SeatPlan], terms: Terms | None = None, *, game: str = "carcassonne", **further: Any
) -> LiveMatch:
    """A match with the usual options; further: fields of LiveMatch, such as deal_seed."""
    return opening.open_match(creator, game, {}, seats, terms or Terms(), **further)


def play_on(match: LiveMatch, plies: int | None = None, seed: int = 1) -> LiveMatch:
    """Play random legal actions for whoever is on turn, `plies` of them or to the end."""
    r = rng.new_stream(seed, rng.ANALYSIS, match.ply)
    match.refresh_from_db()
    last = None if plies is None else match.ply + plies
    while match.status == LiveMatch.Status.RUNNING and match.ply != last:
        position = positions.at(match)
        legal = position.game.legal_actions(position.state)
        action = int(legal[rng.below(r, len(legal))])
        with TestCase.captureOnCommitCallbacks() as withheld:
            match = acting.play(match.pk, match.on_turn, match.ply, action, thought={} if match.is_engine_due else None)
        for callback in withheld:  # a test's transaction is never committed: else every ply walks the match anew
            if isinstance(callback, partial) and callback.func is positions.keep_course:
                callback()
    return match
