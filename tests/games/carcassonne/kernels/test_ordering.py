"""Move orders of the thesis against the words of every legal move."""

from __future__ import annotations

import random
from types import ModuleType

import pytest

from games import registry
from games.carcassonne import reading
from tests.games.carcassonne.tables import GameTable

CLAIMS = ("city", "monastery", "road", None, "field")
"""Order 2 of the thesis, best first."""


@pytest.fixture(scope="module")
def kernels() -> ModuleType:
    return registry.get("carcassonne").kernels()


def wanted_rank(order: str, segment: str | None) -> int:
    """Rank of a move by what its meeple claims."""
    if order == "order1":
        return 0 if segment else 1
    kind = segment.rstrip("0123456789") if segment else None
    return CLAIMS.index(kind) if order == "order2" else 0


def test_the_orders_are_those_that_searches_name(kernels: ModuleType) -> None:
    assert kernels.ordering.NAMES == ("none", "order1", "order2")


@pytest.mark.parametrize("order", ["none", "order1", "order2"])
def test_rank_of_every_legal_action(kernels: ModuleType, order: str) -> None:
    table, rng, seen = GameTable(), random.Random(3), set()
    index = kernels.ordering.NAMES.index(order)
    while not table.over:
        table.draw(rng.choice(sorted(table.drawable)))
        actions = [int(action) for action in table.game.legal_actions(table.state)]
        for action in actions:
            segment = reading.placement(table.state, action).segment
            rank = kernels.ordering.rank(index, table.state, action)
            assert rank == wanted_rank(order, segment), f"{segment} in {order}"
            seen.add(rank)
        table.state = table.game.apply(table.state, rng.choice(actions))
    assert seen == {"none": {0}, "order1": {0, 1}, "order2": {0, 1, 2, 3, 4}}[order]
