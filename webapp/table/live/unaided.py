"""What matches may be counted for an engine against people: a person was not helped, and knew nothing of the deal.

The conditions are parts of SQL statements, over `live_livematch` and, of a match, its seats `s`.
"""

from __future__ import annotations

import json
from typing import Any

from games import registry, rule_sets

MATCH = """game = %(game)s and options <@ %(by_rule)s::jsonb and options @> %(changed)s::jsonb
        and experiment_id is null and not is_taken_back and not deal_is_known"""
"""Of a match: by named rules just as they are, nothing taken back, a deal that nobody had seen. Takes `values`."""
SEATS = """bool_and(s.replaced is null and s.hints_used = 0)
        and min(s.configuration_id) filter (where s.kind = 'engine')
            = max(s.configuration_id) filter (where s.kind = 'engine')"""
"""Of the seats of a match: nobody was replaced or took a hint, and all engines are alike."""


def values(game_id: str, rules: str) -> dict[str, Any]:
    """Parameters of `MATCH`. rules: name of the rules, or of none where the game has none with a name."""
    game = registry.get(game_id)
    return {
        "game": game_id,
        "by_rule": json.dumps(rule_sets.complete(game, rules)),
        "changed": json.dumps(dict(game.presets[rules].options) if game.presets else {}),
    }
