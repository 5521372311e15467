"""The move order of Kingdomino against the dominoes that actions choose."""

from __future__ import annotations

from games import registry
from games.kingdomino import state as layout
from games.kingdomino.reading import offered_dominoes
from tests.games import walks


def test_choices_first_ranks_by_the_place_of_the_domino_in_its_row() -> None:
    game, ordering = registry.get("kingdomino"), registry.get("kingdomino").kernels().ordering
    state = next(
        state
        for state in walks.turns("kingdomino")
        if len(offered_dominoes(state)) > 2 and len(game.legal_actions(state)) > 12
    )
    actions = game.legal_actions(state).tolist()
    assert {ordering.rank(0, state, action) for action in actions} == {0}
    ranked = sorted(actions, key=lambda action: ordering.rank(1, state, action))
    chosen = [action % layout.CHOICES for action in ranked]
    assert chosen == sorted(chosen)
    assert len(set(chosen)) > 1
    assert [action % layout.CHOICES for action in actions] != chosen, "the rules list placements first"
