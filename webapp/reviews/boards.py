"""A decision on the board: the position after what was played, and after what was better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from games import svg
from webapp.matches.selectors import MatchPage
from webapp.records.models import Study
from webapp.reviews import telling
from webapp.studies import results


@dataclass(frozen=True)
class Drawn:
    """One of the two. words: the move; lost: points it lost against the other, empty for that one."""

    title: str
    words: str
    lost: str
    board: SafeString


def drawn(study: Study, page: MatchPage, ply: int) -> tuple[telling.Decision, list[Drawn]] | None:
    """What was played at a ply (counted from 1) and what was better; None where no loss is known there."""
    found, walked = results.current(study), page.walked
    row = next((row for row in (found.result or {}).get("decisions", ()) if row["ply"] + 1 == ply), None)
    if row is None or walked is None or row["loss"] <= 0 or ply >= len(walked.states):
        return None
    decision = telling.decision(row, page)
    return decision, [
        Drawn("Played", decision.played, decision.loss, _after(row, row["played"], page, "played-")),
        Drawn("Better", decision.best, "", _after(row, row["best"], page, "better-")),
    ]


def _after(row: Mapping[str, Any], notation: str, page: MatchPage, prefix: str) -> SafeString:
    """The board after an action, which is marked as the last one, as its seat saw it; before it where it is unknown."""
    assert page.walked is not None
    game, state = page.walked.game, page.walked.states[row["ply"]]
    action = telling.actions_of(game, state).get(notation)
    after = state if action is None else game.apply(state, action)
    return mark_safe(svg.named(game.play_svg(after, seat=row["seat"], theme="page", prefix=prefix), page.names))
