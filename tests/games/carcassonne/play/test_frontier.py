from collections import Counter

from games.carcassonne import reading
from games.carcassonne import state as layout
from games.carcassonne.board.geometry import EDGES, tile_facts
from games.carcassonne.play import frontier
from tests.games import walks

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


def sides(letter, rotation):
    """What a tile shows to the north, east, south and west, from the data file."""
    return [tile_facts()[letter]["edges"][EDGES[(side - rotation) % 4]] for side in range(4)]


def laid(state):
    game = walks.game_of("carcassonne")
    return {(t.x, t.y): sides(t.type, t.rotation) for t in reading.laid_tiles(game.kernels(), state)}


def left(state):
    """Letters of the tiles that are not laid."""
    game = walks.game_of("carcassonne")
    box = Counter({letter: facts["count"] for letter, facts in tile_facts().items()})
    box.subtract(t.type for t in reading.laid_tiles(game.kernels(), state))
    return [letter for letter, count in box.items() if count]


def fits(board, letter, x, y):
    return any(
        all(
            (x + dx, y + dy) not in board or board[x + dx, y + dy][(side + 2) % 4] == sides(letter, rotation)[side]
            for side, (dx, dy) in enumerate(STEPS)
        )
        for rotation in range(4)
    )


def sample(seed):
    return walks.some([state for state, _ in walks.match("carcassonne", 2, seed)][:-1], 8)


def test_places_are_the_empty_cells_beside_tiles():
    for state in sample(1):
        board = laid(state)
        expected = {(x + dx, y + dy) for x, y in board for dx, dy in STEPS} - board.keys()
        assert frontier.frontier_cells(state) == sorted(expected)


def test_a_place_is_dead_when_no_tile_left_fits_in_any_rotation():
    dead = 0
    for state in [*sample(1), *sample(2)]:
        board, letters = laid(state), left(state)
        expected = [
            cell for cell in frontier.frontier_cells(state) if not any(fits(board, one, *cell) for one in letters)
        ]
        assert frontier.dead_cells(state) == expected
        dead += len(expected)
    assert dead > 0


def test_a_place_that_only_the_tile_in_hand_fits_is_not_dead():
    game, saved = walks.game_of("carcassonne"), 0
    for seed in (1, 2, 3):
        for state in walks.turns("carcassonne", 2, seed):
            offered = {reading.placement(state, int(a))[1:3] for a in game.legal_actions(state)}
            assert not offered & set(frontier.dead_cells(state))
            bare = state.copy()
            bare[layout.TILE] = 0
            saved += len(offered & set(frontier.dead_cells(bare)))
    assert saved > 0


def test_discarded_tiles_are_not_left():
    state = walks.turns("carcassonne", 2)[40].copy()
    assert len(frontier.dead_cells(state)) < len(frontier.frontier_cells(state))
    state[layout.POOL_TYPES] = state[layout.TILE] = 0
    assert frontier.dead_cells(state) == frontier.frontier_cells(state)


def test_nothing_is_dead_once_the_match_is_over():
    assert frontier.dead_cells(walks.end("carcassonne", 2)) == []
