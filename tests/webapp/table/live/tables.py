"""Matches in play, set up without forms: for tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.test import TestCase
from django.utils import timezone

from engines.protocol import Budget
from games import rng
from games.protocol import TERMINAL
from webapp.table.live import between_rounds, match_setup, ply_writer, position_cache, turn
from webapp.table.live.models import LiveMatch, LivePly, LiveSeat
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
    options = further.pop("options", {})
    return match_setup.open_match(creator, game, options, seats, terms or Terms(), **further)


def play_on(match: LiveMatch, plies: int | None = None, seed: int = 1) -> LiveMatch:
    """Play random legal actions for the seat on turn, `plies` of them or to the end.

    All but the last are written at once, as `play_each` writes them one by one (see `test_ply_writer`).
    """
    match.refresh_from_db()
    last = None if plies is None else match.ply + plies
    r = rng.new_stream(seed, rng.ANALYSIS, match.ply)
    if match.status == LiveMatch.Status.RUNNING:
        with transaction.atomic():
            match = _play_before_last(ply_writer.lock_match(match.pk), last, r)
    return _play_each(match, last, r)


def play_each(match: LiveMatch, plies: int | None = None, seed: int = 1) -> LiveMatch:
    """The same, each ply played by itself: for those who hear of every turn."""
    match.refresh_from_db()
    last = None if plies is None else match.ply + plies
    return _play_each(match, last, rng.new_stream(seed, rng.ANALYSIS, match.ply))


def _play_each(match: LiveMatch, last: int | None, r: rng.Rng) -> LiveMatch:
    while match.status == LiveMatch.Status.RUNNING and match.ply != last:
        position = position_cache.position_at(match)
        action = _chosen(position, r)
        if match.resumes_at is not None:
            between_rounds.end_overdue(match.resumes_at + timedelta(seconds=1))
        with courses_kept():
            match = ply_writer.play(
                match.pk, match.on_turn, match.ply, action, thought={} if match.is_engine_due else None
            )
    return match


def _play_before_last(match: LiveMatch, last: int | None, r: rng.Rng) -> LiveMatch:
    """Write what comes before the last ply; the stream then stands before that ply's draw."""
    course, entries = position_cache.replay_course(match), {entry.seat: entry for entry in match.seats.all()}
    rows: list[LivePly] = []
    while position_cache.is_at(course, match) and course.ply != last:
        before, now = r.copy(), timezone.now()
        action, entry = _chosen(course, r), entries[course.player]
        row = ply_writer._row(match, entry, course, action, now)
        course.advance(action)
        if course.player == TERMINAL or course.ply == last:
            r[:] = before
            break
        row.scores, row.digest = list(course.game.scores(course.state)), course.digest
        rows.append(row)
        entry.used_s, entry.seen_at = entry.used_s + row.elapsed_s, now
        match.ply, match.digest, match.version = course.ply, course.digest, match.version + 1
        match.on_turn, match.turn_began_at = course.player, now
    if rows:
        LivePly.objects.bulk_create(rows)
        LiveSeat.objects.bulk_update(entries.values(), ["used_s", "seen_at"])
        match.is_engine_due = entries[match.on_turn].kind == LiveSeat.Kind.ENGINE
        match.attempts = 0
        match.save()
        turn.offers_lapse(match)
    return match


def _chosen(place: Any, r: rng.Rng) -> int:
    """A random legal action of the seat on turn at a position or in a course."""
    legal = place.game.legal_actions(place.state)
    return int(legal[rng.below(r, len(legal))])


@contextmanager
def courses_kept() -> Iterator[None]:
    """Remember where matches stand though a test's transaction is never committed: else every ply walks them anew."""
    with TestCase.captureOnCommitCallbacks() as withheld:
        yield
    for callback in withheld:
        if isinstance(callback, partial) and callback.func is position_cache.keep_course:
            callback()
