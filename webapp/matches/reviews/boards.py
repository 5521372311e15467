"""A decision on the board: the position after what was played, and after what was better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from webapp.common import naming
from webapp.lab.studies import results
from webapp.matches import selectors as match_selectors
from webapp.matches.replay import Replay
from webapp.matches.reviews import summary
from webapp.matches.selectors import MatchPage
from webapp.records.models import Study
from webapp.table.live import action_words as live_telling


@dataclass(frozen=True)
class DrawnMove:
    """One of the two. words: the move; lost: points it lost against the other, empty for that one."""

    title: str
    words: str
    lost: str
    board: SafeString


def draw_decision(
    study: Study, page: MatchPage, ply: int, *, as_page: bool = False
) -> tuple[summary.Decision, list[DrawnMove]] | None:
    """Draw what was played at a ply (counted from 1) and what was better; None where no loss is known there.

    as_page: from where the page of the match draws its board, not from the seat that moved.
    """
    found, walked = results.current(study), page.walked
    row = next((row for row in (found.result or {}).get("decisions", ()) if row["ply"] + 1 == ply), None)
    if row is None or walked is None or row["loss"] <= 0 or ply >= len(walked.states):
        return None
    decision = summary.decision(row, page)
    seat = page.looking if as_page else row["seat"]
    names = page.names if as_page else match_selectors.seat_names(page.match, seat)
    played, better = (_after(row, which, walked, names, seat) for which in ("played", "best"))
    return decision, [
        DrawnMove("Played", decision.played, decision.loss, played),
        DrawnMove("Better", decision.best, "", better),
    ]


def _after(row: Mapping[str, Any], which: str, walked: Replay, names: Sequence[str], seat: int | None) -> SafeString:
    """The board as the replay draws it from a seat, after an action; before it where it is unknown.

    which: of the actions in the row; names: of the seats from there.
    """
    game, states = walked.game, list(walked.states[: row["ply"] + 1])
    action = live_telling.actions_by_notation(game, states[-1]).get(row[which])
    if action is not None:
        states.append(game.apply(states[-1], action))
    board = game.replay_svg(states, seat=seat, ply=len(states) - 1, prefix=f"{which}-")
    return mark_safe(naming.name_seats(board, names))
