"""Boards and histories of ratings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise, zip_longest

from django.db.models import F, FloatField, Q, QuerySet
from django.db.models.functions import Cast

from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.play.ratings import anchors, scale
from webapp.play.ratings.models import RatedMatch, RatedSeat, Rating
from webapp.play.ratings.scale import AnchorErrors, Skill
from webapp.table.live import rated_rules
from webapp.table.live.models import LiveMatch

LISTED = 100
"""Players of a board."""
LAST = 20
"""Matches of a history's table."""


UNSURE = 200.0
"""Points on both sides of a rating up to which it is more than provisional, by the player's own matches."""


@dataclass(frozen=True)
class Lead:
    """Points of a player above another one, and half of their 95 % interval."""

    points: float
    half: float


@dataclass(frozen=True)
class BoardRow:
    """A player, or an engine's level (anchor). place: among players; lead: over the next of them.

    is_measured: whether a level was measured by the rules of the board, not by the paper's.
    """

    name: str
    skill: Skill
    rating: Rating | None = None
    place: int = 0
    is_own: bool = False
    summary: str = ""
    lead: Lead | None = None
    is_measured: bool = True

    @property
    def is_provisional(self) -> bool:
        """Whether the player's matches say little yet."""
        return scale.WIDTH * self.skill.deviation > UNSURE


def usual_pool(game_id: str) -> str:
    """The pool that a game's board begins with: the first one, or the first with players where that has none."""
    known = rated_rules.pools(game_id)
    played = set(Rating.objects.filter(game=game_id, num_matches__gt=0).values_list("rules", flat=True).distinct())
    return next((pool for pool in known if pool in played), known[0])


def board(game_id: str, pool: str, person: User | None) -> list[BoardRow]:
    """Players by the lower end of what their matches say, so that few put nobody in front; levels between them.

    Errors of anchors move players alike, so they order nobody.
    """
    lowest = Cast(F("mean") - scale.WIDTH * F("deviation"), FloatField())
    listed = _named(Rating.objects.filter(game=game_id, rules=pool, num_matches__gt=0))
    listed = listed.order_by(lowest.desc(), "pk")[:LISTED]
    ratings, errors = list(listed), anchors.errors(game_id, pool)
    leads = [lead(one, other, errors) for one, other in pairwise(ratings)]
    players = [
        BoardRow(_name(rating), skill_of(rating), rating, place, _is_own(rating, person), lead=ahead)
        for place, (rating, ahead) in enumerate(zip_longest(ratings, leads), 1)
    ]
    levels = [
        BoardRow(
            anchor.level.label,
            Skill(anchor.mean, 0.0, anchor.whole_error),
            summary=anchor.level.summary,
            is_measured=anchor.is_measured,
        )
        for anchor in anchors.for_game(game_id, pool)
    ]
    return sorted([*players, *levels], key=lambda row: -row.skill.sure)


def lead(one: Rating, other: Rating, errors: AnchorErrors) -> Lead:
    """How far one player is above another: without the errors of anchors that both lean on."""
    between = errors.error_between(one.leaning, other.leaning)
    return Lead(one.mean - other.mean, scale.WIDTH * math.hypot(one.deviation, other.deviation, between))


def skill_of(rating: Rating) -> Skill:
    """The present skill of a player."""
    return Skill(rating.mean, rating.deviation, rating.anchor_error)


def skill_before(row: RatedSeat) -> Skill:
    """The skill of a player before a match."""
    return Skill(row.mean_before, row.deviation_before, row.anchor_error_before)


def skill_after(row: RatedSeat) -> Skill:
    """The skill of a player after a match."""
    return Skill(row.mean_after, row.deviation_after, row.anchor_error_after)


def _named(ratings: QuerySet[Rating]) -> QuerySet[Rating]:
    """Ratings of those whose account is still there."""
    is_there = Q(person__is_active=True) | Q(agent__retired_at=None, agent__isnull=False)
    return ratings.filter(is_there).select_related("person", "agent__owner")


def _name(rating: Rating) -> str:
    if rating.agent is not None:
        return rating.agent.name
    assert rating.person is not None
    return str(rating.person.username)


def _is_own(rating: Rating, person: User | None) -> bool:
    if person is None:
        return False
    return rating.person_id == person.pk or (rating.agent is not None and rating.agent.owner_id == person.pk)


def place(rating: Rating) -> int:
    """Place among the players of the game, in the order of the board."""
    lower = F("mean") - scale.WIDTH * F("deviation")
    ahead = _named(Rating.objects.filter(game=rating.game, rules=rating.rules, num_matches__gt=0)).alias(low=lower)
    return ahead.filter(low__gt=skill_of(rating).sure).count() + 1


# ---- one player


@dataclass(frozen=True)
class PlayedMatch:
    """A rated match as its player saw it.

    code: of the match's page, empty where the reader may not see it; then people and agents that
    were there are not named.
    """

    ended_at: datetime
    others: tuple[str, ...]
    partners: tuple[str, ...]
    result: str
    change: float
    after: Skill
    code: str


@dataclass(frozen=True)
class History:
    """A player in one game."""

    rating: Rating
    skill: Skill
    place: int
    seats: tuple[RatedSeat, ...]
    last: tuple[PlayedMatch, ...]

    @property
    def rules(self) -> str:
        """Name of the rules."""
        return rated_rules.POOLS[self.rating.rules]


def histories(who: User | Agent, reader: User | None) -> list[History]:
    """Histories of every game and set of rules that somebody has a rating in, the most played first."""
    owned = Q(agent=who) if isinstance(who, Agent) else Q(person=who)
    return [
        _history(rating, reader) for rating in Rating.objects.filter(owned).order_by("-num_matches", "game", "rules")
    ]


def _history(rating: Rating, reader: User | None) -> History:
    seats = tuple(rating.seats.select_related("match").order_by("match_id"))
    return History(rating, skill_of(rating), place(rating), seats, tuple(_last(seats[-LAST:][::-1], reader)))


def _last(seats: Sequence[RatedSeat], reader: User | None) -> list[PlayedMatch]:
    ids = [seat.match_id for seat in seats]
    tables: dict[int, list[RatedSeat]] = {}
    for row in RatedSeat.objects.filter(match__in=ids).select_related("rating").order_by("match_id", "seat"):
        tables.setdefault(row.match_id, []).append(row)
    codes = _codes(ids, reader)
    return [_played(seat, tables[seat.match_id], codes.get(seat.match_id, "")) for seat in seats]


def _played(seat: RatedSeat, table: Sequence[RatedSeat], code: str) -> PlayedMatch:
    names = {row.seat: row.name if code else _kind(row) for row in table}
    return PlayedMatch(
        ended_at=seat.match.ended_at,
        others=tuple(names[row.seat] for row in table if row.side != seat.side),
        partners=tuple(names[row.seat] for row in table if row.side == seat.side and row.seat != seat.seat),
        result=seat.result,
        change=seat.mean_after - seat.mean_before,
        after=skill_after(seat),
        code=code,
    )


def _kind(row: RatedSeat) -> str:
    """Kind of player that sat there, for readers outside the match: levels are the lab's own, and named."""
    if row.level:
        return row.name
    return "an agent" if row.rating is not None and row.rating.agent_id else "a person"


def _codes(ids: Sequence[int], reader: User | None) -> dict[int, str]:
    """Codes of the matches that the reader may open."""
    is_open = Q(live__visibility=LiveMatch.Visibility.PUBLIC)
    if reader is not None:
        is_open |= Q(live__seats__person=reader) | Q(live__creator=reader) | Q(live__seats__agent__owner=reader)
    found = RatedMatch.objects.filter(is_open, pk__in=ids).distinct()
    return dict(found.values_list("pk", "live__code"))


# ---- at the board


@dataclass(frozen=True)
class Change:
    """Change of a player's rating by a match."""

    seat: int
    before: Skill
    after: Skill

    @property
    def points(self) -> float:
        """Gained, or lost."""
        return self.after.mean - self.before.mean


def changes(match: LiveMatch) -> tuple[str, list[Change]]:
    """Say why a finished rated match does not count (empty: it does), and list what it changed for its players."""
    rated = RatedMatch.objects.filter(live=match).first()
    if rated is None:
        return "It is being counted.", []
    rows = rated.seats.filter(rating__isnull=False).order_by("seat")
    return rated.why_not, [Change(row.seat, skill_before(row), skill_after(row)) for row in rows]
