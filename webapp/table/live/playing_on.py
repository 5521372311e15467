"""Playing on from a position of a match that is over: its plies up to there become those of a new match."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from games import chapters
from webapp.common.reply_actions import is_reply
from webapp.records.archive.plies import plies_of
from webapp.records.models import Match
from webapp.table.live.action_words import describe_action
from webapp.table.live.models import LivePly, LiveSeat
from worker import course as courses
from worker.course import Renewal


def taken_over(match: Match, ply: int, kinds: Sequence[str]) -> list[LivePly]:
    """The first `ply` plies of a record that replays exactly, as rows to be opened with.

    kinds: who sits at each seat of the new match: to its lists the moves are theirs. Raises
    IllegalActionError where the record does not replay, ArchiveError.
    """
    spec, now = match.experiment.spec, timezone.now()
    rows = plies_of(match)[:ply]
    walk = courses.replay(
        match.experiment.game,
        spec["options"],
        int(spec["seats"]),
        match.deal_seed,
        [row.action for row in rows],
        Renewal.from_json(match.renewal),
    )
    plies = []
    for row, course in zip(rows, walk, strict=False):
        plies.append(
            LivePly(
                ply=row.ply,
                seat=row.seat,
                action=row.action,
                notation=row.notation,
                words=describe_action(course.game, course.state, row.action),
                is_reply=is_reply(course.game, course.state, row.action),
                chapter=chapters.heading(course.game, course.state),
                legal_count=row.legal_count,
                scores=row.scores,
                digest=row.digest,
                played_by=kinds[row.seat] or LiveSeat.Kind.OPEN,
                played_at=now,
            )
        )
    return plies


def luck_fields(match: Match, ply: int, *, is_same: bool) -> dict[str, Any]:
    """Fields of the new match: the draws of the old one to its end, or others from ply `ply` on.

    Where the old one had draws of its own from an earlier ply on, those before `ply` stay.
    """
    fields: dict[str, Any] = {
        "deal_seed": match.deal_seed,
        "deal_is_known": True,
        "origin": match,
        "renewal": match.renewal,
    }
    if not is_same:
        fields["renewal"] = Renewal(ply, secrets.randbits(63)).to_json()
    return fields
