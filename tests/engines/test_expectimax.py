"""The engine against a slow search through the game's face, and what it makes of its options and budgets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from engines import driver, registry
from engines.protocol import Budget, Decision
from games import rng
from games.protocol import CHANCE, TERMINAL, State
from tests.engines import slow
from tests.games import walks

CLOSE = 1e-6
"""Values up to a few thousand, summed in another order."""
STARS = (
    {"algorithm": "star1"},
    {"algorithm": "star2"},
    {"algorithm": "star2", "killers": True},
    {"algorithm": "star2.5", "probing": 2, "keep_probes": True, "killers": True},
    *({"algorithm": "star2.5", "probing": n, "keep_probes": n > 4} for n in (2, 3, 5, 50)),
)
EXPECTIMAX = {"algorithm": "expectimax"}


def decide(game_id: str, state: State, budget: Budget, **options: Any) -> Decision:
    game, engine = walks.game_of(game_id), registry.make("expectimax", options)
    assert engine.refuses(game) is None
    return engine.choose(game, state, game.current_player(state), budget, rng.new_stream(1, rng.SEARCH))


def rows(decision: Decision) -> dict[int, tuple[float, bool]]:
    """Value of every action of the table, and whether it is only a bound."""
    table = decision.table
    assert table is not None
    assert table.is_bound is not None
    return dict(
        zip(table.actions.tolist(), zip(table.values.tolist(), table.is_bound.tolist(), strict=True), strict=True)
    )


def check_against(expected: dict[int, float], decision: Decision) -> None:
    """The best value is right, so is every exact one, and bounds are bounds below the best."""
    best = max(expected.values())
    assert decision.value == pytest.approx(best, abs=CLOSE)
    assert expected[decision.action] == pytest.approx(best, abs=CLOSE)
    for action, (value, is_bound) in rows(decision).items():
        if is_bound:
            assert expected[action] - CLOSE <= value <= best + CLOSE
        else:
            assert value == pytest.approx(expected[action], abs=CLOSE)


def bound_of(game: Any, totals: slow.Totals, state: State, bounds: str, bound: float, score: float) -> float:
    """U as the options define it."""
    points, seat = game.scores(state), game.current_player(state)
    lead = points[seat] - max(own for other, own in enumerate(points) if other != seat)
    return bound + (abs(score * lead) if bounds == "dynamic" else 0.0)


# ---- cards: every position of two matches to the end


def card_positions() -> Iterator[tuple[State, int]]:
    for seats in (2, 3):
        for state in walks.turns("toy", seats)[1:-1]:
            for depth in (1, 2, 3):
                yield state, depth


@pytest.mark.parametrize(
    ("bounds", "bound"), [("dynamic", 2000.0), ("fixed", 2000.0), ("dynamic", 3.0), ("fixed", 3.0)]
)
def test_every_algorithm_is_expectimax_in_cards(toy: Any, bounds: str, bound: float) -> None:
    totals = slow.evaluation(toy, {"score": 1.0})
    for number, (state, depth) in enumerate(card_positions()):
        expected = slow.table(toy, totals, state, depth, bound_of(toy, totals, state, bounds, bound, 1.0))
        for n, algorithm in enumerate((EXPECTIMAX, *STARS)):
            order = ("none", "order1", "order2")[(n + number) % 3]
            options = {**algorithm, "order": order, "bounds": bounds, "bound": bound}
            decision = decide("toy", state, Budget(depth=depth), **options)
            check_against(expected, decision)
            if algorithm == EXPECTIMAX:
                assert not any(is_bound for _, is_bound in rows(decision).values())


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_maxn_with_three_seats(toy: Any, depth: int) -> None:
    totals = slow.evaluation(toy, {"score": 1.0})
    for state in walks.turns("toy", 3)[1:-1]:
        seat = toy.current_player(state)
        decision = decide("toy", state, Budget(depth=depth), algorithm="expectimax", opponents="maxn", order="none")
        for action, (value, is_bound) in rows(decision).items():
            expected = slow.maxn(toy, totals, toy.apply(state, action), depth - 1, 2000.0 + 100)[seat]
            assert value == pytest.approx(expected, abs=CLOSE)
            assert not is_bound
        assert decision.value == max(value for value, _ in rows(decision).values())


def test_maxn_differs_from_paranoid_with_three_seats_only(toy: Any) -> None:
    differ = {2: 0, 3: 0}
    for seats in differ:
        for state in walks.turns("toy", seats)[1:-1]:
            found = [
                rows(decide("toy", state, Budget(depth=3), algorithm="expectimax", opponents=opponents))
                for opponents in ("paranoid", "maxn")
            ]
            differ[seats] += found[0] != found[1]
    assert differ[2] == 0
    assert differ[3] > 0


# ---- Carcassonne: the last tiles of random matches


@cache
def last_turns(unplaceable: str, seats: int = 2, seeds: int = 6) -> tuple[State, ...]:
    """Positions with two or three tiles to lay and few actions, of as many matches."""
    game, found = walks.game_of("carcassonne"), []
    options = game.options(unplaceable=unplaceable)
    for seed in range(seeds):
        r = rng.new_stream(seed, rng.ANALYSIS)
        state = game.initial_state(options, seats)
        while game.current_player(state) != TERMINAL:
            if game.current_player(state) == CHANCE:
                state = game.apply(state, game.sample_chance(state, r))
                continue
            left = sum(game.plies_left(state, seat) for seat in range(seats))
            actions = game.legal_actions(state)
            if left in (2, 3) and 1 < len(actions) <= (60 if left == 2 else 30):
                found.append(state)
            state = game.apply(state, int(actions[rng.below(r, len(actions))]))
    return tuple(found)


@pytest.mark.parametrize("unplaceable", ["return", "discard"])
@pytest.mark.parametrize(
    ("positions", "depths"), [(5, (1, 2)), (40, (1,)), pytest.param(300, (1, 2), marks=pytest.mark.slow)]
)
def test_every_algorithm_is_expectimax_in_carcassonne(
    carcassonne: Any, unplaceable: str, positions: int, depths: tuple[int, ...]
) -> None:
    weights = dict(carcassonne.evaluations["final"])
    totals = slow.evaluation(carcassonne, weights)
    found = last_turns(unplaceable, seeds=2 * positions)[:positions]
    assert len(found) == positions
    for number, state in enumerate(found):
        for depth, (bounds, bound) in product(depths, (("dynamic", 2000.0), ("fixed", 300.0))):
            limit = bound_of(carcassonne, totals, state, bounds, bound, weights["score"])
            expected = slow.table(carcassonne, totals, state, depth, limit)
            for n, algorithm in enumerate((EXPECTIMAX, *STARS)):
                order = ("none", "order1", "order2")[(n + number) % 3]
                options = {**algorithm, "order": order, "bounds": bounds, "bound": bound}
                check_against(expected, decide("carcassonne", state, Budget(depth=depth), **options))


def test_all_algorithms_agree_to_the_end_of_carcassonne() -> None:
    for state in last_turns("return"):
        values = {
            str(algorithm): decide("carcassonne", state, Budget(depth=3), **algorithm).value
            for algorithm in (EXPECTIMAX, *STARS)
        }
        assert max(values.values()) - min(values.values()) < CLOSE


def test_paranoid_and_maxn_in_carcassonne_with_three_seats(carcassonne: Any) -> None:
    totals = slow.evaluation(carcassonne, dict(carcassonne.evaluations["intuitive"]))
    for state in last_turns("return", 3)[:3]:
        seat, bound = carcassonne.current_player(state), bound_of(carcassonne, totals, state, "dynamic", 2000.0, 100.0)
        check_against(
            slow.table(carcassonne, totals, state, 2, bound),
            decide("carcassonne", state, Budget(depth=2), evaluation="intuitive"),
        )
        decision = decide("carcassonne", state, Budget(depth=2), evaluation="intuitive", opponents="maxn", **EXPECTIMAX)
        for action, (value, _) in list(rows(decision).items())[:10]:
            expected = slow.maxn(carcassonne, totals, carcassonne.apply(state, action), 1, bound)[seat]
            assert value == pytest.approx(expected, abs=CLOSE)


def test_killers_save_nodes_in_carcassonne() -> None:
    nodes = {False: 0, True: 0}
    for state in walks.some(walks.turns("carcassonne")[20:50], 4):
        found = {k: decide("carcassonne", state, Budget(depth=2), algorithm="star2", killers=k) for k in nodes}
        assert found[True].value == pytest.approx(found[False].value, abs=CLOSE)
        for k in nodes:
            nodes[k] += found[k].nodes
    assert nodes[True] < 0.6 * nodes[False]


def test_own_weights_are_used(carcassonne: Any) -> None:
    state = walks.turns("carcassonne")[40]
    final = {f"weight_{term}": weight for term, weight in carcassonne.evaluations["final"].items()}
    named, own = (
        decide("carcassonne", state, Budget(depth=1), evaluation=evaluation, **final) for evaluation in ("final", "own")
    )
    assert rows(named) == rows(own)
    other = decide("carcassonne", state, Budget(depth=1), evaluation="own", weight_unfinished=55.0)
    assert rows(other) != rows(own)


# ---- bounds, ties, lines


def test_behind_by_more_than_fixed_bounds_it_takes_the_first_action(toy: Any) -> None:
    state = next(state for state in walks.turns("toy")[2:] if len(set(toy.scores(state))) > 1)
    behind = toy.scores(state)[toy.current_player(state)] < max(toy.scores(state))
    score = {"evaluation": "own", "weight_score": 1000.0, "bound": 1.0, "deepening": False}
    fixed = decide("toy", state, Budget(depth=1), bounds="fixed", order="order1", **score)
    assert {value for value, _ in rows(fixed).values()} == {-1.0 if behind else 1.0}
    # order 1 keeps the card last: the first action gives it away
    assert fixed.action != toy.current_player(state)
    dynamic = decide("toy", state, Budget(depth=1), bounds="dynamic", order="order1", **{**score, "bound": 10000.0})
    assert dynamic.action == toy.current_player(state)


@pytest.mark.parametrize(("game_id", "seats"), [("toy", 2), ("toy", 3), ("carcassonne", 2)])
def test_the_line_is_the_best_play_along_the_most_probable_outcomes(game_id: str, seats: int) -> None:
    game = walks.game_of(game_id)
    totals = slow.evaluation(game, dict(game.evaluations["final"]))
    states = walks.turns("toy", seats)[1:-1] if game_id == "toy" else last_turns("return")[:4]
    for state in states:
        root, depth = game.current_player(state), 3 if game_id == "toy" else 2
        assert decide(game_id, state, Budget(depth=depth)).line == (), "nobody asked for it"
        decision = decide(game_id, state, Budget(depth=depth, wants_line=True))
        assert decision.line[0] == decision.action
        left = decision.depth
        for number in decision.line:
            player = game.current_player(state)
            if player == CHANCE:
                outcomes, probabilities = game.chance_outcomes(state)
                assert number == outcomes[np.argmax(probabilities)]
            else:
                after = {
                    action: slow.value(game, totals, game.apply(state, action), left - 1, root, 9000.0)
                    for action in game.legal_actions(state).tolist()
                }
                best = max(after.values()) if player == root else min(after.values())
                assert after[number] == pytest.approx(best, abs=CLOSE)
                left -= 1
            state = game.apply(state, number)
        assert left == 0 or game.is_terminal(state)


# ---- budgets


def test_depth_alone_searches_that_depth_once_and_no_deeper_than_the_match() -> None:
    state = walks.turns("toy")[1]
    assert decide("toy", state, Budget(depth=2)).depth == 2
    left = len(walks.turns("toy")) - 1
    assert decide("toy", state, Budget(depth=20)).depth == left
    deep = decide("toy", state, Budget(depth=20), deepening=True)
    assert (deep.depth, deep.value) == (left, decide("toy", state, Budget(depth=left)).value)


def test_deepening_has_the_value_of_its_depth_and_tries_the_last_best_action_first() -> None:
    for state in (*walks.turns("toy", 3)[1:4], walks.turns("carcassonne")[-6]):
        game_id = "toy" if len(state) < 100 else "carcassonne"
        shallow, fixed = (decide(game_id, state, Budget(depth=depth)) for depth in (1, 2))
        deepened = decide(game_id, state, Budget(depth=2), deepening=True)
        assert deepened.value == pytest.approx(fixed.value, abs=CLOSE)
        assert deepened.depth == 2
        assert deepened.table is not None
        assert deepened.table.actions[0] == shallow.action
        assert deepened.nodes > shallow.nodes


def test_counts_and_visits_add_up() -> None:
    for state in (walks.turns("toy", 3)[1], walks.turns("carcassonne")[30]):
        game_id = "toy" if len(state) < 100 else "carcassonne"
        fixed = decide(game_id, state, Budget(depth=2))
        assert fixed.table is not None
        assert fixed.table.visits.sum() == fixed.nodes


def test_a_depth_cut_short_counts_once_its_first_action_is_done() -> None:
    state = walks.turns("carcassonne")[30]
    shallow = decide("carcassonne", state, Budget(depth=1))
    full = decide("carcassonne", state, Budget(depth=2), deepening=True)
    assert shallow.table is not None
    assert full.table is not None
    n, first = shallow.nodes, int(full.table.visits[0])
    for nodes, depth, done in ((1, 1, 1), (n - 1, 1, n - 1), (n + first - 1, 1, n), (n + first, 2, 1)):
        decision = decide("carcassonne", state, Budget(nodes=nodes))
        assert decision.table is not None
        assert (decision.nodes, decision.depth) == (nodes, depth)
        assert np.isfinite(decision.table.values).sum() == done
        assert decision.value == decision.table.values[:done].max()
    assert decide("carcassonne", state, Budget(nodes=full.nodes + 1, depth=2)).nodes == full.nodes


def test_slices_leave_decisions_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    state, decisions = walks.turns("carcassonne")[30], []
    for most in (1, 100, 1 << 16):
        monkeypatch.setattr(driver, "MAX_SLICE", most)
        decision = decide("carcassonne", state, Budget(nodes=3000, wants_line=True))
        decisions.append((decision.action, decision.value, decision.line, rows(decision)))
    assert len({repr(decision) for decision in decisions}) == 1


def test_hardly_any_time_is_enough_for_an_action() -> None:
    decision = decide("carcassonne", walks.turns("carcassonne")[30], Budget(seconds_per_ply=1e-9, wants_line=True))
    assert (decision.nodes, decision.depth, len(decision.line)) == (1, 1, 1)


@pytest.mark.long
def test_a_clock_of_the_match_is_shared_out_and_spent(carcassonne: Any) -> None:
    state = walks.turns("carcassonne")[30]
    left = carcassonne.plies_left(state, carcassonne.current_player(state))
    decision = decide("carcassonne", state, Budget(seconds_per_match=0.2 * left))
    assert decision.depth >= 2
    assert 0.19 <= decision.cpu_s < 0.5


# ---- refusals


class Strange:
    """A game with a few traits turned."""

    def __init__(self, game: Any, **changed: Any) -> None:
        self._game, self._changed = game, changed

    def __getattr__(self, name: str) -> Any:
        return self._changed.get(name, getattr(self._game, name))


def test_a_move_order_that_the_game_lacks_is_refused(toy: Any) -> None:
    game: Any = Strange(toy, orderings=("none", "order1"))
    assert registry.make("expectimax", {"order": "order1"}).refuses(game) is None
    assert "not 'order2'" in str(registry.make("expectimax", {}).refuses(game))


def test_what_cannot_be_searched_is_refused(toy: Any) -> None:
    def refusal(game: Any, **options: Any) -> str:
        return str(registry.make("expectimax", options).refuses(game))

    assert "hides information" in refusal(walks.game_of("toy_secret"))
    assert "has none" in refusal(Strange(toy, evaluations={}))
    assert "not 'bold'" in refusal(toy, evaluation="bold")
    assert "without an own weight: cows" in refusal(Strange(toy, evaluations={"x": {"cows": 1.0}}), evaluation="own")
    assert "cannot be pruned" in refusal(toy, opponents="maxn")
    assert refusal(toy, opponents="maxn", algorithm="expectimax") == "None"
    assert "leaves out" in refusal(Strange(toy, evaluations={"final": {"cows": 1.0}}))
    assert refusal(Strange(toy, evaluations={"final": {"cows": 1.0}}), bounds="fixed") == "None"
    traits = type(toy.traits)(**{**vars(toy.traits), "chance_is_listable": False})
    assert "too many" in refusal(Strange(toy, traits=traits))
    with pytest.raises(ValueError, match="cannot be pruned"):
        registry.make("expectimax", {"opponents": "maxn"}).choose(
            toy, walks.turns("toy")[0], 0, Budget(depth=1), rng.new_stream(1, rng.SEARCH)
        )
