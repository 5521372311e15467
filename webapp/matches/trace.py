"""A recorded match as a file in its game's trace format, which `python -m games replay` checks."""

from __future__ import annotations

from typing import Any

from games import registry as game_registry
from games.protocol import IllegalActionError
from webapp.lab.results.sides import lineups
from webapp.records.archive.plies import actions_of
from webapp.records.models import Match
from worker import course as courses


def build_trace(match: Match) -> dict[str, Any] | None:
    """The trace; None where the plies were not kept or the rules of today do not replay them.

    None, too, while agents still play in its experiment: a trace holds the seeds. Raises ArchiveError.
    """
    if match.experiment.is_secret:
        return None
    spec, game = match.experiment.spec, game_registry.get(match.experiment.game)
    actions = actions_of(match)
    if not actions:
        return None
    history: list[int] = []
    try:
        renewal = courses.Renewal.from_json(match.renewal)
        walk = courses.replay(game.id, spec["options"], int(spec["seats"]), match.deal_seed, actions, renewal)
        history.extend(next(walk).outcomes)
        for action, course in zip(actions, walk, strict=True):
            history.extend((action, *course.outcomes))
    except IllegalActionError:
        return None
    sides = lineups(match.experiment).sides[match.arm_index]
    places = match.seats.order_by("seat").values_list("lineup_index", flat=True)
    return game.trace(
        {
            "options": spec["options"],
            "seats": int(spec["seats"]),
            "seed": match.seed,
            "deal_seed": match.deal_seed,
            "policy": " / ".join(sides[place].description for place in places),
            "versions": match.versions,
            **({} if match.code is None else {"code": match.code.hash, "commit": match.code.commit}),
            "history": history,
        }
    )
