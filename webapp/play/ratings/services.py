"""Rated matches are counted: once each, in an order that counting anew repeats."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from games import registry
from webapp.play.ratings import anchors, outcomes, scale
from webapp.play.ratings.models import RatedMatch, RatedSeat, Rating
from webapp.play.ratings.outcomes import Outcome
from webapp.play.ratings.scale import Player
from webapp.records import locks
from webapp.table.live import rated_rules
from webapp.table.live.models import LiveMatch, LiveSeat

logger = logging.getLogger(__name__)

BATCH = 100
"""Matches that one look of the sweeper deals with."""
OVER = (LiveMatch.Status.FINISHED, LiveMatch.Status.ENDED)


def over(match: LiveMatch) -> None:
    """A match has just ended; the caller has locked it, in a transaction.

    What goes wrong here does not keep the match from ending: `count_rest` tries again.
    """
    if not match.is_rated or match.status not in OVER:
        return
    try:
        with transaction.atomic():
            count(match)
    except Exception:
        logger.exception("the rated match %s could not be counted", match.pk)


def count_rest() -> int:
    """Count what is over and was not counted when it ended, a batch; return how many. Safe beside another one.

    What fails keeps nobody waiting: it is tried again after those that have not failed, and those
    that failed before it. Raises DatabaseError where Postgres cannot be reached.
    """
    missing = LiveMatch.objects.filter(is_rated=True, status__in=OVER, rated=None)
    turn = missing.order_by(F("counting_failed_at").asc(nulls_first=True), "ended_at")
    done = 0
    for match_id in list(turn.values_list("pk", flat=True)[:BATCH]):
        try:
            done += _count_one(match_id)
        except Exception:
            if connection.connection is None or connection.connection.closed:
                raise
            logger.exception("the rated match %s could not be counted", match_id)
            LiveMatch.objects.filter(pk=match_id).update(counting_failed_at=timezone.now())
    return done


@transaction.atomic
def _count_one(match_id: int) -> bool:
    match = LiveMatch.objects.select_for_update(of=("self",), skip_locked=True).filter(pk=match_id).first()
    if match is None or RatedMatch.objects.filter(live=match).exists():
        return False
    count(match)
    return True


def count(match: LiveMatch) -> RatedMatch:
    """Count a match that is over: all ratings, or none. The caller has locked it; it was not counted yet."""
    found = outcomes.outcome_of(match)
    pool = rated_rules.pool_of(match.game, match.options) or rated_rules.PAPER
    own = {"live": match, "game": match.game, "rules": pool, "ended_at": match.ended_at or timezone.now()}
    if found.why_not:
        return RatedMatch.objects.create(**own, why_not=found.why_not)
    _lock(match.game)
    ratings = _ratings(match.game, pool, [row for side in found.sides for row in side])
    rated = RatedMatch.objects.create(**own)
    rows = [
        RatedSeat(match=rated, seat=row.seat, rating=ratings.get(row.seat), level=_level(row), name=_name(row))
        for side in found.sides
        for row in side
    ]
    _place(rows, found)
    _apply(rated, rows, [_player(rated, row) for row in rows])
    RatedSeat.objects.bulk_create(rows)
    return rated


def _level(row: LiveSeat) -> str:
    """The level that sat there from the start; empty where it was somebody else."""
    return row.level if row.kind == LiveSeat.Kind.ENGINE and not row.replaced else ""


def _name(row: LiveSeat) -> str:
    """The player who sat there at first, not the engine that took over."""
    return str(row.replaced[0]["name"]) if row.replaced else row.name


def _lock(game_id: str) -> None:
    """Let nobody else count for this game until the transaction ends: it is the last thing that is waited for."""
    connection.ensure_connection()
    locks.wait_for(connection.connection, locks.RATINGS, registry.ids().index(game_id))


def _ratings(game_id: str, pool: str, rows: Iterable[LiveSeat]) -> dict[int, Rating]:
    """The ratings of people and agents by seat, new ones made."""
    start = _beginning()
    found: dict[int, Rating] = {}
    for row in rows:
        if row.person_id or row.agent_id:
            whose = {"person_id": row.person_id} if row.person_id else {"agent_id": row.agent_id}
            found[row.seat], _ = Rating.objects.get_or_create(game=game_id, rules=pool, **whose, defaults=start)
    return found


def _place(rows: Iterable[RatedSeat], found: Outcome) -> None:
    """Side, rank and result of each seat."""
    sides = {row.seat: side for side, members in enumerate(found.sides) for row in members}
    for row in rows:
        row.side = sides[row.seat]
        row.rank, row.result = found.ranks[row.side], found.result(row.side)


def _beginning() -> dict[str, Any]:
    """Numbers of a rating without a match."""
    player = Player()
    start = {"mean": player.mean, "deviation": player.deviation, "leaning": dict(player.leaning)}
    return {**start, "anchor_error": scale.START_ERROR, "version": scale.VERSION}


def _player(match: RatedMatch, row: RatedSeat) -> Player:
    """The player of a seat before a match that has not been counted yet."""
    if row.rating is not None:
        return _of(row.rating)
    anchor = anchors.get(match.game, match.rules, row.level)
    if anchor is None:
        return Player()
    return Player(anchor.mean, 0.0, anchors.leaning(match.game, match.rules, row.level, anchor.mean))


def _of(rating: Rating) -> Player:
    return Player(rating.mean, rating.deviation, rating.leaning or {scale.START: 1.0})


def _apply(match: RatedMatch, rows: Sequence[RatedSeat], players: Sequence[Player]) -> None:
    """Let a match work on the ratings of those who played it; anchors stay where they are."""
    errors = anchors.errors(match.game, match.rules)
    sides = [[n for n, row in enumerate(rows) if row.side == side] for side in sorted({row.side for row in rows})]
    ranks = [rows[side[0]].rank for side in sides]
    changed = scale.update_players([[players[n] for n in side] for side in sides], ranks, errors)
    for side, afterwards in zip(sides, changed, strict=True):
        for n, player in zip(side, afterwards, strict=True):
            row, before = rows[n], players[n]
            after = before if row.rating is None else player
            row.mean_before, row.deviation_before = before.mean, before.deviation
            row.mean_after, row.deviation_after = after.mean, after.deviation
            row.anchor_error_before, row.anchor_error_after = errors.error(before.leaning), errors.error(after.leaning)
            if row.rating is not None:
                _note(row.rating, row, after.leaning, match.ended_at)


def _note(rating: Rating, row: RatedSeat, leaning: Mapping[str, float], ended_at: datetime) -> None:
    rating.mean, rating.deviation = row.mean_after, row.deviation_after
    rating.anchor_error, rating.leaning = row.anchor_error_after, dict(leaning)
    rating.num_matches += 1
    rating.wins += row.result == "win"
    rating.draws += row.result == "draw"
    rating.losses += row.result == "loss"
    rating.changed_at = max(ended_at, rating.changed_at) if rating.changed_at else ended_at
    rating.save()


# ---- anew


@transaction.atomic
def recompute(game_id: str) -> int:
    """Count all rated matches of a game anew, by any rules, from who met whom and how it came out; return how many.

    Anchors stand where they stood then, with the errors that they have today. No match of the game is
    counted meanwhile.
    """
    _lock(game_id)
    ratings = {rating.pk: rating for rating in Rating.objects.filter(game=game_id)}
    for rating in ratings.values():
        for name, value in _beginning().items():
            setattr(rating, name, value)
        rating.changed_at = None
        rating.num_matches = rating.wins = rating.draws = rating.losses = 0
    seats = RatedSeat.objects.filter(match__game=game_id).select_related("match").order_by("match_id", "seat")
    grouped: dict[int, list[RatedSeat]] = {}
    for row in seats:
        grouped.setdefault(row.match_id, []).append(row)
    for rows in grouped.values():
        _again(rows, ratings)
    RatedSeat.objects.bulk_update(
        [row for rows in grouped.values() for row in rows],
        [f"{name}_{when}" for name in ("mean", "deviation", "anchor_error") for when in ("before", "after")],
        batch_size=1000,
    )
    for rating in ratings.values():
        rating.save()
    return len(grouped)


def _again(rows: Sequence[RatedSeat], ratings: Mapping[int, Rating]) -> None:
    for row in rows:
        if row.rating_id is not None:
            row.rating = ratings[row.rating_id]
    match = rows[0].match
    _apply(match, rows, [_player_then(match, row) for row in rows])


def _player_then(match: RatedMatch, row: RatedSeat) -> Player:
    """The player of a seat of a match that has been counted: a level stands where it stood."""
    if row.rating is not None:
        return _of(row.rating)
    if not row.level:
        return Player()
    return Player(row.mean_before, 0.0, anchors.leaning(match.game, match.rules, row.level, row.mean_before))


def recount_old() -> int:
    """Count anew the games with a rating that an older model has made; return how many matches."""
    old = Rating.objects.filter(version__lt=scale.VERSION).values_list("game", flat=True).distinct()
    return sum(recompute(game_id) for game_id in registry.ids() if game_id in set(old))
