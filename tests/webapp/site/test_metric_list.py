"""Metrics of a game as its page lists them."""

from __future__ import annotations

from games import registry
from games.protocol import Metric
from webapp.site.metric_list import MANY, entries


def test_few_are_told_one_by_one_and_many_by_their_kinds() -> None:
    few = [Metric("a", "Cards trashed", "cards", "deck"), Metric("b", "Times made", "shuffles", "deck")]
    turns = [Metric(f"c{n}", f"Coins, turn {n}", "coins", "coins by turn", str(n)) for n in range(1, MANY + 2)]
    gained = [
        Metric(f"{card}{n}", "", "cards", f"{card} gained by turns", kind)
        for card in ("Copper", "Village", "Gold", "Moat", "Witch")
        for n, kind in enumerate(("1 to 2", "from 3"))
    ]
    assert entries([*few, *turns, *gained]) == {
        "deck": [("Cards trashed", ""), ("Times made", "shuffles")],
        "coins by turn": [("1 to 10", "coins")],
        "cards gained by turns": [("Copper, Village, Gold, Moat, Witch; 1 to 2, from 3", "cards")],
    }


def test_every_game_fits_on_a_page() -> None:
    for game_id in registry.ids():
        assert sum(map(len, entries(registry.get(game_id).metric_table).values())) < 80
