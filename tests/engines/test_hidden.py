"""Searches where something is hidden: they draw it anew, and know no more than their seat."""

from __future__ import annotations

from typing import Any

import pytest

from engines import registry, templates, utilities
from engines.protocol import Budget, Decision
from games import registry as game_registry
from games import rng
from games.dominion import cards, reading
from games.dominion import state as dominion
from tests.engines import growing
from tests.engines.growing import Grown
from tests.games import walks
from tests.looping import looped
from tests.trees import nodes
from tests.trees.nodes import Node, chance, seat


def means(grown: Grown) -> dict[int, float]:
    visits, totals, labels = (grown.column(name) for name in ("VISITS", "TOTAL", "LABEL"))
    return {int(labels[k]) // 2: totals[k] / visits[k] for k in grown.children(0)}


# ---- trees in which the first draw is hidden


def guess() -> Node:
    """Two worlds, three to one: name the one it is for 10 points, or take 7 for certain."""
    return chance((3, seat(0, seat(0, 10, 0), 7)), (1, seat(0, seat(0, 0, 10), 7)))


@pytest.mark.long
@looped("options", [{"chance": "open_loop"}, {"chance": "sampled"}, {"chance": "fixed"}])
@looped("true", [0, 1])
def test_a_search_cannot_act_on_what_it_cannot_know(true: int, options: dict[str, Any]) -> None:
    """A player who solved each world by itself would think that guessing is worth 10."""
    state = nodes.hidden(guess(), true)
    grown = growing.grow("hidden", state, 20_000, c=4.0, **options)
    found = means(grown)
    # the better guess is right in three worlds of four; exploring the other one costs a little
    assert found[0] == pytest.approx(7.5, abs=0.25)
    assert found[1] == 7.0
    told = means(growing.grow("hidden", state, 2_000, c=4.0, peek=True, **options))
    assert told[0] == pytest.approx(10.0, abs=0.3)


def test_an_action_is_judged_by_how_often_it_was_available() -> None:
    """Seat 1 can take 20 points off in one world of four, where it is legal: 0.75 * 5 - 0.25 * 20 = -1.25."""
    worlds = chance((3, seat(0, seat(1, 5), 0)), (1, seat(0, seat(1, 5, -20), 0)))
    grown = growing.grow("hidden", nodes.hidden(worlds, 0), 20_000, c=30.0, chance="open_loop")
    node = grown.child(0, 0)
    visits, available = grown.column("VISITS"), grown.column("AVAILABLE")
    harmless, harmful = grown.child(node, 0), grown.child(node, 2)
    assert available[harmless] == pytest.approx(visits[node], abs=1)
    # binomial: four standard deviations
    n = visits[node]
    assert available[harmful] == pytest.approx(n / 4, abs=4 * (n * 3 / 16) ** 0.5)
    assert visits[harmful] > 0.8 * available[harmful], "it is nearly always taken where it can be"
    assert means(grown)[1] == 0.0
    # a deviation of 10.8 points over some 5,700 visits
    assert means(grown)[0] == pytest.approx(-1.25, abs=0.6)


# ---- secret cards


def secret(*numbers: int) -> Any:
    """A position of secret cards for two seats, with five cards."""
    game = walks.game_of("toy_secret")
    state = game.initial_state(game.options(cards=5), 2)
    for number in numbers:
        state = game.apply(state, number)
    return state


def decide(engine_id: str, budget: Budget, **options: Any) -> Decision:
    """Seat 0 holds the 1 and has drawn the 3; seat 1 holds the 5, the 2 and the 4 are to come."""
    game, state = walks.game_of("toy_secret"), secret(1, 5, 3)
    engine = registry.make(engine_id, registry.complete_options(engine_id, game, options))
    shown = state if engine.peeks else game.view(state, 0)
    return engine.choose(game, shown, 0, budget, rng.new_stream(1, rng.SEARCH))


@pytest.mark.parametrize("engine_id", ["flat_mc", "flat_ucb", "uct"])
def test_secret_cards_are_drawn_anew_unless_the_search_peeks(engine_id: str) -> None:
    """Keeping the 3: 1 + 3 and the last card, against the secret one. Of 2, 4, 5 each is as likely to be either.

    What seat 1 hands out between goes to both alike. So the margin is 4; for a seat that sees the 5 it is 4 + 3 - 5.
    """
    budget = Budget(playouts=4000) if engine_id == "flat_mc" else Budget(simulations=4000)
    # UCT learns that seat 1 keeps its card, half of the time a high one: compared with one that cannot learn
    options = {"utility": "difference", **({"c": 1e3} if engine_id != "flat_mc" else {})}
    for peek, expected in ((False, 4.0), (True, 2.0)):
        decision = decide(engine_id, budget, peek=peek, **options)
        table = decision.table
        assert table is not None
        error = table.deviations[0] / table.visits[0] ** 0.5
        assert table.values[0] == pytest.approx(expected, abs=4 * error)


def test_engines_say_whether_they_peek() -> None:
    for engine_id in ("flat_mc", "flat_ucb", "uct"):
        assert registry.make(engine_id, {"peek": True}).peeks
        assert not registry.make(engine_id, {}).peeks
        assert registry.peeks(engine_id, {"peek": True})
        assert not registry.peeks(engine_id, {})


def test_a_node_per_outcome_would_show_what_others_draw() -> None:
    game = walks.game_of("toy_secret")
    assert registry.defaults("uct", game)["chance"] == "open_loop"
    assert "chance" not in registry.defaults("uct", walks.game_of("toy"))
    assert "would show what others draw" in str(registry.make("uct", {"chance": "explicit"}).refuses(game))
    assert registry.make("uct", {"chance": "explicit", "peek": True}).refuses(game) is None


# ---- Dominion: free actions, and what a card is chosen for


def holding(*names: str) -> Any:
    """The first turn of a match of two, with these Action cards in hand in place of as many Coppers."""
    game = game_registry.get("dominion")
    state = walks.turns("dominion")[0].copy()
    hand = reading.seat_at(0) + dominion.HAND
    for name in ("Copper", *names):
        number = cards.by_name()[name].number
        state[hand + number // 4] += (1 if name != "Copper" else -len(names)) << 8 * (number % 4)
    state[dominion.KIND] = dominion.ACTION
    state[dominion.COINS] = 0
    assert game.current_player(state) == 0
    return state


@pytest.mark.parametrize("engine_id", ["flat_mc", "flat_ucb", "uct"])
def test_a_card_that_gives_its_action_back_is_played_at_once(engine_id: str) -> None:
    game, village = game_registry.get("dominion"), cards.by_name()["Village"].number
    state = holding("Village", "Smithy")
    for forced in ("search", "playouts"):
        engine = registry.make(engine_id, registry.complete_options(engine_id, game, {"forced": forced}))
        decision = engine.choose(game, game.view(state, 0), 0, Budget(), rng.new_stream(1, rng.SEARCH))
        assert (decision.action, decision.table) == (village, None)


def test_a_tree_tells_a_card_that_is_played_from_the_same_card_bought() -> None:
    game = game_registry.get("dominion")
    between = growing.kernels("dominion", False, "jit").tree.between
    smithy = cards.by_name()["Smithy"].number
    playing = holding("Smithy")
    buying = walks.turns("dominion")[0]
    assert buying[dominion.KIND] == dominion.BUY
    moves = [int(between.move_of(state, smithy)) for state in (playing, buying)]
    assert moves[0] != moves[1]
    assert [move & between.ACTION_OF_MOVE for move in moves] == [smithy, smithy]
    assert game.traits.max_legal_actions < between.ACTION_OF_MOVE


# ---- teams


def test_partners_are_no_opponents() -> None:
    rules = templates.load("flat", game_registry.get("dominoes").folder, False, "plain")
    for kind, expected in (("difference", -7.0), ("wdl", -1.0), ("win", 0.0), ("win_difference", -0.07), ("own", 3.0)):
        for total in (False, True):
            found = rules.utility(utilities.UTILITIES.index(kind), [3, 10, 3, 10], 2, 4, total)
            assert found == pytest.approx(expected), kind
