import itertools

from games.carcassonne import reading
from games.carcassonne import state as layout
from tests.games import walks


def test_events_say_where_the_meeples_stood_that_come_home():
    came_home = 0
    for seed in range(1, 6):
        states = walks.match("carcassonne", 3, seed)
        game = walks.game_of("carcassonne")
        for (before, _), (after, _) in itertools.pairwise(states):
            if not game.events(after) or game.is_terminal(after) or after[layout.TILE]:
                continue
            standing = {
                f"cell-{tile.x}-{tile.y}": tile.meeple[1]
                for tile in reading.laid_tiles(game.kernels(), before)
                if tile.meeple
            }
            x, y = reading.laid_tiles(game.kernels(), after)[-1][1:3]
            for event in game.events(after):
                assert len(event.elements) == len(event.returned)
                for element, owner in zip(event.elements, event.returned, strict=True):
                    assert standing.get(element, int(before[layout.PLAYER])) == owner
                    assert element in standing or element == f"cell-{x}-{y}"
                    came_home += 1
    assert came_home > 10
