"""What an engine of one's own may do with a position."""

from __future__ import annotations

import numpy as np
import pytest

from engines.own.position import Position
from games import readiness
from games.protocol import IllegalActionError
from tests.games import walks

SEED = 5


def positions(game_id: str, count: int = 6) -> list[Position]:
    """Turns of a random match, as the seat on turn sees them."""
    game = walks.game_of(game_id)
    hides = game.traits.has_hidden_information
    return [
        Position(game, game.view(state, seat), seat, SEED, is_view=hides)
        for state in walks.some(walks.turns(game_id), count)
        for seat in [game.current_player(state)]
    ]


@pytest.mark.parametrize("game_id", ["toy", pytest.param("kingdomino", marks=pytest.mark.slow)])
def test_a_line_to_the_end_is_that_of_the_rules_and_is_taken_back_byte_for_byte(game_id: str) -> None:
    game, position = walks.game_of(game_id), positions(game_id)[0]
    states = [position.array.copy()]
    while not position.is_over:
        if position.player == -1:
            outcome = position.draw(len(states))
            states.append(game.apply(states[-1], outcome))
        else:
            assert position.legal().tolist() == game.legal_actions(states[-1]).tolist()
            action = int(position.legal()[-1])
            position.apply(action)
            states.append(game.apply(states[-1], action))
        assert (position.array == states[-1]).all()
    assert position.scores().tolist() == list(game.scores(states[-1]))
    for state in states[-2::-1]:
        position.undo()
        assert (position.array == state).all()
    with pytest.raises(ValueError, match="nothing to take back"):
        position.undo()


def test_playouts_stay_apart_by_their_number_and_leave_the_position() -> None:
    position = positions("toy")[1]
    before = position.array.copy()
    one = [position.playout(k, "random").tolist() for k in range(20)]
    assert one == [position.playout(k, "random").tolist() for k in range(20)]
    assert len({tuple(points) for points in one}) > 1
    assert position.playouts(20, 0, "random").tolist() == np.sum(one, axis=0).tolist()
    other = Position(position.face, before, position.seat, SEED + 1)
    assert [other.playout(k, "random").tolist() for k in range(20)] != one
    assert (position.array == before).all()
    assert position.policy_action("random") in position.legal()


def test_what_is_wrong_is_refused_and_changes_nothing() -> None:
    position = positions("toy")[1]
    before = position.array.copy()
    with pytest.raises(IllegalActionError, match="7 is not legal"):
        position.apply(7)
    with pytest.raises(ValueError, match="nothing is to be drawn"):
        position.draw()
    with pytest.raises(ValueError, match="policies are random"):
        position.playout(0, "chess_master")
    with pytest.raises(ValueError, match="evaluations are"):
        position.evaluate("beauty")
    with pytest.raises(ValueError, match="read-only"):
        position.array[0] = 1
    assert (position.array == before).all()


def test_nothing_is_played_in_a_view_and_samples_are_what_the_seat_thinks_possible() -> None:
    game = walks.game_of("toy_secret")
    differ = 0
    with readiness.plainly():
        for position in positions("toy_secret"):
            for verb in (position.playout, position.draw, lambda at=position: at.apply(0)):
                with pytest.raises(ValueError, match=r"play in position.sample\(\)"):
                    verb()
            worlds = [position.sample(k) for k in range(8)]
            for world in worlds:
                known = game.information_set(world.array, position.seat)
                assert known == game.information_set(position.array, position.seat)
                assert world.playout(0, "random").shape == (position.num_seats,)
            assert [world.array.tolist() for world in worlds] == [position.sample(k).array.tolist() for k in range(8)]
            differ += len({world.array.tobytes() for world in worlds}) > 1
    assert differ


def test_points_are_compared_with_the_best_opponent_and_partners_are_none() -> None:
    toy, dominoes = positions("toy")[0], positions("dominoes")[0]
    points = np.array([10, 7, 9, 20])
    assert toy.margin(points[:2]) == (3 if toy.seat == 0 else -3)
    assert dominoes.margin(points) == {0: 10 - 20, 2: 9 - 20, 1: 7 - 10, 3: 20 - 10}[dominoes.seat]


def test_the_layout_names_the_words_of_the_state() -> None:
    position = positions("toy")[0]
    assert position.array[position.layout.PLAYER] == position.player == position.seat
    assert len(position.array) == position.layout.SIZE
    assert position.notation(int(position.legal()[0]))


@pytest.mark.slow
def test_a_game_without_an_evaluation_is_worth_its_points() -> None:
    position = positions("kingdomino")[-1]
    assert position.evaluate().tolist() == list(position.face.projected_scores(position.array))
    carcassonne = positions("carcassonne")[-1]
    assert carcassonne.evaluate().shape == (2,)
    assert carcassonne.evaluate().tolist() != carcassonne.evaluate(list(carcassonne.face.evaluations)[-1]).tolist()
