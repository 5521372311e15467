"""Matches of one deal side by side: what each player made of it, shown once the reader has finished it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from games import registry as game_registry
from webapp.common.formats import signed
from webapp.common.points import are_against, points_words
from webapp.lab.results.charts.figure import Column, Figure, Legend, plain
from webapp.lab.results.sides import DASHES
from webapp.people.accounts.models import User
from webapp.table.live import challenges
from webapp.table.live.models import Challenge, LiveMatch

SHOWN = 20
DRAWN = 5
"""Lines of the chart: the challenger's and those of the first friends."""


@dataclass(frozen=True)
class Result:
    """One match. score, other: points in words; margin: to the best other side; leads: the same after every move.

    replay: its code where it shows; is_practised: a move was taken back in it.
    """

    name: str
    score: str
    other: str
    margin: str
    result: str
    hints: int
    moves: int
    is_mine: bool
    replay: str
    is_practised: bool
    leads: tuple[int, ...]


def results(of: Challenge, person: User | None) -> list[Result]:
    """Results that the reader may see: nothing before their own match is over; the challenger's first."""
    own = challenges.match_of(of, person)
    is_done = challenges.is_challenger(of, person) or (own is not None and own.is_over)
    if not is_done:
        return []
    friends: QuerySet[LiveMatch] = challenges.finished_matches(of)[:SHOWN]
    return [_result(match, of.seat, person) for match in (of.origin, *friends)]


def _result(match: LiveMatch, seat: int, person: User | None) -> Result:
    entry = match.seats.get(seat=seat)
    is_mine = person is not None and entry.person_id == person.pk
    is_against = are_against(match.game, match.options)
    has_teams = game_registry.get(match.game).traits.has_teams
    leads = tuple(_lead(scores, seat, has_teams) for scores in _scores(match))
    row = match.match.seats.get(seat=seat) if match.match is not None else None
    score = match.plies.order_by("-ply").values_list("scores", flat=True).first() or [0] * match.num_seats
    return Result(
        name="You" if is_mine else entry.name,
        score=points_words(score[seat], is_against=is_against),
        other=points_words(score[seat] - leads[-1], is_against=is_against),
        margin=signed(leads[-1], 0),
        result={"win": "Won", "draw": "Draw", "loss": "Lost"}.get(row.result or "", "") if row else "",
        hints=entry.hints_used,
        moves=match.ply,
        is_mine=is_mine,
        replay=match.code if is_mine or match.visibility != LiveMatch.Visibility.PRIVATE else "",
        is_practised=match.is_taken_back,
        leads=leads,
    )


def _scores(match: LiveMatch) -> Sequence[list[int]]:
    return list(match.plies.order_by("ply").values_list("scores", flat=True)) or [[0] * match.num_seats]


def _lead(scores: Sequence[int], seat: int, has_teams: bool) -> int:
    others = [points for k, points in enumerate(scores) if (k % 2 != seat % 2 if has_teams else k != seat)]
    return scores[seat] - max(others, default=0)


def figure(rows: Sequence[Result]) -> dict[str, Any]:
    """The lead by ply, a line for each match."""
    shown = rows[:DRAWN]
    return Figure(
        title="Lead by move",
        subtitle="Own points less those of the best other side, after every move.",
        name="; ".join(f"{row.name} ends at {row.margin}" for row in shown),
        data=[
            {
                "type": "scatter",
                "mode": "lines",
                "name": plain(row.name),
                "x": list(range(1, len(row.leads) + 1)),
                "y": list(row.leads),
                "line": {"color": f"@seat-{mark}", "width": 2, "dash": DASHES[mark % len(DASHES)], "shape": "hv"},
                "hovertemplate": f"move %{{x}}: %{{y:+d}}<extra>{plain(row.name)}</extra>",
            }
            for mark, row in enumerate(shown)
        ],
        layout={"xaxis": {"title": {"text": "Move"}}, "yaxis": {"title": {"text": "Points ahead"}, "zeroline": True}},
        legend=[Legend(mark, row.name) for mark, row in enumerate(shown)],
        columns=[Column("Move")],
    ).to_json()
