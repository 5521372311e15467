"""The kinds of studies: one line each, imported on first use."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from worker.studies.protocol import StudyKind

STUDIES: dict[str, str] = {
    "position": "worker.studies.position:Position",
    "review": "worker.studies.review:Review",
    "search_effort": "worker.studies.search_effort:SearchEffort",
    "complexity": "worker.studies.complexity:Complexity",
    "tilings": "worker.studies.tilings:Tilings",
    "best_kingdom": "worker.studies.best_kingdom:BestKingdom",
    "lone_kingdom": "worker.studies.lone_kingdom:LoneKingdom",
    "playout_speed": "worker.studies.playout_speed:PlayoutSpeed",
    "buying_tree": "worker.studies.buying_tree:BuyingTree",
    "move_time": "worker.studies.move_time:MoveTime",
    "unbalanced_card": "worker.studies.unbalanced_card:UnbalancedCard",
    "deal_luck": "worker.studies.deal_luck:DealLuck",
    "belief_quality": "worker.studies.belief_quality:BeliefQuality",
    "tuning": "worker.studies.tuning:Tuning",
    "ladder": "worker.studies.ladder:Ladder",
    "regret": "worker.studies.regret:Regret",
}


def ids() -> tuple[str, ...]:
    """Return the ids of all kinds, in the order pages list them."""
    return tuple(STUDIES)


def get(study_id: str) -> StudyKind:
    """Return the kind. Raises KeyError for an unknown id."""
    module, name = STUDIES[study_id].split(":")
    return cast(StudyKind, getattr(import_module(module), name)())
