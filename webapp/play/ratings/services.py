"""Rated matches are counted: once each, in an order that counting anew repeats."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from games import registry
from webapp.play.ratings import anchors, outcomes, scale
from webapp.play.ratings.models import RatedMatch, RatedSeat, Rating
from webapp.play.ratings.outcomes import Outcome
from webapp.play.ratings.scale import Skill
from webapp.records import locks
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
    ended_at = match.ended_at or timezone.now()
    if found.why_not:
        return RatedMatch.objects.create(live=match, game=match.game, ended_at=ended_at, why_not=found.why_not)
    _lock(match.game)
    ratings = _ratings(match.game, [row for side in found.sides for row in side])
    rated = RatedMatch.objects.create(live=match, game=match.game, ended_at=ended_at)
    rows = [
        RatedSeat(match=rated, seat=row.seat, rating=ratings.get(row.seat), level=_level(row), name=_name(row))
        for side in found.sides
        for row in side
    ]
    _place(rows, found)
    for row in rows:
        before = _before(match.game, row)
        row.mean_before, row.deviation_before = before.mean, before.deviation
    _apply(rows, ended_at)
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


def _ratings(game_id: str, rows: Iterable[LiveSeat]) -> dict[int, Rating]:
    """The ratings of people and agents by seat, new ones made."""
    start = {"mean": scale.MEAN, "deviation": scale.DEVIATION}
    found: dict[int, Rating] = {}
    for row in rows:
        if row.person_id or row.agent_id:
            whose = {"person_id": row.person_id} if row.person_id else {"agent_id": row.agent_id}
            found[row.seat], _ = Rating.objects.get_or_create(game=game_id, **whose, defaults=start)
    return found


def _place(rows: Iterable[RatedSeat], found: Outcome) -> None:
    """Side, rank and result of each seat."""
    sides = {row.seat: side for side, members in enumerate(found.sides) for row in members}
    for row in rows:
        row.side = sides[row.seat]
        row.rank, row.result = found.ranks[row.side], found.result(row.side)


def _before(game_id: str, row: RatedSeat) -> Skill:
    """The skill of the player before the match."""
    if row.rating is not None:
        return Skill(row.rating.mean, row.rating.deviation)
    anchor = anchors.get(game_id, row.level)
    return Skill() if anchor is None else Skill(anchor.mean, scale.ANCHOR_DEVIATION)


def _apply(rows: Sequence[RatedSeat], ended_at: datetime) -> None:
    """Let a match work on the ratings of those who played it; anchors stay where they are."""
    by_side = [[row for row in rows if row.side == side] for side in sorted({row.side for row in rows})]
    skills = [[Skill(row.mean_before, row.deviation_before) for row in side] for side in by_side]
    changed = scale.update_skills(skills, [side[0].rank for side in by_side])
    for side, afterwards in zip(by_side, changed, strict=True):
        for row, skill in zip(side, afterwards, strict=True):
            if row.rating is None:
                skill = Skill(row.mean_before, row.deviation_before)
            row.mean_after, row.deviation_after = skill.mean, skill.deviation
            if row.rating is not None:
                _note(row.rating, row, ended_at)


def _note(rating: Rating, row: RatedSeat, ended_at: datetime) -> None:
    rating.mean, rating.deviation = row.mean_after, row.deviation_after
    rating.num_matches += 1
    rating.wins += row.result == "win"
    rating.draws += row.result == "draw"
    rating.losses += row.result == "loss"
    rating.changed_at = max(ended_at, rating.changed_at) if rating.changed_at else ended_at
    rating.save()


# ---- anew


@transaction.atomic
def recompute(game_id: str) -> int:
    """Count all rated matches of a game anew, from who met whom and how it came out; return how many.

    Anchors stand where they stood then. No match of the game is counted meanwhile.
    """
    _lock(game_id)
    ratings = {rating.pk: rating for rating in Rating.objects.filter(game=game_id)}
    for rating in ratings.values():
        rating.mean, rating.deviation, rating.changed_at = scale.MEAN, scale.DEVIATION, None
        rating.num_matches = rating.wins = rating.draws = rating.losses = 0
    seats = RatedSeat.objects.filter(match__game=game_id).select_related("match").order_by("match_id", "seat")
    grouped: dict[int, list[RatedSeat]] = {}
    for row in seats:
        grouped.setdefault(row.match_id, []).append(row)
    for rows in grouped.values():
        _again(rows, ratings)
    RatedSeat.objects.bulk_update(
        [row for rows in grouped.values() for row in rows],
        ["mean_before", "deviation_before", "mean_after", "deviation_after"],
        batch_size=1000,
    )
    for rating in ratings.values():
        rating.save()
    return len(grouped)


def _again(rows: Sequence[RatedSeat], ratings: Mapping[int, Rating]) -> None:
    for row in rows:
        if row.rating_id is not None:
            row.rating = ratings[row.rating_id]
            row.mean_before, row.deviation_before = row.rating.mean, row.rating.deviation
    _apply(rows, rows[0].match.ended_at)
