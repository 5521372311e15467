import pytest

from games.kingdomino import reading
from games.kingdomino.play import spelling
from tests.games.kingdomino.matches import GAME, turns


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ((2, -1), "2 right and 1 up from the castle"),
        ((-1, 0), "1 left from the castle"),
        ((0, 3), "3 down from the castle"),
    ],
)
def test_squares_are_named_from_the_castle(cell, words):
    assert spelling.where(*cell) == words


def test_a_direction_says_what_comes_to_lie_there():
    assert spelling.direction_label(48, 0) == "Mine to the right"
    assert spelling.direction_label(48, 3) == "Mine above"


def test_dominoes_are_named_with_their_crowns():
    assert spelling.domino_label(48) == "48: wheat, mine with 3 crowns"
    assert spelling.domino_label(1) == "1: wheat, wheat"


def test_in_round_1_an_action_is_a_domino():
    state = turns(4)[0]
    for action in GAME.legal_actions(state):
        (part,) = GAME.parts(state, int(action))
        number = reading.move(state, int(action)).chosen
        assert (part.name, part.value, part.element) == ("domino", str(number), f"take-{number}")


def test_later_it_is_a_square_a_direction_and_a_domino():
    state = turns(4)[6]
    seat = GAME.current_player(state)
    for action in GAME.legal_actions(state):
        move, parts = reading.move(state, int(action)), GAME.parts(state, int(action))
        if move.squares:
            (x, y), (bx, by) = move.squares
            step = {"right": (1, 0), "down": (0, 1), "left": (-1, 0), "up": (0, -1)}[parts[1].value]
            assert (parts[0].value, parts[0].element) == (f"{x},{y}", f"cell-{seat}-{x}-{y}")
            assert (bx - x, by - y) == step
        assert parts[-1].value == str(move.chosen)


def test_in_the_last_round_nothing_is_taken():
    for state in turns(4)[-4:]:
        names = {part.name for action in GAME.legal_actions(state) for part in GAME.parts(state, int(action))}
        assert names <= {"square", "direction"}


def test_either_end_of_a_domino_with_two_like_ends_may_be_put_first():
    met = set()
    for state in turns(4)[4:]:
        number = reading.to_place(state)
        is_alike = len(set(reading.face(number).split(" ", 1)[1].split(", "))) == 1
        met.add(is_alike)
        placed = {}
        for action in map(int, GAME.legal_actions(state)):
            squares = reading.move(state, action).squares
            if squares is None or not is_alike:
                assert GAME.other_parts(state, action) == ()
                continue
            for parts in (GAME.parts(state, action), GAME.other_parts(state, action)):
                x, y = map(int, parts[0].value.split(","))
                dx, dy = {"right": (1, 0), "down": (0, 1), "left": (-1, 0), "up": (0, -1)}[parts[1].value]
                assert {(x, y), (x + dx, y + dy)} == set(squares)
                placed.setdefault(squares, set()).add((x, y))
        assert all(firsts == set(squares) for squares, firsts in placed.items())
    assert met == {True, False}
